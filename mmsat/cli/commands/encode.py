"""mmsat encode."""

import sys
from collections.abc import Iterator

import click

from mmsat.board import Board
from mmsat.cli import options
from mmsat.cli.exit_codes import FAILURE
from mmsat.cli.output import leave_early, print_json, say
from mmsat.cli.parameters import Name, refuse
from mmsat.encoding.cnf import DEFAULT
from mmsat.encoding.encodings import ENCODINGS
from mmsat.encoding.languages import WRITERS
from mmsat.files import atomic_write
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.solving.executor import stream

CHUNK = 1 << 16
"""Characters that are handed on together."""


@click.command(
    "encode", epilog=options.examples("mmsat encode 4x6/1122=1.1 --to cnf --encoding sequential")
)
@options.board
@click.option(
    "--to",
    "language",
    type=Name("format", lambda: WRITERS),
    default="cnf",
    show_default=True,
    metavar="FORMAT",
    help="asp, cnf, dzn, lp, minizinc, opb, smtlib or wcnf.",
)
@click.option(
    "--encoding",
    type=Name("encoding", lambda: ENCODINGS),
    metavar="NAME",
    help="How clauses count, for cnf and wcnf; see `mmsat encodings`.",
)
@options.file("-o", "--output", help="Write this file, whole or not at all.")
@options.as_json
@options.working("timeout")
def command(
    board: Board,
    *,
    language: str,
    encoding: str | None,
    output: str | None,
    as_json: bool,
    timeout: float | None,
) -> None:
    """Write a board in the language of a solver.

    The answer of the solver goes to `mmsat decode`. With --json, the text is in the document, or
    the name of the file if one was written.
    """
    pieces = write_pieces(board, language, encoding, timeout)
    text: str | None = None
    to_file = output is not None and output != "-"
    try:
        if output is not None and to_file:
            size = atomic_write(output, pieces)
            say(f"wrote {output}, {size:,} bytes")
        elif as_json:
            text = "".join(pieces)
        else:
            sys.stdout.writelines(pieces)
    except TimeUpError:
        leave_early(FAILURE)
    if as_json:
        print_json(
            {
                "board": str(board),
                "format": language,
                "encoding": encoding_of(language, encoding),
                "file": output if to_file else None,
                "text": text,
            }
        )


def encoding_of(language: str, encoding: str | None) -> str | None:
    """The encoding that will be used; None for a language that has no clauses."""
    if WRITERS[language].has_encoding:
        return encoding or DEFAULT
    if encoding is not None:
        refuse("--encoding", "no encoding", encoding, f"{language} has no clauses")
    return None


def write_pieces(
    board: Board, language: str, encoding: str | None, timeout: float | None
) -> Iterator[str]:
    """The text in pieces; raises TimeUpError when the time is up."""
    used = encoding_of(language, encoding)
    if timeout is None:
        return chunks(board, language, used)
    return stream(Deadline(timeout), chunks, board, language, used)


def chunks(board: Board, language: str, encoding: str | None) -> Iterator[str]:
    """The text in pieces of some size."""
    writer = WRITERS[language]
    pieces = writer.write(board) if encoding is None else writer.write(board, encoding)
    gathered: list[str] = []
    size = 0
    for piece in pieces:
        gathered.append(piece)
        size += len(piece)
        if size >= CHUNK:
            yield "".join(gathered)
            gathered, size = [], 0
    yield "".join(gathered)
