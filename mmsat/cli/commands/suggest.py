"""mmsat suggest."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from mmsat.cli import options, playing
from mmsat.cli.output import print_json, say

if TYPE_CHECKING:
    from mmsat.board import Board


@click.command(
    "suggest",
    epilog=options.examples(
        "mmsat suggest 4x6/1122=1.1/3345=0.2",
        "mmsat suggest 4x6/1122=1.1/1122=0.2/3456=0.2 --lies 1",
        "mmsat suggest 24x6/112233445566112233445566=5.15 --json",
    ),
)
@options.board
@options.as_json
@options.lies
@click.option(
    "--strategy",
    type=playing.StrategyName("auto"),
    default="auto",
    show_default=True,
    help="A name; tree:FILE for a saved tree; sampled:SECONDS with a budget; auto: what suits the"
    " game.",
)
@playing.consistent_only
@click.option(
    "--others",
    type=click.IntRange(0, 100),
    default=3,
    show_default=True,
    help="So many other guesses that would do.",
)
@options.working("seed", "timeout")
@options.verbose
def command(
    board: Board,
    *,
    as_json: bool,
    lies: int,
    by: str,
    strategy: str,
    consistent_only: bool,
    others: int,
    seed: int | None,
    timeout: float | None,
    verbose: bool,
) -> None:
    """Suggest the next guess, with reasons.

    Tells how many codes remain, how many the guess is expected to leave, and at worst, and the
    chance that it is the code; in small games also how many guesses the code then takes on average,
    which no play betters. Beyond 50,000 codes, figures are estimates from as many codes drawn at
    random. With --lies, codes remain that miss a few scores, all equally likely, and the scores to
    come are taken to be right. Where the scores contradict each other, tells which, with exit code
    1.
    """
    from mmsat.errors import SizeError  # noqa: PLC0415  (this and what follows load the engines)
    from mmsat.render.table import paragraphs  # noqa: PLC0415
    from mmsat.render.terminal import show, wrap_width  # noqa: PLC0415
    from mmsat.solving.deadline import Deadline  # noqa: PLC0415
    from mmsat.solving.worker import TimeUpError, run  # noqa: PLC0415
    from mmsat.strategy.suggest import suggest  # noqa: PLC0415
    from mmsat.strategy.words import suggestion_sentences  # noqa: PLC0415

    job = partial(
        suggest,
        board,
        strategy=strategy,
        consistent_only=consistent_only,
        seed=seed,
        others=others,
        lies=lies,
        by=by,
    )
    try:
        found = job() if timeout is None else run(Deadline(timeout), job)
    except TimeUpError:
        quicker = "--strategy any-consistent may be quicker"
        raise SizeError(f"no guess was found within {timeout:g} seconds; {quicker}") from None
    if as_json:
        print_json(found.to_dict())
    else:
        show(paragraphs(suggestion_sentences(found), wrap_width()))
    if verbose:
        say(f"suggested by {found.strategy} in {found.seconds:.3f} s")
