"""mmsat analyze --value."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mmsat.cli.exits import leave
from mmsat.cli.interruptible import interruptible
from mmsat.cli.output import print_json, say

if TYPE_CHECKING:
    from fractions import Fraction

    from mmsat.game.game import Game
    from mmsat.strategy.value.mixture import GameValue

PROVEN = (
    "Proven: no strategy takes fewer guesses against these kinds, where codes of a kind are hidden "
    "alike; and no code takes more against these trees, with pegs and colors exchanged at random."
)


def tell_value(game: Game, *, save: str | None, as_json: bool) -> None:
    """Find the value of a game, print it, and save the trees as NAME-1.json and so on."""
    from mmsat.strategy.value.value import game_value  # noqa: PLC0415  (loads the kernel)

    known: list[Fraction] = []

    def show(searches: int, most: Fraction) -> None:
        known[:] = [most]
        work.tell(f"{searches} searches, the value is at most {float(most):.6f}")

    with interruptible() as work:
        found = game_value(game, on_progress=show)
    if work.is_interrupted:
        most = f"; the value is at most {known[0]}" if known else ""
        say(f"interrupted{most}")
        leave(work.code)
    if save is not None:
        from mmsat.cli.commands.analyze import keep  # noqa: PLC0415  (which calls this)

        path = Path(save)
        for number, played in enumerate(found.codebreaker, 1):
            keep(played.tree, path.with_stem(f"{path.stem}-{number}"))
    if as_json:
        print_json(found.to_dict())
    else:
        print_value(found)


def print_value(found: GameValue) -> None:
    """Print the value, and what both sides do."""
    from mmsat.notation.speller import speller  # noqa: PLC0415
    from mmsat.render.table import fields, paragraphs, table  # noqa: PLC0415
    from mmsat.render.terminal import show, wrap_width  # noqa: PLC0415

    spell = speller(found.game)
    figures = {
        "game": str(found.game),
        "codes": f"{sum(kind.codes for kind in found.codemaker):,}",
        "value": f"{float(found.value):.6f} = {found.value}",
    }
    show(fields(figures, wrap_width()))
    click.echo()
    kinds = [
        [f"{number}", spell.print_code(kind.example), f"{kind.codes:,}", *chance(kind.probability)]
        for number, kind in enumerate(found.codemaker, 1)
    ]
    show(table(["kind", "such as", "codes", "hidden", "exactly"], kinds, None, numbers=(2, 3)))
    click.echo()
    trees = [
        [
            f"{number}",
            spell.print_code(played.tree.root.guess),
            f"{played.tree.total:,}",
            *chance(played.probability),
        ]
        for number, played in enumerate(found.codebreaker, 1)
    ]
    show(table(["tree", "opening", "guesses", "played", "exactly"], trees, None, numbers=(2, 3)))
    click.echo()
    show(paragraphs([PROVEN], wrap_width()))


def chance(probability: Fraction) -> tuple[str, str]:
    """A probability as a decimal, and exactly."""
    return f"{float(probability):.4f}", str(probability)
