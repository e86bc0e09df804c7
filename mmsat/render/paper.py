"""The study of hardness as a paper: an HTML page in two columns. The template is paper.html.

All numbers, tables and figures are computed from the record of the study.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from mmsat._util.text import join_words, quantity
from mmsat.render import plots
from mmsat.render.plots import ENSEMBLE_NAMES, SOLVER_NAMES, UNITS
from mmsat.studies import ENSEMBLES, entropy_rows
from mmsat.studies.findings import (
    MIN_FITTED_STEPS,
    MIN_ROW_NUMBERS,
    SIGNIFICANCE_LEVEL,
    Findings,
    find_agreement,
)
from mmsat.studies.statistics import RESAMPLES, Estimate, wilson

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mmsat.studies import Record
    from mmsat.studies.findings import Growth, Half, Reach, Transition
    from mmsat.studies.statistics import Calibration

MINUS = "&minus;"
"""A typographic minus sign in HTML."""
QUESTIONS = {"any": "a code", "other": "another code than the planted one"}


def size_range(sizes: Sequence[int]) -> str:
    """Return the range from the first to the last size as HTML."""
    return f"{sizes[0]}&ndash;{sizes[-1]}"


def with_interval(estimate: Estimate, digits: int = 2) -> str:
    """Return an estimate with its confidence interval, such as 0.97 [0.95, 0.99]."""
    value, low, high = (number(bound, digits) for bound in estimate)
    return f"{value} [{low}, {high}]"


def number(value: float, digits: int = 2) -> str:
    """Return a number with `digits` decimal places and a typographic minus sign."""
    if math.isnan(value):
        return "&ndash;"
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    return f"{value:.{digits}f}".replace("-", MINUS)


def three_digits(value: float) -> str:
    """Return a number with three significant digits, or words if it is infinite."""
    if math.isinf(value):
        return "over the budget"
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


RowGroups = Mapping[str, Sequence[Sequence[object]]]
"""Rows of a table, by the name of their group."""


def table(caption: str, head: Sequence[str], groups: RowGroups) -> str:
    """Return a table as HTML, with groups of rows under their names."""
    parts = [f"<table><caption>{caption}</caption><tr>"]
    parts += [f"<th>{name}</th>" for name in head]
    for name, rows in groups.items():
        parts += [f'</tr><tr><td colspan="{len(head)}"><i>{name}</i></td>'] if rows else []
        for row in rows:
            parts += ["</tr><tr>", *(f"<td>{cell}</td>" for cell in row)]
    return "".join([*parts, "</tr></table>"])


def title(transition: Transition) -> str:
    """Return the name of an ensemble with the question about its boards."""
    return f"{ENSEMBLE_NAMES[transition.family].capitalize()}, {QUESTIONS[transition.question]}"


def threshold_table(findings: Findings) -> str:
    """Return the table of the numbers of rows at which half of the boards have a code, by size."""

    def row(transition: Transition, size: int, half: Half) -> Sequence[object]:
        unit = entropy_rows(ENSEMBLES[transition.family].colors, size)
        return (
            size,
            f"{half.num_boards:,}",
            with_interval(half.observed),
            number(half.predicted),
            number(unit),
            f"{half.calibration.expected:,.0f} / {half.calibration.observed:,}",
            number(half.calibration.deviation, 1),
            number(half.calibration.dispersion, 1),
        )

    caption = (
        "<b>Table 1.</b> Rows at which half of the boards have a code, or another than the planted "
        "one: boards; the observed half point with its bootstrap interval, the one predicted from "
        "the covariance of the scores, and r* of independent rows. Then, for the boards of the "
        "size, the columns of Table 2. Nothing is fitted."
    )
    groups = {
        title(transition): [row(transition, *item) for item in transition.halves.items()]
        for transition in findings.transitions
    }
    head = ("pegs", "boards", "observed", "predicted", "r*", "with a code", "z", "dispersion")
    return f'<div class="wide">{table(caption, head, groups)}</div>'


def calibration_table(findings: Findings) -> str:
    """Return the table that compares the estimated probabilities with the verdicts."""

    def cells(calibration: Calibration | None) -> list[str]:
        if calibration is None:
            return ["&ndash;"] * 5
        return [
            f"{calibration.num_boards:,}",
            f"{calibration.expected:,.0f} / {calibration.observed:,}",
            number(calibration.deviation, 1),
            number(calibration.dispersion, 1),
            p_value(calibration.tail),
        ]

    caption = (
        "<b>Table 2.</b> Goodness of fit of P = 1 &minus; exp(&minus;N): boards; expected and "
        "observed number with a code; their difference in standard deviations; chi-square per "
        "group (10 groups of boards with similar P), which is 1 if the law holds; and its p-value. "
        "First for all boards without a fitted parameter; then for the two largest sizes, "
        "predicted by P = 1 &minus; exp(&minus;e<sup>a</sup>N<sup>b</sup>), fitted to the "
        "smaller sizes."
    )
    head = ("", "boards", "expected / observed", "z", "dispersion", "p")
    groups = {
        title(transition): [
            ["all sizes, no fit", *cells(transition.calibration)],
            ["largest sizes, held out", *cells(transition.held_out)],
        ]
        for transition in findings.transitions
    }
    return table(caption, head, groups)


def law_table(findings: Findings) -> str:
    """Return the table of the fitted laws and of the likelihood of three laws."""

    def row(transition: Transition) -> Sequence[object]:
        law = transition.law
        factor = math.sqrt(max(transition.calibration.dispersion, 1.0))
        losses = (f"{loss:,.0f}" for loss in transition.losses)
        return (
            title(transition),
            plus_minus(law.intercept, factor * law.intercept_error),
            plus_minus(law.slope, factor * law.slope_error),
            *losses,
        )

    caption = (
        "<b>Table 3.</b> The fit of a and b to all boards (0 and 1 if the estimate is right), with "
        "standard errors that are inflated by the root of the dispersion; and "
        f"{MINUS}ln of the likelihood of a logistic law in r/r* (two parameters), of the observed "
        "share of each size and number of rows (a parameter for each; no law of these alone is "
        "better), and of the estimate of each board (no parameter). Smaller is better."
    )
    groups = {"": [row(transition) for transition in findings.transitions]}
    return table(caption, ("", "a", "b", "r/r*", "shares", "estimate"), groups)


def plus_minus(value: float, error: float) -> str:
    """Return a value with its standard error."""
    return f"{number(value)} ± {number(error)}"


def p_value(value: float) -> str:
    """Return a p-value with two significant digits."""
    if math.isnan(value):
        return "&ndash;"
    return "&lt; 1e-9" if value < 1e-9 else f"{value:.2g}".replace("e-0", "e-")


def p_equals(value: float) -> str:
    """Return a p-value as an equation or an inequality."""
    text = p_value(value)
    return f"p {text}" if text.startswith("&lt;") else f"p = {text}"


def effort_table(findings: Findings) -> str:
    """Return the table of the effort at the half point by solver."""

    def row(growth: Growth) -> Sequence[object]:
        value, low, high = (three_digits(bound) for bound in growth.medians[max(growth.medians)])
        local = [exponent for _, _, exponent in growth.local_exponents]
        ratios = growth.held_out
        return (
            f"{SOLVER_NAMES[growth.kind.solver]}, {UNITS[growth.kind.solver]}"
            + ", planted" * (growth.kind.answer == "consistent"),
            size_range(sorted(growth.medians)),
            f"{value} [{low}, {high}]",
            growth.num_censored,
            size_range(growth.fitted_sizes) if growth.fitted_sizes else "&ndash;",
            with_interval(growth.exponent) if growth.exponent else "&ndash;",
            f"{number(local[0])} &hellip; {number(local[-1])}" if local else "&ndash;",
            p_value(growth.curvature),
            f"{number(ratios[0], 1)} / {number(ratios[1], 1)}" if ratios else "&ndash;",
        )

    conflicts, points = MIN_FITTED_STEPS["cp"], MIN_FITTED_STEPS["lattice"]
    caption = (
        "<b>Table 4.</b> Effort at the half point: measured sizes; the median at the largest size; "
        "the number of boards over the budget, counted as infinite; the sizes of the fit (the "
        f"upper half of those with a median of at least {conflicts} conflicts or {points} "
        "points); its exponent &alpha; of 2<sup>&alpha;n</sup>, with an interval of sampling "
        "only; the local exponents between "
        "neighboring sizes, first and last; the p-value of curvature, which is small if no "
        "exponential holds over all these sizes; and the median at the largest size, divided by "
        "the prediction of an exponential and of a power that are fitted to the smaller sizes."
    )
    groups = {
        ENSEMBLE_NAMES[name].capitalize(): [
            row(growth) for growth in findings.growths if growth.kind.family == name
        ]
        for name in ENSEMBLES
    }
    head = (
        "", "pegs", "median", "censored", "fitted", "&alpha;", "local &alpha;", "curvature p",
        "held out",
    )  # fmt: skip
    return f'<div class="wide">{table(caption, head, groups)}</div>'


def planted_table(findings: Findings) -> str:
    """Return the table of the effort on planted boards relative to random boards with a code."""
    caption = (
        "<b>Table 5.</b> Planted boards compared with random boards that have a code, at the half "
        "point: the ratio of the median steps (plus one), its interval, and the p-value of the "
        "test of Mann and Whitney, adjusted for all rows of the table."
    )
    rows = [
        (
            f"{SOLVER_NAMES[entry.solver]}, {entry.size} pegs, {ENSEMBLE_NAMES[entry.family]}",
            with_interval(entry.ratio),
            p_value(entry.adjusted),
        )
        for entry in findings.planted
    ]
    return table(caption, ("", "ratio", "adjusted p"), {"": rows}) if rows else ""


ALGEBRA_WORDS = {"rational": "Q", "mod 2": "2", "mod 3": "3", "integers": "Z", "hidden": "hidden 2"}
"""Short names of the kinds of linear algebra that refute boards."""


def family_table(findings: Findings) -> str:
    """Return the table of the sizes up to which families are decided, and of their refutations."""

    def row(reach: Reach) -> Sequence[object]:
        num_inconsistent = sum(reach.refuted.values())
        kinds = [
            f"{word}: {reach.refuted[name]}"
            for name, word in ALGEBRA_WORDS.items()
            if name in reach.refuted
        ]
        num_without_conflict, num_boards = reach.without_conflict
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
            f"{num_without_conflict} of {num_boards}" if num_boards else "&ndash;",
        )

    ordered = sorted(findings.reaches, key=lambda reach: (-reach.pegs, reach.family, reach.answer))
    titles = {
        "most": "Linear algebra refutes most",
        "few": "Linear algebra refutes fewer than half",
        "undecided": "The share does not differ significantly from one half",
        "none": "No inconsistent boards",
    }
    groups = {
        name: [row(reach) for reach in ordered if reach.kind == kind]
        for kind, name in titles.items()
    }
    caption = (
        "<b>Table 6.</b> Families, the largest reach first: the sizes in pegs between which "
        "<code>auto</code> begins to fail. Then, for the largest size with enough boards: pegs, "
        "boards, boards without a code, the share of these that linear algebra refutes, with its "
        "interval, and how (over the rationals, modulo powers of 2 and of 3, by other moduli, by "
        "hidden parities), the boards that bounds refute, and the boards that CP-SAT decides "
        "without a conflict. The groups are by two-sided binomial tests, adjusted for all families."
    )
    head = ("family", "end", "pegs", "boards", "none", "algebra", "by", "bounds", "no conflict")
    return f'<div class="wide">{table(caption, head, groups)}</div>'


TEMPLATE = Path(__file__).with_suffix(".html")
FIGURES = ("transition", "planted", "peak", "effort", "reach")
TITLE = "Where Mastermind boards are hard: a predicted threshold, and the effort around it"


def draw_figures(findings: Findings) -> dict[str, str]:
    """Return the figures as SVG, by name; figures of parts that were not measured are omitted."""
    by_question = {
        question: [
            transition for transition in findings.transitions if transition.question == question
        ]
        for question in ("any", "other")
    }
    figures = {
        "transition": by_question["any"] and plots.transition_figure(by_question["any"]),
        "planted": by_question["other"] and plots.transition_figure(by_question["other"]),
        "peak": findings.peaks and plots.peak_figure(findings.peaks),
        "effort": findings.growths and plots.effort_figure(findings.growths),
        "reach": findings.reaches and plots.reach_figure(findings.reaches),
    }
    return {name: str(text) for name, text in figures.items() if text}


def write_paper(record: Record, findings: Findings, figures: dict[str, str], command: str) -> str:
    """Return the paper as an HTML page that prints on A4."""
    sentences = {
        "abstract": _abstract(record, findings),
        "agreement": _agreement(record),
        "threshold": _threshold(findings),
        "effort": _effort(findings),
        "families": _families(findings),
    }
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=TITLE,
        points=_points(findings),
        resamples=RESAMPLES,
        level=f"{100 * SIGNIFICANCE_LEVEL:.0f}",
        command=escape(command),
        degenerate=_degenerate(findings),
        threshold_table=threshold_table(findings),
        calibration_table=calibration_table(findings),
        law_table=law_table(findings),
        effort_table=effort_table(findings),
        planted_table=planted_table(findings),
        family_table=family_table(findings),
        limit=" or ".join(map(str, sorted(findings.limits))),
        **{name: " ".join(section) for name, section in sentences.items()},
        **{f"{name}_figure": figures.get(name, "") for name in FIGURES},
        threats=_threats(record),
        environment=_environment(record),
    )


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
            f" Sizes with fewer than {MIN_ROW_NUMBERS} numbers of rows are in Table 2, but have no "
            f"half point: {'; '.join(excluded)}."
        )
    return text


def _degenerate(findings: Findings) -> str:
    statements = []
    for transition in findings.transitions:
        if transition.question == "any":
            shares = {
                size: degenerate_boards / boards
                for size, (degenerate_boards, boards) in transition.degenerate.items()
                if boards
            }
            first, last = min(shares), max(shares)
            statements.append(
                f"{100 * shares[first]:.1f} % of the random boards of "
                f"{ENSEMBLE_NAMES[transition.family]} are at {first} pegs, and "
                f"{100 * shares[last]:.1f} % at {last}"
            )
    return (
        "With more colors, only black is examined: both guesses agree at e pegs, and at each other "
        f"peg at most one of them is black. {'; '.join(statements)}."
    )


def _agreement(record: Record) -> Iterator[str]:
    for experiment in ("transition", "growth"):
        agreement = find_agreement(record, experiment)
        if agreement.boards:
            yield (
                f"Of {agreement.boards:,} boards of the {experiment}, {agreement.twice:,} were "
                f"decided by two solvers or more, which agreed on all of them; {agreement.own:,} "
                f"were decided only by solvers of this project, of which CP-SAT confirmed "
                f"{agreement.cross_checked:,} later; {agreement.undecided:,} were not decided."
            )


def _threshold(findings: Findings) -> Iterator[str]:
    yield (
        "An infinite half point or bound in Table 1 means that the shares do not cross one half at "
        "the measured rows. A slope b below 1 in Table 3 is expected if ln N of a single board has "
        "an error, which flattens the curve; that this explains all of the slope is not shown."
    )
    for transition in findings.transitions:
        errors = [
            abs(half.observed.value - half.predicted)
            for half in transition.halves.values()
            if math.isfinite(half.observed.value - half.predicted)
        ]
        inside = [
            half.observed.low <= half.predicted <= half.observed.high
            for half in transition.halves.values()
        ]
        deviations = [half.calibration.deviation for half in transition.halves.values()]
        fit = transition.calibration
        verdict = "rejected" if fit.tail < SIGNIFICANCE_LEVEL else "not rejected"
        if errors:
            yield (
                f"{title(transition)}: the largest difference of an observed and a predicted half "
                f"point is {max(errors):.2f} rows, and {sum(inside)} of {len(inside)} predictions "
                f"are in their intervals; P = 1 {MINUS} exp({MINUS}N) without a fit is {verdict} "
                f"({p_equals(fit.tail)}): {_excess(fit)}, and by size, z is from "
                f"{number(min(deviations), 1)} to {number(max(deviations), 1)}."
            )


def _excess(fit: Calibration) -> str:
    share = 100 * (fit.observed / fit.expected - 1)
    return f"{abs(share):.1f} % {'more' if share > 0 else 'fewer'} boards have one than predicted"


def _effort(findings: Findings) -> Iterator[str]:
    if findings.peaks:
        places = [
            f"{number(peak.highest / peak.half)} "
            f"({SOLVER_NAMES[peak.kind.solver]}, {peak.size} pegs, "
            f"{ENSEMBLE_NAMES[peak.kind.family]}"
            + ", the most rows that were measured" * (peak.highest == max(peak.medians))
            + ")"
            for peak in findings.peaks
        ]
        yield (
            "By the number of rows (Figure 3), the median effort is largest at these multiples of "
            f"the half point: {join_words(places)}."
        )
    random = [growth for growth in findings.growths if growth.kind.answer == "any"]
    curved = [growth for growth in random if growth.curvature < SIGNIFICANCE_LEVEL]
    tested = [growth for growth in random if not math.isnan(growth.curvature)]
    if tested:
        names = [f"{_name(growth)}" for growth in curved]
        yield (
            f"The logarithm of the effort is significantly curved for {len(curved)} of "
            f"{len(tested)} solvers and ensembles with four sizes or more"
            + (f" ({join_words(names)})" if names else "")
            + ". Where it is, the exponent describes the fitted sizes only, and its interval, "
            "which is of sampling only, does not include the lack of fit."
        )
    held_out = [growth for growth in random if growth.held_out]
    if held_out:
        closer = [
            "exponential"
            if abs(math.log(g.held_out[0])) < abs(math.log(g.held_out[1]))
            else "power"
            for g in held_out
            if g.held_out
        ]
        yield (
            f"At the largest size, the exponential of the smaller sizes predicts the median better "
            f"than the power in {closer.count('exponential')} of {len(closer)} cases. With these "
            "few sizes, this is not a test between the two laws."
        )


def _name(growth: Growth) -> str:
    return f"{SOLVER_NAMES[growth.kind.solver]} in {ENSEMBLE_NAMES[growth.kind.family]}"


def _families(findings: Findings) -> Iterator[str]:
    kinds = Counter(reach.kind for reach in findings.reaches)
    tested = len(findings.reaches) - kinds["none"]
    num_without_conflict, num_boards = (
        sum(reach.without_conflict[index] for reach in findings.reaches) for index in (0, 1)
    )
    if tested:
        yield (
            f"Of {tested} kinds with inconsistent boards, linear algebra refutes significantly "
            f"more than half of the boards in {kinds['most']}, fewer in {kinds['few']}, and for "
            f"{kinds['undecided']} the share does not differ significantly from one half. Boards "
            "that linear algebra refutes are no evidence about search. This concerns the samplers, "
            "at the measured sizes, not the reductions."
        )
    if num_boards:
        low, high = wilson(num_without_conflict, num_boards)
        yield (
            f"CP-SAT decides {100 * num_without_conflict / num_boards:.0f} % "
            f"[{100 * low:.0f}, {100 * high:.0f}] of the boards of Table 6 on which it was run "
            "without a conflict. The sizes were chosen because a plain solver decided all first "
            "boards in a short time, often far below the reach of <code>auto</code>; so this share "
            "describes the choice of sizes as much as the families."
        )


def _abstract(record: Record, findings: Findings) -> Iterator[str]:
    num_boards = sum(
        len(boards) for point, boards in record.points() if point.part != "cross-check"
    )
    yield (
        f"We decide {num_boards:,} Mastermind boards, random and reduced from other problems. "
        "The expected number N of codes of a board follows from the means and the covariance of "
        "its scores. The law P = 1 &minus; exp(&minus;N) predicts without a fitted parameter "
        "which boards have a code."
    )
    for transition in findings.transitions:
        fit = transition.calibration
        is_rejected = fit.tail < SIGNIFICANCE_LEVEL
        yield (
            f"In {ENSEMBLE_NAMES[transition.family]}, {QUESTIONS[transition.question]} is "
            f"predicted for {fit.expected:,.0f} of {fit.num_boards:,} boards and found for "
            f"{fit.observed:,}; the law is {'' if is_rejected else 'not '}rejected "
            f"({p_equals(fit.tail)})."
        )
    yield (
        "For planted boards, the correction for correlated rows has the opposite sign. The "
        "threshold of independent rows, ln M / H, is the limit of the formula at many pegs. The "
        "effort of the solvers is measured at the predicted half point, and its growth is stated "
        "by local exponents and held-out predictions, not by a law."
    )
    own = find_agreement(record, "transition")
    if own.own:
        yield (
            f"{own.own:,} of {own.boards:,} boards of the transition, among them all of the "
            "largest sizes, were decided only by the lattice solver of this project; CP-SAT "
            f"confirmed {own.cross_checked:,} of these."
        )
    kinds = Counter(reach.kind for reach in findings.reaches)
    if findings.reaches:
        yield (
            f"Of {len(findings.reaches) - kinds['none']} kinds of inconsistent boards made by "
            f"reductions or at random, {kinds['most']} are mostly refuted by linear algebra at the "
            "measured sizes."
        )


def _threats(record: Record) -> str:
    machines = {environment["processor"] for environment in record.environments}
    return (
        "Medians at sizes that differ by a factor of four or less do not reliably distinguish an "
        "exponential from a steep power; exponents hold only for these solvers, versions and "
        "sizes. The error of the estimate is measured by size (Table 1), not bounded, and "
        "need not vanish at larger sizes. With more than two colors, r* is computed "
        "with the unconditional binomial distribution of black, up to 2 % from the conditional one "
        "at 8 pegs; only Figure 1 uses it. With more than two colors, only black is examined for "
        "degenerate pairs, so some may remain. A family that linear algebra does not refute "
        "may still be easy. The limits of families are found with 4 to 12 boards per size, until "
        "the interval of the decided share excludes one half, and depend on the machine. "
        f"Processor times are from {quantity(len(machines), 'kind')} of processor under other "
        "load; no result uses them. Generators limit some families: vertex covers need a "
        "minimum cover."
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
