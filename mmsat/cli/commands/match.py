"""mmsat match."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from mmsat.cli import names, options, playing
from mmsat.cli.exits import FAILURE, leave
from mmsat.cli.interruptible import interruptible
from mmsat.cli.output import print_json, say

if TYPE_CHECKING:
    from mmsat.matches.match import MatchResult
    from mmsat.matches.players import Player

HUMAN = "human"


@click.command(
    "match",
    short_help="Play a match of several games.",
    epilog=options.examples(
        "mmsat match mastermind --player sampled --player first-consistent --seed 1",
        "mmsat match super --rules challenge --player entropy --player auto --seed 1",
    ),
)
@click.argument("game")
@click.option(
    "--player",
    "chosen",
    type=playing.StrategyName("auto", HUMAN),
    multiple=True,
    help="A strategy, or human; once for each player.",
)
@click.option(
    "--rules",
    type=names.Name("way to count", playing.matches),
    default="points",
    show_default=True,
    help="points, key-pegs, new-mastermind (2 to 5 players) or challenge.",
)
@click.option("--games", type=click.IntRange(1, 1_000_000), help="As many as players, or more.")
@click.option("--turns", type=click.IntRange(1, 1_000_000), help="The guesses of a round at most.")
@click.option(
    "--penalty",
    type=click.IntRange(0, 1000),
    default=1,
    show_default=True,
    help="What a wrong score costs the codemaker.",
)
@playing.consistent_mastermind
@click.option(
    "--seed", type=click.IntRange(0, options.LARGEST_SEED), help="Fix what the machine draws."
)
@options.as_json
@options.verbose
def command(
    game: str,
    *,
    chosen: tuple[str, ...],
    rules: str,
    games: int | None,
    turns: int | None,
    penalty: int,
    consistent_only: bool,
    seed: int | None,
    as_json: bool,
    verbose: bool,
) -> None:
    """Play a match of several games, in which the players change roles.

    Points go to the codemaker for each guess, and one more where the code was not found; --rules
    has other ways. After Ctrl-C, what was played is counted, without a winner.
    """
    from mmsat.cli.human import Human, LeftError  # noqa: PLC0415
    from mmsat.game.variants import find_game  # noqa: PLC0415
    from mmsat.matches.match import MatchResult, match  # noqa: PLC0415  (loads the engines)
    from mmsat.matches.players import Machine  # noqa: PLC0415

    source = random.Random(seed)
    found = find_game(game)
    if len(chosen) < 2:
        raise click.UsageError("A match takes two players: --player NAME --player NAME.")
    seats: list[Player] = [
        Human(f"human {number}")
        if name == HUMAN
        else Machine(found, name, source.randrange(1 << 31), consistent_only=consistent_only)
        for number, name in enumerate(chosen, 1)
    ]
    so_far = MatchResult(found, rules, tuple(seat.name for seat in seats), (), is_complete=False)

    def note(result: MatchResult) -> None:
        nonlocal so_far
        so_far = result
        work.tell(f"{len(result.played)} rounds played")

    is_left = True
    with interruptible() as work, suppress(LeftError):
        limit = turns or playing.usual_turns(game)
        so_far = match(
            found,
            seats,
            games=games,
            rules=rules,
            turns=limit,
            penalty=penalty,
            consistent_only=consistent_only,
            on_round=note,
        )
        is_left = False
    if as_json:
        print_json(so_far.to_dict())
    else:
        print_match(so_far, every_round=verbose)
    if work.is_interrupted:
        say("interrupted")
        leave(work.code)
    if is_left:
        say("the match was left before its end")
        leave(FAILURE)


def print_match(result: MatchResult, *, every_round: bool) -> None:
    """Print the points, and how the rounds went."""
    from mmsat.notation.speller import speller  # noqa: PLC0415
    from mmsat.render.table import paragraphs, table  # noqa: PLC0415
    from mmsat.render.terminal import show, wrap_width  # noqa: PLC0415

    if every_round:
        rounds = [
            [
                str(number),
                result.names[each.maker],
                "-" if each.secret is None else speller(result.game).print_code(each.secret),
                str(len(each.board.rows)),
                "yes" if each.is_found else "no",
                " ".join(map(str, each.points)),
            ]
            for number, each in enumerate(result.played, 1)
        ]
        heads = ["round", "codemaker", "code", "guesses", "found", "points"]
        show(table(heads, rounds, wrap_width(), numbers=[0, 3]))
        show([[]])
    lines = []
    for player, name in enumerate(result.names):
        rounds_alone, found, guesses = result.guesses(player)
        average = f"{guesses / rounds_alone:.2f}" if rounds_alone else "-"
        broken = f"{found} of {rounds_alone}" if rounds_alone else "-"
        lines.append([str(player + 1), name, str(result.points[player]), broken, average])
    heads = ["", "player", "points", "found", "guesses each"]
    show(table(heads, lines, wrap_width(), numbers=[2]))
    if result.winner is not None:
        said = f"Player {result.winner + 1}, {result.names[result.winner]}, wins."
    else:
        said = "A draw." if result.is_complete else "The match was not played to its end."
    show([[]])
    show(paragraphs([said], wrap_width()))
