"""Strategies that guess consistent codes.

- first-consistent, next-consistent and random-consistent choose from the list of possible codes.
- any-consistent and sat-consistent use solvers, for games of any size.
- six-guess, for four pegs and six colors, makes three fixed guesses. Then the remaining codes are
  sorted by the number of duplicates (abcd none, aabc one, aabb and aaab two, aaaa three), then
  alphabetically, and the first code of the list is guessed each time. For thirteen lists, the
  fourth guess is a different one.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from mmsat.constraints import System
from mmsat.encoding.cnf import Builder, require_memory
from mmsat.errors import InputError
from mmsat.game import Code, Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.unread import constraints
from mmsat.solving import verify_witness
from mmsat.solving.sat import GrowingSolver, code_of
from mmsat.strategy.candidates import explore_colors, find_code, no_code_error, paired_code
from mmsat.strategy.strategy import SeededStrategy, State, Strategy


class FirstConsistent(Strategy):
    """Guesses the possible codes in lexicographic order."""

    name = "first-consistent"
    summary = "the first consistent code in order"
    source = "Shapiro 1983; Kooi's simple strategy (2005)"
    is_consistent = True

    def choose(self, state: State) -> Code:
        return state.code(0)


class NextConsistent(SeededStrategy):
    """Starts at a random code, as the first codes in order have the same first pegs."""

    name = "next-consistent"
    summary = "the next consistent code after the last guess, from a random start"
    source = "Swaszek, The mastermind novice, 1999-2000"
    is_consistent = True

    def choose(self, state: State) -> Code:
        if not state.rows:
            return state.code(self.random(state).randrange(len(state)))
        return state.code(count_up_to(state, state.rows[-1].guess) % len(state))


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
        return state.code(self.random(state).randrange(len(state)))


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
    _is_decided: bool = field(default=True, init=False)

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
        first_code = min(map(tuple, state.codes.tolist()), key=by_duplicates)
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
