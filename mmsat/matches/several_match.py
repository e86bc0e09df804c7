"""Strategies for several boards at once, on the same random codes: wins and guesses."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from mmsat.arguments import check_arguments
from mmsat.errors import InputError
from mmsat.frozen import frozen
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.notation.speller import speller
from mmsat.several_boards import MOST_BOARDS, SeveralBoards
from mmsat.shown import Shown
from mmsat.strategy.analysis import print_average
from mmsat.strategy.analyze import draw_codes
from mmsat.strategy.several import TOGETHER, find_multi_board_strategy, rank_together

SPARE = 5
"""Guesses beside one for each board, as published games of several boards have them."""
MOST_GAMES = 100_000


@frozen
class SeveralMatch(Shown):
    """What strategies took for the same games of several boards."""

    game: Game
    count: int
    """Boards of a game."""
    turns: int
    """The guesses within which a game is won."""
    names: tuple[str, ...]
    """The strategies."""
    codes: tuple[tuple[Code, ...], ...]
    """For each game the codes of its boards."""
    guesses: tuple[tuple[int, ...], ...]
    """For each game the guesses by strategy, until all boards are solved, also beyond `turns`."""

    def wins(self, strategy: int) -> int:
        """The games that a strategy, from 0, solved within the turns."""
        return sum(each[strategy] <= self.turns for each in self.guesses)

    def average(self, strategy: int) -> Fraction:
        """The guesses of a game, on average; 0 where none was played."""
        return Fraction(sum(each[strategy] for each in self.guesses), len(self.guesses) or 1)

    def most(self, strategy: int) -> int:
        """The guesses of the longest game."""
        return max((each[strategy] for each in self.guesses), default=0)

    def records(self) -> list[dict[str, Any]]:
        """A line for each game, for pandas.DataFrame and polars."""
        print_code = speller(self.game).print_code
        return [
            {"codes": " ".join(map(print_code, codes)), **dict(zip(self.names, took, strict=True))}
            for codes, took in zip(self.codes, self.guesses, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; see schemas/match-several.json."""
        print_code = speller(self.game).print_code
        players = [
            {
                "name": name,
                "wins": self.wins(number),
                **print_average(self.average(number)),
                "max": self.most(number),
            }
            for number, name in enumerate(self.names)
        ]
        rounds = [
            {"secrets": [*map(print_code, codes)], "took": [*took]}
            for codes, took in zip(self.codes, self.guesses, strict=True)
        ]
        return {
            "game": str(self.game),
            "at_once": self.count,
            "turns": self.turns,
            "players": players,
            "rounds": rounds,
        }


@check_arguments
def match_several(
    game: Game | str,
    names: Sequence[str] = (TOGETHER,),
    *,
    count: int = 4,
    games: int = 10,
    turns: int | None = None,
    seed: int | None = None,
    on_progress: Callable[[SeveralMatch], None] | None = None,
) -> SeveralMatch:
    """Play games of several boards at once by some strategies, all by the same random codes.

    - `game`: a game, or its size or name.
    - `names`: strategies for several boards: together, summed-entropy, one-by-one.
    - `count`: how many boards a game has; their codes are drawn, any of them again and again.
    - `games`: how many are played.
    - `turns`: the guesses within which a game is won; None for five more than boards. Games go on
      beyond, so that the average is that of whole games.
    - `seed`: for the codes, and those that are drawn to judge guesses.
    - `on_progress`: called with the result so far after each game.

    Raises InputError for unknown strategies, and for numbers that make no game.
    """
    game = Game.of(game)
    for name in names:
        find_multi_board_strategy(name)
    if not names or not 1 <= games <= MOST_GAMES or count > MOST_BOARDS:
        rule = (
            f"a match has a strategy, up to {MOST_GAMES:,} games and up to {MOST_BOARDS:,} boards"
        )
        raise InputError.of("the match", "at least one of each", None, rule)
    limit = count + SPARE if turns is None else turns
    drawn = draw_codes(game, games * count, seed)
    played = partial(SeveralMatch, game, count, limit, tuple(names))
    codes: list[tuple[Code, ...]] = []
    took: list[tuple[int, ...]] = []
    for number in range(games):
        codes.append(tuple(drawn[number * count : (number + 1) * count]))
        took.append(tuple(count_turns(game, codes[-1], name, seed) for name in names))
        if on_progress is not None:
            on_progress(played(tuple(codes), tuple(took)))
    return played(tuple(codes), tuple(took))


def count_turns(game: Game, secrets: Sequence[Code], name: str, seed: int | None = None) -> int:
    """The guesses that a strategy takes until all boards are solved."""
    now = SeveralBoards.start(game, len(secrets))
    while not now.is_solved:
        (guess,) = rank_together(now, name, seed=seed)
        now = now.with_guess(guess, secrets)
    return len(now.guesses)
