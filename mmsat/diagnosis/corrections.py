"""The cheapest corrections: smallest correction sets (MCSes), and the scores meant in their rows.

If brute force is feasible, it visits the codes nearest to the board: those that violate the fewest
rows (`nearest_repairs`). Otherwise, queries that leave out rows (correction_sets.py) find the
minimum number of rows that must be changed, and then every set of this size. If that number is
large and queries are easy, MaxSAT is used instead (RC2 of python-sat). The scores that the rows of
a set can have are enumerated combination by combination: on dense boards with their codes, on other
boards by an incremental solver.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from itertools import chain, islice, product
from time import perf_counter

from mmsat._util.arrays import np
from mmsat.constraints.system import System
from mmsat.counting.count import count
from mmsat.counting.listing import list_codes
from mmsat.counting.result import Count
from mmsat.diagnosis.correction_sets import MAX_CODES, smallest_by_leaving_out
from mmsat.diagnosis.slips import (
    Repair,
    has_repeats,
    rank_order,
    repeats_of,
    rows_with_repeats,
    slips_of,
    total_weight,
)
from mmsat.diagnosis.verdict import Change, Correction
from mmsat.encoding.cnf import cnf
from mmsat.errors import InternalError
from mmsat.game.board import Board
from mmsat.game.row import Code, Row, Score, hide
from mmsat.game.space import CardinalityConstraint
from mmsat.game.unread import constraints as row_constraints
from mmsat.game.unread import is_unread, rescore
from mmsat.limits import LIMITS
from mmsat.solving.brute import SlicedSearch
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.solving.queries.counting import Counting
from mmsat.solving.queries.oracle import SubsetOracle
from mmsat.solving.queries.query import Query, Rows
from mmsat.solving.sat import code_of

Cases = Counter[tuple[int, ...]]
"""Numbers of codes by the rows whose scores follow if repeated colors count twice."""

MAX_NEAREST_CODES = 200_000
"""Maximum number of codes that brute force visits. With more codes, other methods are used."""
MIN_ARRAY_CODES = 1000
"""Minimum number of codes for which numpy scores all codes at once."""


def nearest_repairs(
    board: Board, slices: int | None = None, *, most_codes: int = MAX_NEAREST_CODES
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
    board: Board, suspects: Sequence[int], *, most_codes: int = MAX_NEAREST_CODES
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


COUNT_SECONDS = 1.0
"""Time limit in seconds for counting, by SAT, the codes that one correction would leave."""
MAX_LISTED_CODES = 2000
"""Maximum number of codes of a correction that are listed, to see how they explain wrong scores."""
MAX_EXPENSIVE_CODES = 30
"""Maximum number of codes that are enumerated for a correction set, if queries are expensive."""
MAX_ENUMERATED_ROWS = 2
"""Maximum size of the first correction set for which a dense board skips brute force."""
MAX_ROWS_BEFORE_MAXSAT = 3
"""Maximum size of correction sets that are searched by leaving out rows before MaxSAT is used, if
queries are easy."""


def corrections(board: Board, oracle: SubsetOracle | None = None) -> Iterator[Correction]:
    """Yield every cheapest correction of an inconsistent board.

    If brute force is feasible, they come with exact counts, the most plausible first. Otherwise,
    they come in the order in which they are found. Each is then counted within a time limit, and
    its count states whether it is exact. An oracle that has answered queries before saves queries
    on dense boards.
    """
    if oracle is None or oracle.tolerance.lies:
        oracle = SubsetOracle(board)
    find_few = cache(partial(few_corrections, oracle))
    nearest = None if oracle.used_counting else nearest_repairs(board, LIMITS.removal_repair_slices)
    correction_sets: Iterator[Rows] = iter(())
    if nearest is None:
        correction_sets = smallest_mcses(oracle)
        first_set = next(correction_sets)
        correction_sets = chain([first_set], correction_sets)
        if not oracle.is_hard and not (
            len(first_set) <= MAX_ENUMERATED_ROWS and find_few(first_set)
        ):
            nearest = nearest_repairs(board)
    if nearest is not None:
        yield from sorted_corrections(board, nearest)
        return
    for rows in correction_sets:
        enumerated = find_few(rows)
        counted = (counted_correction(board, repair) for repair in repairs(board, rows))
        yield from counted if enumerated is None else enumerated


def sorted_corrections(
    board: Board, repairs: Mapping[Repair, Cases], method: str = "brute", seconds: float = 0.0
) -> list[Correction]:
    """Return the corrections for repairs whose codes are all known, the most plausible first."""
    return sorted(
        (
            correction(board, repair, Count(cases.total(), True, method, seconds), cases)
            for repair, cases in repairs.items()
        ),
        key=Correction.sort_key,
    )


def correction(
    board: Board, repair: Repair, codes: Count, cases: Mapping[tuple[int, ...], int]
) -> Correction:
    """Return the correction for a repair; scores that the repair does not change are ignored.

    `cases` are the numbers of its codes by the rows in which repeated colors count twice. The most
    plausible explanation of the scores by some of the codes is named. The likelihood is the sum of
    the weights of all codes.
    """
    changed = tuple((row, after) for row, after in repair if after != board.rows[row].score)
    explanations = [
        (slips_of(board, changed, repeats), number) for repeats, number in cases.items()
    ]
    best, _ = min(
        explanations,
        key=lambda explanation: (
            *rank_order(explanation[0]),
            -total_weight(explanation[0]) * explanation[1],
        ),
    )
    changes = tuple(
        Change(row, board.rows[row].score, after, slip.words, board.game.scoring)
        for (row, after), slip in zip(changed, best, strict=True)
    )
    likelihood = sum(total_weight(slips) * number for slips, number in explanations)
    return Correction(changes, rank_order(best), codes, likelihood)


def listed_correction(board: Board, repair: Repair, codes: Sequence[Code]) -> Correction:
    """Return the correction for a repair, given all its codes."""
    rows = rows_with_repeats(board, repair)
    cases = Counter(repeats_of(board, code, rows) for code in codes)
    return correction(board, repair, Count(len(codes), True, "brute", 0.0), cases)


def counted_correction(board: Board, repair: Repair) -> Correction:
    """Return the correction for a repair, with its codes counted within a time limit.

    If repeated colors may have been counted twice, its codes are listed as well, up to a limit of
    time and number. Codes that are not listed are assumed to be distributed like the listed ones.
    Every repair has a code, so the count is at least 1 even if none is found in time.
    """
    corrected_board = board.changed(dict(repair))
    codes = count(corrected_board, timeout=COUNT_SECONDS)
    codes = replace(codes, count=max(1, codes.count))
    rows = rows_with_repeats(board, repair)
    if not rows:
        return correction(board, repair, codes, {(): codes.count})
    cases: Cases = Counter()
    with suppress(TimeUpError):
        for code in islice(list_codes(corrected_board, Deadline(COUNT_SECONDS)), MAX_LISTED_CODES):
            cases[repeats_of(board, code, rows)] += 1
    listed_count = cases.total()
    scaled = {
        repeats: max(1, number * codes.count // listed_count) for repeats, number in cases.items()
    }
    estimated = correction(board, repair, codes, scaled or {(): codes.count})
    return replace(estimated, is_likelihood_exact=codes.exact and listed_count == codes.count)


def few_corrections(oracle: SubsetOracle, rows: Rows) -> list[Correction] | None:
    """Return the corrections of exactly these rows if a dense board leaves few codes for them.

    Returns None if the board is not dense, or if there are too many codes.
    """
    if oracle.counting is None:
        return None
    max_codes = MAX_CODES if oracle.is_decided_by_search else MAX_EXPENSIVE_CODES
    return dense_corrections(oracle.board, oracle.counting, rows, max_codes)


def smallest_mcses(oracle: SubsetOracle) -> Iterator[Rows]:
    """Yield every smallest set of rows (from 0) whose omission makes a board consistent.

    Sets of up to `MAX_ROWS_BEFORE_MAXSAT` rows are searched by leaving out rows. For larger sets,
    MaxSAT is faster if queries are easy.
    """
    small_sets = smallest_by_leaving_out(oracle, MAX_ROWS_BEFORE_MAXSAT)
    if (first := next(small_sets, None)) is not None:
        yield first
        yield from small_sets
    elif oracle.is_hard:
        yield from smallest_by_leaving_out(oracle)
    else:
        yield from smallest_by_maxsat(oracle.board)


def smallest_by_maxsat(board: Board) -> Iterator[Rows]:
    """Yield the same sets by MaxSAT on a formula of the board.

    Equal rows are satisfied or violated together, so they form one soft clause with a weight.
    """
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    system = System.of(board)
    formula = cnf(system, with_selectors=True)
    rows_by_content: dict[object, list[int]] = {}
    for row_index, row in enumerate(board.rows):
        rows_by_content.setdefault(row, []).append(row_index)
    weighted = WCNF()
    weighted.hard, weighted.nv = formula.clauses, formula.variables
    for rows in rows_by_content.values():
        weighted.append([formula.selectors[rows[0]]], weight=len(rows))
    with RC2(weighted, solver="glucose4") as optimizer:
        cost = None
        while (model := optimizer.compute()) is not None:
            if cost is not None and optimizer.cost > cost:
                return
            cost = optimizer.cost
            violated = board.missed(code_of(model, system.variables))
            yield frozenset(violated)
            optimizer.add_clause([formula.selectors[row] for row in violated])


def repairs(board: Board, rows: Rows) -> Iterator[Repair]:
    """Yield every combination of scores that these rows can have if all other rows are right.

    Each combination found is blocked: the next code must violate some of its constraints.
    """
    oracle = SubsetOracle(board)
    query = Query(oracle.everything - rows)
    code = oracle.find(query.rows)
    while code is not None:
        verify_code(board, code, rows)
        repair = repair_to(board, code, rows)
        yield repair
        # Only the incremental solver knows of the blocked combinations.
        with oracle.sat.extending() as builder:
            reified = [lit for each in constraints(board, repair) for lit in builder.reify(each)]
            builder.formula.add(*(-literal for literal in reified))
        code = oracle.sat.find(query)


def verify_code(board: Board, code: Code, rows: Rows) -> None:
    """Raise InternalError if a code violates any row outside of `rows`."""
    if not rows.issuperset(board.missed(code)):
        raise InternalError(f"{code} violates more rows than {sorted(rows)} of {board}")


def constraints(board: Board, repair: Repair) -> list[CardinalityConstraint]:
    """Return the constraints of the scores of a repair."""
    return [
        constraint
        for row, score in repair
        for constraint in row_constraints(board.game, Row(board.rows[row].guess, score))
    ]


def dense_corrections(
    board: Board, counting: Counting, rows: Rows, most: int
) -> list[Correction] | None:
    """Return the corrections of exactly these rows of a dense board, the most plausible first.

    Each is made from the enumerated codes that it leaves. Returns None if there are `most` codes or
    more.
    """
    start_time = perf_counter()
    others = frozenset(range(len(board.rows))) - rows
    codes = list(islice(counting.codes(others), most))
    for code in codes:
        verify_code(board, code, rows)
    if len(codes) >= most:
        return None
    cases = cases_by_repair(board, codes, rows)
    return sorted_corrections(board, cases, "enumeration", perf_counter() - start_time)
