"""Tables of games.

A row is a whole board, in a column `board`, or one guess (guess_rows.py). Columns are
recognized by common names (columns.py); other columns are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator

from mmsat.auditing.columns import find_columns
from mmsat.auditing.guess_rows import GuessRows
from mmsat.auditing.open_tables import Table, open_table
from mmsat.auditing.reading import Reading
from mmsat.auditing.records import Record, refuse
from mmsat.english import quantity
from mmsat.errors import Fault, InputError
from mmsat.game.game import Game


class GameTable:
    """A file with a table of games."""

    def __init__(self, path: str, game: Game | None) -> None:
        """Keep the file's name; `game` is the game of guesses, if the table does not name it."""
        self.path, self.game = path, game

    def check(self) -> None:
        """Raise InputError if the columns are unclear."""
        with open_table(self.path, Reading()) as table:
            columns = self._columns(table)
            if "board" not in columns:
                GuessRows(self.path, table, columns, self.game).find_games(table.rows)

    def records(self, reading: Reading) -> Iterator[Record]:
        """Yield the games, and rows that cannot be read."""
        with open_table(self.path, reading) as table:
            columns = self._columns(table)
            if "board" in columns:
                yield from self._boards(table, columns)
            else:
                yield from GuessRows(self.path, table, columns, self.game).records()

    def _columns(self, table: Table) -> dict[str, int]:
        faults: list[Fault] = []
        columns = find_columns(table.names, table.line, self.game, faults)
        InputError.refuse(faults, self.path)
        return columns

    def _boards(self, table: Table, columns: dict[str, int]) -> Iterator[Record]:
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
                yield Record(0, f"{self.path}:{line}", name, cells[board_column])
                continue
            expected = (
                quantity(num_columns, "cell")
                if fault
                else f"a board in column {table.names[board_column]!r}"
            )
            text = ",".join(cells)
            faults = [Fault("", fault or text, expected, line)]
            yield refuse(self.path, line, name, text, faults)
