"""Reports: the text of a result, for terminals, pipes and pictures.

The report of a result is made by a function that yields lines of spans. Each module of this package
lists its functions by class in the table `LINES`. Text, pictures and the output of commands are all
made of these lines, so their contents agree. A module is imported when it is first needed.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from mmsat.render import Line, plain
from mmsat.render.board import PIPE, Style
from mmsat.render.terminal import show, style

MODULES = {
    "games": ("MatchResult", "Puzzle", "Review", "SeveralMatch", "Summary"),
    "reductions": ("Reduction",),
    "strategies": (
        "Analysis",
        "GameValue",
        "Optimum",
        "SeveralSuggestion",
        "StaticSet",
        "StrategyTree",
        "Suggestion",
    ),
    "verdicts": (
        "Board",
        "Explanation",
        "Generated",
        "Odds",
        "Proof",
        "Steps",
        "Suspicion",
        "Verdict",
        "Verification",
    ),
}
"""The result classes of which each module makes reports."""
MODULE_BY_CLASS = {name: module for module, names in MODULES.items() for name in names}
"""The module that makes the reports of each result class."""


def find_report(result: Any, table_name: str) -> Any:
    """Return the entry of the class of a result in a table of its report module.

    The table is `LINES` (reports as lines) or `PICTURES` (drawings). Returns None if the class has
    no drawing. Raises TypeError if the class has no report module.
    """
    names = (cls.__name__ for cls in type(result).__mro__)
    name = next((name for name in names if name in MODULE_BY_CLASS), None)
    if name is None:
        raise TypeError(f"{type(result).__name__} has no report")
    module = import_module(f"{__name__}.{MODULE_BY_CLASS[name]}")
    return getattr(module, table_name, {}).get(name)


def lines(
    result: Any, style: Style = PIPE, *, in_full: bool = False, **options: Any
) -> Iterator[Line]:
    """Yield the lines of a result's report.

    If `in_full` is true, every row, conflict and correction is included. `options` are further
    arguments of the report of this class.
    """
    report_lines: Iterator[Line] = find_report(result, "LINES")(
        result, style, in_full=in_full, **options
    )
    return report_lines


def text(result: Any) -> str:
    """Return a result as text, as its command prints it in a pipe."""
    return "\n".join(map(plain, lines(result)))


def print_report(result: Any, **options: Any) -> None:
    """Print a result on standard output; `options` are those of `lines`."""
    show(lines(result, style(), **options))
