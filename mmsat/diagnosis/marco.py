"""All minimal conflicts (MUSes) and minimal correction sets (MCSes) of a board, by MARCO.

The algorithm is that of Liffiton, Previti, Malik and Marques-Silva (2016). A second solver, the
map, represents the sets of rows that are still unexplored. A set that has a code is grown to a
maximal satisfiable one. No conflict is within it, and its complement is an MCS. A set without a
code is shrunk to an MUS, which no other MUS contains. Each result is blocked on the map, until the
map is empty.
"""

from collections.abc import Iterator

from mmsat.diagnosis.mus import shrink
from mmsat.results.verdict import Conflict
from mmsat.solving.queries.oracle import SubsetOracle
from mmsat.solving.queries.query import Rows
from mmsat.solving.sat import pysat


def conflicts(oracle: SubsetOracle) -> Iterator[Conflict]:
    """Yield every minimal conflict (MUS) of the oracle's board once, in no particular order.

    With lies, a conflict is a minimal set of rows of which every code violates more than the lies.
    """
    for result in marco(oracle):
        if isinstance(result, Conflict):
            yield result


def correction_sets(oracle: SubsetOracle) -> Iterator[Rows]:
    """Yield every minimal correction set (MCS): rows, from 0, without which there is a code.

    If the rows of a set get the scores of some code that satisfies all other rows, the board is
    consistent. A consistent board has one such set, the empty one. Conflicts and correction sets
    are dual: each kind consists of the minimal hitting sets of the other (Reiter 1987).
    """
    for result in marco(oracle):
        if not isinstance(result, Conflict):
            yield result


def marco(oracle: SubsetOracle) -> Iterator[Conflict | Rows]:
    """Yield every MUS as a Conflict, and every MCS as a set of rows, in the order of discovery."""
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
    """Return a maximal satisfiable set of rows (MSS) that contains the given satisfiable rows."""
    for row in sorted(oracle.everything):
        if row not in rows:
            code = oracle.find(rows | {row})
            if code is not None:
                rows = oracle.violations.satisfied_rows(code, rows | {row})
    return rows
