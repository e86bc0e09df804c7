"""Base class of results, which displays them, and the types of the values in their JSON documents.

Every JSON document is declared once, as a TypedDict next to the code that builds it. mypy checks
the code against the declaration, and `python -m docs.schemas` generates mmsat/schemas and the
reference of all keys from the declarations. The docstrings of a TypedDict and of its keys become
descriptions. `Schema` adds constraints that Python types cannot express.

The renderers are in mmsat.render, which is imported when a result is first shown.
"""

from dataclasses import MISSING, fields
from reprlib import Repr
from typing import Annotated, Any, Literal, NotRequired, TypedDict

MAX_PEGS, MAX_COLORS = 100_000, 1000
"""The maximum numbers of pegs and colors of a game."""


class Schema:
    """Keywords of JSON Schema for a type: `Annotated[int, Schema(minimum=1)]`.

    `requires` lists keys of the same object that must be present if this key is.
    """

    def __init__(self, *, requires: tuple[str, ...] = (), **keywords: Any) -> None:
        self.requires = requires
        self.keywords = keywords


NonNegative = Annotated[int, Schema(minimum=0)]
Positive = Annotated[int, Schema(minimum=1)]
RowNumber = Annotated[int, Schema(minimum=1, description="Row number, from 1.")]
RowNumbers = Annotated[list[Positive], Schema(uniqueItems=True)]
"""Row numbers, from 1, without repetition."""
ColorNumber = Annotated[int, Schema(minimum=1, maximum=MAX_COLORS)]
ColorList = Annotated[
    list[ColorNumber],
    Schema(minItems=1, maxItems=MAX_PEGS, description="The color of each peg, from 1."),
]
CodeText = Annotated[
    str,
    Schema(minLength=1, description="In games of words or with custom symbols: the code as text."),
]
ScorePart = (
    Annotated[int, Schema(minimum=0, maximum=999_999)]
    | Annotated[str, Schema(minLength=1, maxLength=1)]
    | None
)
ScoreList = Annotated[
    list[ScorePart],
    Schema(
        minItems=1,
        maxItems=MAX_PEGS,
        description="The numbers of the score, or the symbol of the mark of each peg; null for a "
        "part that was not read.",
    ),
]
NonEmpty = Annotated[str, Schema(minLength=1)]
BoardLine = Annotated[
    str,
    Schema(
        # a size or the name of a game, then rows; or a document, which begins with a brace
        pattern="^([0-9]+(x[0-9]+){1,2}[!d]?[a-z]?|[a-z][^=]*?)(/[^/=]+=[^/=]+)*$|^[{]",
        description="Board line, which every command reads; or a board document, for a game "
        "with custom symbols or words, but without a name.",
    ),
]
GameText = Annotated[str, Schema(description="Size or name of the game, as in a board line.")]
VerdictName = Annotated[
    str,
    Schema(
        enum=("consistent", "inconsistent", "unknown"),
        description="`unknown` if the board was not decided in time.",
    ),
]
Digits = Annotated[
    str, Schema(pattern="^(0|[1-9][0-9]*)$", description="Whole number of any size.")
]
Ratio = Annotated[
    str,
    Schema(
        pattern="^[0-9]+(/[1-9][0-9]*)?$",
        description="Whole number, or fraction in lowest terms.",
    ),
]
ExactProbability = Annotated[
    str,
    Schema(
        pattern="^(0|1|[1-9][0-9]*/[1-9][0-9]*)$",
        description="Exact probability, as a fraction in lowest terms.",
    ),
]
Share = Annotated[float, Schema(minimum=0, maximum=1)]
"""A number from 0 to 1."""
Unchecked = Annotated[
    bool,
    Schema(
        const=True,
        description="True if only an outside solver or a plug-in states that the board is "
        "inconsistent; otherwise, the key is missing.",
    ),
]
Seconds = Annotated[float, Schema(minimum=0, description="Wall-clock time, in seconds.")]


class CountEstimateJson(TypedDict):
    """An estimate of the number of codes, from the means and covariances of the scores."""

    log_count: float | None
    """Natural logarithm of the estimate; null if the scores are proven impossible."""
    error: float
    """Standard deviation of `log_count` on boards with random guesses."""
    consistent_share: float
    """Expected fraction of boards that have a code, among boards with random guesses and this
    estimate."""


SHORT_REPR = Repr()
"""Formats the fields of a result in its repr, and shortens long ones."""
# At most 3 levels of nesting, 4 items of a sequence, and 60 characters of other values.
SHORT_REPR.maxlevel = 3
SHORT_REPR.maxtuple = SHORT_REPR.maxlist = SHORT_REPR.maxdict = 4
SHORT_REPR.maxstring = SHORT_REPR.maxother = 60


class Displayable:
    """Base class of boards and results: they print as text, and notebooks show them as drawings."""

    __slots__ = ()

    def __str__(self) -> str:
        from mmsat.render.reports import text

        return text(self)

    def __repr__(self) -> str:
        return short_repr(self)

    def _repr_svg_(self) -> str:
        """Return an SVG image, for notebooks."""
        from mmsat.render.picture import svg

        return svg(self)


def short_repr(result: Any) -> str:
    """Return a repr without the fields that have their default values; long values are cut."""
    arguments = []
    for field in fields(result):
        value = getattr(result, field.name)
        if field.repr and (field.default is MISSING or value != field.default):
            arguments.append(f"{field.name}={SHORT_REPR.repr(value)}")
    return f"{type(result).__qualname__}({', '.join(arguments)})"


class BoardJson(TypedDict):
    """A board document; board.json is the complete schema."""

    mmsat: Literal[1]
    """The version of the format."""
    game: dict[str, Any]
    """The definition of the game."""
    rows: list[dict[str, Any]]
    """The rows, with a key for each part of a score."""
    known: NotRequired[list[ColorList]]
    """Consistent codes that are excluded: queries look for another code."""
