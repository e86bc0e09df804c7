"""Strategies by name, or from a saved tree."""

from __future__ import annotations

from contextlib import suppress
from inspect import signature
from typing import TYPE_CHECKING, Any

from mmsat.errors import Fault, InputError
from mmsat.strategy.strategies import STRATEGIES
from mmsat.strategy.strategies.base import Strategy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmsat.game.game import Game
    from mmsat.game.row import Code
    from mmsat.strategy.state import State
    from mmsat.strategy.tree import Node, StrategyTree

TREE = "tree:"
"""What stands before the name of a tree's file."""
LONGEST = 86_400
"""Seconds of a budget at most."""


class FromTree(Strategy):
    """Plays as a tree says."""

    name = "tree"
    summary = "what a saved tree says"
    source = "a file"

    def __init__(self, tree: StrategyTree) -> None:
        """The tree is checked when it is read."""
        super().__init__()
        self.tree = tree

    def choose(self, state: State) -> Code:
        """The guess of the tree; raises InputError for a game that left it."""
        return self.tree.walk(state.board)

    def check(self, game: Game) -> None:
        """Raise InputError for another game."""
        if game != self.tree.game:
            fault = Fault("a tree plays its own game", str(game), str(self.tree.game))
            raise InputError([fault], "the strategy")

    def grow(self, game: Game, on_progress: object) -> Node:  # noqa: ARG002
        """The tree itself."""
        return self.tree.root

    @property
    def title(self) -> str:
        """What the tree was grown by."""
        return self.tree.strategy


def find_strategy(
    spec: str,
    *,
    opening: Sequence[Code] = (),
    consistent_only: bool = False,
    seed: int | None = None,
) -> Strategy:
    """The strategy of a name, or of a tree's file (`tree:FILE`), with its options.

    `sampled:SECONDS` thinks so long about a guess at most. Raises InputError that lists what
    exists. A seed is for those that choose at random.
    """
    if spec.startswith(TREE):
        from mmsat.strategy.file import load_tree  # noqa: PLC0415  (reads files)

        if opening or consistent_only:
            rule = "a tree has all its guesses, and takes no opening and no restriction"
            raise InputError([Fault(rule, spec, "the tree alone")], "the strategy")
        return FromTree(load_tree(spec.removeprefix(TREE)))
    name, colon, seconds = spec.partition(":")
    if name not in STRATEGIES:
        write = ", ".join([*STRATEGIES, f"{TREE}FILE"])
        raise InputError([Fault("a strategy is known by name", spec, write)], "the strategy")
    kind = STRATEGIES[name]
    options: dict[str, Any] = {"opening": opening, "consistent_only": consistent_only}
    understood = signature(kind).parameters
    if "seed" in understood:
        options["seed"] = seed
    if colon:
        if "budget" not in understood:
            raise InputError([Fault(f"{name} takes no budget", spec, name)], "the strategy")
        options["budget"] = read_budget(name, seconds)
    return kind(**options)


def read_budget(name: str, text: str) -> float:
    """The seconds behind a strategy's name; raises InputError."""
    with suppress(ValueError):
        if 0 < float(text) <= LONGEST:
            return float(text)
    rule = f"a budget is a number of seconds up to {LONGEST:,}"
    raise InputError([Fault(rule, f"{name}:{text}", f"{name}:0.5")], "the strategy")
