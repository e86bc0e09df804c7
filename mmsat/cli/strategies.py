"""Save strategy trees, for `mmsat analyze` and `mmsat optimal`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.cli.output import say
from mmsat.english import quantity
from mmsat.files import atomic_write

if TYPE_CHECKING:
    from mmsat.strategy.tree import StrategyTree


def save_tree(tree: StrategyTree, file: str) -> None:
    """Save a tree, and print its size."""
    from mmsat.strategy.tree_file import print_tree

    atomic_write(file, [print_tree(tree)])
    say_size(tree, file)


def say_size(tree: StrategyTree, file: str) -> None:
    """Print the size of the tree in a file, as its number of guesses."""
    say(f"{file}: {quantity(sum(1 for _ in tree.nodes()), 'guess')}")
