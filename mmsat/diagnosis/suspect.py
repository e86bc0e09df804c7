"""Hypotheses about suspect rows: scores of these rows that would make a board consistent.

All other rows are assumed to be right. Each code that satisfies them determines the scores of the
suspects. Codes with the same scores form a hypothesis, so no code belongs to two hypotheses, and
the counts are exact. A hypothesis may change one suspect, several, or, on a consistent board, none.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from mmsat.arguments import attempt, check_arguments, whole_number
from mmsat.board import Board
from mmsat.diagnosis.corrections import counted_correction, listed_correction, repairs
from mmsat.diagnosis.discriminating_guess import best_guess
from mmsat.diagnosis.nearest import codes_by_repair
from mmsat.errors import Fault, InputError
from mmsat.results.suspicion import DiscriminatingGuess, Suspicion
from mmsat.results.verdict import Correction
from mmsat.solving.deadline import Deadline
from mmsat.solving.executor import gather

Progress = Callable[[Suspicion], None]

DEFAULT_LIMIT = 100
"""Default maximum number of hypotheses."""


@check_arguments
def suspect(
    board: Board | str,
    rows: Sequence[int],
    *,
    timeout: float | None = None,
    limit: int = DEFAULT_LIMIT,
    seed: int | None = None,
    on_progress: Progress | None = None,
) -> Suspicion:
    """Find the possible scores of suspect rows, and the guess that best tells these cases apart.

    Parameters
    ----------
    board : Board or str
        The game and its scored rows, or text that `Board.parse` reads, such as "4x6/1122=1.1".
    rows : sequence of int
        The suspect rows, from 0. All other rows are assumed to be right.
    timeout : float, optional
        Time limit in seconds. When it passes, the hypotheses found so far are returned. By default,
        there is no limit.
    limit : int, default 100
        Maximum number of hypotheses.
    seed : int, optional
        Seed of the sample of codes, if the hypotheses have too many codes to use all of them.
    on_progress : callable, optional
        Called with the suspicion so far.

    Returns
    -------
    Suspicion
        The hypotheses, the most plausible first, and the discriminating guess.

    Raises
    ------
    InputError
        If the board does not have one of the rows, or has known codes, or if another argument is
        invalid.

    Examples
    --------
    >>> suspicion = mmsat.suspect("4x6/1122=1.1/1122=0.2", [1])
    >>> [change.after for change in suspicion.hypotheses[0].changes]
    [(1, 1)]
    """
    board = Board.of(board).without_known("suspicion")
    deadline = Deadline(timeout)
    suspects = check_suspects(board, rows)
    suspicion = gather(
        deadline,
        Suspicion.unknown(board, suspects),
        lambda suspicion, news: replace(update(suspicion, news), seconds=deadline.elapsed),
        on_progress,
        find_hypotheses,
        board,
        suspects,
        limit,
        seed or 0,
    )
    return replace(suspicion, seconds=deadline.elapsed)


def update(suspicion: Suspicion, news: object) -> Suspicion:
    """Return the suspicion with new findings: hypotheses, their completeness, or the guess."""
    if isinstance(news, DiscriminatingGuess):
        return replace(suspicion, telling=news)
    if isinstance(news, bool):
        return replace(suspicion, all_hypotheses=news)
    new_hypotheses = tuple(news) if isinstance(news, list) else (news,)
    hypotheses = sorted((*suspicion.hypotheses, *new_hypotheses), key=Correction.sort_key)
    return replace(suspicion, hypotheses=tuple(hypotheses))


def check_suspects(board: Board, rows: Sequence[int], first: int = 0) -> tuple[int, ...]:
    """Return the suspects in ascending order, or raise InputError for rows outside of the board.

    Error messages count rows from `first`, like the caller: from 0 in Python, otherwise from 1.
    """
    row_count = len(board.rows)
    numbers = [attempt(whole_number, row) for row in rows]
    faults = [
        Fault(
            "" if row_count else "the board has no rows",
            row if number is None else number + first,
            f"a row from {first} to {row_count - 1 + first}" if row_count else "no row",
        )
        for row, number in zip(rows, numbers, strict=True)
        if number is None or not 0 <= number < row_count
    ]
    if not rows:
        faults.append(Fault("", None, "at least one row number"))
    InputError.refuse(faults, "the suspects")
    return tuple(sorted({number for number in numbers if number is not None}))


def find_hypotheses(
    board: Board, suspects: tuple[int, ...], limit: int, seed: int
) -> Iterator[list[Correction] | Correction | DiscriminatingGuess | bool]:
    """Yield hypotheses, whether these are all, and the guess that discriminates between them."""
    hypotheses: list[Correction] = []
    codes_by_scores = codes_by_repair(board, suspects)
    if codes_by_scores is None:
        listed_codes = None
        repair_stream = repairs(board, frozenset(suspects))
        for repair in islice(repair_stream, limit):
            hypotheses.append(counted_correction(board, repair))
            yield hypotheses[-1]
        yield next(repair_stream, None) is None
        hypotheses.sort(key=Correction.sort_key)
    else:
        pairs = [(listed_correction(board, *item), item[1]) for item in codes_by_scores.items()]
        pairs.sort(key=lambda pair: pair[0].sort_key())
        hypotheses = [hypothesis for hypothesis, _ in pairs[:limit]]
        listed_codes = [codes for _, codes in pairs[:limit]]
        yield hypotheses
        yield len(pairs) <= limit
    guess = best_guess(board, suspects, hypotheses, listed_codes, seed)
    if guess is not None:
        yield guess
