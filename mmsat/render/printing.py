"""Matplotlib for print: no screen, and the same figures give the same bytes."""

import os
from typing import Any


def pyplot() -> Any:
    """Matplotlib without a screen, set up for print."""
    import matplotlib as mpl  # noqa: PLC0415  (slow to load)

    mpl.use("Agg")
    from matplotlib import pyplot as plt  # noqa: PLC0415

    plt.rcParams.update(
        {
            "svg.hashsalt": "mmsat",  # the same names of parts each time
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
    """Write a figure under a title, without date and version, and close it."""
    unsaid = {"svg": "Date", "png": "Software", "pdf": "CreationDate"}[str(path)[-3:]]
    figure.savefig(path, dpi=dpi, metadata={"Title": title, unsaid: None})
    pyplot().close(figure)
