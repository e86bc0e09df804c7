"""The pages of the two-color reductions of formulas, covers and systems say what is so."""

from __future__ import annotations

import re

import pytest

from mmsat.game.spelling import speller
from mmsat.game.text import print_text
from mmsat.reduce.kinds import REDUCTIONS
from mmsat.reduce.pages import FOLDER, page
from mmsat.reduce.reduce import reduce
from tests.reduce.laws_of_one import codes_of

COMMAND = re.compile(r"`mmsat reduce (\S+) (example\.\w+)((?: -\w+ \d+)*)`")
NAMES = (
    "another-solution",
    "exact-cover",
    "k-permanent",
    "linear-system",
    "one-in-three-3sat",
    "permanent",
    "regular-one-in-k",
    "sat",
    "three-dimensional-matching",
)


@pytest.mark.parametrize("name", NAMES)
def test_the_page_is_true(name):
    text = page(name)
    told, file, options = COMMAND.search(text).groups()
    assert told == name
    given = {word: int(number) for word, number in re.findall(r"-(\w+) (\d+)", options)}
    source = (FOLDER / name / file).read_text()
    assert f"```\n{source}```" in text
    reduction = reduce(name, source, **given)
    assert (FOLDER / name / "board.txt").read_text() == print_text(reduction.board)
    pegs, colors, rows = reduction.sizes()
    assert f"{pegs} pegs, {colors} colors, {rows} rows." in text
    assert "| {pegs} | {colors} | {rows} |".format(**REDUCTIONS[name].formula) in text
    spell = speller(reduction.board.game).print_code
    lines = re.search(r"```codes\n(.+?)```", text, re.DOTALL)[1].splitlines()
    assert lines == [
        f"{spell(code)} <- "
        + ("known" if code in reduction.known else " ".join(map(str, reduction.decode(code))))
        for code in codes_of(reduction.board)
    ]


def test_every_reduction_has_a_page():
    assert {folder.name for folder in FOLDER.iterdir() if folder.is_dir()} == set(REDUCTIONS)
