"""Counts of large boards: the states after each peg, each with its number of completions.

This kind of proof is for boards that have too many states for a formula with a certificate. The
section `states` has a layer for each number of pegs, from 0 to all. Each of its lines has a state,
and the number of ways to complete the first pegs of a code that lead to this state:

    layer 2
    01000101 12
    01010200 9

A state has two hexadecimal digits for each of these numbers, in this order:

- for each row with a known number of black or of white key pegs: the number of agreeing pegs so
  far;
- for each color of a guess whose score determines black plus white: the number of pegs with this
  color so far, up to the highest number of them in one of these guesses. If no color repeats in a
  code, all colors are listed.

The first layer has the state before the first peg, whose count is the claim, plus the number of
known codes that get every score. The states of a layer are sorted and different. A successor of a
state, for one more peg with some color, is in the next layer unless a score is out of its reach:
each further peg increases the number of agreeing pegs by at most 1, and that of common colors by at
most 1. The last layer then has only states of codes that get every score, each with the count 1.

The check computes the successors of each state from the board alone, and compares each count with
the sum of the counts of the successors. No state may be missing, or superfluous. So each board has
exactly one such text. Two layers are in memory at a time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from mmsat._util import Array, np
from mmsat._util.text import quantity
from mmsat.errors import SizeError
from mmsat.game.board import Board
from mmsat.limits import LIMITS
from mmsat.proof.bundle import Bundle, RejectedError
from mmsat.proof.verify import Verification, Watch

SCORINGS = ("black-white", "black", "color")
SPACES = ("repeats", "distinct")
MAX_PEGS = 255
"""The largest number in a state."""
NUMBERS_PER_STEP = 1 << 23
"""Numbers that are computed at once, for some states and their successors, between two looks at the
clock."""
KEYS_PER_MERGE = 1 << 22
"""Successors that are collected before duplicates are removed."""


class Condition(NamedTuple):
    """A weighted sum of agreeing pegs and common colors that the score of a row determines."""

    agreeing: int
    """The column of the number of agreeing pegs; -1 if the sum does not include it."""
    sign: int
    """The weight of the number of agreeing pegs: 1, or -1 for white without black."""
    needed: tuple[int, ...]
    """For each color column, the number of pegs of the guess; empty if the sum does not include
    the common colors."""
    target: int
    """The value of the sum for a code that gets the score."""


class Effect(NamedTuple):
    """The change of a state by a peg with some color."""

    agreeing: tuple[int, ...]
    """The columns of rows whose guesses have this color there."""
    color: int
    """The column of the color; -1 if its number does not matter."""


def is_supported(board: Board) -> bool:
    """Return whether layers can describe the codes of a board."""
    game = board.game
    is_counted = game.scoring.name in SCORINGS and game.space.name in SPACES
    return is_counted and not board.has_unread_pegs and game.pegs <= MAX_PEGS


class Rules:
    """The states of a board, their successors, and the states that are out of reach."""

    def __init__(self, board: Board) -> None:
        """Choose the columns of the states of a supported board."""
        game = board.game
        self.pegs = game.pegs
        self.is_distinct = game.space.name == "distinct"
        sums = [
            (guess, weights, target)
            for guess, score in board.rows
            for weights, target in _sums(game.scoring.name, score)
        ]
        guesses = list(dict.fromkeys(guess for guess, (black, _), _ in sums if black))
        colored = [guess for guess, (_, common), _ in sums if common]
        caps = [
            max((guess.count(color) for guess in colored), default=0)
            for color in range(game.colors)
        ]
        if self.is_distinct:
            caps = [1] * game.colors
        colors = [color for color in range(game.colors) if caps[color]]
        self.first_color = len(guesses)
        self.caps = [caps[color] for color in colors]
        self.width = max(1, len(guesses) + len(colors))  # a state has at least one number
        self.conditions = [
            Condition(
                guesses.index(guess) if black else -1,
                black,
                tuple(guess.count(color) for color in colors) if common else (),
                target,
            )
            for guess, (black, common), target in sums
        ]
        columns = {color: self.first_color + index for index, color in enumerate(colors)}
        self.effects = [
            Counter(
                Effect(
                    tuple(row for row, guess in enumerate(guesses) if guess[peg] == color),
                    columns.get(color, -1),
                )
                for color in range(game.colors)
            )
            for peg in range(game.pegs)
        ]
        """For each peg, each effect with the number of colors that have it."""
        work_per_state = (self.width + len(self.conditions)) * max(map(len, self.effects))
        self.step = max(1, NUMBERS_PER_STEP // work_per_state)
        """Number of states whose successors are computed at once."""

    @property
    def start(self) -> Array:
        """The state before the first peg, if no score is out of its reach."""
        states = np.zeros((1, self.width), dtype=np.uint8)
        return self.keys(states[self.within_reach(states, self.pegs)])

    def keys(self, states: Array) -> Array:
        """Return states as byte strings, which compare like their numbers."""
        return np.ascontiguousarray(states).view(f"S{self.width}").ravel()

    def states(self, keys: Array) -> Array:
        """Return the numbers of states."""
        return np.frombuffer(keys.tobytes(), dtype=np.uint8).reshape(len(keys), self.width)

    def within_reach(self, states: Array, remaining: int) -> Array:
        """Return for each state whether no score is out of its reach with the remaining pegs."""
        counts = states[:, self.first_color : self.first_color + len(self.caps)]
        result = np.ones(len(states), dtype=bool)
        for agreeing, sign, needed, target in self.conditions:
            value = np.zeros(len(states), dtype=np.int64)
            if needed:
                value += np.minimum(counts, np.array(needed, dtype=np.uint8)).sum(axis=1, dtype=int)
            if sign:
                value += sign * states[:, agreeing].astype(np.int64)
            least = -remaining if sign < 0 else 0
            result &= (value + least <= target) & (target <= value + remaining)
        return result

    def successors(self, place: int, states: Array) -> Iterator[tuple[int, Array, Array]]:
        """Yield, for the next peg, the successors of states that are within reach.

        Each item has the number of colors that lead to these successors, the indices of the states
        that have such a successor, and the keys of the successors.
        """
        for (agreeing, color), number in self.effects[place].items():
            moved = states.copy()
            moved[:, list(agreeing)] += 1
            allowed = np.ones(len(states), dtype=bool)
            if color >= 0:
                cap = self.caps[color - self.first_color]
                moved[:, color] = np.minimum(states[:, color], cap - 1) + 1
                if self.is_distinct:
                    allowed = states[:, color] == 0
            allowed &= self.within_reach(moved, self.pegs - place - 1)
            yield number, np.flatnonzero(allowed), self.keys(moved[allowed])


def _sums(scoring: str, score: tuple[int | None, ...]) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield the sums that a score determines.

    Each item has the weights of the numbers of agreeing pegs and of common colors, and the sum.
    """
    if scoring == "color":
        black, white, common = None, None, score[0]
    else:
        black, white = score[0], score[1] if scoring == "black-white" else None
        common = None if black is None or white is None else black + white
    if black is not None:
        yield (1, 0), black
    if common is not None:
        yield (0, 1), common
    elif white is not None:
        yield (-1, 1), white


def add_up(rules: Rules, place: int, keys: Array, following: Layer) -> Iterator[Array]:
    """Yield the counts of the states in batches, as sums of counts of the next layer.

    Marks the states of the next layer that are reached. Raises RejectedError if one is missing.
    """
    for first in range(0, len(keys), rules.step):
        states = rules.states(keys[first : first + rules.step])
        counts = np.zeros(len(states), dtype=object)
        for number, indices, successors in rules.successors(place, states):
            positions = np.searchsorted(following.keys, successors)
            is_missing = positions == len(following.keys)
            is_missing[~is_missing] = (
                following.keys[positions[~is_missing]] != successors[~is_missing]
            )
            if is_missing.any():
                state = _digits(successors[is_missing])
                raise RejectedError(f"layer {place + 1} of [states]: the state {state} is missing")
            counts[indices] += number * following.counts[positions]
            following.reached[positions] = True
        yield counts


class Layer:
    """The states after a number of pegs, and their counts."""

    def __init__(self, keys: Array, counts: Array) -> None:
        self.keys = keys
        self.counts = counts
        self.reached = np.zeros(len(keys), dtype=bool)
        """For each state, whether it is a successor of a state in the layer before."""


def write_layers(board: Board) -> Iterator[str | tuple[int, str]]:
    """Yield progress messages, and finally the count of a supported board and the layers.

    Raises SizeError if there are too many states, before any text is made.
    """
    rules = Rules(board)
    layers = [rules.start]
    total = len(rules.start)
    for place in range(rules.pegs):
        next_keys = rules.start[:0]
        parts: list[Array] = []
        for first in range(0, len(layers[place]), rules.step):
            states = rules.states(layers[place][first : first + rules.step])
            parts += [keys for _, _, keys in rules.successors(place, states)]
            is_last = first + rules.step >= len(layers[place])
            if is_last or sum(map(len, parts)) >= KEYS_PER_MERGE:
                next_keys = np.unique(np.concatenate([next_keys, *parts]))
                parts.clear()
            if total + len(next_keys) > LIMITS.proof_layered_states:
                expected = f"up to {LIMITS.proof_layered_states:,} states"
                size_text = f"at least {total + len(next_keys):,}"
                raise SizeError.of("a proof of this count", expected, size_text)
            yield f"searching the states after {quantity(place + 1, 'peg')}"
        total += len(next_keys)
        layers.append(next_keys)
    layer = Layer(layers[-1], np.ones(len(layers[-1]), dtype=object))
    texts = [_print_layer(rules, rules.pegs, layer)]
    for place in reversed(range(rules.pegs)):
        parts = [np.zeros(0, dtype=object)]
        for counts in add_up(rules, place, layers[place], layer):
            parts.append(counts)
            yield f"counting the completions after {quantity(place, 'peg')}"
        layer = Layer(layers.pop(place), np.concatenate(parts))
        texts.append(_print_layer(rules, place, layer))
    count = sum(layer.counts.tolist()) - _count_known(board)
    yield count, "".join(reversed(texts))


def _print_layer(rules: Rules, place: int, layer: Layer) -> str:
    """Return a layer as text."""
    digits, width = layer.keys.tobytes().hex(), 2 * rules.width
    lines = [
        f"{digits[index * width : (index + 1) * width]} {count}\n"
        for index, count in enumerate(layer.counts.tolist())
    ]
    return f"layer {place}\n{''.join(lines)}"


def _count_known(board: Board) -> int:
    """Return the number of known codes that get every score."""
    codes = {code for code in board.known if board.game.contains(code)}
    return sum(not board.missed(code) for code in codes)


def read_layers(rules: Rules, text: str) -> Iterator[Layer]:
    """Yield the layers of a text; raises RejectedError if its form is not right."""
    end = 0
    for place in range(rules.pegs + 1):
        title = f"layer {place}\n"
        if not text.startswith(title, end):
            wrong_line = text[end : end + 40].partition("\n")[0]
            raise RejectedError(f"expected {title.strip()!r} in [states], found {wrong_line!r}")
        start = end + len(title)
        end = text.find("layer", start)
        end = len(text) if end < 0 else end
        yield _read_layer(rules, place, text, start, end)
    if end != len(text):
        raise RejectedError(f"there is a layer after layer {rules.pegs} of [states]")


def _read_layer(rules: Rules, place: int, text: str, start: int, end: int) -> Layer:
    """Return the layer between two positions of a text."""
    width = 2 * rules.width
    line = re.compile(rf"([0-9a-f]{{{width}}}) (0|[1-9][0-9]{{0,999}})\n")
    packed = bytearray()
    counts: list[int] = []
    while start < end:
        match = line.match(text, start, end)
        if match is None:
            wrong_line = text[start : start + 40].partition("\n")[0]
            message = f"expected a state and its count, found {wrong_line!r}"
            raise RejectedError(f"layer {place} of [states]: {message}")
        packed += bytes.fromhex(match[1])
        counts.append(int(match[2]))
        start = match.end()
    keys = np.frombuffer(packed, dtype=f"S{rules.width}")
    if (keys[1:] <= keys[:-1]).any():
        raise RejectedError(f"layer {place} of [states]: the states are not sorted")
    values = np.empty(len(counts), dtype=object)
    values[:] = counts
    return Layer(keys, values)


def check_layers(
    board: Board, bundle: Bundle, verification: Verification, watch: Watch
) -> Verification:
    """Check the states of a board and their counts."""
    limit = LIMITS.proof_layered_states
    if bundle.sections["states"].count("\n") > limit + board.game.pegs + 1:
        raise RejectedError(f"the section [states] has over {limit:,} states")
    if not is_supported(board):
        raise RejectedError(f"layers of states do not support the board {board}")
    rules = Rules(board)
    layers = read_layers(rules, bundle.sections["states"])
    layer = next(layers)
    if not np.array_equal(layer.keys, rules.start):
        raise RejectedError("layer 0 of [states] is not the state before the first peg")
    total, number = sum(layer.counts.tolist()), len(layer.keys)
    for place in range(rules.pegs):
        following = next(layers)
        number += len(following.keys)
        parts = [np.zeros(0, dtype=object)]
        for counts in add_up(rules, place, layer.keys, following):
            parts.append(counts)
            if watch.is_over:
                return replace(verification, holds=None, reason="undecided: time limit reached")
        watch.report((place + 1) / rules.pegs)
        _compare(place, layer, np.concatenate(parts))
        if not following.reached.all():
            state = _digits(following.keys[~following.reached])
            raise RejectedError(f"layer {place + 1} of [states]: no code begins with {state}")
        layer = following
    if (layer.counts != 1).any():
        raise RejectedError(f"layer {rules.pegs} of [states]: a count of a complete code is not 1")
    next(layers, None)  # also checks that the text ends
    count = total - _count_known(board)
    if bundle.fields["count"] != str(count):
        stated = bundle.fields["count"][:40]
        raise RejectedError(f"the states count {quantity(count, 'code')}, not {stated!r}")
    reason = (
        f"the counts of {quantity(number, 'state')} are the sums over their successors, and no "
        "state is missing"
    )
    return replace(verification, holds=True, reason=reason, count=count)


def _compare(place: int, layer: Layer, counts: Array) -> None:
    """Raise RejectedError unless a layer has these counts."""
    is_wrong = layer.counts != counts
    if is_wrong.any():
        index = int(np.flatnonzero(is_wrong)[0])
        state = _digits(layer.keys[index : index + 1])
        message = f"the successors of {state} count {quantity(counts[index], 'code')}"
        raise RejectedError(f"layer {place} of [states]: {message}, not {layer.counts[index]}")


def _digits(keys: Array) -> str:
    """Return the digits of the first of some states."""
    return keys[:1].tobytes().hex()
