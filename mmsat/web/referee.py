"""The codemaker of a game on the page, who remembers nothing: the seed, or the board, tells all."""

import random
from typing import Any

from mmsat.board import Board
from mmsat.game.row import Code, Score
from mmsat.matches.evader import draw_remaining_code, evade
from mmsat.matches.players import draw_code
from mmsat.matches.round import Round
from mmsat.notation.speller import speller

EARLY = 8
"""Lies fall into so many rows at the beginning, or into all where there are more lies."""


def answer_guess(
    board: Board, *, guess: str | None, seed: int | None, lies: int, evil: bool, reveal: bool
) -> dict[str, Any]:
    """Score a guess, or reveal the code; `evil` scores it so that most codes are left.

    The code is drawn by the seed from all codes of the game. An evil codemaker has chosen none: he
    reveals any code that is left. One who may lie gives the scores of another code in at most so
    many rows; he never denies the code, nor claims to be found. Raises InputError for a guess that
    is none.
    """
    seed = seed or 0
    secret = draw_code(board.game, random.Random(seed))
    score = None
    if guess is not None:
        code = speller(board.game).parse_code(guess, "the guess")
        score = evade(board, code) if evil else tell(board, code, secret, seed, lies)
        board = Round(board).with_row(code, score).board
    if evil and reveal:
        secret = draw_remaining_code(board, random.Random(seed))
    return {
        "board": str(board),
        "score": None if score is None else board.game.scoring.to_json(score),
        "found": Round(board).is_found,
        "code": speller(board.game).print_code(secret) if reveal else None,
    }


def tell(board: Board, guess: Code, secret: Code, seed: int, lies: int) -> Score:
    """The score of a guess, or in some rows a lie."""
    game, number = board.game, len(board.rows)
    score = game.score(secret, guess)
    lying = random.Random(seed).sample(range(max(EARLY, lies)), lies)
    if number not in lying or guess == secret:
        return score
    lie = game.score(draw_code(game, random.Random(f"{seed} {number}")), guess)
    return score if lie == game.score(guess, guess) else lie
