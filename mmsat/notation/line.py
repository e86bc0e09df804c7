"""The board line: a whole board in one URL-safe string, `4x6/1122=1.1/3345=0.2`.

A known code, which is excluded, is written among the rows as `3431=known`.
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
"""The suffix of a known code."""
SMALL_NUMBER = re.compile(r"\s*(?:[0-9]{1,2}|\?)\s*")
SPACED_SIZE = re.compile(r"^[0-9]+\s*[xX\u00d7]\s*[0-9]+(?:\s*[xX\u00d7]\s*[0-9]+)?")
GAME_AND_ROW = re.compile(r"([^\s:,=]*[^\s:,=0-9?-][^\s:,=]*)(?:\s*[:,]\s*|\s+)(\S.*)")
CLASSIC_SIZES = {4: ["4x6"], 5: ["5x8"]}
"""The games suggested for a guess of digits, by its length."""
MAX_CORRECTED_CHARACTERS = 100
"""The maximum length of a text for which a corrected board line is suggested, in characters."""
BoardParts = tuple[Game, tuple[Row, ...], tuple[Code, ...], Conventions]
"""A game, its rows, the known codes, and the conventions of the notation."""


def is_line(text: str) -> bool:
    """Return whether a text is meant as a board line: one line with a slash, or only a game."""
    text = text.strip()
    return "\n" not in text and "#" not in text and ("/" in text or is_game(text))


def read_game(text: str, place: Place, faults: list[Fault], *, files: bool = True) -> Game | None:
    """Read a size or the name of a game; return None after adding an error to `faults`."""
    try:
        return find_game(text, files=files)
    except InputError as error:
        if any(fault.line is not None for fault in error.faults):
            raise  # errors in the game's own file have places in that file
        faults += [replace(f, line=place.line, column=place.column) for f in error.faults]
        return None


def read_line(text: str, number: int = 1, *, files: bool = True) -> BoardParts:
    """Read a board line. Raises InputError with every error and its column.

    `number` is the line number in error messages. Without `files`, the game may not be a file.
    """
    faults: list[Fault] = []
    start_of_line = text.rfind("\n", 0, len(text) - len(text.lstrip())) + 1
    number += text.count("\n", 0, start_of_line)
    size, *row_texts = split(text[start_of_line:].rstrip())
    column = 1 + len(size) - len(size.lstrip())
    place = Place(number, column)
    name = join_size(size)
    if "=" in name and not name.startswith((FILE, WORD)):
        write = "the game and a slash before the rows"
        raise InputError([place.fault(_advise(name), name, write)])
    game = read_game(name, place, faults, files=files)
    if game is None:
        raise InputError(faults)
    if row_texts and not row_texts[-1]:
        row_texts.pop()  # a trailing slash
    pieces: list[tuple[str, Place]] = []
    start = len(size) + 2
    for piece in row_texts:
        if pieces and _is_rest_of_score(game, pieces[-1][0], piece):
            score_start, start_place = pieces.pop()
            pieces.append((f"{score_start}/{piece}", start_place))
        else:
            pieces.append((piece, Place(number, start)))
        start += len(piece) + 1
    return read_rows(game, pieces, faults)


def _is_rest_of_score(game: Game, before: str, piece: str) -> bool:
    """Return whether the slash before `piece` is inside a score, as in `1122=1/1`."""
    is_number = SMALL_NUMBER.fullmatch
    if game.scoring.marks or not is_number(piece):
        return False
    score = before.partition("=")[2].split("/")
    return len(score) < len(game.parts) and all(map(is_number, score))


def _advise(text: str) -> str:
    """Return a suggestion for a text without a slash, such as `4x6 1122=1.1`, or ""."""
    if len(text) > MAX_CORRECTED_CHARACTERS:
        return ""
    if match := GAME_AND_ROW.fullmatch(text):
        game, row = match.groups()
        games = [game] if is_game(game) else nearest_games(game)
    else:
        guess, row = text.partition("=")[0].strip(), text
        games = CLASSIC_SIZES.get(len(guess), []) if guess.isdecimal() else []
    return f"did you mean {games[0]}/{row}?" if games else ""


def read_rows(game: Game, pieces: Iterable[tuple[str, Place]], faults: list[Fault]) -> BoardParts:
    """Read rows and known codes. Raises InputError with every error, including `faults`."""
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
    """Return the name of a game without surrounding blanks, and `4 x 6` as `4x6`."""
    return SPACED_SIZE.sub(lambda match: "".join(match[0].split()), text.strip())


def split(text: str) -> list[str]:
    """Split a board line into the game and the rows. The name of a file may contain slashes."""
    pieces = text.split("/")
    if not text.lstrip().startswith((FILE, WORD)):
        return pieces
    name_end = next((index for index, piece in enumerate(pieces) if "=" in piece), len(pieces))
    return ["/".join(pieces[:name_end]).rstrip("/"), *pieces[name_end:]]


def print_line(game: Game, rows: Sequence[Row], known: Sequence[Code] = ()) -> str:
    """Return the board line of a board. Reading it returns the same board."""
    return "/".join([str(game), *print_rows(game, rows, known)])


def print_rows(game: Game, rows: Sequence[Row], known: Sequence[Code]) -> list[str]:
    """Return the texts of the rows and the known codes."""
    spell = speller(game)
    return [*map(spell.print_row, rows), *(f"{spell.print_code(code)}{KNOWN}" for code in known)]
