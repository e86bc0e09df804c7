"""The diagram engine at work on a board, step by step."""

from collections.abc import Iterator

from mmsat._core import Counter, Stage
from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.enumeration.layout import layouts
from mmsat.enumeration.terms import Term, terms
from mmsat.results.count import CountBounds

WORK = 1 << 21
"""Entries of lists between two reports: some hundredths of a second."""

LEAST = 1 << 17
"""What is charged for a term of several, beside the work that shows."""


def count_by_diagram(
    system: System, board: Board, memory: int, work: int | None
) -> Iterator[tuple[CountBounds, int | None]]:
    """Yield what is known of a board's system, and at last the number, if the work is enough.

    Raises MemoryError beyond so many bytes, OverflowError or UnsuitedError where it cannot be.
    """
    found = terms(board, system)
    if system.budget:
        yield from _add_up(found, board, memory, work)
    else:
        yield from _count(found[0], board, memory, work)


def _add_up(
    terms: list[Term], board: Board, memory: int, work: int | None
) -> Iterator[tuple[CountBounds, int | None]]:
    """The sum of the terms; on the way nothing is known, as some are taken away."""
    total, game = 0, board.game
    for number, term in enumerate(terms, 1):
        for known, found in _count(term, board, memory, work):
            doing = f"{number:,} of {len(terms):,} boards without lies: {known.doing}"
            if found is None:
                work = None if work is None else work - WORK
                yield CountBounds(0, game.size, doing, (number - 1) / len(terms)), None
            else:
                work = None if work is None else work - LEAST
                total += term.times * found
                yield CountBounds(0, game.size, doing), total if number == len(terms) else None
        if work is not None and work <= 0:
            return


def _count(
    term: Term, board: Board, memory: int, work: int | None
) -> Iterator[tuple[CountBounds, int | None]]:
    """The codes of one term."""
    game = board.game
    if not term.system.soft:
        size = game.size - len(board.known)
        yield CountBounds(size, size, "all codes of the game"), size
        return
    parts = list(layouts(term.simplify(), in_order=False))
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
                CountBounds(
                    done,
                    min(done + bound + rest, game.size),
                    describe(stage, layout.order),
                    (number + stage.pegs_done / len(layout.order)) / len(parts),
                ),
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
    yield CountBounds(done, done, said), done


def describe(stage: Stage, order: tuple[int, ...]) -> str:
    """A line of progress."""
    return (
        f"diagram: peg {stage.pegs_done} of {len(order)}, {stage.nodes:,} histograms, "
        f"{stage.states:,} states, {stage.peak_bytes >> 20:,} MiB"
    )
