"""The result of a review of a played game: its moves, and sentences about them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any, NotRequired, TypedDict

from mmsat._util.results import (
    BoardLine,
    CodeText,
    ColorList,
    Digits,
    Displayable,
    NonEmpty,
    Positive,
    Ratio,
    RowNumber,
    Schema,
    Seconds,
    Share,
)
from mmsat._util.text import join_words, noun_phrase, plural, quantity
from mmsat.game import Code, Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.game.notation.document import add_texts

BEST_PLAY, EXPECTED_CODES = "best-play", "expected-codes"
"""The two measures by which guesses are judged; see `Move.by`."""
UNITS = {EXPECTED_CODES: "codes", BEST_PLAY: "guesses"}
"""The unit of each measure, in the order of the report. The first guesses of a game are often
judged by the number of remaining codes, and only the last ones by best play."""

SignedRatio = Annotated[
    str,
    Schema(
        pattern="^-?[0-9]+(/[1-9][0-9]*)?$",
        description="Whole number, or fraction in lowest terms, possibly below 0.",
    ),
]
MeasureName = Annotated[
    str,
    Schema(
        enum=(BEST_PLAY, EXPECTED_CODES),
        description="`best-play`: the average number of guesses until the code is found, including "
        "this one, if all later guesses are optimal. `expected-codes`: the average number of "
        "remaining codes.",
    ),
]


class GuessReviewJson(TypedDict):
    """The review of one guess."""

    row: RowNumber
    codes_before: Digits | None
    """Number of codes that remain before the guess; null if there are too many to count."""
    codes_after: Digits | None
    """Number of codes that remain after its score; null if there are too many to count."""
    possible: bool
    """Whether the guess could be the code."""
    by: MeasureName
    judged_by: Positive
    """Number of codes that the guess is judged by."""
    exact: bool
    """Whether the guess is judged by all remaining codes, not by a sample."""
    cost: Ratio
    """Cost of the guess by the measure."""
    best: ColorList
    best_text: NotRequired[CodeText]
    """The best guess."""
    best_cost: Ratio
    """Cost of the best guess by the measure."""
    loss: Ratio
    """The cost minus that of the best guess."""
    skill: Share
    """The cost of the best guess divided by that of this guess."""
    luck: SignedRatio | None
    """Expected cost minus actual cost after the score; null if it is unknown."""
    luckier: Share | None
    """Fraction of the codes that remain before the guess for which the score would have been less
    lucky, plus half of `equally_lucky`; null if it is unknown."""
    equally_lucky: Share | None
    """Fraction of these codes for which the score would have been equally lucky, including this
    score; null if it is unknown."""
    bits: float | None
    """Information of the score, in bits; null if it is unknown."""
    expected_bits: Annotated[float, Schema(minimum=0)]
    """Expected information of the score, in bits."""
    breach: RowNumber | None
    """In hard mode, the first row whose information the guess ignores, or null."""
    informative: ColorList | None
    """The guess that gives the most information on average, by which `mmsat suggest` compares
    guesses; null if the guess is the best one, is judged by best play or by weights, or if not all
    guesses can be tried."""
    most_bits: float | None
    """Expected information of the score of `informative`, in bits; null if that is null."""
    sentence: NonEmpty
    """The review in words."""


@dataclass(frozen=True)
class Move:
    """The review of one guess; the formulas are in play/reviews.md."""

    number: int
    """Index of the row with the guess, from 0."""
    row: Row
    """The guess and its score."""
    codes_before: int | None
    """Number of codes that remain before the guess; None if there are too many to count."""
    codes_after: int | None
    """Number of codes that remain after its score; 0 if the scores contradict each other, None if
    there are too many to count."""
    judged_by: int
    """Number of codes that the guess is judged by: all remaining ones, or a random sample."""
    is_possible: bool
    """Whether the guess could be the code."""
    by: str
    """The measure. `best-play` is the average number of guesses until the code is found, including
    this one, if all later guesses are optimal. `expected-codes` is the average number of remaining
    codes."""
    cost: Fraction
    """The cost of the guess by this measure, before its score is known."""
    best_cost: Fraction
    """The cost of the best guess."""
    best: Code
    """The best guess, with colors from 0; the reviewed guess itself if none is better."""
    luck: Fraction | None
    """Expected cost minus actual cost after the score, in units of the measure. It is positive for
    good luck, and 0 on average over the codes that remain before the guess. None if unknown."""
    luckier: Fraction | None
    """Fraction of the codes that remain before the guess for which the score would have been less
    lucky, from 0 to 1. Codes with equal luck count half. None if it is unknown."""
    equally_lucky: Fraction | None
    """Fraction of the codes that remain before the guess for which the score would have been
    equally lucky, including this score. None if it is unknown."""
    bits: float | None
    """Information of the score, in bits; None if it is unknown."""
    expected_bits: float
    """Expected information of the score of this guess, in bits."""
    breach: int | None = None
    """In hard mode, the index of the first row whose information the guess ignores, or None."""
    sentence: str = ""
    """The review of this guess in words."""
    informative: Code | None = None
    """The guess that gives the most information on average, by which `suggest` compares guesses, or
    the reviewed guess itself if none gives more. None if the reviewed guess is the best one, is
    judged by best play or by weights, or if not all guesses can be tried."""
    most_bits: float | None = None
    """Expected information of the score of `informative`, in bits."""

    @property
    def loss(self) -> Fraction:
        """The cost of the guess minus that of the best guess; 0 for a best guess."""
        return self.cost - self.best_cost

    @property
    def skill(self) -> Fraction:
        """The cost of the best guess divided by that of this guess; 1 for a best guess."""
        return self.best_cost / self.cost

    @property
    def is_exact(self) -> bool:
        """Whether the guess is judged by all remaining codes, not by a sample."""
        return self.judged_by == self.codes_before

    def to_dict(self) -> GuessReviewJson:
        """Return a dict for JSON, with rows and colors from 1."""
        before, after, bits = self.codes_before, self.codes_after, self.bits
        luckier, equally_lucky = self.luckier, self.equally_lucky
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
            "best_cost": str(self.best_cost),
            "loss": str(self.loss),
            "skill": round(float(self.skill), 6),
            "luck": None if self.luck is None else str(self.luck),
            "luckier": None if luckier is None else round(float(luckier), 6),
            "equally_lucky": None if equally_lucky is None else round(float(equally_lucky), 6),
            "bits": None if bits is None else round(bits, 6),
            "expected_bits": round(self.expected_bits, 6),
            "breach": None if self.breach is None else self.breach + 1,
            "informative": (
                None if self.informative is None else [color + 1 for color in self.informative]
            ),
            "most_bits": None if self.most_bits is None else round(self.most_bits, 6),
            "sentence": self.sentence,
        }


class ReviewJson(TypedDict):
    """A played game, reviewed guess by guess."""

    board: BoardLine
    hard: bool
    """Whether guesses are compared only with guesses that are allowed in hard mode."""
    verdict: Annotated[str, Schema(enum=("consistent", "inconsistent"))]
    won: bool
    """Whether the scores are consistent and the last one is the score of the code itself."""
    by: MeasureName | None
    """The common measure of all guesses; null if they differ, or without guesses."""
    skill: Share | None
    """Mean skill of the guesses; null without guesses."""
    loss: Ratio | None
    """Sum of the losses; null if the measures differ, or without guesses."""
    luck: SignedRatio | None
    """Sum of the luck; null if the luck of a guess is unknown, or if the measures differ."""
    luck_bits: float | None
    """The information of all scores minus its expectation, in bits."""
    impossible: list[Positive]
    """Numbers of the rows whose guesses could not be the code."""
    moves: list[GuessReviewJson]
    """The reviewed guesses, up to and including the first score that leaves no code."""
    seconds: Seconds


@dataclass(frozen=True, repr=False)
class Review(Displayable):
    """A played game, reviewed guess by guess."""

    board: Board
    """The board of the game, with rows in the order of play."""
    moves: tuple[Move, ...]
    """The reviewed guesses, up to and including the first score that leaves no code."""
    seconds: float = field(compare=False)
    """Wall-clock time in seconds."""
    is_hard: bool = False
    """Whether guesses are compared only with guesses that are allowed in hard mode."""
    is_weighted: bool = False
    """Whether the codes have weights."""

    @property
    def is_consistent(self) -> bool:
        """Whether some code is consistent with all scores."""
        return not self.moves or self.moves[-1].codes_after != 0

    @property
    def is_won(self) -> bool:
        """Whether the scores are consistent and the last one is the score of the code itself."""
        if not self.moves:
            return False
        guess, score = self.moves[-1].row
        return self.is_consistent and score == self.board.game.score(guess, guess)

    @property
    def skill(self) -> Fraction | None:
        """The mean skill of the guesses; None without guesses."""
        if not self.moves:
            return None
        return sum((move.skill for move in self.moves), Fraction(0)) / len(self.moves)

    @property
    def measure(self) -> str | None:
        """The common measure of all guesses; None if they differ, or without guesses."""
        measures = {move.by for move in self.moves}
        return measures.pop() if len(measures) == 1 else None

    @property
    def loss(self) -> Fraction | None:
        """The sum of the losses; None if the measures differ, or without guesses."""
        return sum((move.loss for move in self.moves), Fraction(0)) if self.measure else None

    @property
    def luck(self) -> Fraction | None:
        """The sum of the luck; None if it is unknown for a guess, or if the measures differ."""
        known_luck = [move.luck for move in self.moves if move.luck is not None]
        is_known = self.measure is not None and len(known_luck) == len(self.moves)
        return sum(known_luck, Fraction(0)) if is_known else None

    @property
    def luck_bits(self) -> float | None:
        """The information of all scores minus its expectation, in bits; None if unknown."""
        surplus = [move.bits - move.expected_bits for move in self.moves if move.bits is not None]
        return sum(surplus) if len(surplus) == len(self.moves) else None

    @property
    def impossible(self) -> tuple[int, ...]:
        """Indices of the rows whose guesses could not be the code."""
        return tuple(move.number for move in self.moves if not move.is_possible)

    def records(self) -> list[dict[str, Any]]:
        """Return one record per guess, for pandas.DataFrame and polars.

        Rows are numbered from 1.
        """
        notation = speller(self.board.game)
        return [
            {
                "row": move.number + 1,
                "guess": notation.print_code(move.row.guess),
                "score": notation.print_score(move.row.score),
                "codes_before": move.codes_before,
                "codes_after": move.codes_after,
                "possible": move.is_possible,
                "by": move.by,
                "cost": float(move.cost),
                "best": notation.print_code(move.best),
                "best_cost": float(move.best_cost),
                "skill": float(move.skill),
                "luck": None if move.luck is None else float(move.luck),
                "bits": move.bits,
            }
            for move in self.moves
        ]

    def to_dict(self) -> ReviewJson:
        """Return a dict for JSON, with rows and colors from 1; see schemas/review.json."""
        skill, loss, luck, bits = self.skill, self.loss, self.luck, self.luck_bits
        document: ReviewJson = {
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
        return add_texts(self.board.game, document)


def describe(game: Game, move: Move) -> str:
    """Return the sentences about one guess."""
    notation = speller(game)
    possibility = "could be the code" if move.is_possible else "could not be the code"
    unit = UNITS[move.by]
    verb = "takes" if move.by == BEST_PLAY else "leaves"
    about = "" if move.is_exact else "about "
    # 1. The cost of the guess, compared with the best one
    text = f"{notation.print_code(move.row.guess)} {possibility}; "
    if move.loss:
        text += (
            f"it {verb} {about}{amount(move.cost)} {unit} on average, "
            f"and {notation.print_code(move.best)} {verb} {about}{amount(move.best_cost)}"
        )
        if move.informative == move.row.guess:
            text += ", but no guess gives more information"
        elif move.informative is not None:
            text += (
                f"; it gives {move.expected_bits:.2f} bits of information on average, "
                f"and {notation.print_code(move.informative)} gives {move.most_bits:.2f}"
            )
    else:
        other_guesses = "no guess" if move.is_exact else "no guess that was tried"
        text += (
            f"it {verb} {about}{amount(move.cost)} {unit} on average, "
            f"and {other_guesses} {verb} fewer"
        )
    if move.breach is not None:
        text += f"; hard mode forbids it because it ignores information of row {move.breach + 1}"
    # 2. The codes that remain after the score, and its luck
    if move.codes_after == 0:
        return f"{text}. No code gets this score and those before it."
    if move.codes_before is None or move.codes_after is None:
        return f"{text}."
    text += f". The score left {move.codes_after:,} of {quantity(move.codes_before, 'code')}"
    if move.luckier is not None and move.equally_lucky is not None and move.codes_before > 1:
        ranked_quantity = (
            "average number of guesses still needed"
            if move.by == BEST_PLAY
            else "number of remaining codes"
        )
        less_lucky = move.luckier - move.equally_lucky / 2
        text += (
            f". Ranked by the {ranked_quantity}, {percent(less_lucky)} of the "
            f"{move.codes_before:,} codes have a less lucky score and "
            f"{percent(move.equally_lucky)} an equally lucky one"
        )
    return f"{text}."


def review_sentences(review: Review) -> list[str]:
    """Return the sentences about the whole game."""
    if review.skill is None:
        return ["There are no guesses to review."]
    losses = [
        f"{amount(sum((move.loss for move in moves), Fraction(0)))} {unit} lost{where}"
        for unit, where, moves in moves_by_unit(review)
    ]
    start = f"Skill {percent(review.skill)}: {quantity(len(review.moves), 'guess')}"
    sentences = [
        f"{start}, {join_words(losses)}.",
        *information_sentences(review),
        *luck_sentences(review),
    ]
    if review.impossible:
        rows = noun_phrase("row", [row + 1 for row in review.impossible])
        guesses = plural("guess", len(review.impossible))
        sentences.append(f"The {guesses} in {rows} could not be the code.")
    if forbidden_rows := [move.number + 1 for move in review.moves if move.breach is not None]:
        guesses = plural("guess", len(forbidden_rows))
        rows = noun_phrase("row", forbidden_rows)
        sentences.append(f"Hard mode forbids the {guesses} in {rows}.")
    if not review.is_consistent:
        rows = noun_phrase("row", range(1, len(review.moves) + 1))
        sentences.append(
            f"No code gets the scores of {rows}: see mmsat explain. Later guesses are not reviewed."
            if len(review.moves) < len(review.board.rows)
            else f"No code gets the scores of {rows}: see mmsat explain."
        )
    if any(move.by == EXPECTED_CODES for move in review.moves):
        sentences.append(
            "A cost in codes is the number of codes times the expected fraction of the weight that "
            "remains. Luck is the cost minus this product for the actual score."
            if review.is_weighted
            else "A cost in codes is the expected number of codes that remain."
        )
    return sentences


def information_sentences(review: Review) -> list[str]:
    """Return sentences that compare the guesses with the most informative ones.

    Costs in codes penalize the first guesses of a large game, and `suggest` does not use them.
    """
    moves = [move for move in review.moves if move.most_bits]
    if not moves:
        return []
    print_code = speller(review.board.game).print_code
    most_bits = sum(move.most_bits or 0.0 for move in moves)
    fraction = Fraction(sum(move.expected_bits for move in moves) / most_bits)
    rows = noun_phrase("row", [move.number + 1 for move in moves])
    reach = "reaches" if len(moves) == 1 else "together reach"
    guesses = f"the {plural('guess', len(moves))} in {rows} {reach} {percent(fraction)} of the best"
    sentences = [f"By information, the goal of mmsat suggest, {guesses}."]
    better = [
        f"{print_code(move.informative)} in row {move.number + 1}"
        for move in moves
        if move.informative is not None and move.informative != move.row.guess
    ]
    if better:
        sentences.append(
            f"The most informative {plural('guess', len(better))}: {join_words(better)}."
        )
    return sentences


def moves_by_unit(review: Review) -> Iterator[tuple[str, str, list[Move]]]:
    """Yield the unit of each measure, its rows in words, and its moves.

    The rows are empty text if all guesses have the same measure.
    """
    for measure, unit in UNITS.items():
        moves = [move for move in review.moves if move.by == measure]
        if moves:
            rows = noun_phrase("row", [move.number + 1 for move in moves])
            yield unit, "" if review.measure else f" in {rows}", moves


def luck_sentences(review: Review) -> Iterator[str]:
    """Yield a sentence about the luck for each measure, in its unit."""
    for unit, where, moves in moves_by_unit(review):
        luck_by_guess = [move.luck for move in moves if move.luck is not None]
        if len(luck_by_guess) < len(moves):
            continue
        luck = sum(luck_by_guess, Fraction(0))
        if not luck:
            yield f"Neither good nor bad luck{where}."
        else:
            kind, comparison = ("Good", "fewer") if luck > 0 else ("Bad", "more")
            yield f"{kind} luck{where}: {amount(abs(luck))} {unit} {comparison} than expected."


def amount(value: Fraction, sign: str = "") -> str:
    """Return a number of guesses or codes as a decimal; `sign` is a sign option of `format`."""
    return f"{float(value):{sign},.2f}" if abs(value) < 1000 else f"{float(value):{sign},.0f}"


def percent(fraction: Fraction) -> str:
    """Return a fraction as a percentage; only 1 is printed as 100%."""
    text = f"{float(fraction):.1%}"
    return "99.9%" if text == "100.0%" and fraction < 1 else text.replace("100.0%", "100%")
