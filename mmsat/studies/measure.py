"""Measure how hard a board is for each solver.

There are three independent solvers for boards, which share only the board and its rows.

- cp: CP-SAT on a model that is built here, directly from guesses and scores;
- cadical: CaDiCaL on the clauses of the totalizer encoding, without presolve;
- lattice: presolve and algebra, then the enumeration of lattice points, on one core.

Their steps are conflicts (cp, cadical) or lattice points. With equal versions, the number of steps
is the same on any machine. Each solver stops when its budget is spent. Known codes of a board are
not accepted as answers.

For each board, it is also measured whether it has a contradiction that needs no search: between two
similar rows, or by linear algebra. The environment is recorded with the measurements.
"""

import platform
import subprocess
from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np

import mmsat
from mmsat._core import Lattice, SearchStatus
from mmsat.constraints.linear_algebra import pivot_columns
from mmsat.constraints.parities import Certificate, Summable
from mmsat.constraints.presolve.domains import Infeasibility
from mmsat.constraints.presolve.presolve import presolve
from mmsat.constraints.system import System
from mmsat.constraints.two_colors import read_equations, simplify
from mmsat.encoding.cnf import cnf
from mmsat.encoding.cp_sat import cp_model, cp_solver
from mmsat.errors import InputError, InternalError, MmsatError, SizeError
from mmsat.game.board import Board, Status
from mmsat.game.row import Code
from mmsat.solving import find_engine
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.solving.isolation import run
from mmsat.solving.lattice import BLOCKS, MAX_TOURS, read_lattice_equations, short_equations
from mmsat.solving.sat import code_of, new_solver, pysat
from mmsat.solving.simplification import is_algebraic, simplify_two_colors
from mmsat.studies.point import Point

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
        equations = read_lattice_equations(system)
        if not equations.is_suited:
            return False, None, 0, None
        for peg_system in equations.by_histogram or ():
            lattice = Lattice(
                peg_system.colors, peg_system.allowed, peg_system.coefficients, peg_system.totals
            )
            for block in BLOCKS:
                lattice.reduce_blocks(block, MAX_TOURS)
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

PRIMES = {"rational": 2_147_483_629, "mod 2": 2, "mod 3": 3}
"""Primes modulo which equations are eliminated. A large one represents the rationals: the chance
of a contradiction modulo this prime alone is one in billions."""
MAX_DENSE_WORK = 30_000_000
"""Maximum of rows squared times columns for elimination: some hundredths of a second."""


def is_degenerate(board: Board) -> bool:
    """Return whether two rows contradict each other; for two colors, together with the weight.

    Let two guesses agree at e of N pegs. If a code matches t of these pegs, they are black in both
    rows. At the other pegs, a peg is black in at most one of the rows. So there must be a t from 0
    to e that exceeds neither black score, such that the rows have at most N - e other black pegs
    together. With two colors, each other peg is black in exactly one row, which determines t. The
    weight, which the first row gives, then determines the number of ones of the code among the pegs
    of each of four kinds. Guesses that are nearly equal, or with two colors nearly complementary,
    allow only scores that are nearly equal, or that nearly add up.
    """
    guesses = np.array([row.guess for row in board.rows])
    black = np.array([row.score[0] for row in board.rows])
    if board.game.colors > 2:
        agree = (guesses[:, None] == guesses[None]).sum(axis=2)
        common = black[:, None] + black[None]
        upper = np.minimum(agree, np.minimum(black[:, None], black[None]))
        return bool((common - board.game.pegs + agree > 2 * upper).any())
    weight = board.game.pegs - black[0]  # the first guess is of the first color alone
    sizes = guesses.sum(axis=1)
    ones = (black - board.game.pegs + sizes + weight) // 2
    common = guesses @ guesses.T
    first, second = ones[:, None], ones[None]
    lower = np.maximum(0, first - (sizes[:, None] - common))
    lower = np.maximum(lower, np.maximum(second - (sizes[None] - common), first + second - weight))
    neither = board.game.pegs - sizes[:, None] - sizes[None] + common
    upper = np.minimum(
        np.minimum(common, first), np.minimum(second, neither - weight + first + second)
    )
    return bool((lower > upper).any())


def name_refutation(board: Board) -> str:
    """Return how linear algebra refutes a board, or "" if it does not.

    The first of these that refutes the board:

    - "rational", "mod 2" or "mod 3": elimination in the equations of black and of one color per
      peg.
    - The same, or "integers" for another modulus, or "bounds" if the right side is out of range:
      the certificate of presolve or of the algebra of two colors.
    - "hidden": parities that follow from several rows together.
    """
    left, total = _black(board)
    if left.shape[0] ** 2 * left.shape[1] <= MAX_DENSE_WORK:
        for name, prime in PRIMES.items():
            table = np.column_stack([left, total]) % prime
            if left.shape[1] in pivot_columns(table, prime):  # one of the rows reads 0 = 1
                return name
    if not is_algebraic(board):
        refuted = presolve(board)
        if not isinstance(refuted, Infeasibility):
            return ""
        return _name(refuted.certificate, refuted.equations)
    proofs = [(simplify(equations), equations) for equations in read_equations(board)]
    names = [
        _name(proof, equations) for proof, equations in proofs if isinstance(proof, Certificate)
    ]
    if len(names) == len(proofs):
        return max(names, default="bounds")
    return "" if simplify_two_colors(board) else "hidden"


def _name(proof: Certificate | None, equations: Summable | None) -> str:
    """Return the kind of a proof: "mod 2" or "mod 3" if a power of that prime suffices."""
    if proof is None or equations is None:
        return "bounds"
    left, total = equations.sum_up(proof.multipliers)
    if not proof.modulus:
        return "bounds" if any(left) else "rational"
    for prime in (2, 3):
        power = 1
        while proof.modulus % (power * prime) == 0:
            power *= prime
        if total % power:
            return f"mod {prime}"
    return "integers"


def _black(board: Board) -> tuple[np.ndarray, np.ndarray]:
    """Return the equations of black and of one color per peg; a column is a color at a peg."""
    pegs, colors = board.game.pegs, board.game.colors
    left = np.zeros((pegs + len(board.rows), pegs * colors), dtype=np.int64)
    for peg in range(pegs):
        left[peg, peg * colors : (peg + 1) * colors] = 1
    for number, row in enumerate(board.rows, pegs):
        left[number, [peg * colors + color for peg, color in enumerate(row.guess)]] = 1
    return left, np.array([1] * pegs + [row.score[0] or 0 for row in board.rows])


PACKAGES = ("python-sat", "ortools", "numpy")
"""The packages whose versions are recorded."""
WALL_SECONDS_PER_CPU_SECOND = 300
"""Seconds of wall-clock time allowed per second of CPU time, because the machine may be busy."""
MAX_CELLS = {"cp": 10_000, "cadical": 1_500}
"""Maximum of pegs times rows for each solver: above, the solver spends most of its time on the
model."""
STRING_QUANTITIES = ("status", "degenerate")
"""Quantities that are stored as a string with one character per board."""
LETTERS = {Status.CONSISTENT: "c", Status.INCONSISTENT: "i", Status.UNKNOWN: "?"}
"""The character of each status in a record."""


def measure(
    point: Point, first: int, count: int, solvers: dict[str, float], seconds: int
) -> dict[str, Any]:
    """Measure `count` boards of a point from board number `first`, and return a chunk of a record.

    Each quantity is a list or a string with one item per board, or a single value if all boards
    have the same one. `solvers` gives the budget of each solver. `seconds` limits the CPU time of
    each process of `auto`; with 0, `auto` is not run. Raises InternalError if two solvers disagree
    on a board.
    """
    cp_model(), pysat()  # loaded here, so that no board's time includes it
    chunk: dict[str, Any] = point._asdict() | {"first": first, "boards": count, "on": environment()}
    chunk["limit"] = seconds
    try:
        lines = [
            _measure(point, number, solvers, seconds) for number in range(first, first + count)
        ]
    except (InputError, SizeError) as error:  # the family has no boards of this size
        return chunk | {"boards": 0, "why": str(error)}
    for name in dict.fromkeys(name for line in lines for name in line):
        column = [line.get(name) for line in lines]
        is_same = all(value == column[0] for value in column) and name != "refuted"
        if name in STRING_QUANTITIES:
            chunk[name] = "".join(map(str, column))
        else:
            chunk[name] = column[0] if is_same else column
    return chunk


def _measure(point: Point, number: int, solvers: dict[str, float], seconds: int) -> dict[str, Any]:
    started = process_time()
    generated = point.make(number)
    board = generated.board
    measured: dict[str, Any] = {"pegs": board.game.pegs, "scored": len(board.rows)}
    if point.part == "growth":
        measured["made"] = round(process_time() - started, 2)
    statuses = {generated.status}
    if seconds:
        status, measured["auto"] = decide_limited(board, seconds)
        measured["auto"] = None if status is Status.UNKNOWN else round(measured["auto"], 4)
        statuses.add(status)
    cells = board.game.pegs * len(board.rows)
    for name, budget in solvers.items():
        if cells > MAX_CELLS.get(name, cells):
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
    measured["status"] = LETTERS[status]
    if point.part == "transition":
        measured["degenerate"] = str(int(point.answer == "any" and is_degenerate(board)))
    elif point.answer != "consistent":
        measured["refuted"] = name_refutation(board)
    return measured


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
    import resource

    started = int(process_time()) + 1
    _, hard_limit = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (started + seconds - 1, hard_limit))
    deadline = Deadline(seconds * WALL_SECONDS_PER_CPU_SECOND)
    status = find_engine("auto").decide(board, deadline, 0).status
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return status, sum(usage.ru_utime + usage.ru_stime for usage in used)


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
    """Return the commit of the checkout, with "+" if files differ from it, else ""."""
    try:
        answers = [
            subprocess.run(  # noqa: S603
                ["git", "-C", Path(__file__).parent, *words],  # noqa: S607
                capture_output=True,
                text=True,
                check=True,
            ).stdout.strip()
            for words in (("rev-parse", "--short=12", "HEAD"), ("status", "--porcelain", "."))
        ]
    except (OSError, subprocess.CalledProcessError):
        return ""
    return answers[0] + "+" * bool(answers[1])


def _cpu() -> str:
    """Return the name of the processor."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
