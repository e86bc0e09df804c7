"""The state of presolve: constraints with the rows that imply them, and domains.

Conclusions about the colors of pegs and about counts are stored in `domains`. The constraints that
imply them stay unchanged, so that the proofs of later steps can add up the equations of the board.
Known literals are substituted into the constraints only at the end (`reduce`), which removes most
constraints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

from mmsat.constraints.presolve.domains import Domains, ReasonedConstraint
from mmsat.constraints.presolve.literal_equations import LiteralEquations
from mmsat.constraints.system import SoftRow, System
from mmsat.game import Code
from mmsat.game.space import CardinalityConstraint, Literal, VariableMap

OrbitSize = Callable[[Code], int]
"""A function that returns the number of codes, including itself, that a code represents after a
symmetry step."""


@dataclass(frozen=True, eq=False)
class Problem:
    """A system during presolve. Problems are immutable; steps return new ones."""

    system: System
    """The original system."""
    domains: Domains
    game: tuple[CardinalityConstraint, ...]
    """The constraints that follow from the game alone."""
    rows: tuple[tuple[ReasonedConstraint, ...], ...]
    """The current constraints of each row of the board."""
    symmetry_breaking: tuple[CardinalityConstraint, ...] = ()
    """Constraints that keep only one or some codes of each orbit."""
    orbit_sizes: tuple[OrbitSize, ...] = ()
    """The functions for orbit sizes, one for each broken symmetry."""
    cached_equations: LiteralEquations | None = None
    """The constraints as equations, if a step has already computed them."""

    @classmethod
    def of(cls, system: System) -> Problem:
        """Return the initial problem of a system, with full domains."""
        rows = tuple(
            tuple(ReasonedConstraint(constraint, 1 << row) for constraint in constraints)
            for row, constraints in enumerate(system.rows)
        )
        return cls(system, Domains.full(system.variables), system.hard, rows)

    @property
    def variables(self) -> VariableMap:
        """The numbering of the literals."""
        return self.system.variables

    def reasoned_constraints(self) -> Iterator[ReasonedConstraint]:
        """Yield all constraints with their reasons; those without rows come first."""
        for constraint in (*self.game, *self.symmetry_breaking):
            yield ReasonedConstraint(constraint, 0)
        for row in self.rows:
            yield from row

    @cached_property
    def equations(self) -> LiteralEquations:
        """The constraints that are equations."""
        return self.cached_equations or LiteralEquations(self.domains, self.game, self.rows)

    def with_domains(self, domains: Domains) -> Problem:
        """Return the problem with other domains."""
        return replace(self, domains=domains, cached_equations=None)

    @property
    def symmetric_constraints(self) -> list[CardinalityConstraint]:
        """The constraints that a symmetry must preserve: of the system, and of broken symmetries.

        The other constraints and the domains follow from these. Reasons are preserved, too: a
        symmetry found by these constraints is a symmetry of each row.
        """
        return [*self.system.constraints, *self.symmetry_breaking]

    def break_symmetry(
        self, constraints: Iterable[CardinalityConstraint], orbit_size: OrbitSize
    ) -> Problem:
        """Return the problem with constraints that only some codes of each orbit satisfy.

        `orbit_size` returns the number of codes that a remaining code represents.
        """
        return replace(
            self,
            symmetry_breaking=(*self.symmetry_breaking, *constraints),
            orbit_sizes=(*self.orbit_sizes, orbit_size),
            cached_equations=None,
        )

    def orbit_size(self, code: Code) -> int:
        """Return the number of codes of the original system that a remaining code represents."""
        return prod([orbit_size(code) for orbit_size in self.orbit_sizes])

    def reduce(self) -> System:
        """Return the reduced system, which the codes of this problem satisfy.

        Known literals are substituted into all constraints. Hard constraints state the domains.
        """
        rows = tuple(
            tuple(
                constraint
                for reasoned in row
                if (constraint := substitute(reasoned.constraint, self.domains)) is not None
            )
            for row in self.rows
        )
        constraints = (*self.game, *self.symmetry_breaking)
        game = [
            reduced
            for constraint in constraints
            if (reduced := substitute(constraint, self.domains)) is not None
        ]
        reduced_constraints = [*game, *(constraint for row in rows for constraint in row)]
        hard = (*domain_constraints(self, reduced_constraints), *game)
        table = self.system.table
        if table is not None:
            table = tuple(code for code in table if self.domains.allows(code))
        return System(self.variables, hard, tuple(map(SoftRow, rows)), table)


@dataclass(frozen=True, slots=True)
class Change:
    """The result of a presolve step that did not refute the problem."""

    problem: Problem
    text: str = ""
    """A description of the changes in one line; empty if nothing changed."""


def substitute(constraint: CardinalityConstraint, domains: Domains) -> CardinalityConstraint | None:
    """Return a constraint without its known literals, or None if it is always satisfied.

    The literals of a constraint must be distinct. Therefore the constraint is returned unchanged if
    conjunctions would become equal.
    """
    open_literals: list[Literal] = []
    true_count = 0
    for literal in constraint.literals:
        if isinstance(literal, tuple):
            members = [member for member in literal if not domains.value(member)]
            if any(domains.value(member) is False for member in members):
                continue
            if members:
                open_literals.append(tuple(members) if len(members) > 1 else members[0])
            else:
                true_count += 1
            continue
        match domains.value(literal):
            case None:
                open_literals.append(literal)
            case value:
                true_count += value
    low, high = constraint.low - true_count, constraint.high - true_count
    if low <= 0 and high >= len(open_literals):
        return None
    unsigned = [abs(literal) if isinstance(literal, int) else literal for literal in open_literals]
    if len(unsigned) != len(set(unsigned)):
        return constraint
    return CardinalityConstraint(tuple(open_literals), low, high)


def domain_constraints(
    problem: Problem, other_constraints: Iterable[CardinalityConstraint]
) -> Iterator[CardinalityConstraint]:
    """Yield constraints for the domains: first of the pegs, then of the counts of colors.

    `other_constraints` are the other constraints of the reduced system. A count that is known
    exactly is stated as a sum of `at` literals, so that solvers need no counter for `least`
    literals. Other bounds of a count are stated only if they decide a `least` literal of the
    original system. They are stated as `least` literals if the other constraints have such literals
    of the color, so that a counter exists anyway, and otherwise as a sum. If all counts are known,
    the last sum is omitted, because it follows from the others.
    """
    variables, domains = problem.variables, problem.domains
    known_literals = tuple(domains.literals())
    if known_literals:
        yield CardinalityConstraint(known_literals, len(known_literals), len(known_literals))
    counts_by_color: dict[int, set[int]] = {}
    for color, count in mentioned_counts(variables, problem.system.constraints):
        counts_by_color.setdefault(color, set()).add(count)
    counted_colors = {color for color, _ in mentioned_counts(variables, other_constraints)}
    sums = []
    for color in range(variables.colors):
        min_count, max_count = domains.low[color], domains.high[color]
        bit = 1 << color
        pegs = [peg for peg, colors in enumerate(domains.domain) if colors & bit and colors != bit]
        true_count = sum(colors == bit for colors in domains.domain)
        decided_literals = []
        if decided_low := max(
            (count for count in counts_by_color.get(color, ()) if true_count < count <= min_count),
            default=0,
        ):
            decided_literals.append(variables.least(color, decided_low))
        if decided_high := min(
            (
                count
                for count in counts_by_color.get(color, ())
                if max_count < count <= true_count + len(pegs)
            ),
            default=0,
        ):
            decided_literals.append(-variables.least(color, decided_high))
        if not pegs or not (decided_literals or min_count == max_count):
            continue
        if min_count < max_count and color in counted_colors:
            yield CardinalityConstraint(
                tuple(decided_literals), len(decided_literals), len(decided_literals)
            )
        else:
            sums.append(
                CardinalityConstraint(
                    tuple(variables.at(peg, color) for peg in pegs),
                    min_count - true_count,
                    max_count - true_count,
                )
            )
    are_all_known = all(map(int.__eq__, domains.low, domains.high))
    yield from sums[:-1] if are_all_known else sums


def mentioned_counts(
    variables: VariableMap, constraints: Iterable[CardinalityConstraint]
) -> Iterator[tuple[int, int]]:
    """Yield the color and the count of each `least` literal, including those in conjunctions."""
    last_at_literal = variables.pegs * variables.colors
    for constraint in constraints:
        for literal in constraint.literals:
            if isinstance(literal, tuple):
                yield from (
                    variables.color_count(member)
                    for member in literal
                    if abs(member) > last_at_literal
                )
            elif abs(literal) > last_at_literal:
                yield variables.color_count(literal)
