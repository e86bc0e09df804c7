"""Lists of words: the codes of a game are those of a list, which comes with mmsat or is a file.

A file has one word a line. Words of another length, and lines with characters that the game has no
symbol for, are passed over, so that a whole dictionary can serve.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import nsmallest

from mmsat.english import quantity
from mmsat.errors import Fault, InputError
from mmsat.game.literals import CardinalityConstraint, VariableMap
from mmsat.game.row import Code
from mmsat.game.scoring.scoring import shared_colors
from mmsat.game.space import Space
from mmsat.game.symbols import LETTERS

ENGLISH = "english"
"""The list that comes with mmsat; games/README.md says where it is from."""
LARGEST_LIST = 1 << 24
"""Bytes of a file of words."""


class Words(Space):
    """The codes of a list, and only they may be guessed, unless guesses are free.

    Not in the registry of spaces: a list is told by a game's definition, never by a suffix.
    """

    name = "words"
    suffix = ""
    summary = "only the words of a list are codes"

    def __init__(self, codes: Iterable[Code], *, source: str = "", free: bool = False) -> None:
        """Sort the codes. `source` names the list in a game's definition, if it has a name."""
        self.codes = tuple(sorted(set(codes)))
        self.source = source
        self.free = free
        self._set = frozenset(self.codes)
        self._constraints: dict[VariableMap, CardinalityConstraint] = {}  # made once

    def __eq__(self, other: object) -> bool:
        # the list is long, and nearly always the same object
        return isinstance(other, Words) and (
            (self.source, self.free) == (other.source, other.free)
            and (self.codes is other.codes or self.codes == other.codes)
        )

    def __hash__(self) -> int:
        return hash((self.source, self.free, len(self.codes)))

    def flaw(self, pegs: int, colors: int) -> str | None:
        if not self.codes:
            return f"the word list has no word of {quantity(pegs, 'letter')}"
        if any(
            len(code) != pegs or not 0 <= min(code) <= max(code) < colors for code in self.codes
        ):
            return f"every word of the list has {quantity(pegs, 'letter')} of {colors}"
        return None

    def size(self, pegs: int, colors: int) -> int:
        return len(self.codes)

    def contains(self, code: Sequence[int]) -> bool:
        return tuple(code) in self._set

    def allows(self, guess: Sequence[int]) -> bool:
        return self.free or self.contains(guess)

    def nearest(self, guess: Sequence[int], most: int) -> list[Code]:
        def distance(code: Code) -> tuple[int, Code]:
            misplaced = sum(map(int.__ne__, code, guess))
            return misplaced + len(code) - shared_colors(code, guess), code

        return nsmallest(most, self.codes, key=distance)

    def constraints(self, variables: VariableMap) -> Iterator[CardinalityConstraint]:
        if variables not in self._constraints:
            words = (
                tuple(variables.at(peg, color) for peg, color in enumerate(c)) for c in self.codes
            )
            self._constraints[variables] = CardinalityConstraint(tuple(words), 1, len(self.codes))
        yield self._constraints[variables]

    def table(self) -> tuple[Code, ...]:
        return self.codes


def words_of(
    lines: Iterable[str], pegs: int, symbols: Sequence[str], source: str = "", *, free: bool = False
) -> Words:
    """The space of the words of a length that the symbols can spell, whatever their case."""
    colors = {symbol.upper(): color for color, symbol in enumerate(symbols)}
    upper = (line.strip().upper() for line in lines)
    fitting = (word for word in upper if len(word) == pegs and colors.keys() >= set(word))
    return Words(
        (tuple(colors[letter] for letter in word) for word in fitting), source=source, free=free
    )


@lru_cache(maxsize=32)
def _read(
    source: str,
    changed: int,
    pegs: int,
    symbols: tuple[str, ...],
    *,
    free: bool,
) -> Words:
    """The words of a file as it was changed last."""
    return words_of(_lines(_path(source)), pegs, symbols, source, free=free)


def _lines(path: str) -> list[str]:
    with open(path, encoding="utf-8-sig") as file:
        return file.read().split("\n")


def read_words(source: str, pegs: int, symbols: tuple[str, ...], *, free: bool = False) -> Words:
    """The words of a list, by `english` or by the name of a file; raises InputError."""
    try:
        path = _path(source)
        return _read(source, os.stat(path).st_mtime_ns, pegs, symbols, free=free)
    except (OSError, ValueError) as error:
        raise InputError([_unreadable(source, error)], "the word list") from None


def word_length(source: str) -> int:
    """The length that all words of a file have; raises InputError where they differ."""
    try:
        path = _path(source)
        lengths = _lengths(path, os.stat(path).st_mtime_ns)
    except (OSError, ValueError) as error:
        raise InputError([_unreadable(source, error)], "the word list") from None
    if not lengths:
        raise InputError.of(
            "the word list",
            "english, or a list",
            source,
            "a word list has words of letters, one a line",
        )
    if len(lengths) > 1:
        write = f"word:{source}:{lengths[-1]}, with the number of letters"
        rule = "a list with words of several lengths needs to be told which"
        got = ", ".join(map(str, lengths))
        raise InputError.of("the word list", write, got, rule)
    return lengths[0]


@lru_cache(maxsize=32)
def _lengths(path: str, changed: int) -> list[int]:
    """The lengths of the words of letters in a file as it was changed last, ascending."""
    words = (line.upper().strip() for line in _lines(path))
    return sorted({len(word) for word in words if word and set(word) <= set(LETTERS)})


def _path(source: str) -> str:
    here = os.path.dirname(__file__)
    path = os.path.join(here, "english.txt") if source == ENGLISH else source or "."
    if os.stat(path).st_size > LARGEST_LIST:
        raise OSError(None, f"a word list has at most {LARGEST_LIST >> 20} MiB")
    return path


def _unreadable(source: str, error: Exception) -> Fault:
    reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
    return Fault(f"the word list can't be read: {reason}", source, "english, or a text file")
