from array import array
from collections.abc import Callable, Sequence
from enum import Enum
from typing import TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

class SearchStatus(Enum):
    BUDGET_SPENT = 0
    CODE_FOUND = 1
    EXHAUSTED = 2

Constraints: TypeAlias = Sequence[tuple[Sequence[int | tuple[int, ...]], int, int]]

class Search:
    def __init__(
        self,
        pegs: int,
        colors: int,
        hard: Constraints,
        rows: Sequence[Constraints],
        slack: int = 0,
        table: array[int] | NDArray[np.uint16] | None = None,
        graded: bool = False,
    ) -> None: ...
    @property
    def penalty(self) -> int: ...
    def set_slack(self, slack: int) -> None: ...
    def advance(self, nodes: int) -> SearchStatus: ...
    def count(self, nodes: int) -> SearchStatus: ...
    @property
    def code(self) -> tuple[int, ...]: ...
    @property
    def num_codes(self) -> int: ...

class WeightedSearch:
    def __init__(
        self,
        pegs: int,
        colors: int,
        hard: Constraints,
        rows: Sequence[Constraints],
        relaxable_rows: Sequence[int] = (),
        max_violated_rows: int = 0,
        weights: Sequence[float] | None = None,
    ) -> None: ...
    def advance(self, failures: int) -> SearchStatus: ...
    def exclude(self, rows: Sequence[int]) -> None: ...
    @property
    def code(self) -> tuple[int, ...]: ...
    @property
    def failures(self) -> int: ...
    @property
    def used_rows(self) -> list[int]: ...
    @property
    def weights(self) -> list[float]: ...

def surrogate_filter(
    contributions: Sequence[Sequence[Sequence[int]]],
    low: Sequence[int],
    high: Sequence[int],
    max_rounds: int,
    max_stalled_rounds: int,
) -> list[list[bool]] | None: ...

class Lattice:
    def __init__(
        self,
        colors: int,
        allowed: Sequence[Sequence[int]],
        weights: NDArray[np.int32],
        totals: Sequence[int],
        other: Lattice | None = None,
        probabilities: NDArray[np.float64] | None = None,
    ) -> None: ...
    @property
    def is_solvable(self) -> bool: ...
    @property
    def basis(self) -> list[list[float]]: ...
    def reduce_blocks(self, block_size: int, max_tours: int) -> None: ...
    def prune(self, fractions: Sequence[float]) -> None: ...
    def advance(self, steps: int, threads: int = 1) -> SearchStatus: ...
    @property
    def code(self) -> tuple[int, ...]: ...

class CountProgress:
    @property
    def pegs_done(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def states(self) -> int: ...
    @property
    def peak_bytes(self) -> int: ...
    @property
    def upper_bound(self) -> bytes: ...

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
    def progress(self) -> CountProgress: ...

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
    def progress(self) -> CountProgress: ...
    @property
    def count(self) -> bytes: ...
    def options(self, peg: int, node: int, index: int) -> list[tuple[int, int, int, bytes]]: ...
    def profile(self, fixed: Sequence[int]) -> list[bytes]: ...

class Check(Enum):
    UNFINISHED = ...
    HOLDS = ...
    FAILS = ...

class LratChecker:
    def __init__(
        self, variables: int, formula: array[int], proof: bytes, goal: int = 0
    ) -> None: ...
    def advance(self, work: int) -> Check: ...
    @property
    def line(self) -> int: ...
    @property
    def position(self) -> int: ...
    @property
    def lemmas(self) -> int: ...
    @property
    def fault(self) -> str: ...

class Trimmer:
    def __init__(self, variables: int, formula: array[int], proof: bytes) -> None: ...
    def advance(self, work: int) -> Check: ...
    @property
    def done(self) -> int: ...
    @property
    def steps(self) -> int: ...
    @property
    def lemmas(self) -> int: ...
    @property
    def kept(self) -> int: ...
    @property
    def lrat(self) -> bytes: ...
    @property
    def fault(self) -> str: ...

class Annealer:
    def __init__(self, pegs: int, colors: int, seed: int) -> None: ...
    def add(self, constraints: Constraints) -> None: ...
    def set_code(self, code: Sequence[int]) -> None: ...
    def randomize(self) -> None: ...
    def anneal(self, steps: int, hot: int, cold: int) -> bool: ...
    def sample(
        self, steps: int, chance: int, gap: int, max_codes: int
    ) -> list[tuple[int, ...]]: ...
    @property
    def code(self) -> tuple[int, ...]: ...
    @property
    def violation(self) -> int: ...

Bytes: TypeAlias = NDArray[np.uint8] | memoryview | bytes

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
    def __init__(self, form: Form, codes: Bytes) -> None: ...
    def score(self, guess: Bytes, out: array[int] | NDArray[np.uint16]) -> None: ...
    def count(self, codes: Bytes, out: NDArray[np.uint32]) -> None: ...

class Chooser:
    @overload
    def __init__(self, form: Form, space: Space, codes: Bytes) -> None: ...
    @overload
    def __init__(
        self,
        codes: Bytes,
        table: NDArray[np.uint8] | NDArray[np.uint16],
        answers: int,
        win: int,
    ) -> None: ...
    def choose(
        self,
        codes: Bytes,
        history: Sequence[Sequence[int]],
        heuristic: Heuristic,
        consistent_only: bool,
    ) -> tuple[int, ...]: ...

class TreeBuilder:
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

IMPOSSIBLE: int

class Optimal:
    def __init__(
        self,
        codes: Bytes,
        colors: int,
        by_code: Bytes,
        by_guess: Bytes,
        answers: int,
        pegs_alike: bool,
        colors_alike: bool,
        same_answers: bool,
        max_guesses: int = 0,
        consistent_only: bool = False,
        stop_at_first: bool = False,
        threads: int = 1,
        memo_bits: int = 20,
        possible: Sequence[int] = (),
        max_sets: int = 0,
        kinds: Sequence[int] = (),
        follows: Bytes | None = None,
        partition_hash_bits: int = 64,
    ) -> None: ...
    def start(self, bound: int) -> None: ...
    def start_beam(self, width: int, exact_size: int, costs: Sequence[int]) -> None: ...
    def start_tree(self, total: int) -> None: ...
    def wait(self, seconds: float) -> bool: ...
    def stop(self) -> None: ...
    @property
    def total(self) -> int: ...
    @property
    def progress(self) -> tuple[int, int, float, int]: ...
    @property
    def hash_error_bound(self) -> float: ...
    @property
    def tree(self) -> list[int]: ...
    def findings(self) -> list[tuple[int, int, int, bool]]: ...
    def recall(self, findings: list[tuple[int, int, int, bool]]) -> None: ...

class Response:
    def __init__(
        self,
        codes: Bytes,
        colors: int,
        by_code: Bytes,
        by_guess: Bytes,
        answers: int,
        pegs_alike: bool,
        colors_alike: bool,
        same_answers: bool,
        kinds: Sequence[int],
        weights: Sequence[int],
        pause: Callable[[], None] | None = None,
        hash_bits: int = 64,
    ) -> None: ...
    def solve(self) -> int: ...
    def solve_set(self, codes: Sequence[int], guesses: Sequence[int]) -> int: ...
    def tree(self) -> list[int]: ...
    @property
    def sets(self) -> int: ...

class Separation:
    def __init__(self, answers: NDArray[np.uint16]) -> None: ...
    @property
    def num_answers(self) -> list[int]: ...
    @property
    def first_guesses(self) -> list[int]: ...
    @property
    def first_codes(self) -> list[int]: ...
    def unseparated(self, set: Sequence[int]) -> list[list[int]]: ...  # noqa: A002
    def is_symmetry(self, guesses: Sequence[int], codes: Sequence[int]) -> bool: ...
    def anneal(
        self, size: int, steps: int, seed: int, pause: Callable[[], None] | None = None
    ) -> list[int]: ...
    def complete(
        self,
        chosen: Sequence[int],
        max_added: int,
        allowed: Sequence[int],
        pause: Callable[[], None] | None = None,
    ) -> list[int]: ...
    @property
    def nodes(self) -> int: ...
    @property
    def done(self) -> float: ...

class Columns:
    def __init__(self, rows: int) -> None: ...
    def find(
        self, num_columns: int, num_skipped: int = 0, pause: Callable[[], None] | None = None
    ) -> list[int]: ...
    @property
    def prefixes(self) -> int: ...
    @property
    def done(self) -> float: ...
    @property
    def nodes(self) -> int: ...

class Renaming(Enum):
    NONE = ...
    SHARED = ...
    PER_COLUMN = ...

class Orbits:
    def __init__(
        self,
        rows: NDArray[np.uint8],
        num_values: int,
        are_columns_alike: bool,
        renaming: Renaming,
    ) -> None: ...
    @property
    def orbit_of_guess(self) -> list[int]: ...
    @property
    def columns(self) -> int: ...
    @property
    def renamings(self) -> int: ...
    def extend(
        self, sets: Sequence[Sequence[int]], pause: Callable[[], None] | None = None
    ) -> list[list[int]]: ...

class Batch:
    @staticmethod
    def of_table(table: NDArray[np.uint8], colors: NDArray[np.uint16]) -> Batch: ...
    @staticmethod
    def of_lists(
        codes: NDArray[np.uint8], colors: int, black_factor: int, common_factor: int
    ) -> Batch: ...
    def count(
        self,
        guesses: NDArray[np.uint32],
        answers: NDArray[np.uint8],
        starts: NDArray[np.int64],
        only_exists: bool,
        out: NDArray[np.uint32],
    ) -> None: ...
    def inconsistent_guesses(
        self,
        guesses: NDArray[np.uint32],
        answers: NDArray[np.uint8],
        starts: NDArray[np.int64],
        out: NDArray[np.uint64],
    ) -> None: ...
    def reasons(
        self,
        guesses: NDArray[np.uint32],
        answers: NDArray[np.uint8],
        starts: NDArray[np.int64],
        recorded_scores: NDArray[np.uint32],
        weights: NDArray[np.uint32],
        scoring: str,
        repeats_weight: int,
        base: int,
        out: NDArray[np.uint32],
    ) -> None: ...

class Translator:
    def __init__(
        self,
        pegs: int,
        colors: int,
        parts: int,
        base: int,
        answers: NDArray[np.uint8],
        packs: bool,
        values: NDArray[np.uint64],
    ) -> None: ...
    def translate(
        self,
        guesses: NDArray[np.int64 | np.uint8],
        scores: NDArray[np.int64 | np.uint8],
        row_guesses: NDArray[np.uint32],
        row_answers: NDArray[np.uint8],
        row_scores: NDArray[np.uint32],
        unsupported: NDArray[np.bool_],
    ) -> bool: ...

class Notation:
    def __init__(
        self,
        game: str,
        pegs: int,
        parts: int,
        has_marks: bool,
        colors: NDArray[np.uint8],
        score_symbols: NDArray[np.uint8],
    ) -> None: ...

def read_lines(
    text: bytes,
    ends: NDArray[np.int64],
    notation: Notation,
    kinds: NDArray[np.uint8],
    lines: NDArray[np.int64],
    guesses: NDArray[np.uint8],
    scores: NDArray[np.uint8],
) -> int: ...
