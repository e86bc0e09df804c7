"""List the consistent codes in lexicographic order, and count them as models of CNF.

`list_codes` yields the first code at once. It uses brute force as long as this finds codes quickly.
If brute force searches too long for the next code, an incremental SAT solver resumes after the last
code (`codes_after`). The models of the CNF correspond one to one to the codes. The solver walks
depth-first over prefixes of codes. A literal that a prefix implies by unit propagation needs no
solver call, and each code that the solver finds is reused for the prefixes on its path. So a code
costs a few solver calls for each peg that is not implied.

`ganak` and `approxmc` count the models without listing them: exactly, and approximately.
"""

from collections.abc import Generator, Iterator, Sequence
from itertools import compress
from typing import NamedTuple

from mmsat._util.arrays import np
from mmsat.constraints.system import System, simplify_tolerance
from mmsat.errors import InternalError
from mmsat.game.board import Board
from mmsat.game.row import Code
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.game.unread import agrees_all
from mmsat.solving.brute import MAX_SLICE_NODES, SlicedSearch
from mmsat.solving.deadline import Deadline, TimeUpError, is_large, stream

MAX_BATCH_CODES = 1 << 8
"""The maximum number of codes that are collected before they are scored together."""
EXHAUSTED: Code = ()
"""Sentinel that means "there are no further codes"."""


class SearchBudget(NamedTuple):
    """Limits of brute force without a result before SAT takes over."""

    slices: int = 128
    """The number of slices at the start, which is also the maximum. Each slice without a code uses
    one, and each code that is found adds one."""
    nodes: int = MAX_SLICE_NODES
    """The maximum number of nodes per slice; it is lower if there are many rows."""


DEFAULT_BUDGET = SearchBudget()


def list_codes(
    board: Board,
    deadline: Deadline,
    budget: SearchBudget = DEFAULT_BUDGET,
    tolerance: Tolerance = STRICT,
) -> Iterator[Code]:
    """Yield every code within the tolerance in order; raises TimeUpError at the deadline."""
    yield from stream(
        deadline, find_codes, board, deadline, budget, tolerance, is_small=not is_large(board)
    )


def find_codes(
    board: Board, deadline: Deadline, budget: SearchBudget, tolerance: Tolerance
) -> Iterator[Code]:
    """Yield the codes of `list_codes` in this process.

    If SAT takes over, it runs in a separate process.
    """
    board, tolerance = simplify_tolerance(board, tolerance)
    system = System.of(board, tolerance)
    last = yield from codes_by_search(board, system, deadline, budget, tolerance)
    if last is not EXHAUSTED:
        from mmsat.counting.models import codes_after
        from mmsat.solving.simplification import on_systems

        codes: Iterator[Code] = stream(deadline, on_systems, codes_after, board, tolerance, last)
        yield from verify_in_batches(board, codes, tolerance)


def codes_by_search(
    board: Board,
    system: System,
    deadline: Deadline,
    budget: SearchBudget,
    tolerance: Tolerance = STRICT,
) -> Generator[Code, None, Code | None]:
    """Yield codes by brute force, and return the last one (None: none was found), or EXHAUSTED."""
    slices, nodes = budget
    search = SlicedSearch(system, slices=slices, deadline=deadline, nodes=nodes)
    last: Code | None = None
    for last in search:
        search.slices = min(slices, search.slices + 1)
        yield verify_code(board, last, tolerance)
    return EXHAUSTED if search.is_exhausted else last


def verify_in_batches(board: Board, codes: Iterator[Code], tolerance: Tolerance) -> Iterator[Code]:
    """Yield codes after scoring them again: the first ones at once, later ones in batches.

    A batch is about a quarter of the codes so far, so that the first codes appear without delay.
    """
    done, batch = 0, list[Code]()
    try:
        for code in codes:
            batch.append(code)
            if len(batch) > min(done // 4, MAX_BATCH_CODES):
                yield from verify_codes(board, batch, tolerance)
                done, batch = done + len(batch), []
    except TimeUpError:
        yield from verify_codes(board, batch, tolerance)
        raise
    yield from verify_codes(board, batch, tolerance)


def verify_codes(board: Board, codes: Sequence[Code], tolerance: Tolerance) -> Sequence[Code]:
    """Return the codes after scoring them again, all at once if every row must hold."""
    array = np.array(codes, dtype=np.uint16).reshape(len(codes), board.game.pegs)
    agrees = np.ones(len(codes), dtype=bool)
    for row in () if tolerance.lies else board.rows:
        agrees &= agrees_all(board.game, array, row)
    for known in board.known:
        agrees &= (array != known).any(axis=1)
    for code in codes if tolerance.lies else compress(codes, ~agrees):
        verify_code(board, code, tolerance)
    return codes


def verify_code(board: Board, code: Code, tolerance: Tolerance = STRICT) -> Code:
    """Return the code after scoring it again; raises InternalError if it is not consistent."""
    if not tolerance.allows(board, code):
        raise InternalError(f"{code} was listed, but does not score like {board}")
    return code
