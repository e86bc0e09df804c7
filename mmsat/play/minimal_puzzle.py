"""Puzzles with the fewest and the most rows, proven by a complete search up to symmetry.

For a given code, a guess excludes the codes that would give it another score. A puzzle for this
code is a set of guesses, without the code itself, that together exclude all other codes. Each guess
must exclude a code that no other guess of the set excludes. Such a set is a *minimal cover* (of the
excluded codes). In each subset of a minimal cover, too, each guess excludes a code that no other
guess of the subset excludes. The search therefore builds sets guess by guess, and backtracks as
soon as a guess of a set excludes no code of its own.
"""

from collections.abc import Callable, Iterator
from itertools import count, permutations

from mmsat._util import Array, np
from mmsat._util.arguments import check_arguments
from mmsat.errors import InputError, SizeError
from mmsat.game import Code, Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.limits import LIMITS
from mmsat.play.puzzle import Draft, Puzzle, solve
from mmsat.solving.deadline import run_with_progress
from mmsat.strategy.answers import find_codes
from mmsat.strategy.game_value import group_codes
from mmsat.strategy.optimal import AnswerTable

Progress = Callable[[int, int], None]
"""Progress callback; see `on_progress` of `minimal_puzzle`."""
SETS_PER_REPORT = 1000
"""Number of sets of guesses between two progress reports."""


@check_arguments
def minimal_puzzle(
    game: Game | str,
    extreme: str,
    *,
    timeout: float | None = None,
    on_progress: Progress | None = None,
) -> Puzzle:
    """Find a puzzle of a game that has the fewest or the most rows.

    A puzzle is a board with exactly one code and no superfluous row. No guess is this code.

    Parameters
    ----------
    game : Game or str
        A game of up to 8,192 codes, or its size or name.
    extreme : {"fewest", "most"}
        Whether to find the fewest or the most rows.
    timeout : float, optional
        Time limit in seconds; unlimited by default.
    on_progress : callable, optional
        Called repeatedly with the number of rows of the best puzzle so far, which is 0 before the
        first puzzle, and with the number of sets of guesses that were examined.

    Returns
    -------
    Puzzle
        The puzzle, with its solution.

    Raises
    ------
    InputError
        If no guesses leave exactly one code, or if an argument is invalid.
    SizeError
        If the game has too many codes.
    TimeLimitError
        If the search is not finished within `timeout`.

    Notes
    -----
    Of the codes that exchanges of pegs and colors map to each other, only one is examined. The
    complete search proves that no puzzle has fewer, or more, rows. The most rows of 3x6 are found
    in seconds.

    Examples
    --------
    >>> mmsat.minimal_puzzle("3x3", "fewest").board
    Board.parse('3x3/223=0.0')
    """
    return run_with_progress(
        timeout, on_progress, _find, game, extreme, task_name=f"the puzzle with the {extreme} rows"
    )


def _find(game: Game | str, extreme: str, on_progress: Progress) -> Puzzle:
    """Return the puzzle of `minimal_puzzle`: the best cover over one code of each orbit."""
    game = Game.of(game)
    if game.size > LIMITS.extreme_codes:
        smaller = f"a game of up to {LIMITS.extreme_codes:,} codes"
        raise SizeError.of(
            f"puzzles with the {extreme} rows", smaller, f"{game} with {game.size:,} codes"
        )
    best: tuple[CoverSearch, list[int]] | None = None
    num_examined = 0
    for search in cover_searches(AnswerTable.of(game)):
        best_rows = len(best[1]) if best else 0

        def report(
            new_rows: int, num_sets: int, best_rows: int = best_rows, num_before: int = num_examined
        ) -> None:
            on_progress(new_rows or best_rows, num_before + num_sets)

        # Only covers that are better than those of earlier codes are of interest.
        if extreme == "most":
            cover = search.find_largest(best_rows, report)
        else:
            cover = search.find_smallest(best_rows - 1 if best else None, report)
        num_examined += search.num_sets
        if cover:
            best = search, cover
    if best is None:
        raise InputError.of(
            "the puzzle",
            "another game",
            str(game),
            "no set of other guesses leaves exactly one code",
        )
    search, cover = best
    draft = search.draft(cover)
    return Puzzle(*draft, solve(draft))


def cover_searches(table: AnswerTable) -> Iterator["CoverSearch"]:
    """Yield the search for one code of each orbit under exchanges of pegs and colors."""
    for codes in group_codes(table.guesses, table.symmetries).values():
        yield CoverSearch(table, codes[0])


class CoverSearch:
    """Search for minimal covers for one code. Guesses and codes are indices of the table."""

    def __init__(self, table: AnswerTable, code: Code) -> None:
        """Compute the codes that each guess excludes."""
        self.table, self.code = table, code
        answers = np.array(
            [np.frombuffer(table.answers(guess), "u1", table.size) for guess in range(table.size)]
        )
        is_excluded = answers != answers[:, [table.index_of[code]]]
        self.excluded_by = [
            int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little")
            for row in is_excluded
        ]
        """For each guess, the codes that it excludes as a bit mask."""
        code_index = table.index_of[code]
        all_codes = (1 << table.size) - 1
        self.other_codes = all_codes ^ (1 << code_index)
        """All codes except this one, as a bit mask."""
        # The first guess that excludes the codes of each mask. The code itself must not be guessed,
        # so it has the key -1, which is not a mask.
        first_guess: dict[int, int] = {}
        for guess in range(table.size):
            first_guess.setdefault(self.excluded_by[guess] if guess != code_index else -1, guess)
        self.guesses = [guess for guess in first_guess.values() if guess != code_index]
        """The guesses, without duplicates that exclude the same codes."""
        # For each guess, the one in `self.guesses` that excludes the same codes. For the code, this
        # is the code itself, unless another guess excludes all other codes.
        representatives = [first_guess.get(mask, code_index) for mask in self.excluded_by]
        self.symmetries = np.unique(np.array(representatives)[find_symmetries(table, code)], axis=0)
        """The symmetries that keep the code, as arrays of the images of all guesses."""
        self.num_sets = 0
        """Number of sets of guesses that were examined."""
        self.best: list[int] = []
        """The largest minimal cover so far."""
        self.best_rows = 0
        """Only covers of more guesses are stored in `best`."""
        self.report: Progress = lambda *_: None

    def find_largest(self, best_rows: int = 0, report: Progress = lambda *_: None) -> list[int]:
        """Return a largest minimal cover, or [] if none has more than `best_rows` guesses."""
        self.best, self.best_rows, self.report = [], best_rows, report
        self._grow([], [], self.other_codes, self.guesses, self.symmetries)
        return self.best

    def _grow(
        self,
        chosen: list[int],
        own_codes: list[int],
        uncovered: int,
        guesses: list[int],
        symmetries: Array,
    ) -> None:
        """Add guesses to the chosen guesses, and store the largest cover in `self.best`.

        `own_codes` has, for each chosen guess, the mask of the codes that only this guess excludes.
        `uncovered` is the mask of the codes that no chosen guess excludes. `guesses` may be added,
        and `symmetries` are those that keep each chosen guess.
        """
        self._count_set(len(self.best))
        if not uncovered and len(chosen) > self.best_rows:
            self.best, self.best_rows = chosen, len(chosen)
        for guess, following, kept_symmetries in self._choices(guesses, symmetries):
            excluded = self.excluded_by[guess]
            new_own_codes = [*(codes & ~excluded for codes in own_codes), uncovered & excluded]
            still_uncovered = uncovered & ~excluded
            later = [
                other
                for other in following
                if still_uncovered & self.excluded_by[other]
                and all(codes & ~self.excluded_by[other] for codes in new_own_codes)
            ]
            # Each further guess must exclude a further code.
            max_rows = len(new_own_codes) + min(len(later), still_uncovered.bit_count())
            if all(new_own_codes) and max_rows > self.best_rows:
                self._grow([*chosen, guess], new_own_codes, still_uncovered, later, kept_symmetries)

    def find_smallest(
        self, max_rows: int | None = None, report: Progress = lambda *_: None
    ) -> list[int]:
        """Return a smallest cover, or [] if it has more than `max_rows` guesses (None: no limit).

        A smallest cover is minimal.
        """
        self.report = report
        sizes = count(1) if max_rows is None else range(1, max_rows + 1)
        excluded = 0
        for guess in self.guesses:
            excluded |= self.excluded_by[guess]
        if not excluded or excluded != self.other_codes:
            return []
        covers = (
            self._cover([], size, self.other_codes, self.guesses, self.symmetries) for size in sizes
        )
        return next(filter(None, covers), [])

    def _cover(
        self,
        chosen: list[int],
        num_further: int,
        uncovered: int,
        guesses: list[int],
        symmetries: Array,
    ) -> list[int]:
        """Return the chosen guesses with `num_further` others that form a cover, or [].

        The arguments are as in `_grow`.
        """
        self._count_set(0)
        min_excluded = -(-uncovered.bit_count() // num_further)
        useful = [
            guess
            for guess in guesses
            if (self.excluded_by[guess] & uncovered).bit_count() >= min_excluded
        ]
        if num_further == 1:
            return [*chosen, useful[0]] if useful else []
        # In a cover, some guess excludes at least the average number of uncovered codes. Only such
        # guesses are tried next; guesses with fewer codes can follow later.
        for guess, _, kept_symmetries in self._choices(useful, symmetries):
            following = [other for other in guesses if other != guess]
            still_uncovered = uncovered & ~self.excluded_by[guess]
            if cover := self._cover(
                [*chosen, guess], num_further - 1, still_uncovered, following, kept_symmetries
            ):
                return cover
        return []

    def _choices(
        self, guesses: list[int], symmetries: Array
    ) -> Iterator[tuple[int, list[int], Array]]:
        """Yield the first guess of each orbit, the later guesses, and the symmetries that keep it.

        Guesses of earlier orbits are omitted, because sets with them are equivalent to sets that
        were examined before.
        """
        if len(symmetries) == 1:
            for index, guess in enumerate(guesses, 1):
                yield guess, guesses[index:], symmetries
            return
        remaining = guesses
        while remaining:
            guess, *following = remaining
            yield guess, following, symmetries[symmetries[:, guess] == guess]
            orbit = {*symmetries[:, guess].tolist()}
            remaining = [other for other in following if other not in orbit]

    def _count_set(self, rows: int) -> None:
        """Count an examined set; now and then, report the number of rows of the best cover."""
        self.num_sets += 1
        if self.num_sets % SETS_PER_REPORT == 0:
            self.report(rows, self.num_sets)

    def draft(self, chosen: list[int]) -> Draft:
        """Return the board with the chosen guesses in order, and a distractor for each row.

        The distractor is the first code that violates only this row.
        """
        chosen = sorted(chosen)
        guesses = [self.table.guesses[guess] for guess in chosen]
        game = self.table.game
        board = Board(game, tuple(Row(guess, game.score(self.code, guess)) for guess in guesses))
        distractors = []
        for guess in chosen:
            own_codes = self.other_codes
            for other in chosen:
                excluded = self.excluded_by[other]
                own_codes &= excluded if other == guess else ~excluded
            lowest_bit = own_codes & -own_codes
            distractors.append(self.table.guesses[lowest_bit.bit_length() - 1])
        return Draft(board, self.code, tuple(distractors))


def find_symmetries(table: AnswerTable, code: Code) -> Array:
    """Return the symmetries of pegs and colors that keep a code, each as an array of code indices.

    The entry of a code is the index of its image. The image of a guess excludes the images of the
    codes that the guess excludes.
    """
    game, codes = table.game, np.array(table.guesses)
    are_pegs_alike, are_colors_alike, _ = table.symmetries
    all_pegs = tuple(range(game.pegs))
    symmetries = []
    for peg_order in permutations(all_pegs) if are_pegs_alike else [all_pegs]:
        moved_code = [code[peg] for peg in peg_order]
        color_map = dict(zip(moved_code, code, strict=True))
        # Whether a renaming of colors restores the code, so that each color has only one image.
        is_restorable = len({*zip(moved_code, code, strict=True)}) == len(color_map)
        if not (is_restorable if are_colors_alike else moved_code == [*code]):
            continue
        # The colors that are not in the code can be permuted freely.
        free = [color for color in range(game.colors) if color not in color_map]
        for images in permutations(free) if are_colors_alike else [free]:
            color_of = color_map | dict(zip(free, images, strict=True))
            renamed = np.array([color_of[color] for color in range(game.colors)])
            symmetries.append(find_codes(codes, game.colors, renamed[codes[:, peg_order]]))
    return np.unique(np.array(symmetries), axis=0)
