"""The formula of a counting proof: clauses whose models are exactly the codes of a board.

All counters are carried from peg to peg in one order, so that the counters after some pegs are the
state of the decision diagram there.

- Each peg has exactly one color: one clause, and one clause for each pair of colors.
- An indicator of a peg is true if and only if its color is among several given ones.
- A counter has an input for each of some pegs: a code variable, an indicator, or the negation of
  one. Its outputs after each input state that at least 1, 2, ... of the inputs so far are true, up
  to a maximum. Each color whose count matters has a counter, and so has each constraint. A
  constraint on counts of colors carries its counter on over these.

Every variable besides the code variables is defined by the ones before it, so that each code
extends to exactly one model.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mmsat.constraints import System
from mmsat.encoding import Formula, exactly_one
from mmsat.errors import InputError, SizeError
from mmsat.game.board import Board
from mmsat.game.space import CardinalityConstraint

MAX_FORMULA_CLAUSES = 1_000_000
"""Maximum number of clauses of a formula."""


class UnsupportedError(SizeError):
    """Raised for a board whose codes have no counting formula."""


class TailInput(NamedTuple):
    """An input about the count of a color."""

    counter: int
    """The index of the color's counter."""
    level: int
    """The count."""
    is_reached: bool
    """Whether the input is that the count is reached; otherwise, that it is not reached."""


@dataclass(slots=True)
class Counter:
    """The number of true inputs after each input, up to a maximum."""

    maximum: int
    """The highest count that is distinguished from lower ones."""
    places: list[int] = field(default_factory=list)
    """For each input from a peg, the index of the peg in the order, ascending."""
    inputs: list[int] = field(default_factory=list)
    """The literals that are counted: those of pegs, then those of `tail`."""
    outputs: list[list[int]] = field(default_factory=list)
    """After each input: the variables "at least t are true" for t = 1, 2, ... ."""
    tail: list[TailInput] = field(default_factory=list)
    """The inputs about counts of colors."""
    low: int = 0
    """Minimum number of true inputs."""
    high: int | None = None
    """Maximum number of true inputs; None for the count of a color."""


def require_supported(system: System) -> None:
    """Raise UnsupportedError if the game has a word list or scores pairs, or if pegs are unread."""
    if system.table is not None:
        raise UnsupportedError("counting proofs do not support word lists")
    if system.conjunctions:
        message = "counting proofs do not support unread pegs and the scoring of pairs"
        raise UnsupportedError(message)


class CountingFormula:
    """The formula of a board, with the pegs in a given order."""

    def __init__(self, board: Board, order: Sequence[int]) -> None:
        """Build the formula.

        Raises UnsupportedError if the game has a word list or scores pairs, if a guess has unread
        pegs, or if the formula would be too large.
        """
        system = System.of(board)
        require_supported(system)
        self.board = board
        self.variables = system.variables
        self.order = tuple(order)
        self.formula = Formula(board.game.pegs * board.game.colors)
        self.counters: list[Counter] = []
        """The counters of colors, then those of constraints."""
        self.effects: list[list[dict[int, int]]] = []
        """For each place of the order and each color: the counters that count this color there."""
        self.indicators: list[dict[frozenset[int], int]] = [{} for _ in order]
        """The indicators of each peg by their colors."""
        self._build(system)

    @property
    def text(self) -> str:
        """The formula in DIMACS."""
        clauses = (" ".join(map(str, [*clause, 0])) for clause in self.formula.clauses)
        order = " ".join(str(peg + 1) for peg in self.order)
        head = (
            "c t mc",
            f"c mmsat {self.board}",
            f"c order {order}",
            f"p cnf {self.formula.variables} {len(self.formula.clauses)}",
        )
        return "".join(f"{line}\n" for line in (*head, *clauses))

    def _build(self, system: System) -> None:
        """Add all clauses."""
        colors, at = range(self.variables.colors), self.variables.at
        pegs = self.variables.pegs
        self._require_few_clauses(pegs * len(colors) ** 2 // 2)
        for peg in range(pegs):
            exactly_one([at(peg, color) for color in colors], self.formula, (), len(colors))
        self.effects = [[{} for _ in colors] for _ in self.order]
        color_counters = {}
        for color, depth in sorted(system.highest_counts().items()):
            color_counters[color] = len(self.counters)
            only = frozenset([color])
            self._add_counter(Counter(depth), [only] * pegs, is_negated=False)
        for constraint in system.constraints:
            self._add_constraint(constraint, color_counters)

    def _require_few_clauses(self, added: int) -> None:
        """Raise UnsupportedError if the formula would get too large."""
        if len(self.formula.clauses) + added > MAX_FORMULA_CLAUSES:
            message = f"the formula of a counting proof has over {MAX_FORMULA_CLAUSES:,} clauses"
            raise UnsupportedError(message)

    def _add_constraint(
        self, constraint: CardinalityConstraint, color_counters: dict[int, int]
    ) -> None:
        """Count the true literals of a constraint, and require its bounds."""
        pegs, colors = self.variables.pegs, self.variables.colors
        gains = [[0] * colors for _ in range(pegs)]  # by peg and color, the literals that are true
        tail: list[TailInput] = []
        for literal in constraint.literals:
            if not isinstance(literal, int):
                raise UnsupportedError("counting proofs do not support conjunctions")
            if self.variables.is_at(literal):
                peg, guessed = self.variables.peg_color(literal)
                for color in range(colors):
                    gains[peg][color] += (color == guessed) == (literal > 0)
            else:
                color, count = self.variables.color_count(literal)
                tail.append(TailInput(color_counters[color], count, literal > 0))
        if any(max(gain) > min(gain) + 1 for gain in gains):
            raise UnsupportedError("counting proofs do not support this constraint")
        constant = sum(map(min, gains))
        members = [
            frozenset(color for color in range(colors) if gain[color] > min(gain)) for gain in gains
        ]
        low, high = constraint.low - constant, constraint.high - constant
        size = sum(map(bool, members)) + len(tail)
        if low <= 0 and high >= size:
            return
        if low > size or high < 0 or low > high:
            self.formula.add()
            return
        low, high = max(low, 0), min(high, size)
        is_negated = depth(size - high, size - low, size) < depth(low, high, size)
        if is_negated:  # counting the false literals needs fewer outputs
            low, high = size - high, size - low
            tail = [one._replace(is_reached=not one.is_reached) for one in tail]
        counter = Counter(depth(low, high, size), low=low, high=high)
        self._add_counter(counter, members, is_negated=is_negated)
        counter.tail = tail
        for color_counter, count, is_reached in tail:
            reached = self.counters[color_counter].outputs[-1][count - 1]
            self._add_input(counter, reached if is_reached else -reached)
        if low > 0:
            self.formula.add(counter.outputs[-1][low - 1])
        if high < size:
            self.formula.add(-counter.outputs[-1][high])

    def _add_counter(
        self, counter: Counter, members: Sequence[frozenset[int]], *, is_negated: bool
    ) -> None:
        """Count the pegs whose color is among the members of the peg, or is not."""
        number = len(self.counters)
        self.counters.append(counter)
        for place, peg in enumerate(self.order):
            if not members[peg]:
                continue
            indicator = self._indicator(peg, members[peg])
            counter.places.append(place)
            self._add_input(counter, -indicator if is_negated else indicator)
            for color, effect in enumerate(self.effects[place]):
                effect[number] = int((color in members[peg]) != is_negated)

    def _indicator(self, peg: int, colors: frozenset[int]) -> int:
        """Return the variable "the color of the peg is among these", which is defined if needed."""
        literals = [self.variables.at(peg, color) for color in sorted(colors)]
        if len(literals) == 1:
            return literals[0]
        if colors not in self.indicators[peg]:
            indicator = self.indicators[peg][colors] = self.formula.new()
            for literal in literals:
                self.formula.add(-literal, indicator)
            self.formula.add(-indicator, *literals)
        return self.indicators[peg][colors]

    def _add_input(self, counter: Counter, literal: int) -> None:
        """Define the outputs after one more input."""
        before = counter.outputs[-1] if counter.outputs else []
        after = [self.formula.new() for _ in range(min(len(before) + 1, counter.maximum))]
        self._require_few_clauses(5 * len(after))
        add = self.formula.add
        for count, output in enumerate(after, 1):
            same = before[count - 1 : count]  # at least `count` of the earlier inputs; may be empty
            less = before[count - 2 : count - 1] if count > 1 else []
            add(-literal, *(-earlier for earlier in less), output)
            for earlier in same:
                add(-earlier, output)
            add(-output, literal, *same)
            for earlier in less:
                add(-output, earlier)
            if count > 1:  # implied by the others, and shortens the proof
                add(-output, after[count - 2])
        counter.inputs.append(literal)
        counter.outputs.append(after)


def depth(low: int, high: int, size: int) -> int:
    """Return the highest count that matters if between `low` and `high` of `size` must be true."""
    return high + 1 if high < size else low


def read_order(text: str, pegs: int) -> tuple[int, ...]:
    """Return the order of the pegs, from 0, that a text lists from 1; raises InputError."""
    order = tuple(int(word) - 1 for word in text.split(" ") if word.isdecimal() and len(word) < 10)
    if print_order(order) != text or sorted(order) != list(range(pegs)):
        raise InputError.of("the order", f"each peg from 1 to {pegs} once", text[:40])
    return order


def print_order(order: Iterable[int]) -> str:
    """Return the order of the pegs as text, with pegs from 1."""
    return " ".join(str(peg + 1) for peg in order)
