"""Native constraints: "at most k of these literals", left to a solver that knows them.

Such a constraint may list a literal several times, and then counts it so often. That is what makes
a constraint conditional: over n literals and d copies of a switch s, "at most n" says "at most
n - d of the literals" when s is true and nothing when it is false.
"""

from collections.abc import Sequence
from itertools import pairwise

from mmsat.encoding.encodings.encoding import Encoding
from mmsat.encoding.formula import Formula


class Native(Encoding):
    """No clauses but for the order of the outputs."""

    name = "native"
    is_native = True

    def count(self, literals: Sequence[int], bound: int, formula: Formula) -> list[int]:
        """Tie a sorted list of outputs to the literals."""
        n = len(literals)
        if n == 1:
            return list(literals)
        outputs = [formula.new() for _ in range(bound)]
        for lower, higher in pairwise(outputs):
            formula.add(-higher, lower)
        formula.add_at_most([*negate(literals), *outputs], n)
        full = [-outputs[-1]] * (n - bound)  # from here on, "bound or more" is all that is said
        formula.add_at_most([*literals, *negate(outputs), *full], n)
        return outputs

    def between(
        self, literals: Sequence[int], low: int, high: int, selector: int | None, formula: Formula
    ) -> None:
        """At most `high` of the literals, at most n - low of their denials."""
        n = len(literals)
        if low > 0:
            add_guarded(negate(literals), n - low, selector, formula)
        if high < n:
            add_guarded(literals, high, selector, formula)


def add_guarded(
    literals: Sequence[int], bound: int, selector: int | None, formula: Formula
) -> None:
    """At most so many of the literals if the selector is true; always if there is none."""
    if selector is None:
        formula.add_at_most(literals, bound)
    else:
        n = len(literals)
        formula.add_at_most([*literals, *[selector] * (n - bound)], n)


def negate(literals: Sequence[int]) -> list[int]:
    """The opposite of every literal."""
    return [-literal for literal in literals]
