"""Beam search returns the total of some strategy, never a bound, and leaves no bound behind."""

from __future__ import annotations

import random

import pytest

from mmsat._core import IMPOSSIBLE
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.game.words import Words
from mmsat.strategy.costs import estimate_costs
from mmsat.strategy.optimal.answer_table import AnswerTable
from mmsat.strategy.optimal.search import Search, optimal
from mmsat.strategy.tree import StrategyTree, replay
from tests.support import tiers

WIDTHS = 1, 2, 3, 7, 1000
EXACT = 1, 3, 6, 12, 48
SIZES = "2x5", "3x4", "3x5", "4x3", "3x4b", "3x5!", "4x5!", "3x3p", "3x4o", "2x2x3"


def random_games(many):
    """Games of some pegs and colors, and lists of words with many scores."""
    source = random.Random(20)
    for number in range(many):
        if number % 2:
            yield Game.parse(source.choice(SIZES))
            continue
        letters, scoring = source.choice([(4, "places"), (5, "black-white"), (6, "places")])
        every = [*Game(4, letters).codes()]
        words = source.sample(every, source.randint(20, 90))
        yield Game(
            4,
            letters,
            Words(words, allows_any_guess=True),
            SCORINGS[scoring],
            name="words of a test",
        )


def run(kernel, start, *args):
    """Return the best total, after a check of the bound on the way."""
    start(*args)
    text = kernel.progress[1]
    while not kernel.wait(0.001):
        text = max(text, kernel.progress[1])
    return kernel.total, max(text, kernel.progress[1])


def test_no_bound_is_above_the_least_total():
    """After any beam searches, a search returns valid bounds and ends with the minimum."""
    above = 0
    for number, game in enumerate(random_games(tiers.share(180, least=20))):
        consistent_only = number % 3 == 0
        table = AnswerTable.of(game)
        options = {"max_guesses": 0, "consistent_only": consistent_only, "threads": 1 + number % 2}
        least, _ = run(alone := table.search(**options), alone.start, IMPOSSIBLE)
        source = random.Random(number)
        kernel = table.search(**options)
        costs = estimate_costs(table.size, is_all=True).tolist()
        for width in source.sample(WIDTHS, 3):
            beam = width, source.choice(EXACT), costs
            total, text = run(kernel, kernel.start_beam, *beam)
            assert text == 0
            assert least <= total <= kernel.progress[0]
            above += total > least
            run(kernel, kernel.start_tree, total)
            tree = StrategyTree(game, table.build_tree(kernel.tree))
            assert least <= sum(replay(tree).values())
        result, text = run(kernel, kernel.start, IMPOSSIBLE)
        assert result == least
        assert text <= least
        kernel.stop()
        alone.stop()
    assert above > tiers.at_least(20)


def test_a_wide_beam_misses_nothing():
    table = AnswerTable.of(Game.parse("4x3"))
    costs = estimate_costs(table.size, is_all=True).tolist()
    kernel = table.search()
    assert run(kernel, kernel.start_beam, table.size, 1, costs)[0] == 246


def test_what_a_beam_needs():
    kernel = AnswerTable.of(Game.parse("2x3")).search()
    with pytest.raises(ValueError, match="width is at least 1"):
        kernel.start_beam(0, 1, [0] * 10)
    with pytest.raises(ValueError, match="a cost for each number"):
        kernel.start_beam(1, 1, [0] * 9)
    for cost in (-1, 2**22 + 1):
        with pytest.raises(ValueError, match=r"^a cost is 0 to 2\*\*22$"):
            kernel.start_beam(1, 1, [cost] * 10)
    kernel.start_beam(1, 1, [2**22] * 10)
    assert kernel.wait(60)


@pytest.mark.long
@pytest.mark.parametrize(("name", "least"), [("4x8", 20_471), ("5x5", 13_496)])
def test_a_stopped_search_tells_a_bound_that_holds(name, least):
    """Stopped at any time, the search of a game that begins with a beam is right about both."""
    for seconds in (0.2, 0.4, 0.8):
        search = Search(Game.parse(name), jobs=1)
        search.run(seconds)
        assert search.result.bound <= least
        assert search.result.total is None or search.result.total >= least


@pytest.mark.long
@pytest.mark.parametrize("beam", [1, 5])
def test_the_width_of_the_beam_changes_no_total(beam):
    assert optimal("4x8", beam=beam).total == 20_471


def test_the_limit_of_sets_counts_anew_at_each_start():
    table = AnswerTable.of(Game(3, 4))
    free = table.search()
    least, _ = run(free, free.start, IMPOSSIBLE)
    sets = free.progress[3]
    assert sets > 1
    bounded = table.search(max_sets=sets)
    assert run(bounded, bounded.start, IMPOSSIBLE)[0] == least
    assert bounded.progress[3] == sets
    # The root is searched again, although the limit was reached by the first search.
    assert run(bounded, bounded.start, least + 1)[0] == least
    assert bounded.progress[3] > sets
    small = table.search(max_sets=sets - 1)
    assert run(small, small.start, IMPOSSIBLE)[0] == IMPOSSIBLE
