"""Saved games of one board or of several boards, as JSON.

    {"mmsat-play": 1, "role": "breaker", "turns": 12, "strategy": "auto", "seed": 5,
     "secret": [1, 2, 3, 4], "consistent_only": false, "evil": false, "worst": false, "hard": false,
     "board": {"mmsat": 1, "game": {...}, "rows": [...]}}

The board is a board document. The secret has colors from 1. It is null if only the person knows it,
or if an evil codemaker has not chosen one. The schema is schemas/play.json.

    {"mmsat-play": 1, "boards": ["4x6/1122=1.1", "4x6/1122=0.2"], "role": "breaker", "turns": 7,
     "seed": 5, "solved": false, "secrets": ["1233", "2214"]}

The schema of a game of several boards is schemas/play-several.json.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypedDict

from mmsat._util.fields import Fields
from mmsat._util.results import BoardLine, NonNegative, Positive, Schema
from mmsat._util.text import quantity
from mmsat.errors import InputError
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.notation.board_reader import own_speller
from mmsat.play import Round
from mmsat.strategy.several import SeveralBoards

VERSION: Literal[1] = 1
VERSION_KEY = "mmsat-play"
"""The key of the version, by which saved games are recognized."""
CONSISTENT, EVIL, WORST, HARD = FLAGS = "consistent_only", "evil", "worst", "hard"
"""The keys of flags. They are optional, because older documents do not have them."""
ROLES = ("breaker", "maker")
"""The possible roles of a person; the machine has the other one."""
MAX_TURNS = 1_000_000
"""Maximum number of turns in a saved game."""
MAX_SEED = 2**31 - 1
"""Maximum seed in a saved game."""


@dataclass(frozen=True, slots=True)
class SavedGame:
    """A saved game of one board between a person and the machine."""

    role: str
    """The role of the person, one of ROLES."""
    now: Round
    """The state of the round."""
    strategy: str
    """The name of the strategy of the machine, which also gives hints."""
    seed: int | None
    """Seed of the machine; None means an arbitrary seed."""
    evil: bool = False
    """Whether the machine, as codemaker, has no fixed code (`Evader`)."""
    worst: bool = False
    """Whether this codemaker maximizes the number of guesses with best play."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON document."""
        secret = self.now.secret
        return {
            VERSION_KEY: VERSION,
            "role": self.role,
            "turns": self.now.turns,
            "strategy": self.strategy,
            "seed": self.seed,
            "secret": None if secret is None else [color + 1 for color in secret],
            CONSISTENT: self.now.consistent_only,
            EVIL: self.evil,
            WORST: self.worst,
            HARD: self.now.hard,
            "board": self.now.board.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class SavedBoards:
    """A saved game of several boards between a person and the machine."""

    role: str
    """The role of the person, one of ROLES."""
    now: SeveralBoards
    """The boards."""
    turns: int
    """The maximum number of guesses."""
    seed: int | None
    """Seed of the machine; None means an arbitrary seed."""
    secrets: tuple[Code, ...] | None
    """The codes of the boards, with colors from 0; None if the person has them."""

    @property
    def is_over(self) -> bool:
        """Whether all boards are solved, or no guesses remain."""
        return self.now.is_solved or self.remaining_turns == 0

    @property
    def remaining_turns(self) -> int:
        """The number of remaining guesses."""
        return max(0, self.turns - len(self.now.guesses))

    def to_dict(self) -> SavedBoardsJson:
        """Return the JSON document."""
        spell = own_speller(self.now.game)
        return {
            "mmsat-play": VERSION,
            "boards": self.now.to_list(),
            "role": self.role,
            "turns": self.turns,
            "seed": self.seed,
            "solved": self.now.is_solved,
            "secrets": None if self.secrets is None else [*map(spell.print_code, self.secrets)],
        }


_VersionJson = TypedDict(
    "_VersionJson",
    {"mmsat-play": Annotated[Literal[1], Schema(description="The version of this format.")]},
)


class SavedBoardsJson(_VersionJson):
    """A game of several boards."""

    boards: Annotated[list[BoardLine], Schema(minItems=1)]
    """A board line for each board; a solved board has no rows after its last guess."""
    role: Annotated[str, Schema(enum=ROLES)]
    """The role of the person."""
    turns: Positive
    """Maximum number of guesses."""
    seed: NonNegative | None
    """Seed of the machine; null for an arbitrary seed."""
    solved: bool
    """Whether all boards are solved."""
    secrets: list[str] | None
    """The codes of the boards, as text; null if the person has them."""


def read_saved(text: str) -> SavedGame | SavedBoards:
    """Parse a saved game. Raises InputError with the line and column of every fault.

    The key "boards" distinguishes games of several boards.
    """
    fields = Fields("the saved game")
    document = fields.parse(text, "a saved game")
    if isinstance(document, dict) and "boards" in document:
        return _read_boards_game(fields, document)
    return _read_game(fields, document)


def _read_game(fields: Fields, document: Any) -> SavedGame:
    """Return a game of one board; raises InputError with every fault."""
    required_keys = (VERSION_KEY, "role", "turns", "strategy", "seed", "secret", "board")
    if fields.keys(document, (), required_keys, FLAGS) and not fields.faults:
        _check_values(fields, document)
    board = Board.parse(json.dumps(fields.require(document)["board"])).without_known("a saved game")
    secret = _read_secret(board, document["secret"])
    consistent_only, hard = (document.get(key, False) for key in (CONSISTENT, HARD))
    now = Round(board, document["turns"], secret, consistent_only, hard)
    evil, worst = (document.get(key, False) for key in (EVIL, WORST))
    is_consistent = secret is not None and board.is_consistent(secret)
    if document["role"] == "breaker" and not (secret is None if evil else is_consistent):
        expected = "null" if evil else "a secret that matches the scores of the board"
        raise InputError.of("the saved game", expected, document["secret"])
    return SavedGame(document["role"], now, document["strategy"], document["seed"], evil, worst)


def _read_boards_game(fields: Fields, document: dict[str, Any]) -> SavedBoards:
    """Return a game of several boards; raises InputError with every fault."""
    required_keys = (VERSION_KEY, "boards", "role", "turns", "seed", "solved", "secrets")
    fields.keys(document, (), required_keys)
    if fields.faults:
        return fields.require(None)
    _check_settings(fields, document)
    fields.number(document["turns"], ("turns",), "turns", 1, MAX_TURNS)
    now = _read_boards(fields, document["boards"])
    secrets = None if now is None else _read_secrets(fields, document, now)
    if now is not None and document["solved"] is not now.is_solved:
        expected = json.dumps(now.is_solved)
        fields.fault(("solved",), "this follows from the boards", document["solved"], expected)
    return SavedBoards(
        document["role"], fields.require(now), document["turns"], document["seed"], secrets
    )


def _read_boards(fields: Fields, lines: Any) -> SeveralBoards | None:
    """Return the boards with these lines; None after recording their faults."""
    if not isinstance(lines, list) or not lines:
        fields.fault(("boards",), "", lines, "a list of board lines")
        return None
    boards = []
    for index, line in enumerate(lines):
        if not fields.text(line, ("boards", index), "a board line"):
            continue
        try:
            boards.append(Board.parse(line).without_known("a game of several boards"))
        except InputError as error:
            fields.add(("boards", index), error.faults)
    if len(boards) < len(lines):
        return None
    try:
        return SeveralBoards(tuple(boards))
    except InputError as error:
        fields.add(("boards",), error.faults)
        return None


def _read_secrets(
    fields: Fields, document: dict[str, Any], now: SeveralBoards
) -> tuple[Code, ...] | None:
    """Return the codes of the machine, or None; record a fault if they contradict a score."""
    texts = document["secrets"]
    if document["role"] == "maker":
        if texts is not None:
            fields.fault(("secrets",), "the codes are those of the person", texts, "null")
        return None
    if not isinstance(texts, list) or len(texts) != len(now.boards):
        fields.fault(("secrets",), "", texts, f"a list of {quantity(len(now.boards), 'code')}")
        return None
    secrets = []
    for index, (text, board) in enumerate(zip(texts, now.boards, strict=True)):
        if not fields.text(text, ("secrets", index), f"the code of board {index + 1}"):
            continue
        try:
            secret = now.game.parse_code(text)
        except InputError as error:
            fields.add(("secrets", index), error.faults)
            continue
        if not board.is_consistent(secret):
            expected = f"a code that gets the scores of board {index + 1}"
            fields.fault(("secrets", index), "", text, expected)
        secrets.append(secret)
    return tuple(secrets)


def _check_settings(fields: Fields, document: dict[str, Any]) -> None:
    """Check the values that all saved games have."""
    fields.number(document[VERSION_KEY], (VERSION_KEY,), "the version", VERSION, VERSION)
    fields.choice(document["role"], ("role",), "the role", ROLES)
    if document["seed"] is not None:
        fields.number(document["seed"], ("seed",), "the seed (or null)", 0, MAX_SEED)


def _check_values(fields: Fields, document: dict[str, Any]) -> None:
    """Check the values of a game of one board, except the board."""
    _check_settings(fields, document)
    fields.text(document["strategy"], ("strategy",), "a strategy")
    for key in FLAGS:
        fields.flag(document.get(key, False), (key,), key)
    if document["turns"] is not None:
        fields.number(document["turns"], ("turns",), "turns (or null)", 1, MAX_TURNS)
    secret = document["secret"]
    if secret is not None and not (
        isinstance(secret, list) and all(type(color) is int for color in secret)
    ):
        fields.fault(("secret",), "", secret, "a secret such as [1, 2, ...], or null")


def _read_secret(board: Board, colors: list[int] | None) -> tuple[int, ...] | None:
    """Return the code with these colors, which are numbered from 1; None if there is none."""
    if colors is None:
        return None
    code = tuple(color - 1 for color in colors)
    if not board.game.contains(code):
        raise InputError.of("the saved game", f"a secret that is a code of {board.game}", colors)
    return code
