"""Layered proofs of counts: their counts are those of the twin, and every change is rejected."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache, lru_cache

import pytest

import mmsat
from mmsat.limits import LIMITS
from mmsat.proof import layered_count
from mmsat.proof.bundle import Bundle
from mmsat.proof.layered_count import SCORINGS, SPACES, is_supported, write_layers
from mmsat.proof.prove_codes import make_count_proof
from tests.support import twins
from tests.support.planted_boards import planted
from tests.support.random_boards import known_boards, scorings_of, spaces_of
from tests.support.tampering import (
    accepted_changes,
    changed_field,
    changed_numbers,
    changed_section,
    is_rejected_count,
)
from tests.support.tiers import at_least, share

SMALL = "4x4/1122=1.1/3344=0.1"


@cache
def layered(text):
    """The proof of the count of a board."""
    *_, (count, states) = write_layers(mmsat.Board.parse(text))
    return Bundle(text, "counted", "layers", {"count": str(count)}, {"states": states})


@lru_cache(maxsize=1)
def supported_boards():
    """Boards of every supported kind, with their codes."""
    boards = [pair for pair in known_boards(share(3000), seed=61) if is_supported(pair[0])]
    return [(board, codes) for board, codes in boards if mmsat.Board.parse(str(board)) == board]


def test_counts_are_those_of_brute_force():
    consistent = Counter()
    for board, codes in supported_boards():
        bundle = layered(str(board))
        assert bundle.fields["count"] == str(len(codes)), str(board)
        report = mmsat.verify(str(bundle), board=board)
        assert (report.holds, report.count, report.method) == (True, len(codes), "layers")
        consistent[len(codes) > 0] += 1
    boards = [board for board, _ in supported_boards()]
    assert min(consistent.values()) > at_least(100)
    assert scorings_of(boards) == {*SCORINGS}
    assert spaces_of(boards) == {*SPACES}


def test_boards_of_other_kinds_are_rejected():
    """Unread pegs, and games whose scores or codes the states do not describe."""
    bundle = layered(SMALL)
    rejected = 0
    for board, _ in known_boards(share(500), seed=62):
        text = str(board)
        if is_supported(board) or text.startswith("{") or "game:" in text:
            continue
        report = mmsat.verify(str(replace(bundle, board=text)))
        assert report.holds is False
        assert re.search("do not support|canonical|cannot be read", report.reason)
        rejected += 1
    assert rejected > at_least(100)


def changed_board(rng, bundle):
    """The proof with the board of another proof, or with a changed board."""
    other = str(rng.choice(supported_boards())[0])
    return replace(bundle, board=rng.choice([other, changed_numbers(rng, bundle.board)]))


def changed_count(rng, bundle):
    """The proof with another count of a state, and of the claim if it is the first state."""
    lines = bundle.sections["states"].splitlines(keepends=True)
    place = rng.randrange(len(lines))
    state, _, count = lines[place].partition(" ")
    if state == "layer":
        return bundle
    changed = int(count) + rng.choice((-1, 1, int(count)))
    lines[place] = f"{state} {changed}\n"
    fields = {"count": str(changed)} if place == 1 else bundle.fields
    return replace(bundle, fields=fields, sections={"states": "".join(lines)})


def dropped_state(rng, bundle):
    """The proof without a state."""
    lines = bundle.sections["states"].splitlines(keepends=True)
    place = rng.randrange(len(lines))
    if not lines[place].startswith("layer"):
        del lines[place]
    return replace(bundle, sections={"states": "".join(lines)})


def added_state(rng, bundle):
    """The proof with another state in its place of a layer, with any count."""
    layers = [layer.splitlines() for layer in bundle.sections["states"].split("layer ")[1:]]
    layer = rng.choice([layer for layer in layers if len(layer) > 1] or [[*layers[0], "00 0"]])
    state = bytearray.fromhex(layer[1].split(" ")[0])
    state[rng.randrange(len(state))] = rng.choice((0, 1, 2, 3, 255))
    if any(line.startswith(state.hex()) for line in layer):
        return bundle
    layer[1:] = sorted([*layer[1:], f"{state.hex()} {rng.randrange(3)}"])
    text = "".join("layer " + "".join(f"{line}\n" for line in lines) for lines in layers)
    return replace(bundle, sections={"states": text})


def changed_state(rng, bundle):
    """The proof with another digit in a state."""
    text = bundle.sections["states"]
    places = [match.start() + 1 for match in re.finditer("[0-9a-f](?=[0-9a-f]* )", text)]
    place = rng.choice(places or [0])
    text = f"{text[:place]}{rng.choice('0123456789abcdef')}{text[place + 1 :]}"
    return replace(bundle, sections={"states": text})


CHANGES = {
    "board": changed_board,
    "claim": changed_field("count"),
    "section": changed_section("states"),
    "count": changed_count,
    "dropped": dropped_state,
    "added": added_state,
    "state": changed_state,
}


@pytest.mark.parametrize("kind", CHANGES)
def test_nothing_changed_is_accepted_with_recomputed_digests(kind):
    """A board has one proof: only a change into the proof of another board is accepted."""
    accepted = 0
    for changed in accepted_changes(
        CHANGES[kind],
        lambda rng: layered(str(rng.choice(supported_boards())[0])),
        63,
        is_rejected=is_rejected_count,
        cases=700,
    ):
        accepted += 1
        report = mmsat.verify(str(changed))
        assert kind == "board"
        assert changed == layered(changed.board)
        assert report.count == len(twins.consistent(report.board))
    assert accepted < share(700, least=20)


def with_states(bundle, pattern, replacement):
    """The proof with the first match of a pattern in the states replaced."""
    text, found = re.subn(pattern, replacement, bundle.sections["states"], count=1)
    assert found, pattern
    return replace(bundle, sections={"states": text})


@pytest.mark.parametrize(
    ("pattern", "replacement", "reason"),
    [
        (r"layer 0\n", "layer 1\n", "expected 'layer 0' in .states., found 'layer 1'"),
        (r"\A", "0 1\n", "expected 'layer 0' in .states., found '0 1'"),
        (r"\Z", "layer 5\n", "there is a layer after layer 4 of .states."),
        (r"\Z", "garbage\n", "layer 4 of .states.: expected a state and its count, found 'garb"),
        (r"layer 4\n[^l]*", "", "expected 'layer 4' in .states., found ''"),
        (r"(layer 0\n[^\n]*\n)", r"\1ffffffffffff 0\n", "layer 0 .* before the first peg"),
        (r"(layer 1\n)[^\n]*\n", r"\1", "layer 1 of .states.: the state [0-9a-f]+ is missing"),
        (r"(layer 1\n)([^\n]*\n)", r"\1\2\2", "layer 1 of .states.: the states are not sorted"),
        (r"(layer 1\n)([^\n]*\n)([^\n]*\n)", r"\1\3\2", "layer 1 of .states.: the states are not"),
        (
            r"(layer 3\n\w+) \d+",
            r"\1 99",
            r"layer 2 .*: the successors of \w+ count \d+ codes?, not",
        ),
        (r"(layer 4\n\w+) 1", r"\1 2", r"layer 3 .*: the successors of \w+ count \d+ codes?, not"),
        (r"(?=layer 2)", "ffffffffffff 0\n", "layer 1 .*: no code begins with ffffffffffff"),
        (r"(layer 0\n\w+) \d+", r"\1 99", r"layer 0 .*: the successors of 000000000000 count"),
        (r"(layer 1\n\w+) ", r"\1 0", "layer 1 of .states.: expected a state and its count"),
    ],
)
def test_the_place_of_a_fault_is_reported(pattern, replacement, reason):
    report = mmsat.verify(str(with_states(layered(SMALL), pattern, replacement)))

    assert report.holds is False
    assert re.search(reason, report.reason), report.reason


def test_counts_that_are_all_doubled_are_rejected():
    """They are the sums over their successors, down to the last layer."""
    bundle = layered(SMALL)
    doubled = [
        f"{state} {2 * int(count) if state != 'layer' else count}\n"
        for state, count in map(str.split, bundle.sections["states"].splitlines())
    ]
    fields = {"count": str(2 * int(bundle.fields["count"]))}
    changed = replace(bundle, fields=fields, sections={"states": "".join(doubled)})
    report = mmsat.verify(str(changed))
    assert report.reason == "layer 4 of [states]: a count of a complete code is not 1"


def test_known_codes_are_not_counted():
    for line in ("3x3/112=1.1/123=known", "2x4d/12=known/21=known"):
        board = mmsat.Board.parse(line)
        codes = {*twins.consistent(board)} - {*board.known}
        assert layered(line).fields["count"] == str(len(codes)) != "0"
        assert mmsat.verify(str(layered(line))).count == len(codes)


def test_counts_beyond_a_machine_word():
    """And boards with more pegs than one digit can count."""
    for line in ("50x3/" + "12" * 25 + "=20.9", "80x5b/" + "1" * 80 + "=9"):
        board = mmsat.Board.parse(line)
        report = mmsat.verify(str(layered(line)))
        assert report.count == mmsat.count(board).count > 1 << 64


def test_boards_with_too_many_edges_get_layers(monkeypatch):
    monkeypatch.setattr(LIMITS, "proof_edges", 20)
    proved = 0
    for board, codes in supported_boards()[: share(200)]:
        *_, proof = make_count_proof(board)
        if proof.method == "layers":
            assert proof.count == len(codes)
            assert proof.text == str(layered(str(board)))
            proved += 1
    assert proved > 0
    monkeypatch.setattr(LIMITS, "proof_edges", 5)
    with pytest.raises(mmsat.SizeError, match="expected up to 5 edges between states"):
        list(make_count_proof(planted("6x6p", 2, 0)))


@pytest.mark.long
def test_a_board_beyond_the_edges():
    board = planted("16x6", 3, 0)
    proof = mmsat.prove_count(board)
    assert (proof.method, proof.count) == ("layers", mmsat.count(board).count)
    assert mmsat.verify(proof, board=board).holds


def test_the_limit_of_states(monkeypatch):
    text = str(layered("5x5/11223=1.1"))
    monkeypatch.setattr(LIMITS, "proof_edges", 20)
    monkeypatch.setattr(LIMITS, "proof_layered_states", 30)
    with pytest.raises(mmsat.SizeError, match="expected up to 30 states, found at least"):
        list(make_count_proof(mmsat.Board.parse("5x5/11223=1.1")))
    report = mmsat.verify(text)
    assert report.holds is False
    assert report.reason == "the section [states] has over 30 states"


def test_small_steps_give_the_same_proof(monkeypatch):
    text = str(layered(SMALL))
    monkeypatch.setattr(layered_count, "NUMBERS_PER_STEP", 100)
    monkeypatch.setattr(layered_count, "KEYS_PER_MERGE", 10)
    layered.cache_clear()
    assert str(layered(SMALL)) == text
    assert mmsat.verify(text).holds


def test_time_limits():
    report = mmsat.verify(str(layered(SMALL)), timeout=0)
    assert (report.holds, report.reason) == (None, "undecided: time limit reached")
    fractions = []
    assert mmsat.verify(str(layered(SMALL)), on_progress=fractions.append).holds
    assert fractions == [0.25, 0.5, 0.75, 1.0]
