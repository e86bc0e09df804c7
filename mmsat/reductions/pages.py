"""The catalogue of reductions: a page each, with a worked small example."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent
"""One folder a reduction: README.md, a small source, and the board that is made of it."""


def page(name: str) -> str:
    """The page of a reduction, in Markdown."""
    return (FOLDER / name / "README.md").read_text("utf-8")


def example(name: str) -> str:
    """The text of its small source."""
    (file,) = (FOLDER / name).glob("example.*")
    return file.read_text("utf-8")
