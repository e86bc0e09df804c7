"""The command `mmsat play`."""

import json
import os
import random
from contextlib import suppress
from dataclasses import replace
from typing import Any

import click

from mmsat._util.files import atomic_write
from mmsat.cli import options
from mmsat.cli.exit_codes import FAILURE, leave
from mmsat.cli.human_player import ChangedError, HumanPlayer, LeftError, TableTalk, is_terminal
from mmsat.cli.input_files import read
from mmsat.cli.output import print_json, print_message, say
from mmsat.cli.parameters import Choice, Number, misuse, refuse_with
from mmsat.cli.play_options import strategy as strategy_option
from mmsat.cli.play_options import usual_turns, usual_turns_of_several
from mmsat.cli.several_play import play_boards
from mmsat.game.board import Board
from mmsat.game.names import find_game
from mmsat.game.notation.speller import speller
from mmsat.game.row import Code
from mmsat.play.players import Evader, Machine, draw_code, draw_remaining_code
from mmsat.play.round import Round, Saved, read_saved
from mmsat.strategy.selection import AUTO

DEFAULT_GAME = "4x6"
"""The default game."""
SINGLE_BOARD_OPTIONS = (
    *("--strategy", "--consistent-only", "--hard", "--evil", "--worst"),
    "--resume",
)
"""The options that cannot be combined with several boards."""
EVIL_CODE_VERB = "could still have been"
"""The verb for the revealed code of an evil codemaker, which never chose one."""


@options.command(
    "play",
    "echo 1122 | mmsat play mastermind --seed 1 --turns 1",
    "printf '1234\\nhint\\nsave game.json\\nquit\\n' | mmsat play bulls-and-cows",
    "printf '1.1\\nquit\\n' | mmsat play 4x6 --role maker --strategy knuth",
    "printf '1122\\nhint\\nquit\\n' | mmsat play 4x6 --boards 2 --seed 1",
)
@click.argument("game", required=False)
@click.option(
    "--role",
    type=Choice(("breaker", "maker")),
    help="breaker: you guess; maker: the machine guesses your code.",
)
@click.option("--turns", type=Number(1, 1_000_000), help="Allow up to N guesses.")
@strategy_option("auto", default=None)
@options.consistent_only
@options.hard
@click.option("--evil", is_flag=True, help="The machine does not commit to a code.")
@click.option("--worst", is_flag=True, help="With --evil: force the most guesses.")
@click.option("--boards", type=Number(2, 1000), help="Play N boards at once with shared guesses.")
@click.option("--any-word", is_flag=True, help="Accept guesses that are not words.")
@options.seed()
@options.file("--resume", help="Continue a saved game.")
@options.as_json
def command(
    game: str | None,
    *,
    role: str | None,
    turns: int | None,
    strategy: str | None,
    consistent_only: bool,
    hard: bool,
    evil: bool,
    worst: bool,
    boards: int | None,
    any_word: bool,
    seed: int | None,
    resume: str | None,
    as_json: bool,
) -> None:
    """Play a game against the machine, on a terminal or through a pipe.

    GAME is a size such as 4x6 or a name of `mmsat games` (default: 4x6). Each line is a guess, a
    score, or a command: hint, board, codes, undo, fix ROW SCORE, save FILE, quit, help. Ctrl-D
    saves the game to a file.

    --evil: the machine picks the score that leaves the most codes, or with --worst, the score that
    forces the most guesses (games of up to 5,040 codes).

    --boards N: each guess is scored on every unsolved board; solve all within N + 5 guesses, or
    within --turns. With --role maker, you enter the scores of a game that is played elsewhere.
    """
    given = {
        "GAME": game,
        "--role": role,
        "--turns": turns,
        "--strategy": strategy,
        "--consistent-only": consistent_only or None,
        "--hard": hard or None,
        "--evil": evil or None,
        "--worst": worst or None,
        "--seed": seed,
    }
    if boards is not None:
        given_here = {**given, "--resume": resume}
        unfit = [name for name in SINGLE_BOARD_OPTIONS if given_here[name] is not None]
        refuse_with("--boards", unfit)
        play_boards(
            find_game(game or DEFAULT_GAME),
            boards,
            role=role or "breaker",
            turns=turns or usual_turns_of_several(game or DEFAULT_GAME, boards),
            seed=seed,
            any_word=any_word,
            as_json=as_json,
        )
        return
    saved = new_game(given) if resume is None else load_game(resume, given)
    talk = TableTalk(aside=as_json)
    now, left = play(saved, talk, any_word=any_word)
    saved = replace(saved, now=now)
    if now.is_over:
        end(saved, talk)
    elif left is not None and left.is_ended and is_terminal():
        keep(saved, free_name())
    elif left is not None and saved.role == "breaker" and is_terminal():
        code = reveal(saved)
        spelled = "" if code is None else speller(now.board.game).print_code(code)
        talk.tell(f"The code {EVIL_CODE_VERB if saved.evil else 'was'} {spelled}.")
    if as_json:
        print_json(saved.to_dict())
    if left is not None and left.is_ended and not is_terminal():
        print_message("the input ended before the game was over")
        leave(FAILURE)


def new_game(given: dict[str, Any]) -> Saved:
    """Create a new game from the options, which are None if not given."""
    name = given["GAME"] or DEFAULT_GAME
    game = find_game(name)
    role, seed = given["--role"] or "breaker", given["--seed"]
    evil, worst = bool(given["--evil"]), bool(given["--worst"])
    if worst and not evil:
        misuse("--worst requires --evil.")
    if worst and given["--hard"]:
        refuse_with("--worst", ["--hard"])
    if evil and role == "maker":
        refuse_with("--evil", ["--role maker"], "The codemaker is you.")
    secret = draw_code(game, random.Random(seed)) if role == "breaker" and not evil else None
    turns = given["--turns"] or usual_turns(name)
    bound = [bool(given[name]) for name in ("--consistent-only", "--hard")]
    now = Round(Board(game), turns, secret, *bound)
    return Saved(role, now, given["--strategy"] or AUTO, seed, evil, worst)


def load_game(file: str, given: dict[str, Any]) -> Saved:
    """Read a saved game; raise InputError if options of a game are given as well."""
    redundant = [name for name, value in given.items() if value is not None]
    if redundant:
        refuse_with("--resume", redundant, "The saved game has its own settings.")
    if file == "-":
        misuse("--resume cannot read standard input. Give the name of a file.")
    return read_saved(read(file))


def keep(saved: Saved, file: str) -> None:
    """Save a game to a file, and print how to resume it."""
    atomic_write(file, [json.dumps(saved.to_dict()), "\n"])
    say(f"saved; continue with mmsat play --resume {file}")


def free_name() -> str:
    """Return the name of a file that does not exist."""
    names = ("mmsat-game.json", *(f"mmsat-game-{number}.json" for number in range(2, 1000)))
    return next(name for name in names if not os.path.exists(name))


def play(saved: Saved, talk: TableTalk, *, any_word: bool) -> tuple[Round, LeftError | None]:
    """Play a game until its end, or until the person quits.

    Return the last round, and the exception LeftError if the person quit, else None.
    """
    now = saved.now
    game = now.board.game
    is_maker = saved.role == "maker"
    bound: dict[str, Any] = {"consistent_only": now.consistent_only, "hard": now.hard}
    settings = game, saved.strategy, saved.seed
    machine: Machine
    if saved.evil:
        machine = Evader(*settings, worst=saved.worst, **bound)
    else:
        machine = Machine(*settings, **bound)
    person = HumanPlayer(
        "you",
        strategy=saved.strategy,
        seed=saved.seed,
        save=lambda now, file: keep(replace(saved, now=now), file),
        talk=talk,
        any_word=any_word,
        may_fix=is_maker,
    )
    breaker, maker = (machine, person) if is_maker else (person, machine)
    if is_terminal():
        talk.welcome(now, is_maker=is_maker)
    if now.board.rows:
        talk.show_round(now)
    elif is_maker and not is_terminal():
        person.hide(game)
    try:
        while not now.is_over:
            try:
                now = maker.answer(now, breaker.guess(now))
            except ChangedError as changed:
                now = changed.now
                continue
            if not is_maker:
                talk.turn(now)
    except LeftError as left:
        return left.now, left
    return now, None


def end(saved: Saved, talk: TableTalk) -> None:
    """Print how the game ended; a person who is the codemaker may enter the code."""
    secret: Code | None = None
    with suppress(LeftError):
        secret = saved.now.secret if saved.now.is_found else reveal(saved, talk)
    talk.end(saved.now, secret, EVIL_CODE_VERB if saved.evil else "is")


def reveal(saved: Saved, talk: TableTalk | None = None) -> Code | None:
    """Return the code of a game in which it was not found, or None if it stays unknown.

    An evil codemaker draws one of the remaining codes. A human codemaker enters the code.
    """
    if saved.evil:
        return draw_remaining_code(saved.now.board, random.Random(saved.seed or 0))
    if saved.role == "maker":
        return HumanPlayer("you", talk=talk).reveal(saved.now)
    return saved.now.secret
