"""An analysis: how many guesses a strategy takes."""

from collections import Counter
from collections.abc import Iterable, Iterator

from mmsat.notation.speller import speller
from mmsat.render.board import Style
from mmsat.render.spans import Line
from mmsat.render.table import fields, table
from mmsat.strategy.analysis import Analysis


def lines(analysis: Analysis, style: Style, *, in_full: bool) -> Iterator[Line]:
    """The figures, then the codes that take so many guesses, in all and by kind of code."""
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
    """How many codes take so many guesses, in all and for each kind of code."""
    kinds = analysis.kinds
    turns = range(1, analysis.max + 1)

    def row(name: str, average: float, ends: Iterable[int]) -> list[str]:
        codes = Counter(ends)
        return [name, *(str(codes[turn] or "-") for turn in turns), f"{average:.4f}"]

    rows = [row("codes", float(analysis.average), (turn for _, turn in analysis.games))]
    if len(kinds) > 1:
        rows += [
            row("+".join(map(str, kind.pattern)), float(kind.average), kind.turns) for kind in kinds
        ]
    yield from table(["guesses", *map(str, turns), "average"], rows, None, numbers=turns)
