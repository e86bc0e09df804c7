"""Puzzles of the fewest and the most rows, proven by complete search up to symmetry.

For one code, a guess excludes the codes with other scores. A puzzle for this code is a set of
guesses, without the code itself, that together exclude all other codes, while each excludes some
code that no other guess does: a minimal cover. Every subset of a minimal cover has the second
property, too. The search therefore builds sets guess by guess, and backtracks as soon as the others
exclude all codes that some guess excludes.
"""

from collections.abc import Callable, Iterator
from itertools import count, permutations

from mmsat._util.arguments import check_arguments
from mmsat._util.arrays import Array, np
from mmsat.errors import InputError, SizeError
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.row import Code, Row
from mmsat.limits import LIMITS
from mmsat.play.puzzle import Draft, Puzzle, solve
from mmsat.solving.isolation import run_with_progress
from mmsat.strategy.code_list import find_codes
from mmsat.strategy.game_value import group_codes
from mmsat.strategy.optimal.answer_table import AnswerTable

Progress = Callable[[int, int], None]
SETS_PER_REPORT = 1000
"""Number of sets of guesses between two progress reports."""


@check_arguments
def extreme_puzzle(
    game: Game | str,
    extreme: str,
    *,
    timeout: float | None = None,
    on_progress: Progress | None = None,
) -> Puzzle:
    """Find a puzzle with the fewest or the most rows that any puzzle of a game has.

    A puzzle is a board with exactly one code and no superfluous row, none of whose guesses is this
    code.

    Parameters
    ----------
    game : Game or str
        A game of up to 8,192 codes, or its size or name.
    extreme : {"fewest", "most"}
        Whether to find the fewest or the most rows.
    timeout : float, optional
        Time limit in seconds. By default, there is none.
    on_progress : callable, optional
        Called repeatedly with the number of rows of the best puzzle so far, 0 before the first one,
        and with the number of sets of guesses that were examined.

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
    One code of each class under exchanges of pegs and colors is tried. A complete search proves
    that no puzzle has fewer, or more, rows. The most rows of 3x6 take seconds.

    Examples
    --------
    >>> mmsat.extreme_puzzle("3x3", "fewest").board
    Board.parse('3x3/223=0.0')
    """
    return run_with_progress(
        timeout, on_progress, _find, game, extreme, work=f"the puzzle with the {extreme} rows"
    )


def _find(game: Game | str, extreme: str, on_progress: Progress) -> Puzzle:
    game = Game.of(game)
    if game.size > LIMITS.extreme_codes:
        smaller = f"a game of up to {LIMITS.extreme_codes:,} codes"
        raise SizeError.of(
            f"puzzles with the {extreme} rows", smaller, f"{game} with {game.size:,} codes"
        )
    best_cover: tuple[Covers, list[int]] | None = None
    examined = 0
    for covers in all_covers(AnswerTable.of(game)):
        rows = len(best_cover[1]) if best_cover else 0
        before = examined

        def note(found: int, sets: int, rows: int = rows, before: int = before) -> None:
            on_progress(found or rows, before + sets)

        cover = covers.most(rows, note) if extreme == "most" else covers.fewest(rows - 1, note)
        examined += covers.sets
        if cover:
            best_cover = covers, cover
    if best_cover is None:
        raise InputError.of(
            "the puzzle",
            "another game",
            str(game),
            "no set of other guesses leaves exactly one code",
        )
    draft = best_cover[0].draft(best_cover[1])
    return Puzzle(*draft, solve(draft))


def all_covers(table: AnswerTable) -> Iterator["Covers"]:
    """Yield, for one code of each class under symmetry, its sets of guesses."""
    for codes in group_codes(table.guesses, table.symmetries).values():
        yield Covers(table, codes[0])


class Covers:
    """The sets of guesses that leave one code. Guesses and codes are indices of the table."""

    def __init__(self, table: AnswerTable, code: Code) -> None:
        """Compute the codes that each guess excludes."""
        self.table, self.code = table, code
        answers = np.array(
            [np.frombuffer(table.answers(guess), "u1", table.size) for guess in range(table.size)]
        )
        is_out = answers != answers[:, [table.index_of[code]]]
        self.rules_out = [
            int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little")
            for row in is_out
        ]
        """For each guess, the excluded codes as a bit mask."""
        self.others = (1 << table.size) - 1 ^ 1 << table.index_of[code]
        code_index = table.index_of[code]
        first_guess: dict[int, int] = {}
        for guess in range(table.size):
            first_guess.setdefault(self.rules_out[guess] if guess != code_index else -1, guess)
        self.guesses = [guess for guess in first_guess.values() if guess != code_index]
        """The guesses, without duplicates that exclude the same codes."""
        representatives = [first_guess.get(out, code_index) for out in self.rules_out]
        self.renamings = np.unique(np.array(representatives)[find_renamings(table, code)], axis=0)
        self.sets = 0
        """Number of sets of guesses examined."""

    def most(self, rows: int = 0, note: Progress = lambda *_: None) -> list[int]:
        """Return a largest set in which each guess is needed, or [] if none exceeds `rows`."""
        self.best: list[int] = []
        self.rows, self.note = rows, note
        self._grow([], [], self.others, self.guesses, self.renamings)
        return self.best

    def _grow(
        self,
        chosen: list[int],
        own: list[int],
        uncovered: int,
        guesses: list[int],
        renamings: Array,
    ) -> None:
        """Add guesses to the chosen ones and keep the largest cover.

        `own` has, for each chosen guess, the codes that only this guess excludes. `uncovered` has
        the codes that no chosen guess excludes.
        """
        self._look(len(self.best))
        if not uncovered and len(chosen) > self.rows:
            self.best, self.rows = chosen, len(chosen)
        for guess, following, kept in self._choices(guesses, renamings):
            excluded = self.rules_out[guess]
            owned = [*(own_codes & ~excluded for own_codes in own), uncovered & excluded]
            still_uncovered = uncovered & ~excluded
            later = [
                other
                for other in following
                if still_uncovered & self.rules_out[other]
                and all(own_codes & ~self.rules_out[other] for own_codes in owned)
            ]
            if all(owned) and len(owned) + min(len(later), still_uncovered.bit_count()) > self.rows:
                self._grow([*chosen, guess], owned, still_uncovered, later, kept)

    def fewest(self, most: int = -1, note: Progress = lambda *_: None) -> list[int]:
        """Return a smallest set, or [] if it has more than `most` guesses.

        There is no limit if `most` is negative.
        """
        self.note = note
        sizes = count(1) if most < 0 else range(1, most + 1)
        excluded = 0
        for guess in self.guesses:
            excluded |= self.rules_out[guess]
        if not excluded or excluded != self.others:
            return []
        covers = (
            self._cover([], size, self.others, self.guesses, self.renamings) for size in sizes
        )
        return next(filter(None, covers), [])

    def _cover(
        self, chosen: list[int], further: int, uncovered: int, guesses: list[int], renamings: Array
    ) -> list[int]:
        """Return a set with `further` more guesses that excludes all codes, or []."""
        self._look(0)
        min_excluded = -(-uncovered.bit_count() // further)
        useful = [g for g in guesses if (self.rules_out[g] & uncovered).bit_count() >= min_excluded]
        if further == 1:
            return [*chosen, useful[0]] if useful else []
        for guess, _, kept in self._choices(useful, renamings):
            following = [other for other in guesses if other != guess]
            still_uncovered = uncovered & ~self.rules_out[guess]
            if found := self._cover(
                [*chosen, guess], further - 1, still_uncovered, following, kept
            ):
                return found
        return []

    def _choices(
        self, guesses: list[int], renamings: Array
    ) -> Iterator[tuple[int, list[int], Array]]:
        """Yield a guess of each orbit, the guesses that may follow, and the renamings that keep it.

        Sets with a guess of an earlier orbit are equivalent to sets that were examined before.
        """
        if len(renamings) == 1:
            for index, guess in enumerate(guesses, 1):
                yield guess, guesses[index:], renamings
            return
        remaining = guesses
        while remaining:
            guess, *following = remaining
            yield guess, following, renamings[renamings[:, guess] == guess]
            orbit = {*renamings[:, guess].tolist()}
            remaining = [other for other in following if other not in orbit]

    def _look(self, rows: int) -> None:
        self.sets += 1
        if self.sets % SETS_PER_REPORT == 0:
            self.note(rows, self.sets)

    def draft(self, chosen: list[int]) -> Draft:
        """Return the board of a set with its guesses in order, and a distractor per row.

        The distractor is the first code that violates only this row.
        """
        chosen = sorted(chosen)
        guesses = [self.table.guesses[guess] for guess in chosen]
        game = self.table.game
        board = Board(game, tuple(Row(guess, game.score(self.code, guess)) for guess in guesses))
        distractors = []
        for guess in chosen:
            own = self.others
            for other in chosen:
                own &= self.rules_out[other] if other == guess else ~self.rules_out[other]
            distractors.append(self.table.guesses[(own & -own).bit_length() - 1])
        return Draft(board, self.code, tuple(distractors))


def find_renamings(table: AnswerTable, code: Code) -> Array:
    """Return the exchanges of pegs and colors that keep a code, each as an array of code indices.

    Entry i is the index of the image of code i. If a guess is renamed as well, the codes that it
    excludes are renamed accordingly.
    """
    game, codes = table.game, np.array(table.guesses)
    pegs, colors, _ = table.symmetries
    renamings = []
    for peg_order in permutations(range(game.pegs)) if pegs else [tuple(range(game.pegs))]:
        moved_code = [code[peg] for peg in peg_order]
        color_map = dict(zip(moved_code, code, strict=True))
        is_kept = len({*zip(moved_code, code, strict=True)}) == len(color_map)
        if not (is_kept if colors else moved_code == [*code]):
            continue
        free = [color for color in range(game.colors) if color not in color_map]
        for images in permutations(free) if colors else [free]:
            color_of = color_map | dict(zip(free, images, strict=True))
            renamed = np.array([color_of[color] for color in range(game.colors)])
            renamings.append(find_codes(codes, game.colors, renamed[codes[:, peg_order]]))
    return np.unique(np.array(renamings), axis=0)
