"""The diagram engine at work on a board, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mmsat._core import Counter
from mmsat.codes.layouts import layouts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat._core import Stage
    from mmsat.game.board import Board

WORK = 1 << 21
"""Entries of lists between two reports: some hundredths of a second."""


class Known(NamedTuple):
    """What is known of a count while it is made."""

    least: int
    """There are at least so many codes, ..."""
    most: int | None
    """... and at most so many, if anything is known."""
    doing: str
    """What is done, for people."""


def count_by_diagram(
    board: Board, memory: int, work: int | None
) -> Iterator[tuple[Known, int | None]]:
    """Yield what is known, and at last the number; without it, the work was not enough.

    Raises MemoryError beyond so many bytes, OverflowError or UnsuitedError where it cannot be.
    """
    parts = list(layouts(board, in_order=False))
    done = spent = 0
    peak = states = nodes = 0
    for number, layout in enumerate(parts):
        counter = Counter(*layout.arguments, memory)
        rest = sum(1 << other.bits for other in parts[number + 1 :])
        while not counter.advance(WORK):
            spent += WORK
            stage = counter.stage
            bound = int.from_bytes(stage.most, "little") if stage.most else 1 << layout.bits
            yield (
                Known(done, min(done + bound + rest, board.game.size), told(stage, layout.order)),
                None,
            )
            if work is not None and spent >= work:
                return
        stage = counter.stage
        peak, states = max(peak, stage.peak_bytes), max(states, stage.states)
        nodes += stage.nodes
        done += int.from_bytes(counter.count, "little")
    said = (
        f"the diagram has {nodes:,} histograms and {states:,} states at its end, {peak >> 20:,} MiB"
    )
    if len(parts) != 1:
        said += f", in {len(parts)} parts"
    yield Known(done, done, said), done


def told(stage: Stage, order: tuple[int, ...]) -> str:
    """A line of progress."""
    return (
        f"diagram: peg {stage.pegs_done} of {len(order)}, {stage.nodes:,} histograms, "
        f"{stage.states:,} states, {stage.peak_bytes >> 20:,} MiB"
    )
