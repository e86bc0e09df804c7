"""Reader for tables of games: CSV with any of the usual separators, Parquet and Arrow.

A row of a table is a whole board, in a column `board`, or one guess. Columns are recognized by
common names (`find_roles`). Other columns are ignored. A column `game` contains rules if all its
values are games such as `4x6`, and ids if none of them is.

If each row is a guess, the rows are grouped by game. Rows with the same id are one game. In a table
without ids, a game starts at each row with the first turn. Without turns, a game ends with an empty
line or an all-correct guess. A change of the rules in the column `game`, or of the code in the
column `secret`, starts a game as well.
"""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import lru_cache
from itertools import chain, islice, pairwise
from typing import Any, NamedTuple
from warnings import warn

from mmsat._util.text import noun_phrase, quantity
from mmsat.auditing import (
    NO_NAMED_COLUMNS,
    SCORE_PARTS,
    ReadProgress,
    Record,
    find_columns,
    find_roles,
    rejected_record,
)
from mmsat.errors import (
    ColumnWarning,
    Description,
    Fault,
    InputError,
    Place,
    requiring_extra,
)
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.names import find_game, is_game, max_turns
from mmsat.game.notation import UNREAD_SIGN
from mmsat.game.notation.board_reader import speller
from mmsat.game.notation.board_text import read_rows

CSV_ENDINGS = (".csv", ".tsv")
"""The endings of text files with one line per row."""
ARROW_ENDINGS = (".parquet", ".arrow", ".feather")
"""The endings of files that pyarrow reads."""
SEPARATORS = ",;\t|"
"""The separators of cells that are tried."""
SEPARATOR_LINE = re.compile(r'"?sep=(.)"?\s*')
"""A first line in which spreadsheets declare the separator."""


TableRow = tuple[int, list[str], str]
"""A row of a table: its last line, its cells, and its fault.

The line is numbered from 1. In Parquet and Arrow files, it is the number of the row. The cells are
stripped of surrounding blanks; an empty line has no cells. The fault is the reason why the row does
not match the columns, or "".
"""


class Table(NamedTuple):
    """An open table."""

    names: Sequence[str]
    """The names of the columns."""
    line: int | None
    """The number of the line with the names; None in Parquet and Arrow files."""
    rows: Iterator[TableRow]


def open_table(path: str, progress: ReadProgress) -> AbstractContextManager[Table]:
    """Open a table at its first row."""
    return (
        _open_csv(path, progress)
        if path.lower().endswith(CSV_ENDINGS)
        else _open_arrow(path, progress)
    )


@contextmanager
def _open_csv(path: str, progress: ReadProgress) -> Iterator[Table]:
    """Open a CSV file.

    The separator is the sign that splits the names of the columns into the most columns with a role
    and, among equals, into the most columns.
    """
    with progress.open(path, newline="") as file:
        first_line, line, separator = "", 0, ""
        for line, first_line in enumerate(file, 1):  # noqa: B007  (used below)
            if match := SEPARATOR_LINE.fullmatch(first_line):
                separator = match[1]
            elif first_line.strip():
                break
        separators = separator or SEPARATORS  # the declared separator is the only candidate

        def num_columns(candidate: str) -> tuple[int, int]:
            """Return the numbers of columns with a role and of all columns for a separator."""
            names = _split(first_line, candidate)
            return len(find_roles(names)), len(names)

        separator = max(separators, key=num_columns)
        reader = csv.reader(chain([first_line], file), delimiter=separator, skipinitialspace=True)
        try:
            names = [name.strip() for name in next(reader)]
        except csv.Error:
            names = [first_line.strip()]
        yield Table(names, line, _read_csv(reader, len(names), line - 1))


def _split(line: str, separator: str) -> list[str]:
    """Return the cells of a line; none if it is not valid CSV."""
    try:
        return next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])
    except csv.Error:
        return []


def _read_csv(reader: Any, num_columns: int, num_skipped: int) -> Iterator[TableRow]:
    """Yield the rows after the names. `reader` started after `num_skipped` lines of the file."""
    while True:
        try:
            for values in reader:
                cells = [*map(str.strip, values)]
                if len(cells) > num_columns and any(cells[num_columns:]):  # more cells than columns
                    yield (
                        num_skipped + reader.line_num,
                        cells,
                        Description(quantity(len(cells), "cell")),
                    )
                else:
                    yield num_skipped + reader.line_num, cells if any(cells) else [], ""
        except csv.Error as error:  # the reader can continue with the next line
            # One empty cell, because a row without cells is an empty line
            yield num_skipped + reader.line_num, [""], Description(error)
        else:
            return


@contextmanager
def _open_arrow(path: str, progress: ReadProgress) -> Iterator[Table]:
    """Open a Parquet or Arrow file."""
    message = "Parquet and Arrow files need the extra arrow: pip install 'mmsat[arrow]'"
    with requiring_extra(message):
        from pyarrow import ArrowException, dataset
    kind = "parquet" if path.lower().endswith(".parquet") else "feather"
    try:
        table = dataset.dataset(path, format=kind)
        names = table.schema.names
        # Only the columns with a role are loaded, if there are any.
        names = [
            names[column] for columns in find_roles(names).values() for column in columns
        ] or names
        yield Table(names, None, _read_arrow(table, names, path, progress))
    except ArrowException as error:
        raise InputError.of(
            path, f"a {kind.capitalize()} file", Description("other data"), str(error)
        ) from None


def _read_arrow(
    table: Any, names: list[str], path: str, progress: ReadProgress
) -> Iterator[TableRow]:
    """Yield the rows of a Parquet or Arrow file with the columns `names`."""
    bytes_per_row = os.path.getsize(path) / max(1, table.count_rows())
    number = 0
    for batch in table.to_batches(columns=names):
        for values in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            number += 1
            progress.finished_bytes += bytes_per_row
            cells = ["" if value is None else str(value).strip() for value in values]
            yield number, cells, ""


WHOLE_NUMBER = re.compile(r"#?([0-9]{1,9})(?:\.0*)?")
"""A whole number, also in the forms `#1`, `1.` and `1.0`.

Some programs write all numbers of a column with a decimal point if one of them is missing."""


class GuessRow(NamedTuple):
    """A row of a table of guesses; the fields are those of `TableRow`."""

    line: int
    cells: Sequence[str]
    fault: str


class GuessRows:
    """The rows of a table, one per guess."""

    def __init__(self, path: str, table: Table, columns: dict[str, int], game: Game | None) -> None:
        """Store a table, its columns by role, and the game of a table that does not name it."""
        self.path, self.table, self.columns, self.game = path, table, columns, game
        self.rules_column = columns.get("rules")
        self.id_column = columns.get("game_id", columns.get("id"))
        """`interpret_game_column` may set `rules_column` or `id_column` to the column `game`."""
        self.parse_game = lru_cache(64)(find_game)

    def interpret_game_column(self, rows: Iterable[TableRow]) -> None:
        """Determine whether a column `game` has rules or ids; raise InputError if it is unclear."""
        column = self.columns.get("game")
        if column is None:
            return
        # The first value that is a game (True) and the first that is not (False), with their lines
        first_value: dict[bool, tuple[str, int]] = {}
        for line, cells, _ in rows:
            if column < len(cells) and cells[column]:
                first_value.setdefault(is_game(cells[column]), (cells[column], line))
        label, faults = self.table.names[column], list[Fault]()
        if len(first_value) == 2:
            (game, _), (other_value, line) = first_value[True], first_value[False]
            rule = f"{game!r} may be a game or an id"
            expected = "games such as 4x6 in all rows, or ids in all rows and --game"
            faults.append(Fault(rule, other_value, expected, line))
        elif True in first_value and self.rules_column is None:
            self.rules_column = column
        elif self.id_column is None:
            self.id_column = column
        elif "game_id" not in self.columns:
            rule = (
                f"the ids of the games may be in {self.table.names[self.id_column]!r} or {label!r}"
            )
            faults.append(Fault(rule, label, "a column 'game_id'", self.table.line))
        if self.rules_column is None and self.game is None and not faults:
            rule = f"the values of {label!r} are not games"
            faults.append(Fault(rule, label, "--game, such as --game 4x6", self.table.line))
        InputError.refuse(faults, self.path)

    def records(self) -> Iterator[Record]:
        """Return the records of the games in the order of their first rows."""
        table_rows = [*self.table.rows]
        self.interpret_game_column(table_rows)
        rows = [GuessRow(*row) for row in table_rows]
        groups = self._split(rows) if self.id_column is None else self._group(rows)
        return map(self._record, groups)

    def _cell(self, row: GuessRow, column: int | None) -> str:
        """Return the text of a cell; empty if the row has no such cell."""
        return row.cells[column] if column is not None and column < len(row.cells) else ""

    def _group(self, rows: Iterable[GuessRow]) -> Iterable[list[GuessRow]]:
        """Group the rows by id.

        A row without an id is a fault. Unless it is a first turn, it may belong to the game of the
        row above, so it is added to the group of that game, and `_record` rejects the whole group.
        """
        groups: dict[str | int, list[GuessRow]] = {}
        key: str | int = ""
        for row in rows:
            if row.cells:
                is_first = self._turn(row) in (0, 1)
                key = self._cell(row, self.id_column) or (row.line if is_first else key)
                groups.setdefault(key, []).append(row)
        return groups.values()

    def _split(self, rows: Iterable[GuessRow]) -> Iterator[list[GuessRow]]:
        """Yield the rows of each game of a table without ids."""
        group: list[GuessRow] = []
        first_turn: int | None = None
        for row in rows:
            if "turn" in self.columns:
                turn = self._turn(row)
                if first_turn is None:  # the first row shows if turns are numbered from 0 or 1
                    first_turn = int(turn != 0)
                is_start = turn == first_turn
            else:
                is_start = not row.cells or (bool(group) and self._is_solved(group[-1]))
            if group and row.cells:
                is_start |= any(
                    self._cell(group[0], column) != self._cell(row, column)
                    for column in (self.rules_column, self.columns.get("secret"))
                )
            if is_start and group:
                yield group
                group = []
            group += [row] if row.cells else []
        if group:
            yield group

    def _record(self, rows: list[GuessRow]) -> Record:
        """Return the record of the game in these rows, or a rejected record with all faults."""
        faults: list[Fault] = []
        name, num_columns = self._cell(rows[0], self.id_column), len(self.table.names)
        for row in rows:
            if self.id_column is not None and not self._cell(row, self.id_column):
                expected = f"an id in column {self.table.names[self.id_column]!r}"
                faults.append(Fault("", "", expected, row.line))
            if row.fault or len(row.cells) < num_columns:
                problem = row.fault or Description(quantity(len(row.cells), "cell"))
                faults.append(Fault("", problem, quantity(num_columns, "cell"), row.line))
        secrets = {self._cell(row, self.columns.get("secret")): row.line for row in rows}
        secret = next(iter(secrets))
        if len(secrets) > 1:
            *_, other_secret = secrets
            rule = "all rows of a game must have the same code"
            faults.append(Fault(rule, other_secret, secret, secrets[other_secret]))
        try:
            text = str(self._board(rows, faults))
        except InputError as error:
            lines = "\n".join(",".join(row.cells) for row in rows)
            line_faults = [replace(fault, column=None) for fault in error.faults]
            return rejected_record(self.path, rows[0].line, name, lines, line_faults)
        return Record(0, f"{self.path}:{rows[0].line}", name, text, secret=secret)

    def _board(self, rows: list[GuessRow], faults: list[Fault]) -> Board:
        """Return the board of these rows; raise InputError with `faults` and those of the board."""
        game = self._find_game(rows, faults)
        rows = self._order(rows, faults)
        if game is None:
            raise InputError(faults, self.path)
        turns = max_turns(game)
        if self.id_column is None and "turn" not in self.columns and 0 < turns < len(rows):
            rule = f"a game of {game} has {quantity(turns, 'guess')}"
            expected = "an empty line between games, or a column 'game_id'"
            description = Description(quantity(len(rows), "row"))
            faults.append(Fault(rule, description, expected, rows[turns].line))
        guess_column = self.columns["guess"]
        pieces = []
        for row in rows:
            if not (guess := self._cell(row, guess_column)):
                faults.append(Fault("", "", "a guess", row.line))
            elif score := self._score(game, row, faults):
                pieces.append((f"{guess}={score}", Place(row.line, 1)))
        return Board(*read_rows(game, pieces, faults))

    def _find_game(self, rows: list[GuessRow], faults: list[Fault]) -> Game | None:
        """Return the game of these rows, or None if there is no valid one.

        Different games are a fault.
        """
        if self.rules_column is None:
            return self.game
        games: list[Game] = []
        # Only the first row with each value is checked. A dict keeps the last row of each key, so
        # the rows are reversed.
        for row in {self._cell(row, self.rules_column): row for row in reversed(rows)}.values():
            value = self._cell(row, self.rules_column)
            try:
                game = self.game if not value and self.game else self.parse_game(value)
            except InputError as error:
                faults += [replace(fault, line=row.line) for fault in error.faults]
                continue
            if other_games := [other for other in (self.game, *games) if other not in (None, game)]:
                rule = (
                    "the game differs from --game"
                    if self.game
                    else "all rows of a game must have the same rules"
                )
                faults.append(Fault(rule, value, str(other_games[0]), row.line))
            games.append(game)
        return games[-1] if games else None

    def _turn(self, row: GuessRow) -> int | None:
        """Return the turn of a row; None if the cell is not a whole number or there is no cell."""
        match = WHOLE_NUMBER.fullmatch(self._cell(row, self.columns.get("turn")))
        return int(match[1]) if match else None

    def _order(self, rows: list[GuessRow], faults: list[Fault]) -> list[GuessRow]:
        """Return the rows sorted by turn. Missing and repeated turns are faults."""
        if "turn" not in self.columns:
            return rows
        turns: list[tuple[int, GuessRow]] = []
        for row in rows:
            if (turn := self._turn(row)) is None:
                cell = self._cell(row, self.columns["turn"])
                faults.append(Fault("", cell, "a turn number", row.line))
            else:
                turns.append((turn, row))
        turns.sort(key=lambda pair: pair[0])
        # Turns are numbered from 0 or from 1. The first pair compares the first turn with the
        # number before it.
        first = int(bool(turns) and turns[0][0] > 0)
        for (before, earlier), (turn, row) in pairwise([(first - 1, rows[0]), *turns]):
            if turn == before:
                rule = f"turn {turn} is also in line {earlier.line}"
                faults.append(Fault(rule, turn, "each turn once", row.line))
            elif turn > before + 1:
                rule = f"turns are numbered from {first}"
                faults.append(Fault(rule, turn, f"turn {before + 1} before it", row.line))
        return [row for _, row in turns]

    def _score(self, game: Game, row: GuessRow, faults: list[Fault]) -> str:
        """Return the score as text, or "" after adding a fault.

        If the parts of the score have their own columns, an empty cell is an unread part.
        """
        if "score" in self.columns:
            score = self._cell(row, self.columns["score"])
            if not score:
                faults.append(Fault("", "", "a score", row.line))
            return score
        columns_of = {role: self.columns[role] for role in SCORE_PARTS if role in self.columns}
        if {*columns_of} != {*game.parts}:
            names = noun_phrase(
                "column", [self.table.names[column] for column in columns_of.values()]
            )
            kinds = ["score"] if game.scoring.marks else game.parts
            expected = f"{noun_phrase('column', kinds)} for the score of {game}"
            faults.append(Fault("", Description(names), expected, row.line))
            return ""
        cells = [self._cell(row, columns_of[part]) or UNREAD_SIGN for part in game.parts]
        return ".".join(
            WHOLE_NUMBER.sub(r"\1", cell) if WHOLE_NUMBER.fullmatch(cell) else cell
            for cell in cells
        )

    def _is_solved(self, row: GuessRow) -> bool:
        """Return whether the guess of a row is the code."""
        game = self._find_game([row], [])
        if game is None:
            return False
        # A guess that is the code has the same score in every game: that of any code for itself.
        code = next(game.codes())
        score = speller(game).read_score(self._score(game, row, []), Place(1, 1), [])
        return score == game.score(code, code)


class GameTable:
    """A file with a table of boards or guesses."""

    def __init__(
        self, path: str, game: Game | None, columns: Mapping[str, str] = NO_NAMED_COLUMNS
    ) -> None:
        """Store the name of the file, and information that the table may lack.

        - `game`: the game of a table that does not name it.
        - `columns`: the names of columns by role; other columns are recognized by their names.
        """
        self.path, self.game, self.columns = path, game, columns

    def check(self) -> None:
        """Raise InputError if the columns are unclear; warn if one may distinguish the games."""
        with open_table(self.path, ReadProgress()) as table:
            columns = self._find_columns(table)
            first_rows = [*islice((row for row in table.rows if row[1]), 1)]
            if not first_rows:
                description = Description("only the names of columns")
                raise InputError.of(self.path, "games", description)
            if "board" not in columns:
                self._warn_of_unused(table, columns)
                guess_rows = GuessRows(self.path, table, columns, self.game)
                guess_rows.interpret_game_column(chain(first_rows, table.rows))

    def _warn_of_unused(self, table: Table, columns: Mapping[str, int]) -> None:
        """Warn of columns without a role if no column states the game of a row, or its turn."""
        if {"game_id", "id", "game", "turn"} & {*columns}:
            return
        unused = [name for i, name in enumerate(table.names) if i not in columns.values()]
        if unused:
            verb = "is" if len(unused) == 1 else "are"
            message = (
                f"{self.path}: no column names the game of each row, and the "
                f"{noun_phrase('column', [*map(repr, unused)])} {verb} not used; "
                f"if the values differ between games, use --column id={unused[0]}"
            )
            warn(message, ColumnWarning, stacklevel=2)

    def records(self, progress: ReadProgress) -> Iterator[Record]:
        """Yield the records of the games, and rejected records."""
        with open_table(self.path, progress) as table:
            columns = self._find_columns(table)
            if "board" in columns:
                yield from self._read_boards(table, columns)
            else:
                yield from GuessRows(self.path, table, columns, self.game).records()

    def _find_columns(self, table: Table) -> dict[str, int]:
        """Return the column of each role; raise InputError if the table lacks some."""
        faults: list[Fault] = []
        columns = find_columns(table.names, table.line, self.game, faults, self.columns)
        InputError.refuse(faults, self.path)
        return columns

    def _read_boards(self, table: Table, columns: dict[str, int]) -> Iterator[Record]:
        """Yield the records of a table with one board per row."""
        board_column = columns["board"]
        name_column = next(
            (columns[role] for role in ("game_id", "id", "game") if role in columns), None
        )
        num_columns = len(table.names)
        for line, cells, fault in table.rows:
            if not cells:
                continue
            name = (
                cells[name_column] if name_column is not None and name_column < len(cells) else ""
            )
            if not fault and board_column < len(cells) and cells[board_column]:
                secret_column = columns.get("secret", num_columns)
                secret = cells[secret_column] if secret_column < len(cells) else ""
                source = f"{self.path}:{line}"
                yield Record(0, source, name, cells[board_column], secret=secret)
                continue
            expected = (
                quantity(num_columns, "cell")
                if fault
                else f"a board in column {table.names[board_column]!r}"
            )
            text = ",".join(cells)
            faults = [Fault("", fault or text, expected, line)]
            yield rejected_record(self.path, line, name, text, faults)
