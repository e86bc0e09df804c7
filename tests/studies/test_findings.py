"""The findings of a study, recomputed from the lines of its record by plain twins."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import optimize, stats

from mmsat.render.paper import write_paper
from mmsat.render.paper_results import describe_counts, describe_thresholds
from mmsat.studies import Point, Record
from mmsat.studies.findings import (
    compare_planted,
    find_agreement,
    find_all,
    find_cross_check,
    find_growth,
    find_peak,
    find_transition,
)
from mmsat.studies.statistics import (
    CountLaw,
    Estimate,
    chance_of,
    chance_with_error,
    fit_error_law,
    van_elteren,
)
from mmsat.studies.transition import Half, Selection, find_count_profile
from tests.support.study_records import synthetic_record

FAMILY = "random-two-color"


def read_boards(path):
    """Return each board of a record as a dict, from the lines of its file alone."""
    chunks = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    return [
        {
            key: value[index]
            if isinstance(value, list) or key in ("status", "degenerate")
            else value
            for key, value in chunk.items()
        }
        for chunk in chunks
        for index in range(chunk.get("boards", 0))
    ]


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    path = tmp_path_factory.mktemp("study") / "boards.jsonl"
    record = synthetic_record(path, spread=1.0)
    return record, find_transition(record, FAMILY, "any"), read_boards(path)


def twin_chi_square(boards, chances):
    """Return chi-square of ten groups with equal variance, in the order of the probabilities."""
    ordered = sorted(zip(chances, boards, strict=True), key=lambda entry: entry[0])
    total = sum(p * (1 - p) for p, _ in ordered)
    sums, before = defaultdict(lambda: [0.0, 0.0]), 0.0
    for p, board in ordered:
        variance = p * (1 - p)
        group = min(int((before + variance / 2) / total * 10), 9)
        sums[group][0] += (board["status"] == "c") - p
        sums[group][1] += variance
        before += variance
    return sum(excess**2 / variance for excess, variance in sums.values() if variance >= 1)


def test_the_strata_are_the_shares_by_the_estimate(example):
    _, transition, boards = example
    assert [(s.low, s.high) for s in transition.strata] == [(n, n + 1) for n in range(-3, 3)]
    for stratum in transition.strata:
        members = [b for b in boards if stratum.low <= b["log count"] < stratum.high]
        consistent = sum(b["status"] == "c" for b in members)
        predicted = sum(1 - math.exp(-math.exp(b["log count"])) for b in members)
        assert stratum.num_boards == len(members)
        assert stratum.observed == pytest.approx(consistent / len(members))
        assert stratum.predicted == pytest.approx(predicted / len(members))


def test_errors_of_the_fitted_law_use_the_dispersion_that_remains_after_the_fit(example):
    """An error of ln N flattens the curve: the law without a fit fails, the fitted one does not."""
    _, transition, boards = example
    law = transition.law
    chances = [
        1 - math.exp(-math.exp(law.intercept + law.slope * board["log count"])) for board in boards
    ]
    chi_square = twin_chi_square(boards, chances)
    assert transition.fitted.chi_square == pytest.approx(chi_square)
    assert transition.fitted.freedom == 8
    assert transition.fitted.tail == pytest.approx(stats.chi2.sf(chi_square, 8))
    assert transition.dispersion == pytest.approx(max(chi_square / 8, 1))
    assert law.slope < 0.9
    assert transition.fitted.dispersion < transition.calibration.dispersion / 2
    plain = [1 - math.exp(-math.exp(board["log count"])) for board in boards]
    assert transition.calibration.chi_square == pytest.approx(twin_chi_square(boards, plain))


def test_the_error_of_the_estimate_is_integrated(example):
    """The twin adds up a fine grid of the normal error."""
    _, transition, boards = example
    grid = np.linspace(-8, 8, 4001)
    weights = stats.norm.pdf(grid) / stats.norm.pdf(grid).sum()
    for calibration, variances in zip(transition.with_error, (0, -1 / 2), strict=True):
        chances = []
        for board in boards:
            error = 0.15 * board["rows"] / math.sqrt(board["size"])
            values = board["log count"] + variances * error**2 + error * grid
            chances.append(float(-np.expm1(-np.exp(values)) @ weights))
        assert calibration.expected == pytest.approx(sum(chances), rel=1e-6)
        assert calibration.chi_square == pytest.approx(twin_chi_square(boards, chances), rel=1e-3)


def test_the_losses_are_those_of_the_laws(example):
    _, transition, boards = example

    def loss(chances):
        pairs = zip(chances, boards, strict=True)
        return -sum(math.log(p if b["status"] == "c" else 1 - p) for p, b in pairs)

    def bounded(values):
        chances = chance_of(np.array(values))
        return np.clip(chances, 1e-12, 1 - 1e-12)

    for key, found in (
        ("log count", transition.losses.estimate),
        ("independent log count", transition.losses.independent),
    ):
        assert found[0] == pytest.approx(loss(bounded([board[key] for board in boards])))
        assert found[1] <= found[0]
    numbers = defaultdict(list)
    for board in boards:
        numbers[board["size"], board["rows"]].append(board["status"] == "c")
    shares = [np.mean(numbers[board["size"], board["rows"]]) for board in boards]
    assert transition.losses.shares == pytest.approx(loss(np.clip(shares, 1e-12, 1 - 1e-12)))


def test_the_first_share_is_that_of_the_first_of_five_numbers_of_rows(example):
    _, transition, boards = example
    for size, half in transition.halves.items():
        rows = sorted({board["rows"] for board in boards if board["size"] == size})
        assert half.rows == (rows[0], rows[-1])
        first = min(sorted(rows, key=lambda number: abs(number - half.predicted))[:5])
        members = [b for b in boards if (b["size"], b["rows"]) == (size, first)]
        predicted = [1 - math.exp(-math.exp(board["log count"])) for board in members]
        assert half.first_probability == pytest.approx(np.mean(predicted))


def test_the_highest_estimate_without_a_code_is_named(example):
    record, transition, boards = example
    worst = max((board for board in boards if board["status"] == "i"), key=lambda b: b["log count"])
    assert transition.worst_miss == (worst["size"], worst["rows"], worst["log count"])
    text = write_paper(record, find_all(record), {}, "mmsat study hardness")
    named = f"{worst['size']} pegs, {worst['rows']} rows and ln N = {worst['log count']:.1f}"
    assert named.replace("-", "&minus;") in text


def test_the_effort_is_split_by_the_verdict(example):
    record, transition, boards = example
    halves = {size: half.predicted for size, half in transition.halves.items()}
    growth = find_growth(record, Selection(FAMILY, "any", "cp"), halves)
    assert growth.splits.keys() == growth.medians.keys() == halves.keys()
    medians = {}
    for size, split in growth.splits.items():
        near = [b for b in boards if (b["size"], b["rows"]) == (size, growth.rows[size])]
        steps = {s: [b["cp steps"] for b in near if b["status"] == s] for s in "ci"}
        medians[size] = {s: float(np.median(values)) for s, values in steps.items()}
        assert split.with_code.value == medians[size]["c"]
        assert split.without_code.value == medians[size]["i"]
        assert split.share == len(steps["c"]) / len(near)
        assert (split.num_immediate, split.num_without_code) == (
            steps["i"].count(0),
            len(steps["i"]),
        )
        assert split.p_value == stats.mannwhitneyu(steps["c"], steps["i"]).pvalue
    for name, letter in (("with_code", "c"), ("without_code", "i")):
        ratio = medians[40][letter] / medians[32][letter]
        assert growth.last_exponent(name) == pytest.approx(math.log2(ratio) / 8)


def test_the_effort_by_the_estimate_is_that_of_the_boards(example):
    record, transition, boards = example
    kind = Selection(FAMILY, "any", "cp")
    half, rows = transition.halves[40].predicted, round(transition.halves[40].predicted)
    profile = find_count_profile(record, kind, 40, half, rows)
    boards = [board for board in boards if board["size"] == 40]
    steps = [board["cp steps"] for board in boards]
    bounds = [-math.inf, -10, -5, -2, 0, 2, 5, math.inf]
    for low, high, value in zip(bounds[:-1], bounds[1:], profile.medians, strict=True):
        members = [b["cp steps"] for b in boards if low <= b["log count"] < high]
        assert value == pytest.approx(np.median(members) if members else math.nan, nan_ok=True)
    assert profile.count_correlation == pytest.approx(
        stats.spearmanr(steps, [-abs(b["log count"]) for b in boards]).statistic
    )
    assert profile.rows_correlation == pytest.approx(
        stats.spearmanr(steps, [-abs(b["rows"] - half) for b in boards]).statistic
    )
    near = [board for board in boards if board["rows"] == rows]
    assert profile.log_counts == tuple(
        pytest.approx(np.median([b["log count"] for b in near if b["status"] == s])) for s in "ci"
    )
    assert profile.with_code[rows] == np.median([b["cp steps"] for b in near if b["status"] == "c"])
    assert profile.equal_count == pytest.approx(
        van_elteren(
            np.array([b["cp steps"] for b in near]),
            np.array([b["status"] == "c" for b in near]),
            np.array([math.floor(2 * b["log count"]) for b in near]),
        )
    )
    assert profile.equal_count[0] > 0  # boards without a code need a quarter of the steps
    text = write_paper(record, find_all(record), {}, "mmsat study hardness")
    assert "boards with a code are the harder ones for CP-SAT in two colors." in text


def test_a_group_without_boards_does_not_have_the_largest_median(example):
    record, transition, _ = example
    half = transition.halves[40].predicted
    profile = find_count_profile(record, Selection(FAMILY, "any", "cp"), 40, half, round(half))
    for first in (math.nan, 1.0):
        changed = profile._replace(medians=[first, 2.0, 3.0, 9.0, 3.0, 2.0, math.nan])
        findings = find_all(record)._replace(profiles=[changed])
        text = " ".join(describe_counts(findings))
        assert "the median effort is the largest in 1 of 1 solvers and ensembles" in text


def test_a_peak_is_compared_with_its_neighbors(example):
    record, transition, boards = example
    halves = {size: half.predicted for size, half in transition.halves.items()}
    peak = find_peak(record, FAMILY, "cp", halves)
    steps = defaultdict(list)
    for board in boards:
        if board["size"] == peak.size:
            steps[board["rows"]].append(board["cp steps"])
    highest = max(steps, key=lambda rows: np.median(steps[rows]))
    assert peak.highest == highest
    assert peak.neighbor_p == max(
        stats.mannwhitneyu(steps[highest], steps[highest + change]).pvalue for change in (-1, 1)
    )


def test_the_size_of_the_error_and_the_shift_are_recovered():
    """No other start of the search, and no neighbor, has a smaller loss."""
    rng = np.random.default_rng(8)
    log_counts, errors = rng.normal(0, 2, 20_000), np.full(20_000, 0.5)
    for factor, shift in ((1.0, 0.0), (2.0, -1.5)):
        true = log_counts + shift * errors**2 + factor * errors * rng.normal(0, 1, 20_000)
        verdicts = rng.random(20_000) < chance_of(true)

        def loss(weights, verdicts=verdicts):
            values = log_counts + weights[1] * errors**2
            chances = chance_with_error(values, abs(weights[0]) * errors)
            return -np.log(np.where(verdicts, chances, 1 - chances)).sum()

        law = fit_error_law(log_counts, errors, verdicts)
        assert law == pytest.approx((factor, shift), abs=0.25)
        for start in ([3.0, 3.0], [0.5, -3.0]):
            twin = optimize.minimize(loss, start, method="Powell")
            assert loss(law) <= twin.fun + 1e-3
        for change in ([0.05, 0], [-0.05, 0], [0, 0.1], [0, -0.1]):
            assert loss(law) < loss(np.add(law, change))
    assert chance_with_error(log_counts, 0 * errors) == pytest.approx(
        CountLaw(0, 1, 0, 0).chance(log_counts)
    )


def test_half_points_beyond_the_measured_rows_are_not_compared(tmp_path):
    """A share above one half at all rows: both half points are after the last row."""
    record = Record(tmp_path / "boards.jsonl")
    for rows in (5, 6, 7):
        point = Point("transition", FAMILY, "any", "any", 16, rows)
        chunk = {"status": "c" * 40, "degenerate": "0" * 40, "pegs": 16}
        chunk |= {"log count": 2.0, "independent log count": 2.0}
        record.add(
            point._asdict() | {"first": 0, "boards": 40, "on": {"processor": "none"}} | chunk
        )
    result = find_all(record)
    assert not result.transitions[0].halves[16].is_compared
    text = write_paper(record, result, {}, "mmsat study hardness")
    assert "&gt; 7 [&gt; 7, &gt; 7]" in text
    assert "is after the last measured number of rows (7), and is not compared" in text
    assert "∞" not in text


def test_verdicts_of_no_solver_are_those_of_the_generator(tmp_path):
    """Eight boards: 2 by two solvers, 2 by CP-SAT alone, 1 by `auto`, 2 by none, 1 undecided."""
    record = Record(tmp_path / "boards.jsonl")
    point = Point("growth", "sat", "any", "any", 10, None)
    header = point._asdict() | {"first": 0, "boards": 8, "on": {"processor": "none"}}
    cp, cadical = [1, 2, 3, 4] + [None] * 4, [1, 2] + [None] * 6
    seconds = {f"{name} seconds": [0.1] * 8 for name in ("cp", "cadical")}
    auto = [None] * 4 + [0.1] + [None] * 3
    chunk = {"status": "cicicii?", "degenerate": "0" * 8, "pegs": 10, "auto": auto}
    record.add(header | chunk | seconds | {"cp steps": cp, "cadical steps": cadical, "limit": 1})
    assert find_agreement(record, "growth") == (8, 2, 1, 2, {"i": 2}, 0, 1)
    text = write_paper(record, find_all(record), {}, "mmsat study hardness")
    assert "2 were decided by CP-SAT or CaDiCaL alone. No solver decided 2; their" in text
    assert "(0 with a code, 2 without)" in text
    assert "We examine 8 Mastermind boards" in text
    assert "decide all but 1, to see" in text


def test_planted_boards_are_compared_at_equal_estimates(tmp_path):
    """The steps depend on the estimate only, and planted boards have smaller estimates."""
    record = synthetic_record(tmp_path / "boards.jsonl")
    halves = {
        size: half.predicted for size, half in find_transition(record, FAMILY, "any").halves.items()
    }
    rows = round(halves[40])
    rng = np.random.default_rng(3)
    for answer, mean, statuses in (("any", 0.5, "ci"), ("consistent", -0.5, "c")):
        point = Point("transition", FAMILY, answer, "any", 40, rows)
        log_counts = rng.normal(mean, 1, 200)
        steps = [int(n) for n in np.exp(5 + log_counts + rng.normal(0, 1, 200))]
        status = "".join(rng.choice([*statuses], 200))
        chunk = {"status": status, "degenerate": "0" * 200, "pegs": 40, "cp steps": steps}
        chunk |= {"log count": [float(value) for value in log_counts]}
        header = point._asdict() | {"first": 1000, "boards": 200, "on": {"processor": "none"}}
        record.add(header | chunk)
    found = compare_planted(record, FAMILY, "cp", halves)
    boards = [
        board
        for board in read_boards(tmp_path / "boards.jsonl")
        if (board["size"], board["rows"], board["status"]) == (40, rows, "c")
    ]
    groups = [[b for b in boards if b["answer"] == answer] for answer in ("consistent", "any")]
    values = [
        (np.array([b["log count"] for b in group]), np.array([b["cp steps"] for b in group]))
        for group in groups
    ]
    assert found.log_counts == tuple(np.median(log_count) for log_count, _ in values)
    assert found.correlations == tuple(stats.spearmanr(*pair).statistic for pair in values)
    log_counts = np.concatenate([log_count for log_count, _ in values])
    is_planted = np.repeat([True, False], [len(group) for group in groups])
    steps = np.concatenate([steps for _, steps in values])
    _, p = van_elteren(steps, is_planted, np.array([math.floor(2 * x) for x in log_counts]))
    assert found.equal_count_p == pytest.approx(p)
    assert found.p_value < found.equal_count_p < 1


def test_the_cross_check_counts_what_was_tried(tmp_path):
    record = Record(tmp_path / "boards.jsonl")
    for rows, status in ((20, "cic"), (21, "c?")):
        point = Point("cross-check", FAMILY, "any", "any", 80, rows)
        header = point._asdict() | {"first": 0, "boards": len(status), "on": {"processor": "none"}}
        record.add(header | {"status": status})
    check = find_cross_check(record)
    assert check == (5, 4, (2, 3), {(FAMILY, 80): 1})
    text = write_paper(record, find_all(record), {}, "mmsat study hardness")
    assert "it was run on 2 to 3 boards of each point" in text
    assert "It decided 4 of them" in text
    assert "did not decide 1 at 80 pegs of two colors" in text


@pytest.mark.parametrize(
    ("observed", "predicted", "sentences"),
    [
        (math.inf, 5.0, ["the observed half point of random boards is after the last", "(30)"]),
        (-math.inf, 5.0, ["the observed half point of random boards is before the first", "(3)"]),
        (5.0, -math.inf, ["the predicted half point of random boards is before the first", "(3)"]),
    ],
)
def test_the_half_point_that_is_infinite_is_named(observed, predicted, sentences):
    half = Half(9, (3, 30), Estimate(observed, 1.0, 9.0), predicted, 0.5, None)
    transition = SimpleNamespace(question="any", halves={4: half}, family=FAMILY)
    sentence = next(describe_thresholds(SimpleNamespace(transitions=[transition])))
    assert all(words in sentence for words in sentences), sentence
