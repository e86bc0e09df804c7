"""Steps, each held against a look at every code; chains, from the first row to the end."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

import mmsat
from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.diagnosis.steps.chain import WAYS, ChainBuilder, ChainContext
from mmsat.diagnosis.steps.counting import CountingPropagator
from mmsat.diagnosis.steps.entailment import Entailment
from mmsat.diagnosis.steps.premises import Premises
from mmsat.diagnosis.steps.step import LITERAL, ROW, TRY, Step, Way
from mmsat.diagnosis.steps.stepwise import find_steps
from mmsat.errors import InternalError
from mmsat.game.scoring import SCORINGS
from mmsat.library import instances
from mmsat.results.verdict import Status
from mmsat.solving.brute import Brute
from mmsat.solving.deadline import Deadline
from tests import twins
from tests.laws.random_boards import (
    EVERY_SPACE,
    inconsistent_boards,
    known_boards,
    scorings_of,
    spaces_of,
)
from tests.tiers import at_least, share

CLASSIC = [
    each for each in instances() if each.family in ("classic", "mistakes") and each.board.rows
]
SMALL = {"pegs": 4, "colors": 4, "rows": 5}


def explained(board):
    """The plan and the steps that are needed, made in this process."""
    code = Brute().decide(board, Deadline()).code
    plan, *_, steps = find_steps(board, code)
    return plan, steps


def check_step(board, step, given):
    """By a look at every code: what is found is true of all codes that do what is used."""
    variables = board.game.variables
    assert set(step.literals) <= set(given), "only earlier literals are used"
    left = twins.consistent(board.only(step.rows))
    left = [
        code for code in left if all(twins.holds(variables, each, code) for each in step.literals)
    ]
    for code in left:
        assert step.found, "no code is left"
        assert all(twins.holds(variables, each, code) for each in step.found)
    if step.supposed is None:
        assert not step.steps
        return
    assert step.found == (-step.supposed,)
    assert step.way is Way.SUPPOSING
    assert not step.steps[-1].found
    inside = [*step.literals, step.supposed]
    for each in step.steps:
        assert set(each.rows) <= set(step.rows)
        check_step(board, each, inside)
        inside += each.found


def check_chain(board, steps):
    """Each step rests on earlier ones, and something later rests on it."""
    given = []
    for step in steps:
        check_step(board, step, given)
        given += step.found
    return given


def test_random_boards_are_of_every_kind():
    boards = [board for board, _ in known_boards(share(700), seed=61, **SMALL)]
    assert spaces_of(boards) == EVERY_SPACE
    assert scorings_of(boards) == {*SCORINGS}


def test_what_all_codes_share_follows_step_by_step():
    """The goals are all forced colors of pegs and counts, but for what goes with them."""
    several = 0
    for board, codes in known_boards(share(700), seed=61, **SMALL):
        if not codes:
            continue
        plan, steps = explained(board)
        given = check_chain(board, steps)
        variables = board.game.variables
        assert set(plan.goals) <= set(given)
        rest = set(plan.goals).union(*(step.literals for step in steps))
        assert all(set(step.found) & rest == set(step.found) for step in steps), "no idle step"
        alike = [
            code
            for code in twins.codes(board.game)
            if all(twins.holds(variables, each, code) for each in plan.goals)
        ]
        for peg in range(board.game.pegs):
            if len({code[peg] for code in codes}) == 1:
                assert len({code[peg] for code in alike}) == 1
        for color in range(board.game.colors):
            if len({code.count(color) for code in codes}) == 1:
                assert len({code.count(color) for code in alike}) == 1
        several += len(steps) > 3
    assert several > at_least(20)


def test_contradictions_follow_step_by_step():
    for board in inconsistent_boards(share(250), seed=62, **SMALL):
        plan, steps = explained(board)
        assert plan.conflict in twins.minimal_conflicts(board)
        check_chain(board, steps)
        assert not steps[-1].found
        assert all(step.found for step in steps[:-1])
        assert set(plan.conflict) == {row for step in steps for row in step.rows}
        needed = {literal for step in steps for literal in step.literals}
        assert all(set(step.found) <= needed for step in steps)


def test_counting_concludes_only_what_is_true_of_all_codes():
    """Long rows of few colors too: there the counts of a color are told with gaps."""
    rng = random.Random(63)
    concluded = 0
    few_colors = known_boards(share(150), seed=70, pegs=6, colors=3, rows=5)
    for board, _ in (*known_boards(share(250), seed=64, **SMALL), *few_colors):
        variables = board.game.variables
        counting = CountingPropagator(System.of(board))
        every = list(twins.codes(board.game))
        secret = rng.choice(every)
        for _ in range(4):
            rows = tuple(row for row in range(len(board.rows)) if rng.random() < 0.5)
            true = [
                literal if twins.holds(variables, literal, secret) else -literal
                for literal in range(1, 2 * variables.pegs * variables.colors + 1)
            ]
            told = rng.sample(true, min(len(true), rng.randint(0, 3)))
            left = [
                code
                for code in twins.consistent(board.only(rows))
                if all(twins.holds(variables, each, code) for each in told)
            ]
            state = counting.propagate(told, rows)
            if not state.is_possible:
                assert not left
                continue
            for literal in counting.literals(state):
                assert all(twins.holds(variables, literal, code) for code in left), (
                    str(board),
                    literal,
                )
                concluded += 1
    assert concluded > at_least(5000)


def test_with_all_pegs_known_counting_decides():
    """So that some depth of suppositions is always enough."""
    for board, codes in known_boards(share(150), seed=65, pegs=3, colors=3, rows=4):
        variables = board.game.variables
        counting = CountingPropagator(System.of(board))
        rows = tuple(range(len(board.rows)))
        for code in twins.codes(board.game):
            told = [variables.at(peg, color) for peg, color in enumerate(code)]
            is_right = [counting.propagate(told, (row,)).is_possible for row in rows]
            assert all(is_right) == (code in codes)


def test_smallest_premises_are_smallest():
    """Against all subsets, for random questions that ever fewer sets answer."""
    rng = random.Random(66)
    for _ in range(share(200)):
        known = list(range(1, rng.randint(2, 9)))
        answers = [
            frozenset(rng.sample(known, rng.randint(1, len(known))))
            for _ in range(rng.randint(1, 6))
        ]
        premises = Premises()
        while answers:

            def is_enough(some, answers=tuple(answers)):
                return any(each <= set(some) for each in answers)

            least = min(map(len, answers))
            most = rng.randint(0, len(known))
            found = premises.smallest(known, most, is_enough)
            assert premises.is_optimal
            assert (found is None) == (least > most)
            if found is not None:
                assert is_enough(found)
                assert len(found) == least
            answers.remove(min(answers, key=len))


def cheaper(chain, cost):
    """Whether some rows and earlier literals tell something for less: a look at all subsets."""
    for way, size in WAYS:
        for rows in combinations(chain.rows, size):
            ask = chain.is_news(rows) if way is Way.COUNTING else chain.is_refutable(rows)
            if ask is None:
                continue
            left = cost - 1 - ROW * size - TRY * (way is Way.FAILED_LITERAL)
            for many in range(min(left // LITERAL, 3, len(chain.literals)) + 1):
                if any(ask(some) for some in combinations(chain.literals, many)):
                    return True
    return False


def test_optimal_steps_are_the_cheapest():
    """On all rows of boards with and without codes, as long as subsets are few."""
    checked = 0
    for board, codes in known_boards(share(120), seed=67, pegs=4, colors=4, rows=4):
        system = System.of(board)
        backbone = Entailment(board, system).backbone(codes[0]) if codes else None
        chain = ChainBuilder(ChainContext(system, backbone), tuple(range(len(board.rows))))
        while not chain.is_done() and len(chain.literals) < 9:
            step = chain.by_rows()
            if step is None:
                break
            if step.is_optimal and step.found:
                assert not cheaper(chain, step.cost), (str(board), step)
                checked += 1
            chain.take(step)
    assert checked > at_least(60)


def test_classic_boards_are_explained_in_few_steps():
    for instance in CLASSIC[:: len(CLASSIC) // share(len(CLASSIC))]:
        plan, steps = explained(instance.board)
        entailment = Entailment(instance.board, System.of(instance.board))
        for step in steps:
            entailment.verify(step)
        inside = [each for step in steps for each in step.walk() if each.supposed is None]
        assert all(len(each.rows) <= 2 for each in inside)
        assert max((step.depth for step in steps), default=0) <= 2
        assert len(steps) <= 25
        assert (not plan.conflict) == (instance.verdict == "consistent")


def test_a_wrong_step_is_refused():
    board = Board.parse("4x6/1122=1.1/3345=0.2")
    entailment = Entailment(board, System.of(board))
    variables = board.game.variables
    right = Step((0, 1), (), (-variables.least(5, 1),), Way.COUNTING, is_optimal=True)
    entailment.verify(right)
    for wrong in (
        Step((0,), (), right.found, Way.COUNTING, is_optimal=True),
        Step((0, 1), (), (-variables.least(4, 1),), Way.COUNTING, is_optimal=True),
        Step((0, 1), (), (), Way.COUNTING, is_optimal=True),
    ):
        with pytest.raises(InternalError, match="does not follow"):
            entailment.verify(wrong)


def test_sat_checks_what_the_search_checks():
    for board in inconsistent_boards(20, seed=68, **SMALL):
        _, steps = explained(board)
        by_sat = Entailment(board, System.of(board), slices=0)
        for step in steps:
            by_sat.verify(step)
        assert not steps[-1].found
        assert by_sat.code(range(len(board.rows)), ()) is None


@pytest.mark.parametrize(
    ("line", "steps", "cost"),
    [
        ("4x6/1122=1.1/3345=0.2", 1, 20),
        ("4x6/1111=1.0/2222=1.0/3333=1.0/4444=1.0/5555=1.0", 4, 53),
        ("4x6/1122=5.0", 1, 10),
        ("4x6/1122=1.1/1122=0.2", 1, 20),
        ("4x6", 0, 0),
        ("3x26o/CAT=RLE/CAB=LLL", 1, 20),
    ],
)
def test_steps_that_can_be_told_by_eye(line, steps, cost):
    found = mmsat.steps(Board.parse(line))
    assert found.is_complete
    assert (len(found.steps), found.cost) == (steps, cost), found


def test_the_same_board_is_explained_alike():
    for board in inconsistent_boards(20, seed=69, **SMALL):
        assert explained(board) == explained(board)


@pytest.mark.long
def test_a_deadline_keeps_what_is_known():
    board = next(each.board for each in instances() if each.name == "hard/six-colors-14-slipped")
    found = mmsat.steps(board, timeout=3)
    assert not found.is_complete
    assert found.seconds < 30
    gone = mmsat.steps(board, timeout=0)
    assert (gone.status, gone.steps) == (Status.UNKNOWN, ())


MOST = {"classic": 4, "mistakes": 14}
"""Steps of the longest explanation in a family of the library when this was written."""


@pytest.mark.parametrize("family", ["classic", pytest.param("mistakes", marks=pytest.mark.slow)])
def test_no_explanation_of_the_library_has_grown(family):
    """Each of the inconsistent boards that people play."""
    steps = [
        len(mmsat.steps(instance.board).steps)
        for instance in instances(family)
        if mmsat.check(instance.board, reason=False).is_consistent is False
    ]
    assert steps
    assert max(steps) <= MOST[family]
