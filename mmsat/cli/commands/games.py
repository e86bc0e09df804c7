"""mmsat games."""

from __future__ import annotations

from typing import Any

import click

from mmsat.cli import options
from mmsat.cli.output import print_json


@click.command("games", epilog=options.examples("mmsat games"))
@options.as_json
def command(*, as_json: bool) -> None:
    """List the published games, whose names can stand in place of a size."""
    from mmsat.game.variants import VARIANTS  # noqa: PLC0415

    if as_json:
        print_json({"games": [as_dict(variant) for variant in VARIANTS.values()]})
    else:
        print_games()


def as_dict(variant: Any) -> dict[str, Any]:
    """One game for JSON; the number of codes is a string, as it can be huge."""
    game = variant.game
    return {
        "name": variant.name,
        "title": variant.title,
        "year": variant.year,
        "game": str(game),
        "pegs": game.pegs,
        "colors": game.colors,
        "repeats": game.space.name == "repeats",
        "score": game.scoring.name,
        "codes": str(game.size),
        "note": variant.note,
    }


def print_games() -> None:
    """Print the table of games, and the suffixes with which one makes others."""
    from mmsat.game.scoring import SCORINGS  # noqa: PLC0415
    from mmsat.game.space import SPACES  # noqa: PLC0415
    from mmsat.game.variants import VARIANTS  # noqa: PLC0415
    from mmsat.render.table import table  # noqa: PLC0415
    from mmsat.render.terminal import show, wrap_width  # noqa: PLC0415

    rows = [
        [
            each.name,
            str(each.game),
            f"{each.game.size:,}",
            f"{each.title}, {each.year}; {each.note}",
        ]
        for each in VARIANTS.values()
    ]
    show(table(["name", "size", "codes", "game"], rows, wrap_width(), numbers=[2]))
    show([[]])
    suffixes = [[f"4x6{space.suffix}", space.summary] for space in SPACES.values()]
    suffixes += [[f"4x6{scoring.suffix}", scoring.summary] for scoring in SCORINGS.values()]
    show(table(["any size", "rule"], suffixes, wrap_width()))
