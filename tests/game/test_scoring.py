"""Scores, their constraints on the code, and impossible scores."""

from __future__ import annotations

import random
from itertools import combinations_with_replacement, permutations, product

import pytest

from mmsat.errors import InputError, Place
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.game.scoring import SCORINGS, Pairs
from mmsat.game.space import VariableMap
from tests.support import tiers, twins

SIZES = [(pegs, colors) for pegs in range(1, 5) for colors in range(1, 5)]
TINY = [(pegs, colors) for pegs, colors in SIZES if colors**pegs <= 81]
MAX_SAMPLES = tiers.share(300)
"""The maximum number of guesses with scores that are tested for one size."""
PAIR_SCORINGS = [
    type(kind)(n) for kind in SCORINGS.values() if isinstance(kind, Pairs) for n in (1, 2, 3)
]
ALL_SCORINGS = [
    *(kind for kind in SCORINGS.values() if not isinstance(kind, Pairs)),
    *PAIR_SCORINGS,
]
"""Every kind of scoring; pairs with 1 to 3 shapes."""
PEGS_ALIKE = ("black-white", "black", "color", "order", "pairs")
"""The kinds of scoring that do not depend on the order of the pegs."""
EXACT_FLAWS = ("black-white", "black", "color", "order", "places")
"""The kinds of scoring whose `flaw` recognizes every impossible score."""


def scoring_id(scoring):
    return f"{scoring.name}-{scoring.shapes}" if isinstance(scoring, Pairs) else scoring.name


kinds = pytest.mark.parametrize("scoring", ALL_SCORINGS, ids=scoring_id)


def fitting_sizes(scoring, sizes):
    return [size for size in sizes if scoring.unfit(*size) is None]


def sequences(pegs, colors):
    return list(product(range(colors), repeat=pegs))


def code_guess_pairs(pegs, colors):
    """Return pairs of a code and a guess: all pairs of a small size, a sample of a larger size."""
    pairs = list(product(sequences(pegs, colors), repeat=2))
    return random.Random(4).sample(pairs, min(len(pairs), tiers.share(len(pairs), least=400)))


def all_scores(scoring, pegs):
    """Return scores of numbers up to pegs + 1, also with unread parts and impossible totals."""
    parts = scoring.parts(pegs)
    return list(product([None, *range(min(pegs + 1, scoring.highest) + 1)], repeat=len(parts)))


def sample(items, seed=1):
    """Return all items, or `MAX_SAMPLES` of them at random."""
    items = list(items)
    return items if len(items) <= MAX_SAMPLES else random.Random(seed).sample(items, MAX_SAMPLES)


def agrees_where_read(score, true):
    """Return whether the parts of a score that were read equal those of the true score."""
    return all(part is None or part == number for part, number in zip(score, true, strict=True))


def test_the_two_twins_of_shared_colors_agree():
    for pegs, colors in TINY:
        for code, guess in code_guess_pairs(pegs, colors):
            assert sum(twins.cross_out(code, guess)) == twins.best_arrangement(code, guess)


@kinds
def test_every_code_scores_every_guess_as_the_twin_does(scoring):
    sizes = fitting_sizes(scoring, [*SIZES, (2, 6), (3, 6)])
    assert sizes
    for pegs, colors in sizes:
        for code, guess in code_guess_pairs(pegs, colors):
            assert scoring.score(code, guess) == twins.score(scoring, code, guess)


def test_the_published_example_of_duplicates():
    white, black = 0, 1
    code, guess = (white, white, black, black), (white, white, white, black)
    assert SCORINGS["black-white"].score(code, guess) == (3, 0)


@pytest.mark.parametrize(
    ("line", "code", "scores"),
    [
        ("5x26p", "ABBEY", "BABES YYGG- OPENS --Y-- ABBEY GGGGG EERIE Y---- KEBAB -YGYY"),
        ("5x26p", "CRANE", "EERIE --Y-G RADAR YY--- CRANE GGGGG"),
        ("5x26p", "LEVEL", "HELLO -GYY- LEVEL GGGGG"),
        ("3x26o", "MOM", "ABC LLL MOM RRR ZOO ERE"),
        ("4x5x5", "1A1B2C3D", "1A1B2C3D 4.0.0 2A1C3C4D 0.0.4 1B1A2C3D 2.2.2 4E4E4E4E 0.0.0"),
        ("4x5x5", "1A2B3C4D", "2B1C5E1A 0.2.0"),
        ("4x5x5k", "1A1B2C3D", "1A1B2C3D 4.0.0 2A1C3C4D 0.0.4 1B1A2C3D 2.2.0"),
        ("3x5x5", "1A1B5E", "1B1B1B 1.0.1"),
        ("3x5x5k", "1A1B5E", "1B2B1B 0.1.1"),
        ("3x5x5", "1A1B5E", "1B2B1B 0.1.2"),
    ],
)
def test_scores_computed_by_hand(line, code, scores):
    game = Game.parse(line)
    spell = speller(game)
    texts = scores.split()
    for guess, printed in zip(texts[::2], texts[1::2], strict=True):
        faults = []
        numbers = spell.read_score(printed, Place(1, 1), faults)
        codes = [spell.read_code(text, Place(1, 1), faults) for text in (code, guess)]
        assert faults == []
        assert game.score(*codes) == twins.score(game.scoring, *codes) == numbers


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
def test_swapping_code_and_guess_preserves_the_counts(scoring):
    """Earlier and later are swapped. In `pairs-one-key`, the number of blue key pegs may change."""
    for pegs, colors in fitting_sizes(scoring, [(3, 4), (3, 3)]):
        for code, guess in code_guess_pairs(pegs, colors):
            score, swapped = scoring.score(code, guess), scoring.score(guess, code)
            if scoring.name == "order":
                assert swapped == tuple({0: 1, 1: 0, 2: 2}[mark] for mark in score)
            elif scoring.name == "places":
                assert sorted(swapped) == sorted(score)
            elif scoring.name == "pairs-one-key":
                assert swapped[:2] == score[:2]
            else:
                assert swapped == score


def renamings(scoring, colors):
    """Return the renamings of colors that do not change scores."""
    if scoring.are_colors_alike:
        return permutations(range(colors))
    if not isinstance(scoring, Pairs):
        return [range(colors)]
    shapes = scoring.shapes
    return [
        [
            new_colors[color // shapes] * shapes + new_shapes[color % shapes]
            for color in range(colors)
        ]
        for new_colors in permutations(range(colors // shapes))
        for new_shapes in permutations(range(shapes))
    ]


@kinds
def test_renaming_colors_changes_no_score(scoring):
    for pegs, colors in fitting_sizes(scoring, [(3, 3), (2, 4)]):
        for code, guess in code_guess_pairs(pegs, colors):
            score = scoring.score(code, guess)
            for names in renamings(scoring, colors):
                renamed = [tuple(names[color] for color in entry) for entry in (code, guess)]
                assert scoring.score(*renamed) == score


@pytest.mark.parametrize(
    "scoring", [kind for kind in ALL_SCORINGS if kind.name in PEGS_ALIKE], ids=scoring_id
)
def test_permuting_pegs_keeps_the_score_and_permutes_its_marks(scoring):
    for pegs, colors in fitting_sizes(scoring, [(3, 3), (3, 2)]):
        for code, guess in code_guess_pairs(pegs, colors):
            score = scoring.score(code, guess)
            for order in permutations(range(pegs)):
                moved = [tuple(entry[peg] for peg in order) for entry in (code, guess)]
                expected = tuple(score[peg] for peg in order) if scoring.marks else score
                assert scoring.score(*moved) == expected


@pytest.mark.parametrize(
    "scoring", [kind for kind in PAIR_SCORINGS if kind.shapes == 1], ids=scoring_id
)
def test_pairs_of_one_shape_are_colors(scoring):
    """If all shapes are equal, each peg that is not black shares only the shape."""
    for code, guess in code_guess_pairs(3, 3):
        black, white = twins.cross_out(code, guess)
        blue = 3 - black - (white if scoring.name == "pairs-one-key" else 0)
        assert scoring.score(code, guess) == (black, white, blue)


@kinds
def test_exactly_the_codes_that_agree_satisfy_the_constraints_of_a_score(scoring):
    for pegs, colors in fitting_sizes(scoring, [*TINY, (2, 6)]):
        variables = VariableMap(pegs, colors)
        codes = sequences(pegs, colors)
        for guess, score in sample(product(codes, all_scores(scoring, pegs))):
            constraints = list(scoring.constraints(variables, guess, score))
            for constraint in constraints:
                assert len(set(constraint.literals)) == len(constraint.literals)
                assert_valid_literals(variables, constraint)
            for code in codes:
                is_satisfied = all(
                    variables.satisfies(code, constraint) for constraint in constraints
                )
                agrees = twins.agrees(scoring, code, guess, score)
                assert is_satisfied == scoring.agrees(code, guess, score) == agrees


def assert_valid_literals(variables, constraint):
    """Assert that each literal is a literal of the game, or a conjunction of distinct ones."""
    max_literal = 2 * variables.pegs * variables.colors
    for literal in constraint.literals:
        members = literal if isinstance(literal, tuple) else (literal,)
        assert len(set(map(abs, members))) == len(members) > 0
        assert all(type(member) is int and 1 <= abs(member) <= max_literal for member in members)


@pytest.mark.parametrize(
    "scoring", [kind for kind in ALL_SCORINGS if not kind.unfit(4, 4)], ids=scoring_id
)
def test_the_constraints_on_4x4_hold_for_each_pattern_of_equal_pegs(scoring):
    """On 4x4, most constraints depend only on the equalities among the pegs of a guess."""
    variables = VariableMap(4, 4)
    codes = sequences(4, 4)
    guesses = [
        *combinations_with_replacement(range(4), 4),
        (0, 1, 0, 2),
        (3, 0, 3, 0),
        (2, 2, 0, 2),
    ]
    true = {guess: {code: twins.score(scoring, code, guess) for code in codes} for guess in guesses}
    for guess, score in random.Random(2).sample(
        list(product(guesses, all_scores(scoring, 4))), tiers.share(100)
    ):
        constraints = list(scoring.constraints(variables, guess, score))
        for code in codes:
            is_satisfied = all(variables.satisfies(code, constraint) for constraint in constraints)
            assert is_satisfied == agrees_where_read(score, true[guess][code])


@kinds
def test_the_constraints_on_many_pegs_hold_for_exactly_the_codes_that_agree(scoring):
    """A code and a second code are tested, which agrees if it gives the guess the same score."""
    rng = random.Random(3)
    for _ in range(tiers.share(60)):
        pegs, colors = rng.randint(5, 9), 6
        variables = VariableMap(pegs, colors)
        code, other, guess = (tuple(rng.choices(range(colors), k=pegs)) for _ in range(3))
        score = scoring.score(code, guess)
        assert score == twins.score(scoring, code, guess)
        constraints = list(scoring.constraints(variables, guess, score))
        assert all(variables.satisfies(code, constraint) for constraint in constraints)
        has_same_score = scoring.score(other, guess) == score
        assert (
            all(variables.satisfies(other, constraint) for constraint in constraints)
            == has_same_score
        )


@kinds
@pytest.mark.parametrize("pegs", range(1, 4))
def test_only_impossible_scores_have_a_flaw(scoring, pegs):
    """With one more color than pegs, every possible score occurs."""
    colors = pegs + 1 if not isinstance(scoring, Pairs) else 2 * scoring.shapes
    codes = sequences(pegs, colors)
    possible = {twins.score(scoring, code, guess) for code, guess in product(codes, repeat=2)}
    for score in all_scores(scoring, pegs):
        is_possible = any(agrees_where_read(score, true) for true in possible)
        flaw = scoring.flaw(pegs, score)
        assert flaw is None or not is_possible, score
        if scoring.name in EXACT_FLAWS:
            assert (flaw is None) == is_possible, score


def test_key_peg_scores_of_four_pegs_have_a_flaw_exactly_if_they_are_impossible():
    for scoring in map(SCORINGS.__getitem__, ("black-white", "black", "color")):
        guesses = combinations_with_replacement(range(4), 4)
        pairs = product(sequences(4, 5), guesses)
        possible = {twins.score(scoring, code, guess) for code, guess in pairs}
        for score in all_scores(scoring, 4):
            is_possible = any(agrees_where_read(score, true) for true in possible)
            assert (scoring.flaw(4, score) is None) == is_possible, score


@kinds
def test_a_flaw_states_the_rule_in_words(scoring):
    flaws = {scoring.flaw(4, score) for score in all_scores(scoring, 4)} - {None}
    assert flaws or scoring.name == "order"  # every score of `order` is possible
    assert all(" " in flaw and not flaw.endswith(".") for flaw in flaws)


@kinds
def test_a_score_is_described_part_by_part(scoring):
    parts = scoring.parts(4)
    unread = scoring.describe([None] * len(parts))
    if scoring.marks:
        assert unread == "????"
        for mark in range(len(scoring.marks)):
            assert scoring.describe([mark, None]) == f"{scoring.marks[mark].symbol}?"
    else:
        assert unread == " ".join(f"? {part}" for part in parts)
        for count in (0, 1, 3):
            words = [f"{part}s" if part == "color" and count != 1 else part for part in parts]
            text = " ".join(f"{count} {word}" for word in words)
            assert scoring.describe([count] * len(parts)) == text


@kinds
def test_different_scores_have_different_json_and_unread_parts_are_null(scoring):
    scores = all_scores(scoring, 2)
    texts = [tuple(scoring.to_json(score)) for score in scores]
    assert len(set(texts)) == len(scores)
    for score, document in zip(scores, texts, strict=True):
        assert [part is None for part in document] == [part is None for part in score]


@kinds
def test_the_signs_of_marks_are_unambiguous(scoring):
    signs = [sign for mark in scoring.marks for sign in (mark.symbol + mark.also).lower()]
    assert len(set(signs)) == len(signs)
    assert not set(signs) & set("?=:/#., ")
    assert len({mark.name for mark in scoring.marks}) == len(scoring.marks)
    assert scoring.parts(5) == ("1", "2", "3", "4", "5") or not scoring.marks


def test_kinds_of_scoring_have_different_names_and_suffixes():
    assert [kind.name for kind in SCORINGS.values()] == list(SCORINGS)
    assert len({(kind.suffix, isinstance(kind, Pairs)) for kind in SCORINGS.values()}) == len(
        SCORINGS
    )
    for kind in SCORINGS.values():
        size = f"4x6{kind.suffix}" if not isinstance(kind, Pairs) else f"4x6x5{kind.suffix}"
        assert Game.parse(size).scoring == kind
        assert kind == type(kind)()
        assert hash(kind) == hash(type(kind)())
        assert all(kind != other for other in SCORINGS.values() if other is not kind)


@pytest.mark.parametrize("scoring", PAIR_SCORINGS, ids=scoring_id)
def test_pairs_with_other_shapes_are_different_scorings(scoring):
    assert [entry for entry in PAIR_SCORINGS if entry == scoring] == [scoring]
    game = Game(3, 2 * scoring.shapes, scoring=scoring)
    assert Game.parse(str(game)) == game
    assert scoring.factors(game.colors) == (2, scoring.shapes)
    for colors in range(1, 20):
        assert (scoring.unfit(3, colors) is None) == (colors % scoring.shapes == 0)
        if colors % scoring.shapes:
            with pytest.raises(InputError):
                Game(3, colors, scoring=scoring)
