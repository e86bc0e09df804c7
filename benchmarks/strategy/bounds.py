"""Strategies with proven bounds: guesses compared with information and theorems.

    python -m benchmarks strategy bounds

Random codes and black pegs; the same seeds give the same games. Writes a table of every point, the
median and maximum of its games, and the figure, to results/bounds/.
"""

from __future__ import annotations

from math import ceil, log2
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks.table import Table
from mmsat.render import paint, pyplot, save_svg_and_png
from mmsat.render.paper_figures import MARKERS
from mmsat.strategy.analyze import analyze

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.table import Record

SEEDS = range(1, 11)
PEGS = (*(round(2 ** (step / 2)) for step in range(6, 20)), 1000)
"""8 to 724 and 1000: powers of two, and one between."""
FOLDER = Path(__file__).parents[1] / "results" / "bounds"
PANELS: tuple[tuple[str, int | None, tuple[str, ...]], ...] = (
    ("as many colors as pegs", None, ("halving", "parallel-halving")),
    ("six colors", 6, ("halving", "parallel-halving", "weighing")),
    ("two colors", 2, ("halving", "weighing")),
)
"""Titles, colors, and who plays."""
COLUMNS = ("pegs", "colors", "strategy", "games", "median", "most", "bits", "theorem")


def bits(pegs: int, colors: int) -> int:
    """No strategy takes fewer guesses for all codes: each score is one of 0 to n black pegs."""
    return next(
        guesses for guesses in range(pegs * colors) if (pegs + 1) ** guesses >= colors**pegs
    )


def goodrich(pegs: int, colors: int) -> int:
    """His bound for black pegs (2009)."""
    return pegs * ceil(log2(colors)) + ceil((2 - 1 / colors) * pegs) + colors


def chvatal(pegs: int, colors: int) -> float:
    """Return Chvatal's bound for few colors (1983), without a factor that tends to 1."""
    return 2 * pegs * (1 + 2 * log2(colors)) / log2(pegs / colors)


def main() -> None:
    """Play the games that are missing in the table, and draw all."""
    FOLDER.mkdir(exist_ok=True)
    table = Table(FOLDER / "guesses.csv", COLUMNS, 3)
    for _, colors, strategies in PANELS:
        for pegs in PEGS:
            for strategy in strategies:
                key = pegs, colors or pegs, strategy
                line = table.find(*key) or table.add(play(*key))
                print(*line.values(), sep="\t", flush=True)
    draw([*table])


def play(pegs: int, colors: int, strategy: str) -> dict[str, object]:
    """A point: a random code for each seed of the strategy."""
    game = f"{pegs}x{colors}b"
    games = [analyze(game, strategy, seed=seed, sample=1).max for seed in SEEDS]
    theorem = chvatal if strategy == "weighing" and pegs > 4 * colors else goodrich
    return {
        "pegs": pegs,
        "colors": colors,
        "strategy": strategy,
        "games": len(games),
        "median": f"{median(games):g}",
        "most": max(games),
        "bits": bits(pegs, colors),
        "theorem": ceil(theorem(pegs, colors)),
    }


def draw(lines: Sequence[Record]) -> None:
    """Guesses for each peg: medians with a band up to the most, the theorems, and the bits."""
    plt = pyplot()
    figure, panels = plt.subplots(1, len(PANELS), figsize=(7.2, 3.0), layout="constrained")
    names: dict[str, Any] = {}
    for panel, (title, colors, strategies) in zip(panels, PANELS, strict=True):
        for strategy, mark, shade in zip(PANELS[1][2], MARKERS, (1, 5, 6), strict=False):
            if strategy not in strategies:
                continue
            mine = [
                line
                for line in lines
                if line["strategy"] == strategy and line["colors"] == str(colors or line["pegs"])
            ]
            pegs = [int(line["pegs"]) for line in mine]
            color = f"#{paint(shade).background}"
            middle, maximum = (
                [float(line[part]) / int(line["pegs"]) for line in mine]
                for part in ("median", "most")
            )
            panel.fill_between(pegs, middle, maximum, color=color, alpha=0.25, linewidth=0)
            (names[strategy],) = panel.plot(pegs, middle, color=color, marker=mark)
        bound = [bits(peg, colors or peg) / peg for peg in PEGS]
        (names["information"],) = panel.plot(PEGS, bound, color="black")
        theorem = [goodrich(peg, colors or peg) / peg for peg in PEGS]
        (names["Goodrich's bound"],) = panel.plot(PEGS, theorem, color="black", linestyle=":")
        if colors:
            few = [peg for peg in PEGS if peg > 4 * colors]
            theorem = [chvatal(entry, colors) / entry for entry in few]
            (names["Chvatal's bound"],) = panel.plot(few, theorem, color="black", linestyle="--")
        panel.set_title(title)
        panel.set_xscale("log", base=2)
        panel.set_xticks([8, 32, 128, 512], ["8", "32", "128", "512"])
        panel.set_ylim(bottom=0)
        panel.grid(visible=True, which="major")
    figure.supxlabel("pegs", fontsize=8)
    figure.supylabel("guesses for each peg", fontsize=8)
    figure.legend(names.values(), names.keys(), loc="outside upper center", ncols=3)
    save_svg_and_png(figure, FOLDER, "bounds")
