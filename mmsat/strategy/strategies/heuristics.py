"""The heuristics that look one guess ahead: at how many codes each score would leave."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import ClassVar

from mmsat._core import Chooser, Grower, Space
from mmsat._core import Heuristic as Key
from mmsat.arrays import Array
from mmsat.errors import SizeError
from mmsat.game.game import Game
from mmsat.game.hard_mode import has_hints
from mmsat.game.row import UNREAD, Code
from mmsat.game.unread import is_unread
from mmsat.strategy.allowed import allowed_guesses
from mmsat.strategy.answers import (
    MOST_IN_TABLE,
    decode_answer,
    kernel_form,
    partition_sizes,
    tabulate_answers,
    uncertainty,
)
from mmsat.strategy.code_list import all_codes, iterate_codes, pack_codes
from mmsat.strategy.state import State
from mmsat.strategy.strategy import Strategy
from mmsat.strategy.tree import Node, OnProgress

FEW = 16
"""Of how many codes one must be left, at most, for a table of their rows only."""
WORK = 300_000_000
"""Comparisons of a guess and a code between two reports: a fraction of a second."""


class HeuristicChooser:
    """Chooses guesses by heuristics in one game."""

    def __init__(self, game: Game, left: Array | None = None) -> None:
        """Lay out all codes; for scorings that the kernel has no sums for, make a table.

        `left` are the indices of the only codes that states will have, if that is known.
        """
        self.game = game
        is_small = game.size <= MOST_IN_TABLE and game.colors <= 256
        codes: Array | memoryview = pack_codes(game) if is_small else all_codes(game)
        if game.colors > 256:
            found = f"{game} with {game.colors:,}"
            raise SizeError.of("the strategy", "a game of up to 256 colors", found)
        form = kernel_form(game)
        if form is None:
            answers, scores = tabulate_answers(game, all_codes(game), left)
            first = next(iterate_codes(game))
            win = scores[game.score(first, first)]
            self.chooser = Chooser(codes, answers, len(scores), win)
            self.scores = {answer: score for score, answer in scores.items()}
            return
        spaces = {"repeats": Space.REPEATS, "distinct": Space.DISTINCT}
        is_list = game.space.table() is not None
        space = Space.LIST if is_list else spaces.get(game.space.name, Space.LIST)
        self.chooser = Chooser(form, space, codes)
        self.scores = {answer: decode_answer(game, answer) for answer in form.answers}

    def choose(self, state: State, heuristic: str, *, consistent_only: bool) -> Code:
        """The guess with the best key; among the best one that can be the code, then the first."""
        history = [
            [other if color == UNREAD else color for color in row.guess]
            for row in state.rows
            for other in ((0, self.game.colors - 1) if is_unread(row) else (0,))
        ]  # pegs that were not read have two colors, so that only they are alike
        kind = Key[heuristic]
        guess: Code = self.chooser.choose(state.codes, history, kind, consistent_only)
        return guess

    def grow(
        self,
        heuristic: str,
        opening: Sequence[Code],
        on_progress: OnProgress,
        *,
        consistent_only: bool,
    ) -> Node:
        """The whole tree of a heuristic."""
        kind = Key[heuristic]
        forced = [list(guess) for guess in opening]
        grower = Grower(self.chooser, kind, forced, consistent_only)
        while not grower.advance(WORK):
            on_progress(grower.done, self.game.size)
        nodes: list[Node] = []
        for guess, parent, answer, wins in grower.nodes():
            node = Node(guess, wins)
            if parent >= 0:
                nodes[parent].branches[self.scores[answer]] = node
            nodes.append(node)
        return nodes[0]


@lru_cache(maxsize=4)
def find_chooser(game: Game) -> HeuristicChooser:
    """The chooser of a game, made once."""
    return HeuristicChooser(game)


def find_chooser_of(state: State) -> HeuristicChooser:
    """The chooser of a state: where few codes are left and there is a table, only of their rows."""
    game = state.game
    is_few = len(state.codes) * FEW <= game.size and kernel_form(game) is None
    if not is_few or game.colors**game.pegs >= 1 << 63:
        return find_chooser(game)
    weights = [game.colors**peg for peg in reversed(range(game.pegs))]
    every, left = (codes.astype(int) @ weights for codes in (all_codes(game), state.codes))
    return HeuristicChooser(game, every.searchsorted(left))


class Heuristic(Strategy):
    """Every code of the game is a possible guess, and has a key, a whole number.

    The best key wins; among equals, guesses that can be the code come before those that can't, and
    then the first in lexicographic order. A state costs all guesses times the codes that are left,
    less what symmetry saves, at about a billion a second. In hard mode it is the same for the
    guesses that are allowed.
    """

    knows_hard_mode = True
    key: ClassVar[str]
    """What the kernel calls it."""
    measure: ClassVar[Callable[[Sequence[int]], int]]
    """The key of a guess, by the sizes of its parts."""

    def choose(self, state: State) -> Code:
        if self.is_free(state.game) and state.rows:
            return self.choose_allowed(state)
        chooser = find_chooser_of(state)
        only = self.consistent_only or (self.hard and bool(state.rows))
        return chooser.choose(state, self.key, consistent_only=only)

    def is_free(self, game: Game) -> bool:
        """Whether hard mode allows guesses that cannot be the code."""
        return self.hard and not self.consistent_only and has_hints(game)

    def choose_allowed(self, state: State) -> Code:
        """The same choice among the guesses that hard mode allows."""
        guesses = [*map(tuple, allowed_guesses(state, state.codes).tolist())]
        sizes = partition_sizes(state.game, state.codes, guesses)
        possible = {*map(tuple, state.codes.tolist())}
        keys = map(type(self).measure, sizes)
        return min((key, g not in possible, g) for key, g in zip(keys, guesses, strict=True))[2]

    def grow(self, game: Game, on_progress: OnProgress) -> Node:
        opening = game.require_guesses(self.opening, "the opening")
        # The kernel takes hard mode for consistent guesses only, and has no scores in its table for
        # guesses that are not codes. Both are right only for openings of codes.
        needs_codes = self.hard or kernel_form(game) is None
        if self.is_free(game) or (needs_codes and not all(map(game.contains, opening))):
            return super().grow(game, on_progress)
        chooser = find_chooser(game)
        only = self.consistent_only or self.hard
        return chooser.grow(self.key, opening, on_progress, consistent_only=only)


def largest(sizes: Sequence[int]) -> int:
    """The codes left at worst."""
    return max(sizes)


def sum_squares(sizes: Sequence[int]) -> int:
    """The codes times those that are left on average."""
    return sum(size * size for size in sizes)


def less_parts(sizes: Sequence[int]) -> int:
    """Less one for each part."""
    return -len(sizes)


class Knuth(Heuristic):
    """Minimax. With four pegs and six colors it never needs more than five guesses."""

    name = "knuth"
    summary = "the fewest codes left in the worst case (minimax)"
    source = "Knuth, The computer as Master Mind, 1977"
    key = "MINIMAX"
    measure = largest


class ExpectedSize(Heuristic):
    """A score that leaves n codes has a chance of n in all, so that the sum of squares counts."""

    name = "expected-size"
    summary = "the fewest codes left on average"
    source = "Irving, Towards an optimum Mastermind strategy, 1978-79"
    key = "EXPECTED_SIZE"
    measure = sum_squares


class Entropy(Heuristic):
    """A score tells most where the sum of n log n is least.

    It is compared exactly, as the product of n to the n, so that ties are ties on every machine.
    """

    name = "entropy"
    summary = "the most information, in bits"
    source = "Neuwirth, Some strategies for Mastermind, 1982"
    key = "ENTROPY"
    measure = uncertainty


class MostParts(Heuristic):
    """How large the parts are does not matter."""

    name = "most-parts"
    summary = "the most different scores that may come"
    source = "Kooi, Yet another Mastermind strategy, 2005"
    key = "MOST_PARTS"
    measure = less_parts
