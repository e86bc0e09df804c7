"""What a row tells, whatever the scoring: the languages that state the rules afresh ask this."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from mmsat.board import Board
from mmsat.catalogue import folder
from mmsat.errors import InputError
from mmsat.game.game import Game
from mmsat.game.scoring import Pairs


class ScoreParts(NamedTuple):
    """The numbers of a score, None where it was not read or is no part of the scoring.

    Marks are one a peg, where the scoring has them, and else none at all.
    """

    black: int | None = None
    """Pegs right in place."""
    white: int | None = None
    """Pegs of the right color elsewhere."""
    color: int | None = None
    """Pegs of the right color in any place."""
    blue: int | None = None
    """Pegs half right in place."""
    places: tuple[int | None, ...] = ()
    """2 right in place, 1 elsewhere, 0 absent."""
    order: tuple[int | None, ...] = ()
    """2 right in place, 1 the code's color is later, 0 it is earlier."""


COUNTS = ("black", "white", "color", "blue")
"""What is one number a row."""
MARKS = ("places", "order")
"""What is one mark a peg; the names of these kinds of scoring."""


KINDS = ("black-white", "black", "color", "pairs", "pairs-one-key", *MARKS)
"""The kinds of scoring that the models state."""


def score_parts(board: Board) -> list[ScoreParts]:
    """What each row tells; raises InputError for what the models in other languages don't know.

    That is known codes, some kinds of scoring, and guesses with pegs that were not read.
    """
    scoring = board.game.scoring
    if board.known:
        rule = "the models in this language look for any code, and here some do not count"
        raise InputError.of("the board", "cnf, wcnf, opb or lp", "known codes", rule)
    if board.has_unread_pegs:
        rule = "the models in this language know guesses that were read"
        raise InputError.of("the board", "cnf, wcnf, opb or lp", "a ? in a guess", rule)
    if scoring.name not in KINDS:
        rule = f"the models in this language don't state the scoring {scoring.name}"
        write = "cnf, wcnf, opb or lp, which state any"
        raise InputError.of("the board", write, str(board.game), rule)
    parts = scoring.parts(board.game.pegs)
    rows: Iterator[dict[str, Any]] = (
        {scoring.name: row.score} if scoring.marks else dict(zip(parts, row.score, strict=True))
        for row in board.rows
    )
    return [ScoreParts(**row) for row in rows]


def may_repeat(game: Game) -> bool:
    """Whether a color may stand at several pegs of a code; a list of words says it itself."""
    return {"repeats": True, "distinct": False, "words": True}[game.space.name]


def words(game: Game) -> tuple[tuple[int, ...], ...]:
    """The only codes of a game of words, and nothing for a game whose codes no list tells."""
    return game.space.table() or ()


def shapes(game: Game) -> int | None:
    """How many colors in a row differ in shape alone, None where colors are no pairs."""
    return game.scoring.shapes if isinstance(game.scoring, Pairs) else None


def has_one_key(game: Game) -> bool:
    """Whether a peg that counts as white is never blue."""
    return game.scoring.name == "pairs-one-key"


def model(language: str, name: str) -> str:
    """The text of a model that lies in the catalogue."""
    return (folder("encodings") / "models" / language / name).read_text(encoding="utf-8")
