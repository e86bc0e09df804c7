"""Boards: a game, what was guessed, and how it was scored."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from mmsat.english import join_words, quantity
from mmsat.errors import Fault, InputError, Place
from mmsat.files import decode
from mmsat.frozen import frozen
from mmsat.game.game import Game
from mmsat.game.row import UNREAD, Code, Row
from mmsat.game.unread import agrees, guesses, is_allowed, is_unread
from mmsat.notation.line import is_line, print_line, read_line
from mmsat.notation.speller import speller
from mmsat.registry import load
from mmsat.shown import Shown

DOCUMENT, TEXT = "mmsat.notation.document", "mmsat.notation.text"
"""The notations that few boards are in, loaded when they are met."""


@frozen
class Board(Shown):
    """A game and its scored rows.

    Rows, pegs and colors count from 0 in attributes and arguments, as Python counts; from 1 in
    text, in JSON and in messages.
    """

    game: Game
    rows: tuple[Row, ...] = ()
    known: tuple[Code, ...] = ()
    """Codes that get these scores and do not count: the question is whether there is another."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "game", Game.of(self.game))
        try:
            rows = tuple(Row(tuple(guess), tuple(score)) for guess, score in self.rows)
        except (TypeError, ValueError):
            raise InputError.of("the board", "pairs of a guess and a score", self.rows) from None
        object.__setattr__(self, "rows", rows)
        parts = self.game.parts
        faults = [f for n, row in enumerate(self.rows, 1) for f in self._faults(n, row, parts)]
        if self.known and not faults:
            object.__setattr__(self, "known", tuple(map(tuple, self.known)))
            faults = list(self._faults_of_known())
        InputError.refuse(faults)

    def _faults_of_known(self) -> Iterable[Fault]:
        spell = speller(self.game)
        for number, code in enumerate(self.known, 1):
            part = f"known code {number}"
            if not self.game.contains(code):
                yield Fault("", code, f"a code of the game {self.game}", part=part)
            elif missed := self.missed(code):
                rule = f"a known code gets every score, and this misses row {missed[0] + 1}"
                yield Fault(rule, spell.print_code(code), "a consistent code", part=part)
            elif code in self.known[: number - 1]:
                yield Fault("it is listed already", spell.print_code(code), "", part=part)

    def _faults(self, number: int, row: Row, parts: tuple[str, ...]) -> Iterable[Fault]:
        game, part = self.game, f"row {number}"
        guess = row.guess
        if UNREAD in guess:
            guess = tuple(0 if color == UNREAD else color for color in guess)
        if not game.is_sequence(guess):
            yield Fault("", row.guess, f"{game.sequence}, -1 where unread", part=part)
        elif UNREAD in row.guess and not is_allowed(game, row.guess):
            yield Fault("", row.guess, "a guess that is a word of the list", part=part)
        highest = game.scoring.highest
        if len(row.score) != len(parts) or not all(
            each is None or (type(each) is int and 0 <= each <= highest) for each in row.score
        ):
            kinds = "marks" if game.scoring.marks else "numbers"
            expected = f"a score of {len(parts)} {kinds} 0 to {highest}, None where unread"
            yield Fault(join_words(parts), row.score, expected, part=part)

    @classmethod
    def of(cls, board: Board | str) -> Board:
        """The board itself, or the one that a text spells; so do all calls that take a board.

        Raises InputError for anything else.
        """
        if isinstance(board, cls):
            return board
        if isinstance(board, str):
            return cls.parse(board)
        raise InputError.of("the board", "a Board, or a board line such as '4x6/1122=1.1'", board)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Board:
        """Read the board of a file, in any notation; raises InputError, OSError where it cannot."""
        with open(path, "rb") as file:  # noqa: PTH123  (pathlib is slow to load)
            return cls.parse(decode(file.read(), os.fspath(path)))

    @classmethod
    def parse(cls, text: str, *, files: bool = True) -> Board:
        """Read a board line, a board file's text or JSON, told apart by content.

        Raises InputError with every fault of the text. Without `files`, games whose rules or words
        lie in a file (`game:FILE`, `word:FILE`) are faults too: for text from strangers.
        """
        if not isinstance(text, str):
            raise InputError.of("the board", "text", text)
        text = text.removeprefix("\ufeff")  # a byte order mark that a reader left in
        if text.lstrip()[:1] in ("{", "["):
            read = load(f"{DOCUMENT}:read_document")
        else:
            read = read_line if is_line(text) else load(f"{TEXT}:read_text")
        return cls(*read(text, files=files))

    def __str__(self) -> str:
        return print_line(self.game, self.rows, self.known)

    def __repr__(self) -> str:
        return f"Board.parse({str(self)!r})"

    def records(self) -> list[dict[str, Any]]:
        """A line for each row, counted from 1, for pandas.DataFrame and polars."""
        spell = speller(self.game)
        return [
            {
                "row": number,
                "guess": spell.print_code(row.guess),
                **dict(zip(self.game.parts, self.game.scoring.to_json(row.score), strict=True)),
            }
            for number, row in enumerate(self.rows, 1)
        ]

    def to_json(self) -> dict[str, Any]:
        """The board as a JSON document; see schemas/board.json."""
        document: dict[str, Any] = load(f"{DOCUMENT}:to_document")(self.game, self.rows, self.known)
        return document

    def is_consistent(self, code: Sequence[int]) -> bool:
        """Whether a code (colors from 0) gets exactly these scores: the definition of it all.

        A known code does not count. Raises InputError for what is no sequence of whole numbers.
        """
        game = self.game
        gets = game.contains(code) and all(agrees(game, code, row) for row in self.rows)
        return gets and tuple(code) not in self.known

    def missed(self, code: Sequence[int]) -> tuple[int, ...]:
        """The rows, counted from 0, whose scores a code does not get."""
        game = self.game
        return tuple(n for n, row in enumerate(self.rows) if not agrees(game, code, row))

    def inconsistent_guesses(self) -> tuple[int, ...]:
        """The rows, counted from 0, whose guesses do not fit the scores of the rows before them.

        There are none in Consistent Mastermind, where each guess must be a code that could be it. A
        guess that was not read fits where it can have been such a code. Costs a score for each pair
        of rows.
        """
        game = self.game
        return tuple(
            number
            for number, row in enumerate(self.rows)
            if not any(
                game.contains(guess)
                and all(agrees(game, guess, before) for before in self.rows[:number])
                for guess in guesses(game, row.guess)
            )
        )

    @property
    def is_solved(self) -> bool:
        """Whether the last guess got the score of the code itself."""
        return bool(self.rows) and (
            self.game.score(self.rows[-1].guess, self.rows[-1].guess) == self.rows[-1].score
        )

    @property
    def has_unread_pegs(self) -> bool:
        """Whether some peg of a guess was not read."""
        return any(map(is_unread, self.rows))

    def with_row(self, guess: Sequence[int] | str, score: Sequence[int | None] | str) -> Board:
        """The board with one more row: `board.with_row("1122", "1.1")`, or colors from 0.

        Only this row is looked at. Raises InputError with all its faults.
        """
        faults: list[Fault] = []
        if isinstance(guess, str):
            guess = speller(self.game).read_guess(guess, Place(1, 1), faults) or ()
        if isinstance(score, str):
            score = speller(self.game).read_score(score, Place(1, 1), faults) or ()
        InputError.refuse(faults, "the row")
        row = Row(tuple(guess), tuple(score))
        if self.known:
            return self.with_rows((*self.rows, row))
        if faults := [*self._faults(len(self.rows) + 1, row, self.game.parts)]:
            raise InputError(faults)
        board = object.__new__(Board)
        for name, value in (("game", self.game), ("rows", (*self.rows, row)), ("known", ())):
            object.__setattr__(board, name, value)
        return board

    def with_rows(self, rows: Iterable[Row]) -> Board:
        """The board with other rows; of the known codes those stay that get their scores."""
        board = Board(self.game, tuple(rows))
        return replace(board, known=tuple(c for c in self.known if board.is_consistent(c)))

    def without_known(self, who: str) -> Board:
        """The board, for what asks about all consistent codes.

        - `who`: what cannot leave some out, for the error.

        Raises InputError where some codes are known.
        """
        if self.known:
            rule = f"{who} is about all codes, and here some are known and do not count"
            found = quantity(len(self.known), "known code")
            raise InputError.of("the board", "a board without known codes", found, rule)
        return self

    def only(self, rows: Iterable[int]) -> Board:
        """The board with only these rows, counted from 0; raises InputError for others."""
        return Board(
            self.game, tuple(self.rows[row] for row in self._require_rows(rows)), self.known
        )

    def changed(self, scores: dict[int, tuple[int | None, ...]]) -> Board:
        """The board with other scores at some rows, counted from 0; raises InputError as `only`."""
        self._require_rows(scores)
        return self.with_rows(
            Row(row.guess, scores.get(n, row.score)) for n, row in enumerate(self.rows)
        )

    def _require_rows(self, rows: Iterable[int]) -> list[int]:
        """The rows, if the board has them."""
        found = list(rows)
        expected = f"a row from 0 to {len(self.rows) - 1}"
        if wrong := [row for row in found if row not in range(len(self.rows))]:
            raise InputError([Fault("", row, expected) for row in wrong], "the rows")
        return found


PRINTERS: dict[str, Callable[[Board], str]] = {
    "line": lambda board: f"{board}\n",
    "text": lambda board: load(f"{TEXT}:print_text")(board.game, board.rows, board.known),
    "json": lambda board: load(f"{DOCUMENT}:print_document")(board.game, board.rows, board.known),
}
"""The notations of a board: name -> how to print it."""
