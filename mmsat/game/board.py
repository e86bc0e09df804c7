"""Boards: a game, the guesses made, and their scores."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, cast

from mmsat._util.arguments import attempt, code_of_colors, json_text, numbers_or_none, whole_number
from mmsat._util.files import decode, unify_line_ends
from mmsat._util.results import BoardJson, Displayable
from mmsat._util.text import join_words, quantity
from mmsat.errors import Description, Fault, InputError, Place, found_argument, source_as
from mmsat.game import UNREAD, Code, Conventions, Row, Score
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import NO_CONVENTIONS, BoardReader, PlacedText, speller
from mmsat.game.notation.board_text import print_line, print_text, read_any_text
from mmsat.game.unread import agrees, is_allowed, is_unread, matching_codes

EXPECTED_ROWS = "pairs of a guess and a score, such as ('1122', '1.1'); Board.parse reads text"
"""The rows that `Board` accepts, described for error messages."""
EXPECTED_ROW = "a pair of a guess and a score, such as ('1122', '1.1')"
"""One row that `Board` accepts, described for error messages."""


@dataclass(frozen=True)
class Board(Displayable):
    """A game and its scored rows.

    Rows, pegs and colors are numbered from 0 in attributes and arguments, and from 1 in text, in
    JSON and in messages.

    Parameters
    ----------
    game : Game or str
        The game, or its size or name, such as "4x6" or "mastermind".
    rows : iterable of (guess, score), default ()
        Each row is a pair of texts, such as `("1122", "1.1")`, or of sequences of numbers, such as
        `((0, 0, 1, 1), (1, 1))`. In sequences, -1 stands for an unread peg, and None for an unread
        part of a score.
    known : iterable of codes, default ()
        Consistent codes that are excluded: queries look for another code.
    conventions : Conventions, optional
        The notation of the text read so far, such as its alphabet. Texts in `rows` and `known` must
        use the same notation.

    Raises
    ------
    InputError
        If an argument is invalid; the error lists every fault.

    See Also
    --------
    Board.parse : Read a board from text.

    Examples
    --------
    >>> board = mmsat.Board("4x6", [("1122", "1.1"), ((2, 2, 3, 4), (0, 2))])
    >>> print(board)
    4x6/1122=1.1/3345=0.2
    """

    game: Game
    """The game of the board."""
    rows: tuple[Row, ...]
    """The guesses with their scores, in order."""
    known: tuple[Code, ...]
    """Consistent codes that are excluded: queries look for another code."""
    conventions: Conventions = field(compare=False, repr=False)
    """The notation of the text from which the board was read, such as its alphabet."""

    def __init__(
        self,
        game: Game | str,
        rows: Iterable[tuple[Sequence[int] | str, Sequence[int | None] | str]] = (),
        known: Iterable[Sequence[int] | str] = (),
        conventions: Conventions = NO_CONVENTIONS,
    ) -> None:
        set_field = object.__setattr__  # because the dataclass is frozen
        set_field(self, "game", _find_game(game))
        if not isinstance(conventions, Conventions):
            raise InputError.of("the conventions", "Conventions of a board", conventions)
        reader = BoardReader(speller(self.game), conventions)
        set_field(self, "rows", self._read_rows(rows, reader))
        set_field(self, "conventions", reader.conventions)  # `_read_known` needs it
        set_field(self, "known", self._read_known(known, reader))
        set_field(self, "conventions", reader.conventions)

    def _read_rows(
        self, rows: Iterable[Any], reader: BoardReader, first_number: int = 1
    ) -> tuple[Row, ...]:
        """Return the rows; raise InputError with the faults of all rows.

        - `reader`: reads the guesses and scores that are text, all in the same notation.
        - `first_number`: the number of the first row, for error messages.
        """
        faults: list[Fault] = []
        guess_items: list[Code | PlacedText | None] = []
        score_items: list[Score | PlacedText | None] = []
        pairs = attempt(list, rows) if not isinstance(rows, str | bytes) else None
        if pairs is None:
            raise InputError([Fault("", found_argument(rows), EXPECTED_ROWS, part="rows")])
        for number, pair in enumerate(pairs, first_number):
            try:
                guess, score = pair
            except (TypeError, ValueError):
                faults.append(Fault("", pair, EXPECTED_ROW, part=f"row {number}"))
                continue
            # Texts are read together below, because all of them share one notation.
            if isinstance(guess, str):
                guess_items.append(PlacedText(guess.strip(), Place(number, 1), allow_unread=True))
            else:
                guess_items.append(self._read_guess(guess, faults, f"guess of row {number}"))
            if isinstance(score, str):
                score_items.append(PlacedText(score.strip(), Place(number, 1)))
            else:
                score_items.append(self._read_score(score, faults, f"score of row {number}"))
        guesses = reader.read_items(guess_items, reader.read_codes, faults, "guess")
        scores = reader.read_items(score_items, reader.read_scores, faults, "score")
        InputError.refuse(faults)
        guesses_and_scores = zip(guesses, scores, strict=True)
        # No item is None here; the condition is for mypy.
        return tuple([Row(guess, score) for guess, score in guesses_and_scores if guess and score])

    def _read_guess(self, guess: Any, faults: list[Fault], part: str) -> Code | None:
        """Return a guess as a tuple of colors, or append its fault and return None."""
        game = self.game
        colors = attempt(code_of_colors, guess)
        if (
            colors is None
            or len(colors) != game.pegs
            or not UNREAD <= min(colors) <= max(colors) < game.colors
        ):
            expected = f"a guess as text, or {game.expected_sequence}, or -1 for unread pegs"
            faults.append(Fault("", found_argument(guess), expected, part=part))
        # A row may have any guess. If pegs are unread, an allowed guess must match the read pegs.
        elif UNREAD in colors and not is_allowed(game, colors):
            faults.append(Fault("", guess, "a word of the list", part=part))
        else:
            return colors
        return None

    def _read_score(self, score: Any, faults: list[Fault], part: str) -> Score | None:
        """Return a score as a tuple of numbers, or append its fault and return None."""
        parts, max_number = self.game.parts, self.game.scoring.highest
        numbers = attempt(numbers_or_none, score)
        if (
            numbers is not None
            and len(numbers) == len(parts)
            and all(number is None or 0 <= number <= max_number for number in numbers)
        ):
            return numbers
        nouns = "marks" if self.game.scoring.marks else "numbers"
        numbers_text = f"{len(parts)} {nouns} from 0 to {max_number:,}"
        expected = f"a score as text, or {numbers_text}, or None for unread {nouns}"
        faults.append(Fault(join_words(parts), found_argument(score), expected, part=part))
        return None

    def _read_known(
        self, known: Iterable[Sequence[int] | str], reader: BoardReader
    ) -> tuple[Code, ...]:
        """Return the known codes; raise InputError with the faults of all known codes."""
        if not known and isinstance(known, tuple):  # the default value
            return ()
        given_codes = None if isinstance(known, str | bytes) else attempt(list, known)
        if given_codes is None:
            expected = "a list of known codes"
            raise InputError([Fault("", found_argument(known), expected, part="known")])
        expected, faults = f"a code of the game {self.game}", list[Fault]()
        known_codes: dict[Code, None] = {}
        code: Code | None
        for number, given_code in enumerate(given_codes, 1):
            part = f"known code {number}"
            if isinstance(given_code, str):
                code_faults: list[Fault] = []
                code = reader.read_code(given_code.strip(), Place(1, 1), code_faults)
                faults += [
                    replace(fault, line=None, column=None, part=part) for fault in code_faults
                ]
            else:
                code = attempt(self.game.read_code, given_code)
                if code is None:
                    faults.append(Fault("", given_code, expected, part=part))
            if code is None:
                continue
            is_sequence = self.game.is_sequence(code)
            shown = speller(self.game).print_code(code) if is_sequence else given_code
            if not self.game.contains(code):
                faults.append(Fault("", shown, expected, part=part))
            elif wrong_rows := self.missed(code):
                rule = f"this code gives row {wrong_rows[0] + 1} another score"
                faults.append(Fault(rule, shown, "a consistent code", part=part))
            elif code in known_codes:
                faults.append(Fault("it is already listed", shown, "another code", part=part))
            known_codes[code] = None
        InputError.refuse(faults)
        return tuple(known_codes)

    @classmethod
    def of(cls, board: Board | str | Mapping[str, Any]) -> Board:
        """Return the argument if it is a Board, otherwise parse it.

        All functions that accept a board do this.

        Parameters
        ----------
        board : Board, str or mapping
            A board, or an argument of `Board.parse`.

        Returns
        -------
        Board
            The same board, or the parsed one.

        Raises
        ------
        InputError
            If `board` is neither a Board nor text, or if the text is not a board.
        """
        if isinstance(board, cls):
            return board
        if isinstance(board, str | Mapping):
            return cls.parse(board)
        raise InputError.of(
            "the board", "a Board, or a board line such as '4x6/1122=1.1'", found_argument(board)
        )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Board:
        """Read a board from a file in any notation.

        Parameters
        ----------
        path : str or os.PathLike
            Path of the file.

        Returns
        -------
        Board
            The board.

        Raises
        ------
        InputError
            If the text is not a board; the error lists every fault, with line and column.
        OSError
            If the file cannot be read.
        """
        name = os.fspath(path)
        with open(path, "rb") as file, source_as(name):  # noqa: PTH123  (pathlib is slow to load)
            return cls.parse(decode(file.read(), name))

    @classmethod
    def parse(cls, text: str | Mapping[str, Any], *, files: bool = True) -> Board:
        """Read a board line, the text of a board file, or JSON. The notation is detected.

        Parameters
        ----------
        text : str or mapping
            The text, or the document that `to_dict` returns.
        files : bool, default True
            Whether games may be defined in files (`game:FILE`, `word:FILE`). Pass False for
            untrusted input.

        Returns
        -------
        Board
            The board.

        Raises
        ------
        InputError
            If the text is not a board; the error lists every fault, with line and column.

        Examples
        --------
        >>> mmsat.Board.parse("4x6/1122=1.1/3345=0.2").rows[1]
        Row(guess=(2, 2, 3, 4), score=(0, 2))
        >>> mmsat.Board.parse("daily-word/CRANE=-YY--").game.scoring.name
        'places'
        """
        text = json_text(text)
        if not isinstance(text, str):
            raise InputError.of("the board", "text", found_argument(text))
        text = unify_line_ends(text.removeprefix("\ufeff"))  # without a byte order mark
        if re.match(r"\s*(\{|\[\s*[\[\]{\"])", text):  # a log can begin with a time: [12:01]
            from mmsat.game.notation.document import read_document

            return cls(*read_document(text, files=files))
        game, rows, known, conventions = read_any_text(text, files=files)
        if known:
            return cls(game, rows, known, conventions)
        return _board_of_valid_rows(game, rows, conventions)

    def __str__(self) -> str:
        return print_line(self.game, self.rows, self.known)

    def __repr__(self) -> str:
        return f"Board.parse({str(self)!r})"

    def records(self) -> list[dict[str, Any]]:
        """Return one dictionary per row, for pandas.DataFrame or polars; row numbers start at 1."""
        spell = speller(self.game)
        return [
            {
                "row": number,
                "guess": spell.print_code(row.guess),
                **dict(zip(self.game.parts, self.game.scoring.to_json(row.score), strict=True)),
            }
            for number, row in enumerate(self.rows, 1)
        ]

    def to_dict(self) -> BoardJson:
        """Return the board as a dict for JSON, described by schemas/board.json."""
        from mmsat.game.notation.document import to_document

        return cast("BoardJson", to_document(self.game, self.rows, self.known))

    def is_consistent(self, code: Sequence[int] | str) -> bool:
        """Return whether a code is consistent: it gives exactly the scores of all rows.

        Parameters
        ----------
        code : sequence of int or str
            One color from 0 for each peg, or text such as "1122".

        Returns
        -------
        bool
            True if the code is a code of the game, gives every score, and is not in `known`.

        Raises
        ------
        InputError
            If `code` is not a sequence of whole numbers or the text of a code.

        Examples
        --------
        >>> mmsat.Board.parse("4x6/1122=1.1").is_consistent("1233")
        True
        """
        game = self.game
        colors = game.read_code(code, conventions=self.conventions)
        is_agreeing = game.contains(colors) and all(agrees(game, colors, row) for row in self.rows)
        return is_agreeing and colors not in self.known

    def missed(self, code: Sequence[int] | str) -> tuple[int, ...]:
        """Return the rows whose scores differ from the scores that a code gives.

        Parameters
        ----------
        code : sequence of int or str
            One color from 0 for each peg, or text such as "1122".

        Returns
        -------
        tuple of int
            The rows, from 0, ascending.

        Raises
        ------
        InputError
            If `code` does not have one color of the game for each peg.
        """
        (colors,) = self.game.require(self.conventions, code=code)
        rows = enumerate(self.rows)
        return tuple(index for index, row in rows if not agrees(self.game, colors, row))

    def inconsistent_guesses(self) -> tuple[int, ...]:
        """Return the rows whose guesses contradict the scores of earlier rows.

        Returns
        -------
        tuple of int
            The rows, from 0, ascending.

        Notes
        -----
        In the variant Consistent Mastermind, each guess must be a code that is consistent with all
        earlier rows, so there are no such rows. A guess with unread pegs is consistent if one of
        its completions is. A guess whose pegs are all unread is always consistent. The cost is one
        score for each pair of rows, for each completion of the later guess.
        """
        game = self.game
        return tuple(
            row_index
            for row_index, row in enumerate(self.rows)
            if {*row.guess} != {UNREAD}
            and not any(
                all(agrees(game, guess, earlier_row) for earlier_row in self.rows[:row_index])
                for guess in matching_codes(game, row.guess)
            )
        )

    @property
    def is_solved(self) -> bool:
        """Whether the last guess is the code, according to its score."""
        if not self.rows or UNREAD in self.rows[-1].guess:
            return False
        guess, score = self.rows[-1]
        return self.game.score(guess, guess) == score

    @property
    def has_unread_pegs(self) -> bool:
        """Whether a guess has unread pegs (color -1)."""
        return any(map(is_unread, self.rows))

    def with_row(self, guess: Sequence[int] | str, score: Sequence[int | None] | str) -> Board:
        """Return the board with one more row. If it has no known codes, only this row is validated.

        Parameters
        ----------
        guess : sequence of int or str
            Colors from 0 with -1 for an unread peg, or text. Text must be in the alphabet of the
            rows that were read from text before.
        score : sequence of int or None, or str
            Numbers with None for an unread part, or text such as "1.1".

        Returns
        -------
        Board
            The new board. Known codes that do not give the new score are dropped.

        Raises
        ------
        InputError
            If the row is invalid; the error lists every fault.

        Examples
        --------
        >>> mmsat.Board("4x6").with_row("1122", "1.1").rows
        (Row(guess=(0, 0, 1, 1), score=(1, 1)),)
        """
        reader = BoardReader(speller(self.game), self.conventions)
        rows = (*self.rows, *self._read_rows([(guess, score)], reader, len(self.rows) + 1))
        if self.known:
            return replace(self, conventions=reader.conventions).with_rows(rows)
        return _board_of_valid_rows(self.game, rows, reader.conventions)

    def with_rows(
        self, rows: Iterable[tuple[Sequence[int] | str, Sequence[int | None] | str]]
    ) -> Board:
        """Return the board with other rows in place of all its rows.

        Parameters
        ----------
        rows : iterable of (guess, score)
            All rows of the new board, as for `Board`.

        Returns
        -------
        Board
            The new board. Known codes that do not give the new scores are dropped.

        Raises
        ------
        InputError
            If a row is invalid; the error lists every fault.
        """
        board = Board(self.game, rows, (), self.conventions)
        return replace(board, known=tuple(code for code in self.known if board.is_consistent(code)))

    def without_known(self, operation: str) -> Board:
        """Return the board itself if it has no known codes, otherwise raise InputError.

        Parameters
        ----------
        operation : str
            The name, in the error message, of the operation that cannot exclude codes.

        Returns
        -------
        Board
            The board itself.

        Raises
        ------
        InputError
            If the board has known codes.
        """
        if self.known:
            rule = f"{operation} cannot exclude known codes"
            description = Description(quantity(len(self.known), "known code"))
            raise InputError.of("the board", "a board without known codes", description, rule)
        return self

    def only(self, rows: Iterable[int]) -> Board:
        """Return the board with only some of its rows.

        Parameters
        ----------
        rows : iterable of int
            The indices of the rows to keep, from 0, in their new order.

        Returns
        -------
        Board
            The new board.

        Raises
        ------
        InputError
            If the board does not have one of the rows.
        """
        return replace(self, rows=tuple(self.rows[row] for row in self._require_rows(rows)))

    def changed(self, scores: Mapping[int, Sequence[int | None] | str]) -> Board:
        """Return the board with other scores in some rows.

        Parameters
        ----------
        scores : mapping of int to score
            The new scores by row, from 0, as numbers or text.

        Returns
        -------
        Board
            The new board. Known codes that do not give the new scores are dropped.

        Raises
        ------
        InputError
            If the board does not have one of the rows, or if a score is invalid.

        Examples
        --------
        >>> mmsat.Board.parse("4x6/1122=1.1").changed({0: "0.2"}).rows[0].score
        (0, 2)
        """
        if not isinstance(scores, Mapping):
            raise InputError.of("the scores", "a mapping from rows to scores", scores)
        new_scores = dict(zip(self._require_rows(scores), scores.values(), strict=True))
        return self.with_rows(
            (row.guess, new_scores.get(row_index, row.score))
            for row_index, row in enumerate(self.rows)
        )

    def _require_rows(self, rows: Iterable[int]) -> list[int]:
        """Return row indices as ints; raise InputError for rows that the board does not have."""
        given_rows = attempt(list, rows)
        if given_rows is None:
            raise InputError.of("the rows", "a list of row numbers", rows)
        max_row = len(self.rows) - 1
        expected = (
            f"a row from 0 to {max_row}" if self.rows else "no row, because the board has none"
        )
        numbers = [attempt(whole_number, row) for row in given_rows]
        faults = [
            Fault("", row, expected)
            for row, number in zip(given_rows, numbers, strict=True)
            if number is None or not 0 <= number <= max_row
        ]
        InputError.refuse(faults, "the rows")
        return [number for number in numbers if number is not None]


def _board_of_valid_rows(game: Game, rows: tuple[Row, ...], conventions: Conventions) -> Board:
    """Return a board without known codes. It bypasses __init__, which would validate the rows."""
    board = object.__new__(Board)
    vars(board).update(game=game, rows=rows, known=(), conventions=conventions)
    return board


def _find_game(game: Game | str) -> Game:
    """Return the game. If `game` looks like a board, the error suggests `Board.parse`."""
    try:
        return Game.of(game)
    except InputError:
        if isinstance(game, str) and ("/" in game or "\n" in game):
            rule = "use mmsat.Board.parse to read boards"
            raise InputError.of("the game", "a Game, or its size or name", game, rule) from None
        raise


def _print_json(board: Board) -> str:
    from mmsat.game.notation.document import print_document

    return print_document(board.game, board.rows, board.known)


PRINTERS: dict[str, Callable[[Board], str]] = {
    "line": lambda board: f"{board}\n",
    "text": lambda board: print_text(board.game, board.rows, board.known),
    "json": _print_json,
}
"""The notations of a board by name, each with the function that prints it."""


class Status(StrEnum):
    """Whether some code gives the scores of a board."""

    CONSISTENT = "consistent"
    """Some code gives the scores."""
    INCONSISTENT = "inconsistent"
    """No code gives the scores."""
    UNKNOWN = "unknown"
    """No decision was reached in time."""
