"""The result of `explain`, and the facts and changes of which conflicts and corrections consist.

A result can be displayed without loading the search, which is in explain.py.

A `Fact` is a statement about the code, from which the sentence about a conflict is made. Each fact
is implied by one row, and no code satisfies all facts of a conflict. Every fact can be converted to
cardinality constraints (`fact_constraints`), so both properties can be checked without parsing the
sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, NamedTuple, NotRequired, TypeAlias, TypedDict

from mmsat._util.results import (
    BoardLine,
    Displayable,
    NonEmpty,
    NonNegative,
    RowNumber,
    RowNumbers,
    Schema,
    ScoreList,
    Seconds,
    VerdictName,
)
from mmsat.diagnosis import (
    ChangeJson,
    Conflict,
    ConflictJson,
    Correction,
    CorrectionJson,
    FactJson,
    HasCorrections,
    MistakeJson,
    UnlistedJson,
    literal_dict,
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


class RowFactJson(TypedDict):
    """A statement about the code that a row implies, with one of `facts`, `score` and `pegs`."""

    row: RowNumber
    facts: NotRequired[list[FactJson]]
    """All of these hold."""
    score: NotRequired[ScoreList]
    """The guess gets this score; null for each component that is not stated."""
    pegs: NotRequired[NonNegative]
    """Code and guess have at least this many pegs in common, in any order."""


def fact_dict(board: Board, fact: Fact) -> RowFactJson:
    """Return a fact for JSON, with the row, pegs and colors from 1."""
    row = fact.row + 1
    if isinstance(fact, LiteralsFact):
        variables = board.game.variables
        facts = [literal_dict(variables, literal) for literal in fact.literals]
        return {"row": row, "facts": facts}
    if isinstance(fact, ScoreFact):
        return {"row": row, "score": board.game.scoring.to_json(fact.score)}
    return {"row": row, "pegs": fact.pegs}


class ReasonKind(StrEnum):
    """A kind of contradiction."""

    IMPOSSIBLE_SCORE = "impossible-score"
    """No code and guess have the score of the row."""
    ONE_GUESS = "one-guess"
    """Two rows score the same guess differently."""
    NO_WORD = "no-word"
    """No word of the list fits the rows."""
    TOO_MANY_PEGS = "too-many-pegs"
    """Two guesses share no color, and together they score more pegs than there are."""
    FACTS = "facts"
    """The facts contradict each other."""


class ReasonJson(TypedDict):
    """Why rows contradict each other."""

    kind: Annotated[str, Schema(enum=tuple(map(str, ReasonKind)))]
    """No code and guess have the score of a row; two rows score the same guess differently; no word
    of the list fits the rows; two guesses share no color and score more pegs than there are; or the
    facts contradict each other."""
    facts: list[RowFactJson]
    """Statements that contradict each other, usually one for each row."""
    rule: NotRequired[NonEmpty]
    """For an impossible score, the rule of the game that excludes it."""


@dataclass(frozen=True)
class Reason:
    """Why rows contradict each other."""

    kind: ReasonKind
    facts: tuple[Fact, ...] = ()
    """Facts that contradict each other."""
    rule: str = ""
    """For an impossible score, the rule of the game that excludes it."""

    def to_dict(self, board: Board) -> ReasonJson:
        """Return the JSON keys."""
        facts = [fact_dict(board, fact) for fact in self.facts]
        reason: ReasonJson = {"kind": str(self.kind), "facts": facts}
        return {**reason, "rule": self.rule} if self.rule else reason


def find_reason(board: Board, rows: Sequence[int], facts: Sequence[Fact]) -> Reason | None:
    """Return why rows contradict each other, or None if no short reason is known."""
    game = board.game
    for row in rows:
        rule = game.scoring.flaw(game.pegs, board.rows[row].score)
        if rule is not None:
            fact = ScoreFact(row, board.rows[row].score)
            return Reason(ReasonKind.IMPOSSIBLE_SCORE, (fact,), rule)
    if not facts:
        return None
    scores = [fact for fact in facts if isinstance(fact, ScoreFact)]
    if is_one_guess(board, scores):
        kind = ReasonKind.ONE_GUESS
    elif scores and game.space.table() is not None:
        kind = ReasonKind.NO_WORD
    elif any(isinstance(fact, CommonFact) for fact in facts):
        kind = ReasonKind.TOO_MANY_PEGS
    else:
        kind = ReasonKind.FACTS
    return Reason(kind, tuple(facts))


class TrialJson(TypedDict):
    """A fact that is tried and refuted."""

    supposed: FactJson
    """The fact, which is the opposite of a new fact."""
    implied: list[FactJson]
    """Facts that follow from it and contradict `rows`; empty if the fact itself does."""
    rows: RowNumbers
    """Numbers of the contradicted rows, from 1; empty if the rules of the game are contradicted."""


class Trial(NamedTuple):
    """A literal that is tried and refuted by counting with rows."""

    supposed: int
    """The literal, which is the negation of a new literal."""
    implied: tuple[int, ...]
    """Literals that follow from it and contradict `rows`; empty if the literal itself does."""
    rows: tuple[int, ...]
    """Indices of the contradicted rows; empty if the rules of the game are contradicted."""

    def to_dict(self, board: Board) -> TrialJson:
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
        variables = board.game.variables
        return {
            "supposed": literal_dict(variables, self.supposed),
            "implied": [literal_dict(variables, literal) for literal in self.implied],
            "rows": [row + 1 for row in self.rows],
        }


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


def differing_components(first: Score, second: Score) -> list[int]:
    """Return the indices of the components that were read in both scores and differ."""
    pairs = enumerate(zip(first, second, strict=True))
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
class Explanation(Displayable, HasCorrections):
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
            "mistaken": self.mistake_dicts(),
            "mistaken_exactly": self.mistaken_exactly,
            **self.tolerance.optional_dict(),
            **unlisted,
            "seconds": round(self.seconds, 6),
        }
