"""The command `mmsat reduce`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from mmsat._util.files import atomic_write
from mmsat._util.json_types import BoardLine, NonEmpty
from mmsat._util.text import join_words, quantity
from mmsat.cli import options, problem
from mmsat.cli.output import print_json, say, write_board
from mmsat.cli.parameters import misuse
from mmsat.game.board import PRINTERS
from mmsat.game.definition import print_definition
from mmsat.game.notation.speller import speller
from mmsat.reductions.reduction import GameReduction, GameReductionJson, Reduction, ReductionJson
from mmsat.render.reports import print_report
from mmsat.render.reports import reductions as report
from mmsat.render.table import table
from mmsat.render.terminal import show, wrap_width


class BoardReductionJson(ReductionJson):
    """The board of a source."""

    board: BoardLine


class GameFileJson(GameReductionJson):
    """The game of a source, and the guesses within which every code must be found."""

    game: NonEmpty
    """The file of the game, in TOML."""


@options.command(
    "reduce",
    "printf 'p edge 3 2\\ne 1 2\\ne 2 3\\n' > path.col",
    "mmsat reduce vertex-cover path.col -k 1 --explain",
    "mmsat reduce vertex-cover path.col -k 1 | mmsat check -",
)
@problem.name
@problem.source
@problem.k_and_lies
@options.notation
@options.file(
    "-o",
    "--output",
    multiple=True,
    help="Write the board, or draw it (.svg, .png, .graphml).",
)
@click.option("--explain", is_flag=True, help="Explain the board, gadget by gadget.")
@options.as_json
def command(
    name: str,
    source: str,
    *,
    to: str,
    output: tuple[str, ...],
    explain: bool,
    as_json: bool,
    **numbers: int | None,
) -> None:
    """Turn a hard problem into a board that is consistent if and only if it has a solution.

    NAME is a reduction that `mmsat reductions` lists, or a chain of them:
    three-sat+one-in-three+one-in-three-3sat turns any CNF into a board of two colors. SOURCE is a
    file in the format of the reduction, or - for standard input: DIMACS CNF for formulas, DIMACS
    edges for graphs. `mmsat lift` turns a code back into an answer.

    word-game makes the file of a game and a number of guesses for `mmsat optimal` instead.
    """
    reduction = problem.reduction(name, source, numbers)
    if isinstance(reduction, GameReduction):
        print_game(reduction, output, to, explain=explain, as_json=as_json)
        return
    drawing_files = [file for file in output if Path(file).suffix in report.SUFFIXES]
    board_files = [file for file in output if file not in drawing_files]
    for file in board_files:
        if Path(file).suffix not in ("", ".txt", ".json"):
            misuse(
                f"--output: the ending of {file} is unknown. Use .txt or .json for the board, or "
                f"{join_words(report.SUFFIXES, 'or')} for a drawing."
            )
    for file in drawing_files:
        draw_to(reduction, Path(file))
    text = PRINTERS[to](reduction.board)
    for file in board_files:
        write_board(reduction.board, text, file)
    if as_json:
        print_json(reduction.to_dict() | {"board": str(reduction.board)})
    elif explain:
        print_report(reduction)
    elif not board_files:
        click.echo(text, nl=False)


def print_game(
    reduction: GameReduction[Any, Any],
    output: Sequence[str],
    to: str,
    *,
    explain: bool,
    as_json: bool,
) -> None:
    """Write the game's file, and print the command that decides whether the guesses suffice."""
    if to != "text":
        misuse(f"--to {to} is for boards. {reduction.name} makes a game, which is written in TOML.")
    for file in output:
        if Path(file).suffix in report.SUFFIXES:
            misuse(f"{file}: only boards are drawn. Give a name that ends in .toml for the game.")
    text = print_definition(reduction.target)
    for file in output:
        atomic_write(file, [text])
    if as_json:
        document: GameFileJson = {**reduction.to_dict(), "game": text}
        print_json(document)
    elif explain:
        print_code = speller(reduction.target).print_code
        meanings = [[print_code(code), meaning] for code, meaning in reduction.meanings()]
        show(table(["code", "stands for"], meanings, wrap_width()))
    elif not output:
        click.echo(text, nl=False)
    guesses = quantity(reduction.guesses, "guess")
    say(f"to decide whether every code can be found within {guesses}:")
    say(f"mmsat optimal game:FILE --max-guesses {reduction.guesses}")


def draw_to(reduction: Reduction[Any, Any], path: Path) -> None:
    """Draw or export the graph of pegs and rows; the extension of `path` is the format."""
    report.draw(reduction, path)
    say(f"{path}: the graph of pegs and rows")
