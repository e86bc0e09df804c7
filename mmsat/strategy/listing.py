"""All codes of a game as one array."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from mmsat.board import Board
from mmsat.errors import SizeError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mmsat.game.game import Game
    from mmsat.game.row import Code

MOST_CODES = 20_000_000
"""Codes of a game that are listed at most."""


def is_listed(game: Game) -> bool:
    """Whether a game is small enough for its codes to be listed."""
    return game.size <= MOST_CODES


def all_codes(game: Game) -> NDArray[Any]:
    """All codes of a game in lexicographic order, colors from 0; not to be changed.

    Shape (codes, pegs), one byte a peg, or two with more than 256 colors. Raises SizeError beyond
    20 million codes.
    """
    if not is_listed(game):
        raise SizeError(
            f"a {game} game has {game.size:,} codes, and at most {MOST_CODES:,} are listed; "
            "take a strategy that lists none, as genetic"
        )
    return _all_codes(game)


@lru_cache(maxsize=4)
def _all_codes(game: Game) -> NDArray[Any]:
    import numpy as np  # noqa: PLC0415  (loads when needed)

    kind = np.uint8 if game.colors <= 256 else np.uint16
    table = game.space.table()
    if table is not None:
        codes = np.array(table, dtype=kind)
    elif game.colors == 1:
        codes = np.zeros((game.size, game.pegs), dtype=kind)
    elif game.space.name == "repeats":
        grid = np.indices((game.colors,) * game.pegs, dtype=kind)
        codes = np.ascontiguousarray(grid.reshape(game.pegs, -1).T)
    elif game.space.name == "distinct":
        codes = _arrangements(game, kind)
    else:
        codes = np.array(_searched(game), dtype=kind)
    codes.flags.writeable = False
    return codes


def _arrangements(game: Game, kind: type[Any]) -> NDArray[Any]:
    """The codes without repeats, peg by peg."""
    import numpy as np  # noqa: PLC0415

    codes = np.zeros((1, 0), dtype=kind)
    for _ in range(game.pegs):
        is_left = np.ones((len(codes), game.colors), dtype=bool)
        np.put_along_axis(is_left, codes.astype(np.intp), values=False, axis=1)
        place, color = np.nonzero(is_left)
        codes = np.column_stack((codes[place], color.astype(kind)))
    return codes


def _searched(game: Game) -> list[Code]:
    """The codes of a space of any other kind."""
    from mmsat.enumeration.listing import list_codes  # noqa: PLC0415  (loads the engines)
    from mmsat.solving.deadline import Deadline  # noqa: PLC0415

    return list(list_codes(Board(game), Deadline()))
