"""The cheapest corrections, which change the fewest scores: their rows and the right scores.

The rows of a cheapest correction are a smallest correction set (MCS). If brute force is feasible,
it visits the codes nearest to the board, which violate the fewest rows (`nearest_repairs`).
Otherwise, queries that leave out rows (correction_sets.py) find the minimum number of rows that
must be changed, and then every set of this size. If that number is larger than
`MAX_ROWS_BEFORE_MAXSAT` and queries are easy, MaxSAT is used instead (RC2 of python-sat). Every
combination of scores that the rows of a set can have is then enumerated: by an incremental solver,
or together with the codes on dense boards, in which most literals are in long constraints.

**Slips** are scoring mistakes, which rank the corrections by how likely they are. The probability
that a score is recorded as another one is proportional to the weight of the slip between them.
Slips are rare and independent between rows, and all codes are equally likely.

Among the slips of people, the most likely one is a wrong name: a peg counted under another part of
the score (a black as a white). One peg too many or too few is half as likely, and two exchanged
numbers are half as likely as that. In all other slips, several pegs are wrong, and each further
peg makes a slip `FACTOR_PER_PEG` times less likely. The factor is large because many codes give a
very different score: with a small factor, their number would outweigh a slip of one peg.

Faulty programs make another slip: they count every peg of the guess whose color occurs in the code,
so repeated colors count more often than they occur in the code. Whether a score can be explained in
this way depends on the code. This slip is as likely as all wrong names together. A wrong name
changes a score to one of several others, but this slip to only one, so its weight is the sum of the
weights of all wrong names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, lru_cache, partial
from itertools import chain, islice, product
from math import prod
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from mmsat._util import np
from mmsat.constraints import System
from mmsat.counting import Count
from mmsat.counting.count import count
from mmsat.counting.listing import list_codes
from mmsat.diagnosis import Correction
from mmsat.diagnosis.correction_sets import MAX_CODES, smallest_by_leaving_out
from mmsat.diagnosis.explanation import Change
from mmsat.encoding.cnf import cnf
from mmsat.errors import InternalError
from mmsat.game import UNREAD, Code, Row, Score, hide
from mmsat.game.board import Board
from mmsat.game.space import CardinalityConstraint
from mmsat.game.unread import constraints as row_constraints
from mmsat.game.unread import is_unread, rescore
from mmsat.limits import LIMITS
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.solving.oracle import DensePortfolio, SubsetOracle
from mmsat.solving.queries import Query, Rows
from mmsat.solving.sat import code_of
from mmsat.solving.searches import SlicedSearch

if TYPE_CHECKING:
    from collections.abc import Container

    from mmsat.game.game import Game
    from mmsat.game.scoring import Mark


Repair = tuple[tuple[int, Score], ...]
"""Rows (from 0) in ascending order, each with its right score. `Correction` also has the slips and
the number of codes."""

FACTOR_PER_PEG = 32
"""Each further wrong peg makes a slip this many times less likely."""
MAX_WRONG_PEGS = 4
"""Maximum number of wrong pegs that are distinguished. All larger numbers get the same weight, so
weights stay small integers."""
WRONG_NUMBER = FACTOR_PER_PEG ** (MAX_WRONG_PEGS - 1)
"""The weight of one peg too many or too few."""
WRONG_NAME = 2 * WRONG_NUMBER
"""The weight of one peg that was counted under another part of the score."""
EXCHANGED_NUMBERS = WRONG_NUMBER // 2
"""The weight of two numbers that were exchanged."""


class Slip(NamedTuple):
    """A kind of mistake."""

    words: str
    """The mistake in a few words; empty if it has no name."""
    weight: int
    """The probability of the mistake, relative to other mistakes."""


@lru_cache(maxsize=1 << 14)
def slip(recorded: Score, right: Score, game: Game) -> Slip:
    """Return the slip of a person who recorded a score that differs from the right one.

    The weights are described in the docstring of this module.
    """
    pairs = zip(game.parts, recorded, right, strict=True)
    wrong_parts = {
        part: (stated, meant)
        for part, stated, meant in pairs
        if stated is not None and meant is not None and stated != meant
    }
    num_pegs = game.scoring.distance(recorded, right)
    unnamed = Slip("", WRONG_NUMBER // FACTOR_PER_PEG ** (min(num_pegs, MAX_WRONG_PEGS) - 1))
    if game.scoring.marks:
        return _by_marks(wrong_parts, game.scoring.marks) or unnamed
    return _by_counts(wrong_parts) or unnamed


def _by_counts(wrong_parts: dict[str, tuple[int, int]]) -> Slip | None:
    """Return the slip in numbers of key pegs, or None if it has no name.

    `wrong_parts` has the stated and the right number of each wrong part of the score.
    """
    differences = {part: stated - meant for part, (stated, meant) in wrong_parts.items()}
    if sorted(differences.values()) == [-1, 1]:
        missing, extra = sorted(differences, key=lambda part: differences[part])
        return Slip(f"a {missing} was taken for a {extra}", WRONG_NAME)
    if len(wrong_parts) == 1 and abs(sum(differences.values())) == 1:
        ((part, difference),) = differences.items()
        return Slip(f"one {part} too {'many' if difference > 0 else 'few'}", WRONG_NUMBER)
    if len(wrong_parts) == 2:
        (first, first_pair), (second, second_pair) = wrong_parts.items()
        if first_pair == second_pair[::-1]:
            return Slip(f"{first} and {second} were exchanged", EXCHANGED_NUMBERS)
    return None


def _by_marks(wrong_places: dict[str, tuple[int, int]], marks: tuple[Mark, ...]) -> Slip | None:
    """Return the slip in marks, which has a name only if a single place is wrong, or None."""
    if len(wrong_places) != 1:
        return None
    ((place, (stated, meant)),) = wrong_places.items()
    words = f"place {place} was {marks[meant].name}, not {marks[stated].name}"
    return Slip(words, WRONG_NAME)


@lru_cache(maxsize=64)
def repeats_slip(game: Game) -> Slip:
    """Return the slip of a program that counts repeated colors too often."""
    mark_count = len(game.scoring.marks)
    # A wrong name gives another mark to one place, or moves a peg from one of two numbers to the
    # other.
    num_wrong_names = (mark_count - 1) * game.pegs if mark_count else 2
    words = f"repeated {game.color_symbols.noun}s were counted twice"
    return Slip(words, num_wrong_names * WRONG_NAME)


def has_repeats(guess: Code) -> bool:
    """Return whether a guess without unread pegs has repeated colors."""
    return UNREAD not in guess and len(set(guess)) < len(guess)


def rows_with_repeats(board: Board, repair: Repair) -> list[int]:
    """Return the rows of a repair whose recorded scores may count repeated colors twice."""
    # Counting colors twice never lowers a component of the score.
    return [
        row
        for row, after in repair
        if has_repeats(board.rows[row].guess)
        and board.rows[row].score != after
        and all(
            stated is None or meant is None or stated >= meant
            for stated, meant in zip(board.rows[row].score, after, strict=True)
        )
    ]


def counts_repeats(game: Game, row: Row, code: Code) -> bool:
    """Return whether counting repeated colors twice explains the wrong score of a row."""
    guess, stated = row
    # `hide` removes the parts that were not read in the stated score.
    return hide(game.scoring.score_with_repeats(code, guess), stated) == stated


def repeats_of(board: Board, code: Code, rows: Iterable[int]) -> tuple[int, ...]:
    """Return the rows, among rows with wrong scores, whose scores count repeated colors twice."""
    return tuple(row for row in rows if counts_repeats(board.game, board.rows[row], code))


def slips_of(board: Board, repair: Repair, repeats: Container[int]) -> list[Slip]:
    """Return the slip of each row of a repair. Rows in `repeats` count repeated colors twice."""
    return [
        repeats_slip(board.game)
        if row in repeats
        else slip(board.rows[row].score, after, board.game)
        for row, after in repair
    ]


def total_weight(slips: Sequence[Slip]) -> int:
    """Return the weight of several independent slips."""
    return prod(slip.weight for slip in slips)


Cases = Counter[tuple[int, ...]]
"""The number of codes of each case. The case of a code is the tuple of the rows whose wrong scores
would be explained, if that code is the secret, by counting repeated colors twice."""

MAX_NEAREST_CODES = 200_000
"""Maximum number of codes that brute force visits. If there are more, other methods are used."""
MIN_ARRAY_CODES = 1000
"""Minimum number of codes for which numpy scores all codes at once."""


def nearest_repairs(
    board: Board, slices: int | None = None, *, max_codes: int = MAX_NEAREST_CODES
) -> dict[Repair, Cases] | None:
    """Return the cheapest repairs, each with the number of codes that it leaves, by case.

    A repair is a pair (row, right score) for each row that a nearest code violates. The search is
    limited to `max_codes` codes, and to a number of slices of work (see `SlicedSearch`): `slices`,
    or `LIMITS.repair_slices` if that is less. Returns None if a limit ends the search.
    """
    max_slices = LIMITS.repair_slices
    slices = max_slices if slices is None else min(slices, max_slices)
    system = System.of(board)
    max_violations = len(board.rows)
    # The first search finds the smallest number of violated rows, the second one all codes that
    # violate no more rows.
    search = SlicedSearch(system, max_violations, slices=slices)
    nearest = search.nearest()
    if not search.is_exhausted:
        return None
    if nearest is not None:
        max_violations = len(board.missed(nearest))
    search = SlicedSearch(system, max_violations, slices=slices)
    repairs = cases_by_repair(board, islice(search, max_codes))
    return repairs if search.is_exhausted else None


def cases_by_repair(
    board: Board, codes: Iterable[Code], rows: Iterable[int] | None = None
) -> dict[Repair, Cases]:
    """Return the repairs with which the codes are consistent, each with the cases of its codes.

    The repairs change the scores of `rows`; by default, of the rows that each code violates.
    """
    changed_rows = None if rows is None else tuple(sorted(rows))
    repeating_rows = {index for index, row in enumerate(board.rows) if has_repeats(row.guess)}
    # Codes with the same possible scores are counted together: if the guesses were not read, many
    # codes have the same several hundred scores.
    num_codes: Counter[tuple[tuple[int, ...], tuple[tuple[Score, ...], ...], tuple[int, ...]]]
    num_codes = Counter()
    for code in codes:
        missed = board.missed(code)
        repeats = repeats_of(board, code, sorted(repeating_rows.intersection(missed)))
        code_rows = missed if changed_rows is None else changed_rows
        scores_by_row = tuple(rescore(board.game, code, board.rows[row]) for row in code_rows)
        num_codes[code_rows, scores_by_row, repeats] += 1
    cases: dict[Repair, Cases] = {}
    for (code_rows, scores_by_row, repeats), number in num_codes.items():
        for scores in product(*scores_by_row):
            repair = tuple(zip(code_rows, scores, strict=True))
            cases.setdefault(repair, Counter())[repeats] += number
    return cases


def codes_by_repair(
    board: Board, suspects: Sequence[int], *, max_codes: int = MAX_NEAREST_CODES
) -> dict[Repair, list[Code]] | None:
    """Return the codes that satisfy all rows but the suspects, by their scores for the suspects.

    Returns None if there are too many codes.
    """
    reduced_board = board.only(row for row in range(len(board.rows)) if row not in suspects)
    search = SlicedSearch(System.of(reduced_board), slices=LIMITS.repair_slices)
    codes = list(islice(search, max_codes))
    if not search.is_exhausted:
        return None
    codes_by_scores: dict[Repair, list[Code]] = {}
    score_columns = [rescore_all(board, row, codes) for row in suspects]
    for code, *possible_scores in zip(codes, *score_columns, strict=True):
        for scores in product(*possible_scores):
            codes_by_scores.setdefault(tuple(zip(suspects, scores, strict=True)), []).append(code)
    return codes_by_scores


def repair_to(board: Board, code: Code, rows: Iterable[int]) -> Repair:
    """Return a repair of some rows (from 0) with which a code is consistent.

    Several repairs exist if pegs of the guesses were not read. The one with the scores nearest to
    the stated ones is returned.
    """
    return tuple((row, rescore(board.game, code, board.rows[row])[0]) for row in sorted(rows))


def rescore_all(board: Board, row: int, codes: Sequence[Code]) -> list[tuple[Score, ...]]:
    """Return the possible scores of a row for each code."""
    if len(codes) < MIN_ARRAY_CODES or is_unread(board.rows[row]):
        return [rescore(board.game, code, board.rows[row]) for code in codes]
    guess, score = board.rows[row]
    scores = board.game.scoring.score_all(np.array(codes, dtype=np.uint16), guess).tolist()
    return [(hide(tuple(actual), score),) for actual in scores]


COUNT_SECONDS = 1.0
"""Time limit in seconds for counting, by SAT, the codes that one correction would leave."""
MAX_LISTED_CODES = 2000
"""Maximum number of codes that are listed for a correction, to find how they explain wrong
scores."""
MAX_EXPENSIVE_CODES = 30
"""Correction sets with at least this many codes are not enumerated if solvers other than the
weighted search decide the board (`SubsetOracle.is_decided_by_search`), because each code is then
expensive."""
MAX_ENUMERATED_ROWS = 2
"""On dense boards, brute force is skipped if the first correction set has at most this many rows
and its codes could be enumerated."""
MAX_ROWS_BEFORE_MAXSAT = 3
"""Maximum size of correction sets that are searched by leaving out rows. Larger ones are searched
by MaxSAT, unless the board is hard (`SubsetOracle.is_hard`)."""


def corrections(board: Board, oracle: SubsetOracle | None = None) -> Iterator[Correction]:
    """Yield every cheapest correction of an inconsistent board.

    If brute force is feasible, the corrections have exact counts, and the most probable one comes
    first. Otherwise, they come in the order in which they are found. The codes of each correction
    are then enumerated, or counted within a time limit; the count states whether it is exact. On
    dense boards, an `oracle` that has answered queries before saves queries.
    """
    # With all corrected scores, no lies remain, so an oracle that tolerates lies is of no use.
    if oracle is None or oracle.tolerance.lies:
        oracle = SubsetOracle(board)
    corrections_of = cache(partial(enumerated_corrections, oracle))
    # Brute force runs only briefly at first, and not at all if the oracle already needed the
    # portfolio for dense boards.
    nearest = (
        None if oracle.used_dense_portfolio else nearest_repairs(board, LIMITS.first_repair_slices)
    )
    correction_sets: Iterator[Rows] = iter(())
    if nearest is None:
        correction_sets = smallest_mcses(oracle)
        first_set = next(correction_sets)
        correction_sets = chain([first_set], correction_sets)
        # Now brute force may take long, unless the board is hard (`SubsetOracle.is_hard`) or the
        # enumeration has already found the first corrections.
        if not oracle.is_hard and not (
            len(first_set) <= MAX_ENUMERATED_ROWS and corrections_of(first_set)
        ):
            nearest = nearest_repairs(board)
    if nearest is not None:
        yield from sorted_corrections(board, nearest)
        return
    for rows in correction_sets:
        enumerated = corrections_of(rows)
        counted = (counted_correction(board, repair) for repair in repairs(board, rows))
        yield from counted if enumerated is None else enumerated


def sorted_corrections(
    board: Board, repairs: Mapping[Repair, Cases], method: str = "brute", seconds: float = 0.0
) -> list[Correction]:
    """Return the corrections for repairs, given all their codes, the most probable first."""
    return sorted(
        (
            make_correction(
                board,
                repair,
                Count(cases.total(), exact=True, method=method, seconds=seconds),
                cases,
            )
            for repair, cases in repairs.items()
        ),
        key=Correction.sort_key,
    )


def make_correction(
    board: Board, repair: Repair, codes: Count, cases: Mapping[tuple[int, ...], int]
) -> Correction:
    """Return the correction for a repair; rows whose score stays the same are omitted.

    `codes` is the number of codes that the repair leaves, and `cases` has this number for each
    case. The slips of the correction are those of the most probable case. Its likelihood is the sum
    of the weights of all codes.
    """
    changed_scores = tuple((row, after) for row, after in repair if after != board.rows[row].score)
    likelihood = best_weight = 0
    best_slips: Sequence[Slip] = ()
    # Among equally probable cases, the first is chosen. The order is that of the kernel
    # (_core/batch): ascending by the bit set of the rows, so the last row is compared first.
    for repeats, code_count in sorted(cases.items(), key=lambda case: case[0][::-1]):
        slips = slips_of(board, changed_scores, repeats)
        weight = total_weight(slips) * code_count
        likelihood += weight
        if weight > best_weight:
            best_slips, best_weight = slips, weight
    changes = tuple(
        Change(row, board.rows[row].score, after, slip.words, board.game.scoring)
        for (row, after), slip in zip(changed_scores, best_slips, strict=True)
    )
    return Correction(changes, codes, likelihood)


def listed_correction(board: Board, repair: Repair, codes: Sequence[Code]) -> Correction:
    """Return the correction for a repair, given all its codes."""
    rows = rows_with_repeats(board, repair)
    cases = Counter(repeats_of(board, code, rows) for code in codes)
    return make_correction(
        board, repair, Count(len(codes), exact=True, method="brute", seconds=0.0), cases
    )


def counted_correction(board: Board, repair: Repair) -> Correction:
    """Return the correction for a repair, with its codes counted within a time limit.

    If repeated colors may have been counted twice, the codes are listed as well, until a time limit
    or `MAX_LISTED_CODES`. The remaining codes are assumed to be distributed like the listed ones.
    Every repair has a code, so the count is at least 1 even if no code is found in time.
    """
    corrected_board = board.changed(dict(repair))
    codes = count(corrected_board, timeout=COUNT_SECONDS)
    codes = replace(codes, count=max(1, codes.count))
    rows = rows_with_repeats(board, repair)
    if not rows:
        return make_correction(board, repair, codes, {(): codes.count})
    cases: Cases = Counter()
    with suppress(TimeUpError):
        for code in islice(list_codes(corrected_board, Deadline(COUNT_SECONDS)), MAX_LISTED_CODES):
            cases[repeats_of(board, code, rows)] += 1
    listed_count = cases.total()
    scaled_cases = {
        repeats: max(1, number * codes.count // listed_count) for repeats, number in cases.items()
    }
    estimated = make_correction(board, repair, codes, scaled_cases or {(): codes.count})
    return replace(estimated, is_likelihood_exact=codes.exact and listed_count == codes.count)


def enumerated_corrections(oracle: SubsetOracle, rows: Rows) -> list[Correction] | None:
    """Return the corrections of exactly these rows.

    Return None if the board is not dense (see `SubsetOracle.dense_portfolio`), or if many codes
    satisfy all other rows.
    """
    if oracle.dense_portfolio is None:
        return None
    max_codes = MAX_CODES if oracle.is_decided_by_search else MAX_EXPENSIVE_CODES
    return dense_corrections(oracle.board, oracle.dense_portfolio, rows, max_codes)


def smallest_mcses(oracle: SubsetOracle) -> Iterator[Rows]:
    """Yield every smallest set of rows (from 0) whose omission makes a board consistent.

    Sets of up to `MAX_ROWS_BEFORE_MAXSAT` rows are found by leaving out rows. For larger sets,
    MaxSAT is faster unless the board is hard.
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
    """Yield the sets of `smallest_mcses` by MaxSAT on a formula of the board.

    Equal rows are satisfied or violated together, so they form one soft clause, weighted by their
    number.
    """
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    system = System.of(board)
    formula = cnf(system, with_selectors=True)
    rows_by_content: dict[object, list[int]] = {}
    for row_index, row in enumerate(board.rows):
        rows_by_content.setdefault(row, []).append(row_index)
    weighted_formula = WCNF()
    weighted_formula.hard, weighted_formula.nv = formula.clauses, formula.variables
    for rows in rows_by_content.values():
        weighted_formula.append([formula.selectors[rows[0]]], weight=len(rows))
    with RC2(weighted_formula, solver="glucose4") as optimizer:
        cost = None
        while (model := optimizer.compute()) is not None:
            if cost is not None and optimizer.cost > cost:
                return
            cost = optimizer.cost
            violated = board.missed(code_of(model, system.variables))
            yield frozenset(violated)
            optimizer.add_clause([formula.selectors[row] for row in violated])


def repairs(board: Board, rows: Rows) -> Iterator[Repair]:
    """Yield every repair of these rows with which the board is consistent.

    Clauses exclude each repair that was found: the next code must violate one of its constraints.
    """
    oracle = SubsetOracle(board)
    query = Query(oracle.all_rows - rows)
    code = oracle.find(query.rows)
    while code is not None:
        verify_corrected_code(board, code, rows)
        repair = repair_to(board, code, rows)
        yield repair
        # Only the incremental solver has the blocking clauses.
        with oracle.sat.extending() as builder:
            reified = [
                literal
                for constraint in repair_constraints(board, repair)
                for literal in builder.reify(constraint)
            ]
            builder.formula.add(*(-literal for literal in reified))
        code = oracle.sat.find(query)


def verify_corrected_code(board: Board, code: Code, rows: Rows) -> None:
    """Raise InternalError if a code violates any row outside of `rows`."""
    if not rows.issuperset(board.missed(code)):
        raise InternalError(f"{code} violates more rows than {sorted(rows)} of {board}")


def repair_constraints(board: Board, repair: Repair) -> list[CardinalityConstraint]:
    """Return the constraints that rows have with the scores of a repair."""
    return [
        constraint
        for row, score in repair
        for constraint in row_constraints(board.game, Row(board.rows[row].guess, score))
    ]


def dense_corrections(
    board: Board, portfolio: DensePortfolio, rows: Rows, max_codes: int
) -> list[Correction] | None:
    """Return the corrections of exactly these rows of a dense board, the most probable first.

    All codes that satisfy the other rows are enumerated. Returns None if they are `max_codes` or
    more.
    """
    start_time = perf_counter()
    other_rows = frozenset(range(len(board.rows))) - rows
    codes = list(islice(portfolio.codes(other_rows), max_codes))
    for code in codes:
        verify_corrected_code(board, code, rows)
    if len(codes) >= max_codes:
        return None
    cases = cases_by_repair(board, codes, rows)
    return sorted_corrections(board, cases, "enumeration", perf_counter() - start_time)
