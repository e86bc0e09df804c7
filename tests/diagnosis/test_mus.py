"""Shrinking to minimal conflicts, model rotation, and linear programming."""

from __future__ import annotations

import random
from itertools import chain, combinations

import pytest

from mmsat.constraints import System
from mmsat.diagnosis.mus import ModelRotation, Witnesses, shrink, shrink_by_farkas, shrink_to_mus
from mmsat.encoding.integer_models import LinearSystem
from mmsat.errors import InternalError
from mmsat.game import Row, library
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.solving.oracle import DensePortfolioWork, SubsetOracle
from mmsat.solving.refutation import Relaxation, is_too_large
from tests.support import twins
from tests.support.random_boards import (
    inconsistent_boards,
    random_guess,
    random_score,
    random_secret,
)
from tests.support.tiers import at_least, share

SMALL = {"pegs": 4, "colors": 3, "rows": 7}


def test_shrinking_returns_a_minimal_set_of_a_family():
    """A set is unsatisfiable if it contains a set of the family; cores are random supersets."""
    rng = random.Random(51)
    for _ in range(share(500)):
        everything = frozenset(range(rng.randint(1, 12)))
        family = [
            frozenset(rng.sample(sorted(everything), rng.randint(1, len(everything))))
            for _ in range(rng.randint(1, 4))
        ]
        queries = []

        def core_of(rows, family=family, queries=queries):
            queries.append(rows)
            contained = [entry for entry in family if entry <= rows]
            return (
                rng.choice(contained) | {row for row in rows if rng.random() < 0.5}
                if contained
                else None
            )

        def needed(rows, queries=queries):
            removed = rows - queries[-1]
            return removed if len(removed) == 1 else ()

        result = shrink_to_mus(everything, core_of, needed)
        minimal = [entry for entry in family if not any(other < entry for other in family)]
        assert result in minimal
        assert len(queries) <= 4 * len(everything) + 4


def test_many_unneeded_rows_are_removed_in_few_queries():
    queries = []

    def core_of(rows):
        queries.append(rows)
        return rows if {0, 1} <= rows else None

    result = shrink_to_mus(
        frozenset(range(1000)), core_of, lambda rows: (rows - queries[-1]) & {0, 1}
    )
    assert result == {0, 1}
    assert len(queries) < 40


def neighbors_by_trial(board, code, rows):
    """Return all neighbors of the code that violate only one of `rows`, by that row."""
    pegs = range(board.game.pegs)
    pairs = [(one, two) for one, two in combinations(pegs, 2) if code[one] != code[two]]
    results = {}
    for move in chain([(peg,) for peg in pegs], pairs):
        other = tuple(1 - color if peg in move else color for peg, color in enumerate(code))
        violated = rows.intersection(twins.wrong_rows(board, other))
        if len(violated) == 1:
            results.setdefault(*violated, []).append(other)
    return results


def test_model_rotation_finds_a_neighbor_for_each_row_that_has_one():
    rng = random.Random(52)
    count = 0
    for size in ["6x2", "5x2b", "6x2w", "7x2", "3x2", "1x2"] * share(100):
        game = Game.parse(size)
        secret = random_guess(rng, game)
        guesses = [random_guess(rng, game) for _ in range(rng.randint(1, 6))]
        rows = [Row(guess, random_score(rng, game, secret, guess, 0.1)) for guess in guesses]
        board = Board(game, tuple(rows))
        code = random_guess(rng, game)
        chosen_rows = {row for row in range(len(rows)) if rng.random() < 0.8}
        result = ModelRotation(board).find_critical_neighbors(code, chosen_rows)
        expected = neighbors_by_trial(board, code, chosen_rows)
        assert result.keys() == expected.keys(), str(board)
        assert all(neighbor in expected[row] for row, neighbor in result.items())
        count += len(result)
    assert count > at_least(300)


def test_model_rotation_finds_nothing_with_more_than_two_colors():
    board = Board.parse("4x6/1122=1.1/3345=0.2")
    assert ModelRotation(board).find_critical_neighbors((0, 0, 1, 1), {0, 1}) == {}


def test_each_witness_violates_only_its_row_of_the_conflict():
    for board in inconsistent_boards(share(100), seed=53, **SMALL):
        oracle = SubsetOracle(board)
        rows = shrink(oracle, oracle.all_rows)
        witnesses = Witnesses(oracle)
        shrink_to_mus(rows, oracle.core_of, witnesses.needed_rows)
        witnesses.verify(rows)
        for row in rows:
            assert twins.wrong_rows(board.only(sorted(rows)), witnesses.codes[row]) == [
                sorted(rows).index(row)
            ]
        with pytest.raises(InternalError, match="is not needed"):
            Witnesses(oracle).verify(rows)


@pytest.mark.parametrize(("size", "num_rows"), [("20x20", 15), ("30x30", 25), ("24x10", 20)])
def test_two_contradicting_rows_of_a_large_board_need_no_hard_query(size, num_rows, monkeypatch):
    def step(work, budget):
        assert len(work.search.query.rows) < 5, "a query about many rows needed the portfolio"
        return plain_step(work, budget)

    plain_step = DensePortfolioWork.step
    monkeypatch.setattr(DensePortfolioWork, "step", step)
    game = Game.parse(size)
    for seed in range(3):
        rng = random.Random(seed)
        secret = random_secret(rng, game)
        guesses = [random_guess(rng, game) for _ in range(num_rows)]
        rows = [Row(guess, game.score(secret, guess)) for guess in guesses]
        first = rng.randrange(num_rows)
        guess, (black, white) = rows[first]
        second = num_rows
        rows.append(Row(guess, (black + 1, white)))
        oracle = SubsetOracle(Board(game, tuple(rows)))
        conflict = shrink(oracle, oracle.all_rows)
        assert second in conflict
        assert len(conflict) <= 4  # usually the two rows


def test_linear_programming_refutes_only_inconsistent_rows():
    """It refutes many inconsistent boards, by rows that contradict each other."""
    num_refuted = 0
    for board in inconsistent_boards(share(300), seed=54, **SMALL):
        linear = LinearSystem.of(System.of(board))
        relaxation = Relaxation(linear.variables, linear.hard, linear.rows)
        core = relaxation.farkas_multipliers(range(len(board.rows)))
        if core is not None:
            num_refuted += 1
            assert twins.consistent(board.only(sorted(core))) == [], str(board)
        rng = random.Random(str(board))
        subset = frozenset(row for row in range(len(board.rows)) if rng.random() < 0.5)
        if twins.consistent(board.only(sorted(subset))):
            assert relaxation.farkas_multipliers(subset) is None
    assert num_refuted > at_least(100)


def test_shrinking_by_farkas_keeps_a_conflict():
    num_shrunk = 0
    for board in inconsistent_boards(share(200), seed=55, **SMALL):
        oracle = SubsetOracle(board)
        rows = shrink_by_farkas(oracle, oracle.all_rows)
        assert rows <= oracle.all_rows
        num_shrunk += rows < oracle.all_rows
        assert twins.consistent(board.only(sorted(rows))) == []
    assert num_shrunk > at_least(50)


def test_too_large_linear_programs_are_skipped():
    board = Board.parse("4x6/1122=1.1/1122=0.2")
    linear = LinearSystem.of(System.of(board))
    assert not is_too_large(linear.hard, linear.rows)
    assert is_too_large(linear.hard, linear.rows, 10)
    oracle = SubsetOracle(board)
    assert shrink_by_farkas(oracle, oracle.all_rows, max_terms=10) == oracle.all_rows


@pytest.mark.parametrize(
    "name",
    [
        "reductions/vertex-cover-regular-9-inconsistent",
        "reductions/consistent-mastermind-7-inconsistent",
        "hard/one-in-three-3sat-60-inconsistent",
    ],
)
def test_conflicts_of_large_two_color_boards_are_minimal(name):
    """They are found by algebra and model rotation. Each row is needed."""
    board = library.find(name).board
    oracle = SubsetOracle(board)
    rows = shrink(oracle, oracle.all_rows)
    assert oracle.find(rows) is None
    for row in rows:
        code = SubsetOracle(board).find(rows - {row})
        assert code is not None
        assert board.only(sorted(rows - {row})).is_consistent(code)


@pytest.mark.parametrize("row_scores", [("?.10", "?.8", "?.12"), ("10.?", "9.?", "12.?")])
def test_conflicts_of_large_boards_with_partly_read_scores(row_scores):
    """With white alone, the weight of the code is unknown, so algebra is not used."""
    scores = zip(("12" * 15, "112" * 10, "12" * 15), row_scores, strict=True)
    board = Board.parse("/".join(["30x2", *(f"{guess}={score}" for guess, score in scores)]))
    oracle = SubsetOracle(board)
    assert shrink(oracle, oracle.all_rows) == {0, 2}
