"""Consistent codes that strategies choose from, and the guesses that hard mode allows.

**A single code** (`find_code`, `explore_colors`), for boards of any size. The same seed gives the
same code. A guess with few unexplored colors gives information about few colors, and rows that
share few colors hardly constrain each other. Until all colors have been guessed, a code is
therefore found quickly, and the remaining problem is as hard as that of a much smaller game.
Guesses with many colors give as much information, but all of it about the same colors and pegs. In
measurements, games of 30 pegs and 30 colors took seconds rather than minutes, and games of 20 pegs
and 6 colors one guess less.

**A pool of codes** (`draw_pool`), against which guesses are evaluated: all consistent codes if they
are few, else a random sample. If the game is small enough to list its codes, they are listed and
filtered. Otherwise a decision diagram counts, lists and draws the codes uniformly, as long as it
stays within limits of memory and work. Beyond these limits, annealing (solving/anneal.py) collects
the codes along a random walk. All work is counted in steps rather than seconds, so that the same
board and seed give the same pool.

**Guesses in hard mode** (`allowed_guesses`); the rule is in strategy/strategy.py.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from mmsat._util import Array
from mmsat.constraints import System
from mmsat.counting.codes import Codes
from mmsat.counting.codes import codes as consistent_codes
from mmsat.counting.count import says_nothing
from mmsat.counting.diagrams import count_by_diagram
from mmsat.counting.layout import UnsuitedError
from mmsat.diagnosis.check import check
from mmsat.diagnosis.sentences import verdict_sentences
from mmsat.errors import InconsistentError, InputError, InternalError, SizeError
from mmsat.game import Code, Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.game.space import CardinalityConstraint
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.solving import Portfolio, Scaled, Work, finish, growing_budgets, verify_witness
from mmsat.solving.anneal import AnnealWork
from mmsat.solving.cp import CpWork
from mmsat.solving.sat import SatWork
from mmsat.strategy.answers import all_codes, as_array, is_listed
from mmsat.strategy.strategy import State, find_breach, has_hints, list_allowed
from mmsat.strategy.tree import Node, StrategyTree

ANNEALING_ONLY_STEPS = 8
"""Number of annealing steps before SAT and CP-SAT join. Each step has twice the budget of the step
before it; together they take about a second. Near the end of a game of 24 or 30 pegs, SAT and
CP-SAT would take longer than annealing."""
MAX_NEW_COLORS = 3
"""Maximum number of unexplored colors in a guess; each fills a stretch of adjacent pegs."""
EXPLORATION_STEPS = 2
"""Number of annealing steps for a guess with unexplored colors; together they take some hundredths
of a second. The number is small because there may be no such code."""


def balanced_codes(game: Game) -> Iterator[Code]:
    """Iterate over the codes AA..BB..CC.. of 1, 2, ... colors, with equally many pegs per color.

    The numbers of pegs of two colors may differ by one. Codes that do not belong to the game are
    omitted: if colors cannot repeat, at most one code remains; in a list of words, often none.
    """
    for colors in range(1, min(game.pegs, game.colors) + 1):
        guess = tuple(peg * colors // game.pegs for peg in range(game.pegs))
        if game.contains(guess):
            yield guess


def paired_code(game: Game) -> Code | None:
    """Return the balanced code with two pegs per color, or with the nearest number of colors."""
    target_colors = (game.pegs + 1) // 2
    return min(
        balanced_codes(game), key=lambda code: abs(max(code) + 1 - target_colors), default=None
    )


def find_code(board: Board, seed: int | None = None) -> Code | None:
    """Return a consistent code, or None if the board is inconsistent.

    Annealing starts at the last guess. After ANNEALING_ONLY_STEPS steps, annealing, SAT and CP-SAT
    take turns. Budgets are measured in work, and there is no time limit.
    """
    system = System.of(board)
    start = board.rows[-1].guess if board.rows else None
    solvers: list[Callable[[], Work]] = [lambda: SatWork(system), lambda: CpWork(system, seed)]
    try:
        annealing = AnnealWork(system, seed, start)
        if any(map(annealing.step, islice(growing_budgets(), ANNEALING_ONLY_STEPS))):
            return verify_witness(board, annealing.code, annealing.name).code
        winner = finish(Portfolio(lambda: Scaled(annealing, scale_budget), *solvers))
    except SizeError:
        winner = finish(Portfolio(*solvers))
    return verify_witness(board, winner.code, winner.name).code


def scale_budget(budget: int) -> int:
    """Return the budget of annealing in the portfolio, which continues the doubling before it."""
    return budget << ANNEALING_ONLY_STEPS


def explore_colors(board: Board, seed: int | None = None) -> Code | None:
    """Return a consistent code of previously guessed colors and one to three unexplored colors.

    The unexplored colors are the lowest ones, in this order: AAA..BBB..CCC.., with previously
    guessed colors in between. Returns None if no such code is found within the budget, if
    AAA..BBB..CCC.. is not a code of the game, or if all colors have been guessed.
    """
    game, variables = board.game, board.game.variables
    guessed_colors = {color for guess, _ in board.rows for color in guess}
    unexplored = [color for color in range(game.colors) if color not in guessed_colors][
        :MAX_NEW_COLORS
    ]
    if not unexplored:
        return None
    stretches = tuple(unexplored[peg * len(unexplored) // game.pegs] for peg in range(game.pegs))
    if not game.contains(stretches):
        return None
    if not board.rows:
        return stretches
    # Each chosen color may only be in its own stretch; other unexplored colors do not occur.
    forbidden = tuple(
        variables.at(peg, color)
        for peg, stretch_color in enumerate(stretches)
        for color in range(game.colors)
        if color not in guessed_colors and color != stretch_color
    )
    system = System.of(board)
    restricted = replace(system, hard=(*system.hard, CardinalityConstraint(forbidden, 0, 0)))
    try:
        annealing = AnnealWork(restricted, seed, stretches)
    except SizeError:
        return None
    if any(map(annealing.step, islice(growing_budgets(), EXPLORATION_STEPS))):
        return verify_witness(board, annealing.code, annealing.name).code
    return None


MAX_PAIRS = 100_000_000
"""Maximum number of pairs of a guess and a code that are scored in hard mode: some seconds."""


def allowed_guesses(state: State, codes: Array) -> Array:
    """Return the guesses that hard mode allows; if there are too many, evenly spaced ones of them.

    `codes` are the codes that guesses are evaluated against, shape (codes, pegs). If the game has
    more than 20 million codes, or hard mode allows only consistent codes, then only `codes` are
    considered as guesses.
    """
    considers_all = has_hints(state.game) and is_listed(state.game)
    allowed = list_allowed(
        state.game, state.rows, all_codes(state.game) if considers_all else codes
    )
    return allowed[:: max(1, -(-len(allowed) * len(codes) // MAX_PAIRS))]


def require_hard_mode(tree: StrategyTree) -> None:
    """Raise InputError if a guess of a tree does not use all information of the rows before it."""
    tasks: list[tuple[Node, tuple[Row, ...]]] = [(tree.root, ())]
    while tasks:
        node, rows = tasks.pop()
        if find_breach(tree.game, rows, node.guess) is not None:
            found = f"{speller(tree.game).print_code(node.guess)}, guess {len(rows) + 1}"
            rule = "the guess does not use all revealed information"
            raise InputError.of("the strategy", "a hard-mode tree", found, rule)
        for score, child in node.branches.items():
            tasks.append((child, (*rows, Row(node.guess, score))))


DIAGNOSIS_SECONDS = 10.0
"""Time limit for finding the rows that contradict each other."""


@dataclass(frozen=True)
class PoolLimits:
    """Limits on the work for a pool if the codes of the game are not listed."""

    memory: int = 1 << 28
    """Memory limit of a decision diagram, in bytes."""
    work: int = 1 << 23
    """Maximum number of list entries processed for a diagram: some tenths of a second."""
    steps: int = 1 << 20
    """Number of steps of the random walk that collects codes: some hundredths of a second."""


@dataclass(frozen=True)
class Pool:
    """All consistent codes of a board, or a sample of them."""

    codes: Array
    """Distinct codes, colors from 0; shape (codes, pegs)."""
    count: int | None
    """Number of consistent codes of the board; None if unknown."""

    @property
    def is_all(self) -> bool:
        """Whether the pool contains all consistent codes."""
        return self.count == len(self.codes)


def draw_pool(
    state: State,
    size: int,
    seed: int | None = None,
    limits: PoolLimits = PoolLimits(),
) -> Pool:
    """Return all consistent codes of a state, or a random sample of `size` of them.

    Raises InconsistentError if no code is consistent. If no diagram is small enough, the codes come
    from one random walk and are not independent; the search for the first code has no limit.
    """
    rng = random.Random(seed or 0)
    count: int | None
    if state.is_listed:
        count = len(state.codes)
        indices = sorted(rng.sample(range(count), size)) if count > size else slice(None)
        pool = Pool(state.codes[indices], count)
    else:
        count, codes = count_codes(state.board, state.tolerance, limits)
        if codes is None:
            walk_codes = _walk(state.board, size, seed, limits.steps)
            pool = Pool(as_array(state.game, walk_codes), None)
        else:
            selected = codes[:] if count <= size else sorted(codes.sample(size, seed=seed or 0))
            pool = Pool(as_array(state.game, list(selected)), count)
    if not len(pool.codes):
        raise no_code_error(state.board, state.tolerance)
    return pool


def no_code_error(board: Board, tolerance: Tolerance = STRICT) -> InconsistentError:
    """Return the error to raise for a board without consistent codes; its text explains why."""
    verdict = check(board, timeout=DIAGNOSIS_SECONDS, lies=tolerance.lies, by=tolerance.by)
    sentences = " ".join(verdict_sentences(verdict))
    return InconsistentError(f"{sentences} See mmsat explain.")


def count_codes(
    board: Board,
    tolerance: Tolerance = STRICT,
    limits: PoolLimits = PoolLimits(),
) -> tuple[int, Codes | None]:
    """Return the number of consistent codes, and the codes; 0 and None if that exceeds `limits`.

    With a tolerance for lies, `limits` does not apply; raises SizeError if the work is too much.
    """
    if tolerance.lies:
        codes = consistent_codes(board, lies=tolerance.lies, by=tolerance.by)
        return codes.ranking.count, codes
    if says_nothing(board) or board.game.space.table() is not None:
        codes = consistent_codes(board)
        return codes.ranking.count, codes
    try:
        for _, count in count_by_diagram(System.of(board), board, limits.memory, limits.work):
            if count is not None:
                codes = consistent_codes(board, memory=limits.memory)
                return codes.ranking.count, codes
    except (MemoryError, OverflowError, UnsuitedError, SizeError):
        pass
    return 0, None


def _walk(board: Board, size: int, seed: int | None, steps: int) -> list[Code]:
    """Return up to `size` codes along one random walk; empty if no code is consistent."""
    code = find_code(board, seed)
    if code is None:
        return []
    try:
        annealing = AnnealWork(System.of(board), seed, code)
    except SizeError:
        return [code]
    codes = annealing.collect(steps, size)
    if not all(map(board.is_consistent, codes)):
        raise InternalError(f"annealing collected codes that are not consistent with {board}")
    return list(codes)
