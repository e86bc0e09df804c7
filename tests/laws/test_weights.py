"""Codes with weights: all results are those of the definitions, in exact fractions."""

from __future__ import annotations

import random
from fractions import Fraction
from math import prod

import pytest

import mmsat
from mmsat.errors import InconsistentError, InputError, SizeError
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.weights import Weights
from mmsat.limits import LIMITS
from tests.support import tiers, twins
from tests.support.cli_runner import CONSISTENT, run
from tests.support.random_boards import known_boards, random_guess, scorings_of, spaces_of

NUM_BOARDS = 200


def weighted_boards():
    """Return boards of every kind, weights of colors or codes, and the nonzero weights by code."""
    rng = random.Random(4)
    results = []
    for board, codes in known_boards(tiers.share(NUM_BOARDS, least=20), seed=33, pegs=3, colors=4):
        game = board.game
        numbers = [Fraction(rng.choice([0, 1, 1, 3, 10**9]), rng.randint(1, 7)) for _ in range(64)]
        if rng.random() < 0.5:
            colors = [rng.choice(numbers) for _ in range(game.colors)]
            colors[0] = colors[0] or Fraction(1, 3)
            weights = Weights.of_colors(game, colors)
            weight_by_code = {code: prod(colors[color] for color in code) for code in codes}
        else:
            given_weights = {
                code: rng.choice(numbers) for code in twins.codes(game) if rng.random() < 0.7
            }
            given_weights[next(twins.codes(game))] = Fraction(2, 5)
            weights = Weights.of_codes(game, given_weights)
            weight_by_code = {code: given_weights.get(code, Fraction(0)) for code in codes}
        results.append(
            (board, weights, {code: entry for code, entry in weight_by_code.items() if entry})
        )
    return results


def weights_by_score(board, weight_by_code, guess):
    """Return the weights of the codes by the score that they give the guess."""
    parts = {}
    for code, weight in weight_by_code.items():
        score = twins.score(board.game.scoring, code, guess)
        parts.setdefault(score, []).append(weight)
    return parts


def test_counts_and_odds_with_weights():
    boards = []
    for board, weights, weight_by_code in weighted_boards():
        total = sum(weight_by_code.values(), Fraction(0))
        count = mmsat.count(board, weights=weights)
        codes = mmsat.codes(board, weights=weights)
        assert (count.count, count.weight) == (len(weight_by_code), total)
        assert codes.weight == total
        odds = codes.odds()
        for peg, chances in enumerate(odds):
            for color, chance in enumerate(chances):
                true = sum(weight for code, weight in weight_by_code.items() if code[peg] == color)
                assert chance == (true / total if total else 0)
        assert all(
            forced is None or {code[peg] for code in weight_by_code} == {forced}
            for peg, forced in enumerate(odds.forced())
        )
        boards.append(board)
    if tiers.TIER != "quick":
        assert len(scorings_of(boards)) == 7
        assert len(spaces_of(boards)) == 3


def test_suggestions_minimize_the_expected_weight():
    for board, weights, weight_by_code in weighted_boards():
        if not weight_by_code:
            with pytest.raises(InconsistentError):
                mmsat.suggest(board, weights=weights)
            continue
        total = sum(weight_by_code.values())
        suggestion = mmsat.suggest(board, weights=weights, others=2)
        cost_by_guess = {
            guess: sum(
                sum(part) ** 2 for part in weights_by_score(board, weight_by_code, guess).values()
            )
            for guess in twins.codes(board.game)
        }
        assert cost_by_guess[suggestion.guess] == min(cost_by_guess.values())
        assert suggestion.codes.count == len(weight_by_code)
        for entry in (suggestion.best, *suggestion.others):
            parts = weights_by_score(board, weight_by_code, entry.guess).values()
            assert entry.chance == weight_by_code.get(entry.guess, 0) / total
            assert entry.is_possible == (entry.guess in weight_by_code)
            assert entry.expected == sum(sum(part) * len(part) for part in parts) / total


def test_the_weighted_average_of_luck_is_zero():
    rng = random.Random(9)
    for board, weights, weight_by_code in tiers.part(weighted_boards(), 1):
        guess = random_guess(rng, board.game)
        total, luck, luckier = sum(weight_by_code.values()), Fraction(0), Fraction(0)
        moves = {}
        for code, weight in weight_by_code.items():
            score = board.game.score(code, guess)
            if score not in moves:
                longer_board = Board(board.game, (*board.rows, Row(guess, score)))
                moves[score] = mmsat.review(longer_board, weights=weights).moves[-1]
            luck += weight * moves[score].luck
            luckier += weight * moves[score].luckier
        assert luck == 0
        assert luckier == total / 2 if weight_by_code else not moves
        for move in moves.values():
            parts = [sum(part) for part in weights_by_score(board, weight_by_code, guess).values()]
            assert move.cost == len(weight_by_code) * sum(part**2 for part in parts) / total**2
            assert move.loss >= 0
            assert move.is_possible == (guess in weight_by_code)


def test_equal_weights_do_not_change_odds():
    board = Board.parse(CONSISTENT)
    weights = Weights.of_colors(board.game, ["2"] * 6)
    assert mmsat.count(board, weights=weights).weight == 36 * 2**4
    assert [*mmsat.codes(board, weights=weights).odds()] == [*mmsat.codes(board).odds()]


def test_weights_are_read_from_files_and_options(tmp_path):
    file = tmp_path / "jar.txt"
    file.write_text("1122 3 # likely\n\n1123=1/2\n1145, 0.25\n", "utf-8")
    result = run("count", "4x6/1122=2.0", "--weights", file)
    assert (result.exit_code, result.stdout) == (0, "1/4\n")
    assert run("count", "4x6", "--weights", "1,1,1,1,1,0").stdout == f"{5**4}\n"
    words = tmp_path / "words.txt"
    words.write_text("GAME 3\nGATE 1\n", "utf-8")
    assert run("count", "word/GATE=4.0", "--weights", words).stdout == "1\n"
    game = Game.parse("60x9")  # too large to list, so the codes with weights are tested
    weights = Weights.of_codes(game, {(0,) * 60: 1, (1,) * 60: "1/3"})
    board = Board(game, (Row((1,) * 60, (60, 0)),))
    assert mmsat.count(board, weights=weights).weight == Fraction(1, 3)


@pytest.mark.parametrize(
    "text",
    ["1,2", "1,2,3,4,5,x", "0,0,0,0,0,0", "-1,1,1,1,1,1", "1e999,1,1,1,1,1", "no such file"],
)
def test_wrong_weight_options_are_reported(text):
    result = run("count", "4x6", "--weights", text)
    assert result.exit_code == 2
    assert ": expected " in result.stderr


@pytest.mark.parametrize(
    "text", ["1122\n", "1122 1\n1122 2\n", "1127 1\n", "1122 0\n", "1122 ? 1\n"]
)
def test_wrong_weight_files_are_reported(text):
    with pytest.raises(InputError):
        Weights.parse(Game.parse("4x6"), text)


def test_too_many_codes_for_weights_are_reported(monkeypatch):
    monkeypatch.setattr(LIMITS, "listed_codes", 1000)
    board = Board.parse("12x12/AABBCCDDEEFF=2.3")
    with pytest.raises(SizeError) as caught:
        mmsat.codes(board, weights=Weights.of_colors(board.game, range(1, 13))).odds()
    assert str(caught.value) == (
        "weights of colors: expected up to 1,000 consistent codes, found more"
    )
    with pytest.raises(InputError, match="weights"):
        mmsat.suggest(
            Board.parse("4x6"),
            strategy="knuth",
            weights=Weights.of_colors(Game.parse("4x6"), [1] * 6),
        )
