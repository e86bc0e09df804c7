"""Analyses: totals, kinds of codes, samples, progress."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from math import sqrt
from statistics import mean, stdev

import pytest

import mmsat
from mmsat.errors import InputError, PluginError
from mmsat.game.game import Game
from mmsat.strategy.analyze import draw_codes
from mmsat.strategy.strategy import Strategy
from tests.support import twins
from tests.support.cli_runner import run


def test_figures_follow_from_the_played_games():
    analysis = mmsat.analyze("4x4", "knuth")
    turns = [turn for _, turn in analysis.games]

    assert [code for code, _ in analysis.games] == [*twins.codes(Game.parse("4x4"))]
    assert analysis.total == sum(turns)
    assert analysis.max == max(turns)
    assert analysis.average == Fraction(sum(turns), 256)
    assert analysis.distribution == {turn: turns.count(turn) for turn in range(1, max(turns) + 1)}
    assert analysis.standard_error is None


def test_kinds_group_codes_by_color_counts():
    analysis = mmsat.analyze("4x6", "knuth")
    kinds = {kind.pattern: kind for kind in analysis.kinds}

    assert {pattern: kind.codes for pattern, kind in kinds.items()} == {
        (4,): 6,
        (3, 1): 120,
        (2, 2): 90,
        (2, 1, 1): 720,
        (1, 1, 1, 1): 360,
    }
    assert [*kinds] == sorted(kinds, reverse=True)
    for pattern, kind in kinds.items():
        turns = [
            turn
            for code, turn in analysis.games
            if sorted(Counter(code).values()) == sorted(pattern)
        ]
        assert kind.total == sum(turns)
        assert sorted(kind.turns) == sorted(turns)
    assert sum(kind.total for kind in kinds.values()) == analysis.total


def test_the_document_has_the_known_figures():
    analysis = mmsat.analyze("4x6", "most-parts")
    document = json.loads(json.dumps(analysis.to_dict()))

    assert document["average"] == "1417/324"
    assert document["average_decimal"] == 4.373457
    assert document["distribution"] == [1, 12, 72, 635, 569, 7]
    assert document["total"] == 5668


def test_codes_of_a_sample_need_as_many_guesses_as_in_a_full_analysis():
    all_turns = dict(mmsat.analyze("4x6", "knuth").games)
    sample = mmsat.analyze("4x6", "knuth", sample=60, seed=7)

    assert sample.codes == 60
    assert sample.tree is None
    turns = [turn for _, turn in sample.games]
    assert all(all_turns[code] == turn for code, turn in sample.games)
    assert float(sample.average) == pytest.approx(mean(turns))
    assert sample.standard_error == pytest.approx(stdev(turns) / sqrt(60))
    assert mmsat.analyze("4x6", "knuth", sample=60, seed=7) == sample


@pytest.mark.parametrize("size", ["2x3", "3x4!", "3x4w"])
def test_samples_are_drawn_uniformly(size):
    game = Game.parse(size)
    drawn = Counter(draw_codes(game, 60 * game.size, 1))

    assert set(drawn) == {*twins.codes(game)}
    assert max(drawn.values()) < 120
    assert min(drawn.values()) > 20


def test_progress_increases_up_to_the_number_of_codes():
    reports = []
    mmsat.analyze("4x6", "first-consistent", on_progress=lambda *report: reports.append(report))

    assert {total for _, total in reports} == {1296}
    assert reports == sorted(reports)
    assert reports[-1] == (1296, 1296)


class Stubborn(Strategy):
    """Always guesses the same code."""

    name = "stubborn"
    summary = "the first code of all"
    source = "nobody"

    def choose(self, state):
        """Return the first code of the game."""
        return (0,) * state.game.pegs


def test_strategies_that_loop_forever_are_reported():
    with pytest.raises(mmsat.InputError, match=r"the strategy stubborn: .*without progress"):
        mmsat.analyze("2x3", Stubborn())
    with pytest.raises(PluginError, match=r"The strategy .*:Stubborn is wrong: .* guesses"):
        mmsat.analyze("2x3", Stubborn(), sample=5, seed=1)


@pytest.mark.parametrize("chosen", ["12", (0, 1, 2), (0, 3), (0.5, 1), None])
def test_a_wrong_guess_is_reported_with_the_name_of_the_strategy(chosen):
    class Wrong(Strategy):
        """Guesses something that is no guess."""

        name = "wrong"

        def choose(self, state):  # noqa: ARG002
            """Return the same object in every state."""
            return chosen

    with pytest.raises(mmsat.InputError) as raised:
        mmsat.analyze("2x3", Wrong())
    assert raised.value.source == "the strategy wrong"
    assert "choose returns a tuple of 2 colors from 0 to 2" in str(raised.value)


def test_options_are_refused_with_a_strategy_object():
    with pytest.raises(InputError, match="expected none, found options"):
        mmsat.analyze("2x3", Stubborn(), consistent_only=True)


def test_options_are_refused_with_a_tree(tmp_path):
    file = tmp_path / "tree.json"
    assert run("analyze", "2x3", "-o", file).exit_code == 0
    assert run("analyze", "2x3", "--strategy", f"tree:{file}").exit_code == 0
    result = run("analyze", "2x3", "--strategy", f"tree:{file}", "--consistent-only")
    assert result.exit_code == 2
    assert result.stderr == (
        "Error: the options: expected no options of the strategy, found consistent guesses only "
        "(a saved tree has fixed guesses)\n"
    )
