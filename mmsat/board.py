"""Boards: a game, what was guessed, and how it was scored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from mmsat.errors import Fault, InputError
from mmsat.frozen import frozen
from mmsat.game.game import Game
from mmsat.game.row import UNREAD, Row
from mmsat.game.unread import agrees, guesses, is_allowed, is_unread
from mmsat.notation.line import is_line, print_line, read_line
from mmsat.registry import load
from mmsat.shown import Shown

DOCUMENT, TEXT = "mmsat.notation.document", "mmsat.notation.text"
"""The notations that few boards are in, loaded when they are met."""


@frozen
class Board(Shown):
    """A game and its scored rows. Rows count from 1 for people, from 0 in lists and tuples."""

    game: Game
    rows: tuple[Row, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", tuple(Row(tuple(g), tuple(s)) for g, s in self.rows))
        parts = self.game.parts
        faults = [f for n, row in enumerate(self.rows, 1) for f in self._faults(n, row, parts)]
        if faults:
            raise InputError(faults)

    def _faults(self, number: int, row: Row, parts: tuple[str, ...]) -> Iterable[Fault]:
        game = self.game
        if len(row.guess) != game.pegs:
            rule = f"row {number}: a guess has {game.pegs} pegs"
            yield Fault(rule, row.guess, f"{game.pegs} colors")
        if not all(type(color) is int and UNREAD <= color < game.colors for color in row.guess):
            rule = f"row {number}: a color is a whole number from 0 to {game.colors - 1}"
            yield Fault(rule, row.guess, "colors counted from 0, -1 where unread")
        elif len(row.guess) == game.pegs and not is_allowed(game, row.guess):
            yield Fault(f"row {number}: a guess is a word of the list", row.guess, "such a word")
        highest = game.scoring.highest
        if len(row.score) != len(parts) or not all(
            part is None or (type(part) is int and 0 <= part <= highest) for part in row.score
        ):
            rule = f"row {number}: a score is {len(parts)} numbers, None where unread"
            if game.scoring.marks:
                rule += f"; each number is a mark, 0 to {highest}"
            yield Fault(rule, row.score, " and ".join(parts))

    @classmethod
    def parse(cls, text: str, *, files: bool = True) -> Board:
        """Read a board line, a board file's text or JSON, told apart by content.

        Raises InputError with every fault of the text. Without `files`, games whose rules or words
        lie in a file (`game:FILE`, `word:FILE`) are faults too: for text from strangers.
        """
        text = text.removeprefix("\ufeff")  # a byte order mark that a reader left in
        if text.lstrip()[:1] in ("{", "["):
            read = load(f"{DOCUMENT}:read_document")
        else:
            read = read_line if is_line(text) else load(f"{TEXT}:read_text")
        return cls(*read(text, files=files))

    def __str__(self) -> str:
        return print_line(self.game, self.rows)

    def __repr__(self) -> str:
        return f"Board.parse({str(self)!r})"

    def to_json(self) -> dict[str, Any]:
        """The board as a JSON document; see schemas/board.json."""
        document: dict[str, Any] = load(f"{DOCUMENT}:to_document")(self.game, self.rows)
        return document

    def is_consistent(self, code: Sequence[int]) -> bool:
        """Whether a code (colors from 0) gets exactly these scores: the definition of it all."""
        game = self.game
        return game.contains(code) and all(agrees(game, code, row) for row in self.rows)

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
    def has_unread_pegs(self) -> bool:
        """Whether some peg of a guess was not read."""
        return any(map(is_unread, self.rows))

    def only(self, rows: Iterable[int]) -> Board:
        """The board with only these rows, counted from 0."""
        return Board(self.game, tuple(self.rows[row] for row in rows))

    def changed(self, scores: dict[int, tuple[int | None, ...]]) -> Board:
        """The board with other scores at some rows, counted from 0."""
        rows = (Row(row.guess, scores.get(n, row.score)) for n, row in enumerate(self.rows))
        return Board(self.game, tuple(rows))


PRINTERS: dict[str, Callable[[Board], str]] = {
    "line": lambda board: f"{board}\n",
    "text": lambda board: load(f"{TEXT}:print_text")(board.game, board.rows),
    "json": lambda board: load(f"{DOCUMENT}:print_document")(board.game, board.rows),
}
"""The notations of a board: name -> how to print it."""
