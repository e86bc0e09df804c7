"""The board line: a whole board in one URL-safe string, `4x6/1122=1.1/3345=0.2`.

A code that is known and does not count stands among the rows, as `3431=known`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from mmsat.errors import Fault, InputError, Place
from mmsat.game.game import Game
from mmsat.game.names import FILE, WORD, find_game, is_game, nearest_games
from mmsat.game.row import Code, Row
from mmsat.notation.alphabets import Conventions
from mmsat.notation.board_reader import BoardReader, Written
from mmsat.notation.speller import speller

KNOWN = "=known"
"""What stands behind a known code."""
SMALL_NUMBER = re.compile(r"\s*(?:[0-9]{1,2}|\?)\s*")
SPACED_SIZE = re.compile(r"^[0-9]+\s*[xX\u00d7]\s*[0-9]+(?:\s*[xX\u00d7]\s*[0-9]+)?")
GAME_AND_ROW = re.compile(r"([^\s:,=]*[^\s:,=0-9?-][^\s:,=]*)(?:\s*[:,]\s*|\s+)(\S.*)")
CLASSIC_SIZES = {4: ["4x6"], 5: ["5x8"]}
"""The games that digits of a length may be of."""
MAX_ADVICE = 100
"""Characters of a text that an error repeats."""
BoardParts = tuple[Game, tuple[Row, ...], tuple[Code, ...], Conventions]
"""A game, its rows, the codes that are known, and how they are written."""


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
    name = join_size(size)
    if "=" in name and not name.startswith((FILE, WORD)):
        write = "the game and a slash before the rows"
        raise InputError([place.fault(_advise(name), name, write)])
    game = read_game(name, place, faults, files=files)
    if game is None:
        raise InputError(faults)
    if rest and not rest[-1]:
        rest.pop()  # a closing slash
    pieces: list[tuple[str, Place]] = []
    start = len(size) + 2
    for piece in rest:
        if pieces and _is_rest_of_score(game, pieces[-1][0], piece):
            before, at = pieces.pop()
            pieces.append((f"{before}/{piece}", at))
        else:
            pieces.append((piece, Place(number, start)))
        start += len(piece) + 1
    return read_rows(game, pieces, faults)


def _is_rest_of_score(game: Game, before: str, piece: str) -> bool:
    """Return whether a slash is inside a score, as in `1122=1/1`."""
    is_number = SMALL_NUMBER.fullmatch
    if game.scoring.marks or not is_number(piece):
        return False
    score = before.partition("=")[2].split("/")
    return len(score) < len(game.parts) and all(map(is_number, score))


def _advise(text: str) -> str:
    """Suggest a board line for a game and a row without a slash, such as `4x6 1122=1.1`."""
    if len(text) > MAX_ADVICE:
        return ""
    if match := GAME_AND_ROW.fullmatch(text):
        game, row = match.groups()
        near = [game] if is_game(game) else nearest_games(game)
    else:
        guess, row = text.partition("=")[0].strip(), text
        near = CLASSIC_SIZES.get(len(guess), []) if guess.isdecimal() else []
    return f"did you mean {near[0]}/{row}?" if near else ""


def read_rows(game: Game, pieces: Iterable[tuple[str, Place]], faults: list[Fault]) -> BoardParts:
    """Read rows and known codes; raises InputError with every fault."""
    reader = BoardReader(speller(game))
    rows: list[tuple[str, Place]] = []
    known: list[Written] = []
    for piece, place in pieces:
        if piece.rstrip().endswith(KNOWN):
            code = piece.rstrip().removesuffix(KNOWN)
            blank = len(code) - len(code.lstrip())
            known.append(Written(code.strip(), Place(place.line, place.column + blank)))
        else:
            rows.append((piece, place))
    read_rows, read_known = reader.read_board(rows, known, faults)
    InputError.refuse(faults)
    return (
        game,
        tuple(filter(None, read_rows)),
        tuple(filter(None, read_known)),
        reader.conventions,
    )


def join_size(text: str) -> str:
    """Return the name of a game; of a size such as `4 x 6` without its blanks."""
    return SPACED_SIZE.sub(lambda match: "".join(match[0].split()), text.strip())


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
