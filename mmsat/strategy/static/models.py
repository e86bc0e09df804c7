"""Two methods to search for a static set of a given size: by guesses, and by columns.

`ByGuesses` is for any game. A table contains all scores of the game, with equivalent guesses and
codes merged (`ScoreTable`). If exchanges of pegs or colors map one set of guesses to another, only
one of the two is searched (`find_orbits`).

`ByColumns` is for two colors with black pegs only. It searches column by column; a column consists
of the colors of one peg in all guesses (_core/separation/columns.hpp).
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count, pairwise
from math import comb

from mmsat._core import Columns, Orbits, Renaming, Separation
from mmsat._util import Array, np
from mmsat.errors import InternalError, SizeError
from mmsat.game import Code
from mmsat.game.game import Game
from mmsat.strategy.answers import all_codes, compute_answers, exchange, find_codes, kernel_form

MAX_CODES = 1 << 13
"""Maximum number of codes of a game for a table of scores, which needs two bytes for each pair of
codes, in two copies."""
MAX_TABLE_PEGS = MAX_TABLE_COLORS = 254
"""Maximum numbers of pegs and colors of a game for a table of scores. A cell in the kernel (see
`find_orbits`) has at most 255 values: the colors, or the counts from 0 to the number of pegs."""
GUESSES_PER_STEP = 64
"""Number of guesses that are scored at a time."""


class ScoreTable:
    """The scores of a game as numbers; only the equality of numbers is significant."""

    def __init__(self, game: Game) -> None:
        """Score all pairs of codes; raise SizeError if the game exceeds the limits of the table."""
        if game.size > MAX_CODES or game.pegs > MAX_TABLE_PEGS or game.colors > MAX_TABLE_COLORS:
            limits = f"{MAX_TABLE_PEGS} pegs and {MAX_TABLE_COLORS} colors"
            raise SizeError.of(
                "sets of guesses",
                f"a game of up to {MAX_CODES:,} codes, {limits}",
                f"{game} with {game.size:,} codes",
            )
        self.game = game
        self.codes = all_codes(game)
        answers = np.empty((len(self.codes), len(self.codes)), dtype=np.uint16)
        for start in range(0, len(self.codes), GUESSES_PER_STEP):
            guesses = self.codes[start : start + GUESSES_PER_STEP].tolist()
            for row, scores in enumerate(compute_answers(game, self.codes, guesses), start):
                # If the kernel cannot compute the scores, `compute_answers` packs the parts of a
                # score into one number, which may exceed 16 bits.
                is_packed = kernel_form(game) is None
                answers[row] = np.unique(scores, return_inverse=True)[1] if is_packed else scores
        full_separation = Separation(answers)
        self.first_guesses = np.array(full_separation.first_guesses)
        self.first_codes = np.array(full_separation.first_codes)
        del full_separation
        self.guesses = np.unique(self.first_guesses)
        """The indices of guesses: the first of each group that partitions the codes equally."""
        self.kinds = np.unique(self.first_codes)
        """The indices of codes: the first of each group that no guess distinguishes."""
        merged_answers = answers[np.ix_(self.guesses, self.kinds)]
        self.separation = Separation(np.ascontiguousarray(merged_answers))

    def list_guesses(self, indices: Sequence[int]) -> tuple[Code, ...]:
        """Return the guesses with these indices in `self.guesses`, in lexicographic order."""
        return tuple(sorted(map(tuple, self.codes[self.guesses[list(indices)]].tolist())))


def find_orbits(table: ScoreTable) -> Orbits:
    """Return the orbits of guesses under exchanges of pegs and colors.

    Each exchange is tested on all scores. Colors may be interchangeable at all pegs together, or
    at each peg separately. If the order of the pegs of a guess does not matter, a guess is
    represented by its counts of colors. Lists of words are treated as having no symmetry.
    """
    pegs, colors = table.game.pegs, table.game.colors
    rows = table.codes[table.guesses].astype(np.uint8)
    if table.game.space.table() is not None:
        return Orbits(rows, colors, are_columns_alike=False, renaming=Renaming.NONE)
    orders = [exchange(pegs, *pair) for pair in pairwise(range(pegs))]
    are_pegs_alike = all(_is_symmetry(table, table.codes[:, order]) for order in orders)
    are_colors_alike = _are_interchangeable(table, range(pegs))
    # If reordering the pegs of a guess never changes its classes, only counts of colors matter.
    if all(
        (
            table.first_guesses == table.first_guesses[find_codes(table.codes, colors, reordered)]
        ).all()
        for reordered in (table.codes[:, order] for order in orders)
    ):
        counts = (rows[:, :, np.newaxis] == np.arange(colors)).sum(axis=1).astype(np.uint8)
        return Orbits(counts, pegs + 1, are_colors_alike, Renaming.NONE)
    renaming = Renaming.SHARED if are_colors_alike else Renaming.NONE
    # If pegs are interchangeable, one of them represents all.
    if all(_are_interchangeable(table, [peg]) for peg in range(1 if are_pegs_alike else pegs)):
        renaming = Renaming.PER_COLUMN
    return Orbits(rows, colors, are_pegs_alike, renaming)


def _are_interchangeable(table: ScoreTable, pegs: Sequence[int]) -> bool:
    """Return whether colors are interchangeable at these pegs."""
    return all(_is_symmetry(table, renamed) for renamed in _exchange_colors(table, pegs))


def _exchange_colors(table: ScoreTable, pegs: Sequence[int]) -> Iterator[Array]:
    """Yield, for each two neighboring colors, all codes with these colors exchanged at the pegs."""
    for pair in pairwise(range(table.game.colors)):
        names = np.array(exchange(table.game.colors, *pair), dtype=table.codes.dtype)
        renamed = table.codes.copy()
        renamed[:, pegs] = names[renamed[:, pegs]]
        yield renamed


def _is_symmetry(table: ScoreTable, image_codes: Array) -> bool:
    """Return whether a map of codes to codes is a symmetry of the scores.

    It is a symmetry if the image of a guess distinguishes the images of two codes exactly if the
    guess distinguishes the two codes. `image_codes` has the image of each code of the game.
    """
    images = find_codes(table.codes, table.game.colors, image_codes)
    if images is None:
        return False
    guesses = np.searchsorted(table.guesses, table.first_guesses[images[table.guesses]])
    kinds = np.searchsorted(table.kinds, table.first_codes[images[table.kinds]])
    return table.separation.is_symmetry(guesses.tolist(), kinds.tolist())


MAX_COLUMN_PEGS = 14
"""Maximum number of pegs for `ByColumns`: the kernel supports this many columns."""
MAX_PEGS_OF_EIGHT = 13
"""Maximum number of pegs of two colors for which eight guesses are enough; 14 pegs need nine
guesses."""


def supports_columns(game: Game) -> bool:
    """Return whether `ByColumns` supports a game: two colors, all codes, and black scores only."""
    return game.colors == 2 and game.size == 2**game.pegs and game.parts == ("black",)


class ByColumns:
    """Finds guesses that distinguish all codes, by complete search only."""

    suffix = " by columns"
    """Suffix of the names of the stages in a checkpoint file."""

    def __init__(self, game: Game) -> None:
        """Compute the counting bound; raise SizeError if the game has too many pegs."""
        if game.pegs > MAX_COLUMN_PEGS:
            limit = f"up to {MAX_COLUMN_PEGS} pegs of two colors with black scores"
            raise SizeError.of("sets of guesses", limit, str(game))
        self.game = game
        self.kinds = game.size
        self.sufficient_size = min(game.pegs, 8 if game.pegs <= MAX_PEGS_OF_EIGHT else 9)
        """A number of guesses for which a set is known to exist, and is found quickly."""
        largest_class = comb(game.pegs, game.pegs // 2)
        self.counting_bound = next(
            1 + later for later in count() if (game.pegs + 1) ** later >= largest_class
        )
        """No set has fewer guesses: the first guess leaves a class of `largest_class` codes, and
        each later guess splits a class into at most `pegs + 1` classes."""
        self.nodes = 0
        """Number of sets that complete searches have processed."""
        self._columns: Columns | None = None

    @property
    def done(self) -> float:
        """The finished fraction of the present complete search."""
        return self._columns.done if self._columns else 0.0

    def find(
        self, size: int, _codes: int, _seed: int, pause: Callable[[], None]
    ) -> tuple[Code, ...] | None:
        """Return `size` guesses that distinguish all codes, if that many are known to be enough.

        Otherwise return None, because there is no local search by columns.
        """
        return self.complete(size, 0, lambda _: pause()) if size >= self.sufficient_size else None

    def complete(
        self, size: int, num_skipped: int, on_prefix: Callable[[int], None]
    ) -> tuple[Code, ...] | None:
        """Return `size` guesses that distinguish all codes, or None if impossible.

        Skips the first `num_skipped` prefixes (sets of a few columns). `on_prefix` is called now
        and then with the number of finished prefixes.
        """
        self._columns = columns = Columns(size)
        base_nodes = self.nodes

        def report() -> None:
            self.nodes = base_nodes + columns.nodes
            on_prefix(max(num_skipped, columns.prefixes))

        column_numbers = columns.find(self.game.pegs, num_skipped, report)
        self._columns = None
        report()
        if not column_numbers:
            return None
        # Bit i of a column is the color of its peg in guess i + 1; guess 0 has color 0 everywhere.
        guesses = 2 * np.array(column_numbers) >> np.arange(size)[:, np.newaxis] & 1
        scores = (all_codes(self.game)[:, np.newaxis] == guesses).sum(axis=2)
        if len(np.unique(scores, axis=0)) < self.game.size:
            message = (
                f"guesses of columns {column_numbers} do not distinguish the codes of {self.game}"
            )
            raise InternalError(message)
        return tuple(sorted(map(tuple, guesses.tolist())))


MAX_RENAMED_CELLS = 200_000_000
"""Maximum work of extending all prefixes by one guess (see `find_prefixes`): the number of extended
prefixes, times the number of their cells, which are the colors or counts of colors of the guesses,
times the number of renamings of the colors under which they are compared."""


class ByGuesses:
    """Finds guesses that distinguish all codes, by local search and by complete search."""

    suffix = ""
    """Suffix of the names of the stages in a checkpoint file."""

    def __init__(self, game: Game) -> None:
        """Score all pairs of codes, and compute the counting bound.

        Raises SizeError if the game is too large.
        """
        self.table = ScoreTable(game)
        self.separation = self.table.separation
        self.kinds = len(self.table.kinds)
        self.sufficient_size = self.kinds - 1
        """A number of guesses for which a set exists, as each guess can split off another kind."""
        self.counting_bound = compute_counting_bound(self.table)
        self._progress: tuple[int, int] | None = None
        """The number of finished prefixes, and the number of all prefixes; None between
        searches."""

    @property
    def nodes(self) -> int:
        """Number of sets that complete searches have processed."""
        return self.separation.nodes

    @property
    def done(self) -> float:
        """The finished fraction of the present complete search."""
        if self._progress is None:
            return 0.0
        num_finished, num_prefixes = self._progress
        return (num_finished + self.separation.done) / num_prefixes

    def find(
        self, size: int, max_scored_codes: int, seed: int, pause: Callable[[], None]
    ) -> tuple[Code, ...] | None:
        """Return `size` guesses found by local search, which scores about `max_scored_codes` codes.

        Returns None if the search fails.
        """
        return self._list_guesses(
            self.separation.anneal(size, max_scored_codes // self.kinds, seed, pause)
        )

    def complete(
        self, size: int, num_skipped: int, on_prefix: Callable[[int], None]
    ) -> tuple[Code, ...] | None:
        """Return at most `size` guesses that distinguish all codes, or None if impossible.

        Skips the first `num_skipped` prefixes. `on_prefix` is called now and then with the number
        of finished prefixes.
        """
        orbits = find_orbits(self.table)
        prefixes = find_prefixes(orbits, size, lambda: on_prefix(num_skipped))
        orbit_of_guess = orbits.orbit_of_guess
        # The guesses of a set are in the order of their orbits: no later guess has a smaller orbit.
        allowed_after = [
            [guess for guess, guess_orbit in enumerate(orbit_of_guess) if guess_orbit >= orbit]
            for orbit in range(max(orbit_of_guess) + 1)
        ]
        for number, prefix in enumerate(prefixes[num_skipped:], num_skipped):
            self._progress = number, len(prefixes)
            on_prefix(number)
            last_orbit = orbit_of_guess[prefix[-1]] if prefix else 0
            num_missing = size - len(prefix)
            guess_indices = self.separation.complete(
                prefix, num_missing, allowed_after[last_orbit], partial(on_prefix, number)
            )
            if guess_indices:
                return self._list_guesses(guess_indices)
        self._progress = None
        on_prefix(len(prefixes))
        return None

    def _list_guesses(self, indices: list[int]) -> tuple[Code, ...] | None:
        """Return the guesses if they distinguish all codes, otherwise None."""
        return None if self.separation.unseparated(indices) else self.table.list_guesses(indices)


def compute_counting_bound(table: ScoreTable) -> int:
    """Return the counting bound: no set of guesses that distinguishes all codes is smaller.

    Each guess has a largest class. The first guess leaves a class at least as large as the smallest
    of these. Each later guess splits a class into at most as many classes as the guess has
    different scores.
    """
    separation, kinds = table.separation, len(table.kinds)
    if kinds == 1:
        return 0
    # The kernel returns the classes of two or more codes, the largest first.
    all_classes = (separation.unseparated([guess]) for guess in range(len(table.guesses)))
    class_size = min(len(classes[0]) if classes else 1 for classes in all_classes)
    return next(
        1 + later for later in count() if max(separation.num_answers) ** later >= class_size
    )


def find_prefixes(orbits: Orbits, size: int, pause: Callable[[], None]) -> list[list[int]]:
    """Return prefixes such that each set of `size` guesses has one of them, up to symmetry.

    The guesses of a set are in the order of their orbits. A prefix has `size` - 2 guesses, or fewer
    if longer prefixes would take too long to find (MAX_RENAMED_CELLS).
    """
    prefixes: list[list[int]] = [[]]
    num_guesses = len(orbits.orbit_of_guess)
    if max(orbits.orbit_of_guess) + 1 == num_guesses:  # no two guesses are equivalent
        return prefixes
    for length in range(1, size - 1):
        if (
            len(prefixes) * num_guesses * length * orbits.columns * orbits.renamings
            > MAX_RENAMED_CELLS
        ):
            break
        prefixes = orbits.extend(prefixes, pause)
    return prefixes
