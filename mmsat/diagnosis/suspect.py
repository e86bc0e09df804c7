"""What if: which scores of some suspect rows would make a board consistent.

All other rows are taken to be right. Each code that gets these makes one hypothesis of what the
suspects' scores were, so that the hypotheses share the codes among them, and the counts are exact.
A hypothesis may change a single suspect, several, or none where the board is consistent as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.diagnosis.corrections import COUNT_SECONDS, correction
from mmsat.diagnosis.discriminating_guess import best_guess
from mmsat.diagnosis.nearest import CODES, SLICES, all_scored
from mmsat.diagnosis.repair import repairs
from mmsat.enumeration.count import count
from mmsat.errors import Fault, InputError
from mmsat.game.row import Code
from mmsat.results import Correction, Count, DiscriminatingGuess, Suspicion
from mmsat.solving.brute import SlicedSearch
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.solving.executor import stream

if TYPE_CHECKING:
    from mmsat.diagnosis.nearest import Repair

Progress = Callable[[Suspicion], None]

LIMIT = 100
"""Hypotheses that are listed unless told otherwise."""


def suspect(
    board: Board,
    rows: Sequence[int],
    *,
    timeout: float | None = None,
    limit: int = LIMIT,
    seed: int | None = None,
    on_progress: Progress | None = None,
) -> Suspicion:
    """Find what suspected rows may have scored, and the guess that tells these cases apart best.

    - `board`: the game and its scored rows.
    - `rows`: the suspects, counted from 0; all other rows are taken to be right.
    - `timeout`: seconds, None for no limit; the answer then has what was found until then.
    - `limit`: hypotheses that are listed at most.
    - `seed`: for the codes that are drawn where the hypotheses leave too many to look at all.
    - `on_progress`: called with what is known so far.

    Raises InputError for rows that the board does not have.
    """
    deadline = Deadline(timeout)
    suspects = checked(board, rows)
    found = Suspicion.unknown(board, suspects)
    work = stream(deadline, find_hypotheses, board, suspects, limit, seed or 0)
    try:
        for each in work:
            found = replace(found, **added(found, each), seconds=deadline.elapsed)
            if on_progress is not None:
                on_progress(found)
    except TimeUpError:
        pass
    finally:
        work.close()
    return replace(found, seconds=deadline.elapsed)


def added(found: Suspicion, new: object) -> dict[str, Any]:
    """What is new in a suspicion: hypotheses, that these are all, or the guess."""
    if isinstance(new, DiscriminatingGuess):
        return {"telling": new}
    if isinstance(new, bool):
        return {"all_hypotheses": new}
    more = tuple(new) if isinstance(new, list) else (new,)
    return {"hypotheses": tuple(sorted((*found.hypotheses, *more), key=Correction.sort_key))}


def checked(board: Board, rows: Sequence[int]) -> tuple[int, ...]:
    """The suspects in order; raises InputError for rows that the board does not have."""
    last = len(board.rows)
    faults = [
        Fault(f"a suspect is a row of the board, {last} in all", _shown(row), f"1 to {last}")
        for row in rows
        if type(row) is not int or not 0 <= row < last
    ]
    if not rows:
        faults.append(Fault("there is a suspect", None, "the number of a row"))
    if faults:
        raise InputError(faults, "the suspects")
    return tuple(sorted(set(rows)))


def _shown(row: object) -> object:
    return row + 1 if type(row) is int else row


def find_hypotheses(
    board: Board, suspects: tuple[int, ...], limit: int, seed: int
) -> Iterator[list[Correction] | Correction | DiscriminatingGuess | bool]:
    """Yield hypotheses, whether these are all, and the guess that tells them apart."""
    listed = codes_by_repair(board, suspects)
    if listed is not None:
        pairs = [
            (correction(board, _changes(board, repair), _exactly(len(codes))), codes)
            for repair, codes in listed.items()
        ]
        pairs.sort(key=lambda pair: pair[0].sort_key())
        yield [each for each, _ in pairs[:limit]]
        yield len(pairs) <= limit
        known = [codes for _, codes in pairs[:limit]]
        telling = best_guess(board, suspects, [each for each, _ in pairs[:limit]], known, seed)
    else:
        found: list[Correction] = []
        is_all = True
        for repair in repairs(board, frozenset(suspects)):
            if len(found) == limit:
                is_all = False
                break
            codes = count(board.changed(dict(repair)), timeout=COUNT_SECONDS)
            found.append(correction(board, _changes(board, repair), codes))
            yield found[-1]
        yield is_all
        found.sort(key=Correction.sort_key)
        telling = best_guess(board, suspects, found, None, seed)
    if telling is not None:
        yield telling


def codes_by_repair(board: Board, suspects: tuple[int, ...]) -> dict[Repair, list[Code]] | None:
    """By the scores of the suspects, the codes that get the others; None if they are too many."""
    others = board.only(row for row in range(len(board.rows)) if row not in suspects)
    search = SlicedSearch(System.of(others), slices=SLICES)
    codes = list(islice(search, CODES))
    if not search.is_exhausted:
        return None
    found: dict[Repair, list[Code]] = {}
    told = [all_scored(board, row, codes) for row in suspects]
    for code, *scores in zip(codes, *told, strict=True):
        found.setdefault(tuple(zip(suspects, scores, strict=True)), []).append(code)
    return found


def _changes(board: Board, repair: Repair) -> Repair:
    return tuple((row, score) for row, score in repair if score != board.rows[row].score)


def _exactly(number: int) -> Count:
    return Count(number, exact=True, method="brute", seconds=0.0)
