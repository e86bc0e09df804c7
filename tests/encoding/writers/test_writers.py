"""Laws of all languages, and the exact file of a small board."""

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.examples.rc2 import RC2
from pysat.formula import WCNF

import mmsat
from mmsat._util.files import catalogue_folder
from mmsat.encoding import ENCODINGS
from mmsat.encoding.writers import model
from mmsat.errors import InputError
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.solving.encode import WRITERS, read_solution
from tests.support import strategies, tiers, twins

GOLDEN = Path(__file__).parent / "golden"
MODELS = catalogue_folder("encodings") / "models"
EXAMPLES = {
    "asp": (model("asp", "mastermind.lp") + "\n", MODELS / "asp" / "example.asp"),
    "cnf": ("", GOLDEN / "example.cnf"),
    "dzn": ("", MODELS / "minizinc" / "example.dzn"),
    "lp": ("", GOLDEN / "example.lp"),
    "minizinc": (model("minizinc", "mastermind.mzn") + "\n", MODELS / "minizinc/example.dzn"),
    "opb": ("", MODELS / "opb" / "example.opb"),
    "smtlib": ("", MODELS / "smtlib" / "example.smt2"),
    "wcnf": ("", GOLDEN / "example.wcnf"),
}
EACH_LANGUAGE = pytest.mark.parametrize("name", sorted(WRITERS))
EACH_CLAUSE_LANGUAGE = pytest.mark.parametrize(
    "name", sorted(n for n, w in WRITERS.items() if w.has_encoding)
)


def write(name, board, *encoding):
    return "".join(WRITERS[name].write(board, *encoding))


def test_names_and_suffixes_of_writers_are_distinct():
    """The name of a writer is its key."""
    suffixes = [writer.suffix for writer in WRITERS.values()]

    assert sorted(WRITERS) == list(WRITERS)
    assert len(set(suffixes)) == len(suffixes)
    assert set(EXAMPLES) == set(WRITERS)
    for name, writer in WRITERS.items():
        assert name == writer.name
        assert writer.suffix.startswith(".")
        assert writer.summary


@EACH_LANGUAGE
def test_the_file_of_the_example_is_unchanged(name):
    """The written files equal the examples of the catalogue and of the tests, byte for byte."""
    model_text, file = EXAMPLES[name]
    example = file.read_text(encoding="utf-8")
    line = re.search(r"mmsat (\S+)\n", example)[1]

    assert model_text + example == write(name, Board.parse(line))


@EACH_LANGUAGE
@settings(max_examples=tiers.share(15), deadline=None)
@given(board=strategies.boards(strategies.small_games()))
def test_a_file_contains_its_board_and_is_reproducible(name, board):
    text = write(name, board)

    assert f" mmsat {board}\n" in text
    assert text == write(name, board)
    assert text.endswith("\n")


@EACH_CLAUSE_LANGUAGE
@pytest.mark.parametrize("encoding", sorted(n for n, entry in ENCODINGS.items() if entry.is_native))
def test_native_encodings_are_refused(name, encoding):
    """The encoding is refused before the first piece of the file is written."""
    with pytest.raises(
        InputError,
        match=rf"expected one of .*, found '{encoding}' \(this encoding does not consist of",
    ):
        WRITERS[name].write(Board.parse("4x6/1122=1.1"), encoding)


@EACH_CLAUSE_LANGUAGE
def test_the_error_for_an_unknown_encoding_suggests_a_similar_one(name):
    with pytest.raises(
        InputError, match=r"^No such encoding 'totaliser'\. Did you mean 'totalizer'\?$"
    ):
        WRITERS[name].write(Board.parse("4x6"), "totaliser")


@EACH_CLAUSE_LANGUAGE
@pytest.mark.parametrize("encoding", sorted(n for n, e in ENCODINGS.items() if not e.is_native))
def test_dimacs_is_well_formed(name, encoding):
    """The counts in the header are right, and the names of the code variables come first."""
    board = Board.parse("4x6/1122=1.1/3345=0.?/1111=?.0")
    lines = write(name, board, encoding).splitlines()
    header = next(n for n, line in enumerate(lines) if line.startswith("p "))
    names = [line.split()[2:] for line in lines if line.startswith("c varname ")]
    clauses = [list(map(int, line.split())) for line in lines[header + 1 :]]
    _, kind, variables, count, *top = lines[header].split()
    num_weights = len(top)

    assert kind == name
    assert int(count) == len(clauses)
    assert int(variables) == max(abs(n) for clause in clauses for n in clause[num_weights:])
    assert all(clause[-1] == 0 and 0 not in clause[:-1] for clause in clauses)
    assert [
        [str(1 + 6 * peg + color), f"peg{peg + 1}color{color + 1}"]
        for peg in range(4)
        for color in range(6)
    ] == names[:24]
    assert all(line.startswith("c ") for line in lines[:header])


@settings(max_examples=tiers.share(40), deadline=None)
@given(
    strategies.boards(strategies.small_games(3, 3)), st.sampled_from(["sequential", "totalizer"])
)
def test_the_optimum_of_wcnf_is_the_minimum_number_of_wrong_rows(board, encoding):
    """The code of the solution has this number of wrong rows."""
    with RC2(WCNF(from_string=write("wcnf", board, encoding))) as solver:
        values = solver.compute()
        cost = solver.cost
    bits = "".join("1" if value > 0 else "0" for value in values)
    solution = read_solution(f"o {cost}\ns OPTIMUM FOUND\nv {bits}\n", board.game)

    assert cost == twins.least_wrong(board)
    assert solution.cost == cost
    assert len(twins.wrong_rows(board, solution.code)) == cost


def test_long_sums_and_comments_of_lp_are_wrapped():
    """The LP format limits lines to 510 characters."""
    rng = random.Random(3)
    game = Game(60, 30)
    guesses = [tuple(rng.choices(range(30), k=60)) for _ in range(5)]
    board = Board(game, tuple(Row(guess, game.score(guesses[0], guess)) for guess in guesses))
    lines = "".join(WRITERS["lp"].export(board)).splitlines()

    assert len(str(board)) > 510
    assert max(map(len, lines)) <= 510
    comments = "".join(line.removeprefix("\\ ") for line in lines if line.startswith("\\"))
    origin = f"mmsat {mmsat.__version__}: mmsat encode {board} --to lp"
    assert comments == f"{WRITERS['lp'].summary}{origin}mmsat {board}"
