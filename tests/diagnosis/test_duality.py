"""Conflicts and correction sets are the minimal hitting sets of each other."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from mmsat.diagnosis import Conflict
from mmsat.diagnosis.mus import correction_sets, marco
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.solving.oracle import SubsetOracle
from tests.support import twins
from tests.support.random_boards import EVERY_SPACE, inconsistent_boards, known_boards, spaces_of
from tests.support.tiers import share

SMALL = {"pegs": 4, "colors": 3, "rows": 7}


def plain_hitting_sets(sets, size):
    """Return all minimal hitting sets of numbers below `size`, by trying every set."""
    results = []
    for index in range(size + 1):
        for numbers in combinations(range(size), index):
            candidate = set(numbers)
            if all(candidate & entry for entry in sets) and not any(
                result <= candidate for result in results
            ):
                results.append(candidate)
    return {frozenset(result) for result in results}


def hitting_sets(sets, max_count=400):
    """Return all minimal hitting sets, by adding one set after the other (Berge 1989).

    Returns None if there are more than `max_count` at any time.
    """
    results = {frozenset()}
    for entry in sorted(sets, key=lambda one: (len(one), sorted(one))):
        hitting = {result for result in results if result & entry}
        grown = {result | {one} for result in results - hitting for one in entry}
        results = hitting | {
            result for result in grown if not any(other < result for other in hitting)
        }
        if len(results) > max_count:
            return None
    return results


def plain_correction_sets(board):
    """Return the minimal sets of rows that some code violates, by trying every code."""
    missed = {frozenset(twins.wrong_rows(board, code)) for code in twins.codes(board.game)}
    return {entry for entry in missed if not any(other < entry for other in missed)}


def conflicts_and_correction_sets(board):
    """Return all conflicts and all correction sets; assert that they are distinct."""
    results = list(marco(SubsetOracle(board)))
    conflicts = [frozenset(result.rows) for result in results if isinstance(result, Conflict)]
    sets = [result for result in results if not isinstance(result, Conflict)]
    assert len(conflicts) == len(set(conflicts))
    assert len(sets) == len(set(sets))
    return set(conflicts), set(sets)


def slipped_board(rng, rows, slips):
    """Return a board of `rows` rows, of which `slips` are scored for another code."""
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


def test_correction_sets_are_those_of_trying_every_code():
    boards = inconsistent_boards(share(400), seed=71, **SMALL)
    assert spaces_of(boards) == EVERY_SPACE
    for board in boards:
        assert set(correction_sets(SubsetOracle(board))) == plain_correction_sets(board), str(board)


def test_only_consistent_boards_have_the_empty_correction_set():
    for board, codes in known_boards(share(100), seed=72):
        sets = list(correction_sets(SubsetOracle(board)))
        assert (sets == [frozenset()]) == bool(codes)


def test_conflicts_and_correction_sets_are_dual_on_small_boards():
    """Compared with a trial of every set of rows."""
    for board in inconsistent_boards(share(200), seed=73, **SMALL):
        conflicts, sets = conflicts_and_correction_sets(board)
        size = len(board.rows)
        assert conflicts == {frozenset(conflict) for conflict in twins.minimal_conflicts(board)}
        assert sets == plain_hitting_sets(conflicts, size), str(board)
        assert conflicts == plain_hitting_sets(sets, size), str(board)


def test_both_computations_of_hitting_sets_agree():
    rng = random.Random(74)
    for _ in range(200):
        sets = [
            frozenset(rng.sample(range(7), rng.randint(1, 4))) for _ in range(rng.randint(0, 6))
        ]
        assert hitting_sets(sets) == plain_hitting_sets(sets, 7)


@pytest.mark.parametrize("rows", [8, 12, 20, 30, 40, 50, 60])
def test_conflicts_and_correction_sets_are_dual_on_boards_of_many_rows(rows):
    """The correction sets are those of all codes, and the conflicts are their hitting sets."""
    rng = random.Random(rows)
    num_with_many_conflicts = 0
    for _ in range(12):
        board = slipped_board(rng, rows, slips=rng.choice([1, 2, 3]))
        plain = plain_correction_sets(board)
        expected = hitting_sets(plain) if plain != {frozenset()} else set()
        if expected is None:  # there are too many
            continue
        conflicts, sets = conflicts_and_correction_sets(board)
        assert sets == plain, str(board)
        assert conflicts == expected, str(board)
        assert hitting_sets(conflicts) in (sets, None)
        num_with_many_conflicts += len(conflicts) > 5
    assert num_with_many_conflicts
