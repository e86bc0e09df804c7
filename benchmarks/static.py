"""Measure static sets: finding a smallest one and proving it minimal, against plain SAT.

The rival has a variable for each guess, a clause for each pair of codes (at least one guess that
distinguishes them), and a totalizer. Glucose tries increasing numbers of guesses from the counting
bound on, without symmetry breaking, and stops after BUDGET conflicts for one number. Times are
processor time, starting from the game. Seeds determine the sets of our local search and the order
of the rival's guesses. Answers are compared.
"""

from __future__ import annotations

import sys
from itertools import combinations, count
from math import inf
from random import Random
from statistics import median
from time import process_time

from pysat.card import CardEnc, EncType
from pysat.solvers import Glucose4

from mmsat.game.game import Game
from mmsat.strategy.answers import all_codes, compute_answers
from mmsat.strategy.static import StaticSearch

GAMES = ("2x6", "2x7", "2x8", "3x5", "3x6", "4x4", "5x3", "4x3b", "3x5b")
SEEDS = range(1, 11)
BUDGET = 20_000
"""Maximum number of conflicts of plain SAT for one number of guesses."""


def ours(name: str, seed: int) -> tuple[float, int]:
    """Return the processor time of our search, and the minimum number of guesses."""
    started = process_time()
    search = StaticSearch(Game.parse(name), seed=seed)
    search.run()
    return process_time() - started, len(search.result.guesses)


def plain_sat(name: str, seed: int) -> tuple[float, int]:
    """Return the same for plain SAT; infinity and 0 if it stopped at the budget."""
    started = process_time()
    game = Game.parse(name)
    codes = all_codes(game)
    guesses = [tuple(code) for code in codes.tolist()]
    Random(seed).shuffle(guesses)
    answers = compute_answers(game, codes, guesses)
    apart = [
        [guess + 1 for guess in (answers[:, one] != answers[:, other]).nonzero()[0].tolist()]
        for one, other in combinations(range(len(codes)), 2)
    ]
    for size in count(StaticSearch(game).counting_bound):
        created = [*range(1, len(guesses) + 1)]
        counted = CardEnc.atmost(created, bound=size, encoding=EncType.totalizer)
        with Glucose4(bootstrap_with=[*apart, *counted.clauses]) as solver:
            solver.conf_budget(BUDGET)
            result = solver.solve_limited()
        if result is None:
            return inf, 0
        if result:
            return process_time() - started, size
    raise AssertionError


def main(names: list[str]) -> int:
    """Print a line for each game: medians and the worst of all seeds, in seconds."""
    print("| game | fewest | ours | worst | plain SAT | worst |\n|---|---|---|---|---|---|")
    plain_sat("2x3", 1)  # so that no measurement includes imports
    for name in names or GAMES:
        results = [(ours(name, seed), plain_sat(name, seed)) for seed in SEEDS]
        fewest = {count for pair in results for _, count in pair if count}
        if len(fewest) != 1:
            raise AssertionError(name, fewest)
        times = [[seconds for seconds, _ in one] for one in zip(*results, strict=True)]
        cells = " | ".join(f"{show(median(time))} | {show(max(time))}" for time in times)
        print(f"| {name} | {fewest.pop()} | {cells} |", flush=True)
    return 0


def show(seconds: float) -> str:
    """Return seconds as text; "given up" for infinity."""
    return "given up" if seconds == inf else f"{seconds:.2f}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
