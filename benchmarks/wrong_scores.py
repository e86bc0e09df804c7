"""Find wrong scores of large boards with `explain`, compared with omitting rows.

The boards are random, with a planted code and one or two changed scores. Boards that stay
consistent are skipped. Times are processor seconds of all processes. The plain method runs `auto`
on the board without each row in turn.
"""

from __future__ import annotations

import random
from itertools import count, islice
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.timing import cpu_clock
from mmsat.diagnosis import Conflict, Correction
from mmsat.diagnosis.explain import find_reasons
from mmsat.game.board import Status
from mmsat.game.tolerance import STRICT
from mmsat.solving import find_engine
from mmsat.solving.deadline import Deadline, TimeUpError, run, stream
from mmsat.solving.oracle import SubsetOracle
from tests.support.planted_boards import planted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mmsat.game.board import Board

LIMIT = 900.0
"""Time limit of a run, in seconds of wall time."""
FIRST_SEED = 2001
BOARDS = 10
MAX_CORRECTIONS = 100
"""Maximum number of corrections to find."""
SIZES = (("20x20", 36), ("20x6", 22), ("30x30", 58), ("30x6", 24), ("60x2", 22))
SLIPS = {
    "black for white": ((-1, 1),),
    "two blacks for whites": ((-2, 2),),
    "one white more": ((0, 1),),
    "two rows": ((-1, 1), (-1, 1)),
}
"""Amounts added to black and white, one pair per changed row."""


def lines(words: list[str]) -> Iterator[tuple[str, list[Board]]]:
    """Yield the boards by size and kind, with a description; `words` select descriptions."""
    for size, rows in SIZES:
        for slip in SLIPS:
            name = f"{size}, {rows} rows, {slip}"
            if all(word in name for word in words):
                yield name, list(islice(wrong_boards(size, rows, slip), BOARDS))


def wrong_boards(size: str, rows: int, slip: str) -> Iterator[Board]:
    """Yield inconsistent boards without end."""
    for seed in count(FIRST_SEED):
        board = wrong(planted(size, rows, seed), slip, seed)
        if run(Deadline(LIMIT), is_refuted, board):
            yield board


def wrong(board: Board, slip: str, seed: int) -> Board:
    """Return the board with a slip in randomly chosen rows that allow it."""
    order = list(range(len(board.rows)))
    random.Random(f"{slip} {seed}").shuffle(order)
    changed: dict[int, tuple[int | None, ...]] = {}
    for black, white in SLIPS[slip]:
        for row in order:
            before = board.rows[row].score
            score = ((before[0] or 0) + black, (before[1] or 0) + white)
            if row not in changed and min(score) >= 0 and not _flaw(board, score):
                changed[row] = score
                break
    return board.changed(changed)


def _flaw(board: Board, score: tuple[int, int]) -> str | None:
    """Return the reason why a score is impossible, or None."""
    return board.game.scoring.flaw(board.game.pegs, score)


def is_refuted(board: Board) -> bool:
    """Return whether a board has no code."""
    return SubsetOracle(board).find(range(len(board.rows))) is None


def explained(board: Board) -> Iterator[tuple[str, float]]:
    """Yield the times of the first correction ("first"), of a conflict, and of all corrections."""
    started = cpu_clock()
    seen: set[str] = set()
    count = 0
    for reason in find_reasons(board, STRICT, Status.INCONSISTENT, MAX_CORRECTIONS):
        count += isinstance(reason, Correction)
        is_all = reason == "corrections" or count == MAX_CORRECTIONS
        what = "all" if is_all else "conflict" if isinstance(reason, Conflict) else "first"
        if what not in seen:
            seen.add(what)
            yield what, cpu_clock() - started
        if {"conflict", "all"} <= seen:
            return


def omit_rows(board: Board) -> Iterator[tuple[str, float]]:
    """Run the plain method; yield "first" and the time for each row whose omission gives a code.

    At the end, yield "all" and the time.
    """
    started = cpu_clock()
    rows = range(len(board.rows))
    for row in reversed(rows):
        others = board.only(other for other in rows if other != row)
        if find_engine("auto").decide(others, Deadline()).code is not None:
            yield "first", cpu_clock() - started
    yield "all", cpu_clock() - started


def timed(work: Callable[[Board], Iterator[tuple[str, float]]], board: Board) -> dict[str, float]:
    """Return the time at which each result was first found within the limit."""
    times: dict[str, float] = {}
    try:
        for what, seconds in stream(Deadline(LIMIT), work, board):
            times.setdefault(what, seconds)
    except TimeUpError:
        pass
    return times


def main(words: list[str], *, rivals: int = 1) -> None:
    """Print median and maximum times by size and kind, also of the plain method on some boards."""
    for name, boards in lines(words):
        ours = [timed(explained, board) for board in boards]
        theirs = [timed(omit_rows, board) for board in boards[:rivals]]
        texts = [f"{what} {summary(ours, what)}" for what in ("first", "conflict", "all")]
        naive = [f"{what} {summary(theirs, what)}" for what in ("first", "all")]
        print(
            f"{name:<40} {', '.join(texts)}; auto without each row: {', '.join(naive)}", flush=True
        )


def summary(times: list[dict[str, float]], what: str) -> str:
    """Return the median and the maximum time of a result."""
    results = sorted(time.get(what, float("inf")) for time in times)
    return f"{median(results):.1f} ({results[-1]:.1f})"
