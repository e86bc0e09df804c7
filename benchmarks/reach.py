"""Boards that `auto` should decide within a minute, and larger ones.

When these boards were chosen, no engine could decide them. Random boards have a planted code, or
one score that is changed such that neither counts nor parities reveal it. Times are processor
seconds of all processes together. Each process has a limit of one minute.
"""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import TYPE_CHECKING

from benchmarks import wrong_scores
from mmsat.reductions.families import FAMILIES
from mmsat.reductions.samples import Answer
from mmsat.studies.measure import decide_limited
from tests.support.perturbed_boards import parity_kept
from tests.support.planted_boards import planted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.game.board import Board

LIMIT = 60
SEEDS = range(1, 11)
RANDOM = (
    ("30x30", 58),
    ("30x6", 24),
    ("80x2", 28),
    ("100x2", 24),
    ("100x2", 32),
    ("100x2", 40),
    ("110x2", 34),
    ("120x2", 35),
    ("28x8", 26),
    ("40x6", 27),
)
"""Games, and the numbers of rows of random boards."""
REDUCED = (
    ("vertex-cover-regular", 40, "200 pegs", ("consistent", "inconsistent")),
    ("one-in-three-3sat", 1600, "3200 pegs", ("consistent", "inconsistent")),
    ("sat", 215, "5005 pegs", ("consistent", "any")),
    ("sat", 250, "5825 pegs", ("consistent", "any")),
)
"""Families of reductions: name, size, number of pegs, and answers."""


def main(words: list[str] | None = None) -> int:
    """Print the seconds for each board, and the verdicts; then run `wrong_scores`.

    Only the lines whose descriptions contain all `words` are measured.
    """
    for name, boards in sizes():
        if not all(word in name for word in words or ()):
            continue
        results = [decide_limited(board, LIMIT) for board in boards]
        seconds = [second for _, second in results]
        verdicts = Counter(status for status, _ in results)
        text = ", ".join(f"{number} {status}" for status, number in sorted(verdicts.items()))
        entry = " ".join(f"{second:.1f}" for second in seconds)
        print(f"{name:<44} median {median(seconds):5.2f} s of {entry}; {text}", flush=True)
    wrong_scores.main(words or [])
    return 0


def sizes() -> Iterator[tuple[str, Iterator[Board]]]:
    """Yield the boards by size and kind, with a description."""
    for game, rows in RANDOM:
        boards = [planted(game, rows, seed) for seed in SEEDS]
        yield f"{game}, {rows} rows, planted", iter(boards)
        wrong = (parity_kept(board, str(seed)) for seed, board in zip(SEEDS, boards, strict=True))
        yield f"{game}, {rows} rows, parity kept", wrong
    for family, size, pegs, answers in REDUCED:
        for answer in answers:
            yield f"{family}, {pegs}, {answer}", made(family, size, Answer(answer))


def made(family: str, size: int, answer: Answer) -> Iterator[Board]:
    """Yield the boards of a family."""
    for seed in SEEDS:
        yield FAMILIES[family].make(size, seed, answer).board
