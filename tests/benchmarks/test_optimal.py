"""The table of optimal totals contains the measured values, and they can be reproduced."""

from __future__ import annotations

import gzip

import pytest

from benchmarks.strategy.optimal import (
    BEGIN,
    END,
    LONG,
    PAGE,
    PLAN,
    TREES,
    load_totals,
    place,
    search_once,
    table,
)
from mmsat import Game
from mmsat.strategy.tree import read_tree, replay
from tests.support.published_optima import CONSISTENT, PUBLISHED, SLOW

LONGEST = 20.0
"""Seconds of a search that is repeated; of a longer one the tree is played."""
ROWS = {row.request: row for row in load_totals()}


def test_the_page_has_the_table():
    _, _, remainder = PAGE.read_text("utf-8").partition(BEGIN + "\n")
    assert remainder.partition(END)[0] == table([*ROWS.values()])
    assert sorted(ROWS.values(), key=place) == [*ROWS.values()]
    assert {*PLAN} <= ROWS.keys()


def size(name):
    """Return the printed size of a game, if it identifies the game."""
    return "4x10d" if name == "bulls-and-cows" else str(Game.parse(name))


def test_published_totals_are_in_the_table():
    for name, total in [*PUBLISHED, *SLOW]:
        assert ROWS[size(name)].total == total
    for name, total in CONSISTENT.items():
        assert ROWS[f"{size(name)} --consistent-only"].total == total


@pytest.mark.parametrize(
    "request_",
    [
        pytest.param(name, marks=[pytest.mark.slow] * (row.seconds >= 0.05))
        for name, row in ROWS.items()
        if row.seconds < LONGEST
    ],
)
def test_a_row_comes_again(request_):
    """Use the library equivalent of the command in the row."""
    result, _ = search_once(request_)
    row = ROWS[request_]

    assert result.is_proven
    assert (result.analysis.codes, result.total, result.analysis.max) == (
        row.codes,
        row.total,
        row.most,
    )


def test_long_searches_left_their_trees():
    long = {name.replace(" ", "") for name, row in ROWS.items() if row.seconds > LONG}
    assert {file.name.removesuffix(".json.gz") for file in TREES.iterdir()} == long


@pytest.mark.parametrize("file", sorted(TREES.iterdir()), ids=lambda file: file.name)
def test_a_tree_that_is_kept_has_its_total(file):
    tree = read_tree(gzip.decompress(file.read_bytes()).decode())
    played = replay(tree)
    name, *options = file.name.removesuffix(".json.gz").split("--")
    row = ROWS[" --".join([name, *options])]

    assert name == str(tree.game)
    if options == ["consistent-only"]:
        assert all(node.wins == 1 for _, node in tree.nodes())  # each guess can be the code
    assert (len(played), sum(played.values()), max(played.values())) == (
        row.codes,
        row.total,
        row.most,
    )
