"""New Mastermind (2004): one makes the code, up to four others guess in turn."""

from collections.abc import Iterator

from mmsat.game.game import Game
from mmsat.matches.kinds.key_pegs import count_colored_keys
from mmsat.matches.rules import MatchRules, Played

WHITE, BLACK, CRACKED = 1, 2, 10


class NewMastermind(MatchRules):
    """Everyone sees all guesses, and gets points for those made in turn.

    A right color in the wrong place is 1 point, one in the right place 2; cracking the code is 10,
    instead of those. There are as many rounds as players, each with another codemaker.
    """

    name = "new-mastermind"
    summary = "guessing in turn: 1 a white, 2 a black, 10 for cracking the code; 2 to 5 players"
    most_players = 5

    def rounds(self, number: int) -> Iterator[Played]:
        """One round; the next player is the first to guess."""
        many = len(self.players)
        maker = number % many
        breakers = [(maker + seat) % many for seat in range(1, many)]
        now, secret = self.round(maker, breakers)
        points = dict.fromkeys(range(many), 0)
        for turn, (_, score) in enumerate(now.board.rows):
            points[breakers[turn % len(breakers)]] += count_points(self.game, score)
        if now.is_found:
            last = breakers[(len(now.board.rows) - 1) % len(breakers)]
            points[last] += CRACKED - count_points(self.game, now.board.rows[-1].score)
        yield self.record(now, maker, breakers, secret, points)


def count_points(game: Game, score: tuple[int | None, ...]) -> int:
    """The points of a guess that is not the code."""
    black = count_colored_keys(game, score)
    if game.scoring.marks:
        absent = 0
        others = sum(1 for part in score if part not in (None, absent)) - black
    else:
        others = sum(part or 0 for part in score) - black
    return BLACK * black + WHITE * others
