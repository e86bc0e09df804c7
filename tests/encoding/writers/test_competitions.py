"""Formats of competitions, read again by other programs, over random boards of every kind."""

from __future__ import annotations

import io
import random

import pytest
from pysat.examples.rc2 import RC2
from pysat.formula import WCNF

import mmsat
from mmsat.encoding import Formula
from mmsat.solving.encode import COMPETITIONS
from tests.support.formula_models import models
from tests.support.random_boards import random_board, scorings_of, spaces_of

COMMENTS = ("made by a test",)
GBD_HASHES = {
    ("sat", 0): "bdcc9bccc51f82fe7d9f488abc04b4b3",
    ("sat", 1): "954e9b3ab3ead3f8ccaf3bcd4651e9af",
    ("sat", 2): "9fb7add632687722f9b0d62da170d6a6",
    ("pb", 0): "01726781033c606f5eb25fac4ea1fe24",
    ("pb", 1): "9b8638490ef5a14865abc621b819b3d3",
    ("pb", 2): "60d529a38248482ed8fc9b20cf509c01",
    ("maxsat", 0): "0dc2b9f4c6c12880a9997bfa63d0e8f6",
    ("maxsat", 1): "5a7f90f4a3731239cbe9e5937769ce87",
    ("maxsat", 2): "aa0a413827f3eed5292d172d27b86bef",
    ("counting", 0): "bdcc9bccc51f82fe7d9f488abc04b4b3",
    ("counting", 1): "954e9b3ab3ead3f8ccaf3bcd4651e9af",
    ("counting", 2): "9fb7add632687722f9b0d62da170d6a6",
    ("projected", 0): "f6914451e66c24aca3a9d65a1977600c",
    ("projected", 1): "e4725d35e547f8867d5420895af56174",
    ("projected", 2): "ae34c221c1dc50a540d43ed4adb01440",
}
"""Hashes that gbdc 0.4.3 computed from the files, by competition and index in HASHED_BOARDS."""
HASHED_BOARDS = ("4x6/1122=1.1/3345=0.2", "6x2/112211=3.1/212121=?.2", "3x3d/123=1.2")


def written(competition, board):
    """Return the lines of an instance."""
    return "".join(COMPETITIONS[competition].write(board, COMMENTS)).splitlines(keepends=True)


@pytest.fixture(scope="module")
def boards():
    rng = random.Random(51)
    results = [random_board(rng) for _ in range(300)]
    assert len(spaces_of(results)) > 2
    assert len(scorings_of(results)) > 5
    return results


def read_dimacs(lines):
    """Return the formula of a file, after a check of its form."""
    start = next(number for number, line in enumerate(lines) if line[0] == "p")
    assert all(line[0] == "c" for line in lines[:start])
    word, kind, variables, clauses = lines[start].split()
    assert (word, kind) == ("p", "cnf")
    formula = Formula(int(variables))
    for line in lines[start + 1 :]:
        *literals, end = map(int, line.split())
        assert end == 0
        assert 0 not in literals
        assert len({abs(literal) for literal in literals}) == len(literals)
        formula.add(*literals)
    assert len(formula.clauses) == int(clauses)
    assert all(abs(literal) <= int(variables) for clause in formula.clauses for literal in clause)
    return formula


def test_clauses_have_an_exact_header_and_one_model_per_code(boards):
    """Clauses are neither tautologies nor have a literal twice."""
    for board in boards:
        formula = read_dimacs(written("sat", board))
        assert len(models(formula)) == mmsat.codes(board).count


def test_model_counters_get_the_type_of_the_count(boards):
    """Projected counting has another type, see below."""
    for board in boards:
        lines = written("counting", board)
        assert lines[0] == "c t mc\n"
        code_variables = range(1, board.game.pegs * board.game.colors + 1)
        assert not any(line.startswith("c p ") for line in lines)
        found = models(read_dimacs(lines))
        assert len(found) == mmsat.codes(board).count
        assert len({model & {*code_variables} for model in found}) == len(found)


def test_projected_models_are_the_codes_that_violate_at_most_one_row(boards):
    """The other variables matter: a consistent code has a model for each selector, and one more."""
    different = 0
    for board in boards:
        first, *lines = written("projected", board)
        assert first == "c t pmc\n"
        header = next(number for number, line in enumerate(lines) if line[0] == "p")
        shown = lines.pop(header + 1).split()
        code_variables = {*range(1, board.game.pegs * board.game.colors + 1)}
        assert shown == ["c", "p", "show", *map(str, sorted(code_variables)), "0"]
        found = models(read_dimacs(lines))
        consistent, expected = (mmsat.codes(board, lies=lies).count for lies in (0, 1))
        assert len({model & code_variables for model in found}) == expected
        assert len(found) == len(board.rows) * consistent + expected
        different += consistent < expected < len(found)
    assert different > 50


def test_the_optimum_of_maxsat_is_the_smallest_number_of_wrong_rows(boards):
    num_wrong = 0
    for board in boards:
        lines = written("maxsat", board)
        assert not any(line[0] == "p" for line in lines)
        assert all(line[0] in "ch1" and line.split()[-1] == "0" for line in lines if line[0] != "c")
        assert sum(line[0] == "1" for line in lines) == len(board.rows)
        with RC2(WCNF(from_string="".join(lines))) as solver:
            if solver.compute() is None:  # the game has no codes
                assert not mmsat.codes(mmsat.Board(board.game)).count
                continue
            optimum = solver.cost
        assert mmsat.check(board, lies=optimum).is_consistent
        assert not optimum or mmsat.check(board, lies=optimum - 1).is_consistent is False
        num_wrong += optimum > 0
    assert num_wrong > 50


def test_the_header_of_sums_has_exact_numbers(boards):
    """The integer size is enough for the sum of each constraint and its bound."""
    for board in boards:
        first, *lines = written("pb", board)
        words = first.split()
        names, numbers = words[1::2], [*map(int, words[2::2])]
        assert names == ["#variable=", "#constraint=", "#equal=", "intsize="]
        constraints = [line.split() for line in lines if line[0] != "*"]
        assert all(line[-1] == ";" and line[-3] in ("=", ">=") for line in constraints)
        largest = max(
            sum(abs(int(word)) for word in line[:-3:2]) + abs(int(line[-2])) for line in constraints
        )
        used = {int(word[1:]) for line in constraints for word in line[1:-3:2]}
        assert numbers == [
            max(used),
            len(constraints),
            sum(line[-3] == "=" for line in constraints),
            largest.bit_length(),
        ]


def test_the_hash_is_that_of_the_benchmark_database():
    for (competition, index), expected in GBD_HASHES.items():
        board = mmsat.Board.parse(HASHED_BOARDS[index])
        comments = ("hello",)
        lines = io.StringIO("".join(COMPETITIONS[competition].write(board, comments)))
        assert COMPETITIONS[competition].gbd_hash(lines) == expected


@pytest.mark.parametrize("name", COMPETITIONS)
def test_comments_are_at_the_start_and_do_not_change_the_hash(name, boards):
    competition = COMPETITIONS[name]
    board = mmsat.Board.parse(HASHED_BOARDS[0])
    texts = [
        "".join(competition.write(board, comments)) for comments in ((), COMMENTS, COMMENTS * 2)
    ]
    assert len({*texts}) == 3
    if competition.gbd_hash:
        assert len({competition.gbd_hash(io.StringIO(text)) for text in texts}) == 1
        others = boards[:50]
        hashes = {competition.gbd_hash(written(name, other)) for other in others}
        assert len(hashes) == len({"".join(written(name, other)) for other in others})
