"""The code of the tutorial has the shown output."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent / "mmsat" / "reductions" / "TUTORIAL.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.long
def test_python_does_what_the_tutorial_shows():
    """Run all blocks in order in one namespace."""
    namespace: dict[str, object] = {}
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    assert len(blocks) > 10
    for number, block in enumerate(blocks, 1):
        test = doctest.DocTestParser().get_doctest(block, namespace, f"block {number}", None, 0)
        assert test.examples
        assert doctest.DocTestRunner().run(test, clear_globs=False).failed == 0
        namespace = test.globs


def test_links_and_commands_are_there():
    text = PAGE.read_text(encoding="utf-8")
    assert "benchmarks/results/hardness/" in text
    assert (PAGE.parents[2] / "benchmarks" / "results" / "hardness" / "README.md").is_file()
