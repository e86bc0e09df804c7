"""Properties of every reduction, for all tiny sources and for random small sources."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from mmsat.errors import InputError
from mmsat.reductions.reduce import REDUCTIONS, page
from tests.support import tiers
from tests.support.reduction_laws import holds
from tests.support.tiny_sources import TINY, fitting, parameters

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from mmsat.reductions.reduction import Reduction

MAX_CODES = 1 << 18
"""Maximum number of codes of the board of a tiny source."""
WIDE_REDUCTIONS = {"consistent-exact-cover", "consistent-mastermind"}
"""Reductions whose boards have dozens of pegs even for the smallest sources."""


def all_reductions(name: str, sources: Iterator[Any]) -> Iterator[Reduction[Any, Any]]:
    """Yield the reduction of each valid source, with all small parameters."""
    kind = REDUCTIONS[name]
    for source in sources:
        for values in parameters(kind):
            try:
                yield kind(source, **values)
            except InputError:
                continue


def is_tiny(reduction: Reduction[Any, Any]) -> bool:
    """Return whether the board has few enough codes to try all of them."""
    sizes = reduction.sizes()
    return sizes.colors**sizes.pegs <= MAX_CODES


@pytest.mark.parametrize("name", REDUCTIONS)
def test_tiny_sources(name):
    """All of them in the full tier, otherwise a sample with consistent and inconsistent boards."""
    cases = [
        case for case in all_reductions(name, TINY[REDUCTIONS[name].source_kind]()) if is_tiny(case)
    ]
    count = min(len(cases), tiers.share(len(cases), least=40))
    results = Counter(holds(case) > 0 for case in random.Random(3).sample(cases, count))
    if name not in WIDE_REDUCTIONS:
        assert results[True]
        assert results[False]


def check_random_sources(name: str, count: int, max_pegs: int) -> Counter[bool]:
    """Check random sources with boards of up to `max_pegs` pegs; count them by consistency."""
    rng = random.Random(7)
    sources = (fitting(name, REDUCTIONS[name].source_kind, rng) for _ in range(count))
    return Counter(
        holds(reduction) > 0
        for reduction in all_reductions(name, sources)
        if reduction.sizes().pegs <= max_pegs
    )


@pytest.mark.parametrize("name", sorted(set(REDUCTIONS) - WIDE_REDUCTIONS))
def test_random_small_sources(name):
    result = check_random_sources(name, 30, 24)
    assert result.total() >= 15
    assert result[True]
    assert result[False]


@pytest.mark.parametrize("name", sorted(WIDE_REDUCTIONS))
def test_random_sources_of_wide_boards(name):
    assert check_random_sources(name, 3, 200).total() == 3


@pytest.mark.slow
@pytest.mark.parametrize("name", REDUCTIONS)
def test_more_random_sources(name):
    if name in WIDE_REDUCTIONS:
        result = check_random_sources(name, 20, 250)
        assert result[True]
        assert result[False]
    else:
        assert check_random_sources(name, 200, 24).total() >= 100


@pytest.mark.parametrize("name", REDUCTIONS)
def test_declared_properties_are_true(name):
    kind = REDUCTIONS[name]
    assert kind.name == name
    assert kind.source_kind in TINY
    assert all(map(str, kind.formula))
    assert kind.title
    assert kind.theorem
    text = page(name)
    assert all(f"\n## {part}\n" in text for part in ("Construction", "Proof", "Sizes", "Source"))
    assert kind.__doc__
