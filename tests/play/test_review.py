"""Reviews follow the definitions, and the laws of skill and luck, on boards of every kind."""

from __future__ import annotations

import operator
import random
from fractions import Fraction
from functools import cache
from itertools import islice
from math import log2

import pytest

import mmsat
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.play import review as review_module
from mmsat.play.review_result import (
    BEST_PLAY,
    EXPECTED_CODES,
    amount,
    percent,
    review_sentences,
)
from mmsat.render import plain
from mmsat.render.board import Style
from mmsat.render.reports.games import review_lines
from tests.support import tiers, twins
from tests.support.random_boards import known_boards, random_guess, scorings_of, spaces_of

CASES = 150


def boards():
    """Yield small consistent boards of every kind, their codes, and a next guess."""
    rng = random.Random(5)
    for board, codes in known_boards(tiers.share(CASES, least=12), seed=21, pegs=3, colors=3):
        if codes:
            yield board, codes, random_guess(rng, board.game)


def hide_unread(score, recorded):
    """Return a score without the parts that are unread in a recorded score."""
    pairs = zip(score, recorded, strict=True)
    return tuple(None if other is None else part for part, other in pairs)


def last_move(board, guess, score):
    """Return the review of one more guess."""
    return mmsat.review(Board(board.game, (*board.rows, Row(guess, score))), seed=1).moves[-1]


@cache
def least_total(board_game, codes):
    """Return the minimum total number of guesses for some codes, by trying every guess."""
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


def remaining_cost(game, by, guess, score, codes):
    """Return the measure of the remaining game after a score, by definition."""
    if by == EXPECTED_CODES:
        return Fraction(len(codes))
    is_won = score == game.score(guess, guess)
    return 1 + (Fraction(0) if is_won else Fraction(least_total(game, codes), len(codes)))


def check_luck_shares(moves_by_code):
    """Compare the shares of equal and of less luck with those of the codes, also in words."""
    for move in moves_by_code:
        fractions = [
            Fraction(sum(is_counted(other.luck, move.luck) for other in moves_by_code))
            / len(moves_by_code)
            for is_counted in (operator.lt, operator.eq)
        ]
        less, equal = fractions
        assert (move.luckier, move.equally_lucky) == (less + equal / 2, equal)
        if len(moves_by_code) > 1:
            measure = {
                BEST_PLAY: "average number of guesses still needed",
                EXPECTED_CODES: "number of remaining codes",
            }[move.by]
            assert move.sentence.endswith(
                f" Ranked by the {measure}, {percent(less)} of the {len(moves_by_code):,} codes "
                f"have a less lucky score and {percent(equal)} an equally lucky one."
            )


def test_luck_is_zero_on_average():
    """Over all remaining codes, for complete scores and for scores with unread parts."""
    seen, measures = [], set()
    for number, (board, codes, guess) in enumerate(boards()):
        full = [twins.score(board.game.scoring, code, guess) for code in codes]
        partial = [0 if (number + part) % 3 else None for part in range(len(full[0]))]
        for recorded in ([0] * len(full[0]), partial):
            visible_scores = [hide_unread(score, recorded) for score in full]
            moves = {score: last_move(board, guess, score) for score in {*visible_scores}}
            moves_by_code = [moves[score] for score in visible_scores]
            assert sum(move.luck for move in moves_by_code) == 0
            assert sum(move.luckier for move in moves_by_code) == Fraction(len(codes), 2)
            check_luck_shares(moves_by_code)
            surplus = sum(move.bits - move.expected_bits for move in moves_by_code)
            assert surplus == pytest.approx(0, abs=1e-9)
            measures |= {move.by for move in moves_by_code}
        seen.append(board)
    assert measures == {BEST_PLAY, EXPECTED_CODES}
    if tiers.TIER != "quick":
        assert len(scorings_of(seen)) == 7
        assert len(spaces_of(seen)) == 3


def test_the_values_of_a_move_follow_their_definitions():
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
                sums = [
                    len(p) * remaining_cost(board.game, move.by, other, s, p)
                    for s, p in entry.items()
                ]
                cost[other] = sum(sums, Fraction(0)) / len(codes)
            assert move.cost == cost[guess]
            assert move.best_cost == min(cost.values()) == cost[move.best]
            assert move.loss >= 0
            assert 0 < move.skill <= 1
            assert (move.loss == 0) == (move.skill == 1) == (move.best == guess)
            assert move.luck == move.cost - remaining_cost(board.game, move.by, guess, score, part)
            assert move.bits == pytest.approx(log2(len(codes) / len(part)))
            check_information(board.game, codes, move)
            assert move.sentence


def check_information(game, codes, move):
    """The most informative guess is known if it may be another guess than the best one by codes."""
    if move.by == BEST_PLAY or not move.loss:
        assert (move.informative, move.most_bits) == (None, None)
        return

    def bits(guess):
        sizes = map(len, split(game, codes, guess).values())
        return sum(size / len(codes) * log2(len(codes) / size) for size in sizes)

    most = max(map(bits, {move.row.guess, *twins.codes(game)}))
    assert move.most_bits == pytest.approx(most, abs=1e-9) == bits(move.informative)
    is_most = bits(move.row.guess) == pytest.approx(most, abs=1e-9)
    assert is_most == (move.informative == move.row.guess)


@pytest.mark.parametrize("name", ["daily-word", "4x10", "3x20d"])
def test_the_guess_of_suggest_gives_the_most_information_in_a_review(name):
    game = mmsat.Game.parse(name)
    guess, code = islice(game.codes(), 0, game.size - 1, game.size // 2)
    board = Board(game, (Row(guess, game.score(code, guess)),))
    suggestion = mmsat.suggest(board, strategy="entropy")
    assert suggestion.criterion == "the most information, in bits"
    assert f"Chosen by the strategy entropy: {suggestion.criterion}." in str(suggestion)
    second = suggestion.guess
    (_, move) = mmsat.review(board.with_row(second, game.score(code, second))).moves
    assert move.by == BEST_PLAY or not move.loss or move.informative == second


def test_a_review_with_weights_states_what_a_cost_in_codes_is():
    """With weights, the cost is not the expected number of codes."""
    weights = mmsat.Weights.of_colors("4x6", (1, 1, 1, 1, 1, 2))
    sentence = "expected number of codes that remain"
    assert sentence in " ".join(review_sentences(mmsat.review("4x6/1122=1.1", hard=True)))
    weighted = mmsat.review("4x6/1122=1.1", weights=weights)
    text = " ".join(review_sentences(weighted))
    assert sentence not in text
    assert "number of codes times the expected fraction of the weight that remains" in text


def test_a_game_with_one_measure_has_one_unit():
    by_codes = mmsat.review("daily-word/CRANE=-Y---")
    (move,) = by_codes.moves
    assert move.by == EXPECTED_CODES
    text = str(by_codes)
    assert f"{move.expected_bits / move.most_bits:.1%} of the best" in text
    kind, comparison = ("Good", "fewer") if move.luck > 0 else ("Bad", "more")
    assert f"{kind} luck: {amount(abs(move.luck))} codes {comparison} than expected." in text
    by_guesses = str(mmsat.review("4x6/1122=1.1/1345=0.2"))
    assert "guesses more than expected" in by_guesses
    assert "codes lost" not in by_guesses


@pytest.mark.parametrize("line", ["wordle/CRANE=-----/MOIST=-----", "6x9/112233=1.1/445566=2.1"])
def test_the_table_of_a_review_fits_80_columns(line):
    review = mmsat.review(line, size=1000)
    lines = [*map(plain, review_lines(review, Style(width=80, wrap=80), in_full=False))]
    assert lines[1].split()[-2:] == ["luck", "luckier"]
    assert max(map(len, lines)) <= 80


def test_a_game_with_two_measures_has_a_table_and_sentences_for_each():
    review = mmsat.review("bulls-and-cows/1234=1.1/1567=1.2/1843=2.0")
    assert review.measure is None
    first_table, _, second_part = str(review).partition("\n\n")
    second_table, _, summary = second_part.partition("\nSkill ")
    for table, unit, rows in ((first_table, "codes", "1"), (second_table, "guesses", "23")):
        title, heads, *lines = table.split("\n")
        assert title == f"Costs and luck in {unit}:"
        assert heads.split()[0] == "row"
        assert [line.split()[0] for line in lines] == [*rows]
    first, *others = review.moves
    luck = sum(move.luck for move in others)
    assert f"in row 1: {amount(abs(first.luck))} codes fewer than expected." in summary
    assert f"in rows 2 and 3: {amount(luck)} guesses fewer than expected." in summary
    loss = sum(move.loss for move in others)
    assert f"0.00 codes lost in row 1 and {amount(loss)} guesses lost in rows 2 and 3" in summary
    assert "bits" not in summary


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
def test_guesses_equal_those_of_best_play_plus_losses_minus_luck(name):
    """The equation is exact in every won game. Best play has no loss."""
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


def test_large_games_are_judged_by_drawn_codes():
    """Costs are scaled to the number of all codes."""
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
def test_all_searches_for_a_guess_share_a_budget(monkeypatch, share, by, searches):
    """If each search uses a third of the budget, the fourth one exceeds it."""
    searched, real = [], review_module.search_subtree

    def search(state, max_sets):
        searched.append(state)
        return real(state, max_sets=max_sets)[0], share and max_sets // share

    monkeypatch.setattr(review_module, "search_subtree", search)
    review = mmsat.review("4x6/1122=1.1/1345=0.2")
    assert [move.by for move in review.moves] == [by, by]
    assert len(searched) == 2 * searches
