"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def write_file(path: Path, pieces: Iterable[str]) -> int:
    """Write a file whole or not at all, and return its size in bytes.

    It is written under another name beside its place, and renamed once it is complete.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:100]}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(pieces)
            size = file.tell()
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(path)
    except BaseException:
        with suppress(FileNotFoundError):
            Path(name).unlink()
        raise
    return size


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
