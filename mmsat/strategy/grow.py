"""Trees of any strategy, by asking it in every state that may come."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from mmsat.board import Board
from mmsat.errors import InternalError
from mmsat.game.game import Game
from mmsat.game.row import Code, Row, Score
from mmsat.strategy.state import State
from mmsat.strategy.tree import Node

if TYPE_CHECKING:
    from numpy.typing import NDArray

Progress: TypeAlias = Callable[[int, int], None]


class Guesser(Protocol):
    """What knows a next guess."""

    def guess(self, state: State) -> Code:
        """The next guess."""
        ...


def plain_tree(strategy: Guesser, start: State, on_progress: Progress) -> Node:
    """The tree from a state on, node by node."""
    game = start.game
    root: Node | None = None
    done = 0
    tasks: list[tuple[State, Node | None, Score]] = [(start, None, ())]
    while tasks:
        state, parent, score = tasks.pop()
        guess = strategy.guess(state)
        won = game.score(guess, guess)
        parts = split(game, state.codes, guess)
        wins = len(parts.pop(won, ()))
        if not wins and list(map(len, parts.values())) == [len(state)] and repeats(state, guess):
            raise InternalError(f"a strategy goes round in circles at {state.board}")
        node = Node(guess, wins)
        done += wins
        on_progress(done, len(start))
        for each in sorted(parts, reverse=True):
            board = Board(game, (*state.rows, Row(guess, each)))
            tasks.append((State(board, parts[each]), node, each))
        if parent is None:
            root = node
        else:
            parent.branches[score] = node
    if root is None:
        raise InternalError("a tree has a root")
    return root


def repeats(state: State, guess: Code) -> bool:
    """Whether a guess was made before."""
    return any(row.guess == guess for row in state.rows)


def split(game: Game, codes: NDArray[Any], guess: Code) -> dict[Score, NDArray[Any]]:
    """The codes by the score that each gets from a guess, each part in order."""
    import numpy as np  # noqa: PLC0415  (loads when needed)

    if len(codes) == 1:  # most of a tree
        return {game.score(tuple(codes[0].tolist()), guess): codes}
    scores = game.scoring.score_all(codes, guess)
    order = np.lexsort(scores.T[::-1])
    ranked = scores[order]
    starts = np.flatnonzero((ranked[1:] != ranked[:-1]).any(axis=1)) + 1
    parts = np.split(codes[order], starts)
    first = ranked[np.concatenate(([0], starts))].tolist()
    return {tuple(score): part for score, part in zip(first, parts, strict=True)}
