"""The genetic algorithm of Berghman, Goossens and Leus, which breeds consistent codes.

A population of codes is crossed, mutated, inverted and permuted. A code is eligible if it would get
the scores of all rows. When enough eligible codes are known, or after a number of generations, the
next guess is the eligible code that leaves the fewest of the others on average.
"""

import random
from dataclasses import dataclass
from typing import Any

from mmsat._util.arrays import Array, np
from mmsat.counting.codes import codes
from mmsat.errors import InputError
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.strategy.answers import partition_sizes
from mmsat.strategy.strategy import SeededStrategy, State

POPULATION = 150
"""Number of codes in a population."""
MAXGEN = 100
"""Maximum number of generations per guess, if some code is eligible by then."""
MAXSIZE = 60
"""Number of eligible codes that are enough."""
MUTATION, PERMUTATION, INVERSION = 0.03, 0.03, 0.02
"""Probabilities of changes to a child, after the crossover at one or two points that each child
has."""
SOLVER_MAXGENS = 5
"""If no code is eligible after this many times `maxgen` generations, a solver finds one."""


@dataclass(eq=False, repr=False, kw_only=True)
class Genetic(SeededStrategy):
    """Breeds consistent codes, for games too large to be listed. Only the first guess is fixed."""

    name = "genetic"
    summary = "eligible codes by a genetic algorithm, the best of them by the others"
    source = "Berghman, Goossens, Leus, Efficient solutions for Mastermind, 2009"
    is_consistent = True

    population: int = POPULATION
    """Number of codes in a population."""
    maxgen: int = MAXGEN
    """Maximum number of generations per guess, if some code is eligible by then."""
    maxsize: int = MAXSIZE
    """Number of eligible codes that are enough."""

    def check(self, game: Game) -> None:
        """Raise InputError for games of words, which cannot be crossed."""
        if game.space.name not in {"repeats", "distinct"}:
            raise InputError.of(
                "the game",
                "a game without a word list",
                str(game),
                "genetic combines codes to new ones",
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
        """Return `maxsize` or more eligible codes, or all those found in `maxgen` generations.

        If there are none, the search continues up to SOLVER_MAXGENS times `maxgen` generations, and
        then a solver finds one.
        """
        generator = np.random.default_rng(source.getrandbits(64))
        breeder = Breeder(state, self.population, generator)
        eligible: set[Code] = set()
        for generation in range(SOLVER_MAXGENS * self.maxgen):
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
    """A population of codes that evolves."""

    def __init__(self, state: State, population: int, numbers: Any) -> None:
        self.game = state.game
        self.rows = state.rows
        self.size = population
        self.numbers = numbers
        self.codes = self.create(population)
        self.distance = self.measure()

    def create(self, many: int) -> Array:
        """Return `many` random codes."""
        game = self.game
        if game.space.has_repeats:
            return np.asarray(self.numbers.integers(game.colors, size=(many, game.pegs)))
        shuffled_colors = self.numbers.random((many, game.colors)).argsort(axis=1)
        return np.asarray(shuffled_colors[:, : game.pegs])

    def measure(self) -> Array:
        """Return the sum of the differences between each code's scores and those of the rows."""
        scoring = self.game.scoring
        total = np.zeros(len(self.codes), dtype=np.int64)
        for guess, score in self.rows:
            read_parts = [part for part, number in enumerate(score) if number is not None]
            row_score = np.array([score[part] for part in read_parts], dtype=np.int64)
            differences = (
                scoring.score_all(self.codes, guess)[:, read_parts].astype(np.int64) - row_score
            )
            total += ((differences != 0) if scoring.marks else abs(differences)).sum(axis=1)
        return total

    def eligible(self) -> Array:
        """Return the codes that get all scores."""
        codes: Array = self.codes[self.distance == 0]
        return codes

    def advance(self) -> None:
        """Replace the population by its children; duplicate children are replaced by random codes.

        Parents are chosen by tournaments of two.
        """
        numbers, size, pegs = self.numbers, self.size, self.game.pegs
        pairs = numbers.integers(size, size=(2, size, 2))
        is_first_fitter = self.distance[pairs[..., 0]] <= self.distance[pairs[..., 1]]
        mother, father = self.codes[np.where(is_first_fitter, pairs[..., 0], pairs[..., 1])]
        cuts = np.sort(numbers.integers(pegs + 1, size=(size, 2)), axis=1)
        cuts[numbers.random(size) < 0.5, 1] = pegs  # a crossover at one point
        peg_numbers = np.arange(pegs)
        is_from_father = (peg_numbers >= cuts[:, :1]) & (peg_numbers < cuts[:, 1:])
        children = np.where(is_from_father, father, mother)
        for child in np.flatnonzero(numbers.random(size) < MUTATION):
            children[child, numbers.integers(pegs)] = numbers.integers(self.game.colors)
        for child in np.flatnonzero(numbers.random(size) < PERMUTATION):
            peg, other_peg = numbers.integers(pegs, size=2)
            children[child, [peg, other_peg]] = children[child, [other_peg, peg]]
        for child in np.flatnonzero(numbers.random(size) < INVERSION):
            low, high = np.sort(numbers.integers(pegs + 1, size=2))
            children[child, low:high] = children[child, low:high][::-1]
        unique = np.unique(children, axis=0)
        if not self.game.space.has_repeats:
            sorted_colors = np.sort(unique, axis=1)
            unique = unique[(sorted_colors[:, 1:] != sorted_colors[:, :-1]).all(axis=1)]
        self.codes = np.concatenate((unique, self.create(size - len(unique))))
        self.distance = self.measure()


def pair_colors(game: Game) -> Code:
    """Return pairs of colors and two single ones: 1123 for four pegs, 11223345 for eight."""
    if not game.space.has_repeats:
        return tuple(range(game.pegs))
    pairs = max(0, (game.pegs - 2) // 2)
    colors = [peg // 2 if peg < 2 * pairs else peg - pairs for peg in range(game.pegs)]
    return tuple(color % game.colors for color in colors)


def leave_fewest(game: Game, eligible: list[Code]) -> Code:
    """Return the code that leaves the fewest of the others on average; the first among equals."""
    codes = np.array(eligible, dtype=np.min_scalar_type(game.colors - 1))
    tables = zip(partition_sizes(game, codes, eligible), eligible, strict=True)
    return min((sum(size * size for size in sizes), guess) for sizes, guess in tables)[1]
