"""Strategies that evaluate how guesses partition the remaining codes, and the strategy `weighing`.

The heuristics (`Heuristic`) look one guess ahead, at how many codes would remain after each score.

`weighing` finds the pegs of a few colors, two colors at a time, by independent guesses. Of two
colors, the first is guessed on some of the open pegs, and the second on the others. If the second
color has also been guessed on all open pegs, the score shows how many more of the pegs guessed in
the first color have that color than the second: a peg counts 1 for the first color, -1 for the
second, otherwise 0. So the pegs are coins of three weights, or of two weights for the last two
colors, and a detecting matrix (strategy/strategies/planned.py) determines them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from mmsat._core import Chooser, Grower, Space
from mmsat._core import Heuristic as KernelHeuristic
from mmsat._util import Array
from mmsat.errors import InputError, SizeError
from mmsat.game import UNREAD, Code
from mmsat.game.game import Game
from mmsat.game.unread import is_unread
from mmsat.strategy.answers import (
    MAX_TABLE_CODES,
    all_codes,
    decode_answer,
    iterate_codes,
    kernel_form,
    pack_codes,
    partition_sizes,
    tabulate_answers,
    uncertainty,
)
from mmsat.strategy.candidates import allowed_guesses
from mmsat.strategy.strategies.planned import (
    ContradictionError,
    Plan,
    Planned,
    counted_matrix,
    solve_counted,
)
from mmsat.strategy.strategy import State, Strategy, has_hints
from mmsat.strategy.tree import Node, OnProgress

if TYPE_CHECKING:
    import random

SUBTABLE_DIVISOR = 16
"""A table is restricted to the remaining codes if they are at most 1/SUBTABLE_DIVISOR of all codes.
"""
COMPARISONS_PER_REPORT = 300_000_000
"""Number of comparisons of a guess with a code between two progress reports."""


class HeuristicChooser:
    """Chooses guesses by heuristics in one game."""

    def __init__(self, game: Game, remaining_indices: Array | None = None) -> None:
        """Prepare all codes as guesses, or a table of answers if the kernel needs one.

        `remaining_indices` are the indices of all codes that can remain in later states; None if
        all codes can remain.
        """
        self.game = game
        is_small = game.size <= MAX_TABLE_CODES and game.colors <= 256
        codes: Array | memoryview = pack_codes(game) if is_small else all_codes(game)
        if game.colors > 256:
            found = f"{game} with {game.colors:,} colors"
            raise SizeError.of("the strategy", "a game of up to 256 colors", found)
        form = kernel_form(game)
        if form is None:
            answers, answer_of_score = tabulate_answers(game, all_codes(game), remaining_indices)
            first = next(iterate_codes(game))
            win = answer_of_score[game.score(first, first)]
            self.chooser = Chooser(codes, answers, len(answer_of_score), win)
            self.scores = {answer: score for score, answer in answer_of_score.items()}
            return
        spaces = {"repeats": Space.REPEATS, "distinct": Space.DISTINCT}
        is_list = game.space.table() is not None
        space = Space.LIST if is_list else spaces.get(game.space.name, Space.LIST)
        self.chooser = Chooser(form, space, codes)
        self.scores = {answer: decode_answer(game, answer) for answer in form.answers}

    def choose(self, state: State, heuristic: str, *, consistent_only: bool) -> Code:
        """Return the guess with the best key.

        Among guesses with equal keys, possible codes come first, then the first in lexicographic
        order.
        """
        # A row with unread pegs is repeated, with the first and with the last color at these pegs.
        # So the symmetry search treats only other unread pegs as equivalent to an unread peg.
        history = [
            [unread_color if color == UNREAD else color for color in row.guess]
            for row in state.rows
            for unread_color in ((0, self.game.colors - 1) if is_unread(row) else (0,))
        ]
        kind = KernelHeuristic[heuristic]
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
        kind = KernelHeuristic[heuristic]
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


def chooser_for_state(state: State) -> HeuristicChooser:
    """Return the chooser of the game of a state, restricted to the remaining codes if that helps.

    It helps if few codes remain and the kernel needs a table of answers.
    """
    game = state.game
    is_subtable = len(state.codes) * SUBTABLE_DIVISOR <= game.size and kernel_form(game) is None
    if not is_subtable or game.colors**game.pegs >= 1 << 63:
        return find_chooser(game)
    # Codes as numbers in base `colors`, to find the indices of the remaining ones.
    weights = [game.colors**peg for peg in reversed(range(game.pegs))]
    all_values, values = (codes.astype(int) @ weights for codes in (all_codes(game), state.codes))
    return HeuristicChooser(game, all_values.searchsorted(values))


class Heuristic(Strategy):
    """A strategy that compares all codes of the game as guesses by a key, a whole number.

    The smallest key wins. Among guesses with equal keys, possible codes come first, then the first
    in lexicographic order. A state costs one comparison for each pair of a guess and a remaining
    code, or fewer with symmetry; the kernel makes about a billion per second. In hard mode, only
    the allowed guesses are compared.
    """

    knows_hard_mode = True
    kernel_name: ClassVar[str]
    """The kernel's name of the heuristic."""
    measure: ClassVar[Callable[[Sequence[int]], int]]
    """Returns the key of a guess from the sizes of its parts."""

    def choose(self, state: State) -> Code:
        if self.allows_inconsistent_guesses(state.game) and state.rows:
            return self.choose_allowed(state)
        chooser = chooser_for_state(state)
        consistent_only = self.consistent_only or (self.hard and bool(state.rows))
        return chooser.choose(state, self.kernel_name, consistent_only=consistent_only)

    def allows_inconsistent_guesses(self, game: Game) -> bool:
        """Return whether hard mode allows guesses that are not possible codes."""
        return self.hard and not self.consistent_only and has_hints(game)

    def choose_allowed(self, state: State) -> Code:
        """Return the guess with the best key among the guesses that hard mode allows."""
        guesses = [*map(tuple, allowed_guesses(state, state.codes).tolist())]
        sizes = partition_sizes(state.game, state.codes, guesses)
        possible = {*map(tuple, state.codes.tolist())}
        keys = map(type(self).measure, sizes)
        return min(
            (key, guess not in possible, guess) for key, guess in zip(keys, guesses, strict=True)
        )[2]

    def grow(self, game: Game, on_progress: OnProgress) -> Node:
        opening = game.require_guesses(self.opening, "the opening")
        # The kernel treats hard mode as consistent guesses only, and its table has no scores for
        # guesses that are not codes. Neither matters if the opening consists of codes.
        needs_codes = self.hard or kernel_form(game) is None
        if self.allows_inconsistent_guesses(game) or (
            needs_codes and not all(map(game.contains, opening))
        ):
            return super().grow(game, on_progress)
        chooser = find_chooser(game)
        consistent_only = self.consistent_only or self.hard
        return chooser.grow(self.kernel_name, opening, on_progress, consistent_only=consistent_only)


def largest_size(sizes: Sequence[int]) -> int:
    """Return the number of remaining codes in the worst case."""
    return max(sizes)


def sum_squares(sizes: Sequence[int]) -> int:
    """Return the sum of squares, which is proportional to the average number of remaining codes."""
    return sum(size * size for size in sizes)


def negated_part_count(sizes: Sequence[int]) -> int:
    """Return the negated number of parts."""
    return -len(sizes)


class Knuth(Heuristic):
    """Minimax. With four pegs and six colors, it never needs more than five guesses."""

    name = "knuth"
    summary = "the fewest remaining codes in the worst case (minimax)"
    source = "Knuth, The computer as Master Mind, 1977"
    kernel_name = "MINIMAX"
    measure = largest_size


class ExpectedSize(Heuristic):
    """Minimizes the sum of squares, as the probability of leaving n codes is proportional to n."""

    name = "expected-size"
    summary = "the fewest remaining codes on average"
    source = "Irving, Towards an optimum Mastermind strategy, 1978-79"
    kernel_name = "EXPECTED_SIZE"
    measure = sum_squares


class Entropy(Heuristic):
    """Maximizes the entropy of the scores, that is, minimizes the sum of n log n.

    Sums are compared exactly, as products of n to the n, so that ties are the same on every
    machine.
    """

    name = "entropy"
    summary = "the most information, in bits"
    source = "Neuwirth, Some strategies for Mastermind, 1982"
    kernel_name = "ENTROPY"
    measure = uncertainty


class MostParts(Heuristic):
    """Maximizes the number of parts, regardless of their sizes."""

    name = "most-parts"
    summary = "the most different possible scores"
    source = "Kooi, Yet another Mastermind strategy, 2005"
    kernel_name = "MOST_PARTS"
    measure = negated_part_count


MAX_COLORS = 16
"""Maximum number of colors for `weighing`. With more colors, halving is better for any number of
pegs."""


class Weighing(Planned):
    """Two colors: n = t 2^(t-1) pegs need 2^t + 1 guesses, about 2 n / log2 n.

    If all guesses are made before any score is seen, this number is optimal up to a vanishing
    fraction (Erdos and Renyi 1963). For k colors, (2 + o(1)) n (1 + 2 log2 k) / log2 (n / k) random
    guesses determine any code (Chvatal 1983), but no efficient way to find the code from their
    scores is known. Here the guesses are not random, but Lindstroem's (1964), for two colors at a
    time. So the number of guesses grows with k rather than log k; it stays within Chvatal's bound
    up to 16 colors and 1,000 pegs.
    """

    name = "weighing"
    summary = (
        "two colors at a time, each peg a coin that is weighed; black pegs, few colors, any size"
    )
    source = "Erdos and Renyi 1963; Lindstroem 1964; Chvatal 1983"

    def plan(self, game: Game, rng: random.Random) -> Plan:
        """Determine the pegs of two colors at a time until each peg has a color."""
        open_pegs, colors = [*range(game.pegs)], [*range(game.colors)]
        rng.shuffle(open_pegs)
        rng.shuffle(colors)
        code = [0] * game.pegs
        while open_pegs and len(colors) > 1:
            first, second = colors.pop(), colors.pop()
            num_weights = 3 if colors else 2
            for peg in open_pegs:
                code[peg] = second
            num_solved = game.pegs - len(open_pegs)
            num_second = (yield tuple(code)) - num_solved
            matrix = counted_matrix(len(open_pegs), num_weights)
            sums = []
            for row in range(1, matrix[-1].group + 1):
                guess, num_first = [*code], 0  # pegs guessed in the first color
                for peg, (group, cells) in zip(open_pegs, matrix, strict=True):
                    if row & group in cells:  # the matrix has a 1 here; see CountedColumn
                        guess[peg] = first
                        num_first += 1
                sums.append((yield tuple(guess)) - num_solved - num_second + num_first)
            if not colors:
                # Every peg has one of the last two colors, so all sums are even: weights 0 and 2.
                if any(total % 2 for total in sums):
                    raise ContradictionError
                sums = [total // 2 for total in sums]
            weights = solve_counted(matrix, num_weights, sums)
            if not set(weights) <= set(range(num_weights)):
                raise ContradictionError
            still_open = []
            for peg, weight in zip(open_pegs, weights, strict=True):
                if weight == num_weights - 1:
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
            expected = f"a game of up to {MAX_COLORS} colors for {self.name}"
            rule = "parallel-halving supports more colors"
            raise InputError.of("the game", expected, str(game), rule)
