"""Strategies evaluated: every code is played, or a random sample of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from concurrent.futures import Executor

from mmsat.arguments import check_arguments
from mmsat.errors import InputError, InternalError
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.solving.executor import finish
from mmsat.strategy.analysis import Analysis
from mmsat.strategy.selection import find_strategy
from mmsat.strategy.state import State
from mmsat.strategy.strategy import Strategy
from mmsat.strategy.tree import OnProgress, StrategyTree, replay
from mmsat.tasks import in_order

MOST_TURNS = 200
"""Guesses after which a strategy is taken to go round in circles, and for each peg some more."""
CHUNK, PARTS = 100, 50
"""Codes of a sample that are played together at most; a smaller one is parted by so many."""


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
    """Run a strategy against every possible code of a game, or a number of random ones.

    Every code is played against the plain scorer, whatever grew the tree.

    - `game`: a game, or its size or name.
    - `strategy`: an object, or a name with its options.
    - `opening`: guesses (as text or as colors from 0) to be made first, regardless of the scores.
      With `consistent_only` or `hard`, the strategy replaces forbidden ones by its choice.
    - `consistent_only`: whether every guess must itself be able to be the code.
    - `hard`: whether every guess must use what is known, as in game/hard_mode.py; heuristics then
      choose among the guesses that are allowed, other strategies guess what can be the code.
    - `seed`: for the strategy's random choices and the sample.
    - `sample`: how many random codes are played; None for all.
    - `executor`: where a sample is played, as `concurrent.futures` has it; None for here.
    - `timeout`: seconds, None for no limit.
    - `on_progress`: called with the number of codes done, and the number of all.

    Raises SizeError if a game has too many codes to list them all, TimeLimitError after `timeout`
    seconds, and InputError for a strategy that does not play the game.
    """
    game = Game.of(game)
    if isinstance(strategy, str):
        strategy = find_strategy(
            strategy, opening=opening, consistent_only=consistent_only, hard=hard, seed=seed
        )
    elif opening or consistent_only or hard:
        raise InputError.of(
            "the strategy", "no options", strategy.name, "a strategy that is made has its options"
        )
    strategy.check(game)
    if executor is not None and (sample is None or timeout is not None):
        rule = "elsewhere, samples are played, to their end"
        raise InputError.of("the arguments", "a sample, no timeout", "an executor", rule)
    return finish(
        timeout,
        on_progress,
        _play,
        game,
        strategy,
        seed,
        sample,
        work="the analysis",
        advice="a sample is faster",
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
        # a code is half done in the tree, and done when it was played
        root = strategy.grow(game, lambda done, whole: on_progress(done // 2, whole))
        tree = StrategyTree(game, root, strategy.title)
        played = replay(tree, lambda done, whole: on_progress((whole + done) // 2, whole))
        on_progress(game.size, game.size)
        return Analysis(game, strategy.title, [*played.items()], tree=tree)
    codes = draw_codes(game, sample, seed)
    some = max(1, min(CHUNK, sample // PARTS))
    tasks = ((strategy, game, codes[start : start + some]) for start in range(0, sample, some))
    turns: list[int] = []
    for found in in_order(executor, play_codes, tasks):
        turns += found
        on_progress(len(turns), sample)
    games = [*zip(codes, turns, strict=True)]
    return Analysis(game, strategy.title, games, is_sample=True)


def draw_codes(game: Game, many: int, seed: int | None) -> list[Code]:
    """So many random codes, any of them again and again, each as likely as the others."""
    source = random.Random(seed)
    return [game.space.draw(game.pegs, game.colors, source) for _ in range(many)]


def play_codes(strategy: Strategy, game: Game, codes: Sequence[Code]) -> list[int]:
    """The guesses that a strategy takes for each of some codes."""
    return [count_guesses(strategy, game, code) for code in codes]


def count_guesses(strategy: Strategy, game: Game, code: Code) -> int:
    """The guesses that a strategy takes for a code."""
    state = State.start(game)
    most = MOST_TURNS + game.pegs * game.colors.bit_length() + 2 * game.pegs + game.colors
    for turn in range(1, most + 1):
        guess = strategy.guess(state)
        score = game.scoring.score(code, guess)
        if score == game.scoring.score(guess, guess):
            return turn
        state = state.after(guess, score)
    raise InternalError(f"{strategy.name} does not find {code} in {most} guesses")
