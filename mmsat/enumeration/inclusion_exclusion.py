"""Codes within a budget ranked by the diagrams of systems without one, added and taken away.

See terms.py for the sum. What it says of all codes it says of those that begin with some colors, so
that a walk through all diagrams at once counts them, and ranks them.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from mmsat.enumeration.diagrams import DiagramRanking
from mmsat.enumeration.terms import terms
from mmsat.enumeration.walk import FreeRanking, Walk, WalkRanking

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mmsat.board import Board
    from mmsat.constraints.system import System
    from mmsat.enumeration.terms import Term
    from mmsat.game.game import Game


def build_ranking(board: Board, system: System, memory: int) -> WalkRanking:
    """The diagrams of a board's system; raises like InclusionExclusion."""
    found = terms(board, system)
    if system.budget:
        return InclusionExclusion(board.game, found, memory)
    return _part(board.game, found[0], memory)


def _part(game: Game, term: Term, memory: int) -> WalkRanking:
    if not term.system.soft and term.system.table is None:
        return FreeRanking(game)
    return DiagramRanking(game, term.simplify(), memory)


class InclusionExclusion(WalkRanking):
    """The codes of a sum of terms."""

    def __init__(self, game: Game, terms: Sequence[Term], memory: int) -> None:
        """Build all diagrams, which share the memory.

        Raises MemoryError, OverflowError, or UnsuitedError, where that can't be.
        """
        self.game = game
        self.parts: list[tuple[int, WalkRanking]] = []
        for term in terms:
            part = _part(game, term, memory)
            memory -= part.bytes if isinstance(part, DiagramRanking) else 0
            self.parts.append((term.times, part))

    @cached_property
    def count(self) -> int:
        """Of all terms."""
        return sum(times * part.count for times, part in self.parts)

    def start(self) -> Walk:
        """A walk through all diagrams at once."""
        return _SumWalk([(times, part.start()) for times, part in self.parts])

    def table(self) -> list[list[int]]:
        """Added up."""
        table = [[0] * self.game.colors for _ in range(self.game.pegs)]
        for times, part in self.parts:
            for peg, row in enumerate(part.table()):
                for color, ways in enumerate(row):
                    table[peg][color] += times * ways
        return table


class _SumWalk(Walk):
    """The walks of all terms, those that are not over."""

    def __init__(self, walks: Sequence[tuple[int, Walk]]) -> None:
        self.walks = walks

    @cached_property
    def sums(self) -> dict[int, int]:
        found: dict[int, int] = {}
        for times, walk in self.walks:
            for color, ways in walk.ways().items():
                found[color] = found.get(color, 0) + times * ways
        return {color: ways for color, ways in sorted(found.items()) if ways}

    def ways(self) -> Mapping[int, int]:
        return self.sums

    def step(self, color: int) -> Walk:
        return _SumWalk(
            [(times, walk.step(color)) for times, walk in self.walks if color in walk.ways()]
        )
