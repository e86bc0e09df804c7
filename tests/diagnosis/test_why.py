"""Reasons of conflicts that need no search are true, recomputed from the definitions."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, product

from mmsat.constraints.system import System
from mmsat.diagnosis.explain import derive
from mmsat.diagnosis.verdict import Conflict
from tests.support import twins
from tests.support.random_boards import inconsistent_boards

NUMBER = r"(\d+|no|none)"
THINGS = r"(pegs? right|colors? in common)"
WHOSE = r"(?:, and| (?:for|with) row (\d+), which)"
TOO_MANY = re.compile(rf"makes? {NUMBER} {THINGS}{WHOSE} allows? (?:at most )?{NUMBER}")
TOO_FEW = re.compile(rf"leaves? (?:at most )?{NUMBER} {THINGS}{WHOSE} needs? {NUMBER}")
COUNTS = re.compile(r"gives? color (\d+) at least (\d+) pegs? and at most (\d+)\.")
IS_AND_IS_NOT = re.compile(r"states? that peg (\d+) is color (\d+), and that it is not")
NO_COLOR = re.compile(r"leaves? no color for peg (\d+)")
NO_SHARES = re.compile(r"leaves? no way to distribute (\d+) pegs over (\d+) colors")


def hits(code, guess):
    """Pegs that are right."""
    return sum(one == other for one, other in zip(code, guess, strict=True))


def common(code, guess):
    """Colors in common."""
    return (Counter(code) & Counter(guess)).total()


class Said:
    """The statements of the rows of a conflict: (row, counted quantity, number)."""

    def __init__(self, board, rows):
        """Classic scores: black, and black and white together."""
        self.board = board
        self.codes = list(product(range(board.game.colors), repeat=board.game.pegs))
        self.parts = []
        for row in rows:
            black, white = board.rows[row].score
            self.parts += [(row, hits, black)] if black is not None else []
            self.parts += [(row, common, black + white)] if None not in (black, white) else []

    @property
    def is_each_possible(self):
        """Whether each part has a code: else a sentence may be about steps within one."""
        return all(self.left([part]) for part in self.parts)

    def left(self, parts):
        """The codes that agree with some parts."""
        guesses = [row.guess for row in self.board.rows]
        return [
            code
            for code in self.codes
            if all(count(code, guesses[row]) == size for row, count, size in parts)
        ]

    def some_say(self, is_so):
        """Whether some parts have codes, and all of these are so."""
        return any(
            (codes := self.left(parts)) and all(map(is_so, codes))
            for index in range(len(self.parts) + 1)
            for parts in combinations(self.parts, index)
        )

    def judge_number(self, words, first, *, is_too_many):
        """A number of pegs or colors that all other parts together enforce."""
        shown, things, row, bound = words.groups()
        shown, bound = (0 if entry in {"no", "none"} else int(entry) for entry in (shown, bound))
        row = first if row is None else int(row) - 1
        count = hits if "right" in things else common
        texts = [part for part in self.parts if part[:2] == (row, count)]
        assert texts == [(row, count, bound)]
        assert shown > bound if is_too_many else shown < bound
        codes = self.left([part for part in self.parts if part not in texts])
        guess = self.board.rows[row].guess
        for code in codes:
            code_count = count(code, guess)
            assert code_count >= shown if is_too_many else code_count <= shown
        return bool(codes)


def judged(board, rows, sentence):
    """The kind of a sentence, once it is found true; None where it is of another kind."""
    text = Said(board, rows)
    if words := TOO_MANY.search(sentence):
        return text.judge_number(words, rows[0], is_too_many=True) and "too many"
    if words := TOO_FEW.search(sentence):
        return text.judge_number(words, rows[0], is_too_many=False) and "too few"
    if words := COUNTS.search(sentence):
        color, low, high = map(int, words.groups())
        assert low > high
        if not text.is_each_possible:
            return "impossible part"
        assert text.some_say(lambda code: code.count(color - 1) >= low)
        assert text.some_say(lambda code: code.count(color - 1) <= high)
        return "counts"
    if not text.is_each_possible:
        return "impossible part"
    if words := IS_AND_IS_NOT.search(sentence):
        peg, color = map(int, words.groups())
        assert text.some_say(lambda code: code[peg - 1] == color - 1)
        assert text.some_say(lambda code: code[peg - 1] != color - 1)
        return "peg"
    if words := NO_COLOR.search(sentence):
        peg = int(words[1]) - 1
        for color in range(board.game.colors):
            assert text.some_say(lambda code, color=color: code[peg] != color)
        return "no color"
    if words := NO_SHARES.search(sentence):
        assert tuple(map(int, words.groups())) == board.game.variables
        assert text.left(text.parts) == []
        return "shares"
    return None


def test_what_is_said_of_classic_conflicts_is_true():
    kinds = Counter()
    for board in inconsistent_boards(2500, seed=208, pegs=4, colors=3, rows=5):
        game = board.game
        if game.scoring.name != "black-white" or game.space.name != "repeats":
            continue
        if any(None in row.score for row in board.rows):
            continue
        for rows in sorted(twins.minimal_conflicts(board)):
            lines = derive(System.of(board), Conflict(rows))
            if lines:
                named = re.match(r"Why: Rows? ([\d, and]+) ", lines[0])
                if named is not None:
                    assert [int(match) - 1 for match in re.findall(r"\d+", named[1])] == [*rows]
                kinds[judged(board, rows, lines[0])] += 1
    assert {"too many", "too few", "counts", "shares"} <= kinds.keys(), kinds
    assert kinds.total() > 100
