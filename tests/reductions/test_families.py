"""Laws for all families: the same request gives the same bytes, and the stated status is true."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from mmsat.errors import InputError
from mmsat.game.board import Status
from mmsat.reductions.families import FAMILIES, Generated, ReductionFamily, generate
from mmsat.reductions.reduce import REDUCTIONS
from mmsat.reductions.samples import Answer
from mmsat.solving import find_engine
from mmsat.solving.deadline import Deadline
from mmsat.studies.measure import solve
from tests.support import tiers, twins
from tests.support.cli_runner import environment

EVERY = [(family, answer) for family in FAMILIES.values() for answer in family.answers]
SMALL = 5000  # codes that a twin may list
SECONDS = 2.0
WORK = 0.2
each_answer = pytest.mark.parametrize(
    ("family", "answer"), EVERY, ids=lambda item: getattr(item, "name", item)
)


def test_every_reduction_has_a_family():
    reduced = {name for name, family in FAMILIES.items() if isinstance(family, ReductionFamily)}
    assert reduced == set(REDUCTIONS)


@each_answer
def test_the_same_request_gives_the_same_board(family, answer):
    again = [str(family.make(family.min_size + 1, 3, answer).board) for _ in range(2)]
    assert again[0] == again[1]
    others = {str(family.make(family.size, seed, answer).board) for seed in range(6)}
    assert len(others) > 1


def test_another_process_with_other_hashes_makes_the_same_boards():
    code = (
        "from mmsat.reductions.families import FAMILIES\n"
        "for f in FAMILIES.values():\n"
        "    for a in f.answers:\n"
        "        print(f.make(f.min_size + 1, 2, a).board)\n"
    )
    here = [str(family.make(family.min_size + 1, 2, answer).board) for family, answer in EVERY]
    for seed in range(1, 1 + tiers.share(3)):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment(PYTHONHASHSEED=str(seed)),
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        assert done.stdout.splitlines() == here


@each_answer
def test_the_status_is_what_the_answer_promises(family, answer):
    """A planted code scores right (the constructor of Generated sees to it)."""
    for seed in range(5):
        sample = family.make(family.min_size + seed, seed, answer)
        if str(answer) in ("consistent", "inconsistent"):
            assert str(sample.status) == answer
        if sample.witness is not None:
            assert sample.board.missed(sample.witness) == ()
        assert all(sample.recipe)


@each_answer
def test_small_boards_have_the_stated_status_by_definition(family, answer):
    seen = 0
    for size in range(family.min_size, family.min_size + 4):
        sample = family.make(size, 1, answer)
        if sample.board.game.size <= SMALL:
            codes = twins.consistent(sample.board)
            seen += 1
            if sample.status is not Status.UNKNOWN:
                assert bool(codes) == (sample.status is Status.CONSISTENT)
            assert (sample.witness is None) or sample.witness in codes
    if isinstance(family, ReductionFamily):
        assert seen or family.make(family.min_size, 1, answer).board.game.size > SMALL
    else:
        assert seen


@each_answer
def test_a_solver_agrees_on_boards_of_small_size(family, answer):
    """The budget is work and not time, so that a slow machine tests as much."""
    for size in (family.min_size + 1, (2 * family.min_size + family.size) // 3):
        sample = family.make(size, 1, answer)
        solution = solve("cp", sample.board, WORK)
        assert len({sample.status, solution.status} - {Status.UNKNOWN}) <= 1


@pytest.mark.slow
@each_answer
def test_solvers_agree_on_boards_of_middling_size(family, answer):
    sample = family.make((family.min_size + family.size) // 2, 1, answer)
    decision = find_engine("auto").decide(sample.board, Deadline(SECONDS), 1)
    assert len({sample.status, decision.status} - {Status.UNKNOWN}) <= 1


@pytest.mark.parametrize(
    "family",
    [family for family in FAMILIES.values() if not isinstance(family, ReductionFamily)],
    ids=lambda item: item.name,
)
def test_a_slip_changes_one_score(family):
    for seed in range(20):
        planted = family.make(6, seed, Answer.CONSISTENT)
        slipped = family.make(6, seed, Answer.SLIPPED).board
        pairs = list(zip(planted.board.rows, slipped.rows, strict=True))
        (row,) = [number for number, (one, other) in enumerate(pairs) if one != other]
        assert pairs[row][0].guess == pairs[row][1].guess
        assert twins.wrong_rows(slipped, planted.witness) == [row]
        assert slipped.game.scoring.flaw(6, slipped.rows[row].score) is None


def test_rows_can_be_chosen_where_they_are_random():
    for count in (0, 1, 7):
        assert len(FAMILIES["six-colors"].make(5, 0, Answer.ANY, count).board.rows) == count
        assert (
            len(FAMILIES["random-two-color"].make(5, 0, Answer.ANY, count).board.rows) == count + 1
        )


def test_longer_boards_of_a_seed_start_with_the_shorter_ones():
    """So that a study can grow a board row by row, and compare planted boards of any length."""
    family = FAMILIES["six-colors"]
    short, long = (family.make(6, 4, Answer.CONSISTENT, rows).board for rows in (3, 8))
    assert long.rows[:3] == short.rows


@pytest.mark.parametrize("family", ["six-colors", "random-two-color"])
def test_independent_rows_are_scored_by_rearrangements_of_one_code(family):
    """Black plus white depends on the colors of the code only, which are the same here."""
    created = FAMILIES[family].make(12, 5, Answer.ANY, 30).board
    colors = range(created.game.colors)
    pegs_per_color = 12 // len(colors)
    for guess, score in created.rows:
        assert sum(score) == sum(min(pegs_per_color, guess.count(color)) for color in colors)
    assert not any(created.is_consistent(guess) for guess, _ in created.rows)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("six-colours", 5), "six-colors"),
        (
            ("six-colors", 10**9),
            (
                "the options: expected a size from 1 to 100,000, found 1000000000 "
                "(the unit of the size is pegs)"
            ),
        ),
        (("sat", 5), "from 6"),
        (("sat", 10**6), "from 6"),
    ],
)
def test_a_wrong_request_is_reported(arguments, named):
    with pytest.raises(InputError) as caught:
        generate(*arguments)
    assert named in str(caught.value)


def test_all_faults_of_a_request_are_reported_at_once():
    with pytest.raises(InputError) as caught:
        generate("sat", 1, rows=3, answer="slipped")
    assert len(caught.value.faults) == 3
    with pytest.raises(InputError) as caught:
        generate("sat", answer="maybe")
    assert "slipped" in str(caught.value)


def test_the_package_is_the_function():
    import mmsat.reductions

    generated = mmsat.generate("permanent", 3, seed=1, answer="consistent")
    assert isinstance(generated, Generated)
    assert generated == FAMILIES["permanent"].make(3, 1, Answer.CONSISTENT)


def test_nothing_is_drawn_as_a_fraction(monkeypatch):
    """Whole numbers only: fractions may be rounded differently elsewhere."""

    def refuse(_):
        raise AssertionError

    for name in ("uniform", "gauss", "choices", "betavariate", "expovariate"):
        monkeypatch.setattr(random.Random, name, refuse)
    for family, answer in EVERY:
        family.make(family.min_size + 1, 0, answer)
