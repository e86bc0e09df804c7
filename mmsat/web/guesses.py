"""What the page shows of a guess: how its score splits the codes, and the scores it would cause."""

from __future__ import annotations

from typing import Annotated, TypedDict

from mmsat._util.results import ColorList, NonEmpty, Positive, Schema
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.tolerance import Tolerance
from mmsat.strategy.answers import split_codes
from mmsat.strategy.candidates import draw_pool
from mmsat.strategy.strategy import State

MAX_SPLIT_CODES = 50_000
"""Maximum number of remaining codes that are split. If there are more, this many are drawn."""

ShownScore = Annotated[
    list[int | str | None],
    Schema(description="The numbers of a score, or the symbols of its marks.", minItems=1),
]


class PartJson(TypedDict):
    """The codes for which a guess would get one score."""

    score: ShownScore
    codes: Positive
    """Number of these codes, among those that are judged."""
    wins: bool
    """Whether this is the score of the code itself."""


class SplitJson(TypedDict):
    """How the score of a guess splits the remaining codes."""

    board: NonEmpty
    """The board line."""
    guess: ColorList
    judged_by: Positive
    """Number of codes that are split."""
    exact: bool
    """Whether these are all remaining codes, not a sample."""
    parts: Annotated[list[PartJson], Schema(minItems=1)]
    """The possible scores, those with the most codes first."""


class ScoresJson(TypedDict):
    """The scores that the guesses of a board get if some code is the secret."""

    board: NonEmpty
    """The board line."""
    code: ColorList
    scores: list[ShownScore]
    """The score of each row."""
    wrong: list[Positive]
    """The numbers of the rows whose scores on the board are different."""


def split(board: Board, guess: Code, tolerance: Tolerance, seed: int | None) -> SplitJson:
    """Return how the score of a guess splits the remaining codes.

    Raises InconsistentError if no code remains.
    """
    game = board.game
    pool = draw_pool(State(board, tolerance=tolerance), MAX_SPLIT_CODES, seed)
    parts = split_codes(game, pool.codes, guess)
    winning_score = game.score(guess, guess)
    return {
        "board": str(board),
        "guess": [color + 1 for color in guess],
        "judged_by": len(pool.codes),
        "exact": pool.is_all,
        "parts": [
            {
                "score": game.scoring.to_json(score),
                "codes": len(parts[score]),
                "wins": score == winning_score,
            }
            for score in sorted(parts, key=lambda score: (-len(parts[score]), score))
        ],
    }


def score_rows(board: Board, code: Code) -> ScoresJson:
    """Return the scores that the guesses of a board get if `code` is the secret."""
    game = board.game
    return {
        "board": str(board),
        "code": [color + 1 for color in code],
        "scores": [game.scoring.to_json(game.score(code, row.guess)) for row in board.rows],
        "wrong": [row + 1 for row in board.missed(code)],
    }
