"""Names of games: sizes (`4x6`), published names (`super`) and files (`game:FILE`, `word:FILE`)."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from mmsat._util.plugins import Extensible, is_reference
from mmsat._util.registry import UnknownName, similar_names
from mmsat._util.text import join_words
from mmsat.errors import InputError
from mmsat.game.game import Game

if TYPE_CHECKING:
    from pathlib import Path

GAMES_FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "games")
"""The folder with the definitions of the published games."""
LISTED_NAME = "a name that `mmsat games` lists"
"""The description, in error messages, of the name of a published game."""
GAME_PREFIX, WORD_PREFIX = "game:", "word:"
"""The prefixes of the names of games in files: a game definition, and a word list."""
ALIASES = {"wordle": "daily-word"}
"""Additional names, each with the published game it means."""
MAX_SUGGESTED_GAMES = 3
"""The maximum number of games that an error message suggests."""
TITLE_WORD = re.compile(r"\w+")
SEPARATORS = re.compile(r"[\s_\-\u2010-\u2015]+")
"""Blanks, hyphens and underscores, which are ignored in names."""


def _read_plugin(value: Game | Path, name: str) -> Game:
    """Return the game of a plug-in: an object, or the path of a definition in TOML."""
    if isinstance(value, os.PathLike):
        from mmsat.game.published import define

        return define(value.read_text("utf-8"), str(value), name=name)
    if isinstance(value, Game) and (value.symbols or value.space.table()):
        return replace(value, name=name)
    return value


GAMES: Extensible[Game] = Extensible("game", "games", {}, Game, read=_read_plugin)
"""The games of plug-ins."""


def is_plugin(name: str, *, files: bool) -> bool:
    """Return whether a name is that of a game of a plug-in; a reference needs `files`."""
    # `game:FILE` and `word:FILE` look like references, but name files.
    return (
        not name.startswith((GAME_PREFIX, WORD_PREFIX))
        and name in GAMES
        and (files or not is_reference(name))
    )


@lru_cache(maxsize=1)
def published_names() -> tuple[str, ...]:
    """Return the names of the published games in alphabetical order."""
    files = map(os.path.splitext, os.listdir(GAMES_FOLDER))
    return tuple(sorted(name for name, ending in files if ending == ".toml"))


def simplify_name(name: str) -> str:
    """Return a name in lower case, without blanks, hyphens and underscores."""
    return SEPARATORS.sub("", name.casefold())


@lru_cache(maxsize=1)
def _simple_names() -> dict[str, tuple[str, ...]]:
    """Return the names of the published games by simplified name."""
    names: dict[str, tuple[str, ...]] = {}
    for name, game in ({game: game for game in published_names()} | ALIASES).items():
        key = simplify_name(name)
        names[key] = (*names.get(key, ()), game)
    return names


def matching_games(name: str) -> tuple[str, ...]:
    """Return the published names that `name` can mean. There are several if it is ambiguous.

    Case, blanks and hyphens are ignored. A name written exactly as published is never ambiguous.
    """
    return (name,) if name in published_names() else _simple_names().get(simplify_name(name), ())


def published_name(name: str) -> str | None:
    """Return the published name that `name` means, or None.

    Raises InputError for an ambiguous name.
    """
    names = matching_games(name)
    if len(names) > 1:
        rule = "the name is ambiguous"
        raise InputError.of("the game", join_words(names, "or"), name, rule)
    return names[0] if names else None


def find_game(name: str, *, files: bool = True) -> Game:
    """Return the game of a size (`4x6`), a name (`super`) or a file (`game:FILE`, `word:FILE`).

    A name can also be that of a plug-in or, if `files` is True, a reference `package.module:GAME`.
    Raises InputError if no game has this name, and for every file name if `files` is False.
    """
    if name[:1].isdigit():
        return _of_size(name)
    if (published := published_name(name)) is not None:
        return read_game(published)
    if name.startswith((GAME_PREFIX, WORD_PREFIX)):
        if not files:
            raise InputError.of(
                "the game", "a size or a game's name", name, "files are not read for this input"
            )
        if not is_file_name(name):
            raise InputError.of("the game", "a file name without = and #", name)
        return read_game(name)
    if is_plugin(name, files=files):
        return GAMES[name]
    expected = f"a size such as 4x6, or {LISTED_NAME}"
    fault = UnknownName.of("game", name, published_names(), expected, nearest_games(name))
    raise InputError([fault], "")


def nearest_games(name: str) -> list[str]:
    """Return names of published games for a suggestion.

    If `name` has several words, games whose titles contain all words are returned, shortest titles
    first. Otherwise, or if no title matches, games with similar names are returned.
    """
    words = {*TITLE_WORD.findall(name.casefold())}
    if len(words) > 1:
        from mmsat.game.published import PUBLISHED_GAMES

        published = PUBLISHED_GAMES.values()
        words_by_game = {game.name: TITLE_WORD.findall(game.title.casefold()) for game in published}
        matches = [game for game in words_by_game if words <= {*words_by_game[game]}]
        if matches:
            return sorted(matches, key=lambda game: len(words_by_game[game]))[:MAX_SUGGESTED_GAMES]
    names = {simplify_name(game): game for game in (*published_names(), *ALIASES)}
    return [names[similar] for similar in similar_names(simplify_name(name), names)]


def read_game(name: str) -> Game:
    """Return a published game, or the game that a file defines."""
    from mmsat.game.published import read_game as read

    return read(name)


@lru_cache(maxsize=256)
def _of_size(name: str) -> Game:
    """Return the game of a size. Cached, because bulk input mostly has boards of one game."""
    return Game.of_size(name)


def is_file_name(name: str) -> bool:
    """Return whether a name is `game:FILE` or `word:FILE`, and can be part of a board line."""
    return (
        name.startswith((GAME_PREFIX, WORD_PREFIX))
        and name == name.strip()
        and name.isprintable()
        and not set("=#") & set(name)
    )


def is_game(name: str) -> bool:
    """Return whether a word is the name of a game or looks like a size."""
    looks_like_size = re.match(r"[0-9]+[xX\u00d7]", name) is not None
    return (
        looks_like_size
        or name.startswith((GAME_PREFIX, WORD_PREFIX))
        or bool(matching_games(name))
        or name in GAMES
    )
