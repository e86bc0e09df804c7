"""Small sources for exhaustive tests: all tiny ones of a kind, and random small ones.

`tiny(kind)` and `random_source(kind, rng)` depend on the kind of source. Reductions with more
conditions refuse most of these, so `fitting(name, rng)` generates random sources for them.
"""

from __future__ import annotations

from itertools import chain, combinations, combinations_with_replacement, permutations, product
from typing import TYPE_CHECKING, Any

from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.reductions import Equation, System01
from mmsat.reductions.sources import Cover, Formula, Graph, Matrix, Triples
from tests.support.random_boards import random_guess

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable, Iterator

    from mmsat.reductions.reduction import Reduction


TRIANGLES = ((0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5))
"""The edges of two triangles."""


def bags(things: Iterable[Any], most: int) -> Iterator[tuple[Any, ...]]:
    """Yield every multiset of at most `most` things."""
    every = list(things)
    return chain.from_iterable(
        combinations_with_replacement(every, index) for index in range(most + 1)
    )


def subsets(things: Iterable[Any], most: int | None = None) -> Iterator[tuple[Any, ...]]:
    """Yield every set of at most `most` things (None: of any size), in order of size."""
    every = list(things)
    top = len(every) if most is None else most
    return chain.from_iterable(combinations(every, index) for index in range(top + 1))


def tiny_formulas() -> Iterator[Formula]:
    """Yield every formula of up to two variables and two clauses of up to three literals.

    Clauses, and literals of a clause, may repeat.
    """
    for n in (0, 1, 2):
        literals = [sign * x for x in range(1, n + 1) for sign in (1, -1)]
        yield from (Formula(n, clauses) for clauses in bags(bags(literals, 3), 2))


def tiny_graphs() -> Iterator[Graph]:
    """Yield every graph of up to three nodes."""
    for n in (1, 2, 3):
        pairs = combinations(range(n), 2)
        yield from (Graph(tuple("abc"[:n]), edges) for edges in subsets(pairs))


def tiny_covers() -> Iterator[Cover]:
    """Yield every collection of up to three sets of up to three elements."""
    for n in (1, 2, 3):
        sets = [subset for subset in subsets(range(1, n + 1)) if subset]
        yield from (Cover(n, chosen) for chosen in bags(sets, 3))


def tiny_triples() -> Iterator[Triples]:
    """Yield every collection of up to three triples of one or two things of each kind."""
    for n in (1, 2):
        every = product(range(1, n + 1), repeat=3)
        yield from (Triples(n, chosen) for chosen in bags(every, 3))


def tiny_matrices() -> Iterator[Matrix]:
    """Yield every 0/1 matrix of up to three rows and as many columns."""
    for n in (1, 2, 3):
        yield from (Matrix(rows) for rows in product(product((0, 1), repeat=n), repeat=n))


def tiny_systems() -> Iterator[System01]:
    """Yield every equation of one or two variables with coefficients from -2 to 2."""
    for n in (1, 2):
        for factors in product(range(-2, 3), repeat=n):
            yield from (System01(n, (Equation(factors, total),)) for total in range(-2, 4))


def tiny_boards() -> Iterator[Board]:
    """Yield boards of two pegs of two colors, scored by black-white and by black only.

    The first of two rows has the first color at both pegs.
    """
    for size in ("2x2", "2x2b"):
        game = Game.parse(size)
        guesses = list(product(range(2), repeat=2))
        scores = [score for score in product(range(3), repeat=len(game.parts)) if sum(score) <= 2]
        for first, score, guess in product(scores, scores, guesses):
            yield Board(game, (Row((0, 0), first), Row(guess, score)))


TINY: dict[str, Callable[[], Iterator[Any]]] = {
    "formula": tiny_formulas,
    "graph": tiny_graphs,
    "cover": tiny_covers,
    "triples": tiny_triples,
    "matrix": tiny_matrices,
    "system": tiny_systems,
    "board": tiny_boards,
}


def random_formula(rng: random.Random) -> Formula:
    """Return a formula of up to four variables and five clauses of up to three literals."""
    n = rng.randint(1, 4)
    literals = [sign * x for x in range(1, n + 1) for sign in (1, -1)]
    return Formula(
        n,
        tuple(
            tuple(rng.choice(literals) for _ in range(rng.choice((1, 2, 3, 3, 3))))
            for _ in range(rng.randint(1, 5))
        ),
    )


def random_graph(rng: random.Random) -> Graph:
    """Return a graph of up to five nodes."""
    n = rng.randint(2, 5)
    edges = [pair for pair in combinations(range(n), 2) if rng.random() < 0.5]
    return Graph(tuple(range(1, n + 1)), tuple(edges))


def random_cover(rng: random.Random) -> Cover:
    """Return a cover problem of up to six elements and sets, often with sets of equal size."""
    n = rng.randint(2, 6)
    size = rng.choice([1, 2, 3, None])
    sets = []
    for _ in range(rng.randint(1, 6)):
        count = min(n, size or rng.randint(1, 3))
        sets.append(tuple(sorted(rng.sample(range(1, n + 1), count))))
    return Cover(n, tuple(sets))


def random_triples(rng: random.Random) -> Triples:
    """Return up to seven triples of up to three things of each kind.

    In half of the cases, triples of a matching are added.
    """
    n = rng.randint(1, 3)
    triples = [
        (rng.randint(1, n), rng.randint(1, n), rng.randint(1, n))
        for _ in range(rng.randint(0, 7 - n))
    ]
    if rng.random() < 0.5:
        orders = [rng.sample(range(1, n + 1), n) for _ in range(3)]
        triples += [(x, y, z) for x, y, z in zip(*orders, strict=True)]
    return Triples(n, tuple(triples))


def random_matrix(rng: random.Random) -> Matrix:
    """Return a 0/1 matrix of four rows and columns."""
    share = rng.uniform(0.3, 0.9)
    return Matrix(tuple(tuple(int(rng.random() < share) for _ in range(4)) for _ in range(4)))


def random_system(rng: random.Random) -> System01:
    """Return one or two equations of up to three variables, with coefficients from -3 to 3.

    Most equations hold for one drawn assignment.
    """
    n = rng.randint(1, 3)
    values = [rng.randint(0, 1) for _ in range(n)]
    equations = []
    for _ in range(rng.randint(1, 2)):
        factors = tuple(rng.randint(-3, 3) for _ in range(n))
        total = sum(factor * value for factor, value in zip(factors, values, strict=True))
        equations.append(Equation(factors, total + rng.choice([0, 0, 0, 1, -1])))
    return System01(n, tuple(equations))


def random_board(rng: random.Random) -> Board:
    """Return a board of up to four pegs of two or three colors.

    The first guess has the first color at all pegs.
    """
    game = Game.parse(f"{rng.randint(2, 4)}x{rng.choice((2, 2, 3))}{rng.choice(('', 'b'))}")
    secret = tuple(rng.randrange(game.colors) for _ in range(game.pegs))
    guesses = [
        (0,) * game.pegs,
        *(random_guess(rng, game) for _ in range(rng.randint(1, 3))),
    ]
    rows = [Row(guess, game.score(secret, guess)) for guess in guesses]
    if rng.random() < 0.4:
        rows[-1] = Row(rows[-1].guess, game.score(guesses[-1], secret[::-1]))
    return Board(game, tuple(rows))


RANDOM: dict[str, Callable[[random.Random], Any]] = {
    "formula": random_formula,
    "graph": random_graph,
    "cover": random_cover,
    "triples": random_triples,
    "matrix": random_matrix,
    "system": random_system,
    "board": random_board,
}


def regular_formula(rng: random.Random) -> Formula:
    """Return positive clauses of equal size; each of four or more variables is in three clauses."""
    while True:
        n = rng.choice((3, 4, 5, 6))
        slots = [x for x in range(1, n + 1) for _ in range(rng.choice((1, 2, 3)) if n < 4 else 3)]
        rng.shuffle(slots)
        size = rng.choice((2, 3))
        clauses = [tuple(slots[at : at + size]) for at in range(0, len(slots), size)]
        if all(len(set(clause)) == len(clause) for clause in clauses):
            return Formula(n, tuple(clauses))


def short_formula(rng: random.Random) -> Formula:
    """Return a formula of one or two variables and up to four clauses of one or two literals."""
    n = rng.randint(1, 2)
    literals = [sign * x for x in range(1, n + 1) for sign in (1, -1)]
    count = rng.randint(0, 4)
    return Formula(
        n, tuple(tuple(rng.sample(literals, rng.choice((1, 1, 2)))) for _ in range(count))
    )


def three_formula(rng: random.Random) -> Formula:
    """Return one or two clauses, each of which has three variables."""
    clauses = [
        tuple(rng.choice((1, -1)) * x for x in rng.sample(range(1, 4), 3))
        for _ in range(rng.randint(1, 2))
    ]
    return Formula(3, tuple(clauses))


def regular_graph(rng: random.Random) -> Graph:
    """Return a cycle, the complete graph of four nodes, or the prism."""
    return rng.choice(
        [
            *(Graph(tuple(range(n)), tuple((i, (i + 1) % n) for i in range(n))) for n in (3, 4, 5)),
            Graph(tuple("abcd"), tuple(combinations(range(4), 2))),
            Graph(tuple("abcdef"), ((0, 3), (1, 4), (2, 5), *TRIANGLES)),
        ]
    )


def regular_cover(rng: random.Random) -> Cover:
    """Return pairs of neighbors in a circle, or of the nodes of triangles, which have no cover."""
    n = rng.choice((4, 4, 6))
    if rng.random() < 0.5:
        order = rng.sample(range(1, n + 1), n)
        return Cover(n, tuple(tuple(sorted((order[i - 1], order[i]))) for i in range(n)))
    return Cover(6, tuple((a + 1, b + 1) for a, b in TRIANGLES))


def two_color_board(rng: random.Random) -> Board:
    """Return a random board of two colors."""
    while True:
        board = random_board(rng)
        if board.game.colors == 2:
            return board


def neutral_board(rng: random.Random) -> Board:
    """Return a board that is scored by black only, with a code without the first color.

    The last score may be changed, so that there may be no code.
    """
    game = Game(rng.randint(2, 4), 3, scoring=Game.parse("2x3b").scoring)
    secret = tuple(rng.randrange(1, 3) for _ in range(game.pegs))
    guesses = [
        (0,) * game.pegs,
        *(random_guess(rng, game) for _ in range(rng.randint(1, 3))),
    ]
    rows = [Row(guess, game.score(secret, guess)) for guess in guesses]
    if rng.random() < 0.4:
        rows[-1] = Row(rows[-1].guess, (rng.randint(0, game.pegs),))
    return Board(game, tuple(rows))


FITTING: dict[str, Callable[[random.Random], Any]] = {
    "another-solution": short_formula,
    "certain-peg": short_formula,
    "regular-one-in-k": regular_formula,
    "consistent-mastermind": three_formula,
    "vertex-cover-regular": regular_graph,
    "consistent-exact-cover": regular_cover,
    "permutation-game": two_color_board,
    "black-white-lift": neutral_board,
}


def fitting(name: str, kind: str, rng: random.Random) -> Any:
    """Return a random small source for a reduction, by its name and its kind of source."""
    return FITTING.get(name, RANDOM[kind])(rng)


def candidates(reduction: Reduction[Any, Any]) -> Iterator[Any]:
    """Return all objects that have the form of a certificate of this source."""
    source = reduction.source
    if isinstance(source, Formula):
        return product((False, True), repeat=source.variables)
    if isinstance(source, Graph) and reduction.name == "graph-coloring":
        return product(range(reduction.settings["k"]), repeat=len(source.nodes))
    if isinstance(source, Graph):
        return subsets(source.nodes)
    if isinstance(source, Cover):
        return subsets(range(len(source.sets)))
    if isinstance(source, Triples):
        return subsets(range(len(source.triples)))
    if isinstance(source, Matrix):
        return permutations(range(len(source.rows)))
    if isinstance(source, System01):
        return product((0, 1), repeat=source.variables)
    return product(range(source.game.colors), repeat=source.game.pegs)


def parameters(reduction: type[Reduction[Any, Any]]) -> Iterator[dict[str, int]]:
    """Yield small values of the parameters of a reduction."""
    for values in product(range(4), repeat=len(reduction.parameters)):
        yield dict(zip(reduction.parameters, values, strict=True))
