"""The figures of the study, and colors and files for figures in print.

Equal data give equal bytes. Lines differ in their markers as well as in their colors.
"""

from __future__ import annotations

import io
import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from mmsat.render.figures import pyplot
from mmsat.studies import ENSEMBLES, entropy_rows
from mmsat.studies.statistics import wilson

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mmsat.studies.efforts import Growth, Peak
    from mmsat.studies.findings import Reach
    from mmsat.studies.statistics import Estimate
    from mmsat.studies.transition import Transition


MARKERS = "osD^vPX<>*h"
COLORS = ("#56b4e9", "#009e73", "#e69f00", "#d55e00", "#cc79a7", "#0072b2", "#7f7f7f")
"""Colors of Okabe and Ito (2008), distinguishable with any kind of color vision."""
COLUMN_WIDTH, PAGE_WIDTH = 3.35, 6.95
"""Width of a column of a page, and of both columns, in inches."""
ENSEMBLE_NAMES = {"random-two-color": "two colors", "six-colors": "six colors"}
SOLVER_NAMES = {"cp": "CP-SAT", "cadical": "CaDiCaL", "lattice": "the lattice"}
UNITS = {"cp": "conflicts", "cadical": "conflicts", "lattice": "points"}
"""The unit of the effort of each solver."""


def svg(figure: Any) -> str:
    """Return a figure as SVG, without header, date and version, and close it."""
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    pyplot().close(figure)
    return file.getvalue().partition("<svg")[1] + file.getvalue().partition("<svg")[2]


def color(number: int) -> str:
    """Return a color for print; the numbers of colors repeat."""
    return COLORS[number % len(COLORS)]


FONT_SIZE = 7
"""Size of all text in the figures of the study, in points."""


def size_colors(sizes: Sequence[int]) -> dict[int, Any]:
    """Return a color for each size, from a scale that is ordered in print and for any vision."""
    scale = pyplot().get_cmap("viridis")
    return {size: scale(0.9 * i / max(len(sizes) - 1, 1)) for i, size in enumerate(sizes)}


def _study_panels(num_rows: int, num_columns: int, height: float) -> tuple[Any, Any]:
    """Return a figure of page width with panels."""
    plt = pyplot()
    figure, panels = plt.subplots(
        num_rows,
        num_columns,
        figsize=(PAGE_WIDTH, height),
        squeeze=False,
        layout="constrained",
    )
    for panel in panels.flat:
        panel.grid(visible=True, linewidth=0.4)
        panel.tick_params(labelsize=FONT_SIZE)
        panel.title.set_fontsize(FONT_SIZE + 1)
        for label in (panel.xaxis.label, panel.yaxis.label):
            label.set_fontsize(FONT_SIZE)
    return figure, panels


NUM_BINS = 12
"""Number of groups of boards with similar estimates in the figure of the transition."""


def transition_figure(transitions: Sequence[Transition]) -> str:
    """Draw the shares of boards with a code: by rows (above), and by the estimate (below)."""
    figure, panels = _study_panels(2, len(transitions), 4.6)
    for column, transition in enumerate(transitions):
        above, below = panels[:, column]
        unit = ENSEMBLES[transition.family].colors
        sizes = sorted(transition.halves)
        for size, shade in size_colors(sizes).items():
            shares = transition.shares(size)
            scale = entropy_rows(unit, size)
            points = [
                (rows / scale, *_share_bars(consistent, total))
                for rows, consistent, total in shares
            ]
            x, y, lower, upper = zip(*points, strict=True)
            style = {"color": shade, "marker": MARKERS[sizes.index(size) % len(MARKERS)]}
            above.errorbar(
                x, y, [lower, upper], elinewidth=0.5, linewidth=0.6, markersize=2.5,
                label=str(size), **style,
            )  # fmt: skip
        data = transition.verdicts
        finite = sorted(
            (float(value), bool(verdict))
            for value, verdict in zip(data.log_count, data.is_consistent, strict=True)
            if -4 < value < 4
        )
        ends = [len(finite) * number // NUM_BINS for number in range(NUM_BINS + 1)]
        for group in (finite[first:end] for first, end in pairwise(ends) if first < end):
            share, lower_bar, upper_bar = _share_bars(
                sum(verdict for _, verdict in group), len(group)
            )
            middle = sum(value for value, _ in group) / len(group)
            below.errorbar(
                middle, share, [[lower_bar], [upper_bar]], color=COLORS[5], marker="o",
                markersize=3, elinewidth=0.6,
            )  # fmt: skip
        grid = [step / 10 - 4 for step in range(81)]
        below.plot(
            grid, [-math.expm1(-math.exp(x)) for x in grid], color="black", linewidth=0.8,
            label="1 - exp(-N), not fitted",
        )  # fmt: skip
        above.set_title(ENSEMBLE_NAMES[transition.family], fontweight="bold")
        above.axvline(1, color="#777777", linewidth=0.6, linestyle=":")
        above.legend(
            title="pegs", fontsize=FONT_SIZE - 1, title_fontsize=FONT_SIZE - 1, ncol=2,
            handlelength=1.2, columnspacing=0.8, loc="upper left", bbox_to_anchor=(1.0, 1.03),
            frameon=False,
        )  # fmt: skip
        below.legend(fontsize=FONT_SIZE, loc="lower right", frameon=False)
        above.set_xlabel("rows / r*")
        below.set_xlabel("ln N, the logarithm of the estimated number of codes")
        for panel in (above, below):
            panel.set_ylim(-0.03, 1.03)
    for panels_of_row in panels:
        label = "a code" if transitions[0].question == "any" else "another code"
        panels_of_row[0].set_ylabel(f"share with {label}")
    return svg(figure)


def _share_bars(successes: int, trials: int) -> tuple[float, float, float]:
    """Return a share, and the lengths of its error bars."""
    share = successes / trials
    low, high = wilson(successes, trials)
    return share, share - low, high - share


MIN_DRAWN_STEPS = 0.5
"""Medians of 0 steps are drawn at this number, because the axis is logarithmic."""


def _median_bars(medians: Iterable[Estimate]) -> tuple[list[float], list[list[float]]]:
    """Return the values of medians and the lengths of their error bars; infinite bars are 0."""
    triples = [
        tuple(max(bound, MIN_DRAWN_STEPS) for bound in (value, low, high))
        for value, low, high in medians
    ]
    lower = [value - low for value, low, _ in triples]
    upper = [high - value if high < math.inf else 0.0 for value, _, high in triples]
    return [value for value, _, _ in triples], [lower, upper]


def effort_figure(growths: Sequence[Growth]) -> str:
    """Draw the median effort near the half point by pegs, with the lines through fitted sizes."""
    families = list(dict.fromkeys(growth.kind.family for growth in growths))
    figure, panels = _study_panels(1, len(families), 2.6)
    for growth in growths:
        panel = panels[0, families.index(growth.kind.family)]
        number = [*SOLVER_NAMES].index(growth.kind.solver)
        is_planted = growth.kind.answer == "consistent"
        medians = {size: m for size, m in growth.medians.items() if m.value < math.inf}
        if not medians:
            continue
        values, bars = _median_bars(medians.values())
        panel.errorbar(
            list(medians), values, bars, color=color(number + 2), marker=MARKERS[number],
            linestyle="", elinewidth=0.6, markersize=3.5,
            markerfacecolor="none" if is_planted else None,
            label=f"{SOLVER_NAMES[growth.kind.solver]}, {UNITS[growth.kind.solver]}"
            + ", planted" * is_planted,
        )  # fmt: skip
        if growth.line and not is_planted:
            ends = [growth.fitted_sizes[0], growth.fitted_sizes[-1]]
            panel.plot(
                ends,
                [2 ** (growth.line.intercept + growth.line.slope * size) for size in ends],
                color=color(number + 2),
                linewidth=0.9,
            )
    for column, family in enumerate(families):
        panel = panels[0, column]
        panel.set_title(ENSEMBLE_NAMES[family], fontweight="bold")
        panel.set_xlabel("pegs")
        panel.set_yscale("log")
        panel.legend(fontsize=FONT_SIZE - 1, handlelength=1, loc="upper left", frameon=False)
        panel.set_ylim(top=panel.get_ylim()[1] * 30)  # room for the legend above the data
    panels[0, 0].set_ylabel("median steps (0 is drawn at 1/2)")
    return svg(figure)


def peak_figure(peaks: Sequence[Peak]) -> str:
    """Draw the median effort by the number of rows at one size of each ensemble and solver."""
    families = list(dict.fromkeys(peak.kind.family for peak in peaks))
    figure, panels = _study_panels(1, len(families), 2.4)
    for peak in peaks:
        panel = panels[0, families.index(peak.kind.family)]
        number = [*SOLVER_NAMES].index(peak.kind.solver)
        values, bars = _median_bars(peak.medians.values())
        panel.errorbar(
            [rows / peak.half for rows in peak.medians], values, bars, color=color(number + 2),
            marker=MARKERS[number], linewidth=0.8, elinewidth=0.6, markersize=3.5,
            label=f"{SOLVER_NAMES[peak.kind.solver]}, {peak.size} pegs",
        )  # fmt: skip
    for column, family in enumerate(families):
        panel = panels[0, column]
        panel.set_title(ENSEMBLE_NAMES[family], fontweight="bold")
        panel.set_xlabel("rows / rows at which half of the boards are predicted to have a code")
        panel.axvline(1, color="#777777", linewidth=0.6, linestyle=":")
        panel.set_yscale("log")
        panel.set_ylim(top=panel.get_ylim()[1] * 8)
        panel.legend(fontsize=FONT_SIZE - 1, loc="upper left", frameon=False)
    panels[0, 0].set_ylabel("median steps (0 is drawn at 1/2)")
    return svg(figure)


KIND_COLORS = {"most": 3, "few": 5, "undecided": 2}
"""Indices of the colors of families, by `Reach.kind`."""


def reach_figure(reaches: Sequence[Reach]) -> str:
    """Draw the pegs up to which `auto` decides most boards of each family, in this order."""
    ordered = sorted(reaches, key=lambda reach: (-reach.pegs, reach.family, reach.answer))
    figure, panels = _study_panels(1, 1, 0.125 * len(ordered) + 0.6)
    panel = panels[0, 0]
    for row, reach in enumerate(ordered):
        shade = color(KIND_COLORS[reach.kind]) if reach.kind in KIND_COLORS else "#999999"
        end = reach.next_pegs
        panel.plot([reach.pegs, end or reach.pegs], [row, row], color=shade, linewidth=1)
        panel.plot(
            reach.pegs, row, marker="o" if end else ">", color=shade, linestyle="", markersize=4
        )
        if end:
            panel.plot(end, row, marker="|", color=shade, linestyle="")
    panel.set_yticks(
        range(len(ordered)),
        [f"{reach.family}, {reach.answer}" for reach in ordered],
        fontsize=FONT_SIZE,
    )
    panel.set_ylim(len(ordered) - 0.4, -0.6)
    panel.set_xscale("log")
    panel.set_xlabel("pegs")
    panel.grid(visible=False, axis="y")
    return svg(figure)
