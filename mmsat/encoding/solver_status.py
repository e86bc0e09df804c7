"""The status that a line of a solver's output states.

Programs write "solved", "infeasible" and "undecided" in different words. A line states a status if
it is one of the known sentences, or a field such as `Model status: Infeasible` whose value is a
known phrase. Upper and lower case are equivalent. Whatever stops a solver before it has an answer
(a limit, a signal, an error, "infeasible or unbounded") is UNKNOWN, never INCONSISTENT.
"""

import re

from mmsat.results.verdict import Status

_SOLUTION = """
sat | satisfiable | optimum found | feasible | optimal | integer optimal | integer feasible
integer non-optimal | primal feasible | globally optimal | suboptimal | optimal solution
integer optimal solution | integer optimal, tolerance | optimal solution found
optimal (within gap tolerance)
"""
_NO_SOLUTION = """
unsat | unsatisfiable | inconsistent | infeasible | integer infeasible | integer empty
primal infeasible | primal infeasible cer | primal and dual infeasible | proven infeasible
problem proven infeasible | linear relaxation infeasible | infeasible (final) | infeasible problem
"""
_UNDECIDED = """
unknown | indet | indeterminate | timeout | unbounded | unsatorunbounded | infeasible or unbounded
undefined | not solved | c unknown | time limit reached | interrupted | error | model invalid
"""
PHRASES = {
    phrase.strip(): status
    for status, phrases in (
        (Status.CONSISTENT, _SOLUTION),
        (Status.INCONSISTENT, _NO_SOLUTION),
        (Status.UNKNOWN, _UNDECIDED),
    )
    for phrase in re.split(r"[|\n]", phrases)
    if phrase.strip()
}
"""Values of status fields, which are also whole lines."""

STOPPED = re.compile(
    r"limit|interrupt|stopped|stop\b|time ?out|timed out|abort|unbounded|undefined|unknown|error"
    r"|memory|mem ?out|numeric|intermediate|not solved|dual infeasible|unsupported|indeterminate"
)
"""Words in the value of a status field if the solver ended without an answer."""

FIELD = re.compile(
    r"(?:"
    r"(?:(?:model|problem|scip|solution|solver) )?status ?:"  # HiGHS, SCIP, GLPK, COPT, MOSEK
    r"|status|termination condition ?:"  # the report of HiGHS, Pyomo
    r"|solutionstatusstring ?="  # CPLEX
    r"|(?:mip|barrier|primal simplex|dual simplex|presolve|result) -"  # CPLEX, CBC
    r"|(?:exitstatus|cpsolverstatus)\."  # CPMpy, OR-Tools
    r"|s "  # competitions of SAT, MaxSAT, pseudo-Boolean and constraint solvers
    r") ?(.+)"
)
RESULT_FILE = re.compile(r"(.+) - objective value .*")
"""The first line of a solution file of CBC and Clp."""
GLPK_RAW = re.compile(r"s (?:(?:mip|ipt) \d+ \d+ ([fnoiu])|bas \d+ \d+ ([finu]) [finu]) \S+")
"""The status line of `glpsol --write`, with a letter for the status."""
GLPK_LETTERS = {"o": Status.CONSISTENT, "f": Status.CONSISTENT, "n": Status.INCONSISTENT}

# SYMPHONY prints "The problem is infeasible!" even after an optimal solution, so the exclamation
# mark must not match.
SENTENCES = (
    (
        Status.INCONSISTENT,
        re.compile(
            r"problem has no (?:primal|integer) feasible solution"  # GLPK
            r"|(?:the |this )?(?:model|problem) is (?:integer )?infeasible(?: - .*| due to .*)?"
            r"|infeasible model"  # Gurobi
            r"|problem (?:found )?infeasible(?: in preprocessing)?"  # SYMPHONY
        ),
    ),
    (
        Status.CONSISTENT,
        re.compile(
            r"integer optimal solution found(?: by mip preprocessor)?"  # GLPK
            r"|optimal solution found(?: in preprocessing| \(tolerance .*\))?"  # Gurobi, SYMPHONY
            r"|value of objective function: .*"  # lp_solve
        ),
    ),
    (
        Status.UNKNOWN,
        re.compile(
            r"problem has no dual feasible solution"
            r"|(?:the |this )?(?:model|problem) is (?:infeasible or )?unbounded"
            r"|(?:infeasible or )?unbounded model"
            r"|(?:[a-z]+ )?limit (?:reached|exceeded)(?:;.*)?"
            r"|interrupt request received|cvc[45] interrupted by .*"
            r"|c (?:status:? )?(?:unknown|indeterminate|timeout)"
        ),
    ),
)


def read_status(line: str) -> Status | None:
    """Return the status that a line states, or None if it is about something else."""
    text = " ".join(line.casefold().replace("_", " ").split())
    if match := GLPK_RAW.fullmatch(text):
        return GLPK_LETTERS.get(match[1] or match[2], Status.UNKNOWN)
    text = text.strip("=*. ")
    for status, sentence in SENTENCES:
        if sentence.fullmatch(text):
            return status
    if match := RESULT_FILE.fullmatch(text):
        return _read_phrase(match[1])
    if match := FIELD.fullmatch(text):
        return _read_phrase(match[1])
    return PHRASES.get(text)


def _read_phrase(phrase: str) -> Status | None:
    """Read the value of a status field, such as `problem is solved [infeasible]`."""
    bracketed = re.search(r"\[([^\[\]]+)\]", phrase)
    value = bracketed[1] if bracketed else re.sub(r"(:|\(relative gap|\([0-9.]+ sec).*", "", phrase)
    value = value.strip("\"'. \t")
    if value in PHRASES:
        return PHRASES[value]
    return Status.UNKNOWN if STOPPED.search(value) else None
