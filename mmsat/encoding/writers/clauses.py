"""What the writers of clauses share: the formula of a board and the comments above it."""

from collections.abc import Iterator

from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.encoding.cnf import cnf
from mmsat.encoding.encodings import ENCODINGS
from mmsat.encoding.formula import Formula
from mmsat.errors import Fault, InputError


def clause_formula(board: Board, encoding: str, *, with_selectors: bool = False) -> Formula:
    """A formula of nothing but clauses; raises InputError for an encoding that needs more."""
    names = ", ".join(sorted(name for name, each in ENCODINGS.items() if not each.is_native))
    if encoding not in ENCODINGS:
        fault = Fault("an encoding is one of the catalogue", encoding, f"one of {names}")
        raise InputError([fault], "the encoding")
    formula = cnf(System.of(board), encoding, with_selectors=with_selectors)
    if formula.at_most:
        rule = "DIMACS holds clauses only, and this encoding leaves the counting to the solver"
        raise InputError([Fault(rule, encoding, f"one of {names}")], "the encoding")
    return formula


def comments(board: Board, encoding: str, formula: Formula) -> Iterator[str]:
    """The board, the encoding, the variables' names, and which variables are the code."""
    yield f"c mmsat {board}\n"
    yield f"c encoding {encoding}\n"
    for variable, name in sorted(formula.names.items()):
        yield f"c varname {variable} {name}\n"
    code = " ".join(map(str, range(1, formula.code_variables + 1)))
    yield f"c p show {code} 0\n"
