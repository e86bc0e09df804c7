"""Finished blocks of boards, one JSON line each, and their totals."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from itertools import count, islice
from typing import TYPE_CHECKING

from mmsat._util.files import atomic_write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


COUNTED = ("boards", "consistent", "asked", "costs")


@dataclass
class Block:
    """What came of some boards."""

    seconds: float = 0
    """Of the processor."""
    boards: Counter[str] = field(default_factory=Counter)
    """How many of each kind of game, and of each size."""
    consistent: Counter[str] = field(default_factory=Counter)
    """Those of them that are known to have a code."""
    asked: Counter[str] = field(default_factory=Counter)
    """Number of times each question was answered."""
    costs: Counter[str] = field(default_factory=Counter)
    """Seconds per question. The first question that needs the ground truth includes its time."""
    disagreements: list[tuple[int, str, str, str]] = field(default_factory=list)
    """Seed, question, board, and what disagrees."""


class Campaign:
    """A file of blocks. If a block was repeated, its last line counts."""

    def __init__(self, path: Path) -> None:
        """Read the file. A truncated line is ignored, and its block is repeated."""
        self.path = path
        self.blocks: dict[int, Block] = {}
        self.commits: dict[int, str] = {}
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        whole = text[: text.rfind("\n") + 1]
        for line in map(json.loads, whole.splitlines()):
            number = line.pop("block")
            self.commits[number] = line.pop("commit")
            for part in COUNTED:
                line[part] = Counter(line.get(part, {}))
            self.blocks[number] = Block(**line)
        if whole != text:
            atomic_write(path, [whole])

    def add(self, number: int, commit: str, block: Block) -> None:
        """Keep a block, on disk at once."""
        block.costs = Counter({name: round(cost, 2) for name, cost in block.costs.items()})
        line = {"block": number, "commit": commit, **vars(block)}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, sort_keys=True) + "\n")
        self.blocks[number], self.commits[number] = block, commit

    def wrong(self) -> list[int]:
        """The blocks with disagreements."""
        return [number for number, block in self.blocks.items() if block.disagreements]

    def missing(self, many: int) -> list[int]:
        """So many blocks that are not here, the first ones."""
        return list(islice((number for number in count() if number not in self.blocks), many))

    def total(self) -> Block:
        """All blocks as one."""
        total = Block()
        for block in self.blocks.values():
            total.seconds += block.seconds
            for part in COUNTED:
                getattr(total, part).update(getattr(block, part))
            total.disagreements += block.disagreements
        return total

    def table(self) -> Iterator[str]:
        """Yield the totals as Markdown."""
        total = self.total()
        boards = sum(size for name, size in total.boards.items() if "," not in name)
        yield (
            f"{boards:,} boards, {sum(total.asked.values()):,} questions, "
            f"{len(total.disagreements)} disagreements, {total.seconds / 60:.0f} minutes of the "
            f"processor, the package of commit {', '.join(sorted({*self.commits.values()}))}."
        )
        for title, sign in (("kind of game", True), ("codes of the game", False)):
            yield f"\n| {title} | boards | known consistent |\n|---|---|---|"
            for name in sorted(board for board in total.boards if ("," in board) == sign):
                count = total.boards[name]
                yield f"| {name} | {count:,} | {100 * total.consistent[name] / count:.0f} % |"
        wrong = Counter(question for _, question, _, _ in total.disagreements)
        yield "\n| question | asked | disagreements |\n|---|---|---|"
        for name, count in total.asked.most_common():
            yield f"| {name} | {count:,} | {wrong[name]} |"
