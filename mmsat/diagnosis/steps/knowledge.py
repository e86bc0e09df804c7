"""The state of knowledge before and after each step: colors of pegs, and counts of colors."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mmsat.constraints.system import System
from mmsat.diagnosis.steps.counting import CountingPropagator
from mmsat.diagnosis.steps.step import Step
from mmsat.diagnosis.steps.steps import Steps


class Knowledge(NamedTuple):
    """The conclusions from some literals by the rules of the game."""

    has: tuple[tuple[bool | None, ...], ...]
    """By peg and color: whether the peg has the color; None if that is open."""
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
    counting = CountingPropagator(system)
    lines = [line for line in steps.lines() if line.step is not None]
    for line, (step, literals, found) in zip(lines, walk(steps.steps, ()), strict=True):
        before = knowledge(counting, literals)
        after = knowledge(counting, (*literals, *found)) if found else before
        yield Frame(line.text, line.depth, step, before, after)


def walk(
    steps: Iterable[Step], literals: tuple[int, ...]
) -> Iterator[tuple[Step, tuple[int, ...], tuple[int, ...]]]:
    """Yield each step with the literals derived before it and its conclusions."""
    for step in steps:
        if step.supposed is not None:
            yield from walk(step.steps, (*literals, step.supposed))
        yield step, literals, step.found
        literals = (*literals, *step.found)


def knowledge(counting: CountingPropagator, literals: Iterable[int]) -> Knowledge:
    """Return the conclusions from literals by the rules of the game."""
    true, false, _ = counting.propagate(literals)
    variables = counting.variables
    has = tuple(
        tuple(
            True if true >> bit & 1 else False if false >> bit & 1 else None
            for bit in range(peg * variables.colors, (peg + 1) * variables.colors)
        )
        for peg in range(variables.pegs)
    )
    counts = []
    for _, shift in counting.colors:
        denied = false >> shift & counting.ones
        high = (denied & -denied).bit_length() - 1 if denied else variables.pegs
        counts.append(((true >> shift & counting.ones).bit_length(), high))
    return Knowledge(has, tuple(counts))
