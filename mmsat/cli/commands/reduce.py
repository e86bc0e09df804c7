"""mmsat reduce."""

from pathlib import Path
from typing import Any

import click

from mmsat.board import PRINTERS
from mmsat.cli import options, problem
from mmsat.cli.output import print_json, say, write_board
from mmsat.cli.parameters import refuse
from mmsat.reductions.formula_links import LINKS
from mmsat.reductions.reduce import REDUCTIONS, page
from mmsat.reductions.reduction import Reduction
from mmsat.render import gadgets
from mmsat.render.reports import print_report
from mmsat.render.table import table
from mmsat.render.terminal import show, wrap_width

EPILOG = options.examples(
    "mmsat reduce",
    "mmsat reduce vertex-cover",
    "printf 'p edge 3 2\\ne 1 2\\ne 2 3\\n' > path.col",
    "mmsat reduce vertex-cover path.col -k 1 --explain",
    "mmsat reduce vertex-cover path.col -k 1 | mmsat check -",
)


@click.command("reduce", short_help="Turn a hard problem into a board.", epilog=EPILOG)
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
@options.file("--draw", hidden=True, help="The older name of -o FILE.svg.")
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
    """Turn a hard problem into a board, which is consistent just when the problem has an answer.

    Without NAME lists the reductions; without SOURCE tells all about one. SOURCE is a file in the
    reduction's format, or - for standard input: DIMACS CNF for formulas, DIMACS edges for graphs.
    NAME may be a chain: three-sat+one-in-three+one-in-three-3sat takes any CNF to a board of two
    colors. `mmsat lift` carries a code back to an answer.
    """
    if name is None:
        list_all(as_json=as_json)
    elif source is None:
        print_page(name, as_json=as_json)
    else:
        reduction = problem.reduction(name, source, numbers)
        drawn = [file for file in output if Path(file).suffix in gadgets.SUFFIXES]
        for file in [*drawn, *([] if draw is None else [draw])]:
            draw_to(reduction, Path(file))
        text = PRINTERS[to](reduction.board)
        written = [file for file in output if file not in drawn]
        for file in written:
            write_board(reduction.board, text, file)
        if as_json:
            print_json(reduction.to_dict() | {"board": str(reduction.board)})
        elif explain:
            print_report(reduction)
        elif not written:
            click.echo(text, nl=False)


def list_all(*, as_json: bool) -> None:
    """Print the table of reductions."""
    if as_json:
        print_json({"reductions": [describe(kind) for kind in REDUCTIONS.values()]})
        return
    rows = [[kind.name, kind.source_kind, kind.title] for kind in REDUCTIONS.values()]
    show(table(["name", "source", "what it does"], rows, wrap_width()))
    show([[]])
    links = [[link.name, link.source_kind, link.title] for link in LINKS.values()]
    show(table(["step of a chain", "source", "what it does"], links, wrap_width()))


def describe(kind: type[Reduction[Any, Any]]) -> dict[str, Any]:
    """One reduction for JSON."""
    return {
        "name": kind.name,
        "title": kind.title,
        "theorem": kind.theorem,
        "source": kind.source_kind,
        "parameters": list(kind.parameters),
        "sizes": kind.formula._asdict(),
        "black_only": kind.has_black_twin,
    }


def print_page(name: str, *, as_json: bool) -> None:
    """Print all about one reduction: its page in the catalogue."""
    if problem.LINK in name:
        refuse("SOURCE", "a file, or - for standard input", None, "a chain has no page")
    if as_json:
        print_json({"reductions": [describe(REDUCTIONS[name]) | {"readme": page(name)}]})
    else:
        click.echo(page(name).rstrip())


def draw_to(reduction: Reduction[Any, Any], path: Path) -> None:
    """Draw the graph of pegs and rows, or export it."""
    gadgets.draw(reduction, path)
    say(f"{path}: the graph of pegs and rows")
