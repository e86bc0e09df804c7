"""Proof files: writing them, for commands with --proof, and the command `mmsat verify`."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

import mmsat
from mmsat._util.files import atomic_write
from mmsat._util.text import quantity
from mmsat.cli import options
from mmsat.cli.output import (
    FAILURE,
    SUCCESS,
    Job,
    Progress,
    leave,
    print_json,
    print_message,
    say,
)
from mmsat.cli.parameters import BoardSource, OutputFolder, ProofFile, misuse
from mmsat.errors import InputError, SizeError
from mmsat.proof import ProofJson, VerificationJson
from mmsat.render.reports import print_report

if TYPE_CHECKING:
    from mmsat.game import Code
    from mmsat.game.board import Board
    from mmsat.proof.prove import Proof
    from mmsat.strategy.optimal.prove import StrategyProof, ValueProof


class ProofFileJson(ProofJson):
    """A proof that was written to a file."""

    file: str
    """Name of the file."""


class VerifyJson(VerificationJson):
    """Result of checking a proof."""

    file: str
    """Name of the file."""


VERIPB_ENDING = ".pbp"
"""The ending of proofs in the format of VeriPB."""
EXTRACTED_ENDINGS = (".lrat", ".drat", ".frat", ".cpog", ".cnf")
"""Endings of formats that only `mmsat verify --extract` writes, from a proof."""


def refuse_standard_output(file: str | None, *, writes_veripb: bool = False) -> None:
    """Raise a usage error if a proof would be written to standard output.

    Also refuse the endings of other formats, and unless `writes_veripb`, of the format of VeriPB.
    """
    if file == "-":
        misuse("--proof cannot write to standard output. Give the name of a file.")
    if file is not None and file.endswith(EXTRACTED_ENDINGS):
        misuse(
            f"--proof does not write {file[file.rindex('.') :]} files. Write board.proof; then "
            "`mmsat verify board.proof --extract DIR` writes its parts for other checkers. For a "
            "board of two colors, they are sums instead of lemmas."
        )
    if file is not None and file.endswith(VERIPB_ENDING) and not writes_veripb:
        misuse(
            f"Only `mmsat check`, `list` and `puzzle` write proofs in the format of VeriPB "
            f"({VERIPB_ENDING}). Give a name with another ending, such as board.proof."
        )


def write_proof(
    file: str,
    make: Callable[..., Proof | StrategyProof | ValueProof | None],
    *args: Any,
    exit_code: int | None,
    keeps_part: bool = False,
    **settings: Any,
) -> tuple[ProofFileJson | None, int | None]:
    """Write the proof that a function makes to a file.

    `make` is called with `args`, `settings` and `on_progress`. With `keeps_part`, it is also called
    with `on_partial`, and the last part is written if the whole proof is not finished.

    Return the document of the proof, None if no proof was written, and the exit code of the
    command, None if the proof is whole. If `exit_code` is not None, the command was interrupted
    before, and no proof is made.
    """
    if exit_code is not None:
        return None, exit_code
    from mmsat.render.reports.verdicts import METHODS

    job: Job[Proof | StrategyProof | ValueProof | None] = Job(None, "looking for a proof")
    report_progress = job.progress.report
    parts: deque[Callable[[], Proof]] = deque(maxlen=1)
    if keeps_part:
        settings["on_partial"] = parts.append
    try:
        proof = job.run(lambda: make(*args, on_progress=report_progress, **settings))
        code = None
        if proof is None and parts:
            code = job.code or FAILURE
            job = Job(None, "verifying the partial proof")
            proof = job.run(parts.pop())
        if proof is not None:
            size = atomic_write(file, [proof.text])
            say(f"{file}: a proof by {METHODS[proof.method]}, {quantity(size, 'byte')}")
            if code is not None:
                in_time = " in time" if code == FAILURE else ""
                print_message(f"only a part was proven{in_time}; `mmsat verify {file}` shows which")
            return {"file": file, **proof.to_dict()}, code
        message = f"no proof was found{'' if job.code else ' in time'}, and {file} was not written"
        print_message(f"interrupted; {message}" if job.code else message)
    except SizeError as error:
        print_message(f"{error}; {file} was not written")
    except OSError as error:
        print_message(f"Error: {file} was not written: {error.strerror or error}")
    return None, job.code or FAILURE


def prove_codes(
    board: Board,
    codes: Sequence[Code] | None,
    file: str,
    timeout: float | None,
    exit_code: int,
) -> tuple[ProofFileJson | None, int]:
    """Write a proof that these are all codes of a board to a file; if None, list them first.

    Return the document of the proof, and the exit code of the command. If the command was
    interrupted before, no proof is made.
    """
    make: Callable[..., Proof | None] = mmsat.prove_codes
    if file.endswith(VERIPB_ENDING):
        from mmsat.proof.prove_veripb import prove_codes_veripb as make
    document, proof_code = write_proof(
        file, make, board, codes=codes, timeout=timeout, exit_code=exit_code or None
    )
    return document, proof_code or 0


@options.command(
    "verify", "mmsat check 4x6/1122=0.4/1122=0.2 --proof board.proof", "mmsat verify board.proof"
)
@click.argument("file", type=ProofFile())
@click.option("--board", type=BoardSource(), help="Board that the proof must be about.")
@click.option(
    "--extract",
    type=OutputFolder(),
    metavar="DIR",
    help="Write board, formula and proof into DIR for other tools.",
)
@options.as_json
@options.solver_options("timeout")
def verify_command(
    file: tuple[str, bytes],
    *,
    board: Any,
    extract: str | None,
    as_json: bool,
    timeout: float | None,
) -> None:
    """Check a proof that `--proof` of another command wrote.

    Uses no solver: rebuilds everything from the board or the game, compares it, and checks every
    step of the proof. Exit code 0 if the proof holds, 1 if it is rejected or the time limit is
    reached, 2 if the file is not a proof.
    """
    name, data = file
    progress = Progress("checking")
    try:
        with progress.running():
            verification = mmsat.verify(
                data,
                board=board,
                timeout=timeout,
                on_progress=lambda share: progress.report("checking", share),
            )
    except InputError as error:
        raise InputError(error.faults, name) from None
    if as_json:
        document: VerifyJson = {"file": name, **verification.to_dict()}
        print_json(document)
    else:
        print_report(verification)
    if extract is not None and verification.holds:
        extract_proof(data, extract)
    elif extract is not None:
        print_message(f"nothing was written to {extract}, because the proof was not accepted")
    leave(SUCCESS if verification.holds else FAILURE)


def extract_proof(data: bytes, folder: str) -> None:
    """Write the sections of a proof to separate files."""
    from mmsat.proof.bundle import Bundle, split_bundle

    os.makedirs(folder, exist_ok=True)
    for name, lines in split_bundle(Bundle.read(data.decode())).items():
        path = os.path.normpath(os.path.join(folder, name))
        size = atomic_write(path, lines)
        say(f"{path}: {quantity(size, 'byte')}")
