"""State the refutation of a two-color conflict in sentences to be checked with paper and pencil."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from mmsat.english import capitalize, join_words, linear_combination, plural
from mmsat.notation.speller import speller

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from mmsat.board import Board
    from mmsat.results.verdict import Combination, Refutation


ROWS = 12
"""Rows that are added up in words, unless all is to be said."""


def legend(board: Board) -> str:
    """How pegs are counted in proofs, and what a row says of them."""
    first, second = map(speller(board.game).print_code, ((0,), (1,)))
    return (
        f"Proofs count a peg 1 where the code has color {second}, else 0. By each row, the pegs"
        f" where its guess has {second}, less the others, make its black less its pegs of color"
        f" {first}."
    )


def proof_sentence(board: Board, refutation: Refutation, *, full: bool = False) -> str:
    """The refutation of some rows in words; when not `full`, a long one is only announced."""
    many = len(refutation.rows)
    if many > ROWS and not full:
        return f"Proof: {many} rows add up to what no code can have (told in full with -v)."
    return f"Proof: {' '.join(_sentences(board, refutation))}"


def _sentences(board: Board, refutation: Refutation) -> Iterator[str]:
    if refutation.weighing:
        yield _weighing(refutation)
    elif not board.game.space.has_repeats and board.game.pegs > 1:
        yield "All pegs make 1, as no color repeats."
    for each in refutation.combinations:
        several = len(refutation.combinations) > 1
        case = f"If all pegs make {each.weight}, " if several else ""
        yield from _blacks(board, each, case)
        yield _combination(board, each, case)


def _weighing(refutation: Refutation) -> str:
    """Which sums of all pegs are left, and by what rows."""
    rows = _enumerate("row", [row + 1 for row in refutation.weighing])
    one = len(refutation.weighing) == 1
    score = "its score" if one else "one of their scores"
    left = [str(each.weight) for each in refutation.combinations]
    if not left:
        return f"By {rows}, all pegs make no number, as each puts {score} out of reach."
    return f"By {rows}, all pegs make {' or '.join(left)}, as others put {score} out of reach."


def _blacks(board: Board, combination: Combination, case: str) -> Iterator[str]:
    """The blacks that were not read: what white leaves of the pegs that code and guess share."""
    blacks = [
        f"{black(board, row, combination.weight)} in row {row + 1}"
        for row, _ in combination.rows
        if board.rows[row].score[0] is None
    ]
    if blacks:
        yield capitalize(f"{case}white leaves a black of {join_words(blacks)}.")


def black(board: Board, row: int, weight: int | None) -> int:
    """The black of a row, or what follows from its white and the code's pegs of the second color.

    Code and guess share all pegs but the difference of their pegs of that color.
    """
    guess, score = board.rows[row]
    if score[0] is not None:
        return score[0]
    white = score[1]
    if weight is None or white is None:
        message = f"row {row + 1} says nothing of its black"
        raise ValueError(message)
    return len(guess) - abs(weight - sum(guess)) - white


def add_up(board: Board, combination: Combination) -> tuple[dict[int, int], int]:
    """What a combination adds up to: by peg its number, if that is not 0, and the total."""
    weight = combination.weight
    left = dict.fromkeys(range(board.game.pegs), combination.times_weight)
    total = combination.times_weight * (weight or 0)
    for row, times in combination.rows:
        guess = board.rows[row].guess
        for peg, color in enumerate(guess):
            left[peg] += times if color else -times
        total += times * (black(board, row, weight) - guess.count(0))
    return {peg: number for peg, number in left.items() if number}, total


def _combination(board: Board, combination: Combination, case: str) -> str:
    """The rows that are added, the sum, and what is wrong with it."""
    left, total = add_up(board, combination)
    terms = _group("row", dict(combination.rows))
    if combination.times_weight:
        terms.append((combination.times_weight, "all pegs"))
    made = capitalize(f"{case}{_sum(terms)}")
    if not left:
        return f"{made}: the pegs cancel out, but {total} is left."
    if combination.modulus:
        wrong = f"{combination.modulus} divides the left side and not {total}"
    elif total > 0:
        wrong = f"can make {sum(max(number, 0) for number in left.values())} at most"
    else:
        wrong = f"can make {sum(min(number, 0) for number in left.values())} at least"
    return f"{made}: {_sum(_group('peg', left))} make {total}, but {wrong}."


def _group(noun: str, numbers: Mapping[int, int]) -> list[tuple[int, str]]:
    """Rows or pegs (from 0) by their numbers, those of the same number together."""
    groups: dict[int, list[int]] = {}
    for index, number in numbers.items():
        groups.setdefault(number, []).append(index + 1)
    return [(number, _enumerate(noun, group)) for number, group in groups.items()]


def _sum(terms: Iterable[tuple[int, str]]) -> str:
    """Things times numbers, the positive and small numbers first."""
    return " ".join(linear_combination(sorted(terms, key=lambda term: (term[0] < 0, abs(term[0])))))


def _enumerate(noun: str, numbers: Sequence[int]) -> str:
    """`row 1`, `rows 1 and 3`, `pegs 1 to 4 and 7`."""
    return f"{plural(noun, len(numbers))} {join_words(_runs(numbers))}"


def _runs(numbers: Sequence[int]) -> Iterator[str]:
    """Ascending numbers, three or more that follow each other by their ends."""
    breaks = [each for each, (one, two) in enumerate(pairwise(numbers), 1) if two != one + 1]
    for start, end in pairwise([0, *breaks, len(numbers)]):
        run = [str(number) for number in numbers[start:end]]
        yield from [f"{run[0]} to {run[-1]}"] if len(run) > 2 else run
