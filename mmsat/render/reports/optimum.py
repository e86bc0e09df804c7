"""An optimum: the figures of the best strategy, and the proven claim."""

from collections.abc import Iterator
from math import floor, log10

from mmsat.english import quantity
from mmsat.render.board import Style
from mmsat.render.reports import analysis
from mmsat.render.spans import Line
from mmsat.render.table import paragraphs
from mmsat.strategy.optimal.optimum import Optimum


def lines(found: Optimum, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the figures of the strategy and a sentence."""
    if found.analysis is not None:
        yield from analysis.lines(found.analysis, style, in_full=in_full)
        yield []
    yield from paragraphs([sentence(found)], style.wrap)


def sentence(found: Optimum) -> str:
    """Return the proven claim as a sentence, with the chance of a hash collision."""
    limits = "" if found.max_guesses is None else f" within {quantity(found.max_guesses, 'guess')}"
    kind = "strategy"
    if found.hard:
        kind = "strategy of hard mode"
    elif found.consistent_only:
        kind = "consistent strategy"
    if found.analysis is None:
        if found.is_proven:
            return f"No {kind} finds every code{limits}{collision_chance(found)}."
        return "No strategy was found in time."
    if found.objective == "worst":
        fewer = f"No {kind} finds every code in fewer than {quantity(found.bound, 'guess')}"
        fewer += collision_chance(found)
        return f"{fewer}." if found.is_proven else f"{fewer}; this one may not be best."
    if found.is_proven:
        return f"No {kind} has a lower total{limits}{collision_chance(found)}."
    below = f"No {kind} has a total below {found.bound:,}{limits}{collision_chance(found)}"
    return f"{below}; this one may not be best."


def collision_chance(found: Optimum) -> str:
    """Return the bound on the probability of a hash collision in parentheses, or "" if it is 0."""
    if found.hash_error_bound == 0:
        return ""
    return f" (chance of a hash collision: below 1e{floor(log10(found.hash_error_bound)) + 1})"
