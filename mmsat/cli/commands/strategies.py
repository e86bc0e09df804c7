"""The command `mmsat strategies`."""

from typing import NotRequired, TypedDict

import click

from mmsat._util.json_types import NonEmpty
from mmsat._util.plugins import PluginJson
from mmsat.cli import options, plugins
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
    plugins: NotRequired[list[PluginJson]]
    """The plug-ins; missing if there are none."""


@options.command("strategies", "mmsat strategies", "mmsat strategies knuth")
@click.argument("name", type=StrategyName(), required=False)
@options.as_json
def command(name: str | None, *, as_json: bool) -> None:
    """List the strategies, or describe one.

    `mmsat analyze --strategy NAME` plays a strategy against every code.
    """
    found = plugins.installed(STRATEGIES) if name is None else plugins.find(STRATEGIES, name)
    names = [*STRATEGIES] if name is None else [] if found else [name]
    kinds = [STRATEGIES[key] for key in names]
    facts: list[StrategyJson] = [
        {"name": kind.name, "summary": kind.summary, "source": kind.source} for kind in kinds
    ]
    if as_json:
        document: StrategiesJson = {"strategies": facts}
        if found:
            document["plugins"] = found
        print_json(document)
    elif name is None:
        rows = [[entry["name"], entry["summary"], entry["source"]] for entry in facts]
        show_table(["strategy", "how it guesses", "source"], rows)
        show_gap()
        several = [[key, kind.summary] for key, kind in MULTI_BOARD_STRATEGIES.items()]
        show_table(["for several boards", "how it guesses"], several)
        plugins.show_all(found)
    elif found:
        plugins.show_one(found)
    else:
        (kind,) = kinds
        show_fields({"name": kind.name, "summary": kind.summary, "source": kind.source})
