"""Chains: steps from source to source, then reductions, as one reduction.

    chain(["three-sat", "one-in-three", "one-in-three-3sat"], formula)

takes any formula to a board of two colors, and a code of the board back to a model of the formula.
Reductions of boards may follow: the board of one is the source of the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from mmsat.board import Board
from mmsat.errors import Fault, InputError
from mmsat.game.row import Code
from mmsat.reductions.base import Gadgets, Reduction, Sizes
from mmsat.reductions.kinds import REDUCTIONS
from mmsat.reductions.reduce import check_parameters
from mmsat.reductions.sources import measures, read_source
from mmsat.reductions.steps import STEPS, Step

Link = Step[Any, Any] | Reduction[Any, Any]


@dataclass(frozen=True, slots=True)
class Stage:
    """A source or a board on the way, and how large it is."""

    name: str
    """What made it: a step, a reduction, or the kind of the first source."""
    sizes: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """The name and the sizes."""
        return {"name": self.name, **self.sizes}


class Chain(Reduction[Any, Any]):
    """One source on its way to a board over other sources; every part can be looked at."""

    def __init__(self, links: Sequence[Link]) -> None:
        """Take links of which each has the one before's target as its source."""
        super().__init__(links[0].source, **_settings(links))
        self.links = tuple(links)
        self.name = "+".join(link.name for link in links)  # type: ignore[misc]
        self.title = "; ".join(link.title for link in links)  # type: ignore[misc]
        self.theorem = self.last.theorem  # type: ignore[misc]
        self.source_kind = links[0].source_kind  # type: ignore[misc]
        self.parameters = tuple(self.settings)  # type: ignore[misc]
        self.formula = self.last.formula  # type: ignore[misc]
        self.has_black_twin = self.last.has_black_twin  # type: ignore[misc]

    @property
    def last(self) -> Reduction[Any, Any]:
        """The reduction that makes the board."""
        link = self.links[-1]
        assert isinstance(link, Reduction)  # noqa: S101  (a chain is checked when it is made)
        return link

    @cached_property
    def board(self) -> Board:
        """The last board."""
        return self.last.board

    def sizes(self) -> Sizes:
        """The size of the last board, by its reduction's formula."""
        return self.last.sizes()

    def encode(self, certificate: Any) -> Code:
        """The code of the first source's certificate."""
        for link in self.links:
            certificate = link.encode(certificate)
        return tuple(certificate)

    def decode(self, code: Sequence[int]) -> Any:
        """The first source's certificate of a consistent code."""
        certificate: Any = code
        for link in reversed(self.links):
            certificate = link.decode(certificate)
        return certificate

    def is_certificate(self, certificate: Any) -> bool:
        """Whether something is a certificate of the first source."""
        return self.links[0].is_certificate(certificate)

    def gadgets(self) -> Gadgets:
        """What pegs and rows stand for, in the words of the last source."""
        return self.last.gadgets()

    @property
    def ratio(self) -> int:
        """The product of all ratios."""
        product = 1
        for link in self.links:
            if isinstance(link, Reduction):
                product *= link.ratio
        return product

    @property
    def known(self) -> tuple[Code, ...]:
        """What is known beforehand, carried on by the reductions that follow."""
        codes: list[Code] = []
        for link in self.links:
            codes = [link.encode(code) for code in codes]
            if isinstance(link, Reduction):
                codes += link.known
        return tuple(codes)

    def spell(self, certificate: Any) -> str:
        """As the first source's answers are spelled."""
        return self.links[0].spell(certificate)

    def stages(self) -> tuple[tuple[str, dict[str, int]], ...]:
        """The report as pairs."""
        return tuple((stage.name, stage.sizes) for stage in self.report())

    def report(self) -> tuple[Stage, ...]:
        """The sizes of the source, and of what each link makes of it."""
        stages = [Stage(self.source_kind, measures(self.source))]
        stages += [Stage(link.name, measures(_target(link))) for link in self.links]
        return tuple(stages)


def chain(names: Sequence[str], source: Any, **parameters: int) -> Chain:
    """Compose steps and reductions by their names, the last one a reduction.

    The source is a text, a source object, a board or a networkx graph; each link takes the
    parameters that it needs. Raises InputError with everything that is wrong.
    """
    every: dict[str, type[Link]] = {**STEPS, **REDUCTIONS}
    kinds = [every.get(name) for name in names]
    faults = [
        Fault("a link is known by name", name, ", ".join((*STEPS, *REDUCTIONS)))
        for name, kind in zip(names, kinds, strict=True)
        if kind is None
    ]
    if not names or names[-1] in STEPS:
        faults.append(
            Fault("a chain ends with a reduction", "|".join(names), ", ".join(REDUCTIONS))
        )
    known = [kind for kind in kinds if kind]
    faults += [
        Fault(
            f"{after.name} reads a {after.source_kind}", _made(before), _made_by(after.source_kind)
        )
        for before, after in pairwise(known)
        if not faults and _made(before) != after.source_kind
    ]
    if faults:
        raise InputError(faults, "the chain")
    wanted = [name for kind in known if issubclass(kind, Reduction) for name in kind.parameters]
    check_parameters("the chain", list(dict.fromkeys(wanted)), parameters)
    target = read_source(known[0].source_kind, source)
    links: list[Link] = []
    for kind in known:
        if issubclass(kind, Reduction):
            taken = {name: parameters[name] for name in kind.parameters}
            links.append(kind(target, **taken))
        else:
            links.append(kind(target))
        target = _target(links[-1]) if len(links) < len(known) else None
    return Chain(links)


def _target(link: Link) -> Any:
    return link.board if isinstance(link, Reduction) else link.target


def _made(kind: type[Link]) -> str:
    return "board" if issubclass(kind, Reduction) else kind.target_kind


def _made_by(kind: str) -> str:
    """The links that make sources of a kind, for errors."""
    every: dict[str, type[Link]] = {**STEPS, **REDUCTIONS}
    return ", ".join(name for name, link in every.items() if _made(link) == kind) or "it first"


def _settings(links: Sequence[Link]) -> dict[str, int]:
    """All parameters of the links."""
    settings: dict[str, int] = {}
    for link in links:
        if isinstance(link, Reduction):
            settings.update(link.settings)
    return settings
