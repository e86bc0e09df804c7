"""Files that commands write: proofs, and suites of boards."""

from __future__ import annotations

import csv
import hashlib
import os
import shutil
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import mmsat
from mmsat._util.files import atomic_write
from mmsat._util.text import quantity
from mmsat.cli.output import FAILURE, print_message, say
from mmsat.cli.parameters import misuse
from mmsat.cli.progress import Job
from mmsat.diagnosis import ProofJson
from mmsat.errors import SizeError
from mmsat.render.reports.verdicts import METHODS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mmsat.game.board import Board, Status
    from mmsat.proof.prove import Proof
    from mmsat.solving.deadline import Deadline
    from mmsat.strategy.optimal.prove import StrategyProof


class ProofFileJson(ProofJson):
    """A proof that was written to a file."""

    file: str
    """Name of the file."""


VERIPB_ENDING = ".pbp"
"""The ending of proofs in the format of VeriPB."""


def refuse_standard_output(file: str | None, *, writes_veripb: bool = False) -> None:
    """Raise a usage error if a proof would be written to standard output.

    Unless `writes_veripb`, also refuse the ending of proofs in the format of VeriPB.
    """
    if file == "-":
        misuse("--proof cannot write to standard output. Give the name of a file.")
    if file is not None and file.endswith(VERIPB_ENDING) and not writes_veripb:
        misuse(
            f"Only `mmsat check`, `list` and `puzzle` write proofs in the format of VeriPB "
            f"({VERIPB_ENDING}). Give a name with another ending, such as board.proof."
        )


def write_proof(
    file: str,
    make: Callable[..., Proof | StrategyProof | None],
    *args: Any,
    exit_code: int | None,
    **settings: Any,
) -> tuple[ProofFileJson | None, int | None]:
    """Write the proof that a function makes to a file.

    `make` is called with `args`, `settings` and `on_progress`. Return the document of the proof and
    None; if no proof was written, return None and the exit code of the command. If `exit_code` is
    not None, the command was interrupted before, and no proof is made.
    """
    if exit_code is not None:
        return None, exit_code
    job: Job[Proof | StrategyProof | None] = Job(None, "looking for a proof")
    report_progress = job.progress.report
    try:
        proof = job.run(lambda: make(*args, on_progress=report_progress, **settings))
        if proof is not None:
            size = atomic_write(file, [proof.text])
            say(f"{file}: a proof by {METHODS[proof.method]}, {quantity(size, 'byte')}")
            return {"file": file, **proof.to_dict()}, None
        message = f"no proof was found{'' if job.code else ' in time'}, and {file} was not written"
        print_message(f"interrupted; {message}" if job.code else message)
    except SizeError as error:
        print_message(f"{error}; {file} was not written")
    except OSError as error:
        print_message(f"Error: {file} was not written: {error.strerror or error}")
    return None, job.code or FAILURE


def prove_codes(
    board: Board, file: str, timeout: float | None, exit_code: int
) -> tuple[ProofFileJson | None, int]:
    """Write a proof that a board has no other codes to a file.

    Return the document of the proof, and the exit code of the command. If the command was
    interrupted before, no proof is made.
    """
    make: Callable[..., Proof | None] = mmsat.prove_codes
    if file.endswith(VERIPB_ENDING):
        from mmsat.proof.prove_veripb import prove_codes_veripb as make
    document, proof_code = write_proof(
        file, make, board, timeout=timeout, exit_code=exit_code or None
    )
    return document, proof_code or 0


INDEX_FILE = "index.csv"
COLUMNS = ("name", "verdict", "sha256", "board")
"""The columns of the index: file name, verdict, hash of the file, and the board line."""
VERDICT_SECONDS = 2.0
"""Time limit for the verdict of a board; if it passes, the index contains `unknown`."""


class SuiteFile(NamedTuple):
    """One file of a suite."""

    name: str
    board: Board
    verdict: Status
    pieces: Iterable[str]
    """The text of the file, in pieces."""


def write_suite(
    folder: str,
    files: Iterable[SuiteFile],
    total: int,
    on_progress: Callable[[int, int], None],
) -> None:
    """Write a folder completely or not at all.

    The files are written to a temporary folder, which is renamed when the index is complete.

    - `folder`: a new or empty folder, whose parent exists.
    - `total`: the number of files.
    - `on_progress`: called after each file with the number of written files, and with `total`.
    """
    parent, name = os.path.split(os.path.realpath(folder))
    temporary_folder = os.path.join(parent, f".{name[:100]}.{os.urandom(6).hex()}")
    os.mkdir(temporary_folder)
    try:
        with open(
            os.path.join(temporary_folder, INDEX_FILE), "w", encoding="utf-8", newline=""
        ) as index_file:
            writer = csv.writer(index_file, lineterminator="\n")
            writer.writerow(COLUMNS)
            for number, file in enumerate(files, 1):
                digest = hashlib.sha256()
                atomic_write(
                    os.path.join(temporary_folder, file.name), encode_and_hash(file.pieces, digest)
                )
                writer.writerow((file.name, file.verdict, digest.hexdigest(), file.board))
                on_progress(number, total)
        os.rename(temporary_folder, os.path.join(parent, name))
    except BaseException:
        shutil.rmtree(temporary_folder, ignore_errors=True)
        raise


def encode_and_hash(pieces: Iterable[str], digest: hashlib._Hash) -> Iterator[bytes]:
    """Yield the pieces as bytes, and add each to the hash `digest`."""
    for piece in pieces:
        data = piece.encode()
        digest.update(data)
        yield data


def decide_verdict(board: Board, deadline: Deadline) -> Status:
    """Return the verdict of a board: unknown after VERDICT_SECONDS, or at the deadline."""
    from mmsat.diagnosis.check import check

    return check(board, reason=0, timeout=deadline.within(VERDICT_SECONDS).left).status
