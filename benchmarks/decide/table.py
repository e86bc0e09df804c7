"""Summarize the measurements: solved boards, times, memory, and a comparison with auto."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.decide.measure import MOST_MIB
from benchmarks.decide.rivals import AUTO, RIVALS
from benchmarks.decide.suite import RANDOM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from benchmarks.table import Record

FACTOR, SLACK = 2.0, 0.3
"""`auto` may take FACTOR times as long as a rival, plus SLACK seconds."""
PENALTY = 2
"""PAR-2: an undecided board counts as twice the limit."""


class Lost(NamedTuple):
    """An instance on which auto was too late for a rival, or never came to an end."""

    instance: str
    rival: str
    seconds: float
    """The rival's."""
    own: float | None
    """Auto's, None if it did not decide."""


def is_decided(line: Record) -> bool:
    """Whether there was an answer in time."""
    return line["decided"] == "1"


def lost(lines: Iterable[Record]) -> list[Lost]:
    """All instances that auto lost, each to the quickest rival; the worst first."""
    own, best = races(lines)
    results = []
    for name, line in own.items():
        rival = best.get(name)
        if rival is None:
            continue
        seconds = float(line["seconds"]) if is_decided(line) else None
        theirs = float(rival["seconds"])
        if seconds is None or seconds > FACTOR * theirs + SLACK:
            results.append(Lost(name, rival["rival"], theirs, seconds))
    return sorted(
        results, key=lambda item: (item.own is not None, item.seconds - (item.own or 0.0))
    )


def races(lines: Iterable[Record]) -> tuple[dict[str, Record], dict[str, Record]]:
    """By instance the line of auto, and that of the quickest rival that decided, if any did."""
    own: dict[str, Record] = {}
    best: dict[str, Record] = {}
    for line in lines:
        name = line["instance"]
        if line["rival"] == AUTO:
            own[name] = line
        elif is_decided(line) and (
            name not in best or float(line["seconds"]) < float(best[name]["seconds"])
        ):
            best[name] = line
    return own, best


def present(lines: Iterable[Record]) -> list[str]:
    """The rivals that took part, in their order."""
    seen = {line["rival"] for line in lines}
    return [name for name in RIVALS if name in seen]


def penalized(line: Record, limit: float) -> float:
    """The seconds of a run, or the penalty."""
    return float(line["seconds"]) if is_decided(line) else PENALTY * limit


def page(lines: Sequence[Record], limit: float) -> str:
    """The whole summary in Markdown."""
    count = len({line["instance"] for line in lines})
    lead = (
        "Every run is a separate process. Its time includes the start of Python, loading the "
        "board and, for outside programs, writing it in their language. Rivals have one thread; "
        f"auto may use two cores. A run is stopped at {MOST_MIB} MiB. A rival that failed at two "
        "neighboring sizes of a series was not run on the larger ones, which count as not solved. "
        f"PAR-{PENALTY} is the mean time if an unsolved board counts as {PENALTY * limit:g} s."
    )
    parts = [
        f"# Deciders compared: {count} boards, {limit:g} s for each run",
        lead,
        "## Solved",
        _solved(lines, limit),
        "## Solved by family",
        "For rivals with several encodings, each cell has the best encoding for the family.",
        _families(lines),
        "## auto against the quickest rival on each board",
        _duel(lines),
    ]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _solved(lines: Sequence[Record], limit: float) -> str:
    """A line for each rival."""
    columns: dict[str, Callable[[Record], bool]] = {
        **{name: partial(_is_of, name) for name in RANDOM},
        "reductions": lambda line: line["family"] not in RANDOM,
        "all": lambda _: True,
    }
    boards = {
        name: len({line["instance"] for line in lines if belongs(line)})
        for name, belongs in columns.items()
    }
    columns = {name: belongs for name, belongs in columns.items() if boards[name]}
    head = [
        "rival",
        *(f"{name} ({boards[name]})" for name in columns),
        f"PAR-{PENALTY} (s)",
        "most memory (MiB)",
        "time / memory / failed / not run",
    ]
    body = []
    for rival in present(lines):
        mine = [line for line in lines if line["rival"] == rival]
        solved = [
            str(sum(is_decided(line) for line in mine if belongs(line)))
            for belongs in columns.values()
        ]
        par = sum(penalized(line, limit) for line in mine) / len(mine)
        memory = max((float(line["mib"] or 0) for line in mine), default=0.0)
        why = " / ".join(
            str(sum(line["outcome"] == outcome for line in mine))
            for outcome in ("time", "memory", "failed", "not asked")
        )
        body.append([rival, *solved, f"{par:.2f}", f"{memory:.0f}", why])
    key = head.index(f"all ({boards['all']})")
    body.sort(key=lambda cells: -int(cells[key]))
    return table(head, body)


def _is_of(family: str, line: Record) -> bool:
    return line["family"] == family


def _families(lines: Sequence[Record]) -> str:
    """A line for each family, a column for each group of rivals."""
    counts: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    boards: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        boards[line["family"]].add(line["instance"])
        counts[line["family"]][line["rival"]] += is_decided(line)
    groups: dict[str, list[str]] = defaultdict(list)
    for rival in present(lines):
        groups[RIVALS[rival].group].append(rival)
    body = [
        [
            family,
            str(len(boards[family])),
            *(str(max(counts[family][rival] for rival in group)) for group in groups.values()),
        ]
        for family in boards
    ]
    return table(["family", "boards", *groups], body)


def _duel(lines: Sequence[Record]) -> str:
    """Return auto's worst ratio, its memory and the boards it lost."""
    own, best = races(lines)
    if not own:
        return "auto did not take part.\n"
    both = [
        (float(line["seconds"]) / float(best[name]["seconds"]), name)
        for name, line in own.items()
        if name in best and is_decided(line)
    ]
    memory, where = max((float(line["mib"]), name) for name, line in own.items())
    alone = [name for name, line in own.items() if is_decided(line) and name not in best]
    texts = [f"Boards that auto alone solved: {len(alone)}. "]
    if both:
        ratio, name = max(both)
        texts.append(
            f"The worst ratio of auto to the quickest rival is {ratio:.2f}, on {name}: "
            f"{own[name]['seconds']} s, {best[name]['rival']} {best[name]['seconds']} s. "
        )
    texts.append(f"The maximum memory of auto is {memory:.0f} MiB, on {where}.\n")
    result = lost(lines)
    if not result:
        end = f"Auto is never later than {FACTOR:g} times the quickest rival plus {SLACK:g} s."
        return "".join(texts) + f"\n{end}\n"
    body = [
        [
            entry.instance,
            entry.rival,
            f"{entry.seconds:.3f}",
            f"{FACTOR * entry.seconds + SLACK:.3f}",
            f"{entry.own:.3f}" if entry.own is not None else own[entry.instance]["outcome"],
        ]
        for entry in result
    ]
    head = ["board", "quickest rival", "its time (s)", "auto may take (s)", "auto (s)"]
    lead = f"Later than {FACTOR:g} times the quickest rival plus {SLACK:g} s: {len(result)}."
    return "".join(texts) + f"\n{lead}\n\n" + table(head, body)


def table(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table with aligned columns; numbers are right-aligned."""
    widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]

    def line(cells: Sequence[str]) -> str:
        padded = [
            cell.ljust(width) if number == 0 else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return f"| {' | '.join(padded)} |\n"

    rule = "|".join(
        "-" * (width + 1) + ("-" if number == 0 else ":") for number, width in enumerate(widths)
    )
    return line(head) + f"|{rule}|\n" + "".join(map(line, body))
