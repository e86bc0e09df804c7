"""An analysis: how many guesses a strategy needs."""

from collections import Counter
from collections.abc import Iterable, Iterator

from mmsat.notation.speller import speller
from mmsat.render.board import Style
from mmsat.render.spans import Line
from mmsat.render.table import fields, table
from mmsat.strategy.analysis import Analysis

MAX_SINGLE_COLUMNS, NUM_SHARED_COLUMNS = 20, 6
"""Maximum number of guesses with a column each; otherwise ranges of guesses share columns."""
MAX_PEGS_BY_KIND = 16
"""Maximum number of pegs for which codes are also counted by kind."""


def lines(analysis: Analysis, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the figures, then the distribution of the number of guesses."""
    error = analysis.standard_error
    exact = f" = {analysis.total:,}/{analysis.codes:,}"
    tree = analysis.tree
    figures = {
        "game": str(analysis.game),
        "strategy": analysis.strategy,
        "opening": speller(analysis.game).print_code(tree.root.guess) if tree else "",
        "codes": f"{analysis.codes:,}{', drawn at random' * analysis.is_sample}",
        "guesses": f"{analysis.total:,}",
        "average": f"{float(analysis.average):.4f}"
        + (exact if error is None else f", standard error {error:.4f}"),
        "max": str(analysis.max),
    }
    yield from fields(figures, style.wrap)
    yield []
    yield from distribution(analysis)


def distribution(analysis: Analysis) -> Iterator[Line]:
    """Yield a table of the number of codes by number of guesses, in total and per kind of code."""
    kinds = analysis.kinds if analysis.game.pegs <= MAX_PEGS_BY_KIND else ()
    first, step = 1, 1
    if analysis.max > MAX_SINGLE_COLUMNS:
        first = min(turn for _, turn in analysis.games)
        step = -(-(analysis.max + 1 - first) // NUM_SHARED_COLUMNS)
    starts = range(first, analysis.max + 1, step)
    heads = [str(start) if step == 1 else f"{start}-{start + step - 1}" for start in starts]

    def row(name: str, average: float, ends: Iterable[int]) -> list[str]:
        codes = Counter((turn - first) // step for turn in ends)
        return [name, *(str(codes[n] or "-") for n in range(len(starts))), f"{average:.4f}"]

    rows = [row("codes", float(analysis.average), (turn for _, turn in analysis.games))]
    if len(kinds) > 1:
        rows += [
            row("+".join(map(str, kind.pattern)), float(kind.average), kind.turns) for kind in kinds
        ]
    yield from table(["guesses", *heads, "average"], rows, None, numbers=range(1, len(heads) + 1))
