"""All steps in their order: a smaller system with what was done, or a refutation."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from mmsat.board import Board
from mmsat.constraints.presolve.domains import Infeasibility
from mmsat.constraints.presolve.problem import Change, Problem
from mmsat.constraints.system import System
from mmsat.game.row import Code
from mmsat.registry import load

Step = Callable[[Problem], Change | Infeasibility]
"""One way to make a problem smaller, or to refute it.

No code of the problem gets lost and none is added, but for symmetries: those keep some of the
codes, and `Problem.orbit_size` has how many stand behind each. A step that does not apply, or whose
budget of work ends, leaves the problem as it is. The same problem gives the same change."""
STEPS = {
    "bounds": "bounds:propagate",
    "histograms": "bounds:bound_counts",
    "differences": "differences:subtract_rows",
    "parity": "integers:check_parity",
    "hermite": "integers:check_integers",
    "rational": "rational:drop_dependent",
    "colors": "symmetries:merge_colors",
    "pegs": "symmetries:sort_pegs",
}
"""The steps by name, each with its module here and its function; loaded when first asked for."""
ORDER = (
    *("bounds", "histograms", "bounds"),
    *("differences", "parity", "hermite", "rational", "bounds"),
    *("colors", "pegs", "bounds"),
)
"""Bounds first, as they make all else smaller; differences before the other algebra, which is quick
on short equations; symmetries last, when it is known which pegs are settled."""


def find_step(name: str) -> Step:
    """The step of a name."""
    step: Step = load(f"{__package__}.{STEPS[name]}")
    return step


class AppliedStep(NamedTuple):
    """What a step did."""

    step: str
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Presolved:
    """A smaller system, and how it came about."""

    system: System
    """Its codes are codes of the board; but for symmetries, all of them."""
    done: tuple[AppliedStep, ...]
    """The steps that changed something, in order."""
    problem: Problem
    """The constraints with the rows that they come from, and what is known."""

    def orbit_size(self, code: Code) -> int:
        """How many codes of the board stand behind a code of the system."""
        return self.problem.orbit_size(code)


def presolve(board: Board | System, steps: Iterable[str] = ORDER) -> Presolved | Infeasibility:
    """Apply steps, by name, in turn: what is left to solve, or why there is no code."""
    problem = Problem.of(board if isinstance(board, System) else System.of(board))
    done = []
    seen: dict[str, Problem] = {}
    for name in steps:
        if seen.get(name) is problem:
            continue  # nothing has changed since
        change = find_step(name)(problem)
        if isinstance(change, Infeasibility):
            return change
        seen[name] = problem = change.problem
        if change.text:
            done.append(AppliedStep(name, change.text))
    return Presolved(problem.reduce(), tuple(done), problem)
