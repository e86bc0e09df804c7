"""The command `mmsat encodings`."""

from collections.abc import Sequence
from typing import NotRequired, TypedDict

import click

from mmsat._util.plugins import PluginJson
from mmsat.cli import options, plugins
from mmsat.cli.output import print_json
from mmsat.cli.parameters import Name
from mmsat.encoding.catalogue import Entry, EntryJson, entries, load, names
from mmsat.encoding.encodings import ENCODINGS
from mmsat.render.terminal import show_fields, show_table
from mmsat.solving import ENGINES, SPECIAL


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
def command(name: str | None, *, as_json: bool) -> None:
    """List the encodings and the engines, or describe one encoding.

    Encodings turn the rows of a board into clauses (`mmsat encode --encoding`); engines decide
    boards (`mmsat check --engine`).
    """
    document: EncodingsJson
    found = plugins.find(ENCODINGS, name) if name not in names() else []
    if name is None:
        found = plugins.installed(ENCODINGS) + plugins.installed(ENGINES)
    if name is not None and found:
        if as_json:
            document = {"encodings": [], "plugins": found}
            print_json(document)
        else:
            plugins.show_one(found)
    elif name is not None:
        entry = load(name)
        if as_json:
            described = entry.to_dict()
            described["readme"] = entry.readme
            document = {"encodings": [described]}
            print_json(document)
        else:
            print_one(entry)
    elif as_json:
        document = {
            "encodings": [entry.to_dict() for entry in entries()],
            "engines": [{"name": name, "summary": summary} for name, summary in engine_summaries()],
        }
        if found:
            document["plugins"] = found
        print_json(document)
    else:
        print_all(entries())
        plugins.show_all(found)


def engine_summaries() -> list[tuple[str, str]]:
    """Return the name and the summary of each engine."""
    return [(name, engines[name].summary) for engines in (ENGINES, SPECIAL) for name in engines]


def print_all(encodings: Sequence[Entry]) -> None:
    """Print a table of encodings and one of engines."""
    rows = [[entry.name, entry.kind, entry.propagation, entry.summary] for entry in encodings]
    show_table(["name", "kind", "propagation", "what it does"], rows)
    click.echo()
    show_table(["engine", "what it does"], [list(engine) for engine in engine_summaries()])


def print_one(entry: Entry) -> None:
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
    click.echo(f"\n{entry.readme.rstrip()}")
