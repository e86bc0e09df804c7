"""Candidates for a guess: consistent codes, guesses that hard mode allows, and their evaluation.

**A single code** (`find_code`, `explore_colors`), for boards of any size. The same seed gives the
same code. A guess with few unexplored colors gives information about few colors, and rows that
share few colors hardly constrain each other. Until all colors have been guessed, a code is
therefore found quickly, and the remaining problem is as hard as that of a much smaller game.
Guesses with many colors give as much information, but all of it about the same colors and pegs. In
measurements, games of 30 pegs and 30 colors took seconds rather than minutes, and games of 20 pegs
and 6 colors needed one guess less.

**A pool of codes** (`draw_pool`), against which guesses are evaluated: all consistent codes if they
are few, else a random sample. If the game is small enough to list its codes, they are listed and
filtered. Otherwise a decision diagram counts, lists and draws the codes uniformly, as long as it
stays within limits of memory and work. Beyond these limits, annealing (solving/searches.py)
collects the codes along a random walk. All work is counted in steps rather than seconds, so that
the same board and seed give the same pool.

**Guesses in hard mode** (`allowed_guesses`); the rule is in strategy/strategy.py.

**Evaluation of guesses** (`evaluate_guesses`, `rank_guesses`). Without weights, guesses are
evaluated against a pool of codes, and the guess that leaves the least uncertainty is the best. If
codes have weights, the guess that leaves the least weight on average is the best.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import nsmallest
from itertools import islice
from math import fsum, log
from typing import NotRequired, TypedDict

from mmsat._util import Array, np
from mmsat._util.results import CodeText, ColorList, Positive, Ratio
from mmsat.constraints import System
from mmsat.counting.codes import Codes
from mmsat.counting.codes import codes as consistent_codes
from mmsat.counting.count import has_no_information
from mmsat.counting.diagrams import count_by_diagram
from mmsat.counting.layout import UnsuitedError
from mmsat.counting.listing import WeighedCodes
from mmsat.diagnosis.check import check
from mmsat.diagnosis.sentences import num_further_corrections, verdict_sentences
from mmsat.errors import InconsistentError, InputError, InternalError, SizeError
from mmsat.game import Code, Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.game.space import CardinalityConstraint
from mmsat.game.tolerance import STRICT, Tolerance
from mmsat.solving import Portfolio, Scaled, Work, finish, growing_budgets, verify_witness
from mmsat.solving.cp import CpWork
from mmsat.solving.sat import SatWork
from mmsat.solving.searches import AnnealWork
from mmsat.strategy.answers import (
    all_codes,
    as_array,
    compute_answers,
    is_listed,
    partition_sizes,
    uncertainty,
)
from mmsat.strategy.strategy import State, find_breach, has_hints, list_allowed
from mmsat.strategy.tree import Node, StrategyTree

ANNEALING_ONLY_STEPS = 8
"""Number of annealing steps before SAT and CP-SAT join. Each step has twice the budget of the step
before it; together they take about a second. Near the end of a game of 24 or 30 pegs, SAT and
CP-SAT would take longer than annealing."""
MAX_NEW_COLORS = 3
"""Maximum number of unexplored colors in a guess; each fills a stretch of adjacent pegs."""
EXPLORATION_STEPS = 2
"""Number of annealing steps for a guess with unexplored colors; together they take some hundredths
of a second. The number is small because there may be no such code."""


def balanced_codes(game: Game) -> Iterator[Code]:
    """Iterate over the codes AA..BB..CC.. of 1, 2, ... colors, with equally many pegs per color.

    The numbers of pegs of two colors may differ by one. Codes that do not belong to the game are
    omitted: if colors cannot repeat, at most one code remains; in a list of words, often none.
    """
    for colors in range(1, min(game.pegs, game.colors) + 1):
        guess = tuple(peg * colors // game.pegs for peg in range(game.pegs))
        if game.contains(guess):
            yield guess


def paired_code(game: Game) -> Code | None:
    """Return the balanced code with two pegs per color, or with the nearest number of colors."""
    target_colors = (game.pegs + 1) // 2
    return min(
        balanced_codes(game), key=lambda code: abs(max(code) + 1 - target_colors), default=None
    )


def find_code(board: Board, seed: int | None = None) -> Code | None:
    """Return a consistent code, or None if the board is inconsistent.

    Annealing starts at the last guess. After ANNEALING_ONLY_STEPS steps, annealing, SAT and CP-SAT
    take turns. Budgets are measured in work, and there is no time limit.
    """
    system = System.of(board)
    start = board.rows[-1].guess if board.rows else None
    solvers: list[Callable[[], Work]] = [lambda: SatWork(system), lambda: CpWork(system, seed)]
    try:
        annealing = AnnealWork(system, seed, start)
        if any(map(annealing.step, islice(growing_budgets(), ANNEALING_ONLY_STEPS))):
            return verify_witness(board, annealing.code, annealing.name).code
        winner = finish(Portfolio(lambda: Scaled(annealing, scale_budget), *solvers))
    except SizeError:  # annealing does not support conjunctions
        winner = finish(Portfolio(*solvers))
    return verify_witness(board, winner.code, winner.name).code


def scale_budget(budget: int) -> int:
    """Return the budget of annealing when other solvers have `budget`.

    Annealing had ANNEALING_ONLY_STEPS steps before, each with twice the budget of the step before
    it. It continues with the next of these budgets.
    """
    return budget << ANNEALING_ONLY_STEPS


def explore_colors(board: Board, seed: int | None = None) -> Code | None:
    """Return a consistent code of previously guessed colors and one to three unexplored colors.

    The unexplored colors are the lowest ones. As in AAA..BBB..CCC.., each of them has its own
    stretch of adjacent pegs, which may also have previously guessed colors. Returns None if no such
    code is found within the budget, if AAA..BBB..CCC.. is not a code of the game, or if all colors
    have been guessed.
    """
    game, variables = board.game, board.game.variables
    guessed_colors = {color for guess, _ in board.rows for color in guess}
    unexplored = [color for color in range(game.colors) if color not in guessed_colors][
        :MAX_NEW_COLORS
    ]
    if not unexplored:
        return None
    stretches = tuple(unexplored[peg * len(unexplored) // game.pegs] for peg in range(game.pegs))
    if not game.contains(stretches):
        return None
    if not board.rows:
        return stretches
    # Each chosen color may only be in its own stretch; other unexplored colors do not occur.
    forbidden = tuple(
        variables.at(peg, color)
        for peg, stretch_color in enumerate(stretches)
        for color in range(game.colors)
        if color not in guessed_colors and color != stretch_color
    )
    system = System.of(board)
    restricted = system._replace(hard=(*system.hard, CardinalityConstraint(forbidden, 0, 0)))
    try:
        annealing = AnnealWork(restricted, seed, stretches)
    except SizeError:  # annealing does not support conjunctions
        return None
    if any(map(annealing.step, islice(growing_budgets(), EXPLORATION_STEPS))):
        return verify_witness(board, annealing.code, annealing.name).code
    return None


MAX_ALLOWED_PAIRS = 100_000_000
"""Maximum number of pairs of a guess and a code that are scored in hard mode: some seconds."""


def allowed_guesses(state: State, codes: Array) -> Array:
    """Return the guesses that hard mode allows, or an evenly spaced selection if they are too many.

    `codes` are the codes that guesses are evaluated against, shape (codes, pegs). If the game has
    more than 20 million codes, or hard mode allows only consistent codes, then only `codes` are
    considered as guesses.
    """
    considers_all = has_hints(state.game) and is_listed(state.game)
    allowed = list_allowed(
        state.game, state.rows, all_codes(state.game) if considers_all else codes
    )
    return allowed[:: max(1, -(-len(allowed) * len(codes) // MAX_ALLOWED_PAIRS))]


def require_hard_mode(tree: StrategyTree) -> None:
    """Raise InputError if a guess of a tree does not use all information of the rows before it."""
    tasks: list[tuple[Node, tuple[Row, ...]]] = [(tree.root, ())]
    while tasks:
        node, rows = tasks.pop()
        if find_breach(tree.game, rows, node.guess) is not None:
            guess_text = f"{speller(tree.game).print_code(node.guess)}, guess {len(rows) + 1}"
            rule = "the guess does not use all revealed information"
            raise InputError.of("the strategy", "a hard-mode tree", guess_text, rule)
        for score, child in node.branches.items():
            tasks.append((child, (*rows, Row(node.guess, score))))


DIAGNOSIS_SECONDS = 10.0
"""Time limit for finding the rows that contradict each other."""


@dataclass(frozen=True)
class PoolLimits:
    """Limits on the work for a pool if the codes of the game are not listed."""

    memory: int = 1 << 28
    """Memory limit of a decision diagram, in bytes."""
    work: int = 1 << 23
    """Maximum number of list entries processed for a diagram: some tenths of a second."""
    steps: int = 1 << 20
    """Number of steps of the random walk that collects codes: some hundredths of a second."""


@dataclass(frozen=True)
class Pool:
    """All consistent codes of a board, or a sample of them."""

    codes: Array
    """Distinct codes, colors from 0; shape (codes, pegs)."""
    count: int | None
    """Number of consistent codes of the board; None if unknown."""

    @property
    def is_all(self) -> bool:
        """Whether the pool contains all consistent codes."""
        return self.count == len(self.codes)


def draw_pool(
    state: State,
    size: int,
    seed: int | None = None,
    limits: PoolLimits = PoolLimits(),
) -> Pool:
    """Return all consistent codes of a state, or a random sample of `size` of them.

    Raises InconsistentError if no code is consistent. If no diagram is small enough, the codes come
    from one random walk and are not independent; the search for the first code has no limit.
    """
    rng = random.Random(seed or 0)
    count: int | None
    if state.is_listed:
        count = len(state.codes)
        indices = sorted(rng.sample(range(count), size)) if count > size else slice(None)
        pool = Pool(state.codes[indices], count)
    else:
        count, codes = count_codes(state.board, state.tolerance, limits)
        if codes is None:
            walk_codes = _walk(state.board, size, seed, limits.steps)
            pool = Pool(as_array(state.game, walk_codes), None)
        else:
            selected = codes[:] if count <= size else sorted(codes.sample(size, seed=seed or 0))
            pool = Pool(as_array(state.game, list(selected)), count)
    if not len(pool.codes):
        raise no_code_error(state.board, state.tolerance)
    return pool


def remaining_codes(state: State) -> Array:
    """Return the consistent codes of a state; raise InconsistentError if there are none."""
    if not len(state.codes):
        raise no_code_error(state.board, state.tolerance)
    return state.codes


def no_code_error(board: Board, tolerance: Tolerance = STRICT) -> InconsistentError:
    """Return the error to raise for a board without consistent codes; its text explains why."""
    verdict = check(board, timeout=DIAGNOSIS_SECONDS, lies=tolerance.lies, by=tolerance.by)
    sentences = verdict_sentences(verdict)
    if not num_further_corrections(verdict):  # otherwise the sentences name mmsat explain
        sentences.append("See mmsat explain.")
    return InconsistentError(" ".join(sentences))


def count_codes(
    board: Board,
    tolerance: Tolerance = STRICT,
    limits: PoolLimits = PoolLimits(),
) -> tuple[int, Codes | None]:
    """Return the number of consistent codes, and the codes; 0 and None if that exceeds `limits`.

    With a tolerance for lies, `limits` does not apply; raises SizeError if the work is too much.
    """
    if tolerance.lies:
        codes = consistent_codes(board, lies=tolerance.lies, by=tolerance.by)
        return codes.ranking.count, codes
    # Without information, all codes of the game are counted by a formula. Games with a list of
    # words (a table) count the consistent words. Neither needs a diagram.
    if has_no_information(board) or board.game.space.table() is not None:
        codes = consistent_codes(board)
        return codes.ranking.count, codes
    try:
        for _, count in count_by_diagram(System.of(board), board, limits.memory, limits.work):
            if count is not None:
                codes = consistent_codes(board, memory=limits.memory)
                return codes.ranking.count, codes
    except (MemoryError, OverflowError, UnsuitedError, SizeError):
        pass
    return 0, None


def _walk(board: Board, size: int, seed: int | None, steps: int) -> list[Code]:
    """Return up to `size` codes along one random walk; empty if no code is consistent."""
    code = find_code(board, seed)
    if code is None:
        return []
    try:
        annealing = AnnealWork(System.of(board), seed, code)
    except SizeError:  # annealing does not support conjunctions
        return [code]
    codes = annealing.collect(steps, size)
    if not all(map(board.is_consistent, codes)):
        raise InternalError(f"annealing collected codes that are not consistent with {board}")
    return list(codes)


class JudgmentJson(TypedDict):
    """Evaluation of a guess against all remaining codes, or against a sample of them."""

    possible: bool
    """Whether the guess can itself be the code."""
    chance: Ratio
    """Probability that the guess is the code; an upper bound unless `codes_exact`."""
    expected: Ratio
    """Expected number of codes that remain after the guess, out of `judged_by` codes."""
    worst: Positive
    """Maximum number of codes that remain after the guess, out of `judged_by` codes."""
    scores: Positive
    """Number of different scores that the guess gets from the codes that it is evaluated against; a
    lower bound for all remaining codes if these are a sample."""
    judged_by: Positive
    """Number of codes that the guess is evaluated against."""


class ProspectJson(JudgmentJson):
    """A guess and its evaluation."""

    guess: ColorList
    guess_text: NotRequired[CodeText]


@dataclass(frozen=True)
class Prospect:
    """A guess, and its evaluation against all consistent codes or against a sample of them."""

    guess: Code
    """The guess, with colors from 0."""
    sizes: tuple[int, ...]
    """For each score that the guess can get, the number of codes that give it this score, in
    descending order. Codes outside the sample are not counted."""
    is_possible: bool
    """Whether the guess can itself be the code."""
    chance: Fraction
    """The probability that the guess is the code; 0 if it cannot be."""
    weights: tuple[int, ...] = ()
    """If codes have weights, the total weight of the codes of each entry of `sizes`, as integers in
    a common unit; otherwise empty."""

    @property
    def judged_by(self) -> int:
        """Number of codes that the guess is evaluated against."""
        return sum(self.sizes)

    @property
    def expected(self) -> Fraction:
        """Expected number of codes that remain after the guess, out of `judged_by` codes.

        If the guess is the code, one code remains.
        """
        weights = self.weights or self.sizes
        weighted_sum = sum(weight * size for weight, size in zip(weights, self.sizes, strict=True))
        return Fraction(weighted_sum, sum(weights))

    @property
    def worst(self) -> int:
        """Maximum number of codes that remain after the guess, out of `judged_by` codes."""
        return self.sizes[0]

    @property
    def scores(self) -> int:
        """Number of different scores that the guess gets from the codes that it is judged by."""
        return len(self.sizes)

    def to_dict(self) -> ProspectJson:
        """Return a dict for JSON, with colors from 1."""
        colors = [color + 1 for color in self.guess]
        return {"guess": colors, **self.judgment()}  # type: ignore[typeddict-item]

    def judgment(self) -> JudgmentJson:
        """Return the evaluation without the guess, for JSON."""
        return {
            "possible": self.is_possible,
            "chance": str(self.chance),
            "expected": str(self.expected),
            "worst": self.worst,
            "scores": self.scores,
            "judged_by": self.judged_by,
        }


def evaluate_guesses(state: State, pool: Pool, guesses: list[Code]) -> Iterator[Prospect]:
    """Yield the evaluation of each guess against the codes of a pool."""
    count = len(pool.codes) if pool.count is None else pool.count
    partitions = partition_sizes(state.game, pool.codes, guesses)
    for guess, sizes in zip(guesses, partitions, strict=True):
        is_possible = state.allows(guess)
        chance = Fraction(1, count) if is_possible else Fraction(0)
        yield Prospect(guess, tuple(sizes), is_possible, chance)


def best_guesses(prospects: Iterable[Prospect], limit: int) -> list[Prospect]:
    """Return the best `limit` guesses, the best first.

    Exact comparisons are slow for many codes. Therefore guesses are first compared by
    floating-point numbers, which are accurate to far more than 9 digits. Only guesses that are at
    most 1e-9 worse than the last of the best `limit` guesses are compared exactly.
    """
    estimated = [
        (fsum(size * log(size) for size in prospect.sizes), prospect) for prospect in prospects
    ]
    lowest = nsmallest(limit, (estimate for estimate, _ in estimated))
    bound = lowest[-1] * (1 + 1e-9) if lowest else 0.0
    return sorted((prospect for estimate, prospect in estimated if estimate <= bound), key=_rank)[
        :limit
    ]


def _rank(prospect: Prospect) -> tuple[int, bool, Code]:
    """Return the sort key of guesses, the best first."""
    return uncertainty(prospect.sizes), not prospect.is_possible, prospect.guess


MAX_WEIGHED_PAIRS = 50_000_000
"""If codes have weights, all codes of the game are tried as guesses if there are at most this many
pairs of a guess and a consistent code."""
GUESSES_PER_CHUNK = 256
"""Number of guesses that are scored at a time, if codes have weights."""
MAX_TRIED_GUESSES = 1000
"""Maximum number of consistent codes tried as guesses, by descending weight, if codes have weights
and not all codes of the game are tried."""


def rank_guesses(
    game: Game, weighed: WeighedCodes, *, consistent_only: bool = False, max_guesses: int = 1
) -> list[Prospect]:
    """Return the `max_guesses` guesses that leave the least weight on average, the best first.

    With `consistent_only`, all consistent codes are tried. Otherwise, all codes of the game are
    tried if they can be listed and that takes at most 50 million scores; if not, the thousand
    consistent codes with the greatest weights are tried. Among equally good guesses, possible codes
    come first, in descending order of weight, and then the first in lexicographic order.
    Comparisons are exact, in whole numbers.
    """
    codes = as_array(game, weighed.codes)
    weight_of = dict(zip(weighed.codes, weighed.units, strict=True))
    if consistent_only:
        guesses = [*weighed.codes]
    elif is_listed(game) and game.size * len(codes) <= MAX_WEIGHED_PAIRS:
        guesses = [*map(tuple, all_codes(game).tolist())]
    else:
        guesses = sorted(weighed.codes, key=lambda code: (-weight_of[code], code))[
            :MAX_TRIED_GUESSES
        ]
    units = exact_array(weighed.units)
    ranked: list[tuple[int, int, Code]] = []
    for start in range(0, len(guesses), GUESSES_PER_CHUNK):
        chunk = guesses[start : start + GUESSES_PER_CHUNK]
        for guess, answers in zip(chunk, compute_answers(game, codes, chunk), strict=True):
            # The sum of squares is proportional to the average remaining weight.
            _, class_weights = sum_by_answer(answers, units)
            weight_key = sum(weight * weight for weight in class_weights)
            ranked.append((weight_key, -weight_of.get(guess, 0), guess))
    best = [guess for _, _, guess in sorted(ranked)[:max_guesses]]
    return [evaluate_weighted(game, weighed, guess) for guess in best]


def evaluate_weighted(game: Game, weighed: WeighedCodes, guess: Code) -> Prospect:
    """Return the evaluation of a guess if codes have weights."""
    codes = as_array(game, weighed.codes)
    answers = compute_answers(game, codes, [guess])[0]
    sizes, weights = sum_by_answer(answers, exact_array(weighed.units))
    classes = sorted(zip(sizes, weights, strict=True), reverse=True)
    guess_weight = dict(zip(weighed.codes, weighed.units, strict=True)).get(guess, 0)
    return Prospect(
        guess,
        tuple(size for size, _ in classes),
        guess_weight > 0,
        Fraction(guess_weight, sum(weighed.units)),
        tuple(weight for _, weight in classes),
    )


def exact_array(units: Sequence[int]) -> Array:
    """Return the weights of codes, as whole numbers, in an array whose sums are exact.

    The type is int64, or object if the sums are too large for it.
    """
    return np.array(units, dtype=np.int64 if sum(units) < 1 << 62 else object)


def sum_by_answer(answers: Array, units: Array) -> tuple[list[int], list[int]]:
    """Return the number of codes and their total weight for each answer that occurs.

    `answers` has the answer of each code, and `units` the weight of each code.
    """
    _, inverse, sizes = np.unique(answers, return_inverse=True, return_counts=True)
    weights = np.zeros(len(sizes), dtype=units.dtype)
    np.add.at(weights, inverse.reshape(-1), units)
    return sizes.tolist(), weights.tolist()
