"""Three-dimensional matching -> two colors: README.md has the construction and its proof."""

from mmsat.reductions.equations import Choice, ChoiceReduction, EquationCompiler, add_elements
from mmsat.reductions.reduction import SizeFormulas, Sizes
from mmsat.reductions.samples import PLANTED_FIRST, Samples, draw_matching
from mmsat.reductions.sources import Triples


class ThreeDimensionalMatching(ChoiceReduction[Triples]):
    """A peg for each triple, and a row for each thing."""

    name = "three-dimensional-matching"
    title = "three-dimensional matching -> two colors"
    theorem = "Mastermind with black pegs only is NP-complete (Goodrich 2009)"
    source_kind = "triples"
    formula = SizeFormulas("max(1, t)", "2", "1 + 3q")
    family = "three-dimensional matching, 3.35 random triples per thing"
    samples = Samples(draw_matching, PLANTED_FIRST, unit="things per kind", size=20, min_size=2)

    def write(self, system: EquationCompiler) -> None:
        size = self.source.size
        for number, triple in enumerate(self.source.triples, 1):
            system.peg(f"triple {number}", f"{triple} is chosen")
        names = [f"{kind} {thing}" for kind in "xyz" for thing in range(1, size + 1)]
        add_elements(system, "triple", names, self.source.cover().sets_by_element())
        system.weight = size

    def sizes(self) -> Sizes:
        return Sizes(max(1, len(self.source.triples)), 2, 1 + 3 * self.source.size)

    def is_certificate(self, certificate: Choice) -> bool:
        return self.source.is_matching(certificate)
