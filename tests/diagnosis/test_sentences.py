"""The weights and words of slips, and the exact text of verdicts and explanations."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

import mmsat
from mmsat.counting import Count
from mmsat.diagnosis import Correction, Verdict
from mmsat.diagnosis.corrections import EXCHANGED_NUMBERS, WRONG_NAME, WRONG_NUMBER, slip
from mmsat.diagnosis.explanation import Change, Explanation
from mmsat.diagnosis.sentences import (
    MISTAKE_MODEL,
    Phrases,
    correction_sentence,
    explanation_sentences,
    remaining_codes,
    verdict_sentences,
)
from mmsat.game.board import Board, Status
from mmsat.game.game import Game

BLACK_WHITE, BLACK, COLOR = Game.parse("4x6"), Game.parse("4x6b"), Game.parse("4x6w")
PAIRS, PLACES, ORDER = Game.parse("4x5x5"), Game.parse("4x26p"), Game.parse("4x26o")


def exact_count(count):
    return Count(count, exact=True, method="brute", seconds=0.0)


@pytest.mark.parametrize(
    ("before", "after", "game", "weight", "words"),
    [
        ((1, 1), (2, 0), BLACK_WHITE, WRONG_NAME, "a black was taken for a white"),
        ((2, 0), (1, 1), BLACK_WHITE, WRONG_NAME, "a white was taken for a black"),
        ((1, 1), (1, 0), BLACK_WHITE, WRONG_NUMBER, "one white too many"),
        ((1, 1), (1, 2), BLACK_WHITE, WRONG_NUMBER, "one white too few"),
        ((2, 1), (1, 1), BLACK_WHITE, WRONG_NUMBER, "one black too many"),
        ((0, 1), (1, 1), BLACK_WHITE, WRONG_NUMBER, "one black too few"),
        ((3, 1), (1, 3), BLACK_WHITE, EXCHANGED_NUMBERS, "black and white were exchanged"),
        ((0, 2), (2, 0), BLACK_WHITE, EXCHANGED_NUMBERS, "black and white were exchanged"),
        ((0, 1), (1, 0), BLACK_WHITE, WRONG_NAME, "a black was taken for a white"),
        ((0, 0), (0, 2), BLACK_WHITE, WRONG_NUMBER // 32, ""),
        ((0, 0), (1, 1), BLACK_WHITE, WRONG_NUMBER // 32, ""),
        ((0, 0), (0, 4), BLACK_WHITE, WRONG_NUMBER // 32**3, ""),
        ((2,), (3,), BLACK, WRONG_NUMBER, "one black too few"),
        ((3,), (2,), BLACK, WRONG_NUMBER, "one black too many"),
        ((4,), (1,), BLACK, WRONG_NUMBER // 32**2, ""),
        ((2,), (1,), COLOR, WRONG_NUMBER, "one color too many"),
        ((1, None), (2, None), BLACK_WHITE, WRONG_NUMBER, "one black too few"),
        ((None, 3), (None, 1), BLACK_WHITE, WRONG_NUMBER // 32, ""),
        ((1, 0, 2), (1, 1, 1), PAIRS, WRONG_NAME, "a white was taken for a blue"),
        ((0, 0, 2), (0, 0, 1), PAIRS, WRONG_NUMBER, "one blue too many"),
        ((3, 0, 1), (1, 0, 3), PAIRS, EXCHANGED_NUMBERS, "black and blue were exchanged"),
        ((2, 1, 0), (1, 2, 1), PAIRS, WRONG_NUMBER // 32, ""),
        ((2, 0, 0, 1), (2, 0, 0, 0), PLACES, WRONG_NAME, "place 4 was absent, not elsewhere"),
        (
            (2, 0, 0, None),
            (1, 0, 0, None),
            PLACES,
            WRONG_NAME,
            "place 1 was elsewhere, not in place",
        ),
        ((2, 0, 1, 0), (1, 0, 2, 0), PLACES, WRONG_NUMBER // 32, ""),
        ((0, 2, 2, 2), (1, 2, 2, 2), ORDER, WRONG_NAME, "place 1 was later, not earlier"),
    ],
)
def test_weights_and_words_of_slips(before, after, game, weight, words):
    assert slip(before, after, game) == (words, weight)


def test_a_smaller_slip_has_a_higher_weight():
    """Each further wrong peg makes a slip less likely, unless the slip has a name."""
    scores = list(product(range(5), repeat=2))
    for before, after in product(scores, scores):
        if before != after:
            words, weight = slip(before, after, BLACK_WHITE)
            distance = BLACK_WHITE.scoring.distance(before, after)
            assert words or weight == WRONG_NUMBER // 32 ** (min(distance, 4) - 1)
            assert (distance == 1) <= (weight >= WRONG_NUMBER)
            assert not words or weight >= EXCHANGED_NUMBERS
            assert slip(after, before, BLACK_WHITE).weight == weight


@pytest.mark.parametrize(
    ("line", "sentences"),
    [
        ("4x6/1122=4.0", ["Consistent: the code 1122 gets exactly these scores."]),
        (
            "4x6/1122=3.1",
            [
                "Inconsistent: no code gets exactly these scores.",
                (
                    "Row 1 can't be right: 3 black 1 white, but with 3 of 4 pegs right in place,"
                    " the last has nowhere else to go."
                ),
                (
                    "If row 1 was 3 black 0 white instead of 3 black 1 white"
                    " (repeated colors were counted twice), 20 codes remain (probability 60%)."
                ),
                "12 other corrections are possible: see mmsat explain.",
            ],
        ),
        (
            "4x6b/1122=4/1123=4",
            [
                "Inconsistent: no code gets exactly these scores.",
                "Rows 1 and 2 are the most likely mistakes (50% each).",
                (
                    "If row 1 was 3 black instead of 4 black (one black too many), 1 code remains"
                    " (probability 50%)."
                ),
                "1 other correction is possible: see mmsat explain.",
                (
                    "Rows 1 and 2 can't both be right: row 1 says there is no color 3;"
                    " row 2 says that color 3 is in the code."
                ),
            ],
        ),
        (
            "1x3b/1=0/2=0/3=0",
            [
                "Inconsistent: no code gets exactly these scores.",
                "Rows 1, 2 and 3 are the most likely mistakes (33% each).",
                (
                    "If row 1 was 1 black instead of 0 black (one black too few), 1 code remains"
                    " (probability 33%)."
                ),
                "2 other corrections are possible: see mmsat explain.",
                (
                    "Rows 1, 2 and 3 can't all be right: row 1 says there is no color 1;"
                    " row 2 says there is no color 2; row 3 says there is no color 3."
                ),
            ],
        ),
    ],
)
def test_verdicts_in_words(line, sentences):
    assert verdict_sentences(mmsat.check(Board.parse(line), reason=60)) == sentences


def test_explanations_in_words():
    board = Board.parse("4x6b/1122=4/1123=4")
    explanation = mmsat.explain(board)
    sentences = explanation_sentences(explanation)
    assert sentences == [
        "Inconsistent: no code gets exactly these scores.",
        "Rows 1 and 2 are the most likely mistakes (50% each).",
        *(
            f"If row {row} was 3 black instead of 4 black (one black too many), 1 code remains"
            " (probability 50%)."
            for row in (1, 2)
        ),
        (
            "Rows 1 and 2 can't both be right: row 1 says there is no color 3;"
            " row 2 says that color 3 is in the code."
        ),
    ]
    assert explanation_sentences(explanation, full=True) == [*sentences, MISTAKE_MODEL]
    consistent = mmsat.explain(Board.parse("4x6/1122=4.0"))
    assert explanation_sentences(consistent) == ["Consistent: no correction is needed."]


def test_a_time_limit_is_reported():
    board = Board.parse("4x6")
    undecided = ["Undecided: the search ended before a verdict was found."]
    assert verdict_sentences(Verdict(board, Status.UNKNOWN, None, "sat", 1.0)) == undecided
    unknown = Explanation(
        board, Status.UNKNOWN, (), (), all_conflicts=False, all_corrections=False, seconds=1.0
    )
    assert explanation_sentences(unknown) == undecided


def test_long_lists_are_cut():
    board = Board.parse("4x6/" + "/".join(["1122=1.1"] * 6 + ["1122=0.2"] * 2))
    explanation = mmsat.explain(board)
    assert len(explanation.conflicts) == 12
    sentences = explanation_sentences(explanation)
    differently = "they score the same guess differently"
    assert sentences[1] == "Rows 7 and 8 must be the mistakes if only 2 scores are wrong."
    assert sentences[2].startswith("If row 7 was 1 black 1 white instead of 0 black 2 white")
    assert sentences[3] == f"Rows 1 and 7 can't both be right: {differently}."
    assert sentences[13:] == ["And 2 more conflicts; -v prints them all."]


def test_one_further_conflict_is_singular_and_incomplete_lists_are_reported():
    board = Board.parse("4x6/" + "/".join(["1122=1.1"] * 11 + ["1122=0.2"]))
    explanation = mmsat.explain(board)
    assert len(explanation.conflicts) == 11
    more = "And 1 more conflict; -v prints them all."
    assert more in explanation_sentences(explanation)
    limited = mmsat.explain(board, limit=11)
    assert not limited.all_conflicts or more in explanation_sentences(limited)
    incomplete = mmsat.explain(board, limit=2)
    assert (
        "There may be more conflicts: the search ended before all were found."
        in explanation_sentences(incomplete)
    )


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        (None, "the board is consistent"),
        (exact_count(1), "1 code remains"),
        (exact_count(2), "2 codes remain"),
        (exact_count(1234), "1,234 codes remain"),
        (Count(3, exact=False, method="auto", seconds=1.0), "at least 3 codes remain"),
    ],
)
def test_the_number_of_remaining_codes_in_words(codes, words):
    assert remaining_codes(codes) == words


@pytest.mark.parametrize(
    ("num_changed", "words"),
    [
        (4, "row 4 was 0 black ? white instead of 1 black ? white, 2 codes remain."),
        (5, "and 1 more row was different, 2 codes remain."),
        (7, "and 3 more rows were different, 2 codes remain."),
    ],
)
def test_long_corrections_are_cut(num_changed, words):
    board = Board.parse("4x6/" + "/".join(["1122=1.?"] * 7))
    scoring = board.game.scoring
    changes = tuple(Change(row, (1, None), (0, None), "", scoring) for row in range(num_changed))
    sentence = correction_sentence(board, Correction(changes, exact_count(2), 1))
    assert sentence.startswith("If row 1 was 0 black ? white instead of 1 black ? white, row 2 ")
    assert sentence.endswith(words)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("4x6w/1122=5", "5 colors, but there are only 4 pegs to score, and this scores 5."),
        ("1x3b/1=2", "2 black, but there is only 1 peg to score, and this scores 2."),
        ("1x3/1=0.1", "0 black 1 white, but a peg on its own has nowhere else to go."),
        ("1x2x2/1A=1.0.1", "1 blue, but only 1 place can be black or blue."),
        ("2x2x2k/1A2B=1.1.1", "but there are only 2 pegs to score, and this scores 3."),
    ],
)
def test_numbers_in_reasons_agree_with_their_nouns(line, words):
    explanation = mmsat.explain(Board.parse(line))
    (text,) = [
        sentence for sentence in explanation_sentences(explanation) if "can't be right" in sentence
    ]
    assert text.endswith(words)


def test_large_numbers_of_pegs_have_separators():
    board = Board.parse("2000x2")
    literal = board.game.variables.least(0, 1500)
    assert Phrases(board).literals([literal]) == "color 1 has at least 1,500 pegs"


def test_the_unit_of_the_color_scoring_has_a_plural():
    board = Board.parse("4x6w/1122=3/3344=2/1234=4")
    text = explanation_sentences(mmsat.explain(board))
    assert text[1] == "Row 1 must be the mistake if only one score is wrong."
    assert text[2] == (
        "If row 1 was 2 colors instead of 3 colors (one color too many), 24 codes remain."
    )
    assert board.game.scoring.describe((1,)) == "1 color"
    assert board.game.scoring.describe((None,)) == "? color"


def test_bounds_of_a_number_of_codes_are_plural_and_a_vague_probability_is_omitted():
    """Only exactly one code "remains", and there is no "about <1%"."""
    assert remaining_codes(Count(1, True, "", 0.0)) == "1 code remains"
    assert remaining_codes(Count(1, False, "", 0.0)) == "at least 1 codes remain"
    board = Board.parse("4x6/1122=1.1")
    for most, chance, end in (
        (50, Fraction(1, 1000), "at most 50 codes remain (probability <1%)."),
        (50, Fraction(1, 2), "at most 50 codes remain (probability about 50%)."),
        (75_557, Fraction(1, 2), "at most 75,557 codes remain."),
    ):
        bounds = Count(1, False, "", 0.0, most=most)
        correction = Correction((Change(0, (1, 1), (0, 1), "", board.game.scoring),), bounds, 1)
        assert correction_sentence(board, correction, chance, is_exact=False).endswith(end)
