"""Smallest correction sets and repairs of dense boards, compared with brute force."""

from __future__ import annotations

from itertools import combinations

import pytest

from mmsat.constraints.system import System
from mmsat.diagnosis import correction_sets
from mmsat.diagnosis.correction_sets import smallest_by_leaving_out
from mmsat.diagnosis.corrections import corrections, dense_corrections
from mmsat.diagnosis.explain import find_reasons
from mmsat.diagnosis.mus import conflicts
from mmsat.diagnosis.verdict import Conflict, Correction
from mmsat.game.board import Status
from mmsat.game.scoring import SCORINGS
from mmsat.game.tolerance import STRICT
from mmsat.limits import LIMITS
from mmsat.solving.queries import oracle as oracle_module
from mmsat.solving.queries.counting import Counting
from mmsat.solving.queries.oracle import SubsetOracle
from mmsat.solving.queries.presolved import is_dense
from tests.support import twins
from tests.support.perturbed_boards import parity_kept
from tests.support.planted_boards import planted
from tests.support.random_boards import EVERY_SPACE, inconsistent_boards, scorings_of, spaces_of
from tests.support.tiers import at_least, share

SMALL = {"pegs": 4, "colors": 3, "rows": 7}


def unlisted(boards):
    """Return boards with their systems, without lists of words, which are never dense."""
    systems = [(board, System.of(board)) for board in boards]
    return [(board, system) for board, system in systems if system.table is None]


@pytest.mark.parametrize("failures", [1, LIMITS.dense_failures])
def test_repairs_and_their_codes(failures, monkeypatch):
    """Whether the search finds the codes or, first, the enumeration of a lattice."""
    monkeypatch.setattr(LIMITS, "question_failures", 0)
    monkeypatch.setattr(LIMITS, "dense_failures", failures)
    seen = 0
    for board, _ in unlisted(inconsistent_boards(share(200), seed=82, **SMALL)):
        expected = twins.cheapest_repairs(board)
        for rows in {frozenset(row for row, _ in entry) for entry in expected}:
            here = {entry: n for entry, n in expected.items() if {row for row, _ in entry} == rows}
            codes = sum(here.values())
            counting = Counting(System.of(board))
            result = dense_corrections(board, counting, rows, max_codes=codes + 1)
            repairs = [tuple((c.row, c.after) for c in entry.changes) for entry in result]
            assert {
                repair: entry.codes.count for repair, entry in zip(repairs, result, strict=True)
            } == here, str(board)
            assert all(entry.codes.exact for entry in result)
            assert dense_corrections(board, counting, rows, max_codes=codes) is None
            seen += len(result)
    assert seen > at_least(100)


@pytest.mark.parametrize("hard", [True, False])
def test_rows_left_out_are_the_cheapest_sets(hard, monkeypatch):
    if hard:
        monkeypatch.setattr(oracle_module, "is_dense", lambda system: system.table is None)
        monkeypatch.setattr(LIMITS, "question_nodes", 0)
        monkeypatch.setattr(LIMITS, "question_failures", 0)
        monkeypatch.setattr(LIMITS, "question_propagations", 0)
    sizes = []
    boards = inconsistent_boards(share(200, least=70), seed=83, pegs=4, colors=3, rows=7)
    for board, _ in unlisted(boards):
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


@pytest.mark.parametrize("listed", [2, 1000])
def test_codes_of_a_block_are_those_of_its_sets(listed, monkeypatch):
    """Codes are returned with the block if there are few enough, otherwise they are queried.

    Every second list is abandoned half-way before.
    """
    monkeypatch.setattr(LIMITS, "question_nodes", 0)
    monkeypatch.setattr(LIMITS, "question_failures", 0)
    monkeypatch.setattr(LIMITS, "question_propagations", 0)
    monkeypatch.setattr(oracle_module, "is_dense", lambda system: system.table is None)
    monkeypatch.setattr(correction_sets, "MAX_CODES", listed)
    asked = listed_count = 0
    for board, _ in unlisted(inconsistent_boards(share(200, least=70), seed=84, **SMALL)):
        expected = twins.cheapest_repairs(board)
        oracle = SubsetOracle(board)
        assert oracle.find(oracle.everything) is None
        sets = set()
        for rows in smallest_by_leaving_out(oracle):
            sets.add(rows)
            here = {entry: n for entry, n in expected.items() if {row for row, _ in entry} == rows}
            is_known = oracle.everything - rows in oracle.counting.codes_by_rows
            listed_count += is_known
            asked += not is_known
            if len(sets) % 2:
                assert dense_corrections(board, oracle.counting, rows, max_codes=1) is None
                assert oracle.find(oracle.everything - rows, len(rows)) is not None
            result = dense_corrections(board, oracle.counting, rows, max_codes=1000)
            repairs = {tuple((c.row, c.after) for c in entry.changes): entry for entry in result}
            assert {key: entry.codes.count for key, entry in repairs.items()} == here, str(board)
        assert sets == {frozenset(row for row, _ in repair) for repair in expected}, str(board)
    assert listed_count > at_least(40)
    assert asked > at_least(20)


def test_each_two_rows_are_in_a_block():
    for index in range(2, 80):
        blocks = list(correction_sets.lines([*range(index)], 12))
        pairs = {pair for block in blocks for pair in combinations(sorted(block), 2)}
        assert pairs == {*combinations(range(index), 2)}
        assert all(len(block) == len({*block}) for block in blocks)
        # Each point has at most one more row than another one, and so has each line.
        assert max(map(len, blocks)) <= 12 + 6


def test_a_board_where_minisat_does_not_suffice(monkeypatch):
    """12 pegs, 12 colors: the dense solver answers all queries on its own."""
    board = parity_kept(planted("12x12", 22, 2), "2")
    assert is_dense(System.of(board))
    oracle = SubsetOracle(board)
    with monkeypatch.context() as lowered:
        lowered.setattr(LIMITS, "question_nodes", 0)
        lowered.setattr(LIMITS, "question_failures", 0)
        lowered.setattr(LIMITS, "question_propagations", 0)
        conflict = next(conflicts(oracle))
    assert oracle.used_counting
    other = SubsetOracle(board)
    assert other.find(conflict.rows) is None
    for row in conflict.rows:
        assert other.find(set(conflict.rows) - {row}) is not None
    assert not other.used_counting
    monkeypatch.setattr(LIMITS, "repair_slices", 0)
    results = list(corrections(board, oracle))
    assert results
    for result in results:
        assert result.cost == 1
        assert result.codes.exact
        assert result.changes[0].row in conflict.rows
        changed = board.changed({change.row: change.after for change in result.changes})
        assert SubsetOracle(changed).find(range(len(board.rows))) is not None


def test_small_boards_are_explained_as_large_ones_are(monkeypatch):
    """Boards of every kind, with no brute force and no incremental solver: nothing is missed."""
    monkeypatch.setattr(LIMITS, "question_nodes", 0)
    monkeypatch.setattr(LIMITS, "question_failures", 0)
    monkeypatch.setattr(LIMITS, "question_propagations", 0)
    monkeypatch.setattr(LIMITS, "repair_slices", 0)
    monkeypatch.setattr(LIMITS, "small_game", 0)
    boards = inconsistent_boards(share(80, least=40), seed=84, pegs=4, colors=3, rows=5)
    for seed in range(share(40, least=12)):  # rows long enough to be dense
        board = parity_kept(planted("7x3", 7, seed), str(seed))
        boards += (board,) * (twins.least_wrong(board) > 0)
    assert spaces_of(boards) == EVERY_SPACE
    assert scorings_of(boards) == {*SCORINGS}
    first = 0
    for board in boards:
        expected = twins.cheapest_repairs(board)
        if len(expected) > 200:  # it would take too long
            continue
        results = list(find_reasons(board, STRICT, Status.INCONSISTENT, 1000))
        conflicts_ = [result.rows for result in results if isinstance(result, Conflict)]
        assert len(conflicts_) == len(set(conflicts_))
        assert set(conflicts_) == set(twins.minimal_conflicts(board)), str(board)
        mended = [result for result in results if isinstance(result, Correction)]
        repairs = [tuple((c.row, c.after) for c in entry.changes) for entry in mended]
        counts = [entry.codes.count for entry in mended]
        assert len(repairs) == len(set(repairs))
        assert dict(zip(repairs, counts, strict=True)) == expected, str(board)
        words = {result for result in results if isinstance(result, str)}
        assert words == {"conflicts", "corrections", "smallest"}
        reasons = [result for result in results if not isinstance(result, str)]
        first += isinstance(reasons[0], Correction)
    assert first > at_least(5)


def test_brute_force_that_is_cut_short_leaves_nothing_out(monkeypatch):
    """Rows are left out first; if more are needed, brute force continues."""
    monkeypatch.setattr(LIMITS, "few_slices", 0)
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
