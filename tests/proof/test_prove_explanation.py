"""Certificates of explanations prove what brute force finds, and nothing false is accepted."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import lru_cache

import pytest

import mmsat
from mmsat.limits import LIMITS
from mmsat.proof.bundle import Bundle, board_text, read_board
from mmsat.proof.check_explanation import (
    ALL,
    NONE,
    SOME,
    Certificate,
    CorrectionMap,
    read_certificate,
)
from mmsat.proof.prove_explanation import collect_certificate, extend, verify_certificate
from tests.support import twins
from tests.support.cli_runner import SLIPPED
from tests.support.plain_proofs import is_writable
from tests.support.random_boards import (
    EVERY_SPACE,
    inconsistent_boards,
    known_boards,
    scorings_of,
    spaces_of,
)
from tests.support.tampering import (
    accepted_changes,
    changed_numbers,
    changed_section,
    is_rejected,
    tampered,
)
from tests.support.tiers import at_least, share

WRONG_ROW = mmsat.Board.parse("4x6/1122=2.0/3344=0.0/5566=0.0/1212=0.0")
TWO_COLORS = "10x2/1111122222=4.4/1212121212=5.5/1111111111=3.0/2222222222=6.0"


def bundle_of(board, explanation=None):
    """Return the proof of an explanation, made in this process, and its certificate."""
    *_, certificate = collect_certificate(board, explanation or mmsat.explain(board))
    text = board_text(board)
    sections = certificate.sections(read_board(text))
    return Bundle(text, "inconsistent", "explanation", certificate.fields(), sections), certificate


@lru_cache(maxsize=1)
def explained():
    """Return boards of every kind of game, each with its proof and its certificate."""
    boards = [board for board in inconsistent_boards(share(180), seed=51) if is_writable(board)]
    return [(board, *bundle_of(board)) for board in boards]


def truth_of(board):
    """Return all minimal conflicts and all cheapest corrections, by brute force."""
    return twins.minimal_conflicts(board), set(twins.cheapest_repairs(board))


def is_true(board, certificate):
    """Return whether the claims of a certificate are true, by brute force."""
    conflicts, corrections = truth_of(board)
    claimed = set(certificate.conflicts), set(certificate.corrections)
    are_conflicts = claimed[0] <= conflicts
    are_corrections = claimed[1] <= corrections
    if certificate.has_all_conflicts:
        are_conflicts = claimed[0] == conflicts
    if certificate.correction_claim == ALL:
        are_corrections = claimed[1] == corrections
    return are_conflicts and are_corrections


def test_boards_of_every_kind_have_proofs_of_their_explanations():
    boards = [board for board, _, _ in explained()]
    assert spaces_of(boards) == EVERY_SPACE
    assert len(scorings_of(boards)) == 7
    complete = 0
    for board, bundle, certificate in explained():
        report = mmsat.verify(str(bundle), board=read_board(board_text(board)))
        assert report.holds, (str(board), report.reason)
        assert (report.verdict, report.method) == ("inconsistent", "explanation")
        assert certificate.has_all_conflicts
        assert is_true(board, certificate)
        complete += certificate.correction_claim == ALL
    assert complete > 0.8 * len(boards)


def test_partial_explanations_have_proofs_without_claims_about_others():
    partial = 0
    for board, _, whole in explained()[: share(80)]:
        explanation = mmsat.explain(board)
        incomplete = replace(
            explanation,
            conflicts=explanation.conflicts[-1:],
            corrections=explanation.corrections[-1:],
            all_conflicts=False,
            all_corrections=False,
        )
        bundle, certificate = bundle_of(board, incomplete)
        report = mmsat.verify(str(bundle))
        assert report.holds
        assert (certificate.has_all_conflicts, certificate.correction_claim) == (False, SOME)
        assert is_true(board, certificate)
        partial += len(whole.conflicts) + len(whole.corrections) > 2
        bundle, certificate = bundle_of(board, replace(incomplete, corrections=()))
        assert mmsat.verify(str(bundle)).holds
        assert certificate.correction_claim == NONE
    assert partial > at_least(20)


def test_every_part_of_a_proof_holds_and_claims_more_than_the_one_before():
    """A time limit or Ctrl-C keeps the last part."""
    scopes = (NONE, SOME, ALL)
    num_parts = 0
    for named, bundle, _ in explained()[: share(80)]:
        board = read_board(board_text(named))
        certificate, earlier = None, []
        for item in collect_certificate(board, mmsat.explain(board)):
            if isinstance(item, str):
                continue
            certificate = extend(certificate, item)
            proof = verify_certificate(board, certificate)
            assert mmsat.verify(proof, board=board).holds
            assert is_true(board, certificate)
            claims = (
                len(certificate.conflicts),
                certificate.has_all_conflicts,
                scopes.index(certificate.correction_claim),
            )
            assert claims not in earlier
            assert all(old <= new for old, new in zip(earlier[-1:], [claims], strict=False))
            earlier.append(claims)
        assert proof.text == str(bundle)
        num_parts += len(earlier)
    assert num_parts > at_least(160)


def test_nothing_false_is_accepted_with_recomputed_digests():
    """Thousands of changes: what still holds is true by brute force.

    Harmless changes are additional codes, which get their scores, and superfluous hints.
    """
    rng = random.Random(7)
    accepted = rejected = 0
    bundles = [(board, bundle) for board, bundle, _ in explained()]
    for board, bundle in bundles:
        for _ in range(8):
            changed = tampered(rng, bundle, bundles)
            if changed == bundle:
                continue
            report = mmsat.verify(str(changed))
            assert report.reason
            if not report.holds:
                rejected += 1
                continue
            accepted += 1
            assert report.board.game == board.game
            certificate = read_certificate(report.board, changed.fields, changed.sections)
            assert is_true(report.board, certificate), (str(changed), report.reason)
    assert rejected > at_least(700)
    assert accepted < rejected / 5


def other_board(rng, bundle):
    """The proof with the board of another proof, or with a changed board."""
    other = rng.choice(explained())[1].board
    return replace(bundle, board=rng.choice([other, changed_numbers(rng, bundle.board)]))


def other_claim(name):
    """Return a change of a claim in the head."""

    def change(rng, bundle):
        return replace(bundle, fields=bundle.fields | {name: rng.choice(["all", "some", "none"])})

    return change


PARTS = ("conflicts", "corrections", "codes", "refutations", "conflict-map", "correction-map")
CHANGES = {
    "board": other_board,
    "claim about conflicts": other_claim("conflicts"),
    "claim about corrections": other_claim("corrections"),
    **{name: changed_section(name) for name in PARTS},
}


@pytest.mark.parametrize("kind", CHANGES)
def test_each_part_of_a_proof_is_checked(kind):
    """A change that is accepted is harmless: brute force finds what the proof claims."""
    for changed in accepted_changes(CHANGES[kind], lambda rng: rng.choice(explained())[1], 8):
        board = read_board(changed.board)
        certificate = read_certificate(board, changed.fields, changed.sections)
        assert is_true(board, certificate), str(changed)


def test_false_claims_are_rejected():
    """Each change of a claim that makes it false is rejected, with all lemmas in place."""
    rejected = 0
    for board, bundle, certificate in explained():
        conflicts, corrections = certificate.conflicts, certificate.corrections
        claims = [
            replace(certificate, conflicts=conflicts[:place] + conflicts[place + 1 :])
            for place in range(len(conflicts))
        ]
        claims += [
            replace(certificate, conflicts=(*conflicts[1:], rows[:-1])) for rows in conflicts
        ]
        if certificate.correction_claim == ALL:
            claims += [
                replace(certificate, corrections=corrections[:place] + corrections[place + 1 :])
                for place in range(len(corrections))
            ]
        claims += [replace(certificate, codes=certificate.codes[1:], conflict_map="")]
        claims += [replace(certificate, refutations=certificate.refutations[1:])]
        for claim in claims:
            sections = claim.sections(read_board(bundle.board))
            changed = replace(bundle, fields=claim.fields(), sections=sections)
            if claim == certificate or not mmsat.verify(str(changed)).holds:
                rejected += 1
                continue
            assert is_true(board, claim)
            # only refutations that nothing rests on may be missing
            assert claim.conflicts == conflicts
            assert claim.corrections == corrections
    assert rejected > at_least(600)


def test_the_number_of_unclaimed_corrections_is_reported():
    board = mmsat.Board.parse(SLIPPED)
    bundle, certificate = bundle_of(board)
    number = len(certificate.corrections)
    claim = replace(certificate, correction_claim=NONE)
    changed = replace(bundle, fields=claim.fields(), sections=claim.sections(board))
    assert number > 1
    assert f"[corrections] has {number} lines" in mmsat.verify(str(changed)).reason


def test_each_beginning_of_a_proof_is_rejected():
    text = str(bundle_of(WRONG_ROW)[0])
    for end in range(0, len(text), 7):
        assert is_rejected(text[:end])


def test_the_counter_of_changes_is_exact():
    """The clauses of a map without refutations have a model for each number up to the limit."""
    from pysat.solvers import Solver

    for rows in range(1, 6):
        board = mmsat.Board("2x2", [("11", (0, 0))] * rows)
        for limit in range(rows + 1):
            formula = CorrectionMap(board, limit, has_scores=False).formula
            with Solver("glucose4", bootstrap_with=formula.clauses) as solver:
                for chosen in range(1 << rows):
                    literals = [row + 1 if chosen >> row & 1 else -row - 1 for row in range(rows)]
                    changes = rows - chosen.bit_count()
                    assert solver.solve(assumptions=literals) == (changes <= limit)


def test_library_calls():
    proof = mmsat.prove_explanation(WRONG_ROW)
    assert (proof.method, proof.rows) == ("explanation", ())
    report = mmsat.verify(proof)
    assert report.reason == (
        "it has exactly 2 minimal conflicts, exactly 1 correction with 1 changed score, "
        "and none with fewer"
    )
    assert report.lemmas > 10
    assert mmsat.prove_explanation("4x6/1122=1.1").method == "witness"
    assert "algebra\nweighing" in mmsat.prove_explanation(TWO_COLORS).text
    with pytest.raises(mmsat.InputError, match="an explanation of this board without lies"):
        mmsat.prove_explanation(WRONG_ROW, explanation=mmsat.explain(TWO_COLORS))
    with pytest.raises(mmsat.InputError, match="an explanation of this board without lies"):
        mmsat.prove_explanation(WRONG_ROW, explanation=mmsat.explain(WRONG_ROW, lies=1))


def test_known_codes_are_conflicts_without_corrections():
    checked = 0
    for board, codes in known_boards(share(120), seed=12, pegs=3, colors=3):
        if not codes or len(codes) > 4 or not is_writable(board):
            continue
        solved = mmsat.Board(board.game, board.rows, known=codes)
        proof = mmsat.prove_explanation(solved)
        assert mmsat.verify(proof).holds
        assert "corrections none" in proof.text
        checked += 1
    assert checked > at_least(12)


def test_time_limits(monkeypatch):
    assert mmsat.prove_explanation(WRONG_ROW, timeout=0.000001) is None
    text = str(bundle_of(WRONG_ROW)[0])
    monkeypatch.setattr(LIMITS, "lemma_slice", 1)
    report = mmsat.verify(text, timeout=0.0000001)
    assert report.holds is None
    assert report.reason == "undecided: time limit reached at line 1 of [codes]"


def test_maps_that_are_too_large_are_rejected(monkeypatch):
    bundle, _ = bundle_of(WRONG_ROW)
    monkeypatch.setattr("mmsat.proof.check_explanation.MAX_COUNTER_VARIABLES", 3)
    report = mmsat.verify(str(bundle))
    assert report.holds is False
    assert report.reason == "a map of 1 change of 4 rows is too large"


def test_certificates_read_back():
    for _, bundle, certificate in explained():
        board = read_board(bundle.board)
        assert read_certificate(board, bundle.fields, bundle.sections) == certificate
        assert isinstance(certificate, Certificate)
