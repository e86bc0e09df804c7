"""Strategy trees as JSON files; the schema is schemas/tree.json.

`{"mmsat-tree": 1, "game": "4x6", "strategy": "knuth", "root": {"guess": "1122", "then": {"0.0":
{...}, ...}}}`: a node has its guess and, by score, the node that comes next. The last guess of a
game has nothing to come; where that is so for all scores, `then` is left out.
"""

import gzip
import json
import zlib
from pathlib import Path
from typing import Any

from mmsat.errors import Fault, InputError, Place
from mmsat.fields import Fields, KeyPath
from mmsat.files import decode, read_at_most
from mmsat.game.game import Game
from mmsat.game.names import find_game
from mmsat.notation.speller import Speller, speller
from mmsat.strategy.tree import Node, StrategyTree, replay

VERSION = 1
PACKED = b"\x1f\x8b"
"""How files of gzip begin."""
LARGEST = 1 << 28
"""Bytes of a tree, unpacked."""
DEEPEST = 200
"""Guesses of a game that a file may have."""


def print_tree(tree: StrategyTree) -> str:
    """A tree as JSON text, a line for each branch of the root."""
    spell = speller(tree.game)
    head = {"mmsat-tree": VERSION, "game": str(tree.game), "strategy": tree.strategy}
    opened = json.dumps(head).removesuffix("}")
    guess = json.dumps(spell.print_code(tree.root.guess))
    lines = [
        f"{json.dumps(spell.print_score(score))}: {json.dumps(_to_dict(node, spell))}"
        for score, node in sorted(tree.root.branches.items())
    ]
    then = ', "then": {\n' + ",\n".join(lines) + "\n}" if lines else ""
    return f'{opened}, "root": {{"guess": {guess}{then}}}}}\n'


def _to_dict(node: Node, spell: Speller) -> dict[str, Any]:
    branches = sorted(node.branches.items())
    then = {spell.print_score(score): _to_dict(below, spell) for score, below in branches}
    return {"guess": spell.print_code(node.guess)} | ({"then": then} if then else {})


def load_tree(name: str) -> StrategyTree:
    """Read a tree from a file and play every code by it; raises InputError with every fault.

    The file may be packed by gzip.
    """
    try:
        with Path(name).open("rb") as file:
            is_packed = file.read(len(PACKED)) == PACKED
        with gzip.open(name) if is_packed else Path(name).open("rb") as file:
            data = read_at_most(file.read, LARGEST + 1)
    except (OSError, EOFError, zlib.error, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError.of(
            "the strategy",
            "the name of a file",
            f"{name}: {reason}",
            "the tree's file can't be read",
        ) from None
    if len(data) > LARGEST:
        raise InputError.of(
            "the strategy", "a smaller one", None, f"a tree has at most {LARGEST >> 20} MiB"
        )
    tree = read_tree(decode(data, name), name)
    replay(tree)
    return tree


def read_tree(text: str, source: str = "the tree") -> StrategyTree:
    """Read a tree; raises InputError with every fault, its line and its column."""
    reader = _Reader(source)
    return reader.require(reader.tree(reader.parse(text, "a tree")))


class _Reader(Fields):
    """Walks a JSON value and keeps every fault with its path."""

    def tree(self, value: Any) -> StrategyTree | None:
        if not self.keys(value, (), ("mmsat-tree", "game", "strategy", "root"), {"$schema"}):
            return None
        self.version(value, "mmsat-tree", VERSION, "the tree document")
        named = self.text(value.get("strategy"), ("strategy",), "the strategy")
        game = self.game(value.get("game"))
        if game is None or "root" not in value:
            return None
        root = self.node(value["root"], ("root",), game)
        return StrategyTree(game, root, value["strategy"]) if named and root else None

    def game(self, value: Any) -> Game | None:
        if not self.text(value, ("game",), "the game"):
            return None
        try:
            return find_game(value)
        except InputError as error:
            self.add(("game",), error.faults)
            return None

    def node(self, value: Any, path: KeyPath, game: Game, turn: int = 1) -> Node | None:
        if turn > DEEPEST:
            self.fault(path, f"a game has at most {DEEPEST} guesses", None, "a shorter one")
            return None
        if not self.keys(value, path, ("guess",), ("then",)):
            return None
        guess = self.read(value.get("guess"), (*path, "guess"), game, "guess")
        then = value.get("then", {})
        if not isinstance(then, dict):
            self.fault((*path, "then"), "nodes stand by their scores", then, '{"0.0": {...}}')
            return None
        node = Node(guess or (), 0)
        for key, following in then.items():
            here = (*path, "then", key)
            score = self.read(key, here, game, "score")
            if score is not None and None in score:
                self.fault(here, "", key, "a score without ?")
            elif score in node.branches:
                self.fault(here, "a score stands once in a node", key, "each score once")
            below = self.node(following, here, game, turn + 1)
            if score is not None and below is not None:
                node.branches[score] = below
        return node

    def read(self, value: Any, path: KeyPath, game: Game, what: str) -> Any:
        """A guess or a score as in a board line."""
        if not self.text(value, path, f"a {what}"):
            return None
        faults: list[Fault] = []
        spell = speller(game)
        read = spell.read_code if what == "guess" else spell.read_score
        found = read(value, Place(1, 1), faults)
        self.add(path, faults)
        return found
