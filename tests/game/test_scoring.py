"""Scores, what they claim of a code, and which of them nobody can ever get."""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations, product

import pytest

from mmsat.game.facts import Facts
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from tests import twins

SIZES = [(pegs, colors) for pegs in range(1, 5) for colors in range(1, 5)]
TINY = [(pegs, colors) for pegs, colors in SIZES if colors**pegs <= 81]
kinds = pytest.mark.parametrize("scoring", SCORINGS.values(), ids=SCORINGS)


def sequences(pegs, colors):
    return list(product(range(colors), repeat=pegs))


def every_score(scoring, pegs):
    """All scores up to one above the pegs a part, unread parts and impossible totals among them."""
    return product([None, *range(pegs + 2)], repeat=len(scoring.parts))


def test_the_two_twins_agree():
    for pegs, colors in TINY:
        for code, guess in product(sequences(pegs, colors), repeat=2):
            assert sum(twins.cross_out(code, guess)) == twins.best_arrangement(code, guess)


@kinds
@pytest.mark.parametrize(("pegs", "colors"), SIZES)
def test_every_code_scores_every_guess_as_the_twin_does(scoring, pegs, colors):
    for code, guess in product(sequences(pegs, colors), repeat=2):
        assert scoring.score(code, guess) == twins.score(scoring.name, code, guess)


def test_the_published_example_of_duplicates():
    white, black = 0, 1
    code, guess = (white, white, black, black), (white, white, white, black)
    assert SCORINGS["black-white"].score(code, guess) == (3, 0)


@pytest.mark.parametrize(
    ("guess", "sizes"),
    [
        ((0, 0, 0, 0), [1, 20, 150, 500, 625]),
        ((0, 0, 1, 1), [1, 1, 4, 16, 20, 32, 36, 96, 114, 208, 256, 256, 256]),
    ],
)
def test_the_published_partitions_of_the_first_guess(guess, sizes):
    score = SCORINGS["black-white"].score
    answers = [score(code, guess) for code in sequences(4, 6)]
    assert sorted(map(answers.count, set(answers))) == sizes


@kinds
def test_code_and_guess_may_change_places(scoring):
    for code, guess in product(sequences(3, 4), repeat=2):
        assert scoring.score(code, guess) == scoring.score(guess, code)


@kinds
def test_renaming_colors_and_moving_pegs_alike_changes_no_score(scoring):
    for code, guess in product(sequences(3, 3), repeat=2):
        score = scoring.score(code, guess)
        for order in permutations(range(3)):
            renamed = [tuple(order[color] for color in each) for each in (code, guess)]
            moved = [tuple(each[peg] for peg in order) for each in (code, guess)]
            assert scoring.score(*renamed) == scoring.score(*moved) == score


@kinds
@pytest.mark.parametrize(("pegs", "colors"), TINY)
def test_the_claims_of_a_score_are_true_of_exactly_the_codes_that_agree(scoring, pegs, colors):
    facts = Facts(pegs, colors)
    codes = sequences(pegs, colors)
    for guess, score in product(codes, every_score(scoring, pegs)):
        claims = list(scoring.claims(facts, guess, score))
        for claim in claims:
            assert len(set(claim.facts)) == len(claim.facts)
            assert all(1 <= abs(fact) <= 2 * pegs * colors for fact in claim.facts)
        for code in codes:
            said = all(facts.satisfies(code, claim) for claim in claims)
            agrees = twins.agrees(scoring.name, code, guess, score)
            assert said == scoring.agrees(code, guess, score) == agrees


@kinds
def test_the_claims_on_larger_guesses_hold_for_one_guess_of_each_shape(scoring):
    """On four pegs of four colors claims depend on the guess only by which pegs are alike."""
    facts = Facts(4, 4)
    codes = sequences(4, 4)
    for guess in [*combinations_with_replacement(range(4), 4), (0, 1, 0, 2), (3, 0, 3, 0)]:
        true = {code: twins.score(scoring.name, code, guess) for code in codes}
        for score in every_score(scoring, 4):
            claims = list(scoring.claims(facts, guess, score))
            for code in codes:
                said = all(facts.satisfies(code, claim) for claim in claims)
                read = zip(score, true[code], strict=True)
                assert said == all(part is None or part == number for part, number in read)


@kinds
@pytest.mark.parametrize("pegs", range(1, 5))
def test_a_score_has_a_flaw_exactly_when_no_code_and_guess_get_it(scoring, pegs):
    """One color more than pegs is enough; guesses differ only in which pegs are alike."""
    guesses = combinations_with_replacement(range(pegs), pegs)
    pairs = product(sequences(pegs, pegs + 1), guesses)
    possible = {twins.score(scoring.name, code, guess) for code, guess in pairs}
    for score in every_score(scoring, pegs):
        gets = any(
            all(part is None or part == number for part, number in zip(score, true, strict=True))
            for true in possible
        )
        assert (scoring.flaw(pegs, score) is None) == gets, score


@kinds
def test_a_flaw_tells_people_the_rule_in_words(scoring):
    flaws = {scoring.flaw(4, score) for score in every_score(scoring, 4)} - {None}
    assert flaws
    assert all(" " in flaw and not flaw.endswith(".") for flaw in flaws)


@kinds
def test_a_score_is_described_part_by_part(scoring):
    described = scoring.describe([None] * len(scoring.parts))
    assert described == " ".join(f"? {part}" for part in scoring.parts)


def test_kinds_are_told_apart_by_name_and_suffix():
    assert [kind.name for kind in SCORINGS.values()] == list(SCORINGS)
    assert len({kind.suffix for kind in SCORINGS.values()}) == len(SCORINGS)
    for kind in SCORINGS.values():
        assert Game.parse(f"4x6{kind.suffix}").scoring == kind
        assert kind == type(kind)()
        assert hash(kind) == hash(type(kind)())
        assert all(kind != other for other in SCORINGS.values() if other is not kind)
