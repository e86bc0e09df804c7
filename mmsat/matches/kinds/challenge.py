"""Mastermind Challenge (1993): both make a code, and both break the other's at once."""

from collections.abc import Iterator

from mmsat.matches.rules import MatchRules, Played


class Challenge(MatchRules):
    """Turn by turn both guess; who finds the code first gets a point, nobody in the same turn.

    A game is two rounds, so that any number of games is fair.
    """

    name = "challenge"
    summary = "both make and break at once; who finds the other's code first gets a point"

    def find_flaw(self, games: int) -> str | None:
        """Any number will do."""
        return None if games >= 1 else "a match is one game at least"

    def rounds(self, number: int) -> Iterator[Played]:  # noqa: ARG002
        """Both rounds, guess by guess; they end with the turn in which a code is found."""
        now = [self.begin(maker) for maker in (0, 1)]
        while not any(part.is_over for part in now):
            for maker in (0, 1):
                guess = self.players[1 - maker].guess(now[maker])
                now[maker] = self.players[maker].answer(now[maker], guess)
        for maker in (0, 1):
            won = now[maker].is_found and not now[1 - maker].is_found
            secret = self.reveal_code(now[maker], maker)
            breaker = 1 - maker
            yield self.record(now[maker], maker, [breaker], secret, {breaker: int(won)})
