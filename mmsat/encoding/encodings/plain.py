"""Encodings without a tree: all sets, a chain of counters, or the solver's native constraints.

- direct: one clause for every set of literals that is too large or too small. The number of clauses
  grows as binomial coefficients, so that a large formula is refused before it is made.
- sequential: Sinz's counter (2005), made bidirectional.
- native: "at most k of these literals", which the solver handles itself. The constraint may list a
  literal several times, and then counts it with this multiplicity. That makes conditional
  constraints possible: over n literals and d copies of a switch s, "at most n" means "at most n - d
  of the literals" if s is true, and is always satisfied if s is false.
"""

from collections.abc import Sequence
from itertools import combinations, pairwise
from math import comb

from mmsat.encoding.encodings.encoding import Encoding
from mmsat.encoding.formula import Formula
from mmsat.errors import SizeError

MAX_CLAUSES = 2_000_000
"""The maximum number of clauses of a formula with this encoding."""


class Direct(Encoding):
    """One clause for each set of literals, without a counter."""

    name = "direct"

    def count(self, literals: Sequence[int], bound: int, formula: Formula) -> list[int]:
        """Define each output by the sets of its size, with C(n + 1, t) clauses for o_t."""
        n = len(literals)
        if n == 1:
            return list(literals)
        refuse(sum(comb(n + 1, t) for t in range(1, bound + 1)), formula)
        outputs = []
        for t in range(1, bound + 1):
            output = formula.new()
            outputs.append(output)
            for subset in combinations(literals, t):
                formula.add(*(-literal for literal in subset), output)
            for subset in combinations(literals, n - t + 1):
                formula.add(-output, *subset)
        return outputs

    def between(
        self, literals: Sequence[int], low: int, high: int, selector: int | None, formula: Formula
    ) -> None:
        """Forbid every set that breaks a bound, with C(n, low - 1) + C(n, high + 1) clauses."""
        n = len(literals)
        refuse((comb(n, low - 1) if low > 0 else 0) + comb(n, high + 1), formula)
        guard = [] if selector is None else [-selector]
        if low > 0:
            for subset in combinations(literals, n - low + 1):
                formula.add(*guard, *subset)
        for subset in combinations(literals, high + 1):
            formula.add(*guard, *(-literal for literal in subset))


def refuse(clauses: int, formula: Formula) -> None:
    """Raise SizeError if the formula would be too large with this number of additional clauses."""
    total = len(formula.clauses) + clauses
    if total > MAX_CLAUSES:
        advice = "choose the encoding totalizer instead"
        found = f"at least {total:,}"
        raise SizeError.of("the direct encoding", f"up to {MAX_CLAUSES:,} clauses", found, advice)


class Sequential(Encoding):
    """A chain of counters, one for each literal."""

    name = "sequential"

    def count(self, literals: Sequence[int], bound: int, formula: Formula) -> list[int]:
        """Carry the counts from each literal to the next."""
        line = [literals[0]]
        for literal in literals[1:]:
            wider = []
            for t in range(1, min(len(line) + 1, bound) + 1):
                here = formula.new()
                wider.append(here)
                before = line[t - 1] if t <= len(line) else None  # at least t without this literal
                less = line[t - 2] if t > 1 else None  # at least t - 1 without it; always for t = 1
                if less is None:
                    formula.add(-literal, here)
                else:
                    formula.add(-literal, -less, here)
                    formula.add(-here, less)
                if before is None:
                    formula.add(-here, literal)
                else:
                    formula.add(-before, here)
                    formula.add(-here, literal, before)
            line = wider
        return line


class Native(Encoding):
    """Cardinality constraints of the solver; the only clauses order the outputs."""

    name = "native"
    is_native = True
    pairs = 20
    """On 30 pegs and colors, this takes half the time of 6, as the solver also decides steps of a
    ladder."""

    def count(self, literals: Sequence[int], bound: int, formula: Formula) -> list[int]:
        """Link a sorted list of outputs to the literals."""
        n = len(literals)
        if n == 1:
            return list(literals)
        outputs = [formula.new() for _ in range(bound)]
        for lower, higher in pairwise(outputs):
            formula.add(-higher, lower)
        formula.add_at_most([*negate(literals), *outputs], n)
        full = [-outputs[-1]] * (n - bound)  # the last output means "bound or more"
        formula.add_at_most([*literals, *negate(outputs), *full], n)
        return outputs

    def between(
        self, literals: Sequence[int], low: int, high: int, selector: int | None, formula: Formula
    ) -> None:
        """Require at most `high` of the literals and at most n - low of their negations."""
        n = len(literals)
        if low > 0:
            add_guarded(negate(literals), n - low, selector, formula)
        if high < n:
            add_guarded(literals, high, selector, formula)


def add_guarded(
    literals: Sequence[int], bound: int, selector: int | None, formula: Formula
) -> None:
    """Require at most `bound` of the literals, if the selector is true (None: always)."""
    if selector is None:
        formula.add_at_most(literals, bound)
    else:
        n = len(literals)
        formula.add_at_most([*literals, *[selector] * (n - bound)], n)


def negate(literals: Sequence[int]) -> list[int]:
    """Return the negation of every literal."""
    return [-literal for literal in literals]
