"""Random sources of a reduction, of which the family of its name makes boards.

Everything random is drawn with whole numbers from the given generator, so the same request gives
the same bytes on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from mmsat.results.verdict import Status


class Answer(StrEnum):
    """What is asked of a board."""

    ANY = "any"
    """The random model itself: nobody has looked for an answer."""
    CONSISTENT = "consistent"
    """A code is planted."""
    INCONSISTENT = "inconsistent"
    """There is a proof that there is no code."""
    SLIPPED = "slipped"
    """A code was planted, then one score changed by as little as the scoring allows."""


RANDOM_FIRST = (Answer.ANY, Answer.CONSISTENT, Answer.INCONSISTENT)
PLANTED_FIRST = (Answer.CONSISTENT, Answer.INCONSISTENT, Answer.ANY)
PLANTED_OR_NONE = (Answer.CONSISTENT, Answer.INCONSISTENT)
RANDOM_OR_SLIPPED = (Answer.ANY, Answer.CONSISTENT, Answer.SLIPPED)
"""Answers that many families have; the first is the usual one."""
PROMISED = {Answer.CONSISTENT: Status.CONSISTENT, Answer.INCONSISTENT: Status.INCONSISTENT}
"""The verdict that an answer promises, where it does."""


class Sample(NamedTuple):
    """A source and what is known of it."""

    source: Any
    status: Status
    """Whether it has a certificate, where that is known."""
    certificate: Any
    """A certificate, where one is known."""
    recipe: str
    """How it was made, and why its answer is what it is: one sentence or two."""
    parameters: Mapping[str, int] = {}
    """Further numbers for the reduction."""

    @classmethod
    def of(
        cls, answer: Answer, source: Any, certificate: Any, recipe: str, **parameters: int
    ) -> Sample:
        """Make the sample of a source that keeps what its answer promises."""
        status = PROMISED.get(answer, Status.UNKNOWN)
        return cls(source, status, certificate, recipe, parameters)


Draw = Callable[[int, "random.Random", Answer], Sample]
"""Draws a source of a size, with an answer."""


@dataclass(frozen=True, slots=True)
class Samples:
    """How `mmsat generate` makes the boards of a reduction."""

    draw: Draw
    answers: tuple[Answer, ...] = RANDOM_FIRST
    """The answers that they can be made with; the first is the usual one."""
    unit: str = field(kw_only=True)
    """What `size` counts: "variables"."""
    size: int = field(kw_only=True)
    """A size that is decided in a second or so."""
    smallest: int = field(kw_only=True)
    """The least size."""


@dataclass(frozen=True, slots=True)
class BoardSamples:
    """The same for a reduction that reads boards: those of a random family, carried over."""

    boards: str
    """The name of the random family."""
    size: int
    smallest: int
    parameters: Mapping[str, int] = field(default_factory=dict)
    """Further numbers for the reduction."""
    unit: str = "pegs of the board that is read"
    answers: tuple[Answer, ...] = RANDOM_OR_SLIPPED
