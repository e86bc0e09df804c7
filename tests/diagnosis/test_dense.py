"""Dense boards: every answer about some rows, and every repair, against a look at every code."""

from __future__ import annotations

import random

import pytest

from benchmarks.boards import planted
from benchmarks.decide.perturb import parity_kept
from mmsat.constraints.system import System
from mmsat.diagnosis.corrections import corrections, dense_corrections
from mmsat.diagnosis.dense import Dense, entropy_without, suits
from mmsat.diagnosis.leaving_out import smallest_by_leaving_out
from mmsat.diagnosis.marco import conflicts
from mmsat.diagnosis.reasons import find_reasons
from mmsat.diagnosis.subset_oracle import SubsetOracle
from mmsat.game.scoring import SCORINGS
from mmsat.limits import LIMITS
from mmsat.results.verdict import Conflict, Correction, Status
from mmsat.solving.lattice import read_places
from mmsat.tolerance import STRICT
from tests import twins
from tests.laws.random_boards import EVERY_SPACE, inconsistent_boards, scorings_of, spaces_of
from tests.tiers import at_least, share

SMALL = {"pegs": 4, "colors": 3, "rows": 7}


def unlisted(boards):
    """The boards with their systems, but for lists of words, which are never dense."""
    systems = [(board, System.of(board)) for board in boards]
    return [(board, system) for board, system in systems if system.table is None]


def test_without_a_row_more_is_open():
    """Where one count of the colors fits: another one may have no mixture, and its entropy errs."""
    more = 0
    for seed in range(share(40)):
        system = System.of(planted("8x4", 7, seed))
        whole = read_places(system)
        for row in range(7 if len(whole.places) == 1 else 0):
            left = entropy_without(system, row)
            assert left >= whole.entropy - 0.1  # as far as the factors are found
            more += left > whole.entropy + 1
    assert more > at_least(40)


@pytest.mark.parametrize("propagations", [1, LIMITS.dense_propagations])
def test_answers_about_rows_and_their_cores(propagations, monkeypatch):
    """Each with what the one before has left, whether SAT answers or, first, the walk."""
    monkeypatch.setattr(LIMITS, "dense_propagations", propagations)
    rng = random.Random(81)
    refused = smaller = 0
    for board, system in unlisted(inconsistent_boards(share(300), seed=81, **SMALL)):
        every = range(len(board.rows))
        dense = None
        for _ in range(4):
            rows = frozenset(row for row in every if rng.random() < 0.8)
            dense = Dense(system, rows, dense)
            is_consistent = dense.solve()
            assert is_consistent == bool(twins.consistent(board.only(sorted(rows))))
            if is_consistent:
                assert rows.isdisjoint(twins.wrong_rows(board, dense.code))
            else:
                refused += 1
                smaller += dense.core < rows
                assert dense.core <= rows
                assert not twins.consistent(board.only(sorted(dense.core)))
            dense.close()
    assert refused > at_least(100)
    assert smaller > at_least(30)


@pytest.mark.parametrize("propagations", [1, LIMITS.dense_propagations])
def test_repairs_and_their_codes(propagations, monkeypatch):
    """Whether SAT finds the codes or, first, the walk over a lattice."""
    monkeypatch.setattr(LIMITS, "dense_propagations", propagations)
    seen = 0
    for board, _ in unlisted(inconsistent_boards(share(200), seed=82, **SMALL)):
        expected = twins.cheapest_repairs(board)
        for rows in {frozenset(row for row, _ in each) for each in expected}:
            here = {each: n for each, n in expected.items() if {row for row, _ in each} == rows}
            codes = sum(here.values())
            found = dense_corrections(SubsetOracle(board), rows, most=codes + 1)
            repairs = [tuple((c.row, c.after) for c in each.changes) for each in found]
            assert {
                repair: each.codes.count for repair, each in zip(repairs, found, strict=True)
            } == here, str(board)
            assert all(each.codes.exact for each in found)
            assert dense_corrections(SubsetOracle(board), rows, most=codes) is None
            seen += len(found)
    assert seen > at_least(100)


@pytest.mark.parametrize("hard", [True, False])
def test_rows_left_out_are_the_cheapest_sets(hard, monkeypatch):
    if hard:
        monkeypatch.setattr(LIMITS, "question_nodes", 0)
        monkeypatch.setattr(LIMITS, "question_propagations", 0)
    sizes = []
    boards = inconsistent_boards(share(200, least=70), seed=83, pegs=4, colors=3, rows=7)
    for board, _ in unlisted(boards):
        oracle = SubsetOracle(board)
        found = list(smallest_by_leaving_out(oracle))
        sets = {frozenset(row for row, _ in repair) for repair in twins.cheapest_repairs(board)}
        assert len(found) == len(set(found))
        assert set(found) == sets, str(board)
        sizes.append(len(found[0]))
        most = SubsetOracle(board)
        assert set(smallest_by_leaving_out(most, 1)) == (sets if sizes[-1] == 1 else set())
    assert sizes.count(1) > at_least(10)
    assert sizes.count(2) > at_least(10)
    assert max(sizes) > 2


@pytest.mark.parametrize("most", [1, 1000])
def test_codes_of_a_block_are_those_of_its_sets(most, monkeypatch):
    """Each set's codes come from the solver that goes on with the block; some are left half way."""
    monkeypatch.setattr(LIMITS, "question_nodes", 0)
    monkeypatch.setattr(LIMITS, "question_propagations", 0)
    find_within, gone_on = Dense.find_within, []

    def counted(dense, rows):
        gone_on.append(rows)
        return find_within(dense, rows)

    monkeypatch.setattr(Dense, "find_within", counted)
    for board, _ in unlisted(inconsistent_boards(share(200, least=70), seed=84, **SMALL)):
        expected = twins.cheapest_repairs(board)
        oracle = SubsetOracle(board)
        sets = set()
        for rows in smallest_by_leaving_out(oracle):
            sets.add(rows)
            here = {each: n for each, n in expected.items() if {row for row, _ in each} == rows}
            found = dense_corrections(oracle, rows, most=most)
            if sum(here.values()) < most:
                told = {tuple((c.row, c.after) for c in each.changes): each for each in found}
                assert {key: each.codes.count for key, each in told.items()} == here, str(board)
            else:
                assert found is None
        assert sets == {frozenset(row for row, _ in repair) for repair in expected}, str(board)
    assert len(gone_on) > at_least(12)


@pytest.mark.parametrize("propagations", [1, LIMITS.dense_propagations])
def test_codes_that_miss_few_spare_rows(propagations, monkeypatch):
    """As many as there are, one excluded set after the other."""
    monkeypatch.setattr(LIMITS, "dense_propagations", propagations)
    rng = random.Random(85)
    refused = excluded = 0
    for board, system in unlisted(inconsistent_boards(share(200), seed=85, **SMALL)):
        every = frozenset(range(len(board.rows)))
        spare = frozenset(rng.sample(sorted(every), rng.randint(1, len(every))))
        most = rng.randint(1, len(spare))
        wrong = {frozenset(twins.wrong_rows(board, code)) for code in twins.codes(board.game)}
        few = {rows for rows in wrong if len(rows) <= most}
        dense = Dense(system, every - spare, None, spare, most)
        found = set()
        while dense.solve():
            rows = frozenset(twins.wrong_rows(board, dense.code))
            assert rows <= spare
            if not dense.can_go_on:
                break
            assert len(rows) <= most
            assert rows not in found
            found.add(rows)
            dense.exclude(rows)
            excluded += 1
        else:
            left = {rows for rows in few if not any(each <= rows for each in found)}
            assert not any(rows.isdisjoint(dense.core) for rows in left), str(board)
            refused += 1
        dense.close()
    assert refused > at_least(60)
    assert (excluded > at_least(60)) is (propagations > 1)  # else the walk answers


def test_a_board_where_minisat_does_not_suffice(monkeypatch):
    """12 pegs, 12 colors: all questions go to the dense solver, and the answers stand alone."""
    board = parity_kept(planted("12x12", 22, 2), "2")
    assert suits(System.of(board))
    oracle = SubsetOracle(board)
    with monkeypatch.context() as lowered:
        lowered.setattr(LIMITS, "question_nodes", 0)
        lowered.setattr(LIMITS, "question_propagations", 0)
        conflict = next(conflicts(oracle))
    assert oracle.is_dense
    other = SubsetOracle(board)
    assert other.find(conflict.rows) is None
    for row in conflict.rows:
        assert other.find(set(conflict.rows) - {row}) is not None
    assert not other.is_dense
    monkeypatch.setattr(LIMITS, "repair_slices", 0)
    found = list(corrections(board, oracle))
    assert found
    for each in found:
        assert each.cost == 1
        assert each.codes.exact
        assert each.changes[0].row in conflict.rows
        changed = board.changed({change.row: change.after for change in each.changes})
        assert SubsetOracle(changed).find(range(len(board.rows))) is not None


def test_small_boards_are_explained_as_large_ones_are(monkeypatch):
    """Boards of every kind, with no brute force and no incremental solver: nothing is missed."""
    monkeypatch.setattr(LIMITS, "question_nodes", 0)
    monkeypatch.setattr(LIMITS, "question_propagations", 0)
    monkeypatch.setattr(LIMITS, "repair_slices", 0)
    boards = inconsistent_boards(share(80, least=40), seed=84, pegs=4, colors=3, rows=5)
    for seed in range(share(40, least=12)):  # rows long enough to be dense
        board = parity_kept(planted("7x3", 7, seed), str(seed))
        boards += (board,) * (twins.least_wrong(board) > 0)
    assert spaces_of(boards) == EVERY_SPACE
    assert scorings_of(boards) == {*SCORINGS}
    first = 0
    for board in boards:
        expected = twins.cheapest_repairs(board)
        if len(expected) > 200:  # it would take too long
            continue
        found = list(find_reasons(board, STRICT, Status.INCONSISTENT, 1000))
        conflicts_ = [each.rows for each in found if isinstance(each, Conflict)]
        assert len(conflicts_) == len(set(conflicts_))
        assert set(conflicts_) == set(twins.minimal_conflicts(board)), str(board)
        mended = [each for each in found if isinstance(each, Correction)]
        repairs = [tuple((c.row, c.after) for c in each.changes) for each in mended]
        counts = [each.codes.count for each in mended]
        assert len(repairs) == len(set(repairs))
        assert dict(zip(repairs, counts, strict=True)) == expected, str(board)
        assert {each for each in found if isinstance(each, str)} == {"conflicts", "corrections"}
        first += isinstance(found[0], Correction)
    assert first > at_least(5)


def test_brute_force_that_is_cut_short_leaves_nothing_out(monkeypatch):
    """Rows are left out first; where it takes more of them, brute force goes on."""
    monkeypatch.setattr(LIMITS, "few_slices", 0)
    costs = []
    for seed in range(share(60, least=24)):
        board = planted("7x3", 8, seed)
        for slip in range(1 + seed % 5):
            board = parity_kept(board, f"{seed} {slip}")
        cost = twins.least_wrong(board)
        if not cost or not suits(System.of(board)):
            continue
        expected = twins.cheapest_repairs(board)
        found = list(corrections(board))
        repairs = [tuple((c.row, c.after) for c in each.changes) for each in found]
        counts = [each.codes.count for each in found]
        assert dict(zip(repairs, counts, strict=True)) == expected, str(board)
        costs.append((cost, found[0].codes.method))
    assert {*costs} >= {(1, "enumeration"), (2, "enumeration"), (3, "brute")}
