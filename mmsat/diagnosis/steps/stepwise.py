"""Explain a board step by step."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from mmsat._util.arguments import check_arguments
from mmsat.constraints import System
from mmsat.diagnosis.contradicting_facts import FactFinder
from mmsat.diagnosis.mus import conflicts
from mmsat.diagnosis.steps.chain import ChainBuilder
from mmsat.diagnosis.steps.knowledge import Entailment
from mmsat.diagnosis.steps.rules import CountingPropagator, Rules, holds
from mmsat.diagnosis.steps.step import Step
from mmsat.diagnosis.steps.steps import Steps
from mmsat.game import Code
from mmsat.game.board import Board, Status
from mmsat.game.game import Game
from mmsat.game.space import VariableMap
from mmsat.solving import Engine, find_engine
from mmsat.solving.deadline import Deadline, gather
from mmsat.solving.oracle import SubsetOracle

Progress = Callable[[Steps], None]

MAX_CONFLICTS = 16
"""Maximum number of conflicts that are compared; the smallest of them is explained."""


@check_arguments
def steps(
    board: Board | str,
    *,
    engine: str | Engine | type[Engine] = "auto",
    timeout: float | None = None,
    seed: int | None = None,
    on_progress: Progress | None = None,
) -> Steps:
    """Explain step by step how a contradiction, or everything that is certain, follows.

    Parameters
    ----------
    board : Board or str
        The game and its scored rows, or text that `Board.parse` reads, such as "4x6/1122=1.1".
    engine : str, Engine or type, default "auto"
        Engine that first decides whether the board is consistent, its class or its name.
    timeout : float, optional
        Time limit in seconds. When it passes, `is_complete` of the result is False, and the steps
        are those found so far, without shortening. By default, the time is not limited.
    seed : int, optional
        Seed of the random choices of the engine.
    on_progress : callable, optional
        Called with the steps so far.

    Returns
    -------
    Steps
        The steps, with their sentences and their grade.

    Raises
    ------
    InputError
        If the board has known codes, or if another argument is invalid.

    Notes
    -----
    Easy rules are applied before hard ones: counting with one row, counting with two rows, testing
    for failed literals with one row, with two rows, and finally suppositions that are refuted.
    Therefore no step is harder than necessary. The chain is then shortened until no step can be
    omitted and each step has the fewest premises. A solver verifies each step separately.

    Examples
    --------
    >>> steps = mmsat.steps("4x6/1122=1.1/3345=0.2/3611=0.2")
    >>> len(steps.steps), steps.grade
    (5, 3)
    >>> steps.lines()[1].text
    '1. Row 3 (0 black 2 white) says that pegs 3 and 4 are not color 1.'
    """
    board = Board.of(board).without_known("an explanation by steps")
    deadline = Deadline(timeout)
    decision = find_engine(engine).decide(board, deadline, seed)
    result = replace(Steps.unknown(board), status=decision.status, seconds=deadline.elapsed)
    if decision.status is Status.UNKNOWN:
        return result

    def update(result: Steps, item: Plan | Step | tuple[Step, ...]) -> Steps:
        if isinstance(item, Plan):
            return replace(result, goals=item.goals, certain=item.certain, conflict=item.conflict)
        if isinstance(item, Step):
            return replace(result, steps=(*result.steps, item), seconds=deadline.elapsed)
        return replace(result, steps=item, is_complete=True)

    result = gather(deadline, result, update, on_progress, find_steps, board, decision.code)
    return replace(result, seconds=deadline.elapsed)


class Plan(NamedTuple):
    """The goals of an explanation, or the conflict to explain."""

    goals: tuple[int, ...] = ()
    certain: tuple[int, ...] = ()
    conflict: tuple[int, ...] = ()


def find_steps(board: Board, code: Code | None) -> Iterator[Plan | Step | tuple[Step, ...]]:
    """Yield the plan, then each step as it is found, then a tuple of the shortened chain."""
    plan, chain, verifier = plan_chain(board, code)
    finder = FactFinder(board)
    yield plan
    for step in chain.build():
        verifier.verify(step)
        yield with_facts(finder, step)
    shortened = tuple(chain.shorten())
    for step in shortened:
        verifier.verify(step)
    yield tuple(with_facts(finder, step) for step in shortened)


def with_facts(finder: FactFinder, step: Step) -> Step:
    """Return the step with facts, if its rows contradict each other without earlier literals."""
    steps = tuple(with_facts(finder, nested) for nested in step.steps)
    is_conflict = not step.found and not step.literals
    return replace(step, steps=steps, facts=finder.find(step.rows) if is_conflict else ())


def find_grade(board: Board, code: Code) -> int | None:
    """Return the grade of a board with a code, without its steps; None if it is 5 or 6."""
    _, chain, _ = plan_chain(board, code)
    return chain.find_grade()


def plan_chain(board: Board, code: Code | None) -> tuple[Plan, ChainBuilder, Entailment]:
    """Return the plan, the chain to build, and the verifier of its steps."""
    system = System.of(board)
    verifier = Entailment(board, system)
    backbone = None if code is None else verifier.backbone(code)
    rules = Rules(board, system, backbone)
    if backbone is None:
        muses = islice(conflicts(SubsetOracle(board)), MAX_CONFLICTS)
        rows = min((mus.rows for mus in muses), key=lambda rows: (len(rows), rows))
        return Plan(conflict=rows), ChainBuilder(rules, rows, None), verifier
    rows = tuple(range(len(board.rows)))
    certain = certain_literals(board.game, backbone)
    plan = Plan(choose_goals(rules.propagator, backbone), certain)
    return plan, ChainBuilder(rules, rows, plan.goals), verifier


def certain_literals(game: Game, backbone: set[int]) -> tuple[int, ...]:
    """Return literals for all certain colors of pegs and all certain counts of colors.

    The counts are omitted if all pegs are certain. In a game without repeats, the count of a color
    whose peg is certain is omitted, too.
    """
    variables, colors = game.variables, range(game.colors)
    certain_pegs = [
        (variables.at(peg, color), color)
        for peg in range(game.pegs)
        for color in colors
        if variables.at(peg, color) in backbone
    ]
    literals = [literal for literal, _ in certain_pegs]
    if len(certain_pegs) == game.pegs:
        return tuple(literals)
    placed_colors = set() if game.space.has_repeats else {color for _, color in certain_pegs}
    for color in colors:
        if color not in placed_colors:
            literals += count_literals(variables, color, backbone)
    return tuple(literals)


def count_literals(variables: VariableMap, color: int, backbone: set[int]) -> list[int]:
    """Return the literals that fix the number of pegs of a color; empty if it is uncertain."""
    for count in range(variables.pegs + 1):
        literals = [variables.least(color, count)] if count else []
        if count < variables.pegs:
            literals.append(-variables.least(color, count + 1))
        if backbone.issuperset(literals):
            return literals
    return []


def choose_goals(propagator: CountingPropagator, backbone: set[int]) -> tuple[int, ...]:
    """Return the backbone literals to derive: colors of pegs, absent colors, and counts of colors.

    Literals that the rules of the game derive from previous goals, or always, are omitted.
    """
    variables, colors = propagator.variables, range(propagator.variables.colors)
    peg_literals = [variables.at(peg, color) for peg in range(variables.pegs) for color in colors]
    absent = [-variables.least(color, 1) for color in colors]
    counts = [literal for color in colors for literal in count_literals(variables, color, backbone)]
    goals: list[int] = []
    state = propagator.propagate(goals)
    for literal in (*peg_literals, *absent, *counts):
        if literal in backbone and not holds(state, literal):
            goals.append(literal)
            state = propagator.propagate(goals)
    return tuple(goals)
