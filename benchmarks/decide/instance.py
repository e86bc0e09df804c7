"""One board of the suite: what it is called, how it is made, what is known of it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from mmsat.board import Board

KINDS = ("planted", "slipped", "parity-kept", "impossible", "random")
"""A code is planted; one score is then slipped by one; or slipped so that neither a count of colors
nor a parity gives it away; there is a proof that there is no code; nobody has looked."""


class Instance(NamedTuple):
    """A board that can be made again from this alone."""

    name: str
    family: str
    """One of the random games, or a reduction."""
    kind: str
    """One of KINDS."""
    series: str
    """What it grows in: instances of one series differ in their size alone, and stand by it."""
    size: int
    """What the family counts: pegs, variables, nodes."""
    rows: int | None
    """Random rows, where they are chosen."""
    seed: int
    k: int | None
    """The bound of a vertex cover: the least cover, which is stored, or one less."""
    known: str
    """The status by construction, or unknown."""
    digest: str
    """Of the board; see digest()."""


def digest(board: Board) -> str:
    """A hash of game, guesses and scores."""
    text = hashlib.sha256(str(board.game).encode())
    for guess, score in board.rows:
        text.update(f"{guess} {score}\n".encode())
    return text.hexdigest()[:16]
