"""Measure how hard a board is for each solver.

Three solvers are run. CP-SAT uses a separate model, so that it confirms the verdicts of the others
independently. CaDiCaL and, with more than two colors, the lattice start from the same
`System` of constraints.

- cp: CP-SAT on a model that is built here, directly from guesses and scores;
- cadical: CaDiCaL on the clauses of the totalizer encoding, without presolve;
- lattice: presolve and algebra, then the enumeration of lattice points, on one core.

A step of a solver is a conflict (cp, cadical) or a lattice point. With equal versions, the number
of steps is the same on any machine. Each solver stops when its budget is spent. The known codes of
a board are excluded.

For each board, the study also records whether it has a contradiction that needs no search: between
two similar rows, or by linear algebra. The environment is recorded with the measurements. The
package docstring (`mmsat.studies`) defines the terms, such as point, record and chunk.
"""

import platform
import subprocess
from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import version
from math import isfinite
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np

import mmsat
from mmsat._core import Lattice, SearchStatus
from mmsat.constraints import System
from mmsat.constraints.domains import Infeasibility
from mmsat.constraints.expected_count import estimate_log_count
from mmsat.constraints.linear_algebra import pivot_columns
from mmsat.constraints.parities import Certificate, Summable
from mmsat.constraints.presolve_steps import is_algebraic, presolve
from mmsat.constraints.two_colors import read_equations, simplify_equations, simplify_two_colors
from mmsat.encoding.cnf import cnf
from mmsat.encoding.integer_models import cp_model, cp_solver
from mmsat.errors import InputError, InternalError, MmsatError, SizeError
from mmsat.game import Code
from mmsat.game.board import Board, Status
from mmsat.solving import find_engine
from mmsat.solving.deadline import Deadline, TimeUpError, run
from mmsat.solving.lattice import BLOCKS, MAX_TOURS, read_lattice_equations, systems_to_solve
from mmsat.solving.sat import code_of, new_solver, pysat
from mmsat.studies import Point

CONFLICTS_PER_SECOND = 20_000
"""Conflicts of CaDiCaL per second of budget. This is approximately its speed on these boards.

The budget of CP-SAT is in its own unit, deterministic time.
"""
POINTS_PER_SECOND = 5_000_000
"""Lattice points per second of budget. This is approximately the speed of the enumeration."""
MIN_ADVANCE_POINTS, ADVANCE_DIVISOR = 8, 64
"""The enumeration advances by the number of points so far divided by `ADVANCE_DIVISOR`, but at
least by `MIN_ADVANCE_POINTS`. Its number of steps is rounded up accordingly."""


class Effort(NamedTuple):
    """The verdict of a solver, and its effort."""

    status: Status
    steps: int
    """Number of conflicts, or of lattice points."""
    branches: int | None
    """Number of branches of CP-SAT; None for other solvers."""
    seconds: float
    """CPU time in seconds."""


SolverResult = tuple[bool, Code | None, int, int | None]
"""Whether the board is decided, the code if there is one, and the numbers of steps and branches."""


def solve(name: str, board: Board, budget: float) -> Effort:
    """Run a solver with a budget of about `budget` seconds, and verify its code by scoring it."""
    start_time = process_time()
    is_decided, code, steps, branches = SOLVERS[name](board, budget)
    if code is not None and not board.is_consistent(code):
        raise InternalError(f"{name} answered {code}, which is not a code of {board}")
    decided_status = Status.INCONSISTENT if code is None else Status.CONSISTENT
    status = decided_status if is_decided else Status.UNKNOWN
    return Effort(status, steps, branches, process_time() - start_time)


def solve_by_cp_sat(board: Board, budget: float) -> SolverResult:
    """Solve with one worker of CP-SAT.

    The model has a variable per peg and color. Sums of them are the black scores and the counts of
    colors, whose minima with the counts of the guess give the white scores.
    """
    ortools = cp_model()
    game, model = board.game, ortools.CpModel()
    pegs, colors = range(game.pegs), range(game.colors)
    has_color = [[model.new_bool_var("") for _ in colors] for _ in pegs]
    for peg in has_color:
        model.add_exactly_one(peg)
    color_counts = [sum(peg[color] for peg in has_color) for color in colors]
    minima: dict[tuple[int, int], Any] = {}
    for guess, score in board.rows:
        black, *white = (part or 0 for part in score)  # the study has no unread parts
        model.add(sum(has_color[peg][guess[peg]] for peg in pegs) == black)
        pairs = [(color, guess.count(color)) for color in colors if color in guess]
        for color, count in pairs if white else ():
            if (color, count) not in minima:
                minima[color, count] = model.new_int_var(0, count, "")
                model.add_min_equality(minima[color, count], [color_counts[color], count])
        if white:
            model.add(sum(minima[pair] for pair in pairs) == black + white[0])
    for known_code in board.known:
        model.add_bool_or([~has_color[peg][known_code[peg]] for peg in pegs])
    solver = cp_solver()
    solver.parameters.max_deterministic_time = budget
    status = solver.solve(model)
    code: Code | None = None
    if status in (ortools.OPTIMAL, ortools.FEASIBLE):
        code = tuple(
            next(color for color in colors if solver.boolean_value(has_color[peg][color]))
            for peg in pegs
        )
    is_decided = code is not None or status == ortools.INFEASIBLE
    return is_decided, code, solver.num_conflicts, solver.num_branches


def solve_by_cadical(board: Board, budget: float) -> SolverResult:
    """Solve with CaDiCaL on the totalizer encoding."""
    system = System.of(board)
    with new_solver("cadical195", cnf(system, "totalizer")) as solver:
        solver.conf_budget(round(budget * CONFLICTS_PER_SECOND))
        is_satisfiable = solver.solve_limited()  # None if the budget is spent
        code = code_of(solver.get_model(), system.variables) if is_satisfiable else None
        steps = solver.accum_stats()["conflicts"]
        return is_satisfiable is not None, code, steps, None


def solve_by_lattice(board: Board, budget: float) -> SolverResult:
    """Solve by the enumeration of lattice points on one core, and count the points."""
    num_points, max_points = 0, budget * POINTS_PER_SECOND
    for system in systems_to_solve(board):
        equations = read_lattice_equations(system)
        if not equations.is_suited:  # there are too many histograms, or a lattice is too large
            return False, None, 0, None
        # If `by_histogram` is None, `is_suited` is False.
        for peg_system in equations.by_histogram or ():
            lattice = Lattice(
                peg_system.colors, peg_system.allowed, peg_system.coefficients, peg_system.totals
            )
            for block in BLOCKS:
                lattice.reduce_blocks(block, MAX_TOURS)
            status = SearchStatus.BUDGET_SPENT
            while status is not SearchStatus.EXHAUSTED:
                quantum = max(MIN_ADVANCE_POINTS, num_points // ADVANCE_DIVISOR)
                num_points += quantum
                status = lattice.advance(quantum)
                is_code = status not in {SearchStatus.BUDGET_SPENT, SearchStatus.EXHAUSTED}
                if is_code and board.is_consistent(lattice.code):
                    return True, lattice.code, num_points, None
                if num_points > max_points:
                    return False, None, num_points, None
    return True, None, num_points, None


SOLVERS: dict[str, Callable[[Board, float], SolverResult]] = {
    "cp": solve_by_cp_sat,
    "cadical": solve_by_cadical,
    "lattice": solve_by_lattice,
}
"""The solvers by name."""

PRIMES = {"rational": 2_147_483_629, "mod 2": 2, "mod 3": 3}
"""The primes modulo which equations are eliminated, by name.

The large prime replaces the rationals. The probability that a contradiction holds only modulo this
prime is about one in billions."""
MAX_DENSE_WORK = 30_000_000
"""Maximum of rows squared times columns of a matrix for elimination, which then takes some
hundredths of a second."""


def is_degenerate(board: Board) -> bool:
    """Return whether two rows contradict each other; with two colors, together with the first row.

    If guesses are nearly equal, so must be their scores. If guesses in two colors are nearly
    complementary, their scores must nearly add up to the number of pegs.

    Let two guesses with the black scores b1 and b2 agree at e of N pegs. If a code matches t of
    these pegs, they are black in both rows. Each of the other N - e pegs is black in at most one of
    the rows. Therefore, there must be a t from 0 to e with

        t <= b1,  t <= b2,  (b1 - t) + (b2 - t) <= N - e.

    With two colors, the first row determines the number of pegs of the code that have the second
    color (`weight`). The other rows determine how many of these have it in their guesses (`ones`).
    The number of pegs that have it in the code and in both of two guesses must be between bounds
    that follow from these numbers.
    """
    guesses = np.array([row.guess for row in board.rows])
    black = np.array([row.score[0] for row in board.rows])
    if board.game.colors > 2:
        # For each pair of rows: t is at most `upper`, and the rows have black_sums - 2 t other
        # black pegs, which must be at most N - e.
        num_equal = (guesses[:, None] == guesses[None]).sum(axis=2)
        black_sums = black[:, None] + black[None]
        upper = np.minimum(num_equal, np.minimum(black[:, None], black[None]))
        return bool((black_sums - board.game.pegs + num_equal > 2 * upper).any())
    weight = board.game.pegs - black[0]  # the first guess has the first color at all pegs
    sizes = guesses.sum(axis=1)
    # Of N pegs, `ones` have the second color in guess and code, and N - sizes - weight + ones have
    # the first color in both. The sum of these numbers is the black score.
    ones = (black - board.game.pegs + sizes + weight) // 2
    common = guesses @ guesses.T
    # Bounds for the number of pegs that have the second color in both guesses and in the code.
    first, second = ones[:, None], ones[None]
    # Of the `first` pegs, at most sizes - common have the second color in the first guess only, and
    # in the same way for `second`. The pegs of `first` and `second` together are at most `weight`.
    lower = np.maximum(0, first - (sizes[:, None] - common))
    lower = np.maximum(lower, np.maximum(second - (sizes[None] - common), first + second - weight))
    neither = board.game.pegs - sizes[:, None] - sizes[None] + common
    # `neither` pegs have the second color in neither guess. At most so many of the pegs of the code
    # with the second color are in neither `first` nor `second`.
    upper = np.minimum(
        np.minimum(common, first), np.minimum(second, neither - weight + first + second)
    )
    return bool((lower > upper).any())


def name_refutation(board: Board) -> str:
    """Return how linear algebra refutes a board, or "" if it does not.

    Return the first of these methods that refutes the board:

    - "rational", "mod 2" or "mod 3": elimination in the equations that state the black scores and
      one color per peg.
    - presolve, or the algebra of two colors: the same names, by the modulus of its certificate;
      "integers" for any other modulus, and "bounds" if a total is out of range or if there is no
      certificate.
    - "hidden": parities that follow from several rows together, and have no certificate.
    """
    matrix, totals = _black_equations(board)
    if matrix.shape[0] ** 2 * matrix.shape[1] <= MAX_DENSE_WORK:
        for name, prime in PRIMES.items():
            table = np.column_stack([matrix, totals]) % prime
            if matrix.shape[1] in pivot_columns(table, prime):  # an equation becomes 0 = 1
                return name
    if not is_algebraic(board):
        result = presolve(board)
        if not isinstance(result, Infeasibility):
            return ""
        return _name_certificate(result.certificate, result.equations)
    # There is one set of equations for each possible number of pegs with the second color. The
    # board is refuted if all sets are.
    proofs = [(simplify_equations(equations), equations) for equations in read_equations(board)]
    names = [
        _name_certificate(proof, equations)
        for proof, equations in proofs
        if isinstance(proof, Certificate)
    ]
    if len(names) == len(proofs):
        # Return the last name in alphabetical order. "bounds", the first one, is returned only if
        # no set of equations has another name.
        return max(names, default="bounds")
    return "" if simplify_two_colors(board) else "hidden"


def _name_certificate(certificate: Certificate | None, equations: Summable | None) -> str:
    """Return the kind of a certificate. "mod 2" and "mod 3" include all powers of the prime."""
    if certificate is None or equations is None:
        return "bounds"
    coefficient_sums, total = equations.sum_up(certificate.multipliers)
    if not certificate.modulus:
        return "bounds" if any(coefficient_sums) else "rational"
    for prime in (2, 3):
        power = 1
        while certificate.modulus % (power * prime) == 0:
            power *= prime
        if total % power:
            return f"mod {prime}"
    return "integers"


def _black_equations(board: Board) -> tuple[np.ndarray, np.ndarray]:
    """Return the equations of black scores and of one color per peg, as a matrix and totals.

    Each column is for one color at one peg.
    """
    pegs, colors = board.game.pegs, board.game.colors
    matrix = np.zeros((pegs + len(board.rows), pegs * colors), dtype=np.int64)
    for peg in range(pegs):
        matrix[peg, peg * colors : (peg + 1) * colors] = 1
    for number, row in enumerate(board.rows, pegs):
        matrix[number, [peg * colors + color for peg, color in enumerate(row.guess)]] = 1
    return matrix, np.array([1] * pegs + [row.score[0] or 0 for row in board.rows])


PACKAGES = ("python-sat", "ortools", "numpy")
"""The packages whose versions are recorded."""
WALL_SECONDS_PER_CPU_SECOND = 300
"""Wall-clock time that is allowed per second of CPU time, because the machine may be busy."""
MAX_CELLS = {"cp": 10_000, "cadical": 1_500}
"""Maximum of pegs times rows for each solver. On larger boards, the solver spends most of its time
on the model."""
STRING_QUANTITIES = ("status", "degenerate")
"""Quantities that are stored as strings with one character per board."""
STATUS_LETTERS = {Status.CONSISTENT: "c", Status.INCONSISTENT: "i", Status.UNKNOWN: "?"}
"""The character of each status in a record."""


def measure(
    point: Point, first: int, count: int, solvers: dict[str, float], seconds: int
) -> dict[str, Any]:
    """Measure `count` boards of a point from board number `first`, and return a chunk of a record.

    Each quantity is a list or a string with one item per board, or a single value if it is the same
    for all boards. `solvers` maps solvers to their budgets. `seconds` limits the CPU time of each
    process of `auto`; if it is 0, `auto` is not run. Raises InternalError if two solvers disagree
    on a board.
    """
    cp_model(), pysat()  # import the solvers first, so that the time of no board includes this
    chunk: dict[str, Any] = point._asdict() | {"first": first, "boards": count, "on": environment()}
    chunk["limit"] = seconds
    try:
        measurements = [
            _measure(point, number, solvers, seconds) for number in range(first, first + count)
        ]
    except (InputError, SizeError) as error:  # the family has no boards of this size
        return chunk | {"boards": 0, "why": str(error)}
    for name in dict.fromkeys(name for entry in measurements for name in entry):
        column = [entry.get(name) for entry in measurements]
        # `refuted` is always a list: a single string would be read as one character per board.
        is_same = all(value == column[0] for value in column) and name != "refuted"
        if name in STRING_QUANTITIES:
            chunk[name] = "".join(map(str, column))
        else:
            chunk[name] = column[0] if is_same else column
    return chunk


def _measure(point: Point, number: int, solvers: dict[str, float], seconds: int) -> dict[str, Any]:
    """Return the measured quantities of one board of a point, by name."""
    start_time = process_time()
    generated = point.make(number)
    board = generated.board
    measured: dict[str, Any] = {"pegs": board.game.pegs, "scored": len(board.rows)}
    if point.part == "transition":
        measured |= log_counts(board)
    if point.part == "growth":
        measured["made"] = round(process_time() - start_time, 2)
    statuses = {generated.status}
    if seconds:
        status, cpu_seconds = decide_limited(board, seconds)
        measured["auto"] = None if status is Status.UNKNOWN else round(cpu_seconds, 4)
        statuses.add(status)
    cells = board.game.pegs * len(board.rows)
    for name, budget in solvers.items():
        if cells > MAX_CELLS.get(name, cells):  # no limit for a solver without an entry
            continue
        effort = solve(name, board, budget)
        statuses.add(effort.status)
        is_decided = effort.status is not Status.UNKNOWN
        measured[f"{name} steps"] = effort.steps if is_decided else None
        if effort.branches is not None:
            measured[f"{name} branches"] = effort.branches if is_decided else None
        measured[f"{name} seconds"] = round(effort.seconds, 4)
    statuses -= {Status.UNKNOWN}
    if len(statuses) > 1:
        verdicts = ", ".join(sorted(statuses))
        raise InternalError(f"solvers and construction disagree, {verdicts}: {board}")
    status = statuses.pop() if statuses else Status.UNKNOWN
    measured["status"] = STATUS_LETTERS[status]
    if point.part == "transition":
        measured["degenerate"] = str(int(point.answer == "any" and is_degenerate(board)))
    elif point.part == "growth" and point.answer != "consistent":
        measured["refuted"] = name_refutation(board)
    return measured


LOG_COUNT = "log count"
"""The key of the logarithm of the estimated number of codes; None if it is proven to be 0."""
INDEPENDENT_LOG_COUNT = "independent log count"
"""The key of the same logarithm if the covariances of different scores are replaced by 0."""


def log_counts(board: Board) -> dict[str, float | None]:
    """Return the logarithms of the estimated number of codes of a board; None if it is 0."""
    values = {
        LOG_COUNT: estimate_log_count(board),
        INDEPENDENT_LOG_COUNT: estimate_log_count(board, use_covariances=False),
    }
    return {key: round(value, 3) if isfinite(value) else None for key, value in values.items()}


def decide_limited(board: Board, seconds: int) -> tuple[Status, float]:
    """Return the verdict of `auto` and the CPU time, in seconds, of all its processes.

    `seconds` limits the CPU time of each process.
    """
    try:
        return run(Deadline(seconds * WALL_SECONDS_PER_CPU_SECOND), _decide, board, seconds)
    except (MmsatError, TimeUpError) as error:
        if isinstance(error, InternalError):
            raise
        return Status.UNKNOWN, float(seconds)


def _decide(board: Board, seconds: int) -> tuple[Status, float]:
    """Decide a board, after limiting the CPU time of this process, which does nothing else."""
    import resource

    _, hard_limit = resource.getrlimit(resource.RLIMIT_CPU)
    # The limit is a whole number of seconds, so rounding shortens the time by less than a second.
    resource.setrlimit(resource.RLIMIT_CPU, (int(process_time()) + seconds, hard_limit))
    deadline = Deadline(seconds * WALL_SECONDS_PER_CPU_SECOND)
    status = find_engine("auto").decide(board, deadline, 0).status
    targets = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    usages = [resource.getrusage(target) for target in targets]
    return status, sum(usage.ru_utime + usage.ru_stime for usage in usages)


@lru_cache
def environment() -> dict[str, str]:
    """Return the versions of the software and the type of the machine."""
    versions = {
        "mmsat": mmsat.__version__,
        "commit": _commit(),
        "python": platform.python_version(),
    }
    versions |= {package: version(package) for package in PACKAGES}
    return versions | {"machine": f"{platform.system()} {platform.machine()}", "processor": _cpu()}


def _commit() -> str:
    """Return the last commit that changed mmsat/, followed by "+" if its files have been changed.

    Return "" without a checkout. Commits that change only other folders do not matter.
    """
    try:
        outputs = [
            subprocess.run(  # noqa: S603
                ["git", "-C", Path(__file__).parent, *arguments],  # noqa: S607
                capture_output=True,
                text=True,
                check=True,
            ).stdout.strip()
            for arguments in (
                ("log", "-1", "--format=%h", "--abbrev=12", "--", ".."),
                ("status", "--porcelain", ".."),
            )
        ]
    except (OSError, subprocess.CalledProcessError):
        return ""
    last_commit, changed_files = outputs
    return f"{last_commit}+" if changed_files else last_commit


def _cpu() -> str:
    """Return the name of the processor."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
