"""Proofs in the format of VeriPB: made for random boards of every kind, checked, and forged."""

from __future__ import annotations

import json
import random
import re
from itertools import product

import pytest

import mmsat
from mmsat.constraints import System
from mmsat.encoding.integer_models import LinearSystem
from mmsat.proof.bundle import RejectedError
from mmsat.proof.check_veripb import PbConstraint, VeriPbChecker, constraints_of, propagate
from mmsat.proof.prove import find_certificate, finish_first
from mmsat.proof.prove_veripb import (
    ClauseAttempt,
    list_and_refute,
    prove_veripb,
    refute_by_algebra,
)
from mmsat.solving.encode import WRITERS
from tests.support import twins
from tests.support.cli_runner import fault_lines, run
from tests.support.plain_veripb import conclusion_of
from tests.support.random_boards import random_board, scorings_of, spaces_of
from tests.support.schemas import validator
from tests.support.tampering import changed_numbers
from tests.support.tiers import share

CONFLICT = "4x6/1122=1.1/1122=0.2"


@pytest.fixture(scope="module")
def boards():
    rng = random.Random(52)
    results = [random_board(rng) for _ in range(150)]
    assert len(spaces_of(results)) > 2
    assert len(scorings_of(results)) > 5
    return results


@pytest.fixture(scope="module")
def two_color_boards():
    """Boards of two colors, most of them with one wrong score."""
    rng = random.Random(53)
    results = []
    for _ in range(130):
        pegs = rng.randint(2, 9)
        game = mmsat.Game.parse(f"{pegs}x2{rng.choice(['', '', 'b', 'w'])}")
        secret = rng.choices(range(2), k=pegs)
        rows = []
        for _ in range(rng.randint(1, pegs)):
            guess = tuple(rng.choices(range(2), k=pegs))
            score = list(game.score(secret, guess))
            if rng.random() < 0.2:
                part = rng.randrange(len(score))
                score[part] = max(0, score[part] + rng.choice((-1, 1)))
            rows.append(mmsat.Row(guess, tuple(score)))
        results.append(mmsat.Board(game, tuple(rows)))
    return results


def proof_of(board):
    return prove_veripb(board, verdict=mmsat.check(board))


def test_every_verdict_is_proved_over_the_constraints_of_the_board(boards):
    methods = set()
    for board in boards:
        proof = proof_of(board)
        verified = mmsat.verify(proof, board=board)
        assert verified.holds
        assert (verified.method, verified.verdict) == ("veripb", mmsat.check(board).status)
        methods |= {*re.findall(r"^[a-z]+", proof.text, re.MULTILINE)}
    assert {"f", "pol", "rup", "red", "conclusion"} <= methods


def test_clauses_refute_what_algebra_refutes(two_color_boards):
    """A certificate for every weight at once is one line."""
    num_lines = []
    num_weights = 0
    for board in two_color_boards:
        verdict = mmsat.check(board)
        if verdict.is_consistent:
            continue
        certificate = find_certificate(board, verdict)
        text = None if certificate is None else refute_by_algebra(board, certificate)
        rows = tuple(range(len(board.rows)))
        *_, by_clauses = finish_first([ClauseAttempt(board, rows)])
        assert mmsat.verify(by_clauses.text, board=board).verdict == "inconsistent"
        if text is not None:
            assert mmsat.verify(text, board=board).verdict == "inconsistent"
            if certificate.combinations and certificate.combinations[0].weight is None:
                num_lines.append(len(text.splitlines()))
            else:
                num_weights += 1
    assert {*num_lines} == {6}  # header, f, pol, output, conclusion, end
    assert len(num_lines) > 5
    assert num_weights > 15


def test_constraints_have_the_numbers_of_the_opb(boards):
    """An equation has two numbers."""
    for board in boards[:60]:
        expected = []
        for line in mmsat.encode(board, "opb").splitlines():
            if line.startswith("*"):
                continue
            left, relation, right = re.fullmatch(r"(.*) (>=|=) (-?\d+) ;", line).groups()
            numbers = [(int(a), int(x)) for a, x in re.findall(r"([+-]\d+) x(\d+)", left)]
            sides = [(1, int(right)), (-1, -int(right))][: 1 + (relation == "=")]
            expected += [(sign, numbers, bound) for sign, bound in sides]
        found = constraints_of(LinearSystem.of(System.of(board)))
        assert len(found) == len(expected)
        rng = random.Random(1)
        for constraint, (sign, numbers, bound) in zip(found, expected, strict=True):
            for _ in range(5):
                true = {x for _, x in numbers if rng.random() < 0.5}
                total = sum(sign * a for a, x in numbers if x in true)
                assert holds(constraint, true) == (total >= bound)


def holds(constraint, true):
    """Return whether an assignment, given by its true variables, satisfies a constraint."""
    values = {literal: (abs(literal) in true) == (literal > 0) for literal in constraint.terms}
    total = sum(number for literal, number in constraint.items() if values[literal])
    return total >= constraint.degree


def random_constraint(rng, variables):
    chosen = rng.sample(range(1, variables + 1), rng.randint(0, variables))
    terms = {rng.choice((x, -x)): rng.randint(1, 5) for x in chosen}
    return PbConstraint(terms, rng.randint(-2, 8))


def assignments(variables):
    for values in product((False, True), repeat=variables):
        yield {x for x, value in enumerate(values, 1) if value}


def test_the_rules_are_sound_by_enumeration():
    """Sums, multiples, quotients and saturation follow; negation is exact; so is propagation."""
    rng = random.Random(54)
    num_violated = 0
    for _ in range(600):
        variables = rng.randint(1, 5)
        one, other = (random_constraint(rng, variables) for _ in range(2))
        factor = rng.randint(1, 4)
        implied = set()
        is_violated = propagate([one, other], implied)
        num_violated += is_violated
        for true in assignments(variables):
            if holds(one, true):
                assert holds(one.times(factor), true)
                assert holds(one.divided(factor), true)
                assert holds(one.saturated(), true)
            assert holds(one, true) != holds(one.negated(), true)
            if holds(one, true) and holds(other, true):
                assert holds(one.plus(other), true)
                assert not is_violated
                assert all((abs(literal) in true) == (literal > 0) for literal in implied)
        assert one.is_contradiction <= (not any(holds(one, a) for a in assignments(variables)))
    assert num_violated > 50


def test_no_proof_is_accepted_for_a_consistent_board(boards):
    """Changed proofs of other boards are either rejected or prove something that is true."""
    rng = random.Random(55)
    consistent = [board for board in boards if mmsat.check(board).is_consistent]
    refuted = [board for board in boards if not mmsat.check(board).is_consistent]
    pairs = []
    for board in refuted[:40]:
        text = proof_of(board).text
        others = [o for o in consistent if str(o.game) == str(board.game)]
        fixed = [board.only(rows) for rows in all_but_one(board)]
        others += [o for o in fixed if mmsat.check(o).is_consistent]
        pairs += [(text, other) for other in others]
    num_tried = 0
    for text, other in rng.sample(pairs, 110):
        for _ in range(5):
            changed = change(text, rng)
            size = len(constraints_of(LinearSystem.of(System.of(other))))
            changed = re.sub(r"^f \d+ ;", f"f {size} ;", changed, flags=re.MULTILINE)
            assert not mmsat.verify(changed, board=other).holds
            num_tried += 1
    assert num_tried > 500


def all_but_one(board):
    rows = range(len(board.rows))
    return [tuple(row for row in rows if row != one) for one in rows]


def change(text, rng):
    """Return a proof with a number changed, or a line removed, doubled or moved."""
    lines = text.splitlines(keepends=True)
    line = rng.randrange(1, len(lines) - 3)
    kind = rng.randrange(5)
    if kind == 0:
        del lines[line]
    elif kind == 1:
        lines.insert(line, lines[line])
    elif kind == 2:
        lines.insert(rng.randrange(1, len(lines) - 3), lines.pop(line))
    else:
        numbers = [*re.finditer(r"\d+", lines[line])]
        spot = rng.choice(numbers)
        number = max(0, int(spot[0]) + rng.choice((-1, 1)))
        lines[line] = f"{lines[line][: spot.start()]}{number}{lines[line][spot.end() :]}"
    return "".join(lines)


def test_the_assignment_of_another_code_is_rejected(boards):
    num_tried = 0
    for board in boards:
        witness = mmsat.check(board).witness
        if witness is None:
            continue
        text = proof_of(board).text
        for variable in range(1, board.game.pegs * board.game.colors + 1):
            forged = re.sub(
                rf" (~?)x{variable} ",
                lambda m: f" {'' if m[1] else '~'}x{m[0].split('x')[1]}",
                text,
            )
            assert forged != text
            assert not mmsat.verify(forged, board=board).holds
            num_tried += 1
    assert num_tried > 500


FORGERIES = {
    "pol 1 2 ;": "do not leave one constraint",
    "pol 999 ;": "there is no constraint 999",
    "pol 1 + ;": "there is no constraint +|expected a number",
    "pol 1 0 d ;": "division by 0",
    "pol x99 ;": "expected a literal",
    f"pol 1 {'9' * 4001} * ;": "expected a number",
    f"pol 1{f' {10**3999} *' * 6} ;": "a number is too large",
    "rup >= 1 : 1 ;": "unit propagation violates none",
    "rup >= 1 ;": "expected the numbers of constraints",
    "rup 1 x1 1 x1 >= 1 : 1 ;": "a variable is repeated",
    "rup 0 x1 >= 1 : 1 ;": "a coefficient is 0",
    "red 1 x1 >= 1 : x1 -> 1 ;": "expected a definition of the variable",
    "red 1 ~x29 1 x1 >= 2 : x29 -> 0 ;": "has another form",
    "red 1 ~x30 1 x1 >= 1 : x30 -> 0 ;": "expected a definition of the variable x29",
    "red 1 ~x29 1 x1 >= 1 : x29 -> 0 ;\npol 1 ;": "the second half of a definition is missing",
    "red 1 ~x29 1 x1 >= 1 : x29 -> 0 ;\nred 1 x29 1 x1 >= 1 : x29 -> 1 ;": "has another form",
    "red 1 ~x29 1 x1 >= 1 : x29 -> 0 ;\nred 2 x29 1 ~x1 >= 2 : x29 -> 1 ;": "has another form",
    "a >= 1 ;": "unknown rule 'a'",
    "dom >= 1 : x1 -> 0 ;": "unknown rule 'dom'",
    "del id 1 ;": "belongs to the board",
    "f 3 ;": f"about another board, with 3 constraints; {CONFLICT} has 22",
    "pol 1 ;\nf 22 ;": "the rule f precedes all steps",
    "pol 1": "does not end with ';'",
    "output NONE ;\nconclusion UNSAT : 1 ;": "constraint 1 is not a contradiction",
    "output NONE ;\nconclusion NONE ;": "expected the conclusion SAT, UNSAT or ENUM",
    "output NONE ;\nconclusion ENUMERATION_COMPLETE 1 : 1 ;": "UNSAT or ENUMERATION_COMPLETE 0, ",
    "solx x1 ;": "does not have each variable",
    "pol 1 ;\nsolx x1 ;": "a solution follows other steps",
    "output NONE ;\nconclusion SAT : x1 ;": "does not have each variable",
    "end pseudo-Boolean proof ;": "unknown rule 'end'",
}


@pytest.mark.parametrize("line", FORGERIES, ids=lambda line: line[:40])
def test_a_forged_line_is_rejected_at_its_place(line):
    board = mmsat.Board.parse(CONFLICT)
    text = f"pseudo-Boolean proof version 3.0\nf 22 ;\n{line}\n"
    with pytest.raises(RejectedError, match=FORGERIES[line]) as raised:
        [*VeriPbChecker(board).run(text)]
    assert str(raised.value).startswith(f"line {2 + len(line.splitlines())}: ")


def test_a_cut_proof_is_rejected():
    """So is one of another version, or with more after its end."""
    text = proof_of(mmsat.Board.parse(CONFLICT)).text
    lines = text.splitlines(keepends=True)
    for number in range(1, len(lines), 7):
        assert not mmsat.verify("".join(lines[:number]), board=CONFLICT).holds
    assert not mmsat.verify(text.replace("3.0", "2.0"), board=CONFLICT).holds
    assert not mmsat.verify(f"{text}pol 1 ;\n", board=CONFLICT).holds
    assert not mmsat.verify(text.encode() + b"\xff", board=CONFLICT).holds
    assert mmsat.verify(text, board=CONFLICT, timeout=0).holds is not False


def test_check_writes_and_verify_reads_proofs_for_veripb(tmp_path):
    for board, code in ((CONFLICT, 20), ("4x6/1122=1.1", 10)):
        file = tmp_path / "board.pbp"
        result = run("check", board, "--proof", file, "--json")
        assert result.exit_code == code
        document = json.loads(result.stdout)
        validator("check").validate(document)
        assert document["proof"]["method"] == "veripb"
        result = run("verify", file, "--board", board, "--json")
        assert result.exit_code == 0
        validator("verify").validate(json.loads(result.stdout))
    assert run("verify", file, "--board", CONFLICT).exit_code == 1
    (line,) = fault_lines(run("verify", file))
    assert "expected a board given by --board" in line
    assert "does not contain its board" in line
    (line,) = fault_lines(run("explain", CONFLICT, "--proof", file))
    assert "Only `mmsat check`, `list` and `puzzle` write proofs in the format of VeriPB" in line


def listed(text, board):
    """Return the codes of the logged solutions of a proof."""
    lines = re.findall(r"(?m)^solx (.*) ;$", text)
    colors, size = board.game.colors, board.game.pegs * board.game.colors
    numbers = [
        [int(x) for x in re.findall(r"(?<!~)x(\d+)", line) if int(x) <= size] for line in lines
    ]
    return [tuple((x - 1) % colors for x in code) for code in numbers]


@pytest.fixture(scope="module")
def lists(boards):
    """Boards with few codes, and proofs of their lists in the format of VeriPB."""
    short = [board for board in boards if len(twins.consistent(board)) < 40][: share(90)]
    texts = []
    for board in short:
        *_, proof = list_and_refute(board, None)
        texts.append((board, proof.text))
    return texts


def test_lists_are_those_of_brute_force(lists):
    sizes = set()
    for board, text in lists:
        codes = twins.consistent(board)
        report = mmsat.verify(text, board=board)
        assert report.holds, (str(board), report.reason)
        assert (report.verdict, report.count) == ("listed", len(codes))
        assert sorted(listed(text, board)) == sorted(codes)
        preserved = re.search(r"(?m)^% preserved: (.*) ;$", text)[1].split()
        assert preserved == [f"x{x + 1}" for x in range(board.game.pegs * board.game.colors)]
        sizes.add(min(len(codes), 2))
    assert sizes == {0, 1, 2}


def test_a_checker_from_the_published_description_accepts_the_proofs(boards, lists):
    """It knows the general rules, and reads the constraints from the file of `encode`."""
    rng, kinds, refused = random.Random(58), set(), 0
    verdicts = [(board, proof_of(board).text) for board in boards[: share(90)]]
    for board, text in verdicts + lists:
        opb = "".join(WRITERS["opb"].write(board))
        preserved = {f"x{x + 1}" for x in range(board.game.pegs * board.game.colors)}
        kind, *rest = conclusion_of(text, opb, preserved)
        codes = len(twins.consistent(board))
        assert kind != "ENUMERATION_COMPLETE" or int(rest[0]) == codes
        assert (kind == "UNSAT") == (codes == 0) or kind == "ENUMERATION_COMPLETE"
        kinds.add(kind)
        try:
            kind, *rest = conclusion_of(changed_numbers(rng, text), opb, preserved)
        except (AssertionError, KeyError, ValueError, TypeError, ArithmeticError):
            refused += 1
            continue
        assert kind != "ENUMERATION_COMPLETE" or int(rest[0]) == codes
        assert (kind == "UNSAT") == (codes == 0) or kind == "ENUMERATION_COMPLETE"
    assert kinds == {"SAT", "UNSAT", "ENUMERATION_COMPLETE"}
    assert refused > len(verdicts + lists) / 2


def test_no_false_list_is_accepted(lists):
    rng = random.Random(56)
    num_rejected = 0
    while num_rejected < share(500, least=50):
        board, text = rng.choice(lists)
        changed = change(text, rng)
        report = mmsat.verify(changed, board=board)
        assert report.holds is not None
        num_rejected += not report.holds
        if report.holds and report.verdict == "listed":
            assert sorted(listed(changed, board)) == sorted(twins.consistent(board))


@pytest.mark.parametrize(
    ("pattern", "replacement", "reason"),
    [
        (r"conclusion ENUMERATION_COMPLETE 2", "conclusion UNSAT", "UNSAT cannot follow solutions"),
        (
            r"conclusion ENUMERATION_COMPLETE 2",
            "conclusion ENUMERATION_COMPLETE 1",
            "_COMPLETE 2, ",
        ),
        (r"(?m)^(solx .*\n)", r"\1\1", r"line 5: the assignment violates constraint \d+$"),
        (r"(?m)^solx (~?)x1 ", "solx x1 ", "the assignment violates constraint"),
        (r"(?m)^solx .*\n", "", "line \\d+: "),
        (r"(?m)^red ", "del id 34 ;\nred ", "constraint 34 belongs to the board"),
    ],
)
def test_a_false_list_is_rejected_at_its_place(pattern, replacement, reason):
    board = mmsat.Board.parse("4x6/1122=1.1/3345=0.2/4211=0.1")
    *_, proof = list_and_refute(board, None)
    text, number = re.subn(pattern, replacement, proof.text, count=1)
    assert number == 1
    report = mmsat.verify(text, board=board)
    assert report.holds is False
    assert re.search(reason, report.reason), report.reason


def test_list_writes_proofs_for_veripb(tmp_path):
    file = tmp_path / "list.pbp"
    board = "4x6/1122=1.1/3345=0.2/4211=0.1"
    document = json.loads(run("list", board, "--proof", file, "--json").stdout)
    validator("list").validate(document)
    assert document["proof"]["method"] == "veripb"
    verified = json.loads(run("verify", file, "--board", board, "--json").stdout)
    validator("verify").validate(verified)
    assert (verified["verdict"], verified["count"]) == ("listed", "2")
    assert run("puzzle", "2x3", "--seed", 1, "--proof", file).exit_code == 0
