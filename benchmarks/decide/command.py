"""The command line of the comparison."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.decide.cactus import cactus
from benchmarks.decide.machine import machine
from benchmarks.decide.rivals import chosen, require
from benchmarks.decide.run import Study, agree, study, table_in
from benchmarks.decide.suite import suite
from benchmarks.decide.table import page
from mmsat.errors import Fault, InputError, MissingError, MmsatError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.decide.instance import Instance
    from benchmarks.decide.rivals import Rival

FOLDER = Path(__file__).parents[1] / "results" / "decide"


def command(words: Sequence[str]) -> int:
    """Run missing measurements and summarize all of them. Return 0, or 2 for invalid options."""
    options = parser().parse_args(words)
    try:
        instances = picked(options.family)
        rivals = [entry for entry in chosen(options.rival) if options.draw or is_there(entry)]
        asked = Study(instances, rivals, options.limit)
    except MmsatError as error:
        tell(str(error))
        return 2
    options.output.mkdir(parents=True, exist_ok=True)
    try:
        if not options.draw:
            study(options.output, asked, tell)
    except KeyboardInterrupt:
        tell("interrupted; the same command resumes here")
    if not options.draw:
        measured = {line["rival"] for line in table_in(options.output)}
        everyone = [entry for entry in chosen([]) if entry.name in measured and is_there(entry)]
        (options.output / "machine.txt").write_text(machine(everyone), encoding="utf-8")
    for path in draw(options.output, options.limit):
        print(path)
    return 0


def parser() -> argparse.ArgumentParser:
    """The options."""
    created = argparse.ArgumentParser(prog="python -m benchmarks decide", description=__doc__)
    created.add_argument("--limit", type=float, default=10.0, help="seconds for each run [10]")
    created.add_argument("--family", action="append", default=[], help="of the suite; else all")
    created.add_argument("--rival", action="append", default=[], help="or a group; else all")
    created.add_argument("--draw", action="store_true", help="no runs, the table and figure only")
    created.add_argument("-o", "--output", type=Path, default=FOLDER, help="the folder of results")
    return created


def picked(families: Sequence[str]) -> list[Instance]:
    """The instances of some families, or of all; raises InputError for an unknown one."""
    instances = suite()
    known_values = list(dict.fromkeys(instance.family for instance in instances))
    faults = [
        Fault("no family has this name", name, ", ".join(known_values))
        for name in families
        if name not in known_values
    ]
    if faults:
        raise InputError(faults, "the options")
    return [instance for instance in instances if not families or instance.family in families]


def is_there(rival: Rival) -> bool:
    """Return whether a rival is installed, and print a note if not."""
    try:
        require(rival)
    except MissingError as error:
        tell(f"{rival.name} does not take part: {error}")
        return False
    return True


def draw(folder: Path, limit: float) -> list[Path]:
    """Sum up and draw the measurements of a folder at one limit."""
    instances = suite()
    lines = [line for line in table_in(folder) if float(line["limit"]) == limit]
    if not lines:
        return []
    agree(lines, instances)
    text = folder / "table.md"
    text.write_text(page(lines, limit), encoding="utf-8")
    return [text, *cactus(lines, limit, folder)]


def tell(text: str) -> None:
    """Print a progress message to standard error."""
    print(text, file=sys.stderr, flush=True)
