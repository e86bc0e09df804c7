"""Halving: where the pegs of each color are, half by half, one question at a time or many at once.

A part is some pegs with the number of pegs of each color among them; the whole code is the first
one, once all colors but one have been guessed on all pegs. A color's question is how many of its
pegs lie in the left half of its part. It is asked by the color there and a background on the right,
a color that the part does not have, or else its rarest one; it is asked negatively the other way
round; and a part keeps quiet as background alone. When all colors of a part but its most frequent
one have been asked, its halves are the next parts, until each has one color.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from mmsat.strategy.detecting import signed_matrix, solve_signed
from mmsat.strategy.planned import ContradictionError, Plan, Planned

if TYPE_CHECKING:
    import random
    from collections.abc import Generator, Sequence

    from mmsat.game.game import Game
    from mmsat.game.row import Code


class Question(NamedTuple):
    """How many pegs of a color are in the left half of a part, less those of the background."""

    part: Part
    color: int
    low: int
    high: int


class Part:
    """Some pegs, how many of them have which color, and what is still to be asked."""

    def __init__(self, pegs: Sequence[int], counts: dict[int, int], colors: Sequence[int]) -> None:
        """`counts` are of the colors that the pegs have, `colors` all that there are."""
        middle = (len(pegs) + 1) // 2
        self.left, self.right = pegs[:middle], pegs[middle:]
        self.counts = counts
        self.colors = colors
        ranked = sorted(counts, key=lambda color: (counts[color], color))
        absent = next((color for color in colors if color not in counts), None)
        self.background = ranked[0] if absent is None or len(ranked) == 1 else absent
        self.quiet = counts.get(self.background, 0)
        asked = ranked[1:] if self.quiet else ranked[:-1]
        self.answers: dict[int, int] = {}
        self.small: list[Question] = []
        """Questions with two answers."""
        self.large: list[Question] = []
        """Questions with more."""
        for color in asked:
            question = Question(self, color, *self.bounds(color))
            if question.low == question.high:
                self.answers[color] = question.low
            else:
                is_small = question.low + 1 == question.high
                (self.small if is_small else self.large).append(question)

    @property
    def pegs(self) -> int:
        """How many pegs it has."""
        return len(self.left) + len(self.right)

    @property
    def is_answered(self) -> bool:
        """Whether all is known about the halves."""
        return not self.small and not self.large

    def tell(self, question: Question, answer: int) -> None:
        """An answer to a question; raises ContradictionError where it cannot be."""
        if not question.low <= answer <= question.high:
            raise ContradictionError
        self.answers[question.color] = answer
        (self.small if question in self.small else self.large).remove(question)

    def bounds(self, color: int) -> tuple[int, int]:
        """The least and the greatest answer about a color."""
        own, back = self.counts[color], self.quiet
        lows = [max(0, many - len(self.right)) for many in (own, back)]
        highs = [min(many, len(self.left)) for many in (own, back)]
        return lows[0] - highs[1], highs[0] - lows[1]

    def halves(self) -> list[Part]:
        """The two parts, once all is answered; raises ContradictionError where they can't be."""
        colors, many = len(self.counts), len(self.left) - sum(self.answers.values())
        if self.quiet:
            many, rest = divmod(many, colors)
            if rest:
                raise ContradictionError
            left = {color: many + more for color, more in self.answers.items()}
            left[self.background] = many
        else:
            (last,) = self.counts.keys() - self.answers.keys()
            left = {**self.answers, last: many}
        right = {color: self.counts[color] - own for color, own in left.items()}
        if min(*left.values(), *right.values()) < 0:
            raise ContradictionError
        halves = []
        for pegs, counts in ((self.left, left), (self.right, right)):
            has = {color: own for color, own in counts.items() if own}
            halves.append(Part(pegs, has, self.colors))
        return halves


class Batch:
    """Questions that are asked together, of each part one at a time, by the rows of a matrix."""

    def __init__(self, parts: Sequence[Part], dimensions: int) -> None:
        """Place as many questions as fit: long lanes to parts with many of two answers.

        A part has one lane or whole column, so that no row asks it twice. Questions with more
        answers are placed first, as only the whole columns have room for them.
        """
        self.dimensions = dimensions
        self.matrix = signed_matrix(dimensions)
        self.lanes: list[Sequence[Question]] = [()] * len(self.matrix.lanes)
        whole = [part.large[:1] for part in parts if part.large][: len(self.matrix.whole)]
        others = [part.small for part in parts if part.small and not part.large]
        others.sort(key=len, reverse=True)
        waiting = iter(others)
        lengths = [len(lane) for lane in self.matrix.lanes]
        for lane in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
            filled: list[Question] = []
            while len(filled) < lengths[lane] and (small := next(waiting, None)):
                filled += small[: lengths[lane] - len(filled)]
            self.lanes[lane] = filled
        whole += [small[:1] for small in waiting]
        self.whole = [question for (question,) in whole[: len(self.matrix.whole)]]
        self.size = len(self.whole) + sum(map(len, self.lanes))

    def ask(self, code: Sequence[int], quiet: int) -> Generator[Code, int, None]:
        """Guess row by row, and tell the parts their answers.

        `code` are the colors of all pegs while no part is asked, `quiet` the score of that.
        """
        rows = 1 << self.dimensions
        added: list[list[Question]] = [[] for _ in range(rows)]
        taken: list[list[Question]] = [[] for _ in range(rows)]
        for columns, questions in zip(
            (*self.matrix.lanes, self.matrix.whole), (*self.lanes, self.whole), strict=True
        ):
            for column, question in zip(columns, questions, strict=False):
                for row in column.added:
                    added[row].append(question)
                for row in column.taken:
                    taken[row].append(question)
        sums = []
        for row in range(rows):
            guess, expected = [*code], quiet
            for part, color, low, _ in added[row]:
                expected += low
                for peg in part.left:
                    guess[peg] = color
            for part, color, low, _ in taken[row]:
                expected += part.counts[color] - part.quiet - low
                for peg in part.right:
                    guess[peg] = color
            sums.append((yield tuple(guess)) - expected)
        lanes, whole = solve_signed(sums)
        for questions, numbers in zip((*self.lanes, self.whole), (*lanes, whole), strict=True):
            for question, number in zip_longest(questions, numbers):
                if question is not None:
                    question.part.tell(question, question.low + number)
                elif number:
                    raise ContradictionError


class Halving(Planned):
    """One question a guess: at most n ceil(log2 k) + ceil((2 - 1/k) n) + k guesses.

    That is Goodrich's theorem, for n pegs and k colors. What is changed: which color is the
    background, and that a part's most frequent color is known when the others are.
    """

    name = "halving"
    summary = "the pegs of each color by halves, one question a guess; black pegs, any size"
    source = "Goodrich 2009"
    dimensions = 0
    """How often the matrix of questions that are asked together is doubled at most."""

    def plan(self, game: Game, source: random.Random) -> Plan:
        """Count the colors, then halve."""
        pegs, colors = [*range(game.pegs)], [*range(game.colors)]
        source.shuffle(pegs)
        source.shuffle(colors)
        counts = yield from count_colors(game.pegs, colors)
        code = [0] * game.pegs
        parts: list[Part] = []
        fresh = [Part(pegs, counts, colors)]
        while fresh or parts:
            for part in fresh:
                for peg in (*part.left, *part.right):
                    code[peg] = part.background
            parts = [part for part in (*parts, *fresh) if len(part.counts) > 1]
            if parts and not any(part.is_answered for part in parts):
                quiet = game.pegs - sum(part.pegs - part.quiet for part in parts)
                yield from self.choose_batch(parts).ask(code, quiet)
            fresh = [half for part in parts if part.is_answered for half in part.halves()]
            parts = [part for part in parts if not part.is_answered]
        return tuple(code)

    def choose_batch(self, parts: Sequence[Part]) -> Batch:
        """The batch with the most questions for its guesses."""
        most = min(self.dimensions, len(parts).bit_length())
        batches = [Batch(parts, dimensions) for dimensions in range(most + 1)]
        return max(batches, key=lambda batch: Fraction(batch.size, 1 << batch.dimensions))


class ParallelHalving(Halving):
    """Many questions a guess, by detecting matrices: O(n log log n) guesses for n colors.

    That is the theorem of Doerr, Doerr, Spoehel and Thomas, without a constant; the proof for what
    is done here is short. At depth d there are 2^d parts with up to n questions, of which a matrix
    of 2^(d-1) rows has room for d/2 + 1 or so a row, and the sum of 2n/d over log2 n depths is
    2 n log log n. Few questions have more than two answers: a color's pegs part at random, so that
    over the seeds there are O(n) on average, whatever the code. What is changed: parts of different
    sizes share a matrix, with long lanes for large ones, which is the idea of the O(n) strategy of
    Martinsson and Su; but parts are halved as they come, where theirs first isolates some pegs.
    """

    name = "parallel-halving"
    summary = "the same, with many questions in one guess; black pegs, many colors, any size"
    source = "Doerr, Doerr, Spoehel and Thomas 2013; Martinsson and Su 2020; Cantor and Mills 1966"
    dimensions = 20


def count_colors(pegs: int, colors: Sequence[int]) -> Generator[Code, int, dict[int, int]]:
    """How many pegs have which color: a guess for each color until all pegs are counted."""
    counts: dict[int, int] = {}
    for color in colors:
        rest = pegs - sum(counts.values())
        many = rest if color == colors[-1] or not rest else (yield (color,) * pegs)
        if many > rest:
            raise ContradictionError
        if many:
            counts[color] = many
    return counts
