"""Tables of the answers of a game, for the search of optimal strategies.

An `AnswerTable` has the answer of every guess to every code as a number, and states which pegs and
colors are interchangeable.

In hard mode, a second table states which guesses may follow each guess and score (the rule is in
strategy/hard_mode.py). Whether guess h may follow guess g with score s depends only on the kind of
g, on s, and on the score that g would get if h were the code. So the rule is a table of pairs of
scores for each kind of guess. Guesses are of one kind if equal letters are at the same places.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from mmsat._core import IMPOSSIBLE, Form, Optimal, Response, Scored
from mmsat._util.arrays import Array, np
from mmsat.errors import InternalError, SizeError
from mmsat.game.game import Game
from mmsat.game.row import Code, Row, Score
from mmsat.strategy.answers import decode_answer, kernel_form, pad_length, tabulate_answers
from mmsat.strategy.code_list import all_codes, as_array, exchange, find_codes, iterate_codes
from mmsat.strategy.hard_mode import has_hints, uses_row
from mmsat.strategy.tree import Node


def tabulate_hard_mode(
    game: Game, guesses: Sequence[Code], answers: Array, scores: Sequence[Score]
) -> tuple[list[int], Array]:
    """Return the kind of each guess (0 if scores have no hints), and a table of what may follow.

    Rows of the table are pairs of a kind and a score, columns are scores. An entry is 1 if a guess
    of this kind with the row's score may be followed by a guess that, as the code, would give it
    the column's score. `answers[g][h]` is the number of the score that guess g gets if guess h is
    the code. Its rows are read once, in order.
    """
    width = len(scores)
    if not has_hints(game):  # the next guess, as the code, must give the same score
        return [0] * len(guesses), np.eye(width, dtype=np.uint8)
    kinds: dict[Code, dict[int, Code]] = {}
    for guess, row in zip(guesses, answers, strict=True):
        examples = kinds.setdefault(tuple(map(guess.index, guess)), {})
        new_answers, places = np.unique(row, return_index=True)
        for answer, first in zip(new_answers.tolist(), places.tolist(), strict=True):
            if answer not in examples:
                examples[answer] = _rename(guesses[first], guess)
    follows = np.zeros((len(kinds), width, width), dtype=np.uint8)
    for table, (guess, examples) in zip(follows, kinds.items(), strict=True):
        following = np.array([*examples.values()])
        for score_number, score in enumerate(scores):
            table[score_number, [*examples]] = uses_row(game, following, Row(guess, score))
    order = {kind: number for number, kind in enumerate(kinds)}
    return [order[tuple(map(guess.index, guess))] for guess in guesses], follows.reshape(-1, width)


def _rename(word: Code, guess: Code) -> Code:
    """Return the first place in a guess for each letter of a word.

    Letters that are not in the guess all get the length of the guess.
    """
    return tuple(guess.index(letter) if letter in guess else len(guess) for letter in word)


_Answers = tuple[memoryview, int, memoryview, memoryview, int, bool, bool, bool]

MAX_CODES = 1 << 15
"""Maximum number of guesses, codes and others together; their answers need one byte per pair."""
MAX_PEGS, MAX_COLORS = 16, 255
"""Maximum numbers of pegs and colors."""
MAX_SCORES = 254
"""Maximum number of scores without weights of codes."""
MAX_WEIGHTED_SCORES = 64
"""Maximum number of scores with weights of codes."""
LARGER_GAMES_ADVICE = "mmsat analyze has strategies for larger games"
"""Advice if a game is too large."""
NUM_PROBES = 64
"""Number of guesses on which symmetries are tested."""
WAIT_SECONDS = 0.1
"""Seconds of a search between checks for an interrupt."""


class Symmetries(NamedTuple):
    """Exchanges that do not change the game."""

    pegs: bool
    """Whether pegs are interchangeable, in all codes together."""
    colors: bool
    """Whether colors are interchangeable."""
    same_answers: bool
    """Whether exchanging pegs leaves every answer unchanged, rather than mapping answers to each
    other."""


NOTHING_ALIKE = Symmetries(pegs=False, colors=False, same_answers=False)


@dataclass(frozen=True)
class AnswerTable:
    """The answers of a game as numbers, of which the last one wins. Codes are guesses, too."""

    game: Game
    guesses: tuple[Code, ...]
    """All codes in order, followed by the other guesses."""
    size: int
    """Number of codes."""
    by_code: bytes | bytearray
    """For each code (row), the number of the answer to each guess; rows are padded to a multiple of
    64.

    There are also rows for other guesses. They are filled in hard mode, or if the kernel computes
    the scores; otherwise they are zero."""
    by_guess: bytes | bytearray
    """The transposed table: for each guess (row), the number of the answer of each code."""
    scores: tuple[Score, ...]
    """The score of each answer number."""
    symmetries: Symmetries
    is_hard: bool = False
    """Whether each guess must use all hints so far."""
    __eq__, __hash__ = object.__eq__, object.__hash__  # by identity: tables have megabytes

    @cached_property
    def numbers(self) -> dict[Code, int]:
        """The index of each guess; codes come first."""
        return {code: number for number, code in enumerate(self.guesses)}

    def answers(self, guess: int) -> bytes | bytearray:
        """Return the answers of all codes to `guess`."""
        start = guess * pad_length(len(self.guesses))
        return self.by_guess[start : start + self.size]

    @cached_property
    def tells_all(self) -> bool:
        """Whether only the code itself gets the winning score."""
        win = len(self.scores) - 1
        wins = sum(self.answers(guess).count(win) for guess in range(len(self.guesses)))
        return wins == self.size

    def merge(self) -> tuple[AnswerTable, list[int]]:
        """Return a table with one code per group of equally scored codes, and the group sizes.

        Sizes are in the order of the codes of the table.
        """
        by_code, by_guess = (
            np.frombuffer(cells, dtype=np.uint8).reshape(self.size, -1)
            for cells in (self.by_code, self.by_guess)
        )
        groups: dict[bytes, list[int]] = {}
        for number, row in enumerate(by_code[:, : self.size]):
            groups.setdefault(row.tobytes(), []).append(number)
        firsts = [numbers[0] for numbers in groups.values()]
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
        return merged, [*map(len, groups.values())]

    def search(self, **options: Any) -> Optimal:
        """Return the kernel's search for the least total number of guesses over all codes."""
        if self.size < len(self.guesses):
            options.setdefault("possible", range(self.size))
        if self.is_hard:
            options["kinds"], options["follows"] = self._hard_mode
        return Optimal(*self._arguments, **options)

    @cached_property
    def _hard_mode(self) -> tuple[list[int], Array]:
        num_guesses = len(self.guesses)
        answers = np.frombuffer(self.by_guess, dtype=np.uint8).reshape(num_guesses, -1)[
            :, :num_guesses
        ]
        return tabulate_hard_mode(self.game, self.guesses, answers, self.scores)

    def search_response(
        self,
        kinds: Sequence[int],
        weights: Sequence[int],
        pause: Callable[[], None] | None = None,
    ) -> Response:
        """Return the kernel's search for the least weighted total number of guesses.

        `kinds` has the kind of each code, and `weights` the weight of each kind. Raises SizeError
        for a game of more than 64 scores.
        """
        if len(self.scores) > MAX_WEIGHTED_SCORES:
            fewer = f"a game of up to {MAX_WEIGHTED_SCORES} scores"
            raise SizeError.of(
                "weights of codes", fewer, f"{self.game} with {len(self.scores)} scores"
            )
        return Response(*self._arguments, kinds, weights, pause)

    @property
    def _arguments(self) -> _Answers:
        """The arguments that both searches of the kernel need."""
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
        """Return the tree with these guesses in preorder, its branches in the order of the answers.

        `possible` are the indices of the remaining codes at the root; empty for all codes.
        """
        win = len(self.scores) - 1
        following = iter(guesses)

        def build(codes: Sequence[int]) -> Node:
            guess = next(following)
            answers = self.answers(guess)
            classes: dict[int, list[int]] = {}
            for code in codes:
                classes.setdefault(answers[code], []).append(code)
            node = Node(self.guesses[guess], len(classes.pop(win, ())))
            for answer in sorted(classes):
                node.branches[self.scores[answer]] = build(classes[answer])
            return node

        return build(possible or range(self.size))

    @classmethod
    def of(cls, game: Game, others: Iterable[Code] = (), *, is_hard: bool = False) -> AnswerTable:
        """Score all pairs of codes and guesses, including `others` that are not codes.

        Raises SizeError for a game beyond the limits above, and InputError for guesses that the
        game does not allow.
        """
        if game.size > MAX_CODES:
            smaller, actual = (
                f"a game of up to {MAX_CODES:,} codes",
                f"{game} with {game.size:,} codes",
            )
            raise SizeError.of("optimal play", smaller, actual, LARGER_GAMES_ADVICE)
        if game.pegs > MAX_PEGS or game.colors > MAX_COLORS:
            smaller = f"a game of up to {MAX_PEGS} pegs and {MAX_COLORS} colors"
            actual = str(game)
            raise SizeError.of("optimal play", smaller, actual, LARGER_GAMES_ADVICE)
        codes = tuple(iterate_codes(game))
        guesses = codes + list_others(game, others)
        if len(guesses) > MAX_CODES:
            raise SizeError.of("optimal play", f"up to {MAX_CODES:,} guesses", f"{len(guesses):,}")
        form = kernel_form(game)
        by_code, by_guess, scores = (
            _tabulate(game, guesses, None if is_hard else len(codes))
            if form is None
            else _score_pairs(game, form, guesses)
        )
        if len(scores) > MAX_SCORES:
            fewer, actual = (
                f"a game of up to {MAX_SCORES} scores",
                f"{game} with {len(scores)} scores",
            )
            raise SizeError.of("optimal play", fewer, actual, LARGER_GAMES_ADVICE)
        if is_hard or len(guesses) > len(codes):
            symmetries = NOTHING_ALIKE
        elif form is not None and game.space.table() is None:  # the score is a sum over pegs
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
    """Return the least total of a search, and its tree as a list of guesses in preorder.

    If the search stopped at its limit, the total is the smallest that it found. If it found none,
    the total is IMPOSSIBLE and the list is empty.
    """
    try:
        search.start(IMPOSSIBLE)
        _wait(search)
        total = min(search.total, search.progress[0])
        if total == IMPOSSIBLE:
            return total, []
        search.start_tree(total)
        _wait(search)
        return total, search.tree
    finally:
        search.stop()


def _wait(search: Optimal) -> None:
    while not search.wait(WAIT_SECONDS):  # in slices, so that Ctrl-C is noticed
        pass


_Tables = tuple[bytes | bytearray, bytes | bytearray, tuple["Score", ...]]
"""The table by code, the table by guess, and the scores that occur in order, the winning one last.
"""


def _score_pairs(game: Game, form: Form, codes: Sequence[Code]) -> _Tables:
    """Return the tables with scores computed by the kernel.

    The score is symmetric, so that both tables are the same.
    """
    num_codes = len(codes)
    if num_codes == 1:
        return bytes(pad_length(1)), bytes(pad_length(1)), (decode_answer(game, form.win),)
    answers = sorted(
        form.answers, key=lambda answer: (answer == form.win, decode_answer(game, answer))
    )
    numbering = bytearray(256)
    for number, answer in enumerate(answers):
        numbering[answer] = number
    code_bytes = [*map(bytes, codes)]
    scored = Scored(form, memoryview(b"".join(code_bytes)).cast("B", (num_codes, game.pegs)))
    # The kernel writes 16-bit numbers, but these answers fit into their low byte.
    out = array("H", bytes(2 * num_codes))
    low_byte = 0 if sys.byteorder == "little" else 1
    missing = [*range(len(answers))]
    padding = bytes(pad_length(num_codes) - num_codes)
    rows: list[bytes] = []
    for guess in code_bytes:
        scored.score(guess, out)
        row = out.tobytes()[low_byte::2].translate(numbering)
        missing = [number for number in missing if number not in row]
        rows += row, padding
    table = b"".join(rows)
    occurring = [number for number in range(len(answers)) if number not in missing]
    if missing:
        renumbering = bytearray(256)
        for new_number, number in enumerate(occurring):
            renumbering[number] = new_number
        table = table.translate(renumbering)
    return table, table, tuple(decode_answer(game, answers[number]) for number in occurring)


def _tabulate(game: Game, guesses: Sequence[Code], possible: int | None) -> _Tables:
    """Return the tables with scores computed by the plain scorer.

    `possible` is the number of codes at the beginning of `guesses`; only their answers are
    computed. None computes the answers of all guesses.
    """
    codes = as_array(game, guesses)
    win = game.score(guesses[0], guesses[0])
    rows = None if possible is None else np.arange(possible)
    table, numbers = tabulate_answers(game, codes, rows)
    scores = tuple(sorted(numbers, key=lambda score: (score == win, score)))
    if len(scores) > MAX_SCORES:
        return b"", b"", scores
    renumbering = np.zeros(len(scores), dtype=np.uint8)
    for number, score in enumerate(scores):
        renumbering[numbers[score]] = number
    by_code = renumbering[table]
    by_guess = np.zeros_like(by_code)
    by_guess[:, : len(codes)] = by_code[:, : len(codes)].T
    return by_code.tobytes(), by_guess.tobytes(), scores


def probe_symmetries(game: Game, by_code: bytes | bytearray) -> Symmetries:
    """Return the symmetries of a game, tested by exchanging neighbors for some of the guesses.

    A list of words has no symmetry. Whether colors are interchangeable is declared by the scoring
    and only verified here; raises InternalError if the test contradicts it.
    """
    if game.space.table() is not None:
        return NOTHING_ALIKE
    codes = all_codes(game)
    table = np.frombuffer(by_code, dtype=np.uint8).reshape(len(codes), -1)
    peg_effects = [
        _compare(codes, table, game.colors, codes[:, exchange(game.pegs, *pair)])
        for pair in pairwise(range(game.pegs))
    ]
    if game.scoring.are_colors_alike:
        for pair in pairwise(range(game.colors)):
            renamed = np.array(exchange(game.colors, *pair), dtype=codes.dtype)[codes]
            if _compare(codes, table, game.colors, renamed) != "none":
                raise InternalError(f"the colors of {game} should be equivalent, but are not")
    return Symmetries(
        pegs=all(effect != "other" for effect in peg_effects),
        colors=game.scoring.are_colors_alike,
        same_answers=all(effect == "none" for effect in peg_effects),
    )


def _compare(codes: Array, table: Array, colors: int, moved: Array) -> str:
    """Return how an exchange changes the answers.

    The result is "none", "renamed" (answers are mapped one to one), or "other".
    """
    images = find_codes(codes, colors, moved)
    if images is None:
        return "other"
    probes = np.arange(0, len(codes), max(1, len(codes) // NUM_PROBES))
    before = table[probes, : len(codes)]
    after = table[images[probes]][:, images]
    if (before == after).all():
        return "none"
    pairs = np.unique(before.astype(np.int64) * 256 + after)
    one_to_one = len(pairs) == len(np.unique(pairs // 256)) == len(np.unique(pairs % 256))
    return "renamed" if one_to_one else "other"
