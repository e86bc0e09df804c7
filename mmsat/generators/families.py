"""The families of boards by name: random boards, and the boards of every reduction."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mmsat.generators.family import Family, Generated
from mmsat.generators.random_boards import RANDOM_BOARDS
from mmsat.reductions.folders import REDUCTIONS
from mmsat.reductions.reduction import Reduction
from mmsat.reductions.samples.sample import Answer, BoardSamples, Sample
from mmsat.results.verdict import Status


@dataclass(frozen=True, kw_only=True)
class ReductionFamily(Family):
    """The boards of random samples of one reduction, whose name is the family's."""

    kind: type[Reduction[Any, Any]]

    @classmethod
    def of(cls, kind: type[Reduction[Any, Any]]) -> ReductionFamily:
        """Make the family of a reduction."""
        samples = kind.samples
        return cls(
            name=kind.name,
            summary=kind.family,
            unit=samples.unit,
            size=samples.size,
            smallest=samples.smallest,
            answers=samples.answers,
            kind=kind,
        )

    def _make(self, size: int, rng: random.Random, answer: Answer, rows: int | None) -> Generated:
        del rows
        sample = self._draw(size, rng, answer)
        reduction = self.kind(sample.source, **sample.parameters)
        recipe = sample.recipe, f"As a board by {self.name}: {reduction.title}."
        if reduction.known:
            why = (*recipe, "The known code is the witness.")
            return Generated(reduction.board, Status.CONSISTENT, reduction.known[0], why)
        certificate = sample.certificate
        witness = None if certificate is None else reduction.encode(certificate)
        return Generated(reduction.board, sample.status, witness, recipe)

    def _draw(self, size: int, rng: random.Random, answer: Answer) -> Sample:
        samples = self.kind.samples
        if not isinstance(samples, BoardSamples):
            return samples.draw(size, rng, answer)
        inner = RANDOM_BOARDS[samples.boards].make(size, rng.randrange(1 << 30), answer)
        recipe = " ".join(inner.recipe)
        return Sample(inner.board, inner.status, inner.witness, recipe, samples.parameters)


class Families(Mapping[str, Family]):
    """All families, in alphabetical order; a reduction is imported when its family is asked for."""

    def __getitem__(self, name: str) -> Family:
        return RANDOM_BOARDS.get(name) or ReductionFamily.of(REDUCTIONS[name])

    def __iter__(self) -> Iterator[str]:
        return iter(sorted((*RANDOM_BOARDS, *REDUCTIONS)))

    def __len__(self) -> int:
        return len(RANDOM_BOARDS) + len(REDUCTIONS)


FAMILIES = Families()
