"""The findings of a study, computed from its record: estimates with intervals."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import NamedTuple

from mmsat.studies import ENSEMBLES, MIN_BOARDS, BoardRecord, Record
from mmsat.studies.efforts import (
    Comparison,
    Growth,
    Peak,
    Selection,
    compare_planted,
    find_growth,
    find_peaks,
)
from mmsat.studies.measure import SOLVERS
from mmsat.studies.statistics import (
    SIGNIFICANCE_LEVEL,
    Estimate,
    adjust,
    median,
    scipy,
    wilson,
)
from mmsat.studies.transition import Transition, find_transition


class Reach(NamedTuple):
    """The sizes of a family that `auto` decides, and the refutations of its boards."""

    family: str
    answer: str
    pegs: int
    """Median number of pegs at the largest size at which `auto` decides most boards."""
    next_pegs: int | None
    """Median number of pegs at the next size, at which `auto` fails; None without a next size."""
    refuted: Counter[str]
    """Numbers of inconsistent boards by their refutation, at the largest size with enough boards.

    The refutation "" is by search. The following fields are about the same boards.
    """
    consistent: int
    """Number of consistent boards."""
    shown: int
    """Median number of pegs."""
    without_conflict: tuple[int, int]
    """Numbers of boards that CP-SAT decided without a conflict, and on which it was run."""
    adjusted: float = math.nan
    """The p-value that linear algebra refutes one half of the inconsistent boards, adjusted for the
    number of families; NaN without inconsistent boards."""

    @property
    def num_algebraic(self) -> int:
        """The number of inconsistent boards that linear algebra refutes."""
        return sum(self.refuted.values()) - self.refuted[""] - self.refuted["bounds"]

    @property
    def kind(self) -> str:
        """Whether linear algebra refutes "most" or "few" of the inconsistent boards.

        "undecided" if the share does not differ significantly from one half, and "none" without
        inconsistent boards.
        """
        if self.algebra is None:
            return "none"
        if not self.adjusted < SIGNIFICANCE_LEVEL:
            return "undecided"
        return "most" if self.algebra.value > 1 / 2 else "few"

    @property
    def algebra(self) -> Estimate | None:
        """The share of the inconsistent boards that linear algebra refutes, or None."""
        num_inconsistent = sum(self.refuted.values())
        if not num_inconsistent:
            return None
        share = self.num_algebraic / num_inconsistent
        return Estimate(share, *wilson(self.num_algebraic, num_inconsistent))


def find_reaches(record: Record) -> list[Reach]:
    """Return the reach of each family and answer."""
    curves: dict[tuple[str, str], dict[int, list[BoardRecord]]] = defaultdict(dict)
    for point, boards in record.points():
        if point.part == "growth" and boards:
            curves[point.family, point.answer][point.size] = boards
    reaches = [_find_reach(*key, boards_of) for key, boards_of in curves.items()]
    tested = [reach for reach in reaches if reach.algebra]
    p_values = adjust(
        [
            float(scipy().stats.binomtest(reach.num_algebraic, sum(reach.refuted.values())).pvalue)
            for reach in tested
        ]
    )
    adjusted = {id(reach): value for reach, value in zip(tested, p_values, strict=True)}
    return [reach._replace(adjusted=adjusted.get(id(reach), math.nan)) for reach in reaches]


def _find_reach(family: str, answer: str, boards_of: dict[int, list[BoardRecord]]) -> Reach:
    """Return the reach from the boards by size."""
    is_decided: dict[int, bool] = {}
    for size, boards in sorted(boards_of.items()):
        auto_seconds = [board["auto"] for board in boards if "auto" in board]
        num_decided = len(auto_seconds) - auto_seconds.count(None)
        is_decided[size] = 2 * num_decided > len(auto_seconds)
    pegs = {
        size: round(median([board["pegs"] for board in boards]).value)
        for size, boards in boards_of.items()
    }
    last_decided = max((size for size in is_decided if is_decided[size]), default=0)
    larger_sizes = [size for size in is_decided if size > last_decided]
    size_with_enough = max(
        (size for size, boards in boards_of.items() if len(boards) >= MIN_BOARDS),
        default=min(boards_of),
    )
    boards = boards_of[size_with_enough]
    refuted = Counter(board.get("refuted", "") for board in boards if board["status"] == "i")
    cp_steps = [board["cp steps"] for board in boards if board.get("cp seconds") is not None]
    return Reach(
        family,
        answer,
        pegs.get(last_decided, 0),
        pegs[min(larger_sizes)] if larger_sizes else None,
        refuted,
        sum(board["status"] == "c" for board in boards),
        pegs[size_with_enough],
        (cp_steps.count(0), len(cp_steps)),
    )


class Agreement(NamedTuple):
    """Numbers of boards by the solvers that decided them."""

    boards: int
    """Number of all boards."""
    twice: int
    """Number of boards that at least two solvers decided. The solvers agreed."""
    own: int
    """Number of boards that only solvers of this project decided: the lattice, or `auto`."""
    cross_checked: int
    """Number of these that CP-SAT decided in the part "cross-check"."""
    undecided: int


def find_agreement(record: Record, part: str) -> Agreement:
    """Count the boards of a part of the study. A disagreement would have ended the study."""
    checked = {
        (point._replace(part="transition"), board["number"])
        for point, boards in record.points()
        if point.part == "cross-check"
        for board in boards
        if board["status"] != "?"
    }
    entries = [
        (point, board)
        for point, boards in record.points()
        if point.part == part
        for board in boards
    ]
    keys = [f"{name} steps" for name in SOLVERS] + ["auto"]
    deciders = [[key for key in keys if board.get(key) is not None] for _, board in entries]
    own = [
        (point, board["number"])
        for (point, board), names in zip(entries, deciders, strict=True)
        if names in (["lattice steps"], ["auto"])
    ]
    return Agreement(
        len(entries),
        sum(len(names) >= 2 for names in deciders),
        len(own),
        len(checked.intersection(own)),
        sum(board["status"] == "?" for _, board in entries),
    )


class CrossCheck(NamedTuple):
    """The boards on which CP-SAT was run in the part "cross-check"."""

    num_boards: int
    num_decided: int
    num_of_points: tuple[int, int]
    """The lowest and the highest number of boards of a point."""
    undecided: dict[tuple[str, int], int]
    """The numbers of boards that CP-SAT did not decide, by family and size."""


def find_cross_check(record: Record) -> CrossCheck:
    """Count the boards of the part "cross-check"."""
    points = [(point, boards) for point, boards in record.points() if point.part == "cross-check"]
    counts = [len(boards) for _, boards in points]
    undecided = Counter(
        (point.family, point.size)
        for point, boards in points
        for board in boards
        if board["status"] == "?"
    )
    return CrossCheck(
        sum(counts),
        sum(counts) - undecided.total(),
        (min(counts, default=0), max(counts, default=0)),
        dict(undecided),
    )


class Findings(NamedTuple):
    """All findings of a record."""

    transitions: list[Transition]
    growths: list[Growth]
    peaks: list[Peak]
    reaches: list[Reach]
    planted: list[Comparison]
    limits: set[int]
    """The limits of CPU time, in seconds, of each process of `auto`."""


def find_all(record: Record) -> Findings:
    """Return all findings for which there are measurements."""
    found = (
        find_transition(record, name, question)
        for question in ("any", "other")
        for name in ENSEMBLES
    )
    transitions = [transition for transition in found if transition is not None]
    halves = {name: _effort_halves(transitions, name) for name in ENSEMBLES}
    pairs = [(name, solver) for name in ENSEMBLES for solver in ENSEMBLES[name].max_pegs]
    growths = [
        find_growth(record, Selection(name, answer, solver), halves[name])
        for name, solver in pairs
        for answer in ("any", "consistent")
    ]
    found_peaks = (find_peaks(record, *pair, halves[pair[0]]) for pair in pairs)
    peaks = [peak for peak in found_peaks if peak is not None]
    peak_p_values = adjust([peak.neighbor_p for peak in peaks])
    compared = [compare_planted(record, *pair, halves[pair[0]]) for pair in pairs]
    planted = [comparison for comparison in compared if comparison is not None]
    adjusted = adjust([comparison.p_value for comparison in planted])
    return Findings(
        transitions,
        [growth for growth in growths if growth.medians],
        [peak._replace(neighbor_p=p) for peak, p in zip(peaks, peak_p_values, strict=True)],
        find_reaches(record),
        [entry._replace(adjusted=p) for entry, p in zip(planted, adjusted, strict=True)],
        {chunk["limit"] for chunk in record.chunks.values() if chunk.get("limit")},
    )


def _effort_halves(transitions: list[Transition], family: str) -> dict[int, float]:
    """Return the predicted half point of random boards by size."""
    return {
        size: half.predicted
        for transition in transitions
        if transition.family == family and transition.question == "any"
        for size, half in transition.halves.items()
    }
