"""The formula of a board has its codes as models: all models of all tiny boards are counted.

A proof by lemmas shows that a formula has no model. The conclusion that the board has no code
relies on this test, for every row of a tiny game in every encoding, and for every pair of rows in
the encodings that proofs use.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement, product

import pytest
from pysat.solvers import Solver

from mmsat.constraints.system import System
from mmsat.encoding.cnf import cnf
from mmsat.encoding.encodings import ENCODINGS
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.game.scoring import SCORINGS
from mmsat.game.words import Words
from mmsat.proof.prove import select_encoding
from tests.support import twins

SIZES = ("1x1", "1x3", "2x2", "2x3", "3x2", "3x3", "3x3!", "2x4!")
KINDS = ("", "b", "w", "p", "o")
PAIRED = ("1x2x2", "2x2x2", "1x2x2k", "2x2x2k")
GAMES = [
    *(f"{size}{kind}" for size in SIZES for kind in KINDS),
    *PAIRED,
]
WRITTEN = {"totalizer", "modulo-totalizer"}
"""The encodings that proofs are written in."""
CLAUSES = [name for name, entry in ENCODINGS.items() if not entry.is_native]


def rows(game):
    """Every guess with every score that any code gets, its neighbours, and parts unread."""
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
    """How many models there are for each choice of the code variables."""
    formula = cnf(System.of(board), encoding)
    named = range(1, board.game.pegs * board.game.colors + 1)
    results = Counter()
    with Solver("minisat22", bootstrap_with=formula.clauses) as solver:
        for variable in range(1, formula.variables + 1):
            solver.add_clause([variable, -variable])
        for model in solver.enum_models():
            results[tuple(v for v in named if model[v - 1] > 0)] += 1
    return results


def is_sound(board, encoding):
    """Whether each consistent code is one model, and nothing else is any."""
    variables = board.game.variables
    codes = twins.consistent(board)
    wanted = Counter(tuple(variables.at(*entry) for entry in enumerate(code)) for code in codes)
    return models(board, encoding) == wanted


@pytest.mark.parametrize(
    "encoding",
    [name if name in WRITTEN else pytest.param(name, marks=pytest.mark.slow) for name in CLAUSES],
)
def test_every_row_of_tiny_games_in_every_encoding(encoding):
    tried = 0
    for size in GAMES:
        game = Game.parse(size)
        for row in rows(game):
            board = Board(game, (row,))
            assert is_sound(board, encoding), (str(board), encoding)
            tried += 1
    assert tried > 1000


@pytest.mark.parametrize("encoding", sorted(WRITTEN))
@pytest.mark.parametrize("kind", ["black-white", "places"])
def test_every_row_of_every_list_of_tiny_words(kind, encoding):
    """All lists of two-letter words, if only words may be guessed and if any guess may be made."""
    everything = list(product(range(2), repeat=2))
    tried = 0
    for index in range(1, len(everything) + 1):
        for words in combinations(everything, index):
            game = Game(2, 2, Words(words, allows_any_guess=index % 2 == 0), SCORINGS[kind])
            for row in rows(game):
                board = Board(game, (row,))
                assert is_sound(board, encoding), (words, row, encoding)
                tried += 1
    assert tried > 300


@pytest.mark.slow
@pytest.mark.parametrize("encoding", CLAUSES)
@pytest.mark.parametrize("size", ["1x3", "2x2", "2x3", "3x2", "3x2b", "2x3w", "2x2p", "1x2x2"])
def test_every_pair_of_rows_of_tiny_games(size, encoding):
    game = Game.parse(size)
    for pair in combinations_with_replacement(list(rows(game)), 2):
        board = Board(game, pair)
        assert is_sound(board, encoding), (str(board), encoding)


def test_proofs_are_written_in_encodings_that_were_tried():
    assert {select_encoding(Board.parse(size)) for size in ("4x6", "100x2", "101x2")} == WRITTEN
