"""Strategies that follow a plan: the code is computed from the scores, without any search.

Plans use detecting matrices. Given n coins, each true or false, weigh some of them together. About
2 n / log2 n fixed selections are enough: their weights determine all n coins (Erdos and Renyi 1963,
at random; Lindstroem 1964 and Cantor and Mills 1966, by construction). Here a selection is a guess,
and the weight is its score.

`halving` and `parallel-halving` find the pegs of each color by halving, with one question or with
many questions per guess.

- A *part* is a set of pegs, with the number of pegs of each color among them. The first part is the
  whole code: its numbers are known after all colors except one have been guessed on all pegs.
- The *background color* of a part is a color that is not in the part, if there is one. Otherwise it
  is the rarest color of the part (or its only color).
- The answer to a *question* about a color is the number of its pegs in the left half of the part,
  minus the number of pegs of the background color there. The guess has the color on the left half,
  and the background color on the right half. If the matrix subtracts the question in a row, the two
  colors are exchanged. Then the score gets a constant (the difference between the pegs of the two
  colors in the part) minus the answer. If a guess does not have a question about a part, all of the
  part has the background color.
- One color does not need a question, because its pegs follow from the other colors: the background
  color if it is in the part, else the most frequent color.
- When all questions about a part are answered, its halves become parts. This ends when each part
  has only one color.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from fractions import Fraction
from functools import cache
from itertools import count, groupby, zip_longest
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from mmsat.errors import Description, Fault, InputError, InternalError
from mmsat.game import Code
from mmsat.strategy.candidates import no_code_error
from mmsat.strategy.strategy import SeededStrategy

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from mmsat.game import Row
    from mmsat.game.game import Game
    from mmsat.strategy.strategy import State


class Column(NamedTuple):
    """A column of a matrix: the rows in whose sums its number is added or subtracted."""

    added: tuple[int, ...]
    subtracted: tuple[int, ...] = ()


class SignedMatrix(NamedTuple):
    """The matrix [D D 1; D -D 0] of Cantor and Mills: 2^t rows, after t doublings.

    D is the matrix after one doubling less, and 1 the identity matrix. A *lane* is a list of
    columns of which no two have a row in common.
    """

    lanes: tuple[tuple[Column, ...], ...]
    """Columns for numbers that are 0 or 1: one lane of 2^(t-1) columns, two lanes of 2^(t-2), four
    lanes of 2^(t-3), and so on. These are t 2^(t-1) columns in 2^t - 1 lanes."""
    full: tuple[Column, ...]
    """Columns for any whole numbers: 2^t columns that are nonzero in every row."""


@cache
def signed_matrix(num_doublings: int) -> SignedMatrix:
    """Return the matrix of this many doublings, with 2^num_doublings rows."""
    if not num_doublings:
        return SignedMatrix((), (Column((0,)),))
    half = 1 << (num_doublings - 1)
    inner = signed_matrix(num_doublings - 1)
    top = tuple(Column((row,)) for row in range(half))

    def double(column: Column, *, is_added: bool) -> Column:
        added = tuple(row + half for row in column.added)
        subtracted = tuple(row + half for row in column.subtracted)
        if not is_added:
            added, subtracted = subtracted, added
        return Column(column.added + added, column.subtracted + subtracted)

    lanes, full = [top], []
    for is_added in (True, False):
        lanes += [
            tuple(double(column, is_added=is_added) for column in lane) for lane in inner.lanes
        ]
        full += [double(column, is_added=is_added) for column in inner.full]
    return SignedMatrix(tuple(lanes), tuple(full))


def solve_signed(sums: Sequence[int]) -> tuple[list[list[int]], list[int]]:
    """Return the numbers of each lane, and those of the full columns, from the sums of all rows.

    Let `up` be the sum of a row in the upper half, and `low` the sum of the row at the same place
    in the lower half. Only the upper row has the number of the identity matrix, which is `odd`: it
    is 1 if and only if `up` and `low` differ in parity. (up + low - odd) / 2 and
    (up - low - odd) / 2 are row sums of the matrix of half the size.
    """
    if len(sums) == 1:
        return [], [sums[0]]
    half = len(sums) // 2
    upper, lower = sums[:half], sums[half:]
    odd_numbers = [(up + low) % 2 for up, low in zip(upper, lower, strict=True)]
    lanes, full = [odd_numbers], []
    for sign in (1, -1):
        half_solution = solve_signed(
            [
                (up + sign * low - odd) // 2
                for up, low, odd in zip(upper, lower, odd_numbers, strict=True)
            ]
        )
        lanes += half_solution[0]
        full += half_solution[1]
    return lanes, full


class CountedColumn(NamedTuple):
    """A column of Lindstroem's matrix: 1 in each row for which `row & group` is in `cells`.

    Rows, groups and cells are integers, read as sets of bits.
    """

    group: int
    cells: frozenset[int]


def counted_matrix(num_columns: int, base: int) -> list[CountedColumn]:
    """Return a matrix of zeros and ones whose row sums determine numbers from 0 to `base` - 1.

    The strategy `weighing` uses it. The rows are the integers 1, 2, and so on up to the last group.
    Each integer `group` has columns of the weights 1, `base`, `base`^2 and so on, up to the number
    of subsets of `group` with an odd number of bits. A column of weight w has a 1 in each row for
    which `row & group` is one of the first w of these subsets. In base 2, 2^t - 1 rows determine
    t 2^(t-1) numbers.
    """
    columns: list[CountedColumn] = []
    for group in count(1):  # until the matrix has `num_columns` columns
        odd = sorted(cell for cell in subsets(group) if cell.bit_count() % 2)
        weight = 1
        while weight <= len(odd):
            if len(columns) == num_columns:
                return columns
            columns.append(CountedColumn(group, frozenset(odd[:weight])))
            weight *= base
    raise InternalError("unreachable")  # for mypy


def solve_counted(matrix: Sequence[CountedColumn], base: int, sums: Sequence[int]) -> list[int]:
    """Return the number of each column, from the sums of the rows 1, 2, ...

    Groups are solved from the last one to the first. The sums of all subsets of a group are added
    with alternating signs, by the parity of the subset. This cancels the numbers of all groups that
    do not contain the group; the numbers of groups that contain the group are already known and
    have been subtracted. The negated result is the sum of the group's numbers times their weights,
    so that these numbers are its digits in base `base`.
    """
    remaining_sums = [0, *sums]
    solution: list[int] = []
    for group, reversed_columns in groupby(reversed(matrix), attrgetter("group")):
        columns = [*reversed_columns][::-1]
        alternating_sum = sum(
            (-1) ** cell.bit_count() * remaining_sums[cell] for cell in subsets(group)
        )
        quotient, group_numbers = -alternating_sum, []
        for _ in columns[1:]:
            quotient, number = divmod(quotient, base)
            group_numbers.append(number)
        group_numbers.append(quotient)
        for (_, cells), number in zip(columns, group_numbers, strict=True):
            for row in range(1, len(remaining_sums)):
                if row & group in cells:
                    remaining_sums[row] -= number
        solution = group_numbers + solution
    return solution


def subsets(bits: int) -> Iterator[int]:
    """Yield all subsets of a set of bits, the empty set last."""
    subset = bits
    while subset:
        yield subset
        subset = (subset - 1) & bits
    yield 0


Plan: TypeAlias = "Generator[Code, int, Code]"
"""A generator that yields guesses, is sent the number of black pegs of each, and returns the
code."""


class NoAnswerError(Exception):
    """No code is consistent with the scores that a plan received."""


class Planned(SeededStrategy):
    """A strategy with a proven bound on the number of guesses, for black pegs in games of any size.

    The guesses are seldom possible codes. White pegs and rows whose guesses are not in the plan are
    ignored. The seed determines a random order of pegs and colors, so that no particular code is a
    worst case.
    """

    _plan: Plan | None = None
    _game: Game
    _rows: tuple[Row, ...]
    """The rows that the plan has processed."""
    _black_pegs: dict[Code, int]
    """The number of black pegs of each guess."""
    _next: Code
    """The next guess of the plan."""

    @abstractmethod
    def plan(self, game: Game, rng: random.Random) -> Plan:
        """Return the plan for a whole game."""

    def choose(self, state: State) -> Code:
        """Resume the plan; restart it if the processed rows are not the first rows of the state."""
        rows = state.rows
        try:
            if (
                self._plan is None
                or self._game != state.game
                or self._rows != rows[: len(self._rows)]
            ):
                self._game, self._rows, self._black_pegs = state.game, (), {}
                self._plan = self.plan(state.game, random.Random(f"{self.seed} {state.game}"))
                self._next = next(self._plan)
            for guess, (black, *_) in rows[len(self._rows) :]:
                if black is not None:
                    self._black_pegs[guess] = black
            self._rows = rows
            while self._next in self._black_pegs:
                self._next = self._plan.send(self._black_pegs[self._next])
        except StopIteration as end:
            self._plan, self._next = None, end.value
            if not state.allows(self._next):
                raise no_code_error(state.board) from None
        except NoAnswerError:
            self._plan = None
            raise no_code_error(state.board) from None
        return self._next

    def __getstate__(self) -> dict[str, object]:
        """Return the options, without the running plan, which cannot be pickled."""
        return {name: value for name, value in vars(self).items() if name[0] != "_"}

    def check(self, game: Game) -> None:
        """Raise InputError if the game or an option is not supported.

        Codes must be arbitrary sequences of colors, scores must have black pegs, and guesses must
        not be restricted to consistent codes.
        """
        faults = []
        if game.scoring.name not in ("black-white", "black"):
            rule = f"{self.name} uses black pegs"
            expected = "a game scored by black and white, or by black only"
            faults.append(Fault(rule, found=str(game), expected=expected))
        if game.space.name != "repeats":
            rule = f"{self.name} guesses any sequence of colors"
            expected = "a game with repeated colors"
            faults.append(Fault(rule, found=str(game), expected=expected))
        if self.consistent_only:
            rule = f"{self.name} also guesses codes that are ruled out"
            found = Description("consistent guesses only")
            faults.append(Fault(rule, found, expected="all guesses"))
        InputError.refuse(faults, "the strategy")
        super().check(game)


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
    def num_pegs(self) -> int:
        """Number of pegs of the part."""
        return len(self.left) + len(self.right)

    @property
    def is_answered(self) -> bool:
        """Whether all questions are answered."""
        return not self.binary_questions and not self.other_questions

    def record_answer(self, question: Question, answer: int) -> None:
        """Record the answer to a question; raise NoAnswerError if it is impossible."""
        if not question.low <= answer <= question.high:
            raise NoAnswerError
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

        Raises NoAnswerError if the answers are impossible.
        """
        remaining_pegs = len(self.left) - sum(self.answers.values())
        if self.background_pegs:
            # In the left half, the count of a color is its answer plus the count of the background
            # color. The counts of all colors add up to the size of the left half, so the remaining
            # pegs are len(self.counts) times the count of the background color.
            left_background, remainder = divmod(remaining_pegs, len(self.counts))
            if remainder:
                raise NoAnswerError
            left_counts = {
                color: left_background + answer for color, answer in self.answers.items()
            }
            left_counts[self.background] = left_background
        else:
            (last_color,) = self.counts.keys() - self.answers.keys()
            left_counts = {**self.answers, last_color: remaining_pegs}
        right_counts = {
            color: self.counts[color] - num_pegs for color, num_pegs in left_counts.items()
        }
        if min(*left_counts.values(), *right_counts.values()) < 0:
            raise NoAnswerError
        halves = []
        for pegs, counts in ((self.left, left_counts), (self.right, right_counts)):
            present = {color: num_pegs for color, num_pegs in counts.items() if num_pegs}
            halves.append(Part(pegs, present, self.colors))
        return halves


class PlannedBatch:
    """Questions that share guesses: a matrix states which questions each guess asks.

    No guess has two questions about the same part.
    """

    def __init__(self, parts: Sequence[Part], num_doublings: int) -> None:
        """Assign as many questions as possible to columns of the matrix (see SignedMatrix).

        The rows of the matrix are the guesses. Parts with many binary questions get long lanes.
        Each part has only one lane or one full column, so that no guess has two questions about it.
        Questions with more answers are assigned first, as they only fit into full columns.
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
            # Some columns may have no question.
            for column, question in zip(columns, questions, strict=False):
                for row in column.added:
                    added[row].append(question)
                for row in column.subtracted:
                    subtracted[row].append(question)
        # `expected` is the score if every answer is its lower bound. The rest of the score is a row
        # sum of the matrix, over the answers minus their lower bounds.
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
                    raise NoAnswerError


class PartHalving(Planned):
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
            # Answered parts are halved before more questions are asked.
            if parts and not any(part.is_answered for part in parts):
                background_score = game.pegs - sum(
                    part.num_pegs - part.background_pegs for part in parts
                )
                yield from self.choose_batch(parts).ask(code, background_score)
            new_parts = [half for part in parts if part.is_answered for half in part.halves()]
            parts = [part for part in parts if not part.is_answered]
        return tuple(code)

    def choose_batch(self, parts: Sequence[Part]) -> PlannedBatch:
        """Return the batch with the most questions per guess."""
        max_doublings = min(self.max_doublings, len(parts).bit_length())
        batches = [PlannedBatch(parts, num_doublings) for num_doublings in range(max_doublings + 1)]
        return max(batches, key=lambda batch: Fraction(batch.size, 1 << batch.num_doublings))


class ParallelHalving(PartHalving):
    """Many questions per guess, by detecting matrices: O(n log log n) guesses for n colors.

    This is the theorem of Doerr, Doerr, Spoehel and Thomas, which gives no constant. A short proof
    for this algorithm: at depth d there are 2^d parts with up to n questions in all. A matrix of
    2^(d-1) rows combines about d/2 + 1 questions per row, and the sum of 2n/d over log2 n depths is
    2 n log log n. Few questions have more than two answers: the pegs of a color are divided at
    random, so that there are O(n) such questions on average over the seeds, whatever the code. One
    thing differs from the original: parts of different sizes share a matrix, with long lanes for
    large parts. This is the idea of the O(n) strategy of Martinsson and Su, but here all parts are
    halved, while their strategy first isolates some pegs.
    """

    name = "parallel-halving"
    summary = "like halving, with many questions in one guess; black pegs, many colors, any size"
    source = "Doerr, Doerr, Spoehel and Thomas 2013; Martinsson and Su 2020; Cantor and Mills 1966"
    max_doublings = 20
    """In practice no limit, as the number of parts limits the doublings earlier."""


def count_colors(pegs: int, colors: Sequence[int]) -> Generator[Code, int, dict[int, int]]:
    """Guess one color at a time until all pegs are counted; return the number of pegs per color."""
    counts: dict[int, int] = {}
    for color in colors:
        remaining_pegs = pegs - sum(counts.values())
        num_pegs = (
            remaining_pegs if color == colors[-1] or not remaining_pegs else (yield (color,) * pegs)
        )
        if num_pegs > remaining_pegs:
            raise NoAnswerError
        if num_pegs:
            counts[color] = num_pegs
    return counts
