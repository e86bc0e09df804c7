"""What a reduction must provide: a hard problem made a board, and answers carried both ways.

One reduction is one module of `kinds/`. The constructions are this project's own: they prove the
theorems of the papers that they name, and need not be the papers' constructions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from mmsat.board import Board
from mmsat.game.row import Code
from mmsat.reductions.sources import measures

Source = TypeVar("Source")
Certificate = TypeVar("Certificate")


class Sizes(NamedTuple):
    """The size of a board."""

    pegs: int
    colors: int
    rows: int


class Gadgets(NamedTuple):
    """What the parts of a board stand for, in the words of the source."""

    pegs: tuple[tuple[str, str], ...]
    """For each peg its gadget and its name: ("variable 1", "x1 is true")."""
    rows: tuple[tuple[str, str], ...]
    """For each row its gadget and what it says: ("clause 2", "one of x1, -x2, x3")."""


class Reduction(ABC, Generic[Source, Certificate]):
    """One source on its way to a board."""

    name: ClassVar[str]
    """The name in the registry, on the command line and in the catalogue."""
    title: ClassVar[str]
    """From what to what, in a line."""
    theorem: ClassVar[str]
    """Whose theorem it proves, with the year."""
    source_kind: ClassVar[str]
    """What it reads: a name of `sources.SOURCES`."""
    parameters: ClassVar[tuple[str, ...]] = ()
    """Further numbers that it needs, by the names of the options: ("k",)."""
    formula: ClassVar[dict[str, str]]
    """The exact sizes in terms of the source: {"pegs": "2n", "colors": "2", "rows": "1 + n"}."""
    has_black_twin: ClassVar[bool] = False
    """Whether the board has the same codes when it is scored with black only."""

    def __init__(self, source: Source, **parameters: int) -> None:
        """Check the source; raises InputError for one that the reduction does not take."""
        self.source = source
        self.settings = parameters

    @cached_property
    @abstractmethod
    def board(self) -> Board:
        """The board: consistent just when the source has a certificate."""

    @abstractmethod
    def sizes(self) -> Sizes:
        """The size of the board by its formula, without building it."""

    @abstractmethod
    def encode(self, certificate: Certificate) -> Code:
        """The code of a certificate."""

    @abstractmethod
    def decode(self, code: Sequence[int]) -> Certificate:
        """The certificate of a consistent code."""

    @abstractmethod
    def is_certificate(self, certificate: Certificate) -> bool:
        """Whether something is a certificate of the source, by the problem's own definition."""

    @abstractmethod
    def gadgets(self) -> Gadgets:
        """What pegs and rows stand for."""

    def spell(self, certificate: Certificate) -> str:
        """A certificate for people, in the manner of the source's format; counting from 1."""
        values: Any = certificate
        return " ".join(str(value + 1) for value in values)

    @property
    def ratio(self) -> int:
        """How many consistent codes each certificate has: the same number for all of them."""
        return 1

    @property
    def known(self) -> tuple[Code, ...]:
        """Consistent codes that stand for no certificate, and are known beforehand."""
        return ()

    @property
    def is_parsimonious(self) -> bool:
        """Whether codes and certificates are one to one."""
        return self.ratio == 1 and not self.known

    def count(self, certificates: int) -> int:
        """How many consistent codes there are, for so many certificates."""
        return self.ratio * certificates + len(self.known)

    def stages(self) -> tuple[tuple[str, dict[str, int]], ...]:
        """The sizes of the source and of the board; a chain has more between them."""
        source: Any = self.source
        return (self.source_kind, measures(source)), (self.name, self.sizes()._asdict())

    def to_dict(self) -> dict[str, Any]:
        """What there is to say about it, for JSON."""
        sizes = self.sizes()._asdict()
        return {"name": self.name, **sizes, "ratio": self.ratio, "known": len(self.known)}
