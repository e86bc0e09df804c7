"""Several boards of one game at once: each guess is made on every board that is not solved yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

from mmsat._util.text import quantity
from mmsat.errors import Description, Fault, InputError
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller

MAX_BOARDS = 1000
"""Maximum number of boards that are played at once."""


@dataclass(frozen=True)
class SeveralBoards:
    """Boards that are played with the same guesses, each until it is solved.

    Raises
    ------
    InputError
        If the boards differ in their game or guesses, or if there are not 1 to 1,000 boards.

    Examples
    --------
    >>> boards = mmsat.SeveralBoards.of(["4x6/1122=1.1", "4x6/1122=0.2"])
    >>> boards.guesses
    ((0, 0, 1, 1),)
    """

    boards: tuple[Board, ...]
    """The boards, in order."""

    def __post_init__(self) -> None:
        if not 1 <= len(self.boards) <= MAX_BOARDS:
            raise InputError.of("the boards", f"1 to {MAX_BOARDS:,} boards", len(self.boards))
        guesses, spell = self.guesses, speller(self.game)
        faults = []
        for number, board in enumerate(self.boards, 1):
            part = f"board {number}"
            if board.game != self.game:
                rule = "all boards must have the same game"
                faults.append(Fault(rule, str(board.game), str(self.game), part=part))
                continue
            for row_number, (row, guess) in enumerate(zip(board.rows, guesses, strict=False), 1):
                if row.guess != guess:
                    rule = "all boards must have the same guesses"
                    found, expected = spell.print_code(row.guess), spell.print_code(guess)
                    faults.append(Fault(rule, found, expected, part=f"{part}, row {row_number}"))
            if any(board.game.score(row.guess, row.guess) == row.score for row in board.rows[:-1]):
                rule = "a solved board has no further rows"
                faults.append(
                    Fault(
                        rule, Description(quantity(len(board.rows), "row")), "fewer rows", part=part
                    )
                )
            if len(board.rows) < len(guesses) and not board.is_solved:
                rule = "an unsolved board has a row for each guess"
                rows = quantity(len(guesses), "row")
                found = Description(quantity(len(board.rows), "row"))
                faults.append(Fault(rule, found, rows, part=part))
        InputError.refuse(faults, "the boards")

    @classmethod
    def of(cls, boards: SeveralBoards | Iterable[Board | str]) -> SeveralBoards:
        """Return the boards; strings are parsed.

        Parameters
        ----------
        boards : SeveralBoards or iterable of Board or str
            The boards, or their lines.

        Returns
        -------
        SeveralBoards
            The boards.

        Raises
        ------
        InputError
            If the boards do not belong together; the error lists every fault. If a board is
            invalid or has known codes, the error is about the first such board.
        """
        if isinstance(boards, cls):
            return boards
        if isinstance(boards, str | bytes) or not isinstance(boards, Iterable):
            raise InputError.of("the boards", "an iterable of boards or board lines", boards)
        return cls(
            tuple(Board.of(board).without_known("a game of several boards") for board in boards)
        )

    @classmethod
    def start(cls, game: Game, count: int) -> SeveralBoards:
        """Return several boards without rows.

        Parameters
        ----------
        game : Game
            The game of all boards.
        count : int
            Number of boards, 1 to 1,000.

        Returns
        -------
        SeveralBoards
            The boards.

        Raises
        ------
        InputError
            If the number is out of range.
        """
        return cls(tuple(repeat(Board(game), count)))

    def __iter__(self) -> Iterator[Board]:
        return iter(self.boards)

    @property
    def game(self) -> Game:
        """The game of all boards."""
        return self.boards[0].game

    @property
    def guesses(self) -> tuple[Code, ...]:
        """The guesses made so far: the guesses of the board with the most rows."""
        return tuple(row.guess for row in max(self.boards, key=lambda board: len(board.rows)).rows)

    @property
    def unsolved(self) -> dict[int, Board]:
        """The boards that are not solved, by their index from 0."""
        return {index: board for index, board in enumerate(self.boards) if not board.is_solved}

    @property
    def is_solved(self) -> bool:
        """Whether all boards are solved."""
        return not self.unsolved

    def with_scores(
        self, guess: Sequence[int] | str, scores: Sequence[Sequence[int | None] | str]
    ) -> SeveralBoards:
        """Return the boards with one more guess.

        Parameters
        ----------
        guess : sequence of int or str
            The guess, as colors from 0 or as text.
        scores : sequence of scores
            The score of the guess on each unsolved board, as numbers or as text.

        Returns
        -------
        SeveralBoards
            The new boards.

        Raises
        ------
        InputError
            If the guess or a score is invalid.
        ValueError
            If `scores` does not have one score for each unsolved board.
        """
        score_by_board = dict(zip(self.unsolved, scores, strict=True))
        return SeveralBoards(
            tuple(
                board.with_row(guess, score_by_board[index]) if index in score_by_board else board
                for index, board in enumerate(self.boards)
            )
        )

    def with_guess(
        self, guess: Sequence[int] | str, secrets: Sequence[Sequence[int] | str]
    ) -> SeveralBoards:
        """Return the boards with one more guess, and its score on each unsolved board.

        Parameters
        ----------
        guess : sequence of int or str
            The guess, as colors from 0 or as text.
        secrets : sequence of codes
            The code of every board, including the solved ones.

        Returns
        -------
        SeveralBoards
            The new boards.

        Raises
        ------
        InputError
            If the guess or a code is invalid.
        """
        scores = [self.game.score(secrets[index], guess) for index in self.unsolved]
        return self.with_scores(guess, scores)

    def without_last(self) -> SeveralBoards:
        """Return the boards without the last guess, if any guess was made."""
        num_rows = max(0, len(self.guesses) - 1)
        return SeveralBoards(
            tuple(Board(board.game, board.rows[:num_rows]) for board in self.boards)
        )

    def to_list(self) -> list[Any]:
        """Return the board lines, for JSON."""
        return [*map(str, self.boards)]
