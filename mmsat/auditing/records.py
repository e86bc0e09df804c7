"""Games as read from logs: records, and blocks of JSON lines."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator
from typing import Any, NamedTuple

from mmsat.auditing.columns import find_roles
from mmsat.english import noun_phrase
from mmsat.errors import Description, Fault, InputError

BOARD, ID, GUESS = "board", "id", "guess"


class Record(NamedTuple):
    """A game in a log, or a piece of a log that cannot be read."""

    number: int
    """The number of the record among all records, from 0."""
    source: str
    """The file and the first line or row in it, from 1."""
    id: str
    """The name of the game in the log, or ""."""
    text: str
    """A board line, a board file, or a document; if there is a fault, the text of the log."""
    slip: tuple[int, str] | None = None
    """A wrong score that the log records: its row, from 1, and the true score."""
    fault: str = ""
    """Why the text is not a game, if the reader of the log detected that."""


class Block(NamedTuple):
    """Consecutive lines of JSON; each line that is not blank is a record."""

    number: int
    """The number of the first record among all records, from 0."""
    path: str
    line: int
    """The number of the first line in its file, from 1."""
    text: bytes

    def records(self, lines: Container[int] | None = None) -> Iterator[Record]:
        """Yield the records, or those of the given lines, counted from 0."""
        number = self.number
        for line, text in enumerate(self.text.split(b"\n")):
            if text and not text.isspace():
                if lines is None or line in lines:
                    read = text.decode("utf-8", "surrogateescape").strip()
                    yield _read_json(number, self.path, self.line + line, read)
                number += 1


Chunk = Block | list[Record]


def refuse(path: str, line: int, name: str, text: str, faults: Iterable[Fault]) -> Record:
    """Return the rejected record of a text that starts in this line and is not a game."""
    return Record(0, f"{path}:{line}", name, text, fault=str(InputError(faults, path)))


def _read_json(number: int, path: str, line: int, text: str) -> Record:
    """Return the record of a line of JSON; the board in it is not checked.

    Valid lines are board lines in quotes, documents of boards, and objects with the key `board` and
    optionally `id` and `slip`.
    """
    source = f"{path}:{line}"
    try:
        value = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return Record(number, source, "", text)
    if not isinstance(value, dict):
        return Record(number, source, "", value if isinstance(value, str) else text)
    if isinstance(value.get(BOARD), str):
        slip = value.get("slip")
        is_slip = isinstance(slip, dict) and slip.keys() == {"row", "true"}
        recorded_slip = (slip["row"], slip["true"]) if isinstance(slip, dict) and is_slip else None
        return Record(number, source, _name(value.get(ID)), value[BOARD], recorded_slip)
    return _read_other_json(Record(number, source, "", text), value)


def _read_other_json(record: Record, value: dict[str, Any]) -> Record:
    """Return the record of an object without a text under the exact key `board`."""
    roles = find_roles([*value])
    keys = {role: [*value][columns[0]] for role, columns in roles.items()}
    board = value.get(keys.get(BOARD, ""))
    if isinstance(board, str | dict) and len(roles[BOARD]) == 1:
        name = _name(value.get(keys.get("game_id", keys.get(ID, ""))))
        return record._replace(id=name, text=board if isinstance(board, str) else json.dumps(board))
    if ID in value:
        name = _name(value.pop(ID))
        record = record._replace(id=name, text=json.dumps(value))
    if GUESS not in keys or "rows" in value:
        return record
    path, _, line = record.source.rpartition(":")
    expected = (
        'a whole board such as {"board": "4x6/1122=1.1"}, or a CSV file with one row per guess'
    )
    fault = Fault("", Description(noun_phrase("key", value)), expected, int(line))
    return record._replace(fault=str(InputError([fault], path)))


def _name(value: Any) -> str:
    return "" if value is None else str(value)
