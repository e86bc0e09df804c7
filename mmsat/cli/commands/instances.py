"""The command `mmsat instances`."""

from collections.abc import Sequence
from typing import Annotated, Any, TypedDict

import click

from mmsat._util.json_types import BoardLine, Digits, Schema, VerdictName
from mmsat.cli import options
from mmsat.cli.output import print_json
from mmsat.cli.parameters import Name, refuse_with
from mmsat.diagnosis.verdict import ChangeJson
from mmsat.game.library import Instance, families, find, instances
from mmsat.render.terminal import show_board, show_fields, show_gap, show_table


class InstanceJson(TypedDict):
    """A board of the library."""

    name: str
    """FAMILY/NAME."""
    family: str
    title: str
    """Description in one line."""
    source: str
    """Origin, such as a publication."""
    board: BoardLine
    verdict: VerdictName
    count: Digits | None
    """Number of consistent codes; null if it is not known."""
    secret: str | None
    """The secret code in the notation of the source."""
    slips: list[ChangeJson]
    """The wrong scores, in boards that are examples of wrong scores."""
    generator: str
    """The command that makes the board, or `by hand`."""
    seed: int | None
    sha256: Annotated[str, Schema(pattern="^[0-9a-f]{64}$")]
    """Hash of the board line."""
    note: str


class InstancesJson(TypedDict):
    """Boards of the library."""

    instances: list[InstanceJson]


class InstanceName(Name):
    """The name of a family or a board of the library."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name unchecked; the library raises InputError if it is unknown."""
        return str(value)


def instance_names() -> list[str]:
    """Return the names of the families and boards of the library."""
    return [*families(), *(instance.name for instance in instances())]


@options.command(
    "instances",
    "mmsat instances",
    "mmsat instances classic/knuth-1122-0.2",
    "mmsat instances classic/knuth-1122-0.2 --line",
)
@click.argument("name", type=InstanceName("instance", instance_names), required=False)
@options.as_json
@click.option("--line", "as_line", is_flag=True, help="Print only board lines.")
def command(name: str | None, *, as_json: bool, as_line: bool) -> None:
    """List the library of boards, or describe one board.

    NAME is a family, whose boards are listed, or FAMILY/NAME.
    """
    if as_line:
        refuse_with("--line", ["--json"] if as_json else [])
    if name is None or name in families():
        selected: Sequence[Instance] = instances(name)
        is_single = False
    else:
        selected = [find(name)]
        is_single = True
    if as_json:
        document: InstancesJson = {"instances": [as_dict(instance) for instance in selected]}
        print_json(document)
    elif as_line:
        for instance in selected:
            click.echo(str(instance.board))
    elif is_single:
        print_one(selected[0])
    else:
        print_all(selected)


def as_dict(instance: Instance) -> InstanceJson:
    """Return the description of a board for JSON.

    The count is a string, because it can be huge. Rows are numbered from 1.
    """
    to_json = instance.board.game.scoring.to_json
    return {
        "name": instance.name,
        "family": instance.family,
        "title": instance.title,
        "source": instance.source,
        "board": str(instance.board),
        "verdict": instance.verdict,
        "count": None if instance.count is None else str(instance.count),
        "secret": instance.secret,
        "slips": [
            {"row": slip.row + 1, "from": to_json(slip.before), "to": to_json(slip.after)}
            for slip in instance.slips
        ],
        "generator": instance.generator,
        "seed": instance.seed,
        "sha256": instance.sha256,
        "note": instance.note,
    }


def print_all(selected: Sequence[Instance]) -> None:
    """Print a table of boards."""
    rows = [
        [entry.name, entry.verdict, "" if entry.count is None else f"{entry.count:,}", entry.title]
        for entry in selected
    ]
    show_table(["name", "verdict", "codes", "title"], rows, (2,))


def print_one(instance: Instance) -> None:
    """Print a board and all facts about it."""
    board = instance.board
    print_score = board.game.scoring.describe
    slips = [
        f"row {slip.row + 1}: {print_score(slip.before)}, should be {print_score(slip.after)}"
        for slip in instance.slips
    ]
    facts = {
        "name": instance.name,
        "title": instance.title,
        "source": instance.source,
        "verdict": instance.verdict,
        "codes": "" if instance.count is None else f"{instance.count:,}",
        "secret": instance.secret or "",
        "slips": "; ".join(slips),
        "origin": instance.generator,
        "seed": "" if instance.seed is None else str(instance.seed),
        "note": instance.note,
        "board": str(board),
    }
    show_fields(facts)
    show_gap()
    show_board(board, changes={slip.row: slip.after for slip in instance.slips})
