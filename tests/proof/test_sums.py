"""Proofs by short sums of rows of two colors, refuted by parities or lemmas, in both formats."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

import mmsat
from mmsat.constraints import is_linear_board, two_colors
from mmsat.constraints.parities import ParityRefutation
from mmsat.game.board import Board, Status
from mmsat.game.refutation import Combination, Refutation
from mmsat.proof import prove as module
from mmsat.proof.bundle import Bundle, board_text
from mmsat.proof.check_algebra import MAX_RELATION_PEGS, DerivedSum, print_sums, short_sum
from mmsat.proof.prove_veripb import AlgebraicWriter, ParityAttempt, prove_veripb
from mmsat.proof.veripb_writer import ParityWriter
from mmsat.solving import refutation
from mmsat.solving.encode import WRITERS
from tests.support import twins
from tests.support.plain_veripb import conclusion_of
from tests.support.random_boards import random_board
from tests.support.refutations import pigeonhole, pigeonhole_sums
from tests.support.tampering import accepted_changes, changed_field, changed_section
from tests.support.tiers import share

REDUCED = {
    "one-in-three-3sat": 20,
    "regular-one-in-k": 12,
    "sat": 8,
    "vertex-cover": 12,
    "vertex-cover-regular": 12,
}
"""Families of reductions to two colors, and the sizes of their boards."""
PARITIES = mmsat.generate("sat", 30, answer="inconsistent").board


def proofs_of(board):
    """Return the proofs of an inconsistent board in both formats, each verified."""
    verdict = mmsat.check(board, reason=0)
    assert verdict.status is Status.INCONSISTENT
    proofs = [
        mmsat.prove(board, verdict=verdict, timeout=30),
        prove_veripb(board, verdict=verdict, timeout=30),
    ]
    for proof in proofs:
        assert mmsat.verify(proof, board=board).holds
    return proofs


@pytest.mark.parametrize("holes", [2, 3, 4])
def test_pigeonholes_as_clauses_have_proofs(holes):
    """The sums of all pegs have no short proof by clauses, but the short sums have."""
    own, _ = proofs_of(pigeonhole(holes))
    assert own.method == "sums"


@pytest.mark.parametrize("holes", [3, 8, pytest.param(20, marks=pytest.mark.slow)])
def test_pigeonholes_as_equations_have_proofs_in_a_few_lines(holes):
    own, veripb = proofs_of(pigeonhole_sums(holes))
    assert own.method == "algebra"
    assert veripb.text.count("\n") == 6  # header, f, pol, output, conclusion, end


@pytest.mark.parametrize("family", REDUCED)
def test_reductions_to_two_colors_have_proofs(family):
    for seed in (1, 2):
        board = mmsat.generate(family, REDUCED[family], seed=seed, answer="inconsistent").board
        own, _ = proofs_of(board)
        assert own.method in ("algebra", "sums")


def test_parities_of_large_graphs_have_proofs():
    proof = mmsat.prove(PARITIES, verdict=mmsat.check(PARITIES, reason=0), timeout=60)
    assert re.search(r"^K [0-9]+ parity$", proof.text, re.MULTILINE)
    assert mmsat.verify(proof).holds


def test_known_codes_are_excluded():
    board = mmsat.generate("another-solution", 6, answer="inconsistent").board
    assert board.known
    own, _ = proofs_of(board)
    assert own.method == "sums"
    bundle = bundle_of(board)
    assert mmsat.verify(str(bundle), board=board).holds
    report = mmsat.verify(str(replace(bundle, board=board_text(replace(board, known=())))))
    assert report.holds is False
    assert "[refutations]" in report.reason


def bundle_of(board):
    """Return the proof of a board by the short sums of all rows."""
    *_, (_, fields, sections) = module.refute_rows(board, [tuple(range(len(board.rows)))], None)
    return Bundle(board_text(board), "inconsistent", "sums", fields, sections)


def only_shortened(equations):
    """Return the short equations, without a search for a contradictory combination."""
    try:
        return two_colors.shorten_equations(equations)
    except two_colors.ContradictoryEquationsError as flaw:
        return flaw.certificate


@pytest.fixture(scope="module")
def proofs():
    """Small proofs by parities and by lemmas, whose boards can be checked by brute force."""
    rng = random.Random(62)
    results = {"parity": [], "lrat": []}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(refutation, "simplify_equations", only_shortened)
        while min(map(len, results.values())) < 30:
            board = random_board(rng, 8, 2, 8, slips=rng.choice((0.15, 0.4)))
            if not is_linear_board(board) or twins.consistent(board):
                continue
            if not module.is_algebraic(board):
                continue
            with patch.context() as inner:
                if rng.random() < 0.5:
                    inner.setattr(module, "find_parity_refutation", lambda _: None)
                bundle = bundle_of(board)
            assert mmsat.verify(str(bundle)).holds
            for kind, found in results.items():
                if f" {kind}" in bundle.sections["refutations"]:
                    found.append(bundle)
    return results


CHANGES = {
    "rows": changed_field("rows"),
    "sums": changed_section("sums"),
    "refutations": changed_section("refutations"),
}


def other_board(rng, bundle):
    """Return the proof with another score of its board."""
    pieces = bundle.board.split("/")
    place = rng.randrange(1, len(pieces))
    board = Board.parse(bundle.board)
    guess, score = board.rows[place - 1]
    marks = [max(0, mark + rng.choice((-1, 0, 1))) if mark is not None else None for mark in score]
    rows = (*board.rows[: place - 1], mmsat.Row(guess, tuple(marks)), *board.rows[place:])
    try:
        return replace(bundle, board=board_text(replace(board, rows=rows)))
    except mmsat.InputError:
        return bundle


@pytest.mark.parametrize("part", [*CHANGES, "board"])
@pytest.mark.parametrize("kind", ["parity", "lrat"])
def test_nothing_false_is_accepted_with_recomputed_digests(proofs, kind, part):
    """What is still accepted is true by brute force."""
    accepted = accepted_changes(
        CHANGES.get(part, other_board), lambda rng: rng.choice(proofs[kind]), 63
    )
    for bundle in accepted:
        report = mmsat.verify(str(bundle))
        assert twins.consistent(report.board.only(report.rows)) == []


@pytest.mark.parametrize("kind", ["parity", "lrat"])
def test_each_beginning_of_a_section_is_rejected_or_true(proofs, kind):
    for bundle in proofs[kind][: share(6, least=2)]:
        for name, text in bundle.sections.items():
            for size in range(len(text)):
                changed = replace(bundle, sections=bundle.sections | {name: text[:size]})
                if mmsat.verify(str(changed)).holds:
                    # the parities before a superfluous line are enough
                    assert (name, text[size - 1]) == ("refutations", "\n")


def changed_lines(pattern, replacement):
    """Return a change of the first match in each section."""

    def change(bundle):
        sections = {
            name: re.sub(pattern, replacement, text, count=1, flags=re.MULTILINE)
            for name, text in bundle.sections.items()
        }
        assert sections != bundle.sections
        return replace(bundle, sections=sections)

    return change


PIGEONS = bundle_of(pigeonhole(2))


@pytest.mark.parametrize(
    ("pattern", "replacement", "reason"),
    [
        (r" divided by 2$", " divided by 3", "3 does not divide the sum"),
        (r" divided by 2$", " divided by 1", "a coefficient of the sum is not 1 or -1"),
        (r" divided by 2$", " divided by 0", "0 does not divide the sum"),
        (r"^weighing 1$", "weighing", "the rows of the sums differ from those of the head"),
        (r"^weighing", "Weighing", r"the section \[sums\] has invalid lines"),
        (r"^K 15 parity$", "K 14 parity", r"line 1 of \[refutations\]: expected a refutation"),
        (r"^K 15 parity$", "K 15 lrat direct", r"line 2 of \[refutations\]: "),
        (r"^K 15 parity$", "K 15 lrat best", "unknown encoding 'best'"),
        (r"^K 15 parity\n", "", "does not refute the sums of each weight once"),
        (r"^K 15 parity$", "K 15 parity\nK 15 parity", "sums of each weight once"),
        (r"^pegs .* from", "pegs 900 from", f"have other pegs, or more than {MAX_RELATION_PEGS}"),
        (r"^pegs (.*) from .*$", r"pegs \1 from 999", "are not ascending"),
        (r"^pegs (.*) from .*$", r"pegs \1 from 2 1", "are not ascending"),
        (r"^(pegs .*)$", r"\1 x", r"line 2 of \[refutations\]: invalid line"),
        (r"^parity(.*\n)*", "", "do not add up to a contradiction"),
    ],
)
def test_the_reason_is_reported(pattern, replacement, reason):
    report = mmsat.verify(str(changed_lines(pattern, replacement)(PIGEONS)))
    assert report.holds is False
    assert re.search(reason, report.reason), report.reason


def test_time_limits():
    assert mmsat.verify(str(PIGEONS), timeout=0).holds is None
    verdict = mmsat.check(PARITIES, reason=0)
    assert mmsat.prove(PARITIES, verdict=verdict, timeout=0.0) is None


def by_parities(board):
    """Return the proof of a board by parities in the format of VeriPB."""
    attempt = ParityAttempt(board, tuple(range(len(board.rows))))
    assert attempt.is_possible
    assert attempt.step(1)
    *_, proof = attempt.finish()
    return proof.text


@pytest.mark.parametrize(("family", "size"), [("sat", 6), ("regular-one-in-k", 12)])
def test_parities_are_proved_for_veripb(family, size):
    board = mmsat.generate(family, size, seed=1, answer="inconsistent").board
    text = by_parities(board)
    assert mmsat.verify(text, board=board).verdict == "inconsistent"
    without_a_step = re.sub(r"^rup .*\n", "", text, count=1, flags=re.MULTILINE)
    assert mmsat.verify(without_a_step, board=board).holds is False


def test_sums_of_parities_are_contradictions_in_both_formats():
    """The numbers of ones in two sets of pegs, and in their symmetric difference, are odd."""
    rng, sizes = random.Random(64), set()
    while len(sizes) < 7:
        sets = [{*rng.sample(range(1, 9), rng.randint(1, 5))} for _ in range(2)]
        sets.append(sets[0] ^ sets[1])
        totals = [rng.randint(0, len(summed)) for summed in sets]
        if not sets[2] or sum(totals) % 2 == 0:
            continue
        lines = (
            f"{' + '.join(f'x{number}' for number in sorted(summed))} = {total}\n"
            for summed, total in zip(sets, totals, strict=True)
        )
        board = mmsat.reduce("linear-system", "".join(lines)).board
        weight = board.game.pegs - board.rows[0].score[0]
        sums = [
            DerivedSum(Combination(weight, ((row, 1),), 1, None), 2)
            for row in range(len(board.rows))[-3:]
        ]
        peg_sums = [short_sum(board, derived) for derived in sums]
        if [len(peg_sum.plus) for peg_sum in peg_sums] != [*map(len, sets)]:
            continue
        parities = [(number, peg_sum.plus) for number, peg_sum in enumerate(peg_sums, 1)]
        found = ParityRefutation((), tuple(parities))
        sizes |= {*map(len, sets)}

        lines = f"K {weight} parity\n{module.print_parities(found)}"
        contradictions = Refutation((0,), ())
        rows = module.rows_text(module.sum_rows(contradictions, sums))
        sections = {"sums": print_sums(contradictions, sums), "refutations": lines}
        bundle = Bundle(board_text(board), "inconsistent", "sums", {"rows": rows}, sections)
        assert mmsat.verify(str(bundle)).holds

        algebra = AlgebraicWriter(board)
        sides = [algebra.derive_sum(derived) for derived in sums]
        contradiction = ParityWriter(algebra.writer, peg_sums, sides).refute(found)
        text = algebra.writer.text(f"UNSAT : {contradiction.text}")
        assert mmsat.verify(text, board=board).verdict == "inconsistent"


def test_a_checker_from_the_published_description_accepts_the_steps():
    for board in (pigeonhole(2), pigeonhole_sums(3)):
        _, veripb = proofs_of(board)
        opb = "".join(WRITERS["opb"].write(board))
        preserved = {f"x{x + 1}" for x in range(board.game.pegs * board.game.colors)}
        assert conclusion_of(veripb.text, opb, preserved)[0] == "UNSAT"
        if board == pigeonhole(2):
            assert conclusion_of(by_parities(board), opb, preserved)[0] == "UNSAT"
