"""The command `mmsat reductions`."""

from typing import Annotated, NotRequired, TypedDict

import click

from mmsat._util.json_types import NonEmpty, Schema
from mmsat._util.plugins import PluginJson
from mmsat.cli import options, plugins, problem
from mmsat.cli.output import print_json
from mmsat.cli.parameters import misuse
from mmsat.reductions.formula_links import LINKS
from mmsat.reductions.reduce import GAME_REDUCTIONS, REDUCTIONS, page
from mmsat.reductions.reduction import Reduction, ReductionName
from mmsat.render.terminal import show_gap, show_table

ReductionClass = problem.ReductionClass


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
    """Reductions."""

    reductions: Annotated[list[ReductionKindJson], Schema(minItems=1)]
    plugins: NotRequired[list[PluginJson]]
    """The plug-ins; missing if there are none."""


@options.command("reductions", "mmsat reductions", "mmsat reductions vertex-cover")
@click.argument("name", type=problem.REDUCTION_NAME, required=False)
@options.as_json
def command(name: str | None, *, as_json: bool) -> None:
    """List the reductions of hard problems to boards, or describe one.

    The page of a reduction has its theorem, the proof, the exact sizes and an example.
    """
    if name is not None and problem.is_chain(name):
        misuse(
            f"{name} is a chain. Pages describe single reductions; `mmsat reductions` lists them."
        )
    found = plugins.installed(REDUCTIONS) if name is None else plugins.find(REDUCTIONS, name)
    kinds: list[ReductionClass] = [*REDUCTIONS.values(), *GAME_REDUCTIONS.values()]
    if name is None and as_json:
        print_document([describe(kind) for kind in kinds], found)
    elif name is None:
        print_all(kinds)
        plugins.show_all(found)
    elif as_json:
        described = describe(problem.find_class(name))
        described["readme"] = page(name)
        print_document([described], found)
    else:
        click.echo(page(name).rstrip())


def print_document(reductions: list[ReductionKindJson], found: list[PluginJson]) -> None:
    """Print descriptions of reductions as JSON."""
    document: ReductionsJson = {"reductions": reductions}
    if found:
        document["plugins"] = found
    print_json(document)


def print_all(kinds: list[ReductionClass]) -> None:
    """Print a table of the reductions and one of the links of chains."""
    rows = [[kind.name, kind.source_kind, kind.title] for kind in kinds]
    show_table(["name", "source", "what it does"], rows)
    show_gap()
    links = [[link.name, link.source_kind, link.title] for link in LINKS.values()]
    show_table(["link of a chain", "source", "what it does"], links)


def describe(kind: ReductionClass) -> ReductionKindJson:
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
