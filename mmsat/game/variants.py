"""The published games, by the name that can stand in place of a size: `super/11223=1.1`.

Each is a file of mmsat/games/, in the notation in which one defines a game of one's own.
"""

import os
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from mmsat.errors import Fault, InputError
from mmsat.fields import Fields, read_toml
from mmsat.game.definition import read_definition
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.game.symbols import Symbols
from mmsat.game.word_lists import read_words, word_length

FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "games")
LARGEST_FILE = 1 << 24
"""Bytes of a definition that are read; what is longer ends in the middle, and is a fault."""
FILE, WORD = "game:", "word:"
"""What stands before the name of a file: a definition, or a list of words."""


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
    """The games of the folder; a file is read when its game is asked for."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in alphabetical order."""
        return _names()

    def __getitem__(self, name: str) -> Variant:
        if name not in _names():
            raise KeyError(name)
        return _variant(name)

    def __contains__(self, name: object) -> bool:
        return name in _names()

    def __iter__(self) -> Iterator[str]:
        return iter(_names())

    def __len__(self) -> int:
        return len(_names())


VARIANTS = Variants()


@lru_cache(maxsize=1)
def _names() -> tuple[str, ...]:
    files = map(os.path.splitext, os.listdir(FOLDER))
    return tuple(sorted(name for name, ending in files if ending == ".toml"))


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


def find_game(name: str, *, files: bool = True) -> Game:
    """The game of a size (`4x6`), of a name (`super`), or of a file (`game:FILE`, `word:FILE`).

    Raises InputError for anything else, and without `files` for files.
    """
    if name[:1].isdigit():
        return _of_size(name)
    if name in VARIANTS:
        return VARIANTS[name].game
    if name.startswith((FILE, WORD)):
        if not files:
            fault = Fault("files are not read for this input", name, "a size or a game's name")
            raise InputError([fault], "the game")
        if not is_file(name):
            fault = Fault("a file's name in a board has no = and no #", name, "another name")
            raise InputError([fault], "the game")
        return _from_file(name) if name.startswith(FILE) else _from_word_list(name)
    if name[:1].isalpha():
        from difflib import get_close_matches  # noqa: PLC0415  (for this error alone)

        near = get_close_matches(name, VARIANTS, 3) or ["super", "grand", "bulls-and-cows"]
        write = f"{' or '.join(near)}; `mmsat games` lists them all"
        raise InputError([Fault("no game has this name", name, write)], "the game")
    return Game.parse(name)


@lru_cache(maxsize=256)
def _of_size(name: str) -> Game:
    """The game of a size, made once: boards in bulk are mostly of one game."""
    return Game.parse(name)


def is_file(name: str) -> bool:
    """Whether a name is that of a file, `game:FILE` or `word:FILE`, and can stand in a line."""
    return (
        name.startswith((FILE, WORD))
        and name == name.strip()
        and name.isprintable()
        and not set("=#") & set(name)
    )


def is_game(name: str) -> bool:
    """Whether a word is a game's name or looks like a size."""
    looks = name[:1].isdigit() and "x" in name
    return looks or name.startswith((FILE, WORD)) or name in VARIANTS


def _from_word_list(name: str) -> Game:
    """The game of a list of words: `word:FILE`, or `word:FILE:5` for those of five letters."""
    match = re.fullmatch(r"(.+?)(?::([0-9]{1,3}))?", name.removeprefix(WORD))
    if match is None:
        fault = Fault("word: is followed by the name of a file", name, "word:FILE")
        raise InputError([fault], "the game")
    pegs = int(match[2]) if match[2] else word_length(match[1])
    symbols = Symbols(tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), "letter")
    space = read_words(match[1], pegs, symbols.names)
    return Game(pegs, 26, space, SCORINGS["black-white"], symbols, name)


def _from_file(name: str) -> Game:
    """The game that a file defines: `game:FILE`."""
    file = os.path.normpath(name.removeprefix(FILE))
    try:
        with open(file, "rb") as opened:
            text = opened.read(LARGEST_FILE).decode("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        rule = f"the game's file can't be read: {reason}"
        raise InputError([Fault(rule, file, "a TOML or JSON file")], "the game") from None
    return define(text, file, named=name)


def define(text: str, source: str, *, named: str) -> Game:
    """The game that a definition in TOML or JSON makes; raises InputError with every fault."""
    fields = Fields(source)
    value = fields.parse(text, "a game's definition", is_json=text.lstrip().startswith("{"))
    game = read_definition(value, fields, (), named)
    if game is None or fields.faults:
        raise fields.error()
    return game
