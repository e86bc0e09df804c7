"""Refutations: every one is added up again in plain Python, on thousands of small boards."""

from __future__ import annotations

import json
from itertools import product

import pytest

import mmsat
from mmsat import library
from mmsat.board import Board
from mmsat.constraints.algebra.games import suits
from mmsat.diagnosis.refutation_sentences import (
    MAX_PROOF_ROWS,
    add_up,
    black,
    legend,
    proof_sentence,
)
from mmsat.diagnosis.sentences import conflict_sentence, explanation_sentences, verdict_sentences
from mmsat.results.verdict import Combination, Conflict, Refutation
from mmsat.solving.refutation import prove_conflict, refute
from tests import twins
from tests.laws.random_boards import inconsistent_boards, known_boards
from tests.tiers import at_least, share

TWO = {"pegs": 6, "colors": 2, "rows": 6}


def two_colors(boards):
    return [board for board in boards if board.game.colors == 2]


def scores_like(board, row, code):
    """Whether a code gets a row's score, as far as that was read."""
    true = twins.score(board.game.scoring, code, board.rows[row].guess)
    pairs = zip(board.rows[row].score, true, strict=True)
    return all(read is None or read == part for read, part in pairs)


def weigh(board):
    """The codes of the game by their pegs of the second color."""
    codes = {}
    for code in twins.codes(board.game):
        codes.setdefault(sum(code), []).append(code)
    return codes


def is_right(board, found):
    """Whether a refutation holds, by counting pegs and nothing else."""
    by_weight = weigh(board)
    left = [each.weight for each in found.combinations]
    if left != [None]:
        for weight, codes in by_weight.items():
            if weight not in left:
                alone = [
                    not any(scores_like(board, row, code) for code in codes)
                    for row in found.weighing
                ]
                if not any(alone):
                    return False
    return all(adds_up(board, each, by_weight) for each in found.combinations)


def adds_up(board, combination, by_weight):
    """Whether the rows say what is added up of every code that gets their score; and the sum."""
    pegs = board.game.pegs
    left, total = [combination.times_weight] * pegs, 0
    if combination.weight is None:
        codes = [code for some in by_weight.values() for code in some]
    else:
        codes = by_weight.get(combination.weight, [])
        total = combination.times_weight * combination.weight
    for row, times in combination.rows:
        guess, score = board.rows[row]
        signs = [1 if color == 1 else -1 for color in guess]
        sums = {
            sum(sign for sign, color in zip(signs, code, strict=True) if color == 1)
            for code in codes
            if scores_like(board, row, code)
        }
        made = score[0] - guess.count(0) if score[0] is not None else sum(sums)
        assert sums <= {made}
        left = [number + times * sign for number, sign in zip(left, signs, strict=True)]
        total += times * made
    if combination.modulus is not None:
        divides = all(number % combination.modulus == 0 for number in left)
        return divides and total % combination.modulus != 0
    reached = {0}
    for number in left:
        reached |= {one + number for one in reached}
    return not min(reached) <= total <= max(reached)


@pytest.mark.parametrize("thorough", [False, True])
def test_every_refutation_adds_up(thorough):
    boards = two_colors(inconsistent_boards(share(4000, least=800), seed=61, **TWO))
    found = [(board, refute(board, thorough=thorough)) for board in boards]
    refuted = [(board, each) for board, each in found if each is not None]
    linear = [board for board in boards if suits(board)]
    assert len(refuted) > 0.9 * len(linear) > at_least(400)
    for board, each in refuted:
        assert is_right(board, each), (str(board), each)
        assert each.rows
        assert twins.consistent(board.only(each.rows)) == []
    assert {each.modulus is None for _, one in refuted for each in one.combinations} == {
        True,
        False,
    }


@pytest.mark.parametrize("name", ["vertex-cover-3", "permanent-4", "consistent-mastermind-9"])
def test_linear_programming_refutes_more(name):
    """Where a total is out of reach by a sum that no elimination makes."""
    board = library.find(f"reductions/{name}-inconsistent").board
    assert refute(board) is None
    (combination,) = refute(board, thorough=True).combinations
    left, total = add_up(board, combination)
    assert combination.modulus is None
    assert not (
        sum(number for number in left.values() if number < 0)
        <= total
        <= sum(number for number in left.values() if number > 0)
    )


def test_boards_with_a_code_and_other_games_have_none():
    for board, codes in known_boards(share(3000), seed=62):
        if codes or not suits(board):
            assert refute(board, thorough=True) is None


def test_the_refutation_of_a_conflict_takes_all_its_rows():
    """They are minimal, so a proof that went without one would be wrong."""
    seen = 0
    for board in two_colors(inconsistent_boards(share(1500), seed=63, **TWO)):
        for rows in twins.minimal_conflicts(board):
            conflict = prove_conflict(board, frozenset(rows))
            assert conflict == Conflict(rows)
            if conflict.refutation is not None:
                seen += 1
                assert conflict.refutation.rows == rows
                assert is_right(board, conflict.refutation)
    assert seen > at_least(300)


def test_a_sum_in_words_is_the_sum():
    """What is printed is computed apart from the algebra, and shows the same contradiction."""
    for board in two_colors(inconsistent_boards(share(1500), seed=64, **TWO)):
        found = refute(board, thorough=True)
        for each in found.combinations if found else ():
            left, total = add_up(board, each)
            if each.modulus:
                assert all(number % each.modulus == 0 for number in left.values())
                assert total % each.modulus
                assert (
                    f"but {each.modulus} divides the left side and not {total}."
                    in (proof_sentence(board, found, full=True))
                    or not left
                )
            else:
                most = sum(number for number in left.values() if number > 0)
                least = sum(number for number in left.values() if number < 0)
                assert not least <= total <= most


def test_unread_black_follows_from_white():
    for board in two_colors(inconsistent_boards(share(1500), seed=65, **TWO)):
        if board.game.scoring.name != "black-white" or not board.game.space.has_repeats:
            continue
        for row, (guess, score) in enumerate(board.rows):
            if score[0] is not None or score[1] is None:
                continue
            for code in product(range(2), repeat=board.game.pegs):
                if scores_like(board, row, code):
                    expected = twins.cross_out(code, guess)[0]
                    assert black(board, row, sum(code)) == expected


def test_a_row_without_black_and_white_says_nothing_of_its_black():
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
    found = mmsat.explain(board).conflicts[0]
    assert proof_sentence(board, found.refutation) == words


def test_proofs_are_told_where_there_are_any():
    board = Board.parse("6x2b/112211=4/112212=4")
    verdict, explanation = mmsat.check(board), mmsat.explain(board)
    (conflict,) = explanation.conflicts
    proof = [legend(board), proof_sentence(board, conflict.refutation)]
    for said in explanation_sentences(explanation), verdict_sentences(verdict, proof=True):
        place = said.index(conflict_sentence(board, conflict))
        assert said[place + 1 : place + 3] == proof
    assert not {*proof} & {*verdict_sentences(verdict)}
    assert verdict.conflict.refutation == conflict.refutation


def test_a_row_that_is_wrong_for_any_guess_needs_no_proof():
    said = explanation_sentences(mmsat.explain(Board.parse("2x2b/11=5")))
    assert not any(sentence.startswith("Proof") for sentence in said)


def test_a_long_proof_is_announced_and_told_in_full_on_demand():
    board = library.find("reductions/one-in-three-3sat-30-inconsistent").board
    found = refute(board)
    assert len(found.rows) > MAX_PROOF_ROWS
    row_count = len(found.rows)
    assert proof_sentence(board, found) == (
        f"Proof: {row_count} rows add up to a contradiction (-v prints the sum)."
    )
    full = proof_sentence(board, found, full=True)
    assert full.endswith(".")
    assert "4 divides the left side and not" in full


def test_refutations_as_json():
    found = Refutation((0, 2), (Combination(3, ((1, 2), (2, -1)), -1, 4),))
    assert found.rows == (0, 1, 2)
    assert json.loads(json.dumps(found.to_dict())) == {
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
    moved = found.renumber([4, 6, 9])
    assert moved == Refutation((4, 9), (Combination(3, ((6, 2), (9, -1)), -1, 4),))
    document = mmsat.check(Board.parse("6x2b/112211=4/112212=4")).to_dict()
    assert document["refutation"]["combinations"][0]["modulus"] == 2
