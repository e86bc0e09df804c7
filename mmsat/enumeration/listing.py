"""The consistent codes in lexicographic order, the first one at once.

Brute force lists them as long as it keeps finding some. Where it searches too long for the next
code, an incremental SAT solver takes over from the last one found: it is asked for a code with the
same beginning and a higher color after it, and that answer is lowered peg by peg. The time between
two codes is then a few solver calls a peg.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mmsat.constraints.system import System, simplify
from mmsat.encoding.cnf import cnf
from mmsat.errors import InternalError
from mmsat.solving.brute import SLICE, SlicedSearch
from mmsat.solving.deadline import Deadline
from mmsat.solving.executor import is_large, stream
from mmsat.solving.sat import code_of, new_solver
from mmsat.tolerance import STRICT

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from mmsat.board import Board
    from mmsat.game.row import Code
    from mmsat.tolerance import Tolerance

ALL: Code = ()
"""Stands for "there are no further codes"."""


class Patience(NamedTuple):
    """How long brute force may search for the next code before SAT takes over: a moment."""

    slices: int = 128
    nodes: int = SLICE
    """Nodes of a slice, fewer with many rows."""


PATIENCE = Patience()


def list_codes(
    board: Board,
    deadline: Deadline,
    patience: Patience = PATIENCE,
    tolerance: Tolerance = STRICT,
) -> Iterator[Code]:
    """Yield every code within the tolerance in order; raises TimeUpError at the deadline."""
    yield from stream(
        deadline, find_codes, board, deadline, patience, tolerance, is_small=not is_large(board)
    )


def find_codes(
    board: Board, deadline: Deadline, patience: Patience, tolerance: Tolerance
) -> Iterator[Code]:
    """The same, searched for in this process; SAT, where it takes over, has one of its own."""
    board, tolerance = simplify(board, tolerance)
    system = System.of(board, tolerance)
    last = yield from codes_by_search(board, system, deadline, patience, tolerance)
    if last is not ALL:
        for code in stream(deadline, codes_after, system, last):
            yield checked(board, code, tolerance)


def codes_by_search(
    board: Board,
    system: System,
    deadline: Deadline,
    patience: Patience,
    tolerance: Tolerance = STRICT,
) -> Generator[Code, None, Code | None]:
    """Yield codes by brute force; returns the last one (None: there was none), or ALL."""
    slices, nodes = patience
    search = SlicedSearch(system, slices=slices, deadline=deadline, nodes=nodes)
    last: Code | None = None
    for last in search:
        search.slices = slices
        yield checked(board, last, tolerance)
    return ALL if search.is_exhausted else last


def checked(board: Board, code: Code, tolerance: Tolerance = STRICT) -> Code:
    """The code, scored once more."""
    if not tolerance.allows(board, code):
        raise InternalError(f"{code} was listed, but does not score like {board}")
    return code


def codes_after(system: System, last: Code | None) -> Iterator[Code]:
    """Yield the codes above `last` (None: all) in order, by SAT."""
    variables = system.variables
    with new_solver("glucose4", cnf(system)) as solver:

        def find(prefix: Sequence[int], colors: range) -> Code | None:
            """A code that goes on after the prefix with one of these colors."""
            peg = len(prefix)
            fixed = [variables.at(p, color) for p, color in enumerate(prefix)]
            barred = [-variables.at(peg, c) for c in range(variables.colors) if c not in colors]
            if not solver.solve(assumptions=fixed + barred):
                return None
            return code_of(solver.get_model(), variables)

        def lowered(code: Code, start: int, floor: int) -> Code:
            """The least code like this one before `start` with no color below `floor` there."""
            for peg in range(start, variables.pegs):
                while lower := find(code[:peg], range(floor, code[peg])):
                    code = lower
                floor = 0
            return code

        def above(code: Code) -> Code | None:
            """The next code in order."""
            for peg in reversed(range(variables.pegs)):
                higher = find(code[:peg], range(code[peg] + 1, variables.colors))
                if higher is not None:
                    return lowered(higher, peg, code[peg] + 1)
            return None

        code: Code | None
        if last is not None:
            code = above(last)
        else:
            first = find((), range(variables.colors))
            code = None if first is None else lowered(first, 0, 0)
        while code is not None:
            yield code
            code = above(code)
