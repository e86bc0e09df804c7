"""What a link of a chain must provide: a target made from a source, and answers carried both ways.

A link is a transformation of formulas (`links/`), or a reduction, whose target is a board.
"""

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

Source = TypeVar("Source")
Certificate = TypeVar("Certificate")


class Link(ABC, Generic[Source, Certificate]):
    """One source on its way to another problem, with as many certificates (times `ratio`)."""

    name: str
    """The name in the registry, on the command line and in the catalogue."""
    title: str
    """From what to what, in a line."""
    theorem: str
    """Whose theorem it proves, with the year."""
    source_kind: str
    """What it reads: a name of `sources.SOURCES`."""
    target_kind: str
    """What it makes, likewise."""
    parameters: tuple[str, ...] = ()
    """Further numbers that it needs, by the names of the options: ("k",)."""

    def __init__(self, source: Source, **parameters: int) -> None:
        """Check the source; raises InputError for one that the link does not take."""
        self.source = source
        self.settings = parameters

    @property
    @abstractmethod
    def target(self) -> Any:
        """The other problem: it has a certificate just when the source has one."""

    @abstractmethod
    def encode(self, certificate: Certificate) -> Any:
        """Carry a certificate of the source to one of the target."""

    @abstractmethod
    def decode(self, certificate: Any) -> Certificate:
        """Carry a certificate of the target back to one of the source."""

    @abstractmethod
    def is_certificate(self, certificate: Certificate) -> bool:
        """Whether something is a certificate of the source, by the problem's own definition."""

    def spell(self, certificate: Certificate) -> str:
        """Write a certificate of the source in the manner of its format; counting from 1."""
        values: Any = certificate
        return " ".join(str(value + 1) for value in values)

    @property
    def ratio(self) -> int:
        """How many certificates of the target each one of the source has: the same number."""
        return 1

    @property
    def known(self) -> tuple[Any, ...]:
        """Certificates of the target that stand for none of the source, known beforehand."""
        return ()
