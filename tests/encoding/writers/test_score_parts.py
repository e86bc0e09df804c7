"""Score parts of rows, and the data files for the models in encodings/models."""

import pytest

from mmsat.encoding.writers import (
    COUNTS,
    MARKS,
    ScoreParts,
    has_one_key,
    may_repeat,
    score_parts,
    shapes,
    words,
)
from mmsat.game import Row
from mmsat.game.board import Board
from mmsat.game.game import Game
from mmsat.game.scoring import SCORINGS
from mmsat.game.space import SPACES
from mmsat.game.words import Words
from mmsat.solving.encode import WRITERS

SCORE_PARTS = {
    "2x2/12=0.?": ScoreParts(black=0),
    "2x2b/12=1": ScoreParts(black=1),
    "2x2w/12=2": ScoreParts(color=2),
    "2x2x2/1A2B=0.?.2": ScoreParts(black=0, blue=2),
    "2x2x2k/1A2B=?.2.0": ScoreParts(white=2, blue=0),
    "2x2p/12=?Y": ScoreParts(places=(None, 1)),
    "2x2o/12=RE": ScoreParts(order=(2, 0)),
}


def write(name, board):
    return "".join(WRITERS[name].write(board))


def board_of_words(*rows):
    space = Words([(2, 0), (0, 1)], allows_any_guess=True)
    return Board(Game(2, 3, space, SCORINGS["places"], name="two-words"), rows)


@pytest.mark.parametrize("line", SCORE_PARTS)
def test_each_part_of_a_score_has_its_name(line):
    assert score_parts(Board.parse(line)) == [SCORE_PARTS[line]]


def test_the_lines_above_cover_every_kind_of_scoring():
    """Also, every field of ScoreParts is a count or a mark."""
    assert {Board.parse(line).game.scoring.name for line in SCORE_PARTS} == set(SCORINGS)
    assert (*COUNTS, *MARKS) == ScoreParts._fields
    assert set(MARKS) == {name for name, scoring in SCORINGS.items() if scoring.marks}


def test_has_one_key_shapes_may_repeat_and_words():
    games = {line: Board.parse(line).game for line in SCORE_PARTS}

    assert [line for line, game in games.items() if has_one_key(game)] == ["2x2x2k/1A2B=?.2.0"]
    assert {shapes(game) for game in games.values()} == {None, 2}
    assert shapes(Game.parse("2x3x4")) == 4
    assert all(may_repeat(game) and words(game) == () for game in games.values())
    assert may_repeat(Game.parse("2x4!")) is False
    assert may_repeat(board_of_words().game)
    assert words(board_of_words().game) == ((0, 1), (2, 0))
    for space in SPACES.values():  # fails for a new space until `may_repeat` supports it
        assert may_repeat(Game(2, 2, space)) is space.has_repeats


def test_minizinc_data_of_pairs():
    """The data have the number of shapes, and whether a white peg cannot be blue."""
    text = write("dzn", Board.parse("2x2x3k/1A2C=?.0.1"))

    assert "colors = 6;\n" in text
    assert "shapes = 3;\none_key = true;\n" in text
    assert "guess = array2d(1..1, 1..2, [1, 6]);\n" in text
    assert "black = [-1];\nwhite = [0];\ncolor = [-1];\nblue = [1];\n" in text


def test_minizinc_data_of_words_and_marks():
    """Words and marks are tables."""
    text = write("dzn", board_of_words(Row((0, 2), (0, None)), Row((2, 2), (2, 0))))

    assert "words = array2d(1..2, 1..2, [1, 2, 3, 1]);\n" in text
    assert "places = array2d(1..2, 1..2, [0, -1, 2, 0]);\n" in text
    assert "order = array2d(1..0, 1..2, []);\n" in text


def test_asp_facts():
    """There is a fact for every known part of a score (not `?`)."""
    pairs = write("asp", Board.parse("2x2x2k/1A2B=?.0.1"))
    listed = write("asp", board_of_words(Row((0, 2), (0, None))))
    order = write("asp", Board.parse("3x3o/123=ELR"))

    assert pairs.endswith(
        "one_key.\n"
        "pair(1,1,1). pair(2,1,2). pair(3,2,1). pair(4,2,2).\n"
        "row(1). guess(1,1,1). guess(1,2,4). told(1,white,0). told(1,blue,1).\n"
    )
    assert listed.endswith(
        "word(1,1,1). word(1,2,2).\n"
        "word(2,1,3). word(2,2,1).\n"
        "row(1). guess(1,1,1). guess(1,2,3). marked(1,1,absent).\n"
    )
    assert order.endswith("marked(1,1,earlier). marked(1,2,later). marked(1,3,right).\n")


def test_smtlib_assertions():
    """There is an assertion for each mark, and one that requires a listed word."""
    lines = write("smtlib", board_of_words(Row((0, 2), (2, None)))).splitlines()
    order = write("smtlib", Board.parse("3x3o/122=ELR")).splitlines()

    assert "(assert (or (and peg1color1 peg2color2) (and peg1color3 peg2color1)))" in lines
    assert lines[-3] == "(assert peg1color1)"
    assert order[-5:-2] == ["(assert false)", "(assert peg2color3)", "(assert peg3color2)"]
