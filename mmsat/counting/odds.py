"""Odds: the exact probability of every color at every peg, also for weighted codes.

`Odds` are computed over all consistent codes. If codes have prior weights, `weigh_codes` lists the
codes with their weights, and `WeighedCodes` has their total weight and odds.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any, NotRequired, TypedDict

from mmsat._util.arrays import Array, np
from mmsat._util.results import BoardLine, ColorNumber, Digits, Ratio, Share, Shown
from mmsat.counting import Count, CountJson
from mmsat.counting.listing import list_codes
from mmsat.errors import InputError, SizeError
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.tolerance import STRICT, Tolerance, ToleranceJson
from mmsat.game.weights import Weights
from mmsat.limits import LIMITS
from mmsat.solving.deadline import Deadline


class TableJson(TypedDict):
    """The number of codes for every color at every peg."""

    codes: Digits
    """Number of consistent codes."""
    table: list[list[Digits]]
    """For each peg and each color, the number of codes with the color at the peg. With --weights,
    their total weight in units."""
    odds: list[list[Share]]
    """The same as probabilities, rounded to nine decimal places; 0 if there is no code."""
    forced: list[ColorNumber | None]
    """For each peg, the color that all codes have there, from 1; null if they differ."""
    unit: NotRequired[Ratio]
    """The weight of one unit; only with --weights."""


class OddsJson(TableJson, ToleranceJson):
    """The exact probability of every color at every peg."""

    board: BoardLine


@dataclass(frozen=True, slots=True, repr=False)
class Odds(Shown):
    """Exact probabilities: of `codes` codes, `table[peg][color]` have the color at the peg.

    Pegs and colors count from 0. `odds[peg]` is a tuple with a fraction for each color.

    Examples
    --------
    >>> odds = mmsat.codes("2x3/12=1.0").odds()
    >>> odds[0]
    (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    >>> odds.array().shape
    (2, 3)
    """

    game: Game
    """The game of the codes."""
    codes: int
    """The number of codes."""
    table: tuple[tuple[int, ...], ...]
    """The number of codes by peg and color; if codes have weights, their total weight in units."""
    units: int | None = None
    """If codes have weights, the total weight of all codes, as a multiple of `unit`."""
    unit: Fraction = Fraction(1)
    """The weight of one unit."""

    @property
    def total(self) -> int:
        """The sum of every row of the table."""
        return self.codes if self.units is None else self.units

    def __getitem__(self, peg: int) -> tuple[Fraction, ...]:
        """Return the probabilities of the colors at a peg, in order."""
        return tuple(Fraction(number, self.total or 1) for number in self.table[peg])

    def __len__(self) -> int:
        return len(self.table)

    def __iter__(self) -> Iterator[tuple[Fraction, ...]]:
        return map(self.__getitem__, range(len(self)))

    def records(self) -> list[dict[str, Any]]:
        """Return one record per peg and color, counted from 1, for pandas.DataFrame and polars."""
        return [
            {"peg": peg, "color": color, "codes": number, "chance": float(chance)}
            for peg, (row, chances) in enumerate(zip(self.table, self, strict=True), 1)
            for color, (number, chance) in enumerate(zip(row, chances, strict=True), 1)
        ]

    def array(self) -> Array:
        """Return the probabilities as an array of floats of shape (pegs, colors)."""
        return np.array([[float(chance) for chance in row] for row in self])

    def plot(self, axes: Any = None) -> Any:
        """Draw the table with matplotlib.

        Parameters
        ----------
        axes : matplotlib.axes.Axes, optional
            The axes to draw on. By default, new ones are made.

        Returns
        -------
        matplotlib.axes.Axes
            The axes.
        """
        from mmsat.render.heat import paint

        return paint(self, axes)

    def forced(self) -> tuple[int | None, ...]:
        """Return for each peg the color that every code has there, or None if they differ."""
        return tuple(
            row.index(self.total) if self.total and self.total in row else None
            for row in self.table
        )

    def to_dict(self) -> TableJson:
        """Return the result with stable JSON keys. Numbers of codes are strings, however small."""
        document: TableJson = {
            "codes": str(self.codes),
            "table": [[str(number) for number in row] for row in self.table],
            "odds": [[round(float(chance), 9) for chance in row] for row in self],
            "forced": [None if color is None else color + 1 for color in self.forced()],
        }
        if self.units is not None:
            document["unit"] = str(self.unit)
        return document


@dataclass(frozen=True)
class WeighedCodes:
    """The consistent codes of a board with a positive weight, in order."""

    codes: tuple[Code, ...]
    units: tuple[int, ...]
    """The weights of the codes, as multiples of the unit."""
    unit: Fraction

    @property
    def weight(self) -> Fraction:
        """The total weight."""
        return sum(self.units) * self.unit

    def odds(self, board: Board) -> Odds:
        """Return the probability of every color at every peg."""
        table = [[0] * board.game.colors for _ in range(board.game.pegs)]
        for code, units in zip(self.codes, self.units, strict=True):
            for row, color in zip(table, code, strict=True):
                row[color] += units
        rows = tuple(map(tuple, table))
        return Odds(board.game, len(self.codes), rows, sum(self.units), self.unit)


@dataclass(frozen=True)
class WeighedCount(Count):
    """The number of codes with a positive weight, and their total weight."""

    weight: Fraction = Fraction(0)

    def to_dict(self) -> CountJson:
        """Return the result with stable JSON keys."""
        return {**Count.to_dict(self), "weight": str(self.weight)}


def weigh_codes(board: Board, weights: Weights, tolerance: Tolerance = STRICT) -> WeighedCodes:
    """List the consistent codes with their weights, except those of weight 0.

    If `weights` lists codes, these are checked one by one, in games of any size. If it has weights
    of colors, the consistent codes are listed; raises SizeError if there are more than 500,000.
    """
    if weights.game != board.game:
        raise InputError.of("the weights", f"weights for the game {board.game}", str(weights.game))
    if weights.codes is not None:
        codes = sorted(code for code in weights.codes if tolerance.allows(board, code))
    else:
        max_codes = LIMITS.listed_codes
        codes = [*islice(list_codes(board, Deadline(), tolerance=tolerance), max_codes + 1)]
        if len(codes) > max_codes:
            raise SizeError.of("weights of colors", f"up to {max_codes:,} consistent codes", "more")
    units, unit = weights.weigh(codes)
    kept = [(code, code_units) for code, code_units in zip(codes, units, strict=True) if code_units]
    return WeighedCodes(
        tuple(c for c, _ in kept), tuple(code_units for _, code_units in kept), unit
    )
