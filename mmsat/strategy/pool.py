"""Consistent codes to think about: all of them where they are few, else some drawn at random.

Where the codes of a game can be listed, they are. Beyond, a decision diagram counts, lists and
draws them uniformly as long as it takes little work; and where that ends, a walk
(solving/anneal.py) comes by code after code. All work is counted in steps, so that the same board
and seed give the same pool.
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

PATIENCE = 10.0
"""Seconds to find out which rows contradict each other."""


@dataclass(frozen=True)
class PoolLimits:
    """The work for a pool of codes that can't be listed."""

    memory: int = 1 << 28
    """Bytes that a diagram may take ..."""
    work: int = 1 << 23
    """... and the entries of lists that it may cost: some tenths of a second."""
    steps: int = 1 << 20
    """Steps of a walk that collects codes: some hundredths of a second."""


@dataclass(frozen=True)
class Pool:
    """Consistent codes of a board."""

    codes: Array
    """Different ones, colors from 0; shape (codes, pegs)."""
    count: int | None
    """How many consistent codes there are, where that is known."""

    @property
    def is_all(self) -> bool:
        """Whether these are all there are."""
        return self.count == len(self.codes)


def draw_pool(
    state: State,
    size: int,
    seed: int | None = None,
    limits: PoolLimits = PoolLimits(),
) -> Pool:
    """All consistent codes of a state, or so many drawn at random.

    Raises InconsistentError where there is none. Where no diagram is small enough, the search for a
    first code takes as long as it takes, and the codes are those along one walk rather than
    independent.
    """
    source = random.Random(seed or 0)
    count: int | None
    if state.is_listed:
        count = len(state.codes)
        chosen = sorted(source.sample(range(count), size)) if count > size else slice(None)
        found = Pool(state.codes[chosen], count)
    else:
        count, codes = count_codes(state.board, state.tolerance, limits)
        if codes is None:
            walked = _walk(state.board, size, seed, limits.steps)
            found = Pool(as_array(state.game, walked), None)
        else:
            drawn = codes[:] if count <= size else sorted(codes.sample(size, seed=seed or 0))
            found = Pool(as_array(state.game, list(drawn)), count)
    if not len(found.codes):
        raise no_code_error(state.board, state.tolerance)
    return found


def no_code_error(board: Board, tolerance: Tolerance = STRICT) -> InconsistentError:
    """The error that a board without a consistent code makes where one is asked for."""
    verdict = check(board, timeout=PATIENCE, lies=tolerance.lies, by=tolerance.by)
    sentences = " ".join(verdict_sentences(verdict))
    return InconsistentError(f"{sentences} See mmsat explain.")


def count_codes(
    board: Board,
    tolerance: Tolerance = STRICT,
    limits: PoolLimits = PoolLimits(),
) -> tuple[int, Codes | None]:
    """How many codes there are, and the codes by number, if little work tells; else 0 and None.

    Where scores may be wrong there is no other way: the work is what it is, and SizeError is raised
    where that is too much.
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
