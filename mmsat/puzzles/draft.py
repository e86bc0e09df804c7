"""Boards with exactly one code and no superfluous row, drawn at random."""

import random
from math import log
from typing import NamedTuple

from mmsat.arrays import Array
from mmsat.board import Board
from mmsat.errors import Fault, InputError, SizeError
from mmsat.frozen import frozen
from mmsat.game.game import Game
from mmsat.game.row import Code, Row
from mmsat.game.unread import agrees_all
from mmsat.limits import LIMITS
from mmsat.strategy.code_list import all_codes

PATIENCE = 100
"""Guesses in a row that tell nothing new, after which another code is drawn."""
CHOICES = 8
"""Guesses that are compared where the number of rows is wished."""


@frozen
class Wish:
    """What the board of a puzzle must be, besides its grade; None is all the same."""

    rows: int | None = None
    """How many."""
    most_black: int | None = None
    """No row has more."""
    all_colors: bool = False
    """Every color of the code is in some guess."""
    easy_last: bool = False
    """Rows that say more come later: those that rule out more codes by themselves."""


class Draft(NamedTuple):
    """A board with exactly one code, of which no row can be left out."""

    board: Board
    code: Code
    distractors: tuple[Code, ...]
    """For each row a code that misses this one alone."""


class Drafts:
    """Draws boards of one game."""

    def __init__(self, game: Game, wish: Wish, rng: random.Random) -> None:
        """List the codes; raises SizeError where they are too many, InputError where too few."""
        faults = []
        if game.size < 2:
            faults.append(Fault("one code alone is no puzzle", str(game), "a game of more codes"))
        if wish.most_black is not None and "black" not in game.parts:
            rule = f"the scores of a {game} game have no blacks"
            faults.append(Fault(rule, wish.most_black, "no most_black", part="most_black"))
        if wish.rows == 0:
            faults.append(Fault("", wish.rows, "1 row or more", part="rows"))
        InputError.refuse(faults, "the puzzle")
        if game.size > LIMITS.puzzle_codes:
            smaller = f"a game of up to {LIMITS.puzzle_codes:,} codes"
            raise SizeError.of("puzzles", smaller, f"{game} with {game.size:,}")
        self.game, self.wish, self.rng = game, wish, rng
        self.codes = all_codes(game)

    def draw(self) -> Draft | None:
        """Draw a code and rows, and leave superfluous rows out; None where that is no wish."""
        place = self.rng.randrange(len(self.codes))
        rows = self._draw_rows(self.code(place))
        if rows is None:
            return None
        fails = [~agrees_all(self.game, self.codes, row) for row in rows]
        misses = sum(each.astype("u4") for each in fails)
        kept = list(range(len(rows)))
        for row in self.rng.sample(kept, len(kept)):
            if not ((misses == 1) & fails[row]).any():
                kept.remove(row)
                misses = misses - fails[row]
        if self.wish.easy_last:
            kept.sort(key=lambda row: (int(fails[row].sum()), rows[row].guess))
        board = Board(self.game, tuple(rows[row] for row in kept))
        if not self._is_wished(board, self.code(place)):
            return None
        near = (((misses == 1) & fails[row]).nonzero()[0] for row in kept)
        distractors = tuple(self.code(each[self.rng.randrange(len(each))]) for each in near)
        return Draft(board, self.code(place), distractors)

    def code(self, place: int) -> Code:
        """The code at a place of the list."""
        return tuple(self.codes[place].tolist())

    def _is_wished(self, board: Board, code: Code) -> bool:
        """Whether a board has the rows and the colors that are wished."""
        wish = self.wish
        guessed = {color for row in board.rows for color in row.guess}
        has_colors = guessed >= {*code} or not wish.all_colors
        return has_colors and wish.rows in {None, len(board.rows)}

    def _draw_rows(self, code: Code) -> list[Row] | None:
        """Rows that leave this code alone, each of which tells something new when it is drawn."""
        rows: list[Row] = []
        left = self.codes
        useless = 0
        choices: list[tuple[Row, Array]] = []
        while len(left) > 1:
            row = self._draw_row(code)
            rest = None if row is None else left[agrees_all(self.game, left, row)]
            if row is None or rest is None or len(rest) == len(left):
                useless += 1
                if useless >= PATIENCE and not choices:
                    return None
            else:
                choices.append((row, rest))
            if len(choices) == (1 if self.wish.rows is None else CHOICES) or (
                choices and useless >= PATIENCE
            ):
                row, left = min(choices, key=lambda each: self._stray(len(rows) + 1, len(each[1])))
                rows.append(row)
                choices, useless = [], 0
        return rows

    def _draw_row(self, code: Code) -> Row | None:
        """A row of a random guess, unless it gives the code away."""
        guess = self.code(self.rng.randrange(len(self.codes)))
        score = self.game.score(code, guess)
        most = self.wish.most_black
        if guess == code or (most is not None and score[self.game.parts.index("black")] > most):
            return None
        return Row(guess, score)

    def _stray(self, rows: int, left: int) -> float:
        """How far so many codes after so many rows are off the pace that the wished rows set."""
        wished = self.wish.rows or 1
        return abs(log(left) - log(len(self.codes)) * max(0.0, 1 - rows / wished))
