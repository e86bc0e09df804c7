"""The cheapest repairs by SAT, where there are too many codes to look at each.

MaxSAT (RC2 of python-sat) finds the fewest rows that must be changed, and then every set of so many
rows; rows that say the same stand or fall together, so they are one weighted wish. For each set an
incremental solver finds the scores that its rows can have, one combination after the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.constraints.system import System
from mmsat.diagnosis.dense import Dense
from mmsat.diagnosis.nearest import repair_by, scored
from mmsat.diagnosis.subset_oracle import SubsetOracle
from mmsat.encoding.cnf import cnf
from mmsat.errors import InternalError
from mmsat.solving.sat import code_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mmsat.board import Board
    from mmsat.diagnosis.nearest import Repair
    from mmsat.diagnosis.subset_oracle import Rows

MANY = 20
"""Codes of one repair that are looked at one by one."""


def cheapest_repairs(board: Board) -> Iterator[Repair]:
    """Yield every cheapest repair: (row, its score) for each of the fewest rows to change."""
    for rows in cheapest_sets(board):
        yield from repairs(board, rows)


def cheapest_sets(board: Board) -> Iterator[Rows]:
    """Yield every smallest set of rows (from 0) without which the board has a code."""
    from pysat.examples.rc2 import RC2  # noqa: PLC0415  (loaded when first needed)
    from pysat.formula import WCNF  # noqa: PLC0415

    system = System.of(board)
    formula = cnf(system, with_selectors=True)
    alike: dict[object, list[int]] = {}
    for number, row in enumerate(board.rows):
        alike.setdefault(row, []).append(number)
    wishes = WCNF()
    wishes.extend(formula.clauses)
    for rows in alike.values():
        wishes.append([formula.selectors[rows[0]]], weight=len(rows))
    with RC2(wishes, solver="glucose4") as optimizer:
        cost = None
        while (model := optimizer.compute()) is not None:
            if cost is not None and optimizer.cost > cost:
                return
            cost = optimizer.cost
            changed = [row for row, _ in repair_by(board, code_of(model, system.variables))]
            yield frozenset(changed)
            optimizer.add_clause([formula.selectors[row] for row in changed])


def repairs(board: Board, rows: Rows) -> Iterator[Repair]:
    """Yield every combination of scores that just these rows can have with the others kept.

    Each combination found is blocked: not all that its scores say is true of the next code.
    """
    oracle = SubsetOracle(board)
    variables, constraints = oracle.system.variables, board.game.scoring.constraints
    others = [row for row in range(len(board.rows)) if row not in rows]
    while (code := oracle.find(others)) is not None:
        repair = tuple((row, scored(board, row, code)) for row in sorted(rows))
        yield repair
        with oracle.extending() as builder:
            said = [
                literal
                for row, score in repair
                for constraint in constraints(variables, board.rows[row].guess, score)
                for literal in builder.reify(constraint)
            ]
            builder.formula.add(*(-literal for literal in said))


def single_rows(oracle: SubsetOracle, conflict: Iterable[int]) -> Iterator[Rows]:
    """Yield every single row without which the oracle's board has a code, given one conflict.

    Such a row is in every conflict, so no others need be looked at.
    """
    for row in sorted(conflict):
        if oracle.find(oracle.everything - {row}) is not None:
            yield frozenset({row})


def dense_repairs(system: System, board: Board, rows: Rows) -> Iterator[tuple[Repair, int, bool]]:
    """Yield every combination of scores that just these rows can have with the others kept.

    Each with the number of its codes, and whether these are all: codes are found one by one, and
    beyond MANY of the same scores these scores are denied instead. One by one is quick where few
    codes are left, as on dense boards.
    """
    others = frozenset(range(len(board.rows))) - rows
    found: dict[Repair, int] = {}
    dense = Dense(system, others)
    while dense.solve(budget=None, other=True):
        code = dense.code
        if code is None or not rows.issuperset(board.missed(code)):
            message = f"{code} is no code of rows {sorted(others)} of {board}"
            raise InternalError(message)
        repair = tuple((row, scored(board, row, code)) for row in sorted(rows))
        found[repair] = found.get(repair, 0) + 1
        if found[repair] < MANY:
            dense.deny_code(code)
        else:
            dense.deny(
                [
                    constraint
                    for row, score in repair
                    for constraint in board.game.scoring.constraints(
                        system.variables, board.rows[row].guess, score
                    )
                ]
            )
    dense.close()
    for repair, codes in found.items():
        yield repair, codes, codes < MANY
