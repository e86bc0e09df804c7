"""What a step of the presolve must provide."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from mmsat.constraints.presolve.infeasibility import Infeasibility
from mmsat.constraints.presolve.problem import Problem


@dataclass(frozen=True, slots=True)
class Change:
    """What a step made of a problem."""

    problem: Problem
    text: str = ""
    """What it did, in a line; empty where it changed nothing."""


class PresolveStep(ABC):
    """One way to make a problem smaller, or to refute it.

    No code of the problem gets lost and none is added, but for symmetries: those keep some of the
    codes, and `Problem.multiplicity` has how many stand behind each. A step that does not apply, or
    whose budget of work ends, leaves the problem as it is. The same problem gives the same change.
    """

    name: ClassVar[str]
    """The name in the registry."""
    summary: ClassVar[str]
    """What it does, in a line."""

    @abstractmethod
    def apply(self, problem: Problem) -> Change | Infeasibility:
        """The problem, smaller, or why it has no code."""
