"""The measured comparison of deciders: a fixed suite, rivals, a table and a figure of one run.

    python -m benchmarks decide --limit 10 [--family NAME] [--rival NAME]

This file imports nothing, because every run of a rival imports it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(options: Sequence[str] = ()) -> int:
    """Run missing measurements, then write the table and the figure; see `--help`."""
    from benchmarks.decide.command import command

    return command(options)
