"""Conflicts and correction sets: each kind are the minimal hitting sets of the other."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from mmsat.diagnosis.mus import correction_sets, marco
from mmsat.diagnosis.verdict import Conflict
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.solving.queries.oracle import SubsetOracle
from tests.support import twins
from tests.support.random_boards import EVERY_SPACE, inconsistent_boards, known_boards, spaces_of
from tests.support.tiers import share

SMALL = {"pegs": 4, "colors": 3, "rows": 7}


def plain_hitting_sets(sets, size):
    """All minimal sets of numbers below size that meet each set, by a look at every one."""
    results = []
    for index in range(size + 1):
        for some in combinations(range(size), index):
            chosen = set(some)
            if all(chosen & entry for entry in sets) and not any(
                result <= chosen for result in results
            ):
                results.append(chosen)
    return {frozenset(result) for result in results}


def hitting_sets(sets, most=400):
    """All minimal sets that meet each set: one set after the other is met (Berge 1989).

    None where there are too many on the way.
    """
    results = {frozenset()}
    for entry in sorted(sets, key=lambda one: (len(one), sorted(one))):
        met = {some for some in results if some & entry}
        grown = {some | {one} for some in results - met for one in entry}
        results = met | {some for some in grown if not any(other < some for other in met)}
        if len(results) > most:
            return None
    return results


def plain_correction_sets(board):
    """The minimal sets of rows that some code misses, by a look at every code."""
    missed = {frozenset(twins.wrong_rows(board, code)) for code in twins.codes(board.game)}
    return {entry for entry in missed if not any(other < entry for other in missed)}


def both(board):
    """All conflicts and all correction sets; none comes twice."""
    results = list(marco(SubsetOracle(board)))
    of_conflicts = [frozenset(result.rows) for result in results if isinstance(result, Conflict)]
    sets = [result for result in results if not isinstance(result, Conflict)]
    assert len(of_conflicts) == len(set(of_conflicts))
    assert len(sets) == len(set(sets))
    return set(of_conflicts), set(sets)


def misremembered(rng, rows, slips):
    """Return a board with the given number of rows, some of them scored for another code."""
    game = Game.parse(rng.choice(["6x2", "4x3", "3x4", "4x3b", "3x5!", "4x3w", "3x4p", "3x4o"]))
    one, other = (rng.choice(list(twins.codes(game))) for _ in range(2))
    wrong = rng.sample(range(rows), slips)
    guesses = [tuple(rng.randrange(game.colors) for _ in range(game.pegs)) for _ in range(rows)]
    return Board(
        game,
        tuple(
            Row(guess, game.score(other if number in wrong else one, guess))
            for number, guess in enumerate(guesses)
        ),
    )


def test_correction_sets_are_those_of_the_twin():
    boards = inconsistent_boards(share(400), seed=71, **SMALL)
    assert spaces_of(boards) == EVERY_SPACE
    for board in boards:
        assert set(correction_sets(SubsetOracle(board))) == plain_correction_sets(board), str(board)


def test_a_consistent_board_needs_no_correction():
    for board, codes in known_boards(share(100), seed=72):
        sets = list(correction_sets(SubsetOracle(board)))
        assert (sets == [frozenset()]) == bool(codes)


def test_each_kind_hits_the_other_on_small_boards():
    """Against every set of rows."""
    for board in inconsistent_boards(share(200), seed=73, **SMALL):
        result, sets = both(board)
        size = len(board.rows)
        assert result == {frozenset(conflict) for conflict in twins.minimal_conflicts(board)}
        assert sets == plain_hitting_sets(result, size), str(board)
        assert result == plain_hitting_sets(sets, size), str(board)


def test_the_twins_of_hitting_sets_agree():
    rng = random.Random(74)
    for _ in range(200):
        sets = [
            frozenset(rng.sample(range(7), rng.randint(1, 4))) for _ in range(rng.randint(0, 6))
        ]
        assert hitting_sets(sets) == plain_hitting_sets(sets, 7)


@pytest.mark.parametrize("rows", [8, 12, 20, 30, 40, 50, 60])
def test_each_kind_hits_the_other_on_boards_of_many_rows(rows):
    """The correction sets are those of all codes, the conflicts what hits all of them."""
    rng = random.Random(rows)
    several = 0
    for _ in range(12):
        board = misremembered(rng, rows, slips=rng.choice([1, 2, 3]))
        plain = plain_correction_sets(board)
        expected = hitting_sets(plain) if plain != {frozenset()} else set()
        if expected is None:  # there may be thousands
            continue
        result, sets = both(board)
        assert sets == plain, str(board)
        assert result == expected, str(board)
        assert hitting_sets(result) in (sets, None)
        several += len(result) > 5
    assert several
