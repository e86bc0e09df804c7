"""How codes, scores and rows of a game are spelled.

Colors are the game's own symbols where it has some; else 1 to 9 as digits in games of up to 9
colors, and A to Z as letters in games of up to 26. In any game they may be numbers joined by `-`. A
score is its numbers joined by `.`, or one mark after the other, with `?` for what was not read.
That is what is printed; what else is read is in `loose.py`.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

from mmsat.english import join_words, quantity
from mmsat.errors import Fault, InputError, Place
from mmsat.game.game import Game
from mmsat.game.row import UNREAD, Row
from mmsat.game.symbols import Symbols, SymbolTable, split_characters
from mmsat.game.unread import is_allowed
from mmsat.notation import loose

NUMBER = re.compile(r"[0-9]{1,6}")
SCORE_GAP = re.compile(r"\s*[.,;]\s*|\s+")
PADDING = str.maketrans("", "", " \ufe0f")
"""What may stand between marks: blanks, and what some keyboards put after a sign."""
UNREAD_SIGN = "?"
HINTS = 3
"""How many words are named for one that is not on the list."""


class Speller:
    """Reads and prints the codes, scores and rows of one game.

    Reading appends to `faults` whatever is wrong and then returns None.
    """

    def __init__(self, game: Game) -> None:
        """Make the tables of a game's symbols."""
        self.game, self.pegs = game, game.pegs
        symbols = game.spelled
        self.symbols, self.width = symbols.names, symbols.width
        self.noun, self.color_range = symbols.noun, _color_range(symbols, game.colors)
        self.table = SymbolTable(self.symbols)
        self.colors = self.table.unique
        self.guessed = {UNREAD_SIGN * max(1, self.width): UNREAD} | self.colors
        self.is_by_code_point = self.width == 1 and all(len(name) == 1 for name in self.symbols)
        self.takes_letters = game.symbols is None and self.symbols[:1] == ("1",)
        self.has_list = game.space.table() is not None
        marks = game.scoring.marks
        self.marks = {
            sign: number
            for number, mark in enumerate(marks)
            for sign in (*mark.symbol, *mark.also, mark.symbol.lower(), *mark.also.lower())
        }
        self.read: dict[str, tuple[int | None, ...]] = {}  # scores read before
        self.known: dict[tuple[str, bool], dict[str, int]] = {}  # and colors, joined or not

    @property
    def example_score(self) -> str:
        """A score of the game, for errors."""
        many = len(self.game.parts)
        kinds = len(self.game.scoring.marks)
        return self.print_score(tuple(n % kinds for n in range(many)) if kinds else (1,) * many)

    @property
    def example(self) -> str:
        """A guess and a score of the game, for errors."""
        game = self.game
        if game.pegs > 12:
            return f"GUESS={self.example_score}"
        table = game.space.table()
        spread = tuple(2 * peg // game.pegs % game.colors for peg in range(game.pegs))
        return f"{self.print_code(table[0] if table else spread)}={self.example_score}"

    def read_guess(self, text: str, place: Place, faults: list[Fault]) -> tuple[int, ...] | None:
        """Read a guess that was made: any colors, also outside a word list, and `?` at some pegs.

        If pegs were not read, a word of the list has to fit the others.
        """
        code = self._read(text, place, faults, self.guessed)
        if code is not None and UNREAD in code:
            return self._require_allowed(code, text, place, faults)
        return code

    def read_code(self, text: str, place: Place, faults: list[Fault]) -> tuple[int, ...] | None:
        """Read a code, or a guess to be made, which the rules of the game allow."""
        code = self._read(text, place, faults, self.colors)
        return None if code is None else self._require_allowed(code, text, place, faults)

    def _require_allowed(
        self, code: tuple[int, ...], text: str, place: Place, faults: list[Fault]
    ) -> tuple[int, ...] | None:
        if not self.has_list or is_allowed(self.game, code):
            return code
        near = self.game.space.nearest(code, HINTS)
        write = " or ".join(self.print_code(word) for word in near)
        faults.append(place.fault("only words of the list are guessed", text, write))
        return None

    def _read(
        self, text: str, place: Place, faults: list[Fault], colors: dict[str, int]
    ) -> tuple[int, ...] | None:
        """Read colors; `colors` are the symbols that there may be."""
        try:
            pieces = text if self.is_by_code_point else self._split(text)
            code = tuple([colors[symbol] for symbol in pieces])
        except KeyError:
            code = ()
        if len(code) == self.pegs:
            return code
        return self._read_slowly(text, place, faults, colors)

    def _split(self, text: str) -> Sequence[str]:
        """Split text without separators into symbols."""
        characters, width = split_characters(text), max(1, self.width)
        if width == 1:
            return characters
        starts = range(0, len(characters), width)
        return ["".join(characters[start : start + width]) for start in starts]

    def parse_code(self, text: str, source: str = "the code") -> tuple[int, ...]:
        """Read a code that stands alone; raises InputError that says it is of `source`."""
        faults: list[Fault] = []
        code = self.read_code(text.strip(), Place(1, 1), faults)
        if code is None:
            raise InputError(faults, source)
        return code

    def _read_slowly(
        self, text: str, place: Place, faults: list[Fault], colors: dict[str, int]
    ) -> tuple[int, ...] | None:
        pegs, noun = self.pegs, self.noun
        unread = UNREAD_SIGN if UNREAD in colors.values() else ""
        if self.takes_letters and text.replace(unread, "A" * bool(unread)).isalpha():
            return self._read_letters(text, unread, place, faults)
        joined = "-" in text or (pegs == 1 and NUMBER.fullmatch(text) is not None)
        symbols = text.split("-") if joined else loose.WORD.findall(text)
        is_number = joined or not self.symbols
        known = self.known.setdefault((unread, joined), {}) if is_number else {}
        for symbol in [symbol for symbol in {*symbols} if symbol not in known]:
            if (color := self._color(symbol, colors, joined=joined)) is not None:
                known[symbol] = color
        if len(symbols) == pegs and known.keys() >= {*symbols}:
            return tuple([known[symbol] for symbol in symbols])
        pieces = self._pieces(text, joined=joined)
        code = [self._color(piece, colors, joined=joined) for _, piece in pieces]
        if len(code) == pegs and None not in code:
            return tuple(color for color in code if color is not None)
        is_unknown = not any(self._readings(piece, joined=joined) for _, piece in pieces)
        if len(pieces) > 1 and not joined and is_unknown and {*code} == {None}:
            # one fault that says what to do, rather than one a symbol
            numbers = text.isdecimal() and "".join(self.symbols).isalpha()
            range_ = f"{quantity(pegs, noun)} of {self.color_range}"
            write = "A for 1, B for 2, and so on" if numbers else range_
            rule = f"the {noun}s of a {self.game} game are {self.color_range}" * numbers
            if self.symbols:
                faults.append(place.fault(rule, text, write))
                return None
        for (offset, piece), color in zip(pieces, code, strict=True):
            if color is None:
                write = " or ".join(self._readings(piece, joined=joined))
                rule = "it may be either" * bool(write)
                write = write or f"a {noun}, {self.color_range}"
                faults.append(place.fault(rule, piece, write, offset))
        if len(pieces) != pegs:
            write = f"{quantity(pegs, noun)}, not {len(pieces)}"
            faults.append(place.fault("", text, write))
        return None

    def _pieces(self, text: str, *, joined: bool) -> list[tuple[int, str]]:
        """The colors of a code as they are written, each with its offset."""
        if joined:
            return [(match.start(), match[0]) for match in re.finditer("(?<![^-])[^-]*", text)]
        if not self.width or re.search(r"[\s,;]", text):
            return [(match.start(), match[0]) for match in loose.WORD.finditer(text)]
        pieces = self._split(text)
        ends = accumulate(map(len, pieces), initial=0)
        return [*zip(ends, pieces, strict=False)]

    def _read_letters(
        self, text: str, unread: str, place: Place, faults: list[Fault]
    ) -> tuple[int, ...] | None:
        """Read letters in a game of digits: A for 1, or R for red, unless both would do."""
        readings = loose.letter_codes(text.upper(), self.game.colors, unread)
        if len(text) == self.pegs and len(readings) == 1:
            return readings.pop()
        names = loose.COLOR_LETTERS[: self.game.colors]
        write = f"{self.pegs} {self.noun}s {self.color_range}, or the letters {names}"
        rule = f"{' or '.join(sorted(map(self.print_code, readings)))}?" if readings[1:] else ""
        faults.append(place.fault(rule, text, write))
        return None

    def _color(self, piece: str, colors: dict[str, int], *, joined: bool) -> int | None:
        if not joined and piece in colors:
            return colors[piece]
        if not joined and (color := self.table.find(piece)) is not None:
            return color
        if piece == UNREAD_SIGN and UNREAD in colors.values():
            return UNREAD
        if NUMBER.fullmatch(piece) and 1 <= int(piece) <= self.game.colors:
            return int(piece) - 1 if joined or not self.symbols else None
        return None

    def _readings(self, piece: str, *, joined: bool) -> list[str]:
        """Return the symbols that a piece may mean if it is not one of the game."""
        return [] if joined else self.table.readings(piece)

    def read_score(
        self, text: str, place: Place, faults: list[Fault]
    ) -> tuple[int | None, ...] | None:
        """Read a score."""
        if text in self.read:
            return self.read[text]
        score = (self._marks if self.marks else self._numbers)(text, place, faults)
        return None if score is None else self.read.setdefault(text, score)

    def _numbers(
        self, text: str, place: Place, faults: list[Fault]
    ) -> tuple[int | None, ...] | None:
        parts, highest = self.game.parts, self.game.scoring.highest
        if (known := loose.key_score(text, parts, self.pegs)) is not None:
            return known
        before = len(faults)
        score: list[int | None] = []
        start = 0
        while True:
            gap = SCORE_GAP.search(text, start)
            piece = text[start : gap.start() if gap else None]
            if piece != "?" and not NUMBER.fullmatch(piece):
                write = f"a number 0 to {highest}, or ? where it was not read"
                faults.append(place.fault("", piece, write, start))
            score.append(int(piece) if NUMBER.fullmatch(piece) else None)
            if gap is None:
                break
            start = gap.end()
        if len(score) != len(parts):
            many = f"{quantity(len(parts), 'number')}: {join_words(parts)}"
            write = f"{'.'.join(parts).upper()}, such as {self.example_score}"
            faults.append(place.fault(f"a score is {many}", text, write))
        return tuple(score) if len(faults) == before else None

    def _marks(self, text: str, place: Place, faults: list[Fault]) -> tuple[int | None, ...] | None:
        pegs = self.game.pegs
        signs = ", ".join(f"{mark.symbol} {mark.name}" for mark in self.game.scoring.marks)
        before = len(faults)
        score: list[int | None] = []
        for offset, sign in enumerate(text):
            if sign == "?" or sign in self.marks:
                score.append(self.marks.get(sign))
            elif sign.translate(PADDING):
                write = f"a mark: {signs}, ? unread"
                faults.append(place.fault("", sign, write, offset))
                if len(faults) - before > pegs:  # it is no score at all
                    break
        if len(score) != pegs and len(faults) == before:
            write = f"{pegs} marks, such as {self.example_score}"
            faults.append(place.fault(f"{signs}, ? unread", text, write))
        elif mixed := self.game.scoring.mixed_signs(text):
            write = "marks of one set of colors: green and yellow, or orange and blue"
            faults.append(place.fault("", mixed, write))
        return tuple(score) if len(faults) == before else None

    def read_row(self, text: str, place: Place, faults: list[Fault]) -> Row | None:
        """Read a guess and its score, as `1122=1.1`, `1122 1 1`, `1 1 2 2: bw` or `1122,1,1`."""
        cut = loose.split_row(text, self.pegs, self.pegs * max(1, self.width))
        if cut is None:
            write = f"GUESS=SCORE, such as {self.example}"
            faults.append(place.fault("", text.strip(), write))
            return None
        (at_guess, guessed), (at_score, scored) = cut
        guess = self.read_guess(guessed, Place(place.line, place.column + at_guess), faults)
        score = self.read_score(scored, Place(place.line, place.column + at_score), faults)
        return None if guess is None or score is None else Row(guess, score)

    def print_code(self, code: Sequence[int]) -> str:
        """A code or a guess as it is read back."""
        unread, symbols = UNREAD_SIGN * self.width, self.symbols
        if symbols:
            return "".join([symbols[color] if color >= 0 else unread for color in code])
        return "-".join([str(color + 1) if color >= 0 else UNREAD_SIGN for color in code])

    def print_score(self, score: Sequence[int | None]) -> str:
        """A score as it is read back."""
        if self.marks:
            return self.game.scoring.describe(score)
        return ".".join(["?" if part is None else str(part) for part in score])

    def print_row(self, row: Row) -> str:
        """A row as it is read back."""
        return f"{self.print_code(row.guess)}={self.print_score(row.score)}"


def _color_range(symbols: Symbols, colors: int) -> str:
    """The colors, in the words of an error."""
    numbers = f"1 to {colors}"
    if not symbols.names:
        return f"{numbers}, joined by '-'"
    if symbols.range == numbers:
        return numbers
    return f"{symbols.range}, or {numbers} joined by '-'"


@lru_cache(maxsize=64)
def speller(game: Game) -> Speller:
    """The speller of a game, made once."""
    return Speller(game)
