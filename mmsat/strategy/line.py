"""The line of a strategy: what it guesses as long as nothing is right."""

from mmsat.game.row import Code
from mmsat.strategy.tree import Node, StrategyTree


def line_of(tree: StrategyTree) -> tuple[Code, ...]:
    """The guesses of a tree after scores of zeros."""
    found = []
    node: Node | None = tree.root
    while node is not None:
        found.append(node.guess)
        node = next((below for score, below in node.branches.items() if not any(score)), None)
    return tuple(found)
