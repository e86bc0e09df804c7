"""mmsat decode."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mmsat.cli import options
from mmsat.cli.exits import FAILURE, leave, leave_with
from mmsat.cli.output import print_json, say
from mmsat.cli.source import TextFile

if TYPE_CHECKING:
    from mmsat.answers import Code
    from mmsat.game.board import Board


@click.command(
    "decode",
    epilog=options.examples(
        "mmsat encode 4x6/1122=1.1 --to cnf -o board.cnf",
        "cadical board.cnf | mmsat decode 4x6/1122=1.1 -",
    ),
)
@options.board
@click.argument("solution", type=TextFile())
@options.as_json
@options.working()
def command(board: Board, *, solution: str, as_json: bool) -> None:
    """Turn a solver's answer into a code.

    SOLUTION is what a solver printed about the board that `mmsat encode` wrote: a file, or - for
    standard input. Prints the code, once it has been scored against every row. Exit code 10 for a
    code, 20 for none, 1 for undecided, or for a code that does not get these scores.
    """
    from mmsat.encode.solution import read_solution  # noqa: PLC0415
    from mmsat.game.spelling import speller  # noqa: PLC0415

    found = read_solution(solution, board.game)
    if found.code is not None and not board.is_consistent(found.code):
        say(f"Error: {refusal(board, found.code)}")
        leave(FAILURE)
    if as_json:
        witness = None if found.code is None else [color + 1 for color in found.code]
        print_json({"board": str(board), "verdict": str(found.status), "witness": witness})
    elif found.code is not None:
        click.echo(speller(board.game).print_code(found.code))
    else:
        click.echo(str(found.status))
    leave_with(found.status)


def refusal(board: Board, code: Code) -> str:
    """Why a code is not one of the board's."""
    from mmsat.game.spelling import speller  # noqa: PLC0415

    spelled = speller(board.game).print_code(code)
    if not board.game.contains(code):
        return f"the solution's code {spelled} is no code of a {board.game} game"
    agrees = board.game.scoring.agrees
    wrong = [str(n) for n, row in enumerate(board.rows, 1) if not agrees(code, *row)]
    return f"the solution's code {spelled} does not get the scores of rows {', '.join(wrong)}"
