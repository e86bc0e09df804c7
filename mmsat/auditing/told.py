"""The result of judging records: lines of JSON for the two files of an audit, and a summary."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from mmsat.auditing.summary import Summary


class Told(NamedTuple):
    """The result of judging consecutive records."""

    records: int
    good: bytes
    """One line of JSON per judged game."""
    bad: bytes
    """One line of JSON per record that could not be read."""
    summary: Summary

    @classmethod
    def of(cls, told: Sequence[dict[str, Any]]) -> Told:
        """Convert records given as dictionaries; unreadable ones have the key `fault`."""
        good = [record for record in told if "fault" not in record]
        bad = [record for record in told if "fault" in record] if len(good) < len(told) else []
        summary = Summary()
        summary.add(told)
        return cls(len(told), as_lines(good), as_lines(bad), summary)


def as_lines(told: Sequence[dict[str, Any]]) -> bytes:
    """Return the records as JSON Lines.

    All are converted at once, which is faster, unless a string contains the separator.
    """
    text = json.dumps(told)[1:-1].replace("}, {", "}\n{")
    if text.count("\n") != max(0, len(told) - 1):
        text = "\n".join(map(json.dumps, told))
    return f"{text}\n".encode() if told else b""
