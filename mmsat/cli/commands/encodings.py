"""mmsat encodings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mmsat.cli import names, options
from mmsat.cli.output import print_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.encoding.entry import Entry


@click.command(
    "encodings",
    short_help="List the encodings, or all about one.",
    epilog=options.examples("mmsat encodings", "mmsat encodings totalizer"),
)
@click.argument("name", type=names.Name("encoding", names.catalogue), required=False)
@options.as_json
def command(name: str | None, *, as_json: bool) -> None:
    """List the catalogue of encodings, or all about one of them."""
    from mmsat.encoding.entry import entries, load  # noqa: PLC0415

    if name is not None:
        entry = load(name)
        if as_json:
            print_json({"encodings": [entry.to_dict() | {"readme": entry.readme}]})
        else:
            print_one(entry)
    elif as_json:
        print_json({"encodings": [entry.to_dict() for entry in entries()]})
    else:
        print_all(entries())


def print_all(entries: Sequence[Entry]) -> None:
    """Print a table."""
    from mmsat.render.table import table  # noqa: PLC0415
    from mmsat.render.terminal import show, wrap_width  # noqa: PLC0415

    rows = [[each.name, each.kind, each.propagation, each.summary] for each in entries]
    show(table(["name", "kind", "propagation", "what it does"], rows, wrap_width()))


def print_one(entry: Entry) -> None:
    """Print all about one."""
    from mmsat.render.table import fields  # noqa: PLC0415
    from mmsat.render.terminal import show, wrap_width  # noqa: PLC0415

    known = {
        "name": entry.name,
        "title": f"{entry.title} ({entry.year})",
        "source": entry.source,
        "kind": entry.kind,
        "propagation": entry.propagation,
        **entry.size,
    }
    show(fields(known, wrap_width()))
    click.echo(f"\n{entry.readme.rstrip()}")
