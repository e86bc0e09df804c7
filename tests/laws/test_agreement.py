"""Every engine gives the verdict of a list of all codes, and every witness scores right."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings

from mmsat.encoding.encodings import ENCODINGS
from mmsat.game.board import Status
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS, Pairs
from mmsat.game.space import SPACES
from mmsat.solving import ENGINES, find_engine
from mmsat.solving.brute import Brute
from mmsat.solving.cp import Cp
from mmsat.solving.deadline import Deadline
from mmsat.solving.sat import NATIVE_SOLVERS, Sat, solver_names
from tests.support import strategies, tiers, twins
from tests.support.random_boards import EVERY_SPACE, known_boards, scorings_of, spaces_of

PLAIN_SOLVERS = ("cadical195", "glucose4", "lingeling", "maplechrono", "minisat22")


def pairs_of(solvers):
    """Each solver with each encoding that it can take."""
    return [
        (solver, name)
        for solver, (name, encoding) in product(solvers, ENCODINGS.items())
        if solver in NATIVE_SOLVERS or not encoding.is_native
    ]


SPECS = pairs_of((*PLAIN_SOLVERS, *NATIVE_SOLVERS))


def agree(codes, code):
    """Whether an answer, a code or None, is right where the consistent codes are known."""
    return code in codes if codes else code is None


def sat_code(board, solver, encoding):
    return Sat(solver, encoding).solve(board)


def brute_code(board):
    decision = Brute().try_decide(board, Deadline())
    assert (decision.code is not None) == (decision.status is Status.CONSISTENT)
    return decision.code


def wrong(boards, answer):
    """Return the boards, printed for a report, on which an engine's answer is wrong."""
    return [
        (str(board), code) for board, codes in boards if not agree(codes, code := answer(board))
    ]


def test_the_boards_are_of_every_kind_and_of_both_verdicts():
    boards = known_boards(tiers.share(3000, least=600))
    for verdict in (True, False):
        some = [board for board, codes in boards if bool(codes) is verdict]
        assert len(some) > tiers.at_least(400)
        assert spaces_of(some) == EVERY_SPACE
        assert scorings_of(some) == {*SCORINGS}
        assert any(None in score for board in some for _, score in board.rows)
        assert any(len(set(board.rows)) < len(board.rows) for board in some)


def test_brute_force_agrees():
    assert wrong(known_boards(tiers.share(4000), seed=2), brute_code) == []


def test_cp_sat_agrees():
    assert wrong(known_boards(tiers.share(600), seed=3), Cp().solve) == []


@pytest.mark.parametrize(("solver", "encoding"), SPECS, ids=[":".join(spec) for spec in SPECS])
def test_sat_agrees(solver, encoding):
    boards = tiers.part(known_boards(tiers.share(3000)), SPECS.index((solver, encoding)))
    assert len(boards) > tiers.at_least(500)
    assert wrong(boards, lambda board: sat_code(board, solver, encoding)) == []


@settings(max_examples=tiers.share(60))
@given(board=strategies.boards(strategies.small_games(), max_rows=4))
def test_engines_agree_on_boards_that_shrink(board):
    codes = twins.consistent(board)
    assert agree(codes, brute_code(board))
    assert agree(codes, Cp().solve(board))
    for solver, encoding in pairs_of(("glucose4", "gluecard4")):
        assert agree(codes, sat_code(board, solver, encoding))


@settings(max_examples=tiers.share(100))
@given(played=strategies.played_boards(strategies.small_games(5, 3), max_rows=6))
def test_engines_find_a_code_wherever_one_was_hidden(played):
    board, _ = played
    for code in (brute_code(board), Cp().solve(board), sat_code(board, "gluecard4", "native")):
        assert board.is_consistent(code)
        assert twins.wrong_rows(board, code) == []


@pytest.mark.parametrize("name", ENGINES)
def test_decisions_in_a_process_of_their_own_agree(name):
    engine = find_engine(name)
    for board, codes in known_boards(40, seed=4):
        decision = engine.decide(board, Deadline(60), seed=1)
        assert decision.status is (Status.CONSISTENT if codes else Status.INCONSISTENT)
        assert agree(codes, decision.code)


@pytest.mark.parametrize("scoring", SCORINGS.values(), ids=SCORINGS)
@pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)
def test_every_single_row_of_tiny_games_is_decided(space, scoring):
    """All guesses with all scores, impossible and unread ones too."""
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
        assert wrong(boards, brute_code) == []
        for index, (solver, encoding) in enumerate(pairs_of(("minisat22", "minicard"))):
            some = tiers.part(boards, index)
            assert wrong(some, lambda b, s=solver, e=encoding: sat_code(b, s, e)) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 103))
def test_every_solver_agrees_on_larger_boards(seed):
    boards = known_boards(500, seed=seed, pegs=5, colors=4, rows=8)
    assert wrong(boards, brute_code) == []
    assert wrong(boards, Cp().solve) == []
    short = [board for board in boards if board[0].game.scoring.name != "pairs-one-key"]
    for solver, encoding in pairs_of(solver_names()):
        chosen = (
            short if encoding == "direct" else boards
        )  # it refuses constraints about many literals
        assert wrong(chosen, lambda b, s=solver, e=encoding: sat_code(b, s, e)) == []
