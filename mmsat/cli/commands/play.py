"""mmsat play."""

import json
import random
from contextlib import suppress
from dataclasses import replace
from typing import Any

import click

from mmsat.board import Board
from mmsat.cli import options
from mmsat.cli.exit_codes import FAILURE, leave
from mmsat.cli.human_player import HumanPlayer, LeftError, UndoneError, show_round
from mmsat.cli.input_files import read
from mmsat.cli.output import print_json, say
from mmsat.cli.parameters import Choice, Number
from mmsat.cli.play_options import StrategyName, consistent_mastermind, usual_turns
from mmsat.english import quantity
from mmsat.files import atomic_write
from mmsat.game.names import find_game
from mmsat.matches.players import Machine, draw_code
from mmsat.matches.round import Round, Saved, read_saved
from mmsat.notation.speller import speller
from mmsat.strategy.selection import AUTO


@click.command(
    "play",
    epilog=options.examples(
        "echo 1122 | mmsat play mastermind --seed 1 --turns 1",
        "printf '1234\\nhint\\nsave game.json\\nquit\\n' | mmsat play bulls-and-cows",
        "printf '1.1\\nquit\\n' | mmsat play 4x6 --role maker --strategy knuth",
    ),
)
@click.argument("game", required=False)
@click.option(
    "--role",
    type=Choice(("breaker", "maker")),
    help="breaker (the usual): you guess; maker: the machine guesses your code.",
)
@click.option("--turns", type=Number(1, 1_000_000), help="The guesses at most: 12, 10 ...")
@click.option(
    "--strategy",
    type=StrategyName("auto"),
    help="How the machine guesses, and gives hints.",
)
@consistent_mastermind
@options.seed("Fix what the machine draws.")
@options.file("--resume", help="Go on with a saved game; the other options are the game's.")
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
    saved = new_game(given) if resume is None else load_game(resume, given)
    now, left = play(saved)
    if now.is_over:
        print_end(saved, now)
    if as_json:
        print_json(replace(saved, now=now).to_dict())
    if left is not None and left.is_ended:
        say("the input ended before the game")
        leave(FAILURE)


def new_game(given: dict[str, Any]) -> Saved:
    """A new game."""
    if given["GAME"] is None:
        raise click.UsageError("Missing argument 'GAME', such as 4x6 or mastermind, or --resume.")
    game = find_game(given["GAME"])
    role, seed = given["--role"] or "breaker", given["--seed"]
    secret = draw_code(game, random.Random(seed)) if role == "breaker" else None
    turns = given["--turns"] or usual_turns(given["GAME"])
    now = Round(Board(game), turns, secret, bool(given["--consistent-only"]))
    return Saved(role, now, given["--strategy"] or AUTO, seed)


def load_game(file: str, given: dict[str, Any]) -> Saved:
    """A saved game."""
    twice = [name for name, value in given.items() if value is not None]
    if twice:
        raise click.UsageError(f"A saved game has its own {', '.join(twice)}.")
    if file == "-":
        raise click.UsageError("Standard input has the moves; a saved game lies in a file.")
    return read_saved(read(file))


def play(saved: Saved) -> tuple[Round, LeftError | None]:
    """The game until its end, or until the person leaves."""

    def keep(now: Round, file: str) -> None:
        text = json.dumps(replace(saved, now=now).to_dict())
        atomic_write(file, [text, "\n"])
        say(f"saved; go on with mmsat play --resume {file}")

    now = saved.now
    machine = Machine(
        now.board.game, saved.strategy, saved.seed, consistent_only=now.consistent_only
    )
    person = HumanPlayer("you", strategy=saved.strategy, seed=saved.seed, save=keep, may_undo=True)
    is_maker = saved.role == "maker"
    breaker, maker = (machine, person) if is_maker else (person, machine)
    if now.board.rows:
        show_round(now)
    elif is_maker:
        person.hide(now.board.game)
    try:
        while not now.is_over:
            try:
                now = maker.answer(now, breaker.guess(now))
            except UndoneError:
                now = now.without_last()
                continue
            if not is_maker:
                click.echo(last_row(now))
    except LeftError as left:
        return left.now, left
    return now, None


def last_row(now: Round) -> str:
    """The last guess and its score."""
    game, row = now.board.game, now.board.rows[-1]
    spelled = speller(game).print_code(row.guess)
    return f"{len(now.board.rows)}: {spelled}  {game.scoring.describe(row.score)}"


def print_end(saved: Saved, now: Round) -> None:
    """Tell how the game ended; a person who kept the code may tell it now, and it is checked."""
    print_code = speller(now.board.game).print_code
    secret = now.secret
    if saved.role == "maker" and not now.is_found:
        with suppress(LeftError):
            secret = HumanPlayer("you").reveal(now)
    show_round(now, secret)
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
