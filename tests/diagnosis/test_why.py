"""Derivations of conflicts by presolve are true, recomputed from the definitions."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, product

from mmsat.constraints import System
from mmsat.diagnosis import Conflict
from mmsat.diagnosis.explain import derive
from tests.support import twins
from tests.support.random_boards import inconsistent_boards

NUMBER = r"(\d+|no|none)"
UNITS = r"(pegs? right|colors? in common)"
OTHER_ROW = r"(?:, and| (?:for|with) row (\d+), which)"
TOO_MANY = re.compile(rf"makes? {NUMBER} {UNITS}{OTHER_ROW} allows? (?:at most )?{NUMBER}")
TOO_FEW = re.compile(rf"leaves? (?:at most )?{NUMBER} {UNITS}{OTHER_ROW} needs? {NUMBER}")
COUNTS = re.compile(r"gives? color (\d+) at least (\d+) pegs? and at most (\d+)\.")
CONTRADICTING_PEG = re.compile(r"states? that peg (\d+) is color (\d+), and that it is not")
NO_COLOR = re.compile(r"leaves? no color for peg (\d+)")
NO_SHARES = re.compile(r"leaves? no way to distribute (\d+) pegs over (\d+) colors")


def hits(code, guess):
    """Return the number of right pegs."""
    return sum(one == other for one, other in zip(code, guess, strict=True))


def common(code, guess):
    """Return the number of colors in common."""
    return (Counter(code) & Counter(guess)).total()


class Statements:
    """The statements of the rows of a conflict: (row, counted quantity, number)."""

    def __init__(self, board, rows):
        """Convert the scores: black, and the sum of black and white."""
        self.board = board
        self.codes = list(product(range(board.game.colors), repeat=board.game.pegs))
        self.statements = []
        for row in rows:
            black, white = board.rows[row].score
            self.statements += [(row, hits, black)] if black is not None else []
            self.statements += [(row, common, black + white)] if None not in (black, white) else []

    @property
    def is_each_possible(self):
        """Whether each statement alone has a code; if not, a sentence may be about one of them."""
        return all(self.codes_of([statement]) for statement in self.statements)

    def codes_of(self, statements):
        """Return the codes that agree with some statements."""
        guesses = [row.guess for row in self.board.rows]
        return [
            code
            for code in self.codes
            if all(count(code, guesses[row]) == size for row, count, size in statements)
        ]

    def some_imply(self, holds):
        """Return whether some statements have codes, all of which have a property."""
        return any(
            (codes := self.codes_of(statements)) and all(map(holds, codes))
            for index in range(len(self.statements) + 1)
            for statements in combinations(self.statements, index)
        )

    def judge_number(self, words, first, *, is_too_many):
        """Check a number of pegs or colors that the other statements together enforce.

        Returns False if the other statements have no code.
        """
        shown, unit, row, bound = words.groups()
        shown, bound = (0 if number in {"no", "none"} else int(number) for number in (shown, bound))
        row = first if row is None else int(row) - 1
        count = hits if "right" in unit else common
        about_row = [entry for entry in self.statements if entry[:2] == (row, count)]
        assert about_row == [(row, count, bound)]
        assert shown > bound if is_too_many else shown < bound
        codes = self.codes_of([entry for entry in self.statements if entry not in about_row])
        guess = self.board.rows[row].guess
        for code in codes:
            code_count = count(code, guess)
            assert code_count >= shown if is_too_many else code_count <= shown
        return bool(codes)


def kind_of(board, rows, sentence):
    """Return the kind of a sentence after checking that it is true; None for other kinds."""
    statements = Statements(board, rows)
    if words := TOO_MANY.search(sentence):
        return statements.judge_number(words, rows[0], is_too_many=True) and "too many"
    if words := TOO_FEW.search(sentence):
        return statements.judge_number(words, rows[0], is_too_many=False) and "too few"
    if words := COUNTS.search(sentence):
        color, low, high = map(int, words.groups())
        assert low > high
        if not statements.is_each_possible:
            return "impossible part"
        assert statements.some_imply(lambda code: code.count(color - 1) >= low)
        assert statements.some_imply(lambda code: code.count(color - 1) <= high)
        return "counts"
    if not statements.is_each_possible:
        return "impossible part"
    if words := CONTRADICTING_PEG.search(sentence):
        peg, color = map(int, words.groups())
        assert statements.some_imply(lambda code: code[peg - 1] == color - 1)
        assert statements.some_imply(lambda code: code[peg - 1] != color - 1)
        return "peg"
    if words := NO_COLOR.search(sentence):
        peg = int(words[1]) - 1
        for color in range(board.game.colors):
            assert statements.some_imply(lambda code, color=color: code[peg] != color)
        return "no color"
    if words := NO_SHARES.search(sentence):
        assert tuple(map(int, words.groups())) == board.game.variables
        assert statements.codes_of(statements.statements) == []
        return "shares"
    return None


def test_derivations_of_classic_conflicts_are_true():
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
                named_rows = re.match(r"Why: Rows? ([\d, and]+) ", lines[0])
                if named_rows is not None:
                    assert [int(match) - 1 for match in re.findall(r"\d+", named_rows[1])] == [
                        *rows
                    ]
                kinds[kind_of(board, rows, lines[0])] += 1
    assert {"too many", "too few", "counts", "shares"} <= kinds.keys(), kinds
    assert kinds.total() > 100
