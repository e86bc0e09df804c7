"""Strategies that evaluate how guesses partition the remaining codes, and the strategy `weighing`.

The heuristics (`Heuristic`) look one guess ahead, at the sizes of its classes. A class is the set
of the remaining codes that get the same score from the guess. (The name `most-parts` is from the
literature, which calls classes parts.) `sampled` evaluates guesses on a sample of codes, and
improves them by hill climbing.

`weighing` finds the pegs of a few colors, two colors at a time, by independent guesses. Of two
colors, the first is guessed on some of the open pegs, whose color is not known yet, and the second
on the others. If the second color has also been guessed on all open pegs, the score determines a
sum over the pegs on which the first color was guessed: a peg counts 1 if it has the first color, -1
if it has the second color, and otherwise 0. So the pegs are coins of three weights, or of two
weights for the last two colors, and a detecting matrix (strategy/strategies/planned.py) determines
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from heapq import nsmallest
from itertools import combinations, islice
from math import comb, isqrt
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from mmsat._core import Chooser, Space, TreeBuilder
from mmsat._core import Heuristic as KernelHeuristic
from mmsat._util import Array, np
from mmsat.errors import InputError, SizeError
from mmsat.game import UNREAD, Code
from mmsat.game.game import Game
from mmsat.game.unread import is_unread
from mmsat.strategy.answers import (
    MAX_TABLE_CODES,
    all_codes,
    count_scores,
    decode_answer,
    iterate_codes,
    kernel_form,
    pack_codes,
    partition_sizes,
    tabulate_answers,
    uncertainty,
)
from mmsat.strategy.candidates import (
    Pool,
    allowed_guesses,
    balanced_codes,
    draw_pool,
    remaining_codes,
)
from mmsat.strategy.optimal import TooLongError, estimate_costs, solve_endgame
from mmsat.strategy.strategies.planned import (
    NoAnswerError,
    Plan,
    Planned,
    counted_matrix,
    solve_counted,
)
from mmsat.strategy.strategy import SeededStrategy, State, Strategy, has_hints
from mmsat.strategy.tree import Node, OnProgress

if TYPE_CHECKING:
    import random

SUBTABLE_DIVISOR = 16
"""If at most 1/SUBTABLE_DIVISOR of all codes remain, a table of the answers of these codes alone is
made. It is filled faster than the table of all codes, but serves this state only."""
COMPARISONS_PER_REPORT = 300_000_000
"""Number of comparisons of a guess with a code between two progress reports: some tenths of a
second."""


MAX_BYTE_COLORS = 256
"""Maximum number of colors of a game whose codes the kernel compares: a color is a byte."""


def require_byte_colors(game: Game) -> None:
    """Raise SizeError if the kernel does not support the number of colors of a game."""
    if game.colors > MAX_BYTE_COLORS:
        expected = f"a game of up to {MAX_BYTE_COLORS} colors"
        raise SizeError.of("the strategy", expected, f"{game} with {game.colors:,} colors")


class HeuristicChooser:
    """Choose guesses by heuristics in one game."""

    def __init__(self, game: Game, remaining_indices: Array | None = None) -> None:
        """Prepare all codes as guesses, or a table of answers if the kernel needs one.

        `remaining_indices` are the indices of all codes that can remain in later states; None if
        all codes can remain.
        """
        require_byte_colors(game)
        self.game = game
        is_small = game.size <= MAX_TABLE_CODES
        codes: Array | memoryview = pack_codes(game) if is_small else all_codes(game)
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
        # The kernel uses the guesses so far only to find equivalent guesses. A guess with unread
        # pegs is passed as two guesses: these pegs have the first color in one, and the last color
        # in the other. All other pegs have the same color in both, so the kernel does not treat
        # them as equivalent to unread pegs.
        history = [
            [unread_color if color == UNREAD else color for color in row.guess]
            for row in state.rows
            for unread_color in ((0, self.game.colors - 1) if is_unread(row) else (0,))
        ]
        kind = KernelHeuristic[heuristic]
        guess: Code = self.chooser.choose(remaining_codes(state), history, kind, consistent_only)
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
        builder = TreeBuilder(self.chooser, kind, forced, consistent_only)
        while not builder.advance(COMPARISONS_PER_REPORT):
            on_progress(builder.done, self.game.size)
        nodes: list[Node] = []
        for guess, parent, answer, wins in builder.nodes():
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
    require_byte_colors(game)  # before codes are listed
    is_subtable = len(state.codes) * SUBTABLE_DIVISOR <= game.size and kernel_form(game) is None
    if not is_subtable or game.colors**game.pegs >= 1 << 63:
        return find_chooser(game)
    # Codes as numbers in base `colors`, which fit into int64, to find the indices of the remaining
    # codes.
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
    """Function that returns the key of a guess from the sizes of its classes."""

    def choose(self, state: State) -> Code:
        if self.allows_inconsistent_guesses(state.game) and state.rows:
            return self.choose_allowed(state)
        chooser = chooser_for_state(state)
        consistent_only = self.consistent_only or (self.hard and bool(state.rows))
        return chooser.choose(state, self.kernel_name, consistent_only=consistent_only)

    def allows_inconsistent_guesses(self, game: Game) -> bool:
        """Return whether hard mode allows guesses that are not possible codes.

        This is the case if scores mark letters (`has_hints`), because a guess then only has to use
        the marks. With other scorings, a guess has to agree with all scores, as a possible code.
        """
        return self.hard and not self.consistent_only and has_hints(game)

    def choose_allowed(self, state: State) -> Code:
        """Return the guess with the best key among the guesses that hard mode allows."""
        codes = remaining_codes(state)
        guesses = [*map(tuple, allowed_guesses(state, codes).tolist())]
        sizes = partition_sizes(state.game, codes, guesses)
        possible = {*map(tuple, codes.tolist())}
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


def negated_class_count(sizes: Sequence[int]) -> int:
    """Return the negated number of classes, so that the smallest key has the most classes."""
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
    """Maximizes the number of classes, regardless of their sizes."""

    name = "most-parts"
    summary = "the most different possible scores"
    source = "Kooi, Yet another Mastermind strategy, 2005"
    kernel_name = "MOST_PARTS"
    measure = negated_class_count


MAX_WEIGHED_COLORS = 16
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
            num_weights = 3 if colors else 2  # see the docstring of the module
            for peg in open_pegs:
                code[peg] = second
            num_solved = game.pegs - len(open_pegs)
            num_second = (yield tuple(code)) - num_solved
            matrix = counted_matrix(len(open_pegs), num_weights)
            sums = []
            # The matrix has a column for each open peg. Its rows are numbered from 1 to the last
            # group (see `counted_matrix`).
            num_rows = matrix[-1].group
            for row in range(1, num_rows + 1):
                guess, num_first = [*code], 0  # pegs guessed in the first color
                for peg, (group, cells) in zip(open_pegs, matrix, strict=True):
                    has_one = row & group in cells  # see CountedColumn
                    if has_one:
                        guess[peg] = first
                        num_first += 1
                # Without `num_first`, this would be the sum of 1, -1 and 0 over the pegs guessed in
                # the first color. Adding 1 for each of these pegs makes the weights 2, 0 and 1.
                sums.append((yield tuple(guess)) - num_solved - num_second + num_first)
            if not colors:
                # Every peg has one of the last two colors, so all sums are even: weights 0 and 2.
                if any(total % 2 for total in sums):
                    raise NoAnswerError
                sums = [total // 2 for total in sums]
            weights = solve_counted(matrix, num_weights, sums)
            if not set(weights) <= set(range(num_weights)):
                raise NoAnswerError
            still_open = []
            for peg, weight in zip(open_pegs, weights, strict=True):
                if weight == num_weights - 1:
                    code[peg] = first
                elif weight:
                    still_open.append(peg)
            open_pegs = still_open
        for peg in open_pegs:
            (code[peg],) = colors  # the last color
        return tuple(code)

    def check(self, game: Game) -> None:
        """Raise InputError as the base class does, and for more than 16 colors."""
        super().check(game)
        if game.colors > MAX_WEIGHED_COLORS:
            expected = f"a game of up to {MAX_WEIGHED_COLORS} colors for {self.name}"
            rule = "parallel-halving supports more colors"
            raise InputError.of("the game", expected, str(game), rule)


MAX_CODES = 5000
"""Maximum number of codes of the pool of `sampled`. The guesses that are evaluated before climbing
are these codes, and as many guesses are evaluated while climbing."""
MAX_FIRST_CODES = 20_000
"""Maximum number of codes that first guesses are evaluated against; these are drawn with seed 0."""
MAX_SCORED_PEGS = 400_000_000
"""Maximum number of pegs scored to choose a guess; in large games, the pool is smaller."""
CLIMB_STARTS = 10
"""Number of guesses at which climbing starts."""
MAX_ENDGAME_CODES = 200
"""Maximum number of remaining codes for searching the rest of the game."""
MAX_ENDGAME_OTHERS = 500
"""Maximum number of guesses, in addition to the remaining codes, for searching the rest of the
game."""
GUESSES_PER_CHECK = 100
"""Number of guesses evaluated between checks of the timeout."""


class GuessEvaluator:
    """Guesses and their keys. A key is a whole number, and the smallest key is the best."""

    def __init__(self, game: Game, codes: Array, costs: Array) -> None:
        """Create an evaluator from codes, shape (codes, pegs), and the costs of classes by size."""
        self.game = game
        self.codes = codes
        self.costs = costs
        self.members: dict[Code, None] = dict.fromkeys(map(tuple, codes.tolist()))
        self.keys: dict[Code, int] = {}

    def evaluate(self, guesses: Iterable[Code]) -> None:
        """Compute the keys of guesses without a key: the sum of the costs of all classes.

        If a guess is one of the codes, the cost of a class of one code is subtracted, as that code
        needs no further guess. Computes one score for each pair of a new guess and a code.
        """
        new_guesses = [guess for guess in dict.fromkeys(guesses) if guess not in self.keys]
        if not new_guesses:
            return
        sums = [
            self.costs[table].sum(axis=1)
            for table in count_scores(self.game, self.codes, new_guesses)
        ]
        discounts = [int(self.costs[1]) if guess in self.members else 0 for guess in new_guesses]
        self.keys.update(zip(new_guesses, (np.concatenate(sums) - discounts).tolist(), strict=True))

    def best(self, max_guesses: int = 1) -> list[Code]:
        """Return the best guesses so far; among equals, the first in lexicographic order."""
        return nsmallest(max_guesses, self.keys, key=self._rank)

    def climb(self, num_starts: int, max_evaluations: int, is_time_up: Callable[[], bool]) -> None:
        """Move from each of the `num_starts` best guesses to better neighbors while there are any.

        Stops before more than `max_evaluations` guesses are evaluated, or when `is_time_up` returns
        true. If fewer evaluations remain than one guess has neighbors, only every n-th neighbor is
        evaluated.
        """
        frontier, max_keys = self.best(num_starts), max_evaluations + len(self.keys)
        max_neighbors = 1 + self.game.pegs * (self.game.colors - 1) + comb(self.game.pegs, 2)
        while frontier and max_keys > len(self.keys) and not is_time_up():
            remaining_evaluations = max_keys - len(self.keys)
            step = -(-max_neighbors // remaining_evaluations)  # the quotient, rounded up
            neighborhoods = {
                guess: [*islice(neighbors(self.game, guess), 0, None, step)]
                for guess in frontier[: max(1, remaining_evaluations // max_neighbors)]
            }
            self.evaluate(
                guess for neighborhood in neighborhoods.values() for guess in neighborhood
            )
            best = {
                guess: min(neighborhood, key=self._rank)
                for guess, neighborhood in neighborhoods.items()
                if neighborhood
            }
            better = {
                neighbor
                for guess, neighbor in best.items()
                if self.keys[neighbor] < self.keys[guess]
            }
            frontier = sorted(better, key=self._rank)

    def _rank(self, guess: Code) -> tuple[int, Code]:
        return self.keys[guess], guess


def neighbors(game: Game, guess: Code) -> Iterator[Code]:
    """Yield the codes of a game that differ from a guess in one peg, or by exchanging two pegs."""
    is_code = game.space.contains
    for peg, guess_color in enumerate(guess):
        for color in range(game.colors):
            neighbor = (*guess[:peg], color, *guess[peg + 1 :])
            if color != guess_color and is_code(neighbor):
                yield neighbor
    for first_peg, second_peg in combinations(range(game.pegs), 2):
        if guess[first_peg] != guess[second_peg]:
            swapped = list(guess)
            swapped[first_peg], swapped[second_peg] = guess[second_peg], guess[first_peg]
            if is_code(swapped):
                yield tuple(swapped)


@dataclass(eq=False, repr=False, kw_only=True)
class Sampled(SeededStrategy):
    """Minimizes an estimated number of further guesses, on a sample; for games of any size.

    Guesses are taken from a pool of consistent codes (see strategy/candidates.py). The best guesses
    are improved by hill climbing: one peg is changed, or two pegs are exchanged, as long as this
    improves the guess. Each guess is evaluated by how it partitions the pool, with an estimate of
    the number of further guesses, or by entropy if the pool is a sample. Among equally good
    guesses, the first in lexicographic order is chosen. If at most 200 codes remain, the rest of
    the game is searched (`solve_endgame`). The first guess is one of the balanced codes, AABBCC...,
    evaluated in the same way. The work is bounded, except for the search for the first
    consistent code.

    With a timeout, the pool is drawn, and then guesses are evaluated in random order until the time
    is up. The guess then depends on the machine, unless there is enough time for all guesses.
    """

    name = "sampled"
    summary = "the fewest further guesses, estimated on the codes or a sample; any size"
    source = "after Neuwirth 1982, on samples as Temporel and Kovacs 2003, Berghman et al. 2009"

    size: int = MAX_CODES
    """Maximum number of codes in the pool."""
    timeout: float | None = None
    """Time limit for evaluating guesses, in seconds; None for no limit."""

    def choose(self, state: State) -> Code:
        started, game, rng = monotonic(), state.game, self.random(state)
        if not state.rows and (first := best_balanced(game)):
            return first

        def is_time_up() -> bool:
            return self.timeout is not None and monotonic() - started > self.timeout

        # The codes of the pool are also the guesses, so size * size * game.pegs pegs are scored.
        size = max(1, min(self.size, isqrt(MAX_SCORED_PEGS // game.pegs)))
        pool = draw_pool(state, size, rng.getrandbits(31))
        evaluator = make_evaluator(game, pool)
        guesses = [*evaluator.members]
        if self.timeout is not None:
            rng.shuffle(guesses)
        chunk_size = len(guesses) if self.timeout is None else GUESSES_PER_CHECK
        for start in range(0, len(guesses), chunk_size):
            evaluator.evaluate(guesses[start : start + chunk_size])
            if is_time_up():
                break
        if not self.consistent_only:
            evaluator.climb(CLIMB_STARTS, size, is_time_up)
        if pool.is_all and len(guesses) <= MAX_ENDGAME_CODES:
            ranked = evaluator.best(len(evaluator.keys))
            others = [guess for guess in ranked if guess not in evaluator.members][
                :MAX_ENDGAME_OTHERS
            ]
            with suppress(TooLongError):
                _, guess = solve_endgame(
                    game, pool.codes, others, consistent_only=self.consistent_only
                )
                return guess
        return evaluator.best()[0]


@cache
def best_balanced(game: Game) -> Code | None:
    """Return the best balanced code, or None if no balanced code is in the game."""
    guesses = list(balanced_codes(game))
    if not guesses:
        return None
    size = max(1, min(MAX_FIRST_CODES, MAX_SCORED_PEGS // (game.pegs * len(guesses))))
    evaluator = make_evaluator(game, draw_pool(State.start(game), size, 0))
    evaluator.evaluate(guesses)
    return evaluator.best()[0]


def make_evaluator(game: Game, pool: Pool) -> GuessEvaluator:
    """Return an evaluator of guesses against the codes of a pool."""
    return GuessEvaluator(game, pool.codes, estimate_costs(len(pool.codes), is_all=pool.is_all))
