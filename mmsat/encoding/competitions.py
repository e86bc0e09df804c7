"""Write boards in the formats of solver competitions.

The SAT Competition wants clauses in DIMACS, with exact numbers and with comments at the start. The
Model Counting Competition adds the lines `c t mc` and `c p show`. The MaxSAT Evaluation has no
header since 2022, and marks hard clauses by `h`. The Pseudo-Boolean Competition wants the header
of OPB with all four numbers, and the MiniZinc Challenge a model with one data file per instance.

The Global Benchmark Database (GBD) identifies an instance by an MD5 of its normalized text: all
comments and headers are removed, and spaces are unified. `gbd_hash` computes it.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from mmsat.encoding.cnf import DEFAULT
from mmsat.encoding.encodings import Formula
from mmsat.encoding.writers import clause_formula, write_dzn, write_opb
from mmsat.game.board import Board


def write_sat(board: Board, comments: Iterable[str]) -> Iterator[str]:
    """Yield the lines of DIMACS CNF; each consistent code is one model."""
    return _dimacs(board, clause_formula(board, DEFAULT), comments)


def write_counting(board: Board, comments: Iterable[str]) -> Iterator[str]:
    """Yield the lines of DIMACS CNF for model counters.

    The number of models and the number of models projected to the code variables are both the
    number of consistent codes.
    """
    formula = clause_formula(board, DEFAULT)
    code_variables = " ".join(map(str, range(1, formula.code_variables + 1)))
    yield "c t mc\n"
    yield from _dimacs(board, formula, comments, f"c p show {code_variables} 0\n")


def _dimacs(
    board: Board, formula: Formula, comments: Iterable[str], shown: str = ""
) -> Iterator[str]:
    yield from _comments("c", board, comments)
    yield shown
    clauses = [*_strict_clauses(formula)]
    yield f"p cnf {formula.variables} {len(clauses)}\n"
    for clause in clauses:
        yield " ".join(map(str, [*clause, 0])) + "\n"


def _strict_clauses(formula: Formula) -> Iterator[list[int]]:
    """Yield the clauses without repeated literals and without tautologies."""
    for clause in formula.clauses:
        literals = dict.fromkeys(clause)
        if not any(-literal in literals for literal in literals):
            yield [*literals]


def write_maxsat(board: Board, comments: Iterable[str]) -> Iterator[str]:
    """Yield the lines of WCNF as of 2022: hard clauses, and one soft clause per row."""
    formula = clause_formula(board, DEFAULT, with_selectors=True)
    yield from _comments("c", board, comments)
    for clause in _strict_clauses(formula):
        yield " ".join(map(str, ["h", *clause, 0])) + "\n"
    for selector in formula.selectors:
        yield f"1 {selector} 0\n"


def write_pb(board: Board, comments: Iterable[str]) -> Iterator[str]:
    """Yield the lines of OPB, without an objective."""
    lines = "".join(write_opb(board)).splitlines(keepends=True)
    yield lines[0]
    yield from _comments("*", board, comments)
    yield from (line for line in lines[1:] if not line.startswith("*"))


def write_minizinc_data(board: Board, comments: Iterable[str]) -> Iterator[str]:
    """Yield the data for encodings/models/minizinc/mastermind.mzn."""
    yield from (f"% {comment}\n" for comment in comments)
    yield from (piece for piece in write_dzn(board) if not piece.startswith("%"))


def _comments(start: str, board: Board, comments: Iterable[str]) -> Iterator[str]:
    """Yield comments, and the meaning of the code variables."""
    yield from (f"{start} {comment}\n" for comment in comments)
    colors = board.game.colors
    yield f"{start} variable 1 + color + {colors} * peg, from 0: the peg has the color\n"


def gbd_hash_of_clauses(lines: Iterable[str]) -> str:
    """Return the hash of a formula in DIMACS CNF."""
    clauses = (" ".join(line.split()) for line in lines if line[:1] not in ("c", "p"))
    return _md5(" ".join(clauses))


def gbd_hash_of_soft_clauses(lines: Iterable[str]) -> str:
    """Return the hash of a formula in WCNF as of 2022.

    The program that defines this hash writes a space only before a clause that follows a soft
    clause, so that hard clauses are joined without a space.
    """
    text, is_after_soft = [], False
    for line in lines:
        if line[:1] != "c":
            text.append(f"{' ' * is_after_soft}{' '.join(line.split())}")
            is_after_soft = is_after_soft or line[:1] != "h"
    return _md5("".join(text))


def gbd_hash_of_sums(lines: Iterable[str]) -> str:
    """Return the hash of constraints in OPB: without `+`, and without spaces around the end."""
    constraints = (line for line in lines if line[:1] != "*")
    return _md5("".join(re.sub(r" *;\s*", ";", line.replace("+", "")) for line in constraints))


def _md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


class Competition(NamedTuple):
    """A kind of solvers, and the format of its competition."""

    name: str
    """The name on the command line."""
    title: str
    """The name of the competition."""
    suffix: str
    """The ending of the names of instances."""
    write: Callable[[Board, Iterable[str]], Iterator[str]]
    """Yields the text of an instance, given a board and the lines of a comment."""
    gbd_hash: Callable[[Iterable[str]], str] | None
    """Returns the identifier of GBD for the lines of an instance; None if GBD defines none."""


COMPETITIONS = {
    competition.name: competition
    for competition in (
        Competition("sat", "SAT Competition", ".cnf", write_sat, gbd_hash_of_clauses),
        Competition("pb", "Pseudo-Boolean Competition", ".opb", write_pb, gbd_hash_of_sums),
        Competition("maxsat", "MaxSAT Evaluation", ".wcnf", write_maxsat, gbd_hash_of_soft_clauses),
        Competition(
            "counting", "Model Counting Competition", ".cnf", write_counting, gbd_hash_of_clauses
        ),
        Competition("minizinc", "MiniZinc Challenge", ".dzn", write_minizinc_data, None),
    )
}
"""The competitions by name."""
