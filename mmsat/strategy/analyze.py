"""Analyze a strategy: how many guesses it needs, for every code or for a random sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Annotated, Any, NamedTuple, TypedDict

from mmsat._util import Executor
from mmsat._util.arguments import check_arguments
from mmsat._util.registry import describe_plugin
from mmsat._util.results import Displayable, GameText, NonNegative, Positive, Schema
from mmsat.errors import Description, InputError, InternalError, PluginError
from mmsat.game import Code
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.solving.deadline import run_with_progress
from mmsat.strategy.strategy import State, Strategy
from mmsat.strategy.tree import Figures, OnProgress, StrategyTree, replay

PositiveFraction = Annotated[
    str,
    Schema(
        pattern="^[1-9][0-9]*/[1-9][0-9]*$",
        description="Exact number, as a fraction in lowest terms.",
    ),
]
AverageDecimal = Annotated[
    float, Schema(minimum=1, description="The same, rounded to six decimal places.")
]
Pattern = Annotated[
    list[Positive],
    Schema(
        description="The number of pegs of each color, in descending order: [2, 1, 1] has a pair."
    ),
]
Distribution = Annotated[list[NonNegative], Schema(minItems=1)]


class AverageJson(TypedDict):
    """Average number of guesses per code."""

    average: PositiveFraction
    average_decimal: AverageDecimal


class CodeKindJson(AverageJson):
    """Codes with the same color counts."""

    pattern: Pattern
    codes: Positive
    """Number of codes."""
    total: Positive
    """Total number of guesses for these codes."""


class AnalysisJson(AverageJson):
    """The number of guesses that a strategy needs, for every code or for a sample."""

    game: GameText
    strategy: str
    """Name of the strategy."""
    codes: Positive
    """Number of codes that were played."""
    total: Positive
    """Total number of guesses for these codes, including the guesses that win."""
    max: Positive
    """Maximum number of guesses."""
    distribution: Distribution
    """The numbers of codes that need one guess, two guesses, and so on up to `max`."""
    kinds: list[CodeKindJson]
    """The results by kind of code; kinds with the most pegs of one color come first."""
    sample: bool
    """Whether the codes are a random sample."""
    standard_error: Annotated[float, Schema(minimum=0)] | None
    """Standard error of the average; null without a sample of at least two codes."""


class ComparisonJson(TypedDict):
    """The analyses of several strategies for one game."""

    analyses: Annotated[list[AnalysisJson], Schema(minItems=1)]
    """The analyses, in the order of the strategies on the command line."""


class CodeKind(NamedTuple):
    """Codes with the same color counts, such as 2+1+1."""

    pattern: tuple[int, ...]
    """Number of pegs of each color, in descending order: (2, 1, 1) has a pair."""
    turns: tuple[int, ...]
    """Number of guesses for each of the codes."""

    @property
    def codes(self) -> int:
        """Number of codes."""
        return len(self.turns)

    @property
    def total(self) -> int:
        """Total number of guesses for these codes."""
        return sum(self.turns)

    @property
    def average(self) -> Fraction:
        """Average number of guesses per code."""
        return Fraction(self.total, self.codes)


@dataclass(frozen=True, repr=False)
class Analysis(Displayable, Figures):
    """Number of guesses per code. If `is_sample`, `average` is the mean of the sample."""

    game: Game
    """The game."""
    strategy: str
    """Name of the strategy, with its options."""
    games: Sequence[tuple[Code, int]]
    """Codes and their numbers of guesses: all codes in order, or a sample in the order drawn."""
    is_sample: bool = False
    """Whether only a sample of the codes was played."""
    tree: StrategyTree | None = None
    """The complete strategy tree, if every code was played."""

    @cached_property
    def distribution(self) -> dict[int, int]:
        num_codes = Counter(turns for _, turns in self.games)
        return {turns: num_codes[turns] for turns in range(1, max(num_codes) + 1)}

    @property
    def standard_error(self) -> float | None:
        """Standard error of the mean; None without a sample of at least two codes."""
        if not self.is_sample or self.codes < 2:
            return None
        squares = sum(turns**2 * num_codes for turns, num_codes in self.distribution.items())
        variance = (squares - self.total * self.average) / (self.codes - 1)
        return sqrt(variance / self.codes)

    @cached_property
    def kinds(self) -> tuple[CodeKind, ...]:
        """The results by kind of code; kinds with the most pegs of one color come first."""
        by_pattern: dict[tuple[int, ...], list[int]] = {}
        for code, turns in self.games:
            by_pattern.setdefault(color_pattern(code), []).append(turns)
        patterns = sorted(by_pattern, reverse=True)
        return tuple(CodeKind(pattern, tuple(by_pattern[pattern])) for pattern in patterns)

    def records(self) -> list[dict[str, Any]]:
        """Return one record per code that was played, for pandas.DataFrame and polars."""
        print_code = speller(self.game).print_code
        return [{"code": print_code(code), "guesses": turns} for code, turns in self.games]

    def to_dict(self) -> AnalysisJson:
        """Return a dict with the stable JSON keys; see schemas/analyze.json."""
        standard_error = self.standard_error
        return {
            "game": str(self.game),
            "strategy": self.strategy,
            "codes": self.codes,
            "total": self.total,
            **average_json(self.average),
            "max": self.max,
            "distribution": list(self.distribution.values()),
            "kinds": [
                {
                    "pattern": list(kind.pattern),
                    "codes": kind.codes,
                    "total": kind.total,
                    **average_json(kind.average),
                }
                for kind in self.kinds
            ],
            "sample": self.is_sample,
            "standard_error": None if standard_error is None else round(standard_error, 6),
        }


def color_pattern(code: Code) -> tuple[int, ...]:
    """Return the numbers of pegs of the colors of a code, in descending order."""
    return tuple(sorted(map(code.count, set(code)), reverse=True))


def format_fraction(value: Fraction) -> str:
    """Return a fraction in lowest terms as text, with its denominator even if that is 1."""
    return f"{value.numerator}/{value.denominator}"


def round_fraction(value: Fraction) -> float:
    """Return a fraction rounded to six decimal places."""
    return round(float(value), 6)


def average_json(value: Fraction) -> AverageJson:
    """Return the JSON entries of an average: the exact fraction and a decimal."""
    return {"average": format_fraction(value), "average_decimal": round_fraction(value)}


MAX_TURNS = 200
"""Number of guesses after which a strategy is assumed to loop forever. `count_guesses` allows more
in large games."""
MAX_CHUNK_CODES, MIN_CHUNKS = 100, 50
"""A sample is played in chunks of at most MAX_CHUNK_CODES codes and, if possible, at most
1/MIN_CHUNKS of the sample. Progress is reported after each chunk, and an executor gets one chunk
per task."""


@check_arguments
def analyze(
    game: Game | str,
    strategy: Strategy | str,
    *,
    opening: Sequence[Sequence[int] | str] = (),
    consistent_only: bool = False,
    hard: bool = False,
    seed: int | None = None,
    sample: int | None = None,
    executor: Executor | None = None,
    timeout: float | None = None,
    on_progress: OnProgress | None = None,
) -> Analysis:
    """Play a strategy against every code of a game, or against random codes.

    Parameters
    ----------
    game : Game or str
        The game, or its size or name, such as "4x6" or "mastermind".
    strategy : Strategy or str
        A strategy, or the name of one with its options.
    opening : sequence of guesses, default ()
        The first guesses, as text or as colors from 0. They are made regardless of the scores. With
        `consistent_only` or `hard`, the strategy replaces a forbidden guess by its own choice.
    consistent_only : bool, default False
        Whether every guess must itself be a possible code.
    hard : bool, default False
        Whether every guess must use all hints so far. Heuristics then choose among the allowed
        guesses, and other strategies guess possible codes only.
    seed : int, optional
        Seed of the random choices of the strategy, and of the sample.
    sample : int, optional
        Number of random codes to play, drawn with replacement. By default, all codes are played.
    executor : concurrent.futures.Executor, optional
        Executor that plays the sample. By default, this process plays. An executor requires
        `sample` and excludes `timeout`.
    timeout : float, optional
        Time limit in seconds, unlimited by default.
    on_progress : callable, optional
        Called with the number of codes played so far and the total number of codes.

    Returns
    -------
    Analysis
        The number of guesses for each code and, if all were played, the strategy tree.

    Raises
    ------
    InputError
        If the strategy does not support the game, or if another argument is invalid.
    SizeError
        If the game has too many codes to list them all.
    TimeLimitError
        If the analysis is not finished within `timeout`.

    Notes
    -----
    Every code is played with the plain scorer, even if the compiled kernel built the tree.

    Examples
    --------
    >>> analysis = mmsat.analyze("3x4", "knuth")
    >>> analysis.distribution, analysis.average
    ({1: 1, 2: 3, 3: 31, 4: 29}, Fraction(27, 8))
    """
    from mmsat.strategy.strategies import find_strategy

    game = Game.of(game)
    strategy = find_strategy(
        strategy, opening=opening, consistent_only=consistent_only, hard=hard, seed=seed
    )
    strategy.check(game)
    if executor is not None and (sample is None or timeout is not None):
        rule = "required by executor"
        description = Description("no sample" if sample is None else "a timeout")
        raise InputError.of("the arguments", "a sample and no timeout", description, rule)
    return run_with_progress(
        timeout,
        on_progress,
        _play,
        game,
        strategy,
        seed,
        sample,
        task_name="the analysis",
        advice="try a sample",
        executor=executor,
    )


def _play(
    game: Game,
    strategy: Strategy,
    seed: int | None,
    sample: int | None,
    *,
    executor: Executor | None,
    on_progress: OnProgress,
) -> Analysis:
    """Play all codes, or a sample, for validated arguments."""
    if sample is None:
        # Progress: growing the tree counts as one half, replaying it as the other.
        root = strategy.grow(game, lambda done, total: on_progress(done // 2, total))
        tree = StrategyTree(game, root, strategy.title)
        played = replay(tree, lambda done, total: on_progress((total + done) // 2, total))
        on_progress(game.size, game.size)
        return Analysis(game, strategy.title, [*played.items()], tree=tree)
    from mmsat._util.processes import in_order

    codes = draw_codes(game, sample, seed)
    chunk_size = max(1, min(MAX_CHUNK_CODES, sample // MIN_CHUNKS))
    tasks = (
        (strategy, game, codes[start : start + chunk_size])
        for start in range(0, sample, chunk_size)
    )
    turns: list[int] = []
    for chunk_turns in in_order(executor, play_codes, tasks):
        turns += chunk_turns
        on_progress(len(turns), sample)
    games = [*zip(codes, turns, strict=True)]
    return Analysis(game, strategy.title, games, is_sample=True)


def draw_codes(game: Game, num_codes: int, seed: int | None) -> list[Code]:
    """Return `num_codes` random codes, drawn uniformly and with replacement."""
    from random import Random

    rng = Random(seed)
    return [game.space.draw(game.pegs, game.colors, rng) for _ in range(num_codes)]


def play_codes(strategy: Strategy, game: Game, codes: Sequence[Code]) -> list[int]:
    """Return the number of guesses that a strategy needs for each code."""
    return [count_guesses(strategy, game, code) for code in codes]


def count_guesses(strategy: Strategy, game: Game, code: Code) -> int:
    """Return the number of guesses that a strategy needs for a code."""
    state = State.start(game)
    # The other terms bound the number of guesses of `halving` (strategies/planned.py).
    max_turns = MAX_TURNS + game.pegs * game.colors.bit_length() + 2 * game.pegs + game.colors
    for turn in range(1, max_turns + 1):
        guess = strategy.guess(state)
        score = game.scoring.score(code, guess)
        if score == game.scoring.score(guess, guess):
            return turn
        state = state.after(guess, score)
    message = f"{strategy.name} does not find {code} in {max_turns} guesses"
    plugin = describe_plugin("strategy", strategy)
    raise PluginError.about(plugin, message) if plugin else InternalError(message)
