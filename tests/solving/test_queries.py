"""One suite of random queries for all solvers of queries, compared with brute force."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

import pytest

from mmsat.constraints import System, is_linear_board
from mmsat.game.tolerance import STRICT
from mmsat.limits import LIMITS
from mmsat.solving import growing_budgets
from mmsat.solving.answer_cache import AnswerCache, Violations
from mmsat.solving.cp import ColorCountsWork, CpSat
from mmsat.solving.lattice import LatticeEnumeration, entropy_without, read_lattice_equations
from mmsat.solving.oracle import DensePortfolio, Interleaved, SubsetOracle
from mmsat.solving.policy import WIDE_PEGS, Turn
from mmsat.solving.presolved_rows import Presolver, PresolvingSolver
from mmsat.solving.queries import Adaptive, Answer, Query
from mmsat.solving.refutation import Algebra
from mmsat.solving.sat import IncrementalSat
from mmsat.solving.searches import BruteForce
from mmsat.solving.weighted_rows import ShortSearch, WeightedQueryWork, WeightedRowSolver
from tests.support import twins
from tests.support.planted_boards import planted
from tests.support.random_boards import inconsistent_boards
from tests.support.tiers import at_least, share

SMALL = {"pegs": 4, "colors": 3, "rows": 7}


def presolver(board):
    """Return a presolver of a board."""
    return Presolver(System.of(board))


def unlisted(boards):
    """Return the boards whose games have no word list."""
    return [board for board in boards if System.of(board).table is None]


class ColorCounts(PresolvingSolver):
    """The work on counts of the colors alone; it seldom decides a query."""

    name = "counts"

    def begin(self, query, presolved):
        return ColorCountsWork(WeightedQueryWork(query, presolved))


COMPLETE = {
    "brute": lambda board: BruteForce(System.of(board)),
    "sat": lambda board: IncrementalSat(System.of(board)),
    "weighted": lambda board: WeightedRowSolver(presolver(board)),
    "short search": lambda board: ShortSearch(System.of(board)),
    "cp": lambda board: CpSat(presolver(board)),
    "dense portfolio": lambda board: DensePortfolio(System.of(board)),
    "sat and cp": Interleaved,
}
INCOMPLETE = {
    "algebra": Algebra,
    "presolve": presolver,
    "counts": lambda board: ColorCounts(presolver(board)),
    "lattice": lambda board: LatticeEnumeration(presolver(board)),
}
SUPPORT_RELAXABLE_ROWS = {"weighted", "short search"}


def random_query(rng, board):
    """Return a query about random rows of a board, which may have relaxable rows."""
    all_rows = range(len(board.rows))
    rows = frozenset(row for row in all_rows if rng.random() < 0.6)
    relaxable = frozenset(all_rows) - rows
    if relaxable and rng.random() < 0.5:
        return Query(rows, relaxable, rng.randint(0, len(relaxable) - 1))
    return Query(rows)


def violated_rows(board, code, rows):
    """Return the rows among `rows` that a code violates."""
    return frozenset(twins.wrong_rows(board, code)) & rows


def verify(board, query, answer, *, supports_relaxable=False):
    """Compare an answer with all codes of the game."""
    if answer.code is not None:
        assert not violated_rows(board, answer.code, query.rows)
        violations = len(violated_rows(board, answer.code, query.relaxable))
        assert not supports_relaxable or violations <= query.max_violations
        return
    assert answer.core <= query.rows
    codes = twins.consistent(board.only(sorted(answer.core)))
    if query.relaxable:
        codes = [
            code
            for code in codes
            if len(violated_rows(board, code, query.relaxable)) <= query.max_violations
        ]
    assert codes == [], (str(board), query)


@pytest.mark.parametrize("name", [*COMPLETE, *INCOMPLETE])
def test_answers_are_correct(name):
    """Each solver answers several queries about each board."""
    rng = random.Random(name)
    counts = Counter()
    for board in unlisted(inconsistent_boards(share(240), seed=81, **SMALL)):
        solver = (COMPLETE | INCOMPLETE)[name](board)
        for _ in range(4):
            query = random_query(rng, board)
            answer = solver.solve(query)
            counts[answer and answer.code is not None] += 1
            assert answer is not None or name in INCOMPLETE
            if answer is not None:
                verify(board, query, answer, supports_relaxable=name in SUPPORT_RELAXABLE_ROWS)
                assert solver.solve(query) is not None
    assert counts[False] > at_least(5)  # refutations; algebra supports only two colors
    assert counts[True] > at_least(60) or name in INCOMPLETE


@pytest.mark.parametrize("name", COMPLETE)
@pytest.mark.parametrize("failures", [1, LIMITS.dense_failures])
def test_small_budgets_are_resumed(name, failures, monkeypatch):
    """Repeated calls with growing budgets end with a correct answer."""
    monkeypatch.setattr(LIMITS, "dense_failures", failures)
    rng = random.Random(name)
    num_undecided = 0
    for board in unlisted(inconsistent_boards(share(60), seed=82, **SMALL)):
        solver = COMPLETE[name](board)
        for _ in range(2):
            query = random_query(rng, board)
            for budget in islice(growing_budgets(), 40):
                answer = solver.solve(query, budget)
                if answer is not None:
                    break
                num_undecided += 1
            verify(board, query, answer, supports_relaxable=name in SUPPORT_RELAXABLE_ROWS)
    assert num_undecided > at_least(10) or name not in {"brute", "sat"}


@pytest.mark.parametrize("failures", [1, LIMITS.dense_failures])
def test_cores_of_the_portfolio_are_small(failures, monkeypatch):
    """With a minimum of 1 failure, members other than the search decide first."""
    monkeypatch.setattr(LIMITS, "dense_failures", failures)
    rng = random.Random(81)
    num_refuted = num_smaller = 0
    for board in unlisted(inconsistent_boards(share(300), seed=81, **SMALL)):
        solver = DensePortfolio(System.of(board))
        for _ in range(4):
            rows = frozenset(row for row in range(len(board.rows)) if rng.random() < 0.8)
            answer = solver.solve(Query(rows))
            verify(board, Query(rows), answer)
            assert (answer.code is not None) == bool(twins.consistent(board.only(sorted(rows))))
            num_refuted += answer.code is None
            num_smaller += answer.code is None and answer.core < rows
    assert num_refuted > at_least(100)
    assert num_smaller > at_least(30)


@pytest.mark.parametrize("failures", [1, LIMITS.dense_failures])
def test_next_answers_repeat_no_code_and_obey_exclusions(failures, monkeypatch):
    """A code that violates all rows of an excluded set is not found."""
    monkeypatch.setattr(LIMITS, "dense_failures", failures)
    rng = random.Random(85)
    num_refuted = num_excluded = num_continued = 0
    for board in unlisted(inconsistent_boards(share(600, least=60), seed=85, **SMALL)):
        all_rows = frozenset(range(len(board.rows)))
        relaxable = frozenset(rng.sample(sorted(all_rows), rng.randint(1, len(all_rows))))
        max_violations = rng.randint(1, len(relaxable))
        query = Query(all_rows - relaxable, relaxable, max_violations)
        violated = {
            code: frozenset(twins.wrong_rows(board, code)) for code in twins.codes(board.game)
        }
        solver = DensePortfolio(System.of(board))
        result, excluded_sets = set(), set()
        answer = solver.solve(query)
        while answer.code is not None:
            rows = violated[answer.code]
            assert rows <= relaxable
            if not solver.work.can_continue:
                break
            assert len(rows) <= max_violations
            assert answer.code not in result
            assert not any(row_set <= rows for row_set in excluded_sets)
            result.add(answer.code)
            if rows and rng.random() < 0.5:
                excluded_sets.add(rows)
                answer = solver.next_answer(rows)
                num_excluded += 1
            else:
                answer = solver.next_answer()
                num_continued += 1
        else:
            remaining = {
                code
                for code, rows in violated.items()
                if rows <= relaxable
                and len(rows) <= max_violations
                and not any(row_set <= rows for row_set in excluded_sets)
            }
            assert result >= remaining, str(board)
            num_refuted += 1
    assert num_refuted > at_least(60)
    if failures > 1:  # otherwise lattices decide most queries
        assert num_excluded > at_least(60)
        assert num_continued > at_least(40)


@pytest.mark.parametrize("failures", [1, LIMITS.dense_failures])
@pytest.mark.parametrize("short_failures", [0, LIMITS.query_failures])
def test_all_codes_of_some_rows_are_listed_once(short_failures, failures, monkeypatch):
    """An earlier enumeration that ended half way makes no difference."""
    monkeypatch.setattr(LIMITS, "query_failures", short_failures)
    monkeypatch.setattr(LIMITS, "dense_failures", failures)
    num_interrupted = 0
    for seed in range(share(60, least=20)):
        board = planted("5x3", 2, seed)
        expected = twins.consistent(board)
        solver = DensePortfolio(System.of(board))
        rows = frozenset({0, 1})
        half = [code for code, _ in zip(solver.codes(rows), expected[::2], strict=False)]
        assert {*half} <= {*expected}
        assert sorted(solver.codes(rows)) == expected
        assert solver.solve(Query(rows)).code in expected
        num_interrupted += len(half) > 1
    assert num_interrupted > at_least(20)


def test_omitting_a_row_increases_the_entropy():
    """Only boards with one histogram are tested: the entropy of an unsatisfiable one is wrong."""
    num_larger = 0
    for seed in range(share(40)):
        system = System.of(planted("8x4", 7, seed))
        equations = read_lattice_equations(system)
        for row in range(7 if len(equations.by_histogram) == 1 else 0):
            entropy = entropy_without(system, row)
            assert entropy >= equations.entropy - 0.1  # the entropy is approximate
            num_larger += entropy > equations.entropy + 1
    assert num_larger > at_least(40)


def test_the_cache_answers_queries_from_earlier_answers():
    cache = AnswerCache()
    assert cache.solve(Query(frozenset())) is None
    cache.store_code((0, 1), frozenset({0, 2}))
    cache.store_core(frozenset({1, 2}))
    assert cache.solve(Query(frozenset({0}))) == Answer((0, 1))
    assert cache.solve(Query(frozenset({0, 1}))) is None
    assert cache.solve(Query(frozenset({0, 1, 2}))) == Answer(None, frozenset({1, 2}))
    # The code violates row 1 (from 0).
    assert cache.solve(Query(frozenset({0}), frozenset({1, 2}), 0)) is None
    assert cache.solve(Query(frozenset({0}), frozenset({1, 2}), 1)) == Answer((0, 1))


def test_adaptive_budgets_grow_after_answers_and_shrink_after_failures(monkeypatch):
    budgets = []

    class Recorder:
        name = "recorder"

        def solve(self, _, budget=None):
            budgets.append(budget)
            return Answer((0,)) if len(budgets) <= 2 else None

    monkeypatch.setattr(LIMITS, "query_nodes", 30)
    solver = Adaptive(Recorder(), Turn("recorder", 10, "query_nodes", growth=2, minimum=4))
    for _ in range(5):
        solver.solve(Query(frozenset()))
    assert budgets == [10, 20, 30, 15, 7]
    assert solver.name == "recorder"
    retired = Adaptive(Recorder(), Turn("recorder", 10, "query_nodes", retires_on_failure=True))
    assert [retired.solve(Query(frozenset())) for _ in range(2)] == [None, None]
    assert budgets[5:] == [10]


def test_the_oracle_uses_each_solver(monkeypatch):
    """With smaller limits, later solvers decide; all answers are correct."""
    decided = Counter()
    rng = random.Random(7)
    boards = inconsistent_boards(share(150, least=50), seed=86, **SMALL)
    boards += tuple(planted("7x3", 7, seed) for seed in range(20))  # dense
    for number, board in enumerate(boards):
        monkeypatch.setattr(LIMITS, "query_nodes", number % 2 * (1 << 17))
        monkeypatch.setattr(LIMITS, "query_failures", number % 3 * 1000)
        monkeypatch.setattr(LIMITS, "query_propagations", number % 5 * 200_000)
        monkeypatch.setattr(
            "mmsat.solving.policy.WIDE_PEGS", 0 if is_linear_board(board) else WIDE_PEGS
        )
        oracle = SubsetOracle(board)
        for _ in range(4):
            query = Query(random_query(rng, board).rows)
            oracle.find(query.rows)
            verify(board, query, oracle.answer)
        decided += oracle.decided
    assert decided.keys() == {
        *("cache", "brute", "algebra", "short search", "sat", "dense portfolio", "sat and cp")
    }


def test_short_searches_list_all_codes_or_return_none():
    """No list is truncated at a limit of codes or failures."""
    num_listed = num_refused = 0
    for board in unlisted(inconsistent_boards(share(60), seed=88, **SMALL)):
        search = ShortSearch(System.of(board))
        rows = frozenset(range(len(board.rows) // 2))
        expected = twins.consistent(board.only(sorted(rows)))
        num_codes = len(expected)
        limits = ((1, 1000), (1 << 30, num_codes - 1), (1 << 30, num_codes))
        for max_failures, max_codes in limits:
            codes = search.list_codes(rows, max_failures, max_codes)
            assert codes is None or sorted(codes) == expected
            num_listed += codes is not None
            num_refused += codes is None
        assert codes is not None
    assert num_listed > at_least(60)
    assert num_refused > at_least(30)


def test_violations_agree_with_the_wrong_rows():
    for board in inconsistent_boards(share(60), seed=87, **SMALL):
        violations = Violations(board, STRICT)
        all_rows = frozenset(range(len(board.rows)))
        for code in twins.codes(board.game):
            wrong_rows = frozenset(twins.wrong_rows(board, code))
            assert violations.satisfied_rows(code) == all_rows - wrong_rows
            assert violations.critical_rows(code, all_rows) == (
                wrong_rows if len(wrong_rows) == 1 else set()
            )


def test_a_search_for_given_counts_finds_each_code_once():
    """The budget may be spent between two codes."""
    num_found = num_undecided = 0
    for seed in range(share(60, least=20)):
        board = planted("6x4", 2, seed)
        search = WeightedRowSolver(presolver(board)).restart(Query(frozenset({0, 1})))
        work = ColorCountsWork(search)
        for _ in range(30):
            if not work.advance(1, 1):
                num_undecided += 1
                continue
            assert not twins.wrong_rows(board, work.code)
            assert work.code not in search.excluded
            search.excluded.add(work.code)
            num_found += 1
    assert num_found > at_least(60)
    assert num_undecided > at_least(60)
