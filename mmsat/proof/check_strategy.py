"""Certificates of optimal strategies, and their check against a game, which uses no search.

A certificate has a strategy tree, and lower bounds that no strategy beats.

The head of the file has these fields:

    objective   `average` or `worst`: the cost of a strategy is the total number of guesses over all
                codes, or the number of guesses in the worst case
    guesses     `all`, or `codes` if each guess must be a possible code at its turn
    cost        the cost of the tree; no strategy has a smaller cost

The section `tree` has the guesses of the tree, one per line. A guess is followed by its subtrees,
in ascending order of their scores, without the score that wins. The section `bounds` has one line
for each set of codes with a proved lower bound of the cost of every strategy for it. A set
consists of the codes that get the scores of some rows, and the last line is about all codes:

    1122=0.0/3344=0.1 35
    1122=0.0/3355=0.1 35 as 1 1.2.3.4:1.2.3.4.6.5
    all 5625 with 2.1.3.4:1.2.3.4.5.6 1.2.3.4:2.1.3.4.5.6

`as` names an earlier line, counted from 1, and a map by which its set becomes this one: the color
of peg 1, 2, ... moves to the given peg, and color 1, 2, ... becomes the given color. `with` lists
maps by which the set becomes itself. Maps of pegs and colors keep the costs of strategies if scores
count pegs, so other games have no maps.

A bound without `as` holds if it is a lower bound of the cost of each first guess. A guess divides
the n codes of the set into *classes* by score. Its cost is at least

- n plus the bounds of the classes for `average`, and 1 plus the largest bound for `worst`;
- infinite if all codes are in one class, because the score then gives no information.

The class that wins has the bound 0. The bound of another class is that of an earlier line, or a
bound by its size. Let d be the maximum number of classes of any guess, and e that of the guesses
that may be the code, both without the class that wins. No guess splits a subset into more classes
than the whole set. A guess that may be the code wins for one code and divides n - 1 codes among at
most e classes. Another guess divides n codes among at most d classes. So the bound for n codes is n
plus the smaller of two sums: the least sum of the bounds of e classes for n - 1 codes, and that of
d classes for n codes (for `worst`, 1 plus the smaller of the two least maxima). If maps of the line
move a guess to another one, the costs of both have the same bounds.

This module shares no code with the search of strategies, and computes all scores itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from mmsat._util import Array, np
from mmsat._util.text import quantity
from mmsat.errors import SizeError
from mmsat.game import Code, Score
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.notation.board_reader import speller
from mmsat.game.words import Words
from mmsat.proof import Verification, Watch
from mmsat.proof.bundle import Bundle, RejectedError

OBJECTIVES = ("average", "worst")
GUESSES = ("all", "codes")
SYMMETRIC_SCORINGS = ("black-white", "black", "color")
"""Kinds of scoring that count pegs: exchanging pegs or colors in code and guess changes nothing."""
MAX_CODES = 4096
"""Maximum number of codes of a game. The table of scores has two bytes per pair of codes."""
MAX_SCORES = 254
"""Maximum number of different scores."""
UNLIMITED = 1 << 40
"""The bound of a guess that leaves all codes possible. It exceeds every finite cost."""
ALL_CODES = "all"
"""The text of the set of all codes in a line of bounds."""


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
        """Return the image of a code or guess under the map."""
        moved = [0] * len(code)
        for peg, color in enumerate(code):
            moved[self.pegs[peg]] = self.colors[color]
        return tuple(moved)


class SizeBounds:
    """Lower bounds of costs by the number of codes, if guesses have limited numbers of classes.

    `possible_classes` and `all_classes` are e and d of the module docstring: the maximum number of
    classes of guesses that may be the code, and of all guesses. If guesses must be possible codes,
    `all_classes` is 0.
    """

    def __init__(
        self, possible_classes: int, all_classes: int, size: int, *, is_worst: bool
    ) -> None:
        self.is_worst = is_worst
        bounds = self._fill(possible_classes, all_classes, size)
        if bounds is None:  # not convex: assume that each guess may be the code, which is weaker
            bounds = self._fill(max(possible_classes, all_classes), 0, size)
        self.table = np.array(bounds, dtype=np.int64)

    def _fill(self, possible_classes: int, all_classes: int, size: int) -> list[int] | None:
        """Return the bounds for up to `size` codes; None if those of the average are not convex."""
        bounds = [0, 1]
        for number in range(2, size + 1):
            least = UNLIMITED
            if possible_classes:
                least = self._divide(bounds, number - 1, possible_classes)
            if all_classes > 1:
                least = min(least, self._divide(bounds, number, all_classes))
            bounds.append(min(UNLIMITED, least + (1 if self.is_worst else number)))
            if not self.is_worst and bounds[-1] - bounds[-2] < bounds[-2] - bounds[-3]:
                return None
        return bounds[: size + 1]

    def _divide(self, bounds: Sequence[int], number: int, num_classes: int) -> int:
        """Return the least cost of `number` codes that are divided among `num_classes` classes.

        By convexity, classes of nearly equal size have the least total. In the worst case, bounds
        do not decrease with the size, so nearly equal sizes have the least maximum.
        """
        size, num_larger = divmod(number, num_classes)
        if self.is_worst:
            return bounds[size + bool(num_larger)]
        total = (num_classes - num_larger) * bounds[size]
        return total + num_larger * bounds[size + 1] if num_larger else total


class Partitions(NamedTuple):
    """A set of codes, and for each first guess a lower bound by the sizes of its classes."""

    codes: Array
    """The indices of the codes, ascending."""
    answers: Array
    """For each guess (row) and code of the set (column), the index of the score."""
    guess_bounds: Array
    """For each guess, a lower bound of its cost; UNLIMITED for guesses that are not allowed."""
    by_size: Array
    """For each size, a lower bound of the cost of a subset of this size. In a WeightedTable, the
    turns of its codes, the heaviest first."""


def require_size(game: Game) -> None:
    """Raise SizeError if a game has too many codes for a certificate."""
    if game.size > MAX_CODES:
        expected, text = f"a game of up to {MAX_CODES:,} codes", f"{game} with {game.size:,} codes"
        raise SizeError.of("a proof of an optimal strategy", expected, text)


@dataclass(frozen=True)
class ScoreTable:
    """The scores of all pairs of codes of a game, and the rules for the cost of a strategy."""

    game: Game
    is_worst: bool  # whether the cost is the number of guesses in the worst case
    codes_only: bool  # whether each guess must be a possible code at its turn

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
        return self._scored[0]

    @cached_property
    def answers(self) -> Array:
        """The index of the score of each guess (row) against each code (column)."""
        return self._scored[1]

    @cached_property
    def _scored(self) -> tuple[list[Score], Array]:
        codes = np.array(self.codes, dtype=np.uint16)
        scored = np.stack([self.game.scoring.score_all(codes, guess) for guess in self.codes])
        base = int(scored.max()) + 1
        scores: list[Score] = [()]
        answers = np.zeros((len(codes), len(codes)), dtype=np.int64)
        # Rank the beginnings of scores, part by part, which is faster than sorting all scores.
        for part in range(scored.shape[-1]):
            answers = answers * base + scored[:, :, part]
            is_present = np.bincount(answers.ravel()) > 0
            answers = (is_present.cumsum() - 1)[answers]
            present = np.flatnonzero(is_present).tolist()
            if len(present) > MAX_SCORES:
                expected = f"a game of up to {MAX_SCORES} different scores"
                raise SizeError.of("a proof about strategies", expected, str(self.game))
            scores = [(*scores[key // base], key % base) for key in present]
        return scores, answers.astype(np.int16)

    @cached_property
    def wins(self) -> Array:
        """For each guess, the index of the score that wins."""
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
        """Return, for each code, the index of its image under the map."""
        return _moved(self, mapping)

    def image(self, mapping: Map, codes: Array) -> Array:
        """Return the image of a set of codes under the map, ascending."""
        return np.sort(self.moved(mapping)[codes])

    def select(self, rows: Iterable[tuple[int, int]]) -> Array:
        """Return the codes that get the scores of some rows: indices of guesses and of scores."""
        codes = np.arange(len(self.codes))
        for guess, score in rows:
            codes = codes[self.answers[guess, codes] == score]
        return codes

    def partition(self, codes: Array) -> Partitions:
        """Return lower bounds of all guesses for a set of at least 2 codes."""
        num_codes, num_scores = len(codes), len(self.scores)
        answers = self.answers[:, codes]
        rows = np.arange(len(self.codes))
        counts = np.bincount(
            (answers + rows[:, None] * num_scores).ravel(), minlength=len(rows) * num_scores
        ).reshape(len(rows), num_scores)
        is_possible = np.zeros(len(rows), dtype=bool)  # whether the guess may be the code
        is_possible[codes] = True
        counts[rows, self.wins] = 0  # the class that wins has the bound 0
        num_classes = (counts > 0).sum(axis=1)
        possible_classes = int(num_classes[codes].max())
        all_classes = 0 if self.codes_only else int(num_classes.max())
        by_size = _size_bounds(possible_classes, all_classes, num_codes, self.is_worst).table
        bounds = by_size[counts]  # of each class
        guess_bounds = 1 + bounds.max(axis=1) if self.is_worst else num_codes + bounds.sum(axis=1)
        guess_bounds[~is_possible & ((num_classes == 1) | self.codes_only)] = UNLIMITED
        return Partitions(codes, answers, guess_bounds, by_size)

    def bound_by_size(self, partitions: Partitions, codes: Array) -> int:
        """Return a lower bound of the cost of a subset by its size."""
        return int(partitions.by_size[len(codes)])

    def total(self, codes: Array) -> int:
        """Return the total cost of one guess if each of `codes` may be the code."""
        return len(codes)

    def classes(self, partitions: Partitions, guess: int) -> Iterator[tuple[int, Array]]:
        """Yield the score and the codes of each class of a guess, except the class that wins."""
        answers = partitions.answers[guess]
        for score in np.unique(answers).tolist():
            if score != self.wins[guess]:
                yield score, partitions.codes[answers == score]

    def combine(self, codes: Array, bounds: Iterable[int]) -> int:
        """Return the bound of a guess for some codes, from the bounds of its classes."""
        return 1 + max(bounds, default=0) if self.is_worst else self.total(codes) + sum(bounds)

    __hash__ = object.__hash__  # by identity, as an argument of a cached function


@lru_cache(maxsize=4096)
def _moved(table: ScoreTable, mapping: Map) -> Array:
    codes = np.array(table.codes, dtype=np.int64)
    moved = np.empty_like(codes)
    moved[:, list(mapping.pegs)] = np.array(mapping.colors)[codes]
    weights = table.game.colors ** np.arange(table.game.pegs - 1, -1, -1, dtype=np.int64)
    return np.searchsorted(codes @ weights, moved @ weights)  # codes are sorted


@lru_cache(maxsize=4096)
def _size_bounds(possible_classes: int, all_classes: int, size: int, is_worst: bool) -> SizeBounds:
    return SizeBounds(possible_classes, all_classes, size, is_worst=is_worst)


def merge_guesses(table: ScoreTable, maps: Iterable[Map]) -> Array:
    """Return for each guess the least index in its orbit under the maps."""
    labels = np.arange(len(table.codes))
    moves = [table.moved(mapping) for mapping in maps]
    has_changed = bool(moves)
    while has_changed:  # pass the smaller label of each guess and its image to the other one
        before = labels.copy()
        for move in moves:
            labels[move] = np.minimum(labels[move], labels)
            labels = np.minimum(labels, labels[move])
        has_changed = not np.array_equal(before, labels)
    return labels


LINES_PER_REPORT = 64
"""Number of lines between two reports of progress."""


class Line(NamedTuple):
    """A line of the section of bounds."""

    rows: tuple[tuple[int, int], ...]
    """The rows whose codes are bounded, each the index of a guess and of a score."""
    bound: int
    source: int | None = None
    """The index of an earlier line with an equivalent set; None if the bound has another reason."""
    maps: tuple[Map, ...] = ()
    """The map of the source, or maps by which the set becomes itself."""


@dataclass(frozen=True)
class Notation:
    """The texts of the guesses and scores of a table."""

    table: ScoreTable

    @cached_property
    def guesses(self) -> list[str]:
        """The text of each code."""
        spell = speller(self.table.game)
        return [spell.print_code(code) for code in self.table.codes]

    @cached_property
    def scores(self) -> list[str]:
        """The text of each score."""
        spell = speller(self.table.game)
        return [spell.print_score(score) for score in self.table.scores]

    @cached_property
    def guess_of(self) -> dict[str, int]:
        """The index of the code with each text."""
        return {text: index for index, text in enumerate(self.guesses)}

    @cached_property
    def score_of(self) -> dict[str, int]:
        """The index of the score with each text."""
        return {text: index for index, text in enumerate(self.scores)}

    def print_line(self, line: Line) -> str:
        """Return a line as text."""
        rows = "/".join(f"{self.guesses[guess]}={self.scores[score]}" for guess, score in line.rows)
        source = "" if line.source is None else f" as {line.source + 1}"
        maps = "".join(f" {mapping}" for mapping in line.maps)
        keyword = " with" if line.source is None and line.maps else ""
        return f"{rows or ALL_CODES} {line.bound}{source}{keyword}{maps}\n"

    def read_line(self, text: str) -> Line | None:
        """Return the line with this text, or None if the text is not in its canonical form."""
        words = text.split(" ")
        if len(words) < 2 or not is_number(words[1]):
            return None
        rows = []
        for row in words[0].split("/") if words[0] != ALL_CODES else ():
            guess, _, score = row.partition("=")
            if guess not in self.guess_of or score not in self.score_of:
                return None
            rows.append((self.guess_of[guess], self.score_of[score]))
        source, map_words = None, words[3:]
        if words[2:3] == ["as"]:
            if len(words) != 5 or not is_number(words[3]):
                return None
            source, map_words = int(words[3]) - 1, words[4:]
        maps = [Map.read(word, self.table.game) for word in map_words]
        line = Line(tuple(rows), int(words[1]), source, tuple(filter(None, maps)))
        return line if self.print_line(line) == f"{text}\n" else None


def is_number(text: str) -> bool:
    """Return whether a text is a whole number that is not too large."""
    return text.isdecimal() and text.isascii() and len(text) < 19


class Bounds:
    """Proved lower bounds of sets of codes."""

    def __init__(self, table: ScoreTable) -> None:
        self.table = table
        self.by_codes: dict[bytes, int] = {}
        """The best bound of each set, by the bytes of the indices of its codes."""

    def of(self, codes: Array, partitions: Partitions) -> int:
        """Return the best known bound of a class: by its size, or of an earlier line."""
        by_size = self.table.bound_by_size(partitions, codes)
        return max(by_size, self.by_codes.get(codes.tobytes(), 0))

    def add(self, codes: Array, bound: int) -> None:
        """Store a proved bound."""
        key = codes.tobytes()
        self.by_codes[key] = max(bound, self.by_codes.get(key, 0))

    def guess_bound(self, partitions: Partitions, guess: int) -> int:
        """Return a lower bound of the cost of a guess, by the best bounds of its classes."""
        bounds = [self.of(codes, partitions) for _, codes in self.table.classes(partitions, guess)]
        return self.table.combine(partitions.codes, bounds)

    def unproved_guesses(
        self, partitions: Partitions, bound: int, maps: Sequence[Map]
    ) -> list[int]:
        """Return the guesses whose cost may be below a bound, one per orbit under the maps."""
        below = np.flatnonzero(partitions.guess_bounds < bound)
        if not len(below):
            return []
        labels = merge_guesses(self.table, maps)
        proved = {*labels[partitions.guess_bounds >= bound].tolist()} if maps else set()
        unproved: dict[int, int] = {}
        for guess in below.tolist():
            label = int(labels[guess])
            if label in proved:
                continue
            if self.guess_bound(partitions, guess) >= bound:
                proved.add(label)
                unproved.pop(label, None)
            else:
                unproved.setdefault(label, guess)
        return list(unproved.values())


def check_strategy(
    board: Board, bundle: Bundle, verification: Verification, watch: Watch
) -> Verification:
    """Check that the tree has the stated cost, check the bounds, and complete the result."""
    objective, guesses = bundle.fields["objective"], bundle.fields["guesses"]
    if board.rows or board.known:
        raise RejectedError("the board of an optimal strategy has rows")
    if objective not in OBJECTIVES:
        raise RejectedError(f"expected objective average or worst, found {objective[:40]!r}")
    if guesses not in GUESSES:
        raise RejectedError(f"expected guesses all or codes, found {guesses[:40]!r}")
    cost = bundle.fields["cost"]
    if not is_number(cost) or str(int(cost)) != cost:
        raise RejectedError(f"expected the cost as a number, found {cost[:40]!r}")
    require_every_guess(board.game)
    table = ScoreTable(board.game, is_worst=objective == "worst", codes_only=guesses == "codes")
    num_guesses = bundle.sections["tree"].count("\n")
    try:
        require_size(board.game)
        if num_guesses < board.game.size:  # a small file must not cause the work of a large game
            size_text = f"{quantity(num_guesses, 'guess')} for {quantity(board.game.size, 'code')}"
            raise RejectedError(f"[tree] has {size_text}: the tree is incomplete")
        has_unique_wins = table.has_unique_wins
    except SizeError as error:
        raise RejectedError(str(error)) from None
    if not has_unique_wins:
        raise RejectedError(f"the scores of {board.game} do not identify every code")
    notation = Notation(table)
    turns = play_tree(notation, bundle.sections["tree"].split("\n")[:-1])
    tree_cost = int(turns.max() if table.is_worst else turns.sum())
    if tree_cost != int(cost):
        raise RejectedError(f"the head states a cost of {cost}, but the tree has {tree_cost}")
    verification = check_bounds_section(notation, bundle, int(cost), watch, verification)
    if verification.holds is None:
        return verification
    return replace(verification, reason=describe(board, bundle))


def check_bounds_section(
    notation: Notation, bundle: Bundle, bound: int, watch: Watch, verification: Verification
) -> Verification:
    """Check that the section of bounds proves a bound of all codes.

    Return the verification with the number of bounds. It is undecided if the time is up.
    """
    lines = bundle.sections["bounds"].split("\n")[:-1]
    for num_checked in check_bounds(notation, lines, bound):
        watch.report(num_checked / max(1, len(lines)))
        if watch.is_over:
            reason = f"undecided: time limit reached at line {num_checked + 1} of [bounds]"
            return replace(verification, holds=None, reason=reason, lemmas=num_checked)
    return replace(verification, holds=True, lemmas=len(lines))


def require_every_guess(game: Game) -> None:
    """Raise RejectedError if a game allows guesses that are not codes."""
    space = game.space
    if isinstance(space, Words) and space.allows_any_guess:
        raise RejectedError(f"{game} allows guesses that are not codes")


def describe(board: Board, bundle: Bundle) -> str:
    """Return a description of the claim that a valid certificate proves."""
    cost = int(bundle.fields["cost"])
    condition = "" if bundle.fields["guesses"] == "all" else ", guessing only possible codes,"
    bounds = quantity(bundle.sections["bounds"].count("\n"), "lower bound")
    if bundle.fields["objective"] == "worst":
        result = f"finds every code of {board.game} within {quantity(cost, 'guess')}"
        return f"the strategy{condition} {result}, and no strategy needs fewer ({bounds})"
    result = f"finds the {quantity(board.game.size, 'code')} of {board.game} in {cost:,} guesses"
    return f"the strategy{condition} {result} in total, and no strategy in fewer ({bounds})"


def play_tree(
    notation: Notation, lines: Sequence[str], start: int = 1, section: str = "tree"
) -> Array:
    """Return, for each code, the number of guesses of the tree with these lines.

    `start` is the number of the first line in the section. Raises RejectedError if the lines are
    not a tree.
    """
    table = notation.table
    turns = np.zeros(len(table.codes), dtype=np.int64)
    stack = [(np.arange(len(table.codes)), 1)]  # the codes and the turns of the next subtrees
    for number, line in enumerate(lines, start):
        place = f"line {number} of [{section}]"
        if not stack:
            raise RejectedError(f"{place}: the tree is complete before")
        codes, turn = stack.pop()
        guess = notation.guess_of.get(line)
        if guess is None:
            raise RejectedError(f"{place}: {line[:40]!r} is not a code of the game")
        answers = table.answers[guess, codes]
        is_win = answers == table.wins[guess]
        if table.codes_only and not is_win.any():
            raise RejectedError(f"{place}: {line} is not a possible code")
        if not is_win.any() and (answers == answers[0]).all():
            raise RejectedError(f"{place}: the guess {line} gives no information")
        turns[codes[is_win]] = turn
        stack += [
            (codes[answers == score], turn + 1)
            for score in np.unique(answers[~is_win])[::-1].tolist()
        ]
    if stack:
        raise RejectedError(f"line {start + len(lines)} of [{section}]: the tree is incomplete")
    return turns


def check_bounds(notation: Notation, lines: Sequence[str], cost: int) -> Iterator[int]:
    """Check the lines, and yield the number of checked lines every LINES_PER_REPORT lines.

    Raises RejectedError if a bound is not proved.
    """
    table = notation.table
    bounds = Bounds(table)
    checked: list[tuple[Array, int]] = []
    for number, text in enumerate(lines, 1):
        place = f"line {number} of [bounds]"
        line = notation.read_line(text)
        if line is None:
            raise RejectedError(f"{place}: {text[:60]!r} is not a bound in its canonical form")
        if line.maps and not table.is_symmetric:
            raise RejectedError(f"{place}: the game {table.game} has no maps")
        codes = table.select(line.rows)
        if line.source is not None:
            if not 0 <= line.source < len(checked):
                raise RejectedError(f"{place}: there is no earlier line {line.source + 1}")
            original, original_bound = checked[line.source]
            image = table.image(line.maps[0], original)
            if original_bound < line.bound or not np.array_equal(image, codes):
                raise RejectedError(f"{place}: the map of line {line.source + 1} does not prove it")
        else:
            check_guesses(bounds, codes, line, place)
        bounds.add(codes, line.bound)
        checked.append((codes, line.bound))
        if number % LINES_PER_REPORT == 0:
            yield number
    if not checked or len(checked[-1][0]) != len(table.codes) or checked[-1][1] < cost:
        raise RejectedError(f"the last line of [bounds] is not the bound {cost} of all codes")


def check_guesses(bounds: Bounds, codes: Array, line: Line, place: str) -> None:
    """Raise RejectedError unless the bound of a line holds for each first guess."""
    table = bounds.table
    if len(codes) < 2:
        if line.bound > table.total(codes):
            raise RejectedError(f"{place}: the bound is too large for {len(codes)} codes")
        return
    for mapping in line.maps:
        if not np.array_equal(table.image(mapping, codes), codes):
            raise RejectedError(f"{place}: the map {mapping} does not keep the set")
    unproved = bounds.unproved_guesses(table.partition(codes), line.bound, line.maps)
    if unproved:
        text = Notation(table).guesses[unproved[0]]
        raise RejectedError(f"{place}: the guess {text} may need less than {line.bound}")
