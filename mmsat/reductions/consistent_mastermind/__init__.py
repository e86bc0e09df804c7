"""One-in-three 3SAT -> a board of consistent guesses: see README.md."""

from itertools import combinations

from mmsat.errors import Fault, InputError
from mmsat.reductions.equations import Demand, EquationCompiler, OneInReduction, add_frame
from mmsat.reductions.reduction import SizeFormulas, Sizes
from mmsat.reductions.samples import Samples, draw_one_in_three
from mmsat.reductions.sources import Clause, Formula, spell_clause

THREE_VARIABLES = "three literals of different variables, such as 1 -2 3"
"""The expected form of a clause, for error messages."""


class ConsistentMastermind(OneInReduction):
    """A board of consistent guesses, with a size that is quadratic in the formula."""

    name = "consistent-mastermind"
    title = "one-in-three 3SAT -> two colors, every guess consistent with the rows before it"
    theorem = "Consistent Mastermind is NP-complete (de Bondt 2004)"
    formula = SizeFormulas(
        "n + 2h^2 + 6h + 4, h = m + (n for odd n, 6 for n = 4, 2n for even n >= 6)", "2", "1 + 2h"
    )
    family = "one-in-three 3SAT, 0.7 clauses per variable, every guess consistent"
    samples = Samples(
        lambda size, rng, answer: draw_one_in_three(size, (7 * size + 5) // 10, rng, answer),
        unit="variables",
        size=7,
        min_size=6,
    )

    def __init__(self, source: Formula) -> None:
        super().__init__(source)
        faults = [
            Fault("", clause, THREE_VARIABLES, part=f"clause {number}")
            for number, clause in enumerate(source.clauses, 1)
            if len(clause) != 3 or len({abs(literal) for literal in clause}) != 3
        ]
        if source.variables < 3:
            faults.append(Fault("", source.variables, "3 or more variables"))
        InputError.refuse(faults, "the formula")
        distinct_clauses: dict[frozenset[int], Clause] = {}
        for clause in source.clauses:
            distinct_clauses.setdefault(frozenset(clause), clause)
        self.clauses = tuple(distinct_clauses.values())
        """The clauses, without repeats that differ only in the order of the literals."""

    def write(self, system: EquationCompiler) -> None:
        num_variables = self.source.variables
        for v in range(1, num_variables + 1):
            system.peg(f"variable {v}", f"x{v} is true")
        for v in range(1, num_variables + 1):
            system.complement(v - 1, f"variable {v}", f"x{v} is false")
        demands = [
            Demand(
                (one, num_variables + one, other, num_variables + other),
                2,
                f"pair {one + 1}-{other + 1}",
                f"two of x{one + 1}, -x{one + 1}, x{other + 1}, -x{other + 1}",
            )
            for one, other in pair_edges(num_variables)
        ]
        for n, clause in enumerate(self.clauses, 1):
            pegs = (
                literal - 1 if literal > 0 else num_variables - literal - 1 for literal in clause
            )
            demands.append(Demand(tuple(pegs), 1, f"clause {n}", f"one of {spell_clause(clause)}"))
        add_frame(system, num_variables, demands)

    def sizes(self) -> Sizes:
        num_variables = self.source.variables
        demands = (
            num_variables if num_variables % 2 else 6 if num_variables == 4 else 2 * num_variables
        ) + len(self.clauses)
        return Sizes(num_variables + 2 * demands**2 + 6 * demands + 4, 2, 1 + 2 * demands)


def pair_edges(num_nodes: int) -> list[tuple[int, int]]:
    """Return the edges of a regular, connected graph on 3 or more nodes that is not bipartite."""
    if num_nodes == 4:
        return list(combinations(range(4), 2))
    steps = (1,) if num_nodes % 2 else (1, 2)
    return [(node, (node + step) % num_nodes) for step in steps for node in range(num_nodes)]
