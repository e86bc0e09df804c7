"""Strategies that guess consistent codes.

- first-consistent, next-consistent and random-consistent choose from the list of possible codes.
- any-consistent and sat-consistent use solvers, for games of any size.
- six-guess, for four pegs and six colors, makes three fixed guesses. Then the remaining codes are
  sorted by the number of duplicates (abcd none, aabc one, aabb and aaab two, aaaa three), then
  alphabetically, and the first code of the list is guessed each time. For thirteen lists, the
  fourth guess is a different one.
- genetic, the algorithm of Berghman, Goossens and Leus, breeds consistent codes. A population of
  codes is crossed, mutated, inverted and permuted. A code is eligible if it is consistent with all
  rows. When enough eligible codes have been found, or after a number of generations, the next guess
  is the eligible code after which the fewest eligible codes remain on average.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any

from mmsat._util import Array, np
from mmsat.constraints import System
from mmsat.counting.codes import codes
from mmsat.encoding.cnf import Builder, require_memory
from mmsat.errors import InputError
from mmsat.game import Code, Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.unread import constraints
from mmsat.solving import verify_witness
from mmsat.solving.sat import GrowingSolver, code_of
from mmsat.strategy.answers import partition_sizes
from mmsat.strategy.candidates import (
    explore_colors,
    find_code,
    no_code_error,
    paired_code,
    remaining_codes,
)
from mmsat.strategy.strategy import SeededStrategy, State, Strategy


class FirstConsistent(Strategy):
    """Guesses the possible codes in lexicographic order."""

    name = "first-consistent"
    summary = "the first consistent code in order"
    source = "Shapiro 1983; Kooi's simple strategy (2005)"
    is_consistent = True

    def choose(self, state: State) -> Code:
        return tuple(remaining_codes(state)[0].tolist())


class NextConsistent(SeededStrategy):
    """Starts at a random code, as the first codes in order have the same first pegs."""

    name = "next-consistent"
    summary = "the next consistent code after the last guess, from a random start"
    source = "Swaszek, The mastermind novice, 1999-2000"
    is_consistent = True

    def choose(self, state: State) -> Code:
        num_codes = len(remaining_codes(state))
        if not state.rows:
            return state.code(self.random(state).randrange(num_codes))
        return state.code(count_up_to(state, state.rows[-1].guess) % num_codes)


def count_up_to(state: State, guess: Code) -> int:
    """Return the number of consistent codes up to and including a guess, in lexicographic order."""
    return bisect_right(range(len(state)), guess, key=state.code)


class RandomConsistent(SeededStrategy):
    """Guesses a random possible code, as careful people do."""

    name = "random-consistent"
    summary = "a random consistent code"
    source = "Swaszek, The mastermind novice, 1999-2000"
    is_consistent = True

    def choose(self, state: State) -> Code:
        return state.code(self.random(state).randrange(len(remaining_codes(state))))


MAX_PROPAGATIONS = 30_000_000
"""Maximum number of propagations of the solver of sat-consistent per row: a few seconds. If this is
not enough, other solvers are used."""

SOLVER, ENCODING = "minicard", "native"
"""The solver of sat-consistent and its native encoding of cardinality constraints, which suits
dense rows; see solving/sat.py."""


class AnyConsistent(SeededStrategy):
    """Finds codes by annealing, SAT and CP-SAT in turn: the fastest strategy in large games.

    Until all colors have been guessed, the guesses are codes with few unexplored colors (see
    strategy/candidates.py). The first guess is AAA..BBB..CCC.., or a balanced code if that is
    not a code of the game.
    """

    name = "any-consistent"
    summary = "any consistent code, by annealing, SAT and CP-SAT; the fastest in large games"
    source = "annealing: Bernier et al. 1996; SAT: Bohlender 2020"
    is_consistent = True

    def choose(self, state: State) -> Code:
        seed = self.random(state).getrandbits(31)
        if guess := explore_colors(state.board, seed):
            return guess
        if not state.rows and (first := paired_code(state.game)):
            return first
        code = find_code(state.board, seed)
        if code is None:
            raise no_code_error(state.board)
        return code


@dataclass(eq=False, repr=False, kw_only=True)
class SatConsistent(Strategy):
    """Guesses consistent codes found by a SAT solver; the first guess is balanced.

    The solver keeps its learned clauses for the next guess. The solver runs after every row, even
    if another player made the guess, so that a guess depends only on the board. If the solver
    exceeds its budget, the code is found by annealing, SAT and CP-SAT as in any-consistent.
    """

    name = "sat-consistent"
    summary = "the first consistent code of an incremental SAT solver"
    source = "Bohlender 2020, with one counter per color for all rows"
    is_consistent = True

    propagations: int = MAX_PROPAGATIONS
    """Maximum number of propagations of the solver per row."""
    _solver: IncrementalSat | None = field(default=None, init=False)
    _code: Code | None = field(default=None, init=False)
    """The code found after the last row of the solver; None if there is none, or not decided."""
    _is_decided: bool = field(default=True, init=False)
    """Whether the solver finished within its budget."""

    def choose(self, state: State) -> Code:
        """Return the code that the solver finds.

        Raises SizeError if the formula needs too much memory.
        """
        if not state.rows and (first := paired_code(state.game)):
            return first
        solver = self._solver
        if (
            solver is None
            or solver.game != state.game
            or list(state.rows[: len(solver.rows)]) != solver.rows
        ):
            self.close()
            solver = self._solver = IncrementalSat(state.game)
            self._is_decided, self._code = solver.find_code(self.propagations)
        for row in state.rows[len(solver.rows) :]:
            solver.add(row)
            self._is_decided, self._code = solver.find_code(self.propagations)
        if not self._is_decided:
            self._is_decided, self._code = True, find_code(state.board, 0)
        code = verify_witness(state.board, self._code, self.name).code
        if code is None:
            raise no_code_error(state.board)
        return code

    def close(self) -> None:
        """Release the solver; the next guess creates another one."""
        if self._solver is not None:
            self._solver.close()
            self._solver = None


class IncrementalSat:
    """An incremental SAT formula of the codes of a game and the rows added so far.

    All rows share one counter per color.
    """

    def __init__(self, game: Game) -> None:
        """Encode the game without rows; raise SizeError if that needs too much memory."""
        self.game = game
        self.rows: list[Row] = []
        system = System.of(Board(game))
        require_memory(system, ENCODING)
        self._builder = Builder(system, ENCODING)
        for color in range(game.colors):
            self._builder.count_color(color, game.pegs)
        self._growing_solver = GrowingSolver(SOLVER, self._builder.formula)
        self._solver = self._growing_solver.solver

    def add(self, row: Row) -> None:
        """Add the constraints of a row."""
        self.rows.append(row)
        for constraint in constraints(self.game, row):
            self._builder.add(constraint)
        self._growing_solver.catch_up()

    def find_code(self, propagations: int) -> tuple[bool, Code | None]:
        """Search for a consistent code, with a limit on the number of propagations.

        Returns whether the search was decided within the limit, and the code; None if no code was
        found.
        """
        self._solver.prop_budget(propagations)
        is_satisfiable = self._solver.solve_limited()  # None if the limit was reached
        return is_satisfiable is not None, self._model() if is_satisfiable else None

    def code(self) -> Code | None:
        """Return a consistent code, or None if the board is inconsistent; without a limit."""
        return self._model() if self._solver.solve() else None

    def _model(self) -> Code:
        return code_of(self._solver.get_model(), self.game.variables)

    def close(self) -> None:
        """Release the solver."""
        self._solver.delete()


FIRST_GUESSES = ("abcd", "bcde", "cdef")
"""The first three guesses of six-guess."""
EXCEPTIONS = {
    "acfb": "dcad",
    "aebf": "edfd",
    "aefb": "eacc",
    "afbe": "bfcd",
    "bafe": "eadc",
    "beaf": "edae",
    "befa": "eeda",
    "eabf": "fdfb",
    "aadb": "babd",
    "abae": "bbcc",
    "aeaf": "cffd",
    "cafa": "fdfa",
    "aaee": "dddf",
}
"""The fourth guess of six-guess for thirteen first codes of the list; otherwise, the first code is
guessed."""


class SixGuess(Strategy):
    """Plays rules that are simple enough to memorize; never needs more than six guesses."""

    name = "six-guess"
    summary = "three fixed guesses, then a list with thirteen exceptions; four pegs, six colors"
    source = "the encyclopedia's article on Mastermind, unattributed"

    def choose(self, state: State) -> Code:
        turn = len(state.rows)
        if turn < len(FIRST_GUESSES) and not self.consistent_only:
            return parse_letters(FIRST_GUESSES[turn])
        first_code = min(map(tuple, remaining_codes(state).tolist()), key=by_duplicates)
        if turn == len(FIRST_GUESSES) and not self.consistent_only:
            for code, guess in EXCEPTIONS.items():
                if first_code == parse_letters(code):
                    return parse_letters(guess)
        return first_code

    def check(self, game: Game) -> None:
        """Raise InputError for any other game."""
        is_supported_size = (game.pegs, game.colors, game.space.name) == (4, 6, "repeats")
        if not is_supported_size or game.scoring.name != "black-white":
            raise InputError.of(
                "the game", "4x6", str(game), "the six-guess algorithm supports no other game"
            )
        super().check(game)


def parse_letters(letters: str) -> Code:
    """Return the colors of a guess written in letters."""
    return tuple(ord(letter) - ord("a") for letter in letters)


def by_duplicates(code: Code) -> tuple[int, Code]:
    """Return the sort key of the list: the number of pegs that repeat a color, then the code."""
    return len(code) - len(set(code)), code


POPULATION = 150
"""Number of codes in a population."""
MAX_GENERATIONS = 100
"""Maximum number of generations per guess, if a code is eligible by then."""
MAX_ELIGIBLE_CODES = 60
"""The search ends when this many eligible codes have been found."""
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
    """The search ends when this many eligible codes have been found."""

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
            code = next(iter(codes(state.board)), None)
            if code is None:
                raise no_code_error(state.board)
            eligible.add(code)
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
        """Replace the population by its children, and duplicate children by random codes.

        Of two random codes, the one with the smaller distance becomes a parent.
        """
        rng, size, pegs = self.rng, self.size, self.game.pegs
        pairs = rng.integers(size, size=(2, size, 2))
        is_first_better = self.distances[pairs[..., 0]] <= self.distances[pairs[..., 1]]
        mother, father = self.codes[np.where(is_first_better, pairs[..., 0], pairs[..., 1])]
        cuts = np.sort(rng.integers(pegs + 1, size=(size, 2)), axis=1)
        # The pegs between two points are from the father. Half of the children have only one
        # point, and all pegs after it are from the father.
        cuts[rng.random(size) < 0.5, 1] = pegs
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
