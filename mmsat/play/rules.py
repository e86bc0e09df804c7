"""Rules of matches: the order of roles, and the points."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, TypedDict

from mmsat._util.results import BoardLine, Positive, Schema
from mmsat.errors import InputError
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.play import Player, Round, play_round


class PlayedJson(TypedDict):
    """A finished round."""

    maker: Positive
    """The number of the codemaker, from 1."""
    breakers: Annotated[list[Positive], Schema(minItems=1)]
    """The numbers of the players who guessed, in order of their turns."""
    board: BoardLine
    secret: str | None
    """The code as text; null if it was not revealed."""
    found: bool
    """Whether the code was found."""
    guesses: Positive
    """Number of guesses."""
    points: list[int]
    """The points of each player in this round, including penalties."""
    wrong_rows: list[Positive]
    """Numbers of the rows with wrong scores, from 1."""


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A finished round and its points. Players are numbered from 0."""

    maker: int
    """The player who made the code."""
    breakers: tuple[int, ...]
    """The players who guessed, in order of their turns."""
    board: Board
    """The guesses with their scores."""
    secret: Code | None
    """The code, with colors from 0; None if it was not revealed."""
    is_found: bool
    """Whether the code was found."""
    points: tuple[int, ...]
    """The points of each player in this round, including penalties."""
    wrong_rows: tuple[int, ...] = ()
    """Indices of the rows with wrong scores."""

    def to_dict(self) -> PlayedJson:
        """Return a dict for JSON, with players and rows from 1, and the code as text."""
        secret = None if self.secret is None else speller(self.board.game).print_code(self.secret)
        return {
            "maker": self.maker + 1,
            "breakers": [player + 1 for player in self.breakers],
            "board": str(self.board),
            "secret": secret,
            "found": self.is_found,
            "guesses": len(self.board.rows),
            "points": list(self.points),
            "wrong_rows": [row + 1 for row in self.wrong_rows],
        }


class MatchRules(ABC):
    """Base class of rules for a match of several games, in which the players change roles."""

    name: ClassVar[str]
    """The name in commands and files."""
    summary: ClassVar[str]
    """A description in one line, for the help."""
    max_players: ClassVar[int] = 2
    """The maximum number of players."""
    rounds_per_game: ClassVar[int] = 1
    """The number of rounds per game."""

    def __init__(
        self,
        game: Game,
        players: Sequence[Player],
        *,
        turns: int | None = None,
        penalty: int = 1,
        consistent_only: bool = False,
        hard: bool = False,
    ) -> None:
        """Prepare a match with at most `turns` guesses per round.

        For each wrong score, the codemaker loses `penalty` points. With `consistent_only`, every
        guess must be a code that remains possible. With `hard`, every guess must use the
        information of earlier scores. Raises InputError for a wrong number of players.
        """
        self.game = game
        self.players = list(players)
        self.turns = turns
        self.penalty = penalty
        self.consistent_only = consistent_only
        self.hard = hard
        if not 2 <= len(self.players) <= self.max_players:
            allowed = "two" if self.max_players == 2 else f"2 to {self.max_players}"
            raise InputError.of(
                "the match",
                f"{allowed} players",
                len(players),
                f"by the rules {self.name}",
            )

    def find_flaw(self, games: int) -> str | None:
        """Return why a number of games is not allowed, or None if it is allowed.

        By default, each player must make the code equally often.
        """
        if games < 1 or games % len(self.players):
            players = len(self.players)
            return f"each player makes the code equally often; use a multiple of {players}"
        return None

    def play(self, games: int) -> Iterator[PlayedRound]:
        """Play games and yield their rounds; raise InputError if their number is not allowed."""
        if flaw := self.find_flaw(games):
            player_count = len(self.players)
            raise InputError.of(
                "the match", str(max(1, games // player_count) * player_count), games, flaw
            )
        for game_index in range(games):
            yield from self.rounds(game_index)

    @abstractmethod
    def rounds(self, game_index: int) -> Iterator[PlayedRound]:
        """Play and yield the rounds of a game of the match; the first one has the index 0."""

    def begin(self, maker: int) -> Round:
        """Return a new round in which `maker` makes the code."""
        secret = self.players[maker].hide(self.game)
        return Round(Board(self.game), self.turns, secret, self.consistent_only, self.hard)

    def play_one(self, maker: int, breakers: Sequence[int]) -> tuple[Round, Code | None]:
        """Play a round; return it and its code, which is None if it is not revealed."""
        now = play_round(
            self.begin(maker), [self.players[player] for player in breakers], self.players[maker]
        )
        return now, self.reveal_code(now, maker)

    def reveal_code(self, now: Round, maker: int) -> Code | None:
        """Return the code of a round that is over; None if it is not revealed."""
        if now.is_found and now.secret is None:
            return now.board.rows[-1].guess
        return self.players[maker].reveal(now)

    def record(
        self,
        now: Round,
        maker: int,
        breakers: Sequence[int],
        secret: Code | None,
        points: dict[int, int],
    ) -> PlayedRound:
        """Return the record of a round, with penalties for wrong scores deducted."""
        wrong_rows = now.board.missed(secret) if secret is not None else ()
        points_of = [points.get(player, 0) for player in range(len(self.players))]
        points_of[maker] -= self.penalty * len(wrong_rows)
        return PlayedRound(
            maker, tuple(breakers), now.board, secret, now.is_found, tuple(points_of), wrong_rows
        )


class Points(MatchRules):
    """The codemaker gets one point per guess, and another one if the code was not found."""

    name = "points"
    summary = "the codemaker gets a point per guess, and one more if the code was not found"

    def rounds(self, game_index: int) -> Iterator[PlayedRound]:
        maker = game_index % 2
        breaker = 1 - maker
        now, secret = self.play_one(maker, [breaker])
        yield self.record(now, maker, [breaker], secret, {maker: self.count_points(now)})

    def count_points(self, now: Round) -> int:
        """Return the codemaker's points."""
        return len(now.board.rows) + (not now.is_found)


class KeyPegs(Points):
    """The codemaker gets one point per black key peg in the round.

    The published rules call them "colored key pegs". In games with other scores, pegs in the right
    place count instead, or all right pegs if the scores do not distinguish places.
    """

    name = "key-pegs"
    summary = "the codemaker gets a point for each black key peg placed"

    def count_points(self, now: Round) -> int:
        return sum(count_colored_keys(self.game, score) for _, score in now.board.rows)


def count_colored_keys(game: Game, score: tuple[int | None, ...]) -> int:
    """Return the number of black key pegs of a score.

    If the kind of scoring has no black key pegs, return the number of pegs in place, or of all
    right pegs if scores do not distinguish places.
    """
    numbers = [part or 0 for part in score]
    if game.scoring.marks:
        # The code itself, as a guess, gets only the mark for pegs in place.
        in_place = game.score((0,) * game.pegs, (0,) * game.pegs)[0]
        return numbers.count(in_place)
    return numbers[game.parts.index("black")] if "black" in game.parts else sum(numbers)


WHITE_POINTS, BLACK_POINTS, CODE_POINTS = 1, 2, 10
"""Points in New Mastermind: per white key peg, per black key peg, and for finding the code."""


class NewMastermind(MatchRules):
    """All players see all guesses, and get points for the guesses that they make in turn.

    A peg of a right color is worth 1 point in a wrong place, and 2 points in the right place. A
    guess that finds the code is worth 10 points instead. Each player makes the code equally often.
    """

    name = "new-mastermind"
    summary = (
        "2 to 5 players guess in turn: 1 point per white, 2 per black, 10 for finding the code"
    )
    max_players = 5

    def rounds(self, game_index: int) -> Iterator[PlayedRound]:
        player_count = len(self.players)
        maker = game_index % player_count
        breakers = [(maker + seat) % player_count for seat in range(1, player_count)]
        now, secret = self.play_one(maker, breakers)
        points = dict.fromkeys(range(player_count), 0)
        for turn, (_, score) in enumerate(now.board.rows):
            points[breakers[turn % len(breakers)]] += count_points(self.game, score)
        if now.is_found:
            finder = breakers[(len(now.board.rows) - 1) % len(breakers)]
            # For this guess, the points of its pegs are replaced.
            points[finder] += CODE_POINTS - count_points(self.game, now.board.rows[-1].score)
        yield self.record(now, maker, breakers, secret, points)


def count_points(game: Game, score: tuple[int | None, ...]) -> int:
    """Return the points in New Mastermind of a guess that is not the code."""
    black = count_colored_keys(game, score)
    if game.scoring.marks:
        marks = (game.scoring.marks[part] for part in score if part is not None)
        others = sum(mark.name == "elsewhere" for mark in marks)
    else:
        others = sum(part or 0 for part in score) - black
    return BLACK_POINTS * black + WHITE_POINTS * others


class Challenge(MatchRules):
    """Both players guess in each turn. A player who finds the code first gets one point.

    If both find the code in the same turn, nobody gets a point. A game consists of two simultaneous
    rounds, so any number of games is fair.
    """

    name = "challenge"
    summary = "both players make and break a code; the first to find the other's code gets a point"
    rounds_per_game = 2

    def find_flaw(self, games: int) -> str | None:
        return None if games >= 1 else "a match needs at least one game"

    def rounds(self, game_index: int) -> Iterator[PlayedRound]:  # noqa: ARG002
        rounds = [self.begin(maker) for maker in (0, 1)]
        while not any(now.is_over for now in rounds):
            for maker in (0, 1):
                guess = self.players[1 - maker].guess(rounds[maker])
                rounds[maker] = self.players[maker].answer(rounds[maker], guess)
        for maker in (0, 1):
            is_won = rounds[maker].is_found and not rounds[1 - maker].is_found
            secret = self.reveal_code(rounds[maker], maker)
            breaker = 1 - maker
            yield self.record(rounds[maker], maker, [breaker], secret, {breaker: int(is_won)})


MATCHES = {rules.name: rules for rules in (Challenge, KeyPegs, NewMastermind, Points)}
"""The rules of matches, by name."""
