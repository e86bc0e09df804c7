"""The page of the interface: what is said of all questions, then each with its parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from mmsat.web.limits import Limits
from mmsat.web.questions import QUESTIONS

PAGE = Path(__file__).parent / "interface.txt"


def describe(limits: Limits) -> str:
    """Write the page, in Markdown, with these limits."""
    text = PAGE.read_text("utf-8")
    for name, value in (asdict(limits) | {"memory": limits.memory >> 20}).items():
        text = text.replace(f"{{{name}}}", f"{value:g}" if isinstance(value, float) else str(value))
    return text + "\n".join(_questions())


def _questions() -> Iterator[str]:
    for name, question in QUESTIONS.items():
        yield f"### {name}\n\n{question.summary} Schema: `/api/schema/{question.schema}`.\n"
        for parameter, about in question.parameters.items():
            usual = "needed" if about.is_needed else f"{about.default!r} where it is not given"
            yield f"- `{parameter}`: {about.rule} ({usual})"
        yield ""
