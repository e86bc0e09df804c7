"""Two-color boards as linear equations over 0-1 variables, one variable per peg.

Equations. Let x_p be 1 if peg p of the code has the second color, and 0 otherwise. Let S be the set
of pegs at which a guess has the second color; s_p is 1 on S and -1 elsewhere. Let N be the number
of pegs, K = sum x_p the weight of the code, and t the sum of x_p over S. Then

    black          = t + (N - |S|) - (K - t)          so   sum s_p x_p = black - N + |S|
    black + white  = min(K, |S|) + min(N - K, N - |S|) = N - |K - |S||
    white          = 2 min(K, |S|) - 2t               so   sum s_p x_p = 2t - K, if K is known

So black gives a linear equation for any weight. Black and white together, or the number of common
colors, allow at most two weights. White without black gives a linear equation for a given weight.
If the weight matters, there is one set of equations for each weight that no single row rules out,
and its first equation is "sum x_p = K". Each code of the board satisfies exactly one of the sets,
and each solution of a set is a code of the board.

Sparsification. Equations are shortened by adding or subtracting other equations (`sparsify`). All
coefficients are 1 and -1. Two equations a and b are combined if the result has coefficients 1 and
-1, too:

    a - b                       if every common variable has the same sign in a and b
    a + b                       if every common variable has different signs in a and b
    (a - b) / 2, (a + b) / 2    if a and b have the same variables

The combination replaces a if it is shorter. First, one of the equations with the same variables
becomes the base, and each of the others is replaced by half of its sum or difference with the base.
For the equations of two rows, the sum keeps the pegs at which the guesses agree, and the difference
keeps the pegs at which they differ.

Proof. The same codes satisfy the old and the new equations: the new equation is a combination of a
and b, and a is a combination of the new equation and b, which is kept. If half of a total is not an
integer, or a total is out of range, this is a contradiction.

Simplification. `simplify_equations` returns short equations, or a proof that they have no solution:

1. Equations are shortened by sparsification.
2. Elimination modulo 2 searches for a contradiction by parity.
3. Elimination over the rationals searches for a contradiction, drops implied equations, and
   shortens the longest equations (linear_algebra.py). A total that the greatest common divisor of
   the coefficients does not divide is a contradiction as well.

After this, `simplify_two_colors` drops each system that implied parities refute (parities.py).

Every step preserves the set of solutions: each added equation is a rational combination of earlier
equations, and each dropped equation is a combination of remaining equations, which was verified in
integers.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import gcd, lcm
from typing import NamedTuple

from mmsat._util import Array, np
from mmsat.constraints import SoftRow, System, exclude_codes, is_linear_board, parities
from mmsat.constraints.domains import bits
from mmsat.constraints.linear_algebra import (
    Equation,
    ModularElimination,
    SparseVector,
    combine_equations,
    combine_vectors,
    find_dependencies,
)
from mmsat.constraints.parities import Certificate
from mmsat.errors import InputError, InternalError
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.space import CardinalityConstraint, VariableMap
from mmsat.limits import LIMITS


def require_two_colors(board: Board) -> None:
    """Raise InputError if a board is not a set of linear equations."""
    if not is_linear_board(board):
        expected = "a game of two colors that is scored by black, white or color"
        rule = "the equations of two-color boards exist for no other games"
        raise InputError.of("the game", expected, str(board.game), rule)


INT64_SUM_LIMIT = 1 << 62
"""A combination is computed in 64-bit integers if the absolute values of its multipliers add up to
less than this. Coefficients are 1 or -1, so no sum is larger."""


@dataclass(frozen=True, slots=True, eq=False)
class TwoColorEquations:
    """Equations `signs @ x = totals` over 0-1 variables x, one for each peg.

    `signs` has a row for each equation, with 1 or -1 for each peg. `sources` has the row of the
    board that each equation was read from, or None for the equation of the weight.
    """

    signs: Array
    totals: Array
    sources: tuple[int | None, ...]
    weight: int | None
    """The assumed number of pegs with the second color; None if it does not matter."""

    @property
    def pegs(self) -> int:
        """The number of pegs."""
        return int(self.signs.shape[1])

    def sum_up(self, multipliers: Mapping[int, int]) -> tuple[list[int], int]:
        """Return the coefficients by peg and the total of a linear combination, exactly."""
        dtype = np.int64 if sum(map(abs, multipliers.values())) < INT64_SUM_LIMIT else object
        coefficients = np.zeros(self.pegs, dtype=dtype)
        total = 0
        for index, multiplier in multipliers.items():
            coefficients += self.signs[index].astype(dtype) * multiplier
            total += int(self.totals[index]) * multiplier
        return coefficients.tolist(), total

    def rows_of(self, index: int) -> tuple[int, ...]:
        """Return the row that an equation was read from; empty for the equation of the weight."""
        row = self.sources[index]
        return () if row is None else (row,)


class RowScore(NamedTuple):
    """The score of a row by its parts, each of them None if it is unread or not scored."""

    row: int
    """The index of the row."""
    ones: int
    """The number of pegs with the second color in the guess."""
    black: int | None
    white: int | None
    common: int | None
    """The sum of black and white, which is the number of common colors."""


def possible_weights(board: Board) -> list[int] | list[None]:
    """Return the weights that no single row rules out, or [None] if the weight does not matter.

    The list is empty if the scores are contradictory. Raises InputError if the board is not a set
    of linear equations.
    """
    require_two_colors(board)
    scores = list(_scores(board))
    return _possible_weights(board.game, scores)


def read_equations(board: Board) -> Iterator[TwoColorEquations]:
    """Yield the equations of a board, one set per weight.

    Raises InputError if the board is not a set of linear equations.
    """
    require_two_colors(board)
    scores = list(_scores(board))
    signs = np.zeros((len(board.rows), board.game.pegs), dtype=np.int8)
    for row_index, row in enumerate(board.rows):
        signs[row_index] = np.frombuffer(bytes(row.guess), dtype=np.int8)
    signs *= 2
    signs -= 1  # so that the colors 0 and 1 have become -1 and 1
    for weight in _possible_weights(board.game, scores):
        yield _equations(signs, scores, weight)


def _scores(board: Board) -> Iterator[RowScore]:
    """Yield the scores of the rows by their parts."""
    kind = board.game.scoring.name
    for row, (guess, score) in enumerate(board.rows):
        black, white = score if kind == "black-white" else (score[0], None)
        common = None if black is None or white is None else black + white
        if kind == "color":
            black, common = None, score[0]
        yield RowScore(row, sum(guess), black, white, common)


def _possible_weights(game: Game, scores: list[RowScore]) -> list[int] | list[None]:
    """Return the weights that no single row rules out, or [None] if the weight does not matter."""
    pegs = game.pegs
    weights = np.arange(pegs + 1)
    is_relevant = False
    if not game.space.has_repeats and pegs > 1:  # two pegs with different colors
        weights, is_relevant = weights[weights == 1], True
    for score in scores:
        if score.common is not None:
            weights = weights[abs(weights - score.ones) == pegs - score.common]
            is_relevant = True
        elif score.white is not None:
            is_relevant = True
    if not is_relevant:
        return [None]
    # The remaining weights K must give an integer t in its bounds (see the module docstring).
    for score in scores:
        if score.black is not None:
            twice_overlap = score.black - pegs + score.ones + weights
        elif score.white is not None:
            twice_overlap = 2 * np.minimum(weights, score.ones) - score.white
        else:
            continue
        # the bounds of 2t for K ones in the code and |S| ones in the guess
        minimum = 2 * np.maximum(0, weights + score.ones - pegs)
        maximum = 2 * np.minimum(weights, score.ones)
        weights = weights[
            (twice_overlap % 2 == 0) & (minimum <= twice_overlap) & (twice_overlap <= maximum)
        ]
    remaining_weights: list[int] = weights.tolist()
    return remaining_weights


def _equations(signs: Array, scores: list[RowScore], weight: int | None) -> TwoColorEquations:
    """Return the equations for a weight, omitting rows that do not give one."""
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
"""Of the equations with the same variables, at most this many are tried as the base, to limit the
work."""
MAX_UNCHANGED_VARIABLES = 2
"""Equations of at most this many variables are not shortened: they are already short."""


class ContradictoryEquationsError(Exception):
    """Raised if equations have no solution; `certificate` proves it."""

    def __init__(self, certificate: Certificate) -> None:
        super().__init__()
        self.certificate = certificate


@dataclass(slots=True)
class SignedEquation:
    """An equation with coefficients 1 and -1."""

    plus: int
    """The variables with coefficient 1, as bits."""
    minus: int
    """The variables with coefficient -1, as bits."""
    total: int
    multipliers: SparseVector
    """The multipliers that combine the given equations to this equation times `factor`."""
    factor: int = 1
    """The number by which this equation is multiplied in that combination."""
    is_fixed: bool = False
    """Whether the equation stays unchanged and is only used to shorten others."""

    @property
    def variables(self) -> int:
        """The variables of the equation, as bits."""
        return self.plus | self.minus

    def __len__(self) -> int:
        return (self.plus | self.minus).bit_count()

    def coefficients(self) -> SparseVector:
        """Return the coefficients by the index of the variable, ascending."""
        return {bit: 1 if self.plus >> bit & 1 else -1 for bit in bits(self.variables)}

    def check(self) -> None:
        """Raise ContradictoryEquationsError if no values of the variables give the total."""
        if not -self.minus.bit_count() <= self.total <= self.plus.bit_count():
            raise ContradictoryEquationsError(Certificate(self.multipliers))


def sparsify(rows: list[SignedEquation], num_variables: int) -> None:
    """Shorten equations in place: first by bases, then by pairs, longest equations first.

    `LIMITS.sparsify_work` limits the work. Raises ContradictoryEquationsError for a contradiction.
    """
    # The cost of comparing two equations: a fixed part of 4, and the 64-bit words of their
    # variables.
    words = num_variables // 64 + 4
    work = subtract_bases(rows, words)
    open_rows = [row for row in rows if not row.is_fixed and len(row) > MAX_UNCHANGED_VARIABLES]
    for row in sorted(open_rows, key=lambda row: -len(row)):
        while len(row) > MAX_UNCHANGED_VARIABLES:
            work += words * len(rows)
            if work > LIMITS.sparsify_work:
                return
            length, partner = min(
                ((length, index) for index, length in find_partners(row, rows)),
                default=(len(row), -1),
            )
            if length >= len(row):
                break
            combine(row, rows[partner])


def subtract_bases(rows: list[SignedEquation], words: int) -> int:
    """Choose a base of the equations with the same variables, and combine the others with it.

    Each of them is replaced by half of its sum or difference with the base. `words` is the cost of
    comparing two equations. Return the total cost.
    """
    groups: dict[int, list[SignedEquation]] = {}
    for row in rows:
        groups.setdefault(row.variables, []).append(row)
    work = 0
    for variables, group in groups.items():
        if len(group) < 2 or variables.bit_count() <= MAX_UNCHANGED_VARIABLES:
            continue
        work += words * MAX_TRIED_BASES * len(group)
        if work > LIMITS.sparsify_work:
            break
        fixed = [row for row in group if row.is_fixed]
        base = (
            fixed[0]
            if fixed
            else min(group[:MAX_TRIED_BASES], key=lambda row: combined_length(row, group))
        )
        for row in group:
            if row is not base and not row.is_fixed:
                combine(row, base)
    return work


def combined_length(base: SignedEquation, group: list[SignedEquation]) -> int:
    """Return the total length of equations with the same variables after combining with a base."""
    size = len(base)
    length = 0
    for row in group:
        differing = (row.plus ^ base.plus).bit_count()
        length += min(differing, size - differing)
    return length


def find_partners(row: SignedEquation, rows: list[SignedEquation]) -> Iterator[tuple[int, int]]:
    """Yield the index of each equation that `row` can be combined with, and the new length."""
    plus, minus, variables = row.plus, row.minus, row.variables
    for index, other in enumerate(rows):
        common = variables & other.variables
        if not common or other is row:
            continue
        agreeing = plus & other.plus | minus & other.minus
        if other.variables == variables:
            agreeing_count = agreeing.bit_count()
            yield index, min(agreeing_count, common.bit_count() - agreeing_count)
        elif agreeing in (0, common):
            yield index, (variables ^ other.variables).bit_count()


def combine(row: SignedEquation, other: SignedEquation) -> None:
    """Replace an equation by its sum or difference with another equation, or by half of it.

    If both have the same variables, the result is half of the sum or of the difference, whichever
    is shorter.
    """
    variables, other_variables = row.variables, other.variables
    # The common variables with equal and with different signs.
    agreeing = row.plus & other.plus | row.minus & other.minus
    differing = variables & other_variables & ~agreeing
    if variables == other_variables:
        sign = -1 if differing.bit_count() <= agreeing.bit_count() else 1
        divisor = 2
        kept_variables = differing if sign < 0 else agreeing
        plus, minus = row.plus & kept_variables, row.minus & kept_variables
    else:
        sign = 1 if differing else -1
        divisor = 1
        only_row, only_other = variables & ~other_variables, other_variables & ~variables
        added_plus, added_minus = (
            (other.plus, other.minus) if sign > 0 else (other.minus, other.plus)
        )
        plus = row.plus & only_row | added_plus & only_other
        minus = row.minus & only_row | added_minus & only_other
    multipliers = {
        index: multiplier * other.factor for index, multiplier in row.multipliers.items()
    }
    for index, multiplier in other.multipliers.items():
        multipliers[index] = multipliers.get(index, 0) + sign * row.factor * multiplier
    total, factor = row.total + sign * other.total, row.factor * other.factor * divisor
    if total % divisor:  # `factor` divides the coefficients of the combination, but not its total
        raise ContradictoryEquationsError(
            Certificate(
                {index: multiplier for index, multiplier in multipliers.items() if multiplier},
                factor,
            )
        )
    common = gcd(factor, *multipliers.values())
    row.plus, row.minus, row.total = plus, minus, total // divisor
    row.multipliers = {
        index: multiplier // common for index, multiplier in multipliers.items() if multiplier
    }
    row.factor = factor // common
    row.check()


def simplify_two_colors(board: Board) -> list[System]:
    """Return short systems for a two-color board; each of its codes satisfies exactly one."""
    simplified = [simplify_equations(equations) for equations in read_equations(board)]
    short_systems = [to_system(rows, board) for rows in simplified if isinstance(rows, list)]
    return [system for system in short_systems if not parities.refute_by_parities(system)]


def short_system(board: Board) -> System | None:
    """Return a system of short equations with the codes of a board, or None.

    The board must have two colors and a known weight. Contradictory equations are kept, so boards
    with codes and boards without them have systems of similar size. None is also returned if two
    equations contradict each other, or if the system does not have fewer literals than the board's.
    """
    if not is_linear_board(board) or len(possible_weights(board)) != 1:
        return None
    (equations,) = read_equations(board)
    try:
        rows = shorten_equations(equations)
    except ContradictoryEquationsError:
        return None
    if can_eliminate(rows):
        rows = eliminate_equations(rows, to_sparse_equations(rows), keeps_contradictions=True)
    system = to_system(rows, board)
    return system if _length(system) < _length(System.of(board)) else None


def _length(system: System) -> int:
    """Return the number of literals in all constraints."""
    return sum(len(constraint.literals) for constraint in system.constraints)


def simplify_equations(equations: TwoColorEquations) -> list[SignedEquation] | Certificate:
    """Return short equations with the same solutions, or a certificate that none exists."""
    try:
        rows = shorten_equations(equations)
        if not can_eliminate(rows):
            return rows
        sparse_equations = to_sparse_equations(rows)
        refute_by_parity(rows, sparse_equations)
        return eliminate_equations(rows, sparse_equations)
    except ContradictoryEquationsError as contradiction:
        if not contradiction.certificate.proves(equations):
            message = f"an algebraic certificate is invalid: {contradiction.certificate}"
            raise InternalError(message) from None
        return contradiction.certificate


def shorten_equations(equations: TwoColorEquations) -> list[SignedEquation]:
    """Return sparse equations with the same solutions, without 0 = 0 and duplicates.

    Raises ContradictoryEquationsError for a contradiction of two equations.
    """
    rows = read_signed_equations(equations)
    sparsify(rows, equations.pegs)
    distinct_rows: dict[tuple[int, int, int], SignedEquation] = {}
    for row in filter(len, rows):
        distinct_rows.setdefault((row.plus, row.minus, row.total), row)
    return [*distinct_rows.values()]


def read_signed_equations(equations: TwoColorEquations) -> list[SignedEquation]:
    """Return signed equations; the base that makes the others shortest is marked as fixed.

    Raises ContradictoryEquationsError for an equation whose total is out of range.
    """
    all_pegs = (1 << equations.pegs) - 1
    rows = []
    for index, (signs, total) in enumerate(zip(equations.signs, equations.totals, strict=True)):
        plus = int.from_bytes(np.packbits(signs > 0, bitorder="little").tobytes(), "little")
        rows.append(SignedEquation(plus, all_pegs ^ plus, int(total), {index: 1}))
        rows[-1].check()
    if rows:
        min(rows[:MAX_TRIED_BASES], key=lambda row: combined_length(row, rows)).is_fixed = True
    return rows


def can_eliminate(rows: list[SignedEquation]) -> bool:
    """Return whether elimination is quick enough."""
    return sum(map(len, rows)) <= LIMITS.elimination_coefficients


def to_sparse_equations(rows: list[SignedEquation]) -> list[Equation]:
    """Return signed equations as sparse vectors with their totals."""
    return [(row.coefficients(), row.total) for row in rows]


def refute_by_parity(rows: list[SignedEquation], sparse_equations: list[Equation]) -> None:
    """Raise ContradictoryEquationsError if the equations have no solution modulo 2."""
    parity = ModularElimination(sparse_equations, 2)
    parity.run()
    even_combinations, _ = parity.dependencies()
    for multipliers, total in even_combinations.values():
        if total % 2:
            combination, factor = expand(multipliers, rows)
            raise ContradictoryEquationsError(Certificate(combination, 2 * factor))


def eliminate_equations(
    rows: list[SignedEquation],
    sparse_equations: list[Equation],
    *,
    keeps_contradictions: bool = False,
) -> list[SignedEquation]:
    """Drop implied equations and shorten long ones.

    Raises ContradictoryEquationsError for a contradiction. With `keeps_contradictions`, its
    equations are kept.
    """
    elimination, dependencies = find_dependencies(sparse_equations)
    implied = set()
    for index, (multipliers, total) in dependencies.items():
        if not total:
            implied.add(index)
        elif not keeps_contradictions:
            raise ContradictoryEquationsError(Certificate(expand(multipliers, rows)[0]))
    kept_rows = {index: row for index, row in enumerate(rows) if index not in implied}
    # Pivots stay as they are, and equations that became 0 are not shorter equations.
    reducible = kept_rows.keys() - elimination.pivots - dependencies.keys()
    for index in elimination.long_rows & reducible:
        reduced_multipliers = elimination.multipliers(index)
        if reduced_multipliers is None:
            continue
        try:
            shorter_row = divide_combination(reduced_multipliers, sparse_equations, rows)
        except ContradictoryEquationsError:
            if not keeps_contradictions:
                raise
            continue
        if shorter_row is not None and len(shorter_row) < len(rows[index]):
            kept_rows[index] = shorter_row
    return list(kept_rows.values())


def divide_combination(
    multipliers: SparseVector, sparse_equations: list[Equation], rows: list[SignedEquation]
) -> SignedEquation | None:
    """Return a combination divided by the gcd of its coefficients, as a signed equation.

    Return None if its coefficients have different absolute values or are all 0. Raises
    ContradictoryEquationsError if the combination is a contradiction.
    """
    coefficients, total = combine_equations(multipliers, sparse_equations)
    common = gcd(*coefficients.values())
    if common == 0:
        return None
    combination, factor = expand(multipliers, rows)
    if total % common:
        raise ContradictoryEquationsError(Certificate(combination, factor * common))
    if any(abs(coefficient) != common for coefficient in coefficients.values()):
        return None
    plus, minus = (
        sum(1 << peg for peg, coefficient in coefficients.items() if coefficient == sign * common)
        for sign in (1, -1)
    )
    equation = SignedEquation(plus, minus, total // common, combination, factor * common)
    equation.check()
    return equation


def expand(multipliers: SparseVector, rows: list[SignedEquation]) -> tuple[SparseVector, int]:
    """Express a combination of rows by the equations of the board.

    Return multipliers, which combine the equations of the board to the given combination times a
    factor, and the factor.
    """
    factor = lcm(*(rows[index].factor for index in multipliers))
    scaled = {
        index: multiplier * (factor // rows[index].factor)
        for index, multiplier in multipliers.items()
    }
    return combine_vectors(scaled, lambda index: rows[index].multipliers), factor


def to_system(rows: list[SignedEquation], board: Board) -> System:
    """Return equations as a system.

    A peg with sign 1 counts if it has the second color, a peg with sign -1 if it has the first.
    """
    variables = VariableMap(board.game.pegs, 2)
    constraints = []
    for row in rows:
        signs = row.coefficients().items()
        literals = tuple([variables.at(peg, int(sign > 0)) for peg, sign in signs])
        true_count = row.total + row.minus.bit_count()
        constraints.append(SoftRow((CardinalityConstraint(literals, true_count, true_count),)))
    return System(variables, exclude_codes(variables, board.known), tuple(constraints))
