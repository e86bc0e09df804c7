"""The estimate of the number of codes: exact moments, sound zeros, its error on fresh boards."""

import math
import random
from collections import Counter

import numpy as np
import pytest

import mmsat
from mmsat.constraints.expected_count import code_classes, estimate_log_count, moments
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.reductions.families import FAMILIES
from tests.support import tiers, twins
from tests.support.random_boards import random_guess, random_score, random_secret

SIZES = ("4x3", "5x2", "3x4", "4x5d", "3x3d", "4x3b", "5x2b", "3x5db")


def boards_of(size, number, slips=0.3):
    """Random boards of a game, with wrong, impossible, unread and repeated scores."""
    rng, game = random.Random(f"{size} {number}"), Game.parse(size)
    for _ in range(number):
        secret = random_secret(rng, game)
        guesses = [random_guess(rng, game) for _ in range(rng.randint(0, 5))]
        guesses += guesses[: rng.randint(0, 1)]
        yield Board(
            game,
            tuple(Row(guess, random_score(rng, game, secret, guess, slips)) for guess in guesses),
        )


def codes_of_class(game, code_class):
    """The codes of a class, by the multiplicities of its colors; all codes if there are none."""
    codes = list(twins.codes(game))
    if code_class.multiplicities is None or game.space.name == "distinct":
        return codes
    wanted = {color: n for color, n in enumerate(code_class.multiplicities) if n}
    return [code for code in codes if Counter(code) == wanted]


@pytest.mark.parametrize("size", SIZES)
def test_sizes_means_and_covariances_of_classes_are_exact(size):
    num_classes = 0
    for board in boards_of(size, 30):
        for code_class in code_classes(board):
            codes = codes_of_class(board.game, code_class)
            table = code_class.table
            values = np.array(
                [table[:, range(board.game.pegs), list(code)].sum(axis=1) for code in codes]
            ).reshape(len(codes), len(table))
            mean, covariance = moments(code_class)
            assert math.exp(code_class.log_size) == pytest.approx(len(codes))
            assert mean == pytest.approx(values.mean(axis=0))
            centered = values - values.mean(axis=0)
            assert covariance == pytest.approx(centered.T @ centered / len(codes), abs=1e-9)
            num_classes += 1
    assert num_classes >= 10


@pytest.mark.parametrize("size", SIZES)
def test_every_consistent_code_is_in_one_class_and_an_estimate_of_zero_is_a_proof(size):
    zeros = 0
    for board in boards_of(size, 60):
        codes = [code for code in twins.codes(board.game) if board.is_consistent(code)]
        matching = [
            code
            for code_class in code_classes(board)
            for code in codes_of_class(board.game, code_class)
            if tuple(code_class.table[:, range(len(code)), list(code)].sum(axis=1))
            == code_class.scores
        ]
        assert sorted(matching) == sorted(codes)
        estimate = mmsat.estimate(board)
        if estimate.log_count == -math.inf:
            zeros += 1
            assert not codes
            assert (estimate.probability, str(estimate)) == (0, "no code")
    assert zeros


@pytest.mark.parametrize(("family", "size"), [("random-two-color", 10), ("six-colors-black", 5)])
def test_without_covariances_only_their_terms_differ(family, size):
    """All rearrangements are listed, so the twin of the covariance is that of a list."""
    num_compared = 0
    for seed in range(12):
        board = mmsat.generate(family, size, rows=3, seed=seed, answer="consistent").board
        [code_class] = code_classes(board)
        codes = codes_of_class(board.game, code_class)
        scores = np.array(
            [[board.game.score(c, row.guess)[0] for c in codes] for row in board.rows]
        )
        differs = scores.std(axis=1) > 0
        deviation = np.array([row.score[0] for row in board.rows]) - scores.mean(axis=1)
        covariance = np.cov(scores[differs], bias=True)
        if np.linalg.matrix_rank(covariance) < differs.sum():
            continue
        deviation, variances = deviation[differs], np.diag(covariance)
        change = (
            deviation @ np.linalg.inv(covariance) @ deviation
            - (deviation**2 / variances).sum()
            + math.log(np.linalg.det(covariance))
            - np.log(variances).sum()
        ) / 2
        plain = estimate_log_count(board, use_covariances=False)
        assert plain - estimate_log_count(board) == pytest.approx(change, abs=1e-6)
        assert estimate_log_count(board) == mmsat.estimate(board).log_count
        num_compared += abs(change) > 0.01
    assert num_compared >= 4


POINTS = [
    ("random-two-color", 16, 4),
    ("random-two-color", 24, 6),
    ("random-two-color", 24, 9),
    ("random-two-color", 32, 9),
    ("six-colors", 8, 3),
    ("six-colors", 8, 6),
    ("six-colors", 10, 6),
    ("six-colors-black", 8, 4),
    ("six-colors-black", 10, 8),
    ("random-classic", 7, 4),
]


@pytest.mark.parametrize(("family", "size", "rows"), POINTS)
def test_the_interval_contains_the_number_of_codes_as_often_as_documented(family, size, rows):
    number = tiers.share(120, least=30)
    first_seed = 10_000 + random.Random(f"{family} {size} {rows}").randrange(10_000)
    contained, deviations = 0, []
    for seed in range(first_seed, first_seed + number):
        answer = ("any", "consistent")[seed % 2]
        board = mmsat.generate(family, size, rows=rows, seed=seed, answer=answer).board
        estimate, count = mmsat.estimate(board), int(mmsat.count(board))
        logarithm = math.log(count) if count else -math.inf
        low, high = estimate.interval()
        contained += low <= logarithm <= high
        if count >= 50:
            deviations.append((logarithm - estimate.log_count) / estimate.error)
    # 95 % are documented; three standard deviations of a share below it are chance
    assert contained / number >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / number)
    if len(deviations) >= 20:
        assert np.sqrt(np.mean(np.square(deviations))) < 1.4


@pytest.mark.parametrize(
    ("family", "size"), [("random-two-color", 24), ("six-colors", 9), ("six-colors-black", 8)]
)
@pytest.mark.parametrize("probability", [0.15, 0.5, 0.85])
def test_about_the_requested_fraction_of_boards_is_consistent(family, size, probability):
    number = tiers.share(150, least=40)
    boards = [
        mmsat.generate(family, size, probability=probability, seed=20_000 + seed).board
        for seed in range(number)
    ]
    (rows,) = {len(board.rows) for board in boards}
    expected = np.array([mmsat.estimate(board).probability for board in boards])
    consistent = sum(bool(mmsat.check(board)) for board in boards)
    spread = math.sqrt((expected * (1 - expected)).sum())
    # the Gaussian probability of a board is itself uncertain, hence the second term
    assert abs(consistent - expected.sum()) < 3 * spread + 0.08 * number
    # no other number of rows is nearer to the request, up to the chance of the sample
    steps = [
        np.mean(
            [
                mmsat.estimate(FAMILIES[family].make(size, seed, "any", other).board).probability
                for seed in range(100)
            ]
        )
        for other in (rows - 2, rows - 1, rows, rows + 1)
    ]
    assert steps == sorted(steps, reverse=True)
    assert steps[-1] - 0.1 < probability < steps[0] + 0.1


def test_many_boards_have_the_rows_of_one():
    board = mmsat.generate("six-colors", 8, probability=0.3, seed=1).board
    (line,) = mmsat.generate_many("six-colors", 1, 8, probability=0.3, seed=1)
    assert str(board) in line


def test_what_the_probability_excludes_is_said_with_all_faults():
    with pytest.raises(mmsat.InputError) as caught:
        mmsat.generate("six-colors", 8, rows=3, answer="slipped", probability=1.0)
    assert len(caught.value.faults) == 3
    with pytest.raises(mmsat.InputError, match="determines the rows"):
        mmsat.generate("vertex-cover", probability=0.5)


@pytest.mark.parametrize("board", ["5x26p/ABCDE=GGYY-", "4x6w/1122=3", "4x6/11?2=1.1", "30x30"])
def test_boards_without_an_estimate_are_refused_in_words(board):
    if board == "30x30":
        assert mmsat.estimate(board).error == 0  # the size of the game
        board = f"30x30/{'-'.join(map(str, range(1, 31)))}=3.9"
    with pytest.raises(mmsat.SizeError, match="estimate"):
        mmsat.estimate(board)


def test_known_codes_do_not_change_the_estimate_of_further_codes():
    """On planted boards, it is the number of further codes that is estimated, on average."""
    board = Board.parse("8x6/11223344=2.3/55661122=1.3/13523466=3.2")
    code = next(iter(mmsat.codes(board)))
    without = Board(board.game, board.rows, known=(code,))
    assert mmsat.estimate(without) == mmsat.estimate(board)
    generated = [
        mmsat.generate("random-two-color", 20, rows=7, answer="consistent", seed=30_000 + seed)
        for seed in range(tiers.share(300, least=100))
    ]
    expected = np.array([math.exp(mmsat.estimate(each.board).log_count) for each in generated])
    further = np.array([int(mmsat.count(each.board)) - 1 for each in generated])
    spread = math.sqrt((expected + 0.1 * expected**2).sum())
    assert abs(further.sum() - expected.sum()) < 4 * spread
