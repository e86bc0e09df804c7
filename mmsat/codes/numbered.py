"""Codes by number and by chance, as generators for a process that a deadline can end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.codes.codes import codes
from mmsat.codes.listing import checked
from mmsat.solve.worker import run, stream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.answers import Code
    from mmsat.codes.odds import Odds
    from mmsat.game.board import Board
    from mmsat.solve.deadline import Deadline


def codes_from(board: Board, start: int, memory: int, deadline: Deadline) -> Iterator[Code]:
    """Yield the codes in order from a number (from 0) on; raises TimeUpError at the deadline."""
    return stream(deadline, _codes_from, board, start, memory)


def _codes_from(board: Board, start: int, memory: int) -> Iterator[Code]:
    for code in codes(board, memory=memory)[start:]:
        yield checked(board, code)


def sampled(
    board: Board, number: int, seed: int | None, memory: int, deadline: Deadline
) -> Iterator[Code]:
    """Yield so many different codes at random, or all where there are fewer."""
    return stream(deadline, _sampled, board, number, seed, memory)


def _sampled(board: Board, number: int, seed: int | None, memory: int) -> Iterator[Code]:
    found = codes(board, memory=memory)
    for code in found.sample(min(number, found.ranking.count), seed=seed):
        yield checked(board, code)


def odds(board: Board, memory: int, deadline: Deadline) -> Odds:
    """The odds; raises TimeUpError at the deadline."""
    return run(deadline, _odds, board, memory)


def _odds(board: Board, memory: int) -> Odds:
    return codes(board, memory=memory).odds()
