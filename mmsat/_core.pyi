from array import array
from collections.abc import Sequence
from enum import Enum
from typing import TypeAlias, overload

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

class Annealer:
    def __init__(self, pegs: int, colors: int, seed: int) -> None: ...
    def add(self, claims: Claims) -> None: ...
    def place(self, code: Sequence[int]) -> None: ...
    def scatter(self) -> None: ...
    def cool(self, steps: int, hot: int, cold: int) -> bool: ...
    def collect(self, steps: int, chance: int, gap: int, most: int) -> list[tuple[int, ...]]: ...
    @property
    def code(self) -> tuple[int, ...]: ...
    @property
    def missed(self) -> int: ...

class Kind(Enum):
    BLACK_WHITE = 0
    BLACK = 1
    COLOR = 2
    PAIRS = 3

class Space(Enum):
    REPEATS = 0
    DISTINCT = 1
    LIST = 2

class Heuristic(Enum):
    MINIMAX = 0
    EXPECTED_SIZE = 1
    ENTROPY = 2
    MOST_PARTS = 3

class Form:
    def __init__(self, kind: Kind, pegs: int, colors: int, shapes: int = 1) -> None: ...
    @property
    def answers(self) -> list[int]: ...
    @property
    def win(self) -> int: ...

class Scored:
    def __init__(self, form: Form, codes: NDArray[np.uint8]) -> None: ...
    def score(self, guess: NDArray[np.uint8], out: NDArray[np.uint16]) -> None: ...
    def count(self, codes: NDArray[np.uint8], out: NDArray[np.uint32]) -> None: ...

class Chooser:
    @overload
    def __init__(self, form: Form, space: Space, codes: NDArray[np.uint8]) -> None: ...
    @overload
    def __init__(
        self,
        codes: NDArray[np.uint8],
        table: NDArray[np.uint8] | NDArray[np.uint16],
        answers: int,
        win: int,
    ) -> None: ...
    def choose(
        self,
        codes: NDArray[np.uint8],
        history: Sequence[Sequence[int]],
        heuristic: Heuristic,
        consistent_only: bool,
    ) -> tuple[int, ...]: ...

class Grower:
    def __init__(
        self,
        chooser: Chooser,
        heuristic: Heuristic,
        opening: Sequence[Sequence[int]],
        consistent_only: bool,
    ) -> None: ...
    def advance(self, work: int) -> bool: ...
    @property
    def done(self) -> int: ...
    def nodes(self) -> list[tuple[tuple[int, ...], int, int, int]]: ...
