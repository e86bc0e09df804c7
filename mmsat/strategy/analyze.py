"""Analyze a strategy: how many guesses it needs, for every code or for a random sample."""

from __future__ import annotations

import random
from collections.abc import Sequence
from concurrent.futures import Executor

from mmsat._util.arguments import check_arguments
from mmsat._util.processes import in_order
from mmsat.errors import Description, InputError, InternalError
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.solving.deadline import run_with_progress
from mmsat.strategy.analysis import Analysis
from mmsat.strategy.selection import find_strategy
from mmsat.strategy.strategy import State, Strategy
from mmsat.strategy.tree import OnProgress, StrategyTree, replay

MAX_TURNS = 200
"""Number of guesses after which a strategy is assumed to loop forever. `count_guesses` allows more
in large games."""
MAX_CHUNK_CODES, MIN_CHUNKS = 100, 50
"""A sample is played in chunks of at most MAX_CHUNK_CODES codes and, if possible, at most
1/MIN_CHUNKS of the sample."""


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
    game = Game.of(game)
    strategy = find_strategy(
        strategy, opening=opening, consistent_only=consistent_only, hard=hard, seed=seed
    )
    strategy.check(game)
    if executor is not None and (sample is None or timeout is not None):
        rule = "required by executor"
        found = Description("no sample" if sample is None else "a timeout")
        raise InputError.of("the arguments", "a sample and no timeout", found, rule)
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
    if sample is None:
        # Progress: growing the tree counts as one half, replaying it as the other.
        root = strategy.grow(game, lambda done, total: on_progress(done // 2, total))
        tree = StrategyTree(game, root, strategy.title)
        played = replay(tree, lambda done, total: on_progress((total + done) // 2, total))
        on_progress(game.size, game.size)
        return Analysis(game, strategy.title, [*played.items()], tree=tree)
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
    rng = random.Random(seed)
    return [game.space.draw(game.pegs, game.colors, rng) for _ in range(num_codes)]


def play_codes(strategy: Strategy, game: Game, codes: Sequence[Code]) -> list[int]:
    """Return the number of guesses that a strategy needs for each code."""
    return [count_guesses(strategy, game, code) for code in codes]


def count_guesses(strategy: Strategy, game: Game, code: Code) -> int:
    """Return the number of guesses that a strategy needs for a code."""
    state = State.start(game)
    max_turns = MAX_TURNS + game.pegs * game.colors.bit_length() + 2 * game.pegs + game.colors
    for turn in range(1, max_turns + 1):
        guess = strategy.guess(state)
        score = game.scoring.score(code, guess)
        if score == game.scoring.score(guess, guess):
            return turn
        state = state.after(guess, score)
    raise InternalError(f"{strategy.name} does not find {code} in {max_turns} guesses")
