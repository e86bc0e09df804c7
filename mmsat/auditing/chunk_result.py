"""The result of judging records: lines of JSON for the two files of an audit, and a summary."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from mmsat.auditing.summary import Summary


class ChunkResult(NamedTuple):
    """The result of judging consecutive records."""

    records: int
    judged: bytes
    """One line of JSON per judged game."""
    rejected: bytes
    """One line of JSON per record that could not be read."""
    summary: Summary

    @classmethod
    def of(cls, records: Sequence[dict[str, Any]]) -> ChunkResult:
        """Convert records given as dictionaries; unreadable ones have the key `fault`."""
        judged = [record for record in records if "fault" not in record]
        rejected = (
            [record for record in records if "fault" in record]
            if len(judged) < len(records)
            else []
        )
        summary = Summary()
        summary.add(records)
        return cls(len(records), as_lines(judged), as_lines(rejected), summary)


def as_lines(records: Sequence[dict[str, Any]]) -> bytes:
    """Return the records as JSON Lines.

    All are converted at once, which is faster, unless a string contains the separator.
    """
    text = json.dumps(records)[1:-1].replace("}, {", "}\n{")
    if text.count("\n") != max(0, len(records) - 1):
        text = "\n".join(map(json.dumps, records))
    return f"{text}\n".encode() if records else b""
