"""Check that a list has every code of a board, without any solver.

Each listed code is scored against every row, and the codes are in ascending order. The formula of
the board without these codes is generated again and compared, and the lemmas refute it. So there is
no other code.
"""

from __future__ import annotations

from dataclasses import replace

from mmsat._util.text import quantity
from mmsat.game import Code
from mmsat.game.board import Board
from mmsat.game.notation.board_reader import speller
from mmsat.limits import LIMITS
from mmsat.proof.bundle import Bundle, RejectedError, read_code
from mmsat.proof.verify import Verification, Watch, check_refutation

CODES_PER_REPORT = 1 << 8
"""Codes that are scored between two looks at the clock."""


def check_codes(board: Board, bundle: Bundle, found: Verification, watch: Watch) -> Verification:
    """Check that the listed codes get every score, and that there is no other code."""
    lines = bundle.sections["codes"].split("\n")[:-1]
    if bundle.fields["count"] != str(len(lines)):
        stated = bundle.fields["count"][:40]
        raise RejectedError(f"[codes] has {quantity(len(lines), 'code')}, not {stated!r}")
    if len(lines) > LIMITS.proof_codes:
        raise RejectedError(f"[codes] has more than {LIMITS.proof_codes:,} codes")
    codes: list[Code] = []
    spell = speller(board.game)
    for number, line in enumerate(lines, 1):
        code = read_code(spell, line)
        fault = find_fault(board, code, codes)
        if code is None or fault is not None:
            raise RejectedError(f"line {number} of [codes]: {line[:40]!r} {fault}")
        codes.append(code)
        if number % CODES_PER_REPORT == 0 and watch.is_over:
            reason = f"undecided: time limit reached at line {number} of [codes]"
            return replace(found, holds=None, reason=reason)
    excluded = replace(board, known=(*board.known, *codes))
    checked = check_refutation(excluded, bundle, found, watch)
    if not checked.holds:
        return checked
    return replace(checked, reason=describe(len(codes), checked.lemmas), count=len(codes))


def find_fault(board: Board, code: Code | None, codes: list[Code]) -> str | None:
    """Return why a code is not the next code of a list, or None."""
    if code is None or not board.game.contains(code):
        return f"is not a code of {board.game}"
    if missed := board.missed(code):
        return f"does not get the score of row {missed[0] + 1}"
    if code in board.known:
        return "is a known code"
    if codes and code <= codes[-1]:
        return "is not in ascending order"
    return None


def describe(num_codes: int, num_lemmas: int) -> str:
    """Return a description of the check."""
    lemmas = f"{quantity(num_lemmas, 'lemma')} {'shows' if num_lemmas == 1 else 'show'}"
    if not num_codes:
        return f"{lemmas} that there is none"
    subject = "it" if num_codes == 1 else "each of them"
    return f"{subject} gets every score, and {lemmas} that there is no other"
