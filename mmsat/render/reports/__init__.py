"""Reports: what people see of a result, in words, on a terminal and as a picture.

The report of a class is the function `lines` of the module here that is named as the class's own:
that of `mmsat.results.verdict.Verdict` stands in `mmsat.render.reports.verdict`. It gives lines of
spans; text, pictures and what commands print are made of them, so that all say the same.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from mmsat.registry import module_names
from mmsat.render.board import PIPE, Style
from mmsat.render.spans import Line, plain
from mmsat.render.terminal import show, style

REPORTS = frozenset(module_names(__path__))


def report(result: Any) -> Any:
    """The module that reports a result: that of its class, or of what this is a kind of."""
    names = (kind.__module__.rpartition(".")[2] for kind in type(result).__mro__)
    return import_module(f"{__name__}.{next(name for name in names if name in REPORTS)}")


def lines(
    result: Any, style: Style = PIPE, *, in_full: bool = False, **more: Any
) -> Iterator[Line]:
    """The lines of a result's report; in full, every row, conflict and correction.

    More is what the report of that class takes.
    """
    found: Iterator[Line] = report(result).lines(result, style, in_full=in_full, **more)
    return found


def text(result: Any) -> str:
    """A result in words: what its command prints in a pipe."""
    return "\n".join(map(plain, lines(result)))


def print_report(result: Any, **more: Any) -> None:
    """Print a result on standard output; more is that of `lines`."""
    show(lines(result, style(), **more))
