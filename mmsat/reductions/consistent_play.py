"""Reductions to Consistent Mastermind: of one-in-three 3SAT, and of exact cover by equal sets.

In boards of consistent play, every guess is consistent with all scores before it. `add_frame` makes
such a board from 0/1 vectors x with demands "at least r of the pegs S are 1". The codes are the
vectors that meet every demand exactly, provided that the source has the *squeeze*: every S has the
same slack |S| - r, and a vector x that meets all demands meets them exactly if

    the sum over the demands of |x on S|, minus |x|,  <=  the sum of r, minus the weight of x.

The README.md of each reduction has the proof (`mmsat reductions consistent-mastermind`).

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
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

from mmsat.errors import Description, Fault, InputError
from mmsat.reductions.covers import Choice, ChoiceReduction
from mmsat.reductions.equations import EquationCompiler
from mmsat.reductions.reduction import SizeFormulas, Sizes
from mmsat.reductions.samples import Samples, draw_cubic_cover, draw_one_in_three
from mmsat.reductions.satisfiability import OneInReduction
from mmsat.reductions.sources import Clause, Cover, Formula, spell_clause


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


class ConsistentExactCover(ChoiceReduction[Cover]):
    """A board of consistent guesses, whose size is quadratic in that of the cover."""

    name = "consistent-exact-cover"
    title = "regular exact cover -> two colors, every guess consistent with the rows before it"
    theorem = "Consistent Mastermind is NP-complete (de Bondt 2004)"
    source_kind = "cover"
    # README.md explains the letters.
    formula = SizeFormulas("M + (h + 1) K - h / s, K = d - 1 + t + h t", "2", "1 + 2h")
    family = "cubic exact cover, every guess consistent"
    samples = Samples(draw_cubic_cover, unit="thirds of the elements", size=3, min_size=3)

    def __init__(self, source: Cover) -> None:
        super().__init__(source)
        sizes = sorted(set(map(len, source.sets)))
        degrees = sorted(set(map(len, source.sets_by_element())))
        faults = []
        if len(sizes) != 1 or sizes[0] < 2:
            found = Description(f"sets of {', '.join(map(str, sizes)) or 'no'} elements")
            faults.append(Fault("", found, "sets of one size, 2 or more"))
        elif source.elements % sizes[0]:
            found = Description(f"{source.elements} elements")
            faults.append(
                Fault("the size of the sets", found, f"a multiple of {sizes[0]} elements")
            )
        if len(degrees) != 1:
            found = Description(f"elements in {', '.join(map(str, degrees))} sets")
            faults.append(Fault("", found, "every element in the same number of sets"))
        InputError.refuse(faults, "the cover")
        self.num_chosen = source.elements // sizes[0]
        """The number of sets in an exact cover (q in README.md)."""
        self.degree = degrees[0]
        """The number of sets that contain an element (d in README.md)."""

    def write(self, system: EquationCompiler) -> None:
        for number in range(1, len(self.source.sets) + 1):
            system.peg(f"set {number}", f"set {number} is chosen")
        demands = [
            Demand(indices, 1, f"element {number}", f"one of the sets with element {number}")
            for number, indices in enumerate(self.source.sets_by_element(), 1)
        ]
        add_frame(system, self.num_chosen, demands)

    def sizes(self) -> Sizes:
        elements = self.source.elements
        sets_by_element = map(set, self.source.sets_by_element())
        shared = max(1, *(len(one & other) for one, other in combinations(sets_by_element, 2)))
        weight = self.degree - 1 + shared + elements * shared
        pegs = len(self.source.sets) + (elements + 1) * weight - self.num_chosen
        return Sizes(pegs, 2, 1 + 2 * elements)

    def is_certificate(self, certificate: Choice) -> bool:
        return self.source.is_exact(certificate)
