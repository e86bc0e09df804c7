"""One-in-three 3SAT -> Consistent Mastermind: every guess could itself have been the code.

Problem: given n >= 3 variables and clauses of three literals over different variables, is there an
assignment that makes exactly one literal of each clause true? The board is to be *consistent play*:
every guess agrees with all rows before it, so players who never waste a guess meet it too.

Construction: pegs p and q for each variable, 1 where it is true and where it is false. Over the
variables lies a graph H: connected, not bipartite, with d >= 2 edges at every node (the odd cycle;
all edges for n = 4; each node with the next two for even n >= 6). The demands are

    at least 2 of p(i), q(i), p(k), q(k)      for each edge ik of H
    at least 1 of the three literals          for each different clause

and the frame of mmsat.reductions.consistent makes a board of them, for vectors of weight n.

Proof of the squeeze that the frame asks for. Every slack is 2. Let x meet all demands and sum to at
most what the frame allows, |E(H)| 2 + m - n over all demands less |x|. The edges of H count every
peg d times, and d n = 2 |E(H)|, so

    (d - 1) |x| + the sum of x over the clauses  <=  (d - 1) n + m.

All edges together say |x| >= n, and each clause has at least 1: equality everywhere. So each clause
has exactly one true literal, and p(i) + q(i) + p(k) + q(k) = 2 on every edge of H. Along H the
value p + q - 1 changes its sign from node to node; H is connected and has an odd cycle, so it is 0:
each variable is either true or false. Every assignment that is right makes a code, and only those
do.

Sizes, with h = |E(H)| + m for m different clauses: n + 2h^2 + 6h + 4 pegs, 2 colors, 1 + 2h rows.
Parsimonious, and the same with black only.

Source: de Bondt, NP-completeness of Master Mind and Minesweeper (2004), shows that Mastermind stays
NP-complete where all guesses are consistent. The construction and the proof are this project's own.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from mmsat.errors import Fault, InputError
from mmsat.reductions.assignments import Assignment, FromFormula
from mmsat.reductions.base import Sizes
from mmsat.reductions.consistent import Demand, Frame
from mmsat.reductions.equations import Equations
from mmsat.reductions.sources.formula import names

if TYPE_CHECKING:
    from mmsat.reductions.sources.formula import Clause, Formula


class ConsistentMastermind(FromFormula):
    """A board of consistent play; certificates are assignments."""

    name = "consistent-mastermind"
    title = "one-in-three 3SAT -> two colors, every guess consistent with the rows before it"
    theorem = "Consistent Mastermind is NP-complete (de Bondt 2004)"
    formula = {  # noqa: RUF012
        "pegs": "n + 2h^2 + 6h + 4, h = m + (n for odd n, 6 for n = 4, 2n for even n >= 6)",
        "colors": "2",
        "rows": "1 + 2h",
    }

    def __init__(self, source: Formula) -> None:
        super().__init__(source)
        faults = [
            Fault(f"clause {number} has three literals of different variables", clause, "1 -2 3")
            for number, clause in enumerate(source.clauses, 1)
            if len(clause) != 3 or len({abs(literal) for literal in clause}) != 3
        ]
        if source.variables < 3:
            faults.append(Fault("there are three variables", source.variables, "3 or more"))
        if faults:
            raise InputError(faults, "the formula")
        different: dict[frozenset[int], Clause] = {}
        for clause in source.clauses:
            different.setdefault(frozenset(clause), clause)
        self.clauses = tuple(different.values())
        """The clauses without those that say the same as one before."""

    def write(self) -> Equations:
        """Literals, then the frame."""
        many = self.source.variables
        system = Equations()
        for v in range(1, many + 1):
            system.peg(f"variable {v}", f"x{v} is true")
        for v in range(1, many + 1):
            system.complement(v - 1, f"variable {v}", f"x{v} is false")
        demands = [
            Demand(
                (one, many + one, other, many + other),
                2,
                f"pair {one + 1}-{other + 1}",
                f"two of x{one + 1}, -x{one + 1}, x{other + 1}, -x{other + 1}",
            )
            for one, other in pairs(many)
        ]
        demands += [
            Demand(tuple(map(self._peg, clause)), 1, f"clause {n}", f"one of {names(clause)}")
            for n, clause in enumerate(self.clauses, 1)
        ]
        Frame(system, many, tuple(demands))
        return system

    def _peg(self, literal: int) -> int:
        """The peg of a literal."""
        return literal - 1 if literal > 0 else self.source.variables - literal - 1

    def sizes(self) -> Sizes:
        """The square of the demands, nearly."""
        many = self.source.variables
        demands = (many if many % 2 else 6 if many == 4 else 2 * many) + len(self.clauses)
        return Sizes(many + 2 * demands**2 + 6 * demands + 4, 2, 1 + 2 * demands)

    def is_certificate(self, certificate: Assignment) -> bool:
        """Whether each clause has exactly one true literal."""
        return len(certificate) == self.source.variables and all(
            true == 1 for true in self.source.true_literals(certificate)
        )


def pairs(many: int) -> list[tuple[int, int]]:
    """The edges of a regular, connected graph on 3 or more nodes that is not bipartite."""
    if many == 4:
        return list(combinations(range(4), 2))
    steps = (1,) if many % 2 else (1, 2)
    return [(node, (node + step) % many) for step in steps for node in range(many)]
