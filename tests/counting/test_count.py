"""How many codes remain: every method counts as many as a list of all codes has."""

from __future__ import annotations

import random
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

import mmsat
from mmsat.constraints import System, simplify_tolerance
from mmsat.counting import count as count_module
from mmsat.counting.count import MEMORY, METHODS, STAGES, CountTask, count
from mmsat.counting.layout import UnsuitedError, layouts
from mmsat.counting.listing import approxmc, codes_after, ganak
from mmsat.errors import InputError, MissingError, MmsatError, SizeError
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.game.tolerance import STRICT
from mmsat.limits import LIMITS
from mmsat.solving.deadline import Deadline, TimeUpError
from tests.support import strategies, tiers, twins
from tests.support.random_boards import (
    EVERY_SPACE,
    known_boards,
    random_guess,
    random_secret,
    scorings_of,
    spaces_of,
)

EXACT = [method for method in METHODS if method != "approxmc"]
every_method = pytest.mark.parametrize("method", METHODS)
every_exact_method = pytest.mark.parametrize("method", EXACT)


def has_diagram(board):
    try:
        list(layouts([System.of(board)], in_order=True))
    except UnsuitedError:
        return False
    return True


def enumerated(system):
    """How many codes SAT lists, each once."""
    codes = list(codes_after([system], None))
    assert len({*codes}) == len(codes)
    return len(codes)


def rowless(size):
    return Board(Game.parse(size))


def hard_board():
    """Far more codes than anyone can count in a moment."""
    rng = random.Random(5)
    game = Game(60, 3)
    secret, *guesses = [tuple(rng.randrange(3) for _ in range(60)) for _ in range(7)]
    return Board(game, tuple(Row(guess, game.score(secret, guess)) for guess in guesses))


def test_the_solvers_count_as_many_codes_as_there_are():
    boards = known_boards(tiers.share(1000, least=200), seed=51)
    some = [board for board, _ in boards]
    assert spaces_of(some) == EVERY_SPACE
    assert scorings_of(some) == {*SCORINGS}
    for board, codes in boards:
        system = System.of(board)
        assert enumerated(system) == len(codes), str(board)
        assert ganak([system]) == len(codes), str(board)


@pytest.mark.parametrize(
    "seed", [*range(10), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(10, 24))]
)
def test_the_diagram_counts_as_many_codes_as_ganak_on_larger_boards(seed, monkeypatch):
    """Every kind of game in turn, too large for the twin."""
    sizes = ("7x6", "8x4", "6x8!", "7x5b", "8x5w", "6x7p", "6x9o", "5x3x3", "9x3", "16x2")
    game = Game.parse(sizes[seed % len(sizes)])
    source = random.Random(seed)
    secret = random_secret(source, game)
    guesses = [random_guess(source, game) for _ in range(2 + seed % 3)]
    rows = []
    for guess in guesses:
        score = [None if source.random() < 0.1 else part for part in game.score(secret, guess)]
        rows.append(Row(guess, tuple(score)))
    board = Board(game, tuple(rows))
    counted = count(board, method="diagram")
    assert counted.exact
    assert counted.method in {"diagram", "size of the game"}
    assert counted.count == ganak([System.of(board)])
    monkeypatch.setattr(LIMITS, "algebra_pegs", 0)  # two colors as equations
    assert counted.count == count(board, method="diagram").count


@every_exact_method
def test_every_method_counts_exactly(method):
    for board, codes in known_boards(tiers.share(60), seed=52):
        if method == "diagram" and not has_diagram(board):
            continue
        counted = count(board, method=method)
        assert (counted.count, counted.exact) == (len(codes), True), str(board)
        assert counted.seconds >= 0
        assert counted.method in {method, "brute", "size of the game"}
        assert (counted.epsilon, counted.delta) == (None, None)


@settings(max_examples=tiers.share(60))
@given(board=strategies.boards(strategies.small_games(), max_rows=4))
def test_counts_of_boards_that_shrink(board):
    expected = len(twins.consistent(board))
    system = System.of(board)
    assert count(board).count == enumerated(system) == ganak([system]) == expected


def count_by_stages(board, stages, memory=MEMORY):
    """Return the count of auto if it has only these stages."""
    question = simplify_tolerance(board, STRICT)
    return CountTask(*question, Deadline(), memory, lambda _: None, stages=stages).count("auto")


@pytest.mark.parametrize(
    ("first", "left"),
    [
        ("brute", "brute"),
        ("quick diagram", "diagram"),
        ("few models", "enumeration"),
        ("diagram", "diagram"),
        ("ganak", "ganak"),
    ],
)
def test_each_stage_of_auto_counts_from_the_start(first, left):
    for board, codes in known_boards(20, seed=53):
        counted = count_by_stages(board, STAGES[STAGES.index(first) :])
        assert (counted.count, counted.exact) == (len(codes), True)
        if has_diagram(board):
            assert counted.method in {left, "size of the game"}


def test_a_board_without_a_diagram_uses_the_next_method():
    board = Board.parse("2x3x3k/1A1A=0.1.0")
    counted = count_by_stages(board, STAGES[1:])
    assert counted.method == "enumeration"
    assert counted.count == len(twins.consistent(board))
    reason = "diagrams do not support conjunctions, which the scoring or unread pegs need here"
    assert counted.notes[0] == f"no diagram: {reason}"
    with pytest.raises(UnsuitedError, match=f"^{reason}$"):
        list(layouts([System.of(board)], in_order=True))
    for refused in (board, Board.parse("4x6/1?22=1.1")):  # by the scoring, by an unread peg
        with pytest.raises(SizeError, match=f"^no diagram: {reason}$"):
            count(refused, method="diagram")


def test_too_little_memory_is_reported_and_the_next_method_takes_over():
    board = Board.parse("8x8/12345678=2.3/11223344=1.3")
    expected = count(board, method="diagram").count
    counted = count_by_stages(board, ["quick diagram", "diagram", "ganak"], memory=1 << 12)
    assert (counted.count, counted.exact, counted.method) == (expected, True, "ganak")
    assert "the diagram needs more than 4 KiB" in counted.notes
    for memory, size in ((1000, "1,000 bytes"), (1 << 12, "4 KiB")):
        with pytest.raises(SizeError, match=f"^the diagram needs more than {size}$"):
            count(board, method="diagram", memory=memory)


def test_many_codes_are_left_to_ganak():
    board = Board.parse("6x6/112233=1.1")
    counted = count_by_stages(board, ["few models", "ganak"])
    assert counted.method == "ganak"
    assert counted.count == len(twins.consistent(board)) > 2000


def test_a_busy_machine_does_not_end_an_enumeration_that_finds_codes(monkeypatch):
    board = Board.parse("4x6/1122=1.1/3345=0.2")
    started = []

    def slow_stream(deadline, function, *args):
        """Yield codes slowly, but each within the time limit for one code."""
        started.append(deadline)
        for code in function(*args):
            time.sleep(0.02)
            if deadline.passed:
                raise TimeUpError
            yield code

    monkeypatch.setattr(count_module, "stream", slow_stream)
    monkeypatch.setattr(count_module, "SECONDS_PER_CODE", 0.3)
    counted = count_by_stages(board, ["few models"])
    assert (counted.count, counted.exact, counted.method) == (36, True, "enumeration")
    assert counted.seconds > 0.6
    assert len(started) == 1

    monkeypatch.setattr(count_module, "SECONDS_PER_CODE", 0.01)
    with pytest.raises(SizeError, match="SAT found 0 codes within its time limit"):
        count_by_stages(board, ["few models"])


@every_method
@pytest.mark.parametrize(
    ("size", "codes"),
    [
        ("1x1", 1),
        ("4x6", 6**4),
        ("1000x1000", 1000**1000),
        ("1000x2b", 2**1000),
        ("1000x1", 1),
        ("4x10!", 10 * 9 * 8 * 7),
        ("20x20!w", 2432902008176640000),
    ],
)
def test_a_game_without_rows_is_counted_without_counting(method, size, codes):
    """However large: the exact number of codes is known from the size of the game."""
    counted = count(rowless(size), method=method, timeout=0)
    assert (counted.count, counted.exact) == (codes, True)
    assert mmsat.codes(rowless(size)).count == codes


@every_method
def test_rows_without_information_allow_every_code(method):
    assert count(Board.parse("40x9/" + "1" * 40 + "=?.?"), method=method).count == 9**40


def test_a_huge_count_is_exact_and_prints_in_full():
    """One row excludes color 1: the count is a large number with all its digits."""
    board = Board(Game(40, 9), (Row((0,) * 40, (0, 0)),))
    counted = count(board, method="ganak")
    assert counted.count == 8**40
    assert str(counted) == f"{8**40:,}"
    assert counted.to_dict()["count"] == str(8**40)
    assert counted.to_dict()["exact"] is True


@every_method
def test_when_the_time_is_up_the_count_is_a_true_lower_bound(method):
    board = hard_board()
    counted = count(board, method=method, timeout=0.4)
    assert not counted.exact
    assert 0 <= counted.count < 3**60
    assert counted.method == method
    assert counted.count <= counted.most <= 3**60
    least = f"at least {counted.count:,}, " if counted.count else ""
    assert str(counted) == f"{least}at most {counted.most:,}"
    if method in {"enumeration", "brute"}:
        again = count(board, method=method, timeout=0.0)
        assert (again.count, again.most, again.exact) == (0, 3**60, False)
        assert str(again) == f"at most {3**60:,}"


def test_a_bound_counts_codes_that_were_really_found():
    """A board with one more code than enumeration can count in time gives only a bound."""
    board = Board.parse("6x6/112233=0.?")
    codes = len(twins.consistent(board))
    for timeout in (0.05, 0.2):
        counted = count(board, method="enumeration", timeout=timeout)
        assert counted.count <= codes
        assert counted.exact == (counted.count == codes)


@pytest.mark.parametrize("method", ["brute", "enumeration", "auto"])
def test_progress_is_reported_and_never_decreases(method):
    texts = []
    counted = count(Board.parse("5x5/11223=?.1"), method=method, on_progress=texts.append)
    assert texts
    lower_bounds = [bounds.lower_bound for bounds in texts]
    assert lower_bounds == sorted(lower_bounds)
    assert lower_bounds[-1] == counted.count
    assert all(bounds.activity for bounds in texts)


def test_the_diagram_reports_converging_bounds():
    """Intermediate bounds are true and never become weaker."""
    board = Board.parse("12x6/111222333444=3.4/112233445566=2.5/615243342516=4.3")
    texts = []
    counted = count(board, method="diagram", on_progress=texts.append)
    assert counted.exact
    assert all(bounds.lower_bound <= counted.count <= bounds.upper_bound for bounds in texts)
    upper_bounds = [bounds.upper_bound for bounds in texts]
    assert upper_bounds == sorted(upper_bounds, reverse=True)
    assert upper_bounds[-1] == counted.count


def test_an_estimate_has_an_error_bound():
    pytest.importorskip("pyapproxmc")
    board = Board.parse("6x6/112233=1.1")
    counted = count(board, method="approxmc", seed=3)
    true = len(twins.consistent(board))
    assert not counted.exact
    assert (counted.epsilon, counted.delta) == (0.8, 0.05)
    assert true / 1.8 <= counted.count <= true * 1.8
    assert str(counted).startswith("about ")
    assert count(board, method="approxmc", seed=3).count == counted.count


def test_estimates_of_few_codes_are_exact_or_marked_as_estimates():
    """Free pegs and pegs that decide each other count in full, which not every release does."""
    pytest.importorskip("pyapproxmc")
    for board, codes in known_boards(tiers.share(300), seed=54):
        result, delta = approxmc([System.of(board)], 1)
        if delta is None:
            assert result == len(codes), str(board)
        else:
            assert len(codes) / 1.8 <= result <= len(codes) * 1.8, str(board)


def test_a_release_that_miscounts_is_refused(monkeypatch):
    module = pytest.importorskip("pyapproxmc")
    monkeypatch.setattr(module, "__version__", "4.4.0")
    with pytest.raises(MissingError, match=r"4\.4\.0 miscounts"):
        count(Board.parse("6x6/112233=1.1"), method="approxmc")


def test_an_exception_of_the_listener_ends_the_count():
    def stop(found):
        raise KeyboardInterrupt(found)

    with pytest.raises(KeyboardInterrupt):
        count(hard_board(), method="enumeration", on_progress=stop)


def test_the_error_of_an_unknown_method_lists_the_known_ones():
    with pytest.raises(InputError) as caught:
        count(rowless("4x6"), method="guessing")
    (fault,) = caught.value.faults
    assert fault.found == "guessing"
    assert all(method in fault.expected for method in METHODS)


def test_an_exact_count_is_like_an_int():
    counts = {number: mmsat.Count(number, True, "brute", 0.0) for number in (0, 1, 36, 10**40)}
    for number, counted in counts.items():
        other_method = mmsat.Count(number, True, "diagram", 2.0, notes=("slow",))
        assert counted == number == counted == other_method == float(number) or number > 2**53
        assert counted == number
        assert hash(counted) == hash(number) == hash(other_method)
        assert bool(counted) == bool(number)
        assert int(counted) == number
        assert counted != str(number)
        for other_number, other in counts.items():
            assert (counted == other) == (counted == other_number) == (number == other_number)
            assert (counted < other) == (counted < other_number) == (number < other_number)
            assert (counted >= other) == (number >= other) == (number >= other_number)
    assert range(100)[counts[36]] == 36
    assert counts[36] == np.int64(36)
    with pytest.raises(TypeError):
        counts[36] < "37"  # noqa: B015


@pytest.mark.parametrize(
    ("inexact", "words"),
    [
        (mmsat.Count(36, False, "auto", 0.0), "at least 36"),
        (mmsat.Count(0, False, "auto", 0.0, most=36), "at most 36"),
        (mmsat.Count(36, False, "approxmc", 0.0, 0.8, 0.05), "about 36"),
    ],
)
def test_an_inexact_count_is_no_int(inexact, words):
    assert inexact not in (0, 36, mmsat.Count(inexact.count, True, "auto", 0.0))
    assert inexact == replace(inexact, method="other", seconds=1.0)
    assert inexact != replace(inexact, most=37)
    message = f"the count is not exact: {words}; see `count`, `exact` and `most`"
    for use in (int, range, lambda count: count < 50, lambda count: 50 > count):  # noqa: SIM300
        with pytest.raises(MmsatError, match=f"^{message}$"):
            use(inexact)
    if inexact.count:
        assert inexact
    else:
        with pytest.raises(MmsatError, match=f"^{message}$"):
            bool(inexact)


def test_a_count_of_zero_is_not_mistaken_for_no_result():
    for method in EXACT:
        counted = count("4x6/1122=4.0/1122=0.0", method=method)
        assert counted.exact
        assert not counted
    weights = mmsat.Weights.of_colors("2x3", [1, 1, 0])
    weighed = mmsat.count("2x3/12=1.0", weights=weights)
    assert weighed == 2 == int(weighed)
