"""The model of scoring mistakes (slips): their kinds, and how likely each is.

A score is recorded as another one with a probability that is proportional to the weight of the slip
between them. Slips are rare and independent between rows, and all codes are equally likely.

Slips of people are weighed by rank: a peg counted under a wrong name, one peg too many or too few,
two numbers exchanged, and any other. Each rank is half as likely as the one before.

A program makes another slip: it counts every peg of the guess whose color occurs in the code, so
that repeated colors count more often than the code has them. Whether a score can be explained in
this way depends on the code. The slip is as likely as a wrong name. But a wrong name changes a
score to one of several others, and this slip to a single one. Therefore its weight is the sum of
the weights of all wrong names.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from mmsat.game.row import UNREAD, hide

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from mmsat.game.board import Board
    from mmsat.game.game import Game
    from mmsat.game.row import Code, Row, Score
    from mmsat.game.scoring import Mark

Repair = tuple[tuple[int, "Score"], ...]
"""Rows (from 0), ascending, each with the score that a code gives it."""

WEIGHTS = (8, 4, 2, 1)
"""The weights of slips by rank; the last one is for all higher ranks."""


class Slip(NamedTuple):
    """A kind of mistake."""

    rank: int
    """0 is the most plausible; ranks add up over several mistakes."""
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

    Most plausible is one peg put under the wrong name (a black for a white), then one peg too many
    or too few, then two numbers exchanged. Beyond that, the more pegs are off, the less plausible.
    """
    pairs = zip(game.parts, before, after, strict=True)
    off = {
        part: (stated, meant)
        for part, stated, meant in pairs
        if stated is not None and meant is not None and stated != meant
    }
    rank, words = _by_marks(off, game.scoring.marks) if game.scoring.marks else _by_counts(off)
    return Slip(rank, words, rank_weight(rank))


def _by_counts(off: dict[str, tuple[int, int]]) -> tuple[int, str]:
    differences = {part: stated - meant for part, (stated, meant) in off.items()}
    if sorted(differences.values()) == [-1, 1]:
        missing, extra = sorted(differences, key=lambda part: differences[part])
        return 0, f"a {missing} was taken for a {extra}"
    if len(off) == 1 and abs(sum(differences.values())) == 1:
        ((part, difference),) = differences.items()
        return 1, f"one {part} too {'many' if difference > 0 else 'few'}"
    if len(off) == 2:
        (first, first_pair), (second, second_pair) = off.items()
        if first_pair == second_pair[::-1]:
            return 2, f"{first} and {second} were exchanged"
    return 1 + sum(map(abs, differences.values())), ""


def _by_marks(off: dict[str, tuple[int, int]], marks: tuple[Mark, ...]) -> tuple[int, str]:
    if len(off) == 1:
        ((place, (stated, meant)),) = off.items()
        return 0, f"place {place} was {marks[meant].name}, not {marks[stated].name}"
    return 2 * len(off), ""


@lru_cache(maxsize=64)
def repeats_slip(game: Game) -> Slip:
    """Return the slip of a program that counts repeated colors too often."""
    marks = len(game.scoring.marks)
    wrong_names = (marks - 1) * game.pegs if marks else 2
    return Slip(0, f"repeated {game.spelled.noun}s were counted twice", wrong_names * WEIGHTS[0])


def has_repeats(guess: Code) -> bool:
    """Return whether a guess that was read whole has repeated colors."""
    return UNREAD not in guess and len(set(guess)) < len(guess)


def rows_with_repeats(board: Board, repair: Repair) -> list[int]:
    """Return the rows of a repair in which repeated colors may count twice, for some code."""
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
    """Return whether a wrong score is the one in which repeated colors count twice."""
    guess, stated = row
    return hide(game.scoring.score_with_repeats(code, guess), stated) == stated


def repeats_of(board: Board, code: Code, rows: Iterable[int]) -> tuple[int, ...]:
    """Return those of some rows with wrong scores in which repeated colors count twice."""
    return tuple(row for row in rows if counts_repeats(board.game, board.rows[row], code))


def slips_of(board: Board, repair: Repair, repeats: Container[int]) -> list[Slip]:
    """Return the slip of each row of a repair; in the rows of `repeats`, colors count twice."""
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
