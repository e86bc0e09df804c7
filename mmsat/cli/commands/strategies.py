"""The command `mmsat strategies`."""

from typing import TypedDict

import click

from mmsat._util.json_types import NonEmpty
from mmsat.cli import options
from mmsat.cli.output import print_json
from mmsat.cli.play_options import StrategyName
from mmsat.render.terminal import show_fields, show_gap, show_table
from mmsat.strategy.several import MULTI_BOARD_STRATEGIES
from mmsat.strategy.strategies import STRATEGIES


class StrategyJson(TypedDict):
    """A strategy."""

    name: NonEmpty
    summary: NonEmpty
    """Description in one line."""
    source: NonEmpty
    """Publication."""


class StrategiesJson(TypedDict):
    """All strategies."""

    strategies: list[StrategyJson]


@options.command("strategies", "mmsat strategies", "mmsat strategies knuth")
@click.argument("name", type=StrategyName(), required=False)
@options.as_json
def command(name: str | None, *, as_json: bool) -> None:
    """List the strategies, or describe one.

    `mmsat analyze --strategy NAME` plays a strategy against every code.
    """
    kinds = [*STRATEGIES.values()] if name is None else [STRATEGIES[name]]
    facts: list[StrategyJson] = [
        {"name": kind.name, "summary": kind.summary, "source": kind.source} for kind in kinds
    ]
    if as_json:
        document: StrategiesJson = {"strategies": facts}
        print_json(document)
    elif name is None:
        rows = [[entry["name"], entry["summary"], entry["source"]] for entry in facts]
        show_table(["strategy", "how it guesses", "source"], rows)
        show_gap()
        several = [[key, kind.summary] for key, kind in MULTI_BOARD_STRATEGIES.items()]
        show_table(["for several boards", "how it guesses"], several)
    else:
        (kind,) = kinds
        show_fields({"name": kind.name, "summary": kind.summary, "source": kind.source})
