"""Steps, each held against a look at every code; chains, from the first row to the end."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations

import pytest

import mmsat
from mmsat.constraints.presolve.domains import Infeasibility
from mmsat.constraints.presolve.presolve import propagate
from mmsat.constraints.presolve.problem import Problem
from mmsat.constraints.system import System
from mmsat.diagnosis.steps.chain import (
    MAX_HITTING_SET_SIZE,
    ChainBuilder,
    minimize,
    replay,
    smallest_premises,
)
from mmsat.diagnosis.steps.knowledge import Entailment
from mmsat.diagnosis.steps.propagation import CountingPropagator, holds
from mmsat.diagnosis.steps.rules import Rules
from mmsat.diagnosis.steps.step import Difficulty, Step, Way
from mmsat.diagnosis.steps.steps import Steps
from mmsat.diagnosis.steps.stepwise import find_steps
from mmsat.errors import InternalError
from mmsat.game.board import Board, Status
from mmsat.game.library import instances
from mmsat.solving.brute import Brute
from mmsat.solving.deadline import Deadline
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
    """The plan and the steps that are needed, made in this process."""
    code = Brute().decide(board, Deadline()).code
    plan, *_, steps = find_steps(board, code)
    return plan, steps


def test_counting_concludes_only_what_is_true_of_all_codes():
    """Long rows of few colors are included: there the counts of a color have gaps."""
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
            text = rng.sample(true, min(len(true), rng.randint(0, 3)))
            remaining = [
                code
                for code in twins.consistent(board.only(rows))
                if all(twins.holds(variables, entry, code) for entry in text)
            ]
            state = counting.propagate(text, rows)
            if not state.is_possible:
                assert not remaining
                continue
            for literal in counting.literals(state):
                assert all(twins.holds(variables, literal, code) for code in remaining), (
                    str(board),
                    literal,
                )
                concluded += 1
    assert concluded > at_least(5000)


def test_counting_concludes_all_that_presolve_propagates():
    """Two propagation engines: this one also subtracts rows, and never concludes less."""
    concluded = refuted = 0
    rng = random.Random(90)
    for _ in range(share(400)):
        board = random_board(rng, pegs=6, colors=5, rows=6)
        system = System.of(board)
        state = CountingPropagator(system).propagate((), tuple(range(len(board.rows))))
        presolved = propagate(Problem.of(system))
        if isinstance(presolved, Infeasibility):
            assert not state.is_possible, str(board)
            refuted += 1
            continue
        if not state.is_possible:
            continue
        domains, variables = presolved.problem.domains, system.variables
        for literal in range(1, 2 * variables.pegs * variables.colors + 1):
            value = domains.value(literal)
            if value is not None:
                assert holds(state, literal if value else -literal), (str(board), literal)
                concluded += 1
    assert concluded > at_least(1000)
    assert refuted > at_least(100)


def test_with_all_pegs_known_counting_decides():
    """So that some depth of suppositions is always enough."""
    for board, codes in known_boards(share(150), seed=65, pegs=3, colors=3, rows=4):
        variables = board.game.variables
        counting = CountingPropagator(System.of(board))
        rows = tuple(range(len(board.rows)))
        for code in twins.codes(board.game):
            texts = [variables.at(peg, color) for peg, color in enumerate(code)]
            is_right = [counting.propagate(texts, (row,)).is_possible for row in rows]
            assert all(is_right) == (code in codes)


def test_smallest_premises_are_smallest():
    """Against all subsets, for random questions."""
    rng = random.Random(66)
    for _ in range(share(500)):
        known_values = list(range(1, rng.randint(2, 9)))
        answers = [
            frozenset(rng.sample(known_values, rng.randint(0, len(known_values))))
            for _ in range(rng.randint(1, 6))
        ]

        def is_enough(some, answers=tuple(answers)):
            return any(answer <= set(some) for answer in answers)

        result = smallest_premises(known_values, is_enough)
        assert is_enough(result.literals)
        least = min(map(len, answers))
        assert result.is_smallest or least > MAX_HITTING_SET_SIZE
        assert len(result.literals) >= least
        assert len(result.literals) == least or not result.is_smallest
        few = minimize(known_values, is_enough)
        assert is_enough(few)
        assert not any(is_enough([entry for entry in few if entry != one]) for one in few)


def chains(number, seed):
    """Return whole chains with their parts, for boards with and without codes."""
    for board, codes in known_boards(number, seed=seed, pegs=4, colors=4, rows=5):
        system = System.of(board)
        backbone = Entailment(board, system).backbone(codes[0]) if codes else None
        plan, *_ = find_steps(board, codes[0] if codes else None)
        rows = plan.conflict or tuple(range(len(board.rows)))
        rules = Rules(board, system, backbone)
        chain = ChainBuilder(rules, rows, plan.goals if codes else None)
        yield chain, [*chain.build()]


def test_no_chain_has_a_harder_step_than_it_takes():
    """Simpler techniques alone, applied until nothing changes, are not sufficient."""
    checked = 0
    for chain, steps in chains(share(600), seed=67):
        every = chain.rules.ways(len(chain.rows))
        order = {entry: number for number, entry in enumerate(every)}
        ways = {(step.way, len(step.rows)) for step in steps} & order.keys()
        hardest = max((order[way] for way in ways), default=0)
        if hardest and all(step.supposed is None for step in steps):
            assert not closes(chain, every[:hardest])
            checked += 1
    assert checked > at_least(10)


def closes(chain, ways):
    """Return whether some techniques complete the proof, by querying every literal repeatedly."""
    rules, propagator = chain.rules, chain.propagator
    literals = set(chain.given)
    variables = propagator.variables
    every = range(1, 2 * variables.pegs * variables.colors + 1)
    is_new = True
    while is_new:
        is_new = False
        for way, size in ways:
            for rows in combinations(chain.rows, size):
                texts = sorted(literals)
                if rules.follows(rows, way, texts, ()):
                    return True
                results = {
                    entry
                    for literal in every
                    for entry in (literal, -literal)
                    if entry not in literals and rules.follows(rows, way, texts, (entry,))
                }
                is_new |= bool(results)
                literals |= results
    return chain.goals is not None and literals >= set(chain.goals)


def test_short_chains_can_do_without_no_step():
    """A short chain is never longer than the one it was made from."""
    shorter = 0
    for chain, steps in chains(share(300), seed=68):
        short = chain.shorten()
        assert len(short) <= len(steps)
        assert {step.way for step in short} <= {step.way for step in steps}
        shorter += len(short) < len(steps)
        for step in short:
            remainder = [entry for entry in short if entry != step]
            assert replay(chain.rules, remainder, chain.given, chain.goals) is None
    assert shorter > at_least(20)


def test_classic_boards_are_explained_in_few_steps():
    for instance in CLASSIC[:: len(CLASSIC) // share(len(CLASSIC))]:
        plan, steps = explained(instance.board)
        entailment = Entailment(instance.board, System.of(instance.board))
        for step in steps:
            entailment.verify(step)
        inside = [node for step in steps for node in step.walk() if node.supposed is None]
        assert all(len(entry.rows) <= 2 for entry in inside)
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
        ("4x6/1111=1.0/2222=1.0/3333=1.0/4444=1.0/5555=1.0", 5, 54),
        ("4x6/1122=5.0", 1, 10),
        ("4x6/1122=1.1/1122=0.2", 2, 24),
        ("4x6", 0, 0),
        ("3x26o/CAT=RLE/CAB=LLL", 2, 21),
    ],
)
def test_steps_that_can_be_told_by_eye(line, steps, cost):
    result = mmsat.steps(Board.parse(line))
    assert result.is_complete
    assert (len(result.steps), result.cost) == (steps, cost), result


def test_the_same_board_is_explained_alike():
    for board in inconsistent_boards(20, seed=69, **SMALL):
        assert explained(board) == explained(board)


@pytest.mark.long
def test_a_deadline_keeps_what_is_known():
    board = next(
        instance.board for instance in instances() if instance.name == "hard/six-colors-14-slipped"
    )
    steps = mmsat.steps(board, timeout=3)
    assert not steps.is_complete
    assert steps.seconds < 30
    gone = mmsat.steps(board, timeout=0)
    assert (gone.status, gone.steps) == (Status.UNKNOWN, ())


MOST = {"classic": 4, "mistakes": 11}
"""Steps of the longest explanation in a family of the library when this was written."""


@pytest.mark.parametrize("family", ["classic", pytest.param("mistakes", marks=pytest.mark.slow)])
def test_no_explanation_of_the_library_has_grown(family):
    """Each of the inconsistent boards that people play."""
    steps = [
        len(mmsat.steps(instance.board).steps)
        for instance in instances(family)
        if mmsat.check(instance.board, reason=0).is_consistent is False
    ]
    assert steps
    assert max(steps) <= MOST[family]


def told(line):
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
def test_the_measure_is_that_of_the_steps(line, grade, steps, rows, cases):
    result = told(line)
    assert (result.grade, result.steps, result.rows, result.cases) == (grade, steps, rows, cases)
    assert result.to_dict()["grade"] == mmsat.steps(Board.parse(line)).grade == grade


def test_suppositions_are_graded_by_what_is_inside():
    """Made by hand, as few boards need them."""
    refuted = Step((0,), (1,), (), Way.COUNTING, is_optimal=True)
    once = Step.refutation(1, [refuted], ())
    twice = Step.refutation(2, [once, replace(refuted, literals=(-1, 2))], ())
    assert (Difficulty.of([once]).grade, Difficulty.of([twice]).grade) == (5, 6)
    assert Difficulty.of([once, twice]) == Difficulty(6, 6, 1, 3)


def test_what_is_unfinished_has_no_grade():
    board = Board.parse("4x6/1122=1.1")
    assert Steps.unknown(board).grade is None
    assert Steps.unknown(board).to_dict()["difficulty"] is None
