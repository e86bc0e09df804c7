"""Several boards at once: compared with a plain twin on random games."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest

import mmsat
from mmsat import Board, Game, InconsistentError, InputError, SeveralBoards
from mmsat.game.scoring import SCORINGS
from mmsat.game.words import Words
from mmsat.strategy.optimal import BASE_COST, BITS_PER_GUESS, COST_PER_GUESS
from mmsat.strategy.several import MULTI_BOARD_STRATEGIES, rank_together
from tests.support import tiers, twins


def random_games(num_games):
    """Yield games with and without a list of words, with all scorings that such games can have."""
    rng = random.Random(31)
    names = ["places", "black-white", "black"]
    for number in range(num_games):
        scoring = SCORINGS[names[number % 3]]
        if number % 4 == 0:
            yield Game(3, 3, scoring=scoring)
        else:
            words = rng.sample([*product(range(4), repeat=3)], rng.randint(3, 30))
            yield Game(3, 4, Words(words, allows_any_guess=True), scoring, name="words of a test")


def random_boards(rng, game, num_boards, guess_limit=3):
    """Return boards after fewer than `guess_limit` random guesses, and their secrets."""
    codes = [*twins.codes(game)]
    secrets = rng.choices(codes, k=num_boards)
    boards = SeveralBoards.start(game, num_boards)
    for _ in range(rng.randrange(guess_limit)):
        if not boards.is_solved:
            boards = boards.with_guess(rng.choice(codes), secrets)
    return boards, secrets


def cost(size, *, rates_by_entropy):
    """Return the cost of a part of `size` codes by definition.

    The unit is 1 / COST_PER_GUESS of a guess, or of a bit if `rates_by_entropy`.
    """
    uncertainty = size * ((size**COST_PER_GUESS).bit_length() - 1)  # size * log2(size), rounded
    if rates_by_entropy:
        return uncertainty
    lower_bound = (2 * size - 1) * COST_PER_GUESS
    return (
        lower_bound
        if size <= 2
        else max(lower_bound, size * BASE_COST + uncertainty // BITS_PER_GUESS)
    )


def plain_choice(boards, name):
    """Return the guess that is best by definition, among all codes of the game."""
    strategy, game = MULTI_BOARD_STRATEGIES[name], boards.game
    lists = [twins.consistent(board) for board in boards.boards if not board.is_solved]
    lists = lists if strategy.is_joint else lists[:1]
    certain_codes = [codes[0] for codes in lists if len(codes) == 1]
    best = None
    for guess in twins.codes(game):
        if certain_codes and not strategy.rates_by_entropy and guess not in certain_codes:
            continue
        total = Fraction()
        for codes in lists:
            scores = [twins.score(game.scoring, code, guess) for code in codes]
            sizes = [scores.count(score) for score in {*scores}]
            total_cost = sum(
                cost(size, rates_by_entropy=strategy.rates_by_entropy) for size in sizes
            )
            total_cost -= cost(1, rates_by_entropy=strategy.rates_by_entropy) * (guess in codes)
            total += Fraction(total_cost, len(codes))
        key = (total, all(guess not in codes for codes in lists), guess)
        best = key if best is None or key < best else best
    return best[-1]


def test_guesses_follow_the_definition():
    rng = random.Random(1)
    seen = set()
    for number, game in enumerate(random_games(tiers.share(120, least=24))):
        boards, _ = random_boards(rng, game, rng.choice([1, 2, 4, 8]))
        if boards.is_solved:
            continue
        for name in MULTI_BOARD_STRATEGIES:
            assert rank_together(boards, name)[0] == plain_choice(boards, name), (number, boards)
        seen.add((game.scoring.name, game.space.name, len(boards.unsolved) == len(boards.boards)))
    assert len(seen) > 8


def test_every_guess_is_scored_on_every_unsolved_board_and_every_game_is_won():
    rng = random.Random(2)
    for game in random_games(tiers.share(60, least=12)):
        for name in MULTI_BOARD_STRATEGIES:
            boards, secrets = random_boards(rng, game, rng.choice([1, 2, 4]), guess_limit=1)
            for _ in range(len(secrets) * game.size + 1):
                if boards.is_solved:
                    break
                (guess,) = rank_together(boards, name)
                before, boards = boards, boards.with_guess(guess, secrets)
                for number, board in enumerate(boards.boards):
                    new_rows = board.rows[len(before.boards[number].rows) :]
                    expected = [(guess, twins.score(game.scoring, secrets[number], guess))]
                    assert [*new_rows] == (expected if number in before.unsolved else [])
            assert boards.is_solved


def test_boards_can_be_printed_and_parsed_and_the_last_guess_removed():
    rng = random.Random(3)
    for game in (Game.parse("3x3p"), Game.parse("3x4"), Game.parse("3x3b")):
        for _ in range(tiers.share(60, least=10)):
            boards, secrets = random_boards(rng, game, rng.randint(1, 5))
            assert SeveralBoards.of(boards.to_list()) == boards
            if not boards.is_solved:
                (guess,) = rank_together(boards)
                after = boards.with_guess(guess, secrets)
                assert after.without_last() == boards
                assert after.guesses == (*boards.guesses, guess)


def test_the_evaluation_on_each_board_follows_the_definition():
    rng = random.Random(4)
    for game in random_games(tiers.share(60, least=12)):
        boards, _ = random_boards(rng, game, 3)
        if boards.is_solved:
            continue
        result = mmsat.suggest_many(boards)
        assert [entry.board for entry in result.outlooks] == [*boards.unsolved]
        for outlook in result.outlooks:
            board = boards.boards[outlook.board]
            codes = twins.consistent(board)
            scores = [twins.score(game.scoring, code, result.guess) for code in codes]
            assert outlook.codes.count == len(codes)
            assert outlook.prospect.is_possible == (result.guess in codes)
            assert outlook.prospect.expected == Fraction(sum(map(scores.count, scores)), len(codes))
            assert (outlook.board in result.solves) == (codes == [result.guess])
        assert str(result).startswith("Guess ")


@pytest.mark.parametrize(
    ("boards", "message"),
    [
        (["4x6/1122=1.1", "4x6/1123=1.1"], "board 2, row 1: expected 1122"),
        (["4x6/1122=1.1", "4x5/1122=1.1"], "board 2: expected 4x6"),
        (["4x6/1122=1.1", "4x6"], "board 2: expected 1 row"),
        (["4x6/1122=4.0/1234=1.1", "4x6/1122=1.1/1234=1.1"], "expected fewer rows, found 2 rows"),
        (["4x6/1122=4.0", "4x6/1122=4.0"], "solved"),
        ([], "1 to 1,000 boards"),
        ("4x6", "an iterable of boards"),
    ],
)
def test_invalid_boards_are_reported(boards, message):
    with pytest.raises(InputError, match=message):
        mmsat.suggest_many(boards)


def test_contradictory_scores_are_reported():
    with pytest.raises(InconsistentError):
        mmsat.suggest_many(["2x2/11=1.0/22=0.0", "2x2/11=1.0/22=1.0"])


def test_guesses_in_large_games_are_evaluated_on_a_sample():
    boards = ["8x12/AABBCCDD=2.2", "8x12/AABBCCDD=1.3"]
    result = mmsat.suggest_many(boards, seed=1)
    assert result.guess == mmsat.suggest_many(boards, seed=1).guess
    for outlook in result.outlooks:
        assert outlook.prospect.judged_by == 1000 < outlook.codes.count
        board = Board.parse(boards[outlook.board])
        assert outlook.prospect.is_possible == board.is_consistent(result.guess)


def test_matches_report_the_numbers_of_guesses():
    for game in (Game.parse("3x4"), Game.parse("3x3p")):
        result = mmsat.match_many(game, [*MULTI_BOARD_STRATEGIES], count=3, games=6, seed=5)
        assert (
            result.to_dict()
            == mmsat.match_many(game, [*MULTI_BOARD_STRATEGIES], count=3, games=6, seed=5).to_dict()
        )
        for codes, guess_counts in zip(result.codes, result.guesses, strict=True):
            for name, turns in zip(MULTI_BOARD_STRATEGIES, guess_counts, strict=True):
                boards = SeveralBoards.start(game, 3)
                for _ in range(turns):
                    assert not boards.is_solved
                    boards = boards.with_guess(rank_together(boards, name)[0], codes)
                assert boards.is_solved
                assert turns >= len({*codes})
        for number in range(len(MULTI_BOARD_STRATEGIES)):
            column = [guess_counts[number] for guess_counts in result.guesses]
            assert result.average(number) == Fraction(sum(column), 6)
            assert result.wins(number) == sum(turns <= 3 + 5 for turns in column)
            assert result.max_guesses(number) == max(column)
