"""Two-color boards as linear equations over 0-1 variables, one variable per peg.

Equations. Let x_p be 1 if peg p of the code has the second color, and 0 otherwise. Let S be the set
of pegs at which a guess has the second color; s_p is 1 on S and -1 elsewhere. Let N be the number
of pegs, K = sum x_p the weight of the code, and t the sum of x_p over S. Then

    black          = t + (N - |S|) - (K - t)          so   sum s_p x_p = black - N + |S|
    black + white  = min(K, |S|) + min(N - K, N - |S|) = N - |K - |S||
    white          = 2 min(K, |S|) - 2t               so   sum s_p x_p = 2t - K, if K is known

So black is linear for any weight. Black and white together, or a score of colors, leave at most two
weights. White alone is linear if the weight is given. If the weight matters, there is one system
for each weight that no single row rules out, and its first equation is "sum x_p = K". Each code of
the board satisfies exactly one of the systems, and each solution of a system is a code of the
board.

Sparsification. Equations are shortened by adding or subtracting other equations (`sparsify`). All
coefficients are 1 and -1. Two equations a and b are combined if the result has coefficients 1 and
-1, too:

    a - b                       if every common literal has the same sign in a and b
    a + b                       if every common literal has different signs in a and b
    (a - b) / 2, (a + b) / 2    if a and b have the same literals

The combination replaces a if it is shorter. First, one of the equations with the same literals
becomes the base, and each of the others is replaced by its half sum or half difference with the
base. For two rows of a two-color board, these are the pegs at which the guesses agree or differ.

Proof. The same codes satisfy the old and the new equations: the new equation is a combination of a
and b, and a is a combination of the new equation and b, which is kept. Half of an odd total, or a
total that is out of range, is a contradiction.

Simplification. `simplify` returns a short system, or a proof that there is no solution:

1. Rows are added to or subtracted from each other by sparsification.
2. Elimination modulo 2 searches for a contradiction by parity.
3. Elimination over the rationals searches for a contradiction, drops implied equations, and
   shortens the longest equations (linear_algebra.py). A total that the greatest common divisor of
   the coefficients does not divide is a contradiction as well.
4. Parities that are implied by many short equations are added up modulo 2 (parities.py).

Every step preserves the set of solutions: each added equation is a rational combination of earlier
equations, and each dropped equation is a combination of remaining equations, which was verified in
integers.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import gcd, lcm
from typing import NamedTuple

from mmsat._util.arrays import Array, np
from mmsat.constraints import parities
from mmsat.constraints.linear_algebra import (
    Equation,
    ModularElimination,
    SparseVector,
    combine_equations,
    combine_vectors,
    find_dependencies,
)
from mmsat.constraints.parities import Certificate
from mmsat.constraints.presolve.domains import bits
from mmsat.constraints.system import SoftConstraint, System, other_codes
from mmsat.constraints.two_color_games import suits
from mmsat.errors import InputError, InternalError
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.space import CardinalityConstraint, VariableMap
from mmsat.limits import LIMITS


def check(board: Board) -> None:
    """Raise InputError if a board is not a set of linear equations."""
    if not suits(board):
        expected = "a game of two colors that is scored by black, white or color"
        rule = "the equations of two-color boards exist for no other games"
        raise InputError.of("the game", expected, str(board.game), rule)


INT64_SUM_LIMIT = 1 << 62
"""The limit of sums that are computed with 64-bit integers; it leaves one bit to spare."""


@dataclass(frozen=True, slots=True, eq=False)
class TwoColorEquations:
    """Equations `signs @ x = totals` over 0-1 variables x, one for each peg.

    Each row of `signs` has 1 and -1 by peg. `sources` has the row of the board that each equation
    was read from, or None for the equation of the weight.
    """

    signs: Array
    totals: Array
    sources: tuple[int | None, ...]
    weight: int | None
    """The number of pegs of the second color that is assumed; None if it does not matter."""

    @property
    def pegs(self) -> int:
        """The number of pegs."""
        return int(self.signs.shape[1])

    def sum_up(self, multipliers: Mapping[int, int]) -> tuple[list[int], int]:
        """Return the coefficients by peg and the total of a linear combination, exactly."""
        kind = np.int64 if sum(map(abs, multipliers.values())) < INT64_SUM_LIMIT else object
        left = np.zeros(self.pegs, dtype=kind)
        total = 0
        for index, number in multipliers.items():
            left += self.signs[index].astype(kind) * number
            total += int(self.totals[index]) * number
        return left.tolist(), total

    def rows_of(self, index: int) -> tuple[int, ...]:
        """Return the row that an equation was read from; empty for the equation of the weight."""
        row = self.sources[index]
        return () if row is None else (row,)


class Scored(NamedTuple):
    """The score of a row by its parts; None for an unread part."""

    row: int
    ones: int
    """The number of pegs of the guess with the second color."""
    black: int | None
    white: int | None
    common: int | None
    """The sum of black and white."""


def weights(board: Board) -> list[int] | list[None]:
    """Return the weights that no single row rules out, or [None] if the weight does not matter.

    There is one system for each of them. The list is empty if the scores are contradictory. Raises
    InputError if the board is not a set of linear equations.
    """
    check(board)
    scores = list(_scores(board))
    return _weights(board.game, scores)


def read_equations(board: Board) -> Iterator[TwoColorEquations]:
    """Yield the systems of a board, one per weight.

    Raises InputError if the board is not a set of linear equations.
    """
    check(board)
    scores = list(_scores(board))
    signs = np.zeros((len(board.rows), board.game.pegs), dtype=np.int8)
    for number, row in enumerate(board.rows):
        signs[number] = np.frombuffer(bytes(row.guess), dtype=np.int8)
    signs *= 2
    signs -= 1
    for weight in _weights(board.game, scores):
        yield _equations(signs, scores, weight)


def _scores(board: Board) -> Iterator[Scored]:
    """Yield the scores of the rows by their parts."""
    kind = board.game.scoring.name
    for row, (guess, score) in enumerate(board.rows):
        black, white = score if kind == "black-white" else (score[0], None)
        common = None if black is None or white is None else black + white
        if kind == "color":
            black, common = None, score[0]
        yield Scored(row, sum(guess), black, white, common)


def _weights(game: Game, scores: list[Scored]) -> list[int] | list[None]:
    """Return the weights that no single row rules out, or [None] if the weight does not matter."""
    pegs = game.pegs
    weights = np.arange(pegs + 1)
    is_relevant = False
    if not game.space.has_repeats and pegs > 1:
        weights, is_relevant = weights[weights == 1], True
    for score in scores:
        if score.common is not None:
            weights = weights[abs(weights - score.ones) == pegs - score.common]
            is_relevant = True
        elif score.white is not None:
            is_relevant = True
    if not is_relevant:
        return [None]
    for score in scores:
        if score.black is not None:
            twice_overlap = score.black - pegs + score.ones + weights
        elif score.white is not None:
            twice_overlap = 2 * np.minimum(weights, score.ones) - score.white
        else:
            continue
        minimum = 2 * np.maximum(0, weights + score.ones - pegs)
        maximum = 2 * np.minimum(weights, score.ones)
        weights = weights[
            (twice_overlap % 2 == 0) & (minimum <= twice_overlap) & (twice_overlap <= maximum)
        ]
    possible_weights: list[int] = weights.tolist()
    return possible_weights


def _equations(signs: Array, scores: list[Scored], weight: int | None) -> TwoColorEquations:
    """Return the equations for a weight; rows that give no equation for it are omitted."""
    pegs = signs.shape[1]
    rows: list[int] = []
    totals = [] if weight is None else [weight]
    for score in scores:
        if score.black is not None:
            totals.append(score.black - pegs + score.ones)
        elif score.white is not None and weight is not None:
            totals.append(2 * min(weight, score.ones) - score.white - weight)
        else:
            continue
        rows.append(score.row)
    row_signs = signs[rows]
    if weight is None:
        return TwoColorEquations(row_signs, np.array(totals, dtype=np.int64), tuple(rows), None)
    ones = np.ones((1, pegs), dtype=np.int8)
    return TwoColorEquations(
        np.concatenate([ones, row_signs]), np.array(totals, dtype=np.int64), (None, *rows), weight
    )


MAX_TRIED_BASES = 8
"""The maximum number of equations with the same literals that are tried as the base."""
MAX_UNCHANGED_LITERALS = 2
"""The maximum number of literals of an equation that is not shortened any more."""


class FlawError(Exception):
    """Raised if equations are contradictory; `certificate` proves it."""

    def __init__(self, certificate: Certificate) -> None:
        super().__init__()
        self.certificate = certificate


@dataclass(slots=True)
class SignedEquation:
    """An equation with coefficients 1 and -1. `plus` and `minus` are their literals as bits."""

    plus: int
    minus: int
    total: int
    multipliers: SparseVector
    """The multipliers that combine given equations to this equation times `times`."""
    times: int = 1
    is_fixed: bool = False
    """Whether the equation is kept unchanged, and only used to shorten others."""

    @property
    def literals(self) -> int:
        """The literals of the equation, as bits."""
        return self.plus | self.minus

    def __len__(self) -> int:
        return (self.plus | self.minus).bit_count()

    def coefficients(self) -> SparseVector:
        """Return the coefficients by the index of the bit, ascending."""
        return {bit: 1 if self.plus >> bit & 1 else -1 for bit in bits(self.literals)}

    def check(self) -> None:
        """Raise FlawError if the total is out of the range of the left side."""
        if not -self.minus.bit_count() <= self.total <= self.plus.bit_count():
            raise FlawError(Certificate(self.multipliers))


def sparsify(rows: list[SignedEquation], literals: int) -> None:
    """Shorten equations in place, first by bases, then by pairs, longest equations first.

    The work is limited by `LIMITS.sparsify_work`. Raises FlawError for a contradiction.
    """
    words = literals // 64 + 4
    work = subtract_bases(rows, words)
    open_rows = [row for row in rows if not row.is_fixed and len(row) > MAX_UNCHANGED_LITERALS]
    for row in sorted(open_rows, key=lambda each: -len(each)):
        while len(row) > MAX_UNCHANGED_LITERALS:
            work += words * len(rows)
            if work > LIMITS.sparsify_work:
                return
            best = min(
                ((length, index) for index, length in partners(row, rows)), default=(len(row), -1)
            )
            if best[0] >= len(row):
                break
            join(row, rows[best[1]])


def subtract_bases(rows: list[SignedEquation], words: int) -> int:
    """Replace equations by half sums or differences with a base that has the same literals.

    Return the number of words of 64 bits that were compared.
    """
    groups: dict[int, list[SignedEquation]] = {}
    for row in rows:
        groups.setdefault(row.literals, []).append(row)
    work = 0
    for literals, group in groups.items():
        if len(group) < 2 or literals.bit_count() <= MAX_UNCHANGED_LITERALS:
            continue
        work += words * MAX_TRIED_BASES * len(group)
        if work > LIMITS.sparsify_work:
            break
        fixed = [row for row in group if row.is_fixed]
        base = (
            fixed[0]
            if fixed
            else min(group[:MAX_TRIED_BASES], key=lambda row: remaining_length(row, group))
        )
        for row in group:
            if row is not base and not row.is_fixed:
                join(row, base)
    return work


def remaining_length(base: SignedEquation, group: list[SignedEquation]) -> int:
    """Return the total length of equations with the same literals after subtracting a base."""
    size = len(base)
    length = 0
    for row in group:
        differing = (row.plus ^ base.plus).bit_count()
        length += min(differing, size - differing)
    return length


def partners(row: SignedEquation, rows: list[SignedEquation]) -> Iterator[tuple[int, int]]:
    """Yield the indices of equations that a row can be combined with, and the resulting lengths."""
    plus, minus, literals = row.plus, row.minus, row.literals
    for index, other in enumerate(rows):
        common = literals & other.literals
        if not common or other is row:
            continue
        agreeing = plus & other.plus | minus & other.minus
        if other.literals == literals:
            agreeing_count = agreeing.bit_count()
            yield index, min(agreeing_count, common.bit_count() - agreeing_count)
        elif agreeing in (0, common):
            yield index, (literals ^ other.literals).bit_count()


def join(row: SignedEquation, other: SignedEquation) -> None:
    """Replace a row by its sum or difference with another equation, or by half of it.

    If both have the same literals, this is the shorter of the half sum and the half difference.
    """
    literals, other_literals = row.literals, other.literals
    agreeing = row.plus & other.plus | row.minus & other.minus
    differing = literals & other_literals & ~agreeing
    if literals == other_literals:
        sign = -1 if differing.bit_count() <= agreeing.bit_count() else 1
        halves = 2
        kept_literals = differing if sign < 0 else agreeing
        plus, minus = row.plus & kept_literals, row.minus & kept_literals
    else:
        sign = 1 if differing else -1
        halves = 1
        only_row, only_other = literals & ~other_literals, other_literals & ~literals
        added_plus, added_minus = (
            (other.plus, other.minus) if sign > 0 else (other.minus, other.plus)
        )
        plus = row.plus & only_row | added_plus & only_other
        minus = row.minus & only_row | added_minus & only_other
    multipliers = {index: number * other.times for index, number in row.multipliers.items()}
    for index, number in other.multipliers.items():
        multipliers[index] = multipliers.get(index, 0) + sign * row.times * number
    total, times = row.total + sign * other.total, row.times * other.times * halves
    if total % halves:
        raise FlawError(Certificate({i: n for i, n in multipliers.items() if n}, times))
    common = gcd(times, *multipliers.values())
    row.plus, row.minus, row.total = plus, minus, total // halves
    row.multipliers = {index: number // common for index, number in multipliers.items() if number}
    row.times = times // common
    row.check()


def systems(board: Board) -> list[System]:
    """Return short systems for a two-color board, so that each of its codes satisfies one."""
    simplified = [simplify(equations) for equations in read_equations(board)]
    short_systems = [system(rows, board) for rows in simplified if isinstance(rows, list)]
    return [short_system for short_system in short_systems if not parities.refute(short_system)]


def simplify(equations: TwoColorEquations) -> list[SignedEquation] | Certificate:
    """Return short equations with the same solutions, or a proof that there is no solution."""
    try:
        rows = sign_rows(equations)
        sparsify(rows, equations.pegs)
        distinct_rows: dict[tuple[int, int, int], SignedEquation] = {}
        for row in filter(len, rows):  # without 0 = 0 and duplicates
            distinct_rows.setdefault((row.plus, row.minus, row.total), row)
        rows = [*distinct_rows.values()]
        return eliminate(rows) if sum(map(len, rows)) <= LIMITS.elimination_coefficients else rows
    except FlawError as found:
        if not found.certificate.proves(equations):
            message = f"an algebraic certificate is invalid: {found.certificate}"
            raise InternalError(message) from None
        return found.certificate


def sign_rows(equations: TwoColorEquations) -> list[SignedEquation]:
    """Return the equations as bits, and mark the base that makes the others shortest as fixed.

    Raises FlawError for an equation whose total is out of range.
    """
    all_pegs = (1 << equations.pegs) - 1
    rows = []
    for index, (signs, total) in enumerate(zip(equations.signs, equations.totals, strict=True)):
        plus = int.from_bytes(np.packbits(signs > 0, bitorder="little").tobytes(), "little")
        rows.append(SignedEquation(plus, all_pegs ^ plus, int(total), {index: 1}))
        rows[-1].check()
    if rows:
        min(rows[:MAX_TRIED_BASES], key=lambda row: remaining_length(row, rows)).is_fixed = True
    return rows


def eliminate(rows: list[SignedEquation]) -> list[SignedEquation]:
    """Drop implied rows and shorten long rows. Raises FlawError for a contradiction."""
    plain = [(row.coefficients(), row.total) for row in rows]
    parity = ModularElimination(plain, 2)
    parity.run()
    even, _ = parity.dependencies()
    for multipliers, total in even.values():
        if total % 2:
            combination, times = expand(multipliers, rows)
            raise FlawError(Certificate(combination, 2 * times))
    elimination, dependencies = find_dependencies(plain)
    for multipliers, total in dependencies.values():
        if total:
            raise FlawError(Certificate(expand(multipliers, rows)[0]))
    kept = {index: row for index, row in enumerate(rows) if index not in dependencies}
    for index in elimination.long_rows & kept.keys() - elimination.pivots:
        reduced_multipliers = elimination.multipliers(index)
        shorter_row = (
            None if reduced_multipliers is None else remainder(reduced_multipliers, plain, rows)
        )
        if shorter_row is not None and len(shorter_row) < len(rows[index]):
            kept[index] = shorter_row
    return list(kept.values())


def remainder(
    multipliers: SparseVector, plain: list[Equation], rows: list[SignedEquation]
) -> SignedEquation | None:
    """Return a combination as an equation with coefficients 1 and -1, divided by their gcd.

    Return None if its coefficients have different absolute values or are all 0. Raises FlawError if
    the combination is a contradiction.
    """
    left, total = combine_equations(multipliers, plain)
    common = gcd(*left.values())
    if common == 0:
        return None
    combination, times = expand(multipliers, rows)
    if total % common:
        raise FlawError(Certificate(combination, times * common))
    if any(abs(number) != common for number in left.values()):
        return None
    plus, minus = (
        sum(1 << peg for peg, number in left.items() if number == sign * common) for sign in (1, -1)
    )
    equation = SignedEquation(plus, minus, total // common, combination, times * common)
    equation.check()
    return equation


def expand(multipliers: SparseVector, rows: list[SignedEquation]) -> tuple[SparseVector, int]:
    """Express a combination of rows by the board's equations; return multipliers and a factor.

    The multipliers combine the board's equations to the given combination times the factor.
    """
    times = lcm(*(rows[index].times for index in multipliers))
    scaled = {index: number * (times // rows[index].times) for index, number in multipliers.items()}
    return combine_vectors(scaled, lambda index: rows[index].multipliers), times


def system(rows: list[SignedEquation], board: Board) -> System:
    """Return the rows as constraints: a peg with sign 1 or -1 counts if its color is 1 or 0."""
    variables = VariableMap(board.game.pegs, 2)
    constraints = []
    for row in rows:
        signs = row.coefficients().items()
        literals = tuple([variables.at(peg, int(sign > 0)) for peg, sign in signs])
        true_count = row.total + row.minus.bit_count()
        constraints.append(
            SoftConstraint((CardinalityConstraint(literals, true_count, true_count),))
        )
    return System(variables, other_codes(variables, board.known), tuple(constraints))
