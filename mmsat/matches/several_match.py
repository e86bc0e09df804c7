"""Matches of strategies for several boards at once, played for the same random codes."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from mmsat.arguments import check_arguments
from mmsat.english import quantity
from mmsat.errors import Description, InputError
from mmsat.frozen import frozen
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.notation.speller import speller
from mmsat.several_boards import MOST_BOARDS, SeveralBoards
from mmsat.shown import Shown
from mmsat.strategy.analysis import print_average
from mmsat.strategy.analyze import draw_codes
from mmsat.strategy.several import TOGETHER, find_multi_board_strategy, rank_together

EXTRA_GUESSES = 5
"""Default number of guesses in addition to one per board, as in published games of several
boards."""
MAX_GAMES = 100_000


@frozen
class SeveralMatch(Shown):
    """The results of strategies for the same games of several boards."""

    game: Game
    """The game of each board."""
    count: int
    """The number of boards per game."""
    turns: int
    """The maximum number of guesses to win a game."""
    names: tuple[str, ...]
    """Names of the strategies."""
    codes: tuple[tuple[Code, ...], ...]
    """For each game, the codes of its boards, with colors from 0."""
    guesses: tuple[tuple[int, ...], ...]
    """For each game, the number of guesses of each strategy until all boards were solved; it may
    exceed `turns`."""

    def wins(self, strategy: int) -> int:
        """Return the number of games that a strategy, by its index, solved within `turns`."""
        return sum(game_guesses[strategy] <= self.turns for game_guesses in self.guesses)

    def average(self, strategy: int) -> Fraction:
        """Return the average number of guesses of a strategy per game; 0 without games."""
        return Fraction(
            sum(game_guesses[strategy] for game_guesses in self.guesses), len(self.guesses) or 1
        )

    def most(self, strategy: int) -> int:
        """Return the number of guesses of a strategy in its longest game; 0 without games."""
        return max((game_guesses[strategy] for game_guesses in self.guesses), default=0)

    def records(self) -> list[dict[str, Any]]:
        """Return one record per game, for pandas.DataFrame and polars."""
        print_code = speller(self.game).print_code
        return [
            {"codes": " ".join(map(print_code, codes)), **dict(zip(self.names, took, strict=True))}
            for codes, took in zip(self.codes, self.guesses, strict=True)
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return a dict for JSON; see schemas/match-several.json."""
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
    """Play games of several boards at once with each strategy, for the same random codes.

    - `game`: a game, or its size or name as text.
    - `names`: strategies for several boards: together, summed-entropy, one-by-one.
    - `count`: the number of boards per game. Their codes are drawn independently.
    - `games`: the number of games.
    - `turns`: the maximum number of guesses to win a game; None for `count` + 5. Games continue
      after it, so that the average is that of complete games.
    - `seed`: seed of the codes, and of the codes that are drawn to judge guesses.
    - `on_progress`: called with the result so far after each game.

    Raises InputError for unknown strategies, and for numbers out of range.
    """
    game = Game.of(game)
    for name in names:
        find_multi_board_strategy(name)
    if not names or not 1 <= games <= MAX_GAMES or count > MOST_BOARDS:
        expected = f"a strategy, 1 to {MAX_GAMES:,} games and 1 to {MOST_BOARDS:,} boards"
        strategies = f"{len(names)} {'strategy' if len(names) == 1 else 'strategies'}"
        numbers = f"{quantity(games, 'game')} and {quantity(count, 'board')}"
        raise InputError.of("the match", expected, Description(f"{strategies}, {numbers}"))
    max_turns = count + EXTRA_GUESSES if turns is None else turns
    drawn = draw_codes(game, games * count, seed)
    make_result = partial(SeveralMatch, game, count, max_turns, tuple(names))
    codes: list[tuple[Code, ...]] = []
    took: list[tuple[int, ...]] = []
    for game_index in range(games):
        codes.append(tuple(drawn[game_index * count : (game_index + 1) * count]))
        took.append(tuple(count_turns(game, codes[-1], name, seed) for name in names))
        if on_progress is not None:
            on_progress(make_result(tuple(codes), tuple(took)))
    return make_result(tuple(codes), tuple(took))


def count_turns(game: Game, secrets: Sequence[Code], name: str, seed: int | None = None) -> int:
    """Return the number of guesses that a strategy needs until all boards are solved."""
    now = SeveralBoards.start(game, len(secrets))
    while not now.is_solved:
        (guess,) = rank_together(now, name, seed=seed)
        now = now.with_guess(guess, secrets)
    return len(now.guesses)
