"""The codes nearest to a board, by brute force: those that violate the fewest rows."""

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
"""Numbers of codes by the rows whose scores follow if repeated colors count twice."""

MAX_CODES = 200_000
"""Maximum number of codes that are visited; with more, other methods are used."""
MIN_ARRAY_CODES = 1000
"""Minimum number of codes for which numpy scores all codes at once."""


def nearest_repairs(
    board: Board, slices: int | None = None, *, most_codes: int = MAX_CODES
) -> dict[Repair, Cases] | None:
    """Return the cheapest repairs, each with the codes that it would leave.

    A repair is (row, its score) for each row that a nearest code violates. The search is limited to
    `slices`, at most `LIMITS.repair_slices`, and to `most_codes` codes. Returns None if it does not
    end.
    """
    max_slices = LIMITS.repair_slices
    slices = max_slices if slices is None else min(slices, max_slices)
    system = System.of(board)
    max_violations = len(board.rows)
    search = SlicedSearch(system, max_violations, slices=slices)
    nearest = search.nearest()
    if not search.is_exhausted:
        return None
    if nearest is not None:
        max_violations = len(board.missed(nearest))
    codes = SlicedSearch(system, max_violations, slices=slices)
    repairs = cases_by_repair(board, islice(codes, most_codes))
    return repairs if codes.is_exhausted else None


def cases_by_repair(
    board: Board, codes: Iterable[Code], rows: Iterable[int] | None = None
) -> dict[Repair, Cases]:
    """Return the repairs that lead to the codes, with the cases of the codes.

    The repairs are those of `rows`, or by default, for each code, of the rows that it violates.
    """
    chosen_rows = None if rows is None else sorted(rows)
    repeating = {index for index, row in enumerate(board.rows) if has_repeats(row.guess)}
    cases: dict[Repair, Cases] = {}
    for code in codes:
        missed = board.missed(code)
        repeats = repeats_of(board, code, sorted(repeating.intersection(missed)))
        for repair in repairs_to(board, code, missed if chosen_rows is None else chosen_rows):
            cases.setdefault(repair, Counter())[repeats] += 1
    return cases


def codes_by_repair(
    board: Board, suspects: Sequence[int], *, most_codes: int = MAX_CODES
) -> dict[Repair, list[Code]] | None:
    """Return, by the scores of the suspect rows, the codes that satisfy all other rows.

    Returns None if there are too many codes.
    """
    others = board.only(row for row in range(len(board.rows)) if row not in suspects)
    search = SlicedSearch(System.of(others), slices=LIMITS.repair_slices)
    codes = list(islice(search, most_codes))
    if not search.is_exhausted:
        return None
    codes_by_scores: dict[Repair, list[Code]] = {}
    scores = [rescore_all(board, row, codes) for row in suspects]
    for code, *code_scores in zip(codes, *scores, strict=True):
        for choice in product(*code_scores):
            codes_by_scores.setdefault(tuple(zip(suspects, choice, strict=True)), []).append(code)
    return codes_by_scores


def repairs_to(board: Board, code: Code, rows: Iterable[int]) -> Iterator[Repair]:
    """Yield some rows (from 0), ascending, with the scores that they get from a code.

    There are several repairs if pegs of the guesses were not read. The scores nearest to the stated
    ones come first.
    """
    ordered = sorted(rows)
    for choice in product(*(rescore(board.game, code, board.rows[row]) for row in ordered)):
        yield tuple(zip(ordered, choice, strict=True))


def repair_to(board: Board, code: Code, rows: Iterable[int]) -> Repair:
    """Return the first of these repairs."""
    return next(repairs_to(board, code, rows))


def rescore_all(board: Board, row: int, codes: Sequence[Code]) -> list[list[Score]]:
    """Return the possible scores of a row for each code."""
    if len(codes) < MIN_ARRAY_CODES or is_unread(board.rows[row]):
        return [rescore(board.game, code, board.rows[row]) for code in codes]
    guess, score = board.rows[row]
    scores = board.game.scoring.score_all(np.array(codes, dtype=np.uint16), guess).tolist()
    return [[hide(tuple(actual), score)] for actual in scores]
