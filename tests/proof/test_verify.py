"""Proofs that were tampered with are rejected, whatever was done to them."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from dataclasses import replace
from itertools import product

import pytest

import mmsat
from mmsat.proof.bundle import METHODS, Bundle, board_text
from mmsat.proof.verify import find_checker
from tests.support import twins
from tests.support.plain_proofs import bundle_of, lrat_holds, proofs
from tests.support.random_boards import known_boards
from tests.support.tampering import is_rejected, tampered
from tests.support.tiers import at_least, share

SLIPPED = mmsat.Board.parse("4x6/1122=1.1/3345=0.2/1122=0.2")
LEMMAS = mmsat.Board.parse("3x3/112=1.0/122=0.2/333=0.0")
ASCENDING = "^expected ascending rows from 1 to 3, found "
NUMBERS = "^expected row numbers from 1 to 3, found "
NO_CLAUSES = (
    "^the encoding does not support the board: the encoding: expected one of cardinality-network, "
    "direct, modulo-totalizer, sequential, sorting-network, totalizer, found 'native' "
    r"\(this encoding does not consist of clauses only\)$"
)
TWO = mmsat.Board.parse("6x2/111222=2.?/121212=3.?/112122=4.?/222222=3.0")


@pytest.fixture(scope="module")
def whole():
    """A proof by lemmas, as text."""
    return str(bundle_of(LEMMAS))


@pytest.fixture(scope="module")
def small():
    """A small proof of each method, as text."""
    witness = mmsat.prove(mmsat.Board.parse("4x6/1122=1.1/3345=0.2"))
    algebra = mmsat.prove(TWO)
    lrat = mmsat.prove(mmsat.Board.parse("2x3/11=2.0/22=1.0"))
    assert [entry.method for entry in (witness, algebra, lrat)] == ["witness", "algebra", "lrat"]
    return [str(entry) for entry in (witness, algebra, lrat)]


def test_every_flipped_bit_of_small_proofs_is_noticed(small):
    flips = 0
    for text in small:
        assert mmsat.verify(text).holds
        data = text.encode()
        for place in range(len(data)):
            for bit in range(8):
                changed = bytearray(data)
                changed[place] ^= 1 << bit
                assert is_rejected(bytes(changed)), (place, bit)
                flips += 1
    assert flips > 5000


def test_every_changed_byte_of_a_proof_is_noticed_and_its_place_named(whole):
    rng = random.Random(1)
    data = whole.encode()
    assert len(data) > 1000
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] = rng.choice([byte for byte in range(256) if byte != data[place]])
        assert is_rejected(bytes(changed)), place
    inside = whole.index("[lrat]") + 9
    changed = whole[:inside] + ("1" if whole[inside] != "1" else "2") + whole[inside + 1 :]
    digests = r"its SHA-256 is [0-9a-f]{64}, but the file states '%s [0-9a-f]{64}'"
    reason = r"the section \[lrat\] was changed: " + digests % "lrat"
    assert re.fullmatch(reason, mmsat.verify(changed).reason)
    changed = whole.replace("rows 1 2 3", "rows 1 2")
    reason = "the head was changed: " + digests % "head"
    assert re.fullmatch(reason, mmsat.verify(changed).reason)


def test_every_beginning_of_a_proof_is_rejected(small, whole):
    for text in [*small, whole]:
        for end in range(len(text)):
            assert is_rejected(text[:end]), end
        assert is_rejected(f"{text}\n")
        assert is_rejected(text + text)
        assert is_rejected(text.replace("\n", "\r\n"))


def test_texts_that_are_no_lines_of_characters_are_reported(whole):
    """Line ends of other systems, and halves of characters, which a Python text may have."""
    report = mmsat.verify(whole.replace("\n", "\r\n"))
    assert report.holds is False
    assert "carriage return" in report.reason
    for place in ("verdict inconsistent", "[lrat]\n"):
        report = mmsat.verify(whole.replace(place, f"{place}\ud800"))
        assert report.holds is False
        assert "UTF-8" in report.reason
    assert mmsat.verify(bytearray(whole.encode())).holds


def test_what_is_no_proof_at_all_is_told_as_such():
    for text in ["", "hello\n", "mmsat proof 2\n", "4x6/1122=1.1", b"\xff\xfe", b"\0" * 100]:
        with pytest.raises(mmsat.InputError, match="expected"):
            mmsat.verify(text)


def test_the_name_of_a_proof_is_not_its_text(tmp_path):
    with pytest.raises(mmsat.InputError, match="give the content of the file, not its name"):
        mmsat.verify(str(tmp_path / "board.proof"))


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"a\x00\xa5\x00a3\x00", "binary DRAT"),
        (b"d\x02\x05\x00a\x02\x00", "binary DRAT"),
        (b"1 0\nd 1 0\n0\n", "DRAT or LRAT"),
        (b"-12 3 0\n0\n", "DRAT or LRAT"),
        (b"d 1 0\n0\n", "DRAT or LRAT"),
        (b"0\n", "DRAT or LRAT"),
        (b"3 1 0 1 2 0\n", "DRAT or LRAT"),
        (b"3 d 1 0\n", "DRAT or LRAT"),
    ],
)
def test_a_proof_of_another_solver_is_named(data, kind):
    for proof in (data, data.decode("utf-8", "replace")):
        with pytest.raises(mmsat.InputError, match=f"this is {kind}, .* drat-trim"):
            mmsat.verify(proof)


@pytest.mark.parametrize("data", [b"hello", b"p cnf 2 1\n1 2 0\n", b"add 1\n", b"4x6/1122=1.1"])
def test_other_files_are_not_taken_for_proofs_or_names(data):
    with pytest.raises(mmsat.InputError, match=r"\(a proof begins with 'mmsat proof'\)"):
        mmsat.verify(data)


def test_nothing_false_is_ever_accepted_with_recomputed_digests():
    """Thousands of changes: what still holds is true by brute force, and held by the twin."""
    rng = random.Random(5)
    accepted = rejected = 0
    for board, bundle in proofs():
        for _ in range(8):
            changed = tampered(rng, bundle, proofs())
            if changed == bundle:
                continue
            report = mmsat.verify(str(changed))
            assert report.reason
            if not report.holds:
                rejected += 1
                continue
            accepted += 1
            assert twins.consistent(report.board.only(report.rows)) == []
            formula = [
                [int(word) for word in line.split()[:-1]]
                for line in changed.sections["cnf"].splitlines()
                if line[0] not in "cp"
            ]
            variables = max((abs(n) for clause in formula for n in clause), default=0)
            assert lrat_holds(variables, formula, changed.sections["lrat"])
            assert str(report.board).count("/") >= str(board).count("/") - 1
    assert rejected > at_least(3000)
    assert accepted < rejected / 5


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda b: replace(b, verdict="consistent"), "cannot prove 'consistent'"),
        (lambda b: replace(b, board=b.board.replace("=1.0", "=1.1")), r"line 1 of \[cnf\] is"),
        (lambda b: replace(b, board="3x3/112=1.0"), "expected ascending rows from 1 to 1"),
        (lambda b: replace(b, board=f"{b.board}/"), "canonical"),
        (lambda b: replace(b, board="3x3/1=1"), "the board cannot be read"),
        (lambda b: replace(b, board="word:nonesuch/1=1"), "files are not read"),
        (lambda b: with_field(b, "rows", "1 2"), r"line 1 of \[cnf\] is"),
        (lambda b: with_field(b, "rows", "none"), r"line 1 of \[cnf\] is"),
        (
            lambda b: with_field(b, "rows", "3 2 1"),
            ASCENDING + "'3 2 1'$",
        ),
        (
            lambda b: with_field(b, "rows", "1 1 2 3"),
            ASCENDING + "'1 1 2 3'$",
        ),
        (
            lambda b: with_field(b, "rows", "1 2 x"),
            NUMBERS + "'1 2 x'$",
        ),
        (
            lambda b: with_field(b, "rows", "0 1"),
            ASCENDING + "'0 1'$",
        ),
        (lambda b: with_field(b, "encoding", "native"), NO_CLAUSES),
        (lambda b: with_field(b, "encoding", "best"), "unknown encoding 'best'"),
        (lambda b: with_field(b, "encoding", "sequential"), r"line 2 of \[cnf\] is"),
        (lambda b: with_section(b, "lrat", ""), r"line 1 of \[lrat\]: the proof ends before"),
    ],
)
def test_the_reason_is_reported(change, reason):
    report = mmsat.verify(str(change(bundle_of(LEMMAS))))

    assert report.holds is False
    assert re.search(reason, report.reason), report.reason


def with_field(bundle, name, value):
    return replace(bundle, fields=bundle.fields | {name: value})


def with_section(bundle, name, text):
    return replace(bundle, sections=bundle.sections | {name: text})


def test_the_clauses_are_compared_one_by_one():
    """Swapped, changed, dropped and added ones are named, though the proof holds without them."""
    bundle = bundle_of(LEMMAS)
    lines = bundle.sections["cnf"].splitlines(keepends=True)
    first = next(n for n, line in enumerate(lines) if line.startswith("p cnf")) + 1
    for place in range(first, len(lines) - 1):
        for wrong in (
            [*lines[:place], lines[place + 1], lines[place], *lines[place + 2 :]],
            [*lines[:place], *lines[place + 1 :]],
            [*lines[:place], lines[place], *lines[place:]],
            [*lines[:place], f"1 {lines[place]}", *lines[place + 1 :]],
        ):
            text = "".join(wrong)
            if text == bundle.sections["cnf"]:
                continue
            report = mmsat.verify(str(with_section(bundle, "cnf", text)))
            assert report.holds is False
            assert " of [cnf] is" in report.reason


def test_every_lemma_is_needed():
    """Without one, or with another, the rest does not follow."""
    count = 0
    for _, bundle in proofs():
        lines = bundle.sections["lrat"].splitlines(keepends=True)
        for place in range(len(lines) if len(lines) > 3 else 0):
            if " d " in lines[place]:
                continue
            text = "".join([*lines[:place], *lines[place + 1 :]])
            assert not mmsat.verify(str(with_section(bundle, "lrat", text))).holds
            count += 1
        if count > share(1500):
            return
    assert count > at_least(300)


def test_a_proof_is_about_its_board(small):
    for text in small:
        board = mmsat.verify(text).board
        assert mmsat.verify(text, board=board).holds
        report = mmsat.verify(text, board=SLIPPED)
        assert not report.holds
        assert "another board" in report.reason


def test_witnesses_are_scored():
    """Every code of hundreds of boards as a witness: only those with all scores hold."""
    held = refused = 0
    for board, codes in known_boards(share(400), seed=33, pegs=3, colors=3):
        if board.game.name:
            continue  # other tests cover words
        spell = mmsat.codes(board).format
        for code in product(range(board.game.colors), repeat=board.game.pegs):
            bundle = Bundle(str(board), "consistent", "witness", {"witness": spell(code)})
            report = mmsat.verify(str(bundle))
            assert report.holds == (code in codes), (str(board), code, report.reason)
            held += report.holds
            refused += not report.holds
    assert held > at_least(300)
    assert refused > at_least(300)
    for wrong in ["11", "1?3", "", "9999", "112 "]:
        bundle = Bundle("3x3", "consistent", "witness", {"witness": wrong})
        assert not mmsat.verify(str(bundle)).holds


def test_verify_loads_no_solver():
    code = (
        "import sys, mmsat\n"
        "for text in sys.stdin.read().split('\\0'):\n"
        "    assert mmsat.verify(text).holds\n"
        "print(*sys.modules)"
    )
    board = mmsat.Board.parse("4x6/1122=1.1/3345=0.2")
    texts = [str(mmsat.prove(entry)) for entry in (board, SLIPPED, TWO)]
    texts.append(str(mmsat.prove_count(board)))
    done = subprocess.run(
        [sys.executable, "-c", code],
        input="\0".join(texts),
        capture_output=True,
        text=True,
        check=True,
    )
    modules = set(done.stdout.split())
    assert "mmsat.proof.verify" in modules
    assert not {"pysat", "ortools", "numpy", "pyganak", "multiprocessing"} & modules
    packages = ("solving", "diagnosis", "counting", "constraints.")
    found = {name for name in modules if name.startswith(tuple(f"mmsat.{p}" for p in packages))}
    assert found <= {"mmsat.constraints"}


@pytest.mark.parametrize("encoding", ["totalizer", "direct", "modulo-totalizer"])
def test_a_small_file_about_a_large_board_is_refused_without_its_formula(encoding, monkeypatch):
    """The board has 30,000 variables, and its file a few kilobytes."""
    pegs, colors = (10, 30) if encoding == "direct" else (1000, 30)
    board = mmsat.Board(mmsat.Game(pegs, colors), (mmsat.Row((0,) * pegs, (pegs // 2, 0)),))
    bundle = Bundle(
        board_text(board),
        "inconsistent",
        "lrat",
        {"rows": "1", "encoding": encoding},
        {"cnf": "", "lrat": ""},
    )
    monkeypatch.setattr("mmsat.proof.bundle.write_dimacs", None)
    report = mmsat.verify(str(bundle))
    assert report.holds is False
    assert re.fullmatch(r"\[cnf\] has 0 lines, but the formula has [0-9,]+ clauses", report.reason)


def test_every_kind_of_proof_has_a_checker_of_its_own():
    assert len({find_checker(method) for method in METHODS}) == len(METHODS)
