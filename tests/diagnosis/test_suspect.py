"""Hypotheses, and the guess that tells them apart, compared with a trial of every code."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest

import mmsat
from mmsat.diagnosis import corrections
from mmsat.diagnosis import suspect as suspect_module
from mmsat.diagnosis.corrections import codes_by_repair, rescore_all
from mmsat.diagnosis.suspect import suspect
from mmsat.errors import InputError
from mmsat.game.board import Board
from mmsat.game.scoring import SCORINGS
from mmsat.game.words import Words
from mmsat.limits import LIMITS
from mmsat.render.reports.verdicts import (
    discriminating_guess_sentences,
    hypothesis_rows,
    reply_rows,
    suspicion_sentences,
)
from tests.support import twins
from tests.support.cli_runner import run
from tests.support.random_boards import random_board
from tests.support.suspects import by_definition, changes_of, check_discriminating_guess
from tests.support.tiers import at_least, share


def boards_with_suspects(count, seed):
    rng = random.Random(seed)
    while count:
        board = random_board(rng, 3, 3, 3)
        if board.rows:
            count -= 1
            yield (
                board,
                rng.sample(range(len(board.rows)), min(len(board.rows), rng.choice([1, 2]))),
            )


def test_hypotheses_are_complete_and_the_guess_is_best():
    num_guesses = num_exact = 0
    for board, suspects in boards_with_suspects(share(120, least=30), 101):
        result = mmsat.suspect(board, suspects, limit=10_000)
        expected = by_definition(board, suspects)
        assert result.all_hypotheses
        assert {
            changes_of(hypothesis): hypothesis.codes.count for hypothesis in result.hypotheses
        } == {key: len(codes) for key, codes in expected.items()}
        costs = [hypothesis.cost for hypothesis in result.hypotheses]
        assert costs == sorted(costs)
        assert (costs[:1] == [0]) == bool(twins.consistent(board))
        if result.discriminating_guess is not None:
            num_guesses += 1
            num_exact += not result.discriminating_guess.is_sampled
            check_discriminating_guess(board, result, expected)
    assert num_guesses > at_least(40)
    assert num_exact > at_least(30)


def test_the_best_guess_may_be_outside_the_word_list():
    rng = random.Random(104)
    num_outside = 0
    while num_outside < 3:
        board = random_board(rng, 4, 4, 3)
        if (
            isinstance(board.game.space, Words)
            and board.game.space.allows_any_guess
            and len(board.rows) > 1
        ):
            suspects = mmsat.suspect(board, [0, 1], limit=10_000)
            if suspects.discriminating_guess is not None:
                check_discriminating_guess(board, suspects, by_definition(board, [0, 1]))
                assert not suspects.discriminating_guess.is_sampled
                num_outside += not board.game.contains(suspects.discriminating_guess.guess)


@pytest.mark.parametrize("line", ["3x5dw/114=1/333=0/333=0", "3x5d/123=1.0/412=0.2", "2x6db/12=1"])
def test_all_codes_without_repeats_are_compared(line):
    """The best guess may be a code that no hypothesis allows (board 25791 of the campaign)."""
    board = Board.parse(line)
    suspects = mmsat.suspect(board, [0])
    check_discriminating_guess(board, suspects, by_definition(board, [0]))
    assert not suspects.discriminating_guess.is_sampled


def test_hypotheses_without_brute_force_are_the_same(monkeypatch):
    monkeypatch.setattr(LIMITS, "repair_slices", 0)
    assert codes_by_repair(Board.parse("4x6/1122=1.1"), (0,)) is None
    for board, suspects in boards_with_suspects(12, 102):
        result = suspect(board, suspects)
        expected = by_definition(board, suspects)
        assert result.all_hypotheses
        assert {
            changes_of(hypothesis): hypothesis.codes.count for hypothesis in result.hypotheses
        } == {key: len(codes) for key, codes in expected.items()}
        for reply in result.discriminating_guess.replies if result.discriminating_guess else ():
            assert all(codes is None for _, codes in reply.remaining)


def test_scores_computed_by_numpy_are_those_computed_one_by_one(monkeypatch):
    kinds = set()
    for board, suspects in boards_with_suspects(share(150, least=50), 103):
        codes = list(twins.codes(board.game))
        one_by_one = rescore_all(board, suspects[0], codes)
        guess = board.rows[suspects[0]].guess
        few = codes[: suspect_module.MIN_ARRAY_CODES - 1]
        expected = suspect_module.scorer(board.game, few)(guess)
        with monkeypatch.context() as patch:
            patch.setattr(corrections, "MIN_ARRAY_CODES", 1)
            patch.setattr(suspect_module, "MIN_ARRAY_CODES", 1)
            assert rescore_all(board, suspects[0], codes) == one_by_one
            assert suspect_module.scorer(board.game, few)(guess) == expected
        kinds.add(board.game.scoring.name)
    assert kinds == {*SCORINGS}


def test_a_limit_cuts_the_list_and_is_reported():
    board = Board.parse("4x6/1122=1.1/3345=0.2")
    suspects = mmsat.suspect(board, [0, 1], limit=5)
    assert len(suspects.hypotheses) == 5
    assert not suspects.all_hypotheses
    assert suspects.hypotheses == mmsat.suspect(board, [1, 0]).hypotheses[:5]
    assert "There may be more: the search ended before all were found." in suspicion_sentences(
        suspects
    )


def test_the_same_seed_gives_the_same_guess():
    board = Board.parse("5x8/11223=1.1/33456=0.2/12345=2.1/76543=0.3")
    one, other = (mmsat.suspect(board, [0, 2], seed=4).discriminating_guess for _ in range(2))
    assert one == other
    assert one.is_sampled


def test_a_board_may_stay_inconsistent_whatever_the_suspects_scored():
    board = Board.parse("4x6/1122=3.1/3345=0.2")
    suspects = mmsat.suspect(board, [1])
    assert (suspects.hypotheses, suspects.discriminating_guess, suspects.all_hypotheses) == (
        (),
        None,
        True,
    )
    assert suspicion_sentences(suspects) == ["Whatever row 2 scored, row 1 can't be right."]
    board = Board.parse("4x6/1122=1.1/1122=0.2/3456=0.2/1111=1.0")
    suspects = mmsat.suspect(board, [3, 2])
    assert suspicion_sentences(suspects) == [
        "Whatever rows 3 and 4 scored, the other rows can't all be right."
    ]


def test_suspicions_in_words():
    board = Board.parse("4x6/1122=1.1/3345=0.2")
    suspects = mmsat.suspect(board, [0])
    rows = hypothesis_rows(suspects)
    assert rows[0] == ("1", "36", "as recorded")
    assert rows[1] == ("2", "54", "row 1 was 1.0 (repeated colors were counted twice)")
    assert rows[2] == ("3", "54", "row 1 was 0.1 (one black too many)")
    assert rows[3] == ("4", "18", "row 1 was 0.2 (a white was taken for a black)")
    (text,) = discriminating_guess_sentences(suspects)
    guess = "".join(str(color + 1) for color in suspects.discriminating_guess.guess)
    assert text == (
        f"Guess {guess}: its score identifies the right case for certain (87% without this guess)."
    )
    (incomplete,) = discriminating_guess_sentences(replace(suspects, all_hypotheses=False))
    assert "with >99% probability, if it is among these (87%" in incomplete
    best = replace(
        suspects.discriminating_guess,
        chance=Fraction(24, 25),
        can_win=True,
        is_sampled=True,
        before=Fraction(2, 3),
    )
    (sampled,) = discriminating_guess_sentences(replace(suspects, discriminating_guess=best))
    assert "with 96% probability (67% without this guess)." in sampled
    assert "may itself be the code" in sampled
    assert "the best of a sample" in sampled
    assert len(reply_rows(suspects)) == len(suspects.discriminating_guess.replies)
    larger = mmsat.suspect(board, [0, 1])
    assert suspicion_sentences(larger, 12)[0] == f"And {len(larger.hypotheses) - 12} more."
    assert "more" in reply_rows(larger)[0][1]


@pytest.mark.parametrize(
    ("rows", "fault_count"), [([5, -1], 2), ([], 1), (["1"], 1), ([True], 1), ([0, 2], 1)]
)
def test_all_invalid_rows_are_reported(rows, fault_count):
    with pytest.raises(InputError) as caught:
        mmsat.suspect(Board.parse("4x6/1122=1.1/3345=0.2"), rows)
    assert len(caught.value.faults) == fault_count


def test_errors_number_rows_like_the_caller():
    """From 0 in Python, from 1 on the command line."""
    with pytest.raises(InputError, match="the suspects: expected a row from 0 to 1, found 2"):
        mmsat.suspect("4x6/1122=1.1/3345=0.2", [2])
    output = run("explain", "4x6/1122=1.1/3345=0.2", "--suspect", "3").stderr
    assert "the suspects: expected a row from 1 to 2, found 3" in output


def test_a_time_limit_leaves_hypotheses_incomplete():
    board = Board.parse("4x6/1122=1.1/3345=0.2")
    suspects = mmsat.suspect(board, [0], timeout=1e-9)
    assert (suspects.hypotheses, suspects.all_hypotheses) == ((), False)


def test_large_boards_have_hypotheses_too():
    rng = random.Random(5)
    secret = [rng.randrange(6) for _ in range(12)]
    rows = []
    for _ in range(6):
        guess = [rng.randrange(6) for _ in range(12)]
        black, white = twins.cross_out(secret, guess)
        rows.append("".join(str(c + 1) for c in guess) + f"={black}.{white}")
    board = Board.parse("12x6/" + "/".join(rows))
    suspects = mmsat.suspect(board, [2], limit=6, seed=1)
    assert len(suspects.hypotheses) == 6
    assert suspects.discriminating_guess is not None
    for hypothesis in suspects.hypotheses:
        changed = board.changed({c.row: c.after for c in hypothesis.changes})
        assert hypothesis.codes.exact
        assert mmsat.count(changed).count == hypothesis.codes.count
