"""What a step between sources must provide: another hard problem, and answers carried both ways."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeVar

from mmsat.reductions.sources.formula import spell_assignment

Before = TypeVar("Before")
After = TypeVar("After")


class Step(ABC, Generic[Before, After]):
    """One source on its way to another. Certificates correspond one to one."""

    name: ClassVar[str]
    """The name in the registry."""
    title: ClassVar[str]
    """From what to what, in a line."""
    theorem: ClassVar[str]
    """Whose theorem it proves, with the year."""
    source_kind: ClassVar[str]
    """What it reads: a name of `sources.SOURCES`."""
    target_kind: ClassVar[str]
    """What it makes, likewise."""

    def __init__(self, source: Before) -> None:
        """Keep the source."""
        self.source = source

    @cached_property
    @abstractmethod
    def target(self) -> After:
        """The other source: it has a certificate just when this one has."""

    @abstractmethod
    def encode(self, certificate: Any) -> Any:
        """The target's certificate, from the source's."""

    @abstractmethod
    def decode(self, certificate: Any) -> Any:
        """The source's certificate, from the target's."""

    def spell(self, certificate: Any) -> str:
        """A certificate of the source in the manner of DIMACS: steps are between formulas."""
        return spell_assignment(certificate)

    @abstractmethod
    def is_certificate(self, certificate: Any) -> bool:
        """Whether something is a certificate of the source."""

    @abstractmethod
    def is_target_certificate(self, certificate: Any) -> bool:
        """Whether something is a certificate of the target."""
