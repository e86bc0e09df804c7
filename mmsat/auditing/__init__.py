"""Logs of games, read as a stream and judged in bulk: their records, files and columns.

- A `Record` is a game, or a piece of a log that cannot be read. A `Block` holds consecutive lines
  of JSON that are not parsed yet.
- `ReadProgress` opens log files as text or as lines of bytes, and tracks the progress through all
  files.
- `find_roles` and `find_columns` recognize the columns of tables by common names.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BufferedReader, TextIOWrapper
from typing import Any, NamedTuple, TextIO

from mmsat._util.fields import Fields
from mmsat._util.files import find_encoding
from mmsat._util.text import join_words, noun_phrase
from mmsat.errors import Description, Fault, InputError
from mmsat.game.game import Game

COLUMN_NAMES: Mapping[str, str] = {
    "board": "board",
    "game": "game",
    "game_id": "game_id match match_id session session_id puzzle puzzle_id",
    "id": "id",
    "rules": "rules variant game_type",
    "turn": "turn turn_number turn_no guess_number guess_no guess_nr guess_num guess_index number "
    "no nr n row row_number round round_number attempt attempt_number try step move move_number",
    "guess": "guess guessed guess_code word",
    "score": "score feedback marks result response answer reply key clue hint",
    "black": "black blacks black_peg black_pegs bull bulls hit hits exact",
    "white": "white whites white_peg white_pegs cow cows blow blows near partial misplaced",
    "blue": "blue blues blue_peg blue_pegs",
    "color": "color colors colour colours",
    "secret": "secret secret_code hidden_code solution code",
}
"""The common names of columns by role, in lower case with `_` between words.

The role of a column is the meaning of its values, such as the guess or the id of the game."""
ROLE_OF_NAME = {name: role for role, names in COLUMN_NAMES.items() for name in names.split()}
"""The role of each common name of a column."""
NO_NAMED_COLUMNS: Mapping[str, str] = {}
"""No column names are given; all columns are recognized by their names."""
SCORE_PARTS = ("black", "white", "blue", "color")
"""The roles of columns for one part of a score, such as the number of black pegs."""
WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
"""The boundary between two words in a name such as `gameId`."""
SECRET_KEY = re.compile(
    rf'"({COLUMN_NAMES["secret"].replace(" ", "|")})"\s*:'.encode(), re.IGNORECASE
)
"""A key of a JSON object, in bytes, whose value is the code of the game."""
GAP = re.compile(r"[\W_]+")
"""The characters between two words."""


def find_roles(names: Sequence[str]) -> dict[str, list[int]]:
    """Return the indices of the columns of each role, given the names of all columns.

    Upper and lower case and the separators between words are ignored. Columns with names that are
    not in COLUMN_NAMES have no role.
    """
    columns_of: dict[str, list[int]] = {}
    for column, name in enumerate(names):
        words = WORD_START.sub("_", name.replace("#", " number ")).lower()
        role = ROLE_OF_NAME.get(GAP.sub("_", words).strip("_"))
        if role is not None:
            columns_of.setdefault(role, []).append(column)
    return columns_of


NAMED_GAME = "a column 'rules' with games such as 4x6, or the option --game 4x6"
"""The ways to name the game of a table of guesses, for error messages."""


def check_roles(columns: Mapping[str, str] | None) -> Mapping[str, str]:
    """Return the names of columns by role; raise InputError for unknown roles and invalid names."""
    if columns is None:
        return NO_NAMED_COLUMNS
    if not isinstance(columns, Mapping):
        raise InputError.of("the columns", 'a dict such as {"guess": "move"}', columns)
    roles = ", ".join(COLUMN_NAMES)
    faults = [
        Fault("unknown role of a column", role, f"one of {roles}")
        for role in columns
        if role not in COLUMN_NAMES
    ]
    faults += [
        Fault("", name, f"the name of the column with the {role}")
        for role, name in columns.items()
        if not isinstance(name, str) or not name
    ]
    names = [*columns.values()]
    faults += [
        Fault("a column has one role", name, "one role for each column")
        for name in dict.fromkeys(map(str, names))
        if names.count(name) > 1
    ]
    InputError.refuse(faults, "the columns")
    return {**columns}


def find_columns(
    names: Sequence[str],
    line: int | None,
    game: Game | None,
    faults: list[Fault],
    column_by_role: Mapping[str, str] = NO_NAMED_COLUMNS,
) -> dict[str, int]:
    """Return the index of the column of each role in a table of boards or of guesses.

    Append every missing column and every ambiguity to `faults`. `line` is the line of the column
    names. `game` is the game of a table that does not name it. `column_by_role` has the column
    names that the user gave for some roles; these columns have no other role.
    """
    candidates = find_roles(names)
    header = ", ".join(names)
    chosen = {role: names.index(name) for role, name in column_by_role.items() if name in names}
    # A column to which the user gave a role loses the role that its name has.
    for role, columns in [*candidates.items()]:
        candidates[role] = [column for column in columns if column not in chosen.values()]
        if not candidates[role]:
            del candidates[role]
    candidates |= {role: [column] for role, column in chosen.items()}

    def add_fault(rule: str, expected: str) -> None:
        faults.append(Fault(rule, header, expected, line))

    for role, name in column_by_role.items():
        if role not in chosen:
            add_fault(f"there is no column {name!r}", f"the name of the column with the {role}")
    for role, columns in candidates.items():
        if len(columns) > 1:
            quoted_names = join_words(repr(names[column].strip()) for column in columns)
            add_fault(f"{quoted_names} have the same meaning", f"one column with the {role}")
    columns_of = {role: columns[0] for role, columns in candidates.items()}
    parts = [role for role in SCORE_PARTS if role in candidates]
    if "board" in candidates and "guess" in candidates and ("score" in candidates or parts):
        add_fault(
            "a row has a whole board or one guess",
            "either a column 'board' or columns for guess and score",
        )
    if "board" in candidates:
        return columns_of
    # From here on, the table has one guess per row.
    if "guess" not in candidates:
        hint = (
            "if the column has another name, give it with --column, such as --column guess=attempt"
        )
        rule = hint if header else ""
        expected = "a column 'board', or columns for guess and score, such as id,guess,black,white"
        if parts or "score" in candidates:
            scores = [names[columns_of[role]] for role in parts or ["score"]]
            expected = f"a column 'guess' beside {join_words(map(repr, scores))}"
        add_fault(rule, expected)
        return columns_of
    if not parts and "score" not in candidates:
        add_fault(
            "", "a column 'score', or one column per number of a score, such as 'black' and 'white'"
        )
    elif parts and "score" in candidates:
        add_fault("both could be the score", f"either 'score' or {join_words(map(repr, parts))}")
    elif parts and game is not None and {*parts} != {*game.parts}:
        kinds = ["score"] if game.scoring.marks else game.parts
        columns_needed = noun_phrase("column", [repr(kind) for kind in kinds])
        missing = [kind for kind in kinds if kind not in candidates]
        rule = f"there is no column for {join_words(missing, 'or')}" if missing else ""
        add_fault(rule, f"the {columns_needed} for scores of {game}")
    if not {"game", "rules"} & {*candidates} and game is None:
        add_fault("the file does not name a game", NAMED_GAME)
    return columns_of


class ReadProgress:
    """Opens log files, and tracks how much of them has been read."""

    def __init__(self, paths: Sequence[str] = ()) -> None:
        """Add up the sizes of all files."""
        self.total_bytes = sum(os.path.getsize(file) for path in paths for file in list_files(path))
        self.finished_bytes = 0.0
        """Total size of the files that were closed. While a Parquet or Arrow file is read, its
        reader adds the average size of a row for each row."""
        self.file: BufferedReader | None = None
        """The file that is being read."""

    @property
    def share(self) -> float:
        """The fraction of all bytes that has been read, from 0 to 1."""
        read_bytes = self.finished_bytes + (self.file.tell() if self.file else 0)
        return min(1.0, read_bytes / self.total_bytes) if self.total_bytes else 1.0

    @contextmanager
    def open(self, path: str, newline: str | None = None) -> Iterator[TextIO]:
        """Open a text file, whose encoding is detected from its first bytes.

        Bytes that cannot be decoded become surrogates in UTF-8, and U+FFFD in other encodings.
        `newline` is that of the built-in `open`.
        """
        with self.open_bytes(path) as file, _decode_lines(file, path, newline) as lines:
            yield lines

    @contextmanager
    def open_lines(self, path: str) -> Iterator[Iterable[bytes]]:
        """Open a text file as lines of bytes in UTF-8.

        A file is decoded, and encoded again, if it is not in UTF-8, or if its first bytes have
        carriage returns but no line feed.
        """
        with self.open_bytes(path) as file:
            start = file.peek()
            encoding = find_encoding(start[:4], path)
            if encoding.startswith("utf-8") and (b"\n" in start or b"\r" not in start):
                file.read(3 if encoding == "utf-8-sig" else 0)  # skip the byte order mark
                yield file
            else:
                with _decode_lines(file, path, None) as lines:
                    yield (line.encode("utf-8", "surrogateescape") for line in lines)

    @contextmanager
    def open_bytes(self, path: str) -> Iterator[BufferedReader]:
        """Open a file without decoding it."""
        with open(path, "rb") as file:
            self.file = file
            try:
                yield file
            finally:
                self.file = None
                self.finished_bytes += os.path.getsize(path)


def _decode_lines(file: BufferedReader, path: str, newline: str | None) -> TextIO:
    """Decode a file. Bytes that cannot be decoded are treated as by `ReadProgress.open`."""
    encoding = find_encoding(file.peek(4)[:4], path)
    errors = "surrogateescape" if encoding.startswith("utf-8") else "replace"
    return TextIOWrapper(file, encoding=encoding, errors=errors, newline=newline)


def list_files(path: str) -> list[str]:
    """Return the files of a folder in alphabetical order, or `path` alone if it is a file."""
    if not os.path.isdir(path):
        return [path]
    paths = (os.path.join(path, name) for name in sorted(os.listdir(path)))
    return [file for file in paths if os.path.isfile(file)]


BOARD, ID, GUESS = "board", "id", "guess"
"""Keys of JSON objects, which are also roles of columns."""


class Record(NamedTuple):
    """A game in a log, or a piece of a log that cannot be read."""

    number: int
    """The index of the record among the records of all logs, from 0. The readers of tables, grids
    and board files set it to 0, and `read_chunks` replaces it."""
    source: str
    """The file, and the number of the first line or row of the record in it, from 1."""
    id: str
    """The name of the game in the log, or ""."""
    text: str
    """A board line, the text of a board file, or a JSON document; the original text if there is a
    fault."""
    slip: tuple[int, str] | None = None
    """A wrong score that is marked in the log: its row, from 1, and the true score."""
    fault: str = ""
    """Why the text is not a game; "" if no fault was found while reading the log."""
    secret: str = ""
    """The code of the game as text, or "" if the log does not have it."""


class Block(NamedTuple):
    """Consecutive lines of JSON. Each line that is not blank is a record."""

    number: int
    """The index of the first record among the records of all logs, from 0."""
    path: str
    line: int
    """The number of the first line in its file, from 1."""
    text: bytes

    def records(self, lines: Container[int] | None = None) -> Iterator[Record]:
        """Yield the records, or only those in the given lines of this block, numbered from 0."""
        number = self.number
        for line, text in enumerate(self.text.split(b"\n")):
            if text and not text.isspace():
                if lines is None or line in lines:
                    decoded = text.decode("utf-8", "surrogateescape").strip()
                    yield _read_json(number, self.path, self.line + line, decoded)
                number += 1


Chunk = Block | list[Record]
"""Consecutive games that are judged together."""


def rejected_record(path: str, line: int, name: str, text: str, faults: Iterable[Fault]) -> Record:
    """Return a rejected record: a text that is not a game and starts at line `line` of `path`."""
    return Record(0, f"{path}:{line}", name, text, fault=str(InputError(faults, path)))


def read_array(path: str, progress: ReadProgress) -> list[Any]:
    """Return the games of a JSON document: an array, an object with one array, or one game.

    Raises InputError if the document is not valid.
    """
    with progress.open(path) as lines:
        text = lines.read()
    value = Fields(path).parse(text, "an array of games", is_json=True)
    if isinstance(value, dict):
        arrays = [item for item in value.values() if isinstance(item, list)]
        is_game = "rows" in value or "board" in value
        value = arrays[0] if len(arrays) == 1 and not is_game else [value]
    if not isinstance(value, list) or not value:
        raise InputError.of(path, 'an array of games, such as ["4x6/1122=1.1"]', text[:80])
    return value


def _read_json(number: int, path: str, line: int, text: str) -> Record:
    """Return the record of a line of JSON. Its board is not checked.

    Valid lines are board lines in quotes, documents of boards, and objects with the key `board` and
    optionally `id` and `slip`. The keys of other objects are recognized like names of columns.
    """
    source = f"{path}:{line}"
    try:
        value = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return Record(number, source, "", text)
    return record_of_json(value, number, source, text)


def record_of_json(value: Any, number: int, source: str, text: str) -> Record:
    """Return the record of a JSON value, whose text is `text`; see `_read_json`."""
    if not isinstance(value, dict):
        return Record(number, source, "", value if isinstance(value, str) else text)
    if isinstance(value.get(BOARD), str):
        slip = value.get("slip")
        is_valid = isinstance(slip, dict) and slip.keys() == {"row", "true"}
        recorded_slip = (slip["row"], slip["true"]) if isinstance(slip, dict) and is_valid else None
        secret = _secret(value)
        return Record(
            number, source, _to_text(value.get(ID)), value[BOARD], recorded_slip, "", secret
        )
    return _read_other_json(Record(number, source, "", text), value)


def _read_other_json(record: Record, value: dict[str, Any]) -> Record:
    """Return the record of a JSON object that has no string under the exact key `board`.

    Its keys are recognized like the columns of a table. In a document of a board (an object with
    `rows`), the keys of the id and of the secret are removed, because documents do not have them.
    """
    roles = find_roles([*value])
    keys = {role: [*value][columns[0]] for role, columns in roles.items()}
    board = value.get(keys.get(BOARD, ""))
    if isinstance(board, str | dict) and len(roles[BOARD]) == 1:
        name = _to_text(value.get(keys.get("game_id", keys.get(ID, ""))))
        text = board if isinstance(board, str) else json.dumps(board)
        return record._replace(id=name, text=text, secret=_secret(value))
    is_document, num_keys = "rows" in value, len(value)
    if is_document and "secret" in keys:
        record = record._replace(secret=_to_text(value.pop(keys["secret"])))
    if ID in value:
        record = record._replace(id=_to_text(value.pop(ID)))
    if len(value) < num_keys:
        record = record._replace(text=json.dumps(value))
    if GUESS not in keys or is_document:
        return record
    path, _, line = record.source.rpartition(":")
    expected = (
        'a whole board such as {"board": "4x6/1122=1.1"}, or a CSV file with one row per guess'
    )
    fault = Fault("", Description(noun_phrase("key", value)), expected, int(line))
    return record._replace(fault=str(InputError([fault], path)))


def _secret(value: dict[str, Any]) -> str:
    """Return the code of the game in a JSON object, or ""."""
    columns = find_roles([*value]).get("secret", [])
    return _to_text([*value.values()][columns[0]]) if columns else ""


def _to_text(value: Any) -> str:
    """Return a JSON value as text; "" for null."""
    return "" if value is None else str(value)
