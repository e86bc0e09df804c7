"""Random sources of a reduction, from which the family of the same name makes boards.

All random choices are integers from the given generator, so the same request gives the same bytes
on every machine.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from mmsat.results.verdict import Status


class Answer(StrEnum):
    """The answer with which a board is generated."""

    ANY = "any"
    """The plain random model, whose answer is unknown."""
    CONSISTENT = "consistent"
    """A code is planted."""
    INCONSISTENT = "inconsistent"
    """The construction proves that there is no code."""
    SLIPPED = "slipped"
    """A code is planted, then one score is changed by as little as the scoring allows."""


RANDOM_FIRST = (Answer.ANY, Answer.CONSISTENT, Answer.INCONSISTENT)
PLANTED_FIRST = (Answer.CONSISTENT, Answer.INCONSISTENT, Answer.ANY)
PLANTED_OR_NONE = (Answer.CONSISTENT, Answer.INCONSISTENT)
RANDOM_OR_SLIPPED = (Answer.ANY, Answer.CONSISTENT, Answer.SLIPPED)
"""Answers that many families support; the first is the default."""
PROMISED = {Answer.CONSISTENT: Status.CONSISTENT, Answer.INCONSISTENT: Status.INCONSISTENT}
"""The verdicts of the answers that guarantee one."""


class Sample(NamedTuple):
    """A source and its answer, if known."""

    source: Any
    status: Status
    """Whether the source has a certificate, if known."""
    certificate: Any
    """A certificate, or None if none is known."""
    recipe: str
    """One or two sentences: how the source was made, and why it has its answer."""
    parameters: Mapping[str, int] = {}
    """Parameters of the reduction."""

    @classmethod
    def of(
        cls, answer: Answer, source: Any, certificate: Any, recipe: str, **parameters: int
    ) -> Sample:
        """Return the sample of a source, with the verdict that the answer guarantees."""
        status = PROMISED.get(answer, Status.UNKNOWN)
        return cls(source, status, certificate, recipe, parameters)


Draw = Callable[[int, "random.Random", Answer], Sample]
"""Function that draws a source, given a size, a random generator and an answer."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Random sources for the boards of a reduction that `mmsat generate` makes."""

    draw: Draw
    answers: tuple[Answer, ...] = RANDOM_FIRST
    """The answers with which sources can be drawn; the first is the default."""
    unit: str = field(kw_only=True)
    """The unit of `size`, such as "variables"."""
    size: int = field(kw_only=True)
    """The default size, at which a board is decided in about a second."""
    smallest: int = field(kw_only=True)
    """The minimum size."""


@dataclass(frozen=True, slots=True)
class BoardSamples:
    """Sources for a reduction of boards: the boards of a random family."""

    boards: str
    """The name of the random family."""
    size: int
    smallest: int
    parameters: Mapping[str, int] = field(default_factory=dict)
    """Parameters of the reduction."""
    unit: str = "pegs of the board that is read"
    answers: tuple[Answer, ...] = RANDOM_OR_SLIPPED
