"""Parameters shared by `reduce` and `lift`: the reduction, its source problem, -k and --lies."""

from typing import Any

import click

from mmsat.cli.input_files import TextFile
from mmsat.cli.parameters import Name, Number
from mmsat.errors import InputError, MessageFault
from mmsat.reductions.formula_links import LINKS
from mmsat.reductions.reduce import GAME_REDUCTIONS, REDUCTIONS, chain
from mmsat.reductions.reduction import GameReduction, Reduction
from mmsat.reductions.sources import read_source

LINK_SEPARATOR = "+"
"""The separator of the links of a chain."""


class ReductionName(Name):
    """The name of a reduction, or a chain of links such as `one-in-three+one-in-three-3sat`."""

    expected = "a reduction that `mmsat reductions` lists"

    def __init__(self) -> None:
        super().__init__("reduction", lambda: (*REDUCTIONS, *GAME_REDUCTIONS), REDUCTIONS)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name; the links of a chain are validated when the chain is built."""
        return str(value) if is_chain(str(value)) else super().convert(value, param, ctx)


REDUCTION_NAME = ReductionName()
ReductionClass = type[Reduction[Any, Any]] | type[GameReduction[Any, Any]]
name = click.argument("name", type=REDUCTION_NAME)
source = click.argument("source", type=TextFile())


def k_and_lies(function: Any) -> Any:
    """Add -k and --lies."""
    k_help = "Size of a cover, number of colors, or number of known solutions."
    function = click.option("--lies", type=Number(0), help="Number of wrong scores.")(function)
    return click.option("-k", type=Number(0), help=k_help)(function)


def reduction(
    reduction_name: str, text: str, parameters: dict[str, int | None]
) -> Reduction[Any, Any] | GameReduction[Any, Any]:
    """Return the reduction of a source problem.

    - `reduction_name`: the name of the reduction, or a chain.
    - `text`: the source problem.
    - `parameters`: the values of -k and --lies, by name; None for missing ones.

    Raises InputError for an invalid source, and for missing or superfluous options.
    """
    kwargs = {key: number for key, number in parameters.items() if number is not None}
    if is_chain(reduction_name):
        return chain(reduction_name.split(LINK_SEPARATOR), text, **kwargs)
    reduction_class: Any = find_class(reduction_name)
    faults = [
        MessageFault(f"{reduction_name} requires {spell_option(key)}.", None, "")
        for key in reduction_class.parameters
        if key not in kwargs
    ]
    faults += [
        MessageFault(f"{reduction_name} does not accept {spell_option(key)}.", None, "")
        for key in kwargs
        if key not in reduction_class.parameters
    ]
    InputError.refuse(faults, "")
    result: Reduction[Any, Any] | GameReduction[Any, Any]
    result = reduction_class(read_source(reduction_class.source_kind, text), **kwargs)
    result.require_size()
    return result


def is_chain(reduction_name: str) -> bool:
    """Return whether a name is a chain.

    A single link counts as a chain, so that `chain` reports the missing end.
    """
    return LINK_SEPARATOR in reduction_name or reduction_name in LINKS


def find_class(reduction_name: str) -> ReductionClass:
    """Return the class of a reduction, to a board or to a game, by its name."""
    return (
        REDUCTIONS[reduction_name]
        if reduction_name in REDUCTIONS
        else GAME_REDUCTIONS[reduction_name]
    )


def spell_option(key: str) -> str:
    """Return an option with its number, for messages: `-k N` or `--lies N`."""
    return f"-{key} N" if len(key) == 1 else f"--{key} N"
