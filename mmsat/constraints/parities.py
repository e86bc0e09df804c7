"""Parities implied by short constraints, and certificates that equations have no solution.

In a board that encodes a formula, a parity of three variables becomes four clauses of the formula,
and then dozens of equations with additional pegs. Search cannot use the parity directly, and for
many contradictory parities, resolution needs exponentially long proofs [1, 2]. Therefore
`refute_by_parities` eliminates pegs and adds up the remaining parities modulo 2:

1. Each short constraint becomes a relation: the combinations of values of its pegs that it allows.
2. A peg that shares relations with few other pegs is eliminated: its relations are joined and
   projected to the other pegs. A peg whose value is determined by another peg is replaced by it.
3. For each remaining relation, the equations modulo 2 that all its combinations satisfy (its affine
   hull) are determined. The equations of all relations are eliminated together.

All equations follow from the constraints, so 0 = 1 is a refutation. Any other outcome is
inconclusive.

A `Certificate` proves that linear equations over 0-1 variables x_p have no solution. It has an
integer multiplier for each of some equations. The sum of the equations, each times its multiplier,
is an equation `sum v_p x_p = total` that every solution satisfies. There is no solution if

- a modulus m divides every v_p but not the total, because the left side is a multiple of m; or
- the total is less than the sum of the negative v_p or greater than the sum of the positive v_p,
  which are the minimum and the maximum of the left side. This includes the case that all v_p are 0
  and the total is not.

The verification only adds up equations that were read from the board. It applies to all classes of
equations that implement `Summable`: the equations of two-color boards (two_colors.py), and those of
any board (presolve_state.py).

References
----------
[1] Tseitin (1968), "On the complexity of derivation in propositional calculus".
[2] Urquhart (1987), "Hard examples for resolution", Journal of the ACM 34.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from mmsat.constraints.linear_algebra import insert_mod2

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.constraints import System
    from mmsat.game.space import VariableMap

MAX_RELATION_PEGS = 8
"""Maximum number of pegs in a relation."""
MAX_RELATIONS = 1 << MAX_RELATION_PEGS - 1
"""A peg with more relations than this is not eliminated: its relations have more than
`MAX_RELATION_PEGS` pegs in all, because each set of pegs has at most one relation."""
MAX_CACHED_TABLES = 1 << 16
"""Size of each cache of tables. Results are cached because the tables of a board repeat."""
BIJECTIONS = (0b0110, 0b1001)
"""The tables of two pegs whose values determine each other: unequal values, and equal values."""


class Relation(NamedTuple):
    """The combinations of values that some pegs can have."""

    pegs: tuple[int, ...]
    """The pegs, ascending."""
    table: int
    """Bit v is set if the combination v is allowed. Bit i of v is the value of `pegs[i]`."""


class RelationStep(NamedTuple):
    """A relation that others imply: their join, projected to some pegs."""

    pegs: tuple[int, ...]
    """The pegs, ascending."""
    sources: tuple[int, ...]
    """The numbers of the joined relations."""


class ParityRefutation(NamedTuple):
    """Relations that imply parities whose sum is 0 = 1.

    The given relations have the numbers from 1 in their order, followed by those of the steps.
    """

    steps: tuple[RelationStep, ...]
    parities: tuple[tuple[int, tuple[int, ...]], ...]
    """Numbers of relations, each with pegs whose sum has the same parity in all of its
    combinations. If there are no pegs, the relation allows no combination."""


def refute_by_parities(system: System) -> bool:
    """Return whether parities refute a two-color system."""
    return are_contradictory(eliminate(read_relations(system)))


def find_parity_refutation(relations: Sequence[Relation]) -> ParityRefutation | None:
    """Return the refutation of relations that `refute_by_parities` finds, or None."""
    current = _eliminate(relations)
    parities = [
        (current.numbers[pegs], equation)
        for pegs, table in current.tables.items()
        for equation in parity_equations([Relation(pegs, table)])
    ]
    # The high bits of a row are a sum of equations. The low bits are the set of the summed
    # equations.
    size = len(parities)
    pivots: dict[int, int] = {}
    for index, (_, equation) in enumerate(parities):
        remainder = insert_mod2(pivots, equation << size | 1 << index)
        if remainder.bit_length() == size + 1:  # only bit 0 of the equation remains: 0 = 1
            summed = [parities[i] for i in range(size) if remainder >> i & 1]
            return _trim(len(relations), current.steps, summed)
    return None


def _trim(
    num_relations: int, steps: list[RelationStep], parities: list[tuple[int, int]]
) -> ParityRefutation:
    """Return the refutation by a sum of parities without the steps that it does not need."""
    needed = {number for number, _ in parities}
    for number in range(num_relations + len(steps), num_relations, -1):
        if number in needed:
            needed.update(steps[number - num_relations - 1].sources)
    numbers = {number: number for number in range(1, num_relations + 1)}
    for number in sorted(needed):
        numbers.setdefault(number, len(numbers) + 1)
    return ParityRefutation(
        tuple(
            RelationStep(pegs, tuple(sorted(numbers[source] for source in sources)))
            for number, (pegs, sources) in enumerate(steps, num_relations + 1)
            if number in needed
        ),
        tuple(
            (
                numbers[number],
                tuple(peg for peg in range(equation.bit_length()) if equation >> peg + 1 & 1),
            )
            for number, equation in parities
        ),
    )


def read_relations(system: System) -> list[Relation]:
    """Return the relations of the short constraints of a two-color system.

    The value of a peg is its color, 0 or 1. Constraints with literals about counts or with
    conjunctions are omitted.
    """
    relations = []
    for literals, low, high in system.constraints:
        peg_literals = [
            literal
            for literal in literals
            if isinstance(literal, int) and system.variables.is_at(literal)
        ]
        if len(peg_literals) == len(literals) <= MAX_RELATION_PEGS:
            relations.append(read_relation(system.variables, peg_literals, low, high))
    return relations


def read_relation(variables: VariableMap, literals: Iterable[int], low: int, high: int) -> Relation:
    """Return the relation that between `low` and `high` of some literals about pegs hold."""
    required_values = [
        (peg, color ^ (literal < 0))
        for literal in literals
        for peg, color in [variables.peg_color(literal)]
    ]
    pegs = tuple(sorted({peg for peg, _ in required_values}))
    pattern = tuple((pegs.index(peg), color) for peg, color in required_values)
    return Relation(pegs, count_table(pattern, len(pegs), low, high))


@lru_cache(MAX_CACHED_TABLES)
def count_table(pattern: tuple[tuple[int, int], ...], width: int, low: int, high: int) -> int:
    """Return the table of the relation that between `low` and `high` of the values are as required.

    `pattern` has the positions of pegs in the relation, each with a required value.
    """
    table = 0
    for values in range(1 << width):
        true_count = sum(values >> position & 1 == value for position, value in pattern)
        table |= (low <= true_count <= high) << values
    return table


def eliminate(relations: Iterable[Relation]) -> list[Relation]:
    """Eliminate pegs that share relations with few other pegs or are determined by another peg.

    Return the relations of the remaining pegs.
    """
    return [Relation(pegs, table) for pegs, table in _eliminate(relations).tables.items()]


def _eliminate(relations: Iterable[Relation]) -> _RelationSet:
    """Return the remaining relations of `eliminate`, with the steps that imply them."""
    current = _RelationSet(relations)
    while current.queue:
        peg = current.queue.pop()
        peg_relations = current.of_peg(peg)
        bijection = next(
            (
                relation
                for relation in peg_relations
                if relation.table in BIJECTIONS and len(relation.pegs) == 2
            ),
            None,
        )
        joined: list[tuple[Relation, ...]]
        if bijection is not None:
            joined = [
                (relation, bijection) for relation in peg_relations if relation is not bijection
            ]
        elif (
            peg_relations
            and len({other_peg for relation in peg_relations for other_peg in relation.pegs})
            <= MAX_RELATION_PEGS
        ):
            joined = [tuple(peg_relations)]
        else:
            continue
        current.project(peg, peg_relations, joined)
    return current


class _RelationSet:
    """A set of relations, at most one for each set of pegs, and a queue of pegs to be processed."""

    def __init__(self, relations: Iterable[Relation]) -> None:
        self.tables: dict[tuple[int, ...], int] = {}
        self.numbers: dict[tuple[int, ...], int] = {}
        """The number of each relation."""
        self.steps: list[RelationStep] = []
        """The steps so far. The given relations are numbered first, from 1, and then the steps."""
        self.by_peg: dict[int, dict[tuple[int, ...], None]] = {}
        """The pegs of each relation with a peg. The inner dictionary is an ordered set."""
        self.queue: set[int] = set()
        """The pegs whose relations have changed since they were last processed."""
        given = list(relations)
        self.last_number = len(given)
        for number, relation in enumerate(given, 1):
            self.add(relation, number)

    def of_peg(self, peg: int) -> list[Relation]:
        """Return the relations with a peg; empty if there are more than MAX_RELATIONS."""
        peg_sets = self.by_peg[peg]
        if len(peg_sets) > MAX_RELATIONS:
            return []
        return [Relation(pegs, self.tables[pegs]) for pegs in peg_sets]

    def project(
        self, peg: int, old: Iterable[Relation], joined: Iterable[tuple[Relation, ...]]
    ) -> None:
        """Replace relations by the projections of joins of them to all pegs except one."""
        new = []
        for group in joined:
            projection = project(join(group), peg)
            sources = tuple(self.numbers[relation.pegs] for relation in group)
            new.append((projection, self._add_step(projection.pegs, sources)))
        for pegs, _ in old:
            del self.tables[pegs], self.numbers[pegs]
            for other_peg in pegs:
                del self.by_peg[other_peg][pegs]
        for relation, number in new:
            self.add(relation, number)

    def add(self, relation: Relation, number: int) -> None:
        """Add a relation; queue its pegs if it is new or restricts the one with the same pegs."""
        pegs, table = relation
        old_table = self.tables.get(pegs, -1)  # -1 has all bits: every combination is allowed
        self.tables[pegs] = old_table & table
        if self.tables[pegs] == old_table:
            return
        is_stricter = self.tables[pegs] == table
        self.numbers[pegs] = (
            number if is_stricter else self._add_step(pegs, (self.numbers[pegs], number))
        )
        self.queue.update(pegs)
        for peg in pegs:
            self.by_peg.setdefault(peg, {})[pegs] = None

    def _add_step(self, pegs: tuple[int, ...], sources: tuple[int, ...]) -> int:
        """Record a step and return its number."""
        self.steps.append(RelationStep(pegs, sources))
        self.last_number += 1
        return self.last_number


def join(relations: Iterable[Relation]) -> Relation:
    """Return the conjunction of relations."""
    conjunction = Relation((), 1)
    for relation in relations:
        pegs = tuple(sorted({*conjunction.pegs, *relation.pegs}))
        conjunction = Relation(pegs, widen(conjunction, pegs) & widen(relation, pegs))
    return conjunction


def widen(relation: Relation, pegs: tuple[int, ...]) -> int:
    """Return the table of a relation over a superset of its pegs; new pegs are unconstrained."""
    table = relation.table
    present_pegs = set(relation.pegs)
    for position, peg in enumerate(pegs):
        if peg not in present_pegs:
            table = insert_peg(table, position, 1 << len(pegs))
    return table


@lru_cache(MAX_CACHED_TABLES)
def insert_peg(table: int, position: int, size: int) -> int:
    """Return a table of `size` bits: `table` with an unconstrained peg inserted at a position."""
    block = 1 << position
    wide_table = 0
    for start in range(0, size, 2 * block):
        part = table >> (start // 2) & ((1 << block) - 1)
        wide_table |= (part | part << block) << start
    return wide_table


def project(relation: Relation, peg: int) -> Relation:
    """Return the projection of a relation to its other pegs."""
    position = relation.pegs.index(peg)
    pegs = relation.pegs[:position] + relation.pegs[position + 1 :]
    return Relation(pegs, remove_peg(relation.table, position, 1 << len(relation.pegs)))


@lru_cache(MAX_CACHED_TABLES)
def remove_peg(table: int, position: int, size: int) -> int:
    """Return a table of `size` bits projected to all pegs except the one at a position."""
    block = 1 << position
    narrow_table = 0
    for start in range(0, size, 2 * block):
        part = (table >> start | table >> start + block) & ((1 << block) - 1)
        narrow_table |= part << (start // 2)  # one allowed value of the peg is enough
    return narrow_table


@lru_cache(MAX_CACHED_TABLES)
def affine_hull(table: int, width: int) -> tuple[tuple[int, int], ...]:
    """Return the equations modulo 2 that all allowed combinations satisfy.

    An equation is a bit set of positions, and the sum of their values modulo 2.
    """
    if not table:
        return ((0, 1),)
    first, *other_values = (values for values in range(1 << width) if table >> values & 1)
    differences: dict[int, int] = {}
    for values in other_values:
        insert_mod2(differences, values ^ first)
    return tuple(
        (positions, (positions & first).bit_count() % 2)
        for positions in range(1, 1 << width)
        if all((positions & difference).bit_count() % 2 == 0 for difference in differences.values())
    )


def parity_equations(relations: Iterable[Relation]) -> Iterator[int]:
    """Yield the equations of all affine hulls as bits: bit 0 is the total, bit i + 1 is peg i."""
    for pegs, table in relations:
        for positions, total in affine_hull(table, len(pegs)):
            summed_pegs = (peg for position, peg in enumerate(pegs) if positions >> position & 1)
            yield sum(1 << peg + 1 for peg in summed_pegs) | total


def are_contradictory(relations: Iterable[Relation]) -> bool:
    """Return whether a sum of equations of the relations is 0 = 1."""
    pivots: dict[int, int] = {}
    return any(insert_mod2(pivots, equation) == 1 for equation in parity_equations(relations))


class Summable(Protocol):
    """A list of equations over 0-1 variables."""

    def sum_up(self, multipliers: Mapping[int, int]) -> tuple[Sequence[int], int]:
        """Return the coefficients and the total of a linear combination, computed exactly."""

    def rows_of(self, index: int) -> Iterable[int]:
        """Return the indices of the rows of the board that imply an equation."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A linear combination of equations that no 0-1 values satisfy."""

    multipliers: dict[int, int]
    """The multipliers, by index of the equation."""
    modulus: int = 0
    """The modulus that divides the coefficients but not the total; 0 if the total is out of range
    instead."""

    def proves(self, equations: Summable) -> bool:
        """Return whether this combination proves that the equations have no solution."""
        coefficients, total = equations.sum_up(self.multipliers)
        if self.modulus:
            is_divisible = not any(value % self.modulus for value in coefficients)
            return self.modulus > 1 and is_divisible and total % self.modulus != 0
        minimum = sum(value for value in coefficients if value < 0)
        maximum = sum(value for value in coefficients if value > 0)
        return not minimum <= total <= maximum

    def rows(self, equations: Summable) -> tuple[int, ...]:
        """Return the indices of the rows of the board that imply the combined equations."""
        used_equations = [index for index, multiplier in self.multipliers.items() if multiplier]
        return tuple(sorted({row for index in used_equations for row in equations.rows_of(index)}))
