"""The codebreaker's knowledge: the rows so far, and the remaining codes."""

from __future__ import annotations

from functools import cached_property

from mmsat.arrays import Array, np
from mmsat.board import Board
from mmsat.game.game import Game
from mmsat.game.row import Code, Row, Score
from mmsat.game.unread import agrees_all
from mmsat.strategy.code_list import all_codes, is_listed
from mmsat.tolerance import STRICT, Tolerance


class State:
    """A board and its consistent codes, which are listed when they are first needed."""

    def __init__(
        self,
        board: Board,
        codes: Array | None = None,
        *,
        before: State | None = None,
        tolerance: Tolerance = STRICT,
    ) -> None:
        """Create the state of a board.

        - `codes`: its consistent codes in lexicographic order, if already known.
        - `before`: the state without the last row, if known; its codes are filtered.
        - `tolerance`: how wrong the scores of a consistent code may be.
        """
        self.board = board
        self.before = before
        self.tolerance = tolerance
        if codes is not None:
            self.__dict__["codes"] = codes

    @classmethod
    def start(cls, game: Game) -> State:
        """Return the state before the first guess."""
        return cls(Board(game))

    @property
    def game(self) -> Game:
        """The game of the board."""
        return self.board.game

    @property
    def rows(self) -> tuple[Row, ...]:
        """The guesses so far, with their scores."""
        return self.board.rows

    @cached_property
    def codes(self) -> Array:
        """The consistent codes, colors from 0, in lexicographic order; a read-only array.

        Its shape is (codes, pegs). It is computed in one pass over the codes before the last row,
        or over all codes if the previous state is unknown. Raises SizeError if the game has too
        many codes to list them.
        """
        if self.before is not None:
            codes, rows = self.before.codes, self.rows[-1:]
        else:
            codes, rows = all_codes(self.game), self.rows
        if self.tolerance.lies:
            codes = codes[count_lies(self.board, codes, self.tolerance.by) <= self.tolerance.lies]
        else:
            for row in rows:
                codes = codes[agrees_all(self.game, codes, row)]
        codes.flags.writeable = False
        return codes

    @property
    def is_listed(self) -> bool:
        """Whether the codes are known, or the game is small enough to list them."""
        return "codes" in self.__dict__ or is_listed(self.game)

    def after(self, guess: Code, score: Score) -> State:
        """Return the state after one more row."""
        board = self.board.with_row(guess, score)
        return State(board, before=self, tolerance=self.tolerance)

    def allows(self, guess: Code) -> bool:
        """Return whether a guess can be the code."""
        return self.tolerance.allows(self.board, guess)

    def code(self, index: int) -> Code:
        """Return the consistent code with the given index, from 0."""
        return tuple(self.codes[index].tolist())

    def __len__(self) -> int:
        return len(self.codes)

    def __repr__(self) -> str:
        return f"State({self.board!r})"


def count_lies(board: Board, codes: Array, by: str) -> Array:
    """Return an array with the number of lies for each of `codes`, if that code is the secret.

    Lies are counted `by` "rows" or "pegs", as in `Tolerance`.
    """
    if by == "pegs" and board.has_unread_pegs:
        tolerance = Tolerance(1, by)
        lie_counts = [
            tolerance.price(tolerance.misses(board, tuple(code))) for code in codes.tolist()
        ]
        return np.array(lie_counts, dtype=np.int64)
    scoring = board.game.scoring
    lies = np.zeros(len(codes), dtype=np.int64)
    for guess, score in board.rows:
        if by == "rows":
            lies += ~agrees_all(board.game, codes, Row(guess, score))
            continue
        distinct_scores, inverse = np.unique(
            scoring.score_all(codes, guess), axis=0, return_inverse=True
        )
        distances = [scoring.distance(row, score) for row in distinct_scores.tolist()]
        lies += np.array(distances, dtype=np.int64)[inverse.reshape(-1)]
    return lies
