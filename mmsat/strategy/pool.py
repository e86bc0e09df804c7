"""Consistent codes to think about: all of them where they are few, else some drawn at random.

Where the codes of a game can be listed, they are. Beyond, a decision diagram counts, lists and
draws them uniformly as long as it takes little work; and where that ends, a walk
(solving/anneal.py) comes by code after code. All work is counted in steps, so that the same board
and seed give the same pool.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mmsat.errors import InconsistentError, InternalError, SizeError
from mmsat.tolerance import STRICT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mmsat.board import Board
    from mmsat.enumeration.codes import Codes
    from mmsat.game.row import Code
    from mmsat.strategy.state import State
    from mmsat.tolerance import Tolerance

MEMORY = 1 << 28
"""Bytes that a diagram may take ..."""
WORK = 1 << 23
"""... and the entries of lists that it may cost: some tenths of a second."""
STEPS = 1 << 20
"""Steps of a walk that collects codes: some hundredths of a second."""

PATIENCE = 10.0
"""Seconds to find out which rows contradict each other."""


@dataclass(frozen=True)
class Pool:
    """Consistent codes of a board."""

    codes: NDArray[Any]
    """Different ones, colors from 0; shape (codes, pegs)."""
    count: int | None
    """How many consistent codes there are, where that is known."""

    @property
    def is_all(self) -> bool:
        """Whether these are all there are."""
        return self.count == len(self.codes)


def pool(state: State, size: int, seed: int | None = None) -> Pool:
    """All consistent codes of a state, or so many drawn at random.

    Raises InconsistentError where there is none. Where no diagram is small enough, the search for a
    first code takes as long as it takes, and the codes are those along one walk rather than
    independent.
    """
    if state.is_listed:
        found = _listed(state, size, seed)
    else:
        found = _drawn(state.board, size, seed, state.tolerance)
    if not len(found.codes):
        raise no_code(state.board, state.tolerance)
    return found


def no_code(board: Board, tolerance: Tolerance = STRICT) -> InconsistentError:
    """The error that a board without a consistent code makes where one is asked for."""
    from mmsat.diagnosis.check import check  # noqa: PLC0415  (loads the engines)
    from mmsat.diagnosis.sentences import verdict_sentences  # noqa: PLC0415

    verdict = check(board, timeout=PATIENCE, lies=tolerance.lies, by=tolerance.by)
    said = " ".join(verdict_sentences(verdict))
    return InconsistentError(f"{said} See mmsat explain.")


def _listed(state: State, size: int, seed: int | None) -> Pool:
    codes = state.codes
    if len(codes) <= size:
        return Pool(codes, len(codes))
    chosen = sorted(random.Random(seed or 0).sample(range(len(codes)), size))
    return Pool(codes[chosen], len(codes))


def _drawn(board: Board, size: int, seed: int | None, tolerance: Tolerance) -> Pool:
    count, codes = known(board, tolerance)
    if codes is None:
        return Pool(_array(board, _walked(board, size, seed)), None)
    if count <= size:
        return Pool(_array(board, list(codes[:])), count)
    return Pool(_array(board, sorted(codes.sample(size, seed=seed or 0))), count)


def known(board: Board, tolerance: Tolerance = STRICT) -> tuple[int, Codes | None]:
    """How many codes there are, and the codes by number, if little work tells; else 0 and None.

    Where scores may be wrong there is no other way: the work is what it is, and SizeError is raised
    where that is too much.
    """
    from mmsat.constraints.system import System  # noqa: PLC0415
    from mmsat.enumeration.codes import codes  # noqa: PLC0415  (loads the engines)
    from mmsat.enumeration.engine import count_by_diagram  # noqa: PLC0415
    from mmsat.enumeration.layouts import UnsuitedError  # noqa: PLC0415
    from mmsat.enumeration.rank import says_nothing  # noqa: PLC0415

    if tolerance.lies:
        found = codes(board, lies=tolerance.lies, by=tolerance.by)
        return found.ranking.count, found
    if says_nothing(board) or board.game.space.table() is not None:
        found = codes(board)
        return found.ranking.count, found
    try:
        for _, count in count_by_diagram(System.of(board), board, MEMORY, WORK):
            if count is not None:
                found = codes(board, memory=MEMORY)
                return found.ranking.count, found
    except (MemoryError, OverflowError, UnsuitedError, SizeError):
        pass
    return 0, None


def _walked(board: Board, size: int, seed: int | None) -> list[Code]:
    from mmsat.constraints.system import System  # noqa: PLC0415  (loads the engines)
    from mmsat.solving.anneal import AnnealWork  # noqa: PLC0415
    from mmsat.strategy.consistent import some_code  # noqa: PLC0415

    code = some_code(board, seed)
    if code is None:
        return []
    try:
        walk = AnnealWork(System.of(board), seed, code)
    except SizeError:
        return [code]
    codes = walk.collect(STEPS, size)
    if not all(map(board.is_consistent, codes)):
        raise InternalError(f"a walk came by codes that do not score like {board}")
    return list(codes)


def _array(board: Board, codes: list[Code]) -> NDArray[Any]:
    import numpy as np  # noqa: PLC0415  (loads when needed)

    kind = np.uint8 if board.game.colors <= 256 else np.uint16
    return np.array(codes, dtype=kind).reshape(-1, board.game.pegs)
