"""Derive by presolve why conflicts have no code, for reports in full (`-v`)."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace

from mmsat.board import Board
from mmsat.constraints.presolve.domains import Infeasibility
from mmsat.constraints.presolve.presolve import presolve
from mmsat.constraints.system import System
from mmsat.results.verdict import Conflict
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.solving.executor import stream


def with_derivations(
    board: Board, conflicts: Sequence[Conflict], deadline: Deadline
) -> tuple[Conflict, ...]:
    """Return the conflicts, each with its derivation unless a refutation explains it already.

    Conflicts not reached before the deadline are returned as they are.
    """
    explained = list(conflicts)
    try:
        with closing(stream(deadline, derive_all, board, conflicts)) as derivations:
            for index, lines in enumerate(derivations):
                explained[index] = replace(explained[index], derivation=lines)
    except TimeUpError:
        pass
    return tuple(explained)


def derive_all(board: Board, conflicts: Sequence[Conflict]) -> Iterator[tuple[str, ...]]:
    """Yield the derivation of each conflict, empty if it has a refutation."""
    system = System.of(board)
    for conflict in conflicts:
        yield () if conflict.refutation else derive(system, conflict)


def derive(system: System, conflict: Conflict) -> tuple[str, ...]:
    """Return sentences that derive the contradiction, or nothing if that needs search."""
    groups = (group if row in conflict.rows else () for row, group in enumerate(system.rows))
    presolved = presolve(system.with_rows(groups))
    if not isinstance(presolved, Infeasibility):
        return ()
    first, *others = presolved.lines
    return (f"Why: {first}", *others)
