"""The studies: measured once, written at once, resumed, summed up and drawn."""

from __future__ import annotations

import math

import pytest

from mmsat.board import Board
from mmsat.errors import InputError, InternalError
from mmsat.generators.generate import FAMILIES
from mmsat.reductions.samples.sample import Answer
from mmsat.render import plots
from mmsat.results.verdict import Status
from mmsat.studies import growth, transition
from mmsat.studies.effort import SOLVER, count_steps, measure, measure_steps
from mmsat.studies.table import Table
from tests import twins
from tests.cli.runner import run


def silent(_):
    """Tell nobody."""


def test_the_same_board_takes_the_same_steps():
    board = FAMILIES["random-two-color"].make(14, 1, Answer.ANY).board
    first = count_steps(board)
    assert first == count_steps(board) == measure_steps(board, 20.0)
    assert first.conflicts > 0
    assert first.is_decided


def test_the_budget_is_kept():
    board = FAMILIES["random-two-color"].make(40, 1, Answer.SLIPPED).board
    effort = count_steps(board, 50)
    assert not effort.is_decided
    assert effort.status is Status.UNKNOWN
    assert 50 <= effort.conflicts <= 60


def test_a_verdict_that_denies_the_construction_is_a_bug():
    with pytest.raises(InternalError, match="say consistent, inconsistent"):
        measure(Board.parse("4x6/1122=1.1"), Status.INCONSISTENT, 5.0, 0)


def test_tables_keep_what_is_there(tmp_path):
    path = tmp_path / "table.csv"
    table = Table(path, ("name", "size", "value"), 2)
    assert not path.exists()
    table.add({"name": "a", "size": 1, "value": None})
    table.add({"name": "b", "size": 2, "value": 0.5})
    with path.open("a") as file:
        file.write("c,3,1")  # an interruption, perhaps of a longer number
    again = Table(path, ("name", "size", "value"), 2)
    assert [line["name"] for line in again] == ["a", "b"]
    assert again.find("b", 2) == {"name": "b", "size": "2", "value": "0.5"}
    assert again.find("c", 3) is None
    assert path.read_text() == "name,size,value\na,1,\nb,2,0.5\n"
    with pytest.raises(InputError, match="table of this study"):
        Table(path, ("name", "value"), 1)


@pytest.mark.long
def test_growth_is_resumed(tmp_path, monkeypatch):
    settings = {"seconds": 5.0, "seed": 0, "on_progress": silent, "steps": 1}
    first = growth.study(tmp_path, ["lies", "permanent"], **settings)
    text = first.path.read_text()
    assert len(first.lines) == 4 * growth.BOARDS
    monkeypatch.setattr(growth, "measure", None)  # nothing is measured again
    assert growth.study(tmp_path, ["lies", "permanent"], **settings).lines == first.lines
    assert first.path.read_text() == text
    for (_, answer), points in growth.curves(first, "seconds").items():
        assert answer in {"consistent", "inconsistent", "slipped"}
        assert [point.low <= point.middle <= point.high for point in points] == [True]


@pytest.mark.long
def test_transition_agrees_with_a_list_of_all_codes(tmp_path):
    sizes = {"random-two-color": (6,), "six-colors": (3,)}
    table = transition.study(
        tmp_path, seconds=20.0, seed=3, on_progress=silent, boards=4, sizes=sizes
    )
    assert len(table.lines) == 4 * sum(
        len(transition.list_row_counts(family, pegs)) for family, (pegs,) in sizes.items()
    )
    for line in table:
        pegs, rows, seed = (int(line[key]) for key in ("pegs", "rows", "seed"))
        most = transition.list_row_counts(line["family"], pegs)[-1]
        full = FAMILIES[line["family"]].make(pegs, seed, Answer.ANY, most).board
        board = full.only(range(len(full.rows) - most + rows))
        assert line["consistent"] == str(int(bool(twins.consistent(board))))
    for by_size in transition.curves(table).values():
        for shares in by_size.values():
            assert shares[0].consistent == 1.0
            parts = [share.consistent for share in shares]
            assert parts == sorted(parts, reverse=True)
            assert all(share.low <= share.consistent <= share.high for share in shares)


def test_quartiles():
    assert growth.quartiles([1, 2, 3, 4, 5]) == (2, 3, 4)
    assert growth.quartiles([1, 2]) == (1.25, 1.5, 1.75)
    assert growth.quartiles([7]) == (7, 7, 7)


def test_wilson():
    """Values from the formula's paper trail: 0 of 10 and 5 of 10."""
    assert transition.wilson(0, 10) == pytest.approx((0.0, 0.27753), abs=1e-4)
    assert transition.wilson(5, 10) == pytest.approx((0.23659, 0.76341), abs=1e-4)
    assert transition.wilson(0, 0) == (0.0, 1.0)


def test_the_expected_number_of_codes_for_two_colors_by_its_definition():
    """One row on average leaves C(n, k) p codes; p by all pairs of codes and all guesses."""
    pegs = 4
    family = FAMILIES["random-two-color"]
    codes = [code for code in twins.codes(family.game(pegs)) if sum(code) == 2]
    guesses = list(twins.codes(family.game(pegs)))
    score = family.game(pegs).score
    same = sum(
        score(one, guess) == score(other, guess)
        for one in codes
        for other in codes
        for guess in guesses
    )
    chance = same / len(codes) ** 2 / len(guesses)
    expected = math.log(len(codes)) / -math.log(chance) / pegs
    assert transition.first_moment("random-two-color", pegs) == pytest.approx(expected)


@pytest.mark.long
def test_the_command_measures_draws_and_goes_on(tmp_path):
    request = ("bench", "hardness", "--families", "lies,six-colors", "--seconds", "2")
    request += ("--steps", "1", "--boards", "2", "--most", "6", "-o", tmp_path)
    first = run(*request)
    assert first.exit_code == 0
    names = {"growth", "growth-effort", "transition"}
    wanted = {f"{name}{suffix}" for name in names for suffix in plots.SUFFIXES}
    wanted |= {"growth.csv", "transition.csv"}
    assert {path.name for path in tmp_path.iterdir()} == wanted
    assert {line.rpartition("/")[2] for line in first.stdout.splitlines()} == wanted
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert run(*request).exit_code == 0
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    svg = before["transition.svg"].decode()
    assert "<dc:date>" not in svg
    assert SOLVER == "minicard"


def test_an_interruption_keeps_what_is_there(tmp_path, monkeypatch):
    real = transition.measure_steps
    calls = []

    def interrupted(*arguments):
        calls.append(1)
        if len(calls) > 5:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(transition, "measure_steps", interrupted)
    result = run("bench", "hardness", "--part", "transition", "--most", "6", "-o", tmp_path)
    assert result.exit_code == 130
    assert "goes on" in result.stderr
    assert len((tmp_path / "transition.csv").read_text().splitlines()) == 6
    assert (tmp_path / "transition.svg").exists()


def test_a_family_that_is_not_there_is_told():
    result = run("bench", "hardness", "--families", "lies,six-colours")
    assert result.exit_code == 2
    assert "six-colors" in result.stderr
