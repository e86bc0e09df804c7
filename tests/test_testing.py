"""The laws in `mmsat.testing` hold for all built-in classes, and find faults in mutants."""

from __future__ import annotations

import doctest

import pytest

import mmsat
from mmsat import testing
from mmsat.encoding import ENCODINGS, Totalizer
from mmsat.game.scoring import SCORINGS, Black, BlackWhite
from mmsat.solving import ENGINES, SPECIAL
from mmsat.solving.searches import Brute
from mmsat.strategy.strategies import STRATEGIES
from tests.support import tiers

SLOW_STRATEGIES = {"genetic", "beam", "sampled"}


@pytest.mark.parametrize("name", STRATEGIES)
def test_strategies(name):
    testing.check_strategy(name, boards=3 if name in SLOW_STRATEGIES else tiers.share(40))


@pytest.mark.parametrize("name", [*ENGINES, *SPECIAL])
def test_engines(name):
    testing.check_engine(name, boards=tiers.share(100, least=20))


@pytest.mark.parametrize("name", ENCODINGS)
def test_encodings(name):
    testing.check_encoding(name, boards=tiers.share(20, least=4))


@pytest.mark.parametrize("name", SCORINGS)
def test_scorings(name):
    testing.check_scoring(name, boards=tiers.share(300, least=60))


@pytest.mark.parametrize("name", ["mini", "mastermind", "daily-word", "grand-one-key", "4x10d"])
def test_games(name):
    testing.check_game(name, boards=5)


def test_reductions():
    testing.check_reduction("sat", "p cnf 2 2\n1 2 0\n-1 2 0\n")
    testing.check_reduction("vertex-cover", "p edge 3 2\ne 1 2\ne 2 3\n", k=1)


def test_examples():
    failed, number = doctest.testmod(testing)
    assert failed == 0
    assert number > 5


class Stubborn(mmsat.Strategy):
    """Guess the first code of the game again and again."""

    def choose(self, state):
        return (0,) * state.game.pegs


class Claiming(Stubborn):
    """Claim that its guesses are possible codes."""

    is_consistent = True


class Fickle(mmsat.Strategy):
    """Guess other codes for the same board."""

    turn = 0

    def choose(self, state):
        self.turn += 1
        return state.code(self.turn % len(state))


class Silent(mmsat.Strategy):
    """Return something that is not a guess."""

    def choose(self, _):
        return "1122"


class Pessimist(Brute):
    """Find no code."""

    def search(self, board, deadline, seed, tolerance):
        decision = super().search(board, deadline, seed, tolerance)
        return decision._replace(status=mmsat.Status.INCONSISTENT, code=None)


class Loose(Totalizer):
    """Leave helper variables undefined."""

    def count(self, literals, bound, formula):
        outputs = super().count(literals, bound, formula)
        formula.clauses = formula.clauses[1:]
        return outputs


class Generous(Black):
    """Accept any code that has at least the score."""

    def constraints(self, variables, guess, score):
        for literals, low, _ in super().constraints(variables, guess, score):
            yield mmsat.CardinalityConstraint(literals, low, len(literals))


class Forgetful(BlackWhite):
    """Ignore white pegs in constraints."""

    def constraints(self, variables, guess, score):
        return super().constraints(variables, guess, (score[0], None))


@pytest.mark.parametrize(
    ("check", "mutant"),
    [
        (testing.check_strategy, Stubborn),
        (testing.check_strategy, Claiming),
        (testing.check_strategy, Fickle),
        (testing.check_strategy, Silent),
        (testing.check_engine, Pessimist),
        (testing.check_encoding, Loose),
        (testing.check_scoring, Generous),
        (testing.check_scoring, Forgetful),
    ],
)
def test_mutants_are_found(check, mutant):
    # The message names a board, or the subject "count of ... literals" of a wrong encoding.
    with pytest.raises(AssertionError, match=r"[0-9]x[0-9]|count of"):
        check(mutant)
