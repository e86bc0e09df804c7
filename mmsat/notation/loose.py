"""Rows as people, tables and other programs write them, beside what mmsat prints in board lines.

1 1 2 2 = 1 1      blanks between pegs and numbers      RRGG=bw       letters of colors, of keys
1122,1,1           a line of CSV                        1122=1b1w     key pegs counted by name
1122  1 black 1 white                                   1122=1A1B     bulls (A) and cows (B)
1122=2100     a digit a key peg: 2 black          CRANE=22100   a digit a place: 2 in place
"""

import re
from collections.abc import Sequence

from mmsat.game.row import UNREAD
from mmsat.game.symbols import LETTERS

COLOR_LETTERS = "RGBYOPWK"
"""Red, green, blue, yellow, orange, purple, white and black: the colors 1 to 8."""
WORD = re.compile(r"[^\s,;]+")
SIGN = re.compile("[=:]")
COUNTED = re.compile(r"([0-9]{1,6}) *([a-z]+)[ ,]*")
KEY_NAMES = {"a": "black", "b": "white"}
"""In 1A1B; elsewhere b is for black."""

Piece = tuple[int, str]
"""Where a piece of text starts, and the piece."""


def split_row(text: str, pegs: int, width: int) -> tuple[Piece, Piece] | None:
    """The guess and the score of a row; `width` is how long a guess without blanks is."""
    if sign := SIGN.search(text):
        guessed, scored = text[: sign.start()], text[sign.end() :].lstrip()
        if guessed.strip() and scored:
            before = len(guessed) - len(guessed.lstrip())
            return (before, guessed.strip()), (len(text) - len(scored), scored.rstrip())
    words = list(WORD.finditer(text))
    if len(words) < 2 or "=" in text or ":" in text:
        return None
    is_whole = len(words[0][0]) == width or "-" in words[0][0] or len(words) <= pegs
    last = 0 if is_whole else pegs - 1
    start, end = words[0].start(), words[last].end()
    score = words[last + 1].start()
    return (start, text[start:end]), (score, text[score:].rstrip())


def letter_codes(text: str, colors: int, unread: str = "") -> list[tuple[int, ...]]:
    """What letters may stand for in a game of digits: A for 1, or R for red; each code once.

    `unread` is what stands for a peg that was not read, if such a peg may be there.
    """
    alphabets = (LETTERS[:colors], COLOR_LETTERS[:colors])
    codes = {
        tuple([UNREAD if sign == unread else known.index(sign) for sign in text])
        for known in alphabets
        if set(text) <= {*known, unread}
    }
    return sorted(codes)


def key_score(text: str, parts: Sequence[str], pegs: int) -> tuple[int, ...] | None:
    """A score that is written by the names of its key pegs, or with a digit for each."""
    text = text.lower()
    if text.isalpha():
        return _by_letters(text, parts)
    if text.isdecimal() and len(text) == pegs > 2 and tuple(parts) == ("black", "white"):
        is_sorted = set(text) <= set("012") and list(text) == sorted(text, reverse=True)
        return (text.count("2"), text.count("1")) if is_sorted else None
    found = COUNTED.findall(text)
    if not found or COUNTED.sub("", text):
        return None
    words = [word for _, word in found]
    names = KEY_NAMES if sorted(words) == ["a", "b"] else {part[0]: part for part in parts}
    counts = {names.get(word, word): int(number) for number, word in found}
    if len(found) != len(parts) or counts.keys() != set(parts):
        return None
    return tuple(counts[part] for part in parts)


def _by_letters(text: str, parts: Sequence[str]) -> tuple[int, ...] | None:
    """A letter for each key peg: `bbw`."""
    initials = [part[0] for part in parts]
    if len(set(initials)) < len(initials) or not set(text) <= set(initials):
        return None
    return tuple(map(text.count, initials))
