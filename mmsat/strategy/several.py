"""Choosing guesses for several boards at once.

A guess tells about all boards, and its cost is added up over them: the guesses that each board is
estimated to take then (costs.py), for an average code of the board. Sums are exact,
in whole numbers. A code that is known is guessed at once: it has to be guessed some time, and it
tells about the other boards. That boards are solved one after the other, each by a guess of its
own, is not looked ahead at.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache, reduce
from heapq import nsmallest
from math import lcm
from time import monotonic
from typing import Any, NamedTuple

from mmsat.arguments import check_arguments
from mmsat.arrays import Array, np
from mmsat.board import Board
from mmsat.errors import InputError
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.registry import require_name
from mmsat.results.several_suggestion import BoardOutlook, SeveralSuggestion
from mmsat.several_boards import SeveralBoards
from mmsat.solving.executor import finish
from mmsat.strategy.answers import (
    CELLS,
    MOST_IN_TABLE,
    count_scores,
    kernel_form,
    tabulate_answers,
)
from mmsat.strategy.code_list import all_codes, find_codes
from mmsat.strategy.costs import BITS, estimate_costs
from mmsat.strategy.pool import Pool, draw_pool
from mmsat.strategy.state import State
from mmsat.strategy.suggest import count_pool, judge

DRAWN = 1000
"""Codes of a board that are drawn in games of more than 32,768 codes: guesses, and judges."""
LARGEST = 1 << 62
"""Sums below it are added up by the machine, others by Python."""
KEPT = 256
"""Boards whose costs are remembered: some kilobytes each."""


class Way(NamedTuple):
    """How a guess is chosen for several boards."""

    summary: str
    is_joint: bool = True
    """Whether all boards count, rather than the first that is not solved."""
    is_entropy: bool = False
    """Whether the doubt that is left counts, rather than the guesses to come."""


TOGETHER = "together"
WAYS = {
    "one-by-one": Way(
        "the most information about the first board that is not solved",
        is_joint=False,
        is_entropy=True,
    ),
    "summed-entropy": Way("the most information about all boards together", is_entropy=True),
    TOGETHER: Way("what is known at once, else the fewest guesses to come, summed over boards"),
}
"""The strategies for several boards, by name."""


def find_way(name: str) -> Way:
    """The strategy of a name; raises InputError that lists what exists."""
    require_name("strategy for several boards", name, WAYS)
    return WAYS[name]


def rank_together(
    boards: SeveralBoards, name: str = TOGETHER, most: int = 1, seed: int | None = None
) -> list[Code]:
    """The best guesses for boards that are not all solved, the best first.

    All codes of the game are tried in games of up to 32,768 codes, else those that were drawn of
    each board. Among equals, those that can be the code of a board come first, then the first in
    order. Costs a score for each guess and code that is left, once for each board. Raises
    InconsistentError where a board has no code left.
    """
    way = find_way(name)
    seed = None if boards.game.size <= MOST_IN_TABLE else seed  # where nothing is drawn
    left = [*boards.unsolved.values()][: None if way.is_joint else 1]
    pools = [_draw(board, seed) for board in left]
    possible = {code for pool in pools for code in map(tuple, pool.codes.tolist())}
    known = {tuple(pool.codes[0].tolist()) for pool in pools if pool.count == 1}
    guesses: Sequence[Code]
    if known and not way.is_entropy:
        guesses = sorted(known)
        costs = [_add_costs(boards.game, pool, way, guesses) for pool in pools]
    elif boards.game.size <= MOST_IN_TABLE:
        guesses = list_guesses(boards.game)
        costs = [_cost_all(board, seed, way) for board in left]
    else:
        guesses = sorted(possible)
        costs = [_add_costs(boards.game, pool, way, guesses) for pool in pools]
    common = reduce(lcm, (len(pool.codes) for pool in pools))
    is_small = common * sum(int(each.max()) for each in costs) < LARGEST
    total = np.zeros(len(guesses), dtype=np.int64 if is_small else object)
    for each, pool in zip(costs, pools, strict=True):
        total += each.astype(total.dtype) * (common // len(pool.codes))
    last = nsmallest(most, total.tolist())[-1]
    ranked = ((total[n], guesses[n] not in possible, n) for n in np.flatnonzero(total <= last))
    return [guesses[n] for *_, n in nsmallest(most, ranked)]


@lru_cache(maxsize=1)
def list_guesses(game: Game) -> list[Code]:
    """All codes of a game, in order."""
    return [*map(tuple, all_codes(game).tolist())]


@lru_cache(maxsize=KEPT)
def _draw(board: Board, seed: int | None) -> Pool:
    size = MOST_IN_TABLE if board.game.size <= MOST_IN_TABLE else DRAWN
    return draw_pool(State(board), size, seed)


@lru_cache(maxsize=KEPT)
def _cost_all(board: Board, seed: int | None, way: Way) -> Array:
    """What each code of the game costs as the next guess."""
    return _add_costs(board.game, _draw(board, seed), way, None)


def _add_costs(game: Game, pool: Pool, way: Way, guesses: Sequence[Code] | None) -> Array:
    """What guesses, or else all codes of the game, cost the codes of a board in all."""
    many = len(pool.codes)
    by_size = estimate_costs(many, is_all=False)
    if not way.is_entropy:
        by_size = estimate_costs(many, is_all=True) if pool.is_all else by_size // BITS
    if guesses is None:
        members = find_codes(all_codes(game), game.colors, pool.codes)
    else:
        codes = {*map(tuple, pool.codes.tolist())}
        members = np.array([n for n, guess in enumerate(guesses) if guess in codes], dtype=np.intp)
    if guesses is None and kernel_form(game) is None:
        costs = _cost_answers(_tabulate(game)[members], by_size)
    else:
        tables = count_scores(game, pool.codes, guesses or list_guesses(game))
        costs = np.concatenate([by_size[counts].sum(axis=1) for counts in tables])
    costs[members] -= by_size[1]  # the code itself takes no guess more
    return costs


@lru_cache(maxsize=1)
def _tabulate(game: Game) -> Array:
    """The number of the answer of each code (row) to each guess (column)."""
    return tabulate_answers(game, all_codes(game))[0][:, : game.size]


def _cost_answers(answers: Array, by_size: Array) -> Array:
    """What guesses cost, by a column of answers each: the costs of the parts of like answers."""
    codes, guesses = answers.shape
    step = max(1, CELLS // codes)
    costs = np.empty(guesses, dtype=np.int64)
    for start in range(0, guesses, step):
        ranked = np.sort(answers[:, start : start + step].T, axis=1)
        is_first = np.ones(ranked.shape, dtype=bool)
        is_first[:, 1:] = ranked[:, 1:] != ranked[:, :-1]
        parts = np.flatnonzero(is_first)
        sizes = np.diff(parts, append=ranked.size)
        firsts = np.searchsorted(parts, codes * np.arange(len(ranked)))
        costs[start : start + step] = np.add.reduceat(by_size[sizes], firsts)
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
    """Suggest the next guess for several boards at once, with what it promises for each.

    - `boards`: boards of one game; every guess stands in each that was not solved before.
    - `strategy`: "together", "summed-entropy" or "one-by-one".
    - `seed`: for codes that are drawn, in games of more than 32,768 codes.
    - `others`: how many further guesses to name.
    - `timeout`: seconds, None for no limit.
    - `on_progress`: called with what is done, in words.

    Raises InputError for boards that are not played with the same guesses or that are all solved,
    InconsistentError where no code remains for one, TimeLimitError after `timeout` seconds.
    """
    several = SeveralBoards.of(boards)
    find_way(strategy)
    if several.is_solved:
        raise InputError.of("the boards", "a board that is not solved", None, "all are solved")
    settings: dict[str, Any] = {"name": strategy, "seed": seed, "others": others}
    return finish(timeout, on_progress, _suggest, several, work="the suggestion", **settings)


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
    guess, *more = rank_together(boards, name, others + 1, seed)
    outlooks = []
    for number, board in boards.unsolved.items():
        pool = _draw(board, seed)
        (prospect,) = judge(State(board), pool, [guess])
        outlooks.append(BoardOutlook(number, count_pool(pool), prospect))
    seconds = monotonic() - started
    return SeveralSuggestion(boards, name, tuple(outlooks), tuple(more), seconds)
