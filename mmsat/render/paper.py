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

from mmsat._util.text import join_words, noun_phrase, quantity
from mmsat.render import plots
from mmsat.render.plots import ENSEMBLE_NAMES, SOLVER_NAMES, UNITS
from mmsat.studies.findings import MIN_MEDIAN_STEPS, Findings, find_agreement
from mmsat.studies.point import ENSEMBLES, expected_rows
from mmsat.studies.statistics import RESAMPLES, Estimate, chi_square_tail

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mmsat.studies.findings import Growth, Law, Reach, Transition
    from mmsat.studies.point import Record

MINUS = "&minus;"
"""A typographic minus sign in HTML."""
SIGNIFICANCE_LEVEL = 0.05
"""Probability of the deviance below which a law is rejected."""
MIN_RESIDUAL_RATIO = 2.0
"""Minimum ratio of the residuals of two laws for one of them to fit better."""
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
    if math.isinf(value):
        return "∞"
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
    return f"{ENSEMBLE_NAMES[transition.family].capitalize()}: {QUESTIONS[transition.question]}"


def is_in(value: float, estimate: Estimate) -> bool:
    """Return whether a value is in a confidence interval."""
    return estimate.low <= value <= estimate.high


def threshold_table(findings: Findings) -> str:
    """Return the table of the numbers of rows at which half of the boards have a code, by size."""

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
            size_range(law.sizes),
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


def rejection(law: Law) -> str:
    """Return whether the law is rejected, in words."""
    tail = chi_square_tail(law.fit.deviance, law.fit.freedom)
    return "is rejected" if tail < SIGNIFICANCE_LEVEL else "is not rejected"


def effort_table(findings: Findings) -> str:
    """Return the table of the effort at the threshold, by solver and unit."""

    def row(growth: Growth) -> Sequence[object]:
        unit = UNITS[growth.kind.solver] if growth.kind.unit == "steps" else growth.kind.unit
        value, low, high = (three_digits(bound) for bound in growth.medians[max(growth.medians)])
        return (
            f"{SOLVER_NAMES[growth.kind.solver]}, {unit}",
            size_range(sorted(growth.medians)),
            f"{value} [{low}, {high}]",
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
        ENSEMBLE_NAMES[name].capitalize(): [
            row(growth) for growth in random if growth.kind.family == name
        ]
        for name in ENSEMBLES
    }
    return table(caption, ("", "pegs", "median", "&alpha;", "&beta;"), groups)


def better_law(growth: Growth) -> str:
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

    ordered = sorted(findings.reaches, key=lambda reach: (reach.family, reach.answer))
    groups = {
        "Mostly refuted by linear algebra": [
            row(reach) for reach in ordered if is_algebraic(reach)
        ],
        "Mostly not refuted by linear algebra": [
            row(reach) for reach in ordered if reach.algebra and not is_algebraic(reach)
        ],
        "No inconsistent boards": [row(reach) for reach in ordered if not reach.algebra],
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


TEMPLATE = Path(__file__).with_suffix(".html")
FIGURES = ("transition", "planted", "effort", "reach")
TITLE = "Where Mastermind boards are hard: thresholds, effort, and what linear algebra takes away"


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
        "effort": findings.growths and plots.effort_figure(findings.growths),
        "reach": findings.reaches and plots.reach_figure(findings.reaches),
    }
    return {name: str(text) for name, text in figures.items() if text}


def write_paper(record: Record, findings: Findings, figures: dict[str, str], command: str) -> str:
    """Return the paper as an HTML page that prints on A4."""
    num_points = Counter(len(boards) for _, boards in record.points())  # by number of boards
    sentences = {
        "abstract": _abstract(record, findings),
        "agreement": _agreement(record),
        "threshold": _threshold(findings),
        "collapse": _collapse(findings),
        "effort": _effort(findings),
        "families": _families(findings),
    }
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=TITLE,
        boards=max(num_points, key=lambda num_boards: num_points[num_boards]),
        resamples=RESAMPLES,
        gentle=MIN_MEDIAN_STEPS,
        command=escape(command),
        degenerate=_degenerate(findings),
        threshold_table=threshold_table(findings),
        law_table=law_table(findings),
        effort_table=effort_table(findings),
        planted=_ease_of_planted(findings),
        family_table=family_table(findings),
        limit=" or ".join(map(str, sorted(findings.limits))),
        **{name: " ".join(section) for name, section in sentences.items()},
        **{f"{name}_figure": figures.get(name, "") for name in FIGURES},
        threats=_threats(record),
        environment=_environment(record),
    )


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
                f"decided by two solvers or more, which agreed on all of them; "
                f"{agreement.undecided:,} were decided by none."
            )


def _threshold(findings: Findings) -> Iterator[str]:
    for transition in findings.transitions:
        if transition.question == "any":
            size = transition.sizes[-1]
            half = transition.halves[size]
            rows = expected_rows(ENSEMBLES[transition.family].colors, size)
            matching_predictions = "typical" if is_in(rows.typical, half) else ""
            matching_predictions += " and average" * bool(
                matching_predictions and is_in(rows.average, half)
            )
            matching_predictions = matching_predictions or (
                "average" if is_in(rows.average, half) else "neither"
            )
            yield (
                f"In {ENSEMBLE_NAMES[transition.family]}, half of the boards of {size} pegs have a "
                f"code at {with_interval(half, 1)} rows; the predictions are {rows.typical:.1f} "
                f"for typical boards and {rows.average:.1f} for the average, and the interval "
                f"contains {matching_predictions}."
            )


def _collapse(findings: Findings) -> Iterator[str]:
    for transition in findings.transitions:
        law = transition.laws[-1]
        side = "does not differ from 1"
        if not is_in(1.0, law.location):
            side = "is below 1" if law.location.high < 1 else "is above 1"
        within = "contains" if is_in(law.expected, law.exponent) else "does not contain"
        yield (
            f"For {QUESTIONS[transition.question]} in {ENSEMBLE_NAMES[transition.family]}, "
            f"{size_range(law.sizes)} pegs: the location {side}, "
            f"and the interval of the width exponent {within} the value that the spread of "
            f"scores predicts; one law for these sizes {rejection(law)}."
        )


def _effort(findings: Findings) -> Iterator[str]:
    for growth, exponent in _exponents(findings):
        growth_words = "grows" if exponent.low > 0 else "does not grow significantly"
        comparison = {
            "exponential": "an exponential fits better than a power",
            "power": "a power fits better than an exponential",
            "either": "the sizes do not distinguish an exponential from a power",
        }[better_law(growth)]
        yield (
            f"In {ENSEMBLE_NAMES[growth.kind.family]} the effort of "
            f"{SOLVER_NAMES[growth.kind.solver]} {growth_words} as 2<sup>&alpha;n</sup> "
            f"with &alpha; = {with_interval(exponent, 3)}; {comparison}."
        )
    yield (
        "The codes that rearrange one grow as 2<sup>n</sup> in two colors, and as 6<sup>n</sup> = "
        "2<sup>2.58n</sup> in six, up to powers of n."
    )


def _exponents(findings: Findings) -> Iterator[tuple[Growth, Estimate]]:
    """Yield the growths of steps on random boards at the threshold that have an exponent."""
    for growth in findings.growths:
        if growth.kind.answer == "any" and growth.kind.unit == "steps" and growth.exponent:
            yield growth, growth.exponent


def _ease_of_planted(findings: Findings) -> str:
    statements = []
    for (family, solver), (size, ratio) in findings.planted.items():
        side = "no difference is seen"
        if not is_in(1.0, ratio):
            side = "planted ones are easier" if ratio.high < 1 else "planted ones are harder"
        statements.append(
            f"{SOLVER_NAMES[solver]} at {size} pegs of {ENSEMBLE_NAMES[family]}: "
            f"{with_interval(ratio)}, {side}"
        )
    if not statements:
        return ""
    return (
        "Planted boards compared with random boards that have a code, as ratios of median steps: "
        f"{'; '.join(statements)}."
    )


def _name_kinds(reaches: Iterable[Reach]) -> str:
    """Return the families in words, each with the answers for which its boards were generated."""
    answers: dict[str, list[str]] = {}
    for reach in sorted(reaches):
        answers.setdefault(reach.family, []).append(reach.answer)
    kinds = [f"{family} ({', '.join(names)})" for family, names in answers.items()]
    return join_words(kinds or [""])


def _families(findings: Findings) -> Iterator[str]:
    inconsistent = [reach for reach in findings.reaches if reach.algebra is not None]
    algebraic = _name_kinds(reach for reach in inconsistent if is_algebraic(reach))
    others = _name_kinds(reach for reach in inconsistent if not is_algebraic(reach))
    num_without_conflict, num_boards = (
        sum(reach.without_conflict[index] for reach in findings.reaches) for index in (0, 1)
    )
    if algebraic:
        yield (
            f"Of {len(inconsistent)} kinds with inconsistent boards, linear algebra refutes half "
            f"or more of these boards in {sum(map(is_algebraic, inconsistent))}: {algebraic}. They "
            "are not evidence about search, and are listed first in Table 4."
        )
    if others:
        yield f"It refutes fewer of {others}."
    if num_boards:
        yield (
            f"CP-SAT decides {100 * num_without_conflict / num_boards:.0f} % of the boards of "
            "Table 4 on which it was run without a single conflict."
        )


def _abstract(record: Record, findings: Findings) -> Iterator[str]:
    num_boards = sum(len(boards) for _, boards in record.points())
    yield (
        f"We decide {num_boards:,} boards, each with a different seed, mostly by two "
        "independent solvers."
    )
    yield from (
        f"Random boards of {ENSEMBLE_NAMES[transition.family]} cease to have a code at "
        f"{with_interval(transition.laws[-1].location, 3)} times the rows that entropy predicts, "
        f"with a width that shrinks as n<sup>{MINUS}x</sup>, "
        f"x = {with_interval(transition.laws[-1].exponent)}."
        for transition in findings.transitions
        if transition.question == "any"
    )
    for family in ENSEMBLES:
        efforts = [
            f"{with_interval(exponent, 3)} n for {SOLVER_NAMES[growth.kind.solver]} up to "
            f"{max(growth.medians)} pegs"
            for growth, exponent in _exponents(findings)
            if growth.kind.family == family
        ]
        if efforts:
            yield (
                f"At the threshold of {ENSEMBLE_NAMES[family]} the effort grows as 2 to the power "
                f"{join_words(efforts)}."
            )
    inconsistent = [reach for reach in findings.reaches if reach.algebra is not None]
    if inconsistent:
        yield (
            f"Of {len(inconsistent)} kinds of inconsistent boards made by reductions or at random, "
            f"{sum(map(is_algebraic, inconsistent))} are mostly refuted by linear algebra alone, "
            "and so are not evidence of hardness."
        )


def _threats(record: Record) -> str:
    machines = {environment["processor"] for environment in record.environments}
    return (
        "Medians at sizes that differ by a factor of four or less do not reliably distinguish an "
        "exponential from a steep power; exponents hold only for these solvers, versions and "
        "sizes. "
        "Thresholds of small boards are rounded to whole rows, and the scaling law has no term for "
        "corrections at small sizes. With more than two colors, only black is examined for "
        "degenerate pairs, so some may remain. A family that linear algebra does not refute "
        "may still be easy. The limits of families are found with 4 to 12 boards per size, until "
        "the interval of the decided share excludes one half, and depend on the machine. Seconds "
        f"are processor time, on {quantity(len(machines), 'kind')} of processor under other load. "
        "Generators limit some families: vertex covers need a minimum cover."
    )


def _environment(record: Record) -> str:
    commits: dict[str, list[str]] = {}
    for environment in record.environments:
        names = [
            f"{name} {value}" for name, value in environment.items() if value and name != "commit"
        ]
        commits.setdefault(join_words(names), []).append(environment.get("commit", ""))
    descriptions = [
        f"{name}, at {noun_phrase('commit', hashes)}"
        if (hashes := [*filter(None, all_hashes)])
        else name
        for name, all_hashes in commits.items()
    ]
    return (
        f"Recorded: {escape('; '.join(descriptions))}. A + marks changes that were not yet "
        "committed."
    )
