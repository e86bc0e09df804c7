"""The cheapest corrections: smallest correction sets (MCSes), and what their scores may have been.

Where brute force reaches, it looks at each code (nearest.py). Where not, rows are left out
(leaving_out.py) to find the fewest that must be changed, and then every set of so many rows; where
those are many and questions easy, by MaxSAT (RC2 of python-sat). The scores that the rows of a set
can have are found one combination after the other: of dense boards with the codes that they leave,
of others by an incremental solver.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from itertools import chain, islice
from time import perf_counter

from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.diagnosis.leaving_out import MAX_CODES, smallest_by_leaving_out
from mmsat.diagnosis.nearest import Cases, cases_by_repair, nearest_repairs, repair_to
from mmsat.diagnosis.slips import (
    Repair,
    rank_order,
    repeats_of,
    rows_with_repeats,
    slips_of,
    total_weight,
)
from mmsat.encoding.cnf import cnf
from mmsat.enumeration.count import count
from mmsat.enumeration.listing import list_codes
from mmsat.errors import InternalError
from mmsat.game.literals import CardinalityConstraint
from mmsat.game.row import Code, Row
from mmsat.game.unread import constraints as what_is_said
from mmsat.limits import LIMITS
from mmsat.results.count import Count
from mmsat.results.verdict import Change, Correction
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.solving.queries.counting import Counting
from mmsat.solving.queries.oracle import SubsetOracle
from mmsat.solving.queries.query import Query, Rows
from mmsat.solving.sat import code_of

COUNT_SECONDS = 1.0
"""What is spent on counting the codes that one correction would leave, by SAT."""
MAX_LISTED_CODES = 2000
"""Maximum number of these codes that are listed, to see how they explain the wrong scores."""
MANY = 30
"""Codes of a set of rows that are looked at one by one, where they are dear."""
FEW = 2
"""Rows of a set up to which the codes of a dense board are found one by one, ..."""
SOME = 3
"""... and up to which rows are left out where questions are easy, before maximum satisfiability."""


def corrections(board: Board, oracle: SubsetOracle | None = None) -> Iterator[Correction]:
    """Yield every cheapest correction of an inconsistent board.

    Where brute force reaches they come with exact counts, most plausible first. Otherwise they come
    as they are found, each counted for a moment, and the count tells whether it is exact. An oracle
    that has answered before saves questions on dense boards.
    """
    if oracle is None or oracle.tolerance.lies:
        oracle = SubsetOracle(board)
    find_few = cache(partial(few_corrections, oracle))
    near = None if oracle.used_counting else nearest_repairs(board, LIMITS.few_slices)
    sets: Iterator[Rows] = iter(())
    if near is None:
        sets = smallest_mcses(oracle)
        first = next(sets)
        sets = chain([first], sets)
        if not oracle.is_hard and not (len(first) <= FEW and find_few(first)):
            near = nearest_repairs(board)
    if near is not None:
        yield from sorted_corrections(board, near)
        return
    for rows in sets:
        few = find_few(rows)
        every = (counted_correction(board, repair) for repair in repairs(board, rows))
        yield from every if few is None else few


def sorted_corrections(
    board: Board, repairs: Mapping[Repair, Cases], method: str = "brute", seconds: float = 0.0
) -> list[Correction]:
    """Return the corrections that some repairs with all their codes are, most plausible first."""
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
    """Return the correction that a repair is; scores that it leaves as they are do not count.

    Of the explanations of its scores by some of its codes, the most plausible one is named. Its
    likelihood is the sum of the weights of all its codes.
    """
    changed = tuple((row, after) for row, after in repair if after != board.rows[row].score)
    ways = [(slips_of(board, changed, repeats), number) for repeats, number in cases.items()]
    best, _ = min(ways, key=lambda way: (*rank_order(way[0]), -total_weight(way[0]) * way[1]))
    changes = tuple(
        Change(row, board.rows[row].score, after, made.words, board.game.scoring)
        for (row, after), made in zip(changed, best, strict=True)
    )
    likelihood = sum(total_weight(slips) * number for slips, number in ways)
    return Correction(changes, rank_order(best), codes, likelihood)


def listed_correction(board: Board, repair: Repair, codes: Sequence[Code]) -> Correction:
    """Return the correction that a repair is, given all its codes."""
    rows = rows_with_repeats(board, repair)
    cases = Counter(repeats_of(board, code, rows) for code in codes)
    return correction(board, repair, Count(len(codes), True, "brute", 0.0), cases)


def counted_correction(board: Board, repair: Repair) -> Correction:
    """Return the correction that a repair is, with its codes counted for a moment.

    If repeated colors may have been counted twice, its codes are listed for as long, up to a limit.
    Those that are not listed are assumed to be like the others. A repair has a code, even if it is
    neither counted nor listed in time.
    """
    mended = board.changed(dict(repair))
    codes = count(mended, timeout=COUNT_SECONDS)
    codes = replace(codes, count=max(1, codes.count))
    rows = rows_with_repeats(board, repair)
    if not rows:
        return correction(board, repair, codes, {(): codes.count})
    cases: Cases = Counter()
    with suppress(TimeUpError):
        for code in islice(list_codes(mended, Deadline(COUNT_SECONDS)), MAX_LISTED_CODES):
            cases[repeats_of(board, code, rows)] += 1
    listed = cases.total()
    scaled = {repeats: max(1, number * codes.count // listed) for repeats, number in cases.items()}
    found = correction(board, repair, codes, scaled or {(): codes.count})
    return replace(found, is_likelihood_exact=codes.exact and listed == codes.count)


def few_corrections(oracle: SubsetOracle, rows: Rows) -> list[Correction] | None:
    """The corrections of just these rows where a board is dense and they leave few codes."""
    if oracle.counting is None:
        return None
    most = MAX_CODES if oracle.is_decided_by_search else MANY
    return dense_corrections(oracle.board, oracle.counting, rows, most)


def smallest_mcses(oracle: SubsetOracle) -> Iterator[Rows]:
    """Yield every smallest set of rows (from 0) without which an inconsistent board has a code.

    Rows are left out; where that would be many of them, and questions are easy, maximum
    satisfiability is quicker.
    """
    sets = smallest_by_leaving_out(oracle, SOME)
    if (first := next(sets, None)) is not None:
        yield first
        yield from sets
    elif oracle.is_hard:
        yield from smallest_by_leaving_out(oracle)
    else:
        yield from smallest_by_maxsat(oracle.board)


def smallest_by_maxsat(board: Board) -> Iterator[Rows]:
    """The same sets, of a board that a formula tells, by MaxSAT.

    Rows that say the same stand or fall together, so they are one soft clause with a weight.
    """
    from pysat.examples.rc2 import RC2  # noqa: PLC0415  (loaded when first needed)
    from pysat.formula import WCNF  # noqa: PLC0415

    system = System.of(board)
    formula = cnf(system, with_selectors=True)
    alike: dict[object, list[int]] = {}
    for number, row in enumerate(board.rows):
        alike.setdefault(row, []).append(number)
    weighted = WCNF()
    weighted.hard, weighted.nv = formula.clauses, formula.variables
    for rows in alike.values():
        weighted.append([formula.selectors[rows[0]]], weight=len(rows))
    with RC2(weighted, solver="glucose4") as optimizer:
        cost = None
        while (model := optimizer.compute()) is not None:
            if cost is not None and optimizer.cost > cost:
                return
            cost = optimizer.cost
            changed = board.missed(code_of(model, system.variables))
            yield frozenset(changed)
            optimizer.add_clause([formula.selectors[row] for row in changed])


def repairs(board: Board, rows: Rows) -> Iterator[Repair]:
    """Yield every combination of scores that just these rows can have with the others kept.

    Each combination found is blocked: not all that its scores say is true of the next code.
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
    """Raise InternalError if a code violates other rows than these."""
    if not rows.issuperset(board.missed(code)):
        raise InternalError(f"{code} violates more rows than {sorted(rows)} of {board}")


def constraints(board: Board, repair: Repair) -> list[CardinalityConstraint]:
    """What the scores of a repair say."""
    return [
        constraint
        for row, score in repair
        for constraint in what_is_said(board.game, Row(board.rows[row].guess, score))
    ]


def dense_corrections(
    board: Board, counting: Counting, rows: Rows, most: int
) -> list[Correction] | None:
    """The corrections of just these rows of a dense board, the most plausible first.

    Each comes with the codes that it leaves, found one by one; None where these are too many.
    """
    started = perf_counter()
    others = frozenset(range(len(board.rows))) - rows
    codes = list(islice(counting.codes(others), most))
    for code in codes:
        verify_code(board, code, rows)
    if len(codes) >= most:
        return None
    found = cases_by_repair(board, codes, rows)
    return sorted_corrections(board, found, "enumeration", perf_counter() - started)
