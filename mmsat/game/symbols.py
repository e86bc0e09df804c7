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

from mmsat._util.arguments import NAME, RULES, Rule, check_constructor, names_of
from mmsat.game.scoring import Pairs, Scoring

DIGITS = "123456789"
"""The default symbols of games with up to 9 colors."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The default symbols of games with 10 to 26 colors."""
RESERVED = "-=:/#?.,"
"""Characters that cannot be symbols: the separators of colors, guesses and scores, and `?`."""
OMITTED_NOUNS = ("letter", "digit")
"""Nouns that sentences omit before a symbol: "there is no R", "place 2 is 7"."""
SELECTORS = "\ufe0e\ufe0f"
"""Variation selectors, which choose the text or the emoji form of a character."""
EMOJI_JOINER = "\u200d"
"""The zero-width joiner, which combines emoji to one character."""
JOINERS = "\u200c" + EMOJI_JOINER
"""The zero-width non-joiner and joiner, which belong to the character before them."""
SKIN_TONES = ("\U0001f3fb", "\U0001f3ff")
"""The first and the last skin tone. A skin tone belongs to the emoji before it."""
JAMO = ("\u1160", "\u11ff")
"""The first and the last vowel or final consonant of Korean syllables, which belong to the
consonant before them."""
FLAG_LETTERS = ("\U0001f1e6", "\U0001f1ff")
"""The first and the last letter of national flags. Two of these letters are one character."""
TAGS = ("\U000e0020", "\U000e007f")
"""The first and the last tag. Tags belong to the emoji before them, such as flags of regions."""
WIDTH_TAGS = ("<wide>", "<narrow>")
"""The tags with which Unicode marks the decompositions of full-width and half-width forms."""
DOTLESS_SMALL, DOTTED_CAPITAL = "\u0131", "\u0130"
"""Turkish letters: the lower case of I, and the upper case of i."""


@check_constructor
@dataclass(frozen=True)
class Symbols:
    """One symbol per color, all of the same length; empty if colors are numbers."""

    names: tuple[str, ...] = ()
    """The symbols, by color. The constructor also accepts a text with one character per symbol."""
    noun: str = "color"
    """The noun for a color in error messages, such as digit, letter or pair."""
    attributes: tuple[str, ...] = ()
    """The names of the two attributes of pairs, such as color and shape; empty for other games."""

    def __post_init__(self) -> None:
        if isinstance(self.names, str):
            object.__setattr__(self, "names", tuple(split_characters(normalize(self.names))))

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
            f"{noun} {span([*dict.fromkeys(name[index] for name in names)])}"
            for index, noun in enumerate(self.attributes)
        )


RULES["Symbols.names"] = Rule(
    "a text with one character per symbol, or a list of texts",
    lambda names: names if isinstance(names, str) else names_of(names),
)
RULES["Symbols.noun"] = NAME
RULES["Symbols.attributes"] = Rule("a list of texts", names_of)


def span(symbols: Sequence[str]) -> str:
    """Describe symbols, such as `A to Z`.

    Consecutive code points are described by the first and the last symbol. If the first 26 of more
    symbols are consecutive, the others are listed after them. Otherwise, all symbols are listed.
    """
    if len(symbols) > 1 and _is_run(symbols):
        return f"{symbols[0]} to {symbols[-1]}"
    if len(symbols) > len(LETTERS) and _is_run(symbols[: len(LETTERS)]):
        other_symbols = "".join(symbols[len(LETTERS) :])
        return f"{span(symbols[: len(LETTERS)])} and {other_symbols}"
    return "".join(symbols)


def _is_run(symbols: Sequence[str]) -> bool:
    """Return whether the symbols are consecutive code points."""
    return all(len(symbol) == 1 for symbol in symbols) and (
        [*map(ord, symbols)] == [*range(ord(symbols[0]), ord(symbols[0]) + len(symbols))]
    )


def normalize(text: str) -> str:
    """Return text in the composed form NFC, in which symbols are compared."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def split_characters(text: str) -> Sequence[str]:
    """Split text into user-perceived characters, each a base character with its marks.

    User-perceived characters are Unicode's extended grapheme clusters, except that each consonant
    of an Indic conjunct is a character.
    """
    if text.isascii():
        return text
    characters: list[str] = []
    for code_point in text:
        if characters and _continues(code_point, characters[-1]):
            characters[-1] += code_point
        else:
            characters.append(code_point)
    return characters


def _continues(code_point: str, character: str) -> bool:
    """Return whether a code point belongs to the character before it."""
    if character.isspace():
        return False
    if unicodedata.category(code_point)[0] == "M" or code_point in JOINERS:
        return True
    if any(first <= code_point <= last for first, last in (SKIN_TONES, JAMO, TAGS)):
        return True
    if FLAG_LETTERS[0] <= code_point <= FLAG_LETTERS[1]:  # the second letter of a flag
        return len(character) == 1 and FLAG_LETTERS[0] <= character <= FLAG_LETTERS[1]
    return character.endswith(EMOJI_JOINER) and unicodedata.category(code_point) == "So"


def is_symbol(character: str) -> bool:
    """Return whether a character can be a symbol: it is visible and not a separator."""
    is_visible = character[0].isprintable() and unicodedata.category(character[0])[0] not in "MZ"
    return is_visible and not set(character) & set(RESERVED)


def is_letter(character: str) -> bool:
    """Return whether a character is a letter, with or without marks."""
    return unicodedata.category(character[0])[0] == "L"


class SymbolTable:
    """Maps typed symbols to colors."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.width = len(split_characters(names[0])) if names else 0
        self.exact_colors = {normalize(name): color for color, name in enumerate(names)}
        self.is_turkish = not {DOTLESS_SMALL, DOTTED_CAPITAL}.isdisjoint(self.exact_colors)
        self.colors_by_folding: dict[str, list[int]] = {}
        for name, color in self.exact_colors.items():
            for folding in self._foldings(name):
                self.colors_by_folding.setdefault(folding, []).append(color)
        self.color_by_symbol = self.exact_colors | {
            form: color
            for name, color in self.exact_colors.items()
            for form in (name.lower(), name.upper())
            if self.candidates(form) == [color]
        }
        """The color of each symbol, and of its upper and lower case if they are unambiguous.

        Most typed symbols are found here, without the slower `candidates`."""

    def candidates(self, symbol: str) -> list[int]:
        """Return the colors that a symbol may mean: several if ambiguous, none if unknown.

        If two symbols have the same upper case, the upper case may mean either symbol. A form with
        another number of characters, such as SS for the German sharp s, is unknown.
        """
        symbol = normalize(symbol)
        if symbol in self.exact_colors:
            return [self.exact_colors[symbol]]
        if len(split_characters(symbol)) != self.width:
            return []
        foldings = self._foldings(symbol)
        return sorted(
            {color for folding in foldings for color in self.colors_by_folding.get(folding, ())}
        )

    def find(self, symbol: str) -> int | None:
        """Return the color of a symbol, or None if it is unknown or ambiguous."""
        color = self.color_by_symbol.get(symbol)
        if color is None and len(colors := self.candidates(symbol)) == 1:
            return colors[0]
        return color

    def readings(self, symbol: str) -> list[str]:
        """Return the symbols of the game that a symbol may mean."""
        return [self.names[color] for color in self.candidates(symbol)]

    def _foldings(self, symbol: str) -> set[str]:
        """Return the normal forms of a symbol, which ignore case, width and variation selectors.

        Two symbols match if they have a form in common. Turkish letters can have two forms: if a
        Turkish letter is a symbol of the game, I is the upper case of both i and the dotless i.
        """
        simplified = "".join(
            unicodedata.normalize("NFKC", code_point)
            if unicodedata.decomposition(code_point).startswith(WIDTH_TAGS)
            else code_point
            for code_point in symbol
            if code_point not in SELECTORS
        )
        foldings = {normalize(simplified.casefold())}
        if simplified == DOTTED_CAPITAL:
            foldings.add("i")
        if simplified == "I" and self.is_turkish:
            foldings.add(DOTLESS_SMALL)
        return foldings


def letter_symbols(words: Iterable[Sequence[str]]) -> tuple[str, ...]:
    """Return the symbols of a word list: the letters of its words, one symbol per letter.

    If a list has a letter in both cases, the lower case is the symbol. If one of the letters A to Z
    occurs, all 26 are symbols, so that guesses that are not in the list can be read. They are in
    lower case if one of them is in lower case in the list.
    """
    letters = {letter for word in words for letter in word}
    for alphabet in (LETTERS.lower(), LETTERS):
        if not letters.isdisjoint(alphabet):
            letters.update(alphabet)
            break
    lower_case = [letter for letter in letters if letter.lower() == letter]
    table = SymbolTable(lower_case)
    other_letters = sorted(
        (letter for letter in letters if not table.candidates(letter)), reverse=True
    )
    # One symbol per letter: of several capitals with the same lower case, the first in order
    # remains, because `other_letters` is in reverse order.
    capitals = {normalize(letter.casefold()): letter for letter in other_letters}
    return tuple(sorted([*lower_case, *capitals.values()]))


def pair_symbols(
    first_values: Sequence[str],
    second_values: Sequence[str],
    attributes: tuple[str, ...] = ("color", "shape"),
) -> Symbols:
    """Return the symbols of pairs: a character of the first attribute, then one of the second."""
    names = tuple(first + second for first, second in product(first_values, second_values))
    return Symbols(names, "pair", attributes)


def default_symbols(colors: int, scoring: Scoring) -> Symbols:
    """Return the default symbols of a game.

    The symbols are digits from 1 for up to 9 colors, and letters for up to 26 colors. A pair is a
    digit and a letter, for up to 9 colors and 26 shapes. Larger games have no symbols: their colors
    are written as numbers.
    """
    if isinstance(scoring, Pairs):
        num_first, num_second = scoring.factors(colors)
        if num_first <= len(DIGITS) and num_second <= len(LETTERS):
            return pair_symbols(DIGITS[:num_first], LETTERS[:num_second])
        return Symbols(noun="pair", attributes=("color", "shape"))
    if colors <= len(DIGITS):
        return Symbols(tuple(DIGITS[:colors]))
    if colors <= len(LETTERS):
        return Symbols(tuple(LETTERS[:colors]), "letter" if scoring.marks else "color")
    return Symbols()
