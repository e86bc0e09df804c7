"""English for messages: plurals, numbers with their nouns, and words joined to lists.

`read_number` reads the numbers that users write.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

NUMBER = re.compile(
    r"(?P<number>[-+]?(?=[0-9.])[0-9]*(?:\.[0-9]*)?(?:[eE][-+]?[0-9]{1,2})?)"
    r"(?:/(?P<divisor>[0-9]+))? ?(?P<unit>[A-Za-z%]*)"
)
"""A decimal, or a fraction, with an optional unit."""
THOUSANDS = re.compile(r"[-+]?[1-9][0-9]{0,2}(?:(?:,[0-9]{3})+|(?:_[0-9]{3})+)")
"""A whole number with separators of thousands."""
MAX_NUMBER_CHARACTERS = 40
"""Maximum number of characters of a number."""
PERCENT_UNITS = {"": 1, "%": 0.01}
"""The units, for `read_number`, of a fraction or a weight that may be a percentage."""


def read_number(
    text: str, units: Mapping[str, float] | None = None, *, has_separators: bool = False
) -> Fraction | None:
    """Return the number in a text, exactly, or None for any other text.

    A number is a decimal, with an exponent of up to two digits, or a fraction such as 1/4. A unit
    may follow it, possibly after a space.

    - `units`: the factor of each unit, in lower case. The unit "" means that none is required. By
      default, numbers have no unit.
    - `has_separators`: whether whole numbers can have separators of thousands, as in 1,000. Other
      numbers cannot, because a comma may be meant as the decimal point.
    """
    from fractions import Fraction  # here, because it takes long to load

    text = text.strip()
    if has_separators and THOUSANDS.fullmatch(text):
        text = text.replace(",", "").replace("_", "")
    match = NUMBER.fullmatch(text)
    unit = (units or {"": 1}).get(match["unit"].lower()) if match else None
    if match is None or unit is None or len(text) > MAX_NUMBER_CHARACTERS:
        return None
    try:
        number = Fraction(match["number"]) / int(match["divisor"] or 1)
    except (ValueError, ZeroDivisionError):  # no digits, or a divisor of 0
        return None
    return number * Fraction(str(unit))


def plural(noun: str, number: float) -> str:
    """Return the singular of a noun for 1, else its plural: `row`, `rows`."""
    ending = "es" if noun.endswith(("s", "x", "ch", "sh")) else "s"
    return noun if number == 1 else f"{noun}{ending}"


def quantity(number: int, noun: str) -> str:
    """Return a number with its noun: `1 row`, `2 rows`."""
    return f"{number:,} {plural(noun, number)}"


def quantities(**numbers: int) -> str:
    """Return numbers with their nouns: `4 pegs, 1 color` for `peg=4, color=1`."""
    return ", ".join(quantity(number, noun) for noun, number in numbers.items())


def whole_range(low: int, high: int | None = None) -> str:
    """Describe a range of whole numbers: `a whole number from 0 to 1,000,000`."""
    return f"a whole number from {low:,}" + ("" if high is None else f" to {high:,}")


def binary_size(num_bytes: int) -> str:
    """Return a size in MiB, KiB or bytes, rounded down, in the largest unit that is not above it.

    For example, `3 MiB` or `512 bytes`.
    """
    for unit, shift in (("MiB", 20), ("KiB", 10)):
        if num_bytes >> shift:
            return f"{num_bytes >> shift:,} {unit}"
    return quantity(num_bytes, "byte")


def duration(seconds: float) -> str:
    """Return a time with its unit, to a millisecond: `1 second`, `0.5 seconds`."""
    rounded = round(seconds, 3)
    return f"{rounded:,.12g} {plural('second', rounded)}"


def in_short(number: float | Fraction) -> str:
    """Return a number in a short form: 3.25, 1,296, 4.6 million, 7.3e30."""
    if number < 100:
        return f"{float(number):.3g}"
    # Below 10**15, a float has all digits of a number. Above, the rounding does not matter.
    whole = round(float(number)) if number < 10**15 else int(number)
    for size, word in ((10**6, "million"), (10**9, "billion")):
        if size <= whole < 1000 * size:
            return f"{whole / size:.3g} {word}"
    if whole < 10**6:
        return f"{whole:,}"
    digits = str(whole)
    return f"{digits[0]}.{digits[1]}e{len(digits) - 1}"


def percent(chance: Fraction) -> str:
    """Return a probability in up to four characters: `-` only for 0, and `100%` only for 1."""
    if chance == 0:
        return "-"
    if chance == 1:
        return "100%"
    rounded = round(100 * chance)
    return "<1%" if rounded < 1 else ">99%" if rounded > 99 else f"{rounded}%"


def join_words(words: Iterable[object], conjunction: str = "and") -> str:
    """Join words to an enumeration: `1`, `1 and 2`, `1, 2 and 3`."""
    *first_words, last_word = map(str, words)
    return f"{', '.join(first_words)} {conjunction} {last_word}" if first_words else last_word


def noun_phrase(noun: str, names: Collection[object]) -> str:
    """Return a noun followed by names, in the number that agrees: `row 1`, `rows 1 and 3`."""
    return f"{plural(noun, len(names))} {join_words(names)}"


def indefinite(name: str) -> str:
    """Return a letter or a number with its indefinite article: `an R`, `a U`, `an 8`, `a 110`."""
    if len(name) == 1:
        is_vowel = name in "AEFHILMNORSXaefhilmnorsx8"
    else:
        leading_group = name.partition(",")[0]
        is_vowel = name.startswith("8") or leading_group in {"11", "18"}
    return f"{'an' if is_vowel else 'a'} {name}"


def linear_combination(terms: Iterable[tuple[int, str]]) -> list[str]:
    """Return the terms of a sum in words: `rows 1 and 3`, `plus twice row 2`, `less row 5`.

    Each term is a coefficient and a name.
    """
    words: list[str] = []
    for number, name in terms:
        sign = ("less " if words else "minus ") if number < 0 else "plus " if words else ""
        times = {1: "", 2: "twice "}.get(abs(number), f"{abs(number)} times ")
        words.append(f"{sign}{times}{name}")
    return words


def capitalize(text: str) -> str:
    """Return the text with its first letter in upper case and the others unchanged."""
    return text[:1].upper() + text[1:]
