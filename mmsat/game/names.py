"""What a game is called: its size (`4x6`), a published name (`super`), or a file (`game:FILE`)."""

import os
import re
from functools import lru_cache

from mmsat.errors import InputError
from mmsat.game.game import Game
from mmsat.registry import UnknownName, load, similar_names

FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "games")
"""The definitions of the published games."""
FILE, WORD = "game:", "word:"
"""What stands before the name of a file: a definition, or a list of words."""


@lru_cache(maxsize=1)
def published_games() -> tuple[str, ...]:
    """The names, in alphabetical order."""
    files = map(os.path.splitext, os.listdir(FOLDER))
    return tuple(sorted(name for name, ending in files if ending == ".toml"))


def find_game(name: str, *, files: bool = True) -> Game:
    """The game of a size (`4x6`), of a name (`super`), or of a file (`game:FILE`, `word:FILE`).

    Raises InputError for anything else, and without `files` for files.
    """
    if name[:1].isdigit():
        return _of_size(name)
    if name in published_games():
        return read_game(name)
    if name.startswith((FILE, WORD)):
        if not files:
            raise InputError.of(
                "the game", "a size or a game's name", name, "files are not read for this input"
            )
        if not is_file(name):
            raise InputError.of("the game", "the name of a file without = and #", name)
        return read_game(name)
    expected = "a size such as 4x6, or a name that `mmsat games` lists"
    raise InputError([UnknownName.of("game", name, published_games(), expected)], "")


def nearest_games(name: str) -> list[str]:
    """Return the names of published games that are most similar to a word."""
    return [*similar_names(name, published_games())]


def read_game(name: str) -> Game:
    """The game that a file defines; what reads it is loaded for this alone."""
    game: Game = load("mmsat.game.variants:read_game")(name)
    return game


@lru_cache(maxsize=256)
def _of_size(name: str) -> Game:
    """The game of a size, made once: boards in bulk are mostly of one game."""
    return Game.of_size(name)


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
    looks = re.match(r"[0-9]+[xX\u00d7]", name) is not None
    return looks or name.startswith((FILE, WORD)) or name in published_games()
