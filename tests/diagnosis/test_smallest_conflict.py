"""The first conflict of `check` and `explain` is a smallest one, by trying all sets of rows."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

import mmsat
from mmsat.game import UNREAD, Row
from mmsat.game.board import Board, Status
from mmsat.game.scoring import SCORINGS
from mmsat.game.tolerance import MEASURES
from mmsat.limits import LIMITS
from tests.support import twins
from tests.support.random_boards import (
    EVERY_SPACE,
    inconsistent_boards,
    random_board,
    scorings_of,
    spaces_of,
)
from tests.support.tiers import at_least, share

BOARDS = [
    ("5x5/41132=3.1/42223=2.1/44154=0.2/12?21=2.1/11111=1.0/11324=1.1/22313=?.1", 0, "rows", 2),
    ("3x2x3/1A1A1B=1.0.1/1B1A1B=1.0.2/1C2A1C=1.0.1/2A1B2C=0.0.3/1C1B1A=0.2.3", 0, "rows", 2),
    ("royale-side/134=2.0/41?=0.1/231=0.2/234=1.0/221=0.1", 0, "rows", 2),
    ("3x9do/?28=RLR/294=LER/1?3=EEL", 0, "rows", 1),
    ("6x1w/111111=4/111111=4/111111=6/111111=3/111111=6/111111=1", 3, "pegs", 1),
    ("6x6/112233=5.1/445566=1.0/123456=2.0/654321=2.0", 0, "rows", 1),
    ("4x6/1122=1.1/1122=1.1/3344=1.1/5566=0.2/1122=0.5", 0, "rows", 1),
]


def found_sizes(board, lies, by):
    """Return the numbers of rows of the first conflicts of `check` and `explain`."""
    verdict = mmsat.check(board, lies=lies, by=by)
    unlimited = mmsat.explain(board, lies=lies, by=by, limit=10_000)
    limited = mmsat.explain(board, lies=lies, by=by, limit=1)
    assert len(limited.conflicts) == 1
    assert limited.all_conflicts == (len(unlimited.conflicts) == 1)
    return {
        len(conflict.rows)
        for conflict in (verdict.conflict, unlimited.conflicts[0], limited.conflicts[0])
    }


@pytest.mark.parametrize(("line", "lies", "by", "size"), BOARDS)
def test_the_size_of_the_first_conflict(line, lies, by, size):
    assert found_sizes(Board.parse(line), lies, by) == {size}


def hide_pegs(rng, board):
    """Return the board with some pegs of its guesses unread."""
    rows = []
    for guess, score in board.rows:
        colors = [UNREAD if rng.random() < 0.15 else color for color in guess]
        rows.append(Row(tuple(colors), score))
    return replace(board, rows=tuple(rows))


def slipped_boards(count, seed):
    """Yield inconsistent boards, each with a number of lies and its unit."""
    rng = random.Random(seed)
    while count:
        board = random_board(rng, rng.choice([1, 3, 4]), 3, 7, slips=rng.choice([0.2, 0.5, 0.8]))
        lies, by = rng.choice(
            [(0, "rows"), (0, "rows"), *((lies, by) for lies in (1, 2) for by in MEASURES)]
        )
        if by == "rows" and rng.random() < 0.5:
            board = hide_pegs(rng, board)
        if mmsat.check(board, lies=lies, by=by, reason=0).status is Status.INCONSISTENT:
            count -= 1
            yield board, lies, by


def test_the_first_conflict_is_a_smallest_one():
    seen, boards, num_single_rows = Counter(), [], 0
    for board, lies, by in slipped_boards(share(160, least=40), 451):
        size = twins.smallest_conflict(board, lies, by)
        assert found_sizes(board, lies, by) == {size}, (str(board), lies, by)
        boards.append(board)
        seen[lies > 0, by, board.has_unread_pegs] += 1
        num_single_rows += size == 1
    assert len(seen) == 5
    assert spaces_of(boards) == EVERY_SPACE
    assert scorings_of(boards) == {*SCORINGS}
    assert num_single_rows > at_least(15)


def test_the_conflict_is_minimal_in_larger_games(monkeypatch):
    """Beyond small games, the search for a smallest conflict is limited."""
    monkeypatch.setattr(LIMITS, "small_game", 0)
    for board in inconsistent_boards(share(40, least=15), seed=452, pegs=4, colors=3, rows=7):
        assert mmsat.check(board).conflict.rows in twins.minimal_conflicts(board)
