"""English for messages: plurals, and words joined to lists."""

from __future__ import annotations

from collections.abc import Collection, Iterable

TYPE_CHECKING = False

if TYPE_CHECKING:
    from fractions import Fraction


def plural(noun: str, number: float) -> str:
    """The noun in the number that fits: `row` for 1, else `rows`."""
    ending = "es" if noun.endswith(("s", "x", "ch", "sh")) else "s"
    return noun if number == 1 else f"{noun}{ending}"


def quantity(number: int, noun: str) -> str:
    """A number with its noun: `1 row`, `2 rows`."""
    return f"{number:,} {plural(noun, number)}"


def quantities(**numbers: int) -> str:
    """Numbers with their nouns, `peg=4, color=1`: `4 pegs, 1 color`."""
    return ", ".join(quantity(number, noun) for noun, number in numbers.items())


def whole_range(low: int, high: int | None = None) -> str:
    """Name the whole numbers of a range: `a whole number from 0 to 1,000,000`."""
    return f"a whole number from {low:,}" + ("" if high is None else f" to {high:,}")


def duration(seconds: float) -> str:
    """A time limit with its unit: `1 second`, `0.5 seconds`."""
    return f"{round(seconds, 3):,.12g} {plural('second', seconds)}"


def in_short(number: float | Fraction) -> str:
    """A number as one says it: 3.25, 1,296, 4.6 million, 7.3e30."""
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
    """Return a chance in a few characters; only what never or always happens is `-` or `100%`."""
    if chance == 0:
        return "-"
    if chance == 1:
        return "100%"
    rounded = round(100 * chance)
    return "<1%" if rounded < 1 else ">99%" if rounded > 99 else f"{rounded}%"


def join_words(words: Iterable[object], conjunction: str = "and") -> str:
    """Join words as one says them: `1`, `1 and 2`, `1, 2 and 3`."""
    *most, last = map(str, words)
    return f"{', '.join(most)} {conjunction} {last}" if most else last


def noun_phrase(noun: str, names: Collection[object]) -> str:
    """A noun and what it names: `row 1`, `rows 1 and 3`."""
    return f"{plural(noun, len(names))} {join_words(names)}"


def indefinite(name: str) -> str:
    """A letter or a number with its article, as it is spoken: `an R`, `a U`, `an 8`."""
    if len(name) == 1:
        is_vowel = name in "AEFHILMNORSXaefhilmnorsx8"
    else:
        is_vowel = name.startswith(("8", "11", "18"))
    return f"{'an' if is_vowel else 'a'} {name}"


def linear_combination(terms: Iterable[tuple[int, str]]) -> list[str]:
    """Things times numbers, term by term: `rows 1 and 3`, `plus twice row 2`, `less row 5`."""
    words: list[str] = []
    for number, thing in terms:
        sign = ("less " if words else "minus ") if number < 0 else "plus " if words else ""
        times = {1: "", 2: "twice "}.get(abs(number), f"{abs(number)} times ")
        words.append(f"{sign}{times}{thing}")
    return words


def capitalize(text: str) -> str:
    """The text with its first letter as a capital, and all others as they are."""
    return text[:1].upper() + text[1:]
