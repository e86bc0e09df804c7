"""Presolve: apply all steps in order, which gives a smaller system or a refutation."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from mmsat.board import Board
from mmsat.constraints.presolve.bounds import bound_counts, propagate
from mmsat.constraints.presolve.differences import subtract_rows
from mmsat.constraints.presolve.domains import Infeasibility
from mmsat.constraints.presolve.integers import check_integers, check_parity
from mmsat.constraints.presolve.problem import Change, Problem
from mmsat.constraints.presolve.rational import drop_dependent
from mmsat.constraints.presolve.symmetries import merge_colors, sort_pegs
from mmsat.constraints.system import System
from mmsat.game.row import Code

Step = Callable[[Problem], Change | Infeasibility]
"""A function that makes a problem smaller, or refutes it.

A step keeps the set of codes, except for symmetry steps: these keep some of the codes, and
`Problem.orbit_size` returns the number of codes that each of them represents. A step that does not
apply, or that exceeds its limit of work, returns the problem unchanged. Steps are deterministic."""
STEPS: dict[str, Step] = {
    "bounds": propagate,
    "histograms": bound_counts,
    "differences": subtract_rows,
    "parity": check_parity,
    "hermite": check_integers,
    "rational": drop_dependent,
    "colors": merge_colors,
    "pegs": sort_pegs,
}
"""The steps by name."""
ORDER = (
    *("bounds", "histograms", "bounds"),
    *("differences", "parity", "hermite", "rational", "bounds"),
    *("colors", "pegs", "bounds"),
)
"""The default order of steps.

Bounds are first, because they make the input of all other steps smaller. Differences are before the
other algebra, which is faster on short equations. Symmetries are last, when decided pegs are known.
"""


class AppliedStep(NamedTuple):
    """The name of a step, and a description of its changes."""

    step: str
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Presolved:
    """The result of presolve: a smaller system, and the steps that produced it."""

    system: System
    """The reduced system. It has the codes of the board, or one of each orbit of a symmetry."""
    done: tuple[AppliedStep, ...]
    """The steps that changed the problem, in order."""
    problem: Problem
    """The constraints with the rows that imply them, and the domains."""

    def orbit_size(self, code: Code) -> int:
        """Return the number of codes of the board that a code of the system represents."""
        return self.problem.orbit_size(code)


def presolve(board: Board | System, steps: Iterable[str] = ORDER) -> Presolved | Infeasibility:
    """Apply steps, given by name, in order. Return the reduced system or a refutation."""
    problem = Problem.of(board if isinstance(board, System) else System.of(board))
    applied_steps = []
    last_results: dict[str, Problem] = {}
    for name in steps:
        if last_results.get(name) is problem:
            continue  # unchanged since this step was last applied
        change = STEPS[name](problem)
        if isinstance(change, Infeasibility):
            return change
        last_results[name] = problem = change.problem
        if change.text:
            applied_steps.append(AppliedStep(name, change.text))
    return Presolved(problem.reduce(), tuple(applied_steps), problem)
