"""DIMACS: CNF, which every SAT solver reads, and WCNF, for MaxSAT solvers.

The comments name the variables (`c varname 8 peg2color2`), the code's first, and tell model
counters which of them are the code (`c p show 1 2 .. 0`). The formula in CNF has one model a
consistent code.

WCNF tells how few rows must go to make a board consistent. It is the classic form with `p wcnf
VARIABLES CLAUSES TOP`, which old and new solvers read: clauses of weight TOP are hard, and each row
has one soft clause of weight 1, its selector. The optimum is the least number of rows that must go,
and the solution's code satisfies the rows that stay.
"""

from collections.abc import Iterator

from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.encoding.cnf import cnf
from mmsat.encoding.encodings import ENCODINGS
from mmsat.encoding.formula import Formula
from mmsat.errors import InputError
from mmsat.registry import require_name


def write_cnf(board: Board, encoding: str) -> Iterator[str]:
    """One clause a line; raises InputError for an encoding that is not made of clauses."""
    return cnf_lines(board, encoding, clause_formula(board, encoding))


def write_wcnf(board: Board, encoding: str) -> Iterator[str]:
    """Hard clauses and soft rows; raises InputError like `write_cnf`."""
    return _wcnf_lines(board, encoding, clause_formula(board, encoding, with_selectors=True))


def clause_formula(board: Board, encoding: str, *, with_selectors: bool = False) -> Formula:
    """A formula of nothing but clauses; raises InputError for an encoding that needs more."""
    names = ", ".join(sorted(name for name, each in ENCODINGS.items() if not each.is_native))
    require_name("encoding", encoding, ENCODINGS)
    formula = cnf(System.of(board), encoding, with_selectors=with_selectors)
    if formula.at_most:
        rule = "DIMACS holds clauses only, and this encoding leaves the counting to the solver"
        raise InputError.of("the encoding", f"one of {names}", encoding, rule)
    return formula


def cnf_lines(board: Board, encoding: str, formula: Formula) -> Iterator[str]:
    """A formula of clauses in DIMACS CNF."""
    yield from _comments(board, encoding, formula)
    yield f"p cnf {formula.variables} {len(formula.clauses)}\n"
    for clause in formula.clauses:
        yield " ".join(map(str, [*clause, 0])) + "\n"


def _wcnf_lines(board: Board, encoding: str, formula: Formula) -> Iterator[str]:
    yield from _comments(board, encoding, formula)
    top = len(formula.selectors) + 1
    clauses = len(formula.clauses) + len(formula.selectors)
    yield f"p wcnf {formula.variables} {clauses} {top}\n"
    for clause in formula.clauses:
        yield " ".join(map(str, [top, *clause, 0])) + "\n"
    for selector in formula.selectors:
        yield f"1 {selector} 0\n"


def _comments(board: Board, encoding: str, formula: Formula) -> Iterator[str]:
    """The board, the encoding, the variables' names, and which variables are the code."""
    yield f"c mmsat {board}\n"
    yield f"c encoding {encoding}\n"
    for variable, name in sorted(formula.names.items()):
        yield f"c varname {variable} {name}\n"
    code = " ".join(map(str, range(1, formula.code_variables + 1)))
    yield f"c p show {code} 0\n"
