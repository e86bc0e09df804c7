"""The parts of a row's score for languages whose models state the rules of scoring themselves."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from mmsat.board import Board
from mmsat.catalogue import folder
from mmsat.english import join_words
from mmsat.errors import Description, InputError
from mmsat.game.game import Game
from mmsat.game.scoring import Pairs


class ScoreParts(NamedTuple):
    """The numbers of a score; None if one was not read or does not exist in this scoring.

    If the scoring has marks, there is one mark per peg; otherwise the tuples are empty.
    """

    black: int | None = None
    """Pegs right in place."""
    white: int | None = None
    """Pegs of the right color elsewhere."""
    color: int | None = None
    """Pegs of the right color in any place."""
    blue: int | None = None
    """Pegs that are half right in place."""
    places: tuple[int | None, ...] = ()
    """2 right in place, 1 elsewhere, 0 absent."""
    order: tuple[int | None, ...] = ()
    """2 right in place, 1 the code's color is later, 0 it is earlier."""


COUNTS = ("black", "white", "color", "blue")
"""The parts that are one number per row."""
MARKS = ("places", "order")
"""The parts that are one mark per peg; also the names of these kinds of scoring."""


KINDS = ("black-white", "black", "color", "pairs", "pairs-one-key", *MARKS)
"""The kinds of scoring that the models support."""
FORMATS = "cnf, wcnf, opb and lp"
"""The formats that support all boards, for error messages."""


def score_parts(board: Board) -> list[ScoreParts]:
    """Return the score parts of each row.

    Raises InputError for boards that the models do not support: those with known codes, with
    another kind of scoring, or with guesses whose pegs were not all read.
    """
    scoring = board.game.scoring
    if board.known:
        found = Description("known codes")
        raise InputError.of("the board", "no known codes", found, f"only {FORMATS} exclude them")
    if board.has_unread_pegs:
        found = Description("a ? in a guess")
        raise InputError.of("the board", "complete guesses", found, f"only {FORMATS} allow ?")
    if scoring.name not in KINDS:
        expected = f"a game scored by {join_words(KINDS, 'or')}"
        rule = f"only {FORMATS} support other scorings"
        raise InputError.of("the board", expected, str(board.game), rule)
    parts = scoring.parts(board.game.pegs)
    rows: Iterator[dict[str, Any]] = (
        {scoring.name: row.score} if scoring.marks else dict(zip(parts, row.score, strict=True))
        for row in board.rows
    )
    return [ScoreParts(**row) for row in rows]


def may_repeat(game: Game) -> bool:
    """Return whether codes may repeat a color. For a game of words, its list decides that."""
    return {"repeats": True, "distinct": False, "words": True}[game.space.name]


def words(game: Game) -> tuple[tuple[int, ...], ...]:
    """Return the list of codes of a game of words, or an empty tuple for any other game."""
    return game.space.table() or ()


def shapes(game: Game) -> int | None:
    """Return the number of shapes per hue, or None if colors are not pairs of a hue and a shape."""
    return game.scoring.shapes if isinstance(game.scoring, Pairs) else None


def has_one_key(game: Game) -> bool:
    """Return whether a peg that counts as white never counts as blue."""
    return game.scoring.name == "pairs-one-key"


def model(language: str, name: str) -> str:
    """Return the text of a model in the catalogue."""
    return (folder("encodings") / "models" / language / name).read_text(encoding="utf-8")
