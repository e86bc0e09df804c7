"""The study of hardness as a paper: an HTML page in two columns. The template is paper.html.

All numbers, tables and figures are computed from the record of the study. `mmsat.studies` defines
the terms of the study, such as ensemble, degenerate and half point.
"""

from __future__ import annotations

import math
from html import escape
from itertools import pairwise
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from mmsat._util.text import duration, join_words, quantity
from mmsat.render.paper_figures import (
    ENSEMBLE_NAMES,
    MINUS,
    SOLVER_NAMES,
    calibration_table,
    effort_figure,
    effort_table,
    family_table,
    law_table,
    number,
    p_value,
    peak_figure,
    planted_table,
    reach_figure,
    stratum_table,
    table,
    three_digits,
    threshold_table,
    transition_figure,
)
from mmsat.render.paper_results import (
    describe_effort,
    describe_families,
    describe_planted,
    describe_thresholds,
    write_abstract,
)
from mmsat.studies.findings import find_agreement, find_cross_check
from mmsat.studies.statistics import RESAMPLES, SIGNIFICANCE_LEVEL
from mmsat.studies.transition import COUNT_BOUNDS, MIN_ROW_COUNTS, STRATUM_BOUNDS, STRATUM_WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mmsat.studies import Record
    from mmsat.studies.findings import Findings
    from mmsat.studies.transition import CountProfile

TEMPLATE = Path(__file__).with_suffix(".html")
FIGURES = ("transition", "planted", "peak", "effort", "reach")
"""The names of the figures."""
MIN_BOARDS = 300
"""A study counts as complete, like the published one, only if a point has at least this many boards
that are not degenerate."""
SMALL_STUDY = (
    "<p><b>This is the report of a smaller study.</b> Its numbers are in the abstract, the tables "
    "and the figures; parts that it did not measure are empty. All other statements about sizes "
    "and solvers describe the study of the mmsat project.</p>\n"
)
"""The note of a report whose text describes more than was measured."""
TITLE = "Where Mastermind boards are hard: a predicted threshold, and the effort around it"


def draw_figures(findings: Findings) -> dict[str, str]:
    """Return the figures as SVG, by name; figures of parts that were not measured are omitted."""
    by_question = {  # is there a code ("any"), or another one than the planted one ("other")?
        question: [
            transition for transition in findings.transitions if transition.question == question
        ]
        for question in ("any", "other")
    }
    figures = {
        "transition": by_question["any"] and transition_figure(by_question["any"]),
        "planted": by_question["other"] and transition_figure(by_question["other"]),
        "peak": findings.peaks and peak_figure(findings.peaks),
        "effort": findings.growths and effort_figure(findings.growths),
        "reach": findings.reaches and reach_figure(findings.reaches),
    }
    return {name: str(text) for name, text in figures.items() if text}


def write_paper(record: Record, findings: Findings, figures: dict[str, str], command: str) -> str:
    """Return the paper as an HTML page that prints on A4."""
    limits = sorted(findings.limits)
    sentences = {
        "abstract": write_abstract(record, findings),
        "agreement": _agreement(record),
        "threshold": describe_thresholds(findings),
        "effort": describe_effort(findings),
        "planted": describe_planted(findings),
        "families": describe_families(findings),
    }
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=TITLE,
        scope="" if _is_whole(findings, figures) else SMALL_STUDY,
        points=_points(findings),
        resamples=RESAMPLES,
        level=f"{100 * SIGNIFICANCE_LEVEL:.0f}",
        command=escape(command),
        degenerate=_degenerate(findings),
        threshold_table=threshold_table(findings),
        calibration_table=calibration_table(findings),
        stratum_table=stratum_table(findings),
        law_table=law_table(findings),
        effort_table=effort_table(findings),
        count_table=count_table(findings),
        unlikely=_unlikely(findings),
        planted_rows=_planted_rows(findings),
        planted_table=planted_table(findings),
        family_table=family_table(findings),
        limit=f"{join_words(map(duration, limits), 'or')} of" if limits else "limited",
        **{name: " ".join(section) for name, section in sentences.items()},
        **{f"{name}_figure": figures.get(name, "") for name in FIGURES},
        threats=_threats(record, findings),
        environment=_environment(record),
    )


def _is_whole(findings: Findings, figures: dict[str, str]) -> bool:
    """Return whether every part was measured, and some point has at least MIN_BOARDS boards."""
    counts = [
        total
        for transition in findings.transitions
        for size in transition.halves
        for _, _, total in transition.shares(size)
    ]
    return bool(counts) and max(counts) >= MIN_BOARDS and set(FIGURES) <= figures.keys()


def count_table(findings: Findings) -> str:
    """Return the table of the median effort by ln N."""
    if not findings.profiles:
        return ""

    def row(profile: CountProfile) -> Sequence[object]:
        z, p = profile.equal_count
        return (
            f"{SOLVER_NAMES[profile.selection.solver]}, {ENSEMBLE_NAMES[profile.selection.family]}",
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


def _points(findings: Findings) -> str:
    """Return the numbers of boards and of row counts, and the sizes without a half point."""
    counts = [
        total
        for transition in findings.transitions
        for size in transition.halves
        for _, _, total in transition.shares(size)
    ]
    if not counts:
        return ""
    text = f"A point has {min(counts):,} to {max(counts):,} boards that are not degenerate."
    excluded = [
        f"{join_words(transition.excluded)} pegs of {ENSEMBLE_NAMES[transition.family]}"
        for transition in findings.transitions
        if transition.excluded
    ]
    if excluded:
        text += (
            f" Sizes with fewer than {MIN_ROW_COUNTS} numbers of rows are in Table 2, but have no "
            f"half point: {'; '.join(excluded)}."
        )
    return text


def _unlikely(findings: Findings) -> str:
    """Return the end of the sentence that compares the groups of the chi-square test.

    The test of Hosmer and Lemeshow has groups of equal size. This text explains why the groups of
    the study have unequal sizes. It is empty if the boards give no reason.
    """
    statements = [
        f"{quantity(transition.num_unlikely, 'board')} of {ENSEMBLE_NAMES[transition.family]}"
        for transition in findings.transitions
        if transition.question == "any" and transition.num_unlikely
    ]
    if not statements:
        return ""
    return (
        f"; here, such groups would be dominated by {join_words(statements)} without a code and "
        f"with ln N above {STRATUM_BOUNDS[-1]} (section 6)"
    )


def _degenerate(findings: Findings) -> str:
    """Return sentences with the numbers of degenerate boards and their definition."""
    statements = []
    for transition in findings.transitions:
        if transition.question == "any":
            # the number of degenerate boards and of all boards, by size
            counts = {size: pair for size, pair in transition.degenerate.items() if pair[1]}
            first, last = min(counts), max(counts)
            (num_first, all_first), (num_last, all_last) = counts[first], counts[last]
            statements.append(
                f"Of the random boards of {ENSEMBLE_NAMES[transition.family]}, {num_first:,} of "
                f"{all_first:,} are degenerate at {first} pegs, and {num_last:,} of {all_last:,} "
                f"at {last}."
            )
    return (
        "With more colors, only black is examined: both guesses agree at e pegs, and at each other "
        f"peg at most one of them is black. {' '.join(statements)}"
    )


def _agreement(record: Record) -> Iterator[str]:
    """Yield sentences on how many solvers decided the boards, and on the cross-check."""
    for part in ("transition", "growth"):
        agreement = find_agreement(record, part)
        if agreement.boards:
            exceptions = ""
            if agreement.by_one_other:
                exceptions += (
                    f" {agreement.by_one_other:,} were decided by CP-SAT or CaDiCaL alone."
                )
            if agreement.guaranteed:
                counts = agreement.guaranteed  # by verdict: c for consistent, i for inconsistent
                exceptions += (
                    f" No solver decided {counts.total():,}; their verdict is that which the "
                    f"generator guarantees ({counts['c']:,} with a code, {counts['i']:,} without)."
                )
            yield (
                f"Of {agreement.boards:,} boards of the {part}, {agreement.by_several:,} were "
                "decided by two solvers or more, which agreed on all of them; "
                f"{agreement.by_own_solver:,} were decided only by solvers of this project; "
                f"{agreement.undecided:,} were not decided.{exceptions}"
            )
    check = find_cross_check(record)
    if check.num_boards:
        low, high = check.num_of_points
        yield (
            "Beyond the sizes of CP-SAT in the transition, it was run on "
            f"{low if low == high else f'{low} to {high}'} boards of each point in a separate run "
            f"(the cross-check), {check.num_boards:,} boards in all. It decided "
            f"{check.num_decided:,} of them within its budget, each with the verdict of the "
            "lattice."
        )
        if check.undecided:
            places = [
                f"{count} at {size} pegs of {ENSEMBLE_NAMES[family]}"
                for (family, size), count in sorted(check.undecided.items())
            ]
            yield f"It did not decide {join_words(places)}."


def _planted_rows(findings: Findings) -> str:
    """Return sentences on the sizes at which the row counts of planted and random boards differ."""
    rows = {
        (growth.selection, size): n
        for growth in findings.growths
        for size, n in growth.rows.items()
    }
    statements = [
        f"At {size} pegs of {ENSEMBLE_NAMES[selection.family]}, the effort is that at "
        f"{planted_rows} rows for planted boards, and at {random_rows} for random ones."
        for (selection, size), planted_rows in rows.items()
        if selection.answer == "consistent"
        and (random_rows := rows.get((selection._replace(answer="any"), size)))
        and random_rows != planted_rows
    ]
    return " ".join(dict.fromkeys(statements))


def _threats(record: Record, findings: Findings) -> str:
    """Return the paragraph about threats to validity."""
    machines = {environment["processor"] for environment in record.environments}
    misses = [
        miss
        for transition in findings.transitions
        if transition.question == "any" and (miss := transition.worst_miss)
    ]
    highest = ""
    if misses:
        size, rows, log_count = max(misses, key=lambda entry: entry[2])
        highest = (
            f" The board without a code with the highest estimate has {size} pegs, {rows} rows and "
            f"ln N = {number(log_count, 1)}."
        )
    return (
        "Medians at sizes that differ by a factor of four or less do not reliably distinguish an "
        "exponential from a steep power; exponents hold only for these solvers, versions and "
        "sizes. The error of the estimate is measured by size (Table 1), not bounded, and "
        "need not vanish at larger sizes. With more than two colors, r* is computed "
        "with the unconditional binomial distribution of black, up to 2 % from the conditional one "
        "at 8 pegs. Figures 1 and 2, a column of Table 1 and the first law of Table 4 use it; the "
        "estimate does not. With more than two colors, only black is examined for degenerate "
        f"pairs, so some may remain, as may contradictions of three or more rows.{highest} A "
        "family that linear algebra does not refute may still be easy. The limits of families are "
        "found with 4 to 12 boards per size, until the interval of the decided share excludes one "
        "half, and depend on the machine. Processor times are from "
        f"{quantity(len(machines), 'kind')} of processor under other load; no result uses them. "
        "Generators limit some families: vertex covers need a minimum cover."
    )


def _environment(record: Record) -> str:
    """Return the versions that measured each part, and whether there is only one."""
    statements = []
    for part in ("transition", "cross-check", "growth"):
        versions = record.versions(part)
        if versions:
            names = "; ".join(" ".join(version) for version in versions)
            is_clean = len(versions) == 1 and "+" not in names
            verdict = (
                "one version of the code"
                if is_clean
                else "<b>more than one version, or changed code</b>; numbers of steps of "
                "different sizes may be from different versions, and should be measured again"
            )
            statements.append(f"The {part} was measured by {verdict}: {escape(names)}.")
    return (
        f"{' '.join(statements)} A commit is the last one that changed <code>mmsat/</code>; a + "
        "marks changes that were not yet committed."
    )
