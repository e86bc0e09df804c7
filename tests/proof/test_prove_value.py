"""Certificates of the values of games prove the value, and nothing false is accepted."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product

import numpy as np
import pytest
from scipy.optimize import linprog

import mmsat
from mmsat.game.names import find_game
from mmsat.proof.bundle import Bundle, board_text
from mmsat.proof.check_strategy import LINES_PER_REPORT, Map
from mmsat.proof.check_value import WeightedTable, first_turns, is_symmetry
from mmsat.strategy.optimal import prove as module
from tests.support import twins
from tests.support.random_boards import random_game
from tests.support.tampering import accepted_changes, changed_section, is_rejected
from tests.support.tiers import at_least, share

TINY = ["1x1", "1x3", "2x2", "2x3", "3x2", "2x3b", "2x3d", "2x3p", "2x3o", "1x4o", "3x3d"]
"""Games of which all strategies are tried."""
GAMES = [*TINY, "2x4", "2x4b", "2x5", "3x3", "3x4", "4x3", "3x3p", "3x4d"]


def classes_of(game, codes, guess):
    """Return the sets of codes by score, without the score that wins."""
    classes = {}
    for code in codes:
        classes.setdefault(twins.score(game.scoring, code, guess), set()).add(code)
    classes.pop(twins.score(game.scoring, guess, guess), None)
    return [frozenset(members) for members in classes.values()]


@cache
def value_over_all_strategies(name):
    """Return the value by a linear program with a variable for each possible strategy."""
    game = find_game(name)
    codes = [*twins.codes(game)]

    @cache
    def strategies(remaining):
        """Return the numbers of guesses for each code, for every strategy."""
        found = set()
        for guess in codes:
            classes = classes_of(game, remaining, guess)
            if remaining in classes:
                continue
            for parts in product(*map(strategies, classes)):
                turns = {code: turn + 1 for part in parts for code, turn in part}
                if guess in remaining:
                    turns[guess] = 1
                found.add(frozenset(turns.items()))
        return found

    columns = [[dict(turns)[code] for code in codes] for turns in strategies(frozenset(codes))]
    matrix = np.unique(np.array(columns), axis=0).T
    size = matrix.shape[1]
    solution = linprog(  # minimize v for which no code needs more than v guesses
        [*[0] * size, 1],
        np.hstack([matrix, -np.ones((len(codes), 1))]),
        np.zeros(len(codes)),
        [[*[1] * size, 0]],
        [1],
    )
    return solution.fun


@cache
def true_value(name):
    """Return the value, which is compared with that over all strategies if the game is tiny."""
    value = mmsat.game_value(name).value
    if name in TINY:
        assert float(value) == pytest.approx(value_over_all_strategies(name))
    return value


@lru_cache(maxsize=1)
def proofs():
    """Return the bundle of a proof for each game."""
    return [Bundle.read(mmsat.prove_value(mmsat.game_value(name)).text) for name in GAMES]


def test_small_games_are_proved():
    for name, bundle in zip(GAMES, proofs(), strict=True):
        report = mmsat.verify(str(bundle), board=name)
        assert report.holds, (name, report.reason)
        assert (report.verdict, report.method, report.count) == ("valued", "value", None)
        assert report.lemmas == bundle.sections["bounds"].count("\n")
        assert Fraction(bundle.fields["value"]) == true_value(name)
        assert report.reason.startswith(f"the value of {name} is {true_value(name)}; ")


def test_random_games_of_every_kind():
    """Games with words and with every kind of scoring, or a clear refusal."""
    rng = random.Random(7)
    proved = refused = 0
    for _ in range(share(120)):
        game = random_game(rng, 3, 3)
        if game.size > 30:
            continue
        if getattr(game.space, "allows_any_guess", False):
            refused += 1
            with pytest.raises(mmsat.InputError, match="a game in which every guess is a code"):
                mmsat.prove_value(replace(mmsat.game_value("2x2"), game=game))
            continue
        try:
            board_text(mmsat.Board(game, ()))
            value = mmsat.game_value(game)
        except mmsat.InputError:  # no text, or the scores do not identify every code
            refused += 1
            continue
        proved += 1
        proof = mmsat.prove_value(value)
        assert proof.value == value.value
        assert mmsat.verify(proof).holds
    assert proved > at_least(30)
    assert refused > at_least(10)


def other_board(rng, bundle):
    """Return the proof with the board of another game."""
    return replace(bundle, board=rng.choice(proofs()).board)


def other_value(rng, bundle):
    """Return the proof with a value between the true one and others."""
    value = Fraction(bundle.fields["value"])
    nearby = value + Fraction(rng.randint(-3, 3), rng.randint(1, 50))
    text = f"{nearby.numerator}/{nearby.denominator}"
    return replace(
        bundle, fields={"value": rng.choice([text, rng.choice(proofs()).fields["value"]])}
    )


def other_section(rng, bundle):
    """Return the proof with a section of another proof."""
    name = rng.choice(sorted(bundle.sections))
    text = rng.choice(proofs()).sections[name]
    return replace(bundle, sections=bundle.sections | {name: text})


CHANGES = {
    "board": other_board,
    "value": other_value,
    "section of another proof": other_section,
    **{name: changed_section(name) for name in ("maps", "codemaker", "trees", "bounds")},
}


@pytest.mark.parametrize("kind", CHANGES)
def test_nothing_false_is_accepted_with_recomputed_digests(kind):
    """A change that is accepted is harmless: the claimed value is the true one."""
    for changed in accepted_changes(CHANGES[kind], lambda rng: rng.choice(proofs()), 11):
        assert mmsat.verify(str(changed)).holds
        assert Fraction(changed.fields["value"]) == true_value(changed.board), str(changed)


def test_each_bound_that_is_raised_is_rejected():
    """Each bound of a proof, by more than any cost."""
    rejected = 0
    for bundle in proofs():
        lines = bundle.sections["bounds"].splitlines(keepends=True)
        for place, line in enumerate(lines):
            raised = re.sub(r" (\d+)", lambda match: f" {int(match[1]) + 10**6}", line, count=1)
            text = "".join([*lines[:place], raised, *lines[place + 1 :]])
            report = mmsat.verify(with_sections(bundle, bounds=text))
            assert report.holds is False
            assert f"line {place + 1} of [bounds]" in report.reason
            rejected += 1
    assert rejected > 60


def test_each_beginning_of_a_proof_is_rejected():
    text = str(proofs()[GAMES.index("3x4")])
    for end in range(0, len(text), 7):
        assert is_rejected(text[:end])
    assert is_rejected(f"{text}\n")


def with_sections(bundle, **sections):
    return str(replace(bundle, sections=bundle.sections | sections))


def with_value(bundle, value):
    return str(replace(bundle, fields={"value": value}))


def test_reasons():
    bundle = proofs()[GAMES.index("3x4")]
    codemaker, trees, bounds = (bundle.sections[name] for name in ("codemaker", "trees", "bounds"))
    first_tree = trees[: trees.index("tree", 4)]
    for text, reason in [
        (with_value(bundle, "438/136"), "a fraction in lowest terms, found '438/136'"),
        (with_value(bundle, "3"), "a fraction in lowest terms, found '3'"),
        (with_value(bundle, "3/1"), "guesses, more than 3"),
        (with_value(bundle, "13/4"), "the last line of [bounds] is not the bound 221 of all codes"),
        (with_value(bundle, "131/40"), "no strategy has the average 131/40 against [codemaker]"),
        (with_sections(bundle, maps="1.2.3\n"), "line 1 of [maps]: '1.2.3' is not a map"),
        (with_sections(bundle, maps=""), "the code 114 needs 4 guesses, more than 219/68"),
        (with_sections(bundle, codemaker=""), "the section [codemaker] has no codes"),
        (with_sections(bundle, codemaker="111\n"), "line 1 of [codemaker]: '111' is not a code"),
        (with_sections(bundle, codemaker="111 0\n"), "line 1 of [codemaker]: '111 0' is not"),
        (with_sections(bundle, codemaker="122 1\n"), "122 is not the first code of the next kind"),
        (with_sections(bundle, codemaker=codemaker * 2), "111 is not the first code"),
        (with_sections(bundle, codemaker=f"111 {10**17}\n"), "the weight is too large"),
        (with_sections(bundle, codemaker="112 68\n"), "[bounds]"),
        (with_sections(bundle, trees=""), "line 1 of [trees]: expected a tree with its weight"),
        (with_sections(bundle, trees="tree 0\n"), "line 1 of [trees]: expected a tree"),
        (with_sections(bundle, trees=first_tree), "guesses, more than 219/68"),
        (with_sections(bundle, trees=f"{trees}tree 1\n"), "of [trees]: the tree is incomplete"),
        (with_sections(bundle, trees=f"{trees}111\n"), "of [trees]: the tree is complete before"),
        (with_sections(bundle, trees="tree 1\n119\n"), "line 2 of [trees]: '119' is not a code"),
        (with_sections(bundle, bounds=""), "the last line of [bounds] is not the bound 219"),
        (with_sections(bundle, bounds="all 219\n"), "may need less than 219"),
        (with_sections(bundle, bounds="111=3.0 3\n" + bounds), "too large for 1 codes"),
        (str(replace(bundle, board="3x4/111=1.0")), "the board of a value has rows"),
        (str(replace(bundle, board="3x4w")), "a game whose scores identify every code"),
        (str(replace(bundle, board="6x6")), "up to 1,296 codes"),
        (str(replace(bundle, board="4x5o")), "up to 64 scores, found 4x5o with 81 scores"),
        (str(replace(bundle, board="3x4o")), "line 3 of [maps]: the map does not keep the scores"),
        (str(replace(bundle, verdict="optimal")), "cannot prove 'optimal'"),
    ]:
        report = mmsat.verify(text)
        assert report.holds is False
        assert reason in report.reason, (reason, report.reason)


@pytest.mark.parametrize("name", ["2x3", "3x3", "2x4b", "2x3p"])
def test_bounds_of_random_sets_are_no_more_than_their_costs(name):
    """The costs of random sets with random weights by definition, the kernel and the checker."""
    game = find_game(name)
    codes = [*twins.codes(game)]
    rng = random.Random(5)
    for _ in range(share(60, least=3)):
        table = WeightedTable.of(game)
        table.weights[:] = [rng.choice([0, 1, 1, 2, 9]) for _ in codes]
        weight_of = dict(zip(codes, table.weights.tolist(), strict=True))

        @cache
        def cost(remaining, guess=None, weight_of=weight_of):
            if guess is None:
                costs = [cost(remaining, other) for other in codes]
                return min(entry for entry in costs if entry is not None)
            classes = classes_of(game, remaining, guess)
            if remaining in classes:
                return None
            return sum(map(weight_of.get, remaining)) + sum(map(cost, classes))

        chosen = np.array(sorted(rng.sample(range(len(codes)), rng.randint(2, 9))))
        remaining = frozenset(codes[index] for index in chosen)
        partitions = table.partition(chosen)
        for need, guess in zip(partitions.guess_bounds.tolist(), codes, strict=True):
            true_cost = cost(remaining, guess)
            assert need <= true_cost if true_cost is not None else need > 10**9
        subset = chosen[rng.randrange(len(chosen)) :]
        bound = table.bound_by_size(partitions, subset)
        assert bound <= cost(frozenset(codes[index] for index in subset))
        assert table.total(chosen) == sum(weight_of[code] for code in remaining)


def test_first_turns_are_those_of_the_best_shapes():
    """All shapes of trees with limited numbers of classes."""
    for own, others in product(range(1, 4), repeat=2):

        @cache
        def most(turns, own=own, others=others):
            """Return the maximum number of codes that are found within some guesses."""
            if turns < 1:
                return 0
            return max(1 + own * most(turns - 1), others * most(turns - 1))

        turns = first_turns(own, others, 30).tolist()
        assert turns == sorted(turns)
        assert len(turns) == 30
        for rank, turn in enumerate(turns):
            assert most(turn - 1) <= rank < most(turn)


@pytest.mark.parametrize(
    ("name", "pegs", "colors"),
    [("3x3", True, True), ("3x3b", True, True), ("3x3p", False, True), ("3x3o", True, False)],
)
def test_maps_keep_scores_one_to_one(name, pegs, colors):
    """Marks of repeated colors depend on the order of pegs; `o` compares letters by their order."""
    table = WeightedTable.of(find_game(name))
    identity, swapped = (0, 1, 2), (1, 0, 2)
    assert is_symmetry(table, Map(identity, identity))
    assert is_symmetry(table, Map(swapped, identity)) is pegs
    assert is_symmetry(table, Map(identity, swapped)) is colors


def test_what_is_not_supported(monkeypatch):
    with pytest.raises(mmsat.InputError, match="a GameValue"):
        mmsat.prove_value("3x4")
    value = mmsat.game_value("3x3")
    with pytest.raises(mmsat.SizeError, match="up to 1,296 codes"):
        mmsat.prove_value(replace(value, game=find_game("5x5")))
    assert mmsat.prove_value(value, timeout=0.0) is None
    monkeypatch.setattr(module, "MAX_PROOF_BYTES", 10)
    with pytest.raises(mmsat.SizeError, match="the proof exceeds 0 MB"):
        mmsat.prove_value(value)


def test_the_time_limit_of_a_check():
    bundle = proofs()[GAMES.index("3x4")]
    lines = "111=0.0/222=3.0 1\n" * LINES_PER_REPORT + bundle.sections["bounds"]
    report = mmsat.verify(with_sections(bundle, bounds=lines), timeout=0.0)
    assert report.holds is None
    assert f"time limit reached at line {LINES_PER_REPORT + 1} of [bounds]" in report.reason


@pytest.mark.long
def test_the_value_of_a_larger_game():
    report = mmsat.verify(mmsat.prove_value(mmsat.game_value("4x5")), board="4x5")
    assert report.holds
    assert report.reason.startswith("the value of 4x5 is 2463/625; ")
