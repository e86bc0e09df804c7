"""The site: every name has its page, and all of it is built, with links that lead somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser
from itertools import chain
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import mmsat
from docs import sources
from mmsat.cli.group import COMMANDS
from mmsat.encoding.cnf import names as encodings
from mmsat.game.names import PUBLISHED_GAMES
from mmsat.game.scoring import SCORINGS
from mmsat.game.space import SPACES
from mmsat.reductions.reduce import GAME_REDUCTIONS, REDUCTIONS

ROOT = Path(__file__).parents[1]
WANTED = {
    "commands": COMMANDS,
    "library": mmsat.__all__,
    "games": PUBLISHED_GAMES,
    "encodings": encodings(),
    "mmsat/reductions": [name.replace("-", "_") for name in (*REDUCTIONS, *GAME_REDUCTIONS)],
}
NOTATION = (ROOT / "docs" / "notation.md").read_text("utf-8")


@pytest.mark.parametrize("folder", WANTED)
def test_everything_has_its_page(folder):
    pages = {*sources.generated_pages(), *sources.repository_pages()}
    assert len(WANTED[folder]) > 5
    for name in WANTED[folder]:
        assert {f"{folder}/{name}.md", f"{folder}/{name}/README.md"} & pages


@pytest.mark.parametrize("name", [*chain(*sources.CHAPTERS.values())])
def test_chapters_are_in_the_side_bar(name):
    assert f"{name}.md" in {*sources.generated_pages(), *sources.repository_pages()}
    assert f"\n{name}\n" in sources.contents()


@pytest.mark.parametrize(
    "page", [name for name in sources.repository_pages() if name[-3:] == ".md"]
)
def test_linked_folders_have_a_page(page):
    """The site shows the README.md of a folder that a page links to."""
    for match in sources.LINK.finditer((ROOT / page).read_text("utf-8")):
        target = (ROOT / page).parent / match[1]
        assert (target / "README.md").exists() or target.is_file(), match[0]


def test_every_function_has_one_task():
    functions = " ".join(sources.FUNCTIONS.values()).split()
    assert sorted(functions) == [name for name in mmsat.__all__ if name.islower()]


def test_every_page_is_in_one_table_of_contents():
    listed = sources.contents().splitlines()
    for page in sources.repository_pages():
        if page.endswith("/README.md"):
            folder = Path(page).parent
            listed += [(folder / name).as_posix() for name in sources.below(page)]
    listed += [f"mmsat/reductions/{name}/README" for name in WANTED["mmsat/reductions"]]
    for page in sources.repository_pages():
        name = page.rpartition(".")[0]
        assert listed.count(name) == (page != "README.md"), name


def test_links_point_to_pages_and_linked_files_are_copied(tmp_path):
    text = "[a](../../encodings) [b](../../README.md#install) [c](sat/README.md) [d](https://x.org)"
    text += " [e](../proof/bundle.py) [f](#here)"
    assert sources.relink(text, "mmsat/reductions/X.md", tmp_path) == (
        "[a](../../encodings/README.md) [b](../../index.md#install) [c](sat/README.md) "
        "[d](https://x.org) [e](../proof/bundle.py) [f](#here)"
    )
    assert [file.name for file in tmp_path.rglob("*.*")] == ["bundle.py"]


@pytest.mark.parametrize("line", re.findall(r"^\| (`\w.*?`) \|", NOTATION, re.MULTILINE))
def test_the_cheat_sheet_is_true(line):
    """Every board in its tables is read; rows on one line are the same."""
    texts = [text for text in re.findall("`(.*?)`", line) if "FILE" not in text]
    rows = [text for text in texts if not re.match(r"[\w ]+/|\d+x", text)]
    assert all(mmsat.Board.parse(text) for text in texts if text not in rows)
    assert len({mmsat.Board.parse(f"4x6\n{row}") for row in rows}) <= 1


def test_the_rules_after_a_size_are_on_the_page_about_notation():
    kinds = [*SPACES.values(), *SCORINGS.values()]
    rules = {kind.example: kind.summary for kind in kinds}
    rows = {f"| `{example}` | {rule} |" for example, rule in rules.items()}
    table = NOTATION.partition("## Rules after a size")[2].partition("|---|---|\n")[2]
    assert {*table.strip().splitlines()} == rows


class Links(HTMLParser):
    """The links, the anchors and the pictures of a page."""

    def __init__(self, page):
        super().__init__()
        self.links, self.anchors, self.pictures = [], {""}, []
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag == "img" and values["src"].endswith(".svg"):
            self.pictures.append(values.get("alt") or "")
        self.links += [(tag, values[name]) for name in ("href", "src") if values.get(name)]


@pytest.mark.slow
def test_the_site_is_built_and_its_links_have_targets(tmp_path):
    """The build has no warnings, all links have targets, and no page needs a network."""
    source, site = tmp_path / "source", tmp_path / "html"
    sources.gather(source)
    command = [sys.executable, "-m", "sphinx", "-q", "-n", "-W", "--keep-going", "-b", "html"]
    process = subprocess.run(
        [*command, "-d", tmp_path / "trees", "-c", ROOT / "docs", source, site],
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    pages = {page.resolve(): Links(page) for page in site.rglob("*.html")}
    assert len(pages) > sum(map(len, WANTED.values()))
    descriptions = [alt for links in pages.values() for alt in links.pictures]
    assert len(descriptions) > 50
    assert not [alt for alt in descriptions if len(alt) < 5 or alt.endswith(".svg")]
    for page, links in pages.items():
        for tag, link in links.links:
            url = urlsplit(link)
            if url.scheme in ("http", "https"):
                assert tag == "a", (page, link)
            if url.scheme:
                continue
            target = (page.parent / unquote(url.path)).resolve() if url.path else page
            assert target.is_file(), (page, link)
            if target in pages:
                assert url.fragment in pages[target].anchors, (page, link)
    index = (site / "searchindex.js").read_text("utf-8")
    assert all(f'"{word}"' in index for word in ("correct", "mastermind"))
    shown = (site / "commands" / "check.html").read_text("utf-8")
    assert "Inconsistent: no code gets exactly these scores." in shown
