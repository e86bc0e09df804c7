"""Every engine agrees with a trial of all codes, and every witness gets the scores."""

from __future__ import annotations

from functools import partial
from itertools import product

import pytest
from hypothesis import given, settings

from mmsat.encoding import ENCODINGS
from mmsat.game.board import Status
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS, Pairs
from mmsat.game.space import SPACES
from mmsat.solving import ENGINES, find_engine
from mmsat.solving.cp import Cp
from mmsat.solving.deadline import Deadline
from mmsat.solving.sat import NATIVE_SOLVERS, Sat, solver_names
from mmsat.solving.searches import Brute
from tests.support import strategies, tiers, twins
from tests.support.random_boards import EVERY_SPACE, known_boards, scorings_of, spaces_of

CLAUSE_SOLVERS = ("cadical195", "glucose4", "lingeling", "maplechrono", "minisat22")


def pairs_of(solvers):
    """Return each solver with each encoding that it supports."""
    return [
        (solver, name)
        for solver, (name, encoding) in product(solvers, ENCODINGS.items())
        if solver in NATIVE_SOLVERS or not encoding.is_native
    ]


SPECS = pairs_of((*CLAUSE_SOLVERS, *NATIVE_SOLVERS))


def is_right(codes, code):
    """Return whether an engine's answer, a code or None, is right, given the consistent codes."""
    return code in codes if codes else code is None


def sat_code(board, solver, encoding):
    return Sat(solver, encoding).solve(board)


def brute_code(board):
    decision = Brute().try_decide(board, Deadline())
    assert (decision.code is not None) == (decision.status is Status.CONSISTENT)
    return decision.code


def wrong_answers(boards, answer):
    """Return the boards, as text, on which an engine's answer is wrong, each with the answer."""
    return [
        (str(board), code) for board, codes in boards if not is_right(codes, code := answer(board))
    ]


def test_the_boards_have_every_kind_of_game_and_both_verdicts():
    boards = known_boards(tiers.share(3000, least=600))
    for verdict in (True, False):
        chosen_boards = [board for board, codes in boards if bool(codes) is verdict]
        assert len(chosen_boards) > tiers.at_least(400)
        assert spaces_of(chosen_boards) == EVERY_SPACE
        assert scorings_of(chosen_boards) == {*SCORINGS}
        assert any(None in score for board in chosen_boards for _, score in board.rows)
        assert any(len(set(board.rows)) < len(board.rows) for board in chosen_boards)


def test_brute_force_agrees():
    assert wrong_answers(known_boards(tiers.share(4000), seed=2), brute_code) == []


def test_cp_sat_agrees():
    assert wrong_answers(known_boards(tiers.share(600), seed=3), Cp().solve) == []


@pytest.mark.parametrize(("solver", "encoding"), SPECS, ids=[":".join(spec) for spec in SPECS])
def test_sat_agrees(solver, encoding):
    boards = tiers.part(known_boards(tiers.share(3000)), SPECS.index((solver, encoding)))
    assert len(boards) > tiers.at_least(500)
    assert wrong_answers(boards, lambda board: sat_code(board, solver, encoding)) == []


@settings(max_examples=tiers.share(60))
@given(board=strategies.boards(strategies.small_games(), max_rows=4))
def test_engines_agree_on_generated_boards(board):
    codes = twins.consistent(board)
    assert is_right(codes, brute_code(board))
    assert is_right(codes, Cp().solve(board))
    for solver, encoding in pairs_of(("glucose4", "gluecard4")):
        assert is_right(codes, sat_code(board, solver, encoding))


@settings(max_examples=tiers.share(100))
@given(played=strategies.played_boards(strategies.small_games(5, 3), max_rows=6))
def test_engines_find_a_code_of_played_boards(played):
    board, _ = played
    for code in (brute_code(board), Cp().solve(board), sat_code(board, "gluecard4", "native")):
        assert board.is_consistent(code)
        assert twins.wrong_rows(board, code) == []


@pytest.mark.parametrize("name", ENGINES)
def test_decisions_within_a_time_limit_agree(name):
    engine = find_engine(name)
    for board, codes in known_boards(40, seed=4):
        decision = engine.decide(board, Deadline(60), seed=1)
        assert decision.status is (Status.CONSISTENT if codes else Status.INCONSISTENT)
        assert is_right(codes, decision.code)


@pytest.mark.parametrize("scoring", SCORINGS.values(), ids=SCORINGS)
@pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)
def test_every_single_row_of_tiny_games_is_decided(space, scoring):
    """The boards have all guesses with all scores, including impossible and unread scores."""
    sizes = ((1, 1), (1, 3), (2, 2), (2, 3), (3, 3))
    if isinstance(scoring, Pairs):
        scoring, sizes = type(scoring)(2), ((1, 2), (1, 6), (2, 4))
    for pegs, colors in sizes:
        game = Game(pegs, colors, space, scoring)
        parts = [None, *range(min(pegs + 1, scoring.highest) + 1)]
        boards = []
        for guess in strategies.product_of(game):
            for score in product(parts, repeat=len(game.parts)):
                board = strategies.Board(game, (strategies.Row(guess, score),))
                boards.append((board, twins.consistent(board)))
        assert wrong_answers(boards, brute_code) == []
        for index, (solver, encoding) in enumerate(pairs_of(("minisat22", "minicard"))):
            tier_boards = tiers.part(boards, index)
            answer = partial(sat_code, solver=solver, encoding=encoding)
            assert wrong_answers(tier_boards, answer) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 103))
def test_every_solver_agrees_on_larger_boards(seed):
    boards = known_boards(500, seed=seed, pegs=5, colors=4, rows=8)
    assert wrong_answers(boards, brute_code) == []
    assert wrong_answers(boards, Cp().solve) == []
    # The direct encoding refuses constraints about many literals.
    direct_boards = [board for board in boards if board[0].game.scoring.name != "pairs-one-key"]
    for solver, encoding in pairs_of(solver_names()):
        chosen = direct_boards if encoding == "direct" else boards
        answer = partial(sat_code, solver=solver, encoding=encoding)
        assert wrong_answers(chosen, answer) == []
