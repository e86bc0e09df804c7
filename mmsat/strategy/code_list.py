"""All codes of the game in lexicographic order: as an iterator, as bytes, or as an array."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from mmsat._util.arrays import Array, np
from mmsat.errors import SizeError
from mmsat.game.game import Game
from mmsat.game.row import Code

MAX_LISTED_CODES = 20_000_000
"""Maximum number of codes of a game whose codes are listed."""


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

    This does not load numpy, and is fast enough for games of up to some ten thousand codes.
    """
    colors = b"".join(map(bytes, iterate_codes(game)))
    return memoryview(colors).cast("B", (game.size, game.pegs))


def as_array(game: Game, codes: Sequence[Code]) -> Array:
    """Return codes as an array of shape (codes, pegs): uint8, or uint16 beyond 256 colors."""
    return np.array(codes, dtype=_dtype(game)).reshape(-1, game.pegs)


def _dtype(game: Game) -> str:
    """Return the data type for colors."""
    return "uint8" if game.colors <= 256 else "uint16"


@lru_cache(maxsize=4)
def all_codes(game: Game) -> Array:
    """Return all codes of the game as a read-only array of shape (codes, pegs).

    The data type is uint8, or uint16 beyond 256 colors. Raises SizeError beyond 20 million codes.
    """
    dtype = _dtype(game)
    codes_in_order = iterate_codes(game)  # raises SizeError if there are too many
    if game.colors == 1:
        codes = np.zeros((game.size, game.pegs), dtype=dtype)
    elif game.space.name == "repeats":
        grid = np.indices((game.colors,) * game.pegs, dtype=dtype)
        codes = np.ascontiguousarray(grid.reshape(game.pegs, -1).T)
    elif game.space.name == "distinct":
        codes = _list_distinct(game, dtype)
    else:
        codes = as_array(game, list(codes_in_order))
    codes.flags.writeable = False
    return codes


def _list_distinct(game: Game, dtype: str) -> Array:
    """Return the codes without repeated colors, built peg by peg in lexicographic order."""
    codes = np.zeros((1, 0), dtype=dtype)
    for _ in range(game.pegs):
        is_unused = np.ones((len(codes), game.colors), dtype=bool)
        np.put_along_axis(is_unused, codes.astype(np.intp), values=False, axis=1)
        prefix, color = np.nonzero(is_unused)
        codes = np.column_stack((codes[prefix], color.astype(dtype)))
    return codes


def exchange(size: int, first: int, second: int) -> list[int]:
    """Return the numbers below `size` in ascending order, but with two of them exchanged.

    The result is used as a permutation of pegs or of colors.
    """
    order = list(range(size))
    order[first], order[second] = second, first
    return order


def find_codes(codes: Array, colors: int, wanted: Array) -> Array | None:
    """Return the indices of the `wanted` codes in a sorted array; None if a code is missing."""
    weights = colors ** np.arange(codes.shape[1] - 1, -1, -1, dtype=np.int64)
    values = codes.astype(np.int64) @ weights
    indices = np.minimum(np.searchsorted(values, wanted.astype(np.int64) @ weights), len(codes) - 1)
    return None if (codes[indices] != wanted).any() else indices
