"""Exact covers and matchings: sets, or triples, to choose so that each element is in exactly one.

```
c three sets over four elements         c two of each kind, three triples
p cover 4 3                             p 3dm 2 3
1 2                                     1 1 1
2 3                                     2 2 2
3 4                                     1 2 2
```
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from mmsat.errors import Fault, InputError
from mmsat.reductions.sources.source import Reader, Source, print_rows


@dataclass(frozen=True, slots=True)
class Cover(Source):
    """Elements from 1, and nonempty sets of them. A set can appear more than once."""

    name = "cover"
    suffix = ".cover"

    elements: int
    sets: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "sets", tuple(map(tuple, self.sets)))
        faults = []
        if self.elements < 1:
            faults.append(Fault("", self.elements, "1 or more elements"))
        write = f"different elements from 1 to {self.elements}"
        faults += [
            Fault("", members, write, part=f"set {number}")
            for number, members in enumerate(self.sets, 1)
            if not members
            or len(set(members)) != len(members)
            or not all(1 <= element <= self.elements for element in members)
        ]
        InputError.refuse(faults, "the cover")

    @classmethod
    def parse(cls, text: str) -> Self:
        reader = Reader(text, "c")
        elements, stated = reader.header(("cover",), ("ELEMENTS", "SETS"))
        sets = []
        for words in reader.lines:
            numbers: list[int] = []
            for word in words:
                number = reader.number(word, "an element", 1, elements)
                if number in numbers:
                    reader.faults.append(word.fault("", "different elements of a set"))
                numbers.append(number or 0)
            sets.append(tuple(numbers))
        reader.compare(stated, [len(sets)], "sets")
        reader.finish("the cover")
        return cls(elements or 0, tuple(sets))

    def __str__(self) -> str:
        return print_rows(("p", "cover", self.elements, len(self.sets)), *self.sets)

    def sizes(self) -> dict[str, int]:
        return {"elements": self.elements, "sets": len(self.sets)}

    def holders(self) -> tuple[tuple[int, ...], ...]:
        """Return, for each element, the indices from 0 of the sets that contain it."""
        sets_of: list[list[int]] = [[] for _ in range(self.elements)]
        for index, members in enumerate(self.sets):
            for element in members:
                sets_of[element - 1].append(index)
        return tuple(map(tuple, sets_of))

    def is_exact(self, chosen: Sequence[int]) -> bool:
        """Return whether the chosen sets (ascending indices from 0) cover each element once."""
        if list(chosen) != sorted(set(chosen) & set(range(len(self.sets)))):
            return False
        covered = sorted(element for index in chosen for element in self.sets[index])
        return covered == list(range(1, self.elements + 1))


@dataclass(frozen=True, slots=True)
class Triples(Source):
    """Three kinds with `size` things each, from 1, and triples of one thing of each kind."""

    name = "triples"
    suffix = ".3dm"

    size: int
    triples: tuple[tuple[int, int, int], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "triples", tuple((x, y, z) for x, y, z in self.triples))
        faults = []
        if self.size < 1:
            faults.append(Fault("", self.size, "a size of 1 or more"))
        faults += [
            Fault("", triple, f"three numbers from 1 to {self.size}", part=f"triple {number}")
            for number, triple in enumerate(self.triples, 1)
            if not all(1 <= thing <= self.size for thing in triple)
        ]
        InputError.refuse(faults, "the triples")

    @classmethod
    def parse(cls, text: str) -> Self:
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
        return {"elements": self.size, "triples": len(self.triples)}

    def cover(self) -> Cover:
        """Return the problem of covering all 3 `size` things, kind after kind, by the triples."""
        sets = ((x, self.size + y, 2 * self.size + z) for x, y, z in self.triples)
        return Cover(3 * self.size, tuple(sets))

    def is_matching(self, chosen: Sequence[int]) -> bool:
        """Return whether the chosen triples (ascending indices from 0) contain each thing once."""
        return self.cover().is_exact(chosen)
