"""Boards of two colors from 0/1 equations, and bases of reductions by kind of source.

**Equations.** A code s of N pegs, each 0 or 1, has weight K, the number of its ones. Let a guess be
1 on the pegs of a set S and 0 elsewhere, and let t of the pegs of S be 1 in the code. Then

    black = 2t - K + N - |S|        black + white = N - |K - |S||

* The guess of zeros scores (N - K, 0), which determines the weight.
* If the weight is known, black determines t, and white adds no information: the row means exactly
  "t of these pegs are 1". So black-white boards and black-only boards have the same codes.

So any system of such equations whose solutions all have the same weight is a board: one row for the
weight, then one row per equation. A reduction only has to write its problem in this form
(`EquationsReduction`); `EquationCompiler` makes the board.

**The frame of the reductions to Consistent Mastermind** (`add_frame`). In boards of consistent
play, every guess is consistent with all scores before it. The input of the frame is 0/1 vectors x
with demands "at least r of the pegs S are 1". It makes a board of two colors whose codes are the
vectors that meet every demand exactly, provided that the source has the *squeeze*: every S has the
same slack |S| - r, and a vector x that meets all demands meets them exactly if

    the sum over the demands of |x on S|, minus |x|,  <=  the sum of r, minus the weight of x.

The pages of these reductions have the proof
(`mmsat reductions consistent-mastermind`).

Construction, with h demands, t = the maximum of all r and of the numbers of common pegs of two of
the S, and K = slack + t + h t, the weight of every code and of every guess except the first:

    B     t - r separate pegs for each demand; 1 in every code
    A     pegs of h colors and t copies; D_e, the pegs of A in guess e, are h t pegs, t per color
    F     A by colors, with further pegs in each color up to K pegs; 0 in every code
    W     pegs in no guess, 1 in every code, as many as bring the weight of a code to K

    0 everywhere           -> weight K
    S_e, B_e and D_e       -> t of these pegs are 1      for each demand e
    F_c                    -> none of these pegs is 1    for each color c

In A, color c and copy i, the demand e meets the demand p = c - e modulo h: if p differs from e and
i < t - (common pegs of S_e and S_p), they share a peg; otherwise their pegs differ. Each pair e, p
meets in one color only, so the guesses of e and p have exactly t pegs in common, and every color
has exactly t pegs of every D.

**Certificates.** A variable of a formula is a peg p, which is 1 if the variable is true, and
usually a second peg q, which is 1 if the variable is false. A vertex cover of a graph is a set of
nodes that contains an end of every edge. A cover of at most k nodes exists if and only if a cover
of exactly k nodes does, because further nodes can be added. If k exceeds n, it is replaced by n.
"""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations, product
from typing import NamedTuple, cast

from mmsat.game import Code, Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.reductions.reduction import (
    Certificate,
    Gadgets,
    Reduction,
    RowReduction,
    Source,
    require_whole,
)
from mmsat.reductions.sources import Assignment, Formula, Graph, spell_assignment, spell_literal

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


class Demand(NamedTuple):
    """The demand that at least `min_ones` of these pegs are 1. In consistent codes, it is exact."""

    pegs: tuple[int, ...]
    min_ones: int
    gadget: str
    """The element of the source, such as "clause 2"."""
    meaning: str
    """The meaning of the demand, such as "one of x1, -x2, x3"."""


def add_frame(system: EquationCompiler, weight: int, demands: Sequence[Demand]) -> None:
    """Add the frame of these demands after the pegs of x, of which `weight` are 1.

    Add the pegs of B, then of A and F by colors, then of W. Add the rows of the demands, then the
    rows of the colors. In the construction above, `ones` is t, and `system.weight` is K.
    """
    common = {
        pair: len({*demands[pair[0]].pegs} & {*demands[pair[1]].pegs})
        for pair in combinations(range(len(demands)), 2)
    }
    ones = max(1, *common.values(), *(demand.min_ones for demand in demands))
    slack = len(demands[0].pegs) - demands[0].min_ones
    system.weight = slack + ones + len(demands) * ones

    def add_pegs(count: int, value: int, gadget: str, name: str) -> list[int]:
        return [system.peg(gadget, name, lambda _: value) for _ in range(count)]

    b_pegs_of = [
        add_pegs(ones - demand.min_ones, 1, demand.gadget, "always 1") for demand in demands
    ]
    a_pegs_of: list[list[int]] = [[] for _ in demands]
    colors: list[list[int]] = []
    for color in range(len(demands)):
        gadget = f"color {color + 1}"
        pegs: list[int] = []
        for owners in _owners(color, ones, len(demands), common):
            owner_names = " and ".join(demands[owner].gadget for owner in owners)
            pegs += add_pegs(1, 0, gadget, f"always 0, of {owner_names}")
            for owner in owners:
                a_pegs_of[owner].append(pegs[-1])
        pegs += add_pegs(system.weight - len(pegs), 0, gadget, "always 0, a filler")
        colors.append(pegs)
    missing_weight = system.weight - weight - sum(map(len, b_pegs_of))
    add_pegs(missing_weight, 1, "weight", "always 1, in no guess")
    for demand, b_pegs, a_pegs in zip(demands, b_pegs_of, a_pegs_of, strict=True):
        system.exactly(ones, (*demand.pegs, *b_pegs, *a_pegs), demand.gadget, demand.meaning)
    for number, pegs in enumerate(colors, 1):
        system.exactly(0, pegs, f"color {number}", "none of these")


def _owners(
    color: int, ones: int, demands: int, common: dict[tuple[int, int], int]
) -> Iterator[tuple[int, ...]]:
    """Yield the demand of each peg of one color of A, or the two demands that share the peg."""
    for copy, demand in product(range(ones), range(demands)):
        partner = (color - demand) % demands
        pair = (min(demand, partner), max(demand, partner))
        if demand == partner or copy >= ones - common[pair]:
            yield (demand,)
        elif demand < partner:
            yield pair


Choice = tuple[int, ...]
Nodes = tuple["Hashable", ...]


class FormulaReduction(EquationsReduction[Formula, Assignment]):
    """Certificates are models; the first pegs are the variables, in order."""

    source_kind = "formula"

    def decode_colors(self, code: Sequence[int]) -> Assignment:
        return tuple(color == 1 for color in code[: self.source.variables])

    def is_certificate(self, certificate: Assignment) -> bool:
        return self.source.is_model(certificate)

    def spell(self, certificate: Assignment) -> str:
        return spell_assignment(certificate)


class OneInReduction(FormulaReduction):
    """Certificates are assignments that make exactly one literal of every clause true."""

    def is_certificate(self, certificate: Assignment) -> bool:
        return self.source.has_one_true(certificate)


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


class ChoiceReduction(EquationsReduction[Source, Choice]):
    """Certificates are ascending indices, from 0, of the chosen sets or triples.

    Each free peg is 1 if the set of a cover, or the triple of a matching, is chosen.
    """

    def bits(self, certificate: Choice) -> Iterable[int]:
        chosen = set(certificate)
        num_free_pegs = sum(peg.value is None for peg in self.equations.pegs)
        return (index in chosen for index in range(num_free_pegs))

    def decode_colors(self, code: Sequence[int]) -> Choice:
        return tuple(index for index, value in enumerate(self.equations.free_values(code)) if value)


def add_elements(
    system: EquationCompiler, noun: str, names: Sequence[str], holders: Sequence[Choice]
) -> None:
    """Add an equation for each element: exactly one of the sets (pegs) that hold it is chosen."""
    for name, pegs in zip(names, holders, strict=True):
        listed = ", ".join(str(peg + 1) for peg in pegs) or "nothing"
        system.exactly(1, pegs, name, f"one {noun} of {listed}")


class VertexCoverReduction(Reduction[Graph, Nodes]):
    """Certificates are covers of exactly k nodes, in the order of the graph."""

    source_kind = "graph"
    parameters = ("k",)

    def __init__(self, source: Graph, *, k: int) -> None:
        super().__init__(source, k=k)
        num_nodes = len(source.nodes)
        self.k = min(require_whole("k", k, 0), num_nodes)

    def is_certificate(self, certificate: Nodes) -> bool:
        marks = self.mark(certificate)
        return (
            len(certificate) == self.k
            and tuple(certificate) == self.select(marks)
            and all(marks[a] or marks[b] for a, b in self.source.edges)
        )

    def spell(self, certificate: Nodes) -> str:
        return " ".join(map(str, certificate))

    def mark(self, certificate: Nodes) -> tuple[bool, ...]:
        """Return whether each node is in the cover."""
        chosen = set(certificate)
        return tuple(node in chosen for node in self.source.nodes)

    def select(self, marks: Iterable[bool]) -> Nodes:
        """Return the marked nodes, in the order of the graph."""
        return tuple(node for node, mark in zip(self.source.nodes, marks, strict=True) if mark)


class BoardReduction(RowReduction[Board, "Code"]):
    """Certificates are consistent codes of a board."""

    source_kind = "board"

    def build(self) -> Board:
        """Build the board. Known codes of the source become known codes of the board."""
        return replace(super().build(), known=tuple(map(self.encode, self.source.known)))

    def is_certificate(self, certificate: Code) -> bool:
        return self.source.is_consistent(certificate)

    def pegs(self) -> Iterable[tuple[str, str]]:
        return [("code", f"peg {peg}") for peg in range(1, self.source.game.pegs + 1)]

    def spell(self, certificate: Code) -> str:
        return speller(self.source.game).print_code(certificate)
