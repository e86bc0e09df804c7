"""The command `mmsat reductions`."""

from typing import Any

import click

from mmsat.cli import options, problem
from mmsat.cli.output import print_json
from mmsat.cli.parameters import misuse
from mmsat.reductions.formula_links import LINKS
from mmsat.reductions.reduce import GAME_REDUCTIONS, REDUCTIONS, page
from mmsat.reductions.reduction import Reduction
from mmsat.render.terminal import show_gap, show_table

Kind = problem.Kind


@options.command("reductions", "mmsat reductions", "mmsat reductions vertex-cover")
@click.argument("name", type=problem.NAME, required=False)
@options.as_json
def command(name: str | None, *, as_json: bool) -> None:
    """List the reductions of hard problems to boards, or describe one.

    The page of a reduction has its theorem, the proof, the exact sizes and an example.
    """
    if name is not None and problem.is_chain(name):
        misuse(
            f"{name} is a chain. Pages describe single reductions; `mmsat reductions` lists them."
        )
    kinds: list[Kind] = [*REDUCTIONS.values(), *GAME_REDUCTIONS.values()]
    if name is None and as_json:
        print_json({"reductions": [describe(kind) for kind in kinds]})
    elif name is None:
        print_all(kinds)
    elif as_json:
        print_json({"reductions": [describe(problem.find_kind(name)) | {"readme": page(name)}]})
    else:
        click.echo(page(name).rstrip())


def print_all(kinds: list[Kind]) -> None:
    """Print a table of the reductions and one of the parts of chains."""
    rows = [[kind.name, kind.source_kind, kind.title] for kind in kinds]
    show_table(["name", "source", "what it does"], rows)
    show_gap()
    links = [[link.name, link.source_kind, link.title] for link in LINKS.values()]
    show_table(["step of a chain", "source", "what it does"], links)


def describe(kind: Kind) -> dict[str, Any]:
    """Return the description of a reduction for JSON."""
    return {
        "name": kind.name,
        "title": kind.title,
        "theorem": kind.theorem,
        "source": kind.source_kind,
        "parameters": list(kind.parameters),
        "sizes": kind.formula._asdict(),
        "target": kind.target_kind,
        "black_only": issubclass(kind, Reduction) and kind.has_black_twin,
    }
