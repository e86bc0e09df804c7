"""The tables of the study of hardness, and the notation of its numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mmsat.render.plots import NAMES, SOLVER_NAMES, UNITS
from mmsat.studies.point import ENSEMBLES, expected_rows
from mmsat.studies.statistics import Estimate, chi_square_tail

if TYPE_CHECKING:
    from mmsat.studies.findings import Findings, Growth, Law, Reach, Transition

MINUS = "&minus;"
SIGNIFICANCE_LEVEL = 0.05
"""Probability below which a law is rejected."""
MIN_RESIDUAL_RATIO = 2.0
"""Ratio of the residuals of two laws from which one is said to fit better."""
QUESTIONS = {"any": "a code", "other": "another code than the planted one"}


def span(sizes: Sequence[int]) -> str:
    """Return the range from the first to the last size."""
    return f"{sizes[0]}&ndash;{sizes[-1]}"


def with_interval(estimate: Estimate, digits: int = 2) -> str:
    """Return a number with its confidence interval, such as 0.97 [0.95, 0.99]."""
    value, low, high = (number(part, digits) for part in estimate)
    return f"{value} [{low}, {high}]"


def number(value: float, digits: int = 2) -> str:
    """Return a number with `digits` decimal places and typographic minus signs."""
    if math.isinf(value):
        return "∞"
    return f"{value:.{digits}f}".replace("-", MINUS)


def three_digits(value: float) -> str:
    """Return a number with three significant digits."""
    if math.isinf(value):
        return "over the budget"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


Rows = Mapping[str, Sequence[Sequence[object]]]


def table(caption: str, head: Sequence[str], groups: Rows) -> str:
    """Return a table as HTML, with groups of rows under their names."""
    parts = [f"<table><caption>{caption}</caption><tr>"]
    parts += [f"<th>{name}</th>" for name in head]
    for name, rows in groups.items():
        parts += [f'</tr><tr><td colspan="{len(head)}"><i>{name}</i></td>'] if rows else []
        for row in rows:
            parts += ["</tr><tr>", *(f"<td>{cell}</td>" for cell in row)]
    return "".join([*parts, "</tr></table>"])


def title(transition: Transition) -> str:
    """Return the name of an ensemble with its question."""
    return f"{NAMES[transition.family].capitalize()}: {QUESTIONS[transition.question]}"


def is_in(value: float, estimate: Estimate) -> bool:
    """Return whether the value is in the confidence interval."""
    return estimate.low <= value <= estimate.high


def threshold_table(findings: Findings) -> str:
    """Return the table of the rows at which half of the boards have a code, by size."""

    def row(transition: Transition, size: int) -> Sequence[object]:
        expected = expected_rows(ENSEMBLES[transition.family].colors, size)
        num_boards = sum(
            num_boards for point, _, num_boards in transition.points if point.size == size
        )
        half = with_interval(transition.halves[size], 1)
        return (
            size,
            f"{num_boards:,}",
            half,
            number(expected.typical, 1),
            number(expected.average, 1),
        )

    caption = (
        "<b>Table 1.</b> Rows at which half of the boards have a code, or another than the planted "
        "one, by logistic regression for each size, and the predictions."
    )
    groups = {
        title(transition): [row(transition, size) for size in transition.sizes]
        for transition in findings.transitions
    }
    return table(caption, ("pegs", "boards", "half at", "typical", "average"), groups)


def law_table(findings: Findings) -> str:
    """Return the table of the scaling laws."""

    def row(law: Law) -> Sequence[object]:
        return (
            span(law.sizes),
            with_interval(law.location, 3),
            with_interval(law.exponent),
            number(law.expected),
            f"{number(law.fit.deviance, 0)} / {law.fit.freedom}",
            f"{chi_square_tail(law.fit.deviance, law.fit.freedom):.2g}",
        )

    caption = (
        "<b>Table 2.</b> The scaling law of all sizes, and of those beyond exhaustive search: "
        "location &rho;, width exponent x and its predicted value (x*); deviance by degrees of "
        "freedom, and the probability of at least this deviance if the law holds."
    )
    groups = {
        title(transition): [row(law) for law in transition.laws]
        for transition in findings.transitions
    }
    return table(caption, ("pegs", "&rho;", "x", "x*", "deviance", "p"), groups)


def is_rejected(law: Law) -> str:
    """Return the words for whether the law is rejected."""
    tail = chi_square_tail(law.fit.deviance, law.fit.freedom)
    return "is rejected" if tail < SIGNIFICANCE_LEVEL else "is not rejected"


def effort_table(findings: Findings) -> str:
    """Return the table of the effort at the threshold, by solver and unit."""

    def row(growth: Growth) -> Sequence[object]:
        unit = UNITS[growth.kind.solver] if growth.kind.unit == "steps" else growth.kind.unit
        middle, low, high = (three_digits(part) for part in growth.medians[max(growth.medians)])
        return (
            f"{SOLVER_NAMES[growth.kind.solver]}, {unit}",
            span(sorted(growth.medians)),
            f"{middle} [{low}, {high}]",
            with_interval(growth.exponent, 3) if growth.exponent else "&ndash;",
            number(growth.power.slope, 1) if growth.power else "&ndash;",
        )

    caption = (
        "<b>Table 3.</b> Effort on random boards at the threshold: the median at the largest size, "
        "the exponent &alpha; of the law 2<sup>&alpha;n</sup>, and the power &beta; of the law "
        "n<sup>&beta;</sup>."
    )
    random = [growth for growth in findings.growths if growth.kind.answer == "any"]
    groups = {
        NAMES[name].capitalize(): [row(growth) for growth in random if growth.kind.family == name]
        for name in ENSEMBLES
    }
    return table(caption, ("", "pegs", "median", "&alpha;", "&beta;"), groups)


def better(growth: Growth) -> str:
    """Return the law that fits better: "exponential", "power" or "either"; "" without laws."""
    if growth.line is None or growth.power is None:
        return ""
    ratio = (growth.power.residual + 1e-12) / (growth.line.residual + 1e-12)
    if ratio > MIN_RESIDUAL_RATIO:
        return "exponential"
    return "power" if ratio < 1 / MIN_RESIDUAL_RATIO else "either"


def is_algebraic(reach: Reach) -> bool:
    """Return whether linear algebra refutes at least half of the inconsistent boards."""
    return reach.algebra is not None and reach.algebra.value >= 1 / 2


KINDS = {"rational": "Q", "mod 2": "2", "mod 3": "3", "integers": "Z", "hidden": "hidden 2"}


def family_table(findings: Findings) -> str:
    """Return the table of the sizes up to which families are decided, and of what refutes them."""

    def row(reach: Reach) -> Sequence[object]:
        num_inconsistent = sum(reach.refuted.values())
        kinds = [
            f"{word}: {reach.refuted[name]}"
            for name, word in KINDS.items()
            if name in reach.refuted
        ]
        without_conflict, queried = reach.without_conflict
        return (
            f"{reach.family}, {reach.answer}",
            f"{reach.pegs:,}&ndash;{reach.next_pegs:,}"
            if reach.next_pegs
            else f"over {reach.pegs:,}",
            f"{reach.shown:,}",
            reach.consistent + num_inconsistent,
            num_inconsistent,
            with_interval(reach.algebra) if reach.algebra else "&ndash;",
            ", ".join(kinds) or "&ndash;",
            reach.refuted["bounds"] or "&ndash;",
            f"{without_conflict} of {queried}" if queried else "&ndash;",
        )

    ordered = sorted(findings.reaches, key=lambda reach: (reach.family, reach.answer))
    groups = {
        "Mostly refuted by linear algebra": [row(e) for e in ordered if is_algebraic(e)],
        "Mostly not refuted by linear algebra": [
            row(e) for e in ordered if e.algebra and not is_algebraic(e)
        ],
        "No inconsistent boards": [row(e) for e in ordered if not e.algebra],
    }
    caption = (
        "<b>Table 4.</b> Families: the sizes in pegs at which <code>auto</code> fails. Then, for "
        "the largest size with enough boards: pegs, boards, boards without a code, the share of "
        "these that linear algebra refutes, and how (over the rationals, modulo powers of 2 and of "
        "3, by other moduli, by hidden parities), the boards that bounds refute, and the boards "
        "that CP-SAT decides without a conflict."
    )
    head = ("family", "end", "pegs", "boards", "none", "algebra", "by", "bounds", "no conflict")
    return f'<div class="wide">{table(caption, head, groups)}</div>'
