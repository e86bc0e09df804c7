"""A match of strategies that play several boards at once."""

from collections.abc import Iterator

from mmsat.english import in_short, quantity
from mmsat.matches.several_match import SeveralMatch
from mmsat.notation.speller import speller
from mmsat.render.board import Style
from mmsat.render.spans import Line
from mmsat.render.table import paragraphs, table


def lines(result: SeveralMatch, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield a line per strategy; in full, first every game."""
    many = len(result.guesses)
    if in_full:
        print_code = speller(result.game).print_code
        games = [
            [" ".join(map(str, took)), " ".join(map(print_code, codes))]
            for codes, took in zip(result.codes, result.guesses, strict=True)
        ]
        yield from table(["guesses", "codes"], games, style.wrap, ())
        yield []
    rows = [
        [
            name,
            f"{result.wins(number)} of {many}",
            in_short(result.average(number)),
            str(result.most(number)),
        ]
        for number, name in enumerate(result.names)
        if many
    ]
    if rows:
        yield from table(["strategy", "won", "guesses each", "most"], rows, style.wrap, (2,))
        yield []
    told = f"{quantity(many, 'game')} of {quantity(result.count, 'board')}"
    yield from paragraphs([f"{told}, won within {quantity(result.turns, 'guess')}."], style.wrap)
