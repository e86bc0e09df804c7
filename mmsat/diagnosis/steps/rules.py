"""Inference rules of steps (`Rules`), and the search for refuted suppositions (`Suppositions`).

Every rule is monotone: more premises never lead to fewer conclusions. A step can therefore be
checked again with fewer literals, to find its premises, or without an earlier step, to find
superfluous steps.

A supposition is an assumed literal. It is refuted if it leads to a contradiction. Suppositions are
tried, with all rows, if the rules conclude nothing. If counting refutes none of them, each is tried
with nested suppositions, and so on. Once the color of every peg is supposed, counting evaluates
every row, so the search ends at the latest with one supposition per peg. The rows that a refutation
needs are found by removing rows one by one.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence

from mmsat.constraints.presolve.problem import mentioned_counts
from mmsat.constraints.system import System
from mmsat.diagnosis.steps.propagation import IMPOSSIBLE, CountingPropagator, State, holds
from mmsat.diagnosis.steps.step import Way
from mmsat.game.board import Board


class Suppositions:
    """Finds suppositions for one board."""

    def __init__(self, propagator: CountingPropagator, system: System) -> None:
        """List all literals of pegs, and those of the counts in the rows, the plainest first."""
        self.propagator = propagator
        variables = propagator.variables
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
        max_count: int,
        candidate_groups: Sequence[Sequence[int]],
    ) -> list[tuple[int, tuple[int, ...]]]:
        """Return up to `max_count` refuted suppositions, each with rows that refute it.

        The suppositions with the fewest rows come first. The groups of candidates are tried in
        order, first without nested suppositions, then with more and more of them.
        """
        for depth in range(self.propagator.variables.pegs + 1):
            for candidates in candidate_groups:
                refuted = self.find_at_depth(rows, literals, depth, max_count, candidates)
                if refuted:
                    return refuted
        return []

    def find_at_depth(
        self,
        rows: tuple[int, ...],
        literals: Sequence[int],
        depth: int,
        max_count: int,
        candidates: Sequence[int],
    ) -> list[tuple[int, tuple[int, ...]]]:
        """Do the same as `find` for one group, with up to `depth` nested suppositions."""
        state = self.propagator.propagate(literals)
        refuted: list[tuple[int, tuple[int, ...]]] = []
        for literal in open_literals(state, candidates):
            if self.is_refuted(self.suppose(state, literal), rows, depth):
                needed_rows = self.shrink_rows(rows, state, literal, depth) if depth < 2 else rows
                refuted.append((literal, needed_rows))
                if depth and len(refuted) == max_count:
                    break
        refuted.sort(key=lambda supposition: len(supposition[1]))
        return refuted[:max_count]

    def suppose(self, state: State, literal: int) -> State:
        """Return a state with one more literal, without new conclusions."""
        literal_state = self.propagator.state([literal])
        return state._replace(
            true=state.true | literal_state.true, false=state.false | literal_state.false
        )

    def is_refuted(self, state: State, rows: tuple[int, ...], depth: int) -> bool:
        """Return whether up to `depth` nested suppositions lead to a contradiction from a state."""
        closed = self.propagator.close(state, rows)
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
                    closed = self.propagator.close(self.suppose(closed, -literal), rows)
                    if not closed.is_possible:
                        return True
                    has_learned = True
        return False

    def shrink_rows(
        self, rows: tuple[int, ...], start: State, literal: int, depth: int
    ) -> tuple[int, ...]:
        """Return a minimal set of rows that refutes a supposition. Last rows are removed first."""
        kept = rows
        state = self.suppose(start, literal)
        for row in reversed(rows):
            fewer_rows = tuple(kept_row for kept_row in kept if kept_row != row)
            if self.is_refuted(state, fewer_rows, depth):
                kept = fewer_rows
        return kept


def is_known(state: State, literal: int) -> bool:
    """Return whether a literal or its negation is known."""
    return bool((state.true | state.false) >> (abs(literal) - 1) & 1)


def open_literals(state: State, literals: Iterable[int]) -> Iterator[int]:
    """Return those literals that are not known, neither true nor false."""
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
        """The rows whose score no guess can get."""
        self.propagator = CountingPropagator(system)
        self.variables = self.propagator.variables
        self.suppositions = Suppositions(self.propagator, system)
        order = self.suppositions.order
        self.candidates = [literal for literal in order if backbone is None or -literal in backbone]
        """The literals to suppose. If the backbone is known, only negations of its literals."""

    def ways(self, rows: int) -> list[tuple[Way, int]]:
        """Return the ways to conclude, as pairs of a rule and a number of rows, the easiest first.

        In a game of words, the word list is filtered, so no literal needs to be tried.
        """
        if self.propagator.words is None:
            return [(way, size) for way in (Way.COUNTING, Way.FAILED_LITERAL) for size in (1, 2)]
        return [(Way.COUNTING, 1), *((Way.LISTING, size) for size in range(1, rows + 1))]

    def state(self, rows: Rows, way: Way, literals: Sequence[int]) -> State:
        """Return the conclusions of a rule before it tries any literal.

        A list of words is filtered by the literals, and, unless the rule is counting, by the rows
        as well.
        """
        if not self.flawed.isdisjoint(rows):
            return IMPOSSIBLE
        if self.propagator.words is None or way is not Way.COUNTING:
            return self.propagator.propagate(literals, rows)
        state = self.propagator.propagate(literals)
        return self.propagator.close(state, rows, use_words=False) if state.is_possible else state

    def follows(
        self, rows: Rows, way: Way, literals: Sequence[int], conclusions: Collection[int]
    ) -> bool:
        """Return whether a rule derives all conclusions, or a contradiction if they are empty."""
        state = self.state(rows, way, literals)
        if not state.is_possible:
            return True
        if way is Way.FAILED_LITERAL:
            return bool(conclusions) and all(
                holds(state, literal) or self.refutes(state, rows, -literal)
                for literal in conclusions
            )
        return bool(conclusions) and all(holds(state, literal) for literal in conclusions)

    def refutes(self, state: State, rows: Rows, literal: int) -> bool:
        """Return whether counting with rows refutes a literal in a state."""
        supposed = self.suppositions.suppose(state, literal)
        return not self.propagator.close(supposed, rows).is_possible

    def conclude(
        self,
        rows: Rows,
        way: Way,
        literals: Sequence[int],
        known_state: State,
        candidates: Sequence[int],
    ) -> tuple[int, ...] | None:
        """Return all new conclusions, without those that the rules of the game derive from others.

        Returns None if nothing is new, and an empty tuple for a contradiction. The rule of failed
        literals tries to refute `candidates`.
        """
        propagator = self.propagator
        state = self.state(rows, way, literals)
        if not state.is_possible:
            return ()
        if way is Way.FAILED_LITERAL:
            open_candidates = open_literals(state, candidates)
            new = [-literal for literal in open_candidates if self.refutes(state, rows, literal)]
        else:
            new_bits = (state.true & ~known_state.true) | (state.false & ~known_state.false)
            if not new_bits & propagator.statable:
                return None
            new = [
                literal for literal in propagator.literals(state) if not holds(known_state, literal)
            ]
        new.sort(key=self.conclusion_order)
        return self.essential(new, literals, known_state) or None

    def essential(
        self, new: Sequence[int], literals: Sequence[int], known_state: State
    ) -> tuple[int, ...]:
        """Return the new literals that the rules of the game do not derive from previous ones."""
        derived: list[int] = []
        for literal in new:
            if not holds(known_state, literal):
                derived.append(literal)
                known_state = self.propagator.propagate([*literals, *derived])
        return tuple(derived)

    def conclusion_order(self, literal: int) -> tuple[int, int]:
        """Return the sort key of a conclusion.

        Colors of pegs come first, then lower and upper bounds of counts, then colors that pegs do
        not have.
        """
        if self.variables.is_at(literal):
            return (0 if literal > 0 else 3), abs(literal)
        _, count = self.variables.color_count(literal)
        return (1, -count) if literal > 0 else (2, count)
