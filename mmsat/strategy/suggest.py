"""Suggest the next guess, with reasons."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from mmsat.board import Board
from mmsat.errors import Fault, InputError
from mmsat.game.row import Code
from mmsat.results import Count, Prospect, Suggestion
from mmsat.solving.deadline import Deadline
from mmsat.strategy.choice import AUTO, strategy_for
from mmsat.strategy.openings import balanced
from mmsat.strategy.parts import parts, uncertainty
from mmsat.strategy.pool import Pool, pool
from mmsat.strategy.state import State
from mmsat.strategy.strategies import STRATEGIES
from mmsat.tolerance import Tolerance

SIZE = 50_000
"""Codes that guesses are judged by at most."""
OTHERS = 3
WORK = 50_000_000
"""Pegs scored at most to find others."""
TRUSTING = ("any-consistent", "genetic", "sat-consistent", "six-guess", "tree")
"""The strategies that go by the scores themselves."""


def suggest(
    board: Board,
    *,
    strategy: str = AUTO,
    opening: Sequence[Code] = (),
    consistent_only: bool = False,
    seed: int | None = None,
    others: int = OTHERS,
    lies: int = 0,
    by: str = "rows",
) -> Suggestion:
    """Suggest the next guess for a board, with what it promises.

    Where the strategy plays best, it promises the average number of guesses, too. Up to 50,000
    remaining codes the figures are exact; beyond, they are those of as many codes drawn at random.

    - `board`: the game and its scored rows.
    - `strategy`: its name, with its options; `auto` chooses by the board.
    - `opening`: guesses (colors from 0) to be made first, whatever is scored.
    - `consistent_only`: whether the guess must itself be able to be the code.
    - `seed`: for codes and guesses that are drawn.
    - `others`: how many further guesses to name.
    - `lies`: how many scores may be wrong, counted `by` "rows" or by "pegs" (key pegs that are
      off); the codes that remain are each as likely as any other, and scores to come are taken to
      be right.

    Raises InconsistentError where no code remains, InputError for an unknown strategy or one that
    cannot reckon with lies, SizeError where with lies the codes are too many to number.
    """
    clock = Deadline()
    tolerance = Tolerance(lies, by)
    if lies and strategy.partition(":")[0] in TRUSTING:
        rule = "with lies, a strategy chooses by the codes that remain"
        write = ", ".join([AUTO, *(name for name in STRATEGIES if name not in TRUSTING)])
        raise InputError([Fault(rule, strategy, write)], "the strategy")
    state = State(board, tolerance=tolerance)
    chosen = strategy_for(
        board.game, strategy, opening=opening, consistent_only=consistent_only, seed=seed
    )
    known = pool(state, SIZE, seed)
    guess = chosen.guess(state)
    tried = [guess, *(each for each in _candidates(state, known, seed) if each != guess)]
    best, *ranked = _prospects(state, known, tried)
    return Suggestion(
        board,
        chosen.name,
        _count(known),
        best,
        tuple(sorted(ranked, key=_rank)[:others]),
        clock.elapsed,
        tolerance,
        chosen.promise(state),
        consistent_only,
    )


def _candidates(state: State, known: Pool, seed: int | None) -> Iterable[Code]:
    """Consistent codes drawn at random; first guesses are balanced ones, if there are any."""
    codes = known.codes
    most = max(OTHERS + 1, min(len(codes), WORK // (state.game.pegs * len(codes))))
    chosen = random.Random(seed or 0).sample(range(len(codes)), min(most, len(codes)))
    drawn = (tuple(codes[each].tolist()) for each in sorted(chosen))
    return (not state.rows and list(balanced(state.game))) or drawn


def _prospects(state: State, known: Pool, guesses: list[Code]) -> Iterator[Prospect]:
    judged = len(known.codes) if known.count is None else known.count
    for guess, sizes in zip(guesses, parts(state.game, known.codes, guesses), strict=True):
        is_possible = state.allows(guess)
        chance = Fraction(1, judged) if is_possible else Fraction(0)
        yield Prospect(guess, tuple(sizes), is_possible, chance)


def _rank(prospect: Prospect) -> tuple[int, bool, Code]:
    return uncertainty(prospect.sizes), not prospect.is_possible, prospect.guess


def _count(known: Pool) -> Count:
    if known.count is not None:
        return Count(known.count, exact=True, method="pool", seconds=0.0)
    return Count(len(known.codes), exact=False, method="walk", seconds=0.0)
