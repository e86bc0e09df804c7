"""The result of `suspect`: the possible scores of suspect rows, and a guess that tells them apart.

A result can be displayed without loading the search, which is in suspect.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any, TypedDict

from mmsat._util.display import Shown
from mmsat._util.json_types import (
    ColorList,
    ExactProbability,
    Positive,
    RowNumber,
    Schema,
    ScoreList,
    Seconds,
    Share,
)
from mmsat.diagnosis.verdict import ChangesJson, Correction
from mmsat.game.board import Board
from mmsat.game.notation.speller import speller
from mmsat.game.row import Code, Score
from mmsat.game.scoring import Scoring


class HypothesisCodesJson(TypedDict):
    """A hypothesis that remains after a reply."""

    hypothesis: Positive
    """Number of the hypothesis, from 1."""
    codes: Annotated[str, Schema(pattern="^[1-9][0-9]*$")] | None
    """Number of its codes that give this score; null if the codes are too many to list."""


class ReplyJson(TypedDict):
    """A score of the discriminating guess."""

    score: ScoreList
    left: list[HypothesisCodesJson]
    """The hypotheses that remain after this score."""


@dataclass(frozen=True)
class Reply:
    """A score of the discriminating guess, and the hypotheses that remain after it."""

    score: Score
    """The score."""
    left: tuple[tuple[int, int | None], ...]
    """The remaining hypotheses, as pairs of a hypothesis index and the number of its codes that
    give this score. The number is None if the codes of the hypotheses are too many to list."""


class DiscriminatingGuessJson(TypedDict):
    """The guess whose score best discriminates between the hypotheses.

    Each code of a hypothesis is weighted by its slips, and by 256 for each unchanged score.
    """

    guess: ColorList
    chance: ExactProbability
    """The probability that the most likely hypothesis after the score is true."""
    decimal: Share
    """The same, rounded to nine decimal places."""
    before: ExactProbability
    """The probability that the most likely hypothesis before the guess is true."""
    can_win: bool
    """Whether the guess may itself be the code."""
    sampled: bool
    """Whether only a random sample of the codes or of the guesses was used to choose it."""
    replies: list[ReplyJson]
    """The possible scores, ascending."""


@dataclass(frozen=True)
class DiscriminatingGuess:
    """A guess whose score discriminates between hypotheses."""

    guess: Code
    """The guess, with colors from 0."""
    chance: Fraction
    """The probability that the most likely hypothesis after the score is true."""
    before: Fraction
    """The probability that the most likely hypothesis before the guess is true."""
    can_win: bool
    """Whether the guess may itself be the code."""
    replies: tuple[Reply, ...]
    """The possible scores, ascending."""
    is_sampled: bool
    """Whether only a random sample of the codes, or of the possible guesses, was used to choose
    it."""

    def to_dict(self, scoring: Scoring) -> DiscriminatingGuessJson:
        """Return a dict for JSON.

        Parameters
        ----------
        scoring : Scoring
            The kind of scoring, which defines how scores are written.

        Returns
        -------
        dict
            The JSON keys. Colors and hypotheses are numbered from 1. Numbers of codes are strings.
        """
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
                        {"hypothesis": number + 1, "codes": None if codes is None else str(codes)}
                        for number, codes in reply.left
                    ],
                }
                for reply in self.replies
            ],
        }


class SuspicionJson(TypedDict):
    """The possible scores of suspect rows, if all other rows are right."""

    suspects: Annotated[list[RowNumber], Schema(minItems=1)]
    """Row numbers of the suspects, from 1."""
    hypotheses: list[ChangesJson]
    """Corrections of suspect rows that make the board consistent, the most plausible first. A
    hypothesis without changes means that the board is right."""
    all_hypotheses: bool
    """Whether every hypothesis is listed."""
    telling: DiscriminatingGuessJson | None
    seconds: Seconds


@dataclass(frozen=True, repr=False)
class Suspicion(Shown):
    """The possible scores of suspect rows, if all other rows are right."""

    board: Board
    """The board with the suspect rows."""
    suspects: tuple[int, ...]
    """Row indices of the suspects, ascending."""
    hypotheses: tuple[Correction, ...]
    """Corrections of suspect rows that make the board consistent, the most plausible first. A
    hypothesis without changes means that the board is right."""
    all_hypotheses: bool
    """Whether every hypothesis is listed. False if a limit or the timeout ended the search."""
    telling: DiscriminatingGuess | None
    """The guess that best discriminates between the hypotheses; None if there are fewer than two,
    or if no such guess was found."""
    seconds: float = field(compare=False)
    """Wall-clock time in seconds."""

    @classmethod
    def unknown(cls, board: Board, suspects: tuple[int, ...]) -> Suspicion:
        """Return a suspicion before any hypothesis is found.

        Parameters
        ----------
        board : Board
            The board.
        suspects : tuple of int
            The suspect rows, from 0.

        Returns
        -------
        Suspicion
            A result without hypotheses.
        """
        return cls(board, suspects, (), all_hypotheses=False, telling=None, seconds=0.0)

    def records(self) -> list[dict[str, Any]]:
        """Return one record per hypothesis, for pandas.DataFrame and polars.

        A record has the scores of the suspect rows and the number of codes that remain (`codes`,
        None if it was not counted). Rows and hypotheses are numbered from 1.
        """
        print_score = speller(self.board.game).print_score
        records = []
        for number, hypothesis in enumerate(self.hypotheses, 1):
            scores = {row: self.board.rows[row].score for row in self.suspects}
            scores |= {change.row: change.after for change in hypothesis.changes}
            scores_by_row = {f"row {row + 1}": print_score(score) for row, score in scores.items()}
            codes = None if hypothesis.codes is None else hypothesis.codes.count
            records.append({"hypothesis": number, **scores_by_row, "codes": codes})
        return records

    def to_dict(self) -> SuspicionJson:
        """Return a dict for JSON, with rows from 1; see schemas/explain.json."""
        telling = self.telling
        return {
            "suspects": [row + 1 for row in self.suspects],
            "hypotheses": [hypothesis.to_dict() for hypothesis in self.hypotheses],
            "all_hypotheses": self.all_hypotheses,
            "telling": None if telling is None else telling.to_dict(self.board.game.scoring),
            "seconds": round(self.seconds, 6),
        }
