"""Boards with unread pegs in guesses: results are those of trying all guesses, in every game."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product

import pytest

import mmsat
from mmsat.errors import InputError, SizeError
from mmsat.game import UNREAD, Row
from mmsat.game.board import PRINTERS, Board
from mmsat.game.game import Game
from mmsat.game.names import find_game
from mmsat.game.scoring import SCORINGS
from mmsat.game.words import Words
from tests.support import tiers, twins
from tests.support.cli_runner import run
from tests.support.random_boards import random_board, scorings_of, spaces_of

NUM_BOARDS = 150


def consistent(board, rows=None):
    """Return the codes that give the score of each row to a possible guess; all rows by default."""
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
    """Return boards of every kind with unread pegs, each with its codes."""
    rng = random.Random(8)
    results = []
    while len(results) < tiers.share(NUM_BOARDS, least=30):
        board = random_board(rng, pegs=3, colors=3, rows=3)
        rows = []
        for guess, score in board.rows:
            unread_share = rng.choice([0, 0.4, 1])
            hidden = tuple(UNREAD if rng.random() < unread_share else color for color in guess)
            rows.append(Row(hidden, score))
        is_possible = all(
            twins.possible_guesses(board.game, row.guess) or UNREAD not in row.guess for row in rows
        )
        if is_possible and any(UNREAD in row.guess for row in rows):
            unread_board = Board(board.game, tuple(rows))
            results.append((unread_board, consistent(unread_board)))
    return results


def test_the_boards_have_every_kind_of_game_and_both_verdicts():
    all_boards = [board for board, _ in boards()]
    if tiers.TIER != "quick":
        assert len(scorings_of(all_boards)) == 7
        assert len(spaces_of(all_boards)) == 3
    assert len({bool(codes) for _, codes in boards()}) == 2


@pytest.mark.parametrize("engine", ["auto", "brute", "cp", "sat"])
def test_engines_decide_boards_with_unread_pegs(engine):
    for board, codes in tiers.part(boards(), len(engine)):
        verdict = mmsat.check(board, engine=engine)
        assert verdict.is_consistent == bool(codes)
        assert verdict.witness is None or verdict.witness in codes


def test_counts_lists_and_odds_of_boards_with_unread_pegs():
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


def test_all_minimal_conflicts_and_cheapest_corrections_are_found():
    for board, codes in boards():
        if codes:
            continue
        rows = range(len(board.rows))
        refuted = [
            set(subset)
            for size in range(len(board.rows) + 1)
            for subset in combinations(rows, size)
            if not consistent(board, [board.rows[row] for row in subset])
        ]
        minimal = {
            tuple(sorted(subset))
            for subset in refuted
            if not any(other < subset for other in refuted)
        }
        explanation = mmsat.explain(board)
        assert {conflict.rows for conflict in explanation.conflicts} == minimal
        min_cost = min(map(len, correction_sets(board)))
        assert all(entry.cost == min_cost for entry in explanation.corrections)
        assert explanation.corrections
        for correction in explanation.corrections:
            corrected = board.changed({change.row: change.after for change in correction.changes})
            assert correction.codes.count == len(consistent(corrected)) > 0


def correction_sets(board):
    """Yield the sets of rows without which the board has a code."""
    rows = range(len(board.rows))
    for size in range(len(board.rows) + 1):
        for removed in combinations(rows, size):
            if consistent(board, [board.rows[row] for row in rows if row not in removed]):
                yield removed


def test_one_lie_on_boards_with_unread_pegs():
    for board, _ in tiers.part(boards(), 0):
        codes = [
            code
            for code in twins.codes(board.game)
            if sum(code not in consistent(board, [row]) for row in board.rows) <= 1
        ]
        assert mmsat.count(board, lies=1).count == len(codes)
        assert list(mmsat.codes(board, lies=1)) == codes
        assert mmsat.check(board, lies=1).is_consistent == bool(codes)


def test_suggestions_minimize_the_expected_number_of_codes():
    for board, codes in boards():
        if codes:
            suggestion = mmsat.suggest(board, strategy="expected-size", seed=1)
            cost_by_guess = {}
            for guess in twins.codes(board.game):
                parts = {}
                for code in codes:
                    score = twins.score(board.game.scoring, code, guess)
                    parts[score] = parts.get(score, 0) + 1
                cost_by_guess[guess] = sum(size * size for size in parts.values())
            assert suggestion.codes.count == len(codes)
            assert cost_by_guess[suggestion.guess] == min(cost_by_guess.values())


def test_notations_keep_unread_pegs():
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
def test_unread_pegs_in_board_lines(line):
    board = Board.parse(line)
    assert str(board) == line
    assert board.has_unread_pegs


def test_a_color_of_two_symbols_cannot_be_half_read():
    with pytest.raises(InputError):
        Board.parse("2x2x3/1?2A=1.1.0")


def test_guesses_that_match_no_word_are_refused():
    with pytest.raises(InputError, match="not in the word list"):
        Board.parse("word/QQ??=1.0")
    assert find_game("word").space.table() is not None


def test_boards_with_unread_pegs_that_are_unsupported_are_reported():
    board = Board.parse("12x12/ABCDEFGHIJK?=3.4")
    with pytest.raises(SizeError, match="131,072 codes"):
        mmsat.check(board)
    with pytest.raises(InputError, match="review needs complete guesses"):
        mmsat.review(Board.parse("4x6/112?=1.1"))
    assert run("encode", "4x6/112?=1.1", "--to", "asp").exit_code == 2
    assert run("count", "4x6/112?=1.1", "--lies", "1", "--by", "pegs").exit_code == 2
    assert "1 1 2 ?" in run("check", "4x6/112?=1.1").stdout


def test_codes_of_a_shared_grid_can_give_all_its_scores():
    """In a shared grid, all guesses are unread."""
    board = Board.parse("daily-word/?????=GGGG-/?????=GGGGG")
    codes = set(mmsat.codes(board))
    for code in random.Random(2).sample(board.game.space.table(), 40):
        can_give_score = any(
            twins.score(board.game.scoring, code, (*code[:4], letter)) == (2, 2, 2, 2, 0)
            for letter in range(26)
        )
        assert (code in codes) == can_give_score


@lru_cache(maxsize=1)
def any_letters_game():
    """Return a game with a few words of three letters, whose guesses may be any letters."""
    words = Words(
        random.Random(3).sample(find_game("word-3").space.codes, 8), allows_any_guess=True
    )
    symbols = find_game("word-3").symbols
    return Game(3, 26, words, SCORINGS["places"], symbols, "game:any.toml")


@pytest.mark.parametrize("guess", ["???", "A??", "?A?", "?EE", "TT?"])
def test_unread_letters_are_any_letters_if_guesses_may_be_any(guess):
    game = any_letters_game()
    colors = tuple(UNREAD if letter == "?" else ord(letter) - ord("A") for letter in guess)
    possible_guesses = twins.possible_guesses(game, colors)
    assert len(possible_guesses) == 26 ** guess.count("?")
    codes_by_score = {}
    for code in game.codes():
        for score in {twins.score(game.scoring, code, entry) for entry in possible_guesses}:
            codes_by_score.setdefault(score, []).append(code)
    for score in product(range(3), repeat=3):
        board = Board(game, [(colors, score)])
        expected_codes = codes_by_score.get(score, [])
        assert list(mmsat.codes(board)) == expected_codes
        assert mmsat.check(board).is_consistent == bool(expected_codes)


@pytest.mark.parametrize("row", ["RNACE=YYGYG", "CAENR=GYYGY", "QQQQQ=-----", "XLATE=-GGGG"])
def test_hiding_letters_of_a_guess_removes_no_code(row):
    """A row with a hidden guess states less, also if the guess is not in the word list."""
    guess, marks = row.split("=")
    codes = set(mmsat.codes(f"daily-word/{row}"))
    assert codes
    for hidden in ("?????", f"?{guess[1:]}", f"{guess[:2]}??{guess[4]}"):
        assert codes <= set(mmsat.codes(f"daily-word/{hidden}={marks}"))
