"""Mastermind with lies: a board with lies has the codes of its source without lies."""

from __future__ import annotations

import pytest

from mmsat.errors import InputError
from mmsat.game.board import Board
from mmsat.reductions.boards import Lies
from tests.support.random_boards import known_boards
from tests.support.reduction_laws import all_codes, holds


@pytest.mark.parametrize("lies", [0, 1, 2])
def test_the_codes_within_the_lies_are_the_codes_of_the_source(lies):
    for board, codes in known_boards(100, seed=71 + lies, pegs=3, colors=3):
        reduction = Lies(board, lies=lies)
        assert holds(reduction, all_codes(board.game)) == len(codes)
        allowed = [code for code in all_codes(board.game) if reduction.allows(code)]
        assert allowed == sorted(codes), str(board)


def test_with_one_copy_fewer_a_code_with_a_lie_would_be_allowed():
    board = Board.parse("2x3/11=2.0")
    reduction = Lies(board, lies=1)
    assert reduction.allows((0, 0))
    assert not reduction.allows((0, 1))
    board_with_fewer_copies = Lies(board, lies=0).board
    assert len(board_with_fewer_copies.missed((0, 1))) <= reduction.lies


def test_a_negative_number_of_lies_is_refused():
    with pytest.raises(
        InputError, match="the parameters, lies: expected a whole number from 0, found"
    ):
        Lies(Board.parse("2x3/11=2.0"), lies=-1)
