"""The model of scoring mistakes (slips): their kinds, and how likely each is.

The probability that a score is recorded as another one is proportional to the weight of the slip
between them. Slips are rare and independent between rows, and all codes are equally likely.

Slips of people are weighted by rank: a peg counted under a wrong name (a black as a white), one peg
too many or too few, two numbers exchanged, and all others. Each rank is half as likely as the
previous one.

Faulty programs make another slip: they count every peg of the guess whose color occurs in the code,
so repeated colors count more often than they occur in the code. Whether a score can be explained in
this way depends on the code. This slip is as likely as all wrong names together. A wrong name
changes a score to one of several others, but this slip to only one, so its weight is the sum of the
weights of all wrong names.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from mmsat.game import UNREAD, hide

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from mmsat.game import Code, Row, Score
    from mmsat.game.board import Board
    from mmsat.game.game import Game
    from mmsat.game.scoring import Mark

Repair = tuple[tuple[int, "Score"], ...]
"""Rows (from 0), ascending, each with the score that a code gives its guess."""

WEIGHTS = (8, 4, 2, 1)
"""The weights of slips by rank; the last one is for all higher ranks."""


class Slip(NamedTuple):
    """A kind of mistake."""

    rank: int
    """Rank of plausibility; 0 is the most plausible."""
    words: str
    """The mistake in a few words; empty if it has no name."""
    weight: int
    """How likely the mistake is, relative to others."""


def rank_weight(rank: int) -> int:
    """Return the weight of slips of a rank."""
    return WEIGHTS[min(rank, len(WEIGHTS) - 1)]


@lru_cache(maxsize=1 << 14)
def slip(before: Score, after: Score, game: Game) -> Slip:
    """Return the slip of a person who recorded `before` instead of `after`.

    The ranks are described in the docstring of this module. Among other mistakes, those with fewer
    wrong pegs have lower ranks.
    """
    pairs = zip(game.parts, before, after, strict=True)
    wrong_parts = {
        part: (stated, meant)
        for part, stated, meant in pairs
        if stated is not None and meant is not None and stated != meant
    }
    rank, words = (
        _by_marks(wrong_parts, game.scoring.marks)
        if game.scoring.marks
        else _by_counts(wrong_parts)
    )
    return Slip(rank, words, rank_weight(rank))


def _by_counts(wrong_parts: dict[str, tuple[int, int]]) -> tuple[int, str]:
    differences = {part: stated - meant for part, (stated, meant) in wrong_parts.items()}
    if sorted(differences.values()) == [-1, 1]:
        missing, extra = sorted(differences, key=lambda part: differences[part])
        return 0, f"a {missing} was taken for a {extra}"
    if len(wrong_parts) == 1 and abs(sum(differences.values())) == 1:
        ((part, difference),) = differences.items()
        return 1, f"one {part} too {'many' if difference > 0 else 'few'}"
    if len(wrong_parts) == 2:
        (first, first_pair), (second, second_pair) = wrong_parts.items()
        if first_pair == second_pair[::-1]:
            return 2, f"{first} and {second} were exchanged"
    return 1 + sum(map(abs, differences.values())), ""


def _by_marks(wrong_places: dict[str, tuple[int, int]], marks: tuple[Mark, ...]) -> tuple[int, str]:
    if len(wrong_places) == 1:
        ((place, (stated, meant)),) = wrong_places.items()
        return 0, f"place {place} was {marks[meant].name}, not {marks[stated].name}"
    return 2 * len(wrong_places), ""


@lru_cache(maxsize=64)
def repeats_slip(game: Game) -> Slip:
    """Return the slip of a program that counts repeated colors too often."""
    mark_count = len(game.scoring.marks)
    num_wrong_names = (mark_count - 1) * game.pegs if mark_count else 2
    words = f"repeated {game.spelled.noun}s were counted twice"
    return Slip(0, words, num_wrong_names * WEIGHTS[0])


def has_repeats(guess: Code) -> bool:
    """Return whether a guess without unread pegs has repeated colors."""
    return UNREAD not in guess and len(set(guess)) < len(guess)


def rows_with_repeats(board: Board, repair: Repair) -> list[int]:
    """Return the rows of a repair whose scores may count repeated colors twice, for some code."""
    return [
        row
        for row, after in repair
        if has_repeats(board.rows[row].guess)
        and board.rows[row].score != after
        and all(
            stated is None or meant is None or stated >= meant
            for stated, meant in zip(board.rows[row].score, after, strict=True)
        )
    ]


def counts_repeats(game: Game, row: Row, code: Code) -> bool:
    """Return whether counting repeated colors twice explains the wrong score of a row."""
    guess, stated = row
    return hide(game.scoring.score_with_repeats(code, guess), stated) == stated


def repeats_of(board: Board, code: Code, rows: Iterable[int]) -> tuple[int, ...]:
    """Return the rows, among rows with wrong scores, whose scores count repeated colors twice."""
    return tuple(row for row in rows if counts_repeats(board.game, board.rows[row], code))


def slips_of(board: Board, repair: Repair, repeats: Container[int]) -> list[Slip]:
    """Return the slip of each row of a repair. Rows in `repeats` count repeated colors twice."""
    return [
        repeats_slip(board.game)
        if row in repeats
        else slip(board.rows[row].score, after, board.game)
        for row, after in repair
    ]


def total_weight(slips: Sequence[Slip]) -> int:
    """Return the weight of several independent slips."""
    return prod(slip.weight for slip in slips)


def rank_order(slips: Sequence[Slip]) -> tuple[int, int]:
    """Return a key that sorts several slips by rank, the most plausible first."""
    return -prod(rank_weight(slip.rank) for slip in slips), sum(slip.rank for slip in slips)
