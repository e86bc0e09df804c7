"""What an audit tells of some games: lines of JSON for its two files, and their sum."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from mmsat.auditing.summary import Summary


class Told(NamedTuple):
    """What is told of some records, in order."""

    records: int
    good: bytes
    """A line for each that was judged ..."""
    bad: bytes
    """... and for each that could not be read."""
    summary: Summary

    @classmethod
    def of(cls, told: Sequence[dict[str, Any]]) -> Told:
        """Records that are told as dictionaries; what could not be read has the key `fault`."""
        good = [each for each in told if "fault" not in each]
        bad = [each for each in told if "fault" in each] if len(good) < len(told) else []
        summary = Summary()
        summary.add(told)
        return cls(len(told), as_lines(good), as_lines(bad), summary)


def as_lines(told: Sequence[dict[str, Any]]) -> bytes:
    """A JSON object a line; made all at once, which is quicker, where no text looks like an end."""
    text = json.dumps(told)[1:-1].replace("}, {", "}\n{")
    if text.count("\n") != max(0, len(told) - 1):
        text = "\n".join(map(json.dumps, told))
    return f"{text}\n".encode() if told else b""
