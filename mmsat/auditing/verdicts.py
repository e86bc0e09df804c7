"""Verdicts of boards of one game in bulk: number of codes, impossible guesses, and reasons."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from mmsat.arrays import Array, np
from mmsat.auditing.batch import Batch, EncodedRows, Reason, count_one, have_any
from mmsat.auditing.reasons import MAX_ROWS, find_reasons
from mmsat.board import Board
from mmsat.diagnosis.slips import repeats_slip, slip
from mmsat.game.game import Game
from mmsat.game.row import Score
from mmsat.notation.speller import speller


class Judgment(NamedTuple):
    """The verdict of one board."""

    codes: int
    impossible: str = ""
    """The numbers, from 1, of the rows whose guess could not be the code, separated by spaces."""
    why: Mapping[str, Any] = MappingProxyType({})
    """For a board without a code: keys of a conflict and the most plausible cheapest correction."""


def judge_boards(
    batch: Batch,
    asked: EncodedRows,
    starts: Array,
    board: Callable[[int], Board],
    *,
    reasons: bool,
) -> list[Judgment]:
    """Return the verdicts of boards; `board` makes the boards that the kernel cannot judge."""
    is_beyond_kernel = find_unsupported(batch, asked, starts, reasons=reasons)
    supported = select_boards(asked, starts, np.flatnonzero(~is_beyond_kernel))
    kernel_verdicts = iter(judge_supported(batch, *supported, reasons=reasons))
    return [
        judge_one(board(index), reasons=reasons) if is_beyond else next(kernel_verdicts)
        for index, is_beyond in enumerate(is_beyond_kernel.tolist())
    ]


def find_unsupported(batch: Batch, asked: EncodedRows, starts: Array, *, reasons: bool) -> Array:
    """Return which boards the kernel cannot judge, or, if requested, cannot give reasons for."""
    is_beyond_kernel = have_any(asked.unknown, starts)
    if reasons:
        is_beyond_kernel |= (np.diff(starts) > MAX_ROWS) | have_any(
            batch.is_beyond[asked.scores], starts
        )
    return is_beyond_kernel


def judge_supported(
    batch: Batch, asked: EncodedRows, starts: Array, *, reasons: bool
) -> list[Judgment]:
    """Return the verdicts of boards that are all supported by the kernel."""
    codes = batch.count(asked, starts)
    if not reasons:
        return [*map(Judgment, codes.tolist())]
    row_numbers = map(_row_numbers, batch.impossible(asked, starts))
    verdicts = [*map(Judgment, codes.tolist(), row_numbers)]
    inconsistent = np.flatnonzero(codes == 0)
    rows, begins = select_boards(asked, starts, inconsistent)
    reasons_by_board = zip(
        inconsistent.tolist(), begins.tolist(), batch.reasons(rows, begins), strict=False
    )
    for index, begin, reason in reasons_by_board:
        number = int(rows.scores[begin + reason.row])
        verdicts[index] = verdicts[index]._replace(why=_reason_keys(batch, reason, number))
    return verdicts


def judge_one(board: Board, *, reasons: bool) -> Judgment:
    """Return the verdict of one board, without the kernel."""
    codes = count_one(board)
    if not reasons:
        return Judgment(codes)
    impossible = " ".join(str(row + 1) for row in board.inconsistent_guesses())
    return Judgment(codes, impossible, {} if codes else _conflict_keys(board))


def _conflict_keys(board: Board) -> dict[str, Any]:
    """Return the keys of a conflict and of the most plausible cheapest correction."""
    conflict, correction = find_reasons(board)
    keys: dict[str, Any] = {}
    if conflict is not None:
        keys["conflict"] = " ".join(str(row + 1) for row in conflict.rows)
    if correction is not None:
        first = correction.changes[0]
        change = _change(board.game, first.before, first.after, False)
        keys |= {"changed": correction.cost, "row": first.row + 1, **change, "slip": first.slip}
    return keys


def _reason_keys(batch: Batch, reason: Reason, number: int) -> dict[str, Any]:
    """Return these keys for a reason of the kernel; `number` is that of the changed score."""
    return {
        "conflict": _row_numbers(reason.conflict),
        "changed": reason.changed,
        "row": reason.row + 1,
        **_change(
            batch.game,
            batch.score_of_number[number],
            batch.scores[reason.answer],
            bool(reason.is_by_repeats),
        ),
    }


@lru_cache(maxsize=1 << 14)
def _change(game: Game, before: Score, after: Score, is_by_repeats: bool) -> dict[str, str]:
    """Return the keys of a changed score."""
    print_score = speller(game).print_score
    kind = repeats_slip(game) if is_by_repeats else slip(before, after, game)
    return {"from": print_score(before), "to": print_score(after), "slip": kind.words}


@lru_cache(maxsize=1 << 14)
def _row_numbers(bits: int) -> str:
    """Return the numbers, from 1, of the rows in a bit mask."""
    return " ".join(str(row + 1) for row in range(bits.bit_length()) if bits >> row & 1)


def select_boards(asked: EncodedRows, starts: Array, boards: Array) -> tuple[EncodedRows, Array]:
    """Return the rows of the boards with these indices, and the start of each board in them."""
    if len(boards) == len(starts) - 1:
        return asked, starts
    lengths = np.diff(starts)[boards]
    begins = np.concatenate(([0], np.cumsum(lengths)))
    rows = np.arange(begins[-1]) + np.repeat(starts[boards] - begins[:-1], lengths)
    return asked.select(rows), begins
