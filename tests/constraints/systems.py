"""Systems of any claims at all, which no rule of a game need make."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from mmsat.constraints.system import System
from mmsat.game.facts import Claim, Facts

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn, SearchStrategy

    from mmsat.game.facts import Fact


def signed(facts: Facts, most: int) -> SearchStrategy[tuple[int, ...]]:
    """Up to so many different facts of a game, each as it is or denied."""
    number = st.integers(1, 2 * facts.pegs * facts.colors)
    return st.lists(number, unique=True, max_size=most).flatmap(
        lambda numbers: st.tuples(*[st.sampled_from([n, -n]) for n in numbers])
    )


@st.composite
def mixed(draw: DrawFn, facts: Facts, most: int) -> tuple[Fact, ...]:
    """Facts, some of them denied and some of them conjunctions; of none and of one member too."""
    plain = draw(signed(facts, most))
    return (*plain, *draw(st.lists(signed(facts, 4), unique=True, max_size=most - len(plain))))


@st.composite
def claims(draw: DrawFn, facts: Facts, most: int) -> Claim:
    """Between any two bounds, some of them out of reach, often those of "some" and "not all"."""
    stated = draw(signed(facts, most) | mixed(facts, most))
    bound = st.integers(-1, most + 1)
    n = len(stated)
    low, high = draw(st.tuples(bound, bound) | st.sampled_from([(1, n), (0, n - 1), (0, 1)]))
    return Claim(stated, low, high)


@st.composite
def systems(draw: DrawFn, pegs: int = 4, colors: int = 3, most: int = 8) -> System:
    """Any claims about a small game, the ground more often satisfiable than not."""
    facts = Facts(draw(st.integers(1, pegs)), draw(st.integers(1, colors)))
    group = st.lists(claims(facts, most), max_size=2).map(tuple)
    return System(facts, draw(group), tuple(draw(st.lists(group, max_size=3))))


@st.composite
def listed_systems(draw: DrawFn, pegs: int = 4, colors: int = 3, most: int = 8) -> System:
    """Any claims, and a table of any codes, which the ground need not tell."""
    system = draw(systems(pegs, colors, most))
    every = list(product(range(system.facts.colors), repeat=system.facts.pegs))
    kept = draw(st.sets(st.sampled_from(every)) | st.sets(st.sampled_from(every), min_size=1))
    return System(system.facts, system.ground, system.rows, tuple(sorted(kept)))
