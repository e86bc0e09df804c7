"""Rounds, one hidden code and the guesses at it; and games that were broken off, as JSON.

    {"mmsat-play": 1, "role": "breaker", "turns": 12, "strategy": "auto", "seed": 5,
     "secret": [1, 2, 3, 4], "consistent_only": false, "evil": false, "worst": false, "hard": false,
     "board": {"mmsat": 1, "game": {...}, "rows": [...]}}

The board is a board document. The secret, colors from 1, is null where the player keeps it, or
where an evil codemaker has not chosen. The schema is schemas/play.json.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any

from mmsat.board import Board
from mmsat.errors import InputError
from mmsat.fields import Fields
from mmsat.game.hard_mode import find_breach
from mmsat.game.row import Code, Row, Score

VERSION = 1
VERSION_KEY = "mmsat-play"
CONSISTENT, EVIL, WORST, HARD = FLAGS = "consistent_only", "evil", "worst", "hard"
"""The keys that games of older versions have not."""
ROLES = ("breaker", "maker")
"""What a person can be: the machine is the other."""
MOST_TURNS = 1_000_000
LARGEST_SEED = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Round:
    """A round as it stands; each move makes another, so that any can be taken back."""

    board: Board
    turns: int | None = None
    """The guesses that may be made; None for any number."""
    secret: Code | None = None
    """The code, where it is known to the machine: colors from 0."""
    consistent_only: bool = False
    """Whether only what can be the code may be guessed: Consistent Mastermind (de Bondt 2004)."""
    hard: bool = False
    """Whether each guess has to use what is known; see game/hard_mode.py."""

    @property
    def is_found(self) -> bool:
        """Whether the last guess got the score of the code itself."""
        return self.board.is_solved

    @property
    def is_over(self) -> bool:
        """Whether the code is found, or no guess is left."""
        return self.is_found or self.left == 0

    @property
    def left(self) -> int | None:
        """The guesses left; None for any number."""
        return None if self.turns is None else max(0, self.turns - len(self.board.rows))

    def with_row(self, guess: Code, score: Score | None = None) -> Round:
        """With one more guess; without a score it is scored against the secret.

        Raises ValueError where there is neither, and for a guess that may not be made.
        """
        if self.consistent_only and not self.board.is_consistent(guess):
            raise ValueError("only what can be the code may be guessed")
        if self.hard and find_breach(self.board.game, self.board.rows, guess) is not None:
            raise ValueError("in hard mode a guess uses what is known")
        if score is None:
            if self.secret is None:
                raise ValueError("only a known secret scores guesses")
            score = self.board.game.score(self.secret, guess)
        return replace(self, board=Board(self.board.game, (*self.board.rows, Row(guess, score))))

    def without_last(self, rows: int = 1) -> Round:
        """Without the last rows."""
        left = self.board.rows[: max(0, len(self.board.rows) - rows)]
        return replace(self, board=Board(self.board.game, left))

    def with_score(self, row: int, score: Score) -> Round:
        """With another score of a row, from 0."""
        return replace(self, board=self.board.changed({row: tuple(score)}))


@dataclass(frozen=True, slots=True)
class Saved:
    """A game between a person and the machine, as it stands."""

    role: str
    """What the person is, of ROLES."""
    now: Round
    strategy: str
    """The strategy of the machine, and of hints."""
    seed: int | None
    evil: bool = False
    """Whether the machine as codemaker has chosen no code (evader.py)."""
    worst: bool = False
    """Whether it then answers as is worst for the best play."""

    def to_dict(self) -> dict[str, Any]:
        """The document."""
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
            "board": self.now.board.to_json(),
        }


def read_saved(text: str) -> Saved:
    """A game from its document; raises InputError with every fault, its line and its column."""
    fields = Fields("the saved game")
    document = fields.parse(text, "a saved game")
    needed = (VERSION_KEY, "role", "turns", "strategy", "seed", "secret", "board")
    if fields.keys(document, (), needed, FLAGS) and not fields.faults:
        _look(fields, document)
    board = Board.parse(json.dumps(fields.require(document)["board"])).without_known("a game")
    secret = _secret(board, document["secret"])
    bound = [document.get(key, False) for key in (CONSISTENT, HARD)]
    now = Round(board, document["turns"], secret, *bound)
    evil = document.get(EVIL, False)
    is_chosen = secret is not None and board.is_consistent(secret)
    if document["role"] == "breaker" and not (secret is None if evil else is_chosen):
        write = "null" if evil else "a secret that gets the scores of the board"
        raise InputError.of("the saved game", write, document["secret"])
    kept = document["role"], now, document["strategy"], document["seed"]
    return Saved(*kept, evil, document.get(WORST, False))


def _look(fields: Fields, document: dict[str, Any]) -> None:
    fields.number(document[VERSION_KEY], (VERSION_KEY,), "the version", VERSION, VERSION)
    fields.choice(document["role"], ("role",), "the role", ROLES)
    fields.text(document["strategy"], ("strategy",), "a strategy")
    for key in FLAGS:
        fields.flag(document.get(key, False), (key,), key)
    if document["turns"] is not None:
        fields.number(document["turns"], ("turns",), "turns, unless null,", 1, MOST_TURNS)
    if document["seed"] is not None:
        fields.number(document["seed"], ("seed",), "the seed, unless null,", 0, LARGEST_SEED)
    secret = document["secret"]
    if secret is not None and not (
        isinstance(secret, list) and all(type(color) is int for color in secret)
    ):
        fields.fault(("secret",), "the secret is a list of colors, or null", secret, "[1, 2, ...]")


def _secret(board: Board, colors: list[int] | None) -> tuple[int, ...] | None:
    if colors is None:
        return None
    code = tuple(color - 1 for color in colors)
    if not board.game.contains(code):
        raise InputError.of("the saved game", f"a secret that is a code of {board.game}", colors)
    return code
