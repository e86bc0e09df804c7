"""How hard a chain of steps is for a person: four figures, and the grade derived from them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, TypedDict

from mmsat.diagnosis.steps.step import Step, Way
from mmsat.english import quantity
from mmsat.json_types import NonNegative, Schema

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

    Steps by a list of words have grade 1 or 2. A harder rule is only used if no easier one applies,
    so no chain by these rules has a lower grade. Among boards of one grade, more cases are harder,
    then more steps.
    """

    grade: int
    """The grade of the hardest step, 1 to 6."""
    steps: int
    """The number of steps, including those inside of suppositions."""
    rows: int
    """The maximum number of rows of a step that is not a supposition."""
    cases: int
    """The number of colors and counts that are supposed or tried."""

    @classmethod
    def of(cls, chain: Iterable[Step]) -> "Difficulty":
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
            max((kind(step) for step in top_steps), default=1),
            len(all_steps),
            max((len(step.rows) for step in without_suppositions), default=0),
            sum(cases(step) for step in all_steps),
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


def kind(step: Step) -> int:
    """Return the grade of a step."""
    if step.supposed is not None:
        return 4 + min(step.depth, 2)
    return plain_kind(len(step.rows), step.way)


def plain_kind(rows: int, way: Way) -> int:
    """Return the grade of a step without a supposition that uses `rows` rows."""
    return min(max(1, rows), 2) + 2 * (way is Way.FAILED_LITERAL)


def cases(step: Step) -> int:
    """Return the number of cases that a step itself supposes or tries."""
    return len(step.found) if step.way in {Way.FAILED_LITERAL, Way.SUPPOSING} else 0
