"""What mmsat answers: frozen results that print honestly and turn into JSON.

Rows and colors count from 0 in these objects and from 1 in everything they print or export.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from mmsat.game.spelling import speller
from mmsat.game.tolerance import STRICT, Tolerance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.game.board import Board
    from mmsat.game.scoring import Scoring
    from mmsat.game.tolerance import Miss

Code = tuple[int, ...]
Score = tuple[int | None, ...]


class Status(StrEnum):
    """The answer to "is there a code that scores like this?"."""

    CONSISTENT = "consistent"
    INCONSISTENT = "inconsistent"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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
        combined = (row for each in self.combinations for row, _ in each.rows)
        return tuple(sorted({*self.weighing, *combined}))

    def renumbered(self, rows: Sequence[int]) -> Refutation:
        """The same of a larger board, where these are the rows."""
        return Refutation(
            tuple(rows[row] for row in self.weighing),
            tuple(
                replace(each, rows=tuple((rows[row], times) for row, times in each.rows))
                for each in self.combinations
            ),
        )

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; rows from 1."""
        return {
            "weighing": [row + 1 for row in self.weighing],
            "combinations": [each.to_dict() for each in self.combinations],
        }


@dataclass(frozen=True, slots=True)
class Conflict:
    """Rows that no code satisfies together, though it would without any one of them."""

    rows: tuple[int, ...]
    """Row indices, ascending."""
    refutation: Refutation | None = field(default=None, compare=False, repr=False)
    """A short proof that no code satisfies them, where one was found: on some two-color boards."""

    def to_dict(self) -> list[int]:
        """Row numbers from 1."""
        return [row + 1 for row in self.rows]


@dataclass(frozen=True, slots=True)
class Change:
    """One row's score, as it stands and as it might have been meant."""

    row: int
    before: Score
    after: Score
    slip: str
    """What kind of mistake that would be, in a few words."""
    scoring: Scoring
    """The kind of scoring, which tells how scores are written."""

    def to_dict(self) -> dict[str, Any]:
        """The row from 1, the scores as lists, null where unread."""
        before, after = self.scoring.to_json(self.before), self.scoring.to_json(self.after)
        return {"row": self.row + 1, "from": before, "to": after}


@dataclass(frozen=True, slots=True)
class Count:
    """How many codes are consistent with a board."""

    count: int
    """The number; where it is not exact, the number found so far (epsilon is None)."""
    exact: bool
    method: str
    """What counted: brute, diagram, enumeration, ganak, approxmc."""
    seconds: float
    epsilon: float | None = None
    """The relative error of an estimate ..."""
    delta: float | None = None
    """... and the chance that it is larger."""
    most: int | None = None
    """Where the count is a lower bound: an upper bound, if one is known."""
    notes: tuple[str, ...] = ()
    """What was tried, in sentences."""

    def __str__(self) -> str:
        if self.exact:
            return f"{self.count:,}"
        if self.epsilon is not None:
            return f"about {self.count:,}"
        most = "" if self.most is None else f", at most {self.most:,}"
        return f"at least {self.count:,}{most}"

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; the count is a string, as it can be huge."""
        return {
            "count": str(self.count),
            "exact": self.exact,
            "epsilon": self.epsilon,
            "delta": self.delta,
            "most": None if self.most is None else str(self.most),
            "method": self.method,
            "seconds": round(self.seconds, 6),
        }


@dataclass(frozen=True, slots=True)
class Correction:
    """Changed scores that make a board consistent."""

    changes: tuple[Change, ...]
    """The changed rows, ascending."""
    slip_rank: int
    """How far-fetched the slips are, summed over the changes; lower is more plausible."""
    codes: Count | None
    """How many codes would then remain; None when that was not counted."""
    weight: int = 1
    """How likely these slips are beside others, as a whole number; see explain/slips.py."""

    @property
    def cost(self) -> int:
        """The number of changed rows."""
        return len(self.changes)

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; `codes` is null when not counted, `codes_exact` tells a bound."""
        return {
            "changes": [change.to_dict() for change in self.changes],
            "cost": self.cost,
            "codes": None if self.codes is None else str(self.codes.count),
            "codes_exact": self.codes is not None and self.codes.exact,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a board is consistent, with a code or a reason."""

    board: Board
    status: Status
    witness: Code | None
    """A consistent code (colors from 0), re-scored against every row."""
    engine: str
    """What decided."""
    seconds: float
    conflict: Conflict | None = None
    """When inconsistent and asked for: one minimal conflict."""
    correction: Correction | None = None
    """When inconsistent and asked for: the most plausible cheapest correction."""
    choice: str = ""
    """Why that engine was asked, in a line, where there was a choice."""
    tolerance: Tolerance = STRICT
    """How wrong the scores may be: what consistent means here."""

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

    def __str__(self) -> str:
        if self.witness is not None:
            return f"{self.status}: {speller(self.board.game).print_code(self.witness)}"
        if self.conflict is not None:
            return f"{self.status}: rows {self.conflict.to_dict()}"
        return str(self.status)

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
            "conflict": None if self.conflict is None else self.conflict.to_dict(),
            "refutation": refutation_dict(self.conflict),
            "correction": None if self.correction is None else self.correction.to_dict(),
            **(told if self.tolerance.lies else {}),
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a board is inconsistent, and what would mend it."""

    board: Board
    status: Status
    conflicts: tuple[Conflict, ...]
    """Minimal conflicts, smallest first."""
    corrections: tuple[Correction, ...]
    """Cheapest corrections, most plausible first."""
    all_conflicts: bool
    """Whether every minimal conflict is listed, or a limit or the time ended the list."""
    all_corrections: bool
    """Likewise for the cheapest corrections."""
    seconds: float
    tolerance: Tolerance = STRICT
    """How wrong the scores may be: what consistent means here."""

    @property
    def mistaken(self) -> tuple[Fraction, ...]:
        """For each row the chance that its score is mistaken; nothing where that is not known.

        Given that there are as few mistakes as there can be: each way to make them weighs its slips
        times the codes that it leaves. A code and the scores that it makes mistaken are one case.
        """
        weights = [
            (each, each.weight * each.codes.count) for each in self.corrections if each.codes
        ]
        total = sum(weight for _, weight in weights)
        if not total:
            return ()
        return tuple(
            Fraction(
                sum(w for each, w in weights if any(c.row == row for c in each.changes)), total
            )
            for row in range(len(self.board.rows))
        )

    @property
    def mistaken_exactly(self) -> bool:
        """Whether these chances are exact: all corrections are known, and all their codes."""
        return self.all_corrections and all(c.codes and c.codes.exact for c in self.corrections)

    @classmethod
    def undecided(cls, board: Board, tolerance: Tolerance = STRICT) -> Explanation:
        """What can be said before anything is known."""
        return cls(
            board,
            Status.UNKNOWN,
            (),
            (),
            all_conflicts=False,
            all_corrections=False,
            seconds=0.0,
            tolerance=tolerance,
        )

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; see schemas/explain.json."""
        return {
            "board": str(self.board),
            "verdict": str(self.status),
            "conflicts": [conflict.to_dict() for conflict in self.conflicts],
            "refutations": [refutation_dict(conflict) for conflict in self.conflicts],
            "corrections": [correction.to_dict() for correction in self.corrections],
            "all_conflicts": self.all_conflicts,
            "all_corrections": self.all_corrections,
            "mistaken": [
                {"row": row, "chance": str(chance), "decimal": round(float(chance), 9)}
                for row, chance in enumerate(self.mistaken, 1)
            ],
            "mistaken_exactly": self.mistaken_exactly,
            **(self.tolerance.to_dict() if self.tolerance.lies else {}),
            "seconds": round(self.seconds, 6),
        }


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer to a guess, and what it leaves of some hypotheses."""

    score: Score
    left: tuple[tuple[int, int | None], ...]
    """Hypotheses, from 0, each with its codes that answer so; None where they are too many."""


@dataclass(frozen=True, slots=True)
class Telling:
    """A guess that tells hypotheses apart."""

    guess: Code
    chance: Fraction
    """The chance that the likeliest hypothesis after the answer is the true one."""
    before: Fraction
    """The same without asking."""
    can_win: bool
    """Whether the guess may itself be the code."""
    replies: tuple[Reply, ...]
    """By score, ascending."""
    is_sampled: bool
    """Whether only some codes, drawn at random, or some guesses were looked at to choose it."""

    def to_dict(self, scoring: Scoring) -> dict[str, Any]:
        """Colors and hypotheses from 1; numbers of codes are strings."""
        return {
            "guess": [color + 1 for color in self.guess],
            "chance": str(self.chance),
            "decimal": round(float(self.chance), 9),
            "before": str(self.before),
            "can_win": self.can_win,
            "sampled": self.is_sampled,
            "replies": [
                {
                    "score": scoring.to_json(reply.score),
                    "left": [
                        {"hypothesis": each + 1, "codes": None if codes is None else str(codes)}
                        for each, codes in reply.left
                    ],
                }
                for reply in self.replies
            ],
        }


@dataclass(frozen=True, slots=True)
class Suspicion:
    """What the scores of some rows may have been, all other rows being right."""

    board: Board
    suspects: tuple[int, ...]
    """Row indices, ascending."""
    hypotheses: tuple[Correction, ...]
    """Each makes the board consistent; most plausible first. One without changes is the board."""
    all_hypotheses: bool
    """Whether these are all, or a limit or the time ended the list."""
    telling: Telling | None
    """The guess that best tells them apart; None if there are not two, or no codes to ask about."""
    seconds: float

    @classmethod
    def unknown(cls, board: Board, suspects: tuple[int, ...]) -> Suspicion:
        """What can be said before anything is known."""
        return cls(board, suspects, (), all_hypotheses=False, telling=None, seconds=0.0)

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; see schemas/explain.json."""
        telling = self.telling
        return {
            "suspects": [row + 1 for row in self.suspects],
            "hypotheses": [each.to_dict() for each in self.hypotheses],
            "all_hypotheses": self.all_hypotheses,
            "telling": None if telling is None else telling.to_dict(self.board.game.scoring),
            "seconds": round(self.seconds, 6),
        }


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a guess promises, judged by some consistent codes, or by all of them."""

    guess: Code
    sizes: tuple[int, ...]
    """For each score that some of these codes give, how many do, descending."""
    is_possible: bool
    """Whether the guess can itself be the code."""
    chance: Fraction
    """That it is the code; 0 where it cannot be."""

    @property
    def judged_by(self) -> int:
        """The codes that it is judged by."""
        return sum(self.sizes)

    @property
    def expected(self) -> Fraction:
        """The codes that are left on average, of those judged by; the code itself counts as one."""
        return Fraction(sum(size * size for size in self.sizes), self.judged_by)

    @property
    def worst(self) -> int:
        """The codes that are left at worst, of those judged by."""
        return self.sizes[0]

    @property
    def scores(self) -> int:
        """The different scores that it gets."""
        return len(self.sizes)

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; colors from 1."""
        return {
            "guess": [color + 1 for color in self.guess],
            "possible": self.is_possible,
            "chance": str(self.chance),
            "expected": str(self.expected),
            "worst": self.worst,
            "scores": self.scores,
            "judged_by": self.judged_by,
        }


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The next guess, with reasons."""

    board: Board
    strategy: str
    """The name of the strategy that chose."""
    codes: Count
    """How many codes remain now."""
    best: Prospect
    """The guess."""
    others: tuple[Prospect, ...]
    """Others that would do, those first that leave the least uncertainty."""
    seconds: float
    tolerance: Tolerance = STRICT
    """How wrong the scores may be; the codes that remain miss them by no more."""
    expected_guesses: Fraction | None = None
    """What the code takes on average from here, where that is known and no play takes fewer."""

    @property
    def guess(self) -> Code:
        """The guess, colors from 0."""
        return self.best.guess

    @property
    def is_exact(self) -> bool:
        """Whether guesses are judged by all codes that remain, rather than by a sample."""
        return self.codes.exact and self.best.judged_by == self.codes.count

    def __str__(self) -> str:
        return speller(self.board.game).print_code(self.guess)

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; see schemas/suggest.json."""
        promised = self.expected_guesses
        return {
            "board": str(self.board),
            "strategy": self.strategy,
            **(self.tolerance.to_dict() if self.tolerance.lies else {}),
            "codes": str(self.codes.count),
            "codes_exact": self.codes.exact,
            "exact": self.is_exact,
            **self.best.to_dict(),
            "others": [each.to_dict() for each in self.others],
            "expected_guesses": None if promised is None else str(promised),
            "seconds": round(self.seconds, 6),
        }


def refutation_dict(conflict: Conflict | None) -> dict[str, Any] | None:
    """The refutation of a conflict as JSON, None where there is none."""
    if conflict is None or conflict.refutation is None:
        return None
    return conflict.refutation.to_dict()
