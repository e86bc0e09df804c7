"""The command `mmsat games`."""

from typing import Any

import click

from mmsat._util.text import quantity
from mmsat.cli import options, plugins
from mmsat.cli.output import print_json
from mmsat.cli.parameters import Name
from mmsat.game.names import ALIASES, GAMES, published_name, published_names
from mmsat.game.notation.published import GamesJson, as_dict, by_year, notation
from mmsat.game.notation.speller import speller
from mmsat.game.published import PUBLISHED_GAMES, PublishedGame
from mmsat.game.scoring import SCORINGS
from mmsat.game.space import SPACES
from mmsat.render.terminal import show_fields, show_gap, show_sentences, show_table


class PublishedGameName(Name):
    """The name of a published game; case, blanks and hyphens are ignored."""

    def __init__(self) -> None:
        super().__init__("game", lambda: (*published_names(), *ALIASES), GAMES)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name in its published form."""
        return super().convert(published_name(value) or value, param, ctx)


@options.command("games", "mmsat games", "mmsat games grand")
@click.argument("name", type=PublishedGameName(), required=False)
@options.as_json
def command(name: str | None, *, as_json: bool) -> None:
    """List the published games, or describe one.

    Every command accepts the name of a published game in place of a size.
    """
    if name is None:
        found = plugins.installed(GAMES) + plugins.installed(SCORINGS)
        variants = by_year()
    else:
        found = [] if name in PUBLISHED_GAMES else plugins.find(GAMES, name)
        variants = [] if found else [PUBLISHED_GAMES[name]]
    if as_json:
        document: GamesJson = {"games": [as_dict(published) for published in variants]}
        if found:
            document["plugins"] = found
        print_json(document)
    elif name is not None and found:
        plugins.show_one(found)
    elif name is not None:
        print_one(PUBLISHED_GAMES[name])
    else:
        print_all()
        plugins.show_all(found)


def size(published: PublishedGame) -> str:
    """Return pegs and colors as `4x6`; colors with shapes are split into their factors."""
    game = published.game
    return "x".join(map(str, (game.pegs, *game.scoring.factors(game.colors))))


def print_all() -> None:
    """Print the table of games, and the suffixes of sizes that define other games."""
    rows = [[game.name, size(game), f"{game.game.size:,}", one_line(game)] for game in by_year()]
    show_table(["name", "size", "codes", "what it is"], rows, (2,))
    show_sentences(["mmsat games NAME shows the score, the turns, a board and the source."])
    show_gap()
    suffixes = [[space.example, space.summary] for space in SPACES.values()]
    suffixes += [[scoring.example, scoring.summary] for scoring in SCORINGS.values()]
    suffixes += [
        ["word:FILE", "the words of a file; word:FILE:5 for its words of five letters"],
        ["game:FILE", "your own game, in TOML or JSON; mmsat/games/README.md has the keys"],
    ]
    show_table(["any size", "rule"], suffixes)


def one_line(published: PublishedGame) -> str:
    """Return the title, the year and the special rules of a game in one line."""
    return f"{published.title}, {published.year}. {published.summary}"


def print_one(published: PublishedGame) -> None:
    """Print all properties of one game."""
    game = published.game
    properties = {
        "name": published.name,
        "title": published.title,
        "year": published.year,
        "rules": published.summary,
        "notes": published.notes,
        "size": f"{quantity(game.pegs, 'peg')}, {quantity(game.colors, speller(game).noun)}",
        "codes": f"{game.size:,}; {game.space.summary}",
        "score": game.scoring.summary,
        "notation": notation(published),
        "also as": "" if game.name else str(game),
        "guesses": ", ".join(map(str, published.turns)),
        "players": published.players,
        "source": published.source,
    }
    show_fields(properties)
