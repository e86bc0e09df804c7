"""Strategies that evaluate how guesses partition the remaining codes, and the strategy `weighing`.

The heuristics (`Heuristic`) look one guess ahead, at how many codes would remain after each score.

`weighing` finds the pegs of a few colors, two colors at a time, by independent guesses. Of two
colors, the first is guessed on some of the open pegs, and the second on the others. If the second
color has also been guessed on all open pegs, the score shows how many more of the former pegs have
the first color than the second: a peg counts 1, -1, or 0 if it has neither. So the pegs are coins
of three weights, or of two weights for the last two colors, and a detecting matrix
(strategy/planned.py) determines them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from mmsat._core import Chooser, Grower, Space
from mmsat._core import Heuristic as Key
from mmsat._util.arrays import Array
from mmsat.errors import InputError, SizeError
from mmsat.game.game import Game
from mmsat.game.row import UNREAD, Code
from mmsat.game.unread import is_unread
from mmsat.strategy.answers import (
    MAX_TABLE_CODES,
    decode_answer,
    kernel_form,
    partition_sizes,
    tabulate_answers,
    uncertainty,
)
from mmsat.strategy.candidates import allowed_guesses
from mmsat.strategy.code_list import all_codes, iterate_codes, pack_codes
from mmsat.strategy.hard_mode import has_hints
from mmsat.strategy.planned import ContradictionError, Plan, Planned, counted_matrix, solve_counted
from mmsat.strategy.strategy import State, Strategy
from mmsat.strategy.tree import Node, OnProgress

if TYPE_CHECKING:
    import random

SUBTABLE_DIVISOR = 16
"""A table is restricted to the remaining codes if they are at most 1/SUBTABLE_DIVISOR of all codes.
"""
COMPARISONS_PER_REPORT = 300_000_000
"""Number of comparisons of a guess and a code between two progress reports: a fraction of a second.
"""


class HeuristicChooser:
    """Chooses guesses by heuristics in one game."""

    def __init__(self, game: Game, left: Array | None = None) -> None:
        """Prepare all codes as guesses, or a table of answers if the kernel needs one.

        `left` are the indices of the only codes that can remain in later states; None if unknown.
        """
        self.game = game
        is_small = game.size <= MAX_TABLE_CODES and game.colors <= 256
        codes: Array | memoryview = pack_codes(game) if is_small else all_codes(game)
        if game.colors > 256:
            actual = f"{game} with {game.colors:,} colors"
            raise SizeError.of("the strategy", "a game of up to 256 colors", actual)
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
        """Return the guess with the best key.

        Among equal guesses, possible codes come first, then the first in lexicographic order.
        """
        history = [
            [unread_color if color == UNREAD else color for color in row.guess]
            for row in state.rows
            for unread_color in ((0, self.game.colors - 1) if is_unread(row) else (0,))
        ]  # unread pegs have two colors in turn, so that only unread pegs are equivalent to them
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
        """Return the strategy tree of a heuristic for the whole game."""
        kind = Key[heuristic]
        forced = [list(guess) for guess in opening]
        grower = Grower(self.chooser, kind, forced, consistent_only)
        while not grower.advance(COMPARISONS_PER_REPORT):
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
    """Return the chooser of a game, from a cache."""
    return HeuristicChooser(game)


def find_chooser_of(state: State) -> HeuristicChooser:
    """Return the chooser of a state.

    If few codes remain and scores are in a table, the table is restricted to these codes.
    """
    game = state.game
    is_few = len(state.codes) * SUBTABLE_DIVISOR <= game.size and kernel_form(game) is None
    if not is_few or game.colors**game.pegs >= 1 << 63:
        return find_chooser(game)
    # Codes as numbers in base `colors`, to find the indices of the remaining ones.
    weights = [game.colors**peg for peg in reversed(range(game.pegs))]
    all_values, values = (codes.astype(int) @ weights for codes in (all_codes(game), state.codes))
    return HeuristicChooser(game, all_values.searchsorted(values))


class Heuristic(Strategy):
    """A strategy that compares all codes of the game as guesses by a key, a whole number.

    The best key wins. Among equals, guesses that can be the code come before those that cannot, and
    then the first in lexicographic order. A state costs as many comparisons as all guesses times
    the remaining codes, minus what symmetry saves, at about a billion per second. In hard mode,
    only the allowed guesses are compared.
    """

    knows_hard_mode = True
    key: ClassVar[str]
    """The kernel's name of the key."""
    measure: ClassVar[Callable[[Sequence[int]], int]]
    """Returns the key of a guess from the sizes of its parts."""

    def choose(self, state: State) -> Code:
        if self.is_free(state.game) and state.rows:
            return self.choose_allowed(state)
        chooser = find_chooser_of(state)
        only = self.consistent_only or (self.hard and bool(state.rows))
        return chooser.choose(state, self.key, consistent_only=only)

    def is_free(self, game: Game) -> bool:
        """Return whether hard mode allows guesses that are not possible codes."""
        return self.hard and not self.consistent_only and has_hints(game)

    def choose_allowed(self, state: State) -> Code:
        """Return the guess with the best key among the guesses that hard mode allows."""
        guesses = [*map(tuple, allowed_guesses(state, state.codes).tolist())]
        sizes = partition_sizes(state.game, state.codes, guesses)
        possible = {*map(tuple, state.codes.tolist())}
        keys = map(type(self).measure, sizes)
        return min((key, g not in possible, g) for key, g in zip(keys, guesses, strict=True))[2]

    def grow(self, game: Game, on_progress: OnProgress) -> Node:
        opening = game.require_guesses(self.opening, "the opening")
        # The kernel treats hard mode as consistent guesses only, and its table has no scores for
        # guesses that are not codes. Both are correct only if the opening consists of codes.
        needs_codes = self.hard or kernel_form(game) is None
        if self.is_free(game) or (needs_codes and not all(map(game.contains, opening))):
            return super().grow(game, on_progress)
        chooser = find_chooser(game)
        only = self.consistent_only or self.hard
        return chooser.grow(self.key, opening, on_progress, consistent_only=only)


def largest(sizes: Sequence[int]) -> int:
    """Return the number of remaining codes in the worst case."""
    return max(sizes)


def sum_squares(sizes: Sequence[int]) -> int:
    """Return the sum of squares: the number of codes times the average number that remain."""
    return sum(size * size for size in sizes)


def less_parts(sizes: Sequence[int]) -> int:
    """Return the negated number of parts."""
    return -len(sizes)


class Knuth(Heuristic):
    """Minimax. With four pegs and six colors, it never needs more than five guesses."""

    name = "knuth"
    summary = "the fewest remaining codes in the worst case (minimax)"
    source = "Knuth, The computer as Master Mind, 1977"
    key = "MINIMAX"
    measure = largest


class ExpectedSize(Heuristic):
    """Minimizes the sum of squares, as the probability of leaving n codes is proportional to n."""

    name = "expected-size"
    summary = "the fewest remaining codes on average"
    source = "Irving, Towards an optimum Mastermind strategy, 1978-79"
    key = "EXPECTED_SIZE"
    measure = sum_squares


class Entropy(Heuristic):
    """Maximizes the entropy of the scores, that is, minimizes the sum of n log n.

    Sums are compared exactly, as products of n to the n, so that ties are the same on every
    machine.
    """

    name = "entropy"
    summary = "the most information, in bits"
    source = "Neuwirth, Some strategies for Mastermind, 1982"
    key = "ENTROPY"
    measure = uncertainty


class MostParts(Heuristic):
    """Maximizes the number of parts, whatever their sizes."""

    name = "most-parts"
    summary = "the most different possible scores"
    source = "Kooi, Yet another Mastermind strategy, 2005"
    key = "MOST_PARTS"
    measure = less_parts


MAX_COLORS = 16
"""Maximum number of colors for `weighing`. Beyond it, halving is better for any number of pegs."""


class Weighing(Planned):
    """Two colors: for t 2^(t-1) pegs 2^t + 1 guesses, so about 2 n / log2 n for n pegs.

    No strategy that guesses without looking at scores needs fewer by more than a vanishing fraction
    (Erdos and Renyi 1963). For k colors, (2 + o(1)) n (1 + 2 log2 k) / log2 (n / k) random guesses
    determine any code (Chvatal 1983), but no efficient way to find the code from them is known. One
    thing differs here: the guesses are Lindstroem's (1964), for two colors at a time. So their
    number grows with k rather than log k, and stays within Chvatal's bound up to 16 colors and
    1,000 pegs.
    """

    name = "weighing"
    summary = (
        "two colors at a time, each peg a coin that is weighed; black pegs, few colors, any size"
    )
    source = "Erdos and Renyi 1963; Lindstroem 1964; Chvatal 1983"

    def plan(self, game: Game, source: random.Random) -> Plan:
        """Determine the pegs of two colors at a time until each peg has a color."""
        open_pegs, colors = [*range(game.pegs)], [*range(game.colors)]
        source.shuffle(open_pegs)
        source.shuffle(colors)
        code = [0] * game.pegs
        while open_pegs and len(colors) > 1:
            first, second = colors.pop(), colors.pop()
            answers = 3 if colors else 2
            for peg in open_pegs:
                code[peg] = second
            num_solved = game.pegs - len(open_pegs)
            num_second = (yield tuple(code)) - num_solved
            matrix = counted_matrix(len(open_pegs), answers)
            sums = []
            for row in range(1, matrix[-1].group + 1):
                guess, chosen = [*code], 0
                for peg, (group, cells) in zip(open_pegs, matrix, strict=True):
                    if row & group in cells:
                        guess[peg] = first
                        chosen += 1
                sums.append((yield tuple(guess)) - num_solved - num_second + chosen)
            if not colors:
                if any(weight % 2 for weight in sums):
                    raise ContradictionError
                sums = [weight // 2 for weight in sums]
            weights = solve_counted(matrix, answers, sums)
            if not set(weights) <= set(range(answers)):
                raise ContradictionError
            still_open = []
            for peg, weight in zip(open_pegs, weights, strict=True):
                if weight == answers - 1:
                    code[peg] = first
                elif weight:
                    still_open.append(peg)
            open_pegs = still_open
        for peg in open_pegs:
            (code[peg],) = colors
        return tuple(code)

    def check(self, game: Game) -> None:
        """Raise InputError as the base class does, and for more than 16 colors."""
        super().check(game)
        if game.colors > MAX_COLORS:
            write = f"a game of up to {MAX_COLORS} colors for {self.name}"
            rule = "parallel-halving supports more colors"
            raise InputError.of("the game", write, str(game), rule)
