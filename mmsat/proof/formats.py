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
    """The output of `mmsat encode --to cnf`."""
    literals: array[int]
    """All clauses in order, each terminated by 0."""


def write_dimacs(board: Board, encoding: str) -> Dimacs:
    """Return the formula of a board, in an encoding that consists of clauses only.

    Raises InputError for other encodings, and SizeError if the formula would need too much memory.
    """
    formula = clause_formula(board, encoding)
    literals = array("i")
    for clause in formula.clauses:
        literals.extend(clause)
        literals.append(0)
    return Dimacs(formula, "".join(cnf_lines(board, encoding, formula)), literals)


def split_bundle(bundle: Bundle) -> dict[str, Iterator[str]]:
    """Split a proof into files: return the lines by file name.

    formula.cnf is DIMACS, formula.map names one variable per line, proof.lrat is for LRAT checkers,
    and proof.drat is the same proof without the numbers of clauses, for DRAT checkers.
    """
    files = {"board.txt": iter([f"{bundle.board}\n"])}
    if "witness" in bundle.fields:
        files["witness.txt"] = iter([f"{bundle.fields['witness']}\n"])
    for name, text in bundle.sections.items():
        file_name = {"cnf": "formula.cnf", "lrat": "proof.lrat"}.get(name, f"{name}.txt")
        files[file_name] = iter([text])
    if "cnf" in bundle.sections:
        files["formula.map"] = _variable_names(bundle.sections["cnf"])
        files["proof.drat"] = lrat_to_drat(bundle.sections["cnf"], bundle.sections["lrat"])
    return files


def _variable_names(cnf: str) -> Iterator[str]:
    """Yield lines such as `8 peg2color2`."""
    for line in cnf.splitlines():
        if line.startswith("c varname "):
            yield f"{line.removeprefix('c varname ')}\n"


def lrat_to_drat(cnf: str, lrat: str) -> Iterator[str]:
    """Yield the lemmas and deletions of a valid LRAT proof as lines of DRAT."""
    lines = (line for line in cnf.splitlines() if line[:1] not in ("c", "p"))
    clauses = dict(enumerate((line.removesuffix(" 0") for line in lines), 1))
    for line in lrat.splitlines():
        name, _, content = line.partition(" ")
        if content.startswith("d "):
            for clause_number in content.split()[1:-1]:
                yield f"d {clauses.pop(int(clause_number))} 0\n"
        else:
            literals = content.split(" ")
            clauses[int(name)] = " ".join(literals[: literals.index("0")])
            yield f"{clauses[int(name)]} 0\n".lstrip()
