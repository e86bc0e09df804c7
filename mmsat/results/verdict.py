"""Whether a board is consistent, and why not: the verdict, conflicts, corrections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from mmsat.board import Board
from mmsat.errors import MmsatError
from mmsat.frozen import frozen
from mmsat.game.row import Code, Score
from mmsat.game.scoring import Scoring
from mmsat.results.count import Count
from mmsat.results.facts import Fact
from mmsat.shown import Shown
from mmsat.tolerance import STRICT, Miss, Tolerance

if TYPE_CHECKING:
    from fractions import Fraction


class Status(StrEnum):
    """The answer to "is there a code that scores like this?"."""

    CONSISTENT = "consistent"
    INCONSISTENT = "inconsistent"
    UNKNOWN = "unknown"


@frozen
class Combination:
    """Rows of a two-color board, each times a whole number, that add up to a contradiction.

    With the pegs of a guess that have the second color counted 1, and the others -1, a row says
    that its pegs under the code's pegs of the second color add up to so much: to the score's black,
    less the guess's pegs of the first color. (Where black was not read, it is what white and the
    weight leave.) The weight of a code, its pegs of the second color, says the same with 1 for each
    peg. Added up, there is a number for each peg, and a total, but

    - the modulus divides all these numbers and not the total; or
    - the total is below the sum of the negative numbers, or above that of the positive ones.
    """

    weight: int | None
    """The weight of which this is true; None for every weight."""
    rows: tuple[tuple[int, int], ...]
    """Row indices, ascending, each with its number, which is not 0."""
    times_weight: int
    """The number of the weight; 0 where it is not added."""
    modulus: int | None
    """What divides the left side only; None where the total is out of reach."""

    def to_dict(self) -> dict[str, Any]:
        """Rows from 1."""
        return {
            "weight": self.weight,
            "rows": [{"row": row + 1, "times": times} for row, times in self.rows],
            "times_weight": self.times_weight,
            "modulus": self.modulus,
        }


@frozen
class Refutation:
    """Why no code satisfies some rows of a two-color board: a proof to be checked by hand."""

    weighing: tuple[int, ...]
    """Row indices, ascending: each weight is either ruled out by the score of one of them alone (no
    code of that weight gets it) or that of a combination."""
    combinations: tuple[Combination, ...]
    """One for each weight left, or a single one that goes without."""

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows that it takes, ascending."""
        combined = (row for combination in self.combinations for row, _ in combination.rows)
        return tuple(sorted({*self.weighing, *combined}))

    def renumber(self, rows: Sequence[int]) -> Refutation:
        """The same for a larger board, where these are the rows."""
        return Refutation(
            tuple(rows[row] for row in self.weighing),
            tuple(
                replace(sum_, rows=tuple((rows[row], times) for row, times in sum_.rows))
                for sum_ in self.combinations
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; rows from 1."""
        return {
            "weighing": [row + 1 for row in self.weighing],
            "combinations": [combination.to_dict() for combination in self.combinations],
        }


@frozen
class Conflict:
    """Rows that no code satisfies together, though it would without any one of them."""

    rows: tuple[int, ...]
    """Row indices, ascending."""
    refutation: Refutation | None = field(default=None, compare=False, repr=False)
    """A short proof that no code satisfies them, where one was found: on some two-color boards."""
    facts: tuple[Fact, ...] = field(default=(), compare=False, repr=False)
    """Statements that contradict each other, each implied by one row, if found in time."""
    derivation: tuple[str, ...] = field(default=(), compare=False, repr=False)
    """Sentences that show by presolve why there is no code, if requested and found."""

    def sort_key(self) -> tuple[int, tuple[int, ...]]:
        """The order of conflicts: by how many rows, then by the rows."""
        return len(self.rows), self.rows

    def to_dict(self) -> list[int]:
        """Row numbers from 1."""
        return [row + 1 for row in self.rows]


@frozen
class Change:
    """One row's score, as it stands and as it might have been meant."""

    row: int
    before: Score
    after: Score
    slip: str
    """What kind of mistake that would be, in a few words."""
    scoring: Scoring = field(repr=False)
    """The kind of scoring, which tells how scores are written."""

    def to_dict(self) -> dict[str, Any]:
        """The row from 1, the scores as lists, null where unread."""
        before, after = self.scoring.to_json(self.before), self.scoring.to_json(self.after)
        return {"row": self.row + 1, "from": before, "to": after}


@frozen
class Correction:
    """Changed scores that make a board consistent."""

    changes: tuple[Change, ...]
    """The changed rows, ascending."""
    slip_rank: tuple[int, int]
    """A key that sorts corrections by the kinds of their slips, the most plausible first."""
    codes: Count | None
    """How many codes would then remain; None when that was not counted."""
    likelihood: int
    """How likely the changes are, relative to other corrections: the sum over the remaining codes
    of the weights of the slips that lead from the code to the scores; see diagnosis/slips.py."""
    is_likelihood_exact: bool = True
    """Whether all of these codes were counted and weighed."""

    @property
    def cost(self) -> int:
        """The number of changed rows."""
        return len(self.changes)

    def sort_key(self) -> tuple[object, ...]:
        """The most plausible first: by cost, kinds of slips, likelihood, then rows and scores."""
        rows = [change.row for change in self.changes]
        scores = [[-1 if part is None else part for part in c.after] for c in self.changes]
        return self.cost, self.slip_rank, -self.likelihood, rows, scores

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; `codes` is null when not counted, `codes_exact` tells a bound."""
        return {
            "changes": [change.to_dict() for change in self.changes],
            "cost": self.cost,
            "codes": None if self.codes is None else str(self.codes.count),
            "codes_exact": self.codes is not None and self.codes.exact,
        }


class Corrected:
    """A result with corrections, from which the chance of a mistake in each row follows."""

    board: Board
    corrections: tuple[Correction, ...]
    all_corrections: bool

    @property
    def correction(self) -> Correction | None:
        """The most plausible of the cheapest corrections found, if there is one."""
        return self.corrections[0] if self.corrections else None

    @property
    def mistaken(self) -> tuple[Fraction, ...]:
        """For each row, the chance that its score is mistaken; empty if that is not known.

        Given that there are as few mistakes as there can be, each code counts with the weight of
        the slips that lead from it to the scores of the board.
        """
        from fractions import Fraction  # noqa: PLC0415  (few verdicts need it)

        weights = [
            ({change.row for change in way.changes}, way.likelihood)
            for way in self.corrections
            if way.codes
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
        """Whether these chances are exact: all corrections are known, and all their codes."""
        return self.all_corrections and all(
            each.codes and each.codes.exact and each.is_likelihood_exact
            for each in self.corrections
        )

    def mistaken_dict(self) -> dict[str, Any]:
        """Return the JSON keys of the chances; rows from 1."""
        return {
            "mistaken": [
                {"row": row, "chance": str(chance), "decimal": round(float(chance), 9)}
                for row, chance in enumerate(self.mistaken, 1)
            ],
            "mistaken_exactly": self.mistaken_exactly,
        }


@frozen
class Verdict(Shown, Corrected):
    """Whether a board is consistent, with a code or a reason."""

    board: Board
    status: Status
    witness: Code | None
    """A consistent code (colors from 0), re-scored against every row."""
    engine: str
    """What decided."""
    seconds: float = field(compare=False)
    """What the decision took."""
    conflict: Conflict | None = None
    """When inconsistent and asked for: one minimal conflict."""
    corrections: tuple[Correction, ...] = ()
    """If inconsistent and requested: the cheapest corrections found, most plausible first."""
    all_corrections: bool = False
    """Whether these are all of the cheapest corrections."""
    choice: str = ""
    """Why that engine was asked, in a line, where there was a choice."""
    tolerance: Tolerance = STRICT
    """How wrong the scores may be: what consistent means here."""
    reason_seconds: float = field(default=0.0, compare=False)
    """What the search for the conflict and the correction took."""
    unlisted: Code | None = None
    """When inconsistent in a game of words: a code that is not in the list and gets the scores."""

    @property
    def misses(self) -> tuple[Miss, ...]:
        """The rows that the witness does not get, where there may be lies."""
        if self.witness is None:
            return ()
        return self.tolerance.misses(self.board, self.witness)

    @property
    def is_consistent(self) -> bool | None:
        """True, False, or None when undecided in time."""
        known = {Status.CONSISTENT: True, Status.INCONSISTENT: False}
        return known.get(self.status)

    def __bool__(self) -> bool:
        """Whether the board is consistent; raises MmsatError where that is not known."""
        if self.is_consistent is None:
            raise MmsatError("the verdict is unknown: look at is_consistent, which is None")
        return self.is_consistent

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; see schemas/check.json."""
        scoring = self.board.game.scoring
        told = {
            **self.tolerance.to_dict(),
            "missed": [
                {"row": miss.row + 1, "score": scoring.to_json(miss.score), "pegs": miss.pegs}
                for miss in self.misses
            ],
        }
        return {
            "board": str(self.board),
            "verdict": str(self.status),
            "witness": None if self.witness is None else [color + 1 for color in self.witness],
            "engine": self.engine,
            "seconds": round(self.seconds, 6),
            "reason_seconds": round(self.reason_seconds, 6),
            "conflict": None if self.conflict is None else self.conflict.to_dict(),
            "refutation": refutation_dict(self.conflict),
            "correction": None if self.correction is None else self.correction.to_dict(),
            **(self.mistaken_dict() if self.corrections else {}),
            **(told if self.tolerance.lies else {}),
            **unlisted_dict(self.unlisted),
        }


def unlisted_dict(unlisted: Code | None) -> dict[str, list[int]]:
    """Return the JSON key of a code outside a word list, with colors from 1, if there is one."""
    return {} if unlisted is None else {"unlisted": [color + 1 for color in unlisted]}


def refutation_dict(conflict: Conflict | None) -> dict[str, Any] | None:
    """The refutation of a conflict as JSON, None where there is none."""
    if conflict is None or conflict.refutation is None:
        return None
    return conflict.refutation.to_dict()
