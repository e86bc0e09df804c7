"""Certificates of optimal strategies: a strategy tree, and lower bounds that no strategy beats.

The head of the file has these fields:

    objective   `average` or `worst`: the cost of a strategy is the total number of guesses over all
                codes, or the number of guesses in the worst case
    guesses     `all`, or `codes` if each guess must be a possible code at its turn
    cost        the cost of the tree; no strategy has a smaller cost

The section `tree` has the guesses of the tree, one per line: each guess is followed by the nodes
of its scores in ascending order, without the score that wins. The section `bounds` has one line
for each set of codes with a proved lower bound of the cost of every strategy for it. A set
consists of the codes that get the scores of some rows, and the last line is about all codes:

    1122=0.0/3344=0.1 35
    1122=0.0/3355=0.1 35 as 1 1.2.3.4:1.2.3.4.6.5
    all 5625 with 2.1.3.4:1.2.3.4.5.6 1.2.3.4:2.1.3.4.5.6

`as` names an earlier line, counted from 1, and a map by which its set becomes this one: the color
of peg 1, 2, ... moves to the given peg, and color 1, 2, ... becomes the given color. `with` lists
maps by which the set becomes itself. Maps of pegs and colors keep the costs of strategies if scores
count pegs, so other games have no maps.

A bound without `as` holds if each guess needs at least as much. A guess with the classes C by score
needs, for n codes,

- on average, n plus the bounds of the classes; in the worst case, 1 plus the largest bound;
- infinitely many guesses, if all codes are in one class, because the score is then no information.

The class that wins needs nothing. The bound of another class is that of an earlier line, or a bound
by its size: if no guess splits the whole set into more than d classes, then no guess splits a
subset into more. So there is one code after 1 guess, at most d after 2, d² after 3 and so on. If a
guess that may be the code has at most e classes beside itself, then the size n of a set costs at
least n + min(n - 1 codes in e classes, n codes in d classes). A guess is also proved by another
guess to which maps of the line move it.

This module shares no code with the search of strategies, and computes all scores itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from mmsat._util import Array, np
from mmsat.errors import SizeError
from mmsat.game import Code, Score
from mmsat.game.game import Game

OBJECTIVES = ("average", "worst")
GUESSES = ("all", "codes")
SYMMETRIC_SCORINGS = ("black-white", "black", "color")
"""Kinds of scoring that count pegs: exchanging pegs or colors in code and guess changes nothing."""
MAX_CODES = 4096
"""Maximum number of codes of a game. The table of scores has two bytes per pair of codes."""
UNLIMITED = 1 << 40
"""The bound of a guess that leaves all codes possible, and of a set without a strategy."""
ALL_CODES = "all"


class Map(NamedTuple):
    """A permutation of the pegs and of the colors."""

    pegs: tuple[int, ...]
    """For each peg, the peg to which its color moves, from 0."""
    colors: tuple[int, ...]
    """For each color, the color that it becomes, from 0."""

    def __str__(self) -> str:
        return ":".join(".".join(str(n + 1) for n in numbers) for numbers in self)

    @classmethod
    def read(cls, text: str, game: Game) -> Map | None:
        """Return the map with this text, or None if it is not a map of the game."""
        if not re.fullmatch(r"[0-9.]{1,2000}:[0-9.]{1,2000}", text):
            return None
        parts = [[*part.split(".")] for part in text.split(":")]
        if not all(number and len(number) < 4 for part in parts for number in part):
            return None
        pegs, colors = (tuple(int(number) - 1 for number in part) for part in parts)
        mapping = cls(pegs, colors)
        is_map = sorted(pegs) == [*range(game.pegs)] and sorted(colors) == [*range(game.colors)]
        return mapping if is_map and str(mapping) == text else None

    def move(self, code: Sequence[int]) -> Code:
        """Return the code or guess that a code or guess becomes."""
        moved = [0] * len(code)
        for peg, color in enumerate(code):
            moved[self.pegs[peg]] = self.colors[color]
        return tuple(moved)


class SizeBounds:
    """Lower bounds of costs by the number of codes, if guesses have limited numbers of classes.

    `own` is the maximum number of classes beside the guess for guesses that may be the code, and
    `others` that of all guesses; 0 if other guesses are not allowed.
    """

    def __init__(self, own: int, others: int, size: int, *, is_worst: bool) -> None:
        self.is_worst = is_worst
        bounds = self._fill(own, others, size)
        if bounds is None:  # not convex: also count the guess itself for other guesses
            bounds = self._fill(max(own, others), 0, size)
        self.table = np.array(bounds, dtype=np.int64)

    def _fill(self, own: int, others: int, size: int) -> list[int] | None:
        """Return the bounds for up to `size` codes; None if those of the average are not convex."""
        bounds = [0, 1]
        for number in range(2, size + 1):
            choices = [self._spread(bounds, number - 1, own)] if own else [UNLIMITED]
            if others > 1:
                choices.append(self._spread(bounds, number, others))
            bound = min(choices)
            bounds.append(min(UNLIMITED, bound + (1 if self.is_worst else number)))
            if not self.is_worst and bounds[-1] - bounds[-2] < bounds[-2] - bounds[-3]:
                return None
        return bounds[: size + 1]

    def _spread(self, bounds: Sequence[int], number: int, classes: int) -> int:
        """Return the least cost of `number` codes in this many classes.

        By convexity, classes of nearly equal size have the least total. In the worst case, bounds
        do not decrease with the size, so nearly equal sizes have the least maximum.
        """
        size, larger = divmod(number, classes)
        if self.is_worst:
            return bounds[size + bool(larger)]
        total = (classes - larger) * bounds[size]
        return total + larger * bounds[size + 1] if larger else total


class Partitions(NamedTuple):
    """A set of codes, and a lower bound of the cost of each guess by the sizes of its classes."""

    codes: Array
    """The indices of the codes, ascending."""
    answers: Array
    """For each guess and code of the set, the number of the score."""
    needs: Array
    """For each guess, a lower bound of its cost; UNLIMITED for guesses that are not allowed."""
    by_size: Array
    """For each size, a lower bound of the cost of a subset of this size."""


def require_size(game: Game) -> None:
    """Raise SizeError if a game has too many codes for a certificate."""
    if game.size > MAX_CODES:
        expected = f"a game of up to {MAX_CODES:,} codes"
        found = f"{game} with {game.size:,} codes"
        raise SizeError.of("a proof of an optimal strategy", expected, found)


@dataclass(frozen=True)
class ScoreTable:
    """The scores of all pairs of codes of a game, and the rules for the cost of a strategy."""

    game: Game
    is_worst: bool
    codes_only: bool

    @cached_property
    def codes(self) -> list[Code]:
        """All codes in lexicographic order; raises SizeError if there are too many."""
        require_size(self.game)
        return [*self.game.codes()]

    @cached_property
    def index(self) -> dict[Code, int]:
        """The index of each code."""
        return {code: index for index, code in enumerate(self.codes)}

    @cached_property
    def scores(self) -> list[Score]:
        """The scores that occur, sorted; `answers` has their indices."""
        return [tuple(score) for score in self._scored[0].tolist()]

    @cached_property
    def answers(self) -> Array:
        """The index of the score of each guess (row) against each code (column)."""
        return self._scored[1]

    @cached_property
    def _scored(self) -> tuple[Array, Array]:
        codes = np.array(self.codes, dtype=np.uint16)
        scored = np.stack([self.game.scoring.score_all(codes, guess) for guess in self.codes])
        scores, answers = np.unique(
            scored.reshape(-1, scored.shape[-1]), axis=0, return_inverse=True
        )
        return scores, answers.reshape(len(codes), len(codes)).astype(np.int16)

    @cached_property
    def wins(self) -> Array:
        """For each guess, the number of the score that wins."""
        return np.diagonal(self.answers).copy()

    @property
    def has_unique_wins(self) -> bool:
        """Whether only the code itself gets the score that wins."""
        return bool(((self.answers == self.wins[:, None]).sum(axis=1) == 1).all())

    @property
    def is_symmetric(self) -> bool:
        """Whether maps of pegs and colors keep scores and codes."""
        is_counted = self.game.scoring.name in SYMMETRIC_SCORINGS
        return is_counted and self.game.space.table() is None

    def moved(self, mapping: Map) -> Array:
        """Return the index of the code that each code becomes."""
        return _moved(self, mapping)

    def select(self, rows: Iterable[tuple[int, int]]) -> Array:
        """Return the codes that get the scores of some rows: indices of guesses and of scores."""
        codes = np.arange(len(self.codes))
        for guess, score in rows:
            codes = codes[self.answers[guess, codes] == score]
        return codes

    def partition(self, codes: Array) -> Partitions:
        """Return lower bounds of all guesses for a set of at least 2 codes."""
        number, num_scores = len(codes), len(self.scores)
        answers = self.answers[:, codes]
        rows = np.arange(len(self.codes))
        counts = np.bincount(
            (answers + rows[:, None] * num_scores).ravel(), minlength=len(rows) * num_scores
        ).reshape(len(rows), num_scores)
        is_own = np.zeros(len(rows), dtype=bool)
        is_own[codes] = True
        counts[rows, self.wins] = 0
        classes = (counts > 0).sum(axis=1)
        own = int(classes[codes].max())
        by_size = _size_bounds(
            own, 0 if self.codes_only else int(classes.max()), number, self.is_worst
        ).table
        sizes = by_size[counts]
        needs = 1 + sizes.max(axis=1) if self.is_worst else number + sizes.sum(axis=1)
        needs[~is_own & ((classes == 1) | self.codes_only)] = UNLIMITED
        return Partitions(codes, answers, needs, by_size)

    def classes(self, partitions: Partitions, guess: int) -> Iterator[tuple[int, Array]]:
        """Yield the score and the codes of each class of a guess, except the one that wins."""
        answers = partitions.answers[guess]
        for score in np.unique(answers).tolist():
            if score != self.wins[guess]:
                yield score, partitions.codes[answers == score]

    def combine(self, number: int, bounds: Iterable[int]) -> int:
        """Return the bound of a guess for a number of codes, from the bounds of its classes."""
        return 1 + max(bounds, default=0) if self.is_worst else number + sum(bounds)

    __hash__ = object.__hash__


@lru_cache(maxsize=4096)
def _moved(table: ScoreTable, mapping: Map) -> Array:
    codes = np.array(table.codes, dtype=np.int64)
    moved = np.empty_like(codes)
    moved[:, list(mapping.pegs)] = np.array(mapping.colors)[codes]
    weights = table.game.colors ** np.arange(table.game.pegs - 1, -1, -1, dtype=np.int64)
    # codes are in lexicographic order, so their numbers ascend
    return np.searchsorted(codes @ weights, moved @ weights)


@lru_cache(maxsize=4096)
def _size_bounds(own: int, others: int, size: int, is_worst: bool) -> SizeBounds:
    return SizeBounds(own, others, size, is_worst=is_worst)


def merge_guesses(table: ScoreTable, maps: Iterable[Map]) -> Array:
    """Return for each guess the least index of the guesses to which maps move it, repeatedly."""
    labels = np.arange(len(table.codes))
    moves = [table.moved(mapping) for mapping in maps]
    is_changed = bool(moves)
    while is_changed:
        before = labels.copy()
        for move in moves:
            least = np.minimum(labels, labels[move])
            labels[move] = np.minimum(labels[move], least)
            labels = np.minimum(labels, labels[move])
        is_changed = not np.array_equal(before, labels)
    return labels
