"""What is wrong with a JSON or TOML value, kept with the path to it, until its place is known."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mmsat.errors import Fault

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from mmsat.game.position import Path


class Fields:
    """Looks at values, and keeps every fault with its path."""

    def __init__(self, *, files: bool = True) -> None:
        """Nothing is wrong yet. Without `files`, a value may not name a file to be read."""
        self.faults: list[tuple[Path, Fault]] = []
        self.files = files

    def fault(self, path: Path, rule: str, got: object, write: str) -> None:
        """Keep a fault."""
        self.faults.append((path, Fault(rule, _shown(got), write)))

    def placed(self, places: Mapping[Path, tuple[int, int]]) -> list[Fault]:
        """The faults with their lines and columns; what has no place is at the beginning."""
        return [
            Fault(fault.rule, fault.got, fault.write, *places.get(path, (1, 1)))
            for path, fault in self.faults
        ]

    def keys(
        self, value: Any, path: Path, needed: Collection[str], optional: Collection[str] = ()
    ) -> bool:
        """Whether a value is an object; its unknown and missing keys are faults."""
        known = ", ".join(sorted({*needed, *optional}))
        if not isinstance(value, dict):
            self.fault(path, "an object stands here", value, f"an object with the keys {known}")
            return False
        for key in sorted(value.keys() - {*needed, *optional}):
            self.fault((*path, key), "no such key is known here", key, f"one of {known}")
        for key in sorted({*needed} - value.keys()):
            self.fault(path, f"the key {key!r} is missing", value, f'"{key}": ...')
        return True

    def number(self, value: Any, path: Path, name: str, low: int, high: int) -> bool:
        """Whether a value is a whole number in range."""
        if type(value) is int and low <= value <= high:
            return True
        self.fault(path, f"{name} is a whole number from {low} to {high}", value, "such a number")
        return False

    def choice(self, value: Any, path: Path, name: str, choices: Collection[str]) -> bool:
        """Whether a value is one of some words."""
        if isinstance(value, str) and value in choices:
            return True
        self.fault(path, f"{name} is a word", value, f"one of {', '.join(choices)}")
        return False

    def flag(self, value: Any, path: Path, name: str) -> bool:
        """Whether a value is true or false."""
        if isinstance(value, bool):
            return True
        self.fault(path, f"{name} is true or false", value, "true or false")
        return False

    def text(self, value: Any, path: Path, name: str) -> bool:
        """Whether a value is text of one line, and not empty."""
        if isinstance(value, str) and value.strip() and value.isprintable():
            return True
        self.fault(path, f"{name} is text", value, "a line of text")
        return False


def _shown(got: object) -> object:
    """What an error shows of a value: of a list or an object its beginning."""
    if not isinstance(got, dict | list):
        return got
    try:
        return json.dumps(got, default=str)[:60]
    except RecursionError:
        return "a very deep nest"
