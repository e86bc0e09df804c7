"""Verdicts: whether a board is consistent, with a witness, or with a conflict and corrections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, NotRequired, TypeAlias, TypedDict

from mmsat.arguments import RULES, instance_of
from mmsat.board import Board
from mmsat.errors import MmsatError
from mmsat.game.row import Code, Score
from mmsat.game.scoring import Scoring
from mmsat.json_types import (
    BoardLine,
    ColorList,
    Digits,
    ExactProbability,
    NonNegative,
    Positive,
    RowNumber,
    RowNumbers,
    Schema,
    ScoreList,
    Seconds,
    Share,
    VerdictName,
)
from mmsat.results.count import Count
from mmsat.results.facts import Fact
from mmsat.shown import Shown
from mmsat.tolerance import STRICT, Miss, Tolerance, ToleranceJson

if TYPE_CHECKING:
    from fractions import Fraction


class Status(StrEnum):
    """Whether some code gets the scores of a board."""

    CONSISTENT = "consistent"
    """Some code gets the scores."""
    INCONSISTENT = "inconsistent"
    """No code gets the scores."""
    UNKNOWN = "unknown"
    """The decision did not end in time."""


class RowMultipleJson(TypedDict):
    """A row and its multiplier in a combination."""

    row: RowNumber
    times: Annotated[int, Schema(**{"not": {"const": 0}})]
    """Multiplier of the equation of the row."""


class CombinationJson(TypedDict):
    """Rows of a two-color board whose integer combination is a contradiction.

    The equation of a row states the number of pegs of the second color in the code: those where the
    guess has the second color, minus all others, are black minus the number of pegs where the guess
    has the first color.
    """

    weight: NonNegative | None
    """Number of pegs of the second color in the code for which the combination is a contradiction;
    null for every number."""
    rows: list[RowMultipleJson]
    """The combined rows."""
    times_weight: int
    """Multiplier of the equation of the weight, which states the number of pegs of the second color
    in the code."""
    modulus: Annotated[int, Schema(minimum=2)] | None
    """A divisor of all coefficients of the sum that does not divide its total; null if the total is
    out of range."""


@dataclass(frozen=True)
class Combination:
    """Rows of a two-color board whose integer combination is a contradiction.

    Let x_p be 1 if the code has the second color at peg p, and 0 otherwise. A row states the sum of
    the x_p at the pegs where its guess has the second color, minus the sum of the x_p at all other
    pegs: it is the black of the score minus the number of pegs where the guess has the first color.
    (If black was not read, it follows from white and the weight.) The weight of a code is the sum
    of all x_p, its number of pegs of the second color. The combination of these equations has an
    integer coefficient for each x_p and a total, but

    - the modulus divides all these coefficients and not the total; or
    - the total is below the sum of the negative coefficients, or above that of the positive ones.
    """

    weight: int | None
    """The weight to which the combination applies; None if it applies to every weight."""
    rows: tuple[tuple[int, int], ...]
    """Pairs of a row index and its multiplier, a nonzero integer; indices ascending."""
    times_weight: int
    """The multiplier of the equation of the weight; 0 if it is not used."""
    modulus: int | None
    """A divisor of all coefficients that does not divide the total; None if the total is out of
    range."""

    def to_dict(self) -> CombinationJson:
        """Return a dict for JSON, with rows from 1."""
        return {
            "weight": self.weight,
            "rows": [{"row": row + 1, "times": times} for row, times in self.rows],
            "times_weight": self.times_weight,
            "modulus": self.modulus,
        }


class RefutationJson(TypedDict):
    """A proof that no code satisfies the rows of a conflict of a two-color board."""

    weighing: RowNumbers
    """Rows, each of which rules out some weights by its score alone. The combinations rule out all
    other weights."""
    combinations: list[CombinationJson]


@dataclass(frozen=True)
class Refutation:
    """A proof that no code satisfies some rows of a two-color board, to be checked by hand."""

    weighing: tuple[int, ...]
    """Row indices, ascending. Each weight is ruled out by the score of one of these rows alone (no
    code of that weight gets it) or by a combination."""
    combinations: tuple[Combination, ...]
    """One combination for each remaining weight, or a single one that holds for every weight."""

    @property
    def rows(self) -> tuple[int, ...]:
        """Indices of all rows of the proof, ascending."""
        combined = (row for combination in self.combinations for row, _ in combination.rows)
        return tuple(sorted({*self.weighing, *combined}))

    def renumber(self, rows: Sequence[int]) -> Refutation:
        """Return the same proof for a larger board.

        Parameters
        ----------
        rows : sequence of int
            The index in the larger board of each row of this one.

        Returns
        -------
        Refutation
            The proof, with the new rows.
        """
        return Refutation(
            tuple(rows[row] for row in self.weighing),
            tuple(
                replace(sum_, rows=tuple((rows[row], times) for row, times in sum_.rows))
                for sum_ in self.combinations
            ),
        )

    def to_dict(self) -> RefutationJson:
        """Return a dict for JSON, with rows from 1."""
        return {
            "weighing": [row + 1 for row in self.weighing],
            "combinations": [combination.to_dict() for combination in self.combinations],
        }


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

    Without any one of these rows, there is a code. With lies, every code violates more of the rows
    than the tolerance allows.
    """

    rows: tuple[int, ...]
    """Row indices, ascending."""
    refutation: Refutation | None = field(default=None, compare=False, repr=False)
    """A short proof that no code satisfies the rows. None if none was found; only two-color boards
    have one."""
    facts: tuple[Fact, ...] = field(default=(), compare=False, repr=False)
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


_FromJson = TypedDict(
    "_FromJson",
    {"from": Annotated[ScoreList, Schema(description="The score on the board.")]},
)


class ChangeJson(_FromJson):
    """A changed score of one row."""

    row: RowNumber
    to: ScoreList
    """The score that may have been meant."""


@dataclass(frozen=True)
class Change:
    """A changed score of one row."""

    row: int
    """Row index."""
    before: Score
    """The score on the board. A component that was not read is None."""
    after: Score
    """The score that may have been meant."""
    slip: str
    """The kind of mistake in a few words; empty if it has no name."""
    scoring: Scoring = field(repr=False)
    """The kind of scoring, which defines how scores are written."""

    def to_dict(self) -> ChangeJson:
        """Return a dict for JSON.

        The row counts from 1. Scores are lists, with null for unread components.
        """
        before, after = self.scoring.to_json(self.before), self.scoring.to_json(self.after)
        return {"row": self.row + 1, "from": before, "to": after}


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


CorrectionJson: TypeAlias = Annotated[
    ChangesJson, Schema(properties={"changes": {"minItems": 1}, "cost": {"minimum": 1}})
]


@dataclass(frozen=True)
class Correction:
    """A set of changed scores that makes a board consistent."""

    changes: tuple[Change, ...]
    """The changed rows, ascending."""
    slip_rank: tuple[int, int]
    """Sort key by the kinds of slips; lower is more plausible."""
    codes: Count | None
    """Number of codes that remain with the changed scores; None if it was not counted."""
    likelihood: int
    """Relative likelihood of the changes, compared with other corrections of the board: the sum,
    over the remaining codes, of the weights of the slips from the code to the scores; see
    diagnosis/slips.py."""
    is_likelihood_exact: bool = True
    """Whether all remaining codes were counted and weighted."""

    @property
    def cost(self) -> int:
        """The number of changed rows."""
        return len(self.changes)

    def sort_key(self) -> tuple[object, ...]:
        """Return the sort key, the most plausible first.

        Corrections are sorted by cost, kinds of slips, likelihood, and then by rows and scores.
        """
        rows = [change.row for change in self.changes]
        scores = [[-1 if part is None else part for part in c.after] for c in self.changes]
        return self.cost, self.slip_rank, -self.likelihood, rows, scores

    def to_dict(self) -> ChangesJson:
        """Return a dict for JSON, with rows from 1.

        `codes` is null if the codes were not counted. `codes_exact` is false if they were not
        counted or `codes` is a bound.
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


class Corrected:
    """Base class of results with corrections, which imply a probability of a mistake per row."""

    board: Board
    corrections: tuple[Correction, ...]
    all_corrections: bool

    @property
    def correction(self) -> Correction | None:
        """The most plausible of the cheapest corrections found, or None."""
        return self.corrections[0] if self.corrections else None

    @property
    def mistaken(self) -> tuple[Fraction, ...]:
        """For each row, the probability that its score is mistaken; empty if unknown.

        It is assumed that the number of mistakes is as small as possible. Each code is weighted by
        the slips that lead from it to the scores of the board.
        """
        from fractions import Fraction

        weights = [
            ({change.row for change in correction.changes}, correction.likelihood)
            for correction in self.corrections
            if correction.codes
        ]
        total = sum(weight for _, weight in weights)
        if not total:
            return ()
        return tuple(
            Fraction(sum(weight for rows, weight in weights if row in rows), total)
            for row in range(len(self.board.rows))
        )

    @property
    def mistaken_exactly(self) -> bool:
        """Whether these probabilities are exact: all corrections and all their codes are known."""
        return self.all_corrections and all(
            correction.codes and correction.codes.exact and correction.is_likelihood_exact
            for correction in self.corrections
        )

    def mistakes(self) -> list[MistakeJson]:
        """Return the probabilities for JSON, with rows from 1."""
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
    the list may lack the secret. The key is missing if there is none."""


class ProofJson(TypedDict):
    """A proof of a verdict."""

    method: Annotated[str, Schema(enum=("witness", "lrat", "algebra"))]
    """The kind of proof."""
    rows: RowNumbers
    """Rows that no code satisfies together, from 1; empty for a witness."""
    bytes: Positive
    """Size of the proof."""


class VerdictJson(ToleranceJson, UnlistedJson):
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
    """The most plausible of the cheapest corrections."""
    mistaken: NotRequired[Annotated[list[MistakeJson], Schema(requires=("mistaken_exactly",))]]
    """As in the output of mmsat explain; only if corrections were found."""
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
class Verdict(Shown, Corrected):
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
    most plausible first; otherwise empty."""
    all_corrections: bool = False
    """Whether every cheapest correction is listed."""
    choice: str = ""
    """Why this engine was chosen, in one line; empty without a choice."""
    tolerance: Tolerance = STRICT
    """How wrong scores may be. Consistent means consistent within this tolerance."""
    reason_seconds: float = field(default=0.0, compare=False)
    """Wall-clock time of the search for the conflict and the corrections, in seconds."""
    unlisted: Code | None = None
    """In an inconsistent game of words, a code outside of the word list that gets the scores, with
    colors from 0; None if none was found."""

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
            raise MmsatError("the verdict is unknown: look at is_consistent, which is None")
        return self.is_consistent

    def to_dict(self) -> VerdictJson:
        """Return a dict for JSON, with rows and colors from 1; see schemas/check.json."""
        document: VerdictJson = {
            "board": str(self.board),
            "verdict": str(self.status),
            "witness": None if self.witness is None else [color + 1 for color in self.witness],
            "engine": self.engine,
            "seconds": round(self.seconds, 6),
            "reason_seconds": round(self.reason_seconds, 6),
            "conflict": None if self.conflict is None else self.conflict.to_dict(),
            "refutation": refutation_dict(self.conflict),
            "correction": None if self.correction is None else self.correction.to_dict(),
        }
        if self.corrections:
            document["mistaken"] = self.mistakes()
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
        return document


def refutation_dict(conflict: Conflict | None) -> RefutationJson | None:
    """Return the refutation of a conflict as a dict for JSON, or None."""
    if conflict is None or conflict.refutation is None:
        return None
    return conflict.refutation.to_dict()


RULES["verdict"] = instance_of("a Verdict", Verdict)
