"""Families that are reductions: random sources at their thresholds, turned into boards."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from mmsat.generators.base import Answer, Family, Generated
from mmsat.reductions.kinds import REDUCTIONS
from mmsat.results import Status

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

    from mmsat.generators.random_boards import RandomBoards


class Made(NamedTuple):
    """A source and what is known of it."""

    source: Any
    status: Status
    """Whether it has a certificate, where that is known."""
    certificate: Any
    """A certificate, where one is known."""
    recipe: str
    """How it was made, and why its answer is what it is: one sentence or two."""
    numbers: Mapping[str, int] = {}
    """Further numbers for the reduction."""


class Reduced(Family):
    """The boards of one reduction, whose name is the family's."""

    @abstractmethod
    def source(self, size: int, rng: random.Random, answer: Answer) -> Made:
        """A source of a size."""

    def _make(self, size: int, rng: random.Random, answer: Answer, rows: int | None) -> Generated:
        del rows
        made = self.source(size, rng, answer)
        kind = REDUCTIONS[self.name](made.source, **made.numbers)
        witness = None if made.certificate is None else kind.encode(made.certificate)
        return Generated(
            kind.board,
            made.status,
            witness,
            (made.recipe, f"As a board by {self.name}: {kind.title}."),
        )


class FromBoards(Reduced):
    """Reductions that read boards: the boards of a random family, carried over."""

    inner: ClassVar[RandomBoards]
    """The family of the boards that are read."""
    numbers: ClassVar[Mapping[str, int]] = {}
    """Further numbers for the reduction."""
    unit: ClassVar[str] = "pegs of the board that is read"
    answers: ClassVar[tuple[Answer, ...]] = (Answer.ANY, Answer.CONSISTENT, Answer.SLIPPED)

    def source(self, size: int, rng: random.Random, answer: Answer) -> Made:
        """A random board."""
        found = self.inner.make(size, rng.randrange(1 << 30), answer)
        return Made(found.board, found.status, found.witness, " ".join(found.recipe), self.numbers)


def known(answer: Answer) -> Status:
    """The status that an answer promises."""
    return {
        Answer.CONSISTENT: Status.CONSISTENT,
        Answer.INCONSISTENT: Status.INCONSISTENT,
    }.get(answer, Status.UNKNOWN)
