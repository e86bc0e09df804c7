"""A step of an explanation: from a few rows and earlier literals to new literals.

A literal is a number of mmsat.game.literals, negative if it is negated. Rows count from 0 in Python
and from 1 in JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, NotRequired, TypeAlias, TypedDict

from mmsat.game.literals import VariableMap
from mmsat.json_types import NonNegative, Positive, RowNumbers, Schema
from mmsat.results.facts import Fact

ROW_COST = 10
"""The cost of using a row."""
LITERAL_COST = 1
"""The cost of using an earlier literal."""
TRIAL_COST = 5
"""The additional cost of probing for failed literals. The rules of the game cost nothing."""


class Way(StrEnum):
    """The rule by which a step concludes."""

    RULES = "rules"
    """From earlier literals and the rules of the game alone."""
    COUNTING = "counting"
    """By counting with one or two rows (mmsat.diagnosis.steps.counting)."""
    LISTING = "listing"
    """All words of the list that fit the rows agree on the new literals."""
    FAILED_LITERAL = "trying"
    """Each new literal holds because counting with the same rows refutes its negation."""
    SUPPOSING = "supposing"
    """The new literal holds because a chain of steps refutes its negation."""


class LiteralJson(TypedDict):
    """A peg has a color, or at least some number of pegs have a color; or the negation of that."""

    peg: NotRequired[Positive]
    color: Positive
    least: NotRequired[Positive]
    """Minimum number of pegs with the color."""
    true: bool
    """False for the negation."""


FactJson: TypeAlias = Annotated[
    LiteralJson, Schema(oneOf=({"required": ["peg"]}, {"required": ["least"]}))
]


class StepJson(TypedDict):
    """A conclusion from a few rows and earlier facts: new facts, or a contradiction."""

    rows: RowNumbers
    """Numbers of the rows that are used, from 1."""
    facts: list[FactJson]
    """The earlier facts that are used."""
    found: list[FactJson]
    """The new facts; empty if the step is a contradiction."""
    way: Annotated[str, Schema(enum=tuple(map(str, Way)))]
    """The rule: by the rules of the game, by counting with the rows, by listing the words that fit
    them, by trying the negation of each new fact, or by supposing the negation and refuting it in
    several steps."""
    contradiction: bool
    """Whether the step is a contradiction."""
    supposed: FactJson | None
    """The supposed fact, which the nested steps refute."""
    steps: list[StepJson]
    """The nested steps from the supposition to the contradiction."""
    cost: NonNegative
    """10 per row, 1 per fact, and 5 for trials; for a supposition, the sum over its steps."""
    optimal: bool
    """Whether no smaller number of earlier facts suffices for this rule; false for a
    supposition."""


@dataclass(frozen=True, slots=True)
class Step:
    """A conclusion from a few rows and earlier literals: new literals, or a contradiction."""

    rows: tuple[int, ...]
    """Row indices, ascending."""
    literals: tuple[int, ...]
    """The earlier literals that are used as premises, in the order in which they were found."""
    found: tuple[int, ...]
    """The new literals; empty if the step is a contradiction."""
    way: Way
    """The rule by which the step concludes."""
    is_optimal: bool
    """Whether no smaller number of earlier literals suffices for this rule; False for a
    supposition."""
    supposed: int | None = None
    """The supposed literal that is refuted; its negation is the new literal. None without
    supposition."""
    steps: tuple[Step, ...] = ()
    """The nested steps from the supposition to the contradiction."""
    facts: tuple[Fact, ...] = field(default=(), compare=False, repr=False)
    """Facts for the sentence, if the rows contradict each other without earlier literals."""

    @classmethod
    def refutation(cls, supposed: int, steps: Sequence[Step], known: Iterable[int]) -> Step:
        """Return the step that refutes a supposition.

        Parameters
        ----------
        supposed : int
            The supposed literal.
        steps : sequence of Step
            The chain from the known literals and the supposition to a contradiction.
        known : iterable of int
            The literals that were known before.

        Returns
        -------
        Step
            The step, whose new literal is the negation.
        """
        used_literals = {literal for step in steps for literal in step.literals}
        return cls(
            tuple(sorted({row for step in steps for row in step.rows})),
            tuple(literal for literal in known if literal in used_literals and literal != supposed),
            (-supposed,),
            Way.SUPPOSING,
            is_optimal=False,
            supposed=supposed,
            steps=tuple(steps),
        )

    @property
    def cost(self) -> int:
        """The cost of the step, or of its nested steps.

        10 per row, 1 per literal, and 5 for trials.
        """
        if self.steps:
            return total_cost(self.steps)
        probing = TRIAL_COST * (self.way is Way.FAILED_LITERAL)
        return ROW_COST * len(self.rows) + LITERAL_COST * len(self.literals) + probing

    @property
    def depth(self) -> int:
        """The number of suppositions nested in each other."""
        nested_depth = max((step.depth for step in self.steps), default=0)
        return nested_depth + (self.supposed is not None)

    def walk(self) -> Iterator[Step]:
        """Yield the nested steps and then this step, in the order of the argument."""
        for step in self.steps:
            yield from step.walk()
        yield self

    def to_dict(self, variables: VariableMap) -> StepJson:
        """Return the JSON keys; see schemas/steps.json.

        Parameters
        ----------
        variables : VariableMap
            The numbering of the literals of the game.

        Returns
        -------
        dict
            The JSON keys, with rows, pegs and colors from 1.
        """
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
    """Return the cost of a chain."""
    return sum(step.cost for step in steps)


def literal_dict(variables: VariableMap, literal: int) -> LiteralJson:
    """Return a literal as JSON.

    The literal is that `peg` has `color`, or that at least `least` pegs have it. With `true` false,
    it is negated. Pegs and colors count from 1.
    """
    if variables.is_at(literal):
        peg, color = variables.peg_color(literal)
        return {"peg": peg + 1, "color": color + 1, "true": literal > 0}
    color, count = variables.color_count(literal)
    return {"color": color + 1, "least": count, "true": literal > 0}
