"""Hash collisions: harmless if the sets are compared, and bounded in the result if they are not."""

from __future__ import annotations

import hashlib
import json

import pytest

import mmsat
from mmsat._core import Response
from mmsat.game.game import Game
from mmsat.game.names import find_game
from mmsat.render.board import Style
from mmsat.render.reports.strategies import optimum_lines, optimum_sentence
from mmsat.strategy import Checkpoint
from mmsat.strategy.optimal import AnswerTable, run_search
from mmsat.strategy.optimal.search import Optimum, Search
from tests.support.cli_runner import run

NUM_TAGS = 2**92
"""Number of different tags: the part of a key that is compared."""

PUBLISHED = [("4x4", 905), ("4x5", 2463), ("3x7", 1474), ("3x6b", 1280), ("5x5d", 535)]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("bits", [0, 1, 3])
@pytest.mark.parametrize(("name", "total"), PUBLISHED)
def test_partitions_with_equal_hashes_are_compared(name, total, bits, threads):
    """With 0 bits, all partitions have the same hash; still, no guess may be skipped."""
    table = AnswerTable.of(find_game(name))
    options = {"threads": threads, "possible": range(table.size)}
    result, tree = run_search(table.make_search(partition_hash_bits=bits, **options))

    assert result == total
    assert tree == run_search(table.make_search(**options))[1]


@pytest.mark.parametrize("name", ["4x4", "3x5", "3x4!", "3x5d", "3x5b"])
@pytest.mark.parametrize("bits", [0, 1, 4])
def test_a_weighted_search_compares_sets_with_equal_keys(name, bits):
    table = AnswerTable.of(find_game(name))
    kinds = [code[0] % 3 if name == "3x4!" else len({*code}) - 1 for code in table.guesses]
    weights = [5, 2, 3, 1]
    weak, full = (
        Response(*table._arguments, kinds, weights, None, num_bits) for num_bits in (bits, 64)
    )

    assert weak.solve() == full.solve()
    assert weak.tree() == full.tree()
    if bits == 0 and table.size > 70:
        assert weak.sets > full.sets  # sets that were overwritten are searched again


def test_the_bound_is_proportional_to_the_number_of_comparisons():
    table = AnswerTable.of(find_game("4x4"))
    search = table.make_search()
    assert search.hash_error_bound == 0
    run_search(search)
    comparisons = search.hash_error_bound * NUM_TAGS

    assert comparisons == int(comparisons)
    assert comparisons >= 4 * search.progress[3]  # each set is looked up among four entries


def test_the_bound_is_summed_over_all_searches():
    worst = mmsat.optimal("4x4", objective="worst")
    both = mmsat.optimal("4x4", objective="worst-then-average")
    limited = mmsat.optimal("4x4", max_guesses=worst.max_guesses)

    assert 0 < worst.hash_error_bound < both.hash_error_bound
    assert both.hash_error_bound <= worst.hash_error_bound + limited.hash_error_bound


def test_a_resumed_search_adds_to_the_bound_of_its_checkpoint(tmp_path):
    file = tmp_path / "found.json"
    first = Search(find_game("4x5"), jobs=1, checkpoint=file)
    first.run()
    bound = json.loads(file.read_text())["hash_error_bound"]
    assert bound == first.result.hash_error_bound > 0
    second = mmsat.optimal("4x5", jobs=1, checkpoint=file)
    assert second.hash_error_bound > bound


def test_a_checkpoint_of_the_first_version_is_refused(tmp_path):
    """In the first version, sets had other keys."""
    file = tmp_path / "found.json"
    stages = {"least, 0": [["1", "2", 3, True]]}
    checksum = hashlib.sha256(json.dumps(stages).encode()).hexdigest()
    request = {"game": "3x3"}
    document = {"mmsat-checkpoint": 1, "request": request, "stages": stages, "sum": checksum}
    file.write_text(json.dumps(document))
    with pytest.raises(mmsat.InputError, match="expected a checkpoint file of version 2"):
        Checkpoint({"game": "3x3"}, file)


@pytest.mark.parametrize(
    ("bound", "chance"),
    [
        (0.0, ""),
        (3e-20, " (chance of a hash collision: below 1e-19)"),
        (9.9e-27, " (chance of a hash collision: below 1e-26)"),
        (1e-19, " (chance of a hash collision: below 1e-18)"),
    ],
)
@pytest.mark.parametrize("objective", ["average", "worst"])
@pytest.mark.parametrize("is_proven", [False, True])
def test_the_report_prints_the_bound_with_the_proof(bound, chance, objective, is_proven):
    played = mmsat.optimal("2x2").analysis
    game = Game.of("2x2")
    result = Optimum(
        game, objective, None, False, False, 4, played, 2, is_proven, 0.5, 7, bound
    )  # fmt: skip
    claim = {
        ("average", True): "No strategy has a lower total",
        ("average", False): "No strategy has a total below 2",
        ("worst", True): "No strategy finds every code in fewer than 2 guesses",
        ("worst", False): "No strategy finds every code in fewer than 2 guesses",
    }[objective, is_proven]
    ending = "." if is_proven else "; this one may not be optimal."

    assert optimum_sentence(result) == claim + chance + ending
    assert result.to_dict()["hash_error_bound"] == bound
    assert [*optimum_lines(result, Style(), in_full=False)]


def test_the_command_prints_the_bound():
    text = run("optimal", "4x4").stdout
    document = json.loads(run("optimal", "4x4", "--json").stdout)
    last_paragraph = " ".join(text.split("\n\n")[-1].split())

    assert 1e-27 < document["hash_error_bound"] < 1e-22
    assert last_paragraph.startswith(
        "No strategy has a lower total (chance of a hash collision: below 1e-2"
    )


def test_a_search_that_compares_sets_has_a_bound_of_zero():
    optimum = mmsat.optimal("2x3w")

    assert optimum.is_proven
    assert optimum.hash_error_bound == 0
    assert optimum_sentence(optimum) == "No strategy has a lower total."
