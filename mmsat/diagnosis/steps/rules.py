"""Inference rules of steps (`Rules`), and the search for refuted suppositions (`Suppositions`).

Every rule is monotone: more premises never lead to fewer conclusions. A step can therefore be
checked again with fewer literals, to find its premises, or without an earlier step, to find
superfluous steps.

A supposition is an assumed literal that leads to a contradiction. Suppositions are tried if the
rules conclude nothing. A supposition is tried with all rows. If counting refutes none, each one is
tried with nested suppositions, and so on. If all pegs are supposed, counting evaluates every row,
so some depth suffices. The rows that a refutation needs are found by removing the superfluous ones.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence

from mmsat.constraints.presolve.problem import mentioned_counts
from mmsat.constraints.system import System
from mmsat.diagnosis.steps.propagation import IMPOSSIBLE, CountingPropagator, State, holds
from mmsat.diagnosis.steps.step import Way
from mmsat.game.board import Board


class Suppositions:
    """Finds suppositions for one board."""

    def __init__(self, counting: CountingPropagator, system: System) -> None:
        """Sort all literals that occur in the rows, the plainest first."""
        self.counting = counting
        variables = counting.variables
        peg_literals = range(1, variables.pegs * variables.colors + 1)
        color_counts = {
            *mentioned_counts(variables, (constraint for row in system.rows for constraint in row))
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


Rows = tuple[int, ...]


class Rules:
    """Applies the inference rules to literals and rows of one board."""

    def __init__(self, board: Board, system: System, backbone: Collection[int] | None) -> None:
        """Prepare the rules. `backbone` is None if the board has no code."""
        game = board.game
        self.flawed = {
            row_index
            for row_index, row in enumerate(board.rows)
            if game.scoring.flaw(game.pegs, row.score) is not None
        }
        """Rows with a score that no guess can get."""
        self.counting = CountingPropagator(system)
        self.variables = self.counting.variables
        self.suppositions = Suppositions(self.counting, system)
        order = self.suppositions.order
        self.candidates = [literal for literal in order if backbone is None or -literal in backbone]
        """The literals to suppose. If the backbone is known, only literals that it contradicts."""

    def ways(self, rows: int) -> list[tuple[Way, int]]:
        """Return each rule with a number of rows, the easiest first.

        In a game of words, the list is filtered, and no trials are needed.
        """
        if self.counting.words is None:
            return [(way, size) for way in (Way.COUNTING, Way.FAILED_LITERAL) for size in (1, 2)]
        return [(Way.COUNTING, 1), *((Way.LISTING, size) for size in range(1, rows + 1))]

    def state(self, rows: Rows, way: Way, literals: Sequence[int]) -> State:
        """Return the conclusions of a rule without trials.

        If there is a list of words, it is filtered by the literals, and by the rows as well unless
        the rule is counting.
        """
        if not self.flawed.isdisjoint(rows):
            return IMPOSSIBLE
        if self.counting.words is None or way is not Way.COUNTING:
            return self.counting.propagate(literals, rows)
        known = self.counting.propagate(literals)
        return self.counting.close(known, rows, has_words=False) if known.is_possible else known

    def follows(
        self, rows: Rows, way: Way, literals: Sequence[int], found: Collection[int]
    ) -> bool:
        """Return whether all of `found`, or a contradiction if it is empty, follows by a rule."""
        state = self.state(rows, way, literals)
        if not state.is_possible:
            return True
        if way is Way.FAILED_LITERAL:
            return bool(found) and all(
                holds(state, literal) or self.refutes(state, rows, -literal) for literal in found
            )
        return bool(found) and all(holds(state, literal) for literal in found)

    def refutes(self, state: State, rows: Rows, literal: int) -> bool:
        """Return whether counting with a state, rows and a literal leads to a contradiction."""
        supposed = self.suppositions.suppose(state, literal)
        return not self.counting.close(supposed, rows).is_possible

    def conclude(
        self, rows: Rows, way: Way, literals: Sequence[int], known: State, tried: Sequence[int]
    ) -> tuple[int, ...] | None:
        """Return all new conclusions, without those that the rules of the game derive from others.

        Returns None if nothing is new, and an empty tuple for a contradiction. `tried` are the
        literals that may be refuted.
        """
        counting = self.counting
        state = self.state(rows, way, literals)
        if not state.is_possible:
            return ()
        if way is Way.FAILED_LITERAL:
            open_candidates = open_literals(state, tried)
            new = [-literal for literal in open_candidates if self.refutes(state, rows, literal)]
        else:
            new_bits = (state.true & ~known.true) | (state.false & ~known.false)
            if not new_bits & counting.statable:
                return None
            new = [literal for literal in counting.literals(state) if not holds(known, literal)]
        new.sort(key=self.strength)
        return self.essential(new, literals, known) or None

    def essential(
        self, new: Sequence[int], literals: Sequence[int], known: State
    ) -> tuple[int, ...]:
        """Return new literals, without those that the rules derive from earlier ones."""
        derived: list[int] = []
        for literal in new:
            if not holds(known, literal):
                derived.append(literal)
                known = self.counting.propagate([*literals, *derived])
        return tuple(derived)

    def strength(self, literal: int) -> tuple[int, int]:
        """Return the sort key of a conclusion.

        Colors of pegs come first, then lower and upper bounds of counts, then colors that pegs do
        not have.
        """
        if self.variables.is_at(literal):
            return (0 if literal > 0 else 3), abs(literal)
        _, count = self.variables.color_count(literal)
        return (1, -count) if literal > 0 else (2, count)
