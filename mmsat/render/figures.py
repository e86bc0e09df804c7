"""matplotlib figures: settings for print, and reproducible files.

matplotlib is imported only when a figure is drawn.
"""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING, Any

from mmsat._util.files import atomic_write
from mmsat.errors import requiring_extra

if TYPE_CHECKING:
    from pathlib import Path


def matplotlib() -> Any:
    """Return the package matplotlib; raise MissingError if it is not installed."""
    with requiring_extra("matplotlib is not installed; write: pip install 'mmsat[plot]'"):
        import matplotlib as mpl
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
    """Write a figure with a title as SVG, PNG or PDF, and close it.

    Metadata that would differ between equal figures, such as the date, are omitted.
    """
    varying_key = {"svg": "Date", "png": "Software", "pdf": "CreationDate"}[str(path)[-3:]]
    write(figure, path, dpi, {"Title": title, varying_key: None})


def save_plot(figure: Any, folder: Path, name: str) -> list[Path]:
    """Write a figure as SVG and PNG, without date and version; return both paths."""
    paths = [folder / f"{name}{suffix}" for suffix in (".svg", ".png")]
    for path in paths:
        write(figure, path, 200, {"Date" if path.suffix == ".svg" else "Software": None})
    return paths


def write(
    figure: Any, path: str | os.PathLike[str], dpi: int, metadata: dict[str, str | None]
) -> None:
    """Write a figure atomically and close it; the suffix of the file determines the format."""
    data = io.BytesIO()
    figure.savefig(data, format=str(path)[-3:], dpi=dpi, metadata=metadata)
    pyplot().close(figure)
    atomic_write(path, [data.getvalue()])
