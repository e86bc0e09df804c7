"""Strategy trees: the first guess, and the next guess after every possible score.

They are read and written as JSON files; the schema is schemas/tree.json. For example:

    {"mmsat-tree": 1, "game": "4x6", "strategy": "knuth",
     "root": {"guess": "1122", "then": {"0.0": {...}, ...}}}

A node has its guess and, for each score, the next node. The score that wins has no node; `then` is
omitted if it would be empty.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict

from mmsat._util.fields import Fields, KeyPath
from mmsat._util.files import decode, read_at_most
from mmsat._util.results import Displayable, GameText, NonEmpty, Schema
from mmsat.errors import Description, Fault, InputError, Place
from mmsat.game import Code, Score
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.names import find_game
from mmsat.game.notation.board_reader import Speller, speller
from mmsat.strategy.answers import iterate_codes

OnProgress: TypeAlias = Callable[[int, int], None]
"""Progress callback: called with the number of finished codes and the total number of codes."""
MAX_FAULTS = 5
"""Maximum number of faults that are reported for a tree."""
CODES_PER_REPORT = 10_000
"""Number of codes between two progress reports."""


@dataclass(slots=True)
class Node:
    """A guess, and the next node for each possible score except the winning score."""

    guess: Code
    """The guess, with colors from 0."""
    wins: int = 1
    """Number of codes for which this guess wins: 0 or 1, or more if scores do not identify every
    code."""
    branches: dict[Score, Node] = field(default_factory=dict)
    """The next node by score."""


class Figures(ABC):
    """Statistics that follow from the distribution of the number of guesses."""

    @property
    @abstractmethod
    def distribution(self) -> dict[int, int]:
        """Number of codes for each number of guesses, from 1 to the maximum."""

    @property
    def codes(self) -> int:
        """Number of codes."""
        return sum(self.distribution.values())

    @property
    def total(self) -> int:
        """Total number of guesses over all codes."""
        return sum(turn * num_codes for turn, num_codes in self.distribution.items())

    @property
    def average(self) -> Fraction:
        """Average number of guesses per code, exactly."""
        return Fraction(self.total, self.codes)

    @property
    def max(self) -> int:
        """Maximum number of guesses for a code."""
        return max(self.distribution)


@dataclass(frozen=True, repr=False)
class StrategyTree(Displayable, Figures):
    """A complete strategy for one game, as a tree of guesses."""

    game: Game
    """The game."""
    root: Node
    """The first guess."""
    strategy: str = ""
    """Name of the strategy that built the tree."""

    def nodes(self) -> Iterator[tuple[int, Node]]:
        """Iterate over all nodes, with the numbers of their guesses.

        Returns
        -------
        iterator of (int, Node)
            The number of the guess, from 1, and the node. Parents come before children, and
            branches are in the order of their scores.
        """
        return ((turn, node) for turn, _, node in self.steps())

    def steps(self) -> Iterator[tuple[int, Score | None, Node]]:
        """Iterate like `nodes`, and include the score before each node.

        Yields
        ------
        turn : int
            The number of the guess, from 1.
        score : tuple of int or None
            The score before the node; None for the root.
        node : Node
            The node.
        """
        stack: list[tuple[int, Score | None, Node]] = [(1, None, self.root)]
        while stack:
            turn, score, node = stack.pop()
            yield turn, score, node
            stack += [
                (turn + 1, next_score, node.branches[next_score])
                for next_score in sorted(node.branches, reverse=True)
            ]

    @cached_property
    def distribution(self) -> dict[int, int]:
        wins: Counter[int] = Counter()
        for turn, node in self.nodes():
            wins[turn] += node.wins
        return {turn: wins[turn] for turn in range(1, max(wins) + 1)}

    def walk(self, board: Board | str) -> Code:
        """Return the guess that follows the rows of a board.

        Parameters
        ----------
        board : Board or str
            A board whose guesses are those of the tree.

        Returns
        -------
        tuple of int
            The next guess, with colors from 0.

        Raises
        ------
        InputError
            If the rows do not follow the tree.
        """
        board = Board.of(board)
        node = self.root
        for number, (guess, score) in enumerate(board.rows, 1):
            child = node.branches.get(score)
            if guess != node.guess:
                rule, guess_text = f"row {number} has another guess", board.game.format_code(guess)
                expected = board.game.format_code(node.guess)
                raise InputError.of("the board", expected, guess_text, rule)
            if child is None:
                is_won = score == board.game.score(guess, guess)
                rule = "the game is over" if is_won else f"row {number} has an impossible score"
                expected = "a game that was played with the strategy tree and is not over"
                raise InputError.of("the board", expected, board.game.scoring.describe(score), rule)
            node = child
        return node.guess


def replay(tree: StrategyTree, on_progress: OnProgress | None = None) -> dict[Code, int]:
    """Play every code with a tree and the plain scorer; return the number of guesses for each code.

    The codes are in lexicographic order. Sets the `wins` of all nodes. Raises InputError if the
    tree has no branch for a possible score. Computes one score for each guess of each code.
    """
    game = tree.game
    winning_scores: dict[Code, Score] = {}
    for _, node in tree.nodes():
        node.wins = 0
        winning_scores[node.guess] = game.scoring.score(node.guess, node.guess)
    turns: dict[Code, int] = {}
    faults: list[Fault] = []
    for done, code in enumerate(iterate_codes(game)):
        if on_progress and done % CODES_PER_REPORT == 0:
            on_progress(done, game.size)
        node, turn = tree.root, 1
        while (score := game.scoring.score(code, node.guess)) != winning_scores[node.guess]:
            child = node.branches.get(score)
            if child is None:
                faults.append(_missing_branch(game, node.guess, score, code, turn))
                break
            node, turn = child, turn + 1
        else:
            node.wins += 1
            turns[code] = turn
        if len(faults) == MAX_FAULTS:
            break
    InputError.refuse(faults, "the tree")
    return turns


def _missing_branch(game: Game, guess: Code, score: Score, code: Code, turn: int) -> Fault:
    """Return the fault of a node without a branch for the score of its guess with a code."""
    spell = speller(game)
    rule = f"guess {turn} has no branch for this score"
    row_text = f"{spell.print_code(guess)}={spell.print_score(score)}"
    return Fault(rule, row_text, f"a branch for the code {spell.print_code(code)}")


VERSION = 1
"""Version of the file format."""
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

    The file may be compressed by gzip or xz. Raises InputError that lists the faults.
    """
    from pathlib import Path

    try:
        with Path(name).open("rb") as file:
            data = read_at_most(file.read, MAX_FILE_BYTES + 1)  # decompressed
    except (OSError, ValueError) as error:
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
        node = Node(guess or (), 0)  # `replay` sets the number of wins
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


def zero_score_path(tree: StrategyTree) -> tuple[Code, ...]:
    """Return the guesses that a tree makes, from the root on, if every score is zero."""
    guesses = []
    node: Node | None = tree.root
    while node is not None:
        guesses.append(node.guess)
        node = next((child for score, child in node.branches.items() if not any(score)), None)
    return tuple(guesses)
