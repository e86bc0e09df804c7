"""Scores a second: one guess against many codes, and many guesses against some, with partitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from benchmarks.strategy.cpu import quickest
from benchmarks.timing import report
from mmsat import _core
from mmsat.game.game import Game
from mmsat.strategy.answers import kernel_form

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = ("4x6", "4x10d", "5x8", "8x12", "12x12", "20x20", "32x64", "4x5x5")
CODES = 32_768
SCORED, COUNTED = 300, 200
"""Guesses that are scored one by one, and codes that are counted for all guesses."""


def main() -> None:
    """Print billions of scores a second."""
    rows = [(size, measure(size)) for size in SIZES]
    report("Billions of scores a second, one core, the quickest of 5 runs", rows)


def measure(size: str) -> str:
    """The two rates of a game."""
    game = Game.parse(size)
    codes = random_codes(game)
    form = kernel_form(game)
    scored = _core.Scored(form, codes)
    answers = np.zeros(CODES, dtype=np.uint16)
    partitions = np.zeros((CODES, len(form.answers)), dtype=np.uint32)

    def score() -> None:
        for guess in codes[:SCORED]:
            scored.score(guess, answers)

    def count() -> None:
        scored.count(codes[:COUNTED], partitions)

    return f"{rate(score, SCORED)} scored, {rate(count, COUNTED)} counted"


def random_codes(game: Game) -> np.ndarray:
    """Return random codes of a game from a fixed seed."""
    source = np.random.default_rng(1)
    if game.space.has_repeats:
        return source.integers(game.colors, size=(CODES, game.pegs), dtype=np.uint8)
    order = source.random((CODES, game.colors)).argsort(axis=1)
    return np.ascontiguousarray(order[:, : game.pegs].astype(np.uint8))


def rate(work: Callable[[], None], guesses: int) -> str:
    """Billions a second."""
    return f"{guesses * CODES / quickest(work, 5) / 1e9:5.2f}"
