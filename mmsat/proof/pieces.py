"""A proof taken apart into files that other tools read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.proof.bundle import Bundle


def pieces(bundle: Bundle) -> dict[str, Iterator[str]]:
    """By file name its lines: the board, and what the method has.

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
        found["formula.map"] = variables(bundle.sections["cnf"])
        found["proof.drat"] = drat(bundle.sections["cnf"], bundle.sections["lrat"])
    return found


def variables(cnf: str) -> Iterator[str]:
    """The variables that have a name, one a line: `8 peg2color2`."""
    for line in cnf.splitlines():
        if line.startswith("c varname "):
            yield f"{line.removeprefix('c varname ')}\n"


def drat(cnf: str, lrat: str) -> Iterator[str]:
    """The lemmas and deletions of a proof in LRAT that holds, as DRAT."""
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
