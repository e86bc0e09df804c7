"""What is known before and after each step: pegs by colors, and how many pegs of each color."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mmsat.constraints.system import System
from mmsat.diagnosis.steps.counting import CountingPropagator
from mmsat.diagnosis.steps.step import Step
from mmsat.diagnosis.steps.steps import Steps


class Knowledge(NamedTuple):
    """What some literals say, with all that follows from them by the rules of the game."""

    has: tuple[tuple[bool | None, ...], ...]
    """By peg, by color: whether the peg has it; None where both may be."""
    counts: tuple[tuple[int, int], ...]
    """By color: the least and the most of its pegs."""


class Frame(NamedTuple):
    """A step with what is known around it."""

    text: str
    """The step in words, with its number."""
    depth: int
    """The suppositions around it."""
    step: Step
    before: Knowledge
    after: Knowledge
    """Of a contradiction, the same as before."""


def frames(steps: Steps) -> Iterator[Frame]:
    """One frame for each step, those inside suppositions included, in the order of the words."""
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
    """Each step with the literals told before it, and those that it finds."""
    for step in steps:
        if step.supposed is not None:
            yield from walk(step.steps, (*literals, step.supposed))
        yield step, literals, step.found
        literals = (*literals, *step.found)


def knowledge(counting: CountingPropagator, literals: Iterable[int]) -> Knowledge:
    """What literals say together with the rules of the game."""
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
