"""Explain a board step by step, and verify each step independently of how it is found.

`Knowledge` has the colors of pegs and the counts of colors that are known. `Entailment` verifies
that the conclusions of each step follow from its rows and literals. The compiled search decides
small boards, and CP-SAT all others. The verification does not depend on how steps are found.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from mmsat._util.arguments import check_arguments
from mmsat.constraints import System
from mmsat.diagnosis.explain import FactFinder
from mmsat.diagnosis.mus import conflicts
from mmsat.diagnosis.steps import Step, Steps
from mmsat.diagnosis.steps.bounds import bit
from mmsat.diagnosis.steps.chain import ChainBuilder, explain_trials
from mmsat.diagnosis.steps.rules import CountingPropagator, Rules, holds
from mmsat.errors import InternalError
from mmsat.game import Code
from mmsat.game.board import Board, Status
from mmsat.game.game import Game
from mmsat.game.space import CardinalityConstraint, VariableMap
from mmsat.solving import Engine, find_engine
from mmsat.solving.cp import CpAttempt
from mmsat.solving.deadline import Deadline, gather, is_large
from mmsat.solving.oracle import SubsetOracle
from mmsat.solving.searches import SlicedSearch


class Knowledge(NamedTuple):
    """The conclusions from some literals by the rules of the game."""

    has: tuple[tuple[bool | None, ...], ...]
    """For each peg and color, whether the peg has the color; None if unknown."""
    counts: tuple[tuple[int, int], ...]
    """For each color, the minimum and the maximum number of its pegs."""


class Frame(NamedTuple):
    """A step with the knowledge before and after it."""

    text: str
    """The step in words, with its number."""
    depth: int
    """The number of suppositions around the step."""
    step: Step
    before: Knowledge
    after: Knowledge
    """For a contradiction, the same as `before`."""


def frames(steps: Steps) -> Iterator[Frame]:
    """Yield one frame per step, including nested steps, in the order of the sentences.

    Conclusions that later steps state are not part of a frame, even if the rules of the game imply
    them already.
    """
    system = System.of(steps.board)
    propagator = CountingPropagator(system)
    lines = [line for line in steps.lines() if line.step is not None]
    walked = list(walk(steps.steps, ()))
    for index, (line, (step, literals, concluded)) in enumerate(zip(lines, walked, strict=True)):
        later = {literal for _, _, found in walked[index + 1 :] for literal in found}
        before = knowledge(propagator, literals, later.union(concluded))
        after = knowledge(propagator, (*literals, *concluded), later) if concluded else before
        yield Frame(line.text, line.depth, step, before, after)


def walk(
    steps: Iterable[Step], literals: tuple[int, ...]
) -> Iterator[tuple[Step, tuple[int, ...], tuple[int, ...]]]:
    """Yield each step, with the literals that are known before it and its conclusions."""
    for step in steps:
        if step.supposed is not None:
            yield from walk(step.steps, (*literals, step.supposed))
        yield step, literals, step.found
        literals = (*literals, *step.found)


def knowledge(
    propagator: CountingPropagator, literals: Sequence[int], later: Collection[int] = ()
) -> Knowledge:
    """Return the conclusions from literals by the rules of the game.

    If the rules imply one of the `later` literals, the last literals have only direct conclusions:
    a peg has one color, and a color has as many pegs as the pegs that have it or may have it.
    """
    unstated = set(later).difference(literals)
    for count in range(len(literals), -1, -1):
        state = propagator.propagate(literals[:count])
        if count == 0 or not any(holds(state, literal) for literal in unstated):
            break
    true, false = state.true, state.false
    for literal in literals[count:]:
        if literal > 0:
            true |= bit(literal)
        else:
            false |= bit(literal)
    variables = propagator.variables
    for peg in propagator.peg_masks:
        if true & peg:
            false |= peg & ~true
    for column, shift in propagator.colors:
        if false >> shift & 1:  # "at least 1" is false
            false |= column
    has = tuple(
        tuple(
            True if true >> index & 1 else False if false >> index & 1 else None
            for index in range(peg * variables.colors, (peg + 1) * variables.colors)
        )
        for peg in range(variables.pegs)
    )
    counts = []
    for column, shift in propagator.colors:
        # The minimum is the highest true count. The maximum is one less than the lowest false one.
        true_counts = true >> shift & propagator.counts_mask
        false_counts = false >> shift & propagator.counts_mask
        low = max(true_counts.bit_length(), (true & column).bit_count())
        high = (false_counts & -false_counts).bit_length() - 1 if false_counts else variables.pegs
        counts.append((low, min(high, variables.pegs - (false & column).bit_count())))
    return Knowledge(has, tuple(counts))


LINEARIZATION_LEVEL = 2
"""`linearization_level` of CP-SAT: linear programming then proves conclusions by counting."""
MAX_SLICES = 64
"""Maximum number of slices of the compiled search before CP-SAT runs: a few hundred
milliseconds."""


class Entailment:
    """Decides whether rows and literals of one board imply other literals."""

    def __init__(self, board: Board, system: System, *, slices: int = MAX_SLICES) -> None:
        """Set up the queries. Each searches up to `slices` slices before it calls CP-SAT."""
        self.slices = slices
        self.board = board
        self.system = system
        self.is_large = is_large(board)

    def code(
        self, rows: Iterable[int], literals: Collection[int], denied: Collection[int] = ()
    ) -> Code | None:
        """Return a code that satisfies rows and literals, but not all of `denied`, or None."""
        constraints = (
            [CardinalityConstraint(tuple(literals), len(literals), len(literals))]
            if literals
            else []
        )
        if denied:
            constraints.append(CardinalityConstraint(tuple(denied), 0, len(denied) - 1))
        groups = (*(self.system.soft[row].constraints for row in rows), tuple(constraints))
        system = self.system.with_rows(groups)
        if not self.is_large:
            search = SlicedSearch(system, slices=self.slices)
            code = next(iter(search), None)
            if code is not None or search.is_exhausted:
                return code
        attempt = CpAttempt(system)
        attempt.solver.parameters.linearization_level = LINEARIZATION_LEVEL
        if not attempt.solve():
            raise InternalError(f"CP-SAT did not decide a step of {self.board}")
        return attempt.code

    def follows(
        self, rows: Iterable[int], literals: Collection[int], conclusions: Collection[int]
    ) -> bool:
        """Return whether rows and literals imply all conclusions; if empty, a contradiction."""
        return self.code(rows, literals, conclusions) is None

    def verify(self, step: Step) -> None:
        """Raise InternalError if a step or one of its nested steps does not follow."""
        for inner in step.walk():
            if not self.follows(inner.rows, inner.literals, inner.found):
                message = f"a step of {self.board} does not follow: {inner}"
                raise InternalError(message)
            if inner.supposed is not None and inner.found != (-inner.supposed,):
                message = f"a step of {self.board} does not refute its assumption: {inner}"
                raise InternalError(message)

    def backbone(self, code: Code) -> set[int]:
        """Return the literals that hold for every consistent code; `code` is one of these codes."""
        rows = range(len(self.system.soft))
        variables = self.system.variables
        shared = {
            literal if variables.holds(literal, code) else -literal
            for literal in range(1, 2 * variables.pegs * variables.colors + 1)
        }
        counterexample: Code | None = code
        while counterexample is not None:
            shared = {literal for literal in shared if variables.holds(literal, counterexample)}
            counterexample = self.code(rows, (), sorted(shared)) if shared else None
        return shared


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
        """Add what was found next: the plan, a step, or, at the end, the final list of steps."""
        if isinstance(item, Plan):
            return replace(result, goals=item.goals, certain=item.certain, conflict=item.conflict)
        if isinstance(item, Step):
            return replace(result, steps=(*result.steps, item), seconds=deadline.elapsed)
        return replace(result, steps=item, is_complete=True)

    result = gather(deadline, result, update, on_progress, find_steps, board, decision.code)
    return replace(result, seconds=deadline.elapsed)


class Plan(NamedTuple):
    """The goals of an explanation, or the conflict to explain; the fields are those of `Steps`."""

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
        yield with_reasons(finder, chain.rules, step)
    shortened = tuple(chain.shorten())
    for step in shortened:
        verifier.verify(step)
    yield tuple(with_reasons(finder, chain.rules, step) for step in shortened)


def with_reasons(finder: FactFinder, rules: Rules, step: Step) -> Step:
    """Return the step with the facts and trials that its sentence states as reasons.

    It has facts if its rows contradict each other without earlier literals.
    """
    steps = tuple(with_reasons(finder, rules, nested) for nested in step.steps)
    is_conflict = not step.found and not step.literals
    facts = finder.find(step.rows) if is_conflict else ()
    return replace(step, steps=steps, facts=facts, trials=explain_trials(rules, step))


def find_grade(board: Board, code: Code) -> int | None:
    """Return the grade of a board with a code, without its steps; None if it is 5 or 6."""
    _, chain, _ = plan_chain(board, code)
    return chain.find_grade()


def plan_chain(board: Board, code: Code | None) -> tuple[Plan, ChainBuilder, Entailment]:
    """Return the plan, the chain to build, and the verifier of its steps.

    `code` is a consistent code; None if the board is inconsistent.
    """
    system = System.of(board)
    verifier = Entailment(board, system)
    backbone = None if code is None else verifier.backbone(code)
    rules = Rules(board, system, backbone)
    if backbone is None:
        muses = islice(conflicts(SubsetOracle(board)), MAX_CONFLICTS)
        rows = min((mus.rows for mus in muses), key=lambda rows: (len(rows), rows))
        return Plan(conflict=rows), ChainBuilder(rules, rows, goals=None), verifier
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
