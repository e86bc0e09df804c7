"""One board of the suite: its name, its generator and its expected status."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from mmsat.game.board import Board

KINDS = ("planted", "slipped", "parity-kept", "impossible", "random")
"""Construction of a board. "planted": a code is planted. "slipped": one score of a planted board
is off by one. "parity-kept": the same, but neither color counts nor parities reveal it.
"impossible": a proof shows that there is no code. "random": unknown status.
"""


class Instance(NamedTuple):
    """The parameters from which a board is generated, and its known properties."""

    name: str
    family: str
    """One of the random games, or a reduction."""
    kind: str
    """One of KINDS."""
    series: str
    """The series. Instances of one series are adjacent and differ in their size only."""
    size: int
    """The unit of the size: pegs, variables or nodes."""
    rows: int | None
    """The number of random rows, if the family has that option."""
    seed: int
    k: int | None
    """The bound of a vertex cover: the least cover, which is stored, or one less."""
    known: str
    """The status by construction, or unknown."""
    digest: str
    """Of the board; see digest()."""


def digest(board: Board) -> str:
    """Return a hash of game, guesses and scores."""
    text = hashlib.sha256(str(board.game).encode())
    for guess, score in board.rows:
        text.update(f"{guess} {score}\n".encode())
    return text.hexdigest()[:16]
