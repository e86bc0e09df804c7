"""Consistent codes for evaluating guesses: all of them if they are few, else a random sample.

If the game is small enough to list its codes, they are listed and filtered. Otherwise a decision
diagram counts, lists and draws the codes uniformly, as long as it stays within a limit of memory
and work. Beyond that limit, a random walk (solving/anneal.py) collects codes one by one. All work
is counted in steps rather than seconds, so that the same board and seed give the same pool.
"""

import random
from dataclasses import dataclass

from mmsat.arrays import Array
from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.diagnosis.check import check
from mmsat.diagnosis.sentences import verdict_sentences
from mmsat.enumeration.codes import Codes
from mmsat.enumeration.codes import codes as consistent_codes
from mmsat.enumeration.count import says_nothing
from mmsat.enumeration.diagram_count import count_by_diagram
from mmsat.enumeration.layout import UnsuitedError
from mmsat.errors import InconsistentError, InternalError, SizeError
from mmsat.game.row import Code
from mmsat.solving.anneal import AnnealWork
from mmsat.strategy.code_list import as_array
from mmsat.strategy.consistent_code import find_code
from mmsat.strategy.state import State
from mmsat.tolerance import STRICT, Tolerance

DIAGNOSIS_SECONDS = 10.0
"""Time limit for finding out which rows contradict each other, in seconds."""


@dataclass(frozen=True)
class PoolLimits:
    """Limits on the work for a pool of codes that cannot be listed."""

    memory: int = 1 << 28
    """Memory limit of a decision diagram, in bytes."""
    work: int = 1 << 23
    """Maximum number of list entries that a diagram processes: some tenths of a second."""
    steps: int = 1 << 20
    """Steps of the random walk that collects codes: some hundredths of a second."""


@dataclass(frozen=True)
class Pool:
    """All consistent codes of the board, or a sample."""

    codes: Array
    """Distinct codes, colors from 0; shape (codes, pegs)."""
    count: int | None
    """Number of consistent codes of the board; None if unknown."""

    @property
    def is_all(self) -> bool:
        """Whether the pool has all consistent codes."""
        return self.count == len(self.codes)


def draw_pool(
    state: State,
    size: int,
    seed: int | None = None,
    limits: PoolLimits = PoolLimits(),
) -> Pool:
    """Return all consistent codes of a state, or a random sample of `size` of them.

    Raises InconsistentError if the state is inconsistent. If no diagram is small enough, the codes
    are those along one random walk rather than independent draws, and the search for the first code
    has no limit.
    """
    source = random.Random(seed or 0)
    count: int | None
    if state.is_listed:
        count = len(state.codes)
        chosen = sorted(source.sample(range(count), size)) if count > size else slice(None)
        pool = Pool(state.codes[chosen], count)
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
    """Return the error to raise for a board that has no consistent code, with the explanation."""
    verdict = check(board, timeout=DIAGNOSIS_SECONDS, lies=tolerance.lies, by=tolerance.by)
    sentences = " ".join(verdict_sentences(verdict))
    return InconsistentError(f"{sentences} See mmsat explain.")


def count_codes(
    board: Board,
    tolerance: Tolerance = STRICT,
    limits: PoolLimits = PoolLimits(),
) -> tuple[int, Codes | None]:
    """Return the number of consistent codes and the sequence of them; 0 and None if too costly.

    With a tolerance for lies, the work is not limited by `limits`; SizeError is raised if it is too
    much.
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
        walk = AnnealWork(System.of(board), seed, code)
    except SizeError:
        return [code]
    codes = walk.collect(steps, size)
    if not all(map(board.is_consistent, codes)):
        raise InternalError(f"a walk came by codes that do not score like {board}")
    return list(codes)
