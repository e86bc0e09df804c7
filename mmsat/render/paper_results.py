"""The abstract and the results of the paper of the study, as sentences in HTML.

The findings determine the words, so that the text is true for any record. `mmsat.studies` defines
the terms. "The law" is P = 1 - exp(-N), the probability that a board has a code.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mmsat._util.text import join_words, quantity
from mmsat.render.paper_figures import (
    ENSEMBLE_NAMES,
    MINUS,
    SOLVER_NAMES,
    number,
    p_equals,
    three_digits,
)
from mmsat.studies.findings import find_agreement
from mmsat.studies.statistics import SIGNIFICANCE_LEVEL, adjust
from mmsat.studies.transition import COUNT_BOUNDS, STRATUM_WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mmsat.studies import Record
    from mmsat.studies.findings import Findings, Growth, Peak
    from mmsat.studies.transition import CountProfile, Selection, Transition


def _ensemble_name(transition: Transition) -> str:
    """Return the kind of boards and the family of a transition in words."""
    answer = "random" if transition.question == "any" else "planted"
    return f"{answer} boards of {ENSEMBLE_NAMES[transition.family]}"


def _names_of_rejected(transitions: Iterable[Transition]) -> list[str]:
    """Return the names of the ensembles in which the law with two fitted parameters is rejected."""
    return [_ensemble_name(t) for t in transitions if t.fitted.tail < SIGNIFICANCE_LEVEL]


def _size_dependent(transitions: Iterable[Transition]) -> list[Transition]:
    """Return the ensembles in which the intercept of the fitted law depends on the size."""
    return [t for t in transitions if t.size_tests.intercept < SIGNIFICANCE_LEVEL]


def _largest_error(transitions: Iterable[Transition]) -> float:
    """Return the largest difference of an observed and a predicted half point."""
    errors = [
        abs(half.observed.value - half.predicted)
        for transition in transitions
        for half in transition.halves.values()
        if half.is_compared
    ]
    return max(errors, default=math.nan)


def _excess(transition: Transition) -> float:
    """Return by how many percent the number of boards with a code exceeds the predicted one."""
    fit = transition.calibration
    return 100 * (fit.observed / fit.expected - 1)


def _of_all(count: int, total: int) -> str:
    """Return a text such as "3 of 4 ensembles" or "all 4 ensembles"."""
    if count == total > 1:
        return f"all {total} ensembles"
    return f"{count} of {quantity(total, 'ensemble')}"


def _signed(value: float, digits: int) -> str:
    """Return a number with its sign."""
    return "+" * (value > 0) + number(value, digits)


def describe_thresholds(findings: Findings) -> Iterator[str]:
    """Yield sentences that compare the predictions with the verdicts, in two HTML paragraphs."""
    transitions = findings.transitions
    for question, name in (("any", "random"), ("other", "planted")):
        group = [transition for transition in transitions if transition.question == question]
        compared = [
            half.observed.low <= half.predicted <= half.observed.high
            for transition in group
            for half in transition.halves.values()
            if half.is_compared
        ]
        if compared:
            yield (
                f"On {name} boards, the observed and the predicted half points differ by up to "
                f"{_largest_error(group):.2f} rows, and {sum(compared)} of {len(compared)} "
                "predictions are in the intervals (Table 1)."
            )
        for transition in group:
            for size, half in transition.halves.items():
                values = {"observed": half.observed.value, "predicted": half.predicted}
                for kind, value in values.items():
                    if math.isfinite(value):
                        continue
                    place = "before the first" if value < 0 else "after the last"
                    yield (
                        f"At {size} pegs of {ENSEMBLE_NAMES[transition.family]}, the {kind} half "
                        f"point of {name} boards is {place} measured number of rows "
                        f"({half.rows[0 if value < 0 else 1]}), and is not compared."
                    )
    if not transitions:
        return
    yield "</p><p>"
    rejected = [t for t in transitions if t.calibration.tail < SIGNIFICANCE_LEVEL]
    excesses = [f"{_signed(_excess(t), 1)} % ({_ensemble_name(t)})" for t in transitions]
    yield (
        f"Nevertheless, P = 1 {MINUS} exp({MINUS}N) without a fitted parameter is rejected in "
        f"{_of_all(len(rejected), len(transitions))} (Table 2). The observed "
        f"number of boards with a code differs from the expected one by {join_words(excesses)}."
        if rejected
        else f"P = 1 {MINUS} exp({MINUS}N) without a fitted parameter is not rejected (Table 2)."
    )
    names = _names_of_rejected(transitions)
    yield (
        "With two fitted parameters common to all sizes, a and b, the law is rejected for "
        f"{join_words(names)}" + (" only" if len(names) < len(transitions) else "") + " (Table 2)."
        if names
        else "With two fitted parameters, a and b, the law is not rejected (Table 2)."
    )
    dependent = [
        f"{_ensemble_name(t)} ({p_equals(t.size_tests.intercept)})"
        for t in _size_dependent(transitions)
    ]
    if dependent:
        yield (
            "However, chi-square is not sensitive to a slow change with the size. If the logarithm "
            "of the size is added to the law, the likelihood increases significantly for "
            f"{join_words(dependent)}: there, a depends on the size."
        )
    predictions = [
        f"{'' if t.held_out.tail < SIGNIFICANCE_LEVEL else 'not '}rejected for {_ensemble_name(t)} "
        f"({p_equals(t.held_out.tail)})"
        for t in transitions
        if t.held_out
    ]
    if predictions:
        yield (
            "If a and b are fitted to the smaller sizes, the prediction of the two largest sizes "
            f"is {join_words(predictions)}."
        )
    yield from _describe_misfit([t for t in transitions if t.question == "any"])


def _describe_misfit(transitions: list[Transition]) -> Iterator[str]:
    """Yield sentences on the boards for which the law fails, and on possible explanations."""
    if not transitions:
        return
    worst = [
        (
            max(transition.strata, key=lambda s: abs(s.observed - s.predicted)),
            ENSEMBLE_NAMES[transition.family],
        )
        for transition in transitions
        if transition.strata
    ]
    differences = [
        f"{_signed(s.observed - s.predicted, 3)} in {name} (ln N from {number(s.low, 0)} to "
        f"{number(s.high, 0)})"
        for s, name in worst
    ]
    yield (
        "The half points agree better than the probabilities, because a curve that is too flat "
        "still crosses one half at nearly the same place. Table 3 shows where the law fails on "
        f"random boards; the largest difference is {join_words(differences)}."
    )
    # The sentence is an example, so one ensemble is enough.
    for transition in transitions:
        sentence = _compare_first_shares(transition)
        if sentence:
            yield sentence
            break
    changes = [
        f"from {t.calibration.chi_square:.0f} to {t.with_error[0].chi_square:.0f} in "
        f"{ENSEMBLE_NAMES[t.family]}"
        for t in transitions
    ]
    means = [f"{t.with_error[1].chi_square:.0f}" for t in transitions]
    explained = [
        ENSEMBLE_NAMES[t.family]
        for t in transitions
        if t.with_error[0].chi_square < t.calibration.chi_square / 2
    ]
    worsened = [
        ENSEMBLE_NAMES[t.family]
        for t in transitions
        if t.with_error[1].chi_square > t.calibration.chi_square
    ]
    worse = f"; with the mean 1, the fit is worse in {join_words(worsened)}" if worsened else ""
    share = "explains more than half of the misfit"
    finding = f"{share} in {join_words(explained)} only" if explained else f"nowhere {share}"
    laws = [
        f"{number(t.error_law.factor, 1)} and {number(t.error_law.shift)} in "
        f"{ENSEMBLE_NAMES[t.family]}, where chi-square is {t.fitted_error.chi_square:.1f} with "
        f"{t.fitted_error.freedom} degrees of freedom ({p_equals(t.fitted_error.tail)}; "
        f"{t.fitted.chi_square:.1f} with a and b instead)"
        for t in transitions
    ]
    yield (
        "</p><p>An error of ln N flattens the curve. With the error of section 3, and nothing "
        f"fitted, chi-square changes {join_words(changes)} if its factor in N has the "
        "median 1, and to "
        f"{join_words(means)} if it has the mean 1 (Table 2). So with the median 1 the "
        f"error {finding}{worse}. Which of the two holds was "
        "not measured. If the "
        "size of the error and a shift of ln N are fitted, in multiples of the documented standard "
        f"deviation and variance, they are {join_words(laws)}."
    )
    losses = [
        f"{t.losses.independent[0]:,.0f} without and {t.losses.estimate[0]:,.0f} with them in "
        f"{ENSEMBLE_NAMES[t.family]}"
        for t in transitions
    ]
    yield (
        "The covariances of different scores are essential: "
        f"{MINUS}ln of the likelihood is {join_words(losses)} (Table 4)."
    )


def _compare_first_shares(transition: Transition) -> str:
    """Return a sentence that compares z, the deviation, at two sizes with z at the sizes before.

    The two sizes are those with the lowest `Half.first_probability`, which Table 1 calls the first
    share. The first size is not among them, because it has no size before it. Return an empty text
    if there is only one size.
    """
    halves, sizes = transition.halves, sorted(transition.halves)
    lowest = sorted(sorted(sizes[1:], key=lambda size: halves[size].first_probability)[:2])
    if not lowest:
        return ""
    before = [sizes[sizes.index(size) - 1] for size in lowest]
    shares = [number(halves[size].first_probability) for size in lowest]
    z, z_before = (
        [number(halves[size].calibration.deviation, 1) for size in group]
        for group in (lowest, before)
    )
    return (
        f"At {join_words(lowest)} pegs of {ENSEMBLE_NAMES[transition.family]}, the rows begin at a "
        f"share of {join_words(shares)} (Table 1, first share), so fewer boards have 1 to 10 "
        f"expected codes; there, z is {join_words(z)}, against {join_words(z_before)} at "
        f"{join_words(before)} pegs."
    )


def describe_effort(findings: Findings) -> Iterator[str]:
    """Yield sentences on the effort by the number of rows, by the verdict and by the size."""
    if findings.peaks:
        yield from _describe_peaks(findings.peaks)
    random = [growth for growth in findings.growths if growth.selection.answer == "any"]
    yield from _describe_splits([growth for growth in random if growth.splits])
    yield from describe_counts(findings)
    yield from describe_rows(findings)
    curved = [growth for growth in random if growth.curvature < SIGNIFICANCE_LEVEL]
    tested = [growth for growth in random if not math.isnan(growth.curvature)]
    if tested:
        names = [solver_and_ensemble(growth.selection) for growth in curved]
        yield (
            f"The logarithm of the effort is significantly curved for {len(curved)} of "
            f"{len(tested)} solvers and ensembles with four sizes or more"
            + (f" ({join_words(names)})" if names else "")
            + ". Where it is, the exponent describes the fitted sizes only, and its interval, "
            "which is of sampling only, does not include the lack of fit."
        )
    held_out = [
        (growth, abs(math.log(growth.held_out[0])), abs(math.log(growth.held_out[1])))
        for growth in random
        if growth.held_out
    ]
    if held_out:
        num_closer = sum(exponential < power for _, exponential, power in held_out)
        factors = [
            f"a factor of {number(factor, 2 if factor < 2 else 1)} for "
            f"{solver_and_ensemble(growth.selection)}"
            for growth, exponential, _ in held_out
            for factor in [math.exp(exponential)]
        ]
        yield (
            f"At the largest size, the exponential of the smaller sizes predicts the median better "
            f"than the power in {num_closer} of {len(held_out)} cases; it differs from the median "
            f"by {join_words(factors)}. With these few sizes, this is not a test between the two "
            "laws."
        )


def _describe_peaks(peaks: list[Peak]) -> Iterator[str]:
    """Yield sentences on the number of rows at which the effort is largest."""
    places = [
        f"{number(peak.highest / peak.half)} "
        f"({SOLVER_NAMES[peak.selection.solver]}, {peak.size} pegs, "
        f"{ENSEMBLE_NAMES[peak.selection.family]}"
        + ", at the largest measured number of rows" * (peak.highest == max(peak.medians))
        + ")"
        for peak in peaks
    ]
    yield (
        "By the number of rows (Figure 3), the median effort is largest at these multiples of the "
        f"predicted half point: {join_words(places)}."
    )
    significant = [peak for peak in peaks if peak.neighbor_p < SIGNIFICANCE_LEVEL]
    names = [solver_and_ensemble(peak.selection) for peak in significant]
    yield (
        "The highest median differs significantly from those at both neighboring numbers of rows "
        f"for {join_words(names) if names else 'no solver'}"
        + (" only" if names and len(names) < len(peaks) else "")
        + ", so the place of the peak is known to a few rows at best."
    )


def _solvers_with_easier_refutations(growths: list[Growth]) -> list[str]:
    """Return the names of solvers for which boards without a code are significantly easier."""
    splits = [growth.splits[max(growth.splits)] for growth in growths]
    p_values = adjust([split.p_value for split in splits])
    easier = [
        growth.selection
        for growth, split, p in zip(growths, splits, p_values, strict=True)
        if p < SIGNIFICANCE_LEVEL and split.without_code.value < split.with_code.value
    ]
    families = {
        solver: [selection.family for selection in easier if selection.solver == solver]
        for solver in dict.fromkeys(selection.solver for selection in easier)
    }
    all_families = [growth.selection.family for growth in growths]
    return [
        SOLVER_NAMES[solver]
        if {*names} == {*all_families}
        else f"{SOLVER_NAMES[solver]} in {join_words(ENSEMBLE_NAMES[name] for name in names)}"
        for solver, names in families.items()
    ]


def _describe_splits(growths: list[Growth]) -> Iterator[str]:
    """Yield sentences that compare boards with and without a code, near the half point."""
    if not growths:
        return
    names = _solvers_with_easier_refutations(growths)
    if names:
        yield (
            "Near the half point, boards with a code and boards without one are two kinds: at the "
            "largest size, those without a code need significantly fewer steps for "
            f"{join_words(names)} (Table 5)."
        )
    immediate = [
        f"{100 * split.num_immediate / split.num_without_code:.0f} % at {size} pegs of "
        f"{ENSEMBLE_NAMES[growth.selection.family]}"
        for growth in growths
        if growth.selection.solver == "cp"
        for size, split in [max(growth.splits.items())]
    ]
    if immediate:
        boards = "the boards without a code"
        yield f"Of {boards}, CP-SAT refutes {join_words(immediate)} without a conflict."
    shares = [split.share for growth in growths for split in growth.splits.values()]
    yield (
        "The pooled median of a size lies between the medians of the boards with a code and of "
        "those without one, and moves with the share of the boards that have a code, which is "
        f"{number(min(shares))} to {number(max(shares))} at the "
        "measured sizes; therefore Table 5 has the last local exponent of each kind as well."
    )


def _largest_profiles(findings: Findings) -> list[CountProfile]:
    """Return the profile of the largest size of each solver and ensemble."""
    # The profiles are in the order of their sizes, so the last one of each selection is kept.
    return [*{profile.selection: profile for profile in findings.profiles}.values()]


def _index_of_largest(medians: Sequence[float]) -> int:
    """Return the index of the largest median, ignoring NaN; if all are NaN, return -1."""
    indices = (index for index, median in enumerate(medians) if not math.isnan(median))
    return max(indices, key=medians.__getitem__, default=-1)


def solver_and_ensemble(selection: Selection) -> str:
    """Return the names of the solver and of the ensemble of a selection."""
    return f"{SOLVER_NAMES[selection.solver]} in {ENSEMBLE_NAMES[selection.family]}"


def describe_counts(findings: Findings) -> Iterator[str]:
    """Yield sentences on how the effort depends on N, and on the verdict at equal ln N."""
    profiles = _largest_profiles(findings)
    if not profiles:
        return
    first = profiles[0]
    yield (
        "The rank correlation of the effort "
        f"with {MINUS}|ln N| is {number(first.count_correlation)}, and that with the negative "
        f"distance from the half point is {number(first.rows_correlation)}, for "
        f"{SOLVER_NAMES[first.selection.solver]} at {first.size} pegs of "
        f"{ENSEMBLE_NAMES[first.selection.family]} (Table 6)."
    )
    middle = [index for index, low in enumerate(COUNT_BOUNDS[:-1]) if -2 <= low < 2]
    num_middle = sum(_index_of_largest(profile.medians) in middle for profile in profiles)
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
            solver_and_ensemble(profile.selection)
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
    exception = "; otherwise the difference is not significant" * (not is_all)
    finding = " and ".join(parts) or "no kind of board is significantly harder"
    yield f"At equal ln N at the largest sizes, {finding}{exception if parts else ''}."


def describe_rows(findings: Findings) -> Iterator[str]:
    """Yield a sentence if boards with a code still become harder beyond the half point."""
    profiles = {(profile.selection, profile.size): profile for profile in findings.profiles}
    for peak in findings.peaks:
        profile = profiles.get((peak.selection, peak.size))
        if profile is None or peak.selection.solver != "lattice":
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
                f"{solver_and_ensemble(peak.selection)} at {peak.size} pegs and "
                f"{join_words(map(str, shown))} rows are {join_words(map(three_digits, values))}. "
                "The peak by rows is where most boards have lost their codes and have a small N."
            )
            return


def describe_planted(findings: Findings) -> Iterator[str]:
    """Yield a sentence for each significant difference of planted and random boards with a code."""
    significant = [entry for entry in findings.planted if entry.adjusted < SIGNIFICANCE_LEVEL]
    for entry in significant:
        planted, random = entry.log_counts
        size = "smaller" if planted < random else "larger"
        correlations = (f"{number(value)}" for value in entry.correlations)
        verdict = "still" if entry.equal_count_p < SIGNIFICANCE_LEVEL else "not"
        yield (
            f"For {SOLVER_NAMES[entry.solver]} at {entry.size} pegs of "
            f"{ENSEMBLE_NAMES[entry.family]}, planted boards differ significantly (Table 7). They "
            f"have a {size} estimated number of other codes than the random boards (median ln N "
            f"{number(planted, 1)} against {number(random, 1)}). The rank correlation of ln N and "
            f"the effort is {' and '.join(correlations)}. At equal ln N the difference is "
            f"{verdict} significant ({p_equals(entry.equal_count_p)}, test of van Elteren with "
            f"groups of ln N of the width {STRATUM_WIDTH:g})."
        )
    if findings.planted and not significant:
        yield "No ratio of Table 7 differs significantly from 1."


def describe_families(findings: Findings) -> Iterator[str]:
    """Yield sentences on how the boards of the families are refuted."""
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
        yield (
            f"CP-SAT decides {100 * num_without_conflict / num_boards:.0f} % of the boards of "
            "Table 8 on which it was run without a conflict. The sizes were chosen because a plain "
            "solver decided all first boards in a short time, often far below the reach of "
            "<code>auto</code>; so this share describes the choice of sizes as much as the "
            "families."
        )


def write_abstract(record: Record, findings: Findings) -> Iterator[str]:
    """Yield the sentences of the abstract."""
    num_boards = sum(
        len(boards) for point, boards in record.points() if point.part != "cross-check"
    )
    num_undecided = sum(find_agreement(record, part).undecided for part in ("transition", "growth"))
    yield (
        f"We examine {num_boards:,} Mastermind boards, random and reduced from other problems, and "
        f"decide {f'all but {num_undecided:,}' if num_undecided else 'all'}, to see which are "
        "hard. The expected number N of codes of a board follows from the means and the covariance "
        "of its scores."
    )
    transitions = findings.transitions
    random = [transition for transition in transitions if transition.question == "any"]
    planted = [transition for transition in transitions if transition.question == "other"]
    if random:
        rejected = [t for t in transitions if t.calibration.tail < SIGNIFICANCE_LEVEL]
        names = _names_of_rejected(transitions)
        dependent = _size_dependent(transitions)
        planted_halves = [half for t in planted for half in t.halves.values()]
        num_compared = sum(half.is_compared for half in planted_halves)
        num_planted = len(planted_halves)
        yield (
            "Without a fitted parameter, half points are predicted within "
            f"{_largest_error(random):.2f} rows on random boards"
            + (
                f" and {_largest_error(planted):.2f} on planted ones ("
                f"{num_compared} of {num_planted} sizes)"
                if num_compared
                else ""
            )
            + f", and the law P = 1 {MINUS} exp({MINUS}N) predicts the number of random boards "
            f"with a code within {max(abs(_excess(t)) for t in random):.1f} %, though it is "
            f"rejected in {_of_all(len(rejected), len(transitions))}. With two "
            f"fitted parameters common to all sizes, chi-square rejects it for "
            f"{join_words(names) if names else 'none'}"
            + (" only" if names and len(names) < len(transitions) else "")
            + (
                f", and the fitted law depends on the size in "
                f"{_of_all(len(dependent), len(transitions))}."
                if dependent
                else "."
            )
        )
    if planted:
        yield (
            "In two colors, the correction for correlated rows has opposite signs for random and "
            "for planted boards."
        )
    yield (
        "In two colors, the threshold of independent rows, ln M / H, is the limit of the formula "
        "at many pegs."
    )
    yield from _hard_boards(findings)
    agreement = find_agreement(record, "transition")
    if agreement.by_own_solver:
        yield (
            f"{agreement.by_own_solver:,} of {agreement.boards:,} boards of the transition, among "
            "them all of the largest sizes, were decided only by the lattice solver of this "
            f"project; CP-SAT confirmed {agreement.cross_checked:,} of these."
        )
    kinds = Counter(reach.kind for reach in findings.reaches)
    if findings.reaches:
        yield (
            f"Of {len(findings.reaches) - kinds['none']} kinds of inconsistent boards made by "
            f"reductions or at random, {kinds['most']} are mostly refuted by linear algebra at the "
            "measured sizes."
        )


NEAR_HALF = 0.1
"""A peak of the effort is near the half point if it differs from it by at most this fraction."""


def _hard_boards(findings: Findings) -> Iterator[str]:
    """Yield the sentences of the abstract about which random boards are hard."""
    peaks = {
        solver: [peak for peak in findings.peaks if peak.selection.solver == solver]
        for solver in dict.fromkeys(peak.selection.solver for peak in findings.peaks)
    }
    near = [
        SOLVER_NAMES[solver]
        for solver, entries in peaks.items()
        if all(abs(peak.highest / peak.half - 1) <= NEAR_HALF for peak in entries)
    ]
    far = [
        f"{SOLVER_NAMES[peak.selection.solver]}, measured to {peak.size} pegs in "
        f"{ENSEMBLE_NAMES[peak.selection.family]}, has no peak there"
        for peak in findings.peaks
        if abs(peak.highest / peak.half - 1) > NEAR_HALF
    ]
    if near:
        yield (
            f"The median effort of {join_words(near)} is largest near the predicted half point"
            + (f". {join_words(far)}" if far else "")
            + "."
        )
    growths = [g for g in findings.growths if g.selection.answer == "any" and g.splits]
    names = _solvers_with_easier_refutations(growths) if growths else []
    if names:
        yield f"Near it, boards without a code need fewer steps for {join_words(names)}."
    yield from describe_counts(findings)
