"""The solvers of the study, and refutations without search, against lists of all codes."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

import mmsat
from mmsat.game.board import Board, Status
from mmsat.reductions.families import FAMILIES
from mmsat.studies import ENSEMBLES, Point, entropy_rows
from mmsat.studies.measure import SOLVERS, is_degenerate, name_refutation, solve
from tests.support import twins

SMALL = (("random-two-color", 8, 4), ("six-colors", 4, 4), ("random-classic", 4, 3))


def boards(family, size, rows, answer="any", question="any", *, count=12):
    point = Point("transition", family, answer, question, size, rows)
    return [point.make(number) for number in range(count)]


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(("family", "size", "rows"), SMALL)
def test_verdicts_agree_with_a_list_of_all_codes(solver, family, size, rows):
    seen = set()
    for board in boards(family, size, rows):
        codes = twins.consistent(board.board)
        status = solve(solver, board.board, 10).status
        assert status is (Status.CONSISTENT if codes else Status.INCONSISTENT)
        seen.add(status)
    assert len(seen) == 2


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(("family", "size", "rows"), SMALL)
def test_solvers_find_another_code_if_there_is_one(solver, family, size, rows):
    seen = set()
    for board in boards(family, size, rows, "consistent", "other"):
        codes = twins.consistent(Board(board.board.game, board.board.rows))
        assert {*board.board.known} < {*codes} or [*board.board.known] == codes
        status = solve(solver, board.board, 10).status
        assert status is (Status.CONSISTENT if len(codes) > 1 else Status.INCONSISTENT)
        seen.add(status)
    assert len(seen) == 2


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_number_of_steps_is_reproducible(solver):
    board = boards("six-colors", 12, 9)[1].board
    first, second = solve(solver, board, 10), solve(solver, board, 10)
    assert first[:3] == second[:3]
    assert first.steps > 8


@pytest.mark.parametrize("solver", SOLVERS)
def test_solvers_stop_at_their_budget(solver):
    """No solver decides 96 pegs with this little work, and each reports it."""
    board = boards("random-two-color", 96, 28)[0].board
    effort = solve(solver, board, 0.0005)
    assert effort.status is Status.UNKNOWN


@pytest.mark.parametrize(("family", "size", "rows"), [("random-two-color", 8, 5), SMALL[1]])
def test_degenerate_boards_have_two_contradictory_rows(family, size, rows):
    """For two colors this is exact; for more colors it holds if only black is given."""
    seen = Counter()
    for created in boards(family, size, rows, count=60):
        board = created.board
        if family == "random-two-color":
            pairs = [(0, a, b) for a in range(1, rows + 1) for b in range(a)]
            expected = any(not twins.consistent(board.only(sorted({*pair}))) for pair in pairs)
            assert is_degenerate(board) == expected
        elif is_degenerate(board):
            pairs = [(a, b) for a in range(rows) for b in range(a)]
            assert any(not twins.consistent(board.only(sorted(pair))) for pair in pairs)
        seen[is_degenerate(board)] += 1
    assert len(seen) == 2


def test_only_boards_without_a_code_are_refuted():
    for family, size, rows in SMALL:
        for board in boards(family, size, rows, count=30):
            if name_refutation(board.board):
                assert not twins.consistent(board.board)


@pytest.mark.parametrize(
    ("family", "kinds"),
    [
        ("one-in-three-3sat", {"mod 2", "rational"}),
        ("linear-system", {"mod 3", "mod 2", "rational"}),
        ("regular-one-in-k", {"mod 3", "rational"}),
        ("sat", {"hidden"}),
        ("vertex-cover-regular", {"", "bounds"}),
    ],
)
def test_families_are_refuted_by_the_expected_algebra(family, kinds):
    names = [
        name_refutation(
            Point("growth", family, "inconsistent", "any", FAMILIES[family].size).make(n).board
        )
        for n in range(6)
    ]
    assert {*names} <= kinds


@pytest.fixture(scope="module")
def samples():
    """The samples of the small sizes of each ensemble."""
    return [
        (ensemble, sample)
        for ensemble, sizes in (
            (ENSEMBLES["random-two-color"], (16, 24)),
            (ENSEMBLES["six-colors"], (8, 14)),
        )
        for size in sizes
        for sample in ensemble.planned_points(size)
    ]


def test_no_two_points_share_a_seed(samples):
    points = [sample.point for _, sample in samples]
    assert len(points) == len({*points})
    created = [str(point.make(number).board) for point in points for number in range(3)]
    assert max(Counter(created).values()) == 1


def test_every_size_has_five_numbers_of_rows_around_the_half_point(samples):
    for ensemble, size in {(ensemble.family, sample.point.size) for ensemble, sample in samples}:
        near = [
            (sample.point.rows, sample.divisor)
            for other, sample in samples
            if (other.family, sample.point.size, sample.point.answer) == (ensemble, size, "any")
        ]
        full = sorted(rows for rows, divisor in near if divisor == 1)
        assert full == list(range(full[0], full[0] + 5))
        low, high = (
            np.mean(
                [
                    mmsat.estimate(
                        Point("transition", ensemble, "any", "any", size, rows).make(n).board
                    ).probability
                    for n in range(40)
                ]
            )
            for rows in (full[-1], full[0])
        )
        assert low < 0.45
        assert high > 0.55


def test_the_unit_of_rows_follows_its_definition():
    """By all guesses and all rearrangements of a small code."""
    pegs = 6
    game = FAMILIES["random-two-color"].game(pegs)
    guesses = list(twins.codes(game))
    codes = [code for code in guesses if sum(code) == 3]
    information = []
    for guess in guesses:
        scores = Counter(game.score(code, guess) for code in codes)
        information += [-math.log(scores[game.score(code, guess)] / len(codes)) for code in codes]
    entropy = sum(information) / len(information)
    assert entropy_rows(2, pegs) == pytest.approx(math.log(len(codes)) / entropy)
