"""The reductions by name, and functions that reduce a source to a board, directly or in a chain.

A reduction is a folder of this package: `k_permanent/` contains the class, page, example and golden
board of `k-permanent`. If the target is a game, there is a golden game instead of the board. The
names are read from the folders, and a class is imported when it is first looked up.

A chain composes links between problems into one reduction. The last link is a reduction to a board:

    chain(["three-sat", "one-in-three", "one-in-three-3sat"], formula)

reduces any formula to a board of two colors, and maps a code of the board back to a model of the
formula. Reductions of boards may follow: each reduces the board of the reduction before it.
"""

from collections.abc import Mapping, Sequence
from inspect import cleandoc
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Any, Literal, overload

from mmsat._util.arguments import RULES, check_arguments
from mmsat._util.plugins import Extensible
from mmsat._util.registry import Registry, UnknownName, require_name
from mmsat._util.text import join_words
from mmsat.errors import Fault, InputError
from mmsat.game.board import Board
from mmsat.game.row import Code
from mmsat.reductions.formula_links import LINKS
from mmsat.reductions.reduction import Gadgets, GameReduction, Link, Reduction, Sizes
from mmsat.reductions.sources import read_source, source_sizes

PACKAGE = Path(__file__).parent
REDUCTIONS: Extensible[type[Reduction[Any, Any]]] = Extensible(
    "reduction",
    "reductions",
    Registry(
        "mmsat.reductions",
        sorted(board.parent.name for board in PACKAGE.glob("*/board.txt")),
        Reduction,  # type: ignore[type-abstract]
    ),
    Reduction,
    has_classes=True,
)
"""The reductions to a board, by name."""
GAME_REDUCTIONS: Mapping[str, type[GameReduction[Any, Any]]] = Registry(
    "mmsat.reductions",
    sorted(game.parent.name for game in PACKAGE.glob("*/game.toml")),
    GameReduction,  # type: ignore[type-abstract]
)
"""The reductions to a game and a number of guesses, by name."""


def folder(name: str) -> Path:
    """Return the folder of a reduction."""
    return PACKAGE / name.replace("-", "_")


def page(name: str) -> str:
    """Return the page of a reduction, in Markdown; for a plug-in, the docstring of its class."""
    if name not in (*REDUCTIONS, *GAME_REDUCTIONS):
        return f"# {name}\n\n{cleandoc(REDUCTIONS[name].__doc__ or REDUCTIONS[name].title)}\n"
    return (folder(name) / "README.md").read_text("utf-8")


def example(name: str) -> str:
    """Return the text of the example source of a reduction."""
    (file,) = folder(name).glob("example.*")
    return file.read_text("utf-8")


RULES["reduce.name"] = REDUCTIONS.rule()


@overload
def reduce(
    name: Literal["word-game"], source: Any, **parameters: int
) -> GameReduction[Any, Any]: ...
@overload
def reduce(
    name: str | type[Reduction[Any, Any]], source: Any, **parameters: int
) -> Reduction[Any, Any]: ...
@check_arguments
def reduce(
    name: str | type[Reduction[Any, Any]], source: Any, **parameters: int
) -> Reduction[Any, Any] | GameReduction[Any, Any]:
    r"""Reduce a problem to a board, with conversion of certificates both ways.

    The reduction "word-game" makes a game and a number of guesses instead of a board.

    Parameters
    ----------
    name : str or type
        Name of the reduction, or its class. `mmsat reductions` lists the names.
    source : str, Board, networkx.Graph or object
        The problem: its text, or an object of its kind.
    **parameters : int
        The parameters of the reduction, such as `k`.

    Returns
    -------
    Reduction
        The reduction of this problem. Its board is built when it is first used. The result for
        "word-game" has a `target`, the game, and a number of `guesses` instead.

    Raises
    ------
    InputError
        If the name, a parameter or the source is invalid, or if the board would be too large.

    Examples
    --------
    >>> reduction = mmsat.reduce("vertex-cover", "p edge 3 2\ne 1 2\ne 2 3\n", k=1)
    >>> code = next(iter(mmsat.codes(reduction.board)))
    >>> reduction.decode(code)
    (2,)
    >>> reduction = mmsat.reduce("word-game", "p edge 3 2\ne 1 2\ne 2 3\n", k=1)
    >>> mmsat.optimal(reduction.target, max_guesses=reduction.guesses).tree is not None
    True
    """
    reduction_class: type[Reduction[Any, Any] | GameReduction[Any, Any]]
    if not isinstance(name, str):
        reduction_class = name
    elif name in GAME_REDUCTIONS:
        reduction_class = GAME_REDUCTIONS[name]
    else:
        require_name("reduction", name, (*REDUCTIONS, *GAME_REDUCTIONS))
        reduction_class = REDUCTIONS[name]
    check_parameters(reduction_class.name, reduction_class.parameters, parameters)
    reduction = reduction_class(read_source(reduction_class.source_kind, source), **parameters)
    reduction.require_size()
    return reduction


def check_parameters(name: str, parameter_names: Sequence[str], given: dict[str, int]) -> None:
    """Raise InputError if parameters are missing or unknown."""
    expected = ", ".join(f"{parameter}=NUMBER" for parameter in parameter_names) or "none"
    faults = [
        Fault(f"{name} needs the parameter {parameter}", None, expected)
        for parameter in parameter_names
        if parameter not in given
    ]
    faults += [
        Fault(f"{name} has no parameter {parameter}", value, expected)
        for parameter, value in given.items()
        if parameter not in parameter_names
    ]
    InputError.refuse(faults, "the parameters")


class Chain(Reduction[Any, Any]):
    """A problem reduced to a board through intermediate problems; `self.links` has all links.

    Parameters
    ----------
    links : sequence of Link
        The links before `last`. The source of each link is the target of the previous one.
    last : Reduction
        The last link, whose target is the board.
    """

    def __init__(self, links: Sequence[Link[Any, Any]], last: Reduction[Any, Any]) -> None:
        self.links = (*links, last)
        self.last = last
        settings = {key: value for link in self.links for key, value in link.settings.items()}
        super().__init__(self.links[0].source, **settings)
        self.name = "+".join(link.name for link in self.links)
        self.title = "; ".join(link.title for link in self.links)
        self.theorem = last.theorem
        self.source_kind = self.links[0].source_kind
        self.parameters = tuple(settings)
        self.formula = last.formula
        self.has_black_twin = last.has_black_twin

    def build(self) -> Board:
        """Return the board of the last reduction."""
        return self.last.board

    def sizes(self) -> Sizes:
        """Return the size of the last board, by the formula of its reduction."""
        return self.last.sizes()

    def encode(self, certificate: Any) -> Code:
        """Return the code for a certificate of the first source.

        Parameters
        ----------
        certificate : object
            A certificate of the first source.

        Returns
        -------
        tuple of int
            The code, with colors from 0.
        """
        for link in self.links:
            certificate = link.encode(certificate)
        return tuple(certificate)

    def decode_colors(self, code: Sequence[int]) -> Any:
        """Return the certificate of the first source for a consistent code.

        Parameters
        ----------
        code : sequence of int
            The code, with colors from 0. It is not checked.

        Returns
        -------
        object
            The certificate.
        """
        certificate: Any = code
        for link in reversed(self.links):
            certificate = link.decode(certificate)
        return certificate

    def is_certificate(self, certificate: Any) -> bool:
        """Return whether a candidate is a certificate of the first source.

        Parameters
        ----------
        certificate : object
            The candidate.

        Returns
        -------
        bool
            True if the candidate is a certificate, by the definition of the problem.
        """
        return self.links[0].is_certificate(certificate)

    def gadgets(self) -> Gadgets:
        """Return the meaning of pegs and rows in terms of the last source."""
        return self.last.gadgets()

    @property
    def ratio(self) -> int:
        """The number of codes per certificate of the source: the product over all links."""
        return prod(link.ratio for link in self.links)

    @property
    def known(self) -> tuple[Code, ...]:
        """The known certificates of each link, mapped to codes by the links after it."""
        certificates: list[Code] = []
        for link in self.links:
            certificates = [
                *(link.encode(certificate) for certificate in certificates),
                *link.known,
            ]
        return tuple(certificates)

    @property
    def question(self) -> str:
        """The question about the board of the last link."""
        return self.last.question

    def spell(self, certificate: Any) -> str:
        """Return a certificate in the format of the first source.

        Parameters
        ----------
        certificate : object
            A certificate of the first source.

        Returns
        -------
        str
            The text, in which numbers start at 1.
        """
        return self.links[0].spell(certificate)

    def stages(self) -> tuple[tuple[str, dict[str, int]], ...]:
        """Return the sizes of the source and of the target of each link."""
        targets = ((link.name, source_sizes(link.target)) for link in self.links)
        return ((self.source_kind, source_sizes(self.source)), *targets)


@check_arguments
def chain(names: Sequence[str], source: Any, **parameters: int) -> Chain:
    r"""Reduce a problem to a board through intermediate problems.

    Parameters
    ----------
    names : sequence of str
        Names of the links, in order. The last link is a reduction.
    source : str, Board, networkx.Graph or object
        The first problem: its text, or an object of its kind.
    **parameters : int
        The parameters of all links by name, such as `k`.

    Returns
    -------
    Chain
        The composed reduction, which converts certificates both ways.

    Raises
    ------
    InputError
        If a name, a parameter or the source is invalid, or if the board would be too large.

    Examples
    --------
    >>> links = ["three-sat", "one-in-three", "one-in-three-3sat"]
    >>> mmsat.chain(links, "p cnf 2 1\n1 2 0\n").sizes()
    Sizes(pegs=6, colors=2, rows=5)
    """
    *inner_classes, last_class = _find_links(names)
    required = dict.fromkeys(
        name for link_class in (*inner_classes, last_class) for name in link_class.parameters
    )
    check_parameters("the chain", list(required), parameters)
    target = read_source((*inner_classes, last_class)[0].source_kind, source)
    links: list[Link[Any, Any]] = []
    for link_class in (*inner_classes, last_class):
        links.append(
            link_class(target, **{name: parameters[name] for name in link_class.parameters})
        )
        if len(links) <= len(inner_classes):
            target = links[-1].target
    last = links.pop()
    assert isinstance(last, Reduction)  # noqa: S101  (`_find_links` checked it)
    last.require_size()
    return Chain(links, last)


def _find_links(names: Sequence[str]) -> list[type[Link[Any, Any]]]:
    """Return the links with these names. Raises InputError if they do not form a chain."""
    link_names = (*LINKS, *REDUCTIONS)
    faults = [
        Fault("it makes a game, and a chain makes a board", name, ", ".join(link_names))
        if name in GAME_REDUCTIONS
        else UnknownName.of("link or reduction", name, link_names)
        for name in names
        if name not in link_names and name not in REDUCTIONS
    ]
    if not names or names[-1] in LINKS:
        rule = "a chain ends with a reduction"
        expected = f"{'+'.join((*names, 'NAME'))}, where NAME is one of {', '.join(REDUCTIONS)}"
        faults.append(Fault(rule, "+".join(names), expected))
    link_classes = [_find_link(name) for name in names if name in link_names or name in REDUCTIONS]
    if not faults:
        faults = [
            Fault(
                f"{link.name} makes a {link.target_kind}",
                link.name,
                f"{_list_makers(next_link.source_kind)}{next_link.name}",
            )
            for link, next_link in pairwise(link_classes)
            if link.target_kind != next_link.source_kind
        ]
    InputError.refuse(faults, "the chain")
    return link_classes


def _find_link(name: str) -> type[Link[Any, Any]]:
    return LINKS[name] if name in LINKS else REDUCTIONS[name]


def _list_makers(kind: str) -> str:
    """Return "NAME or NAME before " for the links to this kind of target, or ""."""
    makers = [name for name in (*LINKS, *REDUCTIONS) if _find_link(name).target_kind == kind]
    return f"{join_words(makers, 'or')} before " if makers else ""
