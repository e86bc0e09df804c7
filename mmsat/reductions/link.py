"""The base class of links of a chain: a target for a source, and certificates converted both ways.

A link is a transformation of formulas (`formula_links.py`), or a reduction, whose target is a board
or a game.
"""

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

Source = TypeVar("Source")
Certificate = TypeVar("Certificate")


class Link(ABC, Generic[Source, Certificate]):
    """A source reduced to another problem, with as many certificates (times `ratio`)."""

    name: str
    """Name in the registry, on the command line and in the catalogue."""
    title: str
    """The source and the target problem, in one line."""
    theorem: str
    """The theorem that the link proves, with author and year."""
    source_kind: str
    """The kind of the source: a key of `sources.SOURCES`."""
    target_kind: str
    """The kind of the target: a key of `sources.SOURCES`, or "game"."""
    parameters: tuple[str, ...] = ()
    """Names of the integer parameters of the link, such as ("k",)."""

    def __init__(self, source: Source, **parameters: int) -> None:
        """Store the source; subclasses raise InputError for a source that they do not support."""
        self.source = source
        self.settings = parameters

    @property
    @abstractmethod
    def target(self) -> Any:
        """The target, which has a certificate if and only if the source has one."""

    @abstractmethod
    def encode(self, certificate: Certificate) -> Any:
        """Convert a certificate of the source to one of the target.

        Parameters
        ----------
        certificate : object
            A certificate of the source.

        Returns
        -------
        object
            The certificate of the target; for a board, a code with colors from 0.
        """

    @abstractmethod
    def decode(self, certificate: Any) -> Certificate:
        """Convert a certificate of the target to one of the source.

        Parameters
        ----------
        certificate : object
            A certificate of the target. It is not checked.

        Returns
        -------
        object
            The certificate of the source.
        """

    @abstractmethod
    def is_certificate(self, certificate: Certificate) -> bool:
        """Return whether this is a certificate of the source, by the definition of the problem.

        Parameters
        ----------
        certificate : object
            A certificate, whether right or wrong.

        Returns
        -------
        bool
            True if it is right.
        """

    def spell(self, certificate: Certificate) -> str:
        """Return a certificate of the source as text in its format.

        Parameters
        ----------
        certificate : object
            A certificate of the source.

        Returns
        -------
        str
            The text, which counts from 1.
        """
        values: Any = certificate
        return " ".join(str(value + 1) for value in values)

    @property
    def ratio(self) -> int:
        """The number of certificates of the target for each certificate of the source."""
        return 1

    @property
    def known(self) -> tuple[Any, ...]:
        """Known certificates of the target that do not come from a certificate of the source."""
        return ()
