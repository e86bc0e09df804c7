"""How the colors of a game are spelled, and what they are called."""

from itertools import product

from mmsat.frozen import frozen
from mmsat.game.scoring import Pairs, Scoring

DIGITS = "123456789"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
RESERVED = "-=:/#?.,"
"""What stands between colors, guesses and scores, and so can't be a symbol."""


@frozen
class Symbols:
    """One symbol per color, all of the same length; empty if colors are numbers."""

    names: tuple[str, ...] = ()
    noun: str = "color"
    """What errors call a color: digit, letter, pair."""
    attributes: tuple[str, ...] = ()
    """For pairs, what their two characters are: color and shape."""

    @property
    def width(self) -> int:
        """The characters of a symbol."""
        return len(self.names[0]) if self.names else 0

    @property
    def range(self) -> str:
        """The symbols in the words of an error, as `A to Z`."""
        if not self.attributes:
            return span("".join(self.names))
        return " and ".join(
            f"{noun} {span(''.join(dict.fromkeys(name[place] for name in self.names)))}"
            for place, noun in enumerate(self.attributes)
        )


def span(symbols: str) -> str:
    """Symbols that follow each other by their ends, others one by one."""
    codes = [ord(symbol) for symbol in symbols]
    if len(codes) > 1 and codes == list(range(codes[0], codes[0] + len(codes))):
        return f"{symbols[0]} to {symbols[-1]}"
    return symbols


def pairs_of(
    firsts: str, seconds: str, attributes: tuple[str, ...] = ("color", "shape")
) -> Symbols:
    """The symbols of pairs: a character of the first attribute, then one of the second."""
    names = tuple(first + second for first, second in product(firsts, seconds))
    return Symbols(names, "pair", attributes)


def usual(colors: int, scoring: Scoring) -> Symbols:
    """The symbols of a game whose definition names none.

    Digits from 1 for up to 9 colors, letters for up to 26, a digit and a letter for a color and a
    shape; otherwise numbers.
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
