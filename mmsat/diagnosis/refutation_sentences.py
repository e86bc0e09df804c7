"""Sentences that refute a two-color conflict, to be checked with paper and pencil."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from mmsat._util.text import capitalize, join_words, linear_combination, plural
from mmsat.game.notation.board_reader import speller

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from mmsat.game.board import Board
    from mmsat.game.refutation import Combination, Refutation

MAX_PROOF_ROWS = 12
"""Maximum number of rows of a proof that is printed without `full`."""


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
    row_count = len(refutation.rows)
    if row_count > MAX_PROOF_ROWS and not full:
        return f"Proof: {row_count} rows add up to a contradiction (-v prints the sum)."
    return f"Proof: {' '.join(_sentences(board, refutation))}"


def _sentences(board: Board, refutation: Refutation) -> Iterator[str]:
    if refutation.weighing:
        yield _weighing(refutation)
    elif not board.game.space.has_repeats and board.game.pegs > 1:
        yield "All pegs make 1 because no color repeats."
    for combination in refutation.combinations:
        has_cases = len(refutation.combinations) > 1
        case = f"If all pegs make {combination.weight}, " if has_cases else ""
        yield from _blacks(board, combination, case)
        yield _combination(board, combination, case)


def _weighing(refutation: Refutation) -> str:
    """Return which weights of the code are possible, and which rows exclude all others."""
    rows = _enumerate("row", [row + 1 for row in refutation.weighing])
    is_single = len(refutation.weighing) == 1
    score = "its score" if is_single else "one of their scores"
    weights = [str(combination.weight) for combination in refutation.combinations]
    if not weights:
        return f"By {rows}, no sum of all pegs is possible, as each sum excludes {score}."
    return f"By {rows}, all pegs make {' or '.join(weights)}, as other sums exclude {score}."


def _blacks(board: Board, combination: Combination, case: str) -> Iterator[str]:
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
    return {peg: number for peg, number in coefficients.items() if number}, total


def _combination(board: Board, combination: Combination, case: str) -> str:
    """Return the sentence with the added rows, their sum, and the contradiction."""
    coefficients, total = add_up(board, combination)
    terms = _group("row", dict(combination.rows))
    if combination.times_weight:
        terms.append((combination.times_weight, "all pegs"))
    sum_text = capitalize(f"{case}{_sum(terms)}")
    if not coefficients:
        return f"{sum_text}: the pegs cancel out, but {total} remains."
    if combination.modulus:
        contradiction = f"{combination.modulus} divides the left side and not {total}"
    elif total > 0:
        contradiction = (
            f"can make at most {sum(max(number, 0) for number in coefficients.values())}"
        )
    else:
        contradiction = (
            f"can make at least {sum(min(number, 0) for number in coefficients.values())}"
        )
    return f"{sum_text}: {_sum(_group('peg', coefficients))} make {total}, but {contradiction}."


def _group(noun: str, numbers: Mapping[int, int]) -> list[tuple[int, str]]:
    """Return pairs of a coefficient and the noun phrase of its rows or pegs (from 0)."""
    groups: dict[int, list[int]] = {}
    for index, number in numbers.items():
        groups.setdefault(number, []).append(index + 1)
    return [(number, _enumerate(noun, group)) for number, group in groups.items()]


def _sum(terms: Iterable[tuple[int, str]]) -> str:
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
