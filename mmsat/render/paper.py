"""The study of hardness as a paper: an HTML page in two columns, with all numbers computed."""

from __future__ import annotations

from collections import Counter
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from mmsat.english import join_words, noun_phrase, quantity
from mmsat.render import plots
from mmsat.render.paper_tables import (
    MINUS,
    QUESTIONS,
    better,
    effort_table,
    family_table,
    is_algebraic,
    is_in,
    is_rejected,
    law_table,
    span,
    threshold_table,
    with_interval,
)
from mmsat.render.plots import NAMES, SOLVER_NAMES
from mmsat.studies.findings import (
    GENTLE,
    Findings,
    find_agreement,
)
from mmsat.studies.point import ENSEMBLES, expected_rows
from mmsat.studies.statistics import RESAMPLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mmsat.studies.findings import Growth, Reach
    from mmsat.studies.record import Record
    from mmsat.studies.statistics import Estimate

TEMPLATE = Path(__file__).with_suffix(".html")
FIGURES = ("transition", "planted", "effort", "reach")
TITLE = "Where Mastermind boards are hard: thresholds, effort, and what linear algebra takes away"


def draw_figures(findings: Findings) -> dict[str, str]:
    """Return the figures as SVG, by name, without those of parts that were not measured."""
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
    sizes = Counter(len(boards) for _, boards in record.points())
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
        boards=max(sizes, key=lambda size: sizes[size]),
        resamples=RESAMPLES,
        gentle=GENTLE,
        command=escape(command),
        degenerate=_degenerate(findings),
        threshold_table=threshold_table(findings),
        law_table=law_table(findings),
        effort_table=effort_table(findings),
        planted=_ease_of_planted(findings),
        family_table=family_table(findings),
        limit=" or ".join(map(str, sorted(findings.limits))),
        **{name: " ".join(sentences_of_part) for name, sentences_of_part in sentences.items()},
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
                f"{NAMES[transition.family]} are at {first} pegs, and "
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
                f"In {NAMES[transition.family]}, half of the boards of {size} pegs have a code at "
                f"{with_interval(half, 1)} rows; the predictions are {rows.typical:.1f} for "
                f"typical boards and {rows.average:.1f} for the average, and the interval contains "
                f"{matching_predictions}."
            )


def _collapse(findings: Findings) -> Iterator[str]:
    for transition in findings.transitions:
        law = transition.laws[-1]
        side = "does not differ from 1"
        if not is_in(1.0, law.location):
            side = "is below 1" if law.location.high < 1 else "is above 1"
        within = "contains" if is_in(law.expected, law.exponent) else "does not contain"
        yield (
            f"For {QUESTIONS[transition.question]} in {NAMES[transition.family]}, "
            f"{span(law.sizes)} pegs: the location {side}, "
            f"and the interval of the width exponent {within} the value that the spread of "
            f"scores predicts; one law for these sizes {is_rejected(law)}."
        )


def _effort(findings: Findings) -> Iterator[str]:
    for growth, exponent in _exponents(findings):
        growth_words = "grows" if exponent.low > 0 else "does not grow significantly"
        comparison = {
            "exponential": "an exponential fits better than a power",
            "power": "a power fits better than an exponential",
            "either": "the sizes do not distinguish an exponential from a power",
        }[better(growth)]
        yield (
            f"In {NAMES[growth.kind.family]} the effort of {SOLVER_NAMES[growth.kind.solver]} "
            f"{growth_words} as 2<sup>&alpha;n</sup> with &alpha; = "
            f"{with_interval(exponent, 3)}; {comparison}."
        )
    yield (
        "The codes that rearrange one grow as 2<sup>n</sup> in two colors, and as 6<sup>n</sup> = "
        "2<sup>2.58n</sup> in six, up to powers of n."
    )


def _exponents(findings: Findings) -> Iterator[tuple[Growth, Estimate]]:
    """Yield the growth of solvers' steps on random boards at the threshold, with exponents."""
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
            f"{SOLVER_NAMES[solver]} at {size} pegs of {NAMES[family]}: {with_interval(ratio)}, "
            f"{side}"
        )
    if not statements:
        return ""
    return (
        "Planted boards compared with random boards that have a code, as ratios of median steps: "
        f"{'; '.join(statements)}."
    )


def _name_kinds(reaches: Iterable[Reach]) -> str:
    """Return families, each with the answers for which its boards were generated."""
    answers: dict[str, list[str]] = {}
    for each in sorted(reaches):
        answers.setdefault(each.family, []).append(each.answer)
    return join_words([f"{family} ({', '.join(each)})" for family, each in answers.items()] or [""])


def _families(findings: Findings) -> Iterator[str]:
    impossible = [reach for reach in findings.reaches if reach.algebra is not None]
    algebraic = _name_kinds(reach for reach in impossible if is_algebraic(reach))
    others = _name_kinds(reach for reach in impossible if not is_algebraic(reach))
    without_conflict, queried = (
        sum(reach.without_conflict[part] for reach in findings.reaches) for part in (0, 1)
    )
    if algebraic:
        yield (
            f"Of {len(impossible)} kinds with inconsistent boards, linear algebra refutes half or "
            f"more of these boards in {sum(map(is_algebraic, impossible))}: {algebraic}. They are "
            "not evidence about search, and are listed first in Table 4."
        )
    if others:
        yield f"It refutes fewer of {others}."
    if queried:
        yield (
            f"CP-SAT decides {100 * without_conflict / queried:.0f} % of the boards of "
            "Table 4 on which it was run without a single conflict."
        )


def _abstract(record: Record, findings: Findings) -> Iterator[str]:
    num_boards = sum(len(boards) for _, boards in record.points())
    yield (
        f"We decide {num_boards:,} boards, each with a different seed, mostly by two "
        "independent solvers."
    )
    yield from (
        f"Random boards of {NAMES[each.family]} cease to have a code at "
        f"{with_interval(each.laws[-1].location, 3)} times the rows that entropy predicts, with a "
        f"width that shrinks as n<sup>{MINUS}x</sup>, x = {with_interval(each.laws[-1].exponent)}."
        for each in findings.transitions
        if each.question == "any"
    )
    for family in ENSEMBLES:
        efforts = [
            f"{with_interval(exponent, 3)} n for {SOLVER_NAMES[each.kind.solver]} up to "
            f"{max(each.medians)} pegs"
            for each, exponent in _exponents(findings)
            if each.kind.family == family
        ]
        if efforts:
            yield (
                f"At the threshold of {NAMES[family]} the effort grows as 2 to the power "
                f"{join_words(efforts)}."
            )
    impossible = [each for each in findings.reaches if each.algebra is not None]
    if impossible:
        yield (
            f"Of {len(impossible)} kinds of inconsistent boards made by reductions or at random, "
            f"{sum(map(is_algebraic, impossible))} are mostly refuted by linear algebra alone, "
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
        f"{name}, at {noun_phrase('commit', known)}" if (known := [*filter(None, hashes)]) else name
        for name, hashes in commits.items()
    ]
    return (
        f"Recorded: {escape('; '.join(descriptions))}. A + marks changes that were not yet "
        "committed."
    )
