"""The published games, by the name that can stand in place of a size: `super/11223=1.1`.

Each is a file of mmsat/games/, in the notation in which one defines a game of one's own.
"""

import os
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from mmsat.errors import InputError
from mmsat.fields import Fields, read_toml
from mmsat.files import decode
from mmsat.game.definition import read_definition
from mmsat.game.game import Game
from mmsat.game.names import (
    FILE,
    FOLDER,
    WORD,
    matching_games,
    published_games,
    published_name,
)
from mmsat.game.scoring import SCORINGS
from mmsat.game.symbols import Symbols
from mmsat.game.words import read_words, word_length

LARGEST_FILE = 1 << 24
"""Bytes of a definition that are read; what is longer ends in the middle, and is a fault."""


class Variant(NamedTuple):
    """A game as it was sold or is played."""

    name: str
    """The name in a board line, a header and commands."""
    game: Game
    """Its size and rules."""
    title: str
    """What the box says."""
    year: str
    """The year it came out, or a word."""
    source: str
    """Where the rules are from."""
    rules: str
    """What sets it apart."""
    reading: str
    """Where sources differ: what is read here, and how to get the other."""
    turns: tuple[int, ...]
    """The numbers of guesses that it allows."""
    players: str
    """How many play."""


class Variants(Mapping[str, Variant]):
    """The published games by name; case, blanks and hyphens do not matter.

    A file is read when its game is first used.
    """

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in alphabetical order."""
        return published_games()

    def __getitem__(self, name: str) -> Variant:
        if (published := published_name(name)) is None:
            raise KeyError(name)
        return _variant(published)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and len(matching_games(name)) == 1

    def __iter__(self) -> Iterator[str]:
        return iter(published_games())

    def __len__(self) -> int:
        return len(published_games())


VARIANTS = Variants()


def max_turns(game: Game) -> int:
    """Return the most guesses that a published game allows; 0 if no limit is known."""
    variant = VARIANTS.get(str(game))
    return max(variant.turns, default=0) if variant else 0


@lru_cache
def _variant(name: str) -> Variant:
    """A game of the folder."""
    with open(os.path.join(FOLDER, f"{name}.toml"), encoding="utf-8") as file:
        text = file.read()
    about = read_toml(text)
    return Variant(
        name=name,
        game=define(text, name, named=name),
        title=about["title"],
        year=about["year"],
        source=about["source"],
        rules=about["rules"],
        reading=about.get("reading", ""),
        turns=tuple(about.get("turns", ())),
        players=about.get("players", "2"),
    )


def read_game(name: str) -> Game:
    """The game of a published name, `game:FILE` or `word:FILE`; raises InputError for bad files."""
    if name.startswith(FILE):
        return _of_file(name)
    return _of_words(name) if name.startswith(WORD) else VARIANTS[name].game


def _of_words(name: str) -> Game:
    """The game of a list of words: `word:FILE`, or `word:FILE:5` for those of five letters."""
    match = re.fullmatch(r"(.+?)(?::([0-9]{1,3}))?", name.removeprefix(WORD))
    if match is None:
        raise InputError.of("the game", "word:FILE, with the name of a file", name)
    pegs = int(match[2]) if match[2] else word_length(match[1])
    words = read_words(match[1], pegs)
    symbols = Symbols(words.symbols, "letter")
    return Game(pegs, len(words.symbols), words.space, SCORINGS["black-white"], symbols, name)


def _of_file(name: str) -> Game:
    """The game that a file defines: `game:FILE`."""
    file = os.path.normpath(name.removeprefix(FILE))
    try:
        with open(file, "rb") as opened:
            text = decode(opened.read(LARGEST_FILE), file)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        rule = f"the game's file can't be read: {reason}"
        raise InputError.of("the game", "a TOML or JSON file", file, rule) from None
    return define(text, file, named=name)


def define(text: str, source: str, *, named: str) -> Game:
    """The game that a definition in TOML or JSON makes; raises InputError with every fault."""
    fields = Fields(source)
    value = fields.parse(text, "a game's definition", is_json=text.lstrip().startswith("{"))
    return fields.require(read_definition(value, fields, (), named))
