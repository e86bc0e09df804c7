"""The cheapest corrections: the fewest rows to change, and what their scores may have been."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from mmsat.diagnosis.nearest import nearest_repairs
from mmsat.diagnosis.repair import cheapest_repairs, dense_repairs, single_rows
from mmsat.diagnosis.slips import slip, weight
from mmsat.enumeration.count import count
from mmsat.results import Change, Correction, Count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.board import Board
    from mmsat.diagnosis.nearest import Repair
    from mmsat.diagnosis.subset_oracle import Rows, SubsetOracle
    from mmsat.results import Conflict

COUNT_SECONDS = 1.0
"""What is spent on counting the codes that one correction would leave, by SAT."""


def corrections(
    board: Board, oracle: SubsetOracle | None = None, conflict: Conflict | None = None
) -> Iterator[Correction]:
    """Yield every cheapest correction of an inconsistent board.

    Where brute force reaches they come with exact counts, most plausible first. Otherwise they come
    as they are found, each counted for a moment, and the count tells whether it is exact. An oracle
    that has answered before, with a conflict that it found, saves questions on dense boards.
    """
    near = nearest_repairs(board)
    if near is not None:
        found = [
            correction(board, repair, Count(codes, exact=True, method="brute", seconds=0.0))
            for repair, codes in near.items()
        ]
        yield from sorted(found, key=Correction.sort_key)
        return
    if oracle is not None and conflict is not None and oracle.is_dense:
        is_any = False
        for rows in single_rows(oracle, conflict.rows):
            is_any = True
            yield from sorted(dense_corrections(oracle, rows), key=Correction.sort_key)
        if is_any:
            return
    for repair in cheapest_repairs(board):
        codes = count(board.changed(dict(repair)), timeout=COUNT_SECONDS)
        yield correction(board, repair, codes)


def dense_corrections(oracle: SubsetOracle, rows: Rows) -> Iterator[Correction]:
    """The corrections of some rows of a dense board, with the codes that they leave."""
    board, started = oracle.board, perf_counter()
    for repair, codes, is_exact in dense_repairs(oracle.system, board, rows):
        seconds = perf_counter() - started
        told = Count(codes, exact=is_exact, method="enumeration", seconds=seconds)
        yield correction(board, repair, told)


def correction(board: Board, repair: Repair, codes: Count) -> Correction:
    """The correction that a repair is."""
    changes = []
    rank, likely = 0, 1
    for row, after in repair:
        before = board.rows[row].score
        made = slip(before, after, board.game)
        rank += made.rank
        likely *= weight(made.rank)
        changes.append(Change(row, before, after, made.words, board.game.scoring))
    return Correction(tuple(changes), rank, codes, likely)
