"""An optimum: the best strategy's figures, and what is proven."""

from collections.abc import Iterator

from mmsat.english import quantity
from mmsat.render.board import Style
from mmsat.render.reports import analysis
from mmsat.render.spans import Line
from mmsat.render.table import paragraphs
from mmsat.strategy.optimal.optimum import Optimum


def lines(found: Optimum, style: Style, *, in_full: bool) -> Iterator[Line]:
    """The strategy's figures, and a sentence."""
    if found.analysis is not None:
        yield from analysis.lines(found.analysis, style, in_full=in_full)
        yield []
    yield from paragraphs([sentence(found)], style.wrap)


def sentence(found: Optimum) -> str:
    """What is proven, in a sentence."""
    limits = "" if found.max_guesses is None else f" within {quantity(found.max_guesses, 'guess')}"
    kind = "strategy"
    if found.hard:
        kind = "strategy of hard mode"
    elif found.consistent_only:
        kind = "consistent strategy"
    if found.analysis is None:
        if found.is_proven:
            return f"No {kind} finds every code{limits}."
        return "No strategy was found in time."
    if found.objective == "worst":
        fewer = f"No {kind} finds every code in fewer than {quantity(found.bound, 'guess')}"
        return f"{fewer}." if found.is_proven else f"{fewer}; this one may not be best."
    if found.is_proven:
        return f"No {kind} has a lower total{limits}."
    return f"No {kind} has a total below {found.bound:,}{limits}; this one may not be best."
