"""The notations of colors and scores, in which boards are read and printed.

**Alphabets** are the ways to write colors as text. All guesses of a board are in one alphabet.
These are tried:

own       the symbols of the game, or color numbers joined by `-`; used for printing
joined    the symbols joined by `-`, in games with a digit as the symbol of another color number,
          such as bulls and cows, whose colors 1 to 10 have the symbols 0 to 9
letters   A for color 1, B for color 2, ... in games whose colors are the digits 1 to 9
names     the letters, names and emoji of colors (`COLOR_NAMES`)
zero      the digits 0 to 9 in a game of ten colors that is printed in letters
one       the digits 1 to 9 in such a game

In a game printed in letters, letters always mean its own symbols. In a game printed in digits,
digits always mean its own symbols. So no other alphabet reads a text that `own` reads, and printed
text has a unique meaning. The exception is `joined`, which reads digits without `-` like `own`.

**Scores** are read in these forms:

Numbers          1.1  1,1  1;1  1:1  1-1  1/1  1 1  (1,1)
Digit per peg    2100: 2 in place, 1 elsewhere, 0 absent
Sign per key peg bbw  rw  bbc  ++-  circles and squares, with a dot for a missing key peg
Counted names    1b1w  1B1C  1A1B  2 black, 1 white  white: 1, black: 2  1 hit 2 blows
Listed names     fermi fermi pico  bull cow  bagels

If a kind of key peg is not named, its number is 0: `2 black` is 2.0. A single number is not a score
of two parts. Some letters and signs are ambiguous: `b` is black (or a bull), but white in 1A1B,
1S1B and 1H1B; `-` is white in `+-`, but `-` alone may be a missing peg. Each ambiguous letter or
sign has the same meaning in the whole board (`Conventions.sign_meanings`).
"""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import chain

from mmsat.game import UNREAD, Code, Conventions, Score
from mmsat.game.game import Game

OWN, JOINED, LETTERS, NAMES, ZERO, ONE = "own", "joined", "letters", "names", "zero", "one"
"""The alphabets."""
UNREAD_SIGN = "?"
"""The sign for an unread peg of a guess, or an unread part of a score."""
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

In a game with C colors, the first C names mean the colors 1 to C. `colors_of_names` assigns colors
to the other names.
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
WORD = r"[^\s,;|]+"
"""Text between separators."""
SEPARATORS = r"[\s,;|]+"
"""Separators of pegs, or of a guess and a score."""
SEPARATORS_OR_DASH = r"[\s,;|-]+"
"""Separators of pegs in alphabets in which `-` separates pegs, too."""
LONE_DASH = r"(?:^|-)\s*(?:-|$)"
"""A `-` that lacks a peg before or after it."""
ENCLOSED_TEXT = r"""(?s)\s*(?:\[(.*)\]|\((.*)\)|\{(.*)\}|"(.*)"|'(.*)')\s*"""
"""Text in brackets or quotation marks."""


Readings = dict[str, Code]
"""The codes that a text can mean, keyed by the alphabet. For the alphabet `names`, it is a sequence
of indices into `COLOR_NAMES` instead of a code."""


def unwrap(text: str) -> str:
    """Return a text without surrounding blanks, brackets or quotation marks."""
    match = re.fullmatch(ENCLOSED_TEXT, text)
    return next(part for part in match.groups() if part is not None) if match else text.strip()


def name_indices(*, with_letters: bool) -> dict[str, int]:
    """Return the index in `COLOR_NAMES` of each name, emoji and (`with_letters`) letter.

    Names and letters are in lower case.
    """
    indices: dict[str, int] = {}
    for index, (name, letter, emoji) in enumerate(COLOR_NAMES):
        indices |= dict.fromkeys((name, *emoji), index)
        if with_letters and letter:
            indices[letter.lower()] = index
    return indices | {alternative: indices[name] for alternative, name in ALTERNATIVE_NAMES.items()}


def other_alphabets(game: Game) -> tuple[dict[str, dict[str, int]], int]:
    """Return the alphabets of a game other than `own`, and the number of colors that have names.

    An alphabet maps lower-case symbols to colors. The alphabet `names` maps them to indices into
    `COLOR_NAMES`, or to -2 - COLOR for a symbol of the game such as the `_` of a blank.
    """
    # The first `num_digits` symbols are 1, 2, 3, ... All other symbols are in `extra_symbols`.
    symbols = game.color_symbols
    has_default_symbols = game.symbols is None and not symbols.attributes
    names = symbols.names
    num_digits = next((n for n, symbol in enumerate(names) if symbol != str(n + 1)), len(names))
    extra_symbols = {symbol: color for color, symbol in enumerate(names) if color >= num_digits}
    alphabets: dict[str, dict[str, int]] = {}
    if any(symbol in {*DECIMALS} and symbol != str(n + 1) for n, symbol in enumerate(names)):
        alphabets[JOINED] = {symbol.lower(): color for color, symbol in enumerate(names)}
    # Letters can mean colors if no symbol of the game is a letter.
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
        alphabets[ONE] = {str(color + 1): color for color in range(game.colors)}
    if game.scoring.are_colors_alike and (
        is_printed_in_digits or (has_default_symbols and symbols.noun == "color")
    ):
        extra_names = (
            {symbol: -2 - color for symbol, color in extra_symbols.items()}
            if is_printed_in_digits
            else {}
        )
        alphabets[NAMES] = name_indices(with_letters=is_printed_in_digits) | extra_names
    return alphabets, num_digits if is_printed_in_digits else game.colors


def split_pegs(text: str, pegs: int, *, dash_separates: bool) -> Iterable[list[str]]:
    """Yield the ways to split a text into one piece per peg.

    With `dash_separates`, `-` may separate pegs.
    """
    for separators in (
        (SEPARATORS, SEPARATORS_OR_DASH)
        if dash_separates and not re.search(LONE_DASH, text)
        else (SEPARATORS,)
    ):
        pieces = [piece for piece in re.split(separators, text) if piece]
        if len(pieces) == pegs:
            yield pieces
    if len(text) == pegs:
        yield [*text]


def read_alphabet(
    text: str, pegs: int, colors: dict[str, int], *, allow_unread: bool, dash_separates: bool
) -> Code | None:
    """Return the colors of a text in one alphabet, or None if the alphabet cannot read the text.

    - `colors`: the alphabet, which maps symbols to colors.
    - `allow_unread`: pegs may be `?`.
    - `dash_separates`: `-` may separate pegs.
    """
    for pieces in split_pegs(text, pegs, dash_separates=dash_separates):
        piece_colors = [
            UNREAD if allow_unread and piece == UNREAD_SIGN else colors.get(piece.lower())
            for piece in pieces
        ]
        if None not in piece_colors:
            return tuple(color for color in piece_colors if color is not None)
    return None


def colors_of_names(used_names: Collection[int], num_colors: int) -> dict[int, int] | None:
    """Return the color of each name that a board uses, or None if there are more names than colors.

    Names are indices into `COLOR_NAMES`. Each of the first `num_colors` names means the color with
    the same number. The following names mean the last color, the color before it, and so on. If
    that color already has a used name, the name means the highest color without one.
    """
    if len(used_names) > num_colors:
        return None
    color_by_name = {name: name for name in used_names if name < num_colors}
    taken_colors = {*color_by_name}
    other_names = sorted({*used_names} - taken_colors)
    for name in other_names:
        color = num_colors - 1 - (name - num_colors) % num_colors
        if color not in taken_colors:
            color_by_name[name] = color
            taken_colors.add(color)
    free_colors = sorted({*range(num_colors)} - taken_colors)
    return color_by_name | {
        name: free_colors.pop() for name in other_names if name not in color_by_name
    }


def typed_symbols(game: Game, conventions: Conventions) -> tuple[str, ...]:
    """Return the symbols of the colors in the alphabet in which the guesses of a board were typed.

    Return () if this is the alphabet `own`, or if some color has no symbol in it. In the alphabet
    `names`, the symbols are the letters of the names that the board uses. A color without a used
    name gets the letter of the name with the same number.
    """
    alphabets, num_named_colors = other_alphabets(game)
    if len(conventions.alphabets) != 1 or conventions.alphabets <= {OWN, JOINED}:
        return ()
    (alphabet,) = conventions.alphabets
    if alphabet != NAMES:
        symbol_by_color = {color: symbol for symbol, color in alphabets[alphabet].items()}
    elif LETTERS in alphabets:
        name_by_color = {color: color for color in range(num_named_colors)}
        color_by_name = colors_of_names(conventions.used_names, num_named_colors) or {}
        name_by_color |= {color: name for name, color in color_by_name.items()}
        symbol_by_color = {color: COLOR_NAMES[name][1] for color, name in name_by_color.items()}
        own_symbols = enumerate(game.color_symbols.names)
        symbol_by_color |= {color: own for color, own in own_symbols if color not in name_by_color}
    else:  # the letters are the symbols of the game
        return ()
    symbols = [symbol_by_color.get(color, "").upper() for color in range(game.colors)]
    return tuple(symbols) if all(symbols) else ()


def describe_names(colors: int) -> str:
    """Return a description of the letters and names of colors for error messages."""
    return f"the letters {' '.join(COLOR_LETTERS[:colors])}, or names such as red and green"


def closest_names(text: str, pegs: int) -> list[str]:
    """Return the most similar name of a color for each word of a text, for error messages.

    For an abbreviation, it is the first name that starts with it. The result is empty if the text
    does not have `pegs` words, if a word has no similar name, or if all words are names.
    """
    from difflib import get_close_matches

    names = [*name_indices(with_letters=False)]
    words = [word for word in re.split(SEPARATORS_OR_DASH, text.lower()) if word]
    near_names = []
    for word in words:
        completions = [name for name in names if len(word) > 1 and name.startswith(word)]
        near_names += (completions or get_close_matches(word, names, 1))[:1]
    return near_names if len(near_names) == len(words) == pegs and near_names != words else []


NUMBER = r"(?:[0-9]{1,6}|\?)"
NUMBERS = (
    rf"{NUMBER}(?:\s*(?P<sign>[.,;:/|&+-])\s*{NUMBER}(?:\s*(?P=sign)\s*{NUMBER})*"
    rf"|(?:\s+{NUMBER})+|(?:\s+and\s+{NUMBER})+)?"
)
"""Numbers that are all separated by the same separator."""
SCORE_PIECE = r"[0-9]+|\?|[^\W\d_]+|\S"
"""A piece of a score in words: a number, a word or another character."""
LEADING_SEPARATOR = r"(?:[-=]*>|[;,:|=]|-(?=\s))\s*"
"""A separator at the beginning of a score."""

KEY_PEG_WORDS = {
    "black": ("bull", "hit", "fermi", "strike", "exact", "red", "filled", "full"),
    "white": (
        *("cow", "blow", "pico", "ball", "near", "partial", "close", "hollow", "empty", "semi"),
        *("misplaced", "elsewhere"),
    ),
    "color": ("colour", "common", "shared", "match", "hit", "white", "correct", "right"),
}
"""Other words for the key pegs of each part of a score, in the singular."""
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
"""Words that are ignored."""
OPEN_NUMBER = r"[0-9]\s*\+\s*[a-z]"
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
"""Numbers that may be written as words."""
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
"""Signs for a missing key peg. As in `SIGN_SETS`, the part is ""."""
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
"""Alternative sets of signs for key pegs, and whether each peg of the guess needs a sign.

A sign means one key peg of a part of the score, or if the part is "", a missing key peg."""
AMBIGUOUS_SIGNS = frozenset("b-\u26ab\u26aa\u2b1b\u2b1c")
"""The letters and signs with several meanings in `LETTER_SETS` and `SIGN_SETS`."""

Meaning = tuple[Score, frozenset[str]]
"""A score that a text can mean, and the meanings of ambiguous signs under which it does."""
UNAMBIGUOUS: frozenset[str] = frozenset()
"""The second item of a `Meaning` that does not depend on ambiguous signs."""


@lru_cache(maxsize=1 << 12)
def score_meanings(text: str, parts: tuple[str, ...], pegs: int) -> tuple[Meaning, ...]:
    """Return the possible meanings of the text of a score.

    Texts such as `- 0` and `;2 correct` are read with and without the leading separator.
    """
    meanings: dict[Meaning, None] = {}
    clean = unwrap(text.translate(DASHES | INVISIBLE))
    separator = re.match(LEADING_SEPARATOR, clean)
    for variant in (clean, *([clean[separator.end() :]] if separator else [])):
        meanings |= dict.fromkeys(_read_score(variant.lower(), parts, pegs))
    return tuple(meanings)


def is_compatible(sign_meanings: frozenset[str], others: frozenset[str]) -> bool:
    """Return whether each letter or sign has at most one meaning in two sets such as `b=black`."""
    union = sign_meanings | others
    return len({sign_meaning[0] for sign_meaning in union}) == len(union)


def _read_score(text: str, parts: tuple[str, ...], pegs: int) -> Iterable[Meaning]:
    """Return the meanings of a score in lower case."""
    if (numbers := _read_numbers(text, len(parts))) is not None:
        return [(numbers, UNAMBIGUOUS)]
    if (score := _read_digit_per_peg(text, parts, pegs)) is not None:
        return [(score, UNAMBIGUOUS)]
    return [*_read_signs(text, parts, pegs), *_read_words(text, parts)]


def _read_numbers(text: str, num_parts: int) -> Score | None:
    """Return the score of numbers with a common separator, one for each part, or None."""
    if re.fullmatch(NUMBERS, text):
        numbers = re.findall(NUMBER, text)
        if len(numbers) == num_parts:
            return tuple(None if number == UNREAD_SIGN else int(number) for number in numbers)
    return None


def _read_digit_per_peg(text: str, parts: tuple[str, ...], pegs: int) -> Score | None:
    """Return the score of digits such as `2100`, or None.

    The digits, in descending order, are a 2 for each black key peg, a 1 for each white one, and a 0
    for each other peg. Texts of two digits are not read: they could be the numbers of black and
    white.
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
    for sign_set, needs_each_peg in SIGN_SETS:
        part_by_sign = sign_set | MISSING_PEG_SIGNS
        has_fitting_length = len(signs) == pegs if needs_each_peg else len(signs) <= pegs
        used_signs = {*signs}
        if needs_each_peg and sum(part_by_sign.get(sign) == "" for sign in used_signs) > 1:
            continue  # missing key pegs have one sign: all are dark, or all are light
        if (
            has_fitting_length
            and used_signs & sign_set.keys()
            and {part_by_sign.get(sign) for sign in used_signs} <= {*parts, ""}
        ):
            score = tuple(sum(part_by_sign[sign] == part for sign in signs) for part in parts)
            yield score, _sign_meanings(used_signs, part_by_sign)


def _sign_meanings(used_signs: Iterable[str], part_by_sign: dict[str, str]) -> frozenset[str]:
    """Return the meanings of the ambiguous letters and signs that a score uses."""
    return frozenset(
        f"{sign}={part_by_sign[sign] or 'none'}"
        for sign in AMBIGUOUS_SIGNS.intersection(used_signs)
    )


def _read_words(text: str, parts: tuple[str, ...]) -> Iterable[Meaning]:
    """Yield the meanings of a text of counted or listed names or letters of key pegs."""
    pieces = _simplify(text, parts)
    if not pieces:
        return
    if len(pieces) == 1 and pieces[0] in ZERO_WORDS:
        yield (0,) * len(parts), UNAMBIGUOUS
        return
    score = _read_numbers(" ".join(pieces), len(parts)) or _count_key_pegs(
        pieces, _part_by_word(pieces, parts), parts
    )
    if score is not None:
        yield score, UNAMBIGUOUS
        return
    # No names: each piece is a number or letters, such as the 1, b, 1 and w of `1b1w`, or `bbw`.
    tokens = [*"".join(pieces)] if "".join(pieces).isalpha() else pieces
    for part_by_letter, required_letter in LETTER_SETS if len(parts) < 3 else ():
        usable_letters = {letter: part for letter, part in part_by_letter.items() if part in parts}
        is_counted = any(piece.isdecimal() for piece in tokens)
        if not required_letter or (required_letter in tokens and is_counted):
            score = _count_key_pegs(tokens, usable_letters, parts)
            if score is not None:
                # The sets with a required letter are those in which b is white. So 2A alone implies
                # that b is white.
                used_signs = {*tokens, *("b" * bool(required_letter))}
                is_ambiguous = len(parts) > 1
                yield (
                    score,
                    _sign_meanings(used_signs, part_by_letter) if is_ambiguous else UNAMBIGUOUS,
                )


def _simplify(text: str, parts: tuple[str, ...]) -> list[str] | None:
    """Return the numbers, names and letters of a score in words.

    Return None if the text has anything else, or is ambiguous.
    """
    if not re.search("[a-z]", text) or re.search(OPEN_NUMBER, text):
        return None
    text = text.rstrip(".!").replace("(s)", "")
    for phrase, part in PHRASES:
        if part in parts:
            text = re.sub(rf"\b(?:{phrase})\b", f" {part} ", text)
    # "1 right color in the wrong place" is a white peg
    text = re.sub(r"\b(?:right|correct)(?: [a-z]+)?,?(?: but)?\s+(black|white)\b", r" \1", text)
    names = {*parts, *chain.from_iterable(KEY_PEG_WORDS.get(part, ()) for part in parts)}
    words = {*names, *ZERO_WORDS, *RIGHT_WORDS, *OBJECT_WORDS}
    pieces = []
    for piece in re.findall(SCORE_PIECE, text):
        singular = (piece, piece.removesuffix("s"), piece.removesuffix("es"))
        word = next((candidate for candidate in singular if candidate in words), piece)
        if word.isalnum() or word == UNREAD_SIGN:
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
    part_by_word = {word: part for part in parts for word in (part, *KEY_PEG_WORDS.get(part, ()))}
    named_parts = {part_by_word[piece] for piece in pieces if piece in part_by_word}
    if "black" in parts and "black" not in named_parts and named_parts | {"black"} == {*parts}:
        part_by_word |= dict.fromkeys(RIGHT_WORDS, "black")
    return part_by_word


def _count_key_pegs(
    pieces: Sequence[str], part_by_word: dict[str, str], parts: tuple[str, ...]
) -> Score | None:
    """Return the score of counted names (1 b 2 w, b 1 w 2) or listed names (b w w), or None."""
    if any(piece.isdecimal() for piece in pieces):
        # Adjacent names of the same part count as one, as in "3 correct colors".
        pieces = [
            piece
            for index, piece in enumerate(pieces)
            if not index
            or part_by_word.get(piece) is None
            or part_by_word[piece] != part_by_word.get(pieces[index - 1])
        ]
    is_number = [piece == UNREAD_SIGN or piece.isdecimal() for piece in pieces]
    if not any(is_number):
        if not {*pieces} <= part_by_word.keys():
            return None
        return tuple(sum(part_by_word[piece] == part for piece in pieces) for part in parts)
    # Numbers and names alternate, and either may come first.
    number_start = 0 if is_number[0] else 1
    numbers, words = pieces[number_start::2], pieces[1 - number_start :: 2]
    is_paired = len(numbers) == len(words) == sum(is_number) and all(is_number[number_start::2])
    counted_parts = [part_by_word.get(word, "") for word in words]
    if not is_paired or "" in counted_parts or len({*counted_parts}) < len(counted_parts):
        return None
    if any(not re.fullmatch(NUMBER, number) for number in numbers):
        return None
    values = [None if number == UNREAD_SIGN else int(number) for number in numbers]
    counts = dict(zip(counted_parts, values, strict=True))
    return tuple(counts.get(part, 0) for part in parts)
