"""The CHANGELOG and the fragments of its next section."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import mmsat

ROOT = Path(__file__).parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["towncrier"]
CHANGELOG = (ROOT / SETTINGS["filename"]).read_text("utf-8")
KINDS = [kind["directory"] for kind in SETTINGS["type"]]
FRAGMENT = re.compile(rf"(\d+|\+[a-z0-9-]+)\.({'|'.join(KINDS)})\.md")


def misnamed(names):
    """Return the names that towncrier would not find, except the one that keeps the folder."""
    return [name for name in names if name != ".gitkeep" and not FRAGMENT.fullmatch(name)]


def test_fragments_have_names_that_towncrier_finds():
    folder = ROOT / SETTINGS["directory"]
    assert misnamed(path.name for path in folder.iterdir()) == []
    assert misnamed(["48.added.md", "+typo.fixed.md"]) == []
    assert misnamed(["48.md", "note.added.md", "48.new.md"]) == [
        "48.md",
        "note.added.md",
        "48.new.md",
    ]


def test_the_changelog_has_the_form_of_keep_a_changelog():
    assert CHANGELOG.count(SETTINGS["start_string"]) == 1
    versions = re.findall(r"^## (.*)$", CHANGELOG, re.MULTILINE)
    assert versions[-1].startswith("0.1.0 (")
    assert versions[0].startswith(f"{mmsat.__version__} (")
    assert {*re.findall(r"^### (.*)$", CHANGELOG, re.MULTILINE)} <= {kind.title() for kind in KINDS}
