"""The catalogues of games and of boards, and the help: `mmsat games`, `instances` and `help`."""

from collections.abc import Sequence
from typing import Annotated, Any, TypedDict

import click

from mmsat._util.results import BoardLine, Digits, Schema, VerdictName
from mmsat._util.text import quantity
from mmsat.cli import options, output
from mmsat.cli.group import COMMANDS, mmsat
from mmsat.cli.output import print_json
from mmsat.cli.parameters import Name, refuse_combination
from mmsat.diagnosis import ScoreChangeJson
from mmsat.game.library import Instance, families, find, instances
from mmsat.game.names import (
    ALIASES,
    GAME_PREFIX,
    GAMES,
    NUM_BOARDS,
    PUBLISHED_GAMES,
    WORD_PREFIX,
    PublishedGame,
    find_game,
    published_name,
    published_names,
    simplify_name,
)
from mmsat.game.notation.board_reader import speller
from mmsat.game.notation.document import (
    GamesJson,
    example_line,
    published_game_document,
    published_games_by_year,
)
from mmsat.game.scoring import SCORINGS
from mmsat.game.space import SPACES
from mmsat.render.terminal import show_board, show_fields, show_gap, show_sentences, show_table


class PublishedGameName(Name):
    """The name of a published game; case, blanks and hyphens are ignored."""

    def __init__(self) -> None:
        super().__init__("game", lambda: (*published_names(), *ALIASES), GAMES)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name in its published form, or the name of a file."""
        if str(value).startswith((GAME_PREFIX, WORD_PREFIX)):
            find_game(value)  # raises InputError if the file is invalid
            return str(value)
        if str(value).endswith(".toml") or simplify_name(str(value)) in NUM_BOARDS:
            find_game(value)  # raises InputError that says what to write
        return super().convert(published_name(value) or value, param, ctx)


@options.command("games", "mmsat games", "mmsat games grand")
@click.argument("name", type=PublishedGameName(), required=False)
@options.as_json
def games_command(name: str | None, *, as_json: bool) -> None:
    """List the published games, or describe one or your own (game:FILE, word:FILE).

    Every command accepts the name of a published game in place of a size.
    """
    if name is None:
        plugins = output.installed_plugins(GAMES) + output.installed_plugins(SCORINGS)
        variants = published_games_by_year()
    elif name.startswith((GAME_PREFIX, WORD_PREFIX)):
        plugins, variants = [], [custom_game(name)]
    else:
        plugins = [] if name in PUBLISHED_GAMES else output.find_plugin(GAMES, name)
        variants = [] if plugins else [PUBLISHED_GAMES[name]]
    if as_json:
        document: GamesJson = {
            "games": [published_game_document(published) for published in variants]
        }
        if plugins:
            document["plugins"] = plugins
        print_json(document)
    elif name is not None and plugins:
        output.show_plugin(plugins)
    elif name is not None:
        print_game(variants[0])
    else:
        print_games()
        output.show_plugins(plugins)


def custom_game(name: str) -> PublishedGame:
    """Return the game of a file, `game:FILE` or `word:FILE`, as an entry of the catalogue."""
    game = find_game(name)
    return PublishedGame(
        name,
        game,
        title="a custom game",
        year="own",
        source=name,
        summary=game.space.summary,
        notes="",
        turns=(),
        players="any",
    )


def game_size(published: PublishedGame) -> str:
    """Return pegs and colors as `4x6`; colors with shapes are split into their factors."""
    game = published.game
    return "x".join(map(str, (game.pegs, *game.scoring.factors(game.colors))))


def print_games() -> None:
    """Print the table of games, and the suffixes of sizes that define other games."""
    rows = [
        [game.name, game_size(game), f"{game.game.size:,}", game_summary(game)]
        for game in published_games_by_year()
    ]
    show_table(["name", "size", "codes", "what it is"], rows, (2,))
    show_sentences(["mmsat games NAME shows the score, the turns, a board and the source."])
    show_gap()
    kinds = [*SPACES.values(), *SCORINGS.values()]
    suffixes = [[kind.example, kind.summary + kind.remark] for kind in kinds]
    suffixes += [
        ["word:FILE", "the words of a file; word:FILE:5 for its words of five letters"],
        ["game:FILE", "your own game, in TOML or JSON; mmsat/games/README.md has the keys"],
    ]
    show_table(["any size", "rule"], suffixes)


def game_summary(published: PublishedGame) -> str:
    """Return the title, the year and the special rules of a game in one line."""
    return f"{published.title}, {published.year}. {published.summary}"


def print_game(published: PublishedGame) -> None:
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
        "notation": example_line(published),
        "also as": "" if game.name else str(game),
        "guesses": ", ".join(map(str, published.turns)),
        "players": published.players,
        "source": published.source,
    }
    show_fields(properties)


class InstanceJson(TypedDict):
    """A board of the library."""

    name: str
    """FAMILY/NAME."""
    family: str
    title: str
    """Description in one line."""
    source: str
    """Origin, such as a publication."""
    board: BoardLine
    verdict: VerdictName
    count: Digits | None
    """Number of consistent codes; null if it is not known."""
    secret: str | None
    """The secret code in the notation of the source."""
    slips: list[ScoreChangeJson]
    """The wrong scores, in boards that are examples of wrong scores."""
    generator: str
    """The command that makes the board, or `by hand`."""
    seed: int | None
    sha256: Annotated[str, Schema(pattern="^[0-9a-f]{64}$")]
    """Hash of the board line."""
    note: str


class InstancesJson(TypedDict):
    """Boards of the library."""

    instances: list[InstanceJson]


class InstanceName(Name):
    """The name of a family or a board of the library."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name unchecked; the library raises InputError if it is unknown."""
        return str(value)


def instance_names() -> list[str]:
    """Return the names of the families and boards of the library."""
    return [*families(), *(instance.name for instance in instances())]


@options.command(
    "instances",
    "mmsat instances",
    "mmsat instances classic/knuth-1122-0.2",
    "mmsat instances classic/knuth-1122-0.2 --line",
)
@click.argument("name", type=InstanceName("instance", instance_names), required=False)
@options.as_json
@click.option("--line", "as_line", is_flag=True, help="Print only board lines.")
def instances_command(name: str | None, *, as_json: bool, as_line: bool) -> None:
    """List the library of boards, or describe one board.

    NAME is a family, whose boards are listed, or FAMILY/NAME.
    """
    if as_line:
        refuse_combination("--line", ["--json"] if as_json else [], "Give one of them.")
    if name is None or name in families():
        selected: Sequence[Instance] = instances(name)
        is_single = False
    else:
        selected = [find(name)]
        is_single = True
    if as_json:
        document: InstancesJson = {"instances": [instance_json(instance) for instance in selected]}
        print_json(document)
    elif as_line:
        for instance in selected:
            click.echo(str(instance.board))
    elif is_single:
        print_instance(selected[0])
    else:
        print_instances(selected)


def instance_json(instance: Instance) -> InstanceJson:
    """Return the description of a board for JSON.

    The count is a string, because it can be huge. Rows are numbered from 1.
    """
    to_json = instance.board.game.scoring.to_json
    return {
        "name": instance.name,
        "family": instance.family,
        "title": instance.title,
        "source": instance.source,
        "board": str(instance.board),
        "verdict": instance.verdict,
        "count": None if instance.count is None else str(instance.count),
        "secret": instance.secret,
        "slips": [
            {"row": slip.row + 1, "from": to_json(slip.recorded), "to": to_json(slip.correct)}
            for slip in instance.slips
        ],
        "generator": instance.generator,
        "seed": instance.seed,
        "sha256": instance.sha256,
        "note": instance.note,
    }


def print_instances(selected: Sequence[Instance]) -> None:
    """Print a table of boards."""
    rows = [
        [entry.name, entry.verdict, "" if entry.count is None else f"{entry.count:,}", entry.title]
        for entry in selected
    ]
    show_table(["name", "verdict", "codes", "title"], rows, (2,))


def print_instance(instance: Instance) -> None:
    """Print a board and all facts about it."""
    board = instance.board
    print_score = board.game.scoring.describe
    slips = [
        f"row {slip.row + 1}: {print_score(slip.recorded)}, should be {print_score(slip.correct)}"
        for slip in instance.slips
    ]
    facts = {
        "name": instance.name,
        "title": instance.title,
        "source": instance.source,
        "verdict": instance.verdict,
        "codes": "" if instance.count is None else f"{instance.count:,}",
        "secret": instance.secret or "",
        "slips": "; ".join(slips),
        "origin": instance.generator,
        "seed": "" if instance.seed is None else str(instance.seed),
        "note": instance.note,
        "board": str(board),
    }
    show_fields(facts)
    show_gap()
    show_board(board, changes={slip.row: slip.correct for slip in instance.slips})


@options.command("help", "mmsat help", "mmsat help check", is_limited=False, is_silent=True)
@click.argument("name", metavar="[COMMAND]", type=Name("command", lambda: COMMANDS), required=False)
# Further words, such as the arguments of the command, are ignored.
@click.argument("words", nargs=-1, metavar="", expose_value=False)
@click.pass_context
def help_command(ctx: click.Context, name: str | None) -> None:
    """Explain a command: `mmsat help check` is `mmsat check --help`.

    Without COMMAND, lists all commands.
    """
    group = ctx.parent or click.Context(mmsat, info_name="mmsat")
    described = None if name is None else mmsat.get_command(group, name)
    if described is None:
        click.echo(group.get_help())
    else:
        inner = click.Context(described, info_name=name, parent=group, **mmsat.context_settings)
        click.echo(described.get_help(inner))
