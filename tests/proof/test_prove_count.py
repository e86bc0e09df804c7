"""Proofs of counts: their counts are those of the twin, and every false change is rejected."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace
from functools import lru_cache

import pytest
from pysat.solvers import Solver

import mmsat
from mmsat.game.scoring import SCORINGS
from mmsat.limits import LIMITS
from mmsat.proof.bundle import Bundle
from mmsat.proof.check_codes import CountingFormula, UnsupportedError
from mmsat.proof.prove_codes import make_count_proof
from tests.support import twins
from tests.support.plain_scpog import scpog_count
from tests.support.planted_boards import planted
from tests.support.random_boards import known_boards, scorings_of, spaces_of
from tests.support.tampering import (
    accepted_changes,
    changed_field,
    changed_lines,
    changed_numbers,
    changed_section,
    is_rejected_count,
)
from tests.support.tiers import at_least, share

PAIRS = ("pairs", "pairs-one-key")
SMALL = "4x4/1122=1.1/3344=0.1"


def is_supported(board):
    """Whether a board has a counting formula, by its definition."""
    is_listed = board.game.space.table() is not None
    return not (is_listed or board.game.scoring.name in PAIRS or board.has_unread_pegs)


def test_counts_are_those_of_brute_force_for_every_kind_of_game():
    """Every board either gets a proof of the right count or is refused because of its kind."""
    proved = []
    for board, codes in known_boards(share(1500), seed=51):
        try:
            proof = mmsat.prove_count(board)
        except UnsupportedError:
            assert not is_supported(board)
            continue
        assert proof.count == len(codes), str(board)
        report = mmsat.verify(proof, board=board)
        assert (report.holds, report.count, report.method) == (True, len(codes), "count")
        assert report.lemmas > 0
        proved.append(board)
    assert len(proved) > at_least(500)
    assert scorings_of(proved) >= {*SCORINGS} - {*PAIRS}
    assert spaces_of(proved) == {"repeats", "distinct"}


def test_the_formula_has_one_model_for_each_code_in_every_order_of_the_pegs():
    rng = random.Random(52)
    counts = Counter()
    for board, codes in known_boards(share(1000), seed=53):
        if not is_supported(board):
            continue
        order = rng.sample(range(board.game.pegs), board.game.pegs)
        formula = CountingFormula(board, order).formula
        models = []
        if [] not in formula.clauses:
            with Solver("cadical153", bootstrap_with=formula.clauses) as solver:
                models = list(solver.enum_models())
        size, colors = board.game.pegs * board.game.colors, board.game.colors
        found = sorted(
            tuple((literal - 1) % colors for literal in model[:size] if literal > 0)
            for model in models
        )
        assert found == sorted(codes), str(board)
        counts[len(codes) > 0] += 1
    assert min(counts.values()) > at_least(50)


@lru_cache(maxsize=1)
def proofs():
    """Small boards with proofs of their counts, as bundles."""
    boards = [board for board, _ in known_boards(200, seed=54, pegs=3, colors=3, rows=3)]
    boards = [board for board in boards if is_supported(board)][: share(60)]
    return [(board, Bundle.read(mmsat.prove_count(board).text)) for board in boards]


def published_count(bundle):
    """The count that a plain checker of the published format finds in the extracted files."""
    return scpog_count(bundle.sections["cnf"], bundle.sections["scpog"])


def test_the_files_are_in_the_published_format():
    """The plain checker, which shares no code with `verify`, finds the count of the twin."""
    counts = Counter()
    for board, bundle in proofs():
        count = len(twins.consistent(board))
        assert published_count(bundle) == count, str(board)
        counts[count > 0] += 1
    assert min(counts.values()) > 0


def test_the_root_is_the_last_node():
    """A published checker reserves memory for the nodes up to the root only."""
    for board, bundle in proofs():
        nodes = re.findall(r"(?m)^\d+ [ps] (\d+) ", bundle.sections["scpog"])
        root = re.search(r"(?m)^r (\d+)$", bundle.sections["scpog"])[1]
        assert root in (nodes[-1], "0"), str(board)


def changed_board(rng, bundle):
    """The proof with the board of another proof, or with a changed board."""
    other = rng.choice(proofs())[1].board
    return replace(bundle, board=rng.choice([other, changed_numbers(rng, bundle.board)]))


def changed_part(name, is_changed):
    """Return a change of one line among some lines of a section, or of one number."""

    def change(rng, bundle):
        lines = bundle.sections[name].splitlines(keepends=True)
        places = [place for place, line in enumerate(lines) if is_changed(line)]
        if not places:
            return bundle
        first, last = places[0], places[-1] + 1
        tamper = rng.choice((changed_numbers, changed_lines))
        middle = tamper(rng, "".join(lines[first:last]))
        text = "".join([*lines[:first], middle, *lines[last:]])
        return replace(bundle, sections=bundle.sections | {name: text})

    return change


CHANGES = {
    "board": changed_board,
    "count": changed_field("count"),
    "order": changed_field("order"),
    "formula": changed_section("cnf"),
    "nodes": changed_part("scpog", lambda line: line.split(" ")[1] in "ps"),
    "root": changed_part("scpog", lambda line: line.startswith("r ")),
    "lemmas": changed_part("scpog", lambda line: line.split(" ")[1] == "a"),
}


@pytest.mark.parametrize("kind", CHANGES)
def test_nothing_false_is_accepted_with_recomputed_digests(kind):
    """A change that is accepted is harmless: brute force finds the count that it claims."""
    accepted = 0
    for changed in accepted_changes(
        CHANGES[kind], lambda rng: rng.choice(proofs())[1], 55, is_rejected=is_rejected_count
    ):
        accepted += 1
        report = mmsat.verify(str(changed))
        assert report.count == len(twins.consistent(report.board)), str(changed)
        assert str(report.count) == changed.fields["count"]
        assert published_count(changed) == report.count
    assert accepted < share(500, least=20) / 5


def test_every_node_and_every_lemma_is_needed():
    """Without a line, the numbers of the next lines are wrong; renumbered, the rest fails."""
    count = 0
    for _, bundle in proofs():
        lines = bundle.sections["scpog"].splitlines(keepends=True)
        for place in range(len(lines)):
            text = "".join([*lines[:place], *lines[place + 1 :]])
            changed = replace(bundle, sections=bundle.sections | {"scpog": text})
            assert mmsat.verify(str(changed)).holds is False
            count += 1
        if count > share(2000):
            return
    assert count > at_least(500)


def test_the_numbers_of_models_are_added_up_not_believed():
    """A proof of another board with its own count is a proof of that board only."""
    for board, bundle in proofs():
        assert mmsat.verify(str(bundle), board=board).holds
        report = mmsat.verify(str(bundle), board=SMALL)
        assert report.holds is False
        assert report.reason.startswith("the proof is about another board")


@pytest.fixture(scope="module")
def small():
    """A proof with sums, products and lemmas."""
    return Bundle.read(mmsat.prove_count(SMALL).text)


def with_scpog(bundle, pattern, replacement):
    """The proof with the first match of a pattern in the certificate replaced."""
    text, found = re.subn(
        pattern, replacement, bundle.sections["scpog"], count=1, flags=re.MULTILINE
    )
    assert found, pattern
    return replace(bundle, sections=bundle.sections | {"scpog": text})


@pytest.mark.parametrize(
    ("pattern", "replacement", "reason"),
    [
        (r"^(\d+ p \d+ )(-?\d+) ", r"\1\2 \2 ", "expected clause|share a variable"),
        (r"^(\d+ p \d+ )1 ", r"\g<1>0 ", r"line \d+ of .scpog.: 0 is neither a literal"),
        (r"^(\d+ p \d+ )1 ", r"\g<1>999 ", r"line \d+ of .scpog.: 999 is neither a literal"),
        (r"^(\d+ s \d+ \d+ \d+) .*$", r"\1 0", "do not show that the terms"),
        (r"^(\d+ s \d+ \d+ \d+) \d+ ", r"\1 1 ", "the hint 1 is not a clause of an earlier"),
        (r"^(\d+ s \d+ \d+) \d+ ", r"\1 1 ", "implies nothing here|do not show"),
        (r"^r \d+$", "r 1", r"line \d+ of .scpog.: there is no node 1$"),
        (r"^r \d+\n", "", "expected a product, a sum or the root, found '"),
        (r"^(\d+) a ", r"\1 ", r"line \d+ of .scpog.: expected a lemma, found"),
        (r"^(\d+) a ", r"\1 d ", r"line \d+ of .scpog.: expected a lemma, found"),
        (r"^\d+ a [^\n]*\n\Z", "", "the last lemma of .scpog. is not the root|does not follow"),
        (r"\Z", "garbage\n", r"line \d+ of .scpog.: expected a lemma, found"),
    ],
)
def test_the_place_of_a_fault_is_reported(small, pattern, replacement, reason):
    report = mmsat.verify(str(with_scpog(small, pattern, replacement)))

    assert report.holds is False
    assert re.search(reason, report.reason), report.reason


def test_a_root_that_is_another_node_is_rejected(small):
    """Neither do the lemmas end with it, nor does it imply the formula."""
    nodes = re.findall(r"^\d+ [ps] (\d+) ", small.sections["scpog"], flags=re.MULTILINE)
    root = re.search(r"(?m)^r (\d+)$", small.sections["scpog"])[1]
    for node in {*nodes} - {root}:
        text = re.sub(r"(?m)^r \d+$", f"r {node}", small.sections["scpog"])
        changed = replace(small, sections=small.sections | {"scpog": text})
        assert mmsat.verify(str(changed)).holds is False


def test_known_codes_are_not_counted():
    for line in ("3x3/112=1.1/123=known", "2x4d/12=known/21=known"):
        board = mmsat.Board.parse(line)
        codes = {*twins.consistent(board)} - {*board.known}
        assert mmsat.prove_count(board).count == len(codes) > 0


def test_a_large_board_is_refused_before_anything_is_written(monkeypatch):
    """A game without layered proofs; test_layered_count.py has the others."""
    places = planted("6x6p", 2, 0)
    monkeypatch.setattr(LIMITS, "proof_edges", 5)
    with pytest.raises(mmsat.SizeError, match="expected up to 5 edges between states"):
        list(make_count_proof(places))
    monkeypatch.setattr(LIMITS, "proof_states", 5)
    with pytest.raises(mmsat.SizeError, match="expected up to 5 states, found at least"):
        list(make_count_proof(places))


def test_a_certificate_with_too_many_nodes_is_rejected_before_memory_is_used(small, monkeypatch):
    monkeypatch.setattr(LIMITS, "proof_support_bits", 1000)
    report = mmsat.verify(str(small))
    assert report.holds is False
    assert re.search(r"line \d+ of .scpog.: there are too many nodes", report.reason)


def test_time_limits(small):
    assert mmsat.prove_count("8x9/11223344=2.2", timeout=0) is None
    report = mmsat.verify(str(small), timeout=0)
    assert report.holds is None
    assert report.reason == "undecided: time limit reached"
    steps = []
    assert mmsat.prove_count(SMALL, on_progress=steps.append) is not None
    assert steps[0] == "searching the states"
    assert steps[-1] == "checking the proof"
