"""Where the values of a JSON text stand, for errors that name line and column.

Python's json module tells positions of syntax errors only. This walk is needed once a fault is
known, so it may be slow; it uses the module's own scanner for everything but lists and objects.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Path = tuple[str | int, ...]

SPACE = re.compile(r"[ \t\n\r]*")
DECODER = json.JSONDecoder()


def locate(text: str, paths: set[Path]) -> dict[Path, tuple[int, int]]:
    """The line and column, from 1, of the values at these paths of a valid JSON text."""
    places = {}
    line, counted = 1, 0
    for path, index in _values(text):
        if path in paths:  # of a repeated key the last value counts, as it does to the reader
            line += text.count("\n", counted, index)
            counted = index
            places[path] = (line, index - text.rfind("\n", 0, index))
    return places


def repeated(text: str) -> list[Path]:
    """The paths that more than one value of a valid JSON text has, because a key is repeated."""
    seen: set[Path] = set()
    twice: dict[Path, None] = {}
    for path, _ in _values(text):
        if path in seen:
            twice[path] = None
        seen.add(path)
    return list(twice)


def _skip(text: str, index: int) -> int:
    match = SPACE.match(text, index)
    return match.end() if match else index


def _values(text: str) -> Iterator[tuple[Path, int]]:
    """Every value's path and index, in reading order, with an explicit stack."""
    stack: list[tuple[str, Path, int]] = []  # the open brackets, their paths, items so far
    path: Path = ()
    index = _skip(text, 0)
    while True:
        yield path, index
        opening = text[index]
        if opening in "[{":
            stack.append((opening, path, 0))
            index = _skip(text, index + 1)
            closed = text[index] in "]}"
        else:
            _, index = DECODER.raw_decode(text, index)
            closed = True
            index = _skip(text, index)
            if stack and text[index : index + 1] == ",":
                index, closed = _skip(text, index + 1), False
        while closed and stack and text[index : index + 1] in ("]", "}"):
            stack.pop()
            index = _skip(text, index + 1)
            if stack and text[index : index + 1] == ",":
                index, closed = _skip(text, index + 1), False
        if not stack:
            return
        bracket, parent, items = stack[-1]
        key: str | int = items
        if bracket == "{":
            key, index = DECODER.raw_decode(text, index)
            index = _skip(text, _skip(text, index) + 1)
        stack[-1] = (bracket, parent, items + 1)
        path = (*parent, key)
