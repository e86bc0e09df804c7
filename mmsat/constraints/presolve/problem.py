"""A board's constraints while they are presolved: each with the rows that it follows from.

What a step finds out goes to `domains`, and the constraints that said so stay as they were read, so
that a later step's proof can add up what the board says. Only at the end is what is known put into
the constraints (`reduce`), which drops most of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod

from mmsat.constraints.presolve.domains import Domains, ReasonedConstraint
from mmsat.constraints.presolve.literal_equations import LiteralEquations
from mmsat.constraints.system import SoftConstraint, System
from mmsat.game.literals import CardinalityConstraint, Literal, VariableMap
from mmsat.game.row import Code

OrbitSize = Callable[[Code], int]
"""How many codes a symmetry step left out for one that it kept, that one included."""


@dataclass(frozen=True, eq=False)
class Problem:
    """A system on its way to a smaller one."""

    system: System
    """What it began as."""
    domains: Domains
    game: tuple[CardinalityConstraint, ...]
    """What holds of every code that is looked for, whatever the rows say."""
    rows: tuple[tuple[ReasonedConstraint, ...], ...]
    """The constraints in the place of each row's; they keep their places."""
    symmetry_breaking: tuple[CardinalityConstraint, ...] = ()
    """Which of several codes that are alike is looked for."""
    orbit_sizes: tuple[OrbitSize, ...] = ()
    """One for each symmetry that was used."""
    read: LiteralEquations | None = None
    """The constraints as equations, where a step has them at hand."""

    @classmethod
    def of(cls, system: System) -> Problem:
        """The start: all constraints as they are, nothing known."""
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
        """All constraints, those of the game first."""
        for constraint in (*self.game, *self.symmetry_breaking):
            yield ReasonedConstraint(constraint, 0)
        for row in self.rows:
            yield from row

    @cached_property
    def equations(self) -> LiteralEquations:
        """The constraints that are equations, read when first asked for."""
        return self.read or LiteralEquations(self.domains, self.game, self.rows)

    def with_domains(self, domains: Domains) -> Problem:
        """The same, with more known."""
        return replace(self, domains=domains, read=None)

    @property
    def symmetric(self) -> list[CardinalityConstraint]:
        """What a symmetry must respect: all that the board says, as it was read, and the choices.

        Whatever else is said or known by now follows from these, and so it does from some rows
        and the choices alone: a symmetry of the board is one of any of its rows.
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
            read=None,
        )

    def orbit_size(self, code: Code) -> int:
        """Return how many codes of the original system a remaining code represents."""
        return prod([orbit_size(code) for orbit_size in self.orbit_sizes])

    def reduce(self) -> System:
        """The system of what is left to say.

        It has the codes that satisfy the constraints. What is known is put into each constraint, so
        it must be said as well, once and for all: among the hard constraints.
        """
        rows = tuple(
            tuple(
                constraint
                for each in row
                if (constraint := substitute(each.constraint, self.domains)) is not None
            )
            for row in self.rows
        )
        every = (*self.game, *self.symmetry_breaking)
        game = [
            c for constraint in every if (c := substitute(constraint, self.domains)) is not None
        ]
        left = [*game, *(constraint for row in rows for constraint in row)]
        hard = (*domain_constraints(self, left), *game)
        table = self.system.table
        if table is not None:
            table = tuple(code for code in table if self.domains.allows(code))
        return System(self.variables, hard, tuple(map(SoftConstraint, rows)), table)


@dataclass(frozen=True, slots=True)
class Change:
    """What a step of the presolve made of a problem."""

    problem: Problem
    text: str = ""
    """What it did, in a line; empty where it changed nothing."""


def substitute(constraint: CardinalityConstraint, domains: Domains) -> CardinalityConstraint | None:
    """A constraint less the literals that are known, or None where it says nothing more."""
    open_literals: list[Literal] = []
    true = 0
    for literal in constraint.literals:
        if isinstance(literal, tuple):
            members = [member for member in literal if not domains.value(member)]
            if any(domains.value(member) is False for member in members):
                continue
            if members:
                open_literals.append(tuple(members) if len(members) > 1 else members[0])
            else:
                true += 1
            continue
        match domains.value(literal):
            case None:
                open_literals.append(literal)
            case value:
                true += value
    low, high = constraint.low - true, constraint.high - true
    if low <= 0 and high >= len(open_literals):
        return None
    unsigned = [abs(literal) if isinstance(literal, int) else literal for literal in open_literals]
    if len(unsigned) != len(set(unsigned)):  # conjunctions that became equal
        return constraint
    return CardinalityConstraint(tuple(open_literals), low, high)


def domain_constraints(
    problem: Problem, left: Iterable[CardinalityConstraint]
) -> Iterator[CardinalityConstraint]:
    """What is known, as constraints: of pegs one by one, then of the counts of colors.

    A count that is known exactly is a sum over the pegs, which needs no counter. Of others only
    what decides a literal that the board asks about is said: as a literal, where the constraints
    that are left ask about the color, for then there is a counter; else as a sum as well. Where all
    counts are known, the last one follows from the others.
    """
    variables, domains = problem.variables, problem.domains
    places = tuple(domains.literals())
    if places:
        yield CardinalityConstraint(places, len(places), len(places))
    asked: dict[int, set[int]] = {}
    for color, count in asked_counts(variables, problem.system.constraints):
        asked.setdefault(color, set()).add(count)
    counted = {color for color, _ in asked_counts(variables, left)}
    sums = []
    for color in range(variables.colors):
        least, most = domains.low[color], domains.high[color]
        bit = 1 << color
        pegs = [peg for peg, colors in enumerate(domains.domain) if colors & bit and colors != bit]
        true = sum(colors == bit for colors in domains.domain)
        decided = []
        if low := max((c for c in asked.get(color, ()) if true < c <= least), default=0):
            decided.append(variables.least(color, low))
        if high := min(
            (c for c in asked.get(color, ()) if most < c <= true + len(pegs)), default=0
        ):
            decided.append(-variables.least(color, high))
        if not pegs or not (decided or least == most):
            continue
        if least < most and color in counted:
            yield CardinalityConstraint(tuple(decided), len(decided), len(decided))
        else:
            sums.append(
                CardinalityConstraint(
                    tuple(variables.at(peg, color) for peg in pegs), least - true, most - true
                )
            )
    are_all_known = all(map(int.__eq__, domains.low, domains.high))
    yield from sums[:-1] if are_all_known else sums


def asked_counts(
    variables: VariableMap, constraints: Iterable[CardinalityConstraint]
) -> Iterator[tuple[int, int]]:
    """The counts of colors that constraints ask about."""
    last = variables.pegs * variables.colors
    for constraint in constraints:
        for literal in constraint.literals:
            if isinstance(literal, tuple):
                yield from (variables.color_count(each) for each in literal if abs(each) > last)
            elif literal > last or literal < -last:
                yield variables.color_count(literal)
