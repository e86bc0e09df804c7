"""Names of games: sizes (`4x6`), published names (`super`) and files (`game:FILE`, `word:FILE`).

A published name replaces the size in a board line: `super/11223=1.1`. Each published game is a file
in mmsat/games/, in the same format as custom games.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from mmsat._util.files import decode
from mmsat._util.registry import Extensible, UnknownName, is_reference, similar_names
from mmsat._util.text import join_words
from mmsat.errors import InputError
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.game.symbols import Symbols

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
NUM_BOARDS = {"dordle": 2, "quordle": 4, "octordle": 8, "sedecordle": 16, "duotrigordle": 32}
"""The number of boards of games in which each guess is scored on several boards of wordle."""
MAX_SUGGESTED_GAMES = 3
"""The maximum number of games that an error message suggests."""
TITLE_WORD = r"\w+"
"""A word of a game's title."""
SEPARATORS = r"[\s_\-\u2010-\u2015]+"
"""Blanks, hyphens and underscores, which are ignored in names."""
OTHER_SIZE = (
    r"([0-9]{1,6})\s*(?:[-*.,:;/_\u00b7\u2013\u2217\u22c5\u2715\u2716\u2a2f]|by|times)\s*([0-9]{1,6})"
    r"([!d]?[a-z]*)"
)
"""A size in which another sign replaces the `x` between the numbers, such as `4*6`."""
SPACED_SIZE = r"^[0-9]+\s*[xX\u00d7]\s*[0-9]+(?:\s*[xX\u00d7]\s*[0-9]+)?"
"""A size at the beginning of a text, possibly with blanks around its `x`."""
SIZE_START = r"[0-9]+(?:[xX\u00d7]|\s*(?:[*\u00b7\u2217\u22c5\u2715\u2716\u2a2f]|by|times)\s*[0-9])"
"""The beginning of a size. Of the signs of `OTHER_SIZE`, it allows only signs that no guess and no
score has."""
MAX_DEFINITION_BYTES = 1 << 24
"""The maximum number of bytes read of a definition in a file. A longer text is cut off, which
usually makes it invalid."""


def _read_plugin(value: Game | Path, name: str) -> Game:
    """Return the game of a plug-in: an object, or the path of a definition in TOML."""
    if isinstance(value, os.PathLike):
        return define(value.read_text("utf-8"), str(value), name=name)
    if isinstance(value, Game) and (value.symbols or value.space.table()):
        # The size alone does not determine this game, so board lines need a name.
        return replace(value, name=name)
    return value


GAMES: Extensible[Game] = Extensible("game", "games", {}, Game, read=_read_plugin)
"""The games of plug-ins."""


def is_plugin(name: str, *, files: bool) -> bool:
    """Return whether a game of a plug-in has this name.

    If `files` is False, the name must not be a reference, such as `package.module:GAME`.
    """
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
    return re.sub(SEPARATORS, "", name.casefold())


@lru_cache(maxsize=1)
def _simple_names() -> dict[str, tuple[str, ...]]:
    """Return, for each simplified name or alias, the published names with this simplified name."""
    games_by_key: dict[str, tuple[str, ...]] = {}
    for name, game in ({game: game for game in published_names()} | ALIASES).items():
        key = simplify_name(name)
        games_by_key[key] = (*games_by_key.get(key, ()), game)
    return games_by_key


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
        return _game_of_size(name)
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
    if "/" in name and published_name(game := name.partition("/")[0]) is not None:
        raise InputError.of("the game", f"only the game, {game}", name, "this is a board")
    expected = f"a size such as 4x6, or {LISTED_NAME}"
    if boards := NUM_BOARDS.get(simplify_name(name)):
        hint = (
            f"It is wordle on {boards} boards. `mmsat suggest` accepts several boards, and "
            f"`mmsat play wordle --boards {boards}` plays it."
        )
        raise InputError([UnknownName(hint, name, expected, kind="game")], "")
    suggestions = [f"{GAME_PREFIX}{name}"] if name.endswith(".toml") else nearest_games(name)
    fault = UnknownName.of("game", name, published_names(), expected, suggestions)
    raise InputError([fault], "")


def nearest_games(name: str) -> list[str]:
    """Return names of published games for a suggestion.

    If `name` has several words, games whose titles contain all words are returned, shortest titles
    first. Otherwise, or if no title matches, games with similar names are returned.
    """
    words = {*re.findall(TITLE_WORD, name.casefold())}
    if len(words) > 1:
        published = PUBLISHED_GAMES.values()
        words_by_game = {
            game.name: re.findall(TITLE_WORD, game.title.casefold()) for game in published
        }
        matches = [game for game in words_by_game if words <= {*words_by_game[game]}]
        if matches:  # the shortest titles have the fewest other words
            return sorted(matches, key=lambda game: len(words_by_game[game]))[:MAX_SUGGESTED_GAMES]
    names = {simplify_name(game): game for game in (*published_names(), *ALIASES)}
    return [names[similar] for similar in similar_names(simplify_name(name), names)]


@lru_cache(maxsize=256)
def _game_of_size(name: str) -> Game:
    """Return the game of a size. Cached, because bulk input mostly has boards of one game."""
    try:
        return Game.of_size(name)
    except InputError:
        if size := similar_size(name):
            rule = f"did you mean {size}?"
            raise InputError.of("the game", "PEGSxCOLORS such as 4x6", name, rule) from None
        raise


def similar_size(text: str) -> str:
    """Return the size that a text with another sign in place of `x` means: 4x6 for `4*6`.

    Return "" for any other text.
    """
    match = re.fullmatch(OTHER_SIZE, text.strip())
    size = "{}x{}{}".format(*match.groups()) if match else ""
    with suppress(InputError):
        return str(Game.of_size(size)) if size else ""
    return ""


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
    looks_like_size = re.match(SIZE_START, name) is not None
    return (
        looks_like_size
        or name.startswith((GAME_PREFIX, WORD_PREFIX))
        or bool(matching_games(name))
        or name in GAMES
    )


def plain_name(text: str) -> str:
    """Return the name of a game in a text such as ` 4 x 6` or `game: mastermind`.

    The name is stripped, and blanks in a size are removed. With a blank, `game:` is a key before a
    name or a file; without it, `game:` stands for a file, as does `word:`.
    """
    text = text.strip()
    for prefix in (GAME_PREFIX, WORD_PREFIX):
        if text.lower().startswith(prefix):
            value = text[len(prefix) :]
            name = plain_name(value)
            is_key = prefix == GAME_PREFIX and value != value.lstrip() and is_game(name)
            return name if is_key else prefix + value.strip()
    return re.sub(SPACED_SIZE, lambda match: "".join(match[0].split()), text)


class PublishedGame(NamedTuple):
    """A published game, as it was sold or is played."""

    name: str
    """The name in board lines, headers and commands."""
    game: Game
    """The size and the rules."""
    title: str
    """The title on the box."""
    year: str
    """The year of publication, or a word such as "older" or "variant"."""
    source: str
    """The source of the rules."""
    summary: str
    """The differences from other games, in a short sentence."""
    notes: str
    """Notes, such as the rule used here if sources differ, and the name of the published game that
    uses the other rule. May be empty."""
    turns: tuple[int, ...]
    """The limits on the number of guesses from which players choose one; empty if none is known."""
    players: str
    """The number of players, as text."""


class PublishedGames(Mapping[str, PublishedGame]):
    """The published games by name, ignoring case, blanks and hyphens.

    A definition is read when its game is first used.
    """

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in alphabetical order."""
        return published_names()

    def __getitem__(self, name: str) -> PublishedGame:
        if (published := published_name(name)) is None:
            raise KeyError(name)
        return _read_published(published)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and len(matching_games(name)) == 1

    def __iter__(self) -> Iterator[str]:
        return iter(published_names())

    def __len__(self) -> int:
        return len(published_names())


PUBLISHED_GAMES = PublishedGames()
"""The published games by name."""


def games() -> tuple[str, ...]:
    """Return the names of the published games and of the games of plug-ins.

    Returns
    -------
    tuple of str
        The names, which `Game.parse` and board lines accept: the published games in alphabetical
        order, then the plug-ins.

    Examples
    --------
    >>> "mastermind" in mmsat.games()
    True
    """
    plugins, _ = GAMES.plugins()
    return (*published_names(), *(plugin.name for plugin in plugins))


def max_turns(game: Game) -> int:
    """Return the largest of a published game's limits on the number of guesses.

    Return 0 if the game is not published, or if no limit is known.
    """
    published = PUBLISHED_GAMES.get(str(game))
    return max(published.turns, default=0) if published else 0


@lru_cache
def _read_published(name: str) -> PublishedGame:
    """Read a published game from its file."""
    from mmsat._util.fields import read_toml

    with open(os.path.join(GAMES_FOLDER, f"{name}.toml"), encoding="utf-8") as file:
        text = file.read()
    values = read_toml(text)
    return PublishedGame(
        name=name,
        game=define(text, name, name=name),
        title=values["title"],
        year=values["year"],
        source=values["source"],
        summary=values["rules"],
        notes=values.get("reading", ""),
        turns=tuple(values.get("turns", ())),
        players=values.get("players", "2"),
    )


def read_game(name: str) -> Game:
    """Return the game of a published name, `game:FILE` or `word:FILE`.

    Raises InputError for a file that cannot be read or is not valid.
    """
    if name.startswith(GAME_PREFIX):
        return _game_in_file(name)
    return _word_list_game(name) if name.startswith(WORD_PREFIX) else PUBLISHED_GAMES[name].game


def _word_list_game(name: str) -> Game:
    """Return the game of a word list: `word:FILE`, or `word:FILE:5` for its words of 5 letters."""
    from mmsat.game.words import read_words, word_length

    match = re.fullmatch(r"(.+?)(?::([0-9]{1,3}))?", name.removeprefix(WORD_PREFIX))
    if match is None:
        raise InputError.of("the game", "word:FILE, in which FILE is the name of a file", name)
    pegs = int(match[2]) if match[2] else word_length(match[1])
    words = read_words(match[1], pegs)
    symbols = Symbols(words.symbols, "letter")
    return Game(pegs, len(words.symbols), words.space, SCORINGS["black-white"], symbols, name)


def _game_in_file(name: str) -> Game:
    """Return the game that a file defines: `game:FILE`."""
    file = os.path.normpath(name.removeprefix(GAME_PREFIX))
    try:
        with open(file, "rb") as stream:
            text = decode(stream.read(MAX_DEFINITION_BYTES), file)
    except InputError:
        raise  # a character cannot be decoded; the error states its position
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        rule = f"the game's file can't be read: {reason}"
        if published_name(file) is not None or re.match(SIZE_START, file):
            rule = f"game: names a file; did you mean the game {file}?"
        raise InputError.of("the game", "a TOML or JSON file", file, rule) from None
    return define(text, file, name=name)


def define(text: str, source: str, *, name: str) -> Game:
    """Return the game that a TOML or JSON text defines.

    Raises InputError with every fault. `source` is the name of the text in error messages.
    """
    from mmsat._util.fields import Fields
    from mmsat.game.definition import read_definition

    fields = Fields(source)
    value = fields.parse(text, "a game's definition", is_json=text.lstrip().startswith("{"))
    return fields.require(read_definition(value, fields, (), name))
