"""Boards of the fewest and of the most rows, proven by complete search up to symmetry.

For one code, a guess rules out the codes that would score otherwise. A puzzle with this code is a
set of guesses, none of them the code, that together rule out all other codes, while each rules out
some that no other does: a minimal cover. Any part of it has that second property, too, so sets are
built guess by guess and left as soon as a guess has nothing of its own.
"""

from collections.abc import Callable, Iterator
from itertools import count, permutations

from mmsat.arguments import check_arguments
from mmsat.arrays import Array, np
from mmsat.board import Board
from mmsat.errors import InputError, SizeError
from mmsat.game.game import Game
from mmsat.game.row import Code, Row
from mmsat.limits import LIMITS
from mmsat.puzzles.draft import Draft
from mmsat.puzzles.make import solve
from mmsat.puzzles.puzzle import Puzzle
from mmsat.solving.executor import finish
from mmsat.strategy.code_list import find_codes
from mmsat.strategy.game_value import group_codes
from mmsat.strategy.optimal.answer_table import AnswerTable

Progress = Callable[[int, int], None]
LOOK = 1000
"""Sets of guesses between two tellings of progress."""


@check_arguments
def extreme_puzzle(
    game: Game | str,
    extreme: str,
    *,
    timeout: float | None = None,
    on_progress: Progress | None = None,
) -> Puzzle:
    """Find a puzzle of the fewest or the most rows that any puzzle of a game has.

    A puzzle is a board with exactly one code, none of whose guesses is this code, and of which no
    row can be left out. One code of each kind is tried, as pegs and colors may be exchanged; that
    no other board has fewer or more rows is proven by complete search. The most rows of 3x6 take
    seconds.

    - `game`: of up to some thousand codes.
    - `extreme`: "fewest" or "most".
    - `timeout`: seconds, None for no limit.
    - `on_progress`: called now and then with the rows of the best board, 0 for none yet, and with
      how many sets of guesses were looked at.

    Raises InputError if no guesses leave one code, SizeError for a larger game, and TimeLimitError
    after `timeout` seconds.
    """
    return finish(
        timeout, on_progress, _find, game, extreme, work=f"the puzzle of the {extreme} rows"
    )


def _find(game: Game | str, extreme: str, on_progress: Progress) -> Puzzle:
    game = Game.of(game)
    if game.size > LIMITS.extreme_codes:
        smaller = f"a game of up to {LIMITS.extreme_codes:,} codes"
        raise SizeError.of(f"puzzles of the {extreme} rows", smaller, f"{game} with {game.size:,}")
    best: tuple[Covers, list[int]] | None = None
    looked = 0
    for covers in all_covers(AnswerTable.of(game)):
        rows = len(best[1]) if best else 0
        before = looked

        def note(found: int, sets: int, rows: int = rows, before: int = before) -> None:
            on_progress(found or rows, before + sets)

        found = covers.most(rows, note) if extreme == "most" else covers.fewest(rows - 1, note)
        looked += covers.sets
        if found:
            best = covers, found
    if best is None:
        raise InputError.of(
            "the puzzle", "another game", str(game), "no other guesses leave one code"
        )
    draft = best[0].draft(best[1])
    return Puzzle(*draft, solve(draft))


def all_covers(table: AnswerTable) -> Iterator["Covers"]:
    """For one code of each kind, what guesses rule out."""
    for codes in group_codes(table.guesses, table.symmetries).values():
        yield Covers(table, codes[0])


class Covers:
    """The sets of guesses that leave one code; guesses and codes are numbers of the table."""

    def __init__(self, table: AnswerTable, code: Code) -> None:
        """Find what each guess rules out."""
        self.table, self.code = table, code
        answers = np.array(
            [np.frombuffer(table.answers(guess), "u1", table.size) for guess in range(table.size)]
        )
        is_out = answers != answers[:, [table.numbers[code]]]
        self.rules_out = [
            int.from_bytes(np.packbits(row, bitorder="little").tobytes(), "little")
            for row in is_out
        ]
        """For each guess, the codes as bits."""
        self.others = (1 << table.size) - 1 ^ 1 << table.numbers[code]
        own = table.numbers[code]
        first: dict[int, int] = {}
        for guess in range(table.size):
            first.setdefault(self.rules_out[guess] if guess != own else -1, guess)
        self.guesses = [guess for guess in first.values() if guess != own]
        """Those that rule out the same are taken once."""
        alike = [first.get(out, own) for out in self.rules_out]
        self.renamings = np.unique(np.array(alike)[find_renamings(table, code)], axis=0)
        self.sets = 0
        """Sets of guesses looked at."""

    def most(self, rows: int = 0, note: Progress = lambda *_: None) -> list[int]:
        """The largest set in which each guess is needed; none if it has no more than some rows."""
        self.best: list[int] = []
        self.rows, self.note = rows, note
        self._grow([], [], self.others, self.guesses, self.renamings)
        return self.best

    def _grow(
        self, chosen: list[int], own: list[int], left: int, guesses: list[int], renamings: Array
    ) -> None:
        """Add guesses; `own` is what only one of those chosen rules out, `left` what none does."""
        self._look(len(self.best))
        if not left and len(chosen) > self.rows:
            self.best, self.rows = chosen, len(chosen)
        for guess, following, kept in self._choices(guesses, renamings):
            out = self.rules_out[guess]
            owned = [*(each & ~out for each in own), left & out]
            rest = left & ~out
            later = [
                other
                for other in following
                if rest & self.rules_out[other]
                and all(each & ~self.rules_out[other] for each in owned)
            ]
            if all(owned) and len(owned) + min(len(later), rest.bit_count()) > self.rows:
                self._grow([*chosen, guess], owned, rest, later, kept)

    def fewest(self, most: int = -1, note: Progress = lambda *_: None) -> list[int]:
        """A smallest set; none if it has more than `most` guesses, where that is not negative."""
        self.note = note
        sizes = count(1) if most < 0 else range(1, most + 1)
        together = 0
        for guess in self.guesses:
            together |= self.rules_out[guess]
        if not together or together != self.others:
            return []
        found = (self._cover([], size, self.others, self.guesses, self.renamings) for size in sizes)
        return next(filter(None, found), [])

    def _cover(
        self, chosen: list[int], more: int, left: int, guesses: list[int], renamings: Array
    ) -> list[int]:
        """A set with so many guesses more that rules out all that is left."""
        self._look(0)
        least = -(-left.bit_count() // more)
        useful = [g for g in guesses if (self.rules_out[g] & left).bit_count() >= least]
        if more == 1:
            return [*chosen, useful[0]] if useful else []
        for guess, _, kept in self._choices(useful, renamings):
            following = [other for other in guesses if other != guess]
            rest = left & ~self.rules_out[guess]
            if found := self._cover([*chosen, guess], more - 1, rest, following, kept):
                return found
        return []

    def _choices(
        self, guesses: list[int], renamings: Array
    ) -> Iterator[tuple[int, list[int], Array]]:
        """One guess of each orbit, those that may follow, and the renamings that keep the guess.

        Sets with a guess of an earlier orbit have been looked at, up to renaming.
        """
        if len(renamings) == 1:
            for place, guess in enumerate(guesses, 1):
                yield guess, guesses[place:], renamings
            return
        left = guesses
        while left:
            guess, *following = left
            yield guess, following, renamings[renamings[:, guess] == guess]
            orbit = {*renamings[:, guess].tolist()}
            left = [other for other in following if other not in orbit]

    def _look(self, rows: int) -> None:
        self.sets += 1
        if self.sets % LOOK == 0:
            self.note(rows, self.sets)

    def draft(self, chosen: list[int]) -> Draft:
        """The board of a set, the guesses in order, with the first code that misses each row."""
        chosen = sorted(chosen)
        guesses = [self.table.guesses[guess] for guess in chosen]
        game = self.table.game
        board = Board(game, tuple(Row(guess, game.score(self.code, guess)) for guess in guesses))
        near = []
        for guess in chosen:
            own = self.others
            for other in chosen:
                own &= self.rules_out[other] if other == guess else ~self.rules_out[other]
            near.append(self.table.guesses[(own & -own).bit_length() - 1])
        return Draft(board, self.code, tuple(near))


def find_renamings(table: AnswerTable, code: Code) -> Array:
    """Exchanges of pegs and of colors that keep a code: a row each, with the new numbers of codes.

    They change nothing of what a guess rules out, once it is renamed too.
    """
    game, codes = table.game, np.array(table.guesses)
    pegs, colors, _ = table.symmetries
    rows = []
    for order in permutations(range(game.pegs)) if pegs else [tuple(range(game.pegs))]:
        moved = [code[peg] for peg in order]
        names = dict(zip(moved, code, strict=True))
        is_kept = len({*zip(moved, code, strict=True)}) == len(names)
        if not (is_kept if colors else moved == [*code]):
            continue
        free = [color for color in range(game.colors) if color not in names]
        for news in permutations(free) if colors else [free]:
            new = names | dict(zip(free, news, strict=True))
            renamed = np.array([new[color] for color in range(game.colors)])
            rows.append(find_codes(codes, game.colors, renamed[codes[:, order]]))
    return np.unique(np.array(rows), axis=0)
