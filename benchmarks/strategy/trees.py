"""Whole trees of the heuristics, with a new strategy object for each, so that no cache is warm."""

from __future__ import annotations

from functools import partial

from benchmarks.strategy.cpu import quickest
from benchmarks.timing import report
from mmsat.game.game import Game
from mmsat.game.names import find_game
from mmsat.strategy.analyze import analyze
from mmsat.strategy.strategies.heuristics import (
    Entropy,
    ExpectedSize,
    HeuristicChooser,
    Knuth,
    MostParts,
)

GAMES = ("4x6", "bulls-and-cows", "5x8", "4x10", "6x6")
HEURISTICS = (Knuth, ExpectedSize, Entropy, MostParts)


def main() -> None:
    """Print the total of each tree and the time that it takes."""
    rows = []
    for name in GAMES:
        game = find_game(name)
        for heuristic in HEURISTICS:
            total = analyze(game, heuristic.name).total
            seconds = quickest(partial(grow_tree, game, heuristic.kernel_name), 3)
            rows.append(
                (f"{name} {heuristic.name}", f"{total:9,} guesses {1000 * seconds:9,.1f} ms")
            )
    report("Trees of heuristics, the quickest of 3 runs", rows)


def grow_tree(game: Game, heuristic: str) -> None:
    """Grow the strategy tree of a heuristic with an empty cache."""
    HeuristicChooser(game).grow(heuristic, (), lambda *_: None, consistent_only=False)
