"""The figures of the study, and colors and files for figures in print.

Equal data give equal bytes. Lines differ in their markers as well as in their colors.
"""

from __future__ import annotations

import io
import math
from typing import TYPE_CHECKING, Any

from mmsat.render.figures import pyplot, write
from mmsat.studies.point import ENSEMBLES, expected_rows
from mmsat.studies.statistics import wilson

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from mmsat.studies.findings import Growth, Reach, Transition


MARKERS = "osD^vPX<>*h"
COLORS = ("#56b4e9", "#009e73", "#e69f00", "#d55e00", "#cc79a7", "#0072b2", "#7f7f7f")
"""Colors of Okabe and Ito (2008), distinguishable with any kind of color vision."""
COLUMN_WIDTH, PAGE_WIDTH = 3.35, 6.95
"""Width of a column of a page, and of both columns, in inches."""
ENSEMBLE_NAMES = {"random-two-color": "two colors", "six-colors": "six colors"}
SOLVER_NAMES = {"cp": "CP-SAT", "cadical": "CaDiCaL", "lattice": "the lattice"}
UNITS = {"cp": "conflicts", "cadical": "conflicts", "lattice": "points"}
"""The unit of the effort of each solver."""

SUFFIXES = (".svg", ".png")


def save_plot(figure: Any, folder: Path, name: str) -> list[Path]:
    """Write a figure as SVG and PNG, without date and version; return both paths."""
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
    """Return a color for print; the numbers of colors repeat."""
    return COLORS[number % len(COLORS)]


def transition_figure(transitions: Sequence[Transition]) -> str:
    """Draw the shares of boards with a code by rows (above) and by scaled rows (below)."""
    plt = pyplot()
    figure, panels = plt.subplots(
        2,
        len(transitions),
        figsize=(COLUMN_WIDTH, 3.4),
        squeeze=False,
        layout="constrained",
        sharey=True,
    )
    for column, transition in enumerate(transitions):
        law = transition.laws[0].fit
        above, below = panels[:, column]
        colors = ENSEMBLES[transition.family].colors
        all_scaled = []
        for number, size in enumerate(transition.sizes):
            points = [
                (point.rows or 0, positives, trials)
                for point, positives, trials in transition.points
                if point.size == size
            ]
            scale = expected_rows(colors, size).typical
            x = [rows / scale for rows, _, _ in points]
            shares = [positives / trials for _, positives, trials in points]
            intervals = [wilson(positives, trials) for _, positives, trials in points]
            bars = [
                [share - low for share, (low, _) in zip(shares, intervals, strict=True)],
                [high - share for share, (_, high) in zip(shares, intervals, strict=True)],
            ]
            style = {"color": color(number), "marker": MARKERS[number], "linewidth": 0.8}
            above.errorbar(x, shares, bars, elinewidth=0.5, label=str(size), **style)
            scaled = [law.scale(size, position) for position in x]
            below.errorbar(scaled, shares, bars, elinewidth=0.5, **(style | {"linestyle": ""}))
            all_scaled += scaled
        start, end = min(all_scaled), max(all_scaled)
        grid = [start + (end - start) * step / 100 for step in range(101)]
        below.plot(grid, [law.chance(x) for x in grid], color="black", linewidth=0.8)
        above.set_title(ENSEMBLE_NAMES[transition.family], fontweight="bold")
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
    """Draw the median effort at the threshold, in steps (above) and in seconds (below)."""
    plt = pyplot()
    families = list(dict.fromkeys(growth.kind.family for growth in growths))
    figure, panels = plt.subplots(
        2,
        len(families),
        figsize=(COLUMN_WIDTH, 4.0),
        squeeze=False,
        layout="constrained",
        sharex="col",
    )
    for growth in growths:
        row = int(growth.kind.unit == "seconds")
        panel = panels[row, families.index(growth.kind.family)]
        number = [*SOLVER_NAMES].index(growth.kind.solver)
        is_planted = growth.kind.answer == "consistent"
        medians = {
            size: median for size, median in growth.medians.items() if 0 < median.value < math.inf
        }
        if not medians:
            continue
        values = [median.value for median in medians.values()]
        bars = [
            [value - max(low, 0) for value, low, _ in medians.values()],
            [(high if high < math.inf else value) - value for value, _, high in medians.values()],
        ]
        panel.errorbar(
            list(medians),
            values,
            bars,
            color=color(number + 2),
            marker=MARKERS[number],
            linestyle="",
            elinewidth=0.5,
            markerfacecolor="white" if is_planted else None,
            label=None if is_planted else SOLVER_NAMES[growth.kind.solver],
        )
        if growth.line and not is_planted:
            sizes = sorted(medians)
            panel.plot(
                sizes,
                [2 ** (growth.line.intercept + growth.line.slope * size) for size in sizes],
                color=color(number + 2),
                linewidth=0.7,
            )
    for column, family in enumerate(families):
        panels[0, column].set_title(ENSEMBLE_NAMES[family], fontweight="bold")
        panels[1, column].set_xlabel("pegs")
        panels[0, column].legend(fontsize=5, handlelength=1, borderpad=0, loc="upper left")
        for panel in panels[:, column]:
            panel.set_yscale("log")
            panel.grid(visible=True)
    panels[0, 0].set_ylabel("steps, median")
    panels[1, 0].set_ylabel("seconds, median")
    return svg(figure)


def reach_figure(reaches: Sequence[Reach]) -> str:
    """Draw the number of pegs up to which `auto` decides most boards, for each family."""
    plt = pyplot()
    ordered = sorted(reaches, key=lambda reach: (reach.family, reach.answer))
    figure, panel = plt.subplots(
        figsize=(PAGE_WIDTH, 0.115 * len(ordered) + 0.5), layout="constrained"
    )
    for row, reach in enumerate(ordered):
        algebra = reach.algebra
        shade = "#999999" if algebra is None else color(3 if algebra.value >= 1 / 2 else 5)
        end = reach.next_pegs
        panel.plot([reach.pegs, end or reach.pegs], [row, row], color=shade, linewidth=1)
        panel.plot(reach.pegs, row, marker="o" if end else ">", color=shade, linestyle="")
        if end:
            panel.plot(end, row, marker="|", color=shade, linestyle="")
    panel.set_yticks(
        range(len(ordered)), [f"{reach.family}, {reach.answer}" for reach in ordered], fontsize=6
    )
    panel.set_ylim(len(ordered) - 0.4, -0.6)
    panel.set_xscale("log")
    panel.set_xlabel("pegs")
    panel.grid(visible=True, axis="x")
    return svg(figure)
