"""mmsat play."""

from __future__ import annotations

import json
import random
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mmsat.cli import options, playing
from mmsat.cli.exits import FAILURE, leave
from mmsat.cli.output import print_json, say
from mmsat.english import quantity
from mmsat.files import atomic_write

if TYPE_CHECKING:
    from mmsat.cli.human import LeftError
    from mmsat.matches.round import Round
    from mmsat.matches.saved import Saved


@click.command(
    "play",
    short_help="Play a game against the machine.",
    epilog=options.examples(
        "echo 1122 | mmsat play mastermind --seed 1 --turns 1",
        "printf '1234\\nhint\\nsave game.json\\nquit\\n' | mmsat play bulls-and-cows",
        "printf '1.1\\nquit\\n' | mmsat play 4x6 --role maker --strategy knuth",
    ),
)
@click.argument("game", required=False)
@click.option(
    "--role",
    type=click.Choice(("breaker", "maker")),
    help="breaker (the usual): you guess; maker: the machine guesses your code.",
)
@click.option("--turns", type=click.IntRange(1, 1_000_000), help="The guesses at most: 12, 10 ...")
@click.option(
    "--strategy",
    type=playing.StrategyName("auto"),
    help="How the machine guesses, and gives hints.",
)
@playing.consistent_mastermind
@click.option(
    "--seed", type=click.IntRange(0, options.LARGEST_SEED), help="Fix what the machine draws."
)
@click.option(
    "--resume",
    type=click.Path(dir_okay=False),
    help="Go on with a saved game; the other options are the game's.",
)
@options.as_json
def command(
    game: str | None,
    *,
    role: str | None,
    turns: int | None,
    strategy: str | None,
    consistent_only: bool,
    seed: int | None,
    resume: str | None,
    as_json: bool,
) -> None:
    """Play a game against the machine, on a terminal or through a pipe.

    GAME is a size such as 4x6 or a name of `mmsat games`. Each line is a guess or a score, or one
    of: hint, board, codes, undo, fix ROW SCORE, save FILE, quit, help. Where such a word is also a
    guess, put a colon before it. Scores that contradict each other are told at once.
    """
    given = {
        "GAME": game,
        "--role": role,
        "--turns": turns,
        "--strategy": strategy,
        "--consistent-only": consistent_only or None,
        "--seed": seed,
    }
    saved = begun(given) if resume is None else resumed(resume, given)
    now, left = played(saved)
    if now.is_over:
        ended(saved, now)
    if as_json:
        print_json(replace(saved, now=now).to_dict())
    if left is not None and left.is_ended:
        say("the input ended before the game")
        leave(FAILURE)


def begun(given: dict[str, Any]) -> Saved:
    """A new game."""
    from mmsat.board import Board  # noqa: PLC0415
    from mmsat.game.variants import find_game  # noqa: PLC0415
    from mmsat.matches.players import draw  # noqa: PLC0415  (loads the engines)
    from mmsat.matches.round import Round  # noqa: PLC0415
    from mmsat.matches.saved import Saved  # noqa: PLC0415
    from mmsat.strategy.choice import AUTO  # noqa: PLC0415

    if given["GAME"] is None:
        raise click.UsageError("Missing argument 'GAME', such as 4x6 or mastermind, or --resume.")
    game = find_game(given["GAME"])
    role, seed = given["--role"] or "breaker", given["--seed"]
    secret = draw(game, random.Random(seed)) if role == "breaker" else None
    turns = given["--turns"] or playing.usual_turns(given["GAME"])
    now = Round(Board(game), turns, secret, bool(given["--consistent-only"]))
    return Saved(role, now, given["--strategy"] or AUTO, seed)


def resumed(file: str, given: dict[str, Any]) -> Saved:
    """A saved game."""
    from mmsat.cli.source import read  # noqa: PLC0415
    from mmsat.matches.saved import read_saved  # noqa: PLC0415

    twice = [name for name, value in given.items() if value is not None]
    if twice:
        raise click.UsageError(f"A saved game has its own {', '.join(twice)}.")
    if file == "-":
        raise click.UsageError("Standard input has the moves; a saved game lies in a file.")
    return read_saved(read(file))


def played(saved: Saved) -> tuple[Round, LeftError | None]:
    """The game until its end, or until the person leaves."""
    from mmsat.cli.human import Human, LeftError, UndoneError, show_board  # noqa: PLC0415
    from mmsat.matches.players import Machine  # noqa: PLC0415  (loads the engines)

    def keep(now: Round, file: str) -> None:
        text = json.dumps(replace(saved, now=now).to_dict())
        atomic_write(Path(file), [text, "\n"])
        say(f"saved; go on with mmsat play --resume {file}")

    now = saved.now
    machine = Machine(
        now.board.game, saved.strategy, saved.seed, consistent_only=now.consistent_only
    )
    person = Human("you", strategy=saved.strategy, seed=saved.seed, save=keep, may_undo=True)
    is_maker = saved.role == "maker"
    breaker, maker = (machine, person) if is_maker else (person, machine)
    if now.board.rows:
        show_board(now)
    elif is_maker:
        person.hide(now.board.game)
    try:
        while not now.is_over:
            try:
                now = maker.answer(now, breaker.guess(now))
            except UndoneError:
                now = now.undone()
                continue
            if not is_maker:
                click.echo(told(now))
    except LeftError as left:
        return left.now, left
    return now, None


def told(now: Round) -> str:
    """The last guess and its score."""
    from mmsat.notation.speller import speller  # noqa: PLC0415

    game, row = now.board.game, now.board.rows[-1]
    spelled = speller(game).print_code(row.guess)
    return f"{len(now.board.rows)}: {spelled}  {game.scoring.describe(row.score)}"


def ended(saved: Saved, now: Round) -> None:
    """Tell how the game ended; a person who kept the code may tell it now, and it is checked."""
    from mmsat.cli.human import Human, LeftError, show_board  # noqa: PLC0415
    from mmsat.notation.speller import speller  # noqa: PLC0415

    print_code = speller(now.board.game).print_code
    secret = now.secret
    if saved.role == "maker" and not now.is_found:
        with suppress(LeftError):
            secret = Human("you").reveal(now)
    show_board(now, secret)
    guesses = quantity(len(now.board.rows), "guess")
    if now.is_found:
        click.echo(f"Found in {guesses}.")
    elif secret is None:
        click.echo(f"Not found in {guesses}.")
    else:
        click.echo(f"Not found in {guesses}: the code is {print_code(secret)}.")
    for row in now.board.missed(secret) if secret is not None else ():
        guess, score = now.board.rows[row]
        describe = now.board.game.scoring.describe
        right = now.board.game.score(secret or (), guess)
        click.echo(f"Row {row + 1} was scored {describe(score)}; right is {describe(right)}.")
