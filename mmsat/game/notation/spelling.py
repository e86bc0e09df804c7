"""The printed forms of codes and scores of one game, and the possible meanings of texts.

Colors are printed as the game's symbols: the digits 1 to 9 in games of up to 9 colors, the letters
A to Z in games of up to 26 colors, or custom symbols. In larger games, they are printed as numbers
joined by `-`. Numbers joined by `-` can be read in any game, and numbers joined by commas in games
whose symbols are letters. A score is printed as its numbers joined by `.`, or as its marks in
order. Unread pegs and parts are `?`. Other forms that can be read are described in `__init__.py`
and `board_reader.py`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from mmsat._util.text import join_words, quantity
from mmsat.errors import Fault, Place
from mmsat.game import UNREAD, Code, Row, Score
from mmsat.game.game import Game
from mmsat.game.notation import (
    DASHES,
    INVISIBLE,
    JOINED,
    LEADING_SEPARATOR,
    LETTERS,
    NAMES,
    ONE,
    OWN,
    RIGHT_WORDS,
    SEPARATORS,
    UNAMBIGUOUS,
    UNREAD_SIGN,
    WORD,
    ZERO,
    Meaning,
    Readings,
    closest_names,
    describe_names,
    other_alphabets,
    read_alphabet,
    score_meanings,
    unwrap,
)
from mmsat.game.symbols import Symbols, SymbolTable, split_characters

NUMBER = r"[0-9]{1,6}"
"""The number of a color, or a number of a score."""
NUMBER_OR_UNREAD = rf"{NUMBER}|\?"
"""A number, or the sign for an unread peg."""
NUMBER_SEPARATOR = r"\s*[.,;]\s*|\s+"
"""A separator of the numbers of a score."""
PADDING = str.maketrans("", "", " \ufe0f")
"""A translation table that removes blanks and variation selectors, which may follow marks."""
MAX_EXAMPLE_PEGS = 12
"""Maximum number of pegs for which error messages show an example of a guess."""
ONE_SHADE = "absent marks of one shade, dark or light"
"""The expected text if absent marks of both shades are mixed, for error messages."""
MARK_WORDS = {
    "in place": ("green", "correct"),
    "elsewhere": ("yellow", "present"),
    "absent": ("gray", "grey", "black", "white"),
    "right": (),
    "earlier": (),
    "later": (),
}
"""Words for marks, in addition to their names."""


class MarkReader:
    """Reads the scores of a game whose scores have one mark for each place, that is, each peg."""

    def __init__(self, game: Game) -> None:
        """Collect the signs and the words of the game's marks."""
        self._game = game
        marks = game.scoring.marks
        self.signs = {
            sign: mark_index
            for mark_index, mark in enumerate(marks)
            for sign in (*mark.symbol, *mark.also, mark.symbol.lower(), *mark.also.lower())
        }
        names = {mark.name: mark_index for mark_index, mark in enumerate(marks)}
        self.absent, self.elsewhere = names.get("absent"), names.get("elsewhere")
        self.words = {
            word: names[name]
            for name, words in MARK_WORDS.items()
            for word in (name, *words)
            if name in names
        }

    @property
    def example(self) -> str:
        """An example of a score for error messages."""
        scoring = self._game.scoring
        return scoring.describe([peg % len(scoring.marks) for peg in range(self._game.pegs)])

    @property
    def expected(self) -> str:
        """The expected form of a score, for error messages."""
        return f"{self._game.pegs} marks such as {self.example}"

    def read_words(self, text: str) -> Score | None:
        """Return the score of a text with one word per place, such as "green", or None."""
        words = re.findall(WORD, text.lower())
        is_one_shade = not {"black", "white"} <= {*words}
        is_known = len(words) == self._game.pegs and self.words.keys() >= {*words}
        return tuple([self.words[word] for word in words]) if is_one_shade and is_known else None

    def read(self, text: str, place: Place, faults: list[Fault]) -> Score | None:
        """Return the score of a text with one mark per place, or None after an error."""
        meanings = ", ".join(f"{mark.symbol} {mark.name}" for mark in self._game.scoring.marks)
        signs = [(offset, sign) for offset, sign in enumerate(text) if sign.translate(PADDING)]
        mark_by_sign = self.signs | self._signs_for_absent({sign for _, sign in signs})
        unknown_signs = [
            (offset, sign)
            for offset, sign in signs
            if sign != UNREAD_SIGN and sign not in mark_by_sign
        ]
        # If most signs are unknown, or their number is wrong, report one fault for the whole text.
        if 2 * len(unknown_signs) > len(signs) or (
            len(signs) != self._game.pegs and not unknown_signs
        ):
            faults.append(place.fault(f"{meanings}, ? unread", text, self.expected))
            return None
        if not unknown_signs and (mixed_signs := self._game.scoring.mixed_signs(text)):
            expected = "marks of one set of colors: green and yellow, or orange and blue"
            faults.append(place.fault("", mixed_signs, expected))
            return None
        if not unknown_signs and (mixed_signs := self._game.scoring.mixed_shades(text)):
            faults.append(place.fault("", mixed_signs, ONE_SHADE))
            return None
        expected = f"a mark: {meanings}, ? unread"
        faults += [place.fault("", sign, expected, offset) for offset, sign in unknown_signs]
        return None if unknown_signs else tuple([mark_by_sign.get(sign) for _, sign in signs])

    def _signs_for_absent(self, signs: set[str]) -> dict[str, int]:
        """Return {sign: absent} for a dot or a w that must mean absent in a score with these signs.

        A dot must mean absent. A w (for a white square) must mean absent if the score has another
        mark for elsewhere. Otherwise, it could mean elsewhere, like a white key peg. Neither is
        accepted if the score has another mark for absent.
        """
        used_marks = {self.signs.get(sign) for sign in signs}
        candidates = signs & {".", "w", "W"}
        has_one_sign = len({*map(str.lower, candidates)}) == 1
        if self.absent is None or self.absent in used_marks or not has_one_sign:
            return {}
        is_unambiguous = "." in candidates or self.elsewhere in used_marks
        return dict.fromkeys(candidates, self.absent) if is_unambiguous else {}


class OwnSymbols:
    """The symbols of a game, in which codes can be written without separators."""

    def __init__(self, symbols: Symbols) -> None:
        """Create the tables of the symbols."""
        self.names, self.width = symbols.names, symbols.width
        self.table = SymbolTable(self.names)
        unread_symbol = UNREAD_SIGN * max(1, self.width)
        self._guess_colors = {unread_symbol: UNREAD} | self.table.color_by_symbol
        self.are_code_points = self.width == 1 and all(len(name) == 1 for name in self.names)
        """Whether each symbol is a single code point."""

    def colors(self, *, allow_unread: bool) -> dict[str, int]:
        """Return the color of each symbol, including that of unread pegs if they are allowed."""
        return self._guess_colors if allow_unread else self.table.color_by_symbol

    def split(self, text: str) -> Sequence[str]:
        """Split text without separators into symbols."""
        characters, width = split_characters(text), max(1, self.width)
        if width == 1:
            return characters
        starts = range(0, len(characters), width)
        return ["".join(characters[start : start + width]) for start in starts]


class Spelling:
    """Prints the codes, scores and rows of one game, and finds the possible meanings of texts.

    It is the base class of `Speller`, which reads texts. Reading needs `BoardReader`, which in turn
    needs this class.
    """

    def __init__(self, game: Game) -> None:
        """Create the tables of a game's symbols."""
        self.game, self.pegs = game, game.pegs
        symbols = game.color_symbols
        self.own = OwnSymbols(symbols)
        self.printed_symbols = game.printed_symbols or symbols.names
        self.other_alphabets, self.num_named_colors = other_alphabets(game)
        self.own_alphabets = frozenset({OWN, *({JOINED} & self.other_alphabets.keys())})
        """The alphabets that read codes in the game's own symbols without separators."""
        self.reads_number_lists = (
            self.own.width == 1
            and ONE not in self.other_alphabets
            and not _has_digits(symbols.names)
        )
        """Whether color numbers may be separated by commas or blanks, not only joined by `-`."""
        self.color_range = _color_range(symbols, game.colors, reads_lists=self.reads_number_lists)
        self.mark_reader = MarkReader(game) if game.scoring.marks else None
        self.color_caches: dict[tuple[bool, bool], dict[str, int]] = {}
        """Cached colors of numbers, keyed by (whether unread pegs are allowed, `_is_joined`)."""

    @property
    def symbols(self) -> Sequence[str]:
        """The symbols of the colors; empty if colors are numbers."""
        return self.own.names

    @property
    def noun(self) -> str:
        """The noun for a color of the game, such as "letter"."""
        return self.game.color_symbols.noun

    @property
    def has_word_list(self) -> bool:
        """Whether the codes are a list of words."""
        return self.game.space.table() is not None

    @property
    def example_score(self) -> str:
        """An example of a score for error messages."""
        if self.mark_reader is not None:
            return self.mark_reader.example
        return self.print_score((1,) * len(self.game.parts))

    @property
    def example(self) -> str:
        """An example of a row for error messages."""
        game = self.game
        if game.pegs > MAX_EXAMPLE_PEGS:
            return f"GUESS={self.example_score}"
        table = game.space.table()
        # The example has two colors, such as 1122, or if colors must not repeat, all different.
        step = 2 if game.space.has_repeats else game.pegs
        example_code = tuple(step * peg // game.pegs % game.colors for peg in range(game.pegs))
        return f"{self.print_code(table[0] if table else example_code)}={self.example_score}"

    @property
    def expected_code(self) -> str:
        """The expected form of a code, for error messages."""
        return f"{quantity(self.pegs, self.noun)} of {self.color_range}"

    @property
    def expected_score(self) -> str:
        """The expected form of a score, for error messages."""
        if self.mark_reader is not None:
            return self.mark_reader.expected
        return f"{'.'.join(self.game.parts).upper()} such as {self.example_score}"

    def describe_alphabet(self, alphabet: str) -> str:
        """Return a description of an alphabet for error messages."""
        last_index = len(self.other_alphabets.get(LETTERS, ())) - 1
        return {
            OWN: f"{self.noun}s {self.color_range}",
            JOINED: f"{self.noun}s {self.game.color_symbols.range} joined by '-'",
            LETTERS: f"letters A to {chr(ord('A') + min(last_index, self.num_named_colors - 1))}",
            NAMES: "names of colors",
            ZERO: "digits from 0",
            ONE: "digits from 1",
        }[alphabet]

    def match_symbols(self, text: str, *, allow_unread: bool = False) -> Code | None:
        """Return the code of a text of symbols of the game without separators, else None."""
        # Fast path: nearly all symbols are single code points, which need not be split.
        pieces = text if self.own.are_code_points else self.own.split(text)
        if len(pieces) != self.pegs:
            return None
        colors = self.own.colors(allow_unread=allow_unread)
        try:
            return tuple([colors[symbol] for symbol in pieces])
        except KeyError:
            return None

    def code_readings(self, text: str, *, allow_unread: bool = False) -> Readings:
        """Return the meaning of a text in each alphabet that reads it."""
        clean = unwrap(text)
        code = self.match_symbols(clean, allow_unread=allow_unread)
        if code is None:
            colors = self.own.colors(allow_unread=allow_unread)
            code = self._own_code(clean.translate(DASHES), colors)
        readings = {} if code is None else {OWN: code}
        is_own_text = code is not None and any(map(str.isalnum, clean))
        translated = clean.translate(DASHES | INVISIBLE)
        has_digits = any(map(str.isdecimal, translated))
        for alphabet, colors in self.other_alphabets.items():
            if is_own_text and alphabet != JOINED:
                continue  # no other alphabet can read a letter or digit that `own` reads
            # Between digits, `-` joins color numbers of the alphabet `own`.
            dash_separates = alphabet == JOINED or not has_digits
            code = read_alphabet(
                translated,
                self.pegs,
                colors,
                allow_unread=allow_unread,
                dash_separates=dash_separates,
            )
            if code is not None:
                readings[alphabet] = code
        return readings

    def _own_code(self, text: str, colors: dict[str, int]) -> Code | None:
        """Return the code of symbols with or without separators, or of joined numbers.

        Return None for any other text.
        """
        joined = self._is_joined(text)
        pieces: Sequence[str] = [piece for _, piece in self._pieces(text, joined=joined)]
        if len(pieces) != self.pegs:
            return None
        is_number = joined or not self.symbols
        # Numbers recur in large games, so their colors are cached.
        color_by_piece = (
            self.color_caches.setdefault((UNREAD in colors.values(), joined), {})
            if is_number
            else {}
        )
        for piece in {*pieces}.difference(color_by_piece):
            if (color := self._color(piece, colors, joined=joined)) is not None:
                color_by_piece[piece] = color
        return (
            tuple([color_by_piece[piece] for piece in pieces])
            if color_by_piece.keys() >= {*pieces}
            else None
        )

    def _is_joined(self, text: str) -> bool:
        """Return whether a text is color numbers: joined by `-`, a list, or one for a single peg.

        Commas or blanks separate the numbers of a list.
        """
        if "-" in text or (self.pegs == 1 and re.fullmatch(NUMBER, text)):
            return True
        pieces = re.findall(WORD, text) if self.reads_number_lists else []
        return len(pieces) > 1 and all(re.fullmatch(NUMBER_OR_UNREAD, piece) for piece in pieces)

    def _color(self, piece: str, colors: dict[str, int], *, joined: bool) -> int | None:
        """Return the color of one piece of a code, or None."""
        if not (joined and piece.isdecimal()):
            color = colors.get(piece, self.own.table.find(piece))
            if color is not None:
                return color
        if piece == UNREAD_SIGN and UNREAD in colors.values():
            return UNREAD
        if re.fullmatch(NUMBER, piece) and 1 <= int(piece) <= self.game.colors:
            return int(piece) - 1 if joined or not self.symbols else None
        return None

    def explain_code(self, text: str, place: Place, *, allow_unread: bool = False) -> list[Fault]:
        """Return the errors of a text that no alphabet can read."""
        clean = unwrap(text).translate(DASHES)
        place = Place(place.line, place.column + max(0, text.find(clean)))
        colors = self.own.colors(allow_unread=allow_unread)
        pegs, noun = self.pegs, self.noun
        expected_code = self.expected_code
        joined = self._is_joined(clean)
        # A text with letters may be meant as letters or names of colors.
        if NAMES in self.other_alphabets and not joined and re.search(r"[^\W\d_]", clean):
            has_letters = LETTERS in self.other_alphabets
            similar_names = closest_names(clean, pegs) if len(clean) != pegs else []
            rule = f"did you mean {' '.join(similar_names)}?" if similar_names else ""
            if has_letters or similar_names:
                expected = (
                    f"{expected_code}, or {describe_names(self.num_named_colors)}"
                    if has_letters
                    else expected_code
                )
                return [place.fault(rule, text, expected)]
        if similar_code := self._without_signs(clean, allow_unread=allow_unread):
            return [place.fault(f"did you mean {similar_code}?", text, expected_code)]
        pieces = self._pieces(clean, joined=joined)
        choices = [[] if joined else self.own.table.readings(piece) for _, piece in pieces]
        # If no piece is a symbol, one fault for the whole text is enough.
        if self.symbols and len(pieces) > 1 and not joined:
            if clean.isdecimal() and "".join(self.symbols).isalpha():
                rule = f"the {noun}s of a {self.game} game are {self.color_range}"
                return [place.fault(rule, text, "A for 1, B for 2, and so on")]
            if not any(choices) and not colors.keys() & {piece for _, piece in pieces}:
                return [place.fault("", text, expected_code)]
        faults = [
            place.fault(
                "it may be either" if symbols else "",
                piece,
                " or ".join(symbols) or f"a {noun}, {self.color_range}",
                offset,
            )
            for (offset, piece), symbols in zip(pieces, choices, strict=True)
            if (len(pieces) > 1 or pegs == 1) and self._color(piece, colors, joined=joined) is None
        ]
        if len(pieces) != pegs:
            faults.append(place.fault("", text, f"{quantity(pegs, noun)}, not {len(pieces)}"))
        return faults

    def _without_signs(self, text: str, *, allow_unread: bool) -> str:
        """Return the code of a text with a sign between all pegs, such as `1_1_2_2`, else ""."""
        pieces = re.split(r"\s*(?:[^\w\s?]|_)\s*", text)
        code = None
        if len(pieces) == self.pegs > 1:
            code = self._own_code("-".join(pieces), self.own.colors(allow_unread=allow_unread))
            if all(self.own.width and len(piece) == self.own.width for piece in pieces):
                code = self.match_symbols("".join(pieces), allow_unread=allow_unread) or code
        return "" if code is None else self.print_code(code)

    def _pieces(self, text: str, *, joined: bool) -> list[tuple[int, str]]:
        """Split a code into the texts of its colors, each with its offset."""
        if joined and "-" in text:
            return [(match.start(), match[0]) for match in re.finditer("(?<![^-])[^-]*", text)]
        if joined or not self.own.width or re.search(SEPARATORS, text):
            return [(match.start(), match[0]) for match in re.finditer(WORD, text)]
        pieces = self.own.split(text)
        offsets = accumulate(map(len, pieces), initial=0)  # and, last, the length of the text
        return [*zip(offsets, pieces, strict=False)]

    def score_meanings(self, text: str) -> tuple[Meaning, ...]:
        """Return the possible meanings of the text of a score."""
        may_be_unread = UNREAD_SIGN in text  # a cheap test first, because few scores are unread
        if may_be_unread and re.sub(LEADING_SEPARATOR, "", text, count=1).strip() == UNREAD_SIGN:
            return (((None,) * len(self.game.parts), UNAMBIGUOUS),)
        if self.mark_reader is not None:
            marks = self.mark_reader.read_words(text)
            for variant in (text, re.sub(LEADING_SEPARATOR, "", text, count=1)):
                marks = marks or self.mark_reader.read(variant, Place(1, 1), [])
            return () if marks is None else ((marks, UNAMBIGUOUS),)
        return score_meanings(text, self.game.parts, self.pegs)

    def explain_score(self, text: str, place: Place) -> list[Fault]:
        """Return the errors of a score."""
        faults: list[Fault] = []
        if self.mark_reader is not None:
            self.mark_reader.read(text, place, faults)
            return faults
        parts = self.game.parts
        pieces = [*_split(NUMBER_SEPARATOR, text)]
        words = re.findall("[a-z]{2,}", text.lower())
        if len(pieces) != len(parts) or words:
            rule = f"a score is {quantity(len(parts), 'number')}: {join_words(parts)}"
            if len(parts) > 1 and {*words} & {*RIGHT_WORDS}:
                rule = "right in place, or in any place?"
            if self.has_word_list and {*text.upper()} <= {*"-.BGWXY"}:  # meant as marks
                rule = 'marks need a game:FILE with score = "places"'
            return [place.fault(rule, text, self.expected_score)]
        expected = "a number, or ? if unread"
        faults = [
            place.fault("", piece, expected, offset)
            for offset, piece in pieces
            if piece != UNREAD_SIGN and not re.fullmatch(NUMBER, piece)
        ]
        # The number of parts is right and each is a number, but the text could not be read.
        separators_fault = place.fault(
            "the separators of the numbers differ", text, self.expected_score
        )
        return faults or [separators_fault]

    def print_code(self, code: Sequence[int]) -> str:
        """Return the text of a code or a guess."""
        unread_peg, symbols = UNREAD_SIGN * self.own.width, self.printed_symbols
        if symbols:
            return "".join([symbols[color] if color >= 0 else unread_peg for color in code])
        return "-".join([str(color + 1) if color >= 0 else UNREAD_SIGN for color in code])

    def print_score(self, score: Sequence[int | None]) -> str:
        """Return the text of a score."""
        if self.mark_reader is not None:
            return self.game.scoring.describe(score)
        return ".".join(["?" if part is None else str(part) for part in score])

    def print_row(self, row: Row) -> str:
        """Return the text of a row."""
        return f"{self.print_code(row.guess)}={self.print_score(row.score)}"


def _color_range(symbols: Symbols, colors: int, *, reads_lists: bool) -> str:
    """Return a description of the colors for error messages."""
    numbers = f"1 to {colors}"
    if not symbols.names:
        return f"{numbers}, joined by '-' or ','"
    if symbols.range == numbers:
        return numbers
    comma = " or ','" if reads_lists else ""
    return f"{symbols.range}, or {numbers} joined by '-'{comma}"


def _has_digits(texts: Iterable[str]) -> bool:
    """Return whether any of the texts has a decimal digit."""
    return any(character.isdecimal() for text in texts for character in text)


def _split(separator: str, text: str) -> Iterator[tuple[int, str]]:
    """Split a text at a pattern, and yield the pieces with their offsets."""
    start = 0
    for match in re.finditer(separator, text):
        yield start, text[start : match.start()]
        start = match.end()
    yield start, text[start:]
