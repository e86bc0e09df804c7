"""Check a proof against its board without any solver, by the checker of its method.

`find_checker` maps each method to its checker. bundle.py has the format of proof files and the
check of a formula and its lemmas, which several methods share. No proof shows that the formula
represents the board. The tests check this by counting all models of all tiny boards.
"""

from collections.abc import Callable
from dataclasses import replace
from time import monotonic

from mmsat._util.arguments import check_arguments
from mmsat.errors import InputError, InternalError
from mmsat.game.board import Board
from mmsat.game.notation.board_reader import speller
from mmsat.proof import Verification, Watch
from mmsat.proof.bundle import (
    KIND,
    METHODS,
    VERIPB,
    VERIPB_START,
    Bundle,
    RejectedError,
    check_refutation,
    read_board,
    read_code,
    read_rows,
)

Checker = Callable[[Board, Bundle, Verification, Watch], Verification]
"""Checks a proof about a board by one method. It returns the completed result, with `holds` None if
the time is up, and raises RejectedError if the proof is not valid."""


@check_arguments
def verify(
    proof: object,
    *,
    board: Board | str | None = None,
    timeout: float | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> Verification:
    """Check a proof without any solver.

    Parameters
    ----------
    proof : str, bytes or Proof
        The content of a proof file, or the result of `prove`.
    board : Board or str, optional
        The board that the proof must be about. By default, it may be about any board. A proof in
        the format of VeriPB does not contain its board, and so needs it.
    timeout : float, optional
        Time limit in seconds. When it passes, `holds` of the result is None. By default, there is
        no limit.
    on_progress : callable, optional
        Called with the checked fraction, from 0 to 1.

    Returns
    -------
    Verification
        Whether the proof holds, with the reason. A damaged proof does not hold.

    Raises
    ------
    InputError
        If the text does not begin as a proof, or if another argument is invalid.

    Notes
    -----
    The formula of the board is generated again and compared line by line. A small kernel checks
    that each lemma follows from the clauses that it names. An algebraic certificate is checked in
    integer arithmetic, and a witness is scored. The time is linear in the length of the proof.

    Examples
    --------
    >>> proof = mmsat.prove("4x6/1122=1.1")
    >>> mmsat.verify(proof).holds, mmsat.verify(proof, board="4x6/1122=0.0").holds
    (True, False)
    """
    board = None if board is None else Board.of(board)
    started = monotonic()
    watch = Watch(None if timeout is None else started + timeout, on_progress)
    result = Verification(holds=False, reason="")
    try:
        text = _decode(proof)
        if text.startswith(VERIPB_START):
            result = replace(result, method=VERIPB, board=board)
            result = _check_veripb(text, result, watch)
            return replace(result, seconds=monotonic() - started)
        bundle = Bundle.read(text, may_be_name=isinstance(proof, str))
        result = replace(result, verdict=bundle.verdict, method=bundle.method)
        proved_board = read_board(bundle.board)
        result = replace(result, board=proved_board)
        checker = _select_checker(bundle, proved_board, board)
        result = checker(proved_board, bundle, result, watch)
    except RejectedError as error:
        result = replace(result, holds=False, reason=str(error))
    return replace(result, seconds=monotonic() - started)


def verify_new(
    text: str, verdict: str, *, board: Board | None = None, timeout: float | None = None
) -> Verification:
    """Check a new proof of a verdict; raises InternalError if it is rejected.

    `holds` of the result is None only if the time limit passed.
    """
    verified = verify(text, board=board, timeout=timeout)
    if verified.holds is None and timeout is not None:
        return verified
    if not verified.holds or verified.verdict != verdict:
        raise InternalError(f"a new proof was rejected: {verified.reason}")
    return verified


def _check_veripb(text: str, verification: Verification, watch: Watch) -> Verification:
    """Check a proof in the format of VeriPB, which does not contain its board."""
    if verification.board is None:
        rule = "a proof in the format of VeriPB does not contain its board"
        raise InputError.of("the proof", "a board given by --board", None, rule)
    from mmsat.proof.check_veripb import check_veripb

    return check_veripb(verification.board, text, verification, watch)


def _select_checker(bundle: Bundle, board: Board, wanted: Board | None) -> Checker:
    """Return the checker of a proof about `board`.

    Raises RejectedError if another board is wanted, or if the method cannot prove the verdict.
    """
    if wanted is not None and board != wanted:
        raise RejectedError(f"the proof is about another board: {board}")
    kind = METHODS[bundle.method]
    if bundle.verdict != kind.verdict:
        raise RejectedError(f"the method {bundle.method} cannot prove {bundle.verdict[:40]!r}")
    return find_checker(bundle.method)


def find_checker(method: str) -> Checker:
    """Return the checker of a kind of proof, a key of `METHODS`; imports only its module."""
    match method:
        case "witness":
            return check_witness
        case "lrat":
            return check_lrat
        case "algebra":
            from mmsat.proof.check_algebra import check_algebra

            return check_algebra
        case "sums":
            from mmsat.proof.check_algebra import check_sums

            return check_sums
        case "count":
            from mmsat.proof.check_codes import check_count

            return check_count
        case "layers":
            from mmsat.proof.layered_count import check_layers

            return check_layers
        case "list":
            from mmsat.proof.check_codes import check_codes

            return check_codes
        case "explanation":
            from mmsat.proof.check_explanation import check_explanation

            return check_explanation
        case "strategy":
            from mmsat.proof.check_strategy import check_strategy

            return check_strategy
        case "value":
            from mmsat.proof.check_value import check_value

            return check_value
    raise InternalError(f"there is no checker of the kind of proof {method!r}")


def _decode(proof: object) -> str:
    """Return the text of a proof; raises RejectedError if it is not valid UTF-8."""
    if not isinstance(proof, bytes | bytearray):
        text = str(proof)
        if not any("\ud800" <= character <= "\udfff" for character in text):
            return text
        # Unpaired surrogates cannot be encoded: as bytes, they are rejected below with their line.
        proof = text.encode("utf-8", "surrogatepass")
    start = proof[:40].decode("utf-8", "replace")
    if not start.startswith((KIND, VERIPB_START)):
        return start  # not a proof: its beginning is enough, because the caller refuses it
    zero = proof.find(b"\0")
    if zero >= 0:
        line = proof.count(b"\n", 0, zero) + 1
        raise RejectedError(f"line {line}: a proof is text, and has no zero byte")
    try:
        return proof.decode("utf-8")
    except UnicodeDecodeError as error:
        line = proof.count(b"\n", 0, error.start) + 1
        wrong_byte = proof[error.start : error.start + 1]
        raise RejectedError(f"line {line}: {wrong_byte!r} is not UTF-8") from None


def check_witness(
    board: Board, bundle: Bundle, verification: Verification, _watch: Watch
) -> Verification:
    """Check that the witness is a code that gets every score."""
    code_text = bundle.fields["witness"]
    code = read_code(speller(board.game), code_text)
    if code is None:
        # The witness is the first field after board, verdict and method, and so on line 5.
        raise RejectedError(f"line 5: {code_text[:40]!r} is not a code of the game {board.game}")
    if not board.game.contains(code):
        raise RejectedError(f"the game {board.game} has no code {code_text}")
    if missed := board.missed(code):
        raise RejectedError(f"the code {code_text} does not get the score of row {missed[0] + 1}")
    if not board.is_consistent(code):
        raise RejectedError(f"the code {code_text} is a known code, and another one is needed")
    return replace(
        verification, holds=True, reason=f"the code {code_text} gets the score of every row"
    )


def check_lrat(
    board: Board, bundle: Bundle, verification: Verification, watch: Watch
) -> Verification:
    """Check that the lemmas refute the formula of the rows."""
    verification = replace(verification, rows=read_rows(board, bundle.fields["rows"]))
    return check_refutation(board.only(verification.rows), bundle, verification, watch)
