"""The command `mmsat decode`."""

from typing import TypedDict

import click

from mmsat._util.json_types import BoardLine, ColorList, VerdictName
from mmsat._util.text import plural
from mmsat.cli import options
from mmsat.cli.exit_codes import FAILURE, leave, leave_with
from mmsat.cli.input_files import TextFile
from mmsat.cli.output import print_json, print_message, say
from mmsat.encoding.solution import Solution, read_solution
from mmsat.game.board import Board, Status
from mmsat.game.notation.speller import speller


class DecodedJson(TypedDict):
    """The answer of a solver."""

    board: BoardLine
    verdict: VerdictName
    witness: ColorList | None
    """A consistent code."""


@options.command(
    "decode",
    "mmsat encode 4x6/1122=1.1 --to cnf -o board.cnf",
    "cadical board.cnf | mmsat decode 4x6/1122=1.1 -",
)
@options.board
@click.argument("solution", type=TextFile())
@options.as_json
@options.working()
def command(board: Board, *, solution: str, as_json: bool) -> None:
    """Turn a solver's answer into a code.

    SOLUTION is the output or the solution file of a solver that solved the board written by `mmsat
    encode`: a file, or - for standard input. The format is recognized: SAT, MaxSAT and
    pseudo-Boolean solvers, clingo (also --outf=1 and 2), MiniZinc (also JSON), SMT solvers, HiGHS,
    SCIP, CBC, GLPK, Gurobi, CPLEX, lp_solve.

    Scores the code against every row, and prints it, or "inconsistent" or "unknown". Exit code 10
    for a code, 20 for an inconsistent board, 1 if the solver stopped without an answer or its code
    does not get these scores.
    """
    found = read_solution(solution, board.game)
    if found.code is not None:
        rescore(board, found)
    # for an inconsistent board, a MaxSAT solver returns a code that violates few rows
    witness = found.code if found.status is Status.CONSISTENT else None
    if as_json:
        colors = None if witness is None else [color + 1 for color in witness]
        document: DecodedJson = {
            "board": str(board),
            "verdict": str(found.status),
            "witness": colors,
        }
        print_json(document)
    elif witness is not None:
        click.echo(speller(board.game).print_code(witness))
    else:
        click.echo(str(found.status))
        if found.code is not None:
            spelled = speller(board.game).print_code(found.code)
            say(f"the solver's code {spelled} misses {found.cost} of {len(board.rows)} rows")
    leave_with(found.status)


def rescore(board: Board, found: Solution) -> None:
    """End the command with an error unless the code violates as many rows as stated."""
    code = found.code or ()
    missed = [row + 1 for row in board.missed(code)]
    if len(missed) != (found.cost or 0) or not board.game.contains(code):
        print_message(
            f"Error: the solution's code {speller(board.game).print_code(code)} does not get the "
            f"scores of {rows_in_words(missed)}, but the solver reports {found.cost or 'no'} "
            f"violated {plural('row', found.cost or 0)}. Is it the solution of another board?"
        )
        leave(FAILURE)


def rows_in_words(rows: list[int]) -> str:
    """Return row numbers, counted from 1, in words."""
    if not rows:
        return "no row"
    return f"{plural('row', len(rows))} {', '.join(map(str, rows))}"
