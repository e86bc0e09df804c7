"""DIMACS WCNF, for MaxSAT solvers: how few rows must go to make a board consistent.

The classic form with `p wcnf VARIABLES CLAUSES TOP`, which old and new solvers read: clauses of
weight TOP are hard, and each row has one soft clause of weight 1, its selector. The optimum is the
least number of rows that must go, and the solution's code satisfies the rows that stay.
"""

from collections.abc import Iterator

from mmsat.board import Board
from mmsat.encoding.cnf import DEFAULT
from mmsat.encoding.formula import Formula
from mmsat.encoding.writers.clauses import clause_formula, comments
from mmsat.encoding.writers.writer import Writer


class Wcnf(Writer):
    """Hard clauses and soft rows."""

    name = "wcnf"
    suffix = ".wcnf"
    summary = "DIMACS WCNF with rows of weight 1, for MaxSAT solvers"
    has_encoding = True

    def write(self, board: Board, encoding: str = DEFAULT) -> Iterator[str]:
        """One clause a line; raises InputError for an encoding that is not made of clauses."""
        return _lines(board, encoding, clause_formula(board, encoding, with_selectors=True))


def _lines(board: Board, encoding: str, formula: Formula) -> Iterator[str]:
    yield from comments(board, encoding, formula)
    top = len(formula.selectors) + 1
    clauses = len(formula.clauses) + len(formula.selectors)
    yield f"p wcnf {formula.variables} {clauses} {top}\n"
    for clause in formula.clauses:
        yield " ".join(map(str, [top, *clause, 0])) + "\n"
    for selector in formula.selectors:
        yield f"1 {selector} 0\n"
