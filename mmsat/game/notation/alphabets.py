"""The alphabets of guesses: the ways to write colors as text.

All guesses of a board are in one alphabet. These are tried:

own       the symbols of the game, or color numbers joined by `-`; used for printing
joined    digits that are symbols but not the numbers of their colors, such as 0 to 9, joined by `-`
letters   A for color 1, B for color 2, ... in games whose colors are the digits 1 to 9
names     the letters, names and emoji of colors (`COLOR_NAMES`)
zero      the digits 0 to 9 in a game of ten colors that is printed in letters
one       the digits 1 to 9 in such a game

In a game printed in letters, letters always mean its own symbols. In a game printed in digits,
digits always mean its own symbols. So no
other alphabet reads a text that `own` reads, and printed text has a unique
reading. The exception is `joined`, which reads digits without `-` like `own`.
"""

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from mmsat.game import UNREAD, Code
from mmsat.game.game import Game

OWN, JOINED, LETTERS, NAMES, ZERO, ONE = "own", "joined", "letters", "names", "zero", "one"
UNREAD_SIGN = "?"
COLOR_NAMES = (
    ("red", "R", "\U0001f534\U0001f7e5\u2764"),
    ("green", "G", "\U0001f7e2\U0001f7e9\U0001f49a"),
    ("blue", "B", "\U0001f535\U0001f7e6\U0001f499"),
    ("yellow", "Y", "\U0001f7e1\U0001f7e8\U0001f49b"),
    ("orange", "O", "\U0001f7e0\U0001f7e7\U0001f9e1"),
    ("purple", "P", "\U0001f7e3\U0001f7ea\U0001f49c"),
    ("white", "W", "\u26aa\u2b1c\U0001f90d"),
    ("black", "K", "\u26ab\u2b1b\U0001f5a4"),
    ("cyan", "C", ""),
    ("magenta", "M", ""),
    ("brown", "N", "\U0001f7e4\U0001f7eb\U0001f90e"),
    ("violet", "V", ""),
    ("pink", "", "\U0001fa77"),
    ("gray", "", "\U0001fa76"),
    ("turquoise", "", ""),
    ("lime", "", ""),
    ("gold", "", ""),
    ("silver", "", ""),
)
"""The names of colors, as (name, letter, emoji).

In a game with C colors, the first C names are the colors 1 to C. `number_names` numbers the others.
"""
COLOR_LETTERS = "".join(letter for _, letter, _ in COLOR_NAMES)
"""The letters of the colors that have a letter, in order."""
ALTERNATIVE_NAMES = {"grey": "gray"}
"""Alternative spellings of the names of colors."""
DECIMALS = "0123456789"
"""The decimal digits."""
DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")
"""A translation table that replaces dashes and the minus sign by `-`."""
INVISIBLE: dict[int, str] = dict.fromkeys(map(ord, "\ufe0e\ufe0f\u20e3"), "")
"""A translation table that removes code points for the presentation of emoji."""
WORD = re.compile(r"[^\s,;|]+")
"""Text between separators."""
SEPARATORS = re.compile(r"[\s,;|]+")
SEPARATORS_OR_DASH = re.compile(r"[\s,;|-]+")
MISSING_PEG = re.compile(r"(?:^|-)\s*(?:-|$)")
"""A `-` without a peg before or after it."""
ENCLOSED = re.compile(r"""\s*(?:\[(.*)\]|\((.*)\)|\{(.*)\}|"(.*)"|'(.*)')\s*""", re.DOTALL)


class Conventions(NamedTuple):
    """The notation of the guesses and scores of a board that have been read so far.

    Texts that are read later must use the same notation. So a board that is typed row by row has
    the same meaning as a board that is read at once.
    """

    alphabets: frozenset[str] = frozenset()
    """The alphabets that can read every guess so far; empty before the first guess."""
    colors: frozenset[int] = frozenset()
    """The names of colors that guesses use, as indices into `COLOR_NAMES`."""
    keys: frozenset[str] = frozenset()
    """The meanings of ambiguous letters and signs of scores, such as `b=black`; see scores.py."""


Readings = dict[str, Code]
"""The meanings of a text: by alphabet, a code, or indices into `COLOR_NAMES` for `names`."""


def unwrap(text: str) -> str:
    """Return a text without surrounding blanks, brackets or quotation marks."""
    match = ENCLOSED.fullmatch(text)
    return next(part for part in match.groups() if part is not None) if match else text.strip()


def color_symbols(*, with_letters: bool) -> dict[str, int]:
    """Return the index in `COLOR_NAMES` of each name, emoji and (`with_letters`) letter.

    Names and letters are in lower case.
    """
    symbols: dict[str, int] = {}
    for index, (name, letter, signs) in enumerate(COLOR_NAMES):
        symbols |= dict.fromkeys((name, *signs), index)
        if with_letters and letter:
            symbols[letter.lower()] = index
    return symbols | {alternative: symbols[name] for alternative, name in ALTERNATIVE_NAMES.items()}


def other_alphabets(game: Game) -> tuple[dict[str, dict[str, int]], int]:
    """Return the alphabets of a game other than `own`, and the number of colors that have names.

    An alphabet maps lower-case symbols to colors. The alphabet `names` maps them to indices into
    `COLOR_NAMES`, or to -2 - COLOR for a symbol of the game such as the `_` of a blank.
    """
    # The first `num_digits` symbols are 1, 2, 3, ... All other symbols are in `extra_symbols`.
    symbols = game.spelled
    has_default_symbols = game.symbols is None and not symbols.attributes
    names = symbols.names
    num_digits = next((n for n, symbol in enumerate(names) if symbol != str(n + 1)), len(names))
    extra_symbols = {symbol: color for color, symbol in enumerate(names) if color >= num_digits}
    alphabets: dict[str, dict[str, int]] = {}
    if any(symbol in {*DECIMALS} and symbol != str(n + 1) for n, symbol in enumerate(names)):
        alphabets[JOINED] = {symbol.lower(): color for color, symbol in enumerate(names)}
    are_letters_free = symbols.noun == "color" and not any(
        symbol.isalnum() for symbol in extra_symbols
    )
    is_printed_in_digits = num_digits > 0 and are_letters_free
    if is_printed_in_digits:
        alphabets[LETTERS] = {
            chr(ord("a") + color): color for color in range(num_digits)
        } | extra_symbols
    elif has_default_symbols and len(names) == len(DECIMALS):
        alphabets[ZERO] = {digit: color for color, digit in enumerate(DECIMALS)}
        alphabets[ONE] = {digit: color for color, digit in enumerate(DECIMALS[1:])}
    if game.scoring.are_colors_alike and (
        is_printed_in_digits or (has_default_symbols and symbols.noun == "color")
    ):
        extra_names = (
            {symbol: -2 - color for symbol, color in extra_symbols.items()}
            if is_printed_in_digits
            else {}
        )
        alphabets[NAMES] = color_symbols(with_letters=is_printed_in_digits) | extra_names
    return alphabets, num_digits if is_printed_in_digits else game.colors


def split_pegs(text: str, pegs: int, *, joined: bool) -> Iterable[list[str]]:
    """Yield the ways to split a text into one piece per peg.

    With `joined`, `-` may separate pegs.
    """
    for separators in (
        (SEPARATORS, SEPARATORS_OR_DASH)
        if joined and not MISSING_PEG.search(text)
        else (SEPARATORS,)
    ):
        pieces = [piece for piece in separators.split(text) if piece]
        if len(pieces) == pegs:
            yield pieces
    if len(text) == pegs:
        yield [*text]


def read_alphabet(
    text: str, pegs: int, colors: dict[str, int], *, allow_unread: bool, joined: bool
) -> Code | None:
    """Return the colors of a text in one alphabet, or None if the alphabet cannot read the text.

    - `allow_unread`: pegs may be `?`.
    - `joined`: `-` may separate pegs.
    """
    for pieces in split_pegs(text, pegs, joined=joined):
        piece_colors = [
            UNREAD if allow_unread and piece == UNREAD_SIGN else colors.get(piece.lower())
            for piece in pieces
        ]
        if None not in piece_colors:
            return tuple(color for color in piece_colors if color is not None)
    return None


def number_names(used_names: Collection[int], colors: int) -> dict[int, int] | None:
    """Return the color of each name that a board uses, or None if there are more names than colors.

    Names are indices into `COLOR_NAMES`. A name below `colors` is the color with the same number.
    The other names are assigned from the last color: the name `colors` is the last color, the next
    name is the color before it, and so on. If this color is taken, the name is the highest free
    color.
    """
    if len(used_names) > colors:
        return None
    color_by_name = {name: name for name in used_names if name < colors}
    taken_colors = {*color_by_name}
    other_names = sorted({*used_names} - taken_colors)
    for name in other_names:
        color = colors - 1 - (name - colors) % colors
        if color not in taken_colors:
            color_by_name[name] = color
            taken_colors.add(color)
    free_colors = sorted({*range(colors)} - taken_colors)
    return color_by_name | {
        name: free_colors.pop() for name in other_names if name not in color_by_name
    }


def describe_names(colors: int) -> str:
    """Return a description of the letters and names of colors for error messages."""
    return f"the letters {' '.join(COLOR_LETTERS[:colors])}, or names such as red and green"


def closest_names(text: str, pegs: int) -> list[str]:
    """Return similar names of colors for the words of a text, for error messages.

    The name for an abbreviation is the first name that starts with it. The result is empty if the
    text does not have `pegs` words, if a word has no similar name, or if all words are names.
    """
    from difflib import get_close_matches

    names = [*color_symbols(with_letters=False)]
    words = [word for word in SEPARATORS_OR_DASH.split(text.lower()) if word]
    near_names = []
    for word in words:
        completions = [name for name in names if len(word) > 1 and name.startswith(word)]
        near_names += (completions or get_close_matches(word, names, 1))[:1]
    return near_names if len(near_names) == len(words) == pegs and near_names != words else []
