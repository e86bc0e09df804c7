"""Who plays whom in a match, and who gets which points."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from mmsat.board import Board
from mmsat.errors import InputError
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.matches.players import Player, play_round
from mmsat.matches.round import Round
from mmsat.notation.speller import speller


@dataclass(frozen=True, slots=True)
class Played:
    """A round that was played, and its points. Players count from 0."""

    maker: int
    breakers: tuple[int, ...]
    """Who guessed, in turn."""
    board: Board
    secret: Code | None
    """The code; None if it was not told."""
    is_found: bool
    points: tuple[int, ...]
    """For each player, penalties included."""
    wrong_rows: tuple[int, ...] = ()
    """The rows, from 0, whose scores were wrong."""

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; players and rows from 1, the code as the game spells it."""
        spelled = None if self.secret is None else speller(self.board.game).print_code(self.secret)
        return {
            "maker": self.maker + 1,
            "breakers": [player + 1 for player in self.breakers],
            "board": str(self.board),
            "secret": spelled,
            "found": self.is_found,
            "guesses": len(self.board.rows),
            "points": list(self.points),
            "wrong_rows": [row + 1 for row in self.wrong_rows],
        }


class MatchRules(ABC):
    """A match of some games between players, who change roles."""

    name: ClassVar[str]
    """The name in commands and files."""
    summary: ClassVar[str]
    """One line for help."""
    most_players: ClassVar[int] = 2
    rounds_a_game: ClassVar[int] = 1

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
        """A match by the rules of a game, with so many guesses a round at most.

        For each score that was wrong, the codemaker loses so many points. With `consistent_only`
        every guess must be able to be the code, with `hard` it must use what is known. Raises
        InputError for a number of players that is not right.
        """
        self.game = game
        self.players = list(players)
        self.turns = turns
        self.penalty = penalty
        self.consistent_only = consistent_only
        self.hard = hard
        if not 2 <= len(self.players) <= self.most_players:
            many = "two" if self.most_players == 2 else f"2 to {self.most_players}"
            raise InputError.of(
                "the match", many, len(players), f"a match by {self.name} is for {many} players"
            )

    def find_flaw(self, games: int) -> str | None:
        """Why so many games are no match, or None: each makes the code equally often."""
        if games < 1 or games % len(self.players):
            players = len(self.players)
            return f"each player makes the code equally often: games are a multiple of {players}"
        return None

    def play(self, games: int) -> Iterator[Played]:
        """Play so many games, one after the other; raises InputError for a number that is unfit."""
        if flaw := self.find_flaw(games):
            many = len(self.players)
            raise InputError.of("the match", str(max(1, games // many) * many), games, flaw)
        for number in range(games):
            yield from self.rounds(number)

    @abstractmethod
    def rounds(self, number: int) -> Iterator[Played]:
        """The rounds of a game, by its number from 0."""

    def begin(self, maker: int) -> Round:
        """A round that a player makes the code for."""
        secret = self.players[maker].hide(self.game)
        return Round(Board(self.game), self.turns, secret, self.consistent_only, self.hard)

    def round(self, maker: int, breakers: Sequence[int]) -> tuple[Round, Code | None]:
        """A round from its beginning to its end, and the code if it was told."""
        now = play_round(
            self.begin(maker), [self.players[player] for player in breakers], self.players[maker]
        )
        return now, self.reveal_code(now, maker)

    def reveal_code(self, now: Round, maker: int) -> Code | None:
        """The code of a round that is over."""
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
    ) -> Played:
        """What was played, with the penalty for wrong scores."""
        wrong = now.board.missed(secret) if secret is not None else ()
        totals = [points.get(player, 0) for player in range(len(self.players))]
        totals[maker] -= self.penalty * len(wrong)
        return Played(maker, tuple(breakers), now.board, secret, now.is_found, tuple(totals), wrong)


class Points(MatchRules):
    """The codemaker gets a point for each guess, and one more if the code was not found."""

    name = "points"
    summary = "the codemaker gets a point a guess, and one more if the code was not found"

    def rounds(self, number: int) -> Iterator[Played]:
        maker, breaker = number % 2, 1 - number % 2
        now, secret = self.round(maker, [breaker])
        yield self.record(now, maker, [breaker], secret, {maker: self.count_points(now)})

    def count_points(self, now: Round) -> int:
        """The codemaker's points."""
        return len(now.board.rows) + (not now.is_found)


class KeyPegs(Points):
    """The codemaker gets a point for each black key peg placed in the round.

    The rules have "colored key pegs", as the others are white. In games that are scored otherwise,
    what is right in place counts, or where that is not told, all that is.
    """

    name = "key-pegs"
    summary = "the codemaker gets a point for each black key peg placed"

    def count_points(self, now: Round) -> int:
        return sum(count_colored_keys(self.game, score) for _, score in now.board.rows)


def count_colored_keys(game: Game, score: tuple[int | None, ...]) -> int:
    """The black key pegs of a score, or what stands for them."""
    known = [part or 0 for part in score]
    if game.scoring.marks:
        right = game.score((0,) * game.pegs, (0,) * game.pegs)[0]
        return known.count(right)
    return known[game.parts.index("black")] if "black" in game.parts else sum(known)


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


class Challenge(MatchRules):
    """Turn by turn both guess; who finds the code first gets a point, nobody in the same turn.

    A game is two rounds, so that any number of games is fair.
    """

    name = "challenge"
    summary = "both make and break at once; who finds the other's code first gets a point"
    rounds_a_game = 2

    def find_flaw(self, games: int) -> str | None:
        return None if games >= 1 else "a match is one game at least"

    def rounds(self, number: int) -> Iterator[Played]:  # noqa: ARG002
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


MATCHES = {rules.name: rules for rules in (Challenge, KeyPegs, NewMastermind, Points)}
"""The ways to count a match, by name."""
