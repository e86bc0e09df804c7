"""Parities hidden in short constraints: found where a few pegs meet, and added up modulo 2.

A formula that says a parity of three variables says it in four clauses, and the board of the
formula in dozens of equations about further pegs. No search sees the parity, and no resolution
refutes many of them that contradict each other (Tseitin 1968, Urquhart 1987). So:

1. each short constraint is a relation: which values of its pegs it allows;
2. a peg that meets few others is eliminated: the relations with it are joined, and what they say of
   the other pegs is kept; so is one that another decides, by which it is replaced;
3. of each relation that is left, the equations modulo 2 that all its values satisfy (its affine
   hull) are read, and eliminated together.

All that is said follows from the constraints, so that 0 = 1 is a refutation; anything else decides
nothing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from mmsat.constraints.linear_algebra import insert_mod2

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mmsat.constraints.system import System
    from mmsat.game.literals import VariableMap

WIDTH = 8
"""Pegs in a relation, at most, ..."""
MOST = 1 << WIDTH - 1
"""... and so many relations with a peg among so many."""
TABLES = 1 << 16
"""Tables that are remembered: those of a board are mostly alike."""
TWINS = (0b0110, 0b1001)
"""The tables of two pegs of which one decides the other."""


class Relation(NamedTuple):
    """What some pegs may be together."""

    pegs: tuple[int, ...]
    """Ascending."""
    table: int
    """A bit for each choice of values, bit i of whose number is the value of peg i: if allowed."""


def refute(system: System) -> bool:
    """Whether the parities of a system of two colors contradict each other."""
    return are_contradictory(eliminate(read_relations(system)))


def read_relations(system: System) -> list[Relation]:
    """The short constraints of a system of two colors; the value of a peg is its color."""
    relations = []
    for literals, low, high in system.constraints:
        places = [literal for literal in literals if isinstance(literal, int)]
        if len(places) == len(literals) <= WIDTH and all(map(system.variables.is_at, places)):
            relations.append(read_relation(system.variables, places, low, high))
    return relations


def read_relation(variables: VariableMap, literals: Iterable[int], low: int, high: int) -> Relation:
    """That between `low` and `high` of some literals about pegs hold."""
    wanted = [
        (peg, color ^ (literal < 0))
        for literal in literals
        for peg, color in [variables.peg_color(literal)]
    ]
    pegs = tuple(sorted({peg for peg, _ in wanted}))
    pattern = tuple((pegs.index(peg), color) for peg, color in wanted)
    return Relation(pegs, count_table(pattern, len(pegs), low, high))


@lru_cache(TABLES)
def count_table(pattern: tuple[tuple[int, int], ...], width: int, low: int, high: int) -> int:
    """The table of "between `low` and `high` of these places have this value"."""
    table = 0
    for values in range(1 << width):
        true = sum(values >> place & 1 == value for place, value in pattern)
        table |= (low <= true <= high) << values
    return table


def eliminate(relations: Iterable[Relation]) -> list[Relation]:
    """What the relations say once pegs are gone that meet few others, or are as another one is."""
    known = _Relations(relations)
    while known.waiting:
        peg = known.waiting.pop()
        mine = known.of(peg)
        twin = next((each for each in mine if each.table in TWINS and len(each.pegs) == 2), None)
        if twin is not None:
            made = [join((each, twin)) for each in mine if each is not twin]
        elif mine and len({other for each in mine for other in each.pegs}) <= WIDTH:
            made = [join(mine)]
        else:
            continue
        known.exchange(mine, [drop(each, peg) for each in made])
    return [Relation(pegs, table) for pegs, table in known.tables.items()]


class _Relations:
    """Relations by their pegs, one each, and the pegs that are to be looked at."""

    def __init__(self, relations: Iterable[Relation]) -> None:
        self.tables: dict[tuple[int, ...], int] = {}
        self.by_peg: dict[int, dict[tuple[int, ...], None]] = {}
        self.waiting: set[int] = set()
        self.exchange((), relations)

    def of(self, peg: int) -> list[Relation]:
        """All with a peg; none where they are so many that it cannot be eliminated."""
        mine = self.by_peg[peg]
        return [Relation(pegs, self.tables[pegs]) for pegs in mine] if len(mine) <= MOST else []

    def exchange(self, old: Iterable[Relation], new: Iterable[Relation]) -> None:
        for pegs, _ in old:
            del self.tables[pegs]
            for peg in pegs:
                del self.by_peg[peg][pegs]
        for pegs, table in new:
            before = self.tables.get(pegs, -1)
            self.tables[pegs] = before & table
            if self.tables[pegs] != before:
                self.waiting.update(pegs)
                for peg in pegs:
                    self.by_peg.setdefault(peg, {})[pegs] = None


def join(relations: Iterable[Relation]) -> Relation:
    """All of them at once."""
    together = Relation((), 1)
    for each in relations:
        pegs = tuple(sorted({*together.pegs, *each.pegs}))
        together = Relation(pegs, widen(together, pegs) & widen(each, pegs))
    return together


def widen(relation: Relation, pegs: tuple[int, ...]) -> int:
    """The table over more pegs, which may be anything."""
    table = relation.table
    have = set(relation.pegs)
    for place, peg in enumerate(pegs):
        if peg not in have:
            table = insert(table, place, 1 << len(pegs))
    return table


@lru_cache(TABLES)
def insert(table: int, place: int, most: int) -> int:
    """The table with one more peg at a place, below so many choices."""
    block = 1 << place
    wide = 0
    for start in range(0, most, 2 * block):
        part = table >> (start // 2) & ((1 << block) - 1)
        wide |= (part | part << block) << start
    return wide


def drop(relation: Relation, peg: int) -> Relation:
    """What a relation says of its other pegs."""
    place = relation.pegs.index(peg)
    pegs = relation.pegs[:place] + relation.pegs[place + 1 :]
    return Relation(pegs, remove(relation.table, place, 1 << len(relation.pegs)))


@lru_cache(TABLES)
def remove(table: int, place: int, most: int) -> int:
    """The table without the peg at a place, of so many choices: allowed if either value was."""
    block = 1 << place
    narrow = 0
    for start in range(0, most, 2 * block):
        part = (table >> start | table >> start + block) & ((1 << block) - 1)
        narrow |= part << (start // 2)
    return narrow


@lru_cache(TABLES)
def affine_hull(table: int, width: int) -> tuple[tuple[int, int], ...]:
    """The equations modulo 2 that all allowed choices satisfy: each a set of places, and a sum."""
    if not table:
        return ((0, 1),)
    first, *others = (choice for choice in range(1 << width) if table >> choice & 1)
    differences: dict[int, int] = {}
    for choice in others:
        insert_mod2(differences, choice ^ first)
    return tuple(
        (places, (places & first).bit_count() % 2)
        for places in range(1, 1 << width)
        if all((places & each).bit_count() % 2 == 0 for each in differences.values())
    )


def equations(relations: Iterable[Relation]) -> Iterator[int]:
    """The equations of all hulls: bit 0 is the sum, bit i + 1 peg i."""
    for pegs, table in relations:
        for places, total in affine_hull(table, len(pegs)):
            chosen = (peg for place, peg in enumerate(pegs) if places >> place & 1)
            yield sum(1 << peg + 1 for peg in chosen) | total


def are_contradictory(relations: Iterable[Relation]) -> bool:
    """Whether the equations add up to 0 = 1."""
    pivots: dict[int, int] = {}
    return any(insert_mod2(pivots, equation) == 1 for equation in equations(relations))
