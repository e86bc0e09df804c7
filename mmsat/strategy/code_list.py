"""All codes of a game in lexicographic order: one by one, as bytes, or as an array."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from mmsat.arrays import Array, np
from mmsat.errors import SizeError
from mmsat.game.game import Game
from mmsat.game.row import Code

MOST_CODES = 20_000_000
"""Codes of a game that are listed at most."""


def is_listed(game: Game) -> bool:
    """Whether a game is small enough for its codes to be listed."""
    return game.size <= MOST_CODES


def iterate_codes(game: Game) -> Iterator[Code]:
    """The codes of a game in lexicographic order; raises SizeError beyond 20 million."""
    if not is_listed(game):
        raise SizeError.of(
            "a list of all codes",
            f"a game of up to {MOST_CODES:,} codes",
            f"{game} with {game.size:,}",
            "take a strategy that lists none, such as genetic",
        )
    return game.codes()


def pack_codes(game: Game) -> memoryview:
    """The codes of a game of up to 256 colors, a byte a peg; shape (codes, pegs).

    For games of some ten thousand codes: it needs no numpy, and takes a pass of Python.
    """
    cells = b"".join(map(bytes, iterate_codes(game)))
    return memoryview(cells).cast("B", (game.size, game.pegs))


def as_array(game: Game, codes: Sequence[Code]) -> Array:
    """Codes as an array of shape (codes, pegs): a byte a peg, or two with more than 256 colors."""
    return np.array(codes, dtype=_kind(game)).reshape(-1, game.pegs)


def _kind(game: Game) -> str:
    """What colors are stored as."""
    return "uint8" if game.colors <= 256 else "uint16"


@lru_cache(maxsize=4)
def all_codes(game: Game) -> Array:
    """All codes of a game as an array of shape (codes, pegs), which is not to be changed.

    A byte a peg, or two with more than 256 colors. Raises SizeError beyond 20 million codes.
    """
    kind = _kind(game)
    listed = iterate_codes(game)
    if game.colors == 1:
        codes = np.zeros((game.size, game.pegs), dtype=kind)
    elif game.space.name == "repeats":
        grid = np.indices((game.colors,) * game.pegs, dtype=kind)
        codes = np.ascontiguousarray(grid.reshape(game.pegs, -1).T)
    elif game.space.name == "distinct":
        codes = _arrange(game, kind)
    else:
        codes = as_array(game, list(listed))
    codes.flags.writeable = False
    return codes


def _arrange(game: Game, kind: str) -> Array:
    """The codes without repeats, peg by peg."""
    codes = np.zeros((1, 0), dtype=kind)
    for _ in range(game.pegs):
        is_left = np.ones((len(codes), game.colors), dtype=bool)
        np.put_along_axis(is_left, codes.astype(np.intp), values=False, axis=1)
        place, color = np.nonzero(is_left)
        codes = np.column_stack((codes[place], color.astype(kind)))
    return codes


def exchange(many: int, one: int, other: int) -> list[int]:
    """The numbers from 0, two of them exchanged: an order of pegs, or new names of colors."""
    order = list(range(many))
    order[one], order[other] = other, one
    return order


def find_codes(codes: Array, colors: int, wanted: Array) -> Array | None:
    """Where codes stand among some that ascend; None if one does not."""
    weights = colors ** np.arange(codes.shape[1] - 1, -1, -1, dtype=np.int64)
    values = codes.astype(np.int64) @ weights
    places = np.minimum(np.searchsorted(values, wanted.astype(np.int64) @ weights), len(codes) - 1)
    return None if (codes[places] != wanted).any() else places
