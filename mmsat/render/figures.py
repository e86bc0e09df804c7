"""Figures of matplotlib: fonts, and files that are the same each time.

matplotlib is loaded when a figure is drawn.
"""

from __future__ import annotations

import io
import os
from typing import Any

from mmsat._util.files import atomic_write
from mmsat.errors import MissingError


def matplotlib() -> Any:
    """Return the package matplotlib; raises MissingError, which names the extra, without it."""
    try:
        import matplotlib as mpl
    except ModuleNotFoundError:
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
