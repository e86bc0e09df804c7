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
    num_games = len(result.guesses)
    if in_full:
        print_code = speller(result.game).print_code
        games = [
            [" ".join(map(str, guesses)), " ".join(map(print_code, codes))]
            for codes, guesses in zip(result.codes, result.guesses, strict=True)
        ]
        yield from table(["guesses", "codes"], games, style.wrap, ())
        yield []
    rows = [
        [
            name,
            f"{result.wins(number)} of {num_games}",
            in_short(result.average(number)),
            str(result.most(number)),
        ]
        for number, name in enumerate(result.names)
        if num_games
    ]
    if rows:
        yield from table(["strategy", "won", "guesses each", "most"], rows, style.wrap, (2,))
        yield []
    games_and_boards = f"{quantity(num_games, 'game')} of {quantity(result.count, 'board')}"
    yield from paragraphs(
        [f"{games_and_boards}, won within {quantity(result.turns, 'guess')}."], style.wrap
    )
