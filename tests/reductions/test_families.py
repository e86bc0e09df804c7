"""Laws of all families: equal arguments give equal boards, and the stated status is true."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from mmsat.errors import InputError, SizeError
from mmsat.game.board import Status
from mmsat.reductions import families
from mmsat.reductions.families import FAMILIES, Generated, ReductionFamily, generate
from mmsat.reductions.reduce import REDUCTIONS
from mmsat.reductions.samples import Answer
from mmsat.solving import find_engine
from mmsat.solving.deadline import Deadline
from mmsat.studies.measure import solve
from tests.support import tiers, twins
from tests.support.cli_runner import environment

FAMILIES_WITH_ANSWERS = [
    (family, answer) for family in FAMILIES.values() for answer in family.answers
]
MAX_LISTED_CODES = 5000
MAX_SECONDS = 2.0
CP_WORK = 0.2
each_answer = pytest.mark.parametrize(
    ("family", "answer"), FAMILIES_WITH_ANSWERS, ids=lambda item: getattr(item, "name", item)
)


def min_size(family, answer):
    """Return the minimum size at which the family has boards with the answer.

    Of random boards of one or two pegs, hardly any are inconsistent.
    """
    return family.min_size + 2 * family.is_drawn_by_search(answer)


def test_every_reduction_has_a_family():
    reduced = {name for name, family in FAMILIES.items() if isinstance(family, ReductionFamily)}
    assert reduced == set(REDUCTIONS)


@each_answer
def test_equal_arguments_give_equal_boards(family, answer):
    boards = [str(family.make(min_size(family, answer) + 1, 3, answer).board) for _ in range(2)]
    assert boards[0] == boards[1]
    boards_of_seeds = {str(family.make(family.size, seed, answer).board) for seed in range(6)}
    assert len(boards_of_seeds) > 1


def test_a_process_with_another_hash_seed_makes_the_same_boards():
    script = (
        "from mmsat.reductions.families import FAMILIES\n"
        "for f in FAMILIES.values():\n"
        "    for a in f.answers:\n"
        "        print(f.make(f.min_size + 3, 2, a).board)\n"
    )
    boards = [
        str(family.make(family.min_size + 3, 2, answer).board)
        for family, answer in FAMILIES_WITH_ANSWERS
    ]
    for seed in range(1, 1 + tiers.share(3)):
        completed = subprocess.run(
            [sys.executable, "-c", script],
            env=environment(PYTHONHASHSEED=str(seed)),
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        assert completed.stdout.splitlines() == boards


@each_answer
def test_the_status_is_the_requested_answer(family, answer):
    """The constructor of Generated checks that the planted code is consistent."""
    for seed in range(5):
        generated = family.make(min_size(family, answer) + seed, seed, answer)
        if str(answer) in ("consistent", "inconsistent"):
            assert str(generated.status) == answer
        if generated.witness is not None:
            assert generated.board.missed(generated.witness) == ()
        assert all(generated.recipe)
        assert generated.is_verdict_searched == family.is_drawn_by_search(answer)


@each_answer
def test_small_boards_have_the_stated_status(family, answer):
    num_listed = 0
    smallest = min_size(family, answer)
    for size in range(smallest, smallest + 4):
        generated = family.make(size, 1, answer)
        if generated.board.game.size <= MAX_LISTED_CODES:
            codes = twins.consistent(generated.board)
            num_listed += 1
            if generated.status is not Status.UNKNOWN:
                assert bool(codes) == (generated.status is Status.CONSISTENT)
            assert (generated.witness is None) or generated.witness in codes
    if isinstance(family, ReductionFamily):
        assert num_listed or family.make(smallest, 1, answer).board.game.size > MAX_LISTED_CODES
    else:
        assert num_listed


@each_answer
def test_cp_sat_agrees_with_the_status_of_small_boards(family, answer):
    """The budget is deterministic work, so that a slow machine tests as much."""
    for size in (min_size(family, answer) + 1, (2 * family.min_size + family.size) // 3):
        generated = family.make(size, 1, answer)
        solution = solve("cp", generated.board, CP_WORK)
        assert len({generated.status, solution.status} - {Status.UNKNOWN}) <= 1


@pytest.mark.slow
@each_answer
def test_the_engine_auto_agrees_with_the_status_of_medium_sized_boards(family, answer):
    generated = family.make((family.min_size + family.size) // 2, 1, answer)
    decision = find_engine("auto").decide(generated.board, Deadline(MAX_SECONDS), 1)
    assert len({generated.status, decision.status} - {Status.UNKNOWN}) <= 1


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
        (row,) = [
            number
            for number, (planted_row, slipped_row) in enumerate(pairs)
            if planted_row != slipped_row
        ]
        assert pairs[row][0].guess == pairs[row][1].guess
        assert twins.wrong_rows(slipped, planted.witness) == [row]
        assert slipped.game.scoring.flaw(6, slipped.rows[row].score) is None


def test_a_search_for_an_inconsistent_board_ends_with_what_it_found(monkeypatch):
    with pytest.raises(SizeError, match=r"1,000 were consistent and 0 undecided\. Use more rows"):
        generate("six-colors", 4, rows=0, answer="inconsistent")
    monkeypatch.setattr(families, "MAX_FAILURES", 100)
    with pytest.raises(SizeError, match=r"of 5 boards .* 0 were consistent and 5 undecided"):
        generate("six-colors", 30, answer="inconsistent")


def test_the_number_of_random_rows_can_be_chosen():
    for count in (0, 1, 7):
        assert len(FAMILIES["six-colors"].make(5, 0, Answer.ANY, count).board.rows) == count
        assert (
            len(FAMILIES["random-two-color"].make(5, 0, Answer.ANY, count).board.rows) == count + 1
        )


def test_a_longer_board_of_a_seed_starts_with_the_rows_of_a_shorter_one():
    """A study relies on this when it adds rows to a board one by one."""
    family = FAMILIES["six-colors"]
    shorter, longer = (family.make(6, 4, Answer.CONSISTENT, rows).board for rows in (3, 8))
    assert longer.rows[:3] == shorter.rows


@pytest.mark.parametrize("family", ["six-colors", "random-two-color"])
def test_independent_rows_are_scored_by_rearrangements_of_one_code(family):
    """Black plus white depends only on the colors of the code, which are the same in all rows."""
    board = FAMILIES[family].make(12, 5, Answer.ANY, 30).board
    colors = range(board.game.colors)
    pegs_per_color = 12 // len(colors)
    for guess, score in board.rows:
        assert sum(score) == sum(min(pegs_per_color, guess.count(color)) for color in colors)
    assert not any(board.is_consistent(guess) for guess, _ in board.rows)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("six-colours", 5), "six-colors"),
        (
            ("six-colors", 10**9),
            (
                "the family six-colors: expected a size from 1 to 100,000, found 1000000000 "
                "(the unit of the size is pegs)"
            ),
        ),
        (("sat", 5), "from 6"),
        (("sat", 10**6), "from 6"),
    ],
)
def test_wrong_arguments_are_reported(arguments, message):
    with pytest.raises(InputError) as caught:
        generate(*arguments)
    assert message in str(caught.value)


def test_all_faults_of_the_arguments_are_reported_at_once():
    with pytest.raises(InputError) as caught:
        generate("sat", 1, rows=3, answer="slipped")
    assert len(caught.value.faults) == 3
    with pytest.raises(InputError) as caught:
        generate("sat", answer="maybe")
    assert "slipped" in str(caught.value)


def test_mmsat_generate_makes_the_board_of_the_family():
    import mmsat.reductions

    generated = mmsat.generate("permanent", 3, seed=1, answer="consistent")
    assert isinstance(generated, Generated)
    assert generated == FAMILIES["permanent"].make(3, 1, Answer.CONSISTENT)


def test_only_whole_numbers_are_drawn(monkeypatch):
    """Fractions may be rounded differently on other machines."""

    def refuse(_):
        raise AssertionError

    for name in ("uniform", "gauss", "choices", "betavariate", "expovariate"):
        monkeypatch.setattr(random.Random, name, refuse)
    for family, answer in FAMILIES_WITH_ANSWERS:
        family.make(min_size(family, answer) + 1, 0, answer)
