"""Validation of JSON and TOML documents, in which every error has a line and a column.

Faults are recorded with the path to the faulty value. Python's json module reports positions of
syntax errors only. Therefore `locate` scans the text again if there are faults. This scan is slow,
but it runs for invalid documents only. It uses the scanner of the json module for everything except
lists and objects.

`SizeExpressions` evaluates the arithmetic expressions in the TOML files of encodings.
"""

import ast
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from math import comb, isqrt
from typing import Any, TypeVar

from mmsat._util.registry import similar_names
from mmsat._util.text import join_words, whole_range
from mmsat.errors import Description, Fault, InputError, InternalError

T = TypeVar("T")
KeyPath = tuple[str | int, ...]
"""The keys and indices that lead to a value."""

SPACE = re.compile(r"[ \t\n\r]*")
"""The blanks that JSON allows between values."""
MAX_EXCERPT_CHARACTERS = 60
"""Maximum number of characters of a list or an object in a message."""
DECODER = json.JSONDecoder()
"""Scans strings and numbers."""

FUNCTIONS: dict[str, Callable[..., int]] = {"min": min, "max": max, "comb": comb, "isqrt": isqrt}
"""The functions that every size expression may call."""
SUM_FUNCTIONS: dict[str, Callable[..., Any]] = {"sum": sum, "range": range}
"""Functions that a size expression may use only in a sum over a range."""
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
"""The operators that a size expression may use."""
COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
"""The comparisons that a size expression may use."""


def read_toml(text: str) -> dict[str, Any]:
    """Parse a TOML document; raise ValueError if it is not valid."""
    import tomllib

    return tomllib.loads(text)


class Fields:
    """Validates the values of one JSON or TOML document, and collects every fault with its path.

    The methods that check a value return whether it is valid. If it is not, they record a fault.
    `path` is the path to the value, and `name` is its name in messages.
    """

    def __init__(self, source: str = "the board", *, files: bool = True) -> None:
        """Create a validator.

        - `source`: the name of the document in errors.
        - `files`: whether the document may name files, which are then read. Pass False for
          untrusted input.
        """
        self.faults: list[tuple[KeyPath, Fault]] = []
        self.source = source
        self.files = files
        self.content, self.is_json, self.repeats_keys = "", True, False

    def parse(self, text: str, expected: str, *, is_json: bool = True) -> Any:
        """Parse a document; raise InputError with the position of a syntax error.

        `expected` describes the document: "a board". Repeated keys are recorded as faults.
        """
        self.content, self.is_json = text, is_json
        try:
            if not is_json:
                return read_toml(text)
            value = json.loads(text, object_pairs_hook=self._object)
        except RecursionError:
            fault = Fault("", Description("very deeply nested brackets"), expected, 1, 1)
            raise InputError([fault], self.source) from None
        except ValueError as error:
            kind = "JSON" if is_json else "TOML"
            place = re.search(r"line (\d+),? column (\d+)", str(error))
            line, column = map(int, place.groups()) if place else (1, 1)
            message = getattr(error, "msg", str(error))  # `msg` of JSON errors omits the position
            description = Description("a syntax error")
            fault = Fault(message, description, f"valid {kind}", line, column)
            raise InputError([fault], self.source) from None
        for path in repeated_paths(text) if self.repeats_keys else ():
            self.fault(path, "the key is repeated", path[-1], "each key once")
        return value

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """Make a dict of a JSON object, as json does, and record whether a key is repeated.

        Of a repeated key, the last value remains.
        """
        value_by_key = dict(pairs)
        self.repeats_keys |= len(value_by_key) < len(pairs)
        return value_by_key

    def require(self, result: T | None) -> T:
        """Return `result`, or raise InputError with every recorded fault.

        It also raises InputError if `result` is None. If the path of a fault is not in the text,
        line 1, column 1 is reported.
        """
        if result is not None and not self.faults:
            return result
        paths = {path for path, _ in self.faults}
        places = (locate if self.is_json else locate_toml)(self.content, paths)
        faults = [
            replace(fault, line=line, column=column)
            for path, fault in self.faults
            for line, column in [places.get(path, (1, 1))]
        ]
        raise InputError(faults, self.source)

    def add(self, path: KeyPath, faults: Iterable[Fault]) -> None:
        """Record the faults of a value that was parsed elsewhere.

        The value is a string in another notation, or the name of a file. Lines and columns of
        `faults` do not refer to this document, and are replaced by the position of the value.
        """
        self.faults += [(path, fault) for fault in faults]

    def fault(self, path: KeyPath, rule: str, found: object, expected: str) -> None:
        """Record a fault of a value; see Fault for `rule`, `found` and `expected`."""
        self.faults.append((path, Fault(rule, excerpt(found), expected)))

    def keys(
        self, value: Any, path: KeyPath, needed: Collection[str], optional: Collection[str] = ()
    ) -> bool:
        """Return whether a value is an object; record its unknown and missing keys as faults."""
        known_keys = ", ".join(sorted({*needed, *optional}))
        if not isinstance(value, dict):
            self.fault(path, "", value, f"an object with the keys {known_keys}")
            return False
        for key in sorted(value.keys() - {*needed, *optional}):
            similar = similar_names(key, sorted({*needed, *optional}))
            question = f"; did you mean {join_words(similar, 'or')}?" if similar else ""
            self.fault((*path, key), f"unknown key{question}", key, f"one of {known_keys}")
        for key in sorted({*needed} - value.keys()):
            self.fault(path, f"the key {key!r} is missing", value, f'"{key}": ...')
        return True

    def version(self, document: dict[str, Any], key: str, version: int, name: str) -> None:
        """Record a fault if the document has a version number other than `version`.

        `key` is the key of the version, and `name` is the name of the document in the message: "the
        board document".
        """
        document_version = document.get(key, version)
        # `type`, because True == 1 and a version `true` is wrong
        if type(document_version) is not int or document_version != version:
            rule = f"this mmsat reads version {version} of {name}"
            self.fault((key,), rule, document_version, f'"{key}": {version}')

    def number(self, value: Any, path: KeyPath, name: str, low: int, high: int) -> bool:
        """Return whether a value is a whole number in a range."""
        if type(value) is int and low <= value <= high:
            return True
        self.fault(path, "", value, f"{name}, {whole_range(low, high)}")
        return False

    def choice(self, value: Any, path: KeyPath, name: str, choices: Collection[str]) -> bool:
        """Return whether a value is one of the given strings."""
        if isinstance(value, str) and value in choices:
            return True
        self.fault(path, "", value, f"{name}, one of {', '.join(choices)}")
        return False

    def flag(self, value: Any, path: KeyPath, name: str) -> bool:
        """Return whether a value is true or false."""
        if isinstance(value, bool):
            return True
        self.fault(path, "", value, f"{name}, true or false")
        return False

    def text(self, value: Any, path: KeyPath, name: str) -> bool:
        """Return whether a value is a line of text that is not blank."""
        if isinstance(value, str) and value.strip() and value.isprintable():
            return True
        self.fault(path, "", value, f"{name}, a line of text")
        return False


def excerpt(value: object) -> object:
    """Return a list or an object as the beginning of its JSON text, and other values unchanged."""
    if not isinstance(value, dict | list):
        return value
    try:
        return json.dumps(value, default=str, ensure_ascii=False)[:MAX_EXCERPT_CHARACTERS]
    except RecursionError:
        return Description("a very deeply nested value")


def locate(text: str, paths: set[KeyPath]) -> dict[KeyPath, tuple[int, int]]:
    """Return the line and column, from 1, of the values at the given paths of a valid JSON text."""
    places = {}
    line, line_index = 1, 0  # `line` is the number of the line that contains `line_index`
    for path, index in _values(text):
        if path in paths:  # a later value of a repeated key replaces earlier ones, as in json.loads
            line += text.count("\n", line_index, index)
            line_index = index
            places[path] = (line, index - text.rfind("\n", 0, index))
    return places


def locate_toml(text: str, paths: set[KeyPath]) -> dict[KeyPath, tuple[int, int]]:
    """Return, for each path, the line and column, from 1, of the first occurrence of its first key.

    This is approximate, because tomllib does not report positions.
    """
    places = {}
    for path in filter(None, paths):
        if key := re.search(rf"^([ \t]*){re.escape(str(path[0]))}[ \t]*=", text, re.MULTILINE):
            line = text.count("\n", 0, key.end()) + 1
            places[path] = (line, len(key[1]) + 1)
    return places


def repeated_paths(text: str) -> list[KeyPath]:
    """Return the paths that several values of a valid JSON text share, because a key is repeated.

    Each path is listed once, in reading order.
    """
    seen: set[KeyPath] = set()
    repeated: dict[KeyPath, None] = {}
    for path, _ in _values(text):
        if path in seen:
            repeated[path] = None
        seen.add(path)
    return list(repeated)


def _skip(text: str, index: int) -> int:
    """Return the index of the first character from `index` on that is not blank."""
    match = SPACE.match(text, index)
    return match.end() if match else index


def _skip_comma(text: str, index: int) -> int:
    """Return the index after a comma and the blanks after it; `index` if no comma is there."""
    return _skip(text, index + 1) if text[index : index + 1] == "," else index


def _values(text: str) -> Iterator[tuple[KeyPath, int]]:
    """Yield the path and the index of every value of a valid JSON text, in reading order.

    The stack is explicit, because the nesting can be deeper than Python's recursion limit.
    """
    # For each list or object that is open: its bracket, its path, and its number of items so far.
    stack: list[tuple[str, KeyPath, int]] = []
    path: KeyPath = ()
    index = _skip(text, 0)
    while True:
        yield path, index
        opening = text[index]
        if opening in "[{":
            stack.append((opening, path, 0))
            index = _skip(text, index + 1)
        else:
            _, index = DECODER.raw_decode(text, index)
            index = _skip_comma(text, _skip(text, index))
        while stack and text[index : index + 1] in ("]", "}"):
            stack.pop()
            index = _skip_comma(text, _skip(text, index + 1))
        if not stack:
            return
        bracket, parent, items = stack[-1]
        key: str | int = items
        if bracket == "{":
            key, index = DECODER.raw_decode(text, index)
            index = _skip(text, _skip(text, index) + 1)
        stack[-1] = (bracket, parent, items + 1)
        path = (*parent, key)


class SizeExpressions:
    """Named arithmetic expressions, which compute the sizes of formulas and may call each other.

    An expression may use its parameters, + - * // %, comparisons, `A if B else C`, min, max, comb,
    isqrt, `sum(A for t in range(B, C))`, and all defined expressions, including itself. Everything
    else is rejected by a check of the syntax tree, so that an expression can only compute numbers.
    It is then evaluated as Python. Values are cached, so that recursion computes each value once.
    """

    def __init__(self) -> None:
        self._scope: dict[str, Any] = {**FUNCTIONS, **SUM_FUNCTIONS, "__builtins__": {}}
        """The functions that an expression may call: these, and all expressions defined so far."""

    def define(self, name: str, parameters: Sequence[str], text: str) -> None:
        """Add an expression. Raises InternalError if the text is not pure arithmetic."""
        text = text.strip()
        if not is_arithmetic(ast.parse(text, mode="eval").body, frozenset(parameters)):
            raise InternalError(f"the size expression {text!r} is not arithmetic")
        function = f"lambda {', '.join(parameters)}: ({text})"
        self._scope[name] = cache(eval(function, self._scope))  # noqa: S307  (the tree was checked)

    def value(self, name: str, *arguments: int) -> int:
        """Return the value of an expression for these arguments, in the order of its parameters."""
        try:
            return int(self._scope[name](*arguments))
        except (KeyError, NameError) as error:
            raise InternalError(f"a size expression is not defined: {error}") from error


def is_arithmetic(tree: ast.expr, names: frozenset[str]) -> bool:
    """Return whether an expression is pure arithmetic over these names."""

    def are_arithmetic(
        operands: Iterable[ast.expr], bound_names: frozenset[str] = frozenset()
    ) -> bool:
        """Return whether all operands are arithmetic; `bound_names` are further names in them."""
        return all(is_arithmetic(operand, names | bound_names) for operand in operands)

    match tree:
        case ast.Constant(value=int()):
            return True
        case ast.Name(id=name):
            return name in names
        case ast.BinOp(left=left, op=op, right=right):
            return isinstance(op, OPERATORS) and are_arithmetic((left, right))
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return isinstance(op, COMPARISONS) and are_arithmetic((left, right))
        case ast.IfExp(test=test, body=body, orelse=other):
            return are_arithmetic((test, body, other))
        # `sum(TERM for NAME in range(LOW, HIGH))`; the term may use the name, the range may not
        case ast.Call(
            func=ast.Name(id="sum"),
            args=[
                ast.GeneratorExp(
                    elt=term,
                    generators=[
                        ast.comprehension(
                            target=ast.Name(id=name),
                            iter=ast.Call(func=ast.Name(id="range"), args=[low, high], keywords=[]),
                            ifs=[],
                        )
                    ],
                )
            ],
            keywords=[],
        ):
            return are_arithmetic((low, high)) and are_arithmetic([term], frozenset({name}))
        case ast.Call(func=ast.Name(id=name), args=operands, keywords=[]):
            return name not in SUM_FUNCTIONS and are_arithmetic(operands)
    return False
