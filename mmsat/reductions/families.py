"""Families of boards: boards of one kind at any size, reproducible by seed.

A family is a kind of random board (`RANDOM_BOARDS`), or a reduction, whose boards are made from
random source problems. For many boards, the construction determines whether they are consistent.

The guesses of random boards are random. They are scored against one planted code or against a
separate code in each row. The random model ("any") is *independent*: each row has a separate code,
and all these codes are rearrangements of one code. The board is then consistent only by chance, and
rarely if the rows give more information than a code contains. Unrelated codes would make a poor
model: white pegs, and with two colors the parity of black pegs, reveal so much about the number of
pegs of each color that a few rows would contradict each other for this reason alone. If an
inconsistent board is requested, independent boards are drawn until a short search refutes one.
"""

from __future__ import annotations

import json
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, TypedDict, cast

from mmsat._util.arguments import check_arguments, require
from mmsat._util.processes import in_order
from mmsat._util.registry import require_name
from mmsat._util.results import (
    BoardLine,
    ColorList,
    Displayable,
    NonNegative,
    Positive,
    Schema,
    VerdictName,
)
from mmsat._util.text import join_words, quantity
from mmsat.constraints.expected_count import find_row_number
from mmsat.constraints.presolve_steps import search_simplified
from mmsat.errors import Fault, InputError, InternalError, SizeError
from mmsat.game import Code, Row, Score
from mmsat.game.board import Board, Status
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.limits import LIMITS
from mmsat.reductions.reduce import REDUCTIONS
from mmsat.reductions.reduction import Reduction
from mmsat.reductions.samples import RANDOM_OR_SLIPPED, Answer, BoardSamples, Sample

MAX_SIZE = 100_000
"""Maximum `size` of a board of any family."""


class GeneratedJson(TypedDict):
    """A generated board and its verdict, if known."""

    board: BoardLine
    pegs: Positive
    colors: Positive
    rows: NonNegative
    """Number of rows."""
    verdict: VerdictName
    """The verdict that the construction guarantees or a search has proven; otherwise unknown."""
    witness: ColorList | None
    """A consistent code, if one is known."""
    recipe: str
    """How the board was made, and why it has its verdict."""


AnswerName = Annotated[str, Schema(enum=tuple(map(str, Answer)))]


class FamilyBoardJson(GeneratedJson):
    """A board of a family."""

    family: str
    """Name of the family."""
    size: Positive
    """The size in the unit of the family."""
    seed: NonNegative
    answer: AnswerName
    """The requested answer."""


@dataclass(frozen=True, slots=True, repr=False)
class Generated(Displayable):
    """A generated board and its verdict, if known."""

    board: Board
    """The board."""
    status: Status
    """The verdict that the construction guarantees or a search has proven; otherwise unknown."""
    witness: Code | None
    """A consistent code, or None if none is known."""
    recipe: tuple[str, ...]
    """Sentences that state how the board was made, and why it has its verdict."""
    is_verdict_searched: bool = False
    """Whether a search has proven the verdict, rather than the construction."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """The recipe and the verdict, if known."""
        if self.status is Status.UNKNOWN:
            return self.recipe
        reason = "" if self.is_verdict_searched else " by construction"
        return *self.recipe, f"It is {self.status}{reason}."

    def __post_init__(self) -> None:
        if (self.witness is not None) != (self.status is Status.CONSISTENT):
            raise InternalError(f"the status {self.status} with the witness {self.witness}")
        if self.witness is not None and not self.board.is_consistent(self.witness):
            raise InternalError(f"the planted code {self.witness} contradicts {self.board}")

    def to_dict(self) -> GeneratedJson:
        """Return a dict for JSON; see schemas/generate.json."""
        game = self.board.game
        witness = None if self.witness is None else [color + 1 for color in self.witness]
        return {
            "board": str(self.board),
            "pegs": game.pegs,
            "colors": game.colors,
            "rows": len(self.board.rows),
            "verdict": str(self.status),
            "witness": witness,
            "recipe": " ".join(self.recipe),
        }


@dataclass(frozen=True, kw_only=True)
class Family(ABC):
    """Boards of one kind at any size."""

    name: str
    """Name in the registry and on the command line."""
    summary: str
    """Description of the boards, in one line."""
    unit: str
    """The unit of `size`, such as "pegs" or "variables"."""
    size: int
    """The default size, at which a board is decided in about a second."""
    min_size: int = 1
    """The minimum size."""
    answers: tuple[Answer, ...]
    """The answers that can be requested; the first is the default."""
    accepts_rows: bool = False
    """Whether the number of rows can be chosen."""

    def make(
        self,
        size: int,
        seed: int = 0,
        answer: Answer | None = None,
        rows: int | None = None,
    ) -> Generated:
        """Make a board. Equal arguments make equal boards.

        Raises InputError for a size, an answer or rows that the family does not support.
        """
        answer = answer or self.answers[0]
        faults = []
        if not self.min_size <= size <= MAX_SIZE:
            span = f"from {self.min_size} to {MAX_SIZE:,}"
            rule = f"the unit of the size is {self.unit}"
            faults.append(Fault(rule, size, f"a size {span}"))
        if answer not in self.answers:
            rule = "the construction of its boards determines no other verdict"
            faults.append(Fault(rule, str(answer), f"the answer {join_words(self.answers, 'or')}"))
        if rows is not None and not self.accepts_rows:
            faults.append(Fault(f"the size of {self.name} determines the rows", rows, "no --rows"))
        elif rows is not None and not 0 <= rows * size <= LIMITS.random_cells:
            max_rows = LIMITS.random_cells // max(1, size)
            faults.append(Fault("", rows, f"0 to {max_rows:,} rows at this size"))
        InputError.refuse(faults, f"the family {self.name}")
        return self._make(size, random.Random(f"{self.name} {size} {seed}"), answer, rows)

    @abstractmethod
    def is_drawn_by_search(self, answer: Answer) -> bool:
        """Return whether boards are drawn until a search refutes one, which favors easy boards."""

    @abstractmethod
    def _make(self, size: int, rng: random.Random, answer: Answer, rows: int | None) -> Generated:
        """Make a board from arguments that have been checked."""


@dataclass(frozen=True, kw_only=True)
class RandomBoards(Family):
    """Random guesses in the game of each size."""

    unit: str = "pegs"
    answers: tuple[Answer, ...] = RANDOM_OR_SLIPPED
    accepts_rows: bool = True
    game: Callable[[int], Game]
    """Returns the game for a size."""
    default_rows: Callable[[int], int]
    """Returns the default number of random rows for a size."""
    is_balanced: bool = False
    """Whether the code has each color equally often, as nearly as possible."""
    starts_with_uniform_guess: bool = False
    """Whether the first guess has only the first color, so that its score is the number of pegs of
    this color. Neither "any" nor "slipped" changes this score."""

    def is_drawn_by_search(self, answer: Answer) -> bool:
        return answer is Answer.INCONSISTENT

    def _make(self, size: int, rng: random.Random, answer: Answer, rows: int | None) -> Generated:
        num_rows = self.default_rows(size) if rows is None else rows
        if self.is_drawn_by_search(answer):
            return self._draw_inconsistent(size, rng, num_rows)
        game = self.game(size)
        secret = random_code(game, rng, is_balanced=self.is_balanced)
        first_guesses = [(0,) * game.pegs] if self.starts_with_uniform_guess else []
        guesses = [*first_guesses, *(random_code(game, rng) for _ in range(num_rows))]
        random_rows = range(len(first_guesses), len(guesses))
        scores: list[Score] = [game.score(secret, guess) for guess in guesses]
        if answer is Answer.ANY:
            for row in random_rows:
                row_code = list(secret)
                rng.shuffle(row_code)
                scores[row] = game.score(row_code, guesses[row])
            scoring_note = "each scored against its own rearrangement of one random code"
        else:
            scoring_note = "scored against one random code"
        recipe = f"{quantity(num_rows, 'random guess')}, {scoring_note}."
        board = Board(game, tuple(Row(*row) for row in zip(guesses, scores, strict=True)))
        if answer is Answer.CONSISTENT:
            return Generated(board, Status.CONSISTENT, secret, (recipe,))
        if answer is Answer.SLIPPED and num_rows:
            row = rng.choice(random_rows)
            new_score = self.slip(board, row, rng)
            slip_note = f"Then the score of row {row + 1} was changed as little as possible."
            slipped = board.changed({row: new_score})
            return Generated(slipped, Status.UNKNOWN, None, (recipe, slip_note))
        return Generated(board, Status.UNKNOWN, None, (recipe,))

    def _draw_inconsistent(self, size: int, rng: random.Random, rows: int) -> Generated:
        """Return the first independent board that a search refutes; SizeError at the limits.

        The limits count boards and failures, not seconds, so every machine draws the same board.
        """
        undecided = 0
        for number in range(1, MAX_DRAWN_BOARDS + 1):
            drawn = self._make(size, rng, Answer.ANY, rows)
            is_consistent = search_simplified(drawn.board, MAX_FAILURES)
            if is_consistent is False:
                note = f"It is board {number:,} made in this way, the first that a search refuted."
                board, recipe = drawn.board, (*drawn.recipe, note)
                return Generated(board, Status.INCONSISTENT, None, recipe, is_verdict_searched=True)
            undecided += is_consistent is None
            if undecided == MAX_UNDECIDED_BOARDS:
                break
        boards = f"{number:,} boards of size {size:,} with {quantity(rows, 'random row')}"
        verdicts = f"{number - undecided:,} were consistent and {undecided} undecided"
        raise SizeError(f"{self.name}: of {boards}, {verdicts}. Use more rows or another size.")

    def slip(self, board: Board, row: int, rng: random.Random) -> tuple[int, ...]:
        """Return the score of a row, changed as little as possible, such as by one more black peg.

        If black and white are scored, their sum is kept if possible, so that no count of colors
        reveals the change.
        """
        game = board.game
        # With two colors, the score of a uniform guess fixes the parity of black in other rows.
        step = 2 if self.starts_with_uniform_guess else 1
        black, *other_parts = (part or 0 for part in board.rows[row].score)
        options = [
            (new_black, *(part - (new_black - black) for part in other_parts))
            for new_black in (black - step, black + step)
        ]
        possible = [score for score in options if not game.scoring.flaw(game.pegs, score)]
        non_negative = [score for score in possible if min(score) >= 0]
        if non_negative:
            return rng.choice(non_negative)
        # Only boards of one or two pegs have no change that keeps the sum.
        return (black - 1 if black == game.pegs else black + 1, *other_parts)


MAX_DRAWN_BOARDS, MAX_UNDECIDED_BOARDS = 1_000, 5
"""Maximum number of boards drawn to find an inconsistent one, and of undecided ones among them."""
MAX_FAILURES = 1_000_000
"""Maximum number of failures of a search, some seconds; the board is undecided if it needs more."""


def random_code(game: Game, rng: random.Random, *, is_balanced: bool = False) -> Code:
    """Return a random code of a game whose colors may repeat.

    With `is_balanced`, it has each color equally often, as nearly as possible.
    """
    if not is_balanced:
        return tuple(rng.randrange(game.colors) for _ in range(game.pegs))
    code = [peg % game.colors for peg in range(game.pegs)]
    rng.shuffle(code)
    return tuple(code)


def divide_by_log2(numerator: int, base: int) -> int:
    """Return the quotient of `numerator` and log2(base), rounded up, without rounding errors."""
    quotient = numerator // max(1, base.bit_length())
    while base**quotient < 1 << numerator:
        quotient += 1
    return quotient


ALPHA = 2
"""Factor alpha in the default number of rows of two colors, alpha N / log2 N for N pegs.

This is group testing, or coin weighing. The boards are easy for small alpha, because there are many
codes, and easy again for large alpha, because the rows determine most of the code. The peak of
hardness is near alpha = 2: there, the rows give exactly as much information as the code contains.
"""

RANDOM_BOARDS = {
    family.name: family
    for family in (
        RandomBoards(
            name="random-classic",
            summary="random guesses, as many colors as pegs, and one row fewer than pegs",
            size=20,
            game=lambda size: Game(size, size),
            default_rows=lambda size: size - 1,
        ),
        RandomBoards(
            name="random-two-color",
            summary=(
                "two colors, each on half of the pegs of the code, "
                "random guesses at the peak of hardness"
            ),
            size=40,
            min_size=2,
            game=lambda size: Game(size, 2),
            default_rows=lambda size: divide_by_log2(ALPHA * size, size),
            is_balanced=True,
            starts_with_uniform_guess=True,
        ),
        # The peak of six colors is near 3 rows for every 4 pegs: there, the rows give as much
        # information as the code contains. The code contains 2.6 bits per peg, and a row gives
        # about 3.4 bits, or 2.2 bits with black only. Numbers of rows are rounded up.
        RandomBoards(
            name="six-colors",
            summary="six colors, random guesses at the peak of hardness, 3 rows per 4 pegs",
            size=16,
            game=lambda size: Game(size, 6),
            default_rows=lambda size: -(-3 * size // 4),
            is_balanced=True,
        ),
        RandomBoards(
            name="six-colors-black",
            summary="six colors, black only, random guesses at the peak of hardness, "
            "5 rows per 4 pegs",
            size=12,
            game=lambda size: Game(size, 6, scoring=SCORINGS["black"]),
            default_rows=lambda size: -(-5 * size // 4),
            is_balanced=True,
        ),
    )
}
"""The families of random boards, by name."""


@dataclass(frozen=True, kw_only=True)
class ReductionFamily(Family):
    """The boards of random sources of one reduction. The family has the name of the reduction."""

    reduction_class: type[Reduction[Any, Any]]

    @classmethod
    def of(cls, reduction_class: type[Reduction[Any, Any]]) -> ReductionFamily:
        """Make the family of a reduction."""
        samples = reduction_class.samples
        return cls(
            name=reduction_class.name,
            summary=reduction_class.family,
            unit=samples.unit,
            size=samples.size,
            min_size=samples.min_size,
            answers=samples.answers,
            reduction_class=reduction_class,
        )

    def is_drawn_by_search(self, answer: Answer) -> bool:
        samples = self.reduction_class.samples
        return isinstance(samples, BoardSamples) and RANDOM_BOARDS[
            samples.family
        ].is_drawn_by_search(answer)

    def _make(self, size: int, rng: random.Random, answer: Answer, rows: int | None) -> Generated:
        del rows  # always None, because `accepts_rows` is False
        sample = self._draw(size, rng, answer)
        reduction = self.reduction_class(sample.source, **sample.parameters)
        sentences = [sample.recipe, f"Reduced to a board by {self.name}: {reduction.title}."]
        if reduction.question:
            sentences.append(reduction.question)
        # `Reduction.known` has consistent codes, unlike `Board.known`, whose codes are excluded.
        if reduction.known:
            recipe = (*sentences, "The known code is the witness.")
            return Generated(reduction.board, Status.CONSISTENT, reduction.known[0], recipe)
        certificate = sample.certificate
        witness = None if certificate is None else reduction.encode(certificate)
        is_searched = self.is_drawn_by_search(answer)
        return Generated(reduction.board, sample.status, witness, tuple(sentences), is_searched)

    def _draw(self, size: int, rng: random.Random, answer: Answer) -> Sample:
        samples = self.reduction_class.samples
        if not isinstance(samples, BoardSamples):
            return samples.draw(size, rng, answer)
        source = RANDOM_BOARDS[samples.family].make(size, rng.randrange(1 << 30), answer)
        recipe = " ".join(source.recipe)
        return Sample(source.board, source.status, source.witness, recipe, samples.parameters)


class Families(Mapping[str, Family]):
    """All families by name, sorted. A reduction is imported when its family is looked up."""

    def __getitem__(self, name: str) -> Family:
        return RANDOM_BOARDS.get(name) or ReductionFamily.of(REDUCTIONS[name])

    def __contains__(self, name: object) -> bool:
        return name in RANDOM_BOARDS or name in REDUCTIONS

    def __iter__(self) -> Iterator[str]:
        return iter(sorted((*RANDOM_BOARDS, *REDUCTIONS)))

    def __len__(self) -> int:
        return len(RANDOM_BOARDS) + len(REDUCTIONS)


FAMILIES = Families()


@check_arguments
def generate(
    family: str,
    size: int | None = None,
    *,
    rows: int | None = None,
    seed: int = 0,
    answer: str | None = None,
    probability: float | None = None,
) -> Generated:
    """Make a board of a family, with its verdict, if known.

    The same arguments give the same board on every machine. `mmsat generate --help` lists the
    families.

    Parameters
    ----------
    family : str
        Name of the family: a kind of random board, or a reduction.
    size : int, optional
        Size of the board in the unit of the family, such as pegs or variables. By default, it is
        the size at which a board is decided in about a second.
    rows : int, optional
        Number of random rows, for families in which it can be chosen.
    seed : int, default 0
        Seed of all random choices.
    answer : {"any", "consistent", "inconsistent", "slipped"}, optional
        The requested answer; by default the first one of the family. "any" plants no code,
        "slipped" plants a code and changes one score, and for random boards "inconsistent" draws
        boards until a search refutes one.
    probability : float, optional
        Choose the number of rows with which about this fraction of the boards is consistent. The
        answer is then "any". It is an estimate, for families of random boards.

    Returns
    -------
    Generated
        The board, its verdict, and a witness if it is consistent.

    Raises
    ------
    InputError
        If the family does not support the size, the rows or the answer, or if another argument is
        invalid.
    SizeError
        If no drawn random board was proven inconsistent.

    Examples
    --------
    >>> generated = mmsat.generate("random-classic", 4, answer="consistent", seed=1)
    >>> generated.board.is_consistent(generated.witness)
    True
    >>> len(mmsat.generate("six-colors", 16, probability=0.5).board.rows)
    13
    """
    size, rows, answer = complete_options(family, size, rows, answer, probability)
    return FAMILIES[family].make(size, seed, Answer(answer), rows)


@check_arguments
def generate_many(
    family: str,
    count: int,
    size: int | None = None,
    *,
    rows: int | None = None,
    seed: int = 0,
    answer: str | None = None,
    probability: float | None = None,
    executor: Executor | None = None,
) -> Iterator[str]:
    """Make many boards of a family, as the lines of `mmsat generate --json`.

    Parameters
    ----------
    family : str
        Name of the family, as for `generate`.
    count : int
        Number of boards.
    size : int, optional
        As for `generate`; the same size for all boards.
    rows : int, optional
        Number of random rows, for families in which it can be chosen.
    seed : int, default 0
        Seed of the first board. Each further board has the next seed.
    answer : str, optional
        As for `generate`; with "inconsistent", all `count` boards are inconsistent.
    probability : float, optional
        As for `generate`.
    executor : concurrent.futures.Executor, optional
        Executor that makes the boards. By default, this process does. Only names, numbers and lines
        of JSON are exchanged with its workers.

    Returns
    -------
    iterator of str
        One line of JSON per board.

    Raises
    ------
    InputError
        As for `generate`.
    SizeError
        As for `generate`.

    Examples
    --------
    >>> import json
    >>> lines = mmsat.generate_many("random-classic", 3, 4)
    >>> [json.loads(line)["seed"] for line in lines]
    [0, 1, 2]
    """
    seed = seed or 0  # None is accepted, too
    require("generate_many", seed=seed + count - 1)  # the seed of the last board is valid, too
    size, rows, answer = complete_options(family, size, rows, answer, probability)
    tasks = ((family, size, rows, number, answer) for number in range(seed, seed + count))
    return in_order(executor, make_line, tasks)


def complete_options(
    family: str, size: int | None, rows: int | None, answer: str | None, probability: float | None
) -> tuple[int, int | None, str]:
    """Return the size, the rows and the answer, with the default instead of None."""
    require_name("family", family, FAMILIES)
    if answer is not None:
        require_name("answer", answer, [*map(str, Answer)])
    size = FAMILIES[family].size if size is None else size
    if probability is not None:
        return size, rows_for_probability(family, size, rows, answer, probability), "any"
    return size, rows, answer or str(FAMILIES[family].answers[0])


@lru_cache
def rows_for_probability(
    name: str, size: int, rows: int | None, answer: str | None, probability: float
) -> int:
    """Return the number of rows whose random boards are consistent with about this probability.

    The probabilities of some boards are estimated for each number of rows. The result is the number
    of rows with the mean nearest to `probability`. Raises InputError if `rows` or another answer
    than "any" is given, or if the number of rows of the family cannot be chosen.
    """
    family = FAMILIES[name]
    faults = []
    if not 0 < probability < 1:
        faults.append(Fault("", probability, "a probability between 0 and 1"))
    if not family.accepts_rows:
        rule = f"the size of {name} determines the rows"
        faults.append(Fault(rule, probability, "no probability"))
    if rows is not None:
        faults.append(Fault("the probability determines the rows", rows, "no rows"))
    if answer not in (None, "any"):
        rule = "the probability is that of boards without a planted code"
        faults.append(Fault(rule, answer, "the answer any"))
    InputError.refuse(faults, "the options")
    return find_row_number(
        lambda num_rows, seed: family.make(size, seed, Answer.ANY, num_rows).board, probability
    )


def family_document(generated: Generated, **request: Any) -> FamilyBoardJson:
    """Return the document of a board and its `family`, `size`, `seed` and requested `answer`."""
    return cast("FamilyBoardJson", request | generated.to_dict())


def make_line(family: str, size: int, rows: int | None, seed: int, answer: str) -> str:
    """Make a board and return it as a line of JSON."""
    generated = generate(family, size, rows=rows, seed=seed, answer=answer)
    document = family_document(generated, family=family, size=size, seed=seed, answer=answer)
    return f"{json.dumps(document)}\n"
