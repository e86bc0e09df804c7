"""Transformations of formulas at the start of chains, which add variables with definitions.

The target has the variables of the source, then new variables. Each of these is a function of the
variables before it, so the solutions correspond one to one.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property

from mmsat.errors import Fault, InputError
from mmsat.reductions.reduction import Link
from mmsat.reductions.sources import Assignment, Clause, Formula, spell_assignment

Truth = Callable[[int], bool]
"""Function that returns whether a literal is true."""
Definition = Callable[[Truth], bool]
"""Function that returns the value of a variable, given the values before it."""


class FormulaBuilder:
    """A formula under construction, and the definitions of its new variables."""

    def __init__(self, variables: int) -> None:
        """Start with the variables of the source and without clauses."""
        self.variables = variables
        self.clauses: list[Clause] = []
        self.definitions: list[Definition] = []

    def variable(self, definition: Definition) -> int:
        """Add a variable and return its number."""
        self.definitions.append(definition)
        return self.variables + len(self.definitions)

    def clause(self, *literals: int) -> None:
        """Add a clause."""
        self.clauses.append(literals)

    def formula(self) -> Formula:
        """Return the formula with all variables and clauses."""
        return Formula(self.variables + len(self.definitions), tuple(self.clauses))

    def assignment(self, values: Sequence[bool]) -> Assignment:
        """Extend values of the source's variables to all variables."""
        all_values = list(values)

        def is_true(literal: int) -> bool:
            return all_values[abs(literal) - 1] == (literal > 0)

        for definition in self.definitions:
            # A definition reads the values before it, so this cannot be a comprehension.
            all_values.append(definition(is_true))  # noqa: PERF401
        return tuple(all_values)


class FormulaLink(Link[Formula, Assignment]):
    """A formula with new variables after the variables of the source, and as many solutions."""

    source_kind = target_kind = "formula"

    @abstractmethod
    def write(self, builder: FormulaBuilder) -> None:
        """Add the variables and clauses of the target."""

    @cached_property
    def builder(self) -> FormulaBuilder:
        """The target with the definitions of its new variables, built once."""
        builder = FormulaBuilder(self.source.variables)
        self.write(builder)
        return builder

    @cached_property
    def target(self) -> Formula:
        return self.builder.formula()

    def encode(self, certificate: Assignment) -> Assignment:
        return self.builder.assignment(certificate)

    def decode(self, certificate: Sequence[bool]) -> Assignment:
        return tuple(certificate[: self.source.variables])

    def is_certificate(self, certificate: Assignment) -> bool:
        return self.source.is_model(certificate)

    @abstractmethod
    def is_target_certificate(self, certificate: Assignment) -> bool:
        """Return whether this is a certificate of the target."""

    def spell(self, certificate: Assignment) -> str:
        return spell_assignment(certificate)


class ThreeSat(FormulaLink):
    """Satisfiability -> 3SAT: clauses of at most three literals, and as many models.

    A clause of k literals, k above 3, gets the variables o(1) to o(k-3), where o(i) is "one of the
    first i + 1 literals is true":

        o(1) = l(1) or l(2)        o(i) = o(i-1) or l(i+1)        o(k-3) or l(k-1) or l(k)

    Each equation is three clauses of at most three literals: k - 3 variables and 3(k - 3) + 1
    clauses. Repeated literals are removed first, and clauses with a literal and its negation are
    omitted. Proof. The equations determine all o(i), and the last clause requires that one of the k
    literals is true. (Karp's construction has fewer clauses and another number of models.)
    """

    name = "three-sat"
    title = "satisfiability -> 3SAT, as many models"
    theorem = "3SAT is NP-complete (Karp 1972)"

    def write(self, builder: FormulaBuilder) -> None:
        for _, clause in self.source.simplified_clauses():
            prefix, remaining = clause[:1], clause[1:]
            while len(remaining) > 2:
                previous, literal = prefix[0], remaining[0]
                accumulated = builder.variable(_disjunction(previous, literal))
                builder.clause(-previous, accumulated)
                builder.clause(-literal, accumulated)
                builder.clause(previous, literal, -accumulated)
                prefix, remaining = (accumulated,), remaining[1:]
            builder.clause(*prefix, *remaining)

    def is_target_certificate(self, certificate: Assignment) -> bool:
        return self.target.is_model(certificate)


def _disjunction(a: int, b: int) -> Definition:
    return lambda is_true: is_true(a) or is_true(b)


class OneInThree(FormulaLink):
    """3SAT -> one-in-three 3SAT: exactly one true literal per clause, and as many solutions.

    Clauses of the source have at most three different literals. R(a, b, c) denotes a clause of the
    target, "exactly one of these"; each has three different variables.

        x or y or z     R(x, p, q), R(y, p, r), R(q, r, t), R(p, -z, s)     with p, q, r, s, t new
        x or y          R(-x, -y, s)                                        with s new
        x               R(-x, a, b), R(-x, -a, -b), R(x, a, -b)             with a, b new
        empty           these three for a new x, and R(-x, a, -b)           with x, a, b new

    Proof. Three literals: let X be 1 - x, and so on. The first two clauses mean p + q = X and
    p + r = Y, and the third means that q and r are not both 1. If X = Y = 1, then p = 0 would make
    q = r = 1, so p = 1. If X or Y is 0, then p = 0. In all cases, p is "X and Y", which determines
    q, r and t. The fourth clause means that p and Z are not both 1, and determines s. Two literals:
    X and Y are not both 1, which determines s. One literal: the first two clauses sum to
    2X + 2 = 2, so x = 1 and a + b = 1; the third then makes a = 0 and b = 1. Empty clause: with
    these values, the fourth clause has no true literal.

    Sizes: a clause of three literals adds 5 variables and 4 clauses; of two literals, 1 and 1; of
    one literal, 2 and 3; an empty clause adds 3 and 4. Clauses with a literal and its negation are
    omitted. A target with fewer than three variables is padded, because some reductions need three
    variables: a new variable is asserted, which adds 3 variables and 3 clauses.
    The construction is new in this project, and preserves the number of solutions.
    """

    name = "one-in-three"
    title = "3SAT -> one-in-three 3SAT, as many solutions"
    theorem = "one-in-three 3SAT is NP-complete (Schaefer 1978)"

    def __init__(self, source: Formula) -> None:
        super().__init__(source)
        rule = "use the link three-sat before this one"
        faults = [
            Fault(rule, clause, "at most three literals", part=f"clause {number}")
            for number, clause in enumerate(source.clauses, 1)
            if len(set(clause)) > 3 and not any(-literal in clause for literal in clause)
        ]
        InputError.refuse(faults, "the formula")

    def write(self, builder: FormulaBuilder) -> None:
        for _, clause in self.source.simplified_clauses():
            if len(clause) == 3:
                _assert_clause(builder, *clause)
            elif len(clause) == 2:
                builder.clause(-clause[0], -clause[1], builder.variable(_conjunction(*clause)))
            elif clause:
                _assert_true(builder, clause[0])
            else:
                x = builder.variable(_false)
                a, b = _assert_true(builder, x)
                builder.clause(-x, a, -b)
        if builder.variables + len(builder.definitions) < 3:
            _assert_true(builder, builder.variable(_true))

    def is_target_certificate(self, certificate: Assignment) -> bool:
        return self.target.has_one_true(certificate)


def _assert_clause(builder: FormulaBuilder, x: int, y: int, z: int) -> None:
    """Assert x or y or z."""
    p = builder.variable(_conjunction(-x, -y))
    q = builder.variable(_conjunction(-x, y))
    r = builder.variable(_conjunction(x, -y))
    t = builder.variable(_conjunction(-q, -r))
    s = builder.variable(_conjunction(-p, z))
    builder.clause(x, p, q)
    builder.clause(y, p, r)
    builder.clause(q, r, t)
    builder.clause(p, -z, s)


def _assert_true(builder: FormulaBuilder, x: int) -> tuple[int, int]:
    """Assert x, and return a false variable and a true variable."""
    a = builder.variable(_false)
    b = builder.variable(_true)
    builder.clause(-x, a, b)
    builder.clause(-x, -a, -b)
    builder.clause(x, a, -b)
    return a, b


def _conjunction(a: int, b: int) -> Definition:
    return lambda is_true: is_true(a) and is_true(b)


def _false(_: object) -> bool:
    return False


def _true(_: object) -> bool:
    return True


LINKS: dict[str, type[FormulaLink]] = {link.name: link for link in (OneInThree, ThreeSat)}
"""The transformations by name."""
