"""Boards: a game, the guesses made, and their scores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import NoneType
from typing import Any, Literal, NotRequired, TypedDict, TypeVar, cast

from mmsat._util.arguments import attempt, code_of_colors, items_of, whole_number
from mmsat._util.files import decode
from mmsat._util.results import ColorList, Shown
from mmsat._util.text import join_words, quantity
from mmsat.errors import Description, Fault, InputError, Place, found_argument
from mmsat.game import UNREAD, Code, Row, Score
from mmsat.game.game import Game
from mmsat.game.notation import Conventions
from mmsat.game.notation.board_reader import NO_CONVENTIONS, BoardReader, PlacedText, speller
from mmsat.game.notation.board_text import is_line, print_line, print_text, read_line, read_text
from mmsat.game.unread import agrees, completions, is_allowed, is_unread

T = TypeVar("T")
EXPECTED_ROWS = (
    "pairs of a guess and a score, such as ('1122', '1.1'); mmsat.Board.parse reads text"
)
"""The rows that `Board` accepts, described for error messages."""
EXPECTED_ROW = "a pair of a guess and a score, such as ('1122', '1.1')"
"""One row that `Board` accepts, described for error messages."""


class BoardJson(TypedDict):
    """A board document; board.json is the complete schema."""

    mmsat: Literal[1]
    """The version of the format."""
    game: dict[str, Any]
    """The definition of the game."""
    rows: list[dict[str, Any]]
    """The rows, with a key for each part of a score."""
    known: NotRequired[list[ColorList]]
    """Consistent codes that are excluded."""


@dataclass(frozen=True)
class Board(Shown):
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
        put = object.__setattr__
        put(self, "game", _find_game(game))
        reader = BoardReader(speller(self.game), conventions)
        put(self, "rows", self._read_rows(rows, reader))
        put(self, "known", ())
        put(self, "known", self._read_known(known, reader))
        put(self, "conventions", reader.conventions)

    def _read_rows(
        self, rows: Iterable[Any], reader: BoardReader, first: int = 1
    ) -> tuple[Row, ...]:
        """Return the rows; raise InputError with the faults of all rows.

        - `reader`: reads the guesses and scores that are text, all in the same notation.
        - `first`: the number of the first row, for error messages.
        """
        faults: list[Fault] = []
        guess_items: list[Code | PlacedText | None] = []
        score_items: list[Score | PlacedText | None] = []
        pairs = attempt(list, rows) if not isinstance(rows, str | bytes) else None
        if pairs is None:
            raise InputError.of("the board", EXPECTED_ROWS, rows)
        for number, pair in enumerate(pairs, first):
            try:
                guess, score = pair
            except (TypeError, ValueError):
                faults.append(Fault("", pair, EXPECTED_ROW, part=f"row {number}"))
                continue
            row_faults: list[Fault] = []
            if isinstance(guess, str):
                guess_items.append(PlacedText(guess.strip(), Place(number, 1), allow_unread=True))
            else:
                guess_items.append(self._read_guess(guess, row_faults))
            if isinstance(score, str):
                score_items.append(PlacedText(score.strip(), Place(number, 1)))
            else:
                score_items.append(self._read_score(score, row_faults))
            if row_faults:
                faults += [replace(fault, part=f"row {number}") for fault in row_faults]
        guesses = _read_texts(guess_items, reader.read_codes, faults)
        scores = _read_texts(score_items, reader.read_scores, faults)
        InputError.refuse(faults)
        guesses_and_scores = zip(guesses, scores, strict=True)
        return tuple([Row(guess, score) for guess, score in guesses_and_scores if guess and score])

    def _read_guess(self, guess: Any, faults: list[Fault]) -> Code | None:
        """Return a guess as a tuple of colors, or append its fault and return None."""
        game = self.game
        colors = attempt(code_of_colors, guess)
        if (
            colors is None
            or len(colors) != game.pegs
            or not UNREAD <= min(colors) <= max(colors) < game.colors
        ):
            faults.append(Fault("", guess, f"{game.sequence}, or -1 for unread pegs"))
        elif UNREAD in colors and not is_allowed(game, colors):
            faults.append(Fault("", guess, "a word of the list"))
        else:
            return colors
        return None

    def _read_score(self, score: Any, faults: list[Fault]) -> Score | None:
        """Return a score as a tuple of numbers, or append its fault and return None."""
        parts, highest = self.game.parts, self.game.scoring.highest
        numbers = attempt(_score_of_numbers, score)
        if numbers is not None and len(numbers) == len(parts):
            for number in numbers:
                if number is not None and not 0 <= number <= highest:
                    break
            else:
                return numbers
        nouns = "marks" if self.game.scoring.marks else "numbers"
        expected = f"{len(parts)} {nouns} from 0 to {highest:,}, or None for unread {nouns}"
        faults.append(Fault(join_words(parts), score, expected))
        return None

    def _read_known(
        self, known: Iterable[Sequence[int] | str], reader: BoardReader
    ) -> tuple[Code, ...]:
        """Return the known codes; raise InputError with the faults of all known codes."""
        if not known and isinstance(known, tuple):
            return ()
        given_codes = None if isinstance(known, str | bytes) else attempt(list, known)
        if given_codes is None:
            raise InputError.of("the board", "a list of known codes", known)
        spell = speller(self.game)
        faults: list[Fault] = []
        known_codes: dict[Code, None] = {}
        for number, given_code in enumerate(given_codes, 1):
            part = f"known code {number}"
            code: Code | None
            if isinstance(given_code, str):
                code_faults: list[Fault] = []
                code = reader.read_code(given_code.strip(), Place(1, 1), code_faults)
                faults += [
                    replace(fault, line=None, column=None, part=part) for fault in code_faults
                ]
            else:
                code = attempt(self.game.read_code, given_code)
                if code is None:
                    faults.append(
                        Fault("", given_code, f"a code of the game {self.game}", part=part)
                    )
            if code is None:
                continue
            if not self.game.contains(code):
                expected = f"a code of the game {self.game}"
                shown = spell.print_code(code) if self.game.is_sequence(code) else given_code
                faults.append(Fault("", shown, expected, part=part))
            elif wrong_rows := self.missed(code):
                rule = f"this code gives row {wrong_rows[0] + 1} another score"
                printed = spell.print_code(code)
                faults.append(Fault(rule, printed, "a consistent code", part=part))
            elif code in known_codes:
                printed = spell.print_code(code)
                faults.append(Fault("it is already listed", printed, "another code", part=part))
            known_codes[code] = None
        InputError.refuse(faults)
        return tuple(known_codes)

    @classmethod
    def of(cls, board: Board | str) -> Board:
        """Return a board, parsing it if it is a string. All functions that take a board do this.

        Parameters
        ----------
        board : Board or str
            A board, or text that `Board.parse` reads.

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
        if isinstance(board, str):
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
        with open(path, "rb") as file:  # noqa: PTH123  (pathlib is slow to load)
            return cls.parse(decode(file.read(), os.fspath(path)))

    @classmethod
    def parse(cls, text: str, *, files: bool = True) -> Board:
        """Read a board line, the text of a board file, or JSON. The notation is detected.

        Parameters
        ----------
        text : str
            The text.
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
        if not isinstance(text, str):
            raise InputError.of("the board", "text", found_argument(text))
        text = text.removeprefix("\ufeff")  # a byte order mark that decoding did not remove
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if text.lstrip()[:1] in ("{", "["):
            from mmsat.game.notation.document import read_document

            return cls(*read_document(text, files=files))
        read = read_line if is_line(text) else read_text
        return cls(*read(text, files=files))

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

    def to_json(self) -> BoardJson:
        """Return the board as a JSON document, described by schemas/board.json."""
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
        colors = game.read_code(code)
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
        game = self.game
        (colors,) = game.require(code=code)
        return tuple(
            number for number, row in enumerate(self.rows) if not agrees(game, colors, row)
        )

    def inconsistent_guesses(self) -> tuple[int, ...]:
        """Return the rows whose guesses contradict the scores of earlier rows.

        Returns
        -------
        tuple of int
            The rows, from 0, ascending.

        Notes
        -----
        In Consistent Mastermind there are no such rows, because each guess must be a code that is
        consistent with all earlier rows. A guess with unread pegs is consistent if one of its
        completions is, and a guess without any read peg contradicts nothing. The cost is one score
        per pair of rows and completion of a guess.
        """
        game = self.game
        return tuple(
            number
            for number, row in enumerate(self.rows)
            if {*row.guess} != {UNREAD}
            and not any(
                game.contains(guess)
                and all(agrees(game, guess, before) for before in self.rows[:number])
                for guess in completions(game, row.guess)
            )
        )

    @property
    def is_solved(self) -> bool:
        """Whether the last row has the score of a guess that equals the code."""
        if not self.rows or UNREAD in self.rows[-1].guess:
            return False
        guess, score = self.rows[-1]
        return self.game.score(guess, guess) == score

    @property
    def has_unread_pegs(self) -> bool:
        """Whether a guess has unread pegs (color -1)."""
        return any(map(is_unread, self.rows))

    def with_row(self, guess: Sequence[int] | str, score: Sequence[int | None] | str) -> Board:
        """Return the board with one more row. Without known codes, only the new row is validated.

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
        # Bypass __init__, which would validate all rows again.
        values = {"game": self.game, "rows": rows, "known": ()}
        values["conventions"] = reader.conventions
        board = object.__new__(Board)
        for name, value in values.items():
            object.__setattr__(board, name, value)
        return board

    def with_rows(
        self, rows: Iterable[tuple[Sequence[int] | str, Sequence[int | None] | str]]
    ) -> Board:
        """Return the board with other rows.

        Parameters
        ----------
        rows : iterable of (guess, score)
            The rows, as for `Board`.

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
            (row.guess, new_scores.get(number, row.score)) for number, row in enumerate(self.rows)
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


def _find_game(game: Game | str) -> Game:
    """Return the game. If `game` looks like a board, the error suggests `Board.parse`."""
    try:
        return Game.of(game)
    except InputError:
        if isinstance(game, str) and ("/" in game or "\n" in game):
            rule = "use mmsat.Board.parse to read boards"
            raise InputError.of("the game", "a Game, or its size or name", game, rule) from None
        raise


def _read_texts(
    items: list[T | PlacedText | None],
    read_all: Callable[[list[PlacedText], list[Fault]], list[T | None]],
    faults: list[Fault],
) -> list[T | None]:
    """Return the items with each text replaced by the value that `read_all` returns for it.

    All texts are read in one call, because they share one notation. The line number of each text is
    the number of its row, so that faults can name the row.
    """
    texts = [item for item in items if isinstance(item, PlacedText)]
    text_faults: list[Fault] = []
    values = iter(read_all(texts, text_faults) if texts else ())
    faults += [replace(f, line=None, column=None, part=f"row {f.line}") for f in text_faults]
    return [next(values) if isinstance(item, PlacedText) else item for item in items]


def _score_of_numbers(score: object) -> Score:
    """Return the numbers (whole, or None) of a sequence or an array as a tuple.

    Raises an exception for anything else.
    """
    if type(score) is tuple and {*map(type, score)} <= {int, NoneType}:
        return score
    return tuple([None if part is None else whole_number(part) for part in items_of(score)])


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
