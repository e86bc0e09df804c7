"""The compiler from 0/1 equations to two-color boards.

A code s of N pegs, each 0 or 1, weighs K, the number of its ones. Let a guess be 1 on the pegs of a
set S and 0 elsewhere, and let t of the pegs of S be 1 in the code. Then

    black = 2t - K + N - |S|        black + white = N - |K - |S||

* The guess of zeros scores (N - K, 0): it tells the weight.
* With the weight known, black tells t, and white tells nothing more: the row says exactly "t of
  these pegs are 1". So black-white boards and black-only boards have the same codes.

So any system of such equations whose solutions all weigh the same is a board: one row for the
weight, then one for each equation. A reduction needs no more than to write its problem that way.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple, cast

from mmsat.board import Board
from mmsat.game.game import Game
from mmsat.game.row import Code, Row
from mmsat.reductions.link import Certificate, Source
from mmsat.reductions.reduction import Gadgets, Reduction

Value = Callable[[Sequence[int]], int]
"""The value of a peg, from the values of the pegs before it."""


class VariablePeg(NamedTuple):
    """A peg and what it stands for."""

    gadget: str
    name: str
    value: Value | None
    """How its value follows; None where it is free."""


class PegSum(NamedTuple):
    """An equation: exactly `ones` of these pegs are 1."""

    ones: int
    pegs: tuple[int, ...]
    gadget: str
    says: str


class EquationCompiler:
    """Compiles equations over pegs that are 0 or 1, whose solutions all have `weight` ones.

    Pegs are free, or helpers whose values follow from the pegs before them.
    """

    def __init__(self) -> None:
        self.pegs: list[VariablePeg] = []
        self.equations: list[PegSum] = []
        self.weight = 0

    def peg(self, gadget: str, name: str, value: Value | None = None) -> int:
        """Add a peg; returns its index."""
        self.pegs.append(VariablePeg(gadget, name, value))
        return len(self.pegs) - 1

    def complement(self, peg: int, gadget: str, name: str) -> int:
        """Add a peg that is 1 where `peg` is 0; the equation that says so is another matter."""
        return self.peg(gadget, name, lambda values: 1 - values[peg])

    def exactly(self, ones: int, pegs: Iterable[int], gadget: str, says: str) -> None:
        """Add the equation that so many of these different pegs are 1; it may be impossible."""
        self.equations.append(PegSum(ones, tuple(pegs), gadget, says))

    def board(self) -> Board:
        """Compile to the board of the solutions: the row of the weight, then a row an equation.

        An equation that no code of the weight satisfies becomes a second row of zeros with another
        score: it contradicts the first, and looks like any row. A weight that no code has makes
        every equation impossible; there must be one. A board without pegs gets one, which is 0.
        """
        many = max(1, len(self.pegs))
        weight = min(max(0, self.weight), many)
        zeros = (0,) * many
        other = many - weight - 1 if weight < many else 1
        rows = [Row(zeros, (many - weight, 0))]
        for equation in self.equations:
            size, ones = len(equation.pegs), equation.ones
            least, most = max(0, weight + size - many), min(weight, size)
            if weight != self.weight or not least <= ones <= most:
                rows.append(Row(zeros, (other, 0)))
                continue
            guess = list(zeros)
            for peg in equation.pegs:
                guess[peg] = 1
            black = 2 * ones - weight + many - size
            rows.append(Row(tuple(guess), (black, many - abs(weight - size) - black)))
        return Board(Game(many, 2), tuple(rows))

    def code(self, free: Iterable[int]) -> Code:
        """Give the code with these values of the free pegs, in their order."""
        values: list[int] = []
        given = iter(free)
        for peg in self.pegs:
            values.append(int(next(given) if peg.value is None else peg.value(values)))
        return tuple(values) or (0,)

    def free_values(self, code: Sequence[int]) -> Code:
        """Take the values of the free pegs from a code."""
        return tuple(code[index] for index, peg in enumerate(self.pegs) if peg.value is None)

    def gadgets(self) -> Gadgets:
        """Tell what pegs and rows stand for; the row of the weight comes first."""
        pegs = tuple((peg.gadget, peg.name) for peg in self.pegs) or (("filler", "nothing"),)
        rows = tuple((equation.gadget, equation.says) for equation in self.equations)
        return Gadgets(pegs, (("weight", f"{self.weight} of all pegs are 1"), *rows))


class EquationsReduction(Reduction[Source, Certificate]):
    """A reduction that writes its source as equations; the board and its parts follow."""

    has_black_twin = True

    @abstractmethod
    def write(self, system: EquationCompiler) -> None:
        """Write the pegs, the equations, and the weight of their solutions."""

    @cached_property
    def equations(self) -> EquationCompiler:
        """The equations, written once."""
        system = EquationCompiler()
        self.write(system)
        return system

    def build(self) -> Board:
        return self.equations.board()

    def bits(self, certificate: Certificate) -> Iterable[int]:
        """Give the values of the free pegs for a certificate."""
        return cast("Iterable[int]", certificate)

    def encode(self, certificate: Certificate) -> Code:
        return self.equations.code(self.bits(certificate))

    def gadgets(self) -> Gadgets:
        return self.equations.gadgets()
