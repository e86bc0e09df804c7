"""The board file: one row a line, `#` comments, and a first line with the game.

The game may be left out where the rows fit one of the two best known ones: guesses of four pegs
and colors up to 6 are 4x6, guesses of five pegs and colors up to 8 are 5x8.
"""

import re
from collections.abc import Sequence

from mmsat.errors import Fault, InputError, Place
from mmsat.game.game import Game
from mmsat.game.names import is_game
from mmsat.game.row import Row
from mmsat.notation.line import read_game, read_line
from mmsat.notation.speller import speller

CLASSIC = (Game.parse("4x6"), Game.parse("5x8"))
GUESS = re.compile(r"\s*([^\s=:]+)")


def read_text(text: str, *, files: bool = True) -> tuple[Game, tuple[Row, ...]]:
    """Read a board file's text; raises InputError with every fault, its line and its column."""
    lines = [
        (number, content)
        for number, line in enumerate(text.split("\n"), 1)
        if (content := line.partition("#")[0].rstrip()).strip()
    ]
    if len(lines) == 1 and "/" in lines[0][1]:
        number, content = lines[0]
        return read_line(content, number, files=files)  # a board line with comments around it
    faults: list[Fault] = []
    game = _header(lines, faults, files=files)
    if game is None:
        raise InputError(faults)
    read_row = speller(game).read_row
    rows = [read_row(content, Place(number, 1), faults) for number, content in lines]
    if faults:
        raise InputError(faults)
    return game, tuple(row for row in rows if row is not None)


def _header(lines: list[tuple[int, str]], faults: list[Fault], *, files: bool) -> Game | None:
    """Take the game off the lines, or infer it."""
    if lines:
        number, content = lines[0]
        word = content.strip()
        if is_game(word):
            del lines[0]
            return read_game(word, Place(number, 1 + content.index(word)), faults, files=files)
    guesses = [match[1] for _, content in lines if (match := GUESS.match(content))]
    for game in CLASSIC:
        if guesses and all(speller(game).read_guess(g, Place(0, 0), []) for g in guesses):
            return game
    rule = "a board file starts with its game, unless the rows are plainly of 4x6 or 5x8"
    first = lines[0] if lines else (1, "")
    write = "a first line such as 4x6, 5x8, 4x10! or super"
    faults.append(Fault(rule, first[1].strip(), write, first[0], 1))
    return None


def print_text(game: Game, rows: Sequence[Row]) -> str:
    """The board file that reads back as this board."""
    print_row = speller(game).print_row
    return "".join(f"{line}\n" for line in [str(game), *map(print_row, rows)])
