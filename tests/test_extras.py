"""If an extra is not installed, the error names it; everything else works without the extra."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

import mmsat
from mmsat.render import pyplot
from mmsat.render.board import paint_odds
from mmsat.render.picture import PdfDrawing
from mmsat.studies.statistics import chi_square_tail, wilson
from tests.support.cli_runner import CONSISTENT, run

EXTRAS = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"][
    "optional-dependencies"
]
USES = [
    ("matplotlib", "plot", pyplot),
    ("matplotlib", "plot", lambda: paint_odds(mmsat.codes(CONSISTENT).odds())),
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


@pytest.mark.parametrize(("package", "extra", "use"), USES)
def test_a_package_that_cannot_be_loaded_is_not_reported_as_missing(
    package, extra, use, monkeypatch
):
    """For example for want of memory."""
    message = f"lib{extra}.so: failed to map segment from shared object"
    for name in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Refusing(package, message), *sys.meta_path])
    with pytest.raises(ImportError, match=re.escape(message)):
        use()


class Refusing:
    """An importer that fails for one package."""

    def __init__(self, package: str, message: str) -> None:
        self.package, self.message = package, message

    def find_spec(self, name: str, *_: object) -> None:
        """Raise ImportError for the package."""
        if name == self.package:
            raise ImportError(self.message)


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
