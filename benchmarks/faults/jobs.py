"""Small commands that faults are injected into, with their outputs."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

RUN = "from mmsat.cli import main; main()"
BUSY = (
    "import mmsat.strategy.optimal.search as s; "
    "s.Search.__init__.__kwdefaults__['limits'] = s.SearchLimits(0.002, 0.004)"
)
"""Makes a search save its progress every few milliseconds, so that kills can hit a save."""
BY_ONE = "import mmsat.auditing.audit as a; a.audit.__wrapped__.__kwdefaults__['chunk'] = 1"
SLIPPED = "4x6/1122=1.1/3345=0.2/1122=0.2"
PROVED = (
    "12x6/523215356523=0.7/161634513435=2.6/625445315116=0.7/466615432636=3.4/125222541135=0.6"
    "/413536153525=1.7/553415435232=3.6/221563411622=3.2/116564653522=2.4/654534466631=2.6"
    "/351456322163=2.6/162323411262=3.2/156556111625=1.3/514131151226=1.5"
)
"""A board whose proof takes half of the time of the command."""
PLAYED = "4x6/1122=1.1/1345=0.2/2416=1.1"
MEASURED = ("seconds", "auto", "on")


class Job(NamedTuple):
    """A command that runs in its own folder."""

    name: str
    words: tuple[str, ...]
    writes: tuple[str, ...]
    """The files that exist at the end."""
    grows: tuple[str, ...] = ()
    """The files that are extended during the run, or that start with a record of the command."""
    code: int = 0
    prelude: str = ""
    reads: tuple[str, tuple[str, ...]] | None = None
    """A file that it reads, and the command that makes it."""

    @property
    def command(self) -> list[str]:
        """Return the command line of a separate process."""
        return [sys.executable, "-c", "; ".join(filter(None, (self.prelude, RUN))), *self.words]

    def told(self, folder: Path) -> dict[str, object]:
        """Return the contents of its outputs, without measured times."""
        return {
            name: read_output(folder / name, name)
            for name in self.writes
            if (folder / name).exists()
        }


def read_output(path: Path, name: str) -> object:
    """Return the contents of an output file, without measurements."""
    if name == "study/boards.jsonl":
        lines = map(json.loads, path.read_text("utf-8").splitlines())
        return [
            {name: entry for name, entry in line.items() if not name.endswith(MEASURED)}
            for line in lines
            if "boards" in line
        ]
    if name.endswith(".html"):
        return path.read_text("utf-8").rstrip().endswith("</html>")
    return path.read_bytes()


STUDY = "--part", "transition", "--count", "2", "--max-size", "8"
LOG = "generate", "--games", "600", "-o", "log.jsonl"
JOBS = (
    Job(
        "optimal",
        ("optimal", "4x7", "--jobs", "1", "-o", "tree.json", "--checkpoint", "found.json"),
        ("tree.json",),
        ("found.json",),
        prelude=BUSY,
    ),
    Job(
        "study",
        ("study", "hardness", "--families", "six-colors", *STUDY, "-o", "study"),
        ("study/boards.jsonl", "study/paper.html"),
        ("study/boards.jsonl",),
    ),
    Job(
        "audit",
        ("audit", "log.jsonl", "-o", "told.jsonl"),
        ("told.jsonl", "told.jsonl.rejected.jsonl"),
        ("told.jsonl.part", "told.jsonl.rejected.jsonl"),
        prelude=BY_ONE,
        reads=("log.jsonl", LOG),
    ),
    Job("generate", ("generate", "--games", "600", "-o", "games.jsonl"), ("games.jsonl",)),
    Job(
        "analyze",
        ("analyze", "4x6", "-o", "tree.json", "-o", "tree.svg"),
        ("tree.json", "tree.svg"),
    ),
    Job(
        "proof",
        ("check", PROVED, "--reason", "60", "--proof", "board.proof"),
        ("board.proof",),
        code=20,
    ),
)
"""Jobs that are killed."""
WRITERS = (
    *JOBS,
    Job("board", ("generate", "six-colors", "--size", "9", "-o", "board.txt"), ("board.txt",)),
    Job("encode", ("encode", SLIPPED, "-o", "board.cnf"), ("board.cnf",)),
    Job("explain", ("explain", SLIPPED, "--steps", "-o", "."), ()),
    Job("odds", ("odds", "4x6/1122=1.1", "-o", "odds.svg"), ("odds.svg",)),
    Job("review", ("review", PLAYED, "-o", "game.svg"), ("game.svg",)),
    Job("puzzle", ("puzzle", "3x4", "--seed", "1", "-o", "sheet.svg"), ("sheet.svg",)),
    Job("static", ("static", "3x3", "--checkpoint", "set.json"), (), ("set.json",)),
)
"""The jobs that are run with full disks and read-only folders."""
