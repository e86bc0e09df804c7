"""Conclusions by counting alone, without case splits or assumptions.

A state consists of two masks of literals, true and false. The contributions of pegs and colors to a
sum have a minimum and a maximum, and literals that would take the sum out of its bounds are
excluded (bounds.py). The rules of the game are used freely: each peg has one color, the literals
"at least n" of a color agree with the pegs that have or may have it, and a list of words is
filtered.

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
    """Return whether a literal or its negation is known to hold."""
    return bool((state.true if literal > 0 else state.false) >> (abs(literal) - 1) & 1)


def find_added(now: tuple[Mask, Mask], before: tuple[Mask, Mask]) -> Mask:
    """Return the literals that are known, true or false, and were not known before."""
    return (now[0] & ~before[0]) | (now[1] & ~before[1])


class Color(NamedTuple):
    """The bits of the literals of one color."""

    places: Mask
    """The literals that a peg has the color."""
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
        self.ones = (1 << variables.pegs) - 1
        column = sum(bit(variables.at(peg, 0)) for peg in range(variables.pegs))
        self.colors = [
            Color(column << color, variables.pegs * variables.colors + color * variables.pegs)
            for color in range(variables.colors)
        ]
        peg = (1 << variables.colors) - 1
        self.pegs = [peg << number * variables.colors for number in range(variables.pegs)]
        self._propagators: dict[Sum, BoundsPropagator] = {}
        self._of_rows: dict[tuple[int, ...], list[BoundsPropagator]] = {}
        self._alone: dict[tuple[int, ...], State] = {}
        self.words = None if system.table is None else WordList(self, system)
        self.rules = State(0, 0)
        """The conclusions from the rules of the game alone."""
        self.rules = self.close(self.rules)

    def state(self, literals: Iterable[int]) -> State:
        """Return the state of literals and the rules, without further conclusions."""
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
            lowest = remaining_bits & -remaining_bits
            literal = lowest.bit_length()
            yield literal if state.true & lowest else -literal
            remaining_bits ^= lowest

    def propagate(self, literals: Iterable[int], rows: tuple[int, ...] = ()) -> State:
        """Return all conclusions from literals and some rows (ascending)."""
        return self.close(self.state(literals), rows)

    def close(self, state: State, rows: tuple[int, ...] = (), *, has_words: bool = True) -> State:
        """Return all conclusions from a state and some rows.

        A list of words is filtered for the words that fit, unless `has_words` is False.
        """
        alone = self.alone(rows)
        if not alone.is_possible:
            return alone
        combined = State(state.true | alone.true, state.false | alone.false)
        return self._propagate_to_fixpoint(combined, alone, rows, has_words=has_words)

    def alone(self, rows: tuple[int, ...]) -> State:
        """Return all conclusions from some rows without a list of words (cached)."""
        if rows not in self._alone:
            self._alone[rows] = self._propagate_to_fixpoint(
                State(0, 0), None, rows, has_words=False
            )
        return self._alone[rows]

    def _propagate_to_fixpoint(
        self, state: State, closed: State | None, rows: tuple[int, ...], *, has_words: bool
    ) -> State:
        """Return a state with all conclusions.

        `closed` is a subset of the state that is already closed under these rules and rows. A sum
        is propagated again only if a literal that it depends on is new.
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
            if has_words and self.words is not None and (true, false) == before:
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
        if rows not in self._of_rows:
            cache = self._propagators
            sums = (*self.sums.of(rows), *self.sums.game)
            for sum_ in sums:
                if sum_ not in cache:
                    cache[sum_] = BoundsPropagator.of(sum_, self.variables)
            self._of_rows[rows] = [cache[sum_] for sum_ in sums]
        return self._of_rows[rows]

    def link(self, true: Mask, false: Mask, new: Mask) -> tuple[Mask, Mask] | None:
        """Enforce one color per peg, and agreement of the counts of a color with its pegs.

        Returns None for a contradiction. Only the pegs and colors of new literals are examined.
        """
        ones, pegs = self.ones, self.variables.pegs
        for mask in self.pegs:
            if new & mask:
                open_bits = true & mask or mask & ~false
                if not open_bits or (true & mask and open_bits & (open_bits - 1)):
                    return None
                if not open_bits & (open_bits - 1):
                    true |= open_bits
                    false |= mask ^ open_bits
        for places, shift in self.colors:
            if not new & (places | ones << shift):
                continue
            placed = (true & places).bit_count()
            max_placed = pegs - (false & places).bit_count()
            low = max(placed, (true >> shift & ones).bit_length())
            denied = false >> shift & ones
            high = min(max_placed, (denied & -denied).bit_length() - 1) if denied else max_placed
            if low > high:
                return None
            true |= (1 << low) - 1 << shift
            false |= (ones ^ ((1 << high) - 1)) << shift
            if max_placed > placed:
                if low == max_placed:
                    true |= places & ~false
                elif placed == high:
                    false |= places & ~true
        return true, false


class WordList:
    """The words of a list by literal: bit w of a mask is set if the literal is true of word w."""

    def __init__(self, counting: CountingPropagator, system: System) -> None:
        """Compute the masks of all literals."""
        variables = counting.variables
        table = system.table or ()
        self.system = system
        self.every = (1 << len(table)) - 1
        columns = [bytearray(len(table) // 8 + 1) for _ in range(counting.sums.size)]
        for word_index, word in enumerate(table):
            byte, value = word_index >> 3, 1 << (word_index & 7)
            for peg, color in enumerate(word):
                columns[variables.at(peg, color) - 1][byte] |= value
                count = word[: peg + 1].count(color)
                columns[variables.least(color, count) - 1][byte] |= value
        self.true_of = [int.from_bytes(column, "little") for column in columns]
        true_of = list(enumerate(self.true_of))
        self.always = sum(1 << literal for literal, words in true_of if words == self.every)
        self.never = sum(1 << literal for literal, words in true_of if not words)
        self.discriminating = (1 << len(true_of)) - 1 & ~(self.always | self.never)
        """The literals that are true of some words and false of others."""
        self._fitting: dict[int, int] = {}

    def propagate(
        self, true: Mask, false: Mask, rows: Iterable[int] = ()
    ) -> tuple[Mask, Mask] | None:
        """Return both masks with all literals that the fitting words share; None if no word fits.

        A word fits if it agrees with the masks and gets the scores of `rows`.
        """
        words = self.every
        if true & self.never or false & self.always:
            return None
        for row in rows:
            words &= self.fitting(row)
        for literal in bits(true & self.discriminating):
            words &= self.true_of[literal]
        for literal in bits(false & self.discriminating):
            words &= ~self.true_of[literal]
        if not words:
            return None
        for literal in bits(self.discriminating & ~(true | false)):
            agreeing = words & self.true_of[literal]
            if not agreeing:
                false |= 1 << literal
            elif agreeing == words:
                true |= 1 << literal
        return true | self.always, false | self.never

    def fitting(self, row: int) -> Mask:
        """Return the words that get a row's score (cached)."""
        if row not in self._fitting:
            words = self.every
            for literals, low, high in self.system.rows[row]:
                counts = [self.every]  # by n: the words of which n literals are true
                for literal in literals:
                    true = self.words_of(literal)
                    shifted = zip([*counts, 0], [0, *counts], strict=True)
                    counts = [(same & ~true) | (less & true) for same, less in shifted]
                words &= reduce(or_, counts[low : high + 1], 0)
            self._fitting[row] = words
        return self._fitting[row]

    def words_of(self, literal: Literal) -> Mask:
        """Return the words of which a literal, its negation or a conjunction is true."""
        if isinstance(literal, tuple):
            return reduce(and_, map(self.words_of, literal))
        words = self.true_of[abs(literal) - 1]
        return words if literal > 0 else self.every & ~words
