"""All families of boards by name, and the calls that make boards."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Annotated, Any

from mmsat.arguments import check_arguments, require
from mmsat.generators.family import Family, Generated, GeneratedJson
from mmsat.generators.random_boards import RANDOM_BOARDS
from mmsat.json_types import NonNegative, Positive, Schema
from mmsat.reductions.reduce import REDUCTIONS
from mmsat.reductions.reduction import Reduction
from mmsat.reductions.samples.sample import Answer, BoardSamples, Sample
from mmsat.registry import require_name
from mmsat.results.verdict import Status
from mmsat.tasks import in_order

AnswerName = Annotated[str, Schema(enum=tuple(map(str, Answer)))]


class FamilyBoardJson(GeneratedJson):
    """A board of a family."""

    family: str
    """Name of the family."""
    size: Positive
    """The size in the unit of the family."""
    seed: NonNegative
    answer: AnswerName
    """The requested answer."""


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

    The same arguments give the same board on every machine. `mmsat generate --help` lists the
    families.

    Parameters
    ----------
    family : str
        Name of the family: a kind of random boards, or a reduction.
    size : int, optional
        Size of the board in the unit of the family, such as pegs or variables. By default, it is
        the size at which a board is decided in about a second.
    rows : int, optional
        Number of random rows, for families that have a choice.
    seed : int, default 0
        Seed of all random choices.
    answer : {"any", "consistent", "inconsistent", "slipped"}, optional
        The required answer; each family supports some. "any" leaves it open, and "slipped" plants a
        code and changes one score. By default, it is the first answer of the family.

    Returns
    -------
    Generated
        The board, its verdict, and a witness if it is consistent.

    Raises
    ------
    InputError
        If the family does not support the size, the rows or the answer, or if another argument is
        invalid.

    Examples
    --------
    >>> made = mmsat.generate("random-classic", 4, answer="consistent", seed=1)
    >>> made.board.is_consistent(made.witness)
    True
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
    """Make many boards of a family, as the lines of `mmsat generate --json`.

    Parameters
    ----------
    family : str
        Name of the family, as for `generate`.
    count : int
        Number of boards.
    size : int, optional
        Size of the boards in the unit of the family; by default, that of `generate`.
    rows : int, optional
        Number of random rows, for families that have a choice.
    seed : int, default 0
        Seed of the first board. Each further board has the next seed.
    answer : {"any", "consistent", "inconsistent", "slipped"}, optional
        The required answer; each family supports some. "any" leaves it open, and "slipped" plants a
        code and changes one score. By default, it is the first answer of the family.
    executor : concurrent.futures.Executor, optional
        Executor that makes the boards. By default, this process does. Only names, numbers and lines
        of JSON are exchanged with its workers.

    Returns
    -------
    iterator of str
        One line of JSON per board.

    Raises
    ------
    InputError
        If the family does not support the size, the rows or the answer, or if another argument is
        invalid.

    Examples
    --------
    >>> import json
    >>> lines = mmsat.generate_many("random-classic", 3, 4)
    >>> [json.loads(line)["seed"] for line in lines]
    [0, 1, 2]
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
    document: FamilyBoardJson = {
        "family": family,
        "size": size,
        "seed": seed,
        "answer": answer,
        **generated.to_dict(),
    }
    return f"{json.dumps(document)}\n"


def find_family(name: str) -> Family:
    """Return the family of this name; raise InputError with similar names for an unknown one."""
    require_name("family", name, FAMILIES)
    return FAMILIES[name]
