"""Direct encoding: one clause for every set of literals that is too large or too small.

Clauses grow as binomial coefficients, so that a large formula is refused before it is made.
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb

from mmsat.encoding.encodings.encoding import Encoding
from mmsat.encoding.formula import Formula
from mmsat.errors import SizeError

LIMIT = 2_000_000
"""The most clauses of a formula that this encoding adds to."""


class Direct(Encoding):
    """No counter, only the sets."""

    name = "direct"

    def count(self, literals: Sequence[int], bound: int, formula: Formula) -> list[int]:
        """Define each output by the sets of its size; C(n + 1, t) clauses for o_t."""
        n = len(literals)
        if n == 1:
            return list(literals)
        refuse(sum(comb(n + 1, t) for t in range(1, bound + 1)), formula)
        outputs = []
        for t in range(1, bound + 1):
            output = formula.new()
            outputs.append(output)
            for some in combinations(literals, t):
                formula.add(*(-literal for literal in some), output)
            for some in combinations(literals, n - t + 1):
                formula.add(-output, *some)
        return outputs

    def between(
        self, literals: Sequence[int], low: int, high: int, selector: int | None, formula: Formula
    ) -> None:
        """Forbid every set that breaks a bound: C(n, low - 1) + C(n, high + 1) clauses."""
        n = len(literals)
        refuse((comb(n, low - 1) if low > 0 else 0) + comb(n, high + 1), formula)
        guard = [] if selector is None else [-selector]
        if low > 0:
            for some in combinations(literals, n - low + 1):
                formula.add(*guard, *some)
        for some in combinations(literals, high + 1):
            formula.add(*guard, *(-literal for literal in some))


def refuse(clauses: int, formula: Formula) -> None:
    """Raise SizeError where so many more clauses would be too many."""
    total = len(formula.clauses) + clauses
    if total > LIMIT:
        raise SizeError(
            f"the direct encoding needs at least {total} clauses here, above its limit of {LIMIT}; "
            "choose the encoding totalizer instead"
        )
