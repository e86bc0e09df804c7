"""Suggestions: their evaluations follow the definition, in every game."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from time import sleep

import pytest

import mmsat
from mmsat.errors import InconsistentError, InputError
from mmsat.game.names import PUBLISHED_GAMES
from mmsat.strategy.answers import uncertainty
from mmsat.strategy.candidates import best_guesses, draw_pool, evaluate_guesses
from mmsat.strategy.strategies import STRATEGIES
from mmsat.strategy.strategies.consistent import RandomConsistent
from mmsat.strategy.strategy import State
from mmsat.strategy.suggest import SCORE_BASED, suggestion_sentences
from tests.support import tiers, twins
from tests.support.cli_runner import run
from tests.support.hard_mode import uses
from tests.support.random_boards import known_boards


def part_sizes(board, codes, guess):
    """Return the sizes of the parts into which a guess divides codes, in descending order."""
    num_codes = {}
    for code in codes:
        score = twins.score(board.game.scoring, code, guess)
        num_codes[score] = num_codes.get(score, 0) + 1
    return sorted(num_codes.values(), reverse=True)


def test_evaluations_follow_the_definition():
    for board, codes in known_boards(tiers.share(80), seed=12):
        if not codes:
            with pytest.raises(InconsistentError):
                mmsat.suggest(board, seed=1)
            continue
        suggestion = mmsat.suggest(board, strategy="sampled", seed=1)
        assert suggestion.is_exact
        assert suggestion.codes.count == len(codes)
        for entry in (suggestion.best, *suggestion.others):
            expected = part_sizes(board, codes, entry.guess)
            assert list(entry.sizes) == expected
            assert entry.expected == Fraction(sum(size * size for size in expected), len(codes))
            assert entry.worst == expected[0]
            assert entry.scores == len(expected)
            assert entry.is_possible == (entry.guess in codes)
            assert entry.chance == (Fraction(1, len(codes)) if entry.guess in codes else 0)
        guesses = [item.guess for item in (suggestion.best, *suggestion.others)]
        assert len(set(guesses)) == len(guesses)
        assert suggestion_sentences(suggestion)


def test_the_first_guess_of_knuth_has_the_published_evaluation():
    """Knuth 1977: of 1296 codes, 1122 leaves at most 256, and has 13 different scores."""
    suggestion = mmsat.suggest(mmsat.Board.parse("4x6"), strategy="knuth")
    assert suggestion.guess == (0, 0, 1, 1)
    assert (suggestion.best.worst, suggestion.best.scores, suggestion.codes.count) == (
        256,
        13,
        1296,
    )
    assert suggestion.best.chance == Fraction(1, 1296)
    assert "256 at worst" in " ".join(suggestion_sentences(suggestion))


@pytest.mark.parametrize("name", ["first-consistent", "most-parts", "sampled", "any-consistent"])
def test_suggestions_name_their_strategy(name):
    board = mmsat.Board.parse("4x6/1122=1.1/3345=0.2")
    assert name in STRATEGIES
    suggestion = mmsat.suggest(board, strategy=name, consistent_only=True, seed=1)
    assert suggestion.strategy == name
    assert board.is_consistent(suggestion.guess)


LONG = {"lingo", "daily-word", "jotto", "secret-search-5", "secret-search-6"}
"""Games whose first guess takes seconds."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name in LONG else ())
        for name in PUBLISHED_GAMES
    ],
)
def test_every_published_game_has_a_first_guess(name):
    board = mmsat.Board(PUBLISHED_GAMES[name].game)
    suggestion = mmsat.suggest(board, strategy="sampled", seed=1, others=1)
    assert board.game.space.allows(suggestion.guess)
    assert suggestion.codes.count == board.game.size


def test_guesses_in_large_games_are_evaluated_on_a_sample():
    suggestion = mmsat.suggest(mmsat.Board.parse("10x10/AABBCCDDEE=2.4"), seed=1, size=500)
    assert not suggestion.is_exact
    assert suggestion.best.judged_by == 500
    assert suggestion.codes.exact
    assert suggestion.codes.count > 10_000
    text = " ".join(suggestion_sentences(suggestion))
    assert "judged by 500 codes" in text
    assert "about" in text
    assert f"with at least {suggestion.best.scores} different scores" in text


def test_own_guesses_are_evaluated_beside_the_suggestion():
    result = run("suggest", "4x6/1122=1.1", "--guess", "1234,6666")
    assert "Your guess 1234: it leaves 28.6 codes on average, 44 at worst" in result.stdout
    assert "Your guess 6666: it leaves 97.7 codes on average, 120 at worst" in result.stdout
    document = json.loads(run("suggest", "4x6/1122=1.1", "--guess", "1234", "--json").stdout)
    assert [prospect["guess"] for prospect in document["own"]] == [[1, 2, 3, 4]]
    assert run("suggest", "4x6/1122=1.1", "--guess", "123").exit_code == 2
    assert run("suggest", "4x6/1122=1.1", "4x6/1122=0.2", "--guess", "1234").exit_code == 2


def test_sentences_begin_with_a_capital_letter():
    """Also the number of codes if it is a lower bound."""
    suggestion = mmsat.suggest("4x6/1122=1.1/3345=0.2")
    suggestion = replace(suggestion, codes=mmsat.Count(36, False, "walk", 0.0))
    assert suggestion_sentences(suggestion)[0] == "At least 36 codes remain."


def test_the_last_code_is_suggested():
    board = mmsat.Board.parse("4x6/1111=0.0/2222=0.0/3344=2.2/3434=2.2/3355=1.1/4565=1.0")
    (code,) = twins.consistent(board)
    suggestion = mmsat.suggest(board)
    assert suggestion.guess == code
    assert suggestion.best.chance == 1
    assert "it is the code" in suggestion_sentences(suggestion)[-1]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("4x6/1233=1.1/1122=4.0", "1122"),
        ("4x6/1122=4.0/1234=1.1", "1122"),
        ("4x10d/ABCD=4.0", "ABCD"),
        ("daily-word/CRANE=GGGGG", "CRANE"),
        ("1x2/2=1.0", "2"),
    ],
)
def test_a_solved_board_is_reported_as_solved(line, code):
    suggestion = mmsat.suggest(line)
    assert suggestion_sentences(suggestion) == [f"The board is solved: {code} is the code."]
    assert mmsat.codes(line).format(suggestion.guess) == code


def test_a_code_that_was_not_guessed_does_not_solve_a_board():
    for line in ("1x2/1=0.0", "3x2/111=2.0/121=1.2"):
        assert "solved" not in " ".join(suggestion_sentences(mmsat.suggest(line)))


def test_an_unknown_strategy_is_refused_with_a_list_of_names():
    with pytest.raises(InputError, match="most-parts"):
        mmsat.suggest(mmsat.Board.parse("4x6"), strategy="clever")


@pytest.mark.parametrize("by", ["rows", "pegs"])
@pytest.mark.parametrize("lies", [1, 2])
def test_evaluations_take_lies_into_account(lies, by):
    """Guesses are evaluated against all codes within the tolerance; future scores are true."""
    for board, _ in known_boards(tiers.share(12), seed=5):
        codes = twins.within(board, lies, by)
        if not codes:
            with pytest.raises(InconsistentError):
                mmsat.suggest(board, lies=lies, by=by, seed=1)
            continue
        for strategy in ("auto", "sampled", "first-consistent"):
            suggestion = mmsat.suggest(board, strategy=strategy, lies=lies, by=by, seed=1)
            assert suggestion.is_exact
            assert suggestion.codes.count == len(codes)
            for entry in (suggestion.best, *suggestion.others):
                assert list(entry.sizes) == part_sizes(board, codes, entry.guess)
                assert entry.is_possible == (entry.guess in codes)
                assert entry.chance == (Fraction(1, len(codes)) if entry.is_possible else 0)
            if strategy == "first-consistent":
                assert suggestion.best.is_possible


@pytest.mark.parametrize("by", ["rows", "pegs"])
def test_suggestions_support_lies_in_games_too_large_to_list(by):
    board = mmsat.Board.parse("8x12/AABBCCDD=2.1/EEFFGGHH=1.2")
    suggestion = mmsat.suggest(board, lies=1, by=by, consistent_only=True, seed=1, size=500)
    assert suggestion.codes.count == mmsat.count(board, lies=1, by=by).count
    assert len(twins.wrong_rows(board, suggestion.guess)) <= 1
    assert not suggestion.is_exact
    assert "within 1" in " ".join(suggestion_sentences(suggestion))


def test_strategies_support_lies_or_refuse_them():
    board = mmsat.Board.parse("4x6/1122=1.1/1122=0.2/3456=0.2")
    codes = twins.within(board, 1, "rows")
    for name, kind in STRATEGIES.items():
        if name in SCORE_BASED:
            with pytest.raises(InputError, match="does not support lies and unread guesses"):
                mmsat.suggest(board, strategy=name, lies=1, seed=1)
            continue
        suggestion = mmsat.suggest(board, strategy=name, lies=1, seed=1)
        assert suggestion.codes.count == len(codes)
        assert suggestion.guess in codes or not kind.is_consistent


def test_the_suggestion_in_hard_mode_is_the_best_allowed_guess():
    num_restricted = 0
    for board, codes in known_boards(tiers.share(100, least=12), seed=20, pegs=3, colors=3):
        if not codes or board.has_unread_pegs:
            continue
        suggestion = mmsat.suggest(board, hard=True, seed=1)
        all_codes = [*twins.codes(board.game)]
        allowed = [
            code for code in all_codes if all(uses(board.game, row, code) for row in board.rows)
        ]
        suggested = [entry.guess for entry in (suggestion.best, *suggestion.others)]
        assert {*suggested} <= {*allowed}
        if board.rows and len(codes) > 1:
            minimum = min(uncertainty(part_sizes(board, codes, guess)) for guess in allowed)
            assert uncertainty(suggestion.best.sizes) == minimum
        num_restricted += len(codes) < len(allowed) < len(all_codes)
    assert num_restricted
    with pytest.raises(InputError, match="hard mode"):
        mmsat.suggest("3x3/123=1.0", hard=True, lies=1)


class Slow(RandomConsistent):
    """A strategy that does not finish."""

    def guess(self, state):
        sleep(1000)
        return super().guess(state)


class SlowProof(RandomConsistent):
    """A strategy that quickly chooses a guess, and does not finish the proof of its average."""

    def promise(self, state):
        sleep(1000)
        return super().promise(state)


@pytest.mark.parametrize("options", [{}, {"hard": True}, {"consistent_only": True}, {"lies": 1}])
def test_the_best_guess_so_far_is_returned_at_the_time_limit(options):
    board = mmsat.Board.parse("4x6/1122=1.1/1345=0.2")
    codes = twins.within(board, options.get("lies", 0), "rows")
    for strategy, name in ((Slow, "estimate"), (SlowProof, SlowProof.name)):
        if strategy is SlowProof and options.get("hard"):
            continue  # hard mode promises nothing
        suggestion = mmsat.suggest(board, strategy=strategy, timeout=3, **options)
        assert not suggestion.is_complete
        assert suggestion.to_dict()["complete"] is False
        assert suggestion.strategy == name
        assert suggestion.guess in codes
        assert suggestion.codes.count == len(codes)
        assert list(suggestion.best.sizes) == part_sizes(board, codes, suggestion.guess)
        assert "The time limit passed" in " ".join(suggestion_sentences(suggestion))


def test_the_best_guesses_are_those_of_exact_comparisons():
    for board, codes in known_boards(tiers.share(60), seed=32):
        if not codes:
            continue
        state = State(board)
        prospects = [*evaluate_guesses(state, draw_pool(state, len(codes)), codes)]
        ranked = sorted(
            prospects,
            key=lambda entry: (
                uncertainty(part_sizes(board, codes, entry.guess)),
                not entry.is_possible,
                entry.guess,
            ),
        )
        for limit in (0, 1, 4, len(codes)):
            assert best_guesses(prospects, limit) == ranked[:limit]


@pytest.mark.parametrize(
    "line", ["5x8/11223=1.2", "4x6", "bulls-and-cows/1234=1A1B", "wordle/CRANE=-Y---"]
)
def test_expected_codes_of_a_sample_are_scaled_to_all_codes(line):
    board = mmsat.Board.parse(line)
    exact = mmsat.suggest(board)
    assert exact.is_exact
    assert exact.expected_codes == exact.best.expected
    by_sample = mmsat.suggest(board, size=40, seed=1)
    assert not by_sample.is_exact
    codes = list(mmsat.codes(board))
    sizes = part_sizes(board, codes, by_sample.guess)
    expected = sum(size * size for size in sizes) / len(codes)
    assert by_sample.best.expected < by_sample.expected_codes
    assert expected / 2 < by_sample.expected_codes < expected * 2
