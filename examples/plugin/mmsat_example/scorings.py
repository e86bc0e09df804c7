"""A scoring that counts hot and warm pegs: the right color, and a color next to it, in place."""

from collections.abc import Iterator, Sequence

import mmsat


class HotWarm(mmsat.Scoring):
    """Hot and warm pegs, as in `4x9h/1357=1.2`."""

    name = "hot-warm"
    suffix = "h"
    example = "4x9h"
    summary = "hot = right in place, warm = off by one in place"
    are_colors_alike = False  # the colors have an order

    def parts(self, pegs: int) -> tuple[str, ...]:
        """Return the names of the two parts."""
        return ("hot", "warm")

    def score(self, code: Sequence[int], guess: Sequence[int]) -> tuple[int, ...]:
        """Return the numbers of places at which code and guess differ by zero and by one."""
        distances = [abs(one - other) for one, other in zip(code, guess, strict=True)]
        return distances.count(0), distances.count(1)

    def constraints(
        self, variables: mmsat.VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[mmsat.CardinalityConstraint]:
        """Return one constraint for each part that was read."""
        hot, warm = score
        hot_literals, warm_literals = self._literals(variables, guess)
        if hot is not None:
            yield mmsat.CardinalityConstraint(hot_literals, hot, hot)
        if warm is not None:
            yield mmsat.CardinalityConstraint(warm_literals, warm, warm)

    def gauges(
        self, variables: mmsat.VariableMap, guess: Sequence[int], score: Sequence[int | None]
    ) -> Iterator[mmsat.CardinalityConstraint]:
        """Return the constraints, and one on the sum of hot and warm pegs."""
        yield from self.constraints(variables, guess, score)
        hot, warm = score
        if hot is not None and warm is not None:
            hot_literals, warm_literals = self._literals(variables, guess)
            literals = hot_literals + warm_literals
            yield mmsat.CardinalityConstraint(literals, hot + warm, hot + warm)

    def flaw(self, pegs: int, score: Sequence[int | None]) -> str | None:
        """Return the reason why a score is impossible: it is larger than the number of pegs."""
        total = sum(number or 0 for number in score)
        return f"there are only {pegs} pegs, and this scores {total}" if total > pegs else None

    @staticmethod
    def _literals(
        variables: mmsat.VariableMap, guess: Sequence[int]
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the literals of the hot and of the warm pegs."""
        hot = tuple(variables.at(peg, color) for peg, color in enumerate(guess))
        warm = tuple(
            variables.at(peg, near)
            for peg, color in enumerate(guess)
            for near in (color - 1, color + 1)
            if 0 <= near < variables.colors
        )
        return hot, warm
