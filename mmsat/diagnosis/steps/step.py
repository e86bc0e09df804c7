"""A step of an explanation: from few rows and few earlier literals to new literals.

A literal is a number of mmsat.game.literals, negative where it is denied. Rows count from 0 inside
and from 1 in JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from mmsat.game.literals import VariableMap
from mmsat.results.facts import Fact

ROW = 10
"""What using a row costs ..."""
LITERAL = 1
"""... what using an earlier literal does ..."""
TRY = 5
"""... and probing for a failed literal besides. The rules of the game are free."""


class Way(StrEnum):
    """How a step concludes."""

    RULES = "rules"
    """From earlier literals by the rules of the game alone."""
    COUNTING = "counting"
    """By counting with one row or two (mmsat.diagnosis.steps.counting)."""
    LISTING = "listing"
    """All words of the list that fit some rows have it."""
    FAILED_LITERAL = "trying"
    """Each new literal holds: without it, counting with the same rows ends in a contradiction."""
    SUPPOSING = "supposing"
    """The new literal holds as a chain of steps leads from its denial to a contradiction."""


@dataclass(frozen=True, slots=True)
class Step:
    """From few rows and few earlier literals to new literals, or to a contradiction."""

    rows: tuple[int, ...]
    """Row indices, ascending."""
    literals: tuple[int, ...]
    """The earlier literals that are used, in the order in which they were found."""
    found: tuple[int, ...]
    """The new literals; none where this is a contradiction."""
    way: Way
    is_optimal: bool
    """Whether no fewer earlier literals are enough for this rule; of a supposition always False."""
    supposed: int | None = None
    """What is supposed, and led to a contradiction; then its denial is found."""
    steps: tuple[Step, ...] = ()
    """How the supposition led there: steps that may use it."""
    facts: tuple[Fact, ...] = field(default=(), compare=False, repr=False)
    """If rows contradict each other by themselves: their facts, for the sentence."""

    @classmethod
    def refutation(cls, supposed: int, steps: Sequence[Step], known: Iterable[int]) -> Step:
        """The denial of what is supposed, by steps from what is known to a contradiction."""
        inside = {literal for step in steps for literal in step.literals}
        return cls(
            tuple(sorted({row for step in steps for row in step.rows})),
            tuple(literal for literal in known if literal in inside and literal != supposed),
            (-supposed,),
            Way.SUPPOSING,
            is_optimal=False,
            supposed=supposed,
            steps=tuple(steps),
        )

    @property
    def cost(self) -> int:
        """10 a row, 1 a literal, 5 for trying; of a supposition, what its steps cost."""
        if self.steps:
            return total_cost(self.steps)
        probing = TRY * (self.way is Way.FAILED_LITERAL)
        return ROW * len(self.rows) + LITERAL * len(self.literals) + probing

    @property
    def depth(self) -> int:
        """How many suppositions stand inside each other."""
        inside = max((each.depth for each in self.steps), default=0)
        return inside + (self.supposed is not None)

    def walk(self) -> Iterator[Step]:
        """This step and all that stand inside it, in the order of the argument."""
        for inside in self.steps:
            yield from inside.walk()
        yield self

    def to_dict(self, variables: VariableMap) -> dict[str, Any]:
        """The stable JSON keys; see schemas/steps.json."""
        return {
            "rows": [row + 1 for row in self.rows],
            "facts": [literal_dict(variables, each) for each in self.literals],
            "found": [literal_dict(variables, each) for each in self.found],
            "way": str(self.way),
            "contradiction": not self.found,
            "supposed": None if self.supposed is None else literal_dict(variables, self.supposed),
            "steps": [each.to_dict(variables) for each in self.steps],
            "cost": self.cost,
            "optimal": self.is_optimal,
        }


def total_cost(steps: Iterable[Step]) -> int:
    """The cost of a chain."""
    return sum(each.cost for each in steps)


def literal_dict(variables: VariableMap, literal: int) -> dict[str, Any]:
    """A literal as JSON: `peg` has `color`, or `least` pegs have it at least; or that is denied."""
    if variables.is_at(literal):
        peg, color = variables.peg_color(literal)
        return {"peg": peg + 1, "color": color + 1, "true": literal > 0}
    color, count = variables.color_count(literal)
    return {"color": color + 1, "least": count, "true": literal > 0}
