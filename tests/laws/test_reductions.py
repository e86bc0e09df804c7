"""What every reduction must keep, for every tiny source and for random small ones."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mmsat.board import Board
from mmsat.constraints.system import System
from mmsat.enumeration.listing import codes_after
from mmsat.errors import InputError
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.reductions.folders import REDUCTIONS, page
from mmsat.solving.brute import SlicedSearch
from tests.laws.tiny_sources import TINY, candidates, fitting, parameters

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from mmsat.game.row import Code
    from mmsat.reductions.reduction import Reduction

TRIED_OUT = 1 << 8
"""Boards of so many codes are tried out here, larger ones are listed by mmsat."""
WIDE = 18
"""Boards of two colors with so many pegs too."""
WIDE_ONES = {"consistent-exact-cover", "consistent-mastermind"}
"""Their boards have dozens of pegs even for the smallest sources."""


def holds(reduction: Reduction[Any, Any]) -> int:
    """Check all laws on one source; returns how many certificates it has."""
    board = reduction.board
    game = board.game
    what = f"{reduction.name} {reduction.settings} of {reduction.source}: {board}"
    assert reduction.sizes() == (game.pegs, game.colors, len(board.rows)), what
    gadgets = reduction.gadgets()
    assert (len(gadgets.pegs), len(gadgets.rows)) == (game.pegs, len(board.rows)), what
    certificates = [each for each in candidates(reduction) if reduction.is_certificate(each)]
    for certificate in certificates:
        code = reduction.encode(certificate)
        assert board.is_consistent(code), what
        assert reduction.decode(code) == certificate, what
    codes = every_code(board)
    assert set(reduction.known) <= set(codes), what
    decoded = Counter(reduction.decode(code) for code in codes if code not in reduction.known)
    assert decoded == dict.fromkeys(certificates, reduction.ratio), what
    assert len(codes) == reduction.count(len(certificates)), what
    assert reduction.is_parsimonious == (reduction.ratio == 1 and not reduction.known)
    if reduction.has_black_twin:
        assert every_code(black_twin(board)) == codes, what
    return len(certificates)


def every_code(board: Board) -> list[Code]:
    """All consistent codes, ascending: two colors by trying all, unless they are wide."""
    pegs, colors = board.game.pegs, board.game.colors
    if colors == 2 and pegs <= WIDE and board.game.space.name == "repeats":
        return every_code_of_two_colors(board)
    if colors**pegs <= TRIED_OUT:
        return [code for code in product(range(colors), repeat=pegs) if board.is_consistent(code)]
    system = System.of(board)
    search = SlicedSearch(system, slices=16)
    codes = list(search)
    if not search.is_exhausted:
        codes += codes_after(system, codes[-1] if codes else None)
    return codes


def every_code_of_two_colors(board: Board) -> list[Code]:
    """All codes at once, as the bits of numbers: equal bits are black, common ones are shared."""
    pegs = board.game.pegs
    codes = np.arange(1 << pegs, dtype=np.uint32)
    weights = np.bitwise_count(codes).astype(np.int64)
    for guess, (black, *white) in board.rows:
        number = sum(color << (pegs - 1 - peg) for peg, color in enumerate(guess))
        fits = pegs - np.bitwise_count(codes ^ np.uint32(number)).astype(np.int64) == black
        if white:
            ones = sum(guess)
            common = np.minimum(weights, ones) + np.minimum(pegs - weights, pegs - ones)
            fits &= common == black + white[0]
        codes, weights = codes[fits], weights[fits]
    return [tuple(int(code) >> (pegs - 1 - peg) & 1 for peg in range(pegs)) for code in codes]


def black_twin(board: Board) -> Board:
    """The same rows, scored with black only."""
    old = board.game
    game = Game(old.pegs, old.colors, old.space, SCORINGS["black"])
    return Board(game, tuple((row.guess, row.score[:1]) for row in board.rows))


def made(name: str, sources: Iterator[Any]) -> Iterator[Reduction[Any, Any]]:
    """The reductions of those sources that this one takes, with all small parameters."""
    kind = REDUCTIONS[name]
    for source in sources:
        for values in parameters(kind):
            try:
                yield kind(source, **values)
            except InputError:
                continue


@pytest.mark.parametrize("name", REDUCTIONS)
def test_every_tiny_source(name):
    found = Counter()
    for reduction in made(name, TINY[REDUCTIONS[name].source_kind]()):
        sizes = reduction.sizes()
        if sizes.colors**sizes.pegs > 1 << WIDE:
            continue
        found[holds(reduction) > 0] += 1
    if name not in WIDE_ONES:
        assert found[True]
        assert found[False]


def random_sources(name: str, many: int, most: int) -> Counter[bool]:
    """Check so many random sources, those with boards of up to `most` pegs; consistent or not."""
    rng = random.Random(7)
    sources = (fitting(name, REDUCTIONS[name].source_kind, rng) for _ in range(many))
    return Counter(
        holds(reduction) > 0 for reduction in made(name, sources) if reduction.sizes().pegs <= most
    )


@pytest.mark.parametrize("name", sorted(set(REDUCTIONS) - WIDE_ONES))
def test_random_small_sources(name):
    found = random_sources(name, 30, 24)
    assert found.total() >= 15
    assert found[True]
    assert found[False]


@pytest.mark.parametrize("name", sorted(WIDE_ONES))
def test_random_sources_of_wide_boards(name):
    assert random_sources(name, 3, 200).total() == 3


@pytest.mark.slow
@pytest.mark.parametrize("name", REDUCTIONS)
def test_more_random_sources(name):
    if name in WIDE_ONES:
        found = random_sources(name, 20, 250)
        assert found[True]
        assert found[False]
    else:
        assert random_sources(name, 200, 24).total() >= 100


@pytest.mark.parametrize("name", REDUCTIONS)
def test_what_it_says_of_itself(name):
    kind = REDUCTIONS[name]
    assert kind.name == name
    assert kind.source_kind in TINY
    assert all(map(str, kind.formula))
    assert kind.title
    assert kind.theorem
    text = page(name)
    assert all(f"\n## {part}\n" in text for part in ("Construction", "Proof", "Sizes", "Source"))
    assert kind.__doc__
