"""The genetic algorithm of Berghman, Goossens and Leus, which breeds consistent codes.

A population of codes is crossed, mutated, inverted and permuted. A code is eligible if it is
consistent with all rows. When enough eligible codes have been found, or after a number of
generations, the next guess is the eligible code after which the fewest eligible codes remain on
average.
"""

import random
from dataclasses import dataclass
from typing import Any

from mmsat._util import Array, np
from mmsat.counting.codes import codes
from mmsat.errors import InputError
from mmsat.game import Code
from mmsat.game.game import Game
from mmsat.strategy.answers import partition_sizes
from mmsat.strategy.strategy import SeededStrategy, State

POPULATION = 150
"""Number of codes in a population."""
MAX_GENERATIONS = 100
"""Maximum number of generations per guess, if a code is eligible by then."""
MAX_ELIGIBLE_CODES = 60
"""Number of eligible codes that ends the search."""
MUTATION, PERMUTATION, INVERSION = 0.03, 0.03, 0.02
"""Probabilities of changes to a child. Every child results from a crossover at one or two
points."""
SOLVER_FACTOR = 5
"""If no code is eligible after this many times `maxgen` generations, a solver finds one."""


@dataclass(eq=False, repr=False, kw_only=True)
class Genetic(SeededStrategy):
    """Breeds consistent codes, for games too large to list. The first guess is fixed."""

    name = "genetic"
    summary = "eligible codes by a genetic algorithm, the best of them by the others"
    source = "Berghman, Goossens, Leus, Efficient solutions for Mastermind, 2009"
    is_consistent = True

    population: int = POPULATION
    """Number of codes in a population."""
    maxgen: int = MAX_GENERATIONS
    """Maximum number of generations per guess, if a code is eligible by then."""
    maxsize: int = MAX_ELIGIBLE_CODES
    """Number of eligible codes that ends the search."""

    def check(self, game: Game) -> None:
        """Raise InputError for games of words, which cannot be crossed."""
        if game.space.name not in {"repeats", "distinct"}:
            raise InputError.of(
                "the game",
                "a game without a word list",
                str(game),
                "genetic combines codes into new codes",
            )
        super().check(game)

    def choose(self, state: State) -> Code:
        game = state.game
        if not state.rows:
            return pair_colors(game)
        rng = self.random(state)
        eligible = sorted(self.breed(state, rng))
        if len(eligible) == 1:
            return eligible[0]
        return choose_best(game, eligible)

    def breed(self, state: State, rng: random.Random) -> set[Code]:
        """Return `maxsize` or more eligible codes, or all those found in `maxgen` generations.

        If no code is eligible, the search continues for up to SOLVER_FACTOR times `maxgen`
        generations, and then a solver finds a code.
        """
        breeder = Breeder(state, self.population, np.random.default_rng(rng.getrandbits(64)))
        eligible: set[Code] = set()
        for generation in range(SOLVER_FACTOR * self.maxgen):
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

    def __init__(self, state: State, population: int, rng: Any) -> None:
        self.game = state.game
        self.rows = state.rows
        self.size = population
        self.rng = rng
        self.codes = self.random_codes(population)
        self.distances = self.measure_distances()

    def random_codes(self, num_codes: int) -> Array:
        """Return random codes; shape (codes, pegs)."""
        game = self.game
        if game.space.has_repeats:
            return np.asarray(self.rng.integers(game.colors, size=(num_codes, game.pegs)))
        shuffled_colors = self.rng.random((num_codes, game.colors)).argsort(axis=1)
        return np.asarray(shuffled_colors[:, : game.pegs])

    def measure_distances(self) -> Array:
        """Return for each code the total difference between its scores and those of the rows."""
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
        """Return the codes that are consistent with all rows."""
        codes: Array = self.codes[self.distances == 0]
        return codes

    def advance(self) -> None:
        """Replace the population by its children; duplicate children are replaced by random codes.

        Parents are chosen by tournaments of two.
        """
        rng, size, pegs = self.rng, self.size, self.game.pegs
        pairs = rng.integers(size, size=(2, size, 2))
        is_first_fitter = self.distances[pairs[..., 0]] <= self.distances[pairs[..., 1]]
        mother, father = self.codes[np.where(is_first_fitter, pairs[..., 0], pairs[..., 1])]
        cuts = np.sort(rng.integers(pegs + 1, size=(size, 2)), axis=1)
        cuts[rng.random(size) < 0.5, 1] = pegs  # a crossover at one point
        peg_numbers = np.arange(pegs)
        is_from_father = (peg_numbers >= cuts[:, :1]) & (peg_numbers < cuts[:, 1:])
        children = np.where(is_from_father, father, mother)
        for child in np.flatnonzero(rng.random(size) < MUTATION):
            children[child, rng.integers(pegs)] = rng.integers(self.game.colors)
        for child in np.flatnonzero(rng.random(size) < PERMUTATION):
            peg, other_peg = rng.integers(pegs, size=2)
            children[child, [peg, other_peg]] = children[child, [other_peg, peg]]
        for child in np.flatnonzero(rng.random(size) < INVERSION):
            low, high = np.sort(rng.integers(pegs + 1, size=2))
            children[child, low:high] = children[child, low:high][::-1]
        unique = np.unique(children, axis=0)
        if not self.game.space.has_repeats:
            sorted_colors = np.sort(unique, axis=1)
            unique = unique[(sorted_colors[:, 1:] != sorted_colors[:, :-1]).all(axis=1)]
        self.codes = np.concatenate((unique, self.random_codes(size - len(unique))))
        self.distances = self.measure_distances()


def pair_colors(game: Game) -> Code:
    """Return pairs of one color and two single pegs: 1123 for four pegs, 11223345 for eight."""
    if not game.space.has_repeats:
        return tuple(range(game.pegs))
    pairs = max(0, (game.pegs - 2) // 2)
    colors = [peg // 2 if peg < 2 * pairs else peg - pairs for peg in range(game.pegs)]
    return tuple(color % game.colors for color in colors)


def choose_best(game: Game, eligible: list[Code]) -> Code:
    """Return the first of the codes after which the fewest of them remain on average."""
    codes = np.array(eligible, dtype=np.min_scalar_type(game.colors - 1))
    partitions = zip(partition_sizes(game, codes, eligible), eligible, strict=True)
    return min((sum(size * size for size in sizes), guess) for sizes, guess in partitions)[1]
