"""Static sets: compared with brute force, published figures, and the record of a long search."""

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
from mmsat._core import Columns, Orbits, Renaming, Separation
from mmsat.errors import InputError, SizeError
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.game.words import Words
from mmsat.solving.deadline import TimeUpError
from mmsat.strategy.static import StaticSearch
from mmsat.strategy.static.models import (
    ByColumns,
    ByGuesses,
    ScoreTable,
    find_orbits,
    find_prefixes,
    supports_columns,
)
from tests.support import tiers, twins
from tests.support.cli_runner import run
from tests.support.strategies import small_games

RECORD = Path(__file__).with_name("static_4x6.json")
"""Record of the search for five guesses in 4x6: the number of prefixes, and the number of sets that
are processed in each of fifty parts of the search."""


def score_sequences(game: Game, guesses) -> set:
    """Return the different sequences of scores of the guesses, over all codes."""
    return {
        tuple(twins.score(game.scoring, code, guess) for guess in guesses)
        for code in twins.codes(game)
    }


@settings(max_examples=tiers.share(300))
@given(small_games(3, 4).filter(lambda game: game.size <= 20))
def test_the_number_of_guesses_equals_that_of_brute_force(game):
    static_set = mmsat.static(game)

    assert static_set.is_proven
    assert len(static_set.guesses) == twins.fewest_guesses(game)
    assert len(score_sequences(game, static_set.guesses)) == static_set.kinds
    assert static_set.kinds == len(score_sequences(game, [*twins.codes(game)]))
    assert all(game.contains(guess) for guess in static_set.guesses)
    assert static_set.counting_bound <= static_set.bound == len(static_set.guesses)


@settings(max_examples=tiers.share(100))
@given(small_games(3, 4).filter(lambda game: game.size <= 20), st.integers(1, 6))
def test_a_number_of_guesses_is_enough_or_proven_not_to_be(game, max_guesses):
    static_set = mmsat.static(game, max_guesses=max_guesses)

    assert static_set.is_proven
    assert static_set.tells_all == (twins.fewest_guesses(game) <= max_guesses)
    assert static_set.tells_all or static_set.bound > max_guesses
    assert len(static_set.guesses) <= max_guesses
    assert (
        not static_set.guesses or len(score_sequences(game, static_set.guesses)) == static_set.kinds
    )


@pytest.mark.parametrize(
    ("options", "exit_code", "text"),
    [
        (("3x4", "--max-guesses", "2"), 1, "No set of 2 guesses tells all codes apart."),
        (("3x4", "--max-guesses", "4"), 0, "4 guesses tell all codes apart; fewer may"),
        (("4x6", "--max-guesses", "5", "--timeout", "0.5"), 1, "It is not known yet whether"),
        (("1x1", "--max-guesses", "1"), 0, "1 guess tells all codes apart; fewer may"),
    ],
)
def test_the_command_prints_whether_a_number_of_guesses_is_enough(options, exit_code, text):
    result = run("static", *options)

    assert result.exit_code == exit_code
    assert text in " ".join(result.stdout.split())


@settings(max_examples=tiers.share(100))
@given(small_games(4, 4).filter(lambda game: 20 < game.size <= 81))
def test_no_guess_of_a_set_can_be_omitted(game):
    static_set = mmsat.static(game)

    assert static_set.is_proven
    assert len(score_sequences(game, static_set.guesses)) == static_set.kinds
    for omitted in static_set.guesses:
        fewer = [guess for guess in static_set.guesses if guess != omitted]
        assert len(score_sequences(game, fewer)) < static_set.kinds
    assert [*static_set.apart] == [
        len(score_sequences(game, static_set.guesses[:index]))
        for index in range(1, len(static_set.guesses) + 1)
    ]
    assert all(before < after for before, after in pairwise(static_set.apart))


@pytest.mark.parametrize("size", ["3x3", "2x4", "3x4d", "2x4p", "2x3b", "2x4b"])
def test_each_orbit_of_sets_has_one_prefix(size):
    """The number of prefixes is the number of orbits under all renamings."""
    game = Game.parse(size)
    table = ScoreTable(game)
    assert len(table.guesses) == game.size
    orbits = find_orbits(table)
    sets: list[list[int]] = [[]]
    # With black-only scores, the colors of each peg can be renamed separately.
    renames_per_peg = size.endswith("b")
    for num_guesses in range(1, 4):
        sets = orbits.extend(sets)
        assert len(sets) == twins.count_orbits(game, num_guesses, own=renames_per_peg)


HYPERCUBES = (1, 2, 3, 4, 4, 5, 6, 6, 7, 7, 8, 8, 8)
"""The metric dimensions of hypercubes, from dimension 1: OEIS A303735."""


def fewest(size: str) -> int:
    static_set = mmsat.static(size)
    assert static_set.is_proven
    return len(static_set.guesses)


@pytest.mark.parametrize(("pegs", "num_guesses"), [*enumerate(HYPERCUBES, 1)])
def test_sets_for_two_colors_have_the_metric_dimension_of_hypercubes(pegs, num_guesses):
    """With two colors, black scores are distances, so a static set is a resolving set."""
    static_set = mmsat.static(f"{pegs}x2b")

    assert static_set.is_proven
    assert static_set.tells_all
    assert len(static_set.guesses) == num_guesses
    assert static_set.apart[-1] == 2**pegs


@pytest.mark.parametrize("pegs", range(1, 10))
def test_both_methods_prove_the_same(pegs):
    search = StaticSearch(Game.parse(f"{pegs}x2b"))
    assert isinstance(search.method, ByColumns)
    search.method = ByGuesses(search.game)
    assert search.method.counting_bound == search.counting_bound
    search.run()

    assert search.result.is_proven
    assert len(search.result.guesses) == HYPERCUBES[pegs - 1]


@pytest.mark.parametrize("rows", range(1, 5))
@pytest.mark.parametrize("pegs", range(1, 6))
def test_columns_are_found_exactly_if_a_set_of_guesses_exists(rows, pegs):
    """All sets of guesses are tried. The first guess has one color, as colors may be renamed.

    The columns are those of the matrix whose rows are the guesses.
    """
    game = Game.parse(f"{pegs}x2b")
    codes = [*twins.codes(game)]
    sets = ((codes[0], *others) for others in combinations_with_replacement(codes, rows - 1))
    is_possible = any(len(score_sequences(game, guesses)) == len(codes) for guesses in sets)
    columns = Columns(rows).find(pegs)

    assert bool(columns) == is_possible
    if columns:
        guesses = [
            [0] * pegs,
            *([column >> row & 1 for column in columns] for row in range(rows - 1)),
        ]
        assert len(score_sequences(game, [*map(tuple, guesses)])) == len(codes)


FOUR_WORDS = Words([(0, 1), (1, 2), (2, 3), (3, 3)])


@pytest.mark.parametrize(
    "game",
    [*("6x2", "6x2w", "6x2p", "2x2db", "3x4b", "2x2x2"), Game(2, 4, FOUR_WORDS, SCORINGS["black"])],
    ids=str,
)
def test_columns_support_no_other_games(game):
    """The last game has four words of two pegs, as many as 2x2 has codes."""
    assert not supports_columns(Game.of(game))


def test_the_numbers_of_rows_and_columns_are_limited():
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


def test_a_first_set_is_found_before_the_long_search_for_a_smaller_set():
    search = StaticSearch(Game.parse("14x2b"))

    def stop(standing):
        if standing.bound == 8:
            raise TimeUpError

    search.run(None, stop)
    assert len(search.result.guesses) == 9
    assert search.result.tells_all
    assert search.result.bound == 8
    assert not search.result.is_proven


def test_a_search_by_columns_resumes_from_its_checkpoint(tmp_path, monkeypatch):
    monkeypatch.setattr("mmsat.strategy.static.CHECKPOINT_SECONDS", 0.0)
    file = tmp_path / "sets.json"
    fractions = []
    for max_prefixes in (100, 1000, 4000):
        search = StaticSearch(Game.parse("11x2b"), max_guesses=7, checkpoint=file)

        def stop(standing, search=search, max_prefixes=max_prefixes):
            fractions.append(standing.finished_fraction)
            if search.num_finished_prefixes >= max_prefixes:
                raise TimeUpError

        search.run(None, stop)
        assert not search.result.is_proven
    assert 0 < fractions[0] < fractions[-1] < 1
    resumed = mmsat.static("11x2b", max_guesses=7, checkpoint=file)
    again = mmsat.static("11x2b", max_guesses=7, checkpoint=file)
    uninterrupted = mmsat.static("11x2b", max_guesses=7)
    assert resumed.bound == again.bound == uninterrupted.bound == 8
    assert resumed.sets >= uninterrupted.sets > 0


@pytest.mark.parametrize("skipped", [25_000, pytest.param(22_000, marks=pytest.mark.slow)])
def test_eight_guesses_are_not_enough_for_fourteen_pegs(skipped):
    """Searches the last prefixes only; `mmsat static 14x2b --max-guesses 8` searches all."""
    columns = Columns(8)
    assert not columns.find(14, skipped)
    assert columns.prefixes == 25_336
    assert Columns(8).find(13)


def test_all_prefixes_of_columns_can_be_skipped():
    columns = Columns(6)
    assert not columns.find(9)
    assert columns.done == pytest.approx(1)
    count, nodes = columns.prefixes, columns.nodes
    assert not columns.find(9, count)
    assert columns.prefixes == count
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
    """Drewes and Jaeger, arXiv 2210.04652: a (ceil(4c/3) - 1)-strategy with the final guess."""
    assert fewest(f"2x{colors}db") == -(-4 * colors // 3) - 2


@pytest.mark.parametrize("colors", range(4, 7))
def test_black_scores_of_three_pegs_without_repeats(colors):
    """The same paper: a floor((3c - 1)/2)-strategy with the final guess."""
    assert fewest(f"3x{colors}db") == (3 * colors - 1) // 2 - 1


@pytest.mark.parametrize("colors", range(3, 9))
def test_black_and_white_scores_of_two_pegs(colors):
    """Goddard, JCMCC 47 (2003): ceil(2k/3), which does not count the final guess."""
    assert fewest(f"2x{colors}") == -(-2 * colors // 3)


@pytest.mark.parametrize("colors", range(4, 8))
def test_black_and_white_scores_of_three_pegs(colors):
    """The same paper: k - 1 if there are enough colors."""
    assert fewest(f"3x{colors}") == colors - 1


def test_six_guesses_for_4x6_are_found_quickly_but_not_proven_in_time():
    static_set = mmsat.static("4x6", timeout=3 * tiers.SLOWNESS)

    assert len(static_set.guesses) == 6
    assert static_set.tells_all
    assert 4 <= static_set.bound <= 6


@pytest.mark.parametrize("share", range(tiers.share(50)))
def test_five_guesses_do_not_distinguish_the_codes_of_4x6(share):
    """Repeat a part of the search of all sets of five guesses, and compare it with the record."""
    record = json.loads(RECORD.read_text("utf-8"))
    table, prefixes, orbit_of_guess = five_guesses()
    assert len(prefixes) == record["prefixes"]
    nodes_before = table.separation.nodes
    for prefix in prefixes[share :: len(record["sets"])]:
        first_orbit = orbit_of_guess[prefix[-1]]
        allowed = [guess for guess, orbit in enumerate(orbit_of_guess) if orbit >= first_orbit]
        assert not table.separation.complete(prefix, 2, allowed)
    assert table.separation.nodes - nodes_before == record["sets"][share]


@cache
def five_guesses():
    """Return the table, the prefixes of three guesses of sets of five, and the orbit per guess."""
    table = ScoreTable(Game(4, 6))
    orbits = find_orbits(table)
    return table, find_prefixes(orbits, 5, lambda: None), orbits.orbit_of_guess


def test_a_finished_search_is_read_from_its_checkpoint(tmp_path):
    file = tmp_path / "static.json"
    first = mmsat.static("3x4b", checkpoint=file)
    again = mmsat.static("3x4b", checkpoint=file)

    assert first.is_proven
    assert again.is_proven
    assert again.guesses == first.guesses
    with pytest.raises(InputError, match="checkpoint of this request"):
        mmsat.static("3x5b", checkpoint=file)


def test_large_games_and_invalid_arguments_are_refused():
    with pytest.raises(SizeError, match=r"up to 8,192 codes"):
        mmsat.static("5x8")
    with pytest.raises(InputError, match=r"(?s)seed.*timeout"):
        mmsat.static("3x3", seed=-1, timeout="soon")


def test_a_finished_search_of_the_kernel_is_done_exactly_once():
    """Deep searches count their progress at several levels."""
    rng = np.random.default_rng(1)
    depths = []
    for _ in range(tiers.share(30)):
        max_added = int(rng.integers(3, 7))
        answers = rng.integers(0, 2, size=(10, 2**max_added), dtype=np.uint16)
        separation = Separation(answers)
        if len(set(separation.first_codes)) == 2**max_added:  # no two codes are equivalent
            assert separation.complete([], max_added, range(10)) == []
            assert separation.done == pytest.approx(1)
            depths.append(max_added)
    assert {4, 5} <= {*depths}


def test_the_kernel_refuses_invalid_arguments():
    with pytest.raises(ValueError, match="an index of the answer table"):
        Separation(np.zeros((2, 2), dtype=np.uint16)).unseparated([2])
    with pytest.raises(ValueError, match="below num_values"):
        Orbits(np.ones((2, 2), dtype=np.uint8), 1, are_columns_alike=True, renaming=Renaming.NONE)
