"""Guesses for the next row, compared by the measure that a review judges guesses by."""

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from typing import Any

from mmsat.frozen import frozen
from mmsat.game.row import Code
from mmsat.results.suggestion import Prospect, Suggestion
from mmsat.reviewing.measures import CodesLeft, GuessesLeft, Measure, is_searchable
from mmsat.reviewing.position import Position
from mmsat.reviewing.review import SIZE
from mmsat.strategy.endgame import TooLongError
from mmsat.strategy.state import State
from mmsat.strategy.suggest import judge


@frozen
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
    """Compare all guesses of a suggestion, and the best guess by the measure of a review.

    If scores may be wrong, which a review does not allow, guesses are compared by the remaining
    codes, and no guess is added.

    Parameters
    ----------
    suggestion
        A suggestion for a board that has a consistent code.
    seed
        For codes and guesses that are drawn.
    on_progress
        Called with the costs known so far.
    """
    state = State(suggestion.board, tolerance=suggestion.tolerance)
    position = Position(state, SIZE, seed)
    if suggestion.tolerance.lies:
        measure: Measure = CodesLeft(position)
        best = None
    else:
        measure, best = _choose_measure(position)
    prospects = {
        each.guess: each for each in (suggestion.best, *suggestion.others, *suggestion.own)
    }
    if best is not None and best not in prospects:
        prospects |= {each.guess: each for each in judge(state, position.pool, [best])}
    costs: dict[Code, Fraction] = {}

    def rank(prospect: Prospect) -> tuple[bool, Fraction, bool, bool, Code]:
        guess = prospect.guess
        cost = costs.get(guess)
        return cost is None, cost or Fraction(), guess != best, not prospect.is_possible, guess

    def make_comparison() -> Comparison:
        ranked = sorted(prospects.values(), key=rank)
        return Comparison(measure.name, tuple((each, costs.get(each.guess)) for each in ranked))

    for prospect in sorted(prospects.values(), key=rank):
        with suppress(TooLongError):
            fresh = type(measure)(position)  # with a budget for each guess, as in a review
            costs[prospect.guess] = fresh.cost(prospect.guess, position.split(prospect.guess))
        on_progress(make_comparison())
    return make_comparison()


def _choose_measure(position: Position) -> tuple[Measure, Code]:
    """Return the measure of a review for a position, and the best guess by it."""
    if is_searchable(position.state):
        with suppress(TooLongError):
            guesses_left = GuessesLeft(position)
            return guesses_left, guesses_left.best()[0]
    codes_left = CodesLeft(position)
    return codes_left, codes_left.best()[0]
