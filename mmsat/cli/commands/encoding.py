"""The commands about the languages of solvers: `mmsat encode`, `decode` and `encodings`."""

from __future__ import annotations

import csv
import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, NotRequired, TypedDict

import click

from mmsat._util.files import atomic_write, is_folder, uncompressed_name
from mmsat._util.registry import PluginJson, describe_plugin
from mmsat._util.results import BoardLine, ColorList, Positive, Unchecked, VerdictName
from mmsat._util.text import noun_phrase, plural, quantity
from mmsat.cli import options, output
from mmsat.cli.output import (
    FAILURE,
    Job,
    leave,
    leave_early,
    leave_with,
    print_json,
    print_message,
    say,
)
from mmsat.cli.parameters import (
    Name,
    NewFolder,
    OutputPath,
    TextFile,
    misuse,
    parameter_name,
)
from mmsat.encoding import ENCODINGS, clause_encodings, require_encoding
from mmsat.encoding.cnf import Entry, EntryJson, entries, load, names
from mmsat.errors import PluginError
from mmsat.game.board import Board, Status
from mmsat.game.notation.board_reader import speller
from mmsat.render.terminal import show_fields, show_gap, show_page, show_table
from mmsat.solving import ENGINES, SPECIAL
from mmsat.solving.deadline import Deadline, TimeUpError, stream
from mmsat.solving.encode import (
    ALIASES,
    ENDINGS,
    WRITERS,
    Solution,
    Writer,
    find_format,
    find_writer,
    read_solution,
)

if TYPE_CHECKING:
    from mmsat.game.library import Instance


class EngineJson(TypedDict):
    """An engine."""

    name: str
    """Name, as in --engine."""
    summary: str
    """Description in one line."""


class EncodingsJson(TypedDict):
    """All encodings and engines, or one encoding."""

    encodings: list[EntryJson]
    engines: NotRequired[list[EngineJson]]
    """The engines; only if all encodings are listed."""
    plugins: NotRequired[list[PluginJson]]
    """The encodings and engines of plug-ins; missing if there are none."""


@options.command("encodings", "mmsat encodings", "mmsat encodings totalizer")
@click.argument("name", type=Name("encoding", names, ENCODINGS), required=False)
@options.as_json
def encodings_command(name: str | None, *, as_json: bool) -> None:
    """List the encodings and the engines, or describe one encoding.

    Encodings turn the rows of a board into clauses (`mmsat encode --encoding`); engines decide
    boards (`mmsat check --engine`). To compare encodings, measure `mmsat check BOARD -v --engine
    sat:cadical195:NAME`, with --proof also the length of the refutation.

    Propagation is complete if unit propagation finds every consequence, partial if some need
    search, and `claims` if it finds those of the rows but not of the counts that rows share.
    """
    document: EncodingsJson
    plugins = output.find_plugin(ENCODINGS, name) if name not in names() else []
    if name is None:
        plugins = output.installed_plugins(ENCODINGS) + output.installed_plugins(ENGINES)
    if name is not None and plugins:
        if as_json:
            document = {"encodings": [], "plugins": plugins}
            print_json(document)
        else:
            output.show_plugin(plugins)
    elif name is not None:
        entry = load(name)
        if as_json:
            described = entry.to_dict()
            described["readme"] = entry.readme
            document = {"encodings": [described]}
            print_json(document)
        else:
            print_encoding(entry)
    elif as_json:
        document = {
            "encodings": [entry.to_dict() for entry in entries()],
            "engines": [{"name": name, "summary": summary} for name, summary in engine_summaries()],
        }
        if plugins:
            document["plugins"] = plugins
        print_json(document)
    else:
        print_encodings(entries())
        output.show_plugins(plugins)


def engine_summaries() -> list[tuple[str, str]]:
    """Return the name and the summary of each engine."""
    return [(name, engines[name].summary) for engines in (ENGINES, SPECIAL) for name in engines]


def print_encodings(encodings: Sequence[Entry]) -> None:
    """Print a table of encodings and one of engines."""
    rows = [[entry.name, entry.kind, entry.propagation, entry.summary] for entry in encodings]
    show_table(["name", "kind", "propagation", "what it does"], rows)
    click.echo()
    show_table(["engine", "what it does"], [list(engine) for engine in engine_summaries()])


def print_encoding(entry: Entry) -> None:
    """Print all properties of one encoding."""
    properties = {
        "name": entry.name,
        "title": f"{entry.title} ({entry.year})",
        "source": entry.source,
        "kind": entry.kind,
        "propagation": entry.propagation,
        **entry.size,
    }
    show_fields(properties)
    show_gap()
    show_page(entry.readme.rstrip())


MIN_CHUNK_CHARACTERS = 1 << 16
"""Minimum number of characters per chunk, except for the last."""


class Format(Name):
    """The name of a format, or one of `extra_names`."""

    def __init__(self, extra_names: Collection[str] = ()) -> None:
        super().__init__("format", lambda: [*extra_names, *WRITERS, *ALIASES])
        self.extra_names = extra_names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name; raise InputError if it is unknown."""
        if value.lower() in self.extra_names:
            return str(value.lower())
        return find_writer(value, self.extra_names, parameter_name(param)).name


NUM_CHECKED_BOARDS = 10
"""Number of small boards on which an encoding of a plug-in is checked."""


class ClauseEncoding(Name):
    """The name of an encoding that consists of clauses only, or of a plug-in."""

    def __init__(self) -> None:
        super().__init__("encoding", clause_encodings)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name.

        Raises InputError if it is unknown, and PluginError if a plug-in violates a law.
        """
        require_encoding(value, clause_encodings(), parameter_name(param))
        if value not in ENCODINGS.built_in:
            from mmsat.testing import check_encoding

            try:
                check_encoding(value, boards=NUM_CHECKED_BOARDS)
            except AssertionError as error:
                if isinstance(error.__cause__, PluginError):
                    raise error.__cause__ from None
                plugin = describe_plugin("encoding", ENCODINGS[value])
                raise PluginError.about(plugin, error) from error
        return str(value)


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
    "mmsat generate six-colors --size 6 --count 3 --to line -o boards.txt",
    "mmsat encode boards.txt --to wcnf -o suite",
)
@options.board_lists()
@click.option(
    "--to",
    "language",
    type=Format(),
    metavar="FORMAT",
    help="asp (clingo), cnf, dzn, lp (CPLEX LP, for linear solvers), minizinc (mzn), opb, smtlib "
    "(smt2) or wcnf; by default the format of the file's ending, or cnf.",
)
@click.option(
    "--encoding",
    type=ClauseEncoding(),
    metavar="NAME",
    help="Encoding of the rows as clauses (cnf, wcnf); see `mmsat encodings`.",
)
@click.option(
    "-o",
    "--output",
    type=OutputPath(NewFolder()),
    help="File that ends in .asp, .cnf, .dimacs, .dzn, .lp (CPLEX LP, or with --to asp for clingo),"
    " .mzn, .opb, .smt2 or .wcnf, to compress it also in .gz or .xz; or new folder for a suite.",
)
@options.as_json
@options.solver_options("timeout")
def encode_command(
    lists: tuple[list[options.NamedBoard], ...],
    *,
    language: str | None,
    encoding: str | None,
    output: str | None,
    as_json: bool,
    timeout: float | None,
) -> None:
    """Write boards in the language of a solver.

    `mmsat decode` reads the answer of the solver. With --json, the document has the text, or the
    name of the file if one was written.

    Several BOARDs, or a file with one board per line, are written as a suite: -o DIR has one file
    per board and index.csv with the columns name, verdict, sha256 (of the file) and board. The
    verdict is that of the library of `mmsat instances`, or is found within 2 seconds, or is
    `unknown`. DIR must be new or empty, and is written completely or not at all.

    --encoding also accepts a custom class, as MODULE:CLASS or the name of a plug-in. It is first
    compared with brute force on small boards.
    """
    refuse_other_ending(output, language)
    boards = [named_board for board_list in lists for named_board in board_list]
    if output is not None and output != "-" and is_folder(output):
        write_all(
            boards, find_writer(language or "cnf"), encoding, output, timeout, as_json=as_json
        )
        return
    if len(boards) > 1:
        misuse("Several boards require --output DIR.")
    ((_, board),) = boards
    file = None if output == "-" else output
    by_ending = find_format(output) if output is not None and language is None else None
    writer = find_writer(language or by_ending or "cnf")
    encoding_name = writer.encoding_of(encoding)
    text: str | None = None
    job = Job(0, f"writing {writer.name}", is_printing=file is None and not as_json)

    def write() -> int:
        nonlocal text
        pieces = job.progress.follow(
            write_pieces(board, writer.name, encoding_name, timeout),
            lambda _, size: f"{size:,} characters of {writer.name} written",
        )
        if file is not None:
            return atomic_write(file, pieces)
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
    if file is not None:
        is_compressed = uncompressed_name(file) != file
        say(f"{file}: {quantity(size, 'byte')} of {'compressed ' * is_compressed}{writer.name}")
    if as_json:
        print_json(encoded_json(board, writer.name, encoding_name, file, text))


def refuse_other_ending(
    output: str | None, language: str | None, formats: Mapping[str, str] = ENDINGS
) -> None:
    """Raise a usage error if the ending of a file and --to name different formats.

    `formats` are the formats by ending. `.lp` is also the usual ending of answer set programs.
    """
    named = formats.get(os.path.splitext(uncompressed_name(output or ""))[1].lower())
    if named and language not in (None, named) and (named, language) != ("lp", "asp"):
        misuse(f"--to {language} contradicts the name {output}, whose ending means {named}.")


def write_all(
    boards: list[options.NamedBoard],
    writer: Writer,
    encoding: str | None,
    folder: str,
    timeout: float | None,
    *,
    as_json: bool,
) -> None:
    """Write a suite of boards, and print its JSON documents."""
    encoding_name = writer.encoding_of(encoding)
    deadline = Deadline(timeout)
    library_entries = find_instances(boards)
    names = [f"{stem}{writer.suffix}" for stem in file_stems(library_entries)]
    job: Job[None] = Job(None, f"writing {writer.name}")
    report_progress = job.progress.count("file", "written")

    def files() -> Iterator[IndexedFile]:
        for name, (_, board), instance in zip(names, boards, library_entries, strict=True):
            verdict = Status.UNKNOWN if instance is None else Status(instance.verdict)
            if verdict is Status.UNKNOWN:
                verdict = decide_verdict(board, deadline)
            pieces = write_pieces(board, writer.name, encoding_name, deadline.remaining)
            yield IndexedFile(name, board, verdict, pieces)

    try:
        job.run(lambda: write_indexed_folder(folder, files(), len(boards), report_progress))
    except TimeUpError:
        leave_early(FAILURE)
    if job.code:
        leave_early(job.code)
    say(f"{folder}: {quantity(len(boards), 'file')} of {writer.name}")
    if as_json:
        for name, (_, board) in zip(names, boards, strict=True):
            print_json(
                encoded_json(board, writer.name, encoding_name, os.path.join(folder, name), None)
            )


def find_instances(boards: Iterable[options.NamedBoard]) -> list[Instance | None]:
    """Return, for each argument, the board of the library that it names, or None."""
    from mmsat.game.library import instances

    library = {instance.name: instance for instance in instances()}
    found = [(library.get(name), board) for name, board in boards]
    # A file can have the name of a board of the library.
    return [instance if instance and instance.board == board else None for instance, board in found]


def file_stems(entries: Sequence[Instance | None]) -> list[str]:
    """Return different names of files for boards: of the library if possible, else numbers."""
    stems: list[str] = []
    digits = max(3, len(str(len(entries))))
    for number, instance in enumerate(entries, 1):
        stem = "" if instance is None else instance.name.replace("/", "-")
        stems.append(f"board-{number:0{digits}}" if stem in ("", *stems) else stem)
    return stems


def encoded_json(
    board: Board, language: str, encoding: str | None, file: str | None, text: str | None
) -> EncodedJson:
    """Return the JSON document of an encoded board, with the name of its file or its text."""
    return {
        "board": str(board),
        "format": language,
        "encoding": encoding,
        "file": file,
        "text": text,
    }


def write_pieces(
    board: Board, language: str, encoding: str | None, timeout: float | None
) -> Iterator[str]:
    """Yield the text in chunks; with a time limit, raise TimeUpError when it passes."""
    if timeout is None:
        return chunks(board, language, encoding)
    return stream(Deadline(timeout), chunks, board, language, encoding)


def chunks(board: Board, language: str, encoding: str | None) -> Iterator[str]:
    """Yield the text in chunks of MIN_CHUNK_CHARACTERS or more, because each chunk has a cost."""
    chunk_pieces: list[str] = []
    size = 0
    for piece in find_writer(language).export(board, encoding):
        chunk_pieces.append(piece)
        size += len(piece)
        if size >= MIN_CHUNK_CHARACTERS:
            yield "".join(chunk_pieces)
            chunk_pieces, size = [], 0
    yield "".join(chunk_pieces)


INDEX_FILE = "index.csv"
COLUMNS = ("name", "verdict", "sha256", "board")
"""The columns of the index: file name, verdict, hash of the file, and the board line."""
VERDICT_SECONDS = 2.0
"""Time limit for the verdict of a board; if it passes, the index contains `unknown`."""


class IndexedFile(NamedTuple):
    """One file of a folder with an index."""

    name: str
    board: Board
    verdict: Status
    pieces: Iterable[str]
    """The text of the file, in pieces."""


def write_indexed_folder(
    folder: str,
    files: Iterable[IndexedFile],
    total: int,
    on_progress: Callable[[int, int], None],
) -> None:
    """Write a folder of boards with an index, completely or not at all.

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

    return check(board, reason=0, timeout=deadline.within(VERDICT_SECONDS).remaining).status


class DecodedJson(TypedDict):
    """The answer of a solver."""

    board: BoardLine
    verdict: VerdictName
    witness: ColorList | None
    """A consistent code."""
    nearest: NotRequired[ColorList]
    """The code of a MaxSAT solver that misses rows."""
    missed: NotRequired[list[Positive]]
    """The numbers of the rows whose scores it does not get."""
    unchecked: NotRequired[Unchecked]


@options.command(
    "decode",
    "mmsat encode 4x6/1122=1.1 --to cnf -o board.cnf",
    "cadical board.cnf | mmsat decode board.cnf -",
)
@options.board
@click.argument("solution", type=TextFile())
@options.as_json
@options.solver_options()
def decode_command(board: Board, *, solution: str, as_json: bool) -> None:
    """Turn a solver's answer into a code.

    SOLUTION is the output or the solution file of a solver that solved the board written by `mmsat
    encode`: a file, or - for standard input. The format is recognized: SAT, MaxSAT and
    pseudo-Boolean solvers, clingo (also --outf=1 and 2), MiniZinc (also JSON), SMT solvers, HiGHS,
    SCIP, CBC, GLPK, Gurobi, CPLEX, lp_solve. BOARD may be the file that `mmsat encode` wrote.

    Scores the code against every row, and prints it, or "inconsistent" or "unknown". That a board
    is inconsistent is the solver's word; `mmsat check --proof` proves it. Exit code 10 for a code,
    20 for an inconsistent board, 1 if the solver stopped without an answer or its code does not get
    these scores.
    """
    answer = read_solution(solution, board.game)
    missed = [] if answer.code is None else missed_rows(board, answer)
    # for an inconsistent board, a MaxSAT solver returns a code that violates few rows
    witness = answer.code if answer.status is Status.CONSISTENT else None
    if as_json:
        colors = None if witness is None else [color + 1 for color in witness]
        document: DecodedJson = {
            "board": str(board),
            "verdict": str(answer.status),
            "witness": colors,
        }
        if missed and answer.code is not None:
            document["nearest"] = [color + 1 for color in answer.code]
            document["missed"] = missed
        if answer.status is Status.INCONSISTENT:
            document["unchecked"] = True
        print_json(document)
    elif witness is not None:
        click.echo(speller(board.game).print_code(witness))
    else:
        click.echo(str(answer.status))
        if answer.code is not None:
            spelled = speller(board.game).print_code(answer.code)
            say(f"{spelled} misses {rows_in_words(missed)} of {len(board.rows)}")
    if answer.status is Status.INCONSISTENT:
        print_message("This answer of the solver is unchecked. `mmsat check --proof` proves it.")
    leave_with(answer.status)


def missed_rows(board: Board, answer: Solution) -> list[int]:
    """Return the numbers of the rows whose scores the solver's code does not get.

    End the command with an error if the solver reports another number of rows.
    """
    code = answer.code or ()
    rows = [row + 1 for row in board.missed(code)]
    if len(rows) != (answer.cost or 0) or not board.game.contains(code):
        spelled = speller(board.game).print_code(code)
        fault = (
            f"does not get the {plural('score', len(rows))} of {rows_in_words(rows)}"
            if answer.cost is None
            else f"misses {rows_in_words(rows)}, but the solver reports "
            f"{quantity(answer.cost, 'missed row')}"
        )
        print_message(f"Error: The code {spelled} {fault}. Is it the solution of another board?")
        leave(FAILURE)
    return rows


def rows_in_words(rows: list[int]) -> str:
    """Return row numbers, counted from 1, in words."""
    return noun_phrase("row", rows) if rows else "no row"
