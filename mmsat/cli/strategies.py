"""What `mmsat analyze` and `mmsat optimal` save."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.cli.output import say
from mmsat.english import quantity
from mmsat.files import atomic_write
from mmsat.registry import load

if TYPE_CHECKING:
    from mmsat.strategy.tree import StrategyTree


def save_tree(tree: StrategyTree, file: str) -> None:
    """Save a tree, and say how large it is."""
    atomic_write(file, [load("mmsat.strategy.tree_file:print_tree")(tree)])
    say_size(tree, file)


def say_size(tree: StrategyTree, file: str) -> None:
    """Say how large the tree in a file is."""
    say(f"{file}: {quantity(sum(1 for _ in tree.nodes()), 'guess')}")
