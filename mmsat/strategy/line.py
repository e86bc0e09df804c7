"""The line of a strategy: its guesses as long as every score is zero."""

from mmsat.game.row import Code
from mmsat.strategy.tree import Node, StrategyTree


def line_of(tree: StrategyTree) -> tuple[Code, ...]:
    """Return the guesses of a tree, from the root on, if every score is zero."""
    guesses = []
    node: Node | None = tree.root
    while node is not None:
        guesses.append(node.guess)
        node = next((child for score, child in node.branches.items() if not any(score)), None)
    return tuple(guesses)
