"""Optimal strategies: the total of each game, and the time of its proof.

Processor time of one core after start-up; below one second, the minimum of three runs. New results
are added to results/optimal/totals.csv, and the table in mmsat/strategy/optimal/README.md is
updated.

    python -m benchmarks strategy optimal [GAME [OPTION ...]]

Without a game, all requests of PLAN that take seconds; OPTION as for `mmsat optimal`.
"""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.timing import report
from mmsat._util.files import atomic_write
from mmsat.game.names import find_game
from mmsat.strategy.optimal import AnswerTable
from mmsat.strategy.optimal.search import Search
from mmsat.strategy.tree import print_tree, replay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.strategy.optimal.search import Optimum

TOTALS = Path(__file__).parents[1] / "results" / "optimal" / "totals.csv"
PAGE = Path(__file__).parents[2] / "mmsat" / "strategy" / "optimal" / "README.md"
BEGIN, END = "<!-- totals -->", "<!-- end of totals -->"
TREES = PAGE.parent / "trees"
LONG = 10.0
"""Seconds from which the tree of a strategy is kept."""

PLAN = (
    *(f"2x{colors}" for colors in range(2, 11)),
    *(f"3x{colors}" for colors in range(2, 13)),
    *(f"4x{colors}" for colors in range(2, 9)),
    *(f"5x{colors}" for colors in range(2, 6)),
    *(f"6x{colors}" for colors in range(2, 4)),
    "7x2",
    "8x2",
    *(f"2x{colors}b" for colors in range(2, 7)),
    *(f"3x{colors}b" for colors in range(2, 7)),
    *(f"4x{colors}b" for colors in range(2, 6)),
    *(f"{pegs}x2b" for pegs in range(5, 9)),
    "5x3b",
    *(f"3x{colors}d" for colors in range(3, 11)),
    *(f"4x{colors}d" for colors in range(4, 11)),
    *(f"5x{colors}d" for colors in range(5, 8)),
    "3x5 --consistent-only",
    "4x4 --consistent-only",
    "4x5 --consistent-only",
    "4x6 --consistent-only",
    "4x7 --consistent-only",
    "5x4 --consistent-only",
    "4x6 --max-guesses 5",
)
PEER = {"4x6": 0.13, "4x7": 23.5, "4x8": 193.0, "4x10d": 159.0, "5x4": 0.20, "3x10": 5.3}
"""Seconds of mmstrat, the quickest C++ solver that we know: measured once, on another machine of
the same kind."""


class Row(NamedTuple):
    """One line of the file: a request and its results."""

    request: str
    codes: int
    total: int
    most: int
    seconds: float
    sets: int
    hash_error_bound: float | None
    """None in rows that were measured before the bound was counted."""


def main(requests: Sequence[str] = PLAN) -> None:
    """Search, print and keep."""
    rows = [measure_request(request) for request in requests]
    known_values = {row.request: row for row in load_totals()} | {row.request: row for row in rows}
    keep(sorted(known_values.values(), key=place))
    report(
        "Optimal strategies: total, processor time, sets looked at",
        [(row.request, f"{row.total:9,} {row.seconds:9.3f} s {row.sets:11,}") for row in rows],
    )


def measure_request(request: str) -> Row:
    """Search, and search again where it is quick."""
    AnswerTable.of(find_game("2x2"))  # loads what there is to load
    runs = [search_once(request)]
    while len(runs) < 3 and runs[0][1] < 1:
        runs.append(search_once(request))
    result, _ = runs[0]
    seconds = min(spent for _, spent in runs)
    if not result.is_proven or result.analysis is None:
        raise AssertionError(request)
    if seconds > LONG:
        keep_tree(request, result)
    played = result.analysis
    return Row(
        request,
        played.codes,
        played.total,
        played.max,
        round(seconds, 3),
        result.sets,
        result.hash_error_bound,
    )


def search_once(request: str) -> tuple[Optimum, float]:
    """One search, and its processor time."""
    name, *options = request.split()
    started = process_time()
    search = Search(
        find_game(name),
        max_guesses=int(options[1]) if "--max-guesses" in options else None,
        consistent_only="--consistent-only" in options,
        jobs=1,
    )
    search.run()
    return search.result, process_time() - started


def keep_tree(request: str, optimum: Optimum) -> None:
    """Pack a tree that took long."""
    assert optimum.tree is not None  # noqa: S101
    assert sum(replay(optimum.tree).values()) == optimum.total  # noqa: S101
    TREES.mkdir(exist_ok=True)
    text = json.dumps(json.loads(print_tree(optimum.tree)), separators=(",", ":"))
    file = TREES / f"{request.replace(' ', '')}.json.gz"
    file.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def place(row: Row) -> tuple[bool, bool, bool, int, int, str]:
    """Games with repeats first, then those without and those of black pegs, by size."""
    name, _, options = row.request.partition(" ")
    size = name.rstrip("bd")
    pegs, _, colors = size.partition("x")
    is_kind = name != size, not name.endswith("d")
    return bool(options), *is_kind, int(pegs), int(colors), options


def load_totals() -> list[Row]:
    """Return the rows of the file."""
    if not TOTALS.exists():
        return []
    with TOTALS.open(encoding="utf-8", newline="") as file:
        return [
            Row(
                row["request"],
                int(row["codes"]),
                int(row["total"]),
                int(row["most"]),
                float(row["seconds"]),
                int(row["sets"]),
                float(row["hash_error_bound"]) if row["hash_error_bound"] else None,
            )
            for row in csv.DictReader(file)
        ]


def keep(rows: Sequence[Row]) -> None:
    """Write the file and the table of the page."""
    TOTALS.parent.mkdir(exist_ok=True)
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    lines = [",".join(row) for row in (Row._fields, *cells)]
    atomic_write(TOTALS, [line + "\n" for line in lines])
    before, _, remainder = PAGE.read_text("utf-8").partition(BEGIN)
    _, _, after = remainder.partition(END)
    atomic_write(PAGE, [before, BEGIN, "\n", table(rows), END, after])


def table(rows: Sequence[Row]) -> str:
    """The table of all totals, in Markdown."""
    lines = [
        "| game | codes | least total | average | most | seconds | sets | collision | mmstrat |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        peer = PEER.get(row.request)
        beside = f"{peer} ({peer / row.seconds:.0f} times)" if peer else ""
        chance = "" if row.hash_error_bound is None else f"{row.hash_error_bound:.0e}"
        lines.append(
            f"| `{row.request}` | {row.codes:,} | {row.total:,} | {row.total / row.codes:.4f} | "
            f"{row.most} | {row.seconds:.3f} | {row.sets:,} | {chance} | {beside} |"
        )
    return "\n".join(lines) + "\n"
