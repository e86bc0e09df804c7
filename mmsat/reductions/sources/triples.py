"""Three-dimensional matching: triples of which some are to use everything exactly once.

```
c two of each kind, three triples
p 3dm 2 3
1 1 1
2 2 2
1 2 2
```
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from mmsat.errors import Fault, InputError
from mmsat.reductions.sources.source import Reader, Source


@dataclass(frozen=True, slots=True)
class Triples(Source):
    """Three kinds of `size` things each, and triples of one of each kind, numbered from 1."""

    name = "triples"
    suffix = ".3dm"

    size: int
    triples: tuple[tuple[int, int, int], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "triples", tuple((x, y, z) for x, y, z in self.triples))
        faults = []
        if self.size < 1:
            faults.append(Fault("there are things to match", self.size, "a size of 1 or more"))
        faults += [
            Fault(f"triple {number} has three things", each, f"numbers from 1 to {self.size}")
            for number, each in enumerate(self.triples, 1)
            if not all(1 <= thing <= self.size for thing in each)
        ]
        if faults:
            raise InputError(faults, "the triples")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a triple a line."""
        reader = Reader(text, "c")
        size, stated = reader.header(("3dm",), ("SIZE", "TRIPLES"))
        triples = []
        for words in reader.lines:
            things = [reader.number(word, "a thing", 1, size) or 0 for word in words]
            if len(things) != 3:
                reader.faults.append(words[0].fault("a triple is three numbers", "1 1 1"))
            else:
                triples.append((things[0], things[1], things[2]))
        reader.compare(stated, [len(reader.lines)], "triples")
        reader.finish("the triples")
        return cls(size or 0, tuple(triples))

    def __str__(self) -> str:
        lines = (" ".join(map(str, each)) for each in self.triples)
        head = f"p 3dm {self.size} {len(self.triples)}"
        return "".join(f"{line}\n" for line in (head, *lines))

    def sizes(self) -> dict[str, int]:
        """The things of a kind, and the triples."""
        return {"elements": self.size, "triples": len(self.triples)}

    def holders(self) -> tuple[tuple[int, ...], ...]:
        """For each thing, kind after kind, the triples, counted from 0, that have it."""
        found: list[list[int]] = [[] for _ in range(3 * self.size)]
        for index, each in enumerate(self.triples):
            for kind, thing in enumerate(each):
                found[kind * self.size + thing - 1].append(index)
        return tuple(map(tuple, found))

    def is_matching(self, chosen: Sequence[int]) -> bool:
        """Whether these triples, ascending indices from 0, have every thing exactly once."""
        if list(chosen) != sorted(set(chosen) & set(range(len(self.triples)))):
            return False
        everything = list(range(1, self.size + 1))
        return all(
            sorted(self.triples[index][kind] for index in chosen) == everything for kind in range(3)
        )
