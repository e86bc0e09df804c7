"""Cold start: what a person waits for at the shell, and what `import mmsat` costs."""

from __future__ import annotations

from benchmarks.timing import in_turn, process, report

CONSISTENT = "4x6/1122=1.1/3345=0.2"
SLIPPED = "4x6/1122=1.1/1122=0.2/3345=0.2"


def main() -> None:
    """Time whole processes in turn."""
    works = {
        "python, doing nothing": process("-c", "pass"),
        "import mmsat": process("-c", "import mmsat"),
        "mmsat check, consistent": process("-m", "mmsat", "check", CONSISTENT),
        "mmsat check, with conflict and correction": process("-m", "mmsat", "check", SLIPPED),
        "mmsat explain": process("-m", "mmsat", "explain", SLIPPED),
    }
    times = in_turn(list(works.values()), rounds=9)
    bare = times[0]
    report(
        "Cold start, median of 9 processes each, in turn",
        [
            (name, f"{1000 * time:6.0f} ms   {1000 * (time - bare):+5.0f} ms over bare Python")
            for name, time in zip(works, times, strict=True)
        ],
    )
