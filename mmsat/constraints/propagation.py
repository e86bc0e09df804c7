"""Unit and bound propagation of cardinality constraints to a fixed point.

The propagator stores the value of each counted literal, and the numbers of true and undecided
literals of each constraint. Literals of the same peg in a constraint ("peg 2 is red or blue") are
merged into one literal, because at most one of them is true. In addition to the rules for pegs and
counts (domains.py), there are these rules:

- If a constraint has its maximum number of true literals, its undecided literals are false. If it
  needs all undecided literals, they are true.
- A conjunction is true if and only if all of its members are true.

Each rule is applied once per change of its input, so the work is linear in the number of literals
in all constraints.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from mmsat._util.text import join_words, plural, quantity
from mmsat.constraints.domains import (
    ContradictionError,
    DomainPropagator,
    Domains,
    ReasonedConstraint,
    bits,
    name_rows,
)
from mmsat.game.space import Literal


@dataclass(frozen=True, slots=True)
class PegSet:
    """The literal that a peg has one of several colors."""

    peg: int
    colors: int
    """The colors, as bits."""


Counted: TypeAlias = "Literal | PegSet"
"""A literal that constraints count."""


@dataclass(eq=False, slots=True)
class CountedLiteral:
    """The state of a literal that constraints count.

    Counted literals are never negated. Each use of one has a flag `is_plain`, which is False if the
    constraint or the conjunction has its negation.
    """

    literal: Counted
    value: bool | None = None
    reason: int = 0
    """The reason of the value."""
    users: list[tuple[CountingConstraint, bool]] = field(default_factory=list)
    """The constraints that count the literal, with the flag `is_plain`."""
    parents: list[tuple[CountedLiteral, bool]] = field(default_factory=list)
    """The conjunctions that contain the literal, with the flag `is_plain`."""


@dataclass(eq=False, slots=True)
class CountingConstraint:
    """The state of a constraint."""

    members: list[tuple[CountedLiteral, bool]]
    """The literals, with the flag `is_plain`."""
    low: int
    high: int
    rows: int
    """The rows that imply the constraint, as bits."""
    num_undecided: int
    num_true: int = 0
    reason_true: int = 0
    """The reasons of the true literals."""
    reason_false: int = 0
    """The reasons of the false literals."""


class ConstraintPropagator(DomainPropagator):
    """Propagates constraints and reduces domains in place; raises ContradictionError."""

    def __init__(self, constraints: Iterable[ReasonedConstraint], domains: Domains) -> None:
        super().__init__(domains)
        self.literals: dict[Counted, CountedLiteral] = {}
        self.peg_sets: dict[int, list[CountedLiteral]] = {}
        """The counted sets of colors of each peg."""
        self.thresholds: dict[int, list[tuple[int, CountedLiteral]]] = {}
        """The `least` literals of each color, with their counts."""
        self.queue: deque[CountedLiteral] = deque()
        """The decided literals that are not propagated yet."""
        self.constraints: list[CountingConstraint] = []
        for reasoned in constraints:
            self._read(reasoned)

    def _read(self, reasoned: ReasonedConstraint) -> None:
        """Add a constraint, and propagate the bounds of the count of a color that it states."""
        constraint, rows = reasoned
        if constraint.low > constraint.high:
            raise ContradictionError(
                rows, f"require at least {constraint.low} and at most {constraint.high}"
            )
        self._read_count(reasoned)
        members = [
            (self._counted(literal), is_plain)
            for literal, is_plain in self._merge_pegs(constraint.literals)
        ]
        # Decided literals are still in the queue, and count as undecided until they leave it.
        counting = CountingConstraint(
            members, constraint.low, constraint.high, rows, num_undecided=len(members)
        )
        self.constraints.append(counting)
        for counted, is_plain in members:
            counted.users.append((counting, is_plain))

    def _read_count(self, reasoned: ReasonedConstraint) -> None:
        """Bound the count of a color by a constraint that has only `at` literals of this color."""
        variables, (literals, low, high) = self.variables, reasoned.constraint
        first_literal = literals[0] if literals else 0
        if not (
            isinstance(first_literal, int)
            and 0 < first_literal <= variables.pegs * variables.colors
        ):
            return
        color = (first_literal - 1) % variables.colors
        for literal in literals:
            if not (
                isinstance(literal, int)
                and 0 < literal <= variables.pegs * variables.colors
                and (literal - 1) % variables.colors == color
            ):
                return
        # pegs that the constraint does not mention may have the color, too
        self._raise_low(color, low, reasoned.rows)
        self._lower_high(color, high + variables.pegs - len(literals), reasoned.rows)

    def _merge_pegs(self, literals: tuple[Literal, ...]) -> Iterator[tuple[Counted, bool]]:
        """Yield the counted literals of a constraint, with the flag `is_plain`.

        Positive `at` literals of the same peg are merged.
        """
        variables = self.variables
        last_at_literal = variables.pegs * variables.colors
        pegs: dict[int, int] = {}
        for literal in literals:
            if isinstance(literal, tuple):
                yield literal, True
            elif 0 < literal <= last_at_literal:
                peg, color = divmod(literal - 1, variables.colors)
                pegs[peg] = pegs.get(peg, 0) | 1 << color
            else:
                yield abs(literal), literal > 0
        for peg, colors in pegs.items():
            if colors & (colors - 1):
                yield PegSet(peg, colors), True
            else:
                yield peg * variables.colors + colors.bit_length(), True

    def _counted(self, literal: Counted) -> CountedLiteral:
        """Return the state of a literal, which is added if it is new."""
        if literal in self.literals:
            return self.literals[literal]
        members = literal if isinstance(literal, tuple) else ()
        counted_members = [(self._counted(abs(member)), member > 0) for member in members]
        counted = self.literals[literal] = CountedLiteral(literal)
        if isinstance(literal, PegSet):
            self.peg_sets.setdefault(literal.peg, []).append(counted)
            self._propagate_set(literal, counted)
        elif isinstance(literal, tuple):
            for member, is_plain in counted_members:
                member.parents.append((counted, is_plain))
            self._propagate_conjunction(counted)
        else:
            if not self.variables.is_at(literal):
                color, count = self.variables.color_count(literal)
                self.thresholds.setdefault(color, []).append((count, counted))
            value = self.domains.value(literal)
            if value is not None:
                self._assign_literal(counted, value, self.domains.reason_of(literal))
        return counted

    def run(self) -> None:
        """Apply the rules until nothing changes."""
        for constraint in self.constraints:
            self._propagate_constraint(constraint)
        while self.queue or self._propagate_color():
            while self.queue:
                self._propagate_literal(self.queue.popleft())

    def _on_assign(self, literal: int, *, value: bool, reason: int) -> None:
        """Update the constraints with a literal that was just decided."""
        counted = self.literals.get(literal)
        if counted is not None:
            self._assign_literal(counted, value, reason)

    def _on_reduce(self, peg: int) -> None:
        """Update the constraints with sets of colors of a peg that just lost a color."""
        for counted in self.peg_sets.get(peg, ()):
            if isinstance(counted.literal, PegSet):
                self._propagate_set(counted.literal, counted)

    def _on_bound(self, color: int) -> None:
        """Decide the counted literals about the number of a color, whose bounds just changed."""
        domains = self.domains
        for count, counted in self.thresholds.get(color, ()):
            if counted.value is None:
                if count <= domains.low[color]:
                    self._assign_literal(counted, value=True, reason=domains.reason_low[color])
                elif count > domains.high[color]:
                    self._assign_literal(counted, value=False, reason=domains.reason_high[color])

    def _assign_literal(self, counted: CountedLiteral, value: bool, reason: int) -> None:
        """Set the value of a counted literal, and queue it."""
        if counted.value is None:
            counted.value = value
            counted.reason = reason
            self.queue.append(counted)
        elif counted.value != value:
            raise ContradictionError(
                reason | counted.reason, self._describe_both_values(counted.literal)
            )

    def _describe_both_values(self, literal: Counted) -> str:
        """Describe the contradiction that a literal is both true and false."""
        if isinstance(literal, PegSet):
            colors = join_words(color + 1 for color in bits(literal.colors))
            subject = f"the color of peg {literal.peg + 1}"
            return f"state that {subject} is among {colors}, and that it is not"
        if not isinstance(literal, int):
            return "state that some literals are all true, and that not all of them are"
        if self.variables.is_at(literal):
            peg, color = self.variables.peg_color(literal)
            return f"state that peg {peg + 1} is color {color + 1}, and that it is not"
        color, count = self.variables.color_count(literal)
        pegs = f"{quantity(count, 'peg')} {'are' if count > 1 else 'is'}"
        return f"state that at least {pegs} color {color + 1}, and that fewer are"

    def _describe_too_many(self, constraint: CountingConstraint, rows: int) -> str:
        """Describe the contradiction that more literals of a constraint are true than it allows.

        With the rows as the subject, the predicate gives a sentence such as "Rows 1, 2 and 4 make 3
        pegs right for row 4, which allows at most 2", or "Row 4 makes 3 pegs right, and allows at
        most 2" if row 4 alone is contradictory.
        """
        count_text = f"make {self._describe_count(constraint, constraint.num_true)}"
        high = constraint.high
        row_text = f"{self._name_constraint_rows(constraint, rows)} allow{verb_ending(constraint)}"
        return f"{count_text}{row_text} " + (f"at most {high}" if high else "none")

    def _describe_too_few(self, constraint: CountingConstraint, rows: int) -> str:
        """Describe the contradiction that a constraint needs more literals than can be true.

        A sentence is "Rows 1, 2 and 4 leave at most 1 peg right for row 4, which needs 2", or "Row
        4 leaves at most 1 peg right, and needs 2".
        """
        max_true = constraint.num_true + constraint.num_undecided
        count_text = (
            f"leave {'at most ' if max_true else ''}{self._describe_count(constraint, max_true)}"
        )
        row_text = f"{self._name_constraint_rows(constraint, rows)} need{verb_ending(constraint)}"
        return f"{count_text}{row_text} {constraint.low}"

    def _name_constraint_rows(self, constraint: CountingConstraint, rows: int) -> str:
        """Return the phrase between the number of literals and the verb: ` for row 4, which`.

        It is `, and` if the rows of the constraint are all the contradictory rows.
        """
        if rows == constraint.rows:
            return ", and"
        # "2 colors in common with row 3", but "2 pegs right for row 3"
        preposition = "with" if "common" in self._describe_count(constraint, 1) else "for"
        return f" {preposition} {name_rows(constraint.rows)}, which"

    def _describe_count(self, constraint: CountingConstraint, count: int) -> str:
        """Return a phrase for a number of literals of a constraint: `2 pegs right`."""
        literals = [counted.literal for counted, is_plain in constraint.members if is_plain]
        variables = [literal for literal in literals if isinstance(literal, int)]
        noun, complement = "literal", "true"
        if constraint.rows.bit_count() == 1 and len(variables) == len(constraint.members):
            if all(map(self.variables.is_at, variables)):
                noun, complement = "peg", "right"
            elif not any(map(self.variables.is_at, variables)):
                noun, complement = "color", "in common"
        return f"{count or 'no'} {plural(noun, count or 1)} {complement}"

    def _propagate_literal(self, counted: CountedLiteral) -> None:
        """Propagate a decided literal to domains, constraints and conjunctions."""
        literal, value, reason = counted.literal, counted.value, counted.reason
        if isinstance(literal, int):
            self._enforce(literal if value else -literal, reason)
        elif isinstance(literal, PegSet):
            domain = self.domains.possible_colors[literal.peg]
            self._remove(
                literal.peg, domain & ~literal.colors if value else domain & literal.colors, reason
            )
        elif value:
            for member in literal:
                self._enforce(member, reason)
        else:
            self._propagate_conjunction(counted)
        for constraint, is_plain in counted.users:
            constraint.num_undecided -= 1
            if value == is_plain:
                constraint.num_true += 1
                constraint.reason_true |= reason
            else:
                constraint.reason_false |= reason
            self._propagate_constraint(constraint)
        for parent, is_plain in counted.parents:
            if value != is_plain:
                self._assign_literal(parent, value=False, reason=reason)
            else:
                self._propagate_conjunction(parent)

    def _propagate_constraint(self, constraint: CountingConstraint) -> None:
        """Decide the undecided literals of a constraint if all must be true, or all false."""
        num_true, num_undecided = constraint.num_true, constraint.num_undecided
        if num_true > constraint.high:
            rows = constraint.rows | constraint.reason_true
            raise ContradictionError(rows, self._describe_too_many(constraint, rows))
        if num_true + num_undecided < constraint.low:
            rows = constraint.rows | constraint.reason_false
            raise ContradictionError(rows, self._describe_too_few(constraint, rows))
        if not num_undecided:
            return
        if num_true == constraint.high:
            reason = constraint.rows | constraint.reason_true
            is_needed = False
        elif num_true + num_undecided == constraint.low:
            reason = constraint.rows | constraint.reason_false
            is_needed = True
        else:
            return
        for counted, is_plain in constraint.members:
            if counted.value is None:
                self._assign_literal(counted, is_needed == is_plain, reason)

    def _propagate_set(self, literal: PegSet, counted: CountedLiteral) -> None:
        """Decide a set of colors: true if the domain of the peg is a subset, false if disjoint."""
        if counted.value is not None:
            return
        domain = self.domains.possible_colors[literal.peg]
        if not domain & literal.colors:
            reason = self._reason_of_peg(literal.peg, literal.colors)
            self._assign_literal(counted, value=False, reason=reason)
        elif not domain & ~literal.colors:
            all_colors = (1 << self.variables.colors) - 1
            reason = self._reason_of_peg(literal.peg, all_colors & ~literal.colors)
            self._assign_literal(counted, value=True, reason=reason)

    def _propagate_conjunction(self, counted: CountedLiteral) -> None:
        """Decide a conjunction by its members; if it is false, decide its last undecided member."""
        if counted.value:
            return
        undecided_members, reason = [], 0
        for literal in counted.literal if isinstance(counted.literal, tuple) else ():
            member = self.literals[abs(literal)]
            if member.value is None:
                undecided_members.append((member, literal > 0))
                if len(undecided_members) > 1:
                    return
            elif member.value == (literal > 0):
                reason |= member.reason
            else:
                if counted.value is None:
                    self._assign_literal(counted, value=False, reason=member.reason)
                return
        if not undecided_members:
            self._assign_literal(counted, value=True, reason=reason)
        elif counted.value is False:
            member, is_plain = undecided_members[0]
            self._assign_literal(member, not is_plain, reason | counted.reason)


def verb_ending(constraint: CountingConstraint) -> str:
    """Return the ending of a verb about the rows of a constraint: `s` for one row."""
    return "s" if constraint.rows.bit_count() == 1 else ""
