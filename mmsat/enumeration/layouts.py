"""The layouts of a board's systems: one, or for two colors one for each weight of the code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.enumeration.layout import lay_out
from mmsat.enumeration.presolve import has_conjunctions, open_claims
from mmsat.errors import SizeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mmsat.constraints.system import System
    from mmsat.enumeration.layout import Layout


class UnsuitedError(SizeError):
    """A game that has no diagram."""


def layouts(systems: Iterable[System], *, in_order: bool | None) -> Iterator[Layout]:
    """The layout of each system that has a code.

    `in_order` asks for the pegs' own order or the best; None takes their own if it is nearly as
    good. Raises UnsuitedError for lists of words and games with one key peg a pair.
    """
    for system in systems:
        if system.table is not None:
            raise UnsuitedError("the codes of a list are counted one by one")
        if has_conjunctions(system):
            raise UnsuitedError(
                "the rows of this game join literals, for which there is no diagram"
            )
        presolved = open_claims(system)
        if presolved is not None:
            yield lay_out(presolved, in_order=in_order)
