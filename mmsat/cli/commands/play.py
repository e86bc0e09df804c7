"""The commands `mmsat play`, `match` and `puzzle`."""

import random
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, NotRequired

import click

from mmsat._util.files import atomic_write
from mmsat._util.text import join_words, quantity
from mmsat.cli import options
from mmsat.cli.commands.guesses import (
    StrategyName,
    strategy_option,
    usual_turns,
    usual_turns_of_several,
)
from mmsat.cli.commands.proofs import ProofFileJson, prove_codes, refuse_standard_output
from mmsat.cli.human_player import ChangedError, HumanPlayer, LeftError, TableTalk, is_terminal
from mmsat.cli.output import (
    FAILURE,
    INTERRUPTED,
    SUCCESS,
    Job,
    leave,
    leave_early,
    print_json,
    print_result,
    say,
    time_limit_message,
)
from mmsat.cli.parameters import Choice, Name, Number, misuse, read, refuse_combination
from mmsat.cli.several_play import play_boards, save_game, unused_file_name
from mmsat.errors import InputError
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.names import find_game
from mmsat.game.notation.board_reader import speller
from mmsat.play import Evader, Machine, Player, Round, draw_code, draw_remaining_code, given_rows
from mmsat.play.match import (
    MAX_MATCH_GAMES,
    MAX_PENALTY,
    MatchResult,
    SeveralMatch,
    match,
    match_many,
)
from mmsat.play.minimal_puzzle import minimal_puzzle
from mmsat.play.puzzle import Puzzle, PuzzleJson, Requirements, check_request, has_clues, puzzles
from mmsat.play.rules import MATCHES
from mmsat.play.saved import SavedBoards, SavedGame, read_saved
from mmsat.render.picture import require_glyphs
from mmsat.render.reports import print_report
from mmsat.render.reports.games import pdf_sheet, sheet
from mmsat.solving.deadline import Deadline, TimeUpError, stream_with_progress
from mmsat.strategy.analyze import draw_codes
from mmsat.strategy.several import MULTI_BOARD_STRATEGIES, TOGETHER, SeveralBoards
from mmsat.strategy.strategies import AUTO

DEFAULT_GAME = "4x6"  # of `mmsat play` without GAME
SINGLE_BOARD_OPTIONS = ("--strategy", "--consistent-only", "--hard", "--evil", "--worst")
"""The options that cannot be combined with several boards."""
EVIL_CODE_VERB = "could still have been"  # an evil codemaker never chose a code


@options.command(
    "play",
    "echo 1122 | mmsat play mastermind --seed 1 --turns 1",
    "printf '1234\\nhint\\nsave game.json\\nquit\\n' | mmsat play bulls-and-cows",
    "printf '1.1\\nquit\\n' | mmsat play 4x6 --role maker --strategy knuth",
    "printf '1122\\nhint\\nquit\\n' | mmsat play 4x6 --boards 2 --seed 1",
)
@click.argument("game", type=options.GameText(), required=False)
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
    seed: int | None,
    resume: str | None,
    as_json: bool,
) -> None:
    """Play a game against the machine, on a terminal or through a pipe.

    GAME is a size such as 4x6 or a name that `mmsat games` lists (default: 4x6). Each line is a
    guess, a score, or a command: hint, board, codes, undo, fix ROW SCORE, save FILE, quit, help.
    Ctrl-C and Ctrl-D save the game; a resumed one in its file.

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
        play_boards(saved, resume, as_json=as_json)
        return
    talk = TableTalk(to_stderr=as_json)
    now, departure = play(saved, talk, resume)
    saved = replace(saved, now=now)
    if now.is_over:
        end(saved, talk)
    elif departure is not None and not departure.is_input_ended and saved.role == "breaker":
        code = reveal(saved)
        spelled = "" if code is None else speller(now.board.game).print_code(code)
        talk.print_sentence(f"The code {EVIL_CODE_VERB if saved.evil else 'was'} {spelled}.")
    if as_json:
        print_json(saved.to_dict())
    if departure is not None:
        departure.leave()


def new_game(game_options: dict[str, Any]) -> SavedGame:
    """Create a new game from options, whose values are None if they are not given."""
    name = game_options["GAME"] or DEFAULT_GAME
    game = find_game(name)
    role, seed = game_options["--role"] or "breaker", game_options["--seed"]
    evil, worst = bool(game_options["--evil"]), bool(game_options["--worst"])
    if worst and not evil:
        misuse("--worst requires --evil.")
    if worst and game_options["--hard"]:
        refuse_combination(
            "--worst", ["--hard"], "In hard mode, --evil picks the score without --worst."
        )
    if evil and role == "maker":
        refuse_combination("--evil", ["--role maker"], "The codemaker is you.")
    secret = draw_code(game, random.Random(seed)) if role == "breaker" and not evil else None
    turns = game_options["--turns"] or usual_turns(name)
    restrictions = [bool(game_options[name]) for name in ("--consistent-only", "--hard")]
    board = Board(game, () if secret is None else given_rows(game, secret))
    now = Round(board, turns, secret, *restrictions)
    return SavedGame(role, now, game_options["--strategy"] or AUTO, seed, evil, worst)


def new_boards(game_options: dict[str, Any]) -> SavedBoards:
    """Create a new game of several boards from options."""
    given = [name for name in SINGLE_BOARD_OPTIONS if game_options[name] is not None]
    refuse_combination(
        "--boards", given, f"{join_words(SINGLE_BOARD_OPTIONS, 'and')} are for one board."
    )
    name, count = game_options["GAME"] or DEFAULT_GAME, game_options["--boards"]
    game = find_game(name)
    role, seed = game_options["--role"] or "breaker", game_options["--seed"]
    secrets = tuple(draw_codes(game, count, seed)) if role == "breaker" else None
    turns = game_options["--turns"] or usual_turns_of_several(name, count)
    return SavedBoards(role, SeveralBoards.start(game, count), turns, seed, secrets)


def load_game(file: str, game_options: dict[str, Any]) -> SavedGame | SavedBoards:
    """Read a saved game; raise InputError if `game_options` has a value, as these are saved."""
    redundant = [name for name, value in game_options.items() if value is not None]
    if redundant:
        refuse_combination("--resume", redundant, "The saved game has its own settings.")
    if file == "-":
        misuse("--resume cannot read standard input. Give the name of a file.")
    try:
        return read_saved(read(file))
    except InputError as error:
        raise InputError(error.faults, file) from None


def play(saved: SavedGame, talk: TableTalk, file: str | None) -> tuple[Round, LeftError | None]:
    """Play a game until its end, or until the person quits; `file` has it if it was resumed.

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
        may_fix=is_maker,
        file=file,
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
                guess = breaker.guess(now)
                now = maker.answer(now if is_maker else person.as_typed(now, guess), guess)
            except ChangedError as changed:
                now = changed.now
                talk.print_change(now)
                continue
            if not is_maker:
                talk.print_turn(now)
    except LeftError as departure:
        if departure.is_input_ended and is_terminal():
            save_game(replace(saved, now=departure.now), person.file or unused_file_name())
        return departure.now, departure
    return now, None


def end(saved: SavedGame, talk: TableTalk) -> None:
    """Print how the game ended; a person who is the codemaker may enter the code."""
    secret: Code | None = None
    with suppress(LeftError):
        secret = saved.now.secret if saved.now.is_found else reveal(saved, talk)
    talk.print_end(saved.now, secret, EVIL_CODE_VERB if saved.evil else "is")


def reveal(saved: SavedGame, talk: TableTalk | None = None) -> Code | None:
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
"""Players of `mmsat match` that are not strategies; the last two may precede one."""


@options.command(
    "match",
    "mmsat match mastermind --player sampled --player first-consistent --seed 1",
    "mmsat match super --rules challenge --player entropy --player auto --seed 1",
    "mmsat match 4x6 --player evil:knuth --player knuth --seed 1",
    "mmsat match 4x6 --boards 2 --player together --player one-by-one --seed 1",
    "mmsat match 3x4p --player entropy --player knuth --hard --seed 1",
)
@click.argument("game", type=options.GameText())
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
    rng = random.Random(seed)
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
        player_seed = rng.randrange(1 << 31)
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
    except LeftError as departure:
        code = INTERRUPTED if departure.is_interrupted else FAILURE
        failure_message = "the match was left before its end"
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
    given = [options.option_name(name) for name in excluded_options if context_params[name]]
    refuse_combination("--boards", given, "The guesses of several boards are not restricted.")
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


class PuzzleOutputJson(PuzzleJson):
    """A board with exactly one code and no superfluous row."""

    proof: NotRequired[ProofFileJson | None]
    """With --proof: the proof that there is no other code; null if none was written."""


WORDINGS = ("table", "padlock")  # the values of --words
EXTREME_OPTIONS = {"fewest": "--fewest-rows", "most": "--most-rows"}  # of `minimal_puzzle`
NUM_NEW_SEEDS = 1_000_000
"""If no seed is given, one below this is drawn, so that it is short."""


@options.command(
    "puzzle",
    "mmsat puzzle 4x6",
    "mmsat puzzle 4x6 --grade 3 --seed 7 -v",
    "mmsat puzzle 4x6 --grade 2 --count 12 -o sheet.pdf",
    "mmsat puzzle number --words padlock --easy-last",
    "mmsat puzzle 3x4b --most-rows",
    "mmsat puzzle 4x6 --proof puzzle.proof",
    "mmsat puzzle bulls-and-cows --rows 5 --max-black 1 --count 3 --json",
)
@options.game
@click.option("--grade", type=Number(1, 6), help="Difficulty of the hardest step.")
@click.option("--rows", type=Number(1), help="Number of rows.")
@click.option("--max-black", type=Number(0), help="Maximum number of blacks in a row.")
@click.option("--all-colors", is_flag=True, help="Guess every color of the code.")
@click.option("--easy-last", is_flag=True, help="Put the most informative rows last.")
@click.option(
    "--fewest-rows",
    "extreme",
    flag_value="fewest",
    help="Find and prove the minimum number of rows.",
)
@click.option(
    "--most-rows",
    "extreme",
    flag_value="most",
    help="Find and prove the maximum number of rows.",
)
@click.option(
    "--words", type=Choice(WORDINGS), default=WORDINGS[0], help="Print a table, or sentences."
)
@options.count(1, "puzzles")
@options.seed(None, "Random seed [default: a new one, which is printed].")
@options.timeout
@options.file(
    "-o", "--output", endings=(".svg", ".pdf"), help="Draw a printable sheet (.svg, .pdf)."
)
@options.file("--proof", metavar="FILE", help="Write a proof that there is no other solution.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON Lines.")
@options.verbose
def puzzle_command(
    game: Game,
    *,
    extreme: str | None,
    words: str,
    count: int,
    seed: int | None,
    timeout: float | None,
    output: str | None,
    proof: str | None,
    as_json: bool,
    verbose: bool,
    **requirements: Any,
) -> None:
    """Make puzzles: boards with exactly one solution, graded by difficulty.

    Every row of a puzzle is necessary. Grades are those of `mmsat explain --steps`, from 1 (one row
    at a time) to 6 (nested assumptions). GAME has up to a million codes. -v prints the steps of the
    solution; a sheet has the solutions at the end. --json also has a distractor for each row: a
    code that fits all other rows.

    If no board matches, prints the grades found (exit code 1). --fewest-rows and --most-rows search
    small games completely.
    """
    is_padlock = words == "padlock"
    check_options(
        game, requirements, count=count, extreme=extreme, proof=proof, words=words, output=output
    )
    job = Job(FAILURE, "drawing boards")  # the exit code until all puzzles are made
    finished: list[Puzzle] = []
    if extreme is None and seed is None:
        seed = random.SystemRandom().randrange(NUM_NEW_SEEDS)
        say(f"seed {seed}")

    def note(boards_by_grade: Mapping[int, int]) -> None:
        grades = [f"{count:,} of grade {grade}" for grade, count in sorted(boards_by_grade.items())]
        puzzle_count = f"{quantity(len(finished), 'puzzle')} of {count}, " if count > 1 else ""
        job.progress.report(
            f"{puzzle_count}boards drawn: {join_words(grades)}", len(finished) / count
        )

    def note_sets(rows: int, sets: int) -> None:
        job.progress.report(f"{quantity(rows, 'row')} so far, {sets:,} sets of guesses seen")

    def work() -> int:
        make_puzzles = partial(puzzles, game, seed=seed, **requirements)
        try:
            if extreme is not None:
                show(iter([minimal_puzzle(game, extreme, timeout=timeout, on_progress=note_sets)]))
            elif timeout is None:
                show(make_puzzles(on_progress=note))
            else:
                show(stream_with_progress(Deadline(timeout), note, make_puzzles))
        except TimeUpError:
            return FAILURE
        return SUCCESS

    def show(new_puzzles: Iterator[Puzzle]) -> None:
        for number, puzzle in enumerate(islice(new_puzzles, count)):
            with job.progress.hidden():
                finished.append(puzzle)
                if as_json and proof is None:
                    print_json(puzzle.to_dict())
                if as_json or output is not None:
                    continue
                click.echo("\n" * bool(number) + str(puzzle.board))
                print_report(puzzle, in_full=verbose, is_padlock=is_padlock)
                if extreme is not None:
                    comparison = "more" if extreme == "most" else "fewer"
                    click.echo(f"Proven: no puzzle of a {game} game has {comparison} rows.")

    try:
        work_code = job.run(work)
    finally:  # draw the puzzles made so far, even if an exception ended the search
        if output is not None and finished:
            draw = pdf_sheet if output.endswith(".pdf") else sheet
            atomic_write(output, [draw(finished, is_padlock=is_padlock)])
            say(f"{output}: {quantity(len(finished), 'puzzle')}")
    exit_code = job.code or work_code
    if proof is not None and finished:
        remaining = None if timeout is None else max(0.0, timeout - job.progress.seconds)
        prove_puzzle(finished[0], proof, remaining, exit_code, as_json=as_json)
    leave_early(exit_code, f"{time_limit_message()} ({job.progress.message})")


def check_options(
    game: Game,
    requirements: dict[str, Any],
    *,
    count: int,
    extreme: str | None,
    proof: str | None,
    words: str,
    output: str | None,
) -> None:
    """Refuse options that exclude each other, and requirements that no puzzle can meet."""
    if output is not None and output.endswith(".pdf"):
        require_glyphs("".join(game.color_symbols.names))  # its font lacks some symbols
    refuse_standard_output(proof, writes_veripb=True)
    if proof is not None and count > 1:
        refuse_combination("--proof", ["--count"], "A proof is about one puzzle.")
    if words == "padlock" and not has_clues(game):
        misuse(f"--words padlock needs scores that count colors; {game} has other scores.")
    if extreme is not None:
        names = filter(options.is_chosen, (*requirements, "count", "seed"))
        advice = "It makes one puzzle, the same each time."
        refuse_combination(EXTREME_OPTIONS[extreme], map(options.option_name, names), advice)
    else:
        others = (name for name in requirements if name != "grade")
        check_request(game, Requirements(**{name: requirements[name] for name in others}))


def prove_puzzle(
    puzzle: Puzzle, file: str, timeout: float | None, exit_code: int, *, as_json: bool
) -> None:
    """Write a proof that a puzzle has one solution; if none was found, end the command.

    With `as_json`, also print the document of the puzzle. If the command was interrupted before,
    and so has an exit code, no proof is made.
    """
    proof, proof_code = prove_codes(puzzle.board, [puzzle.code], file, timeout, exit_code)
    if as_json:
        document: PuzzleOutputJson = {**puzzle.to_dict(), "proof": proof}
        print_json(document)
    if proof_code and not exit_code:
        leave(proof_code)  # the reason was printed
