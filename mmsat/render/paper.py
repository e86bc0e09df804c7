"""The study of hardness as a paper: an HTML page in two columns, with all numbers computed."""

from __future__ import annotations

from collections import Counter
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from mmsat.english import join_words, noun_phrase
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


def draw_figures(found: Findings) -> dict[str, str]:
    """Return the figures as SVG, by name, without those of parts that were not measured."""
    by_question = {
        question: [each for each in found.transitions if each.question == question]
        for question in ("any", "other")
    }
    drawn = {
        "transition": by_question["any"] and plots.transition_figure(by_question["any"]),
        "planted": by_question["other"] and plots.transition_figure(by_question["other"]),
        "effort": found.growths and plots.effort_figure(found.growths),
        "reach": found.reaches and plots.reach_figure(found.reaches),
    }
    return {name: str(text) for name, text in drawn.items() if text}


def write_paper(record: Record, found: Findings, figures: dict[str, str], command: str) -> str:
    """Return the paper as an HTML page that prints on A4."""
    sizes = Counter(len(boards) for _, boards in record.points())
    sentences = {
        "abstract": _abstract(record, found),
        "agreement": _agreement(record),
        "threshold": _threshold(found),
        "collapse": _collapse(found),
        "effort": _effort(found),
        "families": _families(found),
    }
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=TITLE,
        boards=max(sizes, key=lambda size: sizes[size]),
        resamples=RESAMPLES,
        gentle=GENTLE,
        command=escape(command),
        degenerate=_degenerate(found),
        threshold_table=threshold_table(found),
        law_table=law_table(found),
        effort_table=effort_table(found),
        planted=_ease_of_planted(found),
        family_table=family_table(found),
        limit=" or ".join(map(str, sorted(found.limits))),
        **{name: " ".join(told) for name, told in sentences.items()},
        **{f"{name}_figure": figures.get(name, "") for name in FIGURES},
        threats=_threats(record),
        environment=_environment(record),
    )


def _degenerate(found: Findings) -> str:
    told = []
    for each in found.transitions:
        if each.question == "any":
            shares = {size: bad / many for size, (bad, many) in each.degenerate.items() if many}
            first, last = min(shares), max(shares)
            told.append(
                f"{100 * shares[first]:.1f} % of the random boards of {NAMES[each.family]} are at "
                f"{first} pegs, and {100 * shares[last]:.1f} % at {last}"
            )
    return (
        "Of more colors the same is asked of black alone: both guesses agree at e pegs, and at the "
        f"others a peg is black in one of them at most. {'; '.join(told)}."
    )


def _agreement(record: Record) -> Iterator[str]:
    for part in ("transition", "growth"):
        each = find_agreement(record, part)
        if each.boards:
            yield (
                f"Of {each.boards:,} boards of the {part}, {each.twice:,} were decided by two "
                f"solvers or more, which agreed on all of them; {each.undecided:,} by none."
            )


def _threshold(found: Findings) -> Iterator[str]:
    for each in found.transitions:
        if each.question == "any":
            size = each.sizes[-1]
            half = each.halves[size]
            rows = expected_rows(ENSEMBLES[each.family].colors, size)
            near = "typical" if is_in(rows.typical, half) else ""
            near += " and average" * bool(near and is_in(rows.average, half))
            near = near or ("average" if is_in(rows.average, half) else "neither")
            yield (
                f"In {NAMES[each.family]}, half of the boards of {size} pegs have a code at "
                f"{with_interval(half, 1)} rows; expected are {rows.typical:.1f} on typical "
                f"boards and {rows.average:.1f} by the average, and the interval holds "
                f"{near}."
            )


def _collapse(found: Findings) -> Iterator[str]:
    for each in found.transitions:
        law = each.laws[-1]
        side = "does not differ from 1"
        if not is_in(1.0, law.location):
            side = "lies below 1" if law.location.high < 1 else "lies above 1"
        within = "holds" if is_in(law.expected, law.exponent) else "does not hold"
        yield (
            f"For {QUESTIONS[each.question]} in {NAMES[each.family]}, {span(law.sizes)} pegs: the "
            f"location {side}, and the interval of the width exponent {within} what the spread of "
            f"scores makes; one law for these sizes {is_rejected(law)}."
        )


def _effort(found: Findings) -> Iterator[str]:
    for each, exponent in _exponents(found):
        sure = "grows" if exponent.low > 0 else "does not grow for certain"
        law = {
            "exponential": "an exponential fits better than a power",
            "power": "a power fits better than an exponential",
            "either": "the sizes do not tell an exponential from a power",
        }[better(each)]
        yield (
            f"In {NAMES[each.kind.family]} the effort of {SOLVER_NAMES[each.kind.solver]} "
            f"{sure} as 2<sup>&alpha;n</sup> with &alpha; = {with_interval(exponent, 3)}; {law}."
        )
    yield (
        "The codes that rearrange one grow as 2<sup>n</sup> in two colors, and as 6<sup>n</sup> = "
        "2<sup>2.58n</sup> in six, up to powers of n."
    )


def _exponents(found: Findings) -> Iterator[tuple[Growth, Estimate]]:
    """Yield the growth of solvers' steps on random boards at the threshold, with exponents."""
    for each in found.growths:
        if each.kind.answer == "any" and each.kind.unit == "steps" and each.exponent:
            yield each, each.exponent


def _ease_of_planted(found: Findings) -> str:
    told = []
    for (family, solver), (size, ratio) in found.planted.items():
        side = "no difference is seen"
        if not is_in(1.0, ratio):
            side = "planted ones are easier" if ratio.high < 1 else "planted ones are harder"
        told.append(
            f"{SOLVER_NAMES[solver]} at {size} pegs of {NAMES[family]}: {with_interval(ratio)}, "
            f"{side}"
        )
    if not told:
        return ""
    return (
        "Planted boards beside random ones that have a code, as a ratio of median steps: "
        f"{'; '.join(told)}."
    )


def _name_kinds(found: Iterable[Reach]) -> str:
    """Return families, each with the answers for which its boards were generated."""
    answers: dict[str, list[str]] = {}
    for each in sorted(found):
        answers.setdefault(each.family, []).append(each.answer)
    return join_words([f"{family} ({', '.join(each)})" for family, each in answers.items()] or [""])


def _families(found: Findings) -> Iterator[str]:
    impossible = [each for each in found.reaches if each.algebra is not None]
    algebraic = _name_kinds(each for each in impossible if is_algebraic(each))
    others = _name_kinds(each for each in impossible if not is_algebraic(each))
    idle, asked = (sum(each.without_conflict[part] for each in found.reaches) for part in (0, 1))
    if algebraic:
        yield (
            f"Of {len(impossible)} kinds with inconsistent boards, linear algebra refutes half or "
            f"more of these boards in {sum(map(is_algebraic, impossible))}: {algebraic}. They say "
            "nothing of search, and are set apart: in Table 4 they come first."
        )
    if others:
        yield f"It refutes fewer of {others}."
    if asked:
        yield (
            f"CP-SAT decides {100 * idle / asked:.0f} % of the boards of Table 4 that it was asked "
            "about without a single conflict."
        )


def _abstract(record: Record, found: Findings) -> Iterator[str]:
    many = sum(len(boards) for _, boards in record.points())
    yield (
        f"We decide {many:,} boards, each with a seed of its own, mostly by two solvers that share "
        "nothing but the board."
    )
    yield from (
        f"Random boards of {NAMES[each.family]} cease to have a code at "
        f"{with_interval(each.laws[-1].location, 3)} times the rows that entropy predicts, with a "
        f"width that shrinks as n<sup>{MINUS}x</sup>, x = {with_interval(each.laws[-1].exponent)}."
        for each in found.transitions
        if each.question == "any"
    )
    for family in ENSEMBLES:
        efforts = [
            f"{with_interval(exponent, 3)} n for {SOLVER_NAMES[each.kind.solver]} up to "
            f"{max(each.medians)} pegs"
            for each, exponent in _exponents(found)
            if each.kind.family == family
        ]
        if efforts:
            yield (
                f"At the threshold of {NAMES[family]} the effort goes as 2 to the power "
                f"{join_words(efforts)}."
            )
    impossible = [each for each in found.reaches if each.algebra is not None]
    if impossible:
        yield (
            f"Of {len(impossible)} kinds of inconsistent boards made by reductions or at random, "
            f"{sum(map(is_algebraic, impossible))} are mostly refuted by linear algebra alone, "
            "and are no evidence of hardness."
        )


def _threats(record: Record) -> str:
    machines = {each["processor"] for each in record.environments}
    return (
        "Medians at sizes that differ by a factor of four or less do not tell an exponential from "
        "a steep power for certain; exponents hold for these solvers, versions and sizes only. "
        "Thresholds of small boards are rounded to whole rows, and the scaling law has no term for "
        "corrections at small sizes. In more than two colors only black is looked at for "
        "degenerate pairs, so that some may be left. A family that linear algebra does not refute "
        "may still be easy. The ends of families are found by 4 to 12 boards a size, until the "
        "interval of the share decided excludes a half, and depend on the machine; seconds are of "
        f"the processor, on {len(machines)} kind{'s' * (len(machines) != 1)} of processor that had "
        "other work to do. Generators limit some families: vertex covers need their least cover."
    )


def _environment(record: Record) -> str:
    commits: dict[str, list[str]] = {}
    for each in record.environments:
        names = [f"{name} {value}" for name, value in each.items() if value and name != "commit"]
        commits.setdefault(join_words(names), []).append(each.get("commit", ""))
    told = [
        f"{name}, at {noun_phrase('commit', found)}" if (found := [*filter(None, each)]) else name
        for name, each in commits.items()
    ]
    return f"Recorded: {escape('; '.join(told))}. A + marks changes that were not yet committed."
