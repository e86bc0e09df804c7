"""Explanations in steps, which show how a contradiction, or everything that is certain, follows.

`StepSentences` puts the steps into sentences for players. Each premise is cited with the number of
its step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple, TypedDict

from mmsat._util.results import BoardLine, NonNegative, RowNumbers, Seconds, Shown, VerdictName
from mmsat._util.text import capitalize, join_words, noun_phrase
from mmsat.diagnosis.sentences import Phrases, clauses
from mmsat.diagnosis.steps.step import (
    Difficulty,
    DifficultyJson,
    FactJson,
    Step,
    StepJson,
    Way,
    literal_dict,
    total_cost,
)
from mmsat.game.board import Board, Status

MAX_REPEATED_STEPS = 6
"""Maximum number of earlier steps whose literals are repeated. If a step uses more, only their
numbers are given."""
SUPPOSED = "supposed"
"""The source of a supposed literal, instead of a step number."""


UNDECIDED = "Undecided: the search ended before a verdict was found."


class StepLine(NamedTuple):
    """One line of an explanation."""

    text: str
    """The sentence."""
    depth: int = 0
    """The number of suppositions around the line."""
    step: Step | None = None
    """The step of the line; None for an introduction, a supposition or a conclusion."""


class StepSentences:
    """Puts the steps of one board into words."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.phrases = Phrases(board)
        self.literals = self.phrases.literals

    def introduce(self, status: Status, conflict: Sequence[int]) -> str:
        """Return the introduction, which names the conflicting rows of an inconsistent board."""
        if status is Status.CONSISTENT:
            return "Consistent. These steps show what all remaining codes have in common."
        if not conflict:
            return "Inconsistent: no code gets exactly these scores."
        rows = noun_phrase("row", [row + 1 for row in conflict])
        quantifier = ("", "both ", "all ")[min(len(conflict), 3) - 1]
        return f"Inconsistent: {rows} can't {quantifier}be right. These steps show why."

    def conclude(
        self, status: Status, certain: Sequence[int], *, is_complete: bool
    ) -> Iterator[str]:
        """Yield the conclusion, which lists all certain colors and numbers of pegs.

        Other facts may be certain, too, such as a color that a peg does not have.
        """
        uncertain = f"{self.phrases.noun} or number of {self.phrases.place}s is certain"
        if not is_complete:
            yield "Time limit reached: the steps may not be complete."
        elif status is Status.INCONSISTENT:
            yield "So no code gets exactly these scores."
        elif certain:
            yield f"Certain: {self.literals(certain)}."
            if not self.solves(certain):
                yield f"No other {uncertain}."
        else:
            yield f"No {uncertain} yet."

    def solves(self, certain: Iterable[int]) -> bool:
        """Return whether the color of every peg is certain."""
        variables = self.board.game.variables
        peg_literals = [literal for literal in certain if literal > 0 and variables.is_at(literal)]
        return len(peg_literals) == variables.pegs

    def lines(
        self, steps: Iterable[Step], prefix: str, sources: Mapping[int, str], depth: int
    ) -> Iterator[StepLine]:
        """Yield the numbered lines of a chain.

        `sources` has the step number of each earlier literal.
        """
        known_sources = dict(sources)
        for number, step in enumerate(steps, 1):
            label = f"{prefix}{number}"
            if step.supposed is not None:
                yield StepLine(f"{label}. Suppose {self.literals([step.supposed])}.", depth)
                inner_sources = known_sources | {step.supposed: SUPPOSED}
                yield from self.lines(step.steps, f"{label}.", inner_sources, depth + 1)
                yield StepLine(f"So {self.literals(step.found)}. [{label}]", depth, step)
            else:
                yield StepLine(f"{label}. {self.sentence(step, known_sources)}", depth, step)
            known_sources.update(dict.fromkeys(step.found, label))

    def sentence(self, step: Step, sources: Mapping[int, str]) -> str:
        """Return the sentence of a step, without its number."""
        premises = self.premises(step.literals, sources)
        found = self.literals(step.found) if step.found else ""
        if step.way is Way.RULES and step.found:
            scope = "in every remaining word, " if self.phrases.is_listed else ""
            reason = f"as {premises}" if premises else "by the rules"
            return f"{capitalize(reason)}, {scope}{found}."
        if step.way is Way.RULES:
            if self.phrases.is_listed:
                return f"No word remains, as {premises}."
            return f"{capitalize(premises)}: that can't be."
        rows = self.rows(step.rows)
        row_count = len(step.rows)
        quantifier = ("", "", "both ", "all ")[min(row_count, 3)]
        if step.way is Way.LISTING and step.found:
            clause = f"in every word that fits {rows}, {found}"
        elif step.way is Way.LISTING:
            clause = f"no word fits {rows}"
        elif not step.found:
            clause = f"{rows} can't {quantifier}be right{self.flaw(step)}"
        elif step.way is Way.FAILED_LITERAL:
            clause = f"{rows} can {quantifier}be right only if {found}"
        elif row_count > 1:
            clause = f"{rows} together mean that {found}"
        else:
            clause = f"{rows} {'means' if premises else 'says'} that {found}"
        return f"{capitalize(f'as {premises}, {clause}' if premises else clause)}."

    def flaw(self, step: Step) -> str:
        """Return a colon and why rows contradict each other without earlier literals.

        The result is empty if no short reason is known.
        """
        if step.literals:
            return ""
        game = self.board.game
        flaws = [game.scoring.flaw(game.pegs, self.board.rows[row].score) for row in step.rows]
        why = next((flaw for flaw in flaws if flaw), None) or "; ".join(
            clauses(self.board, step.facts)
        )
        return f": {why}" if why else ""

    def premises(self, literals: Sequence[int], sources: Mapping[int, str]) -> str:
        """Return the premises with the numbers of their steps; empty if there are none."""
        if not literals:
            return ""
        literals_by_source: dict[str, list[int]] = {}
        for literal in literals:
            literals_by_source.setdefault(sources[literal], []).append(literal)
        if len(literals_by_source) > MAX_REPEATED_STEPS:
            numbers = [source for source in literals_by_source if source != SUPPOSED]
            supposed = literals_by_source.get(SUPPOSED)
            assumption = f", and with {self.literals(supposed)} supposed" if supposed else ""
            return f"steps {join_words(numbers)} found{assumption}"
        return join_words(
            f"{self.literals(source_literals)} [{source}]"
            for source, source_literals in literals_by_source.items()
        )

    def rows(self, rows: Sequence[int]) -> str:
        """Return the row numbers in words, with the scores unless these are marks."""
        scoring = self.board.game.scoring
        if scoring.marks:
            return noun_phrase("row", [row + 1 for row in rows])
        describe = scoring.describe
        scores = [f"{row + 1} ({describe(self.board.rows[row].score)})" for row in rows]
        return noun_phrase("row", scores)


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
    """Whether the contradiction, or every goal, is derived. False if the time limit passed."""
    seconds: float = field(compare=False)
    """Wall-clock time in seconds."""
    certain: tuple[int, ...] = ()
    """For a consistent board, literals for all certain colors of pegs and counts of colors,
    including implied ones."""

    @classmethod
    def unknown(cls, board: Board) -> Steps:
        """Return the steps of an undecided board.

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

    def lines(self) -> tuple[StepLine, ...]:
        """Return the explanation in sentences.

        Returns
        -------
        tuple of StepLine
            One line per sentence, with its `text`.
        """
        return self._lines

    @cached_property
    def _lines(self) -> tuple[StepLine, ...]:
        return tuple(self._write())

    def _write(self) -> Iterator[StepLine]:
        if self.status is Status.UNKNOWN:
            yield StepLine(UNDECIDED)
            return
        sentences = StepSentences(self.board)
        yield StepLine(sentences.introduce(self.status, self.conflict))
        yield from sentences.lines(self.steps, "", {}, 0)
        for text in sentences.conclude(self.status, self.certain, is_complete=self.is_complete):
            yield StepLine(text)
        if self.steps and self.difficulty is not None:
            yield StepLine(self.difficulty.sentence())

    def to_dict(self) -> StepsJson:
        """Return the JSON keys; see schemas/steps.json."""
        variables = self.board.game.variables
        return {
            "board": str(self.board),
            "verdict": str(self.status),
            "conflict": [row + 1 for row in self.conflict],
            "goals": [literal_dict(variables, literal) for literal in self.goals],
            "steps": [step.to_dict(variables) for step in self.steps],
            "sentences": [line.text for line in self.lines()],
            "cost": self.cost,
            "difficulty": None if self.difficulty is None else self.difficulty.to_dict(),
            "optimal": False,
            "complete": self.is_complete,
            "seconds": round(self.seconds, 6),
        }
