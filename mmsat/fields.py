"""The fields of JSON and TOML values: what is wrong with them, and at which line and column.

Faults are kept with the path to their value. Python's json module tells positions of syntax errors
only, so `locate` finds the others once a fault is known; it may be slow, and uses the module's own
scanner for everything but lists and objects.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from mmsat.english import whole_range
from mmsat.errors import Fault, InputError

T = TypeVar("T")
KeyPath = tuple[str | int, ...]
"""The keys and indices that lead to a value."""

SPACE = re.compile(r"[ \t\n\r]*")
DECODER = json.JSONDecoder()


def read_toml(text: str) -> dict[str, Any]:
    """The table of a text in TOML; raises ValueError."""
    import tomllib  # noqa: PLC0415  (a tenth of Python's start-up, which plain games do not need)

    return tomllib.loads(text)


class Fields:
    """Checks the values of a text in JSON or TOML, and keeps every fault with its path."""

    def __init__(self, source: str = "the board", *, files: bool = True) -> None:
        """Nothing is wrong yet.

        `source` is what errors call the text. Without `files`, a value may not name a file to be
        read.
        """
        self.faults: list[tuple[KeyPath, Fault]] = []
        self.source = source
        self.files = files
        self.content, self.is_json, self.repeats_keys = "", True, False

    def parse(self, text: str, wanted: str, *, is_json: bool = True) -> Any:
        """Parse a text, or raise InputError with the place where it is no JSON or TOML.

        `wanted` is what the text should be: "a board". A repeated key is a fault.
        """
        self.content, self.is_json = text, is_json
        try:
            if not is_json:
                return read_toml(text)
            value = json.loads(text, object_pairs_hook=self._object)
        except RecursionError:
            fault = Fault(f"the text is not {wanted}", "a very deep nest", wanted, 1, 1)
            raise InputError([fault], self.source) from None
        except ValueError as error:
            kind = "JSON" if is_json else "TOML"
            place = re.search(r"line (\d+),? column (\d+)", str(error))
            line, column = map(int, place.groups()) if place else (1, 1)
            got = getattr(error, "msg", str(error))
            fault = Fault(f"the text is not {kind}", got, f"valid {kind}", line, column)
            raise InputError([fault], self.source) from None
        for path in repeated_paths(text) if self.repeats_keys else ():
            self.fault(path, "a key stands once in an object", path[-1], "each key once")
        return value

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """Make an object as json does: of a repeated key the last value counts."""
        made = dict(pairs)
        self.repeats_keys |= len(made) < len(pairs)
        return made

    def require(self, made: T | None) -> T:
        """What was made of the values, or InputError with all faults where there are any.

        What has no place in the text is at its beginning.
        """
        if made is not None and not self.faults:
            return made
        paths = {path for path, _ in self.faults}
        places = (locate if self.is_json else locate_toml)(self.content, paths)
        faults = [
            replace(fault, line=line, column=column)
            for path, fault in self.faults
            for line, column in [places.get(path, (1, 1))]
        ]
        raise InputError(faults, self.source)

    def add(self, path: KeyPath, faults: Iterable[Fault]) -> None:
        """Keep the faults of what a value names or spells; their places are not in this text."""
        self.faults += [(path, fault) for fault in faults]

    def fault(self, path: KeyPath, rule: str, got: object, write: str) -> None:
        """Keep a fault."""
        self.faults.append((path, Fault(rule, excerpt(got), write)))

    def keys(
        self, value: Any, path: KeyPath, needed: Collection[str], optional: Collection[str] = ()
    ) -> bool:
        """Whether a value is an object; its unknown and missing keys are faults."""
        known = ", ".join(sorted({*needed, *optional}))
        if not isinstance(value, dict):
            self.fault(path, "", value, f"an object with the keys {known}")
            return False
        for key in sorted(value.keys() - {*needed, *optional}):
            self.fault((*path, key), "this object has no such key", key, f"one of {known}")
        for key in sorted({*needed} - value.keys()):
            self.fault(path, f"the key {key!r} is missing", value, f'"{key}": ...')
        return True

    def version(self, document: dict[str, Any], key: str, version: int, what: str) -> None:
        """A document that tells its version must be of this one."""
        found = document.get(key, version)
        if type(found) is not int or found != version:  # true is 1, and means something else
            rule = f"this mmsat reads version {version} of {what}"
            self.fault((key,), rule, found, f'"{key}": {version}')

    def number(self, value: Any, path: KeyPath, name: str, low: int, high: int) -> bool:
        """Whether a value is a whole number in range."""
        if type(value) is int and low <= value <= high:
            return True
        self.fault(path, f"{name} is {whole_range(low, high)}", value, f"{low:,} to {high:,}")
        return False

    def choice(self, value: Any, path: KeyPath, name: str, choices: Collection[str]) -> bool:
        """Whether a value is one of some words."""
        if isinstance(value, str) and value in choices:
            return True
        self.fault(path, "", value, f"{name}, one of {', '.join(choices)}")
        return False

    def flag(self, value: Any, path: KeyPath, name: str) -> bool:
        """Whether a value is true or false."""
        if isinstance(value, bool):
            return True
        self.fault(path, "", value, f"{name}, true or false")
        return False

    def text(self, value: Any, path: KeyPath, name: str) -> bool:
        """Whether a value is text of one line, and not empty."""
        if isinstance(value, str) and value.strip() and value.isprintable():
            return True
        self.fault(path, "", value, f"{name}, a line of text")
        return False


def excerpt(got: object) -> object:
    """What an error shows of a value: of a list or an object its beginning."""
    if not isinstance(got, dict | list):
        return got
    try:
        return json.dumps(got, default=str)[:60]
    except RecursionError:
        return "a very deep nest"


def locate(text: str, paths: set[KeyPath]) -> dict[KeyPath, tuple[int, int]]:
    """The line and column, from 1, of the values at these paths of a valid JSON text."""
    places = {}
    line, counted = 1, 0
    for path, index in _values(text):
        if path in paths:  # of a repeated key the last value counts, as it does to the reader
            line += text.count("\n", counted, index)
            counted = index
            places[path] = (line, index - text.rfind("\n", 0, index))
    return places


def locate_toml(text: str, paths: set[KeyPath]) -> dict[KeyPath, tuple[int, int]]:
    """The line and column, from 1, of the keys at the tops of these paths of a TOML text."""
    places = {}
    for path in filter(None, paths):
        if key := re.search(rf"^([ \t]*){re.escape(str(path[0]))}[ \t]*=", text, re.MULTILINE):
            line = text.count("\n", 0, key.end()) + 1
            places[path] = (line, len(key[1]) + 1)
    return places


def repeated_paths(text: str) -> list[KeyPath]:
    """The paths that more than one value of a valid JSON text has, because a key is repeated."""
    seen: set[KeyPath] = set()
    twice: dict[KeyPath, None] = {}
    for path, _ in _values(text):
        if path in seen:
            twice[path] = None
        seen.add(path)
    return list(twice)


def _skip(text: str, index: int) -> int:
    match = SPACE.match(text, index)
    return match.end() if match else index


def _values(text: str) -> Iterator[tuple[KeyPath, int]]:
    """Every value's path and index, in reading order, with an explicit stack."""
    stack: list[tuple[str, KeyPath, int]] = []  # the open brackets, their paths, items so far
    path: KeyPath = ()
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
