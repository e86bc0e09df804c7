"""Bases of reductions by kind of source: the conversion of certificates to codes and back.

A variable of a formula is a peg p, which is 1 if the variable is true, and usually a second peg q,
which is 1 if the variable is false. A vertex cover of a graph is a set of nodes that contains an
end of every edge. A cover of at most k nodes exists if and only if a cover of exactly k nodes does,
because further nodes can be added. If k exceeds n, it is replaced by n.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace

from mmsat.game.board import Board
from mmsat.game.notation.speller import speller
from mmsat.game.row import Code
from mmsat.reductions.equations import EquationCompiler, EquationsReduction
from mmsat.reductions.reduction import Reduction, RowReduction, Source, require_whole
from mmsat.reductions.sources import Assignment, Formula, Graph, spell_assignment, spell_literal

Choice = tuple[int, ...]
Nodes = tuple["Hashable", ...]


class FormulaReduction(EquationsReduction[Formula, Assignment]):
    """Certificates are models; the first pegs are the variables, in order."""

    source_kind = "formula"

    def decode_colors(self, code: Sequence[int]) -> Assignment:
        return tuple(color == 1 for color in code[: self.source.variables])

    def is_certificate(self, certificate: Assignment) -> bool:
        return self.source.is_model(certificate)

    def spell(self, certificate: Assignment) -> str:
        return spell_assignment(certificate)


class OneInReduction(FormulaReduction):
    """Certificates are assignments that make exactly one literal of every clause true."""

    def is_certificate(self, certificate: Assignment) -> bool:
        return self.source.has_one_true(certificate)


def add_literals(system: EquationCompiler, variables: int) -> dict[int, int]:
    """Add a peg for each literal and a row for each pair; return the peg of each literal."""
    numbers = range(1, variables + 1)
    pegs = {
        number: system.peg(f"variable {number}", f"{spell_literal(number)} is true")
        for number in numbers
    }
    for number in numbers:
        false = f"{spell_literal(number)} is false"
        pegs[-number] = system.complement(pegs[number], f"variable {number}", false)
    for number in numbers:
        meaning = f"one of {spell_literal(number)}, {spell_literal(-number)}"
        system.exactly(1, (pegs[number], pegs[-number]), f"variable {number}", meaning)
    system.weight += variables
    return pegs


class ChoiceReduction(EquationsReduction[Source, Choice]):
    """Certificates are ascending indices, from 0, of the chosen sets or triples.

    Each free peg is 1 if the set of a cover, or the triple of a matching, is chosen.
    """

    def bits(self, certificate: Choice) -> Iterable[int]:
        chosen = set(certificate)
        num_free_pegs = sum(peg.value is None for peg in self.equations.pegs)
        return (index in chosen for index in range(num_free_pegs))

    def decode_colors(self, code: Sequence[int]) -> Choice:
        return tuple(index for index, value in enumerate(self.equations.free_values(code)) if value)


def add_elements(
    system: EquationCompiler, noun: str, names: Sequence[str], holders: Sequence[Choice]
) -> None:
    """Add an equation for each element: exactly one of the sets (pegs) that hold it is chosen."""
    for name, pegs in zip(names, holders, strict=True):
        listed = ", ".join(str(peg + 1) for peg in pegs) or "nothing"
        system.exactly(1, pegs, name, f"one {noun} of {listed}")


class VertexCoverReduction(Reduction[Graph, Nodes]):
    """Certificates are covers of exactly k nodes, in the order of the graph."""

    source_kind = "graph"
    parameters = ("k",)

    def __init__(self, source: Graph, *, k: int) -> None:
        super().__init__(source, k=k)
        num_nodes = len(source.nodes)
        self.k = min(require_whole("k", k, 0), num_nodes)

    def is_certificate(self, certificate: Nodes) -> bool:
        marks = self.mark(certificate)
        return (
            len(certificate) == self.k
            and tuple(certificate) == self.select(marks)
            and all(marks[a] or marks[b] for a, b in self.source.edges)
        )

    def spell(self, certificate: Nodes) -> str:
        return " ".join(map(str, certificate))

    def mark(self, certificate: Nodes) -> tuple[bool, ...]:
        """Return whether each node is in the cover."""
        chosen = set(certificate)
        return tuple(node in chosen for node in self.source.nodes)

    def select(self, marks: Iterable[bool]) -> Nodes:
        """Return the marked nodes, in the order of the graph."""
        return tuple(node for node, mark in zip(self.source.nodes, marks, strict=True) if mark)


class BoardReduction(RowReduction[Board, "Code"]):
    """Certificates are consistent codes of a board."""

    source_kind = "board"

    def build(self) -> Board:
        """Build the board. Known codes of the source become known codes of the board."""
        return replace(super().build(), known=tuple(map(self.encode, self.source.known)))

    def is_certificate(self, certificate: Code) -> bool:
        return self.source.is_consistent(certificate)

    def pegs(self) -> Iterable[tuple[str, str]]:
        return [("code", f"peg {peg}") for peg in range(1, self.source.game.pegs + 1)]

    def spell(self, certificate: Code) -> str:
        return speller(self.source.game).print_code(certificate)
