"""Satisfiability -> another solution: a board with k known codes, and one more for each model.

Problem: given a board and k codes that are consistent with it, is there another one? Here the
others are the models of a formula.

Construction: a formula with the variables x of the given one, z, and w(1) to w(k), is made a board
as by the reduction of satisfiability:

    C or z               for each clause C of the given formula
    z implies x          for each variable x of it
    w(j) implies z       for each j
    z implies w(1) or ... or w(k)
    not both w(i) and w(j)

Proof. Where z is false all w are, and what remains are the models of the given formula. Where z is
true all x are, and exactly one w is: k models that are known beforehand. So the board has k codes
more than the formula has models, and another code than the known ones exists just when the formula
is satisfiable. Hence, for k = 1, to tell whether a code is determined is coNP-hard.

Sizes, for n variables, M clauses with L different literals (clauses with a literal and its negation
do not count), of which e are empty: 4n + 3L - (M - e) + 6k + k^2 + 1 pegs, 2 colors, and
2 + 3n + 4k + k^2 + 2L + e rows. One code for each model beside the k known ones, and the same with
black only.

Source: to find another solution is hard for Mastermind as for other puzzles (Yato and Seta 2003 on
such problems; Viglietta, Hardness of Mastermind, 2012, on boards with k solutions). The
construction is this project's own.
"""

from __future__ import annotations

from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from mmsat.errors import Fault, InputError
from mmsat.reductions.assignments import Assignment, FromFormula
from mmsat.reductions.base import Sizes
from mmsat.reductions.kinds.sat import write
from mmsat.reductions.sources.formula import Formula

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.game.row import Code
    from mmsat.reductions.equations import Equations


class AnotherSolution(FromFormula):
    """The board of a formula that has k models more."""

    name = "another-solution"
    title = "satisfiability -> a board with k known codes and perhaps another"
    theorem = "another solution is NP-complete for any number k of known ones (Viglietta 2012)"
    parameters = ("k",)
    formula = {  # noqa: RUF012
        "pegs": "4n + 3L - M + e + 6k + k^2 + 1",
        "colors": "2",
        "rows": "2 + 3n + 4k + k^2 + 2L + e",
    }

    def __init__(self, source: Formula, *, k: int) -> None:
        super().__init__(source, k=k)
        if type(k) is not int or k < 1:
            raise InputError(
                [Fault("k is a whole number from 1", k, "1 or more")], "the parameters"
            )
        self.k = k

    @cached_property
    def extended(self) -> Formula:
        """The formula with k models more."""
        variables = self.source.variables
        z = variables + 1
        ws = range(z + 1, z + 1 + self.k)
        clauses = [
            *((*clause, z) for clause in self.source.clauses),
            *((x, -z) for x in range(1, z)),
            *((-w, z) for w in ws),
            (-z, *ws),
            *((-a, -b) for a, b in combinations(ws, 2)),
        ]
        return Formula(variables + 1 + self.k, tuple(clauses))

    @property
    def known(self) -> tuple[Code, ...]:
        """The codes of the k models with z."""
        numbers = range(self.k)
        true = (True,) * (self.source.variables + 1)
        return tuple(
            self.equations.code([*true, *(number == j for number in numbers)]) for j in numbers
        )

    def write(self) -> Equations:
        """As satisfiability does for the larger formula."""
        return write(self.extended)

    def sizes(self) -> Sizes:
        """The sizes of the larger formula's board in terms of the given one."""
        lengths = [len(clause) for _, clause in self.source.plain()]
        n, k, literals = self.source.variables, self.k, sum(lengths)
        clauses, empty = len(lengths), lengths.count(0)
        pegs = 4 * n + 3 * literals - clauses + empty + 6 * k + k * k + 1
        return Sizes(pegs, 2, 2 + 3 * n + 4 * k + k * k + 2 * literals + empty)

    def encode(self, certificate: Assignment) -> Code:
        """The code of a model: z and all w are false."""
        return self.equations.code((*certificate, *(False,) * (self.k + 1)))

    def decode(self, code: Sequence[int]) -> Assignment:
        """The model of a code; raises InputError for a known one."""
        if code[self.source.variables]:
            rule = f"{self.k} codes are known beforehand and stand for no model"
            raise InputError([Fault(rule, "one of them", "another code")], "the code")
        return super().decode(code)

    def is_certificate(self, certificate: Assignment) -> bool:
        """Whether it makes every clause of the given formula true."""
        return self.source.is_model(certificate)
