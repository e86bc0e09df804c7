"""The commands `mmsat play` and `mmsat match`."""

import random
from contextlib import suppress
from dataclasses import replace
from typing import Any

import click

from mmsat._util.text import quantity
from mmsat.cli import options
from mmsat.cli.human_player import ChangedError, HumanPlayer, LeftError, TableTalk, is_terminal
from mmsat.cli.input_files import read
from mmsat.cli.output import (
    FAILURE,
    leave,
    leave_early,
    print_json,
    print_message,
    print_result,
)
from mmsat.cli.parameters import Choice, Name, Number, misuse, refuse_with
from mmsat.cli.play_options import StrategyName, usual_turns, usual_turns_of_several
from mmsat.cli.play_options import strategy as strategy_option
from mmsat.cli.progress import Job
from mmsat.cli.saved_games import save_game, unused_file_name
from mmsat.cli.several_play import play_boards
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.names import find_game
from mmsat.game.notation.board_reader import speller
from mmsat.game.several_boards import SeveralBoards
from mmsat.play.match import (
    MAX_MATCH_GAMES,
    MAX_PENALTY,
    MatchResult,
    SeveralMatch,
    match,
    match_many,
)
from mmsat.play.round import (
    Evader,
    Machine,
    Player,
    Round,
    draw_code,
    draw_remaining_code,
)
from mmsat.play.rules import MATCHES
from mmsat.play.saved import Saved, SavedBoards, read_saved
from mmsat.strategy.analyze import draw_codes
from mmsat.strategy.several import MULTI_BOARD_STRATEGIES, TOGETHER
from mmsat.strategy.strategies import AUTO

DEFAULT_GAME = "4x6"
"""The default game."""
SINGLE_BOARD_OPTIONS = ("--strategy", "--consistent-only", "--hard", "--evil", "--worst")
"""The options that cannot be combined with several boards."""
EVIL_CODE_VERB = "could still have been"
"""The verb for the revealed code of an evil codemaker, which never chose a code."""


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
def play_command(
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

    GAME is a size such as 4x6 or a name that `mmsat games` lists (default: 4x6). Each line is a
    guess, a score, or a command: hint, board, codes, undo, fix ROW SCORE, save FILE, quit, help.
    Ctrl-D saves the game to a file.

    --evil: the machine picks the score that leaves the most codes, or with --worst, the score that
    forces the most guesses (games of up to 5,040 codes).

    --boards N: each guess is scored on every unsolved board; solve all within --turns guesses (by
    default, N - 1 more than the published game allows, or N + 5). With --role maker, you enter the
    scores of a game that is played elsewhere.
    """
    game_options = {
        "GAME": game,
        "--role": role,
        "--turns": turns,
        "--strategy": strategy,
        "--consistent-only": consistent_only or None,
        "--hard": hard or None,
        "--evil": evil or None,
        "--worst": worst or None,
        "--boards": boards,
        "--seed": seed,
    }
    if resume is not None:
        saved = load_game(resume, game_options)
    else:
        saved = new_game(game_options) if boards is None else new_boards(game_options)
    if isinstance(saved, SavedBoards):
        play_boards(saved, any_word=any_word, as_json=as_json)
        return
    talk = TableTalk(to_stderr=as_json)
    now, departure = play(saved, talk, any_word=any_word)
    saved = replace(saved, now=now)
    if now.is_over:
        end(saved, talk)
    elif departure is not None and departure.is_input_ended and is_terminal():
        save_game(saved, unused_file_name())
    elif departure is not None and saved.role == "breaker" and is_terminal():
        code = reveal(saved)
        spelled = "" if code is None else speller(now.board.game).print_code(code)
        talk.print_sentence(f"The code {EVIL_CODE_VERB if saved.evil else 'was'} {spelled}.")
    if as_json:
        print_json(saved.to_dict())
    if departure is not None and departure.is_input_ended and not is_terminal():
        print_message("the input ended before the game was over")
        leave(FAILURE)


def new_game(game_options: dict[str, Any]) -> Saved:
    """Create a new game from options, whose values are None if they are not given."""
    name = game_options["GAME"] or DEFAULT_GAME
    game = find_game(name)
    role, seed = game_options["--role"] or "breaker", game_options["--seed"]
    evil, worst = bool(game_options["--evil"]), bool(game_options["--worst"])
    if worst and not evil:
        misuse("--worst requires --evil.")
    if worst and game_options["--hard"]:
        refuse_with("--worst", ["--hard"])
    if evil and role == "maker":
        refuse_with("--evil", ["--role maker"], "The codemaker is you.")
    secret = draw_code(game, random.Random(seed)) if role == "breaker" and not evil else None
    turns = game_options["--turns"] or usual_turns(name)
    restrictions = [bool(game_options[name]) for name in ("--consistent-only", "--hard")]
    now = Round(Board(game), turns, secret, *restrictions)
    return Saved(role, now, game_options["--strategy"] or AUTO, seed, evil, worst)


def new_boards(game_options: dict[str, Any]) -> SavedBoards:
    """Create a new game of several boards from options."""
    refuse_with(
        "--boards", [name for name in SINGLE_BOARD_OPTIONS if game_options[name] is not None]
    )
    name, count = game_options["GAME"] or DEFAULT_GAME, game_options["--boards"]
    game = find_game(name)
    role, seed = game_options["--role"] or "breaker", game_options["--seed"]
    secrets = tuple(draw_codes(game, count, seed)) if role == "breaker" else None
    turns = game_options["--turns"] or usual_turns_of_several(name, count)
    return SavedBoards(role, SeveralBoards.start(game, count), turns, seed, secrets)


def load_game(file: str, game_options: dict[str, Any]) -> Saved | SavedBoards:
    """Read a saved game; raise InputError if `game_options` has a value, as these are saved."""
    redundant = [name for name, value in game_options.items() if value is not None]
    if redundant:
        refuse_with("--resume", redundant, "The saved game has its own settings.")
    if file == "-":
        misuse("--resume cannot read standard input. Give the name of a file.")
    return read_saved(read(file))


def play(saved: Saved, talk: TableTalk, *, any_word: bool) -> tuple[Round, LeftError | None]:
    """Play a game until its end, or until the person quits.

    Return the last round, and the LeftError if the person quit or the input ended, else None.
    """
    now = saved.now
    game = now.board.game
    is_maker = saved.role == "maker"
    restrictions: dict[str, Any] = {"consistent_only": now.consistent_only, "hard": now.hard}
    settings = game, saved.strategy, saved.seed
    machine: Machine
    if saved.evil:
        machine = Evader(*settings, worst=saved.worst, **restrictions)
    else:
        machine = Machine(*settings, **restrictions)
    person = HumanPlayer(
        "you",
        strategy=saved.strategy,
        seed=saved.seed,
        save=lambda now, file: save_game(replace(saved, now=now), file),
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
                talk.change(now)
                continue
            if not is_maker:
                talk.turn(now)
    except LeftError as departure:
        return departure.now, departure
    return now, None


def end(saved: Saved, talk: TableTalk) -> None:
    """Print how the game ended; a person who is the codemaker may enter the code."""
    secret: Code | None = None
    with suppress(LeftError):
        secret = saved.now.secret if saved.now.is_found else reveal(saved, talk)
    talk.end(saved.now, secret, EVIL_CODE_VERB if saved.evil else "is")


def reveal(saved: Saved, talk: TableTalk | None = None) -> Code | None:
    """Return the code of a game in which it was not found, or None if it stays unknown.

    For an evil codemaker, a remaining code is drawn. A human codemaker enters the code.
    """
    if saved.evil:
        return draw_remaining_code(saved.now.board, random.Random(saved.seed or 0))
    if saved.role == "maker":
        return HumanPlayer("you", talk=talk).reveal(saved.now)
    return saved.now.secret


DEFAULT_GAMES = 10
"""Default number of games of several boards."""
HUMAN, EVIL, WORST = "human", "evil", "evil-worst"


@options.command(
    "match",
    "mmsat match mastermind --player sampled --player first-consistent --seed 1",
    "mmsat match super --rules challenge --player entropy --player auto --seed 1",
    "mmsat match 4x6 --player evil:knuth --player knuth --seed 1",
    "mmsat match 4x6 --boards 2 --player together --player one-by-one --seed 1",
    "mmsat match 3x4p --player entropy --player knuth --hard --seed 1",
)
@click.argument("game")
@click.option(
    "--player",
    "chosen",
    type=StrategyName("auto", HUMAN, EVIL, WORST, *MULTI_BOARD_STRATEGIES),
    multiple=True,
    help="Add a player: a strategy, human, evil[:STRATEGY] or evil-worst[:STRATEGY].",
)
@click.option(
    "--rules",
    type=Name("rules", lambda: MATCHES),
    default="points",
    help="points, key-pegs, new-mastermind (2 to 5 players) or challenge.",
)
@click.option(
    "--boards",
    type=Number(2, 1000),
    help="Play N boards at once with shared guesses.",
)
@click.option(
    "--games", type=Number(1, MAX_MATCH_GAMES), help="Play N games [default: one per player]."
)
@click.option("--turns", type=Number(1, 1_000_000), help="Allow up to N guesses in a round.")
@click.option(
    "--penalty",
    type=Number(0, MAX_PENALTY),
    default=1,
    help="Points that a wrong score costs the codemaker.",
)
@options.consistent_only
@options.hard
@options.seed()
@options.as_json
@options.verbose
def match_command(
    game: str,
    *,
    chosen: tuple[str, ...],
    rules: str,
    boards: int | None,
    turns: int | None,
    consistent_only: bool,
    hard: bool,
    seed: int | None,
    as_json: bool,
    verbose: bool,
    **settings: Any,
) -> None:
    """Play a match of several games in which the players change roles.

    The codemaker scores one point for each guess, and one more if the code is not found; --rules
    selects other rules. The player `evil` does not commit to a code and picks the score that leaves
    the most codes; `evil-worst` picks the score that forces the most guesses.

    With --boards N, strategies for several boards (together, summed-entropy, one-by-one) play the
    same random codes, and their wins and guesses are printed. A game is won within --turns guesses;
    by default, N - 1 more than the published game allows, or N + 5.
    """
    if boards is not None:
        match_boards(game, chosen, boards, turns, seed, as_json=as_json, verbose=verbose)
        return
    source = random.Random(seed)
    parsed_game = find_game(game)
    if len(chosen) < 2:
        misuse("A match needs two players or more. Give --player NAME for each of them.")
    players: list[Player] = []
    restrictions = {"consistent_only": consistent_only, "hard": hard}
    for number, name in enumerate(chosen, 1):
        if name == HUMAN:
            players.append(HumanPlayer(f"human {number}"))
            continue
        kind, _, strategy = name.partition(":")
        player_seed = source.randrange(1 << 31)
        if kind in (EVIL, WORST):
            players.append(
                Evader(
                    parsed_game, strategy or AUTO, player_seed, worst=kind == WORST, **restrictions
                )
            )
        else:
            players.append(Machine(parsed_game, name, player_seed, **restrictions))
    names = tuple(player.name for player in players)
    num_rounds = (settings["games"] or len(players)) * MATCHES[rules].rounds_per_game
    job = Job(
        MatchResult(parsed_game, rules, names, (), is_complete=False),
        "playing",
        lambda result: f"{len(result.played):,} of {quantity(num_rounds, 'round')} played",
        share=lambda result: len(result.played) / num_rounds,
    )
    code, failure_message = 0, None
    settings |= {"rules": rules, "turns": turns or usual_turns(game)}
    settings |= {**restrictions, "on_progress": job.note}
    try:
        job.run(lambda: match(parsed_game, players, **settings))
        code = job.code
    except LeftError:
        code, failure_message = FAILURE, "the match was left before its end"
    result = job.answer
    print_result(result, as_json=as_json, in_full=verbose)
    leave_early(code, failure_message)


def match_boards(
    name: str,
    player_names: tuple[str, ...],
    boards: int,
    turns: int | None,
    seed: int | None,
    *,
    as_json: bool,
    verbose: bool,
) -> None:
    """Play games of several boards at once, by one or more strategies, and print the results."""
    context_params = click.get_current_context().params
    excluded_options = ("consistent_only", "hard")
    refuse_with(
        "--boards", [options.option_name(name) for name in excluded_options if context_params[name]]
    )
    game, names = find_game(name), player_names or (TOGETHER,)
    max_guesses = turns or usual_turns_of_several(name, boards)
    games = context_params["games"] or DEFAULT_GAMES
    job = Job(
        SeveralMatch(game, boards, max_guesses, names, (), ()),
        "playing",
        lambda result: f"{quantity(len(result.guesses), 'game')} of {games:,} played",
    )
    settings: dict[str, Any] = {"count": boards, "games": games, "turns": max_guesses, "seed": seed}
    job.run(lambda: match_many(game, names, on_progress=job.note, **settings))
    print_result(job.answer, as_json=as_json, in_full=verbose)
    leave_early(job.code)
