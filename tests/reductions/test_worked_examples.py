"""The pages of the catalogue: example, board and codes are what the reduction really makes."""

from __future__ import annotations

import re

import pytest

from mmsat.board import PRINTERS
from mmsat.notation.speller import speller
from mmsat.reductions.kinds import REDUCTIONS
from mmsat.reductions.pages import FOLDER, page
from mmsat.reductions.reduce import reduce
from tests.reductions.laws_of_one import codes_of

COMMAND = re.compile(r"`mmsat reduce (\S+) (example\.\w+)((?: --?\w+ \d+)*)`")


@pytest.mark.parametrize("name", REDUCTIONS)
def test_the_page_is_true(name):
    text = page(name)
    told, file, options = COMMAND.search(text).groups()
    assert told == name
    given = {word: int(number) for word, number in re.findall(r"-(\w+) (\d+)", options)}
    source = (FOLDER / name / file).read_text()
    assert f"```\n{source}```" in text
    reduction = reduce(name, source, **given)
    assert (FOLDER / name / "board.txt").read_text() == PRINTERS["text"](reduction.board)
    pegs, colors, rows = reduction.sizes()
    assert f"{pegs} pegs, {colors} colors, {rows} rows." in text
    assert "| {pegs} | {colors} | {rows} |".format(**REDUCTIONS[name].formula) in text
    codes = re.search(r"```codes\n(.+?)```", text, re.DOTALL)[1]
    assert codes == "".join(f"{line(reduction, code)}\n" for code in codes_of(reduction.board))


def test_every_reduction_has_a_page():
    assert {folder.name for folder in FOLDER.iterdir() if folder.is_dir()} == set(REDUCTIONS)


def line(reduction, code) -> str:
    """A code and its certificate."""
    if code in getattr(reduction, "known", ()):
        spelled = "known"
    elif reduction.source_kind == "board":
        spelled = speller(reduction.source.game).print_code(reduction.decode(code))
    else:
        spelled = " ".join(map(str, reduction.decode(code)))
    return f"{speller(reduction.board.game).print_code(code)} <- {spelled}"
