"""Read the rows of a board from text, with every fault and its position, and print them.

A row is split into its number, its guess and its score. These forms are read, among others:

    1122=1.1        GUESS=SCORE, the printed form      #1 1122 1 1       a number before a row,
    1122 1 1        separated by blanks, commas ...    1. 1122 1 1       with or without a sign
    1 1 2 2 1 1     a blank between pegs               Guess #1: 1122 -> 1 black, 1 white

To split a row, its possible cuts are tried: a cut is a position between the guess and the score.
The guesses and scores of one board share one notation, so `BoardReader` reads them together. To
read a single code, use `Speller.parse_code`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, TypeVar
from warnings import catch_warnings, warn

from mmsat._util.text import join_words
from mmsat.errors import ColorNamesWarning, Fault, InputError, Place
from mmsat.game import UNREAD, Code, Conventions, Row, Score
from mmsat.game.game import Game
from mmsat.game.notation import (
    COLOR_NAMES,
    NAMES,
    OWN,
    WORD,
    Meaning,
    Readings,
    colors_of_names,
    is_compatible,
    typed_symbols,
)
from mmsat.game.notation.spelling import Spelling
from mmsat.game.unread import is_allowed

T = TypeVar("T")
SCORE_SEPARATOR = r"[-=]+>|[\u2192=:\[({]|\b(?:score|result|reply|response|answer|feedback)\b"
"""A sign or word between a guess and its score, other than blanks and commas."""
MAX_SEPARATORS = 4
"""The maximum number of `SCORE_SEPARATOR` matches of a row at which a cut is tried."""
MARGIN = r"(?:[\s|>*\u2022]|-\s)*"
"""Characters before a row: the border of a table, or the marker of a quotation or list item."""
TITLE = "(?:guess|row|turn|try|attempt|move|round|step|number|no|nr|code)"
"""A word that may precede the number of a row."""
LABEL = (
    rf"(?i)(?:{TITLE}\b\.?\s*)?#\s*[0-9]{{1,4}}(?:\s*[.):\]|,;-]+|(?=\s))\s*"
    rf"|{TITLE}\b\.?\s*[0-9]{{1,4}}(?:\s*[.):\]|,;-]+|(?=\s))\s*"
    rf"|{TITLE}\s*:\s*"
    r"|[\[(]?[0-9]{1,4}\s*[.)\]](?=[\s|])[\s|]*"
    rf"|[0-9]{{1,3}}(?:st|nd|rd|th)\s+{TITLE}\b\s*[.:,-]?\s*"
    r"|[0-9]{1,4}:\s+"
    r"|[0-9]{1,2}[\s|,;]+"
)
"""The label of a row: a number, with or without a title such as `guess`."""
CERTAIN_LABEL = rf"(?i)#|{TITLE}\b|[\[(]?[0-9]{{1,4}}\s*[.)\]]|[0-9]+(?:st|nd|rd|th)"
"""The beginning of a label that cannot be part of a guess."""
GUESS_ENDING = r"[\s,;|:=>\u2192-]+$"
"""Separators at the end of a guess, which are removed."""
MAX_SUGGESTED_WORDS = 3
"""The maximum number of similar words that an error message suggests."""
NO_CONVENTIONS = Conventions()
"""The conventions of a board before any text is read."""


class Cut(NamedTuple):
    """A row that was cut: the texts of its guess and its score, with their offsets in the row."""

    guess_start: int
    guess: str
    score_start: int
    score: str


def possible_cuts(text: str, pegs: int) -> Iterator[Cut]:
    """Yield the ways to cut a row with a guess of `pegs` pegs.

    A number at the beginning may be a label or part of the guess. If so, the cuts at which it is
    part of the guess come first.
    """
    start = re.match(MARGIN, text).end()  # type: ignore[union-attr]  # can match no characters
    yield from _cuts_from(text, start, pegs)
    if label := re.compile(LABEL).match(text, start):
        yield from _cuts_from(text, label.end(), pegs)


def most_likely_cut(text: str, pegs: int, width: int) -> Cut | None:
    """Return the cut whose errors are reported if no cut can be read, or None.

    - `width`: the number of characters of a guess that has no blanks.
    """
    start = re.match(MARGIN, text).end()  # type: ignore[union-attr]  # can match no characters
    if (label := re.compile(LABEL).match(text, start)) and re.match(CERTAIN_LABEL, label[0]):
        start = label.end()
    separator = re.compile("[=:]").search(text, start)
    if separator and text[start : separator.start()].strip() and text[separator.end() :].strip():
        return _cut(text, start, separator.start(), separator.end())
    words = [*re.compile(WORD).finditer(text, start)]
    if len(words) < 2 or separator:  # a separator here has no text on one of its sides
        return None
    # Either the first word is the guess, or each of the first `pegs` words is a peg.
    first_word = words[0][0]
    is_first_word_guess = len(first_word) == width or "-" in first_word or len(words) <= pegs
    last_word = words[0 if is_first_word_guess else pegs - 1]
    return _cut(text, start, last_word.end(), last_word.end())


def _cuts_from(text: str, start: int, pegs: int) -> Iterator[Cut]:
    """Yield the possible cuts of a text from `start`, ignoring labels."""
    boundaries = []
    for count, separator in zip(
        range(MAX_SEPARATORS), re.compile(SCORE_SEPARATOR).finditer(text, start), strict=False
    ):
        is_bracket = separator[0] in ("[", "(", "{")
        boundaries.append((separator.start(), separator.start() if is_bracket else separator.end()))
        if count == 0 and separator[0] == "=":  # GUESS=SCORE: no later separator is the cut
            break
    for count, word in enumerate(re.compile(WORD).finditer(text, start), 1):
        if count in (1, pegs):  # the guess is one word, or one word for each peg
            boundaries.append((word.end(), word.end()))
        if count >= pegs:
            break
    yielded_cuts = set()
    for guess_end, score_start in boundaries:
        cut = _cut(text, start, guess_end, score_start)
        if cut.guess and cut.score and cut not in yielded_cuts:
            yielded_cuts.add(cut)
            yield cut


def _cut(text: str, start: int, guess_end: int, score_start: int) -> Cut:
    """Return the cut, without blanks and separators around the guess and the score."""
    guess = text[start:guess_end]
    guess_start = start + len(guess) - len(guess.lstrip())
    score = text[score_start:].lstrip(" \t,;|")
    score_start = len(text) - len(score)
    return Cut(
        guess_start,
        re.sub(GUESS_ENDING, "", guess.strip()),
        score_start,
        score.rstrip(" \t\r|,;"),
    )


class PlacedText(NamedTuple):
    """The text of a code, a guess or a score, with its place in the input."""

    text: str
    place: Place
    allow_unread: bool = False
    """Whether pegs of a guess may be `?`."""
    code: Code | None = None
    """The code, if the text has been read already."""


class BoardReader:
    """Reads the guesses and scores of one board.

    If a text has errors, the methods append them to `faults` and return None for this text.
    `conventions` is the notation of the texts read so far, which all later texts must use.
    """

    def __init__(self, spelling: Spelling, conventions: Conventions = NO_CONVENTIONS) -> None:
        """Start a new board, or continue a board with its conventions."""
        self.spelling = spelling
        self.conventions = conventions

    def read_code(
        self, text: str, place: Place, faults: list[Fault], *, allow_unread: bool = False
    ) -> Code | None:
        """Read one code; with `allow_unread`, pegs may be `?`."""
        return self.read_codes([PlacedText(text, place, allow_unread)], faults)[0]

    def read_score(self, text: str, place: Place, faults: list[Fault]) -> Score | None:
        """Read one score."""
        return self.read_scores([PlacedText(text, place)], faults)[0]

    def read_rows(self, rows: Sequence[tuple[str, Place]], faults: list[Fault]) -> list[Row | None]:
        """Read rows. The result is None for each row with errors."""
        return self.read_board(rows, (), faults)[0]

    def read_board(
        self,
        rows: Sequence[tuple[str, Place]],
        known: Sequence[PlacedText],
        faults: list[Fault],
    ) -> tuple[list[Row | None], list[Code | None]]:
        """Read rows and known codes. The result is None for each text with errors."""
        # For each row: the texts of its guess and its score, or None if it could not be cut.
        cut_rows = [self._cut_row(text, place, faults) for text, place in rows]
        guess_texts = [cut_row[0] for cut_row in cut_rows if cut_row is not None]
        score_texts = [cut_row[1] for cut_row in cut_rows if cut_row is not None]
        codes = self.read_codes([*guess_texts, *known], faults)
        scores = self.read_scores(score_texts, faults)
        guesses_and_scores = zip(codes, scores, strict=False)  # without the known codes, the last
        read_rows: list[Row | None] = []
        for cut_row in cut_rows:
            guess, score = (None, None) if cut_row is None else next(guesses_and_scores)
            read_rows.append(None if guess is None or score is None else Row(guess, score))
        return read_rows, codes[len(guess_texts) :]

    def _cut_row(
        self, text: str, place: Place, faults: list[Fault]
    ) -> tuple[PlacedText, PlacedText] | None:
        """Return the texts of the guess and the score of a row, or None after an error."""
        # Fast path: GUESS=SCORE with a guess in the game's own symbols.
        spelling = self.spelling
        left, _, right = text.partition("=")
        guess, score = left.strip(), right.strip()
        code = spelling.match_symbols(guess, allow_unread=True) if score else None
        if code is not None:
            score_start = len(text) - len(right.lstrip())
            return _at_place(Cut(left.index(guess), guess, score_start, score), place, code)
        readable = self._readable_cuts(text)
        if len(readable) > 1:
            choices = join_words((f"{cut.guess} = {cut.score}" for cut in readable.values()), "or")
            faults.append(place.fault(f"{choices}?", text.strip(), "GUESS=SCORE"))
            return None
        width = spelling.pegs * max(1, spelling.own.width)
        cut = next(iter(readable.values()), None) or most_likely_cut(text, spelling.pegs, width)
        if cut is None or not (readable or self._is_clear_cut(text, cut)):
            expected = f"GUESS=SCORE such as {spelling.example}"
            rule = "a comment has a blank after #" if text.lstrip().startswith("#") else ""
            faults.append(place.fault(rule, text.strip(), expected))
            return None
        return _at_place(cut, place)

    def _is_clear_cut(self, text: str, cut: Cut) -> bool:
        """Return whether it is clear that the guess ends at the cut, so that errors can be located.

        It is clear if the row has a separator, or if its guess or its score can be read.
        """
        spelling = self.spelling
        is_guess = bool(spelling.code_readings(cut.guess, allow_unread=True))
        return is_guess or "=" in text or ":" in text or bool(spelling.score_meanings(cut.score))

    def can_read(self, text: str) -> bool:
        """Return whether a text can be read as a row."""
        return bool(self._readable_cuts(text))

    def _readable_cuts(self, text: str) -> dict[object, Cut]:
        """Return the readable cuts of a row, keyed by meaning: the first cut of each meaning."""
        spelling = self.spelling
        readable: dict[object, Cut] = {}
        for cut in possible_cuts(text, spelling.pegs):
            meanings = spelling.score_meanings(cut.score)
            readings = spelling.code_readings(cut.guess, allow_unread=True) if meanings else {}
            if readings:
                readable.setdefault((meanings, tuple(readings.items())), cut)
        return readable

    def read_codes(self, texts: Sequence[PlacedText], faults: list[Fault]) -> list[Code | None]:
        """Read codes, all in the same alphabet."""
        spelling = self.spelling
        codes = [
            text.code or spelling.match_symbols(text.text, allow_unread=text.allow_unread)
            for text in texts
        ]
        if None in codes or not self.conventions.alphabets <= spelling.own_alphabets:
            codes = self._read_together(texts, faults)
        elif any(color != UNREAD for code in codes for color in code or ()):  # ? fits any alphabet
            alphabets = self.conventions.alphabets or spelling.own_alphabets
            self.conventions = self.conventions._replace(alphabets=alphabets)
        if spelling.has_word_list:
            codes = [
                code if code is None or self._is_allowed(code, text, faults) else None
                for code, text in zip(codes, texts, strict=True)
            ]
        return codes

    def _is_allowed(self, code: Code, text: PlacedText, faults: list[Fault]) -> bool:
        """Return whether a game of words allows a code or the guess of a row; if not, add an error.

        A code must be in the list. The guess of a row (`text.allow_unread`) need not be, but if it
        has unread pegs, a word of the list must match the other pegs.
        """
        spelling, game = self.spelling, self.spelling.game
        if (text.allow_unread and UNREAD not in code) or is_allowed(game, code):
            return True
        similar_words = map(spelling.print_code, game.space.nearest(code, MAX_SUGGESTED_WORDS))
        rule, expected = "not in the word list", " or ".join(similar_words)
        faults.append(text.place.fault(rule, text.text, expected))
        return False

    def _read_together(self, texts: Sequence[PlacedText], faults: list[Fault]) -> list[Code | None]:
        """Read codes in an alphabet that can read all texts.

        It is an error if there is no such alphabet, or if several such alphabets give different
        codes.
        """
        spelling = self.spelling
        no_codes: list[Code | None] = [None] * len(texts)
        readings = [
            spelling.code_readings(text.text, allow_unread=text.allow_unread) for text in texts
        ]
        reading_faults = [
            fault
            for text, reading in zip(texts, readings, strict=True)
            if not reading
            for fault in spelling.explain_code(
                text.text, text.place, allow_unread=text.allow_unread
            )
        ]
        if reading_faults:
            faults += reading_faults
            return no_codes
        # The alphabets are intersected text by text, to report the first text that does not fit.
        alphabets = self.conventions.alphabets or frozenset({OWN, *spelling.other_alphabets})
        for text, reading in zip(texts, readings, strict=True):
            if not alphabets & reading.keys():
                faults.append(self._mixture_fault(text, reading, alphabets))
                return no_codes
            alphabets &= reading.keys()
        used_names, color_by_name = self._colors_of_names(readings if NAMES in alphabets else ())
        codes_by_alphabet = {
            alphabet: [
                _code_of_names(reading[NAMES], color_by_name)
                if alphabet == NAMES
                else reading[alphabet]
                for reading in readings
            ]
            for alphabet in sorted(alphabets - ({NAMES} if color_by_name is None else set()))
        }
        if not codes_by_alphabet:
            faults.append(self._names_fault(texts, used_names))
            return no_codes
        # If several alphabets can read all texts, they must give the same codes.
        chosen_codes, *other_codes = codes_by_alphabet.values()
        for index, text in enumerate(texts):
            if any(other[index] != chosen_codes[index] for other in other_codes):
                code_by_alphabet = {
                    alphabet: codes[index] for alphabet, codes in codes_by_alphabet.items()
                }
                faults.append(self._ambiguity_fault(text, code_by_alphabet))
                return no_codes
        if NAMES in codes_by_alphabet and color_by_name:
            self.conventions = self.conventions._replace(used_names=used_names)
            self._warn(color_by_name)
        self.conventions = self.conventions._replace(alphabets=frozenset(codes_by_alphabet))
        return [*chosen_codes]

    def _colors_of_names(
        self, readings: Iterable[Readings]
    ) -> tuple[frozenset[int], dict[int, int] | None]:
        """Return the names of colors used so far, and the color that each of them means.

        Names are indices into COLOR_NAMES. The second value is None if there are too many names, or
        if an earlier name would get another color.
        """
        num_named_colors = self.spelling.num_named_colors
        names = {color for reading in readings for color in reading[NAMES] if color >= 0}
        used_names = self.conventions.used_names | names
        color_by_name = colors_of_names(used_names, num_named_colors)
        earlier_colors = colors_of_names(self.conventions.used_names, num_named_colors) or {}
        if color_by_name is not None and not earlier_colors.items() <= color_by_name.items():
            color_by_name = None
        return used_names, color_by_name

    def _warn(self, color_by_name: dict[int, int]) -> None:
        """Issue a warning with the colors of the names if one means a color of another number."""
        spelling = self.spelling
        if any(name != color for name, color in color_by_name.items()):
            symbols = spelling.symbols or range(1, spelling.game.colors + 1)
            meanings = (
                f"{COLOR_NAMES[name][0]} is {symbols[color]}"
                for name, color in sorted(color_by_name.items())
            )
            colors = {COLOR_NAMES[name][0]: color for name, color in color_by_name.items()}
            warn(ColorNamesWarning(f"colors by name: {', '.join(meanings)}", colors), stacklevel=3)

    def _mixture_fault(
        self, text: PlacedText, reading: Readings, alphabets: Iterable[str]
    ) -> Fault:
        """Return the error for a text in another alphabet than the earlier texts."""
        describe = self.spelling.describe_alphabet
        expected, found = describe(min(alphabets)), describe(min(reading))
        rule = (
            f"all codes of a board use one alphabet; those before use {expected}, this one {found}"
        )
        return text.place.fault(rule, text.text, expected)

    def _ambiguity_fault(self, text: PlacedText, code_by_alphabet: dict[str, Code]) -> Fault:
        """Return the error for a text that has different meanings in several alphabets."""
        spelling = self.spelling
        codes = join_words(dict.fromkeys(map(spelling.print_code, code_by_alphabet.values())), "or")
        alphabets = join_words(map(spelling.describe_alphabet, code_by_alphabet))
        rule = f"it may mean {codes}: {alphabets} fit the whole board; write {codes}"
        if name := _name_with_digits(spelling.game):
            rule += f", or the name {name} instead of {spelling.game}"
        return text.place.fault(rule, text.text, spelling.expected_code)

    def _names_fault(self, texts: Sequence[PlacedText], used_names: frozenset[int]) -> Fault:
        """Return the error for names to which no colors can be assigned; see `_colors_of_names`."""
        spelling, text = self.spelling, texts[-1]
        names = join_words(COLOR_NAMES[name][0] for name in sorted(used_names))
        if len(used_names) > spelling.num_named_colors:
            rule = f"the board names {len(used_names)} colors: {names}"
        else:
            rule = f"with {names}, the colors before would get other numbers"
        return text.place.fault(rule, text.text, spelling.expected_code)

    def read_scores(self, texts: Sequence[PlacedText], faults: list[Fault]) -> list[Score | None]:
        """Read scores so that each letter and each sign has the same meaning in all of them.

        The text of a score can have several meanings, each of which implies meanings of ambiguous
        signs, such as `b=black`. If all meanings of one score imply the same meaning of a sign, it
        applies to the whole board, and contradicting meanings of other scores are excluded. This is
        repeated until nothing changes.
        """
        spelling, num_faults = self.spelling, len(faults)
        meanings_by_text = [spelling.score_meanings(text.text) for text in texts]
        for text, meanings in zip(texts, meanings_by_text, strict=True):
            if not meanings:
                faults += spelling.explain_score(text.text, text.place)
        if len(faults) > num_faults:
            return [None] * len(texts)
        if all(len(meanings) == 1 and not meanings[0][1] for meanings in meanings_by_text):
            return [meanings[0][0] for meanings in meanings_by_text]
        # The meaning of a sign can exclude meanings of earlier scores. So repeat the loop until no
        # score adds the meaning of a sign.
        sign_meanings, has_changed = self.conventions.sign_meanings, True
        while has_changed:
            has_changed = False
            for text_index, (text, meanings) in enumerate(
                zip(texts, meanings_by_text, strict=True)
            ):
                compatible_meanings = tuple(
                    meaning for meaning in meanings if is_compatible(meaning[1], sign_meanings)
                )
                if not compatible_meanings:
                    faults.append(self._contradiction_fault(text, meanings, sign_meanings))
                    return [None] * len(texts)
                meanings_by_text[text_index] = compatible_meanings
                implied = frozenset.intersection(*(meaning[1] for meaning in compatible_meanings))
                has_changed |= not implied <= sign_meanings
                sign_meanings |= implied
        scores: list[Score | None] = []
        for text, meanings in zip(texts, meanings_by_text, strict=True):
            possible_scores = dict.fromkeys(score for score, _ in meanings)
            if len(possible_scores) > 1:
                rule = f"{join_words(map(spelling.print_score, possible_scores), 'or')}?"
                faults.append(text.place.fault(rule, text.text, spelling.expected_score))
            scores.append(None if len(possible_scores) > 1 else next(iter(possible_scores)))
        if len(faults) == num_faults:
            self.conventions = self.conventions._replace(sign_meanings=sign_meanings)
        return scores

    @staticmethod
    def read_items(
        items: Sequence[T | PlacedText | None],
        read_all: Callable[[Sequence[PlacedText], list[Fault]], list[T | None]],
        faults: list[Fault],
        noun: str,
    ) -> list[T | None]:
        """Return the items with each text replaced by the value that `read_all` returns for it.

        All texts are read in one call, because they share one notation. They must have the number
        of their row as the line number: faults name the row, and the item by `noun`.
        """
        texts = [item for item in items if isinstance(item, PlacedText)]
        text_faults: list[Fault] = []
        values = iter(read_all(texts, text_faults) if texts else ())
        faults += [
            replace(fault, line=None, column=None, part=f"{noun} of row {fault.line}")
            for fault in text_faults
        ]
        return [next(values) if isinstance(item, PlacedText) else item for item in items]

    def _contradiction_fault(
        self, text: PlacedText, meanings: Sequence[Meaning], sign_meanings: frozenset[str]
    ) -> Fault:
        """Return the error for a score in which a letter has another meaning than elsewhere."""
        spelling = self.spelling
        score, implied = meanings[0]
        signs = {sign_meaning[0] for sign_meaning in implied}
        other_meanings = {meaning for meaning in sign_meanings if meaning[0] in signs}
        here, there = (
            join_words(f"{meaning[0]} is {meaning[2:]}" for meaning in sorted(group))
            for group in (implied, other_meanings)
        )
        rule = f"{spelling.print_score(score)} if {here}, but elsewhere in the board {there}"
        return text.place.fault(rule, text.text, spelling.expected_score)


def _name_with_digits(game: Game) -> str:
    """Return the name of a published game with the same codes and scores, printed as digits.

    Return "" if there is none, or if the game itself is printed as digits.
    """
    from mmsat.game.names import PUBLISHED_GAMES

    if "0" in game.color_symbols.names:
        return ""
    names: tuple[str, ...] = ("bulls-and-cows", *PUBLISHED_GAMES)  # the best known name first
    for name in names:
        published = PUBLISHED_GAMES[name].game
        rules, published_rules = (
            (either_game.pegs, either_game.colors, either_game.space, either_game.scoring)
            for either_game in (game, published)
        )
        if rules == published_rules and "0" in published.color_symbols.names:
            return name
    return ""


def _code_of_names(names: Code, color_by_name: dict[int, int] | None) -> Code:
    """Convert a reading of the alphabet `names` to colors.

    A symbol of the game that is not a name, such as `_`, is read as -2 - COLOR.
    """
    colors = color_by_name or {}
    return tuple([colors.get(name, name if name == UNREAD else -2 - name) for name in names])


def _at_place(cut: Cut, place: Place, code: Code | None = None) -> tuple[PlacedText, PlacedText]:
    """Return the texts of the guess and the score of a row, with their places in the input."""
    guess_place = Place(place.line, place.column + cut.guess_start)
    score_place = Place(place.line, place.column + cut.score_start)
    guess = PlacedText(cut.guess, guess_place, allow_unread=True, code=code)
    return guess, PlacedText(cut.score, score_place)


class Speller(Spelling):
    """Reads and prints the codes, scores and rows of one game. Use `speller` to get one.

    Each text is read independently. If a text has errors, the methods append them to `faults` and
    return None.
    """

    def parse_code(
        self, text: str, source: str = "the code", conventions: Conventions = NO_CONVENTIONS
    ) -> Code:
        """Return the code that a text means.

        - `source`: the name of the text in error messages.
        - `conventions`: the notation of the board that the code belongs to; by default, any.

        Raises InputError for a text that is not a code or is ambiguous.
        """
        faults: list[Fault] = []
        code = BoardReader(self, conventions).read_code(text.strip(), Place(1, 1), faults)
        if code is None:
            raise InputError(faults, source)
        return code

    def read_guess(self, text: str, place: Place, faults: list[Fault]) -> Code | None:
        """Read a guess, in which pegs may be `?`."""
        return BoardReader(self).read_code(text, place, faults, allow_unread=True)

    def read_code(self, text: str, place: Place, faults: list[Fault]) -> Code | None:
        """Read a code."""
        return BoardReader(self).read_code(text, place, faults)

    def read_score(self, text: str, place: Place, faults: list[Fault]) -> Score | None:
        """Read a score."""
        return BoardReader(self).read_score(text, place, faults)

    def read_row(self, text: str, place: Place, faults: list[Fault]) -> Row | None:
        """Read a row, such as `1122=1.1`, `1122 1 1`, `1 1 2 2: bw` or `1122,1,1`."""
        (row,) = BoardReader(self).read_rows([(text, place)], faults)
        return row


def speller(game: Game) -> Speller:
    """Return the cached speller of a game."""
    return _speller(game, game.printed_symbols)


@lru_cache(maxsize=64)
def _speller(game: Game, _: tuple[str, ...]) -> Speller:
    """Return the speller of a game.

    The second argument is the printed symbols of the game. It is needed as a key of the cache,
    because games with different printed symbols are equal.
    """
    return Speller(game)


def own_speller(game: Game) -> Speller:
    """Return a speller that ignores the printed symbols of a game, for files and documents."""
    return speller(replace(game, printed_symbols=()) if game.printed_symbols else game)


def typed_game(game: Game, codes: Sequence[Code], conventions: Conventions) -> Game:
    """Return a game that prints codes in the symbols in which `codes` were typed.

    Names and emoji of colors are printed as the letters of these colors. Return the same game if
    the codes were typed in its own symbols, or if they would be ambiguous in the typed symbols.
    """
    symbols = typed_symbols(game, conventions)
    if not symbols:
        return game
    printed_game = replace(game, printed_symbols=symbols)
    print_code, start = speller(printed_game).print_code, Place(1, 1)
    texts = [PlacedText(print_code(code), start, allow_unread=True) for code in codes]
    with catch_warnings(action="ignore", category=ColorNamesWarning):
        codes_read = BoardReader(speller(game)).read_codes(texts, [])
    return printed_game if codes_read == [*codes] else game
