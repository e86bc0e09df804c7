"""Ranks, odds and samples agree with a full list of the codes, for every kind of game."""

from __future__ import annotations

import copy
import math
import pickle
import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import islice

import pytest

import mmsat
from mmsat.constraints import System
from mmsat.counting.count import MEMORY
from mmsat.counting.diagrams import DiagramRanking, build_ranking, select_ranking
from mmsat.counting.layout import Orders, UnsuitedError
from mmsat.counting.ranking import AllCodesRanking, ListRanking
from mmsat.errors import SizeError
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.limits import LIMITS
from tests.support import tiers, twins
from tests.support.random_boards import known_boards, random_guess, random_secret
from tests.support.rankings import check_ranking, table_of

CASES = ["pegs in order", "any order", "algebra", "algebra, any order"]


@pytest.mark.parametrize("case", CASES)
def test_diagrams_number_the_codes_of_every_game(case, monkeypatch):
    monkeypatch.setattr(LIMITS, "algebra_pegs", 0 if "algebra" in case else 32)
    source = random.Random(9)
    if "any order" in case:
        monkeypatch.setattr(
            Orders, "best", property(lambda self: tuple(source.sample(self.own, self.pegs)))
        )
        monkeypatch.setattr(Orders, "is_own_order_good", False)
    seen = Counter()
    boards = known_boards(tiers.share(500, least=250), seed=71)
    for board, codes in boards:
        try:
            ranking = build_ranking(board, System.of(board), MEMORY)
        except UnsuitedError:
            continue
        check_ranking(ranking, list(codes), board.game)
        seen[board.game.scoring.name, board.game.space.name] += 1
        parts = [part for _, part in getattr(ranking, "summands", [(1, ranking)])]
        diagrams = [part for part in parts if isinstance(part, DiagramRanking)]
        seen["turned"] += any(not part.layout.is_in_order for part in diagrams)
    kinds = {"black-white", "black", "color", "pairs", "places", "order"}
    assert min(seen[kind, space] for kind in kinds for space in ("repeats", "distinct")) > 0
    assert (seen["turned"] > len(boards) // 10) == ("any order" in case)


def test_what_suits_a_board_is_chosen_and_right():
    chosen = Counter()
    for board, codes in known_boards(tiers.share(1000), seed=72):
        ranking = select_ranking(board)
        chosen[type(ranking)] += 1
        check_ranking(ranking, list(codes), board.game)
    assert chosen[ListRanking] > 0
    assert chosen[AllCodesRanking] > 0


@pytest.mark.parametrize("size", ["1x1", "3x3", "2x4!", "3x3!", "1x5b", "2x2x2"])
def test_games_without_rows_are_numbered_without_a_diagram(size):
    game = Game.parse(size)
    check_ranking(AllCodesRanking(game), list(twins.codes(game)), game)


def test_codes_of_a_huge_game_have_numbers():
    codes = mmsat.codes(Board(Game.parse("60x30")))
    assert codes.count == 30**60
    middle = codes[30**59 * 7]
    assert middle == (7, *[0] * 59)
    assert codes.index(middle) == 30**59 * 7
    with pytest.raises(OverflowError):
        len(codes)


def big_board():
    """More codes than are listed at once."""
    source = random.Random(4)
    game = Game.parse("12x6")
    secret = random_secret(source, game)
    guesses = [random_guess(source, game) for _ in range(4)]
    return Board(game, tuple(Row(guess, game.score(secret, guess)) for guess in guesses))


def test_number_and_code_are_inverse_on_a_large_board():
    board = big_board()
    codes = mmsat.codes(board)
    assert isinstance(codes.ranking, DiagramRanking)
    assert codes.count > 10**4
    source = random.Random(5)
    numbers = sorted(source.randrange(codes.count) for _ in range(200))
    results = [codes[number] for number in numbers]
    assert results == sorted(results)
    assert all(map(board.is_consistent, results))
    assert [codes.index(code) for code in results] == numbers
    assert list(islice(codes, 300)) == list(codes[:300])
    assert codes[-1] == codes[codes.count - 1] == next(reversed(codes))


def test_odds_of_a_large_board_are_the_frequencies_of_the_full_list():
    codes = mmsat.codes(big_board())
    listed = list(codes)
    assert len(listed) == codes.count == len(codes)
    odds = codes.odds()
    table = table_of(codes.board.game, listed)
    assert [list(row) for row in odds] == [
        [Fraction(number, len(listed)) for number in row] for row in table
    ]
    assert odds.array().shape == (12, 6)
    assert all(math.isclose(row.sum(), 1) for row in odds.array())


def chi_squared(observed, cells):
    expected = sum(observed.values()) / cells
    missing = cells - len(observed)
    off = sum((number - expected) ** 2 / expected for number in observed.values())
    return off + missing * expected


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("line", ["4x6/1122=1.1/3345=0.2", "40x2b/" + "1" * 37 + "222=37"])
def test_samples_are_uniform(line, seed):
    """Chi squared of single draws: within four standard deviations of its mean."""
    board = Board.parse(line)
    codes = mmsat.codes(board)
    count = codes.count
    assert 30 < count < 10000
    draws: Counter[tuple[int, ...]] = Counter()
    source = random.Random(seed)
    for _ in range(40 * min(count, 60)):
        draws.update(codes.sample(1, seed=source.randrange(2**31)))
    assert all(map(board.is_consistent, draws))
    if count <= 60:
        freedom = count - 1
        off = chi_squared(draws, count)
    else:  # too many cells for the number of draws: use parts of the list
        halves = Counter(codes.index(code) * 20 // count for code in draws.elements())
        freedom = 19
        off = chi_squared(halves, 20)
    assert abs(off - freedom) < 4 * math.sqrt(2 * freedom) + 3


def test_samples_of_a_diagram_are_uniform_over_its_parts():
    """Every slice of the numbers gets its share of the draws."""
    codes = mmsat.codes(big_board())
    drawn = codes.sample(4000, seed=6)
    assert len(set(drawn)) == len(drawn)
    parts = Counter(codes.index(code) * 50 // codes.count for code in drawn)
    assert abs(chi_squared(parts, 50) - 49) < 4 * math.sqrt(98)


def test_samples_are_different_codes_and_the_same_for_a_seed():
    codes = mmsat.codes(Board.parse("4x6/1122=1.1/3345=0.2"))
    assert codes.sample(10, seed=1) == codes.sample(10, seed=1) != codes.sample(10, seed=2)
    assert sorted(codes.sample(36, seed=3)) == list(codes)
    assert codes.sample(0) == []
    assert sorted(codes.sample(37)) == sorted(codes.sample(10**30)) == list(codes)
    for wrong in (-1, 1.0, True, None, "3"):
        with pytest.raises(
            mmsat.InputError, match=r"^the arguments, number: expected a whole number from 0, "
        ):
            codes.sample(wrong)


def test_slices_are_equal_if_they_have_the_same_numbers():
    codes = mmsat.codes("4x6/1122=1.1/3345=0.2")
    part = codes[1:9:2]
    assert part == codes[1:9:2] == copy.deepcopy(part)
    assert part == pickle.loads(pickle.dumps(part))  # noqa: S301
    assert hash(part) == hash(codes[1:9:2])
    assert part not in (codes[1:9], codes[2:9:2], mmsat.codes("4x6")[1:9:2], [*part])


def test_forced_is_what_all_codes_share():
    for board, codes in known_boards(tiers.share(300), seed=73):
        forced = mmsat.codes(board).forced()
        for peg, color in enumerate(forced):
            here = {code[peg] for code in codes}
            assert here == {color} if color is not None else len(here) != 1, str(board)


def test_codes_behave_like_a_sequence_except_for_their_count():
    board = Board.parse("4x6/1122=1.1/3345=0.2")
    codes = mmsat.codes(board)
    listed = twins.consistent(board)
    assert not isinstance(codes, Sequence)
    assert codes.count == len(codes) == 36
    assert [codes[n] for n in range(-36, 36)] == [listed[n] for n in range(-36, 36)]
    assert list(reversed(codes)) == listed[::-1]
    assert codes == mmsat.codes(board)
    assert hash(codes) == hash(mmsat.codes(board))
    for number in (36, -37):
        with pytest.raises(IndexError):
            codes[number]
    with pytest.raises(TypeError):
        codes["1"]
    for code in (listed[0][::-1], "1122", (0, 0)):
        if code not in listed:
            with pytest.raises(ValueError, match="not among the codes"):
                codes.index(code)


@pytest.mark.parametrize("part", ["5:20", "::-1", "30:3:-4", "40:50", ":", "-5:", "7:7", "3:30:9"])
def test_slices_are_slices(part):
    board = Board.parse("4x6/1122=1.1/3345=0.2")
    where = slice(*(int(word) if word else None for word in (part + "::").split(":")[:3]))
    where = slice(where.start, where.stop, where.step or 1)
    expected = twins.consistent(board)[where]
    result = mmsat.codes(board)[where]
    assert list(result) == expected
    assert len(result) == len(expected)
    assert [result[n] for n in range(len(result))] == expected
    assert list(result[1:3]) == expected[1:3]
    for code in twins.consistent(board):
        assert (code in result) == (list(code) in result) == (code in expected)
    assert result.count == len(expected)
    assert bool(result) == bool(expected)
    assert list(reversed(result)) == expected[::-1]
    assert [result.index(code) for code in expected] == [*range(len(expected))]
    with pytest.raises(ValueError, match="not among the codes"):
        result.index("1111")
    with pytest.raises(IndexError):
        result[len(expected)]
    assert (0, 0) not in result
    assert "mmsat.codes(" in repr(result)


def test_huge_codes_are_indexed_and_sliced():
    """Compare with `range`: codes of a game without rows are numbers in positional notation."""
    codes, total = mmsat.codes("30x30"), 30**30

    def code_of(number):
        return tuple(number // 30**peg % 30 for peg in reversed(range(30)))

    for number in (0, 10**40, -1, -(10**40), total - 1, -total):
        assert codes[number] == code_of(number % total)
        assert codes.index(codes[number]) == number % total
    for number in (total, -total - 1, 10**100):
        with pytest.raises(IndexError):
            codes[number]
    every = slice(10**20, None, 10**30)
    part, numbers = codes[every], range(total)[every]
    assert part.count == numbers.index(numbers[-1]) + 1
    assert part[10**6] == code_of(numbers[10**6])
    assert part.index(part[-1]) == part.count - 1
    assert codes[-1] not in part
    assert next(reversed(codes)) == next(iter(codes[::-1])) == (29,) * 30
    with pytest.raises(OverflowError):
        len(codes)


def test_a_ranking_without_diagram_and_list_is_an_error(monkeypatch):
    monkeypatch.setattr(LIMITS, "listed_codes", 1000)
    board = Board.parse("6x3x3k/1A2B1A2B3C3C=?.?.4")
    assert len(mmsat.codes(Board.parse("3x3x3k/1A2B1A=?.?.2"))[:5]) == 5
    with pytest.raises(SizeError, match="iterate"):
        mmsat.codes(board)[0]
    assert next(iter(mmsat.codes(board)))


def test_too_little_memory_is_reported(monkeypatch):
    monkeypatch.setattr(LIMITS, "listed_codes", 1000)
    board = big_board()
    with pytest.raises(SizeError, match="the diagram needs more than 64 KiB"):
        mmsat.codes(board, memory=1 << 16)[0]


def test_chances_have_a_time_limit():
    codes = mmsat.codes("4x6/1122=1.1/3345=0.2")
    assert codes.odds(timeout=60) == codes.odds()
    with pytest.raises(mmsat.TimeLimitError, match=r"^the odds: not finished within 0 seconds$"):
        codes.odds(timeout=0)
    with pytest.raises(mmsat.InputError, match="timeout: expected a number of seconds"):
        codes.odds(timeout=-1)
