"""Unit and bound propagation of cardinality constraints to a fixed point.

The propagator stores the value of each counted literal, and for each constraint the numbers of its
true and undecided literals. Literals of the same peg in a constraint ("peg 2 is red or blue") are
merged into one literal, because at most one of them is true. In addition to the rules for pegs and
counts (domains.py), there are these rules:

- if a constraint has its maximum number of true literals, its undecided literals are false; if it
  needs all undecided literals, they are true;
- a conjunction is true if and only if all of its members are.

Each rule is applied once per change of its input, so the work is linear in the number of literals
in all constraints.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from mmsat._util.text import join_words, plural, quantity
from mmsat.constraints.presolve.domains import (
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

    Counted literals and constraints have indices into parallel lists. A literal is counted "plain"
    if it is not negated.
    """

    def __init__(self, said: Iterable[ReasonedConstraint], domains: Domains) -> None:
        super().__init__(domains)
        # data of counted literals; `numbers` has their indices
        self.numbers: dict[Counted, int] = {}
        self.value: list[bool | None] = []
        self.why: list[int] = []
        self.meaning: list[Counted] = []
        self.users: list[list[tuple[int, bool]]] = []
        """The constraints that count each literal, and whether they count it plain."""
        self.parents: list[list[tuple[int, bool]]] = []
        """The conjunctions that contain each literal, and whether it is plain in them."""
        self.sets: dict[int, list[tuple[int, int]]] = {}
        """The counted sets of colors of each peg, with their numbers."""
        self.least: dict[int, list[tuple[int, int]]] = {}
        """The counts of the counted `least` literals of each color, with their numbers."""
        self.queue: deque[int] = deque()
        # data of constraints
        self.members: list[list[tuple[int, bool]]] = []
        self.low: list[int] = []
        self.high: list[int] = []
        self.true: list[int] = []
        self.undecided: list[int] = []
        self.rows: list[int] = []
        self.reason_true: list[int] = []
        self.reason_false: list[int] = []
        for reasoned in said:
            self._read(reasoned)

    def _read(self, reasoned: ReasonedConstraint) -> None:
        """Add a constraint."""
        constraint, rows = reasoned
        if constraint.low > constraint.high:
            raise ContradictionError(
                rows, f"require at least {constraint.low} and at most {constraint.high}"
            )
        self._read_count(reasoned)
        index = len(self.members)
        members = [
            (self._number(literal), is_plain)
            for literal, is_plain in self._terms(constraint.literals)
        ]
        self.members.append(members)
        self.low.append(constraint.low)
        self.high.append(constraint.high)
        for number, is_plain in members:
            self.users[number].append((index, is_plain))
        self.true.append(0)
        self.undecided.append(len(members))  # decided literals are in the queue
        self.rows.append(rows)
        self.reason_true.append(0)
        self.reason_false.append(0)

    def _read_count(self, reasoned: ReasonedConstraint) -> None:
        """Bound the count of a color by a constraint on its `at` literals alone."""
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
        self._raise(color, low, reasoned.rows)
        self._lower(color, high + variables.pegs - len(literals), reasoned.rows)

    def _terms(self, stated: tuple[Literal, ...]) -> Iterator[tuple[Counted, bool]]:
        """Yield the counted literals of a constraint, and whether each of them is plain.

        Positive `at` literals of the same peg are merged.
        """
        variables = self.variables
        last = variables.pegs * variables.colors
        pegs: dict[int, int] = {}
        for literal in stated:
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

    def _number(self, literal: Counted) -> int:
        """Return the number of a counted literal, adding the literal if it is new."""
        if literal in self.numbers:
            return self.numbers[literal]
        members = literal if isinstance(literal, tuple) else ()
        member_numbers = [(self._number(abs(member)), member > 0) for member in members]
        number = self.numbers[literal] = len(self.value)
        self.value.append(None)
        self.why.append(0)
        self.meaning.append(literal)
        self.users.append([])
        self.parents.append([])
        if isinstance(literal, PegSet):
            self.sets.setdefault(literal.peg, []).append((literal.colors, number))
            self._propagate_set(literal.peg, literal.colors, number)
        elif isinstance(literal, tuple):
            for member_number, is_plain in member_numbers:
                self.parents[member_number].append((number, is_plain))
            self._propagate_conjunction(number)
        else:
            if not self.variables.is_at(literal):
                color, count = self.variables.color_count(literal)
                self.least.setdefault(color, []).append((count, number))
            value = self.domains.value(literal)
            if value is not None:
                self._assign_literal(number, value, self.domains.rows(literal))
        return number

    def run(self) -> None:
        """Apply the rules until nothing changes."""
        for index in range(len(self.members)):
            self._propagate_constraint(index)
        while self.queue or self._propagate_color():
            while self.queue:
                self._propagate_literal(self.queue.popleft())

    def _on_assign(self, literal: int, *, value: bool, why: int) -> None:
        number = self.numbers.get(literal)
        if number is not None:
            self._assign_literal(number, value, why)

    def _on_reduce(self, peg: int) -> None:
        for colors, number in self.sets.get(peg, ()):
            self._propagate_set(peg, colors, number)

    def _on_bound(self, color: int) -> None:
        domains = self.domains
        for count, number in self.least.get(color, ()):
            if self.value[number] is None:
                if count <= domains.low[color]:
                    self._assign_literal(number, value=True, why=domains.reason_low[color])
                elif count > domains.high[color]:
                    self._assign_literal(number, value=False, why=domains.reason_high[color])

    def _assign_literal(self, number: int, value: bool, why: int) -> None:
        """Set the value of a counted literal, and queue it."""
        old = self.value[number]
        if old is None:
            self.value[number] = value
            self.why[number] = why
            self.queue.append(number)
        elif old != value:
            raise ContradictionError(why | self.why[number], self._both(number))

    def _both(self, number: int) -> str:
        """Describe the contradiction that a literal is both true and false."""
        literal = self.meaning[number]
        if isinstance(literal, PegSet):
            colors = join_words(color + 1 for color in bits(literal.colors))
            place = f"the color of peg {literal.peg + 1}"
            return f"state that {place} is among {colors}, and that it is not"
        if not isinstance(literal, int):
            return "state that some literals are all true, and that not all of them are"
        if self.variables.is_at(literal):
            peg, color = self.variables.peg_color(literal)
            return f"state that peg {peg + 1} is color {color + 1}, and that it is not"
        color, count = self.variables.color_count(literal)
        least = f"{quantity(count, 'peg')} {'are' if count > 1 else 'is'}"
        return f"state that at least {least} color {color + 1}, and that fewer are"

    def _too_many(self, index: int, rows: int) -> str:
        """Describe the contradiction that more literals of a constraint are true than it allows."""
        count_text = f"make {self._describe_count(index, self.true[index])}"
        high = self.high[index]
        return f"{count_text}{self._whose(index, rows)} allow{self._ending(index)} " + (
            f"at most {high}" if high else "none"
        )

    def _too_few(self, index: int, rows: int) -> str:
        """Describe the contradiction that fewer literals can be true than a constraint needs."""
        max_true = self.true[index] + self.undecided[index]
        count_text = (
            f"leave {'at most ' if max_true else ''}{self._describe_count(index, max_true)}"
        )
        return f"{count_text}{self._whose(index, rows)} need{self._ending(index)} {self.low[index]}"

    def _whose(self, index: int, rows: int) -> str:
        """Name the rows of a constraint, as a phrase between the two parts of a description."""
        if rows == self.rows[index]:
            return ", and"
        with_or_for = "with" if "common" in self._describe_count(index, 1) else "for"
        return f" {with_or_for} {name_rows(self.rows[index])}, which"

    def _ending(self, index: int) -> str:
        """Return the ending of the verb for the rows of a constraint: `s` for a single row."""
        return "s" * (self.rows[index].bit_count() == 1)

    def _describe_count(self, index: int, many: int) -> str:
        """Return a phrase for a number of literals of a constraint: `2 pegs right`."""
        literals = [self.meaning[number] for number, is_plain in self.members[index] if is_plain]
        variables = [literal for literal in literals if isinstance(literal, int)]
        before, after = "literal", "true"
        if self.rows[index].bit_count() == 1 and len(variables) == len(self.members[index]):
            if all(map(self.variables.is_at, variables)):
                before, after = "peg", "right"
            elif not any(map(self.variables.is_at, variables)):
                before, after = "color", "in common"
        return f"{many or 'no'} {plural(before, many or 1)} {after}"

    def _propagate_literal(self, number: int) -> None:
        """Propagate a decided literal to domains, constraints and conjunctions."""
        literal, value, why = self.meaning[number], self.value[number], self.why[number]
        if isinstance(literal, int):
            self._enforce(literal if value else -literal, why)
        elif isinstance(literal, PegSet):
            domain = self.domains.domain[literal.peg]
            self._remove(
                literal.peg, domain & ~literal.colors if value else domain & literal.colors, why
            )
        elif value:
            for member in literal:
                self._enforce(member, why)
        else:
            self._propagate_conjunction(number)
        for index, is_plain in self.users[number]:
            self.undecided[index] -= 1
            if value == is_plain:
                self.true[index] += 1
                self.reason_true[index] |= why
            else:
                self.reason_false[index] |= why
            self._propagate_constraint(index)
        for parent, is_plain in self.parents[number]:
            if value != is_plain:
                self._assign_literal(parent, value=False, why=why)
            else:
                self._propagate_conjunction(parent)

    def _propagate_constraint(self, index: int) -> None:
        """Decide the undecided literals of a constraint if all of them must be true, or false."""
        true_count, undecided = self.true[index], self.undecided[index]
        if true_count > self.high[index]:
            rows = self.rows[index] | self.reason_true[index]
            raise ContradictionError(rows, self._too_many(index, rows))
        if true_count + undecided < self.low[index]:
            rows = self.rows[index] | self.reason_false[index]
            raise ContradictionError(rows, self._too_few(index, rows))
        if not undecided:
            return
        if true_count == self.high[index]:
            why = self.rows[index] | self.reason_true[index]
            is_needed = False
        elif true_count + undecided == self.low[index]:
            why = self.rows[index] | self.reason_false[index]
            is_needed = True
        else:
            return
        for number, is_plain in self.members[index]:
            if self.value[number] is None:
                self._assign_literal(number, is_needed == is_plain, why)

    def _propagate_set(self, peg: int, colors: int, number: int) -> None:
        """Decide a set of colors of a peg: true if the domain is a subset, false if disjoint."""
        if self.value[number] is not None:
            return
        domain = self.domains.domain[peg]
        if not domain & colors:
            self._assign_literal(number, value=False, why=self._reason_of_peg(peg, colors))
        elif not domain & ~colors:
            all_colors = (1 << self.variables.colors) - 1
            self._assign_literal(
                number, value=True, why=self._reason_of_peg(peg, all_colors & ~colors)
            )

    def _propagate_conjunction(self, number: int) -> None:
        """Decide a conjunction by its members; if it is false, decide its last undecided member."""
        value = self.value[number]
        if value:
            return
        undecided, why = [], 0
        literal = self.meaning[number]
        for member_literal in literal if isinstance(literal, tuple) else ():
            member = self.numbers[abs(member_literal)]
            member_value = self.value[member]
            if member_value is None:
                undecided.append((member, member_literal > 0))
                if len(undecided) > 1:
                    return
            elif member_value == (member_literal > 0):
                why |= self.why[member]
            else:
                if value is None:
                    self._assign_literal(number, value=False, why=self.why[member])
                return
        if not undecided:
            self._assign_literal(number, value=True, why=why)
        elif value is False:
            member, is_plain = undecided[0]
            self._assign_literal(member, not is_plain, why | self.why[number])
