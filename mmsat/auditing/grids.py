"""Reader for the grids of marks that players share, which may be mixed with other text.

Each row has one mark per peg: squares, circles or hearts, their names in chat programs such as
`:large_green_square:`, or letters such as `G-Y--`. Numbers, bullets or quotation prefixes (`>`) may
precede the marks, and text may follow them. Several grids may be side by side. Rows on consecutive
lines are a game. It ends with an all-correct row, or before a row with another number of grids. The
line of text before a game is its id.

These inputs are rejected:

- a game that touches a line which looks like a row but cannot be read;
- a game with more rows than the published game has turns;
- a line with several grids that could be the rows of a single grid;
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
from mmsat.auditing.records import Record, refuse
from mmsat.errors import Fault
from mmsat.game.game import Game
from mmsat.game.notation.alphabets import UNREAD_SIGN
from mmsat.game.published import max_turns

EMOJI_NAME = re.compile(":([a-z][a-z0-9_+-]*):", re.IGNORECASE)
"""The name of an emoji in chat programs."""
MIN_UNCACHED_LENGTH = 500
"""Minimum length in characters of lines whose parsed rows are not cached."""
SHAPE = re.compile("(?:square|circle|heart)$")
SIZES = {"large", "medium", "small"}
CHARACTERS = ("LARGE {} {}", "{} LARGE {}", "MEDIUM {} {}", "{} {}")
"""Patterns of Unicode names for a color and a shape, in the order in which they are tried."""
PRIVATE = UNKNOWN_SQUARE, OTHER_EMOJI = "\ue000", "\ue001"
"""Private-use characters that replace emoji names for which there is no Unicode character."""
RESULT = re.compile("[0-9]\u20e3|[\U0001f51f\U0001f550-\U0001f55b]|\U0001f7e5")
"""A number of guesses as an emoji, or the red square of a lost board, in lines of results."""
LOST = "\U0001f7e5"
FRONT = re.compile(
    r"\s*(?:[>|]\s*)*"
    r"(?:[-*+\u2013\u2014\u2022\u2023\u25e6\u00b7\u25aa\u25ab\u25a0\u25a1\u25cf\u25cb\u25b8]\s+)?"
    r"(?:(?:guess|row|try|turn)?\s*[#(\[]?"
    r"(?:[0-9]{1,3}(?:/[0-9]{1,2})?\u20e3?|[\u2460-\u2473\U0001f51f])[.):\]]?\s*(?:-\s+)?)?",
    re.IGNORECASE,
)
"""Quotation prefixes, a bullet and a number that may precede a row."""
GAP = re.compile(r"[\s|\u2502]+")
BLANKS_AT_END = re.compile(r"[\s|\u2502]*$")
WIDE_GAP = re.compile(r"\s*[|\u2502]\s*|\s{2,}")


class Row(NamedTuple):
    """A line of marks."""

    grids: tuple[str, ...]
    """The marks of each grid, from left to right."""
    signs: str
    """The marks as written in the log."""
    blanks: int
    """Number of blanks directly before the first mark and between marks."""

    @property
    def are_letters(self) -> bool:
        """Whether the marks are letters and dashes."""
        return self.signs.isascii()


class GridReader:
    """Parser for the rows of grids of one game."""

    def __init__(self, game: Game) -> None:
        """Collect the signs of marks, except digits: a line of digits is an id."""
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
        self.turns = max_turns(game)
        self.all_absent = "-" * game.pegs
        code = next(game.codes())
        self.all_correct = game.scoring.describe(game.score(code, code))
        self.read_short = lru_cache(1 << 12)(self._read)

    def read(self, text: str) -> Row | str | None:
        """Return the row in a line, the reason if it only looks like a row, or None."""
        return self.read_short(text) if len(text) < MIN_UNCACHED_LENGTH else self._read(text)

    def _read(self, text: str) -> Row | str | None:
        text = _simplify(text)
        if _are_results(text):
            return None
        front = FRONT.match(text)
        start = front.end() if front else 0
        for place in (len(text) - len(text.lstrip()), start):
            if row := self._letters(text, place) or self._symbols(text, place):
                return row
        return self._reason(text[start:]) if self._is_like_row(text[start:]) else None

    def _letters(self, text: str, start: int) -> Row | None:
        words = GAP.sub(" ", text[start:]).split()
        if len(words) == self.pegs and all(len(word) == 1 for word in words):
            words = ["".join(words)]  # marks with blanks between them
        signs = self.letters.keys()
        grids = [*takewhile(lambda word: len(word) == self.pegs and signs >= {*word}, words)]
        text_after = " ".join(words[len(grids) :])
        if (
            not grids
            or self._is_like_row(text_after)
            or (text_after and self.dashes >= {*"".join(grids)})
        ):
            return None
        return self._row(grids, text, start)

    def _symbols(self, text: str, start: int) -> Row | None:
        end = start
        while end < len(text) and (text[end] in self.symbols or GAP.match(text[end])):
            end += 1
        marks = GAP.sub("", text[start:end])
        text_after = text[end:]
        if not marks or self._is_like_row(text_after):
            return None
        run = BLANKS_AT_END.sub("", text[start:end])
        grids = self._cut(run)
        is_spaced = len(grids) == 1 and GAP.search(run) is not None
        is_attached = not GAP.match(text[end - 1])
        if text_after and _is_emoji(text_after[0]) and (is_spaced or is_attached):
            return None  # an unknown mark
        if any(map(self.game.scoring.mixed_shades, grids)):
            return None
        return self._row(grids, text, start) if grids else None

    def _cut(self, marks: str) -> list[str]:
        """Return the grids of a line of marks, or [] if it is unclear where they begin."""
        if len(whole := GAP.sub("", marks)) == self.pegs:
            return [whole]
        for gap in (GAP, WIDE_GAP):
            grids = [GAP.sub("", piece) for piece in gap.split(marks)]
            if all(len(grid) == self.pegs for grid in grids):
                return grids
        return []

    def _row(self, grids: list[str], text: str, start: int) -> Row:
        """Return the row whose first mark is at `start`."""
        mark_of = self.letters | self.symbols
        marks = tuple("".join([mark_of[sign] for sign in grid]) for grid in grids)
        signs = "".join(grids)
        start = len(BLANKS_AT_END.sub("", text[:start]))
        places = (place for place in range(start, len(text)) if not GAP.match(text[place]))
        last = next(islice(places, len(signs) - 1, None))
        return Row(marks, signs, last + 1 - start - len(signs))

    def _is_like_row(self, text: str) -> bool:
        """Return whether a text has a square, a row of letters, or the number of emoji of a row."""
        signs = GAP.sub("", text)
        if any(map(_is_square, signs)) or self._has_letters(text):
            return True
        others = {*signs} - self.symbols.keys()
        is_whole = len(signs) % self.pegs == 0 or not others
        return bool(signs) and is_whole and all(map(_is_emoji, others))

    def _has_letters(self, text: str) -> bool:
        """Return whether a word looks like a row of letters, also in lower case or with dots.

        If there are other words, it must have a dash or a dot, or be all-correct.
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
        if self._has_letters(text):
            symbols = join_words(mark.symbol for mark in self.game.scoring.marks)
            return f"marks in letters are {symbols}, at the start of the line"
        signs = GAP.sub("", text)
        marks = [sign for sign in signs if sign in self.symbols]
        unknown = [sign for sign in signs if _is_emoji(sign) and sign not in self.symbols]
        if any(map(_is_square, unknown)) or not marks:
            shown = "".join(dict.fromkeys(sign for sign in unknown if sign not in PRIVATE))
            return f"not marks of {self.game}: {shown}" if shown else f"no marks of {self.game}"
        if not len(marks) % self.pegs and self.game.scoring.mixed_shades(marks):
            return "the absent marks are neither all dark nor all light"
        if len(marks) == len(signs) or len(marks) % self.pegs:
            return quantity(len(marks), "mark")
        return "the line contains more than marks"


def _are_results(text: str) -> bool:
    """Return whether a line has the results of several boards, such as 7️⃣🟥."""
    results = RESULT.findall(text)
    is_all = bool(results) and not GAP.sub("", RESULT.sub("", text))
    return is_all and 2 * results.count(LOST) <= len(results)


def _simplify(text: str) -> str:
    """Return a line without invisible characters, with a character for each name of an emoji."""
    if not text.isascii():
        text = "".join([c for c in text if unicodedata.category(c) not in ("Cf", "Mn")])
    return EMOJI_NAME.sub(_character, text) if ":" in text else text


def _character(name: re.Match[str]) -> str:
    """Return the character of an emoji's name, such as ⬛ for `:black_large_square:`."""
    words = re.split("[_+-]", name[1].lower())
    if SHAPE.fullmatch(words[-1]) is None:
        return OTHER_EMOJI
    color = " ".join(word for word in words[:-1] if word not in SIZES)
    for pattern in CHARACTERS:
        try:
            return unicodedata.lookup(pattern.format(color, words[-1]))
        except KeyError:
            continue
    return UNKNOWN_SQUARE


@lru_cache(1 << 12)
def _is_square(sign: str) -> bool:
    name = unicodedata.name(sign, "")  # "SQUARE M SQUARED" is a unit
    return sign == UNKNOWN_SQUARE or ("SQUARE" in name.split()[1:] and _is_emoji(sign))


def _is_emoji(sign: str) -> bool:
    return sign in PRIVATE or (sign >= "\u2580" and unicodedata.category(sign)[0] == "S")


class _Games:
    """The games on consecutive lines: one game, or several side by side."""

    def __init__(self, reader: GridReader) -> None:
        self.reader = reader
        self.lines: list[tuple[int, str, Row | None]] = []
        self.columns: list[list[str]] = []
        self.first = Row((), "", 0)
        self.unsolved: list[int] = []
        """The grids without an all-correct row."""
        self.has_filler = False
        """Whether a solved grid has all-absent rows because others continue."""
        self.faults: list[Fault] = []

    def add(self, number: int, text: str, parsed: Row | str) -> bool:
        """Add a line; return False if the line starts other games."""
        if self.columns and not self.unsolved:
            return False
        if isinstance(parsed, str):
            expected = f"{quantity(self.reader.pegs, 'mark')} per grid"
            self.faults.append(Fault(parsed, text, expected, number))
            self.lines.append((number, text, None))
            return True
        if not self._add_row(number, text, parsed):
            return False
        self.lines.append((number, text, parsed))
        win = self.reader.all_correct
        self.unsolved = [place for place in self.unsolved if self.columns[place][-1] != win]
        return True

    def _add_row(self, number: int, text: str, row: Row) -> bool:
        """Add the marks of a row to the grids; return False if the row starts other games."""
        if not self.columns:
            self.first, self.columns = row, [[] for _ in row.grids]
            self.unsolved = [*range(len(row.grids))]
        num_grids, unsolved = len(self.columns), self.unsolved
        is_clear = True
        if row.are_letters != self.first.are_letters:
            return False
        if len(row.grids) == num_grids:
            others = {row.grids[place] for place in range(num_grids) if place not in unsolved}
            is_clear = others <= {self.reader.all_absent}
            if not is_clear and not self.has_filler:
                return False
            self.has_filler |= bool(others)
            marks_of = {place: row.grids[place] for place in unsolved}
        elif len(row.grids) == len(unsolved):  # solved grids are blank or omitted
            is_clear = row.blanks >= self.first.blanks or unsolved == [*range(len(unsolved))]
            marks_of = dict(zip(unsolved, row.grids, strict=True))
        else:
            return False
        if not is_clear:
            rule = "the row may continue the games above or start new ones"
            self.faults.append(Fault(rule, text, "an empty line between games", number))
        for place, marks in marks_of.items():
            self.columns[place].append(marks)
        reader = self.reader
        if num_grids == 1 and reader.turns and len(self.columns[0]) == reader.turns + 1:
            rule = f"a game of {reader.game} has {quantity(reader.turns, 'guess')}"
            self.faults.append(Fault(rule, text, "an empty line between games", number))
        return True

    def records(self, path: str, title: str) -> Iterator[Record]:
        """Yield the records of the games; if there are faults, one rejected record with all lines.

        `title` is the line of text before the games.
        """
        reader = self.reader
        signs = [{*row.signs} for _, _, row in self.lines if row is not None]
        if signs and reader.dashes >= set().union(*signs) and not self.faults:
            return  # a separator
        for place in (0, -1) if signs and not self.faults else ():
            number, text, _ = self.lines[place]
            if reader.dashes >= signs[place]:
                rule = "this may be a row without marks or a separator"
                expected = "X instead of -, or an empty line before and after"
                self.faults.append(Fault(rule, text, expected, number))
        if len(self.lines) == 1 and len(self.columns) > 1:
            number, text, row = self.lines[0]
            if row is not None and reader.all_correct not in row.grids[:-1]:
                rule = "this may be one row of several games or all rows of one game"
                self.faults.append(Fault(rule, text, "one row per line", number))
        if mixed := reader.game.scoring.mixed_signs(chain(*signs)):
            expected = "marks of one set of colors: green and yellow, or orange and blue"
            self.faults.append(Fault("", mixed, expected, self.lines[0][0]))
        if self.faults:
            text = "\n".join(text for _, text, _ in self.lines)
            yield refuse(path, self.lines[0][0], title, text, self.faults)
            return
        unread = UNREAD_SIGN * reader.pegs
        num_grids = len(self.columns)
        for place, marks_by_row in enumerate(self.columns, 1):
            name = f"{title} ({place} of {num_grids})" if title and num_grids > 1 else title
            board = "/".join([str(reader.game), *(f"{unread}={marks}" for marks in marks_by_row)])
            yield Record(0, f"{path}:{self.lines[0][0]}", name, board)


def read_grids(lines: Iterable[str], path: str, game: Game) -> Iterator[Record]:
    """Yield the games in the lines of a file, and rejected records of unreadable ones."""
    reader = GridReader(game)
    games, title = _Games(reader), ""
    has_records = False
    first: tuple[int, str] | None = None
    """The first line with text."""
    for number, line in enumerate(chain(lines, [""]), 1):
        text = line.strip("\r\n")
        if first is None and text.strip():
            first = (number, text)
        parsed = reader.read(text)
        if parsed is not None and games.add(number, text, parsed):
            continue
        records = [*games.records(path, title)]
        yield from records
        has_records |= bool(records)
        games, title = _Games(reader), "" if records else title
        if parsed is not None:
            games.add(number, text, parsed)
        elif "\u20e3" not in text and any(map(str.isalnum, text)):
            title = text.strip()
    if first is not None and not has_records:
        number, text = first
        expected = f"rows of {quantity(game.pegs, 'mark')}"
        yield refuse(path, number, "", text, [Fault("no line has marks", text, expected, number)])
