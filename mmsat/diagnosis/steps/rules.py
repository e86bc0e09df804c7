"""Conclusions by counting, inference rules, and the search for refuted suppositions.

**Counting** (`CountingPropagator`) needs no case splits or assumptions. A state consists of two
masks of literals, true and false. The contributions of pegs and colors to a sum have a minimum and
a maximum, and literals that would take the sum out of its bounds are excluded (bounds.py). The
rules of the game are always used, and are not among the premises: each peg has one color, the
literals "at least n" of a color agree with the pegs that have or may have it, and a list of words
is filtered.

Counting is monotone: more known literals never lead to fewer conclusions. All arithmetic is exact,
in integers.

**Rules** (`Rules`). Every rule is monotone: more premises never lead to fewer conclusions. A step
can therefore be checked again with fewer literals, to find its premises, or without an earlier
step, to find superfluous steps.

**Suppositions** (`Suppositions`). A supposition is an assumed literal. It is refuted if it leads to
a contradiction. Suppositions are tried, with all rows, if the rules conclude nothing. If counting
refutes none of them, each is tried with nested suppositions, and so on. The supposition whose
refutation leads to the most conclusions comes first. Once the color of every peg is supposed,
counting evaluates every row, so the search ends at the latest with one supposition per peg. The
rows that a refutation needs are found by removing rows one by one.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import reduce
from operator import and_, or_
from typing import NamedTuple

from mmsat.constraints import System
from mmsat.constraints.domains import bits
from mmsat.constraints.presolve_state import mentioned_counts
from mmsat.diagnosis.steps import Way
from mmsat.diagnosis.steps.bounds import BoundsPropagator, Sum, Sums, bit
from mmsat.game.board import Board
from mmsat.game.space import Literal

Mask = int
"""A set of literals: literal f is bit f - 1. In a few places, a set of words or colors."""


class State(NamedTuple):
    """The literals that are known to be true or false."""

    true: Mask
    false: Mask
    is_possible: bool = True
    """False once counting has led to a contradiction."""


IMPOSSIBLE = State(0, 0, is_possible=False)
"""The state after a contradiction that needs no literals."""


def holds(state: State, literal: int) -> bool:
    """Return whether a literal, which may be negated, is known to hold."""
    return bool((state.true if literal > 0 else state.false) >> (abs(literal) - 1) & 1)


def find_added(now: tuple[Mask, Mask], before: tuple[Mask, Mask]) -> Mask:
    """Return the literals, true or false, that are known now but were not known before."""
    return (now[0] & ~before[0]) | (now[1] & ~before[1])


class Color(NamedTuple):
    """The bits of the literals of one color."""

    peg_literals: Mask
    """The literals "a peg has the color", one for each peg."""
    shift: int
    """The bit index of "at least 1"; the bits of "at least 2, 3, ..." follow."""


class CountingPropagator:
    """Propagate literals by counting with the rows of one board, to a fixpoint."""

    def __init__(self, system: System) -> None:
        """Create the sums and masks of the board."""
        self.variables = variables = system.variables
        self.sums = Sums(system)
        self.statable = (1 << self.sums.size) - 1
        """The bits of literals, which sentences can state. The higher bits are conjunctions."""
        self.counts_mask = (1 << variables.pegs) - 1
        """The literals "at least 1, 2, ..." of a color; "at least 1" is bit 0."""
        # The literals of color 0 on all pegs.
        column = sum(bit(variables.at(peg, 0)) for peg in range(variables.pegs))
        self.colors = [
            Color(column << color, variables.pegs * variables.colors + color * variables.pegs)
            for color in range(variables.colors)
        ]
        all_colors = (1 << variables.colors) - 1
        self.peg_masks = [all_colors << peg * variables.colors for peg in range(variables.pegs)]
        """For each peg, the literals of its colors."""
        self._propagators: dict[Sum, BoundsPropagator] = {}
        self._propagators_by_rows: dict[tuple[int, ...], list[BoundsPropagator]] = {}
        self._closed_rows: dict[tuple[int, ...], State] = {}
        self.words = None if system.table is None else WordMasks(self, system)
        self.known_by_rules = self.close(State(0, 0))
        """The conclusions from the rules of the game alone."""

    def state(self, literals: Iterable[int]) -> State:
        """Return the state of the literals and the rules of the game, without new conclusions."""
        true, false, _ = self.known_by_rules
        for literal in literals:
            if literal > 0:
                true |= bit(literal)
            else:
                false |= bit(literal)
        return State(true, false)

    def literals(self, state: State) -> Iterator[int]:
        """Yield the literals of a state in order, without conjunctions."""
        remaining_bits = (state.true | state.false) & self.statable
        while remaining_bits:
            lowest_bit = remaining_bits & -remaining_bits
            literal = lowest_bit.bit_length()
            yield literal if state.true & lowest_bit else -literal
            remaining_bits ^= lowest_bit

    def propagate(self, literals: Iterable[int], rows: tuple[int, ...] = ()) -> State:
        """Return all conclusions from literals and some rows (ascending)."""
        return self.close(self.state(literals), rows)

    def close(self, state: State, rows: tuple[int, ...] = (), *, use_words: bool = True) -> State:
        """Return all conclusions from a state and some rows.

        Unless `use_words` is False, a list of words is filtered as well.
        """
        closed = self.close_rows(rows)
        if not closed.is_possible:
            return closed
        combined = State(state.true | closed.true, state.false | closed.false)
        return self._propagate_to_fixpoint(combined, closed, rows, use_words=use_words)

    def close_rows(self, rows: tuple[int, ...]) -> State:
        """Return all conclusions from rows and rules, without the list of words (cached)."""
        if rows not in self._closed_rows:
            self._closed_rows[rows] = self._propagate_to_fixpoint(
                State(0, 0), closed=None, rows=rows, use_words=False
            )
        return self._closed_rows[rows]

    def _propagate_to_fixpoint(
        self, state: State, closed: State | None, rows: tuple[int, ...], *, use_words: bool
    ) -> State:
        """Return a state with all conclusions.

        `closed` is a subset of the state that already has all its conclusions by these rows. A sum
        is propagated again only if a literal that it depends on is new. The list of words, which
        is slower, is filtered only when no sum has a conclusion.
        """
        true, false, _ = state
        propagators = self.propagators(rows)
        linked = (0, 0) if closed is None else closed[:2]  # the masks at the last call of `link`
        # A mask of the new literals: all (-1) if no conclusions are known yet.
        new = -1 if closed is None else find_added((true, false), linked)
        while True:
            before = true, false
            for propagator in propagators:
                if not propagator.support & new:
                    continue
                bounded = propagator.propagate(true, false)
                if bounded is None:
                    return State(true, false, is_possible=False)
                if bounded != (true, false):
                    true, false = bounded
                    new |= find_added(bounded, before)
            unlinked = find_added((true, false), linked)
            linked_masks = self.link(true, false, unlinked) if unlinked else (true, false)
            if linked_masks is None:
                return State(true, false, is_possible=False)
            linked = true, false
            true, false = linked_masks
            if use_words and self.words is not None and (true, false) == before:
                word_masks = self.words.propagate(true, false, rows)
                if word_masks is None:
                    return State(true, false, is_possible=False)
                true, false = word_masks
            if true & false:
                return State(true, false, is_possible=False)
            if (true, false) == before:
                return State(true, false)
            new = find_added((true, false), before)

    def propagators(self, rows: tuple[int, ...]) -> list[BoundsPropagator]:
        """Return the propagators for the sums of some rows and of the rules (cached)."""
        if rows not in self._propagators_by_rows:
            cache = self._propagators
            sums = (*self.sums.of(rows), *self.sums.game)
            for sum_ in sums:
                if sum_ not in cache:
                    cache[sum_] = BoundsPropagator.of(sum_, self.variables)
            self._propagators_by_rows[rows] = [cache[sum_] for sum_ in sums]
        return self._propagators_by_rows[rows]

    def contradicts_directly(self, state: State, rows: tuple[int, ...]) -> bool:
        """Return whether a state, or one sum of the rows or of the rules, is a contradiction."""
        true, false, is_possible = state
        if not is_possible or true & false or self.link(true, false, -1) is None:
            return True
        propagators = self.propagators(rows)
        return any(propagator.propagate(true, false) is None for propagator in propagators)

    def link(self, true: Mask, false: Mask, new: Mask) -> tuple[Mask, Mask] | None:
        """Enforce one color per peg, and agreement of the counts of a color with its pegs.

        Returns None for a contradiction. Only the pegs and colors of new literals are examined.
        """
        all_counts = self.counts_mask
        for mask in self.peg_masks:
            if new & mask:
                # The known color of the peg, or all colors that it may have.
                open_bits = true & mask or mask & ~false
                # A contradiction: no color remains, or several are known.
                if not open_bits or (true & mask and open_bits & (open_bits - 1)):
                    return None
                if not open_bits & (open_bits - 1):
                    true |= open_bits
                    false |= mask ^ open_bits
        for peg_literals, shift in self.colors:
            if not new & (peg_literals | all_counts << shift):
                continue
            placed = (true & peg_literals).bit_count()
            max_placed = self.variables.pegs - (false & peg_literals).bit_count()
            # The literals "at least k" bound the count as well: the last true one from below, the
            # first false one from above.
            low = max(placed, (true >> shift & all_counts).bit_length())
            high = max_placed
            if false_counts := false >> shift & all_counts:
                high = min(max_placed, (false_counts & -false_counts).bit_length() - 1)
            if low > high:
                return None
            true |= (1 << low) - 1 << shift
            false |= (all_counts ^ ((1 << high) - 1)) << shift
            if max_placed > placed:  # some pegs are open: all have the color, or none, at a bound
                if low == max_placed:
                    true |= peg_literals & ~false
                elif placed == high:
                    false |= peg_literals & ~true
        return true, false


class WordMasks:
    """The words of a list, as masks: by literal, bit w is set if the literal is true of word w."""

    def __init__(self, propagator: CountingPropagator, system: System) -> None:
        """Compute the masks of all literals."""
        variables = propagator.variables
        table = system.table or ()
        self.system = system
        self.all_words = (1 << len(table)) - 1
        columns = [bytearray(len(table) // 8 + 1) for _ in range(propagator.sums.size)]
        for word_index, word in enumerate(table):
            byte, value = word_index >> 3, 1 << (word_index & 7)  # the bit of the word in a column
            for peg, color in enumerate(word):
                columns[variables.at(peg, color) - 1][byte] |= value
                count = word[: peg + 1].count(color)  # so this peg is the count-th of its color
                columns[variables.least(color, count) - 1][byte] |= value
        self.true_of = [int.from_bytes(column, "little") for column in columns]
        true_of = list(enumerate(self.true_of))
        # These masks contain literals instead of words.
        self.always_true = sum(1 << index for index, words in true_of if words == self.all_words)
        self.never_true = sum(1 << index for index, words in true_of if not words)
        self.discriminating = (1 << len(true_of)) - 1 & ~(self.always_true | self.never_true)
        """The literals that are true of some words and false of others."""
        self._fitting_words: dict[int, Mask] = {}

    def propagate(
        self, true: Mask, false: Mask, rows: Iterable[int] = ()
    ) -> tuple[Mask, Mask] | None:
        """Return both masks with all literals that the fitting words share; None if no word fits.

        A word fits if it agrees with the masks and gets the scores of `rows`.
        """
        words = self.all_words
        if true & self.never_true or false & self.always_true:
            return None
        for row in rows:
            words &= self.fitting_words(row)
        for literal in bits(true & self.discriminating):
            words &= self.true_of[literal]
        for literal in bits(false & self.discriminating):
            words &= ~self.true_of[literal]
        if not words:
            return None
        for literal in bits(self.discriminating & ~(true | false)):
            words_with_literal = words & self.true_of[literal]
            if not words_with_literal:
                false |= 1 << literal
            elif words_with_literal == words:
                true |= 1 << literal
        return true | self.always_true, false | self.never_true

    def fitting_words(self, row: int) -> Mask:
        """Return the words that get a row's score (cached)."""
        if row not in self._fitting_words:
            words = self.all_words
            for literals, low, high in self.system.row_constraints[row]:
                words_by_count = [self.all_words]  # at n: the words of which n literals are true
                for literal in literals:
                    true = self.words_of(literal)
                    shifted = zip([*words_by_count, 0], [0, *words_by_count], strict=True)
                    words_by_count = [
                        (same_count & ~true) | (one_less & true) for same_count, one_less in shifted
                    ]
                words &= reduce(or_, words_by_count[low : high + 1], 0)
            self._fitting_words[row] = words
        return self._fitting_words[row]

    def words_of(self, literal: Literal) -> Mask:
        """Return the words of which a literal, possibly negated, or a conjunction is true."""
        if isinstance(literal, tuple):
            return reduce(and_, map(self.words_of, literal))
        words = self.true_of[abs(literal) - 1]
        return words if literal > 0 else self.all_words & ~words


class Suppositions:
    """Find suppositions that are refuted, for one board."""

    def __init__(self, propagator: CountingPropagator, system: System) -> None:
        """List all literals of pegs, and those of the counts in the rows, in the order of trial."""
        self.propagator = propagator
        variables = propagator.variables
        peg_literals = range(1, variables.pegs * variables.colors + 1)
        color_counts = {
            *mentioned_counts(
                variables, (constraint for row in system.row_constraints for constraint in row)
            )
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

        The suppositions whose refutation leads to the most conclusions come first, so that several
        conclusions do not need the same supposition again. The groups of candidates are tried in
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
        """Return the result of `find` for one group, with up to `depth` nested suppositions."""
        state = self.propagator.propagate(literals)
        refuted: list[tuple[int, tuple[int, ...]]] = []
        for literal in open_literals(state, candidates):
            if self.is_refuted(self.suppose(state, literal), rows, depth):
                # Deeper refutations would take too long to repeat without each row.
                needed_rows = self.shrink_rows(rows, state, literal, depth) if depth < 2 else rows
                refuted.append((literal, needed_rows))
                # Without nested suppositions, all refuted ones are compared.
                if depth and len(refuted) == max_count:
                    break
        gains = {literal: self.gain(state, rows, -literal) for literal, _ in refuted}
        refuted.sort(key=lambda supposition: (-gains[supposition[0]], len(supposition[1])))
        return refuted[:max_count]

    def gain(self, state: State, rows: tuple[int, ...], literal: int) -> int:
        """Return how many literals counting concludes from one more literal.

        For a contradiction, return the number of all literals.
        """
        closed = self.propagator.close(self.suppose(state, literal), rows)
        if not closed.is_possible:
            return self.propagator.sums.size
        return (find_added(closed[:2], state[:2]) & self.propagator.statable).bit_count()

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
        """Return a minimal set of rows that refutes a supposition; removes the last rows first."""
        kept_rows = rows
        state = self.suppose(start, literal)
        for row in reversed(rows):
            fewer_rows = tuple(kept_row for kept_row in kept_rows if kept_row != row)
            if self.is_refuted(state, fewer_rows, depth):
                kept_rows = fewer_rows
        return kept_rows


def is_known(state: State, literal: int) -> bool:
    """Return whether a literal or its negation is known."""
    return bool((state.true | state.false) >> (abs(literal) - 1) & 1)


def open_literals(state: State, literals: Iterable[int]) -> Iterator[int]:
    """Return an iterator over the literals that are not known to be true or false."""
    return (literal for literal in literals if not is_known(state, literal))


RowIndices = tuple[int, ...]
"""Row indices, ascending."""


class Rules:
    """Apply the inference rules to literals and rows of one board."""

    def __init__(self, board: Board, system: System, backbone: Collection[int] | None) -> None:
        """Prepare the rules. `backbone` is None if the board has no code."""
        game = board.game
        self.flawed = {
            row_index
            for row_index, row in enumerate(board.rows)
            if game.scoring.flaw(game.pegs, row.score) is not None
        }
        """The rows whose score is impossible for any guess and code (`Scoring.flaw`)."""
        self.propagator = CountingPropagator(system)
        self.variables = self.propagator.variables
        self.suppositions = Suppositions(self.propagator, system)
        order = self.suppositions.order
        self.literals_to_try = [
            literal for literal in order if backbone is None or -literal in backbone
        ]
        """The literals to suppose. If the backbone is known, only negations of its literals."""

    def ways(self, row_count: int) -> list[tuple[Way, int]]:
        """Return pairs of a rule and the number of rows that it uses, the easiest first.

        `row_count` is the number of available rows.

        In a game of words, the word list is filtered, so no literal needs to be tried.
        """
        if self.propagator.words is None:
            return [(way, size) for way in (Way.COUNTING, Way.FAILED_LITERAL) for size in (1, 2)]
        return [(Way.COUNTING, 1), *((Way.LISTING, size) for size in range(1, row_count + 1))]

    def state(self, rows: RowIndices, way: Way, literals: Sequence[int]) -> State:
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
        self, rows: RowIndices, way: Way, literals: Sequence[int], conclusions: Collection[int]
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

    def refutes(self, state: State, rows: RowIndices, literal: int) -> bool:
        """Return whether counting with rows refutes a literal in a state."""
        supposed = self.suppositions.suppose(state, literal)
        return not self.propagator.close(supposed, rows).is_possible

    def conclude(
        self,
        rows: RowIndices,
        way: Way,
        literals: Sequence[int],
        known_state: State,
        candidates: Sequence[int],
    ) -> tuple[int, ...] | None:
        """Return all new conclusions, without those derived by the rules of the game.

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
