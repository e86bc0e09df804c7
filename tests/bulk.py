"""The four things that are done in bulk, small: what each writes or tells, by whom it is done."""

from __future__ import annotations

import csv
import json

import mmsat
from mmsat.studies import growth, transition


def audit(folder, executor):
    folder.mkdir()
    log = folder.parent / "log.jsonl"
    if not log.exists():
        log.write_text("".join(mmsat.generate_log("4x6", 120, 0.2, 1)), "utf-8")
    mmsat.audit([str(log)], str(folder / "told.csv"), executor=executor, chunk=7)
    return (folder / "told.csv").read_bytes()


def hardness(folder, executor):
    """The tables but for the seconds, which are measured."""
    folder.mkdir()
    settings = {"seconds": 60.0, "seed": 2, "on_progress": str, "executor": executor}
    transition.study(folder, boards=2, sizes={"six-colors": (4,)}, **settings)
    grown = growth.study(folder, ["lies"], boards=1, steps=2, **settings)
    with grown.path.open(encoding="utf-8", newline="") as file:
        lines = [{**line, "seconds": "", "engine": ""} for line in csv.DictReader(file)]
    return lines, (folder / transition.NAME).read_bytes()


def generate(folder, executor):
    del folder
    log = mmsat.generate_log("4x6", 500, 0.2, 3, executor=executor)
    boards = mmsat.generate_many("six-colors", 40, 8, seed=5, executor=executor)
    return [*log, *boards]


def analyze(folder, executor):
    del folder
    found = mmsat.analyze("4x6", "any-consistent", sample=60, seed=4, executor=executor)
    return json.dumps(found.to_dict()), found.games


BULK = {"audit": audit, "hardness": hardness, "generate": generate, "analyze": analyze}
