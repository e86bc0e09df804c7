"""Word lists: games whose codes are the words of a list.

The list is the English list in mmsat, or a file with one word per line. In a file, blank lines and
everything after `#` are ignored, and a word that occurs twice counts once. Words of another length,
and words with other characters than the symbols of the game, are omitted with a warning, so a
dictionary can be used. Apostrophes, hyphens and digits are not letters.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple
from warnings import warn

from mmsat._util.files import decode
from mmsat._util.text import quantity
from mmsat.errors import Description, Fault, InputError, WordListWarning
from mmsat.game import Code
from mmsat.game.scoring.scoring import shared_colors
from mmsat.game.space import CardinalityConstraint, Space, VariableMap
from mmsat.game.symbols import (
    LETTERS,
    SymbolTable,
    is_letter,
    letter_symbols,
    normalize,
    span,
    split_characters,
)

ENGLISH = "english"
"""The name of the word list in mmsat; games/README.md states its source."""
MAX_LIST_BYTES = 1 << 24
"""The maximum size of a word list in bytes."""
MAX_NAMED_WORDS = 10
"""The maximum number of words that a message lists for one reason."""
MAX_NAMED_CHARACTERS = 40
"""The maximum number of characters of a word in a message; longer words are cut."""


class Words(Space):
    """The code space of a word list. Guesses must be in the list unless `allows_any_guess` is True.

    This space is not in `SPACES`, because a size such as `4x6d` cannot name a word list.
    """

    name = "words"
    suffix = ""
    summary = "only the words of a list are codes"

    def __init__(
        self, codes: Iterable[Code], *, source: str = "", allows_any_guess: bool = False
    ) -> None:
        """Create the space of these codes, which are sorted.

        `source` is the name of the list in a game's definition, or "".
        """
        self.codes = tuple(sorted(set(codes)))
        self.source = source
        self.allows_any_guess = allows_any_guess
        self._code_set = frozenset(self.codes)
        self._constraints: dict[VariableMap, CardinalityConstraint] = {}  # a cache

    def __eq__(self, other: object) -> bool:
        # Compare the identity of the lists before their words: they are long, and nearly always the
        # same object.
        return isinstance(other, Words) and (
            (self.source, self.allows_any_guess) == (other.source, other.allows_any_guess)
            and (self.codes is other.codes or self.codes == other.codes)
        )

    def __hash__(self) -> int:
        return hash((self.source, self.allows_any_guess, len(self.codes)))

    def unfit(self, pegs: int, colors: int) -> str | None:
        if not self.codes:
            return f"the word list has no word of {quantity(pegs, 'letter')}"
        if any(
            len(code) != pegs or not 0 <= min(code) <= max(code) < colors for code in self.codes
        ):
            return f"the list has words that are not {pegs} of the {colors} symbols of the game"
        return None

    def size(self, pegs: int, colors: int) -> int:
        return len(self.codes)

    def contains(self, code: Sequence[int]) -> bool:
        return tuple(code) in self._code_set

    def allows(self, guess: Sequence[int]) -> bool:
        return self.allows_any_guess or self.contains(guess)

    def listed_guesses(self) -> tuple[Code, ...] | None:
        return None if self.allows_any_guess else self.codes

    def nearest(self, guess: Sequence[int], max_codes: int) -> list[Code]:
        def sort_key(code: Code) -> tuple[int, Code]:
            """Return the number of differing pegs plus that of differing colors, then the code."""
            num_different_pegs = sum(map(int.__ne__, code, guess))
            num_different_colors = len(code) - shared_colors(code, guess)
            return num_different_pegs + num_different_colors, code

        from heapq import nsmallest

        return nsmallest(max_codes, self.codes, key=sort_key)

    def constraints(self, variables: VariableMap) -> Iterator[CardinalityConstraint]:
        if variables not in self._constraints:
            words = (
                tuple(variables.at(peg, color) for peg, color in enumerate(code))
                for code in self.codes
            )
            self._constraints[variables] = CardinalityConstraint(tuple(words), 1, len(self.codes))
        yield self._constraints[variables]

    def table(self) -> tuple[Code, ...]:
        return self.codes


class WordList(NamedTuple):
    """A word list read for a game: its codes, its symbols, and the words that do not fit."""

    space: Words
    """The fitting words, as codes."""
    symbols: tuple[str, ...]
    """The symbols of the game."""
    unfit_words: Mapping[str, Sequence[str]]
    """The words that do not fit, by the reason as text."""
    num_words: int
    """The number of different words in the list."""

    @property
    def unfit_message(self) -> str:
        """A message that counts and lists the unfit words by reason; empty if all words fit."""
        reasons = [
            f"{len(words):,} {reason} ({_list_words(words)})"
            for reason, words in self.unfit_words.items()
        ]
        if not reasons:
            return ""
        count = sum(map(len, self.unfit_words.values()))
        verb = "does" if count == 1 else "do"
        total = quantity(self.num_words, "word")
        return f"{count:,} of {total} {verb} not fit: {'; '.join(reasons)}"


def make_word_list(
    words: Iterable[str],
    pegs: int,
    symbols: Sequence[str] | None = None,
    source: str = "",
    *,
    allows_any_guess: bool = False,
) -> WordList:
    """Convert words into codes, and group the words that do not fit by reason.

    A word fits if it has `pegs` characters, all of them in `symbols`. Without `symbols`, all
    characters must be letters, and the symbols are the letters of the fitting words.
    """
    characters_by_word = _split_words(words)
    words_of_length = {
        word: letters for word, letters in characters_by_word.items() if len(letters) == pegs
    }
    unfit_words: dict[str, list[str]] = {}
    if len(words_of_length) < len(characters_by_word):
        reason = f"of a length other than {pegs}"
        unfit_words[reason] = [word for word in characters_by_word if word not in words_of_length]
    allowed_characters = "letters" if symbols is None else span(symbols)
    if symbols is None:
        symbols = letter_symbols(filter(_has_letters_only, words_of_length.values()))
    table = SymbolTable(symbols)
    codes: list[Code] = []
    for word, characters in words_of_length.items():
        colors = [*map(table.color_by_symbol.get, characters)]
        if None in colors:  # try the slower matching of other forms, such as full-width letters
            colors = [*map(table.find, characters)]
        if None in colors:
            unknown_character = characters[colors.index(None)]
            readings = table.readings(unknown_character)
            if readings:
                reason = f"with {unknown_character}, which may be {' or '.join(readings)}"
            else:
                reason = f"with characters other than {allowed_characters}"
            unfit_words.setdefault(reason, []).append(word)
        else:
            # None is not in `colors` here; the condition is for mypy.
            codes.append(tuple(color for color in colors if color is not None))
    space = Words(codes, source=source, allows_any_guess=allows_any_guess)
    return WordList(space, tuple(symbols), unfit_words, len(characters_by_word))


def _split_words(words: Iterable[str]) -> dict[str, Sequence[str]]:
    """Return the characters of each word, keyed by the word in the Unicode form NFC."""
    words = [*words]
    if all(map(str.isascii, words)):
        return {word: word for word in words}
    return {word: split_characters(word) for word in map(normalize, words)}


def _has_letters_only(characters: Sequence[str]) -> bool:
    return all(character.isalpha() or is_letter(character) for character in characters)


def _list_words(words: Sequence[str]) -> str:
    """Return the first words, and the number of the others, for a message."""
    shown = [
        word if len(word) <= MAX_NAMED_CHARACTERS else f"{word[:MAX_NAMED_CHARACTERS]}..."
        for word in words[:MAX_NAMED_WORDS]
    ]
    if len(words) > MAX_NAMED_WORDS:
        shown.append(f"and {len(words) - MAX_NAMED_WORDS:,} more")
    return ", ".join(shown)


@lru_cache(maxsize=32)
def _read_cached(
    source: str,
    modified_ns: int,
    pegs: int,
    symbols: tuple[str, ...] | None,
    *,
    allows_any_guess: bool,
) -> WordList:
    """Read a word list.

    `modified_ns` is the time of its last modification. It is used only as a key of the cache, so
    that a changed file is read again.
    """
    words = _words_in_file(_list_path(source))
    return make_word_list(words, pegs, symbols, source, allows_any_guess=allows_any_guess)


def _words_in_file(path: str) -> list[str]:
    """Return the words of a file, without comments and blank lines."""
    with open(path, "rb") as file:
        lines = decode(file.read(), path).split("\n")
    return [word for line in lines if (word := line.partition("#")[0].strip())]


def read_words(
    source: str,
    pegs: int,
    symbols: tuple[str, ...] | None = None,
    *,
    allows_any_guess: bool = False,
) -> WordList:
    """Read a word list; `source` is `english` or the name of a file.

    Without `symbols`, the symbols are the letters of the words, or A to Z for `english`. If some
    words of a file do not fit, a WordListWarning is issued. Raises InputError if no word fits, or
    if the file cannot be read.
    """
    if source == ENGLISH and symbols is None:
        symbols = tuple(LETTERS)
    try:
        path = _list_path(source)
        words = _read_cached(
            source, os.stat(path).st_mtime_ns, pegs, symbols, allows_any_guess=allows_any_guess
        )
    except InputError:
        raise  # a character cannot be decoded; the error states its position
    except (OSError, ValueError) as error:
        raise InputError([_unreadable_fault(source, error)], "the word list") from None
    if not words.space.codes:
        expected = f"words of {quantity(pegs, 'letter')}, one per line"
        raise InputError.of(
            "the word list", expected, source, words.unfit_message or "it has no words"
        )
    if words.unfit_words and source != ENGLISH:
        warn(f"{source}: {words.unfit_message}", WordListWarning, stacklevel=2)
    return words


def word_length(source: str) -> int:
    """Return the common length of the words of a file.

    Words with characters other than letters are ignored. Raises InputError if the lengths differ,
    if there are no words, or if the file cannot be read.
    """
    try:
        path = _list_path(source)
        word_counts = _word_counts_by_length(path, os.stat(path).st_mtime_ns)
    except InputError:
        raise  # a character cannot be decoded; the error states its position
    except (OSError, ValueError) as error:
        raise InputError([_unreadable_fault(source, error)], "the word list") from None
    if not word_counts:
        words = _words_in_file(path)
        rule = f"not letters only: {_list_words(words)}" if words else "it has no words"
        raise InputError.of("the word list", "words of letters, one per line", source, rule)
    if len(word_counts) > 1:
        most_common = max(word_counts, key=lambda length: (word_counts[length], length))
        expected = f"a number of letters, as in word:{source}:{most_common}"
        rule = "the list has words of several lengths"
        words_by_length = ", ".join(
            f"{length} ({quantity(word_count, 'word')})"
            for length, word_count in word_counts.items()
        )
        raise InputError.of("the word list", expected, Description(words_by_length), rule)
    (length,) = word_counts
    return length


@lru_cache(maxsize=32)
def _word_counts_by_length(path: str, modified_ns: int) -> dict[int, int]:
    """Return the number of words in a file by length, ascending.

    Words with characters other than letters are ignored. For `modified_ns`, see `_read_cached`.
    """
    words = _split_words(_words_in_file(path)).values()
    lengths = Counter(len(word) for word in words if _has_letters_only(word))
    return dict(sorted(lengths.items()))


def _list_path(source: str) -> str:
    """Return the path of a word list. Raises OSError if the file is missing or too large."""
    folder = os.path.dirname(__file__)
    # An empty name gets the same error as a folder.
    path = os.path.join(folder, "english.txt") if source == ENGLISH else source or "."
    if os.stat(path).st_size > MAX_LIST_BYTES:
        raise OSError(None, f"a word list has at most {MAX_LIST_BYTES >> 20} MiB")
    return path


def _unreadable_fault(source: str, error: Exception) -> Fault:
    """Return the fault of a word list that can't be opened."""
    reason = getattr(error, "strerror", None) or str(error)
    return Fault(f"the word list can't be read: {reason}", source, "english, or a text file")
