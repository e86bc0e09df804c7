"""The compiled kernel, compared with plain Python."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmsat import _core
from mmsat.constraints import System
from mmsat.game.space import CardinalityConstraint, VariableMap
from mmsat.solving.searches import flatten_table
from tests.support import strategies, twins
from tests.support.perturbed_boards import parity_kept
from tests.support.planted_boards import planted
from tests.support.systems import listed_systems, systems

ROOT = Path(__file__).parent.parent


def array(codes, dtype=np.uint16):
    return np.array(list(codes), dtype=dtype)


def searcher_of(system, slack=0, graded=False):
    table = None if system.table is None else flatten_table(system.table)
    return _core.Search(
        *system.variables, system.hard, system.row_constraints, slack, table, graded
    )


def search(system, nodes=10**9, slack=0, graded=False):
    """Return all codes and their violated rows; the search runs in slices of nodes."""
    searcher = searcher_of(system, slack, graded)
    codes = []
    while (status := searcher.advance(nodes)) != _core.SearchStatus.EXHAUSTED:
        if status == _core.SearchStatus.CODE_FOUND:
            codes.append((searcher.code, searcher.penalty))
            assert searcher.num_codes == len(codes)
    assert searcher.advance(nodes) == _core.SearchStatus.EXHAUSTED
    return codes


def count(system, nodes=10**9, slack=0):
    searcher = searcher_of(system, slack)
    while (status := searcher.count(nodes)) != _core.SearchStatus.EXHAUSTED:
        assert status == _core.SearchStatus.BUDGET_SPENT
    return searcher.num_codes


@given(board=strategies.boards(strategies.small_games()), nodes=st.integers(1, 9))
def test_a_search_lists_the_codes_of_any_board_in_order(board, nodes):
    system = System.of(board)
    codes = [(code, 0) for code in twins.consistent(board)]
    assert search(system) == search(system, nodes) == codes
    assert count(system) == count(system, nodes) == len(codes)


@given(played=strategies.played_boards(strategies.small_games()), nodes=st.integers(1, 9))
def test_a_search_finds_the_code_of_a_game(played, nodes):
    board, code = played
    system = System.of(board)
    codes = twins.consistent(board)
    assert code in codes
    assert [entry for entry, _ in search(system, nodes)] == codes
    assert count(system, nodes) == len(codes)


@given(
    boards=strategies.slipped_boards(strategies.small_games()),
    nodes=st.integers(1, 9),
    slack=st.integers(0, 3),
)
def test_a_search_with_slack_lists_the_codes_that_break_few_rows(boards, nodes, slack):
    _, board = boards
    every = ((code, len(twins.wrong_rows(board, code))) for code in twins.codes(board.game))
    codes = [(code, broken) for code, broken in every if broken <= slack]
    system = System.of(board)
    assert search(system, slack=slack) == search(system, nodes, slack) == codes
    assert count(system, nodes, slack) == len(codes)


@given(board=strategies.boards(strategies.small_games()), nodes=st.integers(1, 99))
def test_lowering_the_slack_finds_the_fewest_rows_to_change(board, nodes):
    searcher = searcher_of(System.of(board), len(board.rows))
    least = None
    while (status := searcher.advance(nodes)) != _core.SearchStatus.EXHAUSTED:
        if status == _core.SearchStatus.CODE_FOUND:
            assert least is None or searcher.penalty < least
            least = searcher.penalty
            assert len(twins.wrong_rows(board, searcher.code)) == least
            if least == 0:
                break
            searcher.set_slack(least - 1)
    assert least == twins.least_wrong(board)


@given(system=systems() | listed_systems(), nodes=st.integers(1, 5), slack=st.integers(0, 4))
def test_a_search_lists_the_solutions_of_any_constraints(system, nodes, slack):
    codes = twins.solutions(system, slack)
    assert search(system, slack=slack) == search(system, nodes, slack) == codes
    assert count(system, slack=slack) == count(system, nodes, slack) == len(codes)


@given(system=systems() | listed_systems(), nodes=st.integers(1, 5), slack=st.integers(0, 6))
def test_a_graded_search_counts_how_far_rows_are_missed(system, nodes, slack):
    codes = twins.solutions(system, slack, graded=True)
    assert search(system, slack=slack, graded=True) == codes
    assert search(system, nodes, slack, graded=True) == codes


@pytest.mark.parametrize(("low", "high"), [(3, 3), (-2, -1), (2, 1), (9, 0)])
def test_constraints_that_nothing_satisfies_end_a_search_at_once(low, high):
    variables = VariableMap(3, 2)
    constraint = CardinalityConstraint((variables.at(0, 0), -variables.least(1, 1)), low, high)
    assert count(System(variables, (constraint,), ())) == 0
    assert count(System(variables, (constraint,), ()), slack=9) == 0
    assert count(System(variables, (), ()).with_rows([(constraint,)])) == 0
    assert count(System(variables, (), ()).with_rows([(constraint,)]), slack=1) == 2**3


def test_a_row_whose_plain_and_joint_constraints_break_counts_once():
    """The code 0 0 violates two constraints of each row. Joint constraints have conjunctions."""
    variables = VariableMap(2, 2)
    plain = CardinalityConstraint((variables.at(0, 0),), 0, 0)
    joint = CardinalityConstraint(((variables.at(0, 0), variables.at(1, 0)),), 0, 0)
    both = System(
        variables,
        (CardinalityConstraint((variables.at(1, 0),), 1, 1),),
        (),
    ).with_rows([(plain, joint), (joint, joint)])
    assert search(both) == [((1, 0), 0)]
    assert search(both, slack=1) == [((1, 0), 0)]
    assert search(both, slack=2) == [((0, 0), 2), ((1, 0), 0)]


@pytest.mark.parametrize(("low", "high"), [(3, 3), (-2, -1), (2, 1), (9, 0)])
def test_joint_constraints_that_nothing_satisfies_end_a_search_at_once(low, high):
    """A complete search of a game of thirty pegs and thirty colors would not end."""
    variables = VariableMap(30, 30)
    constraint = CardinalityConstraint(
        ((variables.at(0, 0), variables.at(1, 1)), variables.at(2, 2)), low, high
    )
    assert count(System(variables, (constraint,), ())) == 0
    assert count(System(variables, (constraint,), ()), slack=9) == 0
    assert count(System(variables, (), ()).with_rows([(constraint,)])) == 0


def test_a_table_of_few_codes_is_searched_along_them_alone():
    """The game has thirty pegs and thirty colors; the two codes differ only at the last pegs."""
    table = ((*range(28), 0, 0), (*range(28), 5, 29))
    searcher = searcher_of(System(VariableMap(30, 30), (), (), table))
    assert searcher.advance(30) == _core.SearchStatus.CODE_FOUND
    assert searcher.code == table[0]
    assert searcher.advance(1) == _core.SearchStatus.BUDGET_SPENT
    assert searcher.advance(1) == _core.SearchStatus.CODE_FOUND
    assert searcher.code == table[1]
    assert searcher.advance(0) == _core.SearchStatus.EXHAUSTED


def test_a_table_may_be_any_row_of_colors():
    table = [0, 1, 1, 0]
    for colors in (flatten_table(((0, 1), (1, 0))), array(table), array([table])[0]):
        searcher = _core.Search(2, 2, [], [], table=colors)
        assert searcher.count(9) == _core.SearchStatus.EXHAUSTED
        assert searcher.num_codes == 2


@pytest.mark.parametrize(
    ("table", "rule"),
    [
        ([0, 1, 1], "pegs"),
        ([0, 2], "below colors"),
        ([0, 1, 0, 0], "in order"),
        ([0, 1, 0, 1], "distinct"),
    ],
)
def test_a_table_that_does_not_fit_the_game_is_refused(table, rule):
    with pytest.raises(ValueError, match=rule):
        _core.Search(2, 2, [], [], 0, array(table))


def test_no_constraints_leave_every_code():
    nothing = System(VariableMap(4, 3), (), ())
    assert count(nothing) == 3**4
    assert search(nothing, 1) == [(code, 0) for code in product(range(3), repeat=4)]


def test_counting_continues_where_listing_stopped():
    searcher = _core.Search(4, 3, [], [])
    for _ in range(10):
        assert searcher.advance(10**6) == _core.SearchStatus.CODE_FOUND
    assert searcher.num_codes == 10
    assert searcher.count(10**6) == _core.SearchStatus.EXHAUSTED
    assert searcher.num_codes == 3**4


def test_a_search_without_nodes_stays_where_it_is():
    searcher = _core.Search(2, 2, [], [])
    assert searcher.advance(0) == _core.SearchStatus.BUDGET_SPENT
    assert searcher.num_codes == 0
    assert searcher.advance(2) == _core.SearchStatus.CODE_FOUND
    assert searcher.code == (0, 0)


@pytest.mark.parametrize(
    ("pegs", "colors", "literal"),
    [
        (0, 2, 1),
        (2, 0, 1),
        (1 << 29 | 1, 1, 1),
        (1, 65536, 1),
        (60000, 60000, 1),
        (2, 2, 0),
        (2, 2, 9),
    ],
)
def test_games_and_literals_out_of_range_are_refused(pegs, colors, literal):
    for stated in ((literal,), (-literal,), ((1, literal),), (1, (-literal,))):
        constraints = [(stated, 0, 1)]
        for ground, rows in ((constraints, []), ([], [[], constraints])):
            with pytest.raises(ValueError, match=r"pegs is|colors is|2\*\*29|a literal is"):
                _core.Search(pegs, colors, ground, rows)
            with pytest.raises(ValueError, match=r"pegs is|colors is|2\*\*29|a literal is"):
                _core.WeightedSearch(pegs, colors, ground, rows)


def weighted(system, rows=None, spare=(), most=0, weights=None):
    """Return the weighted search of some rows of a system, by default of all rows.

    Of the relaxable rows `spare`, a code may violate up to `most`.
    """
    groups = (
        system.row_constraints
        if rows is None
        else [g if n in rows else () for n, g in enumerate(system.row_constraints)]
    )
    return _core.WeightedSearch(*system.variables, system.hard, groups, spare, most, weights)


def codes_of(searcher, failures=10**9, excluding=None):
    """Return all codes in the order of the search, which runs in slices of failures."""
    codes = []
    while (status := searcher.advance(failures)) != _core.SearchStatus.EXHAUSTED:
        if status == _core.SearchStatus.CODE_FOUND:
            codes.append(searcher.code)
            if excluding is not None and (rows := excluding(searcher.code)):
                searcher.exclude(rows)
    assert searcher.advance(failures) == _core.SearchStatus.EXHAUSTED
    assert len(codes) == len({*codes})
    return codes


def test_a_weighted_search_excludes_no_empty_set_of_rows():
    """Every code violates all rows of an empty set, so the set would exclude every code."""
    searcher = _core.WeightedSearch(1, 2, [], [[([1], 1, 1)]])
    with pytest.raises(ValueError, match=r"^an excluded set has a row at least$"):
        searcher.exclude([])
    assert searcher.advance(10) == _core.SearchStatus.CODE_FOUND
    assert searcher.code == (0,)


@given(system=systems(), failures=st.integers(1, 5))
def test_a_weighted_search_finds_the_solutions_of_any_constraints(system, failures):
    expected = [code for code, _ in twins.solutions(system)]
    searcher = weighted(system)
    assert sorted(codes_of(searcher, failures)) == expected
    again = weighted(system, weights=searcher.weights)
    assert sorted(codes_of(again)) == expected
    assert sorted(codes_of(weighted(system, rows=searcher.used_rows))) == expected


@given(
    system=systems(),
    failures=st.integers(1, 5),
    spare=st.sets(st.integers(0, 2)),
    most=st.integers(0, 3),
    rng=st.randoms(use_true_random=False),
)
def test_a_weighted_search_misses_few_spare_rows(system, failures, spare, most, rng):
    def missed(code):
        return {
            row
            for row, group in enumerate(system.row_constraints)
            if not twins.satisfies(system.variables, group, code)
        }

    def excluding(code):
        assert not any(rows <= missed(code) for rows in gone)
        if not (rows := missed(code)) or rng.random() < 0.5:
            return ()
        gone.append(rows)
        return sorted(rows)

    gone = []
    spare &= {*range(len(system.row_constraints))}
    every = [code for code, _ in twins.solutions(system, len(system.row_constraints))]
    few = {code for code in every if missed(code) <= spare and len(missed(code)) <= most}
    assert {*codes_of(weighted(system, spare=sorted(spare), most=most), failures)} == few
    result = codes_of(weighted(system, spare=sorted(spare), most=most), failures, excluding)
    remaining = {code for code in few if not any(rows <= missed(code) for rows in gone)}
    assert remaining <= {*result} <= few


def test_a_weighted_search_restarts():
    """The search restarts several times, with and without codes, and keeps learned weights."""
    num_restarted = 0
    for seed in range(8):
        board = planted("14x6", 15, seed)
        for entry in (board, parity_kept(board, str(seed))):
            system = System.of(entry)
            expected = [code for code, _ in search(system)]
            searcher = weighted(system)
            assert sorted(codes_of(searcher, 50)) == expected
            assert sorted(codes_of(weighted(system, weights=searcher.weights), 50)) == expected
            num_restarted += searcher.failures > 200
    assert num_restarted > 5


@pytest.mark.parametrize("path", [None, ".", str(ROOT)])
def test_the_catalogue_of_encodings_does_not_hide_the_standard_library(path):
    """A Python file at the top of `encodings/` would keep the interpreter from starting."""
    environment = dict(os.environ)
    environment.pop("PYTHONPATH", None)
    if path is not None:
        environment["PYTHONPATH"] = path
    code = "import encodings, encodings.utf_8; print(encodings.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(done.stdout.strip()) == Path(os.__file__).parent / "encodings" / "__init__.py"


def test_objects_of_the_kernel_that_outlive_the_interpreter_are_not_reported():
    """An interrupted process may end with such objects; a report would look like a bug."""
    code = (
        "import ctypes, numpy as np\n"
        "from mmsat._core import Notation\n"
        "table = np.zeros(256, dtype=np.uint8)\n"
        "notation = Notation('4x6', 4, 2, False, table, table)\n"
        "ctypes.pythonapi.Py_IncRef(ctypes.py_object(notation))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
