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
@options.solver_options()
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
    answer = read_solution(solution, board.game)
    if answer.code is not None:
        rescore(board, answer)
    # for an inconsistent board, a MaxSAT solver returns a code that violates few rows
    witness = answer.code if answer.status is Status.CONSISTENT else None
    if as_json:
        colors = None if witness is None else [color + 1 for color in witness]
        document: DecodedJson = {
            "board": str(board),
            "verdict": str(answer.status),
            "witness": colors,
        }
        print_json(document)
    elif witness is not None:
        click.echo(speller(board.game).print_code(witness))
    else:
        click.echo(str(answer.status))
        if answer.code is not None:
            spelled = speller(board.game).print_code(answer.code)
            say(f"the solver's code {spelled} misses {answer.cost} of {len(board.rows)} rows")
    leave_with(answer.status)


def rescore(board: Board, answer: Solution) -> None:
    """End the command with an error if the code violates another number of rows than stated."""
    code = answer.code or ()
    missed_rows = [row + 1 for row in board.missed(code)]
    if len(missed_rows) != (answer.cost or 0) or not board.game.contains(code):
        print_message(
            f"Error: the solution's code {speller(board.game).print_code(code)} violates "
            f"{rows_in_words(missed_rows)}, but the solver reports {answer.cost or 'no'} "
            f"violated {plural('row', answer.cost or 0)}. Is it the solution of another board?"
        )
        leave(FAILURE)


def rows_in_words(rows: list[int]) -> str:
    """Return row numbers, counted from 1, in words."""
    if not rows:
        return "no row"
    return f"{plural('row', len(rows))} {', '.join(map(str, rows))}"
