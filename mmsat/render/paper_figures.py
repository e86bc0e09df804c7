"""The figures and tables of the paper of the study, and the formats of its numbers.

`mmsat.studies` defines the terms, such as half point. Equal data give equal bytes. Lines differ in
their markers as well as in their colors.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from mmsat.render import pyplot
from mmsat.studies import ENSEMBLES, entropy_rows
from mmsat.studies.findings import MIN_FITTED_STEPS
from mmsat.studies.statistics import wilson
from mmsat.studies.transition import STRATUM_BOUNDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mmsat.studies.findings import Findings, Growth, Peak, Reach
    from mmsat.studies.statistics import Calibration, Estimate
    from mmsat.studies.transition import Half, Transition

MARKERS = "osD^vPX<>*h"  # as matplotlib names them
COLORS = ("#56b4e9", "#009e73", "#e69f00", "#d55e00", "#cc79a7", "#0072b2", "#7f7f7f")
"""Colors of Okabe and Ito (2008), which readers with any color vision can distinguish."""
COLUMN_WIDTH, PAGE_WIDTH = 3.35, 6.95
"""Width of a column of a page, and of both columns, in inches."""
ENSEMBLE_NAMES = {"random-two-color": "two colors", "six-colors": "six colors"}
SOLVER_NAMES = {"cp": "CP-SAT", "cadical": "CaDiCaL", "lattice": "the lattice"}
SOLVER_COLORS = {"cp": COLORS[2], "cadical": COLORS[3], "lattice": COLORS[4]}
UNITS = {"cp": "conflicts", "cadical": "conflicts", "lattice": "points"}
"""The unit of the effort of each solver."""


def svg(figure: Any) -> str:
    """Return a figure as SVG, without header, date and version, and close it."""
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    pyplot().close(figure)
    return file.getvalue()[file.getvalue().index("<svg") :]


FONT_SIZE = 7
"""Size of all text in the figures of the study, in points."""


def size_colors(sizes: Sequence[int]) -> dict[int, Any]:
    """Return a color for each size, from a scale whose order is visible in print, too."""
    scale = pyplot().get_cmap("viridis")  # its last tenth is too light for print
    return {size: scale(0.9 * i / max(len(sizes) - 1, 1)) for i, size in enumerate(sizes)}


def _study_panels(num_rows: int, num_columns: int, height: float) -> tuple[Any, Any]:
    """Return a figure of page width with panels."""
    plt = pyplot()
    figure, panels = plt.subplots(
        num_rows, num_columns, figsize=(PAGE_WIDTH, height), squeeze=False, layout="constrained"
    )
    for panel in panels.flat:
        panel.grid(visible=True, linewidth=0.4)
        panel.tick_params(labelsize=FONT_SIZE)
        panel.title.set_fontsize(FONT_SIZE + 1)
        for label in (panel.xaxis.label, panel.yaxis.label):
            label.set_fontsize(FONT_SIZE)
    return figure, panels


NUM_BINS = 12
"""Number of groups of boards with similar estimates in the figure of the transition."""


def transition_figure(transitions: Sequence[Transition]) -> str:
    """Draw the shares of boards with a code: by rows (above), and by the estimate (below)."""
    figure, panels = _study_panels(2, len(transitions), 4.6)
    for column, transition in enumerate(transitions):
        above, below = panels[:, column]
        num_colors = ENSEMBLES[transition.family].colors
        sizes = sorted(transition.halves)
        for size, shade in size_colors(sizes).items():
            shares = transition.shares(size)
            scale = entropy_rows(num_colors, size)  # r*: after these, one code remains on average
            points = [
                (rows / scale, *_share_bars(consistent, total))
                for rows, consistent, total in shares
            ]
            x, y, lower, upper = zip(*points, strict=True)
            style = {"color": shade, "marker": MARKERS[sizes.index(size) % len(MARKERS)]}
            above.errorbar(
                x, y, [lower, upper], elinewidth=0.5, linewidth=0.6, markersize=2.5,
                label=str(size), **style,
            )  # fmt: skip
        data = transition.verdicts
        finite = sorted(
            (float(value), bool(verdict))
            for value, verdict in zip(data.log_count, data.is_consistent, strict=True)
            if -4 < value < 4  # the figure shows ln N in this range
        )
        ends = [len(finite) * number // NUM_BINS for number in range(NUM_BINS + 1)]
        for group in (finite[first:end] for first, end in pairwise(ends) if first < end):
            share, lower_bar, upper_bar = _share_bars(
                sum(verdict for _, verdict in group), len(group)
            )
            middle = sum(value for value, _ in group) / len(group)
            below.errorbar(
                middle, share, [[lower_bar], [upper_bar]], color=COLORS[5], marker="o",
                markersize=3, elinewidth=0.6,
            )  # fmt: skip
        grid = [step / 10 - 4 for step in range(81)]
        below.plot(
            grid, [-math.expm1(-math.exp(x)) for x in grid], color="black", linewidth=0.8,
            label="1 - exp(-N), not fitted",
        )  # fmt: skip
        above.set_title(ENSEMBLE_NAMES[transition.family], fontweight="bold")
        above.axvline(1, color="#777777", linewidth=0.6, linestyle=":")
        above.legend(
            title="pegs", fontsize=FONT_SIZE - 1, title_fontsize=FONT_SIZE - 1, ncol=2,
            handlelength=1.2, columnspacing=0.8, loc="upper left", bbox_to_anchor=(1.0, 1.03),
            frameon=False,
        )  # fmt: skip
        below.legend(fontsize=FONT_SIZE, loc="lower right", frameon=False)
        above.set_xlabel("rows / r*")
        below.set_xlabel("ln N, the logarithm of the estimated number of codes")
        for panel in (above, below):
            panel.set_ylim(-0.03, 1.03)
    for panels_of_row in panels:
        label = "a code" if transitions[0].question == "any" else "another code"
        panels_of_row[0].set_ylabel(f"share with {label}")
    return svg(figure)


def _share_bars(successes: int, trials: int) -> tuple[float, float, float]:
    """Return a share, and the lengths of its error bars."""
    share = successes / trials
    low, high = wilson(successes, trials)
    return share, share - low, high - share


MIN_DRAWN_STEPS = 0.5
"""Smaller numbers of steps are drawn at this number, because a logarithmic axis has no 0."""


def _median_bars(medians: Iterable[Estimate]) -> tuple[list[float], list[list[float]]]:
    """Return the values of medians and the lengths of their error bars; infinite bars are 0."""
    triples = [
        tuple(max(bound, MIN_DRAWN_STEPS) for bound in (value, low, high))
        for value, low, high in medians
    ]
    lower = [value - low for value, low, _ in triples]
    upper = [high - value if high < math.inf else 0.0 for value, _, high in triples]
    return [value for value, _, _ in triples], [lower, upper]


def effort_figure(growths: Sequence[Growth]) -> str:
    """Draw the median effort near the half point by pegs, with the lines through fitted sizes."""
    families = list(dict.fromkeys(growth.selection.family for growth in growths))
    figure, panels = _study_panels(1, len(families), 2.6)
    for growth in growths:
        panel = panels[0, families.index(growth.selection.family)]
        index = [*SOLVER_NAMES].index(growth.selection.solver)
        shade = SOLVER_COLORS[growth.selection.solver]
        is_planted = growth.selection.answer == "consistent"
        medians = {size: m for size, m in growth.medians.items() if m.value < math.inf}
        if not medians:
            continue
        values, bars = _median_bars(medians.values())
        panel.errorbar(
            list(medians), values, bars, color=shade, marker=MARKERS[index],
            linestyle="", elinewidth=0.6, markersize=3.5,
            markerfacecolor="none" if is_planted else None,
            label=f"{SOLVER_NAMES[growth.selection.solver]}, {UNITS[growth.selection.solver]}"
            + ", planted" * is_planted,
        )  # fmt: skip
        if growth.line and not is_planted:
            ends = [growth.fitted_sizes[0], growth.fitted_sizes[-1]]
            panel.plot(
                ends,
                [2 ** (growth.line.intercept + growth.line.slope * size) for size in ends],
                color=shade,
                linewidth=0.9,
            )
    for column, family in enumerate(families):
        panel = panels[0, column]
        panel.set_title(ENSEMBLE_NAMES[family], fontweight="bold")
        panel.set_xlabel("pegs")
        panel.set_yscale("log")
        panel.legend(fontsize=FONT_SIZE - 1, handlelength=1, loc="upper left", frameon=False)
        panel.set_ylim(top=panel.get_ylim()[1] * 30)  # so that the legend is above the data
    panels[0, 0].set_ylabel("median steps (0 is drawn at 1/2)")
    return svg(figure)


def peak_figure(peaks: Sequence[Peak]) -> str:
    """Draw the median effort by the number of rows at one size of each ensemble and solver."""
    families = list(dict.fromkeys(peak.selection.family for peak in peaks))
    figure, panels = _study_panels(1, len(families), 2.4)
    for peak in peaks:
        panel = panels[0, families.index(peak.selection.family)]
        index = [*SOLVER_NAMES].index(peak.selection.solver)
        values, bars = _median_bars(peak.medians.values())
        panel.errorbar(
            [rows / peak.half for rows in peak.medians], values, bars,
            color=SOLVER_COLORS[peak.selection.solver], marker=MARKERS[index],
            linewidth=0.8, elinewidth=0.6, markersize=3.5,
            label=f"{SOLVER_NAMES[peak.selection.solver]}, {peak.size} pegs",
        )  # fmt: skip
    for column, family in enumerate(families):
        panel = panels[0, column]
        panel.set_title(ENSEMBLE_NAMES[family], fontweight="bold")
        panel.set_xlabel("rows / predicted half point")
        panel.axvline(1, color="#777777", linewidth=0.6, linestyle=":")
        panel.set_yscale("log")
        panel.set_ylim(top=panel.get_ylim()[1] * 8)  # so that the legend is above the data
        panel.legend(fontsize=FONT_SIZE - 1, loc="upper left", frameon=False)
    panels[0, 0].set_ylabel("median steps (0 is drawn at 1/2)")
    return svg(figure)


KIND_COLORS = {"most": COLORS[3], "few": COLORS[5], "undecided": COLORS[2]}
"""Colors of families, by `Reach.kind`: does linear algebra refute most of their boards, or few?"""


def reach_figure(reaches: Sequence[Reach]) -> str:
    """Draw the pegs up to which `auto` decides most boards of each family, the most pegs first.

    A bar joins this size and the next one, at which `auto` fails; an arrow means no next size.
    """
    ordered = sorted(reaches, key=lambda reach: (-reach.pegs, reach.family, reach.answer))
    figure, panels = _study_panels(1, 1, 0.125 * len(ordered) + 0.6)
    panel = panels[0, 0]
    for row, reach in enumerate(ordered):
        shade = KIND_COLORS.get(reach.kind, "#999999")
        end = reach.next_pegs
        panel.plot([reach.pegs, end or reach.pegs], [row, row], color=shade, linewidth=1)
        panel.plot(
            reach.pegs, row, marker="o" if end else ">", color=shade, linestyle="", markersize=4
        )
        if end:
            panel.plot(end, row, marker="|", color=shade, linestyle="")
    panel.set_yticks(
        range(len(ordered)),
        [f"{reach.family}, {reach.answer}" for reach in ordered],
        fontsize=FONT_SIZE,
    )
    panel.set_ylim(len(ordered) - 0.4, -0.6)
    panel.set_xscale("log")
    panel.set_xlabel("pegs")
    panel.grid(visible=False, axis="y")
    return svg(figure)


MINUS = "&minus;"
"""A typographic minus sign in HTML."""
QUESTIONS = {"any": "a code", "other": "another code than the planted one"}


def size_range(sizes: Sequence[int]) -> str:
    """Return the range from the first to the last size as HTML."""
    if sizes[0] == sizes[-1]:
        return str(sizes[0])
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
    """Return a number of steps with three significant digits; infinite is "over the budget"."""
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


def half_bound(value: float, rows: tuple[int, int], digits: int) -> str:
    """Return a half point; an infinite one is before the first or after the last of `rows`."""
    if math.isinf(value):
        return f"&gt; {rows[1]}" if value > 0 else f"&lt; {rows[0]}"
    return number(value, digits)


def threshold_table(findings: Findings) -> str:
    """Return the table of the numbers of rows at which half of the boards have a code, by size."""

    def row(transition: Transition, size: int, half: Half) -> Sequence[object]:
        unit = entropy_rows(ENSEMBLES[transition.family].colors, size)
        value, low, high = (half_bound(bound, half.rows, 3) for bound in half.observed)
        return (
            size,
            f"{half.num_boards:,}",
            f"{value} [{low}, {high}]",
            half_bound(half.predicted, half.rows, 3),
            number(unit),
            number(half.first_probability),
            f"{half.calibration.expected:,.0f} / {half.calibration.observed:,}",
            number(half.calibration.deviation, 1),
            number(half.calibration.dispersion, 1),
        )

    caption = (
        "<b>Table 1.</b> Rows at which half of the boards have a code, or another than the planted "
        "one: boards; the observed half point with its bootstrap interval, the one predicted from "
        "the covariance of the scores, and r* of independent rows (&lt; and &gt;: before the first "
        "or after the last measured number of rows); the predicted share at the first of the five "
        "numbers of rows around the half point. Then, for the boards of the size, the columns of "
        "Table 2. Nothing is fitted."
    )
    groups = {
        title(transition): [row(transition, *item) for item in transition.halves.items()]
        for transition in findings.transitions
    }
    head = (
        "pegs", "boards", "observed", "predicted", "r*", "first share", "expected / observed", "z",
        "dispersion",
    )  # fmt: skip
    return f'<div class="wide">{table(caption, head, groups)}</div>'


def calibration_table(findings: Findings) -> str:
    """Return the table that compares the estimated probabilities with the verdicts."""

    def cells(calibration: Calibration | None) -> list[str]:
        if calibration is None:
            return ["&ndash;"] * 6
        return [
            f"{calibration.num_boards:,}",
            f"{calibration.expected:,.0f} / {calibration.observed:,}",
            number(calibration.deviation, 1),
            f"{number(calibration.chi_square, 1)} / {calibration.freedom}",
            number(calibration.dispersion, 1),
            p_value(calibration.tail),
        ]

    caption = (
        "<b>Table 2.</b> Goodness of fit: boards; expected and observed number with a code; their "
        "difference in standard deviations; chi-square of 10 groups of boards with similar P and "
        "its degrees of freedom; their ratio (dispersion), which is about 1 if the law holds; and "
        "the p-value. The laws, all for boards of all sizes: P = 1 &minus; exp(&minus;N) without a "
        "fitted parameter; the same after N is multiplied by a random factor (section 3) of median "
        "1 or of mean 1, without a fitted parameter; P = 1 &minus; exp(&minus;e<sup>a</sup>"
        "N<sup>b</sup>) with a and b of Table 4. Last, this law with a and b from the smaller "
        "sizes, for the two largest sizes."
    )
    head = ("", "boards", "expected / observed", "z", "chi-square / df", "dispersion", "p")
    groups = {
        title(transition): [
            ["no fit", *cells(transition.calibration)],
            ["error with median 1", *cells(transition.with_error[0])],
            ["error with mean 1", *cells(transition.with_error[1])],
            ["fitted", *cells(transition.fitted)],
            ["held out", *cells(transition.held_out)],
        ]
        for transition in findings.transitions
    }
    return f'<div class="wide">{table(caption, head, groups)}</div>'


def stratum_table(findings: Findings) -> str:
    """Return the table of the predicted and the observed shares by the estimate."""
    caption = (
        "<b>Table 3.</b> Where P = 1 &minus; exp(&minus;N) fails: boards, predicted and observed "
        "share with a code, by ln N. Nothing is fitted."
    )
    bounds = list(pairwise(STRATUM_BOUNDS))
    groups = {}
    for transition in findings.transitions:
        strata = {(stratum.low, stratum.high): stratum for stratum in transition.strata}
        cells = [
            (f"{s.num_boards:,}", number(s.predicted, 3), number(s.observed, 3))
            if (s := strata.get(pair))
            else ("&ndash;",) * 3
            for pair in bounds
        ]
        groups[title(transition)] = [
            [name, *column]
            for name, column in zip(
                ("boards", "predicted", "observed"), zip(*cells, strict=True), strict=True
            )
        ]
    head = [f"{number(low, 0)} to {number(high, 0)}" for low, high in bounds]
    return table(caption, ["ln N", *head], groups)


def law_table(findings: Findings) -> str:
    """Return the table of the fitted law (`CountLaw`) and of the losses of several laws."""

    def row(transition: Transition) -> Sequence[object]:
        law, losses = transition.law, transition.losses
        factor = math.sqrt(transition.dispersion)
        return (
            title(transition),
            plus_minus(law.intercept, factor * law.intercept_error),
            plus_minus(law.slope, factor * law.slope_error),
            f"{losses.relative_rows:,.0f}",
            f"{losses.shares:,.0f}",
            *(
                f"{unfitted:,.0f} ({fitted:,.0f})"
                for unfitted, fitted in (losses.independent, losses.estimate)
            ),
        )

    caption = (
        "<b>Table 4.</b> The fit of P = 1 &minus; exp(&minus;e<sup>a</sup>N<sup>b</sup>) to all "
        "boards (a = 0 and b = 1 if the estimate is right), with standard errors that are "
        "multiplied by the root of the dispersion that remains after the fit (Table 2), if it is "
        f"above 1; and {MINUS}ln of the likelihood of a logistic law in r/r* (two parameters), of "
        "the observed share of each size and number of rows (a parameter for each; no law of size "
        "and rows alone is more likely), of the estimate without covariances of scores (diagonal "
        "C), and of the estimate (in parentheses, after a fit of a and b). Smaller is better."
    )
    groups = {"": [row(transition) for transition in findings.transitions]}
    head = ("", "a", "b", "r/r*", "shares", "diagonal C", "estimate")
    return f'<div class="wide">{table(caption, head, groups)}</div>'


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
    """Return the table of the effort near the half point by solver."""

    def row(growth: Growth) -> Sequence[object]:
        size = max(growth.medians)
        value, low, high = (three_digits(bound) for bound in growth.medians[size])
        local = [exponent for _, _, exponent in growth.local_exponents]
        first_and_last = [local[0], local[-1]] if len(local) > 1 else local
        ratios, split = growth.held_out, growth.splits.get(size)
        lasts = [growth.last_exponent(name) for name in ("with_code", "without_code")]
        return (
            f"{SOLVER_NAMES[growth.selection.solver]}, {UNITS[growth.selection.solver]}"
            + ", planted" * (growth.selection.answer == "consistent"),
            size_range(sorted(growth.medians)),
            growth.rows[size],
            f"{value} [{low}, {high}]",
            f"{three_digits(split.with_code.value)} / {three_digits(split.without_code.value)}"
            if split
            else "&ndash;",
            f"{number(split.share)}" if split else "&ndash;",
            f"{split.num_immediate} of {split.num_without_code}" if split else "&ndash;",
            size_range(growth.fitted_sizes) if growth.fitted_sizes else "&ndash;",
            with_interval(growth.exponent) if growth.exponent else "&ndash;",
            " &hellip; ".join(map(number, first_and_last)) or "&ndash;",
            " / ".join(map(number, lasts)) if split else "&ndash;",
            p_value(growth.curvature),
            f"{number(ratios[0], 1)} / {number(ratios[1], 1)}" if ratios else "&ndash;",
        )

    conflicts, points = MIN_FITTED_STEPS["cp"], MIN_FITTED_STEPS["lattice"]
    num_censored = sum(growth.num_censored for growth in findings.growths)
    caption = (
        "<b>Table 5.</b> Effort at the measured number of rows nearest to the predicted half point "
        "of random boards: measured sizes. At the largest size: rows; the median; the medians of "
        "the boards with a code and of those without; the share with a code; the boards without a "
        "code that need no step. Then the sizes of the fit (the upper half of those with a median "
        f"of at least {conflicts} conflicts or {points} points); its exponent &alpha; of "
        "2<sup>&alpha;n</sup>, with an interval of sampling only; the local exponents between "
        "neighboring sizes, first and last; the last one of the boards with a code and of those "
        "without; the p-value of curvature, which is small if no exponential holds over all these "
        "sizes; and the median at the largest size, divided by the prediction of an exponential "
        f"and of a power that are fitted to the smaller sizes. {num_censored or 'No'} boards were "
        "over the budget of a solver."
    )
    groups = {
        ENSEMBLE_NAMES[name].capitalize(): [
            row(growth) for growth in findings.growths if growth.selection.family == name
        ]
        for name in ENSEMBLES
    }
    head = (
        "", "pegs", "rows", "median", "with / without", "share", "no step", "fitted", "&alpha;",
        "local &alpha;", "last: with / without", "curvature", "held out",
    )  # fmt: skip
    return f'<div class="wide">{table(caption, head, groups)}</div>'


def planted_table(findings: Findings) -> str:
    """Return the table of the effort on planted boards relative to random boards with a code."""
    caption = (
        "<b>Table 7.</b> Planted boards compared with random boards of the same number of rows "
        "that have a code: the share of the random boards that have one; the ratio of the median "
        "steps (plus one), its interval, and the p-value of the test of Mann and Whitney, adjusted "
        "for all rows of the table."
    )
    rows = [
        (
            f"{SOLVER_NAMES[entry.solver]}, {ENSEMBLE_NAMES[entry.family]}",
            entry.size,
            entry.rows,
            number(entry.share),
            with_interval(entry.ratio),
            p_value(entry.adjusted),
        )
        for entry in findings.planted
    ]
    head = ("", "pegs", "rows", "share", "ratio", "adjusted p")
    return table(caption, head, {"": rows}) if rows else ""


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
            f"{reach.median_pegs:,}",
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
        "<b>Table 8.</b> Families, the largest reach first: the sizes in pegs between which "
        "<code>auto</code> begins to fail. Then, for the largest size with enough boards: pegs, "
        "boards, boards without a code, the share of these that linear algebra refutes, with its "
        "interval, and how (over the rationals, modulo powers of 2 and of 3, by other moduli, by "
        "hidden parities), the boards that bounds refute, and the boards that CP-SAT decides "
        "without a conflict. The groups are by two-sided binomial tests, adjusted for all families."
    )
    head = ("family", "end", "pegs", "boards", "none", "algebra", "by", "bounds", "no conflict")
    return f'<div class="wide">{table(caption, head, groups)}</div>'
