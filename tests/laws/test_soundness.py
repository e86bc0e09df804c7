"""The models of a formula are the codes of its board: all models of tiny boards are counted.

A proof by lemmas shows that a formula has no model. The conclusion that the board has no code
relies on this test of every row, and of every pair of rows, of tiny games in every encoding that
has only clauses.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement, product

import pytest
from pysat.solvers import Solver

from mmsat.constraints import System
from mmsat.encoding import ENCODINGS
from mmsat.encoding.cnf import cnf
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.game.words import Words
from mmsat.proof.prove import select_proof_encoding
from tests.support import twins

SIZES = ("1x1", "1x3", "2x2", "2x3", "3x2", "3x3", "3x3!", "2x4!")
SCORING_SUFFIXES = ("", "b", "w", "p", "o")
PAIRS_GAMES = ("1x2x2", "2x2x2", "1x2x2k", "2x2x2k")
GAMES = [
    *(f"{size}{kind}" for size in SIZES for kind in SCORING_SUFFIXES),
    *PAIRS_GAMES,
]
PROOF_ENCODINGS = {"totalizer", "modulo-totalizer"}
"""The encodings that proofs use."""
CLAUSE_ENCODINGS = [name for name, entry in ENCODINGS.items() if not entry.is_native]


def rows(game):
    """Yield every guess with every possible score, some impossible scores, and unread parts."""
    for guess in product(range(game.colors), repeat=game.pegs):
        if not game.space.allows(guess):
            continue
        scores = {twins.score(game.scoring, code, guess) for code in twins.codes(game)}
        highest = min(game.scoring.highest, game.pegs + 1)
        for score in sorted(scores):
            yield Row(guess, score)
        for part, number in product(range(len(game.parts)), (None, 0, highest)):
            score = min(scores)
            yield Row(guess, (*score[:part], number, *score[part + 1 :]))


def models(board, encoding):
    """Return the number of models for each choice of the true code variables."""
    formula = cnf(System.of(board), encoding)
    code_variables = range(1, board.game.pegs * board.game.colors + 1)
    results = Counter()
    with Solver("minisat22", bootstrap_with=formula.clauses) as solver:
        for variable in range(1, formula.variables + 1):
            solver.add_clause([variable, -variable])
        for model in solver.enum_models():
            results[tuple(v for v in code_variables if model[v - 1] > 0)] += 1
    return results


def is_sound(board, encoding):
    """Return whether the models are the consistent codes, with one model per code."""
    variables = board.game.variables
    codes = twins.consistent(board)
    expected = Counter(tuple(variables.at(*entry) for entry in enumerate(code)) for code in codes)
    return models(board, encoding) == expected


@pytest.mark.parametrize(
    "encoding",
    [
        name if name in PROOF_ENCODINGS else pytest.param(name, marks=pytest.mark.slow)
        for name in CLAUSE_ENCODINGS
    ],
)
def test_rows_of_tiny_games_are_encoded_soundly(encoding):
    board_count = 0
    for size in GAMES:
        game = Game.parse(size)
        for row in rows(game):
            board = Board(game, (row,))
            assert is_sound(board, encoding), (str(board), encoding)
            board_count += 1
    assert board_count > 1000


@pytest.mark.parametrize("encoding", sorted(PROOF_ENCODINGS))
@pytest.mark.parametrize("kind", ["black-white", "places"])
def test_rows_of_tiny_word_games_are_encoded_soundly(kind, encoding):
    """All lists of two-letter words; any guess is allowed for lists of even length."""
    sequences = list(product(range(2), repeat=2))
    board_count = 0
    for word_count in range(1, len(sequences) + 1):
        for words in combinations(sequences, word_count):
            game = Game(2, 2, Words(words, allows_any_guess=word_count % 2 == 0), SCORINGS[kind])
            for row in rows(game):
                board = Board(game, (row,))
                assert is_sound(board, encoding), (words, row, encoding)
                board_count += 1
    assert board_count > 300


@pytest.mark.slow
@pytest.mark.parametrize("encoding", CLAUSE_ENCODINGS)
@pytest.mark.parametrize("size", ["1x3", "2x2", "2x3", "3x2", "3x2b", "2x3w", "2x2p", "1x2x2"])
def test_pairs_of_rows_of_tiny_games_are_encoded_soundly(size, encoding):
    game = Game.parse(size)
    for pair in combinations_with_replacement(list(rows(game)), 2):
        board = Board(game, pair)
        assert is_sound(board, encoding), (str(board), encoding)


def test_proofs_use_the_encodings_that_are_always_tested():
    assert {
        select_proof_encoding(Board.parse(size)) for size in ("4x6", "100x2", "101x2")
    } == PROOF_ENCODINGS
