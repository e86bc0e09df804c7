"""Count the codes of a board with the decision diagram of the kernel, step by step."""

from collections.abc import Iterator

from mmsat._core import Counter, Stage
from mmsat.constraints.system import System
from mmsat.counting.inclusion_exclusion import Term, terms
from mmsat.counting.layout import layouts
from mmsat.counting.result import CountBounds
from mmsat.game.board import Board

WORK_PER_REPORT = 1 << 21
"""Entries of lists that are processed between two reports: some hundredths of a second."""


WORK_PER_TERM = 1 << 17
"""Work charged for each finished term of a sum, in addition to WORK_PER_REPORT for each report."""


def count_by_diagram(
    system: System, board: Board, memory: int, work: int | None
) -> Iterator[tuple[CountBounds, int | None]]:
    """Yield the known bounds of the count, with the count itself (else None) at the end.

    If `work` (None: unlimited) does not suffice, the count is never yielded. Raises MemoryError if
    more than `memory` bytes are needed, and OverflowError or UnsuitedError if there is no diagram.
    """
    all_terms = terms(board, system)
    if system.budget:
        yield from _add_up(all_terms, board, memory, work)
    else:
        yield from _count(all_terms[0], board, memory, work)


def _add_up(
    terms: list[Term], board: Board, memory: int, work: int | None
) -> Iterator[tuple[CountBounds, int | None]]:
    """Yield the progress of a sum of terms, and the sum at the end.

    Before that there are no bounds other than the size of the game, because some terms are
    subtracted.
    """
    total, game = 0, board.game
    for number, term in enumerate(terms, 1):
        for bounds, code_count in _count(term, board, memory, work):
            doing = f"{number:,} of {len(terms):,} boards without lies: {bounds.doing}"
            if code_count is None:
                work = None if work is None else work - WORK_PER_REPORT
                yield CountBounds(0, game.size, doing, (number - 1) / len(terms)), None
            else:
                work = None if work is None else work - WORK_PER_TERM
                total += term.times * code_count
                yield CountBounds(0, game.size, doing), total if number == len(terms) else None
        if work is not None and work <= 0:
            return


def _count(
    term: Term, board: Board, memory: int, work: int | None
) -> Iterator[tuple[CountBounds, int | None]]:
    """Yield the progress of one term, and its number of codes at the end."""
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
        # Upper bounds of the layouts that are not counted yet.
        remaining_bound = sum(1 << other.bits for other in parts[number + 1 :])
        while not counter.advance(WORK_PER_REPORT):
            spent += WORK_PER_REPORT
            stage = counter.stage
            bound = int.from_bytes(stage.most, "little") if stage.most else 1 << layout.bits
            yield (
                CountBounds(
                    done,
                    min(done + bound + remaining_bound, game.size),
                    describe_stage(stage, layout.order),
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
    summary = (
        f"the complete diagram has {nodes:,} histograms and {states:,} states, {peak >> 20:,} MiB"
    )
    if len(parts) != 1:
        summary += f", in {len(parts)} parts"
    yield CountBounds(done, done, summary), done


def describe_stage(stage: Stage, order: tuple[int, ...]) -> str:
    """Return the progress of a diagram as text."""
    return (
        f"diagram: peg {stage.pegs_done} of {len(order)}, {stage.nodes:,} histograms, "
        f"{stage.states:,} states, {stage.peak_bytes >> 20:,} MiB"
    )
