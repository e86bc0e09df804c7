"""A played game, judged guess by guess."""

from dataclasses import field
from fractions import Fraction
from typing import Any

from mmsat.board import Board
from mmsat.frozen import frozen
from mmsat.game.row import Code, Row
from mmsat.notation.speller import speller
from mmsat.shown import Shown

BEST_PLAY, EXPECTED_CODES = "best-play", "expected-codes"
"""What guesses are judged by."""


@frozen
class Move:
    """One guess of a game, and what came of it; the formulas are in reviewing/README.md."""

    number: int
    """Its row, from 0."""
    row: Row
    codes_before: int | None
    """The codes that the rows before it leave; None where they are beyond counting."""
    codes_after: int | None
    """The codes that are left with its score; 0 where the scores contradict each other."""
    judged_by: int
    """The codes that it is judged by: all that were left, or some drawn at random."""
    is_possible: bool
    """Whether the guess could be the code."""
    by: str
    """`best-play`: guesses are judged by the guesses that the code takes on average, this one
    included, if all that follow are the best; `expected-codes`: by the codes left on average."""
    cost: Fraction
    """What the guess costs in that measure, before it is scored."""
    least: Fraction
    """What the best guess costs."""
    best: Code
    """The best guess; this one itself where none is better."""
    luck: Fraction | None
    """What the score brought beyond what was to be expected, in the same measure: 0 on average over
    the codes that were left, above 0 where it is lucky. None where it is not known."""
    luckier: Fraction | None
    """Than this part of the codes that were left, those with equal luck counted half."""
    bits: float | None
    """The information that the score brought; None where that is not known."""
    expected_bits: float
    """The information that a score of the guess brings on average."""
    breach: int | None = None
    """In hard mode, the first row, from 0, whose score the guess does not use, though it has to."""
    sentence: str = ""
    """All that in words."""

    @property
    def loss(self) -> Fraction:
        """What the guess costs more than the best."""
        return self.cost - self.least

    @property
    def skill(self) -> Fraction:
        """What the best guess costs as a part of what this one costs: 1 for the best."""
        return self.least / self.cost

    @property
    def is_exact(self) -> bool:
        """Whether it is judged by all codes that were left."""
        return self.judged_by == self.codes_before

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; rows and colors from 1."""
        before, after, bits = self.codes_before, self.codes_after, self.bits
        return {
            "row": self.number + 1,
            "codes_before": None if before is None else str(before),
            "codes_after": None if after is None else str(after),
            "possible": self.is_possible,
            "by": self.by,
            "judged_by": self.judged_by,
            "exact": self.is_exact,
            "cost": str(self.cost),
            "best": [color + 1 for color in self.best],
            "best_cost": str(self.least),
            "loss": str(self.loss),
            "skill": round(float(self.skill), 6),
            "luck": None if self.luck is None else str(self.luck),
            "luckier": None if self.luckier is None else round(float(self.luckier), 6),
            "bits": None if bits is None else round(bits, 6),
            "expected_bits": round(self.expected_bits, 6),
            "breach": None if self.breach is None else self.breach + 1,
            "sentence": self.sentence,
        }


@frozen
class Review(Shown):
    """A game judged guess by guess."""

    board: Board
    moves: tuple[Move, ...]
    """The guesses up to the end, or to the first score that leaves no code."""
    seconds: float = field(compare=False)
    is_hard: bool = False
    """Whether guesses are judged in hard mode, beside those that were allowed."""

    @property
    def is_consistent(self) -> bool:
        """Whether some code gets all scores."""
        return not self.moves or self.moves[-1].codes_after != 0

    @property
    def is_won(self) -> bool:
        """Whether the last guess is scored as the code."""
        if not self.moves:
            return False
        guess, score = self.moves[-1].row
        return self.is_consistent and score == self.board.game.score(guess, guess)

    @property
    def skill(self) -> Fraction | None:
        """The mean skill of the guesses; None where there are none."""
        many = len(self.moves)
        return sum((move.skill for move in self.moves), Fraction(0)) / many if many else None

    @property
    def measure(self) -> str | None:
        """What all guesses are judged by; None where some are judged by one, some by the other."""
        kinds = {move.by for move in self.moves}
        return kinds.pop() if len(kinds) == 1 else None

    @property
    def loss(self) -> Fraction | None:
        """What all guesses cost more than the best ones, in the one measure of all."""
        return sum((move.loss for move in self.moves), Fraction(0)) if self.measure else None

    @property
    def luck(self) -> Fraction | None:
        """The luck of all scores, in the one measure of all; None where one is not known."""
        known = [move.luck for move in self.moves if move.luck is not None]
        is_sum = self.measure and len(known) == len(self.moves)
        return sum(known, Fraction(0)) if is_sum else None

    @property
    def luck_bits(self) -> float | None:
        """The bits that all scores brought beyond what was to be expected."""
        beyond = [move.bits - move.expected_bits for move in self.moves if move.bits is not None]
        return sum(beyond) if len(beyond) == len(self.moves) else None

    @property
    def impossible(self) -> tuple[int, ...]:
        """The rows, from 0, whose guesses could not be the code."""
        return tuple(move.number for move in self.moves if not move.is_possible)

    def records(self) -> list[dict[str, Any]]:
        """A line for each guess, rows counted from 1, for pandas.DataFrame and polars."""
        spell = speller(self.board.game)
        return [
            {
                "row": move.number + 1,
                "guess": spell.print_code(move.row.guess),
                "score": spell.print_score(move.row.score),
                "codes_before": move.codes_before,
                "codes_after": move.codes_after,
                "possible": move.is_possible,
                "by": move.by,
                "cost": float(move.cost),
                "best": spell.print_code(move.best),
                "best_cost": float(move.least),
                "skill": float(move.skill),
                "luck": None if move.luck is None else float(move.luck),
                "bits": move.bits,
            }
            for move in self.moves
        ]

    def to_dict(self) -> dict[str, Any]:
        """The stable JSON keys; see schemas/review.json."""
        skill, loss, luck, bits = self.skill, self.loss, self.luck, self.luck_bits
        return {
            "board": str(self.board),
            "hard": self.is_hard,
            "verdict": "consistent" if self.is_consistent else "inconsistent",
            "won": self.is_won,
            "by": self.measure,
            "skill": None if skill is None else round(float(skill), 6),
            "loss": None if loss is None else str(loss),
            "luck": None if luck is None else str(luck),
            "luck_bits": None if bits is None else round(bits, 6),
            "impossible": [row + 1 for row in self.impossible],
            "moves": [move.to_dict() for move in self.moves],
            "seconds": round(self.seconds, 6),
        }
