"""The board file: a row or a known code a line, `#` comments, and a first line with the game.

Without a game, guesses of four pegs and colors up to 6 are read as 4x6, guesses of five pegs and
colors up to 8 as 5x8, and a warning says so. Where no guess repeats a digit, it may as well be
bulls and cows, and the text is refused. The table that commands print is read, too (table.py).
"""

from collections.abc import Sequence
from warnings import warn

from mmsat.errors import Fault, GameWarning, InputError, Place
from mmsat.game.game import Game
from mmsat.game.names import is_game, nearest_games
from mmsat.game.row import Code, Row
from mmsat.notation.line import BoardParts, print_rows, read_game, read_line, read_rows
from mmsat.notation.loose import split_row
from mmsat.notation.speller import speller
from mmsat.notation.table import untable

CLASSIC = (Game.parse("4x6"), Game.parse("5x8"))


def read_text(text: str, *, files: bool = True) -> BoardParts:
    """Read a board file's text; raises InputError with every fault, its line and its column."""
    lines = [
        (number, content)
        for number, line in enumerate(text.split("\n"), 1)
        if (content := line.partition("#")[0].rstrip()).strip()
    ]
    if len(lines) == 1 and "/" in lines[0][1]:
        number, content = lines[0]
        return read_line(content, number, files=files)  # a board line with comments around it
    lines = untable(lines)
    faults: list[Fault] = []
    many = len(lines)
    game = _header(lines, faults, files=files)
    if game is None:
        raise InputError(faults)
    read = read_rows(game, [(content, Place(number, 1)) for number, content in lines], faults)
    if len(lines) == many:
        warn(f"no game given; assuming {game}", GameWarning, 3)
    return read


def _header(lines: list[tuple[int, str]], faults: list[Fault], *, files: bool) -> Game | None:
    """Take the game off the lines, or infer it."""
    if lines:
        number, content = lines[0]
        word = content.strip()
        if is_game(word):
            del lines[0]
            return read_game(word, Place(number, 1 + content.index(word)), faults, files=files)
    guesses = []
    for _, content in lines:
        cut = split_row(content, 4, 4) or split_row(content, 5, 5)
        guesses += [cut[0][1]] if cut else []
    rule = ""
    for game in CLASSIC:
        codes = [speller(game).read_guess(guess, Place(0, 0), []) for guess in guesses]
        if codes and all(codes):
            if any(len(set(code or ())) < game.pegs for code in codes):
                return game
            rule = f"these rows fit {game} and bulls-and-cows"
    first = lines[0] if lines else (1, "")
    near = nearest_games(first[1].strip().partition("/")[0])
    write = f"the game in the first line, such as {' or '.join(near) or '4x6 or bulls-and-cows'}"
    faults.append(Fault(rule, first[1].strip(), write, first[0], 1))
    return None


def print_text(game: Game, rows: Sequence[Row], known: Sequence[Code] = ()) -> str:
    """The board file that reads back as this board."""
    return "".join(f"{line}\n" for line in [str(game), *print_rows(game, rows, known)])
