"""Optimal strategies: compared with a plain twin and published totals; interrupted searches."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from functools import cache
from itertools import product

import pytest

import mmsat
from mmsat.game.names import find_game
from mmsat.strategy import Checkpoint
from mmsat.strategy.optimal.search import Search, SearchLimits
from mmsat.strategy.tree import print_tree, replay
from tests.support import twins
from tests.support.cli_runner import environment, run
from tests.support.published_optima import CONSISTENT, PUBLISHED, REPEATS, SLOW

NEVER = 10**9
"""Total if some code is never found; larger than all other totals."""


def minimum_total(game, *, max_guesses=NEVER, consistent_only=False):
    """Return the minimum total by trying every guess in every state; only for very small games."""
    everything = frozenset(twins.codes(game))
    scored = {
        (code, guess): twins.score(game.scoring, code, guess)
        for code, guess in product(everything, repeat=2)
    }

    @cache
    def total(codes, max_guesses):
        if max_guesses == 0:
            return NEVER
        if len(codes) == 1:
            return 1
        best = NEVER
        for guess in codes if consistent_only else everything:
            classes = {}
            for code in codes:
                classes.setdefault(scored[code, guess], set()).add(code)
            classes.pop(scored[guess, guess], None)
            if len(codes) in map(len, classes.values()):
                continue  # the guess gives no information
            best = min(
                best,
                len(codes)
                + sum(
                    total(frozenset(entry), max_guesses - (max_guesses < NEVER))
                    for entry in classes.values()
                ),
            )
        return best

    return total(everything, max_guesses)


TINY = ["2x2", "2x3", "3x2", "2x4", "3x2b", "2x4b", "2x3!", "3x3!", "2x4!", "2x3p", "2x3o", "1x4o"]


@pytest.mark.parametrize("name", [*TINY, "2x2x2", "2x2x2k"])
def test_the_total_is_minimal(name):
    game = find_game(name)
    for consistent_only in (False, True):
        for limit in (None, 2, 3, 4):
            optimum = mmsat.optimal(game, max_guesses=limit, consistent_only=consistent_only)
            expected = minimum_total(
                game, max_guesses=limit or NEVER, consistent_only=consistent_only
            )

            assert optimum.is_proven
            assert (optimum.total or NEVER) == min(expected, NEVER)
            if optimum.tree is not None:
                assert sum(replay(optimum.tree).values()) == optimum.total == optimum.bound
                assert limit is None or optimum.analysis.max <= limit


@pytest.mark.parametrize("name", ["2x2w", "2x3w", "3x2w", "2x4w", "3x3w"])
def test_the_total_is_minimal_if_scores_do_not_identify_every_code(name):
    """One guess wins for all codes of the same colors."""
    optimum = mmsat.optimal(name)
    assert optimum.is_proven
    assert optimum.total == optimum.bound == minimum_total(find_game(name))
    assert sum(replay(optimum.tree).values()) == optimum.total
    for request in ({"max_guesses": 3}, {"consistent_only": True}, {"objective": "worst"}):
        with pytest.raises(mmsat.InputError, match="other games support only the average"):
            mmsat.optimal(name, **request)


def test_the_timeout_is_kept_if_scores_do_not_identify_every_code():
    optimum = mmsat.optimal("4x8w", timeout=0.01)
    assert not optimum.is_proven
    assert optimum.tree is None
    assert optimum.bound == 8**4  # at least one guess per code


@pytest.mark.parametrize("name", [*TINY, "3x3", "3x4"])
def test_the_worst_case_is_minimal(name):
    game = find_game(name)
    worst = mmsat.optimal(game, objective="worst")
    both = mmsat.optimal(game, objective="worst-then-average")

    limit = worst.analysis.max
    assert worst.is_proven
    assert worst.bound == worst.max_guesses == limit == both.analysis.max
    assert mmsat.optimal(game, max_guesses=limit - 1).tree is None
    assert both.total == mmsat.optimal(game, max_guesses=limit).total <= worst.total


@pytest.mark.parametrize(("name", "total"), PUBLISHED)
def test_published_totals(name, total):
    optimum = mmsat.optimal(name)

    assert optimum.is_proven
    assert optimum.total == optimum.bound == total == sum(replay(optimum.tree).values())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "total"), SLOW)
def test_published_totals_of_large_games(name, total):
    test_published_totals(name, total)


@pytest.mark.parametrize(("name", "total"), CONSISTENT.items())
def test_published_totals_of_consistent_play(name, total):
    optimum = mmsat.optimal(name, consistent_only=True)

    assert optimum.is_proven
    assert optimum.total == total


@pytest.mark.parametrize(
    ("name", "worst"),
    [(f"{p}x{c}", entry[1]) for p, by in REPEATS.items() for c, entry in by.items()] + [("4x6", 5)],
)
def test_published_worst_cases(name, worst):
    assert mmsat.optimal(name, objective="worst").bound == worst


def test_a_limit_of_five_guesses_costs_one_guess_in_4x6():
    """Koyama and Lai: the total is 5626 instead of 5625."""
    optimum = mmsat.optimal("4x6", objective="worst-then-average")

    assert (optimum.total, optimum.analysis.max) == (5626, 5)
    assert mmsat.optimal("4x6", max_guesses=5).tree.root == optimum.tree.root


def test_the_tree_does_not_depend_on_the_number_of_cores():
    trees = {print_tree(mmsat.optimal("4x6", jobs=jobs).tree) for jobs in (1, 2, 3, 2)}

    assert len(trees) == 1


@pytest.mark.parametrize("objective", ["average", "worst-then-average"])
def test_the_number_of_sets_never_decreases(objective):
    """Not even when the kernel is restarted with another total or another limit."""
    set_counts = []
    limits = SearchLimits(report=0.002)
    search = Search(find_game("5x5"), objective=objective, jobs=1, limits=limits)
    search.run(None, lambda standing: set_counts.append(standing.sets))

    assert len(set_counts) > 3
    assert set_counts == sorted(set_counts)
    assert set_counts[-1] <= search.result.sets


@pytest.mark.long
def test_a_search_resumes_from_its_checkpoint(tmp_path):
    """A finished search has little work when it is repeated."""
    file = tmp_path / "found.json"
    uninterrupted = mmsat.optimal("4x7", jobs=1)
    search = Search(find_game("4x7"), jobs=1, checkpoint=file)
    search.run(0.25)
    assert not search.is_proven
    again = mmsat.optimal("4x7", jobs=1, checkpoint=file)
    third = mmsat.optimal("4x7", jobs=1, checkpoint=file)

    assert again.is_proven
    assert again.total == third.total == uninterrupted.total
    assert print_tree(again.tree) == print_tree(third.tree) == print_tree(uninterrupted.tree)
    assert third.sets < uninterrupted.sets / 4


@pytest.mark.long
def test_a_killed_search_resumes(tmp_path):
    """After kill -9, saved work is not repeated."""
    file = tmp_path / "found.json"
    code = (
        "from pathlib import Path\n"
        "from mmsat.game.game import Game\n"
        "from mmsat.strategy.optimal.search import Search, SearchLimits\n"
        f"file, limits = Path({str(file)!r}), SearchLimits(report=0.02, save=0.02)\n"
        "Search(Game.parse('4x7'), jobs=1, checkpoint=file, limits=limits).run()\n"
        "import time; time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], env=environment(), stdout=subprocess.PIPE
    ) as process:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and (
            not file.exists() or len(json.loads(file.read_text())["stages"]["least, 0"]) < 3
        ):
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    assert time.monotonic() < deadline
    uninterrupted = mmsat.optimal("4x7", jobs=1)
    optimum = mmsat.optimal("4x7", jobs=1, checkpoint=file)

    assert optimum.total == uninterrupted.total == 11228
    assert print_tree(optimum.tree) == print_tree(uninterrupted.tree)
    assert optimum.sets < uninterrupted.sets


@pytest.mark.parametrize("text", ["{}", "no JSON", '{"mmsat-checkpoint": 1}', "[1]"])
def test_files_that_are_not_checkpoints_are_refused(tmp_path, text):
    file = tmp_path / "found.json"
    file.write_text(text)
    with pytest.raises(mmsat.InputError, match="checkpoint"):
        mmsat.optimal("3x3", checkpoint=file)


def test_a_checkpoint_of_another_request_is_refused(tmp_path):
    file = tmp_path / "found.json"
    mmsat.optimal("4x5", checkpoint=file)
    with pytest.raises(mmsat.InputError, match="expected a checkpoint of this request"):
        mmsat.optimal("4x4", checkpoint=file)
    with pytest.raises(mmsat.InputError, match="expected a file in an existing folder"):
        mmsat.optimal("4x4", checkpoint=tmp_path / "none" / "found.json")
    text = file.read_text()
    file.write_text(text.replace("4x5", "4x4"))
    with pytest.raises(mmsat.InputError):
        mmsat.optimal("4x5", checkpoint=file)


def test_a_changed_checkpoint_is_refused(tmp_path):
    file = tmp_path / "found.json"
    Checkpoint({"game": "3x3"}, file).save()
    checkpoint = Checkpoint({"game": "3x3"}, file)
    checkpoint.add("least, 0", [(1, 2, 3, True)])
    checkpoint.save()
    assert Checkpoint({"game": "3x3"}, file).findings("least, 0") == [(1, 2, 3, True)]
    file.write_text(file.read_text().replace(", 3,", ", 4,"))
    with pytest.raises(mmsat.InputError, match="the file is damaged, or is not a checkpoint"):
        Checkpoint({"game": "3x3"}, file)


def test_invalid_requests_are_refused():
    with pytest.raises(mmsat.InputError) as caught:
        mmsat.optimal("3x3", objective="best", max_guesses=0, jobs=0)
    assert len(caught.value.faults) == 3
    with pytest.raises(mmsat.SizeError, match="32,768"):
        mmsat.optimal("8x12")
    for name in ("1x256", "17x1"):
        with pytest.raises(mmsat.SizeError, match="16 pegs and 255 colors"):
            mmsat.optimal(name)
    with pytest.raises(mmsat.SizeError, match="scores"):
        mmsat.optimal("6x3p")
    with pytest.raises(mmsat.InputError, match="guess 1: expected 3 colors from 0 to 2, found"):
        mmsat.optimal("3x3!", guesses=[(0, 0, 5)])


@pytest.mark.long
def test_the_best_strategy_so_far_is_reported_when_the_time_is_up():
    result = run("optimal", "4x9", "--timeout", "2.5", "--json")
    document = json.loads(result.stdout)

    assert result.exit_code == 1
    assert not document["proven"]
    assert document["bound"] > 1
    if document["total"] is not None:
        assert document["bound"] <= document["total"]


def test_an_interrupted_search_has_a_valid_strategy_and_bound():
    search = Search(find_game("4x8"), jobs=1)

    def interrupt(standing):
        if standing.best_total is not None and search.analysis is not None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search.run(None, interrupt)
    result = search.result

    assert not result.is_proven
    assert result.bound <= 20471 <= result.total == sum(replay(result.tree).values())


def test_an_interrupted_command_exits_with_130(monkeypatch):
    """Ctrl-C prints the current bounds, with exit code 130."""
    original_run = Search.run

    def interrupted(search, timeout, _):
        original_run(search, timeout, lambda _: signal.raise_signal(signal.SIGINT))

    monkeypatch.setattr(Search, "run", interrupted)
    result = run("optimal", "4x8", "--jobs", "1", "--json")
    assert result.exit_code == 130
    assert not json.loads(result.stdout)["proven"]


def test_the_command_saves_a_tree_that_can_be_played(tmp_path):
    file = tmp_path / "tree.json"
    result = run("optimal", "4x4", "-o", str(file), "--json")
    document = json.loads(result.stdout)
    played = json.loads(run("analyze", "4x4", "--strategy", f"tree:{file}", "--json").stdout)

    assert result.exit_code == 0
    assert document["total"] == played["total"] == 905
    assert document["distribution"] == played["distribution"]


@pytest.mark.parametrize(
    ("arguments", "claim"),
    [
        (("4x4", "--max-guesses", "5"), "5 guesses are always enough."),
        (("1x1", "--max-guesses", "1"), "1 guess is always enough."),
        (("3x3", "--max-guesses", "6", "--hard"), "6 guesses are always enough in hard mode."),
        (
            ("3x3", "--max-guesses", "6", "--consistent-only"),
            "6 guesses are always enough with consistent guesses.",
        ),
    ],
)
def test_the_command_prints_that_a_number_of_guesses_is_enough(arguments, claim):
    result = run("optimal", *arguments)
    assert result.exit_code == 0
    lines = result.stdout.split("\n\n")[-1].splitlines()
    assert lines[0] == claim
    assert lines[1].startswith("No ")


def test_the_command_prints_that_no_strategy_exists():
    result = run("optimal", "4x6", "--max-guesses", "4")

    assert result.exit_code == 1
    assert re.fullmatch(
        r"No strategy finds every code within 4 guesses "
        r"\(chance of a hash collision: below 1e-2[0-9]\)\.\n",
        result.stdout,
    )


def test_a_search_of_any_duration_has_a_strategy():
    """A search that is stopped early has the tree of a heuristic, played against every code."""
    optimum = mmsat.optimal("5x6", jobs=1, timeout=0.01)
    assert not optimum.is_proven
    assert optimum.bound < optimum.total == sum(turn for _, turn in optimum.analysis.games)
    assert len(optimum.analysis.games) == 6**5
