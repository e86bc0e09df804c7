"""Proof files that commands write with --proof."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import mmsat
from mmsat._util.files import atomic_write
from mmsat._util.text import quantity
from mmsat.cli.output import FAILURE, Job, print_message, say
from mmsat.cli.parameters import misuse
from mmsat.errors import SizeError
from mmsat.proof import ProofJson

if TYPE_CHECKING:
    from mmsat.game import Code
    from mmsat.game.board import Board
    from mmsat.proof.prove import Proof
    from mmsat.strategy.optimal.prove import StrategyProof, ValueProof


class ProofFileJson(ProofJson):
    """A proof that was written to a file."""

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
            "`mmsat verify board.proof --extract DIR` writes its parts for other checkers."
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
    **settings: Any,
) -> tuple[ProofFileJson | None, int | None]:
    """Write the proof that a function makes to a file.

    `make` is called with `args`, `settings` and `on_progress`. Return the document of the proof and
    None; if no proof was written, return None and the exit code of the command. If `exit_code` is
    not None, the command was interrupted before, and no proof is made.
    """
    if exit_code is not None:
        return None, exit_code
    from mmsat.render.reports.verdicts import METHODS

    job: Job[Proof | StrategyProof | ValueProof | None] = Job(None, "looking for a proof")
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
