"""A static set: its guesses, the codes that they distinguish, and the proven claim."""

from collections.abc import Iterator

from mmsat.english import quantity
from mmsat.notation.speller import speller
from mmsat.render.board import Style
from mmsat.render.spans import Line
from mmsat.render.table import fields, paragraphs, table
from mmsat.strategy.static.static_set import StaticSet

LAST_HEAD = "told apart"
"""Head of the last column, whose numbers are right-aligned to it."""


def lines(static_set: StaticSet, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the figures, the guesses one by one, and a sentence."""
    codes = f"{static_set.game.size:,}"
    if static_set.kinds < static_set.game.size:
        codes += f", of which guesses can tell {static_set.kinds:,} apart"
    figures = {
        "game": str(static_set.game),
        "codes": codes,
        "counting": f"at least {quantity(static_set.counting_bound, 'guess')}",
        "guesses": f"{len(static_set.guesses)}" if static_set.tells_all else "",
    }
    yield from fields(figures, style.wrap)
    yield []
    if static_set.guesses:
        spell = speller(static_set.game)
        columns = zip(static_set.guesses, static_set.scores, static_set.apart, strict=True)
        rows = [
            [f"{number}", spell.print_code(guess), f"{scores}", f"{apart:>{len(LAST_HEAD)},}"]
            for number, (guess, scores, apart) in enumerate(columns, 1)
        ]
        yield from table(["", "guess", "scores", LAST_HEAD], rows, None, numbers=(0, 2))
        yield []
    yield from paragraphs([sentence(static_set)], style.wrap)


def sentence(static_set: StaticSet) -> str:
    """Return the proven claim as a sentence."""
    bound_words = (
        f"No set of fewer than {quantity(static_set.bound, 'guess')} tells all codes apart"
    )
    if static_set.max_guesses is not None:
        max_size = quantity(static_set.max_guesses, "guess")
        if static_set.tells_all:
            return f"{max_size} tell all codes apart; fewer may be enough, too."
        if static_set.is_proven:
            return f"No set of {max_size} tells all codes apart."
        return f"It is not known yet whether {max_size} can. {bound_words}."
    if not static_set.tells_all:
        return f"No set was found in time. {bound_words}."
    if static_set.is_proven:
        return (
            f"{bound_words}."
            if static_set.guesses
            else "There is only one code, so no guess is needed."
        )
    return f"{bound_words}; this one may not be smallest."
