"""mmsat encode."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mmsat.cli import names, options
from mmsat.cli.exits import FAILURE, leave
from mmsat.cli.output import print_json, say
from mmsat.files import atomic_write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.board import Board

CHUNK = 1 << 16
"""Characters that are handed on together."""


@click.command(
    "encode", epilog=options.examples("mmsat encode 4x6/1122=1.1 --to cnf --encoding sequential")
)
@options.board
@click.option(
    "--to",
    "language",
    type=names.Name("format", names.formats),
    default="cnf",
    show_default=True,
    metavar="FORMAT",
    help="asp, cnf, dzn, lp, minizinc, opb, smtlib or wcnf.",
)
@click.option(
    "--encoding",
    type=names.Name("encoding", names.encodings),
    metavar="NAME",
    help="How clauses count, for cnf and wcnf; see `mmsat encodings`.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write this file, whole or not at all.",
)
@options.as_json
@options.working("timeout")
def command(
    board: Board,
    *,
    language: str,
    encoding: str | None,
    output: Path | None,
    as_json: bool,
    timeout: float | None,
) -> None:
    """Write a board in the language of a solver.

    The answer of the solver goes to `mmsat decode`. With --json, the text is in the document, or
    the name of the file if one was written.
    """
    from mmsat.solving.worker import TimeUpError  # noqa: PLC0415

    pieces = written(board, language, encoding, timeout)
    text: str | None = None
    to_file = output is not None and str(output) != "-"
    try:
        if output is not None and to_file:
            size = atomic_write(output, pieces)
            say(f"wrote {output}, {size:,} bytes")
        elif as_json:
            text = "".join(pieces)
        else:
            sys.stdout.writelines(pieces)
    except TimeUpError:
        say("the time was up")
        leave(FAILURE)
    if as_json:
        print_json(
            {
                "board": str(board),
                "format": language,
                "encoding": encoding_of(language, encoding),
                "file": str(output) if to_file else None,
                "text": text,
            }
        )


def encoding_of(language: str, encoding: str | None) -> str | None:
    """The encoding that will be used; None for a language that has no clauses."""
    from mmsat.encoding.writers import WRITERS  # noqa: PLC0415
    from mmsat.encoding.writers.base import DEFAULT  # noqa: PLC0415

    if WRITERS[language].has_encoding:
        return encoding or DEFAULT
    if encoding is not None:
        raise click.UsageError(f"--encoding is about clauses, and {language} has none")
    return None


def written(
    board: Board, language: str, encoding: str | None, timeout: float | None
) -> Iterator[str]:
    """The text in pieces; raises TimeUpError when the time is up."""
    from mmsat.solving.deadline import Deadline  # noqa: PLC0415
    from mmsat.solving.worker import stream  # noqa: PLC0415

    used = encoding_of(language, encoding)
    if timeout is None:
        return chunks(board, language, used)
    return stream(Deadline(timeout), chunks, board, language, used)


def chunks(board: Board, language: str, encoding: str | None) -> Iterator[str]:
    """The text in pieces of some size."""
    from mmsat.encoding.writers import WRITERS  # noqa: PLC0415

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
