"""mmsat count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mmsat.answers import Count
from mmsat.cli import names, options
from mmsat.cli.exits import FAILURE, INTERRUPTED, leave
from mmsat.cli.output import Progress, print_json, say

if TYPE_CHECKING:
    from mmsat.game.board import Board


@click.command("count", epilog=options.examples("mmsat count 4x6/1122=1.1/3345=0.2"))
@options.board
@options.as_json
@click.option(
    "--method",
    type=names.Name("method", names.methods),
    default="auto",
    show_default=True,
    help="auto, brute, enumeration or ganak.",
)
@options.working("timeout")
@options.verbose
def command(
    board: Board, *, as_json: bool, method: str, timeout: float | None, verbose: bool
) -> None:
    """Count the codes that get exactly these scores.

    The number is exact. When the time is up first, or at Ctrl-C, what has been counted is printed
    as `at least N`, with exit code 1 or 130.
    """
    from mmsat.codes.count import count  # noqa: PLC0415  (loads the engines)

    progress = Progress()
    known = 0

    def note(found: int) -> None:
        nonlocal known
        known = found
        progress.tell(f"{found:,} codes so far")

    try:
        answer = count(board, method=method, timeout=timeout, on_progress=note)
        code = 0 if answer.exact else FAILURE
    except KeyboardInterrupt:
        answer = Count(known, exact=False, method=method, seconds=progress.seconds)
        code = INTERRUPTED
    progress.clear()
    if as_json:
        print_json(answer.to_dict())
    else:
        click.echo(f"{answer.count}" if answer.exact else f"at least {answer.count}")
    if verbose:
        say(f"counted by {answer.method} in {answer.seconds:.3f} s")
    if code:
        say("interrupted" if code == INTERRUPTED else "the time was up")
    leave(code)
