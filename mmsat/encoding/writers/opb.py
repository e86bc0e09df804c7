"""OPB, the format of the pseudo-Boolean competitions.

Variables x1, x2, ... are numbered as in mmsat.encoding.linear, so that the code's are the same as
in DIMACS; comments name them (`* varname x8 peg2color2`). The format knows `>=` and `=` only, so an
upper bound is written with all signs turned.
"""

from collections.abc import Iterator

from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.encoding.cnf import DEFAULT
from mmsat.encoding.linear import Line, LinearSystem
from mmsat.encoding.writers.writer import Writer


class Opb(Writer):
    """Sums of 0/1 variables."""

    name = "opb"
    suffix = ".opb"
    summary = "OPB, for pseudo-Boolean solvers"

    def write(self, board: Board, encoding: str = DEFAULT) -> Iterator[str]:  # noqa: ARG002
        """One constraint a line, after the header that must come first."""
        return _lines(board, LinearSystem.of(System.of(board)))


def _lines(board: Board, system: LinearSystem) -> Iterator[str]:
    constraints = [text for line in system.lines for text in _constraints(line)]
    yield f"* #variable= {system.variables} #constraint= {len(constraints)}\n"
    yield f"* mmsat {board}\n"
    for variable, name in sorted(system.names.items()):
        yield f"* varname x{variable} {name}\n"
    yield from constraints


def _constraints(line: Line) -> Iterator[str]:
    if line.low == line.high:
        yield f"{_sum(line, 1)} = {line.low} ;\n"
        return
    if line.low is not None:
        yield f"{_sum(line, 1)} >= {line.low} ;\n"
    if line.high is not None:
        yield f"{_sum(line, -1)} >= {-line.high} ;\n"


def _sum(line: Line, sign: int) -> str:
    return " ".join([f"{sign * coefficient:+} x{variable}" for coefficient, variable in line.terms])
