"""DIMACS CNF, which every SAT solver reads.

The comments name the variables (`c varname 8 peg2color2`), the code's first, and tell model
counters which of them are the code (`c p show 1 2 .. 0`). The formula has one model a consistent
code.
"""

from collections.abc import Iterator

from mmsat.board import Board
from mmsat.encoding.cnf import DEFAULT
from mmsat.encoding.formula import Formula
from mmsat.encoding.writers.clauses import clause_formula, comments
from mmsat.encoding.writers.writer import Writer


class Cnf(Writer):
    """Clauses."""

    name = "cnf"
    suffix = ".cnf"
    summary = "DIMACS CNF, for SAT solvers and model counters"
    has_encoding = True

    def write(self, board: Board, encoding: str = DEFAULT) -> Iterator[str]:
        """One clause a line; raises InputError for an encoding that is not made of clauses."""
        return _lines(board, encoding, clause_formula(board, encoding))


def _lines(board: Board, encoding: str, formula: Formula) -> Iterator[str]:
    yield from comments(board, encoding, formula)
    yield f"p cnf {formula.variables} {len(formula.clauses)}\n"
    for clause in formula.clauses:
        yield " ".join(map(str, [*clause, 0])) + "\n"
