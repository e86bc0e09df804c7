"""Refutations are right: each sum is recomputed in plain Python, on thousands of small boards."""

from __future__ import annotations

import json
from itertools import product

import pytest

import mmsat
from mmsat.constraints import is_linear_board
from mmsat.diagnosis import Conflict
from mmsat.diagnosis.mus import prove_conflict
from mmsat.diagnosis.sentences import conflict_sentence, explanation_sentences, verdict_sentences
from mmsat.game import library
from mmsat.game.board import Board
from mmsat.game.refutation import (
    MAX_PROOF_ROWS,
    Combination,
    Refutation,
    add_up,
    black,
    legend,
    proof_sentence,
)
from mmsat.solving.refutation import refute
from tests.support import twins
from tests.support.random_boards import inconsistent_boards, known_boards
from tests.support.refutations import TWO, is_right, scores_like
from tests.support.tiers import at_least, share


def two_color_boards(boards):
    return [board for board in boards if board.game.colors == 2]


@pytest.mark.parametrize("thorough", [False, True])
def test_every_refutation_is_right(thorough):
    boards = two_color_boards(inconsistent_boards(share(4000, least=800), seed=61, **TWO))
    results = [(board, refute(board, thorough=thorough)) for board in boards]
    refuted = [(board, item) for board, item in results if item is not None]
    linear_boards = [board for board in boards if is_linear_board(board)]
    assert len(refuted) > 0.9 * len(linear_boards) > at_least(400)
    for board, refutation in refuted:
        assert is_right(board, refutation), (str(board), refutation)
        assert refutation.rows
        assert twins.consistent(board.only(refutation.rows)) == []
    assert {
        combination.modulus is None
        for _, refutation in refuted
        for combination in refutation.combinations
    } == {
        True,
        False,
    }


@pytest.mark.parametrize("name", ["vertex-cover-3", "permanent-4", "consistent-mastermind-9"])
def test_linear_programming_refutes_what_elimination_does_not(name):
    """The total of the sum is outside the range that its left side can have."""
    board = library.find(f"reductions/{name}-inconsistent").board
    assert refute(board) is None
    (combination,) = refute(board, thorough=True).combinations
    coefficients, total = add_up(board, combination)
    assert combination.modulus is None
    assert not (
        sum(number for number in coefficients.values() if number < 0)
        <= total
        <= sum(number for number in coefficients.values() if number > 0)
    )


def test_consistent_boards_and_other_games_have_no_refutation():
    for board, codes in known_boards(share(3000), seed=62):
        if codes or not is_linear_board(board):
            assert refute(board, thorough=True) is None


def test_the_refutation_of_a_conflict_uses_all_its_rows():
    """Conflicts are minimal, so a proof that does not use a row would be wrong."""
    num_refuted = 0
    for board in two_color_boards(inconsistent_boards(share(1500), seed=63, **TWO)):
        for rows in twins.minimal_conflicts(board):
            conflict = prove_conflict(board, frozenset(rows))
            assert conflict == Conflict(rows)
            if conflict.refutation is not None:
                num_refuted += 1
                assert conflict.refutation.rows == rows
                assert is_right(board, conflict.refutation)
    assert num_refuted > at_least(300)


def test_the_recomputed_sum_shows_the_contradiction_in_words():
    """The sum is recomputed without the algebra."""
    for board in two_color_boards(inconsistent_boards(share(1500), seed=64, **TWO)):
        refutation = refute(board, thorough=True)
        for combination in refutation.combinations if refutation else ():
            coefficients, total = add_up(board, combination)
            if combination.modulus:
                assert all(number % combination.modulus == 0 for number in coefficients.values())
                assert total % combination.modulus
                assert (
                    f"but {combination.modulus} divides the left side and not {total}."
                    in (proof_sentence(board, refutation, full=True))
                    or not coefficients
                )
            else:
                maximum = sum(number for number in coefficients.values() if number > 0)
                minimum = sum(number for number in coefficients.values() if number < 0)
                assert not minimum <= total <= maximum


def test_unread_black_follows_from_white():
    for board in two_color_boards(inconsistent_boards(share(1500), seed=65, **TWO)):
        if board.game.scoring.name != "black-white" or not board.game.space.has_repeats:
            continue
        for row, (guess, score) in enumerate(board.rows):
            if score[0] is not None or score[1] is None:
                continue
            for code in product(range(2), repeat=board.game.pegs):
                if scores_like(board, row, code):
                    expected = twins.cross_out(code, guess)[0]
                    assert black(board, row, sum(code)) == expected


def test_black_does_not_follow_without_white():
    with pytest.raises(ValueError, match="the black of row 1 is not determined"):
        black(Board.parse("2x2/12=?.?"), 0, 1)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            "6x2b/112211=4/112212=4",
            (
                "Proof: Row 1 less row 2: minus twice peg 6 make -1,"
                " but 2 divides the left side and not -1."
            ),
        ),
        (
            "4x2b/1122=4/1112=4",
            ("Proof: Row 1 less row 2: twice peg 3 make 1, but 2 divides the left side and not 1."),
        ),
    ],
)
def test_proofs_in_words(line, words):
    board = Board.parse(line)
    result = mmsat.explain(board).conflicts[0]
    assert proof_sentence(board, result.refutation) == words


def test_a_proof_and_a_legend_follow_the_conflict():
    board = Board.parse("6x2b/112211=4/112212=4")
    verdict, explanation = mmsat.check(board), mmsat.explain(board)
    (conflict,) = explanation.conflicts
    proof = [legend(board), proof_sentence(board, conflict.refutation)]
    for text in explanation_sentences(explanation), verdict_sentences(verdict, proof=True):
        index = text.index(conflict_sentence(board, conflict))
        assert text[index + 1 : index + 3] == proof
    assert not {*proof} & {*verdict_sentences(verdict)}
    assert verdict.conflict.refutation == conflict.refutation


def test_a_row_with_an_impossible_score_has_no_proof():
    text = explanation_sentences(mmsat.explain(Board.parse("2x2b/11=5")))
    assert not any(sentence.startswith("Proof") for sentence in text)


def test_a_long_proof_is_only_printed_in_full():
    board = library.find("reductions/one-in-three-3sat-30-inconsistent").board
    refutation = refute(board)
    assert len(refutation.rows) > MAX_PROOF_ROWS
    row_count = len(refutation.rows)
    assert proof_sentence(board, refutation) == (
        f"Proof: {row_count} rows add up to a contradiction (-v prints the sum)."
    )
    full = proof_sentence(board, refutation, full=True)
    assert full.endswith(".")
    assert "4 divides the left side and not" in full


def test_refutations_as_json():
    result = Refutation((0, 2), (Combination(3, ((1, 2), (2, -1)), -1, 4),))
    assert result.rows == (0, 1, 2)
    assert json.loads(json.dumps(result.to_dict())) == {
        "weighing": [1, 3],
        "combinations": [
            {
                "weight": 3,
                "rows": [{"row": 2, "times": 2}, {"row": 3, "times": -1}],
                "times_weight": -1,
                "modulus": 4,
            }
        ],
    }
    renumbered = result.renumber([4, 6, 9])
    assert renumbered == Refutation((4, 9), (Combination(3, ((6, 2), (9, -1)), -1, 4),))
    document = mmsat.check(Board.parse("6x2b/112211=4/112212=4")).to_dict()
    assert document["refutation"]["combinations"][0]["modulus"] == 2
