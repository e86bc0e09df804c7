"""The figure: how many boards each rival has solved, over the time that it had for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from benchmarks.decide.rivals import AUTO, RIVALS
from benchmarks.decide.table import is_decided, present
from mmsat.render import NAMED_BACKGROUNDS, pyplot, save_svg_and_png

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.table import Record

NAME = "cactus"
INK = "#000000"
PAINTS = {
    "CaDiCaL": NAMED_BACKGROUNDS[5],
    "kissat": NAMED_BACKGROUNDS[1],
    "Glucose": NAMED_BACKGROUNDS[4],
    "MiniCard": NAMED_BACKGROUNDS[6],
    "CP-SAT": NAMED_BACKGROUNDS[0],
    "Exact": NAMED_BACKGROUNDS[2],
    "z3": NAMED_BACKGROUNDS[7],
    "clingo": NAMED_BACKGROUNDS[3],
    "Gecode": "8b5a2b",  # the yellow of the palette is too pale for lines
}
"""For each group its color; auto is black."""
DASHES = {
    "Glucose": (0, (5, 1)),
    "MiniCard": (0, (3, 1, 1, 1)),
    "Exact": (0, (2, 1, 1, 1, 1, 1)),
    "z3": (0, (4, 1.5)),
    "clingo": (0, (6, 1, 1, 1)),
    "Gecode": (0, (1, 1)),
}
"""Lines that differ without color too; the others are solid."""


class Curve(NamedTuple):
    """One rival's times, ascending."""

    rival: str
    times: list[float]
    is_best: bool
    """Whether it solved most of its group, and is named."""


def curves(lines: Sequence[Record]) -> list[Curve]:
    """Return one curve per rival, sorted by the number of solved boards.

    The first curve of each group is its best. Ties are broken by time.
    """
    times: dict[str, list[float]] = {name: [] for name in present(lines)}
    for line in lines:
        if is_decided(line):
            times[line["rival"]].append(float(line["seconds"]))
    order = sorted(times, key=lambda name: (-len(times[name]), sum(times[name])))
    seen: dict[str, str] = {}
    for name in order:
        seen.setdefault(RIVALS[name].group, name)
    return [Curve(name, sorted(times[name]), name in seen.values()) for name in order]


def cactus(lines: Sequence[Record], limit: float, folder: Path) -> list[Path]:
    """Draw it, as SVG and PNG: the best encoding of a solver is named, its others are pale."""
    result = curves(lines)
    boards = len({line["instance"] for line in lines})
    plt = pyplot()
    figure, panel = plt.subplots(figsize=(6.8, 3.9), layout="constrained")
    first = min((item.times[0] for item in result if item.times), default=limit / 10)
    start = min(first, limit) * 0.8
    for entry in reversed(result):
        steps = [start, *entry.times, limit]
        heights = [*range(len(entry.times) + 1), len(entry.times)]
        panel.step(steps, heights, where="post", **_look(entry, result))
    panel.set_xscale("log")
    panel.set_xlim(start, limit)
    panel.set_ylim(0, 1.03 * boards)
    panel.set_xlabel("time for each board (s)")
    panel.set_ylabel(f"boards solved, of {boards}")
    panel.grid(visible=True, which="major")
    _plain_seconds(panel.xaxis)
    handles, labels = panel.get_legend_handles_labels()
    handles, labels = handles[::-1], labels[::-1]  # the most solved on top, as the lines end
    figure.legend(handles, labels, loc="outside right upper", handlelength=2.6)
    return save_svg_and_png(figure, folder, NAME)


def _look(curve: Curve, curves: Sequence[Curve]) -> dict[str, object]:
    """Return the style of a curve and, if it is highlighted, its label."""
    rival = RIVALS[curve.rival]
    if rival.name == AUTO:
        label = f"auto of mmsat: {len(curve.times)}"
        return {"color": INK, "linewidth": 2.6, "zorder": 5, "label": label}
    color = f"#{PAINTS[rival.group]}"
    if not curve.is_best:
        return {"color": color, "linewidth": 0.6, "alpha": 0.55, "zorder": 2}
    others = sum(RIVALS[other.rival].group == rival.group for other in curves) - 1
    name = f"{rival.group}, {rival.encoding}" if rival.encoding else rival.group
    label = f"{name}: {len(curve.times)}"
    if others:
        label += f"\n(thin: its {others} other encodings)"
    return {
        "color": color,
        "linewidth": 1.4,
        "linestyle": DASHES.get(rival.group, "-"),
        "zorder": 3,
        "label": label,
    }


def _plain_seconds(axis: object) -> None:
    """Ticks such as 0.2 and 10 in place of powers of ten."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axis.set_major_locator(LogLocator(subs=(1, 2, 5), numticks=12))  # type: ignore[attr-defined]
    axis.set_major_formatter(FuncFormatter(lambda number, _: f"{number:g}"))  # type: ignore[attr-defined]
    axis.set_minor_formatter(NullFormatter())  # type: ignore[attr-defined]
