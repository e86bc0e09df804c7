"""A static set: its guesses, the codes that they distinguish, and the proven claim."""

from collections.abc import Iterator

from mmsat.english import quantity
from mmsat.notation.speller import speller
from mmsat.render.board import Style
from mmsat.render.spans import Line
from mmsat.render.table import fields, paragraphs, table
from mmsat.strategy.static.static_set import StaticSet

LAST = "told apart"
"""Head of the last column, whose numbers are right-aligned to it."""


def lines(found: StaticSet, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the figures, the guesses one by one, and a sentence."""
    codes = f"{found.game.size:,}"
    if found.kinds < found.game.size:
        codes += f", of which guesses tell {found.kinds:,} apart"
    figures = {
        "game": str(found.game),
        "codes": codes,
        "counting": f"at least {quantity(found.counting_bound, 'guess')}",
        "guesses": f"{len(found.guesses)}" if found.tells_all else "",
    }
    yield from fields(figures, style.wrap)
    yield []
    if found.guesses:
        spell = speller(found.game)
        each = zip(found.guesses, found.scores, found.apart, strict=True)
        rows = [
            [f"{number}", spell.print_code(guess), f"{scores}", f"{apart:>{len(LAST)},}"]
            for number, (guess, scores, apart) in enumerate(each, 1)
        ]
        yield from table(["", "guess", "scores", LAST], rows, None, numbers=(0, 2))
        yield []
    yield from paragraphs([sentence(found)], style.wrap)


def sentence(found: StaticSet) -> str:
    """Return the proven claim as a sentence."""
    fewer = f"No set of fewer than {quantity(found.bound, 'guess')} tells all codes apart"
    if found.max_guesses is not None:
        asked = quantity(found.max_guesses, "guess")
        if found.tells_all:
            return f"Within {asked} all codes can be told apart; perhaps fewer do."
        if found.is_proven:
            return f"No set of {asked} tells all codes apart."
        return f"Whether {asked} do is not known yet. {fewer}."
    if not found.tells_all:
        return f"No set was found in time. {fewer}."
    if found.is_proven:
        return f"{fewer}." if found.guesses else "There is one code, which needs no guess."
    return f"{fewer}; this one may not be smallest."
