"""An optimum: the figures of the best strategy, and the proven claim."""

from collections.abc import Iterator
from math import floor, log10

from mmsat.english import quantity
from mmsat.render.board import Style
from mmsat.render.reports.analysis import lines as analysis_lines
from mmsat.render.spans import Line
from mmsat.render.table import paragraphs
from mmsat.strategy.optimal.optimum import Optimum


def lines(optimum: Optimum, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the figures of the strategy and a sentence."""
    if optimum.analysis is not None:
        yield from analysis_lines(optimum.analysis, style, in_full=in_full)
        yield []
    yield from paragraphs(sentences(optimum), style.wrap)


def sentences(optimum: Optimum) -> list[str]:
    """Return the claims: whether the maximum number of guesses is enough, and the proven one."""
    if optimum.max_guesses is None or optimum.analysis is None:
        return [sentence(optimum)]
    verb = "is" if optimum.max_guesses == 1 else "are"
    mode = " in hard mode" if optimum.hard else ""
    mode = " with consistent guesses" if optimum.consistent_only and not optimum.hard else mode
    enough = f"{quantity(optimum.max_guesses, 'guess')} {verb} always enough{mode}."
    return [enough, sentence(optimum)]


def sentence(optimum: Optimum) -> str:
    """Return the proven claim as a sentence, with the chance of a hash collision."""
    limits = (
        "" if optimum.max_guesses is None else f" within {quantity(optimum.max_guesses, 'guess')}"
    )
    kind = "strategy"
    if optimum.hard:
        kind = "hard-mode strategy"
    elif optimum.consistent_only:
        kind = "consistent strategy"
    if optimum.analysis is None:
        if optimum.is_proven:
            return f"No {kind} finds every code{limits}{collision_chance(optimum)}."
        return "No strategy was found in time."
    enough = "" if optimum.max_guesses is None else _is_enough(optimum.max_guesses)
    if optimum.objective == "worst":
        bound_words = f"No {kind} finds every code in fewer than {quantity(optimum.bound, 'guess')}"
        bound_words += collision_chance(optimum)
        return (
            f"{enough}{bound_words}."
            if optimum.is_proven
            else f"{enough}{bound_words}; this one may not be optimal."
        )
    if optimum.is_proven:
        return f"{enough}No {kind} has a lower total{limits}{collision_chance(optimum)}."
    total_words = (
        f"No {kind} has a total below {optimum.bound:,}{limits}{collision_chance(optimum)}"
    )
    return f"{enough}{total_words}; this one may not be optimal."


def _is_enough(max_guesses: int) -> str:
    """Return the sentence that this number of guesses is enough, and a blank."""
    verb = "is" if max_guesses == 1 else "are"
    return f"{quantity(max_guesses, 'guess')} {verb} always enough. "


def collision_chance(optimum: Optimum) -> str:
    """Return the bound on the probability of a hash collision in parentheses, or "" if it is 0."""
    if optimum.hash_error_bound == 0:
        return ""
    return f" (chance of a hash collision: below 1e{floor(log10(optimum.hash_error_bound)) + 1})"
