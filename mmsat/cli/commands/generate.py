"""The commands about families of boards: `mmsat generate` and `families`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import Annotated, Any, NamedTuple, TypedDict

import click

from mmsat._util.files import atomic_write, is_folder, uncompressed_name
from mmsat._util.results import Positive, Schema
from mmsat._util.text import quantity
from mmsat.cli import options
from mmsat.cli.commands.encoding import (
    Format,
    IndexedFile,
    decide_verdict,
    refuse_other_ending,
    write_indexed_folder,
)
from mmsat.cli.output import Job, Progress, leave_early, print_json, say, write_board
from mmsat.cli.parameters import (
    Choice,
    Name,
    NewFolder,
    Number,
    OutputPath,
    Share,
    misuse,
    refuse_combination,
)
from mmsat.game.board import PRINTERS, Board, Status
from mmsat.game.game import Game
from mmsat.reductions.families import (
    FAMILIES,
    AnswerName,
    Family,
    Generated,
    complete_options,
    family_document,
    generate,
    generate_many,
)
from mmsat.reductions.samples import Answer
from mmsat.render.terminal import show_fields, show_table
from mmsat.solving.deadline import Deadline
from mmsat.solving.encode import ENDINGS, WRITERS


class FamilyJson(TypedDict):
    """A family of boards."""

    name: str
    summary: str
    """Description in one line."""
    unit: str
    """The unit of `size`."""
    size: Positive
    """The default size."""
    smallest: Positive
    """The minimum size."""
    answers: Annotated[list[AnswerName], Schema(minItems=1)]
    """The answers with which boards can be made; the first is the default."""
    rows: bool
    """Whether the number of rows can be chosen."""


class FamiliesJson(TypedDict):
    """All families."""

    families: list[FamilyJson]


@options.command("families", "mmsat families", "mmsat families six-colors")
@click.argument("name", type=Name("family", lambda: FAMILIES), required=False)
@options.as_json
def families_command(name: str | None, *, as_json: bool) -> None:
    """List the families of boards that `mmsat generate` makes, or describe one."""
    if as_json:
        families = [*FAMILIES.values()] if name is None else [FAMILIES[name]]
        document: FamiliesJson = {"families": [describe_family(family) for family in families]}
        print_json(document)
    elif name is not None:
        print_family(FAMILIES[name])
    else:
        rows = [
            [family.name, str(family.size), family.unit, ", ".join(family.answers), family.summary]
            for family in FAMILIES.values()
        ]
        show_table(["family", "size", "of", "answers", "what it is"], rows, (1,))


def print_family(family: Family) -> None:
    """Print all properties of one family."""
    show_fields(
        {
            "name": family.name,
            "summary": family.summary,
            "size": f"number of {family.unit}, at least {family.min_size}; default {family.size}",
            "answers": f"{', '.join(family.answers)}; default {family.answers[0]}",
            "rows": "chosen by --rows" if family.accepts_rows else "follow from the size",
        }
    )


def describe_family(family: Family) -> FamilyJson:
    """Return the description of a family for JSON."""
    return {
        "name": family.name,
        "summary": family.summary,
        "unit": family.unit,
        "size": family.size,
        "smallest": family.min_size,
        "answers": [*map(str, family.answers)],
        "rows": family.accepts_rows,
    }


COMMENT_WIDTH = 96
"""Maximum width of the text of a comment in front of a board, in columns."""
FAMILY = Name("family", lambda: FAMILIES)
"""The parameter type of a family."""
NOTATIONS = {"line": ".txt", "text": ".txt", "json": ".json"}
"""The notations of boards, and the endings of their files in a suite."""
FORMAT_BY_ENDING = {**ENDINGS, ".json": "json"}
"""The format by the ending of the output file, if --to is not given; other files are text."""


class Notation(Format):
    """The name of a notation, or of a format of `mmsat encode`."""

    def __init__(self) -> None:
        super().__init__(NOTATIONS)


@options.command(
    "generate",
    "mmsat generate six-colors --size 12 --seed 1 -o board.txt",
    "mmsat generate vertex-cover-regular --answer inconsistent --to line",
    "mmsat generate six-colors --count 100 -j 2 -o boards.jsonl",
    "mmsat generate six-colors --count 20 --to cnf -o suite",
)
@click.argument("family", type=FAMILY, required=False)
@click.option("--size", type=Number(1), help="Size of the boards, in the unit of the family.")
@click.option("--rows", type=Number(0), help="Number of rows (families of random games).")
@click.option(
    "--probability",
    type=Share(),
    help="Rows for this fraction of consistent boards.",
)
@options.seed(0, "Random seed of the first board.")
@click.option(
    "--answer",
    type=Choice([*map(str, Answer)]),
    metavar="ANSWER",
    help="consistent, inconsistent, any, or slipped (1 error); see `mmsat families`.",
)
@options.count(None, "boards")
@click.option("--games", type=Number(0), help="Make a log of N games instead of boards.")
@click.option("--game", type=options.GameName(), default="4x6", help="Game of the log.")
@click.option("--slips", type=Share(), default=0.1, help="Fraction of wrongly scored games.")
@options.executor
@click.option(
    "--to",
    type=Notation(),
    metavar="FORMAT",
    default="text",
    help="line, text, json, or a format of `mmsat encode`.",
)
@click.option(
    "-o", "--output", type=OutputPath(NewFolder()), help="File, or new folder for a suite."
)
@options.as_json
def generate_command(
    family: str | None,
    *,
    size: int | None,
    rows: int | None,
    probability: float | None,
    seed: int,
    answer: str | None,
    count: int | None,
    games: int | None,
    game: Game,
    slips: float,
    jobs: int,
    dask: str | None,
    to: str,
    output: str | None,
    as_json: bool,
) -> None:
    """Make boards of any size, with a known answer.

    FAMILY is a name of `mmsat families`: random games, or hard problems as boards (`mmsat reduce`).
    Several boards are printed as JSON Lines, or as --to requests.

    -o DIR writes a suite: one file per board, and index.csv with the columns name, verdict, sha256
    (of the file) and board. DIR must be new or empty, and is written completely or not at all.

    --games makes a log for `mmsat audit`: JSON Lines, one game per line.
    """
    refuse_unused_options(family, count, games)
    if output is not None and not options.is_chosen("to"):
        to = FORMAT_BY_ENDING.get(os.path.splitext(uncompressed_name(output))[1].lower(), to)
    refuse_other_ending(output, to if options.is_chosen("to") else None, FORMAT_BY_ENDING)
    is_suite = output is not None and is_folder(output)
    if games is not None or count is not None or is_suite:
        if is_suite and games is not None:
            misuse("--games writes one file. Give a name with an ending, such as games.jsonl.")
        if is_suite and as_json:
            refuse_combination("--json", ["--output DIR"], "DIR/index.csv lists the boards.")
        if to in WRITERS and not is_suite:
            misuse(f"Several boards in the format {to} require --output DIR.")
        with options.open_workers(jobs, dask) as executor:
            if games is not None:
                from mmsat.auditing.generate_log import generate_log

                lines = generate_log(game, games, slips, seed, executor=executor)
            else:
                settings: dict[str, Any] = {"rows": rows, "seed": seed, "answer": answer}
                settings["probability"] = probability
                total = count or 1
                lines = generate_many(family or "", total, size, **settings, executor=executor)
            if is_suite and output is not None:
                write_folder(lines, count or 1, to, output)
                return
            if options.is_chosen("to"):
                lines = format_boards(lines, to)
            write_lines(lines, games or count or 0, output)
        return
    if jobs > 1 or dask:
        misuse(f"{'--dask' if dask else '--jobs'} requires --count or --games.")
    name = family or ""
    size, rows, answer = complete_options(name, size, rows, answer, probability)
    parameters = {"family": name, "size": size, "seed": seed, "answer": answer}
    with Progress("making the board").running():
        generated = generate(name, size, rows=rows, seed=seed, answer=answer)
    if output is not None:
        write_board(generated.board, format_board(generated, to, parameters), output)
    if as_json:
        print_json(family_document(generated, **parameters))
    elif output is None:
        click.echo(format_board(generated, to, parameters), nl=False)


def refuse_unused_options(family: str | None, count: int | None, games: int | None) -> None:
    """Raise InputError if FAMILY is missing, or if options do not apply to a log or to boards.

    `games` requests a log. --count with both --json and --to is refused, too.
    """
    board_options, log_options = (
        ("size", "rows", "probability", "answer", "count", "to"),
        ("game", "slips"),
    )
    if games is not None:
        given = [options.option_name(name) for name in filter(options.is_chosen, board_options)]
        given = [f"the family {family}"] * (family is not None) + given
        refuse_combination("--games", given, "--game and --slips are the options of logs.")
    for name in filter(options.is_chosen, log_options if games is None else ()):
        misuse(f"{options.option_name(name)} requires --games.")
    if family is None and games is None:
        misuse("Missing argument FAMILY. `mmsat families` lists the families.")
    if count is not None and options.is_chosen("as_json") and options.is_chosen("to"):
        refuse_combination("--json", ["--to"], "--json prints JSON Lines.")


class GeneratedLine(NamedTuple):
    """A line of `generate_many`: a board, and its parameters."""

    generated: Generated
    parameters: dict[str, Any]
    """The family, the size, the seed and the answer."""

    @classmethod
    def parse(cls, line: str) -> GeneratedLine:
        """Return the board and the parameters of a line."""
        document = json.loads(line)
        witness = document["witness"]
        code = None if witness is None else tuple(color - 1 for color in witness)
        board, status = Board.parse(document["board"]), Status(document["verdict"])
        generated = Generated(board, status, code, (document["recipe"],))
        return cls(generated, {key: document[key] for key in ("family", "size", "seed", "answer")})


def format_boards(lines: Iterable[str], to: str) -> Iterator[str]:
    """Convert the JSON Lines of `generate_many` to boards in a notation."""
    for number, line in enumerate(lines):
        generated, parameters = GeneratedLine.parse(line)
        if to == "json":
            yield f"{json.dumps(generated.board.to_dict())}\n"
        else:
            yield "\n" * (to == "text" and number > 0) + format_board(generated, to, parameters)


def write_folder(lines: Iterable[str], total: int, to: str, folder: str) -> None:
    """Write the boards of `generate_many` as a suite."""
    job: Job[None] = Job(None, "making the first board")
    report_progress = job.progress.count("board", "made")
    ending = NOTATIONS[to] if to in NOTATIONS else WRITERS[to].suffix

    def files() -> Iterator[IndexedFile]:
        for generated, parameters in map(GeneratedLine.parse, lines):
            name = f"{parameters['family']}-{parameters['size']}-{parameters['seed']}{ending}"
            verdict = generated.status
            if verdict is Status.UNKNOWN:
                verdict = decide_verdict(generated.board, Deadline())
            text = [format_board(generated, to, parameters)]
            yield IndexedFile(name, generated.board, verdict, text)

    job.run(lambda: write_indexed_folder(folder, files(), total, report_progress))
    if job.code:
        leave_early(job.code)
    say(f"{folder}: {quantity(total, 'file')}")


def write_lines(lines: Iterable[str], total: int, output: str | None) -> None:
    """Write lines to a file, completely or not at all, or print them one by one.

    `total` is the number of lines, for the progress line.
    """
    job = Job(0, "making the first line", is_printing=output is None)

    def write() -> int:
        followed = job.progress.follow(
            lines, lambda number, _: f"{number:,} of {quantity(total, 'line')} made", total
        )
        if output is not None:
            return atomic_write(output, followed)
        sys.stdout.writelines(followed)
        return 0

    size = job.run(write)
    if job.code:
        leave_early(job.code)
    if output is not None:
        say(f"{output}: {quantity(size, 'byte')}")


def format_board(generated: Generated, to: str, parameters: dict[str, Any]) -> str:
    """Return the board in a notation or a format.

    In the notation `text`, a description precedes the board as comments: the parameters, how the
    board was made, and the verdict.
    """
    board = generated.board
    text = "".join(WRITERS[to].export(board)) if to in WRITERS else PRINTERS[to](board)
    if to != "text":
        return text
    parameter_text = ", ".join(f"{key} {value}" for key, value in parameters.items())
    description = " ".join(generated.sentences)
    lines = [
        parameter_text,
        *wrap(description, COMMENT_WIDTH, break_long_words=False, break_on_hyphens=False),
    ]
    return "".join(f"# {line}\n" for line in lines) + text
