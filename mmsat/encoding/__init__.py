"""Encodings of cardinality constraints in clauses, by name.

An encoding is a way to count: given literals and a bound, it adds outputs o_1 .. o_bound such that
o_t is true exactly when at least t of the literals are. Every auxiliary variable is *defined*: the
literals determine its value. So rows can share auxiliary variables, a formula has exactly as many
models as the board has codes, and a disabled row does not constrain anything.

These encodings count all literals at once:

- direct: one clause for every set of literals that cannot all be true, or cannot all be false. The
  number of clauses is a sum of binomial coefficients, so a formula that would be too large is
  refused before it is built.
- sequential: Sinz's counter (2005), with clauses for both directions of "if and only if".
- native: "at most k of these literals", which the solver handles itself. The constraint may list a
  literal several times, and then counts it with this multiplicity. That makes conditional
  constraints possible: over n literals and d copies of a selector s, "at most n" means "at most
  n - d of the literals" if s is true, and is always satisfied if s is false.

These encodings count subsets of the literals and merge the counts, also with clauses for both
directions:

- sorting-network: the outputs are the literals sorted, the true ones first. A sorting network
  (Batcher 1968, as constraints: Eén and Sörensson 2006) sorts any number of inputs.
- cardinality-network: a sorting network in which every merge is cut at the bound (Asín,
  Nieuwenhuis, Oliveras and Rodríguez-Carbonell 2009, 2011; halves of any size follow Abío and
  others 2013).
- totalizer: merges unary counts, cut at the bound (Bailleux and Boufkhad 2003).
- modulo-totalizer: represents the counts as quotient * p + remainder (Ogawa, Liu, Hasegawa,
  Koshimura and Fujita 2013; in its k-cardinality form Morgado, Ignatiev and Marques-Silva 2014).
  For bounds below 4 it uses the totalizer, which is smaller there.

A new encoding is a class in this module, an entry of `ENCODINGS`, and a folder of the catalogue
(`encodings/`), which describes the variables, clauses, propagation and source of each encoding.

A `Formula` under construction has clauses, native cardinality constraints and names of variables.
"Exactly one" or "at most one" of a few literals (`max_pairwise_literals`) is encoded by one clause
per pair. For more literals it is encoded by a ladder, whose auxiliary variable l_i is true exactly
when one of the first i literals is. So the literals determine all auxiliary variables, as in every
encoding.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from math import comb, isqrt
from numbers import Integral
from typing import ClassVar

from mmsat._util.arguments import RULES
from mmsat._util.registry import Extensible, describe_plugin, require_name
from mmsat._util.text import quantity
from mmsat.errors import InputError, MessageFault, PluginError, SizeError, describe_found

MAX_PAIRWISE_LITERALS = 6
"""Default maximum number of literals for which at-most-one is encoded by pairs."""


@dataclass(slots=True)
class Formula:
    """A formula in conjunctive normal form. Variables are numbered from 1; -x negates x."""

    variables: int = 0
    """The number of variables."""
    code_variables: int = 0
    """The number of code variables, which are numbered 1 + peg * colors + color."""
    clauses: list[list[int]] = field(default_factory=list)
    """Each clause is the list of its literals."""
    at_most: list[tuple[list[int], int]] = field(default_factory=list)
    """Native constraints: at most this number of these literals (which may repeat) are true."""
    selectors: tuple[int, ...] = ()
    """The literal that enables each row, if the formula was built with selectors."""
    names: dict[int, str] = field(default_factory=dict)
    """Names of code variables, counts of colors, and selectors."""

    def new(self) -> int:
        """Return a new variable."""
        self.variables += 1
        return self.variables

    def add(self, *literals: int) -> None:
        """Add the clause of these literals, which are separate arguments: `add(1, -2)`.

        Raises InputError if the first argument is not a whole number.
        """
        if literals and type(literals[0]) is not int and not isinstance(literals[0], Integral):
            expected = "literals as separate arguments, such as add(1, -2)"
            raise InputError.of("Formula.add", expected, literals[0])
        self.clauses.append(list(literals))

    def conjunction(self, literals: Sequence[int]) -> int:
        """Return a literal that is true exactly when all of `literals` are: an AND gate."""
        if len(literals) == 1:
            return literals[0]
        conjunction = self.new()
        for literal in literals:
            self.add(-conjunction, literal)
        self.add(conjunction, *(-literal for literal in literals))
        return conjunction

    def add_at_most(self, literals: Sequence[int], bound: int) -> None:
        """Add a native cardinality constraint."""
        self.at_most.append((list(literals), bound))


def at_most_one(
    literals: Sequence[int],
    formula: Formula,
    guard: Sequence[int] = (),
    max_pairwise_literals: int = MAX_PAIRWISE_LITERALS,
) -> None:
    """Require that at most one of the literals is true, unless a literal of `guard` is true.

    For n literals, this adds n(n-1)/2 clauses if n <= `max_pairwise_literals`; otherwise it adds
    4n-7 clauses and n-2 auxiliary variables.
    """
    if len(literals) <= max_pairwise_literals:
        for first, second in combinations(literals, 2):
            formula.add(*guard, -first, -second)
        return
    earlier = literals[0]  # true if and only if one of the literals before `literal` is
    for literal in literals[1:-1]:
        so_far = formula.new()
        formula.add(-earlier, so_far)
        formula.add(-literal, so_far)
        formula.add(-so_far, earlier, literal)
        formula.add(*guard, -earlier, -literal)
        earlier = so_far
    formula.add(*guard, -earlier, -literals[-1])


def exactly_one(
    literals: Sequence[int],
    formula: Formula,
    guard: Sequence[int] = (),
    max_pairwise_literals: int = MAX_PAIRWISE_LITERALS,
) -> None:
    """Require that exactly one of the literals is true, with one clause more than at_most_one."""
    formula.add(*guard, *literals)
    at_most_one(literals, formula, guard, max_pairwise_literals)


class Encoding(ABC):
    """A way to express in clauses how many literals are true."""

    name: ClassVar[str]
    """The name on the command line, and of the directory in the catalogue."""
    is_native: ClassVar[bool] = False
    """Whether it needs a solver that supports cardinality constraints natively."""
    max_pairwise_literals: ClassVar[int] = MAX_PAIRWISE_LITERALS
    """Maximum number of literals for which at-most-one is encoded by one clause per pair."""

    def __str__(self) -> str:
        return self.name

    @abstractmethod
    def count(self, literals: Sequence[int], bound: int, formula: Formula) -> list[int]:
        """Return outputs o_1 .. o_bound; o_t is true if and only if at least t literals are.

        `bound` is from 1 to the number of literals. Every auxiliary variable must be defined in
        both directions, so that the literals determine it.
        """

    def outputs(self, literals: Sequence[int], bound: int, formula: Formula) -> list[int]:
        """Return the outputs of `count`, checked if the encoding is a plug-in.

        Raises PluginError if it does not return `bound` literals of the formula.
        """
        outputs = self.count(literals, bound, formula)
        plugin = describe_plugin("encoding", self)
        if plugin and not (
            isinstance(outputs, list | tuple)
            and len(outputs) == bound
            and all(type(out) is int and 0 < abs(out) <= formula.variables for out in outputs)
        ):
            call = f"count of {quantity(len(literals), 'literal')} up to {bound}"
            expected = f"expected a list of {quantity(bound, 'literal')} of the formula"
            message = f"{call} returned {describe_found(outputs)}, {expected}."
            raise PluginError.about(plugin, message)
        return outputs

    def between(
        self, literals: Sequence[int], low: int, high: int, selector: int | None, formula: Formula
    ) -> None:
        """Require that `low` to `high` literals are true, if `selector` is true or None."""
        outputs = self.outputs(literals, min(high + 1, len(literals)), formula)
        guard = [] if selector is None else [-selector]
        if low > 0:
            formula.add(*guard, outputs[low - 1])
        if high < len(literals):
            formula.add(*guard, -outputs[high])


class Halving(Encoding):
    """Counts each half of the literals up to the bound, and merges the two counts."""

    def count(self, literals: Sequence[int], bound: int, formula: Formula) -> list[int]:
        """Split in halves, count each, merge."""
        if len(literals) == 1:
            return list(literals)
        half = len(literals) // 2
        left = self.count(literals[:half], min(bound, half), formula)
        right = self.count(literals[half:], min(bound, len(literals) - half), formula)
        return self.merge(left, right, bound, formula)

    @abstractmethod
    def merge(
        self, left: Sequence[int], right: Sequence[int], bound: int, formula: Formula
    ) -> list[int]:
        """Return the outputs for all literals, up to the bound, given the outputs for each half."""


MAX_CLAUSES = 2_000_000
"""The maximum number of clauses of a formula with the encoding `direct`."""


class Direct(Encoding):
    """One clause for each set of literals that cannot all be true, or cannot all be false."""

    name = "direct"

    def count(self, literals: Sequence[int], bound: int, formula: Formula) -> list[int]:
        """Define o_t by all sets of t literals and all sets of n - t + 1: C(n + 1, t) clauses."""
        n = len(literals)
        if n == 1:
            return list(literals)
        require_few_clauses(sum(comb(n + 1, t) for t in range(1, bound + 1)), formula)
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
        """Forbid every set that violates a bound, with C(n, low - 1) + C(n, high + 1) clauses."""
        n = len(literals)
        require_few_clauses((comb(n, low - 1) if low > 0 else 0) + comb(n, high + 1), formula)
        guard = [] if selector is None else [-selector]
        if low > 0:
            for subset in combinations(literals, n - low + 1):
                formula.add(*guard, *subset)
        for subset in combinations(literals, high + 1):
            formula.add(*guard, *(-literal for literal in subset))


def require_few_clauses(clauses: int, formula: Formula) -> None:
    """Raise SizeError if the formula would be too large with this number of additional clauses."""
    total = len(formula.clauses) + clauses
    if total > MAX_CLAUSES:
        advice = "choose the encoding totalizer instead"
        size = f"at least {total:,}"
        raise SizeError.of("the direct encoding", f"up to {MAX_CLAUSES:,} clauses", size, advice)


class Sequential(Encoding):
    """A chain of counters, one for each literal."""

    name = "sequential"

    def count(self, literals: Sequence[int], bound: int, formula: Formula) -> list[int]:
        """Carry the counts from each literal to the next."""
        at_least = [literals[0]]
        for literal in literals[1:]:
            next_at_least = []
            for t in range(1, min(len(at_least) + 1, bound) + 1):
                output = formula.new()
                next_at_least.append(output)
                # previous: at least t are true without `literal`; one_less: at least t - 1 are.
                previous = at_least[t - 1] if t <= len(at_least) else None
                one_less = at_least[t - 2] if t > 1 else None
                if one_less is None:
                    formula.add(-literal, output)
                else:
                    formula.add(-literal, -one_less, output)
                    formula.add(-output, one_less)
                if previous is None:
                    formula.add(-output, literal)
                else:
                    formula.add(-previous, output)
                    formula.add(-output, literal, previous)
            at_least = next_at_least
        return at_least


class Native(Encoding):
    """Native cardinality constraints of the solver. Clauses only sort the outputs."""

    name = "native"
    is_native = True
    max_pairwise_literals = 20
    """On boards with 30 pegs and colors, the solver takes half as long as with 6 literals, because
    it also branches on the auxiliary variables of a ladder."""

    def count(self, literals: Sequence[int], bound: int, formula: Formula) -> list[int]:
        """Define sorted outputs by two native constraints."""
        n = len(literals)
        if n == 1:
            return list(literals)
        outputs = [formula.new() for _ in range(bound)]
        for lower, higher in pairwise(outputs):
            formula.add(-higher, lower)
        formula.add_at_most([*negate(literals), *outputs], n)
        # Unless o_bound is true, the number of true literals is at most that of true outputs.
        padding = [-outputs[-1]] * (n - bound)
        formula.add_at_most([*literals, *negate(outputs), *padding], n)
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


class SortingNetwork(Encoding):
    """Odd-even merge sort."""

    name = "sorting-network"

    def count(self, literals: Sequence[int], bound: int, formula: Formula) -> list[int]:
        """Sort both halves, completely unless the bound is 1, and merge them up to the bound."""
        if len(literals) == 1:
            return list(literals)
        half = len(literals) // 2
        left, right = (
            self.count(part, 1 if bound == 1 else len(part), formula)
            for part in (literals[:half], literals[half:])
        )
        return merge_sorted(left, right, bound, formula)


def merge_sorted(
    left: Sequence[int], right: Sequence[int], bound: int, formula: Formula
) -> list[int]:
    """Merge two sorted lists and return the first `bound` literals."""
    if not left or not right or bound == 0:
        return [*left, *right][:bound]
    if len(left) == len(right) == 1:
        return compare(left[0], right[0], bound, formula)
    # In sorted order, the i-th literal of `odd` can only be swapped with the (i-1)-th of `even`, so
    # that one comparison sorts the two.
    odd = merge_sorted(left[::2], right[::2], bound // 2 + 1, formula)
    even = merge_sorted(left[1::2], right[1::2], bound // 2, formula)
    outputs = odd[:1]
    for higher, lower in zip(odd[1:], even, strict=False):
        outputs += compare(higher, lower, bound - len(outputs), formula)
    compared_pairs = len(outputs) // 2
    return [*outputs, *odd[compared_pairs + 1 :], *even[compared_pairs:]][:bound]


def compare(first: int, second: int, bound: int, formula: Formula) -> list[int]:
    """Return the disjunction of two literals and, if the bound is at least 2, their conjunction."""
    outputs = [formula.new() for _ in range(min(bound, 2))]  # so each loop runs at most once
    for disjunction in outputs[:1]:
        formula.add(-first, disjunction)
        formula.add(-second, disjunction)
        formula.add(-disjunction, first, second)
    for conjunction in outputs[1:]:
        formula.add(-conjunction, first)
        formula.add(-conjunction, second)
        formula.add(conjunction, -first, -second)
    return outputs


class CardinalityNetwork(Halving):
    """Odd-even merge sort, cut at the bound everywhere."""

    name = "cardinality-network"

    def merge(
        self, left: Sequence[int], right: Sequence[int], bound: int, formula: Formula
    ) -> list[int]:
        """Merge the two sorted lists up to the bound."""
        return merge_sorted(left, right, bound, formula)


MIN_MODULO_BOUND = 4
"""The lowest bound for which the modulo totalizer is smaller than the totalizer."""


class Totalizer(Halving):
    """A tree of merged unary counts."""

    name = "totalizer"

    def merge(
        self, left: Sequence[int], right: Sequence[int], bound: int, formula: Formula
    ) -> list[int]:
        """Add the two counts."""
        return merge(left, right, bound, formula)


def merge(left: Sequence[int], right: Sequence[int], bound: int, formula: Formula) -> list[int]:
    """Return the sum of two unary numbers, cut at the bound. Each number may be cut there, too."""
    outputs = [formula.new() for _ in range(min(len(left) + len(right), bound))]
    output_count, add = len(outputs), formula.clauses.append
    # In a clause, right_below[j] means "right < j", and right_above[j] means "right > j".
    right_below = [[], *([-literal] for literal in right)]
    right_above = [*([literal] for literal in right), []]
    for i in range(len(left) + 1):
        left_below = [-left[i - 1]] if i else []
        left_above = [left[i]] if i < len(left) else []
        for j in range(min(len(right), output_count - i) + 1):
            if i + j:  # at least i and at least j make at least i + j
                add([*left_below, *right_below[j], outputs[i + j - 1]])
            if i + j < output_count:  # at most i and at most j make at most i + j
                add([*left_above, *right_above[j], -outputs[i + j]])
    return outputs


class ModuloTotalizer(Encoding):
    """A tree of merged quotients and remainders."""

    name = "modulo-totalizer"

    def count(self, literals: Sequence[int], bound: int, formula: Formula) -> list[int]:
        """Count as quotient and remainder, then define the outputs by these."""
        if bound < MIN_MODULO_BOUND:
            return Totalizer().count(literals, bound, formula)
        modulus = isqrt(bound) + 1
        quotients, remainders = divide_count(literals, modulus, -(-bound // modulus), formula)
        return [
            define_output(*divmod(t, modulus), quotients, remainders, formula)
            for t in range(1, bound + 1)
        ]


def divide_count(
    literals: Sequence[int], modulus: int, cap: int, formula: Formula
) -> tuple[list[int], list[int]]:
    """Return the quotient, cut at `cap`, and the remainder of the count, both in unary."""
    if len(literals) == 1:
        return [], list(literals)
    half = len(literals) // 2
    left_quotient, left = divide_count(literals[:half], modulus, cap, formula)
    right_quotient, right = divide_count(literals[half:], modulus, cap, formula)
    if len(literals) < modulus:  # the count is the remainder
        return [], merge(left, right, len(literals), formula)
    carry = formula.new()
    remainders = add_remainders(left, right, carry, modulus, formula)
    if len(literals) < 2 * modulus and not left_quotient and not right_quotient:
        return [carry], remainders  # the quotient is at most 1
    length = min(len(literals) // modulus, cap)
    return add_quotients(left_quotient, right_quotient, carry, length, formula), remainders


def add_remainders(
    left: Sequence[int], right: Sequence[int], carry: int, modulus: int, formula: Formula
) -> list[int]:
    """Return the remainder of the sum of two remainders, and define `carry`.

    `carry` is true if and only if the sum is at least the modulus.
    """
    a, b = len(left), len(right)
    remainders = [formula.new() for _ in range(modulus - 1)]
    for i in range(a + 1):
        for j in range(b + 1):
            # In a clause, `below` means "left < i or right < j", `above` "left > i or right > j".
            # left[:i][-1:] is the list of the output "at least i", or empty if i is 0.
            below = [-literal for literal in (*left[:i][-1:], *right[:j][-1:])]
            above = [*left[i : i + 1], *right[j : j + 1]]
            total = i + j
            if total < modulus:
                if total > 0:
                    formula.add(*below, carry, remainders[total - 1])
                formula.add(*above, -carry if total == modulus - 1 else -remainders[total])
            else:
                formula.add(*below, carry if total == modulus else remainders[total - modulus - 1])
                formula.add(*above, -carry, -remainders[total - modulus])
    for literal in remainders[a + b - modulus + 1 :]:  # too high for a remainder after a carry
        formula.add(-carry, -literal)
    return remainders


def add_quotients(
    left: Sequence[int], right: Sequence[int], carry: int, length: int, formula: Formula
) -> list[int]:
    """Return the sum of two quotients and a carry, all in unary and possibly cut at `length`.

    The clauses are built like those of `add_remainders`.
    """
    a, b = len(left), len(right)
    quotients = [formula.new() for _ in range(length)]
    for i in range(a + 1):
        for j in range(b + 1):
            below = [-literal for literal in (*left[:i][-1:], *right[:j][-1:])]
            above = [*left[i : i + 1], *right[j : j + 1]]
            total = i + j
            if 0 < total <= length:
                formula.add(*below, quotients[total - 1])
            if total < length:
                formula.add(*below, -carry, quotients[total])
                formula.add(*above, carry, -quotients[total])
            if total + 1 < length:
                formula.add(*above, -quotients[total + 1])
    return quotients


def define_output(
    quotient: int,
    remainder: int,
    quotients: Sequence[int],
    remainders: Sequence[int],
    formula: Formula,
) -> int:
    """Return a literal for "the count is at least quotient * modulus + remainder"."""
    if remainder == 0:
        return quotients[quotient - 1]
    # Lists of at most one output: "the quotient of the count is above (or at least) `quotient`".
    higher, reached = quotients[quotient : quotient + 1], quotients[:quotient][-1:]
    remainder_reached = remainders[remainder - 1]
    if not higher and not reached:
        return remainder_reached
    output = formula.new()
    for literal in higher:
        formula.add(-literal, output)
    for literal in reached:
        formula.add(-output, literal)
    formula.add(*(-literal for literal in reached), -remainder_reached, output)
    formula.add(-output, *higher, remainder_reached)
    return output


ENCODINGS: Extensible[Encoding] = Extensible(
    "encoding",
    "encodings",
    {
        encoding.name: encoding
        for encoding in (
            CardinalityNetwork(),
            Direct(),
            ModuloTotalizer(),
            Native(),
            Sequential(),
            SortingNetwork(),
            Totalizer(),
        )
    },
    Encoding,
)
"""The encodings by name, in alphabetical order."""
RULES["encoding"] = ENCODINGS.rule()
CODE_ENCODING = "one-hot"
"""The name, in the catalogue, of the encoding of codes."""


def clause_encodings() -> list[str]:
    """Return the sorted names of the encodings that consist of clauses only."""
    return sorted(name for name, encoding in ENCODINGS.items() if not encoding.is_native)


def require_encoding(name: str, names: Collection[str], source: str = "") -> None:
    """Raise InputError if `name` is neither a built-in encoding nor a plug-in.

    The message lists `names`. `source` is the option. If `name` is the encoding of codes, which is
    always used, the message says so.
    """
    if name == CODE_ENCODING:
        start = f"{source}: " if source else ""
        rule = f"{start}{name} encodes the codes and is always used. Expected an encoding of counts"
        raise InputError([MessageFault(f"{rule}: {', '.join(names)}.", name, "")], "")
    if name not in ENCODINGS:
        require_name("encoding", name, names, source)


def find_encoding(encoding: str | Encoding) -> Encoding:
    """Return the encoding with a name, or the encoding itself.

    Raises InputError for an unknown name.
    """
    if isinstance(encoding, Encoding):
        return encoding
    require_encoding(encoding, sorted(ENCODINGS))
    return ENCODINGS[encoding]
