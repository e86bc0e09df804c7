"""Verdicts, with the conflicts and corrections that they contain.

A `Verdict` states whether a board is consistent. A consistent board comes with a code as witness,
an inconsistent one with a conflict and corrections.

`Fact` and `Change`, of which conflicts and corrections consist, are in explanation.py. A consistent
board has none, so `check` loads that module only if a board is inconsistent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, NotRequired, TypeAlias, TypedDict

import mmsat
from mmsat._util.arguments import RULES, instance_of
from mmsat._util.results import (
    BoardLine,
    CodeText,
    ColorList,
    Digits,
    Displayable,
    ExactProbability,
    NonNegative,
    Positive,
    RowNumber,
    Schema,
    ScoreList,
    Seconds,
    Share,
    Unchecked,
    VerdictName,
)
from mmsat.counting import Count
from mmsat.errors import MmsatError
from mmsat.game import Code
from mmsat.game.board import Board, Status
from mmsat.game.refutation import Refutation, RefutationJson
from mmsat.game.space import VariableMap
from mmsat.game.tolerance import STRICT, Miss, Tolerance, ToleranceJson

if TYPE_CHECKING:
    from fractions import Fraction


class LiteralJson(TypedDict):
    """A peg has a color, or at least `least` pegs have it. The fact may be negated."""

    peg: NotRequired[Positive]
    color: Positive
    least: NotRequired[Positive]
    """Minimum number of pegs with the color."""
    true: bool
    """False for the negation."""


FactJson: TypeAlias = Annotated[
    LiteralJson, Schema(oneOf=({"required": ["peg"]}, {"required": ["least"]}))
]


def literal_dict(variables: VariableMap, literal: int) -> LiteralJson:
    """Return a literal as a dict for JSON.

    It states that `peg` has `color`, or that at least `least` pegs have it; if `true` is false, the
    negation. Pegs and colors are numbered from 1.
    """
    if variables.is_at(literal):
        peg, color = variables.peg_color(literal)
        return {"peg": peg + 1, "color": color + 1, "true": literal > 0}
    color, count = variables.color_count(literal)
    return {"color": color + 1, "least": count, "true": literal > 0}


ConflictJson: TypeAlias = Annotated[
    list[Positive],
    Schema(
        minItems=1,
        uniqueItems=True,
        description="Row numbers, from 1: no code satisfies all of these rows, but some code "
        "satisfies all of them except one.",
    ),
]


@dataclass(frozen=True)
class Conflict:
    """A minimal set of rows that no code satisfies together (MUS).

    If any one of them is removed, some code satisfies the others. With lies, every code violates
    more of the rows than the tolerance allows.
    """

    rows: tuple[int, ...]
    """Row indices, ascending."""
    refutation: Refutation | None = field(default=None, compare=False, repr=False)
    """A short proof that no code satisfies the rows. None if none was found; only two-color boards
    have one."""
    facts: tuple[mmsat.LiteralsFact | mmsat.ScoreFact | mmsat.CommonFact, ...] = field(
        default=(), compare=False, repr=False
    )
    """Statements that contradict each other, each implied by one row; empty if none were found in
    time."""
    derivation: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """Sentences in which presolve derives the contradiction; empty unless requested and found."""

    def sort_key(self) -> tuple[int, tuple[int, ...]]:
        """Return the sort key: the number of rows, then the rows."""
        return len(self.rows), self.rows

    def to_dict(self) -> ConflictJson:
        """Return the row numbers from 1, for JSON."""
        return [row + 1 for row in self.rows]


# A class statement cannot define the key `from`, which is a keyword.
_FromJson = TypedDict(
    "_FromJson",
    {"from": Annotated[ScoreList, Schema(description="The score on the board.")]},
)


class ScoreChangeJson(_FromJson):
    """A changed score of one row."""

    row: RowNumber
    to: ScoreList
    """The score that may have been meant."""


class ChangeJson(ScoreChangeJson):
    """A changed score of one row, and the kind of mistake."""

    slip: str
    """The kind of mistake in a few words; empty if it has no name."""


class ChangesJson(TypedDict):
    """A set of changed scores that makes the board consistent."""

    changes: list[ChangeJson]
    """The changed rows, ascending."""
    cost: NonNegative
    """Number of changed rows."""
    codes: Digits | None
    """Number of codes that remain; null if it was not counted."""
    codes_exact: bool
    """Whether `codes` is exact rather than a lower bound."""


class ProbableChangesJson(ChangesJson):
    """A set of changed scores that makes the board consistent, and its probability."""

    chance: ExactProbability | None
    """The probability that these scores were meant, under the assumptions of `mistaken`; null if
    codes were not counted, or if there may be more corrections."""


CorrectionJson: TypeAlias = Annotated[
    ProbableChangesJson, Schema(properties={"changes": {"minItems": 1}, "cost": {"minimum": 1}})
]


@dataclass(frozen=True)
class Correction:
    """A set of changed scores that makes a board consistent."""

    changes: tuple[mmsat.Change, ...]
    """The changed rows, ascending."""
    codes: Count | None
    """Number of codes that remain with the changed scores; None if it was not counted."""
    likelihood: int
    """Relative likelihood of the changes, compared with other corrections of the board.

    It is the sum, over the remaining codes, of the weight of the scoring mistakes ("slips") that
    lead from the right scores to those of the board; see diagnosis/corrections.py.
    """
    is_likelihood_exact: bool = True
    """Whether all remaining codes were counted and weighted."""

    @property
    def cost(self) -> int:
        """The number of changed rows."""
        return len(self.changes)

    @property
    def rows(self) -> tuple[int, ...]:
        """The indices of the changed rows, ascending."""
        return tuple(change.row for change in self.changes)

    @property
    def weight(self) -> int:
        """The likelihood from which probabilities are computed; 0 if the codes were not counted."""
        return self.likelihood if self.codes else 0

    def sort_key(self) -> tuple[object, ...]:
        """Return the sort key: the fewest changes first, then the most probable correction.

        Ties are broken by the rows and the scores.
        """
        rows = [change.row for change in self.changes]
        scores = [
            [-1 if part is None else part for part in change.after] for change in self.changes
        ]
        return self.cost, -self.weight, rows, scores

    def to_dict(self) -> ChangesJson:
        """Return a dict for JSON, with rows from 1.

        `codes` is null if the codes were not counted. `codes_exact` is false if they were not
        counted, or if `codes` is a lower bound.
        """
        return {
            "changes": [change.to_dict() for change in self.changes],
            "cost": self.cost,
            "codes": None if self.codes is None else str(self.codes.count),
            "codes_exact": self.codes is not None and self.codes.exact,
        }


class MistakeJson(TypedDict):
    """The probability that the score of a row is mistaken."""

    row: RowNumber
    chance: ExactProbability
    decimal: Share
    """The same, rounded to nine decimal places."""


def select_correction(corrections: Sequence[Correction]) -> Correction | None:
    """Return the most probable of the corrections that change a most likely mistaken row.

    The most probable correction of all may change another row, because several corrections of one
    row can be more probable together. If all probabilities are unknown, return the first
    correction.
    """
    row_weights: Counter[int] = Counter()
    for correction in corrections:
        for row in correction.rows:
            row_weights[row] += correction.weight
    highest = max(row_weights.values(), default=0)
    likely = (
        correction
        for correction in corrections
        if any(row_weights[row] == highest for row in correction.rows)
    )
    return max(likely, key=lambda correction: correction.weight, default=None)


class HasCorrections:
    """Base class of results with corrections, and the probabilities of mistakes that they imply."""

    board: Board
    corrections: tuple[Correction, ...]
    all_corrections: bool

    @property
    def correction(self) -> Correction | None:
        """The most probable of the corrections that change a most likely mistaken row, or None.

        It is not always the first of `corrections`, because several corrections of another row can
        be more probable together.
        """
        return select_correction(self.corrections)

    @property
    def chances(self) -> tuple[Fraction | None, ...]:
        """For each correction, the probability that it is right; None if its codes are not counted.

        The assumptions are those of `mistaken`.
        """
        if not self.corrections:
            return ()
        from fractions import Fraction

        weights = [correction.weight for correction in self.corrections]
        total = sum(weights)
        return tuple(Fraction(weight, total) if weight else None for weight in weights)

    @property
    def mistaken(self) -> tuple[Fraction, ...]:
        """For each row, the probability that its score is mistaken; empty if unknown.

        It is assumed that the number of mistakes is as small as possible. Each code is weighted by
        the scoring mistakes that lead from its scores to those of the board.
        """
        rows_and_chances = [
            ({change.row for change in correction.changes}, chance)
            for correction, chance in zip(self.corrections, self.chances, strict=True)
            if chance is not None
        ]
        if not rows_and_chances:
            return ()
        from fractions import Fraction

        return tuple(
            sum((chance for rows, chance in rows_and_chances if row in rows), Fraction())
            for row in range(len(self.board.rows))
        )

    @property
    def mistaken_exactly(self) -> bool:
        """Whether `mistaken` is exact: all corrections and all their codes are known."""
        return self.all_corrections and all(
            correction.codes and correction.codes.exact and correction.is_likelihood_exact
            for correction in self.corrections
        )

    def chance_of(self, correction: Correction) -> Fraction | None:
        """Return the probability that a correction is right; see `chances`.

        Parameters
        ----------
        correction : Correction
            One of the corrections.

        Returns
        -------
        Fraction or None
            The probability, or None if the codes of the correction were not counted.
        """
        return self.chances[self.corrections.index(correction)]

    def _correction_dict(self, correction: Correction, chance: Fraction | None) -> CorrectionJson:
        """Return a correction and its probability for JSON.

        The probability is null if there may be more corrections.
        """
        is_known = chance is not None and self.all_corrections
        return {**correction.to_dict(), "chance": str(chance) if is_known else None}

    def correction_dicts(self) -> list[CorrectionJson]:
        """Return the corrections and their probabilities for JSON."""
        return [*map(self._correction_dict, self.corrections, self.chances)]

    def mistake_dicts(self) -> list[MistakeJson]:
        """Return the probability of a mistake in each row for JSON, with rows from 1."""
        return [
            {"row": row, "chance": str(chance), "decimal": round(float(chance), 9)}
            for row, chance in enumerate(self.mistaken, 1)
        ]


class MissJson(TypedDict):
    """A row that the witness violates."""

    row: RowNumber
    score: ScoreList
    """The score of the witness in this row."""
    pegs: Positive
    """Number of key pegs by which the two scores differ."""


class UnlistedJson(TypedDict, total=False):
    """A code outside of the word list."""

    unlisted: ColorList
    """In an inconsistent game of words: a code outside of the word list that gets the scores, so
    the list may lack the secret. Without such a code, the key is missing."""


class WitnessTextJson(TypedDict, total=False):
    """The text of the witness."""

    witness_text: CodeText


class UncheckedJson(TypedDict, total=False):
    """Whether nothing confirms the answer "inconsistent"."""

    unchecked: Unchecked


class VerdictJson(ToleranceJson, UnlistedJson, WitnessTextJson, UncheckedJson):
    """Whether a board is consistent, with a witness, or with a conflict and a correction."""

    board: BoardLine
    verdict: VerdictName
    witness: ColorList | None
    """A consistent code."""
    engine: str
    """Name of the engine that decided."""
    seconds: Seconds
    """Wall-clock time of the decision, in seconds."""
    reason_seconds: Seconds
    """Wall-clock time of the search for the conflict and the correction, in seconds."""
    conflict: ConflictJson | None
    """One minimal conflict."""
    refutation: RefutationJson | None
    correction: CorrectionJson | None
    """The most probable of the cheapest corrections that change a most likely mistaken row."""
    mistaken: NotRequired[Annotated[list[MistakeJson], Schema(requires=("mistaken_exactly",))]]
    """The probability that the score of each row is mistaken, as in the output of mmsat explain;
    only if corrections were found."""
    mistaken_exactly: NotRequired[Annotated[bool, Schema(requires=("mistaken",))]]
    """Whether these probabilities are exact."""
    missed: NotRequired[Annotated[list[MissJson], Schema(requires=("lies",))]]
    """The rows that the witness violates; only with lies."""


VERDICT_RULES = Schema(
    allOf=(
        {
            "if": {"properties": {"verdict": {"const": "consistent"}}},
            "then": {
                "properties": {
                    "witness": {"not": {"type": "null"}},
                    "conflict": {"type": "null"},
                    "refutation": {"type": "null"},
                    "correction": {"type": "null"},
                }
            },
            "else": {"properties": {"witness": {"type": "null"}}},
        },
        {"dependentRequired": {"lies": ["missed"]}},
    )
)
"""Relations between the keys of a verdict."""


@dataclass(frozen=True, repr=False)
class Decided:
    """Base class of results that an engine, which can be a plug-in, decided."""

    plugin: str = field(default="", kw_only=True)
    """The plug-in that decided, such as "engine module:Class"; empty for built-in engines."""


@dataclass(frozen=True, repr=False)
class Verdict(Decided, Displayable, HasCorrections):
    """Whether a board is consistent, with a witness, or with a conflict and corrections.

    `bool(verdict)` is True if the board is consistent.

    Raises
    ------
    MmsatError
        If `bool()` is called and the status is unknown.
    """

    board: Board
    """The decided board."""
    status: Status
    """Whether the board is consistent within the tolerance."""
    witness: Code | None
    """A consistent code, with colors from 0, verified by scoring it against every row; None if the
    board is inconsistent or the status is unknown."""
    engine: str
    """Name of the engine that decided."""
    seconds: float = field(compare=False)
    """Wall-clock time of the decision, in seconds."""
    conflict: Conflict | None = None
    """If the board is inconsistent and reasons were requested, one minimal conflict; otherwise, or
    if none was found in time, None."""
    corrections: tuple[Correction, ...] = ()
    """If the board is inconsistent and reasons were requested, the cheapest corrections found, the
    most probable first; otherwise empty."""
    all_corrections: bool = False
    """Whether every cheapest correction is listed."""
    choice: str = ""
    """Why this engine was chosen, in one line; empty if the engine was given."""
    tolerance: Tolerance = STRICT
    """How wrong scores may be. Consistent means consistent within this tolerance."""
    reason_seconds: float = field(default=0.0, compare=False)
    """Wall-clock time of the search for the conflict and the corrections, in seconds."""
    unlisted: Code | None = None
    """In an inconsistent game of words, a code outside of the word list that gets the scores, with
    colors from 0; None if none was found."""

    @property
    def is_unchecked(self) -> bool:
        """Whether only a plug-in states that the board is inconsistent, without a conflict."""
        is_refuted = self.status is Status.INCONSISTENT and self.conflict is None
        return is_refuted and self.plugin != ""

    @property
    def misses(self) -> tuple[Miss, ...]:
        """The rows that the witness violates; empty without lies or without a witness."""
        if self.witness is None:
            return ()
        return self.tolerance.misses(self.board, self.witness)

    @property
    def is_consistent(self) -> bool | None:
        """True or False; None if the status is unknown."""
        decided = {Status.CONSISTENT: True, Status.INCONSISTENT: False}
        return decided.get(self.status)

    def __bool__(self) -> bool:
        """Return whether the board is consistent; raise MmsatError if that is unknown."""
        if self.is_consistent is None:
            raise MmsatError(
                "the verdict is unknown, so it is neither true nor false; see is_consistent"
            )
        return self.is_consistent

    def to_dict(self) -> VerdictJson:
        """Return a dict for JSON, with rows and colors from 1; see schemas/check.json."""
        from mmsat.game.notation.document import add_text

        document: VerdictJson = {
            "board": str(self.board),
            "verdict": str(self.status),
            "witness": None if self.witness is None else [color + 1 for color in self.witness],
            "engine": self.engine,
            "seconds": round(self.seconds, 6),
            "reason_seconds": round(self.reason_seconds, 6),
            "conflict": None if self.conflict is None else self.conflict.to_dict(),
            "refutation": refutation_dict(self.conflict),
            "correction": None,
        }
        if selected := self.correction:
            chance = self.chance_of(selected)
            document["correction"] = self._correction_dict(selected, chance)
        add_text(self.board.game, document, "witness")
        if self.corrections:
            document["mistaken"] = self.mistake_dicts()
            document["mistaken_exactly"] = self.mistaken_exactly
        if self.tolerance.lies:
            document["lies"], document["by"] = self.tolerance.lies, self.tolerance.by
            scoring = self.board.game.scoring
            document["missed"] = [
                {"row": miss.row + 1, "score": scoring.to_json(miss.score), "pegs": miss.pegs}
                for miss in self.misses
            ]
        if self.unlisted is not None:
            document["unlisted"] = [color + 1 for color in self.unlisted]
        if self.is_unchecked:
            document["unchecked"] = True
        return document


def refutation_dict(conflict: Conflict | None) -> RefutationJson | None:
    """Return the refutation of a conflict as a dict for JSON, or None."""
    if conflict is None or conflict.refutation is None:
        return None
    return conflict.refutation.to_dict()


# `check_arguments` applies this rule to every parameter named `verdict`.
RULES["verdict"] = instance_of("a Verdict", Verdict)
