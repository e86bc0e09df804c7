"""Random matrices and systems of equations."""

import random

from mmsat.english import quantity
from mmsat.reductions.samples.sample import Answer, Sample
from mmsat.reductions.sources.matrix import Matrix
from mmsat.reductions.sources.system import Equation, System01


def draw_matrix(size: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw a square 0/1 matrix with about three ones per row, whose permanent is to be counted."""
    rows = [set(rng.sample(range(size), min(size, 3))) for _ in range(size)]
    certificate = None
    recipe = f"{quantity(size, 'row')} with {quantity(min(size, 3), 'one')} each, at random."
    if answer is Answer.CONSISTENT:
        certificate = tuple(rng.sample(range(size), size))
        for row, column in zip(rows, certificate, strict=True):
            row.add(column)
        rows_in_words = quantity(size, "row")
        recipe = f"{rows_in_words} with 3 random ones each, and the ones of a planted permutation."
    if answer is Answer.INCONSISTENT:
        columns = rng.sample(range(size), size // 2)
        for index in rng.sample(range(size), size // 2 + 1):
            rows[index] = set(rng.sample(columns, min(len(columns), 3)))
        recipe = (
            f"{quantity(size, 'row')} with about 3 ones each; {size // 2 + 1} of them have ones in "
            f"only {quantity(size // 2, 'column')}, so there is no permutation (Hall)."
        )
    lines = tuple(tuple(int(column in row) for column in range(size)) for row in rows)
    return Sample.of(answer, Matrix(lines), certificate, recipe)


def draw_system(variables: int, rng: random.Random, answer: Answer) -> Sample:
    """Draw half as many equations as variables, with coefficients -1, 0 and 1."""
    num_equations = -(-variables // 2)
    planted = tuple(rng.randrange(2) for _ in range(variables))
    rows = [[rng.randrange(-1, 2) for _ in planted] for _ in range(num_equations)]
    totals = [_total(row, planted) for row in rows]
    certificate = planted if answer is Answer.CONSISTENT else None
    recipe = f"{quantity(num_equations, 'random equation')} that planted values satisfy."
    if answer is Answer.ANY:
        rearrangements = [rng.sample(planted, variables) for _ in rows]
        totals = [_total(row, values) for row, values in zip(rows, rearrangements, strict=True)]
        recipe = (
            f"{quantity(num_equations, 'random equation')}, each satisfied by a different "
            "rearrangement of the same values."
        )
    if answer is Answer.INCONSISTENT:
        # The coefficient, from -1 to 1, that completes the column sum to a multiple of 3.
        rows[-1] = [(1 - sum(column)) % 3 - 1 for column in zip(*rows[:-1], strict=True)]
        rows[-1] = rows[-1] or [0] * variables
        wrong = (1 - sum(totals[:-1])) % 3  # the totals sum up to 1 modulo 3
        totals[-1] = min(
            range(-variables, variables + 1),
            key=lambda total: (total % 3 != wrong, abs(total - _total(rows[-1], planted)), total),
        )
        recipe = (
            f"{quantity(num_equations, 'equation')} whose left sides sum up to multiples of 3, "
            "whatever the values are, and whose right sides do not."
        )
    equations = tuple(Equation(tuple(row), total) for row, total in zip(rows, totals, strict=True))
    return Sample.of(answer, System01(variables, equations), certificate, recipe)


def _total(row: list[int], values: list[int] | tuple[int, ...]) -> int:
    return sum(factor * value for factor, value in zip(row, values, strict=True))
