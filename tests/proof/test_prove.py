"""Proofs are found and hold for every kind of board; failure to find one is reported."""

from __future__ import annotations

import pytest

import mmsat
from mmsat.diagnosis import Conflict, Verdict
from mmsat.encoding import ENCODINGS
from mmsat.game import library
from mmsat.game.board import Status
from mmsat.proof import prove as module
from mmsat.proof.bundle import Bundle, board_text, read_board
from mmsat.proof.check_algebra import print_refutation
from mmsat.proof.prove import SatAttempt, finish_first
from mmsat.solving.deadline import TimeUpError
from tests.support.plain_proofs import bundle_of, is_writable, proofs
from tests.support.random_boards import EVERY_SPACE, known_boards, scorings_of, spaces_of
from tests.support.tiers import share

CLAUSES = [name for name, entry in ENCODINGS.items() if not entry.is_native]
HARD = "hard/sat-9-inconsistent"


def test_hundreds_of_inconsistent_boards_of_every_kind_have_proofs():
    boards = [board for board, _ in proofs()]
    assert spaces_of(boards) == EVERY_SPACE
    assert len(scorings_of(boards)) == 7
    for board, bundle in proofs():
        report = mmsat.verify(str(bundle))
        assert report.holds, (str(board), report.reason)
        assert (report.verdict, report.method) == ("inconsistent", "lrat")


@pytest.mark.parametrize("encoding", CLAUSES)
def test_every_encoding_of_clauses_has_proofs(encoding):
    for board, _ in proofs()[:60]:
        bundle = bundle_of(board, encoding=encoding)
        report = mmsat.verify(str(bundle), board=read_board(board_text(board)))
        assert report.holds, (str(board), report.reason)
        assert bundle.fields["encoding"] == encoding


def test_prove_is_right_on_random_boards():
    methods = set()
    for board, codes in known_boards(share(80, least=16), seed=71):
        if not is_writable(board):
            with pytest.raises(mmsat.InputError, match="a proof contains this text"):
                mmsat.prove(board)
            continue
        proof = mmsat.prove(board)
        report = mmsat.verify(proof, board=proof.board)
        assert report.holds
        assert proof.status == (Status.CONSISTENT if codes else Status.INCONSISTENT)
        assert (report.method, report.rows) == (proof.method, proof.rows)
        assert proof.to_dict()["bytes"] == len(str(proof).encode())
        methods.add(proof.method)
    assert methods == {"witness", "lrat"} | ({"algebra"} & methods)


@pytest.mark.parametrize(
    "name",
    [
        "mistakes/black-and-white-exchanged",
        "mistakes/word",
        "mistakes/royale",
        "mistakes/bulls-and-cows",
        "mistakes/unread-and-wrong",
        "papers/cover-cycle-5-2",
        "reductions/exact-cover-16-inconsistent",
        "reductions/black-white-lift-2-slipped",
    ],
)
def test_boards_of_the_library(name):
    instance = library.find(name)
    verdict = mmsat.check(instance.board, reason=0)
    proof = mmsat.prove(instance.board, verdict=verdict)
    assert proof.status == instance.verdict
    assert mmsat.verify(str(proof), board=instance.board).holds


def test_games_of_files_are_written_out():
    """The words are in the proof, so that it is checked without their file."""
    for board, bundle in proofs():
        if board.game.name.startswith("game:"):
            assert bundle.board.startswith("{")
            assert mmsat.verify(str(bundle)).holds
            return
    pytest.fail("there is no such board")


def test_the_rows_of_the_conflict_are_tried_first():
    board = mmsat.Board.parse("4x6/1122=1.1/3345=0.2/1122=0.2")
    proof = mmsat.prove(board)
    assert proof.rows == (0, 2)
    alone = Verdict(board, Status.INCONSISTENT, None, "", 0.0)
    assert mmsat.prove(board, verdict=alone).rows == (0, 1, 2)


def test_algebra_is_taken_from_the_verdict_or_found():
    board = library.find("papers/cover-cycle-5-2").board
    verdict = mmsat.check(board)
    proof = mmsat.prove(board, verdict=verdict)
    assert proof.method == "algebra"
    assert print_refutation(verdict.conflict.refutation) in proof.text
    alone = Verdict(board, Status.INCONSISTENT, None, "", 0.0)
    assert mmsat.prove(board, verdict=alone).method == "algebra"


def test_same_verdict_same_bytes():
    board = mmsat.Board.parse("6x6/112233=1.2/445566=2.1/123456=4.1/654321=1.1")
    verdict = mmsat.check(board)
    assert not verdict.is_consistent
    assert mmsat.prove(board, verdict=verdict) == mmsat.prove(board, verdict=verdict)


def test_no_proof_in_time():
    board = library.find(HARD).board
    verdict = Verdict(board, Status.INCONSISTENT, None, "", 0.0)
    messages = []
    settings = {"encoding": "totalizer", "timeout": 1.0, "on_progress": messages.append}
    assert mmsat.prove(board, verdict=verdict, **settings) is None
    assert messages
    unknown = Verdict(board, Status.UNKNOWN, None, "", 0.0)
    assert mmsat.prove(board, verdict=unknown) is None


def test_a_proof_that_gets_too_long_is_given_up():
    board = library.find("hard/random-two-color-36-slipped").board
    rows = tuple(range(len(board.rows)))
    with pytest.raises(mmsat.SizeError, match="all proofs exceed"):
        list(module.refute_by_sat(board, [rows], None, max_bytes=1000, propagations=100))


def test_only_the_attempt_that_goes_on_keeps_its_solver():
    """A solver keeps its clauses and its proof file until it is deleted."""
    board = mmsat.Board.parse("6x6/112233=1.2/445566=2.1/123456=4.1/654321=1.1")
    rows = tuple(range(len(board.rows)))
    finished, other = (SatAttempt(board, rows, "totalizer") for _ in range(2))
    other.step(1)  # makes the solver
    *_, proof = finish_first([finished, other])
    assert proof[0] == rows
    assert (finished.size, other.size) == (0, 0)
    board = library.find("hard/random-two-color-36-slipped").board
    given_up = SatAttempt(board, tuple(range(len(board.rows))), "totalizer")
    with pytest.raises(mmsat.SizeError):
        list(finish_first([given_up], max_bytes=-1, propagations=1))
    assert given_up.size == 0


def test_a_verdict_that_is_wrong_is_a_bug_and_no_proof():
    board = mmsat.Board.parse("4x6/1122=1.1/3345=0.2")
    wrong = Verdict(board, Status.INCONSISTENT, None, "", 0.0, Conflict((0, 1)))
    with pytest.raises(mmsat.InternalError, match="found a code of an inconsistent board"):
        mmsat.prove(board, verdict=wrong)
    wrong = Verdict(board, Status.CONSISTENT, (0, 0, 0, 0), "", 0.0)
    with pytest.raises(mmsat.InternalError, match="a new proof was rejected"):
        mmsat.prove(board, verdict=wrong)


def test_an_encoding_that_is_not_made_of_clauses():
    board = mmsat.Board.parse("4x6/1122=0.4/1122=0.2")
    for name in ("native", "best"):
        with pytest.raises(mmsat.InputError, match="one of"):
            mmsat.prove(board, encoding=name)
    assert mmsat.prove(board, encoding="direct").text.count("encoding direct\n") == 2


def test_time_up_while_proving_is_no_error(monkeypatch):
    def late(*_):
        raise TimeUpError

    monkeypatch.setattr("mmsat.proof.prove.stream", late)
    assert mmsat.prove(mmsat.Board.parse("4x6/1122=0.4/1122=0.2")) is None


def test_bundles_read_back():
    for _, bundle in proofs()[:200]:
        assert Bundle.read(str(bundle)) == bundle
