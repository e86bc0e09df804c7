"""Three independent solvers for boards, which share only the board and its rows.

- cp: CP-SAT on a model that is built here, directly from guesses and scores;
- cadical: CaDiCaL on the clauses of the totalizer encoding, without presolve;
- lattice: presolve and algebra, then the enumeration of lattice points, on one core.

Their steps are conflicts (cp, cadical) or lattice points. With equal versions, the number of steps
is the same on any machine. Each solver stops when its budget is spent. Known codes of a board are
not accepted as answers.
"""

from collections.abc import Callable
from time import process_time
from typing import Any, NamedTuple

from mmsat._core import Lattice, SearchStatus
from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.encoding.cnf import cnf
from mmsat.encoding.ortools import cp_model, cp_solver
from mmsat.errors import InternalError
from mmsat.game.row import Code
from mmsat.results.verdict import Status
from mmsat.solving.lattice import read_places, short_equations
from mmsat.solving.points import BLOCKS, TOURS
from mmsat.solving.sat import code_of, new_solver

CONFLICTS_PER_SECOND = 20_000
"""Conflicts of CaDiCaL per second of budget, approximately its speed on these boards.

The budget of CP-SAT is its own deterministic time.
"""
POINTS_PER_SECOND = 5_000_000
"""Lattice points per second of budget, approximately the speed of the enumeration."""
MIN_ADVANCE_POINTS, ADVANCE_DIVISOR = 8, 64
"""The enumeration advances by `MIN_ADVANCE_POINTS`, or by the number of points so far divided by
`ADVANCE_DIVISOR` if that is more. Its number of steps is rounded up accordingly."""


class Effort(NamedTuple):
    """The result of a solver, and its effort."""

    status: Status
    steps: int
    """Number of conflicts, or of lattice points."""
    branches: int | None
    """Number of branches of CP-SAT; None for other solvers."""
    seconds: float
    """CPU time."""


SolverResult = tuple[bool, Code | None, int, int | None]
"""Whether the board is decided, the code if there is one, and the numbers of steps and branches."""


def solve(name: str, board: Board, budget: float) -> Effort:
    """Run a solver with a budget of about this many seconds, and verify its code by scoring it."""
    started = process_time()
    is_decided, code, steps, branches = SOLVERS[name](board, budget)
    if code is not None and not board.is_consistent(code):
        raise InternalError(f"{name} answered {code}, which is not a code of {board}")
    answer = Status.INCONSISTENT if code is None else Status.CONSISTENT
    status = answer if is_decided else Status.UNKNOWN
    return Effort(status, steps, branches, process_time() - started)


def solve_by_cp(board: Board, budget: float) -> SolverResult:
    """Solve with one worker of CP-SAT: a variable per color of a peg, sums for black and counts."""
    ortools = cp_model()
    game, model = board.game, ortools.CpModel()
    pegs, colors = range(game.pegs), range(game.colors)
    peg_color = [[model.new_bool_var("") for _ in colors] for _ in pegs]
    for peg in peg_color:
        model.add_exactly_one(peg)
    color_counts = [sum(peg[color] for peg in peg_color) for color in colors]
    minima: dict[tuple[int, int], Any] = {}
    for guess, score in board.rows:
        black, *white = (part or 0 for part in score)  # the study has no unread parts
        model.add(sum(peg_color[peg][guess[peg]] for peg in pegs) == black)
        pairs = [(color, guess.count(color)) for color in colors if color in guess]
        for color, count in pairs if white else ():
            if (color, count) not in minima:
                minima[color, count] = model.new_int_var(0, count, "")
                model.add_min_equality(minima[color, count], [color_counts[color], count])
        if white:
            model.add(sum(minima[pair] for pair in pairs) == black + white[0])
    for board_code in board.known:
        model.add_bool_or([~peg_color[peg][board_code[peg]] for peg in pegs])
    solver = cp_solver()
    solver.parameters.max_deterministic_time = budget
    status = solver.solve(model)
    code: Code | None = None
    if status in (ortools.OPTIMAL, ortools.FEASIBLE):
        code = tuple(next(c for c in colors if solver.boolean_value(peg_color[p][c])) for p in pegs)
    is_decided = code is not None or status == ortools.INFEASIBLE
    return is_decided, code, solver.num_conflicts, solver.num_branches


def solve_by_cadical(board: Board, budget: float) -> SolverResult:
    """Solve with CaDiCaL on the totalizer encoding."""
    system = System.of(board)
    with new_solver("cadical195", cnf(system, "totalizer")) as solver:
        solver.conf_budget(round(budget * CONFLICTS_PER_SECOND))
        satisfiable = solver.solve_limited()
        code = code_of(solver.get_model(), system.variables) if satisfiable else None
        steps = solver.accum_stats()["conflicts"]
        return satisfiable is not None, code, steps, None


def solve_by_lattice(board: Board, budget: float) -> SolverResult:
    """Solve by enumeration of lattice points on one core, and count the points."""
    points, max_points = 0, budget * POINTS_PER_SECOND
    for system in short_equations(board):
        reading = read_places(system)
        if not reading.is_suited:
            return False, None, 0, None
        for peg_system in reading.places or ():
            lattice = Lattice(
                peg_system.colors, peg_system.allowed, peg_system.weights, peg_system.totals
            )
            for block in BLOCKS:
                lattice.reduce_blocks(block, TOURS)
            status = SearchStatus.BUDGET_SPENT
            while status is not SearchStatus.EXHAUSTED:
                points += (quantum := max(MIN_ADVANCE_POINTS, points // ADVANCE_DIVISOR))
                status = lattice.advance(quantum)
                is_code = status not in {SearchStatus.BUDGET_SPENT, SearchStatus.EXHAUSTED}
                if is_code and board.is_consistent(lattice.code):
                    return True, lattice.code, points, None
                if points > max_points:
                    return False, None, points, None
    return True, None, points, None


SOLVERS: dict[str, Callable[[Board, float], SolverResult]] = {
    "cp": solve_by_cp,
    "cadical": solve_by_cadical,
    "lattice": solve_by_lattice,
}
"""The solvers by name."""
