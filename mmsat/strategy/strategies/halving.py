"""Halving: find the pegs of each color by halving, with one question or many questions at a time.

A part is a set of pegs and the number of pegs of each color among them. The first part is the whole
code, after all colors except one have been guessed on all pegs. A question about a color is: how
many of its pegs are in the left half of the part, minus the number of pegs of the background color
there? The background color is a color that is not in the part, or else the rarest color of the
part. For a question, the guess has the color on the left half of the part, and the background color
on the right half. For a negated question, the two colors are exchanged. If a guess has no question
about a part, the part has its background color. When all questions about a part are answered, its
halves become the next parts, until each part has only one color. One color needs no question, as
its pegs follow from the other colors: the background color if it is in the part, else the most
frequent color.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from mmsat.strategy.planned import ContradictionError, Plan, Planned, signed_matrix, solve_signed

if TYPE_CHECKING:
    import random
    from collections.abc import Generator, Sequence

    from mmsat.game import Code
    from mmsat.game.game import Game


class Question(NamedTuple):
    """The number of pegs of a color, minus those of the background color, in the left half."""

    part: Part
    color: int
    low: int
    """Smallest possible answer."""
    high: int
    """Largest possible answer."""


class Part:
    """A set of pegs, the number of pegs of each color among them, and the open questions."""

    def __init__(self, pegs: Sequence[int], counts: dict[int, int], colors: Sequence[int]) -> None:
        """Create the questions about a part.

        `counts` has the number of pegs of each color in the part; `colors` are all colors of the
        game.
        """
        middle = (len(pegs) + 1) // 2
        self.left, self.right = pegs[:middle], pegs[middle:]
        self.counts = counts
        self.colors = colors
        by_frequency = sorted(counts, key=lambda color: (counts[color], color))
        absent = next((color for color in colors if color not in counts), None)
        self.background = by_frequency[0] if absent is None or len(by_frequency) == 1 else absent
        self.background_pegs = counts.get(self.background, 0)
        question_colors = by_frequency[1:] if self.background_pegs else by_frequency[:-1]
        self.answers: dict[int, int] = {}
        self.binary_questions: list[Question] = []
        """Open questions with two possible answers."""
        self.other_questions: list[Question] = []
        """Open questions with more possible answers."""
        for color in question_colors:
            question = Question(self, color, *self.bounds(color))
            if question.low == question.high:
                self.answers[color] = question.low
            else:
                is_binary = question.low + 1 == question.high
                (self.binary_questions if is_binary else self.other_questions).append(question)

    @property
    def pegs(self) -> int:
        """Number of pegs of the part."""
        return len(self.left) + len(self.right)

    @property
    def is_answered(self) -> bool:
        """Whether all questions are answered."""
        return not self.binary_questions and not self.other_questions

    def record_answer(self, question: Question, answer: int) -> None:
        """Record the answer to a question; raise ContradictionError if it is impossible."""
        if not question.low <= answer <= question.high:
            raise ContradictionError
        self.answers[question.color] = answer
        is_binary = question in self.binary_questions
        (self.binary_questions if is_binary else self.other_questions).remove(question)

    def bounds(self, color: int) -> tuple[int, int]:
        """Return the smallest and the largest possible answer about a color."""
        num_pegs, num_background = self.counts[color], self.background_pegs
        # Smallest and largest possible numbers of pegs in the left half, for both colors.
        lows = [max(0, number - len(self.right)) for number in (num_pegs, num_background)]
        highs = [min(number, len(self.left)) for number in (num_pegs, num_background)]
        return lows[0] - highs[1], highs[0] - lows[1]

    def halves(self) -> list[Part]:
        """Return the two halves as parts, after all questions are answered.

        Raises ContradictionError if the answers are impossible.
        """
        remaining_pegs = len(self.left) - sum(self.answers.values())
        if self.background_pegs:
            # An answer is the number of pegs of its color minus `num_background`, and the pegs of
            # all colors together are the left half.
            num_background, remainder = divmod(remaining_pegs, len(self.counts))
            if remainder:
                raise ContradictionError
            left = {color: num_background + answer for color, answer in self.answers.items()}
            left[self.background] = num_background
        else:
            (last_color,) = self.counts.keys() - self.answers.keys()
            left = {**self.answers, last_color: remaining_pegs}
        right = {color: self.counts[color] - num_pegs for color, num_pegs in left.items()}
        if min(*left.values(), *right.values()) < 0:
            raise ContradictionError
        halves = []
        for pegs, counts in ((self.left, left), (self.right, right)):
            present = {color: num_pegs for color, num_pegs in counts.items() if num_pegs}
            halves.append(Part(pegs, present, self.colors))
        return halves


class Batch:
    """Questions combined by the rows of a matrix; no row has two questions about the same part."""

    def __init__(self, parts: Sequence[Part], num_doublings: int) -> None:
        """Assign as many questions as possible to columns of the matrix (see SignedMatrix).

        Parts with many binary questions get long lanes. Each part has only one lane or one full
        column, so that no row has two questions about it. Questions with more answers are assigned
        first, as they only fit into full columns.
        """
        self.num_doublings = num_doublings
        self.matrix = signed_matrix(num_doublings)
        self.lanes: list[Sequence[Question]] = [()] * len(self.matrix.lanes)
        full = [part.other_questions[0] for part in parts if part.other_questions]
        binary_by_part = [
            part.binary_questions
            for part in parts
            if part.binary_questions and not part.other_questions
        ]
        binary_by_part.sort(key=len, reverse=True)
        unassigned = iter(binary_by_part)
        lengths = [len(lane) for lane in self.matrix.lanes]
        for lane in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
            assigned: list[Question] = []
            while len(assigned) < lengths[lane] and (questions := next(unassigned, None)):
                assigned += questions[: lengths[lane] - len(assigned)]
            self.lanes[lane] = assigned
        full += [questions[0] for questions in unassigned]
        self.full = full[: len(self.matrix.full)]
        self.size = len(self.full) + sum(map(len, self.lanes))

    def ask(self, code: Sequence[int], background_score: int) -> Generator[Code, int, None]:
        """Yield the guess of each row, and record the answers in the parts.

        `code` has the colors of all pegs for a guess without questions, and `background_score` is
        the score of that guess.
        """
        rows = 1 << self.num_doublings
        added: list[list[Question]] = [[] for _ in range(rows)]
        subtracted: list[list[Question]] = [[] for _ in range(rows)]
        for columns, questions in zip(
            (*self.matrix.lanes, self.matrix.full), (*self.lanes, self.full), strict=True
        ):
            for column, question in zip(columns, questions, strict=False):
                for row in column.added:
                    added[row].append(question)
                for row in column.subtracted:
                    subtracted[row].append(question)
        # A score minus `expected` is a row sum of the matrix, for answers minus their lower bounds.
        sums = []
        for row in range(rows):
            guess, expected = [*code], background_score
            for part, color, low, _ in added[row]:
                expected += low
                for peg in part.left:
                    guess[peg] = color
            for part, color, low, _ in subtracted[row]:
                expected += part.counts[color] - part.background_pegs - low
                for peg in part.right:
                    guess[peg] = color
            sums.append((yield tuple(guess)) - expected)
        lanes, full = solve_signed(sums)
        for questions, numbers in zip((*self.lanes, self.full), (*lanes, full), strict=True):
            for question, number in zip_longest(questions, numbers):
                if question is not None:
                    question.part.record_answer(question, question.low + number)
                elif number:
                    raise ContradictionError


class Halving(Planned):
    """One question per guess: at most n ceil(log2 k) + ceil((2 - 1/k) n) + k guesses.

    This is Goodrich's theorem for n pegs and k colors. Two things differ from his algorithm: the
    choice of the background color, and the choice of the color that follows from the others.
    """

    name = "halving"
    summary = "the pegs of each color by halving, one question per guess; black pegs, any size"
    source = "Goodrich 2009"
    max_doublings = 0
    """Maximum number of doublings of the matrix; 0 for one question per guess."""

    def plan(self, game: Game, rng: random.Random) -> Plan:
        """Count the colors, then halve parts."""
        pegs, colors = [*range(game.pegs)], [*range(game.colors)]
        rng.shuffle(pegs)
        rng.shuffle(colors)
        counts = yield from count_colors(game.pegs, colors)
        code = [0] * game.pegs
        parts: list[Part] = []
        new_parts = [Part(pegs, counts, colors)]
        while new_parts or parts:
            for part in new_parts:
                for peg in (*part.left, *part.right):
                    code[peg] = part.background
            parts = [part for part in (*parts, *new_parts) if len(part.counts) > 1]
            if parts and not any(part.is_answered for part in parts):
                background_score = game.pegs - sum(
                    part.pegs - part.background_pegs for part in parts
                )
                yield from self.choose_batch(parts).ask(code, background_score)
            new_parts = [half for part in parts if part.is_answered for half in part.halves()]
            parts = [part for part in parts if not part.is_answered]
        return tuple(code)

    def choose_batch(self, parts: Sequence[Part]) -> Batch:
        """Return the batch with the most questions per guess."""
        max_doublings = min(self.max_doublings, len(parts).bit_length())
        batches = [Batch(parts, num_doublings) for num_doublings in range(max_doublings + 1)]
        return max(batches, key=lambda batch: Fraction(batch.size, 1 << batch.num_doublings))


class ParallelHalving(Halving):
    """Many questions per guess, by detecting matrices: O(n log log n) guesses for n colors.

    This is the theorem of Doerr, Doerr, Spoehel and Thomas, which gives no constant. A short proof
    for this algorithm: at depth d there are 2^d parts with up to n questions. A matrix of 2^(d-1)
    rows combines about d/2 + 1 questions per row, and the sum of 2n/d over log2 n depths is 2 n
    log log n. Few questions have more than two answers: the pegs of a color are divided at random,
    so that there are O(n) such questions on average over the seeds, whatever the code. One thing
    differs from the original: parts of different sizes share a matrix, with long lanes for large
    parts. This is the idea of the O(n) strategy of Martinsson and Su, but here all parts are
    halved, while their strategy first isolates some pegs.
    """

    name = "parallel-halving"
    summary = "like halving, with many questions in one guess; black pegs, many colors, any size"
    source = "Doerr, Doerr, Spoehel and Thomas 2013; Martinsson and Su 2020; Cantor and Mills 1966"
    max_doublings = 20


def count_colors(pegs: int, colors: Sequence[int]) -> Generator[Code, int, dict[int, int]]:
    """Guess one color at a time until all pegs are counted; return the number of pegs per color."""
    counts: dict[int, int] = {}
    for color in colors:
        remaining_pegs = pegs - sum(counts.values())
        num_pegs = (
            remaining_pegs if color == colors[-1] or not remaining_pegs else (yield (color,) * pegs)
        )
        if num_pegs > remaining_pegs:
            raise ContradictionError
        if num_pegs:
            counts[color] = num_pegs
    return counts
