"""All cheapest corrections, by brute force and by queries, compared with a trial of every code."""

from __future__ import annotations

import random

import pytest
from hypothesis import assume, given, settings

from mmsat.diagnosis import Correction
from mmsat.diagnosis import corrections as module
from mmsat.diagnosis.corrections import (
    corrections,
    counted_correction,
    nearest_repairs,
    repair_to,
    repairs,
    smallest_by_maxsat,
    smallest_mcses,
)
from mmsat.game import Row
from mmsat.game.board import Board, Status
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.limits import LIMITS
from mmsat.solving.deadline import Deadline
from mmsat.solving.oracle import SubsetOracle
from mmsat.solving.searches import Brute
from tests.support import strategies, twins
from tests.support.random_boards import EVERY_SPACE, inconsistent_boards, scorings_of, spaces_of
from tests.support.tiers import share

SMALL = {"pegs": 4, "colors": 3, "rows": 7}


def repair_of(correction):
    return tuple((change.row, change.after) for change in correction.changes)


def numbers(repairs):
    """Return the number of codes of each repair."""
    return {repair: cases.total() for repair, cases in repairs.items()}


@pytest.mark.parametrize(
    "line",
    [
        "4x5x200dk/528-8-83-339=4.?.?/383-15-281-551=4304.?.?/915-261-17-915=0.0.2/745-43-402-745=3.?.3",
        "4x6/1122=4.0/1133=4.0",
        "20x6/11111111112222222222=3.0/11111111112222222222=4.0",
    ],
)
def test_without_time_to_count_a_correction_has_at_least_one_code(line, monkeypatch):
    monkeypatch.setattr(module, "COUNT_SECONDS", 0.0)
    board = Board.parse(line)
    rows = next(iter(smallest_mcses(SubsetOracle(board))))
    for repair in repairs(board, rows):
        result = counted_correction(board, repair)
        assert result.codes.count >= 1
        assert result.likelihood >= 1
        assert not (result.is_likelihood_exact and result.codes.exact) or result.codes.count == 1


def repairs_by_maxsat(board):
    """Return the repairs that MaxSAT finds; assert that they are distinct."""
    results = [repair for rows in smallest_by_maxsat(board) for repair in repairs(board, rows)]
    assert len(results) == len(set(results)), str(board)
    return set(results)


def test_the_boards_have_every_kind_of_game_and_several_costs():
    boards = inconsistent_boards(share(800), seed=41, **SMALL)
    assert spaces_of(boards) == EVERY_SPACE
    assert scorings_of(boards) == {*SCORINGS}
    assert {twins.least_wrong(board) for board in boards} >= {1, 2, 3}


def test_brute_force_finds_every_cheapest_repair_and_counts_its_codes():
    for board in inconsistent_boards(share(800), seed=41, **SMALL):
        assert numbers(nearest_repairs(board)) == twins.cheapest_repairs(board), str(board)


def test_maxsat_finds_the_same_repairs():
    for board in inconsistent_boards(share(800), seed=41, **SMALL):
        assert repairs_by_maxsat(board) == set(twins.cheapest_repairs(board)), str(board)


@pytest.mark.parametrize("max_rows", [0, 1, 3])
def test_leaving_out_rows_and_maxsat_find_each_set_once(max_rows, monkeypatch):
    """Sets of up to `max_rows` rows are found by leaving out rows, larger ones by MaxSAT."""
    monkeypatch.setattr(module, "MAX_ROWS_BEFORE_MAXSAT", max_rows)
    for board in inconsistent_boards(share(100), seed=42, **SMALL):
        results = list(smallest_mcses(SubsetOracle(board)))
        assert len(results) == len(set(results))
        expected = twins.cheapest_repairs(board)
        assert set(results) == {frozenset(row for row, _ in repair) for repair in expected}


@settings(max_examples=share(60))
@given(boards=strategies.slipped_boards(strategies.small_games(3, 3), max_rows=5))
def test_brute_force_and_maxsat_agree_on_generated_slips(boards):
    _, board = boards
    assume(twins.least_wrong(board) > 0)
    expected = twins.cheapest_repairs(board)
    assert numbers(nearest_repairs(board)) == expected
    assert repairs_by_maxsat(board) == set(expected)


@pytest.mark.parametrize("method", ["brute", "queries"])
def test_corrections_are_the_cheapest_repairs_with_exact_counts(method, monkeypatch):
    """Both methods state the changed scores, and the corrected board is consistent."""
    if method == "queries":
        monkeypatch.setattr(LIMITS, "repair_slices", 0)
    for board in inconsistent_boards(share(60), seed=43, pegs=4, colors=3, rows=6):
        expected = twins.cheapest_repairs(board)
        results = list(corrections(board))
        assert {repair_of(entry): entry.codes.count for entry in results} == expected, str(board)
        assert len(results) == len(expected)
        for result in results:
            assert result.codes.exact
            assert result.cost == twins.least_wrong(board)
            assert [change.before for change in result.changes] == [
                board.rows[change.row].score for change in result.changes
            ]
            assert all(change.before != change.after for change in result.changes)
            corrected = board.changed(dict(repair_of(result)))
            assert len(twins.consistent(corrected)) == result.codes.count
        if method == "brute":
            assert results == sorted(results, key=Correction.sort_key)


def test_brute_force_gives_up_beyond_its_limits(monkeypatch):
    board = inconsistent_boards(1, seed=44, **SMALL)[0]
    assert nearest_repairs(board, max_codes=0) is None
    monkeypatch.setattr(LIMITS, "repair_slices", 0)
    assert nearest_repairs(board) is None


def test_unread_parts_of_scores_stay_unread():
    board = Board.parse("4x6/1122=3.?/1122=0.?/3456=?.?")
    results = list(corrections(board))
    assert {repair_of(result) for result in results} == {((0, (0, None)),), ((1, (3, None)),)}


def test_a_row_that_contradicts_many_equal_rows_is_changed():
    board = Board.parse("4x6/1122=1.1/1122=1.1/1122=1.1/1122=2.1")
    (result,) = corrections(board)
    assert repair_of(result) == ((3, (1, 1)),)
    assert result.codes.count == len(twins.consistent(board.only([0])))


def one_slip(rows):
    """Return a board of many rows with one wrong score, and the true score."""
    rng = random.Random(45)
    game = Game.parse("4x6")
    secret = (2, 0, 5, 2)
    guesses = [tuple(rng.randrange(6) for _ in range(4)) for _ in range(rows)]
    true_board = Board(game, tuple(Row(guess, game.score(secret, guess)) for guess in guesses))
    black, white = true_board.rows[77].score
    return true_board.changed({77: (black + 1, white)}), (black, white)


def test_one_slip_in_a_thousand_rows_is_found():
    board, true = one_slip(1000)
    assert numbers(nearest_repairs(board)) == {((77, true),): 1}


@pytest.mark.parametrize("rows", [150, pytest.param(400, marks=pytest.mark.slow)])
def test_one_slip_in_many_rows_is_found_by_maxsat_too(rows):
    board, true = one_slip(rows)
    assert repairs_by_maxsat(board) == {((77, true),)}


def test_of_two_contradicting_groups_of_rows_the_smaller_is_changed():
    row, other = Row((0, 0, 1, 1), (1, 1)), Row((0, 0, 1, 1), (0, 2))
    board = Board(Game.parse("4x6"), (row,) * 990 + (other,) * 10)
    expected = tuple((n, (1, 1)) for n in range(990, 1000))
    nearest = nearest_repairs(board)
    assert numbers(nearest) == {expected: len(twins.consistent(board.only([0])))}
    assert repairs_by_maxsat(board) == {expected}


def test_a_repair_changes_the_rows_that_a_code_violates():
    rng = random.Random(46)
    for board in inconsistent_boards(50, seed=47, **SMALL):
        code = rng.choice(list(twins.codes(board.game)))
        repair = repair_to(board, code, board.missed(code))
        assert [row for row, _ in repair] == twins.wrong_rows(board, code)
        assert Brute().decide(board.changed(dict(repair)), Deadline()).status is Status.CONSISTENT
