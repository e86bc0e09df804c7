"""Tables that grow row by row on disk; existing rows are not measured again."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from mmsat._util.files import add_path_to_errors, atomic_write, decode
from mmsat.errors import InputError

Record = dict[str, str]


class Table:
    """A CSV file whose first `keys` columns identify a measurement; the others are results."""

    def __init__(self, path: Path, columns: Sequence[str], keys: int) -> None:
        """Read the file if it exists; raise InputError if its columns differ."""
        self.path = path
        self.columns = tuple(columns)
        self.keys = self.columns[:keys]
        self.lines: dict[tuple[str, ...], Record] = {}
        text = decode(path.read_bytes(), str(path)) if path.exists() else ""
        whole = text[: text.rfind("\n") + 1]  # without a line that an interruption cut off
        reader = csv.DictReader(whole.splitlines())
        if whole and tuple(reader.fieldnames or ()) != self.columns:
            rule = "the file holds a table of this study"
            raise InputError.of(str(path), "another folder", None, rule)
        for line in reader:
            self._keep(line)
        if whole != text:
            atomic_write(path, [whole])

    def _keep(self, line: Record) -> None:
        self.lines[tuple(line[key] for key in self.keys)] = line

    def find(self, *keys: object) -> Record | None:
        """Return the line of a measurement, or None if it has not been done."""
        return self.lines.get(tuple(map(str, keys)))

    def add(self, values: Mapping[str, object]) -> Record:
        """Add a line, and write it to the file at once. None becomes an empty cell."""
        line = {name: "" if values[name] is None else str(values[name]) for name in self.columns}
        with (
            add_path_to_errors(self.path),
            self.path.open("a", encoding="utf-8", newline="") as file,
        ):
            writer = csv.DictWriter(file, self.columns, lineterminator="\n")
            if not file.tell():
                writer.writeheader()
            writer.writerow(line)
        self._keep(line)
        return line

    def __iter__(self) -> Iterator[Record]:
        return iter(self.lines.values())
