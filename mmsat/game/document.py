"""Boards as JSON: `{"mmsat": 1, "game": {...}, "rows": [{"guess": [1,1,2,2], "black": 1, ...}]}`.

Colors count from 1; a score number that was not read is null. The schema is schemas/board.json.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mmsat.errors import Fault, InputError
from mmsat.game.board import HIGHEST, Board, Row
from mmsat.game.game import LARGEST, Game
from mmsat.game.position import Path, locate, repeated
from mmsat.game.scoring import SCORINGS
from mmsat.game.space import SPACES

if TYPE_CHECKING:
    from collections.abc import Iterable

VERSION = 1


def to_document(board: Board) -> dict[str, Any]:
    """The board as a JSON document."""
    game = board.game
    return {
        "mmsat": VERSION,
        "game": {
            "pegs": game.pegs,
            "colors": game.colors,
            "repeats": game.space.name == "repeats",
            "score": game.scoring.name,
        },
        "rows": [
            {"guess": [color + 1 for color in row.guess]}
            | dict(zip(game.scoring.parts, row.score, strict=True))
            for row in board.rows
        ],
    }


def print_document(board: Board) -> str:
    """The board as JSON text, one row a line."""
    document = to_document(board)
    rows = ",\n".join(f"    {json.dumps(row)}" for row in document["rows"])
    game = json.dumps(document["game"])
    closing = f"[\n{rows}\n  ]" if rows else "[]"
    return f'{{\n  "mmsat": {VERSION},\n  "game": {game},\n  "rows": {closing}\n}}\n'


def read_document(text: str) -> Board:
    """Read JSON text; raises InputError with every fault, its line and its column."""
    reader = _Reader()
    try:
        document = json.loads(text, object_pairs_hook=reader.note)
    except json.JSONDecodeError as error:
        fault = Fault("the text is not JSON", error.msg, "valid JSON", error.lineno, error.colno)
        raise InputError([fault]) from None
    except (RecursionError, ValueError) as error:
        raise InputError([Fault("the text is not a board", str(error), "a board", 1, 1)]) from None
    board = reader.board(document)
    if reader.repeats_keys:
        for path in repeated(text):
            reader.fault(path, "a key stands once in an object", path[-1], "it once")
    if board is None or reader.faults:
        places = locate(text, {path for path, _ in reader.faults})
        faults = [
            Fault(fault.rule, fault.got, fault.write, *places.get(path, (1, 1)))
            for path, fault in reader.faults
        ]
        raise InputError(faults)
    return board


class _Reader:
    """Walks a JSON value and keeps every fault with its path."""

    def __init__(self) -> None:
        self.faults: list[tuple[Path, Fault]] = []
        self.repeats_keys = False

    def note(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """What json makes of an object, noting repeated keys, of which it keeps the last."""
        made = dict(pairs)
        self.repeats_keys |= len(made) < len(pairs)
        return made

    def fault(self, path: Path, rule: str, got: object, write: str) -> None:
        self.faults.append((path, Fault(rule, _shown(got), write)))

    def keys(self, value: Any, path: Path, needed: Iterable[str], optional: set[str]) -> bool:
        """Whether a value is an object; its unknown and missing keys are faults."""
        needed = set(needed)
        known = ", ".join(sorted(needed | optional))
        if not isinstance(value, dict):
            self.fault(path, "an object stands here", value, f"an object with the keys {known}")
            return False
        for key in sorted(value.keys() - needed - optional):
            self.fault((*path, key), "no such key is known here", key, f"one of {known}")
        for key in sorted(needed - value.keys()):
            self.fault(path, f"the key {key!r} is missing", value, f'"{key}": ...')
        return True

    def number(self, value: Any, path: Path, name: str, low: int, high: int) -> bool:
        """Whether a value is a whole number in range."""
        if type(value) is int and low <= value <= high:
            return True
        self.fault(path, f"{name} is a whole number from {low} to {high}", value, "such a number")
        return False

    def board(self, document: Any) -> Board | None:
        if not self.keys(document, (), ("mmsat", "game", "rows"), {"$schema"}):
            return None
        version = document.get("mmsat", VERSION)
        if type(version) is not int or version != VERSION:  # true is 1, and means something else
            rule = "this mmsat reads version 1 of the board document"
            self.fault(("mmsat",), rule, version, '"mmsat": 1')
        game = self.game(document["game"]) if "game" in document else None
        rows = document.get("rows", [])
        if not isinstance(rows, list):
            self.fault(("rows",), "rows is a list", rows, "a list of rows")
            return None
        if game is None:
            return None
        read = [self.row(row, ("rows", number), game) for number, row in enumerate(rows)]
        if self.faults:
            return None
        return Board(game, tuple(row for row in read if row is not None))

    def game(self, value: Any) -> Game | None:
        if not self.keys(value, ("game",), ("pegs", "colors"), {"repeats", "score"}):
            return None
        before = len(self.faults)
        sizes = [key for key in ("pegs", "colors") if key in value]
        for key in sizes:
            self.number(value[key], ("game", key), key, 1, LARGEST)
        repeats, score = value.get("repeats", True), value.get("score", "black-white")
        if not isinstance(repeats, bool):
            self.fault(("game", "repeats"), "repeats is true or false", repeats, "true or false")
        if not isinstance(score, str) or score not in SCORINGS:
            names = ", ".join(SCORINGS)
            self.fault(("game", "score"), "score is a kind of scoring", score, f"one of {names}")
        if len(self.faults) > before or len(sizes) < 2:
            return None
        space = SPACES["repeats" if repeats else "distinct"]
        if flaw := space.flaw(value["pegs"], value["colors"]):
            self.fault(("game",), flaw, value, "more colors or fewer pegs")
            return None
        return Game(value["pegs"], value["colors"], space, SCORINGS[score])

    def row(self, value: Any, path: Path, game: Game) -> Row | None:
        parts = game.scoring.parts
        if not self.keys(value, path, ("guess", *parts), set()):
            return None
        before = len(self.faults)
        if "guess" in value:
            self.guess(value["guess"], (*path, "guess"), game)
        for part in parts:
            if value.get(part) is not None:
                self.number(value[part], (*path, part), f"{part}, unless null,", 0, HIGHEST)
        if len(self.faults) > before or not value.keys() >= {"guess", *parts}:
            return None
        return Row(
            tuple(color - 1 for color in value["guess"]), tuple(value[part] for part in parts)
        )

    def guess(self, value: Any, path: Path, game: Game) -> None:
        rule, write = f"a guess is a list of {game.pegs} colors", f"1 to {game.colors}"
        if not isinstance(value, list):
            self.fault(path, rule, value, f"[{write}, ...]")
            return
        if len(value) != game.pegs:
            self.fault(path, rule, value, f"{game.pegs} numbers, not {len(value)}")
        for peg, color in enumerate(value):
            self.number(color, (*path, peg), "a color", 1, game.colors)


def _shown(got: object) -> object:
    """What an error shows of a value: of a list or an object its beginning."""
    if not isinstance(got, dict | list):
        return got
    try:
        return json.dumps(got)[:60]
    except RecursionError:
        return "a very deep nest"
