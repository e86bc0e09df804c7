"""The state of knowledge before and after each step, and independent verification of steps.

`Knowledge` has the colors of pegs and the counts of colors that are known. `Entailment` verifies
that the conclusions of each step follow from its rows and literals. The compiled search decides
small boards, and CP-SAT all others. The verification does not depend on how steps are found.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from mmsat.constraints import System
from mmsat.diagnosis.steps.rules import CountingPropagator
from mmsat.diagnosis.steps.step import Step
from mmsat.diagnosis.steps.steps import Steps
from mmsat.errors import InternalError
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.space import CardinalityConstraint
from mmsat.solving.cp import CpAttempt
from mmsat.solving.deadline import is_large
from mmsat.solving.searches import SlicedSearch


class Knowledge(NamedTuple):
    """The conclusions from some literals by the rules of the game."""

    has: tuple[tuple[bool | None, ...], ...]
    """By peg and color: whether the peg has the color; None if unknown."""
    counts: tuple[tuple[int, int], ...]
    """By color: the minimum and the maximum number of its pegs."""


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
    """Yield one frame per step, including nested steps, in the order of the sentences."""
    system = System.of(steps.board)
    propagator = CountingPropagator(system)
    lines = [line for line in steps.lines() if line.step is not None]
    for line, (step, literals, found) in zip(lines, walk(steps.steps, ()), strict=True):
        before = knowledge(propagator, literals)
        after = knowledge(propagator, (*literals, *found)) if found else before
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


def knowledge(propagator: CountingPropagator, literals: Iterable[int]) -> Knowledge:
    """Return the conclusions from literals by the rules of the game."""
    true, false, _ = propagator.propagate(literals)
    variables = propagator.variables
    has = tuple(
        tuple(
            True if true >> bit & 1 else False if false >> bit & 1 else None
            for bit in range(peg * variables.colors, (peg + 1) * variables.colors)
        )
        for peg in range(variables.pegs)
    )
    counts = []
    for _, shift in propagator.colors:
        true_counts = true >> shift & propagator.counts_mask
        false_counts = false >> shift & propagator.counts_mask
        high = (false_counts & -false_counts).bit_length() - 1 if false_counts else variables.pegs
        counts.append((true_counts.bit_length(), high))
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
        cp_try = CpAttempt(system)
        cp_try.solver.parameters.linearization_level = LINEARIZATION_LEVEL
        if not cp_try.solve():
            raise InternalError(f"CP-SAT did not decide a step of {self.board}")
        return cp_try.code

    def follows(
        self, rows: Iterable[int], literals: Collection[int], conclusions: Collection[int]
    ) -> bool:
        """Return whether rows and literals imply all conclusions, or a contradiction if empty."""
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
        """Return the literals that hold for every code, negated or not; `code` is one code."""
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
