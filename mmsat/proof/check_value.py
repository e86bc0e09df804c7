"""Certificates of the value of a game by the mixtures of both sides, and their check.

The value of a game is the expected number of guesses if the codemaker chooses the probabilities of
the codes, the codebreaker chooses those of strategies, and both choose best. A certificate has a
mixture for each side (duality of linear programming): against the mixture of trees, no code needs
more guesses on average than the value, and against the mixture of codes, no strategy needs fewer.
The head of the file has one field:

    value       the value as a fraction in lowest terms, such as 219/68

`maps` lists maps of pegs and colors, one per line, that are symmetries: two codes get the same
score as two others if and only if this holds for their images. Codes that the maps move to each
other are of one *kind*. The codebreaker permutes pegs and colors by a random composition of the
maps before using a tree. So the expected number of guesses for a code is the average over its kind.
`codemaker` lists, in ascending order, the first code of each kind that the codemaker uses, and a
weight, to which the probability of each code of the kind is proportional. `trees` has the trees of
the codebreaker. Each begins with its weight, followed by its guesses as in a proof of an optimal
strategy:

    tree 3
    1123
    ...

`bounds` has lower bounds of sets of codes, in the form of check_strategy.py. The cost of a strategy
for a set is the sum, over its codes, of the weight times the number of guesses. Maps of these lines
must also keep the weights. The cost of a guess is at least the total weight of the set plus the
bounds of its classes. The bound of a class without a line follows from its weights. Suppose that
no guess splits the whole set into more than d classes, and that a guess that may be the code splits
it into at most e, both without the class that wins. Then at most F(t) codes of a subset are found
within t guesses, with F(0) = 0, F(1) = 1 and F(t) = max(1 + e F(t-1), d F(t-1)). The cost is least
if the heaviest codes are found first. A guess that leaves all codes possible never improves a
strategy, so no bound is needed for it.

The last line of `bounds` is about all codes. Its bound is the value times their total weight.

Like check_strategy.py, this module shares no code with any search.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from mmsat._util import Array, np
from mmsat._util.text import quantity
from mmsat.errors import InputError, MmsatError, SizeError
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.proof import Verification, Watch
from mmsat.proof.bundle import Bundle, RejectedError
from mmsat.proof.check_strategy import (
    Map,
    Notation,
    Partitions,
    ScoreTable,
    check_bounds_section,
    is_number,
    merge_guesses,
    play_tree,
    require_every_guess,
)

MAX_CODES = 1296
"""Maximum number of codes of a game: those of 4x6. The arrays of a partition have one number for
each code, score and weight, so these three limits keep them below 50 MB."""
MAX_SCORES = 64
"""Maximum number of different scores."""
MAX_WEIGHTS = 64
"""Maximum number of different weights of codes."""
MAX_MAPS = 4
"""Maximum number of maps. Two generate all permutations of the pegs, and two those of the
colors."""
MAX_TOTAL_COST = 1 << 60
"""Maximum total weight times the number of codes, so that costs fit in 64 bits."""
UNLIMITED = 1 << 62
"""The bound of a guess that leaves all codes possible. It exceeds every finite cost."""
TREE_LINE = re.compile(r"tree ([1-9][0-9]{0,99})")
VALUE_FIELD = re.compile(r"([1-9][0-9]{0,99})/([1-9][0-9]{0,99})")
"""The value as a fraction. Numbers have at most 100 digits, so that a short file cannot need much
time."""


@dataclass(frozen=True)
class WeightedTable(ScoreTable):
    """The scores of all pairs of codes of a game, and the weights of the codes."""

    weights: Array = field(kw_only=True)
    """The weight of each code, at least 0. They are set before the first use of a bound."""

    @classmethod
    def of(cls, game: Game) -> WeightedTable:
        """Return a table with weights 0; raises SizeError if the game has too many codes."""
        cls.require_size(game)
        weights = np.zeros(game.size, dtype=np.int64)
        return cls(game, is_worst=False, codes_only=False, weights=weights)

    @staticmethod
    def require_size(game: Game) -> None:
        """Raise SizeError if a game has too many codes for a certificate of its value."""
        if game.size > MAX_CODES:
            expected = f"a game of up to {MAX_CODES:,} codes"
            size_text = f"{game} with {game.size:,} codes"
            raise SizeError.of("a proof of the value", expected, size_text)

    @cached_property
    def levels(self) -> tuple[Array, Array]:
        """The different weights in descending order, and the index of each code's weight."""
        levels, indices = np.unique(-self.weights, return_inverse=True)
        return -levels, indices.reshape(-1)

    def partition(self, codes: Array) -> Partitions:
        """Return lower bounds of all guesses for a set of at least 2 codes."""
        levels, level_of = self.levels
        num_guesses, num_levels = len(self.codes), len(levels)
        answers = self.answers[:, codes]
        keys = answers.astype(np.int64) + np.arange(num_guesses)[:, None] * len(self.scores)
        counts = np.bincount(
            (keys * num_levels + level_of[codes]).ravel(),
            minlength=num_guesses * len(self.scores) * num_levels,
        ).reshape(num_guesses, len(self.scores), num_levels)
        counts[np.arange(num_guesses), self.wins] = 0  # the class that wins has the bound 0
        cumulative_counts = counts.cumsum(axis=2)
        num_classes = (cumulative_counts[:, :, -1] > 0).sum(axis=1)
        turns = first_turns(int(num_classes[codes].max()), int(num_classes.max()), len(codes))
        total_turns = np.concatenate(([0], turns.cumsum()))
        # In each class, the heaviest codes are found first.
        costs = np.diff(total_turns[cumulative_counts], axis=2, prepend=0) @ levels
        guess_bounds = self.total(codes) + costs.sum(axis=1)
        is_possible = np.zeros(num_guesses, dtype=bool)  # whether the guess may be the code
        is_possible[codes] = True
        guess_bounds[~is_possible & (num_classes == 1)] = UNLIMITED
        return Partitions(codes, answers, guess_bounds, turns)

    def bound_by_size(self, partitions: Partitions, codes: Array) -> int:
        """Return a lower bound of the cost of a subset by its weights."""
        weights = np.sort(self.weights[codes])[::-1]
        return int(weights @ partitions.by_size[: len(codes)])

    def total(self, codes: Array) -> int:
        """Return the total weight of some codes."""
        return int(self.weights[codes].sum())

    def image(self, mapping: Map, codes: Array) -> Array:
        """Return the image of a set of codes under the map, ascending; empty if weights change."""
        moved = self.moved(mapping)[codes]
        is_kept = np.array_equal(self.weights[moved], self.weights[codes])
        return np.sort(moved) if is_kept else moved[:0]

    __hash__ = object.__hash__  # by identity, because arrays have no hash


def first_turns(possible_classes: int, all_classes: int, size: int) -> Array:
    """Return the least number of guesses for the code that is found first, second, and so on.

    `possible_classes` is e of the module docstring, the maximum number of classes of a guess that
    may be the code, and `all_classes` is d, that of all guesses.
    """
    turns: list[int] = []
    turn, num_found = 1, 1  # num_found is F(turn)
    while len(turns) < size:
        turns += [turn] * (min(num_found, size) - len(turns))
        turn, num_found = turn + 1, max(1 + possible_classes * num_found, all_classes * num_found)
    return np.array(turns, dtype=np.int64)


def is_symmetry(table: ScoreTable, mapping: Map) -> bool:
    """Return whether a map is a symmetry of a game (see the module docstring)."""
    moved = table.moved(mapping)
    if not np.array_equal(np.sort(moved), np.arange(len(table.codes))):
        return False
    answers = table.answers
    moved_answers = answers[np.ix_(moved, moved)]
    score_image = np.full(len(table.scores), -1, dtype=np.int64)
    score_image[answers.ravel()] = moved_answers.ravel()
    is_one_to_one = len(np.unique(score_image)) == len(score_image)
    return is_one_to_one and np.array_equal(score_image[answers], moved_answers)


def check_value(
    board: Board, bundle: Bundle, verification: Verification, watch: Watch
) -> Verification:
    """Check both mixtures, and complete the result."""
    if board.rows or board.known:
        raise RejectedError("the board of a value has rows")
    value = read_value(bundle.fields["value"])
    require_every_guess(board.game)
    try:
        table = WeightedTable.of(board.game)
        require_scores(table)
    except MmsatError as error:
        raise RejectedError(str(error)) from None
    notation = Notation(table)
    # For each code, the index of the first code of its kind.
    kinds = merge_guesses(table, read_maps(table, bundle.sections["maps"]))
    table.weights[:] = read_weights(notation, kinds, bundle.sections["codemaker"])
    num_trees = check_trees(notation, kinds, value, bundle.sections["trees"])
    total = value * table.total(np.arange(len(kinds)))
    if total.denominator > 1:
        raise RejectedError(f"no strategy has the average {value} against [codemaker]")
    verification = check_bounds_section(notation, bundle, int(total), watch, verification)
    if verification.holds is None:
        return verification
    num_kinds = bundle.sections["codemaker"].count("\n")
    reason = (
        f"the value of {board.game} is {value}; a mixture of {quantity(num_trees, 'tree')} needs "
        f"no more guesses on average for any code, and no strategy needs fewer for a mixture of "
        f"{quantity(num_kinds, 'kind')} of codes ({quantity(verification.lemmas, 'lower bound')})"
    )
    return replace(verification, reason=reason)


def require_scores(table: ScoreTable) -> None:
    """Raise InputError or SizeError if the scores of a game do not suit a certificate."""
    game = table.game
    if len(table.scores) > MAX_SCORES:
        expected = f"a game of up to {MAX_SCORES} scores"
        size_text = f"{game} with {len(table.scores)} scores"
        raise SizeError.of("a proof of the value", expected, size_text)
    if not table.has_unique_wins:
        expected = "a game whose scores identify every code"
        raise InputError.of("a proof of the value", expected, str(game))


def read_value(text: str) -> Fraction:
    """Return the value that the head states."""
    match = VALUE_FIELD.fullmatch(text)
    value = Fraction(int(match[1]), int(match[2])) if match else None
    if value is None or f"{value.numerator}/{value.denominator}" != text:
        raise RejectedError(
            f"expected the value as a fraction in lowest terms, found {text[:40]!r}"
        )
    return value


def read_maps(table: ScoreTable, text: str) -> list[Map]:
    """Return the maps of the section, each a symmetry of the game."""
    maps: list[Map] = []
    game = table.game
    for number, line in enumerate(text.split("\n")[:-1], 1):
        place = f"line {number} of [maps]"
        mapping = Map.read(line, game)
        if mapping is None or mapping in maps or len(maps) == MAX_MAPS:
            raise RejectedError(f"{place}: {line[:60]!r} is not a map, or is superfluous")
        if not is_symmetry(table, mapping):
            raise RejectedError(f"{place}: the map does not keep the scores")
        maps.append(mapping)
    return maps


def read_weights(notation: Notation, kinds: Array, text: str) -> Array:
    """Return the weight of each code."""
    weights = np.zeros(len(kinds), dtype=np.int64)
    last, total = -1, 0
    for number, line in enumerate(text.split("\n")[:-1], 1):
        place = f"line {number} of [codemaker]"
        words = line.split(" ")
        code = notation.guess_of.get(words[0])
        if code is None or len(words) != 2 or not is_number(words[1]) or words[1][0] == "0":
            raise RejectedError(f"{place}: {line[:60]!r} is not a code and its weight")
        if code <= last or kinds[code] != code:
            raise RejectedError(f"{place}: {words[0]} is not the first code of the next kind")
        members = np.flatnonzero(kinds == code)
        total += int(words[1]) * len(members)
        if total * len(kinds) > MAX_TOTAL_COST:
            raise RejectedError(f"{place}: the weight is too large")
        weights[members] = int(words[1])
        last = code
    if last < 0:
        raise RejectedError("the section [codemaker] has no codes")
    if len(np.unique(weights)) > MAX_WEIGHTS:
        raise RejectedError(f"the section [codemaker] has more than {MAX_WEIGHTS} weights")
    return weights


def check_trees(notation: Notation, kinds: Array, value: Fraction, text: str) -> int:
    """Check that no code needs more guesses than the value on average; return the tree count."""
    sizes = np.bincount(kinds, minlength=len(kinds))
    firsts = np.flatnonzero(sizes).tolist()
    totals = [0] * len(firsts)
    total_weight = num_trees = 0
    for weight, start, lines in split_trees(text):
        turns = np.bincount(kinds, weights=play_tree(notation, lines, start, "trees"))
        for index, first in enumerate(firsts):
            totals[index] += weight * int(turns[first])
        total_weight += weight
        num_trees += 1
    for first, total in zip(firsts, totals, strict=True):
        average = Fraction(total, total_weight * int(sizes[first]))
        if average > value:
            code = notation.guesses[first]
            raise RejectedError(f"the code {code} needs {average} guesses, more than {value}")
    return num_trees


def split_trees(text: str) -> Iterator[tuple[int, int, list[str]]]:
    """Yield the weight of each tree, the number of its first line, and its guesses."""
    lines = text.split("\n")[:-1]
    starts = [number for number, line in enumerate(lines) if TREE_LINE.fullmatch(line)]
    if starts[:1] != [0]:
        raise RejectedError("line 1 of [trees]: expected a tree with its weight, such as 'tree 1'")
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield int(lines[start].removeprefix("tree ")), start + 2, lines[start + 1 : end]
