"""Answer set programming for clingo: the board as facts, with the rules from the catalogue."""

from collections.abc import Iterator

from mmsat.board import Board
from mmsat.encoding.writers.score_parts import (
    COUNTS,
    ScoreParts,
    has_one_key,
    may_repeat,
    model,
    score_parts,
    shapes,
    words,
)

PLACES = ("absent", "elsewhere", "right")
ORDER = ("earlier", "later", "right")
"""The names of marks, indexed by their numbers."""


def write_asp(board: Board) -> Iterator[str]:
    """Return the rules from the catalogue, followed by the facts. All numbers count from 1."""
    return iter((model("asp", "mastermind.lp"), "\n", *_facts(board)))


def _facts(board: Board) -> Iterator[str]:
    """Yield the facts of the game and of each row."""
    game = board.game
    yield f"% mmsat {board}\n"
    yield f"peg(1..{game.pegs}).\n"
    yield f"color(1..{game.colors}).\n"
    if not may_repeat(game):
        yield "no_repeats.\n"
    if has_one_key(game):
        yield "one_key.\n"
    if many := shapes(game):
        pairs = (divmod(color, many) for color in range(game.colors))
        yield (
            " ".join(
                f"pair({color},{hue + 1},{shape + 1})."
                for color, (hue, shape) in enumerate(pairs, 1)
            )
            + "\n"
        )
    for number, word in enumerate(words(game), 1):
        yield " ".join(f"word({number},{peg},{c + 1})." for peg, c in enumerate(word, 1)) + "\n"
    for number, (row, score) in enumerate(zip(board.rows, score_parts(board), strict=True), 1):
        guess = (f"guess({number},{peg},{color + 1})." for peg, color in enumerate(row.guess, 1))
        yield " ".join([f"row({number}).", *guess, *_score(number, score)]) + "\n"


def _score(row: int, score: ScoreParts) -> Iterator[str]:
    """Yield the facts of one score."""
    for part in COUNTS:
        if (value := getattr(score, part)) is not None:
            yield f"told({row},{part},{value})."
    for names, marks in ((PLACES, score.places), (ORDER, score.order)):
        for peg, mark in enumerate(marks, 1):
            if mark is not None:
                yield f"marked({row},{peg},{names[mark]})."
