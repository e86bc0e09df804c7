"""The effort by the estimated number of codes: a table and sentences of the paper, in HTML."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

from mmsat._util.text import join_words
from mmsat.render.paper_figures import (
    ENSEMBLE_NAMES,
    MINUS,
    SOLVER_NAMES,
    number,
    p_value,
    table,
    three_digits,
)
from mmsat.studies.efforts import COUNT_BOUNDS, STRATUM_WIDTH
from mmsat.studies.statistics import SIGNIFICANCE_LEVEL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mmsat.studies.efforts import CountProfile, Selection
    from mmsat.studies.findings import Findings


def count_table(findings: Findings) -> str:
    """Return the table of the median effort by ln N."""
    if not findings.profiles:
        return ""

    def row(profile: CountProfile) -> Sequence[object]:
        z, p = profile.equal_count
        return (
            f"{SOLVER_NAMES[profile.kind.solver]}, {ENSEMBLE_NAMES[profile.kind.family]}",
            profile.size,
            *(
                number(value) if math.isnan(value) else three_digits(value)
                for value in profile.medians
            ),
            f"{number(profile.count_correlation)} / {number(profile.rows_correlation)}",
            number(z, 1),
            p_value(p),
        )

    caption = (
        "<b>Table 6.</b> The median steps on random boards of all measured rows by ln N; the rank "
        f"correlation of the steps with {MINUS}|ln N|, and with the negative distance of the rows "
        "from the predicted half point; and the test of van Elteren that boards with and without "
        "a code at the rows of Table 5 need equally many steps at equal ln N (groups of the width "
        f"{STRATUM_WIDTH:g}): z, which is negative if those without a code need more, and the "
        "p-value, adjusted for all rows of the table."
    )
    bounds = [
        f"&lt; {number(high, 0)}"
        if low == -math.inf
        else f"&ge; {number(low, 0)}"
        if high == math.inf
        else f"{number(low, 0)} to {number(high, 0)}"
        for low, high in pairwise(COUNT_BOUNDS)
    ]
    head = ("ln N", "pegs", *bounds, "correlation", "z", "adjusted p")
    rows = {"": [row(profile) for profile in findings.profiles]}
    return f'<div class="wide">{table(caption, head, rows)}</div>'


def _largest(findings: Findings) -> list[CountProfile]:
    """Return the profile of the largest size of each solver and ensemble."""
    return [*{profile.kind: profile for profile in findings.profiles}.values()]


def solver_and_ensemble(kind: Selection) -> str:
    """Return the names of the solver and of the ensemble of a selection."""
    return f"{SOLVER_NAMES[kind.solver]} in {ENSEMBLE_NAMES[kind.family]}"


def describe_counts(findings: Findings) -> Iterator[str]:
    """Say that N orders the effort, and compare boards of both verdicts at equal ln N."""
    profiles = _largest(findings)
    if not profiles:
        return
    first = profiles[0]
    yield (
        "The rank correlation of the effort "
        f"with {MINUS}|ln N| is {number(first.count_correlation)}, and that with the negative "
        f"distance from the half point is {number(first.rows_correlation)}, for "
        f"{SOLVER_NAMES[first.kind.solver]} at {first.size} pegs of "
        f"{ENSEMBLE_NAMES[first.kind.family]} (Table 6)."
    )
    middle = [index for index, low in enumerate(COUNT_BOUNDS[:-1]) if -2 <= low < 2]
    num_middle = sum(
        max(range(len(profile.medians)), key=lambda i: max(profile.medians[i], -1.0)) in middle
        for profile in profiles
    )
    yield (
        "On boards with about one expected code, with ln N from &minus;2 to 2, the median effort "
        f"is the largest in {num_middle} of {len(profiles)} solvers and ensembles."
    )
    yield (
        "Near the half point, most boards without a code have a much smaller N than those with one "
        f"(there, the median ln N is {number(first.log_counts[1], 1)} against "
        f"{number(first.log_counts[0], 1)})."
    )
    verdicts = {
        sign: [
            solver_and_ensemble(profile.kind)
            for profile in profiles
            if sign * profile.equal_count[0] > 0 and profile.equal_count[1] < SIGNIFICANCE_LEVEL
        ]
        for sign in (-1, 1)
    }
    parts = [
        f"boards {'without' if sign < 0 else 'with'} a code are the harder ones for "
        f"{join_words(names)}"
        for sign, names in verdicts.items()
        if names
    ]
    is_all = sum(map(len, verdicts.values())) == len(profiles)
    rest = "; otherwise the difference is not significant" * (not is_all)
    found = " and ".join(parts) or "no kind of board is significantly harder"
    yield f"At equal ln N at the largest sizes, {found}{rest if parts else ''}."


def describe_rows(findings: Findings) -> Iterator[str]:
    """Say that boards with a code become harder beyond the half point, too."""
    profiles = {(profile.kind, profile.size): profile for profile in findings.profiles}
    for peak in findings.peaks:
        profile = profiles.get((peak.kind, peak.size))
        if profile is None or peak.kind.solver != "lattice":
            continue
        half = round(peak.half)
        shown = {
            rows: value
            for rows, value in profile.with_code.items()
            if half - 1 <= rows <= half + 2 and not math.isnan(value)
        }
        values = list(shown.values())
        if len(values) > 1 and values == sorted(values):
            yield (
                "Boards with a code become harder beyond the half point, too: the median steps of "
                f"{solver_and_ensemble(peak.kind)} at {peak.size} pegs and "
                f"{join_words(map(str, shown))} rows are {join_words(map(three_digits, values))}. "
                "The peak by rows is where most boards have lost their codes and have a small N."
            )
            return
