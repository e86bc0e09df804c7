"""Several boards at once: the guesses of each strategy on the same random codes.

    python -m benchmarks strategy several [GAME] [SEEDS]

Two, four and eight boards, a game a seed from 1 on; processor seconds of one core for all games.
"""

from __future__ import annotations

from math import sqrt
from time import process_time

from mmsat.game.game import Game
from mmsat.play.match import EXTRA_GUESSES, match_many
from mmsat.strategy.several import MULTI_BOARD_STRATEGIES

BOARDS = (2, 4, 8)
OFTEN = 20
"""Seeds between two tables."""


def main(given: list[str] | None = None) -> None:
    """Print a table now and then, the last one of all seeds."""
    given = given or []
    game, last = Game.of(given[0] if given else "daily-word"), int((given[1:] or ["1000"])[0])
    took: dict[tuple[int, str], list[int]] = {
        (board, way): [] for board in BOARDS for way in MULTI_BOARD_STRATEGIES
    }
    spent = dict.fromkeys(took, 0.0)
    for seed in range(1, last + 1):
        for (count, way), turns in took.items():
            started = process_time()
            result = match_many(game, [way], count=count, games=1, seed=seed)
            spent[count, way] += process_time() - started
            turns.append(result.guesses[0][0])
        if seed % OFTEN == 0 or seed == last:
            print(f"\n{game}, seeds 1 to {seed}\n")
            print("| boards | strategy | guesses each | standard error | most | won | seconds |")
            print("|---|---|---|---|---|---|---|")
            for (count, way), turns in took.items():
                mean = sum(turns) / seed
                error = sqrt(sum((turn - mean) ** 2 for turn in turns) / seed / seed)
                won = sum(turn <= count + EXTRA_GUESSES for turn in turns) / seed
                cells = f"{mean:.3f} | {error:.3f} | {max(turns)} | {won:.1%} |"
                print(f"| {count} | `{way}` | {cells} {spent[count, way]:.0f} |", flush=True)
