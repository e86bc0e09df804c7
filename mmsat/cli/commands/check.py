"""The command `mmsat check`."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypedDict

import click

import mmsat
from mmsat.cli import options
from mmsat.cli.exit_codes import FAILURE, leave, leave_with
from mmsat.cli.output import print_json, say
from mmsat.cli.parameters import Seconds, refuse
from mmsat.cli.progress import Job
from mmsat.diagnosis.check import REASON_SECONDS
from mmsat.diagnosis.sentences import inconsistent_sentence, play_sentence
from mmsat.english import quantity
from mmsat.errors import SizeError
from mmsat.files import atomic_write
from mmsat.json_types import Positive
from mmsat.render.reports import print_report
from mmsat.render.reports.prove import METHODS
from mmsat.render.terminal import show_gap, show_sentences
from mmsat.results.verdict import ProofJson, VerdictJson
from mmsat.solving.deadline import Deadline

if TYPE_CHECKING:
    from mmsat.board import Board
    from mmsat.proof.prove import Proof
    from mmsat.results.verdict import Verdict


class ProofFileJson(ProofJson):
    """A proof that was written to a file."""

    file: str
    """Name of the file."""


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
    "mmsat check 4x6/1122=0.4/1122=0.2 --proof board.proof",
    "mmsat check 4x6/1122=1.1/1122=0.2/3456=0.2 --lies 1",
    "mmsat check 4x6/1122=1.1/3345=0.2",
)
@options.board
@options.as_json
@options.lies
@options.working("engine", "seed", "timeout")
@click.option(
    "--reason",
    type=Seconds(),
    default=REASON_SECONDS,
    help="Spend up to N seconds explaining an inconsistency (0: skip).",
)
@click.option(
    "--consistent-play",
    is_flag=True,
    help="State whether each guess fits the scores before it.",
)
@options.file("--proof", metavar="FILE", help="Write a proof of the verdict, for `mmsat verify`.")
@options.verbose
def command(
    board: Board,
    *,
    as_json: bool,
    lies: int,
    consistent_play: bool,
    proof: str | None,
    timeout: float | None,
    verbose: bool,
    **settings: Any,
) -> None:
    """Decide whether a code gets exactly these scores.

    Prints a matching code, or the conflicting rows and the most likely correction. Exit code 10 for
    consistent, 20 for inconsistent, 1 if the time limit is reached first. With --lies N, a code may
    violate up to N rows, or be off by up to N black and white pegs in all (--by pegs). With
    --consistent-play, states whether each guess fits the scores before it.
    """
    if proof is not None:
        if lies:
            refuse("--proof", "no --lies", f"--lies {lies}", "a proof is of the scores as they are")
        if proof == "-":
            refuse("--proof", "a file", proof, "standard output has the verdict")
    job: Job[Verdict | None] = Job(None, "looking for a code", lambda _: "looking for the reason")
    shown: list[str] = []

    def note(known: Verdict) -> None:
        # on a terminal, show that the board is inconsistent before the search for the reason ends
        job.note(known)
        if known.is_consistent is False and not shown and not as_json and sys.stdout.isatty():
            shown.append(inconsistent_sentence(board, known.tolerance))
            job.progress.clear()
            show_sentences(shown)
            show_gap()

    def work() -> Verdict:
        deadline = Deadline(timeout)
        result = mmsat.check(board, lies=lies, timeout=timeout, on_progress=note, **settings)
        is_full = verbose and not as_json and not lies
        return derive_conflict(result, deadline, settings["reason"]) if is_full else result

    verdict = job.run(work)
    if verdict is None:
        raise KeyboardInterrupt
    ended = job.code or None
    if ended:
        say("interrupted")
    if as_json:
        more: CheckOptionsJson = {}
        if consistent_play:
            more["inconsistent_guesses"] = [row + 1 for row in board.inconsistent_guesses()]
        if proof is not None:
            more["proof"], ended = write_proof(verdict, proof, timeout, ended)
        print_json(document(verdict, more))
    else:
        print_report(verdict, in_full=verbose, told=len(shown))
        if verdict.reason_seconds and not (verdict.conflict or verdict.correction or ended):
            spent = f"{verdict.reason_seconds:.1f} s"
            say(f"no reason was found in {spent}; --reason N looks for longer")
        if consistent_play:
            show_sentences([play_sentence(board)])
    if verbose:
        choice = f" ({verdict.choice})" if verdict.choice else ""
        searched = verdict.reason_seconds
        reason = f", and {searched:.3f} s for the reason" if verdict.is_consistent is False else ""
        say(
            f"{'not ' * (verdict.is_consistent is None)}decided by {verdict.engine}{choice} in "
            f"{verdict.seconds:.3f} s{reason}"
        )
    if proof is not None and not as_json:
        sys.stdout.flush()
        _, ended = write_proof(verdict, proof, timeout, ended)
    if ended is not None:
        leave(ended)
    leave_with(verdict.status)


def document(verdict: Verdict, more: CheckOptionsJson) -> CheckJson:
    """Return the JSON document of a verdict, with the keys that options add."""
    return {**verdict.to_dict(), **more}


def derive_conflict(verdict: Verdict, deadline: Deadline, reason: float) -> Verdict:
    """Return the verdict with a derivation of its conflict, if it has one.

    The time is limited by the deadline, and by the rest of the `reason` seconds.
    """
    if verdict.conflict is None:
        return verdict
    remaining = deadline.within(max(0.0, reason - verdict.reason_seconds))
    from mmsat.diagnosis.derivation import with_derivations

    (conflict,) = with_derivations(verdict.board, [verdict.conflict], remaining)
    return replace(verdict, conflict=conflict)


def write_proof(
    verdict: Verdict, file: str, timeout: float | None, ended: int | None
) -> tuple[ProofFileJson | None, int | None]:
    """Write a proof of a verdict to a file.

    Return its document and None; if no proof was written, None and the exit code of the command.
    `ended` is the exit code if the command was interrupted before; then nothing is written.
    """
    if ended is not None:
        return None, ended
    left = None if timeout is None else max(0.0, timeout - verdict.seconds - verdict.reason_seconds)
    job: Job[Proof | None] = Job(None, "looking for a proof")
    tell = job.progress.tell
    try:
        proof = job.run(
            lambda: mmsat.prove(verdict.board, verdict=verdict, timeout=left, on_progress=tell)
        )
        if proof is not None:
            size = atomic_write(file, [proof.text])
            say(f"{file}: a proof by {METHODS[proof.method]}, {quantity(size, 'byte')}")
            return {"file": file, **proof.to_dict()}, None
        message = f"no proof was found{'' if job.code else ' in time'}, and {file} was not written"
        say(f"interrupted; {message}" if job.code else message)
    except SizeError as error:
        say(f"{error}; {file} was not written")
    except OSError as error:
        say(f"Error: {file} was not written: {error.strerror or error}")
    return None, job.code or FAILURE
