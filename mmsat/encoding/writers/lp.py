"""LP, the text format of CPLEX, which linear and integer solvers read (glpsol, cbc, HiGHS, ...).

Variables carry their names (peg2color5, color5least3); constraints are named after what they are
about (peg2, color5_low, row3_1). There is nothing to optimize, so the objective is 0 times the
first variable. The format limits the length of lines, so sums go over several.
"""

from collections.abc import Iterator, Sequence

from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.encoding.cnf import DEFAULT
from mmsat.encoding.linear import Line, LinearSystem
from mmsat.encoding.writers.writer import Writer

WORDS = 10
"""How many terms or variables stand in a line."""


class Lp(Writer):
    """Sums of named 0/1 variables."""

    name = "lp"
    suffix = ".lp"
    summary = "CPLEX LP, for integer linear solvers"

    def write(self, board: Board, encoding: str = DEFAULT) -> Iterator[str]:  # noqa: ARG002
        """An objective of nothing, the constraints, and all variables as binary."""
        return _lines(board, LinearSystem.of(System.of(board)))


def _lines(board: Board, system: LinearSystem) -> Iterator[str]:
    names = [system.names[variable] for variable in range(1, system.variables + 1)]
    yield f"\\ mmsat {board}\n"
    yield f"Minimize\n nothing: 0 {names[0]}\n"
    yield "Subject To\n"
    for line in system.lines:
        yield from _constraints(line, names)
    yield "Binary\n"
    yield f" {_wrap(names)}\n"
    yield "End\n"


def _constraints(line: Line, names: Sequence[str]) -> Iterator[str]:
    """One constraint, or two where both ends are given and differ: not every reader has ranges."""
    terms = _wrap([_term(number, names[variable - 1]) for number, variable in line.terms])
    if line.low == line.high:
        yield f" {line.name}: {terms} = {line.low}\n"
        return
    both = line.low is not None and line.high is not None
    if line.low is not None:
        yield f" {line.name}{'_least' * both}: {terms} >= {line.low}\n"
    if line.high is not None:
        yield f" {line.name}{'_most' * both}: {terms} <= {line.high}\n"


def _term(coefficient: int, name: str) -> str:
    size = "" if abs(coefficient) == 1 else f"{abs(coefficient)} "
    return f"{'-' if coefficient < 0 else '+'} {size}{name}"


def _wrap(words: Sequence[str]) -> str:
    """Words joined by spaces, with a new line now and then."""
    parts = [" ".join(words[start : start + WORDS]) for start in range(0, len(words), WORDS)]
    return "\n  ".join(parts)
