"""The consistent codes in lexicographic order by an incremental SAT solver.

A walk over the beginnings of codes: what a beginning implies by propagation alone is not asked
about, and each code that the solver finds is remembered for the beginnings on its way. So a code
costs a few questions for each of the pegs that are truly free, and none for those that follow.
"""

from collections.abc import Iterable, Iterator
from heapq import merge

from mmsat.constraints.system import System
from mmsat.enumeration.models import formula_of
from mmsat.game.row import Code
from mmsat.solving.sat import code_of, new_solver


def codes_after(systems: Iterable[System], last: Code | None) -> Iterator[Code]:
    """Yield the codes above `last` (None: all) of all systems in order, by SAT."""
    return merge(*(_codes_after(system, last) for system in systems))


def _codes_after(system: System, last: Code | None) -> Iterator[Code]:
    variables = system.variables
    pegs, colors = range(variables.pegs), range(variables.colors)
    with new_solver("glucose4", formula_of(system)) as solver:

        def find(chosen: tuple[int, ...]) -> Code | None:
            satisfiable = solver.solve(assumptions=chosen)
            return code_of(solver.get_model(), variables) if satisfiable else None

        code = find(())
        literals = [] if code is None else [variables.at(*place) for place in enumerate(code)]
        known = {literal for literal in literals if solver.propagate([literal]) == (True, [])}
        beginnings: list[tuple[tuple[int, ...], Code | None]] = [((), code)]
        # The next one last; each with a code that begins so, if one is known.
        while beginnings:
            chosen, code = beginnings.pop()
            code = code or find(chosen)
            if code is None:
                continue
            implied = known.union(chosen, solver.propagate(chosen)[1])
            free = (peg for peg in pegs if variables.at(peg, code[peg]) not in implied)
            peg = next(free, variables.pegs)
            if last is not None and code[:peg] < last[:peg]:
                continue
            if peg == variables.pegs:
                if code != last:
                    yield code
                continue
            least = last[peg] if last is not None and code[:peg] == last[:peg] else 0
            for color in reversed(colors[least:]):
                literal = variables.at(peg, color)
                if -literal not in implied:
                    shared = code if code[peg] == color else None
                    beginnings.append(((*chosen, literal), shared))
