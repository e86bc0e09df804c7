"""Prove that conflicts are minimal, that corrections are the cheapest, and that none is missing.

`collect_certificate` finds the codes and the refuted rows that check_explanation.py needs.
To prove that all conflicts are listed, it lists the maximal sets of rows that have a code. To prove
that no correction is cheaper, a solver chooses one score per row within the limits of the
correction map. A minimal conflict of the corrected board is the next refutation. This is repeated
until the solver finds no further choice.

The claims get stronger step by step: some conflicts, all of them, cheapest corrections, all of
these. After each step there is a certificate of the claims so far, which is kept if the time is up.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from math import prod
from typing import Any, NamedTuple

from mmsat._util.arguments import RULES, check_arguments, instance_of
from mmsat._util.text import quantity
from mmsat.diagnosis.check import DEFAULT_LIMIT
from mmsat.diagnosis.explain import explain
from mmsat.diagnosis.explanation import Explanation
from mmsat.diagnosis.mus import grow, shrink
from mmsat.errors import InputError, InternalError
from mmsat.game import Code
from mmsat.game.board import Board, Status
from mmsat.proof.bundle import Bundle, Clauses, board_text, canonical_board
from mmsat.proof.check_algebra import print_refutation, refutation_flaw
from mmsat.proof.check_explanation import (
    ALL,
    MAX_COUNTER_VARIABLES,
    NONE,
    SOME,
    Certificate,
    Changes,
    CorrectionMap,
    RefutedRows,
    conflict_map,
    correction_map,
    list_scores,
    may_list_scores,
)
from mmsat.proof.prove import (
    SOLVER,
    Progress,
    Proof,
    make_trimmer,
    prove,
    refute_by_sat,
    trim,
    verify_own,
)
from mmsat.solving import Engine
from mmsat.solving.deadline import Deadline, TimeUpError, stream
from mmsat.solving.oracle import SubsetOracle
from mmsat.solving.refutation import refute
from mmsat.solving.sat import pysat

MAX_CHOICES = 20_000
"""Maximum number of choices of scores for the corrected rows. If there are more, the proof does not
state that all corrections are listed. Each choice can need a separate refutation."""
MAP_SOLVER = "minisat22"
"""The solver of python-sat that finds models of the maps (see check_explanation.py)."""


RULES["explanation"] = instance_of("an Explanation", Explanation)


@check_arguments
def prove_explanation(
    board: Board | str,
    *,
    explanation: Explanation | None = None,
    engine: str | Engine | type[Engine] = "auto",
    timeout: float | None = None,
    limit: int = DEFAULT_LIMIT,
    seed: int | None = None,
    on_progress: Progress | None = None,
    on_partial: Callable[[Callable[[], Proof]], object] | None = None,
) -> Proof | None:
    """Prove an explanation by a text that can be checked without trust in any solver.

    Parameters
    ----------
    board : Board or str
        The game and its scored rows, or text that `Board.parse` reads, such as "4x6/1122=1.1".
    explanation : Explanation, optional
        The result of `explain` for this board without lies, if it is already known. By default,
        `explain` is called.
    engine : str, Engine or type, default "auto"
        Engine for `explain`, its class or its name, if no explanation is given.
    timeout : float, optional
        Time limit in seconds. By default, only the search of `explain` is limited.
    limit : int, default 100
        Maximum number of conflicts, and of corrections, for `explain`.
    seed : int, optional
        Seed for `explain`, if no explanation is given.
    on_progress : callable, optional
        Called with a text that describes the current step.
    on_partial : callable, optional
        Called whenever more is proven, with a function that returns the proof of this part. It is
        useful if the time is up, or after Ctrl-C.

    Returns
    -------
    Proof or None
        The proof, which `verify` has already accepted; None if the time is up, or if no conflict is
        known. A consistent board is proved by a code, as by `prove`.

    Raises
    ------
    InputError
        If the explanation is about another board or has lies, or if another argument is invalid.
    SizeError
        If a proof gets too long.

    Notes
    -----
    Each conflict is refuted by lemmas in LRAT or by an algebraic certificate, and for each of its
    rows there is a code that gets the scores of the others. Each correction has a code, and a proof
    that fewer changes do not suffice. If the explanation lists all conflicts or corrections, the
    file also proves this, by lemmas about the sets of rows and the choices of scores. A proof that
    all corrections are listed is omitted if too many choices of scores have to be excluded.

    Examples
    --------
    >>> proof = mmsat.prove_explanation("4x6/1122=0.4/1122=0.2")
    >>> proof.method, mmsat.verify(proof).holds
    ('explanation', True)
    """
    board = Board.of(board)
    deadline = Deadline(timeout)
    if explanation is not None and (explanation.board != board or explanation.tolerance.lies):
        expected = "an explanation of this board without lies"
        raise InputError.of("the explanation", expected, str(explanation.board))
    if explanation is None:
        explanation = explain(board, engine=engine, timeout=timeout, limit=limit, seed=seed)
    if explanation.status is Status.CONSISTENT:
        return prove(board, engine=engine, timeout=deadline.remaining, seed=seed)
    if not explanation.conflicts:
        return None
    _, board = canonical_board(board)
    certificate = None
    items = stream(deadline, collect_certificate, board, explanation)
    try:
        for item in items:
            if isinstance(item, str):
                if on_progress is not None:
                    on_progress(item)
                continue
            certificate = extend(certificate, item)
            if on_partial is not None:
                on_partial(partial(verify_certificate, board, certificate))
    except TimeUpError:
        return None
    finally:
        items.close()
    return None if certificate is None else verify_certificate(board, certificate)


def verify_certificate(board: Board, certificate: Certificate) -> Proof:
    """Return the proof with a certificate after verifying it."""
    fields, sections = certificate.fields(), certificate.sections(board)
    bundle = Bundle(board_text(board), "inconsistent", "explanation", fields, sections)
    return verify_own(board, Status.INCONSISTENT, (), bundle)


class ProvenConflict(NamedTuple):
    """A conflict, and codes which show that none of its rows is superfluous."""

    refutation: RefutedRows
    codes: tuple[Code, ...]


Item = ProvenConflict | Certificate
"""One more conflict that is proven, or a certificate of everything that is proven so far."""


def extend(certificate: Certificate | None, item: Item) -> Certificate:
    """Return a certificate, None at first, with one more item."""
    if isinstance(item, Certificate):
        return item
    certificate = certificate or Certificate(has_all_conflicts=False, correction_claim=NONE)
    return replace(
        certificate,
        conflicts=(*certificate.conflicts, item.refutation.rows),
        codes=tuple(sorted({*certificate.codes, *item.codes})),
        refutations=(*certificate.refutations, item.refutation),
    )


def collect_certificate(board: Board, explanation: Explanation) -> Iterator[str | Item]:
    """Yield progress messages and proven items, and finally the whole certificate."""
    collector = _Collector(board, explanation)
    yield from collector.add_conflicts()
    yield from collector.add_corrections()
    yield collector.certificate()


class _Collector:
    """Collects the codes and the refutations of a certificate."""

    def __init__(self, board: Board, explanation: Explanation) -> None:
        self.board = board
        self.oracle = SubsetOracle(board)
        self.codes: set[Code] = set()
        self.refutations: dict[tuple[tuple[int, ...], Changes], RefutedRows] = {}
        """Refuted rows, by the rows and their changed scores."""
        self.conflicts = tuple(conflict.rows for conflict in explanation.conflicts)
        self.corrections: tuple[Changes, ...] = tuple(
            tuple((change.row, change.after) for change in correction.changes)
            for correction in explanation.corrections
        )
        if self.corrections and len(board.rows) * len(self.corrections[0]) > MAX_COUNTER_VARIABLES:
            self.corrections = ()
        self.has_all_conflicts = explanation.all_conflicts
        self.correction_claim = NONE
        """The claim about corrections that is proven so far: NONE, SOME or ALL."""
        self.planned_claims: tuple[str, ...] = ()
        """The claims about corrections that are still to be proven, in this order."""
        if self.corrections:
            is_complete = explanation.all_corrections and self._may_claim_all()
            self.planned_claims = (SOME, ALL) if is_complete else (SOME,)
        self.conflict_map = self.correction_map = ""

    def _may_claim_all(self) -> bool:
        """Return whether the corrected rows have at most MAX_CHOICES choices of scores."""
        if not may_list_scores(self.board):
            return False
        rows = self.board.rows
        corrected_rows = {tuple(row for row, _ in changes) for changes in self.corrections}
        num_choices = sum(
            prod(len(list_scores(self.board, rows[row].score)) for row in changed_rows)
            for changed_rows in corrected_rows
        )
        return num_choices <= MAX_CHOICES

    def certificate(self) -> Certificate:
        """Return the certificate of everything that is proven so far."""
        return Certificate(
            has_all_conflicts=self.has_all_conflicts,
            correction_claim=self.correction_claim,
            conflicts=self.conflicts,
            corrections=() if self.correction_claim == NONE else self.corrections,
            codes=tuple(sorted(self.codes)),
            refutations=tuple(self.refutations.values()),
            conflict_map=self.conflict_map,
            correction_map=self.correction_map,
        )

    def add_conflicts(self) -> Iterator[str | Item]:
        """Refute the conflicts; find codes which show that each is minimal, and none is missing."""
        for number, rows in enumerate(self.conflicts, 1):
            yield f"proving conflict {number:,} of {len(self.conflicts):,}"
            yield from self.refute(rows, ())
            codes = tuple(self.add_code(frozenset(rows) - {row}) for row in rows)
            yield ProvenConflict(self.refutations[rows, ()], codes)
        if self.has_all_conflicts:
            with pysat().Solver(name=MAP_SOLVER) as solver:
                solver.set_phases([row + 1 for row in self.oracle.all_rows])  # prefer large sets
                solver.append_formula(conflict_map(self.board, self.certificate()).clauses)
                while solver.solve():
                    seed = frozenset(n - 1 for n in solver.get_model() if n > 0)
                    code = self.add_code(grow(self.oracle, seed & self.oracle.all_rows))
                    solver.add_clause([row + 1 for row in self.board.missed(code)])
                    yield f"proving that all conflicts are listed, {len(self.codes):,} codes"
            # The map also has the codes of corrections, so it is refuted after these are added.

    def add_code(self, rows: frozenset[int]) -> Code:
        """Add a code that gets the scores of these rows, and return it."""
        code = self.oracle.find(rows)
        if code is None:
            raise InternalError(f"rows {sorted(rows)} of {self.board} are an unlisted conflict")
        self.codes.add(code)
        return code

    def add_corrections(self) -> Iterator[str | Item]:
        """Show that the corrections suffice, and refute other choices of scores."""
        for changes in self.corrections:
            code = SubsetOracle(self.board.changed(dict(changes))).find(self.oracle.all_rows)
            if code is None:
                raise InternalError(f"{changes} does not correct {self.board}")
            self.codes.add(code)
        if self.has_all_conflicts:
            formula = conflict_map(self.board, self.certificate())
            self.conflict_map = yield from refute_clauses(formula)
        for claim in self.planned_claims:
            if self.has_all_conflicts or self.correction_claim != NONE:
                yield self.certificate()
            self.correction_claim = claim
            yield from self.refute_choices()
            formula = correction_map(self.board, self.certificate()).formula
            self.correction_map = yield from refute_clauses(formula)

    def refute_choices(self) -> Iterator[str]:
        """Refute each choice of scores within the limits of the correction map."""
        choices = correction_map(self.board, self.certificate())
        with pysat().Solver(name=MAP_SOLVER) as solver:
            solver.set_phases([row + 1 for row in self.oracle.all_rows])  # prefer stated scores
            num_added = 0
            for step in count(1):
                solver.append_formula(choices.clauses[num_added:])
                num_added = len(choices.clauses)
                if not solver.solve():
                    return
                chosen = self.read_choice(choices, solver.get_model())
                yield f"proving that no correction is missing, {quantity(step, 'choice')}"
                rows, changes = self.find_conflict(chosen)
                yield from self.refute(rows, changes)
                choices.exclude(rows, changes)

    def read_choice(self, choices: CorrectionMap, model: list[int]) -> dict[int, Any]:
        """Return the changed scores that a model chooses; None for an unknown score."""
        chosen: dict[int, Any] = {}
        for row, variables in enumerate(choices.score_variables):
            if model[row] < 0:
                chosen[row] = next(
                    (score for score, variable in variables.items() if model[variable - 1] > 0),
                    None,
                )
        return chosen

    def find_conflict(self, chosen: dict[int, Any]) -> tuple[tuple[int, ...], Changes]:
        """Return a minimal conflict of the board with these changed scores.

        A conflict without changed rows is preferred, because it refutes more choices.
        """
        unchanged_rows = self.oracle.all_rows - chosen.keys()
        if self.oracle.find(unchanged_rows) is None:
            return tuple(sorted(shrink(self.oracle, self.oracle.core))), ()
        if None in chosen.values():
            raise InternalError(f"rows {sorted(chosen)} correct {self.board} with fewer changes")
        oracle = SubsetOracle(self.board.changed(chosen))
        if oracle.find(oracle.all_rows) is not None:
            raise InternalError(f"{chosen} is an unlisted correction of {self.board}")
        rows = tuple(sorted(shrink(oracle, oracle.core)))
        return rows, tuple((row, chosen[row]) for row in rows if row in chosen)

    def refute(self, rows: tuple[int, ...], changes: Changes) -> Iterator[str]:
        """Add a refutation of rows with changed scores, unless there is one."""
        if (rows, changes) in self.refutations:
            return
        board = self.board.changed(dict(changes)) if changes else self.board
        certificate = self.refute_by_algebra(board, rows)
        if certificate is not None:
            self.refutations[rows, changes] = RefutedRows(rows, changes, None, certificate)
            return
        for item in refute_by_sat(board, [rows], None):
            if isinstance(item, str):
                yield item
            else:
                _, fields, sections = item
                self.refutations[rows, changes] = RefutedRows(
                    rows, changes, fields["encoding"], sections["lrat"]
                )

    def refute_by_algebra(self, board: Board, rows: tuple[int, ...]) -> str | None:
        """Return an algebraic certificate that no code satisfies the rows, or None."""
        refutation = refute(board.only(rows), thorough=True)
        if refutation is None:
            return None
        refutation = refutation.renumber(rows)
        return (
            None if refutation_flaw(board, refutation) is not None else print_refutation(refutation)
        )


def refute_clauses(formula: Clauses) -> Generator[str, None, str]:
    """Yield progress messages, and return lemmas in LRAT that refute a formula."""
    lines: list[str] = []
    if [] not in formula.clauses:
        with pysat().Solver(SOLVER, bootstrap_with=formula.clauses, with_proof=True) as solver:
            if solver.solve():
                raise InternalError("a map that was complete has a model")
            lines = solver.get_proof()
    trimmer = make_trimmer(formula.variables, formula.literals, lines)
    yield from trim(trimmer)
    return trimmer.lrat.decode()
