"""Reading scores: `1b1w`, `1 bull 1 cow`, `2 black pegs, 1 white peg`, `+-`, `fermi pico`.

Numbers          1.1  1,1  1;1  1:1  1-1  1/1  1 1  (1,1)
Digit per peg    2100: 2 in place, 1 elsewhere, 0 absent
Sign per key peg bbw  rw  bbc  ++-  circles and squares, with a dot for a missing peg
Counted names    1b1w  1B1C  1A1B  2 black, 1 white  white: 1, black: 2  1 hit 2 blows
Listed names     fermi fermi pico  bull cow  bagels

If a kind of key peg is not named, its number is 0: `2 black` is 2.0. A single number is not a score
of two parts. Some letters and signs are ambiguous: `b` is black (or a bull), but white in 1A1B,
1S1B and 1H1B; `-` is white in `+-`, but `-` alone may be a missing peg. Each ambiguous letter or
sign has the same meaning in the whole board (`Conventions.keys`).
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain

from mmsat.game import Score
from mmsat.game.notation.alphabets import DASHES, INVISIBLE, unwrap

NUMBER = r"(?:[0-9]{1,6}|\?)"
NUMBERS = re.compile(
    rf"{NUMBER}(?:\s*(?P<sign>[.,;:/|&+-])\s*{NUMBER}(?:\s*(?P=sign)\s*{NUMBER})*"
    rf"|(?:\s+{NUMBER})+|(?:\s+and\s+{NUMBER})+)?"
)
"""Numbers that are all separated by the same separator."""
PIECE = re.compile(r"[0-9]+|\?|[^\W\d_]+|\S")
LEADING_SEPARATOR = re.compile(r"(?:[-=]*>|[;,:|=]|-(?=\s))\s*")
"""A separator at the beginning of a score."""
UNREAD = "?"

WORDS = {
    "black": ("bull", "hit", "fermi", "strike", "exact", "red", "filled", "full"),
    "white": (
        *("cow", "blow", "pico", "ball", "near", "partial", "close", "hollow", "empty", "semi"),
        *("misplaced", "elsewhere"),
    ),
    "color": ("colour", "common", "shared", "match", "hit", "white", "correct", "right"),
}
"""Other words for the key pegs of each part, in the singular."""
RIGHT_WORDS = ("correct", "right", "match", "place")
"""Words for black if the score names all parts except black."""
ZERO_WORDS = ("bagel", "none", "nothing", "out", "miss")
"""Words for a score without key pegs."""
OBJECT_WORDS = ("peg", "pin", "digit", "letter", "color", "colour", "number", "symbol", "position")
"""Words for the counted objects, which are ignored if there are other words."""
FILLER_WORDS = {
    *("and", "are", "at", "but", "for", "gave", "get", "gets", "got", "has", "have"),
    *("in", "is", "it", "its", "key", "of", "result", "reply", "response", "answer", "feedback"),
    *("score", "scored", "scores", "the", "there", "was", "were", "with"),
}
OPEN_NUMBER = re.compile(r"[0-9]\s*\+\s*[a-z]")
"""A number with a plus sign, as in `1+ black`. This means "at least 1", and is not read."""
NUMBER_WORDS = {
    "no": "0",
    "zero": "0",
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
}
_PLACE = "(?:place|position|spot|location)s?"
PHRASES = (
    (rf"(?:in )?(?:the |its )?(?:wrong|incorrect|other|another) {_PLACE}", "white"),
    (rf"(?:out of|not in) {_PLACE}|(?:wrongly|badly|incorrectly) placed", "white"),
    (rf"(?:right|correct) colou?rs? and {_PLACE}", "black"),
    (rf"(?:in )?(?:the |its )?(?:right|correct|exact) {_PLACE}|in {_PLACE}", "black"),
    (r"(?:well|correctly|rightly) placed|exact match(?:es)?", "black"),
    (r"partial match(?:es)?", "white"),
)
"""Phrases for the key pegs of a part, in the order in which they are replaced."""
LETTER_SETS = (
    ({"b": "black", "w": "white"}, ""),
    ({"b": "black", "c": "white"}, ""),
    ({"r": "black", "w": "white"}, ""),
    ({"f": "black", "p": "white"}, ""),
    ({"a": "black", "b": "white"}, "a"),
    ({"s": "black", "b": "white"}, "s"),
    ({"h": "black", "b": "white"}, "h"),
    ({"c": "color"}, ""),
    ({"w": "color"}, ""),
)
"""Alternative sets of letters for key pegs, each with a letter that must occur, or ""."""
MISSING_PEG_SIGNS = {".": "", "\u00b7": ""}
"""Signs for a missing peg."""
SIGN_SETS = (
    ({"+": "black", "-": "white"}, False),
    ({"-": ""}, False),
    ({"\u25cf": "black", "\u25cb": "white", "\u25c6": "blue"}, False),
    ({"\u2b24": "black", "\u25ef": "white"}, False),
    ({"\u26ab": "black", "\u26aa": "white", "\U0001f535": "blue"}, False),
    ({"\u2b1b": "black", "\u2b1c": "white"}, False),
    ({"\U0001f534": "black", "\u26aa": "white"}, False),
    ({"\U0001f7e9": "black", "\U0001f7e8": "white", "\u2b1b": "", "\u2b1c": ""}, True),
    ({"\U0001f7e2": "black", "\U0001f7e1": "white", "\u26ab": "", "\u26aa": ""}, True),
)
"""Alternative sets of signs for key pegs, and whether each peg of the guess needs a sign."""
AMBIGUOUS_SIGNS = frozenset("b-\u26ab\u26aa\u2b1b\u2b1c")
"""The letters and signs with several meanings in `LETTER_SETS` and `SIGN_SETS`."""

Meaning = tuple[Score, frozenset[str]]
"""A score, and the conventions under which a text means this score, such as `b=black`."""
NO_CONVENTION: frozenset[str] = frozenset()
"""The conventions of a meaning that does not depend on conventions."""


@lru_cache(maxsize=1 << 12)
def score_meanings(text: str, parts: tuple[str, ...], pegs: int) -> tuple[Meaning, ...]:
    """Return the possible meanings of a score.

    Texts such as `- 0` and `;2 correct` are read with and without the leading separator.
    """
    meanings: dict[Meaning, None] = {}
    clean = unwrap(text.translate(DASHES | INVISIBLE))
    separator = LEADING_SEPARATOR.match(clean)
    for variant in (clean, *([clean[separator.end() :]] if separator else [])):
        meanings |= dict.fromkeys(_read_score(variant.lower(), parts, pegs))
    return tuple(meanings)


def is_compatible(keys: frozenset[str], others: frozenset[str]) -> bool:
    """Return whether each letter or sign has the same meaning in two sets of conventions."""
    return len({key[0] for key in keys | others}) == len(keys | others)


def _read_score(text: str, parts: tuple[str, ...], pegs: int) -> Iterable[Meaning]:
    """Return the meanings of a score in lower case."""
    if (numbers := _read_numbers(text, len(parts))) is not None:
        return [(numbers, NO_CONVENTION)]
    if (score := _read_digit_per_peg(text, parts, pegs)) is not None:
        return [(score, NO_CONVENTION)]
    return [*_read_signs(text, parts, pegs), *_read_words(text, parts)]


def _read_numbers(text: str, parts: int) -> Score | None:
    """Return the score of numbers with a common separator, one for each part, or None."""
    if NUMBERS.fullmatch(text):
        numbers = re.findall(NUMBER, text)
        if len(numbers) == parts:
            return tuple(None if number == UNREAD else int(number) for number in numbers)
    return None


def _read_digit_per_peg(text: str, parts: tuple[str, ...], pegs: int) -> Score | None:
    """Return the score of digits such as `2100`, or None.

    The digits, in descending order, are a 2 for each black peg, a 1 for each white peg and a 0 for
    each other peg.
    """
    is_score = parts == ("black", "white") and len(text) == pegs > 2 and set(text) <= set("012")
    if is_score and list(text) == sorted(text, reverse=True):
        return text.count("2"), text.count("1")
    return None


def _read_signs(text: str, parts: tuple[str, ...], pegs: int) -> Iterable[Meaning]:
    """Yield the meanings of a text of one sign per key peg.

    Either all signs or no signs are separated by blanks.
    """
    pieces = text.split()
    signs = "".join(pieces)
    if len(pieces) > 1 and len(pieces) < len(signs):
        return
    for part_by_sign, is_for_each_peg in SIGN_SETS:
        all_meanings = part_by_sign | MISSING_PEG_SIGNS
        has_fitting_length = len(signs) == pegs if is_for_each_peg else len(signs) <= pegs
        used_signs = {*signs}
        if is_for_each_peg and sum(all_meanings.get(sign) == "" for sign in used_signs) > 1:
            continue  # absent pegs are all dark or all light
        if (
            has_fitting_length
            and used_signs & part_by_sign.keys()
            and {all_meanings.get(sign) for sign in used_signs} <= {*parts, ""}
        ):
            score = tuple(sum(all_meanings[sign] == part for sign in signs) for part in parts)
            yield score, _conventions(used_signs, all_meanings)


def _conventions(used_signs: Iterable[str], meanings: dict[str, str]) -> frozenset[str]:
    """Return the conventions for the ambiguous letters and signs that a score uses."""
    return frozenset(
        f"{sign}={meanings[sign] or 'none'}" for sign in AMBIGUOUS_SIGNS.intersection(used_signs)
    )


def _read_words(text: str, parts: tuple[str, ...]) -> Iterable[Meaning]:
    """Yield the meanings of a text of counted or listed names or letters of key pegs."""
    pieces = _simplify(text, parts)
    if not pieces:
        return
    if len(pieces) == 1 and pieces[0] in ZERO_WORDS:
        yield (0,) * len(parts), NO_CONVENTION
        return
    score = _read_numbers(" ".join(pieces), len(parts)) or _count_keys(
        pieces, _part_by_word(pieces, parts), parts
    )
    if score is not None:
        yield score, NO_CONVENTION
        return
    tokens = [*"".join(pieces)] if "".join(pieces).isalpha() else pieces
    for letter_parts, required_letter in LETTER_SETS if len(parts) < 3 else ():
        usable_letters = {letter: part for letter, part in letter_parts.items() if part in parts}
        is_counted = any(piece.isdecimal() for piece in tokens)
        if not required_letter or (required_letter in tokens and is_counted):
            score = _count_keys(tokens, usable_letters, parts)
            if score is not None:
                # with a required letter, b is white: 2A alone implies that B is white
                used_signs = {*tokens, *("b" * bool(required_letter))}
                yield (
                    score,
                    _conventions(used_signs, letter_parts) if len(parts) > 1 else NO_CONVENTION,
                )


def _simplify(text: str, parts: tuple[str, ...]) -> list[str] | None:
    """Return the numbers, names and letters of a score in words.

    Return None if the text has anything else, or is ambiguous.
    """
    if not re.search("[a-z]", text) or OPEN_NUMBER.search(text):
        return None
    text = text.rstrip(".!").replace("(s)", "")
    for phrase, part in PHRASES:
        if part in parts:
            text = re.sub(rf"\b(?:{phrase})\b", f" {part} ", text)
    # "1 right color in the wrong place" is a white peg
    text = re.sub(r"\b(?:right|correct)(?: [a-z]+)?,?(?: but)?\s+(black|white)\b", r" \1", text)
    names = {*parts, *chain.from_iterable(WORDS.get(part, ()) for part in parts)}
    words = {*names, *ZERO_WORDS, *RIGHT_WORDS, *OBJECT_WORDS}
    pieces = []
    for piece in PIECE.findall(text):
        singular = (piece, piece.removesuffix("s"), piece.removesuffix("es"))
        word = next((candidate for candidate in singular if candidate in words), piece)
        if word.isalnum() or word == UNREAD:
            pieces += [NUMBER_WORDS.get(word, word)] * (word not in FILLER_WORDS)
        elif word not in ",;:=&+/().":
            return None
    terms = [piece for piece in pieces if piece in names or piece not in OBJECT_WORDS]
    if len(parts) > 1 and len(terms) < len(pieces) and not any(map(str.isalpha, terms)):
        return None  # "2 colors 1 position" is ambiguous
    return terms


def _part_by_word(pieces: Sequence[str], parts: tuple[str, ...]) -> dict[str, str]:
    """Return the part of the score that each word means.

    Words such as `right` mean black if `pieces` name all other parts and not black.
    """
    part_by_word = {word: part for part in parts for word in (part, *WORDS.get(part, ()))}
    named_parts = {part_by_word[piece] for piece in pieces if piece in part_by_word}
    if "black" in parts and "black" not in named_parts and named_parts | {"black"} == {*parts}:
        part_by_word |= dict.fromkeys(RIGHT_WORDS, "black")
    return part_by_word


def _count_keys(
    pieces: Sequence[str], part_by_word: dict[str, str], parts: tuple[str, ...]
) -> Score | None:
    """Return the score of counted names (1 b 2 w, b 1 w 2) or listed names (b w w), or None."""
    if any(piece.isdecimal() for piece in pieces):  # "3 correct colors" has one name
        pieces = [
            piece
            for index, piece in enumerate(pieces)
            if not index
            or part_by_word.get(piece) is None
            or part_by_word[piece] != part_by_word.get(pieces[index - 1])
        ]
    is_number = [piece == UNREAD or piece.isdecimal() for piece in pieces]
    if not any(is_number):
        if not {*pieces} <= part_by_word.keys():
            return None
        return tuple(sum(part_by_word[piece] == part for piece in pieces) for part in parts)
    number_start = 0 if is_number[0] else 1
    numbers, words = pieces[number_start::2], pieces[1 - number_start :: 2]
    is_paired = len(numbers) == len(words) == sum(is_number) and all(is_number[number_start::2])
    counted_parts = [part_by_word.get(word, "") for word in words]
    if not is_paired or "" in counted_parts or len({*counted_parts}) < len(counted_parts):
        return None
    if any(not re.fullmatch(NUMBER, number) for number in numbers):
        return None
    values = [None if number == UNREAD else int(number) for number in numbers]
    counts = dict(zip(counted_parts, values, strict=True))
    return tuple(counts.get(part, 0) for part in parts)
