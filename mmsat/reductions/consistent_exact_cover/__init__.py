"""Exact cover by sets of equal size -> a board of consistent guesses: see README.md."""

from itertools import combinations

from mmsat.errors import Description, Fault, InputError
from mmsat.reductions.equations import Choice, ChoiceReduction, Demand, EquationCompiler, add_frame
from mmsat.reductions.reduction import SizeFormulas, Sizes
from mmsat.reductions.samples import Samples, draw_cubic_cover
from mmsat.reductions.sources import Cover


class ConsistentExactCover(ChoiceReduction[Cover]):
    """A board of consistent guesses, whose size is quadratic in that of the cover."""

    name = "consistent-exact-cover"
    title = "regular exact cover -> two colors, every guess consistent with the rows before it"
    theorem = "Consistent Mastermind is NP-complete (de Bondt 2004)"
    source_kind = "cover"
    # README.md explains the letters.
    formula = SizeFormulas("M + (h + 1) K - h / s, K = d - 1 + t + h t", "2", "1 + 2h")
    family = "cubic exact cover, every guess consistent"
    samples = Samples(draw_cubic_cover, unit="thirds of the elements", size=3, min_size=3)

    def __init__(self, source: Cover) -> None:
        super().__init__(source)
        sizes = sorted(set(map(len, source.sets)))
        degrees = sorted(set(map(len, source.sets_by_element())))
        faults = []
        if len(sizes) != 1 or sizes[0] < 2:
            found = Description(f"sets of {', '.join(map(str, sizes)) or 'no'} elements")
            faults.append(Fault("", found, "sets of one size, 2 or more"))
        elif source.elements % sizes[0]:
            found = Description(f"{source.elements} elements")
            faults.append(
                Fault("the size of the sets", found, f"a multiple of {sizes[0]} elements")
            )
        if len(degrees) != 1:
            found = Description(f"elements in {', '.join(map(str, degrees))} sets")
            faults.append(Fault("", found, "every element in the same number of sets"))
        InputError.refuse(faults, "the cover")
        self.num_chosen = source.elements // sizes[0]
        """The number of sets in an exact cover (q in README.md)."""
        self.degree = degrees[0]
        """The number of sets that contain an element (d in README.md)."""

    def write(self, system: EquationCompiler) -> None:
        for number in range(1, len(self.source.sets) + 1):
            system.peg(f"set {number}", f"set {number} is chosen")
        demands = [
            Demand(indices, 1, f"element {number}", f"one of the sets with element {number}")
            for number, indices in enumerate(self.source.sets_by_element(), 1)
        ]
        add_frame(system, self.num_chosen, demands)

    def sizes(self) -> Sizes:
        elements = self.source.elements
        sets_by_element = map(set, self.source.sets_by_element())
        shared = max(1, *(len(one & other) for one, other in combinations(sets_by_element, 2)))
        weight = self.degree - 1 + shared + elements * shared
        pegs = len(self.source.sets) + (elements + 1) * weight - self.num_chosen
        return Sizes(pegs, 2, 1 + 2 * elements)

    def is_certificate(self, certificate: Choice) -> bool:
        return self.source.is_exact(certificate)
