"""Readers for text files: grids of marks that players share, and boards of several games.

Grids may be mixed with other text.

Each row has one mark per peg: squares, circles or hearts, their names in chat programs such as
`:large_green_square:`, or letters such as `G-Y--`. Numbers, bullets or quotation prefixes (`>`) may
precede the marks, and text may follow them. Several grids may be side by side. Rows on consecutive
lines are a game. A game ends with an all-correct row, or before a row with another number of grids.
The line of text before a game is its id.

These inputs are rejected:

- a game with, or next to, a line that looks like a row but cannot be read;
- a single grid with more rows than the published game has turns;
- a line with several grids that could be the rows of a single grid;
- a grid whose marks have colors of two sets, or that begins or ends with a row of dashes;
- a row that could both continue a game and begin one;
- a text without any row.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice, takewhile
from typing import NamedTuple

from mmsat._util.text import join_words, quantity
from mmsat.auditing import Record, rejected_record
from mmsat.errors import Fault, InputError, Place
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.names import is_game, max_turns
from mmsat.game.notation import UNREAD_SIGN
from mmsat.game.notation.board_text import (
    LOG_TITLE,
    SQUARES,
    Lines,
    join_size,
    read_game,
    read_line,
    read_rows,
    strip_comment,
)

EMOJI_NAME = re.compile(":([a-z][a-z0-9_+-]*):", re.IGNORECASE)
"""The name of an emoji in chat programs."""
MIN_UNCACHED_LENGTH = 500
"""Minimum length in characters of lines whose parsed rows are not cached."""
SHAPE = re.compile("(?:square|circle|heart)$")
"""The last word of the name of a mark."""
SIZES = {"large", "medium", "small"}
"""Words in names of emoji that do not belong to the color."""
CHARACTER_NAMES = ("LARGE {} {}", "{} LARGE {}", "MEDIUM {} {}", "{} {}")
"""Patterns of Unicode names for a color and a shape, in the order in which they are tried."""
STAND_INS = UNKNOWN_SQUARE, OTHER_EMOJI = "\ue000", "\ue001"
"""Private-use characters that replace names of emoji for which there is no Unicode character."""
RESULT = re.compile("[0-9]\u20e3|[\U0001f51f\U0001f550-\U0001f55b]|\U0001f7e5")
"""The result of a board as an emoji: its number of guesses, or a red square if it was lost.

A number is a digit or 10 on a key, or the time of a clock face."""
LOST = "\U0001f7e5"
"""The result of a lost board: a red square."""
MAX_CACHED_LINES = 1 << 12
"""Maximum number of lines whose parsed rows are cached, and of signs whose kind is cached."""
PREFIX = re.compile(
    r"\s*(?:[>|]\s*)*"
    r"(?:[-*+\u2013\u2014\u2022\u2023\u25e6\u00b7\u25aa\u25ab\u25a0\u25a1\u25cf\u25cb\u25b8]\s+)?"
    r"(?:(?:guess|row|try|turn)?\s*[#(\[]?"
    r"(?:[0-9]{1,3}(?:/[0-9]{1,2})?\u20e3?|[\u2460-\u2473\U0001f51f])[.):\]]?\s*(?:-\s+)?)?",
    re.IGNORECASE,
)
"""Quotation prefixes, a bullet and a number that may precede a row."""
GAP = re.compile(r"[\s|\u2502]+")
"""Blanks and vertical bars between marks or grids."""
FINAL_GAP = re.compile(r"[\s|\u2502]*$")
"""The gap at the end of a text; it may be empty."""
WIDE_GAP = re.compile(r"\s*[|\u2502]\s*|\s{2,}")
"""A gap that has a bar or at least two blanks."""


class GridRow(NamedTuple):
    """A line of marks: one row of each of the grids that are side by side."""

    grids: tuple[str, ...]
    """The marks of each grid, from left to right."""
    signs: str
    """The marks as written in the log, without blanks."""
    blanks: int
    """Number of blanks directly before the first mark and between the marks."""

    @property
    def are_letters(self) -> bool:
        """Whether the marks are letters and dashes."""
        return self.signs.isascii()


class GridReader:
    """Parser for the rows of grids of one game."""

    def __init__(self, game: Game) -> None:
        """Collect the signs of all marks except digits, because a line of digits may be an id."""
        self.game, self.pegs = game, game.pegs
        signs = {
            sign: mark.symbol
            for mark in game.scoring.marks
            for sign in (*mark.symbol, *mark.also)
            if not sign.isdecimal()
        }
        self.symbols = {sign: mark for sign, mark in signs.items() if not sign.isascii()}
        self.letters = {sign: mark for sign, mark in signs.items() if sign.isascii()}
        self.dashes = {*"-_"} & {*self.letters}
        self.max_turns = max_turns(game)
        """Maximum number of rows of a game; 0 if the game has no limit."""
        self.all_absent = "-" * game.pegs
        code = next(game.codes())
        self.all_correct = game.scoring.describe(game.score(code, code))
        self.read_cached = lru_cache(MAX_CACHED_LINES)(self._read)

    def read(self, text: str) -> GridRow | str | None:
        """Return the row that a line contains, or None.

        If the line looks like a row but cannot be read, return the reason as text.
        """
        return self.read_cached(text) if len(text) < MIN_UNCACHED_LENGTH else self._read(text)

    def _read(self, text: str) -> GridRow | str | None:
        """Do the same as `read`, without the cache."""
        text = _simplify(text)
        if _are_results(text):
            return None
        prefix = PREFIX.match(text)
        start = prefix.end() if prefix else 0
        # A prefix can also be the start of the marks, so first try without a prefix.
        for position in (len(text) - len(text.lstrip()), start):
            if row := self._parse_letters(text, position) or self._parse_symbols(text, position):
                return row
        return self._reason(text[start:]) if self._looks_like_row(text[start:]) else None

    def _parse_letters(self, text: str, start: int) -> GridRow | None:
        """Return the row of marks in letters that begins at `start`, or None."""
        words = GAP.sub(" ", text[start:]).split()
        if len(words) == self.pegs and all(len(word) == 1 for word in words):
            words = ["".join(words)]  # marks with blanks between them
        signs = self.letters.keys()
        grids = [*takewhile(lambda word: len(word) == self.pegs and signs >= {*word}, words)]
        text_after = " ".join(words[len(grids) :])
        # Dashes before text are not marks.
        if (
            not grids
            or self._looks_like_row(text_after)
            or (text_after and self.dashes >= {*"".join(grids)})
        ):
            return None
        return self._make_row(grids, text, start)

    def _parse_symbols(self, text: str, start: int) -> GridRow | None:
        """Return the row of squares or other signs that begins at `start`, or None."""
        end = start
        while end < len(text) and (text[end] in self.symbols or GAP.match(text[end])):
            end += 1
        marks = GAP.sub("", text[start:end])
        text_after = text[end:]
        if not marks or self._looks_like_row(text_after):
            return None
        marks_with_gaps = FINAL_GAP.sub("", text[start:end])
        grids = self._split_grids(marks_with_gaps)
        # An emoji directly after the marks is probably an unknown mark. If blanks separate the
        # marks, so is an emoji after a blank.
        is_spaced = len(grids) == 1 and GAP.search(marks_with_gaps) is not None
        is_attached = not GAP.match(text[end - 1])
        if text_after and _is_emoji(text_after[0]) and (is_spaced or is_attached):
            return None
        if any(map(self.game.scoring.mixed_shades, grids)):
            return None
        return self._make_row(grids, text, start) if grids else None

    def _split_grids(self, marks: str) -> list[str]:
        """Return the marks of each grid in a line; empty if it is unclear where the grids begin."""
        if len(grid := GAP.sub("", marks)) == self.pegs:
            return [grid]
        # If blanks separate the marks of a grid, too, then only wide gaps separate grids.
        for gap in (GAP, WIDE_GAP):
            grids = [GAP.sub("", piece) for piece in gap.split(marks)]
            if all(len(grid) == self.pegs for grid in grids):
                return grids
        return []

    def _make_row(self, grids: list[str], text: str, start: int) -> GridRow:
        """Return the row with these grids, whose marks begin at `text[start]`."""
        mark_of = self.letters | self.symbols
        marks = tuple("".join([mark_of[sign] for sign in grid]) for grid in grids)
        signs = "".join(grids)
        start = len(FINAL_GAP.sub("", text[:start]))  # the position of the blanks before the marks
        positions = (i for i in range(start, len(text)) if not GAP.match(text[i]))
        last = next(islice(positions, len(signs) - 1, None))  # position of the last mark
        return GridRow(marks, signs, last + 1 - start - len(signs))

    def _looks_like_row(self, text: str) -> bool:
        """Return whether a text has a square or a row of letters, or as many emoji as a row."""
        signs = GAP.sub("", text)
        if any(map(_is_square, signs)) or self._has_letters(text):
            return True
        other_signs = {*signs} - self.symbols.keys()
        has_row_length = len(signs) % self.pegs == 0 or not other_signs
        return bool(signs) and has_row_length and all(map(_is_emoji, other_signs))

    def _has_letters(self, text: str) -> bool:
        """Return whether a word looks like a row of letters, also in lower case or with dots.

        If the text has several words, such a word must have a dash or a dot, or be all-correct.
        """
        words = [word for word in GAP.split(text) if word]
        for word in words:
            signs = {*word.upper()} - {"."}
            has_letter = any(map(str.isalpha, signs))
            is_clear = len(words) == 1 or not word.isalpha() or word == self.all_correct
            if len(word) == self.pegs and has_letter and is_clear and signs <= self.letters.keys():
                return True
        return False

    def _reason(self, text: str) -> str:
        """Return why a text that looks like a row cannot be read."""
        if self._has_letters(text):
            symbols = join_words(mark.symbol for mark in self.game.scoring.marks)
            return f"marks in letters are {symbols}, at the start of the line"
        signs = GAP.sub("", text)
        marks = [sign for sign in signs if sign in self.symbols]
        unknown = [sign for sign in signs if _is_emoji(sign) and sign not in self.symbols]
        if any(map(_is_square, unknown)) or not marks:
            printable = "".join(dict.fromkeys(sign for sign in unknown if sign not in STAND_INS))
            return (
                f"not marks of {self.game}: {printable}"
                if printable
                else f"no marks of {self.game}"
            )
        if not len(marks) % self.pegs and self.game.scoring.mixed_shades(marks):
            return "the absent marks are neither all dark nor all light"
        if len(marks) == len(signs) or len(marks) % self.pegs:
            return quantity(len(marks), "mark")
        return "the line contains more than marks"


def _are_results(text: str) -> bool:
    """Return whether a line has only the results of several boards, such as 7️⃣🟥.

    Return False if more than half of the boards are lost, because their red squares may be unknown
    marks.
    """
    results = RESULT.findall(text)
    has_only_results = bool(results) and not GAP.sub("", RESULT.sub("", text))
    return has_only_results and 2 * results.count(LOST) <= len(results)


def _simplify(text: str) -> str:
    """Remove invisible characters from a line, and replace names of emoji by characters."""
    if not text.isascii():
        text = "".join([c for c in text if unicodedata.category(c) not in ("Cf", "Mn")])
    return EMOJI_NAME.sub(_character, text) if ":" in text else text


def _character(name: re.Match[str]) -> str:
    """Return the character for the name of an emoji, such as ⬛ for `:black_large_square:`."""
    words = re.split("[_+-]", name[1].lower())
    if SHAPE.fullmatch(words[-1]) is None:
        return OTHER_EMOJI
    color = " ".join(word for word in words[:-1] if word not in SIZES)
    for pattern in CHARACTER_NAMES:
        try:
            return unicodedata.lookup(pattern.format(color, words[-1]))
        except KeyError:
            continue
    return UNKNOWN_SQUARE


@lru_cache(MAX_CACHED_LINES)
def _is_square(sign: str) -> bool:
    """Return whether a sign is a square of any color, or replaces an unknown one."""
    name = unicodedata.name(sign, "")
    # The first word does not count, because "SQUARE M SQUARED" is a unit.
    return sign == UNKNOWN_SQUARE or ("SQUARE" in name.split()[1:] and _is_emoji(sign))


def _is_emoji(sign: str) -> bool:
    """Return whether a sign is a symbol, such as an emoji, or is used in place of one."""
    return sign in STAND_INS or (sign >= "\u2580" and unicodedata.category(sign)[0] == "S")


class _Games:
    """The games on consecutive lines: one grid, or several side by side.

    In some programs, the columns of a grid are blank or omitted after its all-correct row, while
    the other grids continue. In others, they have all-absent rows, which are called fillers here.
    """

    def __init__(self, reader: GridReader) -> None:
        self.reader = reader
        self.lines: list[tuple[int, str, GridRow | None]] = []
        """Number, text and row of each line; the row is None if it cannot be read."""
        self.grids: list[list[str]] = []
        """The marks of each row of each grid."""
        self.first_row = GridRow((), "", 0)
        self.unsolved: list[int] = []
        """The indices of the grids without an all-correct row."""
        self.has_filler = False
        """Whether there was a filler."""
        self.faults: list[Fault] = []

    def add(self, number: int, text: str, parsed: GridRow | str) -> bool:
        """Add a line, or return False if the line starts other games."""
        if self.grids and not self.unsolved:
            return False
        if isinstance(parsed, str):
            expected = f"{quantity(self.reader.pegs, 'mark')} per grid"
            self.faults.append(Fault(parsed, text, expected, number))
            self.lines.append((number, text, None))
            return True
        if not self._add_row(number, text, parsed):
            return False
        self.lines.append((number, text, parsed))
        all_correct = self.reader.all_correct
        self.unsolved = [grid for grid in self.unsolved if self.grids[grid][-1] != all_correct]
        return True

    def _add_row(self, number: int, text: str, row: GridRow) -> bool:
        """Add the marks of a row to the grids, or return False if the row starts other games."""
        if not self.grids:
            self.first_row, self.grids = row, [[] for _ in row.grids]
            self.unsolved = [*range(len(row.grids))]
        num_grids, unsolved = len(self.grids), self.unsolved
        is_clear = True  # whether the row certainly continues the games above
        if row.are_letters != self.first_row.are_letters:
            return False
        if len(row.grids) == num_grids:
            # Below solved grids, other marks than fillers start new games. After a filler above,
            # this is not clear, because the other marks may be a mistake.
            fillers = {row.grids[grid] for grid in range(num_grids) if grid not in unsolved}
            is_clear = fillers <= {self.reader.all_absent}
            if not is_clear and not self.has_filler:
                return False
            self.has_filler |= bool(fillers)
            marks_of = {grid: row.grids[grid] for grid in unsolved}
        elif len(row.grids) == len(unsolved):  # the columns of solved grids are blank or omitted
            # It is clear which grids continue if blanks replace the others or the others are last.
            is_clear = row.blanks >= self.first_row.blanks or unsolved == [*range(len(unsolved))]
            marks_of = dict(zip(unsolved, row.grids, strict=True))
        else:
            return False
        if not is_clear:
            rule = "the row may continue the games above or start new ones"
            self.faults.append(Fault(rule, text, "an empty line between games", number))
        for grid, marks in marks_of.items():
            self.grids[grid].append(marks)
        reader = self.reader
        if num_grids == 1 and reader.max_turns and len(self.grids[0]) == reader.max_turns + 1:
            rule = f"a game of {reader.game} has {quantity(reader.max_turns, 'guess')}"
            self.faults.append(Fault(rule, text, "an empty line between games", number))
        return True

    def records(self, path: str, title: str) -> Iterator[Record]:
        """Yield one record per game or, if there are faults, one rejected record with all lines.

        `title` is the line of text before the games, which becomes their id.
        """
        reader = self.reader
        signs = [{*row.signs} for _, _, row in self.lines if row is not None]
        if signs and reader.dashes >= set().union(*signs) and not self.faults:
            return  # a separator, such as -----
        # A first or last row of dashes only is ambiguous, also if other rows have other marks.
        for index in (0, -1) if signs and not self.faults else ():
            number, text, _ = self.lines[index]
            if reader.dashes >= signs[index]:
                rule = "this may be a row without marks or a separator"
                expected = "X instead of -, or an empty line before and after"
                self.faults.append(Fault(rule, text, expected, number))
        if len(self.lines) == 1 and len(self.grids) > 1:
            number, text, row = self.lines[0]
            if row is not None and reader.all_correct not in row.grids[:-1]:
                rule = "this may be one row of several games or all rows of one game"
                self.faults.append(Fault(rule, text, "one row per line", number))
        if mixed := reader.game.scoring.mixed_signs(chain(*signs)):
            expected = "marks of one set of colors: green and yellow, or orange and blue"
            self.faults.append(Fault("", mixed, expected, self.lines[0][0]))
        if self.faults:
            text = "\n".join(text for _, text, _ in self.lines)
            yield rejected_record(path, self.lines[0][0], title, text, self.faults)
            return
        unread = UNREAD_SIGN * reader.pegs
        num_grids = len(self.grids)
        for grid_number, marks_by_row in enumerate(self.grids, 1):
            name = f"{title} ({grid_number} of {num_grids})" if title and num_grids > 1 else title
            board = "/".join([str(reader.game), *(f"{unread}={marks}" for marks in marks_by_row)])
            yield Record(0, f"{path}:{self.lines[0][0]}", name, board)


def read_grids(lines: Iterable[str], path: str, game: Game) -> Iterator[Record]:
    """Yield the records of the games in the lines of a file, and rejected records."""
    reader = GridReader(game)
    games, title = _Games(reader), ""
    has_records = False
    first_line: tuple[int, str] | None = None  # the first line that is not blank
    for number, line in enumerate(chain(lines, [""]), 1):
        text = line.strip("\r\n")
        if first_line is None and text.strip():
            first_line = (number, text)
        parsed = reader.read(text)
        if parsed is not None and games.add(number, text, parsed):
            continue
        records = [*games.records(path, title)]
        yield from records
        has_records |= bool(records)
        # A title is the id of one group of games only.
        games, title = _Games(reader), "" if records else title
        if parsed is not None:
            games.add(number, text, parsed)
        # A line of results, which are digits on keys, is not a title.
        elif "\u20e3" not in text and any(map(str.isalnum, text)):
            title = text.strip()
    if first_line is not None and not has_records:
        number, text = first_line
        expected = f"rows of {quantity(game.pegs, 'mark')}"
        yield rejected_record(
            path, number, "", text, [Fault("no line has marks", text, expected, number)]
        )


TITLE = re.compile(rf"[\s#=*_-]*({LOG_TITLE}.*?)[\s:=*_-]*", re.IGNORECASE)
"""A heading above the rows of a game, such as `Game 2` or `## Game 2:`. The group is its text."""
SIZE = re.compile(r"\b[0-9]{1,6}[xX\u00d7][0-9]{1,6}[!a-z0-9]*")
"""The size of a game in a heading."""


class TextGame(NamedTuple):
    """The lines of one game in a text file of several games."""

    title: str
    """The heading, or ""."""
    game: tuple[int, str] | None
    """The line of the game that applies, or None."""
    rows: Lines
    """The rows, or a single board line."""

    @property
    def line(self) -> int:
        """The number of the first line of the rows."""
        return self.rows[0][0]


def split_games(lines: Iterable[str]) -> Iterator[TextGame]:
    """Yield the games of a text file.

    A game ends at a heading, a blank line, a board line, or a line that names the rules of a game.
    Such a line applies to all games below it.
    """
    title, game = "", None
    rows: Lines = []
    for number, line in enumerate(chain(lines, [""]), 1):
        heading = TITLE.fullmatch(line.strip())
        text = "" if heading else strip_comment(line.rstrip()).strip()
        is_board_line = _is_board_line(text)
        is_size = not is_board_line and is_game(join_size(text))
        if rows and (heading or not line.strip() or is_board_line or is_size):
            yield TextGame(title, game, rows)
            title, rows = "", []
        if heading:
            title = heading[1]
            if size := SIZE.search(title):
                game = number, size[0]
        elif is_board_line:
            yield TextGame(title, None, [(number, text)])
            title = ""
        elif is_size:
            game = number, text
        elif text:
            rows.append((number, text))


def _is_board_line(text: str) -> bool:
    """Return whether a line is a board line: a game, a slash, and rows."""
    game, slash, _ = text.partition("/")
    return bool(slash) and is_game(join_size(game))


def check_text_games(lines: Iterable[str], path: str, game: Game | None) -> None:
    """Raise InputError if a text file has no games, or does not name that of its first rows."""
    first_game = next(split_games(lines), None)
    if first_game is None:
        raise InputError.of(path, "games, each with its rows")
    number, text = first_game.rows[0]
    if game is None and first_game.game is None and not _is_board_line(text):
        has_squares = any(SQUARES & {*row} for _, row in first_game.rows)
        expected = "--game daily-word, or another game of marks" if has_squares else GAME_ABOVE
        rule = "the file has grids of marks" if has_squares else "the file names no game"
        raise InputError([Fault(rule, text, expected, number, 1)], path)


def read_text_games(lines: Iterable[str], path: str, game: Game | None) -> Iterator[Record]:
    """Yield the records of the games in a text file; `game` is used if the file names none."""
    for text_game in split_games(lines):
        faults: list[Fault] = []
        try:
            board = _read_text_game(text_game, game, faults)
        except InputError as error:
            text = "\n".join(line for _, line in text_game.rows)
            yield rejected_record(path, text_game.line, text_game.title, text, error.faults)
        else:
            yield Record(0, f"{path}:{text_game.line}", text_game.title, str(board))


def _read_text_game(text_game: TextGame, game: Game | None, faults: list[Fault]) -> Board:
    """Return the board of a game in a text file; raise InputError with every fault."""
    number, text = text_game.rows[0]
    if _is_board_line(text):
        board = Board(*read_line(text, number))
        _refuse_other_game(board.game, game, Place(number, 1))
        return board
    if text_game.game is not None:
        number, name = text_game.game
        named_game = read_game(join_size(name), Place(number, 1), faults)
        InputError.refuse(faults)
        _refuse_other_game(named_game, game, Place(number, 1))
        game = named_game
    if game is None:
        raise InputError([Fault("the file names no game", text, GAME_ABOVE, number, 1)])
    return Board(*read_rows(game, [(row, Place(line, 1)) for line, row in text_game.rows], faults))


def _refuse_other_game(named_game: Game | None, game: Game | None, place: Place) -> None:
    """Raise InputError if a file names another game than --game."""
    if game is not None and named_game != game:
        rule = "the game differs from --game"
        raise InputError([place.fault(rule, str(named_game), str(game))])


GAME_ABOVE = "a line with the game above the rows, such as 4x6, or the option --game 4x6"
"""The ways to name the game of a text file, for error messages."""
