"""Random source problems for reductions, for families of boards.

Formulas and colored graphs are drawn near the thresholds at which they are hard. Solvable sources
have a planted certificate. The recipe of an unsolvable source states why it has no certificate,
such as parity or counting. For vertex covers, a search finds the minimum size.

All random choices are integers from the given generator, so equal arguments give the same bytes on
every machine.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from itertools import pairwise, product
from typing import Any, NamedTuple

from mmsat._util.text import quantity
from mmsat.encoding.integer_models import cp_model, cp_solver
from mmsat.errors import SizeError
from mmsat.game.board import Status
from mmsat.reductions import Equation, System01
from mmsat.reductions.sources import Clause, Cover, Formula, Graph, Matrix, Triples


class Answer(StrEnum):
    """The answer that is requested for a generated board."""

    ANY = "any"
    """Any answer: the random model without a planted code."""
    CONSISTENT = "consistent"
    """A code is planted."""
    INCONSISTENT = "inconsistent"
    """The construction, or a search, proves that there is no code."""
    SLIPPED = "slipped"
    """A code is planted, then one score is changed by as little as the scoring allows."""


# The first answer of each tuple is the default.
RANDOM_BY_DEFAULT = (Answer.ANY, Answer.CONSISTENT, Answer.INCONSISTENT)
PLANTED_BY_DEFAULT = (Answer.CONSISTENT, Answer.INCONSISTENT, Answer.ANY)
PLANTED_OR_INCONSISTENT = (Answer.CONSISTENT, Answer.INCONSISTENT)
RANDOM_OR_SLIPPED = (*RANDOM_BY_DEFAULT, Answer.SLIPPED)
GUARANTEED_STATUSES = {
    Answer.CONSISTENT: Status.CONSISTENT,
    Answer.INCONSISTENT: Status.INCONSISTENT,
}
"""The status that each of these requested answers guarantees."""


class Sample(NamedTuple):
    """A random source problem, and its certificate if one is known."""

    source: Any
    status: Status
    """Whether the source has a certificate."""
    certificate: Any
    """A certificate, or None if none is known."""
    recipe: str
    """Sentences that state how the source was made, and why it has its status."""
    parameters: Mapping[str, int] = {}
    """Parameters of the reduction."""

    @classmethod
    def of(
        cls, answer: Answer, source: Any, certificate: Any, recipe: str, **parameters: int
    ) -> Sample:
        """Return the sample of a source, with the status that the answer guarantees."""
        status = GUARANTEED_STATUSES.get(answer, Status.UNKNOWN)
        return cls(source, status, certificate, recipe, parameters)


Draw = Callable[[int, "random.Random", Answer], Sample]
"""A function that draws a source, given a size, a random generator and an answer."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Random source problems, from which `mmsat generate` makes boards by a reduction."""

    draw: Draw
    answers: tuple[Answer, ...] = RANDOM_BY_DEFAULT
    """The answers with which sources can be drawn; the first is the default."""
    unit: str = field(kw_only=True)
    """The unit of `size`, such as "variables"."""
    size: int = field(kw_only=True)
    """The default size, at which a board is decided in about a second."""
    min_size: int = field(kw_only=True)
    """The minimum size."""


@dataclass(frozen=True, slots=True)
class BoardSamples:
    """The boards of a random family, as sources of a reduction of boards."""

    family: str
    """The name of the random family."""
    size: int
    min_size: int
    parameters: Mapping[str, int] = field(default_factory=dict)
    """Parameters of the reduction."""
    unit: str = "pegs of the source board"
    answers: tuple[Answer, ...] = RANDOM_OR_SLIPPED


CLAUSES_PER_VARIABLE_3SAT = Fraction("4.26")
"""Clauses per variable of random 3SAT. The satisfiability threshold is 4.267."""
CLAUSES_PER_VARIABLE_ONE_IN_THREE = Fraction("0.626")
"""Clauses per variable of random positive one-in-three 3SAT, at the satisfiability threshold."""
AVERAGE_DEGREE_3_COLORING = Fraction("4.69")
"""Average degree of random graphs to be colored with 3 colors, near the colorability threshold."""
TRIPLES_PER_THING = Fraction("3.35")
"""Average number of triples that contain a thing. The problems are easy: with 20 things per kind,
the weighted search has 0.1 failures on average. With 5 triples per thing, it has 16."""

Edge = tuple[int, int]
"""The indices of two nodes, from 0."""
MAX_COVER_SECONDS = 300.0
"""Limit of the search for a minimum cover, in deterministic time of CP-SAT (about seconds)."""


def make_graph(num_nodes: int, edges: Iterable[Edge]) -> Graph:
    """Return the graph with these nodes, numbered from 1, and edges as pairs of indices from 0."""
    return Graph(tuple(range(1, num_nodes + 1)), tuple(edges))


def draw_cubic_edges(num_nodes: int, rng: random.Random) -> list[Edge]:
    """Draw the edges of a random simple cubic graph; `num_nodes` is even, and 4 or more.

    Ends are paired at random until no edge is a loop or parallel to another. So all such graphs
    are equally likely. The expected number of attempts is about e^2.
    """
    while True:
        ends = [node for node in range(num_nodes) for _ in range(3)]
        rng.shuffle(ends)
        edges = {
            (min(a, b), max(a, b)) for a, b in zip(ends[::2], ends[1::2], strict=True) if a != b
        }
        if 2 * len(edges) == len(ends):
            return sorted(edges)


def draw_edges(num_nodes: int, count: int, rng: random.Random) -> list[Edge]:
    """Draw `count` distinct edges uniformly at random, or all if there are fewer."""
    return draw_colored_edges([*range(num_nodes)], count, rng)


def draw_colored_edges(colors: list[int], count: int, rng: random.Random) -> list[Edge]:
    """Draw `count` distinct edges between nodes of different colors, or all if there are fewer.

    All sets of edges are equally likely.
    """
    nodes = range(len(colors))
    all_edges = [(a, b) for b in nodes for a in range(b) if colors[a] != colors[b]]
    return sorted(rng.sample(all_edges, min(count, len(all_edges))))


def find_minimum_cover(num_nodes: int, edges: Iterable[Edge]) -> tuple[int, ...]:
    """Return a vertex cover of proven minimum size, as indices from 0."""
    ortools = cp_model()
    model = ortools.CpModel()
    is_in_cover = [model.new_bool_var("") for _ in range(num_nodes)]
    for a, b in edges:
        model.add_bool_or(is_in_cover[a], is_in_cover[b])
    model.minimize(sum(is_in_cover))
    solver = cp_solver()
    # Use all cuts, because the search alone fails on some graphs.
    solver.parameters.linearization_level = 2
    solver.parameters.max_deterministic_time = MAX_COVER_SECONDS
    if solver.solve(model) != ortools.OPTIMAL:
        raise SizeError(
            f"no minimum vertex cover of {num_nodes} nodes was found; use a smaller graph"
        )
    return tuple(
        node for node, variable in enumerate(is_in_cover) if solver.boolean_value(variable)
    )


def make_cover_sample(source: Graph, answer: Answer) -> Sample:
    """Return a sample in which k is the size of a minimum cover, minus 1 if inconsistent.

    These are the hardest values of k: the least with a cover, and the greatest without. A
    certificate is a tuple of nodes.
    """
    cover = find_minimum_cover(len(source.nodes), source.edges)
    size = f"{quantity(len(source.nodes), 'node')} and {quantity(len(source.edges), 'edge')}"
    minimum = f"its minimum vertex cover, found by CP-SAT, has {quantity(len(cover), 'node')}"
    if answer is Answer.INCONSISTENT:
        recipe = f"A random graph of {size}; {minimum}, one more than k."
        return Sample.of(answer, source, None, recipe, k=len(cover) - 1)
    certificate = tuple(source.nodes[index] for index in cover)
    recipe = f"A random graph of {size}; {minimum}, which is k."
    return Sample.of(answer, source, certificate, recipe, k=len(cover))


def draw_vertex_cover(num_nodes: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw a graph with three edges per node; k is the size of its minimum cover, or one less."""
    return make_cover_sample(
        make_graph(num_nodes, draw_edges(num_nodes, 3 * num_nodes, rng)), answer
    )


def draw_cubic_vertex_cover(num_pairs: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw a cubic graph of 2 * `num_pairs` nodes; k is its minimum cover size, or one less."""
    source = make_graph(2 * num_pairs, draw_cubic_edges(2 * num_pairs, rng))
    return make_cover_sample(source, answer)


def draw_coloring(num_nodes: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw a graph for coloring with three colors, with AVERAGE_DEGREE_3_COLORING."""
    num_edges = int(AVERAGE_DEGREE_3_COLORING * num_nodes / 2)  # an edge adds 1 to two degrees
    certificate = None
    if answer is Answer.INCONSISTENT:
        source = draw_mycielski_graph(num_nodes, rng)
        recipe = (
            "The generalized Mycielski graph of an odd cycle, its nodes shuffled, which needs four "
            "colors (Stiebitz 1985); the remaining nodes have three random neighbors."
        )
    elif answer is Answer.CONSISTENT:
        colors = [node % 3 for node in range(num_nodes)]
        rng.shuffle(colors)
        certificate = tuple(colors)
        source = make_graph(num_nodes, draw_colored_edges(colors, num_edges, rng))
        edges = quantity(len(source.edges), "random edge")
        recipe = f"{edges} between {quantity(num_nodes, 'node')} of three planted colors."
    else:
        source = make_graph(num_nodes, draw_edges(num_nodes, num_edges, rng))
        recipe = (
            f"{quantity(len(source.edges), 'random edge')} between {quantity(num_nodes, 'node')}."
        )
    return Sample.of(answer, source, certificate, recipe, k=3)


def draw_mycielski_graph(num_nodes: int, rng: random.Random) -> Graph:
    """Return a graph of 4 or more nodes that needs four colors; large subgraphs need only three.

    It has an odd cycle, levels with copies of its nodes, and one node joined to the last level.
    The copy of a node is joined to the copies, one level down, of the two neighbors of the node.
    """
    length = 3  # of the cycle: odd, and about the number of levels
    while (length + 2) ** 2 <= num_nodes:
        length += 2
    num_levels = (num_nodes - 1) // length
    cycle = [(position, (position + 1) % length) for position in range(length)]
    edges = list(cycle)
    for low, high in pairwise(range(0, num_levels * length, length)):
        for a, b in cycle:
            edges += [(low + a, high + b), (low + b, high + a)]
    top = num_levels * length
    edges += [(top - 1 - position, top) for position in range(length)]
    for node in range(top + 1, num_nodes):
        edges += [(other, node) for other in rng.sample(range(node), 3)]
    new_nodes = list(range(num_nodes))
    rng.shuffle(new_nodes)
    return make_graph(num_nodes, [(new_nodes[a], new_nodes[b]) for a, b in edges])


def draw_one_in_three(
    num_variables: int, num_clauses: int, rng: random.Random, answer: Answer
) -> Sample:
    """Draw one-in-three clauses of three different variables; there must be at least 6 variables.

    Above the threshold of 0.626 clauses per variable, large random formulas almost never have a
    solution. At the threshold, they are hardest to decide.
    """
    if answer is Answer.INCONSISTENT:
        recipe = (
            "The clauses are the nodes of a random graph with three edges at each node, and the "
            "variables are its edges. So every variable of a clause is in two clauses, and the "
            "number of clauses is even. The number of negations is odd. If each clause had one "
            "true literal, the number of true literals would be even, like the number of clauses. "
            "But it is odd, like the number of negations."
        )
        return Sample.of(answer, draw_odd_one_in_three(num_variables, rng), None, recipe)
    numbers = list(range(1, num_variables + 1))
    if answer is Answer.CONSISTENT:
        true = set(rng.sample(numbers, num_variables // 3))
        false = [number for number in numbers if number not in true]
        true_numbers = sorted(true)
        clauses = [
            rng.sample([rng.choice(true_numbers), *rng.sample(false, 2)], 3)
            for _ in range(num_clauses)
        ]
        certificate = tuple(number in true for number in numbers)
        recipe = (
            f"{quantity(num_clauses, 'random clause')} with one of the "
            f"{quantity(len(true), 'variable')} planted as true."
        )
    else:
        clauses = [rng.sample(numbers, 3) for _ in range(num_clauses)]
        certificate = None
        recipe = f"{num_clauses} random clauses of three variables, none negated."
    source = Formula(num_variables, tuple(map(tuple, clauses)))
    return Sample.of(answer, source, certificate, recipe)


def draw_odd_one_in_three(num_variables: int, rng: random.Random) -> Formula:
    """Draw one-in-three clauses that are unsatisfiable because of parity.

    The nodes of a cubic graph are clauses, and its edges variables. Up to two variables are unused.
    """
    clauses = draw_incidence(num_variables, rng)
    signs = [rng.choice((1, -1)) for clause in clauses for _ in clause]
    if signs.count(-1) % 2 == 0:
        signs[0] = -signs[0]
    remaining_signs = iter(signs)
    return Formula(
        num_variables,
        tuple(tuple(next(remaining_signs) * variable for variable in clause) for clause in clauses),
    )


def draw_incidence(num_variables: int, rng: random.Random) -> list[list[int]]:
    """Draw a random cubic graph, and return for each node its three edges as variables from 1."""
    num_nodes = 2 * (num_variables // 3)
    numbers = list(range(1, num_variables + 1))  # up to two of them are unused
    rng.shuffle(numbers)
    edges_of: list[list[int]] = [[] for _ in range(num_nodes)]
    for number, edge in zip(numbers, draw_cubic_edges(num_nodes, rng), strict=False):
        for node in edge:
            edges_of[node].append(number)
    return edges_of


def draw_three_sat(num_variables: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw random clauses of three literals. Without a planted model, about half have a model."""
    if answer is Answer.INCONSISTENT:
        recipe = (
            "Parities on a random graph with three edges at each node (Tseitin, Urquhart): the "
            "edges are variables, and each node requires an odd or an even number of true edges. "
            "The number of odd nodes is odd, but every edge counts twice. Four clauses per node."
        )
        return Sample.of(answer, draw_parities(num_variables, rng), None, recipe)
    num_clauses = int(CLAUSES_PER_VARIABLE_3SAT * num_variables)
    planted = [rng.choice((False, True)) for _ in range(num_variables)]
    clauses: list[Clause] = []
    while len(clauses) < num_clauses:
        chosen = sorted(rng.sample(range(1, num_variables + 1), 3))
        clause = tuple(rng.choice((variable, -variable)) for variable in chosen)
        is_satisfied = any(planted[abs(literal) - 1] == (literal > 0) for literal in clause)
        if is_satisfied or answer is not Answer.CONSISTENT:
            clauses.append(clause)
    source = Formula(num_variables, tuple(clauses))
    recipe = f"{quantity(num_clauses, 'random clause')} of three literals"
    if answer is Answer.CONSISTENT:
        recipe += " that a planted assignment satisfies"
        return Sample.of(answer, source, tuple(planted), f"{recipe}.")
    return Sample.of(answer, source, None, f"{recipe}.")


def draw_parities(num_variables: int, rng: random.Random) -> Formula:
    """Draw the clauses of contradictory parity equations on a cubic graph."""
    edges_of = draw_incidence(num_variables, rng)
    parities = [rng.choice((0, 1)) for _ in edges_of]
    parities[0] ^= sum(parities) % 2 == 0  # an odd number of odd nodes is a contradiction
    clauses = [
        tuple(
            -variable if bits >> position & 1 else variable
            for position, variable in enumerate(variables_of_node)
        )
        for variables_of_node, parity in zip(edges_of, parities, strict=True)
        for bits in range(8)
        if bits.bit_count() % 2 != parity  # the clause forbids the values in `bits`
    ]
    return Formula(num_variables, tuple(clauses))


Triple = tuple[int, int, int]
"""A set of three elements, or one thing of each kind, numbered from 1."""


def draw_cubic_cover(third: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw 3 * `third` elements and as many sets of three, with every element in three sets.

    `third` is 3 or more. Large random instances almost always have no exact cover.
    """
    num_elements = 3 * third
    elements = list(range(1, num_elements + 1))
    rng.shuffle(elements)
    if answer is Answer.CONSISTENT:
        chosen = _deal(elements, rng)
        sets = [(triple, True) for triple in chosen]
        sets += [(triple, False) for triple in _deal(elements * 2, rng)]
        rng.shuffle(sets)
        certificate = tuple(index for index, (_, is_chosen) in enumerate(sets) if is_chosen)
        source = Cover(num_elements, tuple(triple for triple, _ in sets))
        recipe = (
            f"{quantity(third, 'planted set')}, and {quantity(2 * third, 'random set')} that "
            "contain every element twice."
        )
        return Sample.of(answer, source, certificate, recipe)
    if answer is Answer.INCONSISTENT:
        recipe = (
            "Every element has a hidden weight 0, 1 or 2. The weights of every set add up to a "
            "multiple of 3, but those of all elements do not. So no sets cover each element "
            "exactly once."
        )
        return Sample.of(answer, _draw_weighted_cover(elements, rng), None, recipe)
    source = Cover(num_elements, tuple(_deal(elements * 3, rng)))
    recipe = f"{quantity(num_elements, 'random set')} of three; every element is in three sets."
    return Sample.of(answer, source, None, recipe)


def _deal(elements: list[int], rng: random.Random) -> list[Triple]:
    """Deal elements, which may repeat, into triples of three different elements."""
    cards = list(elements)
    rng.shuffle(cards)
    return _take_triples(cards, len(cards) // 3, rng)


def _draw_weighted_cover(elements: list[int], rng: random.Random) -> Cover:
    """Draw sets with the weights 012, 111 or 000. All elements together weigh 1 modulo 3."""
    third = len(elements) // 3
    # `zeros` sets 000, `ones` sets 111, and 3 * `mixed` sets 012. Each element is in three sets, so
    # all elements weigh (3 * ones + 3 * 3 * mixed) / 3 = ones + 3 * mixed.
    ones, zeros = 3 * (third // 9) + 1, 3 * (third // 9) + 2
    mixed = (len(elements) - ones - zeros) // 3
    weight_0 = elements[: mixed + zeros] * 3
    weight_1 = elements[mixed + zeros : 2 * mixed + zeros + ones] * 3
    weight_2 = elements[2 * mixed + zeros + ones :] * 3
    for pile in (weight_0, weight_1, weight_2):
        rng.shuffle(pile)
    # Only sets of equal weights can repeat an element, so they are drawn first, from full piles.
    sets = [*_take_triples(weight_0, zeros, rng), *_take_triples(weight_1, ones, rng)]
    sets += zip(weight_0[3 * zeros :], weight_1[3 * ones :], weight_2, strict=True)
    rng.shuffle(sets)
    return Cover(len(elements), tuple(sets))


def _take_triples(pile: list[int], num_triples: int, rng: random.Random) -> list[Triple]:
    """Return the first triples of a pile, after random swaps that remove repeats within triples."""
    while True:
        starts_with_repeat = [
            start for start in range(0, 3 * num_triples, 3) if len(set(pile[start : start + 3])) < 3
        ]
        if not starts_with_repeat:
            return [
                (pile[start], pile[start + 1], pile[start + 2])
                for start in range(0, 3 * num_triples, 3)
            ]
        for start in starts_with_repeat:
            position, other = start + rng.randrange(3), rng.randrange(len(pile))
            pile[position], pile[other] = pile[other], pile[position]


def draw_matching(size: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw TRIPLES_PER_THING * `size` triples over three kinds of `size` things."""
    things = range(1, size + 1)
    num_triples = int(TRIPLES_PER_THING * size)

    def draw() -> Triple:
        return (rng.choice(things), rng.choice(things), rng.choice(things))

    if answer is Answer.INCONSISTENT:
        triples = _draw_even_triples(size, num_triples, rng, draw)
        rng.shuffle(triples)
        recipe = (
            "An odd number of things are marked, and every triple has an even number of marked "
            "things. So no triples contain every thing exactly once."
        )
        return Sample.of(answer, Triples(size, tuple(triples)), None, recipe)
    if answer is Answer.CONSISTENT:
        columns = [rng.sample(things, size) for _ in range(3)]
        planted: set[Triple] = set(zip(*columns, strict=True))
        triples = _fill(planted, num_triples, draw, size**3)
        rng.shuffle(triples)
        certificate = tuple(index for index, triple in enumerate(triples) if triple in planted)
        recipe = f"A planted matching among {quantity(len(triples), 'triple')}, the others random."
        return Sample.of(answer, Triples(size, tuple(triples)), certificate, recipe)
    triples = _fill(set(), num_triples, draw, size**3)
    return Sample.of(
        answer, Triples(size, tuple(triples)), None, f"{quantity(num_triples, 'random triple')}."
    )


def _draw_even_triples(
    size: int, count: int, rng: random.Random, draw: Callable[[], Triple]
) -> list[Triple]:
    """Mark an odd number of things, and draw triples that have an even number of marked things."""
    things = range(1, size + 1)
    marks = [[0, *(rng.randrange(2) for _ in things)] for _ in range(3)]
    # Two kinds have both a marked and an unmarked thing, so that each thing is in an even triple.
    for column in marks[:2]:
        column[1:3] = 0, 1
    marks[2][1] ^= sum(map(sum, marks)) % 2 == 0

    def draw_even(kind: int | None = None, thing: int = 0) -> Triple:
        while True:
            x, y, z = (thing if index == kind else other for index, other in enumerate(draw()))
            if (marks[0][x] + marks[1][y] + marks[2][z]) % 2 == 0:
                return (x, y, z)

    triples: set[Triple] = set()
    for kind, thing in product(range(3), things):
        if all(triple[kind] != thing for triple in triples):
            triples.add(draw_even(kind, thing))
    num_even_triples = sum(
        sum(marks_of_triple) % 2 == 0
        for marks_of_triple in product(*(column[1:] for column in marks))
    )
    return _fill(triples, count, draw_even, num_even_triples)


def _fill(
    initial: set[Triple], count: int, draw: Callable[[], Triple], max_count: int
) -> list[Triple]:
    """Add drawn triples until there are `count`, at most `max_count`; return them sorted."""
    triples = set(initial)
    while len(triples) < min(count, max_count):
        triples.add(draw())
    return sorted(triples)


def draw_triple_cover(size: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw an exact cover problem with sets of three.

    It is a matching problem whose things become randomly numbered elements.
    """
    matching = draw_matching(size, rng, answer)
    numbers = list(range(1, 3 * size + 1))
    rng.shuffle(numbers)
    sets = matching.source.cover().sets
    renamed = tuple(tuple(numbers[element - 1] for element in triple) for triple in sets)
    return matching._replace(source=Cover(3 * size, renamed))


def draw_matrix(size: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw a square 0/1 matrix with about three ones per row, to compute its permanent."""
    rows = [set(rng.sample(range(size), min(size, 3))) for _ in range(size)]
    certificate = None
    recipe = f"{quantity(size, 'row')} with {quantity(min(size, 3), 'one')} each, at random."
    if answer is Answer.CONSISTENT:
        certificate = tuple(rng.sample(range(size), size))
        for row, column in zip(rows, certificate, strict=True):
            row.add(column)
        rows_in_words = quantity(size, "row")
        recipe = f"{rows_in_words} with 3 random ones each, and the ones of a planted permutation."
    if answer is Answer.INCONSISTENT:
        columns = rng.sample(range(size), size // 2)
        for index in rng.sample(range(size), size // 2 + 1):
            rows[index] = set(rng.sample(columns, min(len(columns), 3)))
        recipe = (
            f"{quantity(size, 'row')} with about 3 ones each; {size // 2 + 1} of them have ones in "
            f"only {quantity(size // 2, 'column')}, so no permutation selects only "
            "ones (Hall's theorem)."
        )
    lines = tuple(tuple(int(column in row) for column in range(size)) for row in rows)
    return Sample.of(answer, Matrix(lines), certificate, recipe)


def draw_system(num_variables: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw half as many equations as variables, with coefficients -1, 0 and 1."""
    num_equations = -(-num_variables // 2)
    planted = tuple(rng.randrange(2) for _ in range(num_variables))
    rows = [[rng.randrange(-1, 2) for _ in planted] for _ in range(num_equations)]
    totals = [_total(row, planted) for row in rows]
    certificate = planted if answer is Answer.CONSISTENT else None
    recipe = f"{quantity(num_equations, 'random equation')} that planted values satisfy."
    if answer is Answer.ANY:
        rearrangements = [rng.sample(planted, num_variables) for _ in rows]
        totals = [_total(row, values) for row, values in zip(rows, rearrangements, strict=True)]
        recipe = (
            f"{quantity(num_equations, 'random equation')}, each satisfied by a random "
            "rearrangement of the same values."
        )
    if answer is Answer.INCONSISTENT:
        # The last equation has the coefficients that make each column sum a multiple of 3.
        rows[-1] = [(1 - sum(column)) % 3 - 1 for column in zip(*rows[:-1], strict=True)]
        rows[-1] = rows[-1] or [0] * num_variables  # if it is the only row
        # All totals add up to 1 modulo 3. The last is close to the left side of planted values.
        remainder = (1 - sum(totals[:-1])) % 3
        totals[-1] = min(
            range(-num_variables, num_variables + 1),
            key=lambda total: (
                total % 3 != remainder,
                abs(total - _total(rows[-1], planted)),
                total,
            ),
        )
        recipe = (
            f"{quantity(num_equations, 'equation')} whose left sides add up to multiples of 3, "
            "whatever the values are, and whose right sides do not."
        )
    equations = tuple(Equation(tuple(row), total) for row, total in zip(rows, totals, strict=True))
    return Sample.of(answer, System01(num_variables, equations), certificate, recipe)


def _total(row: list[int], values: list[int] | tuple[int, ...]) -> int:
    """Return the left side of an equation for these values of the variables."""
    return sum(factor * value for factor, value in zip(row, values, strict=True))
