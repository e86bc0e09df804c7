"""Codes by number and by chance, as generators for a process that a deadline can end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmsat.enumeration.listing import checked
from mmsat.solving.executor import run, stream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.enumeration.codes import Codes
    from mmsat.enumeration.odds import Odds
    from mmsat.game.row import Code
    from mmsat.solving.deadline import Deadline


def codes_from(codes: Codes, start: int, deadline: Deadline) -> Iterator[Code]:
    """Yield the codes in order from a number (from 0) on; raises TimeUpError at the deadline."""
    return stream(deadline, _codes_from, codes, start)


def _codes_from(codes: Codes, start: int) -> Iterator[Code]:
    for code in codes[start:]:
        yield checked(codes.board, code, codes.tolerance)


def sampled(codes: Codes, number: int, seed: int | None, deadline: Deadline) -> Iterator[Code]:
    """Yield so many different codes at random, or all where there are fewer."""
    return stream(deadline, _sampled, codes, number, seed)


def _sampled(codes: Codes, number: int, seed: int | None) -> Iterator[Code]:
    for code in codes.sample(min(number, codes.ranking.count), seed=seed):
        yield checked(codes.board, code, codes.tolerance)


def odds(codes: Codes, deadline: Deadline) -> Odds:
    """The odds; raises TimeUpError at the deadline."""
    return run(deadline, _odds, codes)


def _odds(codes: Codes) -> Odds:
    return codes.odds()
