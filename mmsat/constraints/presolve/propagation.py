"""Unit and bound propagation, to its end.

For each literal that a constraint counts it is kept whether it is decided, and for each constraint
how many of its literals are true and how many undecided. Literals about the same peg that a
constraint counts together ("peg 2 is red or blue") are one literal, as one color a peg makes no
more than one of them true. What follows, besides what pegs and counts say on their own
(domain_propagator.py):

- a constraint with as many true literals as it may have denies the rest, and one that needs all
  the rest has them;
- a conjunction is true just when all of its members are.

Each rule is applied once for each change that it hangs on, so the work grows with the literals in
all constraints.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from mmsat.constraints.presolve.domain_propagator import ContradictionError, DomainPropagator
from mmsat.constraints.presolve.domains import Domains, ReasonedConstraint, bits, name_rows
from mmsat.english import join_words, plural, quantity
from mmsat.game.literals import Literal


@dataclass(frozen=True, slots=True)
class PegSet:
    """The literal that a peg has one of some colors."""

    peg: int
    colors: int
    """As bits."""


Counted: TypeAlias = "Literal | PegSet"
"""What constraints count."""


class ConstraintPropagator(DomainPropagator):
    """All that follows from constraints and from what is known; raises ContradictionError."""

    def __init__(self, said: Iterable[ReasonedConstraint], domains: Domains) -> None:
        super().__init__(domains)
        # literals that are counted, each with a number
        self.numbers: dict[Counted, int] = {}
        self.value: list[bool | None] = []
        self.why: list[int] = []
        self.meaning: list[Counted] = []
        self.users: list[list[tuple[int, bool]]] = []
        """By number: the constraints that count the literal, and whether as it is."""
        self.parents: list[list[tuple[int, bool]]] = []
        """By number: the conjunctions that the literal is in, and whether as it is."""
        self.sets: dict[int, list[tuple[int, int]]] = {}
        """By peg: sets of colors that are counted as one."""
        self.least: dict[int, list[tuple[int, int]]] = {}
        """By color: the counts that are asked about."""
        self.queue: deque[int] = deque()
        # constraints
        self.members: list[list[tuple[int, bool]]] = []
        self.low: list[int] = []
        self.high: list[int] = []
        self.true: list[int] = []
        self.undecided: list[int] = []
        self.rows: list[int] = []
        self.reason_true: list[int] = []
        self.reason_false: list[int] = []
        for each in said:
            self._read(each)

    def _read(self, each: ReasonedConstraint) -> None:
        """Take a constraint in."""
        constraint, rows = each
        if constraint.low > constraint.high:
            raise ContradictionError(
                rows, f"ask for at least {constraint.low} and at most {constraint.high}"
            )
        self._read_count(each)
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
        self.undecided.append(len(members))  # what is decided by now waits in the queue
        self.rows.append(rows)
        self.reason_true.append(0)
        self.reason_false.append(0)

    def _read_count(self, each: ReasonedConstraint) -> None:
        """A constraint about one color alone bounds its count."""
        variables, (stated, low, high) = self.variables, each.constraint
        first = stated[0] if stated else 0
        if not (isinstance(first, int) and 0 < first <= variables.pegs * variables.colors):
            return
        color = (first - 1) % variables.colors
        for literal in stated:
            if not (
                isinstance(literal, int)
                and 0 < literal <= variables.pegs * variables.colors
                and (literal - 1) % variables.colors == color
            ):
                return
        self._raise(color, low, each.rows)
        self._lower(color, high + variables.pegs - len(stated), each.rows)

    def _terms(self, stated: tuple[Literal, ...]) -> Iterator[tuple[Counted, bool]]:
        """The literals that a constraint counts, a peg's taken together; whether as they are."""
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
        """The number of a literal that is counted, made when first asked for."""
        if literal in self.numbers:
            return self.numbers[literal]
        members = literal if isinstance(literal, tuple) else ()
        inner = [(self._number(abs(each)), each > 0) for each in members]
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
            for each, is_plain in inner:
                self.parents[each].append((number, is_plain))
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
        """Settle a literal that is counted."""
        old = self.value[number]
        if old is None:
            self.value[number] = value
            self.why[number] = why
            self.queue.append(number)
        elif old != value:
            raise ContradictionError(why | self.why[number], self._both(number))

    def _both(self, number: int) -> str:
        """A literal that is true and false."""
        literal = self.meaning[number]
        if isinstance(literal, PegSet):
            colors = join_words(color + 1 for color in bits(literal.colors))
            return (
                f"say that the color of peg {literal.peg + 1} is among {colors}, and that it is not"
            )
        if not isinstance(literal, int):
            return "say of some things that all are true, and that not all are"
        if self.variables.is_at(literal):
            peg, color = self.variables.peg_color(literal)
            return f"say that peg {peg + 1} is color {color + 1}, and that it is not"
        color, count = self.variables.color_count(literal)
        least = f"{quantity(count, 'peg')} {'are' if count > 1 else 'is'}"
        return f"say that at least {least} color {color + 1}, and that this is not so"

    def _too_many(self, index: int, rows: int) -> str:
        """More of what a constraint counts is true, by some rows, than it allows."""
        many = f"make {self._describe_count(index, self.true[index])}"
        high = self.high[index]
        return f"{many}{self._whose(index, rows)} allow{self._ending(index)} " + (
            f"at most {high}" if high else "none"
        )

    def _too_few(self, index: int, rows: int) -> str:
        """Less of what a constraint counts can be true, by some rows, than it needs."""
        most = self.true[index] + self.undecided[index]
        many = f"leave {'at most ' if most else ''}{self._describe_count(index, most)}"
        return f"{many}{self._whose(index, rows)} need{self._ending(index)} {self.low[index]}"

    def _whose(self, index: int, rows: int) -> str:
        """Who makes a constraint, between what some rows do to it and what it says."""
        if rows == self.rows[index]:
            return ", and"
        with_or_for = "with" if "common" in self._describe_count(index, 1) else "for"
        return f" {with_or_for} {name_rows(self.rows[index])}, which"

    def _ending(self, index: int) -> str:
        """The ending of its verb."""
        return "s" * (self.rows[index].bit_count() == 1)

    def _describe_count(self, index: int, many: int) -> str:
        """So many of what a constraint counts: `2 pegs right`."""
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
        """What a literal means for its pegs or counts, and for the constraints that count it."""
        literal, value, why = self.meaning[number], self.value[number], self.why[number]
        if isinstance(literal, int):
            self._enforce(literal if value else -literal, why)
        elif isinstance(literal, PegSet):
            left = self.domains.domain[literal.peg]
            self._remove(
                literal.peg, left & ~literal.colors if value else left & literal.colors, why
            )
        elif value:
            for each in literal:
                self._enforce(each, why)
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
        """Enough is enough, and what is needed is there."""
        true, undecided = self.true[index], self.undecided[index]
        if true > self.high[index]:
            rows = self.rows[index] | self.reason_true[index]
            raise ContradictionError(rows, self._too_many(index, rows))
        if true + undecided < self.low[index]:
            rows = self.rows[index] | self.reason_false[index]
            raise ContradictionError(rows, self._too_few(index, rows))
        if not undecided:
            return
        if true == self.high[index]:
            why = self.rows[index] | self.reason_true[index]
            is_needed = False
        elif true + undecided == self.low[index]:
            why = self.rows[index] | self.reason_false[index]
            is_needed = True
        else:
            return
        for number, is_plain in self.members[index]:
            if self.value[number] is None:
                self._assign_literal(number, is_needed == is_plain, why)

    def _propagate_set(self, peg: int, colors: int, number: int) -> None:
        """A peg has one of some colors if no other is left, and none if none is left."""
        if self.value[number] is not None:
            return
        left = self.domains.domain[peg]
        if not left & colors:
            self._assign_literal(number, value=False, why=self._reason_of_peg(peg, colors))
        elif not left & ~colors:
            every = (1 << self.variables.colors) - 1
            self._assign_literal(number, value=True, why=self._reason_of_peg(peg, every & ~colors))

    def _propagate_conjunction(self, number: int) -> None:
        """True with all of its members; if false, its last member is."""
        value = self.value[number]
        if value:
            return
        undecided, why = [], 0
        literal = self.meaning[number]
        for each in literal if isinstance(literal, tuple) else ():
            member = self.numbers[abs(each)]
            true = self.value[member]
            if true is None:
                undecided.append((member, each > 0))
                if len(undecided) > 1:
                    return
            elif true == (each > 0):
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
