"""The board line: a whole board in one URL-safe string, `4x6/1122=1.1/3345=0.2`.

A code that is known and does not count stands among the rows, as `3431=known`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from mmsat.errors import Fault, InputError, Place
from mmsat.game.game import Game
from mmsat.game.names import FILE, WORD, find_game, is_game
from mmsat.game.row import Code, Row
from mmsat.notation.speller import speller

KNOWN = "=known"
"""What stands behind a known code."""
BoardParts = tuple[Game, tuple[Row, ...], tuple[Code, ...]]
"""A game, its rows, and the codes that are known."""


def is_line(text: str) -> bool:
    """Whether a text is meant as a board line: one line, with a slash or just a game."""
    text = text.strip()
    return "\n" not in text and "#" not in text and ("/" in text or is_game(text))


def read_game(text: str, place: Place, faults: list[Fault], *, files: bool = True) -> Game | None:
    """Read a size or a game's name, or append what is wrong with it."""
    try:
        return find_game(text, files=files)
    except InputError as error:
        if any(fault.line is not None for fault in error.faults):
            raise  # the faults of the game's own file have their places there
        faults += [replace(f, line=place.line, column=place.column) for f in error.faults]
        return None


def read_line(text: str, number: int = 1, *, files: bool = True) -> BoardParts:
    """Read a board line; raises InputError with every fault and its column."""
    faults: list[Fault] = []
    start_of_line = text.rfind("\n", 0, len(text) - len(text.lstrip())) + 1
    number += text.count("\n", 0, start_of_line)
    size, *rest = split(text[start_of_line:].rstrip())
    column = 1 + len(size) - len(size.lstrip())
    place = Place(number, column)
    if "=" in size and not size.lstrip().startswith((FILE, WORD)):
        write = f"the game first, such as 4x6/{size.strip()}"
        raise InputError([place.fault("", size.strip(), write)])
    game = read_game(size.strip(), place, faults, files=files)
    if game is None:
        raise InputError(faults)
    if rest and not rest[-1]:
        rest.pop()  # a closing slash
    pieces = []
    start = len(size) + 2
    for piece in rest:
        pieces.append((piece, Place(number, start)))
        start += len(piece) + 1
    return read_rows(game, pieces, faults)


def read_rows(game: Game, pieces: Iterable[tuple[str, Place]], faults: list[Fault]) -> BoardParts:
    """Read rows and known codes; raises InputError with every fault."""
    spell = speller(game)
    rows: list[Row | None] = []
    known: list[Code | None] = []
    for piece, place in pieces:
        if piece.rstrip().endswith(KNOWN):
            code = piece.rstrip().removesuffix(KNOWN)
            blank = len(code) - len(code.lstrip())
            column = Place(place.line, place.column + blank)
            known.append(spell.read_code(code.strip(), column, faults))
        else:
            rows.append(spell.read_row(piece, place, faults))
    InputError.refuse(faults)
    return game, tuple(filter(None, rows)), tuple(filter(None, known))


def split(text: str) -> list[str]:
    """The game and the rows of a board line; the name of a file may itself have slashes."""
    pieces = text.split("/")
    if not text.lstrip().startswith((FILE, WORD)):
        return pieces
    names = next((n for n, piece in enumerate(pieces) if "=" in piece), len(pieces))
    return ["/".join(pieces[:names]).rstrip("/"), *pieces[names:]]


def print_line(game: Game, rows: Sequence[Row], known: Sequence[Code] = ()) -> str:
    """The board line that reads back as this board."""
    return "/".join([str(game), *print_rows(game, rows, known)])


def print_rows(game: Game, rows: Sequence[Row], known: Sequence[Code]) -> list[str]:
    """The rows and the known codes as they are read back."""
    spell = speller(game)
    return [*map(spell.print_row, rows), *(f"{spell.print_code(code)}{KNOWN}" for code in known)]
