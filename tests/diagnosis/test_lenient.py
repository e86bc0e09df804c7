"""Verdicts and conflicts with lies, compared with a trial of every code."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest

import mmsat
from mmsat.diagnosis.correction_sets import ENGINE_NAME, find_by_leaving_out
from mmsat.diagnosis.mus import conflicts
from mmsat.diagnosis.sentences import explanation_sentences, verdict_sentences
from mmsat.game.board import Board, Status
from mmsat.game.tolerance import MEASURES, Tolerance
from mmsat.limits import LIMITS
from mmsat.solving.oracle import SubsetOracle
from tests.support import twins
from tests.support.perturbed_boards import parity_kept
from tests.support.planted_boards import planted
from tests.support.random_boards import random_board
from tests.support.tiers import at_least, share


def minimal_conflicts(board, lies, by):
    """Return every minimal set of rows of which each code violates more than the lies allow."""
    all_codes = list(twins.codes(board.game))
    results = set()
    for size in range(len(board.rows) + 1):
        for rows in combinations(range(len(board.rows)), size):
            if any(set(conflict) <= set(rows) for conflict in results):
                continue
            subset = board.only(rows)
            if all(twins.lies_of(subset, code, by) > lies for code in all_codes):
                results.add(rows)
    return results


def boards_with_lies(number, seed):
    rng = random.Random(seed)
    for _ in range(number):
        board = random_board(rng, 3, 3, 6, slips=rng.choice([0.3, 0.6, 0.9]))
        yield board, rng.choice([1, 1, 2]), rng.choice(MEASURES)


def test_all_minimal_conflicts_are_found():
    seen = Counter()
    for board, lies, by in boards_with_lies(share(120, least=40), 91):
        expected = minimal_conflicts(board, lies, by)
        rows = [conflict.rows for conflict in conflicts(SubsetOracle(board, Tolerance(lies, by)))]
        assert len(rows) == len(set(rows))
        assert set(rows) == expected, (str(board), lies, by)
        seen[by, len(expected) > 1] += 1
    assert all(seen[by, True] > at_least(5) for by in MEASURES)


@pytest.mark.parametrize("propagations", [0, LIMITS.query_propagations])
def test_leaving_out_rows_finds_a_code_with_the_fewest_lies(propagations, monkeypatch):
    monkeypatch.setattr(LIMITS, "query_propagations", propagations)
    seen = Counter()
    for board, lies, _ in boards_with_lies(share(150, least=40), 93):
        code, _, _ = find_by_leaving_out(board, lies)
        least = twins.least_wrong(board)
        assert (code is not None) == (least <= lies), (str(board), lies)
        assert code is None or len(twins.wrong_rows(board, code)) == least
        seen[least, lies] += 1
    assert len(seen) > 5


def test_leaving_out_rows_decides_a_large_board_with_one_lie():
    """The board is too large for brute force and for a formula that counts lies."""
    board = parity_kept(planted("20x20", 36, 3), "1")
    code, name, _ = find_by_leaving_out(board, 1)
    assert name == ENGINE_NAME
    for result in (code, mmsat.check(board, lies=1).witness):
        assert result is not None
        assert len(twins.wrong_rows(board, result)) <= 1


def test_verdicts_and_reasons_with_lies_are_right():
    seen = Counter()
    for board, lies, by in boards_with_lies(share(150, least=30), 92):
        verdict = mmsat.check(board, lies=lies, by=by)
        codes = twins.within(board, lies, by)
        assert verdict.is_consistent == bool(codes)
        document = verdict.to_dict()
        assert (document["lies"], document["by"]) == (lies, by)
        if codes:
            assert verdict.witness in codes
            # Brute force decides these boards, with the fewest lies.
            lies_by_code = {code: twins.lies_of(board, code, by) for code in codes}
            assert lies_by_code[verdict.witness] == min(lies_by_code.values())
            wrong = twins.wrong_rows(board, verdict.witness)
            assert [miss["row"] - 1 for miss in document["missed"]] == wrong
            wrong_pegs = sum(miss["pegs"] for miss in document["missed"])
            assert wrong_pegs == twins.lies_of(board, verdict.witness, "pegs")
        else:
            assert verdict.conflict.rows in minimal_conflicts(board, lies, by)
            changed = {change.row: change.after for change in verdict.correction.changes}
            assert twins.consistent(board.changed(changed))
        seen[verdict.status, by] += 1
    assert len(seen) == 4


def test_explanations_with_lies_are_complete():
    for board, lies, by in boards_with_lies(share(60), 93):
        explanation = mmsat.explain(board, lies=lies, by=by, limit=10_000)
        is_consistent = bool(twins.within(board, lies, by))
        assert explanation.status is (Status.CONSISTENT if is_consistent else Status.INCONSISTENT)
        assert explanation.all_conflicts
        assert {conflict.rows for conflict in explanation.conflicts} == (
            set() if is_consistent else minimal_conflicts(board, lies, by)
        )
        repairs = {
            tuple((change.row, change.after) for change in correction.changes)
            for correction in explanation.corrections
        }
        expected = set() if twins.consistent(board) else set(twins.cheapest_repairs(board))
        assert repairs == expected


@pytest.mark.parametrize("engine", ["auto", "brute", "cp", "sat", "sat:glucose4:sequential"])
def test_engines_decide_within_lies(engine):
    board = Board.parse("4x6/4244=0.1/5152=2.1/2153=1.1/6552=1.1/5451=2.2")
    assert mmsat.check(board, engine=engine).status is Status.INCONSISTENT
    verdict = mmsat.check(board, engine=engine, lies=1)
    assert len(verdict.misses) == 1
    inconsistent = Board.parse("4x6/1122=0.4/1122=0.2/1122=2.0/3345=0.3")
    verdict = mmsat.check(inconsistent, engine=engine, lies=2, reason=0)
    assert verdict.status is Status.INCONSISTENT
    assert verdict.engine.startswith(engine.split(":")[0]) or engine == "auto"


def test_the_time_limit_is_kept_with_lies():
    rng = random.Random(1)
    rows = "/".join(
        "".join(rng.choice("123456") for _ in range(40)) + f"={rng.randrange(12)}.12"
        for _ in range(40)
    )
    verdict = mmsat.check(Board.parse(f"40x6/{rows}"), lies=3, timeout=0.5)
    assert verdict.seconds < 20
    assert verdict.status is not Status.CONSISTENT


@pytest.mark.parametrize(
    ("line", "settings", "sentences"),
    [
        (
            "4x6b/1122=4/1123=4",
            {"lies": 1},
            [
                (
                    "Consistent within 1 lie: the code 1122 gets these scores, but with 3 black in"
                    " row 2."
                )
            ],
        ),
        (
            "4x6b/1122=4/1123=4",
            {"lies": 2, "by": "pegs"},
            [
                (
                    "Consistent within 2 key pegs: the code 1122 gets these scores, but with 3"
                    " black in row 2 (1 key peg off)."
                )
            ],
        ),
        ("4x6b/1122=4", {"lies": 1}, None),
        (
            "2x2b/11=2/22=2/12=2",
            {"lies": 1},
            [
                "Inconsistent: every code misses more than 1 row.",
                "Of rows 1, 2 and 3, more than 1 is wrong.",
            ],
        ),
        (
            "4x6b/1122=4/3344=4",
            {"lies": 2, "by": "pegs"},
            [
                "Inconsistent: every code is off by more than 2 key pegs.",
                "In rows 1 and 2 alone, every code is off by more than 2 key pegs.",
            ],
        ),
    ],
)
def test_verdicts_with_lies_in_words(line, settings, sentences):
    text = verdict_sentences(mmsat.check(Board.parse(line), **settings))
    if sentences is None:
        assert text[0].startswith("Consistent")
    else:
        assert text[0] == sentences[0]
        assert {*sentences} <= {*text}


def test_explanations_with_lies_in_words():
    board = Board.parse("4x6b/1122=4/1123=4")
    text = explanation_sentences(mmsat.explain(board, lies=1))
    assert text[0] == "Consistent within 1 lie."
    assert text[1] == "Rows 1 and 2 are the most likely mistakes (50% each)."
    assert text[2].startswith("If row 1 was 3 black")
    without_lies = explanation_sentences(mmsat.explain(Board.parse("4x6b/1122=4"), lies=1))
    assert without_lies == ["Consistent: no correction is needed."]
