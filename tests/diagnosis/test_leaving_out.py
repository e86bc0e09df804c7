"""Smallest correction sets and repairs of dense boards, compared with brute force."""

from __future__ import annotations

from itertools import combinations

import pytest

from mmsat.constraints import System
from mmsat.diagnosis import Conflict, Correction, correction_sets
from mmsat.diagnosis.correction_sets import smallest_by_leaving_out
from mmsat.diagnosis.corrections import corrections, dense_corrections
from mmsat.diagnosis.explain import find_reasons
from mmsat.diagnosis.mus import conflicts
from mmsat.game.board import Status
from mmsat.game.scoring import SCORINGS
from mmsat.game.tolerance import STRICT
from mmsat.limits import LIMITS
from mmsat.solving import oracle as oracle_module
from mmsat.solving.oracle import DensePortfolio, SubsetOracle
from mmsat.solving.sat import is_dense
from tests.support import twins
from tests.support.perturbed_boards import parity_kept
from tests.support.planted_boards import planted
from tests.support.random_boards import EVERY_SPACE, inconsistent_boards, scorings_of, spaces_of
from tests.support.tiers import at_least, share

SMALL = {"pegs": 4, "colors": 3, "rows": 7}


def without_word_lists(boards):
    """Return boards with their systems, except for word lists, which are never dense."""
    systems = [(board, System.of(board)) for board in boards]
    return [(board, system) for board, system in systems if system.table is None]


@pytest.mark.parametrize("failures", [1, LIMITS.dense_failures])
def test_dense_corrections_and_their_counts_are_exact(failures, monkeypatch):
    """The codes are found by the search or, with few failures, by enumerating a lattice."""
    monkeypatch.setattr(LIMITS, "query_failures", 0)
    monkeypatch.setattr(LIMITS, "dense_failures", failures)
    correction_count = 0
    for board, _ in without_word_lists(inconsistent_boards(share(200), seed=82, **SMALL)):
        expected = twins.cheapest_repairs(board)
        for rows in {frozenset(row for row, _ in entry) for entry in expected}:
            expected_here = {
                repair: n for repair, n in expected.items() if {row for row, _ in repair} == rows
            }
            codes = sum(expected_here.values())
            portfolio = DensePortfolio(System.of(board))
            result = dense_corrections(board, portfolio, rows, max_codes=codes + 1)
            repairs = [tuple((c.row, c.after) for c in entry.changes) for entry in result]
            assert {
                repair: entry.codes.count for repair, entry in zip(repairs, result, strict=True)
            } == expected_here, str(board)
            assert all(entry.codes.exact for entry in result)
            assert dense_corrections(board, portfolio, rows, max_codes=codes) is None
            correction_count += len(result)
    assert correction_count > at_least(100)


@pytest.mark.parametrize("is_hard", [True, False])
def test_leaving_out_rows_finds_all_smallest_correction_sets(is_hard, monkeypatch):
    if is_hard:
        monkeypatch.setattr(oracle_module, "is_dense", lambda system: system.table is None)
        monkeypatch.setattr(LIMITS, "query_nodes", 0)
        monkeypatch.setattr(LIMITS, "query_failures", 0)
        monkeypatch.setattr(LIMITS, "query_propagations", 0)
    sizes = []
    boards = inconsistent_boards(share(200, least=70), seed=83, pegs=4, colors=3, rows=7)
    for board, _ in without_word_lists(boards):
        oracle = SubsetOracle(board)
        results = list(smallest_by_leaving_out(oracle))
        sets = {frozenset(row for row, _ in repair) for repair in twins.cheapest_repairs(board)}
        assert len(results) == len(set(results))
        assert set(results) == sets, str(board)
        sizes.append(len(results[0]))
        limited_oracle = SubsetOracle(board)
        assert set(smallest_by_leaving_out(limited_oracle, 1)) == (
            sets if sizes[-1] == 1 else set()
        )
    assert sizes.count(1) > at_least(10)
    assert sizes.count(2) > at_least(10)
    assert max(sizes) > 2


@pytest.mark.parametrize("max_codes", [2, 1000])
def test_codes_of_a_correction_set_are_complete(max_codes, monkeypatch):
    """Up to `max_codes` codes are stored with the set; if there are more, they are queried.

    For every second set, an earlier query for its codes is abandoned.
    """
    monkeypatch.setattr(LIMITS, "query_nodes", 0)
    monkeypatch.setattr(LIMITS, "query_failures", 0)
    monkeypatch.setattr(LIMITS, "query_propagations", 0)
    monkeypatch.setattr(oracle_module, "is_dense", lambda system: system.table is None)
    monkeypatch.setattr(correction_sets, "MAX_CODES", max_codes)
    num_queried = num_listed = 0
    for board, _ in without_word_lists(inconsistent_boards(share(200, least=70), seed=84, **SMALL)):
        expected = twins.cheapest_repairs(board)
        oracle = SubsetOracle(board)
        assert oracle.find(oracle.all_rows) is None
        sets = set()
        for rows in smallest_by_leaving_out(oracle):
            sets.add(rows)
            expected_here = {
                repair: n for repair, n in expected.items() if {row for row, _ in repair} == rows
            }
            is_listed = oracle.dense_portfolio.has_stored_codes(oracle.all_rows - rows)
            num_listed += is_listed
            num_queried += not is_listed
            if len(sets) % 2:
                assert dense_corrections(board, oracle.dense_portfolio, rows, max_codes=1) is None
                assert oracle.find(oracle.all_rows - rows, len(rows)) is not None
            result = dense_corrections(board, oracle.dense_portfolio, rows, max_codes=1000)
            repairs = {tuple((c.row, c.after) for c in entry.changes): entry for entry in result}
            assert {key: entry.codes.count for key, entry in repairs.items()} == expected_here, str(
                board
            )
        assert sets == {frozenset(row for row, _ in repair) for repair in expected}, str(board)
    assert num_listed > at_least(40)
    assert num_queried > at_least(20)


def test_any_two_rows_share_a_block():
    for index in range(2, 80):
        blocks = list(correction_sets.pairwise_blocks([*range(index)], 12))
        pairs = {pair for block in blocks for pair in combinations(sorted(block), 2)}
        assert pairs == {*combinations(range(index), 2)}
        assert all(len(block) == len({*block}) for block in blocks)
        # The numbers of rows of two points differ by at most 1.
        assert max(map(len, blocks)) <= 12 + 6


def test_the_dense_solver_alone_finds_a_conflict_and_corrections(monkeypatch):
    """With 12 pegs and 12 colors, and without the incremental solver."""
    board = parity_kept(planted("12x12", 22, 2), "2")
    assert is_dense(System.of(board))
    oracle = SubsetOracle(board)
    with monkeypatch.context() as patch:
        patch.setattr(LIMITS, "query_nodes", 0)
        patch.setattr(LIMITS, "query_failures", 0)
        patch.setattr(LIMITS, "query_propagations", 0)
        conflict = next(conflicts(oracle))
    assert oracle.used_dense_portfolio
    plain_oracle = SubsetOracle(board)
    assert plain_oracle.find(conflict.rows) is None
    for row in conflict.rows:
        assert plain_oracle.find(set(conflict.rows) - {row}) is not None
    assert not plain_oracle.used_dense_portfolio
    monkeypatch.setattr(LIMITS, "repair_slices", 0)
    results = list(corrections(board, oracle))
    assert results
    for result in results:
        assert result.cost == 1
        assert result.codes.exact
        assert result.changes[0].row in conflict.rows
        changed = board.changed({change.row: change.after for change in result.changes})
        assert SubsetOracle(changed).find(range(len(board.rows))) is not None


def test_the_methods_for_large_boards_find_all_reasons_of_small_boards(monkeypatch):
    """On boards of every kind, without brute force and without the incremental solver."""
    monkeypatch.setattr(LIMITS, "query_nodes", 0)
    monkeypatch.setattr(LIMITS, "query_failures", 0)
    monkeypatch.setattr(LIMITS, "query_propagations", 0)
    monkeypatch.setattr(LIMITS, "repair_slices", 0)
    monkeypatch.setattr(LIMITS, "small_game", 0)
    boards = inconsistent_boards(share(80, least=40), seed=84, pegs=4, colors=3, rows=5)
    for seed in range(share(40, least=12)):  # rows long enough to be dense
        board = parity_kept(planted("7x3", 7, seed), str(seed))
        boards += (board,) * (twins.least_wrong(board) > 0)
    assert spaces_of(boards) == EVERY_SPACE
    assert scorings_of(boards) == {*SCORINGS}
    num_corrections_first = 0
    for board in boards:
        expected = twins.cheapest_repairs(board)
        if len(expected) > 200:  # the enumeration would take too long
            continue
        results = list(find_reasons(board, STRICT, Status.INCONSISTENT, 1000))
        conflict_rows = [result.rows for result in results if isinstance(result, Conflict)]
        assert len(conflict_rows) == len(set(conflict_rows))
        assert set(conflict_rows) == set(twins.minimal_conflicts(board)), str(board)
        found_corrections = [result for result in results if isinstance(result, Correction)]
        repairs = [tuple((c.row, c.after) for c in entry.changes) for entry in found_corrections]
        counts = [entry.codes.count for entry in found_corrections]
        assert len(repairs) == len(set(repairs))
        assert dict(zip(repairs, counts, strict=True)) == expected, str(board)
        complete_searches = {result for result in results if isinstance(result, str)}
        assert complete_searches == {"conflicts", "corrections", "smallest"}
        reasons = [result for result in results if not isinstance(result, str)]
        num_corrections_first += isinstance(reasons[0], Correction)
    assert num_corrections_first > at_least(5)


def test_corrections_are_complete_if_brute_force_is_first_cut_short(monkeypatch):
    """Rows are left out next. If correction sets are large, brute force runs again."""
    monkeypatch.setattr(LIMITS, "first_repair_slices", 0)
    costs = []
    for seed in range(share(60, least=24)):
        board = planted("7x3", 8, seed)
        for slip in range(1 + seed % 5):
            board = parity_kept(board, f"{seed} {slip}")
        cost = twins.least_wrong(board)
        if not cost or not is_dense(System.of(board)):
            continue
        expected = twins.cheapest_repairs(board)
        results = list(corrections(board))
        repairs = [tuple((c.row, c.after) for c in result.changes) for result in results]
        counts = [result.codes.count for result in results]
        assert dict(zip(repairs, counts, strict=True)) == expected, str(board)
        costs.append((cost, results[0].codes.method))
    assert {*costs} >= {(1, "enumeration"), (2, "enumeration"), (3, "brute")}
