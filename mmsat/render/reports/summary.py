"""The summary of an audit, in sentences and as plots: games, slips, and identified slips."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from mmsat.auditing.summary import UNNAMED, Summary, summary_sentences
from mmsat.render.board import Style
from mmsat.render.plots import save
from mmsat.render.printing import pyplot
from mmsat.render.spans import Line
from mmsat.render.table import paragraphs, table


def lines(summary: Summary, style: Style, *, in_full: bool) -> Iterator[Line]:
    """Yield sentences, and a confusion table if the logs contain the actual errors."""
    yield from paragraphs(summary_sentences(summary), style.wrap)
    if summary.knows_slips:
        yield from confusion_table(summary, style.wrap)


def confusion_table(summary: Summary, width: int | None) -> Iterator[Line]:
    """Yield a table of games by actual error (rows) and by result of the audit (columns)."""
    named_errors = sorted({named_errors for _, named_errors in summary.confusion})
    actual_errors = sorted({actual_errors for actual_errors, _ in summary.confusion})
    rows = [
        [*(str(summary.confusion[actual, named]) for named in named_errors), actual]
        for actual in actual_errors
    ]
    yield from table([*named_errors, "actual error"], rows, width, range(len(named_errors)))


def check_folder(path: str) -> Path:
    """Return the folder, which is created if it does not exist."""
    from pathlib import Path

    os.makedirs(path, exist_ok=True)
    return Path(path)


def draw(summary: Summary, folder: Path) -> list[Path]:
    """Draw the plots for which there is data; equal summaries give equal bytes."""
    plt = pyplot()
    paths: list[Path] = []
    if summary.slips:
        words, games = zip(*reversed(summary.slips.most_common()), strict=True)
        height = max(1.2, 0.5 + 0.25 * len(words))
        figure, axes = plt.subplots(figsize=(5, height), layout="constrained")
        axes.barh([value or UNNAMED for value in words], games, color="#c1121f")
        axes.set_xlabel("games")
        paths += save(figure, folder, "slips")
    if summary.skills:
        figure, axes = plt.subplots(figsize=(5, 2.4), layout="constrained")
        first, mean, _ = zip(*summary.skills, strict=True)
        axes.plot(first, [100 * value for value in mean], marker="o", color="#472d7b")
        axes.set_xlabel("record")
        axes.set_ylabel("skill in %")
        paths += save(figure, folder, "skill")
    return paths
