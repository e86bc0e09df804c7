"""The state of presolve: constraints with the rows that imply them, and domains.

The steps store their conclusions in `domains`. The constraints that imply these conclusions are not
changed, so that the proofs of later steps can add up the equations of the board. Known literals are
substituted into the constraints only at the end (`reduce`), which removes most constraints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

from mmsat.constraints.presolve.domains import Domains, ReasonedConstraint
from mmsat.constraints.presolve.literal_equations import LiteralEquations
from mmsat.constraints.system import SoftConstraint, System
from mmsat.game.row import Code
from mmsat.game.space import CardinalityConstraint, Literal, VariableMap

OrbitSize = Callable[[Code], int]
"""A function that returns how many codes a code represents after a symmetry step, with itself."""


@dataclass(frozen=True, eq=False)
class Problem:
    """A system during presolve. Problems are immutable; steps return new ones."""

    system: System
    """The original system."""
    domains: Domains
    game: tuple[CardinalityConstraint, ...]
    """The constraints that follow from the game alone."""
    rows: tuple[tuple[ReasonedConstraint, ...], ...]
    """The constraints that replace those of each row of the board, by row."""
    symmetry_breaking: tuple[CardinalityConstraint, ...] = ()
    """Constraints that exclude all but some codes of each orbit."""
    orbit_sizes: tuple[OrbitSize, ...] = ()
    """The functions for the sizes of orbits, one for each symmetry that was broken."""
    cached_equations: LiteralEquations | None = None
    """The constraints as equations, if a step has computed them already."""

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
        """Yield all constraints with their rows; those of the game come first, without rows."""
        for constraint in (*self.game, *self.symmetry_breaking):
            yield ReasonedConstraint(constraint, 0)
        for row in self.rows:
            yield from row

    @cached_property
    def equations(self) -> LiteralEquations:
        """The constraints that are equations, computed on first use."""
        return self.cached_equations or LiteralEquations(self.domains, self.game, self.rows)

    def with_domains(self, domains: Domains) -> Problem:
        """Return the problem with other domains."""
        return replace(self, domains=domains, cached_equations=None)

    @property
    def symmetric(self) -> list[CardinalityConstraint]:
        """The constraints that a symmetry must preserve: those of the system, and of symmetries.

        All other constraints and the domains follow from these. A reason consists of some rows and
        the symmetry-breaking constraints; it is preserved, too, because a symmetry of the board is
        a symmetry of each row.
        """
        return [*self.system.constraints, *self.symmetry_breaking]

    def break_symmetry(
        self, constraints: Iterable[CardinalityConstraint], orbit_size: OrbitSize
    ) -> Problem:
        """Add constraints that only some codes of each orbit satisfy.

        `orbit_size` returns the number of codes that a remaining code represents.
        """
        return replace(
            self,
            symmetry_breaking=(*self.symmetry_breaking, *constraints),
            orbit_sizes=(*self.orbit_sizes, orbit_size),
            cached_equations=None,
        )

    def orbit_size(self, code: Code) -> int:
        """Return how many codes of the original system a remaining code represents."""
        return prod([orbit_size(code) for orbit_size in self.orbit_sizes])

    def reduce(self) -> System:
        """Return the reduced system, which has the codes of this problem.

        Known literals are substituted into all constraints. The domains are stated once, as hard
        constraints.
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
            c
            for constraint in constraints
            if (c := substitute(constraint, self.domains)) is not None
        ]
        reduced_constraints = [*game, *(constraint for row in rows for constraint in row)]
        hard = (*domain_constraints(self, reduced_constraints), *game)
        table = self.system.table
        if table is not None:
            table = tuple(code for code in table if self.domains.allows(code))
        return System(self.variables, hard, tuple(map(SoftConstraint, rows)), table)


@dataclass(frozen=True, slots=True)
class Change:
    """The result of a presolve step that did not refute the problem."""

    problem: Problem
    text: str = ""
    """A description of the changes in one line; empty if there are none."""


def substitute(constraint: CardinalityConstraint, domains: Domains) -> CardinalityConstraint | None:
    """Return a constraint without its known literals, or None if it is always satisfied.

    If conjunctions become equal, return the constraint unchanged, because literals are distinct.
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
    if len(unsigned) != len(set(unsigned)):  # conjunctions that became equal
        return constraint
    return CardinalityConstraint(tuple(open_literals), low, high)


def domain_constraints(
    problem: Problem, left: Iterable[CardinalityConstraint]
) -> Iterator[CardinalityConstraint]:
    """Yield constraints for the domains: first of the pegs, then of the counts of colors.

    `left` are the other constraints of the reduced system. A count that is known exactly is stated
    as a sum over `at` literals, so solvers need no counter for `least` literals. Other bounds of a
    count are stated only if they decide a `least` literal of the original system. They are stated
    as literals if `left` has `least` literals of the color (then there is a counter anyway), and as
    a sum otherwise. If all counts are known, the last sum is omitted, because it follows from the
    others.
    """
    variables, domains = problem.variables, problem.domains
    known_literals = tuple(domains.literals())
    if known_literals:
        yield CardinalityConstraint(known_literals, len(known_literals), len(known_literals))
    counts_by_color: dict[int, set[int]] = {}
    for color, count in asked_counts(variables, problem.system.constraints):
        counts_by_color.setdefault(color, set()).add(count)
    counted = {color for color, _ in asked_counts(variables, left)}
    sums = []
    for color in range(variables.colors):
        low_count, max_count = domains.low[color], domains.high[color]
        bit = 1 << color
        pegs = [peg for peg, colors in enumerate(domains.domain) if colors & bit and colors != bit]
        true_count = sum(colors == bit for colors in domains.domain)
        decided_literals = []
        if decided_low := max(
            (c for c in counts_by_color.get(color, ()) if true_count < c <= low_count), default=0
        ):
            decided_literals.append(variables.least(color, decided_low))
        if decided_high := min(
            (c for c in counts_by_color.get(color, ()) if max_count < c <= true_count + len(pegs)),
            default=0,
        ):
            decided_literals.append(-variables.least(color, decided_high))
        if not pegs or not (decided_literals or low_count == max_count):
            continue
        if low_count < max_count and color in counted:
            yield CardinalityConstraint(
                tuple(decided_literals), len(decided_literals), len(decided_literals)
            )
        else:
            sums.append(
                CardinalityConstraint(
                    tuple(variables.at(peg, color) for peg in pegs),
                    low_count - true_count,
                    max_count - true_count,
                )
            )
    are_all_known = all(map(int.__eq__, domains.low, domains.high))
    yield from sums[:-1] if are_all_known else sums


def asked_counts(
    variables: VariableMap, constraints: Iterable[CardinalityConstraint]
) -> Iterator[tuple[int, int]]:
    """Yield the color and the count of each `least` literal, also of those in conjunctions."""
    last = variables.pegs * variables.colors
    for constraint in constraints:
        for literal in constraint.literals:
            if isinstance(literal, tuple):
                yield from (variables.color_count(each) for each in literal if abs(each) > last)
            elif literal > last or literal < -last:
                yield variables.color_count(literal)
