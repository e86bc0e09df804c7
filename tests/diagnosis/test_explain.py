"""Explanations and verdicts are complete, sorted, and within their limits and deadlines."""

from __future__ import annotations

import multiprocessing
import random
import time
from dataclasses import replace
from itertools import pairwise

import pytest

import mmsat
from mmsat.diagnosis import Conflict, Correction
from mmsat.diagnosis.check import Findings
from mmsat.diagnosis.explain import find_reasons
from mmsat.errors import InputError
from mmsat.game import Row
from mmsat.game.board import Board, Status
from mmsat.game.game import Game
from mmsat.game.tolerance import STRICT
from mmsat.reductions.reduce import REDUCTIONS
from mmsat.reductions.samples import make_graph
from mmsat.solving.deadline import Deadline
from mmsat.strategy.several import SeveralBoards
from tests.support import twins
from tests.support.random_boards import inconsistent_boards, known_boards
from tests.support.tiers import share

check, check_many, explain = mmsat.check, mmsat.check_many, mmsat.explain
SMALL = {"pegs": 4, "colors": 3, "rows": 6}
MAX_SECONDS = 60
"""A test that takes longer hangs."""


@pytest.fixture(autouse=True)
def _no_process_survives():
    yield
    assert multiprocessing.active_children() == []


def repair_of(correction):
    return tuple((change.row, change.after) for change in correction.changes)


def one_slip(rows=1000, seed=71):
    """Return a board whose last row has a black too many, and the true score of this row."""
    rng = random.Random(seed)
    game = Game.parse("4x6")
    guesses = [tuple(rng.randrange(6) for _ in range(4)) for _ in range(rows)]
    board = Board(game, tuple(Row(guess, game.score((1, 4, 4, 0), guess)) for guess in guesses))
    black, white = board.rows[-1].score
    return board.changed({rows - 1: (black + 1, white)}), (black, white)


def large_board(pegs=40, colors=6, rows=12):
    """Return a board beyond brute force whose last two rows contradict each other."""
    rng = random.Random(72)
    game = Game(pegs, colors)
    secret, *guesses = [tuple(rng.randrange(colors) for _ in range(pegs)) for _ in range(rows + 1)]
    true_rows = [Row(guess, game.score(secret, guess)) for guess in guesses]
    black, white = true_rows[-1].score
    return Board(game, (*true_rows, Row(true_rows[-1].guess, (black - 1, white + 1))))


def test_explanations_are_complete():
    for board in inconsistent_boards(25, seed=73, **SMALL):
        explanation = explain(board)
        assert explanation.status is Status.INCONSISTENT
        assert {conflict.rows for conflict in explanation.conflicts} == twins.minimal_conflicts(
            board
        )
        expected = twins.cheapest_repairs(board)
        assert {
            repair_of(correction): correction.codes.count for correction in explanation.corrections
        } == expected
        assert explanation.all_conflicts
        assert explanation.all_corrections


def test_the_most_useful_reasons_come_first():
    """A conflict, a smallest one if it is smaller, the corrections, then the other conflicts."""
    for board in inconsistent_boards(share(200), seed=74, **SMALL):
        reasons = list(find_reasons(board, STRICT, Status.INCONSISTENT, 1000))
        kinds = [reason if isinstance(reason, str) else type(reason) for reason in reasons]
        repairs, conflicts = twins.cheapest_repairs(board), twins.minimal_conflicts(board)
        num_first = kinds.index("smallest")
        assert num_first in {1, 2}
        assert len(reasons[num_first - 1].rows) == min(map(len, conflicts))
        assert kinds == [
            *[Conflict] * num_first,
            "smallest",
            *[Correction] * len(repairs),
            "corrections",
            *[Conflict] * (len(conflicts) - num_first),
            "conflicts",
        ]
        assert {reason.rows for reason in reasons if isinstance(reason, Conflict)} == conflicts


def test_conflicts_and_corrections_are_sorted():
    for board in inconsistent_boards(15, seed=75, **SMALL):
        explanation = explain(board)
        order = [(len(conflict.rows), conflict.rows) for conflict in explanation.conflicts]
        assert order == sorted(order)
        assert list(explanation.corrections) == sorted(
            explanation.corrections, key=Correction.sort_key
        )
        ranks = [
            (correction.cost, -correction.likelihood) for correction in explanation.corrections
        ]
        assert ranks == sorted(ranks)


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_a_limit_is_respected_and_reported(limit):
    row, other = Row((0, 0, 1, 1), (1, 1)), Row((0, 0, 1, 1), (0, 2))
    board = Board(Game.parse("4x6"), (row,) * 2 + (other,) * 2)
    explanation = explain(board, limit=limit)
    assert len(explanation.conflicts) == min(limit, 4)
    assert len(explanation.corrections) == min(limit, 2)
    assert explanation.all_conflicts == (limit >= 4)
    assert explanation.all_corrections == (limit >= 2)


def test_consistent_boards_have_no_conflicts_and_corrections():
    for board, codes in known_boards(40, seed=76):
        if codes:
            explanation = explain(board)
            assert explanation.status is Status.CONSISTENT
            assert (explanation.conflicts, explanation.corrections) == ((), ())
            assert explanation.all_conflicts
            assert explanation.all_corrections


def test_findings_are_reported_immediately():
    reports = []
    board = Board.parse("4x6/1122=1.1/1122=0.2/1122=2.0")
    explanation = explain(board, on_progress=reports.append)
    assert [report.status for report in reports] == [Status.INCONSISTENT] * len(reports)
    assert (reports[0].conflicts, reports[0].corrections) == ((), ())
    assert replace(reports[-1], seconds=0) == replace(explanation, seconds=0)
    assert len(explanation.conflicts) > 1
    for before, after in pairwise(reports):
        assert set(before.conflicts) <= set(after.conflicts)
        assert set(before.corrections) <= set(after.corrections)


def test_a_slip_in_a_thousand_rows_is_found():
    board, true = one_slip()
    verdict = check(board, reason=MAX_SECONDS)
    assert repair_of(verdict.correction) == ((999, true),)
    assert verdict.correction.codes.count == 1
    explanation = explain(board, limit=3)
    assert [repair_of(correction) for correction in explanation.corrections] == [((999, true),)]
    assert all(999 in conflict.rows for conflict in explanation.conflicts)
    assert not explanation.all_conflicts
    assert explanation.all_corrections


@pytest.mark.long
def test_findings_before_the_deadline_are_kept():
    """The board has far more conflicts than can be found before the deadline."""
    row, other = Row((0, 0, 1, 1), (1, 1)), Row((0, 0, 1, 1), (0, 2))
    board = Board(Game.parse("4x6"), (row,) * 200 + (other,) * 200)
    started = time.monotonic()
    explanation = explain(board, timeout=4, limit=10**6)
    assert time.monotonic() - started < MAX_SECONDS
    assert explanation.status is Status.INCONSISTENT
    assert not explanation.all_conflicts
    assert explanation.conflicts
    assert all(
        one < 200 <= two for one, two in (conflict.rows for conflict in explanation.conflicts)
    )


def test_a_passed_deadline_leaves_no_time_for_reasons():
    findings = Findings(Board.parse("4x6/1122=3.1"), Status.INCONSISTENT, Deadline(0))
    assert list(findings.search(10)) == []
    assert (findings.conflicts, findings.corrections, findings.complete) == ([], [], set())


@pytest.mark.long
def test_a_board_beyond_brute_force_is_explained():
    board = large_board()
    (result,) = explain(board, engine="sat").conflicts
    assert result.rows == (11, 12)


def test_check_returns_a_witness_or_reasons():
    for board, codes in known_boards(30, seed=77):
        verdict = check(board, reason=MAX_SECONDS)
        assert verdict.board == board
        assert verdict.is_consistent is bool(codes)
        if codes:
            assert verdict.witness in codes
            assert (verdict.conflict, verdict.correction) == (None, None)
        else:
            assert verdict.witness is None
            assert verdict.conflict.rows in twins.minimal_conflicts(board)
            assert verdict.correction == explain(board).correction


def test_reasons_can_be_skipped():
    board = Board.parse("4x6/1122=3.1")
    verdict = check(board, reason=0)
    assert verdict.status is Status.INCONSISTENT
    assert (verdict.conflict, verdict.correction) == (None, None)
    assert check(board, reason=10).conflict == Conflict((0,))


def test_the_search_for_reasons_has_its_own_time_limit():
    """Petersen's graph has no cover of 5 nodes. The verdict is fast, but the reason is slow."""
    nodes = range(5)
    edges = [(n, other) for n in nodes for other in ((n + 1) % 5, n + 5)]
    edges += [(n + 5, (n + 2) % 5 + 5) for n in nodes]
    board = REDUCTIONS["vertex-cover"](make_graph(10, edges), k=5).board
    verdict = check(board, reason=0.1)
    assert verdict.status is Status.INCONSISTENT
    assert verdict.conflict is None
    assert 0.1 <= verdict.reason_seconds < 5
    assert check(board, reason=0).reason_seconds == 0


def test_check_many_returns_the_verdicts_of_check():
    boards = [board for board, _ in known_boards(share(100), seed=78)]
    for engine in ("auto", "brute"):
        verdicts = check_many((board for board in boards), engine=engine, seed=1)
        for board, verdict in zip(boards, verdicts, strict=True):
            single = check(board, engine=engine, seed=1, reason=0)
            assert verdict.to_dict() | {"seconds": 0} == single.to_dict() | {"seconds": 0}


def test_check_many_names_an_invalid_board_or_continues():
    lines = ["4x6/1122=1.1", "4x6/112=1.1", "4x6/1122=3.1", "4x6/1722=1.1"]
    verdicts = check_many(lines)
    assert next(verdicts)
    with pytest.raises(InputError, match=r"^board 2, line 1, column 5: expected 4 colors, not 3"):
        next(verdicts)
    errors = []
    verdicts = [*check_many(lines, on_error=lambda *error: errors.append(error))]
    results = [None if verdict is None else verdict.is_consistent for verdict in verdicts]
    assert results == [True, None, False, None]
    assert [index for index, _ in errors] == [1, 3]
    for index, error in errors:
        with pytest.raises(InputError) as caught:
            check(lines[index])
        assert error.faults == caught.value.faults
        assert error.source == f"board {index + 1}"
    (error,) = [error for _, error in errors[:1]]
    with pytest.raises(InputError) as caught:
        SeveralBoards.of(lines)
    assert str(caught.value) == str(error)
    with pytest.raises(InputError, match="on_error: expected a function, or None, found 'skip'"):
        check_many(lines, on_error="skip")


def test_check_many_reads_boards_lazily():
    def boards():
        yield Board.parse("4x6/1122=1.1")
        raise KeyboardInterrupt

    verdicts = check_many(boards())
    assert next(verdicts).is_consistent
    with pytest.raises(KeyboardInterrupt):
        next(verdicts)


def test_json_documents_have_the_documented_keys():
    board = Board.parse("4x6/1122=2.1/1122=1.?/3456=0.2")
    verdict = check(board, reason=60).to_dict()
    assert set(verdict) == {
        "board", "verdict", "witness", "engine", "seconds", "reason_seconds", "conflict",
        "refutation", "correction", "mistaken", "mistaken_exactly"
    }  # fmt: skip
    assert verdict["board"] == str(board)
    assert (verdict["verdict"], verdict["witness"]) == ("inconsistent", None)
    document = explain(board).to_dict()
    assert {"verdict", "conflicts", "refutations", "corrections"} <= set(document)
    assert document["refutations"] == [None] * len(document["conflicts"])
    assert verdict["conflict"] in document["conflicts"]
    selected = explain(board).correction
    assert verdict["correction"] in document["corrections"]
    assert verdict["correction"]["changes"] == selected.to_dict()["changes"]
    assert verdict["mistaken"] == document["mistaken"]
    for correction in document["corrections"]:
        assert set(correction) == {"changes", "cost", "codes", "codes_exact", "chance"}
        assert correction["cost"] == len(correction["changes"])
        assert int(correction["codes"]) > 0
        for change in correction["changes"]:
            assert set(change) == {"row", "from", "to", "slip"}
            score = board.rows[change["row"] - 1].score
            assert change["from"] == list(score)
            assert [part is None for part in change["to"]] == [part is None for part in score]
