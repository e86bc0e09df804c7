"""The published games by name. A name replaces the size in a board line: `super/11223=1.1`.

Each game is a file in mmsat/games/, in the same format as custom games.
"""

import os
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from mmsat._util.fields import Fields, read_toml
from mmsat._util.files import decode
from mmsat.errors import InputError
from mmsat.game.definition import read_definition
from mmsat.game.game import Game
from mmsat.game.names import (
    GAME_PREFIX,
    GAMES,
    GAMES_FOLDER,
    WORD_PREFIX,
    matching_games,
    published_name,
    published_names,
)
from mmsat.game.scoring import SCORINGS
from mmsat.game.symbols import Symbols
from mmsat.game.words import read_words, word_length

MAX_DEFINITION_BYTES = 1 << 24
"""The maximum number of bytes read of a definition. A longer text is cut, and so usually becomes
invalid."""


class PublishedGame(NamedTuple):
    """A published game, as it was sold or is played."""

    name: str
    """The name in board lines, headers and commands."""
    game: Game
    """The size and the rules."""
    title: str
    """The title on the box."""
    year: str
    """The year of publication, or a word in place of a year."""
    source: str
    """The source of the rules."""
    summary: str
    """The differences from other games, in a short sentence."""
    notes: str
    """Notes, such as the rule used here if sources differ, and the name of the published game that
    uses the other rule. May be empty."""
    turns: tuple[int, ...]
    """The maximum numbers of guesses from which players choose one; empty if no limit is known."""
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
    """Return the largest maximum number of guesses of a game, or 0 if no limit is known."""
    published = PUBLISHED_GAMES.get(str(game))
    return max(published.turns, default=0) if published else 0


@lru_cache
def _read_published(name: str) -> PublishedGame:
    """Read a published game from its file."""
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
        with open(file, "rb") as opened:
            text = decode(opened.read(MAX_DEFINITION_BYTES), file)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        rule = f"the game's file can't be read: {reason}"
        raise InputError.of("the game", "a TOML or JSON file", file, rule) from None
    return define(text, file, name=name)


def define(text: str, source: str, *, name: str) -> Game:
    """Return the game that a TOML or JSON text defines.

    Raises InputError with every fault. `source` is the name of the text in error messages.
    """
    fields = Fields(source)
    value = fields.parse(text, "a game's definition", is_json=text.lstrip().startswith("{"))
    return fields.require(read_definition(value, fields, (), name))
