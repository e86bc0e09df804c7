"""Gaussian elimination on short equations: which are implied, and what contradicts.

All arithmetic is modulo a prime. With the prime 2 a row that vanishes while its total does not is
a contradiction by parity. With a large prime the multipliers are read as fractions, and whatever is
concluded is first checked in whole numbers, so that a bad guess costs time and never the truth:

- an equation whose left side is a combination of others' either contradicts them or is implied;
- of the longest equation (the weight, as a rule) what is left takes its place, if it is shorter: it
  is a combination of it, with a number that is not 0, and of equations that are kept.

The pivot is always a peg in the fewest equations, first of all a peg that had few from the start,
so that what is left of long equations speaks of pegs that many others share. On sparse boards most
pegs stand in one alone, and such equations go without any work. Equations far longer than the
others are only reduced, never a pivot before the end: they would put their many pegs in all others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from math import gcd, lcm

PRIMES = ((1 << 61) - 1, (1 << 521) - 1, (1 << 2203) - 1)
"""Large primes (Mersenne's). Sparse systems have small multipliers, dense ones need the larger."""
HUB = 8
"""So many times longer than the middle one is far longer."""
WORK = 4_000_000
"""Numbers that are touched at most: a few seconds."""

Sparse = dict[int, int]
"""Numbers by peg or by equation, none of them 0."""


@dataclass(slots=True)
class Reduced:
    """What became of an equation."""

    left: Sparse
    total: int
    made: Sparse
    """By equation: the combination that it is."""


@dataclass(slots=True)
class Elimination:
    """Equations as they are reduced, step by step, modulo a prime."""

    rows: list[Reduced]
    prime: int
    pivots: set[int] = field(default_factory=set)
    """The equations that were used to reduce the others; they are independent."""
    hubs: set[int] = field(default_factory=set)
    """The far longer equations."""
    work: int = 0

    @classmethod
    def of(cls, equations: list[tuple[Sparse, int]], prime: int) -> Elimination:
        """Start: each equation is itself."""
        rows = [
            Reduced(
                {peg: number % prime for peg, number in left.items() if number % prime},
                total % prime,
                {index: 1},
            )
            for index, (left, total) in enumerate(equations)
        ]
        found = cls(rows, prime)
        lengths = sorted(len(row.left) for row in rows)
        usual = HUB * lengths[len(lengths) // 2] if lengths else 0
        found.hubs = {index for index, row in enumerate(rows) if len(row.left) > usual}
        return found

    def run(self, limit: int = WORK) -> bool:
        """Reduce by each pivot; whether it was done within so much work, less for large primes."""
        limit //= -(-self.prime.bit_length() // 61)
        columns: dict[int, set[int]] = {}
        for index, row in enumerate(self.rows):
            if index not in self.hubs:
                for peg in row.left:
                    columns.setdefault(peg, set()).add(index)
        first = {peg: len(rows) for peg, rows in columns.items()}
        heap = [(count, count, peg) for peg, count in first.items()]
        heapify(heap)
        while heap:
            count, _, peg = heappop(heap)
            rows = columns[peg]
            if not rows:
                continue
            if len(rows) != count:
                heappush(heap, (len(rows), first[peg], peg))
                continue
            pivot = min(rows, key=lambda index: (len(self.rows[index].left), index))
            self.pivots.add(pivot)
            for other in self.rows[pivot].left:
                columns[other].discard(pivot)
            for index in sorted(rows):
                self.reduce(index, pivot, peg, columns)
            for index in self.hubs:
                self.reduce(index, pivot, peg, None)
            for other in self.rows[pivot].left:
                if columns[other]:
                    heappush(heap, (len(columns[other]), first[other], other))
            if self.work > limit:
                return False
        self.reduce_hubs()
        return True

    def reduce_hubs(self) -> None:
        """Reduce the long equations by one another, the shorter first."""
        left = sorted(self.hubs, key=lambda index: (len(self.rows[index].left), index))
        for number, pivot in enumerate(left[:-1]):
            if self.rows[pivot].left:
                self.pivots.add(pivot)
                peg = min(self.rows[pivot].left)
                for index in left[number + 1 :]:
                    self.reduce(index, pivot, peg, None)

    def reduce(self, index: int, pivot: int, peg: int, columns: dict[int, set[int]] | None) -> None:
        """Take the peg out of an equation by means of the pivot."""
        row, by, prime = self.rows[index], self.rows[pivot], self.prime
        if peg not in row.left:
            return
        factor = -row.left[peg] * pow(by.left[peg], -1, prime) % prime
        self.work += len(by.left) + len(by.made)
        row.total = (row.total + factor * by.total) % prime
        for other, number in by.made.items():
            if value := (row.made.get(other, 0) + factor * number) % prime:
                row.made[other] = value
            else:
                row.made.pop(other, None)
        for other, number in by.left.items():
            if value := (row.left.get(other, 0) + factor * number) % prime:
                if columns is not None and other not in row.left:
                    columns[other].add(index)
                row.left[other] = value
            elif other in row.left:
                del row.left[other]
                if columns is not None:
                    columns[other].discard(index)


def find_dependencies(
    elimination: Elimination, plain: list[tuple[Sparse, int]], limit: int = WORK
) -> tuple[dict[int, tuple[Sparse, int]], bool]:
    """Eliminate within a limit of work, and see what vanishes.

    For each row that vanishes, the combination that it is, and its total.
    Checked in whole numbers: the left side is 0, or even with the prime 2. And whether that was
    found of all rows that vanish, or some need a larger prime.
    """
    prime = elimination.prime
    found = {}
    vanished = 0
    elimination.run(limit)
    for index, reduced in enumerate(elimination.rows):
        if reduced.left:
            continue
        vanished += 1
        multipliers = reconstruct_multipliers(reduced.made, prime)
        if multipliers is None:
            continue
        left, total = combine(multipliers, plain)
        if not left or (prime == 2 and not any(number % 2 for number in left.values())):
            found[index] = multipliers, total
    return found, len(found) == vanished


def combine(multipliers: Sparse, plain: list[tuple[Sparse, int]]) -> tuple[Sparse, int]:
    """The left side, without zeros, and the total of a combination."""
    total = sum(number * plain[index][1] for index, number in multipliers.items())
    return add_up(multipliers, lambda index: plain[index][0]), total


def add_up(multipliers: Mapping[int, int], vector: Callable[[int], Sparse]) -> Sparse:
    """The linear combination of sparse vectors, without zeros."""
    found: Sparse = {}
    for index, times in multipliers.items():
        for key, number in vector(index).items():
            found[key] = found.get(key, 0) + times * number
    return {key: number for key, number in found.items() if number}


def reconstruct_multipliers(numbers: Sparse, prime: int) -> Sparse | None:
    """The numbers times whatever makes them small whole numbers, if that is seen."""
    if prime == 2:
        return dict(numbers)
    fractions: dict[int, tuple[int, int]] = {}
    below = 1
    for key, number in numbers.items():
        found = rational_reconstruction(number, prime)
        if found is None:
            return None
        fractions[key] = found
        below = lcm(below, found[1])
        if below > prime:
            return None
    scaled = {key: above * (below // under) for key, (above, under) in fractions.items()}
    common = gcd(*scaled.values())
    return {key: number // common for key, number in scaled.items()} if common else scaled


def rational_reconstruction(number: int, prime: int) -> tuple[int, int] | None:
    """The fraction with the least numbers that is this number modulo the prime, if it is small.

    Euclid's algorithm on the prime and the number, stopped half way (Wang 1981).
    """
    bound = 1 << (prime.bit_length() // 2 - 1)
    before, after, old, new = prime, number, 0, 1
    while after > bound:
        quotient = before // after
        before, after = after, before - quotient * after
        old, new = new, old - quotient * new
    if new == 0 or abs(new) > bound:
        return None
    return (after, new) if new > 0 else (-after, -new)
