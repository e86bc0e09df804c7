"""What follows by counting alone: no case is tried, no assumption made.

What is known is two masks of literals, true and false. A sum has a least and a most that its pegs
and colors can still make, and rules out what would take it beyond its bounds (bounds.py). The rules
of the game are free: each peg has one color, "at least so many" goes with the pegs that have or may
have a color, and a list of words leaves the words that fit.

Counting is monotone: who knows more, concludes more. Everything is decided in whole numbers.
"""

from collections.abc import Iterable, Iterator
from functools import reduce
from operator import and_, or_
from typing import NamedTuple

from mmsat.constraints.presolve.domains import bits
from mmsat.constraints.system import System
from mmsat.diagnosis.steps.bounds import BoundsPropagator
from mmsat.diagnosis.steps.sums import Sum, Sums, bit
from mmsat.game.literals import Literal

Mask = int


class State(NamedTuple):
    """What is known."""

    true: Mask
    false: Mask
    is_possible: bool = True
    """False once counting has led to a contradiction."""


IMPOSSIBLE = State(0, 0, is_possible=False)


def holds(state: State, literal: int) -> bool:
    """Whether a literal or a denial is known."""
    return bool((state.true if literal > 0 else state.false) >> (abs(literal) - 1) & 1)


def find_added(now: tuple[Mask, Mask], before: tuple[Mask, Mask]) -> Mask:
    """The literals that are known, true or false, and were not before."""
    return (now[0] & ~before[0]) | (now[1] & ~before[1])


class Color(NamedTuple):
    """The bits of one color."""

    places: Mask
    """The pegs that have it."""
    shift: int
    """Where the bits of "at least 1, 2, ..." start."""


class CountingPropagator:
    """Propagates literals by counting with the rows of one board, to a fixpoint."""

    def __init__(self, system: System) -> None:
        """Read the board."""
        self.variables = variables = system.variables
        self.sums = Sums(system)
        self.tellable = (1 << self.sums.size) - 1
        """The bits of literals that can be said; conjunctions are not."""
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
        """What the rules say by themselves."""
        self.rules = self.close(self.rules)

    def state(self, literals: Iterable[int]) -> State:
        """What literals and denials say themselves."""
        true, false, _ = self.rules
        for literal in literals:
            if literal > 0:
                true |= bit(literal)
            else:
                false |= bit(literal)
        return State(true, false)

    def literals(self, state: State) -> Iterator[int]:
        """The literals of a state in order, without conjunctions."""
        left = (state.true | state.false) & self.tellable
        while left:
            lowest = left & -left
            literal = lowest.bit_length()
            yield literal if state.true & lowest else -literal
            left ^= lowest

    def propagate(self, literals: Iterable[int], rows: tuple[int, ...] = ()) -> State:
        """All that follows from literals and some rows (ascending)."""
        return self.close(self.state(literals), rows)

    def close(self, state: State, rows: tuple[int, ...] = (), *, has_words: bool = True) -> State:
        """All that follows from a state and some rows; a list of words can be left aside.

        Else it is looked through for the words that fit.
        """
        alone = self.alone(rows)
        if not alone.is_possible:
            return alone
        both = State(state.true | alone.true, state.false | alone.false)
        return self._spread(both, alone, rows, has_words=has_words)

    def alone(self, rows: tuple[int, ...]) -> State:
        """All that follows from some rows and no list of words, found once and for all."""
        if rows not in self._alone:
            self._alone[rows] = self._spread(State(0, 0), None, rows, has_words=False)
        return self._alone[rows]

    def _spread(
        self, state: State, closed: State | None, rows: tuple[int, ...], *, has_words: bool
    ) -> State:
        """A state and what follows; `closed` is a part of it from which nothing does.

        A sum is looked at again only when a literal that it depends on is new.
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
            both = self.link(true, false, unlinked) if unlinked else (true, false)
            if both is None:
                return State(true, false, is_possible=False)
            linked = true, false
            true, false = both
            if has_words and self.words is not None and (true, false) == before:
                left = self.words.propagate(true, false, rows)
                if left is None:
                    return State(true, false, is_possible=False)
                true, false = left
            if true & false:
                return State(true, false, is_possible=False)
            if (true, false) == before:
                return State(true, false)
            new = find_added((true, false), before)

    def propagators(self, rows: tuple[int, ...]) -> list[BoundsPropagator]:
        """The sums of some rows and of the rules, made ready once and for all."""
        if rows not in self._of_rows:
            made = self._propagators
            sums = (*self.sums.of(rows), *self.sums.game)
            for one in sums:
                if one not in made:
                    made[one] = BoundsPropagator.of(one, self.variables)
            self._of_rows[rows] = [made[one] for one in sums]
        return self._of_rows[rows]

    def link(self, true: Mask, false: Mask, new: Mask) -> tuple[Mask, Mask] | None:
        """One color for each peg, and so many pegs for each color; None where that can't be.

        Only the pegs and colors of new literals are looked at.
        """
        ones, pegs = self.ones, self.variables.pegs
        for mask in self.pegs:
            if new & mask:
                left = true & mask or mask & ~false
                if not left or (true & mask and left & (left - 1)):
                    return None
                if not left & (left - 1):
                    true |= left
                    false |= mask ^ left
        for places, shift in self.colors:
            if not new & (places | ones << shift):
                continue
            made = (true & places).bit_count()
            most = pegs - (false & places).bit_count()
            low = max(made, (true >> shift & ones).bit_length())
            denied = false >> shift & ones
            high = min(most, (denied & -denied).bit_length() - 1) if denied else most
            if low > high:
                return None
            true |= (1 << low) - 1 << shift
            false |= (ones ^ ((1 << high) - 1)) << shift
            if most > made:
                if low == most:
                    true |= places & ~false
                elif made == high:
                    false |= places & ~true
        return true, false


class WordList:
    """The words of a list by literal: bit w of a mask tells whether it is true of word w."""

    def __init__(self, counting: CountingPropagator, system: System) -> None:
        """Look all words up."""
        variables = counting.variables
        table = system.table or ()
        self.system = system
        self.every = (1 << len(table)) - 1
        digits = [bytearray(len(table) // 8 + 1) for _ in range(counting.sums.size)]
        for number, word in enumerate(table):
            byte, value = number >> 3, 1 << (number & 7)
            for peg, color in enumerate(word):
                digits[variables.at(peg, color) - 1][byte] |= value
                count = word[: peg + 1].count(color)
                digits[variables.least(color, count) - 1][byte] |= value
        self.true_of = [int.from_bytes(each, "little") for each in digits]
        true_of = list(enumerate(self.true_of))
        self.always = sum(1 << literal for literal, words in true_of if words == self.every)
        self.never = sum(1 << literal for literal, words in true_of if not words)
        self.telling = (1 << len(true_of)) - 1 & ~(self.always | self.never)
        """The literals that are true of some words only."""
        self._fitting: dict[int, int] = {}

    def propagate(
        self, true: Mask, false: Mask, rows: Iterable[int] = ()
    ) -> tuple[Mask, Mask] | None:
        """With what all words share that fit, those rows too; None where none fits."""
        left = self.every
        if true & self.never or false & self.always:
            return None
        for row in rows:
            left &= self.fitting(row)
        for literal in bits(true & self.telling):
            left &= self.true_of[literal]
        for literal in bits(false & self.telling):
            left &= ~self.true_of[literal]
        if not left:
            return None
        for literal in bits(self.telling & ~(true | false)):
            shared = left & self.true_of[literal]
            if not shared:
                false |= 1 << literal
            elif shared == left:
                true |= 1 << literal
        return true | self.always, false | self.never

    def fitting(self, row: int) -> Mask:
        """The words that get a row's score."""
        if row not in self._fitting:
            left = self.every
            for literals, low, high in self.system.rows[row]:
                counts = [self.every]  # by number: the words of which so many literals are true
                for literal in literals:
                    true = self.words_of(literal)
                    pairs = zip([*counts, 0], [0, *counts], strict=True)
                    counts = [(same & ~true) | (less & true) for same, less in pairs]
                left &= reduce(or_, counts[low : high + 1], 0)
            self._fitting[row] = left
        return self._fitting[row]

    def words_of(self, literal: Literal) -> Mask:
        """The words of which a literal, a denial or a conjunction is true."""
        if isinstance(literal, tuple):
            return reduce(and_, map(self.words_of, literal))
        words = self.true_of[abs(literal) - 1]
        return words if literal > 0 else self.every & ~words
