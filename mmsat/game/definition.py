"""Definitions of games: in the JSON of boards, in mmsat/games/, and in files of users.

games/README.md lists the keys; the schema is schemas/game.json.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, NotRequired, TypedDict

from mmsat._util.fields import Fields, KeyPath
from mmsat._util.registry import is_reference
from mmsat._util.results import ColorNumber, NonEmpty, Schema
from mmsat._util.text import quantity
from mmsat.errors import InputError
from mmsat.game.game import MAX_COLORS, MAX_PEGS, Game
from mmsat.game.scoring import SCORINGS, Pairs, Scoring
from mmsat.game.space import SPACES, Space
from mmsat.game.symbols import (
    LETTERS,
    RESERVED,
    Symbols,
    default_symbols,
    is_symbol,
    normalize,
    pair_symbols,
    split_characters,
)
from mmsat.game.words import ENGLISH, WordList, Words, make_word_list, read_words

RULE_KEYS = (
    "pegs",
    "colors",
    "repeats",
    "score",
    "attributes",
    "symbols",
    "noun",
    "words",
    "guesses",
)
"""The keys that define the game. The key `rules`, a text, is one of the descriptive keys."""
DESCRIPTIVE_KEYS = ("title", "year", "source", "rules", "reading", "turns", "players")
"""The keys that describe the game for readers. They do not affect the computed rules."""
ALLOWED_GUESSES = ("words", "any")
"""Allowed guesses in a game of words: only words of the list (`words`), or any letters (`any`)."""
PAIR_ATTRIBUTES = ("color", "shape")
"""Default names of the two attributes of pairs."""
MAX_TURNS = 9999
"""The maximum number of guesses that a definition can state for a game."""
NOUN_PATTERN = "[a-z]{1,30}"
"""A noun that messages use for a color, such as digit, letter or fruit."""


class RulesJson(TypedDict):
    """The rules of a game."""

    pegs: Annotated[int, Schema(minimum=1, maximum=MAX_PEGS)]
    colors: ColorNumber
    """Number of colors."""
    repeats: bool
    """Whether a color may repeat in a code."""
    score: Annotated[str, Schema(pattern="^[a-z][a-z0-9-]*$")]
    """Name of the kind of scoring."""
    attributes: NotRequired[
        Annotated[dict[str, NonEmpty | ColorNumber], Schema(minProperties=2, maxProperties=2)]
    ]
    """For pairs: the two attributes of a peg, each with its symbols or their number."""
    symbols: NotRequired[NonEmpty | Annotated[list[NonEmpty], Schema(minItems=1)]]
    """The symbols of the colors in order, one character each: a text, or a list."""
    noun: NotRequired[Annotated[str, Schema(pattern=f"^{NOUN_PATTERN}$")]]
    """The noun for a color in error messages."""
    words: NotRequired[NonEmpty | Annotated[list[NonEmpty], Schema(minItems=1)]]
    """The list of words that are codes: `english`, the name of a file, or the words."""
    guesses: NotRequired[Annotated[str, Schema(enum=ALLOWED_GUESSES)]]
    """In a game of words: the allowed guesses, only words of the list (`words`) or any letters."""


class NameJson(TypedDict, total=False):
    """The name of a game."""

    name: NonEmpty
    """The name in a board line; missing if the game has none."""


class DefinitionJson(NameJson, RulesJson):
    """The definition of a game."""


def to_definition(game: Game) -> DefinitionJson:
    """Return the definition of a game, with its name if it has one."""
    name: NameJson = {"name": game.name} if game.name else {}
    return {**name, **to_rules(game)}


def to_rules(game: Game) -> RulesJson:
    """Return the rules of a game as a dict, without the symbols if they are the default ones."""
    definition: RulesJson = {
        "pegs": game.pegs,
        "colors": game.colors,
        "repeats": game.space.has_repeats,
        "score": game.scoring.name,
    }
    symbols = game.color_symbols
    if isinstance(game.scoring, Pairs):
        sizes = game.scoring.factors(game.colors)
        if symbols.names:
            characters = (dict.fromkeys(name[index] for name in symbols.names) for index in (0, 1))
            values: tuple[Any, ...] = tuple(map("".join, characters))
        else:
            values = sizes
        definition["attributes"] = dict(
            zip(symbols.attributes or PAIR_ATTRIBUTES, values, strict=True)
        )
    elif game.symbols or isinstance(game.space, Words):
        definition["symbols"] = "".join(symbols.names)
        definition["noun"] = symbols.noun
    if isinstance(game.space, Words):
        definition["words"] = game.space.source or [
            "".join(symbols.names[color] for color in code) for code in game.space.codes
        ]
        definition["guesses"] = "any" if game.space.allows_any_guess else "words"
    return definition


def print_definition(game: Game) -> str:
    """Return the definition of a game as the text of a TOML file, without its name."""
    keys: dict[str, Any] = {**to_rules(game)}
    values = {key: _quote(value) for key, value in keys.items()}
    if isinstance(words := keys.get("words"), list):  # one word per line
        values["words"] = "[\n" + "".join(f"  {_quote(word)},\n" for word in words) + "]"
    return "".join(f"{key} = {value}\n" for key, value in values.items())


def _quote(value: Any) -> str:
    """Return a value as TOML. Non-ASCII text is not escaped: TOML forbids escaped surrogates."""
    if isinstance(value, dict):
        pairs = (f"{_quote(key)} = {_quote(item)}" for key, item in value.items())
        return f"{{{', '.join(pairs)}}}"
    return json.dumps(value, ensure_ascii=False)


def read_definition(value: Any, fields: Fields, path: KeyPath = (), name: str = "") -> Game | None:
    """Return the game that a definition describes, or None after adding its errors to `fields`."""
    num_faults = len(fields.faults)
    if not fields.keys(value, path, ("pegs",), (*RULE_KEYS, *DESCRIPTIVE_KEYS, "name")):
        return None
    _check_descriptions(value, fields, path)
    reader = _Reader(value, fields, path)
    game = reader.read_game(name) if len(fields.faults) == num_faults else None
    return game if len(fields.faults) == num_faults else None


def _check_descriptions(value: dict[str, Any], fields: Fields, path: KeyPath) -> None:
    """Check the descriptive keys of a definition, and add their errors to `fields`."""
    for key in DESCRIPTIVE_KEYS:
        if key == "turns":
            turns = value.get(key, [])
            if not isinstance(turns, list):
                fields.fault((*path, key), "", turns, "a list such as [12, 10, 8]")
                continue
            for index, turn in enumerate(turns):
                fields.number(turn, (*path, key, index), "a number of turns", 1, MAX_TURNS)
        elif key in value:
            fields.text(value[key], (*path, key), key)


class _Reader:
    """Reads a definition. The constructor checks each key alone, `read_game` their combination."""

    def __init__(self, value: dict[str, Any], fields: Fields, path: KeyPath) -> None:
        self.value = value
        self.fields = fields
        self.path = path
        if "pegs" in value:
            fields.number(value["pegs"], (*path, "pegs"), "pegs", 1, MAX_PEGS)
        if "colors" in value:
            fields.number(value["colors"], (*path, "colors"), "colors", 1, MAX_COLORS)
        fields.flag(value.get("repeats", True), (*path, "repeats"), "repeats")
        score = value.get("score", "black-white")
        # A reference, `package.module:NAME`, imports a module. Only text that may name files may
        # contain one.
        is_safe = fields.files or not (isinstance(score, str) and is_reference(score))
        scorings = SCORINGS if is_safe else SCORINGS.built_in
        fields.choice(score, (*path, "score"), "score", scorings)
        if "noun" in value:
            self.check_noun(value["noun"])
        fields.choice(value.get("guesses", "words"), (*path, "guesses"), "guesses", ALLOWED_GUESSES)

    def fault(self, key: str, rule: str, expected: str) -> None:
        """Add an error about the value of a key, or about the object if the key is missing."""
        path = (*self.path, key) if key in self.value else self.path
        self.fields.fault(path, rule, self.value.get(key), expected)

    def check_noun(self, noun: Any) -> None:
        """Add an error if the noun is not a word in small letters."""
        if not isinstance(noun, str) or not re.fullmatch(NOUN_PATTERN, noun):
            self.fault("noun", "", "noun, a word in small letters, such as animal")

    def read_game(self, name: str) -> Game | None:
        """Return the game, or None after an error.

        The number of colors is that of the symbols, that of the pairs, or the key `colors`; if the
        definition states it repeatedly, the numbers must agree.
        """
        scoring = SCORINGS[self.value.get("score", "black-white")]
        symbols = self.read_symbols(scoring)
        if symbols is None:
            return None
        words = self.read_word_list(symbols) if "words" in self.value else None
        if words is not None:
            symbols = replace(symbols, names=words.symbols)  # the list may determine the symbols
        elif "words" in self.value:  # an error in the list
            return None
        colors = self.value.get("colors", len(symbols.names) or None)
        if isinstance(scoring, Pairs):
            num_first, num_second = self.attribute_sizes()
            scoring = type(scoring)(num_second)
            num_pairs = num_first * num_second
            if colors is not None and colors != num_pairs:
                self.fault("colors", "each pair of attributes is a color", f"{num_pairs}")
            colors = num_pairs
        if colors is None:
            self.fields.fault(self.path, "the key 'colors' is missing", None, '"colors": 6')
            return None
        if symbols.names and len(symbols.names) != colors:
            expected = f"{colors} characters, not {len(symbols.names)}"
            self.fault("symbols", "each color has a symbol", expected)
            return None
        if not symbols.names:
            attributes = symbols.attributes
            symbols = replace(default_symbols(colors, scoring), attributes=attributes)
        space = self.read_space() if words is None else words.space
        try:
            return Game(self.value["pegs"], colors, space, scoring, symbols, name)
        except InputError as error:
            self.fields.add(self.path, error.faults)
            return None

    def read_symbols(self, scoring: Scoring) -> Symbols | None:
        """Return the symbols that the keys define, or None after an error.

        The result has no names if the game has the default symbols. For a word list without the key
        `symbols`, the symbols are the first letters of the alphabet, as many as the key `colors`
        states.
        """
        if isinstance(scoring, Pairs):
            if "symbols" in self.value:
                self.fault(
                    "symbols", "the key 'attributes' has the symbols of pairs", "no such key"
                )
            return self.read_pair_symbols()
        if "attributes" in self.value:
            expected = "no such key, or the score 'pairs'"
            self.fault("attributes", "only pairs have attributes", expected)
            return None
        noun = self.value.get("noun", "letter" if "words" in self.value else "color")
        if "symbols" in self.value:
            names = self.split_symbols("symbols", self.value["symbols"])
            return None if names is None else Symbols(tuple(names), noun)
        if "words" in self.value:
            # Without the key `colors`, the names are empty here, and `read_word_list` determines
            # them from the words.
            colors = self.value.get("colors", 0)
            return Symbols(tuple(LETTERS[:colors]), noun)
        if "noun" in self.value and (colors := self.value.get("colors")):
            return Symbols(default_symbols(colors, scoring).names, noun)
        return Symbols()

    def split_symbols(self, key: str, value: Any) -> Sequence[str] | None:
        """Return the characters of a text, or None after an error.

        It is an error if two characters differ at most in case, or if a character cannot be a
        symbol.
        """
        rule = f"{key} are different characters, none of them a blank or one of {RESERVED}"
        is_list = isinstance(value, list) and all(isinstance(symbol, str) for symbol in value)
        if is_list:
            characters: Sequence[str] = [*map(normalize, value)]
        else:
            characters = split_characters(normalize(value)) if isinstance(value, str) else ()
        are_different = len({*map(str.lower, characters)}) == len(characters) > 0
        are_symbols = all(len(split_characters(c)) == 1 and is_symbol(c) for c in characters)
        if are_different and are_symbols:
            return characters
        self.fields.fault((*self.path, key), rule, value, "one character per symbol")
        return None

    def read_attributes(self) -> list[tuple[str, Any]] | None:
        """Return the two attributes as (name, symbols or number of values); None after an error."""
        value = self.value.get("attributes")
        if not isinstance(value, dict) or len(value) != 2:
            expected = '{"color": "12345", "shape": "ABCDE"}'
            self.fault("attributes", "pairs have two attributes, each with its symbols", expected)
            return None
        return list(value.items())

    def read_pair_symbols(self) -> Symbols | None:
        """Return the symbols of pairs, or None after an error.

        The result has no names if the definition states only the number of values per attribute.
        """
        attributes = self.read_attributes()
        if attributes is None:
            return None
        nouns = tuple(noun for noun, _ in attributes)
        if all(type(value) is int and 1 <= value <= MAX_COLORS for _, value in attributes):
            return Symbols(noun="pair", attributes=nouns)
        symbols = [self.split_symbols("attributes", value) for _, value in attributes]
        if symbols[0] is None or symbols[1] is None:
            return None
        return pair_symbols(symbols[0], symbols[1], nouns)

    def attribute_sizes(self) -> tuple[int, ...]:
        """Return the number of values of each attribute. The key `attributes` must be valid."""
        values = [value for _, value in self.read_attributes() or ()]
        return tuple(value if isinstance(value, int) else len(value) for value in values)

    def read_space(self) -> Space:
        """Return the code space of a game without a word list."""
        if "guesses" in self.value:
            self.fault("guesses", "only games with a word list have this key", "no such key")
        return SPACES["repeats" if self.value.get("repeats", True) else "distinct"]

    def read_word_list(self, symbols: Symbols) -> WordList | None:
        """Return the word list, or None after an error.

        If the definition itself lists the words, every word must fit (see `make_word_list`). In a
        list given by name, words that do not fit are omitted.
        """
        if not self.value.get("repeats", True):
            self.fault("repeats", "the word list determines whether colors repeat", "no such key")
        words, pegs = self.value["words"], self.value["pegs"]
        names = symbols.names or None
        allows_any_guess = self.value.get("guesses") == "any"
        if symbols.attributes:
            self.fault("words", "words have no attributes", "the key 'symbols' instead")
        elif isinstance(words, str):
            return self.load_word_list(words, names, allows_any_guess=allows_any_guess)
        elif isinstance(words, list) and all(isinstance(word, str) for word in words):
            word_list = make_word_list(
                map(str.strip, words), pegs, names, allows_any_guess=allows_any_guess
            )
            expected = f"{pegs} of {symbols.range}" if names else quantity(pegs, "letter")
            if not words:
                self.fault("words", "the list is empty", f"words of {expected}")
                return None
            # Every unfit word gets an error at its own position.
            reasons = {
                word: reason
                for reason, unfit_words in word_list.unfit_words.items()
                for word in unfit_words
            }
            for word_index, word in enumerate(words):
                if reason := reasons.get(normalize(word.strip())):
                    self.fields.fault((*self.path, "words", word_index), reason, word, expected)
            return None if reasons else word_list
        else:
            self.fault("words", "", "a list of words, english, or the name of a file")
        return None

    def load_word_list(
        self, source: str, symbols: tuple[str, ...] | None, *, allows_any_guess: bool
    ) -> WordList | None:
        """Return a word list given by name (`english` or a file), or None after an error."""
        if source != ENGLISH and not self.fields.files:
            self.fault("words", "files are not read for this input", "english or a list of words")
            return None
        try:
            return read_words(
                source, self.value["pegs"], symbols, allows_any_guess=allows_any_guess
            )
        except InputError as error:
            self.fields.add((*self.path, "words"), error.faults)
            return None
