"""Comparison of possible next guesses, by the measure of a review."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mmsat.game.row import Code
from mmsat.results.review import BEST_PLAY, EXPECTED_CODES
from mmsat.results.suggestion import Prospect, Suggestion
from mmsat.reviewing.measures import RemainingGuesses, is_searchable
from mmsat.reviewing.position import Position, fits_table
from mmsat.reviewing.review import DEFAULT_SIZE
from mmsat.strategy.endgame import TooLongError
from mmsat.strategy.state import State
from mmsat.strategy.suggest import judge


@dataclass(frozen=True)
class Comparison:
    """Guesses and their costs, the cheapest first."""

    by: str
    """The measure: `best-play` or `expected-codes`, as in `Move.by`."""
    guesses: tuple[tuple[Prospect, Fraction | None], ...]
    """Each guess with its cost; None if the cost is not known yet or takes too long to compute."""

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON keys, with colors from 1."""
        return {
            "by": self.by,
            "guesses": [
                prospect.to_dict() | {"cost": None if cost is None else str(cost)}
                for prospect, cost in self.guesses
            ],
        }


def compare_guesses(
    suggestion: Suggestion,
    *,
    seed: int | None = None,
    on_progress: Callable[[Comparison], None] = lambda _: None,
) -> Comparison:
    """Compare the guesses of a suggestion, and the best guess by the measure of a review.

    If scores may be wrong, which a review does not allow, guesses are compared by the remaining
    codes, and no guess is added. The same holds for games whose codes do not fit in a table.

    Parameters
    ----------
    suggestion
        A suggestion for a board that has a consistent code.
    seed
        Seed of the guesses and codes that are drawn.
    on_progress
        Called with the costs known so far.
    """
    state = State(suggestion.board, tolerance=suggestion.tolerance)
    prospects = {
        each.guess: each for each in (suggestion.best, *suggestion.others, *suggestion.own)
    }
    position, by, best = None, EXPECTED_CODES, suggestion.best.guess
    if not suggestion.tolerance.lies and fits_table(suggestion.board.game):
        position = Position(state, DEFAULT_SIZE, seed)
        by, best = _find_best(position)
        if best not in prospects:
            prospects |= {each.guess: each for each in judge(state, position.pool, [best])}
    costs: dict[Code, Fraction] = {}

    def rank(prospect: Prospect) -> tuple[bool, Fraction, bool, bool, Code]:
        guess = prospect.guess
        cost = costs.get(guess)
        return cost is None, cost or Fraction(), guess != best, not prospect.is_possible, guess

    def make_comparison() -> Comparison:
        ranked = sorted(prospects.values(), key=rank)
        return Comparison(by, tuple((each, costs.get(each.guess)) for each in ranked))

    for prospect in sorted(prospects.values(), key=rank):
        if position is None or by == EXPECTED_CODES:
            costs[prospect.guess] = prospect.expected * _scale(suggestion)
            continue
        with suppress(TooLongError):
            measure = RemainingGuesses(position)  # with a budget for each guess, as in a review
            costs[prospect.guess] = measure.cost(prospect.guess, position.split(prospect.guess))
        on_progress(make_comparison())
    return make_comparison()


def _find_best(position: Position) -> tuple[str, Code]:
    """Return the measure of a review for a position, and the best guess by it."""
    if is_searchable(position.state):
        with suppress(TooLongError):
            return BEST_PLAY, RemainingGuesses(position).best()[0]
    return EXPECTED_CODES, position.divide()


def _scale(suggestion: Suggestion) -> Fraction:
    """Return the number of remaining codes per code that guesses are judged by."""
    count = suggestion.codes
    return Fraction(count.count, suggestion.best.judged_by) if count.exact else Fraction(1)
