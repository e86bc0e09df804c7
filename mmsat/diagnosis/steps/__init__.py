"""Explanations in steps, with the sentences of the steps and the difficulty of a chain of steps.

A step leads from a few rows and earlier literals to new literals. A literal is a number of
mmsat.game.space, negative if it is negated. Rows are numbered from 0 in Python and from 1 in JSON.

The difficulty of a chain for a person is described by four figures: the grade of its hardest step,
and the numbers of steps, rows and cases.

`Steps` is an explanation, which shows how a contradiction, or everything that is certain, follows.
`StepSentences` puts the steps into sentences for players. Each premise is cited with the number of
its step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Literal, NamedTuple, TypedDict

from mmsat._util.results import (
    BoardLine,
    Displayable,
    NonNegative,
    RowNumbers,
    Schema,
    Seconds,
    VerdictName,
)
from mmsat._util.text import capitalize, join_words, noun_phrase, quantity
from mmsat.diagnosis import FactJson, literal_dict
from mmsat.diagnosis.explanation import Fact, Reason, ReasonJson, Trial, TrialJson, find_reason
from mmsat.diagnosis.sentences import UNDECIDED, Phrases, describe_trials, reason_clauses
from mmsat.game.board import Board, Status

ROW_COST = 10
"""The cost of using a row. The rules of the game cost nothing."""
LITERAL_COST = 1
"""The cost of using an earlier literal."""
TRIAL_COST = 5
"""The additional cost of trying literals."""


class Way(StrEnum):
    """The rule by which a step concludes."""

    RULES = "rules"
    """The new literals follow from earlier literals and the rules of the game alone."""
    COUNTING = "counting"
    """The new literals follow by counting with one or two rows (mmsat.diagnosis.steps.rules)."""
    LISTING = "listing"
    """All words of the list that fit the rows agree on the new literals."""
    FAILED_LITERAL = "trying"
    """Each new literal holds because counting with the rows of the step refutes its negation."""
    SUPPOSING = "supposing"
    """The new literal holds because a chain of steps refutes its negation."""


class StepJson(TypedDict):
    """A conclusion from a few rows and earlier facts: new facts, or a contradiction."""

    rows: RowNumbers
    """Numbers of the rows that are used, from 1."""
    facts: list[FactJson]
    """The earlier facts that are used."""
    found: list[FactJson]
    """The new facts; empty if the step is a contradiction."""
    way: Annotated[str, Schema(enum=tuple(map(str, Way)))]
    """The rule: by the rules of the game, by counting with the rows, by listing the words that fit
    them, by trying the negation of each new fact, or by supposing the negation and refuting it in
    several steps."""
    contradiction: bool
    """Whether the step is a contradiction."""
    reason: ReasonJson | None
    """Why the rows contradict each other without earlier facts; null if no short reason is
    known."""
    trials: list[TrialJson]
    """If negations of new facts were tried, why they are refuted."""
    supposed: FactJson | None
    """The supposed fact, which the nested steps refute."""
    steps: list[StepJson]
    """The nested steps from the supposition to the contradiction."""
    cost: NonNegative
    """10 per row, 1 per fact, and 5 for trials; for a supposition, the sum over its steps."""
    optimal: bool
    """Whether no smaller number of earlier facts suffices for this rule; false for a
    supposition."""


@dataclass(frozen=True, slots=True)
class Step:
    """A conclusion from a few rows and earlier literals: new literals, or a contradiction."""

    rows: tuple[int, ...]
    """Row indices, ascending."""
    literals: tuple[int, ...]
    """The earlier literals that are used as premises, in the order in which they were found."""
    found: tuple[int, ...]
    """The new literals; empty if the step is a contradiction."""
    way: Way
    """The rule by which the step concludes."""
    is_optimal: bool
    """Whether no smaller number of earlier literals suffices for this rule; False for a
    supposition."""
    supposed: int | None = None
    """The supposed literal that is refuted; its negation is the new literal. None without
    supposition."""
    steps: tuple[Step, ...] = ()
    """The nested steps from the supposition to the contradiction."""
    facts: tuple[Fact, ...] = field(default=(), compare=False, repr=False)
    """Facts for the sentence, if the rows contradict each other without earlier literals."""
    trials: tuple[Trial, ...] = field(default=(), compare=False, repr=False)
    """Reasons for the sentence, if negations of new literals were tried."""

    @classmethod
    def refutation(
        cls, supposed: int, steps: Sequence[Step], known_literals: Iterable[int]
    ) -> Step:
        """Return the step that refutes a supposition.

        Parameters
        ----------
        supposed : int
            The supposed literal.
        steps : sequence of Step
            The chain from the known literals and the supposition to a contradiction.
        known_literals : iterable of int
            The literals that were known before.

        Returns
        -------
        Step
            The step, whose new literal is the negation.
        """
        used_literals = {literal for step in steps for literal in step.literals}
        return cls(
            tuple(sorted({row for step in steps for row in step.rows})),
            tuple(
                literal
                for literal in known_literals
                if literal in used_literals and literal != supposed
            ),
            (-supposed,),
            Way.SUPPOSING,
            is_optimal=False,
            supposed=supposed,
            steps=tuple(steps),
        )

    @property
    def cost(self) -> int:
        """The cost of the step: 10 per row, 1 per literal, and 5 for trials.

        For a supposition, the sum over its nested steps.
        """
        if self.steps:
            return total_cost(self.steps)
        trial_cost = TRIAL_COST * (self.way is Way.FAILED_LITERAL)
        return ROW_COST * len(self.rows) + LITERAL_COST * len(self.literals) + trial_cost

    @property
    def depth(self) -> int:
        """The maximum number of suppositions nested in each other."""
        nested_depth = max((step.depth for step in self.steps), default=0)
        return nested_depth + (self.supposed is not None)

    def walk(self) -> Iterator[Step]:
        """Yield the nested steps and then this step, in the order of the reasoning."""
        for step in self.steps:
            yield from step.walk()
        yield self

    def to_dict(self, board: Board) -> StepJson:
        """Return the JSON keys; see schemas/steps.json.

        Parameters
        ----------
        board : Board
            The board that is explained.

        Returns
        -------
        dict
            The JSON keys, with rows, pegs and colors from 1.
        """
        variables, reason = board.game.variables, contradiction_reason(board, self)
        return {
            "rows": [row + 1 for row in self.rows],
            "facts": [literal_dict(variables, literal) for literal in self.literals],
            "found": [literal_dict(variables, literal) for literal in self.found],
            "way": str(self.way),
            "contradiction": not self.found,
            "reason": None if reason is None else reason.to_dict(board),
            "trials": [trial.to_dict(board) for trial in self.trials],
            "supposed": None if self.supposed is None else literal_dict(variables, self.supposed),
            "steps": [step.to_dict(board) for step in self.steps],
            "cost": self.cost,
            "optimal": self.is_optimal,
        }


def contradiction_reason(board: Board, step: Step) -> Reason | None:
    """Return why the rows of a step contradict each other by themselves; None if unknown."""
    if step.found or step.literals or step.way is Way.LISTING:
        return None
    return find_reason(board, step.rows, step.facts)


def total_cost(steps: Iterable[Step]) -> int:
    """Return the sum of the costs of a chain's steps."""
    return sum(step.cost for step in steps)


MAX_GRADE = 6
"""The highest grade."""
GRADE_KINDS = (
    "one row at a time",
    "several rows together",
    "one row, by trying",
    "several rows, by trying",
    "a supposition",
    "suppositions inside each other",
)
"""For each grade, from 1, the kind of the hardest step."""
Grade = Annotated[int, Schema(minimum=1, maximum=MAX_GRADE)]


class DifficultyJson(TypedDict):
    """How hard the steps are for a person."""

    grade: Grade
    """Grade of the hardest step, from 1 to 6."""
    hardest: Annotated[str, Schema(enum=GRADE_KINDS)]
    """The kind of the hardest step."""
    steps: NonNegative
    """Number of steps, including those inside of suppositions."""
    rows: NonNegative
    """Maximum number of rows of a step that is not a supposition."""
    cases: NonNegative
    """Number of colors and counts that are supposed or tried."""


@dataclass(frozen=True, slots=True)
class Difficulty:
    """The difficulty of a chain.

    The grade, from 1 to 6, is that of the hardest step:

    - 1: counting with one row at a time; also if there is no step,
    - 2: counting with several rows together,
    - 3: trying colors or counts with one row,
    - 4: trying them with several rows,
    - 5: a supposition that steps refute,
    - 6: suppositions inside of suppositions.

    Steps that filter a list of words have grade 1 or 2. A harder rule is only used if no easier one
    applies, so no chain by these rules has a lower grade. Boards of equal grade are compared by the
    number of cases, then by the number of steps.
    """

    grade: int
    """The grade of the hardest step, 1 to 6."""
    steps: int
    """The number of steps, including those inside of suppositions."""
    rows: int
    """The maximum number of rows of a step that is not a supposition."""
    cases: int
    """The number of cases: colors and counts that are supposed or tried."""

    @classmethod
    def of(cls, chain: Iterable[Step]) -> Difficulty:
        """Return the difficulty of a chain of steps.

        Parameters
        ----------
        chain : iterable of Step
            The steps, in order.

        Returns
        -------
        Difficulty
            The figures of the chain.
        """
        top_steps = tuple(chain)
        all_steps = [inner for step in top_steps for inner in step.walk()]
        without_suppositions = [step for step in all_steps if step.supposed is None]
        return cls(
            max((grade_of(step) for step in top_steps), default=1),
            len(all_steps),
            max((len(step.rows) for step in without_suppositions), default=0),
            sum(count_cases(step) for step in all_steps),
        )

    @property
    def key(self) -> tuple[int, int, int]:
        """The sort key of boards, from easy to hard: grade, cases, steps."""
        return self.grade, self.cases, self.steps

    def sentence(self) -> str:
        """Return the difficulty in words."""
        tried = f", {quantity(self.cases, 'case')} tried" if self.cases else ""
        rows = f", at most {self.rows} rows in each" if self.rows > 1 else ""
        steps = quantity(self.steps, "step")
        grade = f"Grade {self.grade} of {MAX_GRADE} ({GRADE_KINDS[self.grade - 1]})"
        return f"{grade}: {steps}{rows}{tried}."

    def to_dict(self) -> DifficultyJson:
        """Return the JSON keys; see schemas/steps.json."""
        return {
            "grade": self.grade,
            "hardest": GRADE_KINDS[self.grade - 1],
            "steps": self.steps,
            "rows": self.rows,
            "cases": self.cases,
        }


def grade_of(step: Step) -> int:
    """Return the grade of a step."""
    if step.supposed is not None:
        return 4 + min(step.depth, 2)  # 5, or 6 if suppositions are nested
    return grade_without_supposition(len(step.rows), step.way)


def grade_without_supposition(row_count: int, way: Way) -> int:
    """Return the grade, 1 to 4, of a step that uses `row_count` rows and is not a supposition."""
    # A step by the rules of the game alone, without rows, has the same grade as one with one row.
    return min(max(1, row_count), 2) + 2 * (way is Way.FAILED_LITERAL)


def count_cases(step: Step) -> int:
    """Return the number of cases that a step supposes or tries, without its nested steps."""
    return len(step.found) if step.way in {Way.FAILED_LITERAL, Way.SUPPOSING} else 0


MAX_REPEATED_STEPS = 6
"""Maximum number of earlier steps whose literals are repeated. If a step uses more, only their
numbers are given."""
SUPPOSED = "supposed"
"""The source of a supposed literal, instead of a step number."""


class StepLine(NamedTuple):
    """One line of an explanation."""

    text: str
    """The sentence."""
    depth: int = 0
    """The number of suppositions around the line."""
    step: Step | None = None
    """The step of the line; None for an introduction, a supposition or a conclusion."""


class StepSentences:
    """Put the steps of one board into words."""

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
        clause = f"{self.phrases.noun} or number of {self.phrases.place}s is certain"
        if not is_complete:
            yield "Time limit reached: the steps may not be complete."
        elif status is Status.INCONSISTENT:
            yield "So no code gets exactly these scores."
        elif certain:
            yield f"Certain: {self.literals(certain)}."
            if not self.solves(certain):
                yield f"No other {clause}."
        else:
            yield f"No {clause} yet."

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
        conclusions = self.literals(step.found) if step.found else ""
        if step.way is Way.RULES and step.found:
            scope = "in every remaining word, " if self.phrases.has_word_list else ""
            reason = f"as {premises}" if premises else "by the rules"
            return f"{capitalize(reason)}, {scope}{conclusions}."
        if step.way is Way.RULES:
            if self.phrases.has_word_list:
                return f"No word remains, as {premises}."
            return f"{capitalize(premises)}: that can't be."
        rows = self.rows(step.rows)
        row_count = len(step.rows)
        quantifier = ("", "", "both ", "all ")[min(row_count, 3)]
        if step.way is Way.LISTING and step.found:
            clause = f"in every word that fits {rows}, {conclusions}"
        elif step.way is Way.LISTING:
            clause = f"no word fits {rows}"
        elif not step.found:
            why = "; ".join(reason_clauses(self.board, contradiction_reason(self.board, step)))
            clause = f"{rows} can't {quantifier}be right{f': {why}' if why else ''}"
        elif step.way is Way.FAILED_LITERAL:
            conclusions += describe_trials(self.phrases, step.trials)
            clause = f"{rows} can {quantifier}be right only if {conclusions}"
        elif row_count > 1:
            clause = f"{rows} together mean that {conclusions}"
        else:
            clause = f"{rows} {'means' if premises else 'says'} that {conclusions}"
        return f"{capitalize(f'as {premises}, {clause}' if premises else clause)}."

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
            assumption = f", and supposing that {self.literals(supposed)}" if supposed else ""
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
    certain: list[FactJson]
    """For a consistent board, all certain colors of pegs and bounds of numbers of pegs, including
    implied ones."""
    steps: list[StepJson]
    sentences: list[str]
    """The same in words, line by line."""
    cost: NonNegative
    """Sum of the costs of all steps."""
    difficulty: DifficultyJson | None
    """Null if the explanation is not complete."""
    optimal: Literal[False]
    """Always false, because another chain of steps may be shorter."""
    complete: bool
    """Whether everything is explained; false if the time was up before. Then some steps may be
    superfluous."""
    seconds: Seconds


@dataclass(frozen=True, repr=False)
class Steps(Displayable):
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
    """For a consistent board, all certain colors of pegs and counts of colors, as literals."""

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
        """Yield the introduction, the steps, the conclusion and the difficulty."""
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
            "certain": [literal_dict(variables, literal) for literal in self.certain],
            "steps": [step.to_dict(self.board) for step in self.steps],
            "sentences": [line.text for line in self.lines()],
            "cost": self.cost,
            "difficulty": None if self.difficulty is None else self.difficulty.to_dict(),
            "optimal": False,
            "complete": self.is_complete,
            "seconds": round(self.seconds, 6),
        }
