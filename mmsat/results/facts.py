"""Facts: statements about the code that make up the sentence about a conflict.

Each fact is implied by one row, and no code satisfies all facts of a conflict. Every fact is a set
of cardinality constraints, so that this can be checked without parsing the sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mmsat.board import Board
from mmsat.game.literals import CardinalityConstraint
from mmsat.game.row import UNREAD, Row, Score
from mmsat.game.scoring.scoring import in_common
from mmsat.game.unread import constraints


@dataclass(frozen=True)
class LiteralsFact:
    """A conjunction of literals: "place 1 is C", "there is no R"."""

    row: int
    """Row index."""
    literals: tuple[int, ...]
    """Literals (see mmsat.game.literals), negative if negated."""


@dataclass(frozen=True)
class ScoreFact:
    """The guess of a row gets some components of the row's score: "2 white".

    If pegs of the guess were not read, some guess with any colors at these pegs does.
    """

    row: int
    """Row index."""
    score: Score
    """The components; None for each component that the fact leaves open."""


@dataclass(frozen=True)
class CommonFact:
    """Code and guess have at least a number of pegs in common, in any order."""

    row: int
    """Row index."""
    pegs: int
    """The minimum number of pegs."""


Fact: TypeAlias = LiteralsFact | ScoreFact | CommonFact


def fact_constraints(board: Board, fact: Fact) -> tuple[CardinalityConstraint, ...]:
    """Return constraints that a code satisfies if and only if the fact is true of it."""
    if isinstance(fact, LiteralsFact):
        count = len(fact.literals)
        return (CardinalityConstraint(fact.literals, count, count),)
    guess = board.rows[fact.row].guess
    if isinstance(fact, ScoreFact):
        return tuple(constraints(board.game, Row(guess, fact.score)))
    common = in_common(board.game.variables, guess)
    return (CardinalityConstraint(common, fact.pegs, board.game.pegs),)


def differing_components(one: Score, other: Score) -> list[int]:
    """Return the indices of the components that both scores have, with different numbers."""
    pairs = enumerate(zip(one, other, strict=True))
    return [index for index, pair in pairs if None not in pair and pair[0] != pair[1]]


def is_one_guess(board: Board, facts: Sequence[ScoreFact]) -> bool:
    """Return whether two facts state different scores for one guess without unread pegs."""
    if len(facts) != 2:
        return False
    first, second = facts
    guess = board.rows[first.row].guess
    is_same = UNREAD not in guess and guess == board.rows[second.row].guess
    return is_same and bool(differing_components(first.score, second.score))
