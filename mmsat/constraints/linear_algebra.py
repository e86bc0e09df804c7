"""Exact linear algebra: elimination modulo primes, over the rationals, and over the integers.

An equation is a sparse vector of coefficients and a total. The unknowns are rationals or integers,
not limited to 0 and 1.

- `insert_mod2` adds a row, given as the bits of an integer, to an echelon form modulo 2.
- `ModularElimination` reduces sparse equations modulo a prime. For each equation, it keeps the
  multipliers that combine the given equations to it, as needed for proofs.
- `pivot_columns` reduces a dense matrix modulo a prime. It keeps no multipliers, but uses numpy,
  and computes a rank many times faster.
- `find_dependencies` finds the dependencies over the rationals: it eliminates modulo a large prime,
  and reconstructs the multipliers as fractions [1]. Each combination is verified in integers before
  it is returned, so a wrong fraction costs time but never correctness.
- `find_integer_contradiction` searches for a proof [3] that equations have no solution in integers.
  It computes a column echelon form, as for the Hermite normal form [2].

The sparse elimination chooses its pivots by a Markowitz rule [4]: an unknown that is in the fewest
equations, and the shortest of these equations. Ties are broken by the number of equations with the
unknown at the start, fewest first. The remainders of long equations then share unknowns, and
remain shorter.

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

from mmsat._util import Array, np

PRIMES = ((1 << 61) - 1, (1 << 521) - 1, (1 << 2203) - 1)
"""Mersenne primes, tried in this order. Sparse systems have small multipliers, dense ones need the
larger primes."""
LONG_ROW_FACTOR = 8
"""An equation is long if it has more coefficients than this multiple of the median."""
MAX_ELIMINATION_WORK = 4_000_000
"""Maximum number of coefficients and multipliers that an elimination processes, which takes a
few seconds."""
MAX_PIVOT_BITS = 1024
"""The computation of an echelon form stops if a pivot has more bits than this."""

SparseVector = dict[int, int]
"""The nonzero entries of a vector of integers, by index."""
Equation = tuple[SparseVector, int]
"""The coefficient of each unknown, and the total."""


def combine_vectors(
    multipliers: Mapping[int, int], vector: Callable[[int], SparseVector]
) -> SparseVector:
    """Return a linear combination of vectors, which are looked up by index."""
    combination: SparseVector = {}
    for index, multiplier in multipliers.items():
        for key, entry in vector(index).items():
            combination[key] = combination.get(key, 0) + multiplier * entry
    return {key: entry for key, entry in combination.items() if entry}


def combine_equations(multipliers: SparseVector, equations: Sequence[Equation]) -> Equation:
    """Return a linear combination of equations."""
    total = sum(multiplier * equations[index][1] for index, multiplier in multipliers.items())
    return combine_vectors(multipliers, lambda index: equations[index][0]), total


def insert_mod2(pivots: dict[int, int], row: int) -> int:
    """Reduce a row modulo 2 by an echelon form, add the remainder to the form, and return it.

    A row is an integer with a bit for each column. `pivots` has the rows of the echelon form, each
    by its bit length, which is the number of its leading column, from 1. The remainder is 0 if the
    row is a combination of rows inserted earlier.
    """
    while row and (pivot := row.bit_length()) in pivots:
        row ^= pivots[pivot]
    if row:
        pivots[row.bit_length()] = row
    return row


def find_odd_combination(equations: Sequence[Equation]) -> int | None:
    """Return a set of equations whose sum has even coefficients and an odd total, or None.

    The result has bit i set if equation i is in the set.
    """
    # The bits of a row are, from the lowest: the added equations, the total, the coefficients.
    size = len(equations)
    columns: dict[int, int] = {}
    pivots: dict[int, int] = {}
    for index, (coefficients, total) in enumerate(equations):
        odd_coefficients = sum(
            (coefficient % 2) << columns.setdefault(unknown, len(columns))
            for unknown, coefficient in coefficients.items()
        )
        row = odd_coefficients << size + 1 | total % 2 << size | 1 << index
        remainder = insert_mod2(pivots, row)
        if remainder.bit_length() == size + 1:  # no coefficient is odd, but the total is
            return remainder ^ 1 << size
    return None


def pivot_columns(matrix: Array, prime: int) -> Iterator[int | None]:
    """Yield the column of the pivot of each row, or None if the row depends on earlier rows.

    `matrix` has 64-bit integers from 0 to `prime` - 1, and is overwritten. The prime must be below
    2**31, so that products do not overflow. Pivots are as far to the left as possible.
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
    """An equation during elimination. Its `multipliers` combine the given equations to it."""

    coefficients: SparseVector
    total: int
    multipliers: SparseVector


class ModularElimination:
    """Gaussian elimination of sparse equations modulo a prime, step by step.

    Attributes
    ----------
    rows:
        The current form of each equation, in the given order.
    pivots:
        Indices of the equations that were used to reduce others. They are independent.
    long_rows:
        Indices of the equations that are far longer than the median. They are reduced like others,
        but become pivots only at the end, because they would make all other equations long.
    work:
        The number of coefficients and multipliers processed so far.
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
        max_length = LONG_ROW_FACTOR * sorted(lengths)[len(lengths) // 2] if lengths else 0
        self.long_rows = {index for index, length in enumerate(lengths) if length > max_length}
        self.work = 0

    def run(self, max_work: int = MAX_ELIMINATION_WORK) -> bool:
        """Eliminate all unknowns and return True, or exceed `max_work` and return False.

        The limit is divided by the length of the prime in units of 61 bits, the length of the first
        prime, because operations modulo larger primes take longer.
        """
        max_work //= -(-self.prime.bit_length() // 61)  # the divisor is rounded up
        equations_with: dict[int, set[int]] = {}  # the unreduced equations with each unknown
        for index, row in enumerate(self.rows):
            if index not in self.long_rows:
                for unknown in row.coefficients:
                    equations_with.setdefault(unknown, set()).add(index)
        initial_counts = {unknown: len(indices) for unknown, indices in equations_with.items()}
        # A priority queue of unknowns with their current and initial counts. It is lazy: an
        # outdated count is corrected when it is popped.
        heap = [(count, count, unknown) for unknown, count in initial_counts.items()]
        heapify(heap)
        while heap:
            count, _, unknown = heappop(heap)
            indices = equations_with[unknown]
            if not indices:
                continue
            if len(indices) != count:  # the entry is outdated
                heappush(heap, (len(indices), initial_counts[unknown], unknown))
                continue
            pivot = min(indices, key=lambda index: (len(self.rows[index].coefficients), index))
            self.pivots.add(pivot)
            for other_unknown in self.rows[pivot].coefficients:
                equations_with[other_unknown].discard(pivot)
            for index in sorted(indices):
                self._reduce(index, pivot, unknown, equations_with)
            for index in self.long_rows:
                self._reduce(index, pivot, unknown, None)
            for other_unknown in self.rows[pivot].coefficients:
                if users := equations_with[other_unknown]:
                    heappush(heap, (len(users), initial_counts[other_unknown], other_unknown))
            if self.work > max_work:
                return False
        self._reduce_long_rows()
        return True

    def _reduce_long_rows(self) -> None:
        """Reduce the long equations by each other, shortest first."""
        rows = sorted(self.long_rows, key=lambda index: (len(self.rows[index].coefficients), index))
        for position, pivot in enumerate(rows[:-1]):
            if self.rows[pivot].coefficients:
                self.pivots.add(pivot)
                unknown = min(self.rows[pivot].coefficients)
                for index in rows[position + 1 :]:
                    self._reduce(index, pivot, unknown, None)

    def _reduce(
        self, index: int, pivot: int, unknown: int, equations_with: dict[int, set[int]] | None
    ) -> None:
        """Remove an unknown from an equation by subtracting a multiple of the pivot equation."""
        row, pivot_row, prime = self.rows[index], self.rows[pivot], self.prime
        if unknown not in row.coefficients:
            return
        # The multiple is chosen modulo the prime so that the coefficient of the unknown becomes 0.
        factor = (
            -row.coefficients[unknown] * pow(pivot_row.coefficients[unknown], -1, prime) % prime
        )
        self.work += len(pivot_row.coefficients) + len(pivot_row.multipliers)
        row.total = (row.total + factor * pivot_row.total) % prime
        for key, entry in pivot_row.multipliers.items():
            if value := (row.multipliers.get(key, 0) + factor * entry) % prime:
                row.multipliers[key] = value
            else:
                row.multipliers.pop(key, None)
        for key, entry in pivot_row.coefficients.items():
            if value := (row.coefficients.get(key, 0) + factor * entry) % prime:
                if equations_with is not None and key not in row.coefficients:
                    equations_with[key].add(index)
                row.coefficients[key] = value
            elif key in row.coefficients:
                del row.coefficients[key]
                if equations_with is not None:
                    equations_with[key].discard(index)

    def multipliers(self, index: int) -> SparseVector | None:
        """Return small integers that combine the given equations to a multiple of equation `index`.

        Return None if they are too large to be reconstructed modulo this prime.
        """
        return reconstruct_multipliers(self.rows[index].multipliers, self.prime)

    def dependencies(self) -> tuple[dict[int, tuple[SparseVector, int]], bool]:
        """Return a combination per equation that was reduced to 0, and whether none is missing.

        The keys are the indices of these equations. The values are the multipliers and the total of
        the combination, whose coefficients are all 0, or even if the prime is 2. Each combination
        is verified in integers. A combination is missing if its multipliers are too large to be
        reconstructed modulo this prime.
        """
        verified = {}
        vanished = [index for index, row in enumerate(self.rows) if not row.coefficients]
        for index in vanished:
            multipliers = self.multipliers(index)
            if multipliers is None:
                continue
            coefficients, total = combine_equations(multipliers, self.equations)
            if self.prime == 2:
                coefficients = {key: 1 for key, number in coefficients.items() if number % 2}
            if not coefficients:
                verified[index] = multipliers, total
        return verified, len(verified) == len(vanished)


def find_dependencies(
    equations: Sequence[Equation], max_work: int = MAX_ELIMINATION_WORK
) -> tuple[ModularElimination, dict[int, tuple[SparseVector, int]]]:
    """Find dependencies over the rationals; return the last elimination and its dependencies.

    Larger primes are tried until no dependency is missing, or one of them is a contradiction, that
    is, has a total other than 0. An elimination that exceeds `max_work` finds only some.
    """
    for prime in PRIMES:
        elimination = ModularElimination(equations, prime)
        elimination.run(max_work)
        dependencies, is_complete = elimination.dependencies()
        if is_complete or any(total for _, total in dependencies.values()):
            break
    return elimination, dependencies


def reconstruct_multipliers(residues: SparseVector, prime: int) -> SparseVector | None:
    """Return coprime integers that are proportional to residues, or None if they are too large."""
    if prime == 2:
        return dict(residues)
    fractions: dict[int, tuple[int, int]] = {}
    common_denominator = 1
    for key, residue in residues.items():
        fraction = reconstruct_fraction(residue, prime)
        if fraction is None:
            return None
        fractions[key] = fraction
        common_denominator = lcm(common_denominator, fraction[1])
        if common_denominator > prime:
            return None
    scaled = {
        key: numerator * (common_denominator // denominator)
        for key, (numerator, denominator) in fractions.items()
    }
    common = gcd(*scaled.values())
    return {key: number // common for key, number in scaled.items()} if common else scaled


def reconstruct_fraction(residue: int, prime: int) -> tuple[int, int] | None:
    """Return the fraction with a small numerator and denominator that equals a residue.

    This is Euclid's algorithm on the prime and the residue, stopped halfway [1]. Return None if no
    such fraction exists.
    """
    # Twice the square of the bound is at most the prime, so that the fraction is unique.
    bound = 1 << (prime.bit_length() // 2 - 1)
    previous_remainder, remainder = prime, residue
    previous_cofactor, cofactor = 0, 1  # remainder == cofactor * residue modulo the prime
    while remainder > bound:
        quotient = previous_remainder // remainder
        previous_remainder, remainder = remainder, previous_remainder - quotient * remainder
        previous_cofactor, cofactor = cofactor, previous_cofactor - quotient * cofactor
    if cofactor == 0 or abs(cofactor) > bound:
        return None
    return (remainder, cofactor) if cofactor > 0 else (-remainder, -cofactor)


def find_integer_contradiction(
    equations: Sequence[Equation], max_work: int
) -> tuple[SparseVector, int] | None:
    """Return multipliers and a modulus that prove that no integers solve the equations.

    The modulus divides all coefficients of the combination, but not its total. If the modulus is 0,
    the coefficients are 0, but the total is not. Return None if no contradiction is found.
    """
    # For each equation with a pivot: its index and the column of the pivot, and the value of the
    # transformed unknown of this column.
    pivots: list[tuple[int, SparseVector]] = []
    values: list[int] = []
    for index, column in echelon_columns([coefficients for coefficients, _ in equations], max_work):
        total = equations[index][1]
        for value, (_, earlier) in zip(values, pivots, strict=True):
            total -= value * earlier.get(index, 0)
        # If the equation has no pivot, earlier equations determine its left side, so `total`, the
        # difference, must be 0. If it has one, the pivot times an integer must be the difference.
        pivot_entry = 0 if column is None else column[index]
        if total % pivot_entry if pivot_entry else total:
            multipliers, factor = cancel_columns(pivots, {index: -1 if pivot_entry < 0 else 1})
            modulus = abs(pivot_entry) * factor
            common = gcd(modulus, *multipliers.values())
            return {key: number // common for key, number in multipliers.items()}, modulus // common
        if column is not None:
            pivots.append((index, column))
            values.append(total // pivot_entry)
    return None


def echelon_columns(
    rows: Sequence[SparseVector], max_work: int
) -> Iterator[tuple[int, SparseVector | None]]:
    """Compute a column echelon form; yield each row index with its pivot column or None.

    The pivot is the last nonzero entry of its row. A row without a pivot depends on earlier rows.
    All operations are column operations, so together they are an invertible integer substitution of
    the unknowns. Entries to the left of a pivot are not reduced. The iteration ends early after
    `max_work` entries, or if a pivot becomes too large.
    """
    columns: dict[int, SparseVector] = {}
    for index, row in enumerate(rows):
        for unknown, number in row.items():
            columns.setdefault(unknown, {})[index] = number
    remaining = [columns[unknown] for unknown in sorted(columns)]
    work = 0
    for index in range(len(rows)):
        active_columns = [column for column in remaining if index in column]
        remaining = [column for column in remaining if index not in column]
        while len(active_columns) > 1:  # Euclid's algorithm on the entries of this row
            pivot = min(active_columns, key=lambda column: (abs(column[index]), len(column)))
            remaining_active = []
            for column in active_columns:
                if column is pivot:
                    continue
                work += len(pivot)
                subtract_multiple(column, pivot, column[index] // pivot[index])
                if index in column:
                    remaining_active.append(column)
                elif column:
                    remaining.append(column)
            active_columns = [pivot, *remaining_active]
            if work > max_work or pivot[index].bit_length() > MAX_PIVOT_BITS:
                return
        yield index, active_columns[0] if active_columns else None


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
    """Scale a combination and add multiples of pivot equations, so that pivot columns add up to 0.

    Return the new multipliers, and the positive factor by which the given ones were scaled.
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
