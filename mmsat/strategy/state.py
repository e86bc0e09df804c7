"""What a codebreaker knows: the rows so far, and the codes that are still possible."""

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
    """A board in the eyes of the codebreaker. The codes are listed when they are first needed."""

    def __init__(
        self,
        board: Board,
        codes: Array | None = None,
        *,
        before: State | None = None,
        tolerance: Tolerance = STRICT,
    ) -> None:
        """The state of a board.

        `codes` are its consistent codes in order, where they are known; `before` is the state
        without the last row. With a tolerance, codes are consistent that miss the scores by no
        more.
        """
        self.board = board
        self.before = before
        self.tolerance = tolerance
        if codes is not None:
            self.__dict__["codes"] = codes

    @classmethod
    def start(cls, game: Game) -> State:
        """Before the first guess."""
        return cls(Board(game))

    @property
    def game(self) -> Game:
        """The game."""
        return self.board.game

    @property
    def rows(self) -> tuple[Row, ...]:
        """The guesses so far and their scores."""
        return self.board.rows

    @cached_property
    def codes(self) -> Array:
        """The consistent codes, colors from 0, in lexicographic order; not to be changed.

        Shape (codes, pegs). Costs a pass over the codes before the last row. Raises SizeError where
        the game has too many codes to list them.
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
        """Whether the codes are known, or few enough to be listed."""
        return "codes" in self.__dict__ or is_listed(self.game)

    def after(self, guess: Code, score: Score) -> State:
        """The state after one more row."""
        board = self.board.with_row(guess, score)
        return State(board, before=self, tolerance=self.tolerance)

    def allows(self, guess: Code) -> bool:
        """Whether a guess can be the code."""
        return self.tolerance.allows(self.board, guess)

    def code(self, index: int) -> Code:
        """The consistent code of this number, from 0."""
        return tuple(self.codes[index].tolist())

    def __len__(self) -> int:
        return len(self.codes)

    def __repr__(self) -> str:
        return f"State({self.board!r})"


def count_lies(board: Board, codes: Array, by: str) -> Array:
    """How many lies each of the codes makes of the scores: an array of whole numbers."""
    if by == "pegs" and board.has_unread_pegs:
        tolerance = Tolerance(1, by)
        made = [tolerance.price(tolerance.misses(board, tuple(code))) for code in codes.tolist()]
        return np.array(made, dtype=np.int64)
    scoring = board.game.scoring
    lies = np.zeros(len(codes), dtype=np.int64)
    for guess, score in board.rows:
        if by == "rows":
            lies += ~agrees_all(board.game, codes, Row(guess, score))
            continue
        got, which = np.unique(scoring.score_all(codes, guess), axis=0, return_inverse=True)
        apart = [scoring.distance(row, score) for row in got.tolist()]
        lies += np.array(apart, dtype=np.int64)[which.reshape(-1)]
    return lies
