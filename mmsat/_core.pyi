from array import array
from collections.abc import Sequence
from enum import Enum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

def score_all(
    codes: NDArray[np.uint16], guess: NDArray[np.uint16], colors: int, out: NDArray[np.uint16]
) -> None: ...
def partition(
    codes: NDArray[np.uint16], guess: NDArray[np.uint16], colors: int, out: NDArray[np.uint64]
) -> None: ...

class Status(Enum):
    BUDGET_SPENT = 0
    CODE_FOUND = 1
    EXHAUSTED = 2

Claims: TypeAlias = Sequence[tuple[Sequence[int | tuple[int, ...]], int, int]]

class Search:
    def __init__(
        self,
        pegs: int,
        colors: int,
        ground: Claims,
        rows: Sequence[Claims],
        slack: int = 0,
        table: array[int] | NDArray[np.uint16] | None = None,
    ) -> None: ...
    @property
    def broken(self) -> int: ...
    def set_slack(self, slack: int) -> None: ...
    def advance(self, nodes: int) -> Status: ...
    def count(self, nodes: int) -> Status: ...
    @property
    def code(self) -> tuple[int, ...]: ...
    @property
    def found(self) -> int: ...

class Lattice:
    def __init__(
        self,
        colors: int,
        allowed: Sequence[Sequence[int]],
        weights: NDArray[np.int32],
        totals: Sequence[int],
    ) -> None: ...
    @property
    def is_solvable(self) -> bool: ...
    @property
    def basis(self) -> list[list[float]]: ...
    def replace(self, basis: list[list[float]]) -> None: ...
    def reduce_blocks(self, block: int, tours: int) -> None: ...
    def advance(self, steps: int, threads: int = 1) -> Status: ...
    @property
    def code(self) -> tuple[int, ...]: ...
