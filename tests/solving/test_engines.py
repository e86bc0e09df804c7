"""The specs of engines, and properties of all engines."""

from __future__ import annotations

import sys

import pytest

from mmsat.encoding import ENCODINGS, Formula
from mmsat.errors import InputError, InternalError, MissingError, SizeError
from mmsat.game.board import Board, Status
from mmsat.limits import LIMITS
from mmsat.reductions.families import generate
from mmsat.solving import ENGINES, Decision, find_engine, verify_witness
from mmsat.solving.deadline import Deadline
from mmsat.solving.race import race_solvers
from mmsat.solving.sat import NATIVE_SOLVERS, Sat, new_solver, pysat, solver_names
from tests.support import tiers
from tests.support.random_boards import known_boards
from tests.support.secret_boards import secret_board

SPECS = ("auto", "brute", "cp", "sat", "sat:gluecard4", "sat:lingeling:direct")
every_engine = pytest.mark.parametrize("spec", SPECS)
EDGE_CASES = [
    ("4x6", 1296),
    ("1x1", 1),
    ("1x1/1=1.0", 1),
    ("1x1/1=0.0", 0),
    ("1x1/1=0.1", 0),
    ("1x1b/1=?", 1),
    ("4x6/1122=3.1", 0),
    ("4x6/1122=2.3", 0),
    ("4x6/1122=5.0", 0),
    ("4x6/1122=?.5", 0),
    ("4x6/1122=9999.9999", 0),
    ("4x6/1122=?.?/3456=?.?", 1296),
    ("4x6/1122=4.?/1122=?.0", 1),
    ("4x6/1122=4.0/1122=?.1", 0),
    ("4x6/1111=0.0/2222=0.0/3333=0.0/4444=0.0/5555=0.0", 1),
    ("4x6/1111=0.0/2222=0.0/3333=0.0/4444=0.0/5555=0.0/6666=0.0", 0),
    ("4x1/1111=4.0", 1),
    ("4x1/1111=3.0", 0),
    ("4x4!/1111=1.0", 6),
    ("4x4!/1111=0.0", 0),
    ("4x4!/1234=0.4", 9),
    ("4x6!/1122=2.1", 0),
    ("4x6b/1234=?", 1296),
    ("4x6w/1122=4", 6),
    ("4x6w/1122=5", 0),
]


def faults_of(spec):
    """Return the lines of the error for an invalid spec."""
    with pytest.raises(InputError) as caught:
        find_engine(spec)
    return str(caught.value).splitlines()


@every_engine
@pytest.mark.parametrize(("line", "num_codes"), EDGE_CASES, ids=[line for line, _ in EDGE_CASES])
def test_edge_cases_are_decided(spec, line, num_codes):
    board = Board.parse(line)
    decision = find_engine(spec).decide(board, Deadline())
    assert decision.status is (Status.CONSISTENT if num_codes else Status.INCONSISTENT)
    assert num_codes == 0 or board.is_consistent(decision.code)


@every_engine
def test_the_same_seed_gives_the_same_witness(spec):
    for size, rows in (("4x6", 2), ("10x8", 4), ("20x10", 6)):
        if size == "20x10" and spec in ("brute", "sat:lingeling:direct"):
            continue
        board = secret_board(size, rows, seed=3)
        first, second = (find_engine(spec).decide(board, Deadline(), seed=7) for _ in range(2))
        assert first.status is second.status is Status.CONSISTENT
        if (spec, size) != ("auto", "20x10"):  # after a race, the code is that of the winner
            assert first == second


@pytest.mark.parametrize("name", ENGINES)
def test_every_engine_is_found_by_its_name_and_has_a_summary(name):
    assert find_engine(name).name == name == ENGINES[name].name
    assert ENGINES[name].summary
    assert ENGINES[name].__doc__


@pytest.mark.parametrize("solver", solver_names())
def test_every_solver_works_with_every_encoding_that_it_supports(solver):
    boards = known_boards(tiers.share(25, least=8), seed=21)
    assert {bool(codes) for _, codes in boards} == {True, False}
    for name, encoding in ENCODINGS.items():
        if encoding.is_native and solver not in NATIVE_SOLVERS:
            (fault,) = faults_of(f"sat:{solver}:{name}")
            assert fault == (
                f"the engine: expected one of {', '.join(NATIVE_SOLVERS)} for this encoding, found "
                f"'{name}' ({solver} does not support native cardinality constraints)"
            )
            continue
        engine = find_engine(f"sat:{solver}:{name}")
        assert engine == Sat(solver, name)
        for board, codes in boards:
            code = engine.solve(board)
            assert code in codes if codes else code is None


def test_the_native_solvers_are_available():
    assert set(NATIVE_SOLVERS) <= set(solver_names())
    assert len(solver_names()) == len(set(solver_names())) >= 15


@pytest.mark.parametrize(
    ("spec", "solver", "encoding"),
    [
        ("sat", "cadical195", "totalizer"),
        ("sat:", "cadical195", "totalizer"),
        ("sat::", "cadical195", "totalizer"),
        ("sat:glucose4", "glucose4", "totalizer"),
        ("sat::direct", "cadical195", "direct"),
        ("sat:minicard", "minicard", "native"),
        ("sat:minicard:sequential", "minicard", "sequential"),
    ],
)
def test_settings_with_defaults_can_be_omitted(spec, solver, encoding):
    assert find_engine(spec) == Sat(solver, encoding)


@pytest.mark.parametrize(
    ("spec", "rules"),
    [
        ("", ["No such engine"]),
        ("cplex", ["No such engine"]),
        ("SAT", ["No such engine 'SAT'. Did you mean 'sat'?"]),
        ("cp:8", ["expected cp without settings, found 'cp:8'"]),
        ("auto:sat", ["expected auto without settings, found 'auto:sat'"]),
        ("brute:", ["expected brute without settings, found 'brute:'"]),
        ("sat:nosuch", ["No such SAT solver 'nosuch'"]),
        ("sat:glucose4:nosuch", ["No such encoding 'nosuch'"]),
        ("sat:glucose4:native", ["glucose4 does not support native cardinality constraints"]),
        (
            "sat:glucose4:direct:more",
            ["expected sat:SOLVER:ENCODING, found 'sat:glucose4:direct:more'"],
        ),
        (
            "sat:nosuch:neither:more:and:more",
            [
                "No such SAT solver 'nosuch'",
                "The encoding 'neither:more' of the package neither cannot be used. ModuleNot",
                "expected sat:SOLVER:ENCODING, found 'sat:nosuch:neither:more:and:more'",
            ],
        ),
    ],
)
def test_the_error_lists_every_fault_of_a_spec(spec, rules):
    lines = faults_of(spec)
    assert len(lines) == len(rules)
    assert all(rule in line for rule, line in zip(rules, lines, strict=True))


def test_a_fault_lists_the_valid_names():
    with pytest.raises(InputError) as caught:
        find_engine("sat:nosuch:neither")
    solver, encoding = caught.value.faults
    assert (solver.found, encoding.found) == ("nosuch", "neither")
    assert all(name in solver.expected for name in solver_names())
    assert all(name in encoding.expected for name in ENCODINGS)
    with pytest.raises(InputError) as caught:
        find_engine("nosuch")
    assert all(name in str(caught.value) for name in ENGINES)


def test_an_inconsistent_code_raises_an_internal_error():
    board = Board.parse("4x6/1122=1.1")
    with pytest.raises(InternalError, match=r"4x6/1122=1\.1"):
        verify_witness(board, (0, 0, 1, 1), "an engine")
    with pytest.raises(InternalError):
        verify_witness(Board.parse("3x3!"), (0, 0, 1), "an engine")
    assert verify_witness(board, None, "an engine") == Decision(
        Status.INCONSISTENT, None, "an engine"
    )


def test_a_new_solver_has_all_clauses_and_constraints_of_a_formula():
    formula = Formula(variables=3)
    formula.add(1, 2)
    formula.add(-1)
    formula.add_at_most([2, 3], 1)
    with new_solver("minicard", formula) as solver:
        assert solver.solve()
        assert solver.get_model()[:3] == [-1, 2, -3]


def test_auto_gives_a_reason_and_the_same_verdict_for_every_seed():
    consistent_board = generate("six-colors", 18, seed=1, answer="consistent").board
    slipped_board = generate("six-colors", 18, seed=1, answer="slipped").board
    for board, status in ((consistent_board, Status.CONSISTENT), (slipped_board, None)):
        results = [find_engine("auto").decide(board, Deadline(), seed) for seed in (None, 1, 2)]
        assert len({result.status for result in results}) == 1
        assert status in {None, results[0].status}
        in_process = {"presolve", "weighted"}
        assert all(
            "against" in result.reason for result in results if result.engine not in in_process
        )


def test_auto_decides_boards_whose_clauses_need_too_much_memory(monkeypatch):
    monkeypatch.setattr(LIMITS, "small_formula", -1)
    monkeypatch.setattr(LIMITS, "clause_memory", -1)
    board = generate("six-colors", 18, seed=1, answer="consistent").board
    decision = race_solvers(board, seed=1)
    assert decision.status is Status.CONSISTENT
    assert decision.engine in {"weighted", "lattice", "cp"}
    advice = "; choose the smallest encoding, modulo-totalizer, or the engine auto or cp$"
    with pytest.raises(SizeError, match=advice):
        find_engine("sat").decide(board, Deadline())


@pytest.mark.parametrize(
    ("message", "error"),
    [
        ("pysolvers.so: failed to map segment from shared object", MemoryError),
        ("cannot import name 'solvers' from 'pysat'", MissingError),
    ],
)
def test_the_error_states_why_python_sat_cannot_be_loaded(message, error, monkeypatch):
    class RefusingFinder:
        def find_spec(self, name, *_):
            if name.partition(".")[0] == "pysat":
                raise ImportError(message)

    for name in [module for module in sys.modules if module.partition(".")[0] == "pysat"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [RefusingFinder(), *sys.meta_path])
    with pytest.raises(error):
        pysat()
