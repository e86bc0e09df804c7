"""Random formulas at their satisfiability thresholds."""

import random

from mmsat.english import quantity
from mmsat.reductions.samples.graphs import draw_cubic_edges
from mmsat.reductions.samples.sample import Answer, Sample
from mmsat.reductions.sources.formula import Clause, Formula


def draw_one_in_three(variables: int, clauses: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw one-in-three clauses of three different variables; there must be at least 6 variables.

    Above 0.626 clauses per variable there is almost always no solution. At this threshold, formulas
    are hardest to decide.
    """
    if answer is Answer.INCONSISTENT:
        recipe = (
            "Every variable is in two clauses, like the edges of a random graph with three at each "
            "node, and the number of negations is odd. If each clause had one true literal, the "
            "number of true literals would be even, like the number of clauses. But it is odd, "
            "like the number of negations."
        )
        return Sample.of(answer, draw_odd_one_in_three(variables, rng), None, recipe)
    nodes = list(range(1, variables + 1))
    if answer is Answer.CONSISTENT:
        true = set(rng.sample(nodes, variables // 3))
        false = [node for node in nodes if node not in true]
        ordered = sorted(true)
        drawn = [
            rng.sample([rng.choice(ordered), *rng.sample(false, 2)], 3) for _ in range(clauses)
        ]
        certificate = tuple(node in true for node in nodes)
        recipe = (
            f"{quantity(clauses, 'random clause')} with one of the "
            f"{quantity(len(true), 'variable')} planted as true."
        )
    else:
        drawn = [rng.sample(nodes, 3) for _ in range(clauses)]
        certificate = None
        recipe = f"{clauses} random clauses of three variables, none negated."
    source = Formula(variables, tuple(map(tuple, drawn)))
    return Sample.of(answer, source, certificate, recipe)


def draw_odd_one_in_three(variables: int, rng: random.Random) -> Formula:
    """Draw one-in-three clauses that together contradict each other by parity.

    The nodes of a cubic graph are clauses, and its edges variables; up to two variables are unused.
    """
    places = draw_incidence(variables, rng)
    signs = [rng.choice((1, -1)) for clause in places for _ in clause]
    if signs.count(-1) % 2 == 0:
        signs[0] = -signs[0]
    sign = iter(signs)
    return Formula(
        variables, tuple(tuple(next(sign) * variable for variable in clause) for clause in places)
    )


def draw_incidence(variables: int, rng: random.Random) -> list[list[int]]:
    """Draw a random cubic graph, and return for each node its three edges as variables from 1."""
    nodes = 2 * (variables // 3)
    names = list(range(1, variables + 1))
    rng.shuffle(names)
    edges_of: list[list[int]] = [[] for _ in range(nodes)]
    for name, edge in zip(names, draw_cubic_edges(nodes, rng), strict=False):
        for node in edge:
            edges_of[node].append(name)
    return edges_of


def draw_three_sat(variables: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw 4.26 clauses of three literals per variable: about half of the formulas have a model."""
    if answer is Answer.INCONSISTENT:
        recipe = (
            "Parities on a random graph with three edges at each node (Tseitin, Urquhart): the "
            "edges are variables, and each node requires an odd or an even number of true edges. "
            "The number of odd nodes is odd, but every edge counts twice. Four clauses per node."
        )
        return Sample.of(answer, draw_parities(variables, rng), None, recipe)
    num_clauses = 426 * variables // 100
    planted = [rng.choice((False, True)) for _ in range(variables)]
    clauses: list[Clause] = []
    while len(clauses) < num_clauses:
        chosen = sorted(rng.sample(range(1, variables + 1), 3))
        clause = tuple(rng.choice((variable, -variable)) for variable in chosen)
        is_satisfied = any(planted[abs(literal) - 1] == (literal > 0) for literal in clause)
        if is_satisfied or answer is not Answer.CONSISTENT:
            clauses.append(clause)
    source = Formula(variables, tuple(clauses))
    if answer is Answer.CONSISTENT:
        clauses_in_words = f"{quantity(num_clauses, 'random clause')} of three literals"
        recipe = f"{clauses_in_words} that a planted assignment satisfies."
        return Sample.of(answer, source, tuple(planted), recipe)
    return Sample.of(
        answer, source, None, f"{quantity(num_clauses, 'random clause')} of three literals."
    )


def draw_parities(variables: int, rng: random.Random) -> Formula:
    """Draw parities on a cubic graph that together contradict each other."""
    places = draw_incidence(variables, rng)
    odd = [rng.choice((0, 1)) for _ in places]
    odd[0] ^= sum(odd) % 2 == 0
    clauses = [
        tuple(-variable if bits >> place & 1 else variable for place, variable in enumerate(edges))
        for edges, charge in zip(places, odd, strict=True)
        for bits in range(8)
        if bits.bit_count() % 2 != charge  # the clause forbids the values in `bits`
    ]
    return Formula(variables, tuple(clauses))
