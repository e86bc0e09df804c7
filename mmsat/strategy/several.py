"""The next guess for several boards at once, and its evaluation on each board.

A guess gives information about all boards, so its cost is summed over them. The cost for a board is
the estimated number of guesses that an average code of the board needs afterwards (costs.py).
Sums are exact, in whole numbers. If the code of a board is known, it is guessed at once: it has to
be guessed at some time, and it gives information about the other boards. The search looks one guess
ahead. It does not take into account that each board needs a final guess, its code, which again
gives information about the other boards.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from heapq import nsmallest
from math import lcm
from time import monotonic
from typing import Annotated, Any, NamedTuple, TypedDict

from mmsat._util.arguments import check_arguments
from mmsat._util.arrays import Array, np
from mmsat._util.display import Shown
from mmsat._util.json_types import BoardLine, ColorList, Digits, Positive, Schema, Seconds
from mmsat._util.registry import require_name
from mmsat.counting.result import Count
from mmsat.errors import InputError
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.game.several_boards import SeveralBoards
from mmsat.solving.isolation import run_with_progress
from mmsat.strategy.answers import (
    MAX_HISTOGRAM_CELLS,
    MAX_TABLE_CODES,
    count_scores,
    kernel_form,
    tabulate_answers,
)
from mmsat.strategy.candidates import Pool, draw_pool
from mmsat.strategy.code_list import all_codes, find_codes
from mmsat.strategy.costs import BITS_PER_GUESS, estimate_costs
from mmsat.strategy.strategy import State
from mmsat.strategy.suggest import JudgmentJson, Prospect, count_pool, judge


class OutlookJson(JudgmentJson):
    """Evaluation of the guess on one board."""

    board_number: Positive
    """Number of the board, from 1."""
    codes: Digits
    """Number of codes that remain; a lower bound unless `codes_exact`."""
    codes_exact: bool
    """Whether `codes` is exact."""


class GuessJson(TypedDict):
    """An alternative guess."""

    guess: ColorList


@dataclass(frozen=True)
class BoardOutlook:
    """The evaluation of a guess on one board."""

    board: int
    """Index of the board."""
    codes: Count
    """Number of codes of this board before the guess."""
    prospect: Prospect
    """The evaluation of the guess by these codes."""

    @property
    def is_exact(self) -> bool:
        """Whether the guess is judged by all remaining codes of the board, not by a sample."""
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
    """A board line for each board; a solved board has no rows after its last guess."""
    strategy: str
    """Name of the strategy that chose the guess."""
    guess: ColorList
    outlooks: Annotated[list[OutlookJson], Schema(minItems=1)]
    """Evaluation of the guess on each unsolved board."""
    others: list[GuessJson]
    """Alternative guesses, the best first."""
    seconds: Seconds


@dataclass(frozen=True, repr=False)
class SeveralSuggestion(Shown):
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

        Boards and colors count from 1.
        """
        return {
            "boards": self.boards.to_list(),
            "strategy": self.strategy,
            "guess": [color + 1 for color in self.guess],
            "outlooks": [outlook.to_dict() for outlook in self.outlooks],
            "others": [{"guess": [color + 1 for color in code]} for code in self.others],
            "seconds": round(self.seconds, 3),
        }


SAMPLE_SIZE = 1000
"""Number of codes that are drawn per board if the game has more than 32,768 codes. The codes serve
as guesses, and guesses are evaluated against them."""
MAX_INT64_SUM = 1 << 62
"""Sums below this limit are added as int64, larger ones as Python integers."""
CACHED_BOARDS = 256
"""Number of boards whose pools and costs are cached: some kilobytes each."""


class MultiBoardStrategy(NamedTuple):
    """A strategy for several boards."""

    summary: str
    is_joint: bool = True
    """Whether all boards count, rather than only the first unsolved one."""
    is_entropy: bool = False
    """Whether guesses are rated by the remaining entropy, rather than by the estimated number of
    further guesses."""


TOGETHER = "together"
"""The name of the default strategy for several boards."""
MULTI_BOARD_STRATEGIES = {
    "one-by-one": MultiBoardStrategy(
        "the most information about the first unsolved board",
        is_joint=False,
        is_entropy=True,
    ),
    "summed-entropy": MultiBoardStrategy(
        "the most information about all boards together", is_entropy=True
    ),
    TOGETHER: MultiBoardStrategy(
        "a code that is certain, else the fewest expected further guesses, summed over boards"
    ),
}
"""The strategies for several boards, by name."""


def find_multi_board_strategy(name: str) -> MultiBoardStrategy:
    """Return the strategy with the given name; raise InputError that lists the names if unknown."""
    require_name("strategy for several boards", name, MULTI_BOARD_STRATEGIES)
    return MULTI_BOARD_STRATEGIES[name]


def rank_together(
    boards: SeveralBoards, name: str = TOGETHER, most: int = 1, seed: int | None = None
) -> list[Code]:
    """Return the best guesses for boards of which at least one is unsolved, best first.

    All codes of the game are considered if it has up to 32,768 codes; otherwise those drawn for
    each board. Among equal guesses, possible codes of a board come first, then the first in
    lexicographic order. For each board, computes one score for each pair of a guess and a remaining
    code. Raises InconsistentError if no code remains for a board.
    """
    strategy = find_multi_board_strategy(name)
    # Nothing is drawn in small games: without the seed, more calls share a cache entry.
    seed = None if boards.game.size <= MAX_TABLE_CODES else seed
    unsolved = [*boards.unsolved.values()][: None if strategy.is_joint else 1]
    pools = [_draw(board, seed) for board in unsolved]
    possible = {code for pool in pools for code in map(tuple, pool.codes.tolist())}
    known_codes = {tuple(pool.codes[0].tolist()) for pool in pools if pool.count == 1}
    guesses: Sequence[Code]
    if known_codes and not strategy.is_entropy:
        guesses = sorted(known_codes)
        costs = [_add_costs(boards.game, pool, strategy, guesses) for pool in pools]
    elif boards.game.size <= MAX_TABLE_CODES:
        guesses = list_guesses(boards.game)
        costs = [_cost_all(board, seed, strategy) for board in unsolved]
    else:
        guesses = sorted(possible)
        costs = [_add_costs(boards.game, pool, strategy, guesses) for pool in pools]
    # Averages over the codes of each board, times a common denominator: whole numbers.
    common = reduce(lcm, (len(pool.codes) for pool in pools))
    is_small = common * sum(int(board_costs.max()) for board_costs in costs) < MAX_INT64_SUM
    total = np.zeros(len(guesses), dtype=np.int64 if is_small else object)
    for board_costs, pool in zip(costs, pools, strict=True):
        total += board_costs.astype(total.dtype) * (common // len(pool.codes))
    worst_total = nsmallest(most, total.tolist())[-1]
    ranked = (
        (total[index], guesses[index] not in possible, index)
        for index in np.flatnonzero(total <= worst_total)
    )
    return [guesses[index] for *_, index in nsmallest(most, ranked)]


@lru_cache(maxsize=1)
def list_guesses(game: Game) -> list[Code]:
    """Return all codes of the game, in order."""
    return [*map(tuple, all_codes(game).tolist())]


@lru_cache(maxsize=CACHED_BOARDS)
def _draw(board: Board, seed: int | None) -> Pool:
    size = MAX_TABLE_CODES if board.game.size <= MAX_TABLE_CODES else SAMPLE_SIZE
    return draw_pool(State(board), size, seed)


@lru_cache(maxsize=CACHED_BOARDS)
def _cost_all(board: Board, seed: int | None, strategy: MultiBoardStrategy) -> Array:
    """Return the cost of each code of the game as the next guess for a board."""
    return _add_costs(board.game, _draw(board, seed), strategy, None)


def _add_costs(
    game: Game, pool: Pool, strategy: MultiBoardStrategy, guesses: Sequence[Code] | None
) -> Array:
    """Return the summed cost of each guess over the codes of a pool.

    `guesses` is None for all codes of the game.
    """
    num_codes = len(pool.codes)
    by_size = estimate_costs(num_codes, is_all=False)
    if not strategy.is_entropy:
        # For a sample, bits of uncertainty are converted to guesses.
        by_size = (
            estimate_costs(num_codes, is_all=True) if pool.is_all else by_size // BITS_PER_GUESS
        )
    if guesses is None:
        members = find_codes(all_codes(game), game.colors, pool.codes)
    else:
        codes = {*map(tuple, pool.codes.tolist())}
        members = np.array(
            [index for index, guess in enumerate(guesses) if guess in codes], dtype=np.intp
        )
    if guesses is None and kernel_form(game) is None:
        costs = _cost_answers(_tabulate(game)[members], by_size)
    else:
        tables = count_scores(game, pool.codes, guesses or list_guesses(game))
        costs = np.concatenate([by_size[counts].sum(axis=1) for counts in tables])
    costs[members] -= by_size[1]  # a guess that is the code needs no further guess
    return costs


@lru_cache(maxsize=1)
def _tabulate(game: Game) -> Array:
    """Return the index of the answer of each code (row) to each guess (column)."""
    return tabulate_answers(game, all_codes(game))[0][:, : game.size]


def _cost_answers(answers: Array, by_size: Array) -> Array:
    """Return the cost of each guess, from the column of its answers by all codes.

    Sorts each column, so that equal answers are adjacent, and sums the costs of the runs by their
    lengths.
    """
    codes, guesses = answers.shape
    step = max(1, MAX_HISTOGRAM_CELLS // codes)
    costs = np.empty(guesses, dtype=np.int64)
    for start in range(0, guesses, step):
        sorted_answers = np.sort(answers[:, start : start + step].T, axis=1)
        is_first = np.ones(sorted_answers.shape, dtype=bool)
        is_first[:, 1:] = sorted_answers[:, 1:] != sorted_answers[:, :-1]
        run_starts = np.flatnonzero(is_first)
        sizes = np.diff(run_starts, append=sorted_answers.size)
        first_runs = np.searchsorted(run_starts, codes * np.arange(len(sorted_answers)))
        costs[start : start + step] = np.add.reduceat(by_size[sizes], first_runs)
    return costs


@check_arguments
def suggest_several(
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
        Boards of one game. Each guess is a row of every board that was still unsolved.
    strategy : {"together", "summed-entropy", "one-by-one"}, default "together"
        Name of the strategy.
    seed : int, optional
        Seed of the codes that are drawn in games of more than 32,768 codes.
    others : int, default 3
        Number of alternative guesses to return, up to 100.
    timeout : float, optional
        Time limit in seconds. By default, there is none.
    on_progress : callable, optional
        Called with a description of the current work.

    Returns
    -------
    SeveralSuggestion
        The guess, its evaluation on each unsolved board, and alternatives.

    Raises
    ------
    InconsistentError
        If no code remains for a board.
    InputError
        If the boards are not played with the same guesses, if all are solved, or if another
        argument is invalid.
    TimeLimitError
        If the suggestion is not finished within `timeout`.

    Notes
    -----
    One score is computed for each board, for each pair of a guess and a remaining code.

    Examples
    --------
    >>> mmsat.suggest_several(["4x6/1122=1.1", "4x6/1122=0.2"]).guess
    (0, 2, 0, 3)
    """
    several = SeveralBoards.of(boards)
    find_multi_board_strategy(strategy)
    if several.is_solved:
        raise InputError.of("the boards", "an unsolved board", None, "all boards are solved")
    settings: dict[str, Any] = {"name": strategy, "seed": seed, "others": others}
    return run_with_progress(
        timeout, on_progress, _suggest, several, work="the suggestion", **settings
    )


def _suggest(
    boards: SeveralBoards,
    *,
    name: str,
    seed: int | None,
    others: int,
    on_progress: Callable[[str], None],
) -> SeveralSuggestion:
    started = monotonic()
    on_progress("comparing guesses")
    guess, *other_guesses = rank_together(boards, name, others + 1, seed)
    outlooks = []
    for board_number, board in boards.unsolved.items():
        pool = _draw(board, seed)
        (prospect,) = judge(State(board), pool, [guess])
        outlooks.append(BoardOutlook(board_number, count_pool(pool), prospect))
    seconds = monotonic() - started
    return SeveralSuggestion(boards, name, tuple(outlooks), tuple(other_guesses), seconds)
