"""Reviews: the laws of skill and luck, on boards of every kind, against the definitions."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from math import log2

import pytest

import mmsat
from mmsat.game.board import Board
from mmsat.game.row import Row
from mmsat.play import review as review_module
from mmsat.play.review_result import BEST_PLAY, EXPECTED_CODES
from tests.support import tiers, twins
from tests.support.random_boards import known_boards, random_guess, scorings_of, spaces_of

CASES = 150


def boards():
    """Small boards of every kind with a guess to come, which any code may answer."""
    source = random.Random(5)
    for board, codes in known_boards(tiers.share(CASES, least=12), seed=21, pegs=3, colors=3):
        if codes:
            yield board, codes, random_guess(source, board.game)


def shown(score, said):
    """Return a score without its unread components."""
    return tuple(None if read is None else part for part, read in zip(score, said, strict=True))


def last_move(board, guess, score):
    """The review of one more guess."""
    return mmsat.review(Board(board.game, (*board.rows, Row(guess, score))), seed=1).moves[-1]


@cache
def least_total(board_game, codes):
    """The least total of guesses for some codes, by trying every guess in every state."""
    if len(codes) == 1:
        return 1
    results = []
    for guess in twins.codes(board_game):
        parts = split(board_game, codes, guess)
        parts.pop(board_game.score(guess, guess), None)
        if len(codes) not in map(len, parts.values()):
            results.append(len(codes) + sum(least_total(board_game, p) for p in parts.values()))
    return min(results)


def split(game, codes, guess):
    parts = {}
    for code in codes:
        parts.setdefault(twins.score(game.scoring, code, guess), []).append(code)
    return {score: tuple(part) for score, part in parts.items()}


def worth(game, by, guess, score, codes):
    """Return the remaining work after a score by definition."""
    if by == EXPECTED_CODES:
        return Fraction(len(codes))
    won = score == game.score(guess, guess)
    return 1 + (Fraction(0) if won else Fraction(least_total(game, codes), len(codes)))


def test_luck_is_zero_on_average_whatever_was_read():
    """Over all codes that are left, luck adds up to nothing, and half of them are luckier."""
    seen, kinds = [], set()
    for number, (board, codes, guess) in enumerate(boards()):
        full = [twins.score(board.game.scoring, code, guess) for code in codes]
        read = [0 if (number + part) % 3 else None for part in range(len(full[0]))]
        for text in ([0] * len(full[0]), read):
            texts = [shown(score, text) for score in full]
            moves = {score: last_move(board, guess, score) for score in {*texts}}
            entry = [moves[score] for score in texts]
            assert sum(move.luck for move in entry) == 0
            assert sum(move.luckier for move in entry) == Fraction(len(codes), 2)
            beyond = sum(move.bits - move.expected_bits for move in entry)
            assert beyond == pytest.approx(0, abs=1e-9)
            kinds |= {move.by for move in entry}
        seen.append(board)
    assert kinds == {BEST_PLAY, EXPECTED_CODES}
    if tiers.TIER != "quick":
        assert len(scorings_of(seen)) == 7
        assert len(spaces_of(seen)) == 3


def test_figures_are_those_of_the_definition():
    for board, codes, guess in boards():
        parts = split(board.game, codes, guess)
        for score, part in parts.items():
            move = last_move(board, guess, score)
            assert (move.codes_before, move.codes_after) == (len(codes), len(part))
            assert move.is_exact
            assert move.is_possible == (guess in codes)
            cost = {}
            for other in (guess, *twins.codes(board.game)):
                entry = split(board.game, codes, other)
                sums = [len(p) * worth(board.game, move.by, other, s, p) for s, p in entry.items()]
                cost[other] = sum(sums, Fraction(0)) / len(codes)
            assert move.cost == cost[guess]
            assert move.least == min(cost.values()) == cost[move.best]
            assert move.loss >= 0
            assert 0 < move.skill <= 1
            assert (move.loss == 0) == (move.skill == 1) == (move.best == guess)
            assert move.luck == move.cost - worth(board.game, move.by, guess, score, part)
            assert move.bits == pytest.approx(log2(len(codes) / len(part)))
            assert move.sentence


@pytest.mark.parametrize(
    "name",
    [
        "3x3",
        "2x5",
        "3x4!",
        "3x3b",
        "2x4p",
        "2x2x3",
        pytest.param("4x6", marks=pytest.mark.slow),
        "3x4o",
    ],
)
def test_best_play_has_no_loss_and_guesses_equal_losses_minus_luck(name):
    """Guesses of a won game = guesses of best play + losses - luck, exactly."""
    game = mmsat.Game.parse(name)
    source = random.Random(name)
    codes = [*twins.codes(game)]
    for turn in range(tiers.share(6, least=2)):
        code, rows = source.choice(codes), []
        opening = source.choice(codes)  # then as the review of a try has it
        while not rows or rows[-1].guess != code:
            tried = source.choice(codes)
            if turn % 2:
                board = Board(game, (*rows, Row(tried, game.score(code, tried))))
                tried = mmsat.review(board).moves[-1].best
            guess = tried if rows or turn % 2 else opening
            rows.append(Row(guess, game.score(code, guess)))
            if len(rows) == 8 and guess != code:
                rows.append(Row(code, game.score(code, code)))
        review = mmsat.review(Board(game, tuple(rows)))
        assert review.is_won
        assert review.measure == BEST_PLAY
        start = Fraction(mmsat.optimal(game).total, len(codes))
        assert len(rows) == start + review.loss - review.luck
        if turn % 2 and len(rows) < 8:
            assert review.loss == 0
            assert review.skill == 1


def test_scores_that_contradict_each_other_end_the_review():
    review = mmsat.review(Board.parse("4x6/1122=1.1/1122=0.2/3456=1.1"))
    assert [move.codes_after for move in review.moves] == [208, 0]
    assert not review.is_consistent
    assert review.luck is None


def test_games_too_large_to_list():
    """Figures of drawn codes: the scale is that of all codes."""
    review = mmsat.review(Board.parse("12x8/112233445566=3.4/112233445566=3.4"), seed=1, size=2000)
    first, second = review.moves
    assert first.codes_before == 8**12
    assert first.codes_after == second.codes_before == second.codes_after
    assert not first.is_exact
    assert first.judged_by == 2000
    assert second.luck == 0
    assert second.cost == second.codes_before
    assert 0 < second.skill < 1


@pytest.mark.parametrize(("share", "by", "searches"), [(0, BEST_PLAY, 12), (3, EXPECTED_CODES, 4)])
def test_the_searches_for_a_guess_share_what_they_may_look_at(monkeypatch, share, by, searches):
    """However many scores it has: the third takes the last of it, and the next one too much."""
    looked, real = [], review_module.search_subtree

    def search(state, max_sets):
        looked.append(state)
        return real(state, max_sets=max_sets)[0], share and max_sets // share

    monkeypatch.setattr(review_module, "search_subtree", search)
    review = mmsat.review("4x6/1122=1.1/1345=0.2")
    assert [move.by for move in review.moves] == [by, by]
    assert len(looked) == 2 * searches
