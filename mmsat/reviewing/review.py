"""A played game, judged guess by guess: what each cost beside the best, and what luck it had."""

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
from mmsat.reviewing.measures import CodesLeft, GuessesLeft, Measure, is_searchable
from mmsat.reviewing.position import Parts, Position
from mmsat.reviewing.sentences import describe
from mmsat.solving.executor import finish
from mmsat.strategy.endgame import TooLongError
from mmsat.strategy.state import State
from mmsat.strategy.tree import OnProgress
from mmsat.weights import Weights

SIZE = 50_000


@check_arguments
def review(
    board: Board | str,
    *,
    seed: int | None = None,
    size: int = SIZE,
    weights: Weights | None = None,
    hard: bool = False,
    timeout: float | None = None,
    on_progress: OnProgress | None = None,
) -> Review:
    """Judge each guess of a played game: its skill, its luck, and the best guess instead.

    In games of up to 5,040 codes, guesses after which best play is quickly searched are judged by
    it: what they cost beyond the fewest guesses that the code takes on average. All others are
    judged by the codes that they leave on average. Both are exact fractions while up to `size`
    codes are left; beyond, those of as many codes drawn at random. `mmsat/reviewing/README.md` has
    the definitions.

    - `board`: the game and its rows, in the order they were played.
    - `seed`: for codes and guesses that are drawn.
    - `size`: how many codes guesses are judged by at most.
    - `weights`: how likely the codes are, where not equally; guesses are then judged by the weight
      that they leave on average.
    - `hard`: whether it was played in hard mode, where each guess has to use what is known: letters
      that are in place or elsewhere, and in games of other marks all scores so far. Guesses are
      then judged by codes, beside the guesses that were allowed, and those that were not are told.
    - `timeout`: seconds, None for no limit.
    - `on_progress`: called with the number of guesses done, and the number of all.

    Ends at the first score that leaves no code. Costs up to some seconds per guess.

    Raises InputError for a guess that was not read, and TimeLimitError after `timeout` seconds.
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
    started = monotonic()
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
    return Review(board, tuple(moves), monotonic() - started, before.is_hard)


def _judge(number: int, row: Row, before: Position, after: Position) -> Move:
    """Judge a guess by best play where that is quickly searched, else by codes."""
    is_free = before.weights is None and not before.is_hard
    if is_free and is_searchable(before.state):
        with suppress(TooLongError):
            return _measure(number, row, before, after, GuessesLeft(before))
    return _measure(number, row, before, after, CodesLeft(before))


def _measure(number: int, row: Row, before: Position, after: Position, by: Measure) -> Move:
    guess, said = row
    cost = by.cost(guess, before.split(guess))
    best, least = by.best()
    if cost <= least:
        best, least = guess, cost
    read = before.split(guess, said)
    luck, luckier = _luck(row, by, read, after.count)
    return Move(
        number,
        row,
        before.count,
        after.count,
        len(before.pool.codes),
        before.allows(guess),
        by.name,
        cost,
        least,
        best,
        luck,
        luckier,
        _bits(before, after),
        entropy(read),
        find_breach(before.game, before.state.rows, guess) if before.is_hard else None,
    )


def _bits(before: Position, after: Position) -> float | None:
    """The information of the codes that are left, or of their weight."""
    if not (before.count and after.count):
        return None
    if before.weighed is None or after.weighed is None:
        return log2(before.count) - log2(after.count)
    return log2(before.weight) - log2(after.weight)


def _luck(
    row: Row, by: Measure, read: Parts, left: int | None
) -> tuple[Fraction | None, Fraction | None]:
    """What a score brought beyond what was expected of those parts that were read."""
    if not left or by.position.count is None:
        return None, None
    worth = {score: by.worth(row.guess, score, many) for score, many in read.items()}
    actual = worth.get(row.score, Fraction(left))  # no code of a sample may get it
    judged = sum(read.values())
    expected = sum((worth[score] * many for score, many in read.items()), Fraction()) / judged
    worse = sum(
        many * (Fraction(1) if worth[score] > actual else Fraction(worth[score] == actual, 2))
        for score, many in read.items()
    )
    return expected - actual, Fraction(worse) / judged


def entropy(parts: Parts) -> float:
    """The information in bits of knowing which part a code is in."""
    total = sum(parts.values())
    return sum(many * (log2(total) - log2(many)) for many in parts.values()) / total
