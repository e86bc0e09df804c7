"""Equations made shorter, by adding or subtracting others.

Over the literals that are undecided, an equation has coefficients 1 and -1: a denied literal is 1 -
x, and of the two colors of a peg that has two left, the one is 1 less the other. Two equations are
added or subtracted where the result has such coefficients again,

    a - b    if no literal has another sign in a than in b        a + b    if none has the same
    (a - b) / 2, (a + b) / 2                                   if both speak of the same literals

and it takes the place of the longer one if it is shorter. First, of the equations that speak of the
same literals, one is the base, and each other one becomes its half sum or half difference with the
base: two rows of a board of two colors leave the pegs where they differ. One color a peg and counts
that are known take part, but stay as they are.

differences: constraints made shorter by adding or subtracting others.

Proof. Each new equation is a combination of true ones, and the old one is a combination of the new
one and of the other, which stays (sparsify.py): the same codes satisfy both. A half of an odd
total, or a total out of reach, is a contradiction, with the combination as its certificate. The
equations remember what they are made of, so that later proofs still add up what the board says.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import gcd

from mmsat.constraints.algebra.certificate import Certificate
from mmsat.constraints.algebra.elimination import Sparse
from mmsat.constraints.presolve.domains import ReasonedConstraint, bits
from mmsat.constraints.presolve.infeasibility import Infeasibility
from mmsat.constraints.presolve.literal_equations import DerivedEquation, LiteralEquations
from mmsat.constraints.presolve.problem import Change, Problem
from mmsat.game.literals import CardinalityConstraint
from mmsat.limits import LIMITS

BASES = 8
"""Equations about the same literals that are tried as the base."""
SHORT = 2
"""Literals that are few enough: such equations are not made shorter."""


class FlawError(Exception):
    """A combination that nothing satisfies."""

    def __init__(self, certificate: Certificate) -> None:
        super().__init__()
        self.certificate = certificate


@dataclass(slots=True)
class Signed:
    """An equation with coefficients 1 and -1, as bits."""

    plus: int
    minus: int
    total: int
    made: Sparse
    """The combination of equations that makes `times` this one."""
    times: int = 1
    place: tuple[int, int] | None = None

    @property
    def literals(self) -> int:
        """The literals that it speaks of."""
        return self.plus | self.minus

    def __len__(self) -> int:
        return (self.plus | self.minus).bit_count()

    def short(self, literals: list[int]) -> DerivedEquation:
        """The same, with its literals by number."""
        left = {literals[bit]: 1 for bit in bits(self.plus)}
        left.update({literals[bit]: -1 for bit in bits(self.minus)})
        return DerivedEquation(left, self.total, self.made, self.place, self.times)

    def check(self) -> None:
        """Raise FlawError where the total is out of reach."""
        if not -self.minus.bit_count() <= self.total <= self.plus.bit_count():
            raise FlawError(Certificate(self.made))


def sparsify(equations: LiteralEquations) -> list[DerivedEquation]:
    """The short equations, some of them replaced; raises FlawError."""
    rows, literals = sign_equations(equations)
    shorten([row for row in rows if row is not None], len(literals))
    return [
        old
        if row is None or row.place is None or len(row) >= len(old.left)
        else row.short(literals)
        for row, old in zip(rows, equations.short, strict=True)
    ]


def sign_equations(equations: LiteralEquations) -> tuple[list[Signed | None], list[int]]:
    """The equations whose coefficients are 1 and -1, and the literals that their bits stand for."""
    variables, domains = equations.variables, equations.domains
    pairs = {}
    for peg, left in enumerate(domains.domain):
        if left.bit_count() == 2:
            first, second = bits(left)
            pairs[variables.at(peg, second)] = variables.at(peg, first)
    places: dict[int, int] = {}
    rows: list[Signed | None] = []
    for short in equations.short:
        open_facts, total, made = dict(short.left), short.total, dict(short.made)
        for literal in [literal for literal in open_facts if literal in pairs]:
            number, other = open_facts.pop(literal), pairs[literal]
            open_facts[other] = open_facts.get(other, 0) - number
            total -= number
            peg, _ = variables.peg_color(literal)
            used = {equations.peg(peg): -number}
            for color in range(variables.colors):  # what is known of the peg's other colors
                if domains.value(each := variables.at(peg, color)) is False:
                    used[equations.unit(each)] = number
            for index, times in used.items():
                made[index] = made.get(index, 0) + times
        signs = {literal: number for literal, number in open_facts.items() if number}
        if short.times != 1 or not all(abs(number) == 1 for number in signs.values()):
            rows.append(None)
            continue
        plus = minus = 0
        for literal, number in signs.items():
            bit = 1 << places.setdefault(literal, len(places))
            if number > 0:
                plus |= bit
            else:
                minus |= bit
        row = Signed(plus, minus, total, made, place=short.place)
        row.check()
        rows.append(row)
    return rows, list(places)


def shorten(rows: list[Signed], literals: int) -> None:
    """Make equations shorter, by bases and then by pairs, within a budget."""
    words = literals // 64 + 4
    work = subtract_bases(rows, words)
    open_rows = [row for row in rows if row.place is not None and len(row) > SHORT]
    for row in sorted(open_rows, key=lambda each: -len(each)):
        while len(row) > SHORT:
            work += words * len(rows)
            if work > LIMITS.sparsify_work:
                return
            best = min(
                ((length, index) for index, length in partners(row, rows)), default=(len(row), -1)
            )
            if best[0] >= len(row):
                break
            join(row, rows[best[1]])


def subtract_bases(rows: list[Signed], words: int) -> int:
    """Make half sums and differences with a base of the same literals; the words compared."""
    find_alike_pegs: dict[int, list[Signed]] = {}
    for row in rows:
        find_alike_pegs.setdefault(row.literals, []).append(row)
    work = 0
    for literals, group in find_alike_pegs.items():
        if len(group) < 2 or literals.bit_count() <= SHORT:
            continue
        work += words * BASES * len(group)
        if work > LIMITS.sparsify_work:
            break
        fixed = [row for row in group if row.place is None]
        base = fixed[0] if fixed else min(group[:BASES], key=lambda row: left_by(row, group))
        for row in group:
            if row is not base and row.place is not None:
                join(row, base)
    return work


def left_by(base: Signed, group: list[Signed]) -> int:
    """The literals left of equations about the same literals, with this one as the base."""
    size = len(base)
    left = 0
    for row in group:
        differing = (row.plus ^ base.plus).bit_count()
        left += min(differing, size - differing)
    return left


def partners(row: Signed, rows: list[Signed]) -> Iterator[tuple[int, int]]:
    """Equations that can be joined with one, by index, and the length that would be left."""
    plus, minus, literals = row.plus, row.minus, row.literals
    for index, other in enumerate(rows):
        common = literals & other.literals
        if not common or other is row:
            continue
        agreeing = plus & other.plus | minus & other.minus
        if other.literals == literals:
            many = agreeing.bit_count()
            yield index, min(many, common.bit_count() - many)
        elif agreeing in (0, common):
            yield index, (literals ^ other.literals).bit_count()


def join(row: Signed, other: Signed) -> None:
    """Put the shorter of sum and difference, or half of it, in an equation's place."""
    literals, others = row.literals, other.literals
    agreeing = row.plus & other.plus | row.minus & other.minus
    differing = literals & others & ~agreeing
    if literals == others:
        sign = -1 if differing.bit_count() <= agreeing.bit_count() else 1
        halves = 2
        kept = differing if sign < 0 else agreeing
        plus, minus = row.plus & kept, row.minus & kept
    else:
        sign = 1 if differing else -1
        halves = 1
        alone, new = literals & ~others, others & ~literals
        more, less = (other.plus, other.minus) if sign > 0 else (other.minus, other.plus)
        plus = row.plus & alone | more & new
        minus = row.minus & alone | less & new
    made = {index: number * other.times for index, number in row.made.items()}
    for index, number in other.made.items():
        made[index] = made.get(index, 0) + sign * row.times * number
    total, times = row.total + sign * other.total, row.times * other.times * halves
    if total % halves:
        raise FlawError(Certificate({i: n for i, n in made.items() if n}, times))
    common = gcd(times, *made.values())
    row.plus, row.minus, row.total = plus, minus, total // halves
    row.made = {index: number // common for index, number in made.items() if number}
    row.times = times // common
    row.check()


def subtract_rows(problem: Problem) -> Change | Infeasibility:
    """The problem with shorter constraints."""
    equations = problem.equations
    try:
        short = sparsify(equations)
    except FlawError as found:
        return equations.refutation("differences", found.certificate)
    changed = [list(constraints) for constraints in problem.rows]
    done = before = after = 0
    for old, new in zip(equations.short, short, strict=True):
        if new is not old and new.place is not None:
            done += 1
            before += len(old.left)
            after += len(new.left)
            row, number = new.place
            changed[row][number] = ReasonedConstraint(constraint(new), equations.rows(new.made))
    if not done:
        return Change(problem)
    text = f"made {done} constraints shorter, from {before} literals to {after}"
    rows = tuple(map(tuple, changed))
    return Change(replace(problem, rows=rows, read=equations.with_short(short)), text)


def constraint(short: DerivedEquation) -> CardinalityConstraint:
    """What an equation says whose coefficients are 1 and -1."""
    stated = tuple(literal if number > 0 else -literal for literal, number in short.left.items())
    true = short.total + sum(number < 0 for number in short.left.values())
    return CardinalityConstraint(stated, true, true)
