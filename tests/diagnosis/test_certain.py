"""The conclusion of an explanation by steps lists everything that all codes have in common."""

from __future__ import annotations

import pytest

import mmsat
from mmsat.game.board import Board
from mmsat.game.scoring import SCORINGS
from tests.support.random_boards import EVERY_SPACE, known_boards, scorings_of, spaces_of
from tests.support.tiers import at_least, share

NOTHING_ELSE = "No other color or number of pegs is certain."


def in_common(codes):
    """Return the certain colors by peg, and the certain numbers of pegs by color."""
    colors_by_peg = {peg: {code[peg] for code in codes} for peg in range(len(codes[0]))}
    colors = range(max(map(max, codes)) + 1)
    counts_by_color = {color: {code.count(color) for code in codes} for color in colors}
    return (
        {peg: colors.pop() for peg, colors in colors_by_peg.items() if len(colors) == 1},
        {color: counts.pop() for color, counts in counts_by_color.items() if len(counts) == 1},
    )


def literals_of(variables, board, codes):
    """Return the certain literals, without counts that follow from certain pegs."""
    pegs, numbers = in_common(codes)
    results = {variables.at(peg, color) for peg, color in pegs.items()}
    if len(pegs) == board.game.pegs:
        return results
    for color in range(board.game.colors):
        number = numbers.get(color, 0 if all(color not in code for code in codes) else None)
        if number is None or (not board.game.space.has_repeats and color in pegs.values()):
            continue
        if number:
            results.add(variables.least(color, number))
        if number < board.game.pegs:
            results.add(-variables.least(color, number + 1))
    return results


def test_everything_that_is_certain_is_listed():
    num_with_facts = num_incomplete = 0
    boards = []
    for board, codes in known_boards(share(250, least=60), seed=471, pegs=4, colors=4, rows=4):
        if not codes:
            continue
        steps = mmsat.steps(board)
        expected = literals_of(board.game.variables, board, codes)
        assert set(steps.certain) == expected, str(board)
        assert len(steps.certain) == len(expected)
        texts = [line.text for line in steps.lines()]
        assert any(text.startswith("Certain: ") for text in texts) == bool(expected)
        is_solved = len(in_common(codes)[0]) == board.game.pegs
        is_incomplete = any(text.startswith("No ") for text in texts)
        assert is_incomplete == (not is_solved)
        num_with_facts += bool(expected)
        num_incomplete += is_incomplete
        boards.append(board)
    assert num_with_facts > at_least(80)
    assert num_incomplete > at_least(40)
    assert spaces_of(boards) == EVERY_SPACE
    assert scorings_of(boards) == {*SCORINGS}


@pytest.mark.parametrize(
    ("line", "conclusion"),
    [
        ("2x2do/21=EL", ["Certain: place 1 is color 1 and place 2 is color 2."]),
        (
            "3x3dp/321=YGY/132=GYY",
            ["Certain: place 1 is color 1, place 2 is color 2 and place 3 is color 3."],
        ),
        ("1x1", ["Certain: peg 1 is color 1."]),
        ("3x3d", ["Certain: colors 1, 2 and 3 have exactly 1 peg each.", NOTHING_ELSE]),
        ("2x5d/12=0.0", ["Certain: there is no color 1 or 2.", NOTHING_ELSE]),
        ("4x6/1122=0.0", ["Certain: there is no color 1 or 2.", NOTHING_ELSE]),
        ("4x6/1111=2.0", ["Certain: color 1 has exactly 2 pegs.", NOTHING_ELSE]),
        ("4x6", ["No color or number of pegs is certain yet."]),
        (
            "3x6d/123=2.0/124=2.0",
            [
                "Certain: peg 1 is color 1, peg 2 is color 2 and there is no color 3 or 4.",
                NOTHING_ELSE,
            ],
        ),
    ],
)
def test_conclusions_in_words(line, conclusion):
    board = Board.parse(line)
    texts = [entry.text for entry in mmsat.steps(board).lines()]
    results = [text for text in texts if "ertain" in text and not text[0].isdigit()]
    assert results == conclusion
