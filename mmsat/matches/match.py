"""A match between players, and its result."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

from mmsat.game.game import Game
from mmsat.json_types import GameText, Positive, Schema
from mmsat.matches.players import Player
from mmsat.matches.rules import MATCHES, Played, PlayedJson
from mmsat.registry import require_name
from mmsat.shown import Shown


class PlayerJson(TypedDict):
    """A player of a match."""

    name: str
    points: int
    """Total points."""


class MatchJson(TypedDict):
    """The rounds of a match, and its winner."""

    game: GameText
    rules: Annotated[str, Schema(enum=tuple(sorted(MATCHES)))]
    """Name of the rules, by which points are counted."""
    players: Annotated[list[PlayerJson], Schema(minItems=2, maxItems=5)]
    winner: Positive | None
    """The player with the most points, from 1; null for a tie or an unfinished match."""
    complete: bool
    """Whether all games were played."""
    rounds: list[PlayedJson]


@dataclass(frozen=True, slots=True, repr=False)
class MatchResult(Shown):
    """The rounds of a match, and its winner."""

    game: Game
    """The game of all rounds."""
    rules: str
    """Name of the rules, a key of MATCHES."""
    names: tuple[str, ...]
    """Names of the players."""
    played: tuple[Played, ...]
    is_complete: bool = True
    """Whether all games of the match were played."""

    @property
    def points(self) -> tuple[int, ...]:
        """The total points of each player."""
        return tuple(
            sum(played.points[player] for played in self.played)
            for player in range(len(self.names))
        )

    @property
    def winner(self) -> int | None:
        """Index of the player with the most points; None for a tie or an unfinished match."""
        best = max(self.points)
        return (
            self.points.index(best) if self.is_complete and self.points.count(best) == 1 else None
        )

    def guesses(self, player: int) -> tuple[int, int, int]:
        """Return the numbers of rounds, codes found and guesses in a player's solo rounds."""
        solo_rounds = [played for played in self.played if played.breakers == (player,)]
        codes_found = sum(played.is_found for played in solo_rounds)
        return len(solo_rounds), codes_found, sum(len(played.board.rows) for played in solo_rounds)

    def records(self) -> list[dict[str, Any]]:
        """Return one record per round, counted from 1, for pandas.DataFrame and polars."""
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

    def to_dict(self) -> MatchJson:
        """Return a dict for JSON, with players from 1; see schemas/match.json."""
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
    """Play a match and return its result.

    `games` is the number of games (None: one per player), and `turns` the maximum number of guesses
    per round. With `consistent_only`, players may only guess codes that remain possible. With
    `hard`, guesses must use the information of earlier scores (game/hard_mode.py). Machines must be
    created with the same settings. `on_round` is called with the result so far after each round.
    Raises InputError for unknown rules, and for numbers of players or games that the rules do not
    allow.
    """
    require_name("rules", rules, MATCHES)
    names = tuple(player.name for player in players)
    played: list[Played] = []
    match_rules = MATCHES[rules](
        game, players, turns=turns, penalty=penalty, consistent_only=consistent_only, hard=hard
    )
    for record in match_rules.play(len(players) if games is None else games):
        played.append(record)
        if on_round is not None:
            on_round(MatchResult(game, rules, names, tuple(played), is_complete=False))
    return MatchResult(game, rules, names, tuple(played))
