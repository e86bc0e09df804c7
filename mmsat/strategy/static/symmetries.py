"""Symmetries of a game for static sets: sets of guesses that renaming maps to each other."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from mmsat._core import Names, Orbits
from mmsat.arrays import Array, np
from mmsat.strategy.code_list import exchange, find_codes
from mmsat.strategy.static.score_table import ScoreTable


def find_orbits(table: ScoreTable) -> Orbits:
    """Return the orbits of guesses under exchanges of pegs and colors.

    Each exchange is tested on all scores. Colors may be interchangeable in all codes together, or
    separately at each peg. If no guess depends on the order of its pegs, a guess is represented by
    its counts of colors. A list of words has no symmetry.
    """
    pegs, colors = table.game.pegs, table.game.colors
    rows = table.codes[table.guesses].astype(np.uint8)
    if table.game.space.table() is not None:
        return Orbits(rows, colors, are_columns_alike=False, alike=Names.NONE)
    orders = [exchange(pegs, *pair) for pair in pairwise(range(pegs))]
    are_pegs_alike = all(_is_kept(table, table.codes[:, order]) for order in orders)
    are_colors_alike = _are_alike(table, range(pegs))
    # If reordering the pegs of a guess never changes its classes, only counts of colors matter.
    if all(
        (
            table.first_guesses == table.first_guesses[find_codes(table.codes, colors, reordered)]
        ).all()
        for reordered in (table.codes[:, order] for order in orders)
    ):
        counts = (rows[:, :, np.newaxis] == np.arange(colors)).sum(axis=1).astype(np.uint8)
        return Orbits(counts, pegs + 1, are_colors_alike, Names.NONE)
    names = Names.SHARED if are_colors_alike else Names.NONE
    if all(_are_alike(table, [peg]) for peg in range(1 if are_pegs_alike else pegs)):
        names = Names.OWN
    return Orbits(rows, colors, are_pegs_alike, names)


def _are_alike(table: ScoreTable, pegs: Sequence[int]) -> bool:
    """Return whether colors are interchangeable at these pegs."""
    return all(_is_kept(table, moved) for moved in _rename(table, pegs))


def _rename(table: ScoreTable, pegs: Sequence[int]) -> Iterator[Array]:
    """Yield all codes with two neighboring colors exchanged at these pegs, for each such pair."""
    for pair in pairwise(range(table.game.colors)):
        names = np.array(exchange(table.game.colors, *pair), dtype=table.codes.dtype)
        moved = table.codes.copy()
        moved[:, pegs] = names[moved[:, pegs]]
        yield moved


def _is_kept(table: ScoreTable, moved: Array) -> bool:
    """Return whether moving each code to another one is a symmetry of the scores.

    That is, a moved guess distinguishes two moved codes if and only if the guess distinguishes the
    codes. `moved` has the new code for each code of the game.
    """
    images = find_codes(table.codes, table.game.colors, moved)
    if images is None:
        return False
    guesses = np.searchsorted(table.guesses, table.first_guesses[images[table.guesses]])
    kinds = np.searchsorted(table.kinds, table.first_codes[images[table.kinds]])
    return table.separation.is_kept(guesses.tolist(), kinds.tolist())
