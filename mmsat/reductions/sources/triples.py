"""Three-dimensional matching: triples of which some are to use everything exactly once.

```
c two of each kind, three triples
p 3dm 2 3
1 1 1
2 2 2
1 2 2
```
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from mmsat.errors import Fault, InputError
from mmsat.reductions.sources.cover import Cover
from mmsat.reductions.sources.source import Reader, Source, print_rows


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
            Fault(f"triple {number} has three things", triple, f"numbers from 1 to {self.size}")
            for number, triple in enumerate(self.triples, 1)
            if not all(1 <= thing <= self.size for thing in triple)
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
        return print_rows(("p", "3dm", self.size, len(self.triples)), *self.triples)

    def sizes(self) -> dict[str, int]:
        """The things of a kind, and the triples."""
        return {"elements": self.size, "triples": len(self.triples)}

    def cover(self) -> Cover:
        """Give the exact cover of all 3 `size` things, kind after kind, by the triples."""
        sets = ((x, self.size + y, 2 * self.size + z) for x, y, z in self.triples)
        return Cover(3 * self.size, tuple(sets))

    def is_matching(self, chosen: Sequence[int]) -> bool:
        """Whether these triples, ascending indices from 0, have every thing exactly once."""
        return self.cover().is_exact(chosen)
