"""A match between players, and its result."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from mmsat.errors import InputError
from mmsat.game.game import Game
from mmsat.matches.players import Player
from mmsat.matches.rules import MATCHES, Played
from mmsat.shown import Shown


@dataclass(frozen=True, slots=True, repr=False)
class MatchResult(Shown):
    """What was played, and who won."""

    game: Game
    rules: str
    """How points were counted."""
    names: tuple[str, ...]
    """The players."""
    played: tuple[Played, ...]
    is_complete: bool = True
    """Whether all games were played."""

    @property
    def points(self) -> tuple[int, ...]:
        """The sum of each player's points."""
        return tuple(
            sum(played.points[player] for played in self.played)
            for player in range(len(self.names))
        )

    @property
    def winner(self) -> int | None:
        """Who has the most points, from 0; None where several do, or where the match was ended."""
        best = max(self.points)
        return (
            self.points.index(best) if self.is_complete and self.points.count(best) == 1 else None
        )

    def guesses(self, player: int) -> tuple[int, int, int]:
        """Of a player's rounds alone: how many, in how many the code was found, all guesses."""
        alone = [played for played in self.played if played.breakers == (player,)]
        found = sum(played.is_found for played in alone)
        return len(alone), found, sum(len(played.board.rows) for played in alone)

    def records(self) -> list[dict[str, Any]]:
        """A line for each round, counted from 1, for pandas.DataFrame and polars."""
        return [
            {
                "round": number,
                "maker": self.names[played.maker],
                "breakers": ", ".join(self.names[breaker] for breaker in played.breakers),
                "code": played.to_dict()["secret"],
                "found": played.is_found,
                "guesses": len(played.board.rows),
                **{f"points {seat}": points for seat, points in enumerate(played.points, 1)},
            }
            for number, played in enumerate(self.played, 1)
        ]

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; see schemas/match.json."""
        players = zip(self.names, self.points, strict=True)
        return {
            "game": str(self.game),
            "rules": self.rules,
            "players": [{"name": name, "points": points} for name, points in players],
            "winner": None if self.winner is None else self.winner + 1,
            "complete": self.is_complete,
            "rounds": [played.to_dict() for played in self.played],
        }


def match(
    game: Game,
    players: Sequence[Player],
    *,
    games: int | None = None,
    rules: str = "points",
    turns: int | None = None,
    penalty: int = 1,
    consistent_only: bool = False,
    hard: bool = False,
    on_round: Callable[[MatchResult], None] | None = None,
) -> MatchResult:
    """Play a match of so many games (None: one for each player), with `turns` guesses at most.

    With `consistent_only` players may guess only what can be the code, with `hard` only what uses
    what is known (game/hard_mode.py); machines must be made for it. `on_round` is called with the
    result so far after each round. Raises InputError for unknown rules and for numbers of players
    or games that are no match.
    """
    if rules not in MATCHES:
        raise InputError.of("the match", ", ".join(MATCHES), rules, "no rules have this name")
    names = tuple(player.name for player in players)
    played: list[Played] = []
    made = MATCHES[rules](
        game, players, turns=turns, penalty=penalty, consistent_only=consistent_only, hard=hard
    )
    for record in made.play(len(players) if games is None else games):
        played.append(record)
        if on_round is not None:
            on_round(MatchResult(game, rules, names, tuple(played), is_complete=False))
    return MatchResult(game, rules, names, tuple(played))
