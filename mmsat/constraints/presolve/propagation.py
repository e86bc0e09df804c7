"""Unit and bound propagation, to its end.

For each fact that a claim counts it is kept whether it is decided, and for each claim how many of
its facts are true and how many undecided. Facts about the same peg that a claim counts together
("peg 2 is red or blue") are one fact, as one color a peg makes no more than one of them true. What
follows, besides what pegs and counts say on their own (narrowing.py):

- a claim with as many true facts as it may have denies the rest, and one that needs all the rest
  has them;
- a conjunction is true just when all of its members are.

Each rule is applied once for each change that it hangs on, so the work grows with the facts in
all claims.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from mmsat.constraints.presolve.known import bits
from mmsat.constraints.presolve.narrowing import ContradictionError, Narrowing
from mmsat.constraints.presolve.refutation import named
from mmsat.game.spelling import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mmsat.constraints.presolve.known import Known
    from mmsat.constraints.presolve.problem import Said
    from mmsat.game.facts import Fact


@dataclass(frozen=True, slots=True)
class PegSet:
    """The fact that a peg has one of some colors."""

    peg: int
    colors: int
    """As bits."""


Counted: TypeAlias = "Fact | PegSet"
"""What claims count."""


class Propagation(Narrowing):
    """All that follows from claims and from what is known; raises ContradictionError."""

    def __init__(self, said: Iterable[Said], known: Known) -> None:
        """Read the claims; `known` will be changed."""
        super().__init__(known)
        # facts that are counted, each with a number
        self.numbers: dict[Counted, int] = {}
        self.value: list[bool | None] = []
        self.why: list[int] = []
        self.meaning: list[Counted] = []
        self.users: list[list[tuple[int, bool]]] = []
        """By number: the claims that count the fact, and whether as it is."""
        self.parents: list[list[tuple[int, bool]]] = []
        """By number: the conjunctions that the fact is in, and whether as it is."""
        self.sets: dict[int, list[tuple[int, int]]] = {}
        """By peg: sets of colors that are counted as one."""
        self.least: dict[int, list[tuple[int, int]]] = {}
        """By color: the counts that are asked about."""
        self.queue: deque[int] = deque()
        # claims
        self.members: list[list[tuple[int, bool]]] = []
        self.low: list[int] = []
        self.high: list[int] = []
        self.true: list[int] = []
        self.undecided: list[int] = []
        self.rows: list[int] = []
        self.why_true: list[int] = []
        self.why_false: list[int] = []
        for each in said:
            self._read(each)

    def _read(self, each: Said) -> None:
        """Take a claim in."""
        claim, rows = each
        if claim.low > claim.high:
            raise ContradictionError(rows, f"ask for at least {claim.low} and at most {claim.high}")
        self._read_count(each)
        index = len(self.members)
        members = [(self._number(fact), is_plain) for fact, is_plain in self._terms(claim.facts)]
        self.members.append(members)
        self.low.append(claim.low)
        self.high.append(claim.high)
        for number, is_plain in members:
            self.users[number].append((index, is_plain))
        self.true.append(0)
        self.undecided.append(len(members))  # what is decided by now waits in the queue
        self.rows.append(rows)
        self.why_true.append(0)
        self.why_false.append(0)

    def _read_count(self, each: Said) -> None:
        """A claim about one color alone bounds its count."""
        facts, (stated, low, high) = self.facts, each.claim
        first = stated[0] if stated else 0
        if not (isinstance(first, int) and 0 < first <= facts.pegs * facts.colors):
            return
        color = (first - 1) % facts.colors
        for fact in stated:
            if not (
                isinstance(fact, int)
                and 0 < fact <= facts.pegs * facts.colors
                and (fact - 1) % facts.colors == color
            ):
                return
        self._raise(color, low, each.rows)
        self._lower(color, high + facts.pegs - len(stated), each.rows)

    def _terms(self, stated: tuple[Fact, ...]) -> Iterator[tuple[Counted, bool]]:
        """The facts that a claim counts, those about a peg taken together; whether as they are."""
        facts = self.facts
        last = facts.pegs * facts.colors
        pegs: dict[int, int] = {}
        for fact in stated:
            if isinstance(fact, tuple):
                yield fact, True
            elif 0 < fact <= last:
                peg, color = divmod(fact - 1, facts.colors)
                pegs[peg] = pegs.get(peg, 0) | 1 << color
            else:
                yield abs(fact), fact > 0
        for peg, colors in pegs.items():
            if colors & (colors - 1):
                yield PegSet(peg, colors), True
            else:
                yield peg * facts.colors + colors.bit_length(), True

    def _number(self, fact: Counted) -> int:
        """The number of a fact that is counted, made when first asked for."""
        if fact in self.numbers:
            return self.numbers[fact]
        members = fact if isinstance(fact, tuple) else ()
        inner = [(self._number(abs(each)), each > 0) for each in members]
        number = self.numbers[fact] = len(self.value)
        self.value.append(None)
        self.why.append(0)
        self.meaning.append(fact)
        self.users.append([])
        self.parents.append([])
        if isinstance(fact, PegSet):
            self.sets.setdefault(fact.peg, []).append((fact.colors, number))
            self._look_at_set(fact.peg, fact.colors, number)
        elif isinstance(fact, tuple):
            for each, is_plain in inner:
                self.parents[each].append((number, is_plain))
            self._look_at_conjunction(number)
        else:
            if not self.facts.is_at(fact):
                color, count = self.facts.color_count(fact)
                self.least.setdefault(color, []).append((count, number))
            value = self.known.value(fact)
            if value is not None:
                self._decide(number, value, self.known.rows(fact))
        return number

    def run(self) -> None:
        """Apply the rules until nothing changes."""
        for index in range(len(self.members)):
            self._look_at_claim(index)
        while self.queue or self._settle_colors():
            while self.queue:
                self._consequences(self.queue.popleft())

    def _told(self, fact: int, *, value: bool, why: int) -> None:
        number = self.numbers.get(fact)
        if number is not None:
            self._decide(number, value, why)

    def _narrowed(self, peg: int) -> None:
        for colors, number in self.sets.get(peg, ()):
            self._look_at_set(peg, colors, number)

    def _bounded(self, color: int) -> None:
        known = self.known
        for count, number in self.least.get(color, ()):
            if self.value[number] is None:
                if count <= known.low[color]:
                    self._decide(number, value=True, why=known.why_low[color])
                elif count > known.high[color]:
                    self._decide(number, value=False, why=known.why_high[color])

    def _decide(self, number: int, value: bool, why: int) -> None:
        """Settle a fact that is counted."""
        old = self.value[number]
        if old is None:
            self.value[number] = value
            self.why[number] = why
            self.queue.append(number)
        elif old != value:
            raise ContradictionError(why | self.why[number], self._both(number))

    def _both(self, number: int) -> str:
        """A fact that is true and false."""
        fact = self.meaning[number]
        if isinstance(fact, PegSet):
            colors = listed([str(color + 1) for color in bits(fact.colors)])
            return f"say that the color of peg {fact.peg + 1} is among {colors}, and that it is not"
        if not isinstance(fact, int):
            return "say of some things that all are true, and that not all are"
        if self.facts.is_at(fact):
            peg, color = self.facts.peg_color(fact)
            return f"say that peg {peg + 1} is color {color + 1}, and that it is not"
        color, count = self.facts.color_count(fact)
        many = f"{count} pegs are" if count > 1 else "1 peg is"
        return f"say that at least {many} color {color + 1}, and that this is not so"

    def _too_many(self, index: int, rows: int) -> str:
        """More of what a claim counts is true, by some rows, than it allows."""
        many = f"make {self._counted(index, self.true[index])}"
        high = self.high[index]
        return f"{many}{self._whose(index, rows)} allow{self._ending(index)} " + (
            f"at most {high}" if high else "none"
        )

    def _too_few(self, index: int, rows: int) -> str:
        """Less of what a claim counts can be true, by some rows, than it needs."""
        most = self.true[index] + self.undecided[index]
        many = f"leave {'at most ' if most else ''}{self._counted(index, most)}"
        return f"{many}{self._whose(index, rows)} need{self._ending(index)} {self.low[index]}"

    def _whose(self, index: int, rows: int) -> str:
        """Who makes a claim, between what some rows do to it and what it says."""
        if rows == self.rows[index]:
            return ", and"
        with_or_for = "with" if "common" in self._counted(index, 1) else "for"
        return f" {with_or_for} {named(self.rows[index])}, which"

    def _ending(self, index: int) -> str:
        """The ending of its verb."""
        return "s" * (self.rows[index].bit_count() == 1)

    def _counted(self, index: int, many: int) -> str:
        """So many of what a claim counts: `2 pegs right`."""
        facts = [self.meaning[number] for number, is_plain in self.members[index] if is_plain]
        whole = [fact for fact in facts if isinstance(fact, int)]
        before, after = "fact", "true"
        if self.rows[index].bit_count() == 1 and len(whole) == len(self.members[index]):
            if all(map(self.facts.is_at, whole)):
                before, after = "peg", "right"
            elif not any(map(self.facts.is_at, whole)):
                before, after = "color", "in common"
        return f"{many or 'no'} {before}{'s' * (many > 1)} {after}"

    def _consequences(self, number: int) -> None:
        """What a fact means for its pegs or counts, and for the claims that count it."""
        fact, value, why = self.meaning[number], self.value[number], self.why[number]
        if isinstance(fact, int):
            self._say(fact if value else -fact, why)
        elif isinstance(fact, PegSet):
            left = self.known.left[fact.peg]
            self._exclude(fact.peg, left & ~fact.colors if value else left & fact.colors, why)
        elif value:
            for each in fact:
                self._say(each, why)
        else:
            self._look_at_conjunction(number)
        for index, is_plain in self.users[number]:
            self.undecided[index] -= 1
            if value == is_plain:
                self.true[index] += 1
                self.why_true[index] |= why
            else:
                self.why_false[index] |= why
            self._look_at_claim(index)
        for parent, is_plain in self.parents[number]:
            if value != is_plain:
                self._decide(parent, value=False, why=why)
            else:
                self._look_at_conjunction(parent)

    def _look_at_claim(self, index: int) -> None:
        """Enough is enough, and what is needed is there."""
        true, undecided = self.true[index], self.undecided[index]
        if true > self.high[index]:
            rows = self.rows[index] | self.why_true[index]
            raise ContradictionError(rows, self._too_many(index, rows))
        if true + undecided < self.low[index]:
            rows = self.rows[index] | self.why_false[index]
            raise ContradictionError(rows, self._too_few(index, rows))
        if not undecided:
            return
        if true == self.high[index]:
            why = self.rows[index] | self.why_true[index]
            is_needed = False
        elif true + undecided == self.low[index]:
            why = self.rows[index] | self.why_false[index]
            is_needed = True
        else:
            return
        for number, is_plain in self.members[index]:
            if self.value[number] is None:
                self._decide(number, is_needed == is_plain, why)

    def _look_at_set(self, peg: int, colors: int, number: int) -> None:
        """A peg has one of some colors if no other is left, and none if none is left."""
        if self.value[number] is not None:
            return
        left = self.known.left[peg]
        if not left & colors:
            self._decide(number, value=False, why=self._why_peg(peg, colors))
        elif not left & ~colors:
            every = (1 << self.facts.colors) - 1
            self._decide(number, value=True, why=self._why_peg(peg, every & ~colors))

    def _look_at_conjunction(self, number: int) -> None:
        """True with all of its members; if false, its last member is."""
        value = self.value[number]
        if value:
            return
        undecided, why = [], 0
        fact = self.meaning[number]
        for each in fact if isinstance(fact, tuple) else ():
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
                    self._decide(number, value=False, why=self.why[member])
                return
        if not undecided:
            self._decide(number, value=True, why=why)
        elif value is False:
            member, is_plain = undecided[0]
            self._decide(member, not is_plain, why | self.why[number])
