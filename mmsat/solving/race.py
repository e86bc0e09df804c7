"""The race of all solvers in two processes, which decides the boards that `auto` finds hard.

policy.py has the order of the solvers and their budgets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from mmsat.constraints import System
from mmsat.constraints.presolve_steps import is_algebraic, simplify
from mmsat.errors import SizeError
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.solving import (
    AnyOf,
    Decision,
    Portfolio,
    Scaled,
    Work,
    finish,
    policy,
    verify_witness,
)
from mmsat.solving.cp import BUDGET_TIME, ColorCountsWork, Cp, CpWork
from mmsat.solving.deadline import Deadline
from mmsat.solving.lattice import (
    MIN_LARGE_DIMENSION,
    LatticeEquations,
    may_suit,
    read_lattice_equations,
)
from mmsat.solving.presolved_rows import Presolver
from mmsat.solving.queries import Answer, Query
from mmsat.solving.sat import Sat, SatWork, is_dense, is_sparse, select_encoding
from mmsat.solving.searches import Brute, PresolvingWork, WeightedWork
from mmsat.solving.weighted_rows import WeightedQueryWork
from mmsat.solving.worker import first_result

if TYPE_CHECKING:
    from collections.abc import Callable

    from mmsat.game import Code
    from mmsat.game.board import Board

EngineAnswer: TypeAlias = "tuple[Code | None, str, str]"
"""A code or None, the engine that decided, and the reason why it was selected."""


def decide_large(board: Board, seed: int | None, tolerance: Tolerance = STRICT) -> Decision:
    """Decide a large board by brute force, then by the race; the caller limits the time.

    Brute force is skipped for lies, and for two-color boards of more than MAX_BRUTE_PEGS pegs.
    """
    decision = None
    if not tolerance.lies and (board.game.pegs <= policy.MAX_BRUTE_PEGS or not is_algebraic(board)):
        decision = Brute().try_decide(board, Deadline(), slices=policy.LARGE_SLICES)
    return decision or race_solvers(board, seed, tolerance)


def race_solvers(
    board: Board,
    seed: int | None,
    tolerance: Tolerance = STRICT,
    search: PresolvingWork | None = None,
) -> Decision:
    """Run the race and return the first decision.

    `search` is a weighted search that is resumed. With a tolerance, SAT alone races against CP-SAT
    alone, because presolve, algebra and lattices do not support lies.
    """
    if tolerance.lies:
        code, engine, reason = first_result(
            (relax_by_sat, board, tolerance), (relax_by_cp, board, seed, tolerance)
        )
    else:
        code, engine, reason = first_result(
            (solve_by_sat, board, search), (solve_by_cp, board, seed)
        )
    return verify_witness(board, code, engine, reason, tolerance)


def relax_by_sat(board: Board, tolerance: Tolerance) -> EngineAnswer:
    """Find a code within the tolerance by SAT with the encoding that suits the system."""
    selection = select_encoding(System.of(board, tolerance))
    code = Sat(selection.solver, selection.encoding).solve(board, tolerance=tolerance)
    return code, str(selection), ""


def relax_by_cp(board: Board, seed: int | None, tolerance: Tolerance) -> EngineAnswer:
    """Find a code within the tolerance by CP-SAT."""
    return Cp().solve(board, seed, tolerance), Cp.name, ""


def solve_by_sat(board: Board, search: PresolvingWork | None = None) -> EngineAnswer:
    """Simplify the board, then run SAT, interleaved with other solvers that suit the systems.

    If there is a weighted `search`, it is resumed first, and then in turn with the other solvers.
    """
    if search is not None and search.step(policy.FIRST_SEARCH_BUDGET):
        return search.code, search.name, "the weighted search against cp"
    systems, method, _ = simplify(board)
    if not systems:
        return None, method, "refuted without search"
    if not is_algebraic(board) and is_dense(systems[0]):
        decided = finish(sat_and_counting(systems[0], search))
        solvers = f"the weighted search, lattices and {select_encoding(systems[0])}, against cp"
        return decided.code, decided.name, f"{method}, then {solvers}"
    equation_sets = [read_lattice_equations(system) for system in systems]
    decided = finish(AnyOf(map(sat_and_lattice, systems, equation_sets)))
    lattice = next((f" and {equations}" for equations in equation_sets if equations.is_suited), "")
    selection = select_encoding(systems[0])
    weighted = "" if is_sparse(systems[0]) else ", the weighted search"
    return decided.code, decided.name, f"{method}, then {selection}{weighted}{lattice}, against cp"


def sat_and_counting(system: System, search: PresolvingWork | None = None) -> Work:
    """Return the weighted search, lattice enumeration, SAT and the search for counts, interleaved.

    The lattice points are enumerated if that suits the system. Before that, the weighted search
    runs for a fifth of the time that computing the lattice basis takes. If presolve refutes the
    system, the work is decided at once.
    """
    query = Query(frozenset(range(len(system.soft))))
    presolved = Presolver(system).reduce(query.rows)
    if isinstance(presolved, Answer):
        return AnyOf([], Presolver.name)
    may_have_lattice = may_suit(presolved)
    spent = None if search is None else search.spent
    budgets = policy.RaceBudgets.of(presolved.freedom if may_have_lattice else None, spent)

    def lattice() -> Work:
        """Return the lattice enumeration; raise SizeError if the system is too large for it."""
        equations = read_lattice_equations(presolved.system)
        if not equations.is_suited:
            raise SizeError(f"the board is too large for the engine lattice: {equations}")
        return equations.work(presolved.system)

    members: dict[str, Callable[[], Work]] = {
        "weighted": lambda: Scaled(search or PresolvingWork(system), budgets.search),
        "lattice": lattice,
        "sat": lambda: Scaled(SatWork(system), budgets.sat),
        "counts": lambda: ColorCountsWork(WeightedQueryWork(query, presolved)),
    }
    order = policy.race_order(is_dense=True, is_sparse=False, has_lattice=may_have_lattice)
    return Portfolio(*map(members.__getitem__, order))


def sat_and_lattice(system: System, equations: LatticeEquations) -> Portfolio:
    """Return SAT, the weighted search and lattice enumeration, as far as they suit, interleaved.

    Lattice enumeration has most of the time. The weighted search does not run on sparse systems,
    because clause learning suits them better.
    """
    has_large_lattice = (
        equations.is_suited
        and equations.dimension >= MIN_LARGE_DIMENSION
        and system.variables.colors > 2
    )
    # The function `int` leaves a budget as it is.
    sat_budget = policy.sat_budget_with_large_lattice if has_large_lattice else int
    members: dict[str, Callable[[], Work]] = {
        "sat": lambda: Scaled(SatWork(system), sat_budget),
        "weighted": lambda: WeightedWork(system),
        "lattice": lambda: equations.work(system),
    }
    order = policy.race_order(
        is_dense=False, is_sparse=is_sparse(system), has_lattice=equations.is_suited
    )
    return Portfolio(*map(members.__getitem__, order))


def sat_and_cp(system: System, seed: int | None = None) -> Portfolio:
    """Return SAT and CP-SAT, interleaved; CP-SAT alone if the clauses need too much memory."""
    return Portfolio(lambda: SatWork(system), lambda: CpWork(system, seed))


def solve_by_cp(board: Board, seed: int | None) -> EngineAnswer:
    """Run CP-SAT on the original system; on sparse or two-color boards, also on simplified ones."""
    reason = "cp against presolve, SAT and lattices"
    system, has_two_colors = System.of(board), is_algebraic(board)
    if not (has_two_colors or is_sparse(system)):
        return Cp().solve(board, seed), Cp.name, reason

    def on_simplified() -> Work:
        """Return the interleaved works of CP-SAT on the simplified systems."""
        systems, method, _ = simplify(board)
        return AnyOf([CpWork(system, seed) for system in systems], method)

    budget_time = BUDGET_TIME if has_two_colors else policy.SPARSE_TIME
    decided = finish(
        Portfolio(lambda: CpWork(system, seed, budget_time=budget_time), on_simplified)
    )
    return decided.code, decided.name, reason
