"""The command `mmsat generate`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from textwrap import wrap
from typing import Any

import click

from mmsat.auditing.generate_log import generate_log
from mmsat.board import PRINTERS, Board
from mmsat.cli import options
from mmsat.cli.output import leave_early, print_json, say, write_board
from mmsat.cli.parameters import Choice, Name, Number, Share, refuse
from mmsat.cli.progress import Job, Progress
from mmsat.english import quantity
from mmsat.files import atomic_write
from mmsat.game.game import Game
from mmsat.generators.family import Family, Generated
from mmsat.generators.generate import FAMILIES, generate, generate_many
from mmsat.reductions.samples.sample import Answer
from mmsat.render.table import table
from mmsat.render.terminal import show, wrap_width
from mmsat.results.verdict import Status
from mmsat.tasks import open_executor

FAMILY = Name("family", lambda: FAMILIES)


@options.command(
    "generate",
    "mmsat generate",
    "mmsat generate six-colors --size 12 --seed 1 -o board.txt",
    "mmsat generate vertex-cover-regular --answer inconsistent --to line",
    "mmsat generate six-colors --count 100 --processes 2 -o boards.jsonl",
)
@click.argument("family", type=FAMILY, required=False)
@click.option("--size", type=Number(1), help="Size of the board; each family documents its unit.")
@click.option("--rows", type=Number(0), help="Make N random rows (families of random games).")
@options.seed("Random seed: the same seed gives the same board.", 0)
@click.option(
    "--answer",
    type=Choice([*map(str, Answer)]),
    help="Choose the answer; any: random; slipped: one wrong score.",
)
@click.option(
    "--count", type=Number(1), help="Make N boards with consecutive seeds, as JSON Lines or --to."
)
@click.option("--games", type=Number(0), help="Make a log of N games, with known scoring errors.")
@click.option("--game", type=options.GameName(), default="4x6", help="Choose the game of the log.")
@click.option(
    "--slips", type=Share(), default=0.1, help="Fraction of the games that get a wrong score."
)
@options.executor
@options.notation
@options.board_file
@options.as_json
def command(
    family: str | None,
    *,
    size: int | None,
    rows: int | None,
    seed: int,
    answer: str | None,
    count: int | None,
    games: int | None,
    game: Game,
    slips: float,
    processes: int,
    dask: str | None,
    to: str,
    output: str | None,
    as_json: bool,
) -> None:
    """Make a board of any size, with a known answer if there is one.

    Without FAMILY, lists the families: random games, and hard problems turned into boards by
    `mmsat reduce`. A consistent board has a planted code; an inconsistent board comes with the
    reason. --count makes several boards, the first with the seed itself, the others with the seeds
    that follow: as JSON Lines, or with --to line as board lines, with --to json as one document per
    line, with --to text as board files separated by blank lines. --games makes a log of games
    instead, as JSON Lines; --slips is the fraction of these games that have one wrong score (error
    model of `mmsat explain`).
    """
    refuse_unused(family, count, games)
    in_bulk: Callable[..., Iterator[str]] | None = None
    if games is not None:
        in_bulk = partial(generate_log, game, games, slips, seed)
    elif family is not None and count is not None:
        in_bulk = partial(generate_many, family, count, size, rows=rows, seed=seed, answer=answer)
    if in_bulk is not None:
        with open_executor(processes, dask) as executor:
            lines = in_bulk(executor=executor)
            if options.is_chosen("to"):
                lines = print_boards(lines, to)
            write_lines(lines, games or count or 0, output)
        return
    if processes > 1 or dask:
        refuse("--processes and --dask", "--count or --games beside them", None)
    if family is None:
        list_all(FAMILIES.values(), as_json=as_json)
        return
    kind = FAMILIES[family]
    size = kind.size if size is None else size
    answer = answer or str(kind.answers[0])
    chosen = {"size": size, "seed": seed, "answer": answer}
    with Progress("making the board").running():
        generated = generate(family, size, rows=rows, seed=seed, answer=answer)
    text = print_board(generated, to, {"family": family, **chosen})
    if output is not None:
        write_board(generated.board, text, output)
    if as_json:
        print_json({"family": family, **chosen, **generated.to_dict()})
    elif output is None:
        click.echo(text, nl=False)


def refuse_unused(family: str | None, count: int | None, games: int | None) -> None:
    """Raise InputError if there are options that do not apply.

    The command makes a log (`games`), lists the families (no `family`), or makes boards.
    """
    wrong: tuple[str, ...]
    of_board = ("size", "rows", "answer", "count", "to")
    of_log = ("game", "slips")
    if games is not None:
        wrong, rule = of_board, "--games makes a log, not boards of a family"
        if family is not None:
            refuse("FAMILY", "no family beside --games", family, rule)
    elif family is None:
        wrong, rule = (*of_board, *of_log, "seed", "output"), "without FAMILY, families are listed"
    else:
        wrong, rule = of_log, "it is for --games"
        if count is not None and options.is_chosen("as_json") and options.is_chosen("to"):
            refuse("--to", "no --json beside it", "--json", "--json prints JSON Lines")
    for name in filter(options.is_chosen, wrong):
        refuse(f"--{name}", f"no --{name}", f"--{name}", rule)


def print_boards(lines: Iterable[str], to: str) -> Iterator[str]:
    """Convert the JSON Lines of `generate_many` to boards in a notation."""
    for number, line in enumerate(lines):
        document = json.loads(line)
        board = Board.parse(document["board"])
        if to == "json":
            yield f"{json.dumps(board.to_json())}\n"
            continue
        witness = document["witness"]
        code = None if witness is None else tuple(color - 1 for color in witness)
        generated = Generated(board, Status(document["verdict"]), code, (document["recipe"],))
        chosen = {key: document[key] for key in ("family", "size", "seed", "answer")}
        yield "\n" * (to == "text" and number > 0) + print_board(generated, to, chosen)


def write_lines(lines: Iterable[str], total: int, output: str | None) -> None:
    """Write lines to a file, completely or not at all, or print them one by one.

    `total` is the number of lines, for the progress line.
    """
    job = Job(0, "making the first line", prints=output is None)

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


def print_board(made: Generated, to: str, chosen: dict[str, Any]) -> str:
    """Return the board in a notation; the text of a board file starts with its description.

    The description has the parameters `chosen`, how the board was made, and its verdict.
    """
    text = PRINTERS[to](made.board)
    if to != "text":
        return text
    parameters = ", ".join(f"{key} {value}" for key, value in chosen.items())
    verdict = f"It is {made.status} by construction." if made.status != "unknown" else ""
    words = " ".join((*made.recipe, verdict)).strip()
    lines = [parameters, *wrap(words, 96, break_long_words=False, break_on_hyphens=False)]
    return "".join(f"# {line}\n" for line in lines) + text
