"""One suite of random queries for all solvers of queries, compared with brute force."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

import pytest

from mmsat.constraints.system import System
from mmsat.constraints.two_color_games import suits
from mmsat.game.tolerance import STRICT
from mmsat.limits import LIMITS
from mmsat.solving.lattice import read_lattice_equations
from mmsat.solving.portfolio import growing_budgets
from mmsat.solving.queries.algebra import Algebra
from mmsat.solving.queries.answer_cache import AnswerCache
from mmsat.solving.queries.brute_force import BruteForce
from mmsat.solving.queries.color_counts import ColorCounts, ColorCountsWork
from mmsat.solving.queries.counting import Counting
from mmsat.solving.queries.cp_sat import CpSat
from mmsat.solving.queries.incremental_sat import IncrementalSat
from mmsat.solving.queries.lattice_enumeration import LatticeEnumeration
from mmsat.solving.queries.oracle import Adaptive, Interleaved, SubsetOracle
from mmsat.solving.queries.presolved import Presolver, entropy_without
from mmsat.solving.queries.query import Answer, Query, Violations
from mmsat.solving.queries.short_search import ShortSearch
from mmsat.solving.queries.weighted import Weighted
from tests.support import twins
from tests.support.planted_boards import planted
from tests.support.random_boards import inconsistent_boards
from tests.support.tiers import at_least, share

SMALL = {"pegs": 4, "colors": 3, "rows": 7}


def presolver(board):
    return Presolver(System.of(board))


def unlisted(boards):
    """Return the boards without those of games whose codes are a list."""
    return [board for board in boards if System.of(board).table is None]


COMPLETE = {
    "brute": lambda board: BruteForce(System.of(board)),
    "sat": lambda board: IncrementalSat(System.of(board)),
    "weighted": lambda board: Weighted(presolver(board)),
    "short search": lambda board: ShortSearch(System.of(board)),
    "cp": lambda board: CpSat(presolver(board)),
    "counting": lambda board: Counting(System.of(board)),
    "sat and cp": Interleaved,
}
INCOMPLETE = {
    "algebra": Algebra,
    "presolve": presolver,
    "counts": lambda board: ColorCounts(presolver(board)),
    "lattice": lambda board: LatticeEnumeration(presolver(board)),
}
HONORS_RELAXABLE = {"weighted", "short search"}


def random_query(rng, board):
    every = range(len(board.rows))
    rows = frozenset(row for row in every if rng.random() < 0.6)
    relaxable = frozenset(every) - rows
    if relaxable and rng.random() < 0.5:
        return Query(rows, relaxable, rng.randint(0, len(relaxable) - 1))
    return Query(rows)


def violated_rows(board, code, rows):
    return frozenset(twins.wrong_rows(board, code)) & rows


def verify(board, query, answer, *, honors_relaxable=False):
    """Compare an answer with all codes of the game."""
    if answer.code is not None:
        assert not violated_rows(board, answer.code, query.rows)
        violations = len(violated_rows(board, answer.code, query.relaxable))
        assert not honors_relaxable or violations <= query.max_violations
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
def test_answers(name):
    """Each solver answers several queries about a board, one after the other."""
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
                verify(board, query, answer, honors_relaxable=name in HONORS_RELAXABLE)
                assert solver.solve(query) is not None
    assert counts[False] > at_least(5)  # refutations; algebra knows only two colors
    assert counts[True] > at_least(60) or name in INCOMPLETE


@pytest.mark.parametrize("name", COMPLETE)
@pytest.mark.parametrize("failures", [1, LIMITS.dense_failures])
def test_small_budgets_are_resumed(name, failures, monkeypatch):
    """Calls with growing budgets end with the right answer."""
    monkeypatch.setattr(LIMITS, "dense_failures", failures)
    rng = random.Random(name)
    undecided = 0
    for board in unlisted(inconsistent_boards(share(60), seed=82, **SMALL)):
        solver = COMPLETE[name](board)
        for _ in range(2):
            query = random_query(rng, board)
            for budget in islice(growing_budgets(), 40):
                answer = solver.solve(query, budget)
                if answer is not None:
                    break
                undecided += 1
            verify(board, query, answer, honors_relaxable=name in HONORS_RELAXABLE)
    assert undecided > at_least(10) or name not in {"brute", "sat"}


@pytest.mark.parametrize("failures", [1, LIMITS.dense_failures])
def test_cores_of_the_portfolio_are_small(failures, monkeypatch):
    """Whether the search decides or, with hardly any failures, the other members do first."""
    monkeypatch.setattr(LIMITS, "dense_failures", failures)
    rng = random.Random(81)
    refuted = smaller = 0
    for board in unlisted(inconsistent_boards(share(300), seed=81, **SMALL)):
        solver = Counting(System.of(board))
        for _ in range(4):
            rows = frozenset(row for row in range(len(board.rows)) if rng.random() < 0.8)
            answer = solver.solve(Query(rows))
            verify(board, Query(rows), answer)
            assert (answer.code is not None) == bool(twins.consistent(board.only(sorted(rows))))
            refuted += answer.code is None
            smaller += answer.code is None and answer.core < rows
    assert refuted > at_least(100)
    assert smaller > at_least(30)


@pytest.mark.parametrize("failures", [1, LIMITS.dense_failures])
def test_next_answers_of_relaxed_queries(failures, monkeypatch):
    """Each code comes once, and none that violates a set of rows excluded with an earlier one."""
    monkeypatch.setattr(LIMITS, "dense_failures", failures)
    rng = random.Random(85)
    refuted = excluded = continued = 0
    for board in unlisted(inconsistent_boards(share(600, least=60), seed=85, **SMALL)):
        every = frozenset(range(len(board.rows)))
        relaxable = frozenset(rng.sample(sorted(every), rng.randint(1, len(every))))
        max_violations = rng.randint(1, len(relaxable))
        query = Query(every - relaxable, relaxable, max_violations)
        violated = {
            code: frozenset(twins.wrong_rows(board, code)) for code in twins.codes(board.game)
        }
        solver = Counting(System.of(board))
        result, gone = set(), set()
        answer = solver.solve(query)
        while answer.code is not None:
            rows = violated[answer.code]
            assert rows <= relaxable
            if not solver.work.can_continue:
                break
            assert len(rows) <= max_violations
            assert answer.code not in result
            assert not any(entry <= rows for entry in gone)
            result.add(answer.code)
            if rows and rng.random() < 0.5:
                gone.add(rows)
                answer = solver.next_answer(rows)
                excluded += 1
            else:
                answer = solver.next_answer()
                continued += 1
        else:
            remaining = {
                code
                for code, rows in violated.items()
                if rows <= relaxable
                and len(rows) <= max_violations
                and not any(entry <= rows for entry in gone)
            }
            assert result >= remaining, str(board)
            refuted += 1
    assert refuted > at_least(60)
    if failures > 1:  # otherwise lattices decide most queries
        assert excluded > at_least(60)
        assert continued > at_least(40)


@pytest.mark.parametrize("failures", [1, LIMITS.dense_failures])
@pytest.mark.parametrize("short", [0, LIMITS.question_failures])
def test_all_codes_of_some_rows(short, failures, monkeypatch):
    """All codes come once, also if an earlier enumeration ended half way."""
    monkeypatch.setattr(LIMITS, "question_failures", short)
    monkeypatch.setattr(LIMITS, "dense_failures", failures)
    interrupted = 0
    for seed in range(share(60, least=20)):
        board = planted("5x3", 2, seed)
        expected = twins.consistent(board)
        solver = Counting(System.of(board))
        rows = frozenset({0, 1})
        half = [code for code, _ in zip(solver.codes(rows), expected[::2], strict=False)]
        assert {*half} <= {*expected}
        assert sorted(solver.codes(rows)) == expected
        assert solver.solve(Query(rows)).code in expected
        interrupted += len(half) > 1
    assert interrupted > at_least(20)


def test_without_a_row_the_entropy_is_larger():
    """If one count of the colors fits; another one may have no mixture, and its entropy errs."""
    larger = 0
    for seed in range(share(40)):
        system = System.of(planted("8x4", 7, seed))
        whole = read_lattice_equations(system)
        for row in range(7 if len(whole.places) == 1 else 0):
            entropy = entropy_without(system, row)
            assert entropy >= whole.entropy - 0.1  # as far as the factors are found
            larger += entropy > whole.entropy + 1
    assert larger > at_least(40)


def test_the_cache_knows_what_earlier_answers_imply():
    cache = AnswerCache()
    assert cache.solve(Query(frozenset())) is None
    cache.store_code((0, 1), frozenset({0, 2}))
    cache.store_core(frozenset({1, 2}))
    assert cache.solve(Query(frozenset({0}))) == Answer((0, 1))
    assert cache.solve(Query(frozenset({0, 1}))) is None
    assert cache.solve(Query(frozenset({0, 1, 2}))) == Answer(None, frozenset({1, 2}))
    # The code violates row 1.
    assert cache.solve(Query(frozenset({0}), frozenset({1, 2}), 0)) is None
    assert cache.solve(Query(frozenset({0}), frozenset({1, 2}), 1)) == Answer((0, 1))


def test_adaptive_budgets(monkeypatch):
    budgets = []

    class Recorder:
        name = "recorder"

        def solve(self, _, budget=None):
            budgets.append(budget)
            return Answer((0,)) if len(budgets) <= 2 else None

    monkeypatch.setattr(LIMITS, "question_nodes", 30)
    solver = Adaptive(Recorder(), 10, "question_nodes", growth=2, minimum=4)
    for _ in range(5):
        solver.solve(Query(frozenset()))
    assert budgets == [10, 20, 30, 15, 7]
    assert solver.name == "recorder"
    retired = Adaptive(Recorder(), 10, "question_nodes", retires=True)
    assert [retired.solve(Query(frozenset())) for _ in range(2)] == [None, None]
    assert budgets[5:] == [10]


def test_the_oracle_uses_each_solver(monkeypatch):
    """With smaller limits, later solvers decide; all answers are right."""
    decided = Counter()
    rng = random.Random(7)
    boards = inconsistent_boards(share(150, least=50), seed=86, **SMALL)
    boards += tuple(planted("7x3", 7, seed) for seed in range(20))  # dense
    for number, board in enumerate(boards):
        monkeypatch.setattr(LIMITS, "question_nodes", number % 2 * (1 << 17))
        monkeypatch.setattr(LIMITS, "question_failures", number % 3 * 1000)
        monkeypatch.setattr(LIMITS, "question_propagations", number % 5 * 200_000)
        oracle = SubsetOracle(board, wide_pegs=0 if suits(board) else 24)
        for _ in range(4):
            query = Query(random_query(rng, board).rows)
            oracle.find(query.rows)
            verify(board, query, oracle.answer)
        decided += oracle.decided
    assert decided.keys() == {
        *("cache", "brute", "algebra", "short search", "sat", "counting", "sat and cp")
    }


def test_short_searches_list_all_codes_or_none():
    """Within a limit of codes or failures, no list is cut short."""
    listed = refused = 0
    for board in unlisted(inconsistent_boards(share(60), seed=88, **SMALL)):
        search = ShortSearch(System.of(board))
        rows = frozenset(range(len(board.rows) // 2))
        expected = twins.consistent(board.only(sorted(rows)))
        enough = len(expected)
        for failures, max_codes in (1, 1000), (1 << 30, enough - 1), (1 << 30, enough):
            codes = search.list_codes(rows, failures, max_codes)
            assert codes is None or sorted(codes) == expected
            listed += codes is not None
            refused += codes is None
        assert codes is not None
    assert listed > at_least(60)
    assert refused > at_least(30)


def test_violations():
    for board in inconsistent_boards(share(60), seed=87, **SMALL):
        violations = Violations(board, STRICT)
        every = frozenset(range(len(board.rows)))
        for code in twins.codes(board.game):
            wrong = frozenset(twins.wrong_rows(board, code))
            assert violations.satisfied_rows(code) == every - wrong
            assert violations.critical_rows(code, every) == (wrong if len(wrong) == 1 else set())


def test_a_search_for_given_counts_finds_each_code_once():
    """Also if its budget is spent between two codes."""
    found_count = undecided = 0
    for seed in range(share(60, least=20)):
        board = planted("6x4", 2, seed)
        search = Weighted(presolver(board)).restart(Query(frozenset({0, 1})))
        work = ColorCountsWork(search)
        for _ in range(30):
            if not work.advance(1, 1):
                undecided += 1
                continue
            assert not twins.wrong_rows(board, work.code)
            assert work.code not in search.excluded
            search.excluded.add(work.code)
            found_count += 1
    assert found_count > at_least(60)
    assert undecided > at_least(60)
