"""Prove that a list has every code of a board, by a text that can be checked without any solver."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mmsat._util.arguments import check_arguments
from mmsat.counting.listing import list_codes
from mmsat.errors import SizeError
from mmsat.game import Code
from mmsat.game.board import Board, Status
from mmsat.game.notation.board_reader import speller
from mmsat.limits import LIMITS
from mmsat.proof.attempts import Progress, run_prover
from mmsat.proof.bundle import Bundle, board_text, read_board
from mmsat.proof.prove import Proof, refute_by_sat, verify_own
from mmsat.solving.deadline import Deadline


@check_arguments
def prove_codes(
    board: Board | str, *, timeout: float | None = None, on_progress: Progress | None = None
) -> Proof | None:
    """Prove that a board has exactly the codes that `codes` lists.

    Parameters
    ----------
    board : Board or str
        The game and its scored rows, or text that `Board.parse` reads, such as "4x6/1122=1.1".
    timeout : float, optional
        Time limit in seconds. By default, there is none.
    on_progress : callable, optional
        Called with a text that describes the current step.

    Returns
    -------
    Proof or None
        The proof, which `verify` has already accepted; None if the time is up.

    Raises
    ------
    InputError
        If the board or another argument is invalid.
    SizeError
        If the board has more than 100,000 codes, or if the proof gets too long.

    Notes
    -----
    The proof has the codes, which are scored again, and a refutation in the LRAT format of the
    board without these codes. If there is one code, it proves that a puzzle has a unique solution.
    The codes of a board with known codes are the other ones.

    Examples
    --------
    >>> proof = mmsat.prove_codes("4x6/1122=1.1/3345=0.2")
    >>> proof.count, mmsat.verify(proof).count
    (36, 36)
    """
    proof: Proof | None = run_prover(Deadline(timeout), on_progress, make_proof, Board.of(board))
    return proof


def make_proof(board: Board) -> Iterator[str | Proof]:
    """Yield progress messages, and finally the proof."""
    text = board_text(board)
    board = read_board(text)  # games from files lose only the name of the file
    yield "listing the codes"
    codes = [*limit_codes(list_codes(board, Deadline(None)))]
    excluded = exclude(board, codes)
    for item in refute_by_sat(excluded, [tuple(range(len(board.rows)))], None):
        if isinstance(item, str):
            yield item
        else:
            _, fields, sections = item
    spell = speller(board.game)
    listed = "".join(f"{spell.print_code(code)}\n" for code in codes)
    bundle = Bundle(
        text,
        "listed",
        "list",
        {"count": str(len(codes)), "encoding": fields["encoding"]},
        {"codes": listed, **sections},
    )
    yield "checking the proof"
    status = Status.CONSISTENT if codes else Status.INCONSISTENT
    yield verify_own(board, status, (), bundle, len(codes))


def limit_codes(codes: Iterator[Code]) -> Iterator[Code]:
    """Yield codes; raises SizeError as soon as there are too many for a proof."""
    for index, code in enumerate(codes):
        if index == LIMITS.proof_codes:
            raise SizeError(f"a proof of a list has up to {index:,} codes, and there are more")
        yield code


def exclude(board: Board, codes: list[Code]) -> Board:
    """Return the board without some of its codes."""
    return replace(board, known=(*board.known, *codes))
