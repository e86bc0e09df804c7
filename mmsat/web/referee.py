"""The codemaker of a game on the page, which is stateless: it depends on the seed and the board."""

import random
from typing import TypedDict

from mmsat.board import Board
from mmsat.game.row import Code, Score
from mmsat.json_types import NonEmpty
from mmsat.matches.evader import draw_remaining_code, evade
from mmsat.matches.players import draw_code
from mmsat.matches.round import Round
from mmsat.notation.speller import speller

LIE_ROWS = 8
"""Number of first rows among which lies are drawn, or the number of lies if that is larger."""


class MoveJson(TypedDict):
    """A scored guess."""

    board: NonEmpty
    """The board line."""
    score: list[int | str | None] | None
    """The score of the guess; null without a guess."""
    found: bool
    """Whether the code was found."""
    code: str | None
    """The code as text, if it was to be revealed."""


def answer_guess(
    board: Board, *, guess: str | None, seed: int | None, lies: int, evil: bool, reveal: bool
) -> MoveJson:
    """Score a guess if it is given, reveal the code if requested, and return the new board.

    The code is drawn by the seed from all codes of the game. An `evil` codemaker has no code: it
    gives the score that leaves the most codes, and reveals a remaining code. A codemaker with
    `lies` gives the score of another code in at most this many rows. A lie never denies that the
    guess is the code, and never claims that it is. Raises InputError for an invalid guess.
    """
    seed = seed or 0
    secret = draw_code(board.game, random.Random(seed))
    score = None
    if guess is not None:
        code = speller(board.game).parse_code(guess, "the guess")
        score = evade(board, code) if evil else score_or_lie(board, code, secret, seed, lies)
        board = Round(board).with_row(code, score).board
    if evil and reveal:
        secret = draw_remaining_code(board, random.Random(seed))
    return {
        "board": str(board),
        "score": None if score is None else board.game.scoring.to_json(score),
        "found": Round(board).is_found,
        "code": speller(board.game).print_code(secret) if reveal else None,
    }


def score_or_lie(board: Board, guess: Code, secret: Code, seed: int, lies: int) -> Score:
    """Return the score of a guess, or a lie in the rows drawn for lies."""
    game, number = board.game, len(board.rows)
    score = game.score(secret, guess)
    lying = random.Random(seed).sample(range(max(LIE_ROWS, lies)), lies)
    if number not in lying or guess == secret:
        return score
    lie = game.score(draw_code(game, random.Random(f"{seed} {number}")), guess)
    return score if lie == game.score(guess, guess) else lie
