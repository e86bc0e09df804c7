"""A board's constraints while they are presolved: each with the rows that it follows from.

What a step finds out goes to `known`, and the constraints that said so stay as they were read, so
that a later step's proof can add up what the board says. Only at the end is what is known put into
the constraints (`reduced`), which drops most of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from mmsat.constraints.presolve.equations import Equations
from mmsat.constraints.presolve.known import Known
from mmsat.constraints.system import SoftConstraint, System
from mmsat.game.literals import CardinalityConstraint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mmsat.game.literals import Literal, VariableMap
    from mmsat.game.row import Code

    Behind = Callable[[Code], int]
    """How many codes a symmetry step left out for one that it kept, that one included."""


class Said(NamedTuple):
    """A constraint, and the rows that it follows from together with the game, as bits."""

    constraint: CardinalityConstraint
    rows: int


@dataclass(frozen=True, eq=False)
class Problem:
    """A system on its way to a smaller one."""

    system: System
    """What it began as."""
    known: Known
    game: tuple[CardinalityConstraint, ...]
    """What holds of every code that is looked for, whatever the rows say."""
    rows: tuple[tuple[Said, ...], ...]
    """The constraints in the place of each row's; they keep their places."""
    chosen: tuple[CardinalityConstraint, ...] = ()
    """Which of several codes that are alike is looked for."""
    behind: tuple[Behind, ...] = ()
    """One for each symmetry that was used."""
    read: Equations | None = None
    """The constraints as equations, where a step has them at hand."""

    @classmethod
    def of(cls, system: System) -> Problem:
        """The start: all constraints as they are, nothing known."""
        rows = tuple(
            tuple(Said(constraint, 1 << row) for constraint in constraints)
            for row, constraints in enumerate(system.rows)
        )
        return cls(system, Known.nothing(system.variables), system.hard, rows)

    @property
    def variables(self) -> VariableMap:
        """The numbering of the facts."""
        return self.system.variables

    def said(self) -> Iterator[Said]:
        """All constraints, those of the game first."""
        for constraint in (*self.game, *self.chosen):
            yield Said(constraint, 0)
        for row in self.rows:
            yield from row

    @cached_property
    def equations(self) -> Equations:
        """The constraints that are equations, read when first asked for."""
        return self.read or Equations(self)

    def knowing(self, known: Known) -> Problem:
        """The same, with more known."""
        return replace(self, known=known, read=None)

    @property
    def symmetric(self) -> list[CardinalityConstraint]:
        """What a symmetry must respect: all that the board says, as it was read, and the choices.

        Whatever else is said or known by now follows from these, and so it does from some rows
        and the choices alone: a symmetry of the board is one of any of its rows.
        """
        return [*self.system.constraints, *self.chosen]

    def choosing(self, constraints: Iterable[CardinalityConstraint], behind: Behind) -> Problem:
        """The same, where only some of the codes that are alike are looked for."""
        chosen, behind_all = (*self.chosen, *constraints), (*self.behind, behind)
        return replace(self, chosen=chosen, behind=behind_all, read=None)

    def multiplicity(self, code: Code) -> int:
        """How many codes of the system that it began as stand behind one that is kept."""
        return prod([behind(code) for behind in self.behind])

    def reduced(self) -> System:
        """The system of what is left to say.

        It has the codes that satisfy the constraints. What is known is put into each constraint, so
        it must be said as well, once and for all: among the hard constraints.
        """
        rows = tuple(
            tuple(
                constraint
                for each in row
                if (constraint := substituted(each.constraint, self.known)) is not None
            )
            for row in self.rows
        )
        every = (*self.game, *self.chosen)
        game = [c for constraint in every if (c := substituted(constraint, self.known)) is not None]
        left = [*game, *(constraint for row in rows for constraint in row)]
        hard = (*known_claims(self, left), *game)
        table = self.system.table
        if table is not None:
            table = tuple(code for code in table if self.known.allows(code))
        return System(self.variables, hard, tuple(map(SoftConstraint, rows)), table)


def substituted(constraint: CardinalityConstraint, known: Known) -> CardinalityConstraint | None:
    """A constraint less the literals that are known, or None where it says nothing more."""
    open_facts: list[Literal] = []
    true = 0
    for literal in constraint.literals:
        if isinstance(literal, tuple):
            members = [member for member in literal if not known.value(member)]
            if any(known.value(member) is False for member in members):
                continue
            if members:
                open_facts.append(tuple(members) if len(members) > 1 else members[0])
            else:
                true += 1
            continue
        match known.value(literal):
            case None:
                open_facts.append(literal)
            case value:
                true += value
    low, high = constraint.low - true, constraint.high - true
    if low <= 0 and high >= len(open_facts):
        return None
    named = [abs(literal) if isinstance(literal, int) else literal for literal in open_facts]
    if len(named) != len(set(named)):  # conjunctions that became alike
        return constraint
    return CardinalityConstraint(tuple(open_facts), low, high)


def known_claims(
    problem: Problem, left: Iterable[CardinalityConstraint]
) -> Iterator[CardinalityConstraint]:
    """What is known, as constraints: of pegs one by one, then of the counts of colors.

    A count that is known exactly is a sum over the pegs, which needs no counter. Of others only
    what decides a literal that the board asks about is said: as a literal, where the constraints
    that are left ask about the color, for then there is a counter; else as a sum as well. Where all
    counts are known, the last one follows from the others.
    """
    variables, known = problem.variables, problem.known
    places = tuple(known.places())
    if places:
        yield CardinalityConstraint(places, len(places), len(places))
    asked: dict[int, set[int]] = {}
    for color, count in counts_of(variables, problem.system.constraints):
        asked.setdefault(color, set()).add(count)
    counted = {color for color, _ in counts_of(variables, left)}
    sums = []
    for color in range(variables.colors):
        least, most = known.low[color], known.high[color]
        bit = 1 << color
        pegs = [peg for peg, colors in enumerate(known.left) if colors & bit and colors != bit]
        true = sum(colors == bit for colors in known.left)
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
    are_all_known = all(map(int.__eq__, known.low, known.high))
    yield from sums[:-1] if are_all_known else sums


def counts_of(
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
