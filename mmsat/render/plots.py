"""The figures of the studies, for print: the same tables give the same bytes.

Medians as lines, quartiles as bands. Colors are Okabe and Ito's, lines differ in their marks too.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from mmsat.render.palette import paint
from mmsat.render.printing import pyplot
from mmsat.studies import growth, transition

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from mmsat.studies.table import Record

SUFFIXES = (".svg", ".png")
ACROSS = 4
"""Panels side by side where there is one for each family."""
LOOKS = {
    "consistent": ("planted code", 5, "o"),
    "inconsistent": ("provably none", 0, "s"),
    "slipped": ("one wrong score", 6, "^"),
}
"""For each answer its name in a legend, its paint and its mark."""
MARKS = "osD^vP"
SHADES = (1, 3, 6, 0, 4, 5)
"""The paints of growing sizes."""
WORDS = {"random-two-color": "two colors", "six-colors": "six colors"}
VALUES = {
    "seconds": "time until decided (s)",
    "conflicts": "conflicts of MiniCard",
}
FLOOR = {"seconds": 1e-4, "conflicts": 0.5}
"""What is drawn for none, as axes are logarithmic."""


def save(figure: Any, folder: Path, name: str) -> list[Path]:
    """Write a figure as SVG and as PNG, without the date and the version."""
    paths = [folder / f"{name}{suffix}" for suffix in SUFFIXES]
    for path in paths:
        nothing = {"Date": None} if path.suffix == ".svg" else {"Software": None}
        figure.savefig(path, dpi=200, metadata=nothing)
    pyplot().close(figure)
    return paths


def growth_figure(lines: Sequence[Record], folder: Path, value: str) -> list[Path]:
    """How time ("seconds") or effort ("conflicts") grows with the pegs, a panel for each family."""
    plt = pyplot()
    found = growth.curves(lines, value)
    families = list(dict.fromkeys(family for family, _ in found))
    across = min(ACROSS, len(families))
    down = -(-len(families) // across)
    figure, panels = plt.subplots(
        down,
        across,
        figsize=(1.9 * across + 0.4, 1.55 * down + 0.7),
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    names: dict[str, Any] = {}
    for panel, family in zip(panels.flat, families, strict=False):
        for answer, (label, color, mark) in LOOKS.items():
            points = found.get((family, answer), [])
            if points:
                names[label] = _curve(panel, points, value, f"#{paint(color).background}", mark)
        panel.set_title(family)
        panel.set_xscale("log")
        panel.set_yscale("log")
        panel.grid(visible=True, which="major")
        _plain_numbers(panel.xaxis, (1, 2, 5))
        if value == "seconds":
            _plain_numbers(panel.yaxis, (1,))
    for panel in panels.flat[len(families) :]:
        panel.set_axis_off()
    limits = sorted({float(line["limit"]) for line in lines})
    if value == "seconds":
        for panel in panels.flat[: len(families)]:
            for limit in limits:
                panel.axhline(limit, color="#777777", linewidth=0.6, linestyle=":")
    figure.supxlabel("pegs", fontsize=8)
    figure.supylabel(VALUES[value], fontsize=8)
    figure.legend(names.values(), names.keys(), loc="outside upper center", ncols=len(names))
    return save(figure, folder, "growth" if value == "seconds" else "growth-effort")


def _curve(panel: Any, points: list[growth.Point], value: str, color: str, mark: str) -> Any:
    """One line with its quartiles; medians that were cut off have an open mark."""
    floor = FLOOR[value]
    pegs = [point.pegs for point in points]
    low, middle, high = ([max(floor, point[part]) for point in points] for part in (1, 2, 3))
    panel.fill_between(pegs, low, high, color=color, alpha=0.2, linewidth=0)
    (line,) = panel.plot(pegs, middle, color=color, marker=mark)
    cut = [(x, y) for x, y, point in zip(pegs, middle, points, strict=True) if point.is_cut]
    if cut:
        panel.plot(
            *zip(*cut, strict=True),
            linestyle="",
            marker=mark,
            markerfacecolor="white",
            markeredgecolor=color,
        )
    return line


SHORT = 4
"""The ratio of the ends of an axis below which its ticks are in even steps."""


def _plain_numbers(axis: Any, digits: tuple[int, ...]) -> None:
    """Ticks such as 50 and 200 in place of powers of ten, with these digits in front.

    Where the axis is short there would be none, or too many; then a few round numbers.
    """
    from matplotlib.ticker import (  # noqa: PLC0415
        FuncFormatter,
        LogLocator,
        MaxNLocator,
        NullFormatter,
    )

    low, high = axis.get_view_interval()
    is_short = high < SHORT * low
    axis.set_major_locator(MaxNLocator(4) if is_short else LogLocator(subs=digits, numticks=6))
    axis.set_major_formatter(FuncFormatter(lambda number, _: f"{number:g}"))
    axis.set_minor_formatter(NullFormatter())


def transition_figure(lines: Iterable[Record], folder: Path) -> list[Path]:
    """The phase transition: the share of consistent boards above, the solver's effort below."""
    plt = pyplot()
    found = transition.curves(lines)
    figure, panels = plt.subplots(
        2,
        len(found),
        figsize=(3.4 * len(found), 4.4),
        sharex="col",
        squeeze=False,
        layout="constrained",
    )
    for column, (family, sizes) in enumerate(found.items()):
        above, below = panels[:, column]
        for number, (pegs, shares) in enumerate(sizes.items()):
            color = f"#{paint(SHADES[number % len(SHADES)]).background}"
            mark = MARKS[number % len(MARKS)]
            x = [share.rows_per_peg for share in shares]
            known = [share for share in shares if not math.isnan(share.consistent)]
            above.errorbar(
                [share.rows_per_peg for share in known],
                [share.consistent for share in known],
                [
                    [max(0.0, share.consistent - share.low) for share in known],
                    [max(0.0, share.high - share.consistent) for share in known],
                ],
                color=color,
                marker=mark,
                elinewidth=0.5,
                label=f"{pegs} pegs",
            )
            low, middle, high = (
                [max(FLOOR["conflicts"], share.effort[part]) for share in shares]
                for part in range(3)
            )
            below.fill_between(x, low, high, color=color, alpha=0.15, linewidth=0)
            below.plot(x, middle, color=color, marker=mark)
            for panel in (above, below):
                expected = transition.first_moment(family, pegs)
                panel.axvline(expected, color=color, linewidth=0.7, linestyle=":", zorder=0)
        above.set_title(WORDS.get(family, family), fontweight="bold")
        above.set_ylim(-0.03, 1.03)
        below.set_yscale("log")
        below.set_xlabel("random rows per peg")
        above.legend(loc="upper right")
        told = "dotted: one code expected"
        below.text(0.98, 0.03, told, transform=below.transAxes, ha="right", fontsize=7)
        for panel in (above, below):
            panel.grid(visible=True, which="major")
    panels[0][0].set_ylabel("share of consistent boards")
    panels[1][0].set_ylabel(VALUES["conflicts"])
    return save(figure, folder, "transition")
