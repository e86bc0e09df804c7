"""Opening of tables: CSV with any of the usual separators, Parquet and Arrow."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import chain
from typing import Any, NamedTuple

from mmsat.auditing.columns import find_roles
from mmsat.auditing.reading import Reading
from mmsat.english import quantity
from mmsat.errors import Description, InputError, MissingError

DELIMITED = (".csv", ".tsv")
ARROW = (".parquet", ".arrow", ".feather")
SEPARATORS = ",;\t|"
SEPARATOR_LINE = re.compile(r'"?sep=(.)"?\s*')
"""A first line in which spreadsheets declare the separator."""


TableRow = tuple[int, list[str], str]
"""A row of a table: its last line, its values, and its fault.

The line counts from 1; it is the number of the row if the table is not text. The values have no
surrounding blanks; an empty line has none. The fault is the reason why the row does not match the
columns, or "".
"""


class Table(NamedTuple):
    """An open table."""

    names: Sequence[str]
    """The names of the columns."""
    line: int | None
    """The line of the names, if they are in one."""
    rows: Iterator[TableRow]


def open_table(path: str, reading: Reading) -> AbstractContextManager[Table]:
    """Open a table at its first row."""
    return (
        _open_csv(path, reading) if path.lower().endswith(DELIMITED) else _open_arrow(path, reading)
    )


@contextmanager
def _open_csv(path: str, reading: Reading) -> Iterator[Table]:
    with reading.open(path, newline="") as file:
        head, line, separator = "", 0, ""
        for line, head in enumerate(file, 1):  # noqa: B007  (used below)
            if match := SEPARATOR_LINE.fullmatch(head):
                separator = match[1]
            elif head.strip():
                break
        separators = separator or SEPARATORS
        separator = max(separators, key=lambda candidate: len(find_roles(_split(head, candidate))))
        reader = csv.reader(chain([head], file), delimiter=separator, skipinitialspace=True)
        try:
            names = [name.strip() for name in next(reader)]
        except csv.Error:
            names = [head.strip()]
        yield Table(names, line, _read_csv(reader, len(names), line - 1))


def _split(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])
    except csv.Error:
        return []


def _read_csv(reader: Any, columns: int, lines: int) -> Iterator[TableRow]:
    """Yield the rows after the names; `reader` starts after `lines` lines of the file."""
    while True:
        try:
            for cells in reader:
                values = [*map(str.strip, cells)]
                if len(values) > columns and any(values[columns:]):
                    yield (
                        lines + reader.line_num,
                        values,
                        Description(quantity(len(values), "cell")),
                    )
                else:
                    yield lines + reader.line_num, values if any(values) else [], ""
        except csv.Error as error:
            yield lines + reader.line_num, [""], Description(error)
        else:
            return


@contextmanager
def _open_arrow(path: str, reading: Reading) -> Iterator[Table]:
    try:
        from pyarrow import ArrowException, dataset
    except ImportError:
        message = "Parquet and Arrow files need the extra arrow: pip install 'mmsat[arrow]'"
        raise MissingError(message) from None
    kind = "parquet" if path.lower().endswith(".parquet") else "feather"
    try:
        table = dataset.dataset(path, format=kind)
        names = table.schema.names
        names = [
            names[column] for columns in find_roles(names).values() for column in columns
        ] or names
        yield Table(names, None, _read_arrow(table, names, path, reading))
    except ArrowException as error:
        raise InputError.of(
            path, f"a {kind.capitalize()} file", Description("other data"), str(error)
        ) from None


def _read_arrow(table: Any, names: list[str], path: str, reading: Reading) -> Iterator[TableRow]:
    bytes_per_row = os.path.getsize(path) / max(1, table.count_rows())
    number = 0
    for batch in table.to_batches(columns=names):
        for values in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            number += 1
            reading.before += bytes_per_row
            cells = ["" if value is None else str(value).strip() for value in values]
            yield number, cells, ""
