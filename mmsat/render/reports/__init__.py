"""Reports: the text of a result, for terminals, pipes and pictures.

The report of a class is the function `lines` of the module in this package that has the same name
as the module of the class: the report of `mmsat.results.verdict.Verdict` is in
`mmsat.render.reports.verdict`. It yields lines of spans. Text, pictures and the output of commands
are all made of these lines, so their contents agree.
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
    """Return the module that reports a result: the module of its class or of a base class."""
    names = (kind.__module__.rpartition(".")[2] for kind in type(result).__mro__)
    return import_module(f"{__name__}.{next(name for name in names if name in REPORTS)}")


def lines(
    result: Any, style: Style = PIPE, *, in_full: bool = False, **more: Any
) -> Iterator[Line]:
    """Yield the lines of a result's report.

    If `in_full` is true, every row, conflict and correction is included. `more` are further
    arguments of the report of that class.
    """
    report_lines: Iterator[Line] = report(result).lines(result, style, in_full=in_full, **more)
    return report_lines


def text(result: Any) -> str:
    """Return a result as text, as its command prints it in a pipe."""
    return "\n".join(map(plain, lines(result)))


def print_report(result: Any, **more: Any) -> None:
    """Print a result on standard output; for `more` see `lines`."""
    show(lines(result, style(), **more))
