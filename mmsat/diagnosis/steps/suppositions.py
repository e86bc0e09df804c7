"""What to suppose where counting ends: literals that lead to a contradiction, the plainest first.

A supposition is tried with all rows at once. If counting refutes none, each one is tried with
suppositions inside it, and so on; with all pegs supposed every row can be counted, so some depth is
enough. Which rows a refutation takes is found by leaving out what it can do without.
"""

from collections.abc import Iterable, Iterator, Sequence

from mmsat.constraints.presolve.problem import asked_counts
from mmsat.constraints.system import System
from mmsat.diagnosis.steps.counting import CountingPropagator, State


class Suppositions:
    """Finds what to suppose on one board."""

    def __init__(self, counting: CountingPropagator, system: System) -> None:
        """Put all literals that the rows speak of in order."""
        self.counting = counting
        variables = counting.variables
        places = range(1, variables.pegs * variables.colors + 1)
        asked = {
            *asked_counts(variables, (constraint for row in system.rows for constraint in row))
        }
        counts = [variables.least(*each) for each in sorted(asked)]
        self.order = [*places, *counts, *(-each for each in counts), *(-each for each in places)]

    def find(
        self,
        rows: tuple[int, ...],
        literals: Sequence[int],
        few: int,
        candidates: Sequence[Sequence[int]],
    ) -> list[tuple[int, tuple[int, ...]]]:
        """A few suppositions that are refuted, each with rows that do it: the fewest rows first.

        `candidates` are tried group by group, and then with more suppositions inside.
        """
        for depth in range(self.counting.variables.pegs + 1):
            for tried in candidates:
                found = self.find_at_depth(rows, literals, depth, few, tried)
                if found:
                    return found
        return []

    def find_at_depth(
        self,
        rows: tuple[int, ...],
        literals: Sequence[int],
        depth: int,
        few: int,
        tried: Sequence[int],
    ) -> list[tuple[int, tuple[int, ...]]]:
        """Likewise, with so many suppositions inside each other besides the first."""
        counting = self.counting
        start = counting.propagate(literals)
        found: list[tuple[int, tuple[int, ...]]] = []
        for literal in open_literals(start, tried):
            if self.is_refuted(self.suppose(start, literal), rows, depth):
                needs = self.shrink_rows(rows, start, literal, depth) if depth < 2 else rows
                found.append((literal, needs))
                if depth and len(found) == few:
                    break
        found.sort(key=lambda each: len(each[1]))
        return found[:few]

    def suppose(self, state: State, literal: int) -> State:
        """A state with one literal more."""
        more = self.counting.state([literal])
        return state._replace(true=state.true | more.true, false=state.false | more.false)

    def is_refuted(self, state: State, rows: tuple[int, ...], depth: int) -> bool:
        """Whether a state leads to a contradiction, with so many suppositions inside each other."""
        closed = self.counting.close(state, rows)
        if not closed.is_possible:
            return True
        if not depth:
            return False
        learned = True
        while learned:
            learned = False
            for literal in self.order:
                if is_known(closed, literal):
                    continue
                if self.is_refuted(self.suppose(closed, literal), rows, depth - 1):
                    closed = self.counting.close(self.suppose(closed, -literal), rows)
                    if not closed.is_possible:
                        return True
                    learned = True
        return False

    def shrink_rows(
        self, rows: tuple[int, ...], start: State, literal: int, depth: int
    ) -> tuple[int, ...]:
        """Rows that refute a supposition, without any that can be left out; late ones go first."""
        kept = rows
        state = self.suppose(start, literal)
        for row in reversed(rows):
            rest = tuple(each for each in kept if each != row)
            if self.is_refuted(state, rest, depth):
                kept = rest
        return kept


def is_known(state: State, literal: int) -> bool:
    """Whether a literal or its denial is."""
    return bool((state.true | state.false) >> (abs(literal) - 1) & 1)


def open_literals(state: State, literals: Iterable[int]) -> Iterator[int]:
    """Those of some literals that are not known."""
    return (each for each in literals if not is_known(state, each))
