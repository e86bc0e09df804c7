"""Whole trees of the heuristics, with a new strategy object for each, so that no cache is warm."""

from __future__ import annotations

from benchmarks.strategy.cpu import quickest
from benchmarks.timing import report
from mmsat.game.names import find_game
from mmsat.strategy.analyze import analyze
from mmsat.strategy.selection import find_strategy
from mmsat.strategy.strategies.heuristics import HeuristicChooser

GAMES = ("4x6", "bulls-and-cows", "5x8", "4x10", "6x6")
HEURISTICS = ("knuth", "expected-size", "entropy", "most-parts")


def main() -> None:
    """Print the total of each tree and the time that it takes."""
    rows = []
    for name in GAMES:
        game = find_game(name)
        for heuristic in HEURISTICS:
            total = analyze(game, heuristic).total
            key = find_strategy(heuristic).key
            spent = quickest(lambda game=game, key=key: grow(game, key), 3)
            rows.append((f"{name} {heuristic}", f"{total:9,} guesses {1000 * spent:9,.1f} ms"))
    report("Trees of heuristics, the quickest of 3 runs", rows)


def grow(game: object, key: str) -> None:
    """Grow a tree from nothing, down to Python's nodes."""
    HeuristicChooser(game).grow(key, (), lambda *_: None, consistent_only=False)
