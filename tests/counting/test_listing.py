"""The codes that remain, in lexicographic order, however many solvers take part in the list."""

from __future__ import annotations

import multiprocessing
from itertools import islice, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mmsat
from mmsat.constraints import System
from mmsat.counting.listing import (
    SearchBudget,
    codes_after,
    list_codes,
    verify_in_batches,
    verify_listed_code,
)
from mmsat.errors import InternalError
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.tolerance import STRICT
from mmsat.solving.deadline import Deadline, TimeUpError
from tests.support import strategies, tiers, twins
from tests.support.random_boards import known_boards


@pytest.fixture(autouse=True)
def _no_child_is_left():
    yield
    assert multiprocessing.active_children() == []


def test_brute_force_lists_every_code_in_order():
    for board, codes in known_boards(tiers.share(2000), seed=61):
        assert list(list_codes(board, Deadline())) == list(codes), str(board)


def test_sat_lists_every_code_in_order():
    for board, codes in known_boards(tiers.share(500), seed=62, pegs=4, colors=3):
        assert list(codes_after([System.of(board)], None)) == list(codes), str(board)


def test_sat_resumes_after_any_code():
    for board, codes in known_boards(60, seed=63, pegs=3, colors=3):
        every = list(twins.codes(board.game))
        for last in every[:: max(1, len(every) // 5)]:
            results = list(codes_after([System.of(board)], last))
            assert results == [code for code in codes if code > last], (str(board), last)


@settings(max_examples=tiers.share(60))
@given(board=strategies.boards(strategies.small_games(3, 3), max_rows=3))
def test_sat_lists_boards_that_shrink(board):
    assert list(codes_after([System.of(board)], None)) == twins.consistent(board)


def test_without_patience_sat_lists_from_the_start():
    for board, codes in known_boards(15, seed=64, pegs=3, colors=3):
        assert list(list_codes(board, Deadline(), budget=SearchBudget(0))) == list(codes), str(
            board
        )


@settings(max_examples=tiers.share(12))
@given(played=strategies.played_boards(strategies.small_games(3, 3), 3), nodes=st.integers(1, 30))
def test_sat_may_take_over_after_any_code(played, nodes):
    """With slices this small, brute force runs out of patience somewhere in the middle."""
    board, _ = played
    results = list(list_codes(board, Deadline(), SearchBudget(slices=2, nodes=nodes)))
    assert results == twins.consistent(board)


@pytest.mark.long
def test_the_list_ends_with_the_time():
    board = Board(Game(30, 6), (Row((0,) * 30, (10, 0)),))
    for slices in (0, 10**5):
        items = list_codes(board, Deadline(1), SearchBudget(slices))
        codes = []
        with pytest.raises(TimeUpError):
            codes.extend(iter(lambda items=items: next(items), None))
        assert codes == sorted(set(codes))
        assert all(board.is_consistent(code) for code in codes)
        assert codes or slices


def test_a_list_that_is_not_read_to_its_end_leaves_nothing():
    codes = list_codes(Board.parse("4x6/1122=1.1"), Deadline(), budget=SearchBudget(0))
    assert next(codes) == twins.consistent(Board.parse("4x6/1122=1.1"))[0]
    codes.close()


def test_what_does_not_score_right_is_never_listed():
    board = Board.parse("4x6/1122=1.1")
    for code in twins.consistent(board):
        assert verify_listed_code(board, code) == code
    with pytest.raises(InternalError):
        verify_listed_code(board, (5, 5, 5, 5))


def test_the_collection_is_the_list():
    for board, expected in known_boards(60, seed=65):
        codes = mmsat.codes(board)
        assert list(codes) == list(codes) == list(expected)
        assert codes.count == len(expected)
        assert bool(codes) == bool(expected)
        for code in twins.codes(board.game):
            assert (code in codes) == (code in expected)


def test_what_is_no_code_is_not_in_the_collection():
    codes = mmsat.codes(Board.parse("3x3!"))
    assert (0, 1, 2) in codes
    for other in (
        (0, 1),
        (0, 1, 2, 0),
        (0, 1, 3),
        (-1, 0, 1),
        (0, 0, 1),
        "112",
    ):
        assert other not in codes
        assert list(map(int, other)) not in codes
    for wrong in ("012", "12", "1234", "12?", "", "124", 12, None, (0, 1.0, 2), {0, 1, 2}, b"123"):
        with pytest.raises(mmsat.InputError, match=r"code(, column \d+)?: expected "):
            assert wrong in codes


def test_an_endless_game_is_listed_from_its_beginning():
    codes = mmsat.codes(Board(Game(1000, 1000)))
    assert codes
    assert [code[-2:] for code in islice(codes, 1001)][-2:] == [(0, 999), (1, 0)]
    distinct = mmsat.codes(Board(Game.parse("1000x1000!")))
    assert next(iter(distinct)) == tuple(range(1000))


def test_codes_print_as_their_game_spells_them():
    assert mmsat.codes(Board.parse("4x6")).format((0, 1, 4, 5)) == "1256"
    assert mmsat.codes(Board.parse("2x30")).format((0, 29)) == "1-30"
    assert repr(mmsat.codes(Board.parse("4x6/1122=1.?"))) == (
        "mmsat.codes(Board.parse('4x6/1122=1.?'))"
    )


def test_codes_of_sat_are_scored_in_batches_that_grow():
    """The first come at once, none is lost when the time is up, and each is scored."""
    game = Game(3, 5)
    board = Board(game)
    every = [*product(range(5), repeat=3)]
    asked: list = []
    texts: list = []

    def found():
        for code in every:
            asked.append(code)
            yield code
        raise TimeUpError

    def take_all():
        for code in verify_in_batches(board, found(), STRICT):
            texts.append(code)
            assert len(asked) <= 5 / 4 * len(texts) + 1

    with pytest.raises(TimeUpError):
        take_all()
    assert texts == every
    wrong = Board(game, (Row(every[-1], (3, 0)),))
    with pytest.raises(InternalError):
        list(verify_in_batches(wrong, iter(every[-1:] + every[:9]), STRICT))
