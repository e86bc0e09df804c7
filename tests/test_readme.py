"""The README is short and true: its commands and its Python run, its links and pictures exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs import terminal
from mmsat.cli.group import COMMANDS
from tests.support import pages

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_readme_is_short():
    assert 900 <= len(README.split()) <= 1100
    assert len(README.splitlines()) <= 150


@pytest.mark.parametrize(("command", "shown"), [*pages.exchanges(README)])
def test_a_command_prints_what_the_readme_shows(command, shown):
    printed = pages.shell(command, ROOT).stdout
    assert pages.matches(printed, shown), printed


def test_python_does_what_the_readme_shows():
    examples, failed = pages.run_python(README, "README.md")
    assert failed == 0
    assert examples > 5


def test_every_named_command_exists():
    names = set(re.findall(r"`mmsat ([a-z]+)", README))
    assert len(names) > 10
    assert names <= {*COMMANDS}


def test_every_file_that_the_readme_links_to_exists():
    targets = re.findall(r"\]\(([^)]+)\)", README)
    assert len(targets) > 20
    for target in targets:
        file, _, _ = target.partition("#")
        assert target.startswith("https://") or (ROOT / file).is_file(), target


def test_the_picture_of_the_terminal_shows_what_is_printed():
    """If this fails, run `python -m docs.terminal`."""
    kept, drawn = (
        re.sub("<[^>]*>", "", picture)
        for picture in (terminal.PICTURE.read_text("utf-8"), terminal.draw())
    )
    assert kept == drawn
    assert "in&#160;conflict" in kept
