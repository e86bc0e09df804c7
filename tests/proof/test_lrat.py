"""The kernels of proofs against their plain twins and a public checker, on random formulas."""

from __future__ import annotations

import random
import re
from array import array

import dratify
import pytest

from mmsat._core import Check, LratChecker, Trimmer
from mmsat.proof.bundle import lrat_to_drat
from tests.support import external
from tests.support.plain_proofs import (
    checked,
    drup_of,
    flat,
    follows,
    implied,
    lrat_holds,
    proofs,
    random_formula,
    trimmed,
)
from tests.support.tiers import at_least, share

SOLVERS = ("glucose4", "glucose3", "cadical153", "cadical195", "lingeling", "maplechrono")


def refuted_formulas(number, seed, solvers=SOLVERS):
    """Return unsatisfiable formulas: variables, clauses, and the proof of a solver."""
    rng = random.Random(seed)
    found_count = 0
    while found_count < number:
        variables, formula = random_formula(rng)
        drup = drup_of(rng.choice(solvers), formula)
        if drup is not None:
            found_count += 1
            yield variables, formula, drup


def test_what_solvers_write_is_trimmed_to_proofs_that_hold():
    """A thousand formulas, six solvers: kernel and twin agree that the trimmed proofs hold."""
    lemmas = 0
    for variables, formula, drup in refuted_formulas(share(1000), seed=7):
        trimmer = trimmed(variables, formula, drup)
        assert trimmer.fault == ""
        text = trimmer.lrat.decode()
        assert lrat_holds(variables, formula, text)
        assert checked(variables, formula, text).lemmas == trimmer.kept
        lemmas += trimmer.kept
    assert lemmas > at_least(10_000)


def test_every_lemma_follows_by_unit_propagation_and_is_used():
    """By a search through all clauses that knows nothing of hints."""
    for variables, formula, drup in refuted_formulas(share(100), seed=8):
        clauses = {number: tuple(clause) for number, clause in enumerate(formula, 1)}
        used = set()
        for line in trimmed(variables, formula, drup).lrat.decode().splitlines():
            name, *remainder = line.split(" ")[:-1]
            if remainder[:1] == ["d"]:
                continue
            place = remainder.index("0")
            lemma = tuple(map(int, remainder[:place]))
            assert follows(list(clauses.values()), lemma)
            clauses[int(name)] = lemma
            used |= set(map(int, remainder[place + 1 :]))
        assert used >= set(range(len(formula) + 1, max(clauses)))


def test_slices_make_no_difference():
    for variables, formula, drup in refuted_formulas(50, seed=9):
        whole = trimmed(variables, formula, drup)
        sliced = trimmed(variables, formula, drup, work=1)
        assert whole.lrat == sliced.lrat
        assert checked(variables, formula, whole.lrat.decode(), work=1) is not None


def test_a_proof_that_shows_nothing_is_reported():
    numbers = "the solver's proof: expected whole numbers from -3 to 3 that end with 0"
    for drup, fault in [
        ("", "the solver's proof ends after line 0 without a contradiction"),
        ("1 0\n", "the solver's proof ends after line 1 without a contradiction"),
        ("0\n", "the lemma 0 of the solver's proof does not follow by unit propagation"),
        ("1 0\n-1 0\n", "the lemma -1 0 of the solver's proof does not follow by unit propagation"),
        ("3 0\n9 0\n", f"line 2 of {numbers}"),
        ("x\n", f"line 1 of {numbers}"),
    ]:
        assert trimmed(3, [[1, 2], [-1, 3]], drup).fault == fault


def test_lemmas_that_do_not_follow_are_told_unless_they_are_not_needed():
    rng = random.Random(3)
    message_count = 0
    for variables, formula, drup in refuted_formulas(share(300), seed=10):
        lines = drup.splitlines(keepends=True)
        extra = f"{rng.choice((-1, 1)) * rng.randint(1, variables)} 0\n"
        lines.insert(rng.randint(0, len(lines)), extra)
        trimmer = trimmed(variables, formula, "".join(lines))
        if trimmer.fault:
            message_count += 1
        else:
            assert lrat_holds(variables, formula, trimmer.lrat.decode())
    assert message_count > at_least(20)


@pytest.mark.parametrize(
    ("text", "line", "fault"),
    [
        ("", 1, "ends before"),
        ("5 2 0 1 2 0\n", 2, "ends before"),
        ("5 0 1 0\n", 1, "implies nothing"),
        ("5 0 0\n", 1, "does not follow"),
        ("5 2 0 0\n", 1, "does not follow"),
        ("6 2 0 1 2 0\n", 1, "not 5 as the next"),
        ("5 2 0 1 9 0\n", 1, "no clause 9"),
        ("5 2 0 1 5 0\n", 1, "no clause 5"),
        ("5 2 0 1 -2 0\n", 1, "RAT"),
        ("5 4 0 1 2 0\n", 1, "no variable 4"),
        ("5 2 2 0 1 2 0\n", 1, "twice"),
        ("5 2 -2 0 1 2 0\n", 1, "twice"),
        ("5 2 0 1 2 3 0\n", 1, "before all"),
        ("5 2 0 1 2 0\n5 d 1 0\n6 0 1 0\n", 3, "no clause 1"),
        ("5 2 0 1 2 0\n4 d 1 0\n", 2, "not 5 as the lemma before"),
        ("5 2 0 1 2 0\n5 d 7 0\n", 2, "no clause 7"),
        ("5 2 0 1 2 0\n6 0 5 4 3 0\n7 1 0 1 0\n", 3, "nothing comes after"),
        ("5 2 0 1 2 0\n6 0 5 4 3 0\n\n", 3, "nothing comes after"),
        ("5  2 0 1 2 0\n", 1, "whole numbers"),
        ("05 2 0 1 2 0\n", 1, "number of its lemma"),
        ("5 2 0 1 2 0", 1, "numbers and end with 0"),
        ("5 2 0 1 2 0 \n", 1, "line ends with 0"),
        ("5 2 0 1 2\n", 1, "line ends with 0"),
        ("5 2 0 1 2 0\r\n", 1, "numbers and end with 0"),
        ("5 2 0 1 99999999999999999999 0\n", 1, "numbers and end with 0"),
        ("5 x\n", 1, "whole numbers"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text, line, fault):
    formula = [[1, 2], [-1, 2], [1, -2], [-1, -2]]
    checker = LratChecker(3, flat(formula), text.encode())

    assert checker.advance(1 << 20) == Check.FAILS
    assert (checker.line, fault in checker.fault) == (line, True), checker.fault
    assert not lrat_holds(3, formula, text)
    assert checker.advance(1 << 20) == Check.FAILS  # once and for all


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("4 2 0 1 2 0\n", ""),
        ("4 2 0 1 2 0\n5 1 0 4 3 0\n", "nothing comes after the clause 2"),
        ("4 1 0 3 1 0\n", "the proof ends before the clause 2"),
        ("4 1 0 3 1 0\n5 2 0 4 2 0\n", ""),
        ("4 -2 0 3 0\n", "the lemma does not follow"),
    ],
)
def test_a_proof_of_a_unit_clause(text, fault):
    """With a goal, the last lemma is that literal instead of the empty clause."""
    checker = LratChecker(2, flat([[1, 2], [-1, 2], [1, -2]]), text.encode(), 2)
    expected = Check.FAILS if fault else Check.HOLDS

    assert checker.advance(1 << 20) == expected
    assert fault in checker.fault


def test_kernel_and_twin_agree_on_thousands_of_changed_proofs():
    """One number or one line is changed; what still holds refutes the formula nonetheless."""
    rng = random.Random(11)
    accepted = 0
    for variables, formula, drup in refuted_formulas(share(300), seed=12):
        text = trimmed(variables, formula, drup).lrat.decode()
        for _ in range(20):
            changed = mutated(rng, text, variables)
            if changed == text:
                continue
            holds = checked(variables, formula, changed) is not None
            assert holds == lrat_holds(variables, formula, changed), changed
            accepted += holds
    assert 0 < accepted < share(1500)


def mutated(rng, text, variables):
    """A proof with one change."""
    lines = text.splitlines(keepends=True)
    place = rng.randrange(len(lines))
    kind = rng.randrange(6)
    if kind == 0:
        del lines[place]
    elif kind == 1:
        lines.insert(place, rng.choice(lines))
    elif kind == 2:
        lines[place] = lines[place][: rng.randrange(len(lines[place]))]
    else:
        words = re.split(r"(\s)", lines[place])
        spots = [n for n, word in enumerate(words) if re.fullmatch(r"-?\d+|d", word)]
        spot = rng.choice(spots)
        words[spot] = rng.choice(
            ["", "0", "d", str(rng.randint(-variables, variables)), str(rng.randint(1, 60))]
        )
        lines[place] = "".join(words)
    return "".join(lines)


def test_the_twin_knows_what_hints_are():
    clauses = {1: (1, 2), 2: (-1, 2), 3: (-2,)}
    assert implied(clauses, [2], [1, 2])
    assert implied(clauses, [], [3, 1, 2])
    assert not implied(clauses, [], [1])
    assert not implied(clauses, [2], [1])
    assert not follows([(1, 2)], [1])


def test_a_public_checker_agrees():
    """Check hundreds of extracted proofs with dratify, which shares no code with mmsat."""
    refused = 0
    for _, bundle in proofs():
        cnf, lrat = bundle.sections["cnf"], bundle.sections["lrat"]
        formula = dratify.parse_dimacs(cnf)
        result = dratify.check_proof(formula, "".join(lrat_to_drat(cnf, lrat)))
        assert result.ok
        assert result.reached_empty
        refused += not dratify.check_proof(formula, "").ok
    assert refused > at_least(10)


def test_a_checker_that_was_proven_right_agrees():
    """drup, extracted from Why3's proof of it, finds that each lemma follows from those before."""
    drup = external.module("drup")
    held = refused = 0
    for _, bundle in proofs():
        cnf, lrat = bundle.sections["cnf"], bundle.sections["lrat"]
        clauses = [line for line in cnf.splitlines(keepends=True) if line[0] not in "cp"]
        lemmas = [line for line in lrat_to_drat(cnf, lrat) if line[0] != "d"]
        formula, proof = (
            [[int(word) for word in line.split()[:-1]] for line in lines]
            for lines in (clauses, lemmas)
        )
        assert drup.check_proof(formula, proof).outcome.name == "VALID"
        held += 1
        refused += drup.check_proof(formula, proof[-1:]).outcome.name == "INVALID"
    assert held > at_least(300)
    assert refused > at_least(10)


@pytest.mark.parametrize("kernel", [LratChecker, Trimmer])
@pytest.mark.parametrize(
    ("variables", "formula"), [(1, [2, 0]), (1, [1]), (2**29, [1, 0]), (0, [1, 0])]
)
def test_kernels_refuse_what_they_could_not_hold(kernel, variables, formula):
    with pytest.raises(ValueError, match=r"variables|does not end with 0"):
        kernel(variables, array("i", formula), b"")
