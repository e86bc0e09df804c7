"""Read the rows of a board from text, with every fault and its position, and print them.

A row is split into its number, its guess and its score. These forms are read, among others:

    1122=1.1        GUESS=SCORE, the printed form      #1 1122 1 1       a number before a row,
    1122 1 1        separated by blanks, commas ...    1. 1122 1 1       with or without a sign
    1 1 2 2 1 1     a blank between pegs               Guess #1: 1122 -> 1 black, 1 white

The guesses and scores of one board share one notation, so `BoardReader` reads them together. To
read a single code, use `Speller.parse_code`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple
from warnings import catch_warnings, warn

from mmsat._util.text import join_words
from mmsat.errors import ColorNamesWarning, Fault, InputError, Place
from mmsat.game import UNREAD, Code, Row, Score
from mmsat.game.game import Game
from mmsat.game.notation import (
    COLOR_NAMES,
    NAMES,
    OWN,
    Conventions,
    Meaning,
    Readings,
    is_compatible,
    number_names,
    typed_symbols,
)
from mmsat.game.notation.spelling import Spelling
from mmsat.game.unread import is_allowed

WORD = r"[^\s,;|]+"
SCORE_SEPARATOR = r"[-=]+>|[\u2192=:\[({]|\b(?:score|result|reply|response|answer|feedback)\b"
"""A sign or word between a guess and its score, other than blanks and commas."""
MAX_SEPARATORS = 4
"""The maximum number of `SCORE_SEPARATOR` matches in a row at which a cut is tried."""
MARGIN = r"(?:[\s|>*\u2022]|-\s)*"
"""Characters before a row: the border of a table, or the marker of a quotation or list item."""
TITLE = "(?:guess|row|turn|try|attempt|move|round|step|number|no|nr|code)"
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
CERTAIN_LABEL = rf"(?i)#|{TITLE}\b|[\[(]?[0-9]{{1,4}}\s*[.)\]]|[0-9]+[snrt]"
"""The beginning of a label that is certainly not text of the guess."""
GUESS_ENDING = r"[\s,;|:=>\u2192-]+$"
"""Separators at the end of a guess, which are removed."""
NUMBERED_ROW = rf"(?i)\s*(?:{TITLE}\b\.?\s*)?#[0-9]+(?=[\s.:)\]|,;])[^#]*\S"
"""A row with a number sign before its number, as in `#1 1122 1 1`."""
NUMBERED_COMMENT = r"\s*#\s+[0-9]{1,4}[\s.:)\]|,;]+(\S.*)"
"""A comment that starts with a number, and so may be meant as a row."""


def strip_comment(line: str) -> str:
    """Remove the comment of a line: `#1 1122 1 1` is a row, `# 1122 1 1` is a comment."""
    row = re.match(NUMBERED_ROW, line)
    start = row.end() if row else 0
    return line[:start] + line[start:].partition("#")[0].rstrip()


class Cut(NamedTuple):
    """The texts of a guess and its score, with their offsets in the row."""

    guess_start: int
    guess: str
    score_start: int
    score: str


def cuts(text: str, pegs: int) -> Iterator[Cut]:
    """Yield the possible cuts of a row into a guess of `pegs` pegs and a score.

    If the row may have a label, the cuts that count it as text of the guess come first.
    """
    start = re.match(MARGIN, text).end()  # type: ignore[union-attr]
    yield from _cuts_from(text, start, pegs)
    if label := re.compile(LABEL).match(text, start):
        yield from _cuts_from(text, label.end(), pegs)


def most_likely_cut(text: str, pegs: int, width: int) -> Cut | None:
    """Return the cut whose errors are reported if no cut can be read, or None.

    - `width`: the length of a guess without blanks, in characters.
    """
    start = re.match(MARGIN, text).end()  # type: ignore[union-attr]
    if (label := re.compile(LABEL).match(text, start)) and re.match(CERTAIN_LABEL, label[0]):
        start = label.end()
    separator = re.compile("[=:]").search(text, start)
    if separator and text[start : separator.start()].strip() and text[separator.end() :].strip():
        return _cut(text, start, separator.start(), separator.end())
    words = [*re.compile(WORD).finditer(text, start)]
    if len(words) < 2 or separator:
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
        if count in (1, pegs):
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
    blank = len(guess) - len(guess.lstrip())
    score = text[score_start:].lstrip(" \t,;|")
    after = len(text) - len(score)
    return Cut(
        start + blank, re.sub(GUESS_ENDING, "", guess.strip()), after, score.rstrip(" \t\r|,;")
    )


MAX_SUGGESTED_WORDS = 3
"""The maximum number of similar words that an error message suggests."""
NO_CONVENTIONS = Conventions()
"""The conventions of a board before any text is read."""


class PlacedText(NamedTuple):
    """The text of a code, a guess or a score, with its place in the input."""

    text: str
    place: Place
    allow_unread: bool = False
    """Whether pegs of a guess may be `?`."""


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
        """Read rows."""
        return self.read_board(rows, (), faults)[0]

    def read_board(
        self,
        rows: Sequence[tuple[str, Place]],
        known: Sequence[PlacedText],
        faults: list[Fault],
    ) -> tuple[list[Row | None], list[Code | None]]:
        """Read rows and known codes. The result is None for each text with errors."""
        pairs = [self._cut_row(text, place, faults) for text, place in rows]
        guesses = [pair[0] for pair in pairs if pair is not None]
        codes = self.read_codes([*guesses, *known], faults)
        scores = self.read_scores([pair[1] for pair in pairs if pair is not None], faults)
        codes_and_scores = zip(codes, scores, strict=False)
        read_rows: list[Row | None] = []
        for pair in pairs:
            code, score = (None, None) if pair is None else next(codes_and_scores)
            read_rows.append(None if code is None or score is None else Row(code, score))
        return read_rows, codes[len(guesses) :]

    def _cut_row(
        self, text: str, place: Place, faults: list[Fault]
    ) -> tuple[PlacedText, PlacedText] | None:
        """Return the texts of the guess and the score of a row, or None after an error."""
        # Fast path: GUESS=SCORE with a guess in the game's own symbols.
        spelling = self.spelling
        before, _, after = text.partition("=")
        guess, score = before.strip(), after.strip()
        if score and spelling.match_symbols(guess, allow_unread=True):
            score_start = len(text) - len(after.lstrip())
            return _at_place(Cut(before.index(guess), guess, score_start, score), place)
        readable = self._readable_cuts(text)
        if len(readable) > 1:
            choices = join_words((f"{cut.guess} = {cut.score}" for cut in readable.values()), "or")
            faults.append(place.fault(f"{choices}?", text.strip(), "GUESS=SCORE"))
            return None
        width = spelling.pegs * max(1, spelling.width)
        cut = next(iter(readable.values()), None) or most_likely_cut(text, spelling.pegs, width)
        if cut is None or not (readable or self._is_partly_read(text, cut)):
            expected = f"GUESS=SCORE such as {spelling.example}"
            rule = "a comment has a blank after #" if text.lstrip().startswith("#") else ""
            faults.append(place.fault(rule, text.strip(), expected))
            return None
        return _at_place(cut, place)

    def _is_partly_read(self, text: str, cut: Cut) -> bool:
        """Return whether it is clear where the guess of a row ends, so that errors have a place."""
        spelling = self.spelling
        is_guess = bool(spelling.code_readings(cut.guess, allow_unread=True))
        return is_guess or "=" in text or ":" in text or bool(spelling.score_meanings(cut.score))

    def can_read(self, text: str) -> bool:
        """Return whether a text can be read as a row."""
        return bool(self._readable_cuts(text))

    def _readable_cuts(self, text: str) -> dict[object, Cut]:
        """Return the cuts of a row that can be read: one cut for each meaning, the key."""
        spelling = self.spelling
        readable: dict[object, Cut] = {}
        for cut in cuts(text, spelling.pegs):
            meanings = spelling.score_meanings(cut.score)
            readings = spelling.code_readings(cut.guess, allow_unread=True) if meanings else {}
            if readings:
                readable.setdefault((meanings, tuple(readings.items())), cut)
        return readable

    def read_codes(self, texts: Sequence[PlacedText], faults: list[Fault]) -> list[Code | None]:
        """Read codes, all in the same alphabet."""
        spelling = self.spelling
        codes = [
            spelling.match_symbols(text.text, allow_unread=text.allow_unread) for text in texts
        ]
        own_alphabets = spelling.own_alphabets
        if None in codes or not self.conventions.alphabets <= own_alphabets:
            codes = self._read_together(texts, faults)
        elif any(color != UNREAD for code in codes for color in code or ()):
            alphabets = self.conventions.alphabets or own_alphabets
            self.conventions = self.conventions._replace(alphabets=alphabets)
        if spelling.has_word_list:
            codes = [
                code if code is None or self._is_allowed(code, text, faults) else None
                for code, text in zip(codes, texts, strict=True)
            ]
        return codes

    def _is_allowed(self, code: Code, text: PlacedText, faults: list[Fault]) -> bool:
        """Return whether a game of words allows a code or a past guess; if not, add an error.

        A past guess need not be in the list. If it has unread pegs, a word of the list must match
        the other pegs.
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
        alphabets = self.conventions.alphabets or frozenset({OWN, *spelling.other_alphabets})
        for text, reading in zip(texts, readings, strict=True):
            if not alphabets & reading.keys():
                faults.append(self._mixture_fault(text, reading, alphabets))
                return no_codes
            alphabets &= reading.keys()
        used_names, numbers = self._number_names(readings if NAMES in alphabets else ())
        codes_by_alphabet = {
            alphabet: [
                _number(reading[alphabet], numbers) if alphabet == NAMES else reading[alphabet]
                for reading in readings
            ]
            for alphabet in sorted(alphabets - ({NAMES} if numbers is None else set()))
        }
        if not codes_by_alphabet:
            faults.append(self._numbering_fault(texts, used_names))
            return no_codes
        chosen_codes, *other_codes = codes_by_alphabet.values()
        for index, text in enumerate(texts):
            if any(other[index] != chosen_codes[index] for other in other_codes):
                code_by_alphabet = {
                    alphabet: codes[index] for alphabet, codes in codes_by_alphabet.items()
                }
                faults.append(self._ambiguity_fault(text, code_by_alphabet))
                return no_codes
        if NAMES in codes_by_alphabet and numbers:
            self.conventions = self.conventions._replace(colors=used_names)
            self._warn(numbers)
        self.conventions = self.conventions._replace(alphabets=frozenset(codes_by_alphabet))
        return [*chosen_codes]

    def _number_names(
        self, readings: Iterable[Readings]
    ) -> tuple[frozenset[int], dict[int, int] | None]:
        """Return the names of colors that guesses use, and the colors that they mean.

        The colors are None if there are too many names, or if the color of an earlier name would
        change.
        """
        num_named_colors = self.spelling.num_named_colors
        names = {color for reading in readings for color in reading[NAMES] if color >= 0}
        used_names = self.conventions.colors | names
        numbers = number_names(used_names, num_named_colors)
        earlier_numbers = number_names(self.conventions.colors, num_named_colors) or {}
        if numbers is not None and not earlier_numbers.items() <= numbers.items():
            numbers = None
        return used_names, numbers

    def _warn(self, numbers: dict[int, int]) -> None:
        """Issue a warning with the colors of the names, unless each name has its own number."""
        spelling = self.spelling
        if any(name != number for name, number in numbers.items()):
            symbols = spelling.symbols or range(1, spelling.game.colors + 1)
            meanings = (f"{COLOR_NAMES[n][0]} is {symbols[numbers[n]]}" for n in sorted(numbers))
            colors = {COLOR_NAMES[name][0]: number for name, number in numbers.items()}
            warn(ColorNamesWarning(f"colors by name: {', '.join(meanings)}", colors), stacklevel=3)

    def _mixture_fault(
        self, text: PlacedText, reading: Readings, alphabets: Iterable[str]
    ) -> Fault:
        """Return the error for a text in another alphabet than the earlier texts."""
        before, here = (
            self.spelling.describe_alphabet(min(alphabet_names))
            for alphabet_names in (alphabets, reading)
        )
        rule = f"all codes of a board use one alphabet; those before use {before}, this one {here}"
        return text.place.fault(rule, text.text, before)

    def _ambiguity_fault(self, text: PlacedText, code_by_alphabet: dict[str, Code]) -> Fault:
        """Return the error for a text that has different meanings in several alphabets."""
        spelling = self.spelling
        codes = join_words(dict.fromkeys(map(spelling.print_code, code_by_alphabet.values())), "or")
        alphabets = join_words(map(spelling.describe_alphabet, code_by_alphabet))
        rule = f"it may mean {codes}: {alphabets} fit the whole board; write {codes}"
        if name := _name_with_digits(spelling.game):
            rule += f", or the name {name} instead of {spelling.game}"
        return text.place.fault(rule, text.text, spelling.expected_code)

    def _numbering_fault(self, texts: Sequence[PlacedText], used_names: frozenset[int]) -> Fault:
        """Return the error for names of colors that cannot be numbered."""
        spelling, text = self.spelling, texts[-1]
        names = join_words(COLOR_NAMES[name][0] for name in sorted(used_names))
        if len(used_names) > spelling.num_named_colors:
            rule = f"the board names {len(used_names)} colors: {names}"
        else:
            rule = f"with {names}, the colors before would get other numbers"
        return text.place.fault(rule, text.text, spelling.expected_code)

    def read_scores(self, texts: Sequence[PlacedText], faults: list[Fault]) -> list[Score | None]:
        """Read scores so that each letter and each sign has the same meaning in all of them.

        Each score can have several meanings, and each meaning needs certain conventions. The
        conventions that all meanings of one score need apply to the whole board. Meanings that
        contradict these conventions are dropped, until nothing changes.
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
        keys, is_new = self.conventions.keys, True
        while is_new:
            is_new = False
            for text_index, (text, meanings) in enumerate(
                zip(texts, meanings_by_text, strict=True)
            ):
                compatible_meanings = tuple(
                    meaning for meaning in meanings if is_compatible(meaning[1], keys)
                )
                if not compatible_meanings:
                    faults.append(self._contradiction_fault(text, meanings, keys))
                    return [None] * len(texts)
                meanings_by_text[text_index] = compatible_meanings
                needed_keys = frozenset.intersection(
                    *(meaning[1] for meaning in compatible_meanings)
                )
                is_new |= not needed_keys <= keys
                keys |= needed_keys
        scores: list[Score | None] = []
        for text, meanings in zip(texts, meanings_by_text, strict=True):
            possible_scores = dict.fromkeys(score for score, _ in meanings)
            if len(possible_scores) > 1:
                rule = f"{join_words(map(spelling.print_score, possible_scores), 'or')}?"
                faults.append(text.place.fault(rule, text.text, spelling.expected_score))
            scores.append(None if len(possible_scores) > 1 else next(iter(possible_scores)))
        if len(faults) == num_faults:
            self.conventions = self.conventions._replace(keys=keys)
        return scores

    def _contradiction_fault(
        self, text: PlacedText, meanings: Sequence[Meaning], keys: frozenset[str]
    ) -> Fault:
        """Return the error for a score in which a letter has another meaning than elsewhere."""
        spelling = self.spelling
        score, needed_keys = meanings[0]
        signs = {key[0] for key in needed_keys}
        here = join_words(f"{key[0]} is {key[2:]}" for key in sorted(needed_keys))
        there = join_words(f"{key[0]} is {key[2:]}" for key in sorted(keys) if key[0] in signs)
        rule = f"{spelling.print_score(score)} if {here}, but elsewhere in the board {there}"
        return text.place.fault(rule, text.text, spelling.expected_score)


def _name_with_digits(game: Game) -> str:
    """Return the name of a published game with the same codes and scores, printed as digits.

    Return "" if there is none, or if the game itself is printed as digits.
    """
    from mmsat.game.names import PUBLISHED_GAMES

    if "0" in game.spelled.names:
        return ""
    names: tuple[str, ...] = ("bulls-and-cows", *PUBLISHED_GAMES)  # the best known name first
    for name in names:
        other = PUBLISHED_GAMES[name].game
        same_codes = (other.pegs, other.colors, other.space) == (game.pegs, game.colors, game.space)
        if same_codes and other.scoring == game.scoring and "0" in other.spelled.names:
            return name
    return ""


def _number(code: Code, numbers: dict[int, int] | None) -> Code:
    """Return the colors of a code in the alphabet `names`, given the colors of the names.

    A negative number other than UNREAD is -2 - COLOR; see `other_alphabets`.
    """
    colors = numbers or {}
    return tuple([colors.get(name, name if name == UNREAD else -2 - name) for name in code])


def _at_place(cut: Cut, place: Place) -> tuple[PlacedText, PlacedText]:
    """Return the texts of the guess and the score of a row, with their places in the input."""
    line, column = place
    guess = PlacedText(cut.guess, Place(line, column + cut.guess_start), allow_unread=True)
    return guess, PlacedText(cut.score, Place(line, column + cut.score_start))


class Speller(Spelling):
    """Reads and prints the codes, scores and rows of one game.

    Each text is read independently. If a text has errors, the methods append them to `faults` and
    return None.
    """

    def parse_code(
        self, text: str, source: str = "the code", *, allow_unread: bool = False
    ) -> Code:
        """Return the code that a text in any alphabet means.

        - `source`: the name of the text in error messages.
        - `allow_unread`: pegs may be `?`, as in a guess.

        Raises InputError for a text that is not a code or is ambiguous.
        """
        faults: list[Fault] = []
        code = BoardReader(self).read_code(
            text.strip(), Place(1, 1), faults, allow_unread=allow_unread
        )
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
    """Return the speller of a game; games that are equal can differ in their printed symbols."""
    return Speller(game)


def own_speller(game: Game) -> Speller:
    """Return a speller that prints codes in the symbols of the game, for files and documents."""
    return speller(replace(game, printed_symbols=()) if game.printed_symbols else game)


def typed_game(game: Game, codes: Sequence[Code], conventions: Conventions) -> Game:
    """Return a game that prints codes in the symbols in which `codes` were typed.

    Return the same game if they were typed in its own symbols, or if the codes of a board would be
    ambiguous in the typed symbols: circles and squares are printed as letters.
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
