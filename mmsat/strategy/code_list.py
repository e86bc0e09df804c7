"""All codes of the game in lexicographic order: as an iterator, as bytes, or as an array."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from mmsat._util.arrays import Array, np
from mmsat.errors import SizeError
from mmsat.game.game import Game
from mmsat.game.row import Code

MAX_LISTED_CODES = 20_000_000
"""Maximum number of codes for listing them all."""


def is_listed(game: Game) -> bool:
    """Return whether a game is small enough to list its codes."""
    return game.size <= MAX_LISTED_CODES


def iterate_codes(game: Game) -> Iterator[Code]:
    """Iterate over the codes of the game in lexicographic order.

    Raises SizeError beyond 20 million codes.
    """
    if not is_listed(game):
        raise SizeError.of(
            "a list of all codes",
            f"a game of up to {MAX_LISTED_CODES:,} codes",
            f"{game} with {game.size:,} codes",
            "use a strategy that needs no list, such as genetic",
        )
    return game.codes()


def pack_codes(game: Game) -> memoryview:
    """Return all codes as bytes, one per peg, for up to 256 colors; shape (codes, pegs).

    For games of some ten thousand codes: it works without numpy, in one pass in Python.
    """
    cells = b"".join(map(bytes, iterate_codes(game)))
    return memoryview(cells).cast("B", (game.size, game.pegs))


def as_array(game: Game, codes: Sequence[Code]) -> Array:
    """Return codes as an array of shape (codes, pegs): uint8, or uint16 beyond 256 colors."""
    return np.array(codes, dtype=_kind(game)).reshape(-1, game.pegs)


def _kind(game: Game) -> str:
    """Return the data type for colors."""
    return "uint8" if game.colors <= 256 else "uint16"


@lru_cache(maxsize=4)
def all_codes(game: Game) -> Array:
    """Return all codes of the game as a read-only array of shape (codes, pegs).

    The data type is uint8, or uint16 beyond 256 colors. Raises SizeError beyond 20 million codes.
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
    """Return the codes without repeated colors, built peg by peg in lexicographic order."""
    codes = np.zeros((1, 0), dtype=kind)
    for _ in range(game.pegs):
        is_unused = np.ones((len(codes), game.colors), dtype=bool)
        np.put_along_axis(is_unused, codes.astype(np.intp), values=False, axis=1)
        prefix, color = np.nonzero(is_unused)
        codes = np.column_stack((codes[prefix], color.astype(kind)))
    return codes


def exchange(size: int, one: int, other: int) -> list[int]:
    """Return the numbers below `size` in order, but with `one` and `other` exchanged.

    It is an order of pegs, or new names of colors.
    """
    order = list(range(size))
    order[one], order[other] = other, one
    return order


def find_codes(codes: Array, colors: int, wanted: Array) -> Array | None:
    """Return the indices of the `wanted` codes in an ascending array; None if one is missing."""
    weights = colors ** np.arange(codes.shape[1] - 1, -1, -1, dtype=np.int64)
    values = codes.astype(np.int64) @ weights
    indices = np.minimum(np.searchsorted(values, wanted.astype(np.int64) @ weights), len(codes) - 1)
    return None if (codes[indices] != wanted).any() else indices
