"""Compare the search for conflicts and corrections with the tools of CPMpy and python-sat.

All tools solve the same problem, in which the rows of a board are the groups of constraints. The
tools of python-sat get the CNF of `mmsat.encoding` (totalizers) with one selector per row. The
tools of CPMpy get the same CNF as a model.

Times are processor times. A process is stopped after LIMIT seconds of wall time. All modules are
imported before the measurement. The time includes the encoding of the board, except for the tools
of CPMpy and for tools marked "encoded".

Every answer is checked by our oracle: a conflict has no code, and each maximal proper subset of its
rows has one. Lists must equal our list.
"""

from __future__ import annotations

import sys
from importlib import import_module
from math import inf
from random import Random
from statistics import geometric_mean
from time import process_time
from typing import TYPE_CHECKING, Any

from mmsat.constraints import System
from mmsat.diagnosis.corrections import smallest_mcses
from mmsat.diagnosis.mus import conflicts, correction_sets, smaller_muses
from mmsat.encoding.cnf import cnf
from mmsat.game import library
from mmsat.solving import find_engine
from mmsat.solving.deadline import Deadline, TimeUpError, run
from mmsat.solving.oracle import SubsetOracle
from tests.support.perturbed_boards import parity_kept, slipped
from tests.support.planted_boards import planted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mmsat import Board
    from mmsat.encoding import Formula

    Sets = list[list[int]]

LIMIT = 5.0
"""Time limit of a tool on one board, in seconds of wall time."""
RANDOM = (("8x12", 8), ("8x12", 12), ("12x12", 14), ("12x12", 20), ("30x30", 30), ("30x30", 58))
"""Games and numbers of rows of random boards."""
TWO_COLORS = (("12x2", 8), ("20x2", 12), ("30x2", 14))
"""The same with two colors."""
MODULES = (
    "numpy",
    "cpmpy.tools.explain",
    "mmsat.solving.refutation",
    *(f"pysat.examples.{name}" for name in ("hitman", "lbx", "mcsls", "musx", "optux", "rc2")),
)
"""The modules to import before the measurement."""
LIBRARY = (
    "mistakes/two-slips",
    "mistakes/super-one-off",
    "mistakes/bulls-and-cows",
    "mistakes/far-back",
    "reductions/graph-coloring-4-inconsistent",
    "reductions/exact-cover-3-inconsistent",
)
"""Inconsistent boards of the library."""


def main(arguments: list[str] | None = None) -> int:
    """Print the seconds of all tools by board, then the ratios; arguments select boards by name."""
    ratios: dict[tuple[str, str], list[float]] = {}
    num_answered: dict[tuple[str, str], int] = {}
    num_boards = 0
    for module in MODULES:
        import_module(module)
    for name, board in boards():
        if arguments and not any(word in name for word in arguments):
            continue
        num_boards += 1
        print(f"\n{name}", flush=True)
        for task, rivals in TASKS.items():
            times: dict[str, float] = {}
            answers: dict[str, Sets] = {}
            for rival, work in rivals.items():
                try:
                    times[rival], answers[rival] = run(Deadline(LIMIT), timed, work(board))
                except TimeUpError:
                    times[rival] = inf
            judge(board, task, answers)
            shown = "  ".join(f"{rival} {second:.3f}" for rival, second in times.items())
            print(f"  {task:<20} {shown}", flush=True)
            for rival, second in times.items():
                num_answered.setdefault((task, rival), 0)
                num_answered[task, rival] += second < LIMIT
                if rival != "ours" and min(second, times["ours"]) < LIMIT:
                    ratio = min(second, LIMIT) / min(times["ours"], LIMIT)
                    ratios.setdefault((task, rival), []).append(ratio)
    print("\nTime of a tool divided by our time, geometric mean (with the limit if it was reached)")
    for (task, rival), result in ratios.items():
        print(
            f"  {task:<20} {rival:<24} {geometric_mean(result):8.1f}"
            f"  from {min(result):.2f} to {max(result):.1f}, {len(result)} boards"
        )
    print(f"\nAnswered within {LIMIT:g} s, of {num_boards} boards")
    for (task, rival), boards_answered in num_answered.items():
        print(f"  {task:<20} {rival:<24} {boards_answered}")
    return 0


def boards() -> Iterator[tuple[str, Board]]:
    """Yield inconsistent boards, of the library and random ones, with their names."""
    for name in LIBRARY:
        yield name, library.find(name).board
    for size, rows in (*RANDOM, *TWO_COLORS):
        change = parity_kept if size == "30x30" and rows > 30 else slipped
        for seed in range(1, 100):
            board = change(planted(size, rows, seed), str(seed))
            if find_engine("auto").decide(board, Deadline(LIMIT)).code is None:
                yield f"{size}, {rows} rows", board
                break


def timed(work: Callable[[], Sets]) -> tuple[float, Sets]:
    """Return the processor time of some work, and its answer."""
    started = process_time()
    result = work()
    return process_time() - started, result


def judge(board: Board, task: str, answers: dict[str, Sets]) -> None:
    """Raise AssertionError if an answer is wrong or differs from ours.

    At most 10 sets of each tool are checked.
    """
    oracle = SubsetOracle(board)
    rows = frozenset(range(len(board.rows)))
    rng = Random(1)
    for rival, sets in answers.items():
        for entry in sets if len(sets) < 10 else rng.sample(sets, 10):
            is_conflict = "conflict" in task
            inside = frozenset(entry) if is_conflict else rows - frozenset(entry)
            if (oracle.find(inside) is None) != is_conflict:
                raise AssertionError(board, task, rival, entry)
            for row in entry:
                other = inside - {row} if is_conflict else inside | {row}
                if (oracle.find(other) is None) == is_conflict:
                    raise AssertionError(board, task, rival, entry, row)
        if "ours" not in answers:
            continue
        if task.startswith("all") and sorted(sets) != sorted(answers["ours"]):
            raise AssertionError(board, task, rival)
        min_sizes = {min(map(len, result)) for result in (sets, answers["ours"])}
        if task.startswith(("smallest", "cheapest")) and len(min_sizes) > 1:
            raise AssertionError(board, task, rival)


def grouped(board: Board) -> Formula:
    """Return the formula with one selector per row."""
    return cnf(System.of(board), with_selectors=True)


def weighted(formula: Formula) -> Any:
    """Return the same formula as hard clauses, with the selectors as soft clauses."""
    from pysat.formula import WCNF

    wcnf = WCNF()
    wcnf.hard, wcnf.nv = formula.clauses, formula.variables
    for selector in formula.selectors:
        wcnf.append([selector], weight=1)
    return wcnf


def modelled(board: Board) -> tuple[list[Any], list[Any]]:
    """Return the soft and the hard constraints of a board for CPMpy."""
    import cpmpy

    formula = grouped(board)
    variables = [None, *cpmpy.boolvar(shape=formula.variables)]
    hard = [
        cpmpy.any([variables[one] if one > 0 else ~variables[-one] for one in clause])
        for clause in formula.clauses
    ]
    return [variables[selector] for selector in formula.selectors], hard


def of_cpmpy(name: str) -> Callable[[Board], Callable[[], Sets]]:
    """Wrap a tool of CPMpy that finds one set."""

    def work(board: Board) -> Callable[[], Sets]:
        from cpmpy.tools import explain

        soft, hard = modelled(board)
        place = {str(entry): row for row, entry in enumerate(soft)}
        options = {} if name in {"optimal_mus", "mcs"} else {"solver": "pysat:minisat22"}
        tool = getattr(explain, name)
        return lambda: [sorted(place[str(entry)] for entry in tool(soft, hard, **options))]

    return work


def marco(*, wants_conflicts: bool) -> Callable[[Board], Callable[[], Sets]]:
    """Wrap the enumeration of CPMpy, which finds all conflicts and all corrections."""

    def work(board: Board) -> Callable[[], Sets]:
        from cpmpy.tools.explain import marco as tool

        soft, hard = modelled(board)
        place = {str(entry): row for row, entry in enumerate(soft)}
        word = "MUS" if wants_conflicts else "MCS"
        return lambda: [
            sorted(place[str(entry)] for entry in result)
            for kind, result in tool(soft, hard, solver="pysat:minisat22", map_solver="pysat")
            if kind == word
        ]

    return work


def of_pysat(
    find: Callable[[Any], Sets], *, is_encoded: bool = False
) -> Callable[[Board], Callable[[], Sets]]:
    """Wrap a tool of python-sat, which numbers soft clauses from 1.

    With `is_encoded`, the formula is made before the measurement.
    """

    def work(board: Board) -> Callable[[], Sets]:
        created = weighted(grouped(board)) if is_encoded else None
        return lambda: [
            sorted(number - 1 for number in entry)
            for entry in find(created or weighted(grouped(board)))
        ]

    return work


def musx(wcnf: Any) -> Sets:
    """Return a minimal conflict found by deletion with minisat22."""
    from pysat.examples.musx import MUSX

    with MUSX(wcnf, verbosity=0) as tool:
        return [tool.compute()]


def enumerated(module: str, name: str) -> Callable[[Any], Sets]:
    """Return all minimal correction sets by LBX or MCSls, both with minisat22."""

    def find(wcnf: Any) -> Sets:
        with getattr(import_module(f"pysat.examples.{module}"), name)(wcnf) as tool:
            results = []
            for entry in tool.enumerate():
                tool.block(entry)
                results.append(entry)
            return results

    return find


def dual(wcnf: Any) -> Sets:
    """Return all conflicts: the minimal hitting sets of all correction sets, by LBX."""
    from pysat.examples.hitman import Hitman

    corrections = enumerated("lbx", "LBX")(wcnf)
    results = []
    with Hitman(bootstrap_with=corrections, solver="m22", htype="lbx") as tool:
        while (entry := tool.get()) is not None:
            tool.block(entry)
            results.append(entry)
    return results


def optux(wcnf: Any) -> Sets:
    """Return a smallest conflict, found with glucose3."""
    from pysat.examples.optux import OptUx

    with OptUx(wcnf) as tool:
        return [tool.compute()]


def rc2(wcnf: Any) -> Sets:
    """Return one cheapest correction set, found by MaxSAT with glucose3."""
    from pysat.examples.rc2 import RC2

    with RC2(wcnf) as tool:
        model = set(tool.compute())
        return [[n for n, soft in enumerate(wcnf.soft, 1) if soft[0] not in model]]


def first_conflict(oracle: SubsetOracle) -> Sets:
    """Return one minimal conflict, found by mmsat."""
    return [list(next(conflicts(oracle)).rows)]


def all_conflicts(oracle: SubsetOracle) -> Sets:
    """Return all minimal conflicts, found by mmsat."""
    return [list(conflict.rows) for conflict in conflicts(oracle)]


def all_corrections(oracle: SubsetOracle) -> Sets:
    """Return all minimal correction sets, found by mmsat."""
    return [sorted(entry) for entry in correction_sets(oracle)]


def smallest_conflict(oracle: SubsetOracle) -> Sets:
    """Return a smallest conflict, found by mmsat with implicit hitting sets."""
    return [list(conflict.rows) for conflict in smaller_muses(oracle)][-1:]


def cheapest(oracle: SubsetOracle) -> Sets:
    """Return a smallest correction set, found by mmsat."""
    return [sorted(next(smallest_mcses(oracle)))]


def ours(find: Callable[[SubsetOracle], Sets]) -> Callable[[Board], Callable[[], Sets]]:
    """Wrap a function of mmsat; the measured time includes the creation of the oracle."""
    return lambda board: lambda: find(SubsetOracle(board))


def encoded(find: Callable[[SubsetOracle], Sets]) -> Callable[[Board], Callable[[], Sets]]:
    """Do the same as `ours`, but create the formula and the solver before the measurement."""

    def work(board: Board) -> Callable[[], Sets]:
        oracle = SubsetOracle(board)
        _ = oracle.sat.growing_solver
        return lambda: find(oracle)

    return work


TASKS: dict[str, dict[str, Callable[[Board], Callable[[], Sets]]]] = {
    "first conflict": {
        "ours": ours(first_conflict),
        "ours, encoded": encoded(first_conflict),
        "python-sat MUSX": of_pysat(musx),
        "python-sat MUSX, encoded": of_pysat(musx, is_encoded=True),
        "CPMpy mus": of_cpmpy("mus"),
    },
    "all conflicts": {
        "ours": ours(all_conflicts),
        "ours, encoded": encoded(all_conflicts),
        "python-sat LBX, Hitman": of_pysat(dual),
        "python-sat LBX, Hitman, encoded": of_pysat(dual, is_encoded=True),
        "CPMpy marco": marco(wants_conflicts=True),
    },
    "all corrections": {
        "ours": ours(all_corrections),
        "ours, encoded": encoded(all_corrections),
        "python-sat LBX": of_pysat(enumerated("lbx", "LBX")),
        "python-sat LBX, encoded": of_pysat(enumerated("lbx", "LBX"), is_encoded=True),
        "python-sat MCSls": of_pysat(enumerated("mcsls", "MCSls")),
        "python-sat MCSls, encoded": of_pysat(enumerated("mcsls", "MCSls"), is_encoded=True),
        "CPMpy marco": marco(wants_conflicts=False),
    },
    "smallest conflict": {
        "ours": ours(smallest_conflict),
        "ours, encoded": encoded(smallest_conflict),
        "python-sat OptUx": of_pysat(optux),
        "python-sat OptUx, encoded": of_pysat(optux, is_encoded=True),
        "CPMpy optimal_mus": of_cpmpy("optimal_mus"),
    },
    "cheapest correction": {
        "ours": ours(cheapest),
        "python-sat RC2": of_pysat(rc2),
        "CPMpy mcs": of_cpmpy("mcs"),
    },
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
