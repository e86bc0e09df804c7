"""Several boards of one game at once: the next guess for all of them, and its evaluation on each.

Each guess is made on every unsolved board and gives information about all of them, so its cost is
summed over the boards. The cost for a board is the estimated number of further guesses for an
average code of the board (strategy/optimal/__init__.py). Sums are exact, in whole numbers. The
strategy `together` guesses the code of a board as soon as the code is certain: it has to be guessed
at some time, and gives information about the other boards. The search looks one guess ahead. It
does not take into account that the final guess on each board gives information about the other
boards, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from heapq import nsmallest
from itertools import repeat
from math import lcm
from time import monotonic
from typing import Annotated, Any, NamedTuple, NotRequired, TypedDict

from mmsat._util import Array, np
from mmsat._util.arguments import check_arguments, is_iterable
from mmsat._util.registry import require_name
from mmsat._util.results import (
    BoardLine,
    CodeText,
    ColorList,
    Digits,
    Displayable,
    Positive,
    Schema,
    Seconds,
)
from mmsat._util.text import quantity
from mmsat.counting import Count
from mmsat.errors import (
    Description,
    Fault,
    InconsistentError,
    InputError,
    found_argument,
    source_as,
)
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.game.notation.document import add_texts
from mmsat.solving.deadline import run_with_progress
from mmsat.strategy.answers import (
    MAX_TABLE_CODES,
    all_codes,
    answer_table,
    count_scores,
    find_codes,
    kernel_form,
    list_codes,
    sum_table_costs,
)
from mmsat.strategy.candidates import JudgmentJson, Pool, Prospect, draw_pool, evaluate_guesses
from mmsat.strategy.optimal import BITS_PER_GUESS, estimate_costs
from mmsat.strategy.strategy import State
from mmsat.strategy.suggest import count_pool

MAX_BOARDS = 1000
"""Maximum number of boards that are played at once."""


@dataclass(frozen=True)
class SeveralBoards:
    """Boards that are played with the same guesses, each until it is solved.

    Raises
    ------
    InputError
        If the boards differ in their game or guesses, or if there are not 1 to 1,000 boards.

    Examples
    --------
    >>> boards = mmsat.SeveralBoards.of(["4x6/1122=1.1", "4x6/1122=0.2"])
    >>> boards.guesses
    ((0, 0, 1, 1),)
    """

    boards: tuple[Board, ...]
    """The boards, in order."""

    def __post_init__(self) -> None:
        if not is_iterable(self.boards):
            raise InputError.of("the boards", "a list of boards", found_argument(self.boards))
        boards = []
        for number, board in enumerate(self.boards, 1):
            with source_as(f"board {number}"):
                boards.append(Board.of(board).without_known("a game of several boards"))
        object.__setattr__(self, "boards", tuple(boards))
        if not 1 <= len(self.boards) <= MAX_BOARDS:
            raise InputError.of("the boards", f"1 to {MAX_BOARDS:,} boards", len(self.boards))
        guesses, spell = self.guesses, speller(self.game)
        faults = []
        for number, board in enumerate(self.boards, 1):
            place, num_rows = f"board {number}", Description(quantity(len(board.rows), "row"))
            if board.game != self.game:
                rule = "all boards must have the same game"
                faults.append(Fault(rule, str(board.game), str(self.game), part=place))
                continue
            # A board that was solved earlier has fewer rows.
            for row_number, (row, guess) in enumerate(zip(board.rows, guesses, strict=False), 1):
                if row.guess != guess:
                    rule = "all boards must have the same guesses"
                    expected, guess_text = spell.print_code(guess), spell.print_code(row.guess)
                    faults.append(
                        Fault(rule, guess_text, expected, part=f"{place}, row {row_number}")
                    )
            if any(board.game.score(row.guess, row.guess) == row.score for row in board.rows[:-1]):
                rule = "a solved board has no further rows"
                faults.append(Fault(rule, num_rows, "fewer rows", part=place))
            if len(board.rows) < len(guesses) and not board.is_solved:
                rule = "an unsolved board has a row for each guess"
                faults.append(Fault(rule, num_rows, quantity(len(guesses), "row"), part=place))
        InputError.refuse(faults, "the boards")

    @classmethod
    def of(cls, boards: SeveralBoards | Iterable[Board | str]) -> SeveralBoards:
        """Return the boards; strings are parsed.

        Parameters
        ----------
        boards : SeveralBoards or iterable of Board or str
            The boards, or their lines.

        Returns
        -------
        SeveralBoards
            The boards.

        Raises
        ------
        InputError
            If the boards do not belong together; the error lists every fault. If a board is
            invalid or has known codes, the error names the first such board by its number, from 1.
        """
        return boards if isinstance(boards, cls) else cls(boards)  # type: ignore[arg-type]

    @classmethod
    def start(cls, game: Game, count: int) -> SeveralBoards:
        """Return several boards without rows.

        Parameters
        ----------
        game : Game
            The game of all boards.
        count : int
            Number of boards, 1 to 1,000.

        Returns
        -------
        SeveralBoards
            The boards.

        Raises
        ------
        InputError
            If the number is out of range.
        """
        return cls(tuple(repeat(Board(game), count)))

    def __iter__(self) -> Iterator[Board]:
        return iter(self.boards)

    @property
    def game(self) -> Game:
        """The game of all boards."""
        return self.boards[0].game

    @property
    def guesses(self) -> tuple[Code, ...]:
        """The guesses made so far: the guesses of the board with the most rows."""
        return tuple(row.guess for row in max(self.boards, key=lambda board: len(board.rows)).rows)

    @property
    def unsolved(self) -> dict[int, Board]:
        """The boards that are not solved, by their index from 0."""
        return {index: board for index, board in enumerate(self.boards) if not board.is_solved}

    @property
    def is_solved(self) -> bool:
        """Whether all boards are solved."""
        return not self.unsolved

    def with_scores(
        self, guess: Sequence[int] | str, scores: Sequence[Sequence[int | None] | str]
    ) -> SeveralBoards:
        """Return the boards with one more guess.

        Parameters
        ----------
        guess : sequence of int or str
            The guess, as colors from 0 or as text.
        scores : sequence of scores
            The score of the guess on each unsolved board, as numbers or as text.

        Returns
        -------
        SeveralBoards
            The new boards.

        Raises
        ------
        InputError
            If the guess or a score is invalid.
        ValueError
            If `scores` does not have one score for each unsolved board.
        """
        score_by_board = dict(zip(self.unsolved, scores, strict=True))
        return SeveralBoards(
            tuple(
                board.with_row(guess, score_by_board[index]) if index in score_by_board else board
                for index, board in enumerate(self.boards)
            )
        )

    def with_guess(
        self, guess: Sequence[int] | str, secrets: Sequence[Sequence[int] | str]
    ) -> SeveralBoards:
        """Return the boards with one more guess, and its score on each unsolved board.

        Parameters
        ----------
        guess : sequence of int or str
            The guess, as colors from 0 or as text.
        secrets : sequence of codes
            The code of every board, including the solved ones.

        Returns
        -------
        SeveralBoards
            The new boards.

        Raises
        ------
        InputError
            If the guess or a code is invalid.
        """
        scores = [self.game.score(secrets[index], guess) for index in self.unsolved]
        return self.with_scores(guess, scores)

    def without_last(self) -> SeveralBoards:
        """Return the boards without the last guess, if any guess was made."""
        num_rows = max(0, len(self.guesses) - 1)
        return SeveralBoards(
            tuple(Board(board.game, board.rows[:num_rows]) for board in self.boards)
        )

    def to_list(self) -> list[Any]:
        """Return the board lines, for JSON."""
        return [*map(str, self.boards)]


class OutlookJson(JudgmentJson):
    """One board, and the evaluation of the guess on this board."""

    board_number: Positive
    """Number of the board, from 1."""
    codes: Digits
    """Number of codes that remain before the guess; a lower bound unless `codes_exact`."""
    codes_exact: bool
    """Whether `codes` is exact."""


class GuessJson(TypedDict):
    """An alternative guess."""

    guess: ColorList
    guess_text: NotRequired[CodeText]


@dataclass(frozen=True)
class BoardOutlook:
    """One board, and the evaluation of a guess on this board."""

    board: int
    """Index of the board."""
    codes: Count
    """Number of codes that remain on this board before the guess."""
    prospect: Prospect
    """The evaluation of the guess against these codes, or against a sample of them."""

    @property
    def is_exact(self) -> bool:
        """Whether the guess is evaluated against all remaining codes, not against a sample."""
        return self.codes.exact and self.prospect.judged_by == self.codes.count

    def to_dict(self) -> OutlookJson:
        """Return a dict for JSON, with boards from 1."""
        return {
            "board_number": self.board + 1,
            "codes": str(self.codes.count),
            "codes_exact": self.codes.exact,
            **self.prospect.judgment(),
        }


class SeveralSuggestionJson(TypedDict):
    """The next guess for several boards that share their guesses."""

    boards: Annotated[list[BoardLine], Schema(minItems=1)]
    """A board line for each board; a solved board has no rows after the guess that solved it."""
    strategy: str
    """Name of the strategy that chose the guess."""
    guess: ColorList
    guess_text: NotRequired[CodeText]
    outlooks: Annotated[list[OutlookJson], Schema(minItems=1)]
    """Evaluation of the guess on each unsolved board."""
    others: list[GuessJson]
    """Alternative guesses, the best first."""
    seconds: Seconds


@dataclass(frozen=True, repr=False)
class SeveralSuggestion(Displayable):
    """The next guess for several boards that share their guesses."""

    boards: SeveralBoards
    """The boards and the guesses so far."""
    strategy: str
    """Name of the strategy that chose the guess."""
    outlooks: tuple[BoardOutlook, ...]
    """The evaluation of the guess on each unsolved board."""
    others: tuple[Code, ...]
    """Alternative guesses, the best first, with colors from 0."""
    seconds: float = field(compare=False)
    """Wall-clock time in seconds."""

    @property
    def guess(self) -> Code:
        """The suggested guess, with colors from 0."""
        return self.outlooks[0].prospect.guess

    @property
    def solves(self) -> tuple[int, ...]:
        """Indices of the boards on which the guess is certain to be the code."""
        return tuple(
            outlook.board
            for outlook in self.outlooks
            if outlook.is_exact and outlook.codes.count == 1 and outlook.prospect.is_possible
        )

    def records(self) -> list[dict[str, Any]]:
        """Return one record per unsolved board, for pandas.DataFrame and polars."""
        return [
            {
                **outlook.to_dict(),
                "chance": float(outlook.prospect.chance),
                "expected": float(outlook.prospect.expected),
            }
            for outlook in self.outlooks
        ]

    def to_dict(self) -> SeveralSuggestionJson:
        """Return a dict for JSON; see schemas/suggest-several.json.

        Boards and colors are numbered from 1.
        """
        document: SeveralSuggestionJson = {
            "boards": self.boards.to_list(),
            "strategy": self.strategy,
            "guess": [color + 1 for color in self.guess],
            "outlooks": [outlook.to_dict() for outlook in self.outlooks],
            "others": [{"guess": [color + 1 for color in code]} for code in self.others],
            "seconds": round(self.seconds, 3),
        }
        return add_texts(self.boards.game, document)


SAMPLE_SIZE = 1000
"""Maximum number of codes that are drawn for each board if the game has more than 32,768 codes.
In such games, only drawn codes are tried as guesses, and they are evaluated against drawn codes."""
MAX_INT64_SUM = 1 << 62
"""Costs are added as int64 if their sum is below this limit, otherwise as Python integers."""
CACHED_BOARDS = 256
"""Number of boards whose pools and costs are cached: some kilobytes each."""


class MultiBoardStrategy(NamedTuple):
    """A strategy for several boards."""

    summary: str
    is_joint: bool = True
    """Whether the cost is summed over all unsolved boards, not only over the first one."""
    rates_by_entropy: bool = False
    """Whether the cost of a guess is the remaining entropy, not the estimated number of further
    guesses."""


TOGETHER = "together"
"""The name of the default strategy for several boards."""
MULTI_BOARD_STRATEGIES = {
    "one-by-one": MultiBoardStrategy(
        "the most information about the first unsolved board",
        is_joint=False,
        rates_by_entropy=True,
    ),
    "summed-entropy": MultiBoardStrategy(
        "the most information about all boards together", rates_by_entropy=True
    ),
    TOGETHER: MultiBoardStrategy(
        "a code that is certain, else the fewest expected further guesses, summed over boards"
    ),
}
"""The strategies for several boards, by name."""


def find_multi_board_strategy(name: str) -> MultiBoardStrategy:
    """Return the strategy with the given name; raise InputError if the name is unknown."""
    require_name("strategy for several boards", name, MULTI_BOARD_STRATEGIES)
    return MULTI_BOARD_STRATEGIES[name]


def rank_together(
    boards: SeveralBoards, name: str = TOGETHER, max_guesses: int = 1, seed: int | None = None
) -> list[Code]:
    """Return the best `max_guesses` guesses for boards that are not all solved, the best first.

    If the codes of some boards are certain and costs are not entropies, only these codes are
    considered. Otherwise, all codes of the game are considered if there are up to 32,768, and the
    codes drawn for each board if there are more. Among equally good guesses, possible codes of a
    board come first, then the first in lexicographic order. For each board, computes one score for
    each pair of a guess and a remaining code. Raises InconsistentError with the number of the board
    if no code remains for it.
    """
    strategy = find_multi_board_strategy(name)
    # In small games, nothing is drawn, so calls with different seeds share a cache entry.
    seed = None if boards.game.size <= MAX_TABLE_CODES else seed
    unsolved = [*boards.unsolved.items()][: None if strategy.is_joint else 1]
    pools = [_draw_numbered_pool(index + 1, board, seed) for index, board in unsolved]
    # 1. Choose the guesses to compare, and compute their costs on each board.
    possible = {code for pool in pools for code in map(tuple, pool.codes.tolist())}
    certain_pools = [] if strategy.rates_by_entropy else [p for p in pools if p.count == 1]
    certain_codes = {tuple(pool.codes[0].tolist()) for pool in certain_pools}
    guesses: Sequence[Code]
    if boards.game.size <= MAX_TABLE_CODES and not certain_codes:
        guesses = list_codes(boards.game)
        costs = [_cost_all(board, seed, strategy) for _, board in unsolved]
    else:
        guesses = sorted(certain_codes or possible)
        costs = [_sum_costs(boards.game, pool, strategy, guesses) for pool in pools]
    # 2. Sum the average costs per code over the boards. To add these averages as whole numbers,
    # multiply them by a common multiple of the numbers of codes.
    common_multiple = reduce(lcm, (len(pool.codes) for pool in pools))
    fits_int64 = (
        common_multiple * sum(int(board_costs.max()) for board_costs in costs) < MAX_INT64_SUM
    )
    total = np.zeros(len(guesses), dtype=np.int64 if fits_int64 else object)
    for board_costs, pool in zip(costs, pools, strict=True):
        total += board_costs.astype(total.dtype) * (common_multiple // len(pool.codes))
    # 3. Sort the guesses that are at least as good as the last returned guess.
    worst_total = nsmallest(max_guesses, total.tolist())[-1]
    ranked = (
        (total[index], guesses[index] not in possible, index)
        for index in np.flatnonzero(total <= worst_total)
    )
    return [guesses[index] for *_, index in nsmallest(max_guesses, ranked)]


@lru_cache(maxsize=CACHED_BOARDS)
def _draw_pool(board: Board, seed: int | None) -> Pool:
    """Return all remaining codes of a game of up to 32,768 codes, otherwise a sample of them."""
    size = MAX_TABLE_CODES if board.game.size <= MAX_TABLE_CODES else SAMPLE_SIZE
    return draw_pool(State(board), size, seed)


def _draw_numbered_pool(number: int, board: Board, seed: int | None) -> Pool:
    """Return the pool of a board; an InconsistentError starts with the number of the board."""
    try:
        return _draw_pool(board, seed)
    except InconsistentError as error:
        raise InconsistentError(f"Board {number}: {error}") from None


@lru_cache(maxsize=CACHED_BOARDS)
def _cost_all(board: Board, seed: int | None, strategy: MultiBoardStrategy) -> Array:
    """Return the cost of each code of the game as the next guess for a board."""
    return _sum_costs(board.game, _draw_pool(board, seed), strategy, None)


def _sum_costs(
    game: Game, pool: Pool, strategy: MultiBoardStrategy, guesses: Sequence[Code] | None
) -> Array:
    """Return the cost of each guess for a board, summed over the codes of its pool.

    The guesses are all codes of the game if `guesses` is None.
    """
    num_codes = len(pool.codes)
    cost_by_size = estimate_costs(num_codes, is_all=False)  # the entropy, in 1/256 bit
    if not strategy.rates_by_entropy:
        # The number of further guesses, in 1/256 guess. For a sample, it is proportional to the
        # entropy.
        cost_by_size = (
            estimate_costs(num_codes, is_all=True)
            if pool.is_all
            else cost_by_size // BITS_PER_GUESS
        )
    if guesses is None:
        member_indices = find_codes(all_codes(game), game.colors, pool.codes)
    else:
        codes = {*map(tuple, pool.codes.tolist())}
        member_indices = np.array(
            [index for index, guess in enumerate(guesses) if guess in codes], dtype=np.intp
        )
    if guesses is None and kernel_form(game) is None:  # the kernel cannot compute these scores
        costs = sum_table_costs(answer_table(game)[member_indices], cost_by_size)
    else:
        tables = count_scores(game, pool.codes, guesses or list_codes(game))
        costs = np.concatenate([cost_by_size[counts].sum(axis=1) for counts in tables])
    costs[member_indices] -= cost_by_size[1]  # a guess that is the code needs no further guess
    return costs


@check_arguments
def suggest_many(
    boards: SeveralBoards | Sequence[Board | str],
    *,
    strategy: str = TOGETHER,
    seed: int | None = None,
    others: int = 3,
    timeout: float | None = None,
    on_progress: Callable[[str], None] | None = None,
) -> SeveralSuggestion:
    """Suggest the next guess for several boards at once, with its evaluation on each board.

    Parameters
    ----------
    boards : SeveralBoards or sequence of Board or str
        Boards of one game. Each guess is a row of every board that was unsolved before it.
    strategy : {"together", "summed-entropy", "one-by-one"}, default "together"
        Name of the strategy.
    seed : int, optional
        Seed of the codes that are drawn in games of more than 32,768 codes.
    others : int, default 3
        Number of alternative guesses to return, up to 100.
    timeout : float, optional
        Time limit in seconds, unlimited by default.
    on_progress : callable, optional
        Called with a description of the current work.

    Returns
    -------
    SeveralSuggestion
        The guess, its evaluation on each unsolved board, and alternatives.

    Raises
    ------
    InconsistentError
        If no code remains for a board; the message starts with its number, from 1.
    InputError
        If the boards are not played with the same guesses, if all are solved, or if another
        argument is invalid.
    TimeLimitError
        If the suggestion is not finished within `timeout`.

    Notes
    -----
    For each board, one score is computed for each pair of a guess and a remaining code.

    Examples
    --------
    >>> mmsat.suggest_many(["4x6/1122=1.1", "4x6/1122=0.2"]).guess
    (0, 2, 0, 3)
    """
    several = SeveralBoards.of(boards)
    find_multi_board_strategy(strategy)
    if several.is_solved:
        raise InputError.of("the boards", "an unsolved board", None, "all boards are solved")
    settings: dict[str, Any] = {"name": strategy, "seed": seed, "others": others}
    return run_with_progress(
        timeout, on_progress, _suggest, several, task_name="the suggestion", **settings
    )


def _suggest(
    boards: SeveralBoards,
    *,
    name: str,
    seed: int | None,
    others: int,
    on_progress: Callable[[str], None],
) -> SeveralSuggestion:
    """Return the suggestion of `suggest_many` for validated arguments."""
    started = monotonic()
    on_progress("comparing guesses")
    guess, *other_guesses = rank_together(boards, name, others + 1, seed)
    outlooks = []
    for board_index, board in boards.unsolved.items():
        pool = _draw_numbered_pool(board_index + 1, board, seed)
        (prospect,) = evaluate_guesses(State(board), pool, [guess])
        outlooks.append(BoardOutlook(board_index, count_pool(pool), prospect))
    seconds = monotonic() - started
    return SeveralSuggestion(boards, name, tuple(outlooks), tuple(other_guesses), seconds)
