"""Systems of arbitrary constraints, also of constraints that no game has."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from mmsat.constraints import System
from mmsat.game.space import CardinalityConstraint, VariableMap

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

    from mmsat.game.space import Literal


def signed(variables: VariableMap, most: int) -> SearchStrategy[tuple[int, ...]]:
    """Generate up to `most` literals of different variables, each positive or negated."""
    number = st.integers(1, 2 * variables.pegs * variables.colors)
    return st.lists(number, unique=True, max_size=most).flatmap(
        lambda numbers: st.tuples(*[st.sampled_from([n, -n]) for n in numbers])
    )


@st.composite
def mixed(draw: DrawFn, variables: VariableMap, most: int) -> tuple[Literal, ...]:
    """Generate literals, some of them negated, and conjunctions of up to four literals."""
    plain = draw(signed(variables, most))
    return (*plain, *draw(st.lists(signed(variables, 4), unique=True, max_size=most - len(plain))))


@st.composite
def constraints(draw: DrawFn, variables: VariableMap, most: int) -> CardinalityConstraint:
    """Generate a cardinality constraint with any bounds, some of which cannot be reached.

    The bounds of "some", "not all" and "at most one" are frequent.
    """
    stated = draw(signed(variables, most) | mixed(variables, most))
    bound = st.integers(-1, most + 1)
    n = len(stated)
    low, high = draw(st.tuples(bound, bound) | st.sampled_from([(1, n), (0, n - 1), (0, 1)]))
    return CardinalityConstraint(stated, low, high)


@st.composite
def systems(draw: DrawFn, pegs: int = 4, colors: int = 3, most: int = 8) -> System:
    """Generate a system of a small game, whose hard constraints are often satisfiable."""
    variables = VariableMap(draw(st.integers(1, pegs)), draw(st.integers(1, colors)))
    group = st.lists(constraints(variables, most), max_size=2).map(tuple)
    return System(variables, draw(group), ()).with_rows(draw(st.lists(group, max_size=3)))


@st.composite
def listed_systems(draw: DrawFn, pegs: int = 4, colors: int = 3, most: int = 8) -> System:
    """Generate any constraints and a table of codes, which the hard constraints need not imply."""
    system = draw(systems(pegs, colors, most))
    every = list(product(range(system.variables.colors), repeat=system.variables.pegs))
    kept = draw(st.sets(st.sampled_from(every)) | st.sets(st.sampled_from(every), min_size=1))
    return system._replace(table=tuple(sorted(kept)))
