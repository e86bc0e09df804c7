"""The command `mmsat encode`."""

import sys
from collections.abc import Iterator
from typing import Any, TypedDict

import click

from mmsat.board import Board
from mmsat.cli import options
from mmsat.cli.exit_codes import FAILURE
from mmsat.cli.output import leave_early, print_json, say
from mmsat.cli.parameters import Name, where
from mmsat.cli.progress import Job
from mmsat.encoding.encodings import ENCODINGS
from mmsat.encoding.languages import ALSO, WRITERS, find_format, find_writer
from mmsat.english import quantity
from mmsat.files import atomic_write
from mmsat.json_types import BoardLine
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.solving.executor import stream

CHUNK = 1 << 16
"""Minimum number of characters per chunk, except for the last."""


class Format(Name):
    """The name of a format."""

    def __init__(self) -> None:
        super().__init__("format", lambda: [*WRITERS, *ALSO])

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name; raise InputError if it is unknown."""
        return find_writer(value, source=where(param)).name


class EncodedJson(TypedDict):
    """A board in the language of a solver."""

    board: BoardLine
    format: str
    """Name of the language, as in --to."""
    encoding: str | None
    """Encoding of the constraints; null if the language has no clauses."""
    file: str | None
    """Name of the file that was written; null if none was."""
    text: str | None
    """The text; null if a file was written."""


@options.command(
    "encode",
    "mmsat encode 4x6/1122=1.1 --to cnf --encoding sequential",
    "mmsat encode 4x6/1122=1.1 -o board.opb",
)
@options.board
@click.option(
    "--to",
    "language",
    type=Format(),
    metavar="FORMAT",
    help="asp, cnf, dzn, lp, minizinc (mzn), opb, smtlib (smt2) or wcnf. The default is the format"
    " of the output file's ending, or cnf.",
)
@click.option(
    "--encoding",
    type=Name("encoding", lambda: ENCODINGS),
    metavar="NAME",
    help="Choose how clauses count, for cnf and wcnf; see `mmsat encodings`.",
)
@options.file(
    "-o",
    "--output",
    help="Write to FILE. Its ending is the format: .asp, .cnf, .dimacs, .dzn, .lp (CPLEX LP), .mzn,"
    " .opb, .smt2 or .wcnf.",
)
@options.as_json
@options.working("timeout")
def command(
    board: Board,
    *,
    language: str | None,
    encoding: str | None,
    output: str | None,
    as_json: bool,
    timeout: float | None,
) -> None:
    """Write a board in the language of a solver.

    The answer of the solver goes to `mmsat decode`. With --json, the text is in the document, or
    the name of the file if one was written.
    """
    to_file = output is not None and output != "-"
    by_ending = find_format(output) if output is not None and language is None else None
    writer = find_writer(language or by_ending or "cnf")
    used = writer.encoding_of(encoding)
    text: str | None = None
    job = Job(0, f"writing {writer.name}", prints=not (to_file or as_json))

    def write() -> int:
        nonlocal text
        pieces = job.progress.follow(
            write_pieces(board, writer.name, used, timeout),
            lambda _, size: f"{size:,} characters of {writer.name} written",
        )
        if output is not None and to_file:
            return atomic_write(output, pieces)
        if as_json:
            text = "".join(pieces)
        else:
            sys.stdout.writelines(pieces)
        return 0

    try:
        size = job.run(write)
    except TimeUpError:
        leave_early(FAILURE)
    if job.code:
        leave_early(job.code)
    if to_file:
        say(f"{output}: {quantity(size, 'byte')} of {writer.name}")
    if as_json:
        document: EncodedJson = {
            "board": str(board),
            "format": writer.name,
            "encoding": used,
            "file": output if to_file else None,
            "text": text,
        }
        print_json(document)


def write_pieces(
    board: Board, language: str, encoding: str | None, timeout: float | None
) -> Iterator[str]:
    """Yield the text in chunks; with a time limit, raise TimeUpError when it passes."""
    if timeout is None:
        return chunks(board, language, encoding)
    return stream(Deadline(timeout), chunks, board, language, encoding)


def chunks(board: Board, language: str, encoding: str | None) -> Iterator[str]:
    """Yield the text in chunks of at least CHUNK characters, because each has an overhead."""
    gathered: list[str] = []
    size = 0
    for piece in find_writer(language).export(board, encoding):
        gathered.append(piece)
        size += len(piece)
        if size >= CHUNK:
            yield "".join(gathered)
            gathered, size = [], 0
    yield "".join(gathered)
