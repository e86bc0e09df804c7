"""What a step may conclude, by the way in which it does.

Every way is monotone: who knows more, concludes more. So a step may be asked again with fewer
literals (what does it need?) or without an earlier step (does it still follow?).
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from mmsat.diagnosis.steps.counting import CountingPropagator, holds
from mmsat.diagnosis.steps.step import Way
from mmsat.diagnosis.steps.suppositions import Suppositions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from mmsat.constraints.system import System
    from mmsat.diagnosis.steps.counting import State

    Rows = tuple[int, ...]

TRIED = 6
"""Literals that are tried with a few rows where words are looked up, which takes long."""


class Rules:
    """Concludes from literals and rows of one board, and tells whether a conclusion follows."""

    def __init__(self, system: System, backbone: Collection[int] | None) -> None:
        """The backbone is the literals true of every code, None where there is no code."""
        self.counting = CountingPropagator(system)
        self.variables = self.counting.variables
        self.suppositions = Suppositions(self.counting, system)
        self.backbone = backbone

    def follows(
        self, rows: Rows, way: Way, literals: Sequence[int], found: Collection[int]
    ) -> bool:
        """Whether all that is found (a contradiction if nothing is) follows, in one of the ways."""
        state = self.counting.propagate(literals, rows)
        if not state.is_possible:
            return True
        if way is Way.FAILED_LITERAL:
            return bool(found) and all(
                holds(state, each) or self.refutes(state, rows, -each) for each in found
            )
        return bool(found) and all(holds(state, each) for each in found)

    def refutes(self, state: State, rows: Rows, literal: int) -> bool:
        """Whether a state and rows leave no room for a literal, by counting."""
        supposed = self.suppositions.suppose(state, literal)
        return not self.counting.close(supposed, rows).is_possible

    def conclude(
        self, rows: Rows, way: Way, literals: Sequence[int], known: State, backbone: bool
    ) -> tuple[int, ...] | None:
        """All that is new, less what then follows by the rules of the game; None if nothing is.

        Nothing is found where this is a contradiction. Only denials of the `backbone` are tried,
        unless that does not hold here.
        """
        counting = self.counting
        state = counting.propagate(literals, rows)
        if not state.is_possible:
            return ()
        if way is Way.FAILED_LITERAL:
            new = [-each for each in self.refuted(state, rows, self.backbone if backbone else None)]
            plain = known
        else:
            fresh = (state.true & ~known.true) | (state.false & ~known.false)
            if not fresh & counting.tellable:
                return None
            new = [each for each in counting.literals(state) if not holds(known, each)]
            plain = (
                state
                if counting.words is None
                else counting.close(counting.state(literals), rows, has_words=False)
            )
        new.sort(key=lambda each: (not holds(plain, each), *self.strength(each)))
        return self.essential(new, literals, known) or None

    def refuted(
        self, state: State, rows: Rows, backbone: Collection[int] | None
    ) -> Iterator[int]:
        """Literals that rows leave no room for."""
        open_literals = self.suppositions.candidates(state, backbone)
        found = (each for each in open_literals if self.refutes(state, rows, each))
        return islice(found, None if self.counting.words is None else TRIED)

    def essential(
        self, new: Sequence[int], literals: Sequence[int], known: State
    ) -> tuple[int, ...]:
        """New literals, less those that follow from earlier ones by the rules of the game."""
        derived: list[int] = []
        for each in new:
            if not holds(known, each):
                derived.append(each)
                known = self.counting.propagate([*literals, *derived])
        return tuple(derived)

    def strength(self, literal: int) -> tuple[int, int]:
        """What is said first: the color of a peg, many or few of a color, what a peg is not."""
        if self.variables.is_at(literal):
            return (0 if literal > 0 else 3), abs(literal)
        _, count = self.variables.color_count(literal)
        return (1, -count) if literal > 0 else (2, count)
