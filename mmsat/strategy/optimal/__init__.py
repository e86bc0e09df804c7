"""Tables of answers for the complete search of optimal strategies; search of the last guesses.

An `AnswerTable` has the *answer* of every code to every guess, which is a number that represents
the score, and states which pegs and colors are interchangeable.

In hard mode, a second table states which guesses may follow each guess and score (the rule is in
strategy/strategy.py). Whether guess h may follow guess g with score s depends only on the kind of
g, on s, and on the score that g would get if h were the code. So the rule is a table of pairs of
scores for each kind of guess. Two guesses are of one kind if a permutation of colors maps one to
the other.

`solve_endgame` searches the last guesses of a game completely, and `estimate_costs` estimates the
number of guesses that a set of codes needs.
"""

from __future__ import annotations

import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from mmsat._core import IMPOSSIBLE, Form, Optimal, Response, Scored
from mmsat._util import Array, np
from mmsat.errors import InputError, InternalError, SizeError
from mmsat.game import Code, Row, Score
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.strategy.answers import (
    all_codes,
    as_array,
    compute_answers,
    decode_answer,
    exchange,
    find_codes,
    iterate_codes,
    kernel_form,
    pad_length,
    tabulate_answers,
)
from mmsat.strategy.strategy import has_hints, uses_row
from mmsat.strategy.tree import Node


def tabulate_hard_mode(
    game: Game, guesses: Sequence[Code], answers: Array, scores: Sequence[Score]
) -> tuple[list[int], Array]:
    """Return the kind of each guess (0 if scores have no hints), and the table of allowed guesses.

    A row of the table belongs to a kind of guesses g and a score of g, and a column to the score
    that g would get if a guess h were the code. The entry is 1 if h is allowed after g and its
    score. `answers[g][h]` is the number of the score of guess g if guess h is the code. The rows of
    `answers` are read once, in order.
    """
    num_scores = len(scores)
    if not has_hints(game):  # the next guess must be consistent with this row
        return [0] * len(guesses), np.eye(num_scores, dtype=np.uint8)
    # A kind is represented by one of its guesses: each color is the index of its first peg. `kinds`
    # has an example of h, with its colors mapped in the same way, by the kind of g and the answer.
    kinds: dict[Code, dict[int, Code]] = {}
    for guess, row in zip(guesses, answers, strict=True):
        examples = kinds.setdefault(tuple(map(guess.index, guess)), {})
        row_answers, first_indices = np.unique(row, return_index=True)
        for answer, first in zip(row_answers.tolist(), first_indices.tolist(), strict=True):
            if answer not in examples:
                examples[answer] = _map_colors(guesses[first], guess)
    follows = np.zeros((len(kinds), num_scores, num_scores), dtype=np.uint8)
    for table, (guess, examples) in zip(follows, kinds.items(), strict=True):
        next_guesses = np.array([*examples.values()])
        for score_number, score in enumerate(scores):
            table[score_number, [*examples]] = uses_row(game, next_guesses, Row(guess, score))
    number_of_kind = {kind: number for number, kind in enumerate(kinds)}
    guess_kinds = [number_of_kind[tuple(map(guess.index, guess))] for guess in guesses]
    return guess_kinds, follows.reshape(-1, num_scores)


def _map_colors(next_guess: Code, guess: Code) -> Code:
    """Return, for each color of the next guess, the index of its first occurrence in a guess.

    A color that does not occur in the guess is represented by the length of the guess.
    """
    return tuple(guess.index(color) if color in guess else len(guess) for color in next_guess)


_KernelArguments = tuple[memoryview, int, memoryview, memoryview, int, bool, bool, bool]
"""The guesses, the number of colors, the answers by code and by guess, the number of scores, and
the symmetries."""
MAX_GUESSES = 1 << 15
"""Maximum number of guesses, including all codes. The table has one byte for each pair of
guesses."""
MAX_PEGS, MAX_COLORS = 16, 255
"""Maximum numbers of pegs and colors, which are limits of the kernel."""
MAX_SCORES = 254
"""Maximum number of scores for a search without weights of codes: the kernel stores the number of
scores plus 1 in a byte."""
MAX_WEIGHTED_SCORES = 64
"""Maximum number of scores for a search with weights of codes, a limit of the kernel."""
LARGER_GAMES_ADVICE = "mmsat analyze has strategies for larger games"
"""Advice in the error for a game that is too large."""
NUM_PROBES = 64
"""Number of guesses on which a symmetry is tested, each against all codes. A test on all guesses
would take longer than filling the table."""
WAIT_SECONDS = 0.1
"""Seconds between two checks for an interrupt."""


class Symmetries(NamedTuple):
    """The exchanges of pegs and of colors that do not change the game."""

    are_pegs_alike: bool
    """Whether pegs are interchangeable."""
    are_colors_alike: bool
    """Whether colors are interchangeable."""
    do_pegs_keep_answers: bool
    """Whether exchanging pegs leaves every answer unchanged, rather than mapping answers to each
    other."""


NO_SYMMETRIES = Symmetries(are_pegs_alike=False, are_colors_alike=False, do_pegs_keep_answers=False)
"""The symmetries of a game in which nothing may be exchanged, or for which this is unknown."""


@dataclass(frozen=True)
class AnswerTable:
    """The answers of a game as numbers, the largest of which is the winning one."""

    game: Game
    guesses: tuple[Code, ...]
    """All codes in lexicographic order, followed by the other guesses."""
    size: int
    """Number of codes."""
    by_code: bytes | bytearray
    """For each code (row), its answer to each guess; rows are padded to a multiple of 64.

    There are also rows for the other guesses. They are filled in hard mode, or if the kernel
    computes the scores; otherwise they are zero."""
    by_guess: bytes | bytearray
    """The transposed table: for each guess (row), the answer of each code."""
    scores: tuple[Score, ...]
    """The score that each answer represents."""
    symmetries: Symmetries
    is_hard: bool = False
    """Whether each guess must use all hints so far."""
    __eq__, __hash__ = object.__eq__, object.__hash__  # by identity, because tables have megabytes

    @cached_property
    def index_of(self) -> dict[Code, int]:
        """The index of each guess in `guesses`."""
        return {guess: index for index, guess in enumerate(self.guesses)}

    def answers(self, guess: int) -> bytes | bytearray:
        """Return the answers of all codes to the guess with this index."""
        start = guess * pad_length(len(self.guesses))
        return self.by_guess[start : start + self.size]

    @cached_property
    def has_unique_win(self) -> bool:
        """Whether only the code itself gets the winning score."""
        win = len(self.scores) - 1
        wins = sum(self.answers(guess).count(win) for guess in range(len(self.guesses)))
        return wins == self.size

    def merge(self) -> tuple[AnswerTable, list[int]]:
        """Return a table with one code per group of codes with equal answers, and the group sizes.

        The sizes are in the order of the codes of the returned table.
        """
        by_code, by_guess = (
            np.frombuffer(cells, dtype=np.uint8).reshape(self.size, -1)
            for cells in (self.by_code, self.by_guess)
        )
        groups: dict[bytes, list[int]] = {}
        for index, row in enumerate(by_code[:, : self.size]):
            groups.setdefault(row.tobytes(), []).append(index)
        firsts = [indices[0] for indices in groups.values()]
        padding = (0, 0), (0, pad_length(len(firsts)) - len(firsts))
        merged = AnswerTable(
            self.game,
            tuple(self.guesses[first] for first in firsts),
            len(firsts),
            np.pad(by_code[np.ix_(firsts, firsts)], padding).tobytes(),
            np.pad(by_guess[np.ix_(firsts, firsts)], padding).tobytes(),
            self.scores,
            NO_SYMMETRIES,
        )
        return merged, [*map(len, groups.values())]

    def make_search(self, **options: Any) -> Optimal:
        """Return the kernel's search for the minimum total number of guesses over all codes.

        `options` are passed to `Optimal`.
        """
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

    def make_response(
        self,
        code_kinds: Sequence[int],
        weights: Sequence[int],
        pause: Callable[[], None] | None = None,
    ) -> Response:
        """Return the kernel's search for the minimum weighted total number of guesses.

        `code_kinds` has the kind of each code, and `weights` the weight of each kind. Raises
        SizeError if the game has more than 64 scores.
        """
        if len(self.scores) > MAX_WEIGHTED_SCORES:
            expected = f"a game of up to {MAX_WEIGHTED_SCORES} scores"
            raise SizeError.of(
                "weights of codes", expected, f"{self.game} with {len(self.scores)} scores"
            )
        return Response(*self._arguments, code_kinds, weights, pause)

    @property
    def _arguments(self) -> _KernelArguments:
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
        """Return the tree from the indices of its guesses in preorder, branches ordered by answer.

        `possible` are the indices of the remaining codes at the root; empty for all codes.
        """
        win = len(self.scores) - 1
        preorder = iter(guesses)

        def build(codes: Sequence[int]) -> Node:
            guess = next(preorder)
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
        """Score all pairs of codes and guesses, including the `others` that are not codes.

        Raises SizeError if the game exceeds the limits of this module, and InputError for guesses
        that the game does not allow.
        """
        if game.size > MAX_GUESSES:
            expected, size_text = (
                f"a game of up to {MAX_GUESSES:,} codes",
                f"{game} with {game.size:,} codes",
            )
            raise SizeError.of("optimal play", expected, size_text, LARGER_GAMES_ADVICE)
        if game.pegs > MAX_PEGS or game.colors > MAX_COLORS:
            expected = f"a game of up to {MAX_PEGS} pegs and {MAX_COLORS} colors"
            raise SizeError.of("optimal play", expected, str(game), LARGER_GAMES_ADVICE)
        codes = tuple(iterate_codes(game))
        guesses = codes + list_others(game, others)
        if len(guesses) > MAX_GUESSES:
            raise SizeError.of(
                "optimal play", f"up to {MAX_GUESSES:,} guesses", f"{len(guesses):,}"
            )
        form = kernel_form(game)
        by_code, by_guess, scores = (
            _tabulate(game, guesses, None if is_hard else len(codes))
            if form is None
            else _score_pairs(game, form, guesses)
        )
        if len(scores) > MAX_SCORES:
            expected, size_text = (
                f"a game of up to {MAX_SCORES} scores",
                f"{game} with {len(scores)} scores",
            )
            raise SizeError.of("optimal play", expected, size_text, LARGER_GAMES_ADVICE)
        if is_hard or len(guesses) > len(codes):
            symmetries = NO_SYMMETRIES
        elif form is not None and game.space.table() is None:
            # The scorings that the kernel computes treat all pegs alike.
            symmetries = Symmetries(
                are_pegs_alike=True,
                are_colors_alike=game.scoring.are_colors_alike,
                do_pegs_keep_answers=True,
            )
        elif game.scoring.name in SCORINGS.built_in:
            symmetries = probe_symmetries(game, by_code)
        else:  # probes do not prove the symmetries of an unknown scoring
            symmetries = NO_SYMMETRIES
            require_equivalence(game, len(codes), by_guess, len(scores) - 1)
        return cls(game, guesses, len(codes), by_code, by_guess, scores, symmetries, is_hard)


def require_equivalence(game: Game, size: int, by_guess: bytes | bytearray, win: int) -> None:
    """Raise InputError unless winning is an equivalence: the kernel merges codes that win together.

    This holds if each code wins against exactly those codes that have the same winning guesses.
    """
    wins = (
        np.frombuffer(by_guess, dtype=np.uint8).reshape(-1, pad_length(size))[:size, :size] == win
    )
    classes = Counter(row.tobytes() for row in wins)
    if any(row.sum() != classes[row.tobytes()] for row in wins):
        expected = "a scoring by which only the code itself gets the best score"
        raise InputError.of("optimal play", expected, str(game))


def list_others(game: Game, guesses: Iterable[Code]) -> tuple[Code, ...]:
    """Return the guesses that are not codes, sorted and without duplicates.

    Raises InputError for guesses that the game does not allow.
    """
    others = sorted({*game.require_guesses(guesses, "the guesses")})
    return tuple(guess for guess in others if not game.contains(guess))


def run_search(search: Optimal) -> tuple[int, list[int]]:
    """Run a search; return the minimum total, and the tree as a list of guesses in preorder.

    If the search stopped at its limit, the total is the smallest that was found. If no strategy
    was found, the total is IMPOSSIBLE and the list is empty.
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
    """Wait until a search has finished."""
    while not search.wait(WAIT_SECONDS):  # with a timeout, so that Ctrl-C is noticed
        pass


_Tables = tuple[bytes | bytearray, bytes | bytearray, tuple["Score", ...]]
"""The table by code, the table by guess, and the possible scores in order, the winning score
last."""


def _score_pairs(game: Game, form: Form, guesses: Sequence[Code]) -> _Tables:
    """Return the tables with scores computed by the kernel.

    The score is symmetric, so that both tables are the same.
    """
    num_guesses = len(guesses)
    if num_guesses == 1:
        return bytes(pad_length(1)), bytes(pad_length(1)), (decode_answer(game, form.win),)
    answers = sorted(
        form.answers, key=lambda answer: (answer == form.win, decode_answer(game, answer))
    )
    number_of_answer = bytearray(256)
    for number, answer in enumerate(answers):
        number_of_answer[answer] = number
    guess_bytes = [*map(bytes, guesses)]
    scored = Scored(form, memoryview(b"".join(guess_bytes)).cast("B", (num_guesses, game.pegs)))
    # The kernel writes 16-bit numbers, but these answers fit into the low byte.
    answers_16_bit = array("H", bytes(2 * num_guesses))
    low_byte = 0 if sys.byteorder == "little" else 1
    unseen = [*range(len(answers))]
    padding = bytes(pad_length(num_guesses) - num_guesses)
    rows: list[bytes] = []
    for guess in guess_bytes:
        scored.score(guess, answers_16_bit)
        row = answers_16_bit.tobytes()[low_byte::2].translate(number_of_answer)
        unseen = [number for number in unseen if number not in row]
        rows += row, padding
    table = b"".join(rows)
    seen = [number for number in range(len(answers)) if number not in unseen]
    if unseen:  # renumber the answers that occur, without gaps
        renumbering = bytearray(256)
        for new_number, number in enumerate(seen):
            renumbering[number] = new_number
        table = table.translate(renumbering)
    return table, table, tuple(decode_answer(game, answers[number]) for number in seen)


def _tabulate(game: Game, guesses: Sequence[Code], num_codes: int | None) -> _Tables:
    """Return the tables with scores computed by numpy.

    Only the answers of the first `num_codes` guesses, which are the codes, are computed; with None,
    the answers of all guesses.
    """
    codes = as_array(game, guesses)
    win = game.score(guesses[0], guesses[0])
    rows = None if num_codes is None else np.arange(num_codes)
    table, answer_of_score = tabulate_answers(game, codes, rows)
    scores = tuple(sorted(answer_of_score, key=lambda score: (score == win, score)))
    if len(scores) > MAX_SCORES:  # the caller refuses the game
        return b"", b"", scores
    renumbering = np.zeros(len(scores), dtype=np.uint8)
    for number, score in enumerate(scores):
        renumbering[answer_of_score[score]] = number
    by_code = renumbering[table]
    by_guess = np.zeros_like(by_code)
    by_guess[:, : len(codes)] = by_code[:, : len(codes)].T
    return by_code.tobytes(), by_guess.tobytes(), scores


def probe_symmetries(game: Game, by_code: bytes | bytearray) -> Symmetries:
    """Return the symmetries of a game with a built-in kind of scoring.

    Exchanges of neighboring pegs and of neighboring colors are tested on some guesses. Whether
    colors are interchangeable is declared by the scoring, and only verified here. Raises
    InternalError if the test contradicts the declaration. Lists of words are treated as having no
    symmetry.
    """
    if game.space.table() is not None:
        return NO_SYMMETRIES
    codes = all_codes(game)
    table = np.frombuffer(by_code, dtype=np.uint8).reshape(len(codes), -1)
    peg_effects = [
        _classify_effect(codes, table, game.colors, codes[:, exchange(game.pegs, *pair)])
        for pair in pairwise(range(game.pegs))
    ]
    if game.scoring.are_colors_alike:
        for pair in pairwise(range(game.colors)):
            renamed = np.array(exchange(game.colors, *pair), dtype=codes.dtype)[codes]
            if _classify_effect(codes, table, game.colors, renamed) != "none":
                raise InternalError(f"the colors of {game} should be equivalent, but are not")
    return Symmetries(
        are_pegs_alike=all(effect != "other" for effect in peg_effects),
        are_colors_alike=game.scoring.are_colors_alike,
        do_pegs_keep_answers=all(effect == "none" for effect in peg_effects),
    )


def _classify_effect(codes: Array, table: Array, colors: int, image_codes: Array) -> str:
    """Return how an exchange, which maps `codes` to `image_codes`, changes the answers.

    The result is "none", "renamed" (answers are mapped one to one), or "other".
    """
    images = find_codes(codes, colors, image_codes)
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


COST_PER_GUESS = 256
"""Cost of one guess. Costs are whole numbers, in units of 1/256 guess."""
BASE_COST = 333
"""Cost per code without the term for uncertainty: 1.3 guesses."""
BITS_PER_GUESS = 4
"""Number of bits of uncertainty that cost one more guess. BASE_COST and BITS_PER_GUESS were
measured on games of 8 pegs and 12 colors."""


def estimate_costs(max_size: int, *, is_all: bool) -> Array:
    """Return an array of estimated costs of classes, indexed by their size from 0 to `max_size`.

    A class is the set of codes that get the same score from a guess. Its cost is the total number
    of guesses that its codes still need, in units of 1/256 guess. A code needs 1.3 guesses, and one
    more for each four bits of uncertainty. But n codes never need fewer than 2n - 1 guesses, and
    one or two codes need exactly that many.

    If `is_all` is false, the codes are a sample, and each of them represents many codes. Then only
    the uncertainty counts: the cost is the size of the class times its entropy, in 1/256 bit, so
    that comparing costs compares entropies.
    """
    return _estimate(1 << max_size.bit_length(), is_all)[: max_size + 1]


@cache
def _estimate(end: int, is_all: bool) -> Array:
    """Return the array of `estimate_costs` for the sizes below `end`."""
    costs = [0]
    for size in range(1, end):
        # The logarithm of `size` in 1/256 bit, rounded down, times the number of codes.
        uncertainty = size * ((size**COST_PER_GUESS).bit_length() - 1)
        if not is_all:
            costs.append(uncertainty)
            continue
        lower_bound = (2 * size - 1) * COST_PER_GUESS
        costs.append(
            lower_bound
            if size <= 2
            else max(lower_bound, size * BASE_COST + uncertainty // BITS_PER_GUESS)
        )
    return np.array(costs, dtype=np.int64)


@dataclass(frozen=True)
class EndgameLimits:
    """Limits of an endgame search."""

    max_sets: int = 2000
    """Maximum number of sets of codes that are searched: some tenths of a second."""
    max_answers: int = 64
    """Maximum number of distinct scores per guess that the kernel supports, including the winning
    one."""


class TooLongError(Exception):
    """The search exceeded its limits, or a guess has too many distinct scores."""


def solve_endgame(
    game: Game,
    codes: Array,
    others: Sequence[Code] = (),
    *,
    consistent_only: bool = False,
    limits: EndgameLimits = EndgameLimits(),
) -> tuple[int, Code]:
    """Return the minimum total number of guesses over all codes, and the guess that achieves it.

    `codes` is an array of shape (codes, pegs), with colors from 0. Guesses are the codes and,
    unless `consistent_only`, the `others`, which must not be among the codes. With
    `consistent_only`, each guess must be a possible code at the time it is made. If the kernel's
    search reaches `limits.max_sets`, the smallest total found so far is returned. Raises
    TooLongError if no total was found, or if one of `codes` has too many distinct scores as a
    guess. Usually takes some hundredths of a second for 200 codes and 1000 others.
    """
    guesses = [*map(tuple, codes.tolist()), *(() if consistent_only else others)]
    num_codes = len(codes)
    if num_codes <= 2:
        return 2 * num_codes - 1, guesses[0]
    answers = _rank_answers(game, codes, guesses)
    # Answers are numbered from 0. One number must remain free for the winning score.
    is_supported = answers.max(axis=1) < limits.max_answers - 1
    if not is_supported[:num_codes].all():
        raise TooLongError
    supported = np.flatnonzero(is_supported)
    answers = answers[supported]
    # Codes come first in `guesses`, so the diagonal has the scores of codes as their own guesses.
    win = answers.max() + 1
    np.fill_diagonal(answers, win)
    by_guess = np.zeros((len(supported), pad_length(len(supported))), dtype=np.uint8)
    by_code = np.zeros_like(by_guess)
    by_guess[:, :num_codes] = answers
    by_code[:num_codes, : len(supported)] = answers.T
    search = Optimal(
        np.zeros((len(supported), 1), dtype=np.uint8),  # unused, as no symmetry is declared
        1,
        by_code,
        by_guess,
        int(win) + 1,
        pegs_alike=False,
        colors_alike=False,
        same_answers=False,
        consistent_only=consistent_only,
        memo_bits=16,
        possible=range(num_codes),
        max_sets=limits.max_sets,
    )
    total, tree = run_search(search)
    if not tree:
        raise TooLongError
    return total, guesses[supported[tree[0]]]


def _rank_answers(game: Game, codes: Array, guesses: Sequence[Code]) -> Array:
    """Return the rank of each score among the distinct scores of its guess.

    The shape is (guesses, codes).
    """
    answers = compute_answers(game, codes, guesses)
    order = answers.argsort(axis=1)
    is_new = np.diff(np.take_along_axis(answers, order, axis=1), axis=1, prepend=-1) != 0
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, is_new.cumsum(axis=1) - 1, axis=1)
    return ranks
