"""The consistent codes in lexicographic order by an incremental SAT solver.

It is asked for a code with the same beginning as the last one and a higher color after it, and that
answer is lowered peg by peg.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.encoding.cnf import cnf
from mmsat.solving.sat import code_of, new_solver

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mmsat.constraints.system import System
    from mmsat.game.row import Code


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

        def lower(code: Code, start: int, floor: int) -> Code:
            """The least code like this one before `start` with no color below `floor` there."""
            for peg in range(start, variables.pegs):
                while less := find(code[:peg], range(floor, code[peg])):
                    code = less
                floor = 0
            return code

        def above(code: Code) -> Code | None:
            """The next code in order."""
            for peg in reversed(range(variables.pegs)):
                higher = find(code[:peg], range(code[peg] + 1, variables.colors))
                if higher is not None:
                    return lower(higher, peg, code[peg] + 1)
            return None

        code: Code | None
        if last is not None:
            code = above(last)
        else:
            first = find((), range(variables.colors))
            code = None if first is None else lower(first, 0, 0)
        while code is not None:
            yield code
            code = above(code)
