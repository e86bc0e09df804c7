"""What steps from formula to formula share: the variables of the source stay the first ones."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

from mmsat.reductions.sources.formula import Formula
from mmsat.reductions.steps.base import Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.reductions.steps.growing import Growing

Assignment = tuple[bool, ...]


class FormulaStep(Step[Formula, Formula]):
    """Further variables, each defined by the ones before it."""

    source_kind = "formula"
    target_kind = "formula"

    @abstractmethod
    def write(self) -> Growing:
        """The target in the making."""

    @cached_property
    def growing(self) -> Growing:
        """The target in the making, written once."""
        return self.write()

    @cached_property
    def target(self) -> Formula:
        """The larger formula."""
        return self.growing.formula()

    def encode(self, certificate: Assignment) -> Assignment:
        """The assignment with the values of the further variables."""
        return self.growing.assignment(certificate)

    def decode(self, certificate: Sequence[bool]) -> Assignment:
        """The assignment to the first variables."""
        return tuple(certificate[: self.source.variables])

    def is_certificate(self, certificate: Assignment) -> bool:
        """Whether it is a model of the source."""
        return self.source.is_model(certificate)
