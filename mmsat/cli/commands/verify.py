"""The command `mmsat verify`."""

import os
from typing import Any

import click

import mmsat
from mmsat._util.files import atomic_write
from mmsat._util.text import quantity
from mmsat.cli import options
from mmsat.cli.output import FAILURE, SUCCESS, Progress, leave, print_json, print_message, say
from mmsat.cli.parameters import BoardSource, OutputFolder, ProofFile
from mmsat.errors import InputError
from mmsat.proof.bundle import Bundle, split_bundle
from mmsat.proof.verify import VerificationJson
from mmsat.render.reports import print_report


class VerifyJson(VerificationJson):
    """Result of checking a proof."""

    file: str
    """Name of the file."""


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
        print_message(f"nothing was written to {extract}, because the proof was rejected")
    leave(SUCCESS if verification.holds else FAILURE)


def extract_proof(data: bytes, folder: str) -> None:
    """Write the sections of a proof to separate files."""
    os.makedirs(folder, exist_ok=True)
    for name, lines in split_bundle(Bundle.read(data.decode())).items():
        path = os.path.normpath(os.path.join(folder, name))
        size = atomic_write(path, lines)
        say(f"{path}: {quantity(size, 'byte')}")
