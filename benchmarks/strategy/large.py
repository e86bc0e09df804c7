"""Games too large to list, played to the end: guesses on average, processor time of a game.

Where guesses must be consistent, every game is checked for others. The same seeds are the same
games.

    python -m benchmarks strategy large
"""

from __future__ import annotations

from statistics import fmean, median, stdev
from time import process_time

from benchmarks.timing import report
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.play import Machine, Round, play_round

PLAN = (
    ("8x12", "sampled", 1000),
    ("8x12", "sampled, consistent only", 1000),
    ("8x12", "any-consistent", 200),
    ("16x6", "any-consistent", 50),
    ("16x6", "sat-consistent", 50),
    ("20x6", "any-consistent", 20),
    ("20x20", "any-consistent", 10),
    ("24x6", "any-consistent", 6),
    ("30x30", "any-consistent", 5),
)


def main() -> None:
    """Play all that is planned."""
    for size, strategy, games in PLAN:
        report(f"{size}, {strategy}", [("games", play_games(size, strategy, games))])


def play_games(size: str, strategy: str, games: int) -> str:
    """Return a summary of several games."""
    game, (name, _, only) = Game.parse(size), strategy.partition(", ")
    guesses, seconds = [], []
    for seed in range(games):
        started = process_time()
        machine = Machine(game, name, seed, consistent_only=bool(only))
        now = play_round(Round(Board(game), secret=machine.hide(game)), [machine], machine)
        seconds.append(process_time() - started)
        guesses.append(len(now.board.rows))
        if (only or machine.strategy.is_consistent) and now.board.inconsistent_guesses():
            raise AssertionError(str(now.board))
    error = stdev(guesses) / games**0.5
    return (
        f"{games}: {fmean(guesses):.3f} +- {error:.3f} guesses, at most {max(guesses)}; "
        f"{median(seconds):.3f} s a game in the median, at most {max(seconds):.2f} s"
    )
