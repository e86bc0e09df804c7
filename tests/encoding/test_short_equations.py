"""CNF of two-color boards: short combinations of the rows have exactly the same codes."""

from __future__ import annotations

import itertools
import random

import pytest

from mmsat.constraints import System
from mmsat.constraints.two_colors import short_system
from mmsat.encoding import Formula, clause_encodings
from mmsat.encoding.cnf import formula_size
from mmsat.encoding.writers import SHORT_COMMENT
from mmsat.game.board import Board
from mmsat.reductions.families import generate
from mmsat.reductions.reduce import chain, reduce
from mmsat.solving.encode import WRITERS
from mmsat.solving.sat import code_of, new_solver
from tests.support import tiers
from tests.support.formula_models import models
from tests.support.two_color_boards import random_board


def code_of_model(model, board):
    return code_of(sorted(model, key=abs), board.game.variables)


def read_dimacs(text):
    """Return the formula of a text in DIMACS."""
    lines = [line.split() for line in text.splitlines() if line[0] != "c"]
    (_, _, variables, num_clauses), *clauses = lines
    assert len(clauses) == int(num_clauses)
    formula = Formula(int(variables))
    formula.clauses = [[int(word) for word in words[:-1]] for words in clauses]
    return formula


@pytest.mark.parametrize("name", clause_encodings())
def test_the_models_of_the_written_formula_are_the_codes(name):
    """Boards of up to 7 pegs, scored by black, white or color, with slips and unread parts."""
    rng = random.Random(name)
    num_short = 0
    for _ in range(tiers.share(150, least=60)):
        board = random_board(rng)
        codes = itertools.product(range(2), repeat=board.game.pegs)
        expected = [code for code in codes if board.is_consistent(code)]
        text = "".join(WRITERS["cnf"].export(board, name))
        found = [code_of_model(model, board) for model in models(read_dimacs(text))]
        assert sorted(found) == expected, board
        system = short_system(board)
        assert (SHORT_COMMENT in text) == (system is not None)
        if system is not None:
            num_short += 1
            lengths = [
                sum(len(c.literals) for c in s.constraints) for s in (system, System.of(board))
            ]
            assert lengths[0] < lengths[1]
    assert num_short >= 10


@pytest.mark.parametrize(
    ("name", "source", "codes"),
    [
        ("one-in-three-3sat", "p cnf 5 3\n1 2 3 0\n3 4 5 0\n1 4 2 0\n", None),
        ("sat", "p cnf 3 2\n1 2 3 0\n-1 -2 -3 0\n", 6),
        ("vertex-cover", "p edge 3 2\ne 1 2\ne 2 3\n", 1),
    ],
)
def test_reduced_boards_have_small_formulas(name, source, codes):
    """A formula of a reduction is small, and has one model per code."""
    numbers = {"k": 1} if name == "vertex-cover" else {}
    board = reduce(name, source, **numbers).board
    system = short_system(board)
    size, rows = (formula_size(s, "totalizer") for s in (system, System.of(board)))
    assert size.clauses * 5 < rows.clauses
    found = models(read_dimacs("".join(WRITERS["cnf"].export(board))))
    decoded = {code_of_model(model, board) for model in found}
    assert len(decoded) == len(found)
    assert all(board.is_consistent(code) for code in decoded)
    assert codes is None or len(found) == codes


def test_a_chain_of_reductions_from_five_variables_stays_small():
    source = "p cnf 5 7\n1 2 0\n-1 3 -4 0\n-2 -3 0\n4 5 1 2 0\n-5 -1 0\n3 4 -2 0\n-4 -5 2 0\n"
    board = chain(("three-sat", "one-in-three", "one-in-three-3sat"), source).board
    formula = read_dimacs("".join(WRITERS["cnf"].export(board)))
    assert len(formula.clauses) < 1000
    with new_solver("cadical195", formula) as solver:
        assert solver.solve()
        assert board.is_consistent(code_of(solver.get_model(), board.game.variables))


@pytest.mark.parametrize(
    ("family", "size"),
    [("one-in-three-3sat", 12), ("vertex-cover", 6), ("sat", 6), ("regular-one-in-k", 6)],
)
def test_the_size_does_not_tell_the_verdict(family, size):
    """Linear algebra refutes these inconsistent boards, but their formulas are as short."""
    clauses = []
    for answer in ("consistent", "inconsistent"):
        for seed in range(4):
            board = generate(family, size, answer=answer, seed=seed).board
            text = "".join(WRITERS["cnf"].export(board))
            assert SHORT_COMMENT in text
            clauses.append(len(read_dimacs(text).clauses))
    assert max(clauses) < 3 * min(clauses)


@pytest.mark.parametrize(
    "line",
    [
        "4x6/1122=1.1/3345=0.2",
        "4x2/11?1=2.0",
        "6x2w/112211=2",
        "4x2/1111=2.0/1111=1.0",
    ],
)
def test_other_boards_keep_their_rows(line):
    """More than two colors, unread pegs, several weights, or a contradiction."""
    board = Board.parse(line)
    assert short_system(board) is None
