"""Plain definition of hard mode, and the boards of a strategy tree to which it applies."""

from __future__ import annotations

from mmsat.game.board import Board
from tests.support import twins


def boards_of(tree):
    """Yield every node of a tree, with the board before its guess."""
    tasks = [(tree.root, Board(tree.game))]
    while tasks:
        node, board = tasks.pop()
        yield node, board
        tasks += [(child, board.with_row(node.guess, s)) for s, child in node.branches.items()]


def uses(game, row, guess):
    """Return whether a guess uses all information of a row, by the rules that players know.

    For the daily word games, these are: letters in place stay there, and letters elsewhere are in
    the guess. For other games, the guess would get the score of the row if it were the code.
    """
    if game.scoring.name != "places":
        return all(
            text is None or text == got
            for text, got in zip(
                row.score, twins.score(game.scoring, guess, row.guess), strict=True
            )
        )
    marked = []  # the letters that are in the code, by marks 1 (elsewhere) and 2 (in place)
    for place, (color, mark) in enumerate(zip(*row, strict=True)):
        if mark == 2 and guess[place] != color:
            return False
        marked += [color] * (mark in (1, 2))
    return all(guess.count(color) >= marked.count(color) for color in marked)
