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

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
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


class ConstraintPropagator(DomainPropagator):
    """Propagates constraints and reduces domains in place; raises ContradictionError.

    Counted literals and constraints are indices into parallel lists. Counted literals are never
    negated; each use has a flag `is_plain`, which is False if the use is negated.
    """

    def __init__(self, constraints: Iterable[ReasonedConstraint], domains: Domains) -> None:
        super().__init__(domains)
        # data of counted literals, by index
        self.literal_indices: dict[Counted, int] = {}
        self.value: list[bool | None] = []
        self.reason: list[int] = []
        """The reason of each value."""
        self.literals: list[Counted] = []
        self.users: list[list[tuple[int, bool]]] = []
        """The constraints that count each literal, with the flag `is_plain`."""
        self.parents: list[list[tuple[int, bool]]] = []
        """The conjunctions that contain each literal, with the flag `is_plain`."""
        self.peg_sets: dict[int, list[tuple[int, int]]] = {}
        """The counted sets of colors of each peg, with the indices of their literals."""
        self.thresholds: dict[int, list[tuple[int, int]]] = {}
        """The counts of the `least` literals of each color, with the indices of the literals."""
        self.queue: deque[int] = deque()
        """The indices of decided literals that are not propagated yet."""
        # data of constraints, by index
        self.members: list[list[tuple[int, bool]]] = []
        """The indices of the literals of each constraint, with the flag `is_plain`."""
        self.low: list[int] = []
        self.high: list[int] = []
        self.num_true: list[int] = []
        self.num_undecided: list[int] = []
        self.rows: list[int] = []
        """The rows that imply each constraint, as bits."""
        self.reason_true: list[int] = []
        """The reasons of the true literals of each constraint."""
        self.reason_false: list[int] = []
        """The reasons of the false literals of each constraint."""
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
        index = len(self.members)
        members = [
            (self._index_of(literal), is_plain)
            for literal, is_plain in self._merge_pegs(constraint.literals)
        ]
        self.members.append(members)
        self.low.append(constraint.low)
        self.high.append(constraint.high)
        for literal_index, is_plain in members:
            self.users[literal_index].append((index, is_plain))
        self.num_true.append(0)
        self.num_undecided.append(len(members))  # decided literals are still in the queue
        self.rows.append(rows)
        self.reason_true.append(0)
        self.reason_false.append(0)

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
        last = variables.pegs * variables.colors
        pegs: dict[int, int] = {}
        for literal in literals:
            if isinstance(literal, tuple):
                yield literal, True
            elif 0 < literal <= last:
                peg, color = divmod(literal - 1, variables.colors)
                pegs[peg] = pegs.get(peg, 0) | 1 << color
            else:
                yield abs(literal), literal > 0
        for peg, colors in pegs.items():
            if colors & (colors - 1):
                yield PegSet(peg, colors), True
            else:
                yield peg * variables.colors + colors.bit_length(), True

    def _index_of(self, literal: Counted) -> int:
        """Return the index of a counted literal, and add the literal if it is new."""
        if literal in self.literal_indices:
            return self.literal_indices[literal]
        members = literal if isinstance(literal, tuple) else ()
        member_indices = [(self._index_of(abs(member)), member > 0) for member in members]
        literal_index = self.literal_indices[literal] = len(self.value)
        self.value.append(None)
        self.reason.append(0)
        self.literals.append(literal)
        self.users.append([])
        self.parents.append([])
        if isinstance(literal, PegSet):
            self.peg_sets.setdefault(literal.peg, []).append((literal.colors, literal_index))
            self._propagate_set(literal.peg, literal.colors, literal_index)
        elif isinstance(literal, tuple):
            for member_index, is_plain in member_indices:
                self.parents[member_index].append((literal_index, is_plain))
            self._propagate_conjunction(literal_index)
        else:
            if not self.variables.is_at(literal):
                color, count = self.variables.color_count(literal)
                self.thresholds.setdefault(color, []).append((count, literal_index))
            value = self.domains.value(literal)
            if value is not None:
                self._assign_literal(literal_index, value, self.domains.rows(literal))
        return literal_index

    def run(self) -> None:
        """Apply the rules until nothing changes."""
        for index in range(len(self.members)):
            self._propagate_constraint(index)
        while self.queue or self._propagate_color():
            while self.queue:
                self._propagate_literal(self.queue.popleft())

    def _on_assign(self, literal: int, *, value: bool, reason: int) -> None:
        literal_index = self.literal_indices.get(literal)
        if literal_index is not None:
            self._assign_literal(literal_index, value, reason)

    def _on_reduce(self, peg: int) -> None:
        for colors, literal_index in self.peg_sets.get(peg, ()):
            self._propagate_set(peg, colors, literal_index)

    def _on_bound(self, color: int) -> None:
        domains = self.domains
        for count, literal_index in self.thresholds.get(color, ()):
            if self.value[literal_index] is None:
                if count <= domains.low[color]:
                    self._assign_literal(
                        literal_index, value=True, reason=domains.reason_low[color]
                    )
                elif count > domains.high[color]:
                    self._assign_literal(
                        literal_index, value=False, reason=domains.reason_high[color]
                    )

    def _assign_literal(self, literal_index: int, value: bool, reason: int) -> None:
        """Set the value of a counted literal, and queue it."""
        old_value = self.value[literal_index]
        if old_value is None:
            self.value[literal_index] = value
            self.reason[literal_index] = reason
            self.queue.append(literal_index)
        elif old_value != value:
            raise ContradictionError(
                reason | self.reason[literal_index], self._describe_both_values(literal_index)
            )

    def _describe_both_values(self, literal_index: int) -> str:
        """Describe the contradiction that a literal is both true and false."""
        literal = self.literals[literal_index]
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

    def _describe_too_many(self, index: int, rows: int) -> str:
        """Describe the contradiction that more literals of a constraint are true than it allows."""
        count_text = f"make {self._describe_count(index, self.num_true[index])}"
        high = self.high[index]
        row_text = f"{self._name_constraint_rows(index, rows)} allow{self._verb_ending(index)}"
        return f"{count_text}{row_text} " + (f"at most {high}" if high else "none")

    def _describe_too_few(self, index: int, rows: int) -> str:
        """Describe the contradiction that a constraint needs more literals than can be true."""
        max_true = self.num_true[index] + self.num_undecided[index]
        count_text = (
            f"leave {'at most ' if max_true else ''}{self._describe_count(index, max_true)}"
        )
        row_text = f"{self._name_constraint_rows(index, rows)} need{self._verb_ending(index)}"
        return f"{count_text}{row_text} {self.low[index]}"

    def _name_constraint_rows(self, index: int, rows: int) -> str:
        """Return a phrase with the rows of a constraint, if they are not all contradictory rows."""
        if rows == self.rows[index]:
            return ", and"
        with_or_for = "with" if "common" in self._describe_count(index, 1) else "for"
        return f" {with_or_for} {name_rows(self.rows[index])}, which"

    def _verb_ending(self, index: int) -> str:
        """Return the ending of a verb about the rows of a constraint: `s` for one row."""
        return "s" * (self.rows[index].bit_count() == 1)

    def _describe_count(self, index: int, count: int) -> str:
        """Return a phrase for a number of literals of a constraint: `2 pegs right`."""
        literals = [
            self.literals[literal_index]
            for literal_index, is_plain in self.members[index]
            if is_plain
        ]
        variables = [literal for literal in literals if isinstance(literal, int)]
        noun, complement = "literal", "true"
        if self.rows[index].bit_count() == 1 and len(variables) == len(self.members[index]):
            if all(map(self.variables.is_at, variables)):
                noun, complement = "peg", "right"
            elif not any(map(self.variables.is_at, variables)):
                noun, complement = "color", "in common"
        return f"{count or 'no'} {plural(noun, count or 1)} {complement}"

    def _propagate_literal(self, literal_index: int) -> None:
        """Propagate a decided literal to domains, constraints and conjunctions."""
        literal, value, reason = (
            self.literals[literal_index],
            self.value[literal_index],
            self.reason[literal_index],
        )
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
            self._propagate_conjunction(literal_index)
        for index, is_plain in self.users[literal_index]:
            self.num_undecided[index] -= 1
            if value == is_plain:
                self.num_true[index] += 1
                self.reason_true[index] |= reason
            else:
                self.reason_false[index] |= reason
            self._propagate_constraint(index)
        for parent, is_plain in self.parents[literal_index]:
            if value != is_plain:
                self._assign_literal(parent, value=False, reason=reason)
            else:
                self._propagate_conjunction(parent)

    def _propagate_constraint(self, index: int) -> None:
        """Decide the undecided literals of a constraint if all must be true, or all false."""
        num_true, num_undecided = self.num_true[index], self.num_undecided[index]
        if num_true > self.high[index]:
            rows = self.rows[index] | self.reason_true[index]
            raise ContradictionError(rows, self._describe_too_many(index, rows))
        if num_true + num_undecided < self.low[index]:
            rows = self.rows[index] | self.reason_false[index]
            raise ContradictionError(rows, self._describe_too_few(index, rows))
        if not num_undecided:
            return
        if num_true == self.high[index]:
            reason = self.rows[index] | self.reason_true[index]
            is_needed = False
        elif num_true + num_undecided == self.low[index]:
            reason = self.rows[index] | self.reason_false[index]
            is_needed = True
        else:
            return
        for literal_index, is_plain in self.members[index]:
            if self.value[literal_index] is None:
                self._assign_literal(literal_index, is_needed == is_plain, reason)

    def _propagate_set(self, peg: int, colors: int, literal_index: int) -> None:
        """Decide a set of colors: true if the domain of the peg is a subset, false if disjoint."""
        if self.value[literal_index] is not None:
            return
        domain = self.domains.possible_colors[peg]
        if not domain & colors:
            self._assign_literal(
                literal_index, value=False, reason=self._reason_of_peg(peg, colors)
            )
        elif not domain & ~colors:
            all_colors = (1 << self.variables.colors) - 1
            self._assign_literal(
                literal_index, value=True, reason=self._reason_of_peg(peg, all_colors & ~colors)
            )

    def _propagate_conjunction(self, literal_index: int) -> None:
        """Decide a conjunction by its members; if it is false, decide its last undecided member."""
        value = self.value[literal_index]
        if value:
            return
        undecided_members, reason = [], 0
        literal = self.literals[literal_index]
        for member_literal in literal if isinstance(literal, tuple) else ():
            member = self.literal_indices[abs(member_literal)]
            member_value = self.value[member]
            if member_value is None:
                undecided_members.append((member, member_literal > 0))
                if len(undecided_members) > 1:
                    return
            elif member_value == (member_literal > 0):
                reason |= self.reason[member]
            else:
                if value is None:
                    self._assign_literal(literal_index, value=False, reason=self.reason[member])
                return
        if not undecided_members:
            self._assign_literal(literal_index, value=True, reason=reason)
        elif value is False:
            member, is_plain = undecided_members[0]
            self._assign_literal(member, not is_plain, reason | self.reason[literal_index])
