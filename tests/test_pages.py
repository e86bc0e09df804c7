"""The tutorials, how-to pages and explanations: their commands and their Python run in order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mmsat.cli.group import COMMANDS
from tests.support import pages

DOCS = Path(__file__).parents[1] / "docs"
PAGES = sorted(
    str(page.relative_to(DOCS))
    for page in (
        *DOCS.glob("tutorials/*.md"),
        *DOCS.glob("how-to/*.md"),
        *DOCS.glob("explanation/*.md"),
        DOCS / "exit-codes.md",
    )
)


@pytest.fixture(params=PAGES)
def page(request):
    return (DOCS / request.param).read_text("utf-8")


def test_there_are_pages_for_each_purpose():
    assert len([name for name in PAGES if name.startswith("tutorials/")]) == 4
    assert len([name for name in PAGES if name.startswith("how-to/")]) >= 6
    assert sum("```console" in (DOCS / name).read_text("utf-8") for name in PAGES) > 10


@pytest.mark.long
def test_commands_print_what_a_page_shows(page, tmp_path):
    """`python -m tests.support.pages PAGE` writes changed outputs into the page."""
    number, wrong = pages.run_commands(page, tmp_path)
    assert number == page.count("\n$ ")
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.long
def test_python_does_what_a_page_shows(page):
    examples, failed = pages.run_python(page, "page")
    assert failed == 0
    assert (examples > 0) == (">>>" in page)


def test_named_commands_exist(page):
    page = re.sub(r"```text\n.*?```", "", page, flags=re.DOTALL)  # contents of files
    names = set(re.findall(r"\bmmsat ([a-z]+)(?= |`|$)", " ".join(re.findall("`([^`]*)`", page))))
    assert names <= {*COMMANDS}


def test_a_command_and_its_output_are_told_apart():
    text = "```console\n$ cat <<'END'\na\nEND\na\n$ ls\nb\n```\n"
    assert [*pages.exchanges(text)] == [("cat <<'END'\na\nEND", "a\n"), ("ls", "b\n")]
    assert pages.matches("1\n2\n3\n", "1\n...\n3")
    assert not pages.matches("1\n2\n4\n", "1\n...\n3")
    assert pages.run_commands("```console\n$ echo a\nb\n```\n", ".") == (1, ["$ echo a\na\n"])
