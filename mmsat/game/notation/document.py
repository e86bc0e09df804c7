"""Boards as JSON: `{"mmsat": 1, "game": {...}, "rows": [{"guess": [1,1,2,2], "black": 1, ...}]}`.

The version, `"mmsat": 1`, is optional. The game is a definition, or a size, a name or a file as in
a board line: `"game": "4x6"`. Colors are numbered from 1. Unread pegs and unread numbers of a score
are null. If a score has a mark for each place, the marks are a list of symbols:
`"marks": ["G", "-", null]`. Guesses, marks and whole scores may also be text, as in a board line:
`"score": "1b1w"`. Known codes, which are excluded, are a list: `"known": [[1,1,2,3]]`. The schema
is schemas/board.json.
"""

import json
from collections.abc import Callable, Sequence
from typing import Annotated, Any, NotRequired, TypedDict, TypeVar

from mmsat._util.fields import Fields, KeyPath
from mmsat._util.registry import PluginJson
from mmsat._util.results import (
    BoardLine,
    CodeText,
    ColorList,
    Digits,
    GameText,
    NonEmpty,
    Schema,
    ScoreList,
)
from mmsat.errors import Fault, InputError, Place
from mmsat.game import UNREAD, Code, Row
from mmsat.game.definition import (
    MAX_TURNS,
    RulesJson,
    read_definition,
    to_definition,
    to_rules,
)
from mmsat.game.game import Game
from mmsat.game.names import PUBLISHED_GAMES, PublishedGame, find_game, is_file_name, is_plugin
from mmsat.game.notation.board_reader import BoardReader, PlacedText, speller
from mmsat.game.notation.board_text import BoardParts
from mmsat.game.scoring import Pairs

FORMAT_VERSION = 1
"""The version of the format of board documents, which they state under the key "mmsat"."""
SCORE_KEY = "score"
"""The key of a whole score, as text or as a list of numbers or marks."""
EXAMPLE = '{"game": "4x6", "rows": [{"guess": "1122", "black": 1, "white": 1}]}'
"""A board document, for messages."""
MAX_DIGITS = 6
"""The maximum number of digits of a number in a score, as in board lines."""
T = TypeVar("T")
TEXT_KEYS = ("guess", "code", "best")
"""The keys of codes in documents. If the game `has_texts`, each code is also given as text."""


def has_texts(game: Game) -> bool:
    """Return whether JSON documents show codes as text in addition to color numbers.

    This holds for words, and for custom symbols such as the digits from 0.
    """
    return game.space.table() is not None or game.symbols is not None


def add_texts(game: Game, document: T) -> T:
    """If the game `has_texts`, add the text of each code in a document, at any depth.

    For example, the text of the code under the key `guess` gets the key `guess_text`.
    """
    if not has_texts(game):
        return document
    if isinstance(document, list):
        for item in document:
            add_texts(game, item)
    elif isinstance(document, dict):
        for key, value in [*document.items()]:
            if key in TEXT_KEYS and value is not None:
                add_text(game, document, key)
            else:
                add_texts(game, value)
    return document


def add_text(game: Game, document: Any, key: str) -> None:
    """If the game `has_texts`, add the text of the code that a document has under `key`."""
    if has_texts(game) and document[key] is not None:
        document[f"{key}_text"] = speller(game).print_code([color - 1 for color in document[key]])


class ScoreJson(TypedDict):
    """The score of a guess."""

    game: GameText
    code: ColorList
    code_text: NotRequired[CodeText]
    guess: ColorList
    guess_text: NotRequired[CodeText]
    score: ScoreList
    board: BoardLine
    """The guess and its score as a board line."""


def score_document(game: Game, code: Code, guess: Code) -> ScoreJson:
    """Return the document of a score; raise InputError if `code` is not a code of the game."""
    if not game.contains(code):
        rule = game.space.summary
        raise InputError.of("the code", f"a code of {game}", speller(game).print_code(code), rule)
    score = game.score(code, guess)
    document: ScoreJson = {
        "game": str(game),
        "code": [color + 1 for color in code],
        "guess": [color + 1 for color in guess],
        "score": game.scoring.to_json(score),
        "board": f"{game}/{speller(game).print_row(Row(guess, score))}",
    }
    return add_texts(game, document)


def to_document(game: Game, rows: Sequence[Row], known: Sequence[Code] = ()) -> dict[str, Any]:
    """Return a board as a JSON document."""
    document = {
        "mmsat": FORMAT_VERSION,
        "game": to_definition(game),
        "rows": [
            {"guess": [None if c == UNREAD else c + 1 for c in row.guess], **_score_keys(game, row)}
            for row in rows
        ],
    }
    return document | ({"known": [[c + 1 for c in code] for code in known]} if known else {})


def _score_keys(game: Game, row: Row) -> dict[str, Any]:
    """Return the keys and values of a row's JSON object that state its score."""
    score = game.scoring.to_json(row.score)
    return {"marks": score} if game.scoring.marks else dict(zip(game.parts, score, strict=True))


def print_document(game: Game, rows: Sequence[Row], known: Sequence[Code] = ()) -> str:
    """Return a board as JSON text with one row per line."""
    document = to_document(game, rows, known)
    entries = [f'"{key}": {json.dumps(document[key])}' for key in ("mmsat", "game")]
    for key in ("rows", "known"):
        if key in document:
            lines = ",\n".join(f"    {json.dumps(item)}" for item in document[key])
            entries.append(f'"{key}": [\n{lines}\n  ]' if lines else f'"{key}": []')
    return "{\n  " + ",\n  ".join(entries) + "\n}\n"


def read_document(text: str, *, files: bool = True) -> BoardParts:
    """Read a board in JSON. Raises InputError with every error, its line and its column.

    If `files` is False, a game in a file is an error.
    """
    reader = _Reader(files=files)
    return reader.require(reader.read_board(reader.parse(text, "a board")))


class _Reader(Fields):
    """Reads a board from a JSON value, and records every error with its path.

    The inherited checks (`keys`, `text`, `number`) record an error and return False if a value is
    invalid.
    """

    def read_board(self, document: Any) -> BoardParts | None:
        """Return the parts of a board, or None after an error."""
        if not isinstance(document, dict) or not document.keys() & {"game", "rows"}:
            self.fault((), "", document, f"a board, such as {EXAMPLE}")
            return None
        self.keys(document, (), ("game", "rows"), {"mmsat", "$schema", "known"})
        self.version(document, "mmsat", FORMAT_VERSION, "the board document")
        game = self.read_game(document["game"]) if "game" in document else None
        rows = document.get("rows", [])
        known = document.get("known", [])
        for key, value, noun in (("rows", rows, "rows"), ("known", known, "codes")):
            if not isinstance(value, list):
                self.fault((key,), "", value, f"a list of {noun}")
                return None
        if game is None:
            return None
        return self.read_parts(game, rows, known)

    def read_parts(self, game: Game, rows: list[Any], known: list[Any]) -> BoardParts | None:
        """Read rows and known codes together, because they share one alphabet."""
        reader = BoardReader(speller(game))
        code_texts: list[tuple[KeyPath, str]] = []
        score_texts: list[tuple[KeyPath, str]] = []
        for index, row in enumerate(rows):
            self.read_row(row, ("rows", index), game, code_texts, score_texts)
        for index, code in enumerate(known):
            if text := self.guess_text(code, ("known", index), game):
                code_texts.append((("known", index), text))
        codes = self.read_texts(code_texts, reader.read_codes)
        scores = self.read_texts(score_texts, reader.read_scores)
        for (path, text), code in zip(code_texts, codes, strict=True):
            if path[0] == "known" and code is not None and UNREAD in code:
                self.fault(path, "a known code has no ?", text, f"{game.pegs} colors")
        if self.faults:
            return None
        # The known codes follow the guesses in `codes`, and have no scores.
        board_rows = [
            Row(code, score) for code, score in zip(codes, scores, strict=False) if code and score
        ]
        return game, tuple(board_rows), tuple(filter(None, codes[len(rows) :])), reader.conventions

    def read_texts(
        self,
        texts: list[tuple[KeyPath, str]],
        read_all: Callable[[list[PlacedText], list[Fault]], list[T]],
    ) -> list[T]:
        """Read texts together, and record each error with the path to its text."""
        # The index of a text is passed as its line number, which leads from an error to the path.
        faults: list[Fault] = []
        values = read_all(
            [
                PlacedText(text, Place(text_index, 1), allow_unread=True)
                for text_index, (_, text) in enumerate(texts)
            ],
            faults,
        )
        for fault in faults:
            self.add(texts[fault.line or 0][0], [fault])
        return values

    def read_game(self, value: Any) -> Game | None:
        """Read a game: a text, or a definition, which agrees with its name if it has one."""
        path: KeyPath = ("game",)
        if isinstance(value, str):
            return self.find_game(value, path)
        if not isinstance(value, dict):
            expected = 'a size or a name, such as "4x6", or a definition: {"pegs": 4, "colors": 6}'
            self.fault(path, "", value, expected)
            return None
        if "name" not in value:
            return read_definition(value, self, path)
        name = value["name"]
        if not self.text(name, (*path, "name"), "a game's name"):
            return None
        if name in PUBLISHED_GAMES:
            name = PUBLISHED_GAMES[name].name
        is_known = name in PUBLISHED_GAMES or is_plugin(name, files=self.files)
        if not is_known and len(value) > 1 and not is_file_name(name):
            rule = "a game with custom rules is named after its file"
            self.fault((*path, "name"), rule, name, "game:FILE")
            return None
        if len(value) == 1 or is_known:
            named_game = self.find_game(name, (*path, "name"))
            if named_game is None or len(value) == 1:
                return named_game
        game = read_definition(value, self, path, name)
        if game and is_known and game != named_game:
            rule = f"the published game {name} has other rules"
            self.fault((*path, "name"), rule, name, "another name, or only the name")
        return game

    def find_game(self, text: str, path: KeyPath) -> Game | None:
        """Return the game of a size, a name or a file, or None after an error."""
        try:
            return find_game(text, files=self.files)
        except InputError as error:
            self.add(path, error.faults)
            return None

    def read_row(
        self,
        value: Any,
        path: KeyPath,
        game: Game,
        code_texts: list[tuple[KeyPath, str]],
        score_texts: list[tuple[KeyPath, str]],
    ) -> None:
        """Append the guess of a row to `code_texts` and its score to `score_texts`.

        Each text is appended with its path. If it has errors, they are recorded instead.
        """
        scoring = game.scoring
        part_keys = ("marks",) if scoring.marks else game.parts
        has_whole_score = (
            isinstance(value, dict) and SCORE_KEY in value and not value.keys() & {*part_keys}
        )
        if not self.keys(value, path, ("guess", *([SCORE_KEY] if has_whole_score else part_keys))):
            return
        if "guess" in value and (text := self.guess_text(value["guess"], (*path, "guess"), game)):
            code_texts.append(((*path, "guess"), text))
        if has_whole_score or scoring.marks:
            key = SCORE_KEY if has_whole_score else "marks"
            if key in value and (text := self.score_text(value[key], (*path, key), game)):
                score_texts.append(((*path, key), text))
            return
        num_faults = len(self.faults)
        for part in part_keys:
            if (number := value.get(part)) is not None:
                self.number(number, (*path, part), f"{part} (or null)", 0, scoring.highest)
        if len(self.faults) == num_faults:
            score = tuple(value.get(part) for part in part_keys)
            # as text, so that all scores are read by one function
            score_texts.append((path, speller(game).print_score(score)))

    def guess_text(self, value: Any, path: KeyPath, game: Game) -> str:
        """Return the text of a guess, or an empty string after an error was recorded."""
        spell = speller(game)
        rule, example = f"a guess is a list of {game.pegs} {spell.noun}s", f"1 to {game.colors}"
        if isinstance(value, str):
            return value or " "  # not "", which means that an error was recorded
        if not isinstance(value, list):
            self.fault(path, rule, value, f"[{example}, ...]")
            return ""
        if value and all(color is None or isinstance(color, str) for color in value):
            return ", ".join(color or "?" for color in value)
        num_faults = len(self.faults)
        if len(value) != game.pegs:
            self.fault(path, rule, value, f"{game.pegs} numbers, not {len(value)}")
        for peg, color in enumerate(value):
            if color is not None:
                self.number(color, (*path, peg), f"a {spell.noun} (or null)", 1, game.colors)
        if len(self.faults) > num_faults:
            return ""
        return spell.print_code(tuple(UNREAD if color is None else color - 1 for color in value))

    def score_text(self, value: Any, path: KeyPath, game: Game) -> str:
        """Return the text of marks or a whole score, or an empty string after an error."""
        if isinstance(value, str):
            return value or " "  # not "", which means that an error was recorded
        part_type = str if game.scoring.marks else int
        if isinstance(value, list) and all(
            part is None or (type(part) is part_type and len(str(part)) <= MAX_DIGITS)
            for part in value
        ):
            separator = "" if game.scoring.marks else "."
            return separator.join("?" if part is None else str(part) for part in value) or " "
        if game.scoring.marks:
            example = json.dumps(game.scoring.to_json((0, 1, None)))
            self.fault(path, "", value, f"a list of marks, or null if unread, such as {example}")
        else:
            example = json.dumps(speller(game).example_score)
            self.fault(path, "", value, f"text, or a list of numbers, such as {example}")
        return ""


GAME_TEXT = "^([0-9]+(x[0-9]+){1,2}[!d]?[a-z]?|[a-z][a-z0-9-]*|(game|word):.+)$"
"""The pattern of a size, a name or a file of a game."""


class PublishedGameJson(RulesJson):
    """A published game."""

    name: str
    """The name, which can be used instead of a size."""
    title: NonEmpty
    """The title on the box."""
    year: NonEmpty
    """The year of publication, or a word in place of a year."""
    game: Annotated[str, Schema(pattern=GAME_TEXT)]
    """The size if it defines the game, otherwise the name."""
    codes: Digits
    """Number of codes."""
    notation: str
    """An example board line."""
    rules: NonEmpty
    """The differences from other games."""
    reading: str | None
    """Notes, such as the interpretation used here if sources differ."""
    turns: list[Annotated[int, Schema(minimum=1, maximum=MAX_TURNS)]]
    """The limits on the number of guesses from which players choose one."""
    players: NonEmpty
    """Number of players."""
    source: NonEmpty
    """Source of the rules."""


class GamesJson(TypedDict):
    """Published games."""

    games: list[PublishedGameJson]
    plugins: NotRequired[list[PluginJson]]
    """The games and scorings of plug-ins; missing if there are none."""


def published_games_by_year() -> list[PublishedGame]:
    """Return all published games by year and name. Games without a year come first."""

    def key(published: PublishedGame) -> tuple[int, str]:
        """Return the year, or 0 if it is unknown, then the name."""
        return int(published.year[:4]) if published.year[:4].isdecimal() else 0, published.name

    return sorted(PUBLISHED_GAMES.values(), key=key)


def published_game_document(published: PublishedGame) -> PublishedGameJson:
    """Return a published game for JSON. The number of codes is a string because it can be huge."""
    game = published.game
    return {
        "name": published.name,
        "title": published.title,
        "year": published.year,
        "game": str(game),
        "codes": str(game.size),
        "notation": example_line(published),
        "rules": published.summary,
        "reading": published.notes or None,
        "turns": list(published.turns),
        "players": published.players,
        "source": published.source,
        **to_rules(game),
    }


def example_line(published: PublishedGame) -> str:
    """Return an example board line of a game: one guess with a possible score."""
    game = published.game
    table = game.space.table()
    if table:  # any two words; these are from the middle, as the first ones are obscure
        guess, code = table[len(table) // 3], table[len(table) // 2]
    else:
        # Neighbors in the guess differ in color, and in games of pairs, in shape as well. Adding
        # the number of shapes to a pair leads to the next color, and adding 1 to the next shape.
        shapes = game.scoring.shapes if isinstance(game.scoring, Pairs) else 1
        step = shapes + 1 if shapes > 1 else 1
        guess = tuple(peg * step % game.colors for peg in range(game.pegs))
        code = (*guess[1:], (guess[-1] + 1) % game.colors)
    return f"{published.name}/{speller(game).print_row(Row(guess, game.score(code, guess)))}"
