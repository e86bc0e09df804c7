"""Optimal play from any state, by complete search of the remaining game."""

from fractions import Fraction
from functools import lru_cache

from mmsat._core import IMPOSSIBLE
from mmsat.errors import InputError, SizeError
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.tolerance import Tolerance
from mmsat.strategy.answers import split_codes
from mmsat.strategy.candidates import no_code_error
from mmsat.strategy.optimal import AnswerTable, TooLongError, run_search
from mmsat.strategy.strategy import State, Strategy
from mmsat.strategy.tree import Node, OnProgress, StrategyTree

MAX_CODES = 5040
"""Maximum number of codes of a game that is searched at each turn: 10 digits on 4 pegs without
repeats. Larger games would take too long for a turn."""
MEMO_BITS = 18
"""Binary logarithm of the number of entries, of 16 bytes each, in the memo table of a search."""


def solve_subtree(state: State, *, consistent_only: bool = False, max_sets: int = 0) -> Node:
    """Return the tree that needs the fewest guesses for all codes of a state.

    This is proven by complete search, up to hash collisions. Their probability is below 2**-89 for
    each set of codes that is looked up (`hash_error_bound` of `Optimum`). With `consistent_only`,
    every guess is a possible code. The search needs some thousandths of a second after a row of
    4x6, a second or two in games of 5,040 codes, and more if scores give little information. Raises
    InconsistentError if no code is consistent, InputError or SizeError as `require_searchable`
    does, and TooLongError if more than `max_sets` sets of codes would have to be searched (0 for no
    limit).
    """
    return search_subtree(state, consistent_only=consistent_only, max_sets=max_sets)[0]


def search_subtree(
    state: State, *, consistent_only: bool = False, max_sets: int = 0
) -> tuple[Node, int]:
    """Return the tree of `solve_subtree`, and the number of sets of codes that were searched."""
    return _solve(state.board, state.tolerance, consistent_only, max_sets)


@lru_cache(maxsize=1024)
def count_worst_guesses(board: Board, *, consistent_only: bool = False) -> int:
    """Return the minimum number of guesses that is enough for every code of a board.

    Runs complete searches with increasing limits on the number of guesses. With `consistent_only`,
    every guess is a possible code. Raises errors as `solve_subtree` does.
    """
    require_searchable(board.game)
    table = _table(board.game)
    possible = [table.index_of[tuple(code)] for code in State(board).codes.tolist()]
    if not possible:
        raise no_code_error(board)
    # The total is IMPOSSIBLE if no strategy needs at most `max_guesses` guesses.
    max_guesses, total = 0, IMPOSSIBLE
    while total == IMPOSSIBLE:
        max_guesses += 1
        search = table.make_search(
            max_guesses=max_guesses,
            consistent_only=consistent_only,
            stop_at_first=True,
            memo_bits=MEMO_BITS,
            possible=possible,
        )
        total, _ = run_search(search)
    return max_guesses


def require_searchable(game: Game) -> None:
    """Raise SizeError if a game is too large, InputError if scores do not identify every code."""
    if game.size > MAX_CODES:
        raise SizeError.of(
            "best play at each turn",
            f"a game of up to {MAX_CODES:,} codes",
            f"{game} with {game.size:,} codes",
            "mmsat optimal supports some larger games",
        )
    if not _table(game).has_unique_win:
        rule = "optimal play needs scores that can identify every code"
        raise InputError.of("the strategy", "another strategy", str(game), rule)


@lru_cache(maxsize=2)
def _table(game: Game) -> AnswerTable:
    return AnswerTable.of(game)


@lru_cache(maxsize=16)
def _solve(
    board: Board, tolerance: Tolerance, consistent_only: bool, max_sets: int
) -> tuple[Node, int]:
    """Return the optimal tree of a board, and the number of searched sets, from a cache."""
    require_searchable(board.game)
    table = _table(board.game)
    codes = State(board, tolerance=tolerance).codes.tolist()
    if not codes:
        raise no_code_error(board, tolerance)
    possible = [table.index_of[tuple(code)] for code in codes]
    search = table.make_search(
        consistent_only=consistent_only, memo_bits=MEMO_BITS, possible=possible, max_sets=max_sets
    )
    _, tree = run_search(search)
    if search.total == IMPOSSIBLE:
        raise TooLongError
    _, _, _, num_sets = search.progress  # total, bound, finished fraction, number of sets
    return table.build_tree(tree, possible), num_sets


class Optimal(Strategy):
    """Minimizes the total number of guesses for all remaining codes, by complete search.

    If several guesses are optimal, the first of them in the order of the search is chosen.
    """

    name = "optimal"
    summary = "the fewest further guesses, by complete search; for games of up to 5,040 codes"
    source = "Koyama and Lai 1993, for 4x6"

    def choose(self, state: State) -> Code:
        return self.subtree(state).guess

    def subtree(self, state: State) -> Node:
        """Return the tree of optimal play from a state."""
        return solve_subtree(state, consistent_only=self.consistent_only)

    def promise(self, state: State) -> Fraction | None:
        """Return the average number of further guesses, which the search proves to be minimal.

        In the opening, it is None: its guesses need not be optimal.
        """
        if len(state.rows) < len(self.opening):
            return None
        return Fraction(StrategyTree(state.game, self.subtree(state)).total, len(state))

    def check(self, game: Game) -> None:
        """Raise an error as the base class and `require_searchable` do."""
        super().check(game)
        require_searchable(game)

    def grow(self, game: Game, on_progress: OnProgress) -> Node:
        on_progress(0, game.size)
        return self._grow(State.start(game))

    def _grow(self, state: State) -> Node:
        """Return the tree from a state: the guesses of the opening, then optimal play."""
        if len(state.rows) >= len(self.opening):
            return self.subtree(state)
        guess = self.guess(state)
        classes = split_codes(state.game, state.codes, guess)
        wins = classes.pop(state.game.score(guess, guess), ())
        next_states = {score: state.after(guess, score) for score in sorted(classes)}
        return Node(
            guess,
            len(wins),
            {score: self._grow(next_state) for score, next_state in next_states.items()},
        )
