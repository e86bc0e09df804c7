"""The four operations that work on many boards or games, on small inputs.

Each function returns the output of an operation with the given executor, which may use `folder`.
"""

from __future__ import annotations

import json

import mmsat
from mmsat.studies import Record
from mmsat.studies.study import Request, study_growth, study_transition


def audit(folder, executor):
    folder.mkdir()
    log = folder.parent / "log.jsonl"
    if not log.exists():
        log.write_text("".join(mmsat.generate_log("4x6", 120, 0.2, 1)), "utf-8")
    mmsat.audit([str(log)], str(folder / "records.csv"), executor=executor, chunk=7)
    return (folder / "records.csv").read_bytes()


def hardness(folder, executor):
    """Return the record without the machine and measured seconds."""
    folder.mkdir()
    record = Record(folder / "boards.jsonl")
    for part in (study_transition, study_growth):
        part(record, Request(("six-colors",), boards=4, max_size=8), executor, lambda *_: None)
    return [
        {
            name: entry
            for name, entry in chunk.items()
            if not name.endswith(("seconds", "auto", "on"))
        }
        for chunk in record.chunks.values()
    ]


def generate(folder, executor):
    del folder
    log = mmsat.generate_log("4x6", 500, 0.2, 3, executor=executor)
    boards = mmsat.generate_many("six-colors", 40, 8, seed=5, executor=executor)
    return [*log, *boards]


def analyze(folder, executor):
    del folder
    analysis = mmsat.analyze("4x6", "any-consistent", sample=60, seed=4, executor=executor)
    return json.dumps(analysis.to_dict()), analysis.games


BULK = {"audit": audit, "hardness": hardness, "generate": generate, "analyze": analyze}
