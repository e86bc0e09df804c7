"""Strategy trees: what is guessed first, and after every score that a guess can get."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from mmsat.board import Board
from mmsat.errors import Fault, InputError
from mmsat.frozen import frozen
from mmsat.game.game import Game
from mmsat.game.row import Code, Score
from mmsat.notation.speller import speller
from mmsat.shown import Shown
from mmsat.strategy.code_list import iterate_codes

OnProgress: TypeAlias = Callable[[int, int], None]
"""What is called with the codes that are done, and with all."""
MOST_FAULTS = 5
"""Codes that are told where a tree fails."""
OFTEN = 10_000
"""Codes between two reports."""


@dataclass(slots=True)
class Node:
    """A guess, and what comes after each score that some code gets, but for the last one.

    The game ends with the score that a guess gets when it is the code; that has no branch.
    """

    guess: Code
    wins: int = 1
    """The codes for which the game ends here: one or none, more where scores tell too little."""
    branches: dict[Score, Node] = field(default_factory=dict)


class Figures(ABC):
    """What follows from the number of codes that take so many guesses."""

    @property
    @abstractmethod
    def distribution(self) -> dict[int, int]:
        """For each number of guesses from 1, how many codes take so many."""

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


@frozen
class StrategyTree(Shown, Figures):
    """A strategy written out for one game."""

    game: Game
    root: Node
    strategy: str = ""
    """The name of what grew it."""

    def nodes(self) -> Iterator[tuple[int, Node]]:
        """Every node with the number of its guess, from 1; parents before children, in order."""
        return ((turn, node) for turn, _, node in self.steps())

    def steps(self) -> Iterator[tuple[int, Score | None, Node]]:
        """The same, each with the score before it; None before the first guess."""
        stack: list[tuple[int, Score | None, Node]] = [(1, None, self.root)]
        while stack:
            turn, score, node = stack.pop()
            yield turn, score, node
            stack += [(turn + 1, s, node.branches[s]) for s in sorted(node.branches, reverse=True)]

    @cached_property
    def distribution(self) -> dict[int, int]:
        ends: Counter[int] = Counter()
        for turn, node in self.nodes():
            ends[turn] += node.wins
        return {turn: ends[turn] for turn in range(1, max(ends) + 1)}

    def walk(self, board: Board | str) -> Code:
        """Return the guess after the rows of a board; raise InputError for rows off the tree."""
        board = Board.of(board)
        node = self.root
        for number, (guess, score) in enumerate(board.rows, 1):
            following = node.branches.get(score)
            if guess != node.guess or following is None:
                raise InputError.of(
                    "the board",
                    "a game that was played by the tree",
                    board.game.scoring.describe(score),
                    f"row {number} is a guess of the tree, with a score that leaves a code",
                )
            node = following
        return node.guess


def replay(tree: StrategyTree, on_progress: OnProgress | None = None) -> dict[Code, int]:
    """Play every code by a tree and the plain scorer: the guesses of each code, in order of codes.

    Sets the wins of the nodes to what they are. Raises InputError where the tree has no answer to a
    score that some code gets. Costs a score for each guess to each code.
    """
    game = tree.game
    full: dict[Code, Score] = {}  # what a guess scores when it is the code
    for _, node in tree.nodes():
        node.wins = 0
        full[node.guess] = game.score(node.guess, node.guess)
    turns: dict[Code, int] = {}
    faults: list[Fault] = []
    for done, code in enumerate(iterate_codes(game)):
        if on_progress and done % OFTEN == 0:
            on_progress(done, game.size)
        node, turn = tree.root, 1
        while (score := game.scoring.score(code, node.guess)) != full[node.guess]:
            following = node.branches.get(score)
            if following is None:
                faults.append(_gap(game, node.guess, score, code, turn))
                break
            node, turn = following, turn + 1
        else:
            node.wins += 1
            turns[code] = turn
        if len(faults) == MOST_FAULTS:
            break
    InputError.refuse(faults, "the tree")
    return turns


def _gap(game: Game, guess: Code, score: Score, code: Code, turn: int) -> Fault:
    spell = speller(game)
    rule = f"there is a guess after each score that a code gets (guess {turn})"
    got = f"{spell.print_code(guess)}={spell.print_score(score)}"
    return Fault(rule, got, f"a branch for it, as {spell.print_code(code)} may be the code")
