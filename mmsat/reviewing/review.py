"""Review a played game guess by guess: cost and luck of each guess, and the best guess."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import log2
from time import monotonic

from mmsat.arguments import check_arguments
from mmsat.board import Board
from mmsat.errors import Fault, InputError
from mmsat.game.hard_mode import find_breach
from mmsat.game.row import UNREAD, Row
from mmsat.results.review import Move, Review
from mmsat.reviewing.measures import Measure, RemainingCodes, RemainingGuesses, is_searchable
from mmsat.reviewing.position import Parts, Position
from mmsat.reviewing.sentences import describe
from mmsat.solving.executor import finish
from mmsat.strategy.endgame import TooLongError
from mmsat.strategy.state import State
from mmsat.strategy.tree import OnProgress
from mmsat.weights import Weights

DEFAULT_SIZE = 50_000
"""Default maximum number of codes that guesses are judged by."""


@check_arguments
def review(
    board: Board | str,
    *,
    seed: int | None = None,
    size: int = DEFAULT_SIZE,
    weights: Weights | None = None,
    hard: bool = False,
    timeout: float | None = None,
    on_progress: OnProgress | None = None,
) -> Review:
    """Judge each guess of a played game: its skill, its luck, and the best guess instead.

    Parameters
    ----------
    board : Board or str
        The game and its rows in the order of play, or text that `Board.parse` reads.
    seed : int, optional
        Seed of the codes and guesses that are drawn.
    size : int, default 50,000
        Maximum number of codes that guesses are judged by. If more remain, a random sample is used.
    weights : Weights, optional
        Relative probabilities of the codes; guesses are then judged by the weight that they leave
        on average. By default, all codes are equally likely.
    hard : bool, default False
        Whether the game was played in hard mode, in which each guess has to use the information of
        earlier scores. Guesses are then judged by remaining codes, and compared with allowed
        guesses only. Guesses that were not allowed are reported.
    timeout : float, optional
        Time limit in seconds. By default, there is none.
    on_progress : callable, optional
        Called with the number of judged guesses, and the number of all guesses.

    Returns
    -------
    Review
        One move per guess, up to the first score that leaves no code.

    Raises
    ------
    InputError
        If a guess has unread pegs, if the board has known codes, or if another argument is invalid.
    TimeLimitError
        If the review is not finished within `timeout`.

    Notes
    -----
    In games of up to 5,040 codes, a guess is judged by best play if that can be searched quickly:
    the average number of guesses that the code then takes, compared with the minimum. All other
    guesses are judged by the average number of codes that they leave. `mmsat/reviewing/reviews.md`
    has the definitions. Each guess takes up to some seconds.

    Examples
    --------
    >>> review = mmsat.review("2x3/12=1.0/13=0.0")
    >>> [move.skill for move in review.moves], review.luck
    ([Fraction(1, 1), Fraction(1, 1)], Fraction(-2, 3))
    """
    board = Board.of(board).without_known("a review")
    InputError.refuse(
        [
            Fault(
                "review needs complete guesses", "?", "a color for every peg", part=f"row {number}"
            )
            for number, row in enumerate(board.rows, 1)
            if UNREAD in row.guess
        ]
    )
    place = partial(Position, size=size, seed=seed, weights=weights, is_hard=hard)
    return finish(timeout, on_progress, _review, board, place, work="the review")


def _review(board: Board, place: Callable[[State], Position], on_progress: OnProgress) -> Review:
    start_time = monotonic()
    before = place(State.start(board.game))
    moves: list[Move] = []
    for number, row in enumerate(board.rows):
        on_progress(number, len(board.rows))
        after = before.follow(row)
        move = _judge(number, row, before, after)
        moves.append(replace(move, sentence=describe(board.game, move)))
        if after.count == 0:
            break
        before = after
    return Review(board, tuple(moves), monotonic() - start_time, before.is_hard)


def _judge(number: int, row: Row, before: Position, after: Position) -> Move:
    """Judge a guess by best play if that is searched quickly, otherwise by remaining codes."""
    is_free = before.weights is None and not before.is_hard
    if is_free and is_searchable(before.state):
        with suppress(TooLongError):
            return _measure(number, row, before, after, RemainingGuesses(before))
    return _measure(number, row, before, after, RemainingCodes(before))


def _measure(number: int, row: Row, before: Position, after: Position, by: Measure) -> Move:
    guess, score = row
    cost = by.cost(guess, before.split(guess))
    best, lowest_cost = by.best()
    if cost <= lowest_cost:
        best, lowest_cost = guess, cost
    readable_parts = before.split(guess, score)
    luck, luckier = _luck(row, by, readable_parts, after.count)
    return Move(
        number,
        row,
        before.count,
        after.count,
        len(before.pool.codes),
        before.allows(guess),
        by.name,
        cost,
        lowest_cost,
        best,
        luck,
        luckier,
        _bits(before, after),
        entropy(readable_parts),
        find_breach(before.game, before.state.rows, guess) if before.is_hard else None,
    )


def _bits(before: Position, after: Position) -> float | None:
    """Return the information of a score from the remaining codes or weights, or None."""
    if not (before.count and after.count):
        return None
    if before.weighed is None or after.weighed is None:
        return log2(before.count) - log2(after.count)
    return log2(before.weight) - log2(after.weight)


def _luck(
    row: Row, by: Measure, parts: Parts, codes_after: int | None
) -> tuple[Fraction | None, Fraction | None]:
    """Return the luck of a score, and the fraction of codes with less luck; None if unknown.

    Only components of the score that were read count.
    """
    if not codes_after or by.position.count is None:
        return None, None
    values = {score: by.value_after(row.guess, score, weight) for score, weight in parts.items()}
    actual = values.get(row.score, Fraction(codes_after))  # a sample may lack this score
    total = sum(parts.values())
    expected = sum((values[score] * weight for score, weight in parts.items()), Fraction()) / total
    unluckier = sum(
        weight * (Fraction(1) if values[score] > actual else Fraction(values[score] == actual, 2))
        for score, weight in parts.items()
    )
    return expected - actual, Fraction(unluckier) / total


def entropy(parts: Parts) -> float:
    """Return the entropy of a partition in bits."""
    total = sum(parts.values())
    return sum(size * (log2(total) - log2(size)) for size in parts.values()) / total
