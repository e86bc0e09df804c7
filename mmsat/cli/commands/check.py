"""mmsat check."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mmsat.cli import options
from mmsat.cli.exits import FAILURE, leave, leave_with
from mmsat.cli.interruptible import interruptible
from mmsat.cli.output import print_json, say
from mmsat.errors import Fault, InputError
from mmsat.files import atomic_write

if TYPE_CHECKING:
    from mmsat.board import Board
    from mmsat.results import Verdict

SHOWN = {"witness": "a code", "algebra": "adding up rows", "lrat": "lemmas"}
"""The methods of proofs, in words."""


@click.command(
    "check",
    epilog=options.examples(
        "mmsat check 4x6/1122=0.4/1122=0.2 --proof board.proof",
        "mmsat check 4x6/1122=1.1/1122=0.2/3456=0.2 --lies 1",
        "mmsat check 4x6/1122=1.1/3345=0.2",
    ),
)
@options.board
@options.as_json
@options.lies
@options.working("engine", "seed", "timeout")
@click.option(
    "--consistent-play", is_flag=True, help="Tell whether each guess fits what was known."
)
@click.option(
    "--proof",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write a proof of the verdict, for `mmsat verify`.",
)
@options.verbose
def command(
    board: Board,
    *,
    as_json: bool,
    lies: int,
    by: str,
    consistent_play: bool,
    engine: str,
    proof: str | None,
    seed: int | None,
    timeout: float | None,
    verbose: bool,
) -> None:
    """Decide whether a code gets exactly these scores.

    Prints such a code, or else which rows can't all be right and the likeliest correction. Exit
    code 10 for consistent, 20 for inconsistent, 1 for undecided, or unproven, in time. In
    consistent play, each guess fits the scores of the rows before it. With --lies, a code may miss
    so many rows, or be off by so many key pegs in all (--by pegs).
    """
    from mmsat.diagnosis.check import check  # noqa: PLC0415  (loads the engines)

    if proof is not None:
        if lies:
            rule = "a proof is of the scores as they stand"
            fault = Fault(rule, f"--lies {lies}", "--proof without --lies")
            raise InputError([fault], "the options")
        require_folder(proof)
    known: list[Verdict] = []
    ended = None
    with interruptible() as work:
        settings: dict[str, Any] = {"engine": engine, "timeout": timeout, "seed": seed}
        known.append(check(board, lies=lies, by=by, on_progress=known.append, **settings))
    if work.is_interrupted:
        say("interrupted")
        ended = work.code
        if not known:
            leave(ended)
    verdict = known[-1]  # with the reasons that were found
    if as_json:
        more: dict[str, Any] = {}
        if consistent_play:
            more["inconsistent_guesses"] = [row + 1 for row in board.inconsistent_guesses()]
        if proof is not None:
            more["proof"], ended = written_proof(verdict, proof, timeout, ended)
        print_json(verdict.to_dict() | more)
    else:
        print_verdict(verdict, in_full=verbose, consistent_play=consistent_play)
    if verbose:
        choice = f" ({verdict.choice})" if verdict.choice else ""
        say(f"decided by {verdict.engine}{choice}; {verdict.seconds:.3f} s in all")
    if proof is not None and not as_json:
        sys.stdout.flush()
        _, ended = written_proof(verdict, proof, timeout, ended)
    if ended is not None:
        leave(ended)
    leave_with(verdict.status)


def require_folder(file: str) -> None:
    """Raise InputError where no file can be written, before any work is done."""
    if file == "-":
        rule = "standard output has the verdict; a proof goes to a file"
        raise InputError([Fault(rule, file, "the name of a file")], "--proof")
    folder = Path(file).parent
    if not folder.is_dir():
        fault = Fault("a proof is written into a folder that exists", str(folder), "another file")
        raise InputError([fault], "--proof")


def written_proof(
    verdict: Verdict, file: str, timeout: float | None, ended: int | None = None
) -> tuple[dict[str, Any] | None, int | None]:
    """What was written of a proof, and how the command ends where there is none.

    Nothing is where it has ended already.
    """
    if ended is not None:
        return None, ended
    from mmsat.errors import SizeError  # noqa: PLC0415
    from mmsat.proof.prove import prove  # noqa: PLC0415

    left = None if timeout is None else max(0.0, timeout - verdict.seconds)
    try:
        with interruptible() as work:
            made = prove(verdict.board, verdict=verdict, timeout=left, on_progress=work.tell)
    except SizeError as error:
        say(f"{error}; {file} was not written")
        return None, FAILURE
    if work.is_interrupted:
        say(f"interrupted; no proof was found, and {file} was not written")
        return None, work.code
    if made is None:
        say(f"no proof was found in time, and {file} was not written")
        return None, FAILURE
    try:
        size = atomic_write(Path(file), [made.text])
    except OSError as error:
        say(f"{file} was not written: {error.strerror or error}")
        return None, FAILURE
    say(f"{file}: a proof by {SHOWN[made.method]}, {size} bytes")
    return {"file": file, **made.to_dict()}, None


def print_verdict(verdict: Verdict, *, in_full: bool, consistent_play: bool = False) -> None:
    """Print the board, with its code or with what is wrong marked, and the verdict in words.

    In full: every row, and where there is one, the proof of the conflict.
    """
    from mmsat.diagnosis.sentences import play_sentence, verdict_sentences  # noqa: PLC0415
    from mmsat.render.board import BoardTable  # noqa: PLC0415
    from mmsat.render.table import paragraphs  # noqa: PLC0415
    from mmsat.render.terminal import show, style, wrap_width  # noqa: PLC0415

    marked = verdict.conflict.rows if verdict.conflict else ()
    changes = verdict.correction.changes if verdict.correction else ()
    told = {change.row: change.after for change in changes}
    meaning = "in conflict"
    if verdict.misses:
        told = {miss.row: miss.score for miss in verdict.misses}
        marked, meaning = tuple(told), "missed by the code"
    table = BoardTable(verdict.board, style(), marked, told, meaning)
    show(table.lines(every_row=in_full, code=verdict.witness))
    show([[]])
    said = verdict_sentences(verdict, proof=in_full)
    if consistent_play:
        said.append(play_sentence(verdict.board))
    show(paragraphs(said, wrap_width()))
