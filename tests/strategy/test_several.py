"""Several boards at once: by plain twins on random games of every kind of score."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest

import mmsat
from mmsat import Board, Game, InconsistentError, InputError, SeveralBoards
from mmsat.game.scoring import SCORINGS
from mmsat.game.words import Words
from mmsat.strategy.costs import BASE_COST, BITS_PER_GUESS, COST_PER_GUESS
from mmsat.strategy.several import MULTI_BOARD_STRATEGIES, rank_together
from tests.support import tiers, twins


def random_games(many):
    """Lists of words and whole games, of all scores that such games can have."""
    source = random.Random(31)
    names = ["places", "black-white", "black"]
    for number in range(many):
        scoring = SCORINGS[names[number % 3]]
        if number % 4 == 0:
            yield Game(3, 3, scoring=scoring)
        else:
            words = source.sample([*product(range(4), repeat=3)], source.randint(3, 30))
            yield Game(3, 4, Words(words, allows_any_guess=True), scoring, name="words of a test")


def random_boards(source, game, count, most=3):
    """Boards of random codes after some random guesses, and the codes."""
    codes = [*twins.codes(game)]
    secrets = source.choices(codes, k=count)
    boards = SeveralBoards.start(game, count)
    for _ in range(source.randrange(most)):
        if not boards.is_solved:
            boards = boards.with_guess(source.choice(codes), secrets)
    return boards, secrets


def cost(size, *, is_entropy):
    """Return the cost of a part of `size` codes, in fractions of a guess, by definition."""
    doubt = size * ((size**COST_PER_GUESS).bit_length() - 1)
    if is_entropy:
        return doubt
    least = (2 * size - 1) * COST_PER_GUESS
    return least if size <= 2 else max(least, size * BASE_COST + doubt // BITS_PER_GUESS)


def plain_choice(boards, name):
    """The best guess by the definition, over all codes of the game."""
    way, game = MULTI_BOARD_STRATEGIES[name], boards.game
    lists = [twins.consistent(board) for board in boards.boards if not board.is_solved]
    lists = lists if way.is_joint else lists[:1]
    known_codes = [codes[0] for codes in lists if len(codes) == 1]
    best = None
    for guess in twins.codes(game):
        if known_codes and not way.is_entropy and guess not in known_codes:
            continue
        total = Fraction()
        for codes in lists:
            scores = [twins.score(game.scoring, code, guess) for code in codes]
            sizes = [scores.count(score) for score in {*scores}]
            spent = sum(cost(size, is_entropy=way.is_entropy) for size in sizes)
            spent -= cost(1, is_entropy=way.is_entropy) * (guess in codes)
            total += Fraction(spent, len(codes))
        key = (total, all(guess not in codes for codes in lists), guess)
        best = key if best is None or key < best else best
    return best[-1]


def test_guesses_are_chosen_by_their_definition():
    source = random.Random(1)
    seen = set()
    for number, game in enumerate(random_games(tiers.share(120, least=24))):
        boards, _ = random_boards(source, game, source.choice([1, 2, 4, 8]))
        if boards.is_solved:
            continue
        for name in MULTI_BOARD_STRATEGIES:
            assert rank_together(boards, name)[0] == plain_choice(boards, name), (number, boards)
        seen.add((game.scoring.name, game.space.name, len(boards.unsolved) == len(boards.boards)))
    assert len(seen) > 8


def test_every_game_is_won_and_every_guess_scored_on_every_open_board():
    source = random.Random(2)
    for game in random_games(tiers.share(60, least=12)):
        for name in MULTI_BOARD_STRATEGIES:
            boards, secrets = random_boards(source, game, source.choice([1, 2, 4]), most=1)
            for _ in range(len(secrets) * game.size + 1):
                if boards.is_solved:
                    break
                (guess,) = rank_together(boards, name)
                before, boards = boards, boards.with_guess(guess, secrets)
                for number, board in enumerate(boards.boards):
                    gained = board.rows[len(before.boards[number].rows) :]
                    scored = [(guess, twins.score(game.scoring, secrets[number], guess))]
                    assert [*gained] == (scored if number in before.unsolved else [])
            assert boards.is_solved


def test_boards_read_back_and_guesses_are_taken_back():
    source = random.Random(3)
    for game in (Game.parse("3x3p"), Game.parse("3x4"), Game.parse("3x3b")):
        for _ in range(tiers.share(60, least=10)):
            boards, secrets = random_boards(source, game, source.randint(1, 5))
            assert SeveralBoards.of(boards.to_list()) == boards
            if not boards.is_solved:
                (guess,) = rank_together(boards)
                after = boards.with_guess(guess, secrets)
                assert after.without_last() == boards
                assert after.guesses == (*boards.guesses, guess)


def test_what_a_suggestion_says_of_each_board_is_true_of_it_alone():
    source = random.Random(4)
    for game in random_games(tiers.share(60, least=12)):
        boards, _ = random_boards(source, game, 3)
        if boards.is_solved:
            continue
        result = mmsat.suggest_several(boards)
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
    ("boards", "told"),
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
def test_boards_that_are_no_game_are_reported(boards, told):
    with pytest.raises(InputError, match=told):
        mmsat.suggest_several(boards)


def test_scores_that_contradict_each_other():
    with pytest.raises(InconsistentError):
        mmsat.suggest_several(["2x2/11=1.0/22=0.0", "2x2/11=1.0/22=1.0"])


def test_large_games_are_judged_by_codes_that_are_drawn():
    boards = ["8x12/AABBCCDD=2.2", "8x12/AABBCCDD=1.3"]
    result = mmsat.suggest_several(boards, seed=1)
    assert result.guess == mmsat.suggest_several(boards, seed=1).guess
    for outlook in result.outlooks:
        assert outlook.prospect.judged_by == 1000 < outlook.codes.count
        board = Board.parse(boards[outlook.board])
        assert outlook.prospect.is_possible == board.is_consistent(result.guess)


def test_matches_count_what_is_played():
    for game in (Game.parse("3x4"), Game.parse("3x3p")):
        result = mmsat.match_several(game, [*MULTI_BOARD_STRATEGIES], count=3, games=6, seed=5)
        assert (
            result.to_dict()
            == mmsat.match_several(
                game, [*MULTI_BOARD_STRATEGIES], count=3, games=6, seed=5
            ).to_dict()
        )
        for codes, took in zip(result.codes, result.guesses, strict=True):
            for name, turns in zip(MULTI_BOARD_STRATEGIES, took, strict=True):
                boards = SeveralBoards.start(game, 3)
                for _ in range(turns):
                    assert not boards.is_solved
                    boards = boards.with_guess(rank_together(boards, name)[0], codes)
                assert boards.is_solved
                assert turns >= len({*codes})
        for number in range(len(MULTI_BOARD_STRATEGIES)):
            column = [took[number] for took in result.guesses]
            assert result.average(number) == Fraction(sum(column), 6)
            assert result.wins(number) == sum(turns <= 3 + 5 for turns in column)
            assert result.most(number) == max(column)
