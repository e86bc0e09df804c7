"""Sums of 0/1 variables: LP for linear and integer solvers, OPB for pseudo-Boolean ones.

In LP, the text format of CPLEX (glpsol, cbc, HiGHS, ...), variables carry their names (peg2color5,
color5least3), and constraints are named after their subject (peg2, color5_low, row3_1). There is
nothing to optimize, so the objective is 0 times the first variable. The format limits the length of
lines, so long sums are split into several lines.

In OPB, variables x1, x2, ... are numbered as in mmsat.encoding.linear, so that the code variables
have the same numbers as in DIMACS. Comments name them (`* varname x8 peg2color2`). The format has
only `>=` and `=`, so an upper bound is written with all signs inverted.
"""

from collections.abc import Iterator, Sequence

from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.encoding.linear import Line, LinearSystem

TERMS_PER_LINE = 10
"""The number of terms or variables per line of LP."""
COMMENT_CHARACTERS = 200
"""The maximum length of a comment in a line of LP."""


def write_lp(board: Board) -> Iterator[str]:
    """Yield an objective that is always 0, the constraints, and all variables as binary."""
    system = LinearSystem.of(System.of(board))
    names = [system.names[variable] for variable in range(1, system.variables + 1)]
    yield from lp_comment(f"mmsat {board}")
    yield f"Minimize\n nothing: 0 {names[0]}\n"
    yield "Subject To\n"
    for line in system.lines:
        yield from _lp_constraints(line, names)
    yield "Binary\n"
    yield f" {_wrap(names)}\n"
    yield "End\n"


def lp_comment(text: str) -> Iterator[str]:
    """Yield the lines of a comment. CBC aborts if a line has more than 1,024 characters."""
    for start in range(0, len(text), COMMENT_CHARACTERS):
        yield f"\\ {text[start : start + COMMENT_CHARACTERS]}\n"


def _lp_constraints(line: Line, names: Sequence[str]) -> Iterator[str]:
    """Yield one constraint, or two if it has two different bounds.

    Not every reader supports ranges.
    """
    terms = _wrap([_lp_term(number, names[variable - 1]) for number, variable in line.terms])
    if line.low == line.high:
        yield f" {line.name}: {terms} = {line.low}\n"
        return
    both = line.low is not None and line.high is not None
    if line.low is not None:
        yield f" {line.name}{'_least' * both}: {terms} >= {line.low}\n"
    if line.high is not None:
        yield f" {line.name}{'_most' * both}: {terms} <= {line.high}\n"


def _lp_term(coefficient: int, name: str) -> str:
    size = "" if abs(coefficient) == 1 else f"{abs(coefficient)} "
    return f"{'-' if coefficient < 0 else '+'} {size}{name}"


def _wrap(words: Sequence[str]) -> str:
    """Join words by spaces, with a line break after every TERMS_PER_LINE words."""
    parts = [
        " ".join(words[start : start + TERMS_PER_LINE])
        for start in range(0, len(words), TERMS_PER_LINE)
    ]
    return "\n  ".join(parts)


def write_opb(board: Board) -> Iterator[str]:
    """Yield one constraint per line, after the header, which must come first."""
    system = LinearSystem.of(System.of(board))
    constraints = [text for line in system.lines for text in _opb_constraints(line)]
    yield f"* #variable= {system.variables} #constraint= {len(constraints)}\n"
    yield f"* mmsat {board}\n"
    for variable, name in sorted(system.names.items()):
        yield f"* varname x{variable} {name}\n"
    yield from constraints


def _opb_constraints(line: Line) -> Iterator[str]:
    if line.low == line.high:
        yield f"{_opb_sum(line, 1)} = {line.low} ;\n"
        return
    if line.low is not None:
        yield f"{_opb_sum(line, 1)} >= {line.low} ;\n"
    if line.high is not None:
        yield f"{_opb_sum(line, -1)} >= {-line.high} ;\n"


def _opb_sum(line: Line, sign: int) -> str:
    return " ".join([f"{sign * coefficient:+} x{variable}" for coefficient, variable in line.terms])
