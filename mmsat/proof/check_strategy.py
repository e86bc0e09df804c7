"""Check a certificate of an optimal strategy; strategy_certificate.py describes the certificate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from mmsat._util import Array, np
from mmsat._util.text import quantity
from mmsat.errors import SizeError
from mmsat.game.board import Board
from mmsat.game.notation.board_reader import speller
from mmsat.game.words import Words
from mmsat.proof.bundle import Bundle, RejectedError
from mmsat.proof.strategy_certificate import (
    ALL_CODES,
    GUESSES,
    OBJECTIVES,
    Map,
    Partitions,
    ScoreTable,
    merge_guesses,
)
from mmsat.proof.verify import Verification, Watch

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
    return text.isdecimal() and text.isascii() and len(text) < 12


class Bounds:
    """Proved lower bounds of sets of codes."""

    def __init__(self, table: ScoreTable) -> None:
        self.table = table
        self.by_codes: dict[bytes, int] = {}
        """The best bound of each set, by the bytes of the indices of its codes."""

    def of(self, codes: Array, by_size: Array) -> int:
        """Return the best bound of a class, by its size or proved before."""
        return max(int(by_size[len(codes)]), self.by_codes.get(codes.tobytes(), 0))

    def add(self, codes: Array, bound: int) -> None:
        """Store a proved bound."""
        key = codes.tobytes()
        self.by_codes[key] = max(bound, self.by_codes.get(key, 0))

    def need(self, partitions: Partitions, guess: int) -> int:
        """Return what a guess needs, by the best bounds of its classes."""
        bounds = [
            self.of(codes, partitions.by_size) for _, codes in self.table.classes(partitions, guess)
        ]
        return self.table.combine(len(partitions.codes), bounds)

    def unproved_guesses(
        self, partitions: Partitions, bound: int, maps: Sequence[Map]
    ) -> list[int]:
        """Return guesses that may need less than a bound, one of those that maps merge.

        A guess is proved if it needs as much as the bound, or if maps move it to such a guess.
        """
        failing = np.flatnonzero(partitions.needs < bound)
        if not len(failing):
            return []
        labels = merge_guesses(self.table, maps)
        proved = {*labels[partitions.needs >= bound].tolist()} if maps else set()
        unproved: dict[int, int] = {}
        for guess in failing.tolist():
            label = int(labels[guess])
            if label in proved:
                continue
            if self.need(partitions, guess) >= bound:
                proved.add(label)
                unproved.pop(label, None)
            else:
                unproved.setdefault(label, guess)
        return list(unproved.values())


def check_strategy(board: Board, bundle: Bundle, found: Verification, watch: Watch) -> Verification:
    """Play the tree, check the bounds, and complete the result."""
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
    space = board.game.space
    if isinstance(space, Words) and space.allows_any_guess:
        raise RejectedError(f"{board.game} allows guesses that are not codes")
    table = ScoreTable(board.game, is_worst=objective == "worst", codes_only=guesses == "codes")
    try:
        has_unique_wins = table.has_unique_wins
    except SizeError as error:
        raise RejectedError(str(error)) from None
    if not has_unique_wins:
        raise RejectedError(f"the scores of {board.game} do not identify every code")
    notation = Notation(table)
    played = play_tree(notation, bundle.sections["tree"])
    if played != int(cost):
        raise RejectedError(f"the head states a cost of {cost}, but the tree has {played}")
    lines = bundle.sections["bounds"].split("\n")[:-1]
    for done in check_bounds(notation, lines, int(cost)):
        watch.report(done / max(1, len(lines)))
        if watch.is_over:
            reason = f"undecided: time limit reached at line {done + 1} of [bounds]"
            return replace(found, holds=None, reason=reason, lemmas=done)
    return replace(found, holds=True, reason=describe(board, bundle), lemmas=len(lines))


def describe(board: Board, bundle: Bundle) -> str:
    """Return what a valid certificate proves, in words."""
    cost = int(bundle.fields["cost"])
    only = "" if bundle.fields["guesses"] == "all" else ", guessing only possible codes,"
    bounds = quantity(bundle.sections["bounds"].count("\n"), "lower bound")
    if bundle.fields["objective"] == "worst":
        best = f"finds every code of {board.game} within {quantity(cost, 'guess')}"
        return f"the strategy{only} {best}, and no strategy needs fewer ({bounds})"
    best = f"finds the {quantity(board.game.size, 'code')} of {board.game} in {cost:,} guesses"
    return f"the strategy{only} {best} in total, and no strategy in fewer ({bounds})"


def play_tree(notation: Notation, text: str) -> int:
    """Return the cost of the tree with these guesses, or raise RejectedError."""
    table = notation.table
    lines = text.split("\n")[:-1]
    total = worst = 0
    stack = [(np.arange(len(table.codes)), 1)]
    for number, line in enumerate(lines, 1):
        if not stack:
            raise RejectedError(f"line {number} of [tree]: the tree is complete before")
        codes, turn = stack.pop()
        guess = notation.guess_of.get(line)
        if guess is None:
            raise RejectedError(f"line {number} of [tree]: {line[:40]!r} is not a code of the game")
        answers = table.answers[guess, codes]
        is_win = answers == table.wins[guess]
        if table.codes_only and not is_win.any():
            raise RejectedError(f"line {number} of [tree]: {line} is not a possible code")
        if not is_win.any() and (answers == answers[0]).all():
            raise RejectedError(f"line {number} of [tree]: the guess {line} tells nothing")
        total += len(codes)
        worst = max(worst, turn)
        stack += [
            (codes[answers == score], turn + 1)
            for score in np.unique(answers[~is_win])[::-1].tolist()
        ]
    if stack:
        raise RejectedError(f"line {len(lines) + 1} of [tree]: the tree is incomplete")
    return worst if table.is_worst else total


def check_bounds(notation: Notation, lines: Sequence[str], cost: int) -> Iterator[int]:
    """Check the lines, and yield their number now and then.

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
            image = np.sort(table.moved(line.maps[0])[original])
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
    """Raise RejectedError unless each guess needs at least the bound of a line."""
    table = bounds.table
    if len(codes) < 2:
        if line.bound > len(codes):
            raise RejectedError(f"{place}: the bound is too large for {len(codes)} codes")
        return
    for mapping in line.maps:
        if not np.array_equal(np.sort(table.moved(mapping)[codes]), codes):
            raise RejectedError(f"{place}: the map {mapping} does not keep the set")
    unproved = bounds.unproved_guesses(table.partition(codes), line.bound, line.maps)
    if unproved:
        text = Notation(table).guesses[unproved[0]]
        raise RejectedError(f"{place}: the guess {text} may need less than {line.bound}")
