"""Conclusions by counting alone, without case splits or assumptions.

A state consists of two masks of literals, true and false. The contributions of pegs and colors to a
sum have a minimum and a maximum, and literals that would take the sum out of its bounds are
excluded (bounds.py). The rules of the game are always used, and are not among the premises: each
peg has one color, the literals "at least n" of a color agree with the pegs that have or may have
it, and a list of words is filtered.

Counting is monotone: more known literals never lead to fewer conclusions. All arithmetic is exact,
in integers.
"""

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import and_, or_
from typing import NamedTuple

from mmsat.constraints.presolve.domains import bits
from mmsat.constraints.system import System
from mmsat.diagnosis.steps.bounds import BoundsPropagator, Sum, Sums, bit
from mmsat.game.space import Literal

Mask = int


class State(NamedTuple):
    """The literals that are known to be true or false."""

    true: Mask
    false: Mask
    is_possible: bool = True
    """False once counting has led to a contradiction."""


IMPOSSIBLE = State(0, 0, is_possible=False)


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
    """The first bit of the literals "at least 1, 2, ..."."""


class CountingPropagator:
    """Propagates literals by counting with the rows of one board, to a fixpoint."""

    def __init__(self, system: System) -> None:
        """Create the sums and masks of the board."""
        self.variables = variables = system.variables
        self.sums = Sums(system)
        self.statable = (1 << self.sums.size) - 1
        """The bits of literals that can be stated, which excludes conjunctions."""
        self.counts_mask = (1 << variables.pegs) - 1
        """The literals "at least 1, 2, ..." of a color; "at least 1" is bit 0."""
        column = sum(bit(variables.at(peg, 0)) for peg in range(variables.pegs))
        self.colors = [
            Color(column << color, variables.pegs * variables.colors + color * variables.pegs)
            for color in range(variables.colors)
        ]
        all_colors = (1 << variables.colors) - 1
        self.peg_masks = [all_colors << peg * variables.colors for peg in range(variables.pegs)]
        """By peg: the literals of its colors."""
        self._propagators: dict[Sum, BoundsPropagator] = {}
        self._propagators_by_rows: dict[tuple[int, ...], list[BoundsPropagator]] = {}
        self._closed_rows: dict[tuple[int, ...], State] = {}
        self.words = None if system.table is None else WordMasks(self, system)
        self.rules = State(0, 0)
        """The conclusions from the rules of the game alone."""
        self.rules = self.close(self.rules)

    def state(self, literals: Iterable[int]) -> State:
        """Return the state of the literals and the rules of the game, without new conclusions."""
        true, false, _ = self.rules
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
                State(0, 0), None, rows, use_words=False
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
        linked = (0, 0) if closed is None else closed[:2]
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

    def link(self, true: Mask, false: Mask, new: Mask) -> tuple[Mask, Mask] | None:
        """Enforce one color per peg, and agreement of the counts of a color with its pegs.

        Returns None for a contradiction. Only the pegs and colors of new literals are examined.
        """
        all_counts = self.counts_mask
        for mask in self.peg_masks:
            if new & mask:
                # The known color of the peg, or all colors that it may have.
                open_bits = true & mask or mask & ~false
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
            low = max(placed, (true >> shift & all_counts).bit_length())
            high = max_placed
            if false_counts := false >> shift & all_counts:
                high = min(max_placed, (false_counts & -false_counts).bit_length() - 1)
            if low > high:
                return None
            true |= (1 << low) - 1 << shift
            false |= (all_counts ^ ((1 << high) - 1)) << shift
            if max_placed > placed:
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
            byte, value = word_index >> 3, 1 << (word_index & 7)
            for peg, color in enumerate(word):
                columns[variables.at(peg, color) - 1][byte] |= value
                count = word[: peg + 1].count(color)
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
            for literals, low, high in self.system.rows[row]:
                words_by_count = [self.all_words]  # by n: the words of which n literals are true
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
