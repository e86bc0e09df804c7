"""The formula and the lemmas of a proof in the formats of other tools: DIMACS, LRAT and DRAT."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import NamedTuple

from mmsat.board import Board
from mmsat.encoding.formula import Formula
from mmsat.encoding.writers.dimacs import clause_formula, cnf_lines
from mmsat.proof.bundle import Bundle


class Dimacs(NamedTuple):
    """A formula in the forms that proofs need."""

    formula: Formula
    text: str
    """What `mmsat encode --to cnf` writes."""
    literals: array[int]
    """All clauses in order, each ended by 0."""


def write_dimacs(board: Board, encoding: str) -> Dimacs:
    """The formula of a board, in an encoding that is made of clauses.

    Raises InputError for other encodings, and SizeError where it would take too much memory.
    """
    formula = clause_formula(board, encoding)
    literals = array("i")
    for clause in formula.clauses:
        literals.extend(clause)
        literals.append(0)
    return Dimacs(formula, "".join(cnf_lines(board, encoding, formula)), literals)


def split_bundle(bundle: Bundle) -> dict[str, Iterator[str]]:
    """Take a proof apart: by file name its lines, the board and what the method has.

    formula.cnf is DIMACS, formula.map names a variable a line, proof.lrat is for checkers of LRAT,
    and proof.drat is the same without the names of clauses, for checkers of DRAT.
    """
    found = {"board.txt": iter([f"{bundle.board}\n"])}
    if "witness" in bundle.fields:
        found["witness.txt"] = iter([f"{bundle.fields['witness']}\n"])
    for name, text in bundle.sections.items():
        file = {"cnf": "formula.cnf", "lrat": "proof.lrat"}.get(name, f"{name}.txt")
        found[file] = iter([text])
    if "cnf" in bundle.sections:
        found["formula.map"] = _variable_names(bundle.sections["cnf"])
        found["proof.drat"] = lrat_to_drat(bundle.sections["cnf"], bundle.sections["lrat"])
    return found


def _variable_names(cnf: str) -> Iterator[str]:
    """`8 peg2color2`, a line each."""
    for line in cnf.splitlines():
        if line.startswith("c varname "):
            yield f"{line.removeprefix('c varname ')}\n"


def lrat_to_drat(cnf: str, lrat: str) -> Iterator[str]:
    """Yield the lemmas and deletions of an LRAT proof that holds, as lines of DRAT."""
    lines = (line for line in cnf.splitlines() if line[:1] not in ("c", "p"))
    clauses = dict(enumerate((line.removesuffix(" 0") for line in lines), 1))
    for line in lrat.splitlines():
        name, _, rest = line.partition(" ")
        if rest.startswith("d "):
            for gone in rest.split()[1:-1]:
                yield f"d {clauses.pop(int(gone))} 0\n"
        else:
            literals = rest.split(" ")
            clauses[int(name)] = " ".join(literals[: literals.index("0")])
            yield f"{clauses[int(name)]} 0\n".lstrip()
