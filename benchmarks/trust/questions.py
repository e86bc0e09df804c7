"""The questions of the campaign: each compares an answer with the ground truth.

A question is a function of a case that raises an error if they disagree. It states the share of
boards it is used on, and the maximum number of codes of a game.
"""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, islice
from math import log2
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from pysat.solvers import Solver

import mmsat
from benchmarks.trust.truth import score_numbers
from mmsat.encoding import ENCODINGS
from mmsat.errors import InputError, SizeError
from mmsat.game.board import PRINTERS
from mmsat.game.words import Words
from mmsat.play.review_result import EXPECTED_CODES
from mmsat.reductions.reduce import REDUCTIONS
from mmsat.solving import ENGINES, SPECIAL
from tests.support import twins
from tests.support.deduction_steps import Masks, check_end
from tests.support.reduction_laws import holds
from tests.support.suspects import by_definition, changes_of, check_discriminating_guess
from tests.support.tiny_sources import fitting, parameters

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.trust.case import Case
    from benchmarks.trust.truth import Array, Code, Score

SHOWN = 300
"""Codes that are compared one by one."""
WEIGHED = 5000
"""Codes that are weighed, as all are listed."""
FEW = 10_000
"""Maximum number of codes for engines that need special boards."""
LIMIT = 300
"""Maximum number of requested conflicts and corrections."""
SOLVERS = ("cadical153", "glucose4", "lingeling", "maplechrono", "minisat22")
METHODS = ("brute", "diagram", "enumeration", "ganak")


class DisagreementError(Exception):
    """An answer differs from the ground truth."""


def expect(what: str, answer: object, truth: object) -> None:
    """Raise DisagreementError where they differ."""
    if answer != truth:
        raise DisagreementError(f"{what}: {str(answer)[:200]}, in truth {str(truth)[:200]}")


def notation(case: Case) -> None:
    """Each form of the board reads back as it is."""
    if not isinstance(case.game.space, Words):
        for name, printed in PRINTERS.items():
            expect(name, mmsat.Board.parse(printed(case.board)), case.board)


def check(case: Case) -> None:
    """The verdict and its code, of one board and in bulk."""
    verdict = mmsat.check(case.board, reason=0, timeout=case.timeout)
    judge(case, verdict)
    (other,) = mmsat.check_many([case.board])
    judge(case, other)
    if other.engine == verdict.engine:  # where two race, the code is the winner's
        expect("in bulk", other.witness, verdict.witness)


def engines(case: Case) -> None:
    """Compare the verdict of each engine that supports the board.

    Engines for special boards may visit all codes one by one if the equations are weak. In word
    games they also visit codes that are not words.
    """
    is_special = case.game.size <= FEW and case.game.space.table() is None
    for engine in (*ENGINES, *(SPECIAL if is_special else ())):
        try:
            judge(case, mmsat.check(case.board, engine=engine, reason=0, timeout=case.timeout))
        except (InputError, SizeError):
            if engine in ENGINES:
                raise


def judge(case: Case, verdict: mmsat.Verdict) -> None:
    """A verdict is the true one, its code one of those left."""
    expect(verdict.engine, verdict.is_consistent, bool(len(case.places)))
    if verdict.witness is not None:
        expect(f"{verdict.witness} is consistent", case.has(verdict.witness), True)


def count(case: Case) -> None:
    """How many codes are left."""
    code_count = mmsat.count(case.board, timeout=case.timeout)
    expect(
        f"count by {code_count.method}",
        (code_count.count, code_count.exact),
        (len(case.places), True),
    )


def methods(case: Case) -> None:
    """The same, by each method that does not give up."""
    for method in METHODS if len(case.places) <= SHOWN else ("brute", "diagram"):
        try:
            code_count = mmsat.count(case.board, method=method, timeout=case.timeout)
        except SizeError:
            continue
        expect(f"count by {method}", (code_count.count, code_count.exact), (len(case.places), True))


def numbers(case: Case) -> None:
    """Codes by their numbers and back, and the number of codes with each color at each peg."""
    codes = case.answer
    expect("their number", codes.count, len(case.places))
    for number in {0, case.rng.randrange(len(case.places))} if len(case.places) else ():
        code = tuple(case.codes[case.places[number]].tolist())
        expect(f"code {number}", codes[number], code)
        expect(f"the number of {code}", codes.index(code), number)
    some = tuple(case.rng.choice(case.codes).tolist())
    expect(f"{some} in codes", some in codes, case.has(some))


def odds(case: Case) -> None:
    """How many codes have each color at each peg."""
    colors = case.game.colors
    truth = [np.bincount(peg, minlength=colors).tolist() for peg in case.left.T]
    expect("odds", case.answer.odds().table, tuple(map(tuple, truth)))


def listing(case: Case) -> None:
    """Compare the first codes in order, a slice, samples, and the forced colors."""
    codes = mmsat.codes(case.board)
    size = len(case.places)
    first = list(map(tuple, case.left[:SHOWN].tolist()))
    expect("the first codes", list(islice(codes, SHOWN)), first)
    start = case.rng.randrange(size + 1)
    part = case.left[start : start + 20 : 3]
    expect(f"codes from {start}", [*codes[start : start + 20 : 3]], [*map(tuple, part.tolist())])
    drawn = codes.sample(min(5, size), seed=1)
    expect("different codes drawn", len(set(drawn)), min(5, size))
    expect("codes drawn are consistent", all(map(case.has, drawn)), True)


def weighed(case: Case) -> None:
    """Compare the total weight of the codes and the odds, if colors have weights."""
    weights = [case.rng.randint(0, 3) for _ in range(case.game.colors)]
    weights[case.rng.randrange(len(weights))] = 1
    given = mmsat.Weights.of_colors(case.game, weights)
    if len(case.places) <= WEIGHED:
        codes = mmsat.codes(case.board, weights=given)
        weight = np.array(weights)[case.left].prod(axis=1)
        expect(f"the weight by {weights}", codes.weight, int(weight.sum()))
        table = codes.odds().table
        unit = Fraction(sum(table[0]), int(weight.sum()) or 1)
        for peg, row in zip(case.left.T, table, strict=True):
            true = [int(weight[peg == color].sum()) * unit for color in range(case.game.colors)]
            expect(f"odds by {weights}", list(row), true)


def known(case: Case) -> None:
    """Codes that are known do not count."""
    if case.listed:
        some = case.rng.sample(case.listed, min(3, len(case.listed)))
        board = replace(case.board, known=tuple(some))
        expect("count", mmsat.count(board).count, len(case.listed) - len(some))
        verdict = mmsat.check(board, reason=0, timeout=case.timeout)
        expect("verdict", verdict.is_consistent, len(case.listed) > len(some))
        expect("a known witness", verdict.witness in some, False)


def repairs(case: Case, missing: Array) -> Counter[tuple[object, ...]]:
    """Count the codes for each combination of missed rows and the scores they have there."""
    results: Counter[tuple[object, ...]] = Counter()
    wrong = case.missed[:, missing]
    truths = [case.truth.scores(guess)[:, missing].T.tolist() for guess, _ in case.board.rows]
    for code in range(len(missing)):
        changes = []
        for row in np.flatnonzero(wrong[:, code]).tolist():
            score = zip(truths[row][code], case.board.rows[row].score, strict=True)
            changes.append((row, tuple(None if r is None else number for number, r in score)))
        results[tuple(changes)] += 1
    return results


def explain(case: Case) -> None:
    """All conflicts, and all cheapest corrections with their codes."""
    explanation = mmsat.explain(case.board, limit=LIMIT, timeout=case.timeout)
    expect("verdict", explanation.status == "consistent", bool(len(case.places)))
    if len(case.places):
        expect("reasons", (explanation.conflicts, explanation.corrections), ((), ()))
        return
    conflicts = minimal_conflicts(case.missed)
    compare(
        "conflicts",
        [conflict.rows for conflict in explanation.conflicts],
        conflicts,
        explanation.all_conflicts,
    )
    size = case.missed.sum(axis=0)
    nearest = np.flatnonzero(size == size.min())
    if len(nearest) <= 5 * SHOWN:
        truth = repairs(case, nearest)
        told_ = {changes_of(entry): entry for entry in explanation.corrections}
        compare("corrections", list(told_), {*truth}, explanation.all_corrections)
        for changes, correction in told_.items():
            if correction.codes is not None and correction.codes.exact:
                expect(f"codes of {changes}", correction.codes.count, truth[changes])


def minimal_conflicts(missed: Array) -> set[tuple[int, ...]]:
    """The sets of rows of which each code misses one, while smaller sets do not suffice."""
    rows = len(missed)
    bits = (1 << np.arange(rows)) @ missed
    kinds = np.unique(bits).tolist()
    results: list[int] = []
    for size in range(rows + 1):
        for some in combinations(range(rows), size):
            mask = sum(1 << row for row in some)
            if all(kind & mask for kind in kinds) and not any(f & mask == f for f in results):
                results.append(mask)
    return {tuple(row for row in range(rows) if mask >> row & 1) for mask in results}


def compare(what: str, answer: list[object], truth: set[object], is_all: bool) -> None:
    """Check that an answer is complete, or has the requested size."""
    expect(f"{what} twice", len(answer), len(set(answer)))
    expect(what, {*answer} - truth, set())
    expect(f"the number of {what}", len(answer), len(truth) if is_all else LIMIT)


def reason(case: Case) -> None:
    """The conflict and the correction that a verdict comes with."""
    verdict = mmsat.check(case.board, timeout=case.timeout)
    judge(case, verdict)
    if verdict.conflict is not None:
        expect("a minimal conflict", verdict.conflict.rows in minimal_conflicts(case.missed), True)
    if verdict.correction is not None:
        expect("cost", len(verdict.correction.changes), case.missed.sum(axis=0).min())


def lies(case: Case) -> None:
    """The codes within some lies, by rows and by pegs."""
    by, maximum = case.rng.choice(["rows", "pegs"]), case.rng.choice([1, 1, 2, 3])
    price = case.missed.sum(axis=0)
    if by == "pegs":
        price = np.zeros(len(case.codes), dtype=int)
        for row, (guess, read) in enumerate(case.board.rows):
            true = case.truth.scores(guess)
            _, some, which = np.unique(
                score_numbers(case.game, true), return_index=True, return_inverse=True
            )
            scores = true[:, some].T.tolist()
            off = [twins.pegs_off(case.game.scoring, tuple(score), read) for score in scores]
            price += np.where(case.missed[row], np.array(off)[which], 0)
    within = case.codes[price <= maximum]
    what = f"within {maximum} by {by}"
    verdict = mmsat.check(case.board, lies=maximum, by=by, reason=0, timeout=case.timeout)
    expect(what, verdict.is_consistent, bool(len(within)))
    expect(f"count {what}", mmsat.count(case.board, lies=maximum, by=by).count, len(within))
    codes = mmsat.codes(case.board, lies=maximum, by=by)
    expect(f"codes {what}", list(islice(codes, SHOWN)), list(map(tuple, within[:SHOWN].tolist())))


def suspect(case: Case) -> None:
    """What suspects may have scored, and the guess that tells these cases apart."""
    rows = range(len(case.board.rows))
    if rows:
        suspects = case.rng.sample(rows, min(len(rows), case.rng.choice([1, 2])))
        result = mmsat.suspect(case.board, suspects, limit=10_000, timeout=case.timeout)
        truth = by_definition(case.board, suspects)
        codes = {changes_of(hypothesis): hypothesis.codes.count for hypothesis in result.hypotheses}
        expect("hypotheses", codes, {key: len(codes) for key, codes in truth.items()})
        if result.discriminating_guess is not None:
            check_discriminating_guess(case.board, result, truth)


def parts(case: Case, places: Array, guess: Code, read: Score | None = None) -> list[int]:
    """Return the number of codes for each score (or its known parts), descending."""
    true = case.truth.scores(guess)[:, places]
    if read is not None:
        true = true[[number is not None for number in read]]
    _, sizes = np.unique(score_numbers(case.game, true), return_counts=True)
    return sorted(sizes.tolist(), reverse=True)


def suggest(case: Case) -> None:
    """The figures of the guess and of the others named."""
    if not len(case.places):
        try:
            mmsat.suggest(case.board, seed=1)
        except mmsat.InconsistentError:
            return
        raise DisagreementError("a suggestion where no code is left")
    suggestion = mmsat.suggest(case.board, seed=1, timeout=case.timeout)
    expect("codes", (suggestion.codes.count, suggestion.codes.exact), (len(case.places), True))
    for entry in (suggestion.best, *suggestion.others):
        can_win = case.has(entry.guess)
        expect(f"{entry.guess} is possible", entry.is_possible, can_win)
        expect(f"chance of {entry.guess}", entry.chance, Fraction(can_win, len(case.places)))
        if entry.judged_by == len(case.places):
            sizes = parts(case, case.places, entry.guess)
            expect(f"parts of {entry.guess}", list(entry.sizes), sizes)


def review(case: Case) -> None:
    """The codes before and after each guess, and the figures by codes."""
    result = mmsat.review(case.board, seed=1, timeout=case.timeout)
    for move in result.moves:
        before, after = case.before(move.number), case.before(move.number + 1)
        guess = move.row.guess
        what = f"row {move.number + 1}"
        expect(f"{what}, codes", (move.codes_before, move.codes_after), (len(before), len(after)))
        is_possible = case.truth.find(guess) in before
        expect(f"{what}, is possible", move.is_possible, is_possible)
        if move.judged_by == len(before):
            sizes = parts(case, before, guess)
            told_sizes = parts(case, before, guess, move.row.score)
            shares = [size / len(before) for size in told_sizes]
            bits = -sum(share * log2(share) for share in shares)
            expect(f"{what}, bits to expect", abs(move.expected_bits - bits) < 1e-9, True)
            if move.by == EXPECTED_CODES:
                expect(f"{what}, cost", move.cost, expected(sizes))
                expect(f"{what}, least", move.best_cost, expected(parts(case, before, move.best)))
    first = next(
        (row for row in range(len(case.board.rows)) if not len(case.before(row + 1))), None
    )
    moves = len(case.board.rows) if first is None else first + 1
    expect("guesses judged", len(result.moves), moves)


def expected(sizes: list[int]) -> Fraction:
    """Return the expected number of remaining codes."""
    return Fraction(sum(size * size for size in sizes), sum(sizes))


def steps(case: Case) -> None:
    """Check that each step follows from its premises and that the last one completes the proof."""
    result = mmsat.steps(case.board, timeout=case.timeout)
    expect("complete", result.is_complete, True)
    code = case.listed[0] if case.listed else None
    expect("verdict", result.status == "consistent", code is not None)
    check_end(case.board, Masks(case.board).has_code, result, result.steps, code)


def encodings(case: Case) -> None:
    """The models of an encoding, by a solver: each code is one."""
    names = [name for name, entry in ENCODINGS.items() if not entry.is_native]
    encoding, solver = case.rng.choice(names), case.rng.choice(SOLVERS)
    try:
        formula = mmsat.encode(case.board, "pysat", encoding=encoding)
    except SizeError:
        if encoding != "direct":  # it refuses constraints about many literals
            raise
        return
    places = case.game.pegs * case.game.colors
    results = []
    maximum = SHOWN if len(case.places) <= SHOWN else 20
    with Solver(solver, bootstrap_with=formula.clauses) as asked:
        for variable in range(1, formula.nv + 1):
            asked.add_clause([variable, -variable])
        while len(results) <= maximum and asked.solve():
            model = asked.get_model()
            results.append(mmsat.decode(case.board, [lit for lit in model if 0 < lit <= places]))
            asked.add_clause([-literal for literal in model])
    what = f"models of {encoding} by {solver}"
    expect(f"{what} that are codes", all(map(case.has, results)), True)
    expect(f"different {what}", len({*results}), min(len(case.places), maximum + 1))
    expect(what, len(results), len({*results}))


def languages(case: Case) -> None:
    """Compare the verdicts of the installed programs, and clingo's number of models."""
    text = {"asp": ("clingo", "0", "-q"), "smtlib": ("z3", "-smt2", "-in", "-T:60")}
    for language, command in text.items():
        if shutil.which(command[0]):
            written = mmsat.encode(case.board, language)
            answer = subprocess.run(
                command, input=written, text=True, capture_output=True, check=False
            ).stdout
            words = answer.lower().split()
            is_consistent = "unsat" not in words and "unsatisfiable" not in words
            expect(f"verdict of {command[0]}", is_consistent, bool(case.listed))
            if language == "asp":
                models = next(line for line in answer.splitlines() if line.startswith("Models"))
                expect("models of clingo", int(models.split()[-1]), len(case.listed))


def proof(case: Case) -> None:
    """A proof is of the true verdict, and holds."""
    if isinstance(case.game.space, Words) and case.game.symbols is None:
        return  # no exported file lists the words of this game
    result = mmsat.prove(case.board, timeout=case.timeout)
    if not case.is_large:
        expect("verdict", result.status == "consistent", bool(len(case.places)))
    expect("holds", mmsat.verify(result.text, board=case.board).holds, True)


def reduction(case: Case) -> None:
    """Certificates of a small source and codes of its board, both ways and all."""
    name = case.rng.choice(list(REDUCTIONS))
    kind = REDUCTIONS[name]
    source = fitting(name, kind.source_kind, case.rng)
    for values in case.rng.sample(list(parameters(kind)), 1):
        try:
            created = kind(source, **values)
        except InputError:
            return
        if created.sizes().pegs <= 24:
            holds(created)


def large_verdict(case: Case) -> None:
    """Engines agree; a witness gets the scores by the twins; a conflict is one, and minimal."""
    results = {
        engine: mmsat.check(case.board, engine=engine, reason=0, timeout=case.timeout)
        for engine in ("auto", "cp", "sat")
    }
    expect("verdicts", len({entry.status for entry in results.values()}), 1)
    for engine, verdict in results.items():
        if verdict.witness is not None:
            expect(f"rows missed by {engine}", twins.wrong_rows(case.board, verdict.witness), [])
    verdict = mmsat.check(case.board, timeout=case.timeout)
    if verdict.conflict is not None:
        rows = verdict.conflict.rows
        for kept in (rows, *(tuple(r for r in rows if r != out) for out in rows)):
            answer = mmsat.check(case.board.only(kept), engine="cp", reason=0, timeout=case.timeout)
            expect(f"rows {kept} are consistent", answer.is_consistent, kept != rows)


def large_count(case: Case) -> None:
    """Check that count, odds, ranks and codes by rank agree, if ranking is available."""
    code_count = mmsat.count(case.board, timeout=case.timeout)
    if code_count.exact:
        try:
            odds = case.answer.odds()
        except SizeError:  # no diagram, and too many codes to write down
            expect("key pegs of several rows are one", case.game.scoring.name, "pairs-one-key")
            return
        expect("odds", {sum(row) for row in odds.table}, {code_count.count})
        for _ in range(min(5, code_count.count)):
            number = case.rng.randrange(code_count.count)
            code = case.answer[number]
            expect(f"rows missed by code {number}", twins.wrong_rows(case.board, code), [])
            expect("its number", case.answer.index(code), number)


def large_methods(case: Case) -> None:
    """Methods of counting agree."""
    code_count = mmsat.count(case.board, timeout=case.timeout)
    if code_count.exact and code_count.count <= SHOWN:
        other = mmsat.count(case.board, method="enumeration", timeout=case.timeout)
        expect("count by enumeration", other.count, code_count.count)
    other = mmsat.count(case.board, method="ganak", timeout=10)
    if code_count.exact and other.exact:
        expect(f"count by {code_count.method}", code_count.count, other.count)


class Question(NamedTuple):
    """A question and the boards it applies to."""

    ask: Callable[[Case], None]
    share: float
    """Share of the boards that it applies to."""
    most: int = 1_000_000
    """Maximum number of codes; 0 for games whose codes are not listed."""

    @property
    def name(self) -> str:
        """Return the name for the table."""
        return self.ask.__name__.replace("_", " ")

    def suits(self, case: Case) -> bool:
        """Return whether it applies to a board."""
        return case.is_large if self.most == 0 else case.game.size <= self.most


QUESTIONS = (
    Question(check, 1),
    Question(count, 1),
    Question(numbers, 1),
    Question(odds, 1),
    Question(notation, 0.1),
    Question(listing, 0.05),
    Question(weighed, 0.03),
    Question(known, 0.03),
    Question(explain, 0.02),
    Question(reason, 0.02),
    Question(lies, 0.02, 10_000),
    Question(suspect, 0.02, 300),
    Question(steps, 0.02, 300),
    Question(proof, 0.02),
    Question(encodings, 0.015, 10_000),
    Question(reduction, 0.02),
    Question(suggest, 0.008, 10_000),
    Question(engines, 0.005),
    Question(methods, 0.005),
    Question(languages, 0.005, 300),
    Question(review, 0.004, 1300),
    Question(large_verdict, 0.3, 0),
    Question(large_count, 0.3, 0),
    Question(proof, 0.1, 0),
    Question(large_methods, 0.05, 0),
)
