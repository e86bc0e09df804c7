"""The alphabets that guesses are written in, and how the guesses of one board are read together.

A board has one alphabet. These are tried:

own       the game's own symbols, and the numbers of colors joined by `-`: this is what is printed
joined    digits that are symbols but not the numbers of their colors, such as 0 to 9, joined by `-`
letters   A for color 1, B for color 2, ... in games whose colors are the digits 1 to 9
names     the letters, names and emoji of colors (`COLOR_NAMES`)
zero      the digits 0 to 9 in a game of ten colors that is printed in letters
one       the digits 1 to 9 in such a game

Letters in a game that is printed in letters are always its own symbols, and digits in a game that
is printed in digits are always its own. So the alphabets `own` and any other never read the same
text, and what is printed has one reading. The exception is `joined`, which reads digits without `-`
as `own` does.
"""

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from mmsat.game.game import Game
from mmsat.game.row import UNREAD, Code

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
"""The colors by name, in the order of their numbers: name, letter, emoji.

In a game of C colors the first C names are the colors 1 to C; see `number_names` for the others.
"""
COLOR_LETTERS = "".join(letter for _, letter, _ in COLOR_NAMES)
ALSO = {"grey": "gray"}
"""Other ways to write a name."""
DECIMALS = "0123456789"
DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212"), "-")
"""Dashes and the minus sign are `-`."""
INVISIBLE: dict[int, str] = dict.fromkeys(map(ord, "\ufe0e\ufe0f\u20e3"), "")
"""How an emoji is to be drawn does not matter."""
WORD = re.compile(r"[^\s,;|]+")
GAPS = re.compile(r"[\s,;|]+")
JOINTS = re.compile(r"[\s,;|-]+")
MISSING_PEG = re.compile(r"(?:^|-)\s*(?:-|$)")
"""A `-` without a peg before or after it."""
ENCLOSED = re.compile(r"""\s*(?:\[(.*)\]|\((.*)\)|\{(.*)\}|"(.*)"|'(.*)')\s*""", re.DOTALL)


class Conventions(NamedTuple):
    """How the guesses and scores that were read so far of one board are written.

    A text that is read later has to follow them. This makes a board that is typed row by row mean
    the same as one that is read at once.
    """

    alphabets: frozenset[str] = frozenset()
    """The alphabets that read every guess so far; empty if nothing was read."""
    colors: frozenset[int] = frozenset()
    """The names of colors that were used, by their places in `COLOR_NAMES`."""
    keys: frozenset[str] = frozenset()
    """What ambiguous letters and signs of scores mean; see scores.py."""


Readings = dict[str, Code]
"""The code of a text in each alphabet that reads it; named colors as places in `COLOR_NAMES`."""


def unwrap(text: str) -> str:
    """Return a text without blanks, brackets or quotation marks around it."""
    match = ENCLOSED.fullmatch(text)
    return next(part for part in match.groups() if part is not None) if match else text.strip()


def color_symbols(*, with_letters: bool) -> dict[str, int]:
    """Return the place in `COLOR_NAMES` of each lower-case name, emoji and, if wanted, letter."""
    found: dict[str, int] = {}
    for place, (name, letter, signs) in enumerate(COLOR_NAMES):
        found |= dict.fromkeys((name, *signs), place)
        if with_letters and letter:
            found[letter.lower()] = place
    return found | {other: found[name] for other, name in ALSO.items()}


def other_alphabets(game: Game) -> tuple[dict[str, dict[str, int]], int]:
    """Return the alphabets of a game besides `own`, and how many colors have names.

    An alphabet has the color of each lower-case symbol. In `names`, that is a place in
    `COLOR_NAMES`, or -2 - COLOR for a symbol of the game such as the `_` of a blank.
    """
    symbols = game.spelled
    is_usual = game.symbols is None and not symbols.attributes
    names = symbols.names
    digits = next((n for n, symbol in enumerate(names) if symbol != str(n + 1)), len(names))
    extra = {symbol: color for color, symbol in enumerate(names) if color >= digits}
    others: dict[str, dict[str, int]] = {}
    if any(symbol in {*DECIMALS} and symbol != str(n + 1) for n, symbol in enumerate(names)):
        others[JOINED] = {symbol.lower(): color for color, symbol in enumerate(names)}
    is_plain = symbols.noun == "color" and not any(symbol.isalnum() for symbol in extra)
    has_digits = digits > 0 and is_plain
    if has_digits:
        others[LETTERS] = {chr(ord("a") + color): color for color in range(digits)} | extra
    elif is_usual and len(names) == len(DECIMALS):
        others[ZERO] = {digit: color for color, digit in enumerate(DECIMALS)}
        others[ONE] = {digit: color for color, digit in enumerate(DECIMALS[1:])}
    if game.scoring.are_colors_alike and (has_digits or (is_usual and symbols.noun == "color")):
        kept = {symbol: -2 - color for symbol, color in extra.items()} if has_digits else {}
        others[NAMES] = color_symbols(with_letters=has_digits) | kept
    return others, digits if has_digits else game.colors


def tokens(text: str, pegs: int, *, joined: bool) -> Iterable[list[str]]:
    """Yield the ways to cut a text into one piece per peg, also at single `-` if `joined`."""
    for gaps in (GAPS, JOINTS) if joined and not MISSING_PEG.search(text) else (GAPS,):
        pieces = [piece for piece in gaps.split(text) if piece]
        if len(pieces) == pegs:
            yield pieces
    if len(text) == pegs:
        yield [*text]


def read_alphabet(
    text: str, pegs: int, colors: dict[str, int], *, unread: bool, joined: bool
) -> Code | None:
    """Return the colors of a text in one alphabet, or None if it does not read the text.

    - `joined`: whether `-` may be between pegs.
    """
    for pieces in tokens(text, pegs, joined=joined):
        found = [
            UNREAD if unread and piece == UNREAD_SIGN else colors.get(piece.lower())
            for piece in pieces
        ]
        if None not in found:
            return tuple(color for color in found if color is not None)
    return None


def number_names(names: Collection[int], colors: int) -> dict[int, int] | None:
    """Return the color of each name that a board uses, or None if they are too many.

    The first names have the numbers of their places. The others stand in for names that are not
    used, the first of them for the last color, the next one for the color before, and so on. If
    that is taken, it is the highest free color.
    """
    if len(names) > colors:
        return None
    numbers = {name: name for name in names if name < colors}
    taken = {*numbers}
    others = sorted({*names} - taken)
    for name in others:
        place = colors - 1 - (name - colors) % colors
        if place not in taken:
            numbers[name] = place
            taken.add(place)
    free = sorted({*range(colors)} - taken)
    return numbers | {name: free.pop() for name in others if name not in numbers}


def describe_names(colors: int) -> str:
    """Return the letters of colors in the words of an error."""
    return f"the letters {' '.join(COLOR_LETTERS[:colors])}, or names such as red and green"


def closest_names(text: str, pegs: int) -> list[str]:
    """Return the words of a text as names of colors, if there are `pegs` words similar to names.

    An abbreviation is the first name that starts with it.
    """
    from difflib import get_close_matches  # noqa: PLC0415  (for errors alone)

    names = [*color_symbols(with_letters=False)]
    words = [word for word in JOINTS.split(text.lower()) if word]
    near = []
    for word in words:
        longer = [name for name in names if len(word) > 1 and name.startswith(word)]
        near += (longer or get_close_matches(word, names, 1))[:1]
    return near if len(near) == len(words) == pegs and near != words else []
