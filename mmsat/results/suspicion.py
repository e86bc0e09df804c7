"""What is told of suspected rows, and the guess that would tell more."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from typing import Any

from mmsat.board import Board
from mmsat.frozen import frozen
from mmsat.game.row import Code, Score
from mmsat.game.scoring import Scoring
from mmsat.notation.speller import speller
from mmsat.results.verdict import Correction
from mmsat.shown import Shown


@frozen
class Reply:
    """An answer to a guess, and what it leaves of some hypotheses."""

    score: Score
    left: tuple[tuple[int, int | None], ...]
    """Hypotheses, from 0, each with its codes that answer so; None where they are too many."""


@frozen
class DiscriminatingGuess:
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
                        {"hypothesis": number + 1, "codes": None if codes is None else str(codes)}
                        for number, codes in reply.left
                    ],
                }
                for reply in self.replies
            ],
        }


@frozen
class Suspicion(Shown):
    """What the scores of some rows may have been, all other rows being right."""

    board: Board
    suspects: tuple[int, ...]
    """Row indices, ascending."""
    hypotheses: tuple[Correction, ...]
    """Each makes the board consistent; most plausible first. One without changes is the board."""
    all_hypotheses: bool
    """Whether these are all, or a limit or the time ended the list."""
    telling: DiscriminatingGuess | None
    """The guess that best tells them apart; None if there are not two, or no codes to ask about."""
    seconds: float = field(compare=False)

    @classmethod
    def unknown(cls, board: Board, suspects: tuple[int, ...]) -> Suspicion:
        """What can be said before anything is known."""
        return cls(board, suspects, (), all_hypotheses=False, telling=None, seconds=0.0)

    def records(self) -> list[dict[str, Any]]:
        """A line for each hypothesis: the scores of the suspects, and the codes that get them.

        Rows and hypotheses count from 1; for pandas.DataFrame and polars.
        """
        print_score = speller(self.board.game).print_score
        found = []
        for number, hypothesis in enumerate(self.hypotheses, 1):
            scores = {row: self.board.rows[row].score for row in self.suspects}
            scores |= {change.row: change.after for change in hypothesis.changes}
            spelled = {f"row {row + 1}": print_score(score) for row, score in scores.items()}
            codes = None if hypothesis.codes is None else hypothesis.codes.count
            found.append({"hypothesis": number, **spelled, "codes": codes})
        return found

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; see schemas/explain.json."""
        telling = self.telling
        return {
            "suspects": [row + 1 for row in self.suspects],
            "hypotheses": [hypothesis.to_dict() for hypothesis in self.hypotheses],
            "all_hypotheses": self.all_hypotheses,
            "telling": None if telling is None else telling.to_dict(self.board.game.scoring),
            "seconds": round(self.seconds, 6),
        }
