"""Optimal strategies: against a plain twin, against published totals, and stopped on the way."""

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
from mmsat.strategy.checkpoint import Checkpoint
from mmsat.strategy.optimal.search import Search, SearchLimits
from mmsat.strategy.tree import replay
from mmsat.strategy.tree_file import print_tree
from tests import twins
from tests.cli.runner import environment, run

NEVER = 10**9


def least(game, *, left=NEVER, consistent_only=False):
    """The least total, by trying every guess in every state; only for very small games."""
    everything = frozenset(twins.codes(game))
    scored = {
        (code, guess): twins.score(game.scoring, code, guess)
        for code, guess in product(everything, repeat=2)
    }

    @cache
    def total(codes, left):
        if left == 0:
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
                continue  # nothing was learned
            best = min(
                best,
                len(codes)
                + sum(total(frozenset(each), left - (left < NEVER)) for each in classes.values()),
            )
        return best

    return total(everything, left)


TINY = ["2x2", "2x3", "3x2", "2x4", "3x2b", "2x4b", "2x3!", "3x3!", "2x4!", "2x3p", "2x3o", "1x4o"]


@pytest.mark.parametrize("name", [*TINY, "2x2x2", "2x2x2k"])
def test_the_total_is_the_least(name):
    """No other way to play has a lower total: every guess is tried in every state."""
    game = find_game(name)
    for consistent_only in (False, True):
        for limit in (None, 2, 3, 4):
            found = mmsat.optimal(game, max_guesses=limit, consistent_only=consistent_only)
            wanted = least(game, left=limit or NEVER, consistent_only=consistent_only)

            assert found.is_proven
            assert (found.total or NEVER) == min(wanted, NEVER)
            if found.tree is not None:
                assert sum(replay(found.tree).values()) == found.total == found.bound
                assert limit is None or found.analysis.max <= limit


@pytest.mark.parametrize("name", ["2x2w", "2x3w", "3x2w", "2x4w", "3x3w"])
def test_the_total_is_the_least_where_codes_are_not_told_apart(name):
    """Codes of the same colors all win by one guess."""
    found = mmsat.optimal(name)
    assert found.is_proven
    assert found.total == found.bound == least(find_game(name))
    assert sum(replay(found.tree).values()) == found.total
    for request in ({"max_guesses": 3}, {"consistent_only": True}, {"objective": "worst"}):
        with pytest.raises(mmsat.InputError, match="other games support only the average"):
            mmsat.optimal(name, **request)


def test_the_time_is_kept_where_codes_are_not_told_apart():
    found = mmsat.optimal("4x8w", timeout=0.01)
    assert not found.is_proven
    assert found.tree is None
    assert found.bound == 8**4  # at least one guess a code


@pytest.mark.parametrize("name", [*TINY, "3x3", "3x4"])
def test_the_worst_case_is_the_least(name):
    game = find_game(name)
    worst = mmsat.optimal(game, objective="worst")
    both = mmsat.optimal(game, objective="worst-then-average")

    limit = worst.analysis.max
    assert worst.is_proven
    assert worst.bound == worst.max_guesses == limit == both.analysis.max
    assert mmsat.optimal(game, max_guesses=limit - 1).tree is None
    assert both.total == mmsat.optimal(game, max_guesses=limit).total <= worst.total


REPEATS = {
    2: {2: (8, 3), 3: (21, 3), 4: (45, 4), 5: (81, 4), 6: (132, 5), 7: (198, 5), 8: (284, 6)},
    3: {2: (18, 3), 3: (73, 4), 4: (206, 4), 5: (451, 5), 6: (854, 5)},
    4: {2: (44, 4), 3: (246, 4), 4: (905, 4), 5: (2463, 5)},
}
"""By pegs and colors: the least total, and the fewest guesses that do for all codes."""
BLACK = {2: {2: 8, 3: 25, 4: 56, 5: 105, 6: 176}, 3: {2: 21, 3: 95, 4: 280}, 4: {2: 52, 3: 331}}
DISTINCT = {3: {3: 15, 4: 72, 5: 196}, 4: {5: 462, 6: 1446}}
CONSISTENT = {"3x5": 455, "4x4": 908, "4x5": 2476, "4x6": 5660}
PUBLISHED = [
    *((f"{p}x{c}", each[0]) for p, by in REPEATS.items() for c, each in by.items()),
    *((f"{p}x{c}b", total) for p, by in BLACK.items() for c, total in by.items()),
    *((f"{p}x{c}!", total) for p, by in DISTINCT.items() for c, total in by.items()),
    ("4x6", 5625),  # Koyama and Lai 1993
    ("4x7", 11228),
    ("5x4", 3954),
    ("3x10", 5242),
]
SLOW = [("5x5", 13496), ("bulls-and-cows", 26274), ("4x8", 20471)]


@pytest.mark.parametrize(("name", "total"), PUBLISHED)
def test_published_totals(name, total):
    found = mmsat.optimal(name)

    assert found.is_proven
    assert found.total == found.bound == total == sum(replay(found.tree).values())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "total"), SLOW)
def test_published_totals_of_large_games(name, total):
    test_published_totals(name, total)


@pytest.mark.parametrize(("name", "total"), CONSISTENT.items())
def test_published_totals_of_consistent_play(name, total):
    found = mmsat.optimal(name, consistent_only=True)

    assert found.is_proven
    assert found.total == total


@pytest.mark.parametrize(
    ("name", "worst"),
    [(f"{p}x{c}", each[1]) for p, by in REPEATS.items() for c, each in by.items()] + [("4x6", 5)],
)
def test_published_worst_cases(name, worst):
    assert mmsat.optimal(name, objective="worst").bound == worst


def test_within_five_guesses():
    """Koyama and Lai: one guess more in total, if no code may take a sixth."""
    found = mmsat.optimal("4x6", objective="worst-then-average")

    assert (found.total, found.analysis.max) == (5626, 5)
    assert mmsat.optimal("4x6", max_guesses=5).tree.root == found.tree.root


def test_same_request_same_tree():
    """Not even the number of cores makes a difference."""
    trees = {print_tree(mmsat.optimal("4x6", cores=cores).tree) for cores in (1, 2, 3, 2)}

    assert len(trees) == 1


@pytest.mark.parametrize("objective", ["average", "worst-then-average"])
def test_sets_are_counted_once(objective):
    """However often a search begins anew, with another total or another limit."""
    told = []
    limits = SearchLimits(look=0.002)
    search = Search(find_game("5x5"), objective=objective, cores=1, limits=limits)
    search.run(None, lambda standing: told.append(standing.sets))

    assert len(told) > 3
    assert told == sorted(told)
    assert told[-1] <= search.result.sets


@pytest.mark.long
def test_a_checkpoint_saves_the_work(tmp_path):
    """A search that was stopped goes on; one that was finished has nothing left to do."""
    file = tmp_path / "found.json"
    whole = mmsat.optimal("4x7", cores=1)
    search = Search(find_game("4x7"), cores=1, checkpoint=file)
    search.run(0.25)
    assert not search.is_proven
    again = mmsat.optimal("4x7", cores=1, checkpoint=file)
    third = mmsat.optimal("4x7", cores=1, checkpoint=file)

    assert again.is_proven
    assert again.total == third.total == whole.total
    assert print_tree(again.tree) == print_tree(third.tree) == print_tree(whole.tree)
    assert third.sets < whole.sets / 4


@pytest.mark.long
def test_a_killed_search_goes_on(tmp_path):
    """After kill -9 what was saved is there, and is not done again."""
    file = tmp_path / "found.json"
    code = (
        "from pathlib import Path\n"
        "from mmsat.game.game import Game\n"
        "from mmsat.strategy.optimal.search import Search, SearchLimits\n"
        f"file, limits = Path({str(file)!r}), SearchLimits(look=0.02, save=0.02)\n"
        "Search(Game.parse('4x7'), cores=1, checkpoint=file, limits=limits).run()\n"
        "import time; time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], env=environment(), stdout=subprocess.PIPE
    ) as process:
        until = time.monotonic() + 60
        while time.monotonic() < until and (
            not file.exists() or len(json.loads(file.read_text())["stages"]["least, 0"]) < 3
        ):
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    assert time.monotonic() < until
    whole = mmsat.optimal("4x7", cores=1)
    found = mmsat.optimal("4x7", cores=1, checkpoint=file)

    assert found.total == whole.total == 11228
    assert print_tree(found.tree) == print_tree(whole.tree)
    assert found.sets < whole.sets


@pytest.mark.parametrize("wrong", ["{}", "no JSON", '{"mmsat-checkpoint": 1}', "[1]"])
def test_what_is_no_checkpoint_is_refused(tmp_path, wrong):
    file = tmp_path / "found.json"
    file.write_text(wrong)
    with pytest.raises(mmsat.InputError, match="checkpoint"):
        mmsat.optimal("3x3", checkpoint=file)


def test_a_checkpoint_goes_with_its_request(tmp_path):
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
    kept = Checkpoint({"game": "3x3"}, file)
    kept.add("least, 0", [(1, 2, 3, True)])
    kept.save()
    assert Checkpoint({"game": "3x3"}, file).findings("least, 0") == [(1, 2, 3, True)]
    file.write_text(file.read_text().replace(", 3,", ", 4,"))
    with pytest.raises(mmsat.InputError, match="the file has other contents"):
        Checkpoint({"game": "3x3"}, file)


def test_bad_requests_name_every_fault():
    with pytest.raises(mmsat.InputError) as caught:
        mmsat.optimal("3x3", objective="best", max_guesses=0, cores=0)
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
def test_when_the_time_is_up_the_best_so_far_is_told():
    result = run("optimal", "4x9", "--timeout", "2.5", "--json")
    document = json.loads(result.stdout)

    assert result.exit_code == 1
    assert not document["proven"]
    assert document["bound"] > 1
    if document["total"] is not None:
        assert document["bound"] <= document["total"]


def test_interrupted_with_a_strategy():
    """The best strategy so far is played like any other, and the bound holds."""
    search = Search(find_game("4x8"), cores=1)

    def interrupt(standing):
        if standing.best is not None and search.analysis is not None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search.run(None, interrupt)
    found = search.result

    assert not found.is_proven
    assert found.bound <= 20471 <= found.total == sum(replay(found.tree).values())


def test_interrupted(monkeypatch):
    """Ctrl-C: what is known so far, and exit code 130."""
    work = Search.run

    def interrupted(search, timeout, _):
        work(search, timeout, lambda _: signal.raise_signal(signal.SIGINT))

    monkeypatch.setattr(Search, "run", interrupted)
    result = run("optimal", "4x8", "--cores", "1", "--json")
    assert result.exit_code == 130
    assert not json.loads(result.stdout)["proven"]


def test_the_command_saves_a_tree_that_can_be_played(tmp_path):
    file = tmp_path / "tree.json"
    result = run("optimal", "4x4", "--save", str(file), "--json")
    document = json.loads(result.stdout)
    played = json.loads(run("analyze", "4x4", "--strategy", f"tree:{file}", "--json").stdout)

    assert result.exit_code == 0
    assert document["total"] == played["total"] == 905
    assert document["distribution"] == played["distribution"]


def test_what_no_strategy_can_do():
    result = run("optimal", "4x6", "--max-guesses", "4")

    assert result.exit_code == 1
    assert re.fullmatch(
        r"No strategy finds every code within 4 guesses "
        r"\(chance of a hash collision: below 1e-2[0-9]\)\.\n",
        result.stdout,
    )


def test_there_is_a_strategy_however_short_the_time_is():
    """A search that is stopped before its first find has a heuristic's tree, played in full."""
    found = mmsat.optimal("5x6", cores=1, timeout=0.01)
    assert not found.is_proven
    assert found.bound < found.total == sum(turn for _, turn in found.analysis.games)
    assert len(found.analysis.games) == 6**5
