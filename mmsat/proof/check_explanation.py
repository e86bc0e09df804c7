"""Check a certificate of an explanation against its board, without any solver.

explanation_certificate.py describes the certificate and why it proves its claims.
"""

from __future__ import annotations

from dataclasses import replace

from mmsat._util.text import noun_phrase, quantity
from mmsat.encoding import ENCODINGS
from mmsat.encoding.writers import clause_formula
from mmsat.errors import MmsatError
from mmsat.game.board import Board
from mmsat.proof import algebraic_certificate
from mmsat.proof.bundle import Bundle, RejectedError
from mmsat.proof.explanation_certificate import (
    ALL,
    NONE,
    Certificate,
    Clauses,
    CorrectionMap,
    MalformedError,
    RefutedRows,
    conflict_map,
    may_list_scores,
    read_certificate,
)
from mmsat.proof.lemmas import LemmaChecks, TimeLimitReachedError
from mmsat.proof.verify import Verification, Watch

MAX_COUNTER_VARIABLES = 1_000_000
"""Maximum product of the number of rows and the number of changed scores per correction."""


def check_explanation(
    board: Board, bundle: Bundle, found: Verification, watch: Watch
) -> Verification:
    """Check the conflicts and the corrections, and complete the result."""
    lemmas = LemmaChecks(watch, sum(map(len, bundle.sections.values())))
    try:
        reason = check_certificate(board, bundle, lemmas)
    except TimeLimitReachedError as error:
        return replace(found, holds=None, reason=f"undecided: {error}", lemmas=lemmas.lemmas)
    return replace(found, holds=True, reason=reason, lemmas=lemmas.lemmas)


def check_certificate(board: Board, bundle: Bundle, lemmas: LemmaChecks) -> str:
    """Check a certificate, and return a description of its claims."""
    try:
        certificate = read_certificate(board, bundle.fields, bundle.sections)
    except MalformedError as error:
        raise RejectedError(str(error)) from None
    if certificate.sections(board) != bundle.sections:
        raise RejectedError("a section is not in its canonical form")
    check_codes(board, certificate, lemmas)
    check_refutations(board, certificate, lemmas)
    if certificate.has_all_conflicts:
        formula = conflict_map(board, certificate)
        lemmas.check(formula, certificate.conflict_map, "conflict-map")
    elif certificate.conflict_map:
        raise RejectedError("[conflict-map] has lemmas, but not all conflicts are claimed")
    if certificate.scope != NONE:
        formula = correction_map(board, certificate).formula
        lemmas.check(formula, certificate.correction_map, "correction-map")
    elif certificate.correction_map:
        raise RejectedError("[correction-map] has lemmas, but nothing is claimed about corrections")
    return describe(certificate)


def check_codes(board: Board, certificate: Certificate, lemmas: LemmaChecks) -> None:
    """Check that the codes show the conflicts to be minimal and the corrections to suffice."""
    missed = []
    for number, code in enumerate(certificate.codes, 1):
        lemmas.require_time("codes", number)
        if not board.game.contains(code) or code in board.known:
            reason = "not a possible code of the game"
            raise RejectedError(f"line {number} of [codes]: {reason}")
        missed.append(frozenset(board.missed(code)))
    if not certificate.conflicts:
        raise RejectedError("the section [conflicts] lists no conflict")
    for number, rows in enumerate(certificate.conflicts, 1):
        lemmas.require_time("conflicts", number)
        overlaps = [violated.intersection(rows) for violated in missed]
        alone = {row for overlap in overlaps if len(overlap) == 1 for row in overlap}
        needless = [row + 1 for row in rows if row not in alone]
        if needless:
            raise RejectedError(
                f"line {number} of [conflicts]: no listed code shows that "
                f"{noun_phrase('row', needless)} {'is' if len(needless) == 1 else 'are'} needed"
            )
    sizes = set(map(len, certificate.corrections))
    if len(sizes) > 1:
        raise RejectedError("the corrections have different numbers of changed scores")
    if bool(sizes) != (certificate.scope != NONE):
        claim = f"the head has 'corrections {certificate.scope}'"
        raise RejectedError(f"{claim}, and [corrections] has {quantity(len(sizes), 'line')}")
    if board.known and certificate.corrections:
        raise RejectedError("a board with known codes has no corrections")
    for number, changes in enumerate(certificate.corrections, 1):
        lemmas.require_time("corrections", number)
        corrected = board.changed(dict(changes))
        changed_rows = {row for row, _ in changes}
        if not any(
            rows_missed == changed_rows and corrected.is_consistent(code)
            for code, rows_missed in zip(certificate.codes, missed, strict=True)
        ):
            reason = "no listed code gets the scores of the corrected board"
            raise RejectedError(f"line {number} of [corrections]: {reason}")


def check_refutations(board: Board, certificate: Certificate, lemmas: LemmaChecks) -> None:
    """Check each refutation, and that every conflict is refuted."""
    line = 1
    for refuted in certificate.refutations:
        check_refutation(board, refuted, lemmas, line)
        line += 2 + refuted.proof.count("\n")
    proved = {refuted.rows for refuted in certificate.refutations if not refuted.changes}
    for number, rows in enumerate(certificate.conflicts, 1):
        if rows not in proved:
            raise RejectedError(f"line {number} of [conflicts]: the rows are not refuted")


def check_refutation(board: Board, refuted: RefutedRows, lemmas: LemmaChecks, line: int) -> None:
    """Check that no code satisfies some rows; the refutation begins at a line of the section."""
    place = f"line {line} of [refutations]"
    changed = board.changed(dict(refuted.changes)) if refuted.changes else board
    if refuted.encoding is None:
        refutation = algebraic_certificate.read_certificate(refuted.proof)
        if refutation is None:
            raise RejectedError(f"{place}: the algebraic certificate has invalid lines")
        if not set(refutation.rows) <= set(refuted.rows):
            raise RejectedError(f"{place}: the algebraic certificate uses other rows")
        wrong = algebraic_certificate.flaw(changed, refutation)
        if wrong is not None:
            raise RejectedError(f"{place}: the algebraic certificate is invalid: {wrong}")
        return
    if refuted.encoding not in ENCODINGS.built_in:
        raise RejectedError(f"{place}: unknown encoding {refuted.encoding[:40]!r}")
    try:
        formula = clause_formula(changed.only(refuted.rows), refuted.encoding)
    except MmsatError as error:
        raise RejectedError(f"{place}: the encoding does not support the board: {error}") from None
    clauses = Clauses(formula.variables, formula.clauses)
    lemmas.check(clauses, refuted.proof, "refutations", line + 2)


def correction_map(board: Board, certificate: Certificate) -> CorrectionMap:
    """Return the formula that refutes cheaper corrections, and unlisted ones if all are claimed."""
    is_complete = certificate.scope == ALL
    if is_complete and not may_list_scores(board):
        raise RejectedError("the game has too many scores for 'corrections all'")
    size = len(certificate.corrections[0])
    if len(board.rows) * size > MAX_COUNTER_VARIABLES:
        sizes = f"{quantity(size, 'change')} of {quantity(len(board.rows), 'row')}"
        raise RejectedError(f"a map of {sizes} is too large")
    formula = CorrectionMap(board, size if is_complete else size - 1, has_scores=is_complete)
    for refuted in certificate.refutations:
        formula.exclude(refuted.rows, refuted.changes)
    if is_complete:
        for changes in certificate.corrections:
            formula.exclude([row for row, _ in changes], changes)
    return formula


def describe(certificate: Certificate) -> str:
    """Return a description of the claims of a certificate."""
    conflicts = len(certificate.conflicts)
    if not certificate.has_all_conflicts:
        subject = "each listed conflict is minimal"
        text = f"{subject} ({quantity(conflicts, 'conflict')}, perhaps not all)"
    elif conflicts == 1:
        text = "it has exactly 1 minimal conflict"
    else:
        text = f"it has exactly {conflicts} minimal conflicts"
    if not certificate.corrections:
        return text
    size = quantity(len(certificate.corrections[0]), "changed score")
    if certificate.scope == ALL:
        number = quantity(len(certificate.corrections), "correction")
        return f"{text}, exactly {number} with {size}, and none with fewer"
    corrections = len(certificate.corrections)
    shown = (
        "the listed correction has"
        if corrections == 1
        else f"the {corrections} listed corrections have"
    )
    return f"{text}; {shown} {size}, and no correction has fewer"
