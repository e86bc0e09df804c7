"""How codes, scores and rows of a game are spelled.

Colors are 1 to 9 as digits in games of up to 9 colors, A to Z as letters in games of up to 26, and
numbers joined by `-` in any game. A score is its numbers joined by `.`, with `?` for a number that
was not read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_uppercase
from typing import TYPE_CHECKING

from mmsat.errors import Fault
from mmsat.game.board import HIGHEST, Row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.game.game import Game

ROW = re.compile(r"\s*([^\s=:]+)(?:\s*[=:]\s*|\s+)(\S.*)", re.DOTALL)
NUMBER = re.compile(r"[0-9]{1,4}")
SCORE_GAP = re.compile(r"\s*[.,]\s*|\s+")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a piece of text starts, line and column from 1."""

    line: int
    column: int

    def fault(self, offset: int, rule: str, got: object, write: str) -> Fault:
        """A fault so many characters further on."""
        return Fault(rule, got, write, self.line, self.column + offset)


class Speller:
    """Reads and prints the codes, scores and rows of one game.

    Reading appends to `faults` whatever is wrong and then returns None.
    """

    def __init__(self, game: Game) -> None:
        """Make the tables of a game's symbols."""
        self.game = game
        letters = ascii_uppercase[: game.colors] if game.colors <= 26 else ""
        digits = "123456789"[: game.colors] if game.colors <= 9 else ""
        self.symbols = digits or letters
        self.colors = {symbol: color for color, symbol in enumerate(letters)}
        self.colors |= {symbol.lower(): color for symbol, color in self.colors.items()}
        self.colors |= {symbol: color for color, symbol in enumerate(digits)}
        self.read: dict[str, tuple[int | None, ...]] = {}  # scores read before

    @property
    def color_range(self) -> str:
        """The colors, in the words of an error."""
        numbers = f"1 to {self.game.colors}"
        if not self.symbols:
            return f"{numbers}, joined by '-'"
        if self.symbols[0] == "1":
            return numbers
        return f"{self.symbols[0]} to {self.symbols[-1]}, or {numbers} joined by '-'"

    @property
    def example(self) -> str:
        """A guess and a score of the game, for errors."""
        game = self.game
        guess = tuple(2 * peg // game.pegs % game.colors for peg in range(game.pegs))
        if game.pegs > 12:
            return f"GUESS={self.print_score((1,) * len(game.scoring.parts))}"
        return self.print_row(Row(guess, (1,) * len(game.scoring.parts)))

    def read_code(self, text: str, place: Place, faults: list[Fault]) -> tuple[int, ...] | None:
        """Read a code or a guess."""
        try:
            code = tuple([self.colors[symbol] for symbol in text])
        except KeyError:
            return self._read_slowly(text, place, faults)
        if len(code) != self.game.pegs:
            return self._read_slowly(text, place, faults)
        return code

    def _read_slowly(self, text: str, place: Place, faults: list[Fault]) -> tuple[int, ...] | None:
        pegs = self.game.pegs
        joined = "-" in text or (pegs == 1 and NUMBER.fullmatch(text) is not None)
        pieces = text.split("-") if joined or not self.symbols else list(text)
        if len(text) > 1 and self.symbols.isalpha() and text.isdecimal() and not joined:
            # one fault that says what to do, rather than one a digit
            rule = f"the colors of a {self.game} game are {self.color_range}"
            faults.append(place.fault(0, rule, text, "A for 1, B for 2, and so on"))
            return None
        before = len(faults)
        code, offset = [], 0
        for piece in pieces:
            color = self._color(piece, joined=joined)
            if color is None:
                rule = f"a color of a {self.game} game is {self.color_range}"
                faults.append(place.fault(offset, rule, piece, "one of these"))
            else:
                code.append(color)
            offset += len(piece) + joined
        if len(pieces) != pegs:
            rule = f"a guess of a {self.game} game has {pegs} peg{'s' * (pegs != 1)}"
            write = f"{pegs} colors, not {len(pieces)}"
            faults.append(place.fault(0, rule, text, write))
        return tuple(code) if len(faults) == before else None

    def _color(self, piece: str, *, joined: bool) -> int | None:
        if not joined and piece in self.colors:
            return self.colors[piece]
        if NUMBER.fullmatch(piece) and 1 <= int(piece) <= self.game.colors:
            return int(piece) - 1 if joined or not self.symbols else None
        return None

    def read_score(
        self, text: str, place: Place, faults: list[Fault]
    ) -> tuple[int | None, ...] | None:
        """Read a score."""
        if text in self.read:
            return self.read[text]
        parts = self.game.scoring.parts
        before = len(faults)
        score: list[int | None] = []
        start = 0
        while True:
            gap = SCORE_GAP.search(text, start)
            piece = text[start : gap.start() if gap else None]
            if piece != "?" and not NUMBER.fullmatch(piece):
                rule = f"a score number is 0 to {HIGHEST}, or ? where it was not read"
                faults.append(place.fault(start, rule, piece, "a whole number or ?"))
            score.append(int(piece) if NUMBER.fullmatch(piece) else None)
            if gap is None:
                break
            start = gap.end()
        if len(score) != len(parts):
            names = " and ".join(parts)
            many = f"{len(parts)} number{'s' * (len(parts) != 1)}"
            rule = f"a score of a {self.game} game is {many}: {names}"
            faults.append(place.fault(0, rule, text, self.example.partition("=")[2]))
        if len(faults) > before:
            return None
        return self.read.setdefault(text, tuple(score))

    def read_row(self, text: str, place: Place, faults: list[Fault]) -> Row | None:
        """Read a guess and its score, as `1122=1.1`, `1122 1 1` or `1122: 1, 1`."""
        match = ROW.match(text)
        if match is None:
            rule = "a row is a guess, '=' and its score"
            faults.append(place.fault(0, rule, text.strip(), f"something like {self.example}"))
            return None
        at_guess = Place(place.line, place.column + match.start(1))
        at_score = Place(place.line, place.column + match.start(2))
        guess = self.read_code(match[1], at_guess, faults)
        score = self.read_score(match[2].rstrip(), at_score, faults)
        return None if guess is None or score is None else Row(guess, score)

    def print_code(self, code: Sequence[int]) -> str:
        """A code as it is read back."""
        if self.symbols:
            return "".join([self.symbols[color] for color in code])
        return "-".join([str(color + 1) for color in code])

    def print_score(self, score: Sequence[int | None]) -> str:
        """A score as it is read back."""
        return ".".join(["?" if part is None else str(part) for part in score])

    def print_row(self, row: Row) -> str:
        """A row as it is read back."""
        return f"{self.print_code(row.guess)}={self.print_score(row.score)}"


@lru_cache(maxsize=64)
def speller(game: Game) -> Speller:
    """The speller of a game, made once."""
    return Speller(game)
