"""The verdicts of boards of one game in bulk: codes left, impossible guesses, and reasons."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from mmsat.arrays import Array, np
from mmsat.auditing.batch import Asked, Batch, Reason, count_one, have_any
from mmsat.auditing.reasons import ROWS, find_reasons
from mmsat.board import Board
from mmsat.diagnosis.slips import repeats_slip, slip
from mmsat.game.game import Game
from mmsat.game.row import Score
from mmsat.notation.speller import speller


class Judgment(NamedTuple):
    """What is known of one board."""

    codes: int
    impossible: str = ""
    """The rows, from 1, whose guesses could not be the code."""
    why: Mapping[str, Any] = MappingProxyType({})
    """Of one without a code: a conflict and the most plausible cheapest correction."""


def judge_boards(
    batch: Batch,
    asked: Asked,
    starts: Array,
    board: Callable[[int], Board],
    *,
    reasons: bool,
) -> list[Judgment]:
    """The verdicts of boards; what the kernel does not know is judged as `board` has it."""
    is_odd = are_odd(batch, asked, starts, reasons=reasons)
    plain = take_boards(asked, starts, np.flatnonzero(~is_odd))
    found = iter(judge_plain(batch, *plain, reasons=reasons))
    return [
        judge_one(board(index), reasons=reasons) if odd else next(found)
        for index, odd in enumerate(is_odd.tolist())
    ]


def are_odd(batch: Batch, asked: Asked, starts: Array, *, reasons: bool) -> Array:
    """Which boards are more than the kernel knows, or than it gives reasons for."""
    is_odd = have_any(asked.unknown, starts)
    if reasons:
        is_odd |= (np.diff(starts) > ROWS) | have_any(batch.is_beyond[asked.scores], starts)
    return is_odd


def judge_plain(batch: Batch, asked: Asked, starts: Array, *, reasons: bool) -> list[Judgment]:
    """The verdicts of boards of which none is odd."""
    codes = batch.count(asked, starts)
    if not reasons:
        return [*map(Judgment, codes.tolist())]
    words = map(_row_numbers, batch.impossible(asked, starts))
    found = [*map(Judgment, codes.tolist(), words)]
    bad = np.flatnonzero(codes == 0)
    rows, begins = take_boards(asked, starts, bad)
    each = zip(bad.tolist(), begins.tolist(), batch.reasons(rows, begins), strict=False)
    for index, begin, reason in each:
        told = int(rows.scores[begin + reason.row])
        found[index] = found[index]._replace(why=_tell(batch, reason, told))
    return found


def judge_one(board: Board, *, reasons: bool) -> Judgment:
    """The verdict of one board, without the kernel."""
    codes = count_one(board)
    if not reasons:
        return Judgment(codes)
    impossible = " ".join(str(row + 1) for row in board.inconsistent_guesses())
    return Judgment(codes, impossible, {} if codes else why(board))


def why(board: Board) -> dict[str, Any]:
    """A conflict and the most plausible cheapest correction, in flat words."""
    conflict, correction = find_reasons(board)
    told: dict[str, Any] = {}
    if conflict is not None:
        told["conflict"] = " ".join(str(row + 1) for row in conflict.rows)
    if correction is not None:
        first = correction.changes[0]
        change = _change(board.game, first.before, first.after, False)
        told |= {"changed": correction.cost, "row": first.row + 1, **change, "slip": first.slip}
    return told


def _tell(batch: Batch, reason: Reason, told: int) -> dict[str, Any]:
    """The same, of what the kernel found; `told` is the number of the score that is changed."""
    return {
        "conflict": _row_numbers(reason.conflict),
        "changed": reason.changed,
        "row": reason.row + 1,
        **_change(
            batch.game, batch.told[told], batch.scores[reason.answer], bool(reason.is_by_repeats)
        ),
    }


@lru_cache(maxsize=1 << 14)
def _change(game: Game, before: Score, after: Score, is_by_repeats: bool) -> dict[str, str]:
    """A changed score in flat words."""
    spell = speller(game).print_score
    made = repeats_slip(game) if is_by_repeats else slip(before, after, game)
    return {"from": spell(before), "to": spell(after), "slip": made.words}


@lru_cache(maxsize=1 << 14)
def _row_numbers(bits: int) -> str:
    """Rows, a bit each, as numbers from 1."""
    return " ".join(str(row + 1) for row in range(bits.bit_length()) if bits >> row & 1)


def take_boards(asked: Asked, starts: Array, boards: Array) -> tuple[Asked, Array]:
    """The rows of some boards, and where each of them begins."""
    if len(boards) == len(starts) - 1:
        return asked, starts
    lengths = np.diff(starts)[boards]
    begins = np.concatenate(([0], np.cumsum(lengths)))
    rows = np.arange(begins[-1]) + np.repeat(starts[boards] - begins[:-1], lengths)
    return asked.take(rows), begins
