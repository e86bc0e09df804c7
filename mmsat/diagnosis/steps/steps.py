"""An explanation by steps: how a contradiction, or everything that is certain, follows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypedDict

from mmsat.board import Board
from mmsat.diagnosis.steps.difficulty import Difficulty, DifficultyJson
from mmsat.diagnosis.steps.step import FactJson, Step, StepJson, literal_dict, total_cost
from mmsat.diagnosis.steps.step_sentences import UNDECIDED, Line, StepSentences
from mmsat.json_types import BoardLine, NonNegative, RowNumbers, Seconds, VerdictName
from mmsat.results.verdict import Status
from mmsat.shown import Shown


class StepsJson(TypedDict):
    """The steps by which a contradiction, or what all codes have in common, follows."""

    board: BoardLine
    verdict: VerdictName
    conflict: RowNumbers
    """For an inconsistent board, the rows of the minimal conflict that is explained, from 1."""
    goals: list[FactJson]
    """For a consistent board, what all codes have in common. Facts that follow from others by the
    rules are omitted."""
    steps: list[StepJson]
    sentences: list[str]
    """The same in words, line by line."""
    cost: NonNegative
    """Sum of the costs of all steps."""
    difficulty: DifficultyJson | None
    """Null if the explanation is not complete."""
    optimal: Literal[False]
    """Always false: none of the steps can be omitted, but another chain may be shorter."""
    complete: bool
    """Whether everything is explained; false if the time was up before. Then some steps may be
    superfluous."""
    seconds: Seconds


@dataclass(frozen=True, repr=False)
class Steps(Shown):
    """The steps by which the contradiction of a board, or its backbone, follows."""

    board: Board
    """The board that is explained."""
    status: Status
    """Whether the board is consistent."""
    steps: tuple[Step, ...]
    """The steps in order. For an inconsistent board, the last one is the contradiction."""
    goals: tuple[int, ...]
    """For a consistent board, the literals to derive: the colors of pegs, absent colors and counts
    of colors that all codes share. Literals that the rules derive from earlier ones are omitted."""
    conflict: tuple[int, ...]
    """For an inconsistent board, the row indices of the minimal conflict that is explained."""
    is_complete: bool
    """Whether the contradiction, or every goal, is derived; False if the time was up before."""
    seconds: float = field(compare=False)
    """Wall-clock time in seconds."""
    certain: tuple[int, ...] = ()
    """For a consistent board, literals for all certain colors of pegs and counts of colors,
    including implied ones."""

    @classmethod
    def unknown(cls, board: Board) -> Steps:
        """Return the result before anything is known.

        Parameters
        ----------
        board : Board
            The board to explain.

        Returns
        -------
        Steps
            A result without steps, of unknown status.
        """
        return cls(board, Status.UNKNOWN, (), (), (), is_complete=False, seconds=0.0)

    @property
    def cost(self) -> int:
        """The sum of the costs of all steps."""
        return total_cost(self.steps)

    @property
    def difficulty(self) -> Difficulty | None:
        """How hard the steps are for a person; None if the explanation is not complete."""
        return Difficulty.of(self.steps) if self.is_complete else None

    @property
    def grade(self) -> int | None:
        """The grade of the difficulty, 1 to 6; None if the explanation is not complete."""
        return None if self.difficulty is None else self.difficulty.grade

    def lines(self) -> tuple[Line, ...]:
        """Return the explanation in sentences.

        Returns
        -------
        tuple of Line
            One line per sentence, with its `text`.
        """
        return self._lines

    @cached_property
    def _lines(self) -> tuple[Line, ...]:
        return tuple(self._write())

    def _write(self) -> Iterator[Line]:
        if self.status is Status.UNKNOWN:
            yield Line(UNDECIDED)
            return
        sentences = StepSentences(self.board)
        yield Line(sentences.introduce(self.status, self.conflict))
        yield from sentences.lines(self.steps, "", {}, 0)
        for text in sentences.conclude(self.status, self.certain, is_complete=self.is_complete):
            yield Line(text)
        if self.steps and self.difficulty is not None:
            yield Line(self.difficulty.sentence())

    def to_dict(self) -> StepsJson:
        """Return the JSON keys; see schemas/steps.json."""
        variables = self.board.game.variables
        return {
            "board": str(self.board),
            "verdict": str(self.status),
            "conflict": [row + 1 for row in self.conflict],
            "goals": [literal_dict(variables, each) for each in self.goals],
            "steps": [each.to_dict(variables) for each in self.steps],
            "sentences": [line.text for line in self.lines()],
            "cost": self.cost,
            "difficulty": None if self.difficulty is None else self.difficulty.to_dict(),
            "optimal": False,
            "complete": self.is_complete,
            "seconds": round(self.seconds, 6),
        }
