"""Matplotlib for print: no screen, and the same figures give the same bytes."""

import io
import os
from typing import Any

from mmsat.files import atomic_write


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
    write(figure, path, dpi, {"Title": title, unsaid: None})


def write(
    figure: Any, path: str | os.PathLike[str], dpi: int, metadata: dict[str, str | None]
) -> None:
    """Write a figure whole or not at all, and close it; the ending of the file is its format."""
    data = io.BytesIO()
    figure.savefig(data, format=str(path)[-3:], dpi=dpi, metadata=metadata)
    pyplot().close(figure)
    atomic_write(path, [data.getvalue()])
