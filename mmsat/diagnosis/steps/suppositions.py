"""Suppositions: literals that lead to a contradiction, tried if counting concludes nothing.

A supposition is tried with all rows. If counting refutes none, each one is tried with nested
suppositions, and so on. With all pegs supposed, counting evaluates every row, so some depth
suffices. The rows that a refutation needs are found by removing the superfluous ones.
"""

from collections.abc import Iterable, Iterator, Sequence

from mmsat.constraints.presolve.problem import asked_counts
from mmsat.constraints.system import System
from mmsat.diagnosis.steps.counting import CountingPropagator, State


class Suppositions:
    """Finds suppositions for one board."""

    def __init__(self, counting: CountingPropagator, system: System) -> None:
        """Sort all literals that occur in the rows, the plainest first."""
        self.counting = counting
        variables = counting.variables
        peg_literals = range(1, variables.pegs * variables.colors + 1)
        color_counts = {
            *asked_counts(variables, (constraint for row in system.rows for constraint in row))
        }
        counts = [variables.least(*count) for count in sorted(color_counts)]
        self.order = [
            *peg_literals,
            *counts,
            *(-literal for literal in counts),
            *(-literal for literal in peg_literals),
        ]

    def find(
        self,
        rows: tuple[int, ...],
        literals: Sequence[int],
        few: int,
        candidates: Sequence[Sequence[int]],
    ) -> list[tuple[int, tuple[int, ...]]]:
        """Return up to `few` refuted suppositions, each with rows that refute it.

        The suppositions with the fewest rows come first. The groups of `candidates` are tried in
        order, first without nested suppositions, then with more and more of them.
        """
        for depth in range(self.counting.variables.pegs + 1):
            for tried in candidates:
                refuted = self.find_at_depth(rows, literals, depth, few, tried)
                if refuted:
                    return refuted
        return []

    def find_at_depth(
        self,
        rows: tuple[int, ...],
        literals: Sequence[int],
        depth: int,
        few: int,
        tried: Sequence[int],
    ) -> list[tuple[int, tuple[int, ...]]]:
        """Do the same for one group with up to `depth` suppositions nested in each one."""
        counting = self.counting
        state = counting.propagate(literals)
        refuted: list[tuple[int, tuple[int, ...]]] = []
        for literal in open_literals(state, tried):
            if self.is_refuted(self.suppose(state, literal), rows, depth):
                needed_rows = self.shrink_rows(rows, state, literal, depth) if depth < 2 else rows
                refuted.append((literal, needed_rows))
                if depth and len(refuted) == few:
                    break
        refuted.sort(key=lambda supposition: len(supposition[1]))
        return refuted[:few]

    def suppose(self, state: State, literal: int) -> State:
        """Return a state with one more literal."""
        literal_state = self.counting.state([literal])
        return state._replace(
            true=state.true | literal_state.true, false=state.false | literal_state.false
        )

    def is_refuted(self, state: State, rows: tuple[int, ...], depth: int) -> bool:
        """Return whether up to `depth` nested suppositions lead to a contradiction from a state."""
        closed = self.counting.close(state, rows)
        if not closed.is_possible:
            return True
        if not depth:
            return False
        has_learned = True
        while has_learned:
            has_learned = False
            for literal in self.order:
                if is_known(closed, literal):
                    continue
                if self.is_refuted(self.suppose(closed, literal), rows, depth - 1):
                    closed = self.counting.close(self.suppose(closed, -literal), rows)
                    if not closed.is_possible:
                        return True
                    has_learned = True
        return False

    def shrink_rows(
        self, rows: tuple[int, ...], start: State, literal: int, depth: int
    ) -> tuple[int, ...]:
        """Return a minimal set of rows that refutes a supposition; last rows are removed first."""
        kept = rows
        state = self.suppose(start, literal)
        for row in reversed(rows):
            fewer_rows = tuple(other for other in kept if other != row)
            if self.is_refuted(state, fewer_rows, depth):
                kept = fewer_rows
        return kept


def is_known(state: State, literal: int) -> bool:
    """Return whether a literal or its negation is known."""
    return bool((state.true | state.false) >> (abs(literal) - 1) & 1)


def open_literals(state: State, literals: Iterable[int]) -> Iterator[int]:
    """Return the literals that are not known."""
    return (literal for literal in literals if not is_known(state, literal))
