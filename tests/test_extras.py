"""What needs an extra that is not installed says which one; the rest works without it."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

import mmsat
from mmsat.render.figures import pyplot
from mmsat.render.heat import paint
from mmsat.render.pdf import PdfDrawing
from mmsat.studies.statistics import chi_square_tail, wilson
from tests.support.cli_runner import CONSISTENT, run

EXTRAS = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"][
    "optional-dependencies"
]
USES = [
    ("matplotlib", "plot", pyplot),
    ("matplotlib", "plot", lambda: paint(mmsat.codes(CONSISTENT).odds())),
    ("matplotlib", "plot", lambda: PdfDrawing("a sheet", 794, 1123)),
    ("scipy", "study", lambda: wilson(1, 2)),
    ("scipy", "study", lambda: chi_square_tail(1.0, 1)),
]


@pytest.mark.parametrize(("package", "extra", "use"), USES)
def test_a_missing_package_names_the_extra_that_has_it(package, extra, use, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(
        mmsat.MissingError,
        match=re.escape(f"{package} is not installed; write: pip install 'mmsat[{extra}]'"),
    ):
        use()
    assert any(each.startswith(package) for each in EXTRAS[extra])


def test_a_picture_needs_the_extra_and_the_table_does_not(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    picture = tmp_path / "odds.png"
    result = run("odds", CONSISTENT, "-o", picture)
    assert result.exit_code == 1
    assert result.stderr == (
        "Error: matplotlib is not installed; write: pip install 'mmsat[plot]'\n"
    )
    assert not picture.exists()
    assert run("odds", CONSISTENT).exit_code == 0
