"""The JavaScript of the page: its unit tests pass, and its tools are pinned."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.support import external

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / ".ci" / "page"


def test_the_unit_tests_pass():
    node = external.program("node")
    result = subprocess.run(
        [node, "--test", "tests/web/js/"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout
    assert len(list((ROOT / "tests/web/js").glob("*.test.mjs"))) > 3


def test_the_tools_are_pinned_without_a_registry():
    packages = json.loads((TOOLS / "package.json").read_text("utf-8"))["devDependencies"]
    lock = json.loads((TOOLS / "package-lock.json").read_text("utf-8"))["packages"]
    assert {name: lock[f"node_modules/{name}"]["version"] for name in packages} == packages
    for name, package in lock.items():
        assert "resolved" not in package
        assert name == "" or package["integrity"].startswith("sha512-")


def test_core_modules_import_only_core_modules():
    """They are pure, so that they can be tested without a browser."""
    for file in (ROOT / "mmsat/web/page/js/core").glob("*.js"):
        text = file.read_text("utf-8")
        for line in text.splitlines():
            if line.startswith(("import ", "} from ")):
                assert ' from "./' in line, (file.name, line)
        assert "document." not in text
        assert "window" not in text
