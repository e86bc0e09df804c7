"""A plain checker of the format SCPOG, written from its published definition alone.

The definition is that of R. E. Bryant, Y. K. Tan and M. J. H. Heule, "Certifying projected
knowledge compilation", SAT 2025. Projection, structural lemmas and deletion are not supported,
because mmsat does not write them.
"""

from __future__ import annotations

from fractions import Fraction

from tests.support.plain_proofs import implied

Clauses = dict[int, tuple[int, ...]]


def scpog_count(cnf: str, scpog: str) -> int | None:
    """Return the number of models that a certificate proves, or None if it proves nothing."""
    variables, clauses = read_cnf(cnf)
    inputs = [*clauses.values()]
    definitions: Clauses = {}
    nodes: dict[int, tuple[str, list[int]]] = {}
    supports: dict[int, set[int]] = {variable: {variable} for variable in range(1, variables + 1)}
    root = None
    lemmas = []
    last = len(clauses)
    for line in scpog.splitlines():
        if line.startswith("r "):
            if root is not None:
                return None
            root = int(line.removeprefix("r "))
            continue
        number, kind, *words = line.split(" ")
        numbers = [int(word) for word in words]
        if int(number) != last + 1 or numbers.pop() != 0:
            return None
        if kind == "a":
            place = numbers.index(0)
            lemma, hints = numbers[:place], numbers[place + 1 :]
            if not implied(clauses, lemma, hints):
                return None
            last += 1
            clauses[last] = tuple(lemma)
            lemmas.append(lemma)
            continue
        node, *numbers = numbers
        arguments = numbers if kind == "p" else numbers[:2]
        if node in supports or any(abs(argument) not in supports for argument in arguments):
            return None
        if any(argument < -variables for argument in arguments):  # only literals are negated
            return None
        sizes = [len(supports[abs(argument)]) for argument in arguments]
        supports[node] = set().union(*(supports[abs(argument)] for argument in arguments))
        if kind == "p":
            if sum(sizes) != len(supports[node]):
                return None
            added = [(node, *(-one for one in arguments)), *((-node, one) for one in arguments)]
        elif kind == "s":
            if not implied(definitions, [-argument for argument in arguments], numbers[2:]):
                return None
            added = [(-node, *arguments), *((node, -one) for one in arguments)]
        else:
            return None
        nodes[node] = kind, arguments
        new = dict(enumerate(added, last + 1))
        definitions |= new
        clauses |= new
        last += len(new)
    if root == 0:
        return 0 if [] in lemmas else None
    if [root] not in lemmas or not all(implies(nodes, root, {*clause}) for clause in inputs):
        return None
    return int(density(nodes, root) * 2**variables)


def read_cnf(text: str) -> tuple[int, Clauses]:
    """Return the number of variables and the clauses of a formula in DIMACS."""
    lines = [line for line in text.splitlines() if not line.startswith("c")]
    variables, size = map(int, lines[0].removeprefix("p cnf ").split())
    clauses = [tuple(map(int, line.split()))[:-1] for line in lines[1:]]
    assert len(clauses) == size
    return variables, dict(enumerate(clauses, 1))


def implies(nodes: dict[int, tuple[str, list[int]]], root: int, clause: set[int]) -> bool:
    """Return whether the root implies a clause, by propagation from the leaves to the root."""
    false = {*clause}
    for node, (kind, arguments) in nodes.items():  # each node comes after its arguments
        are_false = [argument in false for argument in arguments]
        if any(are_false) if kind == "p" else all(are_false):
            false.add(node)
    return root in false


def density(nodes: dict[int, tuple[str, list[int]]], root: int) -> Fraction:
    """Return the fraction of assignments that are models of the root."""
    densities: dict[int, Fraction] = {}
    for node, (kind, arguments) in nodes.items():
        values = [densities.get(argument, Fraction(1, 2)) for argument in arguments]
        total = Fraction(kind == "p")
        for value in values:
            total = total * value if kind == "p" else total + value
        densities[node] = total
    return densities[root]
