"""Lies: codes that have all scores except a few, by every engine, compared with a full list."""

from __future__ import annotations

import random
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

import pytest

import mmsat
from mmsat.constraints import System, simplify_tolerance
from mmsat.counting.count import count
from mmsat.counting.diagrams import (
    MAX_QUICK_CODES,
    InclusionExclusion,
    build_ranking,
    count_by_diagram,
    terms,
)
from mmsat.counting.layout import UnsuitedError
from mmsat.counting.listing import codes_after, ganak
from mmsat.encoding import ENCODINGS
from mmsat.encoding.cnf import cnf
from mmsat.errors import InputError
from mmsat.game import Row
from mmsat.game.board import Board, Status
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.game.tolerance import MEASURES, STRICT, Tolerance
from mmsat.reductions.boards import Lies
from mmsat.solving import find_engine
from mmsat.solving.deadline import Deadline
from mmsat.solving.searches import make_search
from tests.support import tiers, twins
from tests.support.formula_models import models
from tests.support.random_boards import (
    EVERY_SPACE,
    random_board,
    random_game,
    random_guess,
    random_secret,
    scorings_of,
    spaces_of,
)
from tests.support.rankings import check_ranking

TOLERANCES = [Tolerance(lies, by) for by in MEASURES for lies in (1, 2, 3)]


class Question(NamedTuple):
    """A board, a tolerance, and the system that they make."""

    board: Board
    tolerance: Tolerance
    system: System

    def __str__(self):
        return f"{self.board} within {self.tolerance}"


@lru_cache(maxsize=8)
def told_boards(number, seed):
    """Boards, each with a tolerance and the codes within it, only where lies matter.

    Of a large number this tier takes its share, but enough to see every kind.
    """
    rng = random.Random(seed)
    number = tiers.share(number, least=min(number, 100))
    results = []
    while len(results) < number:
        board = random_board(rng, slips=rng.choice([0.15, 0.5]))
        tolerance = rng.choice(TOLERANCES)
        if simplify_tolerance(board, tolerance)[1].lies:
            codes = twins.within(board, tolerance.lies, tolerance.by)
            results.append((Question(board, tolerance, System.of(board, tolerance)), codes))
    return tuple(results)


def test_the_boards_are_of_every_kind():
    boards = [source.board for source, _ in told_boards(600, 1)]
    assert scorings_of(boards) == {*SCORINGS}
    assert spaces_of(boards) == EVERY_SPACE
    assert {bool(codes) for _, codes in told_boards(600, 1)} == {True, False}
    weights = {row.weight for source, _ in told_boards(600, 1) for row in source.system.relaxed}
    assert max(weights) > 1


def test_the_distance_of_scores_is_that_of_their_pegs_on_the_table():
    """The gauges of each kind agree with it for every code."""
    rng = random.Random(2)
    seen = Counter()
    for _ in range(tiers.share(3000, least=600)):
        game = random_game(rng)
        code, guess = random_secret(rng, game), random_guess(rng, game)
        texts = tuple(
            rng.choice([None, *range(min(game.pegs + 2, game.scoring.highest + 1))])
            for _ in game.parts
        )
        true = game.score(code, guess)
        off = twins.pegs_off(game.scoring, true, texts)
        assert game.scoring.distance(true, texts) == game.scoring.distance(texts, true) == off
        assert (off == 0) == game.scoring.agrees(code, guess, texts)
        if not game.scoring.marks:
            variables = game.variables
            missed = [0]
            for constraint in game.scoring.gauges(variables, guess, texts):
                assert len(set(constraint.literals)) == len(constraint.literals)
                held = sum(variables.holds(literal, code) for literal in constraint.literals)
                missed.append(max(constraint.low - held, held - constraint.high))
            assert max(missed) == off, (game, code, guess, texts)
        seen[game.scoring.name, off] += 1
    assert all(seen[name, 2] for name in SCORINGS)


def test_what_is_allowed_is_what_the_twin_says():
    for source, codes in told_boards(300, 3):
        for code in twins.codes(source.board.game):
            assert source.tolerance.allows(source.board, code) == (code in codes)
            misses = source.tolerance.misses(source.board, code)
            lies = twins.lies_of(source.board, code, source.tolerance.by)
            assert source.tolerance.price(misses) == lies
            assert [miss.row for miss in misses] == twins.wrong_rows(source.board, code)


def test_where_lies_make_no_difference_there_is_a_board_without():
    rng = random.Random(4)
    kinds = Counter()
    for _ in range(tiers.share(1500)):
        board, tolerance = random_board(rng), rng.choice([STRICT, *TOLERANCES])
        simple, remaining = simplify_tolerance(board, tolerance)
        kinds[bool(remaining.lies), bool(tolerance.lies)] += 1
        if not remaining.lies:
            expected = twins.within(board, tolerance.lies, tolerance.by)
            assert twins.consistent(simple) == expected
    assert kinds[False, True] > tiers.at_least(50)


def searched(source):
    walk = make_search(source.system)
    while walk.advance(1 << 20).name == "CODE_FOUND":
        yield walk.code


def test_the_search_finds_all_codes_within_the_lies_in_order():
    for source, codes in told_boards(2500, 5):
        assert list(searched(source)) == codes, str(source)


def test_clauses_have_one_model_a_code():
    for source, codes in told_boards(250, 6):
        assert ganak([source.system]) == len(codes), str(source)
    for source, codes in told_boards(60, 7):
        assert list(codes_after([source.system], None)) == codes


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_encoding_has_one_model_a_code(encoding):
    for source, codes in told_boards(40, 14):
        formula = cnf(source.system, encoding)
        names = range(1, formula.code_variables + 1)
        results = [sorted(model & {*names}) for model in models(formula)]
        variables = source.system.variables
        expected = [[variables.at(peg, c) for peg, c in enumerate(code)] for code in codes]
        assert sorted(results) == sorted(expected), str(source)


@pytest.mark.parametrize(
    "spec", ["brute", "cp", "sat", "sat:minicard:native", "sat:glucose4:sorting-network"]
)
def test_engines_agree(spec, monkeypatch):
    # in this process, as a new one each takes long
    monkeypatch.setattr("mmsat.solving.run", lambda _, ask, *given: ask(*given))
    engine = find_engine(spec)
    for source, codes in told_boards(250, 8):
        code = engine.decide(source.board, Deadline(), None, source.tolerance).code
        assert code in codes if codes else code is None, str(source)


def test_systems_are_satisfied_by_the_codes_within_the_lies():
    for source, codes in told_boards(150, 15):
        every = twins.codes(source.board.game)
        assert [code for code in every if source.system.satisfies(code)] == codes, str(source)


def test_terms_add_up():
    seen = Counter()
    for source, codes in told_boards(600, 9):
        try:
            *_, (_, result) = count_by_diagram(source.system, source.board, 1 << 28, None)
        except UnsuitedError:
            continue
        assert result == len(codes), str(source)
        seen[source.board.game.scoring.name] += 1
    assert seen.keys() == {*SCORINGS}


def test_terms_number_the_codes():
    ranked = 0
    for source, codes in told_boards(150, 10):
        try:
            ranking = build_ranking(source.board, source.system, 1 << 28)
        except UnsuitedError:
            continue
        check_ranking(ranking, codes, source.board.game)
        ranked += 1
    assert ranked > tiers.at_least(60)


def test_the_sum_is_the_one_that_is_known_for_single_rows():
    """(-1)^(k-m+L) C(k-1, m-L-1) for each set of k of m rows."""
    from math import comb

    board = Board.parse("4x6/1122=1.1/3345=0.2/1456=1.0/2613=0.1/5511=2.0")
    m = len(board.rows)
    for lies in range(1, m):
        results = Counter(
            (len(term.system.soft), term.coefficient)
            for term in terms(board, System.of(board, Tolerance(lies)))
        )
        expected = {
            (k, (-1) ** (k - m + lies) * comb(k - 1, m - lies - 1)): comb(m, k)
            for k in range(m - lies, m + 1)
        }
        assert results == expected


@pytest.mark.parametrize("method", ["auto", "brute", "enumeration", "ganak"])
def test_counts(method):
    for source, codes in told_boards(40, 11):
        lies, by = source.tolerance.lies, source.tolerance.by
        code_count = count(source.board, method=method, lies=lies, by=by)
        assert (code_count.count, code_count.exact) == (len(codes), True)


def test_codes_are_a_sequence_with_lies_too():
    for source, listed in told_boards(60, 12):
        codes = mmsat.codes(source.board, lies=source.tolerance.lies, by=source.tolerance.by)
        assert codes.count == len(listed)
        assert list(codes) == listed == [codes[n] for n in range(len(listed))]
        assert [codes.index(code) for code in listed] == [*range(len(listed))]
        assert sorted(codes.sample(len(listed), seed=1)) == listed
        table = [[0] * source.board.game.colors for _ in range(source.board.game.pegs)]
        for code in listed:
            for peg, color in enumerate(code):
                table[peg][color] += 1
        assert codes.odds().table == tuple(map(tuple, table))
        assert all((code in codes) == (code in listed) for code in twins.codes(source.board.game))


def large_board(size, rows, seed=1):
    """Too many codes for a list, with one score put down wrongly."""
    rng = random.Random(seed)
    game = Game.parse(size)
    secret = random_secret(rng, game)
    guesses = [random_guess(rng, game) for _ in range(rows)]
    board = Board(game, tuple(Row(guess, game.score(secret, guess)) for guess in guesses))
    first = board.rows[0].score
    return board.changed({0: (first[0] + 1, *first[1:])}), secret


@pytest.mark.parametrize("by", MEASURES)
@pytest.mark.parametrize(("size", "rows"), [("12x6", 6), ("10x10!", 4), ("36x2", 12)])
def test_large_boards_are_counted_and_numbered(size, rows, by):
    board, secret = large_board(size, rows)
    tolerance = Tolerance(1, by)
    codes = mmsat.codes(board, lies=1, by=by)
    assert isinstance(codes.ranking, InclusionExclusion) or codes.count <= MAX_QUICK_CODES
    assert secret in codes
    assert codes[codes.index(secret)] == secret
    for code in codes.sample(min(20, codes.count), seed=3):
        assert tolerance.allows(board, code)
        assert codes[codes.index(code)] == code
    table = codes.odds().table
    assert {sum(row) for row in table} == {codes.count}
    if size != "36x2":
        assert codes.count == count(board, method="brute", lies=1, by=by).count


@pytest.mark.parametrize("by", MEASURES)
@pytest.mark.parametrize("lies", [0, 1, 2])
def test_rows_that_are_repeated_are_no_lies(lies, by):
    """The reduction R9: within L lies of each row L + 1 times are the codes of the board."""
    rng = random.Random(13 + lies)
    for _ in range(120):
        board = random_board(rng)
        repeated = Lies(board, lies=lies).board
        expected = twins.consistent(board)
        decision = find_engine("auto").decide(repeated, Deadline(), None, Tolerance(lies, by))
        assert decision.code in expected if expected else decision.status is Status.INCONSISTENT
        assert count(repeated, lies=lies, by=by).count == len(expected)
        codes = mmsat.codes(repeated, lies=lies, by=by)
        assert list(codes) == expected
        assert codes.odds() == mmsat.codes(board).odds()
        assert codes.sample(len(expected), seed=1) == mmsat.codes(board).sample(
            len(expected), seed=1
        )


def test_large_repeated_boards_stay_as_fast_as_the_board():
    board, _ = large_board("12x6", 6)
    mended = board.only(range(1, 6))
    repeated = Lies(mended, lies=2).board
    assert simplify_tolerance(repeated, Tolerance(2)) == (mended, STRICT)
    assert mmsat.codes(repeated, lies=2).count == mmsat.codes(mended).count


@pytest.mark.parametrize(
    ("settings", "rule"),
    [
        ({"lies": -1}, "lies: expected a whole number"),
        ({"lies": True}, "lies: expected a whole number"),
        ({"lies": 1, "by": "colors"}, "rows or pegs"),
    ],
)
def test_a_tolerance_that_is_none_is_refused(settings, rule):
    with pytest.raises(InputError, match=rule):
        mmsat.codes(Board.parse("4x6"), **settings)
    with pytest.raises(InputError, match=rule):
        mmsat.count(Board.parse("4x6"), **settings)


def test_an_engine_without_support_for_lies_reports_it():
    board = Board.parse("4x2/1122=1.1/1212=3.0")
    with pytest.raises(InputError, match="does not support lies"):
        find_engine("lattice").decide(board, Deadline(), None, Tolerance(1))
    repeated = Lies(board, lies=1).board
    strict = mmsat.check(board, engine="lattice").status
    decision = find_engine("lattice").decide(repeated, Deadline(), None, Tolerance(1))
    assert decision.status is strict
