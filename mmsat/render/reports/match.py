"""The result of a match: points, and the rounds."""

from collections.abc import Iterator

from mmsat.matches.match import MatchResult
from mmsat.notation.speller import speller
from mmsat.render.board import Style
from mmsat.render.spans import Line
from mmsat.render.table import paragraphs, table


def lines(result: MatchResult, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield the points and the winner; in full, first a line per round."""
    if in_full:
        yield from rounds(result, style)
        yield []
    rows = []
    for player, name in enumerate(result.names):
        single_rounds, found_codes, guesses = result.guesses(player)
        average = f"{guesses / single_rounds:.2f}" if single_rounds else "-"
        broken = f"{found_codes} of {single_rounds}" if single_rounds else "-"
        rows.append([str(player + 1), name, str(result.points[player]), broken, average])
    yield from table(["", "player", "points", "found", "guesses each"], rows, style.wrap, (2,))
    if result.winner is not None:
        message = f"Player {result.winner + 1}, {result.names[result.winner]}, wins."
    else:
        message = "A draw." if result.is_complete else "The match was not played to its end."
    yield []
    yield from paragraphs([message], style.wrap)


def rounds(result: MatchResult, style: Style) -> Iterator[Line]:
    """Yield a line per round."""
    rows = [
        [
            str(number),
            result.names[played.maker],
            "-" if played.secret is None else speller(result.game).print_code(played.secret),
            str(len(played.board.rows)),
            "yes" if played.is_found else "no",
            " ".join(map(str, played.points)),
        ]
        for number, played in enumerate(result.played, 1)
    ]
    heads = ["round", "codemaker", "code", "guesses", "found", "points"]
    yield from table(heads, rows, style.wrap, (0, 3))
