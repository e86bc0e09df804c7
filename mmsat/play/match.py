"""Matches between players who change roles, and between strategies for several boards at once.

`match` plays rounds between players and counts points. `match_many` plays the same random games
with each strategy; in these games, every guess is made on several boards.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Annotated, Any, TypedDict

from mmsat._util.arguments import NAME, OPTIONAL, RULES, check_arguments, whole_number_from
from mmsat._util.registry import require_name
from mmsat._util.results import Displayable, GameText, NonNegative, Positive, Schema
from mmsat._util.text import quantity
from mmsat.errors import Description, InputError
from mmsat.game import Code
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.play import Player
from mmsat.play.rules import MATCHES, PlayedJson, PlayedRound
from mmsat.strategy.analyze import draw_codes, format_fraction, round_fraction
from mmsat.strategy.several import (
    MAX_BOARDS,
    TOGETHER,
    SeveralBoards,
    find_multi_board_strategy,
    rank_together,
)


class PlayerJson(TypedDict):
    """A player of a match."""

    name: str
    points: int
    """Total points."""


class MatchJson(TypedDict):
    """The rounds of a match, and its winner."""

    game: GameText
    rules: Annotated[str, Schema(enum=tuple(sorted(MATCHES)))]
    """Name of the rules by which points are counted."""
    players: Annotated[list[PlayerJson], Schema(minItems=2, maxItems=5)]
    winner: Positive | None
    """The player with the most points, from 1; null for a tie or an unfinished match."""
    complete: bool
    """Whether all games were played."""
    rounds: list[PlayedJson]


@dataclass(frozen=True, slots=True, repr=False)
class MatchResult(Displayable):
    """The rounds of a match, and its winner."""

    game: Game
    """The game of all rounds."""
    rules: str
    """Name of the rules, a key of MATCHES."""
    names: tuple[str, ...]
    """Names of the players."""
    played: tuple[PlayedRound, ...]
    """The finished rounds."""
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
        points = self.points
        has_winner = self.is_complete and points.count(max(points)) == 1
        return points.index(max(points)) if has_winner else None

    def guesses(self, player: int) -> tuple[int, int, int]:
        """Return the numbers of rounds, of codes found and of guesses in a player's solo rounds.

        In a solo round, this player is the only codebreaker.

        Parameters
        ----------
        player : int
            The index of the player in `names`.

        Returns
        -------
        tuple of int
            The numbers of solo rounds, of codes that were found in them, and of guesses in them.
        """
        solo_rounds = [played for played in self.played if played.breakers == (player,)]
        codes_found = sum(played.is_found for played in solo_rounds)
        return len(solo_rounds), codes_found, sum(len(played.board.rows) for played in solo_rounds)

    def records(self) -> list[dict[str, Any]]:
        """Return one record per round, numbered from 1, for pandas.DataFrame and polars."""
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


MAX_MATCH_GAMES = 1_000_000
"""Maximum number of games in a match of `match`. The result lists all rounds."""
MAX_PENALTY = 1000
"""Maximum number of points that a codemaker loses for a wrong score."""


@check_arguments
def match(
    game: Game | str,
    players: Sequence[Player],
    *,
    games: int | None = None,
    rules: str = "points",
    turns: int | None = None,
    penalty: int = 1,
    consistent_only: bool = False,
    hard: bool = False,
    on_progress: Callable[[MatchResult], None] | None = None,
) -> MatchResult:
    """Play a match of several games in which the players change roles.

    Parameters
    ----------
    game : Game or str
        The game, or its size or name, such as "4x6" or "mastermind".
    players : sequence of Player
        Two players, or up to five if `rules` is "new-mastermind". Machines must be created with the
        same `consistent_only` and `hard`.
    games : int, optional
        Number of games, up to a million; by default, one per player.
    rules : {"points", "key-pegs", "new-mastermind", "challenge"}, default "points"
        How points are counted. "points": the codemaker gets a point per guess, and one more if the
        code is not found. "key-pegs": a point per black key peg. "new-mastermind": all other
        players guess in turn, and get points. "challenge": the first player who finds the code of
        the other one gets a point.
    turns : int, optional
        Maximum number of guesses per round; None for no limit.
    penalty : int, default 1
        Points that a codemaker loses for each wrong score, up to 1,000.
    consistent_only : bool, default False
        Whether only codes that remain possible may be guessed.
    hard : bool, default False
        Whether each guess must use the information of earlier scores.
    on_progress : callable, optional
        Called with the result so far after each round.

    Returns
    -------
    MatchResult
        The rounds, the points and the winner.

    Raises
    ------
    InputError
        If the rules are unknown, if they do not allow the number of players or games, or if another
        argument is invalid.

    Examples
    --------
    >>> game = mmsat.Game(4, 6)
    >>> players = [mmsat.Machine(game, name, seed=1) for name in ("knuth", "first-consistent")]
    >>> result = mmsat.match(game, players, games=2)
    >>> result.points, result.winner
    ((7, 5), 0)
    """
    game = Game.of(game)
    require_name("rules", rules, MATCHES)
    names = tuple(player.name for player in players)
    played: list[PlayedRound] = []
    match_rules = MATCHES[rules](
        game, players, turns=turns, penalty=penalty, consistent_only=consistent_only, hard=hard
    )
    for record in match_rules.play(len(players) if games is None else games):
        played.append(record)
        if on_progress is not None:
            on_progress(MatchResult(game, rules, names, tuple(played), is_complete=False))
    return MatchResult(game, rules, names, tuple(played))


EXTRA_GUESSES = 5
"""By default, this many guesses are allowed in addition to one per board, as in published games of
several boards."""
MAX_GAMES = 100_000
"""Maximum number of games in a match of `match_many`."""


class StrategyResultJson(TypedDict):
    """The results of a strategy."""

    name: str
    """Name of the strategy."""
    wins: NonNegative
    """Number of games that were won."""
    average: Annotated[str, Schema(pattern="^[0-9]+/[0-9]+$")]
    """Average number of guesses per game, as a fraction; 0/1 without games."""
    average_decimal: float
    """Average number of guesses per game, rounded to six decimal places."""
    max: NonNegative
    """Number of guesses in the longest game."""


class SeveralRoundJson(TypedDict):
    """A game of several boards."""

    secrets: Annotated[list[str], Schema(minItems=1)]
    """The codes of the boards, as text."""
    took: list[Positive]
    """For each strategy, the number of guesses until all boards were solved."""


class SeveralMatchJson(TypedDict):
    """The results of strategies for the same games of several boards."""

    game: GameText
    at_once: Positive
    """Number of boards per game."""
    turns: Positive
    """The number of guesses within which all boards must be solved to win a game."""
    players: Annotated[list[StrategyResultJson], Schema(minItems=1)]
    """The strategies."""
    rounds: list[SeveralRoundJson]


@dataclass(frozen=True, repr=False)
class SeveralMatch(Displayable):
    """The results of strategies for the same games of several boards."""

    game: Game
    """The game of each board."""
    count: int
    """The number of boards per game."""
    turns: int
    """The number of guesses within which all boards must be solved to win a game."""
    names: tuple[str, ...]
    """Names of the strategies."""
    codes: tuple[tuple[Code, ...], ...]
    """For each game, the codes of its boards, with colors from 0."""
    guesses: tuple[tuple[int, ...], ...]
    """For each game, the number of guesses of each strategy until all boards were solved; it may
    exceed `turns`."""

    def wins(self, strategy: int) -> int:
        """Return the number of games that a strategy solved within `turns`.

        Parameters
        ----------
        strategy : int
            The index of the strategy in `names`.

        Returns
        -------
        int
            The number of games.
        """
        return sum(game_guesses[strategy] <= self.turns for game_guesses in self.guesses)

    def average(self, strategy: int) -> Fraction:
        """Return the average number of guesses of a strategy per game.

        Parameters
        ----------
        strategy : int
            The index of the strategy in `names`.

        Returns
        -------
        Fraction
            The average; 0 without games.
        """
        return Fraction(
            sum(game_guesses[strategy] for game_guesses in self.guesses), len(self.guesses) or 1
        )

    def max_guesses(self, strategy: int) -> int:
        """Return the number of guesses of a strategy in its longest game.

        Parameters
        ----------
        strategy : int
            The index of the strategy in `names`.

        Returns
        -------
        int
            The number of guesses; 0 without games.
        """
        return max((game_guesses[strategy] for game_guesses in self.guesses), default=0)

    def records(self) -> list[dict[str, Any]]:
        """Return one record per game, for pandas.DataFrame and polars."""
        print_code = speller(self.game).print_code
        return [
            {
                "codes": " ".join(map(print_code, codes)),
                **dict(zip(self.names, counts, strict=True)),
            }
            for codes, counts in zip(self.codes, self.guesses, strict=True)
        ]

    def to_dict(self) -> SeveralMatchJson:
        """Return a dict for JSON; see schemas/match-several.json."""
        print_code = speller(self.game).print_code
        players: list[StrategyResultJson] = [
            {
                "name": name,
                "wins": self.wins(index),
                "average": format_fraction(self.average(index)),
                "average_decimal": round_fraction(self.average(index)),
                "max": self.max_guesses(index),
            }
            for index, name in enumerate(self.names)
        ]
        rounds: list[SeveralRoundJson] = [
            {"secrets": [*map(print_code, codes)], "took": [*counts]}
            for codes, counts in zip(self.codes, self.guesses, strict=True)
        ]
        return {
            "game": str(self.game),
            "at_once": self.count,
            "turns": self.turns,
            "players": players,
            "rounds": rounds,
        }


@check_arguments
def match_many(
    game: Game | str,
    names: Sequence[str] = (TOGETHER,),
    *,
    count: int = 4,
    games: int = 10,
    turns: int | None = None,
    seed: int | None = None,
    on_progress: Callable[[SeveralMatch], None] | None = None,
) -> SeveralMatch:
    """Play games of several boards at once with each strategy, for the same random codes.

    Parameters
    ----------
    game : Game or str
        The game, or its size or name, such as "4x6" or "mastermind".
    names : sequence of str, default ("together",)
        Names of strategies for several boards: "together", "summed-entropy" or "one-by-one".
    count : int, default 4
        Number of boards per game, up to 1,000. Their codes are drawn independently.
    games : int, default 10
        Number of games, up to 100,000.
    turns : int, optional
        Number of guesses within which all boards must be solved to win a game; by default `count` +
        5. Lost games are played to the end, so that averages are over complete games.
    seed : int, optional
        Seed of the codes of the boards, and of the samples by which guesses are judged.
    on_progress : callable, optional
        Called with the result so far after each game.

    Returns
    -------
    SeveralMatch
        The number of guesses of each strategy in each game.

    Raises
    ------
    InputError
        If a strategy is unknown, or if another argument is invalid.

    Examples
    --------
    >>> match = mmsat.match_many("2x3", count=2, games=3, seed=1)
    >>> match.guesses, match.average(0)
    (((3,), (4,), (4,)), Fraction(11, 3))
    """
    game = Game.of(game)
    for name in names:
        find_multi_board_strategy(name)
    if not names or not 1 <= games <= MAX_GAMES or count > MAX_BOARDS:
        expected = f"a strategy, 1 to {MAX_GAMES:,} games and 1 to {MAX_BOARDS:,} boards"
        strategies = f"{len(names)} {'strategy' if len(names) == 1 else 'strategies'}"
        numbers = f"{quantity(games, 'game')} and {quantity(count, 'board')}"
        raise InputError.of("the match", expected, Description(f"{strategies}, {numbers}"))
    max_turns = count + EXTRA_GUESSES if turns is None else turns
    secrets = draw_codes(game, games * count, seed)
    make_result = partial(SeveralMatch, game, count, max_turns, tuple(names))
    codes: list[tuple[Code, ...]] = []
    guesses: list[tuple[int, ...]] = []
    for game_index in range(games):
        codes.append(tuple(secrets[game_index * count : (game_index + 1) * count]))
        guesses.append(tuple(count_turns(game, codes[-1], name, seed) for name in names))
        if on_progress is not None:
            on_progress(make_result(tuple(codes), tuple(guesses)))
    return make_result(tuple(codes), tuple(guesses))


def count_turns(game: Game, secrets: Sequence[Code], name: str, seed: int | None = None) -> int:
    """Return the number of guesses that a strategy needs to solve all boards."""
    boards = SeveralBoards.start(game, len(secrets))
    while not boards.is_solved:
        (guess,) = rank_together(boards, name, seed=seed)
        boards = boards.with_guess(guess, secrets)
    return len(boards.guesses)


RULES["match.games"] = whole_number_from(1, MAX_MATCH_GAMES)
RULES["match.penalty"] = whole_number_from(0, MAX_PENALTY)
RULES["match.rules"] = NAME
OPTIONAL.add("match.games")
