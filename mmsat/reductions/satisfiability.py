"""Reductions of satisfiability, and of one-in-k satisfiability, to boards of two colors.

A variable of a formula is a peg p, which is 1 if the variable is true, and usually a second peg q,
which is 1 if the variable is false. The README.md of each reduction has its construction and proof.
"""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, pairwise

from mmsat._util.text import noun_phrase
from mmsat.errors import Description, Fault, InputError
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.reductions import SizeFormulas, Sizes, require_whole
from mmsat.reductions.equations import (
    Demand,
    EquationCompiler,
    EquationsReduction,
    PegRule,
    add_frame,
    add_literals,
)
from mmsat.reductions.samples import (
    CLAUSES_PER_VARIABLE_ONE_IN_THREE,
    Answer,
    Sample,
    Samples,
    draw_cubic_cover,
    draw_one_in_three,
    draw_three_sat,
)
from mmsat.reductions.sources import (
    Assignment,
    Clause,
    Cover,
    Formula,
    spell_assignment,
    spell_clause,
    spell_literal,
)


class FormulaReduction(EquationsReduction[Formula, Assignment]):
    """A reduction of a formula. Certificates are models, and the first pegs are the variables."""

    source_kind = "formula"
    expected_certificate = "a model of the formula"

    def read_certificate(self, certificate: object) -> Assignment:
        return self.source.read_assignment(certificate)

    def decode_colors(self, code: Sequence[int]) -> Assignment:
        return tuple(color == 1 for color in code[: self.source.variables])

    def is_solution(self, certificate: Assignment) -> bool:
        return self.source.is_model(certificate)

    def spell_solution(self, certificate: Assignment) -> str:
        return spell_assignment(certificate)


class OneInReduction(FormulaReduction):
    """A reduction of one-in-k satisfiability.

    Certificates are assignments that make exactly one literal of every clause true.
    """

    expected_certificate = "an assignment that makes exactly one literal of every clause true"

    def is_solution(self, certificate: Assignment) -> bool:
        return self.source.has_one_true(certificate)


class Satisfiability(FormulaReduction):
    """A pair of pegs for each variable, and a counter of true literals for each clause."""

    name = "sat"
    title = "satisfiability -> two colors, as many codes as models"
    theorem = "counting consistent codes is #P-complete (Viglietta 2012)"
    # n: variables; M: clauses of two or more literals, L: their literals; u: shorter clauses
    formula = SizeFormulas("2n + 3L - 4M", "2", "1 + n + 2L - 2M + u")
    family = "3SAT, 4.26 random clauses per variable, or Tseitin parities"
    samples = Samples(draw_three_sat, unit="variables", size=8, min_size=6)

    def write(self, system: EquationCompiler) -> None:
        add_models(system, self.source)

    def sizes(self) -> Sizes:
        lengths = [len(clause) for _, clause in self.source.simplified_clauses()]
        counted_lengths = [length for length in lengths if length > 1]
        pegs = 2 * self.source.variables + 3 * sum(counted_lengths) - 4 * len(counted_lengths)
        rows = 1 + self.source.variables + 2 * sum(counted_lengths) - 2 * len(counted_lengths)
        return Sizes(max(1, pegs), 2, rows + len(lengths) - len(counted_lengths))


def add_models(system: EquationCompiler, formula: Formula) -> None:
    """Add equations whose solutions are the models of a formula, one to one."""
    pegs = add_literals(system, formula.variables)
    for number, clause in formula.simplified_clauses():
        _add_clause(system, f"clause {number}", clause, [pegs[-literal] for literal in clause])


def _add_clause(system: EquationCompiler, gadget: str, clause: Clause, negated: list[int]) -> None:
    """Add equations which require that one of `negated`, the pegs of negated literals, is 0."""
    length = len(clause)
    if length < 2:
        system.exactly(length - 1, negated, gadget, f"1 of {spell_clause(clause)}")
        return
    thresholds = [
        system.peg(gadget, f"at least {i + 1} literals are true", _more_than(i, negated))
        for i in range(1, length)
    ]
    # The false literals and the thresholds that are reached number length - 1 if some literal is
    # true, and length otherwise.
    meaning = (
        f"false literals of {spell_clause(clause)}, and true ones beyond the first: {length - 1}"
    )
    system.exactly(length - 1, [*negated, *thresholds], gadget, meaning)
    not_more = system.complement(thresholds[0], gadget, "fewer than 2 literals are true")
    system.exactly(1, (thresholds[0], not_more), gadget, "at least 2 true literals, or fewer")
    for i, (lower, upper) in enumerate(pairwise(thresholds), 2):
        below = system.complement(lower, gadget, f"fewer than {i} literals are true")
        equal = system.peg(gadget, f"{i} literals are true", _difference(lower, upper))
        system.exactly(1, (lower, below), gadget, f"at least {i} true literals, or fewer")
        meaning = f"{i} true literals, fewer, or more"
        system.exactly(1, (upper, below, equal), gadget, meaning)
    system.weight += length - 1  # 1 for the pair of the first threshold, and 1 for each triple


def _more_than(i: int, negated: Sequence[int]) -> PegRule:
    """Return the function that is 1 if more than `i` literals are true, given their negations."""
    return lambda values: int(len(negated) - sum(values[peg] for peg in negated) > i)


def _difference(lower: int, upper: int) -> PegRule:
    """Return the function that subtracts the values of two pegs."""
    return lambda values: values[lower] - values[upper]


def draw_with_known_code(size: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw a formula for the question whether there is a code in addition to one known code."""
    return draw_three_sat(size, rng, answer)._replace(parameters={"k": 1})


class AnotherSolution(FormulaReduction):
    """The board of a formula that is extended by k models, whose codes are known."""

    name = "another-solution"
    title = "satisfiability -> another code besides k known ones"
    theorem = (
        "another code besides k known ones is NP-complete, for every k, and Mastermind "
        "ASP-complete (Viglietta 2012 for uniqueness; ours for k known codes, after Yato and Seta "
        "2003)"
    )
    parameters = ("k",)
    # n: variables, M: clauses, L: their literals, e: empty clauses
    formula = SizeFormulas("4n + 3L - M + e + 6k + k^2 + 1", "2", "2 + 3n + 4k + k^2 + 2L + e")
    family = "3SAT and one known code: is there another?"
    samples = Samples(draw_with_known_code, unit="variables", size=6, min_size=6)

    def __init__(self, source: Formula, *, k: int) -> None:
        super().__init__(source, k=k)
        self.k = require_whole("k", k, 1)

    @cached_property
    def extension(self) -> Formula:
        """The formula with k additional models.

        The new variables are z and k variables w. In the additional models, z, all variables of the
        source, and one w are true. In all other models, z and every w are false.
        """
        variables = self.source.variables
        z = variables + 1
        ws = range(z + 1, z + 1 + self.k)
        clauses = [
            *((*clause, z) for clause in self.source.clauses),
            *((x, -z) for x in range(1, z)),
            *((-w, z) for w in ws),
            (-z, *ws),
            *((-a, -b) for a, b in combinations(ws, 2)),
        ]
        return Formula(variables + 1 + self.k, tuple(clauses))

    @property
    def known_codes(self) -> tuple[Code, ...]:
        """The codes of the k additional models."""
        numbers = range(self.k)
        true = (True,) * (self.source.variables + 1)
        return tuple(
            self.equations.code([*true, *(number == j for number in numbers)]) for j in numbers
        )

    def build(self) -> Board:
        return replace(super().build(), known=self.known_codes)

    def write(self, system: EquationCompiler) -> None:
        add_models(system, self.extension)

    def sizes(self) -> Sizes:
        lengths = [len(clause) for _, clause in self.source.simplified_clauses()]
        n, k, literals = self.source.variables, self.k, sum(lengths)
        clauses, empty = len(lengths), lengths.count(0)
        pegs = 4 * n + 3 * literals - clauses + empty + 6 * k + k * k + 1
        return Sizes(pegs, 2, 2 + 3 * n + 4 * k + k * k + 2 * literals + empty)

    def bits(self, certificate: Assignment) -> Iterable[int]:
        return (*certificate, *(False,) * (self.k + 1))


def draw_any_formula(size: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw a formula with or without a model. The board has a code in both cases.

    The code of the additional model is the witness.
    """
    del answer
    return draw_three_sat(size, rng, Answer.ANY)


class CertainPeg(FormulaReduction):
    """The board of a formula with an additional model, whose code alone has color 2 at `peg`."""

    name = "certain-peg"
    title = "unsatisfiability -> a peg that has the same color in every code"
    theorem = (
        "whether a peg is certain is coNP-complete, even if a code is known (a corollary of "
        "Viglietta 2012 and of Yato and Seta 2003)"
    )
    # n: variables, M: clauses, L: their literals, e: empty clauses
    formula = SizeFormulas("4n + 3L - M + e + 2", "2", "2 + 3n + 2L + e")
    family = "3SAT and a peg: is it the same in every code?"
    samples = Samples(draw_any_formula, (Answer.CONSISTENT,), unit="variables", size=4, min_size=3)

    @property
    def peg(self) -> int:
        """The peg, from 0, that has color 2 in all codes if and only if the source has no model."""
        return self.source.variables

    @property
    def question(self) -> str:
        question = f"Does peg {self.peg + 1} have color 2 in every consistent code?"
        return f"{question} It does if and only if the formula has no model."

    @cached_property
    def extension(self) -> Formula:
        """The formula with one additional model, in which z and all variables are true.

        In all other models, the new variable z is false.
        """
        z = self.source.variables + 1
        clauses = [
            *((*clause, z) for clause in self.source.clauses),
            *((x, -z) for x in range(1, z)),
        ]
        return Formula(z, tuple(clauses))

    @property
    def known(self) -> tuple[Code, ...]:
        return (self.equations.code((True,) * (self.source.variables + 1)),)

    def write(self, system: EquationCompiler) -> None:
        add_models(system, self.extension)

    def sizes(self) -> Sizes:
        lengths = [len(clause) for _, clause in self.source.simplified_clauses()]
        n, literals, empty = self.source.variables, sum(lengths), lengths.count(0)
        pegs = 4 * n + 3 * literals - len(lengths) + empty + 2
        return Sizes(pegs, 2, 2 + 3 * n + 2 * literals + empty)

    def bits(self, certificate: Assignment) -> Iterable[int]:
        return (*certificate, False)

    def decode_colors(self, code: Sequence[int]) -> Assignment:
        """Return the model of a code. Raises InputError for the code of the additional model."""
        if code[self.peg]:
            description = Description("the code that exists for every formula")
            raise InputError.of("the code", "the code of a model", description)
        return super().decode_colors(code)


MAX_NOTED_CLAUSES = 3
"""Maximum number of clauses that a note names."""


class OneInThree3Sat(OneInReduction):
    """A pair of pegs for each variable, and a row for each clause."""

    name = "one-in-three-3sat"
    title = "one-in-three 3SAT -> two colors"
    theorem = "Mastermind satisfiability is NP-complete (de Bondt 2004)"
    # n: variables, m: clauses, r: clauses that become two rows (see `split_clause`)
    formula = SizeFormulas("2n", "2", "1 + n + m + r")
    family = "one-in-three 3SAT, positive, 0.626 clauses per variable"
    samples = Samples(
        lambda size, rng, answer: draw_one_in_three(
            size, int(CLAUSES_PER_VARIABLE_ONE_IN_THREE * size + Fraction(1, 2)), rng, answer
        ),
        unit="variables",
        size=40,
        min_size=6,
    )

    @property
    def note(self) -> str:
        numbers = [i for i, clause in enumerate(self.source.clauses, 1) if len(clause) != 3]
        if not numbers:
            return ""
        return (
            f"{noun_phrase('Clause', numbers[:MAX_NOTED_CLAUSES])}"
            f"{' and others' if len(numbers) > MAX_NOTED_CLAUSES else ''} "
            f"{'does' if len(numbers) == 1 else 'do'} not have three literals. Exactly one literal "
            "of each clause must be true. The reduction sat is for ordinary clauses."
        )

    def write(self, system: EquationCompiler) -> None:
        pegs = add_literals(system, self.source.variables)
        for number, clause in enumerate(self.source.clauses, 1):
            for ones, literals in split_clause(clause):
                meaning = f"{ones or 'none'} of {spell_clause(literals)}"
                pegs_of = [pegs[literal] for literal in literals]
                system.exactly(ones, pegs_of, f"clause {number}", meaning)

    def sizes(self) -> Sizes:
        variables = self.source.variables
        rows = sum(len(split_clause(clause)) for clause in self.source.clauses)
        return Sizes(max(1, 2 * variables), 2, 1 + variables + rows)


def split_clause(clause: Clause) -> list[tuple[int, Clause]]:
    """Split "exactly one of these literals is true" into one or two sums of distinct literals.

    Each sum is the number of its true literals, followed by its literals. One literal of a pair x
    and -x is always true, so the pair is removed and the number reduced by 1. A literal that
    repeats must be false. If the number is less than 1, all literals must be false, or there is no
    solution.
    """
    multiplicity = Counter(clause)
    num_pairs_of = {x: min(multiplicity[x], multiplicity[-x]) for x in set(map(abs, clause))}
    multiplicity.subtract(
        {sign * x: count for x, count in num_pairs_of.items() for sign in (1, -1)}
    )
    ones = 1 - sum(num_pairs_of.values())
    unpaired = [literal for literal in multiplicity if multiplicity[literal]]
    if ones < 1:
        return [(ones, tuple(unpaired))]
    repeated = tuple(literal for literal in unpaired if multiplicity[literal] > 1)
    single = tuple(literal for literal in unpaired if multiplicity[literal] == 1)
    return [(0, repeated), (1, single)] if repeated else [(1, single)]


def draw_regular(size: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw a cubic cover, and convert it: its sets become variables, and its elements clauses."""
    sample = draw_cubic_cover(size, rng, answer)
    cover: Cover = sample.source
    clauses = tuple(tuple(index + 1 for index in indices) for indices in cover.sets_by_element())
    assignment = None
    if sample.certificate is not None:
        assignment = tuple(index in sample.certificate for index in range(len(cover.sets)))
    return sample._replace(source=Formula(len(cover.sets), clauses), certificate=assignment)


class RegularOneInK(OneInReduction):
    """A peg for each variable, and a row for each clause."""

    name = "regular-one-in-k"
    title = "regular positive one-in-k satisfiability -> two colors"
    theorem = "Mastermind satisfiability is NP-complete (de Bondt 2004)"
    # n: variables, m: clauses
    formula = SizeFormulas("n", "2", "1 + m")
    family = "cubic one-in-three: every variable in three clauses of three"
    samples = Samples(draw_regular, unit="thirds of the variables", size=12, min_size=3)

    def __init__(self, source: Formula) -> None:
        super().__init__(source)
        faults = [
            Fault("", clause, "no negations and no repeats", part=f"clause {number}")
            for number, clause in enumerate(source.clauses, 1)
            if min(clause, default=1) < 1 or len(set(clause)) < len(clause)
        ]
        occurrences = [0] * source.variables
        for literal in (literal for clause in source.clauses for literal in clause):
            occurrences[abs(literal) - 1] += 1
        self.clauses_per_variable = max(occurrences, default=0)
        rule = "use one-in-three-3sat for other formulas"
        expected = "every variable in the same number of clauses, at least 1"
        if not self.clauses_per_variable or not min(occurrences):
            description = f"x{occurrences.index(0) + 1} in none" if occurrences else "no variables"
            faults.append(Fault(rule, Description(description), expected))
        elif min(occurrences) < self.clauses_per_variable:
            rare, frequent = (
                occurrences.index(number) + 1
                for number in (min(occurrences), self.clauses_per_variable)
            )
            description = (
                f"x{rare} in {min(occurrences)}, x{frequent} in {self.clauses_per_variable}"
            )
            faults.append(Fault(rule, Description(description), expected))
        InputError.refuse(faults, "the formula")

    def write(self, system: EquationCompiler) -> None:
        for x in range(1, self.source.variables + 1):
            system.peg(f"variable {x}", f"{spell_literal(x)} is true")
        for number, clause in enumerate(self.source.clauses, 1):
            pegs = [x - 1 for x in clause]
            system.exactly(1, pegs, f"clause {number}", f"1 of {spell_clause(clause)}")
        system.weight = len(self.source.clauses) // self.clauses_per_variable

    def sizes(self) -> Sizes:
        return Sizes(self.source.variables, 2, 1 + len(self.source.clauses))


THREE_VARIABLES = "three literals of different variables, such as 1 -2 3"
"""The expected form of a clause, for error messages."""


class ConsistentMastermind(OneInReduction):
    """A board of consistent guesses, with a size that is quadratic in the formula."""

    name = "consistent-mastermind"
    title = "one-in-three 3SAT -> two colors, every guess consistent with the rows before it"
    theorem = "Consistent Mastermind is NP-complete (de Bondt 2004)"
    # n: variables, m: clauses, h: demands (see `mmsat.reductions.equations`)
    formula = SizeFormulas(
        "n + 2h^2 + 6h + 4, h = m + (n for odd n, 6 for n = 4, 2n for even n >= 6)", "2", "1 + 2h"
    )
    family = "one-in-three 3SAT, 0.7 clauses per variable, every guess consistent"
    samples = Samples(
        lambda size, rng, answer: draw_one_in_three(size, (7 * size + 5) // 10, rng, answer),
        unit="variables",
        size=7,
        min_size=6,
    )

    def __init__(self, source: Formula) -> None:
        super().__init__(source)
        faults = [
            Fault("", clause, THREE_VARIABLES, part=f"clause {number}")
            for number, clause in enumerate(source.clauses, 1)
            if len(clause) != 3 or len({abs(literal) for literal in clause}) != 3
        ]
        if source.variables < 3:
            faults.append(Fault("", source.variables, "3 or more variables"))
        InputError.refuse(faults, "the formula")
        distinct_clauses: dict[frozenset[int], Clause] = {}
        for clause in source.clauses:
            distinct_clauses.setdefault(frozenset(clause), clause)
        self.clauses = tuple(distinct_clauses.values())
        """The clauses; if some differ only in the order of their literals, only the first one."""

    def write(self, system: EquationCompiler) -> None:
        num_variables = self.source.variables
        for x in range(1, num_variables + 1):
            system.peg(f"variable {x}", f"x{x} is true")
        for x in range(1, num_variables + 1):
            system.complement(x - 1, f"variable {x}", f"x{x} is false")
        demands = [
            Demand(
                (first, num_variables + first, second, num_variables + second),
                2,
                f"pair {first + 1}-{second + 1}",
                f"two of x{first + 1}, -x{first + 1}, x{second + 1}, -x{second + 1}",
            )
            for first, second in pair_edges(num_variables)
        ]
        for n, clause in enumerate(self.clauses, 1):
            pegs = (
                literal - 1 if literal > 0 else num_variables - literal - 1 for literal in clause
            )
            demands.append(Demand(tuple(pegs), 1, f"clause {n}", f"one of {spell_clause(clause)}"))
        add_frame(system, num_variables, demands)

    def sizes(self) -> Sizes:
        num_variables = self.source.variables
        demands = (
            num_variables if num_variables % 2 else 6 if num_variables == 4 else 2 * num_variables
        ) + len(self.clauses)
        return Sizes(num_variables + 2 * demands**2 + 6 * demands + 4, 2, 1 + 2 * demands)


def pair_edges(num_nodes: int) -> list[tuple[int, int]]:
    """Return the edges of a regular, connected graph on 3 or more nodes that is not bipartite."""
    if num_nodes == 4:
        return list(combinations(range(4), 2))
    steps = (1,) if num_nodes % 2 else (1, 2)
    return [(node, (node + step) % num_nodes) for step in steps for node in range(num_nodes)]
