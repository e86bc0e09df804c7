"""The codes nearest to a board, by brute force: those that miss the fewest rows."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product

from mmsat.arrays import np
from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.diagnosis.slips import Repair, has_repeats, repeats_of
from mmsat.game.row import Code, Score, hide
from mmsat.game.unread import is_unread, rescore
from mmsat.limits import LIMITS
from mmsat.solving.brute import SlicedSearch

Cases = Counter[tuple[int, ...]]
"""Numbers of codes by the rows whose scores they explain by repeated colors that count twice."""

CODES = 200_000
"""Codes that are looked at before another method is asked."""
ARRAY = 1000
"""Codes from which they are scored all at once."""


def nearest_repairs(
    board: Board, slices: int | None = None, *, most_codes: int = CODES
) -> dict[Repair, Cases] | None:
    """Return the cheapest repairs, each with the codes that it would leave.

    A repair is (row, its score) for each row that a nearest code misses. None when the board is too
    large to be searched, in so many slices if they are named.
    """
    most = LIMITS.repair_slices
    slices = most if slices is None else min(slices, most)
    system = System.of(board)
    slack = len(board.rows)
    search = SlicedSearch(system, slack, slices=slices)
    nearest = search.nearest()
    if not search.is_exhausted:
        return None
    if nearest is not None:
        slack = len(board.missed(nearest))
    every = SlicedSearch(system, slack, slices=slices)
    found = cases_by_repair(board, islice(every, most_codes))
    return found if every.is_exhausted else None


def cases_by_repair(
    board: Board, codes: Iterable[Code], rows: Iterable[int] | None = None
) -> dict[Repair, Cases]:
    """Return the repairs of some rows that lead to the codes; by default, of those they miss."""
    suspects = None if rows is None else sorted(rows)
    repeating = {number for number, row in enumerate(board.rows) if has_repeats(row.guess)}
    found: dict[Repair, Cases] = {}
    for code in codes:
        missed = board.missed(code)
        repeats = repeats_of(board, code, sorted(repeating.intersection(missed)))
        for repair in repairs_to(board, code, missed if suspects is None else suspects):
            found.setdefault(repair, Counter())[repeats] += 1
    return found


def codes_by_repair(
    board: Board, suspects: Sequence[int], *, most_codes: int = CODES
) -> dict[Repair, list[Code]] | None:
    """By the scores of some rows, the codes that get all others; None if they are too many."""
    others = board.only(row for row in range(len(board.rows)) if row not in suspects)
    search = SlicedSearch(System.of(others), slices=LIMITS.repair_slices)
    codes = list(islice(search, most_codes))
    if not search.is_exhausted:
        return None
    found: dict[Repair, list[Code]] = {}
    scores = [rescore_all(board, row, codes) for row in suspects]
    for code, *new in zip(codes, *scores, strict=True):
        for choice in product(*new):
            found.setdefault(tuple(zip(suspects, choice, strict=True)), []).append(code)
    return found


def repairs_to(board: Board, code: Code, rows: Iterable[int]) -> Iterator[Repair]:
    """Some rows (from 0), ascending, with the scores that they would get from a code.

    Several where pegs of their guesses were not read, those nearest to what they say first.
    """
    ordered = sorted(rows)
    for choice in product(*(rescore(board.game, code, board.rows[row]) for row in ordered)):
        yield tuple(zip(ordered, choice, strict=True))


def repair_to(board: Board, code: Code, rows: Iterable[int]) -> Repair:
    """The first of these."""
    return next(repairs_to(board, code, rows))


def rescore_all(board: Board, row: int, codes: Sequence[Code]) -> list[list[Score]]:
    """The scores that a row would get, for many codes."""
    if len(codes) < ARRAY or is_unread(board.rows[row]):
        return [rescore(board.game, code, board.rows[row]) for code in codes]
    guess, score = board.rows[row]
    found = board.game.scoring.score_all(np.array(codes, dtype=np.uint16), guess).tolist()
    return [[hide(tuple(true), score)] for true in found]
