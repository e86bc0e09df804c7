"""Unread pegs of guesses: every answer is that of trying all guesses, in games of every kind."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

import pytest

import mmsat
from mmsat.errors import InputError, SizeError
from mmsat.game.board import PRINTERS, Board
from mmsat.game.names import find_game
from mmsat.game.row import UNREAD, Row
from mmsat.game.words import Words
from tests.support import tiers, twins
from tests.support.cli_runner import run
from tests.support.random_boards import random_board, scorings_of, spaces_of

CASES = 150


def consistent(board, rows=None):
    """The codes for which there is a guess with the score in each row, or in some rows."""
    scoring, rows = board.game.scoring, board.rows if rows is None else rows
    return [
        code
        for code in twins.codes(board.game)
        if all(
            any(
                twins.agrees(scoring, code, guess, row.score)
                for guess in twins.possible_guesses(board.game, row.guess)
            )
            for row in rows
        )
    ]


@lru_cache(maxsize=1)
def boards():
    """Boards of every kind with unread pegs, each with its codes."""
    rng = random.Random(8)
    results = []
    while len(results) < tiers.share(CASES, least=30):
        board = random_board(rng, pegs=3, colors=3, rows=3)
        rows = []
        for guess, score in board.rows:
            part = rng.choice([0, 0.4, 1])
            hidden = tuple(UNREAD if rng.random() < part else color for color in guess)
            rows.append(Row(hidden, score))
        can_be = all(
            twins.possible_guesses(board.game, row.guess) or UNREAD not in row.guess for row in rows
        )
        if can_be and any(UNREAD in row.guess for row in rows):
            masked = Board(board.game, tuple(rows))
            results.append((masked, consistent(masked)))
    return results


def test_they_are_of_every_kind():
    seen = [board for board, _ in boards()]
    if tiers.TIER != "quick":
        assert len(scorings_of(seen)) == 7
        assert len(spaces_of(seen)) == 3
    assert len({bool(codes) for _, codes in boards()}) == 2


@pytest.mark.parametrize("engine", ["auto", "brute", "cp", "sat"])
def test_verdicts(engine):
    for board, codes in tiers.part(boards(), len(engine)):
        verdict = mmsat.check(board, engine=engine)
        assert verdict.is_consistent == bool(codes)
        assert verdict.witness is None or verdict.witness in codes


def test_counts_lists_and_odds():
    for board, codes in boards():
        result = mmsat.codes(board)
        assert mmsat.count(board).count == len(codes)
        assert list(result) == codes
        assert [result[number] for number in range(len(codes))] == codes
        for peg, chances in enumerate(result.odds()):
            for color, chance in enumerate(chances):
                true = sum(code[peg] == color for code in codes)
                assert chance == Fraction(true, len(codes) or 1)
    for board, codes in boards()[::5]:
        assert mmsat.count(board, method="ganak").count == len(codes)
        assert mmsat.count(board, method="enumeration").count == len(codes)


def test_conflicts_are_minimal_and_all():
    for board, codes in boards():
        if codes:
            continue
        rows = range(len(board.rows))
        refuted = [
            set(some)
            for size in range(len(board.rows) + 1)
            for some in combinations(rows, size)
            if not consistent(board, [board.rows[row] for row in some])
        ]
        minimal = {tuple(sorted(some)) for some in refuted if not any(o < some for o in refuted)}
        explanation = mmsat.explain(board)
        assert {conflict.rows for conflict in explanation.conflicts} == minimal
        cheapest = min(len(changed) for changed in changes(board))
        assert all(entry.cost == cheapest for entry in explanation.corrections)
        assert explanation.corrections
        for correction in explanation.corrections:
            mended = board.changed({change.row: change.after for change in correction.changes})
            assert correction.codes.count == len(consistent(mended)) > 0


def changes(board):
    """The sets of rows without which there is a code."""
    rows = range(len(board.rows))
    for size in range(len(board.rows) + 1):
        for some in combinations(rows, size):
            if consistent(board, [board.rows[row] for row in rows if row not in some]):
                yield some


def test_lies():
    for board, _ in tiers.part(boards(), 0):
        codes = [
            code
            for code in twins.codes(board.game)
            if sum(code not in consistent(board, [row]) for row in board.rows) <= 1
        ]
        assert mmsat.count(board, lies=1).count == len(codes)
        assert list(mmsat.codes(board, lies=1)) == codes
        assert mmsat.check(board, lies=1).is_consistent == bool(codes)


def test_suggestions_go_by_the_codes():
    for board, codes in boards():
        if codes:
            suggestion = mmsat.suggest(board, strategy="expected-size", seed=1)
            every = {}
            for guess in twins.codes(board.game):
                parts = {}
                for code in codes:
                    score = twins.score(board.game.scoring, code, guess)
                    parts[score] = parts.get(score, 0) + 1
                every[guess] = sum(size * size for size in parts.values())
            assert suggestion.codes.count == len(codes)
            assert every[suggestion.guess] == min(every.values())


def test_boards_read_back():
    for board, _ in boards():
        if not isinstance(board.game.space, Words):
            for printed in PRINTERS.values():
                assert Board.parse(printed(board)) == board


@pytest.mark.parametrize(
    "line",
    [
        "4x6/?1?2=2.0",
        "4x10d/??AB=2.1",
        "2x2x3/1A??=1.1.0",
        "30x30/1-?-3" + "-4" * 27 + "=1.1",
        "word/????=4.0/GATE=3.0",
    ],
)
def test_spellings(line):
    board = Board.parse(line)
    assert str(board) == line
    assert board.has_unread_pegs


def test_a_pair_is_read_whole_or_not_at_all():
    with pytest.raises(InputError):
        Board.parse("2x2x3/1?2A=1.1.0")


def test_words_that_cannot_have_been():
    with pytest.raises(InputError, match="not in the word list"):
        Board.parse("word/QQ??=1.0")
    assert find_game("word").space.table() is not None


def test_unreadable_scores_are_reported():
    board = Board.parse("12x12/ABCDEFGHIJK?=3.4")
    with pytest.raises(SizeError, match="131,072 codes"):
        mmsat.check(board)
    with pytest.raises(InputError, match="review needs complete guesses"):
        mmsat.review(Board.parse("4x6/112?=1.1"))
    assert run("encode", "4x6/112?=1.1", "--to", "asp").exit_code == 2
    assert run("count", "4x6/112?=1.1", "--lies", "1", "--by", "pegs").exit_code == 2
    assert "1 1 2 ?" in run("check", "4x6/112?=1.1").stdout


def test_a_shared_grid_of_the_daily_word():
    """Scores alone leave the words that can have got them."""
    board = Board.parse("daily-word/?????=GGGG-/?????=GGGGG")
    codes = set(mmsat.codes(board))
    table = board.game.space.table()
    for code in random.Random(2).sample(table, 40):
        near = any(
            twins.score(board.game.scoring, code, guess) == (2, 2, 2, 2, 0) for guess in table
        )
        assert (code in codes) == near
