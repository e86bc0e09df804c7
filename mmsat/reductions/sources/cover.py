"""Exact cover: elements, and sets of which some are to cover every element exactly once.

```
c three sets over four elements
p cover 4 3
1 2
2 3
3 4
```
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from mmsat.errors import Fault, InputError
from mmsat.reductions.sources.source import Reader, Source, print_rows


@dataclass(frozen=True, slots=True)
class Cover(Source):
    """Elements from 1, and sets of them, not empty; the same set may be there twice."""

    name = "cover"
    suffix = ".cover"

    elements: int
    sets: tuple[tuple[int, ...], ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "sets", tuple(map(tuple, self.sets)))
        faults = []
        if self.elements < 1:
            faults.append(Fault("a cover has elements", self.elements, "1 or more"))
        write = f"different elements from 1 to {self.elements}"
        faults += [
            Fault(f"set {number} has elements", members, write)
            for number, members in enumerate(self.sets, 1)
            if not members
            or len(set(members)) != len(members)
            or not all(1 <= element <= self.elements for element in members)
        ]
        if faults:
            raise InputError(faults, "the cover")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a set a line."""
        reader = Reader(text, "c")
        elements, stated = reader.header(("cover",), ("ELEMENTS", "SETS"))
        sets = []
        for words in reader.lines:
            numbers: list[int] = []
            for word in words:
                number = reader.number(word, "an element", 1, elements)
                if number in numbers:
                    reader.faults.append(word.fault("a set has an element once", "others"))
                numbers.append(number or 0)
            sets.append(tuple(numbers))
        reader.compare(stated, [len(sets)], "sets")
        reader.finish("the cover")
        return cls(elements or 0, tuple(sets))

    def __str__(self) -> str:
        return print_rows(("p", "cover", self.elements, len(self.sets)), *self.sets)

    def sizes(self) -> dict[str, int]:
        """Elements and sets."""
        return {"elements": self.elements, "sets": len(self.sets)}

    def holders(self) -> tuple[tuple[int, ...], ...]:
        """For each element the sets, counted from 0, that have it."""
        found: list[list[int]] = [[] for _ in range(self.elements)]
        for index, members in enumerate(self.sets):
            for element in members:
                found[element - 1].append(index)
        return tuple(map(tuple, found))

    def is_exact(self, chosen: Sequence[int]) -> bool:
        """Whether these sets, ascending indices from 0, cover every element exactly once."""
        if list(chosen) != sorted(set(chosen) & set(range(len(self.sets)))):
            return False
        covered = sorted(element for index in chosen for element in self.sets[index])
        return covered == list(range(1, self.elements + 1))
