"""All functions exclude the known codes, on boards of every kind of game."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest

import mmsat
from mmsat.errors import InputError
from mmsat.game import Row
from mmsat.game.board import PRINTERS, Board
from mmsat.game.game import Game
from mmsat.solving import ENGINES, SPECIAL, find_engine
from mmsat.solving.deadline import Deadline
from mmsat.solving.encode import encode
from tests.support import tiers, twins
from tests.support.random_boards import known_boards

METHODS = ("brute", "enumeration", "ganak", "auto")


def boards_with_known_codes(count, seed):
    """Yield boards with some or all codes known, each with its other codes."""
    rng = random.Random(seed)
    for board, codes in known_boards(tiers.share(count), seed=seed):
        if codes:
            maximum = len(codes) if rng.random() < 0.5 else min(4, len(codes))
            known_codes = rng.sample(codes, rng.choice((1, maximum)) if maximum < 30 else 2)
            yield (
                replace(board, known=tuple(known_codes)),
                [code for code in codes if code not in known_codes],
            )


def test_the_boards_have_both_verdicts():
    verdicts = [bool(others) for _, others in boards_with_known_codes(2000, 1)]
    assert verdicts.count(True) > tiers.at_least(200)
    assert verdicts.count(False) > tiers.at_least(200)


@pytest.mark.parametrize("to", PRINTERS)
def test_every_notation_keeps_known_codes(to):
    for board, _ in boards_with_known_codes(200, 2):
        if not board.game.name:
            assert Board.parse(PRINTERS[to](board)) == board


@pytest.mark.parametrize("name", [*ENGINES, *SPECIAL])
def test_engines_find_other_codes(name):
    engine = find_engine(name)
    for board, others in boards_with_known_codes(60, 3):
        try:
            decision = engine.decide(board, Deadline(60), seed=1)
        except (InputError, mmsat.SizeError):
            assert name in SPECIAL
            continue
        assert decision.code in others if others else decision.code is None


@pytest.mark.parametrize("method", METHODS)
def test_other_codes_are_counted(method):
    for board, others in boards_with_known_codes(60, 4):
        assert mmsat.count(board, method=method).count == len(others)


def test_other_codes_are_listed_and_ranked_and_have_odds():
    for board, others in boards_with_known_codes(300, 5):
        codes = mmsat.codes(board)
        assert list(codes) == others
        assert codes.count == len(others)
        assert [codes[number] for number in range(len(others))] == others
        odds = codes.odds()
        table = [
            tuple(sum(code[peg] == color for code in others) for color in range(board.game.colors))
            for peg in range(board.game.pegs)
        ]
        assert list(odds.table) == table
        assert board.known[0] not in codes


def test_the_conflict_is_empty_if_all_codes_of_the_game_are_known():
    board = Board(Game.parse("2x2"), (), tuple(product(range(2), repeat=2)))
    for lies in (0, 1):
        verdict = mmsat.check(board, lies=lies)
        assert verdict.conflict.rows == ()
        assert "no other code" in str(verdict)
        assert "no other code" in str(mmsat.explain(board, lies=lies))


@pytest.mark.parametrize("by", ["rows", "pegs"])
def test_other_codes_within_lies(by):
    for board, _ in boards_with_known_codes(100, 6):
        if by == "pegs" and board.has_unread_pegs:
            continue
        all_codes = mmsat.codes(replace(board, known=()), lies=1, by=by)
        others = [code for code in all_codes if code not in board.known]
        codes = mmsat.codes(board, lies=1, by=by)
        assert list(codes) == others
        assert mmsat.count(board, lies=1, by=by).count == codes.ranking.count == len(others)
        assert mmsat.check(board, lies=1, by=by).is_consistent == bool(others)


def test_conflicts_leave_no_other_code_and_there_are_no_corrections():
    for board, others in boards_with_known_codes(120, 7):
        explanation = mmsat.explain(board)
        assert explanation.status == ("consistent" if others else "inconsistent")
        unknown_codes = [code for code in twins.codes(board.game) if code not in board.known]

        def other_codes(rows, board=board, unknown_codes=unknown_codes):
            return [
                code for code in unknown_codes if not set(twins.wrong_rows(board, code)) & set(rows)
            ]

        for conflict in explanation.conflicts:
            assert not other_codes(conflict.rows)
            for removed in conflict.rows:
                assert other_codes([row for row in conflict.rows if row != removed])
        assert not explanation.corrections


def test_proofs_are_about_the_other_codes():
    for board, others in boards_with_known_codes(60, 8):
        if str(board.game).startswith("game:"):  # a proof contains the text of its board
            continue
        proof = mmsat.prove(board)
        assert proof.status == ("consistent" if others else "inconsistent")
        assert mmsat.verify(proof.text, board=board).holds
        if others and not board.has_unread_pegs:
            spell = mmsat.codes(board).format
            (line,) = [entry for entry in proof.text.splitlines() if entry.startswith("witness ")]
            forged = proof.text.replace(line, f"witness {spell(board.known[0])}")
            assert not mmsat.verify(forged, board=board).holds


def test_wide_boards_of_two_colors():
    """Algebra decides and counts; most boards are too wide for a search."""
    rng = random.Random(9)
    for _ in range(tiers.share(20, least=5)):
        pegs = rng.randint(26, 40)
        game = Game(pegs, 2)
        secret = tuple(rng.choices(range(2), k=pegs))
        guesses = [(0,) * pegs, *(tuple(rng.choices(range(2), k=pegs)) for _ in range(pegs - 8))]
        rows = tuple(Row(guess, game.score(secret, guess)) for guess in guesses)
        codes = list(mmsat.codes(Board(game, rows)))
        for known_codes in (codes[:1], codes):
            board = Board(game, rows, tuple(known_codes))
            assert list(mmsat.codes(board)) == codes[len(known_codes) :]
            assert mmsat.count(board).count == len(codes) - len(known_codes)
            assert mmsat.check(board).is_consistent == (len(codes) > len(known_codes))


def test_functions_about_all_codes_refuse_known_codes():
    board = Board.parse("2x2/11=1.0/12=known")
    for call in (mmsat.suggest, mmsat.review, mmsat.steps, lambda b: mmsat.suspect(b, [0])):
        with pytest.raises(InputError, match="known"):
            call(board)
    for language in ("minizinc", "smt2", "asp"):
        with pytest.raises(InputError, match="known codes"):
            encode(board, language)


def test_known_codes_must_be_consistent_and_different():
    game = Game.parse("2x3")
    row = Row((0, 0), (1, 0))
    for code in product(range(3), repeat=2):
        if Board(game, (row,)).is_consistent(code):
            assert Board(game, (row,), (code,)).known == (code,)
        else:
            with pytest.raises(InputError, match="this code gives row 1 another score"):
                Board(game, (row,), (code,))
    with pytest.raises(InputError, match="it is already listed"):
        Board(game, (row,), ((0, 1), (0, 1)))
    with pytest.raises(InputError, match="a code of the game"):
        Board(game, (row,), ((0, 3),))
