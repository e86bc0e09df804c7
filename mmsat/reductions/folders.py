"""The reductions by name, and their folders: class, page, example and golden board in one place.

A reduction is a folder of this package with a README.md: `k_permanent/` holds `k-permanent`. So its
name is known from the folder, and its class is imported when it is first asked for.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mmsat.reductions.reduction import Reduction
from mmsat.registry import Registry

PACKAGE = Path(__file__).parent
REDUCTIONS: Mapping[str, type[Reduction[Any, Any]]] = Registry(
    "mmsat.reductions",
    sorted(page.parent.name for page in PACKAGE.glob("*/README.md")),
    Reduction,  # type: ignore[type-abstract]
)


def folder(name: str) -> Path:
    """Find the folder of a reduction."""
    return PACKAGE / name.replace("-", "_")


def page(name: str) -> str:
    """Read the page of a reduction, in Markdown."""
    return (folder(name) / "README.md").read_text("utf-8")


def example(name: str) -> str:
    """Read the text of its small source."""
    (file,) = folder(name).glob("example.*")
    return file.read_text("utf-8")
