"""Proofs of lists: they have the codes of brute force, and every false change is rejected."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import lru_cache

import pytest

import mmsat
from mmsat.limits import LIMITS
from mmsat.proof import prove_codes as module
from mmsat.proof.bundle import Bundle, read_board
from mmsat.proof.check_codes import exclude
from mmsat.proof.prove_codes import make_list_proof
from mmsat.proof.prove_veripb import list_and_refute
from tests.support import twins
from tests.support.plain_proofs import is_writable, lrat_holds
from tests.support.random_boards import EVERY_SPACE, known_boards, scorings_of, spaces_of
from tests.support.tampering import (
    accepted_changes,
    changed_field,
    changed_numbers,
    changed_section,
    is_rejected,
)
from tests.support.tiers import at_least, share

SMALL = "4x4/1122=1.1/3344=0.1"


def bundle_of(board):
    """Return the proof of the list of a board, made in this process."""
    *_, proof = make_list_proof(board)
    return Bundle.read(proof.text)


@lru_cache(maxsize=1)
def proofs():
    """Return boards of every kind of game, each with its codes and the proof of its list."""
    boards = [
        (board, codes)
        for board, codes in known_boards(share(600), seed=61, pegs=3, colors=4, rows=3)
        if is_writable(board)
    ]
    return [(board, codes, bundle_of(board)) for board, codes in boards]


def listed(board, bundle):
    """Return the codes that a proof lists, read by the notation alone."""
    lines = bundle.sections["codes"].splitlines()
    return [board.game.read_code(line) for line in lines]


def test_lists_are_those_of_brute_force_for_every_kind_of_game():
    assert spaces_of(board for board, _, _ in proofs()) == EVERY_SPACE
    assert len(scorings_of(board for board, _, _ in proofs())) == 7
    sizes = Counter()
    for board, codes, bundle in proofs():
        assert listed(board, bundle) == [*codes], str(board)
        report = mmsat.verify(str(bundle), board=read_board(bundle.board))
        assert report.holds, (str(board), report.reason)
        assert (report.verdict, report.method) == ("listed", "list")
        assert (report.count, report.rows) == (len(codes), ())
        sizes[min(len(codes), 2)] += 1
    assert sizes[0] > at_least(30)
    assert sizes[1] > at_least(10)
    assert sizes[2] > at_least(200)


def test_the_lemmas_hold_by_the_twin_for_the_board_without_its_codes():
    for _, _, bundle in proofs()[: share(120)]:
        lines = [line for line in bundle.sections["cnf"].splitlines() if line[0] not in "cp"]
        clauses = [[int(word) for word in line.split()[:-1]] for line in lines]
        variables = int(re.search(r"(?m)^p cnf (\d+) ", bundle.sections["cnf"])[1])
        assert lrat_holds(variables, clauses, bundle.sections["lrat"])


def test_known_codes_are_not_listed():
    checked = 0
    for board, codes, _ in proofs():
        if len(codes) > 1:
            known = exclude(board, codes[1:])
            bundle = bundle_of(known)
            assert listed(known, bundle) == [codes[0]]
            assert mmsat.verify(str(bundle), board=known).count == 1
            checked += 1
        if checked > share(60):
            return
    pytest.fail("there are too few boards with several codes")


def omitted(rng, bundle):
    """The proof without one of its codes."""
    return with_codes(rng, bundle, lambda lines, place: lines[:place] + lines[place + 1 :])


def replaced(rng, bundle):
    """The proof with another code of the game instead of one of its codes."""
    code = rng.choice([*read_board(bundle.board).game.codes()])
    spell = mmsat.codes(read_board(bundle.board)).format

    def change(lines, place):
        return sorted([*lines[:place], spell(code), *lines[place + 1 :]])

    return with_codes(rng, bundle, change)


def added(rng, bundle):
    """The proof with one more code of the game."""
    code = rng.choice([*read_board(bundle.board).game.codes()])
    spell = mmsat.codes(read_board(bundle.board)).format
    return with_codes(rng, bundle, lambda lines, _: sorted([*lines, spell(code)]))


def with_codes(rng, bundle, change):
    """The proof with changed codes, and the right number and formula for them."""
    lines = bundle.sections["codes"].splitlines()
    lines = change(lines, rng.randrange(len(lines)) if lines else 0)
    text = "".join(f"{line}\n" for line in lines)
    fields = bundle.fields | {"count": str(len(lines))}
    return replace(bundle, fields=fields, sections=bundle.sections | {"codes": text})


def changed_board(rng, bundle):
    """The proof with the board of another proof, or with a changed board."""
    other = rng.choice(proofs())[2].board
    return replace(bundle, board=rng.choice([other, changed_numbers(rng, bundle.board)]))


CHANGES = {
    "board": changed_board,
    "count": changed_field("count"),
    "codes": changed_section("codes"),
    "omitted code": omitted,
    "replaced code": replaced,
    "added code": added,
    "formula": changed_section("cnf"),
    "lemmas": changed_section("lrat"),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_nothing_false_is_accepted_with_recomputed_digests(kind):
    """A change that is accepted is harmless: brute force finds the codes that it lists."""
    accepted = 0
    for changed in accepted_changes(CHANGES[kind], lambda rng: rng.choice(proofs())[2], 62):
        accepted += 1
        report = mmsat.verify(str(changed))
        assert report.holds
        assert listed(report.board, changed) == sorted(twins.consistent(report.board))
        assert changed.fields["count"] == str(report.count)
    assert accepted < share(500, least=20) / 5


@pytest.fixture(scope="module")
def small():
    """The proof of a short list, as text."""
    return mmsat.prove_codes(SMALL).text


def test_each_beginning_of_a_proof_is_rejected(small):
    for end in range(0, len(small), 7):
        assert is_rejected(small[:end])
    assert is_rejected(f"{small}\n")


@pytest.mark.parametrize(
    ("pattern", "replacement", "reason"),
    [
        (r"(?m)^count \d+$", "count 7", r"^\[codes\] has \d+ codes, not '7'$"),
        (r"\[codes\]\n", "[codes]\n9999\n", r"not '\d+'$"),
        (r"\[codes\]\n\d+", "[codes]\n9999", r"^line 1 of .codes.: '9999' is not a code of 4x4$"),
        (r"\[codes\]\n\d+", "[codes]\n1111", "'1111' does not get the score of row 1$"),
        (r"\[codes\]\n(\d+)\n\d+", r"[codes]\n\1\n\1", "^line 2 of .* is not in ascending order$"),
        (r"\nencoding totalizer\n", "\nencoding nothing\n", "^unknown encoding 'nothing'$"),
        (r"\nencoding totalizer\n", "\nencoding direct\n", r"^line 2 of \[cnf\] is "),
        (r"(?s)\[lrat\]\n.*\[sha", "[lrat]\n[sha", r"^line 1 of \[lrat\]: "),
        ("verdict listed", "verdict consistent", "^the method list cannot prove 'consistent'$"),
    ],
)
def test_the_place_of_a_fault_is_reported(small, pattern, replacement, reason):
    head, _, _ = small.rpartition("[sha256]\n")
    changed, number = re.subn(pattern, replacement, f"{head}[sha256]\n", count=1)
    assert number == 1
    bundle = Bundle.read(small)
    names = ["codes", "cnf", "lrat"]
    parts = re.split(r"(?m)^\[(?:codes|cnf|lrat|sha256)\]\n", changed)
    lines = dict(line.split(" ", 1) for line in parts[0].splitlines()[1:])
    fields = {name: lines[name] for name in bundle.fields}
    sections = dict(zip(names, parts[1:4], strict=True))
    changed = replace(bundle, verdict=lines["verdict"], fields=fields, sections=sections)
    report = mmsat.verify(str(changed))
    assert report.holds is False
    assert report.count is None
    assert re.search(reason, report.reason), report.reason


def test_the_sentences_of_zero_one_and_more_codes():
    for line, words in (
        ("2x3/11=2.0/22=1.0", "lemmas? shows? that there is no code$"),
        ("2x3/12=2.0", "^it gets every score, and .* that there is no other$"),
        ("2x3/12=1.0", "^each of them gets every score, and .* that there is no other$"),
    ):
        assert re.search(words, mmsat.verify(mmsat.prove_codes(line)).reason)


def test_a_list_that_is_too_long_is_refused_before_it_is_complete(monkeypatch):
    monkeypatch.setattr(LIMITS, "proof_codes", 20)
    with pytest.raises(mmsat.SizeError, match=r"^a proof of a list has up to 20 codes, and there "):
        list(make_list_proof(mmsat.Board.parse("30x9")))
    assert mmsat.verify(mmsat.prove_codes("2x4/12=1.0")).holds


def test_a_list_that_is_too_long_is_rejected(small, monkeypatch):
    monkeypatch.setattr(LIMITS, "proof_codes", 2)
    assert mmsat.verify(small).reason == "[codes] has more than 2 codes"


def test_time_limits(small, monkeypatch):
    assert mmsat.prove_codes("8x9/11223344=2.2", timeout=0) is None
    monkeypatch.setattr(LIMITS, "lemma_slice", 1)
    report = mmsat.verify(small, timeout=0)
    assert report.holds is None
    assert report.reason.startswith("undecided: time limit reached at line ")
    steps = []
    assert mmsat.prove_codes(SMALL, on_progress=steps.append) is not None
    assert (steps[0], steps[-1]) == ("listing the codes", "checking the proof")


def test_the_solution_of_a_puzzle_is_the_only_code():
    for seed in range(share(12)):
        puzzle = mmsat.puzzle("4x6", seed=seed)
        proof = mmsat.prove_codes(puzzle.board)
        assert proof.count == 1
        assert listed(puzzle.board, Bundle.read(proof.text)) == [puzzle.code]


@pytest.mark.parametrize("make", [make_list_proof, list_and_refute])
def test_given_codes_are_not_listed_again(make, monkeypatch):
    """The proof is the same as with a list that is made first."""
    boards = known_boards(share(60, least=5), seed=9, pegs=3, colors=4, rows=3)
    for board, codes in boards:
        if not is_writable(board):
            continue
        expected = [*make(board, None)]
        with monkeypatch.context() as patches:
            patches.setattr(module, "list_codes", None)
            steps = [*make(board, codes)]
        assert str(steps[-1].text) == str(expected[-1].text)
        assert "listing the codes" not in steps


def test_given_codes_that_are_not_those_of_the_board_are_refused():
    board = mmsat.Board.parse(SMALL)
    codes = [*mmsat.codes(board)]
    other = next(code for code in twins.codes(board.game) if code not in codes)
    for wrong, message in [
        (codes[1:], "all codes of the board, found "),
        ([], "found 0 codes"),
        ([other, *codes], "code 1 does not get the score of row "),
        ([codes[1], codes[0], *codes[2:]], "code 2 is not in ascending order"),
        ([codes[0][:-1], *codes[1:]], "code 1 is not a code of "),
        ("1122", "a list of codes, as colors from 0"),
    ]:
        with pytest.raises(mmsat.InputError, match=message):
            mmsat.prove_codes(board, codes=wrong)
    with pytest.raises(mmsat.InputError, match="one is missing"):
        [*list_and_refute(board, codes[1:])]
    assert mmsat.prove_codes(board, codes=codes) == mmsat.prove_codes(board)
