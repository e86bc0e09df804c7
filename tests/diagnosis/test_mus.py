"""Shrinking to minimal sets with any oracle for cores."""

from __future__ import annotations

import random
from itertools import chain, combinations

import pytest

from mmsat.constraints.system import System
from mmsat.diagnosis.mus import ModelRotation, Witnesses, shrink, shrink_by_farkas, shrink_to_mus
from mmsat.encoding.linear import LinearSystem
from mmsat.errors import InternalError
from mmsat.game import library
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.row import Row
from mmsat.solving.queries.oracle import SubsetOracle
from mmsat.solving.refutation import Relaxation, is_too_large
from tests.support import twins
from tests.support.random_boards import inconsistent_boards, random_guess, random_score
from tests.support.tiers import at_least, share

SMALL = {"pegs": 4, "colors": 3, "rows": 7}


def test_any_minimal_set_of_a_family_is_found():
    """A set has a core if it contains one of the given sets; the returned core is any superset."""
    rng = random.Random(51)
    for _ in range(share(500)):
        everything = frozenset(range(rng.randint(1, 12)))
        family = [
            frozenset(rng.sample(sorted(everything), rng.randint(1, len(everything))))
            for _ in range(rng.randint(1, 4))
        ]
        asked = []

        def core_of(rows, family=family, asked=asked):
            asked.append(rows)
            within = [entry for entry in family if entry <= rows]
            return (
                rng.choice(within) | {row for row in rows if rng.random() < 0.5} if within else None
            )

        def needed(rows, asked=asked):
            left_out = rows - asked[-1]
            return left_out if len(left_out) == 1 else ()

        result = shrink_to_mus(everything, core_of, needed)
        least = [entry for entry in family if not any(other < entry for other in family)]
        assert result in least
        assert len(asked) <= 4 * len(everything) + 4


def test_many_rows_that_are_not_needed_go_in_big_steps():
    asked = []

    def core_of(rows):
        asked.append(rows)
        return rows if {0, 1} <= rows else None

    result = shrink_to_mus(
        frozenset(range(1000)), core_of, lambda rows: (rows - asked[-1]) & {0, 1}
    )
    assert result == {0, 1}
    assert len(asked) < 40


def neighbors_by_hand(board, code, rows):
    """By row: the codes one move away that miss just this one."""
    pegs = range(board.game.pegs)
    pairs = [(one, two) for one, two in combinations(pegs, 2) if code[one] != code[two]]
    results = {}
    for move in chain([(peg,) for peg in pegs], pairs):
        other = tuple(1 - color if peg in move else color for peg, color in enumerate(code))
        missed = rows.intersection(twins.wrong_rows(board, other))
        if len(missed) == 1:
            results.setdefault(*missed, []).append(other)
    return results


def test_neighbors_that_miss_one_row():
    rng = random.Random(52)
    count = 0
    for size in ["6x2", "5x2b", "6x2w", "7x2", "3x2", "1x2"] * share(100):
        game = Game.parse(size)
        secret = random_guess(rng, game)
        guesses = [random_guess(rng, game) for _ in range(rng.randint(1, 6))]
        rows = [Row(guess, random_score(rng, game, secret, guess, 0.1)) for guess in guesses]
        board = Board(game, tuple(rows))
        code = random_guess(rng, game)
        chosen = {row for row in range(len(rows)) if rng.random() < 0.8}
        result = ModelRotation(board).find_critical_neighbors(code, chosen)
        expected = neighbors_by_hand(board, code, chosen)
        assert result.keys() == expected.keys(), str(board)
        assert all(neighbor in expected[row] for row, neighbor in result.items())
        count += len(result)
    assert count > at_least(300)


def test_boards_of_many_colors_have_no_neighbors():
    board = Board.parse("4x6/1122=1.1/3345=0.2")
    assert ModelRotation(board).find_critical_neighbors((0, 0, 1, 1), {0, 1}) == {}


def test_the_witnesses_of_a_conflict_miss_one_row_each():
    for board in inconsistent_boards(share(100), seed=53, **SMALL):
        oracle = SubsetOracle(board)
        rows = shrink(oracle, oracle.everything)
        witnesses = Witnesses(oracle)
        shrink_to_mus(rows, oracle.core_of, witnesses.needed_rows)
        witnesses.verify(rows)
        for row in rows:
            assert twins.wrong_rows(board.only(sorted(rows)), witnesses.codes[row]) == [
                sorted(rows).index(row)
            ]
        with pytest.raises(InternalError, match="is not needed"):
            Witnesses(oracle).verify(rows)


def test_what_linear_programming_says_of_small_boards_is_true():
    """No board with a code is refuted, and many without one are, by rows that contradict."""
    refuted = 0
    for board in inconsistent_boards(share(300), seed=54, **SMALL):
        linear = LinearSystem.of(System.of(board))
        relaxation = Relaxation(linear.variables, linear.hard, linear.rows)
        core = relaxation.farkas_multipliers(range(len(board.rows)))
        if core is not None:
            refuted += 1
            assert twins.consistent(board.only(sorted(core))) == [], str(board)
        rng = random.Random(str(board))
        some = frozenset(row for row in range(len(board.rows)) if rng.random() < 0.5)
        if twins.consistent(board.only(sorted(some))):
            assert relaxation.farkas_multipliers(some) is None
    assert refuted > at_least(100)


def test_hints_are_rows_in_question():
    fewer = 0
    for board in inconsistent_boards(share(200), seed=55, **SMALL):
        oracle = SubsetOracle(board)
        hint = shrink_by_farkas(oracle, oracle.everything)
        assert hint <= oracle.everything
        fewer += hint < oracle.everything
        assert twins.consistent(board.only(sorted(hint))) == []
    assert fewer > at_least(50)


def test_a_large_program_is_not_written():
    board = Board.parse("4x6/1122=1.1/1122=0.2")
    linear = LinearSystem.of(System.of(board))
    assert not is_too_large(linear.hard, linear.rows)
    assert is_too_large(linear.hard, linear.rows, 10)
    oracle = SubsetOracle(board)
    assert shrink_by_farkas(oracle, oracle.everything, max_terms=10) == oracle.everything


@pytest.mark.parametrize(
    "name",
    [
        "reductions/vertex-cover-regular-9-inconsistent",
        "reductions/consistent-mastermind-7-inconsistent",
        "hard/one-in-three-3sat-60-inconsistent",
    ],
)
def test_conflicts_of_large_boards_of_two_colors(name):
    """Found by algebra and moves in a moment, and minimal, as is shown by codes of the rest."""
    board = library.find(name).board
    oracle = SubsetOracle(board)
    rows = shrink(oracle, oracle.everything)
    assert oracle.find(rows) is None
    for row in rows:
        code = SubsetOracle(board).find(rows - {row})
        assert code is not None
        assert board.only(sorted(rows - {row})).is_consistent(code)


@pytest.mark.parametrize("told", [("?.10", "?.8", "?.12"), ("10.?", "9.?", "12.?")])
def test_large_boards_whatever_was_read_of_them(told):
    """With white alone, the weight of the code is unknown, and the algebra is not used."""
    scores = zip(("12" * 15, "112" * 10, "12" * 15), told, strict=True)
    board = Board.parse("/".join(["30x2", *(f"{guess}={score}" for guess, score in scores)]))
    oracle = SubsetOracle(board)
    assert shrink(oracle, oracle.everything) == {0, 2}
