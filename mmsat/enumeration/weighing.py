"""The consistent codes with their weights, and what follows: weighted counts and odds."""

from fractions import Fraction
from itertools import islice
from typing import Any

from mmsat.board import Board
from mmsat.enumeration.listing import list_codes
from mmsat.enumeration.odds import Odds
from mmsat.errors import InputError, SizeError
from mmsat.frozen import frozen
from mmsat.game.row import Code
from mmsat.limits import LIMITS
from mmsat.results.count import Count
from mmsat.solving.deadline import Deadline
from mmsat.tolerance import STRICT, Tolerance
from mmsat.weights import Weights


@frozen
class WeighedCodes:
    """The consistent codes of a board that weigh something, in order."""

    codes: tuple[Code, ...]
    units: tuple[int, ...]
    """Their weights, as multiples of the unit."""
    unit: Fraction

    @property
    def weight(self) -> Fraction:
        """What they weigh together."""
        return sum(self.units) * self.unit

    def odds(self, board: Board) -> Odds:
        """The chance of every color at every peg."""
        table = [[0] * board.game.colors for _ in range(board.game.pegs)]
        for code, units in zip(self.codes, self.units, strict=True):
            for row, color in zip(table, code, strict=True):
                row[color] += units
        rows = tuple(map(tuple, table))
        return Odds(board.game, len(self.codes), rows, sum(self.units), self.unit)


@frozen
class WeighedCount(Count):
    """How many codes there are that weigh something, and what they weigh together."""

    weight: Fraction = Fraction(0)

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys."""
        return {**Count.to_dict(self), "weight": str(self.weight)}


def weigh_codes(board: Board, weights: Weights, tolerance: Tolerance = STRICT) -> WeighedCodes:
    """List the consistent codes with their weights; those that weigh nothing are left out.

    Codes with weights of their own are tried one by one, in games of any size. By colors, the
    consistent codes are listed; raises SizeError where there are more than 500,000.
    """
    if weights.game != board.game:
        raise InputError.of("the weights", f"weights of a {board.game} game", str(weights.game))
    if weights.codes is not None:
        codes = sorted(code for code in weights.codes if tolerance.allows(board, code))
    else:
        most = LIMITS.listed_codes
        codes = [*islice(list_codes(board, Deadline(), tolerance=tolerance), most + 1)]
        if len(codes) > most:
            raise SizeError.of("weights of colors", f"up to {most:,} codes", "more")
    units, unit = weights.weigh(codes)
    kept = [(code, many) for code, many in zip(codes, units, strict=True) if many]
    return WeighedCodes(tuple(c for c, _ in kept), tuple(many for _, many in kept), unit)
