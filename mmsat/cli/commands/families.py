"""The command `mmsat families`."""

from typing import Annotated, TypedDict

import click

from mmsat._util.json_types import Positive, Schema
from mmsat.cli import options
from mmsat.cli.output import print_json
from mmsat.cli.parameters import Name
from mmsat.reductions.families import FAMILIES, AnswerName, Family
from mmsat.render.terminal import show_fields, show_table


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
def command(name: str | None, *, as_json: bool) -> None:
    """List the families of boards that `mmsat generate` makes, or describe one."""
    if as_json:
        families = [*FAMILIES.values()] if name is None else [FAMILIES[name]]
        document: FamiliesJson = {"families": [describe(family) for family in families]}
        print_json(document)
    elif name is not None:
        print_one(FAMILIES[name])
    else:
        rows = [
            [family.name, str(family.size), family.unit, ", ".join(family.answers), family.summary]
            for family in FAMILIES.values()
        ]
        show_table(["family", "size", "of", "answers", "what it is"], rows, (1,))


def print_one(family: Family) -> None:
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


def describe(family: Family) -> FamilyJson:
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
