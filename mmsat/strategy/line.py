"""The line of a strategy: what it guesses as long as nothing is right."""

from collections.abc import Sequence

from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.strategy.code_list import iterate_codes
from mmsat.strategy.tree import Node, StrategyTree


def line_of(tree: StrategyTree) -> tuple[Code, ...]:
    """The guesses of a tree after scores of zeros."""
    found = []
    node: Node | None = tree.root
    while node is not None:
        found.append(node.guess)
        node = next((below for score, below in node.branches.items() if not any(score)), None)
    return tuple(found)


def grow_from_line(game: Game, line: Sequence[Code]) -> StrategyTree:
    """The strategy that guesses a line, and after any other score a code that is still possible."""
    root = _grow(game, list(iterate_codes(game)), line)
    return StrategyTree(game, root, "line")


def _grow(game: Game, codes: list[Code], line: Sequence[Code]) -> Node:
    """What to guess where these codes are left."""
    node = Node(line[0] if line else codes[0], 0)
    left: dict[tuple[int, ...], list[Code]] = {}
    for code in codes:
        if code != node.guess:
            left.setdefault(game.scoring.score(code, node.guess), []).append(code)
    node.wins = len(codes) - sum(map(len, left.values()))
    for score, some in sorted(left.items()):
        node.branches[score] = _grow(game, some, () if any(score) else line[1:])
    return node
