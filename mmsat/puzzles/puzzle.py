"""A puzzle with its solution."""

from dataclasses import dataclass
from typing import TypedDict

from mmsat.board import Board
from mmsat.diagnosis.steps.difficulty import Difficulty, DifficultyJson, Grade
from mmsat.diagnosis.steps.step import StepJson
from mmsat.diagnosis.steps.steps import Steps
from mmsat.game.row import Code
from mmsat.json_types import BoardLine, ColorList, Positive
from mmsat.puzzles.padlock import clues
from mmsat.shown import Shown


class PuzzleJson(TypedDict):
    """A board with exactly one code and no superfluous row."""

    board: BoardLine
    code: ColorList
    """The solution."""
    grade: Grade
    """Grade of the difficulty, from 1 to 6."""
    rows: Positive
    """Number of rows."""
    clues: list[str]
    """Each row in the words of a padlock puzzle; empty if scores are marks or of pairs."""
    distractors: list[ColorList]
    """For each row, a code that satisfies all other rows."""
    difficulty: DifficultyJson
    steps: list[StepJson]
    """The deduction of the solution."""
    sentences: list[str]
    """The same in words, line by line."""


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

    def to_dict(self) -> PuzzleJson:
        """Return a dict for JSON, with colors from 1; see schemas/puzzle.json."""
        solution = self.steps.to_dict()
        return {
            "board": str(self.board),
            "code": [color + 1 for color in self.code],
            "grade": self.grade,
            "rows": len(self.board.rows),
            "clues": clues(self.board),
            "distractors": [[color + 1 for color in code] for code in self.distractors],
            "difficulty": Difficulty.of(self.steps.steps).to_dict(),
            "steps": solution["steps"],
            "sentences": solution["sentences"],
        }
