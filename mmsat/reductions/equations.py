"""Boards of two colors from 0/1 equations.

A code s of N pegs, each 0 or 1, has weight K, the number of its ones. Let a guess be 1 on the pegs
of a set S and 0 elsewhere, and let t of the pegs of S be 1 in the code. Then

    black = 2t - K + N - |S|        black + white = N - |K - |S||

* The guess of zeros scores (N - K, 0), which determines the weight.
* If the weight is known, black determines t, and white adds no information: the row means exactly
  "t of these pegs are 1". So black-white boards and black-only boards have the same codes.

So any system of such equations whose solutions all have the same weight is a board: one row for the
weight, then one row per equation. A reduction only has to write its problem in this form
(`EquationsReduction`); `EquationCompiler` makes the board.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple, cast

from mmsat.game import Code, Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.reductions.reduction import Certificate, Gadgets, Reduction, Source
from mmsat.reductions.sources import spell_literal

Value = Callable[[Sequence[int]], int]
"""Function that returns the value of a peg, given the values of the pegs before it."""


class VariablePeg(NamedTuple):
    """A peg and its meaning."""

    gadget: str
    name: str
    value: Value | None
    """Function that returns the value of the peg; None if the peg is free."""


class PegSum(NamedTuple):
    """An equation: exactly `ones` of these pegs are 1."""

    ones: int
    pegs: tuple[int, ...]
    gadget: str
    meaning: str


class EquationCompiler:
    """Compiler of equations over pegs that are 0 or 1, whose solutions all have `weight` ones.

    A peg is free, or the values of the pegs before it determine its value.
    """

    def __init__(self) -> None:
        self.pegs: list[VariablePeg] = []
        self.equations: list[PegSum] = []
        self.weight = 0

    def peg(self, gadget: str, name: str, value: Value | None = None) -> int:
        """Add a peg and return its index."""
        self.pegs.append(VariablePeg(gadget, name, value))
        return len(self.pegs) - 1

    def complement(self, peg: int, gadget: str, name: str) -> int:
        """Add a peg that is 1 if `peg` is 0. The equation that requires this is not added."""
        return self.peg(gadget, name, lambda values: 1 - values[peg])

    def exactly(self, ones: int, pegs: Iterable[int], gadget: str, meaning: str) -> None:
        """Add the equation that `ones` of these distinct pegs are 1. It may be unsatisfiable."""
        self.equations.append(PegSum(ones, tuple(pegs), gadget, meaning))

    def board(self) -> Board:
        """Compile the board of the solutions: a row for the weight, then one row per equation.

        An equation that no code of the weight satisfies becomes a second row of zeros with another
        score, which contradicts the first row. If no code has the weight, every equation becomes
        such a row, so there must be an equation. If there are no pegs, the board has one peg, which
        is 0.
        """
        num_pegs = max(1, len(self.pegs))
        weight = min(max(0, self.weight), num_pegs)
        zeros = (0,) * num_pegs
        contradicting_black = num_pegs - weight - 1 if weight < num_pegs else 1
        rows = [Row(zeros, (num_pegs - weight, 0))]
        for equation in self.equations:
            num_summed, ones = len(equation.pegs), equation.ones
            min_ones, max_ones = max(0, weight + num_summed - num_pegs), min(weight, num_summed)
            if weight != self.weight or not min_ones <= ones <= max_ones:
                rows.append(Row(zeros, (contradicting_black, 0)))
                continue
            guess = list(zeros)
            for peg in equation.pegs:
                guess[peg] = 1
            black = 2 * ones - weight + num_pegs - num_summed
            rows.append(Row(tuple(guess), (black, num_pegs - abs(weight - num_summed) - black)))
        return Board(Game(num_pegs, 2), tuple(rows))

    def code(self, free: Iterable[int]) -> Code:
        """Return the code in which the free pegs have these values, in order."""
        values: list[int] = []
        free_values = iter(free)
        for peg in self.pegs:
            values.append(int(next(free_values) if peg.value is None else peg.value(values)))
        return tuple(values) or (0,)

    def free_values(self, code: Sequence[int]) -> Code:
        """Return the values of the free pegs in a code."""
        return tuple(code[index] for index, peg in enumerate(self.pegs) if peg.value is None)

    def gadgets(self) -> Gadgets:
        """Return the meaning of pegs and rows. The row of the weight comes first."""
        pegs = tuple((peg.gadget, peg.name) for peg in self.pegs) or (("filler", "nothing"),)
        rows = tuple((equation.gadget, equation.meaning) for equation in self.equations)
        return Gadgets(pegs, (("weight", f"{self.weight} of all pegs are 1"), *rows))


class EquationsReduction(Reduction[Source, Certificate]):
    """A reduction that writes its source as equations, from which the board is compiled."""

    has_black_twin = True

    @abstractmethod
    def write(self, system: EquationCompiler) -> None:
        """Add the pegs and the equations, and set the weight of their solutions."""

    @cached_property
    def equations(self) -> EquationCompiler:
        """The compiler with the equations of the source, written once."""
        system = EquationCompiler()
        self.write(system)
        return system

    def build(self) -> Board:
        return self.equations.board()

    def bits(self, certificate: Certificate) -> Iterable[int]:
        """Return the values of the free pegs for a certificate."""
        return cast("Iterable[int]", certificate)

    def encode(self, certificate: Certificate) -> Code:
        return self.equations.code(self.bits(certificate))

    def gadgets(self) -> Gadgets:
        return self.equations.gadgets()


def add_literals(system: EquationCompiler, variables: int) -> dict[int, int]:
    """Add a peg for each literal and a row for each pair; return the peg of each literal."""
    numbers = range(1, variables + 1)
    pegs = {
        number: system.peg(f"variable {number}", f"{spell_literal(number)} is true")
        for number in numbers
    }
    for number in numbers:
        false = f"{spell_literal(number)} is false"
        pegs[-number] = system.complement(pegs[number], f"variable {number}", false)
    for number in numbers:
        meaning = f"one of {spell_literal(number)}, {spell_literal(-number)}"
        system.exactly(1, (pegs[number], pegs[-number]), f"variable {number}", meaning)
    system.weight += variables
    return pegs
