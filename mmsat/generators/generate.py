"""All families of boards by name, and the calls that make boards."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

from mmsat.arguments import check_arguments, require
from mmsat.generators.family import Family, Generated
from mmsat.generators.random_boards import RANDOM_BOARDS
from mmsat.reductions.reduce import REDUCTIONS
from mmsat.reductions.reduction import Reduction
from mmsat.reductions.samples.sample import Answer, BoardSamples, Sample
from mmsat.registry import require_name
from mmsat.results.verdict import Status
from mmsat.tasks import in_order


@dataclass(frozen=True, kw_only=True)
class ReductionFamily(Family):
    """The boards of random sources of one reduction, after which the family is named."""

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
        recipe = sample.recipe, f"Reduced to a board by {self.name}: {reduction.title}."
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
    """All families, in alphabetical order; a reduction is imported when its family is looked up."""

    def __getitem__(self, name: str) -> Family:
        return RANDOM_BOARDS.get(name) or ReductionFamily.of(REDUCTIONS[name])

    def __iter__(self) -> Iterator[str]:
        return iter(sorted((*RANDOM_BOARDS, *REDUCTIONS)))

    def __len__(self) -> int:
        return len(RANDOM_BOARDS) + len(REDUCTIONS)


FAMILIES = Families()


@check_arguments
def generate(
    family: str,
    size: int | None = None,
    *,
    rows: int | None = None,
    seed: int = 0,
    answer: str | None = None,
) -> Generated:
    """Make a board of a family, with the verdict that its construction guarantees.

    The same arguments give the same board on every machine. See `mmsat generate`.

    - `family`: the name of the family.
    - `size`: the size of the board, in the unit of the family; None for the default size.
    - `rows`: the number of random rows, if the family has a choice; None for the default number.
    - `seed`: the seed of all random choices.
    - `answer`: the required answer, such as "consistent"; None for the default of the family.

    Raises InputError for a size, rows or an answer that the family does not support.
    """
    chosen = find_family(family)
    if answer is not None:
        require_name("answer", answer, [*map(str, Answer)])
    wanted = None if answer is None else Answer(answer)
    return chosen.make(chosen.size if size is None else size, seed, wanted, rows)


@check_arguments
def generate_many(
    family: str,
    count: int,
    size: int | None = None,
    *,
    rows: int | None = None,
    seed: int = 0,
    answer: str | None = None,
    executor: Executor | None = None,
) -> Iterator[str]:
    """Make many boards of a family, and yield the lines of `mmsat generate --json`, one per board.

    - `count`: the number of boards.
    - `seed`: the seed of the first board; each further board has the next seed.
    - `executor`: a `concurrent.futures` executor that makes the boards; None makes them in this
      process. Only names, numbers and lines of JSON are exchanged with its workers.

    `family`, `size`, `rows` and `answer` are the same as for `generate`. Raises InputError in the
    same cases.
    """
    seed = seed or 0
    require("generate_many", seed=seed + count - 1)
    chosen = find_family(family)
    size = chosen.size if size is None else size
    answer = answer or str(chosen.answers[0])
    tasks = ((family, size, rows, number, answer) for number in range(seed, seed + count))
    return in_order(executor, make_line, tasks)


def make_line(family: str, size: int, rows: int | None, seed: int, answer: str) -> str:
    """Make a board and return it as a line of JSON."""
    generated = generate(family, size, rows=rows, seed=seed, answer=answer)
    keys = {"family": family, "size": size, "seed": seed, "answer": answer, **generated.to_dict()}
    return f"{json.dumps(keys)}\n"


def find_family(name: str) -> Family:
    """Return the family of this name; raise InputError with similar names for an unknown one."""
    require_name("family", name, FAMILIES)
    return FAMILIES[name]
