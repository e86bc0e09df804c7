"""Steps of an explanation, and the difficulty of a chain of steps.

A step leads from a few rows and earlier literals to new literals. A literal is a number of
mmsat.game.space, negative if it is negated. Rows are numbered from 0 in Python and from 1 in JSON.

The difficulty of a chain for a person is described by four figures: the grade of its hardest step,
and the numbers of steps, rows and cases.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, NotRequired, TypeAlias, TypedDict

from mmsat._util.results import NonNegative, Positive, RowNumbers, Schema
from mmsat._util.text import quantity
from mmsat.diagnosis.verdict import Fact
from mmsat.game.space import VariableMap

ROW_COST = 10
"""The cost of using a row. The rules of the game cost nothing."""
LITERAL_COST = 1
"""The cost of using an earlier literal."""
TRIAL_COST = 5
"""The additional cost of trying literals."""


class Way(StrEnum):
    """The rule by which a step concludes."""

    RULES = "rules"
    """From earlier literals and the rules of the game alone."""
    COUNTING = "counting"
    """By counting with one or two rows (mmsat.diagnosis.steps.rules)."""
    LISTING = "listing"
    """All words of the list that fit the rows agree on the new literals."""
    FAILED_LITERAL = "trying"
    """Each new literal holds because counting with the same rows refutes its negation."""
    SUPPOSING = "supposing"
    """The new literal holds because a chain of steps refutes its negation."""


class LiteralJson(TypedDict):
    """A peg has a color, or at least `least` pegs have it. The fact may be negated."""

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
        """The cost of the step: 10 per row, 1 per literal, and 5 for trials.

        For a supposition, the sum over its nested steps.
        """
        if self.steps:
            return total_cost(self.steps)
        trial_cost = TRIAL_COST * (self.way is Way.FAILED_LITERAL)
        return ROW_COST * len(self.rows) + LITERAL_COST * len(self.literals) + trial_cost

    @property
    def depth(self) -> int:
        """The maximum number of suppositions nested in each other."""
        nested_depth = max((step.depth for step in self.steps), default=0)
        return nested_depth + (self.supposed is not None)

    def walk(self) -> Iterator[Step]:
        """Yield the nested steps and then this step, in the order of the reasoning."""
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
            "facts": [literal_dict(variables, literal) for literal in self.literals],
            "found": [literal_dict(variables, literal) for literal in self.found],
            "way": str(self.way),
            "contradiction": not self.found,
            "supposed": None if self.supposed is None else literal_dict(variables, self.supposed),
            "steps": [step.to_dict(variables) for step in self.steps],
            "cost": self.cost,
            "optimal": self.is_optimal,
        }


def total_cost(steps: Iterable[Step]) -> int:
    """Return the sum of the costs of a chain's steps."""
    return sum(step.cost for step in steps)


def literal_dict(variables: VariableMap, literal: int) -> LiteralJson:
    """Return a literal as a dict for JSON.

    It states that `peg` has `color`, or that at least `least` pegs have it; if `true` is false, the
    negation. Pegs and colors are numbered from 1.
    """
    if variables.is_at(literal):
        peg, color = variables.peg_color(literal)
        return {"peg": peg + 1, "color": color + 1, "true": literal > 0}
    color, count = variables.color_count(literal)
    return {"color": color + 1, "least": count, "true": literal > 0}


MAX_GRADE = 6
"""The highest grade."""
KINDS = (
    "one row at a time",
    "several rows together",
    "one row, by trying",
    "several rows, by trying",
    "a supposition",
    "suppositions inside each other",
)
"""The kinds of steps by grade, the easiest first."""


Grade = Annotated[int, Schema(minimum=1, maximum=MAX_GRADE)]


class DifficultyJson(TypedDict):
    """How hard the steps are for a person."""

    grade: Grade
    """Grade of the hardest step, from 1 to 6."""
    hardest: Annotated[str, Schema(enum=KINDS)]
    """The kind of the hardest step."""
    steps: NonNegative
    """Number of steps, including those inside of suppositions."""
    rows: NonNegative
    """Maximum number of rows of a step that is not a supposition."""
    cases: NonNegative
    """Number of colors and counts that are supposed or tried."""


@dataclass(frozen=True, slots=True)
class Difficulty:
    """The difficulty of a chain.

    The grade, from 1 to 6, is that of the hardest step:

    - 1: counting with one row at a time; also if there is no step,
    - 2: counting with several rows together,
    - 3: trying colors or counts with one row,
    - 4: trying them with several rows,
    - 5: a supposition that steps refute,
    - 6: suppositions inside of suppositions.

    Steps that filter a list of words have grade 1 or 2. A harder rule is only used if no easier one
    applies, so no chain by these rules has a lower grade. Boards of equal grade are compared by the
    number of cases, then by the number of steps.
    """

    grade: int
    """The grade of the hardest step, 1 to 6."""
    steps: int
    """The number of steps, including those inside of suppositions."""
    rows: int
    """The maximum number of rows of a step that is not a supposition."""
    cases: int
    """The number of cases: colors and counts that are supposed or tried."""

    @classmethod
    def of(cls, chain: Iterable[Step]) -> Difficulty:
        """Return the difficulty of a chain of steps.

        Parameters
        ----------
        chain : iterable of Step
            The steps, in order.

        Returns
        -------
        Difficulty
            The figures of the chain.
        """
        top_steps = tuple(chain)
        all_steps = [inner for step in top_steps for inner in step.walk()]
        without_suppositions = [step for step in all_steps if step.supposed is None]
        return cls(
            max((grade_of(step) for step in top_steps), default=1),
            len(all_steps),
            max((len(step.rows) for step in without_suppositions), default=0),
            sum(case_count(step) for step in all_steps),
        )

    @property
    def key(self) -> tuple[int, int, int]:
        """The sort key of boards, from easy to hard: grade, cases, steps."""
        return self.grade, self.cases, self.steps

    def sentence(self) -> str:
        """Return the difficulty in words."""
        tried = f", {quantity(self.cases, 'case')} tried" if self.cases else ""
        rows = f", at most {self.rows} rows in each" if self.rows > 1 else ""
        steps = quantity(self.steps, "step")
        return f"Grade {self.grade} of {MAX_GRADE} ({KINDS[self.grade - 1]}): {steps}{rows}{tried}."

    def to_dict(self) -> DifficultyJson:
        """Return the JSON keys; see schemas/steps.json."""
        return {
            "grade": self.grade,
            "hardest": KINDS[self.grade - 1],
            "steps": self.steps,
            "rows": self.rows,
            "cases": self.cases,
        }


def grade_of(step: Step) -> int:
    """Return the grade of a step."""
    if step.supposed is not None:
        return 4 + min(step.depth, 2)
    return grade_without_supposition(len(step.rows), step.way)


def grade_without_supposition(row_count: int, way: Way) -> int:
    """Return the grade of a step without a supposition that uses `row_count` rows."""
    return min(max(1, row_count), 2) + 2 * (way is Way.FAILED_LITERAL)


def case_count(step: Step) -> int:
    """Return the number of cases that a step supposes or tries, without its nested steps."""
    return len(step.found) if step.way in {Way.FAILED_LITERAL, Way.SUPPOSING} else 0
