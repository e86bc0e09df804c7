"""Run every rival on every instance; existing measurements are kept.

Sizes of a series ascend. A rival that failed at two neighboring sizes of a series is not run on
larger ones. A contradiction between two answers, or between an answer and the known status, is a
fatal error, and so is a code that does not have the scores of the board.
"""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.decide.measure import measure
from benchmarks.decide.rivals import AUTO
from benchmarks.decide.suite import board_of
from benchmarks.table import Table
from mmsat.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from benchmarks.decide.instance import Instance
    from benchmarks.decide.measure import Run
    from benchmarks.decide.rivals import Rival
    from benchmarks.table import Record
    from mmsat.game.board import Board

NAME = "runs.csv"
KEYS = ("instance", "rival", "limit")
COLUMNS = (
    *KEYS,
    "family",
    "kind",
    "series",
    "size",
    "pegs",
    "colors",
    "rows",
    "outcome",
    "status",
    "engine",
    "seconds",
    "mib",
    "note",
    "decided",
)
NOT_ASKED = "not asked"
PATIENCE = 2
"""Number of consecutive failures in a series after which a rival is not run on larger sizes."""
NOTE = 120
"""Characters of a complaint that are kept."""


class Study(NamedTuple):
    """The requested measurements."""

    instances: Sequence[Instance]
    rivals: Sequence[Rival]
    limit: float
    """Seconds for each run."""


def table_in(folder: Path) -> Table:
    """The measurements of a folder."""
    return Table(folder / NAME, COLUMNS, len(KEYS))


def study(folder: Path, asked: Study, tell: Callable[[str], None]) -> Table:
    """Measure all that is missing in the folder's table."""
    table = table_in(folder)
    agree(table, asked.instances)
    for number, instance in enumerate(asked.instances, 1):
        missing = [
            entry
            for entry in asked.rivals
            if not table.find(instance.name, entry.name, asked.limit)
        ]
        if not missing:
            continue
        tell(f"{number} of {len(asked.instances)}: {instance.name}")
        board = board_of(instance)
        with TemporaryDirectory(prefix="mmsat-decide-") as place:
            file = Path(place) / "board.pickle"
            file.write_bytes(pickle.dumps(board))
            for rival in missing:
                values = _about(instance, board) | {"rival": rival.name, "limit": asked.limit}
                if is_hopeless(table, asked, instance, rival):
                    result = _result(NOT_ASKED)
                else:
                    result = run(instance, board, rival, file, asked.limit)
                line = table.add(values | result)
                agree(table, [instance])
                tell(f"  {rival.name:<28} {line['outcome']:<9} {line['seconds']:>8}")
    return table


def _about(instance: Instance, board: Board) -> dict[str, object]:
    game = board.game
    return {
        "instance": instance.name,
        "family": instance.family,
        "kind": instance.kind,
        "series": instance.series,
        "size": instance.size,
        "pegs": game.pegs,
        "colors": game.colors,
        "rows": len(board.rows),
    }


def _result(
    outcome: str, status: str = "unknown", done: Run | None = None, engine: str = ""
) -> dict[str, object]:
    return {
        "outcome": outcome,
        "status": status,
        "engine": engine,
        "seconds": f"{done.seconds:.3f}" if done else None,
        "mib": f"{done.mib:.0f}" if done else None,
        "note": done.note[:NOTE] if done else None,
        "decided": int(status != "unknown"),
    }


def run(
    instance: Instance, board: Board, rival: Rival, file: Path, limit: float
) -> dict[str, object]:
    """One rival on one board; raises InternalError for a code that does not score like it."""
    with TemporaryDirectory(prefix="mmsat-decide-") as place:
        words = (rival.name, str(file), place, str(limit))
        done = measure([sys.executable, "-m", "benchmarks.decide.one", *words], limit)
    if done.outcome != "ended":
        return _result(done.outcome, done=done)
    answer = json.loads(done.output)
    status, code = answer["status"], answer["code"]
    if status == "consistent" and not board.is_consistent(tuple(code)):
        raise InternalError(
            f"{rival.name} answered {code}, which does not score like {instance.name}"
        )
    done = done._replace(mib=max(done.mib, answer["kib"] / 1024))
    outcome = "failed" if status == "unknown" else "decided"
    return _result(outcome, status, done, answer["engine"])


def is_hopeless(table: Table, asked: Study, instance: Instance, rival: Rival) -> bool:
    """Return whether a rival failed at the last two sizes of the series. `auto` is always run."""
    smaller = [
        entry.name
        for entry in asked.instances
        if entry.series == instance.series and entry.size < instance.size
    ]
    lines = [table.find(name, rival.name, asked.limit) for name in smaller[-PATIENCE:]]
    failed = [line for line in lines if line and line["decided"] == "0"]
    return rival.name != AUTO and len(failed) == PATIENCE


def agree(lines: Iterable[Record], instances: Iterable[Instance]) -> None:
    """Raise InternalError if answers contradict each other or the known status."""
    texts: dict[str, dict[str, list[str]]] = {
        instance.name: {instance.known: ["construction"]} for instance in instances
    }
    for line in lines:
        if line["instance"] in texts:
            who = texts[line["instance"]].setdefault(line["status"], [])
            who.append(line["rival"])
    for name, by_status in texts.items():
        by_status.pop("unknown", None)
        if len(by_status) > 1:
            text = "; ".join(
                f"{status} say {', '.join(dict.fromkeys(who))}" for status, who in by_status.items()
            )
            raise InternalError(f"a contradiction on {name}: {text}")
