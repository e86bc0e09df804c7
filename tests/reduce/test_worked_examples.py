"""The pages of the catalogue: example, board and codes are what the reduction really makes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import mmsat
from mmsat.game.spelling import speller
from mmsat.game.text import print_text
from mmsat.reduce.kinds import REDUCTIONS
from mmsat.reduce.sources import SOURCES
from tests.reduce.laws_of_one import codes_of

PAGES = Path(mmsat.__file__).parent / "reductions"
COMMAND = re.compile(r"`mmsat reduce (\S+) (example\.\w+)((?: --?\w+ \d+)*)`")
NAMES = (
    "black-white-lift",
    "consistent-exact-cover",
    "consistent-mastermind",
    "graph-coloring",
    "lies",
    "permutation-game",
    "three-dimensional-matching-colors",
    "vertex-cover",
    "vertex-cover-regular",
    "vertex-cover-three-colors",
)


@pytest.mark.parametrize("name", NAMES)
def test_the_page_is_true(name):
    folder = PAGES / name
    page = (folder / "README.md").read_text()
    told, file, options = COMMAND.search(page).groups()
    assert told == name
    kind = REDUCTIONS[name]
    given = {word: int(number) for word, number in re.findall(r"-(\w+) (\d+)", options)}
    text = (folder / file).read_text()
    assert f"```\n{text}```" in page
    reduction = kind(SOURCES[kind.source_kind].parse(text), **given)
    board = reduction.board
    assert (folder / "board.txt").read_text() == print_text(board)
    pegs, colors, rows = reduction.sizes()
    assert f"{pegs} pegs, {colors} colors, {rows} rows." in page
    assert "| {pegs} | {colors} | {rows} |".format(**kind.formula) in page
    told = re.search(r"```codes\n(.+?)```", page, re.DOTALL)[1]
    assert told == "".join(f"{line(reduction, code)}\n" for code in codes_of(board))


def line(reduction, code) -> str:
    """A code and its certificate."""
    certificate = reduction.decode(code)
    if reduction.source_kind == "board":
        spelled = speller(reduction.source.game).print_code(certificate)
    else:
        spelled = " ".join(map(str, certificate))
    return f"{speller(reduction.board.game).print_code(code)} <- {spelled}"
