"""Which sets of guesses of a game tell as much as each other, since renaming maps them so."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from mmsat._core import Names, Orbits
from mmsat.arrays import Array, np
from mmsat.strategy.code_list import exchange, find_codes
from mmsat.strategy.static.score_table import ScoreTable


def find_orbits(table: ScoreTable) -> Orbits:
    """The orbits of guesses under exchanges of pegs and colors, each tested on all scores.

    Colors may be interchangeable in all codes alike, or at each peg on its own. Where no guess
    depends on the order of its pegs, it is a row of counts, a color each. A list of words has no
    symmetry.
    """
    pegs, colors = table.game.pegs, table.game.colors
    rows = table.codes[table.guesses].astype(np.uint8)
    if table.game.space.table() is not None:
        return Orbits(rows, colors, are_columns_alike=False, alike=Names.NONE)
    orders = [exchange(pegs, *pair) for pair in pairwise(range(pegs))]
    are_pegs_alike = all(_is_kept(table, table.codes[:, order]) for order in orders)
    are_colors_alike = _are_alike(table, range(pegs))
    if all(
        (table.first_guesses == table.first_guesses[find_codes(table.codes, colors, moved)]).all()
        for moved in (table.codes[:, order] for order in orders)
    ):
        counts = (rows[:, :, np.newaxis] == np.arange(colors)).sum(axis=1).astype(np.uint8)
        return Orbits(counts, pegs + 1, are_colors_alike, Names.NONE)
    names = Names.SHARED if are_colors_alike else Names.NONE
    if all(_are_alike(table, [peg]) for peg in range(1 if are_pegs_alike else pegs)):
        names = Names.OWN
    return Orbits(rows, colors, are_pegs_alike, names)


def _are_alike(table: ScoreTable, pegs: Sequence[int]) -> bool:
    """Whether colors are interchangeable at these pegs."""
    return all(_is_kept(table, moved) for moved in _rename(table, pegs))


def _rename(table: ScoreTable, pegs: Sequence[int]) -> Iterator[Array]:
    """All codes with two neighboring colors exchanged at these pegs."""
    for pair in pairwise(range(table.game.colors)):
        names = np.array(exchange(table.game.colors, *pair), dtype=table.codes.dtype)
        moved = table.codes.copy()
        moved[:, pegs] = names[moved[:, pegs]]
        yield moved


def _is_kept(table: ScoreTable, moved: Array) -> bool:
    """Whether scores tell the same apart where each code is moved to another one."""
    places = find_codes(table.codes, table.game.colors, moved)
    if places is None:
        return False
    guesses = np.searchsorted(table.guesses, table.first_guesses[places[table.guesses]])
    kinds = np.searchsorted(table.kinds, table.first_codes[places[table.kinds]])
    return table.separation.is_kept(guesses.tolist(), kinds.tolist())
