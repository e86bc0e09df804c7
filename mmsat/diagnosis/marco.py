"""All minimal conflicts (MUSes) and minimal correction sets (MCSes) of a board, by MARCO.

The method is that of Liffiton, Previti, Malik and Marques-Silva (2016). A second solver, the map,
knows which sets of rows are still unexplored. A set that has a code is grown to a maximal one: no
conflict lies within it, and what it leaves out is an MCS. A set that has none is shrunk to an MUS:
no further one contains it. Each answer is blocked on the map, until it is empty.
"""

from collections.abc import Iterator

from mmsat.diagnosis.mus import shrink
from mmsat.results.verdict import Conflict
from mmsat.solving.queries.oracle import SubsetOracle
from mmsat.solving.queries.query import Rows
from mmsat.solving.sat import pysat


def conflicts(oracle: SubsetOracle) -> Iterator[Conflict]:
    """Yield every minimal conflict (MUS) of the oracle's board, in no particular order, each once.

    With lies, a conflict is a minimal set of rows of which every code misses more than the lies.
    """
    for found in marco(oracle):
        if isinstance(found, Conflict):
            yield found


def correction_sets(oracle: SubsetOracle) -> Iterator[Rows]:
    """Yield every minimal correction set (MCS): rows, from 0, without which the board has a code.

    With other scores in just these rows the board is consistent: with those of some code that
    satisfies all others. A consistent board has one such set, the empty one. Conflicts and these
    sets are dual: each are the minimal hitting sets of the others (Reiter 1987).
    """
    for found in marco(oracle):
        if not isinstance(found, Conflict):
            yield found


def marco(oracle: SubsetOracle) -> Iterator[Conflict | Rows]:
    """Yield every MUS, as a Conflict, and every MCS, as rows, each when it is come upon."""
    everything = oracle.everything
    if oracle.find(everything) is not None:
        yield frozenset()
        return
    mus = sorted(shrink(oracle, oracle.core))
    yield Conflict(tuple(mus))
    with pysat().Solver(name="minisat22") as unexplored:
        unexplored.set_phases([row + 1 for row in everything])  # prefer large sets
        for row in everything:
            unexplored.add_clause([row + 1, -row - 1])  # every row is known to the map
        unexplored.add_clause([-row - 1 for row in mus])
        while unexplored.solve():
            seed = frozenset(number - 1 for number in unexplored.get_model() if number > 0)
            code = oracle.find(seed)
            if code is None:
                mus = sorted(shrink(oracle, oracle.core))
                yield Conflict(tuple(mus))
                unexplored.add_clause([-row - 1 for row in mus])
            else:
                mcs = everything - grow(oracle, oracle.violations.satisfied_rows(code, seed))
                yield mcs
                unexplored.add_clause([row + 1 for row in sorted(mcs)])


def grow(oracle: SubsetOracle, rows: Rows) -> Rows:
    """A maximal satisfiable set of rows (MSS) that contains rows which have a code."""
    for row in sorted(oracle.everything):
        if row not in rows:
            code = oracle.find(rows | {row})
            if code is not None:
                rows = oracle.violations.satisfied_rows(code, rows | {row})
    return rows
