"""The result of `explain`: all minimal conflicts and the cheapest corrections, and their parts.

A result can be displayed without loading the search, which is in explain.py.

A `Fact` is a statement about the code, from which the sentence about a conflict is made. Each fact
is implied by one row, and no code satisfies all facts of a conflict. Every fact can be converted to
cardinality constraints (`fact_constraints`), so both properties can be checked without parsing the
sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from mmsat._util.results import BoardLine, Seconds, Shown, VerdictName
from mmsat.diagnosis import (
    ChangeJson,
    Conflict,
    ConflictJson,
    Corrected,
    Correction,
    CorrectionJson,
    MistakeJson,
    UnlistedJson,
    refutation_dict,
)
from mmsat.game import UNREAD, Code, Row, Score
from mmsat.game.board import Board, Status
from mmsat.game.refutation import RefutationJson
from mmsat.game.scoring import Scoring
from mmsat.game.scoring.scoring import common_literals
from mmsat.game.space import CardinalityConstraint
from mmsat.game.tolerance import STRICT, Tolerance, ToleranceJson
from mmsat.game.unread import constraints


@dataclass(frozen=True)
class LiteralsFact:
    """A conjunction of literals, such as "place 1 is C" and "there is no R"."""

    row: int
    """Row index."""
    literals: tuple[int, ...]
    """Literals (see mmsat.game.space), negative if negated."""


@dataclass(frozen=True)
class ScoreFact:
    """The guess of a row gets some components of the row's score, such as "2 white".

    If pegs of the guess were not read, it gets them with some colors at these pegs.
    """

    row: int
    """Row index."""
    score: Score
    """The score; None for each component that the fact does not state."""


@dataclass(frozen=True)
class CommonFact:
    """Code and guess have at least `pegs` pegs in common, in any order."""

    row: int
    """Row index."""
    pegs: int
    """The minimum number of pegs."""


Fact: TypeAlias = LiteralsFact | ScoreFact | CommonFact


def fact_constraints(board: Board, fact: Fact) -> tuple[CardinalityConstraint, ...]:
    """Return constraints that are equivalent to the fact."""
    if isinstance(fact, LiteralsFact):
        count = len(fact.literals)
        return (CardinalityConstraint(fact.literals, count, count),)
    guess = board.rows[fact.row].guess
    if isinstance(fact, ScoreFact):
        return tuple(constraints(board.game, Row(guess, fact.score)))
    literals = common_literals(board.game.variables, guess)
    return (CardinalityConstraint(literals, fact.pegs, board.game.pegs),)


def differing_components(one: Score, other: Score) -> list[int]:
    """Return the indices of the components that were read in both scores and differ."""
    pairs = enumerate(zip(one, other, strict=True))
    return [index for index, pair in pairs if None not in pair and pair[0] != pair[1]]


def is_one_guess(board: Board, facts: Sequence[ScoreFact]) -> bool:
    """Return whether `facts` are two different scores of one guess without unread pegs."""
    if len(facts) != 2:
        return False
    first, second = facts
    guess = board.rows[first.row].guess
    is_same = UNREAD not in guess and guess == board.rows[second.row].guess
    return is_same and bool(differing_components(first.score, second.score))


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

        Rows are numbered from 1. Scores are lists, with null for unread components.
        """
        before, after = self.scoring.to_json(self.before), self.scoring.to_json(self.after)
        return {"row": self.row + 1, "from": before, "to": after, "slip": self.slip}


class ExplanationJson(ToleranceJson, UnlistedJson):
    """All conflicts and the cheapest corrections of a board."""

    board: BoardLine
    verdict: VerdictName
    conflicts: list[ConflictJson]
    """Minimal conflicts, the smallest first."""
    refutations: list[RefutationJson | None]
    """For each conflict, a proof to be checked by hand; null if none was found."""
    corrections: list[CorrectionJson]
    """The cheapest corrections, the most probable first."""
    all_conflicts: bool
    """Whether every minimal conflict is listed."""
    all_corrections: bool
    """Whether every cheapest correction is listed."""
    mistaken: list[MistakeJson]
    """For each row, the probability that its score is mistaken, assuming that as few scores as
    possible are mistaken, that slips have weights by their kind (auditing/README.md), and that all
    codes are equally likely. Empty if unknown."""
    mistaken_exactly: bool
    """Whether these probabilities are exact: all corrections and the numbers of their codes are
    known."""
    seconds: Seconds


@dataclass(frozen=True, repr=False)
class Explanation(Shown, Corrected):
    """Why a board is inconsistent: minimal conflicts, and the cheapest corrections."""

    board: Board
    """The explained board."""
    status: Status
    """Whether the board is consistent within the tolerance."""
    conflicts: tuple[Conflict, ...]
    """Minimal conflicts, sorted by their number of rows."""
    corrections: tuple[Correction, ...]
    """The cheapest corrections, the most probable first."""
    all_conflicts: bool
    """Whether every minimal conflict is listed. False if a limit or the timeout ended the
    search."""
    all_corrections: bool
    """Whether every cheapest correction is listed. False if a limit or the timeout ended the
    search."""
    seconds: float = field(compare=False)
    """Wall-clock time in seconds."""
    tolerance: Tolerance = STRICT
    """How wrong scores may be. Consistent means consistent within this tolerance."""
    unlisted: Code | None = None
    """In an inconsistent game of words, a code outside of the word list that gets the scores, with
    colors from 0; None if none was found."""

    @property
    def conflict(self) -> Conflict | None:
        """The first of the smallest conflicts found, or None."""
        return self.conflicts[0] if self.conflicts else None

    @classmethod
    def unknown(cls, board: Board, tolerance: Tolerance = STRICT) -> Explanation:
        """Return the explanation of an undecided board.

        Parameters
        ----------
        board : Board
            The board.
        tolerance : Tolerance, optional
            How wrong scores may be. By default, no score is wrong.

        Returns
        -------
        Explanation
            An explanation without reasons, of unknown status.
        """
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

    def records(self) -> list[dict[str, Any]]:
        """Return one record per row of the board, for pandas.DataFrame and polars.

        A record has the probability that the score is mistaken (`mistaken`, None if unknown), and
        the numbers of `conflicts` and `corrections` that contain the row. Rows are numbered from 1.
        """
        chances = self.mistaken or (None,) * len(self.board.rows)
        changed_rows = [
            {change.row for change in correction.changes} for correction in self.corrections
        ]
        return [
            {
                **record,
                "mistaken": None if chance is None else float(chance),
                "conflicts": sum(row in conflict.rows for conflict in self.conflicts),
                "corrections": sum(row in rows for rows in changed_rows),
            }
            for row, (record, chance) in enumerate(zip(self.board.records(), chances, strict=True))
        ]

    def to_dict(self) -> ExplanationJson:
        """Return a dict for JSON, with rows and colors from 1; see schemas/explain.json."""
        unlisted: UnlistedJson = {}
        if self.unlisted is not None:
            unlisted["unlisted"] = [color + 1 for color in self.unlisted]
        return {
            "board": str(self.board),
            "verdict": str(self.status),
            "conflicts": [conflict.to_dict() for conflict in self.conflicts],
            "refutations": [refutation_dict(conflict) for conflict in self.conflicts],
            "corrections": self.correction_dicts(),
            "all_conflicts": self.all_conflicts,
            "all_corrections": self.all_corrections,
            "mistaken": self.mistakes(),
            "mistaken_exactly": self.mistaken_exactly,
            **self.tolerance.optional_dict(),
            **unlisted,
            "seconds": round(self.seconds, 6),
        }
