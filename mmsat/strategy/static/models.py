"""Two methods to search for a static set of a given size: by guesses, and by columns.

`ByGuesses` is for any game. A table has all scores of the game, with equivalent guesses and codes
merged (`ScoreTable`). Sets of guesses that exchanges of pegs and colors map to each other are
searched once (`find_orbits`).

`ByColumns` is for two colors with black pegs only. It searches column by column: a column has the
colors of one peg in all guesses (_core/separation/columns.hpp).
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count, pairwise
from math import comb

from mmsat._core import Columns, Names, Orbits, Separation
from mmsat._util.arrays import Array, np
from mmsat.errors import InternalError, SizeError
from mmsat.game.game import Game
from mmsat.game.row import Code
from mmsat.strategy.answers import compute_answers, kernel_form
from mmsat.strategy.code_list import all_codes, exchange, find_codes

MAX_CODES = 1 << 13
"""Maximum number of codes of a game for a table of scores, which needs two bytes per pair, and two
copies."""
MAX_ALL_PEGS = MAX_COLORS = 254
"""Maximum numbers of pegs and colors of a game for a table of scores."""
GUESSES_PER_STEP = 64
"""Number of guesses that are scored at a time."""


class ScoreTable:
    """The scores of a game as numbers; only their equality is significant."""

    def __init__(self, game: Game) -> None:
        """Score all pairs of codes; raise SizeError if the game exceeds the limits above."""
        if game.size > MAX_CODES or game.pegs > MAX_ALL_PEGS or game.colors > MAX_COLORS:
            raise SizeError.of(
                "sets of guesses",
                f"a game of up to {MAX_CODES:,} codes, {MAX_ALL_PEGS} pegs and {MAX_COLORS} colors",
                f"{game} with {game.size:,} codes",
            )
        self.game = game
        self.codes = all_codes(game)
        answers = np.empty((len(self.codes), len(self.codes)), dtype=np.uint16)
        for start in range(0, len(self.codes), GUESSES_PER_STEP):
            guesses = self.codes[start : start + GUESSES_PER_STEP].tolist()
            for row, scores in enumerate(compute_answers(game, self.codes, guesses), start):
                is_packed = kernel_form(game) is None  # packed scores may exceed 16 bits
                answers[row] = np.unique(scores, return_inverse=True)[1] if is_packed else scores
        full_separation = Separation(answers)
        self.first_guesses = np.array(full_separation.first_guesses)
        self.first_codes = np.array(full_separation.first_codes)
        del full_separation
        self.guesses = np.unique(self.first_guesses)
        """The first guess of each group of guesses that make the same classes, by number."""
        self.kinds = np.unique(self.first_codes)
        """The first code of each group of codes that no guess distinguishes, by number."""
        merged_answers = answers[np.ix_(self.guesses, self.kinds)]
        self.separation = Separation(np.ascontiguousarray(merged_answers))

    def spell(self, guesses: Sequence[int]) -> tuple[Code, ...]:
        """Return the guesses with the given numbers, in lexicographic order."""
        return tuple(sorted(map(tuple, self.codes[self.guesses[list(guesses)]].tolist())))


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


MAX_PEGS = 14
"""Maximum number of pegs for `ByColumns`; the kernel supports no more columns."""
MAX_PEGS_OF_EIGHT = 13
"""Maximum number of pegs of two colors for which eight guesses are enough; nine are enough for 14
pegs."""


def is_suited(game: Game) -> bool:
    """Return whether a game has two colors and black scores only, and any code may be guessed."""
    return game.colors == 2 and game.size == 2**game.pegs and game.parts == ("black",)


class ByColumns:
    """Finds guesses that distinguish all codes, by complete search only."""

    suffix = " by columns"
    """Suffix of the names of its stages in a checkpoint file."""

    def __init__(self, game: Game) -> None:
        """Compute the counting bound; raise SizeError if the game has too many pegs."""
        if game.pegs > MAX_PEGS:
            limit = f"up to {MAX_PEGS} pegs of two colors with black scores"
            raise SizeError.of("sets of guesses", limit, str(game))
        self.game = game
        self.kinds = game.size
        self.enough = min(game.pegs, 8 if game.pegs <= MAX_PEGS_OF_EIGHT else 9)
        """A number of guesses for which a set is known to exist, and is found at once."""
        largest_class = comb(game.pegs, game.pegs // 2)
        self.counting_bound = next(
            1 + later for later in count() if (game.pegs + 1) ** later >= largest_class
        )
        """No set has fewer guesses. The first guess leaves a class of `largest_class` codes, and
        each later guess has only `pegs + 1` different scores."""
        self.nodes = 0
        self._columns: Columns | None = None

    @property
    def done(self) -> float:
        """The fraction of the present search that is done."""
        return self._columns.done if self._columns else 0.0

    def find(
        self, size: int, _codes: int, _seed: int, pause: Callable[[], None]
    ) -> tuple[Code, ...] | None:
        """Return `size` guesses that distinguish all codes, if that many are known to be enough.

        Otherwise return None, as this method has no local search.
        """
        return self.complete(size, 0, lambda _: pause()) if size >= self.enough else None

    def complete(
        self, size: int, skipped: int, note: Callable[[int], None]
    ) -> tuple[Code, ...] | None:
        """Return `size` guesses that distinguish all codes, or None if impossible.

        Skips the first `skipped` prefixes (sets of a few columns). `note` is called now and then
        with the number of prefixes done.
        """
        self._columns = columns = Columns(size)
        base_nodes = self.nodes

        def look() -> None:
            self.nodes = base_nodes + columns.nodes
            note(max(skipped, columns.beginnings))

        column_numbers = columns.find(self.game.pegs, skipped, look)
        self._columns = None
        look()
        if not column_numbers:
            return None
        # Bit r of a column is the color of its peg in guess r + 1; guess 0 has color 0 everywhere.
        guesses = 2 * np.array(column_numbers) >> np.arange(size)[:, np.newaxis] & 1
        scores = (all_codes(self.game)[:, np.newaxis] == guesses).sum(axis=2)
        if len(np.unique(scores, axis=0)) < self.game.size:
            message = (
                f"guesses of columns {column_numbers} do not distinguish the codes of {self.game}"
            )
            raise InternalError(message)
        return tuple(sorted(map(tuple, guesses.tolist())))


MAX_RENAMED_CELLS = 200_000_000
"""Maximum number of renamed cells in the search for longer prefixes of sets up to symmetry."""


class ByGuesses:
    """Finds guesses that distinguish all codes, by local search and by complete search."""

    suffix = ""
    """Suffix of the names of its stages in a checkpoint file."""

    def __init__(self, game: Game) -> None:
        """Score all pairs of codes, and compute the counting bound.

        Raises SizeError if the game is too large.
        """
        self.table = ScoreTable(game)
        self.separation = self.table.separation
        self.kinds = len(self.table.kinds)
        self.enough = self.kinds - 1
        """A number of guesses for which a set exists, as each of them can split off another kind of
        code."""
        self.counting_bound = count_guesses(self.table)
        self._begun: tuple[int, int] | None = None
        """The number of prefixes that are done, and the number of all prefixes."""

    @property
    def nodes(self) -> int:
        """Number of sets that complete searches have processed."""
        return self.separation.nodes

    @property
    def done(self) -> float:
        """The fraction of the present complete search that is done."""
        if self._begun is None:
            return 0.0
        done_prefixes, all_prefixes = self._begun
        return (done_prefixes + self.separation.done) / all_prefixes

    def find(
        self, size: int, codes: int, seed: int, pause: Callable[[], None]
    ) -> tuple[Code, ...] | None:
        """Return `size` guesses found by a local search that scores about `codes` codes.

        Returns None if the search fails.
        """
        return self._spell(self.separation.anneal(size, codes // self.kinds, seed, pause))

    def complete(
        self, size: int, skipped: int, note: Callable[[int], None]
    ) -> tuple[Code, ...] | None:
        """Return at most `size` guesses that distinguish all codes, or None if impossible.

        Skips the first `skipped` prefixes. `note` is called now and then with the number of
        prefixes done.
        """
        orbits = find_orbits(self.table)
        prefixes = find_prefixes(orbits, size, lambda: note(skipped))
        kinds = orbits.kinds
        following = [
            [guess for guess, guess_kind in enumerate(kinds) if guess_kind >= kind]
            for kind in range(max(kinds) + 1)
        ]
        for number, prefix in enumerate(prefixes[skipped:], skipped):
            self._begun = number, len(prefixes)
            note(number)
            last_kind = kinds[prefix[-1]] if prefix else 0
            missing = size - len(prefix)
            guess_numbers = self.separation.complete(
                prefix, missing, following[last_kind], partial(note, number)
            )
            if guess_numbers:
                return self._spell(guess_numbers)
        self._begun = None
        note(len(prefixes))
        return None

    def _spell(self, guesses: list[int]) -> tuple[Code, ...] | None:
        """Return the guesses if they distinguish all codes, else None."""
        return None if self.separation.together(guesses) else self.table.spell(guesses)


def count_guesses(table: ScoreTable) -> int:
    """Return the counting bound: no set of guesses that distinguishes all codes is smaller.

    The first guess leaves a class that is at least as large as the smallest of the largest classes
    of all guesses. Each later guess splits a class into at most as many parts as it has different
    scores.
    """
    separation, kinds = table.separation, len(table.kinds)
    if kinds == 1:
        return 0
    classes = (separation.together([guess]) for guess in range(len(table.guesses)))
    class_size = min(len(largest_first[0]) if largest_first else 1 for largest_first in classes)
    return next(1 + later for later in count() if max(separation.parts) ** later >= class_size)


def find_prefixes(orbits: Orbits, size: int, pause: Callable[[], None]) -> list[list[int]]:
    """Return sets such that any set of `size` guesses begins with one of them, up to symmetry.

    The guesses of a set are in the order of their kinds. Prefixes are two guesses short of the
    size, or more if longer ones would take long to find.
    """
    prefixes: list[list[int]] = [[]]
    guesses = len(orbits.kinds)
    if max(orbits.kinds) + 1 == guesses:  # no two guesses are equivalent
        return prefixes
    for length in range(1, size - 1):
        if len(prefixes) * guesses * length * orbits.columns * orbits.renamings > MAX_RENAMED_CELLS:
            break
        prefixes = orbits.extend(prefixes, pause)
    return prefixes
