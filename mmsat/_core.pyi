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
        graded: bool = False,
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

class Stage:
    @property
    def pegs_done(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def states(self) -> int: ...
    @property
    def peak_bytes(self) -> int: ...
    @property
    def most(self) -> bytes: ...

class Counter:
    def __init__(
        self,
        pegs: int,
        sizes: array[int],
        once: array[int],
        allowed: array[int],
        amounts: array[int],
        steps: array[int],
        ranges: array[int],
        bits: int,
        memory: int,
    ) -> None: ...
    def advance(self, work: int) -> bool: ...
    @property
    def count(self) -> bytes: ...
    @property
    def stage(self) -> Stage: ...

class Diagram:
    def __init__(
        self,
        pegs: int,
        sizes: array[int],
        once: array[int],
        allowed: array[int],
        amounts: array[int],
        steps: array[int],
        ranges: array[int],
        bits: int,
        memory: int,
    ) -> None: ...
    def advance(self, work: int) -> bool: ...
    @property
    def stage(self) -> Stage: ...
    @property
    def count(self) -> bytes: ...
    def options(self, peg: int, node: int, index: int) -> list[tuple[int, int, int, bytes]]: ...
    def profile(self, fixed: Sequence[int]) -> list[bytes]: ...
