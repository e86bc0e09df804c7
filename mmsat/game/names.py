"""Names of games: a size (`4x6`), a published name (`super`), or a file (`game:FILE`)."""

import os
import re
from functools import lru_cache

from mmsat._util.registry import UnknownName, similar_names
from mmsat._util.text import join_words
from mmsat.errors import InputError
from mmsat.game.game import Game

FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "games")
"""The folder with the definitions of the published games."""
LISTED_NAME = "a name that `mmsat games` lists"
"""Description of a published game's name in error messages."""
FILE, WORD = "game:", "word:"
"""Prefixes of file names: of a game definition, and of a word list."""
ALIASES = {"wordle": "daily-word"}
"""Additional names of published games."""
MAX_NEAR_GAMES = 3
"""The maximum number of games that an error message suggests."""
TITLE_WORD = re.compile(r"\w+")
SEPARATORS = re.compile(r"[\s_\-\u2010-\u2015]+")
"""Blanks, hyphens and underscores, which are ignored in names."""


@lru_cache(maxsize=1)
def published_games() -> tuple[str, ...]:
    """Return the names of the published games in alphabetical order."""
    files = map(os.path.splitext, os.listdir(FOLDER))
    return tuple(sorted(name for name, ending in files if ending == ".toml"))


def simplify_name(name: str) -> str:
    """Return a name in lower case, without blanks, hyphens and underscores."""
    return SEPARATORS.sub("", name.casefold())


@lru_cache(maxsize=1)
def _simple_names() -> dict[str, tuple[str, ...]]:
    """Return the published games by simplified name."""
    names: dict[str, tuple[str, ...]] = {}
    for name, game in ({game: game for game in published_games()} | ALIASES).items():
        key = simplify_name(name)
        names[key] = (*names.get(key, ()), game)
    return names


def matching_games(name: str) -> tuple[str, ...]:
    """Return the published games with a name: none, one, or several if the name is ambiguous.

    Case, blanks and hyphens are ignored. A name written exactly as published is never ambiguous.
    """
    return (name,) if name in published_games() else _simple_names().get(simplify_name(name), ())


def published_name(name: str) -> str | None:
    """Return the published game with a name, or None. Raises InputError for an ambiguous name."""
    names = matching_games(name)
    if len(names) > 1:
        rule = "the name is ambiguous"
        raise InputError.of("the game", join_words(names, "or"), name, rule)
    return names[0] if names else None


def find_game(name: str, *, files: bool = True) -> Game:
    """Return the game of a size (`4x6`), a name (`super`) or a file (`game:FILE`, `word:FILE`).

    Raises InputError if there is no such game, and for file names if `files` is False.
    """
    if name[:1].isdigit():
        return _of_size(name)
    if (published := published_name(name)) is not None:
        return read_game(published)
    if name.startswith((FILE, WORD)):
        if not files:
            raise InputError.of(
                "the game", "a size or a game's name", name, "files are not read for this input"
            )
        if not is_file(name):
            raise InputError.of("the game", "a file name without = and #", name)
        return read_game(name)
    expected = f"a size such as 4x6, or {LISTED_NAME}"
    fault = UnknownName.of("game", name, published_games(), expected, nearest_games(name))
    raise InputError([fault], "")


def nearest_games(name: str) -> list[str]:
    """Return names of published games for a suggestion.

    These are games whose titles contain all words of `name`, shortest titles first. If there are
    none, or `name` is a single word, they are games with similar names.
    """
    words = {*TITLE_WORD.findall(name.casefold())}
    if len(words) > 1:
        from mmsat.game.published import VARIANTS

        variants = VARIANTS.values()
        titles = {game.name: TITLE_WORD.findall(game.title.casefold()) for game in variants}
        titled = [game for game in titles if words <= {*titles[game]}]
        if titled:
            return sorted(titled, key=lambda game: len(titles[game]))[:MAX_NEAR_GAMES]
    names = {simplify_name(game): game for game in (*published_games(), *ALIASES)}
    return [names[near] for near in similar_names(simplify_name(name), names)]


def read_game(name: str) -> Game:
    """Return a published game, or the game defined by a file. Imports the parser on demand."""
    from mmsat.game.published import read_game as read

    return read(name)


@lru_cache(maxsize=256)
def _of_size(name: str) -> Game:
    """Return the game of a size; cached, because bulk input mostly has boards of one game."""
    return Game.of_size(name)


def is_file(name: str) -> bool:
    """Return whether a name is `game:FILE` or `word:FILE`, and can be part of a board line."""
    return (
        name.startswith((FILE, WORD))
        and name == name.strip()
        and name.isprintable()
        and not set("=#") & set(name)
    )


def is_game(name: str) -> bool:
    """Return whether a word is the name of a game or looks like a size."""
    looks_like_size = re.match(r"[0-9]+[xX\u00d7]", name) is not None
    return looks_like_size or name.startswith((FILE, WORD)) or bool(matching_games(name))
