"""The record of a study: JSON lines to which chunks are appended."""

import json
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any

from mmsat.errors import Description, Fault, InputError
from mmsat.files import atomic_write, decode, name_errors
from mmsat.studies.point import Point

NAME = "boards.jsonl"
HEAD = {"mmsat-hardness": 1}
HEADER = {*Point._fields, "first", "boards", "on", "limit"}
"""Keys that describe a chunk; all other keys have measurements of its boards."""


class Record:
    """Chunks of boards by point and first board, and the environments in which they were made."""

    def __init__(self, path: Path) -> None:
        """Read the file, if there is one. An incomplete last line is dropped.

        Raises InputError if the file is not a record of this study.
        """
        self.path = path
        self.chunks: dict[tuple[Point, int], dict[str, Any]] = {}
        self.environments: list[dict[str, str]] = []
        text = decode(path.read_bytes(), str(path)) if path.exists() else ""
        complete = text[: text.rfind("\n") + 1]
        head, *lines = complete.splitlines() or [_line(HEAD).strip()]
        if head != _line(HEAD).strip():
            found = Description("a file of another kind")
            raise InputError.of(str(path), "a record of this study", found, "use another folder")
        for number, line in enumerate(lines, 2):
            try:
                self._keep(json.loads(line))
            except (ValueError, KeyError, TypeError, RecursionError):
                fault = Fault("", line, "a line written by the study", number)
                raise InputError([fault], str(path)) from None
        if complete != text:
            atomic_write(path, [complete])

    def _keep(self, told: dict[str, Any]) -> None:
        if "environment" in told:
            self.environments.append(told["environment"])
        else:
            point = Point(*(told[field] for field in Point._fields))
            self.chunks[point, told["first"]] = told

    def add(self, told: dict[str, Any]) -> None:
        """Append a chunk to the file at once."""
        is_begun = self.path.exists() and self.path.stat().st_size
        lines: list[dict[str, Any]] = [] if is_begun else [HEAD]
        if told["on"] not in self.environments:
            lines.append({"environment": told["on"]})
            self.environments.append(told["on"])
        told = told | {"on": self.environments.index(told["on"])}
        with name_errors(self.path), self.path.open("a", encoding="utf-8") as file:
            file.writelines(map(_line, [*lines, told]))
        self._keep(told)

    def points(self) -> Iterator[tuple[Point, list[dict[str, Any]]]]:
        """Yield all points with the measurements of their boards."""
        by_point: dict[Point, list[dict[str, Any]]] = {}
        for (point, _), chunk in sorted(self.chunks.items(), key=itemgetter(0)):
            by_point.setdefault(point, []).extend(list_boards(chunk))
        yield from by_point.items()


def list_boards(chunk: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the measurements of each board of a chunk."""
    measured = {name: value for name, value in chunk.items() if name not in HEADER}
    for number in range(chunk["boards"]):
        yield {
            name: value[number] if isinstance(value, (list, str)) else value
            for name, value in measured.items()
        }


def _line(told: dict[str, Any]) -> str:
    return json.dumps(told, separators=(",", ":")) + "\n"
