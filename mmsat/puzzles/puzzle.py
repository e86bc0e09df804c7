"""A puzzle with its solution."""

from dataclasses import dataclass
from typing import Any

from mmsat.board import Board
from mmsat.diagnosis.steps.steps import Steps
from mmsat.game.row import Code
from mmsat.puzzles.padlock import clues
from mmsat.shown import Shown


@dataclass(frozen=True, repr=False)
class Puzzle(Shown):
    """A board with exactly one code and no superfluous row."""

    board: Board
    """The board of the puzzle."""
    code: Code
    """The solution, with colors from 0."""
    distractors: tuple[Code, ...]
    """For each row, a code that satisfies all other rows, which shows that the row is needed."""
    steps: Steps
    """The deduction of the solution."""

    @property
    def grade(self) -> int:
        """The difficulty of the hardest step, 1 to 6."""
        return self.steps.grade or 1

    def to_dict(self) -> dict[str, Any]:
        """Return a dict for JSON, with colors from 1; see schemas/puzzle.json."""
        solution = self.steps.to_dict()
        return {
            "board": str(self.board),
            "code": [color + 1 for color in self.code],
            "grade": self.grade,
            "rows": len(self.board.rows),
            "clues": clues(self.board),
            "distractors": [[color + 1 for color in code] for code in self.distractors],
            **{key: solution[key] for key in ("difficulty", "steps", "sentences")},
        }
