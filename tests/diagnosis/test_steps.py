"""Steps are compared with a trial of every code; chains, with their rules and their goals."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations

import pytest

import mmsat
from mmsat.constraints import System
from mmsat.constraints.domains import Infeasibility
from mmsat.constraints.presolve_state import Problem
from mmsat.constraints.presolve_steps import propagate
from mmsat.diagnosis.steps import Difficulty, Step, Steps, Way
from mmsat.diagnosis.steps.chain import (
    MAX_HITTING_SET_SIZE,
    ChainBuilder,
    minimize,
    replay_steps,
    smallest_premises,
)
from mmsat.diagnosis.steps.rules import CountingPropagator, Rules, holds
from mmsat.diagnosis.steps.stepwise import Entailment, find_steps
from mmsat.errors import InternalError
from mmsat.game.board import Board, Status
from mmsat.game.library import instances
from mmsat.solving.deadline import Deadline
from mmsat.solving.searches import Brute
from tests.support import twins
from tests.support.random_boards import inconsistent_boards, known_boards, random_board
from tests.support.tiers import at_least, share

CLASSIC = [
    instance
    for instance in instances()
    if instance.family in ("classic", "mistakes") and instance.board.rows
]
SMALL = {"pegs": 4, "colors": 4, "rows": 5}


def explained(board):
    """Return the plan and the shortened chain of steps, found in this process."""
    code = Brute().decide(board, Deadline()).code
    plan, *_, steps = find_steps(board, code)
    return plan, steps


def test_counting_concludes_only_what_is_true_of_all_codes():
    """Long rows of few colors are included, in which the known counts of a color have gaps."""
    rng = random.Random(63)
    num_concluded = 0
    few_colors = known_boards(share(150), seed=70, pegs=6, colors=3, rows=5)
    for board, _ in (*known_boards(share(250), seed=64, **SMALL), *few_colors):
        variables = board.game.variables
        propagator = CountingPropagator(System.of(board))
        secret = rng.choice(list(twins.codes(board.game)))
        for _ in range(4):
            rows = tuple(row for row in range(len(board.rows)) if rng.random() < 0.5)
            true = [
                literal if twins.holds(variables, literal, secret) else -literal
                for literal in range(1, 2 * variables.pegs * variables.colors + 1)
            ]
            given = rng.sample(true, min(len(true), rng.randint(0, 3)))
            remaining = [
                code
                for code in twins.consistent(board.only(rows))
                if all(twins.holds(variables, literal, code) for literal in given)
            ]
            state = propagator.propagate(given, rows)
            if not state.is_possible:
                assert not remaining
                continue
            for literal in propagator.literals(state):
                assert all(twins.holds(variables, literal, code) for code in remaining), (
                    str(board),
                    literal,
                )
                num_concluded += 1
    assert num_concluded > at_least(5000)


def test_counting_concludes_all_that_presolve_propagates():
    """Counting also subtracts rows, so it may conclude more."""
    num_concluded = num_refuted = 0
    rng = random.Random(90)
    for _ in range(share(400)):
        board = random_board(rng, pegs=6, colors=5, rows=6)
        system = System.of(board)
        state = CountingPropagator(system).propagate((), tuple(range(len(board.rows))))
        presolved = propagate(Problem.of(system))
        if isinstance(presolved, Infeasibility):
            assert not state.is_possible, str(board)
            num_refuted += 1
            continue
        if not state.is_possible:
            continue
        domains, variables = presolved.problem.domains, system.variables
        for literal in range(1, 2 * variables.pegs * variables.colors + 1):
            value = domains.value(literal)
            if value is not None:
                assert holds(state, literal if value else -literal), (str(board), literal)
                num_concluded += 1
    assert num_concluded > at_least(1000)
    assert num_refuted > at_least(100)


def test_counting_decides_once_all_pegs_are_known():
    """Therefore one supposition per peg always suffices."""
    for board, codes in known_boards(share(150), seed=65, pegs=3, colors=3, rows=4):
        variables = board.game.variables
        propagator = CountingPropagator(System.of(board))
        rows = tuple(range(len(board.rows)))
        for code in twins.codes(board.game):
            literals = [variables.at(peg, color) for peg, color in enumerate(code)]
            is_satisfied = [propagator.propagate(literals, (row,)).is_possible for row in rows]
            assert all(is_satisfied) == (code in codes)


def test_the_rules_place_one_peg_per_step():
    """So each color has its own premises."""
    num_placed = 0
    for board, _ in known_boards(share(600), seed=67, **SMALL):
        is_at = board.game.variables.is_at
        _, steps = explained(board)
        inner_steps = [inner for step in steps for inner in step.walk()]
        for step in (inner for inner in inner_steps if inner.way is Way.RULES):
            placed = [literal for literal in step.found if literal > 0 and is_at(literal)]
            assert not placed or len(step.found) == 1, str(board)
            num_placed += len(placed)
    assert num_placed > at_least(20)


def test_smallest_premises_are_smallest():
    """Compared with the smallest of random sufficient sets."""
    rng = random.Random(66)
    for _ in range(share(500)):
        literals = list(range(1, rng.randint(2, 9)))
        sufficient_sets = [
            frozenset(rng.sample(literals, rng.randint(0, len(literals))))
            for _ in range(rng.randint(1, 6))
        ]

        def is_enough(literals, sufficient_sets=tuple(sufficient_sets)):
            return any(sufficient <= set(literals) for sufficient in sufficient_sets)

        result = smallest_premises(literals, is_enough)
        assert is_enough(result.literals)
        min_size = min(map(len, sufficient_sets))
        assert result.is_smallest or min_size > MAX_HITTING_SET_SIZE
        assert len(result.literals) >= min_size
        assert len(result.literals) == min_size or not result.is_smallest
        minimal = minimize(literals, is_enough)
        assert is_enough(minimal)
        assert not any(is_enough([entry for entry in minimal if entry != one]) for one in minimal)


def chains(number, seed):
    """Yield chain builders, each with all its steps, for boards with and without codes."""
    for board, codes in known_boards(number, seed=seed, pegs=4, colors=4, rows=5):
        system = System.of(board)
        backbone = Entailment(board, system).backbone(codes[0]) if codes else None
        plan, *_ = find_steps(board, codes[0] if codes else None)
        rows = plan.conflict or tuple(range(len(board.rows)))
        rules = Rules(board, system, backbone)
        chain = ChainBuilder(rules, rows, plan.goals if codes else None)
        yield chain, [*chain.build()]


def test_no_step_is_harder_than_necessary():
    """Without the hardest way of a chain, the easier ways do not complete it."""
    num_checked = 0
    for chain, steps in chains(share(600), seed=67):
        ordered_ways = chain.rules.ways(len(chain.rows))
        order = {way: number for number, way in enumerate(ordered_ways)}
        used_ways = {(step.way, len(step.rows)) for step in steps} & order.keys()
        hardest = max((order[way] for way in used_ways), default=0)
        if hardest and all(step.supposed is None for step in steps):
            assert not is_completed(chain, ordered_ways[:hardest])
            num_checked += 1
    assert num_checked > at_least(10)


def is_completed(chain, ways):
    """Return whether some ways complete the chain, by testing every literal repeatedly."""
    rules, propagator = chain.rules, chain.propagator
    literals = set(chain.given)
    variables = propagator.variables
    all_literals = range(1, 2 * variables.pegs * variables.colors + 1)
    is_new = True
    while is_new:
        is_new = False
        for way, size in ways:
            for rows in combinations(chain.rows, size):
                known = sorted(literals)
                if rules.follows(rows, way, known, ()):
                    return True
                conclusions = {
                    signed
                    for literal in all_literals
                    for signed in (literal, -literal)
                    if signed not in literals and rules.follows(rows, way, known, (signed,))
                }
                is_new |= bool(conclusions)
                literals |= conclusions
    return chain.goals is not None and literals >= set(chain.goals)


def test_no_step_of_a_shortened_chain_can_be_omitted():
    """A shortened chain has no new kinds of steps and is not longer."""
    num_shortened = 0
    for chain, steps in chains(share(300), seed=68):
        shortened = chain.shorten()
        assert len(shortened) <= len(steps)
        assert {step.way for step in shortened} <= {step.way for step in steps}
        num_shortened += len(shortened) < len(steps)
        for step in shortened:
            other_steps = [entry for entry in shortened if entry != step]
            assert replay_steps(chain.rules, other_steps, chain.given, chain.goals) is None
    assert num_shortened > at_least(20)


def test_classic_boards_are_explained_in_few_steps():
    for instance in CLASSIC[:: len(CLASSIC) // share(len(CLASSIC))]:
        plan, steps = explained(instance.board)
        entailment = Entailment(instance.board, System.of(instance.board))
        for step in steps:
            entailment.verify(step)
        all_steps = [inner for step in steps for inner in step.walk()]
        assert all(len(step.rows) <= 2 for step in all_steps if step.supposed is None)
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


def test_steps_are_also_verified_by_cp_sat():
    for board in inconsistent_boards(20, seed=68, **SMALL):
        _, steps = explained(board)
        by_cp_sat = Entailment(board, System.of(board), slices=0)
        for step in steps:
            by_cp_sat.verify(step)
        assert not steps[-1].found
        assert by_cp_sat.code(range(len(board.rows)), ()) is None


@pytest.mark.parametrize(
    ("line", "steps", "cost"),
    [
        ("4x6/1122=1.1/3345=0.2", 1, 20),
        ("4x6/1111=1.0/2222=1.0/3333=1.0/4444=1.0/5555=1.0", 5, 54),
        ("4x6/1122=5.0", 1, 10),
        ("4x6/1122=1.1/1122=0.2", 2, 24),
        ("4x6", 0, 0),
        ("3x26o/CAT=RLE/CAB=LLL", 2, 21),
    ],
)
def test_steps_of_simple_boards(line, steps, cost):
    result = mmsat.steps(Board.parse(line))
    assert result.is_complete
    assert (len(result.steps), result.cost) == (steps, cost), result


def test_explanations_are_reproducible():
    for board in inconsistent_boards(20, seed=69, **SMALL):
        assert explained(board) == explained(board)


@pytest.mark.long
def test_steps_before_the_deadline_are_kept():
    board = next(
        instance.board for instance in instances() if instance.name == "hard/six-colors-14-slipped"
    )
    steps = mmsat.steps(board, timeout=3)
    assert not steps.is_complete
    assert steps.seconds < 30
    undecided = mmsat.steps(board, timeout=0)
    assert (undecided.status, undecided.steps) == (Status.UNKNOWN, ())


MAX_STEPS = {"classic": 4, "mistakes": 11}
"""Maximum number of steps of a board, by family of the library, when this was written."""


@pytest.mark.parametrize("family", ["classic", pytest.param("mistakes", marks=pytest.mark.slow)])
def test_explanations_of_the_library_have_not_become_longer(family):
    """All inconsistent boards of games that people play."""
    step_counts = [
        len(mmsat.steps(instance.board).steps)
        for instance in instances(family)
        if mmsat.check(instance.board, reason=0).is_consistent is False
    ]
    assert step_counts
    assert max(step_counts) <= MAX_STEPS[family]


def difficulty_of(line):
    return mmsat.steps(Board.parse(line)).difficulty


@pytest.mark.parametrize(
    ("line", "grade", "steps", "rows", "cases"),
    [
        ("4x6", 1, 0, 0, 0),
        ("4x6/1123=0.0/4156=2.2", 1, 2, 1, 0),
        ("3x6/112=0.1/456=1.1", 2, 1, 2, 0),
        ("4x6b/1122=2/1133=0/2255=1", 3, 4, 1, 2),
        ("5x4/24234=2.1/33311=2.1/14214=2.0", 4, 8, 2, 4),
    ],
)
def test_the_difficulty_of_a_board(line, grade, steps, rows, cases):
    result = difficulty_of(line)
    assert (result.grade, result.steps, result.rows, result.cases) == (grade, steps, rows, cases)
    assert result.to_dict()["grade"] == mmsat.steps(Board.parse(line)).grade == grade


@pytest.mark.parametrize(
    ("line", "steps"),
    [
        ("5x8/32217=1.1/51465=0.2/32541=0.3/55435=2.1/56267=1.2/43485=1.2/25155=1.1", 8),
        ("5x8/42588=0.3/86538=1.3/81773=0.2/46758=0.4/35671=1.2/36476=0.2/45354=1.2", 10),
        ("5x8/66738=1.1/77187=0.1/12575=0.1/62132=0.2/71774=1.0/27156=1.1/37671=0.2", 11),
    ],
)
def test_one_supposition_replaces_several_with_the_same_steps(line, steps):
    """If the supposition with the fewest rows is refuted first, 6 to 9 of them are needed."""
    difficulty = difficulty_of(line)
    assert (difficulty.cases, difficulty.steps) == (1, steps)


def test_nested_suppositions_have_grade_6():
    """The steps are made by hand, because few boards need suppositions."""
    refuted = Step((0,), (1,), (), Way.COUNTING, is_optimal=True)
    once = Step.refutation(1, [refuted], ())
    twice = Step.refutation(2, [once, replace(refuted, literals=(-1, 2))], ())
    assert (Difficulty.of([once]).grade, Difficulty.of([twice]).grade) == (5, 6)
    assert Difficulty.of([once, twice]) == Difficulty(6, 6, 1, 3)


def test_incomplete_steps_have_no_grade():
    board = Board.parse("4x6/1122=1.1")
    assert Steps.unknown(board).grade is None
    assert Steps.unknown(board).to_dict()["difficulty"] is None
