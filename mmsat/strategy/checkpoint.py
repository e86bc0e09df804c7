"""What a search has found, in a file: a search that was killed goes on from there.

`{"mmsat-checkpoint": 2, "request": {...}, "stages": {"average": [[KEY, KEY, TOTAL, EXACT], ...]},
"hash_error_bound": NUMBER, "sum": "..."}`: for each set of codes that took much work its key (two
numbers in hexadecimal), its least total, and whether that is exact or a lower bound. The other
number is an upper bound of the probability that a hash collision made one of them wrong. Only the
sum is checked: the strategy is played again by the plain scorer, but the proof of its bound rests
on these numbers.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mmsat.errors import InputError
from mmsat.files import StrPath, atomic_write

VERSION = 2

Finding = tuple[int, int, int, bool]


class Checkpoint:
    """The findings of a request, by stage, kept in a file."""

    def __init__(self, request: Mapping[str, Any], file: StrPath) -> None:
        """Read the file, if there is one; raises InputError if it is no checkpoint of the request.

        A file that is not there is made when the first findings are saved.
        """
        self.request = dict(request)
        self.file = Path(file)
        self.stages: dict[str, list[Finding]] = {}
        self.hash_error_bound = 0.0
        if not self.file.parent.is_dir():
            self._refuse("the checkpoint lies in a folder that exists", "another place")
        if self.file.exists():
            self._read()

    def findings(self, stage: str) -> list[Finding]:
        """What is known of a stage of the search."""
        return self.stages.get(stage, [])

    def add(self, stage: str, findings: list[Finding]) -> None:
        """Keep more of it."""
        self.stages.setdefault(stage, []).extend(findings)

    def save(self) -> None:
        """Write the file whole, in place of the old one."""
        stages = {
            name: [
                [f"{one:x}", f"{other:x}", total, exact] for one, other, total, exact in findings
            ]
            for name, findings in self.stages.items()
        }
        document = {
            "mmsat-checkpoint": VERSION,
            "request": self.request,
            "stages": stages,
            "hash_error_bound": self.hash_error_bound,
            "sum": _sum([stages, self.hash_error_bound]),
        }
        atomic_write(self.file, [json.dumps(document), "\n"])

    def _read(self) -> None:
        try:
            document = json.loads(self.file.read_text("utf-8"))
            stages = document["stages"]
            version, request = document["mmsat-checkpoint"], document["request"]
            kept = stages
            if version == VERSION:
                self.hash_error_bound = float(document["hash_error_bound"])
                kept = [stages, self.hash_error_bound]
            if document["sum"] != _sum(kept) or not isinstance(request, dict):
                raise ValueError  # noqa: TRY301  (one error for all that is no checkpoint)
            self.stages = {
                name: [
                    (int(one, 16), int(other, 16), int(total), bool(exact))
                    for one, other, total, exact in findings
                ]
                for name, findings in stages.items()
            }
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self._refuse("the file is a checkpoint, as it was written", "another file")
        if version != VERSION:
            self._refuse(f"this mmsat reads version {VERSION} of checkpoints", "another file")
        if request != self.request:
            was = ", ".join(f"{key} {value}" for key, value in request.items())
            was = was.encode("ascii", "backslashreplace").decode()
            self._refuse(f"a checkpoint goes with its own request ({was})", "another file")

    def _refuse(self, rule: str, write: str) -> None:
        raise InputError.of("the checkpoint", write, str(self.file), rule)


def _sum(stages: Any) -> str:
    return hashlib.sha256(json.dumps(stages).encode()).hexdigest()
