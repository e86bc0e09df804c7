"""Properties of every reduction, for all tiny sources and for random small sources."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
import pytest

import mmsat
from mmsat.errors import InputError
from mmsat.reductions.reduce import GAME_REDUCTIONS, LINKS, REDUCTIONS, page
from tests.support import tiers
from tests.support.reduction_laws import holds
from tests.support.tiny_sources import TINY, candidates, fitting, parameters

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
    """Tiny sources are all tested in the full tier.

    In other tiers, a sample with consistent and inconsistent boards is tested.
    """
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


def wrong_certificates(reduction: Reduction[Any, Any], rng: random.Random) -> Iterator[Any]:
    """Yield objects that are not certificates, or only by chance."""
    right = list(rng.choice([*candidates(reduction), ()]))
    wrong_items = [7, -1, 10**30, None, "a", "zz", 0.5, b"1", (), [1], {}, np.uint8(9), object()]
    yield from (None, True, 0, 3.5, "", "?", b"01", {}, {"a": 1}, object(), iter([0]), range(3))
    yield from (np.array(3), np.array([[0, 1]]), np.array([0.5]), {None}, frozenset("xy"))
    yield from ([], right[1:], [*right, 0], [*right, *right], right[::-1], np.array(right, object))
    for item in wrong_items:
        yield [item]
        place = rng.randrange(len(right) + 1)
        yield [*right[:place], item, *right[place + 1 :]]


def check_wrong_certificates(reduction: Any, rng: random.Random) -> None:
    """Check that each call refuses wrong certificates by its documented error."""
    for wrong in wrong_certificates(reduction, rng):
        is_certificate = reduction.is_certificate(wrong)
        assert type(is_certificate) is bool
        if is_certificate:
            reduction.encode(wrong)
            reduction.spell(wrong)
            continue
        with pytest.raises(InputError):
            reduction.encode(wrong)
        with suppress(InputError):  # the text of an object of the right form is not an error
            assert isinstance(reduction.spell(wrong), str)


@pytest.mark.parametrize("name", [*REDUCTIONS, *GAME_REDUCTIONS, *LINKS])
def test_wrong_certificates_are_refused(name):
    rng = random.Random(name)
    link = {**REDUCTIONS, **GAME_REDUCTIONS, **LINKS}[name]
    reductions: list[Any] = []
    while len(reductions) < 5:
        source = fitting(name, link.source_kind, rng)
        with suppress(InputError):
            reductions.append(link(source, **dict.fromkeys(link.parameters, 2)))
    for reduction in reductions:
        check_wrong_certificates(reduction, rng)


def test_wrong_certificates_of_a_chain_are_refused():
    rng = random.Random(1)
    for _ in range(5):
        formula = fitting("sat", "formula", rng)
        names = ["three-sat", "one-in-three", "one-in-three-3sat"]
        check_wrong_certificates(mmsat.chain(names, formula), rng)


def test_the_error_about_a_certificate_lists_every_fault():
    cover = mmsat.reduce("vertex-cover", nx.path_graph(["left", "middle", "right"]), k=1)
    with pytest.raises(InputError) as caught:
        cover.encode([0, "middle", "up"])
    assert [(fault.part, fault.found) for fault in caught.value.faults] == [
        ("item 1", 0),
        ("item 3", "up"),
    ]
    assert cover.encode({"middle"}) == cover.encode(["middle"]) == cover.encode(("middle",))
    with pytest.raises(
        InputError,
        match="the certificate: expected a vertex cover of 1 node, in the order of the graph, "
        "found left",
    ):
        cover.encode(["left"])
    formula = mmsat.reduce("sat", "p cnf 3 1\n1 -2 3 0\n")
    with pytest.raises(InputError) as caught:
        formula.encode([1, -2])
    assert [(fault.part, fault.expected) for fault in caught.value.faults] == [
        ("item 2", "True or False"),
        ("", "a truth value for each of 3 variables"),
    ]
    assert formula.encode(np.array([True, False, True])) == formula.encode((1, 0, 1))


@pytest.mark.parametrize("line", [["zz"], ["AB", "CD"], [[0]], None, 3, "AB", [None], [(0, 10**9)]])
def test_wrong_lines_of_a_strategy_are_refused(line):
    reduction = mmsat.reduce("word-game", "p edge 3 2\ne 1 2\ne 2 3\n", k=1)
    for convert in (reduction.decode, reduction.lift):
        with pytest.raises(InputError):
            convert(line)


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
