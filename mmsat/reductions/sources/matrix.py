"""Square matrices of 0 and 1: bipartite graphs, whose perfect matchings the permanent counts.

```
# three rows, three columns
1 1 0
0 1 1
1 0 1
```
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from mmsat.english import quantity
from mmsat.errors import Fault, InputError
from mmsat.reductions.sources.source import Reader, Source, Word, print_rows


@dataclass(frozen=True, slots=True)
class Matrix(Source):
    """A square matrix: rows of 0 and 1."""

    name = "matrix"
    suffix = ".matrix"

    rows: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", tuple(tuple(map(int, row)) for row in self.rows))
        num_rows = len(self.rows)
        faults = [] if num_rows else [Fault("", num_rows, "1 or more rows")]
        faults += [
            Fault("the matrix is square", row, f"{num_rows} entries 0 or 1", part=f"row {number}")
            for number, row in enumerate(self.rows, 1)
            if len(row) != num_rows or not set(row) <= {0, 1}
        ]
        InputError.refuse(faults, "the matrix")

    @classmethod
    def parse(cls, text: str) -> Self:
        reader = Reader(text, "#")
        num_rows = len(reader.lines)
        if not num_rows:
            reader.faults.append(Fault("", "", "rows of 0 and 1", 1, 1))
        rows = []
        for words in reader.lines:
            entries = [
                Word(text, word.line, word.column + offset)
                for word in words
                for offset, text in enumerate(word.text)
            ]
            reader.faults += [
                entry.fault("", "0 or 1") for entry in entries if entry.text not in ("0", "1")
            ]
            if len(entries) != num_rows:
                height, width = quantity(num_rows, "row"), quantity(len(entries), "column")
                rule = f"the matrix has {height}, but this row has {width}"
                reader.faults.append(entries[-1].fault(rule, "as many rows as columns"))
            rows.append(tuple(int(entry.text == "1") for entry in entries))
        reader.finish("the matrix")
        return cls(tuple(rows))

    def __str__(self) -> str:
        return print_rows(*self.rows)

    def sizes(self) -> dict[str, int]:
        return {"rows": len(self.rows), "ones": sum(map(sum, self.rows))}

    def ones(self) -> tuple[tuple[int, int], ...]:
        """Return the row and column, from 0, of every 1, row by row."""
        return tuple(
            (row, column)
            for row, entries in enumerate(self.rows)
            for column, entry in enumerate(entries)
            if entry
        )

    def is_matching(self, permutation: Sequence[int]) -> bool:
        """Return whether a permutation, the column of each row from 0, selects only ones."""
        return sorted(permutation) == list(range(len(self.rows))) and all(
            entries[column] for entries, column in zip(self.rows, permutation, strict=True)
        )
