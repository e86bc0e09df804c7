"""Refutations: proofs that no code satisfies some rows of a two-color board, checkable by hand.

Verdicts and proofs contain refutations, which are printed and checked without a solver. Therefore,
this module imports no solver. solving/refutation.py finds refutations.

`proof_sentence` and `legend` return a refutation in sentences, to be checked with pencil and paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, TypedDict

from mmsat._util.results import NonNegative, RowNumber, RowNumbers, Schema
from mmsat._util.text import capitalize, join_words, linear_combination, plural
from mmsat.game.notation.board_reader import speller

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from mmsat.game.board import Board


class RowMultipleJson(TypedDict):
    """A row and its multiplier in a combination."""

    row: RowNumber
    times: Annotated[int, Schema(**{"not": {"const": 0}})]
    """Multiplier of the equation of the row."""


class CombinationJson(TypedDict):
    """Rows of a two-color board whose integer combination is a contradiction.

    Let s be the number of pegs at which code and guess have the second color, and t the number of
    pegs at which only the code has it. The equation of a row is s - t = black - f, in which f is
    the number of pegs at which the guess has the first color.
    """

    weight: NonNegative | None
    """The combination is a contradiction if the code has this number of pegs of the second color;
    null if it is a contradiction for every number."""
    rows: list[RowMultipleJson]
    """The combined rows."""
    times_weight: int
    """Multiplier of the equation that states the number of pegs of the second color in the code."""
    modulus: Annotated[int, Schema(minimum=2)] | None
    """A divisor of all coefficients of the sum that does not divide its total; null if the total is
    out of range."""


@dataclass(frozen=True)
class Combination:
    """Rows of a two-color board whose integer combination is a contradiction.

    Let x_p be 1 if the code has the second color at peg p, and 0 otherwise. The weight of a code is
    the sum of all x_p. In the equation of a row, x_p has the coefficient 1 if the guess has the
    second color at peg p, and -1 otherwise. The total is black minus the number of pegs at which
    the guess has the first color. (If black was not read, it follows from white and the weight.)
    The combination of these equations has an integer coefficient for each x_p and a total, but

    - the modulus divides all these coefficients and not the total; or
    - the total is below the sum of the negative coefficients, or above that of the positive ones.
    """

    weight: int | None
    """The weight to which the combination applies; None if it applies to every weight."""
    rows: tuple[tuple[int, int], ...]
    """Pairs of a row index and its multiplier, a nonzero integer; indices ascending."""
    times_weight: int
    """The multiplier of the equation of the weight; 0 if it is not used."""
    modulus: int | None
    """A divisor of all coefficients that does not divide the total; None if the total is out of
    range."""

    def to_dict(self) -> CombinationJson:
        """Return a dict for JSON, with rows from 1."""
        return {
            "weight": self.weight,
            "rows": [{"row": row + 1, "times": times} for row, times in self.rows],
            "times_weight": self.times_weight,
            "modulus": self.modulus,
        }


class RefutationJson(TypedDict):
    """A proof that no code satisfies the rows of a conflict of a two-color board."""

    weighing: RowNumbers
    """Rows that rule out weights of the code (numbers of pegs of the second color), each by its own
    score. The combinations rule out all other weights."""
    combinations: list[CombinationJson]


@dataclass(frozen=True)
class Refutation:
    """A proof that no code satisfies some rows of a two-color board. It can be checked by hand."""

    weighing: tuple[int, ...]
    """Row indices, ascending. Each row rules out some weights by its own score: no code of these
    weights gives it."""
    combinations: tuple[Combination, ...]
    """A combination for each remaining weight, or a single combination for all weights."""

    @property
    def rows(self) -> tuple[int, ...]:
        """Indices of all rows of the proof, ascending."""
        combined = (row for combination in self.combinations for row, _ in combination.rows)
        return tuple(sorted({*self.weighing, *combined}))

    def renumber(self, rows: Sequence[int]) -> Refutation:
        """Return the same proof for a larger board.

        Parameters
        ----------
        rows : sequence of int
            The index in the larger board of each row of this one.

        Returns
        -------
        Refutation
            The proof, with the new rows.
        """
        return Refutation(
            tuple(rows[row] for row in self.weighing),
            tuple(
                replace(combined, rows=tuple((rows[row], times) for row, times in combined.rows))
                for combined in self.combinations
            ),
        )

    def to_dict(self) -> RefutationJson:
        """Return a dict for JSON, with rows from 1."""
        return {
            "weighing": [row + 1 for row in self.weighing],
            "combinations": [combination.to_dict() for combination in self.combinations],
        }


MAX_PROOF_ROWS = 12
"""Maximum number of rows of a proof that is printed if the user does not request full output."""


def legend(board: Board) -> str:
    """Return the sentences that explain how to read proofs."""
    first, second = map(speller(board.game).print_code, ((0,), (1,)))
    return (
        f"In proofs, a peg counts 1 if the code has color {second} there, and else 0. For each row,"
        f" the sum of the pegs at which the guess has {second}, less the sum of the other pegs, is"
        f" black less the number of {first} in the guess."
    )


def proof_sentence(board: Board, refutation: Refutation, *, full: bool = False) -> str:
    """Return a refutation in words.

    Unless `full`, a refutation with more than `MAX_PROOF_ROWS` rows is replaced by a note.
    """
    num_rows = len(refutation.rows)
    if num_rows > MAX_PROOF_ROWS and not full:
        return f"Proof: {num_rows} rows add up to a contradiction (-v prints the sum)."
    return f"Proof: {' '.join(_sentences(board, refutation))}"


def _sentences(board: Board, refutation: Refutation) -> Iterator[str]:
    """Yield the sentences of a refutation: the possible weights, then each combination."""
    if refutation.weighing:
        yield _weights_sentence(refutation)
    elif not board.game.space.has_repeats and board.game.pegs > 1:  # two pegs, one of each color
        yield "All pegs make 1 because no color repeats."
    for combination in refutation.combinations:
        has_cases = len(refutation.combinations) > 1
        case = f"If all pegs make {combination.weight}, " if has_cases else ""
        yield from _implied_blacks_sentence(board, combination, case)
        yield _sum_sentence(board, combination, case)


def _weights_sentence(refutation: Refutation) -> str:
    """Return the sentence about the possible weights, and the rows that exclude all others."""
    rows = _enumerate("row", [row + 1 for row in refutation.weighing])
    is_single = len(refutation.weighing) == 1
    score = "its score" if is_single else "one of their scores"
    weights = [str(combination.weight) for combination in refutation.combinations]
    if not weights:
        return f"By {rows}, no sum of all pegs is possible, as each sum excludes {score}."
    return f"By {rows}, all pegs make {' or '.join(weights)}, as other sums exclude {score}."


def _implied_blacks_sentence(board: Board, combination: Combination, case: str) -> Iterator[str]:
    """Yield a sentence if some blacks were not read, but follow from white."""
    blacks = [
        f"{black(board, row, combination.weight)} in row {row + 1}"
        for row, _ in combination.rows
        if board.rows[row].score[0] is None
    ]
    if blacks:
        yield capitalize(f"{case}white implies a black of {join_words(blacks)}.")


def black(board: Board, row: int, weight: int | None) -> int:
    """Return the black of a row, or derive it from white and `weight`.

    `weight` is the number of pegs of the second color in the code. Black plus white is the number
    of pegs minus the difference of the weights of code and guess. Raises ValueError if black does
    not follow.
    """
    guess, score = board.rows[row]
    if score[0] is not None:
        return score[0]
    white = score[1]
    if weight is None or white is None:
        message = f"the black of row {row + 1} is not determined"
        raise ValueError(message)
    return len(guess) - abs(weight - sum(guess)) - white


def add_up(board: Board, combination: Combination) -> tuple[dict[int, int], int]:
    """Return the sum of a combination: its nonzero coefficients by peg, and its right side."""
    weight = combination.weight
    coefficients = dict.fromkeys(range(board.game.pegs), combination.times_weight)
    total = combination.times_weight * (weight or 0)
    for row, times in combination.rows:
        guess = board.rows[row].guess
        for peg, color in enumerate(guess):
            coefficients[peg] += times if color else -times
        total += times * (black(board, row, weight) - guess.count(0))
    return {peg: coefficient for peg, coefficient in coefficients.items() if coefficient}, total


def _sum_sentence(board: Board, combination: Combination, case: str) -> str:
    """Return the sentence with the added rows, their sum, and the contradiction."""
    coefficients, total = add_up(board, combination)
    terms = _group("row", dict(combination.rows))
    if combination.times_weight:
        terms.append((combination.times_weight, "all pegs"))
    sum_text = capitalize(f"{case}{_sum_in_words(terms)}")
    if not coefficients:
        return f"{sum_text}: the pegs cancel out, but {total} remains."
    if combination.modulus:
        contradiction = f"{combination.modulus} divides the left side and not {total}"
    elif total > 0:  # out of range, and not below the minimum, which is at most 0
        contradiction = (
            f"can make at most {sum(max(coefficient, 0) for coefficient in coefficients.values())}"
        )
    else:
        contradiction = (
            f"can make at least {sum(min(coefficient, 0) for coefficient in coefficients.values())}"
        )
    left_side = _sum_in_words(_group("peg", coefficients))
    return f"{sum_text}: {left_side} make {total}, but {contradiction}."


def _group(noun: str, coefficients: Mapping[int, int]) -> list[tuple[int, str]]:
    """Group rows or pegs (from 0) by coefficient: pairs such as (2, "rows 1 and 3")."""
    groups: dict[int, list[int]] = {}
    for index, coefficient in coefficients.items():
        groups.setdefault(coefficient, []).append(index + 1)
    return [(coefficient, _enumerate(noun, numbers)) for coefficient, numbers in groups.items()]


def _sum_in_words(terms: Iterable[tuple[int, str]]) -> str:
    """Return a linear combination in words, sorted by sign, then by size."""
    return " ".join(linear_combination(sorted(terms, key=lambda term: (term[0] < 0, abs(term[0])))))


def _enumerate(noun: str, numbers: Sequence[int]) -> str:
    """Return `row 1`, `rows 1 and 3`, or `pegs 1 to 4 and 7`."""
    return f"{plural(noun, len(numbers))} {join_words(_runs(numbers))}"


def _runs(numbers: Sequence[int]) -> Iterator[str]:
    """Yield ascending numbers in words; three or more consecutive numbers become `1 to 3`."""
    breaks = [
        index
        for index, (number, following) in enumerate(pairwise(numbers), 1)
        if following != number + 1
    ]
    for start, end in pairwise([0, *breaks, len(numbers)]):
        run = [str(number) for number in numbers[start:end]]
        yield from [f"{run[0]} to {run[-1]}"] if len(run) > 2 else run
