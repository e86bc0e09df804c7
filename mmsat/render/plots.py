"""Figures drawn by matplotlib, for print: the settings, the files, and the figures of the study.

No display is needed, and equal data give equal bytes. Colors are those of Okabe and Ito (2008);
lines also differ in their markers.
"""

from __future__ import annotations

import io
import math
import os
from typing import TYPE_CHECKING, Any

from mmsat._util.files import atomic_write
from mmsat.errors import MissingError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from mmsat.studies.findings import Growth, Reach, Transition


def matplotlib() -> Any:
    """Return the package matplotlib; raises MissingError, which names the extra, without it."""
    try:
        import matplotlib as mpl
    except ImportError:
        message = "matplotlib is not installed; write: pip install 'mmsat[plot]'"
        raise MissingError(message) from None
    return mpl


def pyplot() -> Any:
    """Return matplotlib.pyplot without a display, configured for print.

    Raises MissingError if matplotlib is not installed.
    """
    matplotlib().use("Agg")
    from matplotlib import pyplot as plt

    plt.rcParams.update(
        {
            "svg.hashsalt": "mmsat",  # reproducible names of elements
            "font.size": 8,
            "axes.titlesize": 8,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.linewidth": 0.6,
            "lines.linewidth": 1.2,
            "lines.markersize": 3.5,
            "legend.frameon": False,
            "grid.color": "#dddddd",
            "grid.linewidth": 0.4,
        }
    )
    return plt


def save(figure: Any, path: str | os.PathLike[str], title: str, dpi: int = 150) -> None:
    """Write a figure with a title, without date and version, and close it."""
    date_key = {"svg": "Date", "png": "Software", "pdf": "CreationDate"}[str(path)[-3:]]
    write(figure, path, dpi, {"Title": title, date_key: None})


def write(
    figure: Any, path: str | os.PathLike[str], dpi: int, metadata: dict[str, str | None]
) -> None:
    """Write a figure atomically and close it; the format is given by the suffix of the file."""
    data = io.BytesIO()
    figure.savefig(data, format=str(path)[-3:], dpi=dpi, metadata=metadata)
    pyplot().close(figure)
    atomic_write(path, [data.getvalue()])


MARKS = "osD^vPX<>*h"
SHADES = ("#56b4e9", "#009e73", "#e69f00", "#d55e00", "#cc79a7", "#0072b2", "#7f7f7f")
"""Colors of Okabe and Ito, distinguishable with any kind of color vision."""
COLUMN, PAGE = 3.35, 6.95
"""Width of a column, and of both columns, in inches."""
NAMES = {"random-two-color": "two colors", "six-colors": "six colors"}
SOLVER_NAMES = {"cp": "CP-SAT", "cadical": "CaDiCaL", "lattice": "the lattice"}
UNITS = {"cp": "conflicts", "cadical": "conflicts", "lattice": "points"}

SUFFIXES = (".svg", ".png")


def save_plot(figure: Any, folder: Path, name: str) -> list[Path]:
    """Write a figure as SVG and PNG, without date and version."""
    paths = [folder / f"{name}{suffix}" for suffix in SUFFIXES]
    for path in paths:
        write(figure, path, 200, {"Date" if path.suffix == ".svg" else "Software": None})
    return paths


def svg(figure: Any) -> str:
    """Return a figure as SVG, without header, date and version, and close it."""
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    pyplot().close(figure)
    return file.getvalue().partition("<svg")[1] + file.getvalue().partition("<svg")[2]


def color(number: int) -> str:
    """Return one of the colors for print."""
    return SHADES[number % len(SHADES)]


def transition_figure(transitions: Sequence[Transition]) -> str:
    """Return the figure of the shares by rows (above) and by scaled rows (below)."""
    from mmsat.studies.point import ENSEMBLES, expected_rows
    from mmsat.studies.statistics import wilson

    plt = pyplot()
    figure, panels = plt.subplots(
        2, len(transitions), figsize=(COLUMN, 3.4), squeeze=False, layout="constrained", sharey=True
    )
    for column, transition in enumerate(transitions):
        law = transition.laws[0].fit
        above, below = panels[:, column]
        colors = ENSEMBLES[transition.family].colors
        every = []
        for number, size in enumerate(transition.sizes):
            points = [
                (p.rows or 0, positives, trials)
                for p, positives, trials in transition.points
                if p.size == size
            ]
            scale = expected_rows(colors, size).typical
            x = [rows / scale for rows, _, _ in points]
            share = [positives / trials for _, positives, trials in points]
            ends = [wilson(positives, trials) for _, positives, trials in points]
            bars = [
                [s - low for s, (low, _) in zip(share, ends, strict=True)],
                [high - s for s, (_, high) in zip(share, ends, strict=True)],
            ]
            look = {"color": color(number), "marker": MARKS[number], "linewidth": 0.8}
            above.errorbar(x, share, bars, elinewidth=0.5, label=str(size), **look)
            scaled = [law.scale(size, position) for position in x]
            below.errorbar(scaled, share, bars, elinewidth=0.5, **(look | {"linestyle": ""}))
            every += scaled
        grid = [min(every) + (max(every) - min(every)) * step / 100 for step in range(101)]
        below.plot(grid, [law.chance(at) for at in grid], color="black", linewidth=0.8)
        above.set_title(NAMES[transition.family], fontweight="bold")
        above.axvline(1, color="#777777", linewidth=0.6, linestyle=":")
        above.legend(title="pegs", fontsize=5, title_fontsize=5, handlelength=1, borderpad=0)
        above.set_xlabel("rows / typical rows")
        below.set_xlabel("scaled rows")
        for panel in (above, below):
            panel.grid(visible=True)
    for panels_of_row in panels:
        panels_of_row[0].set_ylabel("share with a code")
    return svg(figure)


def effort_figure(growths: Sequence[Growth]) -> str:
    """Return the figure of median effort at the threshold, in steps (above) and seconds (below)."""
    plt = pyplot()
    families = list(dict.fromkeys(growth.kind.family for growth in growths))
    figure, panels = plt.subplots(
        2, len(families), figsize=(COLUMN, 4.0), squeeze=False, layout="constrained", sharex="col"
    )
    for growth in growths:
        row = int(growth.kind.unit == "seconds")
        panel = panels[row, families.index(growth.kind.family)]
        number = [*SOLVER_NAMES].index(growth.kind.solver)
        is_planted = growth.kind.answer == "consistent"
        medians = {size: m for size, m in growth.medians.items() if 0 < m.value < math.inf}
        if not medians:
            continue
        value = [m.value for m in medians.values()]
        bars = [
            [m.value - max(m.low, 0) for m in medians.values()],
            [(m.high if m.high < math.inf else m.value) - m.value for m in medians.values()],
        ]
        panel.errorbar(
            list(medians),
            value,
            bars,
            color=color(number + 2),
            marker=MARKS[number],
            linestyle="",
            elinewidth=0.5,
            markerfacecolor="white" if is_planted else None,
            label=None if is_planted else SOLVER_NAMES[growth.kind.solver],
        )
        if growth.line and not is_planted:
            sizes = sorted(medians)
            panel.plot(
                sizes,
                [2 ** (growth.line.start + growth.line.slope * size) for size in sizes],
                color=color(number + 2),
                linewidth=0.7,
            )
    for column, family in enumerate(families):
        panels[0, column].set_title(NAMES[family], fontweight="bold")
        panels[1, column].set_xlabel("pegs")
        panels[0, column].legend(fontsize=5, handlelength=1, borderpad=0, loc="upper left")
        for panel in panels[:, column]:
            panel.set_yscale("log")
            panel.grid(visible=True)
    panels[0, 0].set_ylabel("steps, median")
    panels[1, 0].set_ylabel("seconds, median")
    return svg(figure)


def reach_figure(reaches: Sequence[Reach]) -> str:
    """Return the figure of the pegs up to which `auto` decides most boards, for each family."""
    plt = pyplot()
    ordered = sorted(reaches, key=lambda reach: (reach.family, reach.answer))
    figure, panel = plt.subplots(figsize=(PAGE, 0.115 * len(ordered) + 0.5), layout="constrained")
    for place, reach in enumerate(ordered):
        share = reach.algebra
        shade = "#999999" if share is None else color(3 if share.value >= 1 / 2 else 5)
        end = reach.next_pegs
        panel.plot([reach.pegs, end or reach.pegs], [place, place], color=shade, linewidth=1)
        panel.plot(reach.pegs, place, marker="o" if end else ">", color=shade, linestyle="")
        if end:
            panel.plot(end, place, marker="|", color=shade, linestyle="")
    panel.set_yticks(range(len(ordered)), [f"{e.family}, {e.answer}" for e in ordered], fontsize=6)
    panel.set_ylim(len(ordered) - 0.4, -0.6)
    panel.set_xscale("log")
    panel.set_xlabel("pegs")
    panel.grid(visible=True, axis="x")
    return svg(figure)
