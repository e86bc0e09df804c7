"""What every guess is answered by every code, and which pegs and colors are interchangeable."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from mmsat._core import IMPOSSIBLE, Form, Optimal, Response, Scored
from mmsat.arrays import Array, np
from mmsat.errors import InternalError, SizeError
from mmsat.frozen import frozen
from mmsat.game.game import Game
from mmsat.game.row import Code, Score
from mmsat.strategy.answers import decode_answer, kernel_form, pad_length, tabulate_answers
from mmsat.strategy.code_list import all_codes, as_array, exchange, find_codes, iterate_codes
from mmsat.strategy.optimal.hard_table import tabulate_hard_mode
from mmsat.strategy.tree import Node

_Answers = tuple[memoryview, int, memoryview, memoryview, int, bool, bool, bool]


MOST_CODES = 1 << 15
"""Codes and other guesses of a game that is searched; their answers take a byte a pair."""
MOST_PEGS, MOST_COLORS = 16, 255
"""Pegs and colors of a game that is searched."""
MOST_ANSWERS = 254
"""Scores of a game that is searched ..."""
MOST_WEIGHED = 64
"""... and where codes have weights."""
LARGER = "mmsat analyze has strategies for larger games"
"""What to do with a game that is too large."""
PROBES = 64
"""Guesses on which it is tested that pegs and colors are interchangeable."""
SLICE = 0.1
"""Seconds between two looks at a search."""


class Symmetries(NamedTuple):
    """What may be exchanged without a change of the game."""

    pegs: bool
    """The order of pegs, in all codes alike."""
    colors: bool
    """The names of colors."""
    same_answers: bool
    """Whether an exchange of pegs leaves every answer what it is, and does not exchange answers."""


NOTHING_ALIKE = Symmetries(pegs=False, colors=False, same_answers=False)


@frozen
class AnswerTable:
    """The answers of a game, numbered; the last one wins. Codes are guesses, too."""

    game: Game
    guesses: tuple[Code, ...]
    """All codes in order, and then the other guesses."""
    size: int
    """The number of codes."""
    by_code: bytes | bytearray
    """For each code, the number of each guess's answer: rows, padded to a multiple of 64.

    Where nothing else is guessed, and in hard mode, other guesses have their answers, too."""
    by_guess: bytes | bytearray
    """The same, for each guess the answers to the codes."""
    scores: tuple[Score, ...]
    """By number."""
    symmetries: Symmetries
    is_hard: bool = False
    """Whether each guess has to use what is known."""
    __eq__, __hash__ = object.__eq__, object.__hash__  # megabytes are not compared

    @cached_property
    def numbers(self) -> dict[Code, int]:
        """The number of each code."""
        return {code: number for number, code in enumerate(self.guesses)}

    def answers(self, guess: int) -> bytes | bytearray:
        """The answers of all codes to a guess."""
        start = guess * pad_length(len(self.guesses))
        return self.by_guess[start : start + self.size]

    @cached_property
    def tells_all(self) -> bool:
        """Whether only the code itself gets the score that wins."""
        win = len(self.scores) - 1
        wins = sum(self.answers(guess).count(win) for guess in range(len(self.guesses)))
        return wins == self.size

    def merge(self) -> tuple[AnswerTable, list[int]]:
        """The first of all codes that get the same scores, and how many each stands for."""
        by_code, by_guess = (
            np.frombuffer(cells, dtype=np.uint8).reshape(self.size, -1)
            for cells in (self.by_code, self.by_guess)
        )
        same: dict[bytes, list[int]] = {}
        for number, row in enumerate(by_code[:, : self.size]):
            same.setdefault(row.tobytes(), []).append(number)
        firsts = [numbers[0] for numbers in same.values()]
        padding = (0, 0), (0, pad_length(len(firsts)) - len(firsts))
        merged = AnswerTable(
            self.game,
            tuple(self.guesses[first] for first in firsts),
            len(firsts),
            np.pad(by_code[np.ix_(firsts, firsts)], padding).tobytes(),
            np.pad(by_guess[np.ix_(firsts, firsts)], padding).tobytes(),
            self.scores,
            NOTHING_ALIKE,
        )
        return merged, [*map(len, same.values())]

    def search(self, **options: Any) -> Optimal:
        """The kernel's search for the least total over these answers."""
        if self.size < len(self.guesses):
            options.setdefault("possible", range(self.size))
        if self.is_hard:
            options["kinds"], options["follows"] = self._hard_mode
        return Optimal(*self._arguments, **options)

    @cached_property
    def _hard_mode(self) -> tuple[list[int], Array]:
        many = len(self.guesses)
        answers = np.frombuffer(self.by_guess, dtype=np.uint8).reshape(many, -1)[:, :many]
        return tabulate_hard_mode(self.game, self.guesses, answers, self.scores)

    def search_response(
        self,
        kinds: Sequence[int],
        weights: Sequence[int],
        pause: Callable[[], None] | None = None,
    ) -> Response:
        """The kernel's search where codes of a kind, by number, have its weight.

        Raises SizeError for a game of more than 64 scores.
        """
        if len(self.scores) > MOST_WEIGHED:
            fewer = f"a game of up to {MOST_WEIGHED} scores"
            raise SizeError.of("weights of codes", fewer, f"{self.game} with {len(self.scores)}")
        return Response(*self._arguments, kinds, weights, pause)

    @property
    def _arguments(self) -> _Answers:
        """What the searches of the kernel read."""
        codes = memoryview(b"".join(map(bytes, self.guesses)))
        shape = len(self.guesses), pad_length(len(self.guesses))
        return (
            codes.cast("B", (len(self.guesses), self.game.pegs)),
            self.game.colors,
            memoryview(self.by_code).cast("B", shape),
            memoryview(self.by_guess).cast("B", shape),
            len(self.scores),
            *self.symmetries,
        )

    def build_tree(self, guesses: Sequence[int], possible: Sequence[int] = ()) -> Node:
        """The tree of guesses that stand from the root down, classes in order of their answers.

        `possible` are the codes that are left at the root; all of them where there are none.
        """
        win = len(self.scores) - 1
        following = iter(guesses)

        def build(left: Sequence[int]) -> Node:
            guess = next(following)
            answers = self.answers(guess)
            classes: dict[int, list[int]] = {}
            for code in left:
                classes.setdefault(answers[code], []).append(code)
            node = Node(self.guesses[guess], len(classes.pop(win, ())))
            for answer in sorted(classes):
                node.branches[self.scores[answer]] = build(classes[answer])
            return node

        return build(possible or range(self.size))

    @classmethod
    def of(cls, game: Game, others: Iterable[Code] = (), *, is_hard: bool = False) -> AnswerTable:
        """Score all pairs, of other guesses as well.

        Raises SizeError for a game beyond the limits above, and InputError for guesses that the
        game has not.
        """
        if game.size > MOST_CODES:
            smaller, found = f"a game of up to {MOST_CODES:,} codes", f"{game} with {game.size:,}"
            raise SizeError.of("optimal play", smaller, found, LARGER)
        if game.pegs > MOST_PEGS or game.colors > MOST_COLORS:
            smaller = f"a game of up to {MOST_PEGS} pegs and {MOST_COLORS} colors"
            found = f"{game} with {game.pegs} and {game.colors}"
            raise SizeError.of("optimal play", smaller, found, LARGER)
        codes = tuple(iterate_codes(game))
        guesses = codes + list_others(game, others)
        if len(guesses) > MOST_CODES:
            raise SizeError.of("optimal play", f"up to {MOST_CODES:,} guesses", f"{len(guesses):,}")
        form = kernel_form(game)
        by_code, by_guess, scores = (
            _tabulate(game, guesses, None if is_hard else len(codes))
            if form is None
            else _score_pairs(game, form, guesses)
        )
        if len(scores) > MOST_ANSWERS:
            fewer, found = f"a game of up to {MOST_ANSWERS} scores", f"{game} with {len(scores)}"
            raise SizeError.of("optimal play", fewer, found, LARGER)
        if is_hard or len(guesses) > len(codes):
            symmetries = NOTHING_ALIKE
        elif form is not None and game.space.table() is None:  # sums over pegs
            colors = game.scoring.are_colors_alike
            symmetries = Symmetries(pegs=True, colors=colors, same_answers=True)
        else:
            symmetries = probe_symmetries(game, by_code)
        return cls(game, guesses, len(codes), by_code, by_guess, scores, symmetries, is_hard)


def list_others(game: Game, guesses: Iterable[Code]) -> tuple[Code, ...]:
    """Return the guesses that are not codes, sorted and without duplicates.

    Raises InputError for guesses that the game does not allow.
    """
    others = sorted({*game.require_guesses(guesses, "the guesses")})
    return tuple(guess for guess in others if not game.contains(guess))


def run_search(search: Optimal) -> tuple[int, list[int]]:
    """The least total of a search, and its tree: guesses from the root down.

    Where the search gave up, they are the least that it found; no tree where that is none.
    """
    try:
        search.start(IMPOSSIBLE)
        _wait(search)
        total = min(search.total, search.standing[0])
        if total == IMPOSSIBLE:
            return total, []
        search.start_tree(total)
        _wait(search)
        return total, search.tree
    finally:
        search.stop()


def _wait(search: Optimal) -> None:
    while not search.wait(SLICE):  # a slice at a time, so that Ctrl-C is heard
        pass


_Tables = tuple[bytes | bytearray, bytes | bytearray, tuple["Score", ...]]
"""By code, by guess, and the scores: those that occur, in order, the win last."""


def _score_pairs(game: Game, form: Form, codes: Sequence[Code]) -> _Tables:
    """Score all pairs by the kernel; a score of two codes is the same either way round."""
    many = len(codes)
    if many == 1:
        return bytes(pad_length(1)), bytes(pad_length(1)), (decode_answer(game, form.win),)
    answers = sorted(
        form.answers, key=lambda answer: (answer == form.win, decode_answer(game, answer))
    )
    numbering = bytearray(256)
    for number, answer in enumerate(answers):
        numbering[answer] = number
    packed = [*map(bytes, codes)]
    scored = Scored(form, memoryview(b"".join(packed)).cast("B", (many, game.pegs)))
    out = array("H", bytes(2 * many))
    low = 0 if sys.byteorder == "little" else 1
    missing = [*range(len(answers))]
    padding = bytes(pad_length(many) - many)
    rows: list[bytes] = []
    for guess in packed:
        scored.score(guess, out)
        row = out.tobytes()[low::2].translate(numbering)
        missing = [number for number in missing if number not in row]
        rows += row, padding
    table = b"".join(rows)
    occurring = [number for number in range(len(answers)) if number not in missing]
    if missing:
        renumbering = bytearray(256)
        for place, number in enumerate(occurring):
            renumbering[number] = place
        table = table.translate(renumbering)
    return table, table, tuple(decode_answer(game, answers[number]) for number in occurring)


def _tabulate(game: Game, guesses: Sequence[Code], possible: int | None) -> _Tables:
    """Score all pairs by the plain scorer, or those with the codes that are possible."""
    codes = as_array(game, guesses)
    win = game.score(guesses[0], guesses[0])
    left = None if possible is None else np.arange(possible)
    table, numbers = tabulate_answers(game, codes, left)
    scores = tuple(sorted(numbers, key=lambda score: (score == win, score)))
    if len(scores) > MOST_ANSWERS:
        return b"", b"", scores
    renumbering = np.zeros(len(scores), dtype=np.uint8)
    for number, score in enumerate(scores):
        renumbering[numbers[score]] = number
    by_code = renumbering[table]
    by_guess = np.zeros_like(by_code)
    by_guess[:, : len(codes)] = by_code[:, : len(codes)].T
    return by_code.tobytes(), by_guess.tobytes(), scores


def probe_symmetries(game: Game, by_code: bytes | bytearray) -> Symmetries:
    """Test, on some guesses, what exchanging neighbors changes; a list of words has no symmetry.

    That colors are alike is the word of the kind of scoring, and only tested.
    """
    if game.space.table() is not None:
        return NOTHING_ALIKE
    codes = all_codes(game)
    table = np.frombuffer(by_code, dtype=np.uint8).reshape(len(codes), -1)
    pegs = [
        _compare(codes, table, game.colors, codes[:, exchange(game.pegs, *pair)])
        for pair in pairwise(range(game.pegs))
    ]
    if game.scoring.are_colors_alike:
        for pair in pairwise(range(game.colors)):
            renamed = np.array(exchange(game.colors, *pair), dtype=codes.dtype)[codes]
            if _compare(codes, table, game.colors, renamed) != "none":
                raise InternalError(f"colors are not alike in {game}, but should be")
    return Symmetries(
        pegs=all(effect != "other" for effect in pegs),
        colors=game.scoring.are_colors_alike,
        same_answers=all(effect == "none" for effect in pegs),
    )


def _compare(codes: Array, table: Array, colors: int, moved: Array) -> str:
    """What an exchange does to the answers: "none", "renamed", or "other"."""
    places = find_codes(codes, colors, moved)
    if places is None:
        return "other"
    probes = np.arange(0, len(codes), max(1, len(codes) // PROBES))
    before = table[probes, : len(codes)]
    after = table[places[probes]][:, places]
    if (before == after).all():
        return "none"
    pairs = np.unique(before.astype(np.int64) * 256 + after)
    one_to_one = len(pairs) == len(np.unique(pairs // 256)) == len(np.unique(pairs % 256))
    return "renamed" if one_to_one else "other"
