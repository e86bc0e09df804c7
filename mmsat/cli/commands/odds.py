"""mmsat odds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mmsat.cli import options
from mmsat.cli.exits import FAILURE, leave
from mmsat.cli.interruptible import interruptible
from mmsat.cli.output import print_json, say, told_lies

if TYPE_CHECKING:
    from mmsat.board import Board

EPILOG = options.examples(
    "mmsat odds 4x6/1122=1.1/3345=0.2", "mmsat odds 4x6/1122=1.1/3345=0.2 --json"
)


@click.command("odds", epilog=EPILOG)
@options.board
@options.as_json
@options.lies
@click.option(
    "--plot", type=click.Path(dir_okay=False), help="Draw the table as .svg, .png or .pdf."
)
@options.memory
@options.working("timeout")
def command(
    board: Board,
    *,
    as_json: bool,
    lies: int,
    by: str,
    plot: str | None,
    memory: int,
    timeout: float | None,
) -> None:
    """Tell the chance of every color at every peg.

    Each is the exact part of the codes that get exactly these scores, or all but a few lies,
    printed in percent; with --json, the numbers of codes too.
    """
    from mmsat.enumeration.codes import codes  # noqa: PLC0415  (loads the engines)
    from mmsat.enumeration.numbered import odds  # noqa: PLC0415
    from mmsat.render.heat import check_plot, draw, lines  # noqa: PLC0415
    from mmsat.render.terminal import columns, show  # noqa: PLC0415
    from mmsat.solving.deadline import Deadline  # noqa: PLC0415
    from mmsat.solving.worker import TimeUpError  # noqa: PLC0415

    path = None if plot is None else check_plot(Path(plot))
    try:
        with interruptible() as work:
            found = odds(codes(board, lies=lies, by=by, memory=memory), Deadline(timeout))
    except TimeUpError:
        say("the time was up")
        leave(FAILURE)
    if work.is_interrupted:
        say("interrupted")
        leave(work.code)
    if path is not None:
        draw(board.game, found, path)
        say(f"{path}: {board.game.pegs} pegs by {board.game.colors} colors")
    if as_json:
        print_json({"board": str(board), **found.to_dict(), **told_lies(lies, by)})
    elif path is None:
        show(lines(board.game, found, columns()))
