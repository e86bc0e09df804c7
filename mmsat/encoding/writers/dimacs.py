"""DIMACS: CNF, which every SAT solver reads, and WCNF, for MaxSAT solvers.

The comments name the variables (`c varname 8 peg2color2`), the code's first, and list the code
variables for model counters (`c p show 1 2 .. 0`). The formula in CNF has one model per consistent
code.

The optimum of the WCNF is the smallest number of rows whose removal makes the board consistent, and
the code of the solution satisfies the other rows. It is the classic form with `p wcnf VARIABLES
CLAUSES TOP`, which old and new solvers read: clauses of weight TOP are hard, and each row has one
soft clause of weight 1, its selector.
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
    """Yield one clause per line; raises InputError for an encoding that needs more than clauses."""
    return cnf_lines(board, encoding, clause_formula(board, encoding))


def write_wcnf(board: Board, encoding: str) -> Iterator[str]:
    """Yield hard clauses and soft rows; raises InputError like `write_cnf`."""
    return _wcnf_lines(board, encoding, clause_formula(board, encoding, with_selectors=True))


def clause_formula(board: Board, encoding: str, *, with_selectors: bool = False) -> Formula:
    """Return the formula of a board; raises InputError if it does not consist of clauses only."""
    names = ", ".join(sorted(name for name, kind in ENCODINGS.items() if not kind.is_native))
    require_name("encoding", encoding, ENCODINGS)
    formula = cnf(System.of(board), encoding, with_selectors=with_selectors)
    if formula.at_most:
        rule = "this encoding does not consist of clauses only"
        raise InputError.of("the encoding", f"one of {names}", encoding, rule)
    return formula


def cnf_lines(board: Board, encoding: str, formula: Formula) -> Iterator[str]:
    """Yield the lines of a formula of clauses in DIMACS CNF."""
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
    """Yield the board, the encoding, the names of the variables, and the list of code variables."""
    yield f"c mmsat {board}\n"
    yield f"c encoding {encoding}\n"
    for variable, name in sorted(formula.names.items()):
        yield f"c varname {variable} {name}\n"
    code = " ".join(map(str, range(1, formula.code_variables + 1)))
    yield f"c p show {code} 0\n"
