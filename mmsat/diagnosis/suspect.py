"""What if: which scores of some suspect rows would make a board consistent.

All other rows are taken to be right. Each code that gets these makes one hypothesis of what the
suspects' scores were, so that the hypotheses share the codes among them, and the counts are exact.
A hypothesis may change a single suspect, several, or none where the board is consistent as it is.
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

LIMIT = 100
"""Hypotheses that are listed unless told otherwise."""


@check_arguments
def suspect(
    board: Board | str,
    rows: Sequence[int],
    *,
    timeout: float | None = None,
    limit: int = LIMIT,
    seed: int | None = None,
    on_progress: Progress | None = None,
) -> Suspicion:
    """Find what suspected rows may have scored, and the guess that tells these cases apart best.

    - `board`: the game and its scored rows.
    - `rows`: the suspects, counted from 0; all other rows are taken to be right.
    - `timeout`: seconds, None for no limit; the answer then has what was found until then.
    - `limit`: hypotheses that are listed at most.
    - `seed`: for the codes that are drawn where the hypotheses leave too many to look at all.
    - `on_progress`: called with what is known so far.

    Raises InputError for rows that the board does not have.
    """
    board = Board.of(board).without_known("suspicion")
    deadline = Deadline(timeout)
    suspects = check_suspects(board, rows)
    found = gather(
        deadline,
        Suspicion.unknown(board, suspects),
        lambda found, news: replace(update(found, news), seconds=deadline.elapsed),
        on_progress,
        find_hypotheses,
        board,
        suspects,
        limit,
        seed or 0,
    )
    return replace(found, seconds=deadline.elapsed)


def update(found: Suspicion, new: object) -> Suspicion:
    """A suspicion with what is new: hypotheses, that these are all, or the guess."""
    if isinstance(new, DiscriminatingGuess):
        return replace(found, telling=new)
    if isinstance(new, bool):
        return replace(found, all_hypotheses=new)
    more = tuple(new) if isinstance(new, list) else (new,)
    hypotheses = sorted((*found.hypotheses, *more), key=Correction.sort_key)
    return replace(found, hypotheses=tuple(hypotheses))


def check_suspects(board: Board, rows: Sequence[int], first: int = 0) -> tuple[int, ...]:
    """The suspects in order; raises InputError for rows that the board does not have.

    The error counts rows from `first`, as whoever asked did: from 0 in Python, else from 1.
    """
    many = len(board.rows)
    numbers = [attempt(whole_number, row) for row in rows]
    faults = [
        Fault(
            "a suspect is a row of the board" if many else "the board has no rows",
            row if number is None else number + first,
            f"{first} to {many - 1 + first}" if many else "a board with rows",
        )
        for row, number in zip(rows, numbers, strict=True)
        if number is None or not 0 <= number < many
    ]
    if not rows:
        faults.append(Fault("there is a suspect", None, "the number of a row"))
    InputError.refuse(faults, "the suspects")
    return tuple(sorted({number for number in numbers if number is not None}))


def find_hypotheses(
    board: Board, suspects: tuple[int, ...], limit: int, seed: int
) -> Iterator[list[Correction] | Correction | DiscriminatingGuess | bool]:
    """Yield hypotheses, whether these are all, and the guess that tells them apart."""
    hypotheses: list[Correction] = []
    known = codes_by_repair(board, suspects)
    if known is None:
        listed = None
        possible = repairs(board, frozenset(suspects))
        for repair in islice(possible, limit):
            hypotheses.append(counted_correction(board, repair))
            yield hypotheses[-1]
        yield next(possible, None) is None
        hypotheses.sort(key=Correction.sort_key)
    else:
        pairs = [(listed_correction(board, *each), each[1]) for each in known.items()]
        pairs.sort(key=lambda pair: pair[0].sort_key())
        hypotheses = [hypothesis for hypothesis, _ in pairs[:limit]]
        listed = [codes for _, codes in pairs[:limit]]
        yield hypotheses
        yield len(pairs) <= limit
    guess = best_guess(board, suspects, hypotheses, listed, seed)
    if guess is not None:
        yield guess
