"""The genetic algorithm of Berghman, Goossens and Leus: consistent codes are bred, not listed.

A population of codes is crossed, mutated, inverted and permuted; those whose scores would be those
of the rows are eligible. When enough are known, or the generations are over, the one is guessed
that leaves the fewest of the others.
"""

import random
from dataclasses import dataclass
from typing import Any

from mmsat.arrays import Array, np
from mmsat.enumeration.codes import codes
from mmsat.errors import InputError
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.strategy.answers import partition_sizes
from mmsat.strategy.state import State
from mmsat.strategy.strategy import SeededStrategy

POPULATION = 150
MAXGEN = 100
"""Generations of one guess, unless no code is eligible after them."""
MAXSIZE = 60
"""Eligible codes that are enough."""
MUTATION, PERMUTATION, INVERSION = 0.03, 0.03, 0.02
"""The chances that a child is changed; it always comes of a crossover, of one point or of two."""
PATIENCE = 5
"""Times the generations without any eligible code after which a solver is asked for one."""


@dataclass(eq=False, repr=False, kw_only=True)
class Genetic(SeededStrategy):
    """For games too large to be listed. Every guess but the first is consistent."""

    name = "genetic"
    summary = "eligible codes by a genetic algorithm, the best of them by the others"
    source = "Berghman, Goossens, Leus, Efficient solutions for Mastermind, 2009"
    is_consistent = True

    population: int = POPULATION
    maxgen: int = MAXGEN
    maxsize: int = MAXSIZE

    def check(self, game: Game) -> None:
        """Raise InputError for games of words, which can't be crossed."""
        if game.space.name not in {"repeats", "distinct"}:
            raise InputError.of(
                "the strategy", "a size", str(game), "genetic breeds codes, and words can't be bred"
            )
        super().check(game)

    def choose(self, state: State) -> Code:
        game = state.game
        if not state.rows:
            return pair_colors(game)
        source = self.random(state)
        eligible = sorted(self.breed(state, source))
        if len(eligible) == 1:
            return eligible[0]
        return leave_fewest(game, eligible)

    def breed(self, state: State, source: random.Random) -> set[Code]:
        """Eligible codes: maxsize of them, or as many as maxgen generations find, but one."""
        numbers = np.random.default_rng(source.getrandbits(64))
        breeder = Breeder(state, self.population, numbers)
        eligible: set[Code] = set()
        for generation in range(PATIENCE * self.maxgen):
            if eligible and generation >= self.maxgen:
                break
            eligible.update(map(tuple, breeder.eligible().tolist()))
            if len(eligible) >= self.maxsize:
                break
            breeder.advance()
        if not eligible:
            eligible.add(next(iter(codes(state.board))))
        return eligible


class Breeder:
    """A population, and how it goes on."""

    def __init__(self, state: State, population: int, numbers: Any) -> None:
        self.game = state.game
        self.rows = state.rows
        self.size = population
        self.numbers = numbers
        self.codes = self.create(population)
        self.distance = self.measure()

    def create(self, many: int) -> Array:
        """Random codes."""
        game = self.game
        if game.space.has_repeats:
            return np.asarray(self.numbers.integers(game.colors, size=(many, game.pegs)))
        order = self.numbers.random((many, game.colors)).argsort(axis=1)
        return np.asarray(order[:, : game.pegs])

    def measure(self) -> Array:
        """How far each code's scores are from those of the rows, added up."""
        scoring = self.game.scoring
        total = np.zeros(len(self.codes), dtype=np.int64)
        for guess, score in self.rows:
            read = [part for part, number in enumerate(score) if number is not None]
            wanted = np.array([score[part] for part in read], dtype=np.int64)
            apart = scoring.score_all(self.codes, guess)[:, read].astype(np.int64) - wanted
            total += ((apart != 0) if scoring.marks else abs(apart)).sum(axis=1)
        return total

    def eligible(self) -> Array:
        """The codes with all scores right."""
        found: Array = self.codes[self.distance == 0]
        return found

    def advance(self) -> None:
        """The next generation: children of the fitter half by tournament, twins made anew."""
        numbers, size, pegs = self.numbers, self.size, self.game.pegs
        pairs = numbers.integers(size, size=(2, size, 2))
        won = self.distance[pairs[..., 0]] <= self.distance[pairs[..., 1]]
        mother, father = self.codes[np.where(won, pairs[..., 0], pairs[..., 1])]
        cuts = np.sort(numbers.integers(pegs + 1, size=(size, 2)), axis=1)
        cuts[numbers.random(size) < 0.5, 1] = pegs  # of one point
        places = np.arange(pegs)
        between = (places >= cuts[:, :1]) & (places < cuts[:, 1:])
        children = np.where(between, father, mother)
        for child in np.flatnonzero(numbers.random(size) < MUTATION):
            children[child, numbers.integers(pegs)] = numbers.integers(self.game.colors)
        for child in np.flatnonzero(numbers.random(size) < PERMUTATION):
            one, other = numbers.integers(pegs, size=2)
            children[child, [one, other]] = children[child, [other, one]]
        for child in np.flatnonzero(numbers.random(size) < INVERSION):
            low, high = np.sort(numbers.integers(pegs + 1, size=2))
            children[child, low:high] = children[child, low:high][::-1]
        unique = np.unique(children, axis=0)
        if not self.game.space.has_repeats:
            ranked = np.sort(unique, axis=1)
            unique = unique[(ranked[:, 1:] != ranked[:, :-1]).all(axis=1)]
        self.codes = np.concatenate((unique, self.create(size - len(unique))))
        self.distance = self.measure()


def pair_colors(game: Game) -> Code:
    """Pairs, and two colors on their own: 1123 for four pegs, 11223345 for eight."""
    if not game.space.has_repeats:
        return tuple(range(game.pegs))
    pairs = max(0, (game.pegs - 2) // 2)
    colors = [peg // 2 if peg < 2 * pairs else peg - pairs for peg in range(game.pegs)]
    return tuple(color % game.colors for color in colors)


def leave_fewest(game: Game, eligible: list[Code]) -> Code:
    """The code that leaves the fewest of the others on average; the first among equals."""
    codes = np.array(eligible, dtype=np.min_scalar_type(game.colors - 1))
    tables = zip(partition_sizes(game, codes, eligible), eligible, strict=True)
    return min((sum(size * size for size in sizes), guess) for sizes, guess in tables)[1]
