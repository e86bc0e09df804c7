"""Secrets outside a word list: other letters that get the scores of an inconsistent board.

If no word of the list gets the scores, either a score is wrong, or the secret is a word that the
list lacks. The latter is possible if some sequence of the game's letters gets the scores.
"""

from dataclasses import replace

from mmsat.board import Board
from mmsat.diagnosis.findings import decide
from mmsat.errors import RECOVERABLE_ERRORS
from mmsat.game.row import UNREAD, Code
from mmsat.game.space import SPACES
from mmsat.results.verdict import Status
from mmsat.solving.brute import Brute
from mmsat.solving.deadline import Deadline, TimeUpError
from mmsat.solving.executor import is_large
from mmsat.tolerance import STRICT, Tolerance

BRUTE_SLICES = 128
"""Maximum number of slices of brute force before other engines run: about half a second."""


def find_unlisted(
    board: Board,
    tolerance: Tolerance = STRICT,
    deadline: Deadline | None = None,
    *,
    is_brief: bool = False,
) -> Code | None:
    """Return a code outside the word list of an inconsistent board that gets the scores.

    The guesses of the board are tried first, because the last one may have been the secret. Returns
    None if there is no such code, if the deadline passes, and for boards with known codes or
    without a word list. If pegs of guesses were not read, only the other guesses are tried. With
    `is_brief`, only brute force is used.
    """
    deadline = deadline or Deadline()
    if board.game.space.table() is None or board.known:
        return None
    for guess, _ in board.rows:
        is_fully_read = UNREAD not in guess
        if is_fully_read and tolerance.price(tolerance.misses(board, guess)) <= tolerance.lies:
            return guess
    if board.has_unread_pegs:
        return None
    any_letters = Board(replace(board.game, space=SPACES["repeats"], name=""), board.rows)
    try:
        decision = None
        if not is_large(any_letters):
            decision = Brute().try_decide(any_letters, deadline, tolerance, BRUTE_SLICES)
        if decision is None and not is_brief:
            decision = decide(any_letters, tolerance, "auto", deadline, None)
    except (TimeUpError, *RECOVERABLE_ERRORS):
        return None
    return decision.code if decision and decision.status is Status.CONSISTENT else None
