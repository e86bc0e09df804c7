"""The boards that auto is to decide within a minute on two cores, one after the other.

They were out of reach of every engine when this was begun. Random boards come with a planted code,
and with one score changed so that neither a count nor a parity tells.
"""

from __future__ import annotations

from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

from benchmarks import wrong_scores
from benchmarks.boards import planted
from benchmarks.decide.perturb import parity_kept
from mmsat.generators.generate import FAMILIES
from mmsat.reductions.samples.sample import Answer
from mmsat.solving import find_engine
from mmsat.solving.deadline import Deadline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.board import Board

LIMIT = 60.0
SEEDS = range(1, 6)
RANDOM = (("30x30", 58), ("30x6", 24), ("80x2", 28), ("100x2", 24), ("100x2", 40))
"""Games, and how many rows."""
REDUCED = (
    ("vertex-cover-regular", 40, "200 pegs", ("consistent", "inconsistent")),
    ("one-in-three-3sat", 1600, "3200 pegs", ("consistent", "inconsistent")),
    ("sat", 215, "5005 pegs", ("consistent", "any")),
)
"""Families with a size, what that makes, and with which answers."""


def main(words: list[str] | None = None) -> int:
    """Print the seconds for each board, and the verdicts; then wrong scores. Words choose lines."""
    engine = find_engine("auto")
    for name, boards in sizes():
        if not all(word in name for word in words or ()):
            continue
        seconds, verdicts = [], set()
        for board in boards:
            started = perf_counter()
            verdicts.add(str(engine.decide(board, Deadline(LIMIT)).status))
            seconds.append(perf_counter() - started)
        each = " ".join(f"{second:.2f}" for second in seconds)
        told = f"{name:<44} median {median(seconds):5.2f} s"
        print(f"{told}  of {each}  {' '.join(sorted(verdicts))}", flush=True)
    wrong_scores.main(words or [])
    return 0


def sizes() -> Iterator[tuple[str, Iterator[Board]]]:
    """The boards by size and kind."""
    for game, rows in RANDOM:
        boards = [planted(game, rows, seed) for seed in SEEDS]
        yield f"{game}, {rows} rows, planted", iter(boards)
        wrong = (parity_kept(board, str(seed)) for seed, board in zip(SEEDS, boards, strict=True))
        yield f"{game}, {rows} rows, parity kept", wrong
    for family, size, pegs, answers in REDUCED:
        for answer in answers:
            yield f"{family}, {pegs}, {answer}", made(family, size, Answer(answer))


def made(family: str, size: int, answer: Answer) -> Iterator[Board]:
    """The boards of a family."""
    for seed in SEEDS:
        yield FAMILIES[family].make(size, seed, answer).board
