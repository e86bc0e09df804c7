"""Facts: statements about the code from which the sentence about a conflict is made.

Each fact is implied by one row, and the facts of a conflict have no code together. Every fact is a
set of cardinality constraints, so that this can be checked without reading the sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from mmsat.board import Board
from mmsat.frozen import frozen
from mmsat.game.literals import CardinalityConstraint
from mmsat.game.row import UNREAD, Row, Score
from mmsat.game.scoring.scoring import in_common
from mmsat.game.unread import constraints


@frozen
class LiteralsFact:
    """All of some literals are true: place 1 is C, there is no R."""

    row: int
    """Row index."""
    literals: tuple[int, ...]


@frozen
class ScoreFact:
    """The guess gets some components of the row's score: 2 white.

    If pegs of the guess were not read, some guess with any colors at these pegs does.
    """

    row: int
    """Row index."""
    score: Score
    """The components, None for each that the fact leaves open."""


@frozen
class CommonFact:
    """Code and guess have at least some number of pegs in common, in any order."""

    row: int
    """Row index."""
    pegs: int
    """The minimum."""


Fact: TypeAlias = LiteralsFact | ScoreFact | CommonFact


def fact_constraints(board: Board, fact: Fact) -> tuple[CardinalityConstraint, ...]:
    """Return the constraints which exactly the codes satisfy of which the fact is true."""
    if isinstance(fact, LiteralsFact):
        number = len(fact.literals)
        return (CardinalityConstraint(fact.literals, number, number),)
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
    """Return whether two facts give one guess, which was read in full, different scores."""
    if len(facts) != 2:
        return False
    one, other = facts
    guess = board.rows[one.row].guess
    is_same = UNREAD not in guess and guess == board.rows[other.row].guess
    return is_same and bool(differing_components(one.score, other.score))
