"""Three ways to decide a board that share nothing but the board and its rows.

- cp: CP-SAT on a model written here, straight from guesses and scores;
- cadical: CaDiCaL on the clauses of the totalizer encoding, without presolve;
- lattice: presolve and algebra, then the walk over lattice points, on one core.

Their steps are the same on any machine with the same versions: conflicts of the first two, points
of the walk. Each ends with a budget of such steps. Known codes of a board do not count.
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

CONFLICTS_A_SECOND = 20_000
"""Of CaDiCaL on these boards, about; CP-SAT has a measure of its own, ..."""
POINTS_A_SECOND = 5_000_000
"""... and so many points are looked at in a second, about."""
QUANTUM, PART = 8, 64
"""Points by which the walk goes on, at least, and by which part of those before: its steps are
rounded up to these."""


class Effort(NamedTuple):
    """What a solver found, and what it took."""

    status: Status
    steps: int
    """Conflicts, or points of the walk."""
    branches: int | None
    """Decisions of CP-SAT."""
    seconds: float
    """Of the processor."""


Found = tuple[bool, Code | None, int, int | None]
"""Whether it ended, with which code, and its steps and branches."""


def solve(name: str, board: Board, budget: float) -> Effort:
    """Ask a solver, with about so many seconds of work; the code is scored again."""
    started = process_time()
    is_decided, code, steps, branches = SOLVERS[name](board, budget)
    if code is not None and not board.is_consistent(code):
        raise InternalError(f"{name} answered {code}, which is no code of {board}")
    answer = Status.INCONSISTENT if code is None else Status.CONSISTENT
    status = answer if is_decided else Status.UNKNOWN
    return Effort(status, steps, branches, process_time() - started)


def solve_by_cp(board: Board, budget: float) -> Found:
    """CP-SAT with one worker: a variable for each peg and color, sums for black and for counts."""
    ortools = cp_model()
    game, model = board.game, ortools.CpModel()
    pegs, colors = range(game.pegs), range(game.colors)
    place = [[model.new_bool_var("") for _ in colors] for _ in pegs]
    for peg in place:
        model.add_exactly_one(peg)
    often = [sum(peg[color] for peg in place) for color in colors]
    least: dict[tuple[int, int], Any] = {}
    for guess, score in board.rows:
        black, *white = (part or 0 for part in score)  # all are read
        model.add(sum(place[peg][guess[peg]] for peg in pegs) == black)
        pairs = [(color, guess.count(color)) for color in colors if color in guess]
        for color, count in pairs if white else ():
            if (color, count) not in least:
                least[color, count] = model.new_int_var(0, count, "")
                model.add_min_equality(least[color, count], [often[color], count])
        if white:
            model.add(sum(least[pair] for pair in pairs) == black + white[0])
    for code in board.known:
        model.add_bool_or([~place[peg][code[peg]] for peg in pegs])
    solver = cp_solver()
    solver.parameters.max_deterministic_time = budget
    status = solver.solve(model)
    found: Code | None = None
    if status in (ortools.OPTIMAL, ortools.FEASIBLE):
        found = tuple(next(c for c in colors if solver.boolean_value(place[p][c])) for p in pegs)
    is_decided = found is not None or status == ortools.INFEASIBLE
    return is_decided, found, solver.num_conflicts, solver.num_branches


def solve_by_cadical(board: Board, budget: float) -> Found:
    """CaDiCaL on totalizers."""
    system = System.of(board)
    with new_solver("cadical195", cnf(system, "totalizer")) as solver:
        solver.conf_budget(round(budget * CONFLICTS_A_SECOND))
        satisfiable = solver.solve_limited()
        code = code_of(solver.get_model(), system.variables) if satisfiable else None
        steps = solver.accum_stats()["conflicts"]
        return satisfiable is not None, code, steps, None


def solve_by_lattice(board: Board, budget: float) -> Found:
    """The lattice on one core, with a count of its points."""
    points, most = 0, budget * POINTS_A_SECOND
    for system in short_equations(board):
        reading = read_places(system)
        if not reading.is_suited:
            return False, None, 0, None
        for places in reading.places or ():
            lattice = Lattice(places.colors, places.allowed, places.weights, places.totals)
            for block in BLOCKS:
                lattice.reduce_blocks(block, TOURS)
            status = SearchStatus.BUDGET_SPENT
            while status is not SearchStatus.EXHAUSTED:
                points += (quantum := max(QUANTUM, points // PART))
                status = lattice.advance(quantum)
                is_code = status not in {SearchStatus.BUDGET_SPENT, SearchStatus.EXHAUSTED}
                if is_code and board.is_consistent(lattice.code):
                    return True, lattice.code, points, None
                if points > most:
                    return False, None, points, None
    return True, None, points, None


SOLVERS: dict[str, Callable[[Board, float], Found]] = {
    "cp": solve_by_cp,
    "cadical": solve_by_cadical,
    "lattice": solve_by_lattice,
}
"""The solvers by name."""
