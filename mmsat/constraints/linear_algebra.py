"""Exact linear algebra: elimination modulo 2 and modulo primes, fractions, and Hermite form.

An equation is a sparse vector of coefficients and a total. No unknown is limited to 0 and 1 here.

- `insert_mod2` adds a row, given as the bits of an integer, to an echelon form modulo 2.
- `ModularElimination` reduces sparse equations modulo a prime and keeps, for each of them, the
  multipliers of the combination that it became. It makes proofs.
- `pivot_columns` reduces a dense matrix modulo a prime. It keeps no multipliers, but numpy does the
  work, so that a rank is found many times sooner.
- `find_dependencies` eliminates over the rationals: modulo a large prime, whose multipliers are
  read as fractions [1]. Each combination is added up in integers before it is returned, so a wrong
  fraction costs time but never correctness.
- `find_integer_contradiction` decides by a Hermite normal form [2] whether equations have a
  solution in integers, and otherwise returns multipliers that prove it [3].

The sparse elimination chooses its pivots as Markowitz does [4]: an unknown that is in the fewest
equations, and of these the shortest. Ties go to the unknown that was in few equations from the
start, because then the remainders of long equations share their unknowns.

References
----------
[1] Wang (1981), "A p-adic algorithm for univariate partial fractions", SYMSAC.
[2] Kannan and Bachem (1979), "Polynomial algorithms for computing the Smith and Hermite normal
    forms of an integer matrix", SIAM Journal on Computing 8.
[3] Schrijver (1986), "Theory of Linear and Integer Programming", Corollary 4.1a.
[4] Markowitz (1957), "The elimination form of the inverse and its application to linear
    programming", Management Science 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import gcd, lcm

from mmsat.arrays import Array, np

PRIMES = ((1 << 61) - 1, (1 << 521) - 1, (1 << 2203) - 1)
"""Large (Mersenne) primes. Sparse systems have small multipliers, dense ones need the larger."""
LONG_ROW_FACTOR = 8
"""An equation with more than this times the median number of coefficients counts as long."""
MAX_WORK = 4_000_000
"""Coefficients and multipliers that one elimination touches: a few seconds."""
MAX_HERMITE_BITS = 1024
"""Bits of a coefficient at which the search for a Hermite form gives up."""

SparseVector = dict[int, int]
"""The nonzero entries of a vector of integers, by index."""
Equation = tuple[SparseVector, int]
"""Coefficients by unknown, and their total."""


def combine_vectors(
    multipliers: Mapping[int, int], vector: Callable[[int], SparseVector]
) -> SparseVector:
    """Return a linear combination of vectors, which are looked up by index."""
    combination: SparseVector = {}
    for index, multiplier in multipliers.items():
        for key, number in vector(index).items():
            combination[key] = combination.get(key, 0) + multiplier * number
    return {key: number for key, number in combination.items() if number}


def combine_equations(multipliers: SparseVector, equations: Sequence[Equation]) -> Equation:
    """Return a linear combination of equations."""
    total = sum(number * equations[index][1] for index, number in multipliers.items())
    return combine_vectors(multipliers, lambda index: equations[index][0]), total


def insert_mod2(pivots: dict[int, int], row: int) -> int:
    """Reduce a row modulo 2 by an echelon form, add the remainder to it, and return it.

    A row is an integer with a bit for each column. `pivots` has the rows of the echelon form by
    their bit length, which is the number of the leading column from 1. The remainder is 0 if the
    row is a combination of rows that were inserted before.
    """
    while row and (pivot := row.bit_length()) in pivots:
        row ^= pivots[pivot]
    if row:
        pivots[row.bit_length()] = row
    return row


def find_odd_combination(equations: Sequence[Equation]) -> int | None:
    """Return equations whose sum has even coefficients and an odd total, as bits, if there are any.

    A row has, from the lowest bit, the combination that it is, its total, and its coefficients.
    """
    size = len(equations)
    columns: dict[int, int] = {}
    pivots: dict[int, int] = {}
    for index, (coefficients, total) in enumerate(equations):
        odd = sum(
            (number % 2) << columns.setdefault(unknown, len(columns))
            for unknown, number in coefficients.items()
        )
        row = odd << size + 1 | total % 2 << size | 1 << index
        remainder = insert_mod2(pivots, row)
        if remainder.bit_length() == size + 1:
            return remainder ^ 1 << size
    return None


def pivot_columns(matrix: Array, prime: int) -> Iterator[int | None]:
    """Yield, for each row in turn, the column of its pivot, or None if it depends on earlier rows.

    `matrix` has integers of 64 bits from 0 to `prime` - 1, and is overwritten. The prime must be
    below 2**31, so that products fit. Pivots are as far to the left as possible.
    """
    for index in range(len(matrix)):
        support = np.flatnonzero(matrix[index])
        if not len(support):
            yield None
            continue
        pivot = int(support[0])
        yield pivot
        below = index + 1 + np.flatnonzero(matrix[index + 1 :, pivot])
        inverse = pow(int(matrix[index, pivot]), -1, prime)
        factors = matrix[below, pivot] * inverse % prime
        products = factors[:, None] * matrix[index, support][None, :] % prime
        cells = np.ix_(below, support)
        matrix[cells] = (matrix[cells] - products) % prime


@dataclass(slots=True)
class ReducedEquation:
    """An equation during elimination, and the combination of given equations that it is."""

    coefficients: SparseVector
    total: int
    multipliers: SparseVector


class ModularElimination:
    """Gaussian elimination of sparse equations modulo a prime, step by step.

    Attributes
    ----------
    rows:
        The equations in the given order, in their present reduced state.
    pivots:
        The equations that were used to reduce others, by index. They are independent.
    long_rows:
        The equations that are far longer than the median, by index. They are reduced, but are
        pivots only at the end, because they would fill all other equations with their unknowns.
    """

    def __init__(self, equations: Sequence[Equation], prime: int) -> None:
        self.equations = equations
        self.prime = prime
        self.rows = [
            ReducedEquation(
                {key: number % prime for key, number in coefficients.items() if number % prime},
                total % prime,
                {index: 1},
            )
            for index, (coefficients, total) in enumerate(equations)
        ]
        self.pivots: set[int] = set()
        lengths = [len(row.coefficients) for row in self.rows]
        usual = LONG_ROW_FACTOR * sorted(lengths)[len(lengths) // 2] if lengths else 0
        self.long_rows = {index for index, length in enumerate(lengths) if length > usual}
        self.work = 0

    def run(self, max_work: int = MAX_WORK) -> bool:
        """Eliminate all unknowns and return True, or stop early and return False.

        The amount of work that is allowed falls with the length of the prime.
        """
        max_work //= -(-self.prime.bit_length() // 61)
        users: dict[int, set[int]] = {}
        for index, row in enumerate(self.rows):
            if index not in self.long_rows:
                for unknown in row.coefficients:
                    users.setdefault(unknown, set()).add(index)
        first_count = {unknown: len(rows) for unknown, rows in users.items()}
        heap = [(count, count, unknown) for unknown, count in first_count.items()]
        heapify(heap)
        while heap:
            count, _, unknown = heappop(heap)
            rows = users[unknown]
            if not rows:
                continue
            if len(rows) != count:  # the entry is out of date
                heappush(heap, (len(rows), first_count[unknown], unknown))
                continue
            pivot = min(rows, key=lambda index: (len(self.rows[index].coefficients), index))
            self.pivots.add(pivot)
            for other in self.rows[pivot].coefficients:
                users[other].discard(pivot)
            for index in sorted(rows):
                self._reduce(index, pivot, unknown, users)
            for index in self.long_rows:
                self._reduce(index, pivot, unknown, None)
            for other in self.rows[pivot].coefficients:
                if users[other]:
                    heappush(heap, (len(users[other]), first_count[other], other))
            if self.work > max_work:
                return False
        self._reduce_long_rows()
        return True

    def _reduce_long_rows(self) -> None:
        """Reduce the long equations by one another, the shortest first."""
        rows = sorted(self.long_rows, key=lambda index: (len(self.rows[index].coefficients), index))
        for place, pivot in enumerate(rows[:-1]):
            if self.rows[pivot].coefficients:
                self.pivots.add(pivot)
                unknown = min(self.rows[pivot].coefficients)
                for index in rows[place + 1 :]:
                    self._reduce(index, pivot, unknown, None)

    def _reduce(
        self, index: int, pivot: int, unknown: int, users: dict[int, set[int]] | None
    ) -> None:
        """Remove an unknown from an equation by subtracting a multiple of the pivot equation."""
        row, by, prime = self.rows[index], self.rows[pivot], self.prime
        if unknown not in row.coefficients:
            return
        factor = -row.coefficients[unknown] * pow(by.coefficients[unknown], -1, prime) % prime
        self.work += len(by.coefficients) + len(by.multipliers)
        row.total = (row.total + factor * by.total) % prime
        for other, number in by.multipliers.items():
            if value := (row.multipliers.get(other, 0) + factor * number) % prime:
                row.multipliers[other] = value
            else:
                row.multipliers.pop(other, None)
        for other, number in by.coefficients.items():
            if value := (row.coefficients.get(other, 0) + factor * number) % prime:
                if users is not None and other not in row.coefficients:
                    users[other].add(index)
                row.coefficients[other] = value
            elif other in row.coefficients:
                del row.coefficients[other]
                if users is not None:
                    users[other].discard(index)

    def multipliers(self, index: int) -> SparseVector | None:
        """Return small integers that combine given equations to a multiple of a reduced one."""
        return reconstruct_multipliers(self.rows[index].multipliers, self.prime)

    def dependencies(self) -> tuple[dict[int, tuple[SparseVector, int]], bool]:
        """Return the combinations whose left side vanishes, and whether these are all.

        Each has the index of the equation that was reduced to it, its multipliers and its total.
        It is checked in integers; modulo 2 the coefficients are even instead of 0. A combination
        may be missing if its multipliers are too large to be read modulo this prime.
        """
        checked = {}
        vanished = [index for index, row in enumerate(self.rows) if not row.coefficients]
        for index in vanished:
            multipliers = self.multipliers(index)
            if multipliers is None:
                continue
            coefficients, total = combine_equations(multipliers, self.equations)
            if self.prime == 2:
                coefficients = {key: 1 for key, number in coefficients.items() if number % 2}
            if not coefficients:
                checked[index] = multipliers, total
        return checked, len(checked) == len(vanished)


def find_dependencies(
    equations: Sequence[Equation], max_work: int = MAX_WORK
) -> tuple[ModularElimination, dict[int, tuple[SparseVector, int]]]:
    """Eliminate over the rationals, and return the elimination with its dependencies.

    Larger primes are tried until all dependencies are known, or one contradicts: its coefficients
    are 0 and its total is not.
    """
    for prime in PRIMES:
        elimination = ModularElimination(equations, prime)
        elimination.run(max_work)
        dependencies, are_all_known = elimination.dependencies()
        if are_all_known or any(total for _, total in dependencies.values()):
            break
    return elimination, dependencies


def reconstruct_multipliers(residues: SparseVector, prime: int) -> SparseVector | None:
    """Return coprime integers in the ratios of some residues; None if they are too large."""
    if prime == 2:
        return dict(residues)
    fractions: dict[int, tuple[int, int]] = {}
    denominator = 1
    for key, residue in residues.items():
        fraction = rational_reconstruction(residue, prime)
        if fraction is None:
            return None
        fractions[key] = fraction
        denominator = lcm(denominator, fraction[1])
        if denominator > prime:
            return None
    scaled = {key: above * (denominator // below) for key, (above, below) in fractions.items()}
    common = gcd(*scaled.values())
    return {key: number // common for key, number in scaled.items()} if common else scaled


def rational_reconstruction(residue: int, prime: int) -> tuple[int, int] | None:
    """Return the fraction with small numerator and denominator that is a residue modulo a prime.

    This is Euclid's algorithm on the prime and the residue, stopped half way [1].
    """
    bound = 1 << (prime.bit_length() // 2 - 1)
    before, after, old, new = prime, residue, 0, 1
    while after > bound:
        quotient = before // after
        before, after = after, before - quotient * after
        old, new = new, old - quotient * new
    if new == 0 or abs(new) > bound:
        return None
    return (after, new) if new > 0 else (-after, -new)


def find_integer_contradiction(
    equations: Sequence[Equation], max_work: int
) -> tuple[SparseVector, int] | None:
    """Return multipliers and a modulus which prove that no integers solve the equations.

    The modulus divides all coefficients of the combination, but not its total. If the modulus is
    0, the coefficients are 0 and the total is not. Return None if no contradiction is found.
    """
    pivots: list[tuple[int, SparseVector]] = []
    """The equations with a pivot, and the columns of the pivots."""
    values: list[int] = []
    """The values of the transformed unknowns, which follow one by one."""
    for index, column in hermite_columns([left for left, _ in equations], max_work):
        total = equations[index][1]
        for value, (_, earlier) in zip(values, pivots, strict=True):
            total -= value * earlier.get(index, 0)
        pivot = 0 if column is None else column[index]  # 0: a combination of earlier equations
        if total % pivot if pivot else total:
            multipliers, factor = cancel_columns(pivots, {index: -1 if pivot < 0 else 1})
            modulus = abs(pivot) * factor
            common = gcd(modulus, *multipliers.values())
            return {key: number // common for key, number in multipliers.items()}, modulus // common
        if column is not None:
            pivots.append((index, column))
            values.append(total // pivot)
    return None


def hermite_columns(
    rows: Sequence[SparseVector], max_work: int
) -> Iterator[tuple[int, SparseVector | None]]:
    """Yield each row's index with its pivot column in the Hermite normal form of a matrix.

    The pivot is the last entry of its row. A row without a pivot depends on earlier rows. Only
    operations on columns are done, so they amount to an invertible integer substitution of the
    unknowns. The entries left of a pivot are not reduced by it. The iteration ends early after
    `max_work` entries, or if entries become too large.
    """
    columns: dict[int, SparseVector] = {}
    for index, row in enumerate(rows):
        for unknown, number in row.items():
            columns.setdefault(unknown, {})[index] = number
    remaining = [columns[unknown] for unknown in sorted(columns)]
    work = 0
    for index in range(len(rows)):
        here = [column for column in remaining if index in column]
        remaining = [column for column in remaining if index not in column]
        while len(here) > 1:  # Euclid's algorithm on the entries of this row
            pivot = min(here, key=lambda column: (abs(column[index]), len(column)))
            others = []
            for column in here:
                if column is pivot:
                    continue
                work += len(pivot)
                subtract_multiple(column, pivot, column[index] // pivot[index])
                if index in column:
                    others.append(column)
                elif column:
                    remaining.append(column)
            here = [pivot, *others]
            if work > max_work or pivot[index].bit_length() > MAX_HERMITE_BITS:
                return
        yield index, here[0] if here else None


def subtract_multiple(column: SparseVector, pivot: SparseVector, factor: int) -> None:
    """Subtract a multiple of one vector from another in place."""
    for index, number in pivot.items():
        if value := column.get(index, 0) - factor * number:
            column[index] = value
        else:
            column.pop(index, None)


def cancel_columns(
    pivots: Sequence[tuple[int, SparseVector]], multipliers: SparseVector
) -> tuple[SparseVector, int]:
    """Combine a positive multiple of some equations with the pivot equations.

    In the combination, the columns of all pivots add up to 0. Return its multipliers, and by which
    factor the given ones were multiplied.
    """
    factor = 1
    for index, column in reversed(pivots):
        total = sum(number * column[row] for row, number in multipliers.items() if row in column)
        if total:
            scale = abs(column[index]) // gcd(column[index], total)
            multipliers = {row: number * scale for row, number in multipliers.items()}
            multipliers[index] = -total * scale // column[index]
            factor *= scale
    return multipliers, factor
