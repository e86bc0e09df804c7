"""How codes, scores and rows of a game are spelled.

Colors are the game's own symbols where it has some; else 1 to 9 as digits in games of up to 9
colors, and A to Z as letters in games of up to 26. In any game they may be numbers joined by `-`. A
score is its numbers
joined by `.`, or one mark after the other, with `?` for what was not read.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from string import ascii_uppercase

from mmsat.english import join_words, quantity
from mmsat.errors import Fault, Place
from mmsat.game.game import Game
from mmsat.game.row import UNREAD, Row
from mmsat.game.symbols import Symbols
from mmsat.game.unread import is_allowed

ROW = re.compile(r"\s*([^\s=:]+)(?:\s*[=:]\s*|\s+)(\S.*)", re.DOTALL)
NUMBER = re.compile(r"[0-9]{1,6}")
SCORE_GAP = re.compile(r"\s*[.,]\s*|\s+")
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
        self.colors = {symbol: color for color, symbol in enumerate(self.symbols)}
        for color, symbol in enumerate(self.symbols):
            self.colors.setdefault(symbol.lower(), color)
            self.colors.setdefault(symbol.upper(), color)
        if game.symbols is None and self.width == 1:  # letters will do for digits
            for color, letter in enumerate(ascii_uppercase[: game.colors]):
                self.colors.setdefault(letter, color)
                self.colors.setdefault(letter.lower(), color)
        self.guessed = {UNREAD_SIGN * max(1, self.width): UNREAD} | self.colors
        self.has_list = game.space.table() is not None
        marks = game.scoring.marks
        self.marks = {
            sign: number
            for number, mark in enumerate(marks)
            for sign in (*mark.symbol, *mark.also, mark.symbol.lower(), *mark.also.lower())
        }
        self.read: dict[str, tuple[int | None, ...]] = {}  # scores read before

    @property
    def example(self) -> str:
        """A guess and a score of the game, for errors."""
        game = self.game
        many = len(game.parts)
        score = (
            tuple(n % len(game.scoring.marks) for n in range(many)) if self.marks else (1,) * many
        )
        if game.pegs > 12:
            return f"GUESS={self.print_score(score)}"
        table = game.space.table()
        spread = tuple(2 * peg // game.pegs % game.colors for peg in range(game.pegs))
        return self.print_row(Row(table[0] if table else spread, score))

    def read_guess(self, text: str, place: Place, faults: list[Fault]) -> tuple[int, ...] | None:
        """Read a guess, of which pegs may be `?`."""
        return self.read_code(text, place, faults, self.guessed)

    def read_code(
        self,
        text: str,
        place: Place,
        faults: list[Fault],
        colors: dict[str, int] | None = None,
    ) -> tuple[int, ...] | None:
        """Read a code; `colors` are the symbols that it may have."""
        width, colors = self.width, colors or self.colors
        pieces: Sequence[str] = text
        if width > 1:
            pieces = [text[start : start + width] for start in range(0, len(text), width)]
        try:
            code = tuple([colors[symbol] for symbol in pieces])
        except KeyError:
            code = ()
        if len(code) != self.pegs:
            found = self._read_slowly(text, place, faults, colors)
            if found is None:
                return None
            code = found
        if self.has_list and not is_allowed(self.game, code):
            near = self.game.space.nearest(code, HINTS)
            write = " or ".join(self.print_code(word) for word in near)
            faults.append(place.fault("only words of the list are guessed", text, write))
            return None
        return code

    def _read_slowly(
        self, text: str, place: Place, faults: list[Fault], colors: dict[str, int]
    ) -> tuple[int, ...] | None:
        game, pegs, noun, width = self.game, self.game.pegs, self.noun, self.width
        joined = "-" in text or (pegs == 1 and NUMBER.fullmatch(text) is not None)
        pieces = text.split("-")
        if self.symbols and not joined:
            pieces = [text[start : start + width] for start in range(0, len(text), width)]
        if len(pieces) > 1 and not joined and not colors.keys() & set(pieces):
            # one fault that says what to do, rather than one a symbol
            rule = f"the {noun}s of a {game} game are {self.color_range}"
            numbers = text.isdecimal() and "".join(self.symbols).isalpha()
            write = "A for 1, B for 2, and so on" if numbers else f"{pegs} of these"
            faults.append(place.fault(rule, text, write))
            return None
        before = len(faults)
        code, offset = [], 0
        for piece in pieces:
            color = self._color(piece, colors, joined=joined)
            if color is None:
                rule = f"the {noun}s of a {game} game are {self.color_range}"
                faults.append(place.fault(rule, piece, "one of these", offset))
            else:
                code.append(color)
            offset += len(piece) + joined
        if len(pieces) != pegs:
            rule = f"a guess of a {game} game has {quantity(pegs, noun)}"
            write = f"{pegs} {noun}s, not {len(pieces)}"
            faults.append(place.fault(rule, text, write))
        return tuple(code) if len(faults) == before else None

    def _color(self, piece: str, colors: dict[str, int], *, joined: bool) -> int | None:
        if not joined and piece in colors:
            return colors[piece]
        if piece == UNREAD_SIGN and UNREAD in colors.values():
            return UNREAD
        if NUMBER.fullmatch(piece) and 1 <= int(piece) <= self.game.colors:
            return int(piece) - 1 if joined or not self.symbols else None
        return None

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
        before = len(faults)
        score: list[int | None] = []
        start = 0
        while True:
            gap = SCORE_GAP.search(text, start)
            piece = text[start : gap.start() if gap else None]
            if piece != "?" and not NUMBER.fullmatch(piece):
                rule = f"a score number is 0 to {highest}, or ? where it was not read"
                faults.append(place.fault(rule, piece, "a whole number or ?", start))
            score.append(int(piece) if NUMBER.fullmatch(piece) else None)
            if gap is None:
                break
            start = gap.end()
        if len(score) != len(parts):
            many = f"{quantity(len(parts), 'number')}: {join_words(parts)}"
            rule = f"a score of a {self.game} game is {many}"
            faults.append(place.fault(rule, text, self.example.partition("=")[2]))
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
                faults.append(place.fault(f"a mark is {signs}, ? unread", sign, "a mark", offset))
        if len(score) != pegs and len(faults) == before:
            rule = f"a score of a {self.game} game is {pegs} marks: {signs}, ? unread"
            faults.append(place.fault(rule, text, self.example.partition("=")[2]))
        return tuple(score) if len(faults) == before else None

    def read_row(self, text: str, place: Place, faults: list[Fault]) -> Row | None:
        """Read a guess and its score, as `1122=1.1`, `1122 1 1` or `1122: 1, 1`."""
        match = ROW.match(text)
        if match is None:
            rule = "a row is a guess, '=' and its score"
            faults.append(place.fault(rule, text.strip(), f"something like {self.example}"))
            return None
        at_guess = Place(place.line, place.column + match.start(1))
        at_score = Place(place.line, place.column + match.start(2))
        guess = self.read_guess(match[1], at_guess, faults)
        score = self.read_score(match[2].rstrip(), at_score, faults)
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
