"""Counts of large boards: the states after each peg, each with its number of completions.

This kind of proof is for boards that have too many states for a formula with a certificate. The
section `states` has a layer for each number of pegs, from 0 to all. Each of its lines has a state,
and the number of ways to complete the first pegs of a code that lead to this state:

    layer 2
    01000101 12
    01010200 9

A peg is *agreeing* with a guess if the code and the guess have the same color there. A state has
two hexadecimal digits for each of these numbers, in this order:

- for each row with a known number of black or of white key pegs: the number of agreeing pegs so
  far;
- for each color of a guess whose score determines black plus white: the number of pegs with this
  color so far, limited to the highest number of them in one of these guesses. If no color repeats
  in a code, all colors of the game have such a number.

The first layer has the state before the first peg. Its count is the claimed number of codes plus
the number of known codes that get every score. The states of a layer are sorted, without
duplicates.

A state has a successor for each color of the next peg. The successor is in the next layer if every
score is still within reach. A score is out of reach if the remaining pegs do not suffice, because
each of them increases the number of agreeing pegs by at most 1, and also the number of common
colors (black plus white). The last layer therefore has only states of codes that get every score,
each with the count 1.

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
from mmsat.proof import Verification, Watch
from mmsat.proof.bundle import Bundle, RejectedError

SCORINGS = ("black-white", "black", "color")
SPACES = ("repeats", "distinct")
"""The kinds of scoring and of code space that layers support."""
MAX_PEGS = 255
"""Maximum number of pegs. A state has one byte for each of its numbers."""
NUMBERS_PER_STEP = 1 << 23
"""Number of bytes of states and successors that are computed between two checks of the time limit.
It also limits the memory of these arrays."""
KEYS_PER_MERGE = 1 << 22
"""Number of successors that are collected before duplicates are removed. It limits the memory."""


class Condition(NamedTuple):
    """A weighted sum of agreeing pegs and common colors that the score of a row determines."""

    agreeing: int
    """The column of the number of agreeing pegs; -1 if the sum does not include it."""
    sign: int
    """The weight of the number of agreeing pegs: 1, or -1 for white without black."""
    guess_counts: tuple[int, ...]
    """For each color column, the number of pegs of the guess with this color. Empty if the sum does
    not include the common colors."""
    target: int
    """The value of the sum for a code that gets the score."""


class Effect(NamedTuple):
    """The change of a state by a peg with some color."""

    agreeing: tuple[int, ...]
    """The columns of the guesses that have this color at the peg."""
    color: int
    """The column of the color; -1 if there is none."""


def is_supported(board: Board) -> bool:
    """Return whether layers can describe the codes of a board."""
    game = board.game
    is_counted = game.scoring.name in SCORINGS and game.space.name in SPACES
    return is_counted and not board.has_unread_pegs and game.pegs <= MAX_PEGS


class StateSpace:
    """The possible states of a board, and the successors of each.

    States are a matrix of bytes, with one row per state and one column per number. The first
    columns are the agreeing pegs of guesses, and the others are the counts of colors.
    """

    def __init__(self, board: Board) -> None:
        """Choose the columns for a supported board."""
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
        self.num_guesses = len(guesses)
        self.caps = [caps[color] for color in colors]
        """For each color column, the number at which the count stops."""
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
        columns = {color: self.num_guesses + index for index, color in enumerate(colors)}
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
        self.states_per_step = max(1, NUMBERS_PER_STEP // work_per_state)
        """Number of states whose successors are computed at once."""

    @property
    def start(self) -> Array:
        """The key of the state before the first peg; empty if a score is out of reach."""
        states = np.zeros((1, self.width), dtype=np.uint8)
        return self.to_keys(states[self.are_within_reach(states, self.pegs)])

    def to_keys(self, states: Array) -> Array:
        """Return a byte string for each state. The strings are ordered like the states."""
        return np.ascontiguousarray(states).view(f"S{self.width}").ravel()

    def from_keys(self, keys: Array) -> Array:
        """Return the states with these byte strings, as a matrix."""
        return np.frombuffer(keys.tobytes(), dtype=np.uint8).reshape(len(keys), self.width)

    def are_within_reach(self, states: Array, remaining_pegs: int) -> Array:
        """Return for each state whether every score is within reach with the remaining pegs."""
        color_counts = states[:, self.num_guesses : self.num_guesses + len(self.caps)]
        within_reach = np.ones(len(states), dtype=bool)
        for agreeing, sign, guess_counts, target in self.conditions:
            sums = np.zeros(len(states), dtype=np.int64)
            if guess_counts:
                limits = np.array(guess_counts, dtype=np.uint8)
                sums += np.minimum(color_counts, limits).sum(axis=1, dtype=int)
            if sign:
                sums += sign * states[:, agreeing].astype(np.int64)
            # A peg changes the sum by 0 or 1, or by -1, 0 or 1 if agreeing pegs are subtracted.
            smallest_change = -remaining_pegs if sign < 0 else 0
            within_reach &= sums + smallest_change <= target
            within_reach &= target <= sums + remaining_pegs
        return within_reach

    def successors(self, place: int, states: Array) -> Iterator[tuple[int, Array, Array]]:
        """Yield the successors of states by the peg with index `place`, if they are within reach.

        Each item has the number of colors that lead to these successors, the indices of the states
        that have such a successor, and the keys of the successors.
        """
        for (agreeing, color), num_colors in self.effects[place].items():
            moved = states.copy()
            moved[:, list(agreeing)] += 1
            is_allowed = np.ones(len(states), dtype=bool)
            if color >= 0:
                cap = self.caps[color - self.num_guesses]
                moved[:, color] = np.minimum(states[:, color], cap - 1) + 1
                if self.is_distinct:
                    is_allowed = states[:, color] == 0
            is_allowed &= self.are_within_reach(moved, self.pegs - place - 1)
            yield num_colors, np.flatnonzero(is_allowed), self.to_keys(moved[is_allowed])


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


def add_up(space: StateSpace, place: int, keys: Array, following: Layer) -> Iterator[Array]:
    """Yield the counts of the states with these keys in batches, as sums over their successors.

    Marks the states of the next layer, `following`, that are reached. Raises RejectedError if a
    successor is missing there.
    """
    for first in range(0, len(keys), space.states_per_step):
        states = space.from_keys(keys[first : first + space.states_per_step])
        counts = np.zeros(len(states), dtype=object)
        for num_colors, indices, successors in space.successors(place, states):
            positions = np.searchsorted(following.keys, successors)
            is_missing = positions == len(following.keys)
            is_missing[~is_missing] = (
                following.keys[positions[~is_missing]] != successors[~is_missing]
            )
            if is_missing.any():
                state = _first_digits(successors[is_missing])
                raise RejectedError(f"layer {place + 1} of [states]: the state {state} is missing")
            counts[indices] += num_colors * following.counts[positions]
            following.is_reached[positions] = True
        yield counts


class Layer:
    """The states after a number of pegs, and the number of completions of each."""

    def __init__(self, keys: Array, counts: Array) -> None:
        self.keys = keys
        self.counts = counts
        self.is_reached = np.zeros(len(keys), dtype=bool)
        """For each state, whether it is a successor of a state in the layer before."""


def write_layers(board: Board) -> Iterator[str | tuple[int, str]]:
    """Yield progress messages, and finally the count of a supported board and the layers.

    Raises SizeError if there are too many states, before any text is made.
    """
    space = StateSpace(board)
    # Search all states from the first layer to the last.
    layers = [space.start]
    total = len(space.start)
    for place in range(space.pegs):
        next_keys = space.start[:0]
        new_keys: list[Array] = []
        for first in range(0, len(layers[place]), space.states_per_step):
            states = space.from_keys(layers[place][first : first + space.states_per_step])
            new_keys += [keys for _, _, keys in space.successors(place, states)]
            is_last = first + space.states_per_step >= len(layers[place])
            if is_last or sum(map(len, new_keys)) >= KEYS_PER_MERGE:
                next_keys = np.unique(np.concatenate([next_keys, *new_keys]))
                new_keys.clear()
            if total + len(next_keys) > LIMITS.proof_layered_states:
                expected = f"up to {LIMITS.proof_layered_states:,} states"
                size_text = f"at least {total + len(next_keys):,}"
                raise SizeError.of("a proof of this count", expected, size_text)
            yield f"searching the states after {quantity(place + 1, 'peg')}"
        total += len(next_keys)
        layers.append(next_keys)
    # Count the completions from the last layer to the first.
    layer = Layer(layers[-1], np.ones(len(layers[-1]), dtype=object))
    texts = [_print_layer(space, space.pegs, layer)]
    for place in reversed(range(space.pegs)):
        batches = [np.zeros(0, dtype=object)]
        for counts in add_up(space, place, layers[place], layer):
            batches.append(counts)
            yield f"counting the completions after {quantity(place, 'peg')}"
        layer = Layer(layers.pop(place), np.concatenate(batches))
        texts.append(_print_layer(space, place, layer))
    count = sum(layer.counts.tolist()) - _count_known(board)
    yield count, "".join(reversed(texts))


def _print_layer(space: StateSpace, place: int, layer: Layer) -> str:
    """Return the text of the layer after `place` pegs."""
    digits, width = layer.keys.tobytes().hex(), 2 * space.width
    lines = [
        f"{digits[index * width : (index + 1) * width]} {count}\n"
        for index, count in enumerate(layer.counts.tolist())
    ]
    return f"layer {place}\n{''.join(lines)}"


def _count_known(board: Board) -> int:
    """Return the number of known codes that get every score."""
    codes = {code for code in board.known if board.game.contains(code)}
    return sum(not board.missed(code) for code in codes)


def read_layers(space: StateSpace, text: str) -> Iterator[Layer]:
    """Yield the layers of a text; raises RejectedError if the text is malformed."""
    end = 0
    for place in range(space.pegs + 1):
        title = f"layer {place}\n"
        if not text.startswith(title, end):
            wrong_line = text[end : end + 40].partition("\n")[0]
            raise RejectedError(f"expected {title.strip()!r} in [states], found {wrong_line!r}")
        start = end + len(title)
        end = text.find("layer", start)
        end = len(text) if end < 0 else end
        yield _read_layer(space, place, text, start, end)
    if end != len(text):
        raise RejectedError(f"there is a layer after layer {space.pegs} of [states]")


def _read_layer(space: StateSpace, place: int, text: str, start: int, end: int) -> Layer:
    """Return the layer after `place` pegs, which is between two positions of a text."""
    width = 2 * space.width
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
    keys = np.frombuffer(packed, dtype=f"S{space.width}")
    if (keys[1:] <= keys[:-1]).any():
        raise RejectedError(f"layer {place} of [states]: the states are not sorted")
    values = np.empty(len(counts), dtype=object)
    values[:] = counts
    return Layer(keys, values)


def check_layers(
    board: Board, bundle: Bundle, verification: Verification, watch: Watch
) -> Verification:
    """Check that the layers have all states of the board, each with the right count."""
    limit = LIMITS.proof_layered_states
    if bundle.sections["states"].count("\n") > limit + board.game.pegs + 1:
        raise RejectedError(f"the section [states] has over {limit:,} states")
    if not is_supported(board):
        raise RejectedError(f"layers of states do not support the board {board}")
    space = StateSpace(board)
    layers = read_layers(space, bundle.sections["states"])
    layer = next(layers)
    if not np.array_equal(layer.keys, space.start):
        raise RejectedError("layer 0 of [states] is not the state before the first peg")
    total, num_states = sum(layer.counts.tolist()), len(layer.keys)
    for place in range(space.pegs):
        following = next(layers)
        num_states += len(following.keys)
        batches = [np.zeros(0, dtype=object)]
        for counts in add_up(space, place, layer.keys, following):
            batches.append(counts)
            if watch.is_over:
                return replace(verification, holds=None, reason="undecided: time limit reached")
        watch.report((place + 1) / space.pegs)
        _require_counts(place, layer, np.concatenate(batches))
        if not following.is_reached.all():
            state = _first_digits(following.keys[~following.is_reached])
            raise RejectedError(f"layer {place + 1} of [states]: no code begins with {state}")
        layer = following
    if (layer.counts != 1).any():
        raise RejectedError(f"layer {space.pegs} of [states]: a count of a complete code is not 1")
    next(layers, None)  # also checks that the text ends
    count = total - _count_known(board)
    if bundle.fields["count"] != str(count):
        stated = bundle.fields["count"][:40]
        raise RejectedError(f"the states count {quantity(count, 'code')}, not {stated!r}")
    reason = (
        f"the counts of {quantity(num_states, 'state')} are the sums over their successors, and no "
        "state is missing"
    )
    return replace(verification, holds=True, reason=reason, count=count)


def _require_counts(place: int, layer: Layer, counts: Array) -> None:
    """Raise RejectedError unless the layer after `place` pegs has these counts."""
    is_wrong = layer.counts != counts
    if is_wrong.any():
        index = int(np.flatnonzero(is_wrong)[0])
        state = _first_digits(layer.keys[index : index + 1])
        message = f"the successors of {state} count {quantity(counts[index], 'code')}"
        raise RejectedError(f"layer {place} of [states]: {message}, not {layer.counts[index]}")


def _first_digits(keys: Array) -> str:
    """Return the hexadecimal digits of the first of some states."""
    return keys[:1].tobytes().hex()
