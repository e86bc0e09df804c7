"""Boards of two colors from 0/1 equations: reductions of linear systems and of permanents.

A code s of N pegs, each 0 or 1, has weight K, the number of its ones. Let a guess be 1 on the pegs
of a set S and 0 elsewhere, and let t of the pegs of S be 1 in the code. Then

    black = 2t - K + N - |S|        black + white = N - |K - |S||

* The guess of zeros scores (N - K, 0), which determines the weight.
* If the weight is known, black determines t, and white adds no information: the row means exactly
  "t of these pegs are 1". So black-white boards and black-only boards have the same codes.

So any system of such equations whose solutions all have the same weight is a board: one row for the
weight, then one row per equation. A reduction only has to write its problem in this form
(`EquationsReduction`); `EquationCompiler` makes the board.

The other reductions to two colors use `EquationCompiler` as well. The README.md of each reduction
has its construction and proof.

**Consistent play.** In boards of consistent play, every guess is consistent with all scores before
it. `add_frame` makes such a board from 0/1 vectors x with demands "at least r of the pegs S are 1".
The codes are the vectors that meet every demand exactly. All of these need the same weight w, and
the source needs two properties, the *squeeze*. Let |x| be the number of ones of x, and |x on S| the
number of its ones on the pegs S.

1. The slack |S| - r is the same for all demands.
2. If x meets all demands, and the sum over the demands of |x on S|, minus |x|, is at most the sum
   of r, minus w, then x meets all demands exactly: it has r ones on every S.

The README.md of each reduction has the proof (`mmsat reductions consistent-mastermind`).

Construction, with h demands, t = the maximum of 1, of all r and of the sizes of the intersections
of two of the S, and K = slack + t + h t, the weight of every code and of every guess except the
first:

    B     t - r separate pegs, B_e, for each demand e; 1 in every code
    A     pegs in h classes and t copies; 0 in every code. Each demand e has a set D_e of h t of
          them, t in each class
    F_c   the pegs of A in class c, and further pegs up to K in all; 0 in every code
    W     pegs in no guess, 1 in every code, as many as bring the weight of a code to K

    0 everywhere           -> weight K
    S_e, B_e and D_e       -> t of these pegs are 1      for each demand e
    F_c                    -> none of these pegs is 1    for each class c

For each class c, copy i and demand e, D_e has a peg of A. Let p be the demand c - e modulo h. If p
differs from e and i < t - (size of the intersection of S_e and S_p), this peg is also that of D_p
in the same class and copy; otherwise the two pegs differ. Each pair e, p belongs to one class only,
so the guesses of e and p have exactly t pegs in common, and every class has exactly t pegs of every
D.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations, product
from typing import NamedTuple, cast

from mmsat._util.text import quantity
from mmsat.game import Code, Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.reductions import (
    TRUTH_VALUE,
    Gadgets,
    SizeFormulas,
    Sizes,
    System01,
    index_below,
    read_items,
    require_whole,
)
from mmsat.reductions.reduction import Certificate, Reduction, Source
from mmsat.reductions.samples import PLANTED_BY_DEFAULT, Samples, draw_matrix, draw_system
from mmsat.reductions.sources import Matrix, spell_literal

PegRule = Callable[[Sequence[int]], int]
"""Function that returns the value of a peg, given the values of the pegs before it."""


class VariablePeg(NamedTuple):
    """A peg and its meaning."""

    gadget: str
    """The element of the source that the peg belongs to, such as "variable 3"."""
    name: str
    """The statement that is true if the peg is 1, such as "x3 is true"."""
    value: PegRule | None
    """Function that returns the value of the peg; None if the peg is free."""


class PegSum(NamedTuple):
    """An equation: exactly `ones` of these pegs are 1."""

    ones: int
    pegs: tuple[int, ...]
    gadget: str
    """The element of the source that the equation belongs to."""
    meaning: str
    """The equation in words, such as "one of x1, -x1"."""


class EquationCompiler:
    """Compiler of equations over pegs that are 0 or 1 to a board.

    All solutions must have `weight` ones. A peg is free, or the values of the pegs before it
    determine its value.
    """

    def __init__(self) -> None:
        self.pegs: list[VariablePeg] = []
        self.equations: list[PegSum] = []
        self.weight = 0

    def peg(self, gadget: str, name: str, value: PegRule | None = None) -> int:
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
        such a row; then the caller must have added an equation, or the board would be consistent.
        If there are no pegs, the board has one peg, which is 0.
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
        # A board without variables has one peg; see `board`.
        pegs = tuple((peg.gadget, peg.name) for peg in self.pegs) or (("filler", "nothing"),)
        rows = tuple((equation.gadget, equation.meaning) for equation in self.equations)
        return Gadgets(pegs, (("weight", f"{self.weight} of all pegs are 1"), *rows))


class EquationsReduction(Reduction[Source, Certificate]):
    """A reduction that writes its source as equations, from which the board is compiled."""

    black_suffices = True  # white adds no information; see the docstring of the module

    @abstractmethod
    def write(self, system: EquationCompiler) -> None:
        """Add the pegs and the equations to `system`, and set the weight of their solutions."""

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

    def encode_solution(self, certificate: Certificate) -> Code:
        return self.equations.code(self.bits(certificate))

    def gadgets(self) -> Gadgets:
        return self.equations.gadgets()


def add_literals(system: EquationCompiler, variables: int) -> dict[int, int]:
    """Add two pegs per variable, exactly one of which is 1; return the peg of each literal.

    The literals are 1 and -1 for the first variable, and so on.
    """
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


Permutation = tuple[int, ...]
"""For each row of a matrix, the column of its chosen one."""


class Permanent(EquationsReduction[Matrix, Permutation]):
    """A peg for each 1, and a row for each row and each column of the matrix."""

    name = "permanent"
    title = "permanent of a 0/1 matrix -> two colors, as many codes"
    theorem = "counting consistent codes is #P-complete (Viglietta 2012)"
    source_kind = "matrix"
    # e: ones of the matrix, q: its rows
    formula = SizeFormulas("max(1, e)", "2", "1 + 2q")
    family = "permanents of 0/1 matrices with three ones per row, to be counted"
    samples = Samples(
        draw_matrix, PLANTED_BY_DEFAULT, unit="rows of the matrix", size=20, min_size=2
    )

    def write(self, system: EquationCompiler) -> None:
        ones = self.source.ones()
        for row, column in ones:
            system.peg(f"row {row + 1}", f"row {row + 1} has column {column + 1}")
        lines = range(len(self.source.rows))
        for axis, noun in enumerate(("row", "column")):
            for line in lines:
                pegs = [peg for peg, position in enumerate(ones) if position[axis] == line]
                meaning = f"one of the {len(pegs)} ones of {noun} {line + 1}"
                system.exactly(1, pegs, f"{noun} {line + 1}", meaning)
        system.weight += len(lines)

    def sizes(self) -> Sizes:
        sizes = self.source.sizes()
        return Sizes(max(1, sizes["ones"]), 2, 1 + 2 * sizes["rows"])

    def bits(self, certificate: Permutation) -> Iterable[int]:
        return (certificate[row] == column for row, column in self.source.ones())

    def decode_colors(self, code: Sequence[int]) -> Permutation:
        # The code may have further pegs: the copies of `KPermanent`, or a filler.
        ones = zip(self.source.ones(), code, strict=False)
        return tuple(column for (_, column), value in ones if value)

    expected_certificate = "a permutation that selects only ones"

    def read_certificate(self, certificate: object) -> Permutation:
        num_rows = len(self.source.rows)
        form = f"the column, from 0, of each of {quantity(num_rows, 'row')}"
        return read_items(certificate, index_below(num_rows), form, num_rows)

    def is_solution(self, certificate: Permutation) -> bool:
        return self.source.is_matching(certificate)


class KPermanent(Permanent):
    """The board of the permanent, with k more pegs, and a row that requires one of them to be 1."""

    name = "k-permanent"
    title = "k times the permanent of a 0/1 matrix -> two colors, as many codes"
    theorem = (
        "counting is #P-complete under Turing reductions, even if k codes are promised "
        "(Viglietta 2012)"
    )
    parameters = ("k",)
    # e: ones of the matrix, q: its rows
    formula = SizeFormulas("e + k", "2", "2 + 2q")
    family = "three times the permanent of a 0/1 matrix, to be counted"
    samples = Samples(
        # draw_matrix makes the matrix, and k = 3 is added
        lambda *arguments: draw_matrix(*arguments)._replace(parameters={"k": 3}),
        PLANTED_BY_DEFAULT,
        unit="rows of the matrix",
        size=20,
        min_size=2,
    )

    def __init__(self, source: Matrix, *, k: int) -> None:
        super().__init__(source, k=k)
        self.k = require_whole("k", k, 1)

    @property
    def ratio(self) -> int:
        return self.k

    def write(self, system: EquationCompiler) -> None:
        super().write(system)
        pegs = [system.peg("copies", f"copy {copy}") for copy in range(1, self.k + 1)]
        system.exactly(1, pegs, "copies", f"one of {self.k} copies")
        system.weight += 1

    def sizes(self) -> Sizes:
        sizes = self.source.sizes()
        return Sizes(sizes["ones"] + self.k, 2, 2 + 2 * sizes["rows"])

    def bits(self, certificate: Permutation) -> Iterable[int]:
        return (*super().bits(certificate), 1, *(0,) * (self.k - 1))


Assignment = tuple[int, ...]
"""The value of each variable, 0 or 1."""


class LinearEquations(EquationsReduction[System01, Assignment]):
    """Two pegs for each variable and for each copy of a literal, and a row for each equation."""

    name = "linear-system"
    title = "linear equations over 0 and 1, or a subset sum -> two colors"
    theorem = "Mastermind satisfiability is NP-complete; two colors are 0/1 linear systems"
    source_kind = "system"
    # n: variables, c: copies, m: equations
    formula = SizeFormulas("2n + 2c", "2", "1 + n + 2c + m")
    family = "linear equations, coefficients -1 to 1, one equation per two variables"
    samples = Samples(draw_system, unit="variables", size=20, min_size=4)

    def copies(self) -> dict[int, int]:
        """Return the number of copies of each literal, in addition to the literal itself.

        The literal -x is used for negative coefficients.
        """
        max_uses: dict[int, int] = {}
        for coefficients, _ in self.source.equations:
            for x, factor in enumerate(coefficients, 1):
                literal = x if factor > 0 else -x
                max_uses[literal] = max(max_uses.get(literal, 0), abs(factor))
        return {literal: uses - 1 for literal, uses in sorted(max_uses.items()) if uses > 1}

    def write(self, system: EquationCompiler) -> None:
        pegs = {x: [peg] for x, peg in add_literals(system, self.source.variables).items()}
        for literal, num_copies in self.copies().items():
            for _ in range(num_copies):
                pegs[literal].append(_add_copy(system, literal, pegs))
        for number, equation in enumerate(self.source.equations, 1):
            summed_pegs: list[int] = []
            for x, factor in enumerate(equation.coefficients, 1):
                summed_pegs += pegs[x if factor > 0 else -x][: abs(factor)]
            # The peg of -x has the value 1 - x, and factor * x = -factor * (1 - x) + factor.
            total = equation.total - sum(min(0, factor) for factor in equation.coefficients)
            system.exactly(total, summed_pegs, f"equation {number}", str(equation))

    def sizes(self) -> Sizes:
        variables, copies = self.source.variables, sum(self.copies().values())
        rows = 1 + variables + 2 * copies + len(self.source.equations)
        return Sizes(2 * variables + 2 * copies, 2, rows)

    def decode_colors(self, code: Sequence[int]) -> Assignment:
        return tuple(code[: self.source.variables])

    expected_certificate = "values that satisfy every equation"

    def read_certificate(self, certificate: object) -> Assignment:
        num_variables = self.source.variables
        form = f"0 or 1 for each of {quantity(num_variables, 'variable')}"
        return tuple(map(int, read_items(certificate, TRUTH_VALUE, form, num_variables)))

    def spell_solution(self, certificate: Assignment) -> str:
        return ", ".join(f"x{x} = {int(value)}" for x, value in enumerate(certificate, 1))

    def is_solution(self, certificate: Assignment) -> bool:
        return self.source.is_solution(certificate)


def _add_copy(system: EquationCompiler, literal: int, pegs: dict[int, list[int]]) -> int:
    """Add a copy of a literal, and the negation of the copy; return the peg of the copy.

    The copy is 1 if the opposite literal is 0, and its negation makes the weight independent of its
    value.
    """
    gadget = f"variable {abs(literal)}"
    value = "1" if literal > 0 else "0"
    opposite = pegs[-literal][0]
    copy = system.complement(opposite, gadget, f"copy: x{abs(literal)} is {value}")
    partner = system.complement(copy, gadget, f"copy: x{abs(literal)} is not {value}")
    system.exactly(1, (opposite, copy), gadget, f"the copy is x{abs(literal)} = {value}")
    system.exactly(1, (copy, partner), gadget, "the copy or its partner")
    system.weight += 1
    return copy


class Demand(NamedTuple):
    """The demand that at least `min_ones` of these pegs are 1. In consistent codes, it is exact."""

    pegs: tuple[int, ...]
    min_ones: int
    gadget: str
    """The element of the source, such as "clause 2"."""
    meaning: str
    """The meaning of the demand, such as "one of x1, -x2, x3"."""


def add_frame(system: EquationCompiler, weight: int, demands: Sequence[Demand]) -> None:
    """Add the pegs B, A, F and W of the construction after those of x, of which `weight` are 1.

    Add the pegs of B, then of A and F class by class, then of W. Add the rows of the demands, then
    the rows of the classes. In the construction above, `ones` is t, and `system.weight` is K. The
    names of gadgets call a class a color, as in an edge coloring.
    """
    common = {
        pair: len({*demands[pair[0]].pegs} & {*demands[pair[1]].pegs})
        for pair in combinations(range(len(demands)), 2)
    }
    ones = max(1, *common.values(), *(demand.min_ones for demand in demands))
    slack = len(demands[0].pegs) - demands[0].min_ones
    system.weight = slack + ones + len(demands) * ones

    def add_pegs(count: int, value: int, gadget: str, name: str) -> list[int]:
        """Add `count` pegs with a constant value, and return their indices."""
        return [system.peg(gadget, name, lambda _: value) for _ in range(count)]

    b_pegs_of = [
        add_pegs(ones - demand.min_ones, 1, demand.gadget, "always 1") for demand in demands
    ]
    a_pegs_of: list[list[int]] = [[] for _ in demands]
    pegs_by_class: list[list[int]] = []
    for class_index in range(len(demands)):
        gadget = f"color {class_index + 1}"
        pegs: list[int] = []
        for owners in _owners(class_index, ones, len(demands), common):
            owner_names = " and ".join(demands[owner].gadget for owner in owners)
            pegs += add_pegs(1, 0, gadget, f"always 0, of {owner_names}")
            for owner in owners:
                a_pegs_of[owner].append(pegs[-1])
        pegs += add_pegs(system.weight - len(pegs), 0, gadget, "always 0, a filler")
        pegs_by_class.append(pegs)
    missing_weight = system.weight - weight - sum(map(len, b_pegs_of))
    add_pegs(missing_weight, 1, "weight", "always 1, in no guess")
    for demand, b_pegs, a_pegs in zip(demands, b_pegs_of, a_pegs_of, strict=True):
        system.exactly(ones, (*demand.pegs, *b_pegs, *a_pegs), demand.gadget, demand.meaning)
    for number, pegs in enumerate(pegs_by_class, 1):
        system.exactly(0, pegs, f"color {number}", "none of these")


def _owners(
    class_index: int, ones: int, num_demands: int, common: dict[tuple[int, int], int]
) -> Iterator[tuple[int, ...]]:
    """Yield the one or two demands e whose sets D_e contain a peg, for each peg of A in a class.

    `common` has the number of common pegs of each pair of demands.
    """
    for copy, demand in product(range(ones), range(num_demands)):
        partner = (class_index - demand) % num_demands
        pair = (min(demand, partner), max(demand, partner))
        if demand == partner or copy >= ones - common[pair]:
            yield (demand,)
        elif demand < partner:  # once per pair
            yield pair
