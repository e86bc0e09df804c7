"""How hard a chain of steps is for a person: a measure of four numbers, and the grade from it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mmsat.diagnosis.steps.step import Step, Way
from mmsat.english import quantity

HARDEST = 6
"""The highest grade."""
KINDS = (
    "one row at a time",
    "several rows together",
    "one row, by trying",
    "several rows, by trying",
    "a supposition",
    "suppositions inside each other",
)
"""The kinds of steps, the easiest first."""


@dataclass(frozen=True, slots=True)
class Difficulty:
    """The measure of a chain.

    The grade, from 1 to 6, is that of the hardest step: 1 for counting with one row at a time (and
    for no step at all), 2 with several rows together; 3 for trying colors with one row, 4 with
    several; 5 for a supposition that steps refute, 6 for suppositions inside each other. Looking
    through a list of words is 1 and 2. As a harder way is only taken where all easier ones end, no
    chain made of these ways has a lower grade. Among boards of one grade, more cases, and then more
    steps, are harder.
    """

    grade: int
    steps: int
    """Steps in all, those inside suppositions included."""
    rows: int
    """The most rows that a step uses, besides those inside a supposition."""
    cases: int
    """Colors and counts that are supposed or tried."""

    @classmethod
    def of(cls, chain: Iterable[Step]) -> "Difficulty":
        """Measure a chain."""
        top = tuple(chain)
        every = [each for step in top for each in step.walk()]
        direct = [step for step in every if step.supposed is None]
        return cls(
            max((kind(step) for step in top), default=1),
            len(every),
            max((len(step.rows) for step in direct), default=0),
            sum(cases(step) for step in every),
        )

    @property
    def key(self) -> tuple[int, int, int]:
        """What boards are sorted by, from easy to hard."""
        return self.grade, self.cases, self.steps

    def sentence(self) -> str:
        """The measure in words."""
        tried = f", {quantity(self.cases, 'case')} tried" if self.cases else ""
        rows = f", at most {self.rows} rows in each" if self.rows > 1 else ""
        steps = quantity(self.steps, "step")
        return f"Grade {self.grade} of {HARDEST} ({KINDS[self.grade - 1]}): {steps}{rows}{tried}."

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; see schemas/steps.json."""
        return {
            "grade": self.grade,
            "hardest": KINDS[self.grade - 1],
            "steps": self.steps,
            "rows": self.rows,
            "cases": self.cases,
        }


def kind(step: Step) -> int:
    """The number of a step's kind, from 1."""
    if step.supposed is not None:
        return 4 + min(step.depth, 2)
    return plain_kind(len(step.rows), step.way)


def plain_kind(rows: int, way: Way) -> int:
    """The number of the kind of a step that supposes nothing, with so many rows."""
    return min(max(1, rows), 2) + 2 * (way is Way.FAILED_LITERAL)


def cases(step: Step) -> int:
    """What a step supposes or tries itself."""
    return len(step.found) if step.way in {Way.FAILED_LITERAL, Way.SUPPOSING} else 0
