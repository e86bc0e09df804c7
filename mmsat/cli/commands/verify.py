"""mmsat verify."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

import mmsat
from mmsat.cli import options
from mmsat.cli.exit_codes import FAILURE, SUCCESS, leave
from mmsat.cli.input_files import BoardSource, ProofFile
from mmsat.cli.output import Progress, print_json, say
from mmsat.english import noun_phrase
from mmsat.errors import InputError
from mmsat.files import atomic_write
from mmsat.proof.bundle import Bundle
from mmsat.proof.formats import split_bundle

if TYPE_CHECKING:
    from mmsat.proof.verify import Verification

SHOWN = 8
"""How many rows are named."""


@click.command(
    "verify",
    epilog=options.examples(
        "mmsat check 4x6/1122=0.4/1122=0.2 --proof board.proof",
        "mmsat verify board.proof",
    ),
)
@click.argument("file", type=ProofFile())
@click.option("--board", type=BoardSource(), help="The board that the proof must be about.")
@click.option(
    "--extract",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="Write board, formula and proof as files for other tools.",
)
@options.as_json
@options.working("timeout")
def command(
    file: tuple[str, bytes],
    *,
    board: Any,
    extract: str | None,
    as_json: bool,
    timeout: float | None,
) -> None:
    """Check a proof that `mmsat check --proof` wrote.

    Nothing is solved and no solver is asked: the formula is made anew from the board and compared,
    and every lemma is shown to follow; numbers are added up; a code is scored. Exit code 0 where
    the proof holds, 1 where it is rejected or was not checked in time, 2 for a file that is none.
    """
    name, data = file
    progress = Progress()
    try:
        found = mmsat.verify(
            data,
            board=board,
            timeout=timeout,
            on_progress=lambda share: progress.tell(f"checked {share:.0%}"),
        )
    except InputError as error:
        raise InputError(error.faults, name) from None
    finally:
        progress.clear()
    if as_json:
        print_json({"file": name, **found.to_dict()})
    else:
        click.echo(sentence(found))
    if extract is not None and found.holds:
        take_apart(data, extract)
    elif extract is not None:
        say(f"nothing was written to {extract}: only a proof that holds is taken apart")
    leave(SUCCESS if found.holds else FAILURE)


def sentence(found: Verification) -> str:
    """What became of the check, in words."""
    if found.holds is None:
        return f"Undecided: {found.reason.removeprefix('undecided: ')}."
    if not found.holds:
        return f"Rejected: {found.reason}."
    by = f" by {rows_in_words([row + 1 for row in found.rows])}" if found.rows else ""
    return f"The proof holds: {found.board} is {found.verdict}{by}; {found.reason}."


def rows_in_words(rows: list[int]) -> str:
    """Rows, from 1; many are counted."""
    if len(rows) > SHOWN:
        return f"{len(rows)} of its rows"
    return noun_phrase("row", rows)


def take_apart(data: bytes, folder: str) -> None:
    """Write the pieces of a proof as files."""
    os.makedirs(folder, exist_ok=True)
    for name, lines in split_bundle(Bundle.read(data.decode())).items():
        path = os.path.normpath(os.path.join(folder, name))
        size = atomic_write(path, lines)
        say(f"{path}: {size} bytes")
