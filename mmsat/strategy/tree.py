"""Strategy trees: the first guess, and the next guess after every possible score.

strategy/tree_file.py reads and writes them as JSON files.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from mmsat._util.display import Shown
from mmsat.errors import Fault, InputError
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.notation.speller import speller
from mmsat.game.row import Code, Score
from mmsat.strategy.code_list import iterate_codes

OnProgress: TypeAlias = Callable[[int, int], None]
"""Progress callback: called with the number of finished codes and the total number of codes."""
MAX_FAULTS = 5
"""Maximum number of faults that are reported for a tree."""
CODES_PER_REPORT = 10_000
"""Number of codes between two progress reports."""


@dataclass(slots=True)
class Node:
    """A guess, and the next node for each possible score except the winning score."""

    guess: Code
    """The guess, with colors from 0."""
    wins: int = 1
    """Number of codes for which this guess wins: 0 or 1, or more if scores do not identify every
    code."""
    branches: dict[Score, Node] = field(default_factory=dict)
    """The next node by score."""


class Figures(ABC):
    """Statistics that follow from the distribution of the number of guesses."""

    @property
    @abstractmethod
    def distribution(self) -> dict[int, int]:
        """Number of codes for each number of guesses, from 1 to the maximum."""

    @property
    def codes(self) -> int:
        """Number of codes."""
        return sum(self.distribution.values())

    @property
    def total(self) -> int:
        """Total number of guesses over all codes."""
        return sum(turn * num_codes for turn, num_codes in self.distribution.items())

    @property
    def average(self) -> Fraction:
        """Average number of guesses per code, exactly."""
        return Fraction(self.total, self.codes)

    @property
    def max(self) -> int:
        """Maximum number of guesses for a code."""
        return max(self.distribution)


@dataclass(frozen=True, repr=False)
class StrategyTree(Shown, Figures):
    """A complete strategy for one game, as a tree of guesses."""

    game: Game
    """The game."""
    root: Node
    """The first guess."""
    strategy: str = ""
    """Name of the strategy that built the tree."""

    def nodes(self) -> Iterator[tuple[int, Node]]:
        """Iterate over all nodes, with the numbers of their guesses.

        Returns
        -------
        iterator of (int, Node)
            The number of the guess, from 1, and the node. Parents come before children, and
            branches are in the order of their scores.
        """
        return ((turn, node) for turn, _, node in self.steps())

    def steps(self) -> Iterator[tuple[int, Score | None, Node]]:
        """Iterate like `nodes`, and include the score before each node.

        Yields
        ------
        turn : int
            The number of the guess, from 1.
        score : tuple of int or None
            The score before the node; None for the root.
        node : Node
            The node.
        """
        stack: list[tuple[int, Score | None, Node]] = [(1, None, self.root)]
        while stack:
            turn, score, node = stack.pop()
            yield turn, score, node
            stack += [(turn + 1, s, node.branches[s]) for s in sorted(node.branches, reverse=True)]

    @cached_property
    def distribution(self) -> dict[int, int]:
        wins: Counter[int] = Counter()
        for turn, node in self.nodes():
            wins[turn] += node.wins
        return {turn: wins[turn] for turn in range(1, max(wins) + 1)}

    def walk(self, board: Board | str) -> Code:
        """Return the guess that follows the rows of a board.

        Parameters
        ----------
        board : Board or str
            A board whose guesses are those of the tree.

        Returns
        -------
        tuple of int
            The next guess, with colors from 0.

        Raises
        ------
        InputError
            If the rows do not follow the tree.
        """
        board = Board.of(board)
        node = self.root
        for number, (guess, score) in enumerate(board.rows, 1):
            child = node.branches.get(score)
            if guess != node.guess or child is None:
                raise InputError.of(
                    "the board",
                    "a game that was played with the strategy tree",
                    board.game.scoring.describe(score),
                    f"row {number} has another guess, or an impossible score",
                )
            node = child
        return node.guess


def replay(tree: StrategyTree, on_progress: OnProgress | None = None) -> dict[Code, int]:
    """Play every code with a tree and the plain scorer; return the number of guesses for each code.

    The codes are in lexicographic order. Sets the `wins` of all nodes. Raises InputError if the
    tree has no branch for a possible score. Computes one score for each guess of each game.
    """
    game = tree.game
    winning_scores: dict[Code, Score] = {}
    for _, node in tree.nodes():
        node.wins = 0
        winning_scores[node.guess] = game.score(node.guess, node.guess)
    turns: dict[Code, int] = {}
    faults: list[Fault] = []
    for done, code in enumerate(iterate_codes(game)):
        if on_progress and done % CODES_PER_REPORT == 0:
            on_progress(done, game.size)
        node, turn = tree.root, 1
        while (score := game.scoring.score(code, node.guess)) != winning_scores[node.guess]:
            child = node.branches.get(score)
            if child is None:
                faults.append(_missing_branch(game, node.guess, score, code, turn))
                break
            node, turn = child, turn + 1
        else:
            node.wins += 1
            turns[code] = turn
        if len(faults) == MAX_FAULTS:
            break
    InputError.refuse(faults, "the tree")
    return turns


def _missing_branch(game: Game, guess: Code, score: Score, code: Code, turn: int) -> Fault:
    """Return the fault of a node without a branch for the score of its guess with a code."""
    spell = speller(game)
    rule = f"guess {turn} has no branch for this score"
    found = f"{spell.print_code(guess)}={spell.print_score(score)}"
    return Fault(rule, found, f"a branch for the code {spell.print_code(code)}")
