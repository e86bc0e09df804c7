"""Recorded outputs of solvers, and variants of them: a solution, a refutation or neither."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import pytest

from mmsat.encoding.solver_formats import read_status
from mmsat.errors import InputError
from mmsat.game.board import Status
from mmsat.game.game import Game
from mmsat.solving.encode import Solution, read_solution
from tests.support.cli_runner import run

ANSWERS = Path(__file__).parent / "answers"
GAME = Game.parse("2x3")
CONSISTENT, INCONSISTENT = "2x3/12=0.2", "2x3/12=2.0/21=1.0"
"""The boards of the recorded answers. The only code of the first board is 21."""
LOGS = ("cbc", "clp", "copt", "glpsol", "gurobi", "highs", "minisat")
"""Programs whose log has the status, but not the values, which are in another file."""
UNDEFINED_FILES = [f"glpsol-{method}-{end}" for method in ("interior", "nomip") for end in "ow"]
"""Solution files of linear solvers of GLPK, which state `UNDEFINED` for infeasible problems."""
MAXSAT = ("rc2", "sat4j-maxsat")
CPLEX = (ANSWERS / "yes/cplex.sol").read_text(encoding="utf-8")
HIGHS = (ANSWERS / "yes/highs-style0.sol").read_text(encoding="utf-8")
SOLUTION_AND_REFUTATION = (
    "expected the output of one run, found a solution after the status unsatisfiable"
)
TWO_STATUSES = "expected the output of one run, found '{}' (the status was {} before)"
NAMED_VALUES = [
    (f"peg{peg}color{color}", int(color == 3 - peg)) for peg in (1, 2) for color in (1, 2, 3)
]
VALUES = "\n".join(f"{name} {value}" for name, value in NAMED_VALUES)

REFUTATION_LINES = """
s UNSATISFIABLE
UNSATISFIABLE
UNSAT
unsat
INCONSISTENT
=====UNSATISFIABLE=====
ExitStatus.UNSATISFIABLE (0.01 seconds)
INFEASIBLE
status: INFEASIBLE
CpSolverStatus.INFEASIBLE
Status: Infeasible
Model status        : Infeasible
Model status: Infeasible
  Status            Infeasible
SCIP Status        : problem is solved [infeasible]
solution status: infeasible
Infeasible - objective value 0
Integer infeasible - objective value 0.3
Primal infeasible - objective value 0
Problem is infeasible - 0.02 seconds
Result - Problem proven infeasible
Result - Linear relaxation infeasible
Status:     INTEGER EMPTY
Status:     INFEASIBLE (FINAL)
Status:     INTEGER EMPTY
PROBLEM HAS NO PRIMAL FEASIBLE SOLUTION
PROBLEM HAS NO INTEGER FEASIBLE SOLUTION
s mip 10 8 n 0
s bas 10 8 n u 0
s ipt 10 8 n 0
Model is infeasible
Infeasible model
This problem is infeasible
The model is INFEASIBLE
MIP - Integer infeasible.
Dual simplex - Infeasible:  Objective = 1.0
solutionStatusString="integer infeasible"
Problem status  : PRIMAL_INFEASIBLE
Solution status : PRIMAL_INFEASIBLE_CER
Problem is integer infeasible
The problem is infeasible due to row row1_1
Termination condition: infeasible
Solution status : infeasible
* Problem Found Infeasible in Preprocessing        *
"""

UNDECIDED_LINES = """
s UNKNOWN
c UNKNOWN
s INDETERMINATE
s UNSUPPORTED
UNKNOWN
INDET
INDETERMINATE
unknown
timeout
Timeout
cvc5 interrupted by timeout.
=====UNKNOWN=====
=====UNBOUNDED=====
=====UNSATorUNBOUNDED=====
=====ERROR=====
status: UNKNOWN
status: MODEL_INVALID
Status: Not Solved
Status: Undefined
Model status: Primal infeasible or unbounded
Model status: Time limit reached
Model status: Memory limit reached
Model status: Interrupted by user
SCIP Status        : solving was interrupted [user interrupt]
solution status: infeasible or unbounded
SCIP Status        : problem is solved [infeasible or unbounded]
Stopped on time - objective value 0
Stopped on iterations - objective value 0
Dual infeasible - objective value 0
Unbounded - objective value 0
Result - Stopped on time limit
Status:     INTEGER UNDEFINED
Status:     UNBOUNDED
Status:     INFEASIBLE (INTERMEDIATE)
PROBLEM HAS NO DUAL FEASIBLE SOLUTION
TIME LIMIT EXCEEDED; SEARCH TERMINATED
s mip 10 8 u 0
s bas 10 8 u u 0
s bas 10 8 i u 0
s ipt 10 8 u 0
Model is infeasible or unbounded
Infeasible or unbounded model
Time limit reached
Memory limit reached
Interrupt request received
This problem is unbounded
MIP - Integer infeasible or unbounded.
MIP - Time limit exceeded, no integer solution.
Presolve - Infeasible or unbounded.
MIP - Memory limit exceeded, no integer solution.
Problem status  : PRIMAL_INFEASIBLE_OR_UNBOUNDED
Solution status : unbounded
ExitStatus.UNKNOWN (10.0 seconds)
Termination condition: maxTimeLimit
"""

OUTPUTS_WITHOUT_ANSWER = """
(error "line 3 column 4: unknown constant")
*** ERROR: (clingo): parsing failed
The problem is infeasible!
OPTIMAL LP SOLUTION FOUND
Presolve: Infeasible, perhaps
no status: infeasible here
Solution status   infeasible
c infeasible
{"type": "error", "what": "syntax error"}
{"Result": "UNSAT
[1, 2]
CPLEX Error  1217: No solution exists.
minimize: x + peg1color1 = 1
<instantiation> <list> x[] </list>
Killed
Traceback (most recent call last):
"""
"""Outputs of one line that state nothing about the board."""

SOLUTIONS = """
sat
-1 2 -3 4 -5 -6 0
#
sat
-1 2 -3
4 -5 -6
#
SAT
-1 2 -3 4 -5 -6 7 0
#
-1 2 -3 4 -5 -6 0
#
c a comment
-1 2 -3 4 -5 -6 7 8 0
#
SATISFIABLE
-1 2 -3 4 -5 -6 0
#
s OPTIMUM FOUND
v -x1 x2 -x3 x4 -x5 -x6
#
s SATISFIABLE
v x2 -x1 -x3
v x4 -x5 -x6 -x7
#
code = array1d(1..2, [2, 1]);
----------
==========
#
{"code": [2, 1]}
#
{
  "code" : [2, 1]
}
----------
#
{"type": "solution", "output": {"json": {"code": [2, 1]}}, "sections": ["json"]}
#
{"type": "solution", "output": {"dzn": "code = [2, 1];\\n"}, "sections": ["dzn"]}
{"type": "status", "status": "ALL_SOLUTIONS"}
#
{"Call": [{"Witnesses": [{"Value": ["code(1,2)", "code(2,1)"]}]}], "Result": "SATISFIABLE"}
#
code(1,2) code(2,1)
code(1,1) code(2,1)
SATISFIABLE
#
Answer: 1 (Time: 0.01s)
code(1,2)
code(2,1)
SATISFIABLE
#
Problem status  : PRIMAL_FEASIBLE
Solution status : INTEGER_OPTIMAL
0 peg1color1 ** 0.0 0 1
1 peg1color2 ** 1.0 0 1
2 peg2color1 ** 9.9999999e-01 0 1
#
s SATISFIABLE
v <instantiation type='solution'>
v  <list> code[] </list>
v  <values> 2 1 </values>
v </instantiation>
#
<instantiation><list> code[0] code[1] other </list>
<values> 2 1 5 </values></instantiation>
#
<instantiation><list> peg1color1 peg1color2 peg1color3 peg2color1 peg2color2 peg2color3 </list>
<values> 0 1 0 1 0x2 </values></instantiation>
#
s mip 8 8 f 0
j 1 0
j 2 1
j 3 0
j 4 1
j 5 0
j 6 0
j 7 1
j 8 1
e o f
#
s bas 8 8 f f 0
j 1 l 0 0
j 2 b 1 0
j 3 l 0 0
j 4 b 1 0
j 5 l 0 0
j 6 l 0 0
e o f
#
sat
(
  (define-fun peg1color1 () Bool
    false)
  (define-fun peg1color2 () Bool true)
(define-fun peg1color3 () Bool false) (define-fun |peg2color1| () Bool true)
(define-fun peg2color2 () Bool false)
(define-fun peg2color3 () Bool false))
"""
"""Outputs with the code 21, separated by lines of `#`."""


def recorded(verdict):
    """Return the parametrization of a test by the recorded answers with a verdict."""
    return pytest.mark.parametrize(
        "file", sorted((ANSWERS / verdict).iterdir()), ids=lambda f: f.name
    )


def read(text):
    return read_solution(text, GAME)


def error_message(text):
    """Return the message of the InputError for an output."""
    with pytest.raises(InputError) as caught:
        read(text)
    return str(caught.value)


@recorded("yes")
def test_a_recorded_solution_is_read(file):
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".log" and file.stem in LOGS:
        assert error_message(text).endswith(
            "expected a status and a solution, found only the status (some solvers print it only "
            "with an option, or write it to another file)"
        )
        return
    is_maxsat = file.stem in MAXSAT
    assert read(text) == Solution(Status.CONSISTENT, (1, 0), 0 if is_maxsat else None)
    result = run("decode", CONSISTENT, file)
    assert (result.exit_code, result.stdout) == (10, "21\n")


@recorded("no")
def test_a_recorded_refutation_is_read(file):
    solution = read(file.read_text(encoding="utf-8"))
    result = run("decode", INCONSISTENT, file)
    if file.stem in UNDEFINED_FILES:
        assert solution.status is Status.UNKNOWN
        assert (result.exit_code, result.stdout) == (1, "unknown\n")
        return
    assert solution.status is Status.INCONSISTENT
    assert solution.cost == (1 if file.stem in MAXSAT else None)
    assert (result.exit_code, result.stdout) == (20, "inconsistent\n")


@recorded("unknown")
def test_a_recorded_undecided_run_is_unknown(file):
    assert read(file.read_text(encoding="utf-8")) == Solution(Status.UNKNOWN, None)
    result = run("decode", CONSISTENT, file)
    assert (result.exit_code, result.stdout) == (1, "unknown\n")


@recorded("yes")
def test_a_damaged_answer_gives_an_input_error_or_a_code(file):
    """A piece is removed, repeated or moved to the end; only InputError may be raised."""
    text = file.read_text(encoding="utf-8")
    rng = random.Random(file.name)
    for _ in range(30):
        start, end = sorted(rng.choices(range(len(text) + 1), k=2))
        piece = text[start:end]
        replacement, appended = rng.choice([("", ""), (piece * 2, ""), ("", piece)])
        with suppress(InputError):
            solution = read(text[:start] + replacement + text[end:] + appended)
            assert solution.code is None or GAME.contains(solution.code)


@pytest.mark.parametrize(
    "text",
    [
        '{"Call": 1, "Result": 2}',
        '{"Call": [{"Witnesses": [{"Value": {"a": [1]}}, 3]}], "Result": []}',
        '{"Vars": [1, {"VarName": {}, "X": null}]}',
        '{"type": "solution", "output": {"default": {"a": 1}}}',
        '{"type": "solution", "output": [1]}\n{"type": 5, "status": "UNSATISFIABLE"}',
        '{"code": [null, {"a": 1}], "peg1color1": 1e999, "peg1color2": true}',
        f'{{"peg1color1": {"9" * 4000}}}',
        "<CPLEXSolution " * 50,
        "<instantiation><list> code[] </list><values> 1x999999 2 </values></instantiation>",
        "Columns\n Index Upper Primal Name\n 1 peg1color1\n",
        "[" * 100_000,
        '{"a":' * 100_000,
    ],
    ids=range(12),
)
def test_documents_of_unknown_structure_are_refused(text):
    assert error_message(text)


def test_there_are_recorded_answers_of_every_verdict():
    counts = [len(list((ANSWERS / verdict).iterdir())) for verdict in ("yes", "no", "unknown")]
    assert min(counts) > 20


@pytest.mark.parametrize("line", REFUTATION_LINES.strip().split("\n"))
def test_a_line_that_states_a_refutation_is_read(line):
    assert read(f"a log\n{line}\nmore of it\n") == Solution(Status.INCONSISTENT, None)


@pytest.mark.parametrize("line", UNDECIDED_LINES.strip().split("\n"))
def test_a_line_that_states_no_decision_is_unknown(line):
    """A limit, a signal or "infeasible or unbounded" never means "inconsistent"."""
    assert read(f"a log\n{line}\nmore of it\n") == Solution(Status.UNKNOWN, None)
    assert run("decode", CONSISTENT, "-", stdin=line).exit_code == 1


@pytest.mark.parametrize(
    "text",
    [
        *OUTPUTS_WITHOUT_ANSWER.strip().split("\n"),
        "{" * 5000,
        "p cnf 2 1\n1 2 0\n",
        "1 2 3\n4 5 6\n",
    ],
    ids=range(len(OUTPUTS_WITHOUT_ANSWER.strip().split("\n")) + 3),
)
def test_output_without_an_answer_is_refused(text):
    lines = [*enumerate(text.split("\n"), 1)]
    number, last_line = max((line for line in lines if line[1].strip()), default=(1, text))
    found = repr(last_line[:80])
    assert error_message(text) == (
        f"the solver's output, line {number}, column 1: expected the whole output of a solver, "
        f"with its status and values, found {found} (it has neither status nor values)"
    )


VARIANTS = (
    HIGHS.replace("Optimal", "Time limit reached", 1),
    HIGHS.replace("Optimal", "Solution limit reached", 1),
    CPLEX.replace("integer optimal solution", "time limit exceeded"),
    CPLEX + CPLEX.replace('2" index="1" value="1"', '2" index="1" value="0"'),
    *(
        f"{head}\n{VALUES}\n"
        for head in ("Optimal - objective value 0", "Time limit reached", "=obj= 0")
    ),
    *(
        "\n".join(f"{name}{sign}{value}" for name, value in NAMED_VALUES)
        for sign in (" = ", "=", ": ")
    ),
    "\n".join(f"{index} {name} {value} 0" for index, (name, value) in enumerate(NAMED_VALUES)),
    *(str(dict(NAMED_VALUES)), str({name: float(value) for name, value in NAMED_VALUES})),
)


@pytest.mark.parametrize("text", [*SOLUTIONS.strip().split("\n#\n"), *VARIANTS])
def test_solutions_in_other_forms_are_read(text):
    assert read(text) == Solution(Status.CONSISTENT, (1, 0))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "s SATISFIABLE\nv -1 2 -3 4 -5 -6 0\ns UNSATISFIABLE\n",
            "line 3, column 1: " + TWO_STATUSES.format("inconsistent", "consistent"),
        ),
        (
            "unsat\n\nsat\n",
            "line 3, column 1: " + TWO_STATUSES.format("consistent", "inconsistent"),
        ),
        (
            (
                '{"type": "solution", "output": {"default": "code = [2, 1];"}}\n'
                '{"type": "status", "status": "UNSATISFIABLE"}\n'
            ),
            f"line 1, column 9: {SOLUTION_AND_REFUTATION}",
        ),
        (
            (
                '{"Call": [{"Witnesses": [{"Value": ["code(1,2)", "code(2,1)"]}]}],\n'
                '"Result": "UNSATISFIABLE"}'
            ),
            f"line 1, column 1: {SOLUTION_AND_REFUTATION}",
        ),
        (
            "code = [2, 1];\n----------\n=====UNSATISFIABLE=====\n",
            f"line 1, column 9: {SOLUTION_AND_REFUTATION}",
        ),
        (
            "Model status\nOptimal\nModel status\nInfeasible\n",
            "line 4, column 1: " + TWO_STATUSES.format("inconsistent", "consistent"),
        ),
        (
            "UNSAT\n-1 2 -3 4 -5 -6 0\nv -1 2 -3 4 -5 -6 0\n",
            f"line 3, column 3: {SOLUTION_AND_REFUTATION}",
        ),
    ],
)
def test_contradictions_are_refused(text, message):
    assert error_message(text).split("\n")[-1] == f"the solver's output, {message}"
    result = run("decode", CONSISTENT, "-", stdin=text)
    assert result.exit_code == 2
    assert result.stdout == ""


def test_a_maxsat_answer_without_values_needs_a_positive_cost():
    assert read("o 3\no 2\ns OPTIMUM FOUND\n") == Solution(Status.INCONSISTENT, None, 2)
    assert error_message("o 0\ns OPTIMUM FOUND\n") == (
        "the solver's output, line 2, column 1: expected a status and a solution, found only the "
        "status (some solvers print it only with an option, or write it to another file)"
    )


def test_a_point_of_an_infeasible_problem_is_not_a_solution():
    """Linear solvers write a point that violates rows; it may even look like a code."""
    for head in ("Infeasible - objective value 0", "Status: INTEGER EMPTY"):
        assert read(f"{head}\n{VALUES}\n") == Solution(Status.INCONSISTENT, None)
    point = HIGHS.replace("Optimal", "Time limit reached", 1).replace("\nFeasible", "\nInfeasible")
    assert read(point) == Solution(Status.UNKNOWN, None)
    fractional_values = VALUES.replace(" 1", " 0.5")
    stopped_line = "Stopped on time (no integer solution - continuous used) - objective value 0"
    assert read(f"{stopped_line}\n{fractional_values}\n") == Solution(Status.UNKNOWN, None)


@pytest.mark.parametrize(
    "text",
    ["", "hello", "status: fine", "the model is infeasible or so", "optimal LP", "infeasible!"],
)
def test_other_lines_have_no_status(text):
    assert read_status(text) is None
