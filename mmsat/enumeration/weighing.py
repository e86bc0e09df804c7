"""The consistent codes with their weights, their weighted counts and odds."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from mmsat.board import Board
from mmsat.enumeration.listing import list_codes
from mmsat.enumeration.odds import Odds
from mmsat.errors import InputError, SizeError
from mmsat.game.row import Code
from mmsat.limits import LIMITS
from mmsat.results.count import Count, CountJson
from mmsat.solving.deadline import Deadline
from mmsat.tolerance import STRICT, Tolerance
from mmsat.weights import Weights


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
