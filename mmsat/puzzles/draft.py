"""Random boards with exactly one code and no superfluous row."""

import random
from dataclasses import dataclass
from math import log
from typing import NamedTuple

from mmsat.arrays import Array
from mmsat.board import Board
from mmsat.errors import Fault, InputError, SizeError
from mmsat.game.game import Game
from mmsat.game.row import Code, Row
from mmsat.game.unread import agrees_all
from mmsat.limits import LIMITS
from mmsat.strategy.code_list import all_codes

MAX_USELESS_GUESSES = 100
"""Maximum number of consecutive useless guesses before another code is drawn."""
COMPARED_GUESSES = 8
"""Number of guesses among which one is chosen, if the number of rows is requested."""


@dataclass(frozen=True)
class Requirements:
    """Requirements for the board of a puzzle, besides its grade; None means any."""

    rows: int | None = None
    """The number of rows."""
    max_black: int | None = None
    """The maximum number of black key pegs in a row."""
    all_colors: bool = False
    """Whether every color of the code must be in some guess."""
    easy_last: bool = False
    """Whether rows that exclude more codes by themselves come later."""


class Draft(NamedTuple):
    """A board with exactly one code and no superfluous row."""

    board: Board
    code: Code
    distractors: tuple[Code, ...]
    """For each row, a code that violates only this row."""


class Drafts:
    """Draws random boards of one game."""

    def __init__(self, game: Game, requirements: Requirements, rng: random.Random) -> None:
        """List the codes. Raises SizeError for too many, InputError for impossible requests."""
        faults = []
        if game.size < 2:
            faults.append(Fault("", str(game), "a game of at least 2 codes"))
        if requirements.max_black is not None and "black" not in game.parts:
            rule = f"scores of {game} have no blacks"
            faults.append(Fault(rule, requirements.max_black, "no max_black", part="max_black"))
        if requirements.rows == 0:
            faults.append(Fault("", requirements.rows, "1 or more", part="rows"))
        InputError.refuse(faults, "the puzzle")
        if game.size > LIMITS.puzzle_codes:
            smaller = f"a game of up to {LIMITS.puzzle_codes:,} codes"
            raise SizeError.of("puzzles", smaller, f"{game} with {game.size:,} codes")
        self.game, self.requirements, self.rng = game, requirements, rng
        self.codes = all_codes(game)

    def draw(self) -> Draft | None:
        """Draw a code and rows, and remove superfluous rows; None if requests are not met."""
        code_index = self.rng.randrange(len(self.codes))
        rows = self._draw_rows(self.code(code_index))
        if rows is None:
            return None
        violations = [~agrees_all(self.game, self.codes, row) for row in rows]
        violation_counts = sum(violated.astype("u4") for violated in violations)
        kept = list(range(len(rows)))
        for row in self.rng.sample(kept, len(kept)):
            if not ((violation_counts == 1) & violations[row]).any():
                kept.remove(row)
                violation_counts = violation_counts - violations[row]
        if self.requirements.easy_last:
            kept.sort(key=lambda row: (int(violations[row].sum()), rows[row].guess))
        board = Board(self.game, tuple(rows[row] for row in kept))
        if not self._meets_requirements(board, self.code(code_index)):
            return None
        near_misses = (((violation_counts == 1) & violations[row]).nonzero()[0] for row in kept)
        distractors = tuple(
            self.code(indices[self.rng.randrange(len(indices))]) for indices in near_misses
        )
        return Draft(board, self.code(code_index), distractors)

    def code(self, index: int) -> Code:
        """Return the code with an index of the list."""
        return tuple(self.codes[index].tolist())

    def _meets_requirements(self, board: Board, code: Code) -> bool:
        """Return whether a board has the requested rows and colors."""
        requirements = self.requirements
        guessed = {color for row in board.rows for color in row.guess}
        has_colors = guessed >= {*code} or not requirements.all_colors
        return has_colors and requirements.rows in {None, len(board.rows)}

    def _draw_rows(self, code: Code) -> list[Row] | None:
        """Return rows that only this code satisfies, each excluding further codes when it is drawn.

        Returns None if too many consecutive guesses are useless.
        """
        rows: list[Row] = []
        remaining = self.codes
        useless = 0
        choices: list[tuple[Row, Array]] = []
        while len(remaining) > 1:
            row = self._draw_row(code)
            after_row = None if row is None else remaining[agrees_all(self.game, remaining, row)]
            if row is None or after_row is None or len(after_row) == len(remaining):
                useless += 1
                if useless >= MAX_USELESS_GUESSES and not choices:
                    return None
            else:
                choices.append((row, after_row))
            if len(choices) == (1 if self.requirements.rows is None else COMPARED_GUESSES) or (
                choices and useless >= MAX_USELESS_GUESSES
            ):
                row, remaining = min(
                    choices, key=lambda choice: self._pace_deviation(len(rows) + 1, len(choice[1]))
                )
                rows.append(row)
                choices, useless = [], 0
        return rows

    def _draw_row(self, code: Code) -> Row | None:
        """Return the row of a random guess, or None.

        The guess must not be the code, nor get too many blacks.
        """
        guess = self.code(self.rng.randrange(len(self.codes)))
        score = self.game.score(code, guess)
        max_black = self.requirements.max_black
        if guess == code or (
            max_black is not None and score[self.game.parts.index("black")] > max_black
        ):
            return None
        return Row(guess, score)

    def _pace_deviation(self, rows: int, remaining_count: int) -> float:
        """Return how far the number of remaining codes deviates from an even pace, on a log scale.

        At this pace, the requested number of rows leaves one code.
        """
        target_rows = self.requirements.rows or 1
        return abs(log(remaining_count) - log(len(self.codes)) * max(0.0, 1 - rows / target_rows))
