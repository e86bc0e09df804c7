"""Boards as JSON: `{"mmsat": 1, "game": {...}, "rows": [{"guess": [1,1,2,2], "black": 1, ...}]}`.

Colors count from 1; a score number that was not read is null. Where a score has a mark for each
place, they are a list of symbols: `"marks": ["G", "-", null]`. Guesses and marks may also be
spelled as in a board line. Known codes, which do not count, are a list: `"known": [[1,1,2,3]]`.
The schema is schemas/board.json.
"""

import json
from collections.abc import Sequence
from typing import Any

from mmsat.errors import Fault, InputError, Place
from mmsat.fields import Fields, KeyPath
from mmsat.game.definition import read_definition, to_definition
from mmsat.game.game import Game
from mmsat.game.names import find_game, is_file
from mmsat.game.row import UNREAD, Code, Row
from mmsat.game.variants import VARIANTS
from mmsat.notation.line import BoardParts
from mmsat.notation.speller import speller

VERSION = 1
HERE = Place(1, 1)


def to_document(game: Game, rows: Sequence[Row], known: Sequence[Code] = ()) -> dict[str, Any]:
    """The board as a JSON document."""
    document = {
        "mmsat": VERSION,
        "game": to_definition(game),
        "rows": [
            {"guess": [None if c == UNREAD else c + 1 for c in row.guess], **_score(game, row)}
            for row in rows
        ],
    }
    return document | ({"known": [[c + 1 for c in code] for code in known]} if known else {})


def _score(game: Game, row: Row) -> dict[str, Any]:
    """The part of a row that is its score."""
    score = game.scoring.to_json(row.score)
    return {"marks": score} if game.scoring.marks else dict(zip(game.parts, score, strict=True))


def print_document(game: Game, rows: Sequence[Row], known: Sequence[Code] = ()) -> str:
    """The board as JSON text, one row a line."""
    document = to_document(game, rows, known)
    parts = [f'"{key}": {json.dumps(document[key])}' for key in ("mmsat", "game")]
    for key in ("rows", "known"):
        if key in document:
            lines = ",\n".join(f"    {json.dumps(each)}" for each in document[key])
            parts.append(f'"{key}": [\n{lines}\n  ]' if lines else f'"{key}": []')
    return "{\n  " + ",\n  ".join(parts) + "\n}\n"


def read_document(text: str, *, files: bool = True) -> BoardParts:
    """Read JSON text; raises InputError with every fault, its line and its column."""
    reader = _Reader(files=files)
    return reader.require(reader.board(reader.parse(text, "a board")))


class _Reader(Fields):
    """Walks a JSON value and keeps every fault with its path."""

    def board(self, document: Any) -> BoardParts | None:
        if not self.keys(document, (), ("mmsat", "game", "rows"), {"$schema", "known"}):
            return None
        self.version(document, "mmsat", VERSION, "the board document")
        game = self.game(document["game"]) if "game" in document else None
        rows = document.get("rows", [])
        known = document.get("known", [])
        for key, value, nouns in (("rows", rows, "rows"), ("known", known, "codes")):
            if not isinstance(value, list):
                self.fault((key,), f"{key} is a list", value, f"a list of {nouns}")
                return None
        if game is None:
            return None
        read = [self.row(row, ("rows", number), game) for number, row in enumerate(rows)]
        codes = [self.code(code, ("known", number), game) for number, code in enumerate(known)]
        if self.faults:
            return None
        return game, tuple(filter(None, read)), tuple(filter(None, codes))

    def game(self, value: Any) -> Game | None:
        """A game by its definition, by its name, or by both where they agree."""
        path: KeyPath = ("game",)
        if not isinstance(value, dict) or "name" not in value:
            return self.nameless(read_definition(value, self, path), value)
        name = value["name"]
        if not self.text(name, (*path, "name"), "a game's name"):
            return None
        if name in VARIANTS:
            name = VARIANTS[name].name
        elif len(value) > 1 and not is_file(name):
            rule = "a game with rules of its own is named after its file"
            self.fault((*path, "name"), rule, name, "game:FILE")
            return None
        if len(value) == 1 or name in VARIANTS:
            try:
                known = find_game(name, files=self.files)
            except InputError as error:
                self.add((*path, "name"), error.faults)
                return None
            if len(value) == 1:
                return known
        game = read_definition(value, self, path, name)
        if game and name in VARIANTS and game != known:
            rule = f"the game {name} has other rules than these"
            self.fault((*path, "name"), rule, name, "no name, or no more than the name")
        return game

    def nameless(self, game: Game | None, value: Any) -> Game | None:
        """The game, if its size tells it, as it has no name."""
        if game is not None and (game.symbols or game.space.table()):
            rule = "a game with symbols or words of its own has a name"
            self.fault(("game",), rule, value, '"name": "game:FILE"')
        return game

    def row(self, value: Any, path: KeyPath, game: Game) -> Row | None:
        marks = game.scoring.marks
        parts = ("marks",) if marks else game.parts
        if not self.keys(value, path, ("guess", *parts)):
            return None
        before = len(self.faults)
        guess = self.guess(value["guess"], (*path, "guess"), game) if "guess" in value else None
        if marks:
            score = self.marks(value["marks"], (*path, "marks"), game) if "marks" in value else None
        else:
            score = tuple(value.get(part) for part in parts)
            for part, number in zip(parts, score, strict=True):
                if number is not None:
                    highest = game.scoring.highest
                    self.number(number, (*path, part), f"{part}, unless null,", 0, highest)
        if len(self.faults) > before or guess is None or score is None:
            return None
        return Row(guess, score)

    def guess(self, value: Any, path: KeyPath, game: Game) -> tuple[int, ...] | None:
        faults: list[Fault] = []
        noun = speller(game).noun
        rule, write = f"a guess is a list of {game.pegs} {noun}s", f"1 to {game.colors}"
        if not isinstance(value, list | str):
            self.fault(path, rule, value, f"[{write}, ...]")
            return None
        if isinstance(value, list):
            before = len(self.faults)
            if len(value) != game.pegs:
                self.fault(path, rule, value, f"{game.pegs} numbers, not {len(value)}")
            for peg, color in enumerate(value):
                if color is not None:
                    self.number(color, (*path, peg), f"a {noun}, unless null,", 1, game.colors)
            if len(self.faults) > before:
                return None
            guess = tuple(UNREAD if color is None else color - 1 for color in value)
            if game.space.table() is None:
                return guess
            value = speller(game).print_code(guess)
        code = speller(game).read_guess(value, HERE, faults)
        self.add(path, faults)
        return code

    def code(self, value: Any, path: KeyPath, game: Game) -> Code | None:
        """A known code: a guess all of which was read."""
        code = self.guess(value, path, game)
        if code is not None and UNREAD in code:
            self.fault(path, "all of a known code is read", value, f"{game.pegs} colors")
            return None
        return code

    def marks(self, value: Any, path: KeyPath, game: Game) -> tuple[int | None, ...] | None:
        faults: list[Fault] = []
        if isinstance(value, list) and all(
            mark is None or (isinstance(mark, str) and len(mark) == 1) for mark in value
        ):
            value = "".join(mark or "?" for mark in value)
        if not isinstance(value, str):
            write = json.dumps(game.scoring.to_json((0, 1, None)))
            self.fault(path, "marks is a list of symbols, null where unread", value, write)
            return None
        score = speller(game).read_score(value, HERE, faults)
        self.add(path, faults)
        return score
