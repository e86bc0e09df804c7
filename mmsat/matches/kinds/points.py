"""A point for each guess, to the codemaker: the rules in the box."""

from collections.abc import Iterator

from mmsat.matches.round import Round
from mmsat.matches.rules import MatchRules, Played


class Points(MatchRules):
    """The codemaker gets a point for each guess, and one more if the code was not found."""

    name = "points"
    summary = "the codemaker gets a point a guess, and one more if the code was not found"

    def rounds(self, number: int) -> Iterator[Played]:
        """One round; players change roles with each game."""
        maker, breaker = number % 2, 1 - number % 2
        now, secret = self.round(maker, [breaker])
        yield self.record(now, maker, [breaker], secret, {maker: self.count_points(now)})

    def count_points(self, now: Round) -> int:
        """The codemaker's points."""
        return len(now.board.rows) + (not now.is_found)
