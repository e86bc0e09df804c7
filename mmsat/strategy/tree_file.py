"""Strategy trees as JSON files; the schema is schemas/tree.json.

`{"mmsat-tree": 1, "game": "4x6", "strategy": "knuth", "root": {"guess": "1122", "then": {"0.0":
{...}, ...}}}`: a node has its guess and, for each score, the next node. The score that wins has no
node; `then` is omitted if it would be empty.
"""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from mmsat._util.fields import Fields, KeyPath
from mmsat._util.files import decode, read_at_most
from mmsat._util.json_types import GameText, NonEmpty, Schema
from mmsat.errors import Description, Fault, InputError, Place
from mmsat.game.game import Game
from mmsat.game.names import find_game
from mmsat.game.notation.speller import Speller, speller
from mmsat.strategy.tree import Node, StrategyTree, replay

VERSION = 1
"""Version of the file format."""


GZIP_MAGIC = b"\x1f\x8b"
"""Magic number of gzip files."""


MAX_FILE_BYTES = 1 << 28
"""Maximum size of a tree file after decompression, in bytes."""


MAX_DEPTH = 200
"""Maximum depth of a tree in a file, in guesses."""


class NodeJson(TypedDict):
    """A guess, and the nodes after it."""

    guess: str
    """The guess as text."""
    then: NotRequired[dict[NonEmpty, NodeJson]]
    """The next node for each possible score except the winning score; omitted if empty."""


_VersionJson = TypedDict(
    "_VersionJson",
    {
        "$schema": NotRequired[str],
        "mmsat-tree": Annotated[Literal[1], Schema(description="The version of this format.")],
    },
)


class TreeJson(_VersionJson):
    """A strategy tree."""

    game: GameText
    strategy: str
    """Name of the strategy that built the tree."""
    root: NodeJson


def print_tree(tree: StrategyTree) -> str:
    """Return a tree as JSON text, with one line per branch of the root."""
    spell = speller(tree.game)
    header = {"mmsat-tree": VERSION, "game": str(tree.game), "strategy": tree.strategy}
    header_text = json.dumps(header).removesuffix("}")
    guess = json.dumps(spell.print_code(tree.root.guess))
    lines = [
        f"{json.dumps(spell.print_score(score))}: {json.dumps(_to_dict(node, spell))}"
        for score, node in sorted(tree.root.branches.items())
    ]
    then = ', "then": {\n' + ",\n".join(lines) + "\n}" if lines else ""
    return f'{header_text}, "root": {{"guess": {guess}{then}}}}}\n'


def _to_dict(node: Node, spell: Speller) -> NodeJson:
    branches = sorted(node.branches.items())
    then = {spell.print_score(score): _to_dict(child, spell) for score, child in branches}
    guess = spell.print_code(node.guess)
    return {"guess": guess, "then": then} if then else {"guess": guess}


def load_tree(name: str) -> StrategyTree:
    """Read a tree from a file, and check it by playing every code.

    The file may be compressed by gzip. Raises InputError that lists the faults.
    """
    try:
        with Path(name).open("rb") as file:
            is_compressed = file.read(len(GZIP_MAGIC)) == GZIP_MAGIC
        with gzip.open(name) if is_compressed else Path(name).open("rb") as file:
            data = read_at_most(file.read, MAX_FILE_BYTES + 1)
    except (OSError, EOFError, zlib.error, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError.of(
            "the strategy",
            "the file of a strategy tree",
            name,
            f"the file cannot be read: {reason}",
        ) from None
    if len(data) > MAX_FILE_BYTES:
        raise InputError.of(
            "the strategy",
            f"a tree file of up to {MAX_FILE_BYTES >> 20} MiB",
            Description("a larger file"),
        )
    tree = read_tree(decode(data, name), name)
    replay(tree)
    return tree


def read_tree(text: str, source: str = "the tree") -> StrategyTree:
    """Read a tree from JSON text; raise InputError that lists every fault with line and column."""
    reader = _Reader(source)
    return reader.require(reader.tree(reader.parse(text, "a tree")))


class _Reader(Fields):
    """Reads a tree from a JSON value, and records every fault with its path in the document."""

    def tree(self, value: Any) -> StrategyTree | None:
        if not self.keys(value, (), ("mmsat-tree", "game", "strategy", "root"), {"$schema"}):
            return None
        self.version(value, "mmsat-tree", VERSION, "the tree document")
        has_strategy = self.text(value.get("strategy"), ("strategy",), "the strategy")
        game = self.game(value.get("game"))
        if game is None or "root" not in value:
            return None
        root = self.node(value["root"], ("root",), game)
        return StrategyTree(game, root, value["strategy"]) if has_strategy and root else None

    def game(self, value: Any) -> Game | None:
        if not self.text(value, ("game",), "the game"):
            return None
        try:
            return find_game(value)
        except InputError as error:
            self.add(("game",), error.faults)
            return None

    def node(self, value: Any, path: KeyPath, game: Game, turn: int = 1) -> Node | None:
        if turn > MAX_DEPTH:
            self.fault(path, "", Description("more"), f"at most {MAX_DEPTH} guesses per game")
            return None
        if not self.keys(value, path, ("guess",), ("then",)):
            return None
        guess = self.read(value.get("guess"), (*path, "guess"), game, "guess")
        then = value.get("then", {})
        if not isinstance(then, dict):
            self.fault((*path, "then"), "", then, 'nodes by score, such as {"0.0": {...}}')
            return None
        node = Node(guess or (), 0)
        for key, child_value in then.items():
            child_path = (*path, "then", key)
            score = self.read(key, child_path, game, "score")
            if score is not None and None in score:
                self.fault(child_path, "", key, "a score without ?")
            elif score in node.branches:
                self.fault(child_path, "the score is repeated", key, "each score once")
            child = self.node(child_value, child_path, game, turn + 1)
            if score is not None and child is not None:
                node.branches[score] = child
        return node

    def read(self, value: Any, path: KeyPath, game: Game, kind: str) -> Any:
        """Parse a guess or a score in the notation of board lines; record its faults.

        `kind` is "guess" or "score".
        """
        if not self.text(value, path, f"a {kind}"):
            return None
        faults: list[Fault] = []
        spell = speller(game)
        read_text = spell.read_code if kind == "guess" else spell.read_score
        code_or_score = read_text(value, Place(1, 1), faults)
        self.add(path, faults)
        return code_or_score
