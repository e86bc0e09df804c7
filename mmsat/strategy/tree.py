"""Strategy trees: what is guessed first, and after every score that a guess can get."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from mmsat.board import Board
from mmsat.errors import Fault, InputError
from mmsat.game.game import Game
from mmsat.game.row import Code, Score


@dataclass(slots=True)
class Node:
    """A guess, and what comes after each score that some code gets, but for the last one.

    The game ends with the score that a guess gets when it is the code; that has no branch.
    """

    guess: Code
    wins: int = 1
    """The codes for which the game ends here: one or none, more where scores tell too little."""
    branches: dict[Score, Node] = field(default_factory=dict)


@dataclass(frozen=True)
class StrategyTree:
    """A strategy written out for one game."""

    game: Game
    root: Node
    strategy: str = ""
    """The name of what grew it."""

    def nodes(self) -> Iterator[tuple[int, Node]]:
        """Every node with the number of its guess, from 1; parents before children, in order."""
        stack = [(1, self.root)]
        while stack:
            turn, node = stack.pop()
            yield turn, node
            stack += [(turn + 1, node.branches[s]) for s in sorted(node.branches, reverse=True)]

    @cached_property
    def distribution(self) -> dict[int, int]:
        """For each number of guesses from 1, how many codes take so many."""
        ends: Counter[int] = Counter()
        for turn, node in self.nodes():
            ends[turn] += node.wins
        return {turn: ends[turn] for turn in range(1, max(ends) + 1)}

    @property
    def codes(self) -> int:
        """The codes that are found."""
        return sum(self.distribution.values())

    @property
    def total(self) -> int:
        """The guesses that all codes take together."""
        return sum(turn * many for turn, many in self.distribution.items())

    @property
    def average(self) -> Fraction:
        """The guesses that a code takes, exactly."""
        return Fraction(self.total, self.codes)

    @property
    def max(self) -> int:
        """The guesses that the worst code takes."""
        return max(self.distribution)

    def walk(self, board: Board) -> Code:
        """The guess after the rows of a board; raises InputError where the tree does not go."""
        node = self.root
        for number, (guess, score) in enumerate(board.rows, 1):
            following = node.branches.get(score)
            if guess != node.guess or following is None:
                fault = Fault(
                    f"row {number} is a guess of the tree, with a score that leaves a code",
                    board.game.scoring.describe(score),
                    "a game that was played by the tree",
                )
                raise InputError([fault], "the board")
            node = following
        return node.guess
