"""Guesses made all at once: the fewest, against brute force, published figures and a record."""

from __future__ import annotations

import json
from functools import cache
from itertools import combinations_with_replacement, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mmsat
from mmsat._core import Columns, Names, Orbits, Separation
from mmsat.errors import InputError, SizeError
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.game.words import Words
from mmsat.solving.deadline import TimeUpError
from mmsat.strategy.static import search as search_module
from mmsat.strategy.static.models import (
    ByColumns,
    ByGuesses,
    ScoreTable,
    find_orbits,
    find_prefixes,
    supports_columns,
)
from mmsat.strategy.static.search import Search
from tests.support import tiers, twins
from tests.support.cli_runner import run
from tests.support.strategies import small_games

RECORD = Path(__file__).with_name("static_4x6.json")
"""The search for five guesses in 4x6: prefixes, and the sets looked at in each of fifty shares."""


def rows_of_scores(game: Game, guesses) -> set:
    return {
        tuple(twins.score(game.scoring, code, guess) for guess in guesses)
        for code in twins.codes(game)
    }


@settings(max_examples=tiers.share(300))
@given(small_games(3, 4).filter(lambda game: game.size <= 20))
def test_the_fewest_are_those_of_brute_force_in_games_of_every_kind(game):
    static_set = mmsat.static(game)

    assert static_set.is_proven
    assert len(static_set.guesses) == twins.fewest_guesses(game)
    assert len(rows_of_scores(game, static_set.guesses)) == static_set.kinds
    assert static_set.kinds == len(rows_of_scores(game, [*twins.codes(game)]))
    assert all(game.contains(guess) for guess in static_set.guesses)
    assert static_set.counting_bound <= static_set.bound == len(static_set.guesses)


@settings(max_examples=tiers.share(100))
@given(small_games(3, 4).filter(lambda game: game.size <= 20), st.integers(1, 6))
def test_so_many_guesses_do_or_are_proven_not_to(game, most):
    static_set = mmsat.static(game, max_guesses=most)

    assert static_set.is_proven
    assert static_set.tells_all == (twins.fewest_guesses(game) <= most)
    assert static_set.tells_all or static_set.bound > most
    assert len(static_set.guesses) <= most
    assert (
        not static_set.guesses or len(rows_of_scores(game, static_set.guesses)) == static_set.kinds
    )


@pytest.mark.parametrize(
    ("options", "exit_code", "wanted"),
    [
        (("3x4", "--max-guesses", "2"), 1, "No set of 2 guesses tells all codes apart."),
        (("3x4", "--max-guesses", "4"), 0, "4 guesses tell all codes apart; fewer may"),
        (("4x6", "--max-guesses", "5", "--timeout", "0.5"), 1, "It is not known yet whether"),
        (("1x1", "--max-guesses", "1"), 0, "1 guess tells all codes apart; fewer may"),
    ],
)
def test_the_command_says_whether_so_many_do(options, exit_code, wanted):
    result = run("static", *options)

    assert result.exit_code == exit_code
    assert wanted in " ".join(result.stdout.split())


@settings(max_examples=tiers.share(100))
@given(small_games(4, 4).filter(lambda game: 20 < game.size <= 81))
def test_a_set_is_counted_by_plain_scores_and_no_guess_of_it_can_be_left_out(game):
    static_set = mmsat.static(game)

    assert static_set.is_proven
    assert len(rows_of_scores(game, static_set.guesses)) == static_set.kinds
    for left_out in static_set.guesses:
        fewer = [guess for guess in static_set.guesses if guess != left_out]
        assert len(rows_of_scores(game, fewer)) < static_set.kinds
    assert [*static_set.apart] == [
        len(rows_of_scores(game, static_set.guesses[:index]))
        for index in range(1, len(static_set.guesses) + 1)
    ]
    assert all(one < other for one, other in pairwise(static_set.apart))


@pytest.mark.parametrize("size", ["3x3", "2x4", "3x4d", "2x4p", "2x3b", "2x4b"])
def test_each_orbit_of_sets_has_one_prefix(size):
    """As many as the orbits that trying all renamings gives: none is left out."""
    game = Game.parse(size)
    table = ScoreTable(game)
    assert len(table.guesses) == game.size
    orbits = find_orbits(table)
    sets: list[list[int]] = [[]]
    for index in range(1, 4):
        sets = orbits.extend(sets)
        own = size.endswith("b")
        assert len(sets) == twins.count_orbits(game, index, own=own)


HYPERCUBES = (1, 2, 3, 4, 4, 5, 6, 6, 7, 7, 8, 8, 8)
"""The metric dimension of hypercubes, from dimension 1: OEIS A303735."""


def fewest(size: str) -> int:
    static_set = mmsat.static(size)
    assert static_set.is_proven
    return len(static_set.guesses)


@pytest.mark.parametrize(("pegs", "least"), [*enumerate(HYPERCUBES, 1)])
def test_hypercubes(pegs, least):
    """Black scores of two colors are distances, so that a set is a resolving set."""
    static_set = mmsat.static(f"{pegs}x2b")

    assert static_set.is_proven
    assert static_set.tells_all
    assert len(static_set.guesses) == least
    assert static_set.apart[-1] == 2**pegs


@pytest.mark.parametrize("pegs", range(1, 10))
def test_sets_of_guesses_prove_what_columns_prove(pegs):
    plain = Search(Game.parse(f"{pegs}x2b"))
    assert isinstance(plain.method, ByColumns)
    plain.method = ByGuesses(plain.game)
    assert plain.method.counting_bound == plain.counting_bound
    plain.run()

    assert plain.result.is_proven
    assert len(plain.result.guesses) == HYPERCUBES[pegs - 1]


@pytest.mark.parametrize("rows", range(1, 5))
@pytest.mark.parametrize("pegs", range(1, 6))
def test_columns_are_found_just_where_guesses_are(rows, pegs):
    """Of all sets of guesses, scored one by one; the first is 11...1, as colors may be renamed."""
    game = Game.parse(f"{pegs}x2b")
    codes = [*twins.codes(game)]
    sets = ((codes[0], *rest) for rest in combinations_with_replacement(codes, rows - 1))
    is_possible = any(len(rows_of_scores(game, guesses)) == len(codes) for guesses in sets)
    columns = Columns(rows).find(pegs)

    assert bool(columns) == is_possible
    if columns:
        guesses = [[0] * pegs, *([c >> row & 1 for c in columns] for row in range(rows - 1))]
        assert len(rows_of_scores(game, [*map(tuple, guesses)])) == len(codes)


FOUR = Words([(0, 1), (1, 2), (2, 3), (3, 3)])


@pytest.mark.parametrize(
    "game",
    [*("6x2", "6x2w", "6x2p", "2x2db", "3x4b", "2x2x2"), Game(2, 4, FOUR, SCORINGS["black"])],
    ids=str,
)
def test_other_games_are_not_looked_at_peg_by_peg(game):
    """Nor is a list of as many words as there are codes of two colors."""
    assert not supports_columns(Game.of(game))


def test_columns_have_limits():
    for rows in (0, 10):
        with pytest.raises(ValueError, match="1 to 9 rows"):
            Columns(rows)
    for count in (0, 15):
        with pytest.raises(ValueError, match="1 to 14 columns"):
            Columns(3).find(count)
    with pytest.raises(SizeError, match="up to 14 pegs of two colors"):
        mmsat.static("15x2b")
    assert mmsat.static("12x2b", max_guesses=40).tells_all
    largest = mmsat.static("14x2b", max_guesses=9)
    assert len(largest.guesses) == 9
    assert largest.tells_all


def test_a_set_is_known_before_the_long_search_for_a_smaller_one():
    search = Search(Game.parse("14x2b"))

    def stop(standing):
        if standing.bound == 8:
            raise TimeUpError

    search.run(None, stop)
    assert len(search.result.guesses) == 9
    assert search.result.tells_all
    assert search.result.bound == 8
    assert not search.result.is_proven


def test_columns_go_on_where_they_were_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(search_module, "CHECKPOINT_SECONDS", 0.0)
    file = tmp_path / "sets.json"
    shares = []
    for parts in (100, 1000, 4000):
        search = Search(Game.parse("11x2b"), max_guesses=7, checkpoint=file)

        def stop(standing, search=search, parts=parts):
            shares.append(standing.done)
            if search.num_finished_prefixes >= parts:
                raise TimeUpError

        search.run(None, stop)
        assert not search.result.is_proven
    assert 0 < shares[0] < shares[-1] < 1
    whole = mmsat.static("11x2b", max_guesses=7, checkpoint=file)
    again = mmsat.static("11x2b", max_guesses=7, checkpoint=file)
    plain = mmsat.static("11x2b", max_guesses=7)
    assert whole.bound == again.bound == plain.bound == 8
    assert whole.sets >= plain.sets > 0


@pytest.mark.parametrize("skipped", [25_000, pytest.param(22_000, marks=pytest.mark.slow)])
def test_eight_guesses_do_not_do_for_fourteen_pegs(skipped):
    """Below the last beginnings; `mmsat static 14x2b --max-guesses 8` searches below all."""
    columns = Columns(8)
    assert not columns.find(14, skipped)
    assert columns.beginnings == 25_336
    assert Columns(8).find(13)


def test_every_beginning_of_columns_can_be_skipped():
    columns = Columns(6)
    assert not columns.find(9)
    assert columns.done == pytest.approx(1)
    count, nodes = columns.beginnings, columns.nodes
    assert not columns.find(9, count)
    assert columns.beginnings == count
    assert columns.nodes - nodes < nodes
    assert Columns(6).find(8)
    assert not Columns(6).find(8, 10**6)


@pytest.mark.parametrize("colors", range(2, 10))
def test_black_scores_of_two_pegs(colors):
    """The metric dimension of K_n x K_n: Caceres et al., SIAM J. Discrete Math. 21 (2007)."""
    assert fewest(f"2x{colors}b") == (4 * colors - 2) // 3


@pytest.mark.parametrize("colors", range(2, 7))
def test_black_scores_of_three_pegs(colors):
    """Jaeger and Drewes, SAGT 2018: floor(3n/2), the final guess not counted."""
    assert fewest(f"3x{colors}b") == 3 * colors // 2


@pytest.mark.parametrize("colors", range(4, 10))
def test_black_scores_of_two_pegs_without_repeats(colors):
    """Drewes and Jaeger, arXiv 2210.04652: a (ceil(4c/3) - 1)-strategy, its last guess the code."""
    assert fewest(f"2x{colors}db") == -(-4 * colors // 3) - 2


@pytest.mark.parametrize("colors", range(4, 7))
def test_black_scores_of_three_pegs_without_repeats(colors):
    """The same paper: a floor((3c - 1)/2)-strategy, its last guess the code."""
    assert fewest(f"3x{colors}db") == (3 * colors - 1) // 2 - 1


@pytest.mark.parametrize("colors", range(3, 9))
def test_black_and_white_scores_of_two_pegs(colors):
    """Goddard, JCMCC 47 (2003): ceil(2k/3), which does not count the final guess."""
    assert fewest(f"2x{colors}") == -(-2 * colors // 3)


@pytest.mark.parametrize("colors", range(4, 8))
def test_black_and_white_scores_of_three_pegs(colors):
    """The same paper: k - 1 where there are enough colors."""
    assert fewest(f"3x{colors}") == colors - 1


def test_six_guesses_are_found_at_once_and_five_are_left_open_when_the_time_is_up():
    static_set = mmsat.static("4x6", timeout=3 * tiers.SLOWNESS)

    assert len(static_set.guesses) == 6
    assert static_set.tells_all
    assert 4 <= static_set.bound <= 6


@pytest.mark.parametrize("share", range(tiers.share(50)))
def test_five_guesses_do_not_tell_the_codes_of_4x6_apart(share):
    """A share of a search of all sets of five, which looks at as many sets as on record."""
    record = json.loads(RECORD.read_text("utf-8"))
    table, prefixes, kinds = five_guesses()
    assert len(prefixes) == record["prefixes"]
    table.separation.complete([], 0, [])
    before = table.separation.nodes
    for prefix in prefixes[share :: len(record["sets"])]:
        following = [guess for guess, kind in enumerate(kinds) if kind >= kinds[prefix[-1]]]
        assert not table.separation.complete(prefix, 2, following)
    assert table.separation.nodes - before == record["sets"][share]


@cache
def five_guesses():
    """The prefixes of three that any set of five guesses has, up to symmetry."""
    table = ScoreTable(Game(4, 6))
    orbits = find_orbits(table)
    return table, find_prefixes(orbits, 5, lambda: None), orbits.kinds


def test_a_search_goes_on_from_its_checkpoint(tmp_path):
    file = tmp_path / "static.json"
    whole = mmsat.static("3x4b", checkpoint=file)
    again = mmsat.static("3x4b", checkpoint=file)

    assert whole.is_proven
    assert again.is_proven
    assert again.guesses == whole.guesses
    with pytest.raises(InputError, match="checkpoint of this request"):
        mmsat.static("3x5b", checkpoint=file)


def test_what_is_too_large_or_wrong_is_refused():
    with pytest.raises(SizeError, match=r"up to 8,192 codes"):
        mmsat.static("5x8")
    with pytest.raises(InputError, match=r"(?s)seed.*timeout"):
        mmsat.static("3x3", seed=-1, timeout="soon")


def test_the_kernel_keeps_to_its_rules():
    with pytest.raises(ValueError, match="guesses' numbers"):
        Separation(np.zeros((2, 2), dtype=np.uint16)).together([2])
    with pytest.raises(ValueError, match="below names"):
        Orbits(np.ones((2, 2), dtype=np.uint8), 1, are_columns_alike=True, alike=Names.NONE)
