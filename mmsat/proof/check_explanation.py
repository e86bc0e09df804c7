"""Certificates of explanations, and their check against a board, which uses no solver.

A certificate is about minimal conflicts, and about corrections with the fewest changed scores.

The head of the file has `conflicts` and `corrections`, each `all` or `some`; `corrections` is
`none` if the file states nothing about corrections. The sections are

    conflicts       one set of rows per line, such as `1 3 4`, or `none` for the empty set
    corrections     one correction per line: the changed rows with their right scores, such as
                    `3=1.1 5=0.2`; every line has the same number of rows
    codes           one code per line
    refutations     rows that no code satisfies together: a line such as `rows 1 3=1.1 4`, in which
                    a score replaces that of the board, and the proof. This is the line `algebra`
                    and an algebraic certificate, or `lrat` with the name of an encoding and the
                    lemmas that refute the formula that `mmsat encode` writes for these rows
    conflict-map    lemmas, only for `conflicts all`
    correction-map  lemmas, except for `corrections none`

The rows of each conflict must be refuted, and for each of its rows, a listed code must get the
scores of all others. For each correction, a listed code must get all scores of the corrected board.

Two small formulas, the maps, prove that nothing is missing. Variable r of both is row r, from 1.

- A model of the conflict map is a set of rows that contains no listed conflict, and that no listed
  code satisfies. So each conflict gives the clause that one of its rows is not in the set, and each
  code the clause that one of the rows that it violates is in the set. If there is no model, every
  set without a listed conflict is satisfied by a listed code, and no minimal conflict is missing.
- A model of the correction map is a choice of one possible score for each row. Variable r is true
  if the score of row r is that of the board. For `corrections all`, each other score of a row has a
  variable, and each row gives the clause that it has one of its scores. Each refutation gives the
  clause that at least one of its rows does not have the score that is refuted. For `all`, each
  listed correction gives such a clause as well, so that it is not a model. A sequential counter
  limits the number of changed scores. For `all`, as many are allowed as a listed correction has,
  and for `some`, one fewer. If there is no model, no correction has fewer changes than the listed
  ones, and for `all` none is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise, product
from warnings import catch_warnings

from mmsat._util.text import noun_phrase, quantity
from mmsat.encoding import ENCODINGS
from mmsat.encoding.writers import clause_formula
from mmsat.errors import Fault, InputError, MmsatError, Place
from mmsat.game import Code, Score, hide
from mmsat.game.board import Board
from mmsat.game.notation.board_reader import speller
from mmsat.proof import TimeLimitReachedError, Verification, Watch
from mmsat.proof.bundle import (
    Bundle,
    Clauses,
    LemmaChecks,
    RejectedError,
    read_code,
)
from mmsat.proof.check_algebra import read_refutation, refutation_flaw

ALL, SOME, NONE = "all", "some", "none"
"""The values of the fields in the head; `none` also stands for the empty set of rows."""
MAX_SCORES = 4096
"""Maximum number of scores of a row for which a certificate can state that all corrections are
listed."""

Changes = tuple[tuple[int, Score], ...]
"""Rows, from 0 and ascending, and their changed scores."""


@dataclass(frozen=True, slots=True)
class RefutedRows:
    """Rows that no code satisfies together, and the text of the proof."""

    rows: tuple[int, ...]
    """The rows, from 0 and ascending."""
    changes: Changes
    """The rows whose score differs from that of the board, with this score."""
    encoding: str | None
    """The encoding of the refuted formula; None if the proof is an algebraic certificate."""
    proof: str


@dataclass(frozen=True, slots=True)
class Certificate:
    """The content of a certificate of an explanation, which is not yet checked."""

    has_all_conflicts: bool
    correction_claim: str
    """all, some or none: the claim about corrections."""
    conflicts: tuple[tuple[int, ...], ...] = ()
    corrections: tuple[Changes, ...] = ()
    codes: tuple[Code, ...] = ()
    refutations: tuple[RefutedRows, ...] = ()
    conflict_map: str = ""
    correction_map: str = ""

    def fields(self) -> dict[str, str]:
        """Return the fields of the head."""
        return {
            "conflicts": ALL if self.has_all_conflicts else SOME,
            "corrections": self.correction_claim,
        }

    def sections(self, board: Board) -> dict[str, str]:
        """Return the sections of the file, given the board."""
        spell = speller(board.game)
        return {
            "conflicts": "".join(f"{_print_rows(board, rows)}\n" for rows in self.conflicts),
            "corrections": "".join(
                f"{_print_rows(board, [row for row, _ in changes], changes)}\n"
                for changes in self.corrections
            ),
            "codes": "".join(f"{spell.print_code(code)}\n" for code in self.codes),
            "refutations": "".join(
                f"rows {_print_rows(board, refuted.rows, refuted.changes)}\n"
                + ("algebra" if refuted.encoding is None else f"lrat {refuted.encoding}")
                + f"\n{refuted.proof}"
                for refuted in self.refutations
            ),
            "conflict-map": self.conflict_map,
            "correction-map": self.correction_map,
        }


def _print_rows(board: Board, rows: Iterable[int], changes: Changes = ()) -> str:
    """Return rows as text, numbered from 1; a changed row has its score, such as `1 3=1.1`."""
    scores = dict(changes)
    spell = speller(board.game)
    return (
        " ".join(
            f"{row + 1}={spell.print_score(scores[row])}" if row in scores else str(row + 1)
            for row in rows
        )
        or NONE
    )


def read_certificate(board: Board, fields: dict[str, str], sections: dict[str, str]) -> Certificate:
    """Return the certificate with these fields and sections.

    Raises RejectedError if the head or a section is malformed; the message names the place.
    """
    if fields["conflicts"] not in (ALL, SOME):
        raise RejectedError(f"expected conflicts all or some, found {fields['conflicts'][:40]!r}")
    if fields["corrections"] not in (ALL, SOME, NONE):
        corrections = fields["corrections"][:40]
        raise RejectedError(f"expected corrections all, some or none, found {corrections!r}")
    reader = _Reader(board)
    return Certificate(
        has_all_conflicts=fields["conflicts"] == ALL,
        correction_claim=fields["corrections"],
        conflicts=tuple(
            reader.rows(line, place, may_change=False)[0]
            for place, line in _lines(sections, "conflicts")
        ),
        corrections=tuple(
            reader.correction(line, place) for place, line in _lines(sections, "corrections")
        ),
        codes=tuple(reader.code(line, place) for place, line in _lines(sections, "codes")),
        refutations=tuple(reader.refutations(sections["refutations"])),
        conflict_map=sections["conflict-map"],
        correction_map=sections["correction-map"],
    )


def _lines(sections: dict[str, str], name: str) -> Iterator[tuple[str, str]]:
    """Yield the place and the text of each line of a section."""
    for number, line in enumerate(sections[name].split("\n")[:-1], 1):
        yield f"line {number} of [{name}]", line


class _Reader:
    """Reads the lines of a certificate; each line must be in its canonical form."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.spell = speller(board.game)

    def code(self, text: str, place: str) -> Code:
        """Return a code of the game."""
        code = read_code(self.spell, text)
        if code is None:
            raise RejectedError(f"{place}: {text[:40]!r} is not a code of {self.board.game}")
        return code

    def rows(
        self, text: str, place: str, *, may_change: bool = True
    ) -> tuple[tuple[int, ...], Changes]:
        """Return the rows and the changed scores of a line."""
        if text == NONE:
            return (), ()
        rows: list[int] = []
        changes: list[tuple[int, Score]] = []
        for word in text.split(" "):
            number, equals_sign, score_text = word.partition("=")
            if not (number.isdecimal() and number.isascii() and len(number) < 10):
                raise RejectedError(f"{place}: expected a row number, found {word[:40]!r}")
            row = int(number) - 1
            if not 0 <= row < len(self.board.rows):
                message = f"expected a row from 1 to {len(self.board.rows)}, found {number}"
                raise RejectedError(f"{place}: {message}")
            rows.append(row)
            if equals_sign:
                changes.append((row, self._score(row, score_text, place)))
        if rows != sorted(set(rows)):
            raise RejectedError(f"{place}: expected ascending rows, found {text[:40]!r}")
        if (changes and not may_change) or _print_rows(self.board, rows, tuple(changes)) != text:
            raise RejectedError(f"{place}: {text[:40]!r} is not in its canonical form")
        return tuple(rows), tuple(changes)

    def correction(self, text: str, place: str) -> Changes:
        """Return a correction, which has a score for every row."""
        rows, changes = self.rows(text, place)
        if len(changes) < len(rows) or not changes:
            raise RejectedError(f"{place}: expected rows, each with a score, found {text[:40]!r}")
        return changes

    def refutations(self, text: str) -> Iterator[RefutedRows]:
        """Yield the refuted rows of the section, each with its proof."""
        lines = text.split("\n")[:-1]
        starts = [index for index, line in enumerate(lines) if line.startswith("rows ")]
        if lines and starts[:1] != [0]:
            raise RejectedError("line 1 of [refutations]: expected 'rows' and row numbers")
        for start, end in pairwise([*starts, len(lines)]):
            place = f"line {start + 1} of [refutations]"
            rows, changes = self.rows(lines[start].removeprefix("rows "), place)
            method, _, encoding = (lines[start + 1] if start + 1 < end else "").partition(" ")
            if (method == "lrat") != bool(encoding) or method not in ("lrat", "algebra"):
                expected = "expected 'algebra' or 'lrat' and an encoding"
                raise RejectedError(f"line {start + 2} of [refutations]: {expected}")
            proof = "".join(f"{line}\n" for line in lines[start + 2 : end])
            yield RefutedRows(rows, changes, encoding or None, proof)

    def _score(self, row: int, text: str, place: str) -> Score:
        """Return a score that differs from that of the row and has the same unread parts."""
        stated = self.board.rows[row].score
        score = self._read_score(text)
        if score is None or score == stated or hide(score, stated) != score:
            raise RejectedError(f"{place}: {text[:40]!r} is not another score of row {row + 1}")
        return score

    def _read_score(self, text: str) -> Score | None:
        """Return the score that a text represents, or None if it has faults."""
        faults: list[Fault] = []
        # Warnings about unusual scores are ignored, because the caller refuses unexpected scores.
        with suppress(InputError), catch_warnings(action="ignore"):
            score = self.spell.read_score(text, Place(1, 1), faults)
            return None if faults else score
        return None


def conflict_map(board: Board, certificate: Certificate) -> Clauses:
    """Return the formula whose models are the sets of rows that the lists do not decide.

    These sets contain no listed conflict, and no listed code satisfies them.
    """
    clauses = [[-row - 1 for row in rows] for rows in certificate.conflicts]
    clauses += [[row + 1 for row in board.missed(code)] for code in certificate.codes]
    return Clauses(len(board.rows), clauses)


class CorrectionMap:
    """The formula whose models are the choices of scores that no refutation excludes.

    A choice has one score for each row.
    """

    def __init__(self, board: Board, max_changes: int, *, has_scores: bool) -> None:
        """Set up the formula without refutations and corrections.

        With `has_scores`, each other score of a row has a variable.
        """
        row_count = len(board.rows)
        self.variables = row_count
        self.clauses: list[list[int]] = []
        self.score_variables: list[dict[Score, int]] = [{} for _ in board.rows]
        """For each row, the variable of each other score."""
        if has_scores:
            for row, (_, stated) in enumerate(board.rows):
                for score in list_scores(board, stated):
                    if score != stated:
                        self.variables += 1
                        self.score_variables[row][score] = self.variables
                self.clauses.append([row + 1, *self.score_variables[row].values()])
        self._limit(row_count, max_changes)

    def _limit(self, row_count: int, max_changes: int) -> None:
        """Add a sequential counter: at most `max_changes` of the variables of rows are false.

        Variable `counts[j]` is true if more than j of the rows so far are changed.
        """
        counts: list[int] = []
        for row in range(1, row_count + 1):
            previous = counts
            counts = []
            for index in range(min(row, max_changes + 1)):
                self.variables += 1
                counts.append(self.variables)
                if index < len(previous):
                    self.clauses.append([-previous[index], self.variables])
                if index == 0:
                    self.clauses.append([row, self.variables])
                else:
                    self.clauses.append([row, -previous[index - 1], self.variables])
            if len(counts) > max_changes:
                self.clauses.append([-counts[max_changes]])

    def exclude(self, rows: Sequence[int], changes: Changes) -> None:
        """Add the clause that at least one of `rows` has another score than the excluded one.

        The excluded score is that in `changes` or, for a row without a change, that of the board.
        If a changed score has no variable, no clause is added, which only weakens the formula.
        """
        scores = dict(changes)
        if not all(score in self.score_variables[row] for row, score in changes):
            return
        self.clauses.append(
            [-self.score_variables[row][scores[row]] if row in scores else -row - 1 for row in rows]
        )

    @property
    def formula(self) -> Clauses:
        """The formula."""
        return Clauses(self.variables, self.clauses)


def list_scores(board: Board, stated: Score) -> list[Score]:
    """Return all possible scores, sorted, without the parts that are unread in the stated score."""
    game = board.game
    values = range(game.part_values)
    scores = {
        hide(score, stated)
        for score in product(values, repeat=len(game.parts))
        if game.scoring.flaw(game.pegs, score) is None
    }
    return sorted(scores, key=lambda score: [part or 0 for part in score])


def may_list_scores(board: Board) -> bool:
    """Return whether the game has few enough scores for a claim about all corrections."""
    return bool(board.game.part_values ** len(board.game.parts) <= MAX_SCORES)


MAX_COUNTER_VARIABLES = 1_000_000
"""Maximum number of variables of the sequential counter in the correction map: the number of rows,
times the number of changed scores per correction. It limits the memory."""


def check_explanation(
    board: Board, bundle: Bundle, verification: Verification, watch: Watch
) -> Verification:
    """Check the conflicts and the corrections, and complete the result."""
    proof_sections = ("refutations", "conflict-map", "correction-map")
    lemmas = LemmaChecks(watch, sum(len(bundle.sections[name]) for name in proof_sections))
    try:
        reason = check_certificate(board, bundle, lemmas)
    except TimeLimitReachedError as error:
        return lemmas.undecided(verification, error)
    return replace(verification, holds=True, reason=reason, lemmas=lemmas.num_lemmas)


def check_certificate(board: Board, bundle: Bundle, lemmas: LemmaChecks) -> str:
    """Check a certificate, and return a description of its claims."""
    certificate = read_certificate(board, bundle.fields, bundle.sections)
    if certificate.sections(board) != bundle.sections:
        raise RejectedError("a section is not in its canonical form")
    check_codes(board, certificate, lemmas)
    check_refutations(board, certificate, lemmas)
    if certificate.has_all_conflicts:
        formula = conflict_map(board, certificate)
        lemmas.check(formula, certificate.conflict_map, "conflict-map")
    elif certificate.conflict_map:
        raise RejectedError("[conflict-map] has lemmas, but not all conflicts are claimed")
    if certificate.correction_claim != NONE:
        formula = correction_map(board, certificate).formula
        lemmas.check(formula, certificate.correction_map, "correction-map")
    elif certificate.correction_map:
        raise RejectedError("[correction-map] has lemmas, but nothing is claimed about corrections")
    return describe(certificate)


def check_codes(board: Board, certificate: Certificate, lemmas: LemmaChecks) -> None:
    """Check that the codes show the conflicts to be minimal and the corrections to suffice."""
    missed = []  # for each code, the rows that it violates
    for number, code in enumerate(certificate.codes, 1):
        lemmas.require_time("codes", number)
        if not board.game.contains(code):
            reason = "not a possible code of the game"
            raise RejectedError(f"line {number} of [codes]: {reason}")
        if code in board.known:  # known codes are excluded
            raise RejectedError(f"line {number} of [codes]: one of the known codes")
        missed.append(frozenset(board.missed(code)))
    if not certificate.conflicts:
        raise RejectedError("the section [conflicts] lists no conflict")
    for number, rows in enumerate(certificate.conflicts, 1):
        lemmas.require_time("conflicts", number)
        overlaps = [violated.intersection(rows) for violated in missed]
        # A row is needed if some listed code violates it, but no other row of the conflict.
        needed = {row for overlap in overlaps if len(overlap) == 1 for row in overlap}
        not_shown = [row + 1 for row in rows if row not in needed]
        if not_shown:
            raise RejectedError(
                f"line {number} of [conflicts]: no listed code shows that "
                f"{noun_phrase('row', not_shown)} {'is' if len(not_shown) == 1 else 'are'} needed"
            )
    sizes = set(map(len, certificate.corrections))
    if len(sizes) > 1:
        raise RejectedError("the corrections have different numbers of changed scores")
    if bool(sizes) != (certificate.correction_claim != NONE):
        claim = f"the head has 'corrections {certificate.correction_claim}'"
        lines = quantity(len(certificate.corrections), "line")
        raise RejectedError(f"{claim}, and [corrections] has {lines}")
    if board.known and certificate.corrections:
        raise RejectedError("a board with known codes has no corrections")
    for number, changes in enumerate(certificate.corrections, 1):
        lemmas.require_time("corrections", number)
        # Some listed code must violate exactly the changed rows, and get their changed scores.
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
    """Check that no code satisfies some rows; their refutation begins at `line` of the section."""
    place = f"line {line} of [refutations]"
    lemmas.require_time("refutations", line)
    changed = board.changed(dict(refuted.changes)) if refuted.changes else board
    if refuted.encoding is None:
        refutation = read_refutation(refuted.proof)
        if refutation is None:
            raise RejectedError(f"{place}: the algebraic certificate has invalid lines")
        if not set(refutation.rows) <= set(refuted.rows):
            raise RejectedError(f"{place}: the algebraic certificate uses other rows")
        flaw = refutation_flaw(changed, refutation)
        if flaw is not None:
            raise RejectedError(f"{place}: the algebraic certificate is invalid: {flaw}")
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
    """Return the formula whose models would be corrections that contradict the claim.

    These are corrections with fewer changes and, if all are claimed, also unlisted ones.
    """
    is_complete = certificate.correction_claim == ALL
    if is_complete and not may_list_scores(board):
        raise RejectedError("the game has too many scores for 'corrections all'")
    size = len(certificate.corrections[0])
    if len(board.rows) * size > MAX_COUNTER_VARIABLES:
        sizes = f"{quantity(size, 'change')} of {quantity(len(board.rows), 'row')}"
        raise RejectedError(f"a map of {sizes} is too large")
    formula = CorrectionMap(board, size if is_complete else size - 1, has_scores=is_complete)
    for refuted in certificate.refutations:
        formula.exclude(refuted.rows, refuted.changes)
    # A model with as many changes as a listed correction would be a missing one.
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
    if certificate.correction_claim == ALL:
        number = quantity(len(certificate.corrections), "correction")
        return f"{text}, exactly {number} with {size}, and none with fewer"
    corrections = len(certificate.corrections)
    subject = (
        "the listed correction has"
        if corrections == 1
        else f"the {corrections} listed corrections have"
    )
    return f"{text}; {subject} {size}, and no correction has fewer"
