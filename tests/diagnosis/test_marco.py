"""All minimal conflicts, compared with a trial of every set of rows."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings

from mmsat.constraints import is_linear_board
from mmsat.diagnosis import Conflict
from mmsat.diagnosis.mus import conflicts, shrink, smaller_muses
from mmsat.errors import InternalError
from mmsat.game import Row
from mmsat.game.board import Board, Status
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.limits import LIMITS
from mmsat.solving.cp import Cp
from mmsat.solving.deadline import Deadline
from mmsat.solving.oracle import SubsetOracle
from mmsat.solving.searches import Brute
from tests.support import strategies, twins
from tests.support.random_boards import (
    EVERY_SPACE,
    inconsistent_boards,
    known_boards,
    scorings_of,
    spaces_of,
)
from tests.support.tiers import at_least, share

SMALL = {"pegs": 4, "colors": 3, "rows": 7}


def found_conflicts(board):
    """Return the rows of all conflicts; assert that they are distinct and sorted."""
    results = [conflict.rows for conflict in conflicts(SubsetOracle(board))]
    assert len(results) == len(set(results))
    assert all(rows == tuple(sorted(set(rows))) for rows in results)
    return set(results)


def is_consistent(board):
    return Brute().decide(board, Deadline()).status is Status.CONSISTENT


def test_the_boards_have_every_kind_of_game():
    boards = inconsistent_boards(share(800), seed=31, **SMALL)
    assert spaces_of(boards) == EVERY_SPACE
    assert scorings_of(boards) == {*SCORINGS}
    assert any(len(set(board.rows)) < len(board.rows) for board in boards)
    assert any(len(rows) == 3 for board in boards[:40] for rows in twins.minimal_conflicts(board))


@pytest.mark.parametrize("nodes", [0, LIMITS.query_nodes])
@pytest.mark.parametrize("max_rows", [0, LIMITS.listed_rows])
def test_exactly_the_minimal_conflicts_are_found(nodes, max_rows, monkeypatch):
    """By SAT alone and with brute force first; the unexplored sets as a formula and as a list."""
    monkeypatch.setattr(LIMITS, "query_nodes", nodes)
    monkeypatch.setattr(LIMITS, "listed_rows", max_rows)
    for board in inconsistent_boards(share(500), seed=31, **SMALL):
        assert found_conflicts(board) == twins.minimal_conflicts(board), str(board)


def test_algebra_finds_the_same_conflicts(monkeypatch):
    """Small boards are treated as wide ones, without the incremental solver."""
    monkeypatch.setattr("mmsat.solving.policy.WIDE_PEGS", 0)
    boards = [
        board
        for board in inconsistent_boards(share(2500), seed=37, pegs=5, colors=2, rows=6)
        if is_linear_board(board)
    ]
    assert len(boards) > at_least(300)
    for board in boards:
        assert found_conflicts(board) == twins.minimal_conflicts(board), str(board)


def test_engines_and_linear_programming_find_the_same_conflicts(monkeypatch):
    """Without the incremental solver, every query is decided by the other engines."""
    monkeypatch.setattr(LIMITS, "query_nodes", 0)
    monkeypatch.setattr(LIMITS, "query_propagations", 0)
    for board in inconsistent_boards(share(120), seed=38, **SMALL):
        assert found_conflicts(board) == twins.minimal_conflicts(board), str(board)


@settings(max_examples=share(100))
@given(board=strategies.boards(strategies.small_games(3, 3), max_rows=5))
def test_all_minimal_conflicts_of_generated_boards_are_found(board):
    assert found_conflicts(board) == twins.minimal_conflicts(board)


def test_only_consistent_boards_have_no_conflict():
    for board, codes in known_boards(share(200), seed=32):
        assert bool(codes) == (found_conflicts(board) == set())


def test_other_engines_refute_each_conflict_but_none_of_its_subsets():
    for board in inconsistent_boards(40, seed=33, **SMALL):
        for rows in found_conflicts(board):
            assert Cp().solve(board.only(rows)) is None
            for row in rows:
                remainder = board.only([entry for entry in rows if entry != row])
                assert is_consistent(remainder), (str(board), rows, row)


def test_cheapest_corrections_are_minimal_hitting_sets_of_the_conflicts():
    for board in inconsistent_boards(share(200), seed=34, **SMALL):
        conflict_rows = found_conflicts(board)
        sets = {tuple(row for row, _ in repair) for repair in twins.cheapest_repairs(board)}
        for changed_rows in sets:
            assert all(set(changed_rows) & set(rows) for rows in conflict_rows), str(board)
            for row in changed_rows:
                others = set(changed_rows) - {row}
                assert not all(others & set(rows) for rows in conflict_rows), str(board)


def test_an_oracle_decides_any_rows():
    rng = random.Random(35)
    for board in inconsistent_boards(share(100), seed=36, **SMALL):
        oracle = SubsetOracle(board)
        for _ in range(4):
            rows = [row for row in range(len(board.rows)) if rng.random() < 0.5]
            codes = twins.consistent(board.only(rows))
            code = oracle.find(rows)
            assert code in codes if codes else code is None
            if code is None:
                assert oracle.core <= set(rows)
                assert twins.consistent(board.only(sorted(oracle.core))) == []
                shrunk = tuple(sorted(shrink(oracle, rows)))
                assert shrunk in twins.minimal_conflicts(board)
            else:
                satisfied = set(range(len(board.rows))) - set(twins.wrong_rows(board, code))
                assert oracle.violations.satisfied_rows(code) == satisfied


def test_rows_without_a_conflict_cannot_be_shrunk():
    oracle = SubsetOracle(Board.parse("4x6/1122=1.1/1122=2.2"))
    with pytest.raises(InternalError, match="do not conflict"):
        shrink(oracle, {0})


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("4x6/1122=3.1", {(0,)}),
        ("4x6/1122=3.1/1122=3.1", {(0,), (1,)}),
        ("4x6/1122=1.1/1122=1.1/1122=0.2", {(0, 2), (1, 2)}),
        ("4x6/1122=1.1/1122=0.2/1122=2.0", {(0, 1), (0, 2), (1, 2)}),
        ("4x6/1122=1.?/1122=?.1/1122=2.?", {(0, 2)}),
        ("4x6/1122=?.?/1122=5.0/3456=1.1", {(1,)}),
        (
            "4x6/1111=1.0/2222=1.0/3333=1.0/4444=1.0/5555=1.0",
            {(0, 1, 2, 3, 4)},
        ),
        ("1x1/1=0.0", {(0,)}),
        ("4x4!/1111=1.0/2222=0.0", {(1,)}),
        ("2x3!/12=0.0", {(0,)}),
    ],
)
def test_conflicts_of_simple_boards(line, expected):
    assert found_conflicts(Board.parse(line)) == expected


@pytest.mark.parametrize("rows", [150, pytest.param(400, marks=pytest.mark.slow)])
def test_two_contradicting_groups_of_equal_rows_conflict_in_pairs(rows):
    """Each row of one group conflicts with each row of the other; equal rows are distinct."""
    row, other = Row((0, 0, 1, 1), (1, 1)), Row((0, 0, 1, 1), (0, 2))
    board = Board(Game.parse("4x6"), (row,) * (rows - 2) + (other,) * 2)
    assert found_conflicts(board) == {
        (one, two) for one in range(rows - 2) for two in (rows - 2, rows - 1)
    }


def test_rows_of_a_conflict_are_numbered_from_one_in_json():
    assert Conflict((0, 4)).to_dict() == [1, 5]


@pytest.mark.parametrize("max_rows", [0, LIMITS.listed_rows])
def test_no_conflict_is_smaller_than_the_smallest_mus(max_rows, monkeypatch):
    monkeypatch.setattr(LIMITS, "listed_rows", max_rows)
    num_larger = 0
    for board in inconsistent_boards(share(200), seed=39, **SMALL):
        expected = twins.minimal_conflicts(board)
        *_, conflict = smaller_muses(SubsetOracle(board))
        assert conflict.rows in expected, str(board)
        assert len(conflict.rows) == min(map(len, expected)), str(board)
        for rows in sorted(expected):
            *_, last = [Conflict(rows), *smaller_muses(SubsetOracle(board), Conflict(rows))]
            assert last.rows in expected
            assert len(last.rows) == len(conflict.rows)
            num_larger += len(rows) > len(last.rows)
    assert num_larger > at_least(50)


def test_only_consistent_boards_have_no_smallest_mus():
    for board, codes in known_boards(share(100), seed=40):
        assert any(smaller_muses(SubsetOracle(board))) == (not codes), str(board)
