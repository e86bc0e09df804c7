"""The command `mmsat reduce`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NotRequired, TypedDict

import click

from mmsat.board import PRINTERS
from mmsat.cli import options, problem
from mmsat.cli.output import print_json, say, write_board
from mmsat.cli.parameters import refuse
from mmsat.english import quantity
from mmsat.files import atomic_write
from mmsat.game.definition import print_definition
from mmsat.json_types import BoardLine, NonEmpty, Schema
from mmsat.notation.speller import speller
from mmsat.reductions.formula_links import LINKS
from mmsat.reductions.game_reduction import GameReduction, GameReductionJson, ReductionName
from mmsat.reductions.reduce import GAME_REDUCTIONS, REDUCTIONS, page
from mmsat.reductions.reduction import Reduction, ReductionJson
from mmsat.render.reports import print_report
from mmsat.render.reports import reduction as report
from mmsat.render.table import table
from mmsat.render.terminal import show, wrap_width


class FormulasJson(TypedDict):
    """The exact sizes of the target, as formulas in terms of the source."""

    pegs: NonEmpty
    colors: NonEmpty
    rows: NotRequired[NonEmpty]
    """Number of rows of a board."""
    codes: NotRequired[NonEmpty]
    """Number of codes of a game."""


class ReductionKindJson(TypedDict):
    """A reduction."""

    name: ReductionName
    title: NonEmpty
    """The source and the target, in one line."""
    theorem: NonEmpty
    """The theorem that the reduction proves, with its authors and year."""
    source: Annotated[
        str, Schema(enum=("formula", "graph", "cover", "triples", "matrix", "system", "board"))
    ]
    """The kind of source."""
    parameters: list[Annotated[str, Schema(enum=("k", "lies"))]]
    """The required numbers, by the names of the options."""
    sizes: Annotated[FormulasJson, Schema(minProperties=3, maxProperties=3)]
    target: Annotated[str, Schema(enum=("board", "game"))]
    """The kind of target."""
    black_only: bool
    """Whether the board has the same codes if it is scored with black only."""
    readme: NotRequired[NonEmpty]
    """The page in the catalogue, in Markdown; only if a single reduction is described."""


class ReductionsJson(TypedDict):
    """The reductions; printed without a source."""

    reductions: Annotated[list[ReductionKindJson], Schema(minItems=1)]


class BoardReductionJson(ReductionJson):
    """The board of a source."""

    board: BoardLine


class GameFileJson(GameReductionJson):
    """The game of a source, and the guesses within which every code must be found."""

    game: NonEmpty
    """The file of the game, in TOML."""


@options.command(
    "reduce",
    "mmsat reduce",
    "mmsat reduce vertex-cover",
    "printf 'p edge 3 2\\ne 1 2\\ne 2 3\\n' > path.col",
    "mmsat reduce vertex-cover path.col -k 1 --explain",
    "mmsat reduce vertex-cover path.col -k 1 | mmsat check -",
)
@problem.optional_name
@problem.optional_source
@problem.numbers
@options.notation
@options.file(
    "-o",
    "--output",
    multiple=True,
    help="Write the board, or draw it: .svg, .png or .graphml.",
)
@click.option("--explain", is_flag=True, help="Explain the board, gadget by gadget.")
@options.file("--draw", hidden=True, help="Older name of -o FILE.svg.")
@options.as_json
def command(
    name: str | None,
    source: str | None,
    *,
    to: str,
    output: tuple[str, ...],
    explain: bool,
    draw: str | None,
    as_json: bool,
    **numbers: int | None,
) -> None:
    """Turn a hard problem into a board that is consistent if and only if it has a solution.

    word-game makes the file of a game and a number of guesses for `mmsat optimal` instead. Without
    NAME, lists the reductions; without SOURCE, describes one. SOURCE is a file in the reduction's
    format, or - for standard input: DIMACS CNF for formulas, DIMACS edges for graphs. NAME may be a
    chain: three-sat+one-in-three+one-in-three-3sat turns any CNF into a board of two colors. `mmsat
    lift` turns a code back into an answer.
    """
    if name is None:
        list_all(as_json=as_json)
    elif source is None:
        print_page(name, as_json=as_json)
    else:
        reduction = problem.reduction(name, source, numbers)
        if isinstance(reduction, GameReduction):
            print_game(
                reduction, [*output, *filter(None, [draw])], to, explain=explain, as_json=as_json
            )
            return
        drawn = [file for file in output if Path(file).suffix in report.SUFFIXES]
        for file in [*drawn, *([] if draw is None else [draw])]:
            draw_to(reduction, Path(file))
        text = PRINTERS[to](reduction.board)
        written = [file for file in output if file not in drawn]
        for file in written:
            write_board(reduction.board, text, file)
        if as_json:
            document: BoardReductionJson = {
                **reduction.to_dict(),
                "board": str(reduction.board),
            }
            print_json(document)
        elif explain:
            print_report(reduction)
        elif not written:
            click.echo(text, nl=False)


def print_game(
    reduction: GameReduction[Any, Any],
    output: Sequence[str],
    to: str,
    *,
    explain: bool,
    as_json: bool,
) -> None:
    """Write the game's file, and print the number of guesses to ask `mmsat optimal` about."""
    if to != "text":
        refuse("--to", "text", to, "a game is a file in TOML")
    for file in output:
        if Path(file).suffix in report.SUFFIXES:
            refuse("-o", "a file .toml", file, "a game has no graph of pegs and rows")
    text = print_definition(reduction.target)
    for file in output:
        atomic_write(file, [text])
    if as_json:
        document: GameFileJson = {**reduction.to_dict(), "game": text}
        print_json(document)
    elif explain:
        print_code = speller(reduction.target).print_code
        words = [[print_code(code), meaning] for code, meaning in reduction.meanings()]
        show(table(["code", "stands for"], words, wrap_width()))
    elif not output:
        click.echo(text, nl=False)
    guesses = quantity(reduction.guesses, "guess")
    say(f"is every code found within {guesses}? mmsat optimal --max-guesses {reduction.guesses}")


def list_all(*, as_json: bool) -> None:
    """Print the table of reductions."""
    if as_json:
        document: ReductionsJson = {"reductions": [describe(kind) for kind in every_kind()]}
        print_json(document)
        return
    rows = [[kind.name, kind.source_kind, kind.title] for kind in every_kind()]
    show(table(["name", "source", "what it does"], rows, wrap_width()))
    show([[]])
    links = [[link.name, link.source_kind, link.title] for link in LINKS.values()]
    show(table(["step of a chain", "source", "what it does"], links, wrap_width()))


def every_kind() -> tuple[type[Reduction[Any, Any]] | type[GameReduction[Any, Any]], ...]:
    """Return all reductions: first reductions to boards, then reductions to games."""
    return (*REDUCTIONS.values(), *GAME_REDUCTIONS.values())


def describe(
    kind: type[Reduction[Any, Any]] | type[GameReduction[Any, Any]],
) -> ReductionKindJson:
    """Return the description of a reduction for JSON."""
    sizes: FormulasJson = {"pegs": kind.formula.pegs, "colors": kind.formula.colors}
    if issubclass(kind, Reduction):
        sizes["rows"] = kind.formula.rows
    else:
        sizes["codes"] = kind.formula.codes
    return {
        "name": kind.name,
        "title": kind.title,
        "theorem": kind.theorem,
        "source": kind.source_kind,
        "parameters": list(kind.parameters),
        "sizes": sizes,
        "target": kind.target_kind,
        "black_only": issubclass(kind, Reduction) and kind.has_black_twin,
    }


def print_page(name: str, *, as_json: bool) -> None:
    """Print the page of one reduction in the catalogue."""
    if problem.is_chain(name):
        refuse("SOURCE", "a file, or - for standard input", None, "a chain has no page")
    if as_json:
        described = describe(problem.find_kind(name))
        described["readme"] = page(name)
        document: ReductionsJson = {"reductions": [described]}
        print_json(document)
    else:
        click.echo(page(name).rstrip())


def draw_to(reduction: Reduction[Any, Any], path: Path) -> None:
    """Draw or export the graph of pegs and rows; the extension of `path` is the format."""
    report.draw(reduction, path)
    say(f"{path}: the graph of pegs and rows")
