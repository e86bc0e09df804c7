"""The symbols of a game's colors, and how typed symbols are matched with them.

A symbol is a user-perceived character: a letter with its marks, which may consist of several code
points (`e` with two accents, a letter of Tamil with its vowel sign, an emoji with its variation
selector). Texts are compared in Unicode's composed form, NFC. A symbol is matched exactly if
possible, otherwise by a folding (upper or lower case, wide or narrow) that only one symbol of the
game has.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from mmsat.game.scoring import Pairs, Scoring

DIGITS = "123456789"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
RESERVED = "-=:/#?.,"
"""Separators of colors, guesses and scores, and `?`: characters that cannot be symbols."""
SELECTORS = "\ufe0e\ufe0f"
"""Variation selectors, which choose the text or the emoji form of a character."""
EMOJI_JOINER = "\u200d"
JOINERS = "\u200c" + EMOJI_JOINER
"""Zero-width joiners, which belong to the character before them."""
MODIFIERS, JAMO = ("\U0001f3fb", "\U0001f3ff"), ("\u1160", "\u11ff")
"""First and last code points of skin tones, and of the vowels and finals of Korean syllables. Both
continue a character."""
FLAGS, TAGS = ("\U0001f1e6", "\U0001f1ff"), ("\U000e0020", "\U000e007f")
"""First and last code points of the letters of national flags, two of which are a character, and of
tags, which continue a character."""
WIDTHS = ("<wide>", "<narrow>")
"""Tags of the Unicode decompositions of full-width and half-width forms."""
DOTLESS_SMALL, DOTTED_CAPITAL = "\u0131", "\u0130"
"""Turkish letters: the lower case of I, and the upper case of i."""


@dataclass(frozen=True)
class Symbols:
    """One symbol per color, all of the same length; empty if colors are numbers."""

    names: tuple[str, ...] = ()
    """The symbols, by color."""
    noun: str = "color"
    """The noun for a color in error messages: digit, letter, pair."""
    attributes: tuple[str, ...] = ()
    """The names of the two attributes of pairs, such as color and shape; empty for other games."""

    @property
    def width(self) -> int:
        """The number of characters in a symbol: 2 for pairs, 0 if colors are numbers."""
        return len(split_characters(self.names[0])) if self.names else 0

    @property
    def range(self) -> str:
        """A description of the symbols for error messages, such as `A to Z`."""
        if not self.attributes:
            return span(self.names)
        names = [*map(split_characters, self.names)]
        return " and ".join(
            f"{noun} {span([*dict.fromkeys(name[place] for name in names)])}"
            for place, noun in enumerate(self.attributes)
        )


def span(symbols: Sequence[str]) -> str:
    """Describe symbols: the first and the last of a run of code points, otherwise all of them.

    Symbols that begin with a run as long as the alphabet are described as the run and the others.
    """
    if len(symbols) > 1 and _is_run(symbols):
        return f"{symbols[0]} to {symbols[-1]}"
    if len(symbols) > len(LETTERS) and _is_run(symbols[: len(LETTERS)]):
        others = "".join(symbols[len(LETTERS) :])
        return f"{span(symbols[: len(LETTERS)])} and {others}"
    return "".join(symbols)


def _is_run(symbols: Sequence[str]) -> bool:
    """Return whether the symbols are consecutive code points."""
    return all(len(symbol) == 1 for symbol in symbols) and (
        [*map(ord, symbols)] == [*range(ord(symbols[0]), ord(symbols[0]) + len(symbols))]
    )


def normalize(text: str) -> str:
    """Return text in the composed form NFC, the form in which symbols are compared."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def split_characters(text: str) -> Sequence[str]:
    """Split text into user-perceived characters, each a base character with its marks.

    These are Unicode's extended grapheme clusters, except that Indic conjuncts are not joined: each
    of their consonants is a character.
    """
    if text.isascii():
        return text
    characters: list[str] = []
    for code_point in text:
        if characters and _is_continued(characters[-1], code_point):
            characters[-1] += code_point
        else:
            characters.append(code_point)
    return characters


def _is_continued(character: str, code_point: str) -> bool:
    """Return whether a code point belongs to the character before it."""
    if character.isspace():
        return False
    if unicodedata.category(code_point)[0] == "M" or code_point in JOINERS:
        return True
    if MODIFIERS[0] <= code_point <= MODIFIERS[1] or JAMO[0] <= code_point <= JAMO[1]:
        return True  # the skin tone of an emoji; a vowel or a final of a Korean syllable
    if TAGS[0] <= code_point <= TAGS[1]:
        return True  # flags of regions
    if FLAGS[0] <= code_point <= FLAGS[1]:  # flags of countries are pairs of these
        return len(character) == 1 and FLAGS[0] <= character <= FLAGS[1]
    return character.endswith(EMOJI_JOINER) and unicodedata.category(code_point) == "So"


def is_symbol(character: str) -> bool:
    """Return whether a character can be a symbol: it is visible and not a separator."""
    is_seen = character[0].isprintable() and unicodedata.category(character[0])[0] not in "MZ"
    return is_seen and not set(character) & set(RESERVED)


def is_letter(character: str) -> bool:
    """Return whether a character is a letter, with or without marks."""
    return unicodedata.category(character[0])[0] == "L"


class SymbolTable:
    """Finds the colors of typed symbols."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.width = len(split_characters(names[0])) if names else 0
        self.exact = {normalize(name): color for color, name in enumerate(names)}
        self.is_turkish = not {DOTLESS_SMALL, DOTTED_CAPITAL}.isdisjoint(self.exact)
        self.folded: dict[str, list[int]] = {}
        for name, color in self.exact.items():
            for folding in self._foldings(name):
                self.folded.setdefault(folding, []).append(color)
        self.unique = self.exact | {
            form: color
            for name, color in self.exact.items()
            for form in (name.lower(), name.upper())
            if self.candidates(form) == [color]
        }
        """Colors by symbols and their unambiguous upper and lower case, for a fast first lookup."""

    def candidates(self, symbol: str) -> list[int]:
        """Return the colors that a symbol may mean: several if ambiguous, none if unknown.

        The upper case of two symbols may mean either. A form with another number of characters,
        such as SS for the German sharp s, is unknown.
        """
        symbol = normalize(symbol)
        if symbol in self.exact:
            return [self.exact[symbol]]
        if len(split_characters(symbol)) != self.width:
            return []
        foldings = self._foldings(symbol)
        return sorted({color for folding in foldings for color in self.folded.get(folding, ())})

    def find(self, symbol: str) -> int | None:
        """Return the color of a symbol, or None if it is unknown or ambiguous."""
        color = self.unique.get(symbol)
        if color is None and len(colors := self.candidates(symbol)) == 1:
            return colors[0]
        return color

    def readings(self, symbol: str) -> list[str]:
        """Return the symbols of the game that a symbol may mean."""
        return [self.names[color] for color in self.candidates(symbol)]

    def _foldings(self, symbol: str) -> set[str]:
        """Return normal forms of a symbol that ignore case, width and variation selectors.

        Two symbols match if they have a form in common. A symbol has two forms if it involves
        Turkish case rules: I is the upper case of both i and the dotless i if a Turkish letter is a
        symbol of the game.
        """
        plain = "".join(
            unicodedata.normalize("NFKC", code_point)
            if unicodedata.decomposition(code_point).startswith(WIDTHS)
            else code_point
            for code_point in symbol
            if code_point not in SELECTORS
        )
        foldings = {normalize(plain.casefold())}
        if plain == DOTTED_CAPITAL:
            foldings.add("i")
        if plain == "I" and self.is_turkish:
            foldings.add(DOTLESS_SMALL)
        return foldings


def letters_of(words: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return the symbols of a word list: the letters of its words, one symbol per letter.

    If a list has a letter in both cases, the lower case is the symbol. If a letter of the basic
    Latin alphabet occurs, all 26 are symbols (in lower case if the list has one in lower case), so
    that guesses that are not in the list can be read.
    """
    letters = {letter for word in words for letter in word}
    for alphabet in (LETTERS.lower(), LETTERS):
        if not letters.isdisjoint(alphabet):
            letters.update(alphabet)
            break
    small = [letter for letter in letters if letter.lower() == letter]
    table = SymbolTable(small)
    others = sorted((letter for letter in letters if not table.candidates(letter)), reverse=True)
    capitals = {
        normalize(letter.casefold()): letter for letter in others
    }  # the last one wins: one symbol per letter
    return tuple(sorted([*small, *capitals.values()]))


def pairs_of(
    firsts: Sequence[str], seconds: Sequence[str], attributes: tuple[str, ...] = ("color", "shape")
) -> Symbols:
    """Return the symbols of pairs: a character of the first attribute, then one of the second."""
    names = tuple(first + second for first, second in product(firsts, seconds))
    return Symbols(names, "pair", attributes)


def usual(colors: int, scoring: Scoring) -> Symbols:
    """Return the default symbols of a game.

    They are digits from 1 for up to 9 colors, and letters for up to 26 colors. Pairs have a digit
    and a letter, for up to 9 colors and 26 shapes. Otherwise colors are numbers, without symbols.
    """
    if isinstance(scoring, Pairs):
        firsts, seconds = scoring.factors(colors)
        if firsts <= len(DIGITS) and seconds <= len(LETTERS):
            return pairs_of(DIGITS[:firsts], LETTERS[:seconds])
        return Symbols(noun="pair", attributes=("color", "shape"))
    if colors <= len(DIGITS):
        return Symbols(tuple(DIGITS[:colors]))
    if colors <= len(LETTERS):
        return Symbols(tuple(LETTERS[:colors]), "letter" if scoring.marks else "color")
    return Symbols()
