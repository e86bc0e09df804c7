"""Published games for display and for JSON, each with an example board line."""

from typing import Annotated, NotRequired, TypedDict

from mmsat._util.json_types import Digits, NonEmpty, Schema
from mmsat._util.registry import PluginJson
from mmsat.game.definition import RulesJson, to_rules
from mmsat.game.names import PUBLISHED_GAMES, PublishedGame
from mmsat.game.notation.speller import speller
from mmsat.game.row import Row


class PublishedGameJson(RulesJson):
    """A published game."""

    name: str
    """The name, which can be used instead of a size."""
    title: NonEmpty
    """The title on the box."""
    year: NonEmpty
    """The year of publication, or a word in place of a year."""
    game: Annotated[str, Schema(pattern="^([0-9]+(x[0-9]+){1,2}[!d]?[a-z]?|[a-z][a-z0-9-]*)$")]
    """The size if it defines the game, otherwise the name."""
    codes: Digits
    """Number of codes."""
    notation: str
    """An example board line."""
    rules: NonEmpty
    """The differences from other games."""
    reading: str | None
    """Notes, such as the interpretation used here if sources differ."""
    turns: list[Annotated[int, Schema(minimum=1, maximum=9999)]]
    """The maximum numbers of guesses from which players choose one."""
    players: NonEmpty
    """Number of players."""
    source: NonEmpty
    """Source of the rules."""


class GamesJson(TypedDict):
    """Published games."""

    games: list[PublishedGameJson]
    plugins: NotRequired[list[PluginJson]]
    """The games and scorings of plug-ins; missing if there are none."""


def by_year() -> list[PublishedGame]:
    """Return all published games by year and name. Games without a year come first."""

    def key(published: PublishedGame) -> tuple[int, str]:
        return int(published.year[:4]) if published.year[:4].isdecimal() else 0, published.name

    return sorted(PUBLISHED_GAMES.values(), key=key)


def as_dict(published: PublishedGame) -> PublishedGameJson:
    """Return a published game for JSON. The number of codes is a string because it can be huge."""
    game = published.game
    return {
        "name": published.name,
        "title": published.title,
        "year": published.year,
        "game": str(game),
        "codes": str(game.size),
        "notation": notation(published),
        "rules": published.summary,
        "reading": published.notes or None,
        "turns": list(published.turns),
        "players": published.players,
        "source": published.source,
        **to_rules(game),
    }


def notation(published: PublishedGame) -> str:
    """Return an example board line of a game: one guess with a possible score."""
    game = published.game
    table = game.space.table()
    if table:
        guess, code = table[len(table) // 3], table[len(table) // 2]
    else:
        *_, step = (1, *game.scoring.factors(game.colors)[1:])
        guess = tuple(peg * (step + (step > 1)) % game.colors for peg in range(game.pegs))
        code = (*guess[1:], (guess[-1] + 1) % game.colors)
    return f"{published.name}/{speller(game).print_row(Row(guess, game.score(code, guess)))}"
