"""The catalogues are found, and hold data and nothing else."""

from __future__ import annotations

from importlib import resources

import pytest

from mmsat._util.files import catalogue_folder
from mmsat.errors import InternalError

catalogues = pytest.mark.parametrize("name", ["encodings", "instances"])


@catalogues
def test_a_catalogue_has_a_readme(name):
    assert (catalogue_folder(name) / "README.md").read_text("utf-8").startswith("# ")


@catalogues
def test_no_python_file_lies_at_the_top_of_a_catalogue(name):
    """`encodings` is also a package of the standard library, and must never be taken for it."""
    assert not [
        path.name for path in catalogue_folder(name).iterdir() if path.name.endswith((".py", ".so"))
    ]


def test_a_catalogue_inside_the_package_comes_first(monkeypatch, tmp_path):
    """A wheel has the catalogues in mmsat/data."""
    inside = tmp_path / "data" / "instances"
    inside.mkdir(parents=True)
    monkeypatch.setattr(resources, "files", lambda _: tmp_path)
    assert catalogue_folder("instances") == inside
    assert catalogue_folder("encodings").name == "encodings"


def test_a_missing_catalogue_is_reported_as_a_bug():
    with pytest.raises(InternalError, match="no-such-catalogue"):
        catalogue_folder("no-such-catalogue")
