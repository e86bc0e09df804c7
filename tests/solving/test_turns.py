"""Work by turns: unions, ways to the same answer, and who gives up."""

from __future__ import annotations

import pytest

from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.errors import SizeError
from mmsat.solving.turns import CpWork, Either, SatWork, Turns, Union, decided, first


class Fake:
    """Work that is decided in some turn, and notes what is asked of it."""

    def __init__(self, name, turn, code=None):
        self.name, self.turn, self.answer = name, turn, code
        self.code = None
        self.taken = []
        self.is_closed = False

    def take(self, turn):
        """Note the turn."""
        self.taken.append(turn)
        if turn == self.turn:
            self.code = self.answer
        return turn == self.turn

    def close(self):
        """Note that it was closed."""
        self.is_closed = True


def too_large():
    raise SizeError("too large")


def test_a_union_has_the_first_code_of_any():
    works = [Fake("a", 0), Fake("b", 2, (1,)), Fake("c", 3, (2,))]
    union = decided(Union(works))
    assert (union.code, union.name) == ((1,), "b")
    assert works[0].taken == [0]  # refuted, and asked no more
    assert works[2].taken == [0, 1]
    assert all(work.is_closed for work in works)


def test_a_union_is_refuted_once_all_are():
    works = [Fake("a", 1), Fake("b", 4)]
    assert first(works) is None
    assert (works[0].taken, works[1].taken) == ([0, 1], [0, 1, 2, 3, 4])
    empty = decided(Union([], "nobody"))
    assert (empty.code, empty.name) == (None, "nobody")


def test_of_several_ways_the_first_to_be_done_decides():
    works = [Fake("a", 5, (1,)), Fake("b", 1)]
    either = decided(Either(lambda: works[0], lambda: works[1]))
    assert (either.code, either.name) == (None, "b")
    assert all(work.is_closed for work in works)


def test_a_way_is_made_when_its_turn_comes():
    made = []
    either = Either(lambda: Fake("a", 0, (1,)), lambda: made.append(1))
    assert either.take(0)
    assert made == []


def test_ways_that_are_too_large_are_left_out():
    work = Fake("a", 3, (1,))
    assert decided(Either(too_large, lambda: work)).code == (1,)
    assert work.taken == [0, 1, 2, 3]
    with pytest.raises(SizeError, match="too large"):
        decided(Either(too_large, too_large))


@pytest.mark.parametrize("line", ["4x6/1122=1.1/3345=0.2", "4x6/1122=1.1/1122=1.2", "3x4!/123=?.2"])
def test_sat_and_cp_sat_agree_turn_by_turn(line):
    board = Board.parse(line)
    system = System.of(board)
    works = [SatWork(system), CpWork(system, 1), Turns(system, 1)]
    codes = [decided(work).code for work in works]
    assert len({code is None for code in codes}) == 1
    assert all(code is None or board.is_consistent(code) for code in codes)
    assert works[2].name == works[0].name
