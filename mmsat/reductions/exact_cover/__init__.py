"""Exact cover -> two colors: README.md has the construction and its proof."""

from mmsat.reductions.equations import Choice, ChoiceReduction, EquationCompiler, add_elements
from mmsat.reductions.reduction import SizeFormulas, Sizes
from mmsat.reductions.samples import PLANTED_FIRST, Samples, draw_triple_cover
from mmsat.reductions.sources import Cover


class ExactCover(ChoiceReduction[Cover]):
    """One or two pegs for each set, and a row for each element."""

    name = "exact-cover"
    title = "exact cover -> two colors"
    theorem = "Mastermind with black pegs only is NP-complete (Goodrich 2009)"
    source_kind = "cover"
    formula = SizeFormulas(
        "max(1, s) for sets of one size, else 2s",
        "2",
        "1 + e for sets of one size, else 1 + e + s",
    )
    family = "exact cover by random sets of three, 3.35 per element"
    samples = Samples(
        draw_triple_cover, PLANTED_FIRST, unit="thirds of the elements", size=20, min_size=2
    )

    def has_equal_sets(self) -> bool:
        """Return whether all sets have the same size, which determines the weight of a solution."""
        return len(set(map(len, self.source.sets))) <= 1

    def write(self, system: EquationCompiler) -> None:
        sets = self.source.sets
        gadgets = [f"set {number}" for number in range(1, len(sets) + 1)]
        pegs = [system.peg(gadget, "it is chosen") for gadget in gadgets]
        if self.has_equal_sets():
            system.weight = self.source.elements // len(sets[0]) if sets else 0
        else:
            system.weight = len(sets)
            pegs_and_gadgets = list(zip(pegs, gadgets, strict=True))
            complements = [
                system.complement(peg, gadget, "it is not chosen")
                for peg, gadget in pegs_and_gadgets
            ]
            for complement, (peg, gadget) in zip(complements, pegs_and_gadgets, strict=True):
                system.exactly(1, (peg, complement), gadget, "chosen or not")
        names = [f"element {number}" for number in range(1, self.source.elements + 1)]
        add_elements(system, "set", names, self.source.sets_by_element())

    def sizes(self) -> Sizes:
        elements, sets = self.source.elements, len(self.source.sets)
        if self.has_equal_sets():
            return Sizes(max(1, sets), 2, 1 + elements)
        return Sizes(2 * sets, 2, 1 + elements + sets)

    def is_certificate(self, certificate: Choice) -> bool:
        return self.source.is_exact(certificate)
