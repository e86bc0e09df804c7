"""The formula of some rows of a board, as text and for the kernels."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

from mmsat.encoding.writers.clauses import comments, plain

if TYPE_CHECKING:
    from mmsat.board import Board
    from mmsat.encoding.formula import Formula


class Dimacs(NamedTuple):
    """A formula in the forms that proofs need."""

    formula: Formula
    text: str
    """What `mmsat encode --to cnf` writes."""
    literals: array[int]
    """All clauses in order, each ended by 0."""


def dimacs(board: Board, encoding: str) -> Dimacs:
    """The formula of a board, in an encoding that is made of clauses.

    Raises InputError for other encodings, and SizeError where it would take too much memory.
    """
    formula = plain(board, encoding)
    lines = [*comments(board, encoding, formula)]
    lines.append(f"p cnf {formula.variables} {len(formula.clauses)}\n")
    literals = array("i")
    for clause in formula.clauses:
        literals.extend(clause)
        literals.append(0)
        lines.append(" ".join(map(str, [*clause, 0])) + "\n")
    return Dimacs(formula, "".join(lines), literals)
