"""The reductions by name, and the call that reduces a source to a board.

A reduction is a folder of this package: `k_permanent/` contains the class, page, example and golden
board of `k-permanent`; if the target is a game, there is a golden game instead of the board. The
names are read from the folders, and a class is imported when it is first looked up.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from mmsat.arguments import check_arguments
from mmsat.errors import Fault, InputError
from mmsat.reductions.game_reduction import GameReduction
from mmsat.reductions.reduction import Reduction
from mmsat.reductions.sources import read_source
from mmsat.registry import Registry, require_name

PACKAGE = Path(__file__).parent
REDUCTIONS: Mapping[str, type[Reduction[Any, Any]]] = Registry(
    "mmsat.reductions",
    sorted(board.parent.name for board in PACKAGE.glob("*/board.txt")),
    Reduction,  # type: ignore[type-abstract]
)
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
    """Return the page of a reduction, in Markdown."""
    return (folder(name) / "README.md").read_text("utf-8")


def example(name: str) -> str:
    """Return the text of the example source of a reduction."""
    (file,) = folder(name).glob("example.*")
    return file.read_text("utf-8")


@check_arguments
def reduce(name: str, source: Any, **parameters: int) -> Reduction[Any, Any]:
    r"""Reduce a problem to a board, with conversion of certificates both ways.

    Parameters
    ----------
    name : str
        Name of the reduction. `mmsat reductions` lists them.
    source : str, Board, networkx.Graph or object
        The problem: its text, or an object of its kind.
    **parameters : int
        The parameters of the reduction, such as `k`.

    Returns
    -------
    Reduction
        The reduction of this problem. Its board is built when it is first used.

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
    """
    require_name("reduction", name, REDUCTIONS)
    kind = REDUCTIONS[name]
    check_parameters(name, kind.parameters, parameters)
    reduction = kind(read_source(kind.source_kind, source), **parameters)
    reduction.require_size()
    return reduction


def check_parameters(name: str, wanted: Sequence[str], given: dict[str, int]) -> None:
    """Raise InputError if parameters are missing or unknown."""
    write = ", ".join(f"{parameter}=NUMBER" for parameter in wanted) or "none"
    faults = [
        Fault(f"{name} needs the parameter {parameter}", None, write)
        for parameter in wanted
        if parameter not in given
    ]
    faults += [
        Fault(f"{name} has no parameter {parameter}", value, write)
        for parameter, value in given.items()
        if parameter not in wanted
    ]
    InputError.refuse(faults, "the parameters")
