"""English for messages: plurals, numbers with their nouns, and words joined to lists."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction


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


def duration(seconds: float) -> str:
    """Return a time with its unit, to a millisecond: `1 second`, `0.5 seconds`."""
    rounded = round(seconds, 3)
    return f"{rounded:,.12g} {plural('second', rounded)}"


def in_short(number: float | Fraction) -> str:
    """Return a number in a short form: 3.25, 1,296, 4.6 million, 7.3e30."""
    if number < 100:
        return f"{float(number):.3g}"
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
    *first_words, last = map(str, words)
    return f"{', '.join(first_words)} {conjunction} {last}" if first_words else last


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
    for number, thing in terms:
        sign = ("less " if words else "minus ") if number < 0 else "plus " if words else ""
        times = {1: "", 2: "twice "}.get(abs(number), f"{abs(number)} times ")
        words.append(f"{sign}{times}{thing}")
    return words


def capitalize(text: str) -> str:
    """Return the text with its first letter in upper case and the others unchanged."""
    return text[:1].upper() + text[1:]
