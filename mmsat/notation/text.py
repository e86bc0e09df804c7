"""The board file: one row or known code per line, `#` comments, and the game in the first line.

Without a game, guesses of four pegs and colors up to 6 are read as 4x6, and guesses of five pegs
and colors up to 8 as 5x8, with a warning. If the guesses are digits or letters from A, and no guess
repeats a color, the game may also be one without repeats, such as bulls and cows; then this is an
error. Tables printed by commands, Markdown tables and lists with headings are read, too (table.py).

A `#` starts a comment, unless a number follows immediately: `#1 1122 1 1` is row 1.
"""

from collections.abc import Sequence
from warnings import warn

from mmsat.errors import Fault, GameWarning, InputError, Place
from mmsat.game.game import Game
from mmsat.game.names import is_game, nearest_games
from mmsat.game.row import Code, Row
from mmsat.notation.alphabets import NAMES, OWN
from mmsat.notation.board_reader import BoardReader
from mmsat.notation.line import BoardParts, join_size, print_rows, read_game, read_line, read_rows
from mmsat.notation.rows import NUMBERED_COMMENT, strip_comment
from mmsat.notation.speller import speller
from mmsat.notation.table import Lines, apply_headings, convert_table, has_headings

CLASSIC = (Game.parse("4x6"), Game.parse("5x8"))


def read_text(text: str, *, files: bool = True) -> BoardParts:
    """Read the text of a board file. Raises InputError with every error, its line and its column.

    Without `files`, the game may not be a file.
    """
    numbered = [*enumerate(text.split("\n"), 1)]
    lines = [
        (number, content)
        for number, line in numbered
        if (content := line.rstrip() if has_headings(line) else strip_comment(line)).strip()
    ]
    if len(lines) == 1 and "/" in lines[0][1]:
        number, content = lines[0]
        return read_line(content, number, files=files)  # a board line with comments around it
    lines = apply_headings(convert_table(lines))
    faults: list[Fault] = []
    game, rows = _take_game(lines, faults, files=files)
    InputError.refuse(faults)
    if game is None:
        game = _infer_game(rows)
        warn(f"no game given; assuming {game}", GameWarning, 3)
    for number, line in numbered:
        comment = NUMBERED_COMMENT.fullmatch(line)
        if comment and BoardReader(speller(game)).can_read(comment[1]):
            rule = "it may be a comment or a numbered row"
            faults.append(
                Fault(rule, line.strip(), "#1 before a row, ## before a comment", number, 1)
            )
    return read_rows(game, [(content, Place(number, 1)) for number, content in rows], faults)


def _take_game(lines: Lines, faults: list[Fault], *, files: bool) -> tuple[Game | None, Lines]:
    """Return the game of the first line, or None if it is not a game, and the other lines."""
    if lines:
        number, content = lines[0]
        word = content.strip()
        if is_game(name := join_size(word)):
            place = Place(number, 1 + content.index(word))
            return read_game(name, place, faults, files=files), lines[1:]
    return None, lines


def _infer_game(lines: Lines) -> Game:
    """Return the classic game that fits the rows. Raises InputError if none does or it is unclear.

    It is unclear if no guess repeats a color, unless colors are given by name.
    """
    rows = [(content, Place(number, 1)) for number, content in lines]
    rule, games = "", ["4x6", "bulls-and-cows"]
    for game in CLASSIC if rows else ():
        reader, faults = BoardReader(speller(game)), list[Fault]()
        parsed_rows = reader.read_rows(rows, faults)
        if faults:
            continue
        has_repeats = any(row is not None and len({*row.guess}) < game.pegs for row in parsed_rows)
        alphabets = reader.conventions.alphabets
        if has_repeats or alphabets == {NAMES}:
            return game
        is_digits = OWN in alphabets and game.pegs == 4
        games = [str(game), "bulls-and-cows" if is_digits else f"{game.pegs}x10d"]
        rule = f"these rows fit {' and '.join(games)}"
    number, content = lines[0] if lines else (1, "")
    near_games = nearest_games(content.strip().partition("/")[0])
    write = f"the game in the first line, such as {' or '.join(near_games or games)}"
    raise InputError([Fault(rule, content.strip(), write, number, 1)])


def print_text(game: Game, rows: Sequence[Row], known: Sequence[Code] = ()) -> str:
    """Return the board file of a board. Reading it returns the same board."""
    return "".join(f"{line}\n" for line in [str(game), *print_rows(game, rows, known)])
