"""The commands `mmsat check` and `score`."""

from __future__ import annotations

import re
import sys
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, TypedDict

import click

import mmsat
from mmsat._util.results import Positive
from mmsat._util.text import join_words, noun_phrase, quantity
from mmsat.cli import options
from mmsat.cli.commands.proofs import (
    VERIPB_ENDING,
    ProofFileJson,
    refuse_standard_output,
    write_proof,
)
from mmsat.cli.group import raise_errors
from mmsat.cli.output import (
    CURRENT_BOARD,
    FAILURE,
    USAGE,
    Job,
    leave,
    leave_early,
    leave_with,
    print_json,
    print_message,
    say,
    time_limit_message,
)
from mmsat.cli.parameters import Seconds, refuse_combination
from mmsat.diagnosis import VerdictJson
from mmsat.diagnosis.check import REASON_SECONDS
from mmsat.diagnosis.sentences import inconsistent_sentence, play_sentence
from mmsat.errors import Fault, InputError, Place
from mmsat.game import Code
from mmsat.game.board import Board, Status
from mmsat.game.game import Game
from mmsat.game.names import find_game, is_game, published_names
from mmsat.game.notation.board_reader import BoardReader, PlacedText, speller
from mmsat.render.reports import print_report
from mmsat.render.terminal import show_gap, show_sentences
from mmsat.solving import find_engine
from mmsat.solving.deadline import Deadline

if TYPE_CHECKING:
    from collections.abc import Callable

    from mmsat.cli.options import NamedBoard
    from mmsat.diagnosis import Verdict
    from mmsat.proof.prove import Proof


class CheckOptionsJson(TypedDict, total=False):
    """Keys that options add."""

    inconsistent_guesses: list[Positive]
    """With --consistent-play: numbers of the rows whose guesses contradict earlier scores."""
    proof: ProofFileJson | None
    """With --proof: the proof; null if none was found."""


class CheckJson(VerdictJson, CheckOptionsJson):
    """The verdict, and what options add."""


@options.command(
    "check",
    "mmsat check 4x6/1122=1.1/3345=0.2",
    "mmsat check 4x6/1122=1.1/1122=0.2/3456=0.2 --lies 1",
    "mmsat check 4x6/1122=0.4/1122=0.2 --proof board.proof",
    "mmsat generate six-colors --size 6 --count 3 --to line -o boards.txt",
    "mmsat check boards.txt 4x6/1122=1.1",
)
@options.board_lists(may_skip=True)
@options.as_json
@options.lies
@options.solver_options("engine", "seed", "timeout")
@click.option(
    "--reason",
    type=Seconds(),
    default=REASON_SECONDS,
    show_default=False,
    help=f"Time for explaining an inconsistency [default: {REASON_SECONDS:g}, several boards: 0].",
)
@click.option(
    "--consistent-play",
    is_flag=True,
    help="Report whether each guess fits the scores before it.",
)
@options.file(
    "--proof", metavar="FILE", help="Write a proof, for `mmsat verify`; .pbp: for VeriPB."
)
@options.verbose
def check_command(
    lists: tuple[list[NamedBoard], ...],
    *,
    as_json: bool,
    lies: int,
    reason: float,
    consistent_play: bool,
    proof: str | None,
    timeout: float | None,
    verbose: bool,
    **settings: Any,
) -> None:
    """Decide whether a code gets exactly these scores.

    Prints a matching code, or the conflicting rows and the most likely correction. Exit code: 10
    consistent, 20 inconsistent, 1 time limit reached first. With --lies N, up to N rows may be
    violated, or with --by pegs, up to N key pegs in all rows: a missing, an additional or a wrong
    key peg counts as one.

    For several BOARDs, or a file with one board per line, prints one line per board (JSON Lines
    with --json). --timeout limits the time of all boards together. The exit code is that of the
    worst result: 2 if a line of a file is wrong, else 1 if a board is undecided, else 20 if one is
    inconsistent, else 10.
    """
    boards = [named_board for board_list in lists for named_board in board_list]
    settings["lies"] = lies
    if proof is not None and lies:
        refuse_combination(
            "--proof",
            ["--lies"],
            "A proof assumes that all scores are right. `mmsat explain --proof` allows wrong ones.",
        )
    if proof is not None and (plugin := find_engine(settings["engine"]).plugin):
        advice = "A proof is made without the plug-in. Leave out --engine."
        refuse_combination("--proof", [f"the {plugin}"], advice)
    refuse_standard_output(proof, writes_veripb=True)
    skipped = click.get_current_context().meta.get(options.SKIPPED_LINES, ())
    if len(boards) > 1 or skipped:
        single_board_options = {"--proof": proof is not None, "--consistent-play": consistent_play}
        given = [option for option, is_given in single_board_options.items() if is_given]
        refuse_combination("Several boards", given, "Check each board by its own command.")
        settings["reason"] = reason if options.is_chosen("reason") else 0.0
        # does not return
        check_boards(boards, timeout, as_json=as_json, verbose=verbose, **settings)
    settings["reason"] = reason
    check_board(
        boards[0].board,
        as_json=as_json,
        consistent_play=consistent_play,
        proof=proof,
        timeout=timeout,
        verbose=verbose,
        **settings,
    )


def check_board(
    board: Board,
    *,
    as_json: bool,
    consistent_play: bool,
    proof: str | None,
    timeout: float | None,
    verbose: bool,
    **settings: Any,
) -> NoReturn:
    """Check one board, print its report, and end with the exit code of its verdict."""
    click.get_current_context().meta[CURRENT_BOARD] = board
    job: Job[Verdict | None] = Job(None, "looking for a code", lambda _: "looking for the reason")
    printed_sentences: list[str] = []

    def note(verdict: Verdict) -> None:
        # on a terminal, show that the board is inconsistent before the search for the reason ends
        job.note(verdict)
        if (
            verdict.is_consistent is False
            and not printed_sentences
            and not as_json
            and sys.stdout.isatty()
        ):
            printed_sentences.append(inconsistent_sentence(board, verdict.tolerance))
            with job.progress.hidden():
                show_sentences(printed_sentences)
                show_gap()

    def work() -> Verdict:
        deadline = Deadline(timeout)
        result = mmsat.check(board, timeout=timeout, on_progress=note, **settings)
        # Derivations are printed only, and only for boards without lies.
        is_full = verbose and not as_json and not settings["lies"]
        return derive_conflict(result, deadline, settings["reason"]) if is_full else result

    verdict = job.run(work)
    if verdict is None:  # interrupted before any verdict
        raise KeyboardInterrupt
    exit_code = job.code or None
    if exit_code:  # only Ctrl-C, because `check` itself returns at the time limit
        print_message("interrupted")
    if as_json:
        option_keys: CheckOptionsJson = {}
        if consistent_play:
            option_keys["inconsistent_guesses"] = [row + 1 for row in board.inconsistent_guesses()]
        if proof is not None:
            option_keys["proof"], exit_code = write_verdict_proof(
                verdict, proof, settings["engine"], timeout, exit_code
            )
        print_json(document(verdict, option_keys))
    else:
        print_report(verdict, in_full=verbose, num_printed=len(printed_sentences))
        if verdict.reason_seconds and not (verdict.conflict or verdict.correction or exit_code):
            seconds = f"{verdict.reason_seconds:.1f} s"
            say(f"No explanation was found within {seconds}. --reason N allows more time.")
        if consistent_play:
            show_sentences([play_sentence(board)])
    if verdict.is_unchecked:
        print_message(
            "This answer of the engine is unchecked. --proof with a built-in engine proves it."
        )
    if verbose:
        choice = f" ({verdict.choice})" if verdict.choice else ""
        explanation_time = f", explained in {verdict.reason_seconds:.3f} s"
        decided = "not decided" if verdict.is_consistent is None else "decided"
        say(
            f"{decided} by {verdict.engine}{choice} in "
            f"{verdict.seconds:.3f} s{explanation_time * (verdict.is_consistent is False)}"
        )
    if proof is not None and not as_json:
        sys.stdout.flush()
        _, exit_code = write_verdict_proof(verdict, proof, settings["engine"], timeout, exit_code)
    if exit_code is not None:
        leave(exit_code)
    leave_with(verdict.status)


def document(verdict: Verdict, option_keys: CheckOptionsJson) -> CheckJson:
    """Return the JSON document of a verdict, with the keys that options add."""
    return {**verdict.to_dict(), **option_keys}


def check_boards(
    boards: list[NamedBoard],
    timeout: float | None,
    *,
    as_json: bool,
    verbose: bool,
    **settings: Any,
) -> NoReturn:
    """Check several boards, print one line for each, and end with the exit code of the worst.

    The errors of skipped lines are printed first.

    The time limit is for all boards together; boards that are not reached in time are undecided.
    """
    skipped: list[InputError] = click.get_current_context().meta.get(options.SKIPPED_LINES, [])
    for line in (line for error in skipped for line in str(error).splitlines()):
        print_message(f"Error: {line}")
    deadline = Deadline(timeout)
    statuses: Counter[Status] = Counter()
    job: Job[None] = Job(None, "checking boards", is_printing=True)
    report_progress = job.progress.count("board", "checked")

    def work() -> None:
        for number, (name, board) in enumerate(boards, 1):
            click.get_current_context().meta[CURRENT_BOARD] = board
            verdict = mmsat.check(board, timeout=deadline.remaining, **settings)
            doubt = " (unchecked)" if verdict.is_unchecked else ""
            line = f"{name}: {result_of(verdict)}{doubt}"
            with job.progress.hidden():
                if as_json:
                    print_json(verdict.to_dict())
                    if doubt:
                        print_message(line)
                else:
                    click.echo(line)
            statuses[verdict.status] += 1
            report_progress(number, len(boards))

    job.run(work)
    if verbose:
        counts = ", ".join(f"{count:,} {status}" for status, count in sorted(statuses.items()))
        say(f"{counts} in {deadline.elapsed:.3f} s")
    undecided = statuses[Status.UNKNOWN]
    if undecided and not job.code:
        print_message(f"{quantity(undecided, 'board')} undecided: {time_limit_message()}")
    if skipped and not job.code:
        leave(USAGE)
    if job.code or undecided:
        # "": the message about undecided boards is already printed; None: the usual message
        leave_early(job.code or FAILURE, failure_message="" if not job.code else None)
    leave_with(Status.INCONSISTENT if statuses[Status.INCONSISTENT] else Status.CONSISTENT)


def result_of(verdict: Verdict) -> str:
    """Return the verdict in a few words, with the code or the conflicting rows."""
    if verdict.witness is not None:
        return f"{verdict.status} ({speller(verdict.board.game).print_code(verdict.witness)})"
    if verdict.conflict is not None:
        rows = [row + 1 for row in verdict.conflict.rows]
        return f"{verdict.status} ({noun_phrase('row', rows)})"
    return str(verdict.status)


def derive_conflict(verdict: Verdict, deadline: Deadline, reason: float) -> Verdict:
    """Return the verdict with a derivation of its conflict, if it has one.

    The time is limited by the deadline, and by the unused part of the `reason` seconds.
    """
    if verdict.conflict is None:
        return verdict
    remaining = deadline.within(max(0.0, reason - verdict.reason_seconds))
    from mmsat.diagnosis.explain import with_derivations

    (conflict,) = with_derivations(verdict.board, [verdict.conflict], remaining)
    return replace(verdict, conflict=conflict)


def write_verdict_proof(
    verdict: Verdict, file: str, engine: str, timeout: float | None, exit_code: int | None
) -> tuple[ProofFileJson | None, int | None]:
    """Write a proof of a verdict to a file, as `write_proof` does.

    If the engine names an encoding, such as `sat:cadical195:sequential`, it encodes the refuted
    formula.
    """
    from mmsat.encoding import clause_encodings

    make: Callable[..., Proof | None] = mmsat.prove
    encoding = ":".join(engine.split(":")[2:])
    is_used = False
    if file.endswith(VERIPB_ENDING):
        from mmsat.proof.prove_veripb import prove_veripb

        make = prove_veripb
    elif encoding in clause_encodings():
        make = partial(make, encoding=encoding)
        is_used = True
    if encoding and not is_used:
        say(f"The proof does not use the encoding {encoding} of the engine.")
    used_seconds = verdict.seconds + verdict.reason_seconds
    return write_proof(
        file,
        make,
        verdict.board,
        verdict=verdict,
        timeout=None if timeout is None else max(0.0, timeout - used_seconds),
        exit_code=exit_code,
    )


COLORS_OF_SIZES = (6, 8, 9, 10, 26)
"""The numbers of colors of the sizes that are suggested; the first that fits is chosen."""
MAX_LISTED_GAMES = 6
"""The maximum number of games that a message lists."""


def suggest_games(words: list[str]) -> str:
    """Return a message if the arguments of `mmsat score` are two codes without a game, else ""."""
    if len(words) != 2 or is_game(words[0]):
        return ""
    parts = re.findall(r"[^\W_]+", words[0])
    pegs = len(parts) if len(parts) > 1 else len(words[0].strip())
    sizes = (f"{pegs}x{colors}" for colors in COLORS_OF_SIZES)
    size = next((size for size in sizes if can_score(size, words)), None)
    names = [*filter(None, [size]), *(name for name in published_names() if can_score(name, words))]
    if not names:
        return ""
    listed = names[:MAX_LISTED_GAMES]
    more = f" and {quantity(len(names) - len(listed), 'other game')}" * (len(names) > len(listed))
    fitting = f"{', '.join(listed)}{more}" if more else join_words(listed, "and")
    command = join_words([f"mmsat score {name} {' '.join(words)}" for name in listed[:2]], "or")
    return (
        f"Missing argument GAME. {words[0]} and {words[1]} are codes of {fitting}. "
        f"Write the game first: {command}."
    )


def can_score(name: str, words: list[str]) -> bool:
    """Return whether a code and a guess are valid in the game of a name."""
    try:
        game = find_game(name)
        secret, _ = read_codes(game, {"CODE": words[0], "GUESS": words[1]})
    except InputError:
        return False
    return game.contains(secret)


@options.command(
    "score",
    "mmsat score 4x6 1122 1213",
    "mmsat score daily-word CRANE TRAIL",
    "mmsat score bulls-and-cows 1234 1325 --json",
    correct=suggest_games,
)
@options.game
@click.argument("code")
@click.argument("guess")
@options.as_json
def score_command(game: Game, code: str, guess: str, *, as_json: bool) -> None:
    """Score a guess against a code.

    Prints the score as in a board line: BLACK.WHITE such as 1.2, or the marks of the game. GAME is
    a size such as 4x6 or 4x10d, a name that `mmsat games` lists, or game:FILE.
    """
    secret, guessed = read_codes(game, {"CODE": code, "GUESS": guess})
    if not game.contains(secret):
        raise InputError.of("CODE", f"a code of {game}", code, game.space.summary)
    if as_json:
        # imported here, because it loads the module json
        from mmsat.game.notation.document import score_document

        print_json(score_document(game, secret, guessed))
    else:
        click.echo(speller(game).print_score(game.score(secret, guessed)))


def read_codes(game: Game, texts: dict[str, str]) -> list[Code]:
    """Return the codes of arguments, by name; raise InputError with all their faults."""
    faults: list[Fault] = []
    # The line number of a text is its index.
    placed_texts = [
        PlacedText(text.strip(), Place(index, 1)) for index, text in enumerate(texts.values())
    ]
    codes = BoardReader(speller(game)).read_codes(placed_texts, faults)
    errors = []
    for index, name in enumerate(texts):
        named_faults = [replace(fault, line=None) for fault in faults if fault.line == index]
        if named_faults:
            errors.append(InputError(named_faults, name))
    raise_errors(errors)
    return [code for code in codes if code is not None]
