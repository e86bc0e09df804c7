"""Reductions of exact cover and of three-dimensional matching.

The README.md of each reduction has its construction and proof.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

from mmsat.errors import Description, Fault, InputError
from mmsat.game import Code, Row
from mmsat.reductions import SizeFormulas, Sizes, index_below, read_items
from mmsat.reductions.equations import Demand, EquationCompiler, EquationsReduction, add_frame
from mmsat.reductions.reduction import NamedRow, Reduction, RowReduction, Source
from mmsat.reductions.samples import (
    PLANTED_BY_DEFAULT,
    Samples,
    draw_cubic_cover,
    draw_matching,
    draw_triple_cover,
)
from mmsat.reductions.sources import Cover, Triples

Choice = tuple[int, ...]
"""The ascending indices, from 0, of the chosen sets or triples."""


class CoverReduction(Reduction[Cover, Choice]):
    """A reduction of exact cover. Certificates are choices of sets."""

    source_kind = "cover"
    expected_certificate = "sets that contain each element once, by ascending indices"

    def read_certificate(self, certificate: object) -> Choice:
        return read_choice(certificate, "sets", len(self.source.sets))

    def is_solution(self, certificate: Choice) -> bool:
        return self.source.is_exact(certificate)


class MatchingReduction(Reduction[Triples, Choice]):
    """A reduction of three-dimensional matching. Certificates are choices of triples."""

    source_kind = "triples"
    expected_certificate = "triples that contain each thing once, by ascending indices"

    def read_certificate(self, certificate: object) -> Choice:
        return read_choice(certificate, "triples", len(self.source.triples))

    def is_solution(self, certificate: Choice) -> bool:
        return self.source.is_matching(certificate)


def read_choice(certificate: object, noun: str, count: int) -> Choice:
    """Return the choice that a certificate states, as indices below `count`, the number of `noun`.

    Raises InputError for objects of another form. The indices stay in the given order, but those of
    a Python set, which has no order, are sorted.
    """
    form = f"a sequence of indices of {noun}, from 0"
    return read_items(certificate, index_below(count), form)


class ChoiceReduction(EquationsReduction[Source, Choice]):
    """The choice of sets of a cover or of triples of a matching, written as equations.

    Each free peg is 1 if its set or triple is chosen.
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
    """Add an equation for each element: exactly one of the sets that contain it is chosen.

    - `noun`: the word for a set.
    - `names`: the name of each element.
    - `holders`: the pegs of the sets that contain each element.
    """
    for name, pegs in zip(names, holders, strict=True):
        listed = ", ".join(str(peg + 1) for peg in pegs) or "nothing"
        system.exactly(1, pegs, name, f"one {noun} of {listed}")


class ExactCover(CoverReduction, ChoiceReduction[Cover]):
    """One or two pegs for each set, and a row for each element."""

    name = "exact-cover"
    title = "exact cover -> two colors"
    theorem = "Mastermind with black pegs only is NP-complete (Goodrich 2009)"
    # s: sets, e: elements
    formula = SizeFormulas(
        "max(1, s) for sets of one size, else 2s",
        "2",
        "1 + e for sets of one size, else 1 + e + s",
    )
    family = "exact cover by random sets of three, 3.35 per element"
    samples = Samples(
        draw_triple_cover, PLANTED_BY_DEFAULT, unit="thirds of the elements", size=20, min_size=2
    )

    def has_sets_of_one_size(self) -> bool:
        """Return whether all sets have the same size, which determines the weight of a solution."""
        return len(set(map(len, self.source.sets))) <= 1

    def write(self, system: EquationCompiler) -> None:
        sets = self.source.sets
        gadgets = [f"set {number}" for number in range(1, len(sets) + 1)]
        pegs = [system.peg(gadget, "it is chosen") for gadget in gadgets]
        if self.has_sets_of_one_size():
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
        if self.has_sets_of_one_size():
            return Sizes(max(1, sets), 2, 1 + elements)
        return Sizes(2 * sets, 2, 1 + elements + sets)


class ThreeDimensionalMatching(MatchingReduction, ChoiceReduction[Triples]):
    """A peg for each triple, and a row for each thing."""

    name = "three-dimensional-matching"
    title = "three-dimensional matching -> two colors"
    theorem = "Mastermind with black pegs only is NP-complete (Goodrich 2009)"
    # t: triples, q: things of each kind
    formula = SizeFormulas("max(1, t)", "2", "1 + 3q")
    family = "three-dimensional matching, 3.35 random triples per thing"
    samples = Samples(
        draw_matching, PLANTED_BY_DEFAULT, unit="things per kind", size=20, min_size=2
    )

    def write(self, system: EquationCompiler) -> None:
        size = self.source.size
        for number, triple in enumerate(self.source.triples, 1):
            system.peg(f"triple {number}", f"{triple} is chosen")
        names = [f"{kind} {thing}" for kind in "xyz" for thing in range(1, size + 1)]
        add_elements(system, "triple", names, self.source.cover().sets_by_element())
        system.weight = size

    def sizes(self) -> Sizes:
        return Sizes(max(1, len(self.source.triples)), 2, 1 + 3 * self.source.size)


KINDS = "xyz"
"""The names of the three kinds of things."""
THING_AND_SWITCH_BY_ROW = ((1, 0), (0, 0), (2, 1), (0, 1))
"""The thing and the switch in each of the four rows of a triple: the index of the kind of the
thing, and the index of the switch (0 for the y switch, 1 for the z switch)."""


class ThreeDimensionalMatchingColors(MatchingReduction, RowReduction[Triples, Choice]):
    """Each thing has the color of the chosen triple that contains it.

    A triple also has two switches, one for its y and one for its z, which are off if it is chosen.
    """

    name = "three-dimensional-matching-colors"
    title = "three-dimensional matching -> a color for each triple, black only"
    theorem = "black-peg Mastermind satisfiability is NP-complete (Goodrich 2009)"
    # T: triples, q: things of each kind
    formula = SizeFormulas("3q + 2T", "T + 3", "3 + 5T")
    family = "three-dimensional matching, a color for each triple"
    samples = Samples(draw_matching, PLANTED_BY_DEFAULT, unit="things per kind", size=6, min_size=2)
    scoring = "black"
    black_suffices = True  # the board is scored with black only

    def rows(self) -> Iterator[NamedRow]:
        # The colors are the triples, then the two states of a switch (off, on), then neutral.
        num_triples = len(self.source.triples)
        pegs, neutral = self.sizes().pegs, num_triples + 2
        switches = set(range(3 * self.source.size, pegs))
        gadgets = [f"triple {number}" for number in range(1, num_triples + 1)]
        yield NamedRow(Row((neutral,) * pegs, (0,)), "neutral", "no peg is neutral")
        for color in range(num_triples + 2):
            allowed = set(self._things(color)) if color < num_triples else switches
            row = Row(tuple(neutral if peg in allowed else color for peg in range(pegs)), (0,))
            if color < num_triples:
                yield NamedRow(row, gadgets[color], f"{gadgets[color]} only on its things")
            else:
                yield NamedRow(
                    row, "switches", f"{('off', 'on')[color - num_triples]} only on switches"
                )
        for (triple, gadget), (kind, switch) in product(
            enumerate(gadgets), THING_AND_SWITCH_BY_ROW
        ):
            guess = [neutral] * pegs
            guess[self._things(triple)[kind]] = triple
            guess[self._switch(triple, switch)] = num_triples + 1
            meaning = f"{KINDS[kind]} has it, or the {KINDS[switch + 1]} switch is on"
            yield NamedRow(Row(tuple(guess), (1,)), gadget, meaning)

    def pegs(self) -> Iterable[tuple[str, str]]:
        things = product(KINDS, range(1, self.source.size + 1))
        switches = product(KINDS[1:], range(1, len(self.source.triples) + 1))
        return [
            *((f"thing {kind}{n}", f"the triple of {kind}{n}") for kind, n in things),
            *((f"triple {n}", f"the {kind} switch of triple {n}") for kind, n in switches),
        ]

    def _things(self, triple: int) -> tuple[int, ...]:
        """Return the pegs of the x, the y and the z of a triple."""
        size = self.source.size
        return tuple(
            kind * size + thing - 1 for kind, thing in enumerate(self.source.triples[triple])
        )

    def _switch(self, triple: int, switch: int) -> int:
        """Return the peg of the y switch (0) or the z switch (1) of a triple."""
        return 3 * self.source.size + switch * len(self.source.triples) + triple

    def sizes(self) -> Sizes:
        num_triples = len(self.source.triples)
        return Sizes(3 * self.source.size + 2 * num_triples, num_triples + 3, 3 + 5 * num_triples)

    def encode_solution(self, certificate: Choice) -> Code:
        num_triples = len(self.source.triples)
        holder = {thing: triple for triple in certificate for thing in self._things(triple)}
        things = (holder[thing] for thing in range(3 * self.source.size))
        chosen = set(certificate)
        switches = [
            num_triples if triple in chosen else num_triples + 1 for triple in range(num_triples)
        ]
        return (*things, *switches, *switches)

    def decode_colors(self, code: Sequence[int]) -> Choice:
        return tuple(sorted(code[: self.source.size]))


class ConsistentExactCover(CoverReduction, ChoiceReduction[Cover]):
    """A board of consistent guesses, whose size is quadratic in that of the cover."""

    name = "consistent-exact-cover"
    title = "regular exact cover -> two colors, every guess consistent with the rows before it"
    theorem = "Consistent Mastermind is NP-complete (de Bondt 2004)"
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
            description = Description(f"sets of {', '.join(map(str, sizes)) or 'no'} elements")
            faults.append(Fault("", description, "sets of one size, 2 or more"))
        elif source.elements % sizes[0]:
            description = Description(f"{source.elements} elements")
            faults.append(
                Fault("the size of the sets", description, f"a multiple of {sizes[0]} elements")
            )
        if len(degrees) != 1:
            description = Description(f"elements in {', '.join(map(str, degrees))} sets")
            faults.append(Fault("", description, "every element in the same number of sets"))
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
        # The maximum number of sets that contain two elements (t in README.md), at least 1.
        shared = max(
            1, *(len(first & second) for first, second in combinations(sets_by_element, 2))
        )
        weight = self.degree - 1 + shared + elements * shared
        pegs = len(self.source.sets) + (elements + 1) * weight - self.num_chosen
        return Sizes(pegs, 2, 1 + 2 * elements)
