"""The command `mmsat strategies`."""

import click

from mmsat.cli import options
from mmsat.cli.output import print_json
from mmsat.cli.play_options import StrategyName
from mmsat.render.terminal import show_fields, show_gap, show_table
from mmsat.strategy.several import MULTI_BOARD_STRATEGIES
from mmsat.strategy.strategies import STRATEGIES


@options.command("strategies", "mmsat strategies", "mmsat strategies knuth")
@click.argument("name", type=StrategyName(), required=False)
@options.as_json
def command(name: str | None, *, as_json: bool) -> None:
    """List the strategies, or describe one.

    `mmsat analyze --strategy NAME` plays a strategy against every code.
    """
    kinds = [*STRATEGIES.values()] if name is None else [STRATEGIES[name]]
    facts = [{"name": kind.name, "summary": kind.summary, "source": kind.source} for kind in kinds]
    if as_json:
        print_json({"strategies": facts})
    elif name is None:
        rows = [[*entry.values()] for entry in facts]
        show_table(["strategy", "how it guesses", "source"], rows)
        show_gap()
        several = [[key, kind.summary] for key, kind in MULTI_BOARD_STRATEGIES.items()]
        show_table(["for several boards", "how it guesses"], several)
    else:
        show_fields(facts[0])
