"""Beam search returns the total of a strategy, and does not make later bounds invalid."""

from __future__ import annotations

import random

import pytest

from mmsat._core import IMPOSSIBLE
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.game.words import Words
from mmsat.strategy.optimal import AnswerTable, estimate_costs
from mmsat.strategy.optimal.search import Search, optimal
from mmsat.strategy.tree import StrategyTree, replay
from tests.support import tiers

WIDTHS = 1, 2, 3, 7, 1000
EXACT_CODES = 1, 3, 6, 12, 48
SIZES = "2x5", "3x4", "3x5", "4x3", "3x4b", "3x5!", "4x5!", "3x3p", "3x4o", "2x2x3"


def random_games(num_games):
    """Yield games with and without lists of words."""
    rng = random.Random(20)
    for number in range(num_games):
        if number % 2:
            yield Game.parse(rng.choice(SIZES))
            continue
        letters, scoring = rng.choice([(4, "places"), (5, "black-white"), (6, "places")])
        all_words = [*Game(4, letters).codes()]
        words = rng.sample(all_words, rng.randint(20, 90))
        yield Game(
            4,
            letters,
            Words(words, allows_any_guess=True),
            SCORINGS[scoring],
            name="words of a test",
        )


def run(kernel, start, *args):
    """Run the kernel to the end; return the best total, and the largest bound that was reported."""
    start(*args)
    max_bound = kernel.progress[1]
    while not kernel.wait(0.001):
        max_bound = max(max_bound, kernel.progress[1])
    return kernel.total, max(max_bound, kernel.progress[1])


def test_no_bound_exceeds_the_minimum_total():
    """After beam searches, a complete search reports valid bounds and finds the minimum."""
    num_above = 0
    for number, game in enumerate(random_games(tiers.share(180, least=20))):
        consistent_only = number % 3 == 0
        table = AnswerTable.of(game)
        options = {"max_guesses": 0, "consistent_only": consistent_only, "threads": 1 + number % 2}
        minimum, _ = run(complete := table.make_search(**options), complete.start, IMPOSSIBLE)
        rng = random.Random(number)
        kernel = table.make_search(**options)
        costs = estimate_costs(table.size, is_all=True).tolist()
        for width in rng.sample(WIDTHS, 3):
            beam = width, rng.choice(EXACT_CODES), costs
            total, bound = run(kernel, kernel.start_beam, *beam)
            assert bound == 0
            assert minimum <= total <= kernel.progress[0]
            num_above += total > minimum
            run(kernel, kernel.start_tree, total)
            tree = StrategyTree(game, table.build_tree(kernel.tree))
            assert minimum <= sum(replay(tree).values())
        result, bound = run(kernel, kernel.start, IMPOSSIBLE)
        assert result == minimum
        assert bound <= minimum
        kernel.stop()
        complete.stop()
    assert num_above > tiers.at_least(20)


def test_a_beam_of_all_guesses_finds_the_minimum():
    table = AnswerTable.of(Game.parse("4x3"))
    costs = estimate_costs(table.size, is_all=True).tolist()
    kernel = table.make_search()
    assert run(kernel, kernel.start_beam, table.size, 1, costs)[0] == 246


def test_invalid_arguments_of_a_beam_are_refused():
    kernel = AnswerTable.of(Game.parse("2x3")).make_search()
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
@pytest.mark.parametrize(("name", "minimum"), [("4x8", 20_471), ("5x5", 13_496)])
def test_a_stopped_search_has_a_valid_bound_and_total(name, minimum):
    """The search of these games begins with a beam, and is stopped at several times."""
    for seconds in (0.2, 0.4, 0.8):
        search = Search(Game.parse(name), jobs=1)
        search.run(seconds)
        assert search.result.bound <= minimum
        assert search.result.total is None or search.result.total >= minimum


@pytest.mark.long
@pytest.mark.parametrize("beam", [1, 5])
def test_the_width_of_the_beam_does_not_change_the_total(beam):
    assert optimal("4x8", beam=beam).total == 20_471


def test_the_limit_of_sets_applies_to_each_start_separately():
    table = AnswerTable.of(Game(3, 4))
    unlimited = table.make_search()
    minimum, _ = run(unlimited, unlimited.start, IMPOSSIBLE)
    sets = unlimited.progress[3]
    assert sets > 1
    limited = table.make_search(max_sets=sets)
    assert run(limited, limited.start, IMPOSSIBLE)[0] == minimum
    assert limited.progress[3] == sets
    # The root is searched again, although the limit was reached by the first search.
    assert run(limited, limited.start, minimum + 1)[0] == minimum
    assert limited.progress[3] > sets
    too_limited = table.make_search(max_sets=sets - 1)
    assert run(too_limited, too_limited.start, IMPOSSIBLE)[0] == IMPOSSIBLE
