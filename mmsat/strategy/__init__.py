"""Play as the codebreaker: states of a game, strategies, and strategy trees.

`SearchControl` has the time limit, the progress reports and the checkpoint of a long search.
`Checkpoint` is its file, which lets an interrupted search resume:

`{"mmsat-checkpoint": 2, "request": {...}, "stages": {STAGE: [[KEY, KEY, TOTAL, EXACT], ...], ...},
"hash_error_bound": NUMBER, "sum": "..."}`: for each stage of the search, and each set of codes that
required much work, the key of the set (two hexadecimal numbers), its total number of guesses, and
whether this total is the exact minimum or a lower bound. The stage "least, 7" searches for the
fewest guesses in total, with at most 7 guesses for any code ("least, 0": any number). The hash
error bound is an upper bound of the probability that a hash collision made one of the totals wrong.
The strategy itself is verified by the plain scorer, but the proof of its bound rests on these
numbers, which only a checksum protects.
"""

import json
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any, NoReturn

from mmsat._util.files import StrPath, atomic_write
from mmsat.errors import InputError
from mmsat.solving.deadline import Deadline, TimeUpError

VERSION = 2
"""Version of the file format."""

Finding = tuple[int, int, int, bool]
"""Two halves of a key, a total number of guesses, and whether the total is exact."""


class Checkpoint:
    """The findings of the stages of a search, stored in a file together with the request."""

    def __init__(self, request: Mapping[str, Any], file: StrPath) -> None:
        """Read the file; if it does not exist, the first `save` creates it.

        Raises InputError if the file is not a checkpoint of the request, or if its folder does not
        exist.
        """
        from pathlib import Path  # slow to load, and few searches have a checkpoint

        self.request = dict(request)
        self.file = Path(file)
        self.stages: dict[str, list[Finding]] = {}
        self.hash_error_bound = 0.0
        if not self.file.parent.is_dir():
            self._refuse("", "a file in an existing folder")
        if self.file.exists():
            self._read()

    def findings(self, stage: str) -> list[Finding]:
        """Return the findings of a stage."""
        return self.stages.get(stage, [])

    def add(self, stage: str, findings: list[Finding]) -> None:
        """Add findings to a stage."""
        self.stages.setdefault(stage, []).extend(findings)

    def save(self) -> None:
        """Replace the file atomically."""
        stages = {
            name: [
                [f"{high:x}", f"{low:x}", total, is_exact]
                for high, low, total, is_exact in findings
            ]
            for name, findings in self.stages.items()
        }
        document = {
            "mmsat-checkpoint": VERSION,
            "request": self.request,
            "stages": stages,
            "hash_error_bound": self.hash_error_bound,
            "sum": _checksum([stages, self.hash_error_bound]),
        }
        atomic_write(self.file, [json.dumps(document), "\n"])

    def _read(self) -> None:
        try:
            document = json.loads(self.file.read_text("utf-8"))
            stages = document["stages"]
            version, request = document["mmsat-checkpoint"], document["request"]
            # An intact file of an old version is refused for its version, not as damaged. There,
            # the checksum covers only the stages.
            protected = stages
            if version == VERSION:
                self.hash_error_bound = float(document["hash_error_bound"])
                protected = [stages, self.hash_error_bound]
            if document["sum"] != _checksum(protected) or not isinstance(request, dict):
                raise ValueError  # noqa: TRY301  (one error for everything invalid)
            self.stages = {
                name: [
                    (int(high, 16), int(low, 16), int(total), bool(is_exact))
                    for high, low, total, is_exact in findings
                ]
                for name, findings in stages.items()
            }
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self._refuse("the file is damaged, or is not a checkpoint", "a checkpoint file")
        if version != VERSION:
            self._refuse("the file has another version", f"a checkpoint file of version {VERSION}")
        if request != self.request:
            request_text = ", ".join(f"{key} {value}" for key, value in request.items())
            # The file may have any characters; only ASCII is printed.
            request_text = request_text.encode("ascii", "backslashreplace").decode()
            self._refuse(f"it belongs to {request_text}", "a checkpoint of this request")

    def _refuse(self, rule: str, expected: str) -> NoReturn:
        raise InputError.of("the checkpoint", expected, str(self.file), rule)


class SearchControl:
    """The time limit, the progress reports and the checkpoint of a search."""

    def __init__(
        self, request: Mapping[str, Any], file: StrPath | None, save_interval: float
    ) -> None:
        """Start the clock, and read the checkpoint if there is a file.

        `save_interval` is the time between two checkpoints, in seconds.
        """
        # `begin` replaces the deadline. The clock measures the time of the whole search.
        self.clock = self.deadline = Deadline()
        self.checkpoint = None if file is None else Checkpoint(request, file)
        self._on_progress: Callable[[Any], None] = lambda _: None
        self._save_interval = save_interval
        self._saved_at = monotonic()

    def begin(self, timeout: float | None, on_progress: Callable[[Any], None] | None) -> None:
        """Set the time limit, from now, and the function that receives the progress."""
        self.deadline = Deadline(timeout)
        self._on_progress = on_progress or self._on_progress

    def report(self, progress: Any) -> None:
        """Report progress; raise TimeUpError if the time is up."""
        self._on_progress(progress)
        if self.deadline.passed:
            raise TimeUpError

    def findings(self, stage: str) -> list[Finding]:
        """Return the findings of a stage in the checkpoint; empty if there is none."""
        return [] if self.checkpoint is None else self.checkpoint.findings(stage)

    @property
    def is_save_due(self) -> bool:
        """Whether the last checkpoint is old enough for another one."""
        return monotonic() >= self._saved_at + self._save_interval

    def save(
        self,
        stage: str,
        findings: Callable[[], list[Finding]],
        hash_error_bound: float = 0.0,
        *,
        replaces: bool = False,
    ) -> None:
        """If there is a checkpoint, save it with the findings that the function `findings` returns.

        These replace earlier findings of the stage if `replaces` is true; otherwise they are added.
        """
        if self.checkpoint is not None:
            if replaces:
                self.checkpoint.stages.pop(stage, None)
            self.checkpoint.add(stage, findings())
            self.checkpoint.hash_error_bound = hash_error_bound
            self.checkpoint.save()
        self._saved_at = monotonic()


def _checksum(content: Any) -> str:
    from hashlib import sha256

    return sha256(json.dumps(content).encode()).hexdigest()
