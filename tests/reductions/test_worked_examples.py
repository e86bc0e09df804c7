"""Pages of the catalogue: example, board and codes are the output of the reduction."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from mmsat.game.board import PRINTERS
from mmsat.game.notation.board_reader import speller
from mmsat.reductions import MODULES
from mmsat.reductions.reduce import GAME_REDUCTIONS, PACKAGE, REDUCTIONS, folder, page, reduce
from tests.support.cli_runner import environment
from tests.support.reduction_laws import codes_of

COMMAND = re.compile(r"`mmsat reduce (\S+) (example\.\w+)((?: --?\w+ \d+)*)`")


@pytest.mark.parametrize("name", REDUCTIONS)
def test_the_page_has_the_output_of_the_example(name):
    text = page(name)
    reduction_name, file, options = COMMAND.search(text).groups()
    assert reduction_name == name
    parameters = {word: int(number) for word, number in re.findall(r"-(\w+) (\d+)", options)}
    source = (folder(name) / file).read_text()
    assert f"```\n{source}```" in text
    reduction = reduce(name, source, **parameters)
    assert (folder(name) / "board.txt").read_text() == PRINTERS["text"](reduction.board)
    pegs, colors, rows = reduction.sizes()
    assert f"{pegs} pegs, {colors} colors, {rows} rows." in text
    assert "| {pegs} | {colors} | {rows} |".format(**REDUCTIONS[name].formula._asdict()) in text
    codes = re.search(r"```codes\n(.+?)```", text, re.DOTALL)[1]
    assert codes == "".join(
        f"{format_certificate(reduction, code)}\n" for code in codes_of(reduction.board)
    )


@pytest.mark.parametrize("name", REDUCTIONS)
def test_the_page_of_a_completeness_theorem_proves_membership_in_the_class(name):
    text = page(name)
    theorem = REDUCTIONS[name].theorem
    assert f"\nTheorem: {theorem}.\n" in text
    assert ("\nMembership: " in text) == ("complete" in theorem)
    assert ("is in #P." in text) == ("#P" in theorem)


@pytest.mark.parametrize("file", ["README.md", "example.*", "board.txt"])
def test_the_folder_of_a_reduction_has_this_file(file):
    folders = {path.parent for path in PACKAGE.glob(f"*/{file}")}
    games = () if file == "board.txt" else GAME_REDUCTIONS
    reductions = set(map(folder, (*REDUCTIONS, *games)))
    assert folders == reductions


def test_the_names_of_reductions_are_known_without_importing_them():
    """Lists, completions and checks of names stay quick."""
    script = "import mmsat.reductions.families as f, sys; print(*f.FAMILIES, *sys.modules)"
    completed = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
    )
    words = set(completed.stdout.split())
    assert words >= set(REDUCTIONS)
    assert not words & {f"mmsat.reductions.{module}" for module in MODULES}


def test_every_reduction_is_listed_with_its_module():
    names = [name for names in MODULES.values() for name in names]
    assert sorted(names) == sorted((*REDUCTIONS, *GAME_REDUCTIONS))
    for module, listed in MODULES.items():
        for name in listed:
            registry = REDUCTIONS if name in REDUCTIONS else GAME_REDUCTIONS
            assert registry[name].__module__ == f"mmsat.reductions.{module}"


def format_certificate(reduction, code) -> str:
    """Return the line of the page for a code and its certificate."""
    if code in getattr(reduction, "known", ()):
        certificate = "known"
    elif reduction.source_kind == "board":
        certificate = speller(reduction.source.game).print_code(reduction.decode(code))
    else:
        certificate = " ".join(map(str, reduction.decode(code)))
    return f"{speller(reduction.board.game).print_code(code)} <- {certificate}"
